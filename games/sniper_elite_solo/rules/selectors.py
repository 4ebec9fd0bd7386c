"""Selectors and conditions of the card language, based on public information (SO-D-03, SO-D-05..07)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping

from engine.graph import Map
from engine.lazy import Lazy
from games.sniper_elite.rules.words import squad_of
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import Terrain, terrain_of
from games.sniper_elite_solo.rules.words import NEUTRAL, SECTORS

LETTERS = {"Y": "yellow", "R": "red", "K": "black", "W": "white"}  # Letters of the sectors in card data
OBJECTIVE, ACCESS = "$obj", "access($obj)"
CALL = re.compile(r"(\w+)\(([^,)]*)(?:,([^)]*))?\)")  # A call such as `beside(in_lks,enclosed)`


def _in_lks(view: Picture, unit: str, space: str) -> bool:
    return view.terrain.sector_of[space] == view.lks


def _lks_colour(view: Picture, unit: str, space: str) -> bool:
    return _in_lks(view, unit, space) if view.lks == NEUTRAL else squad_of(unit) == view.lks


def _on_possible(view: Picture, unit: str, space: str) -> bool:
    return view.terrain.objective_on(space) in view.possible


_WHO: Mapping[str, Callable[[Picture, str, str], bool]] = {
    "in_lks": _in_lks,
    "outside_lks": lambda view, unit, space: not _in_lks(view, unit, space),
    "lks_colour": _lks_colour,
    "on_possible": _on_possible,
    "not_on_possible": lambda view, unit, space: not _on_possible(view, unit, space),
    "beside_water": lambda view, unit, space: space in view.terrain.beside_water,
    "not_beside_water": lambda view, unit, space: space not in view.terrain.beside_water,
}
"""Selector -> whether it matches a defender on a space."""


def select_units(view: Picture, who: Iterable[str], changed: Collection[str] = ()) -> tuple[str, ...]:
    """Return the defenders on the board that match all selectors, in unit order. The card has moved `changed`."""
    found = view.on_board
    for selector in who:
        if selector in ("moved", "unmoved"):
            found = {unit: space for unit, space in found.items() if (unit in changed) == (selector == "moved")}
        elif selector != "all":
            fits = _FITS[selector]
            found = {unit: space for unit, space in found.items() if fits(view, unit, space)}
    return tuple(found)


def _fit(selector: str) -> Callable[[Picture, str, str], bool]:
    name, _, kind = selector.partition(":")
    if name in ("on", "not_on"):
        return lambda view, unit, space: (view.map.spaces[space].kind == kind) == (name == "on")
    return _WHO[selector]


_FITS = Lazy(_fit)


def target_spaces(view: Picture, to: str, unit: str | None = None, objective: int | None = None) -> tuple[str, ...]:
    """Return the target spaces of a step, in map order. `objective` is the current number of a repeated step."""
    terrain = view.terrain
    # Only these two depend on the objective of a repeat. All others are the same in every round.
    if objective is not None and to in (OBJECTIVE, ACCESS):
        space = terrain.objectives[objective]
        return (space,) if to == OBJECTIVE else terrain.access_of[space]
    if to == "iron_cross_of_own_colour":
        return (terrain.crosses[squad_of(str(unit))],)
    return _TARGETS[to](view)


def _spaces_in_sector(terrain: Terrain, sector: str | None, spaces: Iterable[str]) -> tuple[str, ...]:
    return tuple(space for space in spaces if terrain.sector_of[space] == sector)


_TARGETS: Mapping[str, Callable[[Picture], tuple[str, ...]]] = {
    "lks": lambda view: view.terrain.sectors[view.lks],
    "nearest_access_in_lks": lambda view: view.terrain.access_in[view.lks],
    "nearest_enclosed_in_lks": lambda view: view.terrain.enclosed_in[view.lks],
    "nearest_possible": lambda view: view.terrain.sorted([view.terrain.objectives[number] for number in view.possible]),
}


def attacked_spaces(view: Picture, spaces: Iterable[str], changed: Collection[str] = ()) -> tuple[str, ...]:
    """Return the spaces of an attack, in map order (SO-D-06)."""
    return view.terrain.sorted({space for selector in spaces for space in _attacked_units(view, selector, changed)})


def _attacked_units(view: Picture, selector: str, changed: Collection[str]) -> Iterable[str]:
    found = CALL.fullmatch(selector)
    assert found is not None, "the cards are checked by tests"
    name, who, kind = found.groups()
    standing = {str(view.units[unit]) for unit in select_units(view, [who], changed)}
    if name == "occupied_by":
        return standing
    # All other attacks hit spaces next to the matching defenders.
    near = {other for space in standing for other in view.map.adjacent[space]}
    if name == "access_in_lks_beside":
        return [space for space in view.terrain.access_in[view.lks] if space in near]
    return [space for space in view.terrain.sectors[view.lks] if space in near and _is(view, space, kind)]


def _is(view: Picture, space: str | None, kind: str) -> bool:
    return space is not None and view.map.spaces[space].kind == kind


_CONDITIONS: Mapping[str, Callable[[Picture, str], bool]] = {
    "sniper_on": lambda view, kind: _is(view, view.space, kind),
    "sniper_in_lks": lambda view, _: view.space is not None and view.terrain.sector_of[view.space] == view.lks,
    "lks_is": lambda view, letter: view.lks == LETTERS[letter],
    "possible_at_least": lambda view, number: len(view.possible) >= int(number),
    "deck_at_most": lambda view, number: view.deck_size <= int(number),
    "unguarded_possible": lambda view, _: not all(view.guarded_possible.values()),
}


def condition_holds(view: Picture, cond: str) -> bool:
    """Return whether a condition holds (SO-D-07)."""
    name, _, value = cond.partition(":")
    return _CONDITIONS[name](view, value)


def marked_spaces(view: Picture, name: str, per_colour: int) -> dict[str, tuple[str, ...]]:
    """Return colour -> its marked spaces, in dealing order (SO-ASG-02, SO-ASG-03, SO-R-66).

    The marks come from the map. For a map without marks, the same ones are generated every time (SO-D-09).
    """
    # In the neutral sector, each colour gets one mark.
    lks, number = str(view.lks), 1 if view.lks == NEUTRAL else per_colour
    given = view.terrain.marks.get(name, {}).get(lks)
    if given is None:
        return view.map.derived(_dealt_marks)[name, lks, number]
    return {colour: tuple(given.get(colour, ()))[:number] for colour in SECTORS[:-1] if colour != lks}


def _dealt_marks(board: Map) -> Lazy[tuple[str, str, int], dict[str, tuple[str, ...]]]:
    return Lazy(lambda key: _deal_marks(terrain_of(board), *key))


def _deal_marks(terrain: Terrain, name: str, lks: str, number: int) -> dict[str, tuple[str, ...]]:
    """Deal marks to the colours in turn, from the first tier with spaces left (SO-D-09)."""
    elevated = {space for space in terrain.enterable if terrain.map.spaces[space].kind == "elevated"}
    heights = terrain.sorted(elevated | set(terrain.ladders))
    tiers = [_spaces_in_sector(terrain, lks, spaces) for spaces in (heights, terrain.access, terrain.perimeter)]
    # Each set of marks starts at its own tier and falls back to the next ones.
    tiers = tiers[{"heights": 0, "access": 1}.get(name, 2) :]
    found: dict[str, list[str]] = {colour: [] for colour in SECTORS[:-1] if colour != lks}
    taken: set[str] = set()
    for _ in range(number):
        for colour, marks in found.items():
            left = next((free for tier in tiers if (free := [space for space in tier if space not in taken])), [])
            cross = terrain.crosses[colour]
            # Each colour takes the space nearest to its iron cross. The name decides ties.
            for space in sorted(left, key=lambda space: (terrain.distance(cross, space), space))[:1]:
                marks.append(space)
                taken.add(space)
    return {colour: tuple(spaces) for colour, spaces in found.items()}
