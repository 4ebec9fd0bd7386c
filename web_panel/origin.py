"""Who asks, and by which scheme: the client of a connection, or the one that a trusted proxy names.

Proxies pass on what clients send, so a header counts only if a trusted proxy has added it. Each proxy appends the
address that it was asked from; the client is the last address in that list that is no trusted proxy (RFC 7239).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from firmware_host.core.proxies import Proxies, plain_address

PROXIES = "proxies"
"""The extension of the panel that holds its trusted `Proxies`."""
PROXIED = "sniperboard.proxied"
"""Where a request's environment keeps whether a trusted proxy has passed it on."""

FORWARDING = frozenset(
    {"Cf-Connecting-Ip", "Client-Ip", "Fastly-Client-Ip", "Forwarded", "True-Client-Ip", "Via"}
    | {"X-Client-Ip", "X-Cluster-Client-Ip", "X-Original-Forwarded-For", "X-Original-Host", "X-Real-Ip"}
)
"""Headers that only proxies add, besides all that begin with `X-Forwarded`."""
OUTSIDE_QUOTES = r'(?:"(?:[^"\\]|\\.?)*+(?:"|$)|[^"{sign}])++'
"""What lies between two signs that stand outside quotes. A quote without an end reaches to the end of the header.
Nothing is looked at twice (possessive quantifiers): a header that anyone may write must not take seconds to read.
"""
ELEMENT, PAIR = (re.compile(OUTSIDE_QUOTES.format(sign=sign), re.DOTALL) for sign in ",;")
SCHEMES = ("http", "https")


class Origin(NamedTuple):
    """Who asks: the client's `address`, whether it is `here` on this machine, its `scheme`, and whether a trusted proxy
    says so.
    """

    address: str
    here: bool
    scheme: str
    proxied: bool = False


def origin(peer: Origin, headers: Mapping[str, str], proxies: Proxies) -> Origin:
    """Who makes a request with these headers over a connection from `peer`.

    A request that shows signs of a proxy comes from elsewhere, even if the proxy runs on this machine.
    """
    if peer.address not in proxies:
        passed_on = any(name in FORWARDING or name.startswith("X-Forwarded") for name in headers)
        return peer._replace(here=peer.here and not passed_on)
    elements = _elements(headers.get("Forwarded", ""))
    chains = [[element.get("for", "") for element in elements]] if elements else []
    if listed := headers.get("X-Forwarded-For"):
        chains.append(listed.split(","))
    clients = {_client(chain, peer.address, proxies) for chain in chains}
    # Two lists that disagree: the proxy has written only one of them, and nobody can tell which.
    address = clients.pop() if len(clients) == 1 else peer.address
    told = headers.get("X-Forwarded-Proto") or (elements[-1].get("proto", "") if elements else "")
    scheme = told.rpartition(",")[2].strip().lower()
    return Origin(address, False, scheme if scheme in SCHEMES else peer.scheme, proxied=True)


def _client(chain: Iterable[str], peer: str, proxies: Proxies) -> str:
    """The nearest address in a list that is no trusted proxy; where the list ends or cannot be read, the last one that
    was reported.
    """
    found = peer
    for told in reversed(list(chain)):
        address = plain_address(told)
        if address is None:
            break
        found = address
        if address not in proxies:
            break
    return found


def _elements(forwarded: str) -> list[dict[str, str]]:
    """The elements of a `Forwarded` header, each as its pairs."""
    return [dict(map(_pair, PAIR.findall(element))) for element in ELEMENT.findall(forwarded)]


def _pair(written: str) -> tuple[str, str]:
    """A parameter of a `Forwarded` header, without the quotes of its value."""
    name, _, value = written.partition("=")
    return name.strip().lower(), value.strip().strip('"')
