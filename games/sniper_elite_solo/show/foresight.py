"""Information for the player before choosing a command, and the defenders' cards explained step by step.

Moves, shots and loadout cards have the same format as in the multiplayer game, so its screens can show them. The
explanation of a card uses what every viewer sees now, even for a step that depends on earlier ones, such as `moved`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.game import Command
from engine.text import Text, comma_list, or_list
from games.sniper_elite.rules.commands import Move, Shoot, ShootSecond
from games.sniper_elite.rules.foresight import POSSIBLE, odds_as_json, target_facts
from games.sniper_elite.rules.shooting import around
from games.sniper_elite.rules.words import KIND_WORDS, SECTOR_WORDS
from games.sniper_elite_solo.rules import cards, loadout, selectors
from games.sniper_elite_solo.rules.act import nearest
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.shooting import bag_size, draw_odds, steadiness, targets


class Explained(Struct, frozen=True):
    """A step before it is executed. `applies` is False for the branch of a condition that doesn't hold now."""

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
    "not_on_possible": Text("every defender that isn't on a possible objective"),
    "beside_water": Text("every defender next to water"),
    "not_beside_water": Text("every defender that isn't next to water"),
    "moved": Text("every defender that this card has moved"),
    "unmoved": Text("every defender that this card hasn't moved"),
    "closest": Text("the closest defender"),
    "on": Text("every defender on {kind} ground"),
    "not_on": Text("every defender that isn't on {kind} ground"),
}
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


def explain_card(view: Picture, name: str) -> list[Explained]:
    """Return the steps of a solo card in order, as they would be executed now."""
    return list(explain_steps(view, cards.CARDS[name].steps))


def explain_steps(view: Picture, steps: Iterable[cards.AnyStep]) -> Iterator[Explained]:
    """Return steps in order, as they would be executed now, with both branches of a condition."""
    for step in steps:
        if isinstance(step, cards.If):
            yield from _explain_branches(view, step)
        else:
            yield _STEPS[type(step)](view, step)


def _explain_branches(view: Picture, step: cards.If) -> Iterator[Explained]:
    # Both branches are shown, because a step before this one may still change the condition.
    so = selectors.condition_holds(view, step.cond)
    for branch, applies, text in (
        (step.then, so, Text("If {cond}: {what}")),
        (step.otherwise, not so, Text("If not: {what}")),
    ):
        for found in explain_steps(view, branch):
            said = text.with_(cond=_condition(step.cond), what=found.text)
            yield Explained(said, found.units, found.spaces, applies and found.applies)


def _defenders_words(selectors: Iterable[str]) -> Text:
    """Return a description of the defenders. Several selectors narrow each other."""
    first, *others = map(_selector, selectors)
    for other in others:
        first = Text("{some} (and at the same time {others})", some=first, others=other)
    return first


def _selector(selector: str) -> Text:
    name, _, kind = selector.partition(":")
    return _WHO[name].with_(kind=KIND_WORDS[kind]) if kind else _WHO[name]


def _condition(cond: str) -> Text:
    name, _, value = cond.partition(":")
    words: dict[str, str | int] = {"number": value}
    if name == "sniper_on":
        words = {"kind": KIND_WORDS[value]}
    elif name == "lks_is":
        words = {"sector": SECTOR_WORDS[selectors.LETTERS[value]]}
    return _CONDITIONS[name].with_(**words)


def _advance_text(view: Picture, step: cards.Repeatable) -> Text:
    """Return the sentence for a move or a deployment."""
    who, to = _defenders_words(step.who), _TO[step.to]
    if isinstance(step, cards.DeployStep):
        return Text("{who} is deployed to {to}.", who=who, to=to)
    return Text(
        "{who} moves up to {number} space towards {to}.",
        "{who} moves up to {number} spaces towards {to}.",
        who=who,
        number=step.n + view.numbers.move_bonus_card,
        to=to,
    )


def _explain_advance(view: Picture, step: cards.Repeatable) -> Explained:
    units = selectors.select_units(view, step.who)
    spaces = {space for unit in units for space in selectors.target_spaces(view, step.to, unit)}
    return Explained(_advance_text(view, step), units, view.terrain.sorted(spaces))


