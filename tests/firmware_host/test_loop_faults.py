"""A fault of the program during a call: before a commit it is a refusal and changes nothing; after one it ends the
loop, and published data can still be read.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from firmware_host.core import time_limit
from firmware_host.core.errors import UserError
from firmware_host.core.time_limit import WATCH
from firmware_host.play.resuming import resumed
from firmware_host.seats.identity import Requester
from firmware_host.table.loop import BROKEN
from firmware_host.table.table import Table
from tests.firmware_host.disks import Disk
from tests.firmware_host.evening import fresh_name
from tests.firmware_host.published import latest
from tests.firmware_host.test_loop import HERE, RANDOM, RunningTable

LONE = "\ud800"
"""Half of a UTF-16 pair: possible in JSON, but not in UTF-8."""
DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]
HOSTILE: tuple[Any, ...] = (
    LONE, "", "x" * 10_000, "\0", "\u202e", "a" + LONE, 10**400, -1, float("nan"), float("inf"), None, True, 0.5, DEEP,
    [LONE], {LONE: LONE}, {"type": LONE}, ["a1", 1, None], b"\xff", object(),
)  # fmt: skip
"""Values that JSON can bring, and some that it cannot."""


@pytest.fixture
def running(tmp_path: Path) -> Iterator[RunningTable]:
    running = RunningTable(tmp_path)
    yield running
    running.loop.stop()


def entries(running: RunningTable) -> dict[str, Callable[[Any], Any]]:
    """Return every call with a value of the caller's, by name."""
    interface, sniper, defenders = running.interface, running.keys["sniper"], running.keys["defenders"]
    requester = Requester((sniper, defenders), local=True)

    def revision(seat: str) -> int:
        return int(json.loads(latest(running.loop.followers, seat)[1])["revision"])

    def act(seat: str, action: Any, name: Any = None) -> None:
        interface.held_seat(running.keys[seat]).submit(action, revision(seat), fresh_name() if name is None else name)

    return {
        "action of the sniper": lambda it: act("sniper", it),
        "type of an action": lambda it: act("sniper", {"type": it}),
        "path of an action": lambda it: act("sniper", {"type": "move", "path": it}),
        "mark": lambda it: act("sniper", {"type": "mark", "space": it}),
        "action of the defenders": lambda it: act("defenders", {"type": "move", "unit": it, "to": it}),
        "squad of an action": lambda it: act("defenders", {"type": "ability", "squad": it}),
        "name of an act": lambda it: act("sniper", {"type": "end-turn"}, it),
        "revision": lambda it: interface.held_seat(sniper).submit({"type": "end-turn"}, it, fresh_name()),
        "key": lambda it: interface.held_seat(it).submit({"type": "end-turn"}, 1, fresh_name()),
        "id of an offer": lambda it: interface.held_seat(defenders).offer(
            it, revision("defenders"), {"choices": (interface.health()[0]["space"],)}
        ),
        "spaces of an offer": lambda it: interface.held_seat(defenders).offer(
            "s", revision("defenders"), {"choices": it}
        ),
        "space of an offer": lambda it: interface.held_seat(defenders).offer(
            "s", revision("defenders"), {"units": (it,)}
        ),
        "options": lambda it: interface.start({"options": it}, requester),
        "an option": lambda it: interface.start({"options": {"random_setup": it}}, requester),
        "name of an option": lambda it: interface.start({"options": {"loadout": [it], "x": it}}, requester),
        "map": lambda it: interface.start({"map": it, **RANDOM}, requester),
        "hint": lambda it: interface.start({"possible_hints": it, **RANDOM}, requester),
        "seat": lambda it: interface.claim(it, "2468", "a phone"),
        "device": lambda it: interface.claim("defenders", "2468", it),
        "squads": lambda it: interface.take_over("defenders", "2468", "a phone", it, share=True),
        "number instead": lambda it: interface.take_over("sniper", "wrong", "a phone", instead=it),
        "squad to lead": lambda it: interface.held_seat(defenders).assign_part(it, 0),
        "number to lead": lambda it: interface.held_seat(defenders).assign_part("red", it),
        "seat to release": lambda it: interface.release(it, HERE),
        "bot": lambda it: interface.held_seat(sniper).hand_over(it),
        "seat of a bot": lambda it: interface.seat_bot(it, "random", requester),
        "pause": lambda it: interface.pause(it, requester) if it is None else None,
        "answer": lambda it: interface.answer(it, requester),
        "manual": lambda it: interface.set_manual(it, True, requester),
        "miniature": lambda it: interface.move_miniature(it, None, requester),
        "space of a miniature": lambda it: interface.move_miniature("red-1", it, requester),
        "choice": lambda it: running.loop.call(lambda table: table.change_settings({"language": it, "palette": it})),
        "name of a choice": lambda it: running.loop.call(lambda table: table.change_settings({it: 1})),
    }


def visible_and_stored(running: RunningTable) -> list[Any]:
    """Return what everyone sees and everything in the journal, once the last turn is over."""
    running.loop.call(lambda _: None)
    running.loop.call(lambda _: None)
    tables = "SELECT name, value FROM kept", "SELECT game, hash FROM entries"
    kept, acts = running.loop.call(lambda table: [table.journal._db.execute(it).fetchall() for it in tables])
    pictures = [latest(running.loop.followers, viewer)[1] for viewer in ("sniper", "defenders", "table", "board")]
    return [pictures, json.dumps(running.interface.lobby(), default=str), sorted(kept), acts]


