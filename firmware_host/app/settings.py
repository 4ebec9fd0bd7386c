"""The settings: name, type, default, help. Read at the start into a frozen value; the command line wins over the file.

The file is TOML: the table `[sniperboard]`, and one table for each driver that is to be told something, by the driver's
name. A setting that nobody knows is an error, and so is one out of bounds; all faults are told at once.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from enum import Enum
from itertools import combinations
from pathlib import Path
from typing import Any, TypeVar

import msgspec

import web_panel
from firmware_host.app.toml import parse
from firmware_host.board.cues.lights import PALETTES
from firmware_host.board.cues.quiet import quiet_hours
from firmware_host.mqtt.checks import mqtt_faults
from hardware import drivers
from hardware.drivers import DriverOption, NoSuchDriver
from web_panel.origin import Proxies

T = TypeVar("T")
SETTING = "setting"
"""The metadata of a field that is a setting."""
NONE = "none"
"""The name of no driver at all, where one could be."""
LANGUAGES = ("", *sorted(path.stem for path in (Path(web_panel.__file__).parent / "languages").glob("*.po")))


class Change(Enum):
    """When a setting may get another value."""

    AT_START = "at the next start"
    ON_RELOAD = "when the settings are read again"
    ON_ADMIN_PAGE = "on the admin page, or when the settings are read again"


AT_START, ON_RELOAD, ON_ADMIN_PAGE = Change.AT_START, Change.ON_RELOAD, Change.ON_ADMIN_PAGE


class Setting(DriverOption, frozen=True):
    """One setting of the table itself.

    A `path` names a place on the disk and `private` is the household's own; no report shows either. A `time` is one of
    day, as 22:30, or empty.
    """

    change: Change = AT_START
    path: bool = False
    time: bool = False
    private: bool = False


def setting(
    default: T,
    help: str,
    low: float | None = None,
    high: float | None = None,
    choices: tuple[str, ...] = (),
    change: Change = AT_START,
    path: bool = False,
    time: bool = False,
    private: bool = False,
) -> T:
    """Declare a setting of `Settings`; its type is that of `default`. See `Setting` and `Option` for the rest."""
    about = Setting("", default, help, low, high, choices, change, path, time, private)
    declaration: T = field(default=default, metadata={SETTING: about})
    return declaration


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Every setting, each declared here and nowhere else: command line, file, admin page and docs are made from this.

    Times are milliseconds, currents milliamperes. `drivers` is driver -> option -> value, with every option of each
    driver that is used; `given` are the names of those that somebody has set.
    """

    map: str = setting("launch-facility", "The map that the lobby offers first: a name of the maps folder.")
    host: str = setting("0.0.0.0", "The address to listen on; 127.0.0.1 for this computer alone.")
    port: int = setting(8000, "The port of the screens.", 0, 65535)
    names: str = setting("", "More host names under which the table answers, parted by commas, as table.example.org.")
    trusted_proxies: str = setting(
        "",
        "Reverse proxies whose word about the client counts: addresses or networks, comma-separated, for example "
        "127.0.0.1 (docs/playing-elsewhere.md). Empty for none.",
    )
    state: str = setting(".state", "The folder that keeps the games; private to the service user.", path=True)
    board: str = setting(
        "simulated", "The driver of the sensors, and of the lamps if it has some: a name of the drivers."
    )
    lamps: str = setting("", "Another driver for the lamps; empty for the board's own, none for a table without lamps.")
    controls: str = setting("", "The drivers of buttons and buzzer, parted by commas; empty for neither.")
    brightness: float = setting(1.0, "How bright the lamps are, 0.05 to 1.", 0.05, 1.0, change=ON_ADMIN_PAGE)
    palette: str = setting(
        "night", "The lamps' colours, shown in docs/lights.md.", choices=tuple(PALETTES), change=ON_ADMIN_PAGE
    )
    quiet_from: str = setting(
        "",
        "When quiet hours begin, as 22:30: dimmed lamps and no sound. Empty for none.",
        change=ON_ADMIN_PAGE,
        time=True,
    )
    quiet_to: str = setting("", "When quiet hours end, as 07:00.", change=ON_ADMIN_PAGE, time=True)
    quiet_brightness: float = setting(
        0.15, "How bright the lamps are in quiet hours, 0.02 to 1.", 0.02, 1.0, change=ON_ADMIN_PAGE
    )
    current_limit_ma: int = setting(
        2000, "What the lamps may draw from their supply, in mA.", 150, 20000, change=ON_RELOAD
    )
    debounce_down_ms: int = setting(10, "How long a sensor must be steady before something is there, in ms.", 0, 200)
    debounce_up_ms: int = setting(25, "How long a sensor must be steady before it is empty, in ms.", 0, 500)
    rest_ms: int = setting(80, "How long a miniature stands before it has come to rest, in ms.", 0, 2000)
    extendable_ms: int = setting(250, "The same where it could still slide on, in ms.", 0, 5000)
    bot_pause_ms: int = setting(
        1500, "How long a bot waits between acts, so that people can follow, in ms.", 100, 60000, change=ON_RELOAD
    )
    bot_thought_ms: int = setting(
        1000,
        "How long an expert bot may think about an act, in ms; 0 for one that only weighs its acts.",
        0,
        60000,
        change=ON_RELOAD,
    )
    turn_minutes: int = setting(
        0,
        "How long a turn may take on the turn clock, in minutes; 0 for no clock. It only reminds.",
        0,
        60,
        change=ON_ADMIN_PAGE,
    )
    possible_hints: bool = setting(
        False, "Whether the lobby offers to show everybody where the sniper can still be.", change=ON_RELOAD
    )
    seat_pins: bool = setting(
        True,
        "Whether who takes a seat chooses a PIN; off for a house where everybody trusts everybody.",
        change=ON_ADMIN_PAGE,
    )
    carries_together: bool = setting(
        True,
        "Whether all carries that a game asks for are shown at once, for any order; off for one after another.",
        change=ON_ADMIN_PAGE,
    )
    lamp_boards: bool = setting(
        False,
        "Whether there is a board of lamps for games without a map; the simulated board always is one.",
        change=ON_RELOAD,
    )
    faults: str = setting(
        "", "A script that makes the simulated board lie (docs/faults.md); empty for an honest one.", path=True
    )
    sound: bool = setting(True, "Whether the buzzer may sound outside quiet hours.", change=ON_ADMIN_PAGE)
    language: str = setting(
        "",
        "The language of devices that ask for none of ours; empty for English.",
        choices=LANGUAGES,
        change=ON_ADMIN_PAGE,
    )
    poweroff: bool = setting(False, "Whether the house page may switch off the whole machine (systemd/README.md).")
    https: bool = setting(
        False, "Whether the screens are served over https; a certificate is made at the start, see the page /trust."
    )
    certificate: str = setting(
        "", "A PEM file with your own certificate and its key, for https; empty to have one made.", path=True
    )
    second_port: int = setting(
        0,
        "A second port, for those who type none: 80, which the hotspot needs (docs/travelling.md); 0 for none.",
        0,
        65535,
    )
    hotspot: bool = setting(
        False, "Whether the table looks after its network, and opens a Wi-Fi where there is none (docs/travelling.md)."
    )
    streams: int = setting(32, "How many screens may follow the table at once.", 1, 256)
    mqtt_broker: str = setting(
        "", "The host of an MQTT broker that hears how the table is (docs/mqtt.md); empty for none.", private=True
    )
    mqtt_port: int = setting(0, "The broker's port; 0 for the usual one: 1883, or 8883 with TLS.", 0, 65535)
    mqtt_tls: bool = setting(False, "Whether the line to the broker is encrypted.")
    mqtt_ca: str = setting(
        "",
        "A PEM file with the authority of the broker's certificate; empty for those that the system trusts.",
        path=True,
    )
    mqtt_user: str = setting("", "The table's user at the broker; empty for none.", private=True)
    mqtt_password: str = setting("", "A file with the password of that user; empty for none.", path=True)
    mqtt_prefix: str = setting("sniperboard", "What the table's topics begin with; the same for all tables of a club.")
    mqtt_table: str = setting("", "The table's id at the broker, of its own in a club; empty for the machine's name.")
    mqtt_name: str = setting("", "The table's name as people read it; empty for its id.")
    mqtt_discovery: str = setting(
        "homeassistant", "What the topics begin with by which Home Assistant finds the table; empty for none."
    )
    mqtt_commands: bool = setting(
        False, "Whether the table takes commands by MQTT, each with the house PIN; use TLS, for the PIN is in them."
    )
    drivers: Mapping[str, Mapping[str, Any]]
    given: frozenset[str] = frozenset()


