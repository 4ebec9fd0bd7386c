"""Miniatures and lamps of the board: where miniatures belong, what setting one down does, and lights.

Everything here uses the public picture.
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
from games.sniper_elite_solo.rules.movement import is_noisy
from games.sniper_elite_solo.rules.picture import Picture

NEWS = ("updated", "attracted", "searched", "scanned", "attacked", "blast", "struck")
"""News shown by lamps, most important last."""
THE_SNIPER = Text("the sniper")


def standing(view: Picture) -> dict[str, str | None]:
    """Return where the nine defenders and the sniper belong."""
    return {**view.units, SNIPER: view.space}


def called(miniature: str) -> Text:
    """Return the name of a miniature, for use inside a sentence."""
    return THE_SNIPER if miniature == SNIPER else words.called(miniature)


def alike(one: str, other: str) -> bool:
    """Return whether two miniatures look alike, as soldiers of one squad do."""
    return one == other if SNIPER in (one, other) else multiplayer.alike(one, other)


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """Return the sniper's best move to each space, and the return of a defender.

    The best move is the quietest one, then the shortest. Distraction is left out: players sometimes set a defender down
    on a wrong space while they carry out other moves, and that would count as playing the card. The arrow is left out
    because it depends on the secret objectives.
    """
    found: list[Placement] = []
    moves: dict[str, Move] = {}

    def cost(move: Move) -> tuple[bool, int]:
        return is_noisy(view, move.path), len(move.path)

    for command in legal:
        if isinstance(command, Move):
            end = command.path[-1]
            moves[end] = min(moves.get(end, command), command, key=cost)
        elif isinstance(command, PlaceReturn):
            assert view.pending is not None and view.pending.unit is not None, "a defender returns"
            found.append(Placement(view.pending.unit, None, command.space, command))
    return [*found, *(Placement(SNIPER, view.space, to, move) for to, move in moves.items())]


def cues(view: Picture) -> list[Cue]:
    """Return the public facts as cues, most important last."""
    spaces = view.terrain.objectives
    shown = [
        Cue("sector", view.terrain.sectors[view.lks] if view.over is None else ()),
        *(
            Cue(name, tuple(dict.fromkeys(at for what, spaces in view.news if what == name for at in spaces)))
            for name in NEWS
        ),
        Cue("wanted", tuple(spaces[number] for number in view.possible) if view.over is None else ()),
        Cue("objective", tuple(spaces[number] for number in view.completed)),
        Cue("laid-mine", tuple(dict.fromkeys(view.mines))),
        Cue("shooter", () if view.space is None else (view.space,)),
        Cue("return", view.pending.spaces if view.pending is not None else ()),
        Cue("victory", _winner_spaces(view)),
    ]
    return [cue for cue in shown if cue.spaces]


def _winner_spaces(view: Picture) -> tuple[str, ...]:
    if view.over is None:
        return ()
    if view.over.winner == SNIPER:
        return () if view.space is None else (view.space,)
    return tuple(view.on_board.values())


def uncovered(truth: Picture) -> list[Cue]:
    """Return the secrets that a past game shows: the objectives that aren't completed yet."""
    goals = tuple(truth.terrain.objectives[number] for number in truth.undone) if truth.objectives else ()
    return [Cue("goal", goals)] if goals else []
