"""The acts of a game that were not taken back, in order, and which of them can be.

The last act can be taken back if it revealed nothing, then the one before it. Notes (`engine.game.Notes`) always stay.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Told
from engine.game import TABLE, Command, Game
from engine.referee import Mark, Referee
from firmware_host.core.capabilities import capabilities, is_note
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry
from firmware_host.records.telling import read_telling


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


class Course(Struct, frozen=True):
    """The `acts` after the set-up, and the number of `entries` that the game has in the journal."""

    acts: tuple[PlayedAct, ...] = ()
    marks: tuple[tuple[int, Mark], ...] = ()
    """The place in `acts` of each act that can be taken back, one after another, and the game before it."""
    entries: int = 1
    gaps: tuple[int, ...] = ()
    """The numbers of acts that were taken back, for the next ones."""

    @property
    def free_number(self) -> int:
        """The number of the next act: the lowest that no act has; the set-up has 0."""
        return min(self.gaps, default=len(self.acts) + 1)

    def notes(self, seat: str) -> int:
        """Return how many notes a seat has made."""
        return sum(act.note and act.seat == seat for act in self.acts)

    def after(self, act: PlayedAct, referee: Referee) -> Course:
        """Let `referee` tell an act, and return the course with it. An act that stays keeps all before it."""
        before = referee.mark()
        referee.tell(act.telling)
        marks, retractable = self.marks, capabilities(referee.game).retractable
        if not act.note:
            goes = retractable is not None and retractable.retractable(referee.pictures[TABLE], act.telling)
            marks = (*marks, (len(self.acts), before)) if goes else ()
        gaps = tuple(number for number in self.gaps if number != act.number)
        return Course((*self.acts, act), marks, self.entries + 1, gaps)

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

    def folded_again(self, referee: Referee) -> Course:
        """Let a new `referee` tell all acts, and return the course with marks of that one."""
        course = Course()
        for act in self.acts:
            course = course.after(act, referee)
        return replace(course, entries=self.entries, gaps=self.gaps)


def read_course(game: Game, entries: Sequence[ChainEntry]) -> Course:
    """Return the course of a game in the journal, without marks."""
    acts = []
    for index, number, entry in (
        (standing.index, standing.number, standing.entry) for standing in chain.acts_in_effect(entries)[1:]
    ):
        telling = read_telling(game, entry.telling)
        command = game.read_command(entry.seat, entry.command)
        acts.append(PlayedAct(entry.seat, command, telling, number, index, is_note(game, telling)))
    numbers = {act.number for act in acts}
    gaps = {*range(1, max(numbers, default=0))} - numbers
    return Course(tuple(acts), entries=len(entries), gaps=tuple(gaps))
