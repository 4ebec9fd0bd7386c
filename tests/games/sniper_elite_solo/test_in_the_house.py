"""The table's functions with the solo game: records, past games, statistics, bots, time-outs."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.past import PastGames
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.sentences import OUTCOMES
from tests.firmware_host.test_games_cli import play_on
from tests.games.sniper_elite_solo.alone import Alone, carries
from tests.past_pages import told as told_of

MAP = "submarine-pens"
OVER = 1


def played(journal: Journal, seed: int, acts: int) -> TableGame:
    """Return a random solo game in which some acts are taken back."""
    options = GAME.read_options({"challenges": {"CH-2": "both"}})
    return play_on(TableGame.begin(GAME, maps.load(MAP), options, journal, Chance(Random(seed))), seed, acts)


# --- records and past games -------------------------------------------------------------------------------------


def test_past_games_are_listed_and_shown_step_by_step(tmp_path: Path) -> None:
    journal = Journal(tmp_path / FILE)
    past = played(journal, 3, 2000)
    past.put_away()
    played(journal, 8, 20)
    journal.close()
    games = PastGames(tmp_path / FILE)
    now, over = games.listed()["games"]
    end = past.referee.truth.over
    assert (now["state"], now["game"]) == ("running", GAME.name)
    assert over["over"] == {"winner": end.winner, "reason": end.reason}
    assert over["outcome"] == OUTCOMES[end.reason]

    history = games.moment(OVER, 0)[0]
    assert history.last == past.referee.pictures
    whole = told_of(games, OVER)
    assert all(step["views"][TABLE]["sniper"]["objectives"] is None for step in whole["steps"][:-1])
    assert all(step["views"][REFEREE]["sniper"]["objectives"] for step in whole["steps"][1:])
    assert json.dumps(whole["steps"])
    shown = [{cue.name for cue in history.cues(step)} for step in history.steps()]
    assert any("goal" in names for names in shown), "the hidden objectives are uncovered"
    assert any({"scanned", "searched", "attacked"} & names for names in shown), "news is also shown in past games"


# --- statistics -------------------------------------------------------------------------------------------------


def test_arena_counts_solo_games(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--game", GAME.name, "--map", MAP, "--sniper", "random", "--games", "3", "--seed", "5"]
    assert main(["arena", *words, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) >= 3
    assert "defenders" in json.dumps(lines), "the automated side can win"


# --- bots and time-outs -----------------------------------------------------------------------------------------


def test_time_out_refuses_acts_and_keeps_the_orders(tmp_path: Path) -> None:
    alone = Alone(tmp_path, chance=Chance(Random(3)))
    alone.enter_by_hand()
    alone.defenders_turn(3)
    orders = alone.orders()
    alone.table.session.pause(True, "Ada's phone")
    alone.wait(100)
    with pytest.raises(UserError) as caught:
        alone.sniper({"type": "end-turn"})
    assert caught.value.code == "paused"
    assert alone.orders() == []
    alone.pull_the_plug()
    assert alone.sees(TABLE)["paused"] == "Ada's phone"
    alone.table.session.pause(False, "Ada's phone")
    alone.wait(1000)
    assert carries(alone.orders()) == carries(orders)
    alone.table.close()
