"""The kinds of hardware, one file each, found by name: a new driver edits no file but its own.

A driver's file offers `KIND`, which says what it is made of, what can be set, and opens it. It imports its vendor's
library only inside a function, so that a table without that hardware needs no such library. Files that begin with an
underscore are no drivers. `README.md` beside this file tells how to add one.
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
"""What a driver may be made of."""


class NoSuchDriver(LookupError):
    """There is no driver of that name; the sentence says which there are, and the nearest guess."""


class DriverOption(Struct, frozen=True):
    """Something that can be set about a driver. Its type is that of `default`; a tuple takes a list of such values.

    `low` and `high` bound a number, and each number of a tuple; `choices`, where there are any, are all the words.
    """

    name: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()


class DriverContext(Struct, frozen=True):
    """What a driver is opened with.

    `count` lamps are needed, and as many sensors, or none where the map has none (`has_sensors`); `lamp_count` lamps
    are enough, where it is given. With `spares`, inputs without a space are to be reported, too. `clock` gives
    monotonic seconds. `report_state` takes a sentence while the hardware is away or faulty and None when it is well; it
    may be called from any thread. `state` is a folder for what must survive; `miniatures` are the names of those that a
    board moves by itself, if it can.
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
        """How many lamps are needed."""
        return self.count if self.lamp_count is None else self.lamp_count

    @property
    def sensors(self) -> int:
        """How many sensors are needed."""
        return self.count if self.has_sensors else 0


class OpenedParts(Struct, frozen=True):
    """An opened driver: each part of its kind is there, the others are None.

    `about` says in a few words what it is connected to, and nothing while that is not known yet; the bench tools tell
    it before anything else.
    """

    sensors: Sensors | None = None
    lamps: Lamps | None = None
    buttons: Buttons | None = None
    buzzer: Buzzer | None = None
    miniatures: Miniatures | None = None
    about: Callable[[], str] | None = None


class DriverKind(Struct, frozen=True):
    """What a driver's file offers as `KIND`: which of `PARTS` it has, what can be set, and how it is opened.

    `open` takes a value for every option, and raises `HardwareFault` for a missing library, a missing permission or a
    missing device, with the remedy. It leaves nothing open when it raises. `pins` tells which GPIOs of the computer
    it takes with these options, for two drivers on one pin disturb each other without a word.
    """

    parts: tuple[str, ...]
    options: tuple[DriverOption, ...]
    open: Callable[[Mapping[str, Any], DriverContext], OpenedParts]
    pins: Callable[[Mapping[str, Any]], frozenset[int]] = lambda _: frozenset()


def names(part: str | None = None) -> list[str]:
    """The names of all drivers, or of those that have a part."""
    found = sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.name.startswith("_"))
    return [name for name in found if part is None or part in find(name).parts]


def find(name: str) -> DriverKind:
    """The driver called `name`. Raises `NoSuchDriver` with what is known and the nearest guess."""
    known = names()
    if name not in known:
        guess = difflib.get_close_matches(name, known, 1)
        hint = f" Did you mean {guess[0]}?" if guess else ""
        raise NoSuchDriver(f"there is no driver {name!r}; known are {', '.join(known)}.{hint}")
    kind: DriverKind = importlib.import_module(f"{__name__}.{name}").KIND
    return kind
