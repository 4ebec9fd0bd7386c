"""Check an unfinished drawing: its faults with their places, and which spaces see each other."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager
from typing import Any

import msgspec
from msgspec import structs

from engine.graph.coverage import coverage_faults, ring_faults, shared_edges
from engine.graph.derive import derive
from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import MapError
from engine.graph.geojson import read_drawing
from engine.graph.model import Map
from engine.graph.plane import on_segment
from engine.text import Text, and_list
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from maker.mapping import drawings
from maker.mapping.blockers import find_blame
from maker.mapping.sight import with_sights

MOST_FAULTS = 300
"""Maximum number of faults reported at once."""
POINT = re.compile(r"\((-?\d{1,7}), (-?\d{1,7})\)")
FEATURE = re.compile(r"\bfeature (\d+)\b")
WORD = re.compile(r"[^\s,:;()\"']+")
MOST_NAMED = 12
"""Maximum number of places, and of spaces, for one sentence."""


def check_document(document: Any) -> dict[str, Any]:
    """Return the `faults` and `warnings` that `sniperboard map check` finds, each with its spaces and places.

    `more` counts faults that are left out.
    """
    faults: Sequence[str] = ()
    warnings: Sequence[str] = ()
    try:
        warnings = drawings.survey_file(msgspec.json.encode(document), "", "board").warnings
    except MapError as error:
        faults, warnings = error.faults, error.warnings
    drawing = read_leniently(document)
    space_ids = {space.id for space in drawing.spaces} if drawing else set()
    return {
        "faults": [locate_fault(fault, space_ids, drawing) for fault in faults[:MOST_FAULTS]],
        "warnings": [locate_fault(warning, space_ids, drawing) for warning in warnings[:MOST_FAULTS]],
        "more": max(0, len(faults) - MOST_FAULTS),
    }


def read_leniently(document: Any) -> Drawing | None:
    """Return the drawing even if it has faults, or None if it can't be read at all."""
    try:
        return read_drawing(document)
    except MapError:
        return None


def find_visible_spaces(document: Any, name: str) -> dict[str, Any]:
    """Return the spaces that a space sees, as `sniperboard map sight` does.

    Each entry of `seen` has a `space`, its `distance`, the `line` (None for the space itself) and the spaces it goes
    `through`. Spaces with invalid outlines are left out; `left` names them. Raises `UserError`.
    """
    drawing = read_leniently(document)
    if drawing is None or name not in {space.id for space in drawing.spaces}:
        raise UserError("not-found", Text("There is no space {space} in this drawing.", space=name))
    sound, left = _sound_part(drawing)
    if name in left:
        raise UserError("refused", Text("{space} sees nothing yet: fix its outline first.", space=name))
    with as_user_errors():
        board = with_sights(derive(sound), of=name)
    own = [{"space": name, "distance": 1, "line": None, "through": ()}]
    others = [_sight_entry(board, name, other) for other in board.spaces if other != name]
    return {"space": name, "seen": own + [seen for seen in others if seen], "left": left}


def _sight_entry(board: Map, name: str, other: str) -> dict[str, Any] | None:
    seen = board.sight(name, other)
    if seen is None:
        return None
    return {"space": other, "distance": seen.distance, "line": seen.line, "through": seen.through}


def explain_no_sight(document: Any, one: str, other: str) -> dict[str, Any]:
    """Return why a space does not see another: a sentence, `why`, and the best `line` between them, or None.

    Raises `UserError`.
    """
    drawing = read_leniently(document)
    sound = _sound_part(drawing)[0] if drawing else None
    spaces = {space.id for space in sound.spaces} if sound else set[str]()
    if sound is None or not {one, other} <= spaces:
        raise UserError("refused", Text("One of the two is not drawn soundly yet: fix its outline first."))
    with as_user_errors():
        blame = find_blame(derive(sound), one, other)
    if blame.blockers:
        sentence = Text("{one} does not see {other}. {why} In the way: {spaces}.")
        why = sentence.with_(one=one, other=other, why=blame.why, spaces=and_list(blame.blockers))
    else:
        why = Text("{one} does not see {other}. {why}", one=one, other=other, why=blame.why)
    return {"why": why, "line": blame.line}


@contextmanager
def as_user_errors() -> Iterator[None]:
    """Raise faults of a map as `UserError`."""
    try:
        yield
    except MapError as error:
        raise UserError("refused", maps.unusable_sentence(error)) from error


def _sound_part(drawing: Drawing) -> tuple[Drawing, list[str]]:
    """Return the part of a drawing whose outlines are valid, and the ids of the spaces left out."""
    spaces: dict[str, DrawnSpace] = {}
    for space in drawing.spaces:
        if not space.unread & {"outline", "kind", "id"} and not ring_faults(space):
            spaces.setdefault(space.id, space)
    # Overlapping outlines, or gaps, would produce lines of sight that the finished map does not have.
    for fault in coverage_faults(list(spaces.values())):
        for name in locate_fault(fault, spaces.keys())["spaces"]:
            del spaces[name]
    shared = shared_edges(list(spaces.values()))
    # A door or ladder whose border is missing would be reported as a fault.
    accesses = [
        access
        for access in drawing.accesses
        if any(on_segment(*edge, access.at) for edge in shared.get(access.between, ()))
    ]
    left = [space.id for space in drawing.spaces if space.id not in spaces]
    sound = structs.replace(
        drawing, spaces=tuple(spaces.values()), accesses=tuple(accesses), entries=(), faults=(), lost=frozenset()
    )
    return sound, list(dict.fromkeys(left))


def locate_fault(sentence: str, space_ids: Set[str], drawing: Drawing | None = None) -> dict[str, Any]:
    """Return the `sentence` with the `spaces` of `space_ids` and the `places` ([x, y]) that it names.

    `drawing` is needed for spaces named by the number of their feature.
    """
    named = [part for word in WORD.findall(sentence) for part in _names_in(word.rstrip(".")) if part in space_ids]
    if drawing is not None:
        by_number = {int(space.label.split()[1].rstrip(",")): space.id for space in drawing.spaces}
        named += [by_number[number] for number in map(int, FEATURE.findall(sentence)) if number in by_number]
    places = [[int(x), int(y)] for x, y in POINT.findall(sentence)]
    return {"sentence": sentence, "spaces": list(dict.fromkeys(named))[:MOST_NAMED], "places": places[:MOST_NAMED]}


def _names_in(word: str) -> Sequence[str]:
    """Return the names that a word may contain: the word itself, and both sides of `Y7-Y8`."""
    return (word, *word.split("-")) if "-" in word else (word,)
