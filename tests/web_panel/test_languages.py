"""Every device gets its own language, and every text of a game can be translated into each language."""

from __future__ import annotations

import json
import re
import tracemalloc
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
"""Texts that need no translation: names of spaces, numbers, a path over spaces."""


# --- sentences ----------------------------------------------------------------------------------------------------

RED_OFFICER = Text("the {squad} officer", squad=Text("red"))
BLACK_ONE = Text("{squad} soldier {which}", squad=Text("black"), which=1)


def test_sentence_is_english_and_keeps_its_parts() -> None:
    said = Text("{unit} is off the board.", unit=RED_OFFICER)

    assert said == "The red officer is off the board."
    assert POLISH.say(said) == "Czerwony oficer jest poza planszą."


def test_term_has_the_case_that_the_translation_asks_for() -> None:
    sentence = Text("{units} heard noise.", units=and_list([RED_OFFICER, BLACK_ONE]))

    assert sentence == "The red officer and black soldier 1 heard noise."
    assert POLISH.say(sentence) == "Hałas dociera do czerwonego oficera i czarnego żołnierza 1."


@pytest.mark.parametrize(("number", "words"), [(1, "1 ranę"), (2, "2 rany"), (5, "5 ran"), (22, "22 rany")])
def test_number_takes_the_plural_form_of_its_language(number: int, words: str) -> None:
    said = Text("The sniper has {number} wound.", "The sniper has {number} wounds.", number=number)

    assert POLISH.say(said) == f"Snajper ma {words}."


def test_names_keep_their_capitalisation() -> None:
    assert Text("{device} has taken that seat.", device="ada") == "ada has taken that seat."


def test_bot_has_its_own_name_in_a_sentence() -> None:
    failed = BotFailed("defenders", "warden").said(Text("defenders"))

    assert failed == "The bot 'warden' cannot go on for the defenders."
    assert POLISH.say(failed) == "Bot „komendant” nie może grać dalej (miejsce: obrońcy)."


def test_translation_without_measure_is_shown_in_english(tmp_path: Path) -> None:
    """Each picture would have it again for each entry of the log."""
    forms = {"It is over.": "x" * 100_000, "q": "x" * 200, "({name})": "{name}" * 2, "[{name}]": "{name}" * 40}
    words = [f'msgid "{text}"\nmsgstr "{form}"\n' for text, form in {"": "", **forms}.items()]
    (tmp_path / "de.po").write_text("\n".join(words), "utf-8")
    german, said = Language(tmp_path / "de.po"), Text("({name})", name="a")
    for _ in range(20):
        said = Text("({name})", name=said)
    assert german.say(Text("It is over.")) == "It is over."
    assert german.say(Text("q")) == "q"
    assert german.say(Text("({name})", name="b")) == "bb"
    assert german.say(Text("[{name}]", name="b")) == "[b]", "filling it in would take long"
    assert len(german.say(said)) < 10_000


def test_catalogue_that_claims_many_plural_forms_takes_no_memory(tmp_path: Path) -> None:
    """The table reads every catalogue at its start."""
    head = 'msgid ""\nmsgstr ""\n"Plural-Forms: nplurals=10000000; plural=n != 1;\\n"\n\n'
    words = 'msgid "{number} step"\nmsgid_plural "{number} steps"\nmsgstr[0] "eins"\nmsgstr[1] "viele"\n'
    (tmp_path / "de.po").write_text(head + words, "utf-8")
    language(DEFAULT)  # loaded before, so that only this catalogue is measured
    tracemalloc.start()
    try:
        german = Language(tmp_path / "de.po")
        assert tracemalloc.get_traced_memory()[1] < 20e6
    finally:
        tracemalloc.stop()
    assert german.say(Text("{number} step", "{number} steps", number=2)) == "viele"


def test_lists_are_made_of_texts() -> None:
    assert (and_list(["A1"]), and_list(["A1", "B2", "C3"])) == ("A1", "A1, B2 and C3")
    assert (or_list(["A1", "B2"]), dash_list(["A1", "B2"])) == ("A1 or B2", "A1 – B2")


