"""Random play of any game through its contract. All types of acts are equally likely, so that each occurs."""

from __future__ import annotations

import sys
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property
from itertools import chain, count
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec
from msgspec import Struct, field

import games as installed
from engine.chance import Chance
from engine.events import Event, Told
from engine.game import REFEREE, TABLE, Command, Game
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import RuleError
from engine.seats import Seat, seat_names
from firmware_host.core import maps
from firmware_host.core.game_files import code_files

LONGEST_GAME = 2000
"""Maximum number of acts. A longer game counts as endless."""
LAST_ACTS = 100
"""Number of last acts in the message about a game that doesn't end."""
GAMES = 6
"""Number of random games in a sample."""
MORE_ACTS = 3000
"""Number of acts in additional games; a game is added to the sample if a new kind of event happens in it."""

LEAST_SEEN: Final = 3
"""The number of observations after which the absence of something counts as a fault."""
EVERY_NTH: Final = 5
"""Expensive checks examine only every n-th moment."""
MOST_SOME = 60
"""Maximum number of moments taken in this way from one game: those of a long game are much alike."""

Kind = tuple[str, ...]
"""The type of an event, and its fields that are empty, zero or None: finding nothing is a different kind from finding
something."""


class Unplayable(Exception):
    """A random game that cannot be played to its end; the message is a sentence."""


class _Chance(Chance):
    def _pick(self, kind: str, *args: Any) -> Any:
        return super()._pick(_checked(kind, args[-1]), *args)

    def _next(self, kind: str, *args: Any) -> Any:
        return super()._next(_checked(kind, args[-1]), *args)


def _checked(kind: str, rule: str) -> str:
    """Return the kind. Raises `TypeError` for swapped parameters: only a later line would fail."""
    for value, what in ((kind, "kind, which must be a str and comes first"), (rule, "rule, which must come last")):
        if not isinstance(value, str):
            raise TypeError(f"chance gets {value!r:.60} as the {what}")
    return kind


class RandomGame:
    """A game that plays itself. Each `step` is one act with its events."""

    def __init__(self, game: Game, board: Map | None, seed: int, options: object = None) -> None:
        self.game = game
        self.random = Random(seed)
        self.chance = _Chance(Random(seed))
        chosen = maps.options_on(game, board, options)
        self.referee = Referee(game, game.blank(board, chosen))
        self.opening = tuple(game.setup(board, chosen, self.chance))
        self.referee.tell(self.opening)
        self._check_audience(self.opening)

    def steps(self) -> Iterator[tuple[str, Command, tuple[Told, ...]]]:
        """Yield all acts up to the end of the game. Raises `Unplayable`."""
        last: deque[str] = deque(maxlen=LAST_ACTS)
        for _ in range(LONGEST_GAME):
            if not self.referee.to_act:
                return
            step = self.step()
            last.append(f"{tag(step[1])} of {step[0]}")
            yield step
        acts = ", ".join(f"{act} ({times} times)" for act, times in Counter(last).most_common())
        raise Unplayable(
            f"A random game didn't end after {LONGEST_GAME} acts. To act: {', '.join(self.referee.to_act)}. "
            f"The last {LAST_ACTS} acts: {acts}. Does an event end the game, and does to_act() return () then?"
        )

    def step(self) -> tuple[str, Command, tuple[Told, ...]]:
        seat = self.random.choice(self.referee.to_act)
        known = [it for it in self.referee.pictures if it not in (TABLE, REFEREE)]
        if seat not in known:
            raise Unplayable(f"to_act() names {seat!r}, which is no seat. Known: {', '.join(known)}.")
        command = self.choose(seat)
        try:
            telling = self.referee.submit(seat, command, self.chance)
        except RuleError as error:
            raise Unplayable(
                f"legal() offers {msgspec.json.encode(command).decode()} to {seat}, but it is refused: {error} "
                "A refusal may depend only on what the seat knows."
            ) from error
        self._check_audience(telling)
        return seat, command, telling

    def _check_audience(self, telling: Iterable[Told]) -> None:
        """Raise `Unplayable` for an event to an unknown seat: the intended seat doesn't get it, and the game continues
        wrongly."""
        known = [*self.referee.pictures]
        for told in telling:
            for seat in told.audience.seats or ():
                if seat not in known:
                    meant = "".join(f" Did you mean {one}?" for one in get_close_matches(seat, known, 1))
                    meant += f" Known: {', '.join(known)}."
                    raise Unplayable(
                        f"The audience of {tag(told.event)} names the seat {seat!r}, which does not exist.{meant}"
                    )

    def choose(self, seat: str) -> Command:
        return random_command(self.referee, seat, self.random)


