"""Bots at every seat play whole games over the simulated board, and never wait for a board that is already correct."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from engine.chance import Chance
from engine.graph import Map
from firmware_host.board.board_io import BoardIO
from firmware_host.board.drivers import open_drivers
from firmware_host.board.wiring import FILE, Wiring, wiring_text
from firmware_host.core import maps
from firmware_host.core.settings import settle
from games import find
from tests.depth import DEPTH
from tests.firmware_host.evening import Evening

RACE = "snipers-and-assassins"
SMALLEST = "pathways-2"
"""The map of the race that each run plays; other maps differ in size."""
NIGHTLY = {True: pytest.mark.nightly, False: ()}
PAUSE = 100
"""Milliseconds between two acts of a bot."""
LONG = 60.0
"""Seconds; longer than any bot searches and any person carries."""


class Hall(Evening):
    """A table with bots. With `by_hand`, a person carries the miniatures, in any game."""

    def _open_board(self, board: Map) -> BoardIO:
        fitted = open_drivers(self.settings, board, self.folder, lambda: self.now, self._report)
        return BoardIO(board, replace(fitted, miniatures=None) if self.by_hand else fitted, self.settings, self._report)


def start_game(folder: Path, seed: int, choice: dict[str, str], bot: str, *, by_hand: bool = False) -> Hall:
    """Start a game of bots with sensors."""
    hall = Hall(folder, settle({"bot_pause_ms": PAUSE, "bot_thought_ms": 0}), Chance(Random(seed)))
    if by_hand:
        hall.table.close()
        hall.by_hand = True
        hall.sit_down()
    hall.table.choose(choice)
    for seat in hall.table.session.seats:
        hall.table.seating.seat_bot(seat.name, bot)
    hall.table.start({})
    hall.table.board.use_sensors(True)
    if by_hand:
        hall.simulated.set_miniatures(standing(hall))
    hall.wait(0)
    return hall


def is_over(hall: Hall) -> bool:
    return bool(hall.sees("table")["stage"] == "over")


def standing(hall: Hall) -> dict[str, str | None]:
    """Return where the game has each miniature."""
    assert hall.table.session.play is not None
    return dict(hall.table.session.play.standing)


def event_count(hall: Hall) -> int:
    """Return how many events everyone got."""
    assert hall.table.session.play is not None
    return len(hall.table.session.play.referee.told["table"])


def played_out(hall: Hall) -> None:
    """Move the clock until the game is over; the board moves its miniatures by itself."""
    count, since = event_count(hall), hall.now
    while not is_over(hall):
        hall.wait(500)
        if count != (count := event_count(hall)):
            since = hall.now
        assert hall.now - since < LONG, (hall.board, standing(hall), hall.simulated.places)
    hall.wait(1000)
    assert hall.board["state"] == "agreed"
    hall.table.close()


@pytest.mark.nightly
@pytest.mark.parametrize("seed", range(2))
def test_race_of_bots_is_played_to_end(tmp_path: Path, seed: int) -> None:
    played_out(start_game(tmp_path, seed, {"game": RACE}, "racer"))


@pytest.mark.long
@pytest.mark.parametrize(
    "board",
    [
        board if board == SMALLEST else pytest.param(board, marks=pytest.mark.nightly)
        for board in maps.offered(find(RACE))
    ],
)
@pytest.mark.parametrize("seed", range(DEPTH))
def test_race_of_bots_is_played_to_end_on_every_map(tmp_path: Path, seed: int, board: str) -> None:
    players = int(board.rsplit("-", 1)[1])
    choice = {"game": RACE, "map": board, "options": {"players": players}}
    played_out(start_game(tmp_path, seed, choice, "racer"))  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["sniper-elite", "sniper-elite-solo"])
@pytest.mark.parametrize("seed", range(1))
def test_other_games_are_played_to_end(tmp_path: Path, seed: int, game: str) -> None:
    played_out(start_game(tmp_path, seed, {"game": game}, "random"))


# --- carried by hand --------------------------------------------------------------------------------------------


class Carrier:
    """Carries miniatures to where the game has them, in any order, and not always directly."""

    def __init__(self, hall: Hall, random: Random) -> None:
        self.hall, self.random = hall, random
        self.wiring = hall.table.board.io.wiring

    def astray(self) -> list[str]:
        """Return the miniatures that are not where the game has them."""
        places, wiring = self.hall.simulated.places, self.wiring
        return [
            unit
            for unit, space in standing(self.hall).items()
            if places[unit] != (None if space is None else wiring.sensor_of(space))
        ]

    def carry(self, unit: str, space: str | None) -> None:
        """Lift a miniature and put it down, sometimes on another space first, or dragged slowly over both sensors."""
        board, hall = self.hall.simulated, self.hall
        sensor = None if space is None else self.wiring.sensor_of(space)
        chance = self.random.random()
        if sensor is not None and chance < 0.2 and sensor not in board.places.values():
            board.report_spurious_edge(sensor, True)
            hall.wait(self.random.randint(120, 5000))
        else:
            board.carry(unit, None)
            hall.wait(self.random.randint(50, 900))
        free = [number for number in range(board.count) if number not in board.places.values()]
        if chance > 0.8:
            board.carry(unit, self.random.choice(free))
            hall.wait(self.random.randint(50, 3000))
            board.carry(unit, None)
            hall.wait(self.random.randint(50, 900))
        board.carry(unit, sensor)
        hall.wait(self.random.randint(50, 900))

    def tidy(self) -> None:
        """Carry until everything is where the game has it."""
        while units := self.astray():
            unit = self.random.choice(units)
            self.carry(unit, standing(self.hall)[unit])


@pytest.mark.parametrize(
    ("game", "bot"),
    [
        pytest.param(RACE, "racer", marks=pytest.mark.nightly),
        ("sniper-elite", "random"),
        pytest.param("sniper-elite-solo", "random", marks=pytest.mark.nightly),
    ],
)
@pytest.mark.parametrize("seed", range(1))
def test_bots_go_on_once_clumsy_people_have_carried_everything(tmp_path: Path, game: str, bot: str, seed: int) -> None:
    hall = start_game(tmp_path, seed, {"game": game}, bot, by_hand=True)
    person = Carrier(hall, Random(seed))
    while not is_over(hall):
        person.tidy()
        count, since = event_count(hall), hall.now
        while not is_over(hall) and count == event_count(hall) and not person.astray():
            hall.wait(100)
            assert hall.now - since < LONG, (hall.board, standing(hall), hall.simulated.places)
    hall.table.close()


# --- fixing all pieces --------------------------------------------------------------------------------------------


def test_board_agrees_after_all_pieces_are_fixed_whatever_happened_before(tmp_path: Path) -> None:
    """Pieces are lifted, exchanged and put down anywhere, and sensors report pieces that do not exist."""
    evening = Evening(tmp_path)
    evening.start_hunt()
    for seed in range(8):
        random = Random(seed)
        board, units = evening.simulated, [*evening.view("table")["units"]]
        for _ in range(random.randint(1, 8)):
            unit, other = random.sample(units, 2)
            places = board.places
            board.arrange(
                random.choice(
                    [{unit: None}, {unit: places[other], other: places[unit]}, {unit: random.randrange(board.count)}]
                )
            )
            board.report_spurious_edge(random.randrange(board.count), random.random() < 0.5)
            evening.wait(random.randint(0, 150))
        evening.table.session.tidy()
        evening.wait(1000)
        assert evening.board["state"] == "agreed", (seed, evening.board)


def test_miniature_on_space_without_sensor_blocks_no_other(tmp_path: Path) -> None:
    evening = Evening(tmp_path)
    board = evening.table.board.map
    sensors = {space: number for number, space in enumerate(board.enterable)}
    start = "R24"
    folder = tmp_path / "boards" / board.slug
    evening.table.close()
    wiring = Wiring(tuple(space if space != start else None for space in sensors), tuple(sensors), frozenset({start}))
    (folder / FILE).write_text(wiring_text(wiring))
    evening.sit_down()
    evening.start()
    assert start in evening.view("table")["units"].values()
    assert evening.board["state"] == "agreed"
