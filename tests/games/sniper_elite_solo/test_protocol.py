"""`board-engine/1` plays the solo game: whole games over lines of JSON, forced chance, positions, order of refusals."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from engine.graph import Map
from firmware_host.core import maps
from firmware_host.protocols.engine import EngineServer
from tests.games.sniper_elite_solo.ground import BOARD, Table

rule = pytest.mark.rule
NAME = "sniper-elite-solo"


def toys(name: str) -> Map:
    """Return TM-1 or an included map."""
    return BOARD if name == "tm1" else maps.load(name)


class Talk:
    """A client of the protocol."""

    def __init__(self) -> None:
        self.server = EngineServer(toys)

    def answer(self, do: str, **fields: Any) -> dict[str, Any]:
        """Return the whole answer."""
        found: dict[str, Any] = json.loads(self.server.answer(json.dumps({"id": 1, "do": do, **fields}).encode()))
        return found

    def ok(self, do: str, **fields: Any) -> Any:
        """Return the result of a request."""
        found = self.answer(do, **fields)
        assert "ok" in found, found
        return found["ok"]

    def error(self, do: str, **fields: Any) -> tuple[str, str | None]:
        """Return code and rule of the error."""
        found = self.answer(do, **fields)["error"]
        return found["code"], found["rule"]


def forced(events: list[dict[str, Any]]) -> list[list[Any]]:
    """Return the random results of an act, from its events."""
    found: list[list[Any]] = []
    for event in events:
        match event["type"]:
            case "die":
                found.append(["die", event["value"]])
            case "snafu":
                found.append(["snafu", event["chosen"]])
            case "drew":
                found.append(["draw", event["tokens"]])
            case "loot-drawn":
                found.append(["loot", event["cards"]])
            case "deck-order":
                found.append(["deck", event["cards"]])
    return found


@pytest.mark.parametrize("name", ["tm1", "launch-facility", "submarine-pens"])
def test_whole_games_are_repeated_with_forced_chance(name: str) -> None:
    talk, again = Talk(), Talk()
    assert NAME in talk.ok("hello")["games"]
    for seed in range(4):
        random = Random(seed)
        assert talk.ok("new", game=NAME, map=name, seed=seed) == {"to_act": ["sniper"]}
        again.ok("position", game=NAME, map=name, position=talk.ok("state"), seed=99)
        while talk.ok("view", seat="table")["to_act"]:
            legal = talk.ok("legal", seat="sniper")
            assert legal == again.ok("legal", seat="sniper")
            sort = random.choice(sorted({act["type"] for act in legal}))
            action = random.choice([act for act in legal if act["type"] == sort])
            answer = talk.ok("act", seat="sniper", action=action)
            assert again.ok("act", seat="sniper", action=action, chance=forced(answer["events"])) == answer
        assert talk.ok("state") == again.ok("state")
        assert talk.ok("legal", seat="sniper") == []
        told = {seat: talk.ok("events", seat=seat) for seat in ("sniper", "table")}
        hidden = {"dealt", "deck-order"}
        assert not hidden & {event["type"] for events in told.values() for event in events}
        secret = {"objectives", "loot-drawn"}
        assert not secret & {event["type"] for event in told["table"]}
        assert [event for event in told["sniper"] if event["type"] not in secret] == told["table"]


def test_events_name_their_audience() -> None:
    talk = Talk()
    sniper = {"space": "a2", "objectives": [4, 7], "hand": []}
    talk.ok("position", game=NAME, map="tm1", position={"sniper": sniper, "units": {"black-1": "d8"}, "lks": "white"})
    events = talk.ok("act", seat="sniper", action={"type": "loot"})["events"]
    assert [(event["type"], event["told"]) for event in events] == [
        ("looted", "all"), ("eliminated", "all"), ("loot-drawn", ["sniper"]),
    ]  # fmt: skip


@rule("SO-R-03")
def test_unused_forced_chance_stays_and_impossible_chance_changes_nothing() -> None:
    talk = Talk()
    cards = [{"card": "SC-04", "face": "up"}, {"card": "SC-01", "face": "up"}, {"card": "SC-02", "face": "down"}]
    sniper = {"space": "c1", "objectives": [4, 7], "hand": []}
    position = {"sniper": sniper, "slots": cards, "lks": "white", "possible": []}
    talk.ok("position", game=NAME, map="tm1", position=position)
    before = talk.ok("state")
    end = {"type": "end-turn"}
    assert talk.error("act", seat="sniper", action=end, chance=[["draw", {"aim": 1}]]) == ("refused", "SO-R-03")
    assert talk.error("act", seat="sniper", action=end, chance=[["die", 7]]) == ("refused", "SO-R-03")
    assert talk.error("act", seat="sniper", action=end, chance=[["die", [1]]]) == ("not-understood", None)
    assert talk.error("act", seat="sniper", action=end, chance=[["snafu", ["black-1"]]]) == ("not-understood", None)
    assert talk.error("act", seat="sniper", action=end, chance=[["tea", 1]]) == ("not-understood", None)
    assert talk.ok("state") == before
    talk.ok("act", seat="sniper", action=end, chance=[["die", 3], ["die", 1]])
    events = talk.ok("act", seat="sniper", action=end)["events"]
    assert [event["value"] for event in events if event["type"] == "die"] == [1]


def test_chance_of_a_new_game_can_be_forced() -> None:
    talk = Talk()
    chance: list[list[Any]] = [
        ["urgent", ["SC-01", "LF-02", "SC-02"]],
        ["deck", ["SC-09"]],
        ["loadout", ["trench-gun"]],
        ["objectives", [9, 1]],
    ]
    talk.ok("new", game=NAME, map="tm1", seed=3, chance=chance)
    state = talk.ok("state")
    assert [slot["card"] for slot in state["slots"]] == ["SC-02", "LF-01", "LF-02"]
    assert state["deck"][0] == "SC-09"
    assert "trench-gun" in state["sniper"]["hand"]
    assert state["sniper"]["objectives"] == [9, 1]
    refusals: list[tuple[list[list[Any]], str]] = [
        ([["deck", []]], "SO-SET-04"),
        ([["urgent", ["SC-03"]]], "SO-SET-04"),
        ([["urgent", []], ["deck", ["SC-01"]]], "SO-SET-06"),
    ]
    for wrong, number in refusals:
        assert talk.error("new", game=NAME, map="tm1", chance=wrong) == ("refused", number)
    assert talk.error("new", game=NAME, map="tm1", chance=[["objectives", [77]]]) == ("not-understood", None)
    assert talk.error("new", game=NAME, map="tm1", chance=[["deck", ["XX-01"]]]) == ("not-understood", None)


@pytest.mark.parametrize(
    "action",
    [
        {"type": "dance"}, {"type": "move"}, {"type": "move", "path": ["z9"]}, {"type": "keep", "card": "tea"},
        {"type": "shoot", "target": "green-1", "draw": 1}, {"type": "shoot", "target": "red-1"},
        {"type": "place-return", "space": "nowhere"}, {"type": "complete", "objective": 12},
        {"type": "end-turn", "quickly": True}, {"type": "choose-entry", "sector": "green"},
    ],
)  # fmt: skip
def test_unknown_actions_are_not_understood(action: dict[str, Any]) -> None:
    talk = Talk()
    position = {"sniper": {"space": "a6", "objectives": [4, 7], "hand": []}}
    talk.ok("position", game=NAME, map="tm1", position=position)
    assert talk.error("act", seat="sniper", action=action)[0] == "not-understood"
    assert talk.error("act", seat="defenders", action={"type": "end-turn"})[0] == "not-understood"
    assert talk.error("legal", seat="defenders")[0] == "not-understood"
    assert talk.ok("legal", seat="table") == []


@rule("SO-TRN-01", "SO-TRN-02", "SO-SET-16", "SO-MOV-06")
def test_first_refusal_that_fits_is_given() -> None:
    outside = Table(None, entry="white", only={"yellow-1": "c1"}, sniper={"hand": ["sound-masking"], "carded": True})
    outside.refuses("SO-R-18", "play", card="s-mine")
    outside.refuses("SO-SET-16", "move", path=["d6", "d7", "d8", "c8"])
    moved = Table("d5", only={"black-1": "c5"}, sniper={"moved": True, "carded": True, "acted": True})
    moved.refuses("SO-TRN-01", "move", path=["d6", "d7", "d8", "c8"])
    moved.refuses("SO-TRN-01", "play", card="s-mine")
    moved.refuses("SO-TRN-01", "shoot", target="red-1", draw=1)
    free = Table("d5", only={"black-1": "c5"})
    free.refuses("SO-MOV-01", "move", path=["d6", "d7", "d8", "c8"])
    free.refuses("SO-MOV-06", "move", path=["d6", "d7", "d8"])
    free.refuses("SO-MOV-07", "move", path=["c5", "d7"])
    free.refuses("SO-MOV-02", "move", path=["c5", "c4"])
    trench = Table("a1", only={"yellow-1": "b2", "yellow-2": "a2"}, sniper={"active": "trench-gun"})
    trench.refuses("SO-SHT-01", "shoot", target="yellow-1", draw=1)
    trench.refuses("SO-R-36", "shoot", target="yellow-2", draw=99)
    trench.refuses("SO-LDO-03", "shoot", target="yellow-2", draw=1)
