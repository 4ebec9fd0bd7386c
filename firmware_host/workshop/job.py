"""What all jobs at a board have alike. A job never waits: whoever drives it lights its lamps, hands over what was felt
and said, and comes again when it is due.

Times are seconds of the job: monotonic, and standing still while the hardware is ill, so that a pulled cable is not
taken for a dead sensor.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Mapping
from typing import Any

from msgspec import Struct

from hardware.ports import DARK, Colour, Edge

WHITE: Colour = (255, 255, 255)
AMBER: Colour = (255, 130, 0)
GREEN: Colour = (0, 255, 0)
RED: Colour = (255, 0, 0)
"""White asks to set the magnet down, amber to turn it around where it stands, green to lift it. Green that blinks says
that a step has succeeded, red that it has not.
"""
PLAIN, GOOD, BAD = "", "good", "bad"
"""How what is told sounds."""
BEAT = 0.15
"""Seconds that a blinking lamp is on, and then off."""
MOST_NEWS = 40
"""Sentences that wait to be told."""


class Said(Struct, frozen=True):
    """Something to be told, and how it sounds."""

    sentence: str
    tone: str = PLAIN


class Blink(Struct, frozen=True):
    """Lamps that blink in a colour from `began` on, so many times."""

    lamps: tuple[int, ...] = ()
    colour: Colour = DARK
    began: float = 0.0
    times: int = 0

    def beat(self, now: float) -> int | None:
        """Which half of a blink it is; None when it is over."""
        beat = int((now - self.began) / BEAT + 1e-6)
        return beat if self.lamps and beat < 2 * self.times else None

    def over(self, colours: Mapping[int, Colour], now: float) -> Mapping[int, Colour]:
        """The lamps' colours with the blinking over them."""
        beat = self.beat(now)
        if beat is None:
            return colours
        return {**colours, **dict.fromkeys(self.lamps, DARK if beat % 2 else self.colour)}

    def due(self, now: float) -> float | None:
        """When the blinking changes next."""
        beat = self.beat(now)
        return None if beat is None else self.began + (beat + 1) * BEAT


class Job:
    """`name` is which job it is, `words` what may be said to it. `step` counts what it has asked for: an answer to an
    earlier question must not be taken for one to this. `ended` says that there is nothing more to do, `news` is what
    is to be told, oldest first.
    """

    name = ""
    words: tuple[str, ...] = ()

    def __init__(self) -> None:
        self.step = 0
        self.ended = False
        self.news: deque[Said] = deque(maxlen=MOST_NEWS)
        self._blink = Blink()

    # --- what it wants ------------------------------------------------------------------------------------------

    @property
    def asks(self) -> str:
        """What whoever is at the board is to do now."""
        raise NotImplementedError

    @property
    def space(self) -> str | None:
        """The space that it is about now."""
        return None

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces that may be named now."""
        return ()

    @property
    def progress(self) -> tuple[int, int] | None:
        """How many of how many are done."""
        return None

    def lamps(self, now: float) -> Mapping[int, Colour]:
        """The lamps that are to be lit, by number."""
        return self._blink.over(self._lit(), now)

    def due(self, now: float) -> float | None:
        """When to come again at the latest, to light the lamps or because a time has run out (`elapsed`)."""
        dues = [due for due in (self._blink.due(now), self._until) if due is not None]
        return min(dues, default=None)

    def shown(self) -> Mapping[str, Any]:
        """What a page shows of it beside all this."""
        return {}

    def _lit(self) -> Mapping[int, Colour]:
        return {}

    @property
    def _until(self) -> float | None:
        return None

    # --- what happens -------------------------------------------------------------------------------------------

    def felt(self, edge: Edge, down: Collection[int], now: float) -> None:
        """A sensor has settled; `down` are all that are down now."""

    def told(self, word: str, space: str | None, now: float) -> None:
        """Somebody has said one of its words, or (with an empty one) has named a space. Raises `CalibrationError`."""

    def elapsed(self, now: float) -> None:
        """It is `now`."""

    # --- telling ------------------------------------------------------------------------------------------------

    def _say(self, sentence: str, tone: str = PLAIN) -> None:
        self.news.append(Said(sentence, tone))

    def _praise(self, lamp: int | None, now: float) -> None:
        """The lamp says that a step has succeeded."""
        self._blink = Blink(() if lamp is None else (lamp,), GREEN, now, 2)

    def _warn(self, lamp: int | None, now: float) -> None:
        """The lamp says that a step has not succeeded."""
        self._blink = Blink(() if lamp is None else (lamp,), RED, now, 3)
