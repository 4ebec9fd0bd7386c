"""What a game returns has the types of the contract when the table uses it, and fits the board."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count, repeat
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.events import EVERYONE, Audience, Told
from engine.game import Cue, Ending, Fortune, Placement, Progress
from engine.graph.overlay import Overlay
from engine.refusal import NotUnderstood
from engine.seats import Seat
from engine.text import Text, and_list
from firmware_host.core import sizes
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import GameFault, checked, fault_in, guarded
from firmware_host.seats.identity import ANONYMOUS
from firmware_host.table.table import MOST_DEALT
from tests.firmware_host.failing_games import Rich, failing
from tests.firmware_host.small_games import Cards, CardsView, Mark, Marked, Step, small_board
from tests.firmware_host.test_failing_games import first, seated
from tests.firmware_host.test_without_board import at_table


class Late(dict[str, Any]):
    """Facts that fail when they are read again."""

    def __getitem__(self, name: str) -> Any:
        raise KeyError(name)

    def get(self, name: str, default: Any = None) -> Any:
        raise ValueError

    def keys(self) -> Any:
        raise SystemExit


def deep_name() -> Text:
    """Return as many levels of texts as a sentence may have."""
    found = Text("a runner")
    for _ in range(sizes.DEEPEST_TEXT - 2):
        found = Text("{name}", name=found)
    return found


def wide_name() -> Text:
    """Return as many texts as a sentence may have."""
    names = [str(number) for number in range(sizes.MOST_TEXTS)]
    return Text("a runner", **dict.fromkeys(names, ""))


def test_what_a_game_returns_runs_no_code_of_the_game_later(tmp_path: Path) -> None:
    for method in ("blank", "standing", "map_options", "glossary", "view"):
        made = type("Lazy", (Rich,), {method: lambda self, *args, of=method: Late(getattr(Rich, of)(self, *args))})
        for table in seated(made(), tmp_path / method):
            table.begin()
            table.act(*first(table))
            table.table.board.touch("south-runner", None)
            table.wait(500)
            table.pull_the_plug()
            assert table.table.session.running, method


class Endless(Overlay, frozen=True):
    def style(self) -> str:
        raise SystemExit


OVERLAYS: dict[str, Any] = {
    "endless marks": Overlay(beneath=repeat("<g/>")),  # type: ignore[arg-type]
    "many marks": Overlay(above=("<g/>" * 1_000,) * 1_000),
    "half of a character": Overlay(strip=("\ud800",)),
    "no mapping": Overlay(paint=["a1"]),  # type: ignore[arg-type]
    "colours that are none": Overlay(paint={"a1": 1}),  # type: ignore[dict-item]
    "too deep": Overlay(depth=10**400),
    "another class": "overlay",
}


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_art_of_a_map_that_cannot_be_drawn_is_a_fault(overlay: str) -> None:
    """It is drawn without a time limit, so endless marks ended the table."""
    made = type("Painter", (Rich,), {"map_art": lambda self, board, say=str: OVERLAYS[overlay]})
    with pytest.raises(GameFault):
        guarded(made()).map_art(None)


def test_board_with_large_shared_parts_is_a_fault() -> None:
    """Written once for each space, one outline filled the memory at a request for the map."""
    outline = ((0.0, 0.0),) * 1_000_000
    spaces = {name: replace(space, outline=outline) for name, space in small_board().spaces.items()}
    made = type("Maker", (Rich,), {"make_map": lambda self, name: replace(small_board(), spaces=spaces)})
    with pytest.raises(GameFault):
        guarded(made()).make_map("toy")


def test_art_of_a_map_runs_no_code_of_the_game_later() -> None:
    made = type("Painter", (Rich,), {"map_art": lambda self, board, say=str: Endless(paint=Late(a1="red"))})
    art = guarded(made()).map_art(None)
    assert (type(art), type(art.paint), art.paint) == (Overlay, dict, {"a1": "red"})


@pytest.mark.parametrize(
    "yours", [7, ["north"], {"north": 7}, {(1,): ""}, {"north": Late()}, dict.fromkeys(map(str, range(31)), "")]
)
def test_sentence_of_one_player_that_is_none_is_a_fault(yours: Any) -> None:
    made = type("Detailed", (Rich,), {"details": lambda self, event: {"yours": yours}})
    with pytest.raises(GameFault):
        guarded(made()).details(None)


@pytest.mark.parametrize("teams", [{"a": count()}, {"a": "north"}, {7: ("north",)}, {"a": (7,)}, {"a": None}, ["a"]])
def test_teams_without_names_are_a_fault(teams: Any) -> None:
    """Endless seats of a team stopped the table at the end of the game."""
    made = type("Teamed", (Rich,), {"teams": lambda self, options: teams})
    with pytest.raises(GameFault):
        guarded(made()).teams(None)


ODD_FACTS: dict[str, Any] = {
    "cues": [Cue("a", ("a1",) * 1_000)] * 6,
    "map_names": [f"a{number}" for number in range(33)],
    "progress": Progress(1, "3"),  # type: ignore[arg-type]
    "ending": Ending(("north",), "race", "1"),  # type: ignore[arg-type]
    "fortunes": [Fortune("north", "1", 2.0, Text("lucky"))],  # type: ignore[arg-type]
    "details": {"data": bytes(20_000)},
    "view": {"data": memoryview(bytes(1_000_000))},
}


@pytest.mark.parametrize("method", ODD_FACTS)
def test_words_as_numbers_and_bytes_are_a_fault(method: str) -> None:
    """The stars of a mission count them, and stopped the table at its end; bytes were not counted."""
    made = type("Odd", (Rich,), {method: lambda self, view: ODD_FACTS[method]})
    with pytest.raises(GameFault):
        getattr(guarded(made()), method)(None)


class OddSeat(Seat, frozen=True):
    """Code of a game in it ran at the start, outside of guarded calls, and chose its exit code."""


class OddEnding(Ending, frozen=True): ...


class OddAudience(Audience, frozen=True): ...


class OddTold(Told, frozen=True): ...


class OddPlacement(Placement, frozen=True): ...


SUBCLASSES: dict[str, Any] = {
    "seats": [OddSeat("north", Text("north"), secret=False)],
    "ending": OddEnding(("north",), "race", 1),
    "setup": [OddTold(Marked("north", 1), EVERYONE)],
    "decide": [Told(Marked("north", 1), OddAudience(None))],
    "placements": [OddPlacement("north-runner", "a1", "a2", Step("north-runner", "a2"))],
}


@pytest.mark.parametrize("method", SUBCLASSES)
def test_subclasses_of_the_engines_types_are_a_fault(method: str) -> None:
    made = type("Odd", (Rich,), {method: lambda self, *_: SUBCLASSES[method]})
    with pytest.raises(GameFault):
        getattr(guarded(made()), method)(None, None, None)


class MarkedCue(Cue, frozen=True):
    note: list[str] = msgspec.field(default_factory=list)


def test_cues_are_plain(tmp_path: Path) -> None:
    """Lamps and sounds look them up in sets, and one without a hash stopped the table at every start."""
    made = type("Marking", (Rich,), {"cues": lambda self, view: [MarkedCue("a", ("a1",), "red")]})
    assert guarded(made()).cues(None) == [Cue("a", ("a1",), "red")]
    assert hash(guarded(made()).cues(None)[0])


def test_list_of_optional_spaces_is_accepted(tmp_path: Path) -> None:
    """Piece tracking needs the set that the contract names."""
    game = failing("optional")
    game.fail = lambda: ["c3"]
    for table in seated(game, tmp_path):
        table.begin()
        table.table.board.touch("north-runner", None)
        table.wait(500)
        assert table.table.session.running


def test_act_that_changes_which_miniatures_there_are_is_refused(tmp_path: Path) -> None:
    """Piece tracking follows each of them; one that is taken stands nowhere."""
    game = failing("standing")
    for table in seated(game, tmp_path):
        table.begin()
        game.fail = lambda: {"north-runner": "b1"}
        with pytest.raises(UserError) as refused:
            table.act(*first(table))
        assert refused.value.code == "game-fault"
        game.fail = lambda: {"north-runner": "b1", "south-runner": None}
        table.act(*first(table))
        table.table.board.touch("south-runner", "c3")
        table.wait(500)
        assert table.table.session.running


@pytest.mark.parametrize("named", [deep_name, wide_name])
def test_name_that_fits_in_no_sentence_of_the_table_is_refused(tmp_path: Path, named: Callable[[], Text]) -> None:
    """The table writes about miniatures when they are moved, and it has no one to refuse that to."""
    game = failing("called")
    game.fail = named
    for table in seated(game, tmp_path):
        with pytest.raises(UserError) as refused:
            table.begin()
        assert refused.value.code == "game-fault"


NO_PLACEMENTS: dict[str, Placement] = {
    "unknown miniature": Placement("ghost", "a1", "b1", Step("ghost", "b1")),
    "no command": Placement("north-runner", "a1", "b1", None),  # type: ignore[arg-type]
    "no start": Placement("north-runner", 1, "b1", Step("north-runner", "b1")),  # type: ignore[arg-type]
    "no space": Placement("north-runner", "a1", None, Step("north-runner", "b1")),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("fault", NO_PLACEMENTS)
def test_game_with_impossible_placements_does_not_begin(tmp_path: Path, fault: str) -> None:
    game = failing("placements")
    game.fail = lambda: [NO_PLACEMENTS[fault]]
    for table in seated(game, tmp_path):
        with pytest.raises(UserError) as refused:
            table.begin()
        assert refused.value.code == "game-fault"


def test_names_of_all_miniatures_fit_in_one_sentence() -> None:
    widest = Text("{0}" * (sizes.LONGEST_NAME // 3), **{str(n): "" for n in range(sizes.LONGEST_NAME // 3)})
    sizes.check_text(widest, sizes.LONGEST_NAME)
    orders = and_list([Text("{unit} on {space}", unit=widest, space="a1")] * 2 * sizes.MOST_MINIATURES)
    assert sizes.check_translatable(Text("Set up the squad: {orders}.", orders=orders))


class Options:
    """A form that cannot be made."""

    def __init__(self) -> None:
        raise ValueError


def test_class_in_place_of_a_method_is_guarded_like_one() -> None:
    game = guarded(type("Classy", (Rich,), {"options": Options})())
    with pytest.raises(GameFault):
        game.options()


class Dealer(Cards):
    """A game that would make choices for a person without an end."""

    name = "dealer"

    def dealt(self, view: CardsView, seat: str) -> Mark:
        """Return a note, which changes nothing."""
        return Mark(view.hands[seat][0])


def test_game_that_chooses_for_a_person_again_and_again_begins(tmp_path: Path) -> None:
    for table in at_table(Dealer(), tmp_path):
        table.table.seating.claims.all = []
        table.table.play_alone("north", "a phone", {"game": "dealer"}, {}, ANONYMOUS)
        assert table.table.session.running
        table.wait(0)
        assert len(table.sees("north")["log"]) == 1 + MOST_DEALT


def test_error_that_a_game_raises_from_itself_has_an_end() -> None:
    """The page of all lessons, or the loop at the act of a bot, looked for its cause without an end."""
    error = NotUnderstood("No.")
    error.__cause__ = error
    assert checked("game", fault_in, error, limit=1.0) is None
