"""The door: the table's face, kept by leaving notes in the loop's inbox. What each method means is in `face.py`."""

from __future__ import annotations

from typing import Any

from engine.map.fault import MapError
from engine.map.svg import draw
from engine.said import Said, row
from firmware_host import maps, screens
from firmware_host.face import Follower, Holder, Say, Slip
from firmware_host.followers import Followers
from firmware_host.loop import Loop
from firmware_host.rulebook import RulebookError, html_entries, load


class Door:
    """The `Face` of the table that `loop` runs."""

    def __init__(self, loop: Loop, followers: Followers) -> None:
        self._loop = loop
        self._followers = followers

    def picture(self, viewer: str, say: Say) -> str:
        """See `Face`."""
        return self._followers.latest(viewer, say)[1]

    def follow(self, viewer: str, say: Say) -> Follower:
        """See `Face`."""
        return self._followers.follow(viewer, say)

    def lobby(self) -> dict[str, Any]:
        """See `Face`."""
        return self._loop.ask(lambda table: table.lobby())

    def map_svg(self, slug: str) -> str:
        """See `Face`."""
        return drawn(slug)

    def rules(self) -> list[dict[str, Any]]:
        """See `Face`. The book stays as it is while the table runs, and no table waits for it."""
        try:
            return html_entries(load())
        except RulebookError as error:
            raise Slip("no-rules", Said("The rules cannot be read. {why}", why=str(error))) from error

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """See `Face`."""
        return self._loop.ask(lambda table: table.claim(seat, pin, device, squads))

    def take_over(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """See `Face`."""
        return self._loop.ask(lambda table: table.take_over(seat, pin, device, squads))

    def release(self, seat: str) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.release(seat))

    def seat_bot(self, seat: str, bot: str) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.seat_bot(seat, bot))

    def hand_over(self, token: str, bot: str) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.hand_over(token, bot))

    def holder(self, token: str) -> Holder | None:
        """See `Face`."""
        return self._loop.ask(lambda table: table.claims.holder(token))

    def start(self, choice: dict[str, Any]) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.start(choice))

    def abandon(self, token: str) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.abandon(token))

    def submit(self, token: str, action: dict[str, Any], revision: int | None = None) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.submit(token, action, revision))

    def answer(self, space: str) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.answer(space))

    def health(self) -> list[dict[str, Any]]:
        """See `Face`."""
        found: list[dict[str, Any]] = screens.plain(self._loop.ask(lambda table: table.health()))
        return found

    def set_manual(self, space: str, manual: bool) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.set_manual(space, manual))

    def heed(self, heeding: bool) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.heed(heeding))

    def touch(self, miniature: str, space: str | None) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.touch(miniature, space))

    def tidy(self) -> None:
        """See `Face`."""
        self._loop.ask(lambda table: table.tidy())


def drawn(slug: str) -> str:
    """A map drawn, on the asker's thread: no table waits for it. Raises `Slip`."""
    if slug not in maps.names():
        raise Slip(
            "not-understood",
            Said("There is no map {name}; known are {known}.", name=repr(slug), known=row(maps.names())),
        )
    try:
        board = maps.load(slug)
    except MapError as error:
        raise Slip("not-understood", Said("{fault}", fault=str(error))) from error
    if board.source not in _DRAWINGS:
        _DRAWINGS[board.source] = draw(board)
    return _DRAWINGS[board.source]


_DRAWINGS: dict[str, str] = {}
"""Source -> the drawing: a map's picture changes only with the map."""
