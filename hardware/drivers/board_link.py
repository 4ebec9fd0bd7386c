"""The recommended board: a Raspberry Pi Pico on a USB cable, which scans sensors and drives lamps.

`docs/hardware.md` explains how to build it, `hardware/pico/README.md` how to prepare the Pico. A missing board is not
an exception: the driver reports it as its state and keeps looking for it.
"""

from __future__ import annotations

import string
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, Needs, OpenedParts
from hardware.files import read_regular, replace_file
from hardware.link import port
from hardware.link.line import SerialLine
from hardware.link.messages import ORDERS, PROTOCOL, Hello, Tuning
from hardware.link.session import Session
from hardware.ports import DARK, Edge, Frame, HardwareFault, UnsettledContact, check_length

FIRST_LOOK = 1.0
"""Seconds that the start waits for a connected board to report its sensors."""
LAST_WORD = 0.5
"""Seconds to wait at the end until the lamps are dark."""
DIGITS = 16
"""Length of a board's unique number, in hexadecimal digits."""


class BoardIdentity:
    """The board to use: the configured one, or else the first that was connected. Raises `HardwareFault`."""

    def __init__(self, number: str, file: Path) -> None:
        # The names of ports and the board's hello have the number in small letters.
        self._wanted, self._file = number.lower(), file
        self.expected_board()

    def expected_board(self) -> str:
        """Return the number of the board to use; empty for any. The file is read each time: people may delete it while
        the table runs, to use another board. Raises `HardwareFault`.
        """
        if not self._wanted:
            return self._stored_number()
        if not _is_number(self._wanted):
            raise HardwareFault(
                "{identity} is not a board number. In the table [board_link], set `board` to the board's {digits} "
                "digits or to nothing, and delete {file}.",
                identity=repr(self._wanted),
                digits=DIGITS,
                file=str(self._file),
            )
        return self._wanted

    def remember(self, identity: str) -> None:
        """Remember the board if it is the first one. Raises `HardwareFault`."""
        if self.expected_board():
            return
        try:
            replace_file(self._file, f"{identity}\n".encode(), synced=True)
        except OSError as error:
            raise HardwareFault(
                "{file}: cannot be written ({why}). Make it writable.", file=str(self._file), why=str(error.strerror)
            ) from error

    def mismatch(self, identity: str) -> str | None:
        """Return a message if this is a different board, else None. Raises `HardwareFault`."""
        expected = self.expected_board()
        if expected in ("", identity):
            return None
        return Text(
            "This is board {identity}, but the game was played on board {known}. Plug that one in. To use this "
            "one, set `board` in the table [board_link] to its number, or delete {file} and plug it in again.",
            identity=identity,
            known=expected,
            file=str(self._file),
        )

    def _stored_number(self) -> str:
        """Return the stored number; empty if there is none, or if the file is damaged: the players could not repair it.
        Raises `HardwareFault`.
        """
        try:
            number = read_regular(self._file).decode("ascii", "replace").strip() if self._file.exists() else ""
        except OSError as error:
            raise HardwareFault(
                "{file}: cannot be read ({error}). Make it readable, or delete it.",
                file=str(self._file),
                error=str(error),
            ) from error
        return number if _is_number(number) else ""


def _is_number(text: str) -> bool:
    return len(text) == DIGITS and not set(text) - set(string.hexdigits)


