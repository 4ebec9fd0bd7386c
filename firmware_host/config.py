"""The settings: name, default, help. Read once at the start into a frozen value; the command line wins over the file.

The file is TOML with one table, `[sniperboard]`. A setting that nobody knows is an error, and so is one out of bounds;
all faults are told at once.
"""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct


class Setting(Struct, frozen=True):
    """One setting. `low` and `high` bound a number."""

    name: str
    default: Any
    help: str
    low: float | None = None
    high: float | None = None


SETTINGS: tuple[Setting, ...] = (
    Setting("map", "launch-facility", "The map that the lobby offers first: a name of the maps folder."),
    Setting("host", "0.0.0.0", "The address to listen on; 127.0.0.1 for this computer alone."),
    Setting("port", 8000, "The port of the screens.", 0, 65535),
    Setting("state", ".state", "The folder that keeps the games; private to the service user."),
    Setting("board", "simulated", "The board's driver: simulated."),
    Setting("brightness", 1.0, "How bright the lamps are, 0.05 to 1.", 0.05, 1.0),
    Setting("palette", "night", "The lamps' colours: night, or one of the others in docs/lights.md."),
    Setting("current_limit_ma", 2000, "What the lamps may draw from their supply, in mA.", 150, 20000),
    Setting("debounce_down_ms", 10, "How long a sensor must be steady before something is there, in ms.", 0, 200),
    Setting("debounce_up_ms", 25, "How long a sensor must be steady before it is empty, in ms.", 0, 500),
    Setting("rest_ms", 80, "How long a miniature stands before it has come to rest, in ms.", 0, 2000),
    Setting("extendable_ms", 250, "The same where it could still slide on, in ms.", 0, 5000),
    Setting("streams", 32, "How many screens may follow the table at once.", 1, 256),
)


class Settings(Struct, frozen=True):
    """Every setting, checked. Times are milliseconds, currents milliamperes; see `SETTINGS` for the rest."""

    map: str
    host: str
    port: int
    state: str
    board: str
    brightness: float
    palette: str
    current_limit_ma: int
    debounce_down_ms: int
    debounce_up_ms: int
    rest_ms: int
    extendable_ms: int
    streams: int


class ConfigError(Exception):
    """All that is wrong with the settings, a line each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read_file(path: Path) -> dict[str, Any]:
    """The settings of a file. Raises `ConfigError`."""
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({error.strerror}). Check --config."]) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError([f"{path}: not TOML ({error}). Mend that line."]) from error
    found = document.pop("sniperboard", {})
    faults = [f"{path}: there is no table [{name}]; all settings stand in [sniperboard]." for name in document]
    if not isinstance(found, dict):
        faults.append(f"{path}: write [sniperboard] as a table.")
    if faults:
        raise ConfigError(faults)
    return dict(found)


def settle(*layers: Mapping[str, Any]) -> Settings:
    """The settings from all layers, the later the stronger; None means not given. Raises `ConfigError`."""
    known = {setting.name: setting for setting in SETTINGS}
    values = {name: setting.default for name, setting in known.items()}
    faults: list[str] = []
    for layer in layers:
        for name, value in layer.items():
            if name not in known:
                faults.append(_unknown(name, list(known)))
            elif value is not None:
                faults.extend(_fault(known[name], value))
                values[name] = value
    if faults:
        raise ConfigError(faults)
    return Settings(**values)


def _unknown(name: str, known: list[str]) -> str:
    guess = difflib.get_close_matches(name, known, 1)
    hint = f"Did you mean {guess[0]}?" if guess else f"Known are {', '.join(known)}."
    return f"{name}: unknown setting. {hint}"


def _fault(setting: Setting, value: Any) -> list[str]:
    kind = type(setting.default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        return [f"{setting.name}: expected {kind.__name__}, got {value!r}. {setting.help}"]
    if setting.low is not None and setting.high is not None and not setting.low <= value <= setting.high:
        return [f"{setting.name}: {value} is not between {setting.low} and {setting.high}. {setting.help}"]
    return []
