"""What is asked of a drawing in the middle of being drawn: its faults with their places, and who sees whom."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from msgspec import structs

from engine.graph.coverage import coverage_faults, ring_faults, shared_edges
from engine.graph.derive import derive
from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import MapError
from engine.graph.geojson import read
from engine.graph.model import Map
from engine.graph.plane import between
from engine.text import Text, and_list
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from maker.editor.places import concerned
from maker.mapping import drawings
from maker.mapping.blame import why_not
from maker.mapping.sight import with_sights

MOST = 300
"""Faults that are told at once."""


def judged(document: Any) -> dict[str, Any]:
    """The `faults` and `warnings` of a drawing, as `sniperboard map check` finds them, each with what it speaks of.

    `more` counts faults that are left out.
    """
    faults: Sequence[str] = ()
    warnings: Sequence[str] = ()
    try:
        warnings = drawings.survey_text(msgspec.json.encode(document), "", "board").warnings
    except MapError as error:
        faults, warnings = error.faults, error.warnings
    drawing = readable(document)
    known = {space.id for space in drawing.spaces} if drawing else set()
    return {
        "faults": [concerned(fault, known, drawing) for fault in faults[:MOST]],
        "warnings": [concerned(warning, known, drawing) for warning in warnings[:MOST]],
        "more": max(0, len(faults) - MOST),
    }


def readable(document: Any) -> Drawing | None:
    """The drawing, faults and all; None where nothing of it can be read."""
    try:
        return read(document)
    except MapError:
        return None


def seen_from(document: Any, name: str) -> dict[str, Any]:
    """Whom a space sees, by what `sniperboard map sight` goes by: `seen` is a list of spaces, each with its `distance`,
    the `line` (None for the space itself) and what it goes `through`.

    In a drawing that has faults, spaces whose outlines are at fault are left out; `left` names them. Raises
    `UserError`.
    """
    drawing = readable(document)
    if drawing is None or name not in {space.id for space in drawing.spaces}:
        raise UserError("not-found", Text("There is no space {space} in this drawing.", space=name))
    sound, left = _sound(drawing)
    if name in left:
        raise UserError("refused", Text("{space} sees nothing yet: mend its outline first.", space=name))
    board = _with_sights(sound, name)
    own = [{"space": name, "distance": 1, "line": None, "through": ()}]
    others = [_told(board, name, other) for other in board.spaces if other != name]
    return {"space": name, "seen": own + [one for one in others if one], "left": left}


def _told(board: Map, name: str, other: str) -> dict[str, Any] | None:
    seen = board.sight(name, other)
    if seen is None:
        return None
    return {"space": other, "distance": seen.distance, "line": seen.line, "through": seen.through}


def unseen_why(document: Any, one: str, other: str) -> dict[str, Any]:
    """Why a space does not see another: `why`, a sentence, and the `line` that comes nearest to one, or None.

    Raises `UserError`.
    """
    drawing = readable(document)
    sound = _sound(drawing)[0] if drawing else None
    spaces = {space.id for space in sound.spaces} if sound else set[str]()
    if sound is None or not {one, other} <= spaces:
        raise UserError("refused", Text("One of the two is not drawn soundly yet: mend its outline first."))
    blame = why_not(derive(sound), one, other)
    if blame.blockers:
        sentence = Text("{one} does not see {other}. {why} In the way: {spaces}.")
        why = sentence.with_(one=one, other=other, why=blame.why, spaces=and_list(blame.blockers))
    else:
        why = Text("{one} does not see {other}. {why}", one=one, other=other, why=blame.why)
    return {"why": why, "line": blame.line}


def _with_sights(drawing: Drawing, name: str) -> Map:
    try:
        return with_sights(derive(drawing), of=name)
    except MapError as error:
        raise UserError("refused", maps.unusable(error)) from error


def _sound(drawing: Drawing) -> tuple[Drawing, list[str]]:
    """The part of a drawing whose outlines can be looked along, and the ids of the spaces that are left out."""
    spaces: dict[str, DrawnSpace] = {}
    for space in drawing.spaces:
        if not space.unread & {"outline", "kind", "id"} and not ring_faults(space):
            spaces.setdefault(space.id, space)
    for fault in coverage_faults(list(spaces.values())):
        for name in concerned(fault, spaces.keys())["spaces"]:
            del spaces[name]
    shared = shared_edges(list(spaces.values()))
    accesses = [
        access
        for access in drawing.accesses
        if any(between(*edge, access.at) for edge in shared.get(access.between, ()))
    ]
    left = [space.id for space in drawing.spaces if space.id not in spaces]
    kept = structs.replace(
        drawing, spaces=tuple(spaces.values()), accesses=tuple(accesses), entries=(), faults=(), lost=frozenset()
    )
    return kept, list(dict.fromkeys(left))
