"""The maker's tools at a bench with a given wiring; the simulated maker does what the lamps ask."""

from __future__ import annotations

import io
import json
import re
from collections import deque
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest

from engine.graph import Map
from firmware_host.app.cli import main
from firmware_host.board.wiring import FILE, Wiring, read_wiring
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.protocols import trace
from firmware_host.protocols.tracking import answers
from firmware_host.workshop.calibration import Calibrating
from firmware_host.workshop.job import AMBER, GREEN, WHITE
from firmware_host.workshop.terminal import board_as_text, calibrate, lights, scan, selftest
from firmware_host.workshop.workbench import REACTION, RealMaker, SimulatedMaker, Typed, Workbench
from hardware.ports import DARK, Edge
from hardware.simulated import SimulatedBoard
from tests.firmware_host.evening import Evening
from tests.hardware.stuck import stick
from tests.patience import PATIENCE

BOARD = maps.load("launch-facility")
SHIPPED = read_wiring(maps.FOLDER / BOARD.slug / FILE, BOARD)


class Handyman(SimulatedMaker):
    """A maker at another board.

    - `answers`: lamp -> the sensor under it (None: none), where it is not the one with the same number.
    - `weak`: sensors that open once while the magnet is turned.
    - `types`: lines to type, in order, when nothing else can be done.
    """

    def __init__(
        self,
        answers: Mapping[int, int | None] | None = None,
        types: tuple[str, ...] = (),
        weak: frozenset[int] = frozenset(),
    ) -> None:
        super().__init__()
        self.answers, self.types, self.weak = dict(answers or {}), deque(types), set(weak)

    def _follow(self) -> None:
        lit = self._brightest()
        if lit in self.weak and lit is not None and self.board.frame[lit] == AMBER:
            self.weak.discard(lit)
            # The magnet turns its dead spot to the sensor for a moment.
            self.board.report_spurious_edge(lit, False)
            self._now += REACTION
            self.board.report_spurious_edge(lit, True)
        else:
            super()._follow()

    def _carry(self, lit: int | None) -> None:
        if lit is not None and lit == self._at and self.types:
            self._notes.append(Typed(self.types.popleft()))
        super()._carry(lit)

    def _set_down(self, sensor: int | None) -> None:
        super()._set_down(None if sensor is None else self.answers.get(sensor, sensor))


class Shop:
    """A bench with its maker, and what was said there."""

    def __init__(self, folder: Path, maker: SimulatedMaker, **settings: Any) -> None:
        self.folder, self.maker = folder, maker
        self.said: list[str] = []
        self.bench = Workbench(settle(settings), BOARD, folder, maker)
        assert isinstance(self.bench.sensors, SimulatedBoard)
        self.board = self.bench.sensors
        maker.clear(self.board)

    def calibrate(self) -> bool:
        return calibrate(self.bench, self.folder / "notes.json", self.folder / FILE, self.said.append)

    @property
    def messages(self) -> str:
        return "\n".join(self.said)

    @property
    def found(self) -> Wiring:
        return read_wiring(self.folder / FILE, BOARD)


def shop(folder: Path, answers: Mapping[int, int | None] | None = None, **more: Any) -> Shop:
    return Shop(folder, Handyman(answers, **more))


@pytest.fixture
def job(tmp_path: Path) -> Calibrating:
    return Calibrating(SHIPPED, tmp_path / "notes.json")


# --- calibrating ------------------------------------------------------------------------------------------------


def test_calibration_finds_expected_wiring(tmp_path: Path) -> None:
    here = shop(tmp_path)
    assert here.calibrate()
    assert here.found == SHIPPED
    assert "expected" not in here.messages
    assert set(here.board.frame) == {DARK}
    assert not (tmp_path / "notes.json").exists()


