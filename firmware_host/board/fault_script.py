"""Read a fault script for the simulated board (`--fault-script FILE`): TOML, or a line of JSON for each fault.

Scripts name spaces or sensors; the wiring maps one to the other. `hardware/faults.py` carries out the faults.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from firmware_host.core.settings import ConfigError
from firmware_host.core.strict import Malformed, decode, decode_toml, text_of
from hardware.faults import Fault, Script, script_errors
from hardware.files import read_regular

LONGEST_LINE = 1 << 16
"""Longest line in bytes. A fault needs about a hundred."""


def read_script(path: Path, sensors: Mapping[str, int], count: int) -> Script:
    """Read a script for a board with `sensors` (space -> number). Raises `ConfigError` with all its errors."""
    try:
        file = read_regular(path)
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({error}). Check --fault-script."]) from error
    try:
        seed, raw = _from_toml(file) if path.suffix == ".toml" else _from_lines(text_of(file))
    except ValueError as error:
        raise ConfigError([f"{path}: {error}. See docs/faults.md."]) from error
    wrong: list[str] = []
    faults = [fault for number, entry in enumerate(raw, 1) if (fault := _fault(entry, sensors, count, number, wrong))]
    if wrong:
        raise ConfigError([f"{path}: {complaint}. See docs/faults.md." for complaint in wrong])
    return Script(tuple(faults), seed)


def _from_toml(file: bytes) -> tuple[int, list[Any]]:
    document = decode_toml(file)
    seed, raw = document.pop("seed", 1), document.pop("fault", [])
    # Compare the exact type: in Python, `true` is an `int`.
    if document or type(seed) is not int or not isinstance(raw, list):
        raise ValueError("a script has a seed (a whole number) and tables [[fault]], and nothing else")
    return seed, raw


def _from_lines(text: str) -> tuple[int, list[Any]]:
    raw = [_line(line, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    # A first line that contains only a seed is not a fault.
    if raw and isinstance(raw[0], dict) and raw[0].keys() == {"seed"} and type(raw[0]["seed"]) is int:
        return raw[0]["seed"], raw[1:]
    return 1, raw


def _line(line: str, number: int) -> Any:
    try:
        return decode(line.encode(), LONGEST_LINE)
    except Malformed as error:
        raise ValueError(f"line {number} {error}") from None


def _fault(entry: Any, sensors: Mapping[str, int], count: int, number: int, wrong: list[str]) -> Fault | None:
    where = f"fault {number}"
    if isinstance(entry, dict) and "space" in entry:
        space = entry["space"]
        if not isinstance(space, str) or space not in sensors or "sensor" in entry:
            wrong.append(f"{where}: give a space with a sensor, or a sensor; {space!r} will not do")
            return None
        # From here on, faults name sensors by number only.
        entry = {**{name: value for name, value in entry.items() if name != "space"}, "sensor": sensors[space]}
    try:
        fault = msgspec.convert(entry, Fault)
    except msgspec.ValidationError as error:
        wrong.append(f"{where}: {error}")
        return None
    wrong += [f"{where}: {complaint}" for complaint in script_errors(fault, count)]
    return fault
