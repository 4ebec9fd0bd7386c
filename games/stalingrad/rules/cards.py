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


CARDS: Final[dict[str, Card]] = {
    card.id: card
    for card in (
        Card("C01", Text("Clean Shot"), "aid", letter="S", amount=2),
        Card("C02", Text("Engineer Laying Mines"), "target", stars=1, amount=1),
        Card("C03", Text("Radio Operator"), "target", stars=2, amount=0),
        Card("C04", Text("Lone Sentry"), "target", stars=1, amount=1),
        Card("C05", Text("Tank Leader"), "target", stars=4, amount=-2),
        Card("C06", Text("SS Guard"), "target", stars=2, amount=0),
        Card("C07", Text("Motorcycle Courier"), "target", stars=1, amount=1),
        Card("C08", Text("Enemy Sniper"), "target", stars=5, amount=-3),
        Card("C09", Text("Artillery Barrage"), "danger", amount=-1),
        Card("C10", Text("Stuka Dive Bomber"), "danger", amount=-1),
        Card("C11", Text("Strafing Fighter"), "danger", amount=0),
        Card("C12", Text("Medium Bomber Run"), "danger", amount=-2),
        Card("C13", Text("Hand Grenade"), "danger", amount=-1),
        Card("C14", Text("German Sniper"), "danger", amount=-3),
        Card("C15", Text("Close Combat"), "danger", amount=-2),
        Card("C16", Text("Street Fighting"), "danger", amount=-1),
        Card("C17", Text("Rubble"), "aid", letter="E", amount=1),
        Card("C18", Text("Camouflage"), "aid", letter="E", amount=1),
        Card("C19", Text("Close Range"), "aid", letter="S", amount=1),
        Card("C20", Text("Good Vantage"), "aid", letter="S", amount=2),
        Card("C21", Text("Blind Spot"), "aid", letter="E", amount=2),
        Card("C22", Text("Ruins"), "aid", letter="E", amount=1),
        Card("C23", Text("Crater"), "aid", letter="E", amount=1),
        Card("C24", Text("Kill Zone"), "aid", letter="S", amount=1),
        Card("C25", Text("Truck"), "target", stars=1, amount=1),
        Card("C26", Text("Armored Car Commander"), "target", stars=3, amount=-1),
        Card("C27", Text("Machine Gun Post"), "target", stars=2, amount=0),
        Card("C28", Text("Cross Open Ground"), "danger", amount=-1),
        Card("C29", Text("Darkness"), "aid", letter="E", amount=2),
        Card("C30", Text("Smoke"), "aid", letter="E", amount=1),
        Card("C31", Text("Rain"), "aid", letter="E", amount=1),
        Card("C32", Text("Snow"), "aid", letter="E", amount=1),
        Card("C33", Text("Elevation"), "aid", letter="S", amount=1),
        Card("C34", Text("Behind Enemy Lines"), "aid", letter="H", amount=3),
        Card("C35", Text("Salient"), "aid", letter="H", amount=2),
        Card("C36", Text("No Mans Land"), "aid", letter="H", amount=2),
        Card("C37", Text("Icy Cold"), "nothing"),
        Card("C38", Text("Rocket Salvo"), "danger", amount=-2),
        Card("C39", Text("Blizzard"), "nothing"),
        Card("C40", Text("Corpses"), "nothing"),
        Card("C41", Text("Illness"), "nothing"),
        Card("C42", Text("Barbed Wire"), "nothing"),
        Card("C43", Text("Mine Field"), "nothing"),
        Card("C44", Text("Tunnels"), "aid", letter="H", amount=2),
        Card("C45", Text("Good Hunting"), "aid", letter="H", amount=3),
        Card("C46", Text("German Thrust"), "aid", letter="H", amount=2),
        Card("C47", Text("Stalemate"), "nothing"),
        Card("C48", Text("Remain Hidden"), "aid", letter="E", amount=2),
        Card("C49", Text("Escape in Sewers"), "aid", letter="E", amount=3),
        Card("C50", Text("Russian Counter Offensive"), "aid", letter="H", amount=2),
        Card("C51", Text("Spotter"), "aid", letter="S", amount=1),
        Card("C52", Text("Infantry Sergeant"), "target", stars=3, amount=-1),
        Card("C53", Text("German Officer"), "target", stars=4, amount=-2),
        Card("C54", Text("Senior Officer"), "target", stars=5, amount=-3),
        Card("C55", Text("Enemy Patrol"), "danger", amount=-2),
        Card("C56", Text("Infiltration"), "aid", letter="H", amount=3),
        Card("C57", Text("Bombardments"), "nothing"),
        Card("C58", Text("Careful Aim"), "aid", letter="S", amount=2),
        Card("C59", Text("Damaged Building"), "aid", letter="X", amount=1),
        Card("C60", Text("Factory"), "aid", letter="X", amount=2),
        Card("C61", Text("Heroics"), "aid", letter="X", amount=3),
        Card("C62", Text("Shellfire"), "danger", amount=0),
        Card("C63", Text("Messenger"), "target", stars=3, amount=-1),
        Card("C64", Text("Atrocities"), "nothing"),
        Card("C65", Text("Telescopic Sight"), "aid", letter="S", amount=3),
        Card("C66", Text("Fog"), "aid", letter="E", amount=2),
        Card("C67", Text("Track Target"), "aid", letter="S", amount=1),
        Card("C68", Text("Gun Crew"), "target", stars=2, amount=0),
        Card("C69", Text("Vodka"), "nothing"),
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
