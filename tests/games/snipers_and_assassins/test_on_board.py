"""The board with sensors and lamps: the generated outlines, where markers belong, what lamps show."""

from __future__ import annotations

from itertools import islice
from random import Random

import pytest

from engine.chance import Chance
from engine.game import TABLE, Cue, MakesMaps, OnBoard
from engine.graph import Map
from engine.refusal import NotUnderstood
from firmware_host.core.lamp_colours import LIGHTS
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.map_rules import pathways
from games.snipers_and_assassins.rules.picture import Picture
from tests.games.protocol_client import Json
from tests.games.random_play import RandomGame
from tests.games.snipers_and_assassins.table import described

RULE = pytest.mark.rule
BOARDS = pytest.mark.parametrize("slug", GAME.map_names())
SHEETS = {"pathways-2": (5940, 4200), "pathways-3": (5940, 4200), "pathways-4": (5940, 8410)}


def picture_of(count: int = 2, **parts: Json | str | list[str]) -> Picture:
    """Return the public picture of a position."""
    position = described(**parts)
    options = GAME.read_options({"players": count})
    return GAME.position(GAME.make_map(f"pathways-{count}"), options, position, Chance(Random(1)))[TABLE]


def cue(view: Picture, name: str) -> tuple[str, ...]:
    """Return the spaces of a cue, or none if it is not shown."""
    return next((found.spaces for found in GAME.cues(view) if found.name == name), ())


def after(view: Picture, kind: str, **fields: object) -> Picture:
    """Return the public picture after an act."""
    command = GAME.read_command(view.turn, {"type": kind, **fields})
    GAME.check(view, view.turn, command)
    for told in GAME.decide(view, command, Chance(Random(1))):
        view = GAME.fold(view, told.event)
    return view


def test_game_has_its_board_capabilities() -> None:
    assert isinstance(GAME, OnBoard)
    assert isinstance(GAME, MakesMaps)
    with pytest.raises(NotUnderstood):
        GAME.make_map("pathways-9")


@BOARDS
@RULE("SA-X-01", "SA-BRD-04")
def test_only_spaces_and_hideouts_have_sensors(slug: str) -> None:
    board = GAME.make_map(slug)
    rows = pathways.BOARDS.players_on(slug) + 2
    assert len(board.enterable) == len(board.spaces) == 14 * rows
    assert {space.spot[1] for space in board.spaces.values()} == {
        pathways.MARGIN + pathways.PITCH // 2 + 2 * pathways.PITCH * row for row in range(rows)
    }


@BOARDS
@RULE("SA-BRD-01", "SA-BRD-02", "SA-BRD-03")
def test_outlines_are_regular_and_fit_on_a_sheet(slug: str) -> None:
    board = GAME.make_map(slug)
    assert board == GAME.make_map(slug)
    width, height = board.size
    sheet = SHEETS.get(slug, (5940, 8410))
    assert (width, height) <= sheet
    assert height <= sheet[1]
    shapes = {name: shape(board, name) for name in board.spaces}
    assert len({found for name, found in shapes.items() if name[1:] not in "LR"}) == 1
    assert {found for name, found in shapes.items() if name.endswith("R")} == {mirrored(shapes["AL"])}
    for space in board.spaces.values():
        assert all(0 < x < width and 0 < y < height for x, y in space.outline)


def shape(board: Map, name: str) -> frozenset[tuple[int, int]]:
    """Return the corners of a space relative to its spot."""
    space = board.spaces[name]
    return frozenset((x - space.spot[0], y - space.spot[1]) for x, y in space.outline)


def mirrored(corners: frozenset[tuple[int, int]]) -> frozenset[tuple[int, int]]:
    """Return the mirror image of a shape."""
    return frozenset((-x, y) for x, y in corners)


@BOARDS
def test_steps_follow_pathways_over_common_edges(slug: str) -> None:
    board = GAME.make_map(slug)
    for name, near in board.walk.items():
        for other in near:
            assert name[0] == other[0]
            assert len(set(board.spaces[name].outline) & set(board.spaces[other].outline)) == 2
    assert board.walk["A9"] == ("A8", "A10")
    assert board.walk["AL"] == ("A1",)
    assert board.sights == {}


