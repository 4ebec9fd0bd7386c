"""Several hands on the simulated board: they lift miniatures, set them down and carry them home.

A second board of the same driver receives the same moves and counts the expected edges. Each change of a contact is one
edge, and the health page must show it as one change at the end. No sensor is touched again before it has settled, so
debouncing drops nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from contextlib import closing
from random import Random
from time import monotonic

from hardware.ports import Edge, UnsettledContact
from hardware.simulated import SimulatedBoard
from lab.bench.lines import TIMEOUT, Connection, Screen

SETTLED = 0.15
"""Seconds after which a bouncing contact has come to rest, and its new state was accepted."""
HOLD, REST = (0.04, 0.2), (0.1, 0.4)
"""How long a miniature is in the air, and how long it stands (minimum and maximum seconds)."""
WRONG_SPACE_CHANCE = 0.7
"""Probability that a miniature is first set down on a wrong space."""
OK = 200


class SteadyRate:
    """A steady rate that several tasks share. A delay of up to one second is caught up."""

    def __init__(self, a_second: float) -> None:
        self._every = 1 / a_second
        self._next = 0.0

    async def turn(self) -> None:
        now = monotonic()
        self._next = max(self._next, now - 1.0) + self._every if self._next else now
        if (wait := self._next - now) > 0:
            await asyncio.sleep(wait)


class BoardTwin:
    """Where the miniatures stand, and the edges expected so far. `sensors` is space -> number."""

    def __init__(self, sensors: dict[str, int], miniatures: list[str], avoid: str) -> None:
        self.sensors = sensors
        self._avoid = avoid
        self.edges: Counter[int] = Counter()
        self._moved: dict[int, float] = {}
        self._twin = SimulatedBoard(max(sensors.values()) + 1, miniatures, monotonic)
        self._twin.start(self._feel)

    def _feel(self, edge: Edge | UnsettledContact) -> None:
        self.edges[edge.sensor] += 1

    def carry(self, miniature: str, space: str | None) -> None:
        left = self._twin.places[miniature]
        sensor = None if space is None else self.sensors[space]
        self._twin.carry(miniature, sensor)
        self._moved.update(dict.fromkeys((it for it in (left, sensor) if it is not None), monotonic()))

    def place(self, miniature: str) -> str | None:
        number = self._twin.places[miniature]
        return next((space for space, sensor in self.sensors.items() if sensor == number), None)

    def free(self) -> list[str]:
        """Return the empty spaces whose sensors have settled."""
        empty = [space for space, sensor in self.sensors.items() if not self._twin.is_down(sensor)]
        return [space for space in empty if space != self._avoid and self.rested(space)]

    def rested(self, space: str | None) -> bool:
        return space is None or monotonic() - self._moved.get(self.sensors[space], 0.0) >= SETTLED


class LoadHands:
    """Hands on one board, on the table's own machine. `screens` follow the simulated board."""

    def __init__(self, port: int, board: BoardTwin, screens: list[Screen], random: Random) -> None:
        self._port, self._board, self._screens, self._random = port, board, screens, random
        self.homes: dict[str, str | None] = {}
        """The spaces of the miniatures in the game."""
        self.forbidden: frozenset[str] = frozenset()
        """The spaces on which setting a miniature down would be an act."""
        self.delays: list[float] = []
        """Seconds from sending a touch to the picture that shows it, of every screen."""
        self.touches = self.failed = self.unseen = 0
        self._held: dict[str, str | None] = {}
        """The miniatures that hands are moving, and their goals."""
        self._storming = asyncio.Event()
        self._ended = False

    async def storm(self, hands: int, pace: SteadyRate) -> None:
        """Move miniatures with `hands` hands, at this total rate, until `end`."""
        lines = [Connection(self._port) for _ in range(hands)]
        try:
            await asyncio.gather(*(self._hand(line, pace) for line in lines))
        finally:
            for line in lines:
                line.close()

    def go_on(self) -> None:
        self._storming.set()

    async def calm(self) -> None:
        """Stop the hands, and carry every miniature to the space where the game has it."""
        self._storming.clear()
        while self._held:
            await asyncio.sleep(0.01)
        with closing(Connection(self._port)) as line:
            while astray := [it for it, home in self.homes.items() if self._board.place(it) != home]:
                # Lift all of them first, because one may stand where another belongs.
                for miniature in astray:
                    await self._touch(line, miniature, None)
                for miniature in astray:
                    await self._touch(line, miniature, self.homes[miniature])

    async def prove(self, space: str) -> None:
        """Touch a doubtful sensor with any miniature."""
        miniature = next(iter(self.homes))
        with closing(Connection(self._port)) as line:
            for place in (None, space, None, self.homes[miniature]):
                await self._touch(line, miniature, place)

    async def end(self) -> None:
        """Stop the hands permanently, with every miniature on its space."""
        await self.calm()
        self._ended = True
        self._storming.set()

    async def _hand(self, line: Connection, pace: SteadyRate) -> None:
        while True:
            await self._storming.wait()
            if self._ended:
                return
            idle = [miniature for miniature in self.homes if miniature not in self._held]
            miniature = self._random.choice(idle)
            self._held[miniature] = None
            try:
                await self._play_with(line, miniature, pace)
            finally:
                del self._held[miniature]

    async def _play_with(self, line: Connection, miniature: str, pace: SteadyRate) -> None:
        """Lift a miniature, perhaps set it down in a wrong space first, and carry it home if that space is free."""
        await pace.turn()
        await self._touch(line, miniature, None)
        await asyncio.sleep(self._random.uniform(*HOLD))
        if self._random.random() < WRONG_SPACE_CHANCE and (wrong := self._wrong_spaces()):
            self._held[miniature] = self._random.choice(wrong)
            await pace.turn()
            await self._touch(line, miniature, self._held[miniature])
            await asyncio.sleep(self._random.uniform(*REST))
            await pace.turn()
            await self._touch(line, miniature, None)
            await asyncio.sleep(self._random.uniform(*HOLD))
        await pace.turn()
        home = self.homes.get(miniature)
        if home in self._board.free():
            await self._touch(line, miniature, home)

    def _wrong_spaces(self) -> list[str]:
        """Return the free spaces where no miniature belongs, and where setting one down is not an act."""
        occupied = {*self.homes.values(), *self._held.values(), *self.forbidden}
        return [space for space in self._board.free() if space not in occupied]

    async def _touch(self, line: Connection, miniature: str, space: str | None) -> None:
        """Carry a miniature once both sensors have settled, and wait until every screen shows it."""
        before = self._board.place(miniature)
        if before == space:
            return
        while not (self._board.rested(before) and self._board.rested(space)):
            await asyncio.sleep(0.01)
        placed = json.dumps({"id": miniature, "space": space}, separators=(",", ":")).encode()
        # Expected before the touch is sent, because the picture may come before the answer.
        seen = [screen.expect(placed) for screen in self._screens]
        answer = await line.post("/api/touch", miniature=miniature, space=space)
        self.touches += 1
        if answer.status != OK:
            self.failed += 1
            return
        self._board.carry(miniature, space)
        done, missing = await asyncio.wait(seen, timeout=TIMEOUT)
        self.delays += [it.result() - answer.sent for it in done]
        self.unseen += len(missing)
