"""Check a board's config.py before it is used: every pin set, possible, and used once. Pure.

The pins of the SPI ports are those of the RP2040 data sheet, table "GPIO functions". GP29 measures VSYS on the Pico.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from typing import Any

SPI = {0: {"DATA": (0, 4, 16, 20), "CLOCK": (2, 6, 18, 22), "UNUSED": (3, 7, 19)}}
SPI[1] = {"DATA": (8, 12, 28), "CLOCK": (10, 14, 26), "UNUSED": (11, 15, 27)}
"""Port -> the pins that `CHAIN_…` may use."""
HEADER = frozenset({*range(23), 26, 27, 28})
ADC = frozenset({26, 27, 28, 29})
PINS = ("CHAIN_CLOCK", "CHAIN_DATA", "CHAIN_LOAD", "CHAIN_UNUSED", "STRIP_PIN")
BOUNDS = {"SENSORS": (1, 1024), "LAMPS": (1, 668), "CHAIN_SPI": (0, 1), "CHAIN_HZ": (10_000, 10_000_000)}
BOUNDS |= {"LIMIT_MA": (1, 65535), "SUPPLY_LOW_MV": (0, 6000)}
FLAGS = ("DOWN_IS_LOW",)
MEASURED = ("SUPPLY_PIN",)
"""May be None: nothing is measured then."""
NEWER = ("LAMP_SUPPLY_PIN",)
"""May be None too; the config.py of an older board doesn't set it."""
CHIPS = ("WS2812", "WS2811")
"""Values of `STRIP_CHIP`, which the config.py of an older board doesn't set: `hardware/pico/strip.py` knows both."""


def config_values(text: str) -> dict[str, Any]:
    """Return the names that a config.py sets to a plain value.

    Raises `SyntaxError` and `ValueError` if the text is not Python.
    """
    found: dict[str, Any] = {}
    for line in ast.parse(text).body:
        if isinstance(line, ast.Assign) and len(line.targets) == 1 and isinstance(line.targets[0], ast.Name):
            try:
                found[line.targets[0].id] = ast.literal_eval(line.value)
            except (ValueError, TypeError):
                # Not a plain value: `faults` reports it.
                found[line.targets[0].id] = ...
    return found


def config_faults(config: Mapping[str, Any]) -> Iterator[str]:
    """Yield a message for each error in these values."""
    for name in (*PINS, *BOUNDS, *FLAGS, *MEASURED):
        if name not in config:
            yield f"{name} is missing: write it as in the shipped config.py."
        elif config[name] is ...:
            yield f"{name} has to be a plain value."
        else:
            yield from _value_faults(name, config[name])
    for name in NEWER:
        yield from _value_faults(name, config.get(name))
    if config.get("STRIP_CHIP", CHIPS[0]) not in CHIPS:
        yield f"STRIP_CHIP is one of {', '.join(CHIPS)}, not {config['STRIP_CHIP']!r}."
    yield from _port_faults(config)
    yield from _doubled_pins(config)


def _value_faults(name: str, value: Any) -> Iterator[str]:
    if name in FLAGS:
        if not isinstance(value, bool):
            yield f"{name} is True or False, not {value!r}."
    elif name in (*MEASURED, *NEWER):
        if value is not None and value not in ADC:
            yield f"{name}: {value!r} cannot measure; GP26 to GP29 can. None measures nothing."
    elif type(value) is not int:
        yield f"{name} is a whole number, not {value!r}."
    elif name in BOUNDS:
        low, high = BOUNDS[name]
        if not low <= value <= high:
            yield f"{name}: {value} is not between {low} and {high}."
    elif value not in HEADER:
        yield f"{name}: a Pico has no pin GP{value}."


def _port_faults(config: Mapping[str, Any]) -> Iterator[str]:
    port = config.get("CHAIN_SPI")
    for part, possible in SPI.get(port if type(port) is int else -1, {}).items():
        pin = config.get(f"CHAIN_{part}")
        if type(pin) is int and pin in HEADER and pin not in possible:
            names = ", ".join(f"GP{one}" for one in possible)
            yield f"CHAIN_{part}: GP{pin} is no such pin of SPI{port}; there are {names}."


def _doubled_pins(config: Mapping[str, Any]) -> Iterator[str]:
    owners: dict[int, str] = {}
    for name in (*PINS, *MEASURED, *NEWER):
        pin = config.get(name)
        if type(pin) is int and pin in owners:
            yield f"{name}: GP{pin} is already that of {owners[pin]}."
        elif type(pin) is int:
            owners[pin] = name
