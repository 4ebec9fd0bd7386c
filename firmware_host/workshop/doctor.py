"""`sniperboard doctor`: examine the machine that the table runs on and report each finding with its remedy.

Everything is read from files below `Machine.root`, so that a folder can stand for a machine, or through `Machine`.
Nothing is changed. The checks that need most code are in `checks.py`.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from datetime import datetime
from pathlib import Path
from random import SystemRandom
from typing import Any

from engine.chance import Chance
from engine.game import TABLE
from firmware_host.core import installed
from firmware_host.core.generic import generic_facts
from firmware_host.core.guarded import GameFault
from firmware_host.core.settings import Settings
from firmware_host.play import pictures, puzzles
from firmware_host.play.game import TableGame
from firmware_host.play.resuming import resumed, while_waiting
from firmware_host.records.journal import FILE, Journal, JournalError
from firmware_host.workshop import checks
from firmware_host.workshop.checks import BAD, GOOD, ODD, Finding, Machine
from hardware.drivers import find
from hardware.link.port import PICO
from hardware.ports import HardwareFault

ROOM_MB = 200
"""Free disk space that the games need, with reserve."""
OLDEST_DATE = datetime(2025, 1, 1)
"""An earlier clock was never set."""
PROVED_BY_BOARD = ("devices of board_link", "group dialout")
"""Checks that are not needed if the board answers."""


def examine(machine: Machine, settings: Settings) -> list[Finding]:
    """Return all findings for a table with these settings on this machine."""
    findings = [finding for look in CHECKS for finding in look(machine, settings)]
    # A board that answers can be used, whatever its port is called and whatever its rights are.
    answers = any(finding.what == "board" and finding.state == GOOD for finding in findings)
    return [
        finding for finding in findings if not (answers and finding.state == BAD and finding.what in PROVED_BY_BOARD)
    ]


def _check_devices(machine: Machine, settings: Settings) -> Iterator[Finding]:
    for name in settings.drivers:
        needs = find(name).needs
        if needs.ask is not None:
            yield _ask_device(name, needs.ask, settings)
        if not needs.devices:
            continue
        patterns = _patterns(name, settings)
        paths = machine.any(*patterns)
        if locked := [path for path in paths if not machine.may_use(path)]:
            groups = " or ".join(needs.groups)
            remedy = f'sudo adduser "$USER" {needs.groups[0]}, then log out and in again; the devices are for {groups}.'
            yield Finding(f"devices of {name}", BAD, f"{', '.join(locked)} may not be used by this user", remedy)
        elif paths:
            yield Finding(f"devices of {name}", GOOD, ", ".join(paths))
        else:
            device_names = " or ".join(f"/{pattern}" for pattern in patterns)
            yield Finding(f"devices of {name}", BAD, f"there is no {device_names}", needs.remedy)


def _ask_device(name: str, ask: Callable[[Mapping[str, Any]], str], settings: Settings) -> Finding:
    try:
        return Finding(f"devices of {name}", GOOD, ask(settings.drivers[name]))
    except HardwareFault as fault:
        return Finding(f"devices of {name}", BAD, fault.sentence)


def _patterns(name: str, settings: Settings) -> tuple[str, ...]:
    """Return the devices of a driver: the set port, or else its usual ones."""
    # Other drivers have no port to set, so their usual devices apply.
    chosen = settings.drivers["board_link"]["port"] if name == "board_link" else PICO
    return find(name).needs.devices if chosen in (PICO, "") else (chosen.lstrip("/"),)


def _check_groups(machine: Machine, settings: Settings) -> Iterator[Finding]:
    groups = dict.fromkeys(group for name in settings.drivers for group in find(name).needs.groups)
    for group in groups:
        if machine.superuser or group in machine.groups:
            yield Finding(f"group {group}", GOOD, "this user may use its devices")
        # Check first whether the group exists, because no one can be added to a missing group.
        elif not any(line.startswith(f"{group}:") for line in machine.read("etc/group").splitlines()):
            yield Finding(f"group {group}", ODD, "this machine has no such group", f"sudo groupadd --system {group}")
        else:
            remedy = f'sudo adduser "$USER" {group}, then log out and in again. (The service does not need this.)'
            yield Finding(f"group {group}", BAD, "this user is not in it and may not use its devices", remedy)


def _check_ports(machine: Machine, settings: Settings) -> Iterator[Finding]:
    if "board_link" not in settings.drivers:
        return
    stable = machine.any("dev/sniperboard", "dev/serial/by-id/*")
    if stable:
        yield Finding("port name", GOOD, f"the board has a stable name: {stable[0]}")
    elif machine.any("dev/ttyACM*"):
        remedy = "sudo make install adds a rule that always names it /dev/sniperboard. Then replug the board."
        yield Finding("port name", ODD, "the name of the board's port may change", remedy)


def _modem_manager(machine: Machine, settings: Settings) -> Iterator[Finding]:
    if "board_link" not in settings.drivers:
        return
    if not machine.any("usr/sbin/ModemManager"):
        yield Finding("ModemManager", GOOD, "it is not installed")
    elif "ID_MM_DEVICE_IGNORE" in machine.read("etc/udev/rules.d/70-sniperboard.rules"):
        yield Finding("ModemManager", GOOD, "it is installed, and ignores the board")
    else:
        remedy = "sudo make install makes it ignore the board; or: sudo apt-get remove modemmanager"
        yield Finding("ModemManager", ODD, "it probes new serial ports as modems, including the board's", remedy)


def _check_power(machine: Machine, _: Settings) -> Iterator[Finding]:
    """Check the Pi's flags (bit 0: under-voltage now, bit 16: since the start), or its voltage alarm."""
    flags = machine.read("sys/devices/platform/soc/soc:firmware/get_throttled").strip()
    alarms = [machine.read(path.lstrip("/")).strip() for path in machine.any("sys/class/hwmon/hwmon*/in0_lcrit_alarm")]
    remedy = "Use the Pi's own supply and a short, thick cable; the lamps need a supply of their own."
    if _flag_bits(flags) & 1 or "1" in alarms:
        yield Finding("power", BAD, "the voltage is too low now", remedy)
    # Bit 16 stays set until the next start, so this is history, not the present.
    elif _flag_bits(flags) & (1 << 16):
        yield Finding("power", ODD, "the voltage was too low since the machine started", remedy)
    # A machine with neither file, for example a PC, has no finding about power.
    elif flags or alarms:
        yield Finding("power", GOOD, "the voltage was never too low")


