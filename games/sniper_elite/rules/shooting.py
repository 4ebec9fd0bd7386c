"""SHOOT: single shots, the Tommy Gun's two shots, the Trench Gun's blast, and the medic's window.

The events of a shoot action come in this order (R-14): target, count, draw, reveal, result, the medic's window, kills
and what the bag gains, the second shot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import UNSET

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.lazy import Lazy
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import kill, too_few
from games.sniper_elite.rules.commands import Decline, Save, Shoot, ShootSecond
from games.sniper_elite.rules.odds import MISFIRE_LIMIT, Steadiness, hits, misfires, reveals, silenced
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.rule import Rule, no_additional_action, simple_rule, to_all, to_sniper
from games.sniper_elite.rules.words import UNITS, called, is_officer, officer_of, plus, squad_of


def targets(view: Picture) -> dict[str, int]:
    """Return the units that the sniper sees, with their distances, in roll order (MP-SHOOT-01, MP-SHOOT-02)."""
    return in_sight(view.map, view.mine.space, view.units)


def in_sight(board: Map, here: str | None, units: Mapping[str, str | None]) -> dict[str, int]:
    """Return the units visible from `here`, with their distances, in roll order. Empty if off the board."""
    if here is None:
        return {}
    away = seen_from(board, here)
    return {unit: away[space] for unit in UNITS if (space := units[unit]) in away}


def seen_from(board: Map, here: str) -> Mapping[str | None, int]:
    """Return the spaces visible from `here`, with their distances (MP-DIST-01)."""
    return board.derived(_sights)[here]


def _sights(board: Map) -> Lazy[str, dict[str | None, int]]:
    return Lazy(lambda here: {to: away for to in board.spaces if (away := board.distance(here, to)) is not None})


def blast(view: Picture, space: str) -> tuple[str, ...]:
    """Return the units that the Trench Gun hits from `space` (MP-LOAD-17, R-30)."""
    return around(view.map, space, view.units)


def around(board: Map, space: str, units: Mapping[str, str | None]) -> tuple[str, ...]:
    """Return the units on `space` or matching-adjacent to it, in roll order."""
    area = {space, *board.matching[space]}
    return tuple(unit for unit in UNITS if units[unit] in area)


def savable(view: Picture, hit: Sequence[str]) -> tuple[str, ...]:
    """Return the soldiers hit that the medic can save; only one of them is saved. Rules: MP-SPEC-26..29, R-59, R-60."""
    squad = view.squad_with("medic")
    if squad is None or view.specialists[squad].uses == 0 or squad in view.used:
        return ()
    officer = officer_of(squad)
    if view.units[officer] is None or officer in hit:
        return ()
    return tuple(unit for unit in hit if squad_of(unit) == squad and not is_officer(unit))


# --- what may be shot -------------------------------------------------------------------------------------------


def steadiness(view: Picture) -> Steadiness:
    """Return when the sniper's next shot misfires (MP-SHOOT-08, EN-D-09, EN-R-31)."""
    if (helper := view.helper) is None:
        return Steadiness()
    return Steadiness(MISFIRE_LIMIT + helper.misfire, 0 if view.mine.moved else helper.ignored)


def shots(view: Picture) -> int:
    """Return how many shots a shoot action can have (MP-LOAD-12, EN-R-07, EN-R-08, EN-R-28)."""
    own = 0 if view.helper is None or view.active == "trench-gun" else view.helper.shots
    return 1 + (view.active == "tommy-gun") + own


def _later_counts(view: Picture, draw: int) -> list[tuple[int, ...]]:
    """Return the counts that can follow `draw`, in order (MP-LOAD-13, R-24, R-25, EN-R-28)."""
    if shots(view) == 1:
        return [()]
    counts = later_counts(shots(view), min(targets(view).values()), sum(view.bag.values()) - draw)
    # With R-24 off, a second shot is announced whenever one is possible.
    must = view.active == "tommy-gun" and not view.options.stands("R-24") and counts
    return counts if must else [(), *counts]


def later_counts(most: int, nearest: int, left: int) -> list[tuple[int, ...]]:
    """Return the counts of later shots, of `most` in all, with `left` tokens. Each reaches the nearest target."""
    counts: list[tuple[int, ...]] = []
    for second in range(nearest, left + 1):
        counts.append((second,))
        if most == 3:
            counts += [(second, third) for third in range(nearest, left - second + 1)]
    return counts


def counts_of(command: Any) -> tuple[int, ...]:
    """Return the counts that a shot announces after the first."""
    return tuple(count for count in (command.second, command.third) if isinstance(count, int))


def _two_must_fit(view: Picture) -> int:
    """Return the tokens to leave for a mandatory second shot (R-24 off), or 0 if one shot is allowed."""
    if view.active != "tommy-gun" or view.options.stands("R-24") or not targets(view):
        return 0
    nearest = min(targets(view).values())
    # Two shots fit only if the bag covers the nearest target twice.
    return nearest if 2 * nearest <= sum(view.bag.values()) else 0


