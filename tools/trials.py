"""Run the tests on changed rules, fast: each change in its own process, forked after loading.

First the tests run once unchanged, to record which lines each one executes and how long it takes. A change inside a
function is made in a fork of the loaded tests by replacing the function's code. The tests that execute the changed
lines run, the shortest first, until one fails. Code that runs while modules load (constants, tables, a function that
fills one) is changed before anything is loaded; then any test may detect it. The caller of `watch` must not have loaded
the project, and nothing may be changed before `try_all` has returned.
"""

from __future__ import annotations

import gc
import json
import os
import resource
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import _lru_cache_wrapper
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any

import pytest
from hypothesis import Phase, settings
from msgspec import Struct

from tools.mutations import Mutation

ROOT = Path(__file__).resolve().parent.parent
QUIET = (
    "-o", "addopts=--strict-markers --import-mode=importlib", "-s", "-p", "no:terminal", "-p", "no:cacheprovider",
    "--assert=plain",
)  # fmt: skip
MEMORY = 4 << 30
"""Maximum bytes of memory for a changed process; an endlessly growing list fails there."""
PATIENCE = 5
"""Time limit of a test: this factor times its time without the change, plus the same number of seconds.

A change that exceeds the limit counts as detected.
"""
LOADING = 60
"""Seconds that loading may take."""
OUTCOMES = {0: "survived", -signal.SIGPROF: "timeout", -signal.SIGALRM: "timeout"}
NOTICED, BROKEN = 1, 70
"""Exit codes of a process that tried a change: a test failed; the change could not be made."""


class MutationVerdict(Struct, frozen=True):
    """A change and its outcome: killed, timeout or survived."""

    change: Mutation
    outcome: str


class Traces(Struct, frozen=True):
    """The unchanged tests.

    `seconds` are by test name, `executed` is "file:line" -> tests, `early` are the functions that ran while loading.
    """

    seconds: dict[str, float]
    executed: dict[str, set[str]]
    early: set[str]

    def tests(self, change: Mutation) -> list[str]:
        """Return the tests that execute a changed line, the shortest first; all if it is in no function."""
        found = self._executing(change) if change.in_function else set(self.seconds)
        return sorted(found, key=self.seconds.__getitem__)

    def is_early(self, change: Mutation) -> bool:
        """Return whether a change can take effect while modules load."""
        return not change.in_function or f"{change.file}:{change.holder}" in self.early

    def _executing(self, change: Mutation) -> set[str]:
        lines = range(change.lines[0], change.lines[1] + 1)
        there = set[str]().union(*(self.executed.get(f"{change.file}:{line}", ()) for line in lines))
        return there or self.executed.get(f"{change.file}:{change.holder}", set())


# --- tracing ----------------------------------------------------------------------------------------------------


