"""Bots with a search process: what the process gets, that it is nice, and that play goes on without it."""

from __future__ import annotations

import json
import math
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

import games
from engine.chance import Chance
from engine.events import Event
from engine.game import Game
from engine.graph import compiled
from engine.referee import Referee
from firmware_host.core import bots, maps
from firmware_host.core.children import MEMORY_LIMIT
from firmware_host.core.settings import settle
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from firmware_host.seats import searching
from firmware_host.seats.players import LOOK_EVERY, PART, BotPlayer, BotPlayers
from firmware_host.seats.search_process import SeatedBot
from firmware_host.seats.searching import JOIN_WITHIN, LONGEST_PASSED, STARTING, SearchFailed, SearchProcess
from games.sniper_elite import GAME
from games.sniper_elite.rules.picture import Picture
from lab.bench.engine import first_board
from tests.firmware_host.evening import Evening
from tests.firmware_host.saved import saved_acts
from tests.patience import until

DEAD = (sys.executable, "-c", "pass")
NOT_THERE = ("/nowhere/python",)
SLEEPER = (sys.executable, "-c", "import sys; [None for _ in sys.stdin]")
FLOOD = (sys.executable, "-c", "import sys; print('x' * (1 << 20), end='', flush=True); [None for _ in sys.stdin]")
PARENT = """
import subprocess, sys
child = subprocess.Popen(["sleep", "600"], start_new_session="leaves" in sys.argv)
print(child.pid, flush=True)
sys.stdin.read()
"""
"""A bot that lets an engine of its own calculate over the same pipes; it reports that process's number."""
BABBLER = (sys.executable, "-c", 'import sys; print(\'{"type":"dance"}\', flush=True); sys.stdin.read()')


def failure_of(search: SearchProcess) -> str:
    """Return why a process that never answers was given up."""
    places: list[str] = []

    def so() -> bool:
        try:
            assert search.answer() is None
        except SearchFailed as error:
            places.append(error.place)
        return bool(places)

    until(so)
    return places[0]


class Asked:
    """A half-played game with a search process at its only seat; everything written to the process is copied to a
    file.
    """

    def __init__(self, folder: Path, bot: str, seat: str, acts: int, game: Game = GAME) -> None:
        board, options = maps.load("launch-facility"), game.read_options({})
        self.referee, chance = Referee(game, game.blank(board, options)), Chance(Random(5))
        seats = [one.name for one in game.seats(options)]
        players = {
            one: BotPlayer(bots.strongest(game, one), game, one, self.referee.pictures[one], Chance(Random(one)))
            for one in seats
        }
        self.referee.tell(game.setup(board, options, chance))
        for _ in range(acts):
            mover = self.referee.to_act[0]
            self.referee.submit(mover, players[mover].ask(self.referee), chance)
        while self.referee.to_act[0] != seat:
            mover = self.referee.to_act[0]
            self.referee.submit(mover, players[mover].ask(self.referee), chance)
        self.seat, self._file = seat, folder / "sent"
        child = f"tee {self._file} | {sys.executable} -m firmware_host.seats.search_process"
        self.search = SearchProcess(searching.seated_bot(bot, game, seat, board, options, "5"), ("sh", "-c", child))

    def sent(self, lines: int) -> list[Any]:
        """Return the first lines that were written to it."""
        until(lambda: self._file.read_bytes().count(b"\n") >= lines)
        return [json.loads(line) for line in self._file.read_bytes().splitlines()[:lines]]

    def answered(self, seconds: float = 0.2) -> Any:
        """Return the act that it chooses."""
        found: list[Any] = []

        def came() -> bool:
            answer = self.search.answer()
            found.extend([] if answer is None else [answer])
            return bool(found)

        self.search.ask(self.referee.told[self.seat], seconds)
        until(came)
        return found[0]


EXPERTS = [
    pytest.param(game, name, seat, id=name)
    for game in map(games.find, games.names())
    for name in bots.own_names(game)
    if bots.find(game, name).thinks
    for seat in (it.name for it in game.seats(game.read_options({})))
    if bots.find(game, name).plays(seat)
]


