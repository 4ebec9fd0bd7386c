"""What the house does for every game, done for the solo game: records, past games, statistics, bots, time-outs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from firmware_host.play.game import TableGame
from firmware_host.records import imports, record
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.past import PastGames
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.sentences import OUTCOMES
from tests.firmware_host.evening import PIN, take_over
from tests.firmware_host.test_games_cli import Built, House, play_on
from tests.games.sniper_elite_solo.test_on_board import Alone
from tests.past_pages import told as told_of

MAP = "submarine-pens"
OVER, NOW = 1, 2


def played(journal: Journal, seed: int, acts: int) -> TableGame:
    """A random solo game, in which acts are taken back."""
    options = GAME.read_options({"challenges": {"CH-2": "both"}})
    return play_on(TableGame.begin(GAME, maps.load(MAP), options, journal, Chance(Random(seed))), seed, acts)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A journal with a game that is over, and one that runs."""
    path = tmp_path_factory.mktemp("built") / FILE
    journal = Journal(path)
    over = played(journal, 3, 2000)
    assert over.over
    over.put_away()
    now = played(journal, 8, 20)
    journal.close()
    return path.read_bytes(), over, now


@pytest.fixture
def house(tmp_path: Path, built: Built, capsys: pytest.CaptureFixture[str]) -> House:
    return House(tmp_path, built, capsys)


# --- records and past games -------------------------------------------------------------------------------------


def test_every_act_of_a_record_follows_by_the_rules_here_and_at_another_table(house: House) -> None:
    code, said, error = house.games("verify")
    assert (code, error) == (0, "")
    assert said.startswith(f"Game {OVER}: the hash chain holds, and every act follows the rules.\n")
    file = house.exported()
    assert house.games("verify", str(file))[0] == 0
    house.state = house.folder / "other"
    assert house.games("import", str(file))[0] == 0
    code, said, error = house.games("verify")
    assert (code, error) == (0, "")
    assert "every act follows the rules" in said


def test_an_act_that_was_forged_is_found(house: House) -> None:
    file = house.exported()
    data = file.read_bytes()
    assert b'"die"' in data
    file.write_bytes(data.replace(b'"type":"end-turn"', b'"type":"loot"', 1))
    code, _, error = house.games("verify", str(file))
    assert code != 0
    assert "the hash chain does not hold" in error


def test_a_past_game_is_told_whole_and_the_running_one_without_its_secrets(house: House) -> None:
    code, said, _ = house.games("show", str(OVER))
    assert code == 0
    assert "(to sniper)" in said
    assert "taken back" in said
    for event in house.past.referee.told[REFEREE]:
        assert GAME.sentence(event) in said
    code, said, _ = house.games("show", str(NOW))
    sentences = [GAME.sentence(event) for event in house.now.referee.told[TABLE]]
    assert [line.strip() for line in said.splitlines()[2:]] == sentences


def test_past_games_are_listed_with_their_end_and_gone_through_step_by_step(house: House, built: Built) -> None:
    games = PastGames(house.state / FILE)
    now, over = games.listed(None)["games"]
    end = built[1].referee.truth.over
    assert (now["state"], now["game"]) == ("running", GAME.name)
    assert over["over"] == {"winner": end.winner, "reason": end.reason}
    assert over["outcome"] == OUTCOMES[end.reason]

    history = games.history(OVER, None)
    assert history.last == built[1].referee.pictures
    whole = told_of(games, OVER, None)
    assert all(step["views"][TABLE]["sniper"]["objectives"] is None for step in whole["steps"][:-1])
    assert all(step["views"][REFEREE]["sniper"]["objectives"] for step in whole["steps"][1:])
    assert json.dumps(whole["steps"])
    shown = [{cue.name for cue in history.cues(step)} for step in history.steps()]
    assert any("goal" in names for names in shown), "the hidden objectives are uncovered"
    assert any({"scanned", "searched", "attacked"} & names for names in shown), "news is shown in looking back too"


