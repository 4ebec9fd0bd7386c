"""Warnings about a playable drawing, one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.graph.drawing import Drawing
from engine.graph.fault import did_you_mean, with_subject
from engine.graph.feature import quoted_value
from engine.text import Text, and_list
from games.sniper_elite.map_rules.drawn import Read
from games.sniper_elite.map_rules.sites import NEUTRAL, squads
from games.sniper_elite.rules.words import KIND_WORDS, SECTOR_WORDS

SOLO = Text("The solo game refuses it.")
SUITS = ("diamonds", "hearts", "spades", "clubs")
WORDS = SECTOR_WORDS | KIND_WORDS
LETTERS = {"yellow": "Y", "red": "R", "black": "K", "white": "W", "water": "~", "obstruction": "#"}


def advice(drawing: Drawing, found: Read) -> Iterator[Text]:
    """Yield this game's warnings about a drawing."""
    yield from _entry_advice(drawing, found)
    yield from _layout_advice(drawing, found)
    yield from _suit_advice(found)
    yield from _letter_advice(drawing)
    yield from _mark_advice(drawing, found)


def _entry_advice(drawing: Drawing, found: Read) -> Iterator[Text]:
    sites = {site.space.id: site for site in reversed(found.sites)}
    for entry in drawing.entries:
        site = sites.get(entry.space)
        if site is None:
            continue
        if site.start:
            yield with_subject(entry.label, Text("it leads onto a start circle. Move one of them (R-74)."))
        if site.objective:
            sentence = Text("it leads onto objective {objective}. {solo}", objective=site.objective, solo=SOLO)
            yield with_subject(entry.label, sentence)


def _layout_advice(drawing: Drawing, found: Read) -> Iterator[Text]:
    """Warn about a layout of objectives that the solo game can't use (SO-R-44)."""
    held = Counter(site.space.sector for site in found.sites if site.objective)
    spread = sorted(held[sector] for sector in squads(drawing.sectors))
    if drawing.sectors and (spread != [2, 3, 3] or held[NEUTRAL] != 1):
        found_in = [
            Text("{count} in {sector}", count=held[sector], sector=SECTOR_WORDS.get(sector, sector))
            for sector in drawing.sectors
        ]
        sentence = Text("the objectives are {found}, not 3, 3 and 2 in the coloured sectors and 1 in white. {solo}")
        yield sentence.with_(found=and_list(found_in), solo=SOLO)


def _suit_advice(found: Read) -> Iterator[Text]:
    """Warn about suits: each sector has one of its own, which is on cards (MP-SETUP-10, MP-SETUP-23)."""
    for sector, suit in found.suits.items():
        if suit not in SUITS:
            sentence = Text('"suits" gives {sector} the suit {suit}. Use {known}.{hint}')
            yield sentence.with_(
                sector=sector, suit=quoted_value(suit), known=and_list(SUITS), hint=did_you_mean(suit, SUITS)
            )
    for suit, times in Counter(found.suits.values()).items():
        if times > 1:
            shared = and_list([sector for sector, its in found.suits.items() if its == suit])
            sentence = Text('"suits" gives {sectors} one suit, {suit}. Give each sector its own.')
            yield sentence.with_(sectors=shared, suit=quoted_value(suit))


def _letter_advice(drawing: Drawing) -> Iterator[Text]:
    """Warn about misleading IDs: if the first character names a sector, it should be the space's own."""
    for space in drawing.spaces:
        ground = space.sector or space.kind
        own = LETTERS.get(ground)
        if own is not None and space.id[0] in LETTERS.values() and space.id[0] != own:
            sentence = Text("{space} at {place} is {ground}, but its ID says otherwise. Start the ID with {letter}.")
            yield sentence.with_(space=space.id, place=space.place, ground=WORDS.get(ground, ground), letter=own)


def _mark_advice(drawing: Drawing, found: Read) -> Iterator[Text]:
    """Warn about marks for the solo game that name an unknown sector (SO-D-09)."""
    known = {*drawing.sectors, *(LETTERS[sector] for sector in drawing.sectors if sector in LETTERS)}
    named = found.marks.values()
    names = {name for sectors in named for name in (*sectors, *(it for colours in sectors.values() for it in colours))}
    for name in sorted(names - known):
        sentence = Text('"marks" names the sector {sector}, which is not on the map.{hint}')
        yield sentence.with_(sector=quoted_value(name), hint=did_you_mean(name, sorted(known)))
