"""Recorded games as readable text: who did what, and which events each viewer got.

A `.game` file starts with its settings (`game`, `map` if there is one, `seed`, `options`, one a line). Then it has a
line for each act: the seat, the action as the protocol writes it and, after `with`, the forced chance. The indented
lines below an act are its results, made by `sniperboard game remake`: the audience, the event, and its sentence,
or the rule that refused the act. Comments (lines that begin with #) and empty lines are kept. The line `play` is
replaced by the acts of a random game up to its end.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.graph.fault import MapError
from engine.referee import Referee
from engine.refusal import Refused, RuleError
from engine.seats import seat_names
from firmware_host.core import maps
from firmware_host.core.errors import place_of
from firmware_host.core.strict import NotUtf8, text_of
from games import find
from lab.authoring.place import replace_text
from lab.authoring.play import LONGEST_GAME, random_command

SETTINGS = ("game", "map", "seed", "options")
NEEDED = {"game": "game lost-city", "seed": "seed 1"}
"""Settings that every file has, with an example."""
PLAY = "play"


Load = Callable[[str], Map]
"""Finds the map of a name."""


class Unreadable(Exception):
    """A recorded game cannot be replayed; the message contains the line and the reason."""


def files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.game"))


def read(file: Path) -> str:
    """Return the text of a file, whatever its line ends. Raises `Unreadable`."""
    try:
        return "".join(f"{line}\n" for line in text_of(file.read_bytes()).splitlines())
    except NotUtf8 as error:
        raise Unreadable(f"it is {error}.") from error


def remake(file: Path, load: Load = maps.load) -> bool:
    """Update the results in a file; return whether they have changed. Raises `Unreadable`."""
    text = read(file)
    new = remade(text, load)
    if new != text:
        replace_text(file, new)
    return new != text


def remade(text: str, load: Load = maps.load) -> str:
    """Return the text with the current results of its acts. Raises `Unreadable`."""
    return "\n".join(replayed(text, load).lines) + "\n"


def replayed(text: str, load: Load = maps.load) -> Replay:
    """Return the replayed game of a text, after its last line. Raises `Unreadable`."""
    lines = [(number, line.rstrip()) for number, line in enumerate(text.splitlines(), 1) if not line.startswith(" ")]
    settings = dict(line.split(" ", 1) for _, line in lines if line.split(" ")[0] in SETTINGS and " " in line)
    if missing := [name for name in NEEDED if name not in settings]:
        raise Unreadable(f"it has no line that begins with {missing[0]}. Add it, for example: {NEEDED[missing[0]]}.")
    at = 1
    try:
        replay = Replay(settings, load)
        for at, line in lines:  # noqa: B007  # named in the message
            replay.lines += replay.results_of(line)
    except (RuleError, MapError, ValueError) as error:
        raise Unreadable(f"line {at}: {error}") from error
    except Exception as error:  # an unfinished game may raise anything
        raise Unreadable(f"line {at}: {place_of(error)}: {error}") from error
    return replay


class Replay:
    """A game replayed from its lines. `lines` contains them with their results."""

    def __init__(self, settings: dict[str, str], load: Load) -> None:
        self.lines: list[str] = []
        self.started = False
        self.game = find(settings["game"])
        board = load(settings["map"]) if "map" in settings else None
        options = maps.options_on(self.game, board, json.loads(settings.get("options", "{}")))
        self.chance = Chance(Random(int(settings["seed"])))
        self.referee = Referee(self.game, self.game.blank(board, options))
        self.board, self.options = board, options

    def results_of(self, line: str) -> Iterator[str]:
        first = line.split(" ")[0]
        seats = seat_names(self.game.seats(self.options))
        if first in (PLAY, *seats) and not self.started:
            raise ValueError("the game hasn't started. Write the line begin before the first act.")
        if line == PLAY:
            yield from self.played()
            return
        yield line
        if first == "begin":
            self.started = True
            self.chance.force(json.loads(line.partition(" with ")[2] or "[]"))
            telling = tuple(self.game.setup(self.board, self.options, self.chance))
            self.referee.tell(telling)
            yield from map(self.event_line, telling)
        elif first in seats:
            yield from self.act(first, line[len(first) + 1 :])
        elif first and first not in SETTINGS and not first.startswith("#"):
            raise ValueError(f"it begins with {first!r}, which is no seat of this game. A comment begins with #.")

    def played(self) -> Iterator[str]:
        """Yield the lines of random acts up to the end of the game."""
        random = Random(0)
        for _ in range(LONGEST_GAME):
            if not (waiting := self.referee.to_act):
                break
            seat = random.choice(waiting)
            action = json.dumps(msgspec.to_builtins(random_command(self.referee, seat, random)))
            yield f"{seat} {action}"
            yield from self.act(seat, action)

    def act(self, seat: str, words: str) -> Iterator[str]:
        action, _, forced = words.partition(" with ")
        self.chance.force(json.loads(forced or "[]"))
        try:
            telling = self.referee.submit(seat, self.game.read_command(seat, json.loads(action)), self.chance)
        except Refused as error:
            yield f"    refused by {error.rule}: {error.sentence}"
        else:
            yield from map(self.event_line, telling)

    def event_line(self, told: Told) -> str:
        raw: dict[str, Any] = msgspec.to_builtins(told.event)
        kind = raw.pop("type")
        seats = told.audience.seats
        hearers = "all" if seats is None else ", ".join(seats) or "nobody"
        return f"    {hearers}: {kind} {json.dumps(raw)} {self.game.sentence(told.event)}"
