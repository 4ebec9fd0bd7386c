"""The viewers of the game on the table: the picture of each and its number. Only the loop's thread comes here; other
threads read the published pictures in `followers.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import replace

from engine.game import TABLE, Command
from engine.seats import seats_with_wand
from firmware_host.admin.upkeep import Upkeep
from firmware_host.core.encoding import EncodedPicture, Fragment, PicturePart, same_parts
from firmware_host.core.generic import brings_screen, generic_facts
from firmware_host.core.sizes import LARGEST_PICTURE, TooLarge
from firmware_host.play import pictures
from firmware_host.seats.seating import Seating
from firmware_host.table.followers import BOARD, Followers
from firmware_host.table.pacing import Pace
from firmware_host.table.session import TableSession

NOTHING_YET: Final = object()


class Shown(Struct, frozen=True):
    """The game as a viewer sees it, in parts, and the number of that picture.

    The first two parts were made from the picture `made_of`, in which the acts `legal` were possible. In all pictures
    from number `since` on, the seat had the same possible acts (`menu`) and knew the same about them.
    """

    revision: int
    game: tuple[PicturePart, ...] = ()
    made_of: Any = NOTHING_YET
    legal: Sequence[Command] = ()
    menu: tuple[Any, Any] | None = None
    since: int = 0

    def next(self, now: Shown) -> Shown:
        """Return what the viewer sees after this: `now`, with a new number only if it differs."""
        # A new number for an equal picture would tell its viewer that another seat has acted.
        if same_parts(now.game, self.game):
            return replace(now, game=self.game)
        number = self.revision + 1
        return replace(now, revision=number, since=self.since if now.menu == self.menu else number)


class Viewers:
    """The seats of a game, and the public. Pictures are numbered from `first_revision`; `pace` learns how much
    processor time, which `spent` returns, the public one takes.
    """

    def __init__(self, first_revision: int, spent: Callable[[], float], pace: Pace) -> None:
        self._spent, self._pace = spent, pace
        self.followers = Followers()
        self._fresh = Shown(first_revision)
        self._shown = {TABLE: self._fresh}
        self._fragments: dict[str, Fragment] = {}
        self._board: dict[str, Any] = {}
        self._prepared: tuple[Any, dict[str, Shown]] = None, {}
        """A moment of a game, and the pictures made for it."""

    def revision(self, viewer: str) -> int:
        """Return the number of the picture that a viewer sees."""
        return self._shown[viewer].revision

    def may_act_on(self, viewer: str, revision: int) -> bool:
        """Return whether an act that was chosen on this picture means the same now."""
        picture = self._shown[viewer]
        return picture.since <= revision <= picture.revision

    def acted(self, viewer: str) -> None:
        """Refuse further acts on pictures from before the viewer's last act, because a second tap would act twice."""
        picture = self._shown[viewer]
        self._shown[viewer] = replace(picture, since=picture.revision)

    def refresh(self, session: TableSession) -> None:
        """Take over the pictures that `prepare` has made for the current moment; make them if there are none."""
        if session.play is None or self._prepared[0] != session.play.moment:
            self.prepare(session)
        self._shown, self._prepared = self._prepared[1], (None, {})

    def translate(self, seats: Iterable[str]) -> None:
        """Translate the next pictures of these seats for their screens, which otherwise do it after `publish`."""
        pictures = self._prepared[1] or self._shown
        for seat in seats:
            for part, language in product(pictures.get(seat, self._fresh).game, self.followers.languages(seat)):
                with suppress(Exception):  # the error occurs again for the screen, where only its own answer fails
                    part.members(language)

    def prepare(self, session: TableSession) -> tuple[frozenset[str], frozenset[str]]:
        """Make the picture of every viewer for the next `refresh`; only those that differ get a new number. Return the
        viewers whose picture was made again, and those for whom it differs. Raises anything if the game fails.
        """
        if session.possible is not None:
            session.possible.follow()
        # Numbers go on from game to game, so that an old screen never sees a number twice.
        before = {TABLE: self._fresh, **{seat.name: self._fresh for seat in session.seats}, **self._shown}
        prepared, views = {}, dict[int, Fragment]()
        for viewer, last in before.items():
            # Reading this clock takes longer than most of what follows.
            began = self._spent() if viewer == TABLE else 0.0
            made = self._made(session, viewer, last, views)
            took = self._spent() - began if viewer == TABLE else 0.0
            prepared[viewer] = last.next(made)
            # An equal picture is made again when a seat takes back a secret act; no one else may notice that.
            if viewer == TABLE and made.made_of is not last.made_of and prepared[viewer].revision != last.revision:
                self._pace.note_picture(took)
        self._prepared = None if session.play is None else session.play.moment, prepared
        remade = frozenset(it for it, last in before.items() if prepared[it].made_of is not last.made_of)
        return remade, frozenset(it for it, last in before.items() if prepared[it].revision != last.revision)

    def _made(self, session: TableSession, viewer: str, last: Shown, views: dict[int, Fragment]) -> Shown:
        """Return what a viewer sees now.

        Parts that are the same as in `last` are not made again. `views` has the views made so far, by the identity of
        the picture: viewers who know the same share one picture.
        """
        play = session.play
        if play is None or viewer not in play.referee.pictures:  # the earlier game may have had other seats
            game = (Fragment({**pictures.NO_GAME, **situation(session, viewer)}),)
            return Shown(last.revision, game, since=last.since)
        view, parts, legal, menu = play.referee.pictures[viewer], last.game[:2], last.legal, last.menu
        if last.made_of is not view:
            if id(view) not in views:
                views[id(view)] = Fragment({"view": play.game.view(view)})
            facts = pictures.view_facts(play.referee, viewer)
            parts = views[id(view)], Fragment(facts)
            legal, menu = facts["legal"], (facts["legal"], facts["foresight"])
        log = pictures.encoded_log(play.referee, viewer)
        parts = (*parts, log, Fragment(situation(session, viewer, legal)))
        if sum(part.size for part in parts) > LARGEST_PICTURE:
            raise TooLarge
        return Shown(last.revision, parts, view, legal, menu, last.since)

    def publish(self, session: TableSession, seating: Seating, upkeep: Upkeep, turn: Mapping[str, Any]) -> None:
        """Publish the current state to every screen; for `turn`, see `TurnClock.facts`."""
        with self.followers.batched():
            common = self._encoded("common", {**common_part(session, seating, upkeep), **turn})
            # During a replay, the public screens show another game than the seats.
            public = {"game": session.game_on_screens.name, "map": session.map_on_screens}
            self._board = {"game": session.game_on_screens.name, **session.board.picture()}
            self._publish_board(common)  # published first, because people at the board wait for the lamps
            sealed = self._encoded("sealed", {"sealed": session.sealed})
            replay = None if session.interruption.replay is None else session.interruption.replay.picture
            choice = {"selection": session.chosen.selection, "left": seating.absence.freeable_seat}
            own: dict[str, dict[str, Any]] = {
                TABLE: {**public, "replay": replay, **choice},
                **{seat.name: {"wrong_pins": seating.guesses.unseen(seat.name)} for seat in session.seats},
            }
            for name in seats_with_wand(session.seats):
                own[name]["picked"] = session.board.picked(name, session.play)
            for viewer, viewed in self._shown.items():
                head = {"viewer": viewer, "revision": viewed.revision, "game": session.game.name, "map": session.map}
                head |= own.get(viewer, {})
                picture = EncodedPicture(self._encoded(f"of {viewer}", head), common, sealed, *viewed.game)
                # Publish the keys with the picture, so that both belong to the same moment.
                self.followers.publish(viewer, picture, None if viewer == TABLE else seating.claims.readers(viewer))

    def relight(self, lamps: dict[str, str]) -> None:
        """Publish the last picture of the board with other lamps (space -> colour)."""
        if self._board:
            self._board = {**self._board, "lamps": lamps}
            self._publish_board(self._fragments["common"])

    def _publish_board(self, common: Fragment) -> None:
        board = self._encoded("board", {"viewer": BOARD, **self._board})
        self.followers.publish(BOARD, EncodedPicture(board, common))

    def _encoded(self, name: str, data: dict[str, Any]) -> Fragment:
        """Return a part of pictures; the previous object if nothing in it has changed."""
        now, before = Fragment(data), self._fragments.get(name)
        # The previous object has its translations cached.
        if before is not None and now.same(before):
            return before
        self._fragments[name] = now
        return now


