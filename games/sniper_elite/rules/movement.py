"""MOVE and NOISE: the sniper's movement and who hears it. Also the units' Move (MP-ACT-01..05)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Move, MoveUnit
from games.sniper_elite.rules.map_acts import SNIPER_REACH, Gait, acts_of, limit, step_kind
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, to_all, to_sniper
from games.sniper_elite.rules.words import KIND_WORDS, UNITS

SILENT_LENGTH = 1  # Longest silent movement of the standard sniper (MP-NOISE-01)


def sniper_reach(view: Picture) -> int:
    """Return the sniper's maximum movement in spaces (MP-MOVE-01, EN-D-08)."""
    return SNIPER_REACH + (0 if view.helper is None else view.helper.reach)


def silent_length(view: Picture) -> int:
    """Return the length of the longest movement that alerts no unit (MP-NOISE-01, EN-D-08)."""
    return SILENT_LENGTH + (0 if view.helper is None else view.helper.silent)


def counts_all_difficult(view: Picture) -> bool:
    """Return whether every difficult space counts, because R-08 is off (see `limit`)."""
    return not view.options.stands("R-08")


def alerted(view: Picture, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """Return the units next to a noisy move, start included; none if masked (MP-NOISE-02, MP-NOISE-08, R-06, R-10)."""
    return () if len(path) <= silent_length(view) or view.mine.masked else _units_next_to(view, start, path)


def _units_next_to(view: Picture, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    neighbours = {near for space in (*path, *([start] if start else ())) for near in view.map.adjacent[space]}
    return tuple(unit for unit in UNITS if view.units[unit] in neighbours)


def barking(view: Picture, start: str | None, path: Sequence[str]) -> tuple[str, ...]:
    """Return the spaces of the dogs on the path or its start, silent or not (MP-SPEC-11..13, R-22)."""
    return tuple(dog for dog in view.dogs if dog in path or dog == start)


def unit_moves(view: Picture, unit: str) -> Iterable[MoveUnit]:
    """Return the Moves of a unit on the board, in map order (MP-ACT-01..04, R-17, R-18)."""
    moves = acts_of(view.map).moves[unit, str(view.units[unit]), counts_all_difficult(view)].copy()
    for occupied in view.units.values():
        moves.pop(occupied, None)
    if is_slowed(view, unit):
        return [move for move in moves.values() if not view.map.spaces[move.to].difficult]
    return moves.values()


def reachable(view: Picture, unit: str) -> list[MoveUnit]:
    """Return the Moves of a unit on the board in map order, also those to occupied spaces."""
    moves = acts_of(view.map).moves[unit, str(view.units[unit]), counts_all_difficult(view)].values()
    barred = is_slowed(view, unit)
    return [move for move in moves if not (barred and view.map.spaces[move.to].difficult)]


def is_slowed(view: Picture, unit: str) -> bool:
    """Return whether a unit on the board can't enter difficult terrain: R-18 is off, and it was deployed this turn."""
    # A unit that has moved can't move again (MP-DEF-04).
    return not view.options.stands("R-18") and (unit in view.off or "deploy" in view.acts_done(unit))


def _entry_space(view: Picture) -> str:
    """Return the space of the arrow by which a sniper off the board enters (MP-MOVE-08)."""
    return view.sites.entries[str(view.mine.entry)]


def _offer_moves(view: Picture) -> Iterable[Move]:
    if view.mine.moved or must_stay(view):
        return ()
    acts, start = acts_of(view.map), view.mine.space
    # There are hundreds of movements, so test each with a single bit operation.
    barred = acts.bits((*view.mine.been, *view.units.values()))
    movements = acts.movements[start, None if start else _entry_space(view), sniper_gait(view)]
    return [command for command, spaces in movements if not spaces & barred]


def sniper_gait(view: Picture) -> Gait:
    """Return how the sniper moves now (EN-D-05, EN-D-06, EN-D-08)."""
    return Gait(sniper_reach(view), view.active if view.active in GEAR else None, counts_all_difficult(view))


def must_stay(view: Picture) -> bool:
    """Return whether a shot has ended the sniper's movement for this turn (EN-D-09, EN-R-31)."""
    return view.shot and view.helper is not None and view.helper.stays_after_shot


def _check_move(view: Picture, command: Move) -> Move:
    if view.mine.moved:
        raise Refused("MP-MOVE-07", Text("You have already moved this turn; a movement cannot be split."))
    if must_stay(view):
        raise Refused("EN-D-09", Text("After a shot Harrow stays where he is for this turn."))
    if sniper_reach(view) < len(command.path) <= SNIPER_REACH:
        raise Refused("EN-D-08", Text("Wren moves at most two spaces."))
    if not 1 <= len(command.path) <= SNIPER_REACH:
        raise Refused("MP-MOVE-01", Text("Move one, two or three spaces. To stay, don't move at all."))
    _check_steps(view, command.path)
    difficult = sum(view.map.spaces[space].difficult for space in command.path)
    reach, all_count = sniper_reach(view), counts_all_difficult(view)
    # Only Wren has a shorter reach, so the sentence names her.
    if reach < SNIPER_REACH and len(command.path) > limit(reach, difficult, all_count):
        raise Refused("EN-R-27", Text("Wren moves only one space into difficult terrain."))
    if len(command.path) > limit(SNIPER_REACH, difficult, all_count):
        raise _too_slow(view)
    return command


def _check_steps(view: Picture, path: Sequence[str]) -> None:
    been = (*view.mine.been, view.mine.space)
    for here, space, geared in steps_of(view.map, view.active, view.mine.space, path):
        if here is None and space != (entry := _entry_space(view)):
            raise Refused("MP-MOVE-08", Text("You enter at {known}, the space of your arrow."), known=entry)
        if not geared:
            require_step(view.map, here, space, ("MP-MOVE-10", "MP-MOVE-02", "MP-MOVE-06"))
        if space in been:
            raise Refused("MP-MOVE-05", Text("You have already been on {space} this turn."), space=space)
        if view.unit_on(space) is not None:
            raise Refused("MP-MOVE-03", Text("A unit stands on {space}; you cannot enter or pass it."), space=space)
        been = (*been, space)
    if view.active == "diving-gear" and view.map.spaces[path[-1]].kind == "water":
        raise Refused("EN-D-06", Text("You cannot end a movement on water."))


def _too_slow(view: Picture) -> Refused:
    text = Text("A movement into difficult terrain goes at most two spaces.")
    if counts_all_difficult(view):
        text = Text("At this table, each difficult space that you enter shortens your move by one.")
    return Refused("MP-MOVE-09", text)


def steps_of(
    board: Map, gear: str | None, start: str | None, path: Sequence[str]
) -> Iterator[tuple[str | None, str, bool]]:
    """Yield the steps of a path, from and to, and whether gear replaces the rules about walkable ground for this step.

    Raises `Refused` if the path climbs twice.
    """
    climbed = False
    for here, space in zip([start, *path[:-1]], path, strict=True):
        near = here is not None and space in board.adjacent[here]
        step = step_kind(board, gear, str(here), space) if near else None
        if step == "climb" and climbed:
            raise Refused("EN-D-05", Text("The Climbing Gear is good for one step."))
        climbed = climbed or step == "climb"
        yield here, space, step in ("climb", "dive")


def require_step(board: Map, here: str | None, space: str, rules: tuple[str, str, str]) -> None:
    """Raise `Refused` for a step that nobody can make on foot. `rules` are those of ground, of edges and of doors."""
    if not board.spaces[space].enterable:
        text = Text("Nobody can enter {space}: it is {kind}.")
        raise Refused(rules[0], text, space=space, kind=KIND_WORDS[board.spaces[space].kind])
    if here is not None and space not in board.adjacent[here]:
        text = Text("You cannot step from {here} to {space}: they share no edge.")
        raise Refused(rules[1], text, here=here, space=space)
    if here is not None and space not in board.walk[here]:
        text = Text("There is no door or ladder between {here} and {space}.")
        raise Refused(rules[2], text, here=here, space=space)


def _ability_silences(view: Picture, path: Sequence[str]) -> bool:
    """Return whether a silent movement would have alerted a unit without the allied sniper's ability (EN-R-10)."""
    loud = SILENT_LENGTH < len(path) <= silent_length(view) and not view.mine.masked
    return loud and bool(_units_next_to(view, view.mine.space, path))


def _move(truth: Picture, command: Move, chance: Chance) -> Iterator[Told]:
    yield to_sniper(events.SniperMoved(command.path))
    # `truth` is from before the move, so a masked movement still counts as masked.
    if units := alerted(truth, truth.mine.space, command.path):
        yield to_all(events.Alerted(units))
    # No unit heard it, but only because of the ability, which the sniper learns.
    elif _ability_silences(truth, command.path):
        yield to_sniper(events.AbilityUsed(str(truth.ally)))
    if dogs := barking(truth, truth.mine.space, command.path):
        yield to_all(events.Barked(dogs))


RULES = [Rule(Move, _offer_moves, _check_move, _move)]
