"""Seats are claimed once, can be taken over with the PIN, and never open for an old key."""

from __future__ import annotations

import re
import sys
import unicodedata
from unicodedata import normalize

import msgspec
import pytest

from firmware_host.core.errors import UserError
from firmware_host.core.person_names import LONGEST_GIVEN, name_key, person_name
from firmware_host.seats.claims import MOST_DEVICES, MOST_FORMER_KEYS, Claim, Claims, SeatRequest
from firmware_host.seats.identity import Holder
from firmware_host.seats.pins import hash_for, new_salt
from games import find

SQUADS = ("yellow", "red", "black")
SEATS = find("sniper-elite").seats(find("sniper-elite").read_options({}))


@pytest.fixture
def claims() -> Claims:
    return Claims(lambda: SEATS)


def take_over(claims: Claims, seat: str, pin: str, device: str, instead: int | None = None) -> str:
    return claims.grant(SeatRequest(seat, device, instead=instead), pin)


def share(claims: Claims, seat: str, pin: str, device: str, parts: tuple[str, ...]) -> str:
    return claims.grant(SeatRequest(seat, device, parts, share=True), pin)


def release_by_pin(claims: Claims, seat: str, pin: str) -> None:
    claims.grant(SeatRequest(seat, frees=True), pin)


def refusal_of(code: str) -> object:
    return pytest.raises(UserError, check=lambda error: error.code == code)


def test_key_opens_claimed_seat(claims: Claims) -> None:
    key = claims.claim("sniper", "1234", "Ada's phone", ())
    assert claims.holder(key) == Holder("sniper", (), "Ada's phone")
    assert claims.holder("another key") is None


def test_seat_is_claimed_once(claims: Claims) -> None:
    claims.claim("sniper", "1234", "Ada", ())
    with refusal_of("seat-taken"):
        claims.claim("sniper", "9999", "Eve", ())


def test_takeover_with_pin_invalidates_old_key(claims: Claims) -> None:
    old = claims.claim("sniper", "1234", "Ada's phone", ())
    new = take_over(claims, "sniper", "1234", "Ada's tablet")
    assert claims.holder(old) is None
    assert claims.holder(new) == Holder("sniper", (), "Ada's tablet")
    assert len(claims.taken("sniper")) == 1


def test_wrong_pin_takes_nothing_over(claims: Claims) -> None:
    key = claims.claim("sniper", "1234", "Ada", ())
    with refusal_of("wrong-pin"):
        take_over(claims, "sniper", "0000", "Eve")
    assert claims.holder(key) == Holder("sniper", (), "Ada")


def test_bot_without_person_cannot_be_taken_over_with_pin(claims: Claims) -> None:
    claims.seat_bot("sniper", "random")
    for pin in ("", "0000"):
        with refusal_of("wrong-pin"):
            take_over(claims, "sniper", pin, "Eve")


def test_prepared_hash_is_not_calculated_again_in_loop(claims: Claims, monkeypatch: pytest.MonkeyPatch) -> None:
    taking = hash_for("1234", [new_salt()])
    monkeypatch.setattr("hashlib.scrypt", None)
    claims.claim("sniper", taking, "Ada", ())
    assert claims.salts("sniper") == [taking.fresh]
    assert take_over(claims, "sniper", taking, "Ada's tablet")


def test_three_people_may_lead_a_squad_each(claims: Claims) -> None:
    claims.claim("defenders", "1111", "Bo", ("yellow",))
    key = claims.claim("defenders", "2222", "Cy", ("red",))
    with refusal_of("seat-taken"):
        claims.claim("defenders", "3333", "Di", ("red", "black"))
    holder = claims.holder(key)
    assert holder is not None
    assert [claims.leader(holder, part) for part in SQUADS] == ["Bo", None, None]


def test_no_squads_named_means_all_squads(claims: Claims) -> None:
    key = claims.claim("defenders", "1111", "Bo", ())
    assert claims.holder(key) == Holder("defenders", SQUADS, "Bo")


@pytest.mark.parametrize("pin, device", [("12", "Ada"), ("1234", "  "), ("1234", "a\x07b"), ("1" * 65, "Ada")])
def test_invalid_pin_or_name_is_reported_and_takes_nothing(claims: Claims, pin: str, device: str) -> None:
    with refusal_of("not-understood"):
        claims.claim("sniper", pin, device, ())
    assert claims.all == []


