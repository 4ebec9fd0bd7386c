"""SQLite's write-ahead log. Its file format is documented at sqlite.org/fileformat2.html.

SQLite reads a log up to the first frame that does not fit its checksum, because a power cut can leave such a frame at
the end. It overwrites the rest. So one flipped bit would undo all later commits silently.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, pairwise
from pathlib import Path
from struct import Struct, pack, unpack
from typing import NamedTuple

_HEADER, _FRAME = Struct(">8I"), Struct(">6I")
"""A header has magic number, format, size of a page, a count, salts and checksums; that of a frame has the number of
its page, the size of the file if the frame ends a commit (else 0), salts and checksums.
"""
_MAGIC, _FORMAT, _PAGE = 0x377F0682, 3007000, 4096
"""The magic number is one higher if checksums are of big-endian words."""

_WORD = 0xFFFFFFFF
_MOST_FLIPPED = 20
"""Frames whose page and commit are corrected, which takes long."""

Pair = tuple[int, ...]


class _Frame(NamedTuple):
    page: int
    commit: int
    salts: Pair
    sums: Pair
    content: bytes


class _Own(NamedTuple):
    """A frame of the current log, and its place in the file.

    Older frames are left from before SQLite last restarted the log. `fits` is whether the frame is undamaged, and
    `ignored` is the number of commits up to this frame that SQLite ignores because of damage.
    """

    place: int
    frame: _Frame
    fits: bool
    ignored: int


def is_cut(log: Path) -> bool:
    """Return whether SQLite would ignore commits of a log because of damage before them.

    A single ignored commit does not count: a power cut can leave a part of it, and a disk that fails all of it. Raises
    `OSError`.
    """
    return any(own.ignored > 1 for own in _own_frames(log))


def repair(log: Path, *, damaged: bool) -> bool:
    """Give the frames of a log that is cut checksums that fit, so that SQLite reads them; of `damaged` ones only if
    that is set. Return whether every frame is there, so that no page is of an earlier moment. Raises `OSError`.
    """
    frames, (_, salts, _) = [*_own_frames(log)], _header(log)
    # Later frames were never confirmed, or can't be distinguished from such frames.
    end = max(at for at, own in enumerate(frames, 1) if own.ignored > 1)
    frames, whole = frames[:end], frames[end - 1].place == end - 1
    salts = salts or frames[0].frame.salts
    start = _HEADER.pack(_MAGIC, _FORMAT, _PAGE, 0, *salts, 0, 0)[:24]
    sums = _summed(start, (0, 0), "<")
    repaired = bytearray(start + pack(">2I", *sums))
    for _, frame, fits, _ in frames:
        if fits or damaged:
            sums = _summed(_head(frame) + frame.content, sums, "<")
            repaired += _FRAME.pack(frame.page, frame.commit, *salts, *sums) + frame.content
    log.write_bytes(repaired)
    return whole and (damaged or all(own.fits for own in frames))


def _own_frames(log: Path) -> Iterator[_Own]:
    """Yield the frames of the current log, without those left from before SQLite last restarted it.

    The count of ignored commits begins again where a commit begins that doesn't continue the one before: a commit that
    failed is overwritten by the next one, which leaves the end of a longer one.
    """
    order, salts, sums = _header(log)
    if not salts:
        # A single frame can be damaged; two frames with the same salts are not.
        same = (one.salts for one, other in pairwise(_frames(log)) if one.salts == other.salts and one.page)
        salts = next(same, ())
    before, reading, ignored, own, ended, flipped = {sums}, True, 0, True, True, 0
    for place, frame in enumerate(_frames(log)):
        if not own and frame.salts != salts:
            continue
        continued = {_summed(_head(frame) + frame.content, sums, order) for sums in before if sums}
        continues = fits = frame.sums in continued
        reading = reading and continues and frame.salts == salts
        if not continues and flipped < _MOST_FLIPPED:
            flipped += 1
            if (right := _with_right_head(frame, before, order)) is not None:
                frame, continues, fits = right, True, True
        if own and ended and not continues and frame.salts == salts:
            ignored = 0
        # Checksums don't cover salts, so a frame with damaged salts still continues the one before.
        own = frame.salts == salts or continues
        ignored, ended = ignored + (own and not reading and frame.commit > 0), frame.commit > 0
        # If only a frame's own checksums are damaged, the next frame continues the checksums that it should have.
        before = {frame.sums, *(continued if len(continued) == 1 else ())}
        if own:
            yield _Own(place, frame, fits, ignored)


def _with_right_head(frame: _Frame, before: Iterable[Pair], order: str) -> _Frame | None:
    """Return a frame whose checksums fit if one bit of its page or of its commit is flipped back; None if none does.
    In another page, the content would replace what belongs there.
    """
    content = _summed(frame.content, (0, 0), order)
    for bit in range(64):
        page, commit = frame.page ^ (1 << bit & _WORD), frame.commit ^ (1 << bit >> 32)
        right = frame._replace(page=page, commit=commit)
        heads = (_summed(_head(right), sums, order) for sums in before if sums)
        if frame.sums in [_continued(head, content) for head in heads]:
            return right
    return None


def _header(log: Path) -> tuple[str, Pair, Pair]:
    """Return the order of bytes, the salts and the checksums of a log; no salts if the header is damaged."""
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
            data = file.read(_FRAME.size + _PAGE)
            if len(data) < _FRAME.size + _PAGE:
                return
            page, commit, *numbers = _FRAME.unpack_from(data)
            yield _Frame(page, commit, tuple(numbers[:2]), tuple(numbers[2:]), data[_FRAME.size :])


def _head(frame: _Frame) -> bytes:
    return pack(">2I", frame.page, frame.commit)


def _summed(data: bytes, sums: Pair, order: str) -> Pair:
    """Return the checksums after some more data."""
    one, two = sums
    words = unpack(f"{order}{len(data) // 4}I", data)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        one = one + even + two & _WORD
        two = two + odd + one & _WORD
    return one, two


_AFTER_ONE, _AFTER_TWO = (_summed(bytes(_PAGE), sums, "<") for sums in ((1, 0), (0, 1)))
"""The values to which a page of zeros changes each of the two checksums.

Checksums are linear, so those of other pages are added to these.
"""


def _continued(sums: Pair, content: Pair) -> Pair:
    """Return the checksums after `sums` and a page whose checksums from zero are `content`."""
    one, two = sums
    parts = zip(_AFTER_ONE, _AFTER_TWO, content, strict=True)
    return tuple(one * of_one + two * of_two + own & _WORD for of_one, of_two, own in parts)
