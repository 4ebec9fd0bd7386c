"""`make install` and `make uninstall`: the table as a service of Debian 12, 13 or Raspberry Pi OS.

A plan is a list of steps. Each step knows whether it is already done, describes itself, and does it. So a second run
changes nothing, a dry run only prints, and an interrupted run can be continued. Games are never touched.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tools import beside, errors, network, pi, power, steps, system
from tools.errors import ToolError
from tools.releases import Release, Releases, python_here
from tools.steps import InstallStep

LOCKS = ("requirements.lock",)
GROUPS = ("dialout", "gpio", "spi", "i2c")
"""Groups that may use serial ports, pins and SPI. Raspberry Pi OS has all three."""
BOARD = "board_link"
PORT = 8000
UNIT = "sniperboard.service"
"""Name of the file in a version's folder that contains its systemd unit."""
Tellings = Iterable[tuple[str, Sequence[str]]]
"""Services to notify of a change, each with the command for it."""


class InstallPaths:
    """Paths of the installation below `root` (the machine's own root, except in tests)."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.is_machine = root == Path("/")
        """Whether this is the running machine itself, whose services can be notified."""
        self.program = root / "opt/sniperboard"
        self.releases = Releases(self.program)
        self.unfinished = root / "opt/sniperboard.unfinished"
        """This file exists from the first change until the services have been notified."""
        self.settings = root / "etc/sniperboard/sniperboard.toml"
        self.unit = root / "etc/systemd/system/sniperboard.service"
        self.rules = root / "etc/udev/rules.d/70-sniperboard.rules"
        self.avahi = root / "etc/avahi/services/sniperboard.service"
        self.command = root / "usr/local/bin/sniperboard"
        """The command on every user's PATH."""
        self.shared = {root / "usr/local" / name: self.releases.link / name for name in beside.SHARED}
        """Links for man pages and completions -> their files in the current version."""

    def __truediv__(self, path: str) -> Path:
        return self.root / path


@dataclass(frozen=True)
class Travel:
    """Options for use without a screen and away from home: see `tools/network.py`, `tools/power.py`."""

    hotspot: bool = False
    password: str | None = None
    button: bool = False


# --- the plans --------------------------------------------------------------------------------------------------


def install_steps(
    source: Path,
    places: InstallPaths,
    board: str,
    port: int,
    extras: tuple[str, ...] | None = None,
    machine: pi.Computer | None = None,
    manual: bool = True,
    travel: Travel | None = None,
) -> list[InstallStep]:
    """Return the steps that install the table as a service of the machine, from the project in `source`.

    `extras` are added to the extras that are already installed; an empty tuple removes those. `machine` is this
    computer by default. Raises `ToolError` for an extra that does not exist or is not available for the machine.
    """
    pi.check(machine := machine or pi.this_machine())
    releases = places.releases
    command = releases.command
    # An update without options keeps the installed extras.
    kept = () if extras == () else releases.extras
    wanted = tuple(sorted({*kept, *(extras or ())}))
    more = requirements(source, wanted, machine)
    release = Release(digest(source, more).strip(), wanted, python_here())
    unit = unit_text(source, places)

    def build(folder: Path) -> None:
        _make_program(source, folder, more, manual)
        steps.write_text(folder / UNIT, unit, 0o644)

    plan = [
        *(steps.account("group", name, ["groupadd", "--system"]) for name in GROUPS if places.is_machine),
        *_kept_unit(places),
        InstallStep(
            f"the program in {places.program}, {release}",
            lambda: releases.current() == release,
            lambda: releases.install(release, build),
        ),
        steps.link(places.command, command, "the command"),
        *(steps.link(path, target, "for man and shells") for path, target in places.shared.items()),
        _settings(places, command, board, port, hotspot=bool(travel and travel.hotspot)),
        steps.file(places.rules, (source / "systemd/70-sniperboard.rules").read_text("utf-8")),
        steps.file(places.unit, unit),
    ]
    if (places / "etc/avahi/services").is_dir():
        plan.append(steps.file(places.avahi, avahi_text(source, port)))
    if travel is not None and travel.hotspot:
        plan += network.install_steps(source, places.root, travel.password)
    if travel is not None and travel.button:
        plan.append(power.install_step(places.root))
    return plan


def _settings(places: InstallPaths, command: Path, board: str, port: int, *, hotspot: bool) -> InstallStep:
    return InstallStep(
        f"the settings in {places.settings}, for the board {board} on port {port}",
        places.settings.exists,
        lambda: steps.write_text(places.settings, _settings_text(command, board, port, hotspot=hotspot), 0o644),
    )


