"""ProgramRunner of the machine that hang, print too much or leave others behind."""

from __future__ import annotations

import os
import subprocess
import threading
import time
from pathlib import Path

import pytest

from firmware_host.core.programs import ProgramError, ProgramRunner
from firmware_host.network.keeper import NetworkKeeper
from firmware_host.network.manager import FAILED, NetworkManager
from tests.patience import PATIENCE, until

HANGING = {
    "alone": "exec sleep 1000",
    "with a child": "sleep 1000",
    "without SIGTERM": "trap '' TERM; while :; do sleep 0.1; done",
    "without output": "exec >/dev/null 2>&1; sleep 1000",
}
hanging = pytest.mark.parametrize("script", HANGING.values(), ids=HANGING)


def shell(script: str) -> tuple[str, ...]:
    return "sh", "-c", script


def test_output_errors_and_code_of_a_program_are_returned(tmp_path: Path) -> None:
    done = ProgramRunner().run(
        shell("cat; pwd >&2; echo $A; exit 7"), PATIENCE, "ą\n", tmp_path, {**os.environ, "A": "a"}
    )
    assert (done.returncode, done.stdout, done.stderr) == (7, "ą\na\n", f"{tmp_path}\n")
    assert ProgramRunner().run(shell("exec <&-; exit 0"), PATIENCE, "input that nothing reads").returncode == 0


@hanging
def test_program_that_hangs_is_ended_with_its_children(script: str, tmp_path: Path) -> None:
    with pytest.raises(ProgramError, match="too long"):
        ProgramRunner().run(shell(f"echo $$ > pid; {script}"), 0.5, folder=tmp_path)
    group = int((tmp_path / "pid").read_text())
    until(lambda: not members(group))


def test_child_that_keeps_the_output_open_delays_nothing() -> None:
    done = ProgramRunner().run(shell("echo found; setsid sleep 2 & sleep 1000 & exit 0"), PATIENCE)
    assert done.stdout == "found\n"


@pytest.mark.parametrize("script", ["yes", "yes >&2"])
def test_endless_output_is_refused(script: str) -> None:
    with pytest.raises(ProgramError, match="too much"):
        ProgramRunner().run(shell(script), PATIENCE)


@hanging
def test_network_thread_ends_with_the_table(script: str, tmp_path: Path) -> None:
    program = tmp_path / "nmcli"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/runs\n{script}\n", "utf-8")
    program.chmod(0o755)
    keeper = NetworkKeeper(NetworkManager(str(program)), time.monotonic)
    keeper.start()
    until((tmp_path / "runs").exists)
    stop = threading.Thread(target=keeper.stop, daemon=True)
    stop.start()
    stop.join(15)  # systemd waits as long
    assert not stop.is_alive()


@pytest.mark.parametrize("script", ["exit 1", "echo 'Error: timeout' >&2; exit 3", "exec yes"])
def test_failing_network_manager_is_named(script: str, tmp_path: Path) -> None:
    program = tmp_path / "nmcli"
    program.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
    program.chmod(0o755)
    keeper = NetworkKeeper(NetworkManager(str(program)), time.monotonic)
    keeper.check_network()
    assert keeper.state.fault == FAILED


def members(group: int) -> str:
    """Return the processes of a group that still run."""
    return subprocess.run(
        ["pgrep", "-g", str(group), "-r", "R,S,D"], capture_output=True, text=True, check=False
    ).stdout
