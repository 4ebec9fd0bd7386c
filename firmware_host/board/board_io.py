"""The board under the miniatures, as the table meets it: sensors through settling to hands, cues through the scene to
lamps. Only the loop's thread comes here; which drivers are below is decided in `drivers.py`.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, time
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from engine.cues import NO_SHOW, Show
from engine.game import Command, Cue
from engine.graph import Map
from engine.text import Text, row
from firmware_host.board.cues.scene import LampStyle, limited, next_change, paint
from firmware_host.board.drivers import WAND, OpenedDrivers, open_drivers
from firmware_host.board.sensor_health import FILE as HEALTH
from firmware_host.board.sensor_health import fresh, remember, remembered
from firmware_host.board.snapshot import BoardSnapshot, lit
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Hint, Question
from firmware_host.board.tracking.sensing import sensing
from firmware_host.board.tracking.terms import Outcome
from firmware_host.board.words import connections, state_of, translatable
from firmware_host.core.errors import UserError
from firmware_host.core.quiet_hours import quiet_hours
from firmware_host.core.settings import Settings
from hardware.absent import AbsentBoard
from hardware.health import CHATTERING
from hardware.ports import (
    DARK,
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

log = logging.getLogger("firmware_host")

EDGES = 500
"""The newest raw edges that a report tells of."""
FAR = 3600.0
"""Seconds; nothing is due."""
SCREEN_SECONDS = 0.08
"""How often at most screens are told how a light moves on: painting a map is work for a browser, 60 times a second more
than a small computer at a TV can do.
"""
DIMMED = 0.2
"""The share of their light that lamps keep in a time-out."""
SENSORS, LAMPS, BUTTONS, BUZZER = "the sensors", "the lamps", "the buttons", "the buzzer"
"""Whose fault it is if a part cannot do its work; no driver is called that."""


class BoardIO:
    """A board with one sensor and one lamp under each space that can be entered, in the map's order."""

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
        self._miniatures = fitted.miniatures
        self._driver, self._lamps_driver = settings.board, settings.lamps or settings.board
        self._faults = {driver: translatable(sentence) for driver, sentence in fitted.faults.items()}
        self._lies = fitted.lies
        self._about = fitted.about
        self.felt: Callable[[Edge], None] = _nobody
        """Hears every raw edge, beside the hands."""
        self._report = report
        self.folder = fitted.folder
        learned = remembered(fitted.folder / HEALTH)
        self._sensing = sensing(self.wiring.sensors, settings, fresh(board, self.wiring, learned))
        self._kept = self._sensing.health
        self.adjust(settings)
        self._time_of_day = time_of_day
        self._over_lamps = (*self.wiring.lamps, *[None] * (self.lamps.count - len(self.wiring.lamps)))
        self._frame: Frame = (DARK,) * self.lamps.count
        self._on_screens: tuple[Frame, dict[str, str]] = self._frame, lit(self.wiring, self._frame)
        self._next_on_screens = 0.0
        self.next_frame = 0.0
        """When the lamps change next (monotonic seconds)."""
        self._shown: tuple[Any, ...] = ()
        self._edges: deque[Edge] = deque(maxlen=EDGES)

    def adjust(self, settings: Settings) -> None:
        """Look and sound like this from now on."""
        self.look = LampStyle(settings.palette, settings.brightness, settings.current_limit_ma)
        """How the lamps look, but for quiet hours."""
        self._quiet_look = replace(self.look, brightness=settings.quiet_brightness)
        self._quiet_hours = quiet_hours(settings.quiet_from, settings.quiet_to)
        self._sounds = settings.sound

    def open(self) -> None:
        """Start the sensors. Hardware that cannot start is faulty from now on."""
        try:
            self.sensors.start(self._report)
        except HardwareFault as fault:
            self._faults[self._driver] = translatable(fault.sentence)
        self._show(self._frame)
        try:
            for buttons in self.buttons:
                buttons.start(lambda name, at: self._report(Press(name, at)))
            self._faults.pop(BUTTONS, None)
        except HardwareFault as fault:
            self._faults[BUTTONS] = translatable(fault.sentence)

    def close(self) -> None:
        """Let go of all hardware and keep what was learned of the sensors; may be called twice."""
        self.keep_health()
        self.sensors.stop()
        self.lamps.stop()
        for buttons in self.buttons:
            buttons.stop()
        for buzzer in self.buzzers:
            buzzer.stop()

    # --- how the hardware is ------------------------------------------------------------------------------------

    @property
    def away(self) -> bool:
        """Whether the sensors are away or faulty; then nothing counts that they reported."""
        return self._driver in self._faults or SENSORS in self._faults

    @property
    def faults(self) -> list[str]:
        """What is wrong with the hardware and what to do, a sentence for each driver; public."""
        return [*self._faults.values()]

    @property
    def has_lamps(self) -> bool:
        """Whether there are lamps, well or not."""
        return not isinstance(self.lamps, AbsentBoard)

    @property
    def dark(self) -> bool:
        """Whether the lamps that there are cannot be lit."""
        return self.has_lamps and (self._lamps_driver in self._faults or LAMPS in self._faults)

    @property
    def connected(self) -> list[str]:
        """What each driver that is well is connected to, a sentence each; public."""
        return connections(self._about, self._faults)

    def restless(self, now: float) -> list[str]:
        """The spaces whose sensors chatter now; public."""
        found = (self._space(sensor) for sensor, state in self._sensing.health.suspects(now) if state == CHATTERING)
        return [space for space in found if space is not None]

    def keep_health(self) -> None:
        """Write down what was learned, if anything was; where that cannot be written, it is learned anew."""
        if self._sensing.health is self._kept:
            return
        self._kept = self._sensing.health
        try:
            remember(self.folder / HEALTH, self._kept)
        except OSError as error:
            log.warning("%s: cannot be written (%s)", self.folder / HEALTH, error.strerror)

    def _hear(self, ailment: DriverStatus) -> None:
        """A driver says how it is."""
        self._faults.pop(ailment.driver, None)
        if ailment.sentence is not None:
            self._faults[ailment.driver] = translatable(ailment.sentence)
        log.warning("%s: %s", ailment.driver, ailment.sentence or "all is well again")

    def crowd(self, crowded: bool) -> None:
        """Whether the sensors say so much that not all of it can be taken in."""
        sentence = Text(
            "The board's sensors ({driver}) change faster than any hands move them. Look after the board's cable and "
            "its sensors: the workshop's scan, or `sniperboard hw scan`, shows which of them it is.",
            driver=self._driver,
        )
        self._faults.pop(SENSORS, None)
        if crowded:
            self._faults[SENSORS] = sentence
        log.warning("%s: %s", self._driver, sentence if crowded else "all is well again")

    # --- from the sensors to an act -----------------------------------------------------------------------------

    def feel(self, note: Note) -> None:
        """What a driver has said: a raw edge is debounced before anything is made of it."""
        if isinstance(note, DriverStatus):
            self._hear(note)
        elif isinstance(note, UnsettledContact):
            self._sensing.note_unsettled(note)
        elif isinstance(note, Edge):
            self._edges.append(note)
            for edge in [note] if self._lies is None else self._lies.felt(note):
                self._take(edge)

    def think(self, facts: Facts | None, now: float) -> Command | None:
        """The act that the hands have made by `now`, if any. Without facts there is nothing to understand."""
        for edge in [] if self._lies is None else self._lies.take(now):
            self._take(edge)
        return self._sensing.think(facts, now)

    def _take(self, edge: Edge) -> None:
        self._sensing.feel(edge)
        self.felt(edge)

    def pick(self, facts: Facts | None, space: str, now: float) -> Command | None:
        """The act that a tap on a space of the board's question answers it with."""
        return self._sensing.pick(facts, space, now)

    @property
    def hint(self) -> Hint | None:
        """What the board says to help the hands."""
        return None if self.away else self.outcome.hint

    @property
    def taps(self) -> tuple[str, ...]:
        """The spaces by which the board's question is answered, in the order of their lights."""
        return tuple(choice.tap for choice in self.hint.between) if isinstance(self.hint, Question) else ()

    @property
    def agreed(self) -> bool:
        """Whether board and game agree."""
        return self.outcome.agreed

    @property
    def outcome(self) -> Outcome:
        """What the hands came to the last time."""
        return self._sensing.outcome

    def due(self, now: float) -> float:
        """When to think or light again at the latest."""
        lie = None if self._lies is None else self._lies.due()
        waits = [self._sensing.due(), self.next_frame, lie]
        return min([now + FAR, *(wait for wait in waits if wait is not None)])

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
        """Show what is to be shown, dimmed in a time-out; only a frame that differs from the last goes to the lamps.

        `show` is how the cues of the game look.
        """
        homes = tuple(home for names in self.outcome.held[:1] for name in names if (home := standing.get(name)))
        shown = (tuple(cues), self.outcome.hint, homes, self.outcome.reach)
        look = replace(self._quiet_look if self.quiet else self.look, show=show)
        if dimmed:
            look = replace(look, brightness=look.brightness * DIMMED)
        news = (*shown, look) != self._shown
        if not news and now < self.next_frame:
            return
        self._shown = (*shown, look)
        self._paint(now, news)

    def glow(self, now: float) -> dict[str, str] | None:
        """Animate what is shown already. Return the colours for screens (space -> colour); None if nothing is due."""
        if not self._shown or now < self.next_frame:
            return None
        self._paint(now, news=False)
        return self.on_screens

    def _paint(self, now: float, news: bool) -> None:
        cues, hint, homes, reach, look = self._shown
        frame = paint(cues, hint, homes, reach, self._over_lamps, now, look)
        if frame != self._frame:
            self._frame = frame
            self._show(frame)
        change = next_change(cues, hint, homes, reach, now, look.show)
        self.next_frame = now + FAR if change is None else max(change, now)
        if frame == self._on_screens[0]:
            return
        if news or now >= self._next_on_screens:
            self._on_screens, self._next_on_screens = (frame, lit(self.wiring, frame)), now + SCREEN_SECONDS
        else:
            self.next_frame = min(self.next_frame, self._next_on_screens)

    def work(self, colours: Mapping[int, Colour]) -> None:
        """Light these lamps, by number, at full brightness and no others; the current limit holds here too."""
        self._shown, self.next_frame = (), float("inf")
        frame = limited(tuple(colours.get(number, DARK) for number in range(self.lamps.count)), self.look.limit_ma)
        if frame != self._frame:
            self._frame = frame
            self._show(frame)
            self._on_screens = frame, lit(self.wiring, frame)

    @property
    def quiet(self) -> bool:
        """Whether these are quiet hours: the lamps are dimmed, and nothing may sound."""
        return self._quiet_hours.at(self._time_of_day())

    def _show(self, frame: Frame) -> None:
        try:
            self.lamps.show(frame)
            self._faults.pop(LAMPS, None)
        except HardwareFault as fault:
            self._faults[LAMPS] = translatable(fault.sentence)

    # --- buzzer -------------------------------------------------------------------------------------------------

    def sound(self, tune: Tune) -> None:
        """Play it, unless sounds are switched off or it is quiet now."""
        if self.quiet or not self._sounds:
            return
        try:
            for buzzer in self.buzzers:
                buzzer.play(tune)
            self._faults.pop(BUZZER, None)
        except HardwareFault as fault:
            self._faults[BUZZER] = translatable(fault.sentence)

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """The board's state in words, with the hint; all of it public."""
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
        """What the lamps show, as often as screens are to be told; and where miniatures stand that it moves itself."""
        places = {} if self._miniatures is None else self._miniatures.places
        miniatures = [{"id": name, "space": self._space(sensor)} for name, sensor in places.items()]
        return {"miniatures": miniatures, "lamps": self.on_screens}

    @property
    def on_screens(self) -> dict[str, str]:
        """What each space's lamp shows, as often as screens are to be told."""
        return self._on_screens[1]

    def snapshot(self, manual: frozenset[str], sensors_used: bool) -> BoardSnapshot:
        """The public picture of it. The sensors of `manual` spaces do not count; the others do if `sensors_used`."""
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

    def _space(self, sensor: int | None) -> str | None:
        return None if sensor is None or sensor >= len(self.wiring.sensors) else self.wiring.sensors[sensor]

    # --- miniatures that the board moves by itself --------------------------------------------------------------

    @property
    def moves_miniatures(self) -> bool:
        """Whether this board can move its miniatures by itself."""
        return self._miniatures is not None

    def hold(self, miniatures: Iterable[str]) -> None:
        """These are the miniatures of the game, beside the wand."""
        if self._miniatures is not None:
            self._miniatures.hold((*miniatures, WAND))

    def touch(self, miniature: str, space: str | None) -> None:
        """Put a miniature on a space, or take it off the board. Raises `UserError`."""
        board = self._movable()
        if miniature not in board.places:
            raise UserError(
                "not-understood",
                Text(
                    "There is no miniature {miniature}; known are {known}.",
                    miniature=repr(miniature),
                    known=row(board.places),
                ),
            )
        self._arrange({miniature: space})

    def tidy(self, standing: Mapping[str, str | None]) -> None:
        """Put every miniature where it belongs; one without a sensor there is taken off. Raises `UserError`, and then
        all stay.
        """
        wanted = {name: standing.get(name) for name in self._movable().places}
        self._arrange({name: space if space in self.wiring.sensors else None for name, space in wanted.items()})

    def _arrange(self, spaces: Mapping[str, str | None]) -> None:
        for space in spaces.values():
            if space is not None and space not in self.wiring.sensors:
                raise UserError("not-understood", Text("There is no sensor under {space}.", space=repr(space)))
        sensors = {name: None if space is None else self.wiring.sensor_of(space) for name, space in spaces.items()}
        try:
            self._movable().arrange(sensors)
        except HardwareFault as fault:
            raise UserError("no-board", translatable(fault.sentence)) from fault

    def _movable(self) -> Miniatures:
        if self._miniatures is None:
            raise UserError("no-board", Text("This table has a real board; move the miniatures by hand."))
        return self._miniatures


def _nobody(_: Edge) -> None:
    """Nobody listens."""


def open_board(
    settings: Settings,
    board: Map,
    state: Path,
    clock: Callable[[], float],
    report: Callable[[Note], None],
    *,
    spares: bool = False,
) -> BoardIO:
    """The board that the settings name, for a map. Hardware that cannot be opened is faulty from the start. With
    `spares`, inputs that lie under no space are reported, too.
    """
    return BoardIO(board, open_drivers(settings, board, state, clock, report, spares=spares), settings, report)
