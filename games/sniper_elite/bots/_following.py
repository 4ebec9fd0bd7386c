"""Shared code of both sides' bots: track where the sniper can be, from public events."""

from __future__ import annotations

from msgspec.structs import replace

from engine.events import Event
from engine.game import Game
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.rules import ghost
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts


class Follower:
    """A seat. `_view` is its own picture. `_known` and `_guess` use public events only."""

    def __init__(self, game: Game, view: Picture, *, open_minded: bool = False) -> None:
        self._game, self._view = game, view
        self._known = Whereabouts.begin(in_public(view))
        self._guess = Guess([1.0] * self._known.ground.size, open_minded=open_minded)

    def told(self, event: Event) -> None:
        """Update the picture, the possible spaces and the estimate."""
        before, self._view = in_public(self._view), self._game.fold(self._view, event)
        self._known = self._known.after(before, event)
        self._guess = self._guess.after(before, event, self._known, in_public(self._view))


def in_public(view: Picture) -> Picture:
    """Return the public part of the sniper's picture. Any other picture is already public."""
    return view if view.dossier is None else ghost.as_unknown(replace(view, dossier=None))
