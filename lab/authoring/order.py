"""Find results that differ each time Python starts, for example because they depend on the order of a set.

Boards are made and a random game is played here, and again in processes with other hash seeds. A restarted table, a
lesson and a recorded game need the same boards, menus and events.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

import msgspec

import games
from engine.game import Game
from firmware_host.core.capabilities import capabilities
from lab.authoring.contract import own_randomness
from lab.authoring.play import RandomGame, Sample, first_board, tag
from lab.authoring.texts import nodes

ACTS: Final = 80
"""Number of acts of the game."""
AGAIN: Final = (
    "import sys, games; games.__path__[:] = sys.argv[2:]; "
    "from lab.authoring import order; order.print_game(sys.argv[1])"
)  # fmt: skip
OF_A_SET: Final = "depends on the order of a set, which is another each time Python starts. Use sorted()."
OF_CHANCE: Final = "is another each time. Draw with `chance` only, in make_map() with Random(0)"
PROCESSES = 5
"""Number of other processes, each with another hash seed. In some of them, two texts can happen to have the same
order."""
Made = tuple[str, str]
"""A value that the game has created, and its digest."""


def same_in_each_process(sample: Sample) -> Iterator[str]:
    name, cause = sample.game.name, own_randomness(sample.game)
    if not (cause or _has_sets(name)):
        return
    known = [place for place in sys.path if place]
    own = [*_made(sample.game)]
    # The order of a small set is often the same in two processes.
    for seed in range(1, PROCESSES + 1):
        done = subprocess.run(
            [sys.executable, "-P", "-c", AGAIN, name, *games.__path__],
            env={**os.environ, "PYTHONHASHSEED": f"{seed}", "PYTHONPATH": os.pathsep.join(known)},
            capture_output=True,
            check=True,
            timeout=120,
        )
        other = msgspec.json.decode(done.stdout, type=list[Made])
        for (what, made), (_, again) in zip(own, other, strict=False):
            if made != again:
                yield f"{what} {OF_CHANCE}{cause}." if cause else f"{what} {OF_A_SET}"
                return


def print_game(name: str) -> None:
    """Print what a game makes in this process, as JSON."""
    sys.stdout.buffer.write(msgspec.json.encode([*_made(games.find(name))]))


def _made(game: Game) -> Iterator[Made]:
    if (maker := capabilities(game).makes_maps) is not None:
        for board in maker.map_names():
            yield f"The board {board}", _digest(maker.make_map(board))
    # A board that exists only in the memory of one process can't be used here.
    play = RandomGame(game, first_board(game), 0)
    yield "What setup() tells", _digest(play.opening)
    for _ in range(ACTS):
        for seat in play.referee.to_act:
            yield f"legal() of {seat}", _digest(play.referee.legal(seat))
        if not play.referee.to_act:
            return
        _, command, telling = play.step()
        yield f"What {tag(command)} tells", _digest(telling)


def _digest(value: Any) -> str:
    return sha256(msgspec.json.encode(value, enc_hook=str)).hexdigest()


def _has_sets(name: str) -> bool:
    """Return whether the game's code creates sets; otherwise no second process is needed."""
    return any(
        isinstance(node, ast.Set | ast.SetComp) or (isinstance(node, ast.Name) and node.id in ("set", "frozenset"))
        for _, node in nodes(name)
    )
