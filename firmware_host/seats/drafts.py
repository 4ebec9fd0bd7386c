"""What a device has planned at its seat and not done yet: kept so that a page that is loaded anew goes on with it, also
after the table has been started anew.

A draft is secret. It lies in the state folder beside the journal, for the service's user alone, and never in the
storage of a browser. Files are named by a hash, since a key opens a seat.
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
from firmware_host.core.errors import UserError

FOLDER = "drafts"
MOST = 64
"""Devices whose drafts are kept; of more, those that were changed last."""
BIGGEST = 2048
"""Bytes of JSON that a draft is at most."""
LONGEST_MOMENT = 64


class Draft(Struct, frozen=True):
    """A draft, and the moment of the game that it is for, as the page names moments."""

    moment: str
    draft: dict[str, Any]


class Drafts:
    """Drafts by seat and key. Any thread may come here."""

    def __init__(self, folder: Path | None = None) -> None:
        """With a `folder` they outlive the table; it is made when it is needed."""
        self._kept: OrderedDict[str, Draft] = OrderedDict()
        self._folder = folder
        self._lock = threading.Lock()

    def keep(self, key: str, draft: Draft) -> None:
        """Keep a draft in place of the last one. Raises `UserError` for one that is too long."""
        if len(msgspec.json.encode(draft.draft)) > BIGGEST:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=BIGGEST))
        if len(draft.moment) > LONGEST_MOMENT:
            raise UserError(
                "not-understood",
                Text("The moment of a draft is a text of at most {most} characters.", most=LONGEST_MOMENT),
            )
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = draft
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
            # A draft that cannot be written is still there until the table stops; a full disk is told elsewhere.
            with contextlib.suppress(OSError):
                self._write(key, draft)

    def of(self, key: str) -> Draft | None:
        """The draft of a key, or None."""
        with self._lock:
            return self._kept.get(key) or self._read(key)

    def _write(self, key: str, draft: Draft) -> None:
        if self._folder is None:
            return
        self._folder.mkdir(mode=0o700, exist_ok=True)
        new = self._folder / "new"
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(msgspec.json.encode(draft))
        new.replace(self._folder / _name(key))
        for old in sorted(self._folder.iterdir(), key=lambda file: file.stat().st_mtime)[:-MOST]:
            old.unlink()

    def _read(self, key: str) -> Draft | None:
        if self._folder is None:
            return None
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            return msgspec.json.decode((self._folder / _name(key)).read_bytes(), type=Draft)
        return None


def _name(key: str) -> str:
    return f"{hashlib.sha256(key.encode()).hexdigest()}.json"