@pytest.mark.parametrize(("game", "bot", "seat"), EXPERTS)
def test_search_gets_only_bytes_of_its_seat_and_answers_legally(
    tmp_path: Path, game: Game, bot: str, seat: str
) -> None:
    asked = Asked(tmp_path, bot, seat, 30, game)
    assert game.read_command(seat, asked.answered()) in asked.referee.legal(seat)
    who, request = asked.sent(2)
    assert set(who) == {"bot", "game", "options", "seat", "board", "seed"}
    assert set(request) == {"told", "seconds"}
    assert who["board"] == compiled.dump(maps.load("launch-facility")).decode()
    assert (who["bot"], who["game"], who["seat"], who["seed"]) == (bot, game.name, seat, "5")
    assert [game.read_event(event) for event in request["told"]] == asked.referee.told[seat]
    asked.search.close()


def test_search_of_defenders_gets_no_secret_of_sniper(tmp_path: Path) -> None:
    asked = Asked(tmp_path, "marshal", "defenders", 30)
    asked.answered()
    _, request = asked.sent(2)
    told = asked.referee.told["defenders"]
    truth: Picture = asked.referee.truth
    assert len(told) < len(asked.referee.told["sniper"])
    assert not {"sniper-moved", "objectives", "hand", "entry"} & {event["type"] for event in request["told"]}
    assert truth.mine.space is not None
    asked.search.close()


@pytest.fixture(scope="module")
def search() -> Iterator[SearchProcess]:
    """A process that waits for a question."""
    board, options = maps.load("launch-facility"), GAME.read_options({})
    found = SearchProcess(searching.seated_bot("marshal", GAME, "defenders", board, options, "1"))
    yield found
    found.close()


def test_search_process_is_nicer_than_table(search: SearchProcess) -> None:
    wanted = min(19, os.nice(0) + 10)
    until(lambda: os.getpriority(os.PRIO_PROCESS, search.child.pid) == wanted)


