"""The base class of all jobs at a board, and the runner that debounces the sensors for them.

A job never waits. Its times are seconds of the job. They stop while the hardware has a fault, so that a pulled
cable is not taken for a dead sensor. The terminal and the running table each have a `JobRunner`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from typing import Any

from msgspec import Struct

from firmware_host.core.settings import Settings
from hardware.ports import DARK, Colour, Edge
from hardware.settle import Settle, earliest

WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 130, 0)
GREEN: Colour = (0, 255, 0)
RED: Colour = (255, 0, 0)
"""White: set the magnet down. Amber: turn it. Green: lift it. Blinking green: the step succeeded. Blinking red: it
failed.
"""
PLAIN, GOOD, BAD = "", "good", "bad"
"""The tone of a message."""
BLINK_SECONDS = 0.15
"""Seconds that a blinking lamp is on, and then off."""
MAX_MESSAGES = 40
"""Messages that may wait to be shown."""


class Message(Struct, frozen=True):
    """A sentence for people, with its tone."""

    sentence: str
    tone: str = PLAIN


class Blink(Struct, frozen=True):
    """A lamp that blinks `times` times in a colour, from `began` (seconds); None: nothing blinks."""

    lamp: int | None = None
    colour: Colour = DARK
    began: float = 0.0
    times: int = 0

    def beat(self, now: float) -> int | None:
        """Return the number of the half blink, or None when the blinking is over."""
        # Float sums may fall just short of the end of a half blink.
        beat = int((now - self.began) / BLINK_SECONDS + 1e-6)
        return None if self.lamp is None or beat >= 2 * self.times else beat

    def over(self, colours: Mapping[int, Colour], now: float) -> Mapping[int, Colour]:
        """Return the colours with the blinking lamp over them."""
        beat = self.beat(now)
        if beat is None or self.lamp is None:
            return colours
        return {**colours, self.lamp: DARK if beat % 2 else self.colour}

    def due(self, now: float) -> float | None:
        """Return when the blinking changes next, or None."""
        beat = self.beat(now)
        return None if beat is None else self.began + (beat + 1) * BLINK_SECONDS


class Job:
    """A procedure at the board.

    - `name` identifies the job, `words` are the commands that it takes.
    - `step` counts its questions, so that a late answer is not taken for one to the current question.
    - `ended`: nothing more to do. `messages`: sentences to show, oldest first.
    """

    name = ""
    words: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.step = 0
        self.ended = False
        self.messages: deque[Message] = deque(maxlen=MAX_MESSAGES)
        self._blink = Blink()
        self._ends: float | None = None
        """When `elapsed` is due, in seconds of the job."""

    @property
    def asks(self) -> str:
        """What the person at the board should do now."""
        raise NotImplementedError

    @property
    def space(self) -> str | None:
        """The space that the current question is about."""
        return None

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces that may be named now."""
        return ()

    @property
    def progress(self) -> tuple[int, int] | None:
        """(done, total), if the job knows."""
        return None

    def lamps(self, now: float) -> Mapping[int, Colour]:
        """Return the lamps to light, by number."""
        return self._blink.over(self._lit(), now)

    def due(self, now: float) -> float | None:
        """Return when to light the lamps again or call `elapsed` at the latest, or None."""
        return earliest(self._blink.due(now), self._until)

    def page_facts(self) -> Mapping[str, Any]:
        """Return additional facts for the web page."""
        return {}

    def _lit(self) -> Mapping[int, Colour]:
        return {}

    @property
    def _until(self) -> float | None:
        return self._ends

    def on_edge(self, edge: Edge, down: Collection[int], now: float) -> None:
        """Take a settled edge. `down` are all sensors that are down now."""

    def on_answer(self, word: str, space: str | None, now: float) -> None:
        """Take one of its words, or (if `word` is empty) the name of a space. Raises `UserError`."""

    def elapsed(self, now: float) -> None:
        """Handle the time `now`, when `due` has come."""

    def _say(self, sentence: str, tone: str = PLAIN) -> None:
        self.messages.append(Message(sentence, tone))

    def _praise(self, lamp: int | None, now: float) -> None:
        self._blink = Blink(lamp, GREEN, now, 2)

    def _warn(self, lamp: int | None, now: float) -> None:
        self._blink = Blink(lamp, RED, now, 3)


class JobRunner:
    """Runs one job after another on the edges of a board, and stops their time during a fault of the hardware.

    `clock` returns monotonic seconds. Exceptions of the job go to the caller.
    """

    def __init__(self, clock: Callable[[], float], settings: Settings) -> None:
        self.clock = clock
        self.job: Job | None = None
        self.settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self._lost = 0.0
        self._fault_since: float | None = None

    @property
    def now(self) -> float:
        """Seconds of the job."""
        return (self.clock() if self._fault_since is None else self._fault_since) - self._lost

    @property
    def standing_still(self) -> bool:
        """Whether a fault of the hardware stops the job."""
        return self._fault_since is not None

    def note_fault(self, faulty: bool) -> None:
        """Record whether the hardware has a fault now."""
        now = self.clock()
        if faulty and self._fault_since is None:
            self._fault_since = now
        elif not faulty and self._fault_since is not None:
            # The time of the fault does not count for the job.
            self._lost, self._fault_since = self._lost + now - self._fault_since, None

    def feed(self, edge: Edge) -> None:
        """Take a raw edge."""
        self.settle, settled = self.settle.feed(edge)
        self._take(settled)

    def tick(self) -> None:
        """Do what is due."""
        self.settle, settled = self.settle.due(self.clock())
        self._take(settled)
        if self.job is not None and not self.standing_still:
            self.job.elapsed(self.now)

    def _take(self, settled: Collection[Edge]) -> None:
        for edge in settled:
            if self.job is not None:
                self.job.on_edge(edge, self.settle.down, self.now)

    def due(self) -> float | None:
        """Return when to call `tick` at the latest (monotonic seconds); None for never."""
        # The job's own times stop, debouncing does not.
        step = None if self.job is None or self.standing_still else self.job.due(self.now)
        # The time of the job lags behind the clock by all faults so far.
        return earliest(self.settle.next_due(), None if step is None else step + self._lost)
