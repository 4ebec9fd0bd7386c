"""The addresses of the table, and what is printed at the start."""

from __future__ import annotations

import fcntl
import shlex
import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

import segno


def addresses(host: str, port: int, secure: bool = False) -> list[str]:
    """Return the addresses of the screens, the one for phones first."""
    if host not in ("0.0.0.0", "::", ""):
        return [_url(host, port, secure)]
    outside = outside_address()
    found = [outside] if outside else []
    return [_url(name, port, secure) for name in (*found, "127.0.0.1")]


def _url(host: str, port: int, secure: bool) -> str:
    # The colons of an IPv6 address must not look like that of the port.
    name = f"[{host}]" if ":" in host else host
    return f"{'https' if secure else 'http'}://{name}:{port}/"


def outside_address() -> str | None:
    """Return the address at which others on the network reach this machine, without sending a packet.

    Without a route to other networks, for example in the table's own Wi-Fi, it is the first address that is not
    loopback.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            # Connecting a UDP socket only chooses a route. This address is reserved for
            # documentation.
            probe.connect(("192.0.2.1", 9))
            found = str(probe.getsockname()[0])
        except OSError:
            return next(filter(_is_outside, _own_addresses(probe)), None)
    return found if _is_outside(found) else None


def _is_outside(address: str) -> bool:
    return not address.startswith("127.") and address != "0.0.0.0"


SIOCGIFADDR = 0x8915
"""Request for the address of an interface (Linux, sockios.h)."""


def _own_addresses(probe: socket.socket) -> Iterator[str]:
    """Yield the first IPv4 address of each interface."""
    for _, name in socket.if_nameindex():
        with suppress(OSError):  # an interface without an address
            # In a `struct ifreq` the name comes first; bytes 20 to 23 are the IPv4 address.
            found = fcntl.ioctl(probe, SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
            yield socket.inet_ntoa(found[20:24])


def greet(found: list[str], simulated: bool, state: str, pin: str | None = None, fingerprint: str = "") -> None:
    """Print the addresses, a QR code of the first, and the admin PIN if it was generated now.

    `state` is the table's folder, for the command that sets the PIN.
    """
    print("\nThe table is open:")
    for address in found:
        print(f"  {address}")
    if sys.stdout.encoding and sys.stdout.encoding.lower().startswith("utf"):
        segno.make(found[0], error="m").terminal(compact=True)
    if simulated:
        print(f"The simulated board with its miniatures: {found[-1]}board")
    print(f"Table settings: {found[-1]}admin", end="")
    program = [sys.executable, "-m", "firmware_host"] if sys.argv[0].endswith("__main__.py") else sys.argv[:1]
    command = shlex.join([*program, "admin", "pin", "--state", state])
    print(f", admin PIN {pin} (shown only now)" if pin else f"; set the admin PIN with: {command}")
    if fingerprint:
        print(f"Browsers warn about the certificate until they trust the table: {found[0]}trust")
        print(f"Its SHA-256 fingerprint is\n  {fingerprint}")
    print("Ctrl-C stops the table. The game is saved and continues at the next start.\n", flush=True)
