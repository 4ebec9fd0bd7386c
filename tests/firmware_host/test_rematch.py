"""An offer to play again, at a real table: it starts once every person has agreed who sits there now."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.identity import Checked
from firmware_host.table.selection import changed, chosen
from tests.firmware_host.evening import PIN, Evening, take_over

ORDER = ("return-objective", "choose-loadout", "choose-entry", "move", "end-turn")


def finish(evening: Evening) -> None:
    """Let two people play a game to its end, on the screens."""
    evening.claim_seats()
    evening.table.start({"options": {"random_setup": True}})
    evening.table.board.use_sensors(False)
    evening.tick()
    while evening.sees("table")["stage"] == "playing":
        for kind in ORDER:
            while found := evening.legal("sniper", kind):
                evening.sniper(found[0])
        while found := evening.legal("defenders", "end-turn"):
            evening.defenders(found[0])


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    """A game that two people have just finished."""
    evening = Evening(tmp_path)
    finish(evening)
    return evening


def of(*keys: str) -> Checked:
    return Checked(keys)


def answers(evening: Evening) -> dict[str, Any]:
    """Return the offer, which is for what is chosen now: the same as before."""
    offered = dict(evening.table.offered or {})
    assert offered.pop("changed") is False
    assert offered.pop("selection") == msgspec.to_builtins(evening.table.session.chosen.selection)
    return offered


def test_offer_starts_once_all_have_agreed(evening: Evening) -> None:
    evening.table.offer_rematch(False, {}, of(evening.sniper_key))
    assert answers(evening) == {"swapped": False, "agreed": ["sniper"], "declined": None, "missing": ["defenders"]}
    evening.table.offer_rematch(False, {}, of(evening.defenders_key))
    assert evening.table.session.running


def test_sides_are_swapped_by_two_devices_with_one_pin(evening: Evening) -> None:
    table = evening.table
    claims = table.seating.claims
    tablet = take_over(table, "sniper", PIN, "Ada's tablet", share=True)
    table.offer_rematch(True, {}, of(tablet))
    table.offer_rematch(True, {}, of(evening.defenders_key))
    seats = [claims.holder(key) for key in (evening.sniper_key, tablet, evening.defenders_key)]
    assert [holder and holder.seat for holder in seats] == ["defenders", "defenders", "sniper"]


def test_sides_of_people_with_their_own_pins_are_not_swapped(evening: Evening) -> None:
    table = evening.table
    claims = table.seating.claims
    claims.release("defenders")
    bo = claims.claim("defenders", PIN, "Bo", ("red",))
    cy = claims.claim("defenders", PIN, "Cy", ("black", "yellow"))
    table.offer_rematch(True, {}, of(evening.sniper_key))
    with pytest.raises(UserError, match="one PIN"):
        table.offer_rematch(True, {}, of(bo, cy))
    assert table.offered is not None
    assert table.offered["missing"] == ["defenders"], "the offer stands"


def test_offer_cannot_be_accepted_while_a_seat_is_free(evening: Evening) -> None:
    table = evening.table
    table.offer_rematch(True, {}, of(evening.sniper_key))
    table.seating.claims.release("sniper")
    with pytest.raises(UserError, match="The sniper's seat is still free"):
        table.offer_rematch(True, {}, of(evening.defenders_key))
    assert answers(evening) == {"swapped": True, "agreed": [], "declined": None, "missing": ["defenders"]}


def test_person_with_two_devices_is_one_person(evening: Evening) -> None:
    table = evening.table
    take_over(table, "sniper", PIN, "Ada's tablet", share=True)
    take_over(table, "defenders", PIN, "Cy's phone", share=True)
    assert table.seating.people() == [
        ("sniper", "Ada's phone"),
        ("defenders", "Bo's tablet"),
        ("defenders", "Cy's phone"),
    ]


def test_person_with_a_phone_and_a_tablet_is_one_person_at_any_seat(evening: Evening) -> None:
    table = evening.table
    claims = table.seating.claims
    take_over(table, "defenders", PIN, "Bo's  tablet", share=True)
    assert table.seating.people() == [("sniper", "Ada's phone"), ("defenders", "Bo's tablet")]
    claims.release("defenders")
    claims.claim("defenders", PIN, "Bo", ("red",))
    claims.claim("defenders", PIN + "1", "BO", ("black",))
    claims.claim("defenders", "", "Cy", ("yellow",))
    assert table.seating.people()[1:] == [("defenders", "Bo"), ("defenders", "Cy")]
    other = chosen(changed(table.session.chosen.selection, {"game": "stalingrad"}, table.settings))
    claims.release("sniper")
    seats = [claim.seat for claim in table.seating.claims_at(other.game, other.seats)]
    assert len(seats) == len({*seats}) == 2, "with another PIN, the same name shares no secrets"


def test_person_who_takes_the_seat_of_another_is_asked_again(evening: Evening) -> None:
    table = evening.table
    table.offer_rematch(False, {}, of(evening.sniper_key))
    table.seating.release("sniper", of(evening.sniper_key), running=False)
    newcomer = table.seating.claims.claim("sniper", PIN, "Cy", ())
    table.offer_rematch(False, {}, of(evening.defenders_key))
    assert not table.session.running, "Cy has agreed to nothing"
    assert answers(evening) == {"swapped": False, "agreed": ["defenders"], "declined": None, "missing": ["sniper"]}
    table.offer_rematch(False, {}, of(newcomer))
    assert table.session.running


def test_key_that_was_taken_over_agrees_to_nothing(evening: Evening) -> None:
    table = evening.table
    new = take_over(table, "sniper", PIN, "Cy")
    for answer in (lambda: table.offer_rematch(False, {}, of(evening.sniper_key)), lambda: table.decline_rematch(of())):
        with pytest.raises(UserError, match="Only those who have just played"):
            answer()
    table.offer_rematch(False, {}, of(new))
    assert table.offered is not None
    assert table.offered["agreed"] == ["sniper"]


def test_offer_is_withdrawn_by_its_seat_and_declined_by_others(evening: Evening) -> None:
    table = evening.table
    table.offer_rematch(True, {}, of(evening.sniper_key))
    table.decline_rematch(of(evening.defenders_key))
    assert table.offered is not None
    assert table.offered["declined"] == "defenders"
    table.offer_rematch(True, {}, of(evening.sniper_key))
    table.decline_rematch(of(evening.sniper_key))
    assert table.offered is None


def test_offer_is_for_one_selection_and_ends_when_another_is_chosen(evening: Evening) -> None:
    table = evening.table
    table.offer_rematch(False, {}, of(evening.sniper_key))
    chosen = table.session.chosen.selection
    table.choose({"map": chosen.map})
    assert table.offered is not None, "nothing has changed"
    table.choose({"map": "submarine-pens", "options": {"random_setup": True}})
    assert table.offered is None
    table.offer_rematch(False, {}, of(evening.defenders_key))
    assert not table.session.running, "the sniper has not agreed to another map"
    assert table.offered is not None
    assert table.offered["changed"], "the screens say so"
    table.choose({"map": chosen.map, "options": chosen.options})
    table.choose({"map": "submarine-pens", "options": {"random_setup": True}})
    assert table.offered is None, "an offer that has ended stays so"
    table.offer_rematch(False, {}, of(evening.sniper_key))
    table.offer_rematch(False, {}, of(evening.defenders_key))
    assert (table.session.map, table.session.running) == ("submarine-pens", True)
