"""The process that analyses a game: `python -m firmware_host.analysis.process`, and its other end in the table.

It reads a line of JSON, a `Task`, and writes lines of JSON: a `Length`, then each step when it is judged, or `Failed`.
It runs at the lowest priority and with little memory, and ends when its output is closed. `Run` starts it, and adds
each step to the file of the game.
"""

from __future__ import annotations

import os
import select
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Final, Self

import msgspec
from msgspec import Struct

import games
from firmware_host.analysis.analysis_files import BROKEN, FAULT, NO_JUDGE, AnalysisFile, Failed
from firmware_host.analysis.judging import DEPTH, JudgedStep, Judging, NoJudge
from firmware_host.core import children, maps
from firmware_host.core.children import PYTHON
from firmware_host.core.errors import place_of
from firmware_host.core.guarded import GameFault
from firmware_host.records.recheck import replayed
from firmware_host.records.record import Record, RecordError

NICENESS: Final = 19
"""The value added to the niceness of the process: the highest that has an effect."""


class Task(Struct, frozen=True):
    """What to analyse: a `record`, `depth` lines of play for each act; the first `done` acts are judged already."""

    record: Record
    depth: int
    done: int


class Length(Struct, frozen=True, tag="length"):
    """The number of steps of the game."""

    of: int


def answers(task: Task) -> Iterator[Struct]:
    """Yield the lines that the process writes."""
    record = task.record
    try:
        # From here on, the analysis trusts the acts and events of the record.
        replayed(record)
        board = maps.load(record.map) if record.map else None
        judging = Judging(record, games.find(record.game), board, task.depth)
        yield Length(len(judging.acts))
        yield from judging.steps(task.done)
    except RecordError as error:
        yield Failed(FAULT if isinstance(error.__cause__, GameFault) else BROKEN, place_of(error))
    except NoJudge:
        yield Failed(NO_JUDGE)
    except Exception as error:  # a game's code may raise any error; the table gets its place in the code
        yield Failed(FAULT, place_of(error))


def main() -> None:
    """Analyse one game."""
    children.serve(NICENESS, _lines)


def _lines(source: Iterator[bytes]) -> Iterator[bytes]:
    return map(msgspec.json.encode, answers(msgspec.json.decode(next(source), type=Task)))


PROGRAM: Final = (*PYTHON, "-m", "firmware_host.analysis.process")
LONGEST_LINE: Final = 1 << 16
"""Bytes of an answer. Steps are far shorter."""
LONGEST_STEP_S: Final = 600.0
"""Maximum seconds for one answer, because other games wait. A step takes up to a minute on the slowest machines."""
LOOK_S: Final = 0.5
"""Seconds between two checks whether the process has ended.

The end of its output doesn't show it: another process may hold the output open.
"""


class RunEnded(Exception):
    """The process has ended before the analysis was complete."""


class Run:
    """The analysis of one game in its process, which ends with the `with` block."""

    def __init__(self, file: AnalysisFile, record: Record, program: Sequence[str] = PROGRAM) -> None:
        """Raises `OSError` if no process can be started."""
        stored = file.read()
        self._file, self._done = file, 0 if stored is None else len(stored.steps)
        self._task = msgspec.json.encode(Task(record, DEPTH, self._done)) + b"\n"
        self._child = children.start(program)
        self._unread = b""

    def progress(self) -> Iterator[tuple[int, int]]:
        """Yield the number of judged steps and the number of all steps.

        Raises `RunEnded`, and `OSError` if nothing can be written.
        """
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
        output, end = self._child.stdout.fileno(), time.monotonic() + LONGEST_STEP_S
        watched = select.poll()
        watched.register(output, select.POLLIN)
        while b"\n" not in self._unread:
            received = os.read(output, LONGEST_LINE) if (arrived := watched.poll(LOOK_S * 1000)) else b""
            self._unread += received
            over = self._child.poll() is not None or time.monotonic() > end
            if (arrived and not received) or len(self._unread) > LONGEST_LINE or (over and b"\n" not in self._unread):
                raise RunEnded
        line, _, self._unread = self._unread.partition(b"\n")
        try:
            return msgspec.json.decode(line, type=JudgedStep | Length | Failed)
        except ValueError:
            return Failed(FAULT, "its answer can't be read")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
        with suppress(OSError):  # input that the process did not read is lost
            self._child.__exit__(None, None, None)

    def kill(self) -> None:
        """End the process, from any thread. `progress` then raises `RunEnded`."""
        children.kill(self._child)


if __name__ == "__main__":
    main()
