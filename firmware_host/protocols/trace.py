"""`sniperboard hw trace`: raw edges into a file, and back. The file is a `board-hands/1` trace, so that whatever speaks
that can replay it: a first line with map and position, then a line for each edge.

A position holds public facts only: a trace is sent to strangers. Whatever is secret is left out, and drawn anew by
whoever replays it; where somebody hides, the trace says no more than one of the spaces that everybody can reckon with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, TextIO

import msgspec

from engine.game import Deducing, PublicPositions
from firmware_host.play.game import TableGame
from firmware_host.play.possible import Possible
from firmware_host.protocols.lines import lines
from firmware_host.protocols.tracking import TrackingServer
from firmware_host.workshop.workbench import AWHILE, Typed, Workbench


def first_line(play: TableGame | None) -> dict[str, Any]:
    """What is written of the running game, where one is running on a map."""
    if play is None or play.board is None:
        return {"position": {}}
    options = msgspec.to_builtins(play.options)
    return {"game": play.game.name, "options": options, "position": public_position(play)}


def record(bench: Workbench, file: TextIO, about: Mapping[str, Any], say: Callable[[str], None]) -> int:
    """Write every raw edge until somebody types a line; returns how many. Each line is flushed: a crash loses none.

    `about` is what `first_line` has of the game.
    """
    file.write(json.dumps({"map": bench.board.slug, **about}) + "\n")
    began, count = bench.now, 0
    say("Recording. Return ends it.")
    while not isinstance(heard := bench.raw(bench.now + AWHILE), Typed):
        if heard is None:
            break
        sensors = bench.wiring.sensors
        space = sensors[heard.sensor] if heard.sensor < len(sensors) else None
        if space is not None:
            edge = {"t": round((heard.at - began) * 1000, 3), "space": space, "down": heard.down}
            file.write(json.dumps(edge) + "\n")
            file.flush()
            count += 1
    return count


def public_position(play: TableGame) -> Any:
    """The game as everybody at the table knows it, in the form that a position takes."""
    game, view = play.game, play.public
    if isinstance(game, PublicPositions):
        return game.public_position(view, _possible(play))
    return {name: value for name, value in game.state(view).items() if value is not None}


def _possible(play: TableGame) -> tuple[str, ...]:
    """Where those in hiding can be, where the game works that out."""
    if not isinstance(play.game, Deducing):
        return ()
    possible = Possible(play, play.game)
    possible.follow()
    return possible.spaces or ()


def replay(file: BinaryIO) -> Iterator[str]:
    """What the table makes of a trace, line by line."""
    server = TrackingServer()
    for line in lines(file):
        yield from (said.decode() for said in server.answer(b"" if line is None else line))
    yield from (said.decode() for said in server.end())
