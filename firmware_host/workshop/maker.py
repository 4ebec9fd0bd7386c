"""A simulated person at the bench, who sets a magnet on the simulated board where the lamps lead.

Time passes only by waiting, so a job of minutes is done at once with the same code as on a real board.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping

from firmware_host.workshop.job import AMBER, GREEN
from firmware_host.workshop.workbench import Typed, Waiting
from hardware.ports import DARK, Note
from hardware.simulated import SimulatedBoard

REACTION = 0.4
"""Seconds from a lamp's lighting to the magnet on it."""


class Maker(Waiting):
    """The maker at the simulated board.

    - `answers`: lamp -> the sensor under it (None: none), where it is not the one with the same number.
    - `weak`: sensors that open once while the magnet is turned.
    - `types`: lines to type, in order, when nothing else can be done.
    """

    def __init__(
        self,
        answers: Mapping[int, int | None] | None = None,
        types: tuple[str, ...] = (),
        weak: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__(lambda: self._now)
        self._now = 0.0
        self._notes: deque[Note | Typed] = deque()
        self._answers = dict(answers or {})
        self._types = deque(types)
        self._weak = set(weak)
        self._at: int | None = None
        self._board: SimulatedBoard | None = None
        self._before: dict[str, int | None] = {}

    @property
    def board(self) -> SimulatedBoard:
        assert self._board is not None, "the maker works on a board"
        return self._board

    def clear(self, board: SimulatedBoard) -> None:
        """Take everything off a board and use it from now on."""
        self._board, self._before = board, board.places
        for miniature in self._before:
            board.carry(miniature, None)

    def put_back(self) -> None:
        """Put everything back where it stood."""
        for miniature, sensor in self._before.items():
            self.board.carry(miniature, sensor)

    def tell(self, note: Note) -> None:
        self._notes.append(note)

    def wait(self, until: float) -> Note | Typed | None:
        """Return the next note. Without one, the maker follows the lamps, or time passes."""
        if not self._notes and until >= self._now + REACTION:
            self._follow()
        if self._notes:
            return self._notes.popleft()
        self._now = max(self._now, until)
        return None

    def _follow(self) -> None:
        """Carry the magnet to the brightest lamp, or off the board where all is dark or that lamp is green."""
        lit = self._brightest()
        colour = None if lit is None else self.board.frame[lit]
        if colour == AMBER and lit in self._weak:
            self._weak.discard(lit)
            self._turn(self._answers.get(lit, lit))
        else:
            self._carry(None if colour == GREEN else lit)

    def _carry(self, lit: int | None) -> None:
        if lit == self._at:
            if lit is not None and self._types:
                self._notes.append(Typed(self._types.popleft()))
            return
        self._at = lit
        self._set_down(None)
        # The magnet was lifted first, so each half of a carry takes half of the time.
        self._set_down(None if lit is None else self._answers.get(lit, lit))

    def _set_down(self, sensor: int | None) -> None:
        self._now += REACTION / 2
        # Any miniature of the simulated board serves as the magnet.
        self.board.carry(next(iter(self.board.places)), sensor)

    def _turn(self, sensor: int | None) -> None:
        """The magnet turns its dead spot to the sensor for a moment."""
        assert sensor is not None, "what no sensor feels does not turn"
        self.board.raw(sensor, False)
        self._now += REACTION
        self.board.raw(sensor, True)

    def _brightest(self) -> int | None:
        # Of equally bright lamps the one with the lowest number, hence the minus.
        brightness, lamp = max((sum(colour), -number) for number, colour in enumerate(self.board.frame))
        return None if brightness == sum(DARK) else -lamp
