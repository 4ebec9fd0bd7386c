"""What a call of the interface waits for is said at its definition, and is so."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import pin as pins
from firmware_host.admin.access import AdminAccess
from firmware_host.admin.page import AdminPage
from firmware_host.api.admin import AdminInterface
from firmware_host.api.board import BoardInterface
from firmware_host.api.calls import KINDS, CallKind
from firmware_host.api.held_seat import HeldSeat
from firmware_host.api.interface import TableInterface
from firmware_host.api.lessons import LessonInterface
from firmware_host.api.past_games import PastInterface
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import Logbook
from firmware_host.core.settings import settle
from firmware_host.seats.identity import Requester
from firmware_host.table.table import Table
from tests.firmware_host.test_loop import HERE, RunningTable

PIN = "135790"
CLASSES = (TableInterface, AdminInterface, BoardInterface, PastInterface, LessonInterface, HeldSeat)


class Caller:
    """Somebody at a table with an admin page, who has signed in and holds a seat."""

    def __init__(self, running: RunningTable, folder: Path) -> None:
        pins.write(folder, PIN)
        page = AdminPage(settle({"state": str(folder)}), Logbook(), network=lambda: None)
        self.running = running
        self.interface = TableInterface(running.loop, AdminAccess(folder, running.clock), page)
        self.seat = self.interface.held_seat(running.keys["sniper"])
        self.requester = Requester((running.keys["sniper"],), self.interface.admin.sign_in(PIN, HERE), local=True)

    def part(self, of: type) -> object:
        """The part of the interface that is of a class."""
        table = self.interface
        parts = (table, table.admin, table.board, table.past, table.lessons, self.seat)
        return next(part for part in parts if type(part) is of)

    def arguments(self, of: type, name: str) -> tuple[Any, ...]:
        """What a method that does not wait for the loop is called with."""
        if of is HeldSeat and name in ("picture", "follow", "read"):
            return (str,)
        if of is PastInterface and name in ("history", "steps"):
            return (1, str) if name == "history" else (1, 0, str)
        known: dict[str, tuple[Any, ...]] = {
            "picture": ("table", str),
            "follow": ("table", str),
            "holder": (self.running.keys["sniper"],),
            "lane": (self.requester,),
            "stored": (self.requester,),
            "held_seat": (self.running.keys["sniper"],),
            "map_svg": ("launch-facility",),
            "rules": ("en",),
            "facts": ("sniper-elite", "sniper"),
            "play": ("sniper-elite", "sniper", [], str),
            "sign_in": (PIN, self.requester),
            "sign_out": (HERE,),
            "change_pin": (PIN, "246802", self.requester),
            "keep_draft": ("1", {}),
            "shut_down": (False, self.requester),
        }
        return (1,) if name in ("game", "history", "export_record", "score", "ending") else known.get(name, ())


@pytest.fixture
def caller(tmp_path: Path) -> Iterator[Caller]:
    running = RunningTable(tmp_path)
    yield Caller(running, tmp_path)
    running.loop.stop()


@contextmanager
def busy(running: RunningTable) -> Iterator[None]:
    """The loop does nothing else until this ends, however long that takes."""
    begun, done = threading.Event(), threading.Event()

    def hold(_: Table) -> None:
        begun.set()
        done.wait()

    def ask() -> None:
        with suppress(UserError):  # the caller's patience may end before the test does
            running.loop.call(hold)

    thread = threading.Thread(target=ask)
    thread.start()
    begun.wait()
    try:
        yield
    finally:
        done.set()
        thread.join()


def methods(of: type) -> dict[str, Callable[..., Any]]:
    """The public methods that a class defines."""
    return {name: it for name, it in vars(of).items() if callable(it) and not name.startswith("_")}


def all_of(*kinds: CallKind) -> Iterator[tuple[type, str]]:
    for one in CLASSES:
        yield from ((one, name) for name, method in methods(one).items() if KINDS.get(method) in kinds)


def test_every_method_says_what_it_waits_for() -> None:
    silent = [f"{one.__name__}.{name}" for one in CLASSES for name, it in methods(one).items() if it not in KINDS]
    assert silent == []
    assert set(KINDS.values()) == set(CallKind)


def test_a_call_that_does_not_go_through_the_loop_is_answered_while_the_loop_is_busy(caller: Caller) -> None:
    asked = [*all_of(CallKind.SNAPSHOT, CallKind.BESIDE_LOOP)]
    assert len(asked) >= 15
    with busy(caller.running):
        for one, name in asked:
            try:
                getattr(caller.part(one), name)(*caller.arguments(one, name))
            except UserError as error:
                # No game was ever played here, and once the PIN is changed another key is wanted.
                assert error.code in ("not-found", "no-house"), (one, name, error.sentence)


def test_what_was_laid_out_can_be_read_when_the_loop_has_ended(caller: Caller) -> None:
    caller.running.loop.stop()
    for one, name in all_of(CallKind.SNAPSHOT):
        getattr(caller.part(one), name)(*caller.arguments(one, name))
    assert not caller.interface.alive()
    with pytest.raises(UserError, match="has stopped"):
        caller.interface.pause(True, caller.requester)
