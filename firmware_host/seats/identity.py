"""Who makes a request, and who holds a seat."""

from __future__ import annotations

from msgspec import Struct


class Holder(Struct, frozen=True):
    """The holder of a claim: the seat, the `parts` of it that the device leads, and the claim's number at the seat."""

    seat: str
    parts: tuple[str, ...]
    device: str
    number: int = 0


class Requester(Struct, frozen=True):
    """Who makes a request: the seat keys of the device, its key of the admin page, its address.

    A requester without an address cannot be told from others, for example one that sends commands by MQTT. `local`
    marks the table's own machine; a person there could move the miniatures anyway.
    """

    keys: tuple[str, ...] = ()
    admin_key: str = ""
    address: str = ""
    local: bool = False

    def __repr__(self) -> str:
        """Leave out the keys."""
        return f"Requester(local={self.local})"


class Checked(Requester, frozen=True):
    """A requester whose key of the admin page has been checked: `admin` is whether that key is valid."""

    admin: bool = False


ANONYMOUS = Checked()
"""An unknown requester, who may watch and claim a seat."""
