"""Random play of any game through its contract. All types of acts are equally likely, so that each occurs."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from random import Random
from typing import Any

import msgspec
from msgspec import Struct, field

from engine.chance import Chance
from engine.events import Event, Told
from engine.game import REFEREE, Command, Game
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import RuleError
from engine.seats import Seat, seat_names
from firmware_host.core import maps

LONGEST_GAME = 2000
"""Maximum number of acts. A longer game counts as endless."""
GAMES = 6
"""Number of random games in a sample."""


class Unplayable(Exception):
    """A random game that cannot be played to its end; the message is a sentence."""


class RandomGame:
    """A game that plays itself. Each `step` is one act with its events."""

    def __init__(self, game: Game, board: Map | None, seed: int, options: object = None) -> None:
        self.game = game
        self.random = Random(seed)
        self.chance = Chance(Random(seed))
        chosen = maps.options_on(game, board, options)
        self.referee = Referee(game, game.blank(board, chosen))
        self.opening = tuple(game.setup(board, chosen, self.chance))
        self.referee.tell(self.opening)

    def steps(self) -> Iterator[tuple[str, Command, tuple[Told, ...]]]:
        """Yield all acts up to the end of the game. Raises `Unplayable`."""
        for _ in range(LONGEST_GAME):
            if not self.referee.to_act:
                return
            yield self.step()
        raise Unplayable(f"A random game didn't end after {LONGEST_GAME} acts.")

    def step(self) -> tuple[str, Command, tuple[Told, ...]]:
        """Play one act of a seat that is to act."""
        seat = self.random.choice(self.referee.to_act)
        if seat not in self.referee.pictures:
            raise Unplayable(f"to_act() names {seat!r}, which is no seat.")
        command = self.choose(seat)
        try:
            return seat, command, self.referee.submit(seat, command, self.chance)
        except RuleError as error:
            raise Unplayable(
                f"legal() offers {msgspec.json.encode(command).decode()} to {seat}, but it is refused: {error} "
                "A refusal may depend only on what the seat knows."
            ) from error

    def choose(self, seat: str) -> Command:
        """Return a random command of a random type."""
        sorts: dict[type[Command], list[Command]] = defaultdict(list)
        for command in self.referee.legal(seat):
            sorts[type(command)].append(command)
        if not sorts:
            raise Unplayable(f"{seat} is to act, but legal() offers nothing to it.")
        return self.random.choice(sorts[self.random.choice(list(sorts))])


class Moment(Struct):
    """A random game after one act: the seat, the events, and what every viewer sees then. Pictures never change."""

    game: Game
    seat: str
    command: Command
    telling: tuple[Told, ...]
    pictures: Mapping[str, Any]
    to_act: tuple[str, ...]
    menus: dict[str, list[Command]] = field(default_factory=dict)

    def legal(self, seat: str) -> list[Command]:
        """Return the legal commands of a seat, listed once."""
        if seat not in self.menus:
            self.menus[seat] = list(self.game.legal(self.pictures[seat], seat))
        return self.menus[seat]


class Sample:
    """Some random games of one game, with all their moments, played once for all checks. `board` is None for a game
    without a map.
    """

    def __init__(self, game: Game, board: Map | None) -> None:
        self.game, self.board = game, board

    @cached_property
    def options(self) -> Any:
        """The default options on this board."""
        return maps.options_on(self.game, self.board, None)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        """The seats of a game with these options."""
        return tuple(self.game.seats(self.options))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the seats."""
        return seat_names(self.seats)

    @cached_property
    def games(self) -> list[tuple[RandomGame, list[Moment]]]:
        """Finished random games with their moments. Raises `Unplayable`."""
        return [self._played(seed) for seed in range(GAMES)]

    def _played(self, seed: int) -> tuple[RandomGame, list[Moment]]:
        play = self.start(seed)
        moments = [
            Moment(self.game, seat, command, telling, dict(play.referee.pictures), play.referee.to_act)
            for seat, command, telling in play.steps()
        ]
        return play, moments

    @cached_property
    def plays(self) -> list[RandomGame]:
        """The finished games alone."""
        return [play for play, _ in self.games]

    @cached_property
    def moments(self) -> list[Moment]:
        """The moments of all games."""
        return [moment for _, moments in self.games for moment in moments]

    @cached_property
    def events(self) -> Sequence[Event]:
        """The events of all games, one of each type and content."""
        told = (event for play in self.plays for event in play.referee.told[REFEREE])
        return list({msgspec.json.encode(event): event for event in told}.values())

    def start(self, seed: int) -> RandomGame:
        """Return a random game that has just begun."""
        return RandomGame(self.game, self.board, seed)

    def blank(self) -> Mapping[str, Any]:
        """Return every viewer's picture before any event."""
        return self.game.blank(self.board, self.options)


def first_board(game: Game) -> Map | None:
    """Return the first board on which a game can be played; None for a game without a map. Raises `MapError`."""
    name = next(iter(maps.offered(game)), None)
    return None if name is None else maps.load(name)


def plain(value: Any) -> Any:
    """Return a value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))
