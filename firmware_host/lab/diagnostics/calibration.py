"""Finding out how a board is wired: lamp after lamp leads, a magnet follows, and each sensor that answers is noted.

Pure: what was found so far is a value, and each step gives the next one. The job around it is `calibrate.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from firmware_host.board.wiring import Wiring


class CalibrationError(Exception):
    """Something that cannot be; the sentence says what it was and what to do. What was found stays as it was."""


class Found(Struct, frozen=True):
    """What is known of one lamp: the space over it, and the sensor there (None: none answered)."""

    lamp: int
    space: str
    sensor: int | None


class Calibration(Struct, frozen=True):
    """What was `expected`, and what has been `found` of it so far, lamp by lamp."""

    expected: Wiring
    found: tuple[Found, ...] = ()

    @property
    def lamp(self) -> int | None:
        """The lamp to be lit next; None when all are known."""
        known = {found.lamp for found in self.found}
        return next((n for n, space in enumerate(self.expected.lamps) if space is not None and n not in known), None)

    @property
    def space(self) -> str | None:
        """The space that should be lit then; None where that one has been found elsewhere already."""
        if self.lamp is None:
            return None
        space = self.expected.lamps[self.lamp]
        return None if space in self._spaces() else space

    @property
    def left(self) -> tuple[str, ...]:
        """The spaces that have not been found yet, in the order of the expected lamps."""
        known = self._spaces()
        return tuple(space for space in self.expected.lamps if space is not None and space not in known)

    def _spaces(self) -> set[str]:
        return {found.space for found in self.found}

    def felt(self, sensor: int, lit: str | None = None) -> Calibration:
        """The magnet on the lit space moved this sensor; `lit` is that space where it is not the expected one.

        Raises `CalibrationError` for a sensor that has answered elsewhere.
        """
        other = next((found for found in self.found if found.sensor == sensor), None)
        if other is not None:
            raise CalibrationError(
                f"Sensor {sensor} has answered under {other.space} already. Either two spaces share a wire, or the "
                f"magnet reaches {other.space} from here: move it to the middle, or type `skip` to go on without it."
            )
        return self._note(sensor, lit)

    def together(self, sensors: frozenset[int]) -> CalibrationError:
        """Why several sensors at once are of no use."""
        names = " and ".join(map(str, sorted(sensors)))
        return CalibrationError(
            f"Sensors {names} answer together. They are bridged, or the magnet is too strong: lift it, and set it down "
            "in the middle of the lit space."
        )

    def skipped(self, lit: str | None = None) -> Calibration:
        """No sensor answers under the lit space: it will be a manual one. Raises `CalibrationError`."""
        return self._note(None, lit)

    def back(self) -> Calibration:
        """The last find is forgotten."""
        return replace(self, found=self.found[:-1])

    def named(self, text: str) -> str:
        """The space that somebody typed. Raises `CalibrationError` for one that is unknown or already found."""
        by_name = {space.lower(): space for space in self.left}
        if text.lower() not in by_name:
            known = [found.space for found in self.found if found.space.lower() == text.lower()]
            why = "has been found already; `back` forgets the last find" if known else "is no space of this board"
            raise CalibrationError(f"{text} {why}.")
        return by_name[text.lower()]

    def _note(self, sensor: int | None, lit: str | None) -> Calibration:
        space = lit or self.space
        if self.lamp is None or space is None:
            raise CalibrationError(
                "The space that should be lit now was found elsewhere. Type the name of the one that is lit."
            )
        return replace(self, found=(*self.found, Found(self.lamp, space, sensor)))

    # --- the result ---------------------------------------------------------------------------------------------

    def wiring(self) -> Wiring:
        """The wiring that was found."""
        sensors = {found.sensor: found.space for found in self.found if found.sensor is not None}
        lamps = {found.lamp: found.space for found in self.found}
        manual = frozenset(found.space for found in self.found if found.sensor is None)
        return Wiring(_row(sensors), _row(lamps), manual)

    def surprises(self) -> Iterator[str]:
        """What differs from what was expected, a sentence each."""
        for found in self.found:
            expected = self.expected.lamps[found.lamp]
            if found.space != expected:
                yield f"Lamp {found.lamp} lies under {found.space}; {expected} was expected."
            wanted = self.expected.sensor_of(found.space)
            if found.sensor is None:
                yield f"No sensor answers under {found.space}: it becomes a manual space, played on the screens."
            elif found.sensor != wanted:
                yield f"Under {found.space} sensor {found.sensor} answers; {wanted} was expected."


def _row(spaces: dict[int, str]) -> tuple[str | None, ...]:
    return tuple(spaces.get(number) for number in range(max(spaces, default=-1) + 1))
