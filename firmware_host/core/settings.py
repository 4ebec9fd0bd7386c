"""The settings, each with name, type, default and help. The command line overrides the file.

The file is TOML: the table `[sniperboard]`, and one table for each driver with options, under the driver's name. An
unknown setting is an error, and so is a value out of range. All errors are reported at once.
"""

from __future__ import annotations

import difflib
import logging
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import time
from enum import Enum
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from firmware_host.core.lamp_colours import PALETTES
from firmware_host.core.mqtt_checks import mqtt_faults
from firmware_host.core.proxies import Proxies
from firmware_host.core.strict import NotUtf8, decode_toml
from hardware import drivers
from hardware.drivers import DriverOption, NoSuchDriver
from hardware.files import read_regular

T = TypeVar("T")

log = logging.getLogger("firmware_host")

SETTING = "setting"
"""Metadata key of a field that is a setting."""
NO_DRIVER = "none"
"""The value that selects no driver."""
DEFAULT_MAP = "launch-facility"
"""The map where no other one is chosen."""
LANGUAGE_FILES = Path(__file__).parents[2] / "web_panel" / "languages"
"""One catalogue for each language of the screens."""
LANGUAGES = ("", *sorted(path.stem for path in LANGUAGE_FILES.glob("*.po")))


class Change(Enum):
    """When a setting can change."""

    AT_START = "at the next start"
    ON_RELOAD = "on reload"
    ON_ADMIN_PAGE = "on the admin page or on reload"


AT_START, ON_RELOAD, ON_ADMIN_PAGE = Change.AT_START, Change.ON_RELOAD, Change.ON_ADMIN_PAGE


class Setting(DriverOption, frozen=True):
    """One setting of the table itself.

    `path`: the value is a place on the disk. `private`: the value is personal data. Reports show neither of these.
    `time`: a time of day such as 22:30, or empty.
    """

    change: Change = AT_START
    path: bool = False
    time: bool = False
    private: bool = False


def setting(default: T, help: str, low: float | None = None, high: float | None = None, **about: Any) -> T:
    """Declare a setting of `Settings`; its type is that of `default`. See `Setting` and `Option` for the rest."""
    # This lets type checkers see the type of the default.
    declaration: T = field(default=default, metadata={SETTING: Setting("", default, help, low, high, **about)})
    return declaration


