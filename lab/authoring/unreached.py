"""Find events, endings and limits that are too rare for random games. Only the author's own tests check them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, Final

import games
from engine.chance import Chance
from engine.game import REFEREE, TABLE, Endings, Teams, decided
from engine.referee import Referee
from firmware_host.core.game_files import game_folder
from lab.authoring.play import Sample

MOST_LINES: Final = 5
"""Number of lines that are listed."""
LEAST_GAMES: Final = 3
"""If two seats win together in this many games, it isn't by chance."""


def notes(sample: Sample) -> Iterator[str]:
    """Yield a sentence about everything that happened in no random game."""
    if unseen := sample.unseen:
        yield f"These events happen in no random game: {', '.join(unseen)}. Only your own tests check them."
    if rare := [*_rare_lines(sample)]:
        more = f", and {len(rare) - MOST_LINES} more" if len(rare) > MOST_LINES else ""
        yield (
            f"No random game has come to these lines of the rules: {', '.join(rare[:MOST_LINES])}{more}. "
            "If one is a limit or an end of the game, only your own tests check it."
        )
    yield from _allies(sample)


def _allies(sample: Sample) -> Iterator[str]:
    """Yield the seats that always win and lose together, although the game doesn't list them as one side."""
    game = sample.game
    if not isinstance(game, Endings) or isinstance(game, Teams):
        return
    ends = [game.ending(play.referee.pictures[TABLE]) for play in sample.plays]
    won = {seat: [end is not None and seat in end.winners for end in ends] for seat in sample.names}
    for one, other in combinations(sample.names, 2):
        # If all seats win together, there are no sides.
        if won[one] == won[other] and sum(won[one]) >= LEAST_GAMES and any(it != won[one] for it in won.values()):
            yield f"{one} and {other} win and lose together. If they are one side, say so with teams()."


def _rare_lines(sample: Sample) -> Iterator[str]:
    """Yield the lines that decide or fold events and that no random game has executed."""
    folder = game_folder(sample.game.name)
    for path, lines in _decided_lines(sample, folder).items():
        text = Path(path).read_text("utf-8")
        for number in _unreached(ast.parse(text), lines):
            yield f"{Path(path).relative_to(folder)}:{number} ({text.splitlines()[number - 1].strip()})"


def _decided_lines(sample: Sample, folder: Path) -> dict[str, set[int]]:
    """Return the lines of the game's files that run when the random games are decided and folded again."""
    game, lines = games.find(sample.game.name), dict[str, set[int]]()

    def enter(frame: FrameType, happening: str, _: Any) -> Callable[..., Any] | None:
        path = frame.f_code.co_filename
        if not Path(path).is_relative_to(folder):
            return None
        reached = lines.setdefault(path, set())
        reached.add(frame.f_lineno)

        def follow(frame: FrameType, happening: str, _: Any) -> Any:
            reached.add(frame.f_lineno)
            return follow

        return follow

    before = sys.gettrace()
    for play, moments in sample.games:
        again = Referee(game, sample.blank())
        sys.settrace(enter)
        try:
            again.tell(play.opening)
            for it in moments:
                chance = Chance(Random(0), game.luck(it.telling))
                [*decided(game, again.pictures[REFEREE], it.seat, it.command, chance)]
                again.tell(it.telling)
        finally:
            sys.settrace(before)
    return lines


def _unreached(tree: ast.AST, lines: set[int]) -> Iterator[int]:
    """Yield the first line of each block that never ran, although its function did. Lines that raise are left out."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and not lines.isdisjoint(_lines_of(node.body[0], node)):
            yield from _unreached_in(node, lines)


def _unreached_in(node: ast.AST, lines: set[int]) -> Iterator[int]:
    blocks = [block for name in ("body", "orelse", "finalbody") if isinstance(block := getattr(node, name, 0), list)]
    for first, *rest in filter(None, blocks):
        is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        if lines.isdisjoint(_lines_of(first, first)) and not is_text:
            if not isinstance(first, ast.Raise | ast.Assert):
                yield first.lineno
            continue
        for inner in (first, *rest):
            for part in (inner, *getattr(inner, "cases", ()), *getattr(inner, "handlers", ())):
                if not isinstance(part, ast.FunctionDef | ast.ClassDef):
                    yield from _unreached_in(part, lines)


def _lines_of(first: ast.stmt, last: ast.stmt) -> range:
    return range(first.lineno, (last.end_lineno or last.lineno) + 1)
