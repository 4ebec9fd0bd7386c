"""`board-engine/1`: every request and every error; no invalid input changes the game or ends the conversation."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.graph import Map
from firmware_host.core import maps
from firmware_host.protocols import engine
from firmware_host.protocols.engine import EngineServer
from firmware_host.protocols.lines import LONGEST_LINE, serve_stdio
from tests.engine.graph.drawings import board as little_board
from tests.engine.graph.drawings import row
from tests.patience import PATIENCE
from tests.toys import grid

TOY = grid(kinds={"d4": "enclosed", "d5": "enclosed", "c7": "water"}, difficult=["c2"], doors=[("d4", "c4")])
CODES = {"not-understood", "refused", "ambiguous"}
LARGEST = 10**40
POSITION: dict[str, Any] = {
    "sniper": {"space": "c4", "objectives": [1, 8], "hand": ["s-mine", "distraction", "tommy-gun"]},
    "units": {"red-1": "c6", "yellow-1": "a1", "red-officer": "b6"},
    "specialists": {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}},
}


def toys(name: str) -> Map:
    """Return the toy map for the name `toy`, and other maps as usual."""
    return TOY if name == "toy" else maps.load(name)


class Talk:
    """A conversation with the server. Every answer is one line of JSON with the id of its request."""

    def __init__(self) -> None:
        self.server = EngineServer(toys)
        self.count = 0

    def say(self, line: bytes) -> dict[str, Any]:
        """Send any line and return the answer."""
        answer = self.server.answer(line)
        assert b"\n" not in answer
        found: dict[str, Any] = json.loads(answer)
        assert set(found) in ({"id", "ok"}, {"id", "error"})
        if "error" in found:
            assert set(found["error"]) == {"code", "rule", "message"}
            assert found["error"]["code"] in CODES, found
        return found

    def answer(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a request with an id of its own and return the answer."""
        self.count += 1
        found = self.say(json.dumps({"do": do, "id": self.count, **fields}).encode())
        assert found["id"] == self.count
        return found

    def ok(self, do: str, **fields: Any) -> Any:
        """Send a valid request and return its result."""
        found = self.answer(do, **fields)
        assert "ok" in found, found
        return found["ok"]

    def error(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send an invalid request and return its error."""
        found = self.answer(do, **fields)
        assert "error" in found, found
        error: dict[str, Any] = found["error"]
        return error

    def new(self, **fields: Any) -> Any:
        """Start a new game on the toy map."""
        return self.ok("new", game="sniper-elite", map="toy", **fields)

    def position(self, **changes: Any) -> Any:
        """Start a game from POSITION."""
        return self.ok("position", game="sniper-elite", map="toy", seed=1, position={**POSITION, **changes})

    def act(self, seat: str, type: str, chance: Any = None, **fields: Any) -> Any:
        """Make an act that is allowed."""
        more = {} if chance is None else {"chance": chance}
        return self.ok("act", seat=seat, action={"type": type, **fields}, **more)


@pytest.fixture
def talk() -> Talk:
    """A new conversation."""
    return Talk()


@pytest.fixture
def playing() -> Talk:
    """A conversation with a game in the sniper's turn."""
    talk = Talk()
    talk.position()
    return talk


def shape(talk: Talk) -> str:
    """Return the state of the game, without the ids of the requests."""
    seats = ("sniper", "defenders", "table")
    asked: list[tuple[str, dict[str, Any]]] = [("state", {})]
    asked += [(do, {"seat": seat}) for do in ("view", "events", "legal") for seat in seats]
    return json.dumps([talk.ok(do, **fields) for do, fields in asked])


# --- every request ----------------------------------------------------------------------------------------------


def test_hello_returns_versions_and_lists(talk: Talk) -> None:
    found = talk.ok("hello")
    assert found["protocol"] == "board-engine/1"
    assert "sniper-elite" in found["games"]
    assert found["maps"] == maps.playable_names()
    assert isinstance(found["version"], str)


def test_new_sets_game_up_to_first_decision(talk: Talk) -> None:
    assert talk.new(seed=3, chance=[["objectives", [1, 4]]]) == {"to_act": ["sniper"]}
    assert talk.ok("view", seat="sniper")["sniper"]["objectives"] == [1, 4]
    assert {action["type"] for action in talk.ok("legal", seat="sniper")} == {"choose-loadout"}


def test_null_equals_omitted_optional_field(talk: Talk) -> None:
    nothing = {"options": None, "seed": None, "chance": None}
    assert talk.ok("new", game="sniper-elite", map="toy", **nothing)["to_act"] == ["sniper"]
    assert talk.ok("position", game="sniper-elite", map="toy", position=POSITION, **nothing)["to_act"] == ["sniper"]
    assert talk.ok("act", seat="sniper", action={"type": "end-turn"}, chance=None)["to_act"] == ["defenders"]
    assert talk.ok("events", seat="sniper", since=None) == talk.ok("events", seat="sniper")


@pytest.mark.parametrize("seed", [0, -1, LARGEST, "a word", None])
def test_seed_is_number_string_or_null(talk: Talk, seed: Any) -> None:
    talk.new(seed=seed)
    first = talk.ok("state")
    talk.new(seed=seed)
    assert seed is None or talk.ok("state") == first


def test_act_returns_all_events_and_their_recipients(playing: Talk) -> None:
    found = playing.act("sniper", "move", path=["c5", "b5"])
    assert found == {
        "events": [
            {"type": "sniper-moved", "path": ["c5", "b5"], "told": ["sniper"]},
            {"type": "alerted", "units": ["red-officer", "red-1"], "told": "all"},
        ],
        "to_act": ["sniper"],
    }
    assert playing.act("sniper", "end-turn")["to_act"] == ["defenders"]


def test_events_are_numbered_per_seat_and_listed_from_any_number(playing: Talk) -> None:
    playing.act("sniper", "move", path=["c5"])
    playing.act("sniper", "end-turn")
    mine = playing.ok("events", seat="sniper")
    assert [event["type"] for event in mine] == ["sniper-moved", "turn-ended"]
    for stranger in ("defenders", "table"):
        assert playing.ok("events", seat=stranger) == mine[1:]
    assert playing.ok("events", seat="sniper", since=1) == mine[1:]
    assert playing.ok("events", seat="sniper", since=2) == []
    assert playing.ok("events", seat="sniper", since=LARGEST) == []
    assert playing.error("events", seat="sniper", since=-1)["code"] == "not-understood"


def test_view_has_null_for_what_seat_does_not_know(playing: Talk) -> None:
    assert playing.ok("view", seat="sniper")["sniper"]["space"] == "c4"
    for stranger in ("defenders", "table"):
        assert playing.ok("view", seat=stranger)["sniper"]["space"] is None
    assert playing.ok("state")["sniper"]["space"] == "c4"


def test_table_seat_watches_and_cannot_act(playing: Talk) -> None:
    assert playing.ok("legal", seat="table") == []
    assert playing.error("act", seat="table", action={"type": "end-turn"})["code"] == "not-understood"


def test_sight_returns_distance_line_and_spaces_between(talk: Talk) -> None:
    found = talk.ok("sight", map="toy", **{"from": "b1", "to": "b4"})
    assert found == {"visible": True, "distance": 3, "line": [[100, 200], [400, 200]], "through": ["b2", "b3"]}
    back = talk.ok("sight", map="toy", **{"from": "b4", "to": "b1"})
    assert (back["line"], back["through"]) == ([[400, 200], [100, 200]], ["b3", "b2"])
    here = talk.ok("sight", map="toy", **{"from": "b4", "to": "b4"})
    assert here == {"visible": True, "distance": 1, "line": None, "through": []}
    none = talk.ok("sight", map="toy", **{"from": "a1", "to": "b2"})
    assert none == {"visible": False, "distance": None, "line": None, "through": []}
    assert "z9" in talk.error("sight", map="toy", **{"from": "z9", "to": "b2"})["message"]


def test_map_is_returned_with_its_tables(talk: Talk) -> None:
    found = talk.ok("map", map="toy")
    assert set(found) == {"spaces", "adjacent", "walk", "entries", "starts"}
    assert found["spaces"]["d4"] == {
        "kind": "enclosed",
        "sector": "black",
        "area": "house",
        "difficult": False,
        "objective": None,
        "under": False,
    }
    assert ["a1", "a2"] in found["adjacent"]
    assert ["a2", "a1"] not in found["adjacent"]
    assert ["c4", "d4"] in found["walk"]
    assert ["c5", "d5"] not in found["walk"]
    assert found["entries"]["white"] == "f8"
    assert found["starts"]["red-1"] == "a7"


def test_odds_are_exact_fractions(talk: Talk) -> None:
    bag = {"aim": 6, "noise": 2, "recoil": 3}
    assert talk.ok("odds", bag=bag, draw=3, need=3) == {"hit": "4/33", "misfire": "0/1", "reveal": "3/55"}
    assert talk.ok("odds", bag=bag, draw=11, need=1) == {"hit": "0/1", "misfire": "1/1", "reveal": "1/1"}
    assert talk.ok("odds", bag=bag, draw=3, need=1, silenced=True)["reveal"] == "0/1"
    bags = [{"bag": wrong} for wrong in ({"luck": 1}, {"aim": 31}, {"aim": 4, "noise": -1})]
    wrongs: list[dict[str, Any]] = [{"draw": 12}, {"draw": -1}, {"need": 0}, *bags]
    for wrong in wrongs:
        assert talk.error("odds", **{"bag": bag, "draw": 3, "need": 1, **wrong})["code"] == "not-understood"


def test_map_given_by_path_is_compiled_on_the_fly(talk: Talk, tmp_path: Path) -> None:
    file = tmp_path / "little.geojson"
    file.write_text(json.dumps(little_board().document()), "utf-8")
    assert talk.ok("map", map=str(file))["spaces"]["d1"]["kind"] == "enclosed"
    assert talk.ok("sight", map=str(file), **{"from": "a1", "to": "c1"})["distance"] == 2
    assert talk.ok("new", game="sniper-elite", map=str(file), seed=1) == {"to_act": ["sniper"]}


@pytest.mark.parametrize("position", [{}, {"shown": 3}, {"sniper": {"objectives": [1, 2]}}, {"sniper": {"space": "a"}}])
def test_map_without_objectives_and_circles_is_refused_for_this_game(
    playing: Talk, tmp_path: Path, position: Any
) -> None:
    sheet = row("open", "open", "open")
    sheet.entry("a", (0, 50))
    file = tmp_path / "row.geojson"
    file.write_text(json.dumps(sheet.document()), "utf-8")
    assert playing.ok("map", map=str(file))["starts"] == {}
    before = shape(playing)
    error = playing.error("new", game="sniper-elite", map=str(file))
    assert (error["code"], error["rule"]) == ("not-understood", None)
    assert "too small for this game" in error["message"]
    described = playing.error("position", game="sniper-elite", map=str(file), position=position)
    assert "objective" in described["message"]
    assert shape(playing) == before


# --- every error ------------------------------------------------------------------------------------------------

NOT_UNDERSTOOD: list[bytes] = [
    b"",
    b"\n",
    b"   ",
    b"hello",
    b"{",
    b"[]",
    b"7",
    b"null",
    b'"hello"',
    b"{}",
    b'{"do":7}',
    b'{"do":null}',
    b'{"do":"dance"}',
    b'{"do":["legal"],"seat":"sniper"}',
    b'{"do":"legal"}',
    b'{"do":"legal","seat":"nobody"}',
    b'{"do":"legal","seat":7}',
    b'{"do":"legal","seat":"sniper","please":true}',
    b'{"do":"legal","seat":NaN}',
    b'{"do":"legal","seat":"sniper","id":NaN}',
    b'{"do":"events","seat":"sniper","since":Infinity}',
    b'{"do":"events","seat":"sniper","since":1.5}',
    b'{"do":"events","seat":"sniper","since":true}',
    b'{"do":"events","seat":"sniper","since":"1"}',
    b'{"do":"legal","seat":"\xff\xfe"}',
    b'\xef\xbb\xbf{"do":"hello"}',
    '{"do":"legal","seat":"sniper"}'.encode("utf-16"),
    b'{"do":"legal","seat":"\\ud800"}',
    b'{"do":"hello","\\ud83d":1}',
    b'{"do":"hello","id":-0.0}',
    b'{"do":"hello","id":%d}' % (1 << 1023),
    b'{"do":"hello","id":' + b"[" * 33 + b"]" * 33 + b"}",
    b'{"do":"legal","seat":"sniper"} {"do":"legal","seat":"sniper"}',
    b'{"do":"events","seat":"sniper","since":' + b"1" * 5000 + b"}",
    b"[" * 100_000,
    b'{"do":' * 5000 + b"1" + b"}" * 5000,
    b'{"do":"act","seat":"sniper","action":' + b"[" * 5000 + b"]" * 5000 + b"}",
    b'{"do":"new","game":"chess","map":"toy"}',
    b'{"do":"new","game":"sniper-elite","map":"atlantis"}',
    b'{"do":"new","game":"sniper-elite","map":"no/such/file.geojson"}',
    b'{"do":"new","game":"sniper-elite","map":"\\u0000.json"}',
    b'{"do":"new","game":"sniper-elite","map":"/dev/zero"}',
    b'{"do":"new","game":"sniper-elite","map":"/"}',
    b'{"do":"new","game":"sniper-elite","map":"' + b"x/" * 5000 + b'"}',
    b'{"do":"new","game":"sniper-elite","map":"toy","options":{"hurry":1}}',
    b'{"do":"new","game":"sniper-elite","map":"toy","options":{"switches":{"R-99":false}}}',
    b'{"do":"new","game":"sniper-elite","map":"toy","seed":1.5}',
    b'{"do":"new","game":"sniper-elite","map":"toy","chance":"lucky"}',
    b'{"do":"new","game":"sniper-elite","map":"toy","chance":[["objectives"]]}',
    b'{"do":"new","game":"sniper-elite","map":"toy","chance":[["objectives",{}]]}',
    b'{"do":"position","game":"sniper-elite","map":"toy"}',
    b'{"do":"position","game":"sniper-elite","map":"toy","position":{"sniper":{"space":"Z9"}}}',
    b'{"do":"position","game":"sniper-elite","map":"toy","position":7}',
    b'{"do":"sight","map":"toy","from":"a1"}',
    b'{"do":"sight","map":"toy","from":"a1","to":"z9"}',
    b'{"do":"map","map":"atlantis"}',
    b'{"do":"odds","bag":{"aim":"six"},"draw":1,"need":1}',
    b'{"do":"act","seat":"sniper"}',
    b'{"do":"act","seat":"sniper","action":7}',
    b'{"do":"act","seat":"sniper","action":{}}',
    b'{"do":"act","seat":"sniper","action":{"type":"dance"}}',
    b'{"do":"act","seat":"sniper","action":{"type":["move"]}}',
    b'{"do":"act","seat":"sniper","action":{"type":"move"}}',
    b'{"do":"act","seat":"sniper","action":{"type":"move","path":"c5"}}',
    b'{"do":"act","seat":"sniper","action":{"type":"move","path":[5]}}',
    b'{"do":"act","seat":"sniper","action":{"type":"move","path":["z9"]}}',
    b'{"do":"act","seat":"sniper","action":{"type":"move","path":["c5"],"fast":true}}',
    b'{"do":"act","seat":"sniper","action":{"type":"shoot","target":"green-1","draw":2}}',
    b'{"do":"act","seat":"sniper","action":{"type":"shoot","target":"red-1","draw":true}}',
    b'{"do":"act","seat":"sniper","action":{"type":"shoot","target":"red-1","draw":2.0}}',
    b'{"do":"act","seat":"sniper","action":{"type":"complete","objective":77}}',
    b'{"do":"act","seat":"sniper","action":{"type":"play","card":"bazooka"}}',
    b'{"do":"act","seat":"sniper","action":{"type":"mark","space":"a1"}}',
    b'{"do":"act","seat":"defenders","action":{"type":"loot"}}',
    b'{"do":"act","seat":"defenders","action":{"type":"intel","squad":"green"}}',
    b'{"do":"act","seat":"defenders","action":{"type":"mark","space":"z9"}}',
    b'{"do":"act","seat":"sniper","action":{"type":"end-turn"},"chance":{}}',
]


def test_unreadable_requests_are_not_understood_and_change_nothing(playing: Talk) -> None:
    before = shape(playing)
    for line in NOT_UNDERSTOOD:
        error = playing.say(line)["error"]
        assert (error["code"], error["rule"]) == ("not-understood", None), line[:60]
        assert len(error["message"]) > 10, line[:60]
    assert shape(playing) == before


REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    ("MP-MOVE-03", "sniper", {"type": "move", "path": ["c5", "c6"]}),
    ("MP-MOVE-01", "sniper", {"type": "move", "path": []}),
    ("MP-SHOOT-05", "sniper", {"type": "shoot", "target": "red-1", "draw": 1}),
    ("MP-SHOOT-06", "sniper", {"type": "shoot", "target": "red-1", "draw": LARGEST}),
    ("MP-SHOOT-05", "sniper", {"type": "shoot", "target": "red-1", "draw": -LARGEST}),
    ("MP-LOOT-01", "sniper", {"type": "loot"}),
    ("MP-LOAD-20", "sniper", {"type": "play", "card": "trench-gun"}),
    ("MP-TURN-01", "defenders", {"type": "end-turn"}),
    ("MP-DEF-10", "defenders", {"type": "unmark", "space": "a1"}),
]


