"""Pictures for screens: a viewer's picture of the game, and other data that a screen shows with it.

All of it comes from that viewer's picture and from public facts; the truth is never used here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any
from weakref import WeakKeyDictionary

import msgspec

from engine.events import Event
from engine.game import TABLE, Command
from engine.referee import Referee
from engine.text import Text
from firmware_host.core.capabilities import capabilities, heard_by, said
from firmware_host.core.encoding import Fragment, FragmentLog

MOST_OF_A_KIND = 1024
"""Maximum legal acts of one kind for a screen. If there are more, the screen uses the foresight."""
LOG_LENGTH = 120
"""Number of sentences that a screen gets."""


def of_viewer(referee: Referee, viewer: str) -> dict[str, Any]:
    """Return the game as `viewer` knows it, and the newest sentences that it was sent."""
    lines = [_line(referee, viewer, number) for number in _newest(referee, viewer)]
    return {"view": referee.game.view(referee.pictures[viewer]), **view_facts(referee, viewer), "log": lines}


def view_facts(referee: Referee, viewer: str) -> dict[str, Any]:
    """Return the legal acts of a viewer's seat, and whether it is `your_turn`, from the viewer's own picture."""
    game, view = referee.game, referee.pictures[viewer]
    playing, foresight = viewer != TABLE, capabilities(game).foresight
    return {
        "legal": bounded(game.legal(view, viewer)) if playing else [],
        "foresight": {} if foresight is None or not playing else foresight.foresight(view, viewer),
        **({"your_turn": viewer in game.to_act(view)} if playing else {}),
    }


def of_public(referee: Referee) -> dict[str, Any]:
    """Return the facts about a game that everyone sees.

    These are who is `to_act`, as far as that is public; its `progress`, None if the game has none; and its `outcome`,
    None until the end.
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


_LOGS: WeakKeyDictionary[Referee, dict[str, tuple[range, list[Fragment], FragmentLog]]] = WeakKeyDictionary()
"""The numbers of the events in a log, and its sentences, encoded singly and together; by running game and viewer."""


_SAID: WeakKeyDictionary[Referee, dict[int, tuple[Event, dict[str, Any]]]] = WeakKeyDictionary()
"""For each running game: each event with its sentences, by the identity of the event. Most events have several viewers.
"""


def forget(referee: Referee) -> None:
    """Drop the encoded sentences of a game, because its events may not have happened."""
    _LOGS.pop(referee, None)
    _SAID.pop(referee, None)


def keep_logs(referee: Referee, earlier: Referee) -> None:
    """After a step back to `earlier`, keep the encoded sentences of viewers whose log stays the same.

    Otherwise the next act that they see would take longer, because all sentences would be translated again, and so
    reveal the step back.
    """
    logs = _LOGS.get(referee, {})
    _LOGS[earlier] = {viewer: log for viewer, log in logs.items() if earlier.told[viewer] == referee.told[viewer]}


def encoded_log(referee: Referee, viewer: str) -> FragmentLog:
    """Return the newest sentences that a viewer was sent. Each is encoded once: sentences never change."""
    logs, numbers = _LOGS.setdefault(referee, {}), _newest(referee, viewer)
    before, lines, log = logs.get(viewer, (range(0), [], FragmentLog(())))
    if numbers != before:
        new = range(max(before.stop, numbers.start), numbers.stop)
        lines = [*lines[numbers.start - before.start :], *(Fragment(_line(referee, viewer, it)) for it in new)]
        log = FragmentLog(lines)
    logs[viewer] = numbers, lines, log
    return log


def _newest(referee: Referee, viewer: str) -> range:
    """Return the numbers of the events whose sentences a screen gets."""
    count = len(referee.told[viewer])
    return range(max(0, count - LOG_LENGTH), count)


def _line(referee: Referee, viewer: str, number: int) -> dict[str, Any]:
    """Return a sentence that a viewer was sent, with whether it is `public`."""
    event, known = referee.told[viewer][number], _SAID.setdefault(referee, {})
    if (found := known.get(id(event))) is None:
        if len(known) >= LOG_LENGTH:
            known.clear()
        found = known[id(event)] = event, said(referee.game, event)
    return {**heard_by(viewer, found[1]), "n": number, "public": number not in referee.private[viewer]}


def json_ready(value: Any) -> Any:
    """Return a value as JSON-ready data; each `Text` stays as it is."""
    return msgspec.to_builtins(value, builtin_types=(Text,))
