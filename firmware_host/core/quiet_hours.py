"""Quiet hours: when the lamps are dimmed and nothing sounds. Pure; the time of day is a parameter."""

from __future__ import annotations

import re
from datetime import time

from msgspec import Struct

HOUR = re.compile(r"([01]\d|2[0-3]):([0-5]\d)")


class QuietHours(Struct, frozen=True):
    """From `start` until before `end`, across midnight if the end is earlier. None: no quiet hours."""

    start: time | None = None
    end: time | None = None

    def at(self, moment: time) -> bool:
        """Return whether it is quiet at that time."""
        if self.start is None or self.end is None:
            return False
        if self.start <= self.end:
            return self.start <= moment < self.end
        return moment >= self.start or moment < self.end


def quiet_hours(start: str, end: str) -> QuietHours:
    """Return the hours between two times like 22:30; both empty for none. Raises `ValueError` with what is wrong."""
    if bool(start) != bool(end):
        raise ValueError("quiet hours need a start and an end, such as 22:30 and 07:00; leave both empty for none")
    return QuietHours(_time(start), _time(end)) if start else QuietHours()


def _time(text: str) -> time:
    found = HOUR.fullmatch(text)
    if found is None:
        raise ValueError(f"{text!r} is not a time of day; write it like 22:30")
    return time(int(found[1]), int(found[2]))
