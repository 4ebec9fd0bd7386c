"""Two whole tables whose games differ only in secrets, with the same public acts: they send out the same data.

The longhand rules (`tests/games/sniper_elite/longhand`) say what the public learns of an act. What the snipers do in
secret differs, or one of them does nothing. The tests compare answers to strangers (head, size, body), streams with
their numbers, lamps and sounds with their times, MQTT messages, logs of every level, files next to the journal, and
what the system shows of the process.
"""

from __future__ import annotations

import logging
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.refusal import Refused, RuleError
from firmware_host.core import maps
from firmware_host.records.journal import FILE
from games.sniper_elite import GAME
from tests.depth import DEPTH, seeds
from tests.firmware_host.evening import fresh_name
from tests.games.sniper_elite.longhand.menu import Act
from tests.games.sniper_elite.test_longhand import Both
from tests.games.sniper_elite.test_twins import DONE, IDLE, Twins, World, exchanged, luck
from tests.secrecy.stack import Logs, Stack

RARE = {"defenders save"}
"""Kinds that are rare here even with a large DEPTH; `test_twins.py` covers them on a smaller map."""
STEPS = 6 if DEPTH == 1 else 12
PAGES = (
    "/",
    "/table",
    "/board",
    "/health",
    "/sniper",
    "/defenders",
    "/nothing-here",
    "/metrics",
    "/worker.js",
    "/qr.svg",
)
FETCHED = (
    *("/api/lobby", "/api/health", "/api/picture/table", "/api/picture/board", "/api/picture/defenders"),
    *("/api/picture/sniper", "/api/picture/referee", "/api/stream/sniper", "/api/games", "/api/journal"),
)
BAD: tuple[tuple[str, str, Any], ...] = (
    ("POST", "/api/act", {"seat": "sniper", "action": {"type": "end-turn"}, "revision": 1, "id": "forged"}),
    ("POST", "/api/act", {"seat": "defenders", "action": {"type": "take-back"}, "revision": 1, "id": "late"}),
    ("POST", "/api/act", {"seat": "defenders", "action": {"type": "play", "card": "s-mine"}}),
    ("POST", "/api/act", b"{"),
    ("POST", "/api/release", {"seat": "sniper"}),
    ("POST", "/api/claim", {"seat": "sniper", "pin": "1357", "device": "Eve's phone"}),
    ("POST", "/api/start", {"map": "launch-facility"}),
    ("PUT", "/api/act", None),
)


class Tables:
    """The twins' tables, each with what was logged while it was used."""

    def __init__(self, folder: Path, name: str) -> None:
        self.stacks = []
        for number in ("one", "other"):
            (folder / number).mkdir()
            self.stacks.append(Stack(folder / number, maps.load(name)))
        self.logs = [Logs(), Logs()]
        for stack in self.stacks:
            stack.follow()
        self.process = process()
        self.compare()
        for stack in self.stacks:
            stack.forget()

    def each(self) -> Iterator[tuple[int, Stack]]:
        """Yield one table after the other while recording its logs."""
        for number, stack in enumerate(self.stacks):
            with recorded_logs(self.logs[number]):
                yield number, stack

    def compare(self) -> None:
        """Check that strangers cannot tell the tables apart by what they received."""
        for name, what in CHANNELS.items():
            one, other = map(what, self.stacks)
            assert one == other, name
        for one, other in zip(*map(Stack.streamed, self.stacks), strict=True):
            # One stream may have skipped a picture that the other brought.
            assert one == other or not (one and other), "streams"
        assert self.logs[0].records == self.logs[1].records
        assert process() == self.process

    def ask(self, method: str, path: str, body: Any = None) -> None:
        """Ask both tables as a stranger and as the defenders, and check that the answers are identical."""
        for seat in (None, "defenders"):
            answers = [stack.asks(method, path, body, seat) for _, stack in self.each()]
            assert answers[0] == answers[1], (method, path, seat)

    def stop(self) -> None:
        for stack in self.stacks:
            stack.stop()


CHANNELS: dict[str, Callable[[Stack], list[Any]]] = {
    "pictures and their numbers": Stack.numbered,
    "lamps": lambda stack: stack.frames,
    "sounds": lambda stack: stack.sounds,
    "files": lambda stack: files(stack),
    "mqtt": lambda stack: stack.mqtt.sent,
}


@contextmanager
def recorded_logs(logs: Logs) -> Iterator[None]:
    """Record everything that is logged."""
    root, level = logging.getLogger(), logging.getLogger().level
    root.addHandler(logs)
    root.setLevel(logging.NOTSET)
    try:
        yield
    finally:
        root.removeHandler(logs)
        root.setLevel(level)


