"""The referee: keeps one picture for each viewer, and processes commands. It knows no game by name.

A command is checked against the picture of the seat that gives it, so that a refusal depends only on what that seat
knows. Only a legal command is decided on the truth.
"""

from __future__ import annotations

from collections.abc import Iterable, Reversible
from typing import Any, NamedTuple

from engine.chance import Chance
from engine.events import Audience, Event, Told
from engine.game import REFEREE, TABLE, Command, Game, Pictures, decided
from engine.telling import Telling

LONGEST_LISTED = 64  # Longest list of legal acts that is kept: searching a longer one takes longer than checking an act
SHARE_EVERY = 32
"""After this many events that everyone gets, look for equal pictures.

The search takes time that others could measure, so it must not depend on secret events.
"""


class RefereeMark(NamedTuple):
    """A moment of a game: every viewer's picture, and how many events each has received."""

    pictures: dict[str, Any]
    told: dict[str, int]
    private: dict[str, set[int]]


class Referee:
    """A running game: every viewer's picture, and the events each has received.

    Events are numbered per viewer from 0. `private` has, for each viewer, the numbers of the events that not everyone
    received. For example::

        referee = Referee(game, game.blank(board, options))
        referee.tell(game.setup(board, options, chance))
        referee.submit("red", Roll(), chance)
    """

    def __init__(self, game: Game, pictures: Pictures) -> None:
        self.game = game
        self.pictures: dict[str, Any] = dict(pictures)
        self.told: dict[str, list[Event]] = {viewer: [] for viewer in self.pictures}
        self.private: dict[str, set[int]] = {viewer: set() for viewer in self.pictures}
        self._foreseen: tuple[object, Any, Any] = None, None, None
        self._listed: dict[str, tuple[Any, tuple[Command, ...]]] = {}
        self._acting: tuple[Any, tuple[str, ...]] | None = None

    @property
    def truth(self) -> Any:
        """The referee's own picture. Never show it to anyone while the game is running."""
        return self.pictures[REFEREE]

    @property
    def to_act(self) -> tuple[str, ...]:
        """The seats that have a decision to make."""
        # The result is cached, because threads ask for it many times between two acts.
        truth, acting = self.truth, self._acting
        if acting is None or acting[0] is not truth:
            self._acting = acting = truth, self.game.to_act(truth)
        return acting[1]

    def legal(self, seat: str) -> list[Command]:
        """Return everything that `seat` may do now."""
        picture = self.pictures[seat]
        legal = self.game.legal(picture, seat)
        # One list for each seat, so that no seat's requests show when another one's acts were listed.
        self._listed[seat] = picture, tuple(legal) if len(legal) <= LONGEST_LISTED else ()
        return legal

    def consider(self, seat: str, command: Command, chance: Chance) -> tuple[Told, ...]:
        """Return the events that the command would cause, without sending them.

        Raises `Refused`. The chance is restored after a refusal, if its source can rewind (`Chance.rewind`).
        """
        # The seat's own picture decides whether the command is legal, so a refusal reveals nothing else.
        picture = self.pictures[seat]
        listed, legal = self._listed.get(seat, (None, ()))
        if listed is not picture or command not in legal:
            command = self.game.check(picture, seat, command)
        mark, truth = chance.mark(), self.pictures[REFEREE]
        try:
            found = decided(self.game, truth, seat, command, chance)
            telling = tuple(found.told if isinstance(found, Telling) else found)
        # The host stops a game that takes too long by raising an exception that isn't an `Exception`.
        except BaseException:
            chance.rewind(mark)
            raise
        if isinstance(found, Telling):
            self._foreseen = telling, truth, found.truth
        return telling

    def tell(self, telling: Iterable[Told]) -> None:
        """Fold each event into the picture of every viewer in its audience; a shared picture only once."""
        pictures, logs, fold = self.pictures, self.told, self.game.fold
        telling, shared = tuple(telling), -len(logs[TABLE]) // SHARE_EVERY
        # If these are the events that were considered last, the truth after them is known already.
        considered, before, after = self._foreseen
        number, most = 0, len(telling)
        while number < most:
            # Events for the same audience are folded at once.
            audience, events = telling[number].audience, [telling[number].event]
            number += 1
            while number < most and telling[number].audience is audience:
                events.append(telling[number].event)
                number += 1
            if considered is not telling or len(events) < most:
                before = None
            viewers: Reversible[str] = logs
            if audience.seats is not None:
                viewers = self._told_viewers(audience)
                # Only events that some viewers don't get have an entry, so this list stays small.
                for viewer in viewers:
                    self.private[viewer].update(range(len(logs[viewer]), len(logs[viewer]) + len(events)))
            # The referee is the last viewer.
            for viewer in reversed(viewers):
                logs[viewer].extend(events)
                picture = pictures[viewer]
                # Fold only when the picture differs from the previous viewer's.
                if picture is not before:
                    before = picture
                    for event in events:
                        picture = fold(picture, event)
                    after = picture
                pictures[viewer] = after
        if -len(logs[TABLE]) // SHARE_EVERY != shared:
            self._share()

    def mark(self) -> RefereeMark:
        """Return the current state, for `rewind`."""
        log_lengths = {viewer: len(events) for viewer, events in self.told.items()}
        return RefereeMark(
            dict(self.pictures), log_lengths, {viewer: set(numbers) for viewer, numbers in self.private.items()}
        )

    def rewind(self, mark: RefereeMark) -> None:
        """Go back to `mark`, as if nothing had happened since."""
        self.pictures = dict(mark.pictures)
        # Copy the sets: `tell` adds to them, and the mark must stay valid.
        self.private = {viewer: set(numbers) for viewer, numbers in mark.private.items()}
        for viewer, number in mark.told.items():
            del self.told[viewer][number:]

    def before(self, mark: RefereeMark) -> Referee:
        """Return another referee, of the game as it was at `mark`."""
        earlier = Referee(self.game, mark.pictures)
        # Copy the state, so that this referee stays valid if the step back fails.
        earlier.told = {viewer: self.told[viewer][:number] for viewer, number in mark.told.items()}
        earlier.private = {viewer: set(numbers) for viewer, numbers in mark.private.items()}
        return earlier

    def _told_viewers(self, audience: Audience) -> list[str]:
        """Return the viewers who receive the event: the referee, and those in the audience."""
        return [viewer for viewer in self.told if viewer == REFEREE or audience.includes(viewer)]

    def _share(self) -> None:
        """Make viewers with equal pictures share one."""
        # `tell` folds a shared picture only once, so sharing saves a fold for each viewer.
        distinct: list[Any] = []
        for viewer, picture in self.pictures.items():
            # Comparing pictures is expensive, so identical objects are checked first.
            same = next((other for other in distinct if other is picture or other == picture), None)
            if same is None:
                distinct.append(picture)
            else:
                self.pictures[viewer] = same

    def submit(self, seat: str, command: Command, chance: Chance) -> tuple[Told, ...]:
        """Check and decide a command, and send its events. Raises `Refused`; nothing has changed then."""
        telling = self.consider(seat, command, chance)
        self.tell(telling)
        return telling
