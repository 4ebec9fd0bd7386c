"""Games without miniatures or without a map are played on the screens, while the board is not used and says so."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.seats import Seat, seats_with_wand
from engine.text import Text
from firmware_host.api.interface import UserError
from firmware_host.board.board_io import open_board
from firmware_host.board.picking import Offer
from firmware_host.board.side import ATTENDED_S, WITHOUT_BOARD, BoardSide
from firmware_host.core.settings import settle
from firmware_host.records.journal import Journal
from firmware_host.table.interruption import ReplayStep
from firmware_host.table.starts import Starter
from firmware_host.table.table import Table
from hardware.ports import DARK, Press
from tests.firmware_host.clocked import Clocked
from tests.firmware_host.evening import PIN, fresh_name
from tests.firmware_host.published import latest
from tests.firmware_host.small_games import (
    CARDS,
    RACE,
    SCREEN_RACE,
    SEATS,
    SECRET_RACE,
    Small,
    installed,
    small_board,
)

OTHER = {"north": "south", "south": "north"}


class SmallTable(Clocked):
    """A table that offers a small game, with two people and a clock that the test moves."""

    settings = settle({"bot_thought_ms": 0})  # bots choose at once, without processes

    def __init__(self, folder: Path, game: Small) -> None:
        self.folder, self.game = folder, game
        self.keys: dict[str, str] = {}
        self.open()

    def open(self) -> None:
        """Start the table with the contents of the folder."""
        self.table = Table(
            self.settings,
            Journal(self.folder / "games.sqlite"),
            lambda board: open_board(self.settings, board, self.folder, self.clock, lambda note: self.table.feed(note)),
            self.clock,
            Chance(Random(7)),
        )
        if not self.table.session.running:
            self.table.choose({"game": self.game.name})
        self.table.board.mark_used(math.inf)
        self.table.open()
        self.wait(0)

    def clock(self) -> float:
        """Return seconds."""
        return self.now

    def pull_the_plug(self) -> None:
        """Stop the table without shutting it down, and start it again."""
        self.table.journal.close()
        self.open()

    def sit_down(self) -> None:
        """Claim one seat for each person."""
        self.keys = {seat: self.table.seating.claims.claim(seat, PIN, f"{seat}'s phone", ()) for seat in SEATS}

    def act(self, seat: str, action: dict[str, Any]) -> None:
        """Make an act on a screen."""
        self.table.submit(self.keys[seat], action, self.sees(seat)["revision"], fresh_name())
        self.wait(0)

    def act_first(self, kind: str) -> str:
        """Make the first legal act of a kind for the seat that is to act; return the seat."""
        seat = str(self.sees("table")["view"]["turn"])
        self.act(seat, next(action for action in self.sees(seat)["legal"] if action["type"] == kind))
        return seat

    def sees(self, viewer: str) -> dict[str, Any]:
        """Return what a viewer's screen shows."""
        found: dict[str, Any] = json.loads(latest(self.table.followers, viewer)[1])
        return found

    def put(self, miniature: str, space: str | None) -> None:
        """Lift a miniature, or put it down and wait."""
        self.table.board.touch(miniature, space)
        self.wait(500)

    def lit(self) -> set[str]:
        """Return the spaces whose lamps are lit at some time in the next while."""
        top, seen = self.table.board.io, set()
        for _ in range(100):
            frame = top.snapshot(frozenset(), True).frame
            seen |= {space for space, colour in zip(top.spaces, frame, strict=True) if colour != DARK}
            self.wait(20)
        return seen


def at_table(game: Small, folder: Path) -> Iterator[SmallTable]:
    with installed(game, folder / "games"):
        table = SmallTable(folder, game)
        table.sit_down()
        yield table
        table.table.close()


@pytest.fixture
def cards(tmp_path: Path) -> Iterator[SmallTable]:
    """A table of two people that offers the game of cards."""
    yield from at_table(CARDS, tmp_path)


@pytest.fixture
def playing(cards: SmallTable) -> SmallTable:
    """A table with a running game of cards."""
    cards.table.start({})
    cards.wait(0)
    return cards


def begin_on_small_board(table: SmallTable) -> None:
    """Start the chosen game on a board that is not drawn."""
    session = table.table.session
    session.chosen = replace(session.chosen, board=small_board())
    session.begin(Starter())


@pytest.fixture
def screen_race(tmp_path: Path) -> Iterator[SmallTable]:
    """A table with a running race without miniatures."""
    for table in at_table(SCREEN_RACE, tmp_path):
        begin_on_small_board(table)
        table.table.refresh()
        table.wait(0)
        yield table


