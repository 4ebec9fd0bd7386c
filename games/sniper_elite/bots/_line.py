"""One simulated continuation of a game: a truth, the public information, and moves for both sides.

As at a real table, the defenders act only on public information, and the sniper on its own picture.
"""

from __future__ import annotations

from engine.chance import Chance
from engine.events import Told
from engine.game import Command, Game
from engine.search import line
from games.sniper_elite.bots._belief import Guess
from games.sniper_elite.bots._guard_turn import Style as GuardStyle
from games.sniper_elite.bots._guard_turn import Turn as GuardTurn
from games.sniper_elite.bots._guard_turn import decision
from games.sniper_elite.bots._sneak_turn import Style as SneakStyle
from games.sniper_elite.bots._sneak_turn import Turn as SneakTurn
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import DEFENDERS, SNIPER

GUARDED, SNEAKED = GuardStyle(), SneakStyle()


class Line(line.Line):
    """One possible continuation. `truth` is the sniper's picture. The other fields use public events only."""

    __slots__ = ("guess", "known", "public")

    truth: Picture

    def __init__(
        self, game: Game, truth: Picture, public: Picture, known: Whereabouts, guess: Guess, chance: Chance
    ) -> None:
        super().__init__(game, truth, chance)
        self.public, self.known, self.guess = public, known, guess

    def apply(self, told: Told) -> None:
        """Apply an event. The sniper receives all of them; only public events update the public information."""
        super().apply(told)
        # No list of seats means that the event is public.
        if told.audience.seats is None:
            before = self.public
            self.public = self.game.fold(before, told.event)
            self.known = self.known.after(before, told.event)
            self.guess = self.guess.after(before, told.event, self.known, self.public)

    def next_command(self, seat: str) -> Command:
        """Return the next command of the given side."""
        return self.sniper_command() if seat == SNIPER else self.defenders_command()

    def defenders_command(self) -> Command:
        """Return the defenders' command."""
        if self.public.pending is not None:
            return decision(self.game.legal(self.public, DEFENDERS), self.chance)
        return GuardTurn(self.public, self.known, self.guess.belief(self.known, self.public), GUARDED).best()

    def sniper_command(self) -> Command:
        """Return the sniper's command."""
        legal = self.game.legal(self.truth, SNIPER)
        return SneakTurn(self.truth, self.known, self.guess, legal, SNEAKED).best()
