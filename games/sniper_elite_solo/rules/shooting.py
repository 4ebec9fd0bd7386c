"""Shots: from one over the Tommy Gun's two to the Trench Gun, what a hit brings, and whom the noise attracts.

A shoot action runs so (SO-R-14): count, draw, result, kill, the player's choice, the second shot, the steps of the
noise; then the tokens go back.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import UNSET

from engine.chance import Chance
from engine.events import Told
from engine.lazy import Lazy
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.rules.commands import ShootSecond
from games.sniper_elite.rules.events import AbilityUsed, Drew, Killed, SecondForfeited, Shot
from games.sniper_elite.rules.odds import MISFIRE, silenced
from games.sniper_elite.rules.rule import Rule
from games.sniper_elite.rules.shooting import around, in_sight
from games.sniper_elite.rules.words import called
from games.sniper_elite_solo.rules.commands import AfterHit, Shoot
from games.sniper_elite_solo.rules.events import AfterHit as AfterHitEvent
from games.sniper_elite_solo.rules.events import Outcome, ShotDeclared
from games.sniper_elite_solo.rules.picture import Picture, Volley
from games.sniper_elite_solo.rules.rewards import moved, options_of
from games.sniper_elite_solo.rules.snafu import NOISE, carry_out, least, worst
from games.sniper_elite_solo.rules.telling import Telling, reveal
from games.sniper_elite_solo.rules.turn import action_free
from games.sniper_elite_solo.rules.words import Tokens

SINGLE: Lazy[tuple[str, int], Shoot] = Lazy(lambda aimed: Shoot(*aimed))
"""Unit and tokens drawn -> the shot."""


def targets(view: Picture) -> dict[str, int]:
    """The defenders in sight, with the aim that each needs, in unit order (SO-SHT-01, SO-SHT-02)."""
    return in_sight(view.map, view.space, view.units)


def bag_size(view: Picture) -> int:
    """How many tokens can be drawn."""
    return sum(view.bag.values())


# --- what may be shot -------------------------------------------------------------------------------------------


def shots(view: Picture) -> int:
    """How many shots a shoot action can be (SO-LDO-02, EN-R-07, EN-R-08, EN-R-28)."""
    own = 0 if view.helper is None else view.helper.shots
    return 1 + (view.active == "tommy-gun") + (own if view.active != "trench-gun" else 0)


def _later(view: Picture, draw: int) -> list[tuple[int, ...]]:
    """The counts that may be announced after the first, in order; none at all comes first (MP R-24, R-25)."""
    found: list[tuple[int, ...]] = [()]
    if shots(view) == 1:
        return found
    least_need, left = min(targets(view).values()), bag_size(view) - draw
    for second in range(least_need, left + 1):
        found.append((second,))
        if shots(view) == 3:
            found += [(second, third) for third in range(least_need, left - second + 1)]
    return found


def _counts(command: Shoot) -> tuple[int, ...]:
    """The counts that a command announces after its first."""
    return tuple(count for count in (command.second, command.third) if isinstance(count, int))


def _offer_shots(view: Picture) -> Iterable[Shoot]:
    if view.acted or view.space is None:
        return ()
    if view.active == "trench-gun":
        return [Shoot()]
    draws = [(unit, draw) for unit, need in targets(view).items() for draw in range(need, bag_size(view) + 1)]
    if shots(view) == 1:
        return [SINGLE[aimed] for aimed in draws]
    return [Shoot(unit, draw, *later) for unit, draw in draws for later in _later(view, draw)]


def _check_shot(view: Picture, command: Shoot) -> Shoot:
    action_free(view)
    if command.target is not None:
        _check_target(view, command.target)
    if command.target is not None and command.draw is not None:
        _check_count(view, command.target, command.draw)
    if view.active == "trench-gun" and command != Shoot():
        raise Refused("SO-LDO-03", Text("The Trench Gun shoots without a target and without a draw."))
    if view.active == "trench-gun":
        return command
    if command == Shoot():
        raise Refused("SO-LDO-03", Text("Only the Trench Gun shoots without a target and a draw."))
    if command.target is None or command.draw is None:
        raise NotUnderstood(Text("A shot names its target and how many tokens to draw."))
    if len(later := _counts(command)) >= max(shots(view), 2):
        raise Refused("EN-R-28", Text("A third shot takes Karl and a Tommy Gun."))
    if later and shots(view) == 1:
        raise Refused("SO-LDO-03", Text("Only the Tommy Gun takes a second shot."))
    if (isinstance(command.third, int) and command.second is None) or later not in _later(view, command.draw):
        raise Refused("SO-R-36", Text("The second count must reach a unit in sight, and both must fit into the bag."))
    return Shoot(command.target, command.draw, *later)


def _check_target(view: Picture, target: str) -> None:
    if view.units[target] is None:
        raise Refused("SO-SHT-01", Text("{unit} is not on the board.", unit=called(target)))
    if target not in targets(view):
        raise Refused(
            "SO-SHT-01", Text("You cannot see {unit} from {space}.", unit=called(target), space=str(view.space))
        )


def _check_count(view: Picture, target: str, draw: int, most: int | None = None) -> None:
    need = targets(view)[target]
    if draw < need:
        raise Refused(
            "SO-R-36",
            Text("Draw at least {distance}: that is how far away {unit} is.", distance=need, unit=called(target)),
        )
    if most is None and draw > bag_size(view):
        raise Refused(
            "SO-R-36",
            Text("The bag holds only {number} token.", "The bag holds only {number} tokens.", number=bag_size(view)),
        )


def _offer_second(view: Picture) -> Iterable[ShootSecond]:
    return [ShootSecond(unit) for unit, need in targets(view).items() if need <= _announced(view)]


def _announced(view: Picture) -> int:
    assert view.volley is not None, "a second shot waits only where its count was announced"
    return view.volley.draws[0]


def _check_second(view: Picture, command: ShootSecond) -> ShootSecond:
    _check_target(view, command.target)
    _check_count(view, command.target, _announced(view), most=_announced(view))
    return command


# --- shooting ---------------------------------------------------------------------------------------------------


def _shoot(truth: Picture, command: Shoot, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    if command.target is None:
        _trench(telling)
    else:
        assert command.draw is not None, "a shot at a target says how many tokens to draw"
        _fire(telling, _declared(truth, command.target, command.draw, _counts(command)))
    return telling.told


def _shoot_second(truth: Picture, command: ShootSecond, chance: Chance) -> list[Told]:
    telling = Telling(truth, chance)
    assert truth.volley is not None, "a second shot waits only where its count was announced"
    _fire(telling, _declared(truth, command.target, _announced(truth), truth.volley.draws[1:]))
    return telling.told


def _declared(view: Picture, target: str, draw: int, later: tuple[int, ...]) -> ShotDeclared:
    second, third = (*later, None, None)[:2]
    return ShotDeclared(target, draw, second, UNSET if view.options.nest is None else third)


def _ability(telling: Telling) -> None:
    telling.to_all(AbilityUsed(str(telling.truth.ally)))


def _spoilt(view: Picture, felt: Tokens) -> tuple[bool, bool]:
    """Whether a draw misfires, and whether an allied sniper's effect has prevented it (EN-D-09, EN-R-31)."""
    bad, helper = felt["noise"] + felt["recoil"], view.helper
    ignored = 0 if helper is None or view.moved else min(helper.ignored, felt["recoil"])
    spoilt = bad - ignored >= view.numbers.misfire
    return spoilt, bad >= MISFIRE and not spoilt


