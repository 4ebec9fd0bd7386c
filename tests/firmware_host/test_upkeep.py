"""If nothing can be written, acts are refused with a message, no one sees them, and play resumes by itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin.upkeep import (
    CHECK_EVERY,
    DISK_NEARLY_FULL,
    HALTED,
    LEAST_BYTES,
    LOW_VOLTAGE,
    SCARCE_BYTES,
    MachineChecks,
    free_bytes,
    has_low_voltage,
    machine_checks,
)
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.records.journal import FILE
from firmware_host.table.loop import Call
from firmware_host.table.table import Table
from tests.firmware_host.evening import PIN, Evening, fresh_name

VIEWERS = ("sniper", "defenders", "table")
END: dict[str, Any] = {"type": "end-turn"}
READ_ONLY = HALTED["read-only"]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    found = Evening(tmp_path)
    found.start()
    found.enter()
    return found


@contextmanager
def nothing_written(evening: Evening) -> Iterator[None]:
    """Make SQLite refuse to write, as on a disk mounted read-only."""
    evening.table.journal._db.execute("PRAGMA query_only = ON")
    yield
    evening.table.journal._db.execute("PRAGMA query_only = OFF")


def pictures(evening: Evening) -> dict[str, Any]:
    """Return everyone's picture of the game, with its number."""
    seen = {viewer: evening.sees(viewer) for viewer in VIEWERS}
    return {viewer: {name: seen[viewer][name] for name in ("revision", "view", "legal", "log")} for viewer in VIEWERS}


def refused(evening: Evening, action: Callable[[Table], Any]) -> str:
    """Return the message for a call to the loop that cannot be written."""
    call: Call = Call(action)
    call.run(evening.table)
    error = call.answer.exception()
    assert isinstance(error, UserError)
    assert error.code == "halted"
    return error.sentence


def ends_turn(table: Table, evening: Evening) -> None:
    table.submit(evening.sniper_key, END, evening.sees("sniper")["revision"], fresh_name())


def halted(evening: Evening) -> set[str | None]:
    """Return why no act counts, as shown to each viewer."""
    return {evening.sees(viewer)["halted"] for viewer in VIEWERS}


def test_unwritable_act_is_refused_unseen_and_can_be_repeated(
    evening: Evening,
) -> None:
    before = pictures(evening)
    with nothing_written(evening):
        assert refused(evening, lambda table: ends_turn(table, evening)) == READ_ONLY
        evening.wait(CHECK_EVERY * 1000)
        assert halted(evening) == {READ_ONLY}
        assert pictures(evening) == before
        assert refused(evening, lambda table: ends_turn(table, evening)) == READ_ONLY
    evening.wait(CHECK_EVERY * 1000)
    assert halted(evening) == {None}
    assert pictures(evening) == before
    evening.sniper(END)
    assert evening.view("table")["turn"] == "defenders"


def test_time_of_message_does_not_reveal_when_sniper_tried(tmp_path: Path) -> None:
    moments = []
    for delay in (100, 1500):
        folder = tmp_path / str(delay)
        folder.mkdir()
        evening = Evening(folder)
        evening.start()
        evening.enter()
        evening.wait((CHECK_EVERY - evening.now % CHECK_EVERY) * 1000 + 1)
        with nothing_written(evening):
            evening.wait(delay)
            refused(evening, lambda table, one=evening: ends_turn(table, one))
            while halted(evening) == {None}:
                evening.wait(1)
            moments.append(round(evening.now, 2))
    assert moments[0] == moments[1]


def test_moves_on_board_meanwhile_are_no_acts_and_are_corrected(evening: Evening) -> None:
    evening.sniper(END)
    unit, to = next((act["unit"], act["to"]) for act in evening.legal("defenders", "move"))
    stood = evening.space_of(unit)
    with nothing_written(evening):
        evening.lift(unit)
        evening.put(unit, to)
        assert halted(evening) == {READ_ONLY}
        assert evening.space_of(unit) == stood
        assert evening.board["state"] == "ignored"
    evening.wait(CHECK_EVERY * 1000 + 3000)
    assert halted(evening) == {None}
    told = evening.board
    assert (told["state"], evening.space_of(unit)) in (("agreed", to), ("correcting", stood)), told["sentence"]


def test_bots_wait_for_space_and_go_on(tmp_path: Path) -> None:
    evening = Evening(tmp_path, settle({"bot_pause_ms": 100}))
    evening.table.seating.seat_bot("sniper", "random")
    evening.table.seating.seat_bot("defenders", "random")
    evening.table.start({"options": {"random_setup": True}})
    evening.wait(3000)
    with nothing_written(evening):
        evening.wait(CHECK_EVERY * 1000 + 200)
        before = pictures(evening)
        evening.wait(5000)
        assert pictures(evening) == before
        assert halted(evening) == {READ_ONLY}
    evening.wait(5000)
    assert halted(evening) == {None}
    assert pictures(evening)["table"]["log"] != before["table"]["log"]
    assert evening.sees("table")["seats"]["sniper"]["trouble"] is None


