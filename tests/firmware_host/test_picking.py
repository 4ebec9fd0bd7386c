"""Choosing on the board: what a screen asks for is lit, touched with a wand, and told to that screen alone."""

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
"""Milliseconds for which a hand touches a space."""


class Choosing(Evening):
    """An evening in the defenders' turn, with a screen on which somebody chooses."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.start()
        self.enter()
        self.sniper({"type": "end-turn"})

    def offer(self, name: str = "a screen", key: str = "", **spaces: Sequence[str]) -> None:
        """What that screen sends when it lets people choose: `units`, `choices`, `chosen`."""
        revision = self.sees("defenders")["revision"]
        offer = Offer(name, revision, **{kind: tuple(found) for kind, found in spaces.items()})  # type: ignore[arg-type]
        self.table.offer(key or self.defenders_key, offer)
        self.wait(0)

    def touch(self, space: str, milliseconds: float = TOUCH) -> None:
        """A wand comes to a space, and goes again."""
        self.put(WAND, space, milliseconds)
        self.lift(WAND)
        self.wait(1000)

    def picked(self, name: str = "a screen") -> list[str]:
        """What that screen was told."""
        return [pick["space"] for pick in self.sees("defenders")["picked"] if pick["offer"] == name]

    def spotted(self) -> tuple[str, list[str]]:
        """A unit, and the empty spaces that it can look at."""
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
    """All that the game is, as everybody sees it."""
    return evening.view(TABLE), evening.heard(TABLE)


# --- lit ---------------------------------------------------------------------------------------------------------


def test_what_a_screen_offers_is_lit_and_dark_again_when_it_asks_no_more(choosing: Choosing) -> None:
    dark = choosing.lit()
    _, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    assert choosing.lit() == dark | set(spaces)
    choosing.offer()
    assert choosing.lit() == dark


def test_choosable_and_chosen_look_different_and_units_are_calm(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    home = choosing.stands("red-1")
    assert home is not None
    choosing.offer(units=[home], choices=spaces[1:], chosen=spaces[:1])
    looks = [choosing.colours(space, 4000) for space in (spaces[0], spaces[1], home)]
    assert min(max(colour) for colour in looks[0]) > min(max(colour) for colour in looks[1])
    assert max(max(colour) for colour in looks[2]) < max(max(colour) for colour in looks[1])


def test_of_two_screens_the_one_that_asked_last_is_lit_and_then_the_other_again(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    dark = choosing.lit()
    choosing.offer("one", choices=spaces[:1])
    choosing.offer("two", choices=spaces[1:2])
    assert choosing.lit() == dark | {spaces[1]}
    choosing.offer("one", choices=spaces[:1])
    assert choosing.lit() == dark | {spaces[1]}, "to say the same again is not to ask anew"
    choosing.offer("two")
    assert choosing.lit() == dark | {spaces[0]}


def test_a_screen_that_falls_silent_is_forgotten(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    dark = choosing.lit()
    choosing.offer(choices=spaces)
    choosing.wait((OFFER_S - 4) * 1000)
    assert choosing.lit() == dark | set(spaces)
    choosing.wait(2000)
    assert choosing.lit() == dark


def test_what_was_asked_before_an_act_is_asked_no_more(choosing: Choosing) -> None:
    unit, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    choosing.touch(spaces[0])
    choosing.defenders({"type": "spot", "unit": unit, "space": spaces[1]})
    assert not choosing.lit() & set(spaces[2:])
    assert choosing.picked() == []
    with pytest.raises(UserError, match="moved on"):
        choosing.table.offer(choosing.defenders_key, Offer("a screen", 1, choices=tuple(spaces)))


def test_the_snipers_phone_lights_nothing(choosing: Choosing) -> None:
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


def test_a_space_that_does_not_exist_is_refused_and_lights_nothing(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    dark = choosing.lit()
    with pytest.raises(UserError, match="These spaces cannot be chosen: Z99"):
        choosing.offer(choices=[*spaces, "Z99"])
    assert choosing.lit() == dark


# --- picked ------------------------------------------------------------------------------------------------------


def test_a_wand_picks_a_space_for_the_screen_that_asked_and_nothing_is_done(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.offer("one", choices=spaces[:1])
    choosing.offer("two", choices=spaces)
    before = game(choosing)
    choosing.touch(spaces[1])
    choosing.touch(spaces[0])
    assert (choosing.picked("two"), choosing.picked("one")) == ([spaces[1], spaces[0]], [])
    assert game(choosing) == before
    assert choosing.board["state"] == "agreed"


def test_a_wand_touches_in_vain_what_nobody_asks_for(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.touch(spaces[0])
    choosing.offer(choices=spaces[:1])
    choosing.touch(spaces[1])
    assert choosing.picked() == []


def test_a_wand_that_stays_picks_once_and_is_to_be_taken_off(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    choosing.put(WAND, spaces[0], 3000)
    assert choosing.picked() == [spaces[0]]
    assert choosing.board["hint"]["kind"] == "unknown-piece"
    choosing.lift(WAND)
    choosing.wait(1000)
    assert choosing.picked() == [spaces[0]]
    choosing.touch(spaces[0])
    assert choosing.picked() == [spaces[0]] * 2


def test_the_same_space_twice_is_two_picks(choosing: Choosing) -> None:
    _, spaces = choosing.spotted()
    choosing.offer(choices=spaces)
    choosing.touch(spaces[0])
    choosing.touch(spaces[0])
    numbers = [pick["number"] for pick in choosing.sees("defenders")["picked"]]
    assert len(set(numbers)) == 2


def test_a_miniature_lifted_and_set_back_is_picked_and_one_that_moves_is_not(choosing: Choosing) -> None:
    home, other = choosing.stands("red-1"), choosing.stands("yellow-1")
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
    assert choosing.stands("yellow-1") == to
    assert choosing.picked() == []


def test_a_unit_is_chosen_on_every_screen_that_would_and_a_space_on_the_one_that_asks(choosing: Choosing) -> None:
    home = choosing.stands("red-1")
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


def test_who_answers_the_boards_question_picks_nothing() -> None:
    question = Question("a2", (), Text("Which?"))
    asking = Picking().offered(Offer("a screen", 1, 10.0, units=("a1",)))
    for hint, picked in ((question, []), (None, ["a1"])):
        known = asking.after(Outcome(left=("a1",), hint=hint)).after(Outcome(left=("a1",))).after(Outcome(agreed=True))
        assert [pick["space"] for pick in known.shown()] == picked


# --- beside what is deployed -------------------------------------------------------------------------------------


@pytest.fixture
def reserve(choosing: Choosing) -> tuple[str, str]:
    """A soldier off the board, and a space where it may come back."""
    assert choosing.stands("red-1") is not None
    choosing.defenders({"type": "dismiss", "unit": "red-1"})
    choosing.lift("red-1")
    choosing.defenders({"type": "end-turn"})
    choosing.sniper({"type": "end-turn"})
    choosing.wait(1000)
    return "red-1", choosing.legal("defenders", "deploy")[0]["space"]


def test_a_wand_is_no_miniature_out_of_the_box_where_somebody_chooses(
    choosing: Choosing, reserve: tuple[str, str]
) -> None:
    unit, space = reserve
    choosing.offer(choices=[space])
    choosing.touch(space, 500)
    assert choosing.picked() == [space]
    assert choosing.stands(unit) is None


def test_one_that_is_set_down_there_and_stays_is_deployed_all_the_same(
    choosing: Choosing, reserve: tuple[str, str]
) -> None:
    unit, space = reserve
    choosing.offer(choices=[space])
    choosing.put(unit, space, 1500)
    assert choosing.stands(unit) == space


def test_where_nobody_chooses_it_is_deployed_as_quickly_as_ever(choosing: Choosing, reserve: tuple[str, str]) -> None:
    unit, space = reserve
    choosing.offer(choices=[choosing.spotted()[1][0]])
    choosing.put(unit, space, 310)
    assert choosing.stands(unit) == space
