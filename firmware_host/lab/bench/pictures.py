"""From an act to the bytes of its pictures: what the loop does for each act, for all viewers, in one language."""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random

import games
from firmware_host.lab.bench.engine import LONGEST, played, started
from firmware_host.lab.bench.figures import Figure, Measured, Plan, middle, quantile
from firmware_host.table.encoding import Fragment, Picture
from firmware_host.table.pictures import of_viewer
from web_panel.language import DEFAULT, language


def measure(plan: Plan) -> Iterator[Measured]:
    """Milliseconds and bytes an act, for every game."""
    say = language(DEFAULT).say
    for name in games.names():
        game, board, options = played(name)
        referee, chance = started(game, board, options, 1)
        random, took, sizes = Random(1), list[float](), list[float]()
        for _ in range(min(plan.samples, LONGEST)):
            if not referee.to_act:
                break
            legal = referee.legal(referee.to_act[0])
            referee.submit(referee.to_act[0], legal[random.randrange(len(legal))], chance)
            began = time.process_time()
            texts = [Picture(Fragment(of_viewer(referee, viewer))).text(say) for viewer in _viewers(referee.pictures)]
            took.append(1000 * (time.process_time() - began))
            sizes.append(sum(map(len, texts)) / 1024)
        high = quantile(took, 0.99)
        what = f"{game.title}: pictures of all {len(texts)} viewers after an act"
        yield Figure(f"{name}.pictures", what, middle(took), "ms", "time", high, len(took))
        yield Figure(f"{name}.bytes", f"{game.title}: the same, bytes", middle(sizes), "KiB", "size")


def _viewers(pictures: dict[str, object]) -> list[str]:
    """Everybody with a screen: all but the referee."""
    return [viewer for viewer in pictures if viewer != "referee"]