@pytest.mark.parametrize(("rule", "seat", "action"), REFUSED)
def test_illegal_act_is_refused_by_its_rule_and_changes_nothing(
    playing: Talk, rule: str, seat: str, action: dict[str, Any]
) -> None:
    before = shape(playing)
    error = playing.error("act", seat=seat, action=action)
    assert (error["code"], error["rule"]) == ("refused", rule)
    assert error["message"].endswith(".")
    assert shape(playing) == before


def test_too_long_request_is_reported_and_conversation_goes_on() -> None:
    said = b'{"do":"hello","id":"' + b"x" * LONGEST_LINE + b'"}'
    assert "too long" in Talk().say(said)["error"]["message"]
    first, second = map(json.loads, engine.answers(io.BytesIO(said + b'\n{"do":"hello","id":2}\n')))
    assert (first["id"], first["error"]["code"], second["id"]) == (None, "not-understood", 2)


def test_answer_to_request_with_duplicate_field_has_its_id(talk: Talk) -> None:
    assert talk.say(b'{"do":"hello","id":7,"seat":1,"seat":1}')["id"] == 7


def test_queries_without_game_are_refused(talk: Talk) -> None:
    for do in ("legal", "view", "events"):
        assert "no game yet" in talk.error(do, seat="sniper")["message"]
    assert talk.error("state")["code"] == "not-understood"
    assert talk.error("act", seat="sniper", action={"type": "loot"})["code"] == "not-understood"


