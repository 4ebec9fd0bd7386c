"""The specialists: one entry each (MP-SPEC-01)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from engine.chance import Chance
from engine.game import Command
from engine.games.sniper_elite.commands import Ability
from engine.games.sniper_elite.picture import Picture
from engine.games.sniper_elite.rule import Rule
from engine.refusal import Refused
from engine.told import Told


class SpecialistKind(Struct, frozen=True):
    """A specialist card: its title and what it does in one sentence."""

    title: str
    text: str


SPECIALISTS: Final[dict[str, SpecialistKind]] = {
    "kennel-master": SpecialistKind("Kennel Master", "Leaves a dog here, which barks whenever the sniper passes."),
    "jaeger": SpecialistKind("Jaeger", "The officer's attack may hit one adjacent space instead of its own."),
    "scout": SpecialistKind("Scout", "Puts a soldier of the squad on any empty space; it may not act this turn."),
    "radio-operator": SpecialistKind("Radio Operator", "Deploys a soldier of any squad beside this officer."),
    "sniper": SpecialistKind("Sniper", "The officer attacks a space in sight with the sniper's own bag."),
    "medic": SpecialistKind("Medic", "Saves a soldier of the squad that the sniper has just shot."),
}


def _offers(view: Picture) -> Iterable[Command]:
    return ()


def _check(view: Picture, command: Ability) -> Command:
    raise Refused("MP-SPEC-01", "Specialist abilities cannot be used at this table yet.")


def _decide(truth: Picture, command: Ability, chance: Chance) -> Iterable[Told]:
    raise NotImplementedError  # unreachable: _check lets nothing through


RULES = [Rule(Ability, _offers, _check, _decide)]