@pytest.mark.parametrize("blank", ["\u3164", "\uffa0", "\u1160", "\u115f", "\u2800", "\ufe0f", "\u0301"])
def test_name_that_shows_nothing_is_none(claims: Claims, blank: str) -> None:
    """Screens would list a device of a secret seat without a name."""
    with refusal_of("not-understood"):
        claims.claim("sniper", "1234", blank * 3, ())
    claims.claim("sniper", "1234", "Zażółć \u2764\ufe0f", ())
    assert claims.taken("sniper")[0].person == "Zażółć \u2764"


def test_name_of_a_blank_letter_is_none() -> None:
    """No category tells these from letters that show something, but their names do, also in later Unicode."""
    blank_name = re.compile("(?<!GAP )(?<!LINE )(FILLER|BLANK|NULL NOTEHEAD)$")
    blanks = [it for it in map(chr, range(sys.maxunicode + 1)) if blank_name.search(unicodedata.name(it, ""))]
    assert len(blanks) > 5
    for blank in blanks:
        with refusal_of("not-understood"):
            person_name(blank)


EMOJI = ["\U0001f44d\U0001f3fd", "\U0001f1f5\U0001f1f1", "\U0001f468"]
JOINED = ["\U0001f468\u200d\U0001f469", "\U0001f44d\U0001f3fd\u200d\u2642\ufe0f", "\u2764\ufe0f\u200d\U0001f525"]
PRINTABLE_BUT_INVISIBLE = [
    letter
    for code in (0x34F, 0x17B4, 0x17B5, *range(0x180B, 0x1810), *range(0xFE00, 0xFE0E), *range(0xE0100, 0xE01F0))
    for letter in [chr(code)]
]


@pytest.mark.parametrize("name", [*EMOJI, "Nguyễn", "ทิ้ง", "हिन्दी", "שָׁלוֹם"])
def test_emoji_and_letters_of_all_languages_are_part_of_a_name(claims: Claims, name: str) -> None:
    claims.claim("sniper", "1234", name, ())
    assert claims.taken("sniper")[0].person == normalize("NFC", name)


def test_invisible_character_of_a_name_is_named(claims: Claims) -> None:
    """With some of them two names look alike, or the sentence around a name is turned around."""
    letters = ["\u200b", "\u202e", "\u2066", "\u200d", "\x07", "\ue000", *PRINTABLE_BUT_INVISIBLE]
    for name in (*(f"A{letter}da" for letter in letters), *(f"Ada{letter}" for letter in letters), *JOINED):
        with pytest.raises(UserError, match="that no screen shows"):
            claims.claim("sniper", "1234", name, ())
    with pytest.raises(UserError, match="Enter your name"):
        claims.claim("sniper", "1234", " ", ())


def test_marks_on_a_letter_are_limited(claims: Claims) -> None:
    for mark in "\u0489", "\u0335":
        with pytest.raises(UserError, match="more than 4 marks"):
            claims.claim("sniper", "1234", "x" + 39 * mark, ())
    claims.claim("sniper", "1234", "x" + 4 * "\u0489", ())


def test_names_that_look_alike_are_one_name(claims: Claims) -> None:
    for number, (seat, name) in enumerate([("sniper", "Zo\u00eb"), ("defenders", "Zoe\u0308\ufe0f")]):
        claims.claim(seat, "1234", name, ())
        assert claims.all[number].person == "Zo\u00eb"
    for other in "ZO\u00cb", "Zoe\u0308", "\uff3ao\u00eb", "zo\u00eb":
        assert name_key(other) == name_key("Zo\u00eb")
    assert name_key("Zoe") != name_key("Zo\u00eb")


def test_long_name_is_read_quickly() -> None:
    """Composing sorts the marks of a letter, which takes the square of their number."""
    marks = "\u0315\u0300" * 30_000
    with pytest.raises(UserError, match="more than 4 marks"):
        person_name("x" + marks)
    assert len(name_key("x" + marks)) <= LONGEST_GIVEN