def test_errors_list_known_values(playing: Talk) -> None:
    assert "hello, new, position" in playing.error("dance")["message"]
    assert "launch-facility" in playing.error("map", map="launch-facilty")["message"]
    assert "takes map, from, to" in playing.error("sight", map="toy")["message"]
    assert "sniper, defenders, table" in playing.error("view", seat="nobody")["message"]
    assert "choose-loadout" in playing.error("act", seat="sniper", action={"type": "dance"})["message"]
    assert "path" in playing.error("act", seat="sniper", action={"type": "move", "way": []})["message"]
    assert "c4" in playing.error("act", seat="sniper", action={"type": "move", "path": ["c44"]})["message"]


def test_answer_has_id_of_its_request(talk: Talk) -> None:
    ids: list[Any] = [None, 0, "x", [1, {"a": "ż"}], {"b": []}, LARGEST, 1.5, True, "𝄞\n"]
    for request in ({"do": "hello"}, {"do": "dance"}, {"do": "legal", "seat": "sniper"}):
        for asked in ids:
            assert talk.say(json.dumps({**request, "id": asked}).encode())["id"] == asked
    assert talk.say(b'{"do":"hello"}')["id"] is None


def test_any_depth_of_nesting_gets_an_answer(talk: Talk) -> None:
    for depth in (10, 400, 900, 950, 980, 990, 995, 1000, 1100):
        deep = b"[" * depth + b"]" * depth
        for line in (b'{"do":"hello","id":' + deep + b"}", b'{"do":"dance","id":' + deep + b"}"):
            talk.say(line)
        chance = b'{"do":"new","game":"sniper-elite","map":"toy","chance":[["objectives",[' + deep + b"]]]}"
        assert talk.say(chance)["error"]["code"] in CODES, depth


