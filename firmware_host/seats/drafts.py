"""What a device has planned at its seat and not done yet: kept while the table runs, so that a page that is loaded anew
goes on with it.

It is secret, and lies in memory alone: neither in the journal, nor in the storage of a browser.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any

import msgspec
from msgspec import Struct

from engine.text import Text
from firmware_host.table.errors import UserError

MOST = 64
"""Devices whose drafts are kept; of more, those that were changed last."""
BIGGEST = 2048
"""Bytes of JSON that a draft is at most."""


class Draft(Struct, frozen=True):
    """A draft on the picture of this revision."""

    revision: int
    draft: dict[str, Any]


class Drafts:
    """Drafts by seat and key. Any thread may come here."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, Draft] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, key: str, draft: Draft) -> None:
        """Keep a draft in place of the last one. Raises `UserError` for one that is too long."""
        if len(msgspec.json.encode(draft.draft)) > BIGGEST:
            raise UserError("not-understood", Text("The draft is too long: at most {most} bytes.", most=BIGGEST))
        with self._lock:
            self._kept.pop(key, None)
            self._kept[key] = draft
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)

    def of(self, key: str) -> Draft | None:
        """The draft of a key, or None."""
        with self._lock:
            return self._kept.get(key)
