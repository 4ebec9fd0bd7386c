"""Analysis of finished games: what an act is judged by, and how an analysis is kept, stopped and continued."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import Mock

import msgspec
import pytest
from msgspec.structs import replace

import games
from engine.bots import Foreseeing
from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, Command
from engine.referee import Referee
from engine.search.budget import Budget
from firmware_host.analysis import analysis_files, process, report
from firmware_host.analysis.analyses import MOST_WAITING, Analyses
from firmware_host.analysis.analysis_files import BROKEN, AnalysisFile, Failed, Stored
from firmware_host.analysis.judging import JudgedStep, Judging
from firmware_host.analysis.process import NICENESS, PROGRAM, Length, Run, Task, answers
from firmware_host.analysis.report import MARKS, accuracy, key_moments, mark
from firmware_host.app.cli import main
from firmware_host.core import bots, installed, maps
from firmware_host.core.bots import judge_of
from firmware_host.core.capabilities import is_note
from firmware_host.core.data_files import rules_digest
from firmware_host.core.errors import UserError
from firmware_host.play.game import TableGame
from firmware_host.records.chain import acts_in_effect, read_telling
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.past import PastGames
from firmware_host.records.record import Record, record_of
from firmware_host.records.state_folder import only_one
from firmware_host.seats.players import BotPlayer
from tests.patience import until

CARDS = "stalingrad"
START = "from firmware_host.analysis import process; process.NICENESS = 0; process.main()"
QUICK = (sys.executable, "-P", "-c", START)
"""The process with the priority of the tests: on a busy machine, one of a lower priority gets almost no time."""
WAITING = f"""
import time
from firmware_host.core import time_limit

class Clock:
    hours = 0

    def monotonic(self):
        self.hours += 1
        return 3600.0 * self.hours

    def sleep(self, seconds):
        time.sleep(seconds / 100)

    def __getattr__(self, name):
        return getattr(time, name)

time_limit.time = Clock()
{START}
"""
"""The process on a computer that is so busy that an hour passes between any two looks at the clock."""
HANGS = ("sleep", "1000")
"""A process that never judges anything."""


def crashes_after(lines: int) -> tuple[str, ...]:
    """Return a process that ends after so many lines, as if it were killed."""
    return ("sh", "-c", f"{sys.executable} -P -c '{START}' | head -n {lines}")


def hangs_after(lines: int) -> tuple[str, ...]:
    """Return a process that hangs after so many lines."""
    return ("sh", "-c", f"({sys.executable} -P -c '{START}' | head -n {lines}; exec sleep 1000)")


class Past:
    """A state folder with finished games between bots, and their analyses."""

    def __init__(self, state: Path) -> None:
        self.state = state
        state.chmod(0o700)
        self.journal = Journal(state / FILE)
        self.games = PastGames(state / FILE, self.journal.checks)
        self.running: list[Analyses] = []

    def play(
        self, name: str = CARDS, seed: int = 1, acts: int = 10_000, board: str = "", stays: bool = False, bot: str = ""
    ) -> int:
        """Play a game, of at most so many acts, by this bot or the strongest ones. Return its number. A finished one
        that `stays` is on the table.
        """
        game, drawn, chance = installed.find(name), maps.load(board) if board else None, Chance(Random(seed))
        play = TableGame.begin(game, drawn, game.read_options(None), self.journal, chance)
        blank = play.game.blank(drawn, play.options)
        players = {
            seat.name: BotPlayer(
                bot or bots.strongest(game, seat.name), game, seat.name, blank[seat.name], chance, Budget(lines=0)
            )
            for seat in play.seats
        }
        while play.referee.to_act and acts:
            acts -= 1
            seat = play.referee.to_act[0]
            play.act(seat, players[seat].ask(play.referee))
        if play.over and not stays:
            self.journal.end(play.number)
        return play.number

    def record(self, number: int) -> Record:
        found = self.journal.find(number)
        return record_of(found, self.journal.entries(number))  # type: ignore[arg-type]

    def analyses(self, program: tuple[str, ...] = QUICK) -> Analyses:
        found = Analyses(self.state, self.games, program=program)
        self.running.append(found)
        return found

    def file(self, number: int) -> Path:
        return analysis_files.path_of(self.state, number)

    def keep(self, number: int, analysis: bytes) -> Path:
        """Store an analysis; return its file."""
        self.file(number).parent.mkdir(mode=0o700, exist_ok=True)
        self.file(number).write_bytes(analysis)
        return self.file(number)


OVER = range(1, MOST_WAITING + 3)
"""The numbers of the finished games of cards in the journal."""
UNFINISHED = len(OVER) + 1
"""The number of an unfinished one."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The journal, which takes a while to play."""
    past = Past(tmp_path_factory.mktemp("played"))
    assert [past.play(seed=seed) for seed in OVER] == [*OVER]
    assert past.play(acts=9) == UNFINISHED
    past.journal.close()
    return past.journal.path.read_bytes()


