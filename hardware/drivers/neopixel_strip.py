"""A strip of NeoPixels (WS2812B, SK6812) on a Raspberry Pi's pin, through Adafruit's library.

The library is adafruit-circuitpython-neopixel. The pin depends on the computer. Pi 3, 4 and Zero 2 W: GPIO 10 through
the SPI port, without root; 12, 18 and 21 need root. Pi 5: any pin, if /dev/pio0 belongs to the user's group. A strip
needs 5 V data, so use a level shifter (74AHCT125).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from engine.text import Text
from hardware.drivers import DriverContext, DriverKind, DriverOption, Needs, OpenedParts, _gpio
from hardware.ports import DARK, Frame, HardwareFault, check_length

ORDERS = ("GRB", "RGB", "BGR", "GRBW", "RGBW")
SPI_PIN = 10
SPI_BUFFER = Path("/sys/module/spidev/parameters/bufsiz")
"""The file with the number of bytes that the kernel sends at once on an SPI port."""
SPI_BYTES = 12
"""Bytes that rpi_ws281x sends for each lamp on an SPI port: 32 data bits, each as three SPI bits (ws2811.c)."""
SPI_PAUSE = 128
"""The maximum number of additional bytes: the pause that ends a picture."""


class NeopixelStrip:
    """Lamps (`ports.Lamps`) on one wire."""

    def __init__(self, options: Mapping[str, Any], count: int) -> None:
        """Raises `HardwareFault`."""
        self.count = count
        # A look-up table, because gamma is applied to every lamp in every picture.
        self._gamma = bytes(round(255 * (level / 255) ** options["gamma"]) for level in range(256))
        self._options = options
        self._pixels: Any = None
        self._acquire()

    def _acquire(self) -> None:
        """Open the strip and turn it off, because only the first picture shows whether it works."""
        if self._options["pin"] == SPI_PIN:
            # On another pin, rpi_ws281x uses DMA or PIO, which have no such limit.
            _check_buffer(self.count)
        try:
            with _library_errors():
                import board
                import neopixel

                pin = getattr(board, f"D{self._options['pin']}")
                order = self._options["order"]
                self._pixels = neopixel.NeoPixel(pin, self.count, bpp=len(order), auto_write=False, pixel_order=order)
                self._pixels.show()
        except HardwareFault:
            self.stop()
            raise

    def show(self, frame: Frame) -> None:
        check_length(frame, self.count)
        if self._pixels is None:
            self._acquire()
        gamma = self._gamma
        with _library_errors():
            self._pixels[:] = [(gamma[red], gamma[green], gamma[blue]) for red, green, blue in frame]
            self._pixels.show()

    def stop(self) -> None:
        """Turn the lamps off and release the pin, even if turning off fails."""
        pixels, self._pixels = self._pixels, None
        if pixels is None:
            return
        try:
            with _library_errors():
                pixels[:] = [DARK] * self.count
                pixels.show()
        except HardwareFault:
            pass
        # The pin is released in any case, so that another driver can use it.
        finally:
            pixels.pin.deinit()


@contextmanager
def _library_errors() -> Iterator[None]:
    """Convert the library's errors inside the block into `HardwareFault` with the remedy."""
    try:
        yield
    except ImportError as error:
        raise HardwareFault(
            "The library of the lamps is missing ({error}). Install it: sudo make install "
            'ARGS="--with gpio neopixel" in the project\'s folder (without the service: pip install '
            "adafruit-circuitpython-neopixel gpiod, and on a Pi 3, 4 or Zero 2 W rpi_ws281x).",
            error=str(error),
        ) from error
    except NotImplementedError as error:
        raise HardwareFault(
            "The lamps: this computer cannot drive NeoPixels ({error}). Use another driver for the lamps.",
            error=str(error),
        ) from error
    # `board` has an attribute for each pin of this computer, and no others.
    except AttributeError as error:
        raise HardwareFault(
            "The lamps: this computer has no such pin ({error}). Choose another pin.", error=str(error)
        ) from error
    except (RuntimeError, OSError, ValueError) as error:
        raise HardwareFault(
            "The lamps: {error}. On a Pi 3, 4 or Zero 2 W use pin {pin} with SPI switched on, which needs no "
            "root. {group}. On a Pi 5 the group gpio must own /dev/pio0.",
            error=str(error),
            pin=SPI_PIN,
            group=_gpio.SPI_GROUP,
        ) from error


def _check_buffer(count: int) -> None:
    """Raise `HardwareFault` if a picture is longer than the kernel's SPI buffer, which would cut it off silently."""
    try:
        limit = int(SPI_BUFFER.read_text())
    except (OSError, ValueError):
        return
    need = count * SPI_BYTES + SPI_PAUSE
    if need > limit:
        raise HardwareFault(
            "The lamps: a picture of {count} lamps takes {need} bytes, and the SPI port sends {limit} at once. "
            "Add spidev.bufsiz={need} to the kernel's command line, then restart; or use another pin.",
            count=count,
            need=need,
            limit=limit,
        )


def open_strip(options: Mapping[str, Any], context: DriverContext) -> OpenedParts:
    """Open the strip (`drivers.DriverKind`). Raises `HardwareFault`."""
    words = Text("{count} lamps on GPIO {pin}", count=context.count, pin=options["pin"])
    return OpenedParts(lamps=NeopixelStrip(options, context.count), about=lambda: words)


KIND = DriverKind(
    parts=("lamps",),
    options=(
        _gpio.pin_option(
            "pin", SPI_PIN, "The GPIO of the data wire. Not 10 with shift registers, which use SPI port 0."
        ),
        DriverOption("order", "GRB", "The order of the colours on the wire.", choices=ORDERS),
        DriverOption("gamma", 1.0, "Gamma correction of the lamps: 1 for none, 2.2 to 2.8 for even steps.", 1.0, 4.0),
    ),
    open=open_strip,
    # The SPI port also drives its chip select, GPIO 8.
    pins=lambda options: frozenset({8, *_gpio.SPI_PINS} if options["pin"] == SPI_PIN else {options["pin"]}),
    needs=Needs(("board", "neopixel"), "gpio neopixel", groups=("gpio", "spi")),
)
