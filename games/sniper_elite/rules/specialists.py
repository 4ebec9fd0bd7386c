"""SPEC: the specialists, one entry of `SPECIALISTS` each, and how they are used (MP-SPEC-01..07).

The medic's decision is in `shooting.py`, the barking of dogs in `movement.py`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Final

from msgspec import UNSET

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

OFFICER_OFF: Final = Text("its officer is off the board")
SOLDIERS: Final = tuple(unit for unit in UNITS if not is_officer(unit))
DOGS: Final = 2  # Number of dogs (MP-SPEC-10)
MOST_DRAWN: Final = 7  # Maximum number of tokens drawn (MP-SPEC-24)


class Specialist:
    """A specialist card. The base class can't be used in the defenders' turn, and neither can the medic.

    `title` and `text` are on the card. `how` tells the player what to choose. `choice` labels a space to choose, and
    `confirm` labels the button. They can have placeholders for `unit`, `space` and `draw`.
    """

    title: Text
    text: Text
    how: Text | None = None
    choice: Text | None = None
    confirm: Text | None = None
    command: type[Ability] | type[Attack] | None = None
    """`Ability`, which takes no cube, or `Attack`, the officer's attack, which takes one (MP-SPEC-05)."""
    fields: tuple[str, ...] = ()
    """The fields of the command, besides the squad of an ability, or the unit and specialist of an attack."""
    wrong_fields: tuple[str, Text]
    """The rule and the sentence for an ability with other fields."""

    def offers(self, view: Picture, squad: str) -> Iterable[Any]:
        """Return the legal uses in a stable order. Call it only if `why_unusable` finds no obstacle."""
        return ()

    def refusal(self, view: Picture, command: Any) -> Refused:
        """Return why a use that isn't offered is refused."""
        raise NotImplementedError

    def effect(self, truth: Picture, command: Any, chance: Chance) -> Iterable[Told]:
        """Return the events of a legal use."""
        raise NotImplementedError

    def example(self, view: Picture, squad: str) -> Ability | Attack:
        """Return the use that comes closest to being legal. Its refusal is shown as the reason if none is."""
        here = view.officer_at(squad) or next(iter(view.map.spaces))
        values: dict[str, Any] = {
            "unit": self.soldier(view, squad),
            "space": here,
            "to": here,
            "draw": view.map.distance(here, here),
        }
        arguments = {name: values[name] for name in self.fields}
        if self.command is Attack:
            return Attack(officer_of(squad), **arguments, use=view.specialists[squad].card)
        return Ability(squad, **arguments)

    def soldier(self, view: Picture, squad: str) -> str:
        """Return the soldier for the example."""
        # Use a soldier on the board, if there is one: the refusal for it is more specific.
        return max(soldiers_of(squad), key=lambda unit: view.units[unit] is not None)


def why_unusable(view: Picture, squad: str) -> Refused | None:
    """Return why a squad's specialist can't be used at all now, or None (MP-SPEC-01, MP-SPEC-03, MP-SPEC-04)."""
    if view.officer_at(squad) is None:
        text = Text("The {squad} officer is off the board, and the specialist with it.")
        return Refused("MP-SPEC-03", text, OFFICER_OFF, squad=SQUAD_WORDS[squad])
    if view.specialists[squad].uses == 0:
        return Refused("MP-SPEC-01", Text("This specialist has no uses left."), Text("no uses left"))
    if squad in view.used:
        return Refused("MP-SPEC-04", Text("This specialist was used already this turn."), Text("used this turn"))
    return None


def strike(truth: Picture, unit: str, space: str) -> Iterator[Told]:
    """Yield whether the sniper is on an attacked space, and the wound if so (MP-ACT-06, MP-ACT-07)."""
    hit = truth.mine.space == space
    yield to_all(events.Attacked(unit, space, hit))
    if hit:
        yield from wound(truth, space)


def _has_moved(view: Picture, squad: str) -> bool:
    return "move" in view.acts_done(officer_of(squad))


# --- the specialists --------------------------------------------------------------------------------------------


