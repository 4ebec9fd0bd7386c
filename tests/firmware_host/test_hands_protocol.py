"""`board-hands/1`: each sentence of the contract, every line in and out. No input changes the game or ends the
conversation.
"""

from __future__ import annotations

import io
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from firmware_host.protocols import tracking as hands_protocol
from firmware_host.protocols.lines import LONGEST_LINE
from firmware_host.protocols.tracking import TrackingServer
from tests.engine.graph.drawings import board as little_board
from tests.firmware_host.tracing import ALONE, TWO, Trace, toys
from tests.patience import PATIENCE

# --- output -------------------------------------------------------------------------------------------------------


def test_move_is_held_then_acted_then_agreed() -> None:
    trace = Trace().lift(120, "c4").put(700, "a4").until(2000)
    assert trace.output == [
        {"t": 145, "held": ["red-1"]},
        {"t": 145, "agreed": False},
        {"t": 780, "act": {"seat": "defenders", "action": {"type": "move", "unit": "red-1", "to": "a4"}}},
        {"t": 780, "held": []},
        {"t": 780, "agreed": True},
    ]


def test_every_unit_starts_where_game_has_it() -> None:
    assert Trace().until(10_000).output == []
    assert Trace(position={"units": {}}).until(10_000).output == []


def test_rest_counts_from_last_contact() -> None:
    trace = Trace().lift(0, "c4").put(500, "a4").lift(504, "a4").put(507, "a4").lift(512, "a4").put(515, "a4")
    assert trace.until(2000).moves == [(595, "red-1", "a4")]


def test_rest_times_are_settings() -> None:
    given = {"rest_ms": 30, "slide_settle_ms": 120, "debounce_ms": 5}
    trace = Trace(settings=given).lift(0, "c4").put(500, "c5").until(900).lift(1000, "f8").put(1500, "f6").until(2000)
    assert trace.moves == [(620, "red-1", "c5"), (1530, "yellow-1", "f6")]
    assert trace.of("held")[0] == (5, ["red-1"])


@pytest.mark.parametrize("step", [1, 3.5, 7, 40, 1000])
def test_frequency_of_time_lines_changes_nothing(step: float) -> None:
    def output_every(every: float) -> list[Any]:
        trace, now = Trace(TWO), 0.0
        for t, space, down in [(100, "c4", False), (160, "c5", False), (700, "b4", True), (760, "b5", True)]:
            while now + every < t:
                now += every
                trace.until(now)
            now = trace.edge(t, space, down) and t
        return trace.until(5000).output

    assert output_every(step) == output_every(10_000)
    assert len(output_every(step)) > 3


def test_long_silence_is_processed_with_correct_times() -> None:
    trace = Trace().lift(100, "c4").put(600, "c6").say({"t": 1e12})
    assert trace.moves == [(680, "red-1", "c6")]


def test_wrong_place_hint_names_legal_spaces() -> None:
    trace = Trace().lift(0, "c4").put(500, "a1").until(2000)
    (hint,) = [hint for _, hint in trace.of("hint")]
    assert hint["kind"] == "wrong-place"
    assert hint["spaces"] == ["a1"]
    assert {"c4", "a4", "c6"} <= set(hint["legal"])
    assert hint["sentence"]
    assert trace.moves == []


def ask_question() -> Trace:
    """Put down two pieces that the rules cannot tell apart."""
    return Trace(TWO).lift(0, "c4").lift(5, "c5").put(600, "b4").put(640, "b5").until(2000)


def test_question_names_answers_with_their_taps() -> None:
    trace = ask_question()
    assert trace.moves == []
    hint = trace.hint
    assert hint["kind"] == "question"
    assert hint["about"] in ("b4", "b5")
    assert {choice["tap"] for choice in hint["between"]} == {"b4", "b5"}
    for choice in hint["between"]:
        assert choice["unit"] == choice["action"]["unit"]


def test_tap_that_answers_nothing_changes_nothing() -> None:
    assert Trace().say({"t": 10, "pick": {"space": "c4"}}).until(1000).output == []
    trace = ask_question()
    assert trace.say({"t": 2500, "pick": {"space": "f1"}}).until(3000).moves == []
    assert len(trace.say({"t": 3000, "pick": {"space": "b4"}}).moves) == 2


