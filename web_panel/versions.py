"""Let browsers cache scripts and styles permanently: their addresses change with their content.

A page names its files below `/~<version>/`, and imports stay below it. Files without a version are still served, but a
browser asks for them again at every visit.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, g, request

from firmware_host.core import installed
from firmware_host.core.game_files import game_folder

STATIC = Path(__file__).resolve().parent / "static"
FILES = r"/(?:static|games/[\w-]+/static)/"
STATEMENT = r"""^(?:import|export)\b(?:[^;"'\n]|\n(?!(?:import|export)\b))*+"""
"""The part of an import statement before the address. It ends before the next statement, and its quantifiers are
possessive, so that a search takes linear time.
"""
PREFIX = re.compile(rf"/~([0-9a-f]{{8}})(?={FILES})")
IMPORTS = re.compile(rf"""((?:{STATEMENT}|\bimport\()["'])(?={FILES})""".encode(), re.MULTILINE)
"""The part of an import statement before an absolute address."""
VERSION = "sniperboard.version"
"""Key of the request's WSGI environment: the version in its address."""
LATEST = "sniperboard.latest-version"
"""Key of the app's extensions: the version in the latest page."""
CACHE_FOREVER = "private, max-age=31536000, immutable"

Application = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


def serve_versions(app: Flask) -> None:
    """Serve the files of `app` below their version. Templates name them with `versioned_address(address)`."""
    app.wsgi_app = _Unversioned(app.wsgi_app)  # type: ignore[method-assign, assignment]
    app.jinja_env.globals["versioned_address"] = versioned_address
    app.after_request(_stay)


def versioned_address(address: str) -> str:
    """Return the address under which a browser keeps a file, for example `"/~1b0e3f5a/static/ui.js"`."""
    return f"/~{_current()}{address}"


def revalidated(content: bytes, kind: str) -> Response:
    """Return the answer, with a header that lets the browser cache it if it revalidates."""
    response = Response(content, mimetype=kind)
    response.add_etag()
    response.make_conditional(request)
    return response


def immutable_response(content: bytes, kind: str, address: str) -> Response:
    """Return an answer that the browser may cache permanently if the request's address is `address`, which is that of
    exactly this content."""
    response = Response(content, mimetype=kind)
    # Only the view itself may set this: a browser would also cache a refusal permanently.
    if request.path == address:
        response.headers["Cache-Control"] = CACHE_FOREVER
    return response


class _Unversioned:
    """Routes a versioned address like the address without a version."""

    def __init__(self, app: Application) -> None:
        self._app = app

    def __call__(self, environ: dict[str, Any], start: Callable[..., Any]) -> Iterable[bytes]:
        """Answer a request (PEP 3333)."""
        if match := PREFIX.match(environ.get("PATH_INFO", "")):
            environ[VERSION] = match[1]
            environ["PATH_INFO"] = environ["PATH_INFO"][match.end() :]
        return self._app(environ, start)


def _stay(response: Response) -> Response:
    """Rewrite a script's imports to its own version, because a module at two addresses would be loaded twice."""
    version = request.environ.get(VERSION)
    if version is None or response.status_code != 200:
        return response
    if response.mimetype == "text/javascript":
        response.direct_passthrough = False
        response.set_data(_script_below(version, response.get_data()))
    # After an update, pages that are still open get the new files under the old address. The latest page has looked for
    # updates; to look again would take longer than the rest of the answer.
    if version == (current_app.extensions.get(LATEST) or _current()):
        response.headers["Cache-Control"] = CACHE_FOREVER
        response.headers.pop("ETag", None)
    return response


@lru_cache(maxsize=128)
def _script_below(version: str, script: bytes) -> bytes:
    """Return a script with its imports below a version."""
    return IMPORTS.sub(rb"\1/~" + version.encode(), script)


def _current() -> str:
    """Return the version of all files, once per request: authors change them while the table runs."""
    if "version" not in g:
        g.version = current_app.extensions[LATEST] = _version()
    version: str = g.version
    return version


def _version() -> str:
    content = hashlib.sha256()
    for folder in _folders(tuple(installed.names())):
        with suppress(OSError):  # an author has removed it meanwhile
            for file in sorted(os.scandir(folder), key=lambda file: file.name):
                content.update(_state(file).encode(errors="surrogateescape"))
    return content.hexdigest()[:8]


def _state(file: os.DirEntry[str]) -> str:
    """Return values that change with a file; empty if the file is gone, or is a dangling link, which editors use as
    locks."""
    try:
        status = file.stat()
    except OSError:
        return ""
    return f"{file.name} {status.st_mtime_ns} {status.st_size}\n"


@cache
def _folders(names: tuple[str, ...]) -> list[Path]:
    """Return the folders of all files: the panel's, and those of these games that have screens."""
    folders = [STATIC, *(path for path in STATIC.rglob("*") if path.is_dir())]
    for name in names:
        with suppress(LookupError):
            folders.append(game_folder(name) / "screens")
    return [folder for folder in folders if folder.is_dir()]