def _kept_unit(places: InstallPaths) -> Iterable[InstallStep]:
    """Yield the step that stores the unit with a current version that has none: a rollback restores both."""
    releases, unit = places.releases, steps.read_text(places.unit)
    # After an unfinished run, the installed unit may belong to another version.
    if unit and releases.current() is not None and not places.unfinished.exists():
        is_so, keep = lambda: releases.kept(UNIT) != "", lambda: releases.store_text(UNIT, unit)
        yield InstallStep(f"a copy of the current {places.unit}", is_so, keep)


def uninstall_steps(places: InstallPaths) -> list[InstallStep]:
    """Return the steps that remove everything except settings and games."""
    off = [_off(places)] if places.is_machine else []
    ours = (places.unit, places.rules, places.avahi, places.command, *places.shared, places.program)
    away = (*ours, *network.installed_files(places.root))
    return [*off, *(steps.absent(path) for path in away), *power.uninstall_steps(places.root)]


INSTALLED = (
    ("udev", ("udevadm", "control", "--reload")),
    ("systemd", ("systemctl", "daemon-reload")),
    ("systemd", ("systemctl", "enable", "sniperboard")),
    ("systemd", ("systemctl", "restart", "sniperboard")),
)
UNINSTALLED = INSTALLED[:2]
HOTSPOT = (("NetworkManager", ("nmcli", "connection", "reload")),)


def unit_text(source: Path, places: InstallPaths) -> str:
    """Return the systemd unit with paths below another root."""
    text = (source / "systemd/sniperboard.service").read_text("utf-8")
    if places.is_machine:
        return text
    return text.replace("/opt/sniperboard", str(places.program)).replace(
        "/etc/sniperboard", str(places.settings.parent)
    )


def avahi_text(source: Path, port: int) -> str:
    """Return the Avahi service with the port of the screens."""
    text = (source / "systemd/sniperboard-avahi.service").read_text("utf-8")
    return text.replace(f"<port>{PORT}</port>", f"<port>{port}</port>")


NOTHING = pi.Needs()


def requirements(source: Path, extras: Sequence[str], machine: pi.Computer) -> pi.Needs:
    """Return what these extras need on a machine. Raises `ToolError` for an extra that is unknown or not available."""
    known = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]
    for extra in extras:
        if extra not in known:
            raise ToolError(f"There is no extra {extra!r}: choose among {', '.join(known)}.")
    found = [pi.needs(extra, tuple(known[extra]), machine) for extra in extras]
    return pi.Needs(
        tuple(line for one in found for line in one.pip), tuple(line for one in found for line in one.debian)
    )


def packages(source: Path) -> tuple[str, ...]:
    """Return the folders that the program consists of."""
    facts = tomllib.loads((source / "pyproject.toml").read_text("utf-8"))
    return tuple(facts["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"])


def digest(source: Path, more: pi.Needs = NOTHING) -> str:
    """Return a digest of everything that the program is made from, and of the interpreter."""
    whole = hashlib.sha256(f"{sys.version_info[:2]} {more}".encode())
    files = [source / name for name in (*LOCKS, "pyproject.toml", "systemd/sniperboard.service")]
    for package in (*packages(source), "docs"):
        files += sorted(
            path for path in (source / package).rglob("*") if path.is_file() and "__pycache__" not in path.parts
        )
    for file in files:
        whole.update(str(file.relative_to(source)).encode() + b"\0" + file.read_bytes() + b"\0")
    return whole.hexdigest() + "\n"


# --- kinds of steps ---------------------------------------------------------------------------------------------


def _off(places: InstallPaths) -> InstallStep:
    command = ["systemctl", "disable", "--now", "sniperboard"]
    return InstallStep(
        "the service is off", lambda: not is_running("systemd") or not places.unit.exists(), lambda: steps.run(command)
    )


RUNNING = {
    "systemd": "/run/systemd/system",
    "udev": "/run/udev/control",
    "NetworkManager": "/run/NetworkManager/resolv.conf",
}
"""Service -> a path that exists while it runs."""


def is_running(whom: str) -> bool:
    """Return whether a service runs here. In a container or an image it doesn't."""
    return Path(RUNNING[whom]).exists()


# --- doing ------------------------------------------------------------------------------------------------------


