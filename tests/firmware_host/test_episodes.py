"""Episodes of clumsy people and faulty sensors on both maps, and the command that simulates them.

`sniperboard simulate hands --episodes 100000` plays a hundred times as many; see docs/performance.md.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from firmware_host.app import cli
from firmware_host.core import maps
from firmware_host.protocols.tracking import TrackingServer
from games import find
from lab.simulation.episodes import EpisodeVerdict, Plan, play_episode
from lab.simulation.kinds import ASKED, KINDS
from lab.simulation.tally import Tally
from tests.depth import cases

BOARDS = tuple(maps.load(name) for name in maps.offered(find("sniper-elite")))
EACH = cases(6, by_day=3)
QUESTIONS, UNDONE, LATE = {"weak": 1}, {"drag": 1}, {"quick": 1, "weak": 1}
"""Number of cases in which something happens at the same moment as the move; docs/hands.md describes what goes wrong.
"""
REST, SLIDE = 100, 300
"""Milliseconds after the last contact."""


@cache
def verdicts(kind: str) -> list[EpisodeVerdict]:
    """Return some episodes of one kind."""
    return [play_episode(Plan("sniper-elite", BOARDS, (kind,), 2026), number) for number in range(EACH)]


@pytest.mark.parametrize("kind", KINDS)
def test_no_wrong_act_is_committed_and_episodes_end_in_agreement(kind: str) -> None:
    found = verdicts(kind)
    assert kind in ASKED or sum(verdict.questions for verdict in found) <= QUESTIONS.get(kind, 0)
    assert sum(verdict.undone for verdict in found) <= UNDONE.get(kind, 0)
    for verdict in found:
        assert verdict.wrongs == (), verdict
        assert verdict.lost == (), verdict
        assert all(made <= needed for made, needed in verdict.carries), verdict


@pytest.mark.parametrize("kind", ["clean", "slide", "hover", "quick", "ghost", "deploy", "wrong-piece", "weak"])
def test_honest_move_is_made_soon_after_last_contact(kind: str) -> None:
    found = verdicts(kind)
    late = [
        commit
        for verdict in found
        for commit in verdict.commits
        if commit.latency > (SLIDE if commit.extendable else REST)
    ]
    assert len(late) <= LATE.get(kind, 0), late


def test_every_kind_is_documented() -> None:
    for name, kind in KINDS.items():
        assert kind.__doc__, name
    assert KINDS.keys() >= ASKED


def test_same_seed_gives_same_episode() -> None:
    plan = Plan("sniper-elite", BOARDS, tuple(KINDS), 5)
    assert [play_episode(plan, number) for number in range(12)] == [play_episode(plan, number) for number in range(12)]


# --- the command ------------------------------------------------------------------------------------------------


def test_command_prints_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "hands", "--episodes", "6", "--jobs", "1", "--kinds", "clean,swap", "--map", "submarine-pens"]
    assert cli.main(asked) == 0
    said = capsys.readouterr().out
    assert "wrong acts: 0 in 6 episodes" in said
    assert [line.split()[0] for line in said.splitlines()[:4]] == ["kind", "clean", "swap", "all"]


def test_episode_can_be_saved_as_trace_with_same_result(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["simulate", "hands", "--episode", "3", "--kinds", "quick", "--jsonl", "--write", str(tmp_path)]
    assert cli.main(asked) == 0
    (path,) = tmp_path.glob("quick-1-3.jsonl")
    verdict = json.loads(capsys.readouterr().out.splitlines()[0])
    server, heard = TrackingServer(), []
    for line in path.read_bytes().splitlines():
        heard += [json.loads(answer) for answer in server.answer(line)]
    acts = [(line["t"], line["act"]["action"]["unit"]) for line in heard if "act" in line]
    assert acts == [(commit["t"], commit["unit"]) for commit in verdict["commits"]]
    assert len(acts) > 1
    assert not any("error" in line for line in heard)


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        (["--kinds", "clen"], "Did you mean 'clean'?"),
        (["--episodes", "0"], "whole numbers"),
        (["--map", "nowhere"], "nowhere"),
    ],
)
def test_unknown_name_is_reported(asked: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["simulate", "hands", *asked]) == 1
    assert says in capsys.readouterr().err


def test_wrong_act_is_counted() -> None:
    (verdict,) = [play_episode(Plan("sniper-elite", BOARDS, ("clean",), 1), 1)]
    tally = Tally()
    tally.add(verdict)
    assert tally.wrong == 0
    raw: dict[str, Any] = {"t": 5.0, "what": "the table moved red-1 to R1"}
    bad = {**{name: getattr(verdict, name) for name in verdict.__struct_fields__}, "wrongs": (raw,)}
    tally.add(EpisodeVerdict(**bad))
    assert tally.wrong == 1
    assert next(tally.sentences()) == "wrong acts: 1 in 2 episodes"
