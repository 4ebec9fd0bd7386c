"""What the table is called: the host names under which it answers.

A stranger's name server can give the name of its site the table's address (DNS rebinding); its page is then of the same
origin as the table. It cannot change what the browser calls the table, and that is looked at here. An address in
figures is nobody's name.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

LOCAL = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""What a home network puts behind a machine's name; nobody can own a site below any of these."""


def known(machine: str, others: Iterable[str]) -> frozenset[str]:
    """The names of a machine that is called `machine`, and others that its keeper has given."""
    plain = machine.partition(".")[0].lower()
    ours = {f"{name}{suffix}" for name in ("localhost", plain) if name for suffix in LOCAL}
    return frozenset({*ours, *(name.strip().rstrip(".").lower() for name in others)} - {""})


def is_ours(host: str, names: frozenset[str]) -> bool:
    """Whether a request for `host`, a port included, is meant for this table."""
    name = bare(host).strip("[]")
    if name.rstrip(".").lower() in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def bare(host: str) -> str:
    """A host without its port; an address of IPv6 keeps its brackets."""
    inside, bracket, _ = host.rpartition("]")
    return inside + bracket if bracket else host.partition(":")[0]
