"""Two seats choose in secret at the same time: neither can detect what the other has chosen."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Told, only
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from firmware_host.table.turns import TurnClock
from tests.firmware_host.published import latest
from tests.firmware_host.small_games import SEATS, Cards, CardsView, Laid, Mark, Marked
from tests.firmware_host.test_without_board import OTHER, SmallTable, at_table


class Noting(Cards):
    """A game in which both seats note any number of cards at any time."""

    name = "small-noting"

    def to_act(self, view: CardsView) -> tuple[str, ...]:
        return SEATS

    def legal(self, view: CardsView, seat: str) -> list[Command]:
        return [*map(Mark, view.hands.get(seat, ()))]

    def check(self, view: CardsView, seat: str, command: Any) -> Command:
        if seat not in self.to_act(view) or command not in self.legal(view, seat):
            raise Refused("card", Text("You cannot choose this card."))
        return command

    def decide(self, truth: CardsView, command: Any, chance: Chance) -> Iterable[Told]:
        seat = next(seat for seat in SEATS if command.card in truth.hands[seat])
        yield Told(Marked(seat, command.card), only(seat))


class Sealing(Noting):
    """Both seats choose a card; once both have, the cards are laid. Neither sees whether the other has chosen yet."""

    name = "small-sealing"

    def to_act(self, view: CardsView) -> tuple[str, ...]:
        """Return every seat that has not chosen, as far as the viewer knows."""
        return () if view.over else tuple(seat for seat in SEATS if seat not in view.marks)

    def decide(self, truth: CardsView, command: Any, chance: Chance) -> Iterable[Told]:
        (chosen,) = super().decide(truth, command, chance)
        yield chosen
        marks = {**truth.marks, chosen.event.seat: command.card}
        if len(marks) == len(SEATS):
            yield from (Told(Laid(seat, card), EVERYONE) for seat, card in marks.items())

    def fold(self, view: CardsView, event: Any) -> CardsView:
        marks = {seat: card for seat, card in view.marks.items() if seat != getattr(event, "seat", "")}
        return super().fold(replace(view, marks=marks), event)


@pytest.fixture(params=[Noting(), Sealing()], ids=lambda game: game.name)
def playing(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SmallTable]:
    """A game of two people with a turn clock."""
    for table in at_table(request.param, tmp_path):
        table.table.choices.choose({"turn_minutes": 5})
        table.table._turn_clock = TurnClock(table.clock)
        table.table.start({})
        table.wait(0)
        yield table


def notice(table: SmallTable, seat: str) -> list[Any]:
    """Return what all other seats can notice: their pictures with serial numbers, and the answers that wait for a
    delay.
    """
    viewers = (OTHER[seat], "table", "board")
    return [*(latest(table.table.followers, viewer) for viewer in viewers), table.table.snapshot.hiding]


@pytest.mark.parametrize("seat", SEATS)
def test_choice_of_another_seat_is_not_noticeable(playing: SmallTable, seat: str) -> None:
    before, clock = notice(playing, seat), playing.sees("table")["clock"]
    assert clock is not None
    playing.wait(5000)
    playing.act(seat, playing.sees(seat)["legal"][0])
    playing.wait(5000)
    assert notice(playing, seat) == before
    assert playing.sees(seat)["log"][-1]["type"] == "marked"


def test_choice_is_not_noticeable_after_own_choice(tmp_path: Path) -> None:
    for table in at_table(Noting(), tmp_path):
        table.table.start({})
        table.wait(0)
        table.act("north", table.sees("north")["legal"][0])
        before = notice(table, "south")
        table.act("south", table.sees("south")["legal"][0])
        assert notice(table, "south") == before
