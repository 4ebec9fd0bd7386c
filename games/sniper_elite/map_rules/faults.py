"""Faults and warnings of a drawing or a map for this game (objectives, start circles, entries), one sentence each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from engine.graph import ENTERABLE, Entry, Map
from engine.graph.drawing import Drawing, DrawnSpace, Verdict, drawing_of_map
from engine.graph.fault import did_you_mean, with_subject
from engine.graph.feature import quoted_value
from engine.text import Text, and_list
from games.sniper_elite.map_rules.sites import (
    NEUTRAL,
    OBJECTIVES,
    Read,
    Site,
    read_sites,
    sector_of_objective,
    sites_of,
    squads,
)
from games.sniper_elite.rules.words import KIND_WORDS, SECTOR_WORDS, UNITS

SOLO = Text("The solo game refuses it.")
SUITS = ("diamonds", "hearts", "spades", "clubs")
WORDS = SECTOR_WORDS | KIND_WORDS
LETTERS = {"yellow": "Y", "red": "R", "black": "K", "white": "W", "water": "~", "obstruction": "#"}


def advice(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    """Yield this game's warnings about a drawing."""
    yield from _entry_advice(drawing, drawn_sites)
    yield from _layout_advice(drawing, drawn_sites)
    yield from _suit_advice(drawn_sites)
    yield from _letter_advice(drawing)
    yield from _mark_advice(drawing, drawn_sites)