def files(stack: Stack) -> list[tuple[str, int, bytes]]:
    """Return names, permissions and contents of the files in the state folder; of the journal only that it exists."""
    found = sorted(stack.state.rglob("*"))
    kept = [(path.name, path.stat().st_mode, path) for path in found if path.is_file()]
    return [(name, mode, b"" if name.startswith(FILE) else path.read_bytes()) for name, mode, path in kept]


def process() -> list[str]:
    """Return what any account can see of the process: its title and the names of its permanent threads."""
    title = [Path(f"/proc/self/{name}").read_text() for name in ("comm", "cmdline")] if sys.platform == "linux" else []
    lasting = {thread.name for thread in threading.enumerate() if not thread.name.startswith("Thread-")}
    return [*title, *sorted(lasting)]


class Whole(Twins):
    """Twins whose acts are also made at whole tables."""

    def __init__(self, tables: Tables, both: Both, raws: tuple[Any, Any], random: Random) -> None:
        """Raise `Refused` where the other secrets make no possible position."""
        self.tables = tables
        super().__init__(World(both.house, raws[0]), World(both.house, raws[1]), random)
        for number, stack in tables.each():
            stack.place(both.house.options, raws[number])
            stack.forget()
        tables.compare()

    def both(self, seat: str, acts: tuple[Act, Act], row: list[str]) -> None:
        """Let each table's seat act, then let strangers fetch pictures and try forbidden requests."""
        befores = [(world.s, self.public_events(world)) for world in self.worlds]
        super().both(seat, acts, row)
        quiet = self.public_events(self.worlds[0]) == befores[0][1]
        noticed = [noticeable(stack) for stack in self.tables.stacks]
        for number, stack in self.tables.each():
            if acts[number] != IDLE:
                stack.force(luck(befores[number][0], acts[number], row).items())
                stack.acts(seat, acts[number])
                self.step_back(stack, acts[number])
        self.tables.compare()
        if quiet:
            assert noticed == [noticeable(stack) for stack in self.tables.stacks]
            self.seen["quiet"] += 1
        self.try_some()
        for _, stack in self.tables.each():
            if not quiet:
                stack.carry()
            stack.forget()
        self.tables.compare()

    def public_events(self, world: World) -> int:
        """Return the number of events that everyone got."""
        return len(world.referee.told["table"])

    def step_back(self, stack: Stack, act: Act) -> None:
        """Sometimes let a sniper take a step back and repeat it, which must stay unnoticed."""
        if stack.picture("sniper").get("undo") and Random(repr(act)).random() < 0.5:
            stack.acts("sniper", {"type": "take-back"})
            stack.acts("sniper", act)
            self.seen["stepped back"] += 1

    def try_some(self) -> None:
        """Fetch what strangers may fetch, and try what they are refused."""
        pick = self.random.choice
        self.tables.ask("GET", pick(PAGES + FETCHED))
        probe = self.probe()
        if refused(self.worlds[0], probe):
            shown = self.tables.stacks[0].picture("defenders")["revision"]
            act = {"seat": "defenders", "action": msgspec.to_builtins(probe), "revision": shown, "id": fresh_name()}
            self.tables.ask("POST", "/api/act", act)
            self.seen["refused"] += 1


def noticeable(stack: Stack) -> list[Any]:
    """Return everything that would have woken a client."""
    return [stack.numbered(), len(stack.frames), len(stack.sounds), len(stack.mqtt.sent)]


def refused(world: World, probe: Any) -> bool:
    try:
        GAME.check(world.referee.pictures["defenders"], "defenders", probe)
    except RuleError:
        return True
    return False


@pytest.mark.parametrize("name", ["launch-facility", pytest.param("submarine-pens", marks=pytest.mark.nightly)])
def test_nothing_leaving_the_table_depends_on_a_secret(name: str, tmp_path: Path) -> None:
    tables, seen, pairs = Tables(tmp_path, name), Counter[str](), 0
    try:
        for seed in seeds(5):
            random = Random(f"channels {name} {seed}")
            both = Both(name, seed, scattered=seed % 4 > 0)
            for _ in range(random.randrange(4 if seed % 4 else 60)):
                if both.play.referee.to_act:
                    both.play.step()
            if (raws := exchanged(both, random)) is None:
                continue
            with suppress(Refused):
                pair = Whole(tables, both, raws, random)
                pairs += 1
                for _ in range(STEPS):
                    if not pair.step():
                        break
                seen += pair.seen
        for path in (*PAGES, *FETCHED):
            tables.ask("GET", path)
        tables.ask("HEAD", "/api/picture/defenders")
        for bad in BAD:
            tables.ask(*bad)
    finally:
        tables.stop()
    assert pairs > 1
    assert seen["quiet"]
    assert seen["refused"]
    assert DEPTH < 30 or {*seen} >= DONE - RARE, DONE - {*seen}