def unsent(sample: Sample) -> str:
    """Return, to continue a message about an error, the first event that no seat gets in a random game; or nothing."""
    with suppress(Exception):  # the error itself
        game = sample.start(0)
        for told in chain(game.opening, (told for *_, telling in game.steps() for told in telling)):
            if told.audience.seats == ():
                return f" No seat gets the event {tag(told.event)}, because only() names none. Is that the cause?"
    return ""


def random_command(referee: Referee, seat: str, random: Random) -> Command:
    """Return a legal command of a random type. Raises `Unplayable` if there is none."""
    sorts: dict[type[Command], list[Command]] = defaultdict(list)
    for command in referee.legal(seat):
        sorts[type(command)].append(command)
    if not sorts:
        raise Unplayable(f"{seat} is to act, but legal() offers nothing to it.")
    return random.choice(sorts[random.choice(list(sorts))])


def tag(value: Event | Command | None) -> str:
    """Return the type of an event or a command as the protocol writes it; of no command, the set-up."""
    return "the set-up" if value is None else str(type(value).__struct_config__.tag)


def kind_of(event: Event) -> Kind:
    return (tag(event), *(name for name in event.__struct_fields__ if not getattr(event, name)))


def filled(value: Any, path: str = "") -> Iterator[str]:
    """Yield the fields of a state that are not empty, zero or null. All items of a list are one field."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from filled(inner, f"{path}.{name}")
    elif isinstance(value, list) and value:
        for inner in value:
            yield from filled(inner, f"{path}[]")
    elif value:
        yield path


def tags(game: Game, kind: type[Struct]) -> tuple[str, ...]:
    """Return the tags of the events or commands that the game's code defines, or that of a game that it builds on."""
    places = [Path(place) for place in installed.__path__]
    files = code_files(game.name, lambda path: True)
    folders = {file.relative_to(place).parts[0] for file in files for place in places if file.is_relative_to(place)}
    own = (one for one in _subclasses(kind) if {*one.__module__.split(".")[1:2]} <= folders)
    return (*dict.fromkeys(str(one.__struct_config__.tag) for one in own if one.__struct_config__.tag is not None),)


def _subclasses(kind: type[Struct]) -> Iterator[type[Struct]]:
    for one in kind.__subclasses__():
        # Reloading a module leaves its former classes behind.
        if "." in one.__qualname__ or getattr(sys.modules.get(one.__module__), one.__name__, None) is one:
            yield one
        yield from _subclasses(one)


class PlayedMoment(Struct):
    """A random game after one act: the seat, the events, and what every viewer sees then. Pictures never change."""

    game: Game
    seat: str
    command: Command
    telling: tuple[Told, ...]
    pictures: Mapping[str, Any]
    to_act: tuple[str, ...]
    menus: dict[str, list[Command]] = field(default_factory=dict)

    def legal(self, seat: str) -> list[Command]:
        if seat not in self.menus:
            self.menus[seat] = list(self.game.legal(self.pictures[seat], seat))
        return self.menus[seat]


