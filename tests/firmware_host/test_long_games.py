"""Long games: shown in pages of limited size, one page at a time, and imported within limits."""

from __future__ import annotations

import json
import threading
import tracemalloc
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.text import Text
from firmware_host.core.errors import UserError
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.records import chain, imports, past, record
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import FILE, ROW_BYTES, Journal
from firmware_host.records.past import PastGames
from firmware_host.records.record import Record
from firmware_host.records.work_turns import Turns
from tests.long_record import long_record
from tests.past_pages import told

ACTS = 700
"""Enough for an answer that is too large."""


@pytest.fixture(scope="module")
def sent() -> Record:
    return long_record(ACTS)


@pytest.fixture
def journal(tmp_path: Path) -> Any:
    found = Journal(tmp_path / FILE)
    yield found
    found.close()


@pytest.fixture
def long(journal: Journal, sent: Record) -> PastGames:
    assert imports.import_record(journal, imports.read_checked(record.record_bytes(sent))) == 1
    return PastGames(journal.path)


def shout(words: Text) -> str:
    return words.upper()


# --- pages ------------------------------------------------------------------------------------------------------


@pytest.mark.nightly
def test_all_pages_together_are_whole_game(long: PastGames, sent: Record, monkeypatch: pytest.MonkeyPatch) -> None:
    paged = told(long, 1)
    monkeypatch.setattr(past, "LARGEST_WHOLE", 1 << 30)
    whole = json.loads(long.whole_game(1))
    assert whole["steps"] == paged["steps"]
    assert {name for name in paged if name not in whole} == {"count", "first", "next"}
    assert [step["seat"] for step in paged["steps"]] == [entry.seat for entry in sent.entries]
    assert paged["steps"][-1]["views"]["table"]["over"]


