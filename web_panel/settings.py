"""What the panel is told once, when it is made; everything else it asks the table for."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PanelSettings:
    """`cookie` begins the name of each seat's cookie, `heartbeat` is in seconds; `simulated` offers the board page.

    `names` are host names of the table beside its own (`names.py`), `machine` is that; `secure` is served over https,
    at `port`. `proxies` are the addresses and networks of trusted proxies (`origin.py`).
    `authority` is the certificate (DER) of the table's own authority, empty where there is none.
    """

    simulated: bool = False
    cookie: str = "sniperboard"
    max_streams: int = 32
    heartbeat: float = 2.0
    machine: str = ""
    names: tuple[str, ...] = ()
    secure: bool = False
    port: int = 8000
    authority: bytes = b""
    proxies: tuple[str, ...] = ()
