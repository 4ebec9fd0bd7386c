"""Missions: what a file may contain, which game is one, its stars, and what a person has reached with them."""

from __future__ import annotations

import logging
from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from engine.chance import Chance
from firmware_host.core import bots, data_files, installed, maps, missions
from firmware_host.core.data_files import DataFileError, Star
from firmware_host.core.remembered import Remembered
from firmware_host.play.ending import results_of
from firmware_host.play.game import TableGame
from firmware_host.records import results
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.results import Career, Result
from firmware_host.seats.players import BotPlayer
from games import find
from lab.authoring.missions import faults_of, mission_ending

GAME = find("sniper-elite")
WHOLE = """
title = "A mission"
about = "The briefing."
goal = "Win."
seat = "sniper"
map = "launch-facility"
bots = { defenders = "cadet" }
options = { experienced_sniper = ["D"] }

[[star]]
say = "Quickly."
least = { left = 3 }

[[star]]
say = "Unhurt."
most = { wounds = 0 }
"""


def written(folder: Path, text: str, name: str = "one") -> Path:
    """Write a mission's file into the folder of a game."""
    path = folder / "a_game" / "missions" / f"{name}.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def mission_of(folder: Path, text: str = WHOLE) -> missions.Mission:
    return missions.read_mission(GAME, written(folder, text))


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('goal = "Win."', "", "missing required field `goal`"),
        ('seat = "sniper"', 'seat = "snipper"', "name one of sniper, defenders as the seat"),
        ("defenders =", "sniper =", "a bot for each other seat"),
        ('"cadet"', '"prowler"', "'prowler' cannot play for the defenders"),
        ('"cadet"', '"cadett"', "Did you mean 'cadet'"),
        ('map = "launch-facility"', 'map = "launch-facilty"', "Did you mean launch-facility"),
        ('["D"]', '["Z"]', "options cannot be read"),
        ("[[star]]", '[[star]]\nsay = "More."\n\n[[star]]', "at most 2"),
    ],
)
def test_faulty_mission_is_reported_in_a_sentence(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(DataFileError) as error:
        mission_of(tmp_path, WHOLE.replace(old, new))
    assert str(error.value).startswith("a_game/missions/one.toml: ")
    assert sentence in str(error.value)


def test_faulty_mission_is_left_out_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, WHOLE)
    written(tmp_path, "title = 1", "two")
    monkeypatch.setattr(data_files, "game_folder", lambda name: tmp_path / "a_game")
    monkeypatch.setattr(missions, "REMEMBERED", Remembered())
    with caplog.at_level(logging.ERROR):
        assert [it.name for it in missions.of_game("sniper-elite")] == ["one"]
    assert "a_game/missions/two.toml" in caplog.text


def test_game_is_a_mission_by_what_is_played() -> None:
    first = missions.of_game("sniper-elite")[0]
    playing = {**first.plan.bots}
    assert missions.fitting(GAME, first.board, first.options, playing) is first
    other = maps.load("submarine-pens")
    for board, options, others in (
        (other, first.options, playing),
        (first.board, replace(first.options, experienced_sniper=("B",)), playing),
        (first.board, first.options, {"defenders": "warden"}),
        (first.board, first.options, {}),
    ):
        assert missions.fitting(GAME, board, options, others) is None


def test_game_without_a_folder_has_no_missions() -> None:
    assert missions.of_game("made in memory") == ()


def test_stars_need_every_number(tmp_path: Path) -> None:
    mission = mission_of(tmp_path)
    assert mission.stars({"left": 3, "wounds": 0}) == (True, True, True)
    assert mission.stars({"left": 2, "wounds": 1}) == (True, False, False)
    assert mission.stars({}) == (True, False, False), "a count that a game doesn't have is never reached"


def test_career_counts_games_won_alone_against_bots() -> None:
    def game(number: int, *players: tuple[str, bool, str], stars: tuple[bool, ...] = ()) -> list[Result]:
        mission = "one" if stars else ""
        return [
            Result(number, "toy", f"seat {at}", name, won, bot, *(() if bot else (mission, stars if won else ())))
            for at, (name, won, bot) in enumerate(players)
        ]

    kept = [
        *game(1, ("Ada", True, ""), ("", False, "easy"), stars=(True, False, True)),
        *game(2, ("Ada", True, ""), ("", False, "easy"), stars=(True, True, False)),
        *game(3, ("Ada", False, ""), ("", True, "hard"), stars=(True, True, True)),
        *game(4, ("Ada", True, ""), ("Bo", False, ""), ("", False, "hard")),
        *game(5, ("", True, ""), ("", False, "hard")),
        *game(6, ("Ada", True, ""), ("", False, "easy"), ("", True, "hard")),
    ]
    assert results.career(kept, "Ada") == Career({"toy": {"easy": 3}}, {"toy": {"one": (True, True, True)}})
    assert results.career(kept, "Bo") == results.career(kept, "") == Career()


