"""The two players: they act one after the other, and every screen must show each act.

When a game is over, the next one starts. If an act moves miniatures, the hands learn where they belong now.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from time import monotonic
from typing import Any

from lab.bench.lines import TIMEOUT, Connection, Screen, Stalled
from lab.load_clients.hands import LoadHands

SEATS = ("sniper", "defenders")
VIEWERS = (*SEATS, "table")
MAP = "launch-facility"
THINK_SECONDS = 0.15
"""Seconds between two acts."""
AGREES, OK = "agreed", 200


class SeatHolders:
    """The player of both seats. `screens` are all screens that follow a viewer of the game."""

    def __init__(self, line: Connection, screens: list[Screen], hands: LoadHands, random: Random) -> None:
        self._line, self._screens, self._hands, self._random = line, screens, hands, random
        self.delays: list[float] = []
        """Seconds from sending an act to the picture that shows it, for every screen that gets one."""
        self.acts: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.games = 0

    async def play(self, end: float, least: int = 0) -> None:
        """Act until `end` (monotonic seconds), and until `least` acts were made.

        Raises `Stalled` if a screen never shows an act.
        """
        while monotonic() < end or self.acts.total() < least:
            pictures = {seat: await self._line.picture(seat) for seat in SEATS}
            able = [seat for seat in SEATS if pictures[seat]["legal"]]
            if not able:
                await self.begin()
                continue
            self._watch(pictures["defenders"])
            seat = self._random.choice(able)
            await self._act(seat, pictures[seat])
            await asyncio.sleep(THINK_SECONDS)

    async def begin(self) -> None:
        """Start a new game and set up its miniatures. Raises `Stalled` if the board never agrees."""
        await self._line.post("/api/abandon")
        started = await self._line.post("/api/start", map=MAP, options={"random_setup": True})
        assert started.status == OK, started.body
        self.games += 1
        self._watch(await self._line.picture("defenders"))
        await self._hands.calm()
        end = monotonic() + TIMEOUT
        while (board := (await self._line.picture("table"))["board"])["state"] != AGREES:
            if monotonic() > end:
                raise Stalled(f"Board and game never agree: {board['sentence']}")
            hint = board["hint"] or {}
            for space in hint["spaces"] if hint.get("kind") == "sensor" else ():
                await self._hands.prove(space)
            await asyncio.sleep(0.05)
        self._hands.go_on()

    def _watch(self, picture: dict[str, Any]) -> None:
        """Update what the hands know of the game."""
        self._hands.homes = dict(picture["view"]["units"])
        goals = {act["to"] for act in picture["legal"] if "to" in act}
        # Carrying a miniature back to its former space takes the move back.
        back = picture["take_back"] or ()
        self._hands.forbidden = frozenset({*goals, *back[1:]})

    async def _act(self, seat: str, picture: dict[str, Any]) -> None:
        """Make one act, and wait for every screen that must show it."""
        before = {viewer: (await self._line.picture(viewer))["revision"] for viewer in VIEWERS}
        # Choose the kind first, because there are many more moves than other acts.
        kinds = sorted({act["type"] for act in picture["legal"]})
        kind = self._random.choice(kinds)
        action = self._random.choice([act for act in picture["legal"] if act["type"] == kind])
        answer = await self._line.act(seat, action, picture["revision"])
        if answer.status != OK:
            self.refused[answer.json()["error"]["code"]] += 1
            return
        self.acts[kind] += 1
        for screen in self._screens_of(seat):
            await screen.wait_for_revision(before[seat] + 1)
        for viewer in VIEWERS:
            if (now := (await self._line.picture(viewer))["revision"]) > before[viewer]:
                await self._wait_until_shown(viewer, before[viewer], now, answer.sent)

    async def _wait_until_shown(self, viewer: str, before: int, now: int, sent: float) -> None:
        for screen in self._screens_of(viewer):
            await screen.wait_for_revision(now)
            if (at := screen.first_after(before)) is not None:
                self.delays.append(at - sent)

    def _screens_of(self, viewer: str) -> list[Screen]:
        return [screen for screen in self._screens if screen.viewer == viewer]