class Tracer:
    """A pytest plugin that records which lines of some files each test executes. It clears caches before each test."""

    def __init__(self, files: Sequence[str]) -> None:
        self._files = {str(ROOT / file): file for file in files}
        self._left: dict[CodeType, set[int]] = {}
        """The lines not yet executed, by code object that has run."""
        self.seconds: dict[str, float] = {}
        self.executed: dict[str, list[str]] = {}
        self.early: list[str] = []
        self._caches: list[Any] = []
        sys.settrace(self._call)

    def pytest_collection_finish(self) -> None:
        """Record what ran while modules were loaded."""
        self.early = sorted(set(self._seen()))
        self._caches = [found for found in _objects() if isinstance(found, _lru_cache_wrapper)]

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        # A cached result would hide that this test needs the code behind the cache.
        for cache in self._caches:
            if str(cache.__module__).startswith("engine."):
                cache.cache_clear()
        self._left.clear()
        sys.settrace(self._call)
        began = time.process_time()
        yield
        sys.settrace(None)
        self.seconds[item.nodeid] = time.process_time() - began
        for place in set(self._seen()):
            self.executed.setdefault(place, []).append(item.nodeid)

    def _call(self, frame: FrameType, event: str, value: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._files:
            return None
        if code not in self._left:
            self._left[code] = {line for _, _, line in code.co_lines() if line}
        # Stop tracing a function once all of its lines are known; tracing is slow.
        return self._line if self._left[code] else None

    def _line(self, frame: FrameType, event: str, value: Any) -> Any:
        self._left[frame.f_code].discard(frame.f_lineno)
        return self._line

    def _seen(self) -> Iterator[str]:
        for code, left in self._left.items():
            file = self._files[code.co_filename]
            yield f"{file}:{code.co_qualname.partition('.<locals>')[0]}"
            yield from (f"{file}:{line}" for _, _, line in code.co_lines() if line and line not in left)
        self._left.clear()


def run_unchanged(tests: Sequence[str], files: Sequence[str]) -> Traces:
    """Run the tests once without any change. Raises `SystemExit` if they fail."""
    with tempfile.TemporaryDirectory() as folder:
        note = Path(folder) / "watched.json"
        if _wait(_fork(lambda: _watch(tests, files, note)))[1] != 0:
            raise SystemExit(f"The tests fail before anything is changed: run pytest {' '.join(tests)} first.")
        found = json.loads(note.read_text("utf-8"))
    executed = {place: set(names) for place, names in found["executed"].items()}
    return Traces(found["seconds"], executed, set(found["early"]))


def _watch(tests: Sequence[str], files: Sequence[str], note: Path) -> int:
    watcher = Tracer(files)
    code = pytest.main([*QUIET, *tests], plugins=[watcher])
    sys.settrace(None)
    found = {"seconds": watcher.seconds, "executed": watcher.executed, "early": watcher.early}
    note.write_text(json.dumps(found), "utf-8")
    return int(code)


# --- trying changes ---------------------------------------------------------------------------------------------


def try_all(
    todo: Sequence[Mutation], watched: Traces, tests: Sequence[str], jobs: int, heard: Callable[[MutationVerdict], None]
) -> None:
    """Try each change. `heard` is called with each verdict as soon as it is known, in any order."""
    _settle_for_first_failure()
    again = [change for change in todo if not change.in_function]
    for trial in _try_loaded([change for change in todo if change.in_function], watched, tests, jobs):
        # The function also ran while modules loaded, so try the change again from the start.
        if trial.outcome == "survived" and watched.is_early(trial.change):
            again.append(trial.change)
        else:
            heard(trial)
    _try_each(again, jobs, heard, lambda change: _try_early(change, watched, tests))


def _try_loaded(
    todo: Sequence[Mutation], watched: Traces, tests: Sequence[str], jobs: int
) -> Iterator[MutationVerdict]:
    """Try changes inside functions, in forks of a process that has loaded the tests."""
    read, write = os.pipe()

    def heard(trial: MutationVerdict) -> None:
        os.write(write, f"{todo.index(trial.change)} {trial.outcome}\n".encode())

    pid = _fork(lambda: int(pytest.main([*QUIET, *tests], plugins=[_MutationPlugin(todo, watched, jobs, heard)])))
    os.close(write)
    with open(read, encoding="utf-8") as lines:
        for line in lines:
            index, outcome = line.split()
            yield MutationVerdict(todo[int(index)], outcome)
    if _wait(pid)[1] != 0:
        raise SystemExit("The tests could not be loaded, or a change could not be made.")


def _settle_for_first_failure() -> None:
    """Turn off Hypothesis' shrinking, because any failure is enough."""
    settings.register_profile("first failure", phases=(Phase.explicit, Phase.generate))
    settings.load_profile("first failure")


class _MutationPlugin:
    """A pytest plugin that tries changes instead of running the loaded tests."""

    def __init__(
        self, todo: Sequence[Mutation], watched: Traces, jobs: int, heard: Callable[[MutationVerdict], None]
    ) -> None:
        self._todo, self._watched, self._jobs, self._heard = todo, watched, jobs, heard

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}

        def one(change: Mutation) -> int:
            if not (names := self._watched.tests(change)):
                return 0
            _replace_code(change)
            return _run([items[name] for name in names], self._watched.seconds)

        _try_each(self._todo, self._jobs, self._heard, one)
        return True


def _try_each(
    todo: Iterable[Mutation], jobs: int, heard: Callable[[MutationVerdict], None], one: Callable[[Mutation], int]
) -> None:
    """Try changes in parallel, each in a fork."""
    running: dict[int, Mutation] = {}

    def reap() -> None:
        pid, code = _wait()
        change = running.pop(pid)
        if code == BROKEN:
            raise SystemExit(f"This change could not be made: {change}")
        heard(MutationVerdict(change, OUTCOMES.get(code, "killed")))

    for change in todo:
        if len(running) == jobs:
            reap()
        running[_fork(lambda change=change: one(change))] = change  # type: ignore[misc]
    while running:
        reap()


