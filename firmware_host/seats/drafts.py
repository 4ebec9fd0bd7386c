"""What a device has planned at its seat and not done yet: kept so that a page that is loaded anew goes on with it, also
after the table has been started anew.

A draft is secret. It lies in the state folder beside the journal, for the service's user alone, and never in the
storage of a browser. Files are named by a hash, since a key opens a seat. A thread of its own writes them, so nobody
waits for the disk, and nobody can tell from the time of an answer that somebody else plans.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
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

FOLDER = "drafts"
MOST = 16
"""Devices of a seat whose drafts are kept; of more, those that were changed last. No seat takes another's room."""
BIGGEST = 2048
"""Bytes of JSON that a draft is at most."""
LONGEST_MOMENT = 64


class Draft(Struct, frozen=True):
    """A draft, and the moment of the game that it is for, as the page names moments."""

    moment: str
    draft: dict[str, Any]


class Drafts:
    """Drafts by owner: a seat and a key, with a blank between them. Any thread may come here."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a `folder` they outlive the table; it is made when it is needed."""
        self._folder = folder
        self._kept = OrderedDict[str, Draft]() if folder is None else _read(folder)
        self._unwritten = OrderedDict[str, Draft]()
        self._lock = threading.Lock()
        self._disk = ThreadPoolExecutor(1, "drafts")
        self._disk.submit(self._kept.__len__)  # begin it now: when a thread begins must not tell who plans

    def keep(self, owner: str, draft: Draft) -> None:
        """Keep a draft in place of the last one. Raises `UserError` for one that is too long."""
        if len(msgspec.json.encode(draft.draft)) > BIGGEST:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=BIGGEST))
        if len(draft.moment) > LONGEST_MOMENT:
            raise UserError(
                "not-understood",
                Text("The moment of a draft is a text of at most {most} characters.", most=LONGEST_MOMENT),
            )
        name = _name(owner)
        with self._lock:
            self._kept.pop(name, None)
            self._kept[name] = draft
            for old in _too_many(self._kept, name):
                del self._kept[old]
            if self._folder is not None:
                if not self._unwritten:
                    self._disk.submit(self._write, self._folder)
                self._unwritten[name] = draft

    def of(self, owner: str) -> Draft | None:
        """The draft of an owner, or None."""
        with self._lock:
            return self._kept.get(_name(owner)) or self._kept.get(_name(owner).partition("-")[2])

    def close(self) -> None:
        """Wait until all drafts are written. Twice is harmless."""
        self._disk.shutdown()

    def _write(self, folder: Path) -> None:
        """Write what is not written yet."""
        while True:
            with self._lock:
                if not self._unwritten:
                    return
                name, draft = self._unwritten.popitem(last=False)
            # A draft that cannot be written is still there until the table stops; a full disk is told elsewhere.
            with contextlib.suppress(OSError):
                _write(folder, name, draft)


def _write(folder: Path, name: str, draft: Draft) -> None:
    folder.mkdir(mode=0o700, exist_ok=True)
    new = folder / "new"
    with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
        file.write(msgspec.json.encode(draft))
    new.replace(folder / name)
    for old in _too_many([file.name for file in _files(folder)], name):
        (folder / old).unlink()


def _read(folder: Path) -> OrderedDict[str, Draft]:
    """The drafts that were written, the oldest first."""
    found = OrderedDict[str, Draft]()
    with contextlib.suppress(OSError):
        for file in _files(folder):
            with contextlib.suppress(OSError, msgspec.MsgspecError):
                found[file.name] = msgspec.json.decode(file.read_bytes(), type=Draft)
    return found


def _files(folder: Path) -> list[Path]:
    return sorted(filter(Path.is_file, folder.glob("*.json")), key=lambda file: file.stat().st_mtime)


def _seat(owner: str) -> str:
    return owner.rpartition(" ")[0]


def _too_many(names: Iterable[str], newest: str) -> list[str]:
    """Of the names, oldest first, those that are one too many for the seat of the newest. The files of earlier versions
    have no seat in their names; they are counted with every seat, so that they go first.
    """
    seat = newest.partition("-")[0]
    return [name for name in names if name.startswith(seat) or "-" not in name][:-MOST]


def _name(owner: str) -> str:
    """The name of an owner's file. It begins alike for all of a seat; an earlier version had only what follows."""
    seat, whole = (hashlib.sha256(part.encode()).hexdigest() for part in (owner.rpartition(" ")[0], owner))
    return f"{seat[:16]}-{whole}.json"
