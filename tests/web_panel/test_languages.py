"""Every device is spoken to in its own language, and whatever can be said in a game can be said in each of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import expect

from engine.events import Event
from engine.game import Command
from engine.refusal import RuleError
from engine.text import Text, and_list, dash_list, or_list
from firmware_host.core import maps
from firmware_host.seats.players import BotFailed
from games.sniper_elite import GAME
from games.sniper_elite.rules.cards import CARDS
from games.sniper_elite.rules.specialists import SPECIALISTS
from tests.firmware_host.published import latest
from tests.games.random_play import RandomGame
from tests.web_panel.conftest import Panel
from tests.web_panel.room import Screen
from tools.showroom import PIN
from web_panel.language import DEFAULT, Language, codes, language

OTHERS = [code for code in codes() if code != DEFAULT]
POLISH = language("pl", GAME.name)
NAMES = re.compile(r"(~?[A-Z]?\d+|–| )*")
"""What needs no translation: names of spaces, numbers, a way over spaces."""


# --- saying ---------------------------------------------------------------------------------------------------------

RED_OFFICER = Text("the {squad} officer", squad=Text("red"))
BLACK_ONE = Text("{squad} soldier {which}", squad=Text("black"), which=1)


def test_a_sentence_is_english_and_knows_how_it_was_made() -> None:
    said = Text("{unit} is off the board.", unit=RED_OFFICER)

    assert said == "The red officer is off the board."
    assert POLISH.say(said) == "Czerwony oficer jest poza planszą."


def test_a_word_comes_in_the_case_that_the_translation_asks_for_in_a_list_too() -> None:
    heard = Text("{units} heard noise.", units=and_list([RED_OFFICER, BLACK_ONE]))

    assert heard == "The red officer and black soldier 1 heard noise."
    assert POLISH.say(heard) == "Hałas dociera do czerwonego oficera i czarnego żołnierza 1."


@pytest.mark.parametrize(("number", "words"), [(1, "1 ranę"), (2, "2 rany"), (5, "5 ran"), (22, "22 rany")])
def test_a_number_takes_the_form_that_its_language_has_for_it(number: int, words: str) -> None:
    said = Text("The sniper has {number} wound.", "The sniper has {number} wounds.", number=number)

    assert POLISH.say(said) == f"Snajper ma {words}."


def test_names_begin_as_they_are_written() -> None:
    assert Text("{device} has taken that seat.", device="ada") == "ada has taken that seat."


def test_a_bot_has_its_own_name_in_a_sentence() -> None:
    failed = BotFailed("defenders", "warden").sentence

    assert failed == "The bot 'warden' cannot go on for the defenders."
    assert POLISH.say(failed) == "Bot „komendant” nie może grać dalej (miejsce: obrońcy)."


def test_rows_are_made_of_texts() -> None:
    assert (and_list(["A1"]), and_list(["A1", "B2", "C3"])) == ("A1", "A1, B2 and C3")
    assert (or_list(["A1", "B2"]), dash_list(["A1", "B2"])) == ("A1 or B2", "A1 – B2")


def test_what_a_language_lacks_is_said_in_english(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr ""\n\nmsgid "red"\nmsgstr "rot"\n', "utf-8")
    german = Language(tmp_path / "de.po")

    assert german.say(Text("You mine {space}.", space="R1")) == "You mine R1."
    assert german.say(Text("Objective {objective}: {squad}", objective=1, squad=Text("red"))) == "Objective 1: rot"
    assert german.name == "Deutsch"


# --- whatever a game says -------------------------------------------------------------------------------------------


OPTIONS = ({"random_setup": True}, {}, {"experienced_sniper": ["B", "C"]}, {"experienced_defenders": ["A", "C", "D"]})


def test_everything_that_random_play_says_is_in_every_catalogue() -> None:
    heard, refused = set[type[Event]](), set[str]()
    for seed, slug in enumerate([*maps.drawn()] * 8):
        game = RandomGame(GAME, maps.load(slug), seed, OPTIONS[seed // 2 % len(OPTIONS)])
        others = Random(seed)
        tried: list[tuple[str, Command]] = []
        for seat, command, telling in game.steps():
            for told in telling:
                heard.add(type(told.event))
                check(GAME.sentence(told.event))
            tried.append((seat, command))
            for refusal in refusals(game, others.sample(tried, min(3, len(tried)))):
                refused.add(refusal)
                check(refusal)
    assert len(heard) > 30
    assert len(refused) > 100


def refusals(game: RandomGame, tried: list[tuple[str, Command]]) -> Iterator[Text]:
    for seat, command in tried:
        try:
            game.referee.consider(seat, command, game.chance)
        except RuleError as error:
            assert isinstance(error.sentence, Text), error.sentence
            yield error.sentence


def check(said: str) -> None:
    """Every part is in every catalogue, or is a name."""
    if isinstance(said, Text):
        for code in OTHERS:
            assert language(code).knows(said), (code, said.text)
        for value in said.values.values():
            check(str(value) if isinstance(value, int) else value)
    else:
        assert NAMES.fullmatch(said), said


@pytest.mark.parametrize("words", [*CARDS.values(), *SPECIALISTS.values()], ids=lambda words: str(words.title))
def test_cards_and_specialists_are_told_of_in_every_language(words: object) -> None:
    check(words.title)  # type: ignore[attr-defined]
    check(words.text)  # type: ignore[attr-defined]


# --- whose language -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "code"),
    [("pl-PL,pl;q=0.9,en;q=0.5", "pl"), ("en-GB", "en"), ("fr,pl;q=0.3", "pl"), ("fr", "en"), ("", "en")],
)
def test_a_device_is_spoken_to_in_the_language_that_its_browser_asks_for(
    unchanged: Panel, wish: str, code: str
) -> None:
    page = unchanged.browser().get("/", headers={"Accept-Language": wish})

    assert f'<html lang="{code}"' in page.text
    assert language(code, GAME.name).address() in page.text


def test_another_language_is_chosen_by_a_link_and_kept_on_that_device_alone(unchanged: Panel) -> None:
    mine, other = unchanged.browser(), unchanged.browser()

    answer = mine.get("/rules?language=pl")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules")
    assert "Spis treści" in mine.get("/rules").text
    assert "Contents" in other.get("/rules").text
    assert json.loads(mine.get("/manifest.webmanifest").text)["lang"] == "pl"
    assert "Stół jest niedostępny" in mine.get("/away").text
    assert mine.get("/worker.js").data != other.get("/worker.js").data


def test_a_language_that_nobody_has_changes_nothing(unchanged: Panel) -> None:
    browser = unchanged.browser()

    assert browser.get("/?language=xx").status_code == 200
    browser.client.set_cookie("sniperboard-language", "../../etc/passwd")
    assert '<html lang="en"' in browser.get("/").text


def test_refusals_and_pictures_are_in_the_language_of_whoever_asks(panel: Panel) -> None:
    sniper, defenders = panel.start()
    sniper.get("/?language=pl")

    refused = sniper.acts("sniper", type="loot").get_json()["error"]["sentence"]
    assert refused == "Najpierw wybierz strzałkę, którą wejdziesz."
    told = [entry["sentence"] for entry in json.loads(sniper.get("/api/picture/sniper").text)["log"]]
    assert any(sentence.startswith("Twoje cele: ") for sentence in told)
    assert defenders.acts("defenders", type="loot").get_json()["error"]["sentence"].startswith("There is no")


def test_the_words_are_kept_under_an_address_that_changes_with_them(unchanged: Panel) -> None:
    answer = unchanged.browser().get(POLISH.address())

    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "frame." not in answer.text
    assert json.loads(answer.text.partition("WORDS = ")[2].rstrip(";\n"))["sniper.silent"] == "Cicho."


@pytest.mark.browser
def test_a_phone_plays_in_polish_and_a_tablet_in_english_at_one_table(
    browser: Chromium, panel: Panel, served: str
) -> None:
    phone, tablet = Screen(browser, (360, 780), locale="pl"), Screen(browser, (1024, 768), locale="en")
    for screen, seat in ((phone, "sniper"), (tablet, "defenders")):
        screen.go(served)
        screen.sends("claim", seat=seat, pin=PIN, device=f"{seat}'s", squads=[])
    phone.sends("start", map="launch-facility", options={"random_setup": True})
    phone.go(f"{served}sniper")
    tablet.go(f"{served}defenders")
    panel.rest()
    tablet.sends("tidy")
    panel.rest()

    phone.says("headline", "Wybierz strzałkę, którą wejdziesz na planszę.")
    tablet.says("headline", "The sniper is moving in secret.")
    phone.page.locator("[data-testid^=enter-]").first.click()
    phone.says("headline", "Pierwsze kroki")
    phone.acts("sniper", **move(panel))
    phone.press("end-turn")
    phone.says("headline", "Obrońcy cię szukają.")
    tablet.says("turn", "Your turn")
    tablet.acts("defenders", type="intel", squad="red")
    tablet.says("latest", re.compile("Intel: the sniper is (not )?in the red sector."))
    phone.says("latest", re.compile("Dane wywiadowcze: snajper(a nie ma| jest) w czerwonym sektorze."))

    phone.press("menu")
    phone.press("language-en")
    phone.says("headline", "The defenders are searching for you.")
    expect(phone.page.locator("html")).to_have_attribute("lang", "en")
    expect(tablet.page.locator("html")).to_have_attribute("lang", "en")
    assert phone.faults + tablet.faults == []


def move(panel: Panel) -> dict[str, object]:
    """The shortest way in."""
    legal = json.loads(latest(panel.loop.followers, "sniper")[1])["legal"]
    return min((action for action in legal if action["type"] == "move"), key=lambda action: len(action["path"]))


def test_the_words_on_a_generated_board_are_those_of_the_screen_that_shows_it(panel: Panel) -> None:
    polish = panel.browser().get("/maps/pathways-3.svg", headers={"Accept-Language": "pl"}).text
    assert "SNAJPERZY I ZABÓJCY" in polish
    assert "3 gracze" in polish
    assert "Kryjówki" in polish
    assert "SNIPERS AND ASSASSINS" in panel.browser().get("/maps/pathways-3.svg").text
    tracks = panel.browser().get("/maps/tracks-2.svg", headers={"Accept-Language": "pl"}).text
    assert "GRACZ 2" in tracks
    assert "STRACONE TURY" in tracks


def test_the_keepers_pages_alone_get_the_keepers_words(panel: Panel) -> None:
    browser = panel.browser()
    spoken = language("pl", GAME.name)
    for path in ("/admin", "/workshop"):
        assert spoken.address("keeper") in browser.get(path, headers={"Accept-Language": "pl"}).text
    assert spoken.address() in browser.get("/", headers={"Accept-Language": "pl"}).text
    assert b"workshop.title" in browser.get(spoken.address("keeper")).data
    assert b"workshop.title" not in browser.get(spoken.address()).data
