"""An offer to play again. A game starts when a person at every seat has accepted; until then all end screens stay.
Choosing another map or other options ends the offer.

People agree, not seats: a person who takes the seat of one who has agreed and left is asked again.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.seats.claims import Claim
from firmware_host.table.selection import Selection


class Rematch(Struct, frozen=True):
    """An offer to play `selection` after game `number`. `bots` (seat -> name) play instead of those of that game.
    `swapped` is whether the seats change sides, `agreed` the hashes of the keys that have agreed, and `declined` the
    seat that has declined.
    """

    number: int
    selection: Selection
    swapped: bool
    bots: Mapping[str, str] = {}
    agreed: frozenset[str] = frozenset()
    declined: str | None = None

    def is_same(self, other: Rematch | None) -> bool:
        """Return whether another offer has the same terms, and this one is still open."""
        # All fields but the answers are terms, including fields that are added later.
        return other is not None and other == replace(self, agreed=other.agreed, declined=None)

    def accepted(self, claims: Iterable[Claim]) -> Rematch:
        """Return the offer with the agreement of some claims."""
        return replace(self, agreed=self.agreed | {claim.key for claim in claims})

    def agreed_seats(self, claims: Iterable[Claim]) -> set[str]:
        """Return the seats whose people have agreed and still sit there."""
        # By key, not by seat: someone who has taken the seat over has not agreed.
        return {claim.seat for claim in claims if claim.key in self.agreed and not claim.bot}

    def missing_seats(self, claims: Iterable[Claim]) -> list[str]:
        """Return the seats of people who have not agreed."""
        return sorted({claim.seat for claim in claims if not claim.bot} - self.agreed_seats(claims))

    def facts(self, claims: Iterable[Claim]) -> dict[str, Any]:
        """Return the offer for the screens."""
        terms = {"selection": msgspec.to_builtins(self.selection), "swapped": self.swapped}
        offer = {**terms, "agreed": sorted(self.agreed_seats(claims)), "declined": self.declined}
        return {**offer, "missing": self.missing_seats(claims)}


def own_claims(claims: Iterable[Claim]) -> list[Claim]:
    """Return the claims of the person who makes or answers an offer. Raises `UserError` if there are none."""
    own = [*claims]
    if not own:
        raise UserError("no-seat", Text("Only those who have just played can offer another game."))
    return own
