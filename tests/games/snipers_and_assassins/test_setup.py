"""BRD and SET: boards, starts, Targets, Leaders, the deal, and the options of a game."""

from __future__ import annotations

from collections import Counter

import pytest

from games.snipers_and_assassins import GAME
from tests.games.protocol_client import AnswerError, Json, kinds, seat
from tests.games.snipers_and_assassins.table import Table, new, playing

RULE = pytest.mark.rule
CORE = Counter(scope=5, drop=4, spring=4, armor=5)
BOX = CORE + Counter(mask=3, reload=3, pads=2, spike=2)


def fails(options: Json, players: int = 2) -> tuple[str, str | None]:
    """Return the error for a new game with these options."""
    with pytest.raises(AnswerError) as found:
        new(players, **options)
    return found.value.code, found.value.rule


def cards(table: Table) -> Counter[str]:
    """Return all cards of a game, wherever they are."""
    state = table.state()
    held = [player["improvement"] for player in state["players"].values() if player["improvement"]]
    return Counter([*held, *state["deck"], *state["discard"]])


@pytest.mark.parametrize("players", range(2, 7))
@RULE("SA-BRD-04", "SA-R-65", "SA-SET-01")
def test_each_number_of_players_has_its_board_and_seats(players: int) -> None:
    table = new(players)
    assert list(table.state()["players"]) == [seat(number) for number in range(1, players + 1)]
    assert len(table.ask("map", map=f"pathways-{players}")["spaces"]) == 14 * (players + 2)
    with pytest.raises(AnswerError) as found:
        table.ask("view", seat=seat(players + 1))
    assert found.value.code == "not-understood"
    assert table.refused(players + 1, "end-turn") is None


@RULE("SA-R-65", "SA-BRD-04")
def test_board_is_for_its_own_number_of_players() -> None:
    assert fails({"players": 3}) == ("refused", "SA-BRD-04")
    assert fails({"players": 7}, 6) == ("refused", "SA-BRD-04")
    assert fails({"players": 1}) == ("refused", "SA-BRD-04")
    assert fails({"players": "2"}) == ("not-understood", None)
    assert fails({"players": 3, "first": "player-3"}) == ("not-understood", None), "unknown names are reported first"
    assert fails({"players": 7, "first": "player-7"}, 6) == ("not-understood", None)
    new(2, players=2)
    new(4, players=None)


@RULE("SA-BRD-04")
def test_unknown_names_are_reported_before_a_wrong_board() -> None:
    for position, code in (({"turn": "player-3"}, "not-understood"), ({"turn": "player-2"}, "refused")):
        with pytest.raises(AnswerError) as found:
            Table().ask("position", game=GAME.name, map="pathways-2", options={"players": 3}, position=position, seed=1)
        assert found.value.code == code


@RULE("SA-SET-06", "SA-SET-07", "SA-R-48", "SA-R-63", "SA-D-01")
def test_game_for_two_starts_with_the_deal() -> None:
    deck = ["scope", "drop", "pads"]
    table = new(2, chance=[["improvements", deck], ["first", "player-2"]])
    events = table.ask("events", seat="table")
    assert events == [
        {"type": "deck-shuffled", "count": 28},
        {"type": "improvement-drawn", "seat": "player-1", "card": "scope"},
        {"type": "improvement-drawn", "seat": "player-2", "card": "drop"},
        {"type": "turn-started", "seat": "player-2", "round": 1},
    ]
    state = table.state()
    assert state["deck"][0] == "pads"
    assert (state["turn"], state["first"], state["round"], state["setup"]) == ("player-2", "player-2", 1, None)
    assert cards(table) == BOX
    assert all(table.ask("view", seat=viewer)["deck"] == 26 for viewer in ("player-1", "player-2", "table"))


@RULE("SA-SET-05", "SA-R-63", "SA-SET-02")
def test_three_players_choose_starts_then_targets_then_leaders() -> None:
    table = new(3)
    assert table.ask("events", seat="table") == []
    state = table.state()
    assert (state["setup"], state["turn"], state["first"], state["deck"]) == ("start", "player-1", None, None)
    assert table.ask("view", seat="table")["deck"] is None
    assert len(table.offered(1)) == 10
    assert table.offered(2) == []
    assert table.act(1, "choose-start", space="BR") == [{"type": "start-chosen", "seat": "player-1", "space": "BR"}]
    assert (table.at("S1"), table.at("A1")) == ("BR", "BR")
    table.act(2, "choose-start", space="AL")
    table.act(3, "choose-start", space="EL")
    assert table.state()["setup"] == "target"
    for number, hunted in ((1, 2), (2, 3), (3, 1)):
        table.act(number, "choose-target", seat=seat(hunted))
    assert table.state()["setup"] == "leader"
    assert len(table.offered(1)) == 7
    table.act(1, "place-leader", space="AR")
    table.act(2, "place-leader", space="CR")
    events = table.act(3, "place-leader", space="CL", chance=[["improvements", ["drop"]], ["first", "player-3"]])
    assert kinds(events) == [
        "leader-placed",
        "deck-shuffled",
        "deck",
        *["improvement-drawn"] * 3,
        "turn-started",
    ]
    assert (table.state()["setup"], table.state()["turn"]) == (None, "player-3")
    assert table.of(1)["improvement"] == "drop"