def with_pieces(game: Small, folder: Path) -> Iterator[SmallTable]:
    """Yield a table with a running game whose miniatures are in place."""
    for table in at_table(game, folder):
        begin_on_small_board(table)
        table.table.refresh()
        table.table.session.tidy()
        table.wait(1000)
        yield table


@pytest.fixture
def race(tmp_path: Path) -> Iterator[SmallTable]:
    """A table with a running race whose miniatures are in place."""
    yield from with_pieces(RACE, tmp_path)


# --- without a map ----------------------------------------------------------------------------------------------


def test_game_without_map_offers_none_and_is_stored_without_one(playing: SmallTable) -> None:
    assert playing.table.snapshot.front["maps"] == []
    saved = playing.table.journal.running()
    assert saved is not None
    assert (saved.game, saved.map, saved.source) == ("small-cards", "", "")
    assert {playing.sees(viewer)["map"] for viewer in (*SEATS, "table")} == {""}
    assert playing.sees("table")["stage"] == "playing"


def test_game_without_map_is_played_on_screens_to_end(playing: SmallTable) -> None:
    for count in range(6):
        seat = playing.act_first("lay")
        assert len(playing.sees(OTHER[seat])["log"]) == count + 2, "the deal, and every card"
    assert playing.sees("table")["stage"] == "over"
    assert playing.sees("table")["view"]["over"] in SEATS


def test_current_map_and_its_hardware_stay_open(cards: SmallTable) -> None:
    top = cards.table.board.io
    cards.table.start({"map": "anything"})
    cards.wait(0)
    assert cards.table.board.io is top
    assert cards.sees("board")["map"] == top.map.slug
    cards.put("wand", top.spaces[0])
    assert cards.table.board.snapshot().down == (top.spaces[0],)


def test_board_is_not_used_and_says_so(playing: SmallTable) -> None:
    board = playing.sees("table")["board"]
    assert (board["state"], board["sentence"], board["hint"]) == ("resting", str(WITHOUT_BOARD), None)
    before = playing.sees("north"), playing.table.journal.commits
    for button in ("confirm", "next", "confirm", "undo"):
        playing.table.feed(Press(button, playing.now))
        playing.wait(100)
    playing.put("wand", playing.table.board.io.spaces[3])
    playing.put("wand", None)
    assert (playing.sees("north"), playing.table.journal.commits) == before
    assert playing.lit() == set()
    with pytest.raises(UserError, match="without the board"):
        playing.table.session.tidy()
    offer = Offer("screen", playing.sees("north")["revision"], choices=playing.table.board.io.spaces[:1])
    with pytest.raises(UserError, match="without the board"):
        playing.table.offer(playing.keys["north"], offer)


def test_game_without_map_goes_on_after_power_cut(playing: SmallTable) -> None:
    playing.act_first("lay")
    playing.act_first("mark")
    before = {viewer: playing.sees(viewer)["view"] for viewer in (*SEATS, "table")}
    playing.pull_the_plug()
    assert {viewer: playing.sees(viewer)["view"] for viewer in before} == before
    assert playing.sees("south")["undo"], "the last act was a note, and may still be taken back"
    playing.act_first("lay")
    assert len(playing.sees("table")["view"]["laid"]) == 2


def test_secret_note_is_taken_back_unnoticed(playing: SmallTable) -> None:
    others = {viewer: playing.sees(viewer) for viewer in ("south", "table", "board")}
    fresh = playing.sees("north")["view"]
    assert not playing.sees("north")["undo"]
    playing.act_first("mark")
    assert playing.sees("north")["view"]["marks"] != {}
    assert playing.sees("north")["undo"]
    playing.act("north", {"type": "take-back"})
    assert playing.sees("north")["view"] == fresh
    assert {viewer: playing.sees(viewer) for viewer in others} == others
    playing.act_first("lay")
    with pytest.raises(UserError, match="no move to take back"):
        playing.act("north", {"type": "take-back"})


def test_second_tap_on_the_same_picture_does_nothing(playing: SmallTable) -> None:
    seen = playing.sees("north")
    mark = next(action for action in seen["legal"] if action["type"] == "mark")

    def tap() -> None:
        playing.table.submit(playing.keys["north"], mark, seen["revision"], fresh_name())

    tap()
    playing.wait(0)
    assert playing.sees("north")["legal"] == seen["legal"], "the same act is legal again, but was not chosen again"
    with pytest.raises(UserError, match="The game has moved on since"):
        tap()


