"""The conversation with the board: messages to send and their times, the state of the sensors, and errors.

Uses no port and no clock; the caller passes bytes and times in.

Edges come from the debounced bitmap only. The board sends the raw bitmap with each change of the debounced one and with
each heartbeat. A raw bitmap can contain a bounce, and an edge made from it would remain until the next report. The
sensors' health uses the raw bitmap to find unsettled contacts.

An edge is dated back by the board's debounce time, because the sensor has been steady for that long. A second debouncer
(`settle.py`) then waits only for the rest of its own time, or not at all if the board has waited at least that long.
"""

from __future__ import annotations

from collections.abc import Callable

from engine.text import Text
from hardware.health import count_warning
from hardware.link import messages
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
from hardware.ports import DARK, Edge, Frame, UnsettledContact, set_bits

AWAY_AFTER = 1.0
"""Seconds without a valid frame after which the board counts as away."""
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 1.0
"""Seconds until an unacknowledged message is sent again: initially, for a short one, and at most."""
PAUSE_PER_BYTE = 0.0001
"""The first pause is at least as long for each byte: a long picture takes time to arrive and to be shown."""
PROMPTS = (b"\r\n>>> ", b"raw REPL; CTRL-B to exit\r\n>")
"""What MicroPython prints if the board's program does not run."""
RESTART = b"\r\x03\x03\x02\x04"
"""Cancels a line, leaves the raw REPL, and restarts the program by software."""
KEEPALIVE = 2.0
"""Maximum seconds between two messages of the host.

A board that receives nothing for 5 s assumes that the host is gone.
"""
SUPPLY_FAULT_S = 3.0
"""Seconds for which a supply error is remembered. The board repeats it every second."""

LOW_POWER = {
    SUPPLY: Text("The board has too little power: {sagging} Check its supply and its cables."),
    LAMPS: Text(
        "The lamps have too little power: {sagging} Check their supply, the fuse and the feeds (or set "
        "LAMP_SUPPLY_PIN = None in config.py, if nothing measures it)."
    ),
}
"""Code of a supply that is too low -> message."""

BoardCheck = Callable[[Hello], str | None]
"""Check whether this board can be used. Returns a message if it cannot."""


class Unacknowledged:
    """A message that the board must acknowledge. `make` returns its body for a sequence number."""

    def __init__(self, make: Callable[[int], bytes], seq: int, now: float) -> None:
        self.seq = seq
        self.body = make(seq)
        self.first = max(FIRST_PAUSE, len(self.body) * PAUSE_PER_BYTE)
        self.sent, self.pause, self.next = now, self.first, now

    def send(self, now: float) -> bytes:
        """Return the frame, and schedule the next repetition."""
        self.sent, self.next = now, now + self.pause
        self.pause = min(2 * self.pause, LONGEST_PAUSE)
        return frame(self.body)

    def resend_soon(self, now: float) -> None:
        """Send the message again as soon as allowed, and restart with the first pause."""
        if self.pause > self.first:
            self.next = max(now, self.sent + self.first)
            self.pause = self.first


