"""PINs of seats at a running table: how often a PIN may be guessed, what an answer reveals, and who is notified."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.claims import LONGEST_PIN, MOST_FORMER_KEYS, SeatRequest
from firmware_host.seats.guesses import GUESSES_KEY
from firmware_host.seats.identity import ANONYMOUS, Requester
from firmware_host.seats.lockout import FORGIVE_AFTER, FREE_TRIES, MOST_WRONG, WAITS
from firmware_host.seats.pins import MOST_WAITING, QUEUE, hash_for
from firmware_host.table.table import Table
from tests.firmware_host.published import latest
from tools.showroom import PIN, Showroom

WRONG = "0000"
BO, CY = "1111", "2222"
CHECKED, LOCKED = "wrong-pin", "locked"


class Home:
    """A table that can be restarted with its stored state."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.room = Showroom(folder)

    def restart(self) -> None:
        self.room.stop()
        self.room = Showroom(self.folder)

    def later(self, seconds: float) -> None:
        self.room._ahead += seconds

    def try_pin(self, requester: Requester = ANONYMOUS, pin: str = WRONG, seat: str = "sniper", **more: Any) -> str:
        """Take a seat over; return the code of the refusal, or the new key."""
        try:
            return self.room.interface.take_over(seat, pin, "Eve", more.pop("squads", ()), requester, **more)
        except UserError as error:
            return error.code

    def use_up(self, requester: Requester = ANONYMOUS, **more: Any) -> int:
        """Try wrong PINs until the seat is locked; return how many were checked."""
        heard = 0
        while self.try_pin(requester, **more) == CHECKED:
            heard += 1
        return heard

    def kept(self) -> Any:
        return self.room.loop.call(lambda table: table.journal.stored_value(GUESSES_KEY))

    def unseen_wrong_pins(self, viewer: str) -> int:
        self.room.loop.call(lambda _: None)
        return int(json.loads(latest(self.room.loop.followers, viewer)[1])["wrong_pins"])


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    found = Home(tmp_path)
    yield found
    found.room.stop()


def requester(*keys: str, address: str = "") -> Requester:
    return Requester(keys, address=address)


# --- how often ------------------------------------------------------------------------------------------------------


def test_all_addresses_share_one_budget(home: Home) -> None:
    home.room.company.sit_down()
    codes = [home.try_pin(requester(address=f"10.0.{number // 200}.{number % 200}")) for number in range(60)]
    assert codes == [CHECKED] * FREE_TRIES + [LOCKED] * (60 - FREE_TRIES)
    assert home.try_pin(pin=PIN) == LOCKED
    home.later(WAITS[0])
    assert home.try_pin(requester(address="10.9.9.9")) == CHECKED
    assert home.try_pin(requester(address="10.9.9.8")) == LOCKED
    assert home.try_pin(seat="defenders") == CHECKED


def test_restart_and_its_duration_forget_nothing(home: Home) -> None:
    home.room.company.sit_down()
    assert home.use_up() == FREE_TRIES
    home.restart()
    assert home.try_pin() == LOCKED
    assert home.unseen_wrong_pins("sniper") == FREE_TRIES
    home.later(WAITS[0])
    assert home.use_up() == 1
    home.restart()
    home.later(WAITS[0])
    assert home.try_pin() == LOCKED
    home.later(WAITS[1])
    assert len(home.try_pin(pin=PIN)) > 40


