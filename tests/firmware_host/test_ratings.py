"""Ratings: a published example, recovery of known ratings, and the pairings of each game."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.game import Ending
from firmware_host.app import cli
from firmware_host.core import maps
from games import find
from lab.arena import NORMAL_QUANTILE, Result
from lab.ratings import AVERAGE, ELO, Outcome, RatedBot, Ratings, count_outcomes, make_pairings, rate

ROOT = Path(__file__).resolve().parents[2]

BASEBALL = {
    "Milwaukee": "4-3 4-2 4-3 6-1 4-2 6-0",
    "Detroit": "3-3 4-2 4-3 6-0 6-1 4-3",
    "Toronto": "2-5 4-3 2-4 4-3 4-2 6-0",
    "New York": "3-3 5-1 2-5 4-3 4-2 6-1",
    "Boston": "5-1 2-5 3-3 4-2 5-2 6-0",
    "Cleveland": "2-5 3-3 3-4 4-3 4-2 2-4",
    "Baltimore": "2-5 1-5 1-6 2-4 1-6 3-4",
}
"""Team -> won and lost at home in 1987 against each other team, in this order (Agresti 2002, table 10.10)."""


def test_ratings_match_published_example() -> None:
    """The expected figures are those that the R package BradleyTerry2 prints, where Baltimore is 0, and its standard
    error.
    """
    played = [
        Outcome("at home", RatedBot(None, home), RatedBot(None, guest), *map(float, cell.split("-")))
        for home, row in BASEBALL.items()
        for guest, cell in zip([team for team in BASEBALL if team != home], row.split(), strict=True)
    ]
    found = rate(played, spread=1e6)
    points = {entry.bot: estimate.points for entry, estimate in found.entries.items()}
    assert {team: round((it - points["Baltimore"]) / ELO, 4) for team, it in points.items()} == {
        "Milwaukee": 1.6196,
        "Detroit": 1.4754,
        "Toronto": 1.3271,
        "New York": 1.2813,
        "Boston": 1.1438,
        "Cleveland": 0.7047,
        "Baltimore": 0.0,
    }
    home = found.advantages["at home"]
    assert home.points / ELO == pytest.approx(0.3023, abs=5e-5)
    assert (home.high - home.points) / NORMAL_QUANTILE / ELO == pytest.approx(0.1309, abs=5e-5)


SNIPERS = {"s1": 1700.0, "s2": 1450.0, "s3": 1350.0}
DEFENDERS = {"d1": 1600.0, "d2": 1400.0}
MAPS = {"one": 80.0, "two": -120.0}


def drawn(random: Random, games: int = 40) -> Ratings:
    """Return ratings from random games between bots whose true ratings are known."""
    played = []
    for place, one, other in product(MAPS, SNIPERS, DEFENDERS):
        chance = 1 / (1 + 10 ** ((DEFENDERS[other] - SNIPERS[one] - MAPS[place]) / 400))
        wins = sum(random.random() < chance for _ in range(games))
        played.append(Outcome(place, RatedBot("sniper", one), RatedBot("defenders", other), wins, games - wins))
    return rate(played)


def test_intervals_cover_true_ratings_95_percent_of_the_time() -> None:
    random, held, count = Random(1), Counter[str](), 300
    for _ in range(count):
        found = drawn(random)
        told = {entry.bot: estimate for entry, estimate in found.entries.items()} | found.advantages
        for name, true in (SNIPERS | DEFENDERS | MAPS).items():
            held[name] += told[name].low <= true <= told[name].high
        lead = found.leads.get(RatedBot("defenders", "d1"))
        held["lead"] += lead is not None and lead.low <= DEFENDERS["d1"] - DEFENDERS["d2"] <= lead.high
    assert all(0.91 <= times / count <= 0.985 for times in held.values()), held


def test_ratings_average_1500_and_are_sorted() -> None:
    found = drawn(Random(2)).entries
    assert [entry.bot for entry in found] == ["s1", "s2", "s3", "d1", "d2"]
    for seat in ("sniper", "defenders"):
        points = [estimate.points for entry, estimate in found.items() if entry.seat == seat]
        assert sum(points) / len(points) == pytest.approx(AVERAGE)


def test_undefeated_bot_has_finite_rating() -> None:
    one, other = RatedBot(None, "one"), RatedBot(None, "other")
    found = rate([Outcome("here", one, other, 10, 0), Outcome("here", other, one, 0, 10)]).entries
    assert found[one].points > 1700
    assert 400 < found[one].high - found[one].low < 1500


@pytest.mark.parametrize(
    ("winners", "score"), [(("player-1",), 1), (("player-2",), 0), ((), 0.5), (("player-1", "player-2"), 0.5)]
)
def test_draw_is_half_a_win(winners: tuple[str, ...], score: float) -> None:
    played = paired("stalingrad", names=["hasty", "careful"])[:1]
    (found,) = count_outcomes(played, [Result(1, Ending(winners, "over", 1), 1)], 1)
    assert (found.wins, found.losses) == (score, 1 - score)


def test_single_player_plays_against_the_game() -> None:
    played = paired("sniper-elite-solo", "launch-facility", ["steady", "careful"])
    assert [(it.first.bot, it.second.bot) for it in played] == [("steady", "the game"), ("careful", "the game")]
    over = [Result(1, Ending(("sniper",), "objectives", 1), 1), Result(1, Ending((), "wounds", 1), 1)]
    found = count_outcomes(played, over, 1)
    assert [it.wins for it in found] == [1, 0]
    assert [entry.bot for entry in rate(found).entries] == ["steady", "careful"]
    assert paired("sniper-elite-solo", "launch-facility", ["steady"])[0].match.seats == {"sniper": "steady"}


# --- pairings -----------------------------------------------------------------------------------------------------


def paired(game: str, board: str | None = None, names: list[str] | None = None, seed: int = 1) -> list[Any]:
    """Return the pairings of a game on one map or without, with default options."""
    found = find(game)
    drawn_map = maps.load(board) if board else None
    return make_pairings(found, [(drawn_map, maps.options_on(found, drawn_map, {}))], names or [], seed)


def test_bots_play_bots_of_the_other_side() -> None:
    seats = [tuple(it.match.seats.values()) for it in paired("sniper-elite", "launch-facility")]
    snipers, defenders = (
        ("straggler", "rambler", "skulker", "prowler", "random"),
        ("cadet", "recruit", "sentry", "warden", "random"),
    )
    assert seats == list(product(snipers, defenders))


def test_bots_for_any_seat_play_each_other_on_both_sides() -> None:
    seats = [tuple(it.match.seats.values()) for it in paired("stalingrad")]
    names = ("conscript", "hasty", "careful", "random")
    assert seats == [pair for pair in product(names, names) if pair[0] != pair[1]]


def test_pairings_have_independent_seeds() -> None:
    every, few = paired("stalingrad"), paired("stalingrad", names=["hasty", "random"])
    assert len({it.match.seed for it in every}) == len(every)
    assert {it.match.seed for it in few} < {it.match.seed for it in every}
    assert not {it.match.seed for it in paired("stalingrad", seed=2)} & {it.match.seed for it in every}


# --- the command ------------------------------------------------------------------------------------------------


def asked(*arguments: str) -> int:
    """Run `sniperboard ratings` with these arguments."""
    return cli.main(["ratings", "--jobs", "1", "--games", "1", *arguments])


def test_command_rates_every_bot(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("--game", "stalingrad") == 0
    out, err = capsys.readouterr()
    assert out.startswith("Stalingrad, 12 games, 1 of each pairing, from seed 1:\n  any seat     ")
    assert all(f"  any seat     {name:<12} " in out for name in ("conscript", "hasty", "careful", "random"))
    assert "  lead of player-1 over player-2, in points:\n  stalingrad   " in out
    assert err == ""


def test_seed_of_pairing_reproduces_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("--game", "stalingrad", "--bots", "hasty", "careful", "--games", "3", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["type"] for line in lines] == ["pairing"] * 2 + ["rating"] * 2 + ["advantage", "summary"]
    first = lines[0]
    seats = [word for seat, bot in first["bots"].items() for word in (f"--{seat}", bot)]
    again = ["arena", "--game", "stalingrad", "--games", "3", "--jobs", "1", "--seed", str(first["seed"]), "--json"]
    assert cli.main([*again, *seats]) == 0
    *games, _ = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    winners = [{it["winner"]} if it["winner"] else set(it["winners"]) for it in games]
    score = sum((1 + ("player-1" in it) - ("player-2" in it)) / 2 for it in winners)
    assert score == first["score"]


def test_race_is_rated_on_board_for_two(capsys: pytest.CaptureFixture[str]) -> None:
    assert asked("--game", "snipers-and-assassins", "--bots", "rookie", "racer", "--json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["map"] for line in lines if "map" in line} == {"pathways-2"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--bots", "prowlr"], "There is no bot 'prowlr'; known are "),
        (["--bots", "prowler", "skulker"], "No two of these bots can play each other: name more of them"),
        (["--game", "stalingrad", "--bots", "hasty"], "No two of these bots can play each other: name more of them"),
        (["--map", "moon"], "moon: there is no such map."),
        (["--games", "0"], "--games and --jobs are whole numbers from 1 on."),
        (["--options", "{"], "--options is not JSON"),
        (["--on", "moon"], "There is no place 'moon' to play on"),
        (
            ["--game", "snipers-and-assassins", "--map", "pathways-3"],
            "Ratings compare two sides, and pathways-3 has 3 sides here: choose a map or --options with one or two.",
        ),
        (
            ["--game", "stalingrad", "--options", '{"players": 4}'],
            "Ratings compare two sides, and stalingrad has 4 sides",
        ),
        (
            ["--game", "stalingrad", "--options", '{"players": 1}'],
            "Stalingrad alone is played for a score, and is not won or lost: let two play.",
        ),
    ],
)
def test_invalid_arguments_are_reported_in_a_sentence(
    arguments: list[str], sentence: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert asked(*arguments) == 1
    out, err = capsys.readouterr()
    assert sentence in err
    assert (out, err.count("\n")) == ("", 1)


def test_missing_extra_is_reported() -> None:
    words = "import sys; sys.modules['scipy'] = None; from firmware_host.app.cli import main; sys.exit(main())"
    found = subprocess.run([sys.executable, "-c", words, "ratings"], cwd=ROOT, capture_output=True, text=True)
    assert (found.returncode, found.stdout) == (1, "")
    assert found.stderr == (
        "Ratings need SciPy, which is not installed. Install the extra `ratings`: pip install -e '.[ratings]' "
        "in the project's folder.\n"
    )


def test_table_does_not_import_packages_of_extras_for_games() -> None:
    words = (
        "import sys, firmware_host.app.cli as cli, firmware_host.app.daemon; cli.parser(); "
        "print(*{'numpy', 'scipy', 'dask', 'distributed', 'cloudpickle', 'yaml', 'psutil'} & sys.modules.keys())"
    )
    found = subprocess.run([sys.executable, "-c", words], cwd=ROOT, capture_output=True, text=True, check=True)
    assert found.stdout == "\n"


def test_points_are_on_elo_scale() -> None:
    """400 points are ten to one, and the lead over the next is the difference."""
    one, other = RatedBot(None, "one"), RatedBot(None, "other")
    found = rate([Outcome("here", one, other, 1000, 100), Outcome("here", other, one, 100, 1000)], spread=1e6)
    assert found.entries[one].points - found.entries[other].points == pytest.approx(400)
    assert found.leads.keys() == {one}
    assert found.leads[one].points == pytest.approx(400)
    assert found.advantages["here"].points == pytest.approx(0, abs=1e-6)
