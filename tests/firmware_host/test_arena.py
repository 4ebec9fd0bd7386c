"""The arena: games are reproducible, counts are correct, and errors are sentences."""

from __future__ import annotations

import io
import json
import multiprocessing
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from engine.bots import LEVELS
from engine.bots.random import RandomBot
from engine.chance import Chance
from engine.game import Command, Ending
from engine.graph import Map
from engine.refusal import NotUnderstood
from firmware_host.app import cli
from firmware_host.core import bots, maps
from games import find, names
from games.sniper_elite.rules.commands import Decline, Mark, Unmark
from lab import processes
from lab.arena import BotFault, Match, Result, play_game, play_match, summarize, wilson_interval
from lab.processes import Unavailable, in_order
from lab.terminal import with_progress_bar
from tests.firmware_host.test_cli_map import Terminal
from tests.patience import PATIENCE, until
from tests.toys import grid

ROOT = Path(__file__).resolve().parents[2]
SEATS = {"sniper": "prowler", "defenders": "random"}


def match(seed: int = 3, board: Map | None = None, **options: Any) -> Match:
    """Return a match, on the toy map if no other is named."""
    return Match("sniper-elite", board or grid(), find("sniper-elite").read_options(options), SEATS, seed)


def test_same_seed_gives_same_games_with_any_number_of_jobs() -> None:
    board = maps.load("launch-facility")  # other processes do not get the forced luck of the toy map
    one, many = list(play_match(match(board=board), 3, 1)), list(play_match(match(board=board), 3, 2))
    assert one == many
    assert [result.game for result in one] == [1, 2, 3]
    assert list(play_match(match(seed=4, board=board), 3, 1)) != one


def test_game_does_not_depend_on_other_games_of_match() -> None:
    assert play_game(match(), 5) == list(play_match(match(), 6, 1))[4]


def test_options_are_used() -> None:
    assert all(result.ending.rounds <= 13 for result in play_match(match(experienced_sniper=["D"]), 4, 1))


def test_bot_with_illegal_action_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def stubborn(self: RandomBot, view: Any, legal: list[Command], chance: Chance) -> Command:
        return Decline()

    monkeypatch.setattr(RandomBot, "choose", stubborn)
    with pytest.raises(BotFault, match=r"The bot 'random' wanted Decline\(\) in game 2: "):
        play_game(match(), 2)


def failing(self: RandomBot, view: Any, legal: list[Command], chance: Chance) -> Command:
    """Raise inside a bot's choice."""
    raise NotUnderstood("A bot may not say this.")


def failed(shared: None, number: int) -> Result:
    """Play a game of such a bot, in its own process."""
    setattr(RandomBot, "choose", failing)  # noqa: B010 - mypy lets no method be assigned
    return play_game(match(), number)


def test_failing_bot_is_named_with_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    said = (
        "The bot 'random' of defenders failed in game {}: NotUnderstood in tests/firmware_host/test_arena.py, line {}."
    )
    line = failing.__code__.co_firstlineno + 2
    with pytest.raises(BotFault) as raised:
        list(in_order(failed, None, [2, 2], 2))
    assert str(raised.value) == said.format(2, line)

    monkeypatch.setattr(RandomBot, "choose", failing)
    assert asked("--defenders", "random") == 70
    assert capsys.readouterr() == ("", said.format(1, line) + "\n")


def test_bot_that_never_stops_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def marking(self: RandomBot, view: Any, legal: list[Command], chance: Chance) -> Command:
        return next((it for it in legal if isinstance(it, Mark | Unmark)), legal[0])

    monkeypatch.setattr(RandomBot, "choose", marking)
    with pytest.raises(BotFault, match=r"The bot 'random' of defenders acts for ever in game 2: 2000 acts in a row\."):
        play_game(match(), 2)


