"""A real table on a disk whose syncs take 38 to 130 ms: its response times do not reveal the sniper's acts.

The opponent sends requests at every gate at once while an answer is timed: from the phone with the defenders' key, with
the admin key, and as strangers from other addresses. In the last test it shares the sniper's address.
"""

from __future__ import annotations

import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from tests.drill.disk import LATE, Disk, needs_compiler
from tests.drill.evening import Drill
from tests.drill.nursery import Nursery
from tests.drill.screens import Client, Gone, Stream
from tests.firmware_host.test_pace import bound, likelihood

TRIALS = int(os.environ.get("DRILL_KILLS", "0")) // 10
"""Measurements of each kind."""
SLOWEST = 0.13
"""The longest time of such a sync, in seconds."""
MAP = "launch-facility"
SHARED, ELSEWHERE, STRANGERS = "127.0.1.1", "127.0.1.2", [f"127.0.2.{number}" for number in range(1, 5)]
ADMIN_PIN = "135790"
HELD_ACTS = 11
"""Simultaneous acts of the defenders' phone: more than its lane queues."""

Command = tuple[Client, Callable[[Client], object]]
"""A phone, and its request."""

pytestmark = [
    pytest.mark.true_hashes,  # the table is another process
    needs_compiler,
    pytest.mark.true_hashes,
    pytest.mark.skipif(
        TRIALS < 20, reason="takes minutes, because a few trials prove nothing: `make drill`, `make nightly`"
    ),
]


class Room:
    """A table on a slow disk, the sniper's phone, and the phones of an opponent."""

    def __init__(self, drill: Drill) -> None:
        self._phones: list[Client] = []
        pins.write_pin(drill.state, ADMIN_PIN)
        assert drill.ready(drill.start())
        self.port, self.turn = drill.client.port, 0
        self.sniper, self.defenders, self.admin = (self.phone(at) for at in (SHARED, ELSEWHERE, ELSEWHERE))
        self.sniper.claim("sniper")
        self.defenders.claim("defenders")
        assert self.admin.post("/api/house/enter", pin=ADMIN_PIN)["ok"]
        for path, body in (("heed", {"heeding": False}), ("start", {"map": MAP, "options": {"random_setup": True}})):
            answer = self.defenders.post(f"/api/{path}", **body)
            assert answer["ok"], answer
        # The sniper returns objectives of one suit before it enters.
        while "return-objective" in (offered := self._offered()):
            self._act(offered["return-objective"])
        self.space = self.defenders.get("/api/health")["sensors"][0]["space"]

    def phone(self, address: str, keys: dict[str, str] | None = None) -> Client:
        """Return a phone that is connected to the table."""
        found = Client(address)
        self._phones.append(found)
        found.reach(self.port)
        found.keys = keys or {}
        return found

    def leave(self) -> None:
        """Disconnect all phones."""
        for phone in self._phones:
            phone.leave()

    def act(self) -> None:
        """Make a secret act of the sniper."""
        self._act(self._offered().get("choose-entry", {"type": "take-back"}))

    def _offered(self) -> dict[str, dict[str, Any]]:
        """Return an act of each type that the sniper can make now."""
        picture = self.sniper.get("/api/picture/sniper")
        self._revision = picture["revision"]
        return {action["type"]: action for action in picture["legal"]}

    def _act(self, action: dict[str, Any]) -> None:
        name = f"act-{time.perf_counter_ns()}"
        answer = self.sniper.post("/api/act", seat="sniper", action=action, revision=self._revision, id=name)
        assert answer["ok"], answer

    def set_manual(self) -> None:
        """Turn a sensor on or off, as the defenders."""
        self.turn += 1
        assert self.defenders.post("/api/manual", space=self.space, manual=self.turn % 2 == 0)["ok"]

    @contextmanager
    def requests_held(self) -> Iterator[None]:
        """Keep the opponent's requests waiting at every gate, and streams open, within the block."""
        end = threading.Event()

        def asks(phone: Client, ask: Callable[[Client], dict[str, Any]]) -> None:
            while not end.is_set():
                try:
                    ask(phone)
                except Gone:
                    phone.reach(self.port)
                end.wait(0.05)  # a client that is refused at once would only be busy

        commands: list[tuple[Client, Callable[[Client], dict[str, Any]]]] = []
        claim = {"seat": "sniper", "pin": "1234", "device": "Eve"}
        for number in range(HELD_ACTS):
            phone = self.phone(ELSEWHERE, self.defenders.keys)
            if number % 3:
                commands.append((phone, lambda phone: phone.post("/api/lead", squad="red", number=0)))
            else:
                commands.append((phone, lambda phone: phone.post("/api/claim", **claim)))
        for _ in range(2):
            commands.append((self.phone(ELSEWHERE, self.admin.keys), lambda phone: phone.get("/api/house")))
        for address in STRANGERS:
            again = {"seat": "sniper", "pin": "0000", "device": "Eve"}
            commands.append((self.phone(address), lambda phone, again=again: phone.post("/api/take-over", **again)))
            commands.append((self.phone(address), lambda phone: phone.post("/api/heed", heeding=True)))
            commands.append((self.phone(address), lambda phone: phone.get("/api/games")))
        threads = [threading.Thread(target=asks, args=command) for command in commands]
        with ExitStack() as streams:
            for phone in (self.admin, *(self.phone(address) for address in STRANGERS)):
                streams.callback(Stream(phone, "table").close)
            for thread in threads:
                thread.start()
            yield
            end.set()
            for thread in threads:
                thread.join(120)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    disk = Disk(tmp_path, tmp_path / "state")
    disk.goes(LATE)
    nursery = Nursery(disk.environment)
    (tmp_path / "state").mkdir()
    drill = Drill(tmp_path, nursery, 5)
    found = Room(drill)
    yield found
    found.leave()
    drill.client.leave()
    drill.close()
    nursery.close()


