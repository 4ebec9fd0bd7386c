"""The workshop: whoever builds or mends the board works on it from a phone, through the running table.

One device has it at a time, and shows by looking that it is still there. While it is open nobody can act, the hands do
nothing, and the lamps are the workshop's. When it is left, or its device is away for `AWAY`, the board is given back;
what was calibrated until then is kept beside the board's wiring, where `sniperboard hw calibrate` keeps it too. Only
the loop's thread comes here, but for `look`.
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
from firmware_host.core.settings import Settings
from firmware_host.seats.claims import named
from firmware_host.table.session import TableSession
from firmware_host.workshop.calibration import Calibrating, CalibrationError
from firmware_host.workshop.job import BAD, GOOD, MAX_MESSAGES, PLAIN, WHITE, Job, Message
from firmware_host.workshop.looking import Lighting, Scanning
from firmware_host.workshop.notes import NOTES, forget, remember, remembered, write_wiring
from firmware_host.workshop.testing import Testing
from hardware.ports import Edge, Tune
from hardware.settle import Settle

log = logging.getLogger("firmware_host")

AWAY = 120.0
"""Seconds after which a device that does not look has lost the workshop."""
JOBS = ("scan", "lights", "calibrate", "selftest")
TUNES: Mapping[str, Tune] = {
    PLAIN: Tune("tick", ((880, 30),)),
    GOOD: Tune("done", ((660, 60), (990, 110))),
    BAD: Tune("not", ((330, 90), (0, 40), (247, 180))),
}
CLOSED = Text("The workshop is closed. Open it first.")


class News(Struct, frozen=True):
    """Something that was told, and its number."""

    n: int
    sentence: str
    tone: str


class WorkshopLook(Struct, frozen=True):
    """What anybody may see of the workshop: replaced, never changed. `holder` is who has it, "" while it is closed."""

    holder: str
    facts: dict[str, Any]


class Workshop:
    """The workshop of a table. Who asks is known by a `who`, which is the same as long as a device has its key."""

    def __init__(
        self, board: BoardSide, session: TableSession, settings: Callable[[], Settings], clock: Callable[[], float]
    ) -> None:
        self._board, self._session, self._settings, self._clock = board, session, settings, clock
        self._holder = ""
        self._seen = 0.0
        self._job: Job | None = None
        self._settle = Settle()
        self._lost = 0.0
        self._ill_since: float | None = None
        self._news: deque[News] = deque(maxlen=MAX_MESSAGES)
        self._told = 0
        self._steps = 0
        self.shown = self._shown()

    @property
    def open(self) -> bool:
        """Whether somebody works here."""
        return bool(self._holder)

    @property
    def _device(self) -> str:
        return str(self._session.interruption.workshop)

    # --- any thread -------------------------------------------------------------------------------------------------

    def look(self, who: str) -> dict[str, Any]:
        """What `who` sees of it; whoever has it shows by this that they are still there. Works from any thread."""
        shown = self.shown
        mine = bool(who) and shown.holder == who
        if mine:
            self._seen = self._clock()
        return {**shown.facts, "mine": mine}

    # --- coming and going -------------------------------------------------------------------------------------------

    def enter(self, who: str, device: str, *, sure: bool, instead: bool) -> None:
        """Open it. A running game waits then, which the asker has to be `sure` of; `instead` of the device that has it,
        if one does. Raises `UserError`.
        """
        name = named(device)
        if self.open and self._holder != who and not instead:
            raise UserError("not-now", Text("{device} has the workshop. It can be taken over.", device=self._device))
        if self._session.running and not self.open and not sure:
            raise UserError("not-now", Text("A game is running. It waits while the workshop is open."))
        closed = not self.open
        self._holder, self._seen = who, self._clock()
        self._session.interruption.workshop = name
        if closed:
            self._board.stop_asking()
            self._session.interruption.end_replay()
            self._renew(bench=True)
            log.info("The workshop was opened on %s.", name)

    def leave(self, who: str) -> None:
        """Close it. Raises `UserError` for whoever does not have it."""
        self._check(who)
        self._close()

    def _close(self) -> None:
        self._holder, self._job = "", None
        self._session.interruption.workshop = None
        self._news.clear()
        self._renew(bench=False)
        log.info("The workshop was closed.")

    def _renew(self, *, bench: bool) -> None:
        """The board's hardware anew, as its wiring is now; a wiring that cannot be used leaves the old one."""
        settings, before = self._settings(), self._settle
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        try:
            self._board.renew(self._felt if bench else None)
        except UserError as error:
            self._settle = before
            self._board.io.felt = self._felt
            self._tell(Message(error.sentence, BAD))
        self._lost, self._ill_since = 0.0, None

    # --- the work ---------------------------------------------------------------------------------------------------

    def turn_to(self, who: str, name: str) -> None:
        """Begin a job, or (with an empty name) none. Raises `UserError`."""
        self._check(who)
        if name and name not in JOBS:
            raise UserError("not-understood", Text("There is no such job in the workshop."))
        if name in ("scan", "calibrate", "selftest") and not self._board.map.has_sensors:
            raise UserError("not-now", Text("This board has no sensors."))
        if name == "lights" and not self._board.io.has_lamps:
            raise UserError("not-now", Text("This board has no lamps."))
        self._news.clear()
        self._begin(self._made(name) if name else None)
        if self._job is not None and self._job.ended:
            self._finish(self._job)

    def _begin(self, job: Job | None) -> None:
        self._steps += 1 + (0 if self._job is None else self._job.step)
        self._job = job

    def _made(self, name: str) -> Job:
        io, down = self._board.io, self._settle.down
        if name == "scan":
            return Scanning(io.wiring, down)
        if name == "lights":
            return Lighting(io.wiring)
        if name == "selftest":
            return Testing(io.wiring, [space for space in io.wiring.lamps if space is not None], down, self._now)
        notes = io.folder / NOTES
        found = remembered(notes, io.wiring)
        return Calibrating(io.wiring, found, io.has_lamps and not io.dark, lambda found: remember(notes, found))

    def tell(self, who: str, word: str, space: str | None, step: int) -> None:
        """Say a word of the job to it, or name a space; `step` is the one that was asked. Raises `UserError`."""
        self._check(who)
        job = self._job
        if job is None:
            raise UserError("not-now", Text("No job of the workshop is going on. Choose one."))
        if step != self._steps + job.step:
            raise UserError("stale", Text("The board has gone on meanwhile. Look again."))
        if bool(word) == (space is not None) or (word and word not in job.words):
            raise UserError("not-understood", Text("That is no answer to what the workshop asks."))
        if space is not None and space not in job.spaces:
            raise UserError("not-now", Text("That space cannot be chosen now."))
        try:
            self._do(job, lambda: job.told(word, space, self._now))
        except CalibrationError as error:
            raise UserError("not-now", error.sentence) from error

    def _do(self, job: Job, act: Callable[[], None]) -> None:
        """A step of the job, and all that follows from it."""
        before = job.ended
        try:
            act()
        except OSError as error:
            self._tell(_unkept(error))
        while job.messages:
            self._tell(job.messages.popleft())
        if job.ended and not before:
            self._finish(job)

    def _finish(self, job: Job) -> None:
        """A job has come to its end; a wiring that was found is used at once."""
        if not isinstance(job, Calibrating):
            self._tell(Message(job.asks, GOOD))
            return
        io = self._board.io
        try:
            write_wiring(io.folder / FILE, job.wiring(), self._board.map)
            forget(io.folder / NOTES)
        except OSError as error:
            self._tell(_unkept(error))
            return
        except WiringError as error:
            self._tell(Message(Text("The wiring cannot be used. {why}", why=str(error)), BAD))
            return
        for surprise in job.surprises():
            self._tell(Message(surprise))
        self._renew(bench=True)
        self._tell(Message(Text("The whole board is known, and the table uses what was found from now on."), GOOD))

    def _tell(self, said: Message) -> None:
        self._told += 1
        self._news.append(News(self._told, said.sentence, said.tone))
        self._board.io.sound(TUNES[said.tone])

    def _check(self, who: str) -> None:
        if not self.open:
            raise UserError("not-now", CLOSED)
        if self._holder != who:
            raise UserError("not-now", Text("{device} has the workshop now.", device=self._device))

    # --- as time passes ---------------------------------------------------------------------------------------------

    @property
    def _ill(self) -> bool:
        """Whether the hardware is so ill that no job can go on."""
        io = self._board.io
        return io.away or io.dark

    @property
    def _now(self) -> float:
        """Seconds of the job: they stand still while the hardware is ill."""
        return (self._clock() if self._ill_since is None else self._ill_since) - self._lost

    def _felt(self, edge: Edge) -> None:
        """A raw edge."""
        if not self.open:
            return
        self._settle, settled = self._settle.feel(edge)
        self._take(settled)

    def _take(self, settled: list[Edge]) -> None:
        job = self._job
        for edge in settled if job is not None else ():
            assert job is not None
            self._do(job, lambda edge=edge: job.felt(edge, self._settle.down, self._now))  # type: ignore[misc]

    def tick(self, now: float) -> None:
        """Do what has fallen due; give the board back where its device is away."""
        if not self.open:
            return
        if now >= self._seen + AWAY:
            log.info("The device that had the workshop is away.")
            self._close()
            return
        if self._ill and self._ill_since is None:
            self._ill_since = now
        elif not self._ill and self._ill_since is not None:
            self._lost, self._ill_since = self._lost + now - self._ill_since, None
        self._settle, settled = self._settle.due(now)
        self._take(settled)
        job = self._job
        if job is not None and self._ill_since is None:
            self._do(job, lambda: job.elapsed(self._now))

    def due(self, now: float) -> float | None:
        """When `tick` is wanted at the latest; None for never."""
        if not self.open:
            return None
        dues = [self._settle.next_due(), self._seen + AWAY]
        if self._job is not None and self._ill_since is None:
            step = self._job.due(self._now)
            dues.append(None if step is None else step + self._lost)
        return min(due for due in dues if due is not None)

    def light(self) -> None:
        """Light what the job wants."""
        self._board.io.work({} if self._job is None else self._job.lamps(self._now))

    # --- what is seen of it -----------------------------------------------------------------------------------------

    def lay_out(self) -> None:
        """Lay out anew what anybody may see."""
        self.shown = self._shown()

    def _shown(self) -> WorkshopLook:
        io = self._board.io
        facts: dict[str, Any] = {
            "device": self._session.interruption.workshop,
            "playing": self._session.running,
            "map": self._board.map.slug,
            "has_sensors": self._board.map.has_sensors,
            "has_lamps": io.has_lamps,
            "connected": io.connected,
            "ills": io.faults,
        }
        return WorkshopLook(self._holder, facts | (self._shown_open() if self.open else {}))

    def _shown_open(self) -> dict[str, Any]:
        io, job, down = self._board.io, self._job, self._settle.down
        spaces = dict(enumerate(io.wiring.sensors))
        return {
            "down": sorted(space for sensor in down if (space := spaces.get(sensor)) is not None),
            "restless": io.restless(self._clock()),
            "strays": sorted(sensor for sensor in down if spaces.get(sensor) is None),
            "lit": io.on_screens,
            "standing_still": self._ill_since is not None,
            "share": self._share(),
            "limit_ma": io.look.limit_ma,
            "job": None if job is None else {**_facts(job), "step": self._steps + job.step},
            "news": [{"n": it.n, "sentence": it.sentence, "tone": it.tone} for it in self._news],
        }

    def _share(self) -> int:
        """How bright all lamps may be at once in white, in percent."""
        io = self._board.io
        if not io.lamps.count:
            return 100
        frame = limited((WHITE,) * io.lamps.count, io.look.limit_ma)
        return round(100 * frame[0][0] / WHITE[0])


def _facts(job: Job) -> dict[str, Any]:
    """What a page shows of a job."""
    return {
        "name": job.name,
        "asks": job.asks,
        "space": job.space,
        "spaces": list(job.spaces),
        "words": list(job.words),
        "progress": None if job.progress is None else list(job.progress),
        "ended": job.ended,
        **job.shown(),
    }


def _unkept(error: OSError) -> Message:
    return Message(
        Text(
            "What was found cannot be kept ({why}). It is not lost while this page is open: make room on the disk, or "
            "the state folder writable, and go on.",
            why=str(error.strerror),
        ),
        BAD,
    )
