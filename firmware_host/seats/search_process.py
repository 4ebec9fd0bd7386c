"""The process in which a searching bot looks ahead: `python -m firmware_host.seats.search_process`.

It reads lines of JSON: first a `SeatedBot`, then requests. It answers each with an act, or with the place in the code
where it failed. It runs at a low priority and with little memory, and ends when its input ends. `searching.py` is the
other end.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct

import games
from engine.chance import Chance
from engine.graph import compiled
from engine.search.budget import timed
from firmware_host.core import bots, children
from firmware_host.core.errors import place_of

NICENESS: Final = 10
"""How much is added to the niceness of the process, so that the table goes first."""


class SeatedBot(Struct, frozen=True):
    """A bot at a seat of a game. All of it is public. `board` is a compiled map, "" for none."""

    bot: str
    game: str
    options: Any
    seat: str
    board: str
    seed: str


class SearchRequest(Struct, frozen=True):
    """A request for an act, with the events of the seat since the last one, and the time to think in seconds."""

    told: list[Any]
    seconds: float


class Failed(Struct, frozen=True, tag="failed"):
    """The bot cannot go on. `place` is the place in the code, without any data, which could be secret."""

    place: str


def main() -> None:
    """Answer requests until there are no more."""
    children.serve(NICENESS, _answers)


def _answers(lines: Iterator[bytes]) -> Iterator[bytes]:
    try:
        who = msgspec.json.decode(next(lines), type=SeatedBot)
        game, luck = games.find(who.game), Chance(Random(who.seed))
        board = compiled.load(who.board.encode()) if who.board else None
        view = game.blank(board, game.read_options(who.options))[who.seat]
        bot = bots.bot_at_seat(who.bot, game, who.seat, view)
        for line in lines:
            request = msgspec.json.decode(line, type=SearchRequest)
            for raw in request.told:
                event = game.read_event(raw)
                bot.told(event)
                # The process folds its own picture, so only events cross the pipe.
                view = game.fold(view, event)
            bots.set_budget(bot, timed(request.seconds, time.monotonic))
            yield msgspec.json.encode(bot.choose(view, game.legal(view, who.seat), luck))
    except Exception as error:  # a bot's code may raise any error; the table gets its place in the code
        yield msgspec.json.encode(Failed(place_of(error)))


if __name__ == "__main__":
    main()
