"""What may be wrong with a drawing though it makes a map: warnings, each a sentence.

Faults, which refuse a map, are `check.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.graph.coverage import corner_contacts, stacks
from engine.graph.derive import connected
from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import at, listed
from engine.graph.gaps import on_border
from engine.graph.plane import double_area


def advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[str]:
    """The warnings about a drawing whose `sound` spaces have simple outlines."""
    if drawing.adjacent is None:
        yield from corner_contacts(sound)
        yield from _bare(drawing, sound)
    yield from _entries(drawing, sound)
    yield from _idle_accesses(drawing)
    yield from _twice(drawing)
    yield from _levels(sound)


def _entries(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[str]:
    spaces = {space.id: space for space in sound}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is not None and not on_border([space], entry.at):
            yield f"entry {space.id} at {at(entry.at)} does not touch the space it leads into. Move it to the outline."


def _twice(drawing: Drawing) -> Iterator[str]:
    drawn = Counter((access.kind, tuple(sorted(access.between))) for access in drawing.accesses)
    for (kind, between), times in drawn.items():
        if times > 1:
            places = [at(it.at) for it in drawing.accesses if (it.kind, tuple(sorted(it.between))) == (kind, between)]
            yield f"{kind} {'-'.join(between)} is drawn {times} times, at {listed(places)}. Keep one."


def _idle_accesses(drawing: Drawing) -> Iterator[str]:
    spaces = {space.id: space for space in drawing.spaces}
    for access in drawing.accesses:
        ends = [spaces[name] for name in access.between if name in spaces]
        if len(ends) == 2 and connected(ends[0], ends[1]):
            yield f"{access.kind} {ends[0].id}-{ends[1].id} at {at(access.at)}: one can walk there without it."


def _levels(sound: Sequence[DrawnSpace]) -> Iterator[str]:
    stacked = {name for pair in stacks(sound) for name in pair}
    for space in sound:
        if space.under and space.id not in stacked:
            yield f'{space.id} at {at(space.outline[0])} is "under", but no elevated space lies above it.'


def _bare(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[str]:
    covered = sum(abs(double_area(space.outline)) for space in sound if not space.under)
    board = 2 * drawing.size[0] * drawing.size[1]
    if covered < board:
        yield f"the spaces leave {100 * (board - covered) / board:.1f} % of the board bare."