@RULE("SA-X-01", "SA-X-03")
def test_only_markers_stand_on_the_board() -> None:
    view = picture_of(S1="B4", A1="B4", mines1=["B6"], p2={"recover": True, "shot": "fresh"})
    assert GAME.standing(view) == {"sniper-1": "B4", "assassin-1": "B4", "sniper-2": "DL", "assassin-2": "DL"}
    assert GAME.optional(view) == frozenset()
    assert [GAME.colour(marker) for marker in GAME.standing(view)] == ["player-1", "player-1", "player-2", "player-2"]
    assert GAME.called("assassin-2") == "Assassin 2"


@RULE("SA-X-01")
def test_only_plain_moves_are_made_on_the_board() -> None:
    view = picture_of(S1="B6", A1="C6")
    found = {(one.unit, one.to): one.command for one in GAME.placements(view)}
    assert len(found) == len(GAME.placements(view)), "a placement has only one meaning"
    assert {to for unit, to in found if unit == "assassin-1"} == {"C4", "C5", "C7", "C8", "B6", "D6"}
    assert {to for unit, to in found if unit == "sniper-1"} == {
        *("B3", "B4", "B5", "B7", "B8", "B9"),
        *("A5", "A6", "A7", "C5", "C6", "C7"),
    }
    assert all(command in GAME.legal(view, "player-1") for command in found.values())


def test_setup_counts_as_opening() -> None:
    assert not GAME.opening(picture_of())
    view = picture_of(3, setup="start")
    assert GAME.opening(view)
    assert GAME.standing(view) == dict.fromkeys(GAME.standing(view))
    assert not GAME.begins(GAME.legal(view, "player-1")[0])
    assert GAME.begins(GAME.legal(picture_of(), "player-1")[0])


@RULE("SA-X-02")
def test_lamps_show_every_status() -> None:
    view = picture_of(S1="B6", A1="A1", A2="B8", S2="D12", mines2=["C2", "A7"], p2={"shot": "stale", "recover": True})
    assert cue(view, "target") == ("B8",)
    assert cue(view, "shot-at") == ("B8",)
    assert cue(view, "unable") == ("D12",)
    assert cue(view, "mine") == ("A7", "C2")
    assert set(cue(view, "jump")) >= {"A6", "C6", "B1"}
    assert set(cue(view, "reach")) >= {"B3", "B9", "A3", "AL"}
    assert "C9" in cue(view, "range")
    assert "C10" not in cue(view, "range")
    assert [found for found in GAME.cues(view) if found.name == "leader"] == [
        Cue("leader", ("AR",), "player-1"),
        Cue("leader", ("DR",), "player-2"),
    ]
    half = picture_of(S1="B6", p1={"jump": {"dir": "down", "option": 1}})
    assert cue(half, "double-jump") == ("B6",)
    assert cue(picture_of(A1="B6", p1={"locked": True}), "unable") == ("B6",)


@RULE("SA-X-02")
def test_lamps_show_claymores_and_the_winner() -> None:
    swept = after(picture_of(A1="A1", S2="A9", p1={"pushed_back": True}), "claymore")
    assert cue(swept, "claymore") == tuple(f"A{column}" for column in range(1, 13))
    assert cue(after(swept, "end-turn"), "claymore") == ()
    won = after(picture_of(A1="D11"), "walk", to="DR")
    assert [found for found in GAME.cues(won) if found.name == "victory"] == [Cue("victory", ("DR",), "player-1")]
    assert cue(won, "reach") == cue(won, "range") == ()


@RULE("SA-X-04")
def test_replaced_sniper_belongs_at_its_start() -> None:
    view = after(picture_of(S1="B5", S2="B7"), "a", order="shoot-move", to="B5", target="sniper-2")
    assert GAME.standing(view)["sniper-2"] == "DL"
    assert cue(view, "fallen") == ("B7",)
    assert cue(after(view, "end-turn"), "fallen") == ()


@pytest.mark.parametrize("seed", range(3))
@RULE("SA-X-02")
def test_every_cue_has_a_light_and_every_player_a_colour(seed: int) -> None:
    play = RandomGame(GAME, GAME.make_map("pathways-6"), seed, {"players": 6})
    named = {found.name for _ in islice(play.steps(), 150) for found in GAME.cues(play.referee.pictures[TABLE])}
    assert named <= GAME.show.lights.keys() | LIGHTS.keys()
    assert {"leader", "range", "mine", "jump", "reach"} <= named
    for palette in GAME.show.palettes.values():
        colours = [palette[seat] for seat in play.referee.truth.seats]
        assert len({*colours}) == len(colours)
