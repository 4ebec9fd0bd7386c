"""All commands of a seat, one frozen class each. The rule modules define when each is legal.

`to` is the space where the marker ends up if nothing stops it.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec
from msgspec import Struct

from engine.game import Command
from engine.naming import reason, require_known, tagged
from engine.refusal import NotUnderstood
from engine.seats import player_names
from engine.text import Text, comma_list
from games.snipers_and_assassins.rules.words import MOST


class SeatCommand(Command, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A command of the seat whose turn it is."""


class SetupCommand(SeatCommand, frozen=True):
    """A choice before the cards are dealt (SA-SET-05)."""


class SniperCommand(SeatCommand, frozen=True):
    """An option of the Sniper."""


class SniperMove(SniperCommand, frozen=True):
    """An option without a shot."""

    to: str


class ShootingMove(SniperCommand, frozen=True):
    """An option with an optional shot."""

    to: str
    target: str | None = None


class Mine(Struct, frozen=True, forbid_unknown_fields=True):
    """A gas mine planted together with a move (SA-ASN-02)."""

    when: Literal["before", "after"]
    space: str


class ChooseStart(SetupCommand, tag="choose-start", frozen=True):
    """Choose a starting Hideout (SA-SET-05)."""

    space: str


class ChooseTarget(SetupCommand, tag="choose-target", frozen=True):
    """Choose whose Leader to hunt (SA-R-41)."""

    seat: str


class PlaceLeader(SetupCommand, tag="place-leader", frozen=True):
    """Choose the Leader's Hideout (SA-R-42)."""

    space: str


class OptionA(SniperCommand, tag="a", frozen=True):
    """Shoot and move one space, in either order (SA-SNP-01)."""

    order: Literal["shoot-move", "move-shoot"]
    to: str
    target: str


class WalkB(ShootingMove, tag="b-walk", frozen=True):
    """Move two spaces and shoot (SA-SNP-02)."""


class JumpB(ShootingMove, tag="b-jump", frozen=True):
    """Jump and shoot (SA-SNP-02)."""


class WalkC(SniperMove, tag="c-walk", frozen=True):
    """Move three spaces (SA-SNP-03)."""


class JumpC(SniperMove, tag="c-jump", frozen=True):
    """Jump and move one space (SA-SNP-03)."""


class DoubleOne(ShootingMove, tag="d1", frozen=True):
    """Start a double jump with a shot (SA-SNP-05)."""


class DoubleTwo(SniperMove, tag="d2", frozen=True):
    """Start a double jump that ends in stealth (SA-SNP-06)."""


class DoubleContinue(SniperMove, tag="d-continue", frozen=True):
    """Finish a double jump in the second turn (SA-SNP-04)."""


class DoubleFast(SniperCommand, tag="d-fast", frozen=True):
    """Make a double jump in one turn; only option 1 has a shot (SA-IMP-04)."""

    option: Literal[1, 2]
    to: str
    target: str | None = None


class AssassinMove(SeatCommand, frozen=True):
    """A move of the Assassin. It can plant a mine at the same time (SA-ASN-01)."""

    to: str
    mine: Mine | None = None


class Walk(AssassinMove, tag="walk", frozen=True):
    """Walk along the pathway (SA-ASN-01)."""


class Jump(AssassinMove, tag="jump", frozen=True):
    """Jump to the next pathway (SA-ASN-01)."""


class Plant(SeatCommand, tag="plant", frozen=True):
    """Plant a mine without moving (SA-R-28)."""

    space: str


class Claymore(SeatCommand, tag="claymore", frozen=True):
    """Step home and set off the Claymores (SA-CLM-01)."""


class Hold(SeatCommand, tag="hold", frozen=True):
    """Hold a marker: it does nothing this turn (SA-R-01)."""

    marker: str


class EndTurn(SeatCommand, tag="end-turn", frozen=True):
    """End the turn (SA-R-61)."""


KINDS: Final = tagged(globals())
SEATS: Final = player_names(MOST)


ACTION: Final = Text("action")


def read_command(seat: str, raw: object) -> Command:
    """Return a command from decoded JSON. `NotUnderstood` says what is wrong and lists the known values."""
    if seat not in SEATS:
        text = Text("There is no seat {seat} that acts; the seats are {known}.")
        raise NotUnderstood(text.with_(seat=repr(seat), known=comma_list(SEATS)))
    name = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(name, str):
        raise NotUnderstood(Text("An action is an object with a type; known are {known}.", known=comma_list(KINDS)))
    kind = KINDS.get(name)
    if kind is None:
        require_known(ACTION, [name], KINDS)
    try:
        command: Command = msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        raise NotUnderstood(_unreadable(name, reason(error))) from error
    if None in raw.values():
        raise NotUnderstood(_unreadable(name, "leave out fields that you do not use"))
    if isinstance(command, DoubleFast) and command.option != 1 and command.target is not None:
        raise NotUnderstood(_unreadable(name, "option 2 has no target"))
    return command


def _unreadable(name: str, why: str) -> Text:
    fields = KINDS[name].__struct_fields__
    if not fields:
        return Text("The action {name} cannot be read: {why}.", name=name, why=why)
    text = Text("The action {name} cannot be read: {why}. It takes {takes}.")
    return text.with_(name=name, why=why, takes=comma_list(fields))
