"""Choosing on the board: the choices of a screen are lit, picked with a wand, and sent to that screen alone."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from engine.game import TABLE
from engine.text import Text
from firmware_host.board.picking import Offer, Picking
from firmware_host.board.thresholds import OFFER_S
from firmware_host.board.tracking.hints import Outcome, Question
from firmware_host.core.errors import UserError
from tests.firmware_host.evening import Evening

WAND = "wand"
TOUCH = 150
"""Milliseconds for which a person touches a space."""


class Choosing(Evening):
    """An evening in the defenders' turn, with a screen on which a person chooses."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.start()
        self.enter()
        self.sniper({"type": "end-turn"})

    def offer(self, name: str = "a screen", key: str = "", **spaces: Sequence[str]) -> None:
        """Send what that screen sends to let people choose: `units`, `choices`, `chosen`."""
        revision = self.sees("defenders")["revision"]
        offer = Offer(name, revision, **{kind: tuple(found) for kind, found in spaces.items()})  # type: ignore[arg-type]
        self.table.offer(key or self.defenders_key, offer)
        self.wait(0)

    def touch(self, space: str, milliseconds: float = TOUCH) -> None:
        """Put a wand on a space and take it away."""
        self.put(WAND, space, milliseconds)
        self.lift(WAND)
        self.wait(1000)

    def picked(self, name: str = "a screen") -> list[str]:
        """Return the picks that screen got."""
        return [pick["space"] for pick in self.sees("defenders")["picked"] if pick["offer"] == name]

    def spotted(self) -> tuple[str, list[str]]:
        """Return a unit and the empty spaces that it can spot."""
        held = set(self.view(TABLE)["units"].values())
        found: dict[str, list[str]] = {}
        for act in self.legal("defenders", "spot"):
            if act["space"] not in held:
                found.setdefault(act["unit"], []).append(act["space"])
        return max(found.items(), key=lambda pair: len(pair[1]))


@pytest.fixture
def choosing(tmp_path: Path) -> Choosing:
    return Choosing(tmp_path)


def game(evening: Evening) -> Any:
    """Return the whole game as everyone sees it."""
    return evening.view(TABLE), evening.sentences(TABLE)


# --- lit ----------------------------------------------------------------------------------------------------------


def test_choices_of_screen_are_lit_until_it_ends_them(choosing: Choosing) -> None:
    dark = choosing.lit()
    _, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    assert choosing.lit() == dark | set(spaces)
    choosing.offer()
    assert choosing.lit() == dark