@pytest.fixture
def past(tmp_path: Path, played: bytes) -> Iterator[Past]:
    (tmp_path / FILE).write_bytes(played)
    found = Past(tmp_path)
    yield found
    for analyses in found.running:
        analyses.close()
    found.journal.close()


@pytest.fixture(scope="module")
def analysed(tmp_path_factory: pytest.TempPathFactory, played: bytes) -> bytes:
    """The complete analysis of the first game, which takes a process seconds."""
    state = tmp_path_factory.mktemp("analysed")
    (state / FILE).write_bytes(played)
    past = Past(state)
    analyses = past.analyses()
    analyses.start(1)
    ends_as(analyses, 1, "done")
    analyses.close()
    past.journal.close()
    return past.file(1).read_bytes()


def found(analyses: Analyses, number: int) -> dict[str, Any]:
    told: dict[str, Any] = json.loads(analyses.report_json(number))
    return told


def ends_as(analyses: Analyses, number: int, *states: str) -> dict[str, Any]:
    until(lambda: found(analyses, number)["state"] in states)
    return found(analyses, number)


# --- judging ----------------------------------------------------------------------------------------------------


class Watched:
    """A game before its set-up, and the judge of each seat, which is told what its seat is told."""

    def __init__(self, record: Record) -> None:
        self.game, board = games.find(record.game), maps.load(record.map) if record.map else None
        options = self.game.read_options(record.options)
        self.referee = Referee(self.game, self.game.blank(board, options))
        pictures = self.referee.pictures
        self.judges = {it.name: judge_of(self.game, it.name, pictures[it.name]) for it in self.game.seats(options)}

    def tell(self, telling: tuple[Told, ...]) -> None:
        self.referee.tell(telling)
        for told in telling:
            for seat, judge in self.judges.items():
                if judge is not None and told.audience.includes(seat):
                    judge.told(told.event)


def test_act_is_judged_by_what_its_seat_knew(past: Past) -> None:
    """Bots that are told nothing but the events of their seats give the same advice as the analysis. Only the second
    line of the graph is made from the referee's picture.
    """
    # Guesses depend on the hash of the record, and so does whether an act is judged by the next one.
    assert any(acts_judged_by_the_next_one(past) for _ in range(8))


def acts_judged_by_the_next_one(past: Past) -> int:
    """Compare the judgements of a game with those of bots; return how many were replaced by the next one."""
    record = past.record(past.play("sniper-elite", acts=9, board="launch-facility"))
    watched, depth = Watched(record), 5
    game, referee = watched.game, watched.referee
    steps = {step.step: step for step in Judging(record, game, maps.load(record.map), depth).steps()}
    compared, continued = set[str](), 0
    for number, one in enumerate(acts_in_effect(record.entries)):
        seat, telling = one.entry.seat, read_telling(game, one.entry.telling)
        step, judge, chance = steps.get(number), watched.judges.get(seat), Chance(Random(f"{record.hash}/{number}"))
        judged = step is not None and step.after is not None
        if judge is not None and step is not None and judged:
            bots.set_budget(judge, Budget(depth))
            command = game.check(referee.pictures[seat], seat, game.read_command(seat, one.entry.command))
            advice = judge.weigh(referee.pictures[seat], referee.legal(seat), command, chance)
            assert step.best == round(advice.judged[0].chance, 4)
            after, following = round(advice.of(command).chance, 4), steps.get(number + 1)
            if step.after != after:  # the next judgement holds for this act, too
                assert following is not None and following.best is not None and following.seat == seat
                assert step.after == min(step.best, following.best) > after
                continued += 1
            compared.add(seat)
        watched.tell(telling)
        if judge is not None and step is not None and judged:
            assert step.truth == round(judge.appraise(referee.pictures[REFEREE], chance), 4)
    assert compared == {"sniper", "defenders"}
    return continued


