"""The legal acts with the rulings, rule by rule of the book.

This second implementation is slow and simple, and shares no code with the engine. A position is the JSON of
`board-engine/1`, an act the JSON of an action. A place is a pair: the number of the pathway from 1, and the column from
0, the left Hideout, to 13, the right one.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations
from typing import Any

State = dict[str, Any]
Act = dict[str, Any]
Options = dict[str, Any]
Place = tuple[int, int]

ENDS = {0: "L", 13: "R"}


def name(place: Place) -> str:
    """Return the protocol's name of a place."""
    pathway, column = place
    return "ABCDEFGH"[pathway - 1] + ENDS.get(column, str(column))


def place(name: str) -> Place:
    """Return the place with a name."""
    column = {"L": 0, "R": 13}.get(name[1:])
    return "ABCDEFGH".index(name[0]) + 1, int(name[1:]) if column is None else column


def pathways(s: State) -> int:
    """SA-BRD-04."""
    return len(s["players"]) + 2


def hideouts(s: State) -> list[str]:
    """Return both ends of every pathway."""
    return [name((pathway, column)) for pathway in range(1, pathways(s) + 1) for column in (0, 13)]


def on_pathway(at: str) -> bool:
    """Return whether a name is that of a space, not of a Hideout."""
    return 1 <= place(at)[1] <= 12


def away(at: str, steps: int) -> list[str]:
    """Return the places this many steps to the left and to the right (SA-R-01, SA-R-02)."""
    pathway, column = place(at)
    return [name((pathway, there)) for there in (column - steps, column + steps) if 0 <= there <= 13]


def beside(at: str) -> list[str]:
    """Return the spaces one step away."""
    return [there for there in away(at, 1) if on_pathway(there)]


def is_off(options: Options, ruling: str) -> bool:
    """Return whether a ruling is switched off."""
    return options.get("switches", {}).get(ruling, True) is False


def over(s: State, at: str, rows: int = 1, *, hideouts: bool = False) -> list[str]:
    """Return the same column this many pathways above and below; for a Hideout only with `hideouts` (SA-R-04)."""
    pathway, column = place(at)
    found = [(pathway - rows, column), (pathway + rows, column)]
    return [name(one) for one in found if (hideouts or on_pathway(at)) and 1 <= one[0] <= pathways(s)]


def leaps(s: State, options: Options, at: str, rows: int = 1) -> list[str]:
    """Return where a Sniper can jump, also from one Hideout to the next if SA-R-47 is off."""
    return over(s, at, rows, hideouts=is_off(options, "SA-R-47"))


def mined(s: State) -> list[str]:
    """Return the spaces of all mines (SA-R-25)."""
    return [space for player in s["players"].values() for space in player["mines"]]


def menu(s: State, options: Options, seat: str) -> list[Act]:
    """Return the legal acts of `seat`."""
    if s["over"] or s["turn"] != seat:
        return []
    if s["setup"]:
        return list(_choices(s, options, seat))
    acts: list[Act] = [{"type": "end-turn"}]
    for kind, moves in (("sniper", _sniper), ("assassin", _assassin)):
        if kind not in s["acted"]:
            acts.append({"type": "hold", "marker": f"{kind}-{seat[-1]}"})
            acts += moves(s, options, seat)
    return acts


def _choices(s: State, options: Options, seat: str) -> Iterator[Act]:
    players = s["players"]
    starts = [player["start"] for player in players.values()]
    leaders = [player["leader"] for player in players.values()]
    if s["setup"] == "start":
        yield from ({"type": "choose-start", "space": one} for one in hideouts(s) if one not in starts)
    elif s["setup"] == "target":
        several = is_off(options, "SA-R-41")
        prey = [one for one in players if one != seat and (several or _leaves_targets(s, seat, one))]
        yield from ({"type": "choose-target", "seat": one} for one in prey)
    else:
        free = [one for one in hideouts(s) if one not in starts and one not in leaders]
        yield from ({"type": "place-leader", "space": one} for one in free)


def _leaves_targets(s: State, seat: str, target: str) -> bool:
    """SA-R-41: return the Targets that leave every other player a different Target."""
    chosen = {one: player["target"] for one, player in s["players"].items()} | {seat: target}
    return any(
        all(one != prey and chosen[one] in (None, prey) for one, prey in zip(chosen, order, strict=True))
        for order in permutations(chosen)
    )


# --- the Sniper -------------------------------------------------------------------------------------------------


def _sniper(s: State, options: Options, seat: str) -> list[Act]:
    me = s["players"][seat]
    at = me["sniper"]
    if me["recover"]:
        return []  # SA-R-30
    if me["jump"]:  # SA-R-59
        down = me["jump"]["dir"] == "down"
        landings = [there for there in leaps(s, options, at) if (place(there) > place(at)) == down]
        ends = [*landings, *(beside(landings[0]) if landings and me["jump"]["option"] == 2 else [])]
        return [{"type": "d-continue", "to": end} for end in ends]
    return [
        *_option_a(s, options, seat, at),
        *_option_b(s, options, seat, at),
        *_option_c(s, options, seat, at),
        *_option_d(s, options, seat, at),
    ]


