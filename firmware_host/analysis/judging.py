"""Judges the acts of a finished game, one after another, with the bots that judge (`engine.bots.Advising`). Pure.

Each seat has its own bot, which is told what the seat was told. So an act is judged by what its seat knew then.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct

from engine.advice import Advice
from engine.bots import Foreseeing
from engine.chance import Chance
from engine.events import Told
from engine.game import TABLE, Command, Deduction, Game
from engine.graph import Map
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.core import bots
from firmware_host.core.capabilities import capabilities, deduced, is_note
from firmware_host.records import chain
from firmware_host.records.chain import ChainEntry, read_telling
from firmware_host.records.history import fold_and_drop, public_events
from firmware_host.records.record import Record

DEPTH: Final = 200
"""Lines of play for each act. It is a number instead of a time, so that every machine gets the same results."""
ALL_LINES, LEAST_DEPTH = 20_000, 40
"""Lines of play for a whole game: each act of a long game gets fewer lines, but at least the second number."""
PLACES: Final = 4
"""Number of decimal places of a chance."""


Probability = Annotated[float, Meta(ge=0, le=1)]
"""A chance, or the difference of two chances."""


class NoJudge(Exception):
    """No bot judges the acts of this game."""


class JudgedStep(Struct, frozen=True, omit_defaults=True, tag="step"):
    """One act of a finished game. The numbers of steps are those of its history; `turn` counts the turns of seats.

    `best` and `after` are the chances of the player's side after the best act and after the act that was `played`,
    based on what the seat knew; None if no bot can judge the act. `error` is the standard error of their difference.
    `truth` is the chance after the act, based on the truth. If another act was played, `advised` is the best act, or
    the bot's own choice if it can't judge; `line` is how the game could continue after it. `choice` is whether there
    was more than one act. `spaces` are the possible places of what is hidden after the act; `cut` has the public events
    of the act that reduced these places.
    """

    step: int
    seat: str
    turn: int
    played: Any
    best: Probability | None = None
    after: Probability | None = None
    error: Probability = 0.0
    truth: Probability | None = None
    advised: Any = None
    line: tuple[tuple[str, Any], ...] = ()
    choice: bool = False
    spaces: int | None = None
    cut: tuple[Any, ...] = ()


class Judging:
    """Judges a game from its record, on the map of the record. Raises `NoJudge`."""

    def __init__(self, record: Record, game: Game, board: Map | None, depth: int = DEPTH) -> None:
        options = game.read_options(record.options)
        self._game, self._seed = game, record.hash
        start, *acts = (one.entry for one in chain.acts_in_effect(record.entries))
        self.acts: list[ChainEntry] = acts
        self._depth = min(depth, max(LEAST_DEPTH, ALL_LINES // max(1, len(acts))))
        self._referee = Referee(game, game.blank(board, options))
        pictures = self._referee.pictures
        found = {seat.name: bots.judge_of(game, seat.name, pictures[seat.name]) for seat in game.seats(options)}
        self._judges = {seat: judge for seat, judge in found.items() if judge is not None}
        if not self._judges:
            raise NoJudge
        deducing = capabilities(game).deducing
        self._known: Deduction | None = None if deducing is None else deducing.deduction(pictures[TABLE])
        self._turn, self._last = 0, ""
        self._spaces: int | None = None
        self._tell(read_telling(game, start.telling))

    def steps(self, first: int = 0) -> Iterator[JudgedStep]:
        """Yield the judged steps of all acts. The `first` acts are played without being judged."""
        last, planned = None, False
        for number, entry in enumerate(self.acts):
            step, foreseen = self._step(number + 1, entry, judges=number >= first)
            if last is not None:
                yield _continued(last, step) if planned else last
            if number >= first:
                last, planned = step, foreseen
        if last is not None:
            yield last

    def _step(self, number: int, entry: ChainEntry, judges: bool) -> tuple[JudgedStep, bool]:
        """Return a judged step, and whether the seat foresaw the events that the act would cause."""
        seat, game, telling = entry.seat, self._game, read_telling(self._game, entry.telling)
        if seat != self._last:
            self._turn, self._last = self._turn + 1, seat
        chance, guesses = (Chance(Random(f"{self._seed}/{number}{part}")) for part in ("", "/guesses"))
        view, judge = self._referee.pictures[seat], self._judges.get(seat)
        command = game.check(view, seat, game.read_command(seat, entry.command))
        step = JudgedStep(number, seat, self._turn, entry.command)
        legal, before, foreseen = self._referee.legal(seat), self._spaces, False
        if judges and judge is not None and not is_note(game, telling):
            bots.set_budget(judge, Budget(self._depth))
            advice = judge.weigh(view, legal, command, chance)
            if advice.judged:
                step = _with_advice(step, advice, command, len(legal) > 1)
                told = [one.event for one in telling if one.audience.includes(seat)]
                foreseen = isinstance(judge, Foreseeing) and judge.foresaw(view, command, told, guesses)
            elif (choice := bots.unjudged_choice(judge, view, legal)) not in (None, command):
                step = msgspec.structs.replace(step, advised=msgspec.to_builtins(choice))
        self._tell(telling)
        if judge is not None and step.after is not None:
            truth = judge.appraise(self._referee.truth, chance)
            step = msgspec.structs.replace(step, truth=round(truth, PLACES))
        cut = before is not None and self._spaces is not None and self._spaces < before
        public = tuple(map(msgspec.to_builtins, public_events(telling)))
        return msgspec.structs.replace(step, spaces=self._spaces, cut=public if cut else ()), foreseen

    def _tell(self, telling: Sequence[Told]) -> None:
        referee = self._referee
        if self._known is not None:
            self._known, _ = deduced(self._game, self._known, referee.pictures[TABLE], public_events(telling))
        fold_and_drop(referee, telling)
        for seat, judge in self._judges.items():
            for told in telling:
                if told.audience.includes(seat):
                    judge.told(told.event)
        hiding = None if self._known is None or not referee.to_act else self._known
        # Before the first hidden piece is on the board, no space is possible.
        self._spaces = None if hiding is None else len(hiding.spaces(referee.pictures[TABLE])) or None


def _continued(step: JudgedStep, following: JudgedStep) -> JudgedStep:
    """Return a step whose chance is at least that of the seat's next act.

    This applies if the seat continues and learned nothing from the act: the next act was simulated from one act later,
    which is more exact.
    """
    if following.seat != step.seat or following.best is None or step.after is None or step.best is None:
        return step
    return msgspec.structs.replace(step, after=min(step.best, max(step.after, following.best)))


def _with_advice(step: JudgedStep, advice: Advice, played: Command, choice: bool) -> JudgedStep:
    best, its = advice.judged[0], advice.of(played)
    line = tuple((seat, msgspec.to_builtins(command)) for seat, command in best.line)
    other = None if best.command == played else msgspec.to_builtins(best.command)
    return msgspec.structs.replace(
        step,
        best=round(best.chance, PLACES),
        after=round(its.chance, PLACES),
        error=round(its.error, PLACES),
        advised=other,
        line=line,
        choice=choice,
    )
