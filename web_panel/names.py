"""The host names under which the table answers.

A stranger's name server can give the name of its site the table's address (DNS rebinding); its page is then of the same
origin as the table. It cannot change the name that the browser puts into `Host`, and that is checked here. A numeric
address is nobody's name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

LOCAL = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What a home network puts behind a machine's name; nobody can own a site below any of these."""
HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9_.-]{1,255})(?::\d{0,5})?")
"""A host with or without a port: a name in ASCII, an IPv4 address, or an IPv6 address in brackets without a zone."""
RENAMED = re.compile(r"-\d{1,3}(?=\.local$)")
"""What Avahi adds to the name of a machine where another machine has that name: NAME-2.local."""
RENAMES = range(2, 10)
"""The numbers that Avahi tries first."""


def known(machine: str, others: Iterable[str]) -> frozenset[str]:
    """The names of a machine that is called `machine`, and others from the settings."""
    plain = machine.partition(".")[0].lower()
    ours = {f"{name}{suffix}" for name in ("localhost", plain) if name for suffix in LOCAL}
    return frozenset({*ours, *map(_ascii, others)} - {""})


def renamed(machine: str) -> frozenset[str]:
    """The names that Avahi may give the machine instead of its own."""
    base = RENAMED.sub("", f"{machine.partition('.')[0].lower()}.local").removesuffix(".local")
    return frozenset(f"{base}-{number}.local" for number in RENAMES) if base else frozenset()


def is_host(host: str) -> bool:
    """Whether this is a host, with or without a port."""
    return HOST.fullmatch(host) is not None


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a request for `host`, with or without a port, is meant for this table."""
    if not is_host(host):
        return False
    name = bare(host).lower().removesuffix(".")
    return name in names or _is_address(name) or _is_renamed(name, names)


def bare(host: str) -> str:
    """A host without its port; an IPv6 address keeps its brackets."""
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
    """A name from the settings as browsers send it: lower case, letters outside ASCII in Punycode (IDNA)."""
    plain = name.strip().rstrip(".").lower()
    try:
        return plain.encode("idna").decode()
    except UnicodeError:
        return plain