def test_blanks_of_a_name_are_joined(claims: Claims) -> None:
    claims.claim("sniper", "1234", "\u3164 Ada\u2800\u2800Bo\uffa0", ())
    assert claims.taken("sniper")[0].person == "Ada Bo"


def test_device_frees_its_part_and_pin_all_its_parts(claims: Claims) -> None:
    bo, cy = claims.claim("defenders", "1111", "Bo", ("yellow",)), claims.claim("defenders", "2222", "Cy", ("red",))
    shared = share(claims, "defenders", "2222", "Cy's tablet", ())
    claims.claim("sniper", "2222", "Ada", ())

    assert not claims.release_own("sniper", [bo, "forged"])
    assert len(claims.all) == 4
    assert claims.release_own("defenders", ["forged", bo])
    assert {claim.device for claim in claims.all} == {"Cy", "Cy's tablet", "Ada"}
    with refusal_of("wrong-pin"):
        release_by_pin(claims, "defenders", "1111")
    assert claims.holder(cy) is not None
    release_by_pin(claims, "defenders", "2222")
    assert claims.holder(cy) is claims.holder(shared) is None
    assert [claim.device for claim in claims.all] == ["Ada"]


def test_no_pin_frees_bot_without_person(claims: Claims) -> None:
    claims.seat_bot("sniper", "random")
    with refusal_of("wrong-pin"):
        release_by_pin(claims, "sniper", "")
    assert claims.bots


# --- who leads what ---------------------------------------------------------------------------------------------


def led(claims: Claims) -> dict[str, str]:
    """Return the first letters of the squads of each device."""
    return {claim.device: "".join(squad[0] for squad in claim.parts) for claim in claims.taken("defenders")}


def numbers(claims: Claims) -> list[int]:
    return [claim.number for claim in claims.taken("defenders")]


def test_joining_device_shares_all_squads_or_takes_some(claims: Claims) -> None:
    claims.claim("defenders", "1111", "Bo", ())
    share(claims, "defenders", "1111", "Cy", ())
    assert led(claims) == {"Bo": "yrb", "Cy": "yrb"}
    share(claims, "defenders", "1111", "Di", ("black", "red"))
    assert led(claims) == {"Bo": "y", "Cy": "y", "Di": "rb"}
    share(claims, "defenders", "1111", "Ed", ("yellow", "red", "black"))
    assert led(claims) == {"Bo": "y", "Cy": "y", "Di": "rb", "Ed": "yrb"}
    assert numbers(claims) == [0, 1, 2, 3]


def test_joining_device_needs_pin_for_led_squads_only(claims: Claims) -> None:
    claims.claim("defenders", "1111", "Bo", ("yellow",))
    claims.claim("defenders", "2222", "Cy", ("red",))
    with pytest.raises(UserError, match="not the PIN with which these parts were taken") as refused:
        share(claims, "defenders", "1111", "Di", ("yellow", "red"))
    with pytest.raises(UserError) as wrong:
        share(claims, "defenders", "0000", "Di", ("yellow", "red"))
    assert (refused.value.code, refused.value.sentence) == (wrong.value.code, wrong.value.sentence)
    assert led(claims) == {"Bo": "y", "Cy": "r"}
    share(claims, "defenders", "1111", "Di", ("yellow", "black"))
    assert led(claims) == {"Bo": "y", "Cy": "r", "Di": "yb"}


def test_leader_gives_squad_away_and_free_squad_is_taken(claims: Claims) -> None:
    bo = claims.claim("defenders", "1111", "Bo", ("yellow", "red"))
    cy = share(claims, "defenders", "1111", "Cy", ("red",))
    claims.assign(bo, "yellow", 1)
    assert led(claims) == {"Bo": "", "Cy": "yr"}
    with pytest.raises(UserError, match="Cy leads yellow"):
        claims.assign(bo, "yellow", 0)
    claims.assign(bo, "black", 0)
    claims.assign(cy, "red", 0)
    assert led(claims) == {"Bo": "rb", "Cy": "y"}
    holder = claims.holder(cy)
    assert holder == Holder("defenders", ("yellow",), "Cy", 1)


