"""Parse a request's first line and host: method and target forms (RFC 9112, sections 2 and 3)."""

from __future__ import annotations

import re
from string import punctuation
from typing import NamedTuple
from urllib.parse import quote

from tornado.httputil import HTTPHeaders, RequestStartLine

from firmware_host.api.interface import Text
from web_panel.names import is_host

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

    No error is stored to be raised again: it would keep the traceback of each time, with all that those requests held.
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
    # An empty `Host` belongs to an address without a host. It is no one's name.
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

    `path` is in WSGI form, one character per byte. No control character of it reaches the header.
    """
    found = f"{scheme}://{host}{quote(path.encode('latin1'), safe=PATH_SAFE)}"
    return f"{found}?{quote(query, safe=punctuation)}" if query else found


def _split(target: str, method: str) -> tuple[str | None, str | None]:
    """Return path with query, and host, of a target; None for a path of no valid form, and for no host."""
    if PRINTABLE.fullmatch(target) is None:
        return None, None
    if target.startswith("/") or (target == EVERYTHING and method == "OPTIONS"):
        return target, None
    found = ABSOLUTE.fullmatch(target)
    if found is None or not found[1]:
        return None, None
    # An absolute target without a path means the root, or the whole server for OPTIONS.
    rest = found[2] or (EVERYTHING if method == "OPTIONS" else "/")
    return rest if rest[0] != "?" else f"/{rest}", found[1]
