"""How bots sneak to their objectives: each act is weighed against what the defenders will believe then
(`_sneak_turn.py`).

A `Style` says how well a level does that.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.bots import Kind, Level, slipping
from engine.chance import Chance
from engine.game import Command, Game
from games.sniper_elite.bots._following import Follower
from games.sniper_elite.bots._sneak_turn import LEAST, Style, Turn
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SNIPER

END = c.EndSniperTurn()


class Sneak(Follower):
    """A sniper's seat. It keeps what the defenders can know and will believe."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        super().__init__(game, view, open_minded=not style.deduces)
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """What is worth the most; the end of the turn where nothing is worth anything."""
        turn = Turn(view, self._known, self._guess, legal, self._style)
        return slipping(legal, turn.worth, END if END in legal else None, chance, self._style.slips, LEAST)


def sneak_kind(level: Level, style: Style) -> Kind:
    """Return the kind of bot that sneaks like this."""
    return Kind(lambda game, seat, view: Sneak(game, view, style), (SNIPER,), level)
