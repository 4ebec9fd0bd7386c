"""Where those in hiding can be, by what everybody was told: a hint that a table may play with. It holds no truth."""

from __future__ import annotations

from engine.game import TABLE, Cue, Deducing, Deduction
from engine.referee import Referee
from firmware_host.play import Play

CUE = "possible"


class Possible:
    """Follows the public events of one game. `spaces` is worked out once for every act that told everybody something;
    None once the game is over, for then all is on the table.
    """

    def __init__(self, play: Play, game: Deducing) -> None:
        self.spaces: tuple[str, ...] | None = None
        self._play = play
        self._game = game
        self._referee: Referee | None = None

    def follow(self) -> None:
        """Hear what everybody was told since the last time; from the start, if an act was taken back."""
        game, referee = self._play.game, self._play.referee
        if referee is not self._referee:
            self._referee, self._heard = referee, 0
            self._view = game.blank(self._play.board, self._play.options)[TABLE]
            self._known: Deduction = self._game.deduction(self._view)
        elif self._heard == len(referee.told[TABLE]):
            return
        for event in referee.told[TABLE][self._heard :]:
            self._known = self._known.after(self._view, event)
            self._view = game.fold(self._view, event)
        self._heard = len(referee.told[TABLE])
        self.spaces = self._known.spaces(self._view) if game.to_act(self._view) else None

    def cues(self) -> list[Cue]:
        """What the lamps show of it."""
        return [Cue(CUE, self.spaces)] if self.spaces else []
