"""`sniperboard hw selftest`: every sensor once, with a magnet that is turned around on it.

A reed has a dead spot where a magnet turns its middle to it, and a weak joint opens when it is shaken; both show as a
sensor that lets go while the magnet stays. Each sensor gets one of four marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec import Struct

from firmware_host.lab.diagnostics.workbench import AMBER, GREEN, WHITE, Typed, Workbench
from hardware.ports import Edge

WELL, WAVERS, DEAD, STUCK = "well", "wavers", "dead", "stuck"
COME, TURN, GO = 30.0, 3.0, 10.0
"""Seconds to set the magnet down, to turn it once around, and to lift it again."""


class SensorMark(Struct, frozen=True):
    """How a sensor did: `lost` counts how often it let go while the magnet was turned."""

    space: str
    sensor: int
    state: str
    lost: int = 0


class MakerQuit(Exception):
    """The maker typed `quit`."""


def selftest(bench: Workbench, spaces: Iterable[str], say: Callable[[str], None]) -> list[SensorMark]:
    """Test the sensors of these spaces, in this order; `quit` ends it early, any other line goes on to the next."""
    marks: list[SensorMark] = []
    say("White: set the magnet down. Amber: turn it once around. Green: lift it. Return: next space; `quit`: enough.")
    try:
        for space in spaces:
            sensor = bench.wiring.sensor_of(space)
            if sensor is not None:
                marks.append(_tested(bench, space, sensor))
                say(f"{space} (sensor {sensor}): {told(marks[-1])}")
    except MakerQuit:
        say(f"Left after {len(marks)} spaces.")
    bench.dark()
    return marks


def told(mark: SensorMark) -> str:
    """A mark in words, with the remedy."""
    return {
        WELL: "well",
        WAVERS: f"wavers: it let go {mark.lost} times while the magnet stayed. Move it off the middle, or solder anew",
        DEAD: "dead: no magnet moves it. Check its wires, and the magnet",
        STUCK: "stuck: it stays down without a magnet. Look for a bridge, or a reed that has welded",
    }[mark.state]


def _tested(bench: Workbench, space: str, sensor: int) -> SensorMark:
    lamp = bench.wiring.lamps.index(space)
    if sensor in bench.down:
        return SensorMark(space, sensor, STUCK)
    bench.light({lamp: WHITE})
    if not _comes(bench, sensor, True, COME):
        return SensorMark(space, sensor, DEAD)
    bench.light({lamp: AMBER})
    lost = _losses(bench, sensor)
    bench.light({lamp: GREEN})
    if not _comes(bench, sensor, False, GO):
        return SensorMark(space, sensor, STUCK)
    return SensorMark(space, sensor, WAVERS if lost else WELL, lost)


def _comes(bench: Workbench, sensor: int, down: bool, seconds: float) -> bool:
    """Whether the sensor settles there in time."""
    until = bench.now + seconds
    while (sensor in bench.down) != down:
        heard = bench.next(until)
        if heard is None:
            return False
        if isinstance(heard, Typed):
            _leave(heard)
            return False
    return True


def _losses(bench: Workbench, sensor: int) -> int:
    """How often the sensor let go while the magnet was turned."""
    until, lost = bench.now + TURN, 0
    while (heard := bench.next(until)) is not None:
        if isinstance(heard, Typed):
            _leave(heard)
            break
        lost += isinstance(heard, Edge) and heard.sensor == sensor and not heard.down
    return lost


def _leave(line: Typed) -> None:
    if line.text == "quit":
        raise MakerQuit
