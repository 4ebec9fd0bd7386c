"""Hardware that is switched on after the table is used, as soon as it is there."""

from __future__ import annotations

import queue
import socket
import threading
import time
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from firmware_host.board import late
from firmware_host.board.board_io import BoardIO, open_board
from firmware_host.board.late import LateBoard
from firmware_host.core import maps
from firmware_host.core.settings import settle
from hardware.drivers import DriverContext, OpenedParts, wled
from hardware.drivers._scanning import ScannedSensors
from hardware.ports import DARK, BoardEnded, DriverStatus, Edge, HardwareFault, Note
from tests.hardware.model.wled import EFFECT, WledController
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Try again without a pause."""
    monkeypatch.setattr(late, "RETRY_SECONDS", 0.01)


class Modules:
    """Two sensors, the first of which is down (`_scanning.Scanner`). They can be opened while `there` is set."""

    doubt: str | None = None

    def __init__(self) -> None:
        self.there, self.tried, self.closed = threading.Event(), threading.Event(), threading.Event()

    def opened(self) -> Modules:
        """Open them. Raises `HardwareFault`."""
        self.tried.set()
        if not self.there.is_set():
            raise HardwareFault("No module answers.")
        return self

    def read(self) -> int:
        return 1

    def close(self) -> None:
        self.closed.set()


@pytest.fixture
def modules() -> Modules:
    return Modules()


def late_board(modules: Modules, folder: Path, states: queue.SimpleQueue[str | None]) -> LateBoard:
    context = DriverContext(2, time.monotonic, states.put, folder)

    def opened() -> OpenedParts:
        return OpenedParts(sensors=ScannedSensors(modules.opened, context, 1000), about=lambda: "two sensors")

    return LateBoard(2, opened, states.put, "No module answers.")


def board_with_lamps(folder: Path, **wled: object) -> tuple[BoardIO, queue.SimpleQueue[Note]]:
    """Return a board whose lamps are those of a controller, and the notes of its drivers."""
    settings, notes = settle({"lamps": "wled", "wled": wled}), queue.SimpleQueue[Note]()
    return open_board(settings, maps.load(settings.map), folder, time.monotonic, notes.put), notes


def test_lamps_that_are_switched_on_later_show_the_picture(tmp_path: Path) -> None:
    off = WledController(1)
    off.close()
    pictures, pages = off.ports
    board, notes = board_with_lamps(tmp_path, host="127.0.0.1", port=pictures, http_port=pages)
    board.open()
    board.feed(notes.get(timeout=PATIENCE))
    (sentence,) = board.faults
    assert "no WLED controller answers" in sentence
    assert board.dark
    with closing(WledController(board.lamps.count, ports=off.ports)) as controller:
        while (note := notes.get(timeout=PATIENCE)) != DriverStatus("wled", None):
            board.feed(note)
        board.feed(note)
        assert board.faults == []
        assert controller.wait_for(1)
        controller.settle()
        assert controller.shown == [DARK] * board.lamps.count != [EFFECT] * board.lamps.count
        board.light_numbers({0: (1, 2, 3)})
        board.close()


def test_name_of_a_controller_that_is_looked_up_for_long_holds_up_no_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table opens its board in the thread that makes everyone's acts, also when a game begins on another map."""
    opened = threading.Event()

    def look_up(*host: object, **more: object) -> list[object]:
        found.append(opened.wait(5))
        raise socket.gaierror("not found")

    found: list[bool] = []
    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    board, notes = board_with_lamps(tmp_path)
    board.open()
    opened.set()
    board.feed(notes.get(timeout=PATIENCE))
    board.close()
    assert found[0]
    assert "not found" in board.faults[0]


def test_sensors_that_are_plugged_in_later_report_what_stands_there(tmp_path: Path, modules: Modules) -> None:
    states: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    edges: queue.SimpleQueue[object] = queue.SimpleQueue()
    board = late_board(modules, tmp_path, states)
    board.start(edges.put)
    assert modules.tried.wait(PATIENCE)
    assert states.empty()  # the fault is the one that is known
    modules.there.set()
    assert states.get(timeout=PATIENCE) is None
    edge = edges.get(timeout=PATIENCE)
    assert isinstance(edge, Edge)
    assert (edge.sensor, edge.down) == (0, True)
    assert board.about() == "two sensors"
    board.stop()
    assert modules.closed.is_set()


def test_other_fault_is_reported_once(tmp_path: Path, modules: Modules) -> None:
    states: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    board = LateBoard(2, partial(_refuse, modules), states.put, "It is not there.")
    board.start(lambda edge: None)
    assert states.get(timeout=PATIENCE) == "It has no power."
    for _ in range(3):
        modules.tried.clear()
        assert modules.tried.wait(PATIENCE)
    board.stop()
    assert states.empty()


def _refuse(modules: Modules) -> OpenedParts:
    modules.tried.set()
    raise HardwareFault("It has no power.")


def test_hardware_that_is_opened_after_the_end_is_closed_again(tmp_path: Path, modules: Modules) -> None:
    states: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    opening, stopped = threading.Event(), threading.Event()

    def opened() -> OpenedParts:
        opening.set()
        assert stopped.wait(PATIENCE)
        return OpenedParts(sensors=ScannedSensors(modules.opened, context, 1000))

    context = DriverContext(2, time.monotonic, states.put, tmp_path)
    modules.there.set()
    board = LateBoard(2, opened, states.put, "It is not there.")
    board.start(lambda edge: None)
    assert opening.wait(PATIENCE)
    board.stop()
    stopped.set()
    assert modules.closed.wait(PATIENCE)
    assert states.empty()


def test_board_that_has_ended_reports_nothing() -> None:
    """The next board of the table has the same driver: its state would be replaced by a former one."""
    states: queue.SimpleQueue[str | None] = queue.SimpleQueue()
    opening, stopped = queue.SimpleQueue[threading.Thread](), threading.Event()

    def refuse() -> OpenedParts:
        opening.put(threading.current_thread())
        assert stopped.wait(PATIENCE)
        raise HardwareFault("It has no power.")

    board = LateBoard(2, refuse, states.put)
    board.start(lambda edge: None)
    thread = opening.get(timeout=PATIENCE)
    board.stop()
    stopped.set()
    thread.join(PATIENCE)
    assert not thread.is_alive()
    assert states.empty()


def test_controller_that_is_looked_for_when_its_board_ends_is_not_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The next board may have found it meanwhile, and would name it as absent for good."""
    looking, ended = queue.SimpleQueue[threading.Thread](), threading.Event()

    def look_up(*host: object, **more: object) -> list[object]:
        looking.put(threading.current_thread())
        assert ended.wait(PATIENCE)
        raise socket.gaierror("not found")

    with closing(WledController(200)) as controller:
        pictures, pages = controller.ports
        board, notes = board_with_lamps(tmp_path, host="127.0.0.1", port=pictures, http_port=pages)
        monkeypatch.setattr(wled, "CHECK_EVERY", 0.01)
        board.open()
        assert notes.get(timeout=PATIENCE) == DriverStatus("wled", None)
        monkeypatch.setattr(socket, "getaddrinfo", look_up)
        thread = looking.get(timeout=PATIENCE)
        while not notes.empty():  # of earlier checks
            notes.get()
        board.close()
        ended.set()
        thread.join(PATIENCE)
    assert not thread.is_alive()
    assert notes.get() == BoardEnded()
    assert notes.empty()
