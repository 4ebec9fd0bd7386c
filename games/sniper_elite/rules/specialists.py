"""SPEC: the specialists, one entry each, and how an ability is used (MP-SPEC-01..07).

A specialist has an ability of its own in the defenders' turn (`Ability`), or changes its officer's attack (`Aim`), or
neither: the medic's window is in `shooting.py`, the dogs' bark in `movement.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from msgspec import UNSET, Struct

from engine.chance import Chance
from engine.events import Told
from engine.refusal import NotUnderstood, Refused
from engine.text import Text, comma_list
from games.sniper_elite.rules import events
from games.sniper_elite.rules.bag import too_few
from games.sniper_elite.rules.commands import Ability, Attack
from games.sniper_elite.rules.map_acts import acts_of
from games.sniper_elite.rules.mines import ended_on
from games.sniper_elite.rules.odds import hits
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.rule import Rule, to_all
from games.sniper_elite.rules.turn import wound
from games.sniper_elite.rules.words import (
    SQUAD_WORDS,
    SQUADS,
    UNITS,
    called,
    is_officer,
    officer_of,
    soldiers_of,
    squad_of,
)


class OwnAbility(Struct, frozen=True):
    """Used by itself, without a cube. `offers(view, squad)` are its uses; `barred` says why one is none of them."""

    offers: Callable[[Picture, str], Iterable[Ability]]
    barred: Callable[[Picture, Ability], Refused]
    effect: Callable[[Picture, Ability], Iterable[Told]]


class Aim(Struct, frozen=True):
    """Changes the officer's attack, whose cube is still spent (MP-SPEC-05)."""

    offers: Callable[[Picture, str], Iterable[Attack]]
    barred: Callable[[Picture, Attack], Refused]
    effect: Callable[[Picture, Attack, Chance], Iterable[Told]]


class SpecialistKind(Struct, frozen=True):
    """A specialist card: its title, what it does in one sentence, and its rules."""

    title: Text
    text: Text
    ability: OwnAbility | None = None
    aim: Aim | None = None


OFFICER_OFF: Final = Text("its officer is off the board")


def unusable(view: Picture, squad: str) -> Refused | None:
    """Why a squad's specialist cannot be used at all now, or None (MP-SPEC-01, MP-SPEC-03, MP-SPEC-04)."""
    if view.officer_at(squad) is None:
        return Refused(
            "MP-SPEC-03",
            Text("The {squad} officer is off the board, and the specialist with it."),
            OFFICER_OFF,
            squad=SQUAD_WORDS[squad],
        )
    if view.specialists[squad].uses == 0:
        return Refused("MP-SPEC-01", Text("This specialist has no uses left."), Text("no uses left"))
    if squad in view.used:
        return Refused("MP-SPEC-04", Text("This specialist was used already this turn."), Text("used this turn"))
    return None


# --- Kennel Master (MP-SPEC-10..15, R-58) -----------------------------------------------------------------------


DOGS = 2
"""MP-SPEC-10."""


def _kennel(view: Picture, squad: str) -> list[Ability]:
    return [Ability(squad)] if len(view.dogs) < DOGS else []


def _no_kennel(view: Picture, command: Ability) -> Refused:
    return Refused("MP-SPEC-10", Text("Both dogs are on the board already."))


def _leave_dog(truth: Picture, command: Ability) -> Iterator[Told]:
    yield to_all(events.DogPlaced(str(truth.officer_at(command.squad))))


# --- Scout (MP-SPEC-16..18, R-56) -------------------------------------------------------------------------------


def _scoutable(view: Picture, squad: str) -> list[str]:
    return [unit for unit in soldiers_of(squad) if view.units[unit] is not None and not view.acts_done(unit)]


def _scout(view: Picture, squad: str) -> list[Ability]:
    found: list[Ability] = []
    for unit in _scoutable(view, squad):
        empty = acts_of(view.map).scouted[squad][unit].copy()
        for held in view.units.values():
            empty.pop(held, None)
        found += empty.values()
    return found