def _for_each(view: Picture, step: cards.ForEachPossible) -> Explained:
    # Which defenders act is decided only when the step is executed, so all on the board are listed.
    said = comma_list([_advance_text(view, part) for part in step.body])
    spaces = {
        space
        for part in step.body
        for n in view.possible
        for space in selectors.target_spaces(view, part.to, objective=n)
    }
    text = Text("For each possible objective in ascending order: {what}", what=said)
    return Explained(text, tuple(view.on_board), view.terrain.sorted(spaces))


def _explain_scan(view: Picture, step: cards.Scan) -> Explained:
    units = selectors.select_units(view, step.who)
    text = Text("{who} scans: a hit if you are on its space or beside it.", who=_defenders_words(step.who))
    spaces = {near for unit in units for near in view.terrain.beside[view.units[unit]]}
    return Explained(text, units, view.terrain.sorted(spaces & set(view.terrain.enterable)))


def _search(view: Picture, step: cards.Search) -> Explained:
    units, number = selectors.select_units(view, step.who), view.numbers.search_range
    spaces = {
        space
        for unit in units
        for space in view.terrain.enterable
        # No distance means that the defender does not see the space: count it as too far.
        if (view.map.distance(str(view.units[unit]), space) or number + 1) <= number
    }
    text = Text(
        "{who} searches: a hit if it sees you at a distance of up to {number}.",
        who=_defenders_words(step.who),
        number=number,
    )
    return Explained(text, units, view.terrain.sorted(spaces))


def _explain_attack(view: Picture, step: cards.Attack) -> Explained:
    parts = []
    for selector in step.spaces:
        found = selectors.CALL.fullmatch(selector)
        assert found is not None, "the cards are checked by tests"
        name, some, kind = found.groups()
        parts.append(_ATTACKED[name].with_(who=_selector(some), kind=KIND_WORDS[kind] if kind else ""))
    text = Text(
        "An attack on {spaces}: {number} hit if you are there.",
        "An attack on {spaces}: {number} hits if you are there.",
        spaces=or_list(parts),
        number=view.numbers.attack_hits,
    )
    return Explained(text, (), selectors.attacked_spaces(view, step.spaces))


def _explain_assignment(view: Picture, step: cards.Assignment) -> Explained:
    # The marks belong to the sector that becomes the last known one after the update.
    sector = None if view.space is None else view.terrain.sector_of[view.space]
    marks = selectors.marked_spaces(replace(view, lks=sector or view.lks), step.marks, step.per_colour)
    units = tuple(unit for unit in view.on_board if unit.partition("-")[0] in marks)
    text = Text("Your sector becomes known; defenders of other colours are deployed to the marked spaces there.")
    return Explained(text, units, tuple(space for spaces in marks.values() for space in spaces))


def _sniper_space(view: Picture) -> tuple[str, ...]:
    return () if view.space is None else (view.space,)


def _explain_eliminate(view: Picture, step: cards.Eliminate) -> Explained:
    # Showing only the actual objective would reveal the player's objectives, so all candidates are shown (SO-D-08).
    numbers = [number for number in view.terrain.objectives_in(view.lks) if number in view.possible]
    text = Text("The lowest possible objective of the last known sector that isn't yours is no longer possible.")
    return Explained(text, (), tuple(view.terrain.objectives[number] for number in numbers))


_STEPS: Mapping[type[cards.CardStep], Callable[[Picture, Any], Explained]] = {
    cards.UpdateLks: lambda view, step: Explained(Text("Your sector becomes known."), (), _sniper_space(view)),
    cards.RevealPosition: lambda view, step: Explained(
        Text("Your sector becomes known, and you take a hit."), (), _sniper_space(view)
    ),
    cards.Eliminate: _explain_eliminate,
    cards.MoveStep: _explain_advance,
    cards.DeployStep: _explain_advance,
    cards.Scan: _explain_scan,
    cards.Search: _search,
    cards.Attack: _explain_attack,
    cards.Assignment: _explain_assignment,
    cards.ForEachPossible: _for_each,
}


