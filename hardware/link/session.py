"""The conversation with the board: what to send and when, what was felt, and whether all is well. No port and no clock.

Only the bitmap that the board has debounced becomes edges. The raw one is told at changes of the other and at
heartbeats alone: an edge made of it would stand uncontradicted until the next, and so be believed. It tells which
contacts are restless, and that goes to the sensors' health. An edge is dated
back by the debouncing that the board has done, for that is since when the sensor has been steady; whoever debounces
once more (`settle.py`) then waits for the rest of his own patience only, and for nothing if the board was as patient.
"""

from __future__ import annotations

from collections.abc import Callable

from hardware.link import chain, messages
from hardware.link.frames import FrameReader, frame
from hardware.link.messages import (
    CHAIN,
    LAMPS,
    REFUSED,
    SUPPLY,
    Acknowledged,
    ErrorReport,
    Hello,
    Message,
    Sense,
    Tuning,
)
from hardware.plausible import disbelief
from hardware.ports import DARK, Edge, Frame, Sentence, UnsettledContact

AWAY = 1.0
"""Seconds without a valid frame after which the board is away."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds until something that was not acknowledged is sent again: at first, and at most."""
KEEP = 2.0
"""Seconds after which the host speaks, whether or not there is news: a board that hears nothing for 5 s gives it up."""
SUPPLY_FAULT_S = 3.0
"""Seconds that an error report about the supply is remembered; the board repeats it every second."""

BoardCheck = Callable[[Hello], str | None]
"""Whether this is a board to play on: a sentence if it is not."""


class Unacknowledged:
    """Something that the board has to acknowledge. `make` gives its body for a number."""

    def __init__(self, make: Callable[[int], bytes], seq: int, now: float) -> None:
        self.make, self.seq = make, seq
        self.body = make(seq)
        self.sent, self.pause, self.next = now, FIRST_PAUSE, now

    def send(self, now: float) -> bytes:
        """The frame, once more."""
        self.sent, self.next = now, now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE)
        return frame(self.body)

    def hurry(self, now: float) -> None:
        """Send it as soon as it may be, and begin anew with the first pause."""
        if self.pause > FIRST_PAUSE:
            self.next = max(now, self.sent + FIRST_PAUSE)
            self.pause = FIRST_PAUSE


