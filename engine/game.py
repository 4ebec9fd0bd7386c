"""What a game is: four pure functions and the words to read and write them. No game is known here by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct

from engine.chance import Chance
from engine.events import Event, Told
from engine.graph import Map
from engine.graph.drawing import MapRules
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.seats import Seat
from engine.text import Text

TABLE = "table"
"""The viewer of everything public: the lamps, the TV, spectators."""
REFEREE = "referee"
"""The viewer who is told everything; its picture is the truth."""

Pictures = Mapping[str, Any]
"""A picture for each viewer: the seats, TABLE and REFEREE."""


class Command(Struct, frozen=True, gc=False):
    """Something that a seat wants to do. Games define theirs as tagged subclasses, without cycles (see `Event`)."""


class Placement(Struct, frozen=True):
    """An act that is made by setting a miniature down: `start` None brings it onto the board."""

    unit: str
    start: str | None
    to: str
    command: Command


class Cue(Struct, frozen=True):
    """Something for the lamps to show on `spaces`. What a `name` looks like is the scene's business.

    `squad` is whose colour it has, where the colour is a squad's.
    """

    name: str
    spaces: tuple[str, ...]
    squad: str | None = None


class Game(Protocol):
    """The contract of a game. A picture is whatever the game makes of it; nobody else looks inside the truth.

    `setup`, `legal`, `decide` and `fold` are pure: chance is handed in and its result is written into the events, so
    that folding the same events again gives the same pictures. `board` is None for a game that is played without a map.

    Whatever else a game can do is a capability: a protocol below, which the shell looks for.
    """

    name: str
    title: str

    def options(self) -> OptionForm:
        """What can be chosen before a game. What the form leaves alone need not be a default of `read_options`."""

    def read_options(self, raw: Any) -> Any:
        """The options named in `raw` (decoded JSON). Raises `NotUnderstood`."""

    def seats(self, options: Any) -> tuple[Seat, ...]:
        """The seats of a game that is played with these options, in order."""

    def blank(self, board: Map | None, options: Any) -> Pictures:
        """Every viewer's picture before anything was told."""

    def setup(self, board: Map | None, options: Any, chance: Chance) -> Iterable[Told]:
        """What is told at the start of a game."""

    def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> Pictures:
        """Every viewer's picture of a described position. Raises `NotUnderstood` or `Refused`."""

    def to_act(self, view: Any) -> tuple[str, ...]:
        """The seats that have a decision to make."""

    def legal(self, view: Any, seat: str) -> list[Command]:
        """Everything that `seat` may do, from what it sees, complete and in a stable order."""

    def part(self, command: Command) -> str | None:
        """The part of its seat that a command is given for (see `Seat.parts`); None where it is given for the whole."""

    def check(self, view: Any, seat: str, command: Command) -> Command:
        """`command` in its canonical form. Raises `Refused` with the rule that forbids it, judged by `view` alone."""

    def decide(self, truth: Any, command: Command, chance: Chance) -> Iterable[Told]:
        """What follows from a checked command."""

    def fold(self, view: Any, event: Event) -> Any:
        """The picture after `event`."""

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """What chance brought in a telling: forced results with which the same is decided again (see `Chance`).

        There may be results left over that are not asked for.
        """

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Results to be forced, from decoded JSON. Raises `NotUnderstood` for what no draw of this game can be."""

    def read_command(self, seat: str, raw: Any) -> Command:
        """A command from decoded JSON. Raises `NotUnderstood`."""

    def read_event(self, raw: Any) -> Event:
        """An event from decoded JSON, as the journal keeps it."""

    def state(self, view: Any) -> dict[str, Any]:
        """A picture in the form that `position` takes; what the viewer was not told is left null."""

    def view(self, view: Any) -> dict[str, Any]:
        """A picture as JSON-ready data, with everything that its viewer knows."""

    def sentence(self, event: Event) -> Text:
        """What happened, for a person who was told of it."""

    def outcome(self, view: Any) -> Text | None:
        """Who has won and why, for a person, from the public view; None while nobody has."""


@runtime_checkable
class Cues(Protocol):
    """Capability: the lamps of the map show the game."""

    def cues(self, view: Any) -> list[Cue]:
        """What the lamps should show, from the public view, the most important last."""


@runtime_checkable
class OnBoard(Cues, Protocol):
    """Capability: miniatures stand on the map, and moving them by hand is a way to act. Views are the public one."""

    def standing(self, view: Any) -> Mapping[str, str | None]:
        """Where every miniature of the board belongs: miniature -> space, None off the board."""

    def optional(self, view: Any) -> frozenset[str]:
        """Spaces where a miniature may also stand without being asked for, such as a marker of the last position."""

    def squad(self, miniature: str) -> str:
        """The colour of a miniature."""

    def called(self, miniature: str) -> Text:
        """A miniature as a person says it, for the middle of a sentence."""

    def alike(self, one: str, other: str) -> bool:
        """Whether two miniatures look alike."""

    def placements(self, view: Any) -> list[Placement]:
        """The legal acts that are made on the board, for the seats on the board that are to act."""

    def opening(self, view: Any) -> bool:
        """Whether the miniatures are still being set up."""

    def begins(self, command: Command) -> bool:
        """Whether a command is the first that needs the miniatures to be in their places."""


@runtime_checkable
class Automated(Protocol):
    """Capability: the game moves miniatures by itself, several in one act, and people carry them afterwards.

    What is to be carried is then shown as one list, to be done in any order.
    """

    def stood(self, view: Any) -> Mapping[str, str | None]:
        """Where miniatures stood before the game last moved some, from the public view; {} before it did."""


@runtime_checkable
class Markers(Protocol):
    """Capability: the box of a game with miniatures holds more of them than the game moves."""

    def markers(self) -> tuple[str, ...]:
        """The names of what people may stand on the `optional` spaces."""


class BoardGame(Game, OnBoard, Protocol):
    """A game that offers `OnBoard`."""


@runtime_checkable
class Retractable(Protocol):
    """Capability: acts that told nobody anything may be taken back."""

    def retractable(self, view: Any, telling: Iterable[Told]) -> bool:
        """Whether an act that was told like this told nobody anything new and may be taken back, in the public view."""


@runtime_checkable
class Notes(Protocol):
    """Capability: some acts only keep a note for the players, such as a marker on a space that they suspect.

    A note never counts as the last act: what was done before it may still be taken back, and the note stays.
    """

    def is_note(self, telling: Iterable[Told]) -> bool:
        """Whether an act that was told like this only sets or clears a note.

        A note draws nothing from chance, changes nothing but notes, and would be told in the same words if the last
        act that is no note had never happened. For example: `all(isinstance(told.event, Marked) for told in telling)`.
        """


@runtime_checkable
class Introduced(Protocol):
    """Capability: a line for the lobby about what awaits the players."""

    about: Text


@runtime_checkable
class Glossary(Protocol):
    """Capability: public facts about the game's cards and the like."""

    def glossary(self) -> dict[str, Any]:
        """The facts for the screens, JSON-ready, under names that no other fact of the lobby has."""