def _no_scout(view: Picture, command: Ability) -> Refused:
    unit = str(command.unit)
    if unit not in soldiers_of(command.squad):
        return Refused(
            "MP-SPEC-16", Text("The Scout relocates a soldier of the {squad} squad.", squad=SQUAD_WORDS[command.squad])
        )
    if view.units[unit] is None:
        return Refused("MP-SPEC-17", Text("{unit} is off the board.", unit=called(unit)))
    if view.acts_done(unit):
        return Refused("MP-SPEC-18", Text("{unit} has acted already this turn.", unit=called(unit)))
    return Refused("MP-SPEC-16", Text("The Scout goes to an empty space; {to} is none.", to=str(command.to)))


def _relocate(truth: Picture, command: Ability) -> Iterator[Told]:
    unit, to = str(command.unit), str(command.to)
    yield to_all(events.Scouted(unit, str(truth.units[unit]), to))
    yield from ended_on(truth, unit, to)


# --- Radio Operator (MP-SPEC-19..22, R-54, R-57) ----------------------------------------------------------------


def _callable(view: Picture) -> list[str]:
    """Soldiers off the board since before this turn, and not dismissed in it."""
    absent = [unit for unit in UNITS if not is_officer(unit) and view.units[unit] is None and unit in view.off]
    return [unit for unit in absent if "dismiss" not in view.acts_done(unit)]


def _beside_officer(view: Picture, squad: str) -> list[str]:
    around = view.map.matching[str(view.officer_at(squad))]
    return [space for space in around if view.unit_on(space) is None]


def _has_moved(view: Picture, squad: str) -> bool:
    return "move" in view.acts_done(officer_of(squad))


def _radio(view: Picture, squad: str) -> list[Ability]:
    if _has_moved(view, squad):
        return []
    around = _beside_officer(view, squad)
    return [Ability(squad, unit, space) for unit in _callable(view) for space in around]


def _no_radio(view: Picture, command: Ability) -> Refused:
    unit = str(command.unit)
    if is_officer(unit):
        return Refused("MP-SPEC-06", Text("The Radio Operator brings soldiers only."))
    if _has_moved(view, command.squad):
        return Refused("MP-SPEC-22", Text("The officer has moved this turn; use the radio before moving."))
    if view.units[unit] is not None:
        return Refused("MP-SPEC-19", Text("{unit} is on the board.", unit=called(unit)))
    if "dismiss" in view.acts_done(unit):
        return Refused("MP-ACT-18", Text("{unit} was dismissed this turn.", unit=called(unit)))
    if unit not in view.off:
        return Refused("MP-SPEC-21", Text("{unit} was still on the board when this turn began.", unit=called(unit)))
    return Refused(
        "MP-SPEC-19",
        Text("Deploy on a free space beside the officer, of the same kind; {space} is none.", space=str(command.space)),
    )


def _call(truth: Picture, command: Ability) -> Iterator[Told]:
    yield to_all(events.Deployed(str(command.unit), str(command.space), "radio-operator"))


# --- Jaeger (MP-SPEC-08, MP-SPEC-09, R-51) ----------------------------------------------------------------------


def _jaeger(view: Picture, squad: str) -> Iterable[Attack]:
    return acts_of(view.map).beside[squad, str(view.officer_at(squad))]


def _no_jaeger(view: Picture, command: Attack) -> Refused:
    return Refused(
        "MP-SPEC-08", Text("The Jaeger attacks one space next to {start}.", start=str(view.units[command.unit]))
    )


def _attack_beside(truth: Picture, command: Attack, chance: Chance) -> Iterator[Told]:
    yield from _answer(truth, command)


def _answer(truth: Picture, command: Attack) -> Iterator[Told]:
    space = str(command.space)
    found = truth.mine.space == space
    yield to_all(events.Attacked(command.unit, space, found))
    if found:
        yield from wound(truth, space)


# --- sniper specialist (MP-SPEC-23..25, R-52, R-53) -------------------------------------------------------------

MOST_DRAWN = 7
"""MP-SPEC-24."""


