"""MOVE and NOISE: the sniper's movement, who hears it; and the units' Move (MP-ACT-01..05)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text, row
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, to_all, to_sniper
from games.sniper_elite.rules.words import KIND_WORDS, UNITS

SNIPER_REACH = 3
"""MP-MOVE-01."""
UNIT_REACH = 2
"""MP-ACT-01."""


def limit(reach: int, difficult: int, cumulative: bool) -> int:
    """How long a movement may be in all that enters so many difficult spaces (MP-MOVE-09, MP-ACT-03).

    Difficult ground takes one off, however much of it there is; `cumulative` is the switch R-08 put off.
    """
    return reach - (difficult if cumulative else min(difficult, 1))


def _cumulative(view: Picture) -> bool:
    return not view.options.stands("R-08")


def alerted(view: Picture, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """The units next to the path of a noisy move, the starting space included (MP-NOISE-02, R-06, R-10).

    Sound Masking leaves none (MP-NOISE-08).
    """
    if len(path) < 2 or view.mine.masked:
        return ()
    heard = {near for space in (*path, *([start] if start else ())) for near in view.map.adjacent[space]}
    return tuple(unit for unit in UNITS if view.units[unit] in heard)


def barking(view: Picture, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """The spaces of the dogs on the path, the starting space included, however quiet it is (MP-SPEC-11..13, R-22)."""
    return tuple(dog for dog in view.dogs if dog in path or dog == start)


def unit_destinations(view: Picture, unit: str) -> list[str]:
    """Where a unit may finish a Move, in the map's order (MP-ACT-01..04, R-17, R-18)."""
    held = set(view.units.values())
    return [space for space in reachable(view, unit) if space not in held]


def reachable(view: Picture, unit: str) -> list[str]:
    """Where the Move of a unit on the board may lead, spaces that others hold included, in the map's order."""
    found = unit_reach(view.map, _cumulative(view))[str(view.units[unit])]
    barred = _arrived(view, unit) and not view.options.stands("R-18")
    return [space for space in found if not (barred and view.map.spaces[space].difficult)]


def _arrived(view: Picture, unit: str) -> bool:
    """Whether a unit on the board was deployed this turn. One that has moved does not move again (MP-DEF-04)."""
    return unit in view.off or "deploy" in view.acts_done(unit)


class SameMap:
    """A map as the key of a cache: the very same one, not one that looks alike."""

    def __init__(self, board: Map) -> None:
        self.map = board

    def __hash__(self) -> int:
        return id(self.map)

    def __eq__(self, other: object) -> bool:
        return hash(self) == hash(other)


def unit_reach(board: Map, cumulative: bool) -> dict[str, tuple[str, ...]]:
    """Where a unit's Move may lead from each space, all units aside."""
    return _unit_reach(SameMap(board), cumulative)


@lru_cache(maxsize=16)
def _unit_reach(board: SameMap, cumulative: bool) -> dict[str, tuple[str, ...]]:
    spaces, walk = board.map.spaces, board.map.walk
    found = {}
    for start in spaces:
        near = walk[start]
        far = (
            space
            for middle in near
            for space in walk[middle]
            if limit(UNIT_REACH, spaces[middle].difficult + spaces[space].difficult, cumulative) >= 2
        )
        ends = {*near, *far} - {start}
        found[start] = tuple(space for space in spaces if space in ends)
    return found


# --- the sniper's movement --------------------------------------------------------------------------------------


def _first_steps(view: Picture) -> tuple[str, ...]:
    me = view.mine
    if me.space is not None:
        return view.map.walk[me.space]
    return (view.sites.entries[str(me.entry)],)


def paths(
    board: Map,
    path: tuple[str, ...],
    steps: Iterable[str],
    barred: frozenset[str | None],
    cumulative: bool = False,
    difficult: int = 0,
) -> Iterator[tuple[str, ...]]:
    """All movements that go on from `path` by one of `steps`; `barred` are the spaces never to enter.

    `difficult` counts the difficult spaces of `path`; for `cumulative` see `limit`.
    """
    for space in steps:
        entered = difficult + board.spaces[space].difficult
        if space not in barred and len(path) < limit(SNIPER_REACH, entered, cumulative):
            longer = (*path, space)
            yield longer
            yield from paths(board, longer, board.walk[space], barred | {space}, cumulative, entered)


def _been(view: Picture) -> tuple[str | None, ...]:
    return (*view.mine.been, view.mine.space)


def _offer_moves(view: Picture) -> Iterable[Move]:
    if view.mine.moved:
        return ()
    barred = frozenset((*_been(view), *view.units.values()))
    return [Move(path) for path in paths(view.map, (), _first_steps(view), barred, _cumulative(view))]


def _check_move(view: Picture, command: Move) -> Move:
    if view.mine.moved:
        raise Refused("MP-MOVE-07", Text("You have already moved this turn; a movement cannot be split."))
    if not 1 <= len(command.path) <= SNIPER_REACH:
        raise Refused("MP-MOVE-01", Text("A movement goes one, two or three spaces. To stay, do not move at all."))
    here, been = view.mine.space, _been(view)
    for space in command.path:
        _check_step(view, here, space, been)
        here, been = space, (*been, space)
    difficult = sum(view.map.spaces[space].difficult for space in command.path)
    if len(command.path) > limit(SNIPER_REACH, difficult, _cumulative(view)):
        raise _too_slow(view)
    return command


def _too_slow(view: Picture) -> Refused:
    if _cumulative(view):
        return Refused(
            "MP-MOVE-09", Text("At this table each difficult space that you enter takes one off your three.")
        )
    return Refused("MP-MOVE-09", Text("A movement into difficult terrain goes at most two spaces."))


def _check_step(view: Picture, here: str | None, space: str, been: Sequence[str | None]) -> None:
    if here is None and space not in _first_steps(view):
        raise Refused(
            "MP-MOVE-08", Text("You enter at {known}, the space of your arrow.", known=row(_first_steps(view)))
        )
    if not view.map.spaces[space].enterable:
        raise Refused(
            "MP-MOVE-10",
            Text("Nobody can enter {space}: it is {kind}.", space=space, kind=KIND_WORDS[view.map.spaces[space].kind]),
        )
    if here is not None and space not in view.map.adjacent[here]:
        raise Refused(
            "MP-MOVE-02", Text("You cannot step from {here} to {space}: they share no edge.", here=here, space=space)
        )
    if here is not None and space not in view.map.walk[here]:
        raise Refused(
            "MP-MOVE-06", Text("There is no door or ladder between {here} and {space}.", here=here, space=space)
        )
    if space in been:
        raise Refused("MP-MOVE-05", Text("You have already been on {space} this turn.", space=space))
    if view.unit_on(space) is not None:
        raise Refused("MP-MOVE-03", Text("A unit stands on {space}; you cannot enter or pass it.", space=space))


def _move(truth: Picture, command: Move, chance: Chance) -> Iterator[Told]:
    yield to_sniper(events.SniperMoved(command.path))
    if heard := alerted(truth, truth.mine.space, command.path):
        yield to_all(events.Alerted(heard))
    if smelt := barking(truth, truth.mine.space, command.path):
        yield to_all(events.Barked(smelt))


RULES = [Rule(Move, _offer_moves, _check_move, _move)]
