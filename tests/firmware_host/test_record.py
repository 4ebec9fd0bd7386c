"""A record is read within limits, and everything imported is read back as it was sent, also at the next start."""

from __future__ import annotations

import json
import tracemalloc
from codecs import BOM_UTF8
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from firmware_host.records import chain, promise, record
from firmware_host.records.chain import ChainEntry, GameHeader
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.record import RecordError
from tests.depth import cases

HEADER = GameHeader(5.0, "toy", "first", "abc", {})
MIB = 1 << 20


def entry(before: str, at: float, kind: Any, seat: str = "", command: Any = None, telling: Any = ()) -> ChainEntry:
    """Return an entry that fits the one before it."""
    link = chain.link(before, at, kind, seat, chain.json_text(command), chain.json_text(telling))
    return ChainEntry(at, kind, seat, command, list(telling), link)


def chained(header: GameHeader, *rows: Any) -> list[ChainEntry]:
    """Return a chain of a start and an act for each of `rows` (time, seat, command, telling)."""
    entries = [entry(chain.hash_before_first(header), header.started, "start")]
    for at, seat, command, telling in rows:
        entries.append(entry(entries[-1].hash, at, "act", seat, command, telling))
    return entries


def encoded_record(header: GameHeader = HEADER, *rows: Any) -> bytes:
    """Return the record of a game with a correct chain."""
    return record.record_bytes(record.record_of(header, chained(header, *rows)))


# --- what would be changed ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (encoded_record(msgspec.structs.replace(HEADER, started=-0.0)), "minus zero"),
        (encoded_record(HEADER, (1.0, "a", {"to": [-0.0]}, [])), "minus zero"),
        (encoded_record(HEADER, (1.0, "a", 1 << 63, [])), "out of range"),
        (encoded_record(HEADER, (1.0, "a", "x" * 257, [])), "more than 256 characters"),
        (encoded_record(HEADER, (1.0, "a", {"x" * 257: 1}, [])), "more than 256 characters"),
        (encoded_record(HEADER, (1.0, "a" * 65, None, [])), "not a record of a game"),
        (encoded_record(msgspec.structs.replace(HEADER, map="a" * 65)), "not a record of a game"),
        (
            encoded_record(HEADER, (1.0, "a", {"b": 1}, [])).replace(b'{"b":1}', b'{"\\u0062":"}{\\\\",  "b" : 1}'),
            "twice in one object",
        ),
        (encoded_record().replace(b'"toy"', b'"joy","game":"toy"', 1), "twice in one object"),
        (encoded_record().replace(b'"seat":""', b'"seat":"\\ud800"'), "not a record of a game"),
        (encoded_record().replace(b'"options":{}', b'"options":1e400'), "not a record of a game"),
        (encoded_record().decode().encode("utf-16"), "Save it as UTF-8"),
        (b"", "not a record of a game: it is empty"),
        (encoded_record()[:-9], "not a record of a game: it is not JSON\\."),
        (encoded_record().replace(b'"telling":[]', b'"telling":[' + b"0," * record.MOST_VALUES + b"0]"), "values"),
        (encoded_record().replace(b'"options":{}', b'"options":' + b"[" * 17 + b"]" * 17), "nested too deeply"),
    ],
    ids=lambda case: case if isinstance(case, str) else "record",
)
def test_record_that_would_not_be_read_back_unchanged_is_refused(data: bytes, why: str) -> None:
    with pytest.raises(RecordError, match=why):
        record.read_record(data)


def test_byte_order_mark_changes_nothing() -> None:
    assert record.read_record(BOM_UTF8 + encoded_record()) == record.read_record(encoded_record())


def test_numbers_in_another_notation_are_same_numbers() -> None:
    data = encoded_record(HEADER, (100.0, "a", {"n": 100.0, "i": 1}, ["\u2028\0\x7f\U0010ffff"]))
    spelled = (
        data.replace(b'"at":100.0', b'"at":1e2').replace(b'"n":100.0', b'"n":1.00E+2').replace(b'"a"', b'"\\u0061"')
    )
    assert spelled != data
    assert record.read_record(spelled) == record.read_record(data)
    assert record.record_bytes(record.read_record(spelled)) == data


def test_promise_has_exactly_64_digits() -> None:
    digits = "0a" * 32
    assert promise.read_opening({"promise": digits, "seed": digits, "nonce": digits}) is not None
    for wrong in (digits + "\n", digits[1:], digits + "0", digits.upper(), "0" * MIB):
        with pytest.raises(msgspec.ValidationError):
            promise.read_opening({"promise": wrong, "seed": digits, "nonce": digits})