@runtime_checkable
class Detailed(Protocol):
    """Capability: screens show more of some events than their sentence."""

    def details(self, event: Event) -> Mapping[str, Any]:
        """What is added to the log line of an event, JSON-ready, for all who were told of it; nothing for most."""


@runtime_checkable
class Captioned(Protocol):
    """Capability: what the generic screen of a seat writes on the button of an act."""

    def caption(self, command: Command) -> Text:
        """What a legal act is called, such as `Walk to {space}`: short, and without a full stop."""


@runtime_checkable
class Summarized(Protocol):
    """Capability: what the generic screens say about what a viewer knows."""

    def summary(self, view: Any) -> Sequence[tuple[Text, str]]:
        """A few lines about a picture: a label and what stands there, such as a hand, a score or a place."""


@runtime_checkable
class OpenCards(Protocol):
    """Capability: the cards that the generic screens show with their picture and text."""

    def open_cards(self, view: Any) -> Sequence[tuple[Text, str]]:
        """The cards that a viewer sees: whose each is, and what the glossary calls it."""


@runtime_checkable
class Chances(Protocol):
    """Capability: the exact odds of draws from a bag."""

    def odds(self, bag: Mapping[str, int], draw: int, need: int, silenced: bool) -> Mapping[str, Fraction]:
        """The odds of `draw` tokens from `bag` (token -> number): outcome -> probability. Raises `NotUnderstood`."""


@runtime_checkable
class Foresight(Protocol):
    """Capability: what a seat can know of its acts before it makes them. No screen works out a rule by itself."""

    def foresight(self, view: Any, seat: str) -> dict[str, Any]:
        """What the acts of `seat` give away, their odds, and why something cannot be done now, from its view alone.

        JSON-ready; a reason is `{"why": Text, "rule": str}`, with the rule of the `Refused` that `check` raises. The
        generic screen of a seat shows what stands under the type of a command: a reason; or `odds`, pairs of a label
        and a probability, `gives_away`, a sentence, and `outlook`: for each legal act of the type, in their order, the
        sentences of what else is known to come of it.
        """


class Deduction(Protocol):
    """What anybody can work out from what everybody was told: where those in hiding can be. A frozen value."""

    def after(self, view: Any, event: Event) -> Deduction:
        """The same once everybody has been told of `event`; `view` is the public picture before it."""

    def spaces(self, view: Any) -> tuple[str, ...]:
        """The spaces where they can be, in the map's order; asked between two acts, with the public picture."""


