"""What the board under the miniatures needs to know: who belongs where, what setting down means, what to light.

Everything here works on the public picture.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Command, Cue, Placement
from engine.text import Text
from games.sniper_elite.rules import words
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite.show import cues as multiplayer
from games.sniper_elite_solo.rules.commands import PlaceReturn
from games.sniper_elite_solo.rules.movement import noisy
from games.sniper_elite_solo.rules.picture import Picture

NEWS = ("updated", "attracted", "searched", "scanned", "attacked", "blast", "struck")
"""The kinds of news that lamps show, the most important last."""
THE_SNIPER = Text("the sniper")


def standing(view: Picture) -> dict[str, str | None]:
    """Where the nine defenders and the sniper belong; all of them are sensed."""
    return {**view.units, SNIPER: view.space}


def called(miniature: str) -> Text:
    """A miniature as a person says it."""
    return THE_SNIPER if miniature == SNIPER else words.called(miniature)


def alike(one: str, other: str) -> bool:
    """Soldiers of one squad look alike; the sniper looks like nobody."""
    return one == other if SNIPER in (one, other) else multiplayer.alike(one, other)


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """The sniper's move to each space, the quietest and then the shortest way, and the return of a defender.

    Distraction is played on the phone and then carried like any other order: while the defenders' orders are carried
    out, a defender set down wrongly would be taken for it. The arrow depends on the objectives, which are secret.
    """
    found: list[Placement] = []
    ways: dict[str, Move] = {}
    for command in legal:
        if isinstance(command, Move):
            ways[command.path[-1]] = min(ways.get(command.path[-1], command), command, key=lambda way: _cost(view, way))
        elif isinstance(command, PlaceReturn):
            assert view.pending is not None and view.pending.unit is not None, "somebody returns"
            found.append(Placement(view.pending.unit, None, command.space, command))
    return [*found, *(Placement(SNIPER, view.space, to, way) for to, way in ways.items())]


def _cost(view: Picture, way: Move) -> tuple[bool, int]:
    """What the better of two ways to a space has less of."""
    return noisy(view, way.path), len(way.path)


def cues(view: Picture) -> list[Cue]:
    """The public facts as cues, the most important last."""
    spaces = view.terrain.objectives
    shown = [
        Cue("sector", view.terrain.sectors.get(view.lks or "", ()) if view.over is None else ()),
        *(Cue(name, view.news.get(name, ())) for name in NEWS),
        Cue("wanted", tuple(spaces[number] for number in view.possible) if view.over is None else ()),
        Cue("objective", tuple(spaces[number] for number in view.completed)),
        Cue("laid-mine", tuple(dict.fromkeys(view.mines))),
        Cue("shooter", () if view.space is None else (view.space,)),
        Cue("return", view.pending.spaces if view.pending is not None else ()),
        Cue("victory", _winners(view)),
    ]
    return [cue for cue in shown if cue.spaces]


def _winners(view: Picture) -> tuple[str, ...]:
    """Where those stand who have won."""
    if view.over is None:
        return ()
    if view.over.winner == SNIPER:
        return () if view.space is None else (view.space,)
    return tuple(view.on_board.values())


def uncovered(truth: Picture) -> list[Cue]:
    """Of a game that is over, at any moment of it: the spaces of the objectives that were still to be completed."""
    goals = tuple(truth.terrain.objectives[number] for number in truth.undone) if truth.objectives else ()
    return [Cue("goal", goals)] if goals else []
