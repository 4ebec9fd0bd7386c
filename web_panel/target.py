"""The first line of a request: method, the four forms of its target, and its host (RFC 9112, sections 2 and 3)."""

from __future__ import annotations

import re
from string import punctuation
from urllib.parse import quote

from tornado.httputil import HTTPHeaders, RequestStartLine

from firmware_host.api.interface import Text, UserError
from web_panel.names import is_host

REFUSED = "sniperboard.refused"
"""Where a request's environment keeps the `UserError` with which the server has refused to read it."""
SERVED = ("GET", "HEAD", "OPTIONS", "POST")
"""The methods that any address may take."""
REFUSED_METHODS = ("CONNECT", "TRACE")
"""Methods that no address takes."""
UNSERVED = ("DELETE", "PATCH", "PUT")
"""Methods that everybody knows; no address takes them, and each says which it takes."""
EVERYTHING = "*"
"""The target of an OPTIONS request that asks about the whole server."""
PRINTABLE = re.compile(r"[!-~]{1,4000}")
ABSOLUTE = re.compile(r"https?://([^/?#]*)([/?][^#]*)?", re.IGNORECASE)
PATH_SAFE = "/!$&'()*+,;=:@~"
"""What a path may have besides letters and digits (RFC 3986)."""

BAD_TARGET = UserError("bad-request", Text("The request cannot be read: its address is not valid."))
BAD_HOST = UserError("bad-request", Text("The request cannot be read: it needs exactly one valid Host."))
NOT_ALLOWED = UserError("not-allowed", Text("That cannot be done at this address."))
NOT_IMPLEMENTED = UserError("not-implemented", Text("This server does not know that method."))


def read_target(line: RequestStartLine, headers: HTTPHeaders) -> tuple[RequestStartLine, UserError | None]:
    """The line with its target in origin form, or `*`; and why the request is refused, if it is.

    The host of a target in absolute form takes the place of the header `Host`. A request that is refused gets a target
    and a host that can be worked with.
    """
    hosts, refusal = headers.get_list("Host"), _method_refusal(line.method)
    path, host = _split(line.path, line.method)
    if refusal is None and path is None:
        refusal = BAD_TARGET
    needed = line.version != "HTTP/1.0"
    if refusal is None and (len(hosts) > 1 or (needed and not hosts) or not all(map(_is_sound, (*hosts, host or "")))):
        refusal = BAD_HOST
    if refusal is not None:
        headers["Host"] = "localhost"
        return line._replace(path="/"), refusal
    if host is not None:
        headers["Host"] = host
    return line._replace(path=path or "/"), None


def location(scheme: str, host: str, path: str, query: str) -> str:
    """An address for a `Location` header: `path` as WSGI has it, a character for each byte; no control character of it
    gets into the header.
    """
    found = f"{scheme}://{host}{quote(path.encode('latin1'), safe=PATH_SAFE)}"
    return f"{found}?{quote(query, safe=punctuation)}" if query else found


def _method_refusal(method: str) -> UserError | None:
    if method in REFUSED_METHODS:
        return NOT_ALLOWED
    return None if method in (*SERVED, *UNSERVED) else NOT_IMPLEMENTED


def _split(target: str, method: str) -> tuple[str | None, str | None]:
    """Path with query and host of a target; no path where it has none of the forms, no host where it names none."""
    if PRINTABLE.fullmatch(target) is None:
        return None, None
    if target.startswith("/") or (target == EVERYTHING and method == "OPTIONS"):
        return target, None
    found = ABSOLUTE.fullmatch(target)
    if found is None or not found[1]:
        return None, None
    rest = found[2] or (EVERYTHING if method == "OPTIONS" else "/")
    return rest if rest[0] != "?" else f"/{rest}", found[1]


def _is_sound(host: str) -> bool:
    """Whether a `Host` can be read; an empty one belongs to an address without a host, and is nobody's name."""
    return not host or is_host(host)
