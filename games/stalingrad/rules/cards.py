"""The 69 cards as data: Targets, Dangers, Aids and blanks (ST-CMP-01, ST-CMP-02)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from engine.text import Text

Kind = Literal["target", "danger", "aid", "nothing"]
Letter = Literal["S", "H", "E", "X"]
"""The stat that an Aid raises: Shoot, Hunt or Evade; X raises any of them."""


class Card(Struct, frozen=True):
    """One card. `stars` is the value of a Target; `letter` is the stat that an Aid raises.

    `amount` is the number that an Aid adds to its stat. On a Target or Danger, it is added to the stat of the roll
    (ST-R-24).
    """

    id: str
    title: Text
    kind: Kind
    stars: int = 0
    letter: Letter | None = None
    amount: int = 0


def _aid(name: str, title: Text, letter: Letter, amount: int) -> Card:
    return Card(name, title, "aid", letter=letter, amount=amount)


def _target(name: str, title: Text, stars: int, amount: int) -> Card:
    return Card(name, title, "target", stars=stars, amount=amount)


def _danger(name: str, title: Text, amount: int) -> Card:
    return Card(name, title, "danger", amount=amount)


def _nothing(name: str, title: Text) -> Card:
    return Card(name, title, "nothing")


CARDS: Final[dict[str, Card]] = {
    card.id: card
    for card in (
        _aid("C01", Text("Clean Shot"), "S", 2),
        _target("C02", Text("Engineer Laying Mines"), 1, 1),
        _target("C03", Text("Radio Operator"), 2, 0),
        _target("C04", Text("Lone Sentry"), 1, 1),
        _target("C05", Text("Tank Leader"), 4, -2),
        _target("C06", Text("SS Guard"), 2, 0),
        _target("C07", Text("Motorcycle Courier"), 1, 1),
        _target("C08", Text("Enemy Sniper"), 5, -3),
        _danger("C09", Text("Artillery Barrage"), -1),
        _danger("C10", Text("Stuka Dive Bomber"), -1),
        _danger("C11", Text("Strafing Fighter"), 0),
        _danger("C12", Text("Medium Bomber Run"), -2),
        _danger("C13", Text("Hand Grenade"), -1),
        _danger("C14", Text("German Sniper"), -3),
        _danger("C15", Text("Close Combat"), -2),
        _danger("C16", Text("Street Fighting"), -1),
        _aid("C17", Text("Rubble"), "E", 1),
        _aid("C18", Text("Camouflage"), "E", 1),
        _aid("C19", Text("Close Range"), "S", 1),
        _aid("C20", Text("Good Vantage"), "S", 2),
        _aid("C21", Text("Blind Spot"), "E", 2),
        _aid("C22", Text("Ruins"), "E", 1),
        _aid("C23", Text("Crater"), "E", 1),
        _aid("C24", Text("Kill Zone"), "S", 1),
        _target("C25", Text("Truck"), 1, 1),
        _target("C26", Text("Armored Car Commander"), 3, -1),
        _target("C27", Text("Machine Gun Post"), 2, 0),
        _danger("C28", Text("Cross Open Ground"), -1),
        _aid("C29", Text("Darkness"), "E", 2),
        _aid("C30", Text("Smoke"), "E", 1),
        _aid("C31", Text("Rain"), "E", 1),
        _aid("C32", Text("Snow"), "E", 1),
        _aid("C33", Text("Elevation"), "S", 1),
        _aid("C34", Text("Behind Enemy Lines"), "H", 3),
        _aid("C35", Text("Salient"), "H", 2),
        _aid("C36", Text("No Mans Land"), "H", 2),
        _nothing("C37", Text("Icy Cold")),
        _danger("C38", Text("Rocket Salvo"), -2),
        _nothing("C39", Text("Blizzard")),
        _nothing("C40", Text("Corpses")),
        _nothing("C41", Text("Illness")),
        _nothing("C42", Text("Barbed Wire")),
        _nothing("C43", Text("Mine Field")),
        _aid("C44", Text("Tunnels"), "H", 2),
        _aid("C45", Text("Good Hunting"), "H", 3),
        _aid("C46", Text("German Thrust"), "H", 2),
        _nothing("C47", Text("Stalemate")),
        _aid("C48", Text("Remain Hidden"), "E", 2),
        _aid("C49", Text("Escape in Sewers"), "E", 3),
        _aid("C50", Text("Russian Counter Offensive"), "H", 2),
        _aid("C51", Text("Spotter"), "S", 1),
        _target("C52", Text("Infantry Sergeant"), 3, -1),
        _target("C53", Text("German Officer"), 4, -2),
        _target("C54", Text("Senior Officer"), 5, -3),
        _danger("C55", Text("Enemy Patrol"), -2),
        _aid("C56", Text("Infiltration"), "H", 3),
        _nothing("C57", Text("Bombardments")),
        _aid("C58", Text("Careful Aim"), "S", 2),
        _aid("C59", Text("Damaged Building"), "X", 1),
        _aid("C60", Text("Factory"), "X", 2),
        _aid("C61", Text("Heroics"), "X", 3),
        _danger("C62", Text("Shellfire"), 0),
        _target("C63", Text("Messenger"), 3, -1),
        _nothing("C64", Text("Atrocities")),
        _aid("C65", Text("Telescopic Sight"), "S", 3),
        _aid("C66", Text("Fog"), "E", 2),
        _aid("C67", Text("Track Target"), "S", 1),
        _target("C68", Text("Gun Crew"), 2, 0),
        _nothing("C69", Text("Vodka")),
    )
}
"""Card number -> card, sorted by number."""


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return cards sorted by number."""
    return tuple(sorted(cards))


def stars_of(cards: Iterable[str]) -> int:
    """Return the total stars of Targets (ST-XP-02)."""
    return sum(CARDS[card].stars for card in cards)


def amount_of(cards: Iterable[str]) -> int:
    return sum(CARDS[card].amount for card in cards)