def test_bots_play_game_without_map(cards: SmallTable) -> None:
    for seat in SEATS:
        cards.table.seating.hand_over(cards.keys[seat], "random")
    cards.table.start({})
    for _ in range(500):
        cards.wait(1000)
        if cards.sees("table")["stage"] == "over":
            return
    raise AssertionError("the bots do not come to an end")


def test_step_of_game_without_map_is_shown_without_lamps(cards: SmallTable) -> None:
    slug = cards.table.board.map.slug
    cards.table.session.replay(ReplayStep(CARDS, "", "", "", (), {"game": 1, "step": 1}))
    cards.wait(0)
    table = cards.sees("table")
    assert (table["replay"], table["map"], table["board"]["state"]) == ({"game": 1, "step": 1}, "", "resting")
    assert cards.lit() == set()
    cards.table.session.replay(None)
    cards.wait(0)
    assert (cards.sees("table")["map"], cards.table.board.map.slug) == ("", slug)


# --- a map without miniatures -----------------------------------------------------------------------------------


def test_lamps_show_cues_of_game_without_miniatures(screen_race: SmallTable) -> None:
    assert screen_race.sees("table")["map"] == "toy"
    assert screen_race.lit() == {"a1"}
    screen_race.act("north", {"type": "step", "unit": "north-runner", "to": "a2"})
    assert screen_race.lit() == {"d4"}
    assert screen_race.sees("table")["board"]["state"] == "resting"


def test_pieces_on_map_are_ignored_without_miniatures(screen_race: SmallTable) -> None:
    screen_race.put("wand", "b1")
    screen_race.put("wand", None)
    assert screen_race.sees("table")["view"]["places"] == {"north-runner": "a1", "south-runner": "d4"}
    assert screen_race.lit() == {"a1"}


# --- two seats on the board -------------------------------------------------------------------------------------


def acted(table: SmallTable) -> dict[str, Any]:
    """Return the device that acted last for each seat."""
    return {seat: shown["acted"] for seat, shown in table.sees("table")["seats"].items()}


def test_move_on_board_is_act_of_seat_to_act(race: SmallTable) -> None:
    assert race.sees("table")["board"]["state"] == "agreed"
    race.put("north-runner", None)
    race.put("north-runner", "b1")
    assert race.sees("table")["view"] == {
        "places": {"north-runner": "b1", "south-runner": "d4"},
        "turn": "south",
        "round": 1,
        "over": None,
    }
    assert acted(race) == {"north": {"device": None}, "south": None}
    race.put("south-runner", None)
    race.put("south-runner", "d3")
    assert race.sees("table")["view"]["places"] == {"north-runner": "b1", "south-runner": "d3"}
    assert acted(race) == {"north": {"device": None}, "south": {"device": None}}


def test_runner_that_is_not_to_act_is_sent_home(race: SmallTable) -> None:
    race.put("south-runner", None)
    race.put("south-runner", "d3")
    race.wait(3000)
    assert race.sees("table")["view"]["turn"] == "north"
    hint = race.sees("table")["board"]["hint"]
    assert (hint["kind"], hint["from"], hint["to"]) == ("correction", "d3", "d4")


def move(table: SmallTable, miniature: str, to: str) -> None:
    """Carry a miniature to a space and wait until nothing is open any more."""
    table.put(miniature, None)
    table.put(miniature, to)
    table.wait(3000)


@pytest.mark.parametrize("on_screen", [True, False])
@pytest.mark.parametrize("back", [True, False])
def test_runner_that_was_displaced_before_its_turn_is_sent_home(race: SmallTable, on_screen: bool, back: bool) -> None:
    """It stands where its player could move it, but someone else may have pushed it there."""
    move(race, "north-runner", "b1")
    move(race, "south-runner", "d3")
    move(race, "south-runner", "d2")
    if on_screen:
        race.act("north", next(act for act in race.sees("north")["legal"] if act["to"] == "b2"))
    move(race, "north-runner", "b2")
    seen = race.sees("table")
    assert (seen["view"]["turn"], seen["view"]["places"]["south-runner"]) == ("south", "d3")
    hint = seen["board"]["hint"]
    assert (hint["kind"], hint["spaces"]) == ("wrong-place", ["d2"])
    if back:
        move(race, "south-runner", "d3")
    move(race, "south-runner", "d2")
    assert race.sees("table")["view"]["places"]["south-runner"] == "d2"