def test_calibration_resumes_after_quit(tmp_path: Path) -> None:
    here = shop(tmp_path, {5: None}, types=("quit",))
    assert not here.calibrate()
    assert not (tmp_path / FILE).exists()
    here.maker.put_back()
    again = shop(tmp_path)
    assert again.calibrate()
    assert "Going on: 5 spaces are known already." in again.messages
    assert again.found == SHIPPED


def test_back_forgets_last_find_and_skipped_space_becomes_manual(tmp_path: Path) -> None:
    here = shop(tmp_path, {5: None}, types=("Z99", "back", "back", "skip", "skip"))
    assert here.calibrate()
    assert "Z99 is not a space of this board." in here.messages
    assert f"No sensor answers under {SHIPPED.sensors[5]}" in here.messages
    assert here.found.manual >= {SHIPPED.sensors[5]}
    assert len(here.found.manual) + sum(space is not None for space in here.found.sensors) == len(BOARD.enterable)


@pytest.mark.parametrize(
    ("text", "sentence"), [("Z99", "is not a space of this board"), (str(SHIPPED.lamps[0]), "is already found")]
)
def test_impossible_name_is_refused(job: Calibrating, text: str, sentence: str) -> None:
    job.note(0, 0.0)
    with pytest.raises(UserError, match=sentence):
        job.on_answer("", text, 0.0)


def test_naming_the_lit_space_finds_swapped_lamps(job: Calibrating) -> None:
    one, other = map(str, SHIPPED.lamps[:2])
    job.on_answer("", other.lower(), 0.0)
    job.note(1, 0.0)
    assert (job.lamp, job.space) == (1, None), "its space is found already"
    with pytest.raises(UserError, match="Name the one that is lit"):
        job.note(0, 0.0)
    job.on_answer("", one.lower(), 0.0)
    job.note(0, 0.0)
    assert job.wiring().lamps == (other, one)
    assert next(job.differences()) == f"Lamp 0 lies under {other}; {one} was expected."


def test_sensors_that_answer_together_are_rejected(job: Calibrating) -> None:
    for sensor in (0, 1):
        job.on_edge(Edge(sensor, True, 0.0), {0, 1}, 0.0)
    job.elapsed(0.3)
    assert "Sensors 0 and 1 answer together." in job.messages[-1].sentence
    assert job.found == ()


def test_only_a_steady_contact_is_an_answer(job: Calibrating) -> None:
    job.on_edge(Edge(7, True, 0.0), {7}, 0.0)
    job.on_edge(Edge(7, False, 0.2), set(), 0.2)
    job.on_edge(Edge(3, True, 0.25), {3}, 0.25)
    job.elapsed(0.45)
    assert job.found == ()
    assert job.due(0.45) == pytest.approx(0.5)
    job.elapsed(0.51)
    assert [found.sensor for found in job.found] == [3]


def test_chattering_sensor_is_named_and_ignored(job: Calibrating) -> None:
    for number in range(40):
        now = 0.1 * number
        job.on_edge(Edge(9, number % 2 == 0, now), {9}, now)
        job.elapsed(now)
    job.on_edge(Edge(9, True, 4.0), {9}, 4.0)
    job.on_edge(Edge(4, True, 4.0), {9, 4}, 4.0)
    job.elapsed(4.4)
    assert [message.sentence for message in job.messages if "chatters" in message.sentence] == [
        "Sensor 9 chatters: it opens and closes by itself and is ignored. Check its wire and its solder joints."
    ]
    assert [found.sensor for found in job.found] == [4]
    job.on_edge(Edge(9, False, 8.0), set(), 8.0)
    job.on_edge(Edge(9, True, 9.0), {9}, 9.0)
    job.elapsed(9.4)
    assert [found.sensor for found in job.found] == [4, 9], "at rest, it is heard again"


# --- testing ----------------------------------------------------------------------------------------------------


