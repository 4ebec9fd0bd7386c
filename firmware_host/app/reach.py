"""Where the table can be reached: its ports, its certificate, its addresses as they come and go, and its network."""

from __future__ import annotations

import logging
import socket
import ssl
import sys
from collections.abc import Callable
from pathlib import Path

from firmware_host.admin import certificate
from firmware_host.app import announce
from firmware_host.app.settings import Settings, listed
from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.machine import MachineOwner
from firmware_host.network.manager import NetworkManager
from firmware_host.table.network_interface import TableNetwork
from web_panel.names import known
from web_panel.serve import listen

log = logging.getLogger("firmware_host")

RHYTHM = 2.0
"""Seconds between two looks at the machine's addresses."""


class Reach:
    """Where a table with these settings, whose state lies in `state`, can be reached."""

    def __init__(self, settings: Settings, state: Path, clock: Callable[[], float]) -> None:
        self._settings, self._state, self._clock = settings, state, clock
        self._next = clock()
        self._tls: ssl.SSLContext | None = None
        self.fingerprint, self.authority = "", b""
        self.network: TableNetwork | None = None
        if settings.hotspot:
            self.network = TableNetwork(NetworkKeeper(NetworkManager(), clock), MachineOwner())

    def tls(self) -> ssl.SSLContext | None:
        """What serves https, where the settings want it. Raises `CertificateError`."""
        if not self._settings.https:
            return None
        if self._settings.certificate:
            return certificate.context(Path(self._settings.certificate))
        self._tls = certificate.context(self._made())
        return self._tls

    def _made(self) -> Path:
        """The table's own certificate, for its names and for the addresses that it has now."""
        names = known(socket.gethostname(), listed(self._settings.names))
        hosts = [name for name in (self._settings.host, announce.outside_address(), "127.0.0.1") if name]
        path = certificate.made(self._state, [*hosts, *sorted(names)])
        self.fingerprint, self.authority = certificate.fingerprint(path), certificate.authority(self._state)
        return path

    def second(self) -> socket.socket | None:
        """The second port, if there is to be one; the table goes on without where it cannot be had."""
        settings = self._settings
        if settings.second_port == 0:
            return None
        try:
            return listen(settings.host, settings.second_port)
        except OSError as error:
            print(
                f"The second port {settings.second_port} cannot be had ({error.strerror}); the table goes on without.",
                file=sys.stderr,
            )
            return None

    def changed(self, before: list[str], port: int) -> list[str] | None:
        """The table's addresses, if it is time to look and they differ from those before."""
        if self._clock() < self._next:
            return None
        self._next = self._clock() + RHYTHM
        found = announce.addresses(self._settings.host, port, self._settings.https)
        if found == before:
            return None
        if self._tls is not None:
            self._renew(self._tls)
        return found

    def _renew(self, tls: ssl.SSLContext) -> None:
        """Have the certificate name the new address; connections that are open keep the old one."""
        try:
            tls.load_cert_chain(self._made())
        except (certificate.CertificateError, OSError) as error:
            log.warning("The certificate does not name the table's new address: %s", error)

    def start(self) -> None:
        """Look after the network from now on, where the settings want it."""
        if self.network is not None:
            self.network.keeper.start()

    def stop(self) -> None:
        """Leave the network as it is."""
        if self.network is not None:
            self.network.keeper.stop()
