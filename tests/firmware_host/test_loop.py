"""The time of an answer reveals nothing about the loop's work, and the message of a fault nothing that is hidden."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import TABLE, Cue
from engine.referee import Referee
from engine.text import Text
from firmware_host.admin import pin as pins
from firmware_host.admin.access import AdminAccess
from firmware_host.api.interface import TableInterface
from firmware_host.board.board_io import open_board
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.play import pictures
from firmware_host.records.journal import Journal
from firmware_host.seats.identity import Requester
from firmware_host.table import loop
from firmware_host.table.inbox import BATCH, BoundedInbox
from firmware_host.table.lanes import ADMIN, MACHINE, STRANGERS, Lane
from firmware_host.table.loop import ANSWER_SECONDS, TYPICAL_WORK, Loop
from firmware_host.table.pacing import LONGEST_STEP, MARGIN, SHORTEST_DELAY, SHORTEST_STEP, SHORTEST_WORK, STEP_MARGIN
from firmware_host.table.session import TableSession
from firmware_host.table.table import Table
from hardware.ports import Edge
from hardware.simulated import SimulatedBoard
from tests.firmware_host.evening import fresh_name
from tests.firmware_host.published import latest
from tests.patience import until
from tests.web_panel.endings import play_out
from tools.showroom import Showroom

HERE = Requester(local=True)
PIN = "135790"
RANDOM: dict[str, Any] = {"options": {"random_setup": True}}


class RunningTable:
    """A running loop with its interface, a clock that the test moves, and the list of delays of requests."""

    def __init__(self, folder: Path) -> None:
        self.now, self.rests = 100.0, list[float]()
        self._folder = folder
        self.loop = self.open()
        self.access = AdminAccess(folder, self.clock)
        self.interface = TableInterface(self.loop, self.access)
        self.loop.start()
        self.keys = {seat: self.interface.claim(seat, "2468", "a phone") for seat in ("sniper", "defenders")}

    def open(self) -> Loop:
        settings = settle({"state": str(self._folder)})

        def make_table(report: Any) -> Table:
            def make_io(board: Any) -> Any:
                return open_board(settings, board, self._folder, self.clock, report)

            journal = Journal(self._folder / "games.sqlite")
            return Table(settings, journal, make_io, self.clock, Chance(Random(3)))

        return Loop(make_table, self.clock, rest=self.rests.append, spin=self.rests.append)

    def clock(self) -> float:
        return self.now

    def begin(self) -> None:
        """Start a game in which the sniper is to act."""
        self.loop.call(lambda table: table.start(RANDOM))
        self.loop.call(lambda table: table.board.use_sensors(False))
        self.loop.call(lambda _: None)
        self.rests.clear()

    def sniper(self, kind: str) -> None:
        """Make the sniper's first legal act of a kind."""
        legal = json.loads(latest(self.loop.followers, "sniper")[1])["legal"]
        self.act("sniper", next(act for act in legal if act["type"] == kind))
        self.loop.call(lambda _: None)  # waits until the last turn has published

    def act(self, seat: str, action: dict[str, Any]) -> None:
        """Make an act of a seat on its current picture."""
        revision = json.loads(latest(self.loop.followers, seat)[1])["revision"]
        self.interface.held_seat(self.keys[seat]).submit(action, revision, fresh_name())

    def busy(self) -> Iterator[None]:
        """Block the loop until the generator goes on."""
        done, begun = threading.Event(), threading.Event()

        def wait(_: Table) -> None:
            begun.set()
            done.wait(10)

        asker = threading.Thread(target=lambda: self.loop.call(wait))
        asker.start()
        begun.wait(10)
        yield
        done.set()
        asker.join(10)


