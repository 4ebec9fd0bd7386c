"""A process that starts daemons quickly: it has imported everything, and forks `sniperboard run` on demand.

The protocol is one JSON line in, one out: `{"start": [...]}` gives `{"pid": n}`, `{"wait": pid}` gives `{"status":
code}` (as in `subprocess`, negative for a signal). When its standard input ends, it ends with all its children.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import IO, Any

ROOT = Path(__file__).resolve().parents[2]
DIES_WITH_PARENT = 1
"""prctl(2): PR_SET_PDEATHSIG."""


class Nursery:
    """The driver's end: starts daemons and reports their exits.

    `environment` is the process's own, for example a preload.
    """

    def __init__(self, environment: Mapping[str, str] | None = None) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "tests.drill.nursery"]
        here = {**os.environ, **(environment or {})}
        self._process = subprocess.Popen(
            command, cwd=ROOT, env=here, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def start(self, *arguments: str, log: Path, environment: Mapping[str, str] | None = None, **more: Any) -> int:
        """Start `sniperboard ARGUMENTS`, write its output to `log`, and return its process ID.

        `more` goes to `_become`.
        """
        asked = {"start": arguments, "log": str(log), "environment": dict(environment or {}), **more}
        return int(self._ask(asked)["pid"])

    def wait(self, pid: int) -> int:
        """Return how a daemon ended, once it has."""
        return int(self._ask({"wait": pid})["status"])

    def close(self) -> None:
        """End the process and all its children."""
        stdin, stdout = self._pipes()
        stdin.close()
        self._process.wait()
        stdout.close()

    def _ask(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        stdin, stdout = self._pipes()
        stdin.write(json.dumps(asked) + "\n")
        stdin.flush()
        found: dict[str, Any] = json.loads(stdout.readline())
        return found

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None
        assert stdout is not None
        return stdin, stdout


def main() -> None:
    """Serve the driver until it closes the connection."""
    _warm_up()
    for line in sys.stdin:
        asked = json.loads(line)
        if "wait" in asked:
            _, status = os.waitpid(asked["wait"], 0)
            answer = {"status": os.waitstatus_to_exitcode(status)}
        else:
            answer = {"pid": _born(asked)}
        print(json.dumps(answer), flush=True)


def _warm_up() -> None:
    """Do everything in advance that takes a daemon time."""
    import firmware_host.app.daemon
    from firmware_host.app import cli, reach
    from firmware_host.core import maps

    assert firmware_host.app.daemon and cli and reach
    for name in maps.drawn():
        maps.load(name)
    gc.collect()
    gc.freeze()


def _born(asked: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    code = 1
    try:
        code = _become(**asked)
    finally:
        with contextlib.suppress(OSError):
            sys.stdout.flush()
        os._exit(code)


def _become(
    start: list[str],
    log: str,
    environment: dict[str, str],
    limits: dict[str, list[int]] | None = None,
    clock: int | None = None,
) -> int:
    """Become the daemon.

    `limits` maps a name in `resource` to soft and hard limit; the seed is for a wall clock that jumps.
    """
    ctypes.CDLL(None).prctl(DIES_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    words = os.open(log, os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(words, 1)
    os.dup2(words, 2)
    os.environ.update(environment)
    for name, (soft, hard) in (limits or {}).items():
        resource.setrlimit(getattr(resource, name), (soft, hard))
    if clock is not None:
        _let_the_clock_jump(Random(clock))
    from firmware_host.app.cli import main as sniperboard

    return sniperboard(start)


def _let_the_clock_jump(random: Random) -> None:
    """Simulate a computer without a real-time clock, or whose clock is being set: it jumps by years at any time."""
    real, off = time.time, [random.uniform(-2e9, 2e9)]

    def jumping() -> float:
        if random.random() < 0.1:
            off[0] = random.uniform(-2e9, 2e9)
        return max(0.0, real() + off[0])

    time.time = jumping


if __name__ == "__main__":
    main()
