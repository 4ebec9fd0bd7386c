"""`sniperboard ratings`: rate all bots of a game by letting them play each other.

This module only handles the terminal; the rating is in `lab/ratings.py`. Exit codes: 0 played · 1 a name
or value is invalid, or a cluster is unavailable · 70 a bot failed · 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import games
from engine.game import Game, sides
from engine.graph import Map
from firmware_host.core import maps
from firmware_host.protocols.lines import board_for
from lab import terminal
from lab.arena import named_faults
from lab.processes import Unavailable

if TYPE_CHECKING:
    from lab.ratings import Estimate, Outcome, Pairing, Ratings

SEATS = 2
"""Maximum number of sides that ratings compare."""


def add_command(subparsers: Any) -> None:
    """Add `ratings`. It sets `run`, a function from parsed arguments to exit status."""
    parser = subparsers.add_parser(
        "ratings",
        help="rate the bots of a game by letting them play each other",
        epilog="Ratings follow the Bradley-Terry model on the Elo scale, with 95 % confidence intervals; see "
        "docs/ratings.md. Needs the extra ratings.",
    )
    parser.add_argument(
        "--games", type=int, default=20, help="number of games for each pairing on each map (default: 20)"
    )
    parser.add_argument("--map", metavar="FILE|NAME", help="play on this map only (default: all that fit)")
    parser.add_argument(
        "--bots", nargs="+", default=[], metavar="BOT", help="rate these bots only (default: all except experts)"
    )
    terminal.add_options(parser, "games")
    terminal.add_game_options(parser)
    parser.add_argument("--json", action="store_true", help="print a line of JSON for each pairing, bot and map")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return terminal.run_command(lambda: _run(arguments), "games")


def _run(arguments: argparse.Namespace) -> int:
    try:
        from lab import ratings
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("numpy", "scipy"):
            raise
        raise Unavailable(
            "Ratings need SciPy, which is not installed. Install the extra `ratings`: "
            "pip install -e '.[ratings]' in the project's folder."
        ) from error
    raw = terminal.read_options(arguments)
    with named_faults(arguments.game):
        game = games.find(arguments.game)
        pairings = ratings.make_pairings(
            game, _boards_with_options(game, arguments.map, raw), arguments.bots, arguments.seed
        )
    count, began = len(pairings) * arguments.games, time.monotonic()
    with terminal.provide_player(arguments.on, arguments.jobs) as play:
        results = terminal.with_progress_bar(play([it.match for it in pairings], arguments.games), count, sys.stderr)
        outcomes = ratings.count_outcomes(pairings, results, arguments.games)
    rated, seconds = ratings.rate(outcomes), time.monotonic() - began
    if arguments.json:
        print("\n".join(map(terminal.json_line, _json_lines(pairings, outcomes, rated, arguments, seconds))))
    else:
        print(_text(game, pairings, rated, arguments, seconds))
    return 0


def _boards_with_options(game: Game, name: str | None, raw: Any) -> Iterator[tuple[Map | None, Any]]:
    """Return the given map, or all maps of the game for two sides, each with its options."""
    names: list[str | None] = [name] if name else [*maps.offered(game)] or [None]
    boards = [board_for(game, it, maps.load) for it in names]
    with_options = [(board, maps.options_on(game, board, raw)) for board in boards]
    fitting = [(board, options) for board, options in with_options if len(sides(game, options)) <= SEATS]
    yield from fitting or with_options


# --- text -------------------------------------------------------------------------------------------------------


def _json_lines(
    pairings: list[Pairing], outcomes: list[Outcome], rated: Ratings, arguments: argparse.Namespace, seconds: float
) -> Iterator[dict[str, Any]]:
    """Yield the JSON output. A pairing's seed replays its games with `sniperboard arena`."""
    for pairing, outcome in zip(pairings, outcomes, strict=True):
        match = pairing.match
        played = {"bots": match.seats, "seed": match.seed, "games": arguments.games, "score": outcome.wins}
        yield {"type": "pairing", "map": None if match.board is None else match.board.slug, **played}
    for entry, estimate in rated.entries.items():
        lead = {"lead": _estimate_figures(rated.leads[entry])} if entry in rated.leads else {}
        yield {"type": "rating", "bot": entry.bot, "seat": entry.seat, **_estimate_figures(estimate), **lead}
    boards = {it.place: it.match.board for it in pairings}
    for place, estimate in rated.advantages.items():
        board, seat = boards[place], next(iter(pairings[0].sides))
        yield {
            "type": "advantage",
            "map": None if board is None else board.slug,
            "seat": seat,
            **_estimate_figures(estimate),
        }
    count = len(pairings) * arguments.games
    yield {"type": "summary", "game": arguments.game, "games": count, "seed": arguments.seed, "seconds": seconds}


def _estimate_figures(estimate: Estimate) -> dict[str, float]:
    return {"points": round(estimate.points, 1), "low": round(estimate.low, 1), "high": round(estimate.high, 1)}


def _text(game: Game, pairings: list[Pairing], rated: Ratings, arguments: argparse.Namespace, seconds: float) -> str:
    played = len(pairings) * arguments.games
    rows = [f"{game.title}, {played} games, {arguments.games} of each pairing, from seed {arguments.seed}:"]
    for entry, estimate in rated.entries.items():
        row = f"  {entry.seat or 'any seat':<12} {entry.bot:<12} {_estimate_text(estimate)}"
        lead = rated.leads.get(entry)
        rows.append(row if lead is None else f"{row:<54} {_estimate_text(lead)} over the next")
    rows.append(f"  {_leads_heading(pairings[0])}")
    rows += [f"  {place:<25} {_estimate_text(estimate)}" for place, estimate in rated.advantages.items()]
    rows.append(f"  played in {seconds:.0f} seconds")
    return "\n".join(rows)


def _leads_heading(pairing: Pairing) -> str:
    """Return a description of the maps' figures."""
    seats = list(pairing.sides)
    average = "" if pairing.first.seat is None else "average "
    other = f"{average}{seats[1]}" if len(seats) == SEATS else pairing.second.bot
    return f"lead of {average}{seats[0]} over {other}, in points:"


def _estimate_text(estimate: Estimate) -> str:
    return f"{estimate.points:>5.0f}  ({estimate.low:.0f} to {estimate.high:.0f}, 95 %)"
