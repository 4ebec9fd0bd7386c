"""What a solo card is about to do: each step in a sentence, with the defenders and the spaces that it concerns.

It is worked out from what everybody sees, before anything happens. Steps that hang on earlier ones (`moved`, a card
that updates the last known sector first) are explained as things stand now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text, comma_list, or_list
from games.sniper_elite.rules.words import KIND_WORDS, SECTOR_WORDS
from games.sniper_elite_solo.rules.cards import (
    CARDS,
    AnyStep,
    Assignment,
    Attack,
    DeployStep,
    Eliminate,
    ForEachPossible,
    If,
    MoveStep,
    RevealPosition,
    Scan,
    Search,
    Step,
    UpdateLks,
)
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.selectors import CALL, LETTERS, attacked, holds, marks_of, selected, target


class Explained(Struct, frozen=True):
    """A step before it happens. `applies` is False for the branch of a condition that does not hold now."""

    text: Text
    units: tuple[str, ...] = ()
    spaces: tuple[str, ...] = ()
    applies: bool = True


_WHO: Mapping[str, Text] = {
    "all": Text("every defender"),
    "in_lks": Text("every defender in the last known sector"),
    "outside_lks": Text("every defender outside the last known sector"),
    "lks_colour": Text("every defender of the last known sector's colour"),
    "on_possible": Text("every defender on a possible objective"),
    "not_on_possible": Text("every defender who is on no possible objective"),
    "beside_water": Text("every defender beside water"),
    "not_beside_water": Text("every defender who is not beside water"),
    "moved": Text("every defender whom this card has moved"),
    "unmoved": Text("every defender whom this card has not moved"),
    "closest": Text("the closest defender"),
}
_ON = Text("every defender on {kind} ground")
_NOT_ON = Text("every defender who is not on {kind} ground")
_TO: Mapping[str, Text] = {
    "lks": Text("the last known sector"),
    "$obj": Text("that objective"),
    "access($obj)": Text("the way in that is closest to that objective"),
    "nearest_access_in_lks": Text("the nearest way in or out in the last known sector"),
    "nearest_possible": Text("the nearest possible objective"),
    "nearest_enclosed_in_lks": Text("the nearest enclosed space in the last known sector"),
    "iron_cross_of_own_colour": Text("the iron cross of its colour"),
}
_ATTACKED: Mapping[str, Text] = {
    "occupied_by": Text("the space of {who}"),
    "access_in_lks_beside": Text("the ways in of the last known sector beside {who}"),
    "beside": Text("the {kind} spaces of the last known sector beside {who}"),
}
_CONDITIONS: Mapping[str, Text] = {
    "sniper_on": Text("you are on {kind} ground"),
    "sniper_in_lks": Text("you are in the last known sector"),
    "lks_is": Text("the last known sector is {sector}"),
    "possible_at_least": Text("at least {number} possible objectives are left"),
    "deck_at_most": Text("the deck has {number} cards or fewer"),
    "unguarded_possible": Text("a possible objective is unguarded"),
}


def card(view: Picture, name: str) -> list[Explained]:
    """The steps of a solo card, in order, as they would go now."""
    return list(steps(view, CARDS[name].steps))


def steps(view: Picture, found: Iterable[AnyStep]) -> Iterator[Explained]:
    """Some steps, in order, as they would go now; both branches of a condition."""
    for step in found:
        if isinstance(step, If):
            yield from _branches(view, step)
        else:
            yield _STEPS[type(step)](view, step)


def _branches(view: Picture, step: If) -> Iterator[Explained]:
    so = holds(view, step.cond)
    for branch, applies, text in (
        (step.then, so, Text("If {cond}: {what}")),
        (step.otherwise, not so, Text("If not: {what}")),
    ):
        for found in steps(view, branch):
            said = text.with_(cond=_condition(step.cond), what=found.text)
            yield Explained(said, found.units, found.spaces, applies and found.applies)


def who(selectors: Iterable[str]) -> str:
    """Defenders in words; several selectors narrow each other."""
    first, *others = map(_who, selectors)
    for other in others:
        first = Text("{some} (and at the same time {others})", some=first, others=other)
    return first


def _who(selector: str) -> Text:
    name, _, kind = selector.partition(":")
    if name in ("on", "not_on"):
        return (_ON if name == "on" else _NOT_ON).with_(kind=KIND_WORDS[kind])
    return _WHO[name]


def _condition(cond: str) -> Text:
    name, _, value = cond.partition(":")
    words: dict[str, str | int] = {"number": value}
    if name == "sniper_on":
        words = {"kind": KIND_WORDS[value]}
    elif name == "lks_is":
        words = {"sector": SECTOR_WORDS[LETTERS[value]]}
    return _CONDITIONS[name].with_(**words)


def _move(view: Picture, step: MoveStep) -> Explained:
    number = step.n + view.numbers.move_bonus_card
    text = Text(
        "{who} moves up to {number} space towards {to}.",
        "{who} moves up to {number} spaces towards {to}.",
        who=who(step.who),
        number=number,
        to=_TO[step.to],
    )
    return Explained(text, *_concerned(view, step))


def _deploy(view: Picture, step: DeployStep) -> Explained:
    return Explained(Text("{who} is deployed to {to}.", who=who(step.who), to=_TO[step.to]), *_concerned(view, step))


def _concerned(view: Picture, step: MoveStep | DeployStep) -> tuple[tuple[str, ...], tuple[str, ...]]:
    units = selected(view, step.who)
    return units, view.terrain.sorted({space for unit in units for space in target(view, step.to, unit)})


def _for_each(view: Picture, step: ForEachPossible) -> Explained:
    """Which defenders it will be comes out only as it happens: all on the board are in question."""
    said = comma_list([_repeated(view, part) for part in step.body])
    spaces = {space for part in step.body for n in view.possible for space in target(view, part.to, objective=n)}
    text = Text("For each possible objective in ascending order: {what}", what=said)
    return Explained(text, tuple(view.on_board), view.terrain.sorted(spaces))


def _repeated(view: Picture, part: MoveStep | DeployStep) -> Text:
    if isinstance(part, DeployStep):
        return Text("{who} is deployed to {to}.", who=who(part.who), to=_TO[part.to])
    return Text(
        "{who} moves up to {number} space towards {to}.",
        "{who} moves up to {number} spaces towards {to}.",
        who=who(part.who),
        number=part.n + view.numbers.move_bonus_card,
        to=_TO[part.to],
    )


def _scan(view: Picture, step: Scan) -> Explained:
    units = selected(view, step.who)
    spaces = {
        near for unit in units for near in view.terrain.beside(view.units[unit]) if near in view.terrain.enterable
    }
    return Explained(
        Text("{who} scans: a hit if you are on its space or beside it.", who=who(step.who)),
        units,
        view.terrain.sorted(spaces),
    )


def _search(view: Picture, step: Search) -> Explained:
    units, number = selected(view, step.who), view.numbers.search_range
    spaces = {space for unit in units for space in _searched(view, str(view.units[unit]))}
    text = Text(
        "{who} searches: a hit if it sees you at a distance of up to {number}.", who=who(step.who), number=number
    )
    return Explained(text, units, view.terrain.sorted(spaces))


def _searched(view: Picture, start: str) -> Iterator[str]:
    for space in view.terrain.enterable:
        distance = view.map.distance(start, space)
        if distance is not None and distance <= view.numbers.search_range:
            yield space


def _attack(view: Picture, step: Attack) -> Explained:
    parts = []
    for selector in step.spaces:
        found = CALL.fullmatch(selector)
        assert found is not None, "the data were read before"
        name, some, kind = found.groups()
        parts.append(_ATTACKED[name].with_(who=_who(some), kind=KIND_WORDS[kind] if kind else ""))
    text = Text(
        "An attack on {spaces}: {number} hit if you are there.",
        "An attack on {spaces}: {number} hits if you are there.",
        spaces=or_list(parts),
        number=view.numbers.attack_hits,
    )
    return Explained(text, (), attacked(view, step.spaces))


def _assignment(view: Picture, step: Assignment) -> Explained:
    """The marks are those of the sector that the update will give."""
    sector = None if view.space is None else view.terrain.sector_of(view.space)
    marks = marks_of(replace(view, lks=sector or view.lks), step.marks, step.per_colour)
    units = tuple(unit for unit in view.on_board if unit.partition("-")[0] in marks)
    text = Text("Your sector becomes known; defenders of other colours are deployed to the marked spaces there.")
    return Explained(text, units, tuple(space for spaces in marks.values() for space in spaces))


def _update(view: Picture, step: UpdateLks) -> Explained:
    return Explained(Text("Your sector becomes known."), (), () if view.space is None else (view.space,))


def _reveal(view: Picture, step: RevealPosition) -> Explained:
    return Explained(
        Text("Your sector becomes known, and you take a hit."), (), () if view.space is None else (view.space,)
    )


def _eliminate(view: Picture, step: Eliminate) -> Explained:
    """Which one it is would say which are yours, so all in question are shown (SO-D-08)."""
    numbers = [number for number in view.terrain.objectives_in(view.lks) if number in view.possible]
    spaces = tuple(view.terrain.objectives[number] for number in numbers)
    return Explained(
        Text("The lowest possible objective of the last known sector that is none of yours is none any more."),
        (),
        spaces,
    )


_STEPS: Mapping[type[Step], Callable[[Picture, Any], Explained]] = {
    UpdateLks: _update,
    RevealPosition: _reveal,
    Eliminate: _eliminate,
    MoveStep: _move,
    DeployStep: _deploy,
    Scan: _scan,
    Search: _search,
    Attack: _attack,
    Assignment: _assignment,
    ForEachPossible: _for_each,
}
