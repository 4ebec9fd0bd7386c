"""Common parts of commands and studies that play games: options, the place to play, exit codes, a progress bar."""

from __future__ import annotations

import argparse
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any, TextIO, TypeVar

import msgspec

import games
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood, RuleError
from firmware_host.core.strict import Malformed, decode
from lab.arena import BotFault, Match, Result, play_matches
from lab.processes import Unavailable

Item = TypeVar("Item")
Player = Callable[[Sequence[Match], int], Iterator[Result]]
"""Plays games 1 to a number of each match, and yields the results in order."""

SEED = 1
NOT_SO, BOT_FAULT, STOPPED = 1, 70, 130
BAR = 30
LONGEST_OPTIONS = 1 << 16
"""Maximum size of `--options` in bytes."""
SCHEDULER = re.compile(r"dask://(\[[0-9a-fA-F:.%]+\]|[\w.-]+):\d{1,5}")
"""A running Dask scheduler, for `--on`."""


def add_options(parser: argparse.ArgumentParser, things: str) -> None:
    """Add the options `game`, `seed` and `jobs`; `things` is the name of the tasks that run in parallel."""
    parser.add_argument("--game", default=games.DEFAULT, metavar="NAME", help="game (default: %(default)s)")
    _add_chance(parser, things)


def _add_chance(parser: argparse.ArgumentParser, things: str) -> None:
    parser.add_argument(
        "--seed", type=int, default=SEED, help=f"random seed; the same seed gives the same {things} (default: {SEED})"
    )
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help=f"number of parallel {things} (default: all cores)"
    )


def study_parser(description: str | None, count: int, what: str) -> argparse.ArgumentParser:
    """Return the parser of a study, with `--games`, `--jobs` and `--seed`; `what` says which games are counted."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--games", type=int, default=count, help=f"games {what} (default: {count})")
    _add_chance(parser, "games")
    return parser


def add_game_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--on",
        metavar="PLACE",
        help="where to play: dask (a local cluster with --jobs processes) or dask://HOST:PORT (a Dask scheduler with "
        "its workers); needs the extra cluster (default: local processes without Dask)",
    )
    parser.add_argument(
        "--options", default="{}", metavar="JSON", help="game options, for example '{\"random_setup\": true}'"
    )


def run_command(run: Callable[[], int], counted: str) -> int:
    """Run a command and return its exit code. Print errors as a sentence, and return their code.

    `counted` is what the command counts, in the plural: "games".
    """
    try:
        return run()
    except (RuleError, MapError, Unavailable) as error:
        return _fail(NOT_SO, str(error))
    except BotFault as error:
        return _fail(BOT_FAULT, str(error))
    except KeyboardInterrupt:
        return _fail(STOPPED, f"Stopped; the {counted} so far are not counted.")


def _fail(code: int, sentence: str) -> int:
    print(sentence, file=sys.stderr)
    return code


def read_options(arguments: argparse.Namespace) -> Any:
    """Return `--options` decoded, after checking `--games` and `--jobs`. Raises `NotUnderstood`."""
    if arguments.games < 1 or arguments.jobs < 1:
        raise NotUnderstood("--games and --jobs are whole numbers from 1 on.")
    try:
        return decode(os.fsencode(arguments.options), LONGEST_OPTIONS)
    except Malformed as error:
        raise NotUnderstood(f"--options {error}. Write it as '{{\"random_setup\": true}}'.") from error


@contextmanager
def provide_player(place: str | None, jobs: int) -> Iterator[Player]:
    """Provide the player for a place: None (`jobs` processes), `dask` (a cluster of `jobs`) or `dask://HOST:PORT`.

    Raises `NotUnderstood` for any other place, and `Unavailable`, which the player may also raise.
    """
    if place is None:
        yield partial(play_matches, jobs=jobs)
        return
    if place != "dask" and not SCHEDULER.fullmatch(place):
        raise NotUnderstood(
            f"There is no place {place!r} to play on: "
            "--on is dask, or dask://HOST:PORT with the address of a scheduler."
        )
    try:
        from lab import cluster
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("dask", "distributed"):
            raise
        raise Unavailable(
            "--on needs Dask distributed, which is not installed. Install the extra `cluster`: "
            "pip install -e '.[cluster]' in the project's folder."
        ) from error
    with cluster.local_cluster(jobs) if place == "dask" else cluster.connected_cluster(place) as client:
        yield partial(cluster.play_matches, client)


def with_progress_bar(results: Iterable[Item], count: int, stream: TextIO) -> Iterator[Item]:
    """Yield the results, with a progress bar on a terminal."""
    last = 0
    try:
        for number, result in enumerate(results, 1):
            if stream.isatty():
                done, last = "█" * (BAR * number // count), number
                stream.write(f"\r{done:·<{BAR}} {number} of {count}")
                stream.flush()
            yield result
    finally:
        if last:
            stream.write("\n")


def json_line(value: Any) -> str:
    return msgspec.json.encode(value).decode()