def test_summary_counts_results() -> None:
    results = [
        Result(1, Ending(("sniper",), "objectives", 7), 60),
        Result(2, Ending(("defenders",), "wounds", 4), 40),
        Result(3, Ending(("defenders",), "countdown", 10), 80),
        Result(4, Ending(("defenders",), "wounds", 5), 60),
    ]
    found = summarize(results, {seat: (seat,) for seat in SEATS})
    assert (found.wins["sniper"].wins, found.wins["defenders"].wins) == (1, 3)
    assert found.causes == {"wounds": 2, "objectives": 1, "countdown": 1}
    assert (found.mean_rounds, found.median_rounds, found.shortest, found.longest) == (6.5, 6.0, 4, 10)
    assert found.mean_acts == 60


@pytest.mark.parametrize(
    ("wins", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)
def test_interval_is_wilson_interval(wins: int, of: int, low: float, high: float) -> None:
    """The last case is the example of Newcombe (1998), method 3."""
    found = wilson_interval(wins, of)
    assert found.low == pytest.approx(low, abs=1e-4)
    assert found.high == pytest.approx(high, abs=1e-4)


# --- processes --------------------------------------------------------------------------------------------------


def test_killed_process_is_reported() -> None:
    others = set(multiprocessing.active_children())
    games = play_match(match(board=maps.load("launch-facility")), 5000, 2)
    next(games)
    (set(multiprocessing.active_children()) - others).pop().kill()
    with pytest.raises(
        Unavailable, match=r"A process that played was killed: is there enough memory\? Try fewer --jobs"
    ):
        list(games)
    assert set(multiprocessing.active_children()) == others


def double(shared: int, number: int) -> int:
    """Return a product, calculated in its own process."""
    return shared * number


def test_processes_do_not_outnumber_items() -> None:
    others = set(multiprocessing.active_children())
    for index, done in enumerate(in_order(double, 2, range(3), 3_000_000_000)):
        assert done == 2 * index
        assert len(set(multiprocessing.active_children()) - others) <= 3


def test_refused_processes_are_reported() -> None:
    words = (
        "import resource, sys; resource.setrlimit(resource.RLIMIT_NOFILE, (14, 14)); "
        "from firmware_host.app.cli import main; sys.exit(main())"
    )
    arena = subprocess.run(
        [sys.executable, "-c", words, "arena", "--games", "2000", "--jobs", "40"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    assert (arena.returncode, arena.stdout) == (1, "")
    assert arena.stderr == "This computer cannot start so many processes: Too many open files. Try fewer --jobs.\n"


@contextmanager
def playing() -> Iterator[subprocess.Popen[str]]:
    """Run `sniperboard arena` with two worker processes, in its own process group, and wait until they have started."""
    words = (sys.executable, "-m", "firmware_host.app.cli", "arena", "--games", "5000", "--jobs", "2")
    pipe = subprocess.PIPE
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # it is ignored where tests run in the background
    arena = subprocess.Popen(words, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
    signal.signal(signal.SIGINT, before)
    with arena:
        try:
            until(lambda: len(workers(arena.pid)) >= 2)
            yield arena
        finally:
            arena.kill()


def workers(pid: int) -> list[str]:
    """Return the children of a process that were made to play."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text("ascii").split()
    return [child for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]


def blocked(pid: str) -> int:
    """Return the signals that a process blocks, as bits."""
    (line,) = [it for it in Path(f"/proc/{pid}/status").read_text("ascii").splitlines() if it.startswith("SigBlk:")]
    return int(line.split()[1], 16)


def test_ctrl_c_while_processes_start_gets_one_answer() -> None:
    with playing() as arena:
        assert all(blocked(pid) & 1 << signal.SIGINT - 1 for pid in workers(arena.pid))
        os.killpg(arena.pid, signal.SIGINT)
        assert arena.communicate(timeout=PATIENCE) == ("", "Stopped; the games so far are not counted.\n")
        assert arena.returncode == 130


def test_processes_end_with_killed_arena() -> None:
    """The workers keep its output open as long as they live."""
    with playing() as arena:
        arena.kill()
        arena.communicate(timeout=PATIENCE)


# --- the command ------------------------------------------------------------------------------------------------


def asked(*arguments: str) -> int:
    """Run `sniperboard arena` with these arguments."""
    return cli.main(["arena", "--jobs", "1", *arguments])


def test_command_prints_wins_with_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("--games", "3", "--defenders", "random") == 0
    out, err = capsys.readouterr()
    assert "Sniper Elite on Launch Facility, 3 games, seed 1" in out
    assert "prowler" in out
    assert "(95 %: " in out
    assert "acts" in out
    assert err == ""


def test_json_has_a_line_per_game_and_a_summary(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    choose = RandomBot.choose
    monkeypatch.setattr(RandomBot, "choose", lambda bot, *asked: (print("a word"), choose(bot, *asked))[1])
    assert asked("--games", "3", "--defenders", "random", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["game", "game", "game", "summary"]
    assert lines[3]["games"] == 3
    assert sum(line["winner"] == "sniper" for line in lines[:3]) == lines[3]["wins"]["sniper"]["wins"]
    assert lines[3]["acts_per_second"] > 0


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (
            ["--sniper", "prowlr"],
            "There is no bot 'prowlr'; known are cadet, marshal, phantom, prowler, rambler, random, recruit, sentry, "
            "skulker, straggler, warden. Did you",
        ),
        (
            ["--sniper", "warden"],
            "The bot 'warden' cannot play for the sniper; these can: phantom, prowler, rambler, random, skulker, "
            "straggler.",
        ),
        (
            ["--defenders", "prowler"],
            "cannot play for the defenders; these can: cadet, marshal, random, recruit, sentry, warden.",
        ),
        (["--map", "moon"], "moon: there is no such map."),
        (["--games", "0"], "--games and --jobs are whole numbers from 1 on."),
        (["--jobs", "-1"], "--games and --jobs are whole numbers from 1 on."),
        (["--options", "{"], "--options is not JSON"),
        (["--options", "\udcff"], "--options is not JSON in UTF-8"),
        (["--options", '{"switches":{},"switches":{}}'], "--options says 'switches' twice"),
        (["--options", '{"switches":{"R-99":false}}'], "There is no switch 'R-99'"),
        (["--options", '{"experienced_sniper":["A"],"experienced_defenders":["A"]}'], "contradict"),
    ],
)
def test_invalid_arguments_are_reported_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(*arguments) == 1
    out, err = capsys.readouterr()
    assert sentence in err
    assert "Traceback" not in err
    assert out == ""


def test_progress_bar_is_for_terminals_only() -> None:
    results = [Result(number, Ending(("sniper",), "objectives", 1), 1) for number in (1, 2)]
    terminal, file = Terminal(), io.StringIO()
    assert list(with_progress_bar(results, 2, terminal)) == results
    assert list(with_progress_bar(results, 2, file)) == results
    assert terminal.getvalue().endswith("2 of 2\n")
    assert file.getvalue() == ""


def test_help_names_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["arena", "--help"])
    text = capsys.readouterr().out
    assert all(name in text for name in bots.names(find("sniper-elite")))


def test_calling_process_keeps_no_match() -> None:
    list(play_match(match(board=maps.load("launch-facility")), 2, 2))
    assert processes._shared == []


@pytest.mark.parametrize("name", names())
def test_default_bot_is_strongest_without_search(name: str) -> None:
    game = find(name)
    for seat in game.seats(game.read_options(None)):
        ranked = bots.ranked(game, seat.name)
        levels = [bots.find(game, bot).level for bot in ranked]
        quick = [level for bot, level in zip(ranked, levels, strict=True) if level and not bots.find(game, bot).thinks]
        known = [LEVELS.index(level) for level in levels if level is not None]
        assert known == sorted(known)
        if known:
            assert bots.find(game, bots.strongest(game, seat.name)).level == quick[-1]
