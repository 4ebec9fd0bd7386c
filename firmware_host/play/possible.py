"""The spaces where hidden pieces can be, as everyone could deduce; a hint that a game can be played with.

It uses only public events.
"""

from __future__ import annotations

from typing import Any

from engine.events import Event
from engine.game import TABLE, BadResult, Cue, Deducing, Deduction
from firmware_host.core.capabilities import deduced
from firmware_host.play.game import TableGame

CUE = "possible"


class Possible:
    """Follows the public events of one game. `spaces` is updated after each act with a public event; None once the game
    is over, because then everything is public.
    """

    def __init__(self, play: TableGame, game: Deducing) -> None:
        self.spaces: tuple[str, ...] | None = None
        self.view: Any = None
        """The public picture, folded as far as `follow` has come."""
        self._play = play
        self._game = game
        self._heard: list[Event] | None = None

    def follow(self) -> None:
        """Follow the new public events; start again if an act with a public event was taken back. An act without one
        causes no work here, because its time could be measured.
        """
        game, events = self._play.game, self._play.referee.told[TABLE]
        if events == self._heard:
            return
        before, self._heard = self._heard, None  # reset first, so that an error below leaves no inconsistent state
        if before is None or events[: len(before)] != before:
            before = []
            self.view = game.blank(self._play.board, self._play.options)[TABLE]
            self._known: Deduction = self._game.deduction(self.view)
        self._known, self.view = deduced(game, self._known, self.view, events[len(before) :])
        spaces = tuple(self._known.spaces(self.view)) if game.to_act(self.view) else None
        # The lamps and the screens can only show spaces of the map.
        if self._play.board is None or not self._play.board.spaces.keys() >= {*(spaces or ())}:
            raise BadResult
        self._heard, self.spaces = list(events), spaces

    def cues(self) -> list[Cue]:
        """Return the cues for the lamps."""
        return [Cue(CUE, self.spaces)] if self.spaces else []
