"""The acts of a game that were not taken back, in order; and the acts that can still be taken back.

The last act can be taken back if it revealed nothing, then the one before it. Notes (`engine.game.Notes`) always stay.
The table and the check of a record use the same rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Told
from engine.game import TABLE, Command, Game
from engine.referee import Referee, RefereeMark
from engine.seats import Seat, secret_seats
from firmware_host.core.capabilities import capabilities, is_note
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry, read_telling


class PlayedAct(Struct, frozen=True):
    """An act with its events. `number` selects its chance, `index` is its place among the entries of the journal, and
    `note` is whether it only keeps a note.
    """

    seat: str
    command: Command
    telling: tuple[Told, ...]
    number: int
    index: int
    note: bool


Mark = tuple[int, RefereeMark]


class Course(Struct, frozen=True):
    """The `acts` after the set-up, and the number of `entries` that the game has in the journal."""

    acts: tuple[PlayedAct, ...] = ()
    marks: tuple[Mark, ...] = ()
    """For each act that can be taken back: its place in `acts`, and a mark of the game before it."""
    entries: int = 1
    gaps: tuple[int, ...] = ()
    """The numbers of acts that were taken back, which the next acts get."""

    @property
    def free_number(self) -> int:
        """The number of the next act: the lowest that no act has; the set-up has 0."""
        return min(self.gaps, default=len(self.acts) + 1)

    def after(self, referee: Referee, seat: str, command: Command, telling: tuple[Told, ...]) -> Course:
        """Let `referee` send the events of the next act, and return the course with that act."""
        number, note = self.free_number, is_note(referee.game, telling)
        act = PlayedAct(seat, command, telling, number, self.entries, note)
        marks, gaps = [*self.marks], tuple(gap for gap in self.gaps if gap != number)
        _tell(referee, act, len(self.acts), marks)
        return Course((*self.acts, act), tuple(marks), self.entries + 1, gaps)

    def retractable(self, referee: Referee, seats: Collection[Seat]) -> PlayedAct | None:
        """Return the last act that is not a note, if its seat may take it back: it revealed nothing.

        Return None while another seat may act in secret, because the end of the offer would reveal that it has acted.
        """
        retractable = capabilities(referee.game).retractable
        if retractable is None or not self.marks or not referee.to_act:
            return None
        last = self.acts[self.marks[-1][0]]
        hidden = secret_seats(seats) - {last.seat}
        if not hidden.isdisjoint(referee.game.to_act(referee.pictures[last.seat])):
            return None
        return last if retractable.retractable(referee.pictures[TABLE], last.telling) else None

    def taken_back(self, referee: Referee) -> tuple[Course, Referee, int | None]:
        """Return the course without the last act that can be taken back, a referee of the game as it is then, and the
        index of that act, or None if no other entry has followed it.
        """
        *marks, (at, before) = self.marks
        last, notes = self.acts[at], self.acts[at + 1 :]
        earlier = referee.before(before)
        for note in notes:
            earlier.tell(note.telling)
        named = None if last.index == self.entries - 1 else last.index
        gaps = (*self.gaps, last.number)
        return Course((*self.acts[:at], *notes), tuple(marks), self.entries + 1, gaps), earlier, named

    def fold_again(self, referee: Referee) -> Course:
        """Let a new `referee` send the events of all acts, and return the course with marks of that referee."""
        marks = list[Mark]()
        for place, act in enumerate(self.acts):
            _tell(referee, act, place, marks)
        return replace(self, marks=tuple(marks))


def _tell(referee: Referee, act: PlayedAct, place: int, marks: list[Mark]) -> None:
    """Let `referee` send the events of the act at this place, and update the marks of the acts before it."""
    if act.note:
        referee.tell(act.telling)
        return
    before, retractable = referee.mark(), capabilities(referee.game).retractable
    referee.tell(act.telling)
    if retractable is not None and retractable.retractable(referee.pictures[TABLE], act.telling):
        marks.append((place, before))
    else:  # an act that cannot be taken back also keeps the acts before it
        marks.clear()


def read_course(game: Game, entries: Sequence[ChainEntry]) -> Course:
    """Return the course of a game in the journal, without marks."""
    acts = []
    for standing in chain.acts_in_effect(entries)[1:]:
        entry, telling = standing.entry, read_telling(game, standing.entry.telling)
        command = game.read_command(entry.seat, entry.command)
        acts.append(PlayedAct(entry.seat, command, telling, standing.number, standing.index, is_note(game, telling)))
    numbers = {act.number for act in acts}
    gaps = {*range(1, max(numbers, default=0))} - numbers
    return Course(tuple(acts), entries=len(entries), gaps=tuple(gaps))