def test_acts_of_screen_are_applied_and_not_echoed() -> None:
    move = {"type": "move", "unit": "red-1", "to": "c5"}
    trace = Trace().say({"t": 100, "act": {"seat": "defenders", "action": move}}).until(500)
    assert trace.moves == []
    assert trace.of("agreed") == [(100, False)]
    assert [(hint["kind"], hint["from"], hint["to"]) for _, hint in trace.of("hint")] == [("correction", "c4", "c5")]
    trace.lift(1000, "c4").put(1500, "c5").until(2000)
    assert trace.agreed
    assert trace.moves == []


def test_turn_can_end_on_screen_with_piece_lifted() -> None:
    trace = Trace().lift(0, "c4").say({"t": 500, "act": {"seat": "defenders", "action": {"type": "end-turn"}}})
    trace.put(1000, "c5").until(3000)
    assert trace.moves == []
    assert trace.hint["kind"] == "correction"


def test_sensors_of_manual_spaces_do_not_count() -> None:
    trace = Trace(manual=["c4"]).lift(100, "c4").put(500, "f1").until(900)
    assert trace.of("held") == []


# --- equal times --------------------------------------------------------------------------------------------------


def test_piece_lifted_at_moment_of_rest_has_not_rested() -> None:
    assert Trace().lift(0, "c4").put(500, "a4").lift(580, "a4").put(1000, "c4").until(2000).moves == []


def test_edges_come_before_what_is_due_at_same_time() -> None:
    trace = Trace().lift(0, "c4").put(500, "a4").put(580, "f1").lift(580, "a4").until(585)
    assert trace.moves == []


def test_what_is_due_at_time_of_last_line_is_done() -> None:
    said = [{"map": "launch-facility", "position": {"turn": "defenders", "sniper": {"space": "Y3"}}, "seed": 1}]
    said += [{"t": 0, "space": "R11", "down": False}, {"t": 500, "space": "R2", "down": True}]
    rest: list[dict[str, Any]] = [{"t": 2000, "space": "R11", "down": False}]
    source = io.BytesIO("\n".join(json.dumps(line) for line in said + rest).encode())
    heard = [json.loads(line) for line in hands_protocol.answers(source)]
    assert [line["act"]["action"]["to"] for line in heard if "act" in line] == ["R2"]


def test_move_that_rests_when_turn_ends_is_made_first() -> None:
    trace = Trace().lift(0, "c4").put(500, "a4")
    trace.say({"t": 580, "act": {"seat": "defenders", "action": {"type": "end-turn"}}})
    assert trace.moves == [(580, "red-1", "a4")]


# --- errors -----------------------------------------------------------------------------------------------------


INVALID: list[tuple[bytes, str]] = [
    (b"", "empty"), (b"\xff\xfe", "JSON"), (b"{", "JSON"), (b"[1]", "object"), (b"7", "object"), (b"{}", "object"),
    (b'{"t":NaN}', "JSON"), (b'{"t":Infinity}', "JSON"), (b'{"t":1e999}', "range"), (b'{"t":true}', "float"),
    (b'{"t":"5"}', "float"), (b'{"t":null}', "float"), (b'{"t":-1}', ">= 0"), (b'{"t":1e300}', "<="),
    (b'{"t":1' + b"0" * 5000 + b"}", ""), (b'{"t":5,"t":6}', "twice"),
    (b'{"space":"c4","down":true}', "`t`"),
    (b'{"t":5,"space":"c4"}', "`down`"), (b'{"t":5,"down":true}', "`space`"),
    (b'{"t":5,"space":"c4","down":1}', "bool"), (b'{"t":5,"space":4,"down":true}', "str"),
    (b'{"t":5,"space":"c4","down":true,"by":"me"}', "`by`"), (b'{"t":5,"space":"zz","down":true}', "zz"),
    (b'{"t":5,"space":"d4","down":true}', "nobody can enter"), (b'{"t":5,"pick":{"space":"zz"}}', "zz"),
    (b'{"t":5,"pick":"c4"}', "object"), (b'{"t":5,"pick":{}}', "`space`"),
    (b'{"t":5,"act":{"seat":"defenders"}}', "`action`"), (b'{"t":5,"act":{"seat":"table","action":{}}}', "table"),
    (b'{"t":5,"act":{"seat":"defenders","action":{"type":"fly"}}}', "fly"),
    (b'{"t":5,"act":{"seat":"sniper","action":{"type":"end-turn"}}}', ""),
    (b'{"t":5,"act":{"seat":"defenders","action":{"type":"move","unit":"red-1","to":"f1"}}}', ""),
    (b'{"map":"toy"}', "already"), (b'{"t":5,"act":' + b"[" * 100_000, "too deeply"),
    (b'{"t":5,"act":' + b"[" * 33 + b"]" * 33 + b"}", "too deeply"), (b'{"t":%d}' % (1 << 1023), "out of range"),
    (b'{"t":5,"pick":{"space":-0.0}}', "minus zero"), (b'{"t":5,"pick":{"space":"c4\\udfff"}}', "surrogate"),
    (b'{"t":5,"pick":"' + b"x" * LONGEST_LINE + b'"}', "too long"),
]  # fmt: skip
"""Lines that are no request, and what is said about each."""


