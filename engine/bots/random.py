"""Plays anything at random: every kind of act is as likely as any other, however many ways there are to do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.bots import Kind
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game


class RandomBot:
    """Remembers nothing."""

    def __init__(self, game: Game, seat: str, view: Any) -> None:
        pass

    def told(self, event: Event) -> None:
        """Makes nothing of it."""

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """Any kind of act, and then any of that kind."""
        kinds: dict[type[Command], list[Command]] = {}
        for command in legal:
            kinds.setdefault(type(command), []).append(command)
        ways = kinds[chance.order("kind", list(kinds), "random")[0]]
        found: Command = ways[chance.order("way", range(len(ways)), "random")[0]]
        return found


KIND = Kind(RandomBot)
