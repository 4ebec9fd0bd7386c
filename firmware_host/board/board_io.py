"""The board's hardware as the table uses it: sensor edges to acts, cues to lamps and sounds.

Only the loop's thread calls this. `drivers.py` opens the drivers.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, time
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.cues import NO_SHOW, Show
from engine.game import Command, Cue
from engine.graph import Map
from engine.text import Text, comma_list
from firmware_host.board.cues.scene import Glow, LampStyle, glows, limited, next_change, paint
from firmware_host.board.drivers import WAND, AbsentBoard, OpenedDrivers, open_drivers
from firmware_host.board.sensor_health import FILE as HEALTH
from firmware_host.board.sensor_health import BoardSnapshot, health_of, lit, read_records, store_records
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Hint, Outcome, Question, state_of
from firmware_host.board.tracking.sensing import Sensing
from firmware_host.core.errors import UserError
from firmware_host.core.settings import Settings, quiet_hours
from hardware.health import CHATTERING
from hardware.ports import (
    DARK,
    BoardEnded,
    Colour,
    DriverStatus,
    Edge,
    Frame,
    HardwareFault,
    Miniatures,
    Note,
    Press,
    Tune,
    UnsettledContact,
)
from hardware.settle import earliest

log = logging.getLogger("firmware_host")

KEPT_EDGES = 500
"""Number of raw edges kept for a report."""
NOTHING_DUE = 3600.0
"""Seconds until the next turn if nothing has to be done."""
SCREEN_SECONDS = 0.08
"""Shortest time between two lamp pictures for screens. 60 a second is too much for a small computer at a TV."""
TIME_OUT_BRIGHTNESS = 0.2
"""Brightness of the lamps in a time-out, as a share."""
SENSORS, LAMPS, BUTTONS, BUZZER = "the sensors", "the lamps", "the buttons", "the buzzer"
"""Names of parts in the list of faults. No driver has one of these names."""


class BoardIO:
    """A board with one sensor and one lamp under each enterable space, in the map's order."""

    def __init__(
        self,
        board: Map,
        fitted: OpenedDrivers,
        settings: Settings,
        report: Callable[[Note], None],
        time_of_day: Callable[[], time] = lambda: datetime.now().time(),
    ) -> None:
        self.spaces = board.enterable
        self.wiring = fitted.wiring
        self.map = board
        self.sensors, self.lamps = fitted.sensors, fitted.lamps
        self.buttons, self.buzzers = fitted.buttons, fitted.buzzers
        self.miniatures = fitted.miniatures
        """The miniatures of a board that can move them by itself; None for other boards."""
        self._driver, self._lamps_driver = settings.board, settings.lamps or settings.board
        self._faults = dict(fitted.faults)
        self._injected = fitted.injected
        self._about, self._end_reports = fitted.about, fitted.end_reports
        self.on_raw_edge: Callable[[Edge], None] = lambda _: None
        """Called with every raw edge, in addition to piece tracking."""
        self._report = report
        self.folder = fitted.folder
        learned = read_records(fitted.folder / HEALTH)
        self._sensing = Sensing(self.wiring.sensors, settings, health_of(board, self.wiring, learned))
        self._kept = self._sensing.health
        self.adjust(settings)
        self._time_of_day = time_of_day
        self._over_lamps = (*self.wiring.lamps, *[None] * (self.lamps.count - len(self.wiring.lamps)))
        self._frame: Frame = (DARK,) * self.lamps.count
        self._on_screens: tuple[Frame, dict[str, str]] = self._frame, lit(self.wiring, self._frame)
        self.screen_seconds = SCREEN_SECONDS
        """Shortest time between two frames of animated lamps for screens."""
        self._next_on_screens = 0.0
        self.next_frame = 0.0
        """When the lamps change next (monotonic seconds)."""
        self._shown: tuple[list[Glow], LampStyle] | None = None
        self._edges: deque[Edge] = deque(maxlen=KEPT_EDGES)

    def adjust(self, settings: Settings) -> None:
        """Apply settings for lamps and sounds."""
        self.look = LampStyle(settings.palette, settings.brightness, settings.current_limit_ma)
        """The style of the lamps outside quiet hours."""
        self._quiet_look = replace(self.look, brightness=settings.quiet_brightness)
        self._quiet_hours = quiet_hours(settings.quiet_from, settings.quiet_to)
        self._sounds = settings.sound

    def open(self) -> None:
        """Start the hardware. A part that cannot start is listed in `faults`."""
        try:
            self.sensors.start(self._report)
        except HardwareFault as fault:
            self._set_fault(self._driver, fault.sentence)
        self._show(self._frame)
        with self._noting_faults(BUTTONS):
            for buttons in self.buttons:
                buttons.start(lambda name, at: self._report(Press(name, at)))

    def close(self) -> None:
        """Stop the hardware and store the sensors' health. May be called twice."""
        self.keep_health()
        self._end_reports()
        self.sensors.stop()
        self.lamps.stop()
        for buttons in self.buttons:
            buttons.stop()
        for buzzer in self.buzzers:
            buzzer.stop()
        self._report(BoardEnded())

    # --- state of the hardware ---------------------------------------------------------------------------------

    @property
    def away(self) -> bool:
        """Whether the sensors are missing or faulty. In both cases, their reports are ignored."""
        return self._driver in self._faults or SENSORS in self._faults

    @property
    def faults(self) -> list[str]:
        """A sentence for each fault of the hardware, with what to do. Public."""
        return [*self._faults.values()]

    @property
    def has_lamps(self) -> bool:
        """Whether there are lamps, working or not."""
        return not isinstance(self.lamps, AbsentBoard)

    @property
    def dark(self) -> bool:
        """Whether there are lamps, but none can be lit."""
        return self.has_lamps and (self._lamps_driver in self._faults or LAMPS in self._faults)

    @property
    def connection_messages(self) -> list[str]:
        """A sentence for each working driver: what it is connected to. Public."""
        words_of = {driver: words() for driver, words in self._about.items() if driver not in self._faults}
        return [
            Text("{driver}: {what}.", driver=driver, what=what)
            if what
            else Text("{driver}: the board hasn't identified itself yet.", driver=driver)
            for driver, what in words_of.items()
        ]

    def chattering_spaces(self, now: float) -> list[str]:
        """Return the spaces whose sensors chatter now. Public."""
        suspects = self._sensing.health.suspects(now)
        return self.wiring.spaces_over(sensor for sensor, state in suspects if state == CHATTERING)

    def keep_health(self) -> None:
        """Store the sensors' health if it has changed.

        If that fails, the health is measured again after the next start.
        """
        if self._sensing.health is self._kept:
            return
        self._kept = self._sensing.health
        try:
            store_records(self.folder / HEALTH, self._kept)
        except OSError as error:
            log.warning("%s: cannot be written (%s)", self.folder / HEALTH, error.strerror)

    def _set_fault(self, part: str, sentence: str | None) -> None:
        if sentence is None:
            self._faults.pop(part, None)
        else:
            self._faults[part] = sentence

    @contextmanager
    def _noting_faults(self, part: str) -> Iterator[None]:
        try:
            yield
            self._set_fault(part, None)
        except HardwareFault as fault:
            self._set_fault(part, fault.sentence)

    def note_overload(self, crowded: bool) -> None:
        """Note whether the sensors report more edges than can be processed."""
        sentence = Text(
            "The board's sensors ({driver}) change faster than people can move miniatures. Check the board's "
            "cable and sensors: the workshop's scan or `sniperboard hw scan` shows which of them change.",
            driver=self._driver,
        )
        self._set_fault(SENSORS, sentence if crowded else None)
        log.warning("%s: %s", self._driver, sentence if crowded else "working again")

    # --- from sensors to acts -----------------------------------------------------------------------------------

    def feed(self, note: Note) -> None:
        """Process a report of a driver."""
        if isinstance(note, DriverStatus):
            self._set_fault(note.driver, note.sentence)
            log.warning("%s: %s", note.driver, note.sentence or "working again")
        elif isinstance(note, UnsettledContact):
            self._sensing.note_unsettled(note)
        elif isinstance(note, Edge):
            self._edges.append(note)
            for edge in [note] if self._injected is None else self._injected.apply_edge(note):
                self._take(edge)

    def think(self, facts: Facts | None, now: float) -> Command | None:
        """Return the act that was made on the board by `now`, if any. Without facts, nothing is tracked."""
        for edge in [] if self._injected is None else self._injected.take_due(now):
            self._take(edge)
        return self._sensing.think(facts, now)

    def _take(self, edge: Edge) -> None:
        self._sensing.feed(edge)
        self.on_raw_edge(edge)

    def pick(self, facts: Facts | None, space: str, now: float) -> Command | None:
        """Return the act that a tap on a space chooses as the answer to the board's question."""
        return self._sensing.pick(facts, space, now)

    @property
    def hint(self) -> Hint | None:
        """The current hint for people at the board."""
        return None if self.away else self.outcome.hint

    @property
    def taps(self) -> tuple[str, ...]:
        """The spaces that answer the board's question, in the order of their lights."""
        return tuple(choice.tap for choice in self.hint.between) if isinstance(self.hint, Question) else ()

    @property
    def outcome(self) -> Outcome:
        """The last outcome of piece tracking."""
        return self._sensing.outcome

    def due(self, now: float) -> float:
        """Return the latest time for processing sensors (monotonic seconds); `next_frame` is the time for the lamps."""
        lie = None if self._injected is None else self._injected.due()
        due = earliest(self._sensing.due(), lie)
        return now + NOTHING_DUE if due is None else min(due, now + NOTHING_DUE)

    # --- lamps --------------------------------------------------------------------------------------------------

    def light(
        self,
        cues: Sequence[Cue],
        standing: Mapping[str, str | None],
        now: float,
        *,
        dimmed: bool = False,
        show: Show = NO_SHOW,
    ) -> None:
        """Show cues, the hint and lifted miniatures. `dimmed` is for a time-out, `show` is the game's style.

        The lamps receive a frame only if it differs from the last one.
        """
        # If the miniatures in the air are not certain, show one of the possibilities.
        homes = tuple(home for names in self.outcome.held[:1] for name in names if (home := standing.get(name)))
        lights = glows(cues, self.outcome.hint, homes, self.outcome.reach)
        look = replace(self._quiet_look if self.quiet else self.look, show=show)
        if dimmed:
            look = replace(look, brightness=look.brightness * TIME_OUT_BRIGHTNESS)
        news = (lights, look) != self._shown
        if not news and now < self.next_frame:
            return
        self._shown = lights, look
        self._paint(lights, look, now, news)

    def animate(self, now: float) -> bool:
        """Show the next frame of the lamps. Return whether screens get new colours."""
        before = self.on_screens
        if self._shown is not None and now >= self.next_frame:
            self._paint(*self._shown, now, news=False)
        return self.on_screens is not before

    def _paint(self, lights: Sequence[Glow], look: LampStyle, now: float, news: bool) -> None:
        frame = paint(lights, self._over_lamps, now, look)
        if frame != self._frame:
            self._frame = frame
            self._show(frame)
        change = next_change(lights, now, look.show)
        self.next_frame = now + NOTHING_DUE if change is None else max(change, now)
        if frame == self._on_screens[0]:
            return
        # Screens get changes at once, but animations only as fast as they can draw.
        if news or now >= self._next_on_screens:
            self._on_screens, self._next_on_screens = (frame, lit(self.wiring, frame)), now + self.screen_seconds
        else:
            self.next_frame = min(self.next_frame, self._next_on_screens)

    @property
    def next_on_screens(self) -> float:
        """The time at which screens get the next animated lamps (monotonic seconds)."""
        return max(self.next_frame, self._next_on_screens)

    def light_numbers(self, colours: Mapping[int, Colour]) -> None:
        """Light only these lamps, by number, at full brightness. The current limit applies."""
        self._shown, self.next_frame = None, float("inf")
        frame = limited(tuple(colours.get(number, DARK) for number in range(self.lamps.count)), self.look.limit_ma)
        if frame != self._frame:
            self._frame = frame
            self._show(frame)
            self._on_screens = frame, lit(self.wiring, frame)

    @property
    def quiet(self) -> bool:
        """Whether these are quiet hours: lamps are dimmed and there is no sound."""
        return self._quiet_hours.at(self._time_of_day())

    def _show(self, frame: Frame) -> None:
        with self._noting_faults(LAMPS):
            self.lamps.show(frame)

    # --- buzzer -------------------------------------------------------------------------------------------------

    def sound(self, tune: Tune) -> None:
        """Play a tune, unless sounds are off or these are quiet hours."""
        if not self.quiet and self._sounds:
            with self._noting_faults(BUZZER):
                for buzzer in self.buzzers:
                    buzzer.play(tune)

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """Return the board's state, sentence, hint and faults. Public."""
        hint = self.outcome.hint
        state, sentence = state_of(self._sensing.thinking, self.outcome)
        if self.away:
            state, sentence = "away", self._faults.get(self._driver) or self._faults[SENSORS]
        return {
            "state": state,
            "sentence": sentence,
            "hint": None if hint is None else msgspec.to_builtins(hint, builtin_types=(Text,)),
            "held": [name for names in self.outcome.held[:1] for name in names],
            "ills": self.faults,
        }

    def picture(self) -> dict[str, Any]:
        """Return the lamps' colours for screens and, for a board that moves miniatures, where they are."""
        places = {} if self.miniatures is None else self.miniatures.places
        miniatures = [{"id": name, "space": self.wiring.space_over(sensor)} for name, sensor in places.items()]
        return {"miniatures": miniatures, "lamps": self.on_screens}

    @property
    def on_screens(self) -> dict[str, str]:
        """Space -> colour of its lamp, for screens."""
        return self._on_screens[1]

    def snapshot(self, manual: frozenset[str], sensors_used: bool) -> BoardSnapshot:
        """Return the board's public state. Sensors of `manual` spaces are not used; others are if `sensors_used`."""
        return BoardSnapshot(
            map=self.map,
            wiring=self.wiring,
            health=self._sensing.health,
            manual=manual,
            sensors_used=sensors_used,
            sensors=self._driver,
            lamps=self._lamps_driver,
            down=tuple(self._sensing.occupied),
            frame=self._frame,
            quiet=self.quiet,
            faults=tuple(self.faults),
            state="away" if self.away else state_of(self._sensing.thinking, self.outcome)[0],
            edges=tuple(self._edges),
        )

    # --- miniatures that the board moves by itself --------------------------------------------------------------

    def set_miniatures(self, miniatures: Iterable[str]) -> None:
        """Set the miniatures on a board that moves them; such a board also has a wand."""
        if self.miniatures is not None:
            self.miniatures.set_miniatures((*miniatures, WAND))

    def touch(self, miniature: str, space: str | None) -> None:
        """Put a miniature on a space, or take it off the board. Raises `UserError`."""
        board = self._require_miniatures()
        if miniature not in board.places:
            unknown = Text("There is no miniature {miniature}; known are {known}.")
            names = unknown.with_(miniature=repr(miniature), known=comma_list(board.places))
            raise UserError("not-understood", names)
        self._arrange({miniature: space})

    def has_miniature(self, miniature: str, space: str | None) -> bool:
        """Return whether a miniature of the simulated board is on a space (None: off the board); always for a real
        board.
        """
        sensor = None if space is None or space not in self.wiring.sensors else self.wiring.sensor_of(space)
        return self.miniatures is None or self.miniatures.places.get(miniature) == sensor

    def tidy(self, standing: Mapping[str, str | None]) -> None:
        """Put every miniature where it belongs, or off the board if its space has no sensor.

        If this raises `UserError`, no miniature has moved.
        """
        targets = {name: standing.get(name) for name in self._require_miniatures().places}
        self._arrange({name: space if space in self.wiring.sensors else None for name, space in targets.items()})

    def _arrange(self, spaces: Mapping[str, str | None]) -> None:
        for space in spaces.values():
            if space is not None and space not in self.wiring.sensors:
                raise UserError("not-understood", Text("There is no sensor under {space}.", space=repr(space)))
        sensors = {name: None if space is None else self.wiring.sensor_of(space) for name, space in spaces.items()}
        try:
            self._require_miniatures().arrange(sensors)
        except HardwareFault as fault:
            raise UserError("no-board", fault.sentence) from fault

    def _require_miniatures(self) -> Miniatures:
        if self.miniatures is None:
            raise UserError("no-board", Text("This table has a real board; move the miniatures by hand."))
        return self.miniatures


def open_board(
    settings: Settings,
    board: Map,
    state: Path,
    clock: Callable[[], float],
    report: Callable[[Note], None],
    *,
    spares: bool = False,
) -> BoardIO:
    """Open the board that the settings name, for a map.

    With `spares`, inputs that are under no space are reported, too.

    Hardware that cannot be opened is listed in `faults`; for network devices, only after an attempt to reach them.
    """
    fitted = open_drivers(settings, board, state, clock, report, spares=spares, wait=False)
    return BoardIO(board, fitted, settings, report)