def _offer_shots(view: Picture) -> Iterable[Shoot]:
    if view.acted or view.mine.space is None:
        return ()
    if view.active == "trench-gun":
        return [Shoot()]
    most = sum(view.bag.values()) - _two_must_fit(view)
    return [
        Shoot(unit, draw, *later)
        for unit, near in targets(view).items()
        for draw in range(near, most + 1)
        for later in _later_counts(view, draw)
    ]


def _check_shot(view: Picture, command: Shoot) -> Shoot:
    if view.options.nest is None and command.third is not None:
        raise NotUnderstood(Text("There is no third shot in this game."))
    if (why := no_additional_action(view, "MP-SHOOT-18")) is not None:
        raise why
    require_fitting_weapon(view.active, command, "MP-LOAD-16")
    if command.target is None or command.draw is None:
        return command
    if (why := _no_target(view, command.target, command.draw)) is not None:
        raise why
    if command.draw > sum(view.bag.values()):
        raise Refused("MP-SHOOT-06", too_few(view.bag))
    _check_later(view, command.draw, command)
    return command


def require_fitting_weapon(active: str | None, command: Any, rule: str) -> None:
    """Raise `Refused` or `NotUnderstood` for a shot with other fields than the weapon takes."""
    plain = command == type(command)()
    if active == "trench-gun" and not plain:
        raise Refused(rule, Text("The Trench Gun shoots without a target and without a draw."))
    if active != "trench-gun" and plain:
        raise Refused(rule, Text("Only the Trench Gun shoots without a target and a draw."))
    if active != "trench-gun" and (command.target is None or command.draw is None):
        raise NotUnderstood(Text("A shot names its target and how many tokens to draw."))


def _no_target(view: Picture, target: str, draw: int) -> Refused | None:
    return no_target(target, draw, view.units, targets(view), view.mine.space, ("MP-SHOOT-01", "MP-SHOOT-05"))


def no_target(
    target: str,
    draw: int | None,
    units: Mapping[str, str | None],
    seen: Mapping[str, int],
    here: str | None,
    rules: tuple[str, str],
) -> Refused | None:
    """Return why a unit can't be shot at from `here` with `draw` tokens, or None.

    `seen` has the visible units with their distances. `rules` are those of sight and of distance.
    """
    if units[target] is None:
        return Refused(rules[0], Text("{unit} is not on the board."), unit=called(target))
    distance = seen.get(target)
    if distance is None:
        text = Text("You cannot see {unit} from {space}.")
        return Refused(rules[0], text, unit=called(target), space=str(here))
    if draw is not None and draw < distance:
        text = Text("Draw at least {distance}: {unit} is that far away.")
        return Refused(rules[1], text, distance=distance, unit=called(target))
    return None


def _check_later(view: Picture, draw: int, command: Shoot) -> None:
    later = counts_of(command)
    if command.third is not None and (command.second is None or shots(view) < 3):
        raise Refused("EN-R-28", Text("A third shot takes Karl and a Tommy Gun."))
    if later and shots(view) == 1:
        raise Refused("MP-LOAD-12", Text("Only the Tommy Gun takes a second shot."))
    if draw > sum(view.bag.values()) - _two_must_fit(view) or (not later and later not in _later_counts(view, draw)):
        text = Text("At this table the Tommy Gun shoots twice whenever it can: announce both counts.")
        raise Refused("MP-LOAD-12", text)
    if later not in _later_counts(view, draw):
        text = Text("The second count must reach a unit in sight, and both must fit into the bag.")
        raise Refused("MP-LOAD-13", text)


# --- shooting ---------------------------------------------------------------------------------------------------


def _shoot(truth: Picture, command: Shoot, chance: Chance) -> Iterator[Told]:
    if command.target is None:
        yield from _fire_trench_gun(truth)
        return
    assert command.draw is not None, "a shot at a target says how many tokens to draw"
    # The target stays secret. Only a hit shows which unit it was.
    yield to_sniper(events.Target(command.target))
    third = UNSET if truth.options.nest is None else command.third
    yield to_all(events.ShotDeclared(command.draw, command.second, third))
    # One shot more than anyone else could announce is Karl's ability (EN-R-28).
    if truth.helper is not None and truth.helper.shots and len(counts_of(command)) + 1 == shots(truth):
        yield to_all(events.AbilityUsed(str(truth.ally)))
    yield from _fire(truth, command.target, command.draw, counts_of(command), chance)