@RULE("SA-R-48", "SA-SET-07")
def test_first_player_is_chosen_or_drawn() -> None:
    assert new(2, first="player-2").state()["turn"] == "player-2"
    assert {new(2, seed=seed).state()["turn"] for seed in range(12)} == {"player-1", "player-2"}
    assert fails({"first": "player-3"}) == ("not-understood", None)
    table = new(3, first="player-2")
    for number, space in ((1, "AL"), (2, "BL"), (3, "CL")):
        table.act(number, "choose-start", space=space)
    for number, hunted in ((1, 2), (2, 3), (3, 1)):
        table.act(number, "choose-target", seat=seat(hunted))
    for number, space in ((1, "AR"), (2, "BR"), (3, "CR")):
        table.act(number, "place-leader", space=space)
    assert table.state()["turn"] == table.state()["first"] == "player-2"


@RULE("SA-D-01")
def test_core_only_uses_the_cards_of_the_core_game() -> None:
    assert cards(new(2, core_only=True)) == CORE
    with pytest.raises(AnswerError) as found:
        new(2, core_only=True, chance=[["improvements", ["mask"]]])
    assert (found.value.code, found.value.rule) == ("refused", "SA-SET-06")


@RULE("SA-R-41")
def test_targets_form_a_derangement() -> None:
    table = new(3)
    for number, space in ((1, "AL"), (2, "BL"), (3, "CL")):
        table.act(number, "choose-start", space=space)
    assert table.refused(1, "choose-target", seat="player-1") == "SA-R-41"
    assert table.refused(1, "choose-target", seat="player-4") is None
    table.act(1, "choose-target", seat="player-2")
    assert table.offered(2) == [{"type": "choose-target", "seat": "player-3"}]
    assert table.refused(2, "choose-target", seat="player-1") == "SA-R-41", "player 3 could only hunt itself"
    table.act(2, "choose-target", seat="player-3")
    assert table.refused(3, "choose-target", seat="player-2") == "SA-R-41", "player 1 hunts there"


@RULE("SA-R-42")
def test_hideouts_are_exclusive() -> None:
    table = new(3)
    table.act(1, "choose-start", space="AL")
    assert table.refused(2, "choose-start", space="AL") == "SA-R-42"
    assert table.refused(2, "choose-start", space="A1") == "SA-SET-05"
    assert table.refused(2, "choose-start", space="FL") is None
    table.act(2, "choose-start", space="BL")
    table.act(3, "choose-start", space="CL")
    for number, hunted in ((1, 2), (2, 3), (3, 1)):
        table.act(number, "choose-target", seat=seat(hunted))
    assert table.refused(1, "place-leader", space="CL") == "SA-R-42", "a start"
    table.act(1, "place-leader", space="AR")
    assert table.refused(2, "place-leader", space="AR") == "SA-R-42", "a Leader"


@RULE("SA-SET-05", "SA-SET-07")
def test_setup_and_play_commands_do_not_mix() -> None:
    table = new(3)
    assert table.refused(2, "choose-start", space="AL") == "SA-SET-05"
    assert table.refused(1, "place-leader", space="AL") == "SA-SET-05"
    assert table.refused(1, "end-turn") == "SA-SET-05"
    table = playing()
    assert table.refused(1, "choose-start", space="BL") == "SA-SET-05"
    assert table.refused(2, "choose-start", space="BL") == "SA-SET-05"
    assert table.refused(2, "end-turn") == "SA-SET-07"
    assert table.offered(2) == []
    assert table.ask("legal", seat="table") == []


def three(**changes: Json) -> Json:
    """Return a layout for three players."""
    usual = {
        "player-1": {"start": "AL", "target": "player-2", "leader": "CR"},
        "player-2": {"start": "BL", "target": "player-3", "leader": "ER"},
        "player-3": {"start": "CL", "target": "player-1", "leader": "DR"},
    }
    return {name: {**part, **changes.get(name.replace("-", ""), {})} for name, part in usual.items()}