# --- chance -----------------------------------------------------------------------------------------------------


def drawn(answer: Any) -> Any:
    """Return the drawn tokens of an act."""
    return next(event["tokens"] for event in answer["events"] if event["type"] == "drew")


def test_forced_chance_is_used_and_the_rest_is_drawn(playing: Talk) -> None:
    whole = playing.act("sniper", "shoot", [["draw", {"aim": 2, "noise": 1}]], target="red-1", draw=3)
    assert drawn(whole) == {"aim": 2, "noise": 1, "recoil": 0, "suppression": 0}
    playing.position()
    part = playing.act("sniper", "shoot", [["draw", {"recoil": 2}]], target="red-1", draw=5)
    assert (drawn(part)["recoil"], sum(drawn(part).values())) == (2, 5)


def test_chance_may_be_forced_for_several_future_results(talk: Talk) -> None:
    options = {"random_setup": True}
    forced = [
        ["objectives", [4, 1]],
        ["loadout", ["tommy-gun", "trench-gun", "s-mine"]],
        ["specialists", {"yellow": "medic", "red": "scout"}],
        ["draw", {"aim": 1}],
    ]
    talk.new(seed=1, options=options, chance=forced)
    state = talk.ok("state")
    assert state["sniper"]["objectives"] == [4, 1]
    assert state["sniper"]["hand"] == ["s-mine", "tommy-gun", "trench-gun"]
    assert state["specialists"]["yellow"]["card"] == "medic"
    talk.act("sniper", "choose-entry", sector="white")
    talk.act("sniper", "move", path=["f8", "f7", "f6"])
    shot = talk.act("sniper", "shoot", target="black-2", draw=4)
    assert drawn(shot)["aim"] == 1


