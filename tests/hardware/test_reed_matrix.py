"""The matrix of reed contacts: ghosts are never believed, shorts are reported, no two pins drive against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import pytest
from gpiozero import OutputDevice

from hardware import drivers
from hardware.drivers.reed_matrix import COLUMNS, ROWS, ReedMatrix
from hardware.ports import Edge, HardwareFault
from tests.hardware.benches import make_context, opened, settings_of, there
from tests.hardware.model.pins import PinHeader, plugged
from tests.hardware.model.reeds import Contention, Reeds
from tests.hardware.states import Told

Opening = Callable[..., ReedMatrix]
ALL = len(ROWS) * len(COLUMNS)


@pytest.fixture
def reeds() -> Reeds:
    return Reeds(ROWS, COLUMNS)


@pytest.fixture
def header(reeds: Reeds) -> Iterator[PinHeader]:
    with plugged(PinHeader(reeds)) as found:
        yield found


@pytest.fixture
def opening(header: PinHeader) -> Iterator[Opening]:
    """Opens the matrix, and closes it at the end."""
    with ExitStack() as ends:

        def open_matrix(count: int = ALL, **given: Any) -> ReedMatrix:
            found = ReedMatrix(settings_of(drivers.find("reed_matrix"), **given), count)
            ends.callback(found.close)
            return found

        yield open_matrix


def close_contacts(reeds: Reeds, pattern: int) -> None:
    for sensor in range(ALL):
        reeds.touch(sensor, bool(pattern >> sensor & 1))


def test_every_pattern_is_read_correctly_with_diodes(reeds: Reeds, opening: Opening) -> None:
    matrix, random = opening(), Random(3)
    for pattern in (0, (1 << ALL) - 1, *(1 << number for number in (0, 11, 12, 143)), random.getrandbits(ALL)):
        close_contacts(reeds, pattern)
        assert matrix.read() == pattern
        assert matrix.doubt is None


def test_fourth_corner_is_not_believed_without_diodes(reeds: Reeds, opening: Opening) -> None:
    reeds.bare = {(row, column) for row in ROWS for column in COLUMNS}
    matrix = opening(diodes=False)
    for sensor in (0, 1):
        reeds.touch(sensor, True)
    assert matrix.read() == 0b11
    assert matrix.doubt is None
    reeds.touch(12, True)
    assert matrix.read() == 0b11, "which of 12 and 13 is closed cannot be known"
    assert "the sensors 0, 1, 12, 13 cannot be told apart" in str(matrix.doubt)
    reeds.touch(0, False)
    assert matrix.read() == 1 << 1 | 1 << 12, "without the first there is no ghost"
    assert matrix.doubt is None


def test_contact_that_closes_between_two_rows_makes_no_ghost(
    reeds: Reeds, opening: Opening, monkeypatch: pytest.MonkeyPatch
) -> None:
    reeds.bare = {(row, column) for row in ROWS for column in COLUMNS}
    matrix = opening(diodes=False)
    for sensor in (0, 12):
        reeds.touch(sensor, True)
    assert matrix.read() == 1 | 1 << 12
    read_row = matrix._read_row

    def close_and_read(index: int) -> int:
        reeds.touch(1, index > 0)
        return read_row(index)

    monkeypatch.setattr(matrix, "_read_row", close_and_read)
    assert matrix.read() == 1 | 1 << 12, "the second row has 13, which the first one contradicts"
    monkeypatch.undo()
    assert matrix.read() == 1 | 1 << 12
    assert matrix.doubt is not None


def test_contacts_are_read_while_only_some_have_diodes(reeds: Reeds, opening: Opening) -> None:
    """Two rows with a common column then differ for good, not only while a contact moves."""
    reeds.bare = {(ROWS[0], COLUMNS[0])}
    matrix = opening(diodes=False)
    for sensor in (0, 12, 13):
        reeds.touch(sensor, True)
    matrix.read()
    assert matrix.read() == 1 | 1 << 12 | 1 << 13


def test_known_state_is_kept_until_visible_again_without_diodes(reeds: Reeds, opening: Opening) -> None:
    reeds.bare = {(row, column) for row in ROWS for column in COLUMNS}
    matrix = opening(diodes=False)
    for sensor in (0, 1, 13, 12):
        reeds.touch(sensor, True)
        matrix.read()
    assert matrix.read() == 0b11
    reeds.touch(0, False)
    assert matrix.read() == 0b11, "the other three pull it down, so lifting it is invisible"
    reeds.touch(1, False)
    assert matrix.read() == 1 << 12 | 1 << 13
    assert matrix.doubt is None


def test_piece_among_ghosts_is_known_once_they_are_gone(reeds: Reeds, opening: Opening) -> None:
    reeds.bare = {(row, column) for row in ROWS for column in COLUMNS}
    matrix = opening(diodes=False)
    for sensor in (0, 1, 12, 30):
        reeds.touch(sensor, True)
    assert matrix.read() == 1 << 30, "nothing was known of the rectangle before"
    reeds.touch(0, False)
    reeds.touch(12, False)
    assert matrix.read() == 1 << 30 | 1 << 1


def test_doubt_is_a_state_of_board(tmp_path: Path) -> None:
    with plugged(PinHeader(reeds := Reeds((4, 5), (16, 17), diodes=False))):
        told = Told()
        felt: list[Edge] = []
        options = {"rows": (4, 5), "columns": (16, 17), "diodes": False, "rate": 2000}
        sensors = there(opened("reed_matrix", make_context(tmp_path, told, 4), **options).sensors)
        sensors.start(felt.append)
        for sensor in (0, 1, 2):
            reeds.touch(sensor, True)
            assert reeds.wait_for_sweeps(3)
        assert "cannot be told apart" in str(told.wait_for(1)[-1])
        reeds.touch(1, False)
        assert told.wait_for(2)[-1] is None
        sensors.stop()
    assert [(edge.sensor, edge.down) for edge in felt if edge.sensor == 3] == []


def test_missing_diode_is_reported_with_its_rows(reeds: Reeds, opening: Opening) -> None:
    matrix = opening()
    reeds.bare = {(ROWS[2], COLUMNS[0])}
    for row in (2, 5):
        reeds.touch(row * len(COLUMNS), True)
    with pytest.raises(HardwareFault, match=f"GPIO {ROWS[2]} follows GPIO {ROWS[5]}. A diode is missing"):
        for _ in ROWS:
            matrix.read()


def test_shorted_rows_are_reported(reeds: Reeds, opening: Opening) -> None:
    matrix = opening()
    reeds.bridges = {(ROWS[0], ROWS[1])}
    with pytest.raises(HardwareFault, match="or they are shorted"):
        for _ in ROWS:
            matrix.read()


@pytest.mark.parametrize("pin", [ROWS[3], COLUMNS[4]])
def test_grounded_pin_is_reported(reeds: Reeds, opening: Opening, pin: int) -> None:
    matrix = opening()
    reeds.grounded = {pin}
    reeds.settle()
    with pytest.raises(HardwareFault, match=rf"GPIO{pin} is low while nothing drives it. Look for a short"):
        matrix.read()


def test_too_large_map_is_reported(opening: Opening) -> None:
    with pytest.raises(HardwareFault, match="12 rows of 12 contacts, and this map needs 145"):
        opening(145)


def test_pin_named_twice_is_reported(opening: Opening) -> None:
    with pytest.raises(HardwareFault, match="GPIO 4 is named twice"):
        opening(4, rows=(4, 5), columns=(4, 16))


def test_driving_idle_rows_high_without_diodes_is_a_short_circuit(reeds: Reeds, header: PinHeader) -> None:
    reeds.bare = {(row, column) for row in ROWS for column in COLUMNS}
    reeds.touch(0, True)
    reeds.touch(12, True)
    rows = [OutputDevice(row, active_high=False, pin_factory=header) for row in ROWS[:2]]
    with pytest.raises(Contention, match="drives high what another output drives low"):
        rows[0].on()
    reeds.touch(12, False)
    for row in rows:
        row.close()