@dataclass(frozen=True, kw_only=True)
class Settings:
    """All settings. Command line, file, admin page and documentation are generated from these declarations.

    Times are in milliseconds, currents in milliamperes. `drivers` maps driver to option to value, with every option of
    each driver in use; `given` has the names of the settings that were set.
    """

    map: str = setting(DEFAULT_MAP, "Map selected by default in the lobby: a folder name in maps.")
    host: str = setting("0.0.0.0", "Address to listen on; 127.0.0.1 accepts only this computer.")
    port: int = setting(8000, "Port of the web server.", 0, 65535)
    extra_hostnames: str = setting(
        "", "Additional host names the server accepts, comma-separated (for example table.example.org)."
    )
    trusted_proxies: str = setting(
        "",
        "Reverse proxies whose forwarding headers are trusted: addresses or networks, comma-separated, for example "
        "127.0.0.1 (docs/playing-elsewhere.md). Empty for none.",
    )
    state: str = setting(".state", "Folder that stores the games; readable by the service user only.", path=True)
    board: str = setting(
        "simulated", "Driver of the sensors, and of the lamps if it has any: a file name in hardware/drivers."
    )
    lamps: str = setting("", "Driver of the lamps; empty to use the board's, none for a table without lamps.")
    controls: str = setting("", "Drivers of buttons and buzzer, comma-separated; empty for none.")
    brightness: float = setting(1.0, "Brightness of the lamps, 0.05 to 1.", 0.05, 1.0, change=ON_ADMIN_PAGE)
    palette: str = setting(
        "night", "Colours of the lamps, shown in docs/lights.md.", choices=tuple(PALETTES), change=ON_ADMIN_PAGE
    )
    quiet_from: str = setting(
        "",
        "Start of quiet hours, with dimmed lamps and no sound, for example 22:30. Empty for none.",
        change=ON_ADMIN_PAGE,
        time=True,
    )
    quiet_to: str = setting("", "End of quiet hours, for example 07:00.", change=ON_ADMIN_PAGE, time=True)
    quiet_brightness: float = setting(
        0.15, "Brightness of the lamps in quiet hours, 0.02 to 1.", 0.02, 1.0, change=ON_ADMIN_PAGE
    )
    current_limit_ma: int = setting(2000, "Maximum current of all lamps, in mA.", 150, 20000, change=ON_RELOAD)
    debounce_down_ms: int = setting(10, "Time a sensor must be closed before it counts as occupied, in ms.", 0, 200)
    debounce_up_ms: int = setting(25, "Time a sensor must be open before it counts as empty, in ms.", 0, 500)
    rest_ms: int = setting(80, "Time a miniature must stand still before its move counts, in ms.", 0, 2000)
    slide_settle_ms: int = setting(250, "The same for a miniature that could still slide on, in ms.", 0, 5000)
    bot_pause_ms: int = setting(
        1500, "Pause between a bot's actions, so that players can follow, in ms.", 100, 60000, change=ON_RELOAD
    )
    bot_thought_ms: int = setting(
        1000,
        "Maximum search time of an expert bot for an action, in ms; 0 to rate actions without a search.",
        0,
        60000,
        change=ON_RELOAD,
    )
    turn_minutes: int = setting(
        0,
        "Time for a turn on the turn clock, in minutes; 0 for no clock. It only reminds the players.",
        0,
        60,
        change=ON_ADMIN_PAGE,
    )
    possible_hints: bool = setting(
        False, "Offer a lobby option that shows all players where the sniper can be.", change=ON_RELOAD
    )
    seat_pins: bool = setting(True, "Ask for a PIN when a player takes a seat.", change=ON_ADMIN_PAGE)
    guide_all_moves: bool = setting(
        True,
        "Show all corrections that a game asks for at once, in any order; off to show one at a time.",
        change=ON_ADMIN_PAGE,
    )
    lamp_boards: bool = setting(
        False,
        "The lamps form a track board for games without a map; the simulated board always has one.",
        change=ON_RELOAD,
    )
    fault_script: str = setting(
        "", "Script of faults for the simulated board (docs/faults.md); empty for none.", path=True
    )
    sound: bool = setting(True, "Allow the buzzer outside quiet hours.", change=ON_ADMIN_PAGE)
    language: str = setting(
        "",
        "Language of devices that request no available language; empty for English.",
        choices=LANGUAGES,
        change=ON_ADMIN_PAGE,
    )
    poweroff: bool = setting(False, "Allow the admin page to switch off the machine (systemd/README.md).")
    https: bool = setting(
        False, "Serve the screens over https; the table creates a certificate at the start, see the page /trust."
    )
    certificate: str = setting(
        "", "PEM file with your own https certificate and its key; empty to create one.", path=True
    )
    second_port: int = setting(
        0,
        "Second port: 80 for addresses without a port, which the hotspot needs (docs/travelling.md); 0 for none.",
        0,
        65535,
    )
    hotspot: bool = setting(False, "Manage the network, and open a Wi-Fi if there is no network (docs/travelling.md).")
    max_streams: int = setting(
        32,
        "Maximum number of screens that receive updates at once: two more than the seats of a game, or more.",
        1,
        256,
    )
    mqtt_broker: str = setting(
        "", "Host of the MQTT broker to publish to (docs/mqtt.md); empty for none.", private=True
    )
    mqtt_port: int = setting(0, "Port of the broker; 0 for the default: 1883, or 8883 with TLS.", 0, 65535)
    mqtt_tls: bool = setting(False, "Encrypt the connection to the broker.")
    mqtt_ca: str = setting(
        "",
        "PEM file with the authority of the broker's certificate; empty for the system's authorities.",
        path=True,
    )
    mqtt_user: str = setting("", "User name at the broker; empty for none.", private=True)
    mqtt_password: str = setting("", "File with the password of that user; empty for none.", path=True, private=True)
    mqtt_prefix: str = setting("sniperboard", "Prefix of the table's topics; the same for all tables of a club.")
    mqtt_table: str = setting("", "ID of the table at the broker, unique in a club; empty for the machine's name.")
    mqtt_name: str = setting("", "Name of the table on screens; empty for its ID.")
    mqtt_discovery: str = setting(
        "homeassistant", "Prefix of the topics for discovery by Home Assistant; empty to disable discovery."
    )
    mqtt_commands: bool = setting(
        False, "Accept commands over MQTT, each with the admin PIN; use TLS, because commands contain the PIN."
    )
    drivers: Mapping[str, Mapping[str, Any]]
    given: frozenset[str] = frozenset()


SETTINGS: tuple[Setting, ...] = tuple(
    msgspec.structs.replace(field.metadata[SETTING], name=field.name)
    for field in fields(Settings)
    if SETTING in field.metadata
)
"""All settings, in the order of their declarations."""