def test_act_that_tells_its_seat_something_is_not_judged_by_the_next_one(past: Past) -> None:
    record = past.record(past.play("sniper-elite", 2, 60, "launch-facility", bot="random"))
    watched = Watched(record)
    game, referee = watched.game, watched.referee
    foreseen = defaultdict[str, set[bool]](set)
    for one in acts_in_effect(record.entries):
        seat, telling = one.entry.seat, read_telling(game, one.entry.telling)
        view, judge, chance = referee.pictures.get(seat), watched.judges.get(seat), Chance(Random(1))
        if isinstance(judge, Foreseeing):  # in the set-up, no one judges
            command = game.check(view, seat, game.read_command(seat, one.entry.command))
            if judge.weigh(view, referee.legal(seat), command, chance).judged:
                told = [it.event for it in telling if it.audience.includes(seat)]
                foreseen[one.entry.command["type"]].add(judge.foresaw(view, command, told, chance))
                assert not judge.foresaw(view, command, told[:-1], chance) or not told
        watched.tell(telling)
    assert {kind for kind, found in foreseen.items() if False in found} == {"attack", "intel", "shoot"}
    assert {"move", "end-turn", "dismiss", "play"} <= {kind for kind, found in foreseen.items() if found == {True}}


EACH_GAME = pytest.mark.parametrize(
    ("name", "board"),
    [
        ("sniper-elite", "submarine-pens"),
        ("sniper-elite-solo", "launch-facility"),
        ("snipers-and-assassins", "pathways-2"),
        ("stalingrad", ""),
    ],
)


@EACH_GAME
def test_each_game_has_judges_for_all_seats(past: Past, name: str, board: str) -> None:
    record = past.record(past.play(name, acts=14, board=board))
    game, drawn = games.find(name), maps.load(board) if board else None
    steps = [*Judging(record, game, drawn, 4).steps()]
    assert [step.step for step in steps] == list(range(1, len(steps) + 1))
    judged = [step for step in steps if step.after is not None]
    assert judged
    for step in judged:
        chances = (step.best, step.after, step.truth)
        assert all(chance is not None and 0 <= chance <= 1 for chance in chances)
        for seat, act in [(step.seat, step.advised or step.played), *step.line]:
            game.read_command(seat, act)


def test_act_is_named_where_no_chance_can_be_estimated(past: Past) -> None:
    record = past.record(past.play("sniper-elite", 3, 8, board="submarine-pens", bot="random"))
    game = games.find("sniper-elite")
    steps = [*Judging(record, game, maps.load("submarine-pens"), 1).steps()]
    named = [step for step in steps if step.after is None and step.advised is not None]
    assert {step.played["type"] for step in named} == {"choose-loadout", "return-objective"}
    for step in named:
        assert step.best is step.truth is None and not step.choice
        assert step.advised["type"] == step.played["type"] and step.advised != step.played
    # A choice by chance is no advice.
    assert [step.advised for step in steps if step.played["type"] == "choose-specialists"] == [None]


@EACH_GAME
def test_whatever_was_played_is_judged(past: Past, name: str, board: str) -> None:
    """People play acts that no bot would consider, for example let a marker hold."""
    record = past.record(past.play(name, acts=14, board=board))
    watched = Watched(record)
    game, referee = watched.game, watched.referee
    compared = set[type[Command]]()
    for one in acts_in_effect(record.entries):
        seat, telling = one.entry.seat, read_telling(game, one.entry.telling)
        if (judge := watched.judges.get(seat)) is not None and not is_note(game, telling):
            bots.set_budget(judge, Budget(1))
            legal = referee.legal(seat)
            for kind, command in {type(act): act for act in legal if type(act) not in compared}.items():
                advice = judge.weigh(referee.pictures[seat], legal, command, Chance(Random(1)))
                assert not advice.judged or advice.of(command).command == command
                compared.add(kind)
        watched.tell(telling)
    assert len(compared) > 2


def test_record_that_breaks_the_rules_is_refused(past: Past) -> None:
    record = past.record(1)
    first, *others = record.entries
    assert [*answers(Task(replace(record, entries=[first, *others[1:]]), 4, 0))][-1].why == BROKEN  # type: ignore[attr-defined]


