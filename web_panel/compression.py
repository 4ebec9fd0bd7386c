"""Compress text for browsers that accept it: a slow phone is limited by bytes, not by this computer.

Pictures are never compressed. They contain secrets next to text that other people choose, such as a device's name. The
compressed size would tell an eavesdropper how similar the two are.
"""

from __future__ import annotations

import gzip
import re
from functools import lru_cache

from flask import Flask, Response, request

SMALLEST = 512
LEVEL = 8
"""Compression level, from 1 to 9. Higher levels don't make these files smaller."""
BARE = "api.picture"
"""The endpoint whose answers are never compressed."""
NEEDLESS = {
    "text/javascript": re.compile(rb"^[ \t]*(?://.*|/\*\*(?:(?!\*/).)*\*/$)|^[ \t]+", re.MULTILINE),
    "text/css": re.compile(
        rb"^\s+|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/\s*"
        # Spaces next to punctuation. The number of quotation marks after them is even, so they are not inside a string.
        rb'|(?:(?<=[{};:,]) | (?=[{}]))(?=(?:[^"\n]*"[^"\n]*")*[^"\n]*$)',
        re.MULTILINE,
    ),
}
"""Indentation and comments, and spaces of styles, which browsers do not need.

In scripts only one-line comments are removed, so that line numbers stay the same.
"""
FOREIGN = "manual"
"""The blueprint with third-party scripts, which stay unchanged."""
COMPRESSED_TYPES = (
    "application/json",
    "application/manifest+json",
    "image/svg+xml",
    "text/css",
    "text/html",
    "text/javascript",
)


def compress(app: Flask) -> None:
    """Compress the answers of `app`, except streams."""
    app.after_request(_compress)


def _compress(response: Response) -> Response:
    if response.mimetype not in COMPRESSED_TYPES or request.endpoint == BARE:
        return response
    # Caches must keep the compressed and the plain answer apart.
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.method == "HEAD" or not request.accept_encodings["gzip"]:
        return response
    # Files are sent in passthrough mode, which does not allow reading their data.
    response.direct_passthrough = False
    if response.content_encoding or len(response.get_data()) < SMALLEST:
        return response
    text = response.get_data()
    if response.mimetype in NEEDLESS and request.blueprint != FOREIGN:
        response.set_data(_shorten(text, response.mimetype))
    else:
        response.set_data(_gzip(text))
    response.content_encoding = "gzip"
    etag, weak = response.get_etag()
    # The bytes differ from the plain answer's, so the ETag can only be weak.
    if etag is not None and not weak:
        response.set_etag(etag, weak=True)
    return response


@lru_cache(maxsize=128)
def _shorten(text: bytes, kind: str) -> bytes:
    """Return a script or style without unnecessary characters.

    The result is cached, because each new device asks for the same files.
    """
    return _gzip(NEEDLESS[kind].sub(b"", text))


def _gzip(text: bytes) -> bytes:
    # Without a time stamp, equal content compresses to equal bytes.
    return gzip.compress(text, LEVEL, mtime=0)
