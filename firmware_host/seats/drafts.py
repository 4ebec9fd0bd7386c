"""Drafts: acts that a device has planned and not done yet, so that they survive a reload of the page and a restart.

A draft is secret. It is stored in the state folder, readable for the service's user only, and never in a browser. Files
are named by a hash, because a key opens a seat. A separate thread writes them, so that no answer waits for the disk:
its time would reveal that another seat plans.
"""

from __future__ import annotations

import contextlib
import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError
from hardware.files import read_json, replace_file

FOLDER = "drafts"
MOST_DRAFTS = 16
"""Drafts that are kept for each seat: the most recently changed ones. Each seat has its own limit."""
LARGEST_DRAFT = 2048
"""Bytes of a draft as JSON."""
LONGEST_MOMENT = 64


class Draft(Struct, frozen=True):
    """A draft, and the moment of the game for which it was made, in the page's own notation."""

    moment: str
    draft: dict[str, Any]


class Drafts:
    """Drafts by owner: a seat and a key, separated by a space. Thread-safe."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a `folder`, drafts are stored there; it is created when needed."""
        self._folder = folder
        self._kept = OrderedDict[str, Draft]() if folder is None else _read(folder)
        self._unwritten = OrderedDict[str, Draft]()
        self._lock = threading.Lock()
        self._disk = ThreadPoolExecutor(1, "drafts")
        self._disk.submit(self._kept.__len__)  # start the thread now: its start must not reveal who plans

    def store(self, owner: str, draft: Draft) -> None:
        """Replace the draft of an owner. Raises `UserError` if the draft is too long."""
        if len(msgspec.json.encode(draft.draft)) > LARGEST_DRAFT:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=LARGEST_DRAFT))
        if len(draft.moment) > LONGEST_MOMENT:
            says = Text("The moment of a draft is a text of at most {most} characters.", most=LONGEST_MOMENT)
            raise UserError("not-understood", says)
        name = _name(owner)
        with self._lock:
            # Removed first, so that the draft becomes the newest one.
            self._kept.pop(name, None)
            self._kept[name] = draft
            for old in _too_many(self._kept, name):
                del self._kept[old]
            if self._folder is not None:
                # If drafts are already waiting, the task that writes them will also find this one.
                if not self._unwritten:
                    self._disk.submit(self._write, self._folder)
                self._unwritten[name] = draft

    def of(self, owner: str) -> Draft | None:
        with self._lock:
            # Earlier versions named a file by the hash of its owner alone.
            return self._kept.get(_name(owner)) or self._kept.get(_name(owner).partition("-")[2])

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
    replace_file(folder / name, msgspec.json.encode(draft), 0o600)
    # Make the newest one last, even if the machine's clock was set back.
    others = [file.name for file in _files(folder) if file.name != name]
    for old in _too_many([*others, name], name):
        (folder / old).unlink()


def _read(folder: Path) -> OrderedDict[str, Draft]:
    """Return the stored drafts, the oldest first."""
    drafts = OrderedDict[str, Draft]()
    with contextlib.suppress(OSError):
        for file in _files(folder):
            with contextlib.suppress(OSError, ValueError):
                drafts[file.name] = read_json(file, Draft)
    return drafts


def _files(folder: Path) -> list[Path]:
    return sorted(filter(Path.is_file, folder.glob("*.json")), key=lambda file: file.stat().st_mtime)


def _too_many(names: Iterable[str], newest: str) -> list[str]:
    """Return the files that exceed the limit of the newest draft's seat.

    `names` are in order, the oldest first. Drafts of earlier versions have no seat in their name. They count for every
    seat, so that they are deleted first.
    """
    seat = newest.partition("-")[0]
    return [name for name in names if name.startswith(seat) or "-" not in name][:-MOST_DRAFTS]


def _name(owner: str) -> str:
    """Return the name of an owner's file. It begins with a hash of the seat, except in earlier versions."""
    seat, digest = (hashlib.sha256(part.encode()).hexdigest() for part in (owner.rpartition(" ")[0], owner))
    return f"{seat[:16]}-{digest}.json"
