"""Boards that a game generates, and maps that fit only some games. The tests write small games into a folder of their
own.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

import pytest

import games
from engine.graph.compiled import dump
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from firmware_host.api.legend import map_svg
from firmware_host.board import wiring
from firmware_host.core import installed, maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.protocols.engine import EngineServer
from firmware_host.table import lobby
from firmware_host.table.selection import Selection, changed, default_selection
from maker.mapping import drawings
from tests.engine.graph.drawings import board, row
from tests.firmware_host.small_games import games_in
from tests.firmware_host.test_cli_map import run
from tests.firmware_host.test_maps import written
from web_panel.language import FOLDER, Language

BEFORE = frozenset(maps.names())
"""The maps without those that the games of these tests generate."""

LATTICE = '''
from tests.firmware_host.small_games import Cards
from engine.graph.builder import build, grid
from engine.options import OptionForm


class Lattice(Cards):
    """A game on a board of 4 x 4 squares."""

    name = "lattice"
    title = "Lattice"

    def options(self):
        return OptionForm()

    def read_options(self, raw):
        return raw or {}

    def map_names(self):
        return ("lattice-4",)

    def make_map(self, name):
        return build(grid(name, "Lattice of four", 4, 4))

    def map_options(self, name):
        return {"players": 4}


GAME = Lattice()
'''

LAKES = '''
from tests.firmware_host.small_games import Cards
from engine.text import Text


class Lakes(Cards):
    """A game that is played where there is water."""

    name = "lakes"
    title = "Lakes"

    def map_faults(self, board):
        wet = any(space.kind == "water" for space in board.spaces.values())
        return [] if wet else [Text("There is no water.")]


GAME = Lakes()
'''


def install(folder: Path, name: str, source: str) -> None:
    """Write a game into a folder `games`."""
    package = folder / "games" / name
    package.mkdir(parents=True)
    (package / "__init__.py").write_text(source)


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    """A folder whose games are found; at the end they are forgotten."""
    known = dict(maps._maps_in_memory)
    with games_in(tmp_path / "games"):
        yield tmp_path
    maps._maps_in_memory.clear()
    maps._maps_in_memory.update(known)


@pytest.fixture
def lattice(folder: Path) -> Path:
    install(folder, "lattice", LATTICE)
    return folder


@pytest.fixture
def lakes(folder: Path) -> Path:
    install(folder, "lakes", LAKES)
    return folder


@pytest.mark.usefixtures("lattice")
def test_generated_board_is_found_by_name_and_made_once() -> None:
    found = maps.load("lattice-4")
    assert [name for name in maps.names() if name not in BEFORE] == ["lattice-4"]
    assert (found.name, len(found.spaces)) == ("Lattice of four", 16)
    assert found.walk["b2"] == ("a2", "b1", "b3", "c2")
    assert len(found.source) == 64
    assert maps.load("lattice-4") is found


@pytest.mark.usefixtures("lattice")
def test_lobby_does_not_make_a_board_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The boards of a game with many were made at each change of the lobby, each in place of another one."""
    game = installed.find("lattice")
    facts = {"slug": "lattice-4", "name": "Lattice of four", "spaces": 16, "options": {"players": 4}}
    assert lobby._map_facts(game, "lattice-4") == facts
    maps._maps_in_memory.clear()
    monkeypatch.setitem(vars(game), "make_map", None)
    assert lobby._map_facts(game, "lattice-4") == facts


NAMED = LATTICE.replace(
    'return build(grid(name, "Lattice of four", 4, 4))',
    """drawing = grid(name, "Lattice of four", 4, 4)
        drawing["features"][0]["properties"]["name"] = "Old Well"
        drawing["features"][1]["properties"]["name"] = "Mill"
        return build(drawing)""",
)
CATALOGUE = """
msgid "Old Well"
msgstr "Stara studnia"

msgid "Lattice of four"
msgstr "Krata"
"""


def test_names_on_a_generated_board_are_translated_by_the_catalogue_of_its_game(folder: Path) -> None:
    install(folder, "lattice", NAMED)
    (folder / "games/lattice/screens").mkdir()
    (folder / "games/lattice/screens/pl.po").write_text(CATALOGUE, "utf-8")

    polish = map_svg("lattice-4", "pl", Language(FOLDER / "pl.po", "lattice").say)
    assert "<title>Krata</title>" in polish
    assert 'data-name="Stara studnia"' in polish
    assert "Old Well" not in polish
    assert 'data-name="Mill"' in polish  # a name without a translation
    assert 'data-space="d4"' in polish
    assert 'data-name="Old Well"' in map_svg("lattice-4", "en", Language(FOLDER / "en.po", "lattice").say)


@pytest.mark.usefixtures("lattice")
def test_generated_board_has_same_form_every_time() -> None:
    maker = games.find("lattice")
    assert maker.make_map("lattice-4") == maker.make_map("lattice-4") == maps.load("lattice-4")  # type: ignore[attr-defined]


