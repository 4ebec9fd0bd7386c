"""`sniperboard arena`: let bots play each other, and print wins, confidence intervals and statistics.

This module only handles the terminal; `arena.py` plays the games. Exit codes: 0 played · 1 a name or value is invalid,
or a cluster is unavailable · 70 a bot failed · 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import Any

import msgspec

import games
from engine.game import Game, sides
from engine.refusal import NotUnderstood
from firmware_host.core import bots, maps
from firmware_host.protocols.lines import board_for
from lab import terminal
from lab.arena import DEFAULT_LINES, Match, Result, Summary, UsageExit, named_faults, summarize


def add_command(subparsers: Any) -> None:
    """Add `arena`. It sets `run`, a function from parsed arguments to exit status, and leaves the options of the
    game's seats in `rest`.
    """
    parser = subparsers.add_parser("arena", help="let bots play each other and count the wins", epilog=_epilog())
    parser.add_argument("--games", type=int, default=100, help="number of games (default: 100)")
    parser.add_argument("--map", metavar="FILE|NAME", help="map to play on (default: the first that fits)")
    terminal.add_options(parser, "games")
    terminal.add_game_options(parser)
    parser.add_argument(
        "--lines",
        type=int,
        default=DEFAULT_LINES,
        help=f"number of continuations that an expert bot searches for an action (default: {DEFAULT_LINES})",
    )
    parser.add_argument(
        "--thought",
        type=int,
        default=0,
        metavar="MS",
        help="search time instead of --lines, in ms; the same seed then gives different games",
    )
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each game, and one summary")
    parser.set_defaults(run=run, rest=[])


def _epilog() -> str:
    game = games.find(games.DEFAULT)
    named = " ".join(f"--{seat.name} BOT" for seat in game.seats(game.read_options(None)))
    return (
        f"Choose a bot for each seat of the game, for example {named}. The default is the strongest bot "
        f"without a search. The bots of {game.name}: {', '.join(bots.names(game))}."
    )


def run(arguments: argparse.Namespace) -> int:
    return terminal.run_command(lambda: _run(arguments), "games")


def _run(arguments: argparse.Namespace) -> int:
    with named_faults(arguments.game):
        match = _match(arguments)
    # Text that a bot prints must not be mixed with the results.
    with redirect_stdout(sys.stderr), terminal.provide_player(arguments.on, arguments.jobs) as play:
        began = time.monotonic()
        results = list(terminal.with_progress_bar(play([match], arguments.games), arguments.games, sys.stderr))
    seconds, summary = time.monotonic() - began, summarize(results, sides(games.find(match.game), match.options))
    pace = {"seconds": seconds, "acts_per_second": sum(result.acts for result in results) / seconds}
    if arguments.json:
        for result in results:
            print(terminal.json_line({"type": "game", **_game_figures(result)}))
        counts = msgspec.to_builtins(summary)
        if not counts["draws"]:
            del counts["draws"]
        print(terminal.json_line({"type": "summary", **counts, **pace}))
    else:
        print(_summary_text(match, summary, pace))
    return 0


def _match(arguments: argparse.Namespace) -> Match:
    """Return the match to play. Raises `NotUnderstood`, `Refused` or `MapError`."""
    raw = terminal.read_options(arguments)
    if arguments.lines < 0 or arguments.thought < 0:
        raise NotUnderstood("--lines and --thought are whole numbers from 0 on.")
    game = games.find(arguments.game)
    board = board_for(game, arguments.map or next(iter(maps.offered(game)), None), maps.load)
    options = maps.options_on(game, board, raw)
    seats = _bots_by_seat(game, options, arguments.rest)
    blank = game.blank(board, options)
    for seat, name in seats.items():
        # Create the bots once to check them, so that one that can't play its seat is reported before the first game.
        bots.bot_at_seat(name, game, seat, blank[seat])
    return Match(game.name, board, options, seats, arguments.seed, arguments.lines, arguments.thought / 1000)


def _bots_by_seat(game: Game, options: Any, words: Sequence[str]) -> dict[str, str]:
    """Return seat -> bot, from the options with the names of seats."""
    parser = argparse.ArgumentParser(prog="sniperboard arena", add_help=False, argument_default=None)
    seats = [seat.name for seat in game.seats(options)]
    for seat in seats:
        parser.add_argument(f"--{seat}", dest=seat, metavar="BOT")
    try:
        chosen = vars(parser.parse_args(words))
    except SystemExit as error:
        raise UsageExit(error.code) from None
    return {seat: chosen[seat] or bots.strongest(game, seat) for seat in seats}


# --- text -------------------------------------------------------------------------------------------------------


def _game_figures(result: Result) -> dict[str, Any]:
    """Return a game as a flat object. Without a single winner, `winner` is null and `winners` has all."""
    end = result.ending
    winner = {"winner": end.winners[0]} if len(end.winners) == 1 else {"winner": None, "winners": end.winners}
    return {
        "game": result.game,
        **winner,
        "reason": end.reason,
        "rounds": end.rounds,
        "acts": result.acts,
        **end.counts,
    }


def _summary_text(match: Match, summary: Summary, pace: dict[str, float]) -> str:
    causes = " · ".join(f"{reason} {count}" for reason, count in summary.causes.items())
    return "\n".join(
        [
            f"{_place(match)}, {summary.games} games, seed {match.seed}",
            *(
                f"  {side:<10} {_bot_names(match, side):<10} won {won.wins:>4}: {won.share:6.1%}"
                f"  (95 %: {won.low:.1%} to {won.high:.1%})"
                for side, won in summary.wins.items()
            ),
            *([f"  nobody     won {summary.draws:>4}"] if summary.draws else []),
            f"  ended by   {causes}",
            f"  rounds     {summary.mean_rounds:.1f} on average, median {summary.median_rounds:g}, "
            f"{summary.shortest} to {summary.longest}",
            f"  acts       {summary.mean_acts:.0f} a game, {pace['acts_per_second']:.0f} a second, "
            f"{summary.games * 60 / pace['seconds']:.0f} games a minute",
        ]
    )


def _bot_names(match: Match, side: str) -> str:
    seats = sides(games.find(match.game), match.options)[side]
    return ", ".join(dict.fromkeys(match.seats[seat] for seat in seats))


def _place(match: Match) -> str:
    title = games.find(match.game).title
    return title if match.board is None else f"{title} on {match.board.name}"
