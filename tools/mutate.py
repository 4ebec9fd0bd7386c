"""Changes the rules one small thing at a time and sees whether a test notices.

Run `.venv/bin/python -m tools.mutate --sample 50` for some changes, without `--sample` for all, and with
`--write docs/testing.md` to put the score there. A change that no test notices is a survivor:
kill it with a test, or say in `tools/survivors.toml` why it changes no rule.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from tools.mutations import changes
from tools.trials import ROOT, MutationVerdict, try_all, watch

GAME = "games/sniper_elite/rules"
FILES = {path.stem: path.relative_to(ROOT).as_posix() for path in sorted((ROOT / GAME).glob("[a-z]*.py"))} | {
    "game": "games/sniper_elite/game.py",
    "cues": "games/sniper_elite/show/cues.py",
    **{f"engine-{name}": f"engine/{name}.py" for name in ("chance", "referee", "events")},
}
"""Module -> its file: the game's own, and what keeps chance and secrets for every game."""
TESTS = (
    "tests/games", "tests/engine/test_chance.py", "tests/engine/test_referee.py", "tests/engine/test_secrets.py",
    "tests/firmware_host/test_engine_protocol.py", "tests/firmware_host/test_picture.py",
    "tests/firmware_host/test_scene.py",
)  # fmt: skip
EXPLAINED = ROOT / "tools" / "survivors.toml"
BEGIN, END = "<!-- changes tried: begin -->", "<!-- changes tried: end -->"


# --- what came of it --------------------------------------------------------------------------------------------


def explained() -> dict[tuple[str, str], str]:
    """(file, change) -> why it changes no rule."""
    entries = tomllib.loads(EXPLAINED.read_text("utf-8")).get("survivor", []) if EXPLAINED.exists() else []
    return {(entry["file"], entry["change"]): entry["why"] for entry in entries}


def score(trials: Sequence[MutationVerdict], reasons: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """A table by module, as Markdown, and the explained survivors below it."""
    yield "| module | changes | noticed | by taking for ever | explained | survivors |"
    yield "|---|---:|---:|---:|---:|---:|"
    files = list(dict.fromkeys(trial.change.file for trial in trials))
    for file in [*files, None]:
        mine = [trial for trial in trials if file in (None, trial.change.file)]
        alive = [trial for trial in mine if trial.outcome == "survived"]
        told = sum(trial.change.key in reasons for trial in alive)
        name = "all" if file is None else f"`{Path(file).name}`"
        endless = sum(trial.outcome == "timeout" for trial in mine)
        yield f"| {name} | {len(mine)} | {len(mine) - len(alive)} | {endless} | {told} | {len(alive) - told} |"
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
    tests, files = chosen.tests or TESTS, [FILES[name] for name in chosen.module or FILES]
    todo = [change for file in files for change in changes(file, (ROOT / file).read_text("utf-8"))]
    todo = [change for change in todo if chosen.only in str(change)]
    if chosen.sample:
        todo = sorted(Random(chosen.seed).sample(todo, min(chosen.sample, len(todo))), key=todo.index)
    reasons, trials = explained(), list[MutationVerdict]()

    def heard(trial: MutationVerdict) -> None:
        trials.append(trial)
        if trial.outcome != "killed" and trial.change.key not in reasons:
            print(f"{trial.outcome} {trial.change}", flush=True)
        _progress(trials, len(todo))

    with tempfile.TemporaryDirectory() as folder:
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        try_all(todo, watch(tests, files), tests, chosen.jobs, heard)
    trials.sort(key=lambda trial: todo.index(trial.change))
    lines = list(score(trials, reasons))
    print("\n".join(["", *lines]))
    if chosen.write:
        write(chosen.write, [*_caption(chosen.sample), *lines])
    left = [trial for trial in trials if trial.outcome == "survived" and trial.change.key not in reasons]
    return 1 if left else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Change the rules one thing at a time; see whether a test notices.")
    parser.add_argument("tests", nargs="*", help=f"what to run; {' '.join(TESTS)} if left out")
    parser.add_argument("--module", action="append", choices=FILES, help="only this module; may be given again")
    parser.add_argument("--only", default="", metavar="WORDS", help="only changes whose line has these words")
    parser.add_argument("--sample", type=int, help="only so many changes, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--write", type=Path, metavar="PAGE", help="put the score into this page")
    return parser.parse_args()


def _progress(trials: Sequence[MutationVerdict], of: int) -> None:
    if sys.stderr.isatty():
        done = Counter(trial.outcome for trial in trials)
        said = ", ".join(f"{number} {outcome}" for outcome, number in done.items())
        print(f"\r{len(trials)} of {of}: {said} ", end="" if len(trials) < of else "\n", file=sys.stderr, flush=True)


def _caption(sample: int | None) -> list[str]:
    what = f"A sample of {sample} changes" if sample else "Every change that the tool knows"
    return [f"{what}, made one at a time by `python -m tools.mutate`; *noticed* means that a test failed.", ""]


if __name__ == "__main__":
    sys.exit(main())
