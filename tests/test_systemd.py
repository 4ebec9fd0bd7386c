"""The systemd unit is one that systemd takes, and it starts the command that there is."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from firmware_host.config import SETTINGS

UNIT = (Path(__file__).resolve().parent.parent / "systemd" / "sniperboard.service").read_text("utf-8")


def value(key: str) -> str:
    """What the unit says after `key=`."""
    found = re.search(rf"^{key}=(.*)$", UNIT, re.MULTILINE)
    assert found is not None, f"the unit does not say {key}="
    return found[1]


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="this machine has no systemd to ask")
def test_systemd_finds_no_fault_in_the_unit(tmp_path: Path) -> None:
    unit = tmp_path / "sniperboard.service"
    unit.write_text(UNIT.replace("/opt/sniperboard/.venv/bin/sniperboard", sys.executable), "utf-8")
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)
    ours = [line for line in (done.stdout + done.stderr).splitlines() if "sniperboard" in line]
    assert (done.returncode, ours) == (0, [])


def test_it_starts_the_command_with_settings_that_exist() -> None:
    program, command, *options = value("ExecStart").split()
    assert (program, command) == ("/opt/sniperboard/.venv/bin/sniperboard", "run")
    known = {"--" + setting.name.replace("_", "-") for setting in SETTINGS}
    assert {option for option in options if option.startswith("--")} <= known


def test_it_keeps_the_games_apart_from_the_program_and_does_without_root() -> None:
    assert "--state ${STATE_DIRECTORY}" in value("ExecStart")
    assert value("DynamicUser") == "yes"
    assert value("StateDirectory") == "sniperboard"
