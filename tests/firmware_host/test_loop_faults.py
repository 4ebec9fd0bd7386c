"""A fault of our own while a call is worked on: before a commit it is a refusal and changes nothing; after one it ends
the loop, and what was laid out can still be read.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from firmware_host.table.interface import Asker, UserError
from firmware_host.table.loop import BROKEN
from tests.firmware_host.disks import Disk
from tests.firmware_host.evening import fresh_name
from tests.firmware_host.test_loop import HERE, RANDOM, House

LONE = "\ud800"
"""Half of a pair of UTF-16: JSON can say it, and UTF-8 cannot."""
DEEP: Any = []
for _ in range(400):
    DEEP = [DEEP]
HOSTILE: tuple[Any, ...] = (
    LONE, "", "x" * 10_000, "\0", "\u202e", "a" + LONE, 10**400, -1, float("nan"), float("inf"), None, True, 0.5, DEEP,
    [LONE], {LONE: LONE}, {"type": LONE}, ["a1", 1, None], b"\xff", object(),
)  # fmt: skip
"""What JSON can bring, and what it cannot."""


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    running = House(tmp_path)
    yield running
    running.loop.stop()


def entries(house: House) -> dict[str, Callable[[Any], Any]]:
    """Every way in with a value of the caller's, by name."""
    door, sniper, defenders = house.door, house.keys["sniper"], house.keys["defenders"]
    asker = Asker((sniper, defenders), here=True)

    def revision(seat: str) -> int:
        return int(json.loads(door.picture(seat, str))["revision"])

    def act(seat: str, action: Any, name: Any = None) -> None:
        door.submit(house.keys[seat], action, revision(seat), fresh_name() if name is None else name)

    return {
        "action of the sniper": lambda it: act("sniper", it),
        "type of an action": lambda it: act("sniper", {"type": it}),
        "path of an action": lambda it: act("sniper", {"type": "move", "path": it}),
        "mark": lambda it: act("sniper", {"type": "mark", "space": it}),
        "action of the defenders": lambda it: act("defenders", {"type": "move", "unit": it, "to": it}),
        "squad of an action": lambda it: act("defenders", {"type": "ability", "squad": it}),
        "name of an act": lambda it: act("sniper", {"type": "end-turn"}, it),
        "revision": lambda it: door.submit(sniper, {"type": "end-turn"}, it, fresh_name()),
        "key": lambda it: door.submit(it, {"type": "end-turn"}, 1, fresh_name()),
        "id of an offer": lambda it: door.offer(
            defenders, it, revision("defenders"), {"choices": (door.health()[0]["space"],)}
        ),
        "spaces of an offer": lambda it: door.offer(defenders, "s", revision("defenders"), {"choices": it}),
        "space of an offer": lambda it: door.offer(defenders, "s", revision("defenders"), {"units": (it,)}),
        "options": lambda it: door.start({"options": it}, asker),
        "an option": lambda it: door.start({"options": {"random_setup": it}}, asker),
        "name of an option": lambda it: door.start({"options": {"loadout": [it], "x": it}}, asker),
        "map": lambda it: door.start({"map": it, **RANDOM}, asker),
        "hint": lambda it: door.start({"possible_hints": it, **RANDOM}, asker),
        "seat": lambda it: door.claim(it, "2468", "a phone"),
        "device": lambda it: door.claim("defenders", "2468", it),
        "squads": lambda it: door.take_over("defenders", "2468", "a phone", it, share=True),
        "number instead": lambda it: door.take_over("sniper", "wrong", "a phone", instead=it),
        "squad to lead": lambda it: door.lead(defenders, it, 0),
        "number to lead": lambda it: door.lead(defenders, "red", it),
        "seat to release": lambda it: door.release(it, HERE),
        "bot": lambda it: door.hand_over(sniper, it),
        "seat of a bot": lambda it: door.seat_bot(it, "random", asker),
        "pause": lambda it: door.pause(it, asker) if it is None else None,
        "answer": lambda it: door.answer(it, asker),
        "manual": lambda it: door.set_manual(it, True, asker),
        "miniature": lambda it: door.touch(it, None, asker),
        "space of a miniature": lambda it: door.touch("red-1", it, asker),
        "choice": lambda it: house.loop.ask(lambda table: table.choose({"language": it, "palette": it})),
        "name of a choice": lambda it: house.loop.ask(lambda table: table.choose({it: 1})),
    }


def told(house: House) -> list[Any]:
    """What everybody is shown and all that the journal keeps, once the last turn is over."""
    house.loop.ask(lambda _: None)
    house.loop.ask(lambda _: None)
    kept = house.loop.ask(lambda table: table.journal._db.execute("SELECT name, value FROM kept").fetchall())
    acts = house.loop.ask(lambda table: table.journal._db.execute("SELECT game, hash FROM entries").fetchall())
    pictures = [house.door.picture(viewer, str) for viewer in ("sniper", "defenders", "table", "board")]
    return [pictures, json.dumps(house.door.lobby(), default=str), sorted(kept), acts]


