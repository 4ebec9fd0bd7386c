"""JSON from strangers: accepted data can be written again unchanged, and everything else is one kind of error."""

from __future__ import annotations

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from firmware_host.core.strict import Malformed, decode, decode_toml

LARGEST = 1 << 16

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 63), (1 << 63) - 1) | st.floats(-1e300, 1e300)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=20,
)  # fmt: skip
SURROGATES = st.sampled_from(["\\ud800", "\\udfff", "\\ud83d\\u0041", "\\udc00\\ud800", "\\uD83D"])


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "not-json"),
        (b'{"a": NaN}', "not-json"),
        (b"Infinity", "not-json"),
        (b"1 2", "not-json"),
        (b"\xff\xfe", "not-text"),
        (b'"\xed\xa0\x80"', "not-text"),
        (b'{"a": 1, "b": {"c": 1, "c": 1}}', "twice"),
        (b'{"a": 1, "\\u0061": 1}', "twice"),
        (b"[" * 34 + b"]" * 34, "too-deep"),
        (b"[" * 60_000, "too-deep"),
        (b'{"a":' * 10_000, "too-deep"),
        (b"-0.0", "number"),
        (b"[-0e5]", "number"),
        (b"1e999", "number"),
        (b"9223372036854775808", "number"),
        (b"-9223372036854775809", "number"),
        (b"1" * 5_000, "number"),
        (b" " * 70_000, "too-large"),
    ],
)
def test_invalid_data_is_reported(data: bytes, fault: str) -> None:
    with pytest.raises(Malformed) as told:
        decode(data, LARGEST)
    assert told.value.fault == fault


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig"])
def test_byte_order_mark_of_a_file_is_not_part_of_its_text(encoding: str) -> None:
    assert decode_toml('name = "Łódź"\r\n'.encode(encoding)) == {"name": "Łódź"}


@pytest.mark.parametrize(
    ("file", "found"),
    [
        ("a = 1".encode("utf-16"), ", but UTF-16"),
        (b"\xfe\xff\0a", ", but UTF-16"),
        ("a = 1".encode("utf-16-le"), ", but UTF-16"),
        (b'a = "\xf3"', r" \(see line 1\)"),
    ],
)
def test_other_encodings_are_named_with_the_remedy(file: bytes, found: str) -> None:
    with pytest.raises(ValueError, match=f"^not text in UTF-8{found}: save it as UTF-8$"):
        decode_toml(file)


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b"\x1f\x8b\x08\x00a", "compressed with gzip"),
        (b"%PDF-1.7\n", "a PDF"),
        (b"\x89PNG\r\n\x1a\n", "a PNG picture"),
        (b"\xff\xd8\xff\xe0", "a JPEG picture"),
        (b"PK\x03\x04\x14\x00", "a ZIP archive"),
    ],
)
def test_renamed_file_of_another_kind_is_named(head: bytes, kind: str) -> None:
    with pytest.raises(ValueError, match=f"^not text, but {kind}: save it as text in UTF-8$"):
        decode_toml(head)


@pytest.mark.parametrize("number", ["9" * 400, "-9223372036854775809", f"0x{'f' * 4000}"])
def test_large_number_in_a_file_is_reported(number: str) -> None:
    """It could be converted neither to a float nor to the text of a message, which ended the table at a reload."""
    assert decode_toml(b"a = 9223372036854775807")
    for file in (f"a = {number}", f"[a]\nb = [1, [{number}]]"):
        with pytest.raises(ValueError, match=r"^not TOML \(a number of more than 64 bits\)$"):
            decode_toml(file.encode())


@pytest.mark.parametrize("key", ["a." * 40_000 + "a", '" ".' * 3_000 + "c", "'-' . " * 3_000 + "c"])
@pytest.mark.parametrize("line", ["{} = 1", "[{}]", "a = {{{} = 1}}"])
def test_key_of_many_parts_is_reported(key: str, line: str) -> None:
    """40,000 parts took six gigabytes."""
    with pytest.raises(ValueError, match=r"^too deeply nested TOML$"):
        decode_toml(line.format(key).encode())


def test_many_keys_of_many_parts_are_reported() -> None:
    lines = "\n".join(f"{'a.' * 400}b{number} = 1" for number in range(100))
    with pytest.raises(ValueError, match=r"^too deeply nested TOML$"):
        decode_toml(lines.encode())
    text = "A sentence. Another one. A third, which is longer. So."
    assert decode_toml("\n".join(f'text-{number} = "{text}"' for number in range(10_000)).encode())


def test_duplicate_name_is_reported() -> None:
    with pytest.raises(Malformed) as told:
        decode(b'{"seat": 1, "seat": 2}', LARGEST)
    assert told.value.name == "seat"


@pytest.mark.parametrize(
    "surrogate", ["\\ud800", "\\udc00", "\\ud800x", "\\ud800\\u0041", "\\udc00\\ud800", "\\ud800\\n"]
)
@pytest.mark.parametrize("text", ['"{}"', '{{"{}":1}}', '[1,{{"a":"{}"}}]', '{{"a":{{"b{}":[]}}}}'])
def test_lone_surrogate_is_refused_everywhere(text: str, surrogate: str) -> None:
    with pytest.raises(Malformed, match="holds half of a surrogate pair"):
        decode(text.format(surrogate).encode(), LARGEST)


def test_longer_integers_are_accepted_on_request() -> None:
    assert decode(b"[-%d, %d]" % (1 << 99, (1 << 99) - 1), LARGEST, bits=100) == [-(1 << 99), (1 << 99) - 1]
    with pytest.raises(Malformed):
        decode(b"%d" % (1 << 99), LARGEST, bits=100)


def test_valid_data_is_accepted() -> None:
    text = '{"a":[1,-2.5,true,null,"\\ud83d\\ude00",9223372036854775807,0.0],"b":{}}'
    assert decode(text.encode(), LARGEST) == json.loads(text)
    assert decode(b"[" * 32 + b"]" * 32, LARGEST) is not None


@given(VALUES)
def test_every_value_is_read_unchanged_or_refused(value: Any) -> None:
    with suppress(Malformed):  # minus zero
        assert repr(decode(msgspec.json.encode(value), LARGEST)) == repr(value)


@given(VALUES, SURROGATES, st.integers(0), st.integers(0), st.binary(max_size=3))
@example("", "", 0, 0, b"\x80")
def test_any_data_is_writable_or_refused(value: Any, surrogate: str, place: int, other: int, noise: bytes) -> None:
    data = bytearray(msgspec.json.encode(value))
    for at, part in ((place, noise), (other, surrogate.encode())):
        at %= len(data) + 1
        data[at:at] = part
    with suppress(Malformed):
        found = decode(bytes(data), LARGEST)
        assert repr(msgspec.json.decode(msgspec.json.encode(found))) == repr(found)
