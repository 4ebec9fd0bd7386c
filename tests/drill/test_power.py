"""A power failure at any byte: what was acknowledged is there, and nothing is there in part.

A process writes a journal; a tape records every write, truncation and sync of its files. The disk is then rebuilt as a
power failure leaves it: synced data is there; of the rest, everything up to the cut, nothing, or any sectors.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import NamedTuple

from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import Journal
from tests.drill.disk import Disk, needs_compiler

NIGHTLY = "DRILL_KILLS" in os.environ
STRIDE = 1 if NIGHTLY else 1601
"""Bytes between two cuts."""
LAST = 12
"""Transactions at the end of the tape that are cut. Some overwrite older ones, between two checkpoints."""
SECTOR = 512
FILES = ("games.sqlite", "games.sqlite-wal")

ACTS = """
import os, sys
from pathlib import Path
from firmware_host.records.journal import Journal, SavedAct
journal = Journal(Path(sys.argv[1]))
journal._db.execute("PRAGMA wal_autocheckpoint = 12")
game = journal.begin("toy", "first", "abc", {}, [])
for step in range(40):
    journal.write(game, SavedAct("defenders", step, ["x" * (step * 977 % 6000)], request=f"tap {step}"))
    print(os.stat(sys.argv[2]).st_size, flush=True)
os._exit(0)
"""

pytestmark = needs_compiler


class Event(NamedTuple):
    """A line of the tape: (w)rite, (s)ync or (t)runcate of a file at an offset, and its position on the tape."""

    kind: str
    name: str
    place: int
    data: bytes
    start: int
    end: int


Image = dict[str, bytearray]


def record_tape(folder: Path) -> tuple[list[Event], list[int], list[ChainEntry]]:
    """The tape, its length when each act was acknowledged, and all that was written."""
    state, tape = folder / "state", folder / "tape"
    disk = Disk(folder, state, tape)
    command = [sys.executable, "-c", ACTS, str(state / FILES[0]), str(tape)]
    done = subprocess.run(
        command, env={**os.environ, **disk.environment}, check=True, capture_output=True, text=True, cwd=Path.cwd()
    )
    journal = Journal.open_read_only(state / FILES[0])
    entries = journal.entries(1)
    journal.close()
    return [*_events(tape.read_bytes())], [int(line) for line in done.stdout.split()], entries


def _events(tape: bytes) -> list[Event]:
    found, at = [], 0
    while at < len(tape):
        start, kind, length = at, chr(tape[at]), int.from_bytes(tape[at + 1 : at + 5], "little")
        name = Path(tape[at + 5 : at + 5 + length].decode()).name.replace(".new", "")
        at += 5 + length
        place, many = (int.from_bytes(tape[at + part : at + part + 8], "little") for part in (0, 8))
        found.append(Event(kind, name, place, tape[at + 16 : at + 16 + many], start, at + 16 + many))
        at += 16 + many
    return [event for event in found if event.name in FILES]


def apply(image: Image, event: Event, data: bytes | None = None) -> None:
    """Apply one event to the disk, or only part of a write."""
    file = image.setdefault(event.name, bytearray())
    if event.kind == "t":
        del file[event.place :]
        file.extend(bytes(event.place - len(file)))
    elif event.kind == "w":
        data = event.data if data is None else data
        file.extend(bytes(max(0, event.place + len(data) - len(file))))
        file[event.place : event.place + len(data)] = data


def partial_write(image: Image, event: Event, random: Random) -> None:
    """Apply any sectors of a write, in any order."""
    for start in range(0, len(event.data), SECTOR):
        if random.random() < 0.5:
            part = event._replace(place=event.place + start, data=event.data[start : start + SECTOR])
            apply(image, part)


class Disks:
    """The disk while the tape is replayed: `synced` is sure to be there, `loose` events may be there or not."""

    def __init__(self) -> None:
        self.synced: Image = {}
        self.loose: list[Event] = []

    def run(self, event: Event) -> None:
        """Replay one event of the tape."""
        if event.kind != "s":
            self.loose.append(event)
            return
        for loose in [it for it in self.loose if it.name == event.name]:
            apply(self.synced, loose)
        self.loose = [it for it in self.loose if it.name != event.name]

    def copy(self) -> Image:
        """Write the synced state to a folder."""
        return {name: bytearray(data) for name, data in self.synced.items()}

    def cut(self, event: Event, length: int) -> Image:
        """Write everything up to a number of bytes of the next event."""
        image = self.copy()
        for loose in self.loose:
            apply(image, loose)
        apply(image, event, event.data[:length])
        return image

    def shaken(self, event: Event, random: Random) -> Image:
        """Write the synced state with any of the events that were not synced."""
        image = self.copy()
        for loose in [*self.loose, event]:
            if loose.kind == "t":
                apply(image, loose)
            else:
                partial_write(image, loose, random)
        return image


def check(folder: Path, image: Image, entries: list[ChainEntry], acknowledged: int) -> int:
    """Start the table on such a disk, and return how many entries it finds."""
    for name in (*FILES, "games.sqlite-shm"):
        (folder / name).unlink(missing_ok=True)
    for name, data in image.items():
        (folder / name).write_bytes(data)
    journal = Journal(folder / FILES[0])
    kept = journal.entries(1)
    assert journal.notices == []
    journal._db.execute("PRAGMA synchronous = OFF")  # writes on exit are not checked
    journal.close()
    assert kept == entries[: len(kept)]
    assert len(kept) >= acknowledged
    return len(kept)


def test_power_failure_keeps_acknowledged_acts_and_no_partial_ones(tmp_path: Path) -> None:
    events, ends, entries = record_tape(tmp_path)
    folder = tmp_path / "cut"
    folder.mkdir(mode=0o700)
    disks, random, found, cuts = Disks(), Random(1), set(), 0
    assert {event.name for event in events if event.end > ends[-LAST]} == set(FILES), "no checkpoint was cut"
    offset = 0
    for event in events:
        if event.end > ends[-LAST]:
            begun = 1 + sum(end <= event.start for end in ends)
            for length in range(offset % STRIDE, len(event.data), STRIDE):
                found.add(check(folder, disks.cut(event, length), entries, begun))
                cuts += 1
            found.add(check(folder, disks.shaken(event, random), entries, begun))
            offset += 7
        disks.run(event)
    print(f"{cuts} cuts, {len(found)} different games")
    assert len(found) >= LAST - 1
