"""A turn of the firmware takes no memory on the port, also after 12.4 days, when its small integers end."""

from __future__ import annotations

import re

from hardware.link import messages
from hardware.link.frames import frame
from tests.emulator.conftest import Start
from tests.emulator.host import firmware

PROBE = b"""
import gc, micropython
import loop
program = loop.Program()
def turns(number):
    for _ in range(number):
        program.turn()
def taken(name):
    turns(20)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    turns(60)
    print("FOUND", name, gc.mem_alloc() - before)
    micropython.heap_lock()
    turns(10)
    micropython.heap_unlock()
    gc.enable()
gc.collect()
print("FOUND free", gc.mem_free())
taken("sensing")
print("HEAR")
taken("hearing")
before = 2 ** 30 - 20
program._clock._now = before
board = program.board
board._heard = board._told = board._stepped = board._reminded = before
program._own._looked = program._lamps._looked = before
taken("late")
print("FOUND damaged", board._damaged)
print("DONE")
"""
"""Instead of main.py. `heap_lock` makes an allocation an error."""


def test_turns_take_no_memory(start: Start) -> None:
    pico, said = start({**firmware(144, 144), "main.py": PROBE}, chips=18), bytearray()
    pico.cable.heard = said.extend
    pico.cable.open(True)
    # More than the limit allows, so it is dimmed.
    picture = frame(messages.picture_message(((99, 88, 77),) * 144, 144, 5))
    for step in range(2000):
        pico.run(0.005)
        pico.chain.touch(step * 7 % 144, step % 3 == 0)
        if b"HEAR" in said and not pico.cable.to_board:
            pico.cable.send(picture)
        if b"DONE" in said or b"Error" in said:
            break
    found = {name: int(value) for name, value in re.findall(rb"FOUND (\w+) (\d+)", bytes(said))}
    assert found.pop(b"free") > 60_000, said[-500:]
    assert found == {b"sensing": 0, b"hearing": 0, b"late": 0, b"damaged": 0}
    # The end of the program may cut the last picture off.
    assert pico.strip.pictures[-2][1] == bytes((84, 94, 73)) * 144
