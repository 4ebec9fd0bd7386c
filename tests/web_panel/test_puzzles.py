"""Puzzles by HTTP: asked and answered without a seat, rated by name, and shown on the board while it is free."""

from __future__ import annotations

from typing import Any

import pytest

from engine.text import Text
from firmware_host.core import installed
from firmware_host.core.person_names import LONGEST_NAME
from firmware_host.play import puzzles
from firmware_host.records import solvers
from tests.web_panel.conftest import Browser, Panel
from web_panel.language import language

GAME = "sniper-elite"
FRESH = {"rating": solvers.START, "tried": 0, "right": 0, "streak": 0, "best": 0, "seen": [], "last": []}


def asked(browser: Browser, **wanted: Any) -> Any:
    """Return a puzzle."""
    answer = browser.post("/api/puzzle", game=GAME, **wanted)
    assert answer.status_code == 200, answer.text
    return answer.json


def got(browser: Browser, path: str) -> Any:
    return browser.get(path).json


def answers_of(puzzle: Any) -> list[str]:
    """Return a right answer."""
    return list(puzzles.of_game(GAME)[puzzle["id"]][1].answers[0])


def answered(browser: Browser, puzzle: Any, given: list[str], name: str = "") -> Any:
    answer = browser.post("/api/puzzle/answer", game=GAME, puzzle=puzzle["id"], answer=given, name=name)
    assert answer.status_code == 200, answer.text
    return answer.json


def test_list_leads_to_a_page_of_each_game(unchanged: Panel) -> None:
    browser = unchanged.browser()
    page = browser.get("/puzzles").text

    for game in ("sniper-elite", "sniper-elite-solo", "snipers-and-assassins", "stalingrad"):
        assert f'href="/puzzles/{game}"' in page
        assert f'data-game="{game}"' in browser.get(f"/puzzles/{game}").text
    assert browser.get("/puzzles/no-game").status_code == 404


@pytest.mark.parametrize("kind", ["where", "heard", "shot", "reach", "catch"])
def test_puzzle_of_a_kind_has_a_question_without_its_answer(unchanged: Panel, kind: str) -> None:
    browser = unchanged.browser()
    puzzle = asked(browser, kind=kind)

    assert puzzle["kind"] == kind
    assert puzzle["question"]
    assert "answers" not in puzzle
    right = answered(browser, puzzle, answers_of(puzzle))
    wrong = answered(browser, puzzle, ["?"])
    assert (right["score"], wrong["score"]) == (1, 0)
    assert right["why"]
    assert right["solver"] is None


def test_question_is_in_the_language_of_the_device(unchanged: Panel) -> None:
    browser = unchanged.browser()
    browser.get("/puzzles?language=pl")

    expected = language("pl", GAME).say(Text("Where can the sniper be? Mark every possible space."))
    assert asked(browser, kind="where")["question"] == expected


def test_next_puzzle_is_new_and_of_about_the_rating(unchanged: Panel) -> None:
    browser = unchanged.browser()
    first = asked(browser, kind="shot", rating=solvers.FIRST)
    second = asked(browser, kind="shot", rating=solvers.FIRST, seen=[first["id"]])

    assert first["grade"] == second["grade"] == 1
    assert first["id"] != second["id"]


def test_puzzles_answered_last_are_listed_and_can_be_asked_again(panel: Panel) -> None:
    browser = panel.browser()
    first, second = asked(browser, kind="heard"), asked(browser, kind="shot")
    answered(browser, first, answers_of(first), "Ola")
    found = answered(browser, second, ["?"], "Ola")["solver"]["last"]
    answered(browser, second, answers_of(second), "Ola")

    title = installed.find(GAME).title
    assert found == [
        {"game": GAME, "title": title, "kind": "shot", "id": second["id"], "right": False},
        {"game": GAME, "title": title, "kind": "heard", "id": first["id"], "right": True},
    ]
    person: Any = browser.post("/api/puzzle/solver", name="Ola").json
    assert person["last"] == found
    assert asked(browser, puzzle=second["id"]) == second


