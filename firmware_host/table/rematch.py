"""An offer to play again. A game starts when a person at every seat has accepted; until then all end screens stay."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.seats.claims import Claim


class Rematch(Struct, frozen=True):
    """An offer after game `number`: whether sides are `swapped`, which `bots` (seat -> name) play instead of those of
    that game, which seats have `agreed`, and which seat has `declined`.
    """

    number: int
    swapped: bool
    bots: Mapping[str, str] = {}
    agreed: frozenset[str] = frozenset()
    declined: str | None = None

    def same(self, other: Rematch | None) -> bool:
        """Return whether another offer is for the same game, and still open."""
        terms = (self.number, self.swapped, self.bots)
        return other is not None and other.declined is None and terms == (other.number, other.swapped, other.bots)

    def accepted(self, seats: Iterable[str]) -> Rematch:
        """Return the offer with the agreement of some seats."""
        return replace(self, agreed=self.agreed | {*seats})

    def missing(self, claims: Iterable[Claim]) -> list[str]:
        """Return the seats of people who have not agreed."""
        return sorted({claim.seat for claim in claims if not claim.bot} - self.agreed)

    def shown(self, claims: Iterable[Claim]) -> dict[str, Any]:
        """Return the offer for the screens."""
        facts = {"swapped": self.swapped, "agreed": sorted(self.agreed), "declined": self.declined}
        return {**facts, "missing": self.missing(claims)}


def own_seats(seats: Iterable[str]) -> list[str]:
    """Return the seats of someone who offers or answers. Raises `UserError` if there are none."""
    found = [*seats]
    if not found:
        raise UserError("no-seat", Text("Only those who have just played can offer another game."))
    return found
