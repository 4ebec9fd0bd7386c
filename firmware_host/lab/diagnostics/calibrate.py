"""`sniperboard hw calibrate`: the job around `calibration.py`, at the bench. It can be left and taken up again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec

from firmware_host.board.wiring import text
from firmware_host.lab.diagnostics.calibration import Calibration, CalibrationError, Found
from firmware_host.lab.diagnostics.workbench import WHITE, Typed, Workbench
from hardware.ports import Edge

PATIENCE = 60.0
"""Seconds until the question is asked again."""
TOGETHER = 0.15
"""Seconds within which sensors count as answering together."""
HELP = "Type the name of the space that is lit if it is another, `skip` if no sensor answers, `back`, or `quit`."

Say = Callable[[str], None]


class Calibrating:
    """One session. `notes` keeps what was found, so that the next session goes on from there."""

    def __init__(self, bench: Workbench, notes: Path, say: Say) -> None:
        self._bench = bench
        self._notes = notes
        self._say = say
        self._lit: str | None = None
        self._state = Calibration(bench.wiring, _remembered(notes, bench))

    def run(self, target: Path) -> bool:
        """Lead through all lamps and write the wiring to `target`; False if it was left before the end."""
        if self._state.found:
            self._say(f"Going on: {len(self._state.found)} spaces are known already.")
        self._say(f"Set one magnet down in the middle of the lit space. {HELP}")
        while (lamp := self._state.lamp) is not None:
            self._lit = None
            self._bench.light({lamp: WHITE})
            self._ask()
            if not self._answered():
                self._bench.dark()
                self._say("Left for now. The next `hw calibrate` goes on from here.")
                return False
        self._bench.dark()
        self._finish(target)
        return True

    def _ask(self) -> None:
        known, whole = len(self._state.found), len(self._state.found) + len(self._state.left)
        wanted = self._state.space or "another one: type its name"
        self._say(f"({known + 1}/{whole}) The lit space should be {wanted}.")

    def _answered(self) -> bool:
        """Wait for this lamp's answer; False to leave."""
        before = self._state
        while self._state is before:
            heard = self._bench.next(self._bench.now + PATIENCE)
            try:
                if isinstance(heard, Typed):
                    if heard.text == "quit":
                        return False
                    self._typed(heard.text)
                elif isinstance(heard, Edge) and heard.down:
                    self._felt(heard)
                elif heard is None:
                    self._say(HELP)
            except CalibrationError as error:
                self._say(str(error))
        self._remember()
        return True

    def _felt(self, edge: Edge) -> None:
        company = {edge.sensor}
        until = self._bench.now + TOGETHER
        while (other := self._bench.next(until)) is not None:
            if isinstance(other, Edge):
                (company.add if other.down else company.discard)(other.sensor)
        if len(company) > 1:
            raise self._state.together(frozenset(company))
        if company:
            self._state = self._state.felt(edge.sensor, self._lit)

    def _typed(self, text: str) -> None:
        if text == "skip":
            self._state = self._state.skipped(self._lit)
        elif text == "back":
            self._state = self._state.back()
        elif text:
            self._lit = self._state.named(text)
            self._say(f"{self._lit} then. Set the magnet down there (again, if it stands there).")

    def _remember(self) -> None:
        self._notes.parent.mkdir(parents=True, exist_ok=True)
        self._notes.write_bytes(msgspec.json.encode(self._state.found))

    def _finish(self, target: Path) -> None:
        for surprise in self._state.surprises():
            self._say(surprise)
        target.parent.mkdir(parents=True, exist_ok=True)
        draft = target.with_name(target.name + ".new")
        draft.write_text(text(self._state.wiring()), "utf-8")
        draft.replace(target)
        self._notes.unlink(missing_ok=True)
        self._say(f"All {len(self._state.found)} spaces are known. Written to {target}.")


def _remembered(notes: Path, bench: Workbench) -> tuple[Found, ...]:
    """What an earlier session found; nothing, if that cannot be read or was about other lamps."""
    try:
        found = msgspec.json.decode(notes.read_bytes(), type=tuple[Found, ...])
    except (OSError, msgspec.DecodeError):
        return ()
    lamps = range(len(bench.wiring.lamps))
    return found if all(one.lamp in lamps and one.space in bench.wiring.lamps for one in found) else ()
