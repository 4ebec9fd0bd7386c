"""`--fault-script`: scripts are read with every complaint, and a table plays on over a faulty board."""

from __future__ import annotations

from pathlib import Path

import pytest

from firmware_host.board.fault_script import read_script
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import ConfigError, settle
from hardware.faults import DEFAULT_TIMES, Fault, Script
from tests.firmware_host.evening import Evening

SENSORS = {"R1": 0, "R2": 1}
DOCS = Path(__file__).resolve().parent.parent.parent / "docs" / "faults.md"


def script(folder: Path, text: str, name: str = "liar.toml") -> Script:
    """Return a script from a file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return read_script(path, SENSORS, 2)


def test_script_is_toml_or_json_lines(tmp_path: Path) -> None:
    meant = Script((Fault("dead", 1, at=5), Fault("bounce")), 7)
    toml = 'seed = 7\n[[fault]]\nkind = "dead"\nspace = "R2"\nat = 5\n[[fault]]\nkind = "bounce"\n'
    lines = '{"seed":7}\n{"kind":"dead","sensor":1,"at":5}\n\n{"kind":"bounce"}\n'
    assert script(tmp_path, toml) == script(tmp_path, lines, "liar.jsonl") == meant


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("seed = ", "Invalid value"), ("seed = 'x'", "whole number"), ("fault = 5", "nothing else"),
        ("x = 5", "nothing else"),
        ('[[fault]]\nkind = "gost"', "no kind 'gost'"), ('[[fault]]\nspace = "R9"\nkind = "dead"', "R9"),
        ('[[fault]]\nkind = "dead"\nhm = 1', "hm"), ("[[fault]]", "kind"), ('[[fault]]\nkind = 5', "str"),
    ],
)  # fmt: skip
def test_invalid_script_is_reported(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(ConfigError, match=r"docs/faults\.md") as caught:
        script(tmp_path, text)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("{", "line 2 is not JSON"), ('{"kind":"\\ud800"}', "surrogate"), ('{"kind":"dead","at":-0.0}', "minus zero"),
        ('{"kind":"dead","kind":"bounce"}', "line 2 says 'kind' twice"), ("[" * 40 + "]" * 40, "too deeply"),
        ("[" * 50_000, "too deeply"), ('"' + "x" * 70_000 + '"', "too long"), ("1e999", "out of range"),
    ],
)  # fmt: skip
def test_json_line_is_read_strictly(tmp_path: Path, line: str, says: str) -> None:
    with pytest.raises(ConfigError, match=r"docs/faults\.md") as caught:
        script(tmp_path, '{"seed":7}\n' + line, "liar.jsonl")
    assert says in str(caught.value)


def test_all_faults_are_reported_at_once(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        script(tmp_path, '[[fault]]\nkind = "gost"\n[[fault]]\nkind = "dead"\nsensor = 9\n')
    assert len(caught.value.faults) == 2


def test_missing_script_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_script(tmp_path / "nowhere.toml", SENSORS, 2)


def test_script_is_refused_for_real_board() -> None:
    with pytest.raises(ConfigError, match="only the simulated board"):
        settle({"board": "board_link", "fault_script": "liar.toml"})


def test_every_kind_of_fault_is_documented() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for kind in DEFAULT_TIMES:
        assert f"| `{kind}` |" in text


def test_table_plays_on_over_faulty_board(tmp_path: Path) -> None:
    path = tmp_path / "liar.jsonl"
    path.write_text('{"seed":4}\n{"kind":"bounce"}\n{"kind":"ghost","chance":0.5}\n{"kind":"weak"}\n', encoding="utf-8")
    evening = Evening(tmp_path, settle({"fault_script": str(path)}))
    evening.start_hunt()
    to = next(act["to"] for act in evening.legal("defenders", "move") if act["unit"] == "red-1")
    evening.lift("red-1")
    evening.wait(500)
    evening.put("red-1", to, wait=1500)
    assert evening.space_of("red-1") == to


def test_script_for_another_map_is_reported_and_table_stays(tmp_path: Path) -> None:
    here, there = (set(maps.load(name).enterable) for name in ("launch-facility", "submarine-pens"))
    path = tmp_path / "liar.jsonl"
    path.write_text(f'{{"kind":"dead","space":"{min(here - there)}"}}\n', encoding="utf-8")
    evening = Evening(tmp_path, settle({"fault_script": str(path)}))
    evening.claim_seats()
    with pytest.raises(UserError, match="will not do"):
        evening.table.start({"map": "submarine-pens"})
    evening.table.start({"map": "launch-facility", "options": {"random_setup": True}})
    assert evening.sees("table")["map"] == "launch-facility"
