"""What all small games have in common: reading and writing plain values, without code of their own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, get_args

import msgspec
from msgspec import Struct

from engine.events import Event, Told
from engine.game import Command
from engine.naming import Forced, convert, decoded, read_forced, require_known
from engine.options import OptionForm
from engine.text import Text

# Made once, because making them takes longer than reading a command.
_ACTION, _UNREADABLE = Text("action"), Text("The action cannot be read: {error}.")
_OPTIONS_UNREADABLE = Text("The options cannot be read: {error}.")


class Draw(NamedTuple):
    """A kind of chance, and the field of an event that tells its result; none if only `position` draws it.

    With `joined`, one draw is told in several events, each a part, as when every seat is told its own cards. With
    `top`, the event tells only the first of a shuffled list. `forced` says which results a request may force, on a
    board where it depends on that; without it, only `Chance` checks a value, when it is drawn.
    """

    kind: str
    event: type[Event] | None = None
    field: str = ""
    joined: bool = False
    top: bool = False
    forced: Forced | Callable[[Any], Forced] | None = None


class NoOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """No options."""


class PlainGame:
    """Methods of the contract for a game to inherit, if its values are structs. It says their types::

        class Treasure(PlainGame):
            command_types = Hide | Roll | Walk
            event_types = Begun | Hidden | Rolled | Walked
            option_type = Options
            draws = (Draw("order", Begun, "order"), Draw("die", Rolled, "number"), Draw("treasure"))

    The field `at` of a picture is a struct, or a dataclass, with all that changes during play; what
    the viewer was not told is None in it. A game writes the methods that don't fit it itself.
    """

    command_types: Any = None
    event_types: Any = None
    option_type: Any = NoOptions
    option_form = OptionForm()
    draws: tuple[Draw, ...] = ()
    highlights: tuple[type[Event], ...] = ()

    def options(self) -> OptionForm:
        """Return the `option_form`, which has no options here."""
        return self.option_form

    def read_options(self, raw: Any) -> Any:
        """Return the options. Raises `NotUnderstood`."""
        return convert({} if raw is None else raw, self.option_type, _OPTIONS_UNREADABLE)

    def part(self, command: Command) -> str | None:
        """Return None: no seat has parts."""
        return None

    def luck(self, telling: Iterable[Told]) -> list[tuple[str, Any]]:
        """Return the results of the `draws` in the events."""
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
        """Return one of the `command_types`; `check` refuses those of other seats. Raises `NotUnderstood`."""
        kind = raw.get("type") if isinstance(raw, dict) else None
        if isinstance(kind, str):
            kinds = get_args(self.command_types) or (self.command_types,)
            require_known(_ACTION, [kind], [it.__struct_config__.tag for it in kinds])
        return convert(raw, self.command_types, _UNREADABLE)

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
        """Return False: no act waits until the miniatures are in their places."""
        return False

    def begins(self, command: Command) -> bool:
        """Return True: while the game is `opening`, every act needs the miniatures in their places."""
        return True

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
        return {**self.state(view), "to_act": self.to_act(view)}  # type: ignore[attr-defined]


def facts_of(things: Mapping[str, Any], *names: str) -> dict[str, dict[str, Any]]:
    """Return name -> these facts of a thing, for a `glossary`."""
    return {name: {fact: getattr(thing, fact) for fact in names} for name, thing in things.items()}


def unsaid_types(game: object) -> list[str]:
    """Return the types that a game must declare and doesn't, because it inherits the methods that read them."""
    kind, reads = type(game), {"read_command": "command_types", "read_event": "event_types"}
    inherits = (types for method, types in reads.items() if getattr(kind, method, 0) is getattr(PlainGame, method))
    return [types for types in inherits if getattr(game, types) is None]
