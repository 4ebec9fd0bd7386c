"""Lamps of a WLED controller in the network: an ESP32 or ESP8266 that is sold ready-made with a terminal for the strip.

No library is needed. Pictures are sent as DDP over UDP (3waylabs.com/ddp), which WLED accepts on port 4048 if it may
receive real-time data. It falls back to its own effects 2.5 s after the last packet (its setting "Timeout"), so each
picture is repeated every second. UDP has no answers. So the driver reads the controller's /json/info regularly, to
check that the controller answers, has enough LEDs, and shows received pictures (kno.wled.ge/interfaces/json-api).
"""

from __future__ import annotations

import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException, InvalidURL
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, Needs, OpenedParts
from hardware.ports import DARK, Frame, HardwareFault, check_length

VERSION_1, PUSH = 0x40, 0x01
"""Flags of a DDP packet. `PUSH` shows everything that has arrived."""
RGB_8, DEFAULT_OUTPUT = 0x0B, 1
"""DDP data type (three colours of eight bits) and destination."""
HEADER = struct.Struct("!BBBBIH")
"""Flags, sequence number (0: none), data type, destination, offset and length in bytes."""
LARGEST = 1440
"""Bytes of lamps in one packet: 480 lamps, so that it fits into an Ethernet frame."""
REPEAT = 1.0
"""Seconds between two packets of an unchanged picture."""
CHECK_EVERY = 5.0
"""Seconds between two checks of the controller."""
TIMEOUT = 2.0
"""Seconds that the controller has to accept a connection, and then for its whole answer."""
LARGEST_ANSWER = 64 * 1024

AWAY = Text(
    "The lamps: no WLED controller answers at {host} ({error}). Is it on and in the same network, and is the address "
    "right?"
)
STRANGE = Text("The lamps: what answers at {host} is not a WLED controller. Check the address in [wled].")
SHORT = Text(
    "The WLED controller at {host} has {have} LEDs, and this map needs {need}. Set the length in WLED: Config, LED "
    "Preferences."
)
DEAF = Text(
    'The WLED controller at {host} does not show what it receives. In WLED, switch on "Receive UDP realtime" (Config, '
    "Sync Interfaces), and end the override on its main page."
)


class Address(NamedTuple):
    """Where a controller answered, as the socket module describes it."""

    family: int
    name: tuple[Any, ...]


class _Leds(Struct, frozen=True):
    count: int


class ControllerInfo(Struct, frozen=True):
    """What a controller says about itself at /json/info: version, LEDs, and whether it shows received pictures."""

    ver: Annotated[str, Meta(pattern=r"^[ -~]{1,40}\Z")]
    leds: _Leds
    live: bool = False


def fetch_info(host: str, port: int) -> tuple[ControllerInfo, Address]:
    """Return what the controller at `host` says about itself, and where it answered. Raises `HardwareFault`."""
    try:
        with closing(HTTPConnection(host, port, timeout=TIMEOUT)) as line:
            line.connect()
            # The socket's timeout applies to each part of the answer, so limit the total time, too.
            limit = threading.Timer(TIMEOUT, _shut_down, [line.sock])
            limit.start()
            try:
                address = Address(line.sock.family, line.sock.getpeername())
                line.request("GET", "/json/info")
                return msgspec.json.decode(line.getresponse().read(LARGEST_ANSWER), type=ControllerInfo), address
            finally:
                limit.cancel()
    except (OSError, UnicodeError, InvalidURL) as error:  # the last two: invalid host names
        raise HardwareFault(AWAY.with_(host=host, error=str(error))) from error
    except (msgspec.DecodeError, HTTPException, ValueError, RecursionError) as error:
        raise HardwareFault(STRANGE.with_(host=host)) from error


def _shut_down(line: socket.socket) -> None:
    with suppress(OSError):  # closed in the meantime
        line.shutdown(socket.SHUT_RDWR)


def packets(frame: Frame) -> Iterator[bytes]:
    """Yield a picture's DDP packets. The last one shows it.

    >>> [packet[:4].hex() for packet in packets(((1, 2, 3),))]
    ['41000b01']
    """
    content = bytes(level for lamp in frame for level in lamp)
    for start in range(0, len(content), LARGEST):
        part = content[start : start + LARGEST]
        # Only the last packet has PUSH: the controller shows all lamps of a picture together.
        flags = VERSION_1 | (PUSH if start + LARGEST >= len(content) else 0)
        yield HEADER.pack(flags, 0, RGB_8, DEFAULT_OUTPUT, start, len(part)) + part