def _walks(s: State, seat: str, at: str, most: int) -> list[str]:
    """Return where a Sniper can walk: 1 to `most` steps, one more with pads (SA-R-64), into no Hideout (SA-R-40)."""
    more = s["players"][seat]["improvement"] == "pads"
    return [end for steps in range(1, most + more + 1) for end in away(at, steps) if on_pathway(end)]


def targets(s: State, options: Options, seat: str, at: str) -> list[str]:
    """Return the markers that this player's Sniper can shoot at from there."""
    found = []
    for other, player in s["players"].items():
        for kind in ("sniper", "assassin"):
            heals = kind == "assassin" and player["shot"] in ("healing", "healed")
            if other != seat and not heals and in_range(s, options, seat, at, player[kind]):
                found.append(f"{kind}-{other[-1]}")
    return found


def in_range(s: State, options: Options, seat: str, at: str, there: str) -> bool:
    """SA-R-05: king moves, counting the empty rows; both not in Hideouts unless SA-R-07 is off."""
    reach = 4 if s["players"][seat]["improvement"] == "scope" else 3
    (p, c), (q, d) = place(at), place(there)
    open_ = is_off(options, "SA-R-07") or (on_pathway(at) and on_pathway(there))
    return open_ and abs(d - c) <= reach and 2 * abs(q - p) <= reach


def _option_a(s: State, options: Options, seat: str, at: str) -> Iterator[Act]:
    near = beside(at)
    for target in targets(s, options, seat, at):
        yield from ({"type": "a", "order": "shoot-move", "to": to, "target": target} for to in (at, *near))
    for to in near:
        yield from (
            {"type": "a", "order": "move-shoot", "to": to, "target": one} for one in targets(s, options, seat, to)
        )


def _perhaps_shooting(
    s: State, options: Options, seat: str, kind: str, to: str, place: str, **more: Any
) -> Iterator[Act]:
    """Yield an act without a target, and with each possible target from `place`."""
    yield {"type": kind, **more, "to": to}
    yield from ({"type": kind, **more, "to": to, "target": one} for one in targets(s, options, seat, place))


def _option_b(s: State, options: Options, seat: str, at: str) -> Iterator[Act]:
    yield from ({"type": "b-walk", "to": at, "target": one} for one in targets(s, options, seat, at))
    for to in _walks(s, seat, at, 2):
        yield from _perhaps_shooting(s, options, seat, "b-walk", to, to)
    for to in leaps(s, options, at):
        yield from _perhaps_shooting(s, options, seat, "b-jump", to, to)


def _option_c(s: State, options: Options, seat: str, at: str) -> Iterator[Act]:
    yield from ({"type": "c-walk", "to": to} for to in _walks(s, seat, at, 3))
    for landing in leaps(s, options, at):
        yield from ({"type": "c-jump", "to": to} for to in (landing, *beside(landing)))


def _option_d(s: State, options: Options, seat: str, at: str) -> Iterator[Act]:
    for end in leaps(s, options, at, 2):
        (p, c), (q, _) = place(at), place(end)
        middle = name(((p + q) // 2, c))
        if s["players"][seat]["improvement"] == "spring":  # SA-R-58
            yield from _perhaps_shooting(s, options, seat, "d-fast", end, middle, option=1)
            yield from ({"type": "d-fast", "option": 2, "to": to} for to in (end, *beside(end)))
        else:
            yield from _perhaps_shooting(s, options, seat, "d1", middle, middle)
            yield {"type": "d2", "to": middle}


# --- the Assassin -----------------------------------------------------------------------------------------------


def _assassin(s: State, options: Options, seat: str) -> Iterator[Act]:
    me = s["players"][seat]
    at = me["assassin"]
    if me["shot"] == "fresh" or me["locked"]:
        return  # SA-R-21, SA-R-22
    goal = s["players"][me["target"]]["leader"]
    ends = [("walk", to) for steps in (1, 2) for to in away(at, steps) if on_pathway(to) or to in (me["start"], goal)]
    for kind, to in [*ends, *(("jump", to) for to in over(s, at))]:
        yield {"type": kind, "to": to}
        if may_plant(s, options, seat, at):
            yield {"type": kind, "to": to, "mine": {"when": "before", "space": at}}
        if to != goal:
            dropped = [space for space in beside(to) if may_plant(s, options, seat, space)]
            yield from ({"type": kind, "to": to, "mine": {"when": "after", "space": space}} for space in dropped)
    yield from ({"type": "plant", "space": space} for space in beside(at) if may_plant(s, options, seat, space))
    if me["pushed_back"] and on_pathway(at) and me["start"] in away(at, 1):
        yield {"type": "claymore"}  # SA-R-37


def may_plant(s: State, options: Options, seat: str, space: str) -> bool:
    """SA-R-24, SA-R-26."""
    me = s["players"][seat]
    more = len(me["mines"]) < 5 or is_off(options, "SA-R-24")
    return on_pathway(space) and more and space not in mined(s) and me["sniper"] != space
