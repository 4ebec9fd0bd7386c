"""Shots with all weapons, their odds, rewards for hits, and defenders attracted by noise.

The order of a shoot action is (SO-R-14): count, draw, result, kill, reward, second shot, noise steps. Then the tokens
go back.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import lru_cache

from msgspec import UNSET
from msgspec.structs import asdict

from engine.lazy import Lazy
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.rules import odds
from games.sniper_elite.rules.bag import too_few
from games.sniper_elite.rules.commands import Shoot, ShootSecond
from games.sniper_elite.rules.events import AbilityUsed, Drew, Killed, SecondForfeited, Shot
from games.sniper_elite.rules.rule import Rule, simple_rule
from games.sniper_elite.rules.shooting import (
    around,
    counts_of,
    in_sight,
    later_counts,
    no_target,
    require_fitting_weapon,
)
from games.sniper_elite_solo.rules.act import Telling, do_worst, nearest, reveal
from games.sniper_elite_solo.rules.commands import AfterHit
from games.sniper_elite_solo.rules.events import AfterHit as AfterHitEvent
from games.sniper_elite_solo.rules.events import Arrival, Attracted, ShotDeclared
from games.sniper_elite_solo.rules.picture import Picture, Volley
from games.sniper_elite_solo.rules.turn import no_free_action
from games.sniper_elite_solo.rules.words import TOKENS, Tokens

SINGLE: Lazy[tuple[str, int], Shoot] = Lazy(lambda aimed: Shoot(*aimed))
"""(Unit, number of tokens drawn) -> the shot."""


def targets(view: Picture) -> dict[str, int]:
    """Return visible defender -> the aim that it needs, in unit order (SO-SHT-01, SO-SHT-02)."""
    return in_sight(view.map, view.space, view.units)


def bag_size(view: Picture) -> int:
    """Return how many tokens can be drawn."""
    return sum(view.bag.values())


def max_shots(view: Picture) -> int:
    """Return how many shots a shoot action can have (SO-LDO-02, EN-R-07, EN-R-08, EN-R-28)."""
    # The Tommy Gun and Karl's ability each add a shot, so a third one needs both.
    return 1 + (view.active == "tommy-gun") + (view.helper.shots if view.active != "trench-gun" else 0)


def _later_counts(view: Picture, draw: int) -> list[tuple[int, ...]]:
    """Return the counts that can follow the first, in order, starting with none (MP R-24, R-25)."""
    # Targets can change before a later shot, so its count only has to reach the nearest one.
    return [(), *later_counts(max_shots(view), min(targets(view).values()), bag_size(view) - draw)]


def _offer_shots(view: Picture) -> Iterable[Shoot]:
    if view.acted or view.space is None:
        return ()
    if view.active == "trench-gun":
        return [Shoot()]
    # Single shots are shared objects, because a search lists them thousands of times.
    draws = [(unit, draw) for unit, need in targets(view).items() for draw in range(need, bag_size(view) + 1)]
    if max_shots(view) == 1:
        return [SINGLE[aimed] for aimed in draws]
    return [Shoot(unit, draw, *later) for unit, draw in draws for later in _later_counts(view, draw)]


def _check_shot(view: Picture, command: Shoot) -> Shoot:
    why = no_free_action(view)
    if why is None and command.target is not None:
        why = _no_target(view, command.target, command.draw)
        if why is None and command.draw is not None and command.draw > bag_size(view):
            why = Refused("SO-R-36", too_few(view.bag))
    if why is not None:
        raise why
    require_fitting_weapon(view.active, command, "SO-LDO-03")
    if command.target is None or command.draw is None:
        return command
    if len(later := counts_of(command)) >= max(max_shots(view), 2):
        raise Refused("EN-R-28", Text("A third shot takes Karl and a Tommy Gun."))
    if later and max_shots(view) == 1:
        raise Refused("SO-LDO-03", Text("Only the Tommy Gun takes a second shot."))
    if (isinstance(command.third, int) and command.second is None) or later not in _later_counts(view, command.draw):
        raise Refused("SO-R-36", Text("The second count must reach a unit in sight, and both must fit into the bag."))
    return Shoot(command.target, command.draw, *later)


def _no_target(view: Picture, target: str, draw: int | None) -> Refused | None:
    return no_target(target, draw, view.units, targets(view), view.space, ("SO-SHT-01", "SO-R-36"))


def _announced_count(view: Picture) -> int:
    assert view.volley is not None, "a second shot always has an announced count"
    return view.volley.draws[0]


def _shoot(telling: Telling, command: Shoot) -> None:
    if command.target is None:
        _fire_trench_gun(telling)
    else:
        assert command.draw is not None, "a shot at a target has a count"
        _fire(telling, command.target, command.draw, counts_of(command))


def _shoot_second(telling: Telling, command: ShootSecond) -> None:
    assert telling.truth.volley is not None, "a second shot always has an announced count"
    _fire(telling, command.target, _announced_count(telling.truth), telling.truth.volley.draws[1:])


def _fire(telling: Telling, target: str, draw: int, later: tuple[int, ...]) -> None:
    """Resolve one shot, before those with the counts `later`. A short bag is drawn whole (SO-R-64)."""
    view, (second, third) = telling.truth, (*later, None, None)[:2]
    telling.tell(ShotDeclared(target, draw, second, UNSET if view.options.nest is None else third))
    # The ability counts as used only where the weapon alone would not allow this many shots.
    extra = max_shots(view) - 1 - (view.active == "tommy-gun")
    if view.volley is None and extra and len(later) + 1 == max_shots(view):
        _use_ability(telling)
    drawn = telling.chance.tokens("draw", view.bag, min(draw, bag_size(view)), "SO-SHT-01")
    telling.tell(Drew(drawn))
    # Save the volley: the events below can settle it and put its tokens back.
    volley = telling.truth.volley
    assert volley is not None, "a shot was declared"
    felt = odds.silenced(drawn) if view.active == "silenced-ammo" else drawn
    steady = steadiness(view)
    misfire, hit = odds.misfires(felt, steady), odds.hits(felt, targets(view)[target], steady)
    telling.tell(Shot("misfire" if misfire else "hit" if hit else "miss"))
    # The ability of Anvil or Harrow prevented a misfire that any other sniper would have had (EN-D-09, EN-R-31).
    if not misfire and odds.misfires(felt, odds.Steadiness(odds.MISFIRE_LIMIT)):
        _use_ability(telling)
    if hit:
        telling.tell(Killed(target, "shot"))
    # With a reward to choose, `_reward` continues instead.
    if telling.truth.pending is None or telling.truth.pending.name != "after-hit":
        _continue(telling, volley)


def steadiness(view: Picture) -> odds.Steadiness:
    """Return when the sniper's next shot misfires (SO-SHT-03, EN-D-09, EN-R-31)."""
    return odds.Steadiness(view.numbers.misfire, 0 if view.moved else view.helper.ignored)


