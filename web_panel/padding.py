"""Pad everything sent to the device of a secret seat to one length per kind.

Otherwise lengths would leak secrets. Even over https, everyone on the network sees how long each message is. On the
table's own machine every account sees how many bytes each connection has carried. The picture of a seat is longer if it
has more legal acts, so the length can reveal a space. All JSON answers and all errors are padded, head and body
together, for every request that holds the key of a secret seat (`Seats.hides`). They are never compressed, because the
compressed size depends on the content. Pages, scripts and drawings do not depend on secrets and are not padded.
`static/net.js` pads what the device sends.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from web_panel.streams import STREAM, picture_event

PICTURE_BYTES = 128 * 1024
"""Bytes of a padded picture.

The largest known picture has 80 KB; `tests/secrecy/test_lengths.py` looks for larger ones.
"""
ANSWER_BYTES = 8 * 1024
"""Bytes of every other padded answer: enough for the longest draft with all characters escaped."""
PICTURES = ("/api/picture/", "/api/lesson")
"""Prefixes of the addresses that answer with pictures."""
BARE = (204, 304)
"""Answers with these status codes have no body."""

Headers = list[tuple[str, str]]
Application = Callable[..., Iterable[bytes]]
"""A WSGI application."""


def padded_size(size: int, unit: int) -> int:
    """Return the smallest multiple of `unit` that has room for `size` bytes."""
    return unit * max(1, math.ceil(size / unit))


def padded_event(picture: str) -> str:
    """Return a picture as an event of fixed length, with spaces after its JSON."""
    # The length on the wire is in bytes, not characters.
    size = len(picture_event(picture).encode())
    return picture_event(picture + " " * (padded_size(size, PICTURE_BYTES) - size))


class Padding:
    """Pads the answers of a WSGI application."""

    def __init__(self, app: Application, hides: Callable[[str], bool]) -> None:
        """`hides` returns whether a cookie header contains the key of a secret seat."""
        self._app, self._hides = app, hides

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request (PEP 3333)."""
        cookies, path = environ.get("HTTP_COOKIE", ""), environ.get("PATH_INFO", "")
        hides = self._hides(cookies)
        if hides and path.startswith("/api/"):
            # Padding a compressed body would hide nothing.
            environ.pop("HTTP_ACCEPT_ENCODING", None)
        heads: list[tuple[str, Headers]] = []

        def hold(status: str, headers: Headers, exc_info: Any = None) -> Callable[[bytes], object]:
            heads.append((status, headers))
            return unused_write

        parts = self._app(environ, hold)
        # An application may call `start_response` again after an error; the last call counts.
        status, headers = heads[-1]
        hides = hides or self._hides(cookies)  # seats may have been swapped since the request began
        if environ.get(STREAM) is not None or not (hides and _is_padded(status, headers)):
            start(status, headers)
            return parts
        body = joined(parts)
        most = PICTURE_BYTES if path.startswith(PICTURES) else ANSWER_BYTES
        headers, padding = _padded(status, headers, len(body), most)
        start(status, headers)
        return [body] if environ["REQUEST_METHOD"] == "HEAD" else [body + b" " * padding]


def _is_padded(status: str, headers: Headers) -> bool:
    """Return whether answers of this kind are padded."""
    by_name = {name.lower(): value for name, value in headers}
    code = int(status[:3])
    if code in BARE or "content-encoding" in by_name:
        return False
    return code >= 400 or by_name.get("content-type", "").startswith("application/json")


def _padded(status: str, headers: Headers, length: int, unit: int) -> tuple[Headers, int]:
    """Return the headers for the padded body, and its padding: status and headers are part of the fixed size."""
    # A HEAD answer has no body, but states the length of one.
    stated = next((int(value) for name, value in headers if name.lower() == "content-length"), length)
    others = [(name, value) for name, value in headers if name.lower() != "content-length"]
    head = len(status) + sum(len(f"{name}: {value}\r\n") for name, value in others)
    padding = padded_size(head + stated, unit) - head - stated
    return [*others, ("Content-Length", str(stated + padding))], padding


def joined(parts: Iterable[bytes]) -> bytes:
    """Return the whole body of an answer, and release what made it."""
    try:
        return b"".join(parts)
    finally:
        if (close := getattr(parts, "close", None)) is not None:
            close()


def unused_write(data: bytes) -> object:
    """Raise an error: the `write` callable of PEP 3333 is only for applications from before 2003."""
    raise NotImplementedError