@pytest.fixture
def running(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[RunningTable]:
    """A table that does not seem to work at random moments."""
    monkeypatch.setattr(loop, "DECOY_SECONDS", 1e9)
    running = RunningTable(tmp_path)
    yield running
    running.loop.stop()


def test_turn_of_a_secret_seat_is_shown_after_a_fixed_time(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An opponent's end of turn took as long as the sniper's new picture, which depends on the secret space."""
    shown = list[str]()

    def rest(seconds: float) -> None:
        running.rests.append(seconds)
        shown.append(running.interface.lobby()["stage"])

    for name in ("_rest", "_spin"):
        monkeypatch.setattr(running.loop, name, rest)
    running.loop.call(lambda table: table.start(RANDOM))
    running.loop.call(lambda _: None)
    assert sum(running.rests) == pytest.approx(SHORTEST_STEP + ANSWER_SECONDS)
    assert (shown[0], shown[-1]) == ("lobby", "playing"), "the time for the answer comes after the pictures"
    assert running.interface.lobby()["stage"] == "playing"
    running.rests.clear()
    running.sniper("choose-entry")
    assert sum(running.rests) == pytest.approx(SHORTEST_STEP), "the sniper is still to act"


def test_new_picture_of_a_secret_seat_takes_a_fixed_time(running: RunningTable) -> None:
    """A cube of the defenders in the sniper's turn took as long as the sniper's new picture, as did its own act."""
    running.begin()
    running.sniper("choose-entry")
    assert sum(running.rests) == pytest.approx(SHORTEST_STEP)
    running.rests.clear()
    for kind in ("mark", "unmark"):
        running.act("defenders", {"type": kind, "space": "Y1"})
        running.loop.call(lambda _: None)
    assert sum(running.rests) == pytest.approx(2 * (SHORTEST_DELAY + SHORTEST_STEP)), "with the gate"


@pytest.mark.parametrize("took", [0.0, 0.75, 1.25, 30.5])
@pytest.mark.parametrize("noticed", [True, False])
def test_loop_seems_to_work_for_a_fixed_time_if_others_know_when_it_began(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch, took: float, noticed: bool
) -> None:
    """Requests of others are slower meanwhile, and so told how long the sniper's pictures took."""
    work, view_facts, waits = SHORTEST_WORK, pictures.view_facts, list[tuple[str, float]]()

    def slow(referee: Referee, viewer: str) -> dict[str, Any]:
        running.now += took * work if viewer == "sniper" else 0.0
        return view_facts(referee, viewer)

    running.begin()
    running.sniper("choose-entry")
    monkeypatch.setattr(pictures, "view_facts", slow)
    monkeypatch.setattr(running.loop, "_random", Random(5))
    for name in ("spin", "rest"):
        monkeypatch.setattr(running.loop, f"_{name}", lambda seconds, name=name: waits.append((name, seconds)))
    if noticed:
        running.act("defenders", {"type": "mark", "space": "Y1"})
    else:
        running.sniper("move")
    busy = work * (1 - took % 1) if noticed else work * Random(5).random()
    in_all = SHORTEST_STEP * (1 + (took * work) // SHORTEST_STEP)
    assert sum(seconds for name, seconds in waits if name == "spin") == pytest.approx(busy)
    assert next(seconds for name, seconds in waits if name == "rest") == pytest.approx(in_all - took * work - busy)


def test_loop_seems_to_work_for_a_fixed_time_if_only_another_secret_seat_notices(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats, waits = frozenset({"sniper", "defenders"}), list[float]()
    running.begin()
    viewers = running.loop._table._viewers
    prepare = viewers.prepare
    monkeypatch.setattr(TableSession, "hiding", seats)
    monkeypatch.setattr(viewers, "prepare", lambda session: tuple(changed & seats for changed in prepare(session)))
    monkeypatch.setattr(running.loop, "_spin", waits.append)
    running.act("defenders", {"type": "mark", "space": "Y1"})
    assert waits == pytest.approx([SHORTEST_WORK])


def test_nobody_notices_a_take_back_after_a_cube(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """The cube is told again, so all pictures were made again, and the loop worked as long as after a public act."""
    waits = list[tuple[str, float]]()
    running.begin()
    running.sniper("choose-entry")
    running.sniper("move")
    running.act("defenders", {"type": "mark", "space": "Y1"})
    pace = running.loop._table.pace
    for part, name in ((running.loop, "_spin"), (running.loop, "_rest"), (pace, "note_picture")):
        monkeypatch.setattr(part, name, lambda seconds, name=name: waits.append((name, seconds)))
    monkeypatch.setattr(running.loop, "_random", Random(5))
    running.act("sniper", {"type": "take-back"})
    busy = SHORTEST_WORK * Random(5).random()
    assert dict(waits) == pytest.approx({"_spin": busy, "_rest": SHORTEST_STEP - busy})


def test_loop_seems_to_make_pictures_at_random_moments_of_a_secret_turn(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Slower requests told when the sniper acted."""
    waits = list[float]()
    monkeypatch.setattr(loop, "DECOY_SECONDS", 1.0)
    running.begin()
    due = running.loop._decoy_due
    assert running.now < due < inf
    for name in ("_spin", "_rest"):
        monkeypatch.setattr(running.loop, name, waits.append)
    running.now = due
    assert until(lambda: waits[1:])
    assert TYPICAL_WORK * SHORTEST_WORK <= waits[0] <= (1 + TYPICAL_WORK) * SHORTEST_WORK
    assert sum(waits) == pytest.approx(SHORTEST_STEP)
    for kind in ("choose-entry", "move", "end-turn"):
        running.sniper(kind)
    assert running.loop._decoy_due == inf, "the defenders' turn is public"


def test_new_picture_of_a_secret_seat_is_translated_within_the_fixed_time(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    translated, rested = list[Text](), list[int]()

    def translate(text: Text) -> str:
        translated.append(text)
        return str(text)

    running.begin()
    screen = running.interface.held_seat(running.keys["sniper"]).follow(translate)
    screen.next(0)
    translated.clear()
    monkeypatch.setattr(running.loop, "_rest", lambda seconds: rested.append(len(translated)))
    running.sniper("choose-entry")
    assert rested[0] == len(translated) > 0
    screen.close()


def test_step_is_that_of_the_computer_before_any_public_act(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow computer showed in the first turn after a start how long the sniper's pictures took."""
    view_facts = pictures.view_facts

    def slow(referee: Referee, viewer: str) -> dict[str, Any]:
        running.now += {TABLE: LONGEST_STEP / STEP_MARGIN, "sniper": 0.5}.get(viewer, 0.0)
        return view_facts(referee, viewer)

    running.begin()
    running.sniper("choose-entry")
    assert running.loop._table.pace.step == SHORTEST_STEP
    running.loop.stop()
    monkeypatch.setattr(pictures, "view_facts", slow)
    table = running.open()._table
    assert table.snapshot.hiding
    assert table.pace.step == pytest.approx(LONGEST_STEP)
    assert table.pace.delay >= MARGIN * LONGEST_STEP
    table.close()


def test_step_back_translates_no_sentence_again(running: RunningTable) -> None:
    """Otherwise the defenders' next cube appeared later after a move that the sniper had taken back."""
    translated = list[Text]()

    def translate(text: Text) -> str:
        translated.append(text)
        return str(text)

    running.begin()
    screen = running.interface.held_seat(running.keys["defenders"]).follow(translate)

    def cube(kind: str) -> int:
        screen.next(0)
        translated.clear()
        running.act("defenders", {"type": kind, "space": "Y1"})
        screen.next(0)
        return len(translated)

    cube("mark"), cube("unmark")
    usual = cube("mark")
    running.sniper("choose-entry")
    running.act("sniper", {"type": "take-back"})
    assert (cube("unmark"), cube("mark")) == (usual, usual)
    assert usual > 0
    screen.close()


@pytest.mark.parametrize("took", [0.0, SHORTEST_WORK / 2])
@pytest.mark.parametrize("kind", ["mark", "end-turn"])
def test_screens_get_lamps_at_a_moment_that_tells_nothing_of_acts(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch, kind: str, took: float
) -> None:
    """A cube or the end of a turn, sent just before a light changes, delayed it until the sniper's picture was made."""
    view_facts = pictures.view_facts

    def slow(referee: Referee, viewer: str) -> dict[str, Any]:
        running.now += took if viewer == "sniper" else 0.0
        return view_facts(referee, viewer)

    def rest(seconds: float) -> None:
        running.now += seconds

    running.begin()
    for act in ("choose-entry",) if kind == "mark" else ("choose-entry", "move", "end-turn"):
        running.sniper(act)
    table, changed, shown = running.loop._table, list[float](), list[float]()
    board = table.board.io
    gliding = [Cue("victory", board.spaces)]
    monkeypatch.setattr(table.session, "light", lambda now: board.light(gliding, {}, now, show=table.session.game.show))
    running.loop.call(lambda _: None)
    due = running.loop.call(lambda table: board.next_on_screens)
    monkeypatch.setattr(pictures, "view_facts", slow)
    for name in ("_rest", "_spin"):
        monkeypatch.setattr(running.loop, name, rest)
    monkeypatch.setattr(table._viewers, "relight", lambda lamps: changed.append(running.now))
    monkeypatch.setattr(board, "_show", lambda frame: shown.append(running.now))
    running.now = due - SHORTEST_WORK / 4
    running.act("defenders", {"type": kind, **({"space": "Y1"} if kind == "mark" else {})})
    assert changed[0] == pytest.approx(due)
    # Others than screens get what falls due meanwhile after a fixed time.
    monkeypatch.setattr(board, "_next_on_screens", inf)
    running.loop.call(lambda _: None)  # waits until the last turn has ended
    running.now = due = board.next_frame - SHORTEST_WORK / 4
    shown.clear()
    running.act("defenders", {"type": "mark", "space": "Y2"})
    assert shown[0] == pytest.approx(due + SHORTEST_WORK)


def test_lamps_that_cannot_be_animated_refuse_no_act(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    running.begin()
    table = running.loop._table
    pad = table.pad

    def fail() -> None:
        raise ValueError("no such colour")

    def padded(began: float, noticed: bool) -> None:
        with monkeypatch.context() as patch:
            patch.setattr(table, "repeat_lamps", fail)
            pad(began, noticed)

    monkeypatch.setattr(table, "pad", padded)
    running.sniper("choose-entry")
    assert sum(running.rests) == pytest.approx(SHORTEST_STEP)


def test_text_that_cannot_be_translated_does_not_end_the_loop(
    running: RunningTable, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(text: Text) -> str:
        raise ValueError(text)

    monkeypatch.setattr(running.loop.followers, "languages", lambda viewer: (fail,))
    running.begin()
    assert running.loop.fault is None
    running.sniper("choose-entry")


def test_reading_published_data_does_not_wait_for_busy_loop(running: RunningTable) -> None:
    running.begin()
    for _ in running.busy():
        assert running.interface.lobby()["stage"] == "playing"
        holder = running.interface.holder(running.keys["sniper"])
        assert holder is not None
        assert holder.seat == "sniper"
        assert running.interface.holder("nobody's") is None
        assert '"viewer":"defenders"' in latest(running.loop.followers, "defenders")[1]
        assert {line["state"] for line in running.interface.health()} == {"new"}


def test_result_is_visible_as_soon_as_call_is_answered(running: RunningTable) -> None:
    running.interface.release("sniper", Requester((running.keys["sniper"],)))
    assert running.interface.holder(running.keys["sniper"]) is None
    assert not running.interface.lobby()["seats"]["sniper"]["taken"]
    key = running.interface.claim("sniper", "2468", "another phone")
    assert running.interface.holder(key) is not None
    assert running.interface.lobby()["seats"]["sniper"]["devices"][0]["device"] == "another phone"


def test_answers_are_paced_while_sniper_may_act_except_for_sniper(running: RunningTable) -> None:
    running.begin()
    with pytest.raises(UserError, match="not your turn"):
        running.act("defenders", {"type": "end-turn"})
    with pytest.raises(UserError, match="no space 'nowhere'"):
        running.interface.set_manual("nowhere", True, HERE)
    assert running.rests == pytest.approx([SHORTEST_DELAY, SHORTEST_DELAY])
    running.sniper("choose-entry")
    assert sum(running.rests[2:]) == pytest.approx(SHORTEST_STEP)


def test_no_delay_until_a_secret_act_is_possible(running: RunningTable) -> None:
    running.rests.clear()
    running.interface.reset_miniatures(HERE)
    assert running.rests == []
    running.begin()
    for kind in ("choose-entry", "move", "end-turn"):
        running.sniper(kind)
    running.rests.clear()
    running.act("defenders", {"type": "mark", "space": "Y1"})
    assert running.rests == []
    # The sniper may act in secret before this or any later call is answered.
    running.act("defenders", {"type": "end-turn"})
    running.loop.call(lambda _: None)  # waits until the last turn is over; without a gate, so it adds nothing
    assert sum(running.rests) == pytest.approx(SHORTEST_STEP + ANSWER_SECONDS + SHORTEST_DELAY)


def test_late_answer_is_delayed_to_next_multiple(running: RunningTable) -> None:
    running.begin()

    def slowly(_: Table) -> None:
        running.now += 0.7 * SHORTEST_DELAY

    running.loop.call_paced(slowly)
    assert running.rests == pytest.approx([0.3 * SHORTEST_DELAY])


def test_fault_is_printed_without_its_message(
    running: RunningTable, capsys: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    hidden = "-".join(("where", "the", "sniper", "is"))

    def fail(_: Table) -> None:
        try:
            raise KeyError(hidden)
        except KeyError as error:
            raise ValueError(hidden) from error

    with pytest.raises(UserError, match="nothing was done"):
        running.loop.call(fail)
    assert hidden not in caplog.text
    assert "ValueError in" in caplog.text
    running.loop.call(lambda table: setattr(table, "show", lambda: fail(table)))
    running.loop.thread.join(10)
    said = capsys.readouterr().err
    assert running.loop.fault
    assert hidden not in said
    assert "KeyError" in said
    assert "ValueError" in said
    assert "test_loop.py" in said


def test_edges_do_not_wait_for_calls(tmp_path: Path) -> None:
    room = Showroom(tmp_path)
    order: list[str] = []
    asking, may_go_on = threading.Event(), threading.Event()

    def hold(_: Table) -> None:
        asking.set()
        assert may_go_on.wait(30)

    room.loop.call(lambda table: setattr(table, "feed", lambda note: order.append("edge")))
    askers = [threading.Thread(target=room.loop.call, args=(lambda _: order.append("call"),)) for _ in range(60)]
    holding = threading.Thread(target=room.loop.call, args=(hold,))
    holding.start()
    assert asking.wait(30)
    for asker in askers:
        asker.start()
    assert isinstance(room.loop._inbox, BoundedInbox)
    while len(room.loop._inbox) < len(askers):
        pass
    room.loop._inbox.put(Edge(0, True, 0.0))
    may_go_on.set()
    for thread in (holding, *askers):
        thread.join(30)
    room.loop.call(lambda _: None)
    room.stop()
    assert order.index("edge") == 0
    assert order.count("call") == len(askers)


def test_call_is_shown_once(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each act was published a second time, with all that screens may know of it, only to show its lamps."""
    running.begin()
    running.sniper("choose-entry")
    table = running.loop.call(lambda table: table)
    published, publish = list[str](), table.publish

    def counted() -> None:
        published.append("act")
        publish()

    monkeypatch.setattr(table, "publish", counted)
    running.act("defenders", {"type": "mark", "space": "Y1"})
    running.loop.call(lambda _: published.append("next call"))
    assert published[:2] == ["act", "next call"]


def test_reports_of_drivers_are_taken_together(running: RunningTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each edge of a bouncing contact, the board was searched for an act, and everything published."""
    felt, table = list[int](), running.loop.call(lambda table: table)
    monkeypatch.setattr(table.session, "light", lambda now: felt.append(len(table.board.io._edges)))
    for _ in running.busy():
        for sensor in range(BATCH):
            running.loop._inbox.put(Edge(sensor, True, running.now))
    running.loop.call(lambda _: None)
    assert {*felt} == {BATCH}


def test_gliding_lamps_need_no_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They glide for as long as a finished game lies on the table. A turn takes many times longer than a frame."""
    room = Showroom(tmp_path)
    play_out(room.company)
    table = room.loop.call(lambda table: table)
    lamps, note = table.board.io.lamps, table.pace.note_publication
    assert isinstance(lamps, SimulatedBoard)
    turns, frames = list[bool](), [lamps.frame]

    def count(changed: bool) -> None:
        turns.append(changed)
        note(changed)

    def glided() -> bool:
        if lamps.frame != frames[-1]:
            frames.append(lamps.frame)
        return len(frames) > 60

    monkeypatch.setattr(table.pace, "note_publication", count)
    until(glided)
    room.stop()
    assert len(turns) < len(frames) / 2


def test_publicly_impossible_request_is_refused_before_any_gate(running: RunningTable) -> None:
    """Otherwise strangers could fill their gate with such requests. The table is not even called."""
    running.begin()
    table, seated = running.interface, Requester((running.keys["defenders"],))
    requests: list[Callable[[], object]] = [
        lambda: table.claim("sniper", "2468", "Eve"),
        lambda: table.take_over("sniper", "", "Eve"),
        lambda: table.take_over("sniper", "2468", "Eve", instead=9),
        lambda: table.release("sniper"),
        lambda: table.seat_bot("sniper", "rookie", seated),
        lambda: table.seat_bot("sniper", "rookie"),
        lambda: table.choose({}, seated),
        lambda: table.choose({}),
        lambda: table.start({}, seated),
        lambda: table.play_alone("sniper", "Eve", {}, {}, seated),
        lambda: table.play_again(False, seated),
    ]
    for _ in running.busy():
        for number, request in enumerate(requests):
            with pytest.raises(UserError) as refused:
                request()
            assert refused.value.code != "busy", number
    assert running.rests == []


def test_requester_has_lane_of_seat_admin_machine_or_strangers(running: RunningTable, tmp_path: Path) -> None:
    pins.write_pin(tmp_path, PIN)
    admin = running.access.sign_in(PIN, HERE)
    sniper, defenders = (running.keys[seat] for seat in ("sniper", "defenders"))
    lane = running.interface.lane
    assert lane(Requester((sniper,), admin, "a", local=True)) == Lane("sniper", "0")
    assert lane(Requester((sniper, defenders), "", "a")) == Lane("defenders", "0"), "it is paced like an opponent"
    assert lane(Requester(("nobody's",), admin, "a", local=True)) == Lane(ADMIN, "a")
    assert lane(Requester((), "nobody's", "a", local=True)) == Lane(MACHINE)
    assert lane(Requester((), "nobody's", "a")) == Lane(STRANGERS, "a")


def test_strangers_are_refused_at_once_and_delay_no_player(running: RunningTable) -> None:
    running.begin()
    for _ in running.busy():
        with pytest.raises(UserError, match="only they may do that"):
            running.interface.use_sensors(True)
        with pytest.raises(UserError, match="no longer holds a seat"):
            running.interface.held_seat("nobody's").assign_part("red", 0)
    assert running.rests == []