def test_a_record_is_kept_beside_a_game_that_runs(house: House, tmp_path: Path) -> None:
    name, data = PastGames(house.state / FILE).record(OVER, None)
    (tmp_path / "kept").mkdir()
    other = Journal(tmp_path / "kept" / FILE)
    running = played(other, 8, 10)
    number = imports.import_record(other, imports.checked(data))
    assert name.startswith(f"sniperboard-{MAP}-")
    assert record.read(data).entries
    assert told_of(PastGames(other.path), number, None)["state"] == "over"
    found = other.running()
    assert found is not None
    assert found.id == running.number
    other.close()


# --- statistics -------------------------------------------------------------------------------------------------


def test_the_arena_counts_solo_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", GAME.name, "--map", MAP, "--sniper", "random", "--games", "3", "--seed", "5"]
    assert main(["arena", *words, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) >= 3
    assert "defenders" in json.dumps(lines), "the side that nobody plays can win"


# --- bots and time-outs -----------------------------------------------------------------------------------------

PAUSE = 400


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[Alone]:
    """A bot plays the sniper, and nobody has to carry anything."""
    found = Alone(tmp_path, settle({"bot_pause_ms": PAUSE}), Chance(Random(4)))
    found.table.choose({"game": GAME.name})
    found.table.seating.seat_bot("sniper", "random")
    found.table.start({"game": GAME.name})
    found.table.board.use_sensors(True)
    yield found
    found.table.close()


def test_a_bot_plays_a_whole_game_at_a_pace_that_people_can_follow(watched: Alone) -> None:
    heard: list[float] = []
    count = len(watched.heard(TABLE))
    for _ in range(6000):
        if watched.sees(TABLE)["stage"] == "over":
            break
        watched.wait(100)
        assert watched.table.session.play is not None
        if count != (count := len(watched.table.session.play.referee.told[TABLE])):
            heard.append(watched.now)
    assert watched.sees(TABLE)["stage"] == "over"
    gaps = [later - earlier for earlier, later in pairwise(heard)]
    assert min(gaps[1:]) > PAUSE / 1000 - 0.101
    assert watched.board["state"] == "agreed"


def test_a_bot_waits_for_the_end_of_a_time_out(watched: Alone) -> None:
    watched.wait(3000)
    watched.table.session.pause(True, "Ada's phone")
    before = watched.heard(TABLE)
    watched.wait(60_000)
    assert watched.heard(TABLE) == before
    watched.table.session.pause(False, "Ada's phone")
    watched.wait(60_000)
    assert watched.heard(TABLE) != before


def acts(alone: Alone) -> str | None:
    """The code of the refusal of ending the turn; None if that was done."""
    try:
        alone.sniper({"type": "end-turn"})
    except UserError as error:
        return error.code
    return None


def test_in_a_time_out_nobody_acts_and_the_carries_go_on_after_it(tmp_path: Path) -> None:
    alone = Alone(tmp_path, chance=Chance(Random(3)))
    alone.enter_by_hand()
    alone.defenders_turn(3)
    orders = alone.orders()
    alone.table.session.pause(True, "Ada's phone")
    alone.wait(100)
    assert acts(alone) == "paused"
    assert alone.orders() == []
    alone.pull_the_plug()
    assert alone.sees(TABLE)["paused"] == "Ada's phone"
    alone.table.session.pause(False, "Ada's phone")
    alone.wait(1000)
    assert way(alone.orders()) == way(orders)
    alone.table.close()


def way(orders: list[Any]) -> set[tuple[str, str, str]]:
    """Who goes from where to where."""
    return {(order["unit"], order["from"], order["to"]) for order in orders}


def test_somebody_who_leaves_hands_the_seat_to_a_bot_and_comes_back_with_the_pin(tmp_path: Path) -> None:
    alone = Alone(tmp_path, settle({"bot_pause_ms": PAUSE}), Chance(Random(3)))
    alone.enter_by_hand()
    alone.table.seating.hand_over(alone.sniper_key, "random")
    before = alone.heard(TABLE)
    for _ in range(100):
        if alone.heard(TABLE) != before:
            break
        alone.wait(PAUSE // 4)
    assert alone.heard(TABLE) != before, "the bot goes on"
    alone.sniper_key = take_over(alone.table, "sniper", PIN, "Ada's tablet")
    before = alone.heard("sniper")
    alone.wait(10_000)
    assert alone.heard("sniper") == before
    assert alone.sees("sniper")["legal"]
    alone.table.close()