@pytest.mark.parametrize("squad, number", [("yellow", 7), ("green", 0), ("", 0)])
def test_unknown_squad_or_device_changes_no_lead(claims: Claims, squad: str, number: int) -> None:
    key = claims.claim("defenders", "1111", "Bo", ())
    sniper = claims.claim("sniper", "1111", "Ada", ())
    with refusal_of("not-understood"):
        claims.assign(key, squad, number)
    with refusal_of("not-understood"):
        claims.assign(sniper, "yellow", 0)
    assert led(claims) == {"Bo": "yrb"}


def test_named_device_is_replaced_among_several_with_one_pin(claims: Claims) -> None:
    bo = claims.claim("defenders", "1111", "Bo", ())
    cy = share(claims, "defenders", "1111", "Cy", ("red",))
    take_over(claims, "defenders", "1111", "Cy's new phone", instead=1)
    assert led(claims) == {"Bo": "yb", "Cy's new phone": "r"}
    assert claims.holder(cy) is None
    assert claims.holder(bo) is not None
    for pin in ("1111", "0000"):
        with pytest.raises(UserError, match="no longer sits there"):
            take_over(claims, "defenders", pin, "Bo's new phone", instead=7)
    take_over(claims, "defenders", "1111", "Bo's new phone")
    assert led(claims) == {"Bo's new phone": "yb", "Cy's new phone": "r"}


def test_claims_stored_without_numbers_get_some(claims: Claims) -> None:
    claims.claim("defenders", "1111", "Bo", ())
    share(claims, "defenders", "1111", "Cy", ())
    kept = msgspec.to_builtins(claims.all)
    for claim in kept:
        del claim["number"]
    again = Claims(lambda: SEATS, msgspec.convert(kept, list[Claim]))
    assert numbers(again) == [0, 1]


def test_stored_claims_have_no_key_or_pin_but_are_enough(claims: Claims) -> None:
    key = claims.claim("sniper", "246813", "Ada", ())
    kept = msgspec.json.encode(claims.all)
    assert key.encode() not in kept
    assert b"246813" not in kept
    again = Claims(lambda: SEATS, msgspec.json.decode(kept, type=list[Claim]))
    assert again.holder(key) == Holder("sniper", (), "Ada")


def test_takeover_of_device_needs_its_own_pin(claims: Claims) -> None:
    claims.claim("defenders", "1111", "Bo", ("yellow",))
    claims.claim("defenders", "2222", "Cy", ("red",))
    for pin in ("1111", "0000"):
        with pytest.raises(UserError, match="not the PIN of that device's place"):
            take_over(claims, "defenders", pin, "Di", instead=1)
    take_over(claims, "defenders", "2222", "Di", instead=1)
    assert led(claims) == {"Bo": "y", "Di": "r"}


def test_only_last_devices_of_claim_are_remembered(claims: Claims) -> None:
    keys = [claims.claim("sniper", "1234", "Ada", ())]
    keys += [take_over(claims, "sniper", "1234", f"Ada {number}") for number in range(MOST_FORMER_KEYS + 1)]
    (salt,) = claims.salts("sniper")
    known = [claims.proven_key("sniper", [key]) for key in keys]
    assert known[0] is None
    assert [held[1] for held in known[1:] if held] == [salt] * (MOST_FORMER_KEYS + 1)
    assert len(claims.all[0].keys) == MOST_FORMER_KEYS + 1
    claims.hand_over(keys[-1], "random")
    assert claims.proven_key("sniper", [keys[-1]]) is not None
    assert claims.proven_key("defenders", keys) is claims.proven_key("sniper", ["", "forged"]) is None


def test_number_of_devices_per_seat_is_limited(claims: Claims) -> None:
    """Squads that were given away are free again once their new leader leaves."""
    last = claims.claim("defenders", "1111", "Bo", ())
    for number in range(1, MOST_DEVICES):
        key = share(claims, "defenders", "1111", f"Cy {number}", ("red",))
    claims.release_own("defenders", [key])
    claims.claim("defenders", "2222", "Di", ("red",))
    claims.release_own("defenders", [last])
    share(claims, "defenders", "2222", "Ed", ("red",))
    with refusal_of("seat-taken"):
        claims.claim("defenders", "3333", "Eve", ("yellow",))