def test_seats_stay_unchanged_if_they_cannot_be_stored(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    with nothing_written(evening):
        refused(evening, lambda table: table.seating.claims.claim("sniper", PIN, "Ada's phone", ()))
        refused(evening, lambda table: table.seating.seat_bot("defenders", "warden"))
        assert not any(seat["taken"] for seat in evening.table.snapshot.front["seats"].values())
    evening.claim_seats()
    with nothing_written(evening):
        refused(evening, lambda table: table.start({"map": "submarine-pens"}))
    assert evening.table.snapshot.front["map"] == "launch-facility"
    assert evening.sees("table")["stage"] == "lobby"
    evening.table.start({"map": "submarine-pens"})


@pytest.mark.parametrize("name", [FILE, f"{FILE}-wal", f"{FILE}-shm"])
@pytest.mark.parametrize("by", ["nothing", "a copy"])
def test_no_act_is_accepted_while_the_journal_is_not_in_its_place(tmp_path: Path, name: str, by: str) -> None:
    evening = Evening(tmp_path)
    evening.start()
    file = evening.table.journal.path.with_name(name)
    away = file.with_name("elsewhere")
    file.rename(away)
    if by == "a copy":
        file.write_bytes(away.read_bytes())
    before = pictures(evening)
    entry = evening.legal("sniper", "choose-entry")[0]
    revision = evening.sees("sniper")["revision"]
    said = refused(evening, lambda table: table.submit(evening.sniper_key, entry, revision, fresh_name()))
    assert said == HALTED["moved"]
    assert pictures(evening) == before
    evening.wait(CHECK_EVERY * 1000)
    assert halted(evening) == {HALTED["moved"]}
    away.rename(file)
    evening.wait(CHECK_EVERY * 1000)
    assert halted(evening) == {None}
    evening.sniper(entry)


# --- the machine ------------------------------------------------------------------------------------------------


@dataclass
class Rented:
    """A machine whose disk and supply the test controls."""

    room: int | None = 1 << 40
    weak: bool = False
    machine: MachineChecks = field(init=False)

    def __post_init__(self) -> None:
        self.machine = MachineChecks(lambda: self.room, lambda: self.weak)


def problems(evening: Evening) -> list[str]:
    evening.wait(CHECK_EVERY * 1000)
    found: list[str] = evening.sees("table")["cares"]
    return found


def test_low_space_is_reported_early_and_finally_stops_acts(tmp_path: Path) -> None:
    rented = Rented()
    evening = Evening(tmp_path, machine=rented.machine)
    evening.start()
    assert problems(evening) == []
    rented.room = SCARCE_BYTES - 1
    assert problems(evening) == [DISK_NEARLY_FULL]
    evening.sniper(evening.legal("sniper", "choose-entry")[0])
    rented.room = LEAST_BYTES - 1
    assert problems(evening) == []
    assert halted(evening) == {HALTED["brink"]}
    with pytest.raises(UserError, match="almost full"):
        evening.sniper(END)
    rented.room = SCARCE_BYTES
    evening.wait(CHECK_EVERY * 1000)
    assert halted(evening) == {None}


def test_low_voltage_is_reported_for_a_while(tmp_path: Path) -> None:
    rented = Rented()
    evening = Evening(tmp_path, machine=rented.machine)
    rented.weak = True
    assert problems(evening) == [LOW_VOLTAGE]
    rented.weak = False
    assert problems(evening) == [LOW_VOLTAGE]
    evening.wait(11 * 60 * 1000)
    assert problems(evening) == []


def test_low_voltage_is_read_from_kernel_of_pi(tmp_path: Path) -> None:
    for number, name in enumerate(("cpu_thermal", "rpi_volt")):
        sensor = tmp_path / f"hwmon{number}"
        sensor.mkdir()
        (sensor / "name").write_text(f"{name}\n")
    assert not has_low_voltage(tmp_path)
    alarm = tmp_path / "hwmon1" / "in0_lcrit_alarm"
    alarm.write_text("0\n")
    assert not has_low_voltage(tmp_path)
    alarm.write_text("1\n")
    assert has_low_voltage(tmp_path)
    assert machine_checks(tmp_path, tmp_path).weak()
    assert not has_low_voltage(tmp_path / "nothing-there")


def test_free_space_is_that_of_state_folders_disk(tmp_path: Path) -> None:
    assert (free_bytes(tmp_path) or 0) > 0
    assert free_bytes(tmp_path / "nothing-there") is None


def test_unstorable_simulated_board_stays_unchanged_and_play_goes_on(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start()
    world = next(tmp_path.glob("boards/*/simulated-board.json"))
    draft = world.with_name(world.name + ".new")
    draft.mkdir()
    before = evening.simulated.places
    with pytest.raises(UserError, match="cannot be written"):
        evening.lift("red-1")
    assert evening.simulated.places == before
    draft.rmdir()
    evening.lift("red-1")
    assert evening.simulated.places["red-1"] is None