class BoardLink:
    """The connection to the board, open while sensors or lamps are in use."""

    def __init__(self, settings: Mapping[str, Any], context: DriverContext) -> None:
        """Raises `HardwareFault` if pyserial is missing or the remembered board cannot be read."""
        port.need_pyserial()
        self._context = context
        self._pattern: str = settings["port"]
        self._memory = BoardIdentity(settings["board"], context.state / "board-link.txt")
        self._tuning = Tuning(
            settings["debounce_down_ms"],
            settings["debounce_up_ms"],
            settings["current_limit_ma"],
            settings["lamp_order"],
        )
        # Sensors and lamps use the same port, which stays open while one of them needs it.
        self._users: set[str] = set()
        self.line: SerialLine | None = None

    def use(self, user: str) -> SerialLine:
        """Return the connection. The first user opens it."""
        self._users.add(user)
        if self.line is None:
            site, now = self._context, self._context.clock()
            session = Session(site.sensors, site.lamps, self._tuning, self._check_board, now, spares=site.spares)
            self.line = SerialLine(session, self._find, site.clock, site.report_state)
        return self.line

    def leave(self, user: str) -> None:
        """Release the connection. The last user closes it."""
        self._users.discard(user)
        if self.line is not None and not self._users:
            self.line.close()
            self.line = None

    def about(self) -> str:
        """Return what is connected, or an empty text before the board has identified itself."""
        board = None if self.line is None else self.line.session.board
        if self.line is None or board is None:
            return ""
        return Text(
            "board {identity} at {port}, firmware {version}, {sensors} sensors, {lamps} lamps",
            identity=board.identity,
            port=self.line.name,
            version=board.version,
            sensors=board.sensors,
            lamps=board.lamps,
        )

    def _find(self) -> str:
        # Search each time: after it is plugged in again, a board can have another port name.
        return port.find_port(self._pattern, self._memory.expected_board() or None)

    def _check_board(self, hello: Hello) -> str | None:
        count, sensors = self._context.lamps, self._context.sensors
        # Check the version first: with another version, the other fields may have another meaning.
        if hello.protocol != PROTOCOL:
            return Text(
                "The board uses board-link/{theirs}, the table board-link/{ours}. Install this table's "
                "firmware on it with `sniperboard board flash`.",
                theirs=hello.protocol,
                ours=PROTOCOL,
            )
        if mismatch := self._memory.mismatch(hello.identity):
            return mismatch
        if hello.lamps < count and not sensors:
            return Text(
                "The board has {lamps} lamps, and this map needs {count}. Choose a smaller map. If more are "
                "soldered, correct the numbers in the board's config.py.",
                lamps=hello.lamps,
                count=count,
            )
        if hello.sensors < sensors or hello.lamps < count:
            return Text(
                "The board has {sensors} sensors and {lamps} lamps, and this map needs {needed} and {count}. "
                "Choose a smaller map. If more are soldered, correct the numbers in the board's config.py.",
                sensors=hello.sensors,
                lamps=hello.lamps,
                needed=sensors,
                count=count,
            )
        # Only a board that fits becomes the known one.
        self._memory.remember(hello.identity)
        return None


class LinkSensors:
    """The board's sensors (`ports.Sensors`)."""

    def __init__(self, link: BoardLink, count: int) -> None:
        self.count = count
        self.link = link

    def start(self, report: Callable[[Edge | UnsettledContact], None]) -> None:
        """Report every edge from now on. A missing board reports its covered sensors once it is connected."""
        line = self.link.use("sensors")
        line.listen(report)
        # Wait briefly for the pieces that stand on the board.
        line.wait(lambda session: session.known, FIRST_LOOK)

    def stop(self) -> None:
        if self.link.line is not None:
            self.link.line.listen(None)
        self.link.leave("sensors")


class LinkLamps:
    """The board's lamps (`ports.Lamps`)."""

    def __init__(self, link: BoardLink, count: int) -> None:
        self.count = count
        self.link = link
        self._lit = False

    def show(self, frame: Frame) -> None:
        """Show the frame. A missing board shows the latest one once it is connected."""
        check_length(frame, self.count)
        self._lit = True
        self.link.use("lamps").show(frame)

    def stop(self) -> None:
        """Turn the lamps off if they were used, and release the connection."""
        if self._lit:
            line = self.link.use("lamps")
            line.show((DARK,) * self.count)
            # Wait for the acknowledgement, because closing the port would drop the dark picture.
            line.wait(lambda session: session.agreed, LAST_WORD)
            self._lit = False
        self.link.leave("lamps")


def open_board_link(settings: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open a board on a USB cable. Raises `HardwareFault`."""
    link = BoardLink(settings, context)
    return OpenedParts(LinkSensors(link, context.sensors), LinkLamps(link, context.lamps), about=link.about)


KIND = DriverKind(
    parts=("sensors", "lamps"),
    options=(
        DriverOption("port", port.PICO, "Name of the board's port, or a pattern with *."),
        DriverOption("board", "", "The board's unique number. Empty: the first board that is connected, from then on."),
        DriverOption("debounce_down_ms", 10, "Milliseconds of steady contact until a sensor is down.", 0, 255),
        DriverOption("debounce_up_ms", 25, "Milliseconds without contact until a sensor is up.", 0, 255),
        DriverOption("current_limit_ma", 3000, "Current limit of all lamps together, in mA.", 1, 65535),
        DriverOption("lamp_order", "GRB", "Order of a lamp's colours.", choices=ORDERS),
    ),
    open=open_board_link,
    needs=Needs(
        ("serial",),
        devices=("dev/sniperboard", "dev/ttyACM*"),
        groups=("dialout",),
        remedy="Plug the board's USB cable in; if it is, press its reset button, or try another cable.",
    ),
)
