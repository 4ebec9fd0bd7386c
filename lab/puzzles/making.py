"""Choose the best puzzles of recorded games: exact, verified, graded, and different from each other."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from msgspec.structs import replace

import games
from engine.game import Game
from engine.refusal import RuleError
from firmware_host.core.data_files import PUZZLES, Puzzle, PuzzleHead
from firmware_host.core.game_files import game_folder
from firmware_host.play.puzzles import PuzzlePosition
from lab.puzzles.kinds import SOLVED, PuzzleDraft, PuzzleKind, RecordedMoment

ALIKE = 0.6
"""Two puzzles are alike if they share more than this fraction of their marks."""


class Unverified(Exception):
    """A puzzle whose answers are not confirmed by the second calculation."""


def kinds_of(game: str) -> Mapping[str, PuzzleKind]:
    """Return the kinds of puzzles of a game. Raises `ModuleNotFoundError` if there are none."""
    kinds: Mapping[str, PuzzleKind] = import_module(f"lab.puzzles.{games.folder(game)}").KINDS
    return kinds


def folder_of(game: str) -> Path:
    """Return the folder of a game's puzzles; it may not exist."""
    return game_folder(game) / PUZZLES


def encoded_puzzles(puzzles: tuple[Puzzle, ...], rules: str) -> bytes:
    """Return a file with these puzzles, whose answers hold for these rules."""
    return b"".join(msgspec.json.encode(line) + b"\n" for line in (PuzzleHead(rules), *puzzles))


def is_confirmed(game: Game, kind: str, puzzle: Puzzle) -> bool:
    """Return whether both calculations find exactly the answers of a puzzle."""
    try:
        return verified(game, kind, puzzle).answers == puzzle.answers
    except (Unverified, RuleError, ValueError):
        return False


def verified(game: Game, kind: str, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with its answers. Raises `Unverified` if the two calculations differ, or find none."""
    position = PuzzlePosition(game, kind, puzzle)
    kind_of_puzzle = kinds_of(game.name)[kind]
    answers = kind_of_puzzle.solve(position)
    if not answers or {*map(frozenset, kind_of_puzzle.verify(position))} != {*map(frozenset, answers)}:
        raise Unverified(f"{game.name}, {kind} {puzzle.id}: the answers are not confirmed.")
    return replace(puzzle, answers=answers)


def confirmed_puzzles(game: Game, kind: str, drafts: Iterable[PuzzleDraft]) -> Iterator[Puzzle]:
    for draft in drafts:
        try:
            small = named(kind, shortened(game, kind, draft.puzzle))
            position = PuzzlePosition(game, kind, small)
        except RuleError:  # some moments of a game can't be described as a position
            continue
        if kinds_of(game.name)[kind].solve(position):
            puzzle = verified(game, kind, small)
            levels = [*draft.solved(PuzzlePosition(game, kind, puzzle))]
            yield replace(puzzle, grade=1 + sum(level < SOLVED for level in levels))


def named(kind: str, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle with a unique ID."""
    content = replace(puzzle, id="", answers=(), grade=1, before=())
    return replace(puzzle, id=hashlib.sha256(kind.encode() + msgspec.json.encode(content)).hexdigest()[:8])


def shortened(game: Game, kind: str, puzzle: Puzzle) -> Puzzle:
    """Return the puzzle without the irrelevant parts of its position. Raises `RuleError`."""
    full_facts = _facts(game, kind, puzzle)
    for holder in ("", "sniper"):
        inside = puzzle.position.get(holder, {}) if holder else puzzle.position
        for name in [*inside]:
            without = {other: value for other, value in inside.items() if other != name}
            shorter = replace(puzzle, position={**puzzle.position, holder: without} if holder else without)
            try:
                if _facts(game, kind, shorter) == full_facts:
                    puzzle, inside = shorter, without
            except (RuleError, ValueError):
                continue
    return puzzle


def _facts(game: Game, kind: str, puzzle: Puzzle) -> Any:
    position = PuzzlePosition(game, kind, puzzle)
    return position.pictures, position.possible


def different(puzzles: Sequence[Puzzle], marks: Callable[[Puzzle], frozenset[Any]], count: int) -> list[Puzzle]:
    """Return at most `count` puzzles, taken from all maps and grades in turn, no two of them similar."""
    waiting = defaultdict[tuple[Any, ...], list[Puzzle]](list)
    for puzzle in Random(1).sample(puzzles, len(puzzles)):
        waiting[puzzle.map, puzzle.grade].append(puzzle)
    selected = list[Puzzle]()
    while any(waiting.values()) and len(selected) < count:
        for group in filter(None, waiting.values()):
            puzzle = group.pop()
            rivals = (other for other in selected if other.map == puzzle.map)
            if not any(_alike(marks(puzzle), marks(other)) for other in rivals):
                selected.append(puzzle)
    return sorted(selected[:count], key=lambda puzzle: (puzzle.map or "", puzzle.grade, puzzle.id))


def _alike(one: frozenset[Any], other: frozenset[Any]) -> bool:
    return len(one & other) > ALIKE * len(one | other)


def puzzles_of(game: Game, kind: str, played: Sequence[Sequence[RecordedMoment]], count: int) -> list[Puzzle]:
    kind_of_puzzle = kinds_of(game.name)[kind]
    puzzles = [puzzle for moments in played for puzzle in confirmed_puzzles(game, kind, kind_of_puzzle.find(moments))]
    return different(puzzles, kind_of_puzzle.marks, count)
