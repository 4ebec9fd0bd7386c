"""Plays at random: first chooses a kind of act, then one of the acts of that kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.bots import Bot, Kind
from engine.chance import Chance
from engine.game import Command, Game


class RandomBot(Bot):
    """A bot without memory. It chooses each type of act equally often, however many acts of that type there are."""

    def __init__(self, game: Game, seat: str, view: Any) -> None:
        pass

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """Return a random act of a random type."""
        kinds: dict[type[Command], list[Command]] = {}
        for command in legal:
            kinds.setdefault(type(command), []).append(command)
        acts = kinds[chance.order("kind", list(kinds), "random")[0]]
        choice: Command = acts[chance.order("way", range(len(acts)), "random")[0]]
        return choice


KIND = Kind(RandomBot)
