"""Locations on a map that this game uses: arrows, start circles of the units, and objectives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from engine.graph import Map
from engine.graph.drawing import drawing_of_map
from games.sniper_elite.map_rules.drawn import Marks, Site, read

NEUTRAL = "white"  # The sector without a squad


class Sites(Struct, frozen=True):
    """The values that this game reads from a map.

    `entries` is sector -> the space that its arrow leads to. `starts` is unit -> space. `objectives` is number -> space
    and `numbers` is space -> number. `suits` is sector -> card suit. `marks` are for the solo game.
    """

    entries: dict[str, str]
    starts: dict[str, str]
    objectives: dict[int, str]
    numbers: dict[str, int]
    suits: dict[str, str]
    marks: Marks


def sites_of(board: Map) -> Sites:
    """Return the sites of a map. They are read once per map."""
    return board.derived(_sites)


def suit_of(board: Map, objective: int) -> str:
    """Return the sector of an objective's space, which corresponds to the card's suit (MP-SETUP-23)."""
    return str(board.spaces[sites_of(board).objectives[objective]].sector)


def squads(sectors: Sequence[str]) -> tuple[str, ...]:
    """Return the sectors that have a squad: all except the neutral one (MP-MAP-01)."""
    return tuple(sector for sector in sectors if sector != NEUTRAL)


def _sites(board: Map) -> Sites:
    found = read(drawing_of_map(board))
    numbered = [(site.objective, site.space.id) for site in found.sites if site.objective is not None]
    return Sites(
        entries={board.spaces[entry.space].sector or "": entry.space for entry in board.entries},
        starts={unit: space for sector in squads(board.sectors) for unit, space in _starts(sector, found.sites)},
        objectives=dict(sorted(numbered)),
        numbers={space: number for number, space in numbered},
        suits=dict(found.suits),
        marks=found.marks,
    )


def _starts(sector: str, sites: Iterable[Site]) -> list[tuple[str, str]]:
    """Return a squad's starts: its officer, then soldiers 1 and 2 in file order (MP-MAP-18)."""
    own = [site for site in sites if site.space.sector == sector]
    soldiers = [site.space.id for site in own if site.start == "soldier"]
    officers = [(f"{sector}-officer", site.space.id) for site in own if site.start == "officer"]
    return officers + [(f"{sector}-{number}", name) for number, name in enumerate(soldiers, start=1)]
