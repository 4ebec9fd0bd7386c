"""Fuzz `board-engine/1`: every field of every request gets all kinds of JSON, and some bytes that are not JSON.

Every request gets one answer that follows the contract, and the game stays the same unless the answer is `ok`.
"""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from typing import Any

import pytest

from firmware_host.protocols.engine import answers
from firmware_host.protocols.lines import LONGEST_LINE
from tests.firmware_host.test_engine_protocol import POSITION, Talk, shape

FRAGMENTS: list[bytes] = [
    *[b"null", b"true", b"false", b"0", b"-0", b"-0.0", b"1.5", b"1e2", b"-1", b"13", b"007", b"+1", b".5", b"0x1"],
    *[b"1e999", b"-1e999", b"1e-999", b"NaN", b"-Infinity", b"9007199254740993", b"9" * 30, b"-" + b"9" * 400],
    *[b'""', b'" "', b'"\\u0000"', b'"\\ud800"', b'"\\udc00\\ud800"', b'"\xff"', b'"\xc0\xaf"', b'"\xed\xa0\x80"'],
    *['"ż𝄞"'.encode(), '"\u202e1-der"'.encode(), '"\u2028"'.encode(), '"а1"'.encode(), '"a\u0301"'.encode()],
    *[b'"a\nb"', b"'a1'", b'"a1', b'"' + b"x" * 20_000 + b'"', b'"sniper"', b'"red-1"', b'"c5"', b'"s-mine"'],
    *[b"[]", b"[null]", b"[[]]", b'["c5"]', b'["c5","c5"]', b"[1,4]", b"[1,4,]"],
    *[b"[" * depth + b"]" * depth for depth in (300, 5000)],
    *[b"{}", b'{"":0}', b'{"type":"end-turn"}', b'{"a":1,"a":1}', b'{"a":{"b":1,"b":2}}', b'{"aim":1e999}', b"{1:2}"],
    *[b"", b"/* */ 1", b"undefined", b"\x00", b"1 2", b"]", b"}", b'":'],
]
"""Values for any field: right and wrong types, numbers out of range, text of every kind, and invalid JSON."""

WHOLE_POSITION: dict[str, Any] = {
    **POSITION,
    "turn": "sniper", "round": 2, "countdown": 8, "entry": None, "shown": 2, "over": None,
    "pending": {"for": "save", "units": ["yellow-1"], "hit": ["yellow-1"], "by": "shot", "drawn": {"aim": 1}},
    "sniper": {
        **POSITION["sniper"], "face_down": ["s-mine"], "mines": ["c3"], "looted": ["c1"], "completed": [],
        "hand": ["distraction"], "wounds": 1, "miniature": "c4", "moved": True, "carded": False, "active": None,
        "acted": True, "been": ["c3", "c4"], "log": [[10, "c3"], [9, None]],
    },
    "units": {"yellow-1": "c5", "yellow-officer": "a1", "red-1": None},
    "bag": {"aim": 5, "noise": 2, "recoil": 3}, "loot_deck": ["tommy-gun"], "marks": ["a1"], "dogs": [],
    "squads": {"red": {"left": 1, "intel": False}}, "done": {"red-1": ["dismiss"]}, "used": [], "off": [],
}  # fmt: skip
OPTIONS = {"random_setup": False, "switches": {"R-36": False}, "experienced_sniper": ["B"]}
GAME = {"game": "sniper-elite", "map": "toy", "options": OPTIONS, "seed": 1}
SHOT = {"type": "shoot", "target": "red-1", "draw": 3}
REQUESTS: dict[str, dict[str, Any]] = {
    "hello": {"do": "hello", "id": 1},
    "new": {"do": "new", **GAME, "chance": [["objectives", [1, 4]]]},
    "position": {"do": "position", **GAME, "position": WHOLE_POSITION, "chance": []},
    "legal": {"do": "legal", "seat": "defenders"},
    "act": {"do": "act", "seat": "sniper", "action": SHOT, "chance": [["draw", {"aim": 1, "noise": 1}]]},
    "act of a path": {"do": "act", "seat": "sniper", "action": {"type": "move", "path": ["c5", "b5"]}},
    "act of a card": {
        "do": "act", "seat": "sniper",
        "action": {"type": "play", "card": "distraction", "unit": "red-1", "to": "c5"},
    },
    "act of the defenders": {"do": "act", "seat": "defenders", "action": {"type": "mark", "space": "a1"}},
    "view": {"do": "view", "seat": "table"},
    "events": {"do": "events", "seat": "table", "since": 0},
    "state": {"do": "state", "id": "x"},
    "sight": {"do": "sight", "map": "toy", "from": "a1", "to": "a4"},
    "map": {"do": "map", "map": "toy"},
    "odds": {"do": "odds", "bag": {"aim": 6, "noise": 2}, "draw": 3, "need": 2, "silenced": False},
}  # fmt: skip
MOVING = ("new", "position", "act")


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Iterate over the paths of all values inside a value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, inner in inside:
        yield (*path, name)
        yield from places(inner, (*path, name))