@runtime_checkable
class Deducing(Protocol):
    """What a game may offer besides: to work out for everybody where those in hiding can be."""

    def deduction(self, view: Any) -> Deduction:
        """What is known to whoever sees `view`, the public picture, and was told nothing yet."""


@runtime_checkable
class Uncovering(Protocol):
    """What a game may offer besides: to show on the board, once it is over, what was hidden while it was played."""

    def uncovered(self, truth: Any) -> list[Cue]:
        """What the lamps show of a past moment's truth, the most important last."""


class Ending(Struct, frozen=True):
    """How a game ended, in figures. `winners` are seats, none where it is a draw; `reason` is a word for statistics.

    A side that nobody plays wins by its name. `counts` are further figures of the game, by name.
    """

    winners: tuple[str, ...]
    reason: str
    rounds: int
    counts: Mapping[str, int] = {}


class Progress(Struct, frozen=True):
    """How far a game has come: the number of the round, and what is left of a countdown, None where there is none."""

    round: int
    countdown: int | None = None


@runtime_checkable
class Progressing(Protocol):
    """Capability: how far the game has come, for those who look on from elsewhere."""

    def progress(self, view: Any) -> Progress:
        """How far the game has come, from the public view."""


@runtime_checkable
class Endings(Protocol):
    """Capability: who has won and how, for the statistics of many games."""

    def ending(self, view: Any) -> Ending | None:
        """How the game ended, from the public view; None while it is played."""


@runtime_checkable
class Scored(Protocol):
    """Capability: a game that one player plays for the best score, which the table finds among its past games."""

    def score(self, view: Any) -> int | None:
        """What a single player has reached, the more the better, from the public view; None while the game is played
        and where several play.
        """


@runtime_checkable
class Figures(Protocol):
    """Capability: figures of a finished game that its players like to see, beside rounds, acts and time."""

    def figures(self, events: Iterable[Event]) -> Sequence[tuple[Text, int]]:
        """What is counted and how often it happened, from everything that was told, secrets included."""


@runtime_checkable
class PlayersMiniatures(OnBoard, Protocol):
    """Capability: the miniatures of one colour are a player's, and are not called a squad."""

    def owner(self, squad: str) -> Text:
        """Whose the miniatures of a colour are, for the middle of a sentence."""


class RandomPosition(Struct, frozen=True):
    """A described position, and how many more moves the miniatures of each squad may make in it."""

    position: dict[str, Any]
    moves: Mapping[str, int]


@runtime_checkable
class RandomPositions(Protocol):
    """Capability: positions in which many miniatures can be moved, for simulated people."""

    def random_position(self, board: Map, random: Random) -> RandomPosition:
        """A position with the options that nobody has changed, in which a seat on the board is to act."""


@runtime_checkable
class PublicPositions(Protocol):
    """Capability: positions to play on from that hold public facts alone, for traces that are sent to strangers."""

    def public_position(self, view: Any, possible: Sequence[str]) -> dict[str, Any]:
        """A position that fits the public view; those in hiding are where they can be, one of `possible`."""


@runtime_checkable
class NeedsMap(Protocol):
    """What a game may offer besides: to be played on drawn maps, those that fit it."""

    def map_faults(self, board: Map) -> list[Text]:
        """What a drawn map lacks for this game, each a sentence; [] where it fits."""


@runtime_checkable
class MakesMaps(Protocol):
    """What a game may offer besides: boards that it generates (see `engine.graph.builder`)."""

    def map_names(self) -> tuple[str, ...]:
        """The names of its boards, as they are asked for and as `Map.slug` has them."""

    def make_map(self, name: str) -> Map:
        """The board called `name`, one of `map_names`; equal every time."""

    def map_options(self, name: str) -> Mapping[str, Any]:
        """The options that the board called `name` fixes, such as the number of players; mostly none.

        They are filled in where a request leaves them out, before `read_options`.
        """


@runtime_checkable
class DecoratesMaps(Protocol):
    """What a game that generates boards may offer besides: how they look beyond their spaces."""

    def map_art(self, board: Map, say: Callable[[Text], str] = str) -> Overlay:
        """Colours, lines and words of one of its boards, without a strip below it; `say` puts words into a language."""


@runtime_checkable
class LampBoards(MakesMaps, Cues, Protocol):
    """What a game without a map may offer besides: boards of lamps, without sensors, on which it shows itself.

    It is played on the screens all the same: `board` stays None for it, and no act is made on such a board.
    """

    def lamp_board(self, options: Any) -> str:
        """The name of the board for a game that is played with these options, one of `map_names`."""


@runtime_checkable
class ReadsDrawings(MapRules, Protocol):
    """What a game that needs a map may offer besides: to check drawings in the making, and to tell what it reads."""

    def map_facts(self, board: Map) -> dict[str, dict[str, str]]:
        """What the game reads from a map, for programs: `entries` (sector -> space), `starts` (unit -> space)."""
