"""The track board: what its lamps show, from public facts alone (ST-X-01..03).

A strip for each seat has the cells `player-1/hunt/1` and so on; the name of a strip means all its cells.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.stalingrad.rules.picture import ROLLS, Picture, Player
from games.stalingrad.rules.words import CAP, PRICE, STATS

STARS, XP = 20, 9
"""The last cells of the score and of the experience track."""


def lamps(view: Picture) -> dict[str, list[str]]:
    """Cue -> cells, the cells by seat, then by track, then by number; later cues are painted over earlier ones."""
    cues = {
        "turn": [] if view.turn is None else [view.turn],
        "out": [seat for seat, player in view.players.items() if player.out],
        "stars": [cell for seat, player in view.players.items() for cell in _first(seat, "stars", player.stars, STARS)],
        "skip": [cell for seat, player in view.players.items() for cell in _first(seat, "skip", player.skip, 2)],
        "xp": [f"{seat}/xp/{min(XP, player.xp)}" for seat, player in _alive(view)],
        "stat": [f"{seat}/{stat}/{player.stat(stat)}" for seat, player in _alive(view) for stat in STATS],
        "buy": [*_buys(view)],
        "boost": [*_boost(view)],
        "pads": [f"pad/{number}" for number in range(1, view.facedown_size + 1)],
        "flip": [f"pad/{view.facedown_size}"] if view.phase == "reveal" else [],
        **{phase: [f"pad/{view.facedown_size + 1}"] if view.phase == phase else [] for phase in ROLLS},
        "winner": [] if view.over is None else [seat for seat in view.players if seat in view.over.winners],
    }
    return {cue: cells for cue, cells in cues.items() if cells}


def _first(seat: str, track: str, number: int, most: int) -> Iterator[str]:
    return (f"{seat}/{track}/{cell}" for cell in range(1, min(number, most) + 1))


def _alive(view: Picture) -> Iterator[tuple[str, Player]]:
    return ((seat, player) for seat, player in view.players.items() if not player.out)


def _buys(view: Picture) -> Iterator[str]:
    """The cells that tokens can buy."""
    if view.phase == "escape" and view.actor.xp >= PRICE:
        for stat in STATS:
            if view.actor.stat(stat) < CAP:
                yield f"{view.turn}/{stat}/{view.actor.stat(stat) + 1}"


def _boost(view: Picture) -> Iterator[str]:
    """The cells above the stat, up to what counts now."""
    value = view.value()
    if value is not None:
        stat = ROLLS.get(view.phase, "hunt")
        yield from (f"{view.turn}/{stat}/{cell}" for cell in range(view.actor.stat(stat) + 1, value + 1))
