"""A bot that digs where the answer says most about the treasure's space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from games.treasure.board import distances
from games.treasure.words import SEEKERS, Dig, EndTurn, Roll, Walk

from engine.bots import Kind, best
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.plain import Picture


class Digger:
    """A seeker that uses only the picture of its seat."""

    def __init__(self, game: Game, seat: str, view: Picture) -> None:
        self._seat = seat

    def told(self, event: Event) -> None:
        """Do nothing: the picture contains everything."""

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Roll, walk to the space where digging is worth the most, and dig."""

        def worth(command: Command) -> float:
            match command:
                case Roll():
                    return 2.0
                case Walk(space):
                    return self._worth(view, space)
                case Dig():
                    return self._worth(view, view.at.pawns[self._seat])
                case EndTurn():
                    return -1.0
            raise AssertionError(f"no command of a seeker: {command}")

        return best(legal, worth, chance)

    def _worth(self, view: Picture, space: str) -> float:
        """Return the average share of possible spaces that digging excludes, plus 0.1 if the treasure can be here."""
        steps = distances(view.board, space)
        answers = Counter(steps[place] for place in view.at.possible)
        # Each answer leaves `count` spaces, and occurs with a probability in proportion to `count`.
        left = sum(count * count for count in answers.values()) / max(1, len(view.at.possible)) ** 2
        return 1 - left + (0.1 if space in view.at.possible else 0.0)


KIND = Kind(Digger, SEEKERS)
