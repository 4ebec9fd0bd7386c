"""The driver of the board with faulty connections: the firmware on a real MicroPython interpreter, at the end of a
cable that damages data.
"""

from __future__ import annotations

import errno
import itertools
import queue
import random
import termios
import time
from pathlib import Path

import pytest
from serial import Serial

from hardware.link import line, port
from hardware.link.line import SerialLine
from hardware.link.messages import Tuning
from hardware.link.session import Session
from hardware.ports import DARK, HardwareFault
from tests.hardware.desk import Desk, Host
from tests.hardware.pico import Cable, Pico, needs_micropython
from tests.patience import PATIENCE

pytestmark = needs_micropython

RED, BLUE = (200, 0, 0), (0, 0, 90)


def test_pieces_are_detected_and_lamps_show_picture(pico: Pico, host: Host) -> None:
    pico.touch(5, True)
    host.start()
    assert host.edge() == (5, True)
    picture = (RED, DARK, BLUE, DARK, DARK, (1, 2, 3))
    host.show(picture)
    assert pico.seen() == picture
    pico.touch(5, False)
    assert host.edge() == (5, False)
    assert host.said.empty()


@pytest.mark.parametrize(("order", "wire"), [("GRB", (2, 1, 3)), ("RGB", (1, 2, 3)), ("BGR", (3, 2, 1))])
def test_lamps_get_colours_in_their_order(desk: Desk, pico: Pico, order: str, wire: tuple[int, ...]) -> None:
    host = desk.host(pico.name, lamp_order=order)
    host.show(((1, 2, 3),) * 6)
    assert pico.wire() == bytes(wire * 6)


def test_board_with_more_sensors_and_lamps_is_used_in_part(desk: Desk, pico: Pico) -> None:
    host = desk.host(pico.name, count=4)
    pico.touch(5, True)
    pico.touch(3, True)
    host.start()
    assert host.edge() == (3, True)
    host.show((BLUE,) * 4)
    assert pico.seen() == (BLUE,) * 4 + (DARK,) * 2
    assert host.felt.empty()


def test_picture_above_current_limit_is_dimmed_as_a_whole(desk: Desk, pico: Pico) -> None:
    host = desk.host(pico.name, current_limit_ma=100)
    host.show(((255, 255, 255),) * 5 + ((255, 0, 0),))
    seen = pico.seen()
    assert 90 <= sum(channel for colour in seen for channel in colour) * 20 / 255 + 6 <= 100
    assert seen == (seen[0],) * 5 + ((seen[0][0], 0, 0),)


def test_reconnected_board_reports_its_current_state(desk: Desk, pico: Pico) -> None:
    stable = desk.folder / "by-id"
    swap(stable, pico.name)
    host = desk.host(str(stable))
    pico.touch(2, True)
    host.start()
    assert host.edge() == (2, True)
    host.show((RED,) * 6)
    pico.unplug()
    assert "away" in str(host.state())
    pico.touch(2, False)
    pico.touch(4, True)
    pico.plug_in()
    swap(stable, pico.name)
    states = iter(host.state, None)
    assert all((state and "no board" in state) or "nothing at this port" in state for state in states)
    assert {host.edge(), host.edge()} == {(2, False), (4, True)}
    assert host.line.wait(lambda session: session.agreed, PATIENCE)
    assert pico.seen() == (RED,) * 6
    assert host.felt.empty()


def swap(link: Path, name: str) -> None:
    """Let a stable name point to another port."""
    draft = link.with_name("draft")
    draft.symlink_to(name)
    draft.replace(link)


def test_missing_board_at_start_is_reported_as_state(desk: Desk, pico: Pico) -> None:
    stable = desk.folder / "by-id"
    host = desk.host(str(stable))
    host.lamps.show((BLUE,) * 6)
    host.start()
    away = str(host.state())
    assert "There is no board" in away
    assert "Plug it in" in away
    pico.touch(1, True)
    swap(stable, pico.name)
    assert host.state() is None
    assert host.edge() == (1, True)
    assert host.line.wait(lambda session: session.agreed, PATIENCE)
    assert pico.seen() == (BLUE,) * 6


