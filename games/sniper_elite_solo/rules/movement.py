"""The sniper's movement (SO-MOV-01..08), made openly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.events import AbilityUsed
from games.sniper_elite.rules.map_acts import acts_of
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.reach import SNIPER_REACH, Gait, limit, step_kind
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.words import KIND_WORDS
from games.sniper_elite_solo.rules.events import SniperMoved
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.telling import Telling, hit, update_lks


def noisy(view: Picture, path: Sequence[str]) -> bool:
    """Whether a move has bad effects: it is longer than what is silent, and not masked (SO-MOV-03, SO-R-30)."""
    numbers = view.numbers
    rough = any(view.map.spaces[space].difficult for space in path)
    silent = numbers.silent_move_max_difficult if rough else numbers.silent_move_max
    return len(path) > silent and view.active != "sound-masking"


def _hushed(view: Picture, path: Sequence[str]) -> bool:
    """Whether a move would be noisy without the allied sniper (EN-R-10, EN-R-34)."""
    return view.helper is not None and not noisy(view, path) and noisy(replace(view, ally=None), path)


def _first_steps(view: Picture) -> tuple[str, ...]:
    if view.space is not None:
        return view.map.walk[view.space]
    return (view.terrain.entries[str(view.entry)],)


def _offers(view: Picture) -> Iterable[Move]:
    if view.moved:
        return ()
    if view.shot and view.helper is not None and view.helper.stays_after_shot:
        return ()
    acts, start = acts_of(view.map), view.space
    entry = view.terrain.entries[str(view.entry)] if start is None else None
    gait = Gait(view.numbers.reach, view.active if view.active in GEAR else None)
    barred = acts.bits(view.units.values())
    return [move for move, spaces in acts.movements[start, entry, gait] if not spaces & barred]


def _check(view: Picture, command: Move) -> Move:
    path = command.path
    if view.space is None and path and path[0] not in _first_steps(view):
        raise Refused("SO-SET-16", Text("You enter at {known}, the space of your arrow.", known=_first_steps(view)[0]))
    if view.moved:
        raise Refused("SO-TRN-01", Text("You have already moved this turn; a movement cannot be split."))
    if view.shot and view.helper is not None and view.helper.stays_after_shot:
        raise Refused("EN-D-09", Text("After a shot Harrow stays where he is for this turn."))
    if view.numbers.reach < len(path) <= SNIPER_REACH:
        raise Refused("EN-D-08", Text("Wren moves at most two spaces."))
    if not 1 <= len(path) <= SNIPER_REACH:
        raise Refused("SO-MOV-01", Text("A movement goes one, two or three spaces. To stay, do not move at all."))
    rough = sum(view.map.spaces[space].difficult for space in path)
    if len(path) > limit(view.numbers.reach, rough, False) and view.numbers.reach < SNIPER_REACH:
        raise Refused("EN-R-27", Text("Wren moves only one space into difficult terrain."))
    if len(path) > limit(SNIPER_REACH, rough, False):
        raise Refused("SO-MOV-06", Text("A movement into difficult terrain goes at most two spaces."))
    here, climbed = view.space, False
    for space in path:
        near = here is not None and space in view.map.adjacent[here]
        step = step_kind(view.map, view.active, str(here), space) if near else None
        if step == "climb" and climbed:
            raise Refused("EN-D-05", Text("The Climbing Gear is good for one step."))
        if step not in ("climb", "dive"):
            _check_way(view, here, space)
        here, climbed = space, climbed or step == "climb"
    if not view.map.spaces[path[-1]].enterable:
        raise Refused("EN-D-06", Text("You cannot end a movement on water."))
    been = [view.space]
    for space in path:
        _check_free(view, space, been)
        been.append(space)
    return command


def _check_way(view: Picture, here: str | None, space: str) -> None:
    if not view.map.spaces[space].enterable:
        kind = KIND_WORDS[view.map.spaces[space].kind]
        raise Refused("SO-MOV-07", Text("Nobody can enter {space}: it is {kind}.", space=space, kind=kind))
    if here is not None and space not in view.map.adjacent[here]:
        raise Refused(
            "SO-MOV-07", Text("You cannot step from {here} to {space}: they share no edge.", here=here, space=space)
        )
    if here is not None and space not in view.map.walk[here]:
        raise Refused(
            "SO-MOV-07", Text("There is no door or ladder between {here} and {space}.", here=here, space=space)
        )


def _check_free(view: Picture, space: str, been: Sequence[str | None]) -> None:
    if space in been:
        raise Refused("SO-MOV-02", Text("You have already been on {space} this turn.", space=space))
    if view.unit_on(space) is not None:
        raise Refused("SO-MOV-02", Text("A unit stands on {space}; you cannot enter or pass it.", space=space))


def _decide(truth: Picture, command: Move, chance: Chance) -> list[Told]:
    """Out of the last known sector a noisy move updates it; within, it costs a hit (SO-MOV-04, SO-MOV-05)."""
    telling, loud = Telling(truth, chance), noisy(truth, command.path)
    telling.to_all(SniperMoved(command.path, loud))
    if _hushed(truth, command.path):
        telling.to_all(AbilityUsed(str(truth.ally)))
    if loud and truth.terrain.sector_of(command.path[-1]) != truth.lks:
        update_lks(telling)
    elif loud:
        hit(telling, "noisy-move")
    return telling.told


RULES = [Rule(Move, _offers, _check, _decide)]
