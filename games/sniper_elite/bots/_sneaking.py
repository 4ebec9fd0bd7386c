"""How bots sneak to their objectives: each act is weighed against what the defenders can know then (`_sneak_turn.py`).

A `Style` says how well a level does that.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import slipping
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._sneak_turn import LEAST, Style, Turn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts

END = c.EndSniperTurn()


class Sneak:
    """A sniper's seat. It keeps what the defenders can know, which is a part of what it was told itself."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        self._game, self._view, self._style = game, view, style
        self._known = Whereabouts.begin(view)
        self._guess = Guess([1.0] * self._known.ground.size)

    def told(self, event: Event) -> None:
        """Follow what the table hears."""
        before, self._known = self._view, self._known.after(self._view, event)
        self._view = self._game.fold(before, event)
        self._guess = self._guess.after(before, event, self._known, self._view)

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """What is worth the most; the end of the turn where nothing is worth anything."""
        turn = Turn(view, self._known, self._guess, legal, self._style)
        return slipping(legal, turn.worth, END if END in legal else None, chance, self._style.slips, LEAST)
