"""`make nightly`: run everything that takes too long for each change, with one summary.

The jobs run one after the other. Each job's output goes to its own file in build/nightly.

Exit codes: 0 all jobs passed · 1 a job failed.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

from maker.page_parts import markdown_table

ROOT = Path(__file__).resolve().parent.parent
LOGS = ROOT / "build" / "nightly"
DEEP = {"DEPTH": "20"}
TEST = "-m pytest -s"
WIDE = "-m pytest -n auto --dist worksteal"


class Job(NamedTuple):
    """A job: a description, an interpreter's arguments, and additional environment variables."""

    what: str
    arguments: str
    environment: dict[str, str]

    @property
    def argument_list(self) -> list[str]:
        return shlex.split(self.arguments)


JOBS = {
    "kills": Job("1,000 kills, bad disks, power cut at every byte", f"{TEST} tests/drill", {"DRILL_KILLS": "1000"}),
    "twins": Job(
        "twins that differ in secrets: every channel, every act",
        f"{WIDE} tests/secrecy tests/games/sniper_elite/test_twins.py",
        DEEP,
    ),
    "games": Job(
        "random games against the second referee, and from their records",
        f"{WIDE} tests/games tests/firmware_host/test_replay.py tests/firmware_host/test_games_cli.py "
        "tests/firmware_host/test_promise.py "
        "tests/firmware_host/test_bots_on_the_board.py",
        DEEP,
    ),
    "fuzz": Job(
        "random input for every parser, address and wire",
        f"{WIDE} tests/test_parsers.py tests/web_panel/test_description.py tests/hardware/test_fire.py "
        "tests/firmware_host/test_engine_protocol_fuzz.py tests/firmware_host/test_hands_protocol.py "
        "tests/firmware_host/test_failing_games.py",
        {**DEEP, "FIRE_FRAMES": "1000000"},
    ),
    "hands": Job(
        "miniatures carried in every way, whatever the table believes",
        f"{WIDE} tests/firmware_host/test_hands_at_random.py tests/firmware_host/test_hands_any_belief.py "
        "tests/firmware_host/test_episodes.py",
        DEEP,
    ),
    "maps": Job(
        "every map redrawn in the editor, and through its files; lines of sight of random maps",
        f"{TEST} tests/web_panel/test_browser_editor.py tests/firmware_host/test_map_editor.py "
        "tests/maker/test_sight_oracle.py",
        DEEP,
    ),
    "screens": Job(
        "every screen in every language and at every width, games on more phones",
        f"{WIDE} tests/web_panel --ignore=tests/web_panel/test_browser_editor.py",
        {"DEPTH": "2"},
    ),
    "slow": Job(
        "the other tests that are left out of each change",
        f"{WIDE} -m nightly --ignore=tests/web_panel",
        {"DEPTH": "2"},
    ),
    "attacks": Job("every known attack, tried again", f"{TEST} tests/attacks", DEEP),
    "installs": Job(
        "wheel, source archive and installation, all packages downloaded",
        f"{TEST} tests/test_wheel.py tests/test_systemd.py",
        DEEP,
    ),
    "cluster": Job(
        "the arena on Dask, its workers killed",
        f"{TEST} tests/firmware_host/test_cluster.py tests/firmware_host/test_ratings.py",
        DEEP,
    ),
    "chipboard": Job(
        "the chip board by KiCad's rules, its gerbers made again", "-m maker.drawings.chipboard --check", {}
    ),
    "emulator": Job("the firmware on an emulated Pico", "-m tools.emulate", {}),
    "roots": Job(
        "clean Debian 12 and 13, of this computer and of a Raspberry Pi: installed, updated, played, uninstalled",
        "-m tests.drill.roots",
        {},
    ),
    "experts": Job(
        "the experts against the strong bots, 100 games of each pair on each map",
        "-m firmware_host ratings --bots phantom prowler marshal warden --games 100",
        {},
    ),
    "advice": Job("the advice of the analysis against the strong bots, 100 games of each side", "-m lab.advice", {}),
    "puzzles": Job("the answer of every puzzle, calculated in two ways", "-m firmware_host puzzles verify", {}),
    "load": Job("half an hour of load", "-m lab.load --json build/nightly/load.json", {}),
    "soak": Job("10,000 games of bots", "-m lab.soak --json build/nightly/soak.json", {}),
}
"""Name -> job, in the order of their run."""


class JobResult(NamedTuple):
    """A finished job: exit code, seconds, and the last line of its output."""

    name: str
    code: int
    seconds: float
    last: str


def run_job(name: str) -> JobResult:
    job, log = JOBS[name], LOGS / f"{name}.log"
    began = time.monotonic()
    with log.open("wb") as words:
        command = [sys.executable, *job.argument_list]
        # Unbuffered, so that the log of a running job can be followed.
        environment = {**os.environ, "PYTHONUNBUFFERED": "1", **job.environment}
        done = subprocess.run(
            command, cwd=ROOT, env=environment, stdin=subprocess.DEVNULL, stdout=words, stderr=subprocess.STDOUT
        )
    lines = log.read_text("utf-8", "replace").split("\n")
    last = next((line.strip() for line in reversed(lines) if line.strip()), "")
    return JobResult(name, done.returncode, time.monotonic() - began, last)


def summary(outcomes: list[JobResult]) -> str:
    rows = [
        (it.name, JOBS[it.name].what, f"{it.seconds / 60:.0f}", f"CODE {it.code}" if it.code else "well", it.last)
        for it in outcomes
    ]
    return markdown_table(("job", "what", "minutes", "ended", "last words"), rows)


def main() -> int:
    """Run all jobs, or the named ones; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="make nightly", description="Run everything that takes too long for each change."
    )
    parser.add_argument("jobs", nargs="*", metavar="JOB", help=f"some of {', '.join(JOBS)} (default: all)")
    chosen = parser.parse_args().jobs or list(JOBS)
    if unknown := [name for name in chosen if name not in JOBS]:
        parser.error(f"there is no job {unknown[0]}; there are {', '.join(JOBS)}")
    LOGS.mkdir(parents=True, exist_ok=True)
    outcomes = []
    for name in chosen:
        print(f"{name}: {JOBS[name].what}", flush=True)
        outcomes.append(run_job(name))
    print(f"\n{summary(outcomes)}\n\nTheir words are in {LOGS.relative_to(ROOT)}.")
    return 0 if all(it.code == 0 for it in outcomes) else 1


if __name__ == "__main__":
    raise SystemExit(main())
