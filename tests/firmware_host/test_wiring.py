"""The sensor and lamp under each space: read, written, checked, and used by the whole table."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.game import Cue
from engine.graph import Map
from firmware_host.app.daemon import Daemon
from firmware_host.board.board_io import open_board
from firmware_host.board.wiring import FILE, Wiring, WiringError, default_wiring, of_board, read_wiring, wiring_text
from firmware_host.core import maps
from firmware_host.core.settings import settle
from firmware_host.table.table import Table
from hardware.ports import DARK, Note
from hardware.simulated import SimulatedBoard
from maker.mapping.chain_lamps import chain_length, order_lamps
from tests.toys import COLUMNS, ROWS, grid


@pytest.fixture
def board() -> Map:
    dry = ("a1", "a2", "b1", "b2")
    return grid({f"{row}{column}": "water" for row in ROWS for column in COLUMNS if f"{row}{column}" not in dry})


def write(folder: Path, words: str) -> Path:
    path = folder / FILE
    path.write_text(words, "utf-8")
    return path


SOUND = """
[sensors]
a1 = 3
a2 = 1
b1 = 0
b2 = 5
[lamps]
a1 = 0
a2 = 1
b1 = 2
b2 = 3
"""


def test_order_of_map_counts_without_file(board: Map, tmp_path: Path) -> None:
    assert of_board(board, tmp_path / FILE) == default_wiring(board)
    assert default_wiring(board).sensors == default_wiring(board).lamps == board.enterable


def test_first_existing_file_is_used(board: Map, tmp_path: Path) -> None:
    (tmp_path / "own").mkdir()
    own, shipped = write(tmp_path / "own", SOUND), write(tmp_path, wiring_text(default_wiring(board)))
    assert of_board(board, own, shipped).sensors == ("b1", "a2", None, "a1", None, "b2")
    own.unlink()
    assert of_board(board, own, shipped) == default_wiring(board)


def test_written_wiring_is_read_again(board: Map, tmp_path: Path) -> None:
    wiring = Wiring((None, "b2", "a1", "a2"), ("a2", "a1", "b1", None, "b2"), frozenset({"b1"}))
    assert read_wiring(write(tmp_path, wiring_text(wiring)), board) == wiring
    assert wiring.count == 5
    assert wiring.sensor_of("a1") == 2
    assert wiring.sensor_of("b1") is None


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda sound: sound.replace("a1 = 3", "a9 = 3"), r"\[sensors\] a9: .* has no such space that can be entered"),
        (lambda sound: sound.replace("a1 = 3\n", ""), r"\[sensors\] a1: its number is missing"),
        (lambda sound: sound.replace("a1 = 3", "a1 = 5"), r"\[sensors\] b2: number 5 is already that of a1"),
        (lambda sound: sound.replace("a1 = 3", "a1 = -1"), r"\[sensors\] a1: -1 is not a number from 0 to 1023"),
        (lambda sound: sound.replace("a1 = 3", "a1 = true"), r"\[sensors\] a1: True is not a number"),
        (lambda sound: sound.replace("a1 = 3", "a1 = 3_000_000"), r"\[sensors\] a1: 3000000 is not a number"),
        (lambda sound: sound.replace("[lamps]", "[lights]"), r"\[lamps\]: the table is missing"),
        (lambda sound: sound.replace("[lamps]", "[lights]"), r"lights: unknown; known are manual"),
        (lambda sound: 'manual = "a1"\n' + sound, r"manual: write the names of spaces"),
        (lambda sound: 'manual = ["z1"]\n' + sound, r"manual: z1: .* has no such space"),
        (lambda sound: "sensors = 3\n", r"\[sensors\]: the table is missing"),
        (lambda sound: "[sensors", "not TOML"),
    ],
)
def test_every_fault_is_reported_with_its_file(
    board: Map, tmp_path: Path, change: Callable[[str], str], sentence: str
) -> None:
    path = write(tmp_path, change(SOUND))
    with pytest.raises(WiringError, match=sentence) as caught:
        read_wiring(path, board)
    assert all(fault.startswith(str(path)) for fault in caught.value.faults)


def test_all_errors_are_reported_at_once(board: Map, tmp_path: Path) -> None:
    path = write(tmp_path, SOUND.replace("a1 = 3", "a9 = 3").replace("b2 = 3", "b2 = 2"))
    with pytest.raises(WiringError) as caught:
        read_wiring(path, board)
    assert len(caught.value.faults) == 3


def test_wiring_in_a_folder_without_rights_is_a_faulty_one(board: Map, tmp_path: Path) -> None:
    """It ended each start. Root may read any folder, but no one a name that is too long."""
    with pytest.raises(WiringError, match="cannot be read"):
        of_board(board, tmp_path / ("a" * 300) / FILE)


@pytest.mark.parametrize("damage", ["[sensors]\n", "manual = [", "\0"])
def test_table_with_faulty_wiring_opens_without_sensors_until_it_is_calibrated(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, damage: str
) -> None:
    """One flipped bit in the file ended each start, and `hw calibrate`, which could have replaced it."""
    folder = tmp_path / "boards" / "launch-facility"
    folder.mkdir(parents=True)
    write(folder, damage)
    daemon = Daemon(settle({"state": str(tmp_path), "host": "127.0.0.1", "port": 0}), time.monotonic)

    def state(table: Table) -> tuple[str, bool, str]:
        io = table.board.io
        return io.status()["state"], io.has_lamps, " ".join(io.faults)

    try:
        daemon.start()
        assert f"{folder / FILE}: " in caplog.text
        away, lamps, fault = daemon._loop.call(state)
        assert (away, lamps) == ("away", False)
        assert "Calibrate the board again" in fault
        # The workshop needs the sensors, and doesn't know yet where they are.
        daemon._loop.call(lambda table: table.workshop.enter("ada", "ada's phone", sure=True, instead=False))
        assert daemon._loop.call(state)[1:] == (True, "")
        write(folder, wiring_text(default_wiring(maps.load("launch-facility"))))
        daemon._loop.call(lambda table: table.workshop.leave("ada"))
        assert daemon._loop.call(state)[1:] == (True, "")
    finally:
        daemon.stop()


def test_sensors_and_lamps_follow_wiring(tmp_path: Path) -> None:
    board = maps.load("launch-facility")
    names = board.enterable
    lamps = (None, *names[::-1])
    folder = tmp_path / "boards" / board.slug
    folder.mkdir(parents=True)
    write(folder, wiring_text(Wiring((*names[1:], None, None, names[0]), lamps)))
    notes: list[Note] = []
    top = open_board(settle(), board, tmp_path, lambda: 1.0, notes.append)
    assert isinstance(top.lamps, SimulatedBoard)
    top.set_miniatures(["red-1"])
    top.open()
    top.touch("red-1", names[0])
    assert [note.sensor for note in notes if hasattr(note, "sensor")] == [len(names) + 1]
    assert {"id": "red-1", "space": names[0]} in top.picture()["miniatures"]
    top.light([Cue("legal", (names[0],))], {}, 5.0)
    assert [number for number, colour in enumerate(top.lamps.frame) if colour != DARK] == [len(names)]
    assert top.picture()["lamps"][names[0]] != "000000"
    assert len(top.picture()["lamps"]) == len(names)


@pytest.mark.parametrize("name", maps.drawn())
def test_every_map_comes_with_a_short_chain(name: str) -> None:
    board = maps.load(name)
    shipped = read_wiring(maps.FOLDER / name / FILE, board)
    order = order_lamps(board)
    assert shipped == Wiring(order, order), f"run: python -m maker.mapping.chain_lamps {name}"
    assert chain_length(order, board) < 0.6 * chain_length(board.enterable, board)


def test_board_with_every_space_in_manual_needs_no_table_of_sensors(board: Map, tmp_path: Path) -> None:
    manual = ", ".join(f'"{space}"' for space in board.enterable)
    found = read_wiring(write(tmp_path, f"manual = [{manual}]\n[lamps]\na1 = 0\na2 = 1\nb1 = 2\nb2 = 3\n"), board)
    assert (found.sensors, found.manual) == ((), frozenset(board.enterable))
