"""Lamps of the track board, derived from the public picture (ST-X-01..03).

Each seat's strip has cells such as `player-1/hunt/1`. The name of a strip stands for all its cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.game import Cue
from games.stalingrad.rules.picture import ROLLS, Picture, Player
from games.stalingrad.rules.words import CAP, LOST_TURNS, PADS, PRICE, STARS, STATS, XP, cells_of

IN_OWN_COLOUR: Final = frozenset({"turn", "xp", "stat", "winner"})
"""Cues shown in the colour of the player who owns the strip."""


def lamps(view: Picture) -> dict[str, list[str]]:
    """Return cue -> cells, sorted by seat, track and number. Later cues are painted over earlier ones."""
    players = view.players.items()
    cues = {
        "turn": [] if view.turn is None else [view.turn],
        "out": [seat for seat, player in players if player.out],
        "stars": [cell for seat, player in players for cell in _first_cells(seat, "stars", player.stars, STARS)],
        "skip": [cell for seat, player in players for cell in _first_cells(seat, "skip", player.skip, LOST_TURNS)],
        "xp": [f"{seat}/xp/{min(XP, player.xp)}" for seat, player in _living_players(view)],
        "stat": [f"{seat}/{stat}/{player.stat(stat)}" for seat, player in _living_players(view) for stat in STATS],
        "buy": [*_buyable_cells(view)],
        "boost": [*_boosted_cells(view)],
        "pads": [*PADS[: view.facedown_size]],
        "flip": [PADS[view.facedown_size - 1]] if view.phase == "reveal" else [],
        **{phase: [PADS[view.facedown_size]] if view.phase == phase else [] for phase in ROLLS},
        "winner": [] if view.over is None else [seat for seat in view.players if seat in view.over.winners],
    }
    return {cue: cells for cue, cells in cues.items() if cells}


def cues(view: Picture) -> list[Cue]:
    """Return the lamps as cues, one per strip, plus a flash for the last wound until the next act."""
    cells_of_lamp = lamps(view)
    if view.hurt is not None:
        # The last cue is painted over all others.
        cells_of_lamp["wound"] = [view.hurt]
    return [
        Cue(name, tuple(cells), seat if name in IN_OWN_COLOUR else None)
        for name, named in cells_of_lamp.items()
        for seat, cells in _by_strip(named).items()
    ]


def _by_strip(named: Iterable[str]) -> dict[str, list[str]]:
    """Group cells by strip. The name of a strip stands for all its cells."""
    cells_by_strip: dict[str, list[str]] = {}
    for name in named:
        seat, _, cell = name.partition("/")
        cells_by_strip.setdefault(seat, []).extend([name] if cell else cells_of(seat))
    return cells_by_strip


def _first_cells(seat: str, track: str, number: int, most: int) -> Iterator[str]:
    return (f"{seat}/{track}/{cell}" for cell in range(1, min(number, most) + 1))


def _living_players(view: Picture) -> Iterator[tuple[str, Player]]:
    return ((seat, player) for seat, player in view.players.items() if not player.out)


def _buyable_cells(view: Picture) -> Iterator[str]:
    """Yield the cells that the player can buy with tokens."""
    if view.phase == "escape" and view.actor.xp >= PRICE:
        for stat in STATS:
            if view.actor.stat(stat) < CAP:
                yield f"{view.turn}/{stat}/{view.actor.stat(stat) + 1}"


def _boosted_cells(view: Picture) -> Iterator[str]:
    """Yield the cells above the stat, up to the current value."""
    value = view.value()
    if value is not None:
        stat = ROLLS.get(view.phase, "hunt")
        yield from (f"{view.turn}/{stat}/{cell}" for cell in range(view.actor.stat(stat) + 1, value + 1))
