"""Carries: match misplaced miniatures to free places, and list carries that may be done in any order. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import permutations

from engine.text import Text
from firmware_host.board.thresholds import MAX_CARRIES_TRIED
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Order, Orders

Way = tuple[str, str | None, str]
"""A miniature, its start (None: in the air or in the box) and its goal."""


def assigned(facts: Facts, named: Mapping[str, str | None], goals: Sequence[str]) -> list[Way]:
    """Return one carry for each goal, in the order of the miniatures.

    `named` is miniature -> where it stands, None in the air. Each miniature goes home if its home is a goal, else to
    the home of a look-alike. The remaining goals are filled from the box.
    """
    # First those whose own home is free, then look-alikes, then the box.
    unassigned, start_of = dict(named), dict[str, tuple[str, str | None]]()
    for unit in named:
        home = facts.standing[unit]
        if home in goals:
            start_of[str(home)] = unit, unassigned.pop(unit)
    for unit, space in unassigned.items():
        open_goals = [goal for goal in goals if goal not in start_of and facts.alike(unit, facts.homes[goal])]
        if open_goals:
            start_of[min(open_goals, key=lambda goal: (facts.steps(space, goal), goal))] = unit, space
    for goal in goals:
        start_of.setdefault(goal, (facts.homes[goal], None))
    order = [*facts.standing]
    return sorted(
        ((unit, start, goal) for goal, (unit, start) in start_of.items()), key=lambda way: order.index(way[0])
    )


def misplaced(facts: Facts, came: Collection[str]) -> dict[str, str | None] | None:
    """Return where the miniatures are that people still have to carry (None: on no space); None if that is unclear.

    Only the occupied spaces `came` and the former places are used, so that people can continue after a restart.
    """
    before = facts.before or {}
    moved = {unit: space for unit, space in before.items() if unit in facts.standing and facts.standing[unit] != space}
    extra = set(came) - facts.homes.keys() - facts.optional - facts.blind
    missing = facts.homes.keys() - set(came)
    late = {unit for unit, space in moved.items() if space in extra or facts.standing[unit] in missing}
    # Add those that stand in each other's way, until none is left.
    while more := {unit for unit in moved.keys() - late if _stands_in_way(facts, moved, unit, late, came)}:
        late |= more
    # If these carries don't explain all differences, something else has happened, too.
    explained = {moved[unit] for unit in late} | {facts.standing[unit] for unit in late}
    if not late or not extra | missing <= explained:
        return None
    return {unit: moved[unit] if moved[unit] in came else None for unit in facts.standing if unit in late}


def _stands_in_way(
    facts: Facts, moved: Mapping[str, str | None], unit: str, late: Collection[str], came: Collection[str]
) -> bool:
    """Return whether a miniature stands where one of `late` goes, or goes where one of `late` stands."""
    return any(
        (moved[unit] == facts.standing[other] and moved[unit] in came)
        or (facts.standing[unit] == moved[other] and moved[other] in came)
        for other in late
    )


def list_carries(facts: Facts, ways: Sequence[Way], came: Collection[str]) -> Orders:
    """Return the list of carries. A carry to an occupied space waits, unless all would wait."""
    blocked = [goal in came for _, _, goal in ways]
    # In a ring each carry waits for another, so people may begin anywhere.
    waits = [False] * len(ways) if all(blocked) else blocked
    numbers: dict[str, dict[str, int]] = {}  # group -> look -> number of the look within the group
    orders = []
    for (unit, start, goal), later in zip(ways, waits, strict=True):
        squad, look = facts.group(unit), facts.look_of(unit)
        looks = numbers.setdefault(squad, {})
        number = looks.setdefault(look, len(looks))
        says = Text("Set {unit} down on {space}.", unit=facts.called(unit), space=goal)
        if start is not None:
            says = carry_text(facts.called(unit), start, goal)
        orders.append(Order(start, goal, unit, says, later, squad, number))
    return Orders(tuple(orders), Text("Miniatures to be carried, in any order: {number}.", number=len(orders)))


def carry_text(unit: str, start: str, goal: str) -> Text:
    """Return the sentence of a carry; `unit` is the miniature's name for people."""
    return Text("Carry {unit} from {start} to {goal}.", unit=unit, start=start, goal=goal)


Carry = tuple[str, str]
"""From a space to a space."""


def carries(facts: Facts, sources: Mapping[str, str | None], goals: Sequence[str]) -> list[Carry]:
    """Return as many carries as possible with the fewest steps in total, the shortest first."""
    pairs = [(space, goal) for space in sources for goal in goals if fits(facts, sources[space], goal)]
    best = _all_tried(facts, [*sources], goals, pairs) if max(len(sources), len(goals)) <= MAX_CARRIES_TRIED else []
    return sorted(best or _nearest_first(facts, pairs), key=lambda carry: (facts.steps(*carry), carry))


def _all_tried(facts: Facts, sources: Sequence[str], goals: Sequence[str], pairs: list[Carry]) -> list[Carry]:
    # If there are more sources than goals, some pieces stay: their goal is empty.
    spare = max(0, len(sources) - len(goals))
    ways = ([*zip(sources, way, strict=True)] for way in permutations([*goals, *[""] * spare], len(sources)))
    fitting = ([carry for carry in way if carry in pairs] for way in ways)
    # Prefer more carries, then fewer steps. The last part makes the choice the same every time.
    return min(fitting, key=lambda way: (-len(way), sum(facts.steps(*carry) for carry in way), way), default=[])


def _nearest_first(facts: Facts, pairs: Iterable[Carry]) -> list[Carry]:
    nearest: list[Carry] = []
    for start, goal in sorted(pairs, key=lambda carry: (facts.steps(*carry), carry)):
        if all(start != other and goal != taken for other, taken in nearest):
            nearest.append((start, goal))
    return nearest


def fits(facts: Facts, unit: str | None, goal: str) -> bool:
    """Return whether a miniature or a look-alike belongs on a space. An unknown piece (None) fits everywhere."""
    return unit is None or facts.belongs(unit, goal)