def _make_program(source: Path, program: Path, more: pi.Needs, manual: bool) -> None:
    """Create an environment with the locked packages and the project. Raises `ToolError`."""
    system.need_venv()
    # outside the version's folder, which is removed if the installation fails
    log = program.parent.with_name("pip.log")
    if subprocess.run([sys.executable, "-m", "venv", "--clear", str(program)], check=False).returncode != 0:
        raise ToolError(errors.from_venv("", program))
    pip = [str(program / "bin/python"), "-m", "pip", "--disable-pip-version-check", "--no-input", "--log", str(log)]
    locks = [word for name in LOCKS for word in ("-r", str(source / name))]
    # First the locked packages, as wheels only; then the project, which is built with them.
    parts = [["--only-binary=:all:", *locks], ["--no-deps", "--no-build-isolation", str(source)]]
    for package in more.debian:
        system.need_package(package)
    for words in [*parts, *([[*more.pip]] if more.pip else [])]:
        if subprocess.run([*pip, "install", "--quiet", *words], stdin=subprocess.DEVNULL, check=False).returncode != 0:
            raise ToolError(f"{errors.from_pip(steps.read_text(log), log, program)} The previous version still runs.")
    beside.complete_words(program)
    if manual:
        beside.add_manual(source, program)


def _settings_text(command: Path, board: str, port: int, *, hotspot: bool) -> str:
    # The installed program writes its own settings file, so that both fit.
    words = [str(command), "config", "--board", board, "--port", str(port)]
    words += ["--hotspot", "--second-port", "80"] if hotspot else []
    return steps.run(words)


def carry_out(plan: Iterable[InstallStep], *, dry: bool) -> int:
    """Carry out the steps that are not done yet, and print them; return how many there were."""
    done = 0
    for step in plan:
        if step.is_so():
            print(f"  already done: {step.what}", flush=True)
            continue
        done += 1
        print(f"  {'would do' if dry else 'doing'}: {step.what}", flush=True)
        if not dry:
            step.do()
    return done


def carry_out_and_notify(
    plan: Iterable[InstallStep], unfinished: Path, tell_all: Callable[[], None], *, dry: bool
) -> None:
    """Carry out the steps that are not done yet. If there were any, in this run or in an interrupted earlier one, call
    `tell_all`: otherwise an installed service would never be enabled. The file `unfinished` marks an interrupted run.
    """
    plan = [*plan]
    if not dry and not all(step.is_so() for step in plan):
        steps.write_text(unfinished, "", 0o644)
    if carry_out(plan, dry=dry) or unfinished.exists():
        tell_all()
    if not dry:
        unfinished.unlink(missing_ok=True)


def notify_services(commands: Tellings, *, dry: bool) -> None:
    """Run the commands of the services that run here."""
    for whom, command in commands:
        if is_running(whom):
            print(f"  {'would run' if dry else 'running'}: {' '.join(command)}", flush=True)
            if not dry:
                steps.run(command)


# --- the two commands -------------------------------------------------------------------------------------------


def install(source: Path, words: list[str]) -> int:
    """Install the table as a service; return the exit code. Raises `ToolError`."""
    chosen = _parser("install").parse_args(words)
    places = InstallPaths(chosen.root.resolve())
    if places.is_machine:
        system.check_root()
    kept = _kept(places.settings)
    hotspot = network.Places(places.root).can if chosen.hotspot is None else chosen.hotspot
    travel = Travel(hotspot, _first_line(chosen.hotspot_password), chosen.power_button)
    extras = None if chosen.extras is None else tuple(chosen.extras)
    board = kept.get("board", BOARD if chosen.board is None else chosen.board)
    port = kept.get("port", PORT if chosen.port is None else chosen.port)
    plan = install_steps(source, places, board, port, extras, manual=chosen.manual, travel=travel)
    # The service is restarted last, after the other services have loaded their new files.
    tellings = (*INSTALLED[:2], *(HOTSPOT if hotspot else ()), *INSTALLED[2:])
    _change(places, plan, tellings, "install", dry=chosen.dry_run)
    for name, wanted, is_so in (("board", chosen.board, board), ("port", chosen.port, port)):
        if wanted is not None and wanted != is_so:
            print(f"Your settings are kept: {name} = {is_so!r}, not {wanted!r}. Change {places.settings}.")
    print("Nothing was changed." if chosen.dry_run else _after_installing(places, board, port))
    if hotspot and not chosen.dry_run:
        print(_of_hotspot(places, kept))
    return 0


def _of_hotspot(places: InstallPaths, kept: dict[str, Any]) -> str:
    if kept and not kept.get("hotspot"):
        return (
            "The table could manage its network, but your settings turn that off. To turn it on, put these lines "
            f"below [sniperboard] in {places.settings}, and restart the service: hotspot = true, second_port = 80"
        )
    return network.label_text(places.root)


