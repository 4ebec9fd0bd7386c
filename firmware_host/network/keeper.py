"""Keeps the table reachable: in a network that the machine knows, else in its own Wi-Fi, the hotspot.

A thread checks the network regularly. If there is none for a while, it opens the hotspot; once there is one, it closes
it. A hotspot that no device has joined is closed from time to time, to find the Wi-Fi of a router that started later
than the table. Devices that play over the hotspot are never cut off.
"""

from __future__ import annotations

import ipaddress
import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.network.manager import (
    HOTSPOT,
    PASSWORD,
    UNSUITED,
    Device,
    JoinRequest,
    NetworkFault,
    NetworkManager,
    Wifi,
)

CHECK_EVERY = 5.0
"""Seconds between two checks."""
LOST_SECONDS = 45.0
"""Seconds without any network before the hotspot opens: joining a known Wi-Fi may take half a minute."""
AGAIN_SECONDS = 60.0
"""Seconds until the next attempt if the hotspot could not be opened."""
LONELY_SECONDS = 300.0
"""Seconds after which a hotspot without devices is closed to look for a known Wi-Fi."""
AWAY_SECONDS = 30.0
"""Seconds for that search."""

ADDRESS = "10.42.0.1"
"""The table's address in its own Wi-Fi, as in its profile."""
HOTSPOT_NETWORK = ipaddress.ip_network("10.42.0.0/24")

NO_WIFI = Text("This machine has no Wi-Fi. Plug in a network cable.")
WIFI_OFF = Text("The Wi-Fi of this machine is off, or its country is not set. Choose the country below.")

log = logging.getLogger("firmware_host")

Mode = Literal["looking", "connected", "hotspot", "joining", "none"]


class LastJoin(Struct, frozen=True):
    """The last attempt to join a Wi-Fi, and `why` it failed (None if it worked)."""

    name: str
    why: Text | None = None


class NetworkState(Struct, frozen=True):
    """The state of the network: `network` is the Wi-Fi that the table is in or joins, `hotspot` the name of its own.

    `reach` are the Wi-Fi networks in the last scan, `fault` is the current problem.
    """

    mode: Mode = "looking"
    network: str = ""
    hotspot: str = ""
    reach: tuple[Wifi, ...] = ()
    last: LastJoin | None = None
    fault: Text | None = None


