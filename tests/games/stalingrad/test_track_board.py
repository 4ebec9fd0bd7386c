"""The track board: a board with lamps only, which follows a game that is played on screens."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import asdict

import games
from engine.chance import Chance
from engine.graph.svg import draw
from engine.referee import Referee
from firmware_host.board import wiring
from firmware_host.board.board_io import open_board
from firmware_host.board.cues.scene import LampStyle, glows, paint
from firmware_host.board.side import LAMPS_ALONE, WITHOUT_BOARD
from firmware_host.core import maps
from firmware_host.core.settings import Settings, settle
from firmware_host.records.journal import Journal
from firmware_host.records.past import PastGames
from firmware_host.table.interruption import ReplayStep
from firmware_host.table.table import Table
from games.stalingrad import GAME
from games.stalingrad.show.lamps import cues, lamps
from games.stalingrad.show.lights import LIGHTS
from hardware.ports import DARK
from tests.firmware_host.evening import PIN
from tests.firmware_host.test_without_board import SmallTable
from tests.games.stalingrad.test_at_the_table import play

RULE = pytest.mark.rule
EVERY = range(1, 7)


def a_game(players: int, seed: int) -> Referee:
    """Return a new game."""
    options = GAME.read_options({"players": players})
    referee = Referee(GAME, GAME.blank(None, options))
    referee.tell(GAME.setup(None, options, Chance(Random(seed))))
    return referee


def at_table(folder: Path, players: int = 3) -> SmallTable:
    """Return a table at which a game with this number of players has started."""
    table = SmallTable(folder, GAME)  # type: ignore[arg-type]
    table.table.choose({"game": "stalingrad", "options": {"players": players}})
    seats = [f"player-{number}" for number in range(1, players + 1)]
    table.keys = {seat: table.table.seating.claims.claim(seat, PIN, f"{seat}'s phone", ()) for seat in seats}
    table.table.start({})
    table.wait(0)
    return table


def expected(table: SmallTable) -> set[str]:
    """Return the cells of all cues of a table's game."""
    play = table.table.session.play
    assert play is not None
    return {cell for cue in cues(play.public) for cell in cue.spaces}


# --- the boards -------------------------------------------------------------------------------------------------


@RULE("ST-X-01", "ST-X-03")
@pytest.mark.parametrize("players", EVERY)
def test_board_has_the_cells_of_every_strip_and_the_pads(players: int) -> None:
    board = maps.load(f"tracks-{players}")
    wanted = {f"pad/{number}" for number in range(1, 10)}
    for seat in (f"player-{number}" for number in range(1, players + 1)):
        wanted |= {f"{seat}/{stat}/{cell}" for stat in ("hunt", "shoot", "evade") for cell in range(1, 10)}
        wanted |= {f"{seat}/xp/{cell}" for cell in range(10)} | {f"{seat}/skip/{cell}" for cell in (1, 2)}
        wanted |= {f"{seat}/stars/{cell}" for cell in range(1, 21)}
    assert {*board.enterable} == {*board.spaces} == wanted


def test_wiring_of_a_larger_board_fits_a_smaller_one() -> None:
    largest = maps.load("tracks-6").enterable
    assert all(largest[: len(own)] == own for own in (maps.load(f"tracks-{players}").enterable for players in EVERY))


def test_track_lamps_have_the_spacing_of_a_strip() -> None:
    board = maps.load("tracks-2")
    rows: dict[int, list[int]] = {}
    for space in board.spaces.values():
        rows.setdefault(space.spot[1], []).append(space.spot[0])
    steps = {b - a for row in rows.values() for a, b in zip(sorted(row), sorted(row)[1:], strict=False)}
    assert steps == {167, 2 * 167}, "one lamp between evade and experience is unused"


def test_largest_board_fits_on_a2() -> None:
    across, down = maps.load("tracks-6").size
    assert across <= 4200
    assert down <= 5940


def test_board_drawing_has_numbers_track_names_and_player_names() -> None:
    board = maps.load("tracks-4")
    drawn = draw(board, maps.decoration(board))
    assert drawn.count('class="cell"') == len(board.spaces)
    assert [drawn.count(f">{word}<") for word in ("HUNT", "SHOOT", "EVADE", "STARS", "PLAYER 4")] == [4, 4, 4, 4, 1]


def test_boards_are_offered_for_their_own_game_only() -> None:
    assert maps.offered(GAME) == []
    assert "tracks-2" in maps.names()
    assert all("tracks-2" not in maps.offered(games.find(name)) for name in games.names())


def test_wiring_has_lamps_only(tmp_path: Path) -> None:
    board = maps.load("tracks-1")
    assert wiring.default_wiring(board) == wiring.Wiring((), board.enterable)
    path = tmp_path / "wiring.toml"
    path.write_text(wiring.wiring_text(wiring.default_wiring(board)))
    assert wiring.read_wiring(path, board) == wiring.default_wiring(board)
    path.write_text(wiring.wiring_text(wiring.default_wiring(board)).replace('"pad/9" = 8\n', ""))
    with pytest.raises(wiring.WiringError, match="pad/9: its number is missing"):
        wiring.read_wiring(path, board)


# --- lamps ------------------------------------------------------------------------------------------------------