def _first_line(path: Path | None) -> str | None:
    """Return the first line of a file. Raises `ToolError`."""
    if path is None:
        return None
    lines = steps.read_text(path).splitlines()
    if not lines:
        raise ToolError(f"{path}: the file contains no password.")
    return lines[0]


def _kept(settings: Path) -> dict[str, Any]:
    """Return the existing settings, with board and port; empty if they cannot be read."""
    try:
        table = tomllib.loads(steps.read_text(settings)).get("sniperboard", {}) if settings.exists() else None
    except tomllib.TOMLDecodeError:
        table = None
    return {} if not isinstance(table, dict) else {"board": "simulated", "port": PORT, **table}


def uninstall(words: list[str]) -> int:
    """Remove the service, but keep settings and games; return the exit code. Raises `ToolError`."""
    chosen = _parser("uninstall").parse_args(words)
    places = InstallPaths(chosen.root.resolve())
    _change(places, uninstall_steps(places), UNINSTALLED, "uninstall", dry=chosen.dry_run)
    kept = "Would be kept" if chosen.dry_run else "Kept"
    print(f"{kept}: the settings in {places.settings.parent} and the games in {places / 'var/lib/sniperboard'}.")
    return 0


def _change(places: InstallPaths, plan: list[InstallStep], tellings: Tellings, command: str, *, dry: bool) -> None:
    if not dry:
        need_rights(places, os.geteuid(), command)
    mask = os.umask(0o022)  # the service's user must be able to read root's files
    try:
        tellings = tellings if places.is_machine else ()
        restart = partial(notify_services, tellings, dry=dry)
        carry_out_and_notify(plan, places.unfinished, lambda: restart_or_go_back(places, restart), dry=dry)
        if command == "install" and not dry:
            places.releases.remove_old()
    except OSError as error:
        raise ToolError(errors.from_os_error(error, places.root)) from error
    finally:
        os.umask(mask)


def restart_or_go_back(places: InstallPaths, restart: Callable[[], None]) -> None:
    """`restart` the services. If the new version does not start, go back to a previous one that does.

    Raises `ToolError`.
    """

    def start_former() -> None:
        # The new unit may not fit the previous version, or be the cause of the failure.
        if unit := places.releases.kept(UNIT):
            steps.write_text(places.unit, unit, 0o644)
        restart()

    try:
        restart()
    except ToolError as error:
        if not places.releases.go_back(start_former):
            raise
        raise ToolError(
            f"The new version did not start, and the previous version runs again. {error} "
            "Log of the new version: journalctl -u sniperboard."
        ) from error


def need_rights(places: InstallPaths, user: int, command: str) -> None:
    """Raise `ToolError` if the user with this number may not change the machine."""
    if places.is_machine and user != 0:
        raise ToolError(f"Installing a service needs root: run `sudo make {command}`.")


def _parser(command: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"make {command}", description=__doc__)
    add = parser.add_argument
    add("--dry-run", action="store_true", help="only print what would be done")
    add("--root", type=Path, default=Path("/"), help="another root, to try it out in a folder")
    if command == "install":
        add("--board", help=f"the driver of the board (default: {BOARD})")
        words = "extras to add, for example gpio and neopixel for a board on the Pi's pins; --with alone removes all"
        add("--with", dest="extras", nargs="*", metavar="EXTRA", help=words)
        add("--no-manual", dest="manual", action="store_false", help="without the manual at /docs")
        words = "whether the table opens a Wi-Fi of its own where there is no network"
        words += " (default: where NetworkManager is)"
        add("--hotspot", action=argparse.BooleanOptionalAction, help=words)
        words = "a file whose first line is the password of that Wi-Fi; without it one is generated"
        add("--hotspot-password", type=Path, metavar="FILE", help=words)
        words = f"a power button at GPIO {power.BUTTON} and a light at GPIO {power.LIGHT} of a Raspberry Pi"
        add("--power-button", action="store_true", help=words)
        add("--port", type=_port, help=f"the port of the screens (default: {PORT})")
    return parser


def _port(text: str) -> int:
    if not 0 <= (number := int(text)) <= 65535:
        raise argparse.ArgumentTypeError(f"{number} is not between 0 and 65535")
    return number


def _after_installing(places: InstallPaths, board: str, port: int) -> str:
    if not (places.is_machine and is_running("systemd")):
        return f"There is no systemd here. The service, board {board} on port {port}, starts where there is one."
    return (
        f"The service sniperboard opens the table at port {port} of this machine with the board {board}, at every "
        "start of the machine.\n"
        f"Log: journalctl -u sniperboard. Settings: {places.settings}.\n"
        f"Set the admin PIN: sudo sniperboard admin pin --state {places / 'var/lib/sniperboard'}"
    )
