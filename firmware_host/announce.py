"""Where the table can be found: its addresses, and a QR code for the terminal."""

from __future__ import annotations

import socket
import sys

import segno


def addresses(host: str, port: int) -> list[str]:
    """The addresses of the screens, the one for phones first."""
    if host not in ("0.0.0.0", "::", ""):
        return [_url(host, port)]
    outside = _outside_address()
    found = [outside] if outside else []
    return [_url(name, port) for name in (*found, "127.0.0.1")]


def _url(host: str, port: int) -> str:
    return f"http://{host}:{port}/"


def _outside_address() -> str | None:
    """The address by which others on the network reach this machine. No packet is sent to find out."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return None
        found = str(probe.getsockname()[0])
    return None if found.startswith("127.") or found == "0.0.0.0" else found


def greet(found: list[str], simulated: bool) -> None:
    """Print the addresses and a QR code of the first."""
    print("\nThe table is open:")
    for address in found:
        print(f"  {address}")
    if sys.stdout.encoding and sys.stdout.encoding.lower().startswith("utf"):
        segno.make(found[0], error="m").terminal(compact=True)
    if simulated:
        print(f"The simulated board with its miniatures: {found[-1]}board")
    print("Ctrl-C stops the table; the game is kept and goes on at the next start.\n", flush=True)