UNREAD: list[Any] = [
    [["foo", {"aim": 99}]],
    [["weather", 1]],
    [["draw", {"aim": "3"}]],
    [["draw", {"aim": 1.5, "noise": 1.5}]],
    [["draw", {"aim": 3.0}]],
    [["draw", {"aim": True}]],
    [["draw", {"aim": -1}]],
    [["draw", {"gold": 3}]],
    [["draw", [1, 2, 3]]],
    [["draw", None]],
    [["draw"]],
    [["draw", {"aim": 1}], ["dice", [6]]],
    [["loot", ["bazooka"]]],
    [["loot", "s-mine"]],
    [["loadout", {"s-mine": 1}]],
    [["specialists", {"green": "medic"}]],
    [["specialists", {"red": "butcher"}]],
    [["objectives", ["1"]]],
    [["objectives", [True]]],
    [["objectives", [77]]],
    [[1, 2]],
    "draw",
    {},
]
"""Chance that no draw of the game can have."""


IMPOSSIBLE: list[Any] = [
    [["draw", {"aim": 7}]],
    [["draw", {"aim": 4}]],
    [["draw", {"suppression": 1}]],
    [["draw", {"aim": 0, "noise": 0, "recoil": 0}]],
    [["loot", ["s-mine"]]],
]
"""Chance that the draw of the test cannot have."""


