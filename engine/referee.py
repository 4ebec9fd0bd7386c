"""The referee: one picture for each viewer, and one way in. It knows no game by name.

A command is checked against the picture of the seat that gives it, so that a refusal can only depend on what that
seat was told; only a command that stands is decided on the truth.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.chance import Chance
from engine.events import Event, Told
from engine.game import REFEREE, Command, Game, Pictures


class Referee:
    """A running game: every viewer's picture and what each was told so far, numbered for that viewer from 0.

    `by_all` says of each of these, viewer by viewer, whether everybody was told of it.
    """

    def __init__(self, game: Game, pictures: Pictures) -> None:
        self.game = game
        self.pictures: dict[str, Any] = dict(pictures)
        self.told: dict[str, list[Event]] = {viewer: [] for viewer in self.pictures}
        self.by_all: dict[str, list[bool]] = {viewer: [] for viewer in self.pictures}

    @property
    def truth(self) -> Any:
        """The referee's own picture; never to be shown to anybody while the game runs."""
        return self.pictures[REFEREE]

    @property
    def to_act(self) -> tuple[str, ...]:
        """The seats that have a decision to make."""
        return self.game.to_act(self.truth)

    def legal(self, seat: str) -> list[Command]:
        """Everything that `seat` may do now."""
        return self.game.legal(self.pictures[seat], seat)

    def consider(self, seat: str, command: Command, chance: Chance) -> tuple[Told, ...]:
        """What would follow from the command; nothing is told yet. Raises `Refused`, and then chance is untouched."""
        checked = self.game.check(self.pictures[seat], seat, command)
        mark = chance.mark()
        try:
            return tuple(self.game.decide(self.truth, checked, chance))
        except BaseException:
            chance.rewind(mark)
            raise

    def tell(self, telling: Iterable[Told]) -> None:
        """Fold what happened into the picture of everybody who hears of it."""
        for told in telling:
            for viewer in self.pictures:
                if viewer == REFEREE or told.audience.includes(viewer):
                    self.pictures[viewer] = self.game.fold(self.pictures[viewer], told.event)
                    self.told[viewer].append(told.event)
                    self.by_all[viewer].append(told.audience.seats is None)

    def submit(self, seat: str, command: Command, chance: Chance) -> tuple[Told, ...]:
        """Check, decide and tell in one go. Raises `Refused`, and then nothing has changed."""
        telling = self.consider(seat, command, chance)
        self.tell(telling)
        return telling