def _entry_advice(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    site_of = {site.space.id: site for site in reversed(drawn_sites.sites)}
    for entry in drawing.entries:
        site = site_of.get(entry.space)
        if site is None:
            continue
        if site.start:
            yield with_subject(entry.label, Text("it leads onto a start circle. Move one of them (R-74)."))
        if site.objective:
            sentence = Text("it leads onto objective {objective}. {solo}", objective=site.objective, solo=SOLO)
            yield with_subject(entry.label, sentence)


def _layout_advice(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    """Warn about a layout of objectives that the solo game can't use (SO-R-44)."""
    objective_counts = Counter(site.space.sector for site in drawn_sites.sites if site.objective)
    spread = sorted(objective_counts[sector] for sector in squads(drawing.sectors))
    if drawing.sectors and (spread != [2, 3, 3] or objective_counts[NEUTRAL] != 1):
        found_in = [
            Text("{count} in {sector}", count=objective_counts[sector], sector=SECTOR_WORDS.get(sector, sector))
            for sector in drawing.sectors
        ]
        sentence = Text("the objectives are {found}, not 3, 3 and 2 in the coloured sectors and 1 in white. {solo}")
        yield sentence.with_(found=and_list(found_in), solo=SOLO)


def _suit_advice(drawn_sites: Read) -> Iterator[Text]:
    """Warn about suits: each sector needs its own suit, which is also on cards (MP-SETUP-10, MP-SETUP-23)."""
    for sector, suit in drawn_sites.suits.items():
        if suit not in SUITS:
            sentence = Text('"suits" gives {sector} the suit {suit}. Use {known}.{hint}')
            yield sentence.with_(
                sector=sector, suit=quoted_value(suit), known=and_list(SUITS), hint=did_you_mean(suit, SUITS)
            )
    for suit, times in Counter(drawn_sites.suits.values()).items():
        if times > 1:
            shared = and_list([sector for sector, its in drawn_sites.suits.items() if its == suit])
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


def _mark_advice(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    """Warn about marks for the solo game that name an unknown sector (SO-D-09)."""
    sector_names = {*drawing.sectors, *(LETTERS[sector] for sector in drawing.sectors if sector in LETTERS)}
    named = drawn_sites.marks.values()
    names = {name for sectors in named for name in (*sectors, *(it for colours in sectors.values() for it in colours))}
    for name in sorted(names - sector_names):
        sentence = Text('"marks" names the sector {sector}, which is not on the map.{hint}')
        yield sentence.with_(sector=quoted_value(name), hint=did_you_mean(name, sorted(sector_names)))


FULL_BOARD = frozenset({"yellow", "red", "black", NEUTRAL})
CIRCLES = {
    "officer": (1, Text("one officer's start circle")),
    "soldier": (2, Text("two soldiers' start circles")),
}
"""Role -> the number of start circles of that role per squad, as a number and in words."""


def check_drawing(drawing: Drawing) -> Verdict:
    """Return this game's faults and warnings for a drawing. It may also have other faults."""
    drawn_sites = read_sites(drawing)
    faults = [
        *drawn_sites.faults,
        *_objective_faults(drawing, drawn_sites),
        *_start_faults(drawing, drawn_sites),
        *_entry_faults(drawing),
    ]
    return Verdict(tuple(faults), (*drawn_sites.warnings, *advice(drawing, drawn_sites)))


def _objective_faults(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    """Yield faults of objectives, which are numbered from 1, on a full board to 9 (MP-MAP-14)."""
    holders: dict[int, list[Site]] = {}
    for site in drawn_sites.sites:
        if site.objective is not None:
            holders.setdefault(site.objective, []).append(site)
            if site.space.kind not in ENTERABLE:
                sentence = Text("objective {objective} is where nobody can go. Move it.", objective=site.objective)
                yield with_subject(_label(site.space), sentence)
    # A small board numbers its objectives from 1 without gaps.
    last = OBJECTIVES if set(drawing.sectors) >= FULL_BOARD else max(holders, default=0)
    missing = [str(number) for number in range(1, last + 1) if number not in holders]
    if missing and drawing.sure() and drawn_sites.sure("objective"):
        yield Text("objectives without a space: {numbers}. Give each number to one space.", numbers=and_list(missing))
    for number, sites in sorted(holders.items()):
        if len(sites) > 1 and number <= last:
            spaces = and_list([_label(site.space) for site in sites])
            sentence = Text("objective {objective} is doubled: {spaces}. Keep one and renumber the others.")
            yield sentence.with_(objective=number, spaces=spaces)


def _start_faults(drawing: Drawing, drawn_sites: Read) -> Iterator[Text]:
    """Yield faults of start circles: one officer and two soldiers per squad, and no others (MP-MAP-18)."""
    homes = squads(drawing.sectors)
    for site in drawn_sites.sites:
        space = site.space
        if site.start and "sector" not in space.unread and (space.sector not in homes or space.kind not in ENTERABLE):
            if space.kind in ENTERABLE:
                fault = Text(
                    "a start circle lies in the {sector} sector, which has no squad. Move it to a squad's sector.",
                    sector=SECTOR_WORDS.get(space.sector or "", space.sector or ""),
                )
            else:
                fault = Text("a start circle lies where nobody can go. Move it to a squad's sector.")
            yield with_subject(_label(space), fault)
    for sector in homes:
        for role, (number, wanted) in CIRCLES.items():
            own = [site.space for site in drawn_sites.sites if site.space.sector == sector and site.start == role]
            sure = drawing.sure("sector", "kind") and drawn_sites.sure("start")
            if len(own) > number or (len(own) < number and sure):
                places = and_list([_label(space) for space in own]) if own else Text("none")
                sentence = Text("the {sector} sector needs {wanted}, and has {found}. Choose them among its spaces.")
                yield sentence.with_(sector=SECTOR_WORDS.get(sector, sector), wanted=wanted, found=places)


def _label(space: DrawnSpace) -> Text:
    return Text("{space} at {place}", space=space.id, place=space.place)


def _entry_faults(drawing: Drawing) -> Iterator[Text]:
    """Yield faults of entries: one arrow for each sector (MP-MAP-19)."""
    spaces = {space.id: space for space in reversed(drawing.spaces)}
    into: dict[str | None, list[Entry]] = {}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is not None and space.kind in ENTERABLE:
            into.setdefault(space.sector, []).append(entry)
    bare = [SECTOR_WORDS.get(sector, sector) for sector in drawing.sectors if sector not in into]
    if bare and "entry" not in drawing.lost and drawing.sure("id", "sector", "kind"):
        yield Text("sectors without an entry: {sectors}. Draw an arrow into each, on the rim.", sectors=and_list(bare))
    for sector in drawing.sectors:
        sector_entries = into.get(sector, [])
        if len(sector_entries) > 1:
            entries = and_list([entry.label for entry in sector_entries])
            sentence = Text("more than one entry leads into the {sector} sector: {entries}. Keep one.")
            yield sentence.with_(sector=SECTOR_WORDS.get(sector, sector), entries=entries)


def map_faults(board: Map) -> list[Text]:
    """Return a sentence for each requirement of this game that the map doesn't meet; [] if it fits."""
    return list(board.derived(_all_faults))


def _all_faults(board: Map) -> tuple[Text, ...]:
    name, faults = Text(board.name), check_drawing(drawing_of_map(board)).faults
    drawn = [Text("{map}: {fault}", map=name, fault=fault) for fault in faults]
    return tuple(dict.fromkeys([*drawn, *ground_faults(board), *way_in_faults(board)]))


def ground_faults(board: Map) -> Iterator[Text]:
    """Yield a fault if a unit has no circle, or if there is only one suit (MP-SETUP-10, MP-SETUP-16)."""
    sites = sites_of(board)
    suits = {sector_of_objective(board, objective) for objective in sites.objectives}
    if len(suits) < 2 or any(unit not in sites.starts for unit in UNITS):
        yield Text(
            "{map} is too small for this game: it takes circles of three squads and objectives in two sectors.",
            map=Text(board.name),
        )


def way_in_faults(board: Map) -> Iterator[Text]:
    """Yield a fault for each pair of objectives that leaves the sniper no free arrow (R-74)."""
    sites = sites_of(board)
    free = {sector for sector, space in sites.entries.items() if space not in sites.starts.values()}
    # An arrow is barred by an objective in its sector (MP-TURN-03) and by a unit on its space.
    for objectives in combinations(sites.objectives, 2):
        suits = {sector_of_objective(board, objective) for objective in objectives}
        if not free - suits:
            both = and_list(SECTOR_WORDS.get(suit, suit) for suit in sorted(suits))
            yield Text(
                "{map} has no free arrow for objectives in {both}: units stand there.", map=Text(board.name), both=both
            )
