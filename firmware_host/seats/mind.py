"""The process in which a bot plays its acts on in its head: `python -m firmware_host.seats.mind`.

It reads lines of JSON: first who it is, then wishes, each with what its seat was told since the last and the time it
has. It answers each with an act, or with where in the code it has failed. It runs at a low priority, so that the table
comes first, and ends when nobody writes to it any more. What it reads is all that it knows: `minds.py` writes it.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import Command
from engine.graph import compiled
from engine.search.budget import timed
from firmware_host.core import bots

LOW: Final = 10
"""How much nicer it is than the table."""
NO_BOARD: Final = b"null"
STOPS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Seated(Struct, frozen=True):
    """Who it is: a bot at a seat of a game, all of it public. `board` is a compiled map, or NO_BOARD."""

    bot: str
    game: str
    options: Any
    seat: str
    board: msgspec.Raw
    seed: str


class Wish(Struct, frozen=True):
    """What its seat was told since the last wish, and how long it may think, in seconds."""

    told: list[Any]
    seconds: float


class Failed(Struct, frozen=True, tag="failed"):
    """It cannot go on. `place` is where in the code, and no word of what it was about."""

    place: str


class Thinker:
    """A bot with its seat's picture."""

    def __init__(self, who: Seated) -> None:
        self._game, self._seat = games.find(who.game), who.seat
        board = None if bytes(who.board) == NO_BOARD else compiled.load(bytes(who.board))
        self._view = self._game.blank(board, self._game.read_options(who.options))[who.seat]
        self._bot = bots.seated(who.bot, self._game, who.seat, self._view)
        self._luck = Chance(Random(who.seed))

    def thinks(self, wish: Wish) -> Command:
        """What it wants to do."""
        for raw in wish.told:
            event = self._game.read_event(raw)
            self._bot.told(event)
            self._view = self._game.fold(self._view, event)
        bots.allow(self._bot, timed(wish.seconds, time.monotonic))
        return self._bot.choose(self._view, self._game.legal(self._view, self._seat), self._luck)


def main() -> None:
    """Answer wishes until there are none."""
    with suppress(OSError):  # a sandbox may forbid it; then it plays at the table's own priority
        os.nice(LOW)
    for stop in STOPS:  # some service managers signal every process; the table ends this one
        signal.signal(stop, signal.SIG_IGN)
    answers, sys.stdout = sys.stdout.buffer, sys.stderr
    lines = iter(sys.stdin.buffer)
    try:
        thinker = Thinker(msgspec.json.decode(next(lines), type=Seated))
        for line in lines:
            answers.write(msgspec.json.encode(thinker.thinks(msgspec.json.decode(line, type=Wish))) + b"\n")
            answers.flush()
    except Exception as error:  # whatever a bot's code may do, the table hears where it was
        place = traceback.extract_tb(error.__traceback__)[-1]
        failed = Failed(f"{type(error).__name__} in {place.filename}, line {place.lineno}")
        answers.write(msgspec.json.encode(failed) + b"\n")
        answers.flush()


if __name__ == "__main__":
    main()
