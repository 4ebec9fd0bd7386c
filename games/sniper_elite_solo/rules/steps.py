"""What the steps of a solo card do, one small function a step (SO-KEY-01..15, SO-ASG-01..03, SO-D-02)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.sniper_elite.rules.words import squad_of
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import (
    AnyStep,
    Assignment,
    Attack,
    DeployStep,
    Eliminate,
    ForEachPossible,
    Hook,
    If,
    MoveStep,
    RevealPosition,
    Scan,
    Search,
    Step,
    UpdateLks,
)
from games.sniper_elite_solo.rules.events import Outcome
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.selectors import attacked, holds, marks_of, selected, target
from games.sniper_elite_solo.rules.snafu import DEPLOY, WALK, Way, carry_out, least, worst
from games.sniper_elite_solo.rules.telling import Telling, hit, reveal, update_lks
from games.sniper_elite_solo.rules.terrain import NO_WAY


class Run:
    """A card that is being resolved: what it has told, and the defenders whose space it has changed (SO-R-59)."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.changed: set[str] = set()

    @property
    def view(self) -> Picture:
        """The truth as it is now."""
        return self.telling.truth

    def act(self, outcomes: Iterable[Outcome], way: Way) -> str:
        """The worst outcome happens; the defender that it was."""
        unit, space = worst(self.telling, outcomes, way)
        before = self.view.units[unit]
        carry_out(self.telling, (unit, space), way)
        if space != before:
            self.changed.add(unit)
        return unit


def run(telling: Telling, steps: Iterable[AnyStep]) -> None:
    """Carry out the steps of a card, in order, up to the end of the game at the latest (SO-D-01)."""
    _run(Run(telling), steps)


def _run(card: Run, steps: Iterable[AnyStep]) -> None:
    for step in steps:
        if card.telling.over:
            return
        _STEPS[type(step)](card, step)


def run_hooks(telling: Telling, hooks: Iterable[Hook]) -> None:
    """Carry out what challenges add (SO-R-67)."""
    for hook in hooks:
        if not telling.over and (hook.cond is None or holds(telling.truth, hook.cond)):
            run(telling, hook.steps)


# --- what a defender could do -----------------------------------------------------------------------------------


def walks(view: Picture, unit: str, to: Iterable[str], n: int) -> list[Outcome]:
    """Where a Move of `n` could end on a shortest way to the nearest of `to` (SO-KEY-08, SO-KEY-11, SO-R-57)."""
    terrain, start = view.terrain, view.units[unit]
    rests = terrain.to_any(tuple(to))
    whole = NO_WAY if start is None else rests.get(start, NO_WAY)
    if start is None or whole in (0, NO_WAY):
        return []
    held = set(view.units.values())
    left = {
        space: rest
        for space, paid in terrain.ends(start, n)
        if space not in held and paid + (rest := rests.get(space, NO_WAY)) == whole
    }
    return [(unit, space) for space in least(left)]


def deployments(view: Picture, unit: str, to: str) -> list[Outcome]:
    """Where a defender that is deployed to a space could end (SO-KEY-07); nowhere if that is ignored (SO-LKS-03)."""
    terrain, own = view.terrain, view.units[unit]
    held = {space for other, space in view.units.items() if other != unit}
    ends: tuple[str, ...] = (to,)
    if to in held:
        ends = tuple(space for space in view.map.matching[to] if space not in held)
        ends = ends or terrain.closest([space for space in terrain.enterable if space not in held], to)
    return [(unit, space) for space in ends if may_deploy(view, own, space)]


def may_deploy(view: Picture, own: str | None, space: str) -> bool:
    """Whether a defender may be deployed from its `own` space to another (SO-LKS-03)."""
    terrain = view.terrain
    if own is None or terrain.sector_of(own) != view.lks:
        return True
    return terrain.distance(space, view.space) <= terrain.distance(own, view.space)


def _could(view: Picture, step: MoveStep | DeployStep, unit: str, to: tuple[str, ...]) -> list[Outcome]:
    if isinstance(step, MoveStep):
        return walks(view, unit, to, step.n + view.numbers.move_bonus_card)
    near = least({space: view.terrain.distance(view.units[unit], space) for space in to})
    return list(dict.fromkeys(outcome for space in near for outcome in deployments(view, unit, space)))


# --- moves and deployments --------------------------------------------------------------------------------------


def _move(card: Run, step: MoveStep | DeployStep) -> None:
    """The defenders act one at a time, the nearest to their target first (SO-D-04, SO-R-56)."""
    to = {unit: target(card.view, step.to, unit) for unit in selected(card.view, step.who, card.changed)}
    way = WALK if isinstance(step, MoveStep) else DEPLOY
    while to and not card.telling.over:
        view = card.view
        nearest = least({unit: view.terrain.nearest(view.units[unit], spaces) for unit, spaces in to.items()})
        outcomes = [outcome for unit in nearest for outcome in _could(view, step, unit, to[unit])]
        done = [card.act(outcomes, way)] if outcomes else nearest
        to = {unit: spaces for unit, spaces in to.items() if unit not in done}


