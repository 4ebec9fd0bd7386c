"""How the table is reached: its ports, certificate, addresses and network, and what is printed at the start."""

from __future__ import annotations

import fcntl
import logging
import shlex
import socket
import ssl
import struct
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from firmware_host.admin import certificate
from firmware_host.api.network import TableNetwork
from firmware_host.core.settings import Settings, split_names
from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.machine import MachineOwner
from firmware_host.network.manager import NetworkManager
from hardware.files import FileStamp, file_stamp
from web_panel.serve import listening_socket
from web_panel.target import host_names, names_on_conflict


def addresses(host: str, port: int, secure: bool = False) -> list[str]:
    """Return the addresses of the screens, the one for phones first."""
    if host not in ("0.0.0.0", "::", ""):
        return [_url(host, port, secure)]
    outside = outside_address()
    reachable = [outside] if outside else []
    return [_url(name, port, secure) for name in (*reachable, "127.0.0.1")]


def _url(host: str, port: int, secure: bool) -> str:
    # Put an IPv6 address into brackets, because it contains colons.
    name = f"[{host}]" if ":" in host else host
    return f"{'https' if secure else 'http'}://{name}:{port}/"


def outside_address() -> str | None:
    """Return the address at which others on the network reach this machine, without sending a packet.

    Without a route to other networks, for example in the table's own Wi-Fi, return the machine's first address that is
    not loopback.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a UDP socket only chooses a route. This address is reserved for documentation.
            probe.connect(("192.0.2.1", 9))
            address = str(probe.getsockname()[0])
        except OSError:
            return next(filter(_is_outside, _own_addresses(probe)), None)
    return address if _is_outside(address) else None


def _is_outside(address: str) -> bool:
    return not address.startswith("127.") and address != "0.0.0.0"


SIOCGIFADDR = 0x8915
"""Request for the address of an interface (Linux, sockios.h)."""


def _own_addresses(probe: socket.socket) -> Iterator[str]:
    """Yield the first IPv4 address of each interface."""
    for _, name in socket.if_nameindex():
        with suppress(OSError):  # an interface without an address
            # In a `struct ifreq` the name comes first; bytes 20 to 23 are the IPv4 address.
            request = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            yield socket.inet_ntoa(request[20:24])


def print_addresses(
    urls: list[str], simulated: bool, state: str, pin: str | None = None, fingerprint: str = ""
) -> None:
    """Print the addresses, on a terminal a QR code of the first, and the admin PIN if it was generated now.

    `state` is the table's folder, for the command that sets the PIN.
    """
    print("\nThe table is open:")
    for address in urls:
        print(f"  {address}")
    if sys.stdout.isatty() and sys.stdout.encoding.lower().startswith("utf"):
        import segno  # imported here: a service has no terminal

        segno.make(urls[0], error="m").terminal(compact=True)
    if simulated:
        print(f"The simulated board with its miniatures: {urls[-1]}board")
    print(f"Table settings: {urls[-1]}admin", end="")
    program = [sys.executable, "-m", "firmware_host"] if sys.argv[0].endswith("__main__.py") else sys.argv[:1]
    command = shlex.join([*program, "admin", "pin", "--state", state])
    print(f", admin PIN {pin} (shown only now)" if pin else f"; set the admin PIN with: {command}")
    if fingerprint:
        print(f"Browsers warn about the certificate until they trust the table: {urls[0]}trust")
        print(f"Its SHA-256 fingerprint is\n  {fingerprint}")
    print("Ctrl-C stops the table. The game is saved and continues at the next start.\n", flush=True)


log = logging.getLogger("firmware_host")

CHECK_EVERY = 2.0
"""Seconds between two checks of the machine's addresses and the certificate."""
RENEW_AGAIN_AFTER = 600.0
"""Seconds until the next attempt if a certificate could not be renewed."""
KEPT = "The table keeps its current certificate: %s"
LEFT_OUT = (
    "The table's own certificate cannot include %s, only host names in .local, .lan, .home.arpa and .internal. "
    "Set the setting certificate to a certificate for that name, or use a reverse proxy (docs/playing-elsewhere.md)."
)
OTHER_AUTHORITY = (
    "The table has a new certificate authority, because the earlier one could certify other names than the table's. On "
    "each device that trusts the earlier one, remove it (sniperboard of this house), then open the page /trust."
)


