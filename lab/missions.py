"""Measure how often each bot wins the missions of the campaign and earns their stars, and write `docs/ladder.md`.

`python -m lab.missions --games 20 --seed 1` plays 20 games of each mission with an easy and with a strong bot. The same
seed gives the same figures.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from firmware_host.core import bots, missions
from firmware_host.core.missions import Mission
from lab.arena import wilson_interval
from lab.authoring.missions import mission_ending
from lab.processes import in_order
from lab.terminal import study_parser
from maker.page_parts import DOCS, markdown_table, write_part

PAGE = DOCS / "ladder.md"
HEAD = ("mission", "bot", "won", "95 %", "second star", "third star")
LEVELS = ("easy", "strong")
"""The levels of the bots that play."""


def rows(count: int, seed: int, jobs: int) -> Iterator[tuple[str, ...]]:
    tried = [(mission, bot) for mission in missions.campaign() for bot in _players(mission)]
    numbers = range(1, count + 1)
    games = [(it.game.name, it.name, bot, seed, number) for it, bot in tried for number in numbers]
    earned = in_order(_stars_of, None, games, jobs)
    for mission, bot in tried:
        earned_here = [*islice(earned, count)]
        each = [sum(at < len(stars) and stars[at] for stars in earned_here) for at in range(missions.STARS)]
        level = bots.find(mission.game, bot).level
        yield mission.plan.title, f"{bot} ({level})", *wilson_interval(each[0], count).cells, *map(str, each[1:])


def _players(mission: Mission) -> list[str]:
    ranked = bots.ranked(mission.game, mission.plan.seat)
    return [name for name in ranked if bots.find(mission.game, name).level in LEVELS]


def _stars_of(_: None, game: tuple[str, str, str, int, int]) -> tuple[bool, ...]:
    """Return the stars that a bot earns in one game of a mission."""
    name, title, bot, seed, number = game
    mission = next(it for it in missions.of_game(name) if it.name == title)
    tried = mission_ending(mission, bot, number, seed)
    return mission.stars(tried.counts) if tried.won else ()


def main() -> None:
    chosen = study_parser(__doc__, 20, "of each mission with each bot").parse_args()
    write_part(PAGE, "missions", markdown_table(HEAD, rows(chosen.games, chosen.seed, chosen.jobs)))


if __name__ == "__main__":
    main()
