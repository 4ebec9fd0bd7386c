"""Explain why one space does not see another: the line with the fewest obstacles, and these obstacles.

`sight.py` finds the line. `looks.py` defines which spaces may lie between two others.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from engine.graph.model import Map
from engine.text import Text, or_list
from maker.mapping.sight import best_obstructed_line
from maker.mapping.sight_rules import CLEAR, ELEVATED, ENCLOSED, Look, looks_between
from maker.mapping.witness import Line

LAWS = {
    frozenset({ENCLOSED}): (Text("only enclosed spaces"), "MP-LOS-06"),
    frozenset({CLEAR}): (Text("only open ground and water"), "MP-LOS-01"),
    frozenset({CLEAR, ENCLOSED, ELEVATED}): (Text("no obstruction"), "MP-LOS-04"),
}
"""The spaces in between that a look allows, in words, and the rule."""


class Blame(Struct, frozen=True):
    """Why one space does not see another. `why` is a sentence with the number of the rule.

    `line` is the best line, `through` the spaces that it crosses, in order, and `blockers` those of them that block it.
    Between a space and the one over it, there is no line. If two spaces touch but need another one in between, there
    are no blockers.
    """

    line: Line | None
    through: tuple[str, ...]
    blockers: tuple[str, ...]
    why: Text


def find_blame(board: Map, a: str, b: str) -> Blame:
    """Return why `a` does not see `b`. Raises `KeyError` for an unknown space, and `MapError` without
    NumPy.
    """
    one, other = _number(board, a), _number(board, b)
    ways = looks_between(board, one, other)
    if not ways:
        return Blame(None, (), (), Text("A space and the one over it never see each other (MP-LOS-12)."))
    best = best_obstructed_line(board, board.spaces[a].id, board.spaces[b].id, ways)
    if best is None:
        return Blame(None, (), (), Text("No straight line leads from the one to the other."))
    why = _allowed_between(ways) if best[2] else _too_near(board, a, b)
    return Blame(*best, why)


def _number(board: Map, name: str) -> int:
    return list(board.spaces).index(board.spaces[name].id)


def _allowed_between(ways: Sequence[Look]) -> Text:
    """Return which spaces may lie between two spaces. A last resort allows everything that the other looks allow."""
    resort = [look for look in ways if look.resort]
    laws = [LAWS[look.through] for look in resort or ways]
    rules = ", ".join(rule for _, rule in laws)
    return Text("{allowed} may lie between these two ({rules}).", allowed=or_list(law for law, _ in laws), rules=rules)


def _too_near(board: Map, a: str, b: str) -> Text:
    room, walkway = (a, b) if board.spaces[a].kind == "enclosed" else (b, a)
    return Text(
        "Between the room {room} and the walkway {walkway} there must be open ground or water, or a ladder "
        "from the one to the other (MP-LOS-11).",
        room=room,
        walkway=walkway,
    )
