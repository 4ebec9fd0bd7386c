"""Finding out how a board is wired: lamp after lamp leads, a magnet follows, and each sensor that answers is noted.

Pure: what was found so far is a value, and each step gives the next one. The job around it is `calibrating.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace

from engine.text import Text, and_list
from firmware_host.board.wiring import Wiring


class CalibrationError(Exception):
    """Something that cannot be; the sentence says what it was and what to do. What was found stays as it was."""

    @property
    def sentence(self) -> str:
        """What was said, as it is said to people."""
        said: str = self.args[0]
        return said


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """What is known of one lamp: the space over it, and the sensor there (None: none answered)."""

    lamp: int
    space: str
    sensor: int | None


class Calibration(Struct, frozen=True):
    """What was `expected`, and what has been `found` of it so far, lamp by lamp. `chosen` is the lamp that somebody
    wants next, out of its turn.
    """

    expected: Wiring
    found: tuple[Found, ...] = ()
    chosen: int | None = None

    @property
    def lamp(self) -> int | None:
        """The lamp to be lit next; None when all are known."""
        if self.chosen is not None:
            return self.chosen
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
                Text(
                    "Sensor {sensor} has answered under {space} already. Either two spaces share a wire, or the magnet "
                    "reaches {space} from here: move it to the middle, or skip this space to go on without it.",
                    sensor=sensor,
                    space=other.space,
                )
            )
        return self._note(sensor, lit)

    def together(self, sensors: frozenset[int]) -> CalibrationError:
        """Why several sensors at once are of no use."""
        return CalibrationError(
            Text(
                "Sensors {sensors} answer together. They are bridged, or the magnet is too strong: lift it, and set it "
                "down in the middle of the space.",
                sensors=and_list(map(str, sorted(sensors))),
            )
        )

    def skipped(self, lit: str | None = None) -> Calibration:
        """No sensor answers under the lit space: it will be a manual one. Raises `CalibrationError`."""
        return self._note(None, lit)

    def back(self) -> Calibration:
        """The last find is forgotten."""
        return replace(self, found=self.found[:-1], chosen=None)

    def anew(self) -> Calibration:
        """Everything that was found is forgotten."""
        return replace(self, found=(), chosen=None)

    def turned_to(self, space: str) -> Calibration:
        """The lamp that is expected under this space is the next one: for a board without lamps, where nothing is lit
        that could lie elsewhere. Raises `CalibrationError`.
        """
        return replace(self, chosen=self.expected.lamps.index(self.named(space)))

    def named(self, text: str) -> str:
        """The space that somebody named. Raises `CalibrationError` for one that is unknown or already found."""
        by_name = {space.lower(): space for space in self.left}
        if text.lower() in by_name:
            return by_name[text.lower()]
        if any(found.space.lower() == text.lower() for found in self.found):
            raise CalibrationError(
                Text("{space} has been found already; to go back a step forgets the last find.", space=text)
            )
        raise CalibrationError(Text("{space} is no space of this board.", space=text))

    def _note(self, sensor: int | None, lit: str | None) -> Calibration:
        space = lit or self.space
        if self.lamp is None or space is None:
            raise CalibrationError(
                Text("The space that should be lit now was found elsewhere. Name the one that is lit.")
            )
        return replace(self, found=(*self.found, Found(self.lamp, space, sensor)), chosen=None)

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
                yield Text(
                    "Lamp {lamp} lies under {space}; {expected} was expected.",
                    lamp=found.lamp,
                    space=found.space,
                    expected=str(expected),
                )
            wanted = self.expected.sensor_of(found.space)
            if found.sensor is None:
                yield Text(
                    "No sensor answers under {space}: it becomes a manual space, played on the screens.",
                    space=found.space,
                )
            elif wanted is None:
                yield Text(
                    "Under {space} sensor {sensor} answers; none was expected.", space=found.space, sensor=found.sensor
                )
            elif found.sensor != wanted:
                yield Text(
                    "Under {space} sensor {sensor} answers; {wanted} was expected.",
                    space=found.space,
                    sensor=found.sensor,
                    wanted=wanted,
                )


def _row(spaces: dict[int, str]) -> tuple[str | None, ...]:
    return tuple(spaces.get(number) for number in range(max(spaces, default=-1) + 1))