def timed(phone: Client, ask: Callable[[Client], object]) -> float:
    """Return how long it takes, in seconds. A phone with many connections may lose this one and asks again."""
    while True:
        began = time.perf_counter()
        try:
            ask(phone)
        except Gone:
            phone.reach(phone.port)
        else:
            return time.perf_counter() - began


def compare(name: str, room: Room, measure: Callable[[], float]) -> None:
    """Measure while the sniper acts and while nothing happens; the distributions must not differ."""
    random, acting, quiet = Random(7), list[float](), list[float]()
    for _ in range(TRIALS):
        sniper = threading.Thread(target=room.act)
        sniper.start()
        time.sleep(random.uniform(0, SLOWEST))
        acting.append(measure())
        sniper.join(30)
        time.sleep(random.uniform(0, SLOWEST))
        quiet.append(measure())
    found, most, spread = likelihood(acting, quiet), bound(TRIALS, TRIALS), 1.96 * math.sqrt((2 * TRIALS + 1) / 12)
    low, high = found - spread / TRIALS, found + spread / TRIALS
    middle = sorted(acting + quiet)[TRIALS]
    print(f"{name}: AUC {found:.3f} ({low:.3f} to {high:.3f}, n = {TRIALS} of each), median {1000 * middle:.0f} ms")
    assert abs(found - 0.5) <= most, name


@pytest.mark.long
def test_slow_disk_answers_do_not_reveal_the_snipers_acts(room: Room) -> None:
    commands: dict[str, Command] = {
        "lead": (room.defenders, lambda phone: phone.post("/api/lead", squad="red", number=0)),
        "health": (room.defenders, lambda phone: phone.get("/api/health")),
        "manual": (room.defenders, lambda _: room.set_manual()),
        "admin": (room.admin, lambda phone: phone.get("/api/house")),
    }
    for name, command in commands.items():
        compare(name, room, lambda command=command: timed(*command))  # type: ignore[misc]


@pytest.mark.long
def test_answers_reveal_nothing_with_requests_held_at_every_gate(room: Room) -> None:
    stranger = room.phone(STRANGERS[0])
    commands: dict[str, Command] = {
        "own picture": (room.defenders, lambda phone: phone.get("/api/picture/defenders")),
        "lobby": (stranger, lambda phone: phone.get("/api/lobby")),
        "health as admin": (room.admin, lambda phone: phone.get("/api/health")),
        "claim": (stranger, lambda phone: phone.post("/api/claim", seat="sniper", pin="1234", device="Eve")),
    }
    with room.requests_held():
        for name, command in commands.items():
            compare(f"held, {name}", room, lambda command=command: timed(*command))  # type: ignore[misc]


@pytest.mark.long
def test_refusals_do_not_count_the_snipers_requests_at_same_address(room: Room) -> None:
    """The opponent's phone uses up its rate limit, waits for a second, and counts what is answered then."""
    eve, window = room.phone(SHARED), 0.5

    def answered() -> int:
        return next(number for number in range(1000) if eve.get("/api/nothing")["error"]["code"] == "too-often")

    def count(act: bool) -> float:
        answered()
        end = time.monotonic() + window
        if act:
            room.act()
        time.sleep(max(0.0, end - time.monotonic()))
        waited = window + time.monotonic() - end
        return answered() / waited

    acting, quiet = zip(*((count(True), count(False)) for _ in range(TRIALS)), strict=True)
    found, spread = likelihood(acting, quiet), 1.96 * math.sqrt((2 * TRIALS + 1) / 12) / TRIALS
    print(f"refusals: AUC {found:.3f} ({found - spread:.3f} to {found + spread:.3f}, n = {TRIALS} of each)")
    assert abs(found - 0.5) <= bound(TRIALS, TRIALS)