def test_ended_process_is_reported() -> None:
    search = SearchProcess(searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1"), DEAD)
    search.ask((), 1.0)
    assert failure_of(search) == "its process has ended"
    search.close()


def test_memory_of_process_is_limited_and_the_first_that_linux_takes_back(search: SearchProcess) -> None:
    until(lambda: Path(f"/proc/{search.child.pid}/oom_score_adj").read_text("ascii") == "1000\n")
    until(lambda: resource.prlimit(search.child.pid, resource.RLIMIT_DATA) == (MEMORY_LIMIT, MEMORY_LIMIT))


@pytest.mark.parametrize("how", ["stays", "leaves"])
def test_process_that_has_started_another_is_left_at_once(how: str) -> None:
    """Waiting for the end of its pipes would mean waiting for the other process."""
    who = searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1")
    search = SearchProcess(who, (sys.executable, "-c", PARENT, how))
    search.ask((), 1.0)
    told: list[Any] = []
    until(lambda: bool(told.extend(filter(None, [search.answer()])) or told))
    search.ask((), 1.0)
    closing = threading.Thread(target=search.close, daemon=True)
    closing.start()
    try:
        until(lambda: not closing.is_alive())
        if how == "stays":
            until(lambda: _has_ended(told[0]))
    finally:
        if not _has_ended(told[0]):
            os.kill(told[0], signal.SIGKILL)


def test_bots_that_have_started_others_keep_the_loop_waiting_once(monkeypatch: pytest.MonkeyPatch) -> None:
    waited, clock = list[float](), iter([0.0, 0.0, 0.7, 1.3])
    who = searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1")
    processes = [SearchProcess(who, DEAD) for _ in range(3)]
    for process in processes:
        monkeypatch.setattr(process._thread, "join", waited.append)
    monkeypatch.setattr(searching, "time", SimpleNamespace(monotonic=lambda: next(clock)))
    searching.close_all(processes)
    assert waited == pytest.approx([JOIN_WITHIN, JOIN_WITHIN - 0.7, 0.0])
    assert all(process.child.poll() is not None for process in processes)


def test_a_process_that_has_left_its_group_is_ended() -> None:
    who = searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1")
    leaving = "import os, time; os.setpgid(0, os.getpgid(os.getppid())); time.sleep(600)"
    search = SearchProcess(who, (sys.executable, "-c", leaving))
    until(lambda: os.getpgid(search.child.pid) == os.getpgrp())
    closing = threading.Thread(target=search.close, daemon=True)
    closing.start()
    try:
        until(lambda: not closing.is_alive())
    finally:
        if not _has_ended(search.child.pid):
            os.kill(search.child.pid, signal.SIGKILL)


def _has_ended(pid: int) -> bool:
    """Return whether the process does not exist or is only a zombie."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "Z"
    except (FileNotFoundError, ProcessLookupError):
        return True


def test_signals_that_stop_table_do_not_stop_search_first(search: SearchProcess) -> None:
    """An expert that ended first would be replaced permanently. Ctrl-C reaches the whole process group of the table."""
    assert os.getpgid(search.child.pid) != os.getpgrp()
    until(lambda: _ignores(search.child.pid, signal.SIGTERM) and _ignores(search.child.pid, signal.SIGINT))


def _ignores(pid: int, number: int) -> bool:
    """Return whether a process ignores a signal, according to Linux."""
    told = Path(f"/proc/{pid}/status").read_text("ascii")
    mask = next(line for line in told.splitlines() if line.startswith("SigIgn")).split()[1]
    return bool(int(mask, 16) >> (number - 1) & 1)


def test_endless_answer_is_refused() -> None:
    search = SearchProcess(searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1"), FLOOD)
    search.ask((), 1.0)
    assert failure_of(search) == "its answer is too long"
    assert search.child.poll() is None
    search.close()


def test_place_of_a_fault_gives_no_order_to_a_terminal() -> None:
    said = json.dumps({"type": "failed", "place": "\x1b[2J\n" * 100})
    program = (sys.executable, "-c", f"import sys; print({said!r}, flush=True); sys.stdin.read()")
    who = searching.seated_bot("marshal", GAME, "defenders", None, GAME.read_options({}), "1")
    search = SearchProcess(who, program)
    search.ask((), 1.0)
    place = failure_of(search)
    assert place.isprintable()
    assert len(place) == searching.LONGEST_PLACE
    search.close()


def test_fault_of_search_is_reported_by_its_place_only() -> None:
    """The defenders' bot cannot play the sniper's seat."""
    search = SearchProcess(
        searching.seated_bot("marshal", GAME, "sniper", maps.load("launch-facility"), GAME.read_options({}), "1")
    )
    search.ask((), 1.0)
    assert "NotUnderstood in " in failure_of(search)
    search.close()


# --- at a table -------------------------------------------------------------------------------------------------


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    found = Evening(tmp_path, settle({"bot_pause_ms": 100, "bot_thought_ms": 50}))
    yield found
    found.table.close()


def start_game(
    evening: Evening, program: tuple[str, ...] = searching.PROGRAM, sniper: str = "prowler", defenders: str = "marshal"
) -> None:
    """Let bots play each other; bots that search do so in processes that run this program."""
    evening.table.players.start = lambda who: SearchProcess(who, program)
    evening.table.seating.seat_bot("sniper", sniper)
    evening.table.seating.seat_bot("defenders", defenders)
    evening.table.start({"options": {"random_setup": True}})


SLOWLY = 2.0
"""Milliseconds of table time for each look. A look takes longer, so that no time-out comes on a busy machine."""


def let_time_pass(evening: Evening, what: Callable[[], bool], step: float = 100) -> None:
    """Let table time and real time pass until a condition is true."""

    def so() -> bool:
        evening.wait(step)
        return what()

    until(so)


def acted(evening: Evening, seat: str) -> int:
    play = evening.table.session.play
    assert play is not None
    return sum(act.seat == seat for act in saved_acts(evening.table.journal, play.number))


def test_search_bot_plays_at_table_without_blocking_loop(evening: Evening) -> None:
    start_game(evening)
    let_time_pass(evening, lambda: acted(evening, "defenders") >= 3, step=SLOWLY)
    assert evening.sees("table")["seats"]["defenders"]["trouble"] is None


def test_search_bot_of_hidden_seat_plays_at_table(evening: Evening) -> None:
    start_game(evening, sniper="phantom", defenders="warden")
    let_time_pass(evening, lambda: acted(evening, "sniper") >= 4, step=SLOWLY)
    assert evening.sees("table")["seats"]["sniper"]["trouble"] is None


def test_hidden_search_bot_acts_only_after_its_whole_pause(evening: Evening) -> None:
    """However short its search for a secret act is."""
    evening.table.players.pause, evening.table.players.thought = 5.0, 1.0
    start_game(evening, sniper="phantom", defenders="warden")
    since, heard = evening.now, evening.sentences("table")
    let_time_pass(evening, lambda: evening.sentences("table") != heard, step=50)
    assert evening.now >= since + 6.0


@pytest.mark.parametrize(
    "program",
    [DEAD, SLEEPER, BABBLER, FLOOD, NOT_THERE],
    ids=["dies", "thinks too long", "talks nonsense", "talks without end", "does not start"],
)
def test_failed_search_bot_is_reported_and_replaced_by_lower_level(
    evening: Evening, program: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    stuck = program in (SLEEPER, FLOOD)
    if stuck:
        # Only the table's clock ends the wait for these two: looking for an answer more often finds nothing sooner.
        monkeypatch.setattr("firmware_host.seats.players.LOOK_EVERY", 1.0)
    start_game(evening, program)
    let_time_pass(evening, lambda: acted(evening, "defenders") >= 2, step=10_000 if stuck else 1000)
    seat = evening.sees("table")["seats"]["defenders"]
    assert seat["devices"][0]["bot"] == "warden"
    assert seat["trouble"] == (
        "The bot 'marshal' cannot go on for the defenders. The bot 'warden' has taken its place; the game goes on from "
        "here."
    )


def test_search_bot_that_stood_still_with_the_table_keeps_its_seat(evening: Evening) -> None:
    """A container or virtual machine that was paused replaced it by a weaker one."""
    start_game(evening, SLEEPER)
    let_time_pass(evening, lambda: "defenders" in evening.sees("table")["view"]["to_act"], step=5000)
    evening.wait(1000)  # the bot is asked
    for _ in range(3):
        evening.now += 1000
        evening.tick()
    seat = evening.sees("table")["seats"]["defenders"]
    assert (seat["devices"][0]["bot"], seat["trouble"]) == ("marshal", None)


def test_search_process_ends_with_game(evening: Evening) -> None:
    started: list[SearchProcess] = []

    def start(who: SeatedBot) -> SearchProcess:
        started.append(SearchProcess(who))
        return started[-1]

    start_game(evening)
    evening.table.players.start = start
    let_time_pass(evening, lambda: acted(evening, "defenders") >= 1)
    evening.table.abandon()
    let_time_pass(evening, lambda: True)
    assert all(search.child.poll() is not None for search in started)
    assert started


OWN_BOTS = [
    pytest.param(game, name, id=f"{game.name}-{name}")
    for game in map(games.find, games.names())
    for name in bots.names(game)
]


@pytest.mark.parametrize(("game", "name"), OWN_BOTS)
def test_bots_that_look_ahead_or_are_slow_run_in_processes(tmp_path: Path, game: Game, name: str) -> None:
    started = list[str]()

    def start(who: SeatedBot) -> SearchProcess:
        started.append(who.bot)
        return SearchProcess(who, SLEEPER)

    kind, (_, board, options) = bots.find(game, name), first_board(game.name)
    journal = Journal(tmp_path / "state" / FILE)
    play = TableGame.begin(game, board, options, journal, Chance(Random(2)))
    players = BotPlayers(0.0, Chance(Random(2)), 1.0, start)
    for _ in range(20):
        seat = play.referee.to_act[0]
        if kind.plays(seat):
            break
        play.act(seat, play.referee.legal(seat)[0])
    players.sit({seat: name})
    players.think(play, 0.0)
    players.leave()
    journal.close()
    assert kind.plays(seat)
    assert started == ([name] if kind.thinks or kind.slow else [])


def test_slow_bot_plays_from_its_process(tmp_path: Path) -> None:
    game, board, options = first_board("snipers-and-assassins")
    journal = Journal(tmp_path / "state" / FILE)
    play = TableGame.begin(game, board, options, journal, Chance(Random(2)))
    players = BotPlayers(0.0, Chance(Random(2)), 1.0)
    players.sit(dict.fromkeys(play.referee.to_act, "hunter"))
    clock, before = 0.0, len(play.referee.told["table"])

    def acted() -> bool:
        nonlocal clock
        clock = min(clock + 0.1, STARTING / 2)  # however long its process takes to start, it is not given up
        return players.act(play, clock) or players.think(play, clock) or len(play.referee.told["table"]) > before

    until(acted)
    players.leave()
    journal.close()
    assert len(play.referee.told["table"]) > before


HiddenBot = tuple[TableGame, BotPlayers, list[float]]


@pytest.fixture
def hidden(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HiddenBot]:
    """A game whose sniper is an expert bot that thinks, and the seconds that it was given each time."""
    asked, ask = list[float](), SearchProcess.ask

    def noting(process: SearchProcess, events: Sequence[Event], seconds: float) -> None:
        asked.append(seconds)
        ask(process, events, seconds)

    monkeypatch.setattr(SearchProcess, "ask", noting)
    board, options = maps.load("launch-facility"), GAME.read_options({"random_setup": True})
    journal = Journal(tmp_path / "state" / FILE)
    play = TableGame.begin(GAME, board, options, journal, Chance(Random(2)))
    players = BotPlayers(0.5, Chance(Random(2)), 0.5)
    players.sit({"sniper": "phantom"})
    players.think(play, 0.0)
    yield play, players, asked
    players.leave()
    journal.close()


def test_hidden_bot_thinks_less_after_a_late_answer(hidden: HiddenBot) -> None:
    """On a busy computer, several searches took longer than the pause, and the doubled pause showed how many."""
    play, players, asked = hidden
    player = players._searching["sniper"]
    until(lambda: player.ask(play, 0.01, 9.0))
    assert player.late == 0.0, "its process had to start"
    player.ask(play, 0.01, 10.0)
    until(lambda: player.ask(play, 0.01, 10.19))
    players.think(play, 0.0)
    assert (asked[0], asked[-1]) == pytest.approx((PART, PART - 0.18))
    until(lambda: player.ask(play, 0.01, 0.01))
    player.ask(play, 0.01, 20.0)
    until(lambda: player.ask(play, 0.01, 80.0))
    assert player.late < LONGEST_PASSED, "the table waited for a reader"


def test_notes_of_others_do_not_make_a_hidden_bot_think_again(hidden: HiddenBot) -> None:
    """Its pause grew with each cube of the defenders, and so told them how many secret acts it made."""
    play, players, asked = hidden
    play.act("defenders", GAME.read_command("defenders", {"type": "mark", "space": "Y1"}))
    assert until(lambda: players._searching["sniper"].ask(play, 0.5, 0.1)) is not None
    assert len(asked) == 1


def test_slow_hidden_bot_acts_from_its_process_after_whole_pauses(tmp_path: Path) -> None:
    """However long its process takes to start, and however many secret acts come first."""
    pause, step = 1 / 64, 1 / 512
    board, options = maps.load("launch-facility"), GAME.read_options({"random_setup": True})
    journal = Journal(tmp_path / "state" / FILE)
    play = TableGame.begin(GAME, board, options, journal, Chance(Random(2)))
    players = BotPlayers(pause, Chance(Random(2)), 1.0)
    players.sit({"sniper": "prowler"})
    players.think(play, 0.0)
    # Late by any standard, and not after a whole pause.
    clock, before = 2.0 + step, len(play.referee.told["table"])

    def acted() -> bool:
        nonlocal clock
        clock = max(clock + step, (players.due() or 0.0) - LOOK_EVERY)
        players.act(play, clock) or players.think(play, clock)
        return len(play.referee.told["table"]) > before

    until(acted)
    players.leave()
    journal.close()
    assert math.log2(clock // step * step / pause).is_integer()
