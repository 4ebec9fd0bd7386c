"""`sniperboard hw trace`: raw edges into a file, and back. The file is a `board-hands/1` trace, so that whatever speaks
that can replay it: a first line with map and position, then a line for each edge.

A position holds public facts only: a trace is sent to strangers. Whatever only the sniper knows is left out, and drawn
anew by whoever replays it; where the sniper is, the trace says no more than one of the spaces that everybody can reckon
with.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from typing import Any, BinaryIO, TextIO

from engine.game import TABLE, Deducing
from engine.seats import secret
from firmware_host.lab.diagnostics.workbench import Typed, Workbench
from firmware_host.lab.protocols.hands import Mouth
from firmware_host.lab.protocols.lines import lines
from firmware_host.table.play import Play
from firmware_host.table.possible import Possible

AWHILE = 3600.0


def record(bench: Workbench, file: TextIO, position: Any, say: Callable[[str], None]) -> int:
    """Write every raw edge until somebody types a line; returns how many. Each line is flushed: a crash loses none."""
    file.write(json.dumps({"map": bench.board.slug, "position": position}) + "\n")
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


def public_position(play: Play) -> Any:
    """The game as everybody at the table knows it, in the form that a position takes."""
    game = play.game
    state = game.state(play.referee.pictures[TABLE])
    if isinstance(game, Deducing):
        possible = Possible(play, game)
        possible.follow()
        if possible.spaces and (state["round"] > 1 or state["turn"] not in secret(play.seats)):
            state["sniper"]["space"] = possible.spaces[0]
    state["sniper"] = _known(state["sniper"])
    return _known(state)


def _known(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is known of it."""
    return {name: value for name, value in state.items() if value is not None}


def replay(file: BinaryIO) -> Iterator[str]:
    """What the table makes of a trace, line by line."""
    mouth = Mouth()
    for line in lines(file):
        yield from (said.decode() for said in mouth.answer(b"" if line is None else line))
    yield from (said.decode() for said in mouth.end())
