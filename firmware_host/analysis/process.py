"""The process that analyses a game: `python -m firmware_host.analysis.process`.

It reads a line of JSON, a `Task`, and writes lines of JSON: a `Length`, then each step when it is judged, or `Failed`.
It runs at the lowest priority and with little memory, and ends when its output is closed. `analyses.py` is the other
end.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

import games
from firmware_host.analysis.files import BROKEN, FAULT, NO_JUDGE, Failed
from firmware_host.analysis.judging import Judging, NoJudge
from firmware_host.core import maps
from firmware_host.core.children import step_back
from firmware_host.core.errors import place_of
from firmware_host.core.guarded import GameFault
from firmware_host.records.recheck import replayed
from firmware_host.records.record import Record, RecordError

NICENESS: Final = 19
"""How much nicer the process is than the table: the most that there is."""
MEMORY_LIMIT: Final = 128 << 20
"""Maximum bytes of its data. It needs 45 MB, and a whole table has 256 MB (MemoryMax)."""


class Task(Struct, frozen=True):
    """What to analyse: a `record`, `depth` lines of play for each act; the first `done` acts are judged already."""

    record: Record
    depth: int
    done: int


class Length(Struct, frozen=True, tag="length"):
    """How many steps there will be."""

    of: int


def answers(task: Task) -> Iterator[Struct]:
    """Yield what the process writes."""
    record = task.record
    try:
        # The analysis trusts the acts and events of the record from here on.
        replayed(record)
        board = maps.load(record.map) if record.map else None
        judging = Judging(record, games.find(record.game), board, task.depth)
        yield Length(len(judging.acts))
        yield from judging.steps(task.done)
    except RecordError as error:
        yield Failed(FAULT if isinstance(error.__cause__, GameFault) else BROKEN, place_of(error))
    except NoJudge:
        yield Failed(NO_JUDGE)
    except Exception as error:  # a game's code may raise anything; the table learns where
        yield Failed(FAULT, place_of(error))


def main() -> None:
    """Analyse one game."""
    step_back(NICENESS, MEMORY_LIMIT)
    # What a bot prints must not get between the answers.
    out, sys.stdout = sys.stdout.buffer, sys.stderr
    task = msgspec.json.decode(sys.stdin.buffer.readline(), type=Task)
    for answer in answers(task):
        out.write(msgspec.json.encode(answer) + b"\n")
        out.flush()


if __name__ == "__main__":
    main()
