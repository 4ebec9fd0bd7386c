"""Whether what a command names exists: which fields are looked at, and what is told first."""

from __future__ import annotations

from collections.abc import Collection, Iterable

import pytest
from msgspec import Struct

from engine.game import Command
from engine.naming import Naming
from engine.text import Text


class Inner(Struct, frozen=True):
    """A field with a field of its own."""

    space: str


class Go(Command, frozen=True):
    """Names units and spaces in all the ways that a command can."""

    unit: str
    path: tuple[str, ...] = ()
    mine: Inner | None = None
    note: str = ""


class Rest(Command, frozen=True):
    """Names nothing."""


class Unknown(Exception):
    """What is told."""


def known(what: Text, names: Iterable[object], among: Collection[object]) -> None:
    for name in names:
        if name not in among:
            raise Unknown(f"{what} {name}")


NAMING: Naming[set[str]] = Naming(
    {
        "path": (Text("space"), lambda view: view),
        "mine.space": (Text("space"), lambda view: view),
        "unit": (Text("unit"), lambda view: ("red", "black")),
    },
    known,
)


def test_names_that_exist_are_let_through() -> None:
    NAMING.require({"A1", "B2"}, Go("red", ("A1", "B2"), Inner("A1"), "anything"))
    NAMING.require(set(), Go("black"))
    NAMING.require(set(), Rest())


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (Go("green"), "unit green"),
        (Go("green", ("A1", "Z9")), "space Z9"),
        (Go("green", (), Inner("Y8")), "space Y8"),
        (Go("red", ("X7",), Inner("Y8")), "space X7"),
    ],
)
def test_the_first_noun_of_the_game_is_told_first(command: Command, told: str) -> None:
    with pytest.raises(Unknown, match=told):
        NAMING.require({"A1"}, command)
