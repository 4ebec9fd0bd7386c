"""Two jobs to look at a board: the scan of its sensors and the test of its lamps."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from engine.text import Text
from firmware_host.board.wiring import Wiring
from firmware_host.workshop.job import GOOD, GREEN, RED, WHITE, Job
from hardware.ports import Colour, Edge

PRIMARIES: Mapping[str, tuple[Colour, Text]] = {
    "red": (RED, Text("All lamps are red, within the current limit.")),
    "green": (GREEN, Text("All lamps are green, within the current limit.")),
    "blue": ((0, 0, 255), Text("All lamps are blue, within the current limit.")),
    "white": (WHITE, Text("All lamps are white, within the current limit.")),
}
DOWN, UP = Text("sensor {sensor}, {space}: down"), Text("sensor {sensor}, {space}: up")
STRAY_DOWN, STRAY_UP = Text("sensor {sensor}, under no space: down"), Text("sensor {sensor}, under no space: up")
EACH, ALL = 0.4, 1.2
"""Seconds for each single lamp, and for all lamps in each colour."""


class Scanning(Job):
    """Light the lamp of each space that feels something, so that swapped sensors and lamps are seen."""

    name = "scan"

    def __init__(self, wiring: Wiring, down: Collection[int]) -> None:
        super().__init__()
        self._wiring = wiring
        self._down = frozenset(down)
        # Sensors that are already down have also answered.
        self._answered = wiring.spaces_over(sorted(down))

    @property
    def progress(self) -> tuple[int, int]:
        """(sensors that have answered since the start, all sensors)."""
        return len(self._answered), sum(space is not None for space in self._wiring.sensors)

    def page_facts(self) -> Mapping[str, Any]:
        """Return the spaces whose sensors have answered."""
        return {"known": list(self._answered), "skipped": []}

    @property
    def asks(self) -> str:
        return Text("Set a magnet on any space: its sensor shows here, and its lamp turns green.")

    def _lit(self) -> Mapping[int, Colour]:
        felt = self._wiring.spaces_over(self._down)
        return {lamp: GREEN for lamp, space in enumerate(self._wiring.lamps) if space in felt}

    def on_edge(self, edge: Edge, down: Collection[int], now: float) -> None:
        self._down = frozenset(down)
        space = self._wiring.space_over(edge.sensor)
        # A sensor counts once, however often it is touched.
        if space is not None and space not in self._answered:
            self._answered.append(space)
        self._say(edge_message(self._wiring, edge), GOOD if edge.down else "")


def edge_message(wiring: Wiring, edge: Edge) -> str:
    """Return a sentence for an edge."""
    space = wiring.space_over(edge.sensor)
    if space is None:
        return (STRAY_DOWN if edge.down else STRAY_UP).with_(sensor=edge.sensor)
    return (DOWN if edge.down else UP).with_(sensor=edge.sensor, space=space)


class LampStep(Struct, frozen=True):
    """Lamps to light, for how many seconds (None: until the next command), and the sentence about them."""

    lamps: Mapping[int, Colour]
    seconds: float | None
    sentence: str


class Lighting(Job):
    """Light the lamps: all in a colour, one by name, or each in turn and then all in each colour."""

    name = "lights"
    words = ("round", *PRIMARIES, "off")

    def __init__(self, wiring: Wiring, each: float = EACH, all_: float = ALL, *, once: bool = False) -> None:
        """`each` and `all_` are times in seconds. With `once` the job ends after the first round."""
        super().__init__()
        self._once = once
        self._wiring = wiring
        self._each, self._all = each, all_
        self._turns: deque[LampStep] = deque()
        self._turn: LampStep | None = None

    @property
    def asks(self) -> str:
        if self._turn is not None:
            return self._turn.sentence
        return Text("Choose a colour for all lamps, or tap a space to light its lamp alone.")

    @property
    def spaces(self) -> tuple[str, ...]:
        return tuple(space for space in self._wiring.lamps if space is not None)

    def _lit(self) -> Mapping[int, Colour]:
        return {} if self._turn is None else self._turn.lamps

    def on_answer(self, word: str, space: str | None, now: float) -> None:
        turns: list[LampStep] = []
        if word == "round":
            # With 0 seconds for each, the single lamps are skipped.
            lamps = range(len(self._wiring.lamps) if self._each else 0)
            turns = [self._one_lamp(lamp, self._each) for lamp in lamps]
            turns += [self._all_lamps(name, self._all) for name in PRIMARIES]
        elif word in PRIMARIES:
            turns = [self._all_lamps(word, None)]
        elif space in self._wiring.lamps:
            turns = [self._one_lamp(self._wiring.lamps.index(space), None)]
        self._turns = deque(turns)
        self._next(now)

    def elapsed(self, now: float) -> None:
        if self._ends is not None and now >= self._ends:
            self._next(now)

    def _next(self, now: float) -> None:
        self._turn = self._turns.popleft() if self._turns else None
        self._ends = None if self._turn is None or self._turn.seconds is None else now + self._turn.seconds
        self.ended = self._once and self._turn is None
        self.step += 1

    def _one_lamp(self, lamp: int, seconds: float | None) -> LampStep:
        space = self._wiring.lamps[lamp]
        sentence = Text("Lamp {lamp} is lit, under no space.", lamp=lamp)
        if space is not None:
            sentence = Text("Lamp {lamp} is lit. It should lie under {space}.", lamp=lamp, space=space)
        return LampStep({lamp: WHITE}, seconds, sentence)

    def _all_lamps(self, name: str, seconds: float | None) -> LampStep:
        colour, sentence = PRIMARIES[name]
        return LampStep(dict.fromkeys(range(len(self._wiring.lamps)), colour), seconds, sentence)
