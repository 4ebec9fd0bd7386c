"""The simulated board: a driver like any other, selected by name, for demos and tests.

It holds the physical state that real hardware would sense. Each miniature has a name and stands on a sensor or off the
board. A sensor is down while something stands on it. The board can report spurious edges. It knows no game: it knows
neither the meaning of the miniatures nor where they belong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

import msgspec

from hardware.files import read_json, replace_file
from hardware.ports import DARK, Edge, Frame, HardwareFault, check_length

Clock = Callable[[], float]
FrameListener = Callable[[Frame, float], None]


class SimulatedBoard:
    """A board of `count` sensors and as many lamps, with its miniatures.

    It implements `ports.Sensors`, `ports.Lamps` and `ports.Miniatures`. With a `world` file, the miniatures keep their
    places without power. Everything happens on the caller's thread; `clock` returns monotonic seconds. The board keeps
    the last frame and its time.
    """

    def __init__(self, count: int, miniatures: Iterable[str], clock: Clock, world: Path | None = None) -> None:
        """Raises `HardwareFault` if the world file cannot be read."""
        self.count = count
        self.frame: Frame = (DARK,) * count
        self.shown_at = clock()
        self._clock = clock
        self._report: Callable[[Edge], None] | None = None
        self._watchers: list[FrameListener] = []
        self._world = world
        self._places: dict[str, int | None] = {}
        self._said: set[int] = set()
        self._remembered = {} if world is None or not world.exists() else _read(world)
        self.set_miniatures(miniatures)

    def start(self, report: Callable[[Edge], None]) -> None:
        self._report = report
        # A new listener knows nothing, so report every covered sensor again.
        self._said = set()
        for sensor in range(self.count):
            self._report_change(sensor)

    def show(self, frame: Frame) -> None:
        """Store the frame and pass it to the watchers. Raises `ValueError` for a frame of another length."""
        check_length(frame, self.count)
        self.frame, self.shown_at = frame, self._clock()
        for watcher in self._watchers:
            watcher(frame, self.shown_at)

    def stop(self) -> None:
        self._report = None
        self.show((DARK,) * self.count)

    def watch(self, watcher: FrameListener) -> None:
        """Call `watcher` with each new frame and its time."""
        self._watchers.append(watcher)

    @property
    def places(self) -> dict[str, int | None]:
        return dict(self._places)

    def set_miniatures(self, miniatures: Iterable[str]) -> None:
        before = {name: sensor for name, sensor in self._places.items() if sensor is not None}
        self._remembered |= self._places  # includes miniatures that are removed from the box while off the board
        self._places = {name: self._on_board(self._remembered.get(name)) for name in miniatures}
        # Keep the miniatures that are still on the board, even if the new game doesn't use them.
        self._places |= {name: sensor for name, sensor in before.items() if name not in self._places}
        for sensor in self._places.values():
            if sensor is not None:
                self._report_change(sensor)

    def _on_board(self, sensor: int | None) -> int | None:
        return sensor if sensor is not None and 0 <= sensor < self.count else None

    def carry(self, miniature: str, sensor: int | None) -> None:
        """Put one miniature on a sensor, or take it off the board (None). Raises as `arrange`."""
        self.arrange({miniature: sensor})

    def arrange(self, places: Mapping[str, int | None]) -> None:
        """Put miniatures on sensors or off the board (`ports.Miniatures`).

        Raises `HardwareFault` if the places cannot be saved. Afterwards every sensor has reported its true state, even
        if `raw` has reported another one.
        """
        for miniature, sensor in places.items():
            if miniature not in self._places:
                raise ValueError(
                    f"There is no miniature {miniature!r} in the box; there are {', '.join(self._places)}."
                )
            if sensor is not None:
                self._require_sensor(sensor)
        before = {miniature: self._places[miniature] for miniature in places}
        self._move(places)
        try:
            self._store()  # after reporting, because sensors don't wait for the disk
        except OSError as error:
            self._move(before)
            raise HardwareFault(
                "{world}: cannot be written ({why}). Free some space on its disk, or make its folder writable.",
                world=str(self._world),
                why=str(error.strerror),
            ) from error

    def _move(self, places: Mapping[str, int | None]) -> None:
        """Move miniatures and report the edges: first what is lifted, then what is set down."""
        moved = {name: sensor for name, sensor in places.items() if sensor != self._places[name]}
        # Lift everything first: two miniatures that swap places must not meet on one sensor.
        left = [self._places[name] for name in moved]
        for touched, now in ((left, dict.fromkeys(moved)), (moved.values(), moved)):
            self._places |= now
            for sensor in touched:
                if sensor is not None:
                    self._report_change(sensor)
        # Correct spurious reports of `raw`.
        for sensor in range(self.count):
            self._report_change(sensor)

    def report_spurious_edge(self, sensor: int, down: bool) -> None:
        """Report a spurious edge, like a bouncing contact or a passing magnet. It lasts until `arrange`."""
        self._require_sensor(sensor)
        (self._said.add if down else self._said.discard)(sensor)
        if self._report is not None:
            self._report(Edge(sensor, down, self._clock()))

    def is_down(self, sensor: int) -> bool:
        return sensor in self._places.values()

    def _report_change(self, sensor: int) -> None:
        """Report the sensor if its state differs from its last report."""
        if (down := self.is_down(sensor)) != (sensor in self._said):
            self.report_spurious_edge(sensor, down)

    def _require_sensor(self, sensor: int) -> None:
        if not 0 <= sensor < self.count:
            raise ValueError(f"There is no sensor {sensor}: this board has 0 to {self.count - 1}.")

    def _store(self) -> None:
        if self._world is not None:
            replace_file(self._world, msgspec.json.encode({**self._remembered, **self._places}), synced=True)


def _read(world: Path) -> dict[str, int | None]:
    try:
        return read_json(world, dict[str, int | None])
    except OSError as error:
        raise HardwareFault(
            "{world}: cannot be read ({why}). Make it readable, or delete it.",
            world=str(world),
            why=str(error.strerror),
        ) from error
    except ValueError as error:
        raise HardwareFault(
            "{world}: this is not a file of miniatures' places ({error}). Delete it to start again.",
            world=str(world),
            error=str(error),
        ) from error
