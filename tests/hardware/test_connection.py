"""The hardware report of a bench tool: a Pico that is missing, in use, silent, pulled out, or healthy."""

from __future__ import annotations

import os
import queue
import threading
import time
import tty
from collections.abc import Iterator
from pathlib import Path

import pytest
from serial import Serial

from firmware_host.app.cli import main
from firmware_host.board.wiring import FILE, read_wiring, wiring_text
from firmware_host.core import maps
from firmware_host.core.settings import Settings, settle
from firmware_host.workshop import checks
from firmware_host.workshop.calibration import Calibrating
from firmware_host.workshop.checks import BAD, GOOD, ODD
from firmware_host.workshop.job import GREEN
from firmware_host.workshop.terminal import scan, selftest, status_chart
from firmware_host.workshop.testing import WELL, SensorMark
from firmware_host.workshop.workbench import RealMaker, SimulatedMaker, Typed, Workbench
from hardware.ports import DriverStatus, Edge, HardwareFault
from tests.hardware.pico import Pico, needs_micropython
from tests.patience import PATIENCE

BOARD = maps.load("launch-facility")
SHIPPED = read_wiring(maps.FOLDER / BOARD.slug / FILE, BOARD)
JOBS = (["scan"], ["lights"], ["calibrate"], ["selftest"], ["trace", "record", "trace.jsonl"])


def settings_at(port: str) -> Settings:
    return settle({"board": "board_link", "board_link": {"port": port}})


@pytest.fixture
def pico(tmp_path: Path) -> Iterator[Pico]:
    found = Pico(tmp_path / "pico", sensors=128, lamps=127)
    found.believes(0, False)  # the start takes a while on a busy machine
    yield found
    found.unplug()


@pytest.fixture
def mute() -> Iterator[str]:
    """A port where no device answers."""
    master, slave = os.openpty()
    tty.setraw(slave)
    yield os.ttyname(slave)
    os.close(master)
    os.close(slave)


