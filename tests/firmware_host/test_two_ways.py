"""A miniature set down where several acts could have brought it: the table asks which one it was."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engine.game import Command, Placement
from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.api.rights import CheckedCalls
from firmware_host.board.tracking import asking
from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Checked, Requester
from firmware_host.table.loop import Loop
from tests.firmware_host.small_games import Race, RaceView, Step
from tests.firmware_host.test_without_board import SmallTable, with_pieces


class Ride(Step, tag="ride", frozen=True):
    """Go one space on, by bus."""


class Tram(Step, tag="tram", frozen=True):
    """Go one space on, by tram."""


HOW = "Tap with a wand, or choose on the screen."
WAYS = {"Taxi": Step, "Bus": Ride, "Tram": Tram}


class Transport(Race):
    """The race, in which each step can also be a ride by bus or by tram."""

    name = "small-transport"
    title = "Small Transport"
    commands = Step | Ride | Tram

    def legal(self, view: RaceView, seat: str) -> list[Command]:
        steps = super().legal(view, seat)
        return [way(step.unit, step.to) for way in WAYS.values() for step in steps]  # type: ignore[attr-defined]

    def opening(self, view: RaceView) -> bool:
        return False

    def caption(self, command: Any) -> Text:
        return next(Text(name) for name, way in WAYS.items() if type(command) is way)

    def placements(self, view: RaceView) -> list[Placement]:
        acts = [act for seat in self.to_act(view) for act in self.legal(view, seat)]
        return [Placement(act.unit, view.places[act.unit], act.to, act) for act in acts]  # type: ignore[attr-defined]


@pytest.fixture
def race(tmp_path: Path) -> Iterator[SmallTable]:
    """A table with a running game whose miniatures are in place."""
    yield from with_pieces(Transport(), tmp_path)


def hint(race: SmallTable) -> Any:
    """Return what the board says on the screens."""
    return race.sees("north")["board"]["hint"]


def carried(race: SmallTable) -> SmallTable:
    """Carry the runner to the next space, and wait until it is at rest."""
    race.put("north-runner", None)
    race.put("north-runner", "a2")
    race.wait(3000)
    return race


def acts(race: SmallTable) -> list[str]:
    """Return the types of the acts so far."""
    play = race.table.session.play
    assert play is not None
    return [act.command["type"] for act in race.table.journal.entries(play.number)[1:]]


TAPS = {"a2": "step", "a1": "ride", "a3": "tram"}
"""The space of each answer: the goal, the start, and a free one."""


def test_carry_that_can_mean_several_acts_is_asked_about(race: SmallTable) -> None:
    found = hint(carried(race))
    assert found["sentence"] == f"What did the north runner do? Taxi (tap a2) or Bus (tap a1) or Tram (tap a3). {HOW}"
    assert {one["tap"]: one["action"]["type"] for one in found["between"]} == TAPS
    assert [one["caption"] for one in found["between"]] == [*WAYS]
    assert race.sees("north")["view"]["turn"] == "north", "nothing is done before the answer"
    assert {*TAPS} <= race.lit()


def test_question_offers_a_limited_number_of_acts(race: SmallTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thousands of acts of one carry made a sentence that could not be sent, and the table stopped."""
    monkeypatch.setattr(asking, "MOST_WAYS", 2)
    assert hint(carried(race))["sentence"] == f"What did the north runner do? Taxi (tap a2) or Bus (tap a1). {HOW}"


@pytest.mark.parametrize("tap", TAPS)
def test_answer_makes_the_chosen_act(race: SmallTable, tap: str) -> None:
    carried(race).table.answer(tap, Checked(keys=(race.keys["north"],)))
    race.wait(500)
    assert race.sees("north")["view"]["places"]["north-runner"] == "a2"
    assert race.sees("north")["view"]["turn"] == "south"
    assert acts(race) == [TAPS[tap]]


def test_only_the_seat_whose_act_it_is_answers_on_a_phone(race: SmallTable, tmp_path: Path) -> None:
    carried(race)
    other = (race.keys["south"],)
    rights = CheckedCalls(Loop(lambda _: race.table, race.clock), AdminAccess(tmp_path, race.clock))
    for requester in (Requester(other), Requester(other, admin_key="made up")):
        with pytest.raises(UserError, match="Only the player whose miniature it is can answer this question"):
            race.table.answer("a1", rights.checked(requester))
    race.table.answer("a1", Checked(keys=other, local=True))  # the board's own page
    race.wait(500)
    assert acts(race) == ["ride"]


def test_only_the_seat_that_is_to_act_moves_miniatures_on_a_phone(race: SmallTable) -> None:
    """The miniatures of the simulated board are moved by requests, so the phone of another seat could act for it."""

    def moved(requester: Checked, miniature: str, *spaces: str | None) -> None:
        for space in spaces:
            race.table.touch(miniature, space, requester)
            race.wait(500)

    north, south = (Checked(keys=(race.keys[seat],)) for seat in ("north", "south"))
    for spaces in ((None, "a2"), ("a2",)):
        with pytest.raises(UserError, match="Only the player whose turn it is can move miniatures now"):
            moved(south, "north-runner", *spaces)
    moved(north, "north-runner", None)
    moved(south, "north-runner", "a1")  # back to where the game has it
    moved(north, "south-runner", "b2")
    moved(south, "south-runner", None, "d4")
    race.wait(3000)
    assert acts(race) == []
    assert race.sees("south")["board"]["hint"] is None
    moved(north, "north-runner", None, "a2")
    race.wait(3000)
    race.table.answer("a2", north)
    race.wait(500)
    assert acts(race) == ["step"]


@pytest.mark.parametrize("who", [Checked(local=True), Checked(admin=True), Checked()])
def test_devices_without_another_seat_move_miniatures(race: SmallTable, who: Checked) -> None:
    """Whether they may at all is checked before: by the table's own computer, the admin PIN, or because no one sits."""
    race.table.touch("north-runner", None, who)
    race.table.touch("north-runner", "a2", who)


@pytest.mark.parametrize("seconds", [0.5, 5])
@pytest.mark.parametrize("tap", TAPS)
def test_answer_is_given_on_the_board(race: SmallTable, tap: str, seconds: float) -> None:
    """The goal's piece is lifted and set down again; the wand is set down on the empty space of another act."""
    carried(race)
    piece, moves = ("north-runner", (None, "a2")) if tap == "a2" else ("wand", (tap, None))
    for space in moves:
        race.put(piece, space)
        race.wait(1000 * seconds - 500)
    race.wait(3000)
    assert acts(race) == [TAPS[tap]]
    assert hint(race) is None


def test_act_on_a_screen_answers_too(race: SmallTable) -> None:
    carried(race).act("north", {"type": "ride", "unit": "north-runner", "to": "a2"})
    race.wait(500)
    assert hint(race) is None
    assert acts(race) == ["ride"]


def test_carrying_back_takes_the_question_away(race: SmallTable) -> None:
    carried(race).put("north-runner", "a1")
    race.wait(3000)
    assert hint(race) is None
    assert race.sees("north")["view"]["turn"] == "north"
    assert acts(race) == []
