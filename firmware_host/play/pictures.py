"""Pictures as screens get them: a viewer's picture of the game, and what a screen shows with it.

All of it comes from that viewer's picture and from public facts; the truth is never used here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from engine.game import TABLE, Command
from engine.naming import tag_of
from engine.referee import Referee
from engine.text import Text
from firmware_host.core.capabilities import capabilities

MOST_OF_A_KIND = 1024
"""Maximum legal acts of one kind for a screen. If there are more, the screen uses the foresight."""
LOG_LENGTH = 120
"""Number of sentences that a screen gets."""


def of_viewer(referee: Referee, viewer: str) -> dict[str, Any]:
    """Return the game as `viewer` knows it, and the newest sentences that it was sent."""
    return {**view_facts(referee, viewer), "log": log(referee, viewer)}


def view_facts(referee: Referee, viewer: str) -> dict[str, Any]:
    """Return what follows from a viewer's picture alone: the game, what that seat may do, and whether it is
    `your_turn`, as far as it knows.
    """
    game, view = referee.game, referee.pictures[viewer]
    playing, foresight = viewer != TABLE, capabilities(game).foresight
    return {
        "view": game.view(view),
        "legal": bounded(game.legal(view, viewer)) if playing else [],
        "foresight": {} if foresight is None or not playing else foresight.foresight(view, viewer),
        **({"your_turn": viewer in game.to_act(view)} if playing else {}),
    }


def of_public(referee: Referee) -> dict[str, Any]:
    """Return what everyone sees of any game: who is `to_act`, as far as that is public; its `progress`, None if the
    game has none; and its `outcome`, None until the end.
    """
    game, view = referee.game, referee.pictures[TABLE]
    progressing = capabilities(game).progressing
    return {
        "to_act": game.to_act(view),
        "progress": None if progressing is None else progressing.progress(view),
        "outcome": game.outcome(view),
    }


def bounded(legal: Iterable[Command]) -> list[Command]:
    """Return the first `MOST_OF_A_KIND` acts of each kind, in order."""
    legal = [*legal]
    if len(legal) <= MOST_OF_A_KIND:
        return legal
    numbers: Counter[type[Command]] = Counter()
    selected = []
    for command in legal:
        numbers[type(command)] += 1
        if numbers[type(command)] <= MOST_OF_A_KIND:
            selected.append(command)
    return selected


NO_GAME: Mapping[str, Any] = {"view": None, "legal": [], "foresight": {}, "log": [], "possible": None}


_LINES: WeakKeyDictionary[Referee, dict[str, list[dict[str, Any]]]] = WeakKeyDictionary()
"""Running game -> viewer -> its sentences so far, as a screen gets them. A cache: sentences never change."""


def forget(referee: Referee) -> None:
    """Drop the cached sentences of a game, because its events may not have happened."""
    _LINES.pop(referee, None)


def log(referee: Referee, viewer: str) -> list[dict[str, Any]]:
    """Return the newest sentences that a viewer was sent, each with whether it is `public`. A sentence is the same
    object each time.
    """
    game, events, private = referee.game, referee.told[viewer], referee.private[viewer]
    detailed = capabilities(game).detailed
    lines = _LINES.setdefault(referee, {}).setdefault(viewer, [])
    lines += [
        {
            # First, so that a game cannot replace the members below.
            **({} if detailed is None else detailed.details(event)),
            "n": number,
            "type": tag_of(event),
            "sentence": game.sentence(event),
            "public": number not in private,
        }
        for number, event in enumerate(events[len(lines) :], len(lines))
    ]
    return lines[-LOG_LENGTH:]


def plain(value: Any) -> Any:
    """Return a value as JSON-ready data; each `Text` stays as it is."""
    return msgspec.to_builtins(value, builtin_types=(Text,))
