"""The physical board: where markers belong, acts made by setting one down, the lamps, and positions for tests.

Everything here uses the public picture. Mines and status markers are lights only (SA-X-03).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from random import Random
from typing import Any

from engine.game import Command, Cue, Placement, RandomPosition
from engine.graph import Map
from engine.seats import player_names
from games.snipers_and_assassins.map_rules import pathways
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import places, shooting
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import ASSASSIN, KINDS, SNIPER, kind_of, marker_of, markers_of

SETTING_DOWN = {
    c.WalkC: SNIPER,
    c.JumpC: SNIPER,
    c.DoubleContinue: SNIPER,
    c.Walk: ASSASSIN,
    c.Jump: ASSASSIN,
}
"""Acts that are made by setting a marker down, unless they plant a mine.

Options A, B and D start on a screen, because the board can't distinguish them from a walk or a jump of option C.
"""


def standing(view: Picture) -> dict[str, str | None]:
    """Return where every marker belongs, or None before its start is chosen."""
    return {marker: getattr(view.owner(marker), kind_of(marker)) for marker in markers_of(view.seats)}


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """Return the plain moves among the legal acts."""
    moves = []
    for command in legal:
        kind = SETTING_DOWN.get(type(command))
        # The board can't tell whether the player also wants to plant a mine.
        if kind is not None and getattr(command, "mine", None) is None:
            marker = view.own(kind)
            moves.append(Placement(marker, view.at(marker), _end(command), command))
    return moves


def _end(command: Command) -> str:
    return str(getattr(command, "to", ""))


def cues(view: Picture, legal: Sequence[Command]) -> list[Cue]:
    """Return what the lamps show. The most important cue comes last (SA-X-02)."""
    reach, jumps = _destinations(legal)
    seats = view.players.items()
    lights = [
        Cue("range", _in_range(view)),
        *(Cue("leader", (player.leader,), seat) for seat, player in seats if player.leader is not None),
        Cue("reach", reach),
        Cue("jump", jumps),
        Cue("mine", tuple(sorted(view.mines, key=places.place_of))),
        Cue("shot-at", _spaces_of_status(view, ASSASSIN, "shot")),
        Cue(
            "unable",
            _in_board_order(
                (*_spaces_of_status(view, SNIPER, "recover"), *_spaces_of_status(view, ASSASSIN, "locked"))
            ),
        ),
        Cue("double-jump", _spaces_of_status(view, SNIPER, "jump")),
        Cue("target", _targets(view, legal)),
        Cue("claymore", view.swept),
        Cue("fallen", view.fallen),
    ]
    if view.over is not None and view.over.winner is not None:
        lights.append(Cue("victory", (view.at(marker_of(view.over.winner, ASSASSIN)),), view.over.winner))
    return [cue for cue in lights if cue.spaces]


def _in_board_order(spaces: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(spaces), key=places.place_of))


def _spaces_of_status(view: Picture, kind: str, status: str) -> tuple[str, ...]:
    markers = (marker_of(seat, kind) for seat, player in view.players.items() if getattr(player, status))
    return _in_board_order(view.at(marker) for marker in markers)


def _destinations(legal: Sequence[Command]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the destinations of walks, and of jumps, for the markers that can still act."""
    walks, jumps = (c.WalkC, c.WalkB, c.Walk), (c.JumpC, c.JumpB, c.DoubleContinue, c.DoubleFast, c.Jump)
    walked = _in_board_order(_end(command) for command in legal if isinstance(command, walks))
    return walked, _in_board_order(_end(command) for command in legal if isinstance(command, jumps))


def _in_range(view: Picture) -> tuple[str, ...]:
    here = view.me.sniper
    if view.over is not None or view.setup is not None or SNIPER in view.acted or here is None or view.me.recover:
        return ()
    near = shooting.in_range(view, here)
    return tuple(name for name in places.spaces(view.pathways) if name in near)


def _targets(view: Picture, legal: Iterable[Command]) -> tuple[str, ...]:
    aimed = {target for command in legal if (target := getattr(command, "target", None)) is not None}
    return _in_board_order(view.at(target) for target in aimed)


def random_position(board: Map, random: Random) -> RandomPosition:
    """Return a position in which both markers of a player can act. Some share a space or are at their starts."""
    seats = player_names(pathways.BOARDS.players_on(board.slug))
    spaces = [name for name in board.enterable if places.is_space(name)]
    middle = random.choice(spaces)
    if random.random() < 0.6:
        spaces = [name for name in spaces if places.distance(name, middle) <= len(seats) + 2]
    players: dict[str, Any] = {}
    taken: set[str] = set()
    for seat in seats:
        here: dict[str, str] = {}
        for kind in KINDS:
            if random.random() < 0.8:
                here[kind] = random.choice([name for name in spaces if name not in taken])
                taken.add(here[kind])
        if len(here) == len(KINDS) and random.random() < 0.3:
            here["assassin"] = here["sniper"]
        players[seat] = {**here, "pushed_back": random.random() < 0.2}
    return RandomPosition({"turn": random.choice(seats), "players": players}, dict.fromkeys(seats, len(KINDS)))
