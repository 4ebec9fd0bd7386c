"""The panel's settings, fixed when it is created. It asks the table for everything else."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class PanelSettings:
    """The panel's settings.

    `cookie` is the prefix of each seat's cookie name. `heartbeat` is in seconds. `simulated` enables the board page.
    `machine` is the table's own host name, `names` are additional ones (`target.py`). `secure` means that the panel is
    served over https, at `port`. `proxies` are the addresses and networks of trusted proxies (`origin.py`). `authority`
    is the certificate (DER) of the table's own certificate authority, empty if there is none.
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
