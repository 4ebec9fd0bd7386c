"""Plays anything at random: every kind of act is as likely as any other, however many ways there are to do it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.bots import Bot, Kind
from engine.chance import Chance
from engine.game import Command, Game


class RandomBot(Bot):
    """A bot without memory. Types of act are equally likely, however many acts of each there are."""

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
