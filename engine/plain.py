"""Base class of small games, so that they need no code to read and write plain values."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Struct, structs

from engine.events import Event, Told
from engine.game import REFEREE, TABLE, BadResult, Command
from engine.naming import Forced, convert, decoded, kinds_in, read_forced, reason, require_known
from engine.options import OptionForm
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat, seat_names
from engine.text import Text

# Decoders are created once, because that takes longer than reading a command.
_ACTION, _UNREADABLE = Text("action"), Text("The action cannot be read: {error}.")
_OPTIONS_UNREADABLE = Text("The options cannot be read: {error}.")
_POSITION_UNREADABLE = Text("The position cannot be read: {error}.")


class Draw(NamedTuple):
    """A kind of random draw, and the event and field that contain its result; none if only `position` draws it.

    With `joined`, the result of one draw is spread over several events, for example if every seat receives its own
    cards. With `top`, the event contains only the beginning of a shuffled list. `forced` returns the results that a
    request may force on a board; without it, only `Chance` checks them, when they are drawn.
    """

    kind: str
    event: type[Event] | None = None
    field: str = ""
    joined: bool = False
    top: bool = False
    forced: Forced | Callable[[Any], Forced] | None = None


class Refusal(NamedTuple):
    """The reason for refusing acts of a type (or of several types, `Ask | Seize`): a rule and a sentence.

    A refusal without a type applies to seats that may not act at all, and to acts without another refusal.
    """

    rule: str
    text: Text
    command: Any = None


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """No options."""


class Picture(Struct, frozen=True):
    """What one viewer knows: the board (None without a map), the options, and everything that changes during play."""

    board: Any
    options: Any
    at: Any


class PlainGame:
    """Base class of games whose commands, events, options and positions are structs. The game names their types::

        class Treasure(PlainGame):
            players = (Seat("red", Text("seeker"), secret=False), Seat("hider", Text("hider"), secret=True))
            command_types = Hide | Roll | Walk
            event_types = Begun | Hidden | Rolled | Walked
            option_type = Options
            position_type = Position
            draws = (Draw("order", Begun, "order"), Draw("die", Rolled, "number"), Draw("treasure"))
            refusals = (
                Refusal("TR-TURN-01", Text("It is not your turn.")),
                Refusal("TR-WALK-01", Text("Your steps do not reach that far."), Walk),
            )

    The field `at` of a picture is a struct, or a dataclass, with everything that changes during play; facts unknown to
    the viewer are None. A game overrides the methods that don't fit it.
    """

    players: tuple[Seat, ...] = ()
    command_types: Any = None
    event_types: Any = None
    option_type: Any = NoOptions
    option_form = OptionForm()
    position_type: Any = None
    draws: tuple[Draw, ...] = ()
    highlights: tuple[type[Event], ...] = ()
    refusals: tuple[Refusal, ...] = ()

    # --- starting ---------------------------------------------------------------------------------------------------

    def seats(self, options: Any) -> tuple[Seat, ...]:
        """Return the `players`, whatever the options."""
        return self.players

    def start(self, board: Any, options: Any) -> Any:
        """Return the position before any event, which everyone knows: a `position_type` with its defaults.

        Write this method if it depends on the board or the options.
        """
        return self.position_type()

    def blank(self, board: Any, options: Any) -> dict[str, Any]:
        """Return the picture of the `start` for every viewer. Raises `NotUnderstood` for another game's board."""
        if not self._is_played_on(board):
            title = Text(self.title)  # type: ignore[attr-defined]
            raise NotUnderstood(Text("{game} is not played on this map.", game=title))
        picture = Picture(board, options, self._is_position("start", self.start(board, options)))
        return dict.fromkeys((*seat_names(self.seats(options)), TABLE, REFEREE), picture)

    def _is_played_on(self, board: Any) -> bool:
        has_map = any(hasattr(self, it) for it in ("make_map", "map_faults", "standing"))
        has_map = has_map and not hasattr(self, "lamp_board")
        if board is None or not has_map:
            return board is None and not has_map
        if hasattr(self, "make_map") and board.slug in self.map_names():
            return True
        if hasattr(self, "map_faults"):
            return not self.map_faults(board)
        return not hasattr(self, "make_map")

    def setup(self, board: Any, options: Any, chance: Any) -> Iterable[Told]:
        """Return no events, because the game begins at the `start`."""
        return ()

    def position(self, board: Any, options: Any, raw: Any, chance: Any) -> dict[str, Any]:
        """Return the pictures of a described position; fields that the description leaves out are as at the `start`.

        `completed` draws its secrets, and `seen_by` hides them. Raises `NotUnderstood`.
        """
        blank = self.blank(board, options)
        given = convert({} if raw is None else raw, dict, _POSITION_UNREADABLE)
        start = msgspec.to_builtins(blank[REFEREE].at)
        at = convert({**start, **given}, self.position_type, _POSITION_UNREADABLE)
        at = self._is_position("completed", self.completed(Picture(board, options, at), chance))
        known = {viewer: self._is_position("seen_by", self.seen_by(viewer, at)) for viewer in blank}
        return {viewer: Picture(board, options, at) for viewer, at in known.items()}

    def _is_position(self, method: str, at: Any) -> Any:
        """Return the result of a method of the game. Raises `BadResult` if it is not a position."""
        if not isinstance(at, self.position_type):
            raise BadResult(method, at, f"a {self.position_type.__name__}, the position_type")
        return at

    def completed(self, view: Any, chance: Any) -> Any:
        """Return the position of `view` with all secrets; without secrets, this is the position itself.

        Override this method to draw secrets that a description leaves out (None), or to check names in a position, such
        as spaces. Raises `NotUnderstood`.
        """
        return view.at

    def seen_by(self, viewer: str, at: Any) -> Any:
        """Return a position as `viewer` knows it, with None for unknown facts. By default, everything is known."""
        return at

    # --- playing ----------------------------------------------------------------------------------------------------

    def to_act(self, view: Any) -> tuple[str, ...]:
        """Return the seat `turn` of the position, or the only seat of a game for one player; no seat after the end."""
        if self.outcome(view) is not None:  # type: ignore[attr-defined]
            return ()
        return (view.at.turn if hasattr(view.at, "turn") else self.players[0].name,)

    def check(self, view: Any, seat: str, command: Any) -> Any:
        """Return a legal command. Raises `Refused` with one of the `refusals`."""
        if seat not in self.to_act(view):
            raise self._refused(None)
        if command not in self.legal(view, seat):  # type: ignore[attr-defined]
            raise self._refused(command)
        return command

    def _refused(self, command: Any) -> Refused:
        why = next((it for it in self.refusals if it.command and isinstance(command, it.command)), None)
        why = why or next(it for it in self.refusals if it.command is None)
        return Refused(why.rule, why.text)

    def options(self) -> OptionForm:
        """Return the `option_form`; the default form has no options."""
        return self.option_form

    def read_options(self, raw: Any) -> Any:
        """Return the options. Raises `NotUnderstood`."""
        return convert({} if raw is None else raw, self.option_type, _OPTIONS_UNREADABLE)

    def part(self, command: Command) -> str | None:
        """Return None: no seat has parts."""
        return None

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """Return the results of the `draws` from the events, as forced results."""
        found: list[tuple[str, Any]] = []
        parts: dict[str, list[Any]] = {}
        for event in (told.event for told in telling):
            for draw in self.draws:
                if draw.event is None or not isinstance(event, draw.event):
                    continue
                value = getattr(event, draw.field)
                if draw.joined:
                    if draw.kind not in parts:
                        found.append((draw.kind, parts.setdefault(draw.kind, [])))
                    parts[draw.kind] += value if isinstance(value, tuple) else (value,)
                elif value is not None:
                    result = [value] if draw.top else [*value] if isinstance(value, tuple) else value
                    found.append((draw.kind, result))
        return found

    def read_luck(self, board: Any, raw: Sequence[tuple[str, Any]]) -> list[tuple[str, Any]]:
        """Return the results as `Chance` takes them. Raises `NotUnderstood` for a kind that isn't one of `draws`."""
        kinds = {draw.kind: draw.forced(board) if callable(draw.forced) else draw.forced for draw in self.draws}
        top = {draw.kind for draw in self.draws if draw.top}
        return [(kind, [value] if kind in top else value) for kind, value in read_forced(raw, kinds)]

    def read_command(self, seat: str, raw: Any) -> Any:
        """Return one of the `command_types`. Raises `NotUnderstood`.

        It may be the command of another seat, which `check` refuses.
        """
        try:
            return decoded(raw, self.command_types)
        except msgspec.ValidationError as why:
            kind = raw.get("type") if isinstance(raw, dict) else None
            if isinstance(kind, str):
                require_known(_ACTION, [kind], kinds_in(self.command_types))
            raise NotUnderstood(_UNREADABLE.with_(error=reason(why))) from why

    def read_event(self, raw: Any, /) -> Any:
        """Return one of the `event_types`. Raises `msgspec.ValidationError`."""
        return decoded(raw, self.event_types)

    def is_highlight(self, event: Event) -> bool:
        """Return whether an event is one of the `highlights`, which people look for in a past game."""
        return isinstance(event, self.highlights)

    # --- capabilities: the table finds them once a game has `standing` and `placements`, or `make_map` --------------

    def optional(self, view: Any) -> frozenset[str]:
        """Return nothing: only the miniatures of `standing` are on the board."""
        return frozenset()

    def colour(self, miniature: str, /) -> str:
        """Return the name of the miniature, which is also its colour."""
        return miniature

    def called(self, miniature: str, /) -> Text:
        """Return the name of the miniature as it is. Write this method if the game is translated."""
        return Text("the {miniature}", miniature=miniature.replace("-", " "))

    def alike(self, one: str, other: str) -> bool:
        """Return False for two miniatures: each looks different."""
        return one == other

    def opening(self, view: Any) -> bool:
        """Return False: no act has to wait for miniatures to be in their places."""
        return False

    def begins(self, command: Command) -> bool:
        """Return True: while the game is `opening`, every act needs the miniatures in their places."""
        return True

    def map_names(self) -> tuple[str, ...]:
        """Return the name of the game, which is also that of its only board."""
        return (self.name,)  # type: ignore[attr-defined]

    def map_options(self, name: str) -> Mapping[str, Any]:
        """Return no options: no board fixes any."""
        return {}

    # --- pictures ---------------------------------------------------------------------------------------------------

    def state(self, view: Any, /) -> dict[str, Any]:
        """Return the fields of the position."""
        state: dict[str, Any] = msgspec.to_builtins(view.at)
        return state

    def view(self, view: Any) -> dict[str, Any]:
        """Return the position, and who is to act.

        This can tell a seat no secret: its picture follows from the board, the options and the events that it was sent.
        """
        return {**self.state(view), "to_act": self.to_act(view)}


