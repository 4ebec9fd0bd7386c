"""Find the client and the scheme of a request, directly or through trusted proxies.

Proxies pass on headers that clients send, so a header counts only if a trusted proxy has added it. Each proxy appends
the address that its request came from. The client is the last address in that list that is not a trusted proxy (RFC
7239).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from firmware_host.core.proxies import Proxies, plain_address

PROXIES = "proxies"
"""The panel's extension that contains its trusted `Proxies`."""
PROXIED = "sniperboard.proxied"
"""Environment key: whether a trusted proxy has passed the request on."""

FORWARDING = frozenset(
    {"Cf-Connecting-Ip", "Client-Ip", "Fastly-Client-Ip", "Forwarded", "True-Client-Ip", "Via"}
    | {"X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Original-Host", "X-Real-Ip"}
)
"""Headers that only proxies add, besides all that start with `X-Forwarded`."""
OUTSIDE_QUOTES = r'(?:"(?:[^"\\]|\\.)*+"|[^"{sign}])++'
"""Matches the text between two separators outside quotes.

The possessive quantifiers prevent backtracking: anyone may write this header, so parsing must not take seconds.
"""
ELEMENT, PAIR, CLOSED = (re.compile(OUTSIDE_QUOTES.format(sign=sign), re.DOTALL) for sign in (",", ";", ""))
SCHEMES = ("http", "https")


class Origin(NamedTuple):
    """The origin of a request.

    `address` is the client's, `here` is whether the client is on this machine, and `proxied` whether a trusted proxy
    has reported the origin.
    """

    address: str
    here: bool
    scheme: str
    proxied: bool = False


def origin_of(peer: Origin, headers: Mapping[str, str], proxies: Proxies) -> Origin:
    """Return the origin of a request with these headers over a connection from `peer`.

    A request with headers of a proxy counts as remote, even if the proxy runs on this machine.
    """
    # Anyone can write these headers, so only a listed proxy is believed.
    if peer.address not in proxies:
        passed_on = any(name in FORWARDING or name.startswith("X-Forwarded") for name in headers)
        return peer._replace(here=peer.here and not passed_on)
    elements = _elements(headers.get("Forwarded", ""))
    chains = [[element.get("for", "") for element in elements]] if elements else []
    if listed := headers.get("X-Forwarded-For"):
        chains.append(listed.split(","))
    # Proxies use `Forwarded` or `X-Forwarded-For`. With both, they usually name the same client.
    clients = {_client(chain, peer.address, proxies) for chain in chains}
    # If the two lists disagree, the proxy has written only one of them; which one is unknown.
    address = clients.pop() if len(clients) == 1 else peer.address
    # The last entry is the nearest proxy's; earlier ones may come from the client.
    schemes = headers.get("X-Forwarded-Proto") or (elements[-1].get("proto", "") if elements else "")
    scheme = schemes.rpartition(",")[2].strip().lower()
    return Origin(address, False, scheme if scheme in SCHEMES else peer.scheme, proxied=True)


def _client(chain: Iterable[str], peer: str, proxies: Proxies) -> str:
    """Return the nearest address in a list that is not a trusted proxy, or the last valid address."""
    nearest = peer
    # Read from the end, because every proxy appends. A client can write everything before its own address.
    for entry in reversed(list(chain)):
        address = plain_address(entry)
        if address is None:
            break
        nearest = address
        if address not in proxies:
            break
    return nearest


def _elements(forwarded: str) -> list[dict[str, str]]:
    """Return the elements of a `Forwarded` header, each as a dict of its pairs."""
    # The client can leave a quote open, and what the proxy adds would be in it.
    if forwarded and not CLOSED.fullmatch(forwarded):
        return [{}]
    return [dict(map(_pair, PAIR.findall(element))) for element in ELEMENT.findall(forwarded)]


def _pair(written: str) -> tuple[str, str]:
    """Return a parameter of a `Forwarded` header, without the quotes of its value."""
    name, _, value = written.partition("=")
    return name.strip().lower(), value.strip().strip('"')