def test_missing_translation_falls_back_to_english(tmp_path: Path) -> None:
    (tmp_path / "de.po").write_text('msgid ""\nmsgstr ""\n\nmsgid "red"\nmsgstr "rot"\n', "utf-8-sig")
    german = Language(tmp_path / "de.po")

    assert german.say(Text("You mine {space}.", space="R1")) == "You mine R1."
    assert german.say(Text("Objective {objective}: {squad}", objective=1, squad=Text("red"))) == "Objective 1: rot"
    assert german.name == "Deutsch"


# --- texts of a game ----------------------------------------------------------------------------------------------


OPTIONS = ({"random_setup": True}, {}, {"experienced_sniper": ["B", "C"]}, {"experienced_defenders": ["A", "C", "D"]})


def test_every_sentence_of_random_play_is_in_every_catalogue() -> None:
    event_types, refused = set[type[Event]](), set[str]()
    for seed, slug in enumerate([*maps.drawn()] * 8):
        game = RandomGame(GAME, maps.load(slug), seed, OPTIONS[seed // 2 % len(OPTIONS)])
        others = Random(seed)
        tried: list[tuple[str, Command]] = []
        for seat, command, telling in game.steps():
            for report in telling:
                event_types.add(type(report.event))
                check(GAME.sentence(report.event))
            tried.append((seat, command))
            for refusal in refusals(game, others.sample(tried, min(3, len(tried)))):
                refused.add(refusal)
                check(refusal)
    assert len(event_types) > 30
    assert len(refused) > 100


def refusals(game: RandomGame, tried: list[tuple[str, Command]]) -> Iterator[Text]:
    for seat, command in tried:
        try:
            game.referee.consider(seat, command, game.chance)
        except RuleError as error:
            assert isinstance(error.sentence, Text), error.sentence
            yield error.sentence


def check(said: str) -> None:
    """Check that every part is in every catalogue, or is a name."""
    if isinstance(said, Text):
        for code in OTHERS:
            assert ("", said.text) in language(code)._texts, (code, said.text)
        for value in said.values.values():
            check(str(value) if isinstance(value, int) else value)
    else:
        assert NAMES.fullmatch(said), said


@pytest.mark.parametrize("words", [*CARDS.values(), *SPECIALISTS.values()], ids=lambda words: str(words.title))
def test_cards_and_specialists_are_described_in_every_language(words: object) -> None:
    check(words.title)  # type: ignore[attr-defined]
    check(words.text)  # type: ignore[attr-defined]


# --- choice of language -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("accepted", "code"),
    [("pl-PL,pl;q=0.9,en;q=0.5", "pl"), ("en-GB", "en"), ("fr,pl;q=0.3", "pl"), ("fr", "en"), ("", "en")],
)
def test_device_gets_the_language_of_its_browser(unchanged: Panel, accepted: str, code: str) -> None:
    page = unchanged.browser().get("/", headers={"Accept-Language": accepted})

    assert f'<html lang="{code}"' in page.text
    assert language(code, GAME.name).address() in page.text


def test_language_chosen_by_link_applies_to_that_device_only(unchanged: Panel) -> None:
    mine, other = unchanged.browser(), unchanged.browser()

    answer = mine.get("/rules?language=pl")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/rules")
    answer = mine.get("/rules?_scheme=evil&language=pl&analysis&q=a%26b")
    assert answer.headers["Location"] == "/rules?_scheme=evil&analysis=&q=a%26b"
    assert "Spis treści" in mine.get("/rules").text
    assert "Contents" in other.get("/rules").text
    assert json.loads(mine.get("/manifest.webmanifest").text)["lang"] == "pl"
    assert "Stół jest niedostępny" in mine.get("/away").text
    assert mine.get("/worker.js").data != other.get("/worker.js").data


def test_unknown_language_changes_nothing(unchanged: Panel) -> None:
    browser = unchanged.browser()

    assert browser.get("/?language=xx").status_code == 200
    browser.client.set_cookie("sniperboard-language", "../../etc/passwd")
    assert '<html lang="en"' in browser.get("/").text


def test_refusals_and_pictures_use_the_requesters_language(panel: Panel) -> None:
    sniper, defenders = panel.start()
    sniper.get("/?language=pl")

    refused = sniper.acts("sniper", type="loot").get_json()["error"]["sentence"]
    assert refused == "Najpierw wybierz strzałkę, którą wejdziesz."
    sentences = [entry["sentence"] for entry in json.loads(sniper.get("/api/picture/sniper").text)["log"]]
    assert any(sentence.startswith("Twoje cele: ") for sentence in sentences)
    assert defenders.acts("defenders", type="loot").get_json()["error"]["sentence"].startswith("There is no")


def test_texts_are_cached_under_an_address_that_changes_with_them(unchanged: Panel) -> None:
    answer = unchanged.browser().get(POLISH.address())

    assert answer.headers["Cache-Control"] == "private, max-age=31536000, immutable"
    assert "frame." not in answer.text
    assert json.loads(answer.text.partition("WORDS = ")[2].rstrip(";\n"))["sniper.silent"] == "Cicho."


@pytest.mark.browser
def test_phone_in_polish_and_tablet_in_english_share_a_table(browser: Chromium, panel: Panel, served: str) -> None:
    phone, tablet = Screen(browser, (360, 780), locale="pl"), Screen(browser, (1024, 768), locale="en")
    for screen, seat in ((phone, "sniper"), (tablet, "defenders")):
        screen.address = served
        screen.sends("claim", seat=seat, pin=PIN, device=f"{seat}'s", squads=[])
    phone.sends("start", map="launch-facility", options={"random_setup": True})
    phone.go(f"{served}sniper")
    tablet.go(f"{served}defenders")
    panel.advance_clock()
    tablet.sends("tidy")
    panel.advance_clock()

    phone.says("headline", "Wybierz strzałkę, którą wejdziesz na planszę.")
    tablet.says("headline", "The sniper is moving in secret.")
    phone.page.locator("[data-testid^=enter-]").first.click()
    phone.says("headline", "Wejdź na planszę od strzałki")
    phone.acts("sniper", **move(panel))
    phone.press("end-turn")
    phone.says("headline", "Obrońcy cię szukają.")
    tablet.says("turn", "Your turn")
    tablet.acts("defenders", type="intel", squad="red")
    tablet.says("latest", re.compile("Intel: the sniper is (not )?in the red sector."))
    phone.says("latest", re.compile("Dane wywiadowcze: wiedzą, że (nie ma cię|jesteś) w czerwonym sektorze."))

    phone.press("menu")
    phone.press("language-en")
    phone.says("headline", "The defenders are searching for you.")
    expect(phone.page.locator("html")).to_have_attribute("lang", "en")
    expect(tablet.page.locator("html")).to_have_attribute("lang", "en")


def move(panel: Panel) -> dict[str, object]:
    """Return the shortest way in."""
    legal = json.loads(latest(panel.loop.followers, "sniper")[1])["legal"]
    return min((action for action in legal if action["type"] == "move"), key=lambda action: len(action["path"]))


def test_texts_on_generated_board_use_the_screens_language(panel: Panel) -> None:
    polish = panel.browser().get("/maps/pathways-3.svg", headers={"Accept-Language": "pl"}).text
    assert "SNAJPERZY I ZABÓJCY" in polish
    assert "3 gracze" in polish
    assert "Kryjówki" in polish
    assert "SNIPERS AND ASSASSINS" in panel.browser().get("/maps/pathways-3.svg").text
    tracks = panel.browser().get("/maps/tracks-2.svg", headers={"Accept-Language": "pl"}).text
    assert "GRACZ 2" in tracks
    assert "STRACONE TURY" in tracks


def test_only_admin_pages_get_the_admin_texts(panel: Panel) -> None:
    browser = panel.browser()
    spoken = language("pl", GAME.name)
    for path in ("/admin", "/workshop"):
        assert spoken.address("keeper") in browser.get(path, headers={"Accept-Language": "pl"}).text
    assert spoken.address() in browser.get("/", headers={"Accept-Language": "pl"}).text
    assert b"workshop.title" in browser.get(spoken.address("keeper")).data
    assert b"workshop.title" not in browser.get(spoken.address()).data
