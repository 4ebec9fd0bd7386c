"""SQLite's write-ahead log. Its file format is documented at sqlite.org/fileformat2.html.

SQLite reads a log up to the first frame that does not fit its checksum, because a power cut can leave such a frame at
the end. It overwrites the rest. So one flipped bit would undo all later commits without a word.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from struct import Struct, pack, unpack
from typing import NamedTuple

_HEADER, _FRAME = Struct(">8I"), Struct(">6I")
"""A header has magic number, format, size of a page, a count, salts and checksums; that of a frame has the number of
its page, the size of the file if the frame ends a commit (else 0), salts and checksums.
"""
_MAGIC, _FORMAT, _PAGE = 0x377F0682, 3007000, 4096
"""The magic number is one higher if checksums are of big-endian words."""

Pair = tuple[int, ...]


class _Frame(NamedTuple):
    page: int
    commit: int
    salts: Pair
    sums: Pair
    content: bytes


def is_cut(log: Path) -> bool:
    """Return whether SQLite would ignore commits of a log because of damage before them. The last one does not count,
    because a power cut can leave a part of it. Raises `OSError`.
    """
    ignored, order, salts, sums = 0, *_header(log)
    for frame in _frames(log):
        salts = salts or frame.salts
        # Frames with other salts are left from before SQLite last began the log again.
        fits = frame.salts == salts and sums and frame.sums == _summed(_head(frame) + frame.content, sums, order)
        sums = frame.sums if fits else ()
        ignored += bool(frame.commit and frame.salts == salts and not sums)
    return ignored > 1


def repair(log: Path) -> None:
    """Give all frames of a log checksums that fit, so that SQLite reads them. Raises `OSError`."""
    repaired, (_, salts, _) = bytearray(), _header(log)
    for frame in _frames(log):
        salts = salts or frame.salts
        if not repaired:
            start = _HEADER.pack(_MAGIC, _FORMAT, _PAGE, 0, *salts, 0, 0)[:24]
            sums = _summed(start, (0, 0), "<")
            repaired += start + pack(">2I", *sums)
        if frame.salts == salts:
            sums = _summed(_head(frame) + frame.content, sums, "<")
            repaired += _FRAME.pack(frame.page, frame.commit, *salts, *sums) + frame.content
    log.write_bytes(repaired)


def _header(log: Path) -> tuple[str, Pair, Pair]:
    """Return the order of bytes, the salts and the checksums of a log; without salts if its header is damaged."""
    with log.open("rb") as file:
        start = file.read(_HEADER.size)
    if len(start) == _HEADER.size:
        magic, _, _, _, *salts, one, two = _HEADER.unpack(start)
        order = "<>"[magic & 1]
        if magic & ~1 == _MAGIC and _summed(start[:24], (0, 0), order) == (one, two):
            return order, tuple(salts), (one, two)
    return "<", (), ()


def _frames(log: Path) -> Iterator[_Frame]:
    with log.open("rb") as file:
        for number in count():
            file.seek(_HEADER.size + number * (_FRAME.size + _PAGE))
            found = file.read(_FRAME.size + _PAGE)
            if len(found) < _FRAME.size + _PAGE:
                return
            page, commit, *rest = _FRAME.unpack_from(found)
            yield _Frame(page, commit, tuple(rest[:2]), tuple(rest[2:]), found[_FRAME.size :])


def _head(frame: _Frame) -> bytes:
    return pack(">2I", frame.page, frame.commit)


def _summed(data: bytes, sums: Pair, order: str) -> Pair:
    """Return the checksums after some more data."""
    one, two = sums
    words = unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = one + even + two & 0xFFFFFFFF
        two = two + odd + one & 0xFFFFFFFF
    return one, two
