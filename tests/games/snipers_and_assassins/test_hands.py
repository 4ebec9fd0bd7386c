"""Markers moved over identical sensors, sometimes two on one space: `board-hands/1` and simulated players."""

from __future__ import annotations

import json
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.game import TABLE
from engine.graph import Map
from engine.referee import Referee
from firmware_host.board.thresholds import Timing
from firmware_host.board.tracking.facts import public_facts
from firmware_host.board.tracking.hints import SettledEdge
from firmware_host.board.tracking.tracker import PieceTracker
from firmware_host.protocols.tracking import TrackingServer
from games.snipers_and_assassins import GAME
from lab.simulation.episodes import Plan, play_episode
from lab.simulation.kinds import KINDS
from tests.depth import cases
from tests.games.snipers_and_assassins.table import described

RULE = pytest.mark.rule
Json = dict[str, Any]
EACH = cases(6, by_day=3)
ENDLESS = ("scramble", "sleeve")
"""After these events, a marker that left a shared space unnoticed may stay unexplained while all markers are moved."""


@cache
def boards() -> tuple[Map, ...]:
    """Return the boards of some numbers of players. Made when a test needs them, not while all tests are collected."""
    return tuple(GAME.make_map(f"pathways-{count}") for count in (2, 3, 6))


class Board:
    """A client of `board-hands/1`. `heard` are all of its answers."""

    def __init__(self, count: int = 2, **position: Any) -> None:
        self._server, self._now = TrackingServer(), 0
        self.heard: list[Json] = []
        self._say(map=f"pathways-{count}", game=GAME.name, position=described(**position), seed=1)

    def _say(self, **line: Any) -> None:
        self.heard += [json.loads(answer) for answer in self._server.answer(json.dumps(line).encode())]

    def feed(self, *edges: str, after: int = 300) -> None:
        """Lift and place: `-B4` and `+B6` are a sensor cleared and a sensor covered, each some time later."""
        for edge in edges:
            self._now += after
            self._say(t=self._now, space=edge[1:], down=edge[0] == "+")
        self.wait(600)

    def wait(self, ms: int) -> None:
        """Let time pass."""
        self._now += ms
        self._say(t=self._now)

    def tap(self, space: str) -> None:
        """Answer the question on a screen."""
        self._now += 100
        self._say(t=self._now, pick={"space": space})
        self.wait(600)

    def act(self, seat: int, **action: Any) -> None:
        """Submit an act on a screen."""
        self._now += 100
        self._say(t=self._now, act={"seat": f"player-{seat}", "action": action})
        self.wait(600)

    @property
    def acts(self) -> list[Json]:
        """Return the acts that were recognised."""
        return [line["act"]["action"] for line in self.heard if "act" in line]

    @property
    def hint(self) -> Json | None:
        """Return the latest hint, or None if board and game have agreed since."""
        told = [line for line in self.heard if "hint" in line or line.get("agreed") is True]
        return told[-1].get("hint") if told else None


@pytest.mark.parametrize("kind", KINDS)
@RULE("SA-X-01")
def test_clumsy_moves_never_make_a_wrong_act(kind: str) -> None:
    for number in range(EACH):
        verdict = play_episode(Plan(GAME.name, boards(), (kind,), 2026), number)
        assert verdict.wrongs == (), verdict
        assert verdict.lost == () or kind in ENDLESS, verdict


@RULE("SA-X-01")
def test_single_marker_is_tracked_without_a_question() -> None:
    board = Board(S1="B6", A1="C3")
    board.feed("-B6", "+B8", "-C3", "+C5")
    assert board.acts == [{"type": "c-walk", "to": "B8"}, {"type": "walk", "to": "C5"}]
    assert board.hint is None


@RULE("SA-X-01")
def test_table_asks_which_of_two_own_markers_was_taken() -> None:
    board = Board(S1="B6", A1="B6")
    board.feed("+B8")
    assert board.acts == []
    assert board.hint is not None
    assert board.hint["kind"] == "question"
    assert {(one["unit"], one["tap"]) for one in board.hint["between"]} == {("assassin-1", "B8"), ("sniper-1", "B6")}
    board.tap("B6")
    assert board.acts == [{"type": "c-walk", "to": "B8"}]
    board.feed("-B6", "+B7")
    assert board.acts[1:] == [{"type": "walk", "to": "B7"}]


