"""Reading commands, options and positions: convert decoded JSON, and check that the names in it exist."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce
from operator import or_
from typing import Any, Generic, NamedTuple, TypeVar, get_args

import msgspec
from msgspec import Struct

from engine.events import Event
from engine.game import Command
from engine.graph.fault import printable
from engine.refusal import NotUnderstood
from engine.text import Text, comma_list

P = TypeVar("P")  # The picture of a game
Noun = tuple[Text, Callable[[P], Collection[Any]]]
"""The noun for a kind of names, and the names of that kind that exist in a picture."""
LONGEST_QUOTE = 40  # Maximum characters of an unknown name that an error repeats
LONGEST_REASON = 300  # Characters of a message about wrong input, which may repeat it
MOST_FORMS = 256  # Forms of commands, events and options that are kept for reading


def tag_of(value: Struct) -> str:
    """Return the tag of a command, event or hint: its `type` in JSON."""
    return str(type(value).__struct_config__.tag)


def reason(error: msgspec.ValidationError) -> str:
    """Return the message of an error.

    It may repeat a name from the input, so unprintable characters are escaped. A long message loses its middle, because
    its end says where the error is.
    """
    text = printable(str(error))
    return text if len(text) <= LONGEST_REASON else f"{text[: LONGEST_REASON // 2]} … {text[-LONGEST_REASON // 2 :]}"


_kinds: dict[int, tuple[Any, dict[Any, Any]]] = {}


def kinds_in(form: Any) -> dict[Any, Any]:
    """Return the structs of a union (or a single struct) by their tags."""
    # The cache uses the identity of the union, because hashing a union takes longer than reading a command.
    entry = _kinds.get(id(form))
    if entry is None:
        if len(_kinds) >= MOST_FORMS:  # a union that is written inside a function is a new object at each call
            _kinds.clear()
        configs = ((kind, getattr(kind, "__struct_config__", None)) for kind in get_args(form) or (form,))
        tagged = {config.tag: kind for kind, config in configs if config and config.tag_field == "type"}
        # Keep the union itself too, so that no other object can get its identity.
        entry = _kinds[id(form)] = form, tagged
    return entry[1]


def decoded(raw: Any, form: Any) -> Any:
    """Return decoded JSON as a value of the type `form`. Raises `msgspec.ValidationError`.

    msgspec prepares a union at each call, which takes most of the time (70 us for 25 types), so the type is found here.
    """
    tag = raw.get("type") if type(raw) is dict else None
    kind = kinds_in(form).get(tag) if type(tag) is str else None
    if kind is not None:
        try:
            return msgspec.convert(raw, kind)
        except msgspec.ValidationError:
            pass  # decode with the whole union, so that the error names all types
    return msgspec.convert(raw, form)


def convert(raw: Any, form: Any, error: Text) -> Any:
    """Return decoded JSON as a value of the type `form`.

    Raises `NotUnderstood` with the text `error`, whose place `{error}` is filled with what is wrong.
    """
    try:
        return decoded(raw, form)
    except msgspec.ValidationError as why:
        raise NotUnderstood(error.with_(error=reason(why))) from why


def present(raw: Any, form: type[Struct], **inner: type[Struct]) -> Any:
    """Return decoded JSON without fields that are null, because `form` treats them as absent.

    None becomes an empty object. `inner` gives the form of the values of a field that is an object itself.
    """
    if not isinstance(raw, dict):
        return {} if raw is None else raw
    values = {
        name: value for name, value in raw.items() if value is not None or name not in form.__struct_encode_fields__
    }
    for field, of in inner.items():
        if isinstance(value := values.get(field), dict):
            values[field] = {name: present(part, of) for name, part in value.items()}
    return values


def tagged(module: Mapping[str, Any]) -> dict[str, type[Any]]:
    """Return all commands or events of a module by their tags, in order: `KINDS = tagged(globals())`."""
    # The base classes `Command` and `Event` may be among them; they have no tag.
    kinds = (kind for kind in module.values() if isinstance(kind, type) and issubclass(kind, Command | Event))
    return {str(kind.__struct_config__.tag): kind for kind in kinds if kind.__struct_config__.tag is not None}


def any_of(kinds: Iterable[type[Any]]) -> Any:
    """Return the union of some types, as a form for `convert`."""
    return reduce(or_, kinds)


def require_known(what: str, names: Iterable[Any], among: Collection[Any]) -> None:
    """Check that all `names` exist, which means that they are `among` the known names. None stands for no name.

    `what` is the noun for the error, such as "space". Raises `NotUnderstood` for the first unknown name.
    """
    for name in names:
        if name is not None and name not in among:
            # Don't write "known are" before an empty list.
            if not among:
                raise NotUnderstood(Text("There is no {what} {name}; none is known here.", what=what, name=repr(name)))
            every = comma_list(map(str, among))
            text = Text("There is no {what} {name}; known are {known}.")
            raise NotUnderstood(text.with_(what=what, name=repr(name)[:LONGEST_QUOTE], known=every))


class Forced(NamedTuple):
    """A kind of random result that can be forced: its type, its description, and the names that it may have."""

    form: Any
    meaning: str
    what: str = ""
    among: Collection[Any] = ()


def read_forced(raw: Iterable[tuple[str, Any]], kinds: Mapping[str, Forced | None]) -> list[tuple[str, Any]]:
    """Return forced results from decoded JSON. Raises `NotUnderstood` for an unknown kind or name, or a wrong type.

    Whether a result is possible is checked when it is used. A kind without a `Forced` has any type.
    """
    results = list(raw)
    require_known("forced result", [kind for kind, _ in results], kinds)
    return [(kind, value if (form := kinds[kind]) is None else _forced(kind, value, form)) for kind, value in results]


def _forced(kind: str, raw: Any, forced: Forced) -> Any:
    try:
        value = msgspec.convert(raw, forced.form)
    except msgspec.ValidationError as why:
        text = Text("The forced result {kind} cannot be read: {error}. It is {meaning}.")
        raise NotUnderstood(text.with_(kind=repr(kind), error=reason(why), meaning=forced.meaning)) from why
    if forced.what:
        names = value.values() if isinstance(value, Mapping) else [value] if isinstance(value, str) else value
        require_known(forced.what, names, forced.among)
    return value


class Naming(Generic[P]):
    """The nouns of a game: the fields of its commands that contain names, in the order in which they are checked.

    The following checks the field `space`, and the field `space` of a field `mine`::

        NOUNS = {"space": (Text("space"), spaces), "mine.space": (Text("space"), spaces)}
        Naming(NOUNS).require(view, command)
    """

    def __init__(self, nouns: Mapping[str, Noun[P]]) -> None:
        self._nouns = [(*field.partition(".")[::2], noun) for field, noun in nouns.items()]
        self._of: dict[type[Command], list[tuple[str, str, Noun[P]]]] = {}

    def require(self, view: P, command: Command) -> None:
        """Check every name in `command`; a field that is None names nothing. Raises `NotUnderstood`."""
        kind = type(command)
        nouns = self._of.get(kind)
        if nouns is None:
            nouns = self._of[kind] = [noun for noun in self._nouns if noun[0] in kind.__struct_fields__]
        for outer, inner, (what, among) in nouns:
            value = getattr(command, outer)
            if inner:
                value = getattr(value, inner, None)
            if type(value) is tuple:
                require_known(what, value, among(view))
            elif value is not None and value not in (known_names := among(view)):
                require_known(what, (value,), known_names)


# A former name, for games that were written before.
known = require_known