def test_attempt_is_stored_before_hashing(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.room.company.sit_down()
    found, scrypt = [], hashlib.scrypt

    def watched(*words: Any, **more: Any) -> bytes:
        with sqlite3.connect(f"file:{home.folder / 'games.sqlite'}?mode=ro", uri=True) as journal:
            found.append(journal.execute("SELECT value FROM kept WHERE name = ?", (GUESSES_KEY,)).fetchone())
        return scrypt(*words, **more)

    monkeypatch.setattr(hashlib, "scrypt", watched)
    assert home.try_pin() == CHECKED
    assert len(home.try_pin(pin=PIN)) > 40
    assert [[*json.loads(kept)["wrong"].values()] for (kept,) in found] == [[1], [2]]
    assert [*home.kept()["wrong"].values()] == [1]


def test_refused_attempts_write_nothing(home: Home) -> None:
    home.room.company.sit_down()
    home.use_up()
    written = home.room.loop.call(lambda table: table.journal._db.total_changes)
    for _ in range(100):
        assert home.try_pin() == LOCKED
    assert home.room.loop.call(lambda table: table.journal._db.total_changes) == written


def test_attempt_that_cannot_be_stored_is_not_checked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.room.company.sit_down()
    home.room.loop.call(lambda table: table.journal._db.execute("PRAGMA query_only = ON"))
    monkeypatch.setattr(hashlib, "scrypt", None)
    assert home.try_pin() == home.try_pin(pin=PIN) == "halted"


def test_freed_seat_resets_attempts_and_takeover_keeps_them(home: Home) -> None:
    home.room.company.sit_down()
    home.use_up()
    home.later(WAITS[0])
    key = home.try_pin(pin=PIN)
    assert home.use_up() in (0, 1)
    home.room.interface.release("sniper", requester(key))
    assert home.kept() == {"wrong": {}, "told": {}}
    home.room.interface.claim("sniper", PIN, "Ada")
    assert home.unseen_wrong_pins("sniper") == 0
    assert home.use_up() == FREE_TRIES


def test_other_game_or_side_gives_no_more_guesses(home: Home) -> None:
    home.room.company.sit_down()
    seated = requester(*home.room.company.keys.values())
    assert home.use_up() == FREE_TRIES
    for game in ("stalingrad", "sniper-elite"):
        home.room.interface.choose({"game": game}, seated)
    assert home.use_up() == 0
    assert home.unseen_wrong_pins("sniper") == FREE_TRIES
    home.room.interface.play_again(True, seated)
    assert home.use_up(seat="defenders") == 0
    assert home.use_up() == FREE_TRIES
    assert home.unseen_wrong_pins("defenders") == FREE_TRIES


def test_own_or_former_device_does_not_wait_for_strangers(home: Home) -> None:
    home.room.company.sit_down()
    first = home.room.company.keys["sniper"]
    second = home.try_pin(pin=PIN)
    assert home.use_up() == FREE_TRIES
    for key in (first, second):
        assert home.try_pin(requester(key)) == CHECKED
        assert home.use_up(requester(key, address="10.0.0.1")) == FREE_TRIES - 1
    assert home.try_pin(requester("forged")) == LOCKED
    home.restart()
    assert home.try_pin(requester(first)) == LOCKED
    home.later(WAITS[0])
    back = home.try_pin(requester(first), pin=PIN)
    assert home.try_pin(requester(back), pin=PIN) not in (CHECKED, LOCKED)


def test_person_who_left_seat_to_bot_returns_past_strangers(home: Home) -> None:
    home.room.company.sit_down()
    key = home.room.company.keys["sniper"]
    home.room.interface.held_seat(key).hand_over("prowler")
    home.use_up()
    assert len(home.try_pin(requester(key), pin=PIN)) > 40


def test_device_that_left_long_ago_counts_as_stranger(home: Home) -> None:
    home.room.company.sit_down()
    key = oldest = home.room.company.keys["sniper"]
    for _ in range(MOST_FORMER_KEYS + 1):
        key = home.try_pin(requester(key), pin=PIN)
    home.use_up()
    assert home.try_pin(requester(oldest)) == LOCKED
    assert len(home.kept()["wrong"]) <= MOST_FORMER_KEYS + 2


def test_sharing_seat_gives_no_more_guesses(home: Home) -> None:
    """The key of one part of a seat does not help with a part that was taken with another PIN, however often it is
    taken again.
    """
    home.room.interface.claim("defenders", BO, "Bo", ("yellow",))
    heard = 0
    for _ in range(4):
        key = home.room.interface.claim("defenders", CY, "Eve", ("red",))
        for _ in range(2 * FREE_TRIES):
            heard += home.try_pin(requester(key), seat="defenders") == CHECKED
        assert home.try_pin(requester(key), pin=BO, seat="defenders") in (CHECKED, LOCKED)
        home.room.interface.release("defenders", requester(key))
    assert [*home.kept()["wrong"].values()] == [FREE_TRIES]
    assert heard >= 4 * FREE_TRIES - 4, "its own PIN can still be tried"
    assert home.try_pin(pin=BO, seat="defenders") == LOCKED
    home.later(FORGIVE_AFTER * MOST_WRONG)
    assert len(home.try_pin(pin=BO, seat="defenders")) > 40


def test_device_may_try_only_its_own_pin_at_locked_seat(home: Home) -> None:
    home.room.interface.claim("defenders", BO, "Bo", ("yellow",))
    key = home.room.interface.claim("defenders", CY, "Cy", ("red",))
    assert home.use_up(seat="defenders") == FREE_TRIES
    for pin in (BO, WRONG):
        with pytest.raises(UserError, match="with which this device sat there") as refused:
            home.room.interface.take_over("defenders", pin, "Eve", (), requester(key))
        assert refused.value.code == CHECKED
    assert len(home.try_pin(requester(key), pin=CY, seat="defenders")) > 40


def test_device_takes_over_another_part_of_seat_with_its_pin(home: Home) -> None:
    home.room.interface.claim("defenders", BO, "Bo", ("yellow",))
    key = home.room.interface.claim("defenders", CY, "Cy", ("red",))
    assert len(home.try_pin(requester(key), pin=BO, seat="defenders")) > 40


# --- what an answer reveals ---------------------------------------------------------------------------------------

DEVICES = ("Eve", "", "  ", "a\x07b", "\ud800")
SQUADS: tuple[tuple[str, ...], ...] = ((), ("yellow",), ("red",), ("yellow", "red"), ("green",), ("red", "red"))


def impossible() -> Iterator[SeatRequest]:
    """Iterate over requests that are refused whatever the PIN is, or with the PIN of another part of the seat
    (`BO`).
    """
    for seat, device, led, share, instead in product(
        ("sniper", "defenders", "nobody"), DEVICES, SQUADS, (False, True), (None, 0, 1, 99, -1)
    ):
        sharing = share and seat == "defenders" and bool({"red", "green"} & set(led))
        place = not share and instead not in (None, 0)
        if device != "Eve" and led:
            continue  # an invalid name is refused before the parts are read
        if seat == "nobody" or device != "Eve" or sharing or place:
            yield SeatRequest(seat, device, led, share, instead)


def answered(home: Home, seat_request: SeatRequest, pin: str) -> tuple[object, ...]:
    """Return code, sentence, rule and seconds of a refusal."""
    with pytest.raises(UserError) as refused:
        if seat_request.frees:
            home.room.interface.release(seat_request.seat, ANONYMOUS, pin)
        else:
            how: dict[str, Any] = {"share": seat_request.share, "instead": seat_request.instead}
            home.room.interface.take_over(
                seat_request.seat, pin, seat_request.device, seat_request.parts, ANONYMOUS, **how
            )
    error = refused.value
    return error.code, error.sentence, error.rule, error.after


class Work:
    """Counts the calculated hashes, and makes them fast."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.done, self._scrypt = 0, hashlib.scrypt
        monkeypatch.setattr(hashlib, "scrypt", self)

    def __call__(self, *words: Any, **more: Any) -> bytes:
        self.done += 1
        return self._scrypt(*words, **{**more, "n": 2})


def tried(home: Home, work: Work, seat_request: SeatRequest, pin: str) -> tuple[object, int, int]:
    """Return the answer to a request with new budgets, the number of attempts it cost, and the number of hashes."""
    home.later(FORGIVE_AFTER * MOST_WRONG)
    before = work.done
    answer = answered(home, seat_request, pin)

    def cost(table: Table) -> int:
        guesses, seats = table.seating.guesses, ("sniper", "defenders")
        told = sum(map(guesses.unseen, seats))
        for seat in seats:
            guesses.acknowledge(seat, told)
        return told

    return answer, home.room.loop.call(cost), work.done - before


def test_invalid_request_with_right_pin_counts_like_wrong_pin(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    home.room.interface.claim("sniper", BO, "Ada")
    home.room.interface.claim("defenders", BO, "Bo", ("yellow",))
    home.room.interface.claim("defenders", CY, "Cy", ("red",))
    seen = Counter[tuple[str, int, int]]()
    for seat_request in impossible():
        found = [tried(home, work, seat_request, pin) for pin in (BO, WRONG, "9" * LONGEST_PIN)]
        assert found[0] == found[1] == found[2], seat_request
        (code, *_), tries, hashes = found[0]
        seen[(code, tries, hashes)] += 1
    assert seen.keys() == {("not-understood", 0, 0), ("wrong-pin", 1, 2)}, "all salts of the seat"
    assert min(seen.values()) > 5


def test_right_and_wrong_pin_take_same_work(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    work = Work(monkeypatch)
    home.room.interface.claim("defenders", BO, "Bo", ("yellow",))
    home.room.interface.claim("defenders", CY, "Cy", ("red",))
    home.room.interface.take_over("defenders", CY, "Di", share=True)
    taken = []
    for pin in (WRONG, BO, CY):
        before = work.done
        home.try_pin(pin=pin, seat="defenders")
        taken.append(work.done - before)
    assert taken == [2, 2, 2]


@pytest.mark.parametrize("pin", ["1", "123", "1" * (LONGEST_PIN + 1)])
def test_invalid_pin_is_no_attempt(home: Home, monkeypatch: pytest.MonkeyPatch, pin: str) -> None:
    home.room.company.sit_down()
    work = Work(monkeypatch)
    for _ in range(3 * FREE_TRIES):
        assert home.try_pin(pin=pin) == "not-understood"
    assert (work.done, home.kept()) == (0, None)


def test_empty_pin_is_no_attempt_and_opens_no_seat(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.room.company.sit_down()
    work = Work(monkeypatch)
    for _ in range(3 * FREE_TRIES):
        assert home.try_pin(pin="") == "wrong-pin"
    assert (work.done, home.kept()) == (0, None)


def test_pin_cannot_free_seat_in_game_and_is_not_checked(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.room.company.sit_down()
    home.room.company.start(random_setup=True)
    work = Work(monkeypatch)
    frees = SeatRequest("sniper", frees=True)
    assert tried(home, work, frees, PIN) == tried(home, work, frees, WRONG)
    assert tried(home, work, frees, PIN)[1:] == (0, 0)


def test_game_start_during_hashing_reveals_nothing_about_pin(home: Home) -> None:
    home.room.company.sit_down()
    seat_request = SeatRequest("sniper", frees=True)
    attempts = [
        home.room.loop.call(lambda table: table.seating.guesses.count_attempt(seat_request, ())) for _ in range(2)
    ]
    home.room.company.start(random_setup=True)
    for attempt, pin in zip(attempts, (PIN, WRONG), strict=True):
        slow = hash_for(pin, attempt.salts)
        with pytest.raises(UserError, match="A game is running"):
            home.room.loop.call(lambda table, tried=attempt, slow=slow: table.grant(seat_request, tried, slow))
    assert home.kept() == {"wrong": {}, "told": {}}


def test_full_queue_costs_no_attempt(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    home.room.company.sit_down()
    monkeypatch.setattr(QUEUE, "seconds", 0.0)
    with ExitStack() as queue:
        for _ in range(MOST_WAITING):
            queue.enter_context(QUEUE.next())
        assert home.try_pin() == home.try_pin(pin=PIN) == "busy"
    assert home.kept() is None
    assert home.try_pin() == CHECKED


# --- notification -------------------------------------------------------------------------------------------------


def test_only_holder_of_seat_is_notified_of_wrong_pins(home: Home) -> None:
    home.room.company.sit_down()
    others = ("defenders", "table", "board")

    def seen() -> list[str]:
        home.room.loop.call(lambda _: None)
        return [latest(home.room.loop.followers, viewer)[1] for viewer in others] + [
            json.dumps(home.room.interface.lobby())
        ]

    before = seen()
    for number in range(1, 4):
        assert home.try_pin() == CHECKED
        assert home.unseen_wrong_pins("sniper") == number
    assert seen() == before
    for key in ("forged", ""):
        with pytest.raises(UserError, match="no longer holds a seat"):
            home.room.interface.held_seat(key).acknowledge_wrong_pins(3)
    home.room.interface.held_seat(home.room.company.keys["defenders"]).acknowledge_wrong_pins(3)
    assert home.unseen_wrong_pins("sniper") == 3
    home.room.interface.held_seat(home.room.company.keys["sniper"]).acknowledge_wrong_pins(2)
    assert home.unseen_wrong_pins("sniper") == 1
    home.restart()
    assert home.unseen_wrong_pins("sniper") == 1


def test_no_one_is_notified_of_right_pin(home: Home) -> None:
    home.room.company.sit_down()
    home.try_pin()
    home.try_pin(pin=PIN)
    assert home.unseen_wrong_pins("sniper") == 1