@pytest.mark.usefixtures("lattice")
def test_board_fixes_options_left_out_or_null() -> None:
    game = games.find("lattice")
    board = maps.load("lattice-4")
    assert maps.options_on(game, board, None) == {"players": 4}
    assert maps.options_on(game, board, {"players": None, "long": True}) == {"players": 4, "long": True}
    assert maps.options_on(game, board, {"players": 5}) == {"players": 5}
    assert maps.options_on(game, board, ["no", "options"]) == ["no", "options"]
    assert maps.options_on(game, maps.load("launch-facility"), {"long": True}) == {"long": True}
    assert maps.options_on(games.find("sniper-elite"), board, None) == games.find("sniper-elite").read_options(None)


@pytest.mark.usefixtures("lattice")
def test_drawn_map_has_precedence_over_generated_one(tmp_path: Path) -> None:
    written(row("open", "water"), tmp_path / "maps" / "lattice-4" / maps.DRAWING)
    assert maps.names(tmp_path / "maps").count("lattice-4") == 1
    assert not maps.is_generated("lattice-4", tmp_path / "maps")


@pytest.mark.usefixtures("lattice")
def test_generated_board_is_checked_drawn_and_wired_like_drawn_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("check", "lattice-4") == 0
    assert capsys.readouterr().out == "Lattice of four: 16 spaces, no faults, 0 warnings.\n"
    assert run("render", "lattice-4", "--wiring", "--out", tmp_path / "a.svg") == 0
    picture = ElementTree.parse(tmp_path / "a.svg").getroot()
    assert {part.get("data-space") for part in picture.iter() if part.get("data-space")} == set(
        maps.load("lattice-4").spaces
    )
    assert sum("lamp" in (part.get("class") or "").split() for part in picture.iter()) == 16 + 3
    assert run("list") == 0
    assert "lattice-4: Lattice of four, 16 spaces" in capsys.readouterr().out
    assert wiring.of_board(maps.load("lattice-4")).sensors == maps.load("lattice-4").enterable


@pytest.mark.usefixtures("lattice")
def test_missing_parts_of_generated_board_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    for words in (("sight", "lattice-4", "a1", "a2"), ("render", "lattice-4", "--heat")):
        assert run(*words) == 1
        assert "lattice-4: this board has no sight table: its game needs none." in capsys.readouterr().err
    assert run("compile", "lattice-4") == 1
    assert "lattice-4: this board is generated by a game. It has no drawing" in capsys.readouterr().err


@pytest.mark.usefixtures("lattice")
def test_programs_get_generated_board_like_any_other() -> None:
    def asked(**request: object) -> dict[str, object]:
        answer: dict[str, object] = json.loads(EngineServer().answer(json.dumps({"id": 1, **request}).encode()))
        return answer

    assert "lattice-4" in asked(do="hello")["ok"]["maps"]  # type: ignore[index]
    found = asked(do="map", map="lattice-4")["ok"]
    assert found["spaces"]["a1"] == {  # type: ignore[index]
        "kind": "open", "sector": "board", "area": None, "difficult": False, "objective": None, "under": False,
    }  # fmt: skip
    assert (found["entries"], found["starts"]) == ({}, {})  # type: ignore[index]
    refusal = asked(do="new", game="sniper-elite", map="lattice-4")["error"]
    assert refusal["code"] == "not-understood"  # type: ignore[index]


@pytest.mark.usefixtures("lattice")
def test_each_game_is_offered_maps_that_fit() -> None:
    assert maps.offered(games.find("lattice")) == ["lattice-4"]
    assert maps.offered(games.find("sniper-elite")) == maps.drawn()


@pytest.mark.usefixtures("lattice")
def test_lobby_accepts_only_maps_that_fit_game() -> None:
    settings = settle({"board": "simulated"})
    sniping, lattice = (
        Selection("sniper-elite", "launch-facility"),
        default_selection(games.find("lattice"), "launch-facility"),
    )
    assert lattice.map == "lattice-4"
    assert changed(lattice, {"map": "lattice-4"}, settings).options == {"players": 4}
    assert changed(sniping, {"map": "submarine-pens"}, settings).map == "submarine-pens"
    assert changed(lattice, {"game": "sniper-elite"}, settings).map == maps.drawn()[0]
    with pytest.raises(UserError) as turned:
        changed(sniping, {"map": "lattice-4"}, settings)
    assert turned.value.sentence.startswith("This map cannot be played here. Lattice of four: ")
    with pytest.raises(UserError) as unknown:
        changed(lattice, {"map": "atlantis"}, settings)
    assert unknown.value.sentence == "There is no map 'atlantis'; known are lattice-4."