@pytest.mark.parametrize("job", JOBS, ids=lambda words: words[0])
def test_every_tool_reports_missing_pico_and_does_nothing(
    job: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text('[board_link]\nport = "/dev/nowhere*"\n')
    words = ["--board", "board_link", "--config", "mine.toml", "--state", "state"]
    assert main(["hw", *job, *words]) == 6
    said = capsys.readouterr()
    assert "board_link: There is no board at /dev/nowhere*. Plug it in" in said.err
    assert said.out == "", "no empty chart, no wrong findings"
    assert not (tmp_path / "trace.jsonl").exists()


def test_silent_board_is_reported_first(mute: str, tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match=r"board_link: The board at .* does not answer"):
        Workbench(settings_at(mute), BOARD, tmp_path, RealMaker(time.monotonic))


@needs_micropython
def test_connected_board_is_named_first(pico: Pico, tmp_path: Path) -> None:
    said: list[str] = []
    bench = Workbench(settings_at(pico.name), BOARD, tmp_path, RealMaker(time.monotonic), said.append)
    bench.close()
    (line,) = said
    assert line.startswith(f"board_link: board 0102030405060708 at {pico.name}, firmware ")
    assert line.endswith("128 sensors, 127 lamps")


@needs_micropython
def test_doctor_asks_board_for_its_name(pico: Pico) -> None:
    state, said = checks.read_greeting(pico.name)
    assert (state, said.split(",")[1:]) == (GOOD, [" 128 sensors", " 127 lamps"])
    with Serial(pico.name, exclusive=True):
        state, said = checks.read_greeting(pico.name)
    assert (state, "If that is the table, all is well" in said) == (ODD, True)


def test_doctor_finds_port_without_answer(mute: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hardware.link.port.TIMEOUT", 0.1)
    state, said = checks.read_greeting(mute)
    assert (state, "sniperboard board flash" in said) == (BAD, True)


class Bench:
    """A bench whose board the test pulls out and plugs in, and its messages."""

    def __init__(self, pico: Pico, folder: Path) -> None:
        self.said: queue.SimpleQueue[str] = queue.SimpleQueue()
        self.stable = folder / "port"
        self.stable.symlink_to(pico.name)
        self.waiting = RealMaker(time.monotonic)
        self.bench = Workbench(settings_at(str(self.stable)), BOARD, folder, self.waiting, self.said.put)

    def wait_for(self, words: str) -> None:
        """Wait for a message with these words."""
        while words not in self.said.get(timeout=PATIENCE):
            pass


@needs_micropython
def test_pulled_cable_in_selftest_is_no_dead_sensor(
    pico: Pico, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.workshop.testing.COME", PATIENCE)
    monkeypatch.setattr("firmware_host.workshop.testing.TURN", 0.1)
    here = Bench(pico, tmp_path)
    marks: list[SensorMark] = []
    space = str(SHIPPED.sensors[5])
    job = threading.Thread(target=lambda: marks.extend(selftest(here.bench, [space], here.said.put)))
    job.start()
    here.wait_for("White: set the magnet down.")
    pico.unplug()
    here.wait_for("board_link: The board is away")
    pico.plug_in()
    here.stable.unlink()
    here.stable.symlink_to(pico.name)
    here.wait_for("Working again")
    pico.touch(5, True)
    lamp = SHIPPED.lamps.index(space)
    while pico.seen()[lamp] != GREEN:
        assert job.is_alive()
    pico.touch(5, False)
    job.join(PATIENCE)
    here.bench.close()
    assert [mark.state for mark in marks] == [WELL]


class Ailing(SimulatedMaker):
    """A bench whose hardware is faulty for a minute; then the sensor answers."""

    def wait(self, until: float) -> Edge | DriverStatus | Typed | None:  # type: ignore[override]
        """Return the fault, then nothing for a minute, then the end of the fault, then the typed lines."""
        if self._notes:
            note = self._notes.popleft()
            self._now += 60.0 if isinstance(note, DriverStatus) and note.sentence is None else 0.0
            return note  # type: ignore[return-value]
        self._now = max(self._now, until)
        return None


def test_time_of_job_stops_while_hardware_is_faulty(tmp_path: Path) -> None:
    maker, said = Ailing(), list[str]()
    bench: Workbench = Workbench(settle({}), BOARD, tmp_path, maker, said.append)
    began = bench.now
    maker.add_note(DriverStatus("simulated", "Its cable is out."))
    maker.add_note(DriverStatus("simulated", None))
    assert [bench.step(1.0) for _ in range(3)][-1] is None
    assert bench.now == pytest.approx(began + 1.0)
    assert maker.clock() == pytest.approx(61.0)
    assert said[-2:] == ["simulated: Its cable is out.", "simulated: Working again."]
    bench.close()


def test_chart_shows_fault_of_hardware(tmp_path: Path) -> None:
    maker, drawn = Ailing(), list[str]()
    bench = Workbench(settle({}), BOARD, tmp_path, maker, drawn.append)
    assert status_chart(bench).startswith("simulated: a board in memory")
    maker.add_note(DriverStatus("simulated", "Its cable is out."))
    maker.add_note(Typed("first"))  # type: ignore[arg-type]
    maker.add_note(Typed("enough"))  # type: ignore[arg-type]
    scan(bench, drawn.append, drawn.append)
    assert any(text.startswith("simulated: Its cable is out.\n") for text in drawn)
    bench.close()


@needs_micropython
def test_wire_moved_to_spare_input_is_detected_calibrated_and_used(pico: Pico, tmp_path: Path) -> None:
    said: list[str] = []
    waiting = RealMaker(time.monotonic)
    bench = Workbench(settings_at(pico.name), BOARD, tmp_path, waiting, said.append)
    job = Calibrating(bench.wiring, tmp_path / "notes.json")
    for space in SHIPPED.lamps[:-1]:
        job.note(SHIPPED.sensors.index(space), 0.0)
    pico.touch(127, True)
    edge = bench.next(time.monotonic() + PATIENCE)
    assert isinstance(edge, Edge)
    assert (edge.sensor, len(SHIPPED.sensors)) == (127, 127), "beyond the number of spaces on the map"
    job.note(edge.sensor, 0.0)
    found = job.wiring()
    bench.close()
    folder = tmp_path / "boards" / BOARD.slug
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FILE).write_text(wiring_text(found))
    again = Workbench(settings_at(pico.name), BOARD, tmp_path, RealMaker(time.monotonic), said.append)
    assert again.wiring.sensor_of(str(SHIPPED.lamps[-1])) == 127
    assert isinstance(again.step(PATIENCE), Edge)
    again.step(0.1)
    assert again.down == {127}
    again.close()
