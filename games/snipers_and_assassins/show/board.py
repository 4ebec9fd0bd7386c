"""What the board under the markers needs to know: who belongs where, what setting down means, what to light.

Everything here works on the public picture. Mines and status markers are lights alone (SA-X-03).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from engine.game import Command, Cue, Placement
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import ASSASSIN, SNIPER, marker_of, markers_of

SETTING_DOWN = {
    c.WalkC: SNIPER,
    c.JumpC: SNIPER,
    c.DoubleContinue: SNIPER,
    c.Walk: ASSASSIN,
    c.Jump: ASSASSIN,
}
"""The acts that are made by setting a marker down, as long as nothing else goes with them.

Options A, B and D begin on a screen: the board cannot tell them from a walk or a jump of option C.
"""


def standing(view: Picture) -> dict[str, str | None]:
    """Where every marker belongs, None before its start is chosen."""
    return {marker: _space(view, marker) for marker in markers_of(view.seats)}


def _space(view: Picture, marker: str) -> str | None:
    owner = view.owner(marker)
    return owner.sniper if marker.startswith(SNIPER) else owner.assassin


def placements(view: Picture, legal: Iterable[Command]) -> list[Placement]:
    """The plain moves among the legal acts."""
    found = []
    for command in legal:
        kind = SETTING_DOWN.get(type(command))
        if kind is not None and getattr(command, "mine", None) is None:
            marker = view.own(kind)
            found.append(Placement(marker, view.at(marker), _end(command), command))
    return found


def _end(command: Command) -> str:
    """Where a move ends."""
    return str(getattr(command, "to", ""))


def cues(view: Picture, legal: Sequence[Command]) -> list[Cue]:
    """What the lamps show, the most important last (SA-X-02)."""
    reach, jumps = _ends(legal)
    seats = view.players.items()
    shown = [
        Cue("range", _in_range(view)),
        *(Cue("leader", _there(player.leader), seat) for seat, player in seats),
        Cue("reach", reach),
        Cue("jump", jumps),
        Cue("mine", tuple(sorted(view.mines, key=places.place_of))),
        Cue("shot-at", _where(view, ASSASSIN, "shot")),
        Cue("unable", _ordered((*_where(view, SNIPER, "recover"), *_where(view, ASSASSIN, "locked")))),
        Cue("double-jump", _where(view, SNIPER, "jump")),
        Cue("target", _targets(view, legal)),
        Cue("claymore", view.swept),
        Cue("fallen", view.fallen),
        *_victory(view),
    ]
    return [cue for cue in shown if cue.spaces]


def _there(space: str | None) -> tuple[str, ...]:
    return () if space is None else (space,)


def _ordered(spaces: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(spaces), key=places.place_of))


def _where(view: Picture, kind: str, status: str) -> tuple[str, ...]:
    """The spaces of the markers of a kind that have a status."""
    markers = (marker_of(seat, kind) for seat, player in view.players.items() if getattr(player, status))
    return _ordered(view.at(marker) for marker in markers)


def _ends(legal: Sequence[Command]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Where walks of the markers that can still act end, and where their jumps do."""
    walks, jumps = (c.WalkC, c.WalkB, c.Walk), (c.JumpC, c.JumpB, c.DoubleContinue, c.DoubleFast, c.Jump)
    walked = _ordered(_end(command) for command in legal if isinstance(command, walks))
    return walked, _ordered(_end(command) for command in legal if isinstance(command, jumps))


def _in_range(view: Picture) -> tuple[str, ...]:
    """The spaces that the Sniper whose turn it is can shoot at from where it stands."""
    here = view.me.sniper
    if view.over is not None or view.setup is not None or SNIPER in view.acted or here is None or view.me.recover:
        return ()
    if not places.is_space(here):
        return ()
    reach = view.shot_range(view.turn)
    every = (name for name in places.spaces(view.pathways) if places.is_space(name))
    return tuple(name for name in every if places.distance(here, name) <= reach)


def _targets(view: Picture, legal: Iterable[Command]) -> tuple[str, ...]:
    """Where those stand who can be shot at."""
    aimed = {target for command in legal if (target := getattr(command, "target", None)) is not None}
    return _ordered(view.at(target) for target in aimed)


def _victory(view: Picture) -> Iterator[Cue]:
    if view.over is not None and view.over.winner is not None:
        yield Cue("victory", (view.at(marker_of(view.over.winner, ASSASSIN)),), view.over.winner)
