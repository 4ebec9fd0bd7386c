"""Acts that are requested twice: a phone that lost its connection while it waited for an answer sends the act again,
under the same id. It gets the same answer, and the act is done once.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import Struct, field

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.records.journal import Journal

MOST_REMEMBERED = 64
"""Acts that are remembered for each seat: far more than anyone waits for at once.

Each seat has its own limit, because another seat could count the acts that replace its own.
"""
LONGEST_NAME = 64
FORMER_KEY = "repeats"
"""The key under which older versions stored the newest acts in the journal."""


class AnsweredAct(Struct, frozen=True):
    """An answered act. `content` is a hash of the request. `refusal` is None if the act was made."""

    seat: str
    name: str
    content: str
    refusal: tuple[str, str, str | None] | None = field(default=None, name="slip")


class Repeats:
    """The newest acts with an id, of all seats.

    The journal stores the id of an act that was done with its events, so that no other page of the file has to be
    written.
    """

    def __init__(self, journal: Journal) -> None:
        self._known: dict[str, dict[str, AnsweredAct]] = defaultdict(dict)
        """Seat -> id -> act, the oldest first."""
        older, newer = (
            msgspec.convert(journal.stored_value(FORMER_KEY) or [], list[AnsweredAct]),
            journal.requests(),
        )
        for act in older:
            self._remember(act)
        for seat, request in newer:
            content, _, name = request.partition(" ")
            self._remember(AnsweredAct(seat, name, content))
        if older and newer:
            journal.store_value(FORMER_KEY, None)

    def once(self, seat: str, name: str, action: dict[str, Any], act: Callable[[str], None]) -> None:
        """Call `act` with what it has to store in the journal, unless the same act was requested under this `name`
        before. Raises the `UserError` of this request, or of the first one.
        """
        request = _answered_act(seat, name, action)
        earlier = self._known[seat].get(name)
        if earlier is not None:
            if earlier.content != request.content:
                raise UserError("not-understood", Text("Another act has that id. Choose a new one for each act."))
            if earlier.refusal is not None:
                raise UserError(*earlier.refusal)
            return
        try:
            act(f"{request.content} {name}")
        except UserError as error:
            # A refusal did nothing and need not be stored.
            self._remember(msgspec.structs.replace(request, refusal=(error.code, error.sentence, error.rule)))
            raise
        self._remember(request)

    def _remember(self, act: AnsweredAct) -> None:
        acts = self._known[act.seat]
        acts[act.name] = act
        if len(acts) > MOST_REMEMBERED:
            del acts[next(iter(acts))]


def _answered_act(seat: str, name: str, action: dict[str, Any]) -> AnsweredAct:
    """Return the act in the form that is remembered once it is made. Raises `UserError` if the name is not an id."""
    if not 1 <= len(name) <= LONGEST_NAME or not name.isascii() or not name.isprintable():
        says = Text("An act's id is a text of 1 to {longest} plain characters.", longest=LONGEST_NAME)
        raise UserError("not-understood", says)
    # Sort the members, because a page may send those of the same act in another order.
    content = hashlib.sha256(json.dumps(action, sort_keys=True).encode()).hexdigest()
    return AnsweredAct(seat, name, content)