def _flag_bits(text: str) -> int:
    try:
        return int(text, 16)
    except ValueError:
        return 0


def _check_clock(machine: Machine, _: Settings) -> Iterator[Finding]:
    if machine.now < OLDEST_DATE:
        remedy = "Connect the machine to the network once, or: sudo date -s '2026-01-31 20:15'"
        yield Finding("clock", ODD, f"it says {machine.now:%Y-%m-%d}, which is wrong", remedy)
    else:
        yield Finding("clock", GOOD, f"it says {machine.now:%Y-%m-%d %H:%M}")


def _check_disk(_: Machine, settings: Settings) -> Iterator[Finding]:
    # The state folder may not exist yet. Its nearest parent is on the same disk.
    folder = next(
        place for place in (Path(settings.state).resolve(), *Path(settings.state).resolve().parents) if place.exists()
    )
    free_mb = shutil.disk_usage(folder).free // 2**20
    if free_mb < ROOM_MB:
        yield Finding("disk", BAD, f"{folder} has {free_mb} MB left", f"Make room: the games need {ROOM_MB} MB.")
    else:
        yield Finding("disk", GOOD, f"{folder} has {free_mb} MB left")


def _check_games(_: Machine, settings: Settings) -> Iterator[Finding]:
    """Check the installed games, and whether the running game can continue."""
    available = installed.installed()
    for _step in installed.check_files():
        pass
    for faulty in available.faults:
        yield Finding(
            f"game {faulty.name}", ODD, str(faulty.sentence), f"Where it fails: {faulty.place or 'its folder'}."
        )
    for name in available.games:
        for sentence in puzzles.faults(name):
            yield Finding(f"game {name}", ODD, str(sentence), "Make its puzzles again, or remove it from their file.")
    if not available.faults:
        yield Finding("installed games", GOOD, f"all {len(available.games)} can be played")
    try:
        yield from _running_game(Path(settings.state).resolve() / FILE)
    except (JournalError, sqlite3.Error) as error:
        remedy = "If the table can't use it either, its next start keeps the file and saves the intact games."
        yield Finding("journal", BAD, str(error), remedy)


def _running_game(path: Path) -> list[Finding]:
    if not os.path.exists(path):  # nor if this user may not read it, which `state_folder` reports
        return []
    with closing(Journal.open_read_only(path)) as journal:
        play, lost = resumed(journal, Chance(SystemRandom()))
        saved = journal.running()
        where = "" if saved is None else f"game {saved.id}"
        if play is not None:
            play.rehearse = _make_pictures
            try:
                play.check()
            except GameFault as fault:
                lost = while_waiting(journal, play.number, play.game.name, fault)
        return [Finding(where, ODD, str(why), "Repair the game, or install it again.") for why in lost()]


def _make_pictures(play: TableGame) -> None:
    """Make what screens show of a game. May raise anything."""
    of_all = play.referee.pictures
    for viewer in (TABLE, *(seat.name for seat in play.seats)):
        legal = pictures.of_viewer(play.referee, viewer)["legal"]
        generic_facts(play.game, of_all, viewer, play.seats, legal)
    pictures.of_public(play.referee)


CHECKS: tuple[Callable[[Machine, Settings], Iterator[Finding]], ...] = (
    checks.check_libraries,
    _check_devices,
    checks.check_strip_device,
    _check_groups,
    _check_ports,
    _modem_manager,
    checks.check_identity,
    checks.check_overlays,
    _check_power,
    _check_clock,
    _check_disk,
    checks.check_state_folder,
    _check_games,
    checks.check_games_place,
    checks.check_networks_place,
    checks.check_network,
    checks.check_power_button,
    checks.check_broker,
)
