"""The rulebook page: it is complete, the same for everyone, and no screen hard-codes a rule number."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware_host.api.interface import TableInterface
from firmware_host.core import rulebook
from firmware_host.core.errors import UserError
from games.sniper_elite import GAME
from lab.authoring.texts import shelves
from tests.web_panel.conftest import Panel
from tests.web_panel.test_texts import SCRIPT, scripts
from web_panel.language import codes
from web_panel.rules import NUMBER, RuleName, rule_groups

BOOK = rulebook.book_of("sniper-elite")


class Anchors(HTMLParser):
    """The anchors of a page, and its links within itself."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.links: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.ids += [str(found["id"])] if "id" in found else []
        self.links |= {str(found.get("href"))[1:]} if str(found.get("href")).startswith("#") else set()


def test_every_rule_is_on_the_page_under_its_number(panel: Panel) -> None:
    answer = panel.browser().get("/rules")
    page = Anchors(answer.text)

    assert answer.mimetype == "text/html"
    assert len(set(page.ids)) == len(page.ids)
    assert set(BOOK.entries) | {group.name for group in BOOK.groups} <= set(page.ids)
    assert page.links <= set(page.ids)
    assert {name for entry in BOOK.entries.values() for name in entry.mentions} <= page.links


def test_page_has_the_text_of_the_book(panel: Panel) -> None:
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]*>", "", panel.browser().get("/rules").text))

    for said in (BOOK.entries["MP-MOVE-09"].text, BOOK.entries["R-08"].text, BOOK.entries["R-08"].off):
        for words in NUMBER.split(said)[::2]:
            assert words.replace("\n\n", " ").replace("'", "&#39;") in text


def test_page_is_the_same_for_every_game_and_client(panel: Panel) -> None:
    before = panel.browser().get("/rules").data
    sniper, defenders = panel.start()

    assert sniper.get("/rules").data == defenders.get("/rules").data == before


def test_no_screen_names_a_rule_by_its_number() -> None:
    named = set(re.findall(r'"(MP-[A-Z]+-\d\d|R-\d\d)"', SCRIPT + "".join(map(scripts, shelves()[1:]))))

    assert named == set(), "numbers of rules come from the games"


def test_every_rule_number_in_game_options_is_in_its_book() -> None:
    form = GAME.options()
    named = {option.rule for option in form} | {exclusion.rule for exclusion in form.excludes}

    assert {"MP-DIFF-09", "R-05", "R-24"} <= named
    assert named - {""} <= BOOK.entries.keys()


@pytest.mark.parametrize("code", codes())
def test_solo_refusal_names_a_rule_of_its_page(panel: Panel, code: str) -> None:
    sniper = panel.browser()
    assert sniper.post("/api/choose", game="sniper-elite-solo").status_code == 200
    assert sniper.claims("sniper").status_code == 200
    assert sniper.post("/api/start").status_code == 200
    panel.advance_clock()

    refused = sniper.acts("sniper", type="end-turn").json["error"]
    page = Anchors(sniper.get("/rules", headers={"Accept-Language": code}).text)

    assert refused["rule"].startswith("SO-")
    assert refused["rule"] in page.ids
    assert set(rulebook.book_of("sniper-elite-solo", code).entries) <= set(page.ids)


def test_number_unknown_to_the_book_is_left_as_text() -> None:
    entry = rulebook.RuleEntry("R-01", "ruling", "R", "As R-01, not R-99.")

    (group,) = rule_groups(rulebook.Rulebook((rulebook.RuleGroup("R", "All.", (entry,)),)))

    assert group.rules[0].paragraphs == [["As ", RuleName("R-01", "", 1), ", not ", "R-99", "."]]


@pytest.mark.parametrize("code", codes())
def test_rules_are_called_by_section_and_number_in_it(panel: Panel, code: str) -> None:
    for address in ("/rules", "/rules/sniper-elite-solo", "/aids"):
        answer = panel.browser().get(address, headers={"Accept-Language": code})
        said = re.sub(r"<(?:script|style)[^>]*>.*?</(?:script|style)>|<[^>]*>", " ", answer.text, flags=re.DOTALL)
        assert NUMBER.findall(said) == []
        assert set(re.findall(r'aria-label="([^"]*)"', answer.text)).isdisjoint(BOOK.entries)


def test_table_without_its_book_says_so_and_works(
    panel: Panel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rulebook, "game_folder", lambda _: tmp_path)
    with pytest.raises(UserError, match="there are no rules here"):
        TableInterface.rules(panel.interface, "en")

    for address in ("/rules", "/aids", "/rules/sniper-elite"):
        answer = panel.browser().get(address)
        assert answer.status_code == 404
        assert "The rules cannot be read." in answer.text
        assert str(tmp_path) not in answer.text
    assert panel.browser().get("/").status_code == 200


def test_lesson_leads_to_the_book_of_its_game(panel: Panel) -> None:
    visitor = panel.browser()
    assert visitor.post("/api/choose", game="sniper-elite-solo").status_code == 200

    assert 'id="MP-MOVE-03"' in visitor.get("/rules/sniper-elite").text
    assert 'id="MP-MOVE-03"' not in visitor.get("/rules").text
    assert visitor.get("/rules/no-such-game").status_code == 404


def test_page_names_its_game_and_explains_only_what_the_book_has(panel: Panel) -> None:
    visitor = panel.browser()
    kinds = "Rulings say how this table reads a rule"

    treasure, elite = visitor.get("/rules/treasure").text, visitor.get("/rules/sniper-elite").text
    assert "<b>Treasure</b>" in treasure
    assert kinds not in treasure
    assert "<b>Sniper Elite</b>" in elite
    assert kinds in elite
