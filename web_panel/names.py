"""Check that a request's host name is one of the table's own.

With DNS rebinding, a foreign name server gives its site's name the table's address. The site's page then has the same
origin as the table. But it cannot change the name that the browser puts into `Host`, which is checked here. Numeric
addresses are always accepted, because no one else can own them as a name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

LOCAL = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes that a home network adds to a machine's name; no one can own a site below any of them."""
HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,255})(?::\d{0,5})?")
"""A host with an optional port: an ASCII name, an IPv4 address, or an IPv6 address in brackets.

The IPv6 address has no zone.
"""
RENAMED = re.compile(r"-\d{1,3}(?=\.local$)")
"""The suffix that Avahi adds if another machine has the same name: NAME-2.local."""
RENAMES = range(2, 10)
"""The numbers that Avahi tries first."""


def host_names(machine: str, others: Iterable[str]) -> frozenset[str]:
    """Return the host names of the machine `machine`, and the names from the settings."""
    plain = _ascii(machine.partition(".")[0])
    # Every home network adds another suffix, and browsers send the name that the person typed.
    ours = {f"{name}{suffix}" for name in ("localhost", plain) if name for suffix in LOCAL}
    return frozenset({*ours, *map(_ascii, others)} - {""})


def names_on_conflict(machine: str) -> frozenset[str]:
    """Return the names that Avahi may give the machine instead of its own."""
    base = RENAMED.sub("", f"{_ascii(machine.partition('.')[0])}.local").removesuffix(".local")
    return frozenset(f"{base}-{number}.local" for number in RENAMES) if base else frozenset()


def is_host(host: str) -> bool:
    """Return whether this is a host, with or without a port."""
    return HOST.fullmatch(host) is not None


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Return whether a request for `host`, with or without a port, is meant for this table."""
    if not is_host(host):
        return False
    # Host names are case-insensitive, and may end in the root's dot.
    name = without_port(host).lower().removesuffix(".")
    return name in names or _is_address(name) or _is_renamed(name, names)


def without_port(host: str) -> str:
    """Return a host without its port; an IPv6 address keeps its brackets."""
    # The colons of an IPv6 address are inside the brackets.
    inside, bracket, _ = host.rpartition("]")
    return inside + bracket if bracket else host.partition(":")[0]


def _is_address(name: str) -> bool:
    try:
        if name.startswith("["):
            ipaddress.IPv6Address(name[1:-1])
        else:
            ipaddress.IPv4Address(name)
    except ValueError:
        return False
    return True


def _is_renamed(name: str, names: frozenset[str]) -> bool:
    found = RENAMED.search(name)
    return found is not None and RENAMED.sub("", name) in {RENAMED.sub("", one) for one in names}


def _ascii(name: str) -> str:
    """Convert a name to the form that browsers send: lower case, IDNA Punycode."""
    plain = name.strip().rstrip(".").lower()
    try:
        return plain.encode("idna").decode()
    except UnicodeError:
        return plain
