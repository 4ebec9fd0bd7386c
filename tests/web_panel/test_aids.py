"""The player aids: rules from the rulebook in its words, one printed page per side."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser

from firmware_host.core.rulebook import book_of
from tests.web_panel.conftest import Panel
from tests.web_panel.room import Screen
from web_panel.language import codes
from web_panel.rules import sheet_choices

BINDING = {
    entry.id: entry.text
    for entry in book_of("sniper-elite").entries.values()
    if entry.kind not in ("advice", "flavour")
}


def test_sheet_has_book_rules_and_every_card_of_its_side(panel: Panel) -> None:
    page = panel.browser().get("/aids").text
    choices = sheet_choices("sniper-elite")
    wanted = {f"MP-{group}-{number:02}" for side in choices for group, them in side.rules.items() for number in them}

    assert [side.side for side in choices] == ["sniper", "defenders"]
    assert wanted <= set(BINDING)
    assert {rule for rule in wanted if f'href="/rules#{rule}"' not in page} == set()
    for title in ("Sound Masking", "Trench Gun", "Kennel Master", "Medic"):
        assert f"<dt>{title}" in page


def test_solo_game_has_sheets_for_player_and_defenders(panel: Panel) -> None:
    visitor = panel.browser()
    assert visitor.post("/api/choose", game="sniper-elite-solo").status_code == 200
    choices, known = sheet_choices("sniper-elite-solo"), book_of("sniper-elite-solo").entries
    wanted = {f"SO-{group}-{number:02}" for side in choices for group, them in side.rules.items() for number in them}

    page = visitor.get("/aids").text

    assert [side.side for side in choices] == ["sniper", "defenders"]
    assert wanted <= known.keys()
    assert {rule for rule in wanted if f'href="/rules#{rule}"' not in page} == set()
    for title in ("Sound Masking", "Trench Gun"):
        assert f"<dt>{title}" in page


@pytest.mark.browser
def test_each_sheet_prints_on_one_page(browser: Browser, panel: Panel, served: str) -> None:
    page, pages = Screen(browser, (1280, 720)).page, {}
    for game in ("sniper-elite", "sniper-elite-solo"):
        assert panel.browser().post("/api/choose", game=game).status_code == 200
        for code in codes():
            page.goto(f"{served}aids?language={code}")
            printed = page.pdf(format="A4", margin=dict.fromkeys(("top", "bottom", "left", "right"), "12mm"))  # type: ignore[arg-type]
            pages[game, code] = len(re.findall(rb"/Type /Page\n", printed))

    assert pages == dict.fromkeys(pages, 2)
