"""`python -m lab.measure_board`: measure how quickly the board responds; `--write` puts the figures into the docs.

Waiting times come from a simulated clock, so they are the same on every machine. CPU times are those of this machine.
No test asserts these figures. docs/performance.md explains them.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import date
from itertools import chain
from pathlib import Path
from random import Random
from statistics import median
from typing import Any

import games
from engine.chance import Chance
from engine.game import Cue
from engine.graph import Map
from engine.referee import Referee
from firmware_host.board.board_io import open_board
from firmware_host.board.headless import HeadlessTable
from firmware_host.core import maps
from firmware_host.core.capabilities import board_game
from firmware_host.core.lamp_colours import LIGHTS
from firmware_host.core.settings import settle
from hardware.link.frames import frame
from hardware.link.messages import picture_message
from lab.simulation.episodes import random_position
from maker.kit.parts import chip_count, firmware_config
from maker.page_parts import DOCS, markdown_table, write_part

ROOT = Path(__file__).resolve().parent.parent
PAGE = DOCS / "performance.md"

MOVES, WRONGS = 400, 100
BOUNCE = (0.0, 0.4, 0.9, 1.3, 2.0)
"""Times in milliseconds at which the contact of a closing reed changes; the first and the last one close it."""
RECOGNISED_AFTER_MS = 3000.0
"""Milliseconds after which every movement has been recognised."""
GLIDE_SECONDS = 20
"""Simulated seconds of gliding lamps."""
AMPLE_MA = 20_000
"""High enough that no picture is dimmed, because dimmed pictures are often equal."""
TURNS = 20_000
PROOF = 3
"""Bytes behind the chips that prove a scan (`TAIL` in proof.py)."""
POLL_US = 1000
"""How long a turn of the firmware waits for a byte if none arrives (`UsbSerial.pour` in loop.py)."""

LOOP = """
import time
from board import Board
SENSORS, LAMPS, TURNS, PICTURE = {sensors}, {lamps}, {turns}, {picture}
def make():
    board = Board(SENSORS, LAMPS, b"12345678", 3000, lambda data, size: True, lambda picture, order: True)
    board.start(0)
    return board
def turns(board, scans):
    began = time.ticks_us()
    for now in range(TURNS):
        board.feed(scans[now & 1], now)
        board.tick(now)
        if not now & 1023:
            board.receive(b"", now)
    return time.ticks_diff(time.ticks_us(), began) / TURNS
def pictures(board):
    began = time.ticks_us()
    for now in range(200):
        board.receive(PICTURE, now)
    assert any(board._picture)
    return time.ticks_diff(time.ticks_us(), began) / 200
