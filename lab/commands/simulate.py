"""`sniperboard simulate hands`: simulate players moving miniatures, and check the moves that the table recognises.

This module only handles the terminal; `episodes.py` simulates. Exit codes: 0 no wrong move · 1 a name is invalid ·
3 a wrong move was made · 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

import msgspec

import games
from engine.refusal import NotUnderstood, no_such
from firmware_host.core import maps
from firmware_host.core.capabilities import board_game
from firmware_host.protocols.lines import board_for
from lab.processes import Unavailable
from lab.simulation.episodes import Episode, EpisodeVerdict, Plan, play_episodes
from lab.simulation.kinds import KINDS
from lab.simulation.tally import HEAD, Tally, tally_rows
from lab.terminal import add_options, run_command, with_progress_bar

WRONG_ACT = 3


def add_command(subparsers: Any) -> None:
    """Add `simulate hands`. It sets `run`, a function from parsed arguments to exit status."""
    parser = subparsers.add_parser("simulate", help="simulate random players moving miniatures")
    things = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    hands = things.add_parser(
        "hands", help="simulate players on faulty sensors, and check the moves that the table recognises"
    )
    hands.add_argument("--episodes", type=int, default=1000, help="number of episodes (default: 1000)")
    hands.add_argument("--first", type=int, default=1, help="number of the first episode (default: 1)")
    hands.add_argument("--episode", type=int, metavar="K", help="simulate episode K only")
    hands.add_argument("--kinds", default="", help=f"comma-separated kinds out of {', '.join(KINDS)} (default: all)")
    add_options(hands, "episodes")
    hands.add_argument("--map", default="", metavar="FILE|NAME", help="map (default: each map that fits, in turn)")
    hands.add_argument("--jsonl", action="store_true", help="print a line of JSON for each episode")
    hands.add_argument(
        "--write",
        type=Path,
        metavar="DIR",
        help="save board-hands/1 traces to this folder: each episode with a wrong move, or K",
    )
    hands.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    return run_command(lambda: _run(arguments), "episodes")


def _run(arguments: argparse.Namespace) -> int:
    plan, began, tally = _plan(arguments), time.monotonic(), Tally()
    numbers = range(arguments.first, arguments.first + arguments.episodes)
    if arguments.episode is not None:
        numbers = range(arguments.episode, arguments.episode + 1)
    verdicts = play_episodes(plan, numbers, arguments.jobs)
    for verdict in with_progress_bar(verdicts, len(numbers), sys.stderr):
        tally.add(verdict)
        if arguments.jsonl:
            print(msgspec.json.encode(verdict, enc_hook=str).decode())
        if arguments.write is not None and (verdict.wrongs or arguments.episode is not None):
            try:
                _write(plan, verdict, arguments)
            except OSError as error:
                raise Unavailable(
                    f"{arguments.write}: cannot be written ({error.strerror}). Choose another --write."
                ) from error
    if not arguments.jsonl:
        print(_table(tally, plan, time.monotonic() - began))
    return WRONG_ACT if tally.wrong else 0


def _plan(arguments: argparse.Namespace) -> Plan:
    """Return the episodes to simulate. Raises `MapError` or `NotUnderstood`."""
    if arguments.episodes < 1 or arguments.jobs < 1:
        raise NotUnderstood("--episodes and --jobs are whole numbers from 1 on.")
    kinds = tuple(name.strip() for name in arguments.kinds.split(",") if name.strip()) or tuple(KINDS)
    for name in kinds:
        if name not in KINDS:
            raise NotUnderstood(no_such("kind", name, tuple(KINDS)))
    game = board_game(games.find(arguments.game))
    boards = [board_for(game, name, maps.load) for name in ([arguments.map] if arguments.map else maps.offered(game))]
    return Plan(game.name, tuple(board for board in boards if board is not None), kinds, arguments.seed)


def _write(plan: Plan, verdict: EpisodeVerdict, arguments: argparse.Namespace) -> None:
    """Repeat an episode as a trace. `sniperboard hands < FILE` replays it."""
    episode = Episode(plan, verdict.number)
    episode.play()
    first = episode.first_line(arguments.map or episode.board.slug)
    arguments.write.mkdir(parents=True, exist_ok=True)
    path = arguments.write / f"{verdict.kind}-{plan.seed}-{verdict.number}.jsonl"
    path.write_bytes(
        b"".join(line + b"\n" for line in (msgspec.json.encode(first, enc_hook=str), *episode.hands.trace_lines()))
    )
    print(f"{path}: {verdict.kind}; " + ("; ".join(wrong.what for wrong in verdict.wrongs) or "no wrong act"))


# --- text -------------------------------------------------------------------------------------------------------


def _table(tally: Tally, plan: Plan, seconds: float) -> str:
    lines: list[list[Any]] = [list(HEAD), *tally_rows(tally)]
    widths = [max(len(str(line[column])) for line in lines) for column in range(len(HEAD))]
    table = ["  ".join(f"{value!s:>{width}}" for value, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join(
        [*table, "", *tally.sentences(), f"{games.find(plan.game).title}, seed {plan.seed}, {seconds:.0f} s"]
    )