@pytest.mark.parametrize("playing", [False, True])
def test_no_value_that_anybody_sends_ends_the_table(house: House, playing: bool) -> None:
    if playing:
        house.begin()
    codes = set()
    for name, enter in entries(house).items():
        for value in HOSTILE:
            before = told(house)
            try:
                enter(value)
            except UserError as slip:
                codes.add(slip.code)
                if slip.code == "broken":
                    assert told(house) == before, (name, value)
            except (TypeError, ValueError, AttributeError, OverflowError):
                pass  # the door itself: it fell over before anybody asked the table
            assert told(house), (name, value)
            assert not house.loop.failed, (name, value)
    assert {"broken", "not-understood"} <= codes


def test_a_screens_id_that_cannot_be_sent_is_refused(house: House) -> None:
    house.begin()
    with pytest.raises(UserError, match="plain characters"):
        entries(house)["id of an offer"](LONE)
    entries(house)["id of an offer"]("a screen")


WISHES: dict[str, Callable[[House], Any]] = {
    "claim": lambda house: house.door.take_over("defenders", "2468", "another", ("red",), share=True),
    "take over": lambda house: house.door.take_over("sniper", "2468", "another"),
    "release": lambda house: house.door.release("sniper", Asker((house.keys["sniper"],))),
    "hand over": lambda house: house.door.hand_over(house.keys["sniper"], "prowler"),
    "start": lambda house: house.door.start({"map": "submarine-pens", **RANDOM}, HOLDER(house)),
    "heed": lambda house: house.door.heed(False, HERE),
    "manual": lambda house: house.door.set_manual(house.door.health()[0]["space"], True, HERE),
    "choose": lambda house: house.loop.ask(lambda table: table.choose({"brightness": 0.25})),
}
PLAYED: dict[str, Callable[[House], Any]] = {
    "act": lambda house: act_once(house, "the same act"),
    "pause": lambda house: house.door.pause(True, HOLDER(house)),
    "abandon": lambda house: house.door.abandon(HOLDER(house)),
}


def HOLDER(house: House) -> Asker:  # noqa: N802
    """Whoever holds the seats."""
    return Asker(tuple(house.keys.values()))


def act_once(house: House, name: str) -> None:
    """The sniper acts under a name that may have been used before."""
    picture = json.loads(house.door.picture("sniper", str))
    house.door.submit(house.keys["sniper"], picture["legal"][0], picture["revision"], name)


@pytest.mark.parametrize("wish", [*WISHES, *PLAYED])
@pytest.mark.parametrize("where", ["BEGIN", "INSERT", "COMMIT"])
def test_a_fault_while_it_is_written_changes_nothing_and_the_same_wish_is_granted_later(
    house: House, wish: str, where: str
) -> None:
    disk = house.loop.ask(lambda table: Disk(table.journal))
    if wish in PLAYED:
        house.begin()
    before = told(house)

    def fail(statement: str) -> None:
        if statement.startswith(where):
            raise RuntimeError(LONE)

    disk.before = fail
    with pytest.raises(UserError) as refused:
        {**WISHES, **PLAYED}[wish](house)
    assert (refused.value.code, refused.value.sentence) == ("broken", BROKEN)
    assert told(house) == before
    disk.before = lambda statement: None
    {**WISHES, **PLAYED}[wish](house)
    assert told(house) != before


def test_a_fault_in_the_moment_after_a_commit_does_not_pass_for_nothing_done(house: House) -> None:
    disk = house.loop.ask(lambda table: Disk(table.journal))
    house.begin()

    def fail(statement: str) -> None:
        if statement == "COMMIT":
            raise MemoryError

    disk.after = fail
    with pytest.raises(UserError, match="stopped because of a fault"):
        act_once(house, "written and not answered")
    assert house.loop.join(10)
    assert house.loop.failed


def test_a_fault_after_a_commit_ends_the_loop_and_what_was_laid_out_can_still_be_read(house: House) -> None:
    house.begin()
    front, health = house.door.lobby(), house.door.health()

    def half(table: Any) -> None:
        table.journal.keep("half", "done")
        raise RuntimeError

    with pytest.raises(UserError, match="stopped because of a fault"):
        house.loop.ask(half)
    house.loop.join(10)
    assert house.loop.failed
    assert house.door.lobby() == front
    assert house.door.health() == health
    assert house.door.house_language() == ""
    assert house.door.holder(house.keys["sniper"]) is not None
    assert house.door.games() is not None
    with pytest.raises(UserError, match="has stopped"):
        house.door.heed(True, HERE)
    assert len(house.rests) <= 1
