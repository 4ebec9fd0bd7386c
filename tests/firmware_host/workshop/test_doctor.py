"""The doctor's findings about a machine, each with its remedy; a folder represents the machine."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from engine.text import Text
from firmware_host.app.cli import main
from firmware_host.app.commands import doctor
from firmware_host.core.settings import Settings, settle
from firmware_host.play import puzzles
from firmware_host.workshop import checks
from firmware_host.workshop.checks import BAD, GOOD, ODD, Finding, Machine
from firmware_host.workshop.doctor import examine
from hardware import drivers

TONIGHT = datetime(2026, 1, 31, 20, 15)
DRIVERS = [name for name in drivers.names() if name != "simulated"]


def machine(root: Path, **more: Any) -> Machine:
    return Machine(root, more.pop("now", TONIGHT), frozenset(more.pop("groups", ())), **more)


def put(root: Path, path: str, text: str = "") -> Path:
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")
    return file


def settings(root: Path, **more: Any) -> Settings:
    return settle({"state": str(root), **more})


def found(what: str, machine: Machine, chosen: Settings) -> Finding:
    (finding,) = [finding for finding in examine(machine, chosen) if finding.what == what]
    return finding


def test_simulated_board_has_only_good_findings(tmp_path: Path) -> None:
    findings = examine(machine(tmp_path), settings(tmp_path))
    assert {finding.what for finding in findings} == {"clock", "disk", "state folder", "installed games"}
    assert all(finding.state == GOOD and not finding.remedy for finding in findings)


def test_each_problem_has_a_remedy(tmp_path: Path) -> None:
    findings = examine(machine(tmp_path, now=datetime(1970, 1, 1)), settings(tmp_path, board="board_link"))
    assert len(findings) > 3
    for finding in findings:
        assert (finding.state == GOOD) == (finding.remedy == "")


def test_puzzle_that_cannot_be_asked_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzles, "faults", lambda name: [Text("A puzzle is left out.")] if name == "treasure" else [])
    finding = found("game treasure", machine(tmp_path), settings(tmp_path))
    assert (finding.state, finding.found) == (ODD, "A puzzle is left out.")


def test_unplugged_board_is_reported(tmp_path: Path) -> None:
    chosen = settings(tmp_path, board="board_link")
    lost = found("devices of board_link", machine(tmp_path), chosen)
    assert (lost.state, lost.found) == (BAD, "there is no /dev/sniperboard or /dev/ttyACM*")
    put(tmp_path, "dev/ttyACM0")
    assert found("devices of board_link", machine(tmp_path), chosen).state == GOOD


def test_locked_device_is_reported_with_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    port = put(tmp_path, "dev/ttyACM0")
    monkeypatch.setattr(os, "access", lambda path, mode: path != port)
    finding = found("devices of board_link", machine(tmp_path), settings(tmp_path, board="board_link"))
    assert finding.state == BAD
    assert 'sudo adduser "$USER" dialout' in finding.remedy


@pytest.mark.parametrize(
    ("groups", "known", "superuser", "state"),
    [
        (("dialout",), "dialout:x:20:ada", False, GOOD),
        ((), "dialout:x:20:", False, BAD),
        ((), "", False, ODD),
        ((), "dialout:x:20:", True, GOOD),
    ],
)
def test_group_of_devices_is_checked(
    tmp_path: Path, groups: tuple[str, ...], known: str, superuser: bool, state: str
) -> None:
    put(tmp_path, "etc/group", known + "\n")
    here = machine(tmp_path, groups=groups, superuser=superuser)
    assert found("group dialout", here, settings(tmp_path, board="board_link")).state == state


def test_unstable_port_name_is_odd(tmp_path: Path) -> None:
    chosen = settings(tmp_path, board="board_link")
    put(tmp_path, "dev/ttyACM0")
    assert found("port name", machine(tmp_path), chosen).state == ODD
    put(tmp_path, "dev/serial/by-id/usb-MicroPython_Board")
    assert found("port name", machine(tmp_path), chosen).state == GOOD


def test_modem_manager_must_leave_the_board_alone(tmp_path: Path) -> None:
    chosen = settings(tmp_path, board="board_link")
    assert found("ModemManager", machine(tmp_path), chosen).state == GOOD
    put(tmp_path, "usr/sbin/ModemManager")
    assert found("ModemManager", machine(tmp_path), chosen).state == ODD
    rules = Path(__file__).resolve().parents[3] / "systemd" / "70-sniperboard.rules"
    put(tmp_path, "etc/udev/rules.d/70-sniperboard.rules", rules.read_text("utf-8"))
    assert found("ModemManager", machine(tmp_path), chosen).state == GOOD


@pytest.mark.parametrize(
    ("path", "text", "state"),
    [
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "0\n", GOOD),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50000\n", ODD),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "50005\n", BAD),
        ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "0\n", GOOD),
        ("sys/class/hwmon/hwmon1/in0_lcrit_alarm", "1\n", BAD),
        ("sys/devices/platform/soc/soc:firmware/get_throttled", "what?\n", GOOD),
    ],
)
def test_low_voltage_is_reported(tmp_path: Path, path: str, text: str, state: str) -> None:
    put(tmp_path, path, text)
    assert found("power", machine(tmp_path), settings(tmp_path)).state == state


def test_unset_clock_is_odd(tmp_path: Path) -> None:
    assert found("clock", machine(tmp_path, now=datetime(1970, 1, 1)), settings(tmp_path)).state == ODD


def test_full_disk_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 100 * 2**20}))
    finding = found("disk", machine(tmp_path), settings(tmp_path / "not" / "made" / "yet"))
    assert (finding.state, finding.found) == (BAD, f"{tmp_path} has 100 MB left")


@pytest.mark.parametrize("name", DRIVERS)
def test_each_hardware_driver_is_checked(tmp_path: Path, name: str) -> None:
    part = {"sensors": "board", "lamps": "lamps"}.get(drivers.find(name).parts[0], "controls")
    more = {"lamps": "none"} if part == "board" and "lamps" not in drivers.find(name).parts else {}
    findings = examine(machine(tmp_path), settings(tmp_path, **{part: name}, **more))
    assert any(finding.what.startswith(("devices of", "group")) for finding in findings)


@pytest.fixture
def on_disk() -> Iterator[Path]:
    """A folder that is certainly not in memory, which the doctor would report."""
    with TemporaryDirectory(dir="/var/tmp") as folder:
        yield Path(folder)


def test_command_prints_findings_and_remedies(on_disk: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--simulate", "--state", str(on_disk)]) == 0
    assert "ok   disk: " in capsys.readouterr().out
    assert main(["doctor", "--board", "cardboard"]) == 2
    assert "there is no driver 'cardboard'" in capsys.readouterr().err


def test_installed_settings_are_examined_by_themselves(
    tmp_path: Path, on_disk: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = put(tmp_path, "sniperboard.toml", f'[sniperboard]\nboard = "board_link"\nstate = "{tmp_path / "games"}"\n')
    file.write_text(file.read_text("utf-8") + f'[board_link]\nport = "{tmp_path / "nowhere"}"\n', "utf-8")
    monkeypatch.setattr(doctor, "INSTALLED", file)
    monkeypatch.setattr(doctor, "STATE", str(tmp_path / "games"))
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert f"ok   settings: {file}; board board_link" in said
    assert f"hw scan --config {file}" in said
    assert main(["doctor", "--simulate", "--state", str(on_disk)]) == 0
    assert "ok   settings: no file; board simulated" in capsys.readouterr().out


def test_without_settings_doctor_says_that_it_looked_at_the_simulated_board(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "INSTALLED", tmp_path / "none.toml")
    main(["doctor", "--state", str(tmp_path)])
    assert " ?   settings: no file; board simulated" in capsys.readouterr().out


def test_set_port_that_answers_is_never_bad(tmp_path: Path) -> None:
    put(tmp_path, "etc/group", "dialout:x:20:\n")
    chosen = settings(tmp_path, board="board_link", board_link={"port": "/dev/ttyUSB7"})
    for answer, bad in ((GOOD, set()), (BAD, {"devices of board_link", "group dialout", "board"})):
        here = machine(tmp_path, ask=lambda _, answer=answer: (answer, "said"), has=lambda _: True)
        assert {finding.what for finding in examine(here, chosen) if finding.state == BAD} == bad
    assert found("devices of board_link", machine(tmp_path), chosen).found == "there is no /dev/ttyUSB7"
    put(tmp_path, "dev/ttyUSB7")
    assert found("devices of board_link", machine(tmp_path), chosen).state == GOOD


@pytest.mark.parametrize(
    ("model", "missing", "state", "words"),
    [
        ("", (), GOOD, "adafruit-blinka, adafruit-circuitpython-neopixel"),
        ("Raspberry Pi 4 Model B", ("gpiod",), BAD, "gpiod cannot be imported"),
        ("Raspberry Pi 4 Model B", (), GOOD, "rpi_ws281x"),
        ("Raspberry Pi 4 Model B", ("_rpi_ws281x",), BAD, "rpi_ws281x cannot be imported"),
        ("Raspberry Pi 5 Model B", ("adafruit_raspberry_pi5_neopixel_write",), BAD, "Pi5-Neopixel cannot be imported"),
        ("", ("neopixel",), BAD, "adafruit-circuitpython-neopixel cannot be imported"),
    ],
)
def test_libraries_of_driver_and_model_are_checked(
    tmp_path: Path, model: str, missing: tuple[str, ...], state: str, words: str
) -> None:
    put(tmp_path, "proc/device-tree/model", model)
    here = machine(tmp_path, has=lambda name: name not in missing)
    finding = found("libraries of neopixel_strip", here, settings(tmp_path, lamps="neopixel_strip"))
    assert (finding.state, words in finding.found) == (state, True)


@pytest.mark.parametrize(
    ("model", "pin", "device", "state", "words"),
    [
        ("Raspberry Pi 5 Model B", 18, "dev/pio0", GOOD, "/dev/pio0"),
        ("Raspberry Pi 5 Model B", 18, "", BAD, "there is no /dev/pio0"),
        ("Raspberry Pi 4 Model B", 10, "dev/spidev0.0", GOOD, "/dev/spidev0.0"),
        ("Raspberry Pi 4 Model B", 10, "", BAD, "there is no /dev/spidev0.0"),
        ("Raspberry Pi 4 Model B", 18, "dev/spidev0.0", BAD, "need root"),
    ],
)
def test_strip_device_is_checked(tmp_path: Path, model: str, pin: int, device: str, state: str, words: str) -> None:
    put(tmp_path, "proc/device-tree/model", model)
    if device:
        put(tmp_path, device)
    chosen = settings(tmp_path, lamps="neopixel_strip", neopixel_strip={"pin": pin})
    finding = found("devices of neopixel_strip", machine(tmp_path), chosen)
    assert (finding.state, words in finding.found, bool(finding.remedy)) == (state, True, state == BAD)


@pytest.mark.parametrize(
    ("text", "state", "words"),
    [
        ("dtparam=audio=on\n", BAD, "SPI is not switched on"),
        ("#dtparam=spi=on\n", BAD, "SPI is not switched on"),
        ("dtparam=i2c_arm=on,spi=on\n", GOOD, "nothing else uses it"),
        ("dtparam=spi=on\ndtoverlay=mcp2515-can0,oscillator=1\n", BAD, "other overlays use SPI port 0: mcp2515-can0"),
        ("dtparam=spi=on\ndtoverlay=vc4-kms-v3d\n", GOOD, "nothing else uses it"),
    ],
)
def test_overlays_of_port_are_checked(tmp_path: Path, text: str, state: str, words: str) -> None:
    put(tmp_path, "boot/firmware/config.txt", text)
    chosen = settings(tmp_path, board="shift_register", lamps="none")
    finding = found("overlays", machine(tmp_path), chosen)
    assert (finding.state, words in finding.found) == (state, True)


def test_missing_board_is_a_finding(tmp_path: Path) -> None:
    chosen = settings(tmp_path, board="board_link", board_link={"port": "/dev/nowhere*"})
    finding = found("board", machine(tmp_path, ask=checks.read_greeting), chosen)
    assert finding.state == BAD
    assert "There is no board at /dev/nowhere*" in finding.found


def test_files_of_another_user_in_state_folder_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path, "boards/wiring.toml")
    assert found("state folder", machine(tmp_path), settings(tmp_path)).state == GOOD
    monkeypatch.setattr(
        checks, "foreign_paths", lambda folder: iter([folder / "boards", folder / "boards/wiring.toml"])
    )
    finding = found("state folder", machine(tmp_path), settings(tmp_path))
    assert (finding.state, finding.found.split(" belong")[0]) == (BAD, "boards, boards/wiring.toml")


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can leave files that are not the folder's owner's")
def test_files_that_root_calibrates_belong_to_service(tmp_path: Path) -> None:
    state = tmp_path / "state"
    state.mkdir()
    other = put(state, "theirs.txt")
    os.chown(state, 4711, 4712)
    os.chown(other, 4713, 4713)
    twice = put(tmp_path, "machines-own.txt")
    os.link(twice, state / "link.txt")
    assert main(["hw", "calibrate", "--simulate", "--state", str(state)]) == 0
    made = [path for path in state.rglob("*") if path not in (other, state / "link.txt")]
    assert len(made) >= 3
    assert {(path.stat().st_uid, path.stat().st_gid) for path in made} == {(4711, 4712)}
    assert (other.stat().st_uid, twice.stat().st_uid) == (4713, 0)