def _fire(truth: Picture, target: str, draw: int, later: Sequence[int], chance: Chance) -> Iterator[Told]:
    """Draw for a shot, the first or a later one. `later` are the counts of those still to come.

    A shot's own tokens decide its hit and its misfire (R-26). The noise of all draws decides the reveal (R-27).
    """
    drawn = chance.tokens("draw", truth.bag, draw, "MP-SHOOT-06")
    yield to_all(events.Drew(drawn))
    own = _after_silencing(truth, drawn)
    # The noise of an earlier draw still counts, because its tokens are outside the bag.
    both = own if truth.drawn is None else _after_silencing(truth, plus(truth.drawn, drawn))
    # The last draw decides the reveal, which comes before its result.
    if not later and reveals(both):
        yield to_all(events.Revealed(str(truth.mine.space), "shot"))
    steady, judged = steadiness(truth), own if truth.options.stands("R-26") else both
    misfire = misfires(judged, steady)
    hit = hits(own, targets(truth)[target], steady) and not misfire
    yield from _result(truth, target, hit, misfire, misfires(judged))
    if not _waits_for_medic(truth, target, hit):
        yield from _continue_shots(truth, later, both, target if hit else None)


def _waits_for_medic(truth: Picture, target: str, hit: bool) -> bool:
    return hit and bool(savable(truth, (target,)))


def _result(truth: Picture, target: str, hit: bool, misfire: bool, spoilt: bool) -> Iterator[Told]:
    """Yield the result of a draw (EN-R-10). `spoilt`: it would misfire without the allied sniper's ability."""
    yield to_all(events.Shot("misfire" if misfire else "hit" if hit else "miss"))
    if spoilt and not misfire:
        yield to_all(events.AbilityUsed(str(truth.ally)))
    if _waits_for_medic(truth, target, hit):
        yield to_all(events.SaveOffered(target))
    elif hit:
        yield from kill(truth, target, "shot")


def _continue_shots(truth: Picture, later: Sequence[int], felt: Tokens, gone: str | None) -> Iterator[Told]:
    """Continue after a shot. A shot without a possible target is forfeited by itself (R-25, EN-R-08)."""
    for count in later:
        # The unit that was just hit is still in the picture here, so leave it out.
        if any(near <= count for unit, near in targets(truth).items() if unit != gone):
            return
        yield to_all(events.SecondForfeited())
    if later and reveals(felt):
        yield to_all(events.Revealed(str(truth.mine.space), "shot"))


def _announced_count(view: Picture) -> int:
    assert view.second is not None, "a second shot waits for its target only where its count was announced"
    return view.second


def _shoot_second(truth: Picture, command: ShootSecond, chance: Chance) -> Iterator[Told]:
    yield to_sniper(events.Target(command.target))
    later = () if truth.third is None else (truth.third,)
    yield from _fire(truth, command.target, _announced_count(truth), later, chance)


def _after_silencing(view: Picture, tokens: Tokens) -> Tokens:
    """Return the tokens with the effect of Silenced Ammo, which lasts for a whole shoot action (MP-LOAD-10)."""
    return silenced(tokens) if view.active == "silenced-ammo" else tokens


def _fire_trench_gun(truth: Picture) -> Iterator[Told]:
    """Fire the Trench Gun: reveal first, then kill all units around at once (MP-LOAD-16..18, R-30, R-77)."""
    space = str(truth.mine.space)
    yield to_all(events.Revealed(space, "trench-gun"))
    hit = blast(truth, space)
    offered = savable(truth, hit)
    for unit in offered:
        yield to_all(events.SaveOffered(unit))
    if not offered:
        for unit in hit:
            yield from kill(truth, unit, "trench-gun")


# --- the medic's window (MP-SPEC-26) ----------------------------------------------------------------------------


def _no_save(view: Picture, command: Save) -> Refused | None:
    if view.pending is not None and command.unit in view.pending.units:
        return None
    return Refused("MP-SPEC-26", Text("The medic cannot save {unit}."), unit=called(command.unit))


def _save(truth: Picture, command: Save, chance: Chance) -> Iterator[Told]:
    yield to_all(events.Saved(command.unit))
    yield from _after_window(truth, command.unit)


def _decline(truth: Picture, command: Decline, chance: Chance) -> Iterator[Told]:
    yield to_all(events.SaveDeclined())
    yield from _after_window(truth, None)


def _after_window(truth: Picture, saved: str | None) -> Iterator[Told]:
    assert truth.pending is not None
    dead = [unit for unit in truth.pending.hit if unit != saved]
    for unit in dead:
        yield from kill(truth, unit, truth.pending.by)
    if truth.drawn is not None:
        later = [count for count in (truth.second, truth.third) if count is not None]
        yield from _continue_shots(truth, later, _after_silencing(truth, truth.drawn), next(iter(dead), None))


RULES = [
    Rule(Shoot, _offer_shots, _check_shot, _shoot),
    simple_rule(
        ShootSecond,
        lambda view: map(ShootSecond, targets(view)),
        lambda view, command: _no_target(view, command.target, _announced_count(view)),
        _shoot_second,
        "shoot-second",
    ),
    simple_rule(Save, lambda view: map(Save, view.pending.units if view.pending else ()), _no_save, _save, "save"),
    simple_rule(Decline, lambda view: [Decline()], lambda view, command: None, _decline, "save"),
]
