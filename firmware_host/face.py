"""The table's face: everything that the web panel may ask of the running table, and nothing else.

Pictures are JSON text, ready to send, each made for one viewer alone. A viewer is a seat of the game, `table` (the
public view) or `board` (the simulated board: miniatures and lamps).
"""

from __future__ import annotations

from typing import Any, Protocol

from msgspec import Struct

TABLE = "table"
BOARD = "board"


class Slip(Exception):
    """A player's slip: `code` is stable, `sentence` is for the player, `rule` names a ledger rule if one forbids it.

    Codes: not-understood, refused, ambiguous (the engine's); no-seat, seat-taken, wrong-pin, locked, stale, not-now,
    no-board.
    """

    def __init__(self, code: str, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule


class Holder(Struct, frozen=True):
    """Who holds a claim: the seat, and for the defenders the squads that this device leads."""

    seat: str
    squads: tuple[str, ...]
    device: str


class Follower(Protocol):
    """One screen that follows its viewer's picture; only the latest counts, a slow screen never blocks anybody."""

    def next(self, timeout: float) -> str | None:
        """The latest picture if it is new to this screen, else None after `timeout` seconds."""

    def close(self) -> None:
        """This screen is gone."""


class Face(Protocol):
    """What a running table offers to its screens. Any method may be called from any thread and may raise `Slip`."""

    def picture(self, viewer: str) -> str:
        """The viewer's picture as it is now."""

    def follow(self, viewer: str) -> Follower:
        """Follow a viewer; the first `next` gives the picture as it is."""

    def lobby(self) -> dict[str, Any]:
        """Public facts for the front page: what is being played or offered, and who sits where."""

    def map_svg(self, slug: str) -> str:
        """A map drawn as SVG. Raises `Slip` for an unknown map."""

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """Take a seat that is free; the returned token is its key."""

    def take_over(self, seat: str, pin: str, device: str, squads: tuple[str, ...] = ()) -> str:
        """Take a claimed seat with its PIN; the old key stops working."""

    def release(self, seat: str) -> None:
        """Free a seat again; only before the game starts."""

    def holder(self, token: str) -> Holder | None:
        """Who holds this key, or None if it opens nothing (any more)."""

    def start(self, choice: dict[str, Any]) -> None:
        """Start a game with the chosen map and options, once both seats are taken."""

    def abandon(self, token: str) -> None:
        """End the running game and go back to the lobby; only somebody with a seat may."""

    def submit(self, token: str, action: dict[str, Any], revision: int | None = None) -> None:
        """Act for a seat. `revision` is that of the picture acted upon; an outdated one is refused as `stale`."""

    def answer(self, space: str) -> None:
        """Answer the board's question by a tap on one of its spaces."""

    def heed(self, heeding: bool) -> None:
        """Whether the sensors count; without them the game goes on by the screens alone."""

    def touch(self, miniature: str, space: str | None) -> None:
        """Simulated board: put a miniature on a space, or lift it off the board (None)."""

    def tidy(self) -> None:
        """Simulated board: put every miniature where the game has it."""