def situation(session: TableSession, viewer: str, legal: Sequence[Command] = ()) -> dict[str, Any]:
    """Return the facts for a viewer besides the picture of the game.

    `legal` are the acts that are possible in that picture.
    """
    play, possible = session.play, session.possible
    game: dict[str, Any] = {"possible": None if possible is None else possible.spaces}
    if play is not None and viewer in play.referee.pictures and not brings_screen(play.referee.game, viewer):
        game["generic"] = generic_facts(play.game, play.referee.pictures, viewer, session.seats, legal)
    if play is not None and viewer == TABLE:
        game["public"] = pictures.of_public(play.referee)
    seat = next((seat for seat in session.seats if seat.name == viewer), None)
    if seat is not None:
        back = None if play is None else play.retraction()
        if back is not None and back.seat != viewer:
            back = None
        if seat.on_board and (play is None or play.on_board is not None):
            game["take_back"] = None if back is None else back.way
            if back is not None and back.way is None:
                game["undo"] = True  # without miniatures, no one sees what has to be put back
        else:
            game["undo"] = back is not None
    return game


def common_part(session: TableSession, seating: Seating, upkeep: Upkeep) -> dict[str, Any]:
    """Return the public facts for every screen besides the game."""
    resting = {"state": "resting", "sentence": session.interruption.sentence} if session.interruption.is_active else {}
    return {
        "stage": session.name,
        "seats": seating.seat_facts(),
        "board": {**session.board.status(session.play), **resting},
        "paused": session.interruption.caller,
        "workshop": session.interruption.workshop,
        "finished": session.finished,
        "halted": upkeep.halted,
        "cares": upkeep.warnings,
    }
