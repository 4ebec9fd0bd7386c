"""The targets of `make`, one function each.

A new target needs a function in TARGETS and its name in the Makefile. The docstring of a function is its line in `make
help`.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NoReturn

from tools import auditing, install, javascript, lock, system
from tools.environment import DOCS, PLAY, TEST, Environment, prepare, say
from tools.errors import ToolError

ROOT = Path(__file__).resolve().parent.parent
PARALLEL = ("-n", "auto", "--dist", "worksteal")
"""pytest options for long runs: an idle worker process takes over tests from another."""


def play(words: list[str]) -> int:
    """Play on the simulated board in your browser."""
    os.chdir(ROOT)
    return keep_running([str(prepare(ROOT, PLAY).command), "run", "--simulate", *words])


def test(words: list[str]) -> int:
    """Run all tests, including those in a real browser."""
    with ThreadPoolExecutor(1) as beside:
        programs = beside.submit(system.need_programs)  # apt-get and pip each keep one processor busy
        here = prepare(ROOT, TEST)
        programs.result()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # without bytecode, each process compiles the program again
    if (memory := system.folder_in_memory()) is not None:
        # Most tests would wait for the disk, and few test it.
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))
    replace_process([str(here.python), "-m", "pytest", *PARALLEL, *words])


def fire(words: list[str]) -> int:
    """Send a million damaged frames between the board's firmware and the table."""
    here = prepare(ROOT, TEST)
    os.environ["FIRE_FRAMES"] = "1000000"
    replace_process([str(here.python), "-m", "pytest", "tests/hardware/test_fire.py", *words])


def drill(words: list[str]) -> int:
    """Kill the table a thousand times during play, and cut its power at every byte (an hour)."""
    here = prepare(ROOT, TEST)
    os.environ.setdefault("DRILL_KILLS", "1000")
    replace_process([str(here.python), "-m", "pytest", "-s", "tests/drill", *words])


def games(words: list[str]) -> int:
    """Play twenty whole games in browsers, with a phone, two devices, a TV and the simulated board."""
    here = prepare(ROOT, TEST)
    system.need_browser()
    os.environ.update({"DEPTH": "2", "WHOLE_GAMES": os.environ.get("WHOLE_GAMES", "20")})
    replace_process([str(here.python), "-m", "pytest", *PARALLEL, "tests/web_panel/test_browser_whole_game.py", *words])


def soak(words: list[str]) -> int:
    """Play ten thousand bot games through the whole daemon, and check for leaks (hours)."""
    replace_process([str(prepare(ROOT, PLAY).python), "-m", "lab.soak", *words])


def bench(words: list[str]) -> int:
    """Measure the speed of engine, pictures, disk and table on this machine (some minutes)."""
    here = prepare(ROOT, TEST)
    replace_process([str(here.command), "bench", *words])


def load(words: list[str]) -> int:
    """Load a table for half an hour: 32 streams, 200 requests a second, moving pieces; report which limits it meets."""
    replace_process([str(prepare(ROOT, PLAY).python), "-m", "lab.load", *words])


def emulate(words: list[str]) -> int:
    """Test the board's firmware on an emulated Pico (PICO_UF2 names an image of MicroPython; half an hour)."""
    replace_process([str(prepare(ROOT, TEST).python), "-m", "tools.emulate", *words])


def nightly(words: list[str]) -> int:
    """Run everything that takes too long for each change, with one summary (hours)."""
    replace_process([str(prepare(ROOT, TEST).python), "-m", "tools.nightly", *words])


def setup(words: list[str]) -> int:
    """Create the environment .venv, with .venv/bin/sniperboard, pytest, ruff and mypy in it."""
    command = prepare(ROOT, TEST).command
    say(f"Ready: {command}")
    return 0


def check(words: list[str]) -> int:
    """Check style and types, of the Python and of the JavaScript (needs Node.js)."""
    here = prepare(ROOT, TEST)
    tools = (["ruff", "check"], ["ruff", "format", "--check"], ["mypy"])
    return max(*(in_environment(here, *tool) for tool in tools), javascript.check(ROOT))


def screenshots(words: list[str]) -> int:
    """Take the screenshots in docs/screens again."""
    here = prepare(ROOT, TEST)
    system.need_browser()
    return in_environment(here, "tools.screens", *words)


def docs(words: list[str]) -> int:
    """Build the manual as a site, which the table serves at /docs, and check its links."""
    replace_process([str(prepare(ROOT, DOCS).python), "-m", "tools.manual", *words])


