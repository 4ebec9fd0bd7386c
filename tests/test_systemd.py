"""The table as a service: systemd accepts the unit and rates it well, and the installed command runs."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from firmware_host.app.commands.config import settings_toml
from firmware_host.app.commands.run import STOP
from firmware_host.core.settings import SETTINGS, read_file, settle
from tests.depth import DEPTH
from tests.patience import PATIENCE
from tools import pi
from tools.errors import ToolError
from tools.install import (
    InstallPaths,
    carry_out_and_notify,
    digest,
    install,
    install_steps,
    need_rights,
    requirements,
    uninstall,
)
from tools.steps import file

ROOT = Path(__file__).resolve().parent.parent
UNIT = (ROOT / "systemd" / "sniperboard.service").read_text("utf-8")
LOOSEST = 2.5
"""The highest exposure of the service that is accepted, of 10."""

asks_systemd = pytest.mark.skipif(
    shutil.which("systemd-analyze") is None, reason="this machine has no systemd-analyze (Debian's package systemd)"
)


def value(key: str) -> str:
    """Return the unit's value after `key=`."""
    found = re.search(rf"^{key}=(.*)$", UNIT, re.MULTILINE)
    assert found is not None, f"the unit has no {key}="
    return found[1]


def analyse(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Return systemd's analysis of the unit, with an existing program in it."""
    unit = folder / "sniperboard.service"
    unit.write_text(UNIT.replace("/opt/sniperboard/current/bin/sniperboard", sys.executable), "utf-8")
    return subprocess.run(["systemd-analyze", *words, str(unit)], capture_output=True, text=True, check=False)


UNITS = {
    "sniperboard.service": UNIT,
    "sniperboard-machine@country-PL.service": (ROOT / "systemd/sniperboard-machine@.service").read_text("utf-8"),
    "sniperboard-first-start.service": (ROOT / "systemd/image/first-start.service").read_text("utf-8"),
}
"""Each unit, by the name under which it is installed."""


@asks_systemd
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_no_fault_in_unit(tmp_path: Path, name: str) -> None:
    unit = tmp_path / name
    unit.write_text(re.sub("^ExecStart=[^ ]*", f"ExecStart={sys.executable}", UNITS[name], flags=re.MULTILINE), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", unit], capture_output=True, text=True, check=False)
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "sniperboard" in line]
    assert (done.returncode, ours) == (0, [])


@asks_systemd
def test_service_has_low_exposure(tmp_path: Path) -> None:
    done = analyse(tmp_path, "security", "--offline=true", f"--threshold={int(LOOSEST * 10)}")
    exposure = re.search(r"exposure level for sniperboard\.service: ([\d.]+)", done.stdout)
    assert exposure is not None, done.stderr
    assert float(exposure[1]) < LOOSEST
    assert done.returncode == 0


def test_unit_starts_the_command_with_existing_settings() -> None:
    program, command, *options = value("ExecStart").split()
    assert (program, command) == ("/opt/sniperboard/current/bin/sniperboard", "run")
    known = {"--config", *("--" + setting.name.replace("_", "-") for setting in SETTINGS)}
    assert {option for option in options if option.startswith("--")} <= known


def test_unit_separates_games_from_program_and_runs_without_root() -> None:
    assert "--state ${STATE_DIRECTORY}" in value("ExecStart")
    assert value("DynamicUser") == "yes"
    assert value("StateDirectory") == "sniperboard"
    assert value("StateDirectoryMode") == "0700"
    assert value("UMask") == "0077"
    assert value("LimitCORE") == "0"


def test_stopping_the_table_ends_its_bots() -> None:
    assert value("KillMode") == "mixed"
    assert value("KillSignal") == STOP.name


def test_bot_out_of_memory_does_not_stop_the_table() -> None:
    assert value("OOMPolicy") == "continue"


def test_lgpio_gets_a_writable_folder() -> None:
    assert "Environment=LG_WD=/run/sniperboard" in UNIT
    assert value("RuntimeDirectory") == "sniperboard"


# --- the settings file ----------------------------------------------------------------------------------------------


def test_settings_file_explains_every_setting_and_changes_none(tmp_path: Path) -> None:
    file = tmp_path / "sniperboard.toml"
    file.write_text(settings_toml(), "utf-8")
    assert settle(read_file(file)) == settle()
    for setting in SETTINGS:
        assert re.search(rf"^#{setting.name} = ", settings_toml(), re.MULTILINE)


def test_every_default_in_settings_file_is_valid() -> None:
    meant = re.sub(r"^#(\w+ = )", r"\1", settings_toml(), flags=re.MULTILINE)
    tables = tomllib.loads(meant)
    assert replace(settle(tables.pop("sniperboard"), tables), given=frozenset()) == settle()


def test_chosen_settings_are_written_to_the_file() -> None:
    assert tomllib.loads(settings_toml({"port": 80})) == {"sniperboard": {"port": 80}, **drivers_without_a_word()}


def drivers_without_a_word() -> dict[str, dict[str, object]]:
    """Return the driver tables, in which everything is a comment."""
    return {name: {} for name in re.findall(r"^\[(\w+)\]$", settings_toml(), re.MULTILINE) if name != "sniperboard"}


# --- the installation -------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InstallPaths]:
    """A whole installation below a folder. One serves all tests, because it fetches packages.

    It takes 20 seconds of CPU time, so it is made at night. By day `test_wheel.py` installs the program.
    """
    places = InstallPaths(tmp_path_factory.mktemp("machine"))
    manual = [] if DEPTH > 1 else ["--no-manual"]  # at night it is fetched and built, too
    assert install(ROOT, ["--root", str(places.root), "--board", "simulated", "--port", "0", *manual]) == 0
    yield places


def files(folder: Path) -> dict[str, tuple[int, int]]:
    """Return every file with its size and time."""
    found = {path: path.lstat() for path in sorted(folder.rglob("*"))}
    return {str(path): (it.st_size, it.st_mtime_ns) for path, it in found.items()}


def test_dry_run_prints_every_step_and_changes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert install(ROOT, ["--root", str(tmp_path), "--dry-run"]) == 0
    said = capsys.readouterr().out
    for step in install_steps(ROOT, InstallPaths(tmp_path), "board_link", 8000):
        assert step.what in said
    assert files(tmp_path) == {}


@pytest.mark.nightly
def test_installed_service_notifies_systemd_and_keeps_its_games(installed: InstallPaths, tmp_path: Path) -> None:
    unit = installed.unit.read_text("utf-8")
    found = re.search(r"^ExecStart=(.*)$", unit, re.MULTILINE)
    assert found is not None
    command = found[1].replace("${STATE_DIRECTORY}", str(tmp_path / "games")).split()
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as ear:
        ear.bind(str(tmp_path / "notify"))
        ear.settimeout(PATIENCE)
        environment = {**os.environ, "NOTIFY_SOCKET": str(tmp_path / "notify")}
        environment.pop("PYTHONPATH", None)
        service = subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=subprocess.DEVNULL)
        assert ear.recv(4096).startswith(b"READY=1")
        service.send_signal(signal.SIGTERM)
        assert service.wait(PATIENCE) == 0
    assert (tmp_path / "games" / "games.sqlite").is_file()


