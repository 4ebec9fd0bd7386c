"""Measure the experts of Sniper Elite by search budget, and the maps by the experts' games.

`python -m lab.experts phantom:15:40 marshal:1s:8` plays 40 games on each map of an expert that simulates 15 lines per
action, and 8 games of one that searches for a second, against the strong bots of the other side. It writes the last
part of `docs/balance.md` with its plots. Results are kept in a file: a run that was stopped continues, and a run with
more games plays only the missing ones, as long as the code is the same.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from lab.contests import FULL, KEPT, Contest, plan_games, play_missing
from lab.experts_page import draw_plots, experts_part, strength_table
from lab.processes import Unavailable
from lab.study import EXPERTS_PART, PAGE, add_jobs, put_part

HELP: Final = (
    "an expert (phantom, marshal) or `duel`, lines or seconds (1s) that it may think about an act, and how many games "
    "on each map; all of them, 400 games each, take more than a day of one core"
)


def main(argv: Sequence[str] | None = None) -> None:
    """Play the games and write the part of the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("contests", nargs="*", metavar="NAME:BUDGET:GAMES", default=FULL, help=HELP)
    add_jobs(parser)
    parser.add_argument("--keep", type=Path, default=KEPT, help="the file of the games that were played")
    parser.add_argument("--into", type=Path, default=PAGE.parent, help="the folder of the page and the plots")
    asked = parser.parse_args(argv)
    try:
        contests = [Contest.read(text) for text in asked.contests]
    except ValueError:
        parser.error(f"a contest reads NAME:BUDGET:GAMES, as in {FULL[0]} or {FULL[3]}")
    if asked.jobs < 1:
        parser.error("--jobs is a whole number from 1 on.")
    try:
        played = play_missing(plan_games(contests), asked.keep, asked.jobs)
    except OSError as error:
        parser.error(f"--keep {asked.keep} cannot be written: {error.strerror}. Name a file that can.")
    except Unavailable as error:
        sys.exit(f"{error} The games so far are kept.")
    except KeyboardInterrupt:
        sys.exit("Stopped. The games so far are kept.")
    command = " ".join(("python -m lab.experts", *asked.contests))
    asked.into.mkdir(parents=True, exist_ok=True)
    fresh = put_part(PAGE.read_text("utf-8"), EXPERTS_PART, experts_part(played, command))
    (asked.into / PAGE.name).write_text(fresh, "utf-8")
    for name, drawn in draw_plots(played).items():
        (asked.into / name).write_text(drawn, "utf-8")
    print(strength_table(played))


if __name__ == "__main__":
    main()
