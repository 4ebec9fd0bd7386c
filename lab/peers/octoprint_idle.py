"""Measure OctoPrint: time from start to first answer, memory and CPU at rest."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

IDLE = float(sys.argv[1]) if len(sys.argv) > 1 else 10.0
TIMEOUT = 120.0
SETTLING = 20.0
"""Seconds in which a new OctoPrint scans its plugins."""


def main() -> int:
    """Start OctoPrint with an empty folder, and print three figures."""
    command = shutil.which(os.environ.get("OCTOPRINT", "octoprint"))
    if command is None:
        print("OctoPrint is not installed (`pip install octoprint`).", file=sys.stderr)
        return 3
    with socket.socket() as free:
        # The system chooses a free port.
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        words = ["--basedir", folder, "--iknowwhatimdoing", "serve", "--host", "127.0.0.1", "--port", str(port)]
        began = time.monotonic()
        server = start_server([command, *words], folder)
        try:
            if not is_answered(port, began + TIMEOUT):
                print("OctoPrint did not answer.", file=sys.stderr)
                return 1
            seconds = time.monotonic() - began
            time.sleep(SETTLING)
            before = cpu_seconds(server.pid)
            time.sleep(IDLE)
            share = 100 * (cpu_seconds(server.pid) - before) / IDLE
            memory = int(Path(f"/proc/{server.pid}/statm").read_text("ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
        finally:
            server.terminate()
            server.wait()
    print_figure("octoprint.start", "OctoPrint: start → first page answered", seconds, "s", "time")
    print_figure("octoprint.memory", "OctoPrint: memory at rest", memory / (1 << 20), "MB", "size")
    print_figure("octoprint.processor", "OctoPrint: share of one core at rest", share, "%", "share")
    return 0


def start_server(words: list[str], folder: str) -> subprocess.Popen[bytes]:
    """Start the server, as another user if we are root, because it refuses root."""
    root = os.geteuid() == 0
    if root:
        shutil.chown(folder, "nobody")
    return subprocess.Popen(
        words,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        user="nobody" if root else None,
        env={**os.environ, "HOME": folder},
    )


def is_answered(port: int, end: float) -> bool:
    """Return whether any page is answered before `end`."""
    while time.monotonic() < end:
        with suppress(HTTPError):
            try:
                with urlopen(f"http://127.0.0.1:{port}/", timeout=5):
                    return True
            except (URLError, OSError) as error:
                # A login page counts as an answer; a server that is still starting answers 503.
                if isinstance(error, HTTPError) and error.code < 500:
                    return True
        time.sleep(0.1)
    return False


def cpu_seconds(process: int) -> float:
    fields = Path(f"/proc/{process}/stat").read_text("ascii").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def print_figure(id: str, what: str, value: float, unit: str, kind: str) -> None:
    print(json.dumps({"id": id, "what": what, "value": value, "unit": unit, "kind": kind}))


if __name__ == "__main__":
    raise SystemExit(main())