@pytest.mark.nightly
def test_port_0_is_valid_and_99999_is_not(installed: InstallPaths, capsys: pytest.CaptureFixture[str]) -> None:
    assert tomllib.loads(installed.settings.read_text("utf-8"))["sniperboard"]["port"] == 0, (
        "the system chooses a free port"
    )
    with pytest.raises(SystemExit):
        install(ROOT, ["--root", str(installed.root), "--port", "99999"])
    assert "99999 is not between 0 and 65535" in capsys.readouterr().err


@pytest.mark.nightly
def test_man_page_and_completions_belong_to_the_running_version(installed: InstallPaths) -> None:
    for path, target in installed.shared.items():
        assert path.readlink() == target
        assert "sniperboard" in path.read_text("utf-8")
    if DEPTH > 1:
        assert list(installed.program.glob("current/lib/python*/site-packages/web_panel/site/index.html"))


@pytest.mark.nightly
def test_second_installation_changes_nothing_and_keeps_settings(
    installed: InstallPaths, capsys: pytest.CaptureFixture[str]
) -> None:
    before = files(installed.root)
    capsys.readouterr()
    assert install(ROOT, ["--root", str(installed.root), "--board", "simulated", "--port", "1234"]) == 0
    assert files(installed.root) == before
    said, kept = capsys.readouterr().out, tomllib.loads(installed.settings.read_text("utf-8"))["sniperboard"]
    board, port = kept.get("board", "simulated"), kept.get("port", 8000)
    assert port != 1234
    assert f"board {board} on port {port}, starts where there is one" in said, (
        "the report must describe the running version"
    )
    assert f"kept: port = {port}, not 1234" in said
    assert "on port 1234" not in said


