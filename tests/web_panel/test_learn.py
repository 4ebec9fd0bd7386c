"""Lessons by HTTP: without a seat, and separate from what is played on the table."""

from __future__ import annotations

import json
import re
import threading
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.patience import PATIENCE
from tests.web_panel.conftest import Browser, Panel
from web_panel.language import language

FIRST = {"type": "move", "path": ["Y32"]}
END = {"type": "end-turn"}
HUNT = [
    {"type": "intel", "squad": "black"},
    {"type": "move", "unit": "yellow-1", "to": "K23"},
    {"type": "sweep", "unit": "yellow-1", "spaces": ["K22", "K21"]},
]


def learns(browser: Browser, *acts: Any, lesson: str = "sniper") -> Any:
    """Return what the page of a lesson gets after some acts."""
    answer = browser.post("/api/lesson", game="sniper-elite", lesson=lesson, acts=[*acts])
    assert answer.status_code == 200, answer.text
    return answer.json


def test_list_names_the_lessons_and_each_has_a_page(panel: Panel) -> None:
    browser = panel.browser()
    page = browser.get("/learn").text

    for name in ("sniper", "defenders"):
        assert f'href="/learn/sniper-elite/{name}"' in page
        assert f'data-lesson="{name}"' in browser.get(f"/learn/sniper-elite/{name}").text
    assert 'href="/learn"' in browser.get("/").text


def test_lesson_uses_its_own_games_screens(panel: Panel) -> None:
    browser = panel.browser()
    assert browser.post("/api/choose", game="stalingrad").status_code == 200

    page = browser.get("/learn/sniper-elite/sniper").text
    assert 'data-of-game="sniper-elite"' in page
    assert re.search(r'data-module="/~\w+/games/sniper-elite/static/sniper\.js"', page)


def test_acts_advance_the_lesson_and_the_last_is_judged(panel: Panel) -> None:
    browser = panel.browser()
    begun, moved = learns(browser), learns(browser, FIRST)

    assert (begun["lesson"]["number"], moved["lesson"]["number"]) == (1, 2)
    assert begun["lesson"]["wrong"] is None
    assert moved["view"]["sniper"]["space"] == "Y32"
    assert END in moved["legal"]
    assert moved["foresight"]["moves"] == []
    assert [entry["type"] for entry in moved["log"]] == ["sniper-moved"]

    early = learns(browser, END)["lesson"]
    assert (early["taken"], early["number"]) == (0, 1)
    assert "Y32" in early["wrong"]
    refused = learns(browser, {"type": "move", "path": ["Y1"]})["lesson"]
    assert (refused["taken"], refused["rule"]) == (0, "MP-MOVE-02")


def test_lesson_is_in_the_language_of_the_device(panel: Panel) -> None:
    browser = panel.browser()
    browser.get("/learn?language=pl")
    shown = learns(browser)["lesson"]

    assert "snajper" in shown["say"].lower()
    assert language("pl", "sniper-elite").text("frame.title.learn") in browser.get("/learn").text


def test_defenders_lesson_does_not_reveal_the_sniper(panel: Panel) -> None:
    """Until a spot finds the sniper: the picture is the seat's own."""
    for length in range(len(HUNT) + 1):
        shown = learns(panel.browser(), *HUNT[:length], lesson="defenders")
        assert shown["lesson"]["taken"] == length
        assert shown["view"]["sniper"]["space"] is None
        assert shown["view"]["sniper"]["objectives"] is None
        assert shown["view"]["sniper"]["log"] is None
        assert shown["view"]["sniper"]["miniature"] is None


def test_lesson_and_running_game_are_independent(panel: Panel) -> None:
    sniper, _ = panel.start()

    def table() -> list[Any]:
        """Return what acts change, by viewer. The board's hints change by themselves during setup."""
        pictures = [sniper.get(f"/api/picture/{viewer}").json for viewer in ("table", "sniper")]
        return [[shown[part] for part in ("revision", "view", "log", "seats", "stage")] for shown in pictures]

    def written() -> int:
        return sum(path.stat().st_size for path in panel.folder.rglob("*") if path.is_file())

    stranger, before, on_disk = panel.browser(), table(), written()
    alone = learns(stranger, FIRST, END)
    assert learns(sniper, FIRST, END) == alone, "a seated player gets the same"
    assert (table(), written()) == (before, on_disk)
    assert alone["seats"]["sniper"]["devices"][0]["device"] not in ("Ada's phone", "Bo's tablet")


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({"game": "sniper-elite", "lesson": "nobody"}, "not-found"),
        ({"game": "no-game", "lesson": "sniper"}, "not-found"),
        ({"game": "sniper-elite", "lesson": "../sniper"}, "not-found"),
        ({"game": "sniper-elite"}, "not-understood"),
        ({"game": "sniper-elite", "lesson": "sniper", "acts": ["move"]}, "not-understood"),
        ({"game": "sniper-elite", "lesson": "sniper", "acts": [END] * 65}, "too-large"),
    ],
)
def test_invalid_lesson_is_refused(panel: Panel, body: dict[str, Any], code: str) -> None:
    answer = panel.browser().post("/api/lesson", **body)
    assert answer.json is not None
    assert answer.json["error"]["code"] == code


def test_missing_lesson_has_no_page(panel: Panel) -> None:
    assert panel.browser().get("/learn/sniper-elite/nobody").status_code == 404
    assert panel.browser().get("/learn/no-game/sniper").status_code == 404


def test_acts_are_answered_while_a_lesson_is_played(panel: Panel) -> None:
    """A stranger could otherwise keep a seat waiting with a lesson of a slow game, because all lessons take turns."""
    started, may_end = threading.Event(), threading.Event()

    def held(*_: object) -> str:
        started.set()
        assert may_end.wait(PATIENCE)
        return "{}"

    def post(path: str, **body: Any) -> int:
        head = {"Content-Type": "application/json"}
        request = urllib.request.Request(address + path, json.dumps(body).encode(), head)
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return int(answer.status)

    panel.interface.lessons.play = held  # type: ignore[method-assign]
    with panel.served() as address, ThreadPoolExecutor(1) as learner:
        learning = learner.submit(post, "api/lesson", game="sniper-elite", lesson="sniper")
        try:
            assert started.wait(PATIENCE)
            assert post("api/choose", game="sniper-elite") == 200
        finally:
            may_end.set()
        assert learning.result() == 200