@pytest.mark.parametrize("playing", [False, True])
def test_no_argument_of_a_call_stops_table(running: RunningTable, playing: bool) -> None:
    if playing:
        running.begin()
    codes = set()
    for name, enter in entries(running).items():
        for value in HOSTILE:
            before = visible_and_stored(running)
            try:
                enter(value)
            except UserError as error:
                codes.add(error.code)
                if error.code == "broken":
                    assert visible_and_stored(running) == before, (name, value)
            except (TypeError, ValueError, AttributeError, OverflowError):
                pass  # the interface itself failed before it called the table
            assert not running.loop.fault, (name, value)
        assert visible_and_stored(running), name
    assert {"broken", "not-understood"} <= codes


def test_screen_id_that_cannot_be_sent_is_refused(running: RunningTable) -> None:
    running.begin()
    with pytest.raises(UserError, match="printable ASCII characters"):
        entries(running)["id of an offer"](LONE)
    entries(running)["id of an offer"]("a screen")


CALLS: dict[str, Callable[[RunningTable], Any]] = {
    "claim": lambda running: running.interface.take_over("defenders", "2468", "another", ("red",), share=True),
    "take over": lambda running: running.interface.take_over("sniper", "2468", "another"),
    "release": lambda running: running.interface.release("sniper", Requester((running.keys["sniper"],))),
    "hand over": lambda running: running.interface.held_seat(running.keys["sniper"]).hand_over("prowler"),
    "start": lambda running: running.interface.start({"map": "submarine-pens", **RANDOM}, HOLDER(running)),
    "sensors": lambda running: running.interface.use_sensors(False, HERE),
    "manual": lambda running: running.interface.set_manual(running.interface.health()[0]["space"], True, HERE),
    "choose": lambda running: running.loop.call(lambda table: table.change_settings({"brightness": 0.25})),
}
PLAYED: dict[str, Callable[[RunningTable], Any]] = {
    "act": lambda running: act_once(running, "the same act"),
    "pause": lambda running: running.interface.pause(True, HOLDER(running)),
    "abandon": lambda running: running.interface.abandon(HOLDER(running)),
}


def HOLDER(running: RunningTable) -> Requester:  # noqa: N802
    """Return a requester with the keys of the seats."""
    return Requester(tuple(running.keys.values()))


def act_once(running: RunningTable, name: str) -> None:
    """Make an act of the sniper under a name that may have been used before."""
    picture = json.loads(latest(running.loop.followers, "sniper")[1])
    running.interface.held_seat(running.keys["sniper"]).submit(picture["legal"][0], picture["revision"], name)


@pytest.mark.parametrize("call", [*CALLS, *PLAYED])
def test_fault_during_writing_changes_nothing_and_call_can_be_repeated(running: RunningTable, call: str) -> None:
    disk = running.loop.call(lambda table: Disk(table.journal))
    if call in PLAYED:
        running.begin()
    before = visible_and_stored(running)
    for where in ("BEGIN", "INSERT", "COMMIT"):

        def fail(statement: str, where: str = where) -> None:
            if statement.startswith(where):
                raise RuntimeError(LONE)

        disk.before = fail
        with pytest.raises(UserError) as refused:
            {**CALLS, **PLAYED}[call](running)
        assert (refused.value.code, refused.value.sentence) == ("broken", BROKEN), where
        assert visible_and_stored(running) == before, where
    disk.before = lambda statement: None
    {**CALLS, **PLAYED}[call](running)
    assert visible_and_stored(running) != before


def test_fault_just_after_commit_is_not_reported_as_unchanged(running: RunningTable) -> None:
    disk = running.loop.call(lambda table: Disk(table.journal))
    running.begin()

    def fail(statement: str) -> None:
        if statement == "COMMIT":
            raise MemoryError

    disk.after = fail
    with pytest.raises(UserError, match="stopped because of a fault"):
        act_once(running, "written and not answered")
    running.loop.thread.join(10)
    assert not running.loop.thread.is_alive()
    assert running.loop.fault


def test_fault_after_commit_ends_loop_but_published_data_is_readable(running: RunningTable) -> None:
    running.begin()
    front, health = running.interface.lobby(), running.interface.health()

    def half(table: Any) -> None:
        table.journal.store_value("half", "done")
        raise RuntimeError

    with pytest.raises(UserError, match="stopped because of a fault"):
        running.loop.call(half)
    running.loop.thread.join(10)
    assert running.loop.fault
    assert running.interface.lobby() == front
    assert running.interface.health() == health
    assert running.interface.admin.default_language() == ""
    assert running.interface.holder(running.keys["sniper"]) is not None
    assert running.interface.past.listed() is not None
    with pytest.raises(UserError, match="has stopped"):
        running.interface.use_sensors(True, HERE)
    assert len(running.rests) <= 1


class Clock:
    """The module `time` with a clock that a test moves ahead."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def monotonic(self) -> float:
        return time.monotonic() + self.ahead

    def __getattr__(self, name: str) -> Any:
        return getattr(time, name)


def test_slow_disk_does_not_use_up_time_of_game(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A sync of 12 seconds closed the running game for good, because its next call in that turn came too late."""
    running.begin()
    clock, disk = Clock(), running.loop.call(lambda table: Disk(table.journal))
    monkeypatch.setattr(time_limit, "time", clock)

    def after(statement: str) -> None:
        clock.ahead += 60.0 * (statement == "COMMIT")

    disk.after = after
    running.sniper("choose-entry")
    assert clock.ahead
    assert running.interface.lobby()["stage"] == "playing"


def test_journal_is_read_outside_of_calls_of_game(running: RunningTable) -> None:
    """A disk that takes 40 s at a start would close the running game for good."""
    running.begin()
    watched = list[bool]()

    def resume(table: Table) -> object:
        Disk(table.journal).before = lambda _: watched.append(WATCH.watching)
        return resumed(table.journal, Chance(Random(1)))[0]

    assert running.loop.call(resume) is not None
    assert watched
    assert not any(watched)