def _fire(telling: Telling, declared: ShotDeclared) -> None:
    """A shot draws what is left if the bag holds fewer than announced (SO-R-64)."""
    need = targets(telling.truth)[declared.target]
    first = telling.truth.volley is None
    telling.to_all(declared)
    extra = shots(telling.truth) - 1 - (telling.truth.active == "tommy-gun")
    announced = 1 + len(telling.truth.volley.draws) if telling.truth.volley else 1
    if first and extra and announced == shots(telling.truth):
        _ability(telling)
    bag = telling.truth.bag
    drawn = telling.chance.tokens("draw", bag, min(declared.draw, bag_size(telling.truth)), "SO-SHT-01")
    telling.to_all(Drew(drawn))
    felt = silenced(drawn) if telling.truth.active == "silenced-ammo" else drawn
    (spoilt, saved), volley = _spoilt(telling.truth, felt), telling.truth.volley
    hit = drawn["aim"] >= need and not spoilt
    assert volley is not None
    telling.to_all(Shot("misfire" if spoilt else "hit" if hit else "miss"))
    if saved:
        _ability(telling)
    if hit:
        telling.to_all(Killed(declared.target, "shot"))
    if telling.truth.pending is None or telling.truth.pending.name != "after-hit":
        _go_on(telling, volley)