@pytest.mark.parametrize("pause_ms", [90, 120, 160, 200])
def test_next_player_may_move_before_the_last_piece_is_at_rest(race: SmallTable, pause_ms: int) -> None:
    for miniature, to in (("north-runner", "b1"), ("south-runner", "d3"), ("north-runner", "b2")):
        for space in (None, to):
            race.table.board.touch(miniature, space)
            race.wait(pause_ms)
    race.wait(3000)
    assert race.sees("table")["view"]["places"] == {"north-runner": "b2", "south-runner": "d3"}


def test_secret_seat_lights_none_of_its_choices(tmp_path: Path) -> None:
    for table in at_table(SECRET_RACE, tmp_path):
        begin_on_small_board(table)
        seen = table.sees("north")
        assert "picked" not in seen
        with pytest.raises(UserError, match="only public choices"):
            table.table.offer(table.keys["north"], Offer("screen", seen["revision"], choices=("c2",)))


def test_secret_seat_that_is_alone_may_light_its_choices() -> None:
    alone = Seat("sniper", Text("sniper"), secret=True, on_board=True)
    assert seats_with_wand([alone]) == {"sniper"}


def test_only_screens_of_seat_to_act_may_offer_picks(race: SmallTable) -> None:
    def offer(seat: str) -> None:
        race.table.offer(race.keys[seat], Offer(seat, race.sees(seat)["revision"], choices=("c2",)))
        race.wait(0)

    with pytest.raises(UserError, match="not your turn"):
        offer("south")
    offer("north")
    race.put("wand", "c2")
    race.put("wand", None)
    assert [picked["space"] for picked in race.sees("north")["picked"]] == ["c2"]
    assert race.sees("south")["picked"] == []
    race.act("north", {"type": "step", "unit": "north-runner", "to": "b1"})
    offer("south")
    assert race.sees("north")["picked"] == []


def test_first_move_waits_for_miniatures(race: SmallTable) -> None:
    race.put("south-runner", None)
    with pytest.raises(UserError, match="not set up yet"):
        race.act("north", {"type": "step", "unit": "north-runner", "to": "b1"})
    race.put("south-runner", "d4")
    race.act("north", {"type": "step", "unit": "north-runner", "to": "b1"})
    assert race.sees("table")["view"]["turn"] == "south"


def test_box_has_miniatures_of_game(race: SmallTable, tmp_path: Path) -> None:
    names = [it["id"] for it in race.sees("board")["miniatures"]]
    assert names == ["north-runner", "south-runner", "wand"]


# --- a simulated board that no one has opened -----------------------------------------------------------------------


def board_status(table: SmallTable) -> tuple[str, bool, bool]:
    """Return the board's state, whether it is open, and whether its sensors are used."""
    board = table.sees("table")["board"]
    return board["state"], board["open"], board["heeded"]


def test_table_plays_on_screens_until_someone_opens_the_simulated_board(race: SmallTable) -> None:
    race.put("south-runner", None)
    race.table.board.mark_used(0)
    race.wait(0)
    assert board_status(race) == ("ignored", False, False)
    assert (race.sees("table")["board"]["hint"], race.lit()) == (None, {"a1"})
    race.act("north", {"type": "step", "unit": "north-runner", "to": "b1"})
    race.table.board.mark_used()
    race.wait(1000)
    assert board_status(race)[1:] == (True, True)
    assert race.sees("table")["board"]["hint"] is not None, "now it says how to correct the board"


def test_board_counts_as_closed_when_its_page_is_silent_for_long(race: SmallTable) -> None:
    race.table.board.mark_used()
    race.now += ATTENDED_S - 1
    race.wait(999)
    assert board_status(race)[1]
    race.wait(1)
    assert not board_status(race)[1]
    race.put("north-runner", "b1")
    assert board_status(race)[1], "who moves a miniature has the board open"


def test_real_board_is_always_open(race: SmallTable) -> None:
    top, settings = race.table.board.io, settle({"board": "board_link"})
    board = BoardSide(top.map, lambda _: top, settings, race.table.journal, race.clock)
    board.mark_used(0)
    assert board.attended


def test_play_without_board_lasts_for_one_game(race: SmallTable) -> None:
    race.table.board.use_sensors(False)
    race.wait(0)
    assert board_status(race)[1:] == (True, False)
    race.table.session.put_away()
    begin_on_small_board(race)
    race.table.refresh()
    race.wait(0)
    assert board_status(race)[1:] == (True, True)