class WledLamps:
    """Lamps (`ports.Lamps`) of a controller. One thread repeats the picture, another checks the controller."""

    def __init__(self, options: Mapping[str, Any], count: int, report_state: Callable[[str | None], None]) -> None:
        """Raises `HardwareFault` if the controller doesn't answer, or has too few LEDs."""
        self.count = count
        self._host: str = options["host"]
        self._ports: tuple[int, int] = (options["http_port"], options["port"])
        self._report_state = report_state
        self._guard = threading.Lock()
        self._picture: Frame = (DARK,) * count
        self._address: Address | None = None
        self._socket: socket.socket | None = None
        self._ended = threading.Event()
        self._state: str | None = None
        # The controller shows pictures only once it receives them, so `live` is not expected yet.
        self.version = self._check(shows=False)
        self._open()

    def _check(self, *, shows: bool) -> str:
        """Return the controller's version, and follow it to a new address. Raises `HardwareFault`, also if pictures are
        being sent but not shown.
        """
        info, address = fetch_info(self._host, self._ports[0])
        if info.leds.count < self.count:
            raise HardwareFault(SHORT.with_(host=self._host, have=info.leds.count, need=self.count))
        if address != self._address:
            self._move(address)
        elif shows and not info.live:
            raise HardwareFault(DEAF.with_(host=self._host))
        return info.ver

    def _move(self, address: Address) -> None:
        """Send pictures to this address from now on. A router can change the controller's address at any time."""
        with self._guard:
            before = self._socket
            if before is not None:
                self._socket = self._connect(address)
                before.close()
                self._send()
            self._address = address

    def _connect(self, address: Address) -> socket.socket:
        """Return a socket that sends to the controller. Raises `HardwareFault`."""
        host, _, *scope = address.name
        try:
            opened = socket.socket(address.family, socket.SOCK_DGRAM)
            opened.connect((host, self._ports[1], *scope))
        except OSError as error:
            raise HardwareFault(AWAY.with_(host=self._host, error=str(error))) from error
        return opened

    def _open(self) -> None:
        assert self._address is not None, "the first check has found the controller"
        # A new event for each opening, so that threads of an earlier opening stay ended.
        self._socket, self._ended = self._connect(self._address), threading.Event()
        # A slow answer must not delay the picture: the controller would show its own effects.
        for work in (self._repeat, self._watch):
            threading.Thread(target=work, args=(self._ended,), name="wled", daemon=True).start()

    def show(self, frame: Frame) -> None:
        check_length(frame, self.count)
        with self._guard:
            self._picture = frame
            if self._socket is None:
                self._open()
            self._send()

    def _send(self) -> None:
        """Send the picture, under the guard. A refused packet is not a fault yet: the next check finds the reason."""
        if self._socket is None:
            return
        for packet in packets(self._picture):
            try:
                self._socket.send(packet)
            except OSError:
                return

    def _repeat(self, ended: threading.Event) -> None:
        while not ended.wait(REPEAT):
            with self._guard:
                # `stop` may have ended this thread while it waited for the guard.
                if not ended.is_set():
                    self._send()

    def _watch(self, ended: threading.Event) -> None:
        while not ended.wait(CHECK_EVERY):
            self.check()

    def check(self) -> None:
        """Report the controller's state if it has changed."""
        before, self._state = self._state, None
        try:
            self._check(shows=True)
        except HardwareFault as fault:
            self._state = fault.sentence
        if self._state != before:
            self._report_state(self._state)

    def stop(self) -> None:
        with self._guard:
            self._ended.set()
            # Without this, the controller would keep the last picture until its own timeout.
            self._picture = (DARK,) * self.count
            self._send()
            if self._socket is not None:
                self._socket.close()
                self._socket = None


def _ask_controller(options: Mapping[str, Any]) -> str:
    """Return what the controller says of itself (`drivers.Needs`). Raises `HardwareFault`."""
    info, _ = fetch_info(options["host"], options["http_port"])
    return Text(
        "WLED {version} at {host} has {count} LEDs", version=info.ver, host=options["host"], count=info.leds.count
    )


def open_controller(options: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open the lamps (`drivers.DriverKind`). Raises `HardwareFault`."""
    lamps = WledLamps(options, context.lamps, context.report_state)
    words = Text(
        "{count} lamps of WLED {version} at {host}", count=lamps.count, version=lamps.version, host=options["host"]
    )
    return OpenedParts(lamps=lamps, about=lambda: words)


KIND = DriverKind(
    parts=("lamps",),
    options=(
        DriverOption("host", "wled.local", "The controller's name or address in the network."),
        DriverOption("port", 4048, "The UDP port on which it receives DDP.", 1, 65535),
        DriverOption("http_port", 80, "The TCP port of its pages.", 1, 65535),
    ),
    open=open_controller,
    needs=Needs(ask=_ask_controller),
)
