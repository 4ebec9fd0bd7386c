"""A game's files are sent like the panel's own, nothing else of its folder is, and its texts override the panel's."""

from __future__ import annotations

import os
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from flask import Flask

import games
from engine.game import Glossary
from firmware_host.core import bots
from firmware_host.core.installed import LARGEST_ART, GameError, _check_script
from tests.web_panel.conftest import Panel
from web_panel import language as languages
from web_panel.game_screens import (
    SVG,
    cover_address,
    game_screen_routes,
    games_imported_by,
    modules,
    papers,
    screen_file,
    seat_module,
    sprite,
    sprite_address,
)
from web_panel.language import Language, language

OURS = "/games/sniper-elite/static/"
OURS_TO_DRAW = [name for name in games.names() if (Path(games.__file__).parent / games.folder(name)).is_dir()]
"""The shipped games; the test games have no pictures."""
PO = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\n"\n'


@pytest.fixture
def hide_and_seek(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a newly added game with its own screens."""
    folder = tmp_path / "hide_and_seek"
    (folder / "screens").mkdir(parents=True)
    (folder / "__init__.py").write_text("", "utf-8")
    (folder / "screens" / "seat.js").write_text('import { h } from "/static/ui.js";\nimport "./own.js";\n', "utf-8")
    (folder / "screens" / "own.js").write_text("export const own = 1;\n", "utf-8")
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    return folder


@pytest.mark.parametrize(("own", "ours"), [("sniper.js", "net.js"), ("style.css", "style.css")])
def test_game_files_have_the_usual_headers_and_compression(panel: Panel, own: str, ours: str) -> None:
    browser, asked = panel.browser(), {"Accept-Encoding": "gzip"}
    one, other = browser.get(f"{OURS}{own}", headers=asked), browser.get(f"/static/{ours}", headers=asked)
    changing = {"Content-Length", "ETag", "Last-Modified", "Content-Disposition", "Date"}

    assert {name: value for name, value in one.headers if name not in changing} == {
        name: value for name, value in other.headers if name not in changing
    }
    assert one.headers["Content-Encoding"] == "gzip"
    again = browser.get(f"{OURS}{own}", headers={**asked, "If-None-Match": one.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        f"{OURS}en.po",
        f"{OURS}README.md",
        f"{OURS}nothing.js",
        f"{OURS}..%2Fgame.py",
        f"{OURS}../game.py",
        f"{OURS}%2e%2e/rules/fold.py",
        "/games/chess/static/sniper.js",
        "/games/..%2Fgames/static/sniper.js",
    ],
)
def test_nothing_else_of_a_game_folder_is_sent(panel: Panel, path: str) -> None:
    assert panel.browser().get(path).status_code == 404


@pytest.mark.parametrize("file", ["seat.js", "style.css", "board.png"])
def test_file_that_would_fill_the_memory_is_not_sent(hide_and_seek: Path, file: str) -> None:
    app = Flask(__name__)
    app.register_blueprint(game_screen_routes())
    (hide_and_seek / "screens" / file).write_text("")
    assert app.test_client().get(f"/games/hide-and-seek/static/{file}", buffered=True).status_code == 200
    with (hide_and_seek / "screens" / file).open("wb") as large:
        large.truncate(LARGEST_ART + 1)
    assert app.test_client().get(f"/games/hide-and-seek/static/{file}", buffered=True).status_code == 404


def test_module_that_is_no_regular_file_counts_as_empty(hide_and_seek: Path) -> None:
    (hide_and_seek / "screens" / "own.js").unlink()
    os.mkfifo(hide_and_seek / "screens" / "own.js")
    assert modules("/games/hide-and-seek/static/own.js") == ()


def test_modules_that_are_not_there_count_as_empty(hide_and_seek: Path) -> None:
    """Every page answered 500 while that game was chosen."""
    imported = ("/games/chess/static/pieces.js", "/static/old.js", "/nope.js")
    (hide_and_seek / "screens" / "far.js").write_text("".join(f'import "{address}";\n' for address in imported))
    assert modules("/games/hide-and-seek/static/far.js") == imported
    assert games_imported_by.__wrapped__("hide-and-seek") == ()
    with pytest.raises(GameError, match="it uses the game chess, which is not installed"):
        _check_script(hide_and_seek / "screens" / "far.js")


def test_page_preloads_all_modules_of_its_game(panel: Panel) -> None:
    sniper, _ = panel.sit_down()
    page = re.sub(r"/~\w+", "", sniper.get("/sniper").text)

    assert 'data-module="/games/sniper-elite/static/sniper.js"' in page
    for name in ("sniper.js", "parts.js", "pieces.js"):
        assert f'<link rel="modulepreload" href="{OURS}{name}">' in page
    assert '<link rel="modulepreload" href="/static/net.js">' in page


def test_seats_of_an_added_game_share_a_module(hide_and_seek: Path) -> None:
    assert seat_module("hide-and-seek", "seeker") == "/games/hide-and-seek/static/seat.js"
    own = "/games/hide-and-seek/static/own.js"
    assert modules("/games/hide-and-seek/static/seat.js") == ("/static/ui.js", own, "/static/texts.js")


def test_game_texts_override_panel_and_fall_back_to_english(hide_and_seek: Path) -> None:
    (hide_and_seek / "screens" / "en.po").write_text(
        PO + '\nmsgid "tv.ready"\nmsgstr "Ready or not."\n\nmsgid "seek.count"\nmsgstr "Count to ten."\n', "utf-8"
    )
    catalogues = languages.FOLDER
    english, polish = (Language(catalogues / f"{code}.po", "hide-and-seek") for code in ("en", "pl"))

    assert (english.text("tv.ready"), english.text("seek.count")) == ("Ready or not.", "Count to ten.")
    assert (polish.text("seek.count"), polish.text("menu.title")) == ("Count to ten.", "Menu")
    with pytest.raises(KeyError):
        english.text("sniper.silent")


def test_missing_game_uses_the_panels_texts(panel: Panel) -> None:
    browser = panel.browser()

    assert browser.get("/words/chess/en-0.js").data == browser.get(language("en", "sniper-elite").address()).data


@pytest.mark.parametrize("name", OURS_TO_DRAW)
def test_every_card_and_bot_has_exactly_one_picture(name: str) -> None:
    game = games.find(name)
    glossary = game.glossary().values() if isinstance(game, Glossary) else ()
    cards = {card for section in glossary for card in section}
    faces = {f"bot-{bot}" for bot in bots.names(game)}
    own = screen_file(name, "art.svg")

    assert cards | faces <= symbols(sprite(name))
    assert symbols(own.read_bytes()) <= cards | faces | {"cover"}


def symbols(drawing: bytes) -> set[str]:
    return {symbol.attrib["id"] for symbol in ET.fromstring(drawing).iter(f"{SVG}symbol")}


def test_game_pictures_are_sent_once_and_cached(panel: Panel) -> None:
    browser = panel.browser()
    address = sprite_address("sniper-elite-solo")

    sent = browser.get(address)

    assert {"SC-01", "s-mine", "bot-careful", "bot-random"} <= symbols(sent.data), (
        "its own pictures, those of its base game, and shared ones"
    )
    assert sent.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert address != sprite_address("sniper-elite"), "other pictures have another address"
    assert browser.get("/games/chess/art-0.svg").status_code == 404


def test_pages_use_the_cacheable_picture_address(panel: Panel) -> None:
    address = sprite_address("sniper-elite")

    assert f'data-art="{address}"' in panel.browser().get("/").text
    assert f'href="{address}#' in panel.browser().get("/aids").text


def test_game_without_a_map_has_a_picture_in_past_games(panel: Panel) -> None:
    ada = panel.browser()
    assert ada.post("/api/play-now", seat="player-1", device="Ada", game="stalingrad").json == {"ok": True}
    (past,) = ada.get("/api/games").get_json()["games"]
    assert (past["map"], past["cover"]) == ("", f"{sprite_address('stalingrad')}#cover")
    assert cover_address("hide-and-seek") is None


def test_game_without_pictures_uses_common_bot_faces(hide_and_seek: Path) -> None:
    assert symbols(sprite("hide-and-seek")) == {"bot-random"}
    assert "art" not in papers("hide-and-seek")
