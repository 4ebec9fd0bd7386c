"""What the panel's network page may ask. All of it is public but the passwords, which go in and never out."""

from __future__ import annotations

import socket
from typing import Any

from msgspec import Struct

from engine.text import Text
from firmware_host.admin.access import AdminAccess
from firmware_host.api.calls import reads_snapshot, runs_beside_loop
from firmware_host.core.errors import UserError
from firmware_host.network.keeper import ADDRESS, NetworkKeeper
from firmware_host.network.machine import MachineOwner
from firmware_host.network.request import checked_country, checked_host_name, checked_join
from firmware_host.seats.identity import Requester


class TableNetwork(Struct):
    """What looks after the table's network, and who changes the machine's name and country."""

    keeper: NetworkKeeper
    owner: MachineOwner
    name: str = ""
    """What the machine is called, if that has changed since the start."""


class NetworkInterface:
    """The network page; without a `network` there is none."""

    address = ADDRESS
    """The table in its own Wi-Fi."""

    def __init__(self, access: AdminAccess, network: TableNetwork | None) -> None:
        self._access, self._network = access, network

    @property
    def exists(self) -> bool:
        """Whether this table looks after its network."""
        return self._network is not None

    @reads_snapshot
    def facts(self, requester: Requester) -> dict[str, Any]:
        """What the page shows: `mode` (looking, connected, hotspot, joining, none), `network` that the table is in or
        goes to, the name of its own `hotspot`, the Wi-Fi in `reach` (name, strength, lock), how the `last` attempt to
        join one ended (name, why), a `fault`, the machine's `name`, its `country`, and its `address` in the hotspot.

        Raises `UserError`: `no-house` without the house PIN, and `no-pin` where none was chosen and the requester may.
        """
        network = self._opened(requester)
        state = network.keeper.shown()
        return {
            "mode": state.mode,
            "network": state.network,
            "hotspot": state.hotspot,
            "reach": [{"name": one.name, "strength": one.strength, "lock": one.lock} for one in state.reach],
            "last": None if state.last is None else {"name": state.last.name, "why": state.last.why},
            "fault": state.fault,
            "name": network.name or socket.gethostname().partition(".")[0],
            "country": network.owner.known_country(),
            "address": ADDRESS,
        }

    @runs_beside_loop
    def choose_first_pin(self, pin: str, requester: Requester) -> str:
        """Choose the house PIN where there is none yet; the requester's key. Raises `UserError`.

        Only a device in the table's own Wi-Fi may: who is there has its password, which is the owner's.
        """
        if not self._found().keeper.is_guest(requester.address):
            raise UserError("no-house", Text("The first house PIN is chosen in the table's own Wi-Fi alone."))
        return self._access.choose_first(pin, requester)

    @reads_snapshot
    def join(self, name: str, password: str, hidden: bool, requester: Requester) -> None:
        """Have the table join a Wi-Fi. How that ends is in `facts`, once the requester can ask again."""
        self._opened(requester).keeper.join(checked_join(name, password, hidden))

    @runs_beside_loop
    def rename(self, name: str, requester: Requester) -> None:
        """Call the machine so from now on."""
        network, small = self._opened(requester), checked_host_name(name)
        network.owner.name(small)
        network.name = small

    @runs_beside_loop
    def choose_country(self, code: str, requester: Requester) -> None:
        """Keep to the radio rules of this country."""
        self._opened(requester).owner.country(checked_country(code))

    @reads_snapshot
    def hear(self, address: str) -> bool:
        """A device at this address has asked for something; whether it is in the table's own Wi-Fi."""
        if self._network is None:
            return False
        self._network.keeper.hear(address)
        return self._network.keeper.is_guest(address)

    @reads_snapshot
    def name(self) -> str:
        """What the machine has been called since the start; empty where that has not changed."""
        return "" if self._network is None else self._network.name

    def _found(self) -> TableNetwork:
        if self._network is None:
            raise UserError(
                "not-now", Text("This table does not look after its network; the setting hotspot has it do so.")
            )
        return self._network

    def _opened(self, requester: Requester) -> TableNetwork:
        """Raises `UserError` for whoever has not shown the PIN."""
        network = self._found()
        if not self._access.has_pin and network.keeper.is_guest(requester.address):
            raise UserError("no-pin", Text("No house PIN was chosen yet. Choose one now."))
        self._access.check(requester)
        return network
