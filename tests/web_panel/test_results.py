"""Results of finished games: figures, winners and totals, and how the admin clears them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from engine.text import Text, and_list
from firmware_host.records import results
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.results import MOST_RESULTS, Result
from firmware_host.seats.pins import hash_for, new_salt
from tests.web_panel.conftest import Panel
from tests.web_panel.endings import play_out, walk_to_the_end
from tools.showroom import PIN


def result(number: int, name: str = "Ada", won: bool | None = True, game: str = "sniper-elite") -> Result:
    return Result(number, game, "sniper", name, won)


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / FILE)


def test_game_is_counted_once_and_the_oldest_are_dropped_first(journal: Journal) -> None:
    results.add(journal, 1, [result(1), result(1, "Bo", won=False)])
    results.add(journal, 1, [result(1, "Cy")])
    assert [it.name for it in results.read_results(journal)] == ["Ada", "Bo"]

    results.add(journal, 2, [result(2, f"guest {number}") for number in range(MOST_RESULTS - 1)])
    assert {it.number for it in results.read_results(journal)} == {2}

    results.forget(journal)
    assert results.read_results(journal) == ()


def test_games_of_others_do_not_displace_what_a_person_has_reached(journal: Journal) -> None:
    """Without people at the table, anyone may start games of bots, or play alone, as often as they like."""
    results.add(journal, 1, [result(1), *seats_of_bots(1, 1)])
    for number in range(2, 16):
        results.add(journal, number, seats_of_bots(number, 100))
        assert {it.number for it in results.read_results(journal)} >= {1, number}
    for number in range(16, 32):
        results.add(journal, number, [result(number, "Eve"), *seats_of_bots(number, 99)])
    assert results.career(results.read_results(journal), "Ada").beaten == {"sniper-elite": {"careful": 1}}
    assert MOST_RESULTS - 100 < len(results.read_results(journal)) <= MOST_RESULTS


def test_games_under_new_names_do_not_displace_what_people_have_reached_on_other_days(tmp_path: Path) -> None:
    """A name costs nothing: each of these games has people of its own."""
    day = 1

    def now() -> float:
        return day * 86_400.0

    journal = Journal(tmp_path / FILE, now)
    for number in range(2, 12):
        day = number // 2
        results.add(journal, number, [result(number, ("Ada", "Bo")[number % 2]), *seats_of_bots(number, 5)])
    day = 6
    for number in range(100, 112):
        results.add(journal, number, [result(number, f"guest {number}"), *seats_of_bots(number, 99)])

    kept = results.read_results(journal)
    assert {it.number for it in kept} > {*range(2, 12), 111}
    assert [results.career(kept, name).beaten for name in ("Ada", "Bo")] == [{"sniper-elite": {"careful": 5}}] * 2
    assert len(kept) <= MOST_RESULTS


def test_games_under_new_names_do_not_displace_results_of_earlier_versions(journal: Journal) -> None:
    known = [it for number in range(2, 82) for it in (result(number, "Ada"), *seats_of_bots(number, 9))]
    journal.store_value("results", msgspec.to_builtins(known))  # without the day
    for number in range(100, 112):
        results.add(journal, number, [result(number, f"guest {number}"), *seats_of_bots(number, 99)])

    kept = {it.number for it in results.read_results(journal)}
    assert kept == {*range(2, 82), 110, 111}


def seats_of_bots(number: int, seats: int) -> list[Result]:
    """Return the results of bots."""
    return [Result(number, "sniper-elite", f"bots {seat}", "", False, "careful") for seat in range(seats)]


def test_results_of_another_version_cause_no_error(journal: Journal) -> None:
    journal.store_value(results.RESULTS_KEY, {"Ada": 3})
    assert results.read_results(journal) == ()
    results.add(journal, 1, [result(1)])
    assert [it.name for it in results.read_results(journal)] == ["Ada"]


def test_games_of_same_kind_count_up_to_shown_one() -> None:
    kept = [result(1), result(2, won=False), result(3, game="race"), result(4, "Bo"), result(5), result(6)]
    assert results.person_counts(kept, kept[4]) == {"played": 3, "won": 2}
    both_seats = [result(1, won=True), result(1, won=False)]
    assert results.person_counts(both_seats, both_seats[0]) == {"played": 1, "won": 1}


def test_achievements_compare_a_game_with_earlier_ones_of_the_same_person() -> None:
    def against(number: int, bot: str, won: bool = True, seat: str = "sniper") -> list[Result]:
        return [Result(number, "toy", seat, "Ada", won), Result(number, "toy", "bots", "", not won, bot)]

    kept = [*against(1, "easy", won=False), *against(2, "easy"), *against(3, "hard"), *against(4, "hard")]
    kept += [*against(5, "easy", seat="defenders"), *against(6, "easy", won=False), result(7, game="toy")]
    found = {it.number: [*map(str, results.achievements(kept, it))] for it in kept if it.seat == "sniper" and it.name}
    assert found == {
        1: [],
        2: ["First win in this game.", "First win against 'easy'."],
        3: ["First win against 'hard'."],
        4: ["3 wins in a row."],
        6: [],
        7: [],
    }
    (fifth,) = (it for it in kept if it.seat == "defenders")
    assert [*map(str, results.achievements(kept, fifth))] == [
        "First win on this side.",
        "4 wins in a row.",
        "5 games played.",
    ]


def test_outcome_names_people_in_place_of_their_seats() -> None:
    first, second, third = (Text("player {which}", which=str(number)) for number in (1, 2, 3))
    sides = {"player-1": first, "player-2": second, "player-3": third}
    kept = [
        Result(1, "race", "player-1", "Ada", True),
        Result(1, "race", "player-2", "", False, bot="rookie"),
        Result(1, "race", "player-3", "", True),
        Result(2, "race", "player-2", "Bo", True),
    ]

    def told(outcome: Text) -> str:
        return str(results.with_players(kept, {"number": 1, "sides": sides, "outcome": outcome})["outcome"])

    assert told(Text("{seat} wins!", seat=first)) == "Ada wins!"
    assert told(Text("{seat} wins!", seat=second)) == "Player 2 wins!"
    assert told(Text("{seat} wins!", seat=Text("the {name}", name=first))) == "Ada wins!"
    assert told(Text("{seat} wins!", seat=Text("the {name}", name=second))) == "The player 2 wins!"
    assert told(Text("They share the win: {seats}.", seats=and_list([first, third]))) == (
        "They share the win: Ada and player 3."
    )
    kept.append(Result(1, "race", "player-1", "Cy", True))
    assert told(Text("{seat} wins!", seat=first)) == "Ada and Cy wins!"


def test_person_is_the_same_in_every_spelling_of_the_name(panel: Panel) -> None:
    spellings = ["Zo\u00eb", "Zoe\u0308", "ZO\u00cb", "\uff3ao\u00eb"]
    kept = [it for number, name in enumerate(spellings, 1) for it in (result(number, name), *seats_of_bots(number, 1))]
    assert results.person_counts(kept, kept[-2]) == {"played": 4, "won": 4}
    assert "4 wins in a row." in map(str, results.achievements(kept, kept[-2]))
    for name in spellings:
        assert results.career(kept, name).beaten == {"sniper-elite": {"careful": 4}}
        assert results.Wanted(player=name, won=True).fits(1, "sniper-elite", kept)
    panel.loop.call(lambda table: table.journal.store_value(results.RESULTS_KEY, kept))
    assert len(panel.browser().get("/api/games").json["people"]) == 1


def test_win_is_none_over_a_bot_if_a_seat_has_changed_hands() -> None:
    def against(number: int, changed: bool) -> list[Result]:
        bot = Result(number, "toy", "bots", "", False, "easy", changed=changed)
        return [Result(number, "toy", "sniper", "Ada", True, changed=changed), bot]

    kept = [*against(1, True), *against(2, False)]
    assert [*map(str, results.achievements(kept, kept[0]))] == ["First win in this game."]
    assert [*map(str, results.achievements(kept, kept[2]))] == ["First win against 'easy'."]
    assert results.career(kept, "Ada").beaten == {"toy": {"easy": 1}}
    assert results.uncounted(kept[2:]) is None
    assert "The players changed" in str(results.uncounted(kept[:2]))


def test_list_is_restricted_to_a_game_a_person_their_wins_or_bots(panel: Panel) -> None:
    play_out(panel.company)
    play_out(panel.company)
    people = [("Ada", False), ("Bo", True)]
    kept = [Result(n, "sniper-elite", "sniper", *people[n - 1], "") for n in (1, 2)]
    panel.loop.call(
        lambda table: table.journal.store_value(results.RESULTS_KEY, [*kept, Result(2, "x", "y", "", True, "Ada")])
    )

    def numbers(query: str) -> list[int]:
        answer = panel.browser().get(f"/api/games?{query}").json
        assert [kind["name"] for kind in answer["kinds"]] == ["sniper-elite"]
        assert answer["people"] == ["Ada", "Bo"]
        return [game["number"] for game in answer["games"]]

    assert numbers("") == numbers("game=sniper-elite") == numbers("result=won") == [2, 1]
    assert numbers("game=race") == numbers("player=Cy") == numbers("player=Ada&result=won") == []
    assert (numbers("player=Ada"), numbers("player=Bo&result=won")) == ([1], [2])
    assert (numbers("with=people"), numbers("with=bots"), numbers("with=bots&player=Ada")) == ([1], [2], [])
    assert panel.browser().get("/api/games/older/2?player=Bo").json["games"] == []


def test_finished_game_has_figures_and_running_one_does_not(panel: Panel) -> None:
    panel.company.sit_down()
    panel.company.start(random_setup=True)
    panel.company.act("sniper", panel.company.legal("sniper", "choose-entry")[0])
    stranger = panel.browser()
    running = stranger.get("/api/games/1/ending")
    assert (running.status_code, running.json["error"]["code"]) == (409, "not-over")
    assert "figures" not in running.text

    walk_to_the_end(panel.company)
    ending = stranger.get("/api/games/1/ending").json
    walked = next(it["number"] for it in ending["figures"] if it["label"] == "Spaces the sniper walked")
    assert walked >= ending["rounds"]
    assert {it["label"]: it["number"] for it in ending["figures"]}["Shots"] == 0
    assert [(it["seat"], it["won"], it["history"]) for it in ending["players"]] == [
        ("sniper", False, {"played": 1, "won": 0}),
        ("defenders", True, {"played": 1, "won": 1}),
    ]
    assert {it["name"] for it in ending["players"]} <= {
        it["device"] for seat in stranger.get("/api/lobby").json["seats"].values() for it in seat["devices"]
    }


def test_guest_is_among_the_players_of_a_game_but_has_no_history(panel: Panel) -> None:
    panel.company.keys["defenders"] = panel.interface.claim("defenders", PIN, "Bo")
    pin = hash_for(PIN, [new_salt()])
    alone = panel.loop.call(lambda table: table.seating.claims.claim("sniper", pin, "", (), alone=True))
    panel.company.keys["sniper"] = alone
    play_out(panel.company)
    stranger = panel.browser()
    ending, listed = stranger.get("/api/games/1/ending").json, stranger.get("/api/games").json
    both = [("sniper", "", False), ("defenders", "Bo", True)]
    assert [(it["seat"], it["name"], it["won"]) for it in ending["seated"]] == both
    assert [it["name"] for it in ending["players"]] == ["Bo"]
    assert [it["name"] for it in listed["games"][0]["players"]] == ["", "Bo"]
    assert listed["people"] == ["Bo"]


def test_admin_clears_the_results_and_keeps_the_games(panel: Panel) -> None:
    play_out(panel.company)
    keeper = panel.keeper_browser()
    assert keeper.get("/api/games/1/ending").json["players"] != []
    assert keeper.post("/api/replay", game=1, step=1).json == {"ok": True}
    assert keeper.post("/api/house/forget-results").json == {"ok": True}
    assert keeper.get("/api/picture/table").json["replay"] is None, "a replay can show names"
    ending = keeper.get("/api/games/1/ending").json
    assert ending["players"] == []
    assert ending["figures"] != []


def test_power_failure_after_the_last_act_loses_no_result(tmp_path: Path) -> None:
    panel = Panel(tmp_path)
    play_out(panel.company)
    panel.loop.call(lambda table: results.forget(table.journal))
    panel.stop()
    panel = Panel(tmp_path)
    players = panel.browser().get("/api/games/1/ending").json["players"]
    panel.stop()
    assert [(it["seat"], it["won"]) for it in players] == [("sniper", False), ("defenders", True)]


def test_career_and_campaign_are_for_everyone(panel: Panel) -> None:
    kept = [
        Result(1, "sniper-elite", "sniper", "Ada", True, mission="1-first-steps", stars=(True, False, True)),
        Result(1, "sniper-elite", "defenders", "", False, "cadet"),
    ]
    panel.loop.call(lambda table: table.journal.store_value(results.RESULTS_KEY, kept))
    someone = panel.browser()
    assert someone.get("/api/career?name=Ada").json == {
        "beaten": {"sniper-elite": {"cadet": 1}},
        "stars": {"sniper-elite": {"1-first-steps": [True, False, True]}},
    }
    assert someone.get("/api/career").json == {"beaten": {}, "stars": {}}
    first = next(iter(someone.get("/api/campaign").json["missions"]))
    started = {name: first[name] for name in ("seat", "game", "map", "options", "bots")}
    assert someone.post("/api/play-now", device="Ada", **started).json == {"ok": True}