def _use_ability(telling: Telling) -> None:
    telling.tell(AbilityUsed(str(telling.truth.ally)))


def _continue(telling: Telling, volley: Volley) -> None:
    """Continue after a shot and its reward, with the next shot or the noise (SO-LDO-02)."""
    for count in volley.draws:
        if any(need <= count for need in targets(telling.truth).values()):
            return
        telling.tell(SecondForfeited())
    _attract(telling, volley)


def _attract(telling: Telling, volley: Volley) -> None:
    """Make noise attract defenders (SO-SHT-06, SO-SHT-07, SO-R-15, SO-R-16, SO-R-65).

    A defender that has reached the sniper's space stays the closest and absorbs the remaining noise.
    """
    for _ in range(volley.noise):
        outcomes = _noise_steps(telling.truth, volley.targets)
        if not outcomes or telling.over:
            return  # if no step is possible now, none is possible later
        do_worst(telling, outcomes, Attracted)


def _noise_steps(view: Picture, targets_shot: Iterable[str]) -> list[Arrival]:
    # Noise moves a defender only to a free space that is nearer to the sniper.
    towards, held, standing = view.terrain.towards[view.space], set(view.units.values()), view.on_board
    # Units that were shot at don't react to the noise.
    away = {unit: towards[space] for unit, space in standing.items() if unit not in targets_shot}
    return [
        (unit, near)
        for unit in nearest(away)
        for near in view.map.walk[standing[unit]]
        if near not in held and towards[near] < away[unit]
    ]


def _fire_trench_gun(telling: Telling) -> None:
    """Reveal the position, then kill all defenders around it (SO-LDO-03, SO-R-32, SO-R-70)."""
    reveal(telling)
    if telling.over:
        return
    p = telling.truth
    for unit in around(p.map, str(p.space), p.units):
        telling.tell(Killed(unit, "trench-gun"))


def _check_reward(view: Picture, command: AfterHit) -> AfterHit:
    if command.option not in ("noise", "recoil", "aim"):
        raise NotUnderstood(Text("After a hit you choose noise, recoil or aim."))
    if (command.option == "recoil") != (command.count is not None):
        raise NotUnderstood(Text("Recoil comes with a count, and nothing else does."))
    if command not in view.reward_options():
        raise Refused("SO-SHT-05", Text("That choice is not possible now: look at your stack, the bag and the supply."))
    return command


def _reward(telling: Telling, command: AfterHit) -> None:
    volley = telling.truth.volley
    assert volley is not None, "only a shot has a reward"
    number = command.count or 1
    if command.option == "aim":  # SO-R-37, SO-C-04
        number = min(1 + telling.truth.numbers.kill_aim_extra, telling.truth.supply("aim"))
    telling.tell(AfterHitEvent(command.option, number))
    _continue(telling, volley)


RULES = [
    Rule(Shoot, _offer_shots, _check_shot, _shoot),
    simple_rule(
        ShootSecond,
        lambda view: map(ShootSecond, targets(view)),
        lambda view, command: _no_target(view, command.target, _announced_count(view)),
        _shoot_second,
        "shoot-second",
    ),
    Rule(AfterHit, Picture.reward_options, _check_reward, _reward, "after-hit"),
]


def draw_odds(
    bag: Tokens, draw: int, need: int, silenced_ammo: bool, steady: odds.Steadiness = odds.STEADY
) -> dict[str, Fraction]:
    """Return the odds of drawing `draw` tokens at a target that needs `need` aim, for a sniper who is `steady`.

    Kinds missing from `bag` count as zero. `reveal` is the probability of drawing a noise, 0 if it is silenced. Raises
    `NotUnderstood` for an impossible draw.
    """
    full = odds.complete_bag(bag, draw, need, TOKENS)

    def outcome(drawn: Tokens) -> tuple[bool, bool, bool]:
        return odds.hits(drawn, need, steady), odds.misfires(drawn, steady), drawn["noise"] > 0

    return asdict(odds.odds_of_draws(odds.silenced(full) if silenced_ammo else full, draw, outcome))


@lru_cache(maxsize=4096)
def float_odds(
    aim: int, noise: int, recoil: int, draw: int, need: int, silenced_ammo: bool, steady: odds.Steadiness
) -> tuple[float, float, float]:
    """Return the odds of hit, misfire and reveal. Cached for bots, which rate every possible shot."""
    found = draw_odds({"aim": aim, "noise": noise, "recoil": recoil}, draw, need, silenced_ammo, steady)
    return float(found["hit"]), float(found["misfire"]), float(found["reveal"])
