"""What a device has planned at its seat and not done yet: kept so that a page that is loaded anew goes on with it, also
after the table has been started anew.

A draft is secret. It lies in the state folder beside the journal, for the service's user alone, and never in the
storage of a browser. Files are named by hashes, since a key opens a seat.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
from collections import OrderedDict
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.table.errors import UserError

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
        self._kept: OrderedDict[str, Draft] = OrderedDict()
        self._folder = folder
        self._lock = threading.Lock()

    def keep(self, owner: str, draft: Draft) -> None:
        """Keep a draft in place of the last one. Raises `UserError` for one that is too long."""
        if len(msgspec.json.encode(draft.draft)) > BIGGEST:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=BIGGEST))
        if len(draft.moment) > LONGEST_MOMENT:
            raise UserError(
                "not-understood",
                Text("The moment of a draft is a text of at most {most} characters.", most=LONGEST_MOMENT),
            )
        with self._lock:
            self._kept.pop(owner, None)
            self._kept[owner] = draft
            of_seat = [other for other in self._kept if _seat(other) == _seat(owner)]
            for old in of_seat[:-MOST]:
                del self._kept[old]
            # A draft that cannot be written is still there until the table stops; a full disk is told elsewhere.
            with contextlib.suppress(OSError):
                self._write(owner, draft)

    def of(self, owner: str) -> Draft | None:
        """The draft of an owner, or None."""
        with self._lock:
            return self._kept.get(owner) or self._read(owner)

    def _write(self, owner: str, draft: Draft) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        new = self._folder / "new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(draft))
        name = _name(owner)
        new.replace(self._folder / name)
        group = name.partition("-")[0]  # files of earlier versions belong to no seat: they go first
        of_seat = [file for file in self._folder.iterdir() if file.name.startswith(group) or "-" not in file.name]
        for old in sorted(of_seat, key=lambda file: file.stat().st_mtime)[:-MOST]:
            old.unlink()

    def _read(self, owner: str) -> Draft | None:
        if self._folder is None:
            return None
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self._folder / _name(owner)).read_bytes(), type=Draft)
        return None


def _seat(owner: str) -> str:
    return owner.rpartition(" ")[0]


def _name(owner: str) -> str:
    """The name of an owner's file, which begins alike for all of a seat."""
    seat, key = (hashlib.sha256(part.encode()).hexdigest() for part in (_seat(owner), owner))
    return f"{seat[:16]}-{key}.json"