def test_invalid_lines_are_reported_and_change_nothing() -> None:
    trace = Trace()
    for line, says in INVALID:
        error = trace.say(line).error
        assert error["code"] in ("not-understood", "refused", "ambiguous"), line
        assert (error["code"] == "ambiguous") == (says == "twice"), line
        assert says in error["message"], line
    trace.output.clear()
    trace.lift(120, "c4").put(700, "a4").until(2000)
    assert trace.moves == [(780, "red-1", "a4")]
    assert len(trace.output) == 5


def test_earlier_time_is_refused() -> None:
    trace = Trace().until(500).say({"t": 499.9, "space": "c4", "down": False})
    assert trace.error["code"] == "not-understood"
    assert "499.9" in trace.error["message"]
    assert trace.until(500).until(5000).of("held") == []


def test_refused_act_takes_no_time() -> None:
    move = {"type": "move", "unit": "red-1", "to": "f1"}
    trace = Trace().say({"t": 900, "act": {"seat": "defenders", "action": move}})
    assert trace.error["code"] == "refused"
    trace.output.clear()
    assert trace.lift(120, "c4").put(700, "a4").until(2000).moves == [(780, "red-1", "a4")]


@pytest.mark.parametrize(
    "first",
    [
        {"map": "nowhere"}, {"map": "/no/such.geojson"}, {"map": 5}, {}, {"map": "toy", "position": 5},
        {"map": "toy", "position": {"units": {"red-1": "zz"}}}, {"map": "toy", "seed": [1]}, {"map": "toy", "hm": 1},
        {"map": "toy", "settings": {"rest": 5}}, {"map": "toy", "settings": {"rest_ms": "5"}},
        {"map": "toy", "settings": {"rest_ms": -5}}, {"map": "toy", "settings": {"port": 80}},
        {"map": "toy", "settings": []}, {"map": "toy", "manual": ["zz"]}, {"map": "toy", "options": 7}, {"t": 5},
        {"t": 5, "space": "c4", "down": False},
    ],
)  # fmt: skip
def test_invalid_first_line_is_reported_and_can_be_repeated(first: dict[str, Any]) -> None:
    trace = Trace.__new__(Trace)
    trace.server, trace.output = TrackingServer(toys), []
    assert trace.say(first).error["code"] == "not-understood"
    trace.say({"map": "toy", "position": {"turn": "defenders", "sniper": {"space": "a8"}, "units": ALONE}})
    assert trace.lift(120, "c4").put(700, "a4").until(2000).moves == [(780, "red-1", "a4")]


def test_map_may_be_a_path(tmp_path: Path) -> None:
    path = tmp_path / "little.geojson"
    path.write_text(json.dumps(little_board().document()))
    server = TrackingServer()
    assert server.answer(json.dumps({"map": str(path)}).encode()) == []


def test_command_reads_trace_and_writes_result() -> None:
    said: list[Any] = [{"map": "launch-facility", "position": {"turn": "defenders", "sniper": {"space": "Y3"}}}]
    said += [{"t": 0, "space": "R11", "down": False}, {"t": 500, "space": "R2", "down": True}, {"t": 2000}]
    trace = b"\n".join(json.dumps(line).encode() for line in said) + b"\n" + b"x" * (1 << 21) + b'\n{"t":1}'
    command = [sys.executable, "-m", "firmware_host", "hands"]
    done = subprocess.run(command, input=trace, capture_output=True, check=True, timeout=PATIENCE)
    heard = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["act"]["action"]["to"] for line in heard if "act" in line] == ["R2"]
    assert [line["error"]["code"] for line in heard if "error" in line] == ["not-understood", "not-understood"]
    assert done.stderr == b""
