"""All commands, one frozen class each. The rule modules check and execute them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, get_args

import msgspec

from engine.game import Command
from engine.naming import any_of, decoded, reason, require_known
from engine.refusal import NotUnderstood
from engine.text import Text, comma_list
from games.sniper_elite.rules.words import DEFENDERS, SNIPER


class SniperCommand(Command, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command of the sniper's seat."""

    seat: ClassVar[str] = SNIPER


class DefendersCommand(Command, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command of the defenders' seat."""

    seat: ClassVar[str] = DEFENDERS


class ReturnObjective(SniperCommand, tag="return-objective", frozen=True):
    """Put one of two cards with the same suit under the deck (MP-SETUP-10)."""

    objective: int


class ChooseLoadout(SniperCommand, tag="choose-loadout", frozen=True):
    """Choose the loadout cards to keep (MP-SETUP-14)."""

    cards: tuple[str, ...]


class ShowObjective(SniperCommand, tag="show-objective", frozen=True):
    """Show a card that isn't one of the objectives (MP-DIFF-03)."""

    objective: int


class ChooseEntry(SniperCommand, tag="choose-entry", frozen=True):
    """Choose the arrow of the start position (MP-TURN-02)."""

    sector: str


class Move(SniperCommand, tag="move", frozen=True):
    """Move the sniper along `path`, which starts after its space, or with the entry space (MP-MOVE-01, MP-MOVE-08)."""

    path: tuple[str, ...]


class Play(SniperCommand, tag="play", frozen=True):
    """Play a card (MP-LOAD-03). `unit` and `to` are for Distraction."""

    card: str
    unit: str | None = None
    to: str | None = None


class Shoot(SniperCommand, tag="shoot", frozen=True):
    """Shoot (MP-SHOOT-01). The weapon and Karl (EN-R-28) decide which fields are required."""

    target: str | None = None
    draw: int | None = None
    second: int | None = None
    third: int | None = None


class ShootSecond(SniperCommand, tag="shoot-second", frozen=True):
    """Choose the target of the Tommy Gun's second shot (MP-LOAD-12, R-25)."""

    target: str


class Loot(SniperCommand, tag="loot", frozen=True):
    """Loot the sniper's space (MP-LOOT-01)."""


class Keep(SniperCommand, tag="keep", frozen=True):
    """Keep one of the drawn cards (MP-LOOT-02)."""

    card: str


class Complete(SniperCommand, tag="complete", frozen=True):
    """Complete an objective (MP-OBJ-01)."""

    objective: int


class EndSniperTurn(SniperCommand, tag="end-turn", frozen=True):
    """End the sniper's turn (MP-TURN-07)."""


class ChooseSpecialists(DefendersCommand, tag="choose-specialists", frozen=True):
    """Choose the specialists, squad -> specialist (MP-SETUP-17, MP-SETUP-18)."""

    squads: dict[str, str]


class MoveUnit(DefendersCommand, tag="move", frozen=True):
    """Move a unit (MP-ACT-01)."""

    unit: str
    to: str


class Attack(DefendersCommand, tag="attack", frozen=True):
    """Attack with a unit (MP-ACT-06). `space`, `draw` and `use` are for specialists that change an attack."""

    unit: str
    space: str | None = None
    draw: int | None = None
    use: str | None = None


class Spot(DefendersCommand, tag="spot", frozen=True):
    """Spot a space with a unit (MP-ACT-08)."""

    unit: str
    space: str


class Sweep(DefendersCommand, tag="sweep", frozen=True):
    """Sweep with a unit (MP-ACT-10). The order of `spaces` doesn't matter."""

    unit: str
    spaces: tuple[str, ...]


class Deploy(DefendersCommand, tag="deploy", frozen=True):
    """Deploy an officer (MP-ACT-13) or a soldier (MP-ACT-15)."""

    unit: str
    space: str


class Dismiss(DefendersCommand, tag="dismiss", frozen=True):
    """Dismiss a unit (MP-ACT-18)."""

    unit: str


class GatherIntel(DefendersCommand, tag="intel", frozen=True):
    """Gather intel with a squad (MP-INTEL-01)."""

    squad: str


class Ability(DefendersCommand, tag="ability", frozen=True):
    """Use a specialist's ability (MP-SPEC-01). The other fields are for the specialists that need them."""

    squad: str
    unit: str | None = None
    space: str | None = None
    to: str | None = None


class Save(DefendersCommand, tag="save", frozen=True):
    """Save a soldier with the medic (MP-SPEC-26)."""

    unit: str


class Decline(DefendersCommand, tag="decline", frozen=True):
    """Decline to save a soldier (R-59)."""


class EndDefendersTurn(DefendersCommand, tag="end-turn", frozen=True):
    """End the defenders' turn (R-85)."""


class Mark(DefendersCommand, tag="mark", frozen=True):
    """Place a tracking cube (MP-DEF-10)."""

    space: str


class Unmark(DefendersCommand, tag="unmark", frozen=True):
    """Remove a tracking cube (MP-DEF-10)."""

    space: str


# Other games have their own commands of these seats, in modules that are imported later.
BY_SEAT = {SNIPER: any_of(SniperCommand.__subclasses__()), DEFENDERS: any_of(DefendersCommand.__subclasses__())}
ACTIONS = {SNIPER: Text("sniper's action"), DEFENDERS: Text("defenders' action")}


def read_command(seat: str, raw: object, by_seat: Mapping[str, Any] = BY_SEAT) -> Command:
    """Return a command of `seat` from decoded JSON. Raises `NotUnderstood`, which lists the known values.

    `by_seat` is seat -> the union of its commands.
    """
    if seat not in by_seat:
        text = Text("There is no seat {seat} that acts; the seats are {known}.")
        raise NotUnderstood(text.with_(seat=repr(seat), known=comma_list(by_seat)))
    union, what = by_seat[seat], ACTIONS[seat]
    try:
        command: Command = decoded(raw, union)
    except msgspec.ValidationError as error:
        kinds = {kind.__struct_config__.tag: kind for kind in get_args(union)}
        name = raw.get("type") if isinstance(raw, dict) else None
        require_known(what, [name if isinstance(name, str) else None], kinds)
        why = reason(error)
        if isinstance(name, str) and kinds[name].__struct_fields__:
            fields = comma_list(kinds[name].__struct_fields__)
            why = Text("{error}. {name} takes: {takes}", error=why, name=name, takes=fields)
        raise NotUnderstood(Text("{what} cannot be read: {why}.", what=what, why=why)) from error
    return command