def dist(words: list[str]) -> int:
    """Build a wheel and a source archive into dist/, with the manual in them."""
    here = prepare(ROOT, DOCS)
    return in_environment(here, "tools.manual") or in_environment(here, "hatchling", "build", *words)


def audit(words: list[str]) -> int:
    """Check every locked package against the public list of vulnerabilities (needs the internet)."""
    return auditing.audit(ROOT, words)


def make_lock(words: list[str]) -> int:
    """Update the lock files to the newest versions that fit (for maintainers)."""
    lock.write_locks(ROOT)
    return 0


def make_service(words: list[str]) -> int:
    """Install the table as a service of this machine (sudo; ARGS="--dry-run" only lists the steps)."""
    return install.install(ROOT, words)


def unmake_service(words: list[str]) -> int:
    """Remove the service; settings and games stay (sudo)."""
    return install.uninstall(words)


def list_targets(words: list[str]) -> int:
    """List the targets."""
    print('make TARGET, or make TARGET ARGS="…" to pass options:')
    for name, target in TARGETS.items():
        print(f"  {name:11} {target.__doc__}")
    return 0


TARGETS: dict[str, Callable[[list[str]], int]] = {
    "play": play,
    "test": test,
    "setup": setup,
    "check": check,
    "fire": fire,
    "games": games,
    "drill": drill,
    "soak": soak,
    "bench": bench,
    "load": load,
    "emulate": emulate,
    "nightly": nightly,
    "screenshots": screenshots,
    "docs": docs,
    "dist": dist,
    "audit": audit,
    "lock": make_lock,
    "install": make_service,
    "uninstall": unmake_service,
    "help": list_targets,
}


STOPPED_BY_ITSELF = (70, -signal.SIGALRM)
"""Exit codes of a table that a bug or a game stopped. The next start resumes the game, or closes it if it hung."""
MOST_STARTS = 3
"""Maximum consecutive starts that end too soon to play."""
TOO_SOON_SECONDS = 60.0
"""Seconds within which an end counts as too soon."""


def keep_running(command: list[str], clock: Callable[[], float] = time.monotonic) -> int:
    """Run the table, and restart it when it stops by itself; return its exit code.

    The terminal sends Ctrl-C to both processes. This process waits for the table, and forwards the signals that only it
    receives.
    """
    starts = 0
    while True:
        began = clock()
        code = _run_table(command)
        starts = 1 if clock() - began > TOO_SOON_SECONDS else starts + 1
        if code not in STOPPED_BY_ITSELF:
            # A shell reports a signal as 128 plus its number; subprocess reports it as a negative number.
            return code if code >= 0 else 128 - code
        if starts >= MOST_STARTS:
            print(
                f"The table has stopped by itself {starts} times in a row. The games are kept. "
                "Remove the game that was named last, then run `make play` again.",
                file=sys.stderr,
            )
            return 70
        print("The table stopped by itself. It starts again; a game that hung is closed.", file=sys.stderr, flush=True)


def _run_table(command: list[str]) -> int:
    sys.stdout.flush()
    table = subprocess.Popen(command)
    # Ctrl-C reaches the table directly; this process must survive it. Other signals are forwarded.
    before = {signal.SIGINT: signal.signal(signal.SIGINT, lambda *_: None)}
    for number in (signal.SIGTERM, signal.SIGHUP):
        before[number] = signal.signal(number, lambda found, _: table.send_signal(found))
    try:
        return table.wait()
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def in_environment(here: Environment, *words: str) -> int:
    """Run a Python module of the environment in the project's folder; return its exit code."""
    return subprocess.run([str(here.python), "-m", *words], cwd=ROOT, check=False).returncode


def replace_process(command: list[str]) -> NoReturn:
    """Replace this process with a program, so that it receives signals from the keyboard and from make."""
    os.chdir(ROOT)
    sys.stdout.flush()
    os.execv(command[0], command)


def main(arguments: list[str]) -> int:
    """Run the target that comes first in `arguments`; return the exit code."""
    name, words = (arguments[0], arguments[1:]) if arguments else ("help", [])
    if name not in TARGETS:
        print(f"There is no target {name}: choose one of {', '.join(TARGETS)}.", file=sys.stderr)
        return 2
    try:
        return TARGETS[name](words)
    except ToolError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Interrupted. Run the command again to continue.", file=sys.stderr)
        return 130