def test_waiting_for_the_processor_is_no_fault_of_the_game(past: Past) -> None:
    """The analysis of a played game was refused for good, because its record would break the rules."""
    analyses = past.analyses((sys.executable, "-P", "-c", WAITING))
    analyses.start(1)
    ends_as(analyses, 1, "done")


def test_steps_that_are_done_are_not_judged_again(past: Past) -> None:
    record = past.record(1)
    length, *steps = answers(Task(record, 4, 0))
    assert isinstance(length, Length)
    assert length.of == len(steps)
    assert [*answers(Task(record, 4, 7))] == [length, *steps[7:]]


# --- marks ------------------------------------------------------------------------------------------------------


def step(number: int, lost: float, error: float = 0.0, **more: Any) -> JudgedStep:
    return JudgedStep(number, "sniper", 1, {}, 1.0, 1 - lost, error, choice=True, **more)


def test_marks_follow_the_loss_beyond_the_error() -> None:
    assert [mark(step(1, most - 0.001)) for _, most in MARKS] == [name for name, _ in MARKS]
    assert mark(step(1, 0.5)) == "blunder"
    assert mark(step(1, 0.5, error=0.5)) == "best"
    assert mark(replace(step(1, 0.5), choice=False)) is None
    assert mark(replace(step(1, 0.5), after=None)) is None


def test_accuracy_is_100_for_best_acts_and_falls_with_each_loss() -> None:
    assert accuracy([step(1, 0.0), step(2, 0.0)]) == 100
    falling = [accuracy([step(1, lost)]) for lost in (0.0, 0.05, 0.1, 0.4, 0.9)]
    assert falling == sorted(falling, reverse=True)  # type: ignore[type-var]
    assert accuracy([replace(step(1, 0.3), choice=False)]) is None


def test_key_moments_are_great_losses_and_turns_of_the_truth() -> None:
    steps = [step(1, 0.0, truth=0.5), step(2, 0.3, truth=0.5), step(3, 0.0, truth=0.9), step(4, 0.0, truth=0.9)]
    assert key_moments(steps) == {2, 3}
    # A single value that differs is no turn of the truth.
    assert key_moments([replace(it, truth=0.5 if it.step != 3 else 0.9) for it in steps]) == {2}


# --- files ------------------------------------------------------------------------------------------------------


def test_analysis_goes_on_after_a_crash_and_finds_the_same(past: Past, analysed: bytes) -> None:
    number = 1
    past.keep(number, analysed)
    whole = past.analyses()
    expected = ends_as(whole, number, "done")
    assert expected["done"] == expected["of"] >= len(expected["steps"]) > 5
    assert {it["sentence"].rpartition(" rolled ")[0] for it in expected["luck"]} == {"player 1", "player 2"}
    whole.forget(number)
    crashing = past.analyses(crashes_after(6))
    crashing.start(number)
    stopped = ends_as(crashing, number, "stopped")
    assert stopped["done"] == 5, "the first line is the number of steps"
    assert "Start it again" in stopped["why"]
    with past.file(number).open("ab") as file:
        file.write(b'{"type":"step","st')  # a power cut can leave half a line
    again = past.analyses()
    again.start(number)
    assert ends_as(again, number, "done") == expected
    assert past.file(number).read_bytes() == analysed


def test_damaged_step_is_judged_again(past: Past, analysed: bytes) -> None:
    """One flipped bit can make another act of it. Its game refused that for good, and the page blamed the game."""
    past.keep(1, analysed)
    expected = ends_as(past.analyses(), 1, "done")
    head, *lines = analysed.splitlines(keepends=True)
    damaged = lines[3].replace(b'"played":{"type":"', b'"played":{"typd":"')
    assert damaged != lines[3]
    past.file(1).write_bytes(b"".join([head, *lines[:3], damaged, *lines[4:]]))
    again = past.analyses()
    assert found(again, 1)["done"] == 3
    assert again.accuracies(1) == {}
    again.start(1)
    assert ends_as(again, 1, "done") == expected
    assert past.file(1).read_bytes() == analysed


def test_complete_analysis_is_put_together_once(past: Past, analysed: bytes) -> None:
    """Its report takes half a second for a game of 3,000 acts, and anyone may ask for it again and again."""
    past.keep(1, analysed)
    analyses = past.analyses()
    ends_as(analyses, 1, "done")
    first = analyses.report_json(1)
    assert analyses.report_json(1) is first
    assert analyses.report_json(1, lambda text: f"*{text}") != first, "in another language"
    past.file(1).unlink()
    ends_as(analyses, 1, "none")