@RULE("SA-X-01")
def test_other_answer_moves_the_other_marker() -> None:
    board = Board(S1="B6", A1="B6")
    board.feed("+B8")
    board.feed("-B8", "+B8")
    assert board.acts == [{"type": "walk", "to": "B8"}]


@RULE("SA-X-01")
def test_move_that_only_one_marker_can_make_is_confirmed() -> None:
    board = Board(S1="B6", A1="B6")
    board.feed("+B9")
    assert board.acts == []
    assert board.hint is not None
    assert [(one["unit"], one["tap"]) for one in board.hint["between"]] == [("sniper-1", "B9")]
    board.tap("B9")
    assert board.acts == [{"type": "c-walk", "to": "B9"}]


def test_rules_distinguish_two_markers_in_one_hand() -> None:
    board = Board(S1="B6", A1="B6")
    board.feed("-B6", "+B9")
    board.wait(3000)
    assert board.acts == [{"type": "c-walk", "to": "B9"}]
    board.feed("+B7")
    assert board.acts[1:] == [{"type": "walk", "to": "B7"}]


@RULE("SA-X-01", "SA-RUN-03")
def test_run_in_asks_for_the_mover_then_guides_the_fallen() -> None:
    board = Board(S1="B6", A1="A3", S2="C6", A2="D5")
    board.feed("-B6")
    assert board.hint is None or board.hint["kind"] != "question"
    board.wait(3000)
    assert board.hint is not None
    assert {one["tap"] for one in board.hint["between"]} == {"C6"}
    board.tap("C6")
    assert board.acts == [{"type": "c-jump", "to": "C6"}]
    board.wait(1000)
    assert (board.hint["kind"], board.hint["from"], board.hint["to"]) == ("correction", "C6", "DL")
    assert board.hint["unit"] == "sniper-2"
    board.feed("+DL")
    assert board.hint is None


@RULE("SA-X-04")
def test_table_guides_a_shot_sniper_to_its_start() -> None:
    board = Board(S1="B6", A1="A3", S2="B8", A2="D5")
    board.act(1, type="a", order="shoot-move", to="B6", target="sniper-2")
    assert board.hint is not None
    assert (board.hint["kind"], board.hint["from"], board.hint["to"]) == ("correction", "B8", "DL")
    board.feed("-B8", "+DL")
    assert board.hint is None


def test_table_guides_a_marker_home_to_a_shared_space() -> None:
    board = Board(S1="B6", A1="A3", S2="B8")
    board.act(1, type="a", order="shoot-move", to="B6", target="sniper-2")
    assert board.hint is not None
    assert (board.hint["kind"], board.hint["from"], board.hint["to"]) == ("correction", "B8", "DL")
    board.feed("-B8")
    assert board.hint is None


def test_different_markers_are_never_confused() -> None:
    assert GAME.alike("sniper-1", "sniper-1")
    assert not GAME.alike("sniper-1", "assassin-1")
    assert not GAME.alike("sniper-1", "sniper-2")


def test_setup_names_players_instead_of_squads() -> None:
    game = Referee(GAME, GAME.position(boards()[0], GAME.read_options({"players": 2}), described(), Chance(Random(1))))
    known = replace(public_facts(GAME, game.pictures[TABLE], boards()[0]), opening=True)
    hands = PieceTracker(Timing())
    for now, edges, said in (
        (0.0, (), "Player 1 sets up: Assassin 1 on "),
        (1.0, (SettledEdge("C6", True, 1.0),), "Player 1 sets up: "),
        (9.0, (), "Nobody starts on C6: player 1 starts on AL."),
    ):
        hands, outcome = hands.feed(known, edges, now)
        assert outcome.hint is not None
        assert outcome.hint.sentence.startswith(said)
