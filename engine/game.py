"""The contract of a game, and the capabilities it may add.

The table finds capabilities by their methods. A game needs no base class, but can inherit `engine.plain.PlainGame`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Protocol, runtime_checkable

from msgspec import Struct
from msgspec.structs import force_setattr

from engine.chance import Chance
from engine.events import Event, Told
from engine.graph import Map
from engine.graph.drawing import MapRules
from engine.graph.overlay import Overlay
from engine.options import OptionForm
from engine.seats import Seat
from engine.text import Text

TABLE = "table"  # The viewer of everything public: lamps, table view, spectators
REFEREE = "referee"  # The viewer who is told everything. Its picture is the truth.

Pictures = Mapping[str, Any]  # A picture for each viewer: the seats, TABLE and REFEREE


class Command(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """Something that a seat wants to do. Games define subclasses with a tag, as for `Event`."""


class Placement(Struct, frozen=True):
    """An act that a player makes by setting down a miniature, for example `Placement("red", "a1", "a2", Walk("a2"))`.

    `start` None brings the miniature onto the board.
    """

    unit: str
    start: str | None
    to: str
    command: Command


class Cue(Struct, frozen=True):
    """Something for the lamps to show on `spaces`, for example `Cue("hole", ("a1", "b2"))`.

    The light of that name (`engine.cues`) says how it looks. `colour` overrides the light's role:
    `Cue("leader", ("a1",), "red")`. Its former name `squad` is still accepted.
    """

    name: str
    spaces: tuple[str, ...]
    colour: str | None = None
    squad: str | None = None

    def __post_init__(self) -> None:
        if self.squad is not None:
            force_setattr(self, "colour", self.squad)
            force_setattr(self, "squad", None)


class Game(Protocol):
    """The contract of a game.

    A picture is what one viewer knows. It can be any value; only the game looks inside. `setup`, `legal`, `decide` and
    `fold` are pure: chance is a parameter and its results are written into events, so that folding the same events
    again gives the same pictures. `board` is None for a game without a map. The rules of a game fit together like this
    (`docs/game-author.md` writes a whole game)::

        def legal(self, view, seat): return [Walk(space) for space in view.board.walk[view.pawns[seat]]]
        def decide(self, truth, command, chance): return [Told(Walked(truth.turn, command.space), EVERYONE)]
        def fold(self, view, event): return replace(view, pawns={**view.pawns, event.seat: event.to})
    """

    name: str
    title: str

    def options(self) -> OptionForm:
        """Return what can be chosen before a game. Options that are not in the form may differ from the defaults."""

    def read_options(self, raw: Any) -> Any:
        """Return the options in `raw` (decoded JSON, None for the defaults). Raises `NotUnderstood`."""

    def seats(self, options: Any) -> tuple[Seat, ...]:
        """Return the seats of a game with these options, in order."""

    def blank(self, board: Map | None, options: Any) -> Pictures:
        """Return every viewer's picture before any event."""

    def setup(self, board: Map | None, options: Any, chance: Chance) -> Iterable[Told]:
        """Return the events at the start of a game."""

    def position(self, board: Map | None, options: Any, raw: Any, chance: Chance) -> Pictures:
        """Return every viewer's picture of a described position. Raises `NotUnderstood` or `Refused`."""

    def to_act(self, view: Any) -> tuple[str, ...]:
        """Return the seats that have a decision to make."""

    def legal(self, view: Any, seat: str) -> list[Command]:
        """Return all legal acts of `seat`, using only what it sees; complete, and in a stable order."""

    def part(self, command: Command) -> str | None:
        """Return the part of its seat that a command is for (see `Seat.parts`); None for the whole seat."""

    def check(self, view: Any, seat: str, command: Command) -> Command:
        """Return `command` in its canonical form. Raises `Refused` with the rule that forbids it, from `view` alone."""

    def decide(self, truth: Any, command: Command, chance: Chance) -> Iterable[Told]:
        """Return the events that follow from a checked command."""

    def fold(self, view: Any, event: Event) -> Any:
        """Return the picture after `event`."""

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """Return the random results in some events, as forced results (see `Chance`) that decide the same again.

        Results that no draw uses do no harm.
        """

    def read_luck(self, board: Map | None, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Return forced results from decoded JSON. Raises `NotUnderstood` for impossible results."""

    def read_command(self, seat: str, raw: Any) -> Command:
        """Return a command from decoded JSON. Raises `NotUnderstood`."""

    def read_event(self, raw: Any, /) -> Event:
        """Return an event from decoded JSON, as the journal stores it."""

    def state(self, view: Any) -> dict[str, Any]:
        """Return a picture in the form that `position` takes. Facts unknown to the viewer are None."""

    def view(self, view: Any) -> dict[str, Any]:
        """Return everything that the viewer knows, as JSON-ready data."""

    def sentence(self, event: Event) -> Text:
        """Return a sentence about an event, for a viewer who received it."""

    def outcome(self, view: Any) -> Text | None:
        """Return who has won and why, from the public view; None during the game."""


@runtime_checkable
class Cues(Protocol):
    """Capability: show the game with the lamps of the map."""

    def cues(self, view: Any) -> list[Cue]:
        """Return what the lamps show, from the public view, the most important last: `[Cue("hole", view.holes)]`."""


@runtime_checkable
class OnBoard(Cues, Protocol):
    """Capability: play with miniatures on the map, so that moving one is a way to act. Views are the public one.

    In a game with one pawn per seat, for example::

        def standing(self, view): return view.pawns  # {"red": "a1", "blue": None}
        def placements(self, view):
            walks = self.legal(view, view.turn)
            return [Placement(view.turn, view.pawns[view.turn], walk.space, walk) for walk in walks]
    """

    def standing(self, view: Any) -> Mapping[str, str | None]:
        """Return the space of every miniature; None for those off the board. The names are always the same."""

    def optional(self, view: Any) -> frozenset[str]:
        """Return spaces where a miniature may also stand, for example a marker of the last known position."""

    def colour(self, miniature: str) -> str:
        """Return the colour of a miniature, a role of the palettes. The former name `squad` is still accepted."""

    def called(self, miniature: str) -> Text:
        """Return the name of a miniature, for the middle of a sentence."""

    def alike(self, one: str, other: str) -> bool:
        """Return whether two miniatures look the same."""

    def placements(self, view: Any) -> list[Placement]:
        """Return the legal acts that people can make by moving miniatures, for the seats on the board to act now."""

    def opening(self, view: Any) -> bool:
        """Return whether the miniatures are still being set up."""

    def begins(self, command: Command) -> bool:
        """Return whether a command needs the miniatures in their places, which it is the first to do."""


@runtime_checkable
class Automated(Protocol):
    """Capability: the game moves miniatures itself, several in one act. People move them by a list on the screen."""

    def stood(self, view: Any) -> Mapping[str, str | None]:
        """Return where miniatures stood before the game last moved some, from the public view: `{"dog": "a1"}`."""


@runtime_checkable
class Markers(Protocol):
    """Capability: the box has miniatures that the game doesn't move."""

    def markers(self) -> tuple[str, ...]:
        """Return the names of what people may put on the `optional` spaces, for example `("last-seen",)`."""


class BoardGame(Game, OnBoard, Protocol):
    """A game that has the capability `OnBoard`."""


@runtime_checkable
class Retractable(Protocol):
    """Capability: take back acts that told no one anything new."""

    def retractable(self, view: Any, telling: Iterable[Told]) -> bool:
        """Return whether an act with these events may be taken back: `all(isinstance(told.event, Walked) …)`."""


@runtime_checkable
class Notes(Protocol):
    """Capability: some acts only keep a note for the players. The act before a note may still be taken back."""

    def is_note(self, telling: Iterable[Told]) -> bool:
        """Return whether an act only sets or clears a note: `all(isinstance(told.event, Marked) for told in telling)`.

        A note uses no chance, and its events don't depend on the last act before it that is not a note.
        """


@runtime_checkable
class Introduced(Protocol):
    """Capability: introduce the game in the lobby in one line: `about = Text("One hides a treasure. Others dig.")`."""

    about: Text


@runtime_checkable
class Glossary(Protocol):
    """Capability: public facts about cards and other things in the box."""

    def glossary(self) -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
        """Return JSON-ready facts under unique names: `{"cards": {"C01": {"title": Text("Clean Shot")}}}`."""


@runtime_checkable
class Detailed(Protocol):
    """Capability: show more of some events than their sentence."""

    def details(self, event: Event) -> Mapping[str, Any]:
        """Return JSON-ready additions to the log line of an event, for everyone who received it: `{"die": 6}`.

        The key `yours` maps a seat to the sentence that its player reads instead: `{"red": Text("You roll a 6.")}`.
        """


@runtime_checkable
class Captioned(Protocol):
    """Capability: label the buttons of the generic seat screen."""

    def caption(self, command: Command) -> Text:
        """Return the label of a legal act, short and without a full stop: `Text("Walk to {space}", space=…)`."""


@runtime_checkable
class Summarized(Protocol):
    """Capability: sum up what a viewer knows, for the generic screens."""

    def summary(self, view: Any) -> Sequence[tuple[Text, str]]:
        """Return a few lines about a picture, each a label and a value: `[(Text("Round"), "3")]`."""


@runtime_checkable
class OpenCards(Protocol):
    """Capability: show face-up cards with picture and text on the generic screens."""

    def open_cards(self, view: Any) -> Sequence[tuple[Text, str]]:
        """Return the cards that a viewer sees, as pairs (owner, name in the glossary): `[(Text("red"), "scope")]`."""


@runtime_checkable
class Chances(Protocol):
    """Capability: calculate the exact odds of draws from a bag."""

    def odds(self, bag: Mapping[str, int], draw: int, need: int, silenced: bool) -> Mapping[str, Fraction]:
        """Return outcome -> probability of drawing `draw` tokens from `bag` (token -> number): `{"hit": 1}`."""


@runtime_checkable
class Foresight(Protocol):
    """Capability: tell players the results of their acts before they make them, so that no screen needs the rules."""

    def foresight(self, view: Any, seat: str) -> dict[str, Any]:
        """Return JSON-ready facts about the acts of `seat`, from its view alone, by the tag of the command.

        The generic seat screen shows why an act is not possible, with the rule that `check` names; or any of these:
        `odds`, `gives_away` (a sentence), and `outlook` (a list of sentences for each legal act of that type)::

            {"roll": {"why": Text("You have rolled."), "rule": "T-3"}, "dig": {"odds": [(Text("It is here"), 0.25)]}}
        """


class Deduction(Protocol):
    """The spaces where hidden pieces can be, as anyone can deduce from public events. A frozen value."""

    def after(self, view: Any, event: Event) -> Deduction:
        """Return the deduction after everyone received `event`; `view` is the public picture before it."""

    def spaces(self, view: Any) -> tuple[str, ...]:
        """Return the possible spaces, in the map's order. It is called between two acts, with the public picture."""


@runtime_checkable
class Deducing(Protocol):
    """Capability: work out where hidden pieces can be."""

    def deduction(self, view: Any) -> Deduction:
        """Return the deduction before any event, from the public picture `view`: `Possible(view.board.enterable)`."""


@runtime_checkable
class Dealing(Protocol):
    """Capability: make the choices before the first turn for a person who wants to play at once."""

    def dealt(self, view: Any, seat: str) -> Command | None:
        """Return the next choice of `seat` before its first turn if it can be made at random; None if there is none.

        Cards are shuffled already, so this can return the first one: `ReturnCard(view.cards[0])`.
        """


@runtime_checkable
class Uncovering(Protocol):
    """Capability: show on the board, after a game, what was hidden during it."""

    def uncovered(self, truth: Any) -> list[Cue]:
        """Return the cues for the truth of a past moment, the most important last: `[Cue("hider", (truth.space,))]`."""


@runtime_checkable
class OwnMarks(Protocol):
    """Capability: mark on a seat's own map what it knows, such as its secret place.

    Lamps and other screens don't show these marks.
    """

    def marks(self, view: Any) -> list[Cue]:
        """Return cues from a viewer's own picture, the most important last: `[Cue("hider", (view.place,))]`."""


class BadResult(Exception):
    """A method of a game returned a value that the contract does not allow.

    `method` returned `found` instead of `wanted`.
    """

    def __init__(self, method: str = "", found: Any = None, wanted: str = "") -> None:
        # The message leaves out the value, which can be a secret and would get into logs.
        super().__init__(method)
        self.method, self.found, self.wanted = method, found, wanted


class Ending(Struct, frozen=True):
    """How a game ended, for statistics, for example `Ending(("red",), "found", rounds=4)`.

    `winners` are seats, none for a draw; a side that no one plays wins by its own name. `counts` are more figures.
    """

    winners: tuple[str, ...]
    reason: str
    rounds: int
    counts: Mapping[str, int] = {}


class Progress(Struct, frozen=True):
    """How far a game has come: the number of the round, and the rest of the countdown, if the game has one."""

    round: int
    countdown: int | None = None


@runtime_checkable
class Progressing(Protocol):
    """Capability: report how far the game has come, for spectators who follow the game from elsewhere."""

    def progress(self, view: Any) -> Progress:
        """Return the progress, from the public view: `Progress(view.round)`."""


@runtime_checkable
class Endings(Protocol):
    """Capability: report who has won and how, for statistics."""

    def ending(self, view: Any) -> Ending | None:
        """Return how the game ended, from the public view; None during the game."""


@runtime_checkable
class Scored(Protocol):
    """Capability: one player plays for the best score, and the table shows the best score of past games."""

    def score(self, view: Any) -> int | None:
        """Return the score of a single player, more is better; None during the game, and with several players."""


class Fortune(Struct, frozen=True):
    """The luck of a seat in a game.

    It has the expected result of all its rolls, the actual result, and the difference in words, without a full stop.
    """

    seat: str
    expected: float
    got: float
    said: Text


@runtime_checkable
class Fortunes(Protocol):
    """Capability: compare the luck of the players in a finished game."""

    def fortunes(self, events: Iterable[Event]) -> Sequence[Fortune]:
        """Return the luck of each seat that has rolled: `[Fortune("red", 3.2, 1.8, Text("1.4 stars too few"))]`."""


@runtime_checkable
class Figures(Protocol):
    """Capability: more figures of a finished game, besides rounds, acts and time."""

    def figures(self, events: Iterable[Event]) -> Sequence[tuple[Text, int]]:
        """Return counts from all events, including secret ones: `[(Text("Shots"), 7)]`."""


class Cost(Struct, frozen=True):
    """What an event cost a player, in units of the game: `Cost("red", 2)`."""

    seat: str
    amount: int


@runtime_checkable
class Costs(Protocol):
    """Capability: what events cost players. The end screen names the round that cost each loser most."""

    def cost(self, ending: Ending, event: Event) -> Cost | None:
        """Return what a public event cost a player; None for most events.

        Only costs that matter for this ending count. For example: `Cost(event.seat, event.lost) if isinstance(event,
        Robbed) else None`.
        """


@runtime_checkable
class Routes(Protocol):
    """Capability: where a hidden player went in a finished game."""

    def route(self, events: Iterable[Event]) -> Sequence[Sequence[str]]:
        """Return the spaces of each turn in order, from all events.

        Each turn begins with the last space of the turn before.
        """


@runtime_checkable
class Highlights(Protocol):
    """Capability: mark the events of a finished game that people look for."""

    def is_highlight(self, event: Event) -> bool:
        """Return whether people look for this event, for example a hit, a wound or the end."""


class Posed(Struct, frozen=True):
    """A question about a position.

    With `choices` (key -> label), the answer is one of them. Without `choices`, the answer is a set of spaces, which
    may be empty: some of those `offered`.

    With `choices` (key -> label) the answer is one of them; without, spaces to mark: some of those `offered`, any if
    there are none. `path` is a way to draw, from its start. `why` explains the answer afterwards.
    """

    question: Text
    why: Text
    choices: Mapping[str, Text] = {}
    offered: tuple[str, ...] = ()
    path: tuple[str, ...] = ()


@runtime_checkable
class Puzzling(Protocol):
    """Capability: ask about positions in `puzzles/` of the game's folder (docs/puzzles.md)."""

    def puzzle(self, view: Any, kind: str, about: Mapping[str, Any]) -> Posed:
        """Return a question of this kind, for the seat with this view: `Posed(Text("Who hears it?"), Text("Red."))`.

        `about` has what else the question needs, as its file says; `about["possible"]` are the spaces that everyone can
        deduce, if there are any.
        """


@runtime_checkable
class PlayersMiniatures(OnBoard, Protocol):
    """Capability: the miniatures of one colour belong to a player."""

    def owner(self, colour: str) -> Text:
        """Return the name of the owner of a colour's miniatures, for the middle of a sentence: `Text("player 1")`."""


class RandomPosition(Struct, frozen=True):
    """A described position, and how many more moves the miniatures of each colour may make in it."""

    position: dict[str, Any]
    moves: Mapping[str, int]


@runtime_checkable
class RandomPositions(Protocol):
    """Capability: create positions with many possible moves, for simulated players."""

    def random_position(self, board: Map, random: Random) -> RandomPosition:
        """Return a position with default options, in which a seat on the board is to act."""


@runtime_checkable
class PublicPositions(Protocol):
    """Capability: create positions from public facts only, for board recordings that people send to others."""

    def public_position(self, view: Any, possible: Sequence[str]) -> dict[str, Any]:
        """Return a position that fits the public view. Hidden pieces are on one of the `possible` spaces."""


@runtime_checkable
class DecidesForSeat(Protocol):
    """Capability: decide an act with the seat that makes it, for games in which several seats choose at the same time.

    `decide_for` replaces `decide`.
    """

    def decide_for(self, truth: Any, seat: str, command: Command, chance: Chance) -> Iterable[Told]:
        """Return the events that follow from a checked command of `seat`: `[Told(Chosen(seat, card), only(seat))]`."""


@runtime_checkable
class Teams(Protocol):
    """Capability: several seats are one side, for the arena and for ratings."""

    def teams(self, options: Any) -> Mapping[str, tuple[str, ...]]:
        """Return side -> its seats, every seat once: `{"runner": ("runner",), "detectives": ("red", "blue")}`."""


@runtime_checkable
class Twinned(Protocol):
    """Capability: change the secrets of a position, to check secrecy. Needed if `position` can't draw them again."""

    def twins(self, state: dict[str, Any], random: Random) -> dict[str, Any] | None:
        """Return the same position with other secrets of all seats; None if there are no others.

        Public facts stay the same.

        For example `{**state, "treasure": random.choice(state["possible"])}`.
        """


@runtime_checkable
class Revealing(Protocol):
    """Capability: name the events that reveal a secret to everyone each time, because the rules say so."""

    reveals: tuple[str, ...]
    """Tags of these events, for example `("cards-turned",)`. The end of a game needs no entry."""


@runtime_checkable
class NeedsMap(Protocol):
    """Capability: play on drawn maps that fit the game."""

    def map_faults(self, board: Map) -> list[Text]:
        """Return what a map lacks, each a sentence: `[Text("The map needs an entry.")]`; an empty list if it fits."""


@runtime_checkable
class MakesMaps(Protocol):
    """Capability: play on boards that the game generates, for example with `engine.graph.builder`."""

    def map_names(self) -> tuple[str, ...]:
        """Return the names of the boards, which are their `Map.slug`, for example `("island",)`."""

    def make_map(self, name: str) -> Map:
        """Return the board called `name`, one of `map_names`; equal every time."""

    def map_options(self, name: str) -> Mapping[str, Any]:
        """Return the options that a board fixes, such as `{"players": 4}`; a request may leave them out."""


@runtime_checkable
class DecoratesMaps(Protocol):
    """Capability: decorate generated boards beyond their spaces."""

    def map_art(self, board: Map, say: Callable[[Text], str] = str) -> Overlay:
        """Return the overlay with colours, lines and words of a board, but no strip below it.

        `say` translates the words.
        """


@runtime_checkable
class LampBoards(MakesMaps, Cues, Protocol):
    """Capability: show a game without a map on a board of lamps. `board` stays None, and the lamps take no acts."""

    def lamp_board(self, options: Any) -> str:
        """Return the name of the board for a game with these options, one of `map_names`."""


@runtime_checkable
class ReadsDrawings(MapRules, Protocol):
    """Capability: check maps while they are drawn, and report what the game reads from them."""

    def map_facts(self, board: Map) -> dict[str, dict[str, str]]:
        """Return the places that the game reads from a map: `{"entries": {sector: space}, "starts": {unit: space}}`."""


def decided(game: Game, truth: Any, seat: str, command: Command, chance: Chance) -> Iterable[Told]:
    """Return the events that follow from a checked command of `seat`."""
    decide_for = getattr(game, "decide_for", None)  # faster than `isinstance`, for every act of every simulated game
    events: Iterable[Told]
    events = game.decide(truth, command, chance) if decide_for is None else decide_for(truth, seat, command, chance)
    return events


def sides(game: Game, options: Any) -> dict[str, tuple[str, ...]]:
    """Return side -> its seats, in the order of the seats; without `Teams`, each seat is its own side."""
    names = [seat.name for seat in game.seats(options)]
    seats_by_side = dict(game.teams(options)) if isinstance(game, Teams) else {name: (name,) for name in names}
    return dict(sorted(seats_by_side.items(), key=lambda side: names.index(side[1][0])))


def has_won(winners: Sequence[str], side: str, seats: Sequence[str]) -> bool:
    """Return whether a side is among the winners, under its own name or that of one of its seats."""
    return side in winners or any(seat in winners for seat in seats)