@RULE("SA-SET-05", "SA-R-41", "SA-R-42")
def test_layout_skips_all_choices() -> None:
    table = new(3, layout=three())
    assert table.state()["setup"] is None
    assert table.at("S3") == table.at("A3") == "CL"
    assert table.of(3)["target"] == "player-1"
    assert fails({"layout": three(player1={"target": "player-1"})}, 3) == ("refused", "SA-R-41")
    assert fails({"layout": three(player1={"target": "player-3"})}, 3) == ("refused", "SA-R-41")
    assert fails({"layout": three(player1={"leader": "BL"})}, 3) == ("refused", "SA-R-42")
    assert fails({"layout": three(player2={"start": "AL"})}, 3) == ("refused", "SA-R-42")
    assert fails({"layout": three(player2={"start": "A1"})}, 3) == ("not-understood", None)
    assert fails({"layout": three(player2={"target": "player-4"})}, 3) == ("not-understood", None)
    assert fails({"layout": {"player-1": three()["player-1"]}}, 3) == ("not-understood", None)
    assert fails({"layout": {**three(), "player-4": three()["player-1"]}}, 3) == ("not-understood", None)


@RULE("SA-SET-09")
def test_two_players_are_three_jumps_from_their_targets() -> None:
    table = playing(A1="A3", A2="D9")
    for number, way in ((1, "B3 C3 D3"), (2, "C9 B9 A9")):
        for space in way.split():
            table.act(number, "jump", to=space)
            table.end(number, 3 - number)
        if number == 1:
            table.end(1)
    hunted = {1: table.of(2)["leader"], 2: table.of(1)["leader"]}
    assert {number: table.at(f"A{number}")[0] for number in (1, 2)} == {n: space[0] for n, space in hunted.items()}


@RULE("SA-SET-08", "SA-R-24")
def test_each_player_has_five_mines() -> None:
    table = playing(A1="B6", mines1=["A1", "A2", "A3", "A4", "A5"])
    assert table.refused(1, "plant", space="B7") == "SA-R-24"
    assert table.offered(1, "plant") == []
    assert len(playing(A1="B6", mines1=["A1", "A2", "A3", "A4"]).offered(1, "plant")) == 2


@RULE("SA-BRD-01", "SA-BRD-02", "SA-BRD-03", "SA-R-03")
def test_board_in_the_protocol() -> None:
    found = new().ask("map", map="pathways-2")
    assert list(found["spaces"])[:3] == ["AL", "A1", "A2"]
    assert found["spaces"]["A12"]["kind"] == "open"
    assert found["spaces"]["BR"] == {
        "kind": "enclosed",
        "sector": "B",
        "area": "BR",
        "difficult": False,
        "objective": None,
        "under": False,
    }
    assert found["adjacent"] == found["walk"]
    assert len(found["adjacent"]) == 4 * 13
    assert found["adjacent"][0] == ["AL", "A1"]
    assert found["adjacent"][12] == ["A12", "AR"]
    assert (found["entries"], found["starts"]) == ({}, {})


def test_game_has_no_sight_and_no_odds() -> None:
    table = new()
    for request in (
        {"do": "sight", "map": "pathways-2", "from": "A1", "to": "A2"},
        {"do": "odds", "bag": {"aim": 2}, "draw": 1, "need": 1},
        {"do": "new", "game": "sniper-elite", "map": "pathways-2"},
        {"do": "map", "map": "pathways-7"},
    ):
        with pytest.raises(AnswerError) as found:
            table.ask(**request)  # type: ignore[arg-type]
        assert found.value.code == "not-understood", request
    assert set(GAME.map_names()) <= set(table.ask("hello")["maps"])
    assert GAME.name in table.ask("hello")["games"]


@pytest.mark.parametrize(
    "chance",
    [
        [["improvements", ["knife"]]],
        [["improvements", "scope"]],
        [["improvements", [1]]],
        [["first", "player-3"]],
        [["first", ["player-1"]]],
        [["dice", 3]],
    ],
)
def test_unknown_chance_is_not_understood(chance: object) -> None:
    with pytest.raises(AnswerError) as found:
        new(2, chance=chance)
    assert found.value.code == "not-understood"


@RULE("SA-SET-06", "SA-R-48")
def test_impossible_chance_is_refused_with_the_rule_that_asks() -> None:
    for chance, rule in (
        ([["improvements", ["pads"] * 3]], "SA-SET-06"),
        ([["first", "player-1"]], "SA-SET-06"),
        ([["improvements", []], ["improvements", []]], "SA-R-48"),
    ):
        with pytest.raises(AnswerError) as found:
            new(2, chance=chance)
        assert (found.value.code, found.value.rule) == ("refused", rule)
