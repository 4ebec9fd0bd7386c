"""Sends text packed to browsers that take it packed: a slow phone waits for bytes, not for this computer.

Pictures are never packed: secrets lie in them beside what others may choose, such as the name of a device, and how well
both pack together would tell whoever watches the line how much they are alike.
"""

from __future__ import annotations

import gzip
import re

from flask import Flask, Response, request

SMALLEST = 1024
LEVEL = 8
"""Of 1 to 9: beyond it, nothing gets smaller."""
BARE = "api.picture"
"""The endpoint of what is never packed."""
NEEDLESS = {
    "text/javascript": re.compile(rb"^[ \t]*(?://.*|/\*\*.*\*/$)|^[ \t]+", re.MULTILINE),
    "text/css": re.compile(rb"^\s+|/\*[^*]*\*+(?:[^/*][^*]*\*+)*/\s*", re.MULTILINE),
}
"""What browsers do not need: indentation, and comments (of scripts those of one line, so that line numbers stay)."""
FOREIGN = "manual"
"""The blueprint whose scripts are not ours, and stay as they are."""
PACKED = ("application/json", "application/manifest+json", "image/svg+xml", "text/css", "text/html", "text/javascript")


def squeeze(app: Flask) -> None:
    """Pack what `app` answers, streams aside."""
    app.after_request(_squeeze)


def _squeeze(response: Response) -> Response:
    if response.mimetype not in PACKED or request.endpoint == BARE:
        return response
    response.vary.add("Accept-Encoding")
    if response.status_code != 200 or request.method == "HEAD" or not request.accept_encodings["gzip"]:
        return response
    response.direct_passthrough = False
    if response.content_encoding or len(response.get_data()) < SMALLEST:
        return response
    text = response.get_data()
    if response.mimetype in NEEDLESS and request.blueprint != FOREIGN:
        text = NEEDLESS[response.mimetype].sub(b"", text)
    response.set_data(gzip.compress(text, LEVEL, mtime=0))
    response.content_encoding = "gzip"
    etag, weak = response.get_etag()
    if etag is not None and not weak:
        response.set_etag(etag, weak=True)
    return response