def test_selftest_marks_each_sensor(tmp_path: Path) -> None:
    here = shop(tmp_path, {2: None}, weak=frozenset({3}))
    stick(here.board, 4, True)
    spaces = [str(space) for space in SHIPPED.sensors[:6]]
    marks = selftest(here.bench, spaces, here.said.append)
    assert [mark.state for mark in marks] == ["well", "well", "dead", "wavers", "stuck", "well"]
    assert marks[3].lost == 1
    assert f"{spaces[2]} (sensor 2): dead" in here.messages


def test_quit_ends_selftest(tmp_path: Path) -> None:
    here = shop(tmp_path, types=("next", "quit"))
    marks = selftest(here.bench, [str(space) for space in SHIPPED.sensors], here.said.append)
    assert len(marks) == 1
    assert here.said[-1] == "Left after 1 spaces."


# --- showing ------------------------------------------------------------------------------------------------------


def test_chart_shows_each_space_once_with_its_state() -> None:
    for name in maps.drawn():
        board: Map = maps.load(name)
        text = board_as_text(board, {board.enterable[3]})
        assert sorted(word[1:] for word in text.split()) == sorted(board.enterable)
        assert [word for word in text.split() if word.startswith("●")] == ["●" + board.enterable[3]]


def test_scan_shows_each_change_until_a_line_is_typed(tmp_path: Path) -> None:
    here = shop(tmp_path)
    here.bench.light({5: WHITE})
    drawn: list[str] = []
    assert isinstance(here.maker, Handyman)
    here.maker.types.append("enough")
    scan(here.bench, here.said.append, drawn.append)
    assert here.said == [f"sensor 5, {SHIPPED.sensors[5]}: down"]
    assert f"●{SHIPPED.sensors[5]}" in drawn[-1]


def test_lamps_light_one_by_one_within_current_limit(tmp_path: Path) -> None:
    here = Shop(tmp_path, SimulatedMaker(), current_limit_ma=300)
    frames: list[Any] = []
    here.board.watch(lambda frame, _: frames.append(frame))
    lights(here.bench, here.said.append, 0.1, 0.1)
    single = [[number for number, colour in enumerate(frame) if colour != DARK] for frame in frames]
    assert [lit for lit in single if len(lit) == 1][: len(SHIPPED.lamps)] == [[n] for n in range(len(SHIPPED.lamps))]
    assert any(len(lit) == len(SHIPPED.lamps) for lit in single)
    assert max(sum(map(sum, frame)) for frame in frames) / 255 * 12 + len(SHIPPED.lamps) <= 300
    assert set(frames[-1]) == {DARK}


@pytest.mark.parametrize(
    ("words", "least", "most"),
    [(["--seconds", "5"], 60, 90), ([], 40, 70), (["--each", "0", "--seconds", "15"], 59, 61)],
)
def test_lamp_test_takes_announced_time(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: list[str],
    least: int,
    most: int,
) -> None:
    makers: list[SimulatedMaker] = []

    class Watched(SimulatedMaker):
        def __init__(self) -> None:
            super().__init__()
            makers.append(self)

    monkeypatch.setattr("firmware_host.app.commands.hw.SimulatedMaker", Watched)
    assert main(["hw", "lights", "--simulate", "--state", str(tmp_path), *words]) == 0
    assert least <= makers[0].clock() <= most
    told = re.search(r"takes about (\d+) seconds", capsys.readouterr().out)
    assert told is not None
    assert int(told[1]) == pytest.approx(makers[0].clock(), abs=2)


def test_simulated_maker_lifts_at_green(tmp_path: Path) -> None:
    here = shop(tmp_path)
    here.bench.light({5: WHITE})
    here.bench.step(1.0)
    here.bench.light({5: GREEN})
    edge = here.bench.next(here.maker.clock() + 1.0)
    assert isinstance(edge, Edge)
    assert (edge.sensor, edge.down) == (5, False)


def test_typed_lines_share_the_inbox_with_edges() -> None:
    waiting = RealMaker(lambda: 1.0)
    waiting.listen(io.StringIO("skip \n"))
    assert waiting.wait(PATIENCE) == Typed("skip")