def test_long_report_lets_others_run(past: Past) -> None:
    breaths = list[None]()
    history = past.games.identity(1)[1]
    steps = tuple(JudgedStep(number, "player-1", number, {"type": "?"}) for number in range(1, 4))
    report.report_facts(history, Stored(3, steps), lambda: breaths.append(None))
    assert len(breaths) == len(steps)


def test_file_of_another_record_or_code_counts_as_none(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    number = 1
    last = past.games.identity(number)[0]
    file = AnalysisFile(past.state, number, analysis_files.key_of(last, CARDS))
    file.begin(2)
    file.add(JudgedStep(1, "player-1", 1, {}))
    assert file.read() is not None
    assert AnalysisFile(past.state, number, analysis_files.key_of("another", CARDS)).read() is None
    monkeypatch.setattr(analysis_files, "judging_digest", lambda game: "newer")
    assert AnalysisFile(past.state, number, analysis_files.key_of(last, CARDS)).read() is None


def test_unreadable_code_of_a_game_makes_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Editors make such a link while a file is open. The list of all past games answered 500 meanwhile."""
    folder = tmp_path / "solitaire"
    (folder / "rules").mkdir(parents=True)
    (folder / "__init__.py").touch()
    (folder / "rules" / "fold.py").write_bytes("# -*- coding: latin-1 -*- ö".encode("latin-1"))
    monkeypatch.setattr(games, "__path__", [*games.__path__, str(tmp_path)])
    digests = [(analysis_files.judging_digest.__wrapped__("solitaire"), rules_digest.__wrapped__("solitaire"))]
    (folder / "rules" / ".#fold.py").symlink_to("nothing")
    digests.append((analysis_files.judging_digest.__wrapped__("solitaire"), rules_digest.__wrapped__("solitaire")))
    assert digests[0] == digests[1]


def test_list_of_games_unfolds_none_for_its_accuracies(past: Past, analysed: bytes) -> None:
    """After a start, it would unfold each of 24 games for a second time."""
    past.keep(1, analysed)
    ends_as(past.analyses(), 1, "done")
    past.games._histories.forget(lambda number: True)
    assert {*past.analyses().accuracies(1)} == {"player-1", "player-2"}
    assert 1 not in past.games._histories


def test_analysis_of_game_on_the_table_stays_when_the_next_one_begins(past: Past) -> None:
    number = past.play(stays=True)
    past.games = PastGames(past.journal.path, past.journal.checks, lambda: number)
    analyses = past.analyses()
    analyses.start(number)
    ends_as(analyses, number, "done")
    past.journal.end(number)
    ends_as(past.analyses(), number, "done")
    assert {*past.analyses().accuracies(number)} == {"player-1", "player-2"}


@pytest.mark.parametrize(
    "line",
    [
        '{"type":"step","step":1,"seat":"player-1","turn":1,"played":{},"best":1.5,"after":0.1,"choice":true}',
        '{"type":"step","step":1,"seat":"player-1","turn":1,"played":{},"best":0.5,"after":-2,"choice":true}',
        '{"type":"failed","why":"a reason of a newer version"}',
    ],
)
def test_impossible_values_are_a_fault_of_the_judge(past: Past, line: str) -> None:
    """One of them in the file of one game must not stop the list of all games."""
    length = json.dumps({"type": "length", "of": 1})
    analyses = past.analyses(("printf", "%s\\n", length, line))
    analyses.start(1)
    assert "has a fault" in ends_as(analyses, 1, "impossible")["why"]
    assert analyses.accuracies(1) == {}
    head = analysis_files.encoded(analysis_files.Head(analyses._open(1)[0]._key, 1))
    past.file(1).write_bytes(head + analysis_files._checksum(line.encode()) + line.encode() + b"\n")
    ends_as(analyses, 1, "none")
    assert analyses.accuracies(1) == {}


def test_oldest_files_make_room_for_new_ones(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis_files, "MOST_BYTES", 300)
    past.file(8).mkdir(parents=True)
    past.file(9).symlink_to("nothing")
    for number in range(1, 6):
        file = AnalysisFile(past.state, number, "k" * 64)
        file.begin(1)
        file.add(JudgedStep(1, "player-1", 1, {}))
    kept = [number for number in range(1, 6) if past.file(number).exists()]
    assert 1 not in kept
    assert 5 in kept
    assert sum(analysis_files.size(past.state, number) for number in kept) <= 300 + analysis_files.size(past.state, 5)


def test_failed_analysis_says_why(past: Past) -> None:
    number = 1
    file = AnalysisFile(past.state, number, analysis_files.key_of(past.games.identity(number)[0], CARDS))
    file.begin(0)
    file.add(Failed(BROKEN))
    told = found(past.analyses(HANGS), number)
    assert told["state"] == "impossible"
    assert "does not follow the rules" in told["why"]


def test_analysis_that_cannot_be_stored_stops(past: Past) -> None:
    (past.state / analysis_files.FOLDER).write_text("a file where the folder should be")
    analyses = past.analyses()
    analyses.start(1)
    assert "cannot be stored" in ends_as(analyses, 1, "stopped")["why"]


# --- queue ------------------------------------------------------------------------------------------------------


def test_games_wait_for_each_other_and_too_many_are_refused(past: Past) -> None:
    numbers = [*OVER]
    analyses = past.analyses(HANGS)
    for number in numbers[:-1]:
        analyses.start(number)
        analyses.start(number)  # once more changes nothing
    with pytest.raises(UserError) as refused:
        analyses.start(numbers[-1])
    assert refused.value.code == "busy"
    assert [found(analyses, number)["state"] for number in numbers] == [
        "running",
        *["waiting"] * MOST_WAITING,
        "none",
    ]
    analyses.stop(numbers[1])
    analyses.stop(numbers[0])
    assert found(analyses, numbers[1])["state"] == found(analyses, numbers[0])["state"] == "none"
    ends_as(analyses, numbers[2], "running")
    analyses.close()
    assert {found(analyses, number)["state"] for number in numbers} == {"none"}


def test_analysis_without_a_thread_can_be_started_later(past: Past, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise it would stay in the queue, and stopping it, or the table, would wait without an end."""
    analyses = past.analyses()
    with monkeypatch.context() as patched, pytest.raises(UserError) as refused:
        patched.setattr("threading.Thread.start", Mock(side_effect=RuntimeError("can't start new thread")))
        analyses.start(1)
    assert refused.value.code == "busy"
    assert not analyses._queue
    analyses.stop(1)
    analyses.start(1)
    ends_as(analyses, 1, "done")


def test_stopped_analysis_keeps_what_was_judged(past: Past) -> None:
    number = 1
    analyses = past.analyses(hangs_after(4))
    analyses.start(number)
    until(lambda: found(analyses, number)["done"] == 3)
    assert found(analyses, number)["state"] == "running"
    analyses.stop(number)
    told = found(analyses, number)
    assert (told["state"], told["done"], told["why"]) == ("stopped", 3, None)


def test_analysis_ends_though_a_judge_has_left_a_process_of_its_own(past: Past, tmp_path: Path) -> None:
    """It holds the output open, and the stop, or the end of the table, waited for it."""
    note = tmp_path / "left"
    analyses = past.analyses(("setsid", "-f", "sh", "-c", f"echo $$ > {note}; exec sleep 1000"))
    analyses.start(1)
    left = int(until(lambda: note.exists() and note.read_text()))
    try:
        analyses.stop(1)
        assert not analyses._queue
    finally:
        os.kill(left, signal.SIGKILL)


@pytest.mark.parametrize(
    ("program", "look"), [(HANGS, 0.01), (("sh", "-c", "while printf x; do sleep 0.1; done"), 100.0)]
)
def test_judge_that_never_answers_holds_others_up_for_a_limited_time(
    past: Past, monkeypatch: pytest.MonkeyPatch, program: tuple[str, ...], look: float
) -> None:
    """Whether it is silent or goes on writing."""
    monkeypatch.setattr(process, "LONGEST_STEP_S", 0.0)
    monkeypatch.setattr(process, "LOOK_S", look)
    analyses = past.analyses(program)
    analyses.start(1)
    analyses.start(2)
    for number in (1, 2):
        assert "stopped" in str(ends_as(analyses, number, "stopped")["why"])


def test_process_ends_with_the_table(past: Past) -> None:
    """A table that is killed can't end it. Its next answer finds no one who reads."""
    task = msgspec.json.encode(Task(past.record(1), 4, 0)) + b"\n"
    pipe = subprocess.PIPE
    with subprocess.Popen(QUICK, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdout.close()
        child.stdin.write(task)
        child.stdin.close()
        assert child.wait(300) != 0


def test_process_has_the_lowest_priority() -> None:
    lowest = min(19, os.getpriority(os.PRIO_PROCESS, 0) + NICENESS)
    with subprocess.Popen(PROGRAM, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        until(lambda: os.getpriority(os.PRIO_PROCESS, child.pid) == lowest)
        child.kill()


def test_command_analyses_a_finished_game(
    past: Past, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("firmware_host.app.commands.games.Run", partial(Run, program=QUICK))
    over, unfinished = 1, UNFINISHED
    with only_one(past.state):
        assert main(["games", "analyse", f"{over}", "--state", str(past.state)]) == 4
    assert "analyse games on its pages" in capsys.readouterr().err
    assert main(["games", "analyse", f"{over}", "--state", str(past.state)]) == 0
    said = capsys.readouterr()
    assert "player-1: accuracy" in said.out
    assert "player-2: accuracy" in said.out
    assert re.search(r"player 1 rolled [\d.]+ stars (below|above) expectation", said.out)
    # A moment in which chance decided says what became of the true chance.
    moments = [line for line in said.out.splitlines() if line.startswith(" ")]
    assert moments and all(re.search(r"\(with everything known: \d+% to \d+%\)", line) for line in moments)
    assert "of" in said.err
    assert main(["games", "analyse", f"{over}", "--state", str(past.state)]) == 0
    assert capsys.readouterr() == (said.out, "")
    assert main(["games", "analyse", f"{unfinished}", "--state", str(past.state)]) == 1
    assert "still running" in capsys.readouterr().err
    on_the_table = past.play(stays=True)
    assert main(["games", "analyse", f"{on_the_table}", "--state", str(past.state)]) == 0
    assert "player-1: accuracy" in capsys.readouterr().out


# --- secrets ----------------------------------------------------------------------------------------------------


def test_unfinished_game_has_no_analysis(past: Past) -> None:
    """Also if its number was that of another game: a file counts only for the record that it was made from."""
    number = UNFINISHED
    AnalysisFile(past.state, number, "k" * 64).begin(3)
    analyses = past.analyses()
    for _ in ("running", "put away before its end"):
        for ask in (analyses.start, analyses.stop, analyses.report_json):
            with pytest.raises(UserError) as refused:
                ask(number)
            assert refused.value.code == "not-over"
        past.journal.end(number)
    with pytest.raises(UserError) as refused:
        analyses.start(number + 1)
    assert refused.value.code == "not-found"
    assert not analyses._queue


def test_deleted_game_loses_its_analysis(past: Past) -> None:
    number = 1
    analyses = past.analyses(hangs_after(4))
    analyses.start(number)
    until(lambda: found(analyses, number)["done"] == 3)
    assert analyses.sizes([number])[number] > 100
    analyses.forget(number)
    assert not past.file(number).exists()
    assert analyses.sizes([number]) == {number: 0}


def test_game_can_be_deleted_whatever_is_in_place_of_its_analysis(past: Past, caplog: pytest.LogCaptureFixture) -> None:
    past.file(1).mkdir(parents=True)
    past.analyses().forget(1)
    assert f"{past.file(1)}: cannot be deleted" in caplog.text


def test_analysis_of_another_journal_shows_nothing(past: Past, analysed: bytes, tmp_path: Path) -> None:
    """A restored copy of the journal can continue a game from before its end, or give its number to another game."""
    number = 1
    past.keep(number, analysed)
    ends_as(past.analyses(), number, "done")
    (tmp_path / "restored").mkdir()
    restored = Past(tmp_path / "restored")
    try:
        shutil.copytree(past.file(number).parent, restored.file(number).parent)
        assert restored.play(acts=9) == number
        with pytest.raises(UserError) as refused:
            restored.analyses().report_json(number)
        assert refused.value.code == "not-over"
        restored.journal.end(number)
        other = restored.play(seed=2)
        restored.file(number).rename(restored.file(other))
        assert found(restored.analyses(), other)["state"] == "none"
    finally:
        restored.journal.close()
