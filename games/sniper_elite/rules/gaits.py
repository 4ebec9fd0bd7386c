"""The sniper's movements with Eagle's Nest, as whoever looks on must reckon with them.

A ghost who is not known yet counts as the standard sniper: only Wren moves otherwise, never farther, and what she
does more quietly than others reveals her at once (EN-R-10).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.ground import Ground, ones
from games.sniper_elite.rules.movement import silent_length, sniper_reach, stays
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.reach import SNIPER_REACH, limit, step_kind
from games.sniper_elite.rules.stands import MOVED, parts


class Way(NamedTuple):
    """A movement: its spaces without the start, whether it is silent everywhere, and its end."""

    spaces: frozenset[str]
    silent: bool
    end: int


class Heard(NamedTuple):
    """Who must, and who must not, notice a movement: spaces beside units, and spaces with dogs."""

    zones: tuple[frozenset[str], ...]
    deaf: frozenset[str]
    barks: frozenset[str]
    scentless: frozenset[str]


def special(view: Picture) -> bool:
    """Whether movements may be others than the standard sniper's."""
    return view.options.ally is not None or view.active in ("climbing-gear", "diving-gear")


def reached(view: Picture, ground: Ground, starts: int, heard: Heard, *, masked: bool) -> Mapping[int, int]:
    """Start -> where movements from it end that just those of `heard` notice."""
    if stays(view):
        return {}
    units = {space for space in view.units.values() if space is not None}
    gait = sniper_reach(view), silent_length(view)
    gear = view.active if view.active in GEAR else None
    ways = view.map.derived(_way_tables)[ground, gear, not view.options.stands("R-08"), gait]
    found: dict[int, int] = {}
    for start, made in ways.items():
        if not starts >> start & 1:
            continue
        here = frozenset(ground.names[start : start + 1]) if start < len(ground.names) else frozenset()
        found[start] = _ends(made, here, units, heard, masked)
    return found


def _ends(made: Iterable[Way], here: frozenset[str], units: set[str], heard: Heard, masked: bool) -> int:
    ends = 0
    for way in made:
        path = way.spaces | here
        if way.spaces & units or path & heard.scentless or not heard.barks <= path:
            continue
        quiet = not heard.zones and (masked or way.silent or not path & heard.deaf)
        loud = bool(heard.zones) and not masked and not way.silent and not path & heard.deaf
        if quiet or (loud and all(path & zone for zone in heard.zones)):
            ends |= way.end
    return ends


def moved(ground: Ground, spots: int, loud: Mapping[int, int], soft: Mapping[int, int]) -> int:
    """Where movements from `spots` end, by their starts, `soft` those under Sound Masking."""
    unmoved, masked, _ = parts(ground, spots)
    found = 0
    for starts, ends in ((unmoved, loud), (masked, soft)):
        for start in ones(starts):
            found |= ends.get(start, 0)
    return found << MOVED * ground.size


def noticed_by(view: Picture, units: Collection[str], barks: Iterable[str]) -> Heard:
    """A movement that just these units, and the dogs on `barks`, notice."""
    near = {unit: frozenset(view.map.adjacent[space]) for unit, space in view.units.items() if space is not None}
    zones = tuple(near[unit] for unit in units)
    deaf = frozenset(space for unit, found in near.items() if unit not in units for space in found)
    return Heard(zones, deaf, frozenset(barks), frozenset(view.dogs) - frozenset(barks))


def _way_tables(board: Map) -> Lazy[tuple[Ground, str | None, bool, tuple[int, int]], dict[int, list[Way]]]:
    return Lazy(lambda key: _ways(board, *key))


def _ways(
    board: Map, ground: Ground, active: str | None, cumulative: bool, gait: tuple[int, int]
) -> dict[int, list[Way]]:
    """The movements from each space and each arrow, units aside."""
    names = (*ground.names, *sites_of(board).entries)
    return {
        start: [
            way
            for path in _paths(board, active, (), name if start < len(ground.names) else None, name, cumulative)
            if (way := _way(board, ground, path, cumulative, gait)) is not None
        ]
        for start, name in enumerate(names)
    }


def _way(board: Map, ground: Ground, path: tuple[str, ...], cumulative: bool, gait: tuple[int, int]) -> Way | None:
    rough = sum(board.spaces[space].difficult for space in path)
    reach, silent = gait
    if len(path) > limit(reach, rough, cumulative) or path[-1] not in ground.bit:
        return None
    return Way(frozenset(path), len(path) <= silent, ground.bit[path[-1]])


def _paths(
    board: Map, active: str | None, path: tuple[str, ...], start: str | None, name: str, cumulative: bool
) -> Iterator[tuple[str, ...]]:
    """All movements of up to three spaces from `start`, or from the arrow of sector `name`."""
    here = path[-1] if path else start
    steps = (sites_of(board).entries[name],) if here is None else board.adjacent[here]
    for space in steps:
        step = "walk" if here is None else step_kind(board, active, here, space)
        longer = (*path, space)
        climbs = 0 if start is None and len(longer) == 1 else _climbs(board, active, start, longer)
        if step is None or space == start or space in path or climbs > 1:
            continue
        yield longer
        if len(longer) < SNIPER_REACH:
            yield from _paths(board, active, longer, start, name, cumulative)


def _climbs(board: Map, active: str | None, start: str | None, path: tuple[str, ...]) -> int:
    steps = zip(path if start is None else (start, *path), path[1:] if start is None else path, strict=False)
    return sum(step_kind(board, active, here, there) == "climb" for here, there in steps)