def test_impossible_chance_is_refused_and_changes_nothing(playing: Talk) -> None:
    before = shape(playing)
    shot = {"type": "shoot", "target": "red-1", "draw": 3}
    for chance in (*IMPOSSIBLE, *UNREAD):
        error = playing.error("act", seat="sniper", action=shot, chance=chance)
        refused = ("refused", "MP-SHOOT-06") if chance in IMPOSSIBLE else ("not-understood", None)
        assert (error["code"], error["rule"]) == refused, chance
        assert "earlier" not in error["message"]
    assert shape(playing) == before
    assert sum(drawn(playing.act("sniper", **shot)).values()) == 3, "and is forgotten"


def test_chance_is_validated_at_once_even_if_not_used(playing: Talk) -> None:
    fields = {"position": {"game": "sniper-elite", "map": "toy", "position": POSITION}}
    fields["new"] = {"game": "sniper-elite", "map": "toy"}
    fields["act"] = {"seat": "sniper", "action": {"type": "end-turn"}}
    before = shape(playing)
    for do, said in fields.items():
        for chance in UNREAD:
            error = playing.error(do, **said, chance=chance)
            assert (error["code"], error["rule"]) == ("not-understood", None), (do, chance)
    assert shape(playing) == before
    assert playing.act("sniper", "end-turn")["to_act"] == ["defenders"]


