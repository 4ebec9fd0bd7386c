"""Warnings about a drawing that makes a valid map, each a sentence. Errors, which reject a map, are in `check.py`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from engine.graph.coverage import corner_contacts, stacked_pairs
from engine.graph.derive import can_walk_between
from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import point_text, with_subject
from engine.graph.gaps import on_border
from engine.graph.model import Access
from engine.graph.plane import double_area
from engine.text import Text, and_list


def drawing_warnings(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    """Yield the warnings about a drawing. The spaces in `sound` have simple outlines."""
    if drawing.adjacent is None:
        yield from corner_contacts(sound)
        yield from _coverage_advice(drawing, sound)
    yield from _entry_advice(drawing, sound)
    yield from _idle_accesses(drawing)
    yield from _double_access_advice(drawing)
    yield from _level_advice(sound)


def _entry_advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    spaces = {space.id: space for space in sound}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is not None and not on_border([space], entry.at):
            yield with_subject(entry.label, Text("it does not touch the space it leads into. Move it to the outline."))


def _double_access_advice(drawing: Drawing) -> Iterator[Text]:
    drawn: dict[tuple[str, frozenset[str]], list[Access]] = defaultdict(list)
    for access in drawing.accesses:
        drawn[access.kind, frozenset(access.between)].append(access)
    for first, *others in drawn.values():
        if others:
            places = and_list([point_text(access.at) for access in others])
            yield with_subject(first.label, Text("it is drawn again at {places}. Keep one.", places=places))


def _idle_accesses(drawing: Drawing) -> Iterator[Text]:
    spaces = {space.id: space for space in drawing.spaces}
    for access in drawing.accesses:
        ends = [spaces[name] for name in access.between if name in spaces]
        if len(ends) == 2 and can_walk_between(ends[0], ends[1]):
            yield with_subject(access.label, Text("one can walk there without it."))


def _level_advice(sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    stacked = {name for pair in stacked_pairs(sound) for name in pair}
    for space in sound:
        if space.under and space.id not in stacked:
            yield Text(
                '{space} at {place} is "under", but no elevated space lies above it.',
                space=space.id,
                place=point_text(space.outline[0]),
            )


def _coverage_advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[Text]:
    covered = sum(abs(double_area(space.outline)) for space in sound if not space.under)
    board = 2 * drawing.size[0] * drawing.size[1]
    if covered < board:
        part = f"{100 * (board - covered) / board:.1f}"
        yield Text("the spaces leave {part} % of the board bare.", part=part)