class NetworkKeeper:
    """Manages the machine's network with `manager`. `clock` returns monotonic seconds. Any thread may read `state`."""

    def __init__(self, manager: NetworkManager, clock: Callable[[], float]) -> None:
        self._manager, self._clock = manager, clock
        self.state = NetworkState()
        self._guard = threading.Lock()
        self._request: JoinRequest | None = None
        self._wake, self._ended = threading.Event(), threading.Event()
        self._thread = threading.Thread(target=self._run, name="network", daemon=True)
        self._lost_at: float | None = None
        self._opened_at = 0.0
        self._not_before = 0.0
        self._visited = False

    # --- for any thread -------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the thread."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the thread, and leave the network as it is. May be called before `start`."""
        self._ended.set()
        self._wake.set()
        self._manager.close()
        if self._thread.is_alive():
            self._thread.join()

    def join(self, request: JoinRequest) -> None:
        """Request to join a Wi-Fi. `state` shows the result. Raises `UserError`."""
        lock = self._lock_of(request)
        if lock == "unsuited":
            raise UserError("not-now", UNSUITED.with_(name=request.name))
        if lock in ("password", "wpa3") and not request.password:
            raise UserError("not-understood", PASSWORD)
        with self._guard:
            if self._request is not None or self.state.mode == "joining":
                raise UserError("not-now", Text("The table is joining a Wi-Fi. Wait a minute."))
            self._request = request
        self._wake.set()

    def current_state(self) -> NetworkState:
        """Return the state, as if a requested join had started."""
        with self._guard:
            request = self._request
            return self.state if request is None else _joining_state(self.state, request)

    def is_guest(self, address: str) -> bool:
        """Return whether this is the address of a device in the table's own Wi-Fi, while that is open."""
        if self.state.mode != "hotspot":
            return False
        try:
            return address != ADDRESS and ipaddress.ip_address(address) in HOTSPOT_NETWORK
        except ValueError:
            return False

    def note_visit(self, address: str) -> None:
        """Note a request from this address. A device in the hotspot keeps it open."""
        if not self._visited and self.is_guest(address):
            self._visited = True

    # --- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        while not self._ended.is_set():
            self.check_network()
            self._wake.wait(CHECK_EVERY)
            self._wake.clear()

    def check_network(self) -> None:
        """Check the network and do what is necessary. Does not raise."""
        with self._guard:
            request, self._request = self._request, None
            if request is not None:
                self.state = _joining_state(self.state, request)
        try:
            if request is None:
                self._check()
            else:
                self._join(request)
        except NetworkFault as fault:
            self._show(mode="none", network="", fault=fault.sentence)

    def _show(self, **changes: object) -> None:
        before, self.state = self.state, replace(self.state, **changes)
        fault = self.state.fault
        if fault is not None and fault != before.fault and not self._ended.is_set():
            log.warning("Network: %s", fault)

    def _check(self) -> None:
        devices, now = self._manager.devices(), self._clock()
        own = next((device for device in devices if device.connected and device.profile == HOTSPOT), None)
        other = next((device for device in devices if device.connected and device.profile != HOTSPOT), None)
        if other is not None:
            self._note_connection(other, own)
        elif own is not None:
            self._in_hotspot(own, now)
        else:
            self._without_network(devices, now)

    def _note_connection(self, other: Device, own: Device | None) -> None:
        self._lost_at, self._not_before = None, 0.0
        if own is not None:
            self._manager.disconnect(HOTSPOT)
        if self.state.mode != "connected":
            log.info("Network: the table is connected.")
        name = other.connection if other.kind == "wifi" else ""
        self._show(mode="connected", network=name, fault=None)
        if not self.state.reach and any(device.kind == "wifi" for device in self._manager.devices()):
            self._scan()

    def _in_hotspot(self, own: Device, now: float) -> None:
        if self.state.mode != "hotspot":  # an earlier run opened it
            self._opened_at = now
            self._show(mode="hotspot", network="", hotspot=own.connection, fault=None)
        # Most radios cannot scan while they are a hotspot, so close the hotspot first.
        lonely = not self._visited and now - self._opened_at >= LONELY_SECONDS
        if lonely and self._manager.profiles():
            self._manager.disconnect(HOTSPOT)
            # As if the network had been lost earlier: the hotspot opens again after AWAY_SECONDS.
            self._lost_at = now + AWAY_SECONDS - LOST_SECONDS
            self._show(mode="looking")

    def _without_network(self, devices: list[Device], now: float) -> None:
        self._lost_at = now if self._lost_at is None else self._lost_at
        radios = [device for device in devices if device.kind == "wifi" and device.state != "unmanaged"]
        if not radios:
            self._show(mode="none", network="", fault=NO_WIFI)
        elif all(radio.state == "unavailable" for radio in radios):
            self._show(mode="none", network="", fault=WIFI_OFF)
        elif now - self._lost_at < LOST_SECONDS:
            self._show(mode="looking", network="", fault=None)
        elif now >= self._not_before:
            self._scan()
            self._open()

    def _scan(self) -> None:
        """Scan for Wi-Fi. Most radios cannot scan while they are a hotspot; then the last result is kept."""
        with suppress(NetworkFault):
            self._show(reach=tuple(wifi for wifi in self._manager.scan() if wifi.name != self.state.hotspot))

    def _open(self) -> None:
        """Open the hotspot. Raises `NetworkFault`; then the next attempt waits."""
        # Set this before the attempt, which may raise an error.
        self._not_before = self._clock() + AGAIN_SECONDS
        self._manager.connect(HOTSPOT, "sniperboard")
        self._opened_at, self._visited = self._clock(), False
        own = next((device for device in self._manager.devices() if device.profile == HOTSPOT), None)
        self._show(mode="hotspot", network="", hotspot=own.connection if own else "", fault=None)
        log.info("Network: there is none, so the table opened its own Wi-Fi.")

    def _lock_of(self, request: JoinRequest) -> str:
        """Return the lock of a Wi-Fi. If it was not in the scan, decide by whether there is a password."""
        seen = next((wifi.lock for wifi in self.state.reach if wifi.name == request.name), None)
        return seen or ("password" if request.password else "open")

    def _join(self, request: JoinRequest) -> None:
        hosted = any(device.connected and device.profile == HOTSPOT for device in self._manager.devices())
        former = [uuid for uuid, name in self._manager.profiles().items() if name == request.name]
        try:
            uuid = self._manager.add_profile(request, self._lock_of(request))
            try:
                self._manager.connect(uuid, request.name)
            except NetworkFault:
                self._manager.delete(uuid)
                raise
        except NetworkFault as fault:
            log.info("Network: a Wi-Fi could not be joined.")
            self._show(last=LastJoin(request.name, fault.sentence), mode="looking", network="")
            # The request may have come over the hotspot, which the attempt has closed.
            if hosted and not self._ended.is_set():
                self._open()
            return
        # The old profiles of this Wi-Fi are deleted only once the new one works.
        for old in former:
            self._manager.delete(old)
        self._show(last=LastJoin(request.name))
        self._check()


def _joining_state(state: NetworkState, request: JoinRequest) -> NetworkState:
    return replace(state, mode="joining", network=request.name, last=None, fault=None)