class KennelMaster(Specialist):
    """Place a dog on the officer's space (MP-SPEC-10..15, R-58)."""

    title = Text("Kennel Master")
    text = Text("Leaves a dog here, which barks whenever the sniper passes.")
    how = Text("The dog stays on the officer’s space and barks when the sniper enters, leaves or crosses it.")
    confirm = Text("Leave the dog on {space}")
    command = Ability
    wrong_fields = ("MP-SPEC-10", Text("The {squad} squad has the Kennel Master: name neither soldier nor space."))

    def offers(self, view: Picture, squad: str) -> list[Ability]:
        return [Ability(squad)] if len(view.dogs) < DOGS else []

    def refusal(self, view: Picture, command: Ability) -> Refused:
        return Refused("MP-SPEC-10", Text("Both dogs are on the board already."))

    def effect(self, truth: Picture, command: Ability, chance: Chance) -> Iterator[Told]:
        yield to_all(events.DogPlaced(str(truth.officer_at(command.squad))))


class Jaeger(Specialist):
    """Attack a space next to the officer (MP-SPEC-08, MP-SPEC-09, R-51)."""

    title = Text("Jaeger")
    text = Text("The officer's attack may hit one adjacent space instead of its own.")
    how = Text("Choose a neighbouring space to attack. It takes one action.")
    choice = Text("attack this")
    confirm = Text("{unit} attacks {space}")
    command = Attack
    fields = ("space",)

    def offers(self, view: Picture, squad: str) -> Iterable[Attack]:
        return acts_of(view.map).beside[squad, str(view.officer_at(squad))]

    def refusal(self, view: Picture, command: Attack) -> Refused:
        start = str(view.units[command.unit])
        return Refused("MP-SPEC-08", Text("The Jaeger attacks one space next to {start}.", start=start))

    def effect(self, truth: Picture, command: Attack, chance: Chance) -> Iterable[Told]:
        return strike(truth, command.unit, str(command.space))


class Scout(Specialist):
    """Relocate a soldier (MP-SPEC-16..18, R-56)."""

    title = Text("Scout")
    text = Text("Puts a soldier of the squad on any empty space; it may not act this turn.")
    how = Text("Choose a soldier of this squad that has not acted, then any empty space.")
    choice = Text("send it here")
    confirm = Text("{unit} to {space}")
    command = Ability
    fields = ("unit", "to")
    wrong_fields = (
        "MP-SPEC-16",
        Text("The {squad} squad has the Scout: name a soldier and the space where it goes."),
    )

    def offers(self, view: Picture, squad: str) -> list[Ability]:
        abilities: list[Ability] = []
        for unit in soldiers_of(squad):
            if view.units[unit] is None or view.acts_done(unit):
                continue
            empty = acts_of(view.map).scouted[squad][unit].copy()
            # Most spaces are free, so copying the table and deleting the occupied ones is faster.
            for occupied in view.units.values():
                empty.pop(occupied, None)
            abilities += empty.values()
        return abilities

    def refusal(self, view: Picture, command: Ability) -> Refused:
        unit = str(command.unit)
        if unit not in soldiers_of(command.squad):
            text = Text("The Scout relocates a soldier of the {squad} squad.")
            return Refused("MP-SPEC-16", text, squad=SQUAD_WORDS[command.squad])
        if view.units[unit] is None:
            return Refused("MP-SPEC-17", Text("{unit} is off the board."), unit=called(unit))
        if view.acts_done(unit):
            return Refused("MP-SPEC-18", Text("{unit} has acted already this turn."), unit=called(unit))
        return Refused("MP-SPEC-16", Text("The Scout goes to an empty space; {to} isn't one."), to=str(command.to))

    def effect(self, truth: Picture, command: Ability, chance: Chance) -> Iterator[Told]:
        unit, to = str(command.unit), str(command.to)
        yield to_all(events.Scouted(unit, str(truth.units[unit]), to))
        yield from ended_on(truth, unit, to)


