"""The workshop: people who build or repair the board work on it from a phone, through the running table.

One device has it at a time, and has to call `state_for` to keep it. While it is open, no one can act, and the lamps
belong to the workshop. When the device leaves, or stays away for `AWAY_AFTER`, the board is returned; its calibration
so far is saved beside the board's wiring, like that of `sniperboard hw calibrate`. Only the loop's thread comes here,
except for `state_for`.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from engine.text import Text
from firmware_host.board.cues.scene import limited
from firmware_host.board.side import BoardSide
from firmware_host.board.wiring import FILE, WiringError
from firmware_host.core.errors import UserError
from firmware_host.core.person_names import person_name
from firmware_host.core.settings import Settings
from firmware_host.table.session import TableSession
from firmware_host.workshop.calibration import NOTES, Calibrating
from firmware_host.workshop.job import BAD, GOOD, MAX_MESSAGES, PLAIN, WHITE, Job, JobRunner, Message
from firmware_host.workshop.scan_and_lights import Lighting, Scanning
from firmware_host.workshop.testing import Testing
from hardware.ports import Edge, Tune

log = logging.getLogger("firmware_host")

AWAY_AFTER = 120.0
"""Seconds without `state_for` after which a device loses the workshop."""
JOBS = ("scan", "lights", "calibrate", "selftest")
TUNES: Mapping[str, Tune] = {
    PLAIN: Tune("tick", ((880, 30),)),
    GOOD: Tune("done", ((660, 60), (990, 110))),
    BAD: Tune("not", ((330, 90), (0, 40), (247, 180))),
}
CLOSED = Text("The workshop is closed. Open it first.")


class WorkshopLook(Struct, frozen=True):
    """The data of the workshop for other threads.

    The object is replaced, never changed. `holder` is "" while it is closed.
    """

    holder: str
    facts: dict[str, Any]


class Workshop:
    """The workshop of a table. `who` identifies a device, as long as it has its key."""

    def __init__(
        self, board: BoardSide, session: TableSession, settings: Callable[[], Settings], clock: Callable[[], float]
    ) -> None:
        self._board, self._session, self._settings, self._clock = board, session, settings, clock
        self._holder = ""
        self._seen = 0.0
        self._runner = JobRunner(clock, settings())
        self._news: deque[dict[str, Any]] = deque(maxlen=MAX_MESSAGES)
        self._told = 0
        self._steps = 0
        self.shown = self._shown()

    @property
    def open(self) -> bool:
        """Whether a device has the workshop."""
        return bool(self._holder)

    @property
    def _device(self) -> str:
        return str(self._session.interruption.workshop)

    # --- any thread -------------------------------------------------------------------------------------------------

    def state_for(self, who: str) -> dict[str, Any]:
        """Return what `who` sees of the workshop; this also keeps it open for the device that has it. For any
        thread.
        """
        state = self.shown
        mine = bool(who) and state.holder == who
        if mine:
            # One assignment is atomic, so this thread needs no lock.
            self._seen = self._clock()
        return {**state.facts, "mine": mine}

    # --- entering and leaving -----------------------------------------------------------------------------------------

    def enter(self, who: str, device: str, *, sure: bool, instead: bool) -> None:
        """Open the workshop. This pauses a running game, so the device has to be `sure`; `instead` takes the workshop
        from another device. Raises `UserError`.
        """
        name = person_name(device)
        if self.open and self._holder != who and not instead:
            raise UserError("not-now", Text("{device} has the workshop. You can take it over.", device=self._device))
        if self._session.running and not self.open and not sure:
            raise UserError("not-now", Text("A game is running. The workshop pauses it."))
        closed = not self.open
        self._holder, self._seen = who, self._clock()
        self._session.interruption.workshop = name
        # Taking over from another device must not restart the hardware in the middle of a job.
        if closed:
            self._board.stop_asking()
            self._session.interruption.end_replay()
            self._renew(workshop=True)
            log.info("The workshop was opened on %s.", name)

    def leave(self, who: str) -> None:
        """Close the workshop. Raises `UserError` for a device that does not have it."""
        self._check(who)
        self._close()

    def _close(self) -> None:
        # Remove the holder first: edges from the closing hardware must not reach the job any more.
        self._holder, self._runner.job = "", None
        self._session.interruption.workshop = None
        self._news.clear()
        self._renew(workshop=False)
        log.info("The workshop was closed.")

    def _renew(self, *, workshop: bool) -> None:
        """Restart the board's hardware with the current wiring."""
        before, self._runner = self._runner, JobRunner(self._clock, self._settings())
        self._runner.job = before.job
        self._board.reopen(self._felt if workshop else None)

    # --- the work ---------------------------------------------------------------------------------------------------

    def start_job(self, who: str, name: str) -> None:
        """Start a job, or end the current one (empty name). Raises `UserError`."""
        self._check(who)
        if name and name not in JOBS:
            raise UserError("not-understood", Text("The workshop doesn't have that job."))
        if name in ("scan", "calibrate", "selftest") and not self._board.map.has_sensors:
            raise UserError("not-now", Text("This board has no sensors."))
        if name == "lights" and not self._board.io.has_lamps:
            raise UserError("not-now", Text("This board has no lamps."))
        self._news.clear()
        before, job = self._runner.job, self._made(name) if name else None
        # Count steps over all jobs, so that an answer to an earlier job is recognised as outdated.
        self._steps += 1 + (0 if before is None else before.step)
        self._runner.job = job
        if job is not None and job.ended:
            self._finish(job)

    def _made(self, name: str) -> Job:
        io, down = self._board.io, self._runner.settle.down
        if name == "scan":
            return Scanning(io.wiring, down)
        if name == "lights":
            return Lighting(io.wiring)
        if name == "selftest":
            spaces = [space for space in io.wiring.lamps if space is not None]
            return Testing(io.wiring, spaces, down, self._runner.now)
        return Calibrating(io.wiring, io.folder / NOTES, io.has_lamps and not io.dark)

    def answer_step(self, who: str, word: str, space: str | None, step: int) -> None:
        """Answer a step of the job with a word or a space. Raises `UserError`."""
        self._check(who)
        job = self._runner.job
        if job is None:
            raise UserError("not-now", Text("No workshop job is running. Choose one."))
        if step != self._steps + job.step:
            raise UserError("stale", Text("The board is already at another step. Look again."))
        # Exactly one of the two is given.
        if bool(word) == (space is not None) or (word and word not in job.words):
            raise UserError("not-understood", Text("That doesn't answer the workshop's question."))
        if space is not None and space not in job.spaces:
            raise UserError("not-now", Text("You can't choose that space now."))
        self._do(lambda: job.on_answer(word, space, self._runner.now))

    def _do(self, act: Callable[[], None]) -> None:
        """Run a step of the job, and handle its results."""
        job = self._runner.job
        before = job is None or job.ended
        try:
            act()
        except OSError as error:
            self._tell(_not_saved(error))
        while job is not None and job.messages:
            self._tell(job.messages.popleft())
        if job is not None and job.ended and not before:
            self._finish(job)

    def _finish(self, job: Job) -> None:
        """Finish a job; a new wiring is used at once."""
        if not isinstance(job, Calibrating):
            self._tell(Message(job.asks, GOOD))
            return
        io = self._board.io
        try:
            job.save(io.folder / FILE, self._board.map)
        except OSError as error:
            self._tell(_not_saved(error))
            return
        except WiringError as error:
            self._tell(Message(Text("The wiring can't be used. {why}", why=str(error)), BAD))
            return
        # List differences from the expected wiring, which may be wiring mistakes.
        for difference in job.differences():
            self._tell(Message(difference))
        self._renew(workshop=True)
        self._tell(Message(Text("The board is calibrated. The table uses the new wiring from now on."), GOOD))

    def _tell(self, message: Message) -> None:
        self._told += 1
        self._news.append({"n": self._told, "sentence": message.sentence, "tone": message.tone})
        self._board.io.sound(TUNES[message.tone])

    def _check(self, who: str) -> None:
        if not self.open:
            raise UserError("not-now", CLOSED)
        if self._holder != who:
            raise UserError("not-now", Text("{device} has the workshop now.", device=self._device))

    # --- over time ---------------------------------------------------------------------------------------------

    def _felt(self, edge: Edge) -> None:
        """Take a raw edge."""
        if self.open:
            self._do(lambda: self._runner.feed(edge))

    def tick(self, now: float) -> None:
        """Do what is due; return the board if its device is away."""
        if not self.open:
            return
        if now >= self._seen + AWAY_AFTER:
            log.info("The workshop closes because its device is away.")
            self._close()
            return
        self._runner.note_fault(self._board.io.away or self._board.io.dark)
        self._do(self._runner.tick)

    def due(self) -> float | None:
        """Return the latest time for the next `tick`; None for never."""
        due = self._runner.due()
        away = self._seen + AWAY_AFTER
        return None if not self.open else away if due is None else min(due, away)

    def light(self) -> None:
        """Show the lamps of the job."""
        job = self._runner.job
        self._board.io.light_numbers({} if job is None else job.lamps(self._runner.now))

    # --- what screens see -----------------------------------------------------------------------------------------

    def publish(self) -> None:
        """Publish the current state for `look`."""
        self.shown = self._shown()

    def _shown(self) -> WorkshopLook:
        io = self._board.io
        facts: dict[str, Any] = {
            "device": self._session.interruption.workshop,
            "playing": self._session.running,
            "map": self._board.map.slug,
            "has_sensors": self._board.map.has_sensors,
            "has_lamps": io.has_lamps,
            "connected": io.connection_messages,
            "ills": io.faults,
        }
        return WorkshopLook(self._holder, facts | (self._shown_open() if self.open else {}))

    def _shown_open(self) -> dict[str, Any]:
        io, job, down = self._board.io, self._runner.job, self._runner.settle.down
        return {
            "down": sorted(space for sensor in down if (space := io.wiring.space_over(sensor)) is not None),
            "restless": io.chattering_spaces(self._clock()),
            "strays": sorted(sensor for sensor in down if io.wiring.space_over(sensor) is None),
            "lit": io.on_screens,
            "standing_still": self._runner.standing_still,
            "share": self._share(),
            "limit_ma": io.look.limit_ma,
            "job": None if job is None else {**_facts(job), "step": self._steps + job.step},
            "news": list(self._news),
        }

    def _share(self) -> int:
        """Return the maximum brightness of all lamps at once in white, in percent."""
        io = self._board.io
        if not io.lamps.count:
            return 100
        frame = limited((WHITE,) * io.lamps.count, io.look.limit_ma)
        return round(100 * frame[0][0] / WHITE[0])


def _facts(job: Job) -> dict[str, Any]:
    """Return the facts about a job for the page."""
    return {
        "name": job.name,
        "asks": job.asks,
        "space": job.space,
        "spaces": list(job.spaces),
        "words": list(job.words),
        "progress": None if job.progress is None else list(job.progress),
        "ended": job.ended,
        **job.page_facts(),
    }


def _not_saved(error: OSError) -> Message:
    says = Text(
        "The result can't be saved ({why}). It is not lost while this page is open. Free space on the disk, or make "
        "the state folder writable, then continue."
    )
    return Message(says.with_(why=str(error.strerror)), BAD)