def test_win_against_a_bot_with_a_handicap_is_no_step_on_the_ladder(tmp_path: Path) -> None:
    """Otherwise the weakest player would climb to the top: with all four handicaps, the last rung often loses."""
    journal = Journal(tmp_path / FILE)
    for number, given in enumerate(({"experienced_defenders": ["B"]}, {"experienced_sniper": ["B"]}, {}), 1):
        options = GAME.read_options(given)
        play = TableGame.begin(GAME, maps.load("launch-facility"), options, journal, Chance(Random(1)))
        ada, marshal = results_of(play, [("sniper", "Ada")], {"defenders": "marshal"})
        assert (ada.handicapped, marshal.handicapped) == (
            "experienced_sniper" in given,
            "experienced_defenders" in given,
        )
        won = [replace(ada, number=number, won=True), replace(marshal, number=number, won=False)]
        first = [str(it) for it in results.achievements([*results.read_results(journal), *won], won[0])]
        assert ("First win against 'marshal'." in first) == (number == 2)
        results.add(journal, number, won)
        beaten = {"marshal": number - 1} if number > 1 else {}
        assert results.career(results.read_results(journal), "Ada").beaten == {"sniper-elite": beaten}
    journal.close()


def test_campaign_has_ten_different_missions_on_both_sides_and_maps() -> None:
    found = missions.campaign()
    assert len(found) == 10
    assert {it.plan.seat for it in found} == {"sniper", "defenders"}
    assert {it.plan.map for it in found} == {"launch-facility", "submarine-pens"}
    assert {it.game.name for it in found} == {"sniper-elite", "sniper-elite-solo"} <= {*installed.names()}


def test_check_of_a_game_finds_same_games_and_unknown_counts(tmp_path: Path) -> None:
    mission = mission_of(tmp_path)
    assert [*faults_of(mission, [])] == []
    plan = replace(mission.plan, star=(Star("Eat.", least={"apples": 1}),))
    (twin, unknown) = faults_of(missions.Mission("two", GAME, plan), [mission])
    assert "same game as one" in twin
    assert "'apples'" in unknown and "Shots" in unknown


def test_first_mission_is_won_by_a_quick_bot() -> None:
    first = missions.of_game("sniper-elite")[0]
    tried = mission_ending(first, "prowler", 1)
    assert tried.won
    assert first.stars(tried.counts) == (True, True, True)


@pytest.mark.nightly
@pytest.mark.parametrize("mission", missions.campaign(), ids=lambda mission: f"{mission.game.name}-{mission.name}")
def test_every_mission_can_be_won_with_each_star(mission: missions.Mission) -> None:
    """Some bot wins within 24 games, and each star is earned in one of them."""
    seat = mission.plan.seat
    names = [name for name in bots.ranked(mission.game, seat) if not bots.find(mission.game, name).thinks]
    missing = {*range(1 + len(mission.plan.star))}
    for number in range(1, 25):
        for name in reversed(names):
            tried = mission_ending(mission, name, number)
            missing -= {at for at, met in enumerate(mission.stars(tried.counts)) if tried.won and met}
            if not missing:
                return
    raise AssertionError(f"no bot earned the stars {missing}")


def test_stars_of_a_played_mission_are_part_of_its_result(tmp_path: Path) -> None:
    mission = missions.of_game("sniper-elite")[0]
    journal = Journal(tmp_path / FILE)
    play = TableGame.begin(GAME, mission.board, mission.options, journal, Chance(Random(1)))
    seats = {"sniper": "prowler", **mission.plan.bots}
    blank = GAME.blank(mission.board, mission.options)
    players = {seat: BotPlayer(bot, GAME, seat, blank[seat], Chance(Random(seat))) for seat, bot in seats.items()}
    assert [it.mission for it in results_of(play, [("sniper", "Ada")], mission.plan.bots)] == [mission.name, ""]
    while not play.over:
        seat = play.referee.to_act[0]
        play.act(seat, players[seat].ask(play.referee))
    ada, cadet = results_of(play, [("sniper", "Ada")], mission.plan.bots)
    assert (ada.won, ada.mission, ada.stars) == (True, mission.name, (True, True, True))
    assert (cadet.mission, cadet.stars) == ("", ())
    results.add(journal, play.number, [ada, cadet])
    found = results.mission_facts(results.read_results(journal))
    assert found is not None
    assert (found["name"], found["met"]) == (mission.name, (True, True, True))
    assert found["next"] == missions.of_game("sniper-elite")[1].facts()
    assert results.career(results.read_results(journal), "Ada").beaten == {"sniper-elite": {"cadet": 1}}
    journal.close()


def test_handicap_is_stored_under_its_former_name() -> None:
    result = results.Result(1, "sniper-elite", "sniper", "Ada", True, handicapped=True)
    stored = msgspec.to_builtins(result)
    assert stored["hampered"] is True
    assert msgspec.convert(stored, results.Result) == result
