"""Find errors of a mission: bots play it, and it is compared with the other missions of its game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from engine.game import REFEREE, TABLE, Game, has_won
from firmware_host.core import bots, data_files, missions
from firmware_host.core.data_files import MISSIONS, DataFileError
from firmware_host.core.missions import Mission
from lab.arena import Match, moments


class Attempt(Struct, frozen=True):
    """A mission that a bot has played: whether it has won, and the counts of the game."""

    won: bool
    counts: dict[str, int]


def mission_ending(mission: Mission, bot: str, number: int, seed: int = 1) -> Attempt:
    """Return how game `number` of a mission ends with `bot` in the player's place."""
    seat = mission.plan.seat
    match = Match(mission.game.name, mission.board, mission.options, {seat: bot, **mission.plan.bots}, seed)
    *_, (referee, _) = moments(match, number)
    public = referee.pictures[TABLE]
    ending = missions.ending_of(mission.game, public)
    won = ending is not None and has_won(ending.winners, seat, [seat])
    return Attempt(won, missions.counts(mission.game, public, referee.told[REFEREE]))


def missions_of(game: Game) -> Iterator[str]:
    found: list[Mission] = []
    for path in data_files.files(game.name, MISSIONS):
        try:
            mission = missions.read_mission(game, path)
        except DataFileError as error:
            if not error.unread:  # otherwise the check of the start reports it
                yield str(error)
            continue
        yield from (f"missions/{path.name}: {fault}" for fault in faults_of(mission, found))
        found.append(mission)


def faults_of(mission: Mission, others: list[Mission]) -> Iterator[str]:
    for other in others:
        if other.played == mission.played:
            yield f"it is the same game as {other.name}, so they would share stars. Change its map, options or bots."
    known = mission_ending(mission, bots.strongest(mission.game, mission.plan.seat), 1).counts
    for star in mission.plan.star:
        for name in {*star.least, *star.most} - {*known}:
            yield f"no game counts {name!r}. Name one of {', '.join(known)}."
