"""What may be wrong with a drawing for this game though it can be played on: warnings, each a sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.graph.drawing import Drawing
from engine.graph.fault import at, guess, listed
from engine.graph.feature import short
from games.sniper_elite.map_rules.drawn import Read
from games.sniper_elite.map_rules.sites import NEUTRAL, squads

SOLO = "The solo game refuses it."
SUITS = ("diamonds", "hearts", "spades", "clubs")
LETTERS = {"yellow": "Y", "red": "R", "black": "K", "white": "W", "water": "~", "obstruction": "#"}


def advice(drawing: Drawing, found: Read) -> Iterator[str]:
    """This game's warnings about a drawing."""
    yield from _entries(drawing, found)
    yield from _layout(drawing, found)
    yield from _suits(found)
    yield from _letters(drawing)
    yield from _marks(drawing, found)


def _entries(drawing: Drawing, found: Read) -> Iterator[str]:
    sites = {site.space.id: site for site in reversed(found.sites)}
    for entry in drawing.entries:
        site = sites.get(entry.space)
        if site is None:
            continue
        if site.start:
            yield f"entry {entry.space} at {at(entry.at)} leads onto a start circle. Move one of them (R-74)."
        if site.objective:
            yield f"entry {entry.space} at {at(entry.at)} leads onto objective {site.objective}. {SOLO}"


def _layout(drawing: Drawing, found: Read) -> Iterator[str]:
    """SO-R-44."""
    held = Counter(site.space.sector for site in found.sites if site.objective)
    if sorted(held[sector] for sector in squads(drawing.sectors)) != [2, 3, 3] or held[NEUTRAL] != 1:
        said = listed([f"{held[sector]} in {sector}" for sector in drawing.sectors])
        yield f"the objectives are {said}, not 3, 3 and 2 in the coloured sectors and 1 in white. {SOLO}"


def _suits(found: Read) -> Iterator[str]:
    """Two objectives are of two suits (MP-SETUP-10, MP-SETUP-23): each sector has its own, and one that is on cards."""
    for sector, suit in found.suits.items():
        if suit not in SUITS:
            yield f'"suits" gives {sector} the suit {short(suit)}. Use {listed(SUITS)}.{guess(suit, SUITS)}'
    for suit, times in Counter(found.suits.values()).items():
        if times > 1:
            shared = listed([sector for sector, its in found.suits.items() if its == suit])
            yield f'"suits" gives {shared} one suit, {short(suit)}. Give each sector its own.'


def _letters(drawing: Drawing) -> Iterator[str]:
    """What is printed on the board should not mislead: the first sign of an id may tell a sector, and then its own."""
    for space in drawing.spaces:
        ground = space.sector or space.kind
        own = LETTERS.get(ground)
        if own is not None and space.id[0] in LETTERS.values() and space.id[0] != own:
            yield f"{space.id} at {space.place} is {ground}, and its id says otherwise. Begin it with {own}."


def _marks(drawing: Drawing, found: Read) -> Iterator[str]:
    """SO-D-09."""
    known = {*drawing.sectors, *(LETTERS[sector] for sector in drawing.sectors if sector in LETTERS)}
    named = found.marks.values()
    names = {name for sectors in named for name in (*sectors, *(it for colours in sectors.values() for it in colours))}
    for name in sorted(names - known):
        yield f'"marks" names the sector {short(name)}, which the map has not.{guess(name, sorted(known))}'
