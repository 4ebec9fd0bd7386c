"""`sniperboard hw calibrate`: the terminal around `firmware_host/workshop/calibrating.py`. It can be left and taken up
again, here or on the table's own page.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from firmware_host.workshop.calibrating import Calibrating as CalibratingJob
from firmware_host.workshop.calibration import Calibration, CalibrationError
from firmware_host.workshop.notes import forget, remember, remembered, write_wiring
from firmware_host.workshop.workbench import Typed, Workbench
from hardware.ports import Edge

PATIENCE = 60.0
"""Seconds until the question is asked again."""
HELP = "Type the name of the space that is lit if it is another, `skip` if no sensor answers, `back`, or `quit`."

Say = Callable[[str], None]


class Calibrating:
    """One session. `notes` keeps what was found, so that the next session goes on from there."""

    def __init__(self, bench: Workbench, notes: Path, say: Say) -> None:
        self._bench = bench
        self._notes = notes
        self._say = say
        state = Calibration(bench.wiring, remembered(notes, bench.wiring))
        self._job = CalibratingJob(state, True, lambda found: remember(notes, found))

    def run(self, target: Path) -> bool:
        """Lead through all lamps and write the wiring to `target`; False if it was left before the end."""
        job = self._job
        if job.state.found:
            self._say(f"Going on: {len(job.state.found)} spaces are known already.")
        self._say(f"Set one magnet down in the middle of the lit space. {HELP}")
        asked = -1
        while not job.ended:
            if job.step != asked:
                asked = job.step
                known, whole = job.progress
                self._say(f"({known + 1}/{whole}) {job.asks}")
            if not self._steps():
                self._bench.dark()
                self._say("Left for now. The next `hw calibrate` goes on from here.")
                return False
        self._bench.dark()
        self._finish(target)
        return True

    def _steps(self) -> bool:
        """Wait for the next thing that happens; False to leave."""
        job, now = self._job, self._bench.now
        self._bench.light(job.lamps(now))
        due = job.due(now)
        heard = self._bench.next(now + PATIENCE if due is None else due)
        if isinstance(heard, Typed):
            if heard.text == "quit":
                return False
            self._typed(heard.text)
        elif isinstance(heard, Edge):
            job.felt(heard, self._bench.down, self._bench.now)
        elif due is None:
            self._say(HELP)
        job.elapsed(self._bench.now)
        while job.news:
            self._say(job.news.popleft().sentence)
        return True

    def _typed(self, text: str) -> None:
        known = text in ("skip", "back")
        try:
            self._job.told(text if known else "", None if known or not text else text, self._bench.now)
        except CalibrationError as error:
            self._say(error.sentence)

    def _finish(self, target: Path) -> None:
        for surprise in self._job.state.surprises():
            self._say(surprise)
        write_wiring(target, self._job.state.wiring(), self._bench.board)
        forget(self._notes)
        self._say(f"All {len(self._job.state.found)} spaces are known. Written to {target}.")
