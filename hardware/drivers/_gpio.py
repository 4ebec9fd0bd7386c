"""Access to a Raspberry Pi's header pins through gpiozero, with errors as messages.

gpiozero would silently try one backend after another; this module uses only lgpio, unless `GPIOZERO_PIN_FACTORY` names
another backend or a program has set `gpiozero.Device.pin_factory`, as the models of the tests do.
"""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from engine.text import Text
from hardware.drivers import DriverOption, Needs
from hardware.ports import HardwareFault

LAST_PIN = 27
"""The highest GPIO number on the 40-pin header."""

SPI_PINS = frozenset({9, 10, 11})
"""MISO, MOSI and clock of SPI port 0. Its select pins are 8 and 7."""

INSTALL = Text(
    'Install them: sudo make install ARGS="--with gpio" in the project\'s folder (without the service: pip install '
    "gpiozero lgpio, and from Python 3.13 on gpiozero adafruit-lgpio)"
)
SPI_GROUP = Text("Add the user to the group that owns them (sudo adduser USER spi), and log in again")
GPIO_GROUP = Text("Add the user to the group that owns them (sudo adduser USER gpio), and log in again")


MODULES = ("gpiozero", "lgpio")


def pin_needs(remedy: str) -> Needs:
    """Return what a driver needs that uses plain pins."""
    return Needs(MODULES, "gpio", ("dev/gpiochip*",), ("gpio",), remedy)


def pin_option(name: str, default: int, help: str, lowest: int = 0) -> DriverOption:
    """Return an option that is a GPIO number."""
    return DriverOption(name, default, help, lowest, LAST_PIN)


def pin_factory() -> Any:
    """Return the pin factory for opening devices. Raises `HardwareFault`."""
    try:
        from gpiozero import Device

        with library_errors(Text("The GPIO pins")):
            # All drivers share gpiozero's factory, because it knows which pins are in use.
            if Device.pin_factory is None:
                named = os.environ.get("GPIOZERO_PIN_FACTORY")
                Device.pin_factory = Device._default_pin_factory() if named else _lgpio()
            return Device.pin_factory
    except ImportError as error:
        raise HardwareFault(
            "The library of the GPIO pins is missing ({error}). {install}.", error=str(error), install=INSTALL
        ) from error


def _lgpio() -> Any:
    try:
        from gpiozero.pins.lgpio import LGPIOFactory
    except FileNotFoundError as error:
        raise HardwareFault(
            "lgpio cannot make its file in {folder}. Start in a writable folder, or name one in LG_WD.",
            folder=os.getcwd(),
        ) from error
    return LGPIOFactory()


@contextmanager
def library_errors(what: str) -> Iterator[None]:
    """Convert errors of gpiozero and lgpio inside the block into `HardwareFault` with the likely remedy.

    `what` names the hardware in the message.
    """
    from gpiozero import exc

    with warnings.catch_warnings():
        # Turn gpiozero's fallback warnings into errors.
        warnings.simplefilter("error", exc.SPISoftwareFallback)
        warnings.simplefilter("error", exc.PinFactoryFallback)
        try:
            yield
        except HardwareFault:
            raise
        except Exception as error:
            sentence = _message(what, error)
            # An unknown exception is a bug of this program, not a fault of the hardware.
            if sentence is None:
                raise
            raise HardwareFault(sentence) from error


def _message(what: str, error: Exception) -> Text | None:
    """Return the message for an exception of gpiozero or lgpio, or None for any other exception."""
    from gpiozero import GPIOZeroError, exc

    message = str(error)
    if isinstance(error, exc.PinUnknownPi):
        return Text(
            "{what}: this computer is not a Raspberry Pi. Use another driver, or play on the simulated board.",
            what=what,
        )
    if isinstance(error, exc.GPIOPinInUse):
        return Text("{what}: {error}. Give every driver pins of its own.", what=what, error=message)
    if isinstance(error, exc.SPISoftwareFallback):
        return Text(
            "{what}: the SPI port cannot be opened ({error}). Switch SPI on (sudo raspi-config nonint do_spi "
            "0, then restart). {group}.",
            what=what,
            error=message,
            group=SPI_GROUP,
        )
    if isinstance(error, GPIOZeroError | exc.PinFactoryFallback):
        return Text("{what}: {error}. Check the pin numbers in the driver's table.", what=what, error=message)
    if type(error).__module__ == "lgpio":  # its exceptions have no common base class
        return Text("{what}: {error}. {group}.", what=what, error=message, group=GPIO_GROUP)
    return None
