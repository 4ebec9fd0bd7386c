"""Simulate episodes: people handle miniatures in a random position, and the table recognises the moves.

Episode `number` of a seed is always the same, with any number of processes.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any

from msgspec import Struct

import games
from engine.chance import Chance
from engine.game import TABLE, BoardGame, RandomPosition, RandomPositions
from engine.graph import Map
from engine.referee import Referee
from firmware_host.core import maps
from firmware_host.core.capabilities import board_game
from firmware_host.core.settings import settle
from lab.processes import in_order
from lab.simulation.handling import Commit, Endless, Handled, WatchedTable, WrongAct
from lab.simulation.kinds import KINDS
from lab.simulation.person import Person

FAULTLESS = settle()


class Plan(Struct, frozen=True):
    """The game, maps, kinds and seed of episodes."""

    game: str
    boards: tuple[Map, ...]
    kinds: tuple[str, ...]
    seed: int


class EpisodeVerdict(Struct, frozen=True):
    """The result of one episode.

    `meant` counts intended moves, `unasked` those without a question, `undone` those that were never made, `unmeant`
    acts that match the miniatures but were not intended. `carries` is (made, needed) for each recovery. `hidden`: at
    the end, board and game agree only by the sensors, although miniatures are swapped.
    """

    number: int
    kind: str
    map: str
    wrongs: tuple[WrongAct, ...]
    meant: int
    unasked: int
    undone: int
    unmeant: int
    questions: int
    carries: tuple[tuple[int, int], ...]
    commits: tuple[Commit, ...]
    lost: tuple[str, ...]
    hidden: bool


class Episode:
    def __init__(self, plan: Plan, number: int) -> None:
        self.random = Random(f"{plan.seed}/{number}")
        self.number = number
        self.kind = self.random.choice(plan.kinds)
        self.board = self.random.choice(plan.boards)
        self.game = board_game(games.find(plan.game))
        posed = random_position(self.game, self.board, self.random)
        self.position = posed.position
        self.hands = Handled(self._new_table(), self.random, FAULTLESS.rest_ms)
        self.person = Person(self.hands, self.random, posed.moves)

    def _new_table(self) -> WatchedTable:
        game, chance = self.game, Chance(Random(self.number))
        options = maps.options_on(game, self.board, None)
        referee = Referee(game, game.position(self.board, options, self.position, chance))
        return WatchedTable(game, game.seats(options), self.board, referee, chance, FAULTLESS)

    def first_line(self, name: str) -> dict[str, Any]:
        """Return the first line of a trace, which sets up the game; `name` is the map's name or path."""
        return {"map": name, "game": self.game.name, "position": self.position, "seed": self.number, "settings": {}}

    def play(self) -> EpisodeVerdict:
        """Simulate the handling and the corrections that the table asks for, and return the result."""
        try:
            self.hands.wait(200, 1000)
            KINDS[self.kind](self.person)
            self.person.settle()
        except Endless:
            self.person.lost.append("it never ended")
        return self._verdict()

    def _verdict(self) -> EpisodeVerdict:
        person, look = self.person, self.hands.look
        meant = [(look(unit), to) for unit, to in person.meant]
        done = [(look(commit.unit), commit.to) for commit in self.hands.commits]
        undone = sum(move not in done for move in meant)
        return EpisodeVerdict(
            self.number,
            self.kind,
            self.board.slug,
            tuple(self.hands.wrongs),
            len(meant),
            len(meant) if person.questions == 0 else 0,
            undone,
            sum(act not in meant for act in done),
            person.questions,
            tuple(person.carries),
            tuple(self.hands.commits),
            tuple(person.lost),
            self.hands.table.agreed and bool(self.hands.astray()),
        )


def random_position(game: BoardGame, board: Map, random: Random) -> RandomPosition:
    """Return a random position of a game; without `RandomPositions`, one from random play with a move per squad."""
    if isinstance(game, RandomPositions):
        return game.random_position(board, random)
    options, chance = maps.options_on(game, board, None), Chance(random)
    referee, positions = Referee(game, game.blank(board, options)), []
    referee.tell(game.setup(board, options, chance))
    while referee.to_act:
        if game.placements(referee.pictures[TABLE]):
            positions.append(game.state(referee.truth))
        seat = random.choice(referee.to_act)
        referee.submit(seat, random.choice(referee.legal(seat)), chance)
    squads = map(game.colour, game.standing(referee.pictures[TABLE]))
    return RandomPosition(random.choice(positions or [{}]), dict.fromkeys(squads, 1))


# --- many -------------------------------------------------------------------------------------------------------


def play_episode(plan: Plan, number: int) -> EpisodeVerdict:
    return Episode(plan, number).play()


def play_episodes(plan: Plan, numbers: Sequence[int], jobs: int) -> Iterator[EpisodeVerdict]:
    """Yield the verdicts in order, `jobs` episodes at a time. Raises `Unavailable`."""
    return in_order(play_episode, plan, numbers, jobs)
