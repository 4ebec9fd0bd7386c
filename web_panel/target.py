"""Parse a request's first line and host (RFC 9112, sections 2 and 3), and check that the host is one of the table's.

With DNS rebinding, a foreign name server gives its site's name the table's address. The site's page then has the same
origin as the table. But it cannot change the name that the browser puts into `Host`, which is checked here. Numeric
addresses are always accepted, because no one else can own them as a name.
"""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable
from string import punctuation
from typing import NamedTuple
from urllib.parse import quote

from tornado.httputil import HTTPHeaders, RequestStartLine

from firmware_host.api.interface import Text

LOCAL = ("", ".local", ".lan", ".home", ".home.arpa", ".internal", ".localdomain")
"""Suffixes that a home network adds to a machine's name. No one can register a domain below them."""
_LABEL = r"[A-Za-z0-9_-]{1,63}"
HOST = re.compile(
    rf"(\[[0-9A-Fa-f:.]{{2,45}}\]|(?=[^:]{{1,253}}(?::|$)){_LABEL}(?:\.{_LABEL})*\.?)(?::\d{{0,5}})?", re.ASCII
)
"""A host with an optional port: an ASCII name, an IPv4 address, or an IPv6 address in brackets.

The IPv6 address has no zone. Flask cannot make an address of a name with an empty or too long label.
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
    match = RENAMED.search(name)
    return match is not None and RENAMED.sub("", name) in {RENAMED.sub("", other_name) for other_name in names}


def _ascii(name: str) -> str:
    """Convert a name to the form that browsers send: lower case, IDNA Punycode."""
    plain = name.strip().rstrip(".").lower()
    try:
        return plain.encode("idna").decode()
    except UnicodeError:
        return plain


REFUSED = "sniperboard.refused"
"""Environment key: the `Refusal` with which the server has refused to read the request."""
SERVED = ("GET", "HEAD", "OPTIONS", "POST")
"""The methods that an address may accept."""
REFUSED_METHODS = ("CONNECT", "TRACE")
"""Methods that no address accepts."""
UNSERVED = ("DELETE", "PATCH", "PUT")
"""Well-known methods that no address accepts; the error lists the methods that it does."""
EVERYTHING = "*"
"""The target of an OPTIONS request for the whole server."""
PRINTABLE = re.compile(r"[!-~]{1,4000}")
ABSOLUTE = re.compile(r"https?://([^/?#]*)([/?][^#]*)?", re.IGNORECASE)
PATH_SAFE = "/!$&'()*+,;=:@~"
"""The characters that a path may contain besides letters and digits (RFC 3986)."""


class Refusal(NamedTuple):
    """The code and the sentence of a `UserError`.

    The error itself is not stored: a new traceback would be added each time, which keeps that request's data in memory.
    """

    code: str
    sentence: Text


BAD_TARGET = Refusal("bad-request", Text("The request cannot be read: its address is not valid."))
BAD_HOST = Refusal("bad-request", Text("The request cannot be read: it needs exactly one valid Host."))
NOT_ALLOWED = Refusal("not-allowed", Text("That cannot be done at this address."))
NOT_IMPLEMENTED = Refusal("not-implemented", Text("This server does not know that method."))


def read_target(line: RequestStartLine, headers: HTTPHeaders) -> tuple[RequestStartLine, Refusal | None]:
    """Return the line with its target in origin form, or `*`; and the reason to refuse it, or None.

    The host of a target in absolute form replaces the `Host` header. A refused request gets a target and a host that
    are safe to process.
    """
    hosts, refusal = headers.get_list("Host"), None
    path, host = _split(line.path, line.method)
    # HTTP/1.0 does not require a Host header.
    lacks_host = not hosts and line.version != "HTTP/1.0"
    if line.method in REFUSED_METHODS:
        refusal = NOT_ALLOWED
    elif line.method not in (*SERVED, *UNSERVED):
        refusal = NOT_IMPLEMENTED
    elif path is None:
        refusal = BAD_TARGET
    # An empty `Host` belongs to an address without a host, so it names no table.
    elif len(hosts) > 1 or lacks_host or not all(map(is_host, filter(None, (*hosts, host)))):
        refusal = BAD_HOST
    if refusal is not None:
        # A refused request still runs through Flask, which needs a valid path and host.
        headers["Host"] = "localhost"
        return line._replace(path="/"), refusal
    if host is not None:
        headers["Host"] = host
    return line._replace(path=path or "/"), None


def location(scheme: str, host: str, path: str, query: str) -> str:
    """Return an address for a `Location` header.

    `path` is in WSGI form, one character per byte. Control characters in it never reach the header.
    """
    address = f"{scheme}://{host}{quote(path.encode('latin1'), safe=PATH_SAFE)}"
    return f"{address}?{quote(query, safe=punctuation)}" if query else address


def _split(target: str, method: str) -> tuple[str | None, str | None]:
    """Return path with query, and host, of a target; None for a path of no valid form, and for no host."""
    if PRINTABLE.fullmatch(target) is None:
        return None, None
    if target.startswith("/") or (target == EVERYTHING and method == "OPTIONS"):
        return target, None
    match = ABSOLUTE.fullmatch(target)
    if match is None or not match[1]:
        return None, None
    # An absolute target without a path means the root, or the whole server for OPTIONS.
    path = match[2] or (EVERYTHING if method == "OPTIONS" else "/")
    return path if path[0] != "?" else f"/{path}", match[1]
