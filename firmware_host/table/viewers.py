"""The viewers of the game on the table: what each is shown, and the number of its picture. Only the loop's thread
comes here; what is published is taken from `followers.py` by any thread.
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from engine.game import TABLE
from firmware_host.admin.upkeep import Upkeep
from firmware_host.seats.seating import Seating
from firmware_host.table import pictures as screens
from firmware_host.table.followers import Followers, made
from firmware_host.table.interface import BOARD
from firmware_host.table.session import Stage


class Shown(Struct, frozen=True):
    """The game as a viewer is shown it, as JSON to compare it by, and the number by which an act names it."""

    revision: int
    text: bytes = b""
    game: dict[str, Any] = {}


class Viewers:
    """Every seat of a game, and whoever looks on. Pictures are numbered from `first_revision` on."""

    def __init__(self, first_revision: int) -> None:
        self.followers = Followers()
        self._fresh = Shown(first_revision)
        self._shown = {TABLE: self._fresh}
        self._published: dict[str, tuple[Shown, bytes]] = {}
        self._board: dict[str, Any] = {}

    def revision(self, viewer: str) -> int:
        """The number of the picture that a viewer is shown."""
        return self._shown[viewer].revision

    def refresh(self, stage: Stage) -> None:
        """The game has changed: make every viewer's picture anew; only those that differ get a new number."""
        if stage.possible is not None:
            stage.possible.follow()
        for seat in stage.seats:
            self._shown.setdefault(seat.name, self._fresh)
        for viewer, shown in self._shown.items():
            game = _game(stage, viewer)
            text = msgspec.json.encode(game, enc_hook=str)
            if shown.text != text:
                self._shown[viewer] = Shown(shown.revision + 1, text, game)

    def publish(self, stage: Stage, seating: Seating, upkeep: Upkeep) -> None:
        """Show every screen how things are now."""
        common = _common(stage, seating, upkeep)
        sealed, replay = stage.sealed, None if stage.interlude.still is None else stage.interlude.still.shown
        own: dict[str, dict[str, Any]] = {
            TABLE: {"replay": replay},
            **{seat.name: {"wrong_pins": seating.guesses.told(seat.name)} for seat in stage.seats},
        }
        for seat in stage.seats:
            if seat.on_board:
                own[seat.name]["picked"] = stage.board.picking.shown() if seat.name == stage.at_board else []
        beside = msgspec.json.encode((common, sealed, own), enc_hook=made)
        for viewer, shown in self._shown.items():
            if self._published.get(viewer) == (shown, beside):
                continue  # most turns of the loop change nothing that a screen shows
            self._published[viewer] = shown, beside
            head = {"viewer": viewer, "revision": shown.revision, **common, "sealed": sealed}
            more = own.get(viewer, {})
            self.followers.publish(viewer, {**head, **shown.game, **more})
        self._board = {"viewer": BOARD, **common, **stage.board.top.picture()}
        self.followers.publish(BOARD, self._board)

    def relight(self, lamps: dict[str, str]) -> None:
        """Show the board as it was shown last, but for its lamps (space -> colour)."""
        if self._board:
            self._board = {**self._board, "lamps": lamps}
            self.followers.publish(BOARD, self._board)


def _game(stage: Stage, viewer: str) -> dict[str, Any]:
    """The game as a viewer is shown it."""
    play, possible = stage.play, stage.possible
    plays = play is not None and viewer in play.referee.pictures  # another game may have had more seats
    game = screens.of_viewer(play.referee, viewer) if play is not None and plays else dict(screens.NO_GAME)
    game["possible"] = None if possible is None else possible.spaces
    seat = next((seat for seat in stage.seats if seat.name == viewer), None)
    if seat is not None:
        last = play is not None and play.may_take_back(viewer)
        if seat.on_board:
            game["take_back"] = play.way_back() if play is not None and last else None
        else:
            game["undo"] = last
    return game


def _common(stage: Stage, seating: Seating, upkeep: Upkeep) -> dict[str, Any]:
    """What stands beside the game on every screen; public."""
    resting = {"state": "resting", "sentence": stage.interlude.sentence} if stage.interlude.on else {}
    return {
        "stage": stage.name,
        "map": stage.board.map.slug,
        "seats": seating.shown(),
        "board": {**stage.board.status(), **resting},
        "paused": stage.interlude.paused,
        "finished": stage.finished,
        "halted": upkeep.halted,
        "cares": upkeep.cares,
    }
