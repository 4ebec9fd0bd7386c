"""The trusted reverse proxies, from the settings: addresses and networks."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable


class Proxies:
    """A set of trusted addresses and networks. Raises `ValueError` for anything else."""

    def __init__(self, given: Iterable[str] = ()) -> None:
        self._networks = tuple(ipaddress.ip_network(one, strict=False) for one in given)
        if any(network.prefixlen == 0 for network in self._networks):
            raise ValueError("a network of all addresses would let every client choose its address")

    def __contains__(self, address: object) -> bool:
        try:
            found = ipaddress.ip_address(plain_address(str(address)) or "")
        except ValueError:
            return False
        return any(found in network for network in self._networks)


NO_PROXIES = Proxies()


def plain_address(given: str) -> str | None:
    """Return an address without port and brackets, IPv4 as such, for comparison; None if it is not an address."""
    text = given.strip().strip('"')
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        found = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = found.ipv4_mapped if isinstance(found, ipaddress.IPv6Address) else None
    return str(mapped or found)