# --- traces -----------------------------------------------------------------------------------------------------


def test_trace_is_recorded_and_replayed(tmp_path: Path) -> None:
    here = shop(tmp_path)
    position = {"turn": "defenders", "units": {"red-1": "R11"}, "sniper": {"space": "Y1"}}
    file = io.StringIO()
    sensor = SHIPPED.sensor_of("R11")
    here.maker.add_note(Edge(int(sensor or 0), False, 0.5))
    here.maker.add_note(Edge(9, True, 0.7))
    here.maker.add_note(Typed("enough"))  # type: ignore[arg-type]
    assert trace.record(here.bench, file, {"position": position}, here.said.append) == 2
    first, *edges = [json.loads(line) for line in file.getvalue().splitlines()]
    assert first == {"map": "launch-facility", "position": position}
    assert edges == [
        {"t": 500.0, "space": "R11", "down": False},
        {"t": 700.0, "space": SHIPPED.sensors[9], "down": True},
    ]
    text = file.getvalue() + '{"t": 5000}\n'
    said = [json.loads(line) for line in answers(io.BytesIO(text.encode()))]
    assert {"held": ["red-1"]}.items() <= next(line for line in said if "held" in line).items()


def test_trace_of_running_game_contains_public_facts_only(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    evening.start_hunt()
    play = evening.table.session.play
    assert play is not None
    position = trace.public_position(play)
    truth = play.referee.truth
    others = msgspec.structs.replace(truth, dossier=None)
    assert position["sniper"]["space"] in truth.map.enterable
    public = play.game.state(others)
    assert all(value == public[key] for key, value in position.items() if key != "sniper")
    assert {"objectives", "hand", "mines", "log"}.isdisjoint(position["sniper"])
    first = json.dumps({"map": "launch-facility", "position": position})
    home = position["units"]["red-1"]
    lifted = json.dumps({"t": 500, "space": home, "down": False})
    said = b"".join(answers(io.BytesIO(f'{first}\n{lifted}\n{{"t": 900}}\n'.encode()))).decode()
    assert '"held":["red-1"]' in said


# --- as commands ------------------------------------------------------------------------------------------------


def test_every_job_runs_on_the_simulated_board(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--simulate", "--state", str(tmp_path)]
    assert main(["hw", "scan", *words]) == 0
    assert main(["hw", "lights", *words]) == 0
    assert main(["hw", "calibrate", *words]) == 0
    assert main(["hw", "selftest", "Y1", "Y2", *words]) == 0
    assert main(["hw", "trace", "record", str(tmp_path / "trace"), *words]) == 0
    assert main(["hw", "trace", "replay", str(tmp_path / "trace")]) == 0
    said = capsys.readouterr().out
    assert "All 127 spaces are known." in said
    assert "2 of 2 sensors work." in said
    assert (tmp_path / "boards" / "launch-facility" / FILE).is_file()


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["selftest", "Z1", "--simulate"], 2, "has no space Z1"),
        (["scan", "--board", "cardboard"], 2, "there is no driver 'cardboard'"),
        (["scan", "--simulate", "--map", "atlantis"], 2, "there is no such map"),
        (["trace", "replay", "/nowhere/at/all"], 4, "cannot be read"),
    ],
)
def test_bad_arguments_give_a_sentence_and_exit_code(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str], code: int, sentence: str
) -> None:
    state = [] if words[0] == "trace" else ["--state", str(tmp_path)]
    assert main(["hw", *words, *state]) == code
    assert sentence in capsys.readouterr().err


def test_trace_never_overwrites_a_file(tmp_path: Path) -> None:
    (tmp_path / "trace").write_text("precious", "utf-8")
    assert main(["hw", "trace", "record", str(tmp_path / "trace"), "--simulate", "--state", str(tmp_path)]) == 4
    assert (tmp_path / "trace").read_text("utf-8") == "precious"
