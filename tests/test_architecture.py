"""ARCHITECTURE.md is true: it lists every folder, and its traces of a sensor edge and of a tap name what really runs.

A step names a function as `Class.method` or `function`, followed by its file in parentheses. Both traces are checked at
a whole table with its server on a port, while every call is recorded.
"""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from firmware_host.core import maps
from tests.secrecy.stack import MOMENTS, Stack

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "ARCHITECTURE.md").read_text("utf-8")
NAMED = re.compile(r"`((?:\w+\.)?\w+)`\s+\(`([\w/]+\.py)`\)")
SOURCES = ("engine", "games", "hardware", "firmware_host", "web_panel")

Trace = list[tuple[str, str]]
"""The called functions in order, each as (file, name)."""


def section(title: str) -> str:
    """Return the text under a heading."""
    _, _, rest = PAGE.partition(f"## {title}\n")
    assert rest, f"ARCHITECTURE.md has no section {title!r}"
    return rest.partition("\n## ")[0]


def steps(title: str) -> Trace:
    """Return the functions that a trace names."""
    return [(file, name) for name, file in NAMED.findall(section(title))]


def missing(wanted: Trace, run: Trace) -> list[str]:
    """Return the functions that were not called, or not after the one named before them."""
    found, at = [], 0
    for step in wanted:
        if step in run[at:]:
            at = run.index(step, at)
        else:
            found.append(f"{step[1]} ({step[0]})")
    return found


@contextmanager
def recorded_calls() -> Iterator[Trace]:
    """Record every call of project code, in this thread and in all threads started meanwhile."""
    run: Trace = []
    names: dict[Any, tuple[str, str] | None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        if event != "call":
            return
        code = frame.f_code
        if code not in names:
            file = Path(code.co_filename)
            ours = file.is_relative_to(ROOT) and file.relative_to(ROOT).parts[0] in SOURCES
            names[code] = (file.relative_to(ROOT).as_posix(), code.co_qualname.split(".<")[0]) if ours else None
        if (step := names[code]) is not None:
            run.append(step)

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        yield run
    finally:
        sys.setprofile(None)
        threading.setprofile(None)


def calls_during(folder: Path, prepare: Callable[[Stack], None], action: Callable[[Stack], None]) -> Trace:
    """Return the calls made while something is done at a whole table."""
    with recorded_calls() as run:
        stack = Stack(folder, maps.load("launch-facility"))
        try:
            prepare(stack)
            run.clear()
            action(stack)
            return list(run)
        finally:
            stack.stop()


def defenders_turn(stack: Stack) -> None:
    """Set up a game: the sniper is on the board, and it is the defenders' turn."""
    snipers_turn(stack)
    stack.acts("sniper", {"type": "end-turn"})
    stack.carry()


def snipers_turn(stack: Stack) -> None:
    """Set up a game: the sniper has moved silently onto the board."""
    stack.begin()
    stack.acts("sniper", stack.legal("sniper", "choose-entry")[0])
    stack.acts("sniper", next(act for act in stack.legal("sniper", "move") if len(act["path"]) == 1))


def carry_a_unit(stack: Stack) -> None:
    """Lift a defender's miniature and set it down two spaces away."""
    move = stack.legal("defenders", "move")[0]
    for space in (None, move["to"]):
        answer = stack.asks("POST", "/api/touch", {"miniature": move["unit"], "space": space}, seat="defenders")
        assert answer.startswith(b"HTTP/1.1 200"), answer
        for moment in MOMENTS:
            stack.settle()
            stack.loop.call(lambda _, moment=moment: stack.go_on(moment))
    stack.settle()
    assert stack.picture("table")["view"]["units"][move["unit"]] == move["to"]


def tap(stack: Stack) -> None:
    """Confirm, as the sniper, the act that ends the turn."""
    stack.acts("sniper", {"type": "end-turn"})


def test_trace_of_edge_names_what_runs(tmp_path: Path) -> None:
    wanted = steps("From sensor edge to lamp")
    assert len(wanted) > 12
    assert missing(wanted, calls_during(tmp_path, defenders_turn, carry_a_unit)) == []


def test_trace_of_tap_names_what_runs(tmp_path: Path) -> None:
    wanted = steps("From tap to picture")
    assert len(wanted) > 8
    assert missing(wanted, calls_during(tmp_path, snipers_turn, tap)) == []


def test_uncalled_or_misplaced_function_is_reported() -> None:
    run = [("a.py", "first"), ("b.py", "Table.feed"), ("a.py", "first"), ("c.py", "last")]
    assert missing([("a.py", "first"), ("b.py", "Table.feed"), ("c.py", "last")], run) == []
    assert missing([("b.py", "Table.feed"), ("a.py", "first"), ("b.py", "Table.feed")], run) == ["Table.feed (b.py)"]
    assert missing([("c.py", "Table.feed")], run) == ["Table.feed (c.py)"]


FOLDERS = sorted(
    folder.relative_to(ROOT).as_posix() + "/"
    for source in SOURCES
    for folder in [ROOT / source, *(ROOT / source).glob("*")]
    if folder.is_dir() and any(folder.glob("*.py")) and not folder.name.startswith((".", "_"))
)


@pytest.mark.parametrize("folder", FOLDERS)
def test_every_folder_is_listed(folder: str) -> None:
    name = folder.split("/")[-2] + "/"
    assert name in PAGE or (folder.startswith(("games/", "maps/")) and "<name>/" in PAGE)