def _sharpshooter(view: Picture, squad: str) -> Iterable[Attack]:
    if _has_moved(view, squad):
        return ()
    return acts_of(view.map).aimed[squad, str(view.officer_at(squad)), _most_drawn(view)]


def _most_drawn(view: Picture) -> int:
    """What may be drawn for an aimed attack; a ghost's bag is not counted and never holds fewer (EN-R-29)."""
    return MOST_DRAWN if view.hidden else min(MOST_DRAWN, sum(view.bag.values()))


def _aimed(command: Attack) -> tuple[str, int]:
    assert command.space is not None and command.draw is not None, "an aimed attack names both"
    return command.space, command.draw


def _no_sharpshooter(view: Picture, command: Attack) -> Refused:
    space, draw = _aimed(command)
    if _has_moved(view, squad_of(command.unit)):
        return Refused("MP-SPEC-25", Text("The officer has moved this turn; aim before moving."))
    distance = view.map.distance(str(view.units[command.unit]), space)
    if distance is None or not view.map.spaces[space].enterable:
        return Refused(
            "MP-SPEC-23",
            Text("Your officer on {start} does not see {space}.", start=str(view.units[command.unit]), space=space),
        )
    if draw < distance:
        return Refused(
            "MP-SHOOT-05",
            Text("Draw at least {distance}: that is how far away {space} is.", distance=distance, space=space),
        )
    if draw > MOST_DRAWN:
        return Refused("MP-SPEC-24", Text("At most {most_drawn} tokens may be drawn.", most_drawn=MOST_DRAWN))
    return Refused("MP-SHOOT-06", too_few(view))


def _snipe(truth: Picture, command: Attack, chance: Chance) -> Iterator[Told]:
    """The sniper's shooting rules with the sniper's bag; only a hit asks whether anybody is there."""
    space, draw = _aimed(command)
    yield to_all(events.ShotDeclared(draw, None, UNSET if truth.options.nest is None else None))
    drawn = chance.tokens("draw", truth.bag, min(draw, sum(truth.bag.values())), "MP-SHOOT-06")
    yield to_all(events.Drew(drawn))
    distance = truth.map.distance(str(truth.units[command.unit]), space)
    assert distance is not None, "only a space in sight is aimed at"
    if hits(drawn, distance):
        yield from _answer(truth, command)
    else:
        yield to_all(events.Attacked(command.unit, space, None))


SPECIALISTS: Final[dict[str, SpecialistKind]] = {
    "kennel-master": SpecialistKind(
        Text("Kennel Master"), Text("Leaves a dog here, which barks whenever the sniper passes."),
        OwnAbility(_kennel, _no_kennel, _leave_dog),
    ),
    "jaeger": SpecialistKind(
        Text("Jaeger"), Text("The officer's attack may hit one adjacent space instead of its own."),
        aim=Aim(_jaeger, _no_jaeger, _attack_beside),
    ),
    "scout": SpecialistKind(
        Text("Scout"), Text("Puts a soldier of the squad on any empty space; it may not act this turn."),
        OwnAbility(_scout, _no_scout, _relocate),
    ),
    "radio-operator": SpecialistKind(
        Text("Radio Operator"), Text("Deploys a soldier of any squad beside this officer."),
        OwnAbility(_radio, _no_radio, _call),
    ),
    "sniper": SpecialistKind(
        Text("Sniper"), Text("The officer attacks a space in sight with the sniper's own bag."),
        aim=Aim(_sharpshooter, _no_sharpshooter, _snipe),
    ),
    "medic": SpecialistKind(Text("Medic"), Text("Saves a soldier of the squad that the sniper has just shot.")),
}  # fmt: skip