def test_another_board_is_refused_and_moves_nothing(desk: Desk, pico: Pico, host: Host) -> None:
    host.start()
    host.show((RED,) * 6)
    host.stop()
    other = desk.pico("other", identity="ffeeddccbbaa9988")
    other.touch(3, True)
    host = desk.host(other.name)
    host.start()
    host.lamps.show((BLUE,) * 6)
    assert host.state() == (
        "This is board ffeeddccbbaa9988, but the game was played on board 0102030405060708. Plug that one in. "
        "To use this one, set `board` in the table [board_link] to its number, or delete "
        f"{desk.folder / 'state' / 'board-link.txt'} and plug it in again."
    )
    assert host.felt.empty()
    assert set(other.seen()) <= {DARK}


def test_spare_board_is_used_after_its_remedy_while_the_table_runs(desk: Desk, pico: Pico, host: Host) -> None:
    host.start()
    host.stop()
    spare = desk.pico("spare", identity="ffeeddccbbaa9988")
    stable = desk.folder / "stable"
    swap(stable, spare.name)
    host = desk.host(str(stable))
    host.start()
    assert "This is board ffeeddccbbaa9988" in str(host.state())
    (desk.folder / "state" / "board-link.txt").unlink()
    spare.unplug()
    while (said := host.state()) is not None and "Plug" not in said:
        pass
    spare.touch(3, True)
    spare.plug_in()
    swap(stable, spare.name)
    while host.state() is not None:
        pass
    assert host.edge() == (3, True)


def test_own_board_is_found_next_to_another(desk: Desk, pico: Pico, host: Host) -> None:
    host.start()
    host.stop()
    other = desk.pico("other", identity="ffeeddccbbaa9988")
    ports = desk.folder / "ports"
    ports.mkdir()
    (ports / "pico_ffeeddccbbaa9988-if00").symlink_to(other.name)
    pico.touch(0, True)
    host = desk.host(f"{ports}/pico_*")
    host.start()
    assert "This is board ffeeddccbbaa9988" in str(host.state())
    (ports / "pico_0102030405060708-if00").symlink_to(pico.name)
    assert host.state() is None
    assert host.edge() == (0, True)


def test_neither_of_two_unknown_boards_is_used(desk: Desk, pico: Pico) -> None:
    for name in ("one", "two"):
        (desk.folder / f"port-{name}").symlink_to(pico.name)
    host = desk.host(f"{desk.folder}/port-*")
    host.start()
    said = str(host.state())
    assert "several boards" in said
    assert "Choose one with" in said


def test_board_with_too_few_sensors_is_refused(desk: Desk, pico: Pico) -> None:
    host = desk.host(pico.name, count=7)
    pico.touch(3, True)
    host.start()
    assert "has 6 sensors and 6 lamps, and this map needs 7" in str(host.state())
    assert host.felt.empty()
    assert not (desk.folder / "state" / "board-link.txt").exists()


def test_board_of_lamps_needs_enough_lamps_but_no_sensors(desk: Desk) -> None:
    pico = desk.pico("pico", sensors=6, lamps=9)
    host = desk.host(pico.name, count=9, has_sensors=False)
    host.start()
    host.show((RED, *(DARK,) * 7, BLUE))
    assert pico.seen()[8] == BLUE
    pico.touch(1, True)
    pico.believes(1, True)
    host.stop()
    assert host.felt.empty(), "it reports no sensor"
    other = desk.host(pico.name, "other", count=10, has_sensors=False)
    other.start()
    assert "has 9 lamps, and this map needs 10" in str(other.state())


def test_port_used_by_another_program_is_waited_for(pico: Pico, host: Host) -> None:
    with Serial(pico.name, exclusive=True):
        host.start()
        assert "another program has this port" in str(host.state())
    pico.touch(1, True)
    assert host.state() is None
    assert host.edge() == (1, True)