def facts_of(things: Mapping[str, Any], *names: str) -> dict[str, dict[str, Any]]:
    """Return facts by name for a `glossary`, for example `{name: {"title": …}}`."""
    return {name: {fact: getattr(thing, fact) for fact in names} for name, thing in things.items()}


_READ_BY = {
    "players": ("seats",),
    "command_types": ("read_command",),
    "event_types": ("read_event",),
    "position_type": ("position", "blank"),
    "refusals": ("check",),
}
"""Names that a plain game must declare, each with the methods that read it."""


def unsaid_types(game: object) -> list[str]:
    """Return the names that a game must declare but doesn't: those that its inherited methods read."""
    if not isinstance(game, PlainGame):
        return []
    kind = type(game)
    inherited = {name for name, method in vars(PlainGame).items() if getattr(kind, name) is method}
    used = (said for said, methods in _READ_BY.items() if {*methods} & inherited)
    unsaid = [said for said in used if not getattr(game, said)]
    form: type[Any] | None = game.position_type
    if form is not None and (form is Picture or not isinstance(form, type)):
        return [*unsaid, "a class of its own as its position_type"]
    fields = getattr(form, "__struct_fields__", ()) or getattr(form, "__dataclass_fields__", ())
    knows_turn = "turn" in fields or len(game.players) == 1
    if "to_act" in inherited and not knows_turn and "position_type" not in unsaid:
        unsaid.append("to_act (or the field turn of its position_type)")
    needed = [it.name for it in structs.fields(form) if it.required] if form and issubclass(form, Struct) else []
    if {"start", "blank"} <= inherited and needed:
        unsaid.append(f"start() (or a default for {needed[0]} in its position_type)")
    if "luck" in inherited:
        named = ((event, field) for _, event, field, *_ in game.draws if event is not None)
        unknown = ((event.__name__, field) for event, field in named if field not in event.__struct_fields__)
        unsaid += [f"the field {field} of {event}, which its draws name" for event, field in unknown]
    if game.refusals and all(it.command for it in game.refusals):
        unsaid.append("a Refusal without a command in its refusals")
    if not all(isinstance(it, type) for it in game.highlights):
        unsaid.append("types of events as its highlights")
    return unsaid
