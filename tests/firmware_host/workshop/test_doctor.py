"""What the doctor finds of a machine, each with its remedy; a folder stands for the machine."""

from __future__ import annotations

import os
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from firmware_host.app.cli import main
from firmware_host.app.settings import Settings, settle
from firmware_host.lab.diagnostics.doctor import BAD, GOOD, ODD, Finding, Machine, examine
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


def test_a_simulated_board_needs_nothing_of_the_machine(tmp_path: Path) -> None:
    findings = examine(machine(tmp_path), settings(tmp_path))
    assert {finding.what for finding in findings} == {"clock", "disk"}
    assert all(finding.state == GOOD and not finding.remedy for finding in findings)


def test_whatever_is_not_good_has_a_remedy(tmp_path: Path) -> None:
    findings = examine(machine(tmp_path, now=datetime(1970, 1, 1)), settings(tmp_path, board="board_link"))
    assert len(findings) > 3
    for finding in findings:
        assert (finding.state == GOOD) == (finding.remedy == "")


def test_a_board_that_is_not_plugged_in_is_missed(tmp_path: Path) -> None:
    chosen = settings(tmp_path, board="board_link")
    lost = found("devices of board_link", machine(tmp_path), chosen)
    assert (lost.state, lost.found) == (BAD, "there is no /dev/sniperboard or /dev/ttyACM*")
    put(tmp_path, "dev/ttyACM0")
    assert found("devices of board_link", machine(tmp_path), chosen).state == GOOD


def test_a_device_that_may_not_be_used_is_told_with_its_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_the_groups_of_the_devices(
    tmp_path: Path, groups: tuple[str, ...], known: str, superuser: bool, state: str
) -> None:
    put(tmp_path, "etc/group", known + "\n")
    here = machine(tmp_path, groups=groups, superuser=superuser)
    assert found("group dialout", here, settings(tmp_path, board="board_link")).state == state


def test_a_port_whose_name_may_change_is_odd(tmp_path: Path) -> None:
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
def test_too_low_a_voltage_is_seen(tmp_path: Path, path: str, text: str, state: str) -> None:
    put(tmp_path, path, text)
    assert found("power", machine(tmp_path), settings(tmp_path)).state == state


def test_a_clock_that_was_never_set_is_odd(tmp_path: Path) -> None:
    assert found("clock", machine(tmp_path, now=datetime(1970, 1, 1)), settings(tmp_path)).state == ODD


def test_a_full_disk_is_bad(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: type("Usage", (), {"free": 100 * 2**20}))
    finding = found("disk", machine(tmp_path), settings(tmp_path / "not" / "made" / "yet"))
    assert (finding.state, finding.found) == (BAD, f"{tmp_path} has 100 MB left")


@pytest.mark.parametrize("name", DRIVERS)
def test_every_driver_of_real_hardware_is_looked_after(tmp_path: Path, name: str) -> None:
    part = {"sensors": "board", "lamps": "lamps"}.get(drivers.find(name).parts[0], "controls")
    more = {"lamps": "none"} if part == "board" and "lamps" not in drivers.find(name).parts else {}
    findings = examine(machine(tmp_path), settings(tmp_path, **{part: name}, **more))
    assert any(finding.what.startswith(("devices of", "group")) for finding in findings)


def test_the_command_prints_findings_and_remedies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--simulate", "--state", str(tmp_path)]) == 0
    assert "ok   disk: " in capsys.readouterr().out
    assert main(["doctor", "--board", "cardboard"]) == 2
    assert "there is no driver 'cardboard'" in capsys.readouterr().err
