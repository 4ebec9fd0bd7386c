"""The sniper's public movement (SO-MOV-01..08)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.events import AbilityUsed
from games.sniper_elite.rules.map_acts import SNIPER_REACH, Gait, acts_of, limit
from games.sniper_elite.rules.movement import require_step, steps_of
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite_solo.rules.act import Telling, hit, update_lks
from games.sniper_elite_solo.rules.events import SniperMoved
from games.sniper_elite_solo.rules.options import parameters
from games.sniper_elite_solo.rules.picture import Picture


def is_noisy(view: Picture, path: Sequence[str]) -> bool:
    """Return whether a move is longer than a silent one and not masked (SO-MOV-03, SO-R-30)."""
    numbers = view.numbers
    rough = any(view.map.spaces[space].difficult for space in path)
    silent = numbers.silent_move_max_difficult if rough else numbers.silent_move_max
    return len(path) > silent and view.active != "sound-masking"


def _silent_by_ability(view: Picture, path: Sequence[str]) -> bool:
    """Return whether a move is silent only because of the allied sniper's ability (EN-R-10, EN-R-34)."""
    standard = parameters(view.options)
    return view.ally is not None and not is_noisy(view, path) and is_noisy(replace(view, numbers=standard), path)


def _must_stay(view: Picture) -> bool:
    """Return whether a shot has ended the sniper's movement for this turn (EN-D-09)."""
    return view.shot and view.helper.stays_after_shot


def _offers(view: Picture) -> Iterable[Move]:
    if view.moved or _must_stay(view):
        return ()
    acts = acts_of(view.map)
    gait = Gait(view.numbers.reach, view.active if view.active in GEAR else None)
    # Paths of the map are computed once; only those that cross a defender are left out here.
    held = acts.bits(view.units.values())
    return [move for move, spaces in acts.movements[view.space, _entry_space(view), gait] if not spaces & held]


def _entry_space(view: Picture) -> str | None:
    """Return the space of the chosen arrow before the sniper enters, otherwise None."""
    return view.terrain.entries[str(view.entry)] if view.space is None else None


def _check(view: Picture, command: Move) -> Move:
    path, entry = command.path, _entry_space(view)
    if entry is not None and path and path[0] != entry:
        raise Refused("SO-SET-16", Text("You enter at {known}, the space of your arrow.", known=entry))
    if view.moved:
        raise Refused("SO-TRN-01", Text("You have already moved this turn; a movement cannot be split."))
    if _must_stay(view):
        raise Refused("EN-D-09", Text("After a shot Harrow stays where he is for this turn."))
    if view.numbers.reach < len(path) <= SNIPER_REACH:
        raise Refused("EN-D-08", Text("Wren moves at most two spaces."))
    if not 1 <= len(path) <= SNIPER_REACH:
        raise Refused("SO-MOV-01", Text("Move one, two or three spaces. To stay, don't move at all."))
    rough = sum(view.map.spaces[space].difficult for space in path)
    if len(path) > limit(view.numbers.reach, rough, False) and view.numbers.reach < SNIPER_REACH:
        raise Refused("EN-R-27", Text("Wren moves only one space into difficult terrain."))
    if len(path) > limit(SNIPER_REACH, rough, False):
        raise Refused("SO-MOV-06", Text("A movement into difficult terrain goes at most two spaces."))
    for here, space, geared in steps_of(view.map, view.active, view.space, path):
        if not geared:
            require_step(view.map, here, space, ("SO-MOV-07", "SO-MOV-07", "SO-MOV-07"))
    if not view.map.spaces[path[-1]].enterable:
        raise Refused("EN-D-06", Text("You cannot end a movement on water."))
    # The protocol reports walls and water before defenders, wherever they are on the path.
    been = [view.space]
    for space in path:
        if space in been:
            raise Refused("SO-MOV-02", Text("You have already been on {space} this turn.", space=space))
        if view.unit_on(space) is not None:
            raise Refused("SO-MOV-02", Text("A unit stands on {space}; you cannot enter or pass it.", space=space))
        been.append(space)
    return command


def _move(telling: Telling, command: Move) -> None:
    """Move the sniper. Noise updates the last known sector, or costs a hit inside it (SO-MOV-04, SO-MOV-05)."""
    truth, noisy = telling.truth, is_noisy(telling.truth, command.path)
    telling.tell(SniperMoved(command.path, noisy))
    if _silent_by_ability(truth, command.path):
        telling.tell(AbilityUsed(str(truth.ally)))
    if noisy and truth.terrain.sector_of[command.path[-1]] != truth.lks:
        update_lks(telling)
    elif noisy:
        hit(telling, "noisy-move")


RULES = [Rule(Move, _offers, _check, _move)]
