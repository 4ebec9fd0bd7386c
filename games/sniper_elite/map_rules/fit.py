"""Check whether a map fits this game."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from engine.graph import Map
from engine.graph.drawing import redrawn
from engine.text import Text, and_list
from games.sniper_elite.map_rules.faults import check_drawing
from games.sniper_elite.map_rules.sites import sites_of, suit_of
from games.sniper_elite.rules.words import SECTOR_WORDS, UNITS


def map_faults(board: Map) -> list[Text]:
    """Return a sentence for each requirement of this game that the map doesn't meet; [] if it fits."""
    return list(board.derived(_faults))


def _faults(board: Map) -> tuple[Text, ...]:
    name, found = Text(board.name), check_drawing(redrawn(board)).faults
    drawn = [Text("{map}: {fault}", map=name, fault=fault) for fault in found]
    return tuple(dict.fromkeys([*drawn, *ground_faults(board), *way_in_faults(board)]))


def ground_faults(board: Map) -> Iterator[Text]:
    """Yield a fault if a unit has no circle, or if there is only one suit (MP-SETUP-10, MP-SETUP-16)."""
    sites = sites_of(board)
    suits = {suit_of(board, objective) for objective in sites.objectives}
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
        suits = {suit_of(board, objective) for objective in objectives}
        if not free - suits:
            both = and_list(SECTOR_WORDS.get(suit, suit) for suit in sorted(suits))
            yield Text(
                "{map} has no free arrow for objectives in {both}: units stand there.", map=Text(board.name), both=both
            )