def test_list_has_enough_time_to_fold_whole_game(long: PastGames, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise, on a slow or busy machine, a long game would count as failing until the next start."""
    limits: list[float | None] = []

    def isolated(name: str, work: Any, *args: Any, limit: float | None = None) -> Any:
        limits.append(limit)
        return work(*args)

    monkeypatch.setattr(past, "isolated", isolated)
    assert [game["state"] for game in long.listed()["games"]] == ["over"]
    assert limits == [START_LIMIT]


def test_page_is_same_wherever_reading_starts(long: PastGames) -> None:
    last = len(told(long, 1)["steps"]) - 1
    for first in (last, 0, 333, 334, past.STEPS_PER_PAGE, last - 1):
        page = json.loads(long.page(1, first))
        alone = json.loads(PastGames(long._path).page(1, first))
        assert page == alone
        assert (page["first"], page["count"]) == (first, last + 1)
        assert page["next"] == (None if first + len(page["steps"]) > last else first + len(page["steps"]))
    for first in (-1, last + 1):
        with pytest.raises(UserError, match=f"has the steps 0 to {last}") as caught:
            long.page(1, first)
        assert caught.value.code == "not-found"


def test_page_has_limited_bytes_and_steps(long: PastGames, monkeypatch: pytest.MonkeyPatch) -> None:
    first, pages = 0, []
    while first is not None:
        data = long.page(1, first)
        page = json.loads(data)
        pages.append((len(data), len(page["steps"])))
        first = page["next"]
    assert max(size for size, _ in pages) < past.STEP_BYTES + 4096
    assert max(steps for _, steps in pages) <= past.STEPS_PER_PAGE
    monkeypatch.setattr(past, "STEP_BYTES", 10)
    alone = json.loads(PastGames(long._path).page(1, 5))
    assert (len(alone["steps"]), alone["next"]) == (1, 6), "one step at least, otherwise reading would not progress"


def test_page_is_in_language_of_reader(long: PastGames) -> None:
    english, loud = (json.loads(long.page(1, 0, translate)) for translate in (str, shout))
    assert loud["outcome"] == english["outcome"].upper()
    lines = [line["sentence"] for step in english["steps"] for line in step["told"]]
    assert [line["sentence"] for step in loud["steps"] for line in step["told"]] == [line.upper() for line in lines]


def test_game_too_large_for_one_answer_is_refused_without_rebuilding(
    long: PastGames, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(past, "LARGEST_WHOLE", 1 << 20)
    for _ in range(2):
        with pytest.raises(UserError, match="too long for one answer") as caught:
            long.whole_game(1)
        assert caught.value.code == "too-large"
        monkeypatch.setattr(past, "_build_page", None)


def test_memory_for_a_page_does_not_grow_with_game(long: PastGames) -> None:
    told(long, 1)
    tracemalloc.start()
    try:
        for first in (0, 200, 400, 600):
            long._pages.forget(lambda key: True)
            tracemalloc.reset_peak()
            before = tracemalloc.get_traced_memory()[0]
            page = long.page(1, first)
            assert tracemalloc.get_traced_memory()[1] - before < 6 * len(page)
        kept = tracemalloc.get_traced_memory()[0] - before
        assert kept < 3 * past.STEP_BYTES
    finally:
        tracemalloc.stop()


def test_cached_pages_use_limited_memory(long: PastGames, monkeypatch: pytest.MonkeyPatch) -> None:
    room = 2 * past.STEP_BYTES
    monkeypatch.setattr(long._pages, "_most_bytes", room)
    whole = told(long, 1)
    kept = long._pages._found
    assert len(kept) >= 2
    assert sum(len(page) for page, _ in kept.values()) <= room < len(msgspec.json.encode(whole))


def test_game_of_too_many_bytes_is_listed_but_not_shown(long: PastGames, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(past, "LARGEST_GAME", 50_000)
    monkeypatch.setattr(Journal, "entries", None)
    (game,) = long.listed()["games"]
    assert game["state"] == "too-long"
    for ask in (long.whole_game, long.record, long.ending):
        with pytest.raises(UserError, match="too long to be viewed here") as caught:
            ask(1)
        assert caught.value.code == "not-over"


def test_page_of_list_reads_limited_bytes(journal: Journal, long: PastGames, monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in (4, 5):
        imports.import_record(journal, long_record(60, seed, seed * 1e8))
    monkeypatch.setattr(past, "LIST_BUDGET", 1)
    numbers, before = [], None
    while True:
        listed = long.listed(before)
        (game,) = listed["games"]
        before = game["number"]
        numbers.append(before)
        if not listed["more"]:
            break
    assert numbers == [3, 2, 1]
    assert [game["number"] for game in long.listed()["games"]] == [3, 2, 1], "known games need no reading"


# --- turns ------------------------------------------------------------------------------------------------------


def test_one_request_runs_some_wait_and_others_are_refused() -> None:
    turns = Turns(waiting=2, seconds=60)
    inside, refused, done = threading.Event(), [], []

    def wait() -> None:
        try:
            with turns.next():
                done.append(1)
        except UserError as error:
            refused.append(error.code)
        inside.set()

    with turns.next():
        waiting = [threading.Thread(target=wait) for _ in range(3)]
        for thread in waiting:
            thread.start()
        inside.wait()  # one of the three is refused while the turn is taken
        assert refused == ["busy"]
        assert not done
    for thread in waiting:
        thread.join()
    assert (len(done), refused) == (2, ["busy"])


def test_waiting_time_is_limited() -> None:
    turns = Turns(waiting=2, seconds=0.01)
    with turns.next(), pytest.raises(UserError, match="busy with past games") as caught:
        turns.next().__enter__()
    assert caught.value.code == "busy"
    with turns.next():
        pass


# --- the same game ----------------------------------------------------------------------------------------------


def linked(sent: Record, entries: list[ChainEntry], **changes: Any) -> Record:
    """Return the record with these changes and entries, and a new chain."""
    header = msgspec.structs.replace(sent, **changes)
    before, found = chain.hash_before_first(header), []
    for entry in entries:
        texts = chain.json_text(entry.command), chain.json_text(entry.telling)
        before = chain.link(before, entry.at, entry.kind, entry.seat, *texts)
        found.append(msgspec.structs.replace(entry, hash=before))
    return record.record_of(header, found)


CHANGES = (
    "another beginning",
    "another time of each act",
    "put away",
    "an option without a value",
    "an act that was taken back",
)


def changed(sent: Record, change: str) -> Record:
    """Return the record after one of CHANGES."""
    entries, header = sent.entries, dict[str, Any](started=sent.started + 1)
    match change:
        case "another time of each act":
            entries = [msgspec.structs.replace(entry, at=entry.at + 5) for entry in entries]
        case "put away":
            entries = [*entries, ChainEntry(entries[-1].at, "put-away", "", None, [], "")]
        case "an option without a value":
            header["options"] = {**sent.options, "nest": None}
        case "an act that was taken back":
            marked = next(n for n, it in enumerate(entries) if it.kind == "act" and it.command["type"] == "mark")
            back = ChainEntry(entries[marked].at, "taken-back", "defenders", None, [], "")
            entries = [*entries[: marked + 1], back, *entries[marked:]]
    return linked(sent, entries, **header)


@pytest.mark.parametrize("change", CHANGES)
def test_same_game_is_imported_once_whatever_its_record_claims(journal: Journal, change: str) -> None:
    sent = long_record(60, 4)
    imports.import_record(journal, imports.read_checked(record.record_bytes(sent)))
    other = changed(sent, change)
    assert other.hash != sent.hash
    size = journal.size(1)
    try:
        again = imports.read_checked(record.record_bytes(other))
    except UserError as error:
        assert change == "an act that was taken back", error.sentence  # a mark is public, and cannot be taken back
        again = other
    with pytest.raises(UserError, match="here already, as game 1"):
        imports.check_new(journal, again)
    assert journal.size(1) == size
    imports.check_new(journal, long_record(60, 5, 2e9))


def test_another_game_that_started_at_the_same_time_does_not_count_as_this_game(journal: Journal) -> None:
    """The header of a record doesn't identify its game, nor does the set-up."""
    sent, other_setup = long_record(60, 4), long_record(60, 5)
    last = sent.entries[-1]
    ending = msgspec.structs.replace(last, telling=[*last.telling, *last.telling])
    other_ending = linked(sent, [*sent.entries[:-1], ending])
    assert sent.hash == other_setup.hash == other_ending.hash
    imports.import_record(journal, sent)
    for other in (other_setup, other_ending):
        with pytest.raises(UserError, match="Game 1 here is another game with the same start time"):
            imports.check_new(journal, other)
    journal.delete(1)
    imports.check_new(journal, other_setup)


@pytest.mark.parametrize("longer_is_here", [False, True])
def test_game_that_was_continued_after_it_was_copied_is_the_same_game(journal: Journal, longer_is_here: bool) -> None:
    sent = long_record(60, 4)
    copies = [sent, record.record_of(sent, sent.entries[:-5])]
    here, other = copies if longer_is_here else reversed(copies)
    imports.import_record(journal, here)
    with pytest.raises(UserError, match="here already, as game 1"):
        imports.check_new(journal, other)


def test_imported_games_have_a_common_size_limit(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = long_record(60, 4), long_record(60, 5, 2e9)
    imports.import_record(journal, first)
    room = sum(len(chain.json_text([it.command, it.telling])) + ROW_BYTES for it in second.entries)
    monkeypatch.setattr(imports, "MOST_BYTES", journal.size(1) + room - 1)
    with pytest.raises(UserError, match="there is no room for this one"):
        imports.check_new(journal, second)
    journal.delete(1)
    imports.check_new(journal, second)
    monkeypatch.setattr(imports, "MOST_IMPORTED", 0)
    with pytest.raises(UserError, match="there is no room for more"):
        imports.check_new(journal, second)
    monkeypatch.setattr(imports, "LARGEST_GAME", room - 1)
    with pytest.raises(UserError, match="too long to be viewed here, and is not imported"):
        imports.check_new(journal, second)
