"""Acts that are requested twice: a phone that lost its connection while it waited for an answer sends the act again,
under the same id. It gets the same answer, and the act is done once.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct, structs

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.journal import Journal

MOST = 64
"""Acts that are remembered for each seat: far more than anyone waits for at once. Each seat has its own limit, because
another seat could count the acts that push its own out.
"""
LONGEST_NAME = 64
KEPT = "repeats"
"""Name under which the journal stores the newest acts."""


class AnsweredAct(Struct, frozen=True):
    """An answered act. `content` is a hash of the request; `slip` is the refusal, None if the act was done."""

    seat: str
    name: str
    content: str
    slip: tuple[str, str, str | None] | None = None


class Repeats:
    """The newest acts with an id, of all seats. Those that were done are stored in the journal with their events."""

    def __init__(self, journal: Journal) -> None:
        self._known = msgspec.convert(journal.kept(KEPT) or [], list[AnsweredAct])

    def once(self, seat: str, name: str, action: dict[str, Any], act: Callable[[Mapping[str, Any]], None]) -> None:
        """Call `act` with what it has to store in the journal, unless the same act was requested under this `name`
        before. Raises the `UserError` of this request, or of the first one.
        """
        asked = _asked(seat, name, action)
        known = next((it for it in self._known if (it.seat, it.name) == (seat, name)), None)
        if known is not None:
            if known.content != asked.content:
                raise UserError("not-understood", Text("Another act has that id. Choose a new one for each act."))
            if known.slip is not None:
                raise UserError(*known.slip)
            return
        try:
            # Refusals did nothing and need not be stored.
            act({KEPT: msgspec.to_builtins(_newest([it for it in [*self._known, asked] if it.slip is None]))})
        except UserError as slip:
            refused = structs.replace(asked, slip=(slip.code, slip.sentence, slip.rule))
            self._known = _newest([*self._known, refused])
            raise
        self._known = _newest([*self._known, asked])


def _asked(seat: str, name: str, action: dict[str, Any]) -> AnsweredAct:
    """Return the act as it is remembered once it is done. Raises `UserError` if the name is no id."""
    if not 1 <= len(name) <= LONGEST_NAME or not name.isascii() or not name.isprintable():
        says = Text("An act's id is a text of 1 to {longest} plain characters.", longest=LONGEST_NAME)
        raise UserError("not-understood", says)
    # Sorted, because a page may send the members of the same act in another order.
    content = hashlib.sha256(json.dumps(action, sort_keys=True).encode()).hexdigest()
    return AnsweredAct(seat, name, content)


def _newest(acts: Sequence[AnsweredAct]) -> list[AnsweredAct]:
    """Return the newest acts of each seat, in order."""
    kept, seats = [], Counter[str]()
    for act in reversed(acts):
        seats[act.seat] += 1
        if seats[act.seat] <= MOST:
            kept.append(act)
    return kept[::-1]