class Session:
    """One board of at least `sensors` sensors and `lamps` lamps. Times are monotonic seconds. With `spares`, inputs
    that the board has beside those sensors are felt, too.

    `down` is what stands on it, as far as it was ever heard; `trouble` says why there is nothing to be had from it.
    """

    def __init__(
        self,
        sensors: int,
        lamps: int,
        tuning: Tuning,
        check_board: BoardCheck,
        now: float,
        *,
        spares: bool = False,
    ) -> None:
        self._spares = spares
        self.sensors, self.lamps, self.tuning = sensors, lamps, tuning
        self.board: Hello | None = None
        self.down = 0
        self.known = False
        self.wrong: str | None = None
        self._check_board = check_board
        self._picture: Frame = (DARK,) * lamps
        self._picture_sent: Frame | None = None
        self._seq = 0
        self._last_edge = now
        self._low: dict[int, tuple[float, str]] = {}
        """Until when which supply counts as too low, and what the board said of it."""
        self._refused: str | None = None
        self._chain: str | None = None
        self._disbelief: Sentence | None = None
        self.feels = True
        """Whether somebody uses the sensors: a board that only lights need not have a chain."""
        self.open(now)

    def open(self, now: float) -> None:
        """The port was opened anew: whoever is there has to say who it is, and is told everything again."""
        self.board = self.wrong = self._refused = self._chain = self._disbelief = None
        self._reader = FrameReader()
        self._damage_answered = 0
        self._heard = self._opened = self._spoke = now
        self._asked: float | None = None
        self._pending: dict[str, Unacknowledged] = {}

    # --- what there is to say -------------------------------------------------------------------------------------

    def show(self, picture: Frame, now: float) -> None:
        """The lamps shall show this. One picture at a time is under way; of those that wait, the latest is next."""
        self._picture = picture
        if "F" not in self._pending:
            self._await_picture(now)

    @property
    def agreed(self) -> bool:
        """Whether the board has the tuning and the latest picture in force."""
        return self.board is not None and not self._pending

    def due(self, now: float) -> bytes:
        """What is to be sent now."""
        self._low = {code: low for code, low in self._low.items() if now < low[0]}
        out = b""
        if now >= self._ask_at():
            self._asked = now
            out = frame(messages.question(self._number()))
        elif self.board is not None and not self._pending and now >= self._spoke + KEEP:
            self._await_picture(now)
        for kind, pending in list(self._pending.items()):
            if pending.next <= now:
                out += self._again(kind, now)
        if out:
            self._spoke = now
        return out

    def next_due(self) -> float:
        """When `due` has something to say, or how it is may change, if nothing is heard before."""
        times = [self._ask_at(), *(pending.next for pending in self._pending.values())]
        times += (until for until, _ in self._low.values())
        if self.board is not None:
            times.append(self._spoke + KEEP)
        return min(times)

    def _ask_at(self) -> float:
        """On opening; then every second until it is known who is there, and whenever nothing came for a second."""
        if self._asked is None:
            return self._opened
        if self.board is None and self.wrong is None:
            return self._asked + AWAY
        return max(self._heard, self._asked) + AWAY

    def _number(self) -> int:
        self._seq = (self._seq + 1) & 255
        return self._seq

    def _await(self, kind: str, make: Callable[[int], bytes], now: float) -> None:
        self._pending[kind] = Unacknowledged(make, self._number(), now)

    def _await_picture(self, now: float) -> None:
        board, wanted = self.board, self._picture
        if board is not None:
            self._await("F", lambda seq: messages.picture(wanted, board.lamps, seq), now)
            self._picture_sent = wanted

    def _again(self, kind: str, now: float) -> bytes:
        """Send what is pending; if a newer picture waits, that one in its place, at the pace of the old."""
        if kind == "F" and self._picture_sent is not self._picture:
            pause = self._pending[kind].pause
            self._await_picture(now)
            self._pending[kind].pause = pause
        return self._pending[kind].send(now)

    # --- what is heard --------------------------------------------------------------------------------------------

    def hear(self, data: bytes, now: float) -> list[Edge | UnsettledContact]:
        """Take bytes from the board; what was felt, in order."""
        edges: list[Edge | UnsettledContact] = []
        for body in self._reader.feed(data):
            said = messages.read(body, self.board.sensors if self.board is not None else None)
            if said is not None:
                self._heard = now
                if self._reader.damaged != self._damage_answered:
                    self._damage_answered = self._reader.damaged
                    self._hurry(now)
                edges += self._take(said, now)
            elif self.board is None and body[:1] == b"S":
                self._heard = now
                self._ask_soon(now)
            else:
                self._reader.damaged += 1
        return edges

    def _take(self, said: Message, now: float) -> list[Edge | UnsettledContact]:
        match said:
            case Hello():
                self._meet(said, now)
            case Acknowledged():
                self._settle(said.seq, now)
            case ErrorReport():
                self._note(said, now)
            case Sense():
                return [*self._feel(said.debounced, now), *self._restless(said, now)]
        return []

    def _meet(self, hello: Hello, now: float) -> None:
        self.wrong = self._check_board(hello)
        self._pending.clear()
        self.board = None if self.wrong is not None else hello
        if self.board is not None:
            self._await("C", self.tuning.body, now)
            self._await_picture(now)

    def _settle(self, seq: int, now: float) -> None:
        if all(pending.seq != seq for pending in self._pending.values()):
            self._hurry(now)
        for kind, pending in list(self._pending.items()):
            if pending.seq == seq:
                del self._pending[kind]
                if kind == "C":
                    self._refused = None
                elif self._picture_sent is not self._picture:
                    self._await_picture(now)

    def _note(self, report: ErrorReport, now: float) -> None:
        if report.code in (SUPPLY, LAMPS):
            self._low[report.code] = (now + SUPPLY_FAULT_S, report.text)
        elif report.code == REFUSED:
            self._refused = report.text
        elif report.code == CHAIN:
            self._chain = report.text

    @property
    def _felt(self) -> int:
        """How many inputs count."""
        return self.board.sensors if self._spares and self.board is not None else self.sensors

    def _feel(self, bitmap: int, now: float) -> list[Edge]:
        bitmap &= (1 << self._felt) - 1
        self._chain, self._disbelief = None, disbelief(bitmap, self._felt)
        if self._disbelief is not None:
            return []
        changed, self.down, self.known = bitmap ^ self.down, bitmap, True
        return [self._edge(sensor, bool(bitmap >> sensor & 1), now) for sensor in ones(changed)]

    def _restless(self, said: Sense, now: float) -> list[UnsettledContact]:
        if self._disbelief is not None:
            return []
        differing = (said.raw ^ said.debounced) & ((1 << self._felt) - 1)
        # Dated back as far as any edge that comes later may be: the times of what is told never run backwards.
        at = max(self._last_edge, now - max(self.tuning.down_ms, self.tuning.up_ms) / 1000)
        return [UnsettledContact(sensor, at) for sensor in ones(differing)]

    def _edge(self, sensor: int, down: bool, now: float) -> Edge:
        patience = self.tuning.down_ms if down else self.tuning.up_ms
        self._last_edge = max(self._last_edge, now - patience / 1000)
        return Edge(sensor, down, self._last_edge)

    def standing(self, now: float) -> list[Edge]:
        """An edge for each sensor that is down."""
        return [self._edge(sensor, True, now) for sensor in ones(self.down)]

    def _hurry(self, now: float) -> None:
        """Frames were lost, or something else is in force: what is pending goes out again, without waiting longer."""
        for pending in self._pending.values():
            pending.hurry(now)

    def _ask_soon(self, now: float) -> None:
        """Somebody speaks who has not said who it is: the question or the answer was lost."""
        if self._asked is not None and now - self._asked >= FIRST_PAUSE:
            self._asked = now - AWAY

    # --- how it is ------------------------------------------------------------------------------------------------

    def away(self, now: float) -> bool:
        """Whether nothing was heard for too long."""
        return now >= self._heard + AWAY

    @property
    def damaged(self) -> int:
        """How many damaged frames were dropped since the port was opened."""
        return self._reader.damaged

    @property
    def fault(self) -> str | None:
        """What is wrong with a board that speaks; None if it is well."""
        if self.wrong is not None:
            return self.wrong
        if self._refused is not None:
            return Sentence(
                "The board refuses its settings: {refused} Change them in the table [board_link].",
                refused=self._refused,
            )
        if self.feels and (sentence := self._blind()) is not None:
            return sentence
        if SUPPLY in self._low:
            return Sentence(
                "The board has too little power: {sagging} Check its supply and its cables.",
                sagging=self._low[SUPPLY][1],
            )
        if LAMPS in self._low:
            return Sentence(
                "The lamps have too little power: {sagging} Check their supply, the fuse and the feeds (or set "
                "LAMP_SUPPLY_PIN = None in config.py, if nothing measures it).",
                sagging=self._low[LAMPS][1],
            )
        return None

    def _blind(self) -> Sentence | None:
        """Why the sensors cannot be believed."""
        if self._chain is not None:
            return chain.sentence(self._chain, 0 if self.board is None else self.board.sensors)
        return self._disbelief


def ones(bitmap: int) -> list[int]:
    """The numbers of the bits that are set, in order."""
    found = []
    while bitmap:
        lowest = bitmap & -bitmap
        found.append(lowest.bit_length() - 1)
        bitmap ^= lowest
    return found
