"""What the generic screens, the lamps and the timing reveal about the hider: only public facts."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import TABLE
from engine.referee import Referee
from firmware_host.core.generic import generic_facts, past_facts
from firmware_host.records.history import History, PastAct, Step
from games import find
from tests.web_panel.conftest import Panel

GAME: Any = find("treasure")
ISLAND = GAME.make_map("island")
OPTIONS = GAME.read_options({})
SEATS = GAME.seats(OPTIONS)
OTHERS = ("red", "blue", TABLE)


def hidden_on(space: str) -> Referee:
    """Return a game in which the treasure is on `space`, and it is red's turn."""
    referee = Referee(GAME, GAME.blank(ISLAND, OPTIONS))
    chance = Chance(Random(3), [("order", ["red", "blue"])])
    referee.tell(GAME.setup(ISLAND, OPTIONS, chance))
    referee.submit("hider", GAME.read_command("hider", {"type": "hide", "space": space}), chance)
    return referee


def shown(referee: Referee, viewer: str) -> dict[str, Any]:
    legal = [] if viewer == TABLE else referee.legal(viewer)
    return generic_facts(GAME, referee.pictures, viewer, SEATS, legal)


def test_other_screens_and_lamps_do_not_depend_on_the_treasure() -> None:
    one, other = hidden_on("b3"), hidden_on("c1")
    for viewer in OTHERS:
        assert shown(one, viewer) == shown(other, viewer)
    assert GAME.cues(one.pictures[TABLE]) == GAME.cues(other.pictures[TABLE])
    assert ("The treasure", "b3") in shown(one, "hider")["summary"]
    assert shown(one, "hider") != shown(other, "hider")


def test_only_the_hider_s_map_marks_the_treasure() -> None:
    game = hidden_on("b3")
    assert {viewer: [mark["space"] for mark in shown(game, viewer)["marks"]] for viewer in (*OTHERS, "hider")} == {
        **{viewer: [] for viewer in OTHERS},
        "hider": ["b3"],
    }


def test_seat_gets_captions_of_its_acts_and_the_next_seat() -> None:
    red = shown(hidden_on("b3"), "red")
    assert red["captions"] == ["Roll the die", "Dig here", "End turn"]
    assert red["to_act"] == [{"seat": "red", "title": "red seeker"}]
    assert [(piece["id"], piece["space"]) for piece in red["pieces"]] == [("red", "a1"), ("blue", "d4")]
    assert red["colours"]["blue"] == {"title": SEATS[1].title, "colour": (0, 0, 255)}
    assert red["outcome"] is None


def test_who_knew_the_treasure_sees_it_in_a_past_game() -> None:
    marks = {viewer: facts["marks"] for viewer, facts in past_facts(GAME, hidden_on("b3").pictures, SEATS).items()}
    for knowing in ("referee", "hider"):
        assert [mark["space"] for mark in marks.pop(knowing)] == ["b3"]
    assert [*marks.values()] == [[]] * len(marks)


def test_truth_of_a_past_game_shows_own_marks_if_the_game_uncovers_nothing_else() -> None:
    class Marking(type(GAME)):  # type: ignore[misc]
        uncovered = None

    facts = past_facts(Marking(), hidden_on("b3").pictures, SEATS)
    assert [mark["space"] for mark in facts["referee"]["marks"]] == ["b3"]
    assert facts["red"]["marks"] == facts[TABLE]["marks"] == []


def test_past_game_has_generic_pictures_for_every_viewer() -> None:
    referee = hidden_on("b3")
    step = Step("hider", 1.0, (), dict(referee.pictures), None)
    history = History(GAME, ISLAND, GAME.read_options(None), (PastAct("hider", 1.0, "[]"),))
    told = history.step_facts(step)
    assert set(told["generic"]) == set(referee.pictures)


@pytest.fixture
def panel(tmp_path: Path) -> Iterator[Panel]:
    running = Panel(tmp_path)
    yield running
    running.stop()


def test_answers_are_covered_while_the_hider_can_act(panel: Panel) -> None:
    def hiding() -> frozenset[str]:
        return panel.loop.read(lambda table: table.snapshot.hiding)

    hider, red = panel.browser(), panel.browser()
    assert red.post("/api/choose", game="treasure").status_code == 200
    for seat, browser in (("hider", hider), ("red", red), ("blue", red)):
        assert browser.claims(seat).status_code == 200
    assert red.post("/api/start").status_code == 200
    panel.advance_clock()
    assert hiding() == {"hider"}
    red.post("/api/tidy")
    panel.advance_clock()
    assert hider.acts("hider", type="hide", space="b3").status_code == 200
    assert hiding() == frozenset()
    for viewer, browser in (("red", red), ("blue", red), ("table", red)):
        assert "b3" not in json.dumps(json.loads(browser.get(f"/api/picture/{viewer}").text)["generic"]["pieces"])
