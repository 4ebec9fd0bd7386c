"""Traces of `board-hands/1` on the toy grid, sent line by line, for tests."""

from __future__ import annotations

import json
from typing import Any

from engine.graph import Map
from firmware_host.core import maps
from firmware_host.protocols.tracking import TrackingServer
from tests.toys import grid

TOY = grid(kinds={"d4": "water"})
ALONE = {"red-1": "c4", "yellow-1": "f8"}
TWO = {"red-1": "c4", "yellow-1": "c5"}


def toys(name: str) -> Map:
    """Return the toy map for the name `toy`, and other maps as usual."""
    return TOY if name == "toy" else maps.load(name)


class Trace:
    """A trace that is sent line by line; `heard` is all output."""

    def __init__(self, units: dict[str, str] = ALONE, **first: Any) -> None:
        self.server = TrackingServer(toys)
        self.output: list[dict[str, Any]] = []
        position = {"turn": "defenders", "units": units, "sniper": {"space": "a8"}, **first.pop("position", {})}
        self.say({"map": "toy", "position": position, "seed": 1, "settings": {}, **first})

    def say(self, *lines: Any) -> Trace:
        """Send lines, decoded or raw."""
        for line in lines:
            raw = line if isinstance(line, bytes) else json.dumps(line).encode()
            self.output += [json.loads(answer) for answer in self.server.answer(raw)]
        return self

    def edge(self, t: float, space: str, down: bool) -> Trace:
        """Send a raw edge."""
        return self.say({"t": t, "space": space, "down": down})

    def lift(self, t: float, space: str) -> Trace:
        """Open a sensor."""
        return self.edge(t, space, False)

    def put(self, t: float, space: str) -> Trace:
        """Close a sensor."""
        return self.edge(t, space, True)

    def until(self, t: float) -> Trace:
        """Send the time."""
        return self.say({"t": t})

    def of(self, kind: str) -> list[tuple[float, Any]]:
        """Return all lines of a kind, as (t, value)."""
        return [(line["t"], line[kind]) for line in self.output if kind in line]

    @property
    def moves(self) -> list[tuple[float, str, str]]:
        """Return the acts of the output."""
        return [(t, act["action"]["unit"], act["action"]["to"]) for t, act in self.of("act")]

    @property
    def moved(self) -> list[tuple[str, str]]:
        """Return the acts of the output, without their times."""
        return [(unit, to) for _, unit, to in self.moves]

    @property
    def hint(self) -> dict[str, Any]:
        """Return the last hint."""
        hint: dict[str, Any] = self.of("hint")[-1][1]
        return hint

    @property
    def agreed(self) -> bool:
        """Return whether board and game agree now."""
        return bool(self.of("agreed")[-1][1])

    @property
    def error(self) -> dict[str, str]:
        """Return the last line, which is an error."""
        assert set(self.output[-1]) == {"error"}, self.output
        error: dict[str, str] = self.output[-1]["error"]
        assert set(error) == {"code", "message"}
        return error