def _for_each(card: Run, step: ForEachPossible) -> None:
    used: set[str] = set()
    for number in sorted(card.view.possible):
        for part in step.body:
            if not card.telling.over:
                _closest(card, part, number, used)


def _closest(card: Run, step: MoveStep | DeployStep, number: int, used: set[str]) -> None:
    """The closest defender that is not used yet and may act does so, and is used (SO-KEY-12, SO-R-51, SO-R-58)."""
    view = card.view
    to = target(view, step.to, objective=number)
    free = {unit: space for unit, space in view.on_board.items() if unit not in used}
    there = [unit for unit, space in free.items() if space in to]
    staying = [(unit, free[unit]) for unit in there]
    if not there:
        able = [unit for unit in free if _able(view, step, unit, to)]
        goal = view.terrain.objectives[number]
        there = least({unit: view.terrain.distance(free[unit], goal) for unit in able})
    outcomes = [*staying, *(outcome for unit in there for outcome in _could(view, step, unit, to))]
    outcomes = outcomes or [(unit, free[unit]) for unit in there]
    if outcomes:
        used.add(card.act(outcomes, WALK if isinstance(step, MoveStep) else DEPLOY))


def _able(view: Picture, step: MoveStep | DeployStep, unit: str, to: tuple[str, ...]) -> bool:
    """Whether a defender comes into question: for a move with a way, for a deployment that is not ignored."""
    if isinstance(step, MoveStep):
        return view.terrain.nearest(view.units[unit], to) != NO_WAY
    return bool(_could(view, step, unit, to))


def _assignment(card: Run, step: Assignment) -> None:
    """SO-ASG-01..03, SO-R-27..29."""
    update_lks(card.telling)
    marks = marks_of(card.view, step.marks, step.per_colour)
    card.telling.to_all(events.AssignmentMarked(marks))
    used: set[str] = set()
    for colour, spaces in marks.items():
        for space in spaces:
            view = card.view
            if card.telling.over or view.unit_on(space) is not None:
                continue
            fit = {
                unit: view.terrain.distance(own, space)
                for unit, own in view.on_board.items()
                if squad_of(unit) == colour and unit not in used and may_deploy(view, own, space)
            }
            if fit:
                used.add(card.act([(unit, space) for unit in least(fit)], DEPLOY))


# --- hits -------------------------------------------------------------------------------------------------------


def _scan(card: Run, step: Scan) -> None:
    units = selected(card.view, step.who, card.changed)
    if units:
        card.telling.to_all(events.Scanned(units))
    _hits(card, "scan", [unit for unit in units if scans(card.view, unit)])


def scans(view: Picture, unit: str) -> bool:
    """Whether a scan of this defender finds the sniper (SO-KEY-03, SO-R-09, SO-R-49)."""
    return view.units[unit] in view.terrain.beside(view.space)


def _search(card: Run, step: Search) -> None:
    units = selected(card.view, step.who, card.changed)
    if units:
        card.telling.to_all(events.Searched(units))
    _hits(card, "search", [unit for unit in units if searches(card.view, unit)])


def searches(view: Picture, unit: str) -> bool:
    """Whether a search of this defender finds the sniper (SO-KEY-04, SO-R-08)."""
    space = view.units[unit]
    distance = None if space is None or view.space is None else view.map.distance(space, view.space)
    return distance is not None and distance <= view.numbers.search_range


def _attack(card: Run, step: Attack) -> None:
    spaces = attacked(card.view, step.spaces, card.changed)
    if spaces:
        card.telling.to_all(events.Attacked(spaces))
    if card.view.space in spaces:
        _hits(card, "attack", [None] * card.view.numbers.attack_hits)


def _hits(card: Run, cause: str, by: Iterable[str | None]) -> None:
    for unit in by:
        if not card.telling.over:
            hit(card.telling, cause, unit)


# --- the rest ---------------------------------------------------------------------------------------------------


def _update_lks(card: Run, step: UpdateLks) -> None:
    update_lks(card.telling)


def _reveal(card: Run, step: RevealPosition) -> None:
    reveal(card.telling)


def _eliminate(card: Run, step: Eliminate) -> None:
    for number in lowest_in_lks(card.view) if step.which == "lowest_in_lks" else ():
        card.telling.to_all(events.Eliminated(number))


def lowest_in_lks(view: Picture) -> tuple[int, ...]:
    """The lowest possible objective of the last known sector that is none of the sniper's own, if any (SO-D-08)."""
    numbers = view.terrain.objectives_in(view.lks)
    return tuple(number for number in numbers if number in view.possible and number not in view.mine)[:1]


def _if(card: Run, step: If) -> None:
    _run(card, step.then if holds(card.view, step.cond) else step.otherwise)


_STEPS: Mapping[type[Step], Callable[[Run, Any], None]] = {
    UpdateLks: _update_lks,
    RevealPosition: _reveal,
    Eliminate: _eliminate,
    MoveStep: _move,
    DeployStep: _move,
    Scan: _scan,
    Search: _search,
    Attack: _attack,
    Assignment: _assignment,
    ForEachPossible: _for_each,
    If: _if,
}
