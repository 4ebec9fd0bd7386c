"""Missions: games against bots with a briefing, won with up to three stars. All missions together are the campaign.

A mission is a file `missions/<name>.toml` in its game's folder. It only describes a game that could be set up in the
lobby as well. So the table starts it like any other game. At the end, the table recognises it by its options and bots.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from engine.events import Event
from engine.game import Ending, Game
from engine.graph import Map
from engine.options import defaults, filled
from engine.seats import Seat, seat_names
from engine.text import Text
from firmware_host.core import bots, data_files, installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.data_files import MISSIONS, MissionFile, Star
from firmware_host.core.remembered import Remembered

STARS = 3
"""Maximum stars of a mission, with the one for winning."""


class Mission:
    """A mission that can be played."""

    def __init__(self, name: str, game: Game, plan: MissionFile) -> None:
        """Raises `RuleError` or `MapError` for unknown names of a game or map, and `ValueError` for other errors."""
        self.name, self.game, self.plan = name, game, plan
        self.board: Map | None = None if plan.map is None else maps.load(plan.map)
        # Read the options as the lobby does, so that they equal those of a started game.
        self.options = maps.options_on(game, self.board, filled(plan.options, defaults(game.options())))
        self.seats: tuple[Seat, ...] = tuple(game.seats(self.options))
        if len(plan.star) >= STARS:
            raise ValueError(f"it has {len(plan.star)} further stars. Give it at most {STARS - 1}: [[star]].")
        valid_seats = seat_names(self.seats)
        if {plan.seat, *plan.bots} != {*valid_seats} or plan.seat in plan.bots:
            raise ValueError(
                f"name one of {', '.join(valid_seats)} as the seat, and a bot for each other seat: [bots]."
            )
        for seat, bot in plan.bots.items():
            if not bots.find(game, bot).plays(seat):
                raise ValueError(f"the bot {bot!r} cannot play for the {seat}.")

    @property
    def played(self) -> tuple[object, ...]:
        """The setting that identifies the mission among the missions of its game."""
        # Use plain values, because comparing the game's own objects would run code of the game.
        return self.plan.map, msgspec.to_builtins(self.options), self.plan.bots

    def stars(self, reached: Mapping[str, int]) -> tuple[bool, ...]:
        """Return which stars a win with these counts earns."""

        def is_met(star: Star) -> bool:
            # No win reaches a count that the game doesn't have.
            enough = all(reached.get(name, least - 1) >= least for name, least in star.least.items())
            return enough and all(reached.get(name, most + 1) <= most for name, most in star.most.items())

        return True, *map(is_met, self.plan.star)

    def facts(self) -> dict[str, Any]:
        """Return the mission as JSON values; `stars` are its goals in words."""
        plan = self.plan
        seat = next(seat for seat in self.seats if seat.name == plan.seat)
        return {
            "game": self.game.name,
            "game_title": Text(self.game.title),
            "name": self.name,
            "title": Text(plan.title),
            "about": Text(plan.about),
            "seat": plan.seat,
            "side": seat.title,
            "map": plan.map,
            "place": None if self.board is None else Text(self.board.name),
            "options": plan.options,
            "bots": plan.bots,
            "stars": [Text(plan.goal), *(Text(star.say) for star in plan.star)],
        }


def ending_of(game: Game, public: Any) -> Ending | None:
    """Return how a finished game has ended; None if the game doesn't report it."""
    offered = capabilities(game).endings
    return None if offered is None else offered.ending(public)


def counts(game: Game, public: Any, events: Iterable[Event]) -> dict[str, int]:
    """Return what a finished game counts: its `rounds`, those `left` of a countdown, the counts of its ending, and its
    figures by their English labels.
    """
    offered, ending = capabilities(game), ending_of(game, public)
    numbers = {} if ending is None else {"rounds": ending.rounds, **ending.counts}
    if offered.progressing is not None and (left := offered.progressing.progress(public).countdown) is not None:
        numbers["left"] = left
    figures: Sequence[tuple[Text, int]] = [] if offered.figures is None else offered.figures.figures(events)
    return {**numbers, **{str(label): number for label, number in figures}}


# --- files ------------------------------------------------------------------------------------------------------


def read_mission(game: Game, path: Path) -> Mission:
    """Return the mission in a file. Raises `DataFileError`."""
    return data_files.read_data(path, MissionFile, lambda name, plan: Mission(name, game, plan))


REMEMBERED = Remembered[str, tuple[Mission, ...]]()
"""The missions of each game."""


def of_game(name: str) -> tuple[Mission, ...]:
    """Return the missions of a game, by the names of their files. A broken one is left out and logged."""
    read = partial(data_files.usable, name, MISSIONS, lambda path: read_mission(installed.find(name), path))
    return REMEMBERED.get(name, read)


def fitting(game: Game, board: Map | None, options: Any, playing: Mapping[str, str]) -> Mission | None:
    """Return the mission that matches a game on this board.

    Bots play all seats but one: `playing` is seat -> bot.
    """
    played = None if board is None else board.slug, msgspec.to_builtins(options), {**playing}
    return next((mission for mission in of_game(game.name) if mission.played == played), None)


def campaign() -> list[Mission]:
    """Return the missions of all games."""
    return [mission for name in installed.names() for mission in of_game(name)]
