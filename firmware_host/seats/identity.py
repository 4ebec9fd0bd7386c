"""Who makes a request, and who holds a seat."""

from __future__ import annotations

from msgspec import Struct


class Holder(Struct, frozen=True):
    """Who holds a claim: the seat, which parts of it this device leads (`squads`), and its number among those there."""

    seat: str
    squads: tuple[str, ...]
    device: str
    number: int = 0


class Requester(Struct, frozen=True):
    """Who makes a request: the keys of seats that the device holds, its key of the admin page, its address.

    One without an address is no device that can be told from others, such as who commands by MQTT.
    `local` is a device that is the table's own machine: whoever sits there could as well move the miniatures.
    """

    keys: tuple[str, ...] = ()
    admin_key: str = ""
    address: str = ""
    local: bool = False

    def __repr__(self) -> str:
        """Without the keys."""
        return f"Requester(local={self.local})"


ANONYMOUS = Requester()
"""Somebody of whom nothing is known: may look, and sit down."""
