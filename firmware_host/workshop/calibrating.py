"""Calibrating as a job: the board lights a space, or names it where it has no lamps; a magnet is set there."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

from engine.text import Text
from firmware_host.workshop.calibration import Calibration, CalibrationError, Found
from firmware_host.workshop.job import BAD, GOOD, WHITE, Blink, Job
from hardware.ports import Colour, Edge

TOGETHER = 0.15
"""Seconds within which sensors count as answering together."""


class Calibrating(Job):
    """`state` is what has been found so far; `keep` is told of it after each step, and may raise `OSError`."""

    name = "calibrate"
    words = ("skip", "back", "anew")

    def __init__(self, state: Calibration, has_lamps: bool, keep: Callable[[tuple[Found, ...]], None]) -> None:
        super().__init__()
        self.state = state
        self._has_lamps = has_lamps
        self._keep = keep
        self._named: str | None = None
        self._company: set[int] = set()
        self._closes: float | None = None
        self.ended = state.lamp is None

    @property
    def asks(self) -> str:
        """See `Job`."""
        wanted = self._named or self.state.space
        if self.ended:
            return Text("All spaces are known.")
        if wanted is None:
            return Text("A space is lit that should be one already found. Say which it is, then set the magnet there.")
        if self._named is not None:
            return Text("{space}, then. Set the magnet there; lift it first, if it stands there.", space=wanted)
        if self._has_lamps:
            return Text("The lit space should be {space}. Set the magnet there.", space=wanted)
        return Text("Set the magnet on {space}.", space=wanted)

    @property
    def space(self) -> str | None:
        """See `Job`."""
        return self._named or self.state.space

    @property
    def spaces(self) -> tuple[str, ...]:
        """See `Job`."""
        return () if self.ended else self.state.left

    @property
    def progress(self) -> tuple[int, int]:
        """See `Job`."""
        known = len(self.state.found)
        return known, known + len(self.state.left)

    def shown(self) -> Mapping[str, Any]:
        """The spaces that are known already, and those of them where nothing answered."""
        return {
            "known": [found.space for found in self.state.found],
            "skipped": [found.space for found in self.state.found if found.sensor is None],
        }

    def _lit(self) -> Mapping[int, Colour]:
        return {} if self.state.lamp is None else {self.state.lamp: WHITE}

    @property
    def _until(self) -> float | None:
        return self._closes

    # --- what happens -------------------------------------------------------------------------------------------

    def felt(self, edge: Edge, down: Collection[int], now: float) -> None:
        """See `Job`. What comes within `TOGETHER` is one answer."""
        if self.ended:
            return
        if not edge.down:
            self._company.discard(edge.sensor)
            return
        self._company.add(edge.sensor)
        if self._closes is None:
            self._closes = now + TOGETHER

    def elapsed(self, now: float) -> None:
        """See `Job`."""
        if self._closes is None or now < self._closes:
            return
        company, self._company, self._closes = frozenset(self._company), set(), None
        try:
            if len(company) > 1:
                raise self.state.together(company)
            for sensor in company:
                found = self._named or self.state.space
                lamp, state = self.state.lamp, self.state.felt(sensor, self._named)
                self._praise(lamp, now)
                self._turn(state)
                self._say(Text("{space}: sensor {sensor}.", space=str(found), sensor=sensor), GOOD)
        except CalibrationError as error:
            self._say(error.sentence, BAD)
            self._warn(self.state.lamp, now)

    def told(self, word: str, space: str | None, now: float) -> None:
        """See `Job`."""
        self._company, self._closes, self._blink = set(), None, Blink()
        if word == "skip":
            left = self._named or self.state.space
            self._turn(self.state.skipped(self._named))
            self._say(Text("{space} was skipped: it will be a manual space.", space=str(left)))
        elif word == "back" and self.state.found:
            self._turn(self.state.back())
        elif word == "anew":
            self._turn(self.state.anew())
        elif space is not None and self._has_lamps:
            self._named = self.state.named(space)
            self.step += 1
        elif space is not None:
            self.state, self._named = self.state.turned_to(space), None
            self.step += 1

    def _turn(self, state: Calibration) -> None:
        self.state, self._named = state, None
        self.step += 1
        self.ended = state.lamp is None
        self._keep(state.found)