def _go_on(telling: Telling, volley: Volley) -> None:
    """After a shot and what it brought: the second, or the noise (SO-LDO-02); `volley` as it was before the end."""
    for count in volley.draws:
        if any(need <= count for need in targets(telling.truth).values()):
            return
        telling.to_all(SecondForfeited())
    _attract(telling, volley)


def _attract(telling: Telling, volley: Volley) -> None:
    """SO-SHT-06, SO-SHT-07, SO-R-15, SO-R-16, SO-R-65.

    A defender who has come into the sniper's space is the closest from then on, and takes up what noise is left.
    """
    for _ in range(volley.noise):
        outcomes = _steps_of_noise(telling.truth, volley.targets)
        if not outcomes:
            return  # nothing changes any more: what is lost once is lost again
        carry_out(telling, worst(telling, outcomes, NOISE), NOISE)
        if telling.over:
            return


def _steps_of_noise(view: Picture, targets_shot: Iterable[str]) -> list[Outcome]:
    towards, held, standing = view.terrain.towards[view.space], set(view.units.values()), view.on_board
    away = {unit: towards[space] for unit, space in standing.items() if unit not in targets_shot}
    return [
        (unit, near)
        for unit in least(away)
        for near in view.map.walk[standing[unit]]
        if near not in held and towards[near] < away[unit]
    ]


def _trench(telling: Telling) -> None:
    """The position is revealed first; then all defenders around die (SO-LDO-03, SO-R-32, SO-R-70)."""
    reveal(telling)
    if telling.over:
        return
    p = telling.truth
    for unit in around(p.map, str(p.space), p.units):
        telling.to_all(Killed(unit, "trench-gun"))


# --- what a hit brings ------------------------------------------------------------------------------------------


def _check_reward(view: Picture, command: AfterHit) -> AfterHit:
    if command.option not in ("noise", "recoil", "aim"):
        raise NotUnderstood(Text("After a hit you choose noise, recoil or aim."))
    if (command.option == "recoil") != (command.count is not None):
        raise NotUnderstood(Text("Recoil comes with a count, and nothing else does."))
    if command not in options_of(view):
        raise Refused("SO-SHT-05", Text("That choice is not possible now: look at your stack, the bag and the supply."))
    return command


def _reward(truth: Picture, command: AfterHit, chance: Chance) -> list[Told]:
    telling, volley = Telling(truth, chance), truth.volley
    assert volley is not None, "only a shot brings something"
    telling.to_all(AfterHitEvent(command.option, moved(truth, command)))
    _go_on(telling, volley)
    return telling.told


RULES = [
    Rule(Shoot, _offer_shots, _check_shot, _shoot),
    Rule(ShootSecond, _offer_second, _check_second, _shoot_second, "shoot-second"),
    Rule(AfterHit, options_of, _check_reward, _reward, "after-hit"),
]