class Session:
    """The session with a board of at least `sensors` sensors and `lamps` lamps.

    Times are monotonic seconds. With `spares`, the board's inputs beyond those sensors are reported, too. `down` is the
    last known set of covered sensors; `fault` says why the board cannot be used.
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
        """For each supply that is too low: when the error expires, and the board's text."""
        self._refused: str | None = None
        self._chain: str | None = None
        self._implausible: Text | None = None
        self.feels = True
        """Whether the sensors are in use. A board that only drives lamps needs no chain of chips."""
        self.open(now)

    def open(self, now: float) -> None:
        """Start again after the port was opened: identify the board and resend everything."""
        self.board = self.wrong = self._refused = self._chain = self._implausible = None
        self._reader = FrameReader()
        self._damage_answered = 0
        self._heard = self._opened = self._spoke = now
        self._asked: float | None = None
        self._pending: dict[str, Unacknowledged] = {}
        self._text = b""
        self._at_prompt = False

    # --- sending --------------------------------------------------------------------------------------------------

    def show(self, picture: Frame, now: float) -> None:
        """Show this picture. One picture is in transit at a time; then the latest waiting one is sent."""
        self._picture = picture
        # While a picture is in transit, only the latest one is remembered; see `_resend`.
        if "F" not in self._pending:
            self._await_picture(now)

    @property
    def agreed(self) -> bool:
        """Whether the tuning and the latest picture are in force on the board."""
        return self.board is not None and not self._pending

    def due(self, now: float) -> bytes:
        """Return the bytes to send now."""
        # The board repeats a report while a supply is low; silence means that it has recovered.
        self._low = {code: low for code, low in self._low.items() if now < low[0]}
        out = b""
        if now >= self._ask_at():
            self._asked = now
            out = self._hello_request()
        # Repeat the picture after a quiet time, so that the board knows that the host is there.
        elif self.board is not None and not self._pending and now >= self._spoke + KEEPALIVE:
            self._await_picture(now)
        for kind, pending in list(self._pending.items()):
            if pending.next <= now:
                out += self._resend(kind, now)
        if out:
            self._spoke = now
        return out

    def next_due(self) -> float:
        """Return when `due` next has something to send, or the state may change, if no data arrives before."""
        times = [self._ask_at(), *(pending.next for pending in self._pending.values())]
        times += (until for until, _ in self._low.values())
        if self.board is not None:
            times.append(self._spoke + KEEPALIVE)
        return min(times)

    def _ask_at(self) -> float:
        """Return when to send `h` next: on opening, every second without a hello, and after a second of silence."""
        if self._asked is None:
            return self._opened
        if self.board is None and self.wrong is None:
            return self._asked + AWAY_AFTER
        return max(self._heard, self._asked) + AWAY_AFTER

    def _hello_request(self) -> bytes:
        """Return the bytes that make the board identify itself, without a 03.

        While a board starts, MicroPython takes a byte 03 for Ctrl-C. A board at its prompt is restarted instead.
        """
        if self._at_prompt:
            self._at_prompt, self._text = False, b""
            return RESTART
        while 3 in (request := frame(messages.hello_request(self._next_number()))):
            pass
        return request

    def _next_number(self) -> int:
        self._seq = (self._seq + 1) & 255
        return self._seq

    def _send_until_acknowledged(self, kind: str, make: Callable[[int], bytes], now: float) -> None:
        self._pending[kind] = Unacknowledged(make, self._next_number(), now)

    def _await_picture(self, now: float) -> None:
        board, picture = self.board, self._picture
        if board is not None:
            self._send_until_acknowledged("F", lambda seq: messages.picture_message(picture, board.lamps, seq), now)
            self._picture_sent = picture

    def _resend(self, kind: str, now: float) -> bytes:
        """Send a pending message again. A newer picture replaces it, with the old picture's pause."""
        if kind == "F" and self._picture_sent is not self._picture:
            pause = self._pending[kind].pause
            self._await_picture(now)
            self._pending[kind].pause = pause
        return self._pending[kind].send(now)

    # --- receiving ------------------------------------------------------------------------------------------------

    def receive(self, data: bytes, now: float) -> list[Edge | UnsettledContact]:
        """Parse bytes from the board. Return the edges and unsettled contacts, in order."""
        edges: list[Edge | UnsettledContact] = []
        self._text = (self._text + data)[-max(map(len, PROMPTS)) :]
        if self._text.endswith(PROMPTS):
            self._at_prompt = True
            # Ask for a restart at once, because a board at its prompt does nothing.
            self._asked = None if self._asked is None else min(self._asked, now - AWAY_AFTER)
        for body in self._reader.feed(data):
            message = messages.parse_message(body, self.board.sensors if self.board is not None else None)
            if message is not None:
                self._heard = now
                # Frames were lost before this one, so a pending message may be lost, too.
                if self._reader.damaged != self._damage_answered:
                    self._damage_answered = self._reader.damaged
                    self._resend_pending_soon(now)
                edges += self._take(message, now)
            # An `S` of unknown length: the board runs, but its hello is missing.
            elif self.board is None and body[:1] == b"S":
                self._heard = now
                if self._asked is not None and now - self._asked >= FIRST_PAUSE:
                    self._asked = now - AWAY_AFTER  # ask again soon
            else:
                self._reader.damaged += 1
        return edges

    def _take(self, message: Message, now: float) -> list[Edge | UnsettledContact]:
        match message:
            case Hello():
                self._take_hello(message, now)
            case Acknowledged():
                self._settle(message.seq, now)
            case ErrorReport():
                self._record_report(message, now)
            case Sense():
                return [*self._edges_of(message.debounced, now), *self._unsettled_contacts(message, now)]
        return []

    def _take_hello(self, hello: Hello, now: float) -> None:
        self.wrong = self._check_board(hello)
        # After a hello the board has no settings, so drop older messages.
        self._pending.clear()
        self.board = None if self.wrong is not None else hello
        # A hello may follow a restart, so send the tuning and the picture again.
        if self.board is not None:
            self._send_until_acknowledged("C", self.tuning.body, now)
            self._await_picture(now)

    def _settle(self, seq: int, now: float) -> None:
        # The board uses other settings than expected, so a pending message may be lost.
        if all(pending.seq != seq for pending in self._pending.values()):
            self._resend_pending_soon(now)
        for kind, pending in list(self._pending.items()):
            if pending.seq == seq:
                del self._pending[kind]
                if kind == "C":
                    self._refused = None
                elif self._picture_sent is not self._picture:
                    self._await_picture(now)

    def _record_report(self, report: ErrorReport, now: float) -> None:
        if report.code in (SUPPLY, LAMPS):
            self._low[report.code] = (now + SUPPLY_FAULT_S, report.text)
        elif report.code == REFUSED:
            self._refused = report.text
        elif report.code == CHAIN:
            self._chain = report.text

    @property
    def _input_count(self) -> int:
        return self.board.sensors if self._spares and self.board is not None else self.sensors

    def _edges_of(self, bitmap: int, now: float) -> list[Edge]:
        # A board may have more inputs than this map has spaces.
        bitmap &= (1 << self._input_count) - 1
        # A new `S` means that the chain works again.
        self._chain, self._implausible = None, count_warning(bitmap, self._input_count)
        # Keep the old state: a chain without power reports all sensors at once.
        if self._implausible is not None:
            return []
        changed, self.down, self.known = bitmap ^ self.down, bitmap, True
        return [self._edge(sensor, bool(bitmap >> sensor & 1), now) for sensor in set_bits(changed)]

    def _unsettled_contacts(self, message: Sense, now: float) -> list[UnsettledContact]:
        if self._implausible is not None:
            return []
        differing = (message.raw ^ message.debounced) & ((1 << self._input_count) - 1)
        # Date it back by the longest debounce time, so that reported times never decrease.
        at = max(self._last_edge, now - max(self.tuning.down_ms, self.tuning.up_ms) / 1000)
        return [UnsettledContact(sensor, at) for sensor in set_bits(differing)]

    def _edge(self, sensor: int, down: bool, now: float) -> Edge:
        patience = self.tuning.down_ms if down else self.tuning.up_ms
        # Edges must not go back in time, even if their debounce times differ.
        self._last_edge = max(self._last_edge, now - patience / 1000)
        return Edge(sensor, down, self._last_edge)

    def standing(self, now: float) -> list[Edge]:
        """Return an edge for each sensor that is down."""
        return [self._edge(sensor, True, now) for sensor in set_bits(self.down)]

    def _resend_pending_soon(self, now: float) -> None:
        """Resend pending messages early, because frames were lost or something else is in force."""
        for pending in self._pending.values():
            pending.resend_soon(now)

    # --- state ----------------------------------------------------------------------------------------------------

    def is_silent(self, now: float) -> bool:
        """Return whether nothing valid arrived for too long."""
        return now >= self._heard + AWAY_AFTER

    @property
    def fault(self) -> str | None:
        """A message about the fault of a board that answers, or None."""
        if self.wrong is not None:
            return self.wrong
        if self._refused is not None:
            return Text(
                "The board refuses its settings: {refused} Change them in the table [board_link].",
                refused=self._refused,
            )
        if self.feels and (sentence := self._sensor_fault()) is not None:
            return sentence
        low = next((code for code in LOW_POWER if code in self._low), None)
        return None if low is None else LOW_POWER[low].with_(sagging=self._low[low][1])

    def _sensor_fault(self) -> Text | None:
        if self._chain is not None:
            return messages.fault_sentence(self._chain, 0 if self.board is None else self.board.sensors)
        return self._implausible
