"""The hardware drivers, one file each, found by name. A new driver changes no other file.

A driver's file defines `KIND`: its parts, its options, and a function that opens it. It imports its vendor's library
only inside a function, so that a table without that hardware doesn't need the library. Files that start with an
underscore are not drivers. `README.md` in this folder explains how to add a driver.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct

from hardware.ports import Buttons, Buzzer, Lamps, Miniatures, Sensors

PARTS = ("sensors", "lamps", "buttons", "buzzer", "miniatures")
"""The parts that a driver may have."""


class NoSuchDriver(LookupError):
    """No driver has that name. The message lists the known names and the closest match."""


class DriverOption(Struct, frozen=True):
    """A setting of a driver. Its type is that of `default`; a tuple accepts a list of such values.

    `low` and `high` limit a number, or each number of a tuple. `choices`, if set, lists the allowed words.
    """

    name: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


class DriverContext(Struct, frozen=True):
    """The arguments for opening a driver.

    - `count`: the number of lamps needed, which is also the number of sensors, unless the map has none (`has_sensors`
      is false).
    - `lamp_count`: if set, this many lamps are enough.
    - `spares`: whether inputs without a space are also reported.
    - `clock`: returns monotonic seconds.
    - `report_state`: takes a message while the hardware is away or faulty, and None when it works; callable from any
      thread.
    - `state`: a folder for data that must survive a restart.
    - `miniatures`: the names of the miniatures, for a board that moves them by itself.
    """

    count: int
    clock: Callable[[], float]
    report_state: Callable[[str | None], None]
    state: Path
    miniatures: tuple[str, ...] = ()
    has_sensors: bool = True
    lamp_count: int | None = None
    spares: bool = False

    @property
    def lamps(self) -> int:
        """The number of lamps that are needed."""
        return self.count if self.lamp_count is None else self.lamp_count

    @property
    def sensors(self) -> int:
        """The number of sensors that are needed."""
        return self.count if self.has_sensors else 0


class OpenedParts(Struct, frozen=True):
    """An opened driver: the parts of its kind are set, the others are None.

    `about` returns a short description of the connected hardware, or an empty text while it is unknown. The workshop
    tools print it first.
    """

    sensors: Sensors | None = None
    lamps: Lamps | None = None
    buttons: Buttons | None = None
    buzzer: Buzzer | None = None
    miniatures: Miniatures | None = None
    about: Callable[[], str] | None = None


class Needs(Struct, frozen=True):
    """What a driver needs of a machine. `sniperboard doctor` checks it.

    - `modules`: the modules that it imports. `extra`: the extras of sniperboard with their packages.
    - `devices`: patterns of files below the root, for example `dev/spidev*`; one of them is needed.
    - `groups`: the groups whose members may use these devices, the usual one first.
    - `remedy`: what to do if there is no such device.
    - `ask`: for a network device: takes the driver's options, and returns the device's description of itself. Raises
      `HardwareFault`.
    """

    modules: tuple[str, ...] = ()
    extra: str = ""
    devices: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    remedy: str = ""
    ask: Callable[[Mapping[str, Any]], str] | None = None


class DriverKind(Struct, frozen=True):
    """A driver's `KIND`: its `PARTS`, its options, how to open it, and its requirements.

    `open` receives a value for every option. If a library, permission or device is missing, it closes everything that
    it opened and raises `HardwareFault` with a remedy. `pins` returns the computer's GPIOs that it uses with these
    options: two drivers on one pin would disturb each other without an error.
    """

    parts: tuple[str, ...]
    options: tuple[DriverOption, ...]
    open: Callable[[Mapping[str, Any], DriverContext], OpenedParts]
    pins: Callable[[Mapping[str, Any]], frozenset[int]] = lambda _: frozenset()
    needs: Needs = Needs()


def names(part: str | None = None) -> list[str]:
    """Return the names of all drivers, or of those with a given part."""
    module_names = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return [name for name in module_names if part is None or part in find(name).parts]


def find(name: str) -> DriverKind:
    """Return the driver called `name`. Raises `NoSuchDriver` with the known names and the closest match."""
    known_names = names()
    if name not in known_names:
        guess = difflib.get_close_matches(name, known_names, 1)
        hint = f" Did you mean {guess[0]}?" if guess else ""
        raise NoSuchDriver(f"there is no driver {name!r}; known are {', '.join(known_names)}.{hint}")
    kind: DriverKind = importlib.import_module(f"{__name__}.{name}").KIND
    return kind
