"""Piece tracking on a small board, for tests: lift, put, and the game answers. No sensors, no web, no waiting.

The board is the toy grid; the game is the real one, in the defenders' turn. Times are milliseconds since the start.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.game import TABLE
from engine.graph import Map
from engine.referee import Referee
from firmware_host.board.thresholds import Timing
from firmware_host.board.tracking.facts import Facts, public_facts
from firmware_host.board.tracking.hints import Correction, Hint, Outcome, SettledEdge
from firmware_host.board.tracking.tracker import PieceTracker
from games.sniper_elite.game import GAME
from tests.toys import grid

ALONE = {"red-1": "c4", "yellow-1": "f8"}
"""One soldier in the middle of the board and another far away."""


class Handling:
    """Miniatures on the toy grid, and what piece tracking made of each touch."""

    def __init__(
        self,
        units: Mapping[str, str] = ALONE,
        *,
        board: Map | None = None,
        timing: Timing | None = None,
        occupied: Mapping[str, str] | None = None,
        blind: Collection[str] = (),
        **position: Any,
    ) -> None:
        """`units` are where the game has them; `occupied`, if given, is what is really on the board.

        The sensors of `blind` spaces do not count.
        """
        self.board = board or grid()
        self.blind = frozenset(blind)
        self.chance = Chance(Random(7))
        raw = {"turn": "defenders", "units": dict(units), "sniper": {"space": "a8"}, **position}
        options = GAME.read_options({})
        self.referee = Referee(GAME, GAME.position(self.board, options, raw, self.chance))
        self.hands = PieceTracker(timing or Timing())
        self.now = 0
        self.acts: list[tuple[int, str, str]] = []
        self.hints: list[Hint] = []
        self.outcome = Outcome()
        self.down: dict[str, int] = {}
        self._known: tuple[Any, Facts] | None = None
        self._pending: list[SettledEdge] = []
        for space in sorted(set((units if occupied is None else occupied).values())):
            self._touch(space, True)
        self.wait(1000)

    @property
    def facts(self) -> Facts:
        """Return the current public facts."""
        view = self.referee.pictures[TABLE]
        if self._known is None or self._known[0] is not view:
            self._known = view, public_facts(GAME, view, self.board, self.blind)
        return self._known[1]

    @property
    def where(self) -> Mapping[str, str | None]:
        """Return where the game has the miniatures."""
        return GAME.standing(self.referee.pictures[TABLE])

    @property
    def moved(self) -> list[tuple[str, str]]:
        """Return the acts that were made, without their times."""
        return [(unit, to) for _, unit, to in self.acts]

    @property
    def hint(self) -> Any:
        """Return the current hint."""
        return self.outcome.hint

    @property
    def correction(self) -> tuple[str | None, str, str]:
        """Return the start, goal and unit of the carry that the current hint asks for."""
        assert isinstance(self.hint, Correction), self.hint
        return self.hint.start, self.hint.to, self.hint.unit

    # --- what people do -----------------------------------------------------------------------------------------

    def lift(self, *spaces: str) -> Handling:
        """Lift what is on these spaces, now."""
        for space in spaces:
            self._touch(space, False)
        return self._settle()

    def put(self, *spaces: str) -> Handling:
        """Put something on these spaces, now."""
        for space in spaces:
            self._touch(space, True)
        return self._settle()

    def wait(self, ms: int) -> Handling:
        """Move the clock; everything that falls due is done at its own time."""
        end = self.now + ms
        self._settle()
        while self.outcome.due is not None and (due := round(self.outcome.due * 1000)) <= end:
            self.now = max(self.now, due)
            self._settle()
        self.now = end
        return self._settle()

    def carry(self, start: str, goal: str, ms: int = 500) -> Handling:
        """Lift, carry for a while, put down, and wait."""
        return self.lift(start).wait(ms).put(goal).wait(1000)

    def pick(self, space: str) -> Handling:
        """Tap a space on a screen."""
        self.hands, outcome = self.hands.pick(self.facts, space, self.now / 1000)
        return self._apply(outcome)

    def tidy(self) -> Handling:
        """Put everything where the game has it, one piece after another."""
        while (wanted := {space for space in self.where.values() if space is not None}) != self.down.keys():
            extra, missing = sorted(self.down.keys() - wanted), sorted(wanted - self.down.keys())
            touched = self.lift(extra[0]) if extra else self.put(missing[0])
            touched.wait(300)
        return self.wait(1000)

    def acts_on_screen(self, action: dict[str, Any], seat: str = "defenders") -> Handling:
        """Make an act without touching the board."""
        self.referee.submit(seat, GAME.read_command(seat, action), self.chance)
        return self._settle()

    # --- the work of the shell ------------------------------------------------------------------------------------

    def _touch(self, space: str, down: bool) -> None:
        if down:
            self.down.setdefault(space, self.now)
        else:
            self.down.pop(space, None)
        self._pending.append(SettledEdge(space, down, self.now / 1000))

    def _settle(self) -> Handling:
        felt, self._pending = self._pending, []
        self.hands, outcome = self.hands.feed(self.facts, felt, self.now / 1000)
        return self._apply(outcome)

    def _apply(self, outcome: Outcome) -> Handling:
        self.outcome = outcome
        if outcome.hint is not None and self.hints[-1:] != [outcome.hint]:
            self.hints.append(outcome.hint)
        if outcome.act is None:
            return self
        assert outcome.act in self.facts.placements, f"{outcome.act} is not legal"
        assert self.now - self.down[outcome.act.to] >= round(self.hands.timing.rest * 1000), (
            f"{outcome.act} is not held at rest"
        )
        self.acts.append((self.now, outcome.act.unit, outcome.act.to))
        assert len(self.acts) < 50, "the same act over and over"
        self.referee.submit("defenders", outcome.act.command, self.chance)
        return self._settle()


def spoken(hint: Hint | None) -> Any:
    """Return a hint as `board-hands/1` writes it."""
    return msgspec.to_builtins(hint, enc_hook=str)