class RadioOperator(Specialist):
    """Call a soldier back to the board (MP-SPEC-19..22, R-54, R-57)."""

    title = Text("Radio Operator")
    text = Text("Deploys a soldier of any squad beside this officer.")
    how = Text("Choose a soldier off the board, then a space beside the officer.")
    choice = Text("deploy here")
    confirm = Text("{unit} onto {space}")
    command = Ability
    fields = ("unit", "space")
    wrong_fields = (
        "MP-SPEC-19",
        Text("The {squad} squad has the Radio Operator: name a soldier and the space where it is deployed."),
    )

    def offers(self, view: Picture, squad: str) -> list[Ability]:
        if _has_moved(view, squad):
            return []
        # Only soldiers that were off the board when the turn started, and weren't dismissed in it.
        absent = [unit for unit in SOLDIERS if view.units[unit] is None and unit in view.off]
        called_in = [unit for unit in absent if "dismiss" not in view.acts_done(unit)]
        around = [space for space in view.map.matching[str(view.officer_at(squad))] if view.unit_on(space) is None]
        return [Ability(squad, unit, space) for unit in called_in for space in around]

    def refusal(self, view: Picture, command: Ability) -> Refused:
        unit = str(command.unit)
        if is_officer(unit):
            return Refused("MP-SPEC-06", Text("The Radio Operator brings soldiers only."))
        if _has_moved(view, command.squad):
            return Refused("MP-SPEC-22", Text("The officer has moved this turn; use the radio before moving."))
        if view.units[unit] is not None:
            return Refused("MP-SPEC-19", Text("{unit} is on the board."), unit=called(unit))
        if "dismiss" in view.acts_done(unit):
            return Refused("MP-ACT-18", Text("{unit} was dismissed this turn."), unit=called(unit))
        if unit not in view.off:
            return Refused("MP-SPEC-21", Text("{unit} was still on the board when this turn began."), unit=called(unit))
        text = Text("Deploy next to the officer, on a free space of the same kind; {space} isn't one.")
        return Refused("MP-SPEC-19", text, space=str(command.space))

    def effect(self, truth: Picture, command: Ability, chance: Chance) -> Iterator[Told]:
        yield to_all(events.Deployed(str(command.unit), str(command.space), "radio-operator"))

    def soldier(self, view: Picture, squad: str) -> str:
        return max(SOLDIERS, key=lambda unit: (view.units[unit] is None, unit in view.off, not view.acts_done(unit)))


class Sharpshooter(Specialist):
    """Shoot at a space with the officer (MP-SPEC-23..25, R-52, R-53)."""

    title = Text("Sniper")
    text = Text("The officer attacks a space in sight with the sniper's own bag.")
    how = Text("Choose a space in the officer's sight, then how many tokens to draw. It takes one action.")
    choice = Text("shoot at this")
    confirm = Text("Shoot at {space}: draw {draw}")
    command = Attack
    fields = ("space", "draw")

    def offers(self, view: Picture, squad: str) -> Iterable[Attack]:
        if _has_moved(view, squad):
            return ()
        # The bag of a hidden ghost is unknown. It always has enough tokens (EN-R-29).
        most = MOST_DRAWN if view.hidden else min(MOST_DRAWN, sum(view.bag.values()))
        return acts_of(view.map).aimed[squad, str(view.officer_at(squad)), most]

    def refusal(self, view: Picture, command: Attack) -> Refused:
        start, space, draw = str(view.units[command.unit]), str(command.space), command.draw or 0
        if _has_moved(view, squad_of(command.unit)):
            return Refused("MP-SPEC-25", Text("The officer has moved this turn; aim before moving."))
        distance = view.map.distance(start, space)
        if distance is None or not view.map.spaces[space].enterable:
            text = Text("Your officer on {start} does not see {space}.")
            return Refused("MP-SPEC-23", text, start=start, space=space)
        if draw < distance:
            text = Text("Draw at least {distance}: {space} is that far away.")
            return Refused("MP-SHOOT-05", text, distance=distance, space=space)
        if draw > MOST_DRAWN:
            return Refused("MP-SPEC-24", Text("At most {most_drawn} tokens may be drawn."), most_drawn=MOST_DRAWN)
        return Refused("MP-SHOOT-06", too_few(view.bag))

    def effect(self, truth: Picture, command: Attack, chance: Chance) -> Iterator[Told]:
        """Shoot by the sniper's rules with the sniper's bag. Only a hit reveals whether the sniper is there."""
        space, draw = str(command.space), command.draw or 0
        yield to_all(events.ShotDeclared(draw, None, UNSET if truth.options.nest is None else None))
        # A hidden ghost's bag may hold fewer tokens than were announced.
        drawn = chance.tokens("draw", truth.bag, min(draw, sum(truth.bag.values())), "MP-SHOOT-06")
        yield to_all(events.Drew(drawn))
        distance = truth.map.distance(str(truth.units[command.unit]), space)
        assert distance is not None, "only a space in sight is aimed at"
        if hits(drawn, distance):
            yield from strike(truth, command.unit, space)
        else:
            # After a miss or a misfire, nothing is said about the sniper.
            yield to_all(events.Attacked(command.unit, space, None))