def test_error_lists_valid_kinds_of_chance(playing: Talk) -> None:
    def said(*item: Any) -> str:
        act = {"seat": "sniper", "action": {"type": "end-turn"}, "chance": [item]}
        return str(playing.error("act", **act)["message"])

    assert "'foo'; known are ally, objectives, loadout, loot, specialists, draw" in said("foo", {"aim": 99})
    assert "'draw' cannot be read" in said("draw", {"gold": 3})
    assert "aim, noise, recoil, suppression" in said("draw", {"gold": 3})
    assert "objective 77; known are 3, 5" in said("objectives", [77])


def test_left_over_result_that_does_not_fit_can_be_dropped(playing: Talk) -> None:
    playing.act("sniper", "end-turn", [["loot", ["s-mine"]]])
    playing.act("defenders", "end-turn")
    shot = {"type": "shoot", "target": "red-1", "draw": 3}
    before = shape(playing)
    for _ in range(2):
        error = playing.error("act", seat="sniper", action=shot)
        assert (error["code"], error["rule"]) == ("refused", "MP-SHOOT-06")
        assert "forced result 'loot'" in error["message"]
        assert "left from an earlier 'chance'" in error["message"]
        assert "'chance': []" in error["message"]
        assert shape(playing) == before
    unfit = playing.error("act", seat="sniper", action=shot, chance=[["draw", {"aim": 9}]])
    assert "'draw'" in unfit["message"], "chance in a request replaces the results left over"
    assert "'loot'" in playing.error("act", seat="sniper", action=shot)["message"], "but a failed one leaves them there"
    playing.act("sniper", "shoot", [], target="red-1", draw=3)


def test_errors_do_not_use_up_chance() -> None:
    calm, troubled = Talk(), Talk()
    for talk in (calm, troubled):
        talk.position()
    for line in NOT_UNDERSTOOD:
        troubled.say(line)
    for _, seat, action in REFUSED:
        troubled.error("act", seat=seat, action=action, chance=[["draw", {"aim": 1}]])
    one, other = (talk.act("sniper", "shoot", target="red-1", draw=5) for talk in (calm, troubled))
    assert one == other


# --- random play --------------------------------------------------------------------------------------------------


def steps(talk: Talk, seed: int, check: Callable[[int, Random], None]) -> int:
    """Play at random to the end, calling `check` before each act, and return the number of acts."""
    random = Random(seed)
    to_act = talk.new(seed=seed)["to_act"]
    for number in range(1000):
        if not to_act:
            return number
        check(number, random)
        menu = talk.ok("legal", seat=to_act[0])
        sorts = sorted({action["type"] for action in menu} - {"mark", "unmark"})
        sort = random.choice(sorts)
        action = random.choice([action for action in menu if action["type"] == sort])
        to_act = talk.ok("act", seat=to_act[0], action=action)["to_act"]
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("seed", range(3))
def test_position_made_from_state_is_same_game(seed: int) -> None:
    talk, twin = Talk(), Talk()

    def check(number: int, random: Random) -> None:
        state = talk.ok("state")
        twin.ok("position", game="sniper-elite", map="toy", position=state, seed=number)
        assert twin.ok("state") == state
        for seat in ("sniper", "defenders", "table"):
            assert twin.ok("view", seat=seat) == talk.ok("view", seat=seat)
            assert twin.ok("legal", seat=seat) == talk.ok("legal", seat=seat)

    assert steps(talk, seed, check) > 30


def test_sets_are_accepted_in_any_order(playing: Talk) -> None:
    playing.act("sniper", "end-turn")
    found = playing.act("defenders", "sweep", unit="red-officer", spaces=["b7", "a6"])
    assert found["events"][0]["spaces"] == ["a6", "b7"]
    playing.new(seed=1, chance=[["objectives", [1, 4]]])
    playing.act("sniper", "choose-loadout", cards=["trench-gun", "s-mine", "sound-masking"])
    assert playing.ok("state")["sniper"]["hand"] == ["sound-masking", "s-mine", "trench-gun"]