def test_choosable_and_chosen_spaces_differ_and_units_are_calm(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    home = choosing.space_of("red-1")
    assert home is not None
    choosing.offer(units=[home], choices=spaces[1:], chosen=spaces[:1])
    looks = [choosing.colours(space, 4000) for space in (spaces[0], spaces[1], home)]
    assert min(max(colour) for colour in looks[0]) > min(max(colour) for colour in looks[1])
    assert max(max(colour) for colour in looks[2]) < max(max(colour) for colour in looks[1])


def test_space_that_is_listed_thousands_of_times_is_painted_once(choosing: Choosing) -> None:
    """The lamps are painted up to 60 times a second, so a long list would take all of the processor's time."""
    _, spaces = choosing.spotted()
    thousands = spaces[:1] * 12_000
    choosing.offer(units=thousands, choices=thousands, chosen=thousands)
    assert [cue.spaces for cue in choosing.table.board.picking.cues()] == [(spaces[0],)] * 3


def test_refusal_of_an_offer_names_a_few_unknown_spaces(choosing: Choosing) -> None:
    """To list and translate thousands took a second of a small computer for each request."""
    dark = choosing.lit()
    with pytest.raises(UserError) as caught:
        choosing.offer(choices=[f"{number:05}" for number in range(9_000)] + ["x" * 60_000])
    assert str(caught.value) == "These spaces cannot be chosen: 00000, 00001, 00002, 00003, 00004."
    with pytest.raises(UserError) as caught:
        choosing.offer(choices=[choosing.spotted()[1][0], "x" * 60_000])
    assert len(str(caught.value)) < 100
    assert choosing.lit() == dark


def test_last_of_two_screens_to_ask_is_lit(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    dark = choosing.lit()
    choosing.offer("one", choices=spaces[:1])
    choosing.offer("two", choices=spaces[1:2])
    assert choosing.lit() == dark | {spaces[1]}
    choosing.offer("one", choices=spaces[:1])
    assert choosing.lit() == dark | {spaces[1]}, "repeating an offer is not a new one"
    choosing.offer("two")
    assert choosing.lit() == dark | {spaces[0]}


def test_silent_screen_is_forgotten(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    dark = choosing.lit()
    choosing.offer(choices=spaces)
    choosing.wait((OFFER_S - 4) * 1000)
    assert choosing.lit() == dark | set(spaces)
    choosing.wait(2000)
    assert choosing.lit() == dark


def test_game_that_ends_while_screen_chooses_leaves_table_idle(choosing: Choosing) -> None:
    """The loop waited until a moment that had passed: it took all of a processor's time until the next such game."""
    choosing.offer(choices=choosing.spotted()[1])
    choosing.table.abandon()
    choosing.now += OFFER_S + 1
    choosing.table.tick()
    assert choosing.table.due() > choosing.now


def test_act_ends_offers_made_before(choosing: Choosing) -> None:
    unit, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    choosing.touch(spaces[0])
    choosing.defenders({"type": "spot", "unit": unit, "space": spaces[1]})
    assert not choosing.lit() & set(spaces[2:])
    assert choosing.picked() == []
    with pytest.raises(UserError, match="moved on"):
        choosing.table.offer(choosing.defenders_key, Offer("a screen", 1, choices=tuple(spaces)))


def test_phone_of_sniper_lights_nothing(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    frame, pictures = choosing.simulated.shown_at, choosing.sees("defenders")
    revision = choosing.sees("sniper")["revision"]
    with pytest.raises(UserError, match="only public choices") as caught:
        choosing.table.offer(choosing.sniper_key, Offer("a phone", revision, choices=tuple(spaces)))
    choosing.wait(3000)
    assert caught.value.code == "no-seat"
    assert (choosing.simulated.shown_at, choosing.sees("defenders")) == (frame, pictures)
    assert "picked" not in choosing.sees("sniper")
    assert "picked" not in choosing.sees(TABLE)


# --- picked -------------------------------------------------------------------------------------------------------


def test_wand_picks_space_for_asking_screen_without_acting(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.offer("one", choices=spaces[:1])
    choosing.offer("two", choices=spaces)
    before = game(choosing)
    choosing.touch(spaces[1])
    choosing.touch(spaces[0])
    assert (choosing.picked("two"), choosing.picked("one")) == ([spaces[1], spaces[0]], [])
    assert game(choosing) == before
    assert choosing.board["state"] == "agreed"


def test_wand_on_space_not_offered_picks_nothing(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.touch(spaces[0])
    choosing.offer(choices=spaces[:1])
    choosing.touch(spaces[1])
    assert choosing.picked() == []


def test_wand_left_on_space_picks_once_then_must_be_removed(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    choosing.put(WAND, spaces[0], 3000)
    assert choosing.picked() == [spaces[0]]
    assert choosing.board["hint"]["kind"] == "unknown-piece"
    choosing.lift(WAND)
    choosing.wait(1000)
    assert choosing.picked() == [spaces[0]]
    choosing.touch(spaces[0])
    first, second = choosing.sees("defenders")["picked"]
    assert (first["space"], second["space"]) == (spaces[0], spaces[0])
    assert first["number"] != second["number"]


def test_miniature_lifted_and_put_back_is_picked_unlike_moved_one(choosing: Choosing) -> None:
    home, other = choosing.space_of("red-1"), choosing.space_of("yellow-1")
    assert home is not None
    assert other is not None
    choosing.offer(units=[home, other])
    choosing.lift("red-1")
    choosing.put("red-1", home)
    assert choosing.picked() == [home]
    choosing.lift("red-1")
    choosing.lift("yellow-1")
    choosing.put("red-1", home)
    choosing.put("yellow-1", other)
    assert choosing.picked() == [home], "two at once are no answer"
    to = next(act["to"] for act in choosing.legal("defenders", "move") if act["unit"] == "yellow-1")
    choosing.lift("yellow-1")
    choosing.put("yellow-1", to)
    assert choosing.space_of("yellow-1") == to
    assert choosing.picked() == []


def test_unit_is_picked_on_all_screens_and_space_on_one(choosing: Choosing) -> None:
    home = choosing.space_of("red-1")
    assert home is not None
    for name in ("one", "two"):
        choosing.offer(name, units=[home])
    choosing.lift("red-1")
    choosing.put("red-1", home)
    assert choosing.picked("one") == choosing.picked("two") == [home]
    choosing.offer("one", choices=[home])
    choosing.lift("red-1")
    choosing.put("red-1", home)
    assert (choosing.picked("one"), choosing.picked("two")) == ([home] * 2, [home])


def test_answer_to_question_of_board_picks_nothing() -> None:
    question = Question("a2", (), Text("Which?"))
    asking = Picking().offered(Offer("a screen", 1, until=10.0, units=("a1",)))
    for hint, picked in ((question, []), (None, ["a1"])):
        known = asking.after(Outcome(left=("a1",), hint=hint)).after(Outcome(left=("a1",))).after(Outcome(agreed=True))
        assert [pick.space for pick in known.picked] == picked


# --- and deploying ------------------------------------------------------------------------------------------------


@pytest.fixture
def reserve(choosing: Choosing) -> tuple[str, str]:
    """Return a soldier off the board, and a space where it may come back."""
    assert choosing.space_of("red-1") is not None
    choosing.defenders({"type": "dismiss", "unit": "red-1"})
    choosing.lift("red-1")
    choosing.defenders({"type": "end-turn"})
    choosing.sniper({"type": "end-turn"})
    choosing.wait(1000)
    return "red-1", choosing.legal("defenders", "deploy")[0]["space"]


def test_wand_is_not_taken_for_piece_from_box_while_choosing(choosing: Choosing, reserve: tuple[str, str]) -> None:
    unit, space = reserve
    choosing.offer(choices=[space])
    choosing.touch(space, 500)
    assert choosing.picked() == [space]
    assert choosing.space_of(unit) is None


def test_piece_that_stays_on_offered_space_is_deployed(choosing: Choosing, reserve: tuple[str, str]) -> None:
    unit, space = reserve
    choosing.offer(choices=[space])
    choosing.put(unit, space, 1500)
    assert choosing.space_of(unit) == space


def test_deploying_is_not_delayed_without_offer(choosing: Choosing, reserve: tuple[str, str]) -> None:
    unit, space = reserve
    choosing.offer(choices=[choosing.spotted()[1][0]])
    choosing.put(unit, space, 310)
    assert choosing.space_of(unit) == space
