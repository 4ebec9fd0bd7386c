"""Calibration: find out which sensor and which lamp lies under which space.

The board lights one lamp after another. The maker sets a magnet on the lit space, and the sensor that answers is noted.
On a board without lamps the space is named instead. What is found is noted in the board's folder, so that the next
session continues there. Files are written to a temporary file, synced and renamed: a power cut loses nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from engine.graph import Map
from engine.text import Text, and_list
from firmware_host.board.wiring import MOST_NUMBERS, Wiring, by_number, read_wiring, wiring_text
from firmware_host.core.errors import UserError
from firmware_host.workshop.job import BAD, GOOD, WHITE, Blink, Job
from hardware.files import read_json, replace_file
from hardware.ports import Colour, Edge

NOTES = "calibration.json"
"""Name of the file for what was found so far."""
STEADY_SECONDS = 0.25
"""Seconds of contact after which a sensor counts as the answer."""
CHATTER, CHATTERS = 2.0, 8
"""A number of seconds, and the number of settled edges in this time that a magnet in a hand cannot cause."""


class Found(Struct, frozen=True, forbid_unknown_fields=True):
    """The result for one lamp: the space over it, and the sensor there (None: no sensor answered)."""

    lamp: int
    space: str
    sensor: int | None


class Calibrating(Job):
    """Finds the wiring of a board, starting from the wiring `expected`.

    `found` has the results so far, lamp by lamp, and `notes` is the file for them. Steps raise `OSError` if it cannot
    be written, and `UserError` for an answer that cannot be right; what was found stays unchanged.
    """

    name = "calibrate"
    words = ("skip", "back", "anew")

    def __init__(self, expected: Wiring, notes: Path, has_lamps: bool = True) -> None:
        super().__init__()
        self.expected, self.found = expected, _read_notes(notes, expected)
        self._notes, self._has_lamps = notes, has_lamps
        self._named: str | None = None  # the space that the maker says is lit instead of the expected one
        self._chosen: int | None = None  # the lamp that was asked for out of its turn
        self._contacts: dict[int, float] = {}  # sensor -> when it closed during this question
        self._edges: deque[tuple[float, int]] = deque()  # those of the last `CHATTER_AFTER` seconds: time and sensor
        self._chattering: set[int] = set()
        self.ended = self.lamp is None

    # --- what is known ----------------------------------------------------------------------------------------------

    @property
    def lamp(self) -> int | None:
        """The lamp to light next, or None when all are known."""
        if self._chosen is not None:
            return self._chosen
        lamps = {entry.lamp for entry in self.found}
        return next((n for n, space in enumerate(self.expected.lamps) if space is not None and n not in lamps), None)

    @property
    def space(self) -> str | None:
        """The space where the magnet is wanted, or None if the expected space was already found at another lamp."""
        if self._named is not None or self.lamp is None:
            return self._named
        space = self.expected.lamps[self.lamp]
        return None if space in self._found_spaces() else space

    @property
    def spaces(self) -> tuple[str, ...]:
        """The spaces that are still to be found, in the order of the expected lamps."""
        done = self._found_spaces()
        return tuple(space for space in self.expected.lamps if space is not None and space not in done)

    def _found_spaces(self) -> set[str]:
        return {entry.space for entry in self.found}

    @property
    def asks(self) -> str:
        space = self.space
        if self.ended:
            return Text("All spaces are known.")
        if space is None:
            return Text(
                "The lit space should be one that is already found. Name the space that is lit, then "
                "set the magnet there."
            )
        if self._named is not None:
            return Text("Set the magnet on {space}. If it stands there already, lift it first.", space=space)
        if self._has_lamps:
            return Text("The lit space should be {space}. Set the magnet there.", space=space)
        return Text("Set the magnet on {space}.", space=space)

    @property
    def progress(self) -> tuple[int, int]:
        return len(self.found), len(self.found) + len(self.spaces)

    def page_facts(self) -> Mapping[str, Any]:
        """The spaces that are known already, and those of them without a sensor."""
        return {
            "known": [entry.space for entry in self.found],
            "skipped": [entry.space for entry in self.found if entry.sensor is None],
        }

    def _lit(self) -> Mapping[int, Colour]:
        return {} if self.lamp is None else {self.lamp: WHITE}

    @property
    def _until(self) -> float | None:
        return min(self._contacts.values()) + STEADY_SECONDS if self._contacts else None

    # --- what happens -----------------------------------------------------------------------------------------------

    def on_edge(self, edge: Edge, down: Collection[int], now: float) -> None:
        """Only a steady contact is accepted. A sensor that chatters is reported, and ignored until it is at rest."""
        if self.ended:
            return
        # The contact must be steady, so every edge starts the wait again.
        self._contacts.pop(edge.sensor, None)
        if self._is_chattering(edge.sensor, now):
            return
        if edge.down:
            self._contacts[edge.sensor] = now

    def _is_chattering(self, sensor: int, now: float) -> bool:
        self._edges.append((now, sensor))
        while self._edges[0][0] < now - CHATTER:
            self._edges.popleft()
        edges = [other for _, other in self._edges]
        # A sensor is calm again below half the limit, so that it does not alternate between the two states.
        self._chattering &= {other for other in edges if edges.count(other) >= CHATTERS // 2}
        if edges.count(sensor) >= CHATTERS and sensor not in self._chattering:
            self._chattering.add(sensor)
            says = Text(
                "Sensor {sensor} chatters: it opens and closes by itself and is ignored. Check its wire and its solder "
                "joints."
            )
            self._say(says.with_(sensor=sensor), BAD)
        return sensor in self._chattering

    def elapsed(self, now: float) -> None:
        if (close := self._until) is None or now < close:
            return
        # Look at all contacts together: a solder bridge closes two sensors at nearly the same time.
        answers, self._contacts = set(self._contacts), {}
        try:
            if len(answers) > 1:
                says = Text(
                    "Sensors {sensors} answer together. They are bridged, or the magnet is too strong: lift it, and "
                    "set it down in the middle of the space."
                )
                raise _not_now(says.with_(sensors=and_list(map(str, sorted(answers)))))
            for sensor in answers:
                self.note(sensor, now)
        except UserError as error:
            self._say(error.sentence, BAD)
            self._warn(self.lamp, now)

    def on_answer(self, word: str, space: str | None, now: float) -> None:
        self._contacts, self._blink = {}, Blink()
        if word == "skip":
            skipped = self._add(None)
            self._say(Text("{space} was skipped: it will be a manual space.", space=skipped))
        elif word == "back" and self.found:
            self._turn(self.found[:-1])
        elif word == "anew":
            self._turn(())
        elif space is not None:
            name = self.unfound(space)
            if self._has_lamps:
                self._named = name
            else:  # nothing is lit, so the space cannot belong to another lamp: its lamp is the next one
                self._chosen = self.expected.lamps.index(name)
            self.step += 1

    def note(self, sensor: int, now: float) -> None:
        """Note that `sensor` answers on the lit space. Raises `UserError` if it has answered elsewhere."""
        other = next((entry for entry in self.found if entry.sensor == sensor), None)
        if other is not None:
            says = Text(
                "Sensor {sensor} has answered under {space} already. Either two spaces share a wire, or the magnet "
                "reaches {space} from here: move it to the middle, or skip this space to go on without it."
            )
            raise _not_now(says.with_(sensor=sensor, space=other.space))
        lamp, space = self.lamp, self._add(sensor)
        self._praise(lamp, now)
        self._say(Text("{space}: sensor {sensor}.", space=space, sensor=sensor), GOOD)

    def unfound(self, name: str) -> str:
        """Return the space with this name, in any case. Raises `UserError` if it is unknown or already found."""
        by_name = {space.lower(): space for space in self.spaces}
        if name.lower() in by_name:
            return by_name[name.lower()]
        if any(entry.space.lower() == name.lower() for entry in self.found):
            raise _not_now(Text("{space} is already found. Go back a step to discard the last one.", space=name))
        raise _not_now(Text("{space} is not a space of this board.", space=name))

    def _add(self, sensor: int | None) -> str:
        """Add the lit space with its sensor (None: none answers) and return that space."""
        lamp, space = self.lamp, self.space
        if lamp is None or space is None:
            raise _not_now(Text("The space that should be lit now was found elsewhere. Name the one that is lit."))
        self._turn((*self.found, Found(lamp, space, sensor)))
        return space

    def _turn(self, entries: tuple[Found, ...]) -> None:
        """Store the new results, and go on to the next question."""
        self.found, self._named, self._chosen = entries, None, None
        self.step += 1
        self.ended = self.lamp is None
        # Write the notes after each lamp: a calibration takes long, and can be continued after a restart.
        self._notes.parent.mkdir(parents=True, exist_ok=True)
        replace_file(self._notes, msgspec.json.encode(entries), synced=True)

    # --- the result -------------------------------------------------------------------------------------------------

    def wiring(self) -> Wiring:
        """Return the wiring that was found."""
        sensors = {entry.space: entry.sensor for entry in self.found if entry.sensor is not None}
        # A space without a sensor keeps its lamp, and becomes manual.
        lamps = {entry.space: entry.lamp for entry in self.found}
        return Wiring(by_number(sensors), by_number(lamps), frozenset(lamps.keys() - sensors.keys()))

    def save(self, target: Path, board: Map) -> None:
        """Write the wiring file and delete the notes.

        Raises `OSError`, and `WiringError` for an unusable wiring; then the old file stays.
        """
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(f"{target.name}.draft")
        replace_file(draft, wiring_text(self.wiring()).encode(), synced=True)
        read_wiring(draft, board)
        draft.replace(target)
        # Delete the notes last, so that a power cut in between loses nothing.
        self._notes.unlink(missing_ok=True)

    def differences(self) -> Iterator[str]:
        """Yield a sentence for each difference from the expected wiring."""
        for entry in self.found:
            space, expected = entry.space, self.expected.lamps[entry.lamp]
            sensor, wanted = entry.sensor, self.expected.sensor_of(entry.space)
            if space != expected:
                says = Text("Lamp {lamp} lies under {space}; {expected} was expected.")
                yield says.with_(lamp=entry.lamp, space=space, expected=str(expected))
            if sensor is None:
                says = Text("No sensor answers under {space}: it becomes a manual space, played on the screens.")
                yield says.with_(space=space)
            elif wanted is None:
                yield Text("Under {space} sensor {sensor} answers; none was expected.", space=space, sensor=sensor)
            elif sensor != wanted:
                says = Text("Under {space} sensor {sensor} answers; {wanted} was expected.")
                yield says.with_(space=space, sensor=sensor, wanted=wanted)


def _not_now(sentence: str) -> UserError:
    return UserError("not-now", sentence)


# --- its files --------------------------------------------------------------------------------------------------


def _read_notes(notes: Path, expected: Wiring) -> tuple[Found, ...]:
    """Return what was found earlier, or () if it cannot be read or is about another board."""
    try:
        entries = read_json(notes, tuple[Found, ...])
    except (OSError, ValueError):
        return ()
    sensors = [entry.sensor for entry in entries if entry.sensor is not None]
    columns = ([entry.lamp for entry in entries], [entry.space for entry in entries], sensors)
    # Notes about another board would lead to a wiring that contradicts itself.
    fits = (
        all(len(set(column)) == len(column) for column in columns)
        and all(0 <= entry.lamp < len(expected.lamps) and entry.space in expected.lamps for entry in entries)
        and all(expected.lamps[entry.lamp] is not None for entry in entries)
        and all(0 <= sensor < MOST_NUMBERS for sensor in sensors)
    )
    return entries if fits else ()