def spliced(value: Any, path: tuple[Any, ...], fragment: bytes) -> bytes:
    """Return the value as JSON, with raw bytes in one place."""
    if not path:
        return fragment
    if isinstance(value, dict):
        parts = [
            json.dumps(name).encode() + b":" + (spliced(inner, path[1:], fragment) if name == path[0] else _raw(inner))
            for name, inner in value.items()
        ]
        return b"{" + b",".join(parts) + b"}"
    parts = [spliced(inner, path[1:], fragment) if n == path[0] else _raw(inner) for n, inner in enumerate(value)]
    return b"[" + b",".join(parts) + b"]"


def _raw(value: Any) -> bytes:
    return json.dumps(value).encode()


def fresh() -> tuple[Talk, str]:
    """Return a conversation in the middle of a game, and the state of the game."""
    talk = Talk()
    talk.position()
    return talk, shape(talk)


def moved(said: bytes, answer: dict[str, Any]) -> bool:
    """Return whether the game may have changed: a request that changes it was granted."""
    return "ok" in answer and any(f'"{do}"'.encode() in said for do in MOVING)


def all_survive(lines: Iterator[bytes]) -> dict[str, int]:
    """Send all lines, check the game now and then and at the end, and return the number of answers of each kind."""
    counted = {"ok": 0, "error": 0}
    talk, before = fresh()
    for number, line in enumerate(lines):
        assert number % 25 or shape(talk) == before
        answer = talk.say(line)
        counted["ok" if "ok" in answer else "error"] += 1
        if moved(line, answer):
            talk, before = fresh()
    assert shape(talk) == before
    return counted


@pytest.mark.parametrize("name", REQUESTS)
def test_every_field_gets_answers_of_contract_for_any_value(name: str) -> None:
    request = REQUESTS[name]
    counted = all_survive(spliced(request, path, fragment) for path in places(request) for fragment in FRAGMENTS)
    assert counted["error"] > len(FRAGMENTS) // 3


@pytest.mark.parametrize("name", REQUESTS)
def test_valid_request_is_granted(name: str) -> None:
    assert "ok" in fresh()[0].say(_raw(REQUESTS[name])), "otherwise the test above proves nothing"


@pytest.mark.parametrize("name", REQUESTS)
def test_duplicate_missing_or_additional_field_is_refused(name: str) -> None:
    request, (talk, before) = REQUESTS[name], fresh()
    objects = [(), *(path for path in places(request) if isinstance(_at(request, path), dict))]
    for path in objects:
        inner = _at(request, path)
        for field in inner:
            twice = _raw(inner)[:-1] + b"," + _raw({field: inner[field]})[1:]
            assert talk.say(spliced(request, path, twice))["error"]["code"] == "ambiguous"
        odd = _raw({**inner, "\u0000odd": 1})
        if path != ("id",):
            assert talk.say(spliced(request, path, odd))["error"]["code"] in ("not-understood", "refused")
    assert shape(talk) == before


def _at(value: Any, path: tuple[Any, ...]) -> Any:
    for name in path:
        value = value[name]
    return value


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("over", [-2, -1, 0, 1, LONGEST_LINE, 10 * LONGEST_LINE])
def test_lines_near_maximum_length_get_one_answer_each(over: int, ending: bytes) -> None:
    line = b'{"do":"hello","id":"'
    line += b"x" * (LONGEST_LINE + over - len(line) - 2 - len(ending)) + b'"}' + ending
    source = io.BytesIO(b'{"do":"hello","id":1}\n' + line + (b'{"do":"hello","id":2}\n' if ending else b""))
    found = [json.loads(answer) for answer in answers(source)]
    assert len(found) == 2 + bool(ending)
    assert [answer["id"] for answer in (found[0], found[-1]) if ending] == ([1, 2] if ending else [])
    assert "ok" in found[1] if over <= 0 and (ending or over < 0) else "error" in found[1]