def foresight(view: Picture, legal: Sequence[Command]) -> dict[str, Any]:
    """Return the information as JSON data.

    `cards`: open solo card -> what it would do now, step by step. `moves`: each legal move with its cost. `shots`: each
    visible defender with the odds of each draw. `loadout`: each card in hand with the reason why it can't be played.
    `blast`: the defenders that the Trench Gun would hit. `end`: the number of hits for ending the turn here.
    """
    armed = view.space is not None and view.active == "trench-gun"
    can_shoot = any(isinstance(command, Shoot | ShootSecond) for command in legal)
    return {
        "cards": {
            slot.card: [msgspec.structs.asdict(step) for step in explain_card(view, slot.card)]
            for slot in view.slots
            if slot.card is not None
        },
        "moves": [_move(view, command) for command in legal if isinstance(command, Move)],
        "shots": [_shot(view, unit, need, legal) for unit, need in targets(view).items()] if can_shoot else [],
        "loadout": [_card(view, card) for card in dict.fromkeys(view.hand)],
        "blast": around(view.map, str(view.space), view.units) if armed else (),
        "end": int(view.defender_near(view.space) and _hit_counts(view)),
    }


def _hit_counts(view: Picture) -> bool:
    """Return whether one more hit counts (SO-HIT-02, SO-HIT-04)."""
    return view.hits < view.numbers.hit_cap and not view.wounded


def _move(view: Picture, command: Move) -> dict[str, Any]:
    """Return the cost of a move (SO-MOV-04, SO-MOV-05, SO-EOT-01).

    `update`: the sector that a noisy move reveals. `hits`: the hits that it costs. `near`: whether defenders are close
    to its end, so that ending the turn there costs a hit.
    """
    noisy, end = is_noisy(view, command.path), command.path[-1]
    sector = view.terrain.sector_of[end]
    leaves = noisy and sector != view.lks
    return {
        "path": command.path,
        "noisy": noisy,
        "update": sector if leaves else None,
        "hits": int(noisy and not leaves and _hit_counts(view)),
        "near": view.defender_near(end),
    }


def _shot(view: Picture, unit: str, need: int, legal: Sequence[Command]) -> dict[str, Any]:
    """Return a target with its odds.

    `drawn`: the defenders, one of which takes the first step towards a noise (SO-SHT-06). `rewards`: the rewards for a
    hit (SO-SHT-05). The draw doesn't change them, because drawn tokens count as in the bag (SO-R-12).
    """
    here = str(view.space)
    away = {one: view.terrain.distance(space, here) for one, space in view.on_board.items() if one != unit}
    return {
        **target_facts(view.map, here, unit, str(view.units[unit]), need),
        "drawn": nearest({one: steps for one, steps in away.items() if steps > 0}),
        "rewards": [{"option": it.option, "count": it.count} for it in view.reward_options()],
        # A second shot can be announced with more tokens than the bag still has.
        "odds": [_odds(view, draw, need) for draw in _draws(view, unit, legal)],
    }


def _draws(view: Picture, unit: str, legal: Sequence[Command]) -> list[int]:
    """Return the counts that a shot at a defender can announce. The count of a second shot is fixed."""
    if ShootSecond(unit) in legal and view.volley is not None:
        return [view.volley.draws[0]]
    shots = (command for command in legal if isinstance(command, Shoot) and command.target == unit)
    return [*dict.fromkeys(shot.draw for shot in shots if shot.draw is not None)]


def _odds(view: Picture, draw: int, need: int) -> dict[str, Any]:
    silent, steady = view.active == "silenced-ammo", steadiness(view)
    found = draw_odds(view.bag, min(draw, bag_size(view)), need, silent, steady)
    return {"draw": draw, **odds_as_json(found)}


def _card(view: Picture, card: str) -> dict[str, Any]:
    why = loadout.why_not_play(view, card)
    return {"card": card, "text": loadout.TEXTS[card], **(POSSIBLE if why is None else why.reason)}