def shaken(value: Any, random: Random) -> Any:
    """Return a position with one value replaced by another that is valid, or almost valid."""
    if isinstance(value, dict) and value and random.random() < 0.9:
        name = random.choice(sorted(value))
        return {**value, name: shaken(value[name], random)}
    if isinstance(value, list) and value and random.random() < 0.6:
        index = random.randrange(len(value))
        return [*value[:index], shaken(value[index], random), *value[index + random.randrange(2) :]]
    space, other = random.sample(sorted(TOY.spaces), 2)
    words = [space, None, True, False, random.randrange(12), "red-1", "s-mine", "sniper", "defenders", "keep", "wounds"]
    return random.choice(
        [*words, [], [space], [space, other], [1, 4], [2, 3], ["move"], ["tommy-gun"], {}, {"red-1": space}]
    )


def test_changed_position_is_refused_or_can_be_played_on() -> None:
    talk, twin = Talk(), Talk()
    counted = {"ok": 0, "error": 0}

    def check(number: int, random: Random) -> None:
        for _ in range(3):
            position = shaken(talk.ok("state"), random)
            found = twin.answer("position", game="sniper-elite", map="toy", position=position, seed=number)
            counted["ok" if "ok" in found else "error"] += 1
            to_act = found["ok"]["to_act"] if "ok" in found else []
            for _ in range(12):
                if to_act:
                    action = random.choice(twin.ok("legal", seat=to_act[0]))
                    to_act = twin.ok("act", seat=to_act[0], action=action)["to_act"]

    for seed in range(6):
        steps(talk, seed, check)
    assert min(counted.values()) > 50, counted


# --- the real process -------------------------------------------------------------------------------------------


def converse(said: bytes, timeout: float = 60) -> tuple[list[dict[str, Any]], bytes, int]:
    """Return all answers of `sniperboard engine` to these bytes, its error output, and its exit code."""
    command = [str(Path(sys.executable).with_name("sniperboard")), "engine"]
    done = subprocess.run(command, input=said, capture_output=True, timeout=timeout, check=False)
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr, done.returncode


def test_process_answers_each_line_until_end_of_input(tmp_path: Path) -> None:
    file = tmp_path / "little.geojson"
    file.write_text(json.dumps(little_board().document()), "utf-8")
    new = {"do": "new", "game": "sniper-elite", "map": str(file), "seed": 1, "id": "after"}
    lines = [
        b'{"do":"hello","id":1}',
        b'{"do":"hello","id":"' + b"x" * 10_000_000 + b'"}',
        b"\xff\x00\xfe",
        b"",
        b'{"do":"legal","seat":NaN}',
        b"[" * 500_000,
        b'{"do":"hello","id":2}\r',
        json.dumps(new).encode(),
        b'{"do":"legal","seat":"sniper","id":3}',
        b'{"do":"hello","id":4}',
    ]
    answers, complaints, code = converse(b"\n".join(lines))
    assert code == 0
    assert complaints == b""
    assert len(answers) == len(lines)
    granted = [answer["id"] for answer in answers if "ok" in answer]
    assert granted == [1, 2, "after", 3, 4]
    assert {answer["error"]["code"] for answer in answers if "error" in answer} == {"not-understood"}
    assert "1 MiB" in answers[1]["error"]["message"]


def test_what_a_game_prints_is_not_among_the_answers(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    def answers(_: object) -> Iterator[bytes]:
        print("debug")
        yield b"{}"

    serve_stdio(answers)
    assert capsysbinary.readouterr() == (b"{}\n", b"debug\n")


def test_process_ends_quietly_when_reader_is_gone() -> None:
    command = [str(Path(sys.executable).with_name("sniperboard")), "engine"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        process.stdin.write(b'{"do":"hello"}\n')
        process.stdin.flush()
        assert b"board-engine/1" in process.stdout.readline()
        process.stdout.close()
        process.stdin.write(b'{"do":"hello"}\n' * 3)
        process.stdin.close()
        assert process.wait(timeout=PATIENCE) == 0
        assert process.stderr.read() == b""
