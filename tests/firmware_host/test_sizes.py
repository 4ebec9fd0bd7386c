"""A game that returns more than a table can use, during play: the act is refused, and nothing changes."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.events import EVERYONE, Told
from engine.game import Command
from engine.text import Text, comma_list, or_list
from firmware_host.core import sizes
from firmware_host.core.errors import UserError
from tests.firmware_host.failing_games import failing
from tests.firmware_host.small_games import RUNNERS, Dealt, Step, small_board
from tests.firmware_host.test_failing_games import first, playing

HEAP: list[Any] = []
for _ in range(60):
    HEAP = [HEAP] * 9
LARGE: dict[str, Callable[[], Any]] = {
    "view": lambda: {"all": "x" * 10_000_000},
    "foresight": lambda: {"all": HEAP},
    "legal": lambda: [None] * (sizes.MOST_ACTS + 1),
    "decide": lambda: (Told(Dealt("a", ()), EVERYONE) for _ in iter(int, 1)),
    "caption": lambda: Text("x" * 1_000_000),
    "sentence": lambda: Text("x" * 1_000_000),
    "summary": lambda: ((Text("x"), "x") for _ in iter(int, 1)),
    "standing": lambda: {str(number): None for number in range(sizes.MOST_MINIATURES + 1)},
    "cues": lambda: iter(int, 1),
    "called": lambda: Text("x" * 1_000_000),
    "details": lambda: {"all": "x" * 100_000},
}
"""Method -> what it returns; the endless values would fill the memory."""


@pytest.mark.parametrize("method", LARGE)
def test_act_after_which_game_returns_too_much_is_refused(tmp_path: Path, method: str) -> None:
    game = failing(method)
    for table in playing(game, tmp_path):
        before, entries = table.seen(), table.entries()
        seat, action = first(table)
        game.fail = LARGE[method]
        with pytest.raises(UserError) as refused:
            table.act(seat, action)
        assert refused.value.code in ("game-fault", "refused")
        assert len(str(refused.value)) < 200
        game.fail = None
        assert (table.seen(), table.entries()) == (before, entries)
        table.act(seat, action)


class Wide(Command, tag="wide", frozen=True):
    """A command with far more in it than a choice."""

    unit: str
    to: str
    more: str


def test_act_after_which_a_picture_has_too_much_together_is_refused(tmp_path: Path) -> None:
    """A screen gets all of it after each act, and the table keeps it for each viewer."""
    game = failing("legal")
    steps = [Step(runner, space) for runner in RUNNERS.values() for space in small_board().spaces]
    for table in playing(game, tmp_path):
        before, entries = table.seen(), table.entries()
        seat, action = first(table)
        game.fail = lambda: [*steps, *[Wide("north-runner", "b1", "x" * 10_000)] * 1000]
        with pytest.raises(UserError) as refused:
            table.act(seat, action)
        game.fail = None
        assert refused.value.code == "game-fault"
        assert (table.seen(), table.entries()) == (before, entries)
        table.act(seat, action)


def test_size_of_repeated_value_is_counted_only_up_to_limit() -> None:
    with pytest.raises(sizes.TooLarge):
        sizes.json_size(HEAP)
    assert sizes.json_size({"a": [1, 2]}) < 20


def test_long_list_can_be_translated() -> None:
    names = [f"a{number}" for number in range(500)]
    assert sizes.check_translatable(comma_list(names)) == ", ".join(names)
    assert sizes.check_translatable(or_list(names)) == " or ".join(names)


def test_names_that_cannot_be_sent_are_left_out(tmp_path: Path) -> None:
    """One lesson from an old archive made the page of all lessons answer 500."""
    for name in ("café.toml", os.fsdecode(b"caf\xe9.toml")):
        (tmp_path / name).touch()
    assert [path.name for path in sizes.files(tmp_path, "*.toml")] == ["café.toml"]


def test_files_of_one_kind_fit_into_the_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Thirty files of puzzles, each of the size that is allowed, filled it at the first request for a page."""
    monkeypatch.setattr(sizes, "LARGEST_FILES", 25)
    for name in ("a", "b", "c"):
        (tmp_path / f"{name}.toml").write_bytes(bytes(10))
    (tmp_path / ".#a.toml").symlink_to("nowhere")
    assert [path.name for path in sizes.files(tmp_path, "*.toml")] == [".#a.toml", "a.toml", "b.toml"]


def test_file_that_is_too_large_hides_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is refused, with a sentence, by who reads it."""
    monkeypatch.setattr(sizes, "LARGEST_FILE", 15)
    monkeypatch.setattr(sizes, "LARGEST_FILES", 20)
    for name, size in (("a", 30), ("b", 10), ("c", 10)):
        (tmp_path / f"{name}.toml").write_bytes(bytes(size))
    assert [path.stem for path in sizes.files(tmp_path, "*.toml")] == ["a", "b", "c"]


def test_file_that_cannot_be_looked_at_is_left_to_who_reads_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without the right to enter it made the page of all lessons answer 500."""
    (tmp_path / "a.toml").touch()

    def fail(_: Path) -> bool:
        raise PermissionError

    monkeypatch.setattr(Path, "is_file", fail)
    assert [path.name for path in sizes.files(tmp_path, "*.toml")] == ["a.toml"]


def test_every_value_that_becomes_json_is_counted() -> None:
    @dataclass
    class Pair:
        one: Any
        two: Any

    heap: Any = "x"
    for _ in range(60):
        heap = Pair(heap, heap)
    for value in (
        b"x" * 1_000_000,
        bytearray(1_000_000),
        memoryview(bytes(1_000_000)),
        Enum("E", {"A": "x" * 1_000_000}).A,
        [msgspec.defstruct("Long", [("x" * 1_000, int)])(1)] * 1_000,
        [make_dataclass("Long", ["x" * 1_000])(1)] * 1_000,
        heap,
    ):
        with pytest.raises(sizes.TooLarge):
            sizes.json_size(value)
    for odd in (Decimal("1"), msgspec.Raw(b"1"), object()):
        with pytest.raises(TypeError):
            sizes.json_size([odd])
