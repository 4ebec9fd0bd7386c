"""The wiring of a board: which sensor and which lamp lies under which space of a map, read from a `wiring.toml`.

The file has two tables, `[sensors]` and `[lamps]`. Each has a line `space = number` for every space that can be
entered; numbers count from 0. A space in `manual` has no working sensor, and needs no line among the sensors. A board's
own file (`sniperboard hw calibrate` writes it into the state folder) replaces the map's; without any file, sensor and
lamp number n are under the map's n-th space that can be entered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct

from engine.graph import Map
from engine.graph.fault import did_you_mean
from firmware_host.core.strict import NotUtf8, decode_toml
from hardware.files import read_regular

FILE = "wiring.toml"
MOST_NUMBERS = 1024
"""Most sensors or lamps of a board."""
FILE_HEAD = "# Which sensor and which lamp lies under which space; numbers count from 0.\n"


class WiringError(Exception):
    """The faults of a wiring file, a line each, with file and remedy."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


class Wiring(Struct, frozen=True):
    """The space of each sensor and of each lamp, by number; None means that it is under no space.

    The `manual` spaces have no working sensor.
    """

    sensors: tuple[str | None, ...]
    lamps: tuple[str | None, ...]
    manual: frozenset[str] = frozenset()

    @property
    def count(self) -> int:
        """The least number of sensors and lamps that the hardware must have."""
        return max(len(self.sensors), len(self.lamps))

    @property
    def numbers(self) -> dict[str, int]:
        """Space -> number of its sensor."""
        return {space: number for number, space in enumerate(self.sensors) if space is not None}

    def space_over(self, sensor: int | None) -> str | None:
        return None if sensor is None or sensor >= len(self.sensors) else self.sensors[sensor]

    def spaces_over(self, sensors: Iterable[int]) -> list[str]:
        """Return the spaces over these sensors, in the same order, without those that lie under no space."""
        spaces = map(self.space_over, sensors)
        return [space for space in spaces if space is not None]

    def sensor_of(self, space: str) -> int | None:
        """Return the number of a space's sensor, or None."""
        return self.sensors.index(space) if space in self.sensors else None


def default_wiring(board: Map) -> Wiring:
    """Return the default wiring: sensors and lamps in the order of the map's spaces."""
    return Wiring(board.enterable if board.has_sensors else (), board.enterable)


def of_board(board: Map, *files: Path) -> Wiring:
    """Return the wiring from the first existing file of `files`, or the default wiring. Raises `WiringError`."""
    for path in files:
        try:
            found = path.exists()
        except OSError as error:
            raise _unreadable(path, error) from error
        if found:
            return read_wiring(path, board)
    return default_wiring(board)


def _unreadable(path: Path, error: OSError) -> WiringError:
    return WiringError([f"{path}: cannot be read ({error.strerror}). Make it readable, or delete it."])


def read_wiring(path: Path, board: Map) -> Wiring:
    """Read a wiring file. Raises `WiringError`."""
    try:
        document = decode_toml(read_regular(path))
    except OSError as error:
        raise _unreadable(path, error) from error
    except NotUtf8 as error:
        raise WiringError([f"{path}: {error}."]) from error
    except ValueError as error:
        raise WiringError([f"{path}: {error}. Fix that line, or calibrate the board again."]) from error
    faults = _faults_in(document, board)
    if faults:
        raise WiringError([f"{path}: {fault}" for fault in faults])
    manual = frozenset(document.get("manual", ()))
    return Wiring(by_number(document.get("sensors", {})), by_number(document.get("lamps", {})), manual)


def wiring_text(wiring: Wiring) -> str:
    """Return the text of a wiring file."""
    manual = ", ".join(f'"{space}"' for space in sorted(wiring.manual))
    head = [FILE_HEAD, f"manual = [{manual}]", ""]
    return "\n".join([*head, "[sensors]", *_lines(wiring.sensors), "", "[lamps]", *_lines(wiring.lamps)]) + "\n"


def _lines(spaces: Sequence[str | None]) -> list[str]:
    return [f'"{space}" = {number}' for number, space in enumerate(spaces) if space is not None]


def by_number(table: Mapping[str, int]) -> tuple[str | None, ...]:
    """Return the space of each number from a table of space -> number."""
    spaces: list[str | None] = [None] * (max(table.values(), default=-1) + 1)
    for space, number in table.items():
        spaces[number] = space
    return tuple(spaces)


def _faults_in(document: Mapping[str, Any], board: Map) -> list[str]:
    faults = [
        f"{name}: unknown; known are manual, [sensors] and [lamps]." for name in document if name not in KNOWN_MEMBERS
    ]
    manual = document.get("manual", [])
    if not isinstance(manual, list) or not all(isinstance(space, str) for space in manual):
        return [*faults, 'manual: write the names of spaces, such as ["R12"].']
    faults += [f"manual: {_no_space(space, board)}" for space in manual if space not in board.enterable]
    sensors = set(board.enterable) - set(manual) if board.has_sensors else set()
    for part, needed in (("sensors", sensors), ("lamps", set(board.enterable))):
        # A table without necessary lines may be left out.
        table = document.get(part, None if needed else {})
        if not isinstance(table, dict):
            faults.append(f"[{part}]: the table is missing. Calibrate the board again.")
        else:
            faults += [f"[{part}] {fault}" for fault in _table_faults(table, needed, board)]
    return faults


KNOWN_MEMBERS = ("manual", "sensors", "lamps")


def _table_faults(table: Mapping[str, Any], needed: set[str], board: Map) -> list[str]:
    faults = [_no_space(space, board) for space in table if space not in board.enterable]
    faults += [f"{space}: its number is missing. Calibrate the board again." for space in sorted(needed - table.keys())]
    owners: dict[int, str] = {}
    for space, number in table.items():
        # Compare the exact type: in Python, `true` is an `int`.
        if type(number) is not int or not 0 <= number < MOST_NUMBERS:
            faults.append(f"{space}: {number!r} is not a number from 0 to {MOST_NUMBERS - 1}.")
        elif number in owners:
            faults.append(f"{space}: number {number} is already that of {owners[number]}.")
        else:
            owners[number] = space
    return faults


def _no_space(space: str, board: Map) -> str:
    return f"{space}: {board.name} has no such space that can be entered.{did_you_mean(space, board.enterable)}"
