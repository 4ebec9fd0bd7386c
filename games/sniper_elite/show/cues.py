"""The board: which placements are acts, which lamps to light, and positions for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from engine.game import Command, Cue, Placement, RandomPosition
from engine.graph import Map
from games.sniper_elite.rules import position
from games.sniper_elite.rules.commands import Deploy, MoveUnit
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import DEFENDERS, SQUADS, UNITS, is_officer, squad_of


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """Return the moves and deployments among the defenders' legal commands.

    Abilities are chosen on a screen. Otherwise every misplaced soldier would count as a use of the Scout, who can put
    one anywhere.
    """
    moves = []
    for command in legal:
        if type(command) is MoveUnit:  # faster than `isinstance` in a long list
            moves.append(Placement(command.unit, view.units[command.unit], command.to, command))
        elif type(command) is Deploy:
            moves.append(Placement(command.unit, None, command.space, command))
    return moves


def alike(one: str, other: str) -> bool:
    """Return whether two miniatures look alike: soldiers of one squad do (MP-SETUP-24)."""
    return squad_of(one) == squad_of(other) and not is_officer(one) and not is_officer(other)


def cues(view: Picture) -> list[Cue]:
    """Return the public news as cues, most important last."""
    news = [
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
    return [cue for cue in news if cue.spaces]


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


def random_position(board: Map, random: Random) -> RandomPosition:
    """Return a position in the defenders' turn. Units are often close together."""
    spaces = list(board.enterable)
    units = random.sample(list(UNITS), random.randint(5, 9))
    if random.random() < 0.6:
        middle, crowd = random.choice(spaces), 1
        near = {middle}
        while len(near) < len(units) + 4 and crowd < 20:
            near |= {other for space in near for other in board.walk[space]}
            crowd += 1
        spaces = sorted(near) if len(near) >= len(units) else spaces
    places = dict(zip(units, random.sample(spaces, len(units)), strict=True))
    sniper = random.choice([space for space in board.enterable if space not in places.values()])
    described: dict[str, Any] = {"turn": DEFENDERS, "units": places, "sniper": {"space": sniper}}
    if random.random() < 0.4:
        described["sniper"]["miniature"] = random.choice([s for s in board.enterable if s not in places.values()])
    left = {squad: random.choice((1, 2, 2, 2)) for squad in SQUADS}
    described["squads"] = {squad: {"left": number} for squad, number in left.items()}
    return RandomPosition(described, left)


def public_position(view: Picture, possible: Sequence[str]) -> dict[str, Any]:
    """Return the public facts, with the sniper on one of its possible spaces."""
    state = position.write_position(view)
    if possible and (view.round > 1 or view.turn == DEFENDERS):
        state["sniper"]["space"] = possible[0]
    state["sniper"] = _without_none(state["sniper"])
    return _without_none(state)


def _without_none(state: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in state.items() if value is not None}
