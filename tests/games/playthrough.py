"""Recorded games as text: who did what, and what each was told of it, to be read as prose.

A `.game` file begins with its settings (`game`, `map` if there is one, `seed`, `options`, one a line) and then has a
line for each act: the seat, the action as the protocol writes it and, after `with`, the chance that is forced. Indented
below stands what followed, made by `python -m tests.games.remake`: the hearers, the event, and its sentence; or the
rule that refused.
Lines that begin with # and empty lines stay where they are.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused
from engine.seats import seat_names
from firmware_host.core import maps
from games import find
from tests.toys import grid, t1

HERE = Path(__file__).parent
MAPS: dict[str, Callable[[], Map]] = {
    "grid": grid,
    "t1": t1,
    "rough": lambda: grid(
        kinds={"d4": "enclosed", "d5": "enclosed", "b5": "water"},
        difficult=["c2", "d2", "e6"],
        doors=[("d4", "c4"), ("d5", "d6")],
    ),
    **{name: partial(maps.load, name) for name in maps.names()},
}
"""Toy maps, and the maps of the house."""
SETTINGS = ("game", "map", "seed", "options")


def files() -> list[Path]:
    """Every recorded game."""
    return sorted(HERE.rglob("*.game"))


def remade(text: str) -> str:
    """The text with what follows from its acts. Raises whatever a broken line makes."""
    return "\n".join(replayed(text).lines) + "\n"


def replayed(text: str) -> Replay:
    """The game of a text after its last line. Raises whatever a broken line makes."""
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith(" ")]
    replay = Replay(dict(line.split(" ", 1) for line in lines if line.split(" ")[0] in SETTINGS))
    for line in lines:
        replay.lines += replay.told_of(line)
    return replay


class Replay:
    """A game that is played from its lines; `lines` are those with what followed from them."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.lines: list[str] = []
        self.game = find(settings["game"])
        board = MAPS[settings["map"]]() if "map" in settings else None
        options = maps.options_on(self.game, board, json.loads(settings.get("options", "{}")))
        self.chance = Chance(Random(int(settings["seed"])))
        self.referee = Referee(self.game, self.game.blank(board, options))
        self.board, self.options = board, options

    def told_of(self, line: str) -> Iterator[str]:
        """A line, and below it what follows from it."""
        yield line
        first = line.split(" ")[0]
        if first == "begin":
            self.chance.force(json.loads(line.partition(" with ")[2] or "[]"))
            telling = tuple(self.game.setup(self.board, self.options, self.chance))
            self.referee.tell(telling)
            yield from map(self.told, telling)
        elif first in seat_names(self.game.seats(self.options)):
            yield from self.act(first, line[len(first) + 1 :])

    def act(self, seat: str, words: str) -> Iterator[str]:
        """What an act tells, or why it was refused."""
        action, _, forced = words.partition(" with ")
        self.chance.force(json.loads(forced or "[]"))
        try:
            telling = self.referee.submit(seat, self.game.read_command(seat, json.loads(action)), self.chance)
        except Refused as error:
            yield f"    refused by {error.rule}: {error.sentence}"
        else:
            yield from map(self.told, telling)

    def told(self, told: Told) -> str:
        """One event with its hearers."""
        raw: dict[str, Any] = msgspec.to_builtins(told.event)
        kind = raw.pop("type")
        seats = told.audience.seats
        hearers = "all" if seats is None else ", ".join(seats) or "nobody"
        return f"    {hearers}: {kind} {json.dumps(raw)} {self.game.sentence(told.event)}"
