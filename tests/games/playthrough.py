"""Recorded games as readable text: who did what, and which events each viewer got.

A `.game` file starts with its settings (`game`, `map` if there is one, `seed`, `options`, one a line). Then it has a
line for each act: the seat, the action as the protocol writes it and, after `with`, the forced chance. The indented
lines below an act are its results, made by `python -m tests.games.remake`: the audience, the event, and its sentence,
or the rule that refused the act. Comments (lines that begin with #) and empty lines are kept.
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
"""Toy maps and the included maps."""
SETTINGS = ("game", "map", "seed", "options")


def files() -> list[Path]:
    """Return the files of all recorded games."""
    return sorted(HERE.rglob("*.game"))


def remade(text: str) -> str:
    """Return the text with the current results of its acts. An invalid line raises an error."""
    return "\n".join(replayed(text).lines) + "\n"


def replayed(text: str) -> Replay:
    """Return the replayed game of a text, after its last line. An invalid line raises an error."""
    lines = [line.rstrip() for line in text.splitlines() if not line.startswith(" ")]
    replay = Replay(dict(line.split(" ", 1) for line in lines if line.split(" ")[0] in SETTINGS))
    for line in lines:
        replay.lines += replay.results_of(line)
    return replay


class Replay:
    """A game replayed from its lines. `lines` contains them with their results."""

    def __init__(self, settings: dict[str, str]) -> None:
        self.lines: list[str] = []
        self.game = find(settings["game"])
        board = MAPS[settings["map"]]() if "map" in settings else None
        options = maps.options_on(self.game, board, json.loads(settings.get("options", "{}")))
        self.chance = Chance(Random(int(settings["seed"])))
        self.referee = Referee(self.game, self.game.blank(board, options))
        self.board, self.options = board, options

    def results_of(self, line: str) -> Iterator[str]:
        """Yield a line and its results."""
        yield line
        first = line.split(" ")[0]
        if first == "begin":
            self.chance.force(json.loads(line.partition(" with ")[2] or "[]"))
            telling = tuple(self.game.setup(self.board, self.options, self.chance))
            self.referee.tell(telling)
            yield from map(self.event_line, telling)
        elif first in seat_names(self.game.seats(self.options)):
            yield from self.act(first, line[len(first) + 1 :])

    def act(self, seat: str, words: str) -> Iterator[str]:
        """Yield the events of an act, or why it was refused."""
        action, _, forced = words.partition(" with ")
        self.chance.force(json.loads(forced or "[]"))
        try:
            telling = self.referee.submit(seat, self.game.read_command(seat, json.loads(action)), self.chance)
        except Refused as error:
            yield f"    refused by {error.rule}: {error.sentence}"
        else:
            yield from map(self.event_line, telling)

    def event_line(self, told: Told) -> str:
        """Return one event with its audience."""
        raw: dict[str, Any] = msgspec.to_builtins(told.event)
        kind = raw.pop("type")
        seats = told.audience.seats
        hearers = "all" if seats is None else ", ".join(seats) or "nobody"
        return f"    {hearers}: {kind} {json.dumps(raw)} {self.game.sentence(told.event)}"
