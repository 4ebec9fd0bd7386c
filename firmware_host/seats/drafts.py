"""Drafts: acts that a device has planned and not done yet, so that a reloaded page continues with them, also after the
table was restarted.

A draft is secret. It is stored in the state folder, readable for the service's user only, and never in a browser. Files
are named by a hash, because a key opens a seat. A separate thread writes them, so that no answer waits for the disk:
its time would reveal that another seat plans.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError

FOLDER = "drafts"
MOST = 64
"""Devices whose drafts are kept: those that changed last."""
BIGGEST = 2048
"""Bytes of a draft as JSON."""
LONGEST_MOMENT = 64


class Draft(Struct, frozen=True):
    """A draft, and the moment of the game that it is for, in the page's own notation."""

    moment: str
    draft: dict[str, Any]


class Drafts:
    """Drafts by key. Thread-safe."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a `folder`, drafts are stored there; it is created when needed."""
        self._folder = folder
        self._kept = OrderedDict[str, Draft]() if folder is None else _read(folder)
        self._unwritten = OrderedDict[str, Draft]()
        self._lock = threading.Lock()
        self._disk = ThreadPoolExecutor(1, "drafts")
        self._disk.submit(self._kept.__len__)  # start the thread now: its start must not reveal who plans

    def keep(self, key: str, draft: Draft) -> None:
        """Replace the draft of a key. Raises `UserError` if the draft is too long."""
        if len(msgspec.json.encode(draft.draft)) > BIGGEST:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=BIGGEST))
        if len(draft.moment) > LONGEST_MOMENT:
            raise UserError(
                "not-understood",
                Text("The moment of a draft is a text of at most {most} characters.", most=LONGEST_MOMENT),
            )
        name = _name(key)
        with self._lock:
            self._kept.pop(name, None)
            self._kept[name] = draft
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
            if self._folder is not None:
                if not self._unwritten:
                    self._disk.submit(self._write, self._folder)
                self._unwritten[name] = draft

    def of(self, key: str) -> Draft | None:
        """Return the draft of a key, or None."""
        with self._lock:
            return self._kept.get(_name(key))

    def close(self) -> None:
        """Wait until all drafts are written. May be called twice."""
        self._disk.shutdown()

    def _write(self, folder: Path) -> None:
        """Write all drafts that changed."""
        while True:
            with self._lock:
                if not self._unwritten:
                    return
                name, draft = self._unwritten.popitem(last=False)
            # A draft that cannot be written stays in memory until the table stops. `upkeep.py` reports a full disk.
            with contextlib.suppress(OSError):
                _write(folder, name, draft)


def _write(folder: Path, name: str, draft: Draft) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    new = folder / "new"
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(draft))
    new.replace(folder / name)
    for old in _files(folder)[:-MOST]:
        old.unlink()


def _read(folder: Path) -> OrderedDict[str, Draft]:
    """Return the stored drafts, the oldest first."""
    found = OrderedDict[str, Draft]()
    with contextlib.suppress(OSError):
        for file in _files(folder):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                found[file.name] = msgspec.json.decode(file.read_bytes(), type=Draft)
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(filter(Path.is_file, folder.glob("*.json")), key=lambda file: file.stat().st_mtime)


def _name(key: str) -> str:
    return f"{hashlib.sha256(key.encode()).hexdigest()}.json"
