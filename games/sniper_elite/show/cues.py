"""Board output from the public picture: which placements are acts, and which lamps to light."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Command, Cue, Placement
from games.sniper_elite.rules.commands import Deploy, MoveUnit
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import is_officer, squad_of


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """Return the moves and deployments among the defenders' legal commands.

    Abilities are chosen on a screen. Otherwise every misplaced soldier would count as a use of the Scout, who can put
    one anywhere.
    """
    found = []
    for command in legal:
        if isinstance(command, MoveUnit):
            found.append(Placement(command.unit, view.units[command.unit], command.to, command))
        elif isinstance(command, Deploy):
            found.append(Placement(command.unit, None, command.space, command))
    return found


def alike(one: str, other: str) -> bool:
    """Return whether two miniatures look alike: soldiers of one squad do (MP-SETUP-24)."""
    return squad_of(one) == squad_of(other) and not is_officer(one) and not is_officer(other)


def cues(view: Picture) -> list[Cue]:
    """Return the public news as cues, most important last."""
    shown = [
        Cue("mark", view.marks),
        Cue("objective", tuple(view.sites.objectives[number] for number in view.completed)),
        Cue("dog", view.dogs),
        *_answer(view),
        Cue("alert", tuple(space for unit in view.heard if (space := view.units[unit]) is not None)),
        Cue("bark", view.barked),
        Cue("shot", view.flight),
        Cue("fallen", view.fallen),
        Cue("last-known", () if view.miniature is None else (view.miniature,)),
        *_ending(view),
    ]
    return [cue for cue in shown if cue.spaces]


def uncovered(truth: Picture) -> list[Cue]:
    """Return the mines, the sniper's path so far and its space, at any moment of a finished game."""
    if truth.opened is not None:
        return []  # the public cues of the end show the whole path
    me = truth.mine
    way = tuple(dict.fromkeys(space for _, space in me.log if space is not None))
    here = () if me.space is None else (me.space,)
    return [cue for cue in (Cue("mine", me.mines), Cue("path", way), Cue("hider", here)) if cue.spaces]


def _answer(view: Picture) -> list[Cue]:
    if view.answer is None or view.answer.found is None:
        return []
    return [Cue("found" if view.answer.found else "not-found", view.answer.spaces)]


def _ending(view: Picture) -> list[Cue]:
    """Return the cues for the winner: the sniper's whole path, or all remaining units."""
    if view.opened is None:
        return []
    assert view.over is not None, "nothing is opened before the end"
    path = tuple(dict.fromkeys(space for _, space in view.opened.log if space is not None))
    standing = tuple(space for space in view.units.values() if space is not None)
    return [Cue("path", path), *([] if view.over.winner == "sniper" else [Cue("victory", standing)])]
