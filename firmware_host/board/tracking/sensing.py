"""From raw edges to acts: debouncing, then piece tracking. The daemon, `board-hands/1` and the lab use it.

Times are monotonic seconds and are parameters. The caller submits the acts.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from engine.game import Command
from firmware_host.board.thresholds import Timing
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Outcome, SettledEdge
from firmware_host.board.tracking.suspicion import Suspicion, doubtful_sensors_hint
from firmware_host.board.tracking.tracker import PieceTracker
from firmware_host.core.settings import Settings
from hardware.health import CHATTERING, CHATTERING_FOR, Health
from hardware.ports import Edge, UnsettledContact
from hardware.settle import ROUNDING, Settle, earliest


class Sensing:
    """Piece tracking on a board, with its latest outcome.

    `spaces` has the space over each sensor, by number (None: under no space).
    """

    def __init__(self, spaces: Sequence[str | None], settings: Settings, health: Health | None = None) -> None:
        """`settings` has the waiting times."""
        rest, slide = settings.rest_ms / 1000, settings.slide_settle_ms / 1000
        self._timing = Timing(rest=rest, slide=max(rest, slide))
        self._settle = Settle(settings.debounce_down_ms, settings.debounce_up_ms)
        self.health = health or Health({})
        self.spaces = tuple(spaces)
        self.outcome = Outcome()
        self._tracker: PieceTracker | None = None
        self._occupied: set[str] = set()
        self._felt: list[SettledEdge] = []
        self._dropouts: dict[int, float] = {}
        self._suspicion = Suspicion()
        self._masked: tuple[Facts, Facts] | None = None

    @property
    def thinking(self) -> bool:
        """Whether the sensors are used."""
        return self._tracker is not None

    def feed(self, edge: Edge) -> None:
        """Take a raw edge and debounce it."""
        self.health = self.health.apply_edge(edge)
        # A short dropout never becomes a settled edge, but a piece may have been pushed off in it.
        was_out = edge.sensor in self._settle.wavering and edge.sensor in self._settle.down
        self._settle, settled = self._settle.feed(edge)
        self._take(settled)
        self._take_dropouts(edge.at)
        # A new edge ends the wait for a possible dropout, because the contact has changed again.
        self._dropouts.pop(edge.sensor, None)
        # The contact closed again before it counted as open: this is a dropout, unless it opens again at once.
        if edge.down and was_out and edge.sensor in self._settle.down:
            self._dropouts[edge.sensor] = edge.at

    def note_unsettled(self, contact: UnsettledContact) -> None:
        """Record, for the sensor's health, a contact that the debouncing of the hardware has suppressed."""
        self.health = self.health.restless(contact)

    def _take_dropouts(self, now: float) -> None:
        """Report dropouts: contacts that opened too briefly for an edge, and have been closed for long enough since."""
        for sensor, at in list(self._dropouts.items()):
            if now + ROUNDING >= at + self._steady_seconds:
                del self._dropouts[sensor]
                if (space := self._space(sensor)) is not None:
                    self._felt.append(SettledEdge(space, True, at, self._settle.began[sensor]))

    @property
    def _steady_seconds(self) -> float:
        return self._settle.down_ms / 1000

    def _take(self, settled: Sequence[Edge]) -> None:
        for edge in settled:
            self.health = self.health.settled(edge, self._settle.began.get(edge.sensor, edge.at))
            if (space := self._space(edge.sensor)) is None:
                continue
            (self._occupied.add if edge.down else self._occupied.discard)(space)
            self._felt.append(SettledEdge(space, edge.down, edge.at, self._settle.began.get(edge.sensor)))

    @property
    def occupied(self) -> list[str]:
        """The occupied spaces according to the sensors."""
        return sorted(self._occupied)

    def _space(self, sensor: int) -> str | None:
        """Return the space over a sensor, or None if it is under no space."""
        return self.spaces[sensor] if sensor < len(self.spaces) else None

    def think(self, facts: Facts | None, now: float) -> Command | None:
        """Return the act that was made on the board by `now`, if any. Without facts nothing is tracked."""
        self._settle, settled = self._settle.due(now)
        self._take(settled)
        self._take_dropouts(now)
        # Miniatures may be moved unseen meanwhile, so the next tracker starts from the occupied spaces.
        if facts is None:
            self._tracker, self._felt, self.outcome = None, [], Outcome()
            return None
        # Chattering sensors are hidden from the tracker only; people still get a hint about them.
        manual = facts.blind
        facts = self._mask_chattering(facts, now)
        if self._tracker is None:
            self._tracker, self._felt = PieceTracker(self._timing), []
        # The tracker gets every edge once, and edges for the changes while it was not running.
        felt, self._felt = [*self._felt, *self._missed_edges(self._tracker, facts, now)], []
        stirred = self._settle.stirred.items()
        contacts = {space: at for sensor, at in stirred if (space := self._space(sensor)) is not None}
        self._tracker, self.outcome = self._tracker.feed(facts, felt, now, contacts)
        self._name_suspect(facts, manual, now)
        return self._command

    def _missed_edges(self, tracker: PieceTracker, facts: Facts, now: float) -> Iterator[SettledEdge]:
        """Yield edges for changes that the tracker missed: at the start, or from a sensor that was not used before."""
        # A space with a settled edge of its own reports the change by that.
        reported = facts.blind.union(edge.space for edge in self._felt)
        for space in sorted((tracker.occupied ^ self._occupied) - reported):
            yield SettledEdge(space, space in self._occupied, now)

    def _mask_chattering(self, facts: Facts, now: float) -> Facts:
        chattering = {
            space for sensor, _ in self._chattering_sensors(now) if (space := self._space(sensor)) is not None
        }
        if not chattering - facts.blind:
            return facts
        blind = facts.blind | chattering
        # Reuse the masked facts, because they cache distances and lists.
        if self._masked is None or self._masked[0] is not facts or self._masked[1].blind != blind:
            self._masked = facts, replace(facts, blind=blind)
        return self._masked[1]

    def _chattering_sensors(self, now: float) -> list[tuple[int, float]]:
        """Return the sensors that chatter now, each with when it counts as calm again."""
        sensors = (sensor for sensor, state in self.health.suspects(now) if state == CHATTERING)
        return [(sensor, (self.health.of(sensor).last or now) + CHATTERING_FOR) for sensor in sensors]

    def _name_suspect(self, facts: Facts, manual: frozenset[str], now: float) -> None:
        """Name a sensor that must be wrong, unless there is a hint about something else."""
        self._suspicion = self._suspicion.after(facts, self._occupied)
        current = self.outcome.hint
        doubt = self._suspicion.hint(self._occupied, current)
        if doubt is None and current is None:
            doubt = doubtful_sensors_hint(self.health, self.spaces, manual, now)
        # Process the board again once a sensor is calm; without this, its space would stay hidden until the next edge.
        calm = (until for _, until in self._chattering_sensors(now))
        self.outcome = replace(self.outcome, hint=doubt or current, due=earliest(self.outcome.due, *calm))

    def pick(self, facts: Facts | None, space: str, now: float) -> Command | None:
        """Return the act that a tap on a space chooses as the answer to the board's question."""
        if self._tracker is None or facts is None:
            return None
        self._tracker, self.outcome = self._tracker.pick(self._mask_chattering(facts, now), space, now)
        return self._command

    @property
    def _command(self) -> Command | None:
        return None if self.outcome.act is None else self.outcome.act.command

    def due(self) -> float | None:
        """Return when to call `think` again at the latest; None for never."""
        back = min(self._dropouts.values(), default=None)
        return earliest(
            self._settle.next_due(), self.outcome.due, None if back is None else back + self._steady_seconds
        )