class Medic(Specialist):
    """Save a soldier in the sniper's turn (MP-SPEC-26..29)."""

    title = Text("Medic")
    text = Text("Saves a soldier of the squad that the sniper has just shot.")

    def refusal(self, view: Picture, command: Ability) -> Refused:
        text = Text("The medic is used when the sniper has hit a soldier of its squad.")
        return Refused("MP-SPEC-26", text, Text("helps when a soldier is hit"))


SPECIALISTS: Final[dict[str, Specialist]] = {
    "kennel-master": KennelMaster(),
    "jaeger": Jaeger(),
    "scout": Scout(),
    "radio-operator": RadioOperator(),
    "sniper": Sharpshooter(),
    "medic": Medic(),
}
"""All specialists in card order. Rules, bots, positions and screens use only this table."""


# --- using one --------------------------------------------------------------------------------------------------


def _require_legal(view: Picture, squad: str, command: Ability | Attack, wrong_fields: Exception) -> None:
    """Raise the reason that forbids a use. Raise `wrong_fields` if the command has other fields than it should."""
    specialist = SPECIALISTS[view.specialists[squad].card]
    if (why := why_unusable(view, squad)) is not None:
        raise why
    # The form is checked before the place, so that a wrong form is not reported as a wrong space.
    own = {"squad"} if isinstance(command, Ability) else {"unit", "use"}
    if _named_fields(command) != own.union(specialist.fields):
        raise wrong_fields
    if command not in specialist.offers(view, squad):
        raise specialist.refusal(view, command)


def _named_fields(command: Ability | Attack) -> set[str]:
    return {name for name in command.__struct_fields__ if getattr(command, name) is not None}


def uses(view: Picture, squad: str, kind: type[Ability] | type[Attack]) -> Iterable[Any]:
    """Return the uses of a squad's specialist by one kind of command."""
    specialist = SPECIALISTS[view.specialists[squad].card]
    return specialist.offers(view, squad) if specialist.command is kind and why_unusable(view, squad) is None else ()


def _check(view: Picture, command: Ability) -> Ability:
    valid_fields = (
        {"squad", *specialist.fields} for specialist in SPECIALISTS.values() if specialist.command is Ability
    )
    if _named_fields(command) not in valid_fields:
        raise NotUnderstood(Text("An ability names a squad alone, or squad, unit and to, or squad, unit and space."))
    specialist = SPECIALISTS[view.specialists[command.squad].card]
    if specialist.command is None:
        raise specialist.refusal(view, command)
    if specialist.command is Attack:
        text = Text("{title} changes the officer's attack; attack with it.", title=specialist.title)
        raise Refused("MP-SPEC-05", text)
    rule, text = specialist.wrong_fields
    _require_legal(view, command.squad, command, Refused(rule, text.with_(squad=SQUAD_WORDS[command.squad])))
    return command


def _decide(truth: Picture, command: Ability, chance: Chance) -> Iterable[Told]:
    return SPECIALISTS[truth.specialists[command.squad].card].effect(truth, command, chance)


RULES = [Rule(Ability, lambda view: [use for squad in SQUADS for use in uses(view, squad, Ability)], _check, _decide)]


def check_special_attack(view: Picture, command: Attack) -> Attack:
    """Check a specialist attack, by a unit that can attack."""
    squad = squad_of(command.unit)
    specialist = SPECIALISTS[view.specialists[squad].card]
    if view.specialists[squad].card != command.use or not is_officer(command.unit):
        raise Refused("MP-SETUP-18", Text("{unit} is not the officer with that specialist.", unit=called(command.unit)))
    if specialist.command is not Attack:
        raise Refused("MP-SPEC-05", Text("{title} does not change an attack.", title=specialist.title))
    fields = comma_list(("unit", "use", *specialist.fields))
    text = Text("An attack with the {title} names: {fields}.", title=specialist.title, fields=fields)
    _require_legal(view, squad, command, NotUnderstood(text))
    return command
