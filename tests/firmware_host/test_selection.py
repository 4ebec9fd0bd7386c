"""The selection for the next game: made at the table, stored, and restored."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import games
from engine.options import defaults
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.seats.identity import ANONYMOUS
from firmware_host.table.selection import SELECTION_KEY, Selection, changed, chosen, default_selection, restored
from tests.firmware_host.evening import Evening

SETTINGS = settle({"board": "simulated"})
HINTING = settle({"board": "simulated", "possible_hints": True})
SNIPER_ELITE = default_selection(games.find("sniper-elite"), "launch-facility")
TREASURE = default_selection(games.find("treasure"))


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    running = Evening(tmp_path)
    yield running
    running.table.close()


def refused(selection: Selection, **wanted: Any) -> tuple[str, str, str | None]:
    with pytest.raises(UserError) as caught:
        changed(selection, wanted, SETTINGS)
    return caught.value.code, str(caught.value.sentence), caught.value.rule


# --- what can be chosen -------------------------------------------------------------------------------------------


def test_new_selection_has_defaults_and_fitting_map_of_table() -> None:
    assert SNIPER_ELITE.options == defaults(games.find("sniper-elite").options())
    assert (SNIPER_ELITE.map, TREASURE.map) == ("launch-facility", "island")
    assert default_selection(games.find("sniper-elite"), "submarine-pens").map == "submarine-pens"
    assert default_selection(games.find("treasure"), "launch-facility").map == "island"


def test_changing_one_choice_keeps_others() -> None:
    other = changed(SNIPER_ELITE, {"map": "submarine-pens"}, SETTINGS)
    assert other == Selection("sniper-elite", "submarine-pens", SNIPER_ELITE.options)
    hard = changed(other, {"options": {"experienced_sniper": ["B"]}}, SETTINGS)
    assert hard == Selection("sniper-elite", "submarine-pens", {"experienced_sniper": ["B"]})
    assert changed(hard, {"possible_hints": True}, HINTING).possible_hints
    assert changed(hard, {"game": "treasure"}, SETTINGS) == TREASURE
    assert changed(hard, {"game": "sniper-elite"}, SETTINGS) == hard


def test_invalid_choice_is_refused_with_reason() -> None:
    assert refused(SNIPER_ELITE, game="ludo")[:2] == (
        "not-understood",
        f"There is no game 'ludo' here; known are {', '.join(games.names())}.",
    )
    assert refused(SNIPER_ELITE, map="island")[0] == "not-understood"
    assert refused(TREASURE, map=7)[1] == "There is no map 7; known are island."
    assert refused(SNIPER_ELITE, options=3)[1] == "options is an object, not 3."
    assert refused(SNIPER_ELITE, options={"experienced_sniper": ["B"] * 1100})[1].startswith("The options are too long")
    assert refused(TREASURE, options={"seekers": 9})[0] == "not-understood"
    both = {"experienced_sniper": ["A"], "experienced_defenders": ["A"]}
    assert refused(SNIPER_ELITE, options=both)[::2] == ("refused", "MP-DIFF-09")
    assert refused(SNIPER_ELITE, possible_hints=True)[0] == "not-now"
    assert refused(SNIPER_ELITE, possible_hints="yes")[0] == "not-understood"


def test_seats_depend_on_options() -> None:
    def seats(**options: int) -> list[str]:
        return [seat.name for seat in chosen(changed(TREASURE, {"options": options}, SETTINGS)).seats]

    assert seats() == ["red", "blue", "hider"]
    assert seats(seekers=3) == ["red", "blue", "green", "hider"]


def test_hints_no_longer_allowed_by_settings_are_off() -> None:
    hinted = changed(SNIPER_ELITE, {"possible_hints": True}, HINTING)
    assert chosen(hinted, HINTING).hinted
    assert not chosen(hinted, SETTINGS).hinted


@pytest.mark.parametrize(
    "kept",
    [
        None,
        7,
        {"map": "island"},
        {"game": "ludo", "map": "", "options": {}},
        {"game": "sniper-elite", "map": "atlantis", "options": {}},
        {"game": "treasure", "map": "island", "options": {"seekers": 9}},
    ],
)
def test_stored_selection_that_is_no_longer_valid_is_replaced(kept: Any) -> None:
    assert restored(kept, "submarine-pens", SETTINGS).selection == default_selection(
        games.find("sniper-elite"), "submarine-pens"
    )


# --- at the table -----------------------------------------------------------------------------------------------


def front(evening: Evening) -> dict[str, Any]:
    evening.wait(0)
    return evening.table.snapshot.front


def test_choice_is_shown_to_all_and_survives_restart(evening: Evening) -> None:
    before = evening.sees("table")
    evening.table.choose({"game": "treasure"})
    evening.table.choose({"options": {"seekers": 3}})
    shown = front(evening)
    assert (shown["game"], shown["title"]) == ("treasure", "Treasure")
    assert list(shown["seats"]) == ["red", "blue", "green", "hider"]
    assert [one["slug"] for one in shown["maps"]] == ["island"]
    assert evening.sees("table") != before
    assert evening.sees("table")["game"] == "treasure"
    evening.pull_the_plug()
    assert front(evening)["selection"] == {
        "game": "treasure",
        "map": "island",
        "options": {"seekers": 3},
        "possible_hints": False,
    }


def test_players_keep_only_seats_that_next_game_has(evening: Evening) -> None:
    evening.table.choose({"game": "treasure"})
    claims = evening.table.seating.claims
    keys = {seat: claims.claim(seat, "2468", f"{seat}'s phone", ()) for seat in ("hider", "red", "blue")}
    evening.table.choose({"options": {"seekers": 1}})
    assert {seat: claims.holder(key) is not None for seat, key in keys.items()} == {
        "hider": True,
        "red": True,
        "blue": False,
    }
    evening.table.choose({"game": "sniper-elite"})
    assert [(claim.seat, claim.device) for claim in claims.all] == [
        ("sniper", "red's phone"),
        ("defenders", "hider's phone"),
    ]


def test_bot_that_does_not_play_other_game_is_removed(evening: Evening) -> None:
    evening.table.seating.seat_bot("defenders", "warden")
    evening.table.choose({"game": "treasure"})
    evening.table.choose({"game": "sniper-elite"})
    assert evening.table.seating.claims.bots == {}


def test_chosen_game_is_played(evening: Evening) -> None:
    evening.table.choose({"game": "treasure"})
    for seat in ("red", "blue", "hider"):
        evening.table.seating.seat_bot(seat, "random")
    evening.table.start({})
    assert evening.table.session.running
    assert evening.table.session.game.name == "treasure"
    assert evening.table.board.map.slug == "island"
    with pytest.raises(UserError, match="already running"):
        evening.table.choose({"game": "sniper-elite"})


def test_game_named_at_start_is_chosen_with_its_defaults(evening: Evening) -> None:
    evening.table.choose({"options": {"experienced_sniper": ["B"]}})
    evening.claim_seats()
    evening.table.start({"map": "submarine-pens"})
    assert evening.table.session.chosen.selection == Selection("sniper-elite", "submarine-pens")
    assert not evening.table.session.chosen.options.random_setup


def test_finished_game_is_put_away_when_another_is_chosen(evening: Evening) -> None:
    evening.table.choose({"game": "treasure", "options": {"seekers": 1, "rounds": 1}})
    for seat in ("red", "hider"):
        evening.table.seating.seat_bot(seat, "random")
    evening.table.start({})
    evening.table.board.use_sensors(False)
    evening.wait(0)
    while evening.sees("table")["stage"] == "playing":
        evening.wait(1000)
    assert evening.sees("table")["stage"] == "over"
    evening.table.choose({"options": {"seekers": 1, "rounds": 2}})
    assert front(evening)["stage"] == "over", "the same seats: it may still be viewed"
    evening.table.choose({"game": "sniper-elite"})
    assert front(evening)["stage"] == "lobby"
    assert list(front(evening)["seats"]) == ["sniper", "defenders"]


def test_seat_of_missing_game_is_free_after_restart(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.table.choose({"game": "treasure"})
    key = evening.table.seating.claims.claim("red", "2468", "Ada's phone", ())
    evening.table.journal.store_value(SELECTION_KEY, {"game": "ludo"})
    evening.pull_the_plug()
    assert evening.table.seating.claims.holder(key) is None
    assert evening.table.seating.claims.all == []
    evening.table.close()


def test_game_with_more_seats_than_screens_is_refused(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"max_streams": 5}))
    table = evening.table
    game = {"game": "snipers-and-assassins", "options": {"players": 3}}
    table.choose(game)
    more = {**game, "options": {"players": 4}}
    for ask in (
        lambda: table.choose(more),
        lambda: table.play_alone("player-1", "Ada", more, {}, ANONYMOUS),
    ):
        with pytest.raises(UserError, match="Set max_streams to 6 or more"):
            ask()
    assert table.session.chosen.selection.options["players"] == 3
    table.play_alone("player-1", "Ada", game, {}, ANONYMOUS)
    table.close()
