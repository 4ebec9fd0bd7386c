"""The calls of the network page. All answers are public: no answer contains a password."""

from __future__ import annotations

import socket
from typing import Any, NamedTuple

from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.core.errors import UserError
from firmware_host.network.keeper import ADDRESS, NetworkKeeper
from firmware_host.network.machine import MachineOwner
from firmware_host.network.manager import checked_join
from firmware_host.play.pictures import json_ready
from firmware_host.seats.identity import Requester


class TableNetwork(NamedTuple):
    """The object that manages the network, and the one that changes the machine's name and country."""

    keeper: NetworkKeeper
    owner: MachineOwner


class NetworkInterface:
    """The network page; without a `network` it does not exist."""

    address = ADDRESS
    """The address of the table in its own Wi-Fi."""

    def __init__(self, access: AdminAccess, network: TableNetwork | None) -> None:
        self._access, self._network = access, network

    @property
    def exists(self) -> bool:
        """Whether this table manages its network."""
        return self._network is not None

    def facts(self, requester: Requester) -> dict[str, Any]:
        """Return what the page shows: `NetworkKeeper.current_state`, the machine's `name`, its `country`, and its
        `address` in the hotspot. Raises `UserError`: `no-house` without the admin PIN, `no-pin` if the
        requester may choose one.
        """
        keeper, owner = self._signed_in_network(requester)
        return {
            **json_ready(keeper.current_state()),
            # Without a domain, which the name of a machine may include.
            "name": owner.new_name or socket.gethostname().partition(".")[0],
            "country": owner.known_country(),
            "address": ADDRESS,
        }

    def choose_first_pin(self, pin: str, requester: Requester) -> str:
        """Choose the first admin PIN and return the requester's key.

        Only a device in the table's own Wi-Fi may do this, because it knows the password of that Wi-Fi.
        """
        if not self._require_network().keeper.is_guest(requester.address):
            raise UserError("no-house", Text("Connect to the table's own Wi-Fi to choose the first admin PIN."))
        return self._access.choose_first(pin, requester)

    def join(self, name: str, password: str, hidden: bool, requester: Requester) -> None:
        """Make the table join a Wi-Fi. `facts` shows the result, once the requester can ask again."""
        self._signed_in_network(requester).keeper.join(checked_join(name, password, hidden))

    def rename(self, name: str, requester: Requester) -> None:
        """Change the name of the machine."""
        self._signed_in_network(requester).owner.rename(name)

    def set_country(self, code: str, requester: Requester) -> None:
        """Follow the radio rules of this country."""
        self._signed_in_network(requester).owner.set_country(code)

    def note_visit(self, address: str) -> bool:
        """Note a request from this address; return whether it is in the table's own Wi-Fi."""
        if self._network is None:
            return False
        keeper, _ = self._network
        keeper.note_visit(address)
        return keeper.is_guest(address)

    def name(self) -> str:
        """Return the name of the machine since the start; empty if it has not changed."""
        return "" if self._network is None else self._network.owner.new_name

    def _require_network(self) -> TableNetwork:
        if self._network is None:
            says = Text("This table doesn't manage its network. Turn on the setting hotspot to change that.")
            raise UserError("not-now", says)
        return self._network

    def _signed_in_network(self, requester: Requester) -> TableNetwork:
        """Return the network. Raises `UserError` if the requester has not shown the PIN."""
        network = self._require_network()
        if not self._access.has_pin and network.keeper.is_guest(requester.address):
            raise UserError("no-pin", Text("There is no admin PIN yet. Choose one now."))
        self._access.check(requester)
        return network
