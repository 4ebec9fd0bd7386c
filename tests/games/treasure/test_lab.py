"""Tools that play any game without a table can play this one: protocols, arena, simulated people."""

from __future__ import annotations

import json
from typing import Any

import pytest

from engine.game import sides
from firmware_host.app import cli
from firmware_host.protocols import engine
from firmware_host.protocols import tracking as hands
from games import find
from lab.arena import Match, play_match, summarize
from lab.simulation.episodes import Plan, play_episode
from lab.simulation.kinds import KINDS
from tests.depth import cases

GAME = find("treasure")
ISLAND = GAME.make_map("island")  # type: ignore[attr-defined]


class Talk:
    """A client of `board-engine/1`."""

    def __init__(self) -> None:
        self._server = engine.EngineServer()

    def ask(self, do: str, **fields: Any) -> Any:
        """Return the result or the error."""
        answer = json.loads(self._server.answer(json.dumps({"do": do, **fields}).encode()))
        return answer.get("ok", answer.get("error"))


@pytest.fixture
def talk() -> Talk:
    """A game in which the treasure is on b2 and red has the first turn."""
    begun = Talk()
    assert begun.ask("new", game="treasure", map="island", seed=3, chance=[["order", ["red"]]]) == {"to_act": ["hider"]}
    begun.ask("act", seat="hider", action={"type": "hide", "space": "b2"})
    return begun


def test_protocol_rolls_the_die_and_sends_secrets_to_their_seat(talk: Talk) -> None:
    rolled = talk.ask("act", seat="red", action={"type": "roll"}, chance=[["die", 2]])
    assert rolled == {"events": [{"type": "rolled", "seat": "red", "number": 2, "told": "all"}], "to_act": ["red"]}
    assert [talk.ask("view", seat=seat)["treasure"] for seat in ("hider", "red", "blue", "table")] == [
        "b2",
        *[None] * 3,
    ]
    heard = {seat: [event["type"] for event in talk.ask("events", seat=seat)] for seat in ("hider", "table")}
    assert heard == {"hider": ["begun", "hidden", "ready", "rolled"], "table": ["begun", "ready", "rolled"]}


def test_die_shows_only_its_faces(talk: Talk) -> None:
    error = talk.ask("act", seat="red", action={"type": "roll"}, chance=[["die", 4]])
    assert (error["code"], error["rule"]) == ("refused", "TR-WALK-01")


def test_state_is_a_position_and_missing_treasure_is_drawn(talk: Talk) -> None:
    talk.ask("act", seat="red", action={"type": "dig"})
    state, possible = talk.ask("state"), talk.ask("view", seat="table")["possible"]
    assert talk.ask("position", game="treasure", map="island", position=state) == {"to_act": ["blue"]}
    assert talk.ask("state") == state
    talk.ask("position", game="treasure", map="island", position={**state, "treasure": None})
    assert talk.ask("state")["treasure"] in possible


def test_every_seat_gets_reasons_for_impossible_acts() -> None:
    red = GAME.foresight(GAME.blank(ISLAND, GAME.read_options({}))["red"], "red")  # type: ignore[attr-defined]
    assert {*red} == {"roll", "walk", "dig", "end-turn"}
    assert {found["rule"] for found in red.values()} == {"TR-TURN-01"}


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"map": "launch-facility"}, "Treasure is not played on this map."),
        ({}, "Treasure is played on a map: one of island."),
        ({"map": "island", "options": {"seekers": 4}}, "The options cannot be read"),
        ({"map": "island", "chance": [["draw", {}]]}, "no forced result 'draw'"),
    ],
)
def test_impossible_position_is_explained_in_a_sentence(fields: dict[str, Any], words: str) -> None:
    assert words in Talk().ask("new", game="treasure", **fields)["message"]


def test_pawn_can_be_moved_by_hand() -> None:
    server = hands.TrackingServer()
    position = {"order": ["red", "blue"], "turn": "red", "round": 1, "steps": 2, "treasure": "c3"}
    said = server.answer(json.dumps({"game": "treasure", "map": "island", "position": position}).encode())
    for line in ({"t": 1000, "space": "a1", "down": False}, {"t": 1500, "space": "b1", "down": True}, {"t": 3000}):
        said += server.answer(json.dumps(line).encode())
    acts = [line["act"] for line in map(json.loads, said) if "act" in line]
    assert acts == [{"seat": "red", "action": {"type": "walk", "space": "b1"}}]


def test_bots_play_for_every_number_of_seats() -> None:
    for seekers in (1, 2, 3):
        options = GAME.read_options({"seekers": seekers})
        seats = {seat.name: "random" if seat.secret else "digger" for seat in GAME.seats(options)}
        found = summarize(list(play_match(Match("treasure", ISLAND, options, seats, 5), 20, 1)), sides(GAME, options))
        assert list(found.wins) == list(seats)
        assert sum(share.wins for share in found.wins.values()) == found.games == 20
        assert set(found.causes) <= {"found", "hidden"}
        assert found.draws == 0


def test_arena_takes_a_bot_for_each_seat_by_its_name(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["arena", "--game", "treasure", "--games", "3", "--jobs", "1", "--blue", "random"]
    assert cli.main(arguments) == 0
    out = capsys.readouterr().out
    assert out.startswith("Treasure on Island, 3 games, seed 1\n")
    assert [line.split()[:2] for line in out.splitlines()[1:4]] == [
        ["red", "digger"],
        ["blue", "random"],
        ["hider", "random"],
    ]
    with pytest.raises(SystemExit):
        cli.main(["arena", "--game", "treasure", "--sniper", "prowler"])


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_simulated_people_never_cause_a_wrong_act(kind: str) -> None:
    for number in range(cases(24, by_day=6)):
        verdict = play_episode(Plan("treasure", (ISLAND,), (kind,), 7), number)
        assert verdict.wrongs == ()
        assert verdict.lost == ()
