"""Changes the rules one small thing at a time and sees whether a test notices.

Run `.venv/bin/python -m tools.mutate --sample 50` for some changes, without `--sample` for all, and with
`--write docs/testing.md` to put the score there. Each change is tried in a copy of the tree, one copy a core. A change
that no test notices is a survivor: kill it with a test, or say in `tools/survivors.toml` why it changes no rule.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from random import Random

from msgspec import Struct

from tools.mutations import Change, changes

ROOT = Path(__file__).resolve().parent.parent
FOLDER = "engine/games/sniper_elite"
MODULES = (
    "bag", "cards", "fold", "mines", "movement", "odds", "setup", "shooting", "specialists", "squads", "turn",
)  # fmt: skip
TESTS = ("tests/games/sniper_elite",)
EXPLAINED = ROOT / "tools" / "survivors.toml"
COPIED = ("engine", "firmware_host", "hardware", "maps", "tests", "tools", "web_panel", "docs", "pyproject.toml")
BEGIN, END = "<!-- changes tried: begin -->", "<!-- changes tried: end -->"
PATIENCE = 4
"""How many times longer than the unchanged rules a change may take before it counts as noticed."""


class Trial(Struct, frozen=True):
    """A change and what came of it: killed, timeout or survived."""

    change: Change
    outcome: str


# --- trying -----------------------------------------------------------------------------------------------------


def copy_tree(to: Path) -> Path:
    """A copy of what the tests need, without bytecode."""
    for name in COPIED:
        source = ROOT / name
        if source.is_dir():
            shutil.copytree(source, to / name, ignore=shutil.ignore_patterns("__pycache__", ".*"))
        elif source.exists():
            shutil.copy(source, to / name)
    return to


def passes(tree: Path, tests: Sequence[str], patience: float | None) -> bool | None:
    """Whether the tests pass in a tree; None when they take longer than `patience` seconds."""
    command = [sys.executable, "-B", "-m", "pytest", "-x", "-q", "-n0", "-p", "no:cacheprovider", *tests]
    inside = {**os.environ, "PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1"}
    try:
        done = subprocess.run(command, cwd=tree, env=inside, check=False, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return None
    return done.returncode == 0


def attempt(change: Change, tree: Path, tests: Sequence[str], patience: float) -> Trial:
    """Make one change in a tree, run the tests, and undo it."""
    file = tree / change.file
    source = file.read_bytes()
    file.write_bytes(change.applied(source))
    try:
        passed = passes(tree, tests, patience)
    finally:
        file.write_bytes(source)
    return Trial(change, {True: "survived", False: "killed", None: "timeout"}[passed])


def attempt_all(todo: Sequence[Change], tests: Sequence[str], jobs: int) -> Iterator[Trial]:
    """The trials as they end. Raises `SystemExit` if the tests fail without any change."""
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(jobs) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for job in range(jobs):
            trees.put(copy_tree(Path(folder) / str(job)))
        patience = _patience(trees, tests)

        def one(change: Change) -> Trial:
            tree = trees.get()
            try:
                return attempt(change, tree, tests, patience)
            finally:
                trees.put(tree)

        yield from pool.map(one, todo)


def _patience(trees: SimpleQueue[Path], tests: Sequence[str]) -> float:
    tree = trees.get()
    began = time.monotonic()
    if not passes(tree, tests, None):
        raise SystemExit(f"The tests fail before anything is changed: run pytest {' '.join(tests)} first.")
    trees.put(tree)
    return 10 + PATIENCE * (time.monotonic() - began)


# --- what came of it --------------------------------------------------------------------------------------------


def explained() -> dict[tuple[str, str], str]:
    """(file, change) -> why it changes no rule."""
    entries = tomllib.loads(EXPLAINED.read_text("utf-8")).get("survivor", []) if EXPLAINED.exists() else []
    return {(entry["file"], entry["change"]): entry["why"] for entry in entries}


def score(trials: Sequence[Trial], reasons: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """A table by module, as Markdown, and the explained survivors below it."""
    yield "| module | changes | noticed | explained | survivors |"
    yield "|---|---:|---:|---:|---:|"
    files = list(dict.fromkeys(trial.change.file for trial in trials))
    for file in [*files, None]:
        mine = [trial for trial in trials if file in (None, trial.change.file)]
        alive = [trial for trial in mine if trial.outcome == "survived"]
        told = sum(trial.change.key in reasons for trial in alive)
        name = "all" if file is None else f"`{Path(file).name}`"
        yield f"| {name} | {len(mine)} | {len(mine) - len(alive)} | {told} | {len(alive) - told} |"
    alive = [trial for trial in trials if trial.outcome == "survived"]
    why = [(trial.change, reasons[trial.change.key]) for trial in alive if trial.change.key in reasons]
    if why:
        yield "\nExplained:\n"
        yield from (f"- `{Path(change.file).name}`: `{change.words}`: {reason}" for change, reason in why)


def write(page: Path, lines: Sequence[str]) -> None:
    """Put the score between its two marks in a page, at its end if it has none."""
    text = page.read_text("utf-8") if page.exists() else "# Testing\n"
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2].lstrip("\n")
    body = "\n".join([BEGIN, "", *lines, "", END])
    page.write_text(f"{before.rstrip()}\n\n{body}\n{after and chr(10) + after}", "utf-8")


# --- the command ------------------------------------------------------------------------------------------------


def main() -> int:
    """Prints the survivors and the score; 1 if a survivor is not explained."""
    chosen = _arguments()
    files = [f"{FOLDER}/{name}.py" for name in chosen.module or MODULES]
    todo = [change for file in files for change in changes(file, (ROOT / file).read_text("utf-8"))]
    if chosen.sample:
        todo = sorted(Random(chosen.seed).sample(todo, min(chosen.sample, len(todo))), key=todo.index)
    reasons, trials = explained(), []
    for trial in attempt_all(todo, chosen.tests or TESTS, chosen.jobs):
        trials.append(trial)
        if trial.outcome == "survived" and trial.change.key not in reasons:
            print(f"survived {trial.change}", flush=True)
        _progress(trials, len(todo))
    lines = list(score(trials, reasons))
    print("\n".join(["", *lines]))
    if chosen.write:
        write(chosen.write, [*_caption(chosen.sample), *lines])
    left = [trial for trial in trials if trial.outcome == "survived" and trial.change.key not in reasons]
    return 1 if left else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Change the rules one thing at a time; see whether a test notices.")
    parser.add_argument("tests", nargs="*", help=f"what to run; {' '.join(TESTS)} if left out")
    parser.add_argument("--module", action="append", choices=MODULES, help="only this module; may be given again")
    parser.add_argument("--sample", type=int, help="only so many changes, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the score into this page")
    return parser.parse_args()


def _progress(trials: Sequence[Trial], of: int) -> None:
    if sys.stderr.isatty():
        done = Counter(trial.outcome for trial in trials)
        said = ", ".join(f"{number} {outcome}" for outcome, number in done.items())
        print(f"\r{len(trials)} of {of}: {said} ", end="" if len(trials) < of else "\n", file=sys.stderr, flush=True)


def _caption(sample: int | None) -> list[str]:
    what = f"A sample of {sample} changes" if sample else "Every change that the tool knows"
    return [f"{what}, made one at a time by `python -m tools.mutate`; *noticed* means that a test failed.", ""]


if __name__ == "__main__":
    sys.exit(main())
