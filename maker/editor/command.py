"""`sniperboard map edit [MAP]`: the map editor, in a browser."""

from __future__ import annotations

import argparse
import os
import re
import secrets
import signal
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType

from engine.graph.fault import MapError
from firmware_host.core import maps
from maker.editor.desk import Desk
from maker.editor.pages import BIGGEST_DRAWING, BIGGEST_PICTURE, PICTURE, create_editor
from web_panel.connections import Limit, Limits
from web_panel.gateway import Bodies
from web_panel.serve import Server, serve

DEFAULT_NAME = "my-board"
HOST, PORT = "127.0.0.1", 8010
SLUG = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
BODIES = Bodies(
    BIGGEST_DRAWING, {PICTURE: BIGGEST_PICTURE}, Limits(Limit(24 << 20, 12 << 20), Limit(24 << 20, 24 << 20))
)


def add_edit_options(edit: argparse.ArgumentParser, file: Callable[[str], Path]) -> None:
    edit.add_argument(
        "map", metavar="FILE|NAME", nargs="?", default=DEFAULT_NAME,
        help=f"a drawing, or a name; a new name creates a map in the maps folder (default: {DEFAULT_NAME})",
    )  # fmt: skip
    edit.add_argument("--photo", type=file, help="JPEG or PNG of your board, shown below the drawing")
    edit.add_argument(
        "--host", default=HOST, help="address to listen on; 0.0.0.0 to allow a tablet (default: %(default)s)"
    )
    edit.add_argument(
        "--port", type=_port_argument, default=PORT, help="port; 0 for any free port (default: %(default)s)"
    )


def edit_map(arguments: argparse.Namespace) -> int:
    """Serve the editor until Ctrl-C. Raises `MapError`."""
    path = drawing_to_edit(arguments.map)
    desk = Desk(path, arguments.photo)
    # The key in the address keeps other web pages from writing files through the local server.
    key = secrets.token_urlsafe(16)
    server = _start_server(desk, key, arguments.host, arguments.port)
    server.start()
    host = f"[{arguments.host}]" if ":" in arguments.host else arguments.host
    public_host = socket.gethostname() if arguments.host in ("0.0.0.0", "::") else host
    print(f"{'Editing' if path.exists() else 'A new map,'} {path}", flush=True)
    print(f"Open http://{public_host}:{server.port}/#{key} in a browser; end with Ctrl-C.", flush=True)
    try:
        _wait_for_signal()
    finally:
        server.stop()
    return 0


def drawing_to_edit(name: str, folder: Path = maps.FOLDER) -> Path:
    """Return the file of a drawing to edit; it may not exist yet. Raises `MapError` for an invalid place."""
    if maps.is_path(name):
        path = Path(name)
        path = path / maps.DRAWING if path.is_dir() or name.endswith(("/", "\\")) else path
    elif name in maps.drawn(folder) or maps.is_generated(name, folder):
        path = maps.drawing_of(name, folder)
    elif SLUG.fullmatch(name):
        path = folder / name / maps.DRAWING
    else:
        raise MapError(name, ["this is not a name for a map. Use letters, digits and hyphens, or give a path."])
    there = next((folder for folder in (path.parent, *path.parent.parents) if folder.exists()), path.parent)
    if not there.is_dir() or not os.access(there, os.W_OK):
        raise MapError(str(path), [f"nothing can be written in {there}. Give the path of a file in a folder of yours."])
    return path


def _start_server(desk: Desk, key: str, host: str, port: int) -> Server:
    try:
        return serve(create_editor(desk, key, socket.gethostname()), host, port, bodies=BODIES)
    except OSError as error:
        raise MapError("", [f"{error.strerror}. Choose another with --port."]) from error


def _wait_for_signal() -> None:
    ended = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        ended.set()

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        ended.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _port_argument(word: str) -> int:
    if word.isdecimal() and int(word) < 65536:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a port. Give a number from 0 to 65535.")