def test_game_that_no_map_suits_says_what_to_do(folder: Path) -> None:
    install(folder, "lakes", LAKES.replace("[] if wet else ", ""))
    with pytest.raises(UserError) as refused:
        changed(Selection("sniper-elite", "launch-facility"), {"game": "lakes"}, settle({"board": "simulated"}))
    says = "No map here suits Lakes. Choose another game, or add a map: see docs/map-author.md."
    assert (refused.value.code, refused.value.sentence) == ("not-now", says)


def test_game_that_cannot_be_loaded_removes_no_map(folder: Path) -> None:
    install(folder, "broken", "raise RuntimeError('broken')")
    install(folder, "lattice", LATTICE)
    assert [name for name in maps.names() if name not in BEFORE] == ["lattice-4"]


def test_fault_of_generated_board_is_reported(folder: Path) -> None:
    install(folder, "lattice", LATTICE.replace("4, 4))", "4, 4), [('a1', 'z9')])"))
    with pytest.raises(MapError, match=r"neighbours a1-z9: there is no space z9\."):
        maps.load("lattice-4")


def test_board_with_wrong_slug_is_reported(folder: Path) -> None:
    install(folder, "lattice", LATTICE.replace("grid(name,", "grid('else',"))
    with pytest.raises(MapError, match='lattice-4: its game made a board with the slug "else"'):
        maps.load("lattice-4")


def test_board_without_source_gets_one(folder: Path) -> None:
    bare = LATTICE.replace("return build(", "return replace(build(").replace("4, 4))", "4, 4)), source='')")
    install(folder, "lattice", "from msgspec.structs import replace\n" + bare)
    assert len(maps.load("lattice-4").source) == 64


SOLO_LAYOUT = (
    "Little does not suit this game: it takes three, three and two objectives in the coloured sectors, and one in the "
    "white sector."
)
"""The message of the solo game about a drawing without an objective."""


def test_game_with_a_board_of_the_name_of_another_one_is_left_out(folder: Path) -> None:
    """It was offered, but played on the board of the other game, or failed at each start without a reason."""
    install(folder, "aaa", LATTICE.replace('"lattice"', '"aaa"').replace('"lattice-4"', '"pathways-4"'))
    install(folder, "lattice", LATTICE)
    install(folder, "same", LATTICE.replace('"lattice"', '"same"'))
    assert {"lattice", "same"} <= {*installed.names()}, "both make the same board"
    assert maps.load("pathways-4").name != "Lattice of four"
    (fault,) = installed.installed().faults
    assert str(fault.sentence) == (
        "The game aaa is left out: the game snipers-and-assassins makes another board that is called pathways-4, too; "
        "rename one of them. Repair or remove it, then start the table again."
    )


@pytest.mark.usefixtures("lakes")
def test_check_prints_whether_map_fits_each_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("check", "submarine-pens") == 0
    assert capsys.readouterr().out == "Submarine Pens: 135 spaces, no faults, 0 warnings.\n"
    assert run("check", written(board(), tmp_path / "dry.geojson")) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "Sniper Elite: fits.",
        "Sniper Elite, solo: fits.",
        "Lakes: does not fit. There is no water.",
    ]


@pytest.mark.usefixtures("lakes")
def test_unfit_maps_are_not_offered_but_unreadable_ones_are(tmp_path: Path) -> None:
    there = tmp_path / "maps"
    for name in ("dry", "wet", "unread"):
        sheet = board()
        sheet.said("b1").update({} if name == "dry" else {"kind": "water", "sector": None})
        drawing = written(sheet, there / name / maps.DRAWING)
        if name != "unread":
            drawing.with_name(maps.COMPILED).write_bytes(dump(drawings.compile_drawing(drawing, "loose")))
    assert maps.offered(games.find("lakes"), there) == ["unread", "wet"]


@pytest.mark.usefixtures("lakes")
def test_drawing_that_one_game_can_use_is_valid(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wet = board()
    wet.said("b1").update(kind="water", sector=None)
    wet.said("a2").pop("objective")
    path = written(wet, tmp_path / "wet.geojson")
    assert run("check", path) == 0
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "Sniper Elite: does not fit. Little: objectives without a space: 1. Give each number to one space.",
        f"Sniper Elite, solo: does not fit. {SOLO_LAYOUT}",
        "Lakes: fits.",
    ]
    assert maps.load(str(path)).spaces["b1"].kind == "water"
    with pytest.raises(NotUnderstood):
        games.find("lattice")


@pytest.mark.usefixtures("lakes")
def test_drawing_that_no_game_can_use_has_faults_of_all(tmp_path: Path) -> None:
    dry = board()
    dry.said("a2").pop("objective")
    with pytest.raises(MapError) as broken:
        maps.load(str(written(dry, tmp_path / "dry.geojson")))
    assert broken.value.faults == (
        "Sniper Elite: objectives without a space: 1. Give each number to one space.",
        f"Sniper Elite, solo: {SOLO_LAYOUT}",
        "Lakes: There is no water.",
    )
