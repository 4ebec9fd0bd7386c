"""From an act to the bytes of its pictures: what the loop does for each act, for all viewers, in one language."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import games
from engine.game import Game
from engine.graph import Map
from firmware_host.core.encoding import Fragment, Picture
from firmware_host.play.pictures import of_viewer
from lab.bench.engine import LONGEST, played, started
from lab.bench.figures import Figure, Measured, Plan, middle, quantile
from web_panel.language import DEFAULT, language


def measure(plan: Plan) -> Iterator[Measured]:
    """Milliseconds and bytes an act, for every game."""
    for name in games.names():
        game, board, options = played(name)
        found = laid_out(game, board, options, plan.samples)
        what = f"{game.title}: updates of all {found.viewers} viewers after an action"
        high = quantile(found.took, 0.99)
        yield Figure(f"{name}.pictures", what, middle(found.took), "ms", "time", high, len(found.took))
        yield Figure(f"{name}.bytes", f"{game.title}: the same, bytes", middle(found.sizes), "KiB", "size")


class LaidOut(NamedTuple):
    """Milliseconds and KiB of the pictures after each act of a game, and how many look on."""

    viewers: int
    took: list[float]
    sizes: list[float]


def laid_out(game: Game, board: Map | None, options: Any, most: int) -> LaidOut:
    """The pictures of a random game, of at most so many acts."""
    say = language(DEFAULT).say
    referee, chance = started(game, board, options, 1)
    random, found = Random(1), LaidOut(len(_viewers(referee.pictures)), [], [])
    for _ in range(min(most, LONGEST)):
        if not referee.to_act:
            break
        legal = referee.legal(referee.to_act[0])
        referee.submit(referee.to_act[0], legal[random.randrange(len(legal))], chance)
        began = time.process_time()
        texts = [Picture(Fragment(of_viewer(referee, viewer))).text(say) for viewer in _viewers(referee.pictures)]
        found.took.append(1000 * (time.process_time() - began))
        found.sizes.append(sum(map(len, texts)) / 1024)
    return found


def _viewers(pictures: dict[str, object]) -> list[str]:
    """Everybody with a screen: all but the referee."""
    return [viewer for viewer in pictures if viewer != "referee"]