# --- memory -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "piece", ["a", "\\n", "\\\\", '\\"', "\\u0000", "[{", ",:", "\u20ac"], ids=lambda piece: repr(piece)
)
@pytest.mark.parametrize("place", ['"options":{}', '"map":"first"', '"seat":""', '"command":null', '"format":'])
def test_long_text_takes_memory_of_a_few_times_its_size(piece: str, place: str) -> None:
    name = place.partition(":")[0]
    text = piece * (MIB // len(piece.encode()))
    data = encoded_record().replace(place.encode(), f'{name}:"{text}","more":'.encode() if place == '"format":' else
                          f'{name}:"{text}"'.encode(), 1)  # fmt: skip
    assert len(data) > 0.9 * MIB
    assert cost(data) < 5 * len(data)


def test_unterminated_text_and_brackets_take_no_more_memory() -> None:
    for data in (b'"' + b"a" * MIB, b'{"a":"' + b"\\" * MIB, b"[" * MIB, b'"' * MIB, b"{}," * (MIB // 3)):
        assert cost(data) < 5 * len(data)


def cost(data: bytes) -> int:
    """Return the peak memory in bytes for refusing this invalid record."""
    tracemalloc.start()
    try:
        with pytest.raises(RecordError):
            record.read_record(data)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


# --- importing ----------------------------------------------------------------------------------------------------

NUMBERS = st.one_of(
    st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.sampled_from([-0.0, 1e22, 5e-324])
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), NUMBERS, st.text()),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(), inner, max_size=3)),
    max_leaves=8,
)
MOMENTS = st.one_of(st.floats(0, 1e11), st.sampled_from([0.0, -0.0, 5e-324, 0.1 + 0.2, 1e11]))
HEADERS = st.builds(GameHeader, MOMENTS, st.text(), st.text(), st.text(), VALUES)
ROWS = st.lists(st.tuples(MOMENTS, st.text(), VALUES, st.lists(VALUES, max_size=3)), max_size=3)


@settings(max_examples=cases(60, by_day=20))
@given(HEADERS, ROWS, st.booleans())
@example(msgspec.structs.replace(HEADER, started=-0.0), [], False)
@example(HEADER, [(-0.0, "a", None, [])], False)
def test_imported_record_is_read_back_whole_at_next_start(header: GameHeader, rows: list[Any], respelled: bool) -> None:
    data = encoded_record(header, *rows)
    if respelled:
        data = json.dumps(json.loads(data), indent=1).encode()
    try:
        sent = record.read_record(data)
    except RecordError:
        return
    with TemporaryDirectory() as folder:
        journal = Journal(Path(folder) / FILE)
        running = journal.begin("toy", "first", "abc", {}, [])
        number = journal.import_game(sent)
        journal.close()
        again = Journal(Path(folder) / FILE)
        assert again.notices == []
        first, saved = again.games()
        assert (first.id, saved.id) == (running, number)
        kept = record.record_of(saved, again.entries(number)[:-1])
        assert record.record_bytes(kept) == record.record_bytes(sent)
        again.close()


@pytest.mark.parametrize(
    ("header", "entries"),
    [
        (msgspec.structs.replace(HEADER, started=-0.0), None),
        (HEADER, chained(HEADER, (-0.0, "a", None, []))),
        (HEADER, [chained(HEADER)[0], msgspec.structs.replace(chained(HEADER, (0.0, "a", 1, []))[1], at=-0.0)]),
        (HEADER, chained(HEADER)[1:]),
        (HEADER, chained(HEADER, (1.0, "a", None, []))[::-1]),
        (HEADER, chained(msgspec.structs.replace(HEADER, map="second"))),
        (HEADER, [*chained(HEADER), msgspec.structs.replace(chained(HEADER)[0], telling=[1])]),
    ],
)
def test_record_that_next_start_would_find_damaged_is_refused(
    tmp_path: Path, header: GameHeader, entries: list[ChainEntry] | None
) -> None:
    journal = Journal(tmp_path / FILE)
    running = journal.begin("toy", "first", "abc", {}, [])
    with pytest.raises(RecordError, match="cannot be stored without changes"):
        journal.import_game(record.record_of(header, chained(header) if entries is None else entries))
    assert [game.id for game in journal.games()] == [running]
    assert journal.import_game(record.record_of(HEADER, chained(HEADER))) == running + 1
    journal.close()
    again = Journal(tmp_path / FILE)
    assert again.notices == []
    found = again.running()
    assert found is not None
    assert found.id == running
    again.close()
