"""Effects of the steps on solo cards, one function each (SO-KEY-01..15, SO-ASG-01..03, SO-D-02)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from games.sniper_elite.rules.events import Moved
from games.sniper_elite.rules.words import squad_of
from games.sniper_elite_solo.rules import cards, events, selectors
from games.sniper_elite_solo.rules.act import ArrivalKind, Telling, do_worst, hit, nearest, reveal, update_lks
from games.sniper_elite_solo.rules.cards import MoveStep, Repeatable
from games.sniper_elite_solo.rules.events import Arrival, Deployed
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.terrain import NO_WAY


class CardRun:
    """A card being resolved. `changed` are the defenders that it has moved (SO-R-59)."""

    def __init__(self, telling: Telling) -> None:
        self.telling = telling
        self.changed: set[str] = set()

    @property
    def view(self) -> Picture:
        return self.telling.truth

    def select(self, who: cards.Which) -> tuple[str, ...]:
        """Return the defenders that match all selectors."""
        return selectors.select_units(self.view, who, self.changed)

    def do_worst(self, outcomes: Iterable[Arrival], way: ArrivalKind) -> str:
        """Carry out the worst outcome and return its defender."""
        unit, changed = do_worst(self.telling, outcomes, way)
        if changed:
            self.changed.add(unit)
        return unit

    def hit_by(self, cause: str, units: Iterable[str | None]) -> None:
        """Give the sniper a hit for each of `units`."""
        for unit in units:
            if not self.telling.over:
                hit(self.telling, cause, unit)


def run_steps(telling: Telling, steps: Iterable[cards.AnyStep]) -> None:
    """Execute the steps of a card in order, until the game ends (SO-D-01)."""
    _run(CardRun(telling), steps)


def _run(card: CardRun, steps: Iterable[cards.AnyStep]) -> None:
    for step in steps:
        if card.telling.over:
            return
        _STEPS[type(step)](card, step)


def run_hooks(telling: Telling, hooks: Iterable[cards.Hook]) -> None:
    """Execute the steps that challenges add (SO-R-67)."""
    for hook in hooks:
        if not telling.over and (hook.cond is None or selectors.condition_holds(telling.truth, hook.cond)):
            run_steps(telling, hook.steps)


def walk_outcomes(view: Picture, unit: str, to: Iterable[str], n: int) -> list[Arrival]:
    """Return where a Move of `n` towards the nearest of `to` can end (SO-KEY-08, SO-KEY-11, SO-R-57)."""
    start = view.units[unit]
    if start is None:
        return []
    held = view.units.values()
    for ends in view.terrain.approaches(start, tuple(to), n):
        if free := [(unit, space) for space in ends if space not in held]:
            return free
    return []


def deploy_outcomes(view: Picture, unit: str, to: str) -> list[Arrival]:
    """Return where a deployment to a space can end (SO-KEY-07). Empty if it is ignored (SO-LKS-03)."""
    terrain, own = view.terrain, view.units[unit]
    held = {space for other, space in view.units.items() if other != unit}
    ends: tuple[str, ...] = (to,)
    if to in held:
        ends = tuple(space for space in view.map.matching[to] if space not in held)
        # If the neighbouring spaces are occupied too, take the closest free ones.
        ends = ends or terrain.closest([space for space in terrain.enterable if space not in held], to)
    return [(unit, space) for space in ends if _may_deploy(view, own, space)]


def _may_deploy(view: Picture, own: str | None, space: str) -> bool:
    """Return whether a defender may be deployed from its own space `own` to `space` (SO-LKS-03)."""
    if own is None or view.terrain.sector_of[own] != view.lks:
        return True
    towards = view.terrain.towards[view.space]
    # A defender in the last known sector never deploys away from the sniper.
    return towards[space] <= towards[own]


def _arrivals(view: Picture, step: Repeatable, unit: str, to: tuple[str, ...]) -> list[Arrival]:
    if isinstance(step, MoveStep):
        return walk_outcomes(view, unit, to, step.n + view.numbers.move_bonus_card)
    if len(to) == 1:
        return deploy_outcomes(view, unit, to[0])
    terrain, own = view.terrain, view.units[unit]
    shortest = terrain.nearest(own, to)
    # A deployment goes to the nearest of several targets.
    near = [space for space in to if terrain.towards[space][own] == shortest]
    return list(dict.fromkeys(outcome for space in near for outcome in deploy_outcomes(view, unit, space)))


def _arrival_kind(step: Repeatable) -> ArrivalKind:
    return Moved if isinstance(step, MoveStep) else Deployed


def _move(card: CardRun, step: Repeatable) -> None:
    """Move or deploy the defenders one at a time, nearest to their target first (SO-D-04, SO-R-56)."""
    units, terrain = card.view.units, card.view.terrain
    to = {unit: selectors.target_spaces(card.view, step.to, unit) for unit in card.select(step.who)}
    away = {unit: terrain.to_any(spaces)[units[unit]] for unit, spaces in to.items()}
    while away and not card.telling.over:
        closest = nearest(away)
        outcomes = [outcome for unit in closest for outcome in _arrivals(card.view, step, unit, to[unit])]
        # One of the equally near defenders acts. Then the choice is repeated. If none has an outcome, all of them stay.
        for unit in [card.do_worst(outcomes, _arrival_kind(step))] if outcomes else closest:
            del away[unit]


def _for_each(card: CardRun, step: cards.ForEachPossible) -> None:
    used: set[str] = set()
    for number in sorted(card.view.possible):
        for part in step.body:
            if not card.telling.over:
                _send_closest(card, part, number, used)


def _send_closest(card: CardRun, step: Repeatable, number: int, used: set[str]) -> None:
    """Move or deploy the closest available defender, and add it to `used` (SO-KEY-12, SO-R-51, SO-R-58)."""
    view = card.view
    to = selectors.target_spaces(view, step.to, objective=number)
    free = {unit: space for unit, space in view.units.items() if space is not None and unit not in used}
    # A defender already on the target counts as the closest and may stay there.
    outcomes = [(unit, space) for unit, space in free.items() if space in to]
    if outcomes:
        outcomes += [outcome for unit, _ in outcomes for outcome in _arrivals(view, step, unit, to)]
    else:
        towards = view.terrain.towards[view.terrain.objectives[number]]
        away = {unit: towards[space] for unit, space in free.items()}
        path = view.terrain.to_any(to)
        # Most of the time, one of the nearest can arrive, so the others need no check.
        for distance in sorted({*away.values()}):
            near = [unit for unit in free if away[unit] == distance]
            outcomes = [outcome for unit in near for outcome in _arrivals(view, step, unit, to)]
            # If all ends of a move are occupied, the closest defender still counts as used.
            if not outcomes and isinstance(step, MoveStep):
                outcomes = [(unit, free[unit]) for unit in near if path[free[unit]] != NO_WAY]
            if outcomes:
                break
    if outcomes:
        used.add(card.do_worst(outcomes, _arrival_kind(step)))


def _assignment(card: CardRun, step: cards.Assignment) -> None:
    """Deploy each colour to its marked spaces (SO-ASG-01..03, SO-R-27..29)."""
    update_lks(card.telling)
    marks = selectors.marked_spaces(card.view, step.marks, step.per_colour)
    card.telling.tell(events.AssignmentMarked(marks))
    used: set[str] = set()
    for colour, space in [(colour, space) for colour, spaces in marks.items() for space in spaces]:
        view = card.view
        if card.telling.over or view.unit_on(space) is not None:
            continue
        towards = view.terrain.towards[space]
        able = {
            unit: towards[own]
            for unit, own in view.on_board.items()
            if squad_of(unit) == colour and unit not in used and _may_deploy(view, own, space)
        }
        if able:
            used.add(card.do_worst([(unit, space) for unit in nearest(able)], Deployed))


def _scan(card: CardRun, step: cards.Scan) -> None:
    """Scan with the selected defenders (SO-KEY-03, SO-R-09, SO-R-49)."""
    beside = card.view.terrain.beside[card.view.space]
    _look(card, step, events.Scanned, "scan", lambda space: space in beside)


def _search(card: CardRun, step: cards.Search) -> None:
    """Search with the selected defenders (SO-KEY-04, SO-R-08)."""
    # Without sight there is no distance, which counts as out of range.
    board, here, reach = card.view.map, str(card.view.space), card.view.numbers.search_range
    _look(card, step, events.Searched, "search", lambda space: (board.distance(space, here) or reach + 1) <= reach)


def _look(card: CardRun, step: Any, event: Any, cause: str, finds: Callable[[str], bool]) -> None:
    """Make the selected defenders look for the sniper. Each one that finds it gives a hit."""
    units = card.select(step.who)
    if units:
        card.telling.tell(event(units))
    card.hit_by(cause, [unit for unit in units if finds(str(card.view.units[unit]))])


def _attack(card: CardRun, step: cards.Attack) -> None:
    spaces = selectors.attacked_spaces(card.view, step.spaces, card.changed)
    if spaces:
        card.telling.tell(events.Attacked(spaces))
    if card.view.space in spaces:
        card.hit_by("attack", [None] * card.view.numbers.attack_hits)


def _eliminate(card: CardRun, step: cards.Eliminate) -> None:
    """Remove the lowest possible objective of the last known sector that is not the sniper's (SO-D-08)."""
    p = card.view
    numbers = p.terrain.objectives_in(p.lks) if step.which == "lowest_in_lks" else ()
    for number in [number for number in numbers if number in p.possible and number not in p.mine][:1]:
        card.telling.tell(events.Eliminated(number))


def _branch(card: CardRun, step: cards.If) -> None:
    _run(card, step.then if selectors.condition_holds(card.view, step.cond) else step.otherwise)


_STEPS: Mapping[type[cards.CardStep], Callable[[CardRun, Any], None]] = {
    cards.UpdateLks: lambda card, step: update_lks(card.telling),
    cards.RevealPosition: lambda card, step: reveal(card.telling),
    cards.Eliminate: _eliminate,
    cards.MoveStep: _move,
    cards.DeployStep: _move,
    cards.Scan: _scan,
    cards.Search: _search,
    cards.Attack: _attack,
    cards.Assignment: _assignment,
    cards.ForEachPossible: _for_each,
    cards.If: _branch,
}