@RULE("ST-X-01", "ST-X-02", "ST-X-03")
@pytest.mark.parametrize("players", [1, 2, 6])
def test_lamps_show_the_view_at_every_moment(players: int) -> None:
    referee, random = a_game(players, players), Random(players)
    known = {*maps.load(GAME.lamp_board(GAME.read_options({"players": players}))).enterable}
    seen: set[str] = set()
    while referee.to_act:
        view = referee.pictures["table"]
        shown: dict[str, list[str]] = {}
        for cue in cues(view):
            assert {*cue.spaces} <= known
            shown.setdefault(cue.name, []).extend(cue.spaces)
        seen |= shown.keys()
        shown.pop("wound", None)
        named = lamps(view)
        assert shown.keys() == named.keys()
        for name, cells in named.items():
            strips = tuple(cell for cell in cells if "/" not in cell)
            assert {*shown[name]} == ({cell for cell in known if cell.startswith(strips)} if strips else {*cells})
        (seat,) = referee.to_act
        referee.tell(referee.consider(seat, random.choice(referee.legal(seat)), Chance(random)))
    assert seen >= {"turn", "stat", "xp", "pads", "flip", "wound"}
    assert seen <= LIGHTS.keys()


def test_later_cues_are_painted_over_earlier_ones() -> None:
    assert [light.weight for light in LIGHTS.values()] == sorted({light.weight for light in LIGHTS.values()})
    order = [*LIGHTS]
    assert order.index("turn") < order.index("out") < order.index("stars") < order.index("stat") < order.index("buy")
    assert order.index("buy") < order.index("boost") < order.index("pads") < order.index("flip") < order.index("winner")


@RULE("ST-X-02")
def test_strip_flashes_red_from_a_wound_to_the_next_act() -> None:
    referee, random = a_game(2, 5), Random(5)
    while referee.truth.hurt is None:
        (seat,) = referee.to_act
        referee.tell(referee.consider(seat, random.choice(referee.legal(seat)), Chance(random)))
    hurt = referee.truth.hurt
    (cue,) = (cue for cue in cues(referee.pictures["table"]) if cue.name == "wound")
    assert len(cue.spaces) == 59
    assert all(cell.startswith(f"{hurt}/") for cell in cue.spaces)
    board = maps.load("tracks-2")
    frames = [
        paint(glows(cues(referee.pictures["table"]), None, (), ()), board.enterable, at / 20, LampStyle(show=GAME.show))
        for at in range(30)
    ]
    number = board.enterable.index(f"{hurt}/stars/20")
    assert {frame[number] for frame in frames} > {DARK}
    (seat,) = referee.to_act
    draw_cards = next(command for command in referee.legal(seat) if not asdict(command))
    referee.tell(referee.consider(seat, draw_cards, Chance(random)))
    assert referee.truth.hurt is None
    assert "wound" not in {cue.name for cue in cues(referee.pictures["table"])}


# --- at the table -----------------------------------------------------------------------------------------------


@RULE("ST-X-01")
def test_simulated_track_board_follows_games_and_power_cuts(
    tmp_path: Path,
) -> None:
    table, random = at_table(tmp_path), Random(3)
    assert table.table.board.map.slug == "tracks-3"
    assert table.sees("table")["map"] == "", "the screens show no map"
    board = table.sees("board")
    assert (board["map"], board["has_sensors"], board["board"]["sentence"]) == ("tracks-3", False, LAMPS_ALONE)
    for number in range(40):
        play(table, random)
        if number == 20:
            table.pull_the_plug()
            assert table.table.board.map.slug == "tracks-3"
        if number % 5 == 0:
            assert table.lit() == expected(table)
    assert table.table.health() == []
    table.table.session.put_away()
    table.wait(0)
    table.table.choose({"game": "snipers-and-assassins"})
    table.table.start({})
    assert table.table.board.map.slug == "pathways-2"
    table.wait(0)
    assert table.sees("board")["has_sensors"]
    table.table.close()


def test_past_game_is_shown_on_its_track_board(tmp_path: Path) -> None:
    table, random = at_table(tmp_path, 1), Random(2)
    while table.sees("table")["stage"] != "over":
        play(table, random)
    table.table.session.put_away()
    table.table.choose({"game": "sniper-elite"})
    table.wait(0)
    assert table.lit() == set()
    history, _, shown = PastGames(table.table.journal.path).moment(1, 4)
    table.table.session.replay(ReplayStep(GAME, "", str(history.shown_on), "", shown, {"game": 1, "step": 4}))
    assert table.table.board.map.slug == "tracks-1"
    assert table.lit() == {cell for cue in shown for cell in cue.spaces} > {"player-1/hunt/5"}
    table.table.close()


@pytest.mark.parametrize("built", [False, True])
def test_track_board_needs_its_setting(tmp_path: Path, built: bool) -> None:
    settings: Settings = settle({"board": "board_link", "lamp_boards": built})
    now = 100.0
    table = Table(
        settings,
        Journal(tmp_path / "games.sqlite"),
        lambda board: open_board(settings, board, tmp_path, lambda: now, lambda note: table.feed(note)),
        lambda: now,
        Chance(Random(7)),
    )
    table.open()
    table.choose({"game": "stalingrad"})
    for seat in ("player-1", "player-2"):
        table.seating.claims.claim(seat, PIN, seat, ())
    table.start({})
    assert table.board.map.slug == ("tracks-2" if built else "launch-facility")
    sentence = table.board.status(table.session.play)["sentence"]
    assert sentence == (LAMPS_ALONE if built else WITHOUT_BOARD)
    table.close()
