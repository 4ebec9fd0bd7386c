"""The options of a game, as data: the lobby draws its controls from them and knows none by name.

Each option stands at a `path` in the JSON object that `Game.read_options` takes: `("switches", "R-36")` is
`{"switches": {"R-36": …}}`. A `rule` is the number of a rule in the game's book, "" for none. A `title` is a `Text`,
or a name that is alike in all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.text import Text

Path = tuple[str, ...]
Scalar = str | int | bool | None
"""What one control sets, as JSON."""


class Value(Struct, frozen=True):
    """One of several values of an option. `about` says what it means."""

    value: Scalar
    title: str
    about: Text | None = None
    rule: str = ""


class Switch(Struct, frozen=True, tag="switch"):
    """A box to tick: it sets `ticked`, and without the tick the opposite."""

    path: Path
    title: str
    about: Text | None = None
    rule: str = ""
    ticked: bool = True
    default: bool = False


class Number(Struct, frozen=True, tag="number"):
    """A whole number from `least` to `most`."""

    path: Path
    title: str
    least: int
    most: int
    default: int
    about: Text | None = None
    rule: str = ""


class Choice(Struct, frozen=True, tag="choice"):
    """Exactly one of `values`."""

    path: Path
    title: str
    values: tuple[Value, ...]
    default: Scalar
    about: Text | None = None
    rule: str = ""


class Several(Struct, frozen=True, tag="several"):
    """Any number of `values`, as a list in their order."""

    path: Path
    title: str
    values: tuple[Value, ...]
    default: tuple[Scalar, ...] = ()
    about: Text | None = None
    rule: str = ""


Option = Switch | Number | Choice | Several


class OptionGroup(Struct, frozen=True):
    """Options that are shown together. `folded` ones are opened with a tap on the title; `about` stands beside it."""

    name: str
    options: tuple[Option, ...]
    title: Text | None = None
    about: Text | None = None
    folded: bool = False


class OptionValue(Struct, frozen=True):
    """A value of the option at `path`; of a `Several`, one of its values."""

    path: Path
    value: Scalar


class Exclusion(Struct, frozen=True):
    """Two settings that cannot be had together, and why."""

    one: OptionValue
    other: OptionValue
    why: Text
    rule: str = ""


class OptionForm(Struct, frozen=True):
    """All that can be chosen for a game, and what excludes what."""

    groups: tuple[OptionGroup, ...] = ()
    excludes: tuple[Exclusion, ...] = ()

    def __iter__(self) -> Iterator[Option]:
        """Every option, in order."""
        return (option for group in self.groups for option in group.options)


def at(options: Mapping[str, Any], path: Sequence[str]) -> Any:
    """What stands at `path`; None for nothing."""
    found: Any = options
    for name in path:
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def put(options: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """A copy of `options` with `value` at `path`."""
    name, *rest = path
    inner = options.get(name)
    return {**options, name: put(inner if isinstance(inner, Mapping) else {}, rest, value) if rest else value}


def filled(options: Mapping[str, Any], given: Mapping[str, Any]) -> dict[str, Any]:
    """`options` with what they leave out, or leave null, taken from `given`."""
    return {**options, **{name: value for name, value in given.items() if options.get(name) is None}}


def defaults(form: OptionForm) -> dict[str, Any]:
    """The options that nobody has changed, as JSON."""
    found: dict[str, Any] = {}
    for option in form:
        default: Any = option.default
        found = put(found, option.path, list(default) if isinstance(option, Several) else default)
    return found
