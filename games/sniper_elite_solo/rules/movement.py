"""The sniper's movement (SO-MOV-01..08), made openly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.chance import Chance
from engine.events import Told
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.movement import SNIPER_REACH, limit, paths
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


def _first_steps(view: Picture) -> tuple[str, ...]:
    if view.space is not None:
        return view.map.walk[view.space]
    return (view.terrain.entries[str(view.entry)],)


def _offers(view: Picture) -> Iterable[Move]:
    if view.moved:
        return ()
    barred = frozenset((view.space, *view.units.values()))
    return [Move(path) for path in paths(view.map, (), _first_steps(view), barred)]


def _check(view: Picture, command: Move) -> Move:
    path = command.path
    if view.space is None and path and path[0] not in _first_steps(view):
        raise Refused("SO-SET-16", Text("You enter at {known}, the space of your arrow.", known=_first_steps(view)[0]))
    if view.moved:
        raise Refused("SO-TRN-01", Text("You have already moved this turn; a movement cannot be split."))
    if not 1 <= len(path) <= SNIPER_REACH:
        raise Refused("SO-MOV-01", Text("A movement goes one, two or three spaces. To stay, do not move at all."))
    if len(path) > limit(SNIPER_REACH, sum(view.map.spaces[space].difficult for space in path), False):
        raise Refused("SO-MOV-06", Text("A movement into difficult terrain goes at most two spaces."))
    here = view.space
    for space in path:
        _check_way(view, here, space)
        here = space
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
    if loud and truth.terrain.sector_of(command.path[-1]) != truth.lks:
        update_lks(telling)
    elif loud:
        hit(telling, "noisy-move")
    return telling.told


RULES = [Rule(Move, _offers, _check, _decide)]
