"""Runs the analysis of one game: starts the process, and adds each step that it judges to the file of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, Self

import msgspec

from firmware_host.analysis.files import FAULT, AnalysisFile, Failed
from firmware_host.analysis.judging import DEPTH, JudgedStep
from firmware_host.analysis.process import Length, Task
from firmware_host.core import children
from firmware_host.core.children import PYTHON
from firmware_host.records.record import Record

PROGRAM: Final = (*PYTHON, "-m", "firmware_host.analysis.process")
LONGEST_LINE: Final = 1 << 16
"""Bytes of an answer. Steps are far shorter."""


class Stopped(Exception):
    """The process has ended before the analysis was complete."""


class Run:
    """The analysis of one game in its process, which ends with the `with` block."""

    def __init__(
        self, file: AnalysisFile, record: Record, depth: int = DEPTH, program: Sequence[str] = PROGRAM
    ) -> None:
        """Raises `OSError` if no process can be started."""
        stored = file.read()
        self._file, self._done = file, 0 if stored is None else len(stored.steps)
        self._task = msgspec.json.encode(Task(record, depth, self._done)) + b"\n"
        self._child = children.start(program)

    def progress(self) -> Iterator[tuple[int, int]]:
        """Yield how many steps are judged, of how many. Raises `Stopped`, and `OSError` if nothing can be written."""
        assert self._child.stdin is not None and self._child.stdout is not None, "both are pipes"
        with suppress(BrokenPipeError):  # the process has ended
            self._child.stdin.write(self._task)
            self._child.stdin.flush()
        first = self._read()
        if isinstance(first, Failed):
            self._file.begin(0)
            self._file.add(first)
            return
        assert isinstance(first, Length)
        self._file.begin(first.of)
        yield self._done, first.of
        for done in range(self._done + 1, first.of + 1):
            step = self._read()
            assert not isinstance(step, Length)
            self._file.add(step)
            if isinstance(step, Failed):
                return
            yield done, first.of

    def _read(self) -> JudgedStep | Length | Failed:
        assert self._child.stdout is not None
        line = self._child.stdout.readline(LONGEST_LINE)
        if not line.endswith(b"\n"):
            raise Stopped
        try:
            return msgspec.json.decode(line, type=JudgedStep | Length | Failed)
        except ValueError:
            return Failed(FAULT, "its answer can't be read")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        with suppress(OSError):  # what it did not read is lost
            self._child.__exit__(None, None, None)

    def kill(self) -> None:
        """End the process, from any thread. `progress` then raises `Stopped`."""
        children.kill(self._child)