FIELDS: Final = {"kennel-master": (), "scout": ("unit", "to"), "radio-operator": ("unit", "space")}
"""What an ability names beside its squad."""
MISFITS: Final = {
    "kennel-master": ("MP-SPEC-10", Text("The {squad} squad has the Kennel Master: name neither soldier nor space.")),
    "scout": ("MP-SPEC-16", Text("The {squad} squad has the Scout: name a soldier and the space where it goes.")),
    "radio-operator": (
        "MP-SPEC-19",
        Text("The {squad} squad has the Radio Operator: name a soldier and the space where it is deployed."),
    ),
}
"""What is said of an ability that names what another card wants."""
AIM_FIELDS: Final = {"jaeger": ("space",), "sniper": ("space", "draw")}
"""What an attack names beside its unit and the specialist."""


# --- using an ability -------------------------------------------------------------------------------------------


def _offers(view: Picture) -> Iterator[Ability]:
    for squad in SQUADS:
        own = _own(view, squad)
        if own is not None and unusable(view, squad) is None:
            yield from own.offers(view, squad)


def _own(view: Picture, squad: str) -> OwnAbility | None:
    return SPECIALISTS[view.specialists[squad].card].ability


def _check(view: Picture, command: Ability) -> Ability:
    named = _named(command, ("unit", "space", "to"))
    if named not in map(set, FIELDS.values()):
        raise NotUnderstood(Text("An ability names a squad alone, or squad, unit and to, or squad, unit and space."))
    own, card = _own(view, command.squad), view.specialists[command.squad].card
    if own is None:
        raise _no_own(view, command.squad)
    if (why := unusable(view, command.squad)) is not None:
        raise why
    if named != set(FIELDS[card]):
        rule, text = MISFITS[card]
        raise Refused(rule, text.with_(squad=SQUAD_WORDS[command.squad]))
    if command not in own.offers(view, command.squad):
        raise own.barred(view, command)
    return command


def _no_own(view: Picture, squad: str) -> Refused:
    card = view.specialists[squad].card
    if card == "medic":
        return Refused(
            "MP-SPEC-26",
            Text("The medic is used when the sniper has hit a soldier of its squad."),
            Text("helps when a soldier is hit"),
        )
    return Refused(
        "MP-SPEC-05", Text("{title} changes the officer's attack; attack with it.", title=SPECIALISTS[card].title)
    )


def _named(command: Ability | Attack, fields: Iterable[str]) -> set[str]:
    return {name for name in fields if getattr(command, name) is not None}


def _decide(truth: Picture, command: Ability, chance: Chance) -> Iterable[Told]:
    own = _own(truth, command.squad)
    assert own is not None
    return own.effect(truth, command)


RULES = [Rule(Ability, _offers, _check, _decide)]


# --- changing an attack -----------------------------------------------------------------------------------------


def offer_aims(view: Picture, squad: str) -> Iterable[Attack]:
    """The attacks of a squad's officer that its specialist changes."""
    aim = SPECIALISTS[view.specialists[squad].card].aim
    return () if aim is None or unusable(view, squad) is not None else aim.offers(view, squad)


def check_aim(view: Picture, command: Attack) -> Attack:
    """An attack with a specialist, by an officer that may attack."""
    squad = squad_of(command.unit)
    held = view.specialists[squad]
    if held.card != command.use or not is_officer(command.unit):
        raise Refused("MP-SETUP-18", Text("{unit} is not the officer with that specialist.", unit=called(command.unit)))
    aim = SPECIALISTS[held.card].aim
    if aim is None:
        raise Refused("MP-SPEC-05", Text("{title} does not change an attack.", title=SPECIALISTS[held.card].title))
    if (why := unusable(view, squad)) is not None:
        raise why
    if _named(command, ("space", "draw")) != set(AIM_FIELDS[held.card]):
        raise NotUnderstood(
            Text(
                "An attack with the {title} names: {fields}.",
                title=SPECIALISTS[held.card].title,
                fields=comma_list(("unit", "use", *AIM_FIELDS[held.card])),
            )
        )
    if command not in aim.offers(view, squad):
        raise aim.barred(view, command)
    return command


def decide_aim(truth: Picture, command: Attack, chance: Chance) -> Iterable[Told]:
    """What follows from such an attack."""
    aim = SPECIALISTS[str(command.use)].aim
    assert aim is not None
    return aim.effect(truth, command, chance)
