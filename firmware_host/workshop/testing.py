"""Self-test: test each sensor with a magnet that is turned around on it.

A reed has a dead spot where the magnet turns its middle to it, and a weak joint opens when it is shaken. Both show as a
sensor that opens while the magnet stays. Each sensor gets one of four marks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from msgspec import Struct

from engine.text import Text
from firmware_host.board.wiring import Wiring
from firmware_host.workshop.job import AMBER, BAD, GOOD, GREEN, WHITE, Blink, Job
from hardware.ports import Colour, Edge

WELL, WAVERS, DEAD, STUCK = "well", "wavers", "dead", "stuck"
CLEAR, COME, TURN, GO = 30.0, 30.0, 3.0, 10.0
"""Seconds for each step: to clear the board, to set the magnet down, to turn it once around, and to lift it."""

MARKS: Mapping[str, Text] = {
    WELL: Text("{space} (sensor {sensor}): well."),
    WAVERS: Text(
        "{space} (sensor {sensor}): wavers. Times it opened while the magnet stayed: {times}. Move the magnet "
        "off the middle, or solder the sensor again."
    ),
    DEAD: Text("{space} (sensor {sensor}): dead. No magnet moves it. Check its wires, and the magnet."),
    STUCK: Text(
        "{space} (sensor {sensor}): stuck. It stays down without a magnet. Look for a bridge, or for a reed that has "
        "welded."
    ),
}
ASKS: Mapping[str, Text] = {
    "clear": Text("Take everything off the board. Then the test begins."),
    "come": Text("Set the magnet on {space}."),
    "turn": Text("Turn the magnet once around on {space}."),
    "go": Text("Lift the magnet from {space}."),
}
COLOURS: Mapping[str, Colour] = {"come": WHITE, "turn": AMBER, "go": GREEN}


class SensorMark(Struct, frozen=True):
    """The result of a sensor. `lost` counts how often it opened while the magnet was turned."""

    space: str
    sensor: int
    state: str
    lost: int = 0

    @property
    def sentence(self) -> str:
        """The mark as a sentence, with the remedy."""
        return MARKS[self.state].with_(space=self.space, sensor=self.sensor, times=self.lost)


class Testing(Job):
    """A test of the sensors of these spaces, in this order. `marks` is space -> result."""

    name = "selftest"
    words = ("next", "back", "anew")

    def __init__(self, wiring: Wiring, spaces: Iterable[str], down: Collection[int], now: float) -> None:
        super().__init__()
        self._wiring = wiring
        sensors = {space: wiring.sensor_of(space) for space in spaces}
        self._sensors = {space: sensor for space, sensor in sensors.items() if sensor is not None}
        self._order = [*self._sensors]
        self.marks: dict[str, SensorMark] = {}
        self._down = frozenset(down)
        self._at = 0
        self._lost = 0
        self._phase = "clear"
        self._ends = now + CLEAR
        self._alone = False
        """Whether the last space got no answer. If so, the next one has no time limit."""
        if not self._standing:
            self._begin(now)

    @property
    def asks(self) -> str:
        if self.ended:
            good = sum(mark.state == WELL for mark in self.marks.values())
            return Text("{good} of {all} sensors are well.", good=good, all=len(self._order))
        return ASKS[self._phase].with_(space=self._space)

    @property
    def space(self) -> str | None:
        return None if self.ended or self._phase == "clear" else self._space

    @property
    def spaces(self) -> tuple[str, ...]:
        return tuple(self._order)

    @property
    def progress(self) -> tuple[int, int]:
        return len(self.marks), len(self._order)

    def page_facts(self) -> Mapping[str, Any]:
        """Return the mark of each space, and the phase."""
        return {"marks": {mark.space: mark.state for mark in self.marks.values()}, "phase": self._phase}

    def _lit(self) -> Mapping[int, Colour]:
        return {} if self.space is None else {self._lamp: COLOURS[self._phase]}

    @property
    def _space(self) -> str:
        return self._order[self._at]

    @property
    def _sensor(self) -> int:
        return self._sensors[self._space]

    @property
    def _lamp(self) -> int:
        return self._wiring.lamps.index(self._space)

    @property
    def _standing(self) -> bool:
        """Whether something stands on a space to be tested."""
        # A stuck sensor never opens, so no one can be asked to clear it.
        stuck = {mark.sensor for mark in self.marks.values() if mark.state == STUCK}
        return any(sensor in self._down - stuck for sensor in self._sensors.values())

    def on_edge(self, edge: Edge, down: Collection[int], now: float) -> None:
        self._down = frozenset(down)
        if self.ended:
            return
        if self._phase == "clear":
            if not self._standing:
                self._begin(now)
        elif edge.sensor != self._sensor:
            self._warn_of_other(edge, now)
        elif self._phase == "come" and edge.down:
            self._alone = False
            self._lost = 0
            self._turn_to("turn", now + TURN)
        elif self._phase == "turn":
            self._lost += not edge.down
        elif self._phase == "go" and not edge.down:
            self._mark(WAVERS if self._lost else WELL, now)

    def _warn_of_other(self, edge: Edge, now: float) -> None:
        other = self._wiring.space_over(edge.sensor)
        if self._phase != "come" or not edge.down or other is None:
            return
        says = Text(
            "Sensor {sensor} answers, which should lie under {other}. If the magnet is on {space}, the two are "
            "swapped: calibrate the board."
        )
        self._say(says.with_(sensor=edge.sensor, other=other, space=self._space), BAD)
        self._warn(self._lamp, now)

    def elapsed(self, now: float) -> None:
        """Without an answer twice in a row, the time limit is dropped."""
        if self.ended or self._ends is None or now < self._ends:
            return
        if self._phase == "come":
            self._alone = True
        self._give_up(now)

    def on_answer(self, word: str, space: str | None, now: float) -> None:
        self._blink = Blink()
        if word == "next" and not self.ended:
            self._give_up(now)
        elif word == "back" and self.marks:
            # The last one: a dict keeps the order.
            self._go_to(self.marks.popitem()[0], now)
        elif word == "anew" and self._order:
            self.marks.clear()
            self._go_to(self._order[0], now)
        elif space in self._order:
            self.marks.pop(space, None)
            self._go_to(space, now)

    def _give_up(self, now: float) -> None:
        """Go on without the awaited answer."""
        if self._phase == "clear":
            self._begin(now)
        elif self._phase == "come":
            self._mark(DEAD, now)
        elif self._phase == "go":
            self._mark(STUCK, now)
        # The magnet has been turned, and is still there.
        elif self._sensor in self._down:
            self._turn_to("go", now + GO)
        else:
            self._mark(WAVERS if self._lost else WELL, now)

    def _mark(self, state: str, now: float) -> None:
        lamp = self._note(state)
        self._begin(now)
        (self._praise if state == WELL else self._warn)(lamp, now)

    def _note(self, state: str) -> int:
        mark = SensorMark(self._space, self._sensor, state, self._lost)
        self.marks[self._space], self._lost = mark, 0
        self._say(mark.sentence, GOOD if state == WELL else BAD)
        return self._lamp

    def _begin(self, now: float) -> None:
        """Go on to the next space without a mark, wrapping around; end if there is none."""
        while (left := self._left()) is not None:
            self._at = left
            if self._sensor not in self._down:
                self._turn_to("come", None if self._alone else now + COME)
                return
            # The sensor is down before the magnet has come.
            self._warn(self._note(STUCK), now)
        self.ended = True
        self._turn_to("come", None)

    def _left(self) -> int | None:
        # Go on from here, and return to the spaces that were left out.
        around = [*range(self._at, len(self._order)), *range(self._at)]
        return next((index for index in around if self._order[index] not in self.marks), None)

    def _go_to(self, space: str, now: float) -> None:
        self.ended, self._lost, self._alone = False, 0, False
        self._at = self._order.index(space)
        # The sensor has to open first, or it would be marked as stuck.
        if self._sensor in self._down:
            self._turn_to("clear", now + CLEAR)
        else:
            self._begin(now)

    def _turn_to(self, phase: str, ends: float | None) -> None:
        self._phase, self._ends = phase, ends
        self.step += 1