def declared(settings: type[Settings] = Settings) -> tuple[Setting, ...]:
    """The settings that are declared in a class, in order."""
    found = [field for field in fields(settings) if SETTING in field.metadata]
    return tuple(msgspec.structs.replace(field.metadata[SETTING], name=field.name) for field in found)


SETTINGS = declared()


class ConfigError(Exception):
    """All that is wrong with the settings, a line each."""

    def __init__(self, faults: list[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = faults


def read_file(path: Path) -> dict[str, Any]:
    """The settings of a file, and each driver's table under its name. Raises `ConfigError`."""
    try:
        document = parse(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigError([f"{path}: cannot be read ({error.strerror}). Check --config."]) from error
    except ValueError as error:
        raise ConfigError([f"{path}: {error}. Mend that line."]) from error
    found = document.pop("sniperboard", {})
    faults = [f"{path}: {name} stands in no table; move it below [sniperboard]." for name in _loose(document)]
    if not isinstance(found, dict):
        raise ConfigError([f"{path}: write [sniperboard] as a table.", *faults])
    faults += [f"{path}: write [{name}], not [sniperboard.{name}]." for name in found if isinstance(found[name], dict)]
    if faults:
        raise ConfigError(faults)
    return {**found, **document}


def _loose(document: Mapping[str, Any]) -> list[str]:
    """What stands before the first table."""
    return [name for name, value in document.items() if not isinstance(value, dict)]


def settle(*layers: Mapping[str, Any]) -> Settings:
    """The settings from all layers, the later the stronger; None means not given. Raises `ConfigError`."""
    known = {setting.name: setting for setting in SETTINGS}
    values = {name: setting.default for name, setting in known.items()}
    tables: dict[str, dict[str, Any]] = {}
    faults: list[str] = []
    given: set[str] = set()
    for layer in layers:
        for name, value in layer.items():
            if isinstance(value, Mapping):
                tables[name] = {**tables.get(name, {}), **value}
            elif name not in known:
                faults.append(_unknown(name, "setting", list(known)))
            elif value is not None:
                faults.extend(faults_of(known[name], value))
                values[name] = value
                given.add(name)
    faults += _table_faults(tables)
    if faults:
        raise ConfigError(faults)
    faults += _driver_faults(values)
    faults += _hours_faults(values)
    faults += mqtt_faults(values)
    faults += _proxy_faults(values)
    if values["faults"] and values["board"] != "simulated":
        faults.append("faults: only the simulated board lies on purpose. Leave it empty, or use --simulate.")
    if faults:
        raise ConfigError(faults)
    return Settings(**values, drivers=_chosen_drivers(values, tables), given=frozenset(given))


def _chosen_drivers(values: Mapping[str, Any], tables: Mapping[str, Mapping[str, Any]]) -> Mapping[str, Any]:
    """The drivers in use with all their options. Raises `ConfigError` for two that want the same pin."""
    used = {values["board"], values["lamps"] or values["board"], *listed(values["controls"])} - {NONE}
    whole = {name: _whole(name, tables.get(name, {})) for name in sorted(used)}
    if faults := _pin_faults(whole):
        raise ConfigError(faults)
    return whole


def listed(text: str) -> tuple[str, ...]:
    """The names in a text, which are parted by commas."""
    return tuple(name.strip() for name in text.split(",") if name.strip())


# --- drivers ----------------------------------------------------------------------------------------------------


def _table_faults(tables: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """What is wrong in the drivers' tables, those that are not used included."""
    faults = []
    for name, table in tables.items():
        if name not in drivers.names():
            faults.append(_unknown(f"[{name}]", "table", ["[sniperboard]", *(f"[{one}]" for one in drivers.names())]))
            continue
        known = {option.name: option for option in drivers.find(name).options}
        for key, value in table.items():
            if key not in known:
                faults.append(f"[{name}] " + _unknown(key, "option", list(known)))
            else:
                faults += [f"[{name}] {fault}" for fault in faults_of(known[key], value)]
    return faults


def _driver_faults(values: Mapping[str, Any]) -> list[str]:
    """Drivers that do not exist, or lack the part that they are named for."""
    faults = _lacks("board", values["board"], ("sensors",))
    if values["lamps"] not in ("", NONE):
        faults += _lacks("lamps", values["lamps"], ("lamps",))
    elif not values["lamps"] and not faults and "lamps" not in drivers.find(values["board"]).parts:
        others = ", ".join(drivers.names("lamps"))
        faults.append(f"lamps: the driver {values['board']} has none. Name one that has ({others}), or {NONE}.")
    for name in listed(values["controls"]):
        faults += _lacks("controls", name, ("buttons", "buzzer"))
    return faults


def _lacks(setting: str, name: str, parts: tuple[str, ...]) -> list[str]:
    """What is wrong with this driver for one who needs any of these parts."""
    try:
        kind = drivers.find(name)
    except NoSuchDriver as error:
        return [f"{setting}: {error}"]
    if set(parts) & set(kind.parts):
        return []
    fit = sorted({other for part in parts for other in drivers.names(part)})
    return [f"{setting}: the driver {name} has no {' and no '.join(parts)}. These have: {', '.join(fit)}."]


def _whole(name: str, table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Every option of a driver, as the driver takes it."""
    given = {option.name: table.get(option.name, option.default) for option in drivers.find(name).options}
    return {key: tuple(value) if isinstance(value, list) else value for key, value in given.items()}


def _pin_faults(whole: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Pins of the computer that two drivers want."""
    taken = {name: drivers.find(name).pins(options) for name, options in whole.items()}
    return [
        f"{one} and {other} both want GPIO {', '.join(map(str, sorted(both)))}. Give each of them pins of its own, or "
        "light the lamps by a Pico (docs/hardware.md, “Straight on a Raspberry Pi”)."
        for one, other in combinations(taken, 2)
        if (both := taken[one] & taken[other])
    ]


def _hours_faults(values: Mapping[str, Any]) -> list[str]:
    try:
        quiet_hours(values["quiet_from"], values["quiet_to"])
    except ValueError as error:
        return [f"quiet_from, quiet_to: {error}."]
    return []


def _proxy_faults(values: Mapping[str, Any]) -> list[str]:
    try:
        Proxies(listed(values["trusted_proxies"]))
    except ValueError as error:
        return [f"trusted_proxies: {error}. Write addresses or networks, for example 127.0.0.1, 192.168.1.0/24."]
    return []


# --- one value --------------------------------------------------------------------------------------------------


def _unknown(name: str, what: str, known: list[str]) -> str:
    guess = difflib.get_close_matches(name, known, 1)
    hint = f"Did you mean {guess[0]}?" if guess else f"Known are {', '.join(known)}."
    return f"{name}: unknown {what}. {hint}"


def faults_of(option: DriverOption, value: Any) -> list[str]:
    """What is wrong with a value of a setting, a sentence each."""
    if isinstance(option.default, tuple):
        return _list_fault(option, value)
    kind = type(option.default)
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        return [f"{option.name}: expected {kind.__name__}, got {value!r}. {option.help}"]
    if option.low is not None and option.high is not None and not option.low <= value <= option.high:
        return [f"{option.name}: {value} is not between {option.low} and {option.high}. {option.help}"]
    if option.choices and value not in option.choices:
        return [f"{option.name}: {value!r} is none of {', '.join(option.choices)}. {option.help}"]
    return []


def _list_fault(option: DriverOption, value: Any) -> list[str]:
    """What is wrong with a list of such values as the default has."""
    if not isinstance(value, list):
        return [f"{option.name}: expected a list, got {value!r}. {option.help}"]
    one = msgspec.structs.replace(option, default=option.default[0])
    return [fault for item in value for fault in faults_of(one, item)]
