"""`sniperboard puzzles`: make a game's puzzles from games of its expert bots, and verify those that it has.

This module only handles the terminal; `lab/puzzles/` does the work. Exit codes: 0 done · 1 a name or value is invalid,
or an answer is not confirmed · 70 a bot failed · 130 interrupted.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import games
from engine.events import Told
from engine.game import Game
from engine.refusal import NotUnderstood
from firmware_host.core import bots, maps, sizes
from firmware_host.core.data_files import (
    PUZZLE_FILES,
    PUZZLES,
    Puzzle,
    PuzzleHead,
    decoded_puzzles,
    files,
    rules_digest,
)
from firmware_host.protocols.lines import board_for
from lab.arena import Match, game_numbers, moments, named_faults
from lab.processes import in_order
from lab.puzzles import making
from lab.puzzles.kinds import moments_of
from lab.terminal import add_options, run_command, with_progress_bar

LINES = 20
"""Number of continuations that an expert searches for an action."""


def add_command(subparsers: Any) -> None:
    parser = subparsers.add_parser("puzzles", help="make the puzzles of a game, or verify their answers")
    tasks = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    make = tasks.add_parser("make", help="make puzzles from games of expert bots, into the game's folder")
    make.add_argument("kinds", nargs="*", metavar="KIND=NUMBER", help="how many of which kind (default: 40 of each)")
    make.add_argument("--games", type=int, default=10, help="number of games on each map (default: 10)")
    add_options(make, "games")
    make.set_defaults(run=lambda arguments: run_command(lambda: _make(arguments), "games"))
    verify = tasks.add_parser("verify", help="calculate every answer again, in two ways")
    verify.add_argument("--game", action="append", metavar="NAME", help="game (default: all)")
    verify.set_defaults(run=lambda arguments: run_command(lambda: _verify(arguments), "puzzles"))


def _make(arguments: argparse.Namespace) -> int:
    game = games.find(arguments.game)
    counts = _counts(game, arguments.kinds)
    matches = list(_matches(game, arguments.seed))
    numbers = game_numbers(len(matches), arguments.games)
    played = []
    with named_faults(game.name):
        recorded = in_order(_recorded, matches, numbers, arguments.jobs)
        for (match, _), tellings in zip(numbers, with_progress_bar(recorded, len(numbers), sys.stderr), strict=True):
            played.append(moments_of(game, matches[match].board, matches[match].options, tellings))
    folder = making.folder_of(game.name)
    folder.mkdir(exist_ok=True)
    for kind, count in counts.items():
        puzzles = tuple(making.puzzles_of(game, kind, played, count))
        (folder / f"{kind}.jsonl").write_bytes(making.encoded_puzzles(puzzles, rules_digest(game.name)))
        of_grades = sorted(Counter(puzzle.grade for puzzle in puzzles).items())
        grades = ", ".join(f"{number} of grade {grade}" for grade, number in of_grades)
        print(f"{kind}: {len(puzzles)} puzzles, {grades or 'none'}")
    return 0


def _counts(game: Game, texts: Sequence[str]) -> dict[str, int]:
    kinds, counts = making.kinds_of(game.name), dict[str, int]()
    for word in texts or [f"{kind}=40" for kind in kinds]:
        kind, _, number = word.partition("=")
        if kind not in kinds or not number.isdecimal():
            raise NotUnderstood(f"{word!r} is no kind with a number; the kinds are {', '.join(kinds)}.")
        counts[kind] = int(number)
    return counts


def _matches(game: Game, seed: int) -> Iterator[Match]:
    names: list[str | None] = [*maps.offered(game)] or [None]
    for name in names:
        board = board_for(game, name, maps.load)
        options = maps.options_on(game, board, {})
        seats = {seat.name: bots.ranked(game, seat.name) for seat in game.seats(options)}
        own = bots.own_names(game)
        best = {seat: [bot for bot in ranked if bot in own][-1] for seat, ranked in seats.items()}
        yield Match(game.name, board, options, best, seed, LINES)


def _recorded(matches: Sequence[Match], game: tuple[int, int]) -> list[tuple[Told, ...]]:
    return [telling for _, telling in moments(matches[game[0]], game[1])]


def _verify(arguments: argparse.Namespace) -> int:
    """Verify all puzzles, and note in their files with which rules."""
    number = 0
    for game, path in [
        (games.find(name), path)
        for name in arguments.game or games.names()
        for path in files(name, PUZZLES, PUZZLE_FILES)
    ]:
        puzzles = _puzzles_in(path)
        wrong = [puzzle.id for puzzle in puzzles if not making.is_confirmed(game, path.stem, puzzle)]
        if wrong:
            print(f"{path.name}: the answers of {', '.join(wrong)} are not confirmed. Remove them.", file=sys.stderr)
            return 1
        path.write_bytes(making.encoded_puzzles(puzzles, rules_digest(game.name)))
        number += len(puzzles)
    print(f"{number} puzzles verified.")
    return 0


def _puzzles_in(path: Path) -> tuple[Puzzle, ...]:
    """Return the puzzles of a file, even if they were verified with other rules. Raises `DataFileError`."""
    text = sizes.whole_file(path)
    return decoded_puzzles(text, path.name, msgspec.json.decode(text.splitlines()[0], type=PuzzleHead).rules)
