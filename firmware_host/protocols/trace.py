"""`sniperboard hw trace`: record raw edges to a file. `tracking.py` replays them.

The file is a `board-hands/1` trace: a first line with map and position, then a line for each edge.

Traces may be sent to strangers, so the position contains public facts only. Secrets are left out and drawn again at
replay. For a hidden player, the position names one of the spaces that are possible for all players.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, TextIO

import msgspec

from engine.game import Deducing, PublicPositions
from firmware_host.play.game import TableGame
from firmware_host.play.possible import Possible
from firmware_host.workshop.workbench import LONGEST_S, Typed, Workbench
from hardware.ports import Edge


def first_line(play: TableGame | None) -> dict[str, Any]:
    """Return the facts of the running game for the first line."""
    if play is None or play.board is None:
        return {"position": {}}
    options = msgspec.to_builtins(play.options)
    return {"game": play.game.name, "options": options, "position": public_position(play)}


def record(workbench: Workbench, file: TextIO, about: Mapping[str, Any], say: Callable[[str], None]) -> int:
    """Write every raw edge until a line is typed. Return how many were written.

    `about` is the result of `first_line`. Each line is flushed, so that a crash loses none.
    """
    file.write(json.dumps({"map": workbench.board.slug, **about}) + "\n")
    began, count = workbench.now, 0
    say("Recording. Return ends it.")
    while (event := workbench.next(workbench.runner.clock() + LONGEST_S)) is not None and not isinstance(event, Typed):
        if not isinstance(event, Edge):
            continue
        space = workbench.wiring.space_over(event.sensor)
        if space is not None:
            edge = {"t": round((event.at - began) * 1000, 3), "space": space, "down": event.down}
            file.write(json.dumps(edge) + "\n")
            file.flush()
            count += 1
    return count


def public_position(play: TableGame) -> Any:
    """Return the public picture of a game as a position."""
    game, view = play.game, play.public
    if isinstance(game, PublicPositions):
        spaces: tuple[str, ...] = ()
        if isinstance(game, Deducing):  # the spaces where hidden players can be
            possible = Possible(play, game)
            possible.follow()
            spaces = possible.spaces or ()
        return game.public_position(view, spaces)
    return {name: value for name, value in game.state(view).items() if value is not None}