class Sample:
    """Some random games of one game, with all their moments, played once for all checks. `board` is None for a game
    without a map, and `raw` for the default options. With 0 as `number` there are `GAMES`; only such a sample has
    additional games.
    """

    def __init__(self, game: Game, board: Map | None, raw: Any = None, number: int = 0) -> None:
        self.game, self.board, self.raw, self.number = game, board, raw, number or GAMES
        self.notes: dict[str, list[str]] = {}
        """The notes of the checks, which are not faults, by heading."""

    @cached_property
    def options(self) -> Any:
        return maps.options_on(self.game, self.board, self.raw)

    @cached_property
    def seats(self) -> tuple[Seat, ...]:
        return tuple(self.game.seats(self.options))

    @cached_property
    def names(self) -> tuple[str, ...]:
        return seat_names(self.seats)

    @cached_property
    def games(self) -> list[tuple[RandomGame, list[PlayedMoment]]]:
        """Finished random games with their moments, and additional games with new kinds of events. Raises
        `Unplayable`."""
        games = [self._played(seed) for seed in range(self.number)]
        if self.number < GAMES:
            return games
        kinds = {kind_of(event) for play, _ in games for event in play.referee.told[REFEREE]}
        acts = 0
        for seed in count(GAMES):
            play, moments = self._played(seed)
            acts += len(moments) + 1
            if acts > MORE_ACTS:
                return games
            if not kinds.issuperset(happened := {*map(kind_of, play.referee.told[REFEREE])}):
                games.append((play, moments))
                kinds |= happened
        raise AssertionError("there is no last seed")

    @property
    def unseen(self) -> tuple[str, ...]:
        """The types of events that have happened in no game."""
        happened = {*map(tag, self.events)}
        return tuple(tag for tag in tags(self.game, Event) if tag not in happened)

    def _played(self, seed: int) -> tuple[RandomGame, list[PlayedMoment]]:
        play = self.start(seed)
        moments = [
            PlayedMoment(self.game, seat, command, telling, dict(play.referee.pictures), play.referee.to_act)
            for seat, command, telling in play.steps()
        ]
        return play, moments

    @cached_property
    def plays(self) -> list[RandomGame]:
        return [play for play, _ in self.games]

    @cached_property
    def moments(self) -> list[PlayedMoment]:
        return [moment for _, moments in self.games for moment in moments]

    @cached_property
    def some(self) -> list[PlayedMoment]:
        """Moments of all phases: every fifth of each game or fewer, and its last, because what is secret during a game
        is often open at its end; and the first ones in which a kind of event happens, or a field of the state is
        filled, because a rare phase can be over before the fifth.
        """
        found, seen = list[PlayedMoment](), Counter[Kind | str]()
        for _, moments in self.games:
            step = max(EVERY_NTH, len(moments) // MOST_SOME)
            for number, moment in enumerate(moments):
                new: set[Kind | str] = {kind_of(told.event) for told in moment.telling}
                new |= {*filled(decoded_json(self.game.state(moment.pictures[REFEREE])))}
                rare = any(seen[it] < LEAST_SEEN for it in new)
                if rare or number % step == 0 or moment is moments[-1]:
                    found.append(moment)
                    seen.update(new)
        return found

    @cached_property
    def described(self) -> list[Mapping[str, Any]]:
        """The pictures of positions in which everything that is not public is left out, and drawn again."""
        found = list[Mapping[str, Any]]()
        for number, moment in enumerate(self.some):
            raw = decoded_json(self.game.state(moment.pictures[TABLE]))
            with suppress(RuleError):
                found.append(self.game.position(self.board, self.options, raw, Chance(Random(number))))
        return found

    @cached_property
    def events(self) -> Sequence[Event]:
        """The events of all games, one of each type and content."""
        told = (event for play in self.plays for event in play.referee.told[REFEREE])
        return list({msgspec.json.encode(event): event for event in told}.values())

    def start(self, seed: int) -> RandomGame:
        return RandomGame(self.game, self.board, seed, self.raw)

    def blank(self) -> Mapping[str, Any]:
        return self.game.blank(self.board, self.options)


def first_board(game: Game) -> Map | None:
    """Return the first board on which a game can be played; None for a game without a map. Raises `MapError`."""
    name = next(iter(maps.offered(game)), None)
    return None if name is None else maps.load(name)


def decoded_json(value: Any) -> Any:
    """Return a value as decoded JSON."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))
