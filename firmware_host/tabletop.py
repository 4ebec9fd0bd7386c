"""The board under the miniatures, as the table meets it: sensors through settling to hands, cues through the scene to
lamps. Only the loop's thread comes here; which driver is below is decided in `open_tabletop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from engine.game import Command, Cue
from engine.map import Map
from firmware_host.config import ConfigError, Settings
from firmware_host.face import Slip
from firmware_host.hands import Facts, Felt, Hands, Outcome, Patience
from firmware_host.scene import Look, next_change, paint
from hardware.ports import DARK, Edge, Frame, Lamps, Sensors
from hardware.settle import Settle
from hardware.simulated import SimulatedBoard

SNIPER_MINIATURE = "sniper"
FAR = 3600.0
"""Seconds; nothing is due."""


class Tabletop:
    """A board with one sensor and one lamp under each space that can be entered, in the map's order."""

    def __init__(
        self, board: Map, sensors: Sensors, lamps: Lamps, settings: Settings, report: Callable[[Edge], None]
    ) -> None:
        self.spaces = board.enterable
        self.near = board.walk
        self.sensors, self.lamps = sensors, lamps
        self._report = report
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self._patience = Patience(rest_ms=settings.rest_ms, extendable_ms=settings.extendable_ms)
        self._look = Look(settings.palette, settings.brightness, settings.current_limit_ma)
        self._hands: Hands | None = None
        self._occupied: dict[str, bool] = {}
        self._felt: list[Felt] = []
        self._outcome = Outcome()
        self._frame: Frame = (DARK,) * len(self.spaces)
        self._next_frame = 0.0
        self._shown: tuple[Any, ...] = ()

    def open(self) -> None:
        """Begin to feel. Raises `HardwareFault`."""
        self.sensors.start(self._report)
        self.lamps.show(self._frame)

    def close(self) -> None:
        """Let go of sensors and lamps; may be called twice."""
        self.sensors.stop()
        self.lamps.stop()

    # --- from the sensors to an act -----------------------------------------------------------------------------

    def feel(self, edge: Edge) -> None:
        """A raw edge; debounced before anything is made of it."""
        self._settle, settled = self._settle.feel(edge)
        self._take(settled)

    def _take(self, settled: Sequence[Edge]) -> None:
        for edge in settled:
            space = self.spaces[edge.sensor]
            self._occupied[space] = edge.down
            self._felt.append(Felt(space, edge.down, edge.at))

    def think(self, facts: Facts | None, now: float) -> Command | None:
        """The act that the hands have made by `now`, if any. Without facts there is nothing to understand."""
        self._settle, settled = self._settle.due(now)
        self._take(settled)
        if facts is None:
            self._hands, self._felt, self._outcome = None, [], Outcome()
            return None
        if self._hands is None:
            self._hands = Hands(self._patience)
            self._felt = [Felt(space, True, now) for space, down in self._occupied.items() if down]
        felt, self._felt = self._felt, []
        contacts = {self.spaces[sensor]: at for sensor, at in self._settle.stirred.items()}
        self._hands, self._outcome = self._hands.feel(facts, felt, now, contacts)
        return None if self._outcome.act is None else self._outcome.act.command

    def pick(self, facts: Facts | None, space: str, now: float) -> Command | None:
        """The act that a tap on a space of the board's question answers it with."""
        if self._hands is None or facts is None:
            return None
        self._hands, self._outcome = self._hands.pick(facts, space, now)
        return None if self._outcome.act is None else self._outcome.act.command

    @property
    def agreed(self) -> bool:
        """Whether board and game agree."""
        return self._outcome.agreed

    def due(self, now: float) -> float:
        """When to think or light again at the latest."""
        waits = [self._settle.next_due(), self._outcome.due, self._next_frame]
        return min([now + FAR, *(wait for wait in waits if wait is not None)])

    # --- lamps --------------------------------------------------------------------------------------------------

    def light(self, cues: Sequence[Cue], standing: Mapping[str, str | None], now: float) -> None:
        """Show what is to be shown; a frame goes to the lamps only if it differs from the last."""
        homes = tuple(home for names in self._outcome.held[:1] for name in names if (home := standing.get(name)))
        shown = (tuple(cues), self._outcome.hint, homes, self._outcome.reach)
        if shown == self._shown and now < self._next_frame:
            return
        self._shown = shown
        frame = paint(*shown, self.spaces, now, self._look)
        if frame != self._frame:
            self._frame = frame
            self.lamps.show(frame)
        change = next_change(*shown, now)
        self._next_frame = now + FAR if change is None else max(change, now)

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """The board's state in words, with the hint; all of it public."""
        hint = self._outcome.hint
        state, sentence = _state(self._hands is not None, self._outcome)
        return {
            "state": state,
            "sentence": sentence,
            "hint": None if hint is None else msgspec.to_builtins(hint),
            "held": [name for names in self._outcome.held[:1] for name in names],
        }

    def picture(self) -> dict[str, Any]:
        """The simulated board: where its miniatures stand and what its lamps show."""
        if not isinstance(self.sensors, SimulatedBoard):
            return {"miniatures": [], "lamps": {}}
        places = self.sensors.places
        miniatures = [{"id": name, "space": self._space(sensor)} for name, sensor in places.items()]
        lamps = {space: _hex(colour) for space, colour in zip(self.spaces, self._frame, strict=True)}
        return {"miniatures": miniatures, "lamps": lamps}

    def _space(self, sensor: int | None) -> str | None:
        return None if sensor is None else self.spaces[sensor]

    # --- the simulated board by hand ----------------------------------------------------------------------------

    def touch(self, miniature: str, space: str | None) -> None:
        """Put a simulated miniature on a space, or take it off the board. Raises `Slip`."""
        board = self._simulated()
        if miniature not in board.places:
            raise Slip("not-understood", f"There is no miniature {miniature!r}; known are {', '.join(board.places)}.")
        if space is not None and space not in self.spaces:
            raise Slip("not-understood", f"There is no sensor under {space!r}.")
        board.carry(miniature, None if space is None else self.spaces.index(space))

    def tidy(self, standing: Mapping[str, str | None]) -> None:
        """Put every simulated miniature where it belongs. Raises `Slip`."""
        board = self._simulated()
        wanted = {name: standing.get(name) for name in board.places}
        moved = [name for name in wanted if self._space(board.places[name]) != wanted[name]]
        for name in moved:
            self.touch(name, None)
        for name in moved:
            self.touch(name, wanted[name])

    def _simulated(self) -> SimulatedBoard:
        if not isinstance(self.sensors, SimulatedBoard):
            raise Slip("no-board", "This table has a real board; move the miniatures by hand.")
        return self.sensors


def _state(thinking: bool, outcome: Outcome) -> tuple[str, str]:
    if not thinking:
        return "ignored", "The board's sensors do not count now."
    hint = outcome.hint
    if hint is not None:
        return ("setting-up" if msgspec.to_builtins(hint)["kind"] == "setup" else "correcting"), hint.sentence
    if outcome.agreed:
        return "agreed", "Board and game agree."
    return "held", "A miniature is in the air."


def _hex(colour: tuple[int, int, int]) -> str:
    return f"{colour[0]:02x}{colour[1]:02x}{colour[2]:02x}"


def open_tabletop(
    settings: Settings, board: Map, world: Path, clock: Callable[[], float], report: Callable[[Edge], None]
) -> Tabletop:
    """The board that the settings name, for a map. Raises `ConfigError` for a driver that does not exist."""
    if settings.board != "simulated":
        raise ConfigError([f"board: there is no driver {settings.board!r}; known is simulated."])
    miniatures = (*board.starts, SNIPER_MINIATURE)
    memory = world.with_name(f"{world.stem}-{board.slug}{world.suffix}")
    simulated = SimulatedBoard(len(board.enterable), miniatures, clock, memory)
    return Tabletop(board, simulated, simulated, settings, report)
