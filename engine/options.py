"""The options of a game, as data. The lobby creates its controls from them and knows no option by name.

Each option sets one value in the JSON object for `Game.read_options`, at its `path`: `("switches", "T-3")` is
`{"switches": {"T-3": …}}`. A `rule` is a number in the game's book, "" for none. A `title` is a `Text`, or a plain
string if it is the same in all languages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.text import Text

Path = tuple[str, ...]
Scalar = str | int | bool | None  # The JSON value that one control sets


class Value(Struct, frozen=True):
    """One of several values of an option. `about` explains it."""

    value: Scalar
    title: str
    about: Text | None = None
    rule: str = ""


class Switch(Struct, frozen=True, tag="switch"):
    """A checkbox, for example `Switch(("healing",), Text("Healing"))`.

    The value is `ticked` while the box is checked, else the opposite.
    """

    path: Path
    title: str
    about: Text | None = None
    rule: str = ""
    ticked: bool = True
    default: bool = False


class Number(Struct, frozen=True, tag="number"):
    """A whole number, for example `Number(("rounds",), Text("Rounds"), 1, 9, default=4)`."""

    path: Path
    title: str
    least: int
    most: int
    default: int
    about: Text | None = None
    rule: str = ""


class Choice(Struct, frozen=True, tag="choice"):
    """One of `values`."""

    path: Path
    title: str
    values: tuple[Value, ...]
    default: Scalar
    about: Text | None = None
    rule: str = ""


class Several(Struct, frozen=True, tag="several"):
    """Any number of `values`, as a list in their order.

    If `hampers` names a seat, each value is a handicap for that seat.
    """

    path: Path
    title: str
    values: tuple[Value, ...]
    default: tuple[Scalar, ...] = ()
    about: Text | None = None
    rule: str = ""
    hampers: str = ""


Option = Switch | Number | Choice | Several


class OptionGroup(Struct, frozen=True):
    """Options that are shown together. A `folded` group opens with a tap on its title; `about` is shown next to it."""

    name: str
    options: tuple[Option, ...]
    title: Text | None = None
    about: Text | None = None
    folded: bool = False

    @classmethod
    def of_rulings(cls, switched_off: Mapping[str, Text]) -> OptionGroup:
        """Return an option group with a switch for each ruling.

        `switched_off` maps a ruling to the text that says what applies without it. Each switch sets the value at
        `("switches", ruling)`, which is true while the ruling applies.
        """
        switches = (
            Switch(("switches", ruling), ruling, off, ruling, ticked=False, default=True)
            for ruling, off in switched_off.items()
        )
        title, about = Text("Read the rules another way"), Text("Rulings that you can switch off.")
        return cls("rulings", tuple(switches), title, about, folded=True)


class OptionValue(Struct, frozen=True):
    """A value of the option at `path`; for `Several`, one of its values."""

    path: Path
    value: Scalar


class Exclusion(Struct, frozen=True):
    """Two values that exclude each other, and why."""

    one: OptionValue
    other: OptionValue
    why: Text
    rule: str = ""


class OptionForm(Struct, frozen=True):
    """All options of a game, and the values that exclude each other. Iterating gives every option, in order."""

    groups: tuple[OptionGroup, ...] = ()
    excludes: tuple[Exclusion, ...] = ()

    def __iter__(self) -> Iterator[Option]:
        return (option for group in self.groups for option in group.options)


def at(options: Mapping[str, Any], path: Sequence[str]) -> Any:
    """Return the value of the options at `path`; None if it is missing."""
    value: Any = options
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def put(options: Mapping[str, Any], path: Sequence[str], value: Any) -> dict[str, Any]:
    """Return a copy of `options` with `value` at `path`."""
    # Every level is copied, because the caller may share parts of its options.
    name, *rest = path
    inner = options.get(name)
    return {**options, name: put(inner if isinstance(inner, Mapping) else {}, rest, value) if rest else value}


def filled(options: Mapping[str, Any], fallback: Mapping[str, Any]) -> dict[str, Any]:
    """Return `options`, with missing and null values replaced by those of `fallback`."""
    return {**options, **{name: value for name, value in fallback.items() if options.get(name) is None}}


def defaults(form: OptionForm) -> dict[str, Any]:
    """Return the default options, as JSON."""
    options: dict[str, Any] = {}
    for option in form:
        # JSON has no tuples, only lists.
        default: Any = option.default
        options = put(options, option.path, list(default) if isinstance(option, Several) else default)
    return options


def handicapped_seats(form: OptionForm, options: Mapping[str, Any]) -> set[str]:
    """Return the seats for which the options are a handicap."""
    return {it.hampers for it in form if isinstance(it, Several) and it.hampers and at(options, it.path)}