still = bytes((SENSORS + 7) // 8)
one = bytes([1]) + still[1:]
def best(measure):
    return min(measure() for _ in range(3))
rest, chatter = (still, still), (still, one)
print(best(lambda: turns(make(), rest)), best(lambda: turns(make(), chatter)), best(lambda: pictures(make())))
"""
"""Runs on MicroPython, without the pins. Prints three times in µs: a turn at rest, a turn with a chattering sensor, and
a picture."""


Row = tuple[str, str, str]
"""The name of a figure, its value for other boards, and ours."""


# --- hands, on a simulated clock ----------------------------------------------------------------------------------


def random_table(board: Map, random: Random) -> HeadlessTable:
    """Return a random position in the defenders' turn."""
    game, chance = board_game(games.find(games.DEFAULT)), Chance(random)
    truth = game.position(board, game.read_options({}), random_position(game, board, random).position, chance)
    return HeadlessTable(game, game.seats(game.read_options({})), board, Referee(game, truth), chance, settle())


def measure_moves(boards: list[Map]) -> tuple[dict[bool, list[float]], float]:
    """Measure the milliseconds from the first contact to the act, by whether the piece could slide on.

    Also return the CPU milliseconds of a move.
    """
    random, times = Random(0), dict[bool, list[float]]({False: [], True: []})
    busy = moves = 0.0
    while sum(map(len, times.values())) < MOVES:
        table = random_table(random.choice(boards), random)
        if not table.facts.legal:
            continue
        unit, space = random.choice(list(table.facts.legal))
        slides = table.facts.extendable(unit, space)
        began = time.process_time()
        at = carry(table, table.facts.standing[unit], space)
        busy += time.process_time() - began
        moves += 1
        acted = [line.t for line in table.lines if line.act is not None]
        if len(acted) == 1:
            times[slides].append(acted[0] - at)
    return times, 1000 * busy / moves


def carry(table: HeadlessTable, start: str | None, end: str) -> float:
    """Lift a miniature, set it down half a second later on a bouncing contact, and return when it was set down."""
    if start is not None:
        table.feed(1000.0, start, False)
    for number, later in enumerate(BOUNCE):
        table.feed(1500.0 + later, end, number % 2 == 0)
    table.wait(1500.0 + RECOGNISED_AFTER_MS)
    return 1500.0


def measure_wrong_places(boards: list[Map]) -> list[float]:
    """Measure the milliseconds from setting a miniature down in a wrong space to the first hint."""
    random, times = Random(1), list[float]()
    while len(times) < WRONGS:
        board = random.choice(boards)
        table = random_table(board, random)
        unit, start = random.choice([(u, s) for u, s in table.facts.standing.items() if s is not None])
        taken = {*table.facts.allowed(unit), *table.facts.homes, *table.facts.optional}
        goals = {space for goals in table.facts.goals.values() for space in goals}
        at = carry(table, start, random.choice([space for space in board.enterable if space not in taken | goals]))
        hinted = [line.t - at for line in table.lines if line.hint is not None and line.t > at]
        times += hinted[:1]
    return times


def measure_hands() -> Iterator[Row]:
    boards = included_maps()
    times, busy = measure_moves(boards)
    yield ("set down → move, piece can go no farther", "250 to 770 ms", describe_times(times[False]))
    yield ("set down → move, piece could slide on", "350 to 770 ms", describe_times(times[True]))
    yield ("misplaced → lamps and hint", "3000 to 4000 ms", describe_times(measure_wrong_places(boards)))
    rates = settle()
    debounce = f"{rates.debounce_down_ms} ms down, {rates.debounce_up_ms} ms up (settings)"
    yield ("debouncing", "125 ms", debounce)
    yield ("computing one move, CPU", "–", f"{busy:.1f} ms")


def included_maps() -> list[Map]:
    return [maps.load(path.parent.name) for path in sorted(maps.FOLDER.glob("*/wiring.toml"))]


def describe_times(values: list[float]) -> str:
    """Return the median and the 99 % quantile, in words."""
    ranked = sorted(values)
    return f"{median(ranked):.0f} ms; 99 % within {ranked[int(0.99 * len(ranked))]:.0f} ms"


# --- lamps --------------------------------------------------------------------------------------------------------


def measure_lamps() -> Iterator[Row]:
    """Measure how often the lamps change while all of them glide and while nothing changes, and the CPU that costs."""
    board = included_maps()[0]
    steady = next(name for name, light in LIGHTS.items() if light.rhythm.steady)
    gliding = next(name for name, light in LIGHTS.items() if light.rhythm.smooth)
    frames, busy = light_lamps(board, Cue(gliding, board.enterable))
    still, _ = light_lamps(board, Cue(steady, board.enterable))
    yield (f"frames a second, all {len(board.enterable)} lamps changing", "10 to 42", f"{frames / GLIDE_SECONDS:.0f}")
    yield ("the same, share of one core", "–", f"{100 * busy / GLIDE_SECONDS:.0f} %")
    yield ("frames sent while nothing changes", "–", f"{still} in {GLIDE_SECONDS} s (the first)")


def light_lamps(board: Map, cue: Cue) -> tuple[int, float]:
    """Return how many frames the lamps get in `GLIDE_SECONDS` simulated seconds, and the seconds of CPU."""
    now, pictures = 0.0, list[float]()
    with tempfile.TemporaryDirectory() as folder:
        top = open_board(settle({"current_limit_ma": AMPLE_MA}), board, Path(folder), lambda: now, lambda note: None)
        watched: Any = top.lamps
        watched.watch(lambda picture, at: pictures.append(at))
        began = time.process_time()
        while now < GLIDE_SECONDS:
            top.light([cue], {}, now)
            # Always advance a little, so that a time that is already due cannot stop the clock.
            now = max(min(top.due(now), GLIDE_SECONDS), now + 1e-4)
        return len(pictures), time.process_time() - began


# --- firmware -----------------------------------------------------------------------------------------


def measure_firmware() -> Iterator[Row]:
    """Measure the Pico's program on MicroPython, and compute the time on its wires from their clocks."""
    pico = firmware_config()
    sensors, count = pico["SENSORS"], pico["LAMPS"]
    # A chip has eight inputs, and each takes a tick of the clock.
    wire_us = 8 * (chip_count(sensors) + PROOF) * 1e6 / pico["CHAIN_HZ"]
    most = 1e6 / (POLL_US + wire_us)
    yield ("scans a second of the firmware at rest, at most", "20 to 32", f"{most:.0f}, calculated from clocks")
    yield (f"all {sensors} sensors over the wire, by its clock", "–", f"{wire_us / 1000:.2f} ms")
    # A WS2812 lamp takes 24 bits at 800 kHz, and a pause of 300 µs ends a frame.
    yield (f"a frame of {count} lamps over the wire, by its clock", "–", f"{(30 * count + 300) / 1000:.1f} ms")
    data = frame(picture_message(((200, 100, 50),) * count, count, 1))
    words = LOOP.format(sensors=sensors, lamps=count, turns=TURNS, picture=data)
    command = [sys.executable, "-m", "micropython_unix", "-X", "heapsize=192K", "-c", words]
    environment = os.environ | {"MICROPYPATH": f"{ROOT / 'hardware' / 'pico'}:.frozen"}
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if result.returncode:
        yield ("the firmware on MicroPython", "–", "not measured: no MicroPython here (`make setup` for tests)")
        return
    idle, chatter, shows = map(float, result.stdout.split())
    yield ("firmware, one loop at rest, MicroPython on this machine", "–", f"{idle:.0f} µs")
    yield ("the same with a chattering sensor", "–", f"{chatter:.0f} µs")
    yield ("the same, one frame received, checked and dimmed", "–", f"{shows:.0f} µs")


# --- all of it ----------------------------------------------------------------------------------------------------


def figures_table() -> str:
    rows = chain(measure_hands(), measure_lamps(), measure_firmware())
    machine = f"{os.cpu_count()} cores {platform.machine()}, Python {platform.python_version()}"
    head = f"Measured by `python -m lab.measure_board` on {date.today():%d %B %Y}, {machine}.\n\n"
    return head + markdown_table(("what", "others", "ours"), rows)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how quick the board is.")
    parser.add_argument("--write", action="store_true", help="put the figures into docs/performance.md")
    chosen = parser.parse_args()
    table = figures_table()
    print(table)
    if chosen.write:
        write_part(PAGE, "board", table)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