def test_cable_pulled_within_a_frame_moves_nothing(desk: Desk, pico: Pico) -> None:
    cable = Cable(pico)
    host = desk.host(cable.name)
    pico.touch(2, True)
    host.start()
    assert host.edge() == (2, True)
    cable.to_host = lambda data: data[: len(data) // 2]
    assert "does not answer" in str(host.state())
    cable.to_host = bytes
    assert host.state() is None
    pico.touch(2, False)
    assert host.edge() == (2, False)
    assert host.felt.empty()


def test_second_of_garbage_moves_nothing(desk: Desk, pico: Pico) -> None:
    cable = Cable(pico)
    host = desk.host(cable.name)
    pico.touch(2, True)
    host.start()
    assert host.edge() == (2, True)
    host.show((RED,) * 6)
    chance = random.Random(3)
    cable.to_host = cable.to_board = lambda data: chance.randbytes(max(64, len(data)))
    assert host.state() is not None
    host.lamps.show((BLUE,) * 6)
    pico.touch(4, True)
    cable.to_host = cable.to_board = bytes
    assert host.state() is None
    assert host.edge() == (4, True)
    assert host.line.wait(lambda session: session.agreed, PATIENCE)
    assert pico.seen() == (BLUE,) * 6
    assert host.felt.empty()


def test_board_that_reads_nothing_is_reported_and_reopened(desk: Desk, pico: Pico) -> None:
    cable = Cable(pico)
    host = desk.host(cable.name)
    host.start()
    host.show((RED,) * 6)
    cable.clog(True)
    host.lamps.show((BLUE,) * 6)
    assert "accepted no data" in str(host.state())
    cable.clog(False)
    assert host.state() is None
    assert host.line.wait(lambda session: session.agreed, PATIENCE)
    assert pico.seen() == (BLUE,) * 6


def test_weak_supply_is_reported(pico: Pico, host: Host) -> None:
    host.start()
    pico.set_supply(4100)
    said = str(host.state())
    assert "too little power" in said
    assert "down to 40" in said or "down to 41" in said


def test_missing_supply_of_lamps_is_reported(pico: Pico, host: Host) -> None:
    host.start()
    pico.set_supply(0, "lamps supply")
    assert "The lamps have too little power: The lamps' supply is down to 0 mV." in str(host.state())


def test_missing_port_is_searched_for_with_growing_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(line, "FIRST_PAUSE", 0.01)
    monkeypatch.setattr(line, "LONGEST_PAUSE", 0.04)
    looked: queue.SimpleQueue[float] = queue.SimpleQueue()
    said: list[str | None] = []

    def look() -> str:
        looked.put(time.monotonic())
        raise HardwareFault("nowhere")

    searching = SerialLine(Session(6, 6, Tuning(), lambda _: None, 0.0), look, time.monotonic, said.append)
    times = [looked.get(timeout=PATIENCE) for _ in range(6)]
    searching.close()
    pauses = [later - earlier for earlier, later in itertools.pairwise(times)]
    assert all(pause >= least for pause, least in zip(pauses, (0.01, 0.02, 0.04, 0.04, 0.04), strict=True))
    assert said == ["nowhere"]


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (PermissionError(errno.EACCES, "Permission denied"), "usermod -aG dialout"),
        (OSError(errno.EBUSY, "Device or resource busy"), "another program has this port"),
        (FileNotFoundError(errno.ENOENT, "No such file or directory"), "Plug the board in"),
        (termios.error(5, "Input/output error"), "Unplug the board and plug it in again"),
    ],
)
def test_each_failure_to_open_port_has_its_own_message(error: Exception, sentence: str) -> None:
    assert sentence in port.open_failure(error)


def test_file_that_is_no_port_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(HardwareFault, match="cannot be opened"):
        port.open_port(str(tmp_path / "file"))


def test_missing_pyserial_is_reported_with_package(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(__import__("sys").modules, "serial", None)
    with pytest.raises(HardwareFault, match=r"pip install 'pyserial>=3\.5,<4'.*python3-serial"):
        Host(tmp_path, "nowhere")


@pytest.mark.parametrize("content", [b"no number", b"0102", b"\xff\xfe", b"\0" * 17, b"010203040506070x\n"])
def test_damaged_number_of_remembered_board_is_replaced(desk: Desk, pico: Pico, content: bytes) -> None:
    (desk.folder / "state").mkdir()
    (desk.folder / "state" / "board-link.txt").write_bytes(content)
    host = desk.host(pico.name)
    pico.touch(5, True)
    host.start()
    assert host.edge() == (5, True)
    assert (desk.folder / "state" / "board-link.txt").read_bytes() == b"0102030405060708\n"


def test_invalid_number_of_board_in_settings_is_reported(tmp_path: Path) -> None:
    with pytest.raises(HardwareFault, match="'0102' is not a board number"):
        Host(tmp_path, "nowhere", board="0102")


def test_unwritable_folder_is_reported_as_state(desk: Desk, pico: Pico) -> None:
    host = desk.host(pico.name)
    (desk.folder / "state").rmdir()
    host.start()
    assert "cannot be written" in str(host.state())
