"""`sniperboard arena`: lets bots play each other, and says who won, how surely, and how the games went.

Words on the terminal only; the games are played in `arena.py`. Exit codes: 0 played · 1 something asked for does not
exist or cannot be · 70 a bot's fault · 130 stopped by hand.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, TextIO

import msgspec

import games
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood, RuleError
from firmware_host.app.strict import Malformed, decode
from firmware_host.lab.arena import BotFault, Match, Result, Summary, play_all, summary
from firmware_host.seats import bots
from firmware_host.table import maps

if TYPE_CHECKING:
    Subparsers = argparse._SubParsersAction[argparse.ArgumentParser]

GAME = "sniper-elite"
NOT_SO, BOT_FAULT, STOPPED = 1, 70, 130
BAR = 30
LONGEST_OPTIONS = 1 << 16
"""Bytes."""


def add_arena_command(subparsers: Subparsers) -> None:
    """Adds `arena`; it sets `run`, a function of the parsed arguments to the exit status."""
    known = ", ".join(bots.names(games.find(GAME)))
    parser = subparsers.add_parser("arena", help="let bots play each other")
    parser.add_argument("--games", type=int, default=100, help="how many games to play (default: 100)")
    parser.add_argument("--map", default="launch-facility", metavar="FILE|NAME", help="the map to play on")
    parser.add_argument("--sniper", default="prowler", metavar="BOT", help=f"who hides: one of {known}")
    parser.add_argument("--defenders", default="warden", metavar="BOT", help=f"who seeks: one of {known}")
    parser.add_argument("--seed", type=int, default=1, help="the same seed gives the same games (default: 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="games side by side (default: all cores)")
    parser.add_argument("--options", default="{}", metavar="JSON", help="as in '{\"random_setup\": true}'")
    parser.add_argument("--json", action="store_true", help="print a line of JSON a game, and one for all together")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Play, and tell."""
    try:
        return _run(arguments)
    except (RuleError, MapError) as error:
        return _sorry(NOT_SO, str(error))
    except BotFault as error:
        return _sorry(BOT_FAULT, str(error))
    except KeyboardInterrupt:
        return _sorry(STOPPED, "Stopped; the games so far are not counted.")


def _run(arguments: argparse.Namespace) -> int:
    match = _match(arguments)
    began = time.monotonic()
    results = []
    for result in _watched(play_all(match, arguments.games, arguments.jobs), arguments.games, sys.stderr):
        results.append(result)
        if arguments.json:
            print(_line({"type": "game", **msgspec.to_builtins(result)}))
    seconds, found = time.monotonic() - began, summary(results, match.seats)
    pace = {"seconds": seconds, "acts_per_second": sum(result.acts for result in results) / seconds}
    if arguments.json:
        print(_line({"type": "summary", **msgspec.to_builtins(found), **pace}))
    else:
        print(_text(match, found, pace))
    return 0


def _match(arguments: argparse.Namespace) -> Match:
    """What is asked for. Raises `NotUnderstood`, `Refused` or `MapError`."""
    if arguments.games < 1 or arguments.jobs < 1:
        raise NotUnderstood("--games and --jobs are whole numbers from 1 on.")
    try:
        raw = decode(os.fsencode(arguments.options), LONGEST_OPTIONS)
    except Malformed as error:
        raise NotUnderstood(f"--options {error}. Write it as '{{\"random_setup\": true}}'.") from error
    game = games.find(GAME)
    options = game.read_options(raw)
    board = maps.load(arguments.map)
    seats = {"sniper": arguments.sniper, "defenders": arguments.defenders}
    blank = game.blank(board, options)
    for seat, name in seats.items():
        bots.seated(name, game, seat, blank[seat])
    return Match(GAME, board, options, seats, arguments.seed)


# --- words ------------------------------------------------------------------------------------------------------


def _watched(results: Iterable[Result], count: int, stream: TextIO) -> Iterator[Result]:
    """The results, while a bar grows where somebody watches."""
    for number, result in enumerate(results, 1):
        if stream.isatty():
            done = "█" * (BAR * number // count)
            stream.write(f"\r{done:·<{BAR}} {number} of {count}" + ("\n" if number == count else ""))
            stream.flush()
        yield result


def _line(value: Any) -> str:
    return msgspec.json.encode(value).decode()


def _text(match: Match, found: Summary, pace: dict[str, float]) -> str:
    causes = " · ".join(f"{reason} {count}" for reason, count in found.causes.items())
    return "\n".join(
        [
            f"{match.board.name}, {found.games} games, seed {match.seed}",
            *(
                f"  {seat:<10} {match.seats[seat]:<10} won {side.wins:>4}: {side.share:6.1%}"
                f"  (95 %: {side.low:.1%} to {side.high:.1%})"
                for seat, side in found.wins.items()
            ),
            f"  ended by   {causes}",
            f"  rounds     {found.mean_rounds:.1f} on average, median {found.median_rounds:g}, "
            f"{found.shortest} to {found.longest}",
            f"  acts       {found.mean_acts:.0f} a game, {pace['acts_per_second']:.0f} a second, "
            f"{found.games * 60 / pace['seconds']:.0f} games a minute",
        ]
    )


def _sorry(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code