FORMER_NAMES: Mapping[str, str] = {
    "names": "extra_hostnames",
    "faults": "fault_script",
    "streams": "max_streams",
    "extendable_ms": "slide_settle_ms",
    "carries_together": "guide_all_moves",
}
"""Former name of a setting, which is still accepted -> its name."""


def with_current_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of settings under their current names, without None, which means that a value was not given."""
    present = {name: value for name, value in values.items() if value is not None}
    former = {FORMER_NAMES[name]: value for name, value in present.items() if name in FORMER_NAMES}
    for name in present.keys() & FORMER_NAMES.keys():
        log.warning("The setting %s is now called %s. Its former name still works.", name, FORMER_NAMES[name])
    # If both names are given, the current one is used.
    return former | {name: value for name, value in present.items() if name not in FORMER_NAMES}


class ConfigError(Exception):
    """All errors in the settings, one a line."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read_file(path: Path) -> dict[str, Any]:
    """Return the settings of a file, and each driver's table under its name. Raises `ConfigError`."""
    try:
        document = decode_toml(read_regular(path))
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({error.strerror}). Check --config."]) from error
    except NotUtf8 as error:
        raise ConfigError([f"{path}: {error}."]) from error
    except ValueError as error:
        raise ConfigError([f"{path}: {error}. Correct that line."]) from error
    table = document.pop("sniperboard", {})
    loose = [name for name, value in document.items() if not isinstance(value, dict)]
    faults = [f"{path}: {name} is in no table; move it below [sniperboard]." for name in loose]
    if not isinstance(table, dict):
        raise ConfigError([f"{path}: write [sniperboard] as a table.", *faults])
    faults += [f"{path}: write [{name}], not [sniperboard.{name}]." for name in table if isinstance(table[name], dict)]
    if faults:
        raise ConfigError(faults)
    return {**table, **document}


def settle(*layers: Mapping[str, Any]) -> Settings:
    """Return the settings from all layers; later layers override earlier ones. None means that a value was not given.

    Raises `ConfigError`.
    """
    by_name = {setting.name: setting for setting in SETTINGS}
    values = {name: setting.default for name, setting in by_name.items()}
    tables: dict[str, dict[str, Any]] = {}
    faults: list[str] = []
    set_names: set[str] = set()
    for layer in layers:
        for name, value in with_current_names(layer).items():
            # A driver's table. Each layer may set some of its options.
            if isinstance(value, Mapping):
                tables[name] = {**tables.get(name, {}), **value}
            elif name not in by_name:
                faults.append(_unknown_name(name, "setting", list(by_name)))
            else:
                faults.extend(faults_of(by_name[name], value))
                values[name] = value
                set_names.add(name)
    faults += _table_faults(tables)
    if faults:
        raise ConfigError(faults)
    # These checks need values that are valid by themselves, so they come second.
    if faults := [*_driver_faults(values), *mqtt_faults(values), *_faults_together(values)]:
        raise ConfigError(faults)
    used = {values["board"], values["lamps"] or values["board"], *split_names(values["controls"])} - {NO_DRIVER}
    chosen = {name: _all_options(name, tables.get(name, {})) for name in sorted(used)}
    if faults := _pin_faults(chosen):
        raise ConfigError(faults)
    return Settings(**values, drivers=chosen, given=frozenset(set_names))


def split_names(text: str) -> tuple[str, ...]:
    """Return the names in a comma-separated text."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


# --- drivers ----------------------------------------------------------------------------------------------------


def _table_faults(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return the errors in the drivers' tables, unused drivers included."""
    faults = []
    for name, table in tables.items():
        if name not in drivers.names():
            faults.append(
                _unknown_name(f"[{name}]", "table", ["[sniperboard]", *(f"[{driver}]" for driver in drivers.names())])
            )
            continue
        by_name = {option.name: option for option in drivers.find(name).options}
        for key, value in table.items():
            if key not in by_name:
                faults.append(f"[{name}] " + _unknown_name(key, "option", list(by_name)))
            else:
                faults += [f"[{name}] {fault}" for fault in faults_of(by_name[key], value)]
    return faults


def _driver_faults(values: Mapping[str, Any]) -> list[str]:
    """Return an error for each driver that does not exist or lacks the part that it is set for."""
    faults = _missing_parts("board", values["board"], ("sensors",))
    if values["lamps"] not in ("", NO_DRIVER):
        faults += _missing_parts("lamps", values["lamps"], ("lamps",))
    elif not values["lamps"] and not faults and "lamps" not in drivers.find(values["board"]).parts:
        others = ", ".join(drivers.names("lamps"))
        faults.append(f"lamps: the driver {values['board']} has none. Name one that has ({others}), or {NO_DRIVER}.")
    for name in split_names(values["controls"]):
        faults += _missing_parts("controls", name, ("buttons", "buzzer"))
    return faults


