"""The files of analyses, one for each game: a head, then a line for each judged step, in order.

A file belongs to one record and to one version of the code that judges (`key_of`). Any other file is ignored. Each line
begins with a checksum of the rest. Steps from the first damaged or incomplete line on are judged again.
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from functools import cache
from hashlib import sha256
from itertools import takewhile
from pathlib import Path
from typing import Final, Literal
from zlib import crc32

import msgspec
from msgspec import Struct

import engine
from firmware_host.analysis import judging
from firmware_host.analysis.judging import DEPTH, JudgedStep
from firmware_host.core.game_files import code_digest, code_files
from firmware_host.records.state_folder import make_private
from hardware.files import read_regular, replace_file

FOLDER: Final = "analysis"
"""Name of the folder in the state folder."""
LARGEST: Final = 4 << 20
"""Maximum bytes of a file. The analysis of a long game needs a tenth of this."""
MOST_BYTES: Final = 32 << 20
"""Maximum bytes of all files. If there are more, the oldest files are deleted; they can be made again."""
CHECKSUM: Final = 9
"""Bytes of the checksum of a line, with the space after it."""
SHOWN: Final = "show"
"""The folder of a game with the code that shows the game, but decides nothing."""

log = logging.getLogger("firmware_host")


class Head(Struct, frozen=True, tag="head"):
    """The first line: what the file belongs to, and how many steps there will be."""

    key: str
    of: int


class Failed(Struct, frozen=True, tag="failed"):
    """The last line if the game can't be analysed.

    `why` is one of the reasons below, and `place` is where in the code an error occurred.
    """

    why: Literal["broken", "no-judge", "fault"]
    place: str = ""


BROKEN: Final = "broken"
NO_JUDGE: Final = "no-judge"
FAULT: Final = "fault"


class Stored(Struct, frozen=True):
    """The content of a file."""

    of: int
    steps: tuple[JudgedStep, ...] = ()
    failed: Failed | None = None

    @property
    def complete(self) -> bool:
        """Whether there is nothing more to judge."""
        return self.failed is not None or len(self.steps) >= self.of


class AnalysisFile:
    """The file of game `number` in the state folder `state`."""

    def __init__(self, state: Path, number: int, key: str) -> None:
        self._path, self._key = path_of(state, number), key

    def read(self) -> Stored | None:
        """Return what was judged so far; None if there is no file of this record and code."""
        try:
            # Text after the last line break is an incomplete line.
            lines = read_regular(self._path, LARGEST).split(b"\n")[:-1]
            # A flipped bit often leaves valid JSON: for example another act, or a chance that was never calculated.
            intact = takewhile(lambda line: line[:CHECKSUM] == _checksum(line[CHECKSUM:]), lines)
            head, *others = (line[CHECKSUM:] for line in intact)
            found = msgspec.json.decode(head, type=Head)
            if found.key != self._key:
                return None
            steps, failed = list[JudgedStep](), None
            for line in others:
                one = msgspec.json.decode(line, type=JudgedStep | Failed)
                if isinstance(one, Failed):
                    failed = one
                elif one.step == len(steps) + 1:
                    steps.append(one)
            return Stored(found.of, tuple(steps), failed)
        except (OSError, ValueError, RecursionError):
            return None

    def begin(self, of: int) -> None:
        """Start the file, or go on after the last complete line of an earlier one. Raises `OSError`."""
        make_private(self._path.parent)
        kept = self.read()
        steps = () if kept is None or kept.of != of else kept.steps
        replace_file(self._path, b"".join(map(encoded, [Head(self._key, of), *steps])), 0o600)
        _delete_oldest(self._path)

    def add(self, line: JudgedStep | Failed) -> None:
        """Append a line. Raises `OSError`."""
        with open(os.open(self._path, os.O_WRONLY | os.O_APPEND), "ab") as file:
            file.write(encoded(line))


def encoded(line: Struct) -> bytes:
    """Return a value encoded as a line of a file."""
    content = msgspec.json.encode(line)
    return _checksum(content) + content + b"\n"


def _checksum(content: bytes) -> bytes:
    return b"%08x " % crc32(content)


def path_of(state: Path, number: int) -> Path:
    """Return the path of a game's file."""
    return state / FOLDER / f"{number}.jsonl"


def delete(state: Path, number: int) -> None:
    """Delete the file of a game, if there is one.

    An error is only logged, because the file could not be mistaken for that of another game.
    """
    try:
        path_of(state, number).unlink(missing_ok=True)
    except OSError as error:
        log.warning("%s: cannot be deleted (%s)", path_of(state, number), error.strerror)


def size(state: Path, number: int) -> int:
    """Return the bytes of a game's file."""
    with suppress(OSError):
        return path_of(state, number).stat().st_size
    return 0


def key_of(last: str, game: str) -> str:
    """Return what a file belongs to: the hash of the `last` act of a record, and the digest of the code that judges."""
    return sha256(f"{last} {judging_digest(game)} {DEPTH}".encode()).hexdigest()


@cache
def judging_digest(game: str) -> str:
    """Return a hash of the code that judges: the engine, the game with those it builds on, and `judging.py`. How a game
    is shown doesn't matter.
    """
    own = code_files(game, lambda path: SHOWN not in path.parts)
    return code_digest([*sorted(Path(engine.__path__[0]).rglob("*.py")), *own, Path(judging.__file__)])


def _delete_oldest(newest: Path) -> None:
    """Delete the oldest files until all files fit into `MOST_BYTES`."""
    there = filter(Path.is_file, newest.parent.glob("*.jsonl"))  # the name is not that of a folder, or is a broken link
    files = sorted(there, key=lambda file: -file.stat().st_mtime)
    total = 0
    for file in files:
        total += file.stat().st_size
        if total > MOST_BYTES and file != newest:
            file.unlink(missing_ok=True)