class Reach:
    """How a table with these settings and this state folder is reached.

    `clock` returns monotonic seconds, `wall` the machine's time of day.
    """

    def __init__(
        self, settings: Settings, state: Path, clock: Callable[[], float], wall: Callable[[], float] = time.time
    ) -> None:
        self._settings, self._state, self._clock, self._wall = settings, state, clock, wall
        self._next = self._retry = clock()
        self._tls: ssl.SSLContext | None = None
        self._stamp: FileStamp | None = None
        self._named: tuple[str, ...] = ()
        self._validity = certificate.Validity(0.0, 0.0)
        self.fingerprint, self.authority = "", b""
        self.network: TableNetwork | None = None
        if settings.hotspot:
            self.network = TableNetwork(NetworkKeeper(NetworkManager(), clock), MachineOwner())

    def tls(self) -> ssl.SSLContext | None:
        """Return the TLS context if https is on. Raises `CertificateError`."""
        if self._settings.https:
            self._tls = certificate.tls_context(self._first_certificate())
            if left_out := self._left_out():
                log.warning(LEFT_OUT, ", ".join(left_out))
        return self._tls

    def _first_certificate(self) -> Path:
        """Return the certificate's file. If the table cannot renew its own now, for example because the disk is full,
        the former one stays. Raises `CertificateError`.
        """
        try:
            return self._current_certificate()
        except certificate.CertificateError as error:
            former = self._state.resolve() / certificate.FILE
            if self._settings.certificate or not certificate.is_sound(former):
                raise
            # Store no names and no validity, so that the certificate counts as outdated and is tried again.
            self.fingerprint, self.authority = certificate.fingerprint(former), certificate.authority_der(self._state)
            log.warning(KEPT, error)
            return former

    def _current_certificate(self) -> Path:
        """Return the certificate's file, after renewing the table's own if necessary. Raises `CertificateError`."""
        if self._settings.certificate:
            path = Path(self._settings.certificate)
            self._stamp = file_stamp(path)
            return path
        former = certificate.authority_der(self._state)
        names = self._names()
        path = certificate.ensure_file(self._state, names, clock=self._wall)
        self._named, self._validity = names, certificate.validity(path)
        self.fingerprint, self.authority = certificate.fingerprint(path), certificate.authority_der(self._state)
        if former and former != self.authority:
            log.warning(OTHER_AUTHORITY)
        return path

    def _names(self) -> tuple[str, ...]:
        """Return the table's names and current addresses."""
        machine = socket.gethostname()
        names = host_names(machine, split_names(self._settings.extra_hostnames)) | names_on_conflict(machine)
        hosts = [name for name in (self._settings.host, outside_address(), "127.0.0.1") if name]
        return (*hosts, *sorted(names))

    def _left_out(self) -> list[str]:
        """Return the names in the settings that the table's own certificate cannot include."""
        names = (
            ()
            if self._settings.certificate
            else host_names("", split_names(self._settings.extra_hostnames)) - host_names("", ())
        )
        return sorted(name for name in names if not certificate.can_certify(name))

    def second(self) -> socket.socket | None:
        """Return the second port's socket if it is set. If the port cannot be used, the table runs without it."""
        settings = self._settings
        if settings.second_port == 0:
            return None
        try:
            return listening_socket(settings.host, settings.second_port)
        except OSError as error:
            print(
                f"The second port {settings.second_port} cannot be used ({error.strerror}). The table runs without it.",
                file=sys.stderr,
            )
            return None

    def changed_addresses(self, before: list[str], port: int) -> list[str] | None:
        """Check the addresses and the certificate if it is time. Return the addresses if they have changed,
        else None.
        """
        now = self._clock()
        if now < self._next:
            return None
        # Set this before the check, so that a failed check is not repeated at every turn.
        self._next = now + CHECK_EVERY
        if self._tls is not None and now >= self._retry and self._is_outdated():
            self._renew(self._tls)
        current = addresses(self._settings.host, port, self._settings.https)
        return None if current == before else current

    def _is_outdated(self) -> bool:
        """Return whether the certificate expires, or a name, an address or the file in the settings has changed."""
        if self._settings.certificate:
            return file_stamp(Path(self._settings.certificate)) != self._stamp
        return self._names() != self._named or not self._validity.fits(self._wall())

    def _renew(self, tls: ssl.SSLContext) -> None:
        """Use a new certificate. Open connections keep the old one."""
        try:
            path = self._current_certificate()
            certificate.tls_context(path)  # a file that cannot be used must not affect the context in use
            # A context in use takes the new certificate for new connections.
            tls.load_cert_chain(path)
        except (certificate.CertificateError, OSError) as error:
            self._retry = self._clock() + RENEW_AGAIN_AFTER
            log.warning(KEPT, error)
        else:
            log.info("The table uses a new certificate.")

    def start(self) -> None:
        """Start managing the network if that is on."""
        if self.network is not None:
            self.network.keeper.start()

    def stop(self) -> None:
        """Stop managing the network, and leave it as it is."""
        if self.network is not None:
            self.network.keeper.stop()