def test_rating_is_kept_by_name_until_it_is_deleted(panel: Panel) -> None:
    browser = panel.browser()
    puzzle = asked(browser)
    found = answered(browser, puzzle, answers_of(puzzle), "Ola")["solver"]

    assert (found["tried"], found["streak"]) == (1, 1)
    assert browser.post("/api/puzzle/solver", name="Ola").json == found
    assert browser.post("/api/puzzle/forget", name="Ola").json == {"ok": True}
    assert browser.post("/api/puzzle/solver", name="Ola").json == {**found, **FRESH}


def test_strangers_change_no_rating_while_people_sit_at_the_table(panel: Panel) -> None:
    sniper, _ = panel.sit_down()
    stranger = panel.browser()
    puzzle = asked(stranger)

    refused = answered(stranger, puzzle, answers_of(puzzle), "Ola")
    assert (refused["score"], refused["solver"]) == (1, None)
    assert refused["unrated"]
    assert stranger.post("/api/puzzle/forget", name="Ola").status_code == 403
    assert answered(sniper, puzzle, answers_of(puzzle), "Ola")["solver"]["tried"] == 1


def test_names_of_ratings_are_those_of_seats(panel: Panel) -> None:
    browser = panel.browser()
    puzzle = asked(browser)
    for name in ("  Ola ", "Ola"):
        assert answered(browser, puzzle, answers_of(puzzle), name)["solver"]["tried"] == 1
    assert len(answered(browser, puzzle, answers_of(puzzle), "x" * 60_000)["solver"]["name"]) == LONGEST_NAME
    for name in ("\u202eevil", "\x00", " "):
        assert answered(browser, puzzle, answers_of(puzzle), name)["unrated"]
        for path in ("solver", "forget"):
            assert browser.post(f"/api/puzzle/{path}", name=name).status_code == 400
    assert browser.post("/api/puzzle/forget", name=" Ola").status_code == 200
    assert len(panel.loop.call(lambda table: solvers.read_solvers(table.journal))) == 1


def test_admin_deletes_all_ratings_with_the_statistics(panel: Panel) -> None:
    panel.loop.call(lambda table: solvers.add(table.journal, "Ola", "00000001", 1, 1))
    admin = panel.keeper_browser()

    assert admin.post("/api/house/forget-results").status_code == 200
    assert panel.loop.call(lambda table: solvers.read_solvers(table.journal)) == ()


def test_board_shows_a_puzzle_while_it_is_free(panel: Panel) -> None:
    browser = panel.browser()
    where = asked(browser, kind="where")
    shown = browser.post("/api/puzzle/show", game=GAME, puzzle=where["id"])

    assert shown.status_code == 200
    replay = got(browser, "/api/picture/table")["replay"]
    assert replay["known"] == where["step"]["known"]
    assert replay["truth"]["sniper"]["space"] is None
    assert replay["question"] == where["question"]
    board = got(browser, "/api/picture/board")
    assert board["lamps"]
    assert board["board"]["sentence"] == "A puzzle is shown on the board."


def test_board_of_a_running_game_shows_no_puzzle(panel: Panel) -> None:
    sniper = panel.start()[0]
    puzzle = asked(sniper)

    assert sniper.post("/api/puzzle/show", game=GAME, puzzle=puzzle["id"]).status_code == 409


@pytest.mark.parametrize("puzzle", ["00000000", "", "../x"])
def test_unknown_puzzle_is_not_found(unchanged: Panel, puzzle: str) -> None:
    browser = unchanged.browser()

    assert browser.post("/api/puzzle/answer", game=GAME, puzzle=puzzle, answer=["a"]).status_code == 404
    before = puzzles.of_game.cache_info().currsize
    assert browser.post("/api/puzzle", game="no-game").status_code == 404
    if puzzle:
        assert browser.post("/api/puzzle", game=GAME, puzzle=puzzle).status_code == 404
    assert browser.post("/api/puzzle/answer", game="no-game", puzzle=puzzle, answer=["a"]).status_code == 404
    assert puzzles.of_game.cache_info().currsize == before
