"""The simulated board: where the miniatures are, what it reports, its faults on purpose, and its stored state."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from hardware.drivers.simulated import SimulatedButtons
from hardware.ports import DARK, Edge, Frame, HardwareFault
from hardware.simulated import SimulatedBoard


class Bench:
    """A board of five sensors with two miniatures, and everything that it reported."""

    def __init__(self, world: Path | None = None) -> None:
        self.now = 0.0
        self.felt: list[tuple[int, bool]] = []
        self.board = SimulatedBoard(5, ["red-1", "sniper"], lambda: self.now, world)
        self.board.start(self._note)

    def _note(self, edge: Edge) -> None:
        assert edge.at == self.now
        self.felt.append((edge.sensor, edge.down))


def test_carried_miniature_leaves_one_sensor_and_reaches_another() -> None:
    bench = Bench()
    bench.board.carry("red-1", 2)
    bench.board.carry("red-1", 4)
    bench.board.carry("red-1", None)
    assert bench.felt == [(2, True), (2, False), (4, True), (4, False)]
    assert bench.board.places == {"red-1": None, "sniper": None}


def test_several_miniatures_are_all_lifted_before_one_is_put_down() -> None:
    bench = Bench()
    bench.board.arrange({"red-1": 1, "sniper": 2})
    bench.felt.clear()
    bench.board.arrange({"red-1": 2, "sniper": 1})
    assert bench.felt == [(1, False), (2, False), (2, True), (1, True)]
    bench.board.arrange({"red-1": 2, "sniper": None})
    assert bench.felt[4:] == [(1, False)], "a piece already in place is not touched"
    assert bench.board.places == {"red-1": 2, "sniper": None}


def test_sensor_is_down_while_anything_is_on_it() -> None:
    bench = Bench()
    bench.board.carry("red-1", 2)
    bench.board.carry("sniper", 2)
    bench.board.carry("red-1", None)
    assert bench.felt == [(2, True)]
    bench.board.carry("sniper", None)
    assert bench.felt == [(2, True), (2, False)]


def test_carrying_to_same_place_reports_nothing() -> None:
    bench = Bench()
    bench.board.carry("red-1", 2)
    bench.board.carry("red-1", 2)
    assert bench.felt == [(2, True)]


def test_raw_edges_are_reported_unchanged() -> None:
    bench = Bench()
    for down in (True, False, True):
        bench.board.report_spurious_edge(1, down)
    assert bench.felt == [(1, True), (1, False), (1, True)]


def test_every_sensor_reports_its_state_after_arranging_miniatures() -> None:
    bench = Bench()
    bench.board.carry("red-1", 2)
    bench.board.report_spurious_edge(1, True)
    bench.board.report_spurious_edge(2, False)
    bench.board.arrange(bench.board.places)
    assert bench.felt[-2:] == [(1, False), (2, True)]


def test_miniatures_stay_in_place_after_power_cut(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    Bench(world).board.carry("red-1", 2)
    again = Bench(world)
    assert again.board.places == {"red-1": 2, "sniper": None}
    assert again.felt == [(2, True)]
    assert [path.name for path in tmp_path.iterdir()] == ["world.json"]


def test_miniature_of_larger_board_is_off_this_one(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    world.write_text('{"red-1": 77, "green-1": 1}')
    assert Bench(world).board.places == {"red-1": None, "sniper": None}


def test_new_box_keeps_miniatures_that_are_on_board(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "world.json")
    bench.board.carry("red-1", 2)
    bench.board.set_miniatures(["green-1", "green-2"])
    assert bench.board.places == {"green-1": None, "green-2": None, "red-1": 2}
    bench.board.carry("green-1", 3)
    bench.board.carry("red-1", None)
    bench.board.set_miniatures(["red-1", "sniper"])
    assert bench.board.places == {"red-1": None, "sniper": None, "green-1": 3}
    assert bench.felt == [(2, True), (3, True), (2, False)]


def test_miniature_added_to_box_later_is_where_it_was(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    world.write_text('{"red-1": 2, "green-1": 3}')
    bench = Bench(world)
    bench.board.carry("red-1", None)
    bench.board.set_miniatures(["red-1", "green-1"])
    assert bench.board.places == {"red-1": None, "green-1": 3}
    assert bench.felt[-1] == (3, True)


def test_miniature_taken_off_stays_off_when_box_changes(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    Bench(world).board.carry("red-1", 2)
    bench = Bench(world)
    bench.board.carry("red-1", None)
    bench.felt.clear()
    bench.board.set_miniatures(["sniper"])
    bench.board.carry("sniper", 1)
    bench.board.set_miniatures(["sniper", "red-1"])
    assert bench.board.places == Bench(world).board.places == {"sniper": 1, "red-1": None}
    assert bench.felt == [(1, True)]


@pytest.mark.parametrize("text", ["", "[]", '{"red-1": "two"}', "\ufeff{"])
def test_unreadable_world_is_reported_with_remedy(tmp_path: Path, text: str) -> None:
    world = tmp_path / "world.json"
    world.write_text(text)
    with pytest.raises(HardwareFault, match=r"world\.json.*Delete it"):
        Bench(world)


def test_miniature_whose_new_place_cannot_be_stored_goes_back(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    bench = Bench(world)
    bench.board.carry("red-1", 1)
    world.unlink()
    world.mkdir()
    with pytest.raises(HardwareFault, match="writable"):
        bench.board.carry("red-1", 2)
    assert bench.board.places["red-1"] == 1
    assert bench.felt == [(1, True), (1, False), (2, True), (2, False), (1, True)]


def test_several_miniatures_are_stored_at_once_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    world = tmp_path / "world.json"
    bench = Bench(world)
    written: list[int] = []
    to_the_disk = os.fsync
    monkeypatch.setattr(os, "fsync", lambda file: written.append(file) or to_the_disk(file))
    bench.board.arrange({"red-1": 1, "sniper": 2})
    assert len(written) == 1
    assert Bench(world).board.places == {"red-1": 1, "sniper": 2}
    with pytest.raises(ValueError, match="green-1"):
        bench.board.arrange({"red-1": 3, "green-1": 4})
    world.unlink()
    world.mkdir()
    with pytest.raises(HardwareFault, match="writable"):
        bench.board.arrange({"red-1": 3, "sniper": None})
    assert bench.board.places == {"red-1": 1, "sniper": 2}


def test_move_is_reported_before_it_is_on_disk(tmp_path: Path) -> None:
    world = tmp_path / "world.json"
    bench = Bench(world)
    kept: list[bool] = []
    bench.board.start(lambda edge: kept.append(world.exists()))
    bench.board.carry("red-1", 2)
    assert kept == [False]
    assert world.exists()


def test_unknown_names_are_refused_with_known_ones() -> None:
    bench = Bench()
    with pytest.raises(ValueError, match="red-1, sniper"):
        bench.board.carry("green-1", 2)
    with pytest.raises(ValueError, match="0 to 4"):
        bench.board.carry("red-1", 5)
    assert bench.felt == []


def test_watcher_gets_each_new_frame() -> None:
    bench = Bench()
    seen: list[tuple[Frame, float]] = []
    bench.board.watch(lambda frame, at: seen.append((frame, at)))
    bench.now = 3.0
    picture = ((1, 2, 3), *(DARK,) * 4)
    bench.board.show(picture)
    assert seen == [(picture, 3.0)]
    assert (bench.board.frame, bench.board.shown_at) == (picture, 3.0)


def test_missing_button_cannot_be_pressed() -> None:
    with pytest.raises(ValueError, match="there are confirm, undo, next"):
        SimulatedButtons(lambda: 0.0).press("panic")
