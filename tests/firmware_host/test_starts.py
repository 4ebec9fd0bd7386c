"""Anyone may start games where no person sits: how many, and who can't be kept from it."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Checked
from firmware_host.table.starts import MOST_ADDRESSES, NEW_AFTER, STARTS, STARTS_PER_S, Starter, Starts
from tests.firmware_host.evening import Evening

MANY = "Too many games have started"


def start(starts: Starts, address: str, now: float, games: int = 1) -> None:
    """Start games, one after another, from an address."""
    for _ in range(games):
        starts.check(Starter(address), now)
        starts.count(Starter(address), now)


def use_up(starts: Starts, addresses: Iterable[str], now: float) -> None:
    """Start all games that can be started from these addresses."""
    for address in addresses:
        with suppress(UserError):
            start(starts, address, now, 10 * STARTS)


def strangers(number: int) -> list[str]:
    return [f"stranger {one}" for one in range(number)]


def test_too_many_starts_wait_for_a_minute() -> None:
    starts = Starts()
    use_up(starts, ["a stranger"], 0.0)
    with pytest.raises(UserError, match=MANY):
        start(starts, "a stranger", 59.0)
    start(starts, "a stranger", 61.0)
    with pytest.raises(UserError, match=MANY):
        start(starts, "a stranger", 61.0)


def test_starts_of_strangers_keep_no_one_else_from_playing() -> None:
    starts = Starts()
    use_up(starts, ["a stranger"], 0.0)
    for person in range(1, MOST_ADDRESSES):
        start(starts, f"person {person}", 0.0)
    use_up(starts, ["a second stranger"], 0.0)
    start(starts, "person 1", 0.0, STARTS - 1)
    start(starts, "person 4", 0.0)
    start(starts, "person 4", STARTS / STARTS_PER_S, STARTS)


def test_strangers_who_have_started_leave_a_place_for_someone_new() -> None:
    starts, many = Starts(), strangers(int(NEW_AFTER * STARTS_PER_S))
    for visit in range(10):
        now = visit * NEW_AFTER
        use_up(starts, many, now)
        start(starts, f"person {visit}", now)
        with pytest.raises(UserError, match=MANY):
            start(starts, f"person {visit}", now)
        assert len(starts._came) <= STARTS + NEW_AFTER * STARTS_PER_S


def test_start_that_fails_takes_no_place() -> None:
    starts = Starts()
    use_up(starts, strangers(MOST_ADDRESSES + 1), 0.0)
    for _ in range(2):
        starts.check(Starter("a person"), 0.0)
    start(starts, "a person", 0.0)


def test_strangers_with_any_number_of_addresses_keep_neither_players_nor_admin_from_starting(evening: Evening) -> None:
    evening.table.seating.seat_bot("defenders", "random")
    key = evening.table.seating.claims.claim("sniper", "", "Ada", ())
    starts = Starts()
    use_up(starts, strangers(STARTS + MOST_ADDRESSES), evening.now)
    evening.table.session._starts = starts
    for refused in (Checked(address="a phone"), Checked(("no key",), address="a phone")):
        with pytest.raises(UserError, match=MANY):
            evening.table.start({}, refused)
    seated = Checked((key,), address="a phone")
    evening.table.start({}, seated)
    evening.table.abandon()
    evening.table.play_again(False, seated)
    evening.table.abandon()
    for allowed in (seated, Checked(address="127.0.0.1", local=True), Checked(admin=True)):
        evening.table.play_alone("sniper", "Ada", {}, {}, allowed)
        evening.table.free_left_seat()


def test_each_game_that_starts_at_a_table_counts(evening: Evening) -> None:
    for seat in ("sniper", "defenders"):
        evening.table.seating.seat_bot(seat, "random")
    starts = Starts()
    start(starts, "", evening.now, STARTS + 1)
    evening.table.session._starts = starts
    evening.table.start({})  # as someone new
    evening.table.abandon()
    with pytest.raises(UserError, match=MANY):
        evening.table.start({})
    evening.now += 61.0
    evening.table.start({})
    with pytest.raises(UserError, match="already running"):
        evening.table.start({})


def test_refused_start_changes_no_choice(evening: Evening) -> None:
    starts = Starts()
    use_up(starts, strangers(STARTS + MOST_ADDRESSES), evening.now)
    evening.table.session._starts = starts
    before, stranger = evening.table.session.chosen.selection, Checked(address="a phone")
    with pytest.raises(UserError, match=MANY):
        evening.table.play_alone("player-1", "Ada", {"game": "stalingrad"}, {}, stranger)
    with pytest.raises(UserError, match=MANY):
        evening.table.start({"game": "stalingrad"}, stranger)
    assert evening.table.session.chosen.selection == before