def _fork(job: Callable[[], int]) -> int:
    """Start a process that runs a job without output; return its number."""
    if (pid := os.fork()) != 0:
        return pid
    code = BROKEN
    try:
        # File descriptors, because child processes and C code bypass `sys.stdout`.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for stream in (1, 2):
            os.dup2(nowhere, stream)
        os.environ.pop("PYTEST_ADDOPTS", None)  # options for the caller's pytest, for example about its output
        code = job()
    finally:
        # Skip clean-up handlers: they belong to the parent process.
        os._exit(code)


def _wait(pid: int = -1) -> tuple[int, int]:
    """Wait for a process; return its number and its exit code, negative for a signal."""
    ended, status = os.waitpid(pid, 0)
    return ended, os.waitstatus_to_exitcode(status)


def _allow(seconds: float) -> None:
    """Limit this process: `seconds` of processor time, twenty times as much real time, and its memory."""
    # An endless change must fail instead of exhausting the machine.
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, 20 * seconds)


def _run(items: Sequence[pytest.Item], seconds: Mapping[str, float]) -> int:
    """Run tests until one fails, or until pytest itself fails, for example out of memory."""
    try:
        for item, following in zip(items, [*items[1:], None], strict=True):
            _allow(PATIENCE + PATIENCE * seconds[item.nodeid])
            if any(report.failed for report in _reports(item, following)):
                return NOTICED
    except Exception:
        return NOTICED
    return 0


def _reports(item: pytest.Item, following: pytest.Item | None) -> Iterable[pytest.TestReport]:
    from _pytest.runner import runtestprotocol

    return runtestprotocol(item, log=False, nextitem=following)


# --- making a change --------------------------------------------------------------------------------------------


def _replace_code(change: Mutation) -> None:
    """Replace the changed function's code in all of its function objects."""
    file = str(ROOT / change.file)
    changed = compile(change.applied(Path(file).read_bytes()), file, "exec")
    code = next(code for code in _codes(changed) if code.co_qualname == change.holder)
    # Decorators and imports hold references to the function object, so replace its code, not the object.
    found = [
        function
        for function in _objects()
        if isinstance(function, FunctionType)
        and function.__code__.co_filename == file
        and function.__code__.co_qualname == change.holder
    ]
    assert found, f"{change.holder} is not loaded"
    for function in found:
        function.__code__ = code


def _objects() -> list[Any]:
    """Return all live objects, including those that `tests/conftest.py` exempted from garbage collection."""
    gc.unfreeze()
    found = gc.get_objects()
    gc.freeze()
    return found


def _codes(code: CodeType) -> Iterator[CodeType]:
    """Yield the code objects of everything in a module."""
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from _codes(part)


class _MutatedLoader(SourceFileLoader):
    """Loads a module with a change."""

    def __init__(self, name: str, change: Mutation) -> None:
        super().__init__(name, str(ROOT / change.file))
        self._change = change

    def get_code(self, fullname: str) -> CodeType:
        """Return the changed code, not the cached one."""
        return compile(self._change.applied(Path(self.path).read_bytes()), self.path, "exec")


class _MutatedFinder:
    """Finds the one changed module."""

    def __init__(self, change: Mutation) -> None:
        self._name = change.file.removesuffix(".py").replace("/", ".")
        self._change = change

    def find_spec(self, name: str, path: Any = None, target: ModuleType | None = None) -> ModuleSpec | None:
        """Return how to load the changed module; None for others."""
        if name != self._name:
            return None
        return spec_from_file_location(name, ROOT / self._change.file, loader=_MutatedLoader(name, self._change))


class _ShortestFirst:
    """A pytest plugin that sorts the tests and limits the time of each."""

    def __init__(self, names: Sequence[str], seconds: Mapping[str, float]) -> None:
        self._rank = {name: rank for rank, name in enumerate(names)}
        self._seconds = seconds
        _allow(LOADING)

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items.sort(key=lambda item: self._rank.get(item.nodeid, len(self._rank)))

    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        _allow(PATIENCE + PATIENCE * self._seconds.get(item.nodeid, 0))


def _try_early(change: Mutation, watched: Traces, tests: Sequence[str]) -> int:
    sys.meta_path.insert(0, _MutatedFinder(change))
    plugin = _ShortestFirst(watched.tests(change), watched.seconds)
    return NOTICED if pytest.main([*QUIET, "-x", *tests], plugins=[plugin]) else 0
