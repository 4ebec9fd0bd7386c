"""Past games as an attack: long games requested many times at once, and the same game sent repeatedly."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from firmware_host.records import past, record
from tests.attacks.target import MB, Target
from tests.firmware_host.test_long_games import linked
from tests.long_record import long_record

ACTS = 900
"""A size that no answer reaches, unless it holds all steps of the game."""
ENOUGH = 160 * MB
"""The most memory that the table may use. Two thinking bots take 60 MB more, and the unit's MemoryMax is 256 MB."""


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    found = Target(tmp_path_factory.mktemp("target"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def number(target: Target) -> int:
    """The number of a long imported game."""
    status, _, answer = target.ask("POST", "/api/games", record.record_bytes(long_record(ACTS)), "sniper")
    assert status == 200, answer
    return int(json.loads(answer)["number"])


def test_many_requests_for_long_game_exhaust_neither_memory_nor_table(target: Target, number: int) -> None:
    paths = [f"/api/games/{number}", f"/api/games/{number}/steps/0", f"/api/games/{number}/steps/700", "/api/games"]
    with ThreadPoolExecutor(12) as many:
        asked = [many.submit(target.ask, "GET", path, None, "", f"127.0.3.{n}") for n in range(12) for path in paths]
        target.plays_on()
        answers = [found.result() for found in asked]
    codes = {status: json.loads(body) for status, _, body in answers}
    assert {*codes} <= {200, 413, 429, 503}
    assert all(found["error"]["sentence"] for status, found in codes.items() if status != 200)
    assert max(len(body) for _, _, body in answers) < past.STEP_BYTES + 8192
    assert target.ask("GET", f"/api/games/{number}")[0] == 413
    page = json.loads(target.ask("GET", f"/api/games/{number}/steps/850")[2])
    assert page["steps"]
    print(f"at most {target.peak / MB:.0f} MB")
    assert target.peak < ENOUGH
    target.plays_on()


def test_strangers_neither_start_nor_stop_analyses(target: Target, number: int) -> None:
    """One process of low priority runs at a time, for the people at the table. The running game has none for anyone."""
    start, stop = (json.dumps({"do": do}).encode() for do in ("start", "stop"))
    address = "/api/games/{}/analyse".format
    assert [target.ask("POST", address(number), start, "sniper")[0] for _ in range(3)] == [200] * 3
    with ThreadPoolExecutor(12) as many:
        asked = [many.submit(target.ask, "POST", address(number), stop, "", f"127.0.4.{n % 24}") for n in range(48)]
        target.plays_on()
        answers = [found.result() for found in asked]
    assert {403} <= {status for status, _, _ in answers} <= {403, 429, 503}
    assert sum(analyses_of(target)) == 1
    for method, path, body in (("POST", address(1), start), ("GET", "/api/games/1/analysis", None)):
        for seat in ("sniper", "defenders"):
            status, _, answer = target.ask(method, path, body, seat)
            assert (status, json.loads(answer)["error"]["code"]) == (409, "not-over")
    assert json.loads(target.ask("GET", "/api/games/1/analysis")[2])["error"]["code"] == "not-over"
    assert target.ask("POST", address(number), stop, "sniper")[0] == 200
    assert not sum(analyses_of(target))
    target.plays_on()
    assert target.peak < ENOUGH


def analyses_of(target: Target) -> Iterator[bool]:
    """Yield for each child of the table whether it analyses a game."""
    children = Path(f"/proc/{target.daemon.process.pid}/task")
    for task in children.iterdir():
        for child in (task / "children").read_text().split():
            yield b"firmware_host.analysis.process" in Path(f"/proc/{child}/cmdline").read_bytes()


@pytest.mark.parametrize("first", ["-1", "99999", "x", "9" * 30, "1e3", "%00"])
def test_invalid_steps_are_refused(target: Target, number: int, first: str) -> None:
    status, _, answer = target.ask("GET", f"/api/games/{number}/steps/{first}")
    assert (status, json.loads(answer)["error"]["code"]) == (404, "not-found")


def test_resent_game_with_another_date_is_not_added(target: Target, number: int) -> None:
    sent = long_record(ACTS)
    was = (target.daemon.state / "games.sqlite").stat().st_size
    for later in range(1, 4):
        other = record.record_bytes(linked(sent, sent.entries, started=sent.started + later))
        status, _, answer = target.ask("POST", "/api/games", other, "sniper")
        assert (status, json.loads(answer)["error"]["code"]) == (409, "not-now")
        assert f"here already, as game {number}" in json.loads(answer)["error"]["sentence"]
    assert (target.daemon.state / "games.sqlite").stat().st_size == was
    target.plays_on()


def test_no_game_is_deleted_without_pin(target: Target, number: int) -> None:
    for seat in ("", "sniper", "defenders"):
        for method, path, body in (
            ("POST", "/api/house/games/delete", json.dumps({"game": number}).encode()),
            ("GET", "/api/house/games", None),
            ("GET", "/api/house/games/older/9", None),
        ):
            status, _, answer = target.ask(method, path, body, seat)
            assert (status, json.loads(answer)["error"]["code"]) == (403, "no-house"), path
    assert target.ask("GET", f"/api/games/{number}/steps/0")[0] == 200
