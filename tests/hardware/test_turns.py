"""A turn of the firmware on a real MicroPython: it allocates no memory, and a host that does not read cannot delay
it.
"""

from __future__ import annotations

import os
import subprocess
import tty
from pathlib import Path

from hardware.link import messages
from hardware.link.frames import frame
from tests.hardware.firmware import Debounce
from tests.hardware.pico import FIRMWARE, INTERPRETER, SHIMS, needs_micropython
from tests.patience import PATIENCE

pytestmark = needs_micropython

QUIET = Path(__file__).resolve().parent / "quiet_shims"

PICTURE = frame(messages.picture_message(((9, 8, 7),) * 144, 144, 5))

MEASURE = """
import gc, sys, machine, loop

program = loop.Program()
board = program.board

def turns(number, every):
    for turn in range(number):
        if every and turn % every == 0:
            machine.down[turn // every % 16] ^= 4
        program.turn()

def taken(number, every):
    turns(40, every)
    gc.collect()
    before = gc.mem_alloc()
    turns(number, every)
    return gc.mem_alloc() - before

gc.disable()
found = [taken(400, 0), taken(600, 30)]
def heard(said):
    for _ in range(3):
        board.receive(PICTURE, 0)
        program.turn()
    gc.collect()
    before, first = gc.mem_alloc(), board._seq
    # How many pictures it takes depends on the clock: one is acknowledged once the lamps show it.
    while (board._seq - first) & 255 < said:
        board.receive(PICTURE, 0)
        program.turn()
    return gc.mem_alloc() - before

found.append(heard(8))
shown = board._picture[:3] == bytes((9, 8, 7))
board._heard = -10000
found.append(taken(300, 0))
print("FOUND", found, shown, board._breathing, file=sys.stderr)
"""

HELD_UP = """
import sys, machine, loop

program = loop.Program()
board = program.board
board._debounce.down_ms = board._debounce.up_ms = 0
for turn in range(6000):
    machine.down[turn % 16] ^= 4
    program.turn()
print("FOUND", program._chain._spi.transfers, program._wire._waiting > 0, file=sys.stderr)
"""


def run_program(program: str, out: int) -> str:
    """Return what a program on the interpreter prints; its line to the host is this file, with no one at the other
    end.
    """
    silent, no_one = os.pipe()
    try:
        done = subprocess.run(
            [*INTERPRETER, "-c", program],
            stdin=silent,
            stdout=out,
            stderr=subprocess.PIPE,
            env=os.environ | {"MICROPYPATH": f"{QUIET}:{SHIMS}:{FIRMWARE}:.frozen"},
            text=True,
            check=False,
            timeout=PATIENCE,
        )
    finally:
        os.close(silent)
        os.close(no_one)
    assert "FOUND" in done.stderr, done.stderr
    return done.stderr.partition("FOUND ")[2].strip()


def test_turn_allocates_no_memory() -> None:
    with open(os.devnull, "wb") as out:
        assert run_program(f"PICTURE = {PICTURE!r}\n{MEASURE}", out.fileno()) == "[0, 0, 0, 0] True True"


def test_change_between_two_late_scans_is_not_steady() -> None:
    board = Debounce(8)
    for now, scan, settled in ((0, 0, 0), (40, 1, 0), (80, 0, 0), (120, 1, 0), (160, 1, 1), (200, 1, 1)):
        board.feed(bytes((scan,)), now)
        assert board.settled[0] == settled, now


def test_host_that_does_not_read_delays_no_scan() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    try:
        scans, _, waits = run_program(HELD_UP, slave).partition(" ")
    finally:
        os.close(master)
        os.close(slave)
    assert (int(scans), waits) == (6000, "True")
