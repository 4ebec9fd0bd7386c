"""Everything that a seat can want, one frozen value each; which rules they meet is in the rule modules.

`to` is the space where the marker stands when the option is done without a mishap.
"""

from __future__ import annotations

from typing import Literal, get_args

import msgspec
from msgspec import Struct

from engine.game import Command
from engine.refusal import NotUnderstood
from engine.text import Text, comma_list
from games.snipers_and_assassins.rules.words import MOST, known, seat_names


class Act(Command, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Given by the seat whose turn it is."""


class SetupAct(Act, frozen=True):
    """A choice before the cards are dealt (SA-SET-05)."""


class SniperAct(Act, frozen=True):
    """An option of the Sniper's."""


class AssassinAct(Act, frozen=True):
    """An option of the Assassin's."""


class Mine(Struct, frozen=True, forbid_unknown_fields=True):
    """A gas mine that is planted with a move (SA-ASN-02)."""

    when: Literal["before", "after"]
    space: str


class ChooseStart(SetupAct, tag="choose-start", frozen=True):
    """SA-SET-05."""

    space: str


class ChooseTarget(SetupAct, tag="choose-target", frozen=True):
    """Whose Leader to hunt (SA-R-41)."""

    seat: str


class PlaceLeader(SetupAct, tag="place-leader", frozen=True):
    """SA-R-42."""

    space: str


class OptionA(SniperAct, tag="a", frozen=True):
    """Shoot and move 1, in either order (SA-SNP-01)."""

    order: Literal["shoot-move", "move-shoot"]
    to: str
    target: str


class WalkB(SniperAct, tag="b-walk", frozen=True):
    """Move 2, and shoot (SA-SNP-02)."""

    to: str
    target: str | None = None


class JumpB(SniperAct, tag="b-jump", frozen=True):
    """Jump, and shoot (SA-SNP-02)."""

    to: str
    target: str | None = None


class WalkC(SniperAct, tag="c-walk", frozen=True):
    """Move 3 (SA-SNP-03)."""

    to: str


class JumpC(SniperAct, tag="c-jump", frozen=True):
    """Jump and move 1 (SA-SNP-03)."""

    to: str


class DoubleOne(SniperAct, tag="d1", frozen=True):
    """The first turn of a double jump with a shot (SA-SNP-05)."""

    to: str
    target: str | None = None


class DoubleTwo(SniperAct, tag="d2", frozen=True):
    """The first turn of a double jump that ends in stealth (SA-SNP-06)."""

    to: str


class DoubleContinue(SniperAct, tag="d-continue", frozen=True):
    """The second turn of a double jump (SA-SNP-04)."""

    to: str


class DoubleFast(SniperAct, tag="d-fast", frozen=True):
    """A double jump in one turn (SA-IMP-04); only option 1 has a shot."""

    option: Literal[1, 2]
    to: str
    target: str | None = None


class Walk(AssassinAct, tag="walk", frozen=True):
    """SA-ASN-01."""

    to: str
    mine: Mine | None = None


class Jump(AssassinAct, tag="jump", frozen=True):
    """SA-ASN-01."""

    to: str
    mine: Mine | None = None


class Plant(AssassinAct, tag="plant", frozen=True):
    """A mine at the end of a move of no steps (SA-R-28)."""

    space: str


class Claymore(AssassinAct, tag="claymore", frozen=True):
    """SA-CLM-01."""


class Hold(Act, tag="hold", frozen=True):
    """SA-R-01."""

    marker: str


class EndTurn(Act, tag="end-turn", frozen=True):
    """SA-R-61."""


AnyCommand = (
    ChooseStart
    | ChooseTarget
    | PlaceLeader
    | OptionA
    | WalkB
    | JumpB
    | WalkC
    | JumpC
    | DoubleOne
    | DoubleTwo
    | DoubleContinue
    | DoubleFast
    | Walk
    | Jump
    | Plant
    | Claymore
    | Hold
    | EndTurn
)
KINDS = {kind.__struct_config__.tag: kind for kind in get_args(AnyCommand)}
SEATS = seat_names(MOST)


def read(seat: str, raw: object) -> Command:
    """A command from decoded JSON. Raises `NotUnderstood` with what is wrong and what is known."""
    if seat not in SEATS:
        raise NotUnderstood(
            Text("There is no seat {seat} that acts; the seats are {known}.", seat=repr(seat), known=comma_list(SEATS))
        )
    name = raw.get("type") if isinstance(raw, dict) else None
    if not isinstance(raw, dict) or not isinstance(name, str):
        raise NotUnderstood(Text("An action is an object with a type; known are {known}.", known=comma_list(KINDS)))
    known(Text("action"), [name], KINDS)
    try:
        command: Command = msgspec.convert(raw, AnyCommand)
    except msgspec.ValidationError as error:
        raise NotUnderstood(_unreadable(name, str(error))) from error
    if None in raw.values():
        raise NotUnderstood(_unreadable(name, "a field that is not wanted is left out"))
    if isinstance(command, DoubleFast) and command.option != 1 and command.target is not None:
        raise NotUnderstood(_unreadable(name, "option 2 has no target"))
    return command


def _unreadable(name: str, why: str) -> Text:
    fields = KINDS[name].__struct_fields__
    if not fields:
        return Text("The action {name} cannot be read: {why}.", name=name, why=why)
    return Text(
        "The action {name} cannot be read: {why}. It takes {takes}.", name=name, why=why, takes=comma_list(fields)
    )
