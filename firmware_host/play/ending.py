"""Who has won a finished game, and which stars of a mission that earns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress

import msgspec

from engine.game import REFEREE, Teams, has_won
from engine.options import handicapped_seats
from firmware_host.core import missions
from firmware_host.core.guarded import GameFault
from firmware_host.core.missions import Mission
from firmware_host.play.game import TableGame
from firmware_host.records.journal import NOTHING
from firmware_host.records.results import Result


def results_of(
    play: TableGame, people: Iterable[tuple[str, str]], bots: Mapping[str, str] = NOTHING, *, changed: bool = False
) -> list[Result]:
    """Return the results of these people (seat, name) and bots (seat -> name) in a finished game.

    `changed` is whether others have also played in it; such a game does not count as a mission.
    """
    ending, weaker = missions.ending_of(play.game, play.public), _seats_with_handicap(play)
    players = [*((seat, name, "") for seat, name in people), *((seat, "", bot) for seat, bot in bots.items())]
    results = [
        Result(
            play.number,
            play.game.name,
            seat,
            name,
            None if ending is None else has_won(ending.winners, *_side_of(play, seat)),
            bot,
            handicapped=seat in weaker,
            changed=changed,
        )
        for seat, name, bot in players
    ]
    mission = None if changed else missions.fitting(play.game, play.board, play.options, bots)
    return results if mission is None else [_with_stars(play, mission, it) for it in results]


def _side_of(play: TableGame, seat: str) -> tuple[str, tuple[str, ...]]:
    """Return the side of a seat and its seats. All seats of a team win together."""
    if isinstance(play.game, Teams):
        with suppress(GameFault, TypeError):  # a game with wrong teams may have been played anyway
            for side, seats in play.game.teams(play.options).items():
                if seat in seats:
                    return side, seats
    return seat, (seat,)


def _seats_with_handicap(play: TableGame) -> set[str]:
    with suppress(GameFault):  # a game whose options raise an error may have been played anyway
        return handicapped_seats(play.game.options(), msgspec.to_builtins(play.options))
    return set()


def _with_stars(play: TableGame, mission: Mission, result: Result) -> Result:
    """Return the result of a player of a mission. A bot earns no stars."""
    if result.bot:
        return result
    stars: tuple[bool, ...] = ()
    if result.won:
        with suppress(Exception):  # a game that fails to count its figures may have been played anyway
            stars = mission.stars(missions.counts(play.game, play.public, play.referee.told[REFEREE]))
    return msgspec.structs.replace(result, mission=mission.name, stars=stars)
