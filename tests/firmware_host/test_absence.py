"""A person who plays alone without a PIN: what shows that the person is here, and what waits for the person."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from engine.graph.fault import MapError
from firmware_host.core.errors import UserError
from firmware_host.play import resuming
from firmware_host.play.game import TableGame
from firmware_host.seats.absence import CHECK_EVERY, LEFT_AFTER, LEFT_AFTER_PAUSED
from firmware_host.seats.identity import ANONYMOUS
from tests.firmware_host.evening import Evening
from tests.firmware_host.test_buttons import Pressed


@pytest.fixture
def playing(tmp_path: Path) -> Pressed:
    """Bo plays the defenders on the board, without a PIN and without a screen."""
    evening = Pressed(tmp_path)
    evening.defenders_key = evening.table.seating.claim("defenders", "", "Bo", ())
    evening.table.seating.seat_bot("sniper", "random")
    evening.table.start({"options": {"random_setup": True}})
    evening.table.board.use_sensors(True)
    evening.set_up()
    evening.wait(1000 * 2 * LEFT_AFTER)
    return evening


def make_a_move(evening: Pressed) -> None:
    """Carry a miniature."""
    move = evening.legal("defenders", "move")[0]
    evening.lift(move["unit"])
    evening.put(move["unit"], move["to"])


@pytest.mark.parametrize("sign", [make_a_move, lambda evening: evening.press("next")])
def test_person_who_plays_on_the_board_is_here(playing: Pressed, sign: Callable[[Pressed], None]) -> None:
    seating = playing.table.seating
    assert playing.table.snapshot.front["left"] == seating.absence.left_seat == "defenders"
    sign(playing)
    for _ in range(3):
        playing.wait(1000 * (LEFT_AFTER - CHECK_EVERY))
        assert playing.table.snapshot.front["left"] is seating.absence.left_seat is None
        with pytest.raises(UserError, match="in use"):
            seating.replace_left("defenders", "Eve", ANONYMOUS)
        playing.press("undo")
    playing.wait(1000 * LEFT_AFTER)
    assert playing.table.snapshot.front["left"] == "defenders"
    assert seating.replace_left("defenders", "Eve", ANONYMOUS)


def test_flickering_sensor_is_no_person(playing: Pressed) -> None:
    """It kept the seat of a person who had gone home."""
    make_a_move(playing)
    space = playing.space_of(playing.legal("defenders", "move")[0]["unit"])
    assert space is not None
    for _ in range(int(LEFT_AFTER / CHECK_EVERY)):
        assert playing.table.seating.absence.left_seat is None
        unit = playing.legal("defenders", "move")[0]["unit"]
        playing.lift(unit)
        playing.put(unit, space)
        playing.wait(1000 * CHECK_EVERY)
    assert playing.table.seating.absence.left_seat == "defenders"


def test_person_who_was_here_at_a_restart_has_not_left(playing: Pressed) -> None:
    make_a_move(playing)
    playing.pull_the_plug()
    playing.wait(1000 * (LEFT_AFTER - CHECK_EVERY))
    assert playing.table.seating.absence.left_seat is None
    playing.wait(1000 * CHECK_EVERY)
    assert playing.table.seating.absence.left_seat == "defenders"


def test_workshop_keeps_the_seat_for_an_hour(playing: Pressed) -> None:
    playing.press("undo")
    playing.table.workshop.enter("a key", "Ada", sure=True, instead=False)
    for _ in range(int(LEFT_AFTER_PAUSED / CHECK_EVERY) - 1):
        playing.table.workshop.state_for("a key")
        playing.wait(1000 * CHECK_EVERY)
    assert (playing.table.workshop.open, playing.table.seating.absence.left_seat) == (True, None)
    playing.table.workshop.leave("a key")
    for _ in range(int(LEFT_AFTER / CHECK_EVERY)):
        assert playing.table.seating.absence.left_seat is None, "after a pause, the whole time is left"
        playing.wait(1000 * CHECK_EVERY)


def test_swapped_sides_bring_no_one_back(playing: Pressed) -> None:
    """A stranger could swap them again and again, so that the table stayed taken."""
    table = playing.table
    table.seating.claims.move({"defenders": "sniper", "sniper": "defenders"}, {"defenders": "random"})
    playing.wait(1000)
    assert table.seating.absence.left_seat == "sniper"


def test_game_that_waits_for_its_map_waits_as_long_as_no_one_asks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(tmp_path)
    evening.sniper_key = evening.table.play_alone("sniper", "Ada", {}, {}, ANONYMOUS)
    evening.wait(0)
    acts = len(evening.table.journal.entries(1))

    def changed(*_: object) -> TableGame:
        raise MapError("launch-facility", ["the map has changed."])

    with monkeypatch.context() as without_map:
        without_map.setattr(resuming, "_resumed", changed)
        evening.pull_the_plug()
        evening.wait(1000 * 2 * LEFT_AFTER_PAUSED)
        assert evening.table.snapshot.front["left"] == "sniper"
        assert evening.table.journal.running() is not None
    evening.pull_the_plug()
    assert (evening.table.session.name, len(evening.table.journal.entries(1))) == ("playing", acts)
    assert evening.table.seating.holder(evening.sniper_key).seat == "sniper"