def _missing_parts(setting: str, name: str, parts: tuple[str, ...]) -> list[str]:
    """Return an error if the driver does not exist or has none of these parts."""
    try:
        kind = drivers.find(name)
    except NoSuchDriver as error:
        return [f"{setting}: {error}"]
    if set(parts) & set(kind.parts):
        return []
    fit = sorted({other for part in parts for other in drivers.names(part)})
    return [f"{setting}: the driver {name} has no {' and no '.join(parts)}. These have: {', '.join(fit)}."]


def _all_options(name: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return every option of a driver, with lists as tuples."""
    # Convert lists, because TOML has lists and the defaults are tuples, and equal options must compare as equal.
    options = {option.name: table.get(option.name, option.default) for option in drivers.find(name).options}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in options.items()}


def _pin_faults(chosen: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Return an error for each pin of the computer that two drivers use."""
    pins_of = {name: drivers.find(name).pins(options) for name, options in chosen.items()}
    return [
        f"{one} and {other} both use GPIO {', '.join(map(str, sorted(both)))}. Give each of them its own pins, or "
        "drive the lamps with a Pico (docs/hardware.md, “Straight on a Raspberry Pi”)."
        for one, other in combinations(pins_of, 2)
        if (both := pins_of[one] & pins_of[other])
    ]


def _faults_together(values: Mapping[str, Any]) -> Iterator[str]:
    """Yield the errors of values that are valid by themselves, but not together."""
    try:
        quiet_hours(values["quiet_from"], values["quiet_to"])
    except ValueError as error:
        yield f"quiet_from, quiet_to: {error}."
    try:
        Proxies(split_names(values["trusted_proxies"]))
    except ValueError as error:
        yield f"trusted_proxies: {error}. Write addresses or networks, for example 127.0.0.1, 192.168.1.0/24."
    if values["fault_script"] and values["board"] != "simulated":
        yield "fault_script: only the simulated board has fault scripts. Leave it empty, or use --simulate."


# --- one value --------------------------------------------------------------------------------------------------


def _unknown_name(name: str, what: str, valid_names: list[str]) -> str:
    guess = difflib.get_close_matches(name, valid_names, 1)
    hint = f"Did you mean {guess[0]}?" if guess else f"Known are {', '.join(valid_names)}."
    return f"{name}: unknown {what}. {hint}"


def faults_of(option: DriverOption, value: Any) -> list[str]:
    """Return the errors in a value of a setting, one sentence each."""
    if isinstance(option.default, tuple):
        if not isinstance(value, list):
            return [f"{option.name}: expected a list, got {value!r}. {option.help}"]
        # Each item is checked like a setting whose default is the first item.
        single = msgspec.structs.replace(option, default=option.default[0])
        return [fault for item in value for fault in faults_of(single, item)]
    kind = type(option.default)
    # Accept 1 for 1.0, as people write it.
    if kind is float and type(value) is int:
        value = float(value)
    # Compare exact types: in Python, `true` is an `int`.
    if type(value) is not kind:
        # Don't show the value: it may be the password itself instead of its file.
        private = isinstance(option, Setting) and option.private
        actual = type(value).__name__ if private else repr(value)
        return [f"{option.name}: expected {kind.__name__}, got {actual}. {option.help}"]
    if option.low is not None and option.high is not None and not option.low <= value <= option.high:
        return [f"{option.name}: {value} is not between {option.low} and {option.high}. {option.help}"]
    if option.choices and value not in option.choices:
        return [f"{option.name}: {value!r} is none of {', '.join(option.choices)}. {option.help}"]
    return []


_TIME_OF_DAY = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class QuietHours(Struct, frozen=True):
    """From `start` until before `end`, across midnight if the end is earlier. None means no quiet hours."""

    start: time | None = None
    end: time | None = None

    def at(self, moment: time) -> bool:
        """Return whether it is quiet at that time."""
        if self.start is None or self.end is None:
            return False
        if self.start <= self.end:
            return self.start <= moment < self.end
        return moment >= self.start or moment < self.end


def quiet_hours(start: str, end: str) -> QuietHours:
    """Return the hours between two times like 22:30; both empty for none. Raises `ValueError` with what is wrong."""
    if bool(start) != bool(end):
        raise ValueError("quiet hours need a start and an end, such as 22:30 and 07:00; leave both empty for none")
    return QuietHours(_time(start), _time(end)) if start else QuietHours()


def _time(text: str) -> time:
    match = _TIME_OF_DAY.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a time of day; write it like 22:30")
    return time(int(match[1]), int(match[2]))
