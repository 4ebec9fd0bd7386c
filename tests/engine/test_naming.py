"""Reading commands: which fields name something, which unknown name is reported first, and how JSON is converted."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from msgspec import Struct

from engine import naming
from engine.game import Command
from engine.naming import LONGEST_QUOTE, Naming, any_of, convert, present, require_known, tagged
from engine.refusal import NotUnderstood
from engine.text import Text


class Inner(Struct, frozen=True):
    """A field with a field of its own."""

    space: str


class Go(Command, tag="go", frozen=True):
    """A command that names units and spaces in all possible ways."""

    unit: str
    path: tuple[str, ...] = ()
    mine: Inner | None = None
    note: str = ""


class Rest(Command, tag="rest", frozen=True):
    """A command without names."""


NAMING: Naming[set[str]] = Naming(
    {
        "path": (Text("space"), lambda view: view),
        "mine.space": (Text("space"), lambda view: view),
        "unit": (Text("unit"), lambda view: ("red", "black")),
    }
)


def test_message_about_long_input_stays_short() -> None:
    """It repeated the input, so the table took the refusal for a fault of the game."""
    with pytest.raises(NotUnderstood) as refused:
        convert({"when": "x" * 10_000}, dict[str, Literal["now", "later"]], Text("No: {error}"))
    assert len(str(refused.value)) < 400
    assert str(refused.value).endswith("at `$[...]`")


def test_known_names_are_accepted() -> None:
    NAMING.require({"A1", "B2"}, Go("red", ("A1", "B2"), Inner("A1"), "anything"))
    NAMING.require(set(), Go("black"))
    NAMING.require(set(), Rest())


@pytest.mark.parametrize(
    ("command", "error"),
    [
        (Go("green"), "unit 'green'; known are red, black"),
        (Go("green", ("A1", "Z9")), "space 'Z9'"),
        (Go("green", (), Inner("Y8")), "space 'Y8'"),
        (Go("red", ("X7",), Inner("Y8")), "space 'X7'"),
    ],
)
def test_first_noun_of_the_game_is_reported_first(command: Command, error: str) -> None:
    with pytest.raises(NotUnderstood, match=error):
        NAMING.require({"A1"}, command)


def test_error_repeats_only_the_start_of_a_long_name() -> None:
    with pytest.raises(NotUnderstood) as caught:
        require_known("card", [None, "x" * 1000], ["scope"])
    assert len(str(caught.value)) < 2 * LONGEST_QUOTE


def test_former_name_of_the_check_is_the_same_function() -> None:
    assert naming.known is require_known


def test_union_has_every_tagged_class_of_a_module() -> None:
    kinds = tagged(globals())
    assert kinds == {"go": Go, "rest": Rest}
    assert convert({"type": "rest"}, any_of(kinds.values()), Text("{error}")) == Rest()


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (None, {}),
        ({"space": None, "other": None}, {"other": None}),
        ({"by_name": {"a": {"space": None}, "b": None}}, {"by_name": {"a": {}, "b": {}}}),
        (7, 7),
    ],
)
def test_null_counts_as_absent_only_in_known_fields(raw: Any, read: Any) -> None:
    assert present(raw, Inner, by_name=Inner) == read


def test_conversion_error_says_what_is_wrong() -> None:
    with pytest.raises(NotUnderstood, match=r"The place cannot be read: Expected `str`, got `int` - at `\$\.space`\."):
        convert({"space": 7}, Inner, Text("The place cannot be read: {error}."))


def test_conversion_error_repeats_no_control_character() -> None:
    class Form(Struct, forbid_unknown_fields=True):
        pass

    with pytest.raises(NotUnderstood, match=r"`\\u202eabc`"):
        convert({"\u202eabc": 1}, Form, Text("It cannot be read: {error}."))


def test_unions_that_are_made_at_each_call_do_not_pile_up() -> None:
    for _ in range(naming.MOST_FORMS + 1):
        assert naming.decoded({"type": "x"}, dict[str, str] | float) == {"type": "x"}
    assert len(naming._kinds) <= naming.MOST_FORMS
