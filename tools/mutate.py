"""Mutation tests: make one small change to the rules at a time, and see whether a test fails.

Run `.venv/bin/python -m tools.mutate --sample 50` for some changes, without `--sample` for all, and with `--game NAME`
for another game than Sniper Elite. A change that no test detects is a survivor: add a test, or explain in
`tools/survivors.toml` why the change affects no rule.

No library fits: cosmic-ray starts pytest for each change, and mutmut doesn't change module-level tables, which hold
many rules.
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

from games import names
from tools.mutations import changes
from tools.trials import ROOT, MutationVerdict, run_unchanged, try_all

DEFAULT_GAME = "sniper-elite"
SHARED = {f"engine-{name}": f"engine/{name}.py" for name in ("chance", "referee", "events")}
"""Modules that handle chance and secrets for every game."""
TESTS = (
    "tests/games", "tests/engine/test_chance.py", "tests/engine/test_referee.py",
    "tests/firmware_host/test_engine_protocol.py", "tests/firmware_host/test_picture.py",
    "tests/firmware_host/test_scene.py",
)  # fmt: skip
"""Tests that can play the first game."""


def files_of(game: str) -> dict[str, str]:
    """Return module -> file: the game's rules, and for the first game also what all games share."""
    folder = f"games/{game.replace('-', '_')}"
    own = {path.stem: path.relative_to(ROOT).as_posix() for path in sorted((ROOT / folder / "rules").glob("[a-z]*.py"))}
    around = {"game": f"{folder}/game.py", "cues": f"{folder}/show/cues.py"}
    found = own | {name: file for name, file in around.items() if (ROOT / file).exists()}
    return found | SHARED if game == DEFAULT_GAME else found


def tests_of(game: str) -> tuple[str, ...]:
    """Return the tests that may detect a change."""
    return TESTS if game == DEFAULT_GAME else (f"tests/games/{game.replace('-', '_')}",)


FILES = files_of(DEFAULT_GAME)
SURVIVORS = ROOT / "tools" / "survivors.toml"


# --- results ----------------------------------------------------------------------------------------------------


def explained() -> dict[tuple[str, str], str]:
    """Return (file, change) -> why it changes no rule."""
    entries = tomllib.loads(SURVIVORS.read_text("utf-8")).get("survivor", []) if SURVIVORS.exists() else []
    return {(entry["file"], entry["change"]): entry["why"] for entry in entries}


def score(trials: Sequence[MutationVerdict], reasons: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield the score as a Markdown table by module, then the explained survivors."""
    yield "| module | changes | noticed | by timeout | explained | survivors |"
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
        yield from (f"- `{Path(change.file).name}`: `{change.change_text}`: {reason}" for change, reason in why)


# --- the command ------------------------------------------------------------------------------------------------


def main() -> int:
    chosen = _arguments()
    known = files_of(chosen.game)
    tests, files = chosen.tests or tests_of(chosen.game), [known[name] for name in chosen.module or known]
    todo = [change for file in files for change in changes(file, (ROOT / file).read_text("utf-8"))]
    todo = [change for change in todo if chosen.only in str(change)]
    if chosen.sample:
        # A seeded sample in source order, so that two runs can be compared.
        todo = sorted(Random(chosen.seed).sample(todo, min(chosen.sample, len(todo))), key=todo.index)
    reasons, trials = explained(), list[MutationVerdict]()

    def heard(trial: MutationVerdict) -> None:
        trials.append(trial)
        if trial.outcome != "killed" and trial.change.key not in reasons:
            print(f"{trial.outcome} {trial.change}", flush=True)
        _progress(trials, len(todo))

    with tempfile.TemporaryDirectory() as folder:
        # If a change hangs or crashes a test, files remain; remove them all at the end.
        os.environ["PYTEST_DEBUG_TEMPROOT"] = folder
        try_all(todo, run_unchanged(tests, files), tests, chosen.jobs, heard)
    # Verdicts arrive in any order.
    trials.sort(key=lambda trial: todo.index(trial.change))
    print("\n".join(["", *score(trials, reasons)]))
    left = [trial for trial in trials if trial.outcome == "survived" and trial.change.key not in reasons]
    return 1 if left else 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description="Make one small change to the rules at a time; see whether a test fails."
    )
    parser.add_argument("tests", nargs="*", help="tests to run (default: all that can play the game)")
    parser.add_argument(
        "--game", choices=names(), default=DEFAULT_GAME, help="whose rules are changed (default: %(default)s)"
    )
    parser.add_argument("--module", action="append", help="only this module; may be given again")
    parser.add_argument("--only", default="", metavar="WORDS", help="only changes whose line has these words")
    parser.add_argument("--sample", type=int, help="only so many changes, drawn by --seed")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    chosen = parser.parse_args()
    if unknown := set(chosen.module or ()) - set(files_of(chosen.game)):
        parser.error(
            f"no module {', '.join(sorted(unknown))} in {chosen.game}; there are {', '.join(files_of(chosen.game))}"
        )
    return chosen


def _progress(trials: Sequence[MutationVerdict], of: int) -> None:
    if sys.stderr.isatty():
        done = Counter(trial.outcome for trial in trials)
        said = ", ".join(f"{number} {outcome}" for outcome, number in done.items())
        print(f"\r{len(trials)} of {of}: {said} ", end="" if len(trials) < of else "\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
