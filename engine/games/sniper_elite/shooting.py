"""SHOOT and BAG: the sniper's shot, and what it does to the bag."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from engine.chance import Chance
from engine.games.sniper_elite import events
from engine.games.sniper_elite.commands import Shoot
from engine.games.sniper_elite.odds import hits, misfires, reveals
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.rule import Rule, additional_action_free, to_all, to_sniper
from engine.games.sniper_elite.words import UNITS, called, is_officer, sentence, squad_of
from engine.refusal import NotUnderstood, Refused
from engine.told import Told


def gain(truth: Picture, token: str) -> Iterator[Told]:
    """A token for the bag, if any is left beside it (MP-BAG-06, R-45)."""
    if truth.supply(token) > 0:
        yield to_all(events.BagGained(token))


def kill(truth: Picture, unit: str) -> Iterator[Told]:
    """A unit dies by a shot; the bag gains as MP-BAG-01..03 say."""
    yield to_all(events.Killed(unit, "shot"))
    suppressed = is_officer(unit) and truth.specialists[squad_of(unit)].suppression
    yield from gain(truth, "suppression" if suppressed else "aim")


def targets(view: Picture) -> dict[str, int]:
    """The units that the sniper sees, with the distance of each, in roll order (MP-SHOOT-01, MP-SHOOT-02)."""
    here = view.mine.space
    if here is None:
        return {}
    seen = {unit: view.map.distance(here, space) for unit in UNITS if (space := view.units[unit]) is not None}
    return {unit: distance for unit, distance in seen.items() if distance is not None}


def _offer_shots(view: Picture) -> Iterable[Shoot]:
    if view.acted:
        return ()
    held = sum(view.bag.values())
    return [Shoot(unit, draw) for unit, near in targets(view).items() for draw in range(near, held + 1)]


def _check_shot(view: Picture, command: Shoot) -> Shoot:
    additional_action_free(view)
    if command == Shoot():
        raise Refused("MP-LOAD-16", "Only the Trench Gun shoots without a target and a draw.")
    if command.target is None or command.draw is None:
        raise NotUnderstood("A shot names its target and how many tokens to draw.")
    if command.second is not None:
        raise Refused("MP-LOAD-12", "Only the Tommy Gun takes a second shot.")
    if view.units[command.target] is None:
        raise Refused("MP-SHOOT-01", sentence(f"{called(command.target)} is not on the board."))
    distance = targets(view).get(command.target)
    if distance is None:
        raise Refused("MP-SHOOT-01", f"You cannot see {called(command.target)} from {view.mine.space}.")
    if command.draw < distance:
        raise Refused("MP-SHOOT-05", f"Draw at least {distance}: that is how far away {called(command.target)} is.")
    if command.draw > sum(view.bag.values()):
        raise Refused("MP-SHOOT-06", f"The bag holds only {sum(view.bag.values())} tokens.")
    return command


def _shoot(truth: Picture, command: Shoot, chance: Chance) -> Iterator[Told]:
    assert command.target is not None
    assert command.draw is not None
    yield to_sniper(events.Target(command.target))
    yield to_all(events.ShotDeclared(command.draw))
    drawn = chance.tokens("draw", truth.bag, command.draw, "MP-SHOOT-06")
    yield to_all(events.Drew(drawn))
    if reveals(drawn):
        yield to_all(events.Revealed(str(truth.mine.space), "shot"))
    if misfires(drawn):
        yield to_all(events.Shot("misfire"))
    elif hits(drawn, targets(truth)[command.target]):
        yield to_all(events.Shot("hit"))
        yield from kill(truth, command.target)
    else:
        yield to_all(events.Shot("miss"))


RULES = [Rule(Shoot, _offer_shots, _check_shot, _shoot)]
