"""What is wrong with a drawing for this game: objectives, start circles and entries, each fault a sentence."""

from __future__ import annotations

from collections.abc import Iterator

from engine.graph import ENTERABLE
from engine.graph.drawing import Drawing, DrawnEntry, Verdict
from engine.graph.fault import at, listed
from games.sniper_elite.map_rules.advice import advice
from games.sniper_elite.map_rules.drawn import OBJECTIVES, Read, Site, read
from games.sniper_elite.map_rules.sites import NEUTRAL, squads

FULL_BOARD = frozenset({"yellow", "red", "black", NEUTRAL})


def check_drawing(drawing: Drawing) -> Verdict:
    """This game's faults and warnings of a drawing, which may have faults of any other kind."""
    found = read(drawing)
    faults = [
        *found.faults,
        *_objective_faults(drawing, found),
        *_start_faults(drawing, found),
        *_entry_faults(drawing),
    ]
    return Verdict(tuple(faults), (*found.warnings, *advice(drawing, found)))


def _objective_faults(drawing: Drawing, found: Read) -> Iterator[str]:
    """MP-MAP-14. A board with all four sectors has objectives 1 to 9; a smaller one numbers those it has from 1."""
    holders: dict[int, list[Site]] = {}
    for site in found.sites:
        if site.objective is not None:
            holders.setdefault(site.objective, []).append(site)
            kind = site.space.kind
            if kind not in ENTERABLE:
                yield f"{site.space.id} at {site.space.place}: objective {site.objective} is in {kind}. Move it."
    last = OBJECTIVES if set(drawing.sectors) >= FULL_BOARD else max(holders, default=0)
    for number in range(1, last + 1):
        places = [f"{site.space.id} at {site.space.place}" for site in holders.get(number, [])]
        if not places and drawing.sure() and found.sure("objective"):
            yield f'objective {number} is missing. Give one space "objective": {number}.'
        elif len(places) > 1:
            yield f"objective {number} is doubled: {listed(places)}. Keep one and renumber the others."


def _start_faults(drawing: Drawing, found: Read) -> Iterator[str]:
    """MP-MAP-18: one officer's and two soldiers' circles for each squad, none elsewhere."""
    homes = squads(drawing.sectors)
    for site in found.sites:
        space = site.space
        if site.start and "sector" not in space.unread and (space.sector not in homes or space.kind not in ENTERABLE):
            ground = space.kind if space.kind not in ENTERABLE else f"the {space.sector} sector, which has no squad"
            yield f"{space.id} at {space.place}: a start circle lies in {ground}. Move it to a squad's sector."
    for sector in homes:
        for role, wanted in (("officer", 1), ("soldier", 2)):
            own = [site.space for site in found.sites if site.space.sector == sector and site.start == role]
            sure = drawing.sure("sector", "kind") and found.sure("start")
            if len(own) > wanted or (len(own) < wanted and sure):
                places = listed([f"{space.id} at {space.place}" for space in own])
                yield (
                    f"the {sector} sector has {len(own)} {role} start circles{f' ({places})' if own else ''}, "
                    f'not {wanted}. Set "start": "{role}" in exactly {wanted} of its spaces.'
                )


def _entry_faults(drawing: Drawing) -> Iterator[str]:
    """MP-MAP-19: one arrow for each sector."""
    spaces = {space.id: space for space in reversed(drawing.spaces)}
    into: dict[str | None, list[DrawnEntry]] = {}
    for entry in drawing.entries:
        space = spaces.get(entry.space)
        if space is not None and space.kind in ENTERABLE:
            into.setdefault(space.sector, []).append(entry)
    for sector in drawing.sectors:
        found = into.get(sector, [])
        if not found and "entry" not in drawing.lost and drawing.sure("id", "sector", "kind"):
            yield f"no entry leads into the {sector} sector. Add one on the rim."
        elif len(found) > 1:
            places = listed([f"{entry.space} at {at(entry.at)}" for entry in found])
            yield f"{len(found)} entries lead into the {sector} sector: {places}. Keep one."