@pytest.mark.nightly
def test_update_without_network_leaves_running_version_unchanged(
    installed: InstallPaths, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = files(installed.program / "releases")
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")

    with pytest.raises(ToolError, match="The previous version still runs"):
        install(ROOT, ["--root", str(installed.root), "--with", "print"])
    assert files(installed.program / "releases") == before
    done = subprocess.run([str(installed.command), "--version"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_uninstalling_keeps_settings_and_games_and_can_be_repeated(tmp_path: Path) -> None:
    places = InstallPaths(tmp_path)
    kept = {places.settings: "[sniperboard]\n", places / "var/lib/sniperboard/games.sqlite": "games"}
    gone = [places.unit, places.rules, places.avahi, places.command, places.program / "bin/sniperboard", *places.shared]
    for path in (*kept, *gone):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(kept.get(path, ""), "utf-8")
    assert uninstall(["--root", str(tmp_path)]) == 0
    assert [path for path in gone if path.exists()] == []
    assert {path: path.read_text("utf-8") for path in kept} == kept
    assert uninstall(["--root", str(tmp_path)]) == 0


def test_changed_program_is_reinstalled() -> None:
    assert digest(ROOT) == digest(ROOT)
    steps = {step.what: step for step in install_steps(ROOT, InstallPaths(Path("/nowhere")), "simulated", 8000)}
    assert not any(step.is_so() for step in steps.values())


def test_packages_of_a_pin_driver_are_installed() -> None:
    computer = pi.Computer("Raspberry Pi 4 Model B Rev 1.1", "aarch64", (3, 13))
    assert any(line.startswith("gpiozero") for line in requirements(ROOT, ["gpio"], computer).pip)
    assert digest(ROOT, requirements(ROOT, ["gpio"], computer)) != digest(ROOT)
    assert requirements(ROOT, [], pi.this_machine()) == pi.Needs()
    with pytest.raises(ToolError, match="There is no extra 'gipo': choose among"):
        requirements(ROOT, ["gipo"], pi.this_machine())


def test_missing_rights_are_reported_with_the_command(tmp_path: Path) -> None:
    with pytest.raises(ToolError, match="sudo make install"):
        need_rights(InstallPaths(Path("/")), 1000, "install")
    need_rights(InstallPaths(Path("/")), 0, "install")
    need_rights(InstallPaths(tmp_path), 1000, "install")


def test_services_are_notified_by_next_run_if_installation_was_cut_off_before(tmp_path: Path) -> None:
    """Otherwise a card whose first start was cut off there would have a service that never starts."""
    told, plan, unfinished = list[str](), [file(tmp_path / "unit", "text")], tmp_path / "unfinished"

    def cut_off() -> None:
        raise ToolError("the power is gone")

    def run(tell_all: Callable[[], None]) -> None:
        carry_out_and_notify(plan, unfinished, tell_all, dry=False)

    with pytest.raises(ToolError):
        run(cut_off)
    carry_out_and_notify(plan, unfinished, lambda: told.append("dry run"), dry=True)
    run(lambda: told.append("second run"))
    run(lambda: told.append("third run"))
    assert told == ["dry run", "second run"]
    assert not unfinished.exists()
