"""The trusted reverse proxies, from the settings: addresses and networks."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

ADDRESS = re.compile(r"\[([\da-f:.]+)\](?::\w+)?|([\d.]+)(?::\w+)?|([\da-f:.]+)(?:%[\w.-]+)?", re.ASCII | re.IGNORECASE)
"""An address with or without a port, an IPv6 address also with a zone."""


class Proxies:
    """A set of trusted addresses and networks. Raises `ValueError` for anything else."""

    def __init__(self, networks: Iterable[str] = ()) -> None:
        self._networks = tuple(ipaddress.ip_network(network, strict=False) for network in networks)
        if any(network.prefixlen == 0 for network in self._networks):
            raise ValueError("a network of all addresses would let every client choose its address")

    def __contains__(self, address: object) -> bool:
        try:
            ip = ipaddress.ip_address(plain_address(str(address)) or "")
        except ValueError:
            return False
        return any(ip in network for network in self._networks)


NO_PROXIES = Proxies()


def plain_address(text: str) -> str | None:
    """Return an address without port and brackets, with IPv4 addresses in IPv4 form; None if it is not an address."""
    written = ADDRESS.fullmatch(text.strip().strip('"'))
    try:
        ip = ipaddress.ip_address(next(filter(None, written.groups())) if written else "")
    except ValueError:
        return None
    # A socket for both protocols reports IPv4 clients as `::ffff:192.0.2.1`.
    mapped = ip.ipv4_mapped if isinstance(ip, ipaddress.IPv6Address) else None
    return str(mapped or ip)
