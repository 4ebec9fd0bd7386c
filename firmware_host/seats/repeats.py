"""Acts that are asked for twice: a phone that lost its line while it waited for an answer asks again, under the same
name. It gets the same answer, and nothing is done twice.
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
"""Acts of each seat that are remembered: far more than anybody waits for at once. Each has its own room: if one seat's
acts made another's forgotten, they could be counted.
"""
LONGEST_NAME = 64
KEPT = "repeats"
"""What the journal keeps the names of the newest acts under."""


class AnsweredAct(Struct, frozen=True):
    """An act that was answered. `content` is a hash of what was asked; `slip` None means that it was done."""

    seat: str
    name: str
    content: str
    slip: tuple[str, str, str | None] | None = None


class Repeats:
    """The newest acts with a name, of all seats. Those done are kept in the journal, with what they did."""

    def __init__(self, journal: Journal) -> None:
        self._known = msgspec.convert(journal.kept(KEPT) or [], list[AnsweredAct])

    def once(self, seat: str, name: str, action: dict[str, Any], act: Callable[[Mapping[str, Any]], None]) -> None:
        """Let it `act`, and keep in the journal what it is given with that, unless the same was asked for under the
        same `name` before. Raises the `UserError` of now, or of then.
        """
        asked = self._asked(seat, name, action)
        if self._done(asked):
            return
        try:
            act({KEPT: msgspec.to_builtins(self._with_done(asked))})
        except UserError as slip:
            self._remember(structs.replace(asked, slip=(slip.code, slip.sentence, slip.rule)))
            raise
        self._remember(asked)

    def _asked(self, seat: str, name: str, action: dict[str, Any]) -> AnsweredAct:
        """The act as it would be remembered, were it done now. Raises `UserError` for a name that is none."""
        if not 1 <= len(name) <= LONGEST_NAME or not name.isascii() or not name.isprintable():
            raise UserError(
                "not-understood",
                Text("An act's id is a text of 1 to {longest} plain characters.", longest=LONGEST_NAME),
            )
        content = hashlib.sha256(json.dumps(action, sort_keys=True).encode()).hexdigest()
        return AnsweredAct(seat, name, content)

    def _done(self, asked: AnsweredAct) -> bool:
        """Whether it was done already. Raises the `UserError` that it was answered with, if it was refused."""
        known = next((it for it in self._known if (it.seat, it.name) == (asked.seat, asked.name)), None)
        if known is None:
            return False
        if known.content != asked.content:
            raise UserError("not-understood", Text("That id was another act's. Choose a new one for each act."))
        if known.slip is not None:
            raise UserError(*known.slip)
        return True

    def _remember(self, answered: AnsweredAct) -> None:
        """From now on it is answered like this."""
        self._known = _newest([*self._known, answered])

    def _with_done(self, answered: AnsweredAct) -> Sequence[AnsweredAct]:
        """What is kept if this one is done too; refusals did nothing, and need no keeping."""
        return _newest([it for it in [*self._known, answered] if it.slip is None])


def _newest(acts: Sequence[AnsweredAct]) -> list[AnsweredAct]:
    """As many as are remembered of each seat, in order."""
    kept, seats = [], Counter[str]()
    for act in reversed(acts):
        seats[act.seat] += 1
        if seats[act.seat] <= MOST:
            kept.append(act)
    return kept[::-1]
