"""What may be wrong with a drawing though it makes a map: warnings, each a sentence.

Faults, which refuse a map, are `check.py`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from engine.graph.coverage import corner_contacts, stacks
from engine.graph.derive import connected, squads
from engine.graph.drawing import NEUTRAL, Drawing, DrawnSpace
from engine.graph.fault import at, guess, listed
from engine.graph.feature import short
from engine.graph.gaps import on_border
from engine.graph.plane import double_area

SOLO = "The solo game refuses it."
SUITS = ("diamonds", "hearts", "spades", "clubs")
LETTERS = {"yellow": "Y", "red": "R", "black": "K", "white": "W", "water": "~", "obstruction": "#"}


def advice(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[str]:
    """The warnings about a drawing whose `sound` spaces have simple outlines."""
    yield from corner_contacts(sound)
    yield from _entries(drawing, sound)
    yield from _layout(drawing)
    yield from _suits(drawing)
    yield from _letters(sound)
    yield from _marks(drawing)
    yield from _idle_accesses(drawing)
    yield from _twice(drawing)
    yield from _levels(sound)
    yield from _bare(drawing, sound)


def _entries(drawing: Drawing, sound: Sequence[DrawnSpace]) -> Iterator[str]:
    spaces = {space.id: space for space in sound}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is None:
            continue
        if space.start:
            yield f"entry {space.id} at {at(entry.at)} leads onto a start circle. Move one of them (R-74)."
        if space.objective:
            yield f"entry {space.id} at {at(entry.at)} leads onto objective {space.objective}. {SOLO}"
        if not on_border([space], entry.at):
            yield f"entry {space.id} at {at(entry.at)} does not touch the space it leads into. Move it to the outline."


def _layout(drawing: Drawing) -> Iterator[str]:
    """SO-R-44."""
    held = Counter(space.sector for space in drawing.spaces if space.objective)
    if sorted(held[sector] for sector in squads(drawing.sectors)) != [2, 3, 3] or held[NEUTRAL] != 1:
        said = listed([f"{held[sector]} in {sector}" for sector in drawing.sectors])
        yield f"the objectives are {said}, not 3, 3 and 2 in the coloured sectors and 1 in white. {SOLO}"


def _suits(drawing: Drawing) -> Iterator[str]:
    """Two objectives are of two suits (MP-SETUP-10, MP-SETUP-23): each sector has its own, and one that is on cards."""
    for sector, suit in drawing.suits.items():
        if suit not in SUITS:
            yield f'"suits" gives {sector} the suit {short(suit)}. Use {listed(SUITS)}.{guess(suit, SUITS)}'
    for suit, times in Counter(drawing.suits.values()).items():
        if times > 1:
            shared = listed([sector for sector, its in drawing.suits.items() if its == suit])
            yield f'"suits" gives {shared} one suit, {short(suit)}. Give each sector its own.'


def _letters(sound: Sequence[DrawnSpace]) -> Iterator[str]:
    """What is printed on the board should not mislead: the first sign of an id may tell a sector, and then its own."""
    for space in sound:
        ground = space.sector or space.kind
        own = LETTERS.get(ground)
        if own is not None and space.id[0] in LETTERS.values() and space.id[0] != own:
            yield f"{space.id} at {at(space.outline[0])} is {ground}, and its id says otherwise. Begin it with {own}."


def _marks(drawing: Drawing) -> Iterator[str]:
    """SO-D-09."""
    known = {*drawing.sectors, *(LETTERS[sector] for sector in drawing.sectors if sector in LETTERS)}
    named = drawing.marks.values()
    names = {name for sectors in named for name in (*sectors, *(it for colours in sectors.values() for it in colours))}
    for name in sorted(names - known):
        yield f'"marks" names the sector {short(name)}, which the map has not.{guess(name, sorted(known))}'


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
