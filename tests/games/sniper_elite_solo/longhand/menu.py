"""The map's distances and the sniper's legal acts.

This second implementation is slow and simple, and shares no code with the game. Positions and acts are the JSON of
`board-engine/1`. Only the map's tables come from elsewhere.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from functools import cache
from typing import Any

from engine.graph import Map
from tests.games.sniper_elite.longhand.nest import GEAR, at_a_number, cards, gear, is_ally, paths

State = dict[str, Any]
Act = dict[str, Any]

COLOURS = ("yellow", "red", "black")
SECTORS = (*COLOURS, "white")
UNITS = [f"{colour}-{member}" for colour in COLOURS for member in ("officer", "1", "2")]
STANDARD = ["sound-masking", "s-mine", "silenced-ammo", "distraction", "tommy-gun", "trench-gun"]
KINDS = [*STANDARD, *GEAR]
TOTALS = {"aim": 11, "noise": 9, "recoil": 7}
FAR = 999


class House:
    """A map with the tables that the rules need. `crosses` is colour -> iron cross, for a map without them.

    `nest` is the option of that name, `None` without Eagle's Nest.
    """

    nest: dict[str, Any] | None = None

    def __init__(self, board: Map, crosses: Mapping[str, str] | None = None) -> None:
        self.board = board
        spaces = board.spaces.items()
        self.free = [name for name, space in spaces if space.kind not in ("water", "obstruction")]
        numbered = {space.properties["objective"]: name for name, space in spaces if "objective" in space.properties}
        self.objectives: dict[int, str] = dict(sorted(numbered.items()))
        self.numbers = {name: number for number, name in self.objectives.items()}
        officers = {name for name, space in spaces if space.properties.get("start") == "officer"}
        self.crosses = crosses or {self.sector(name): name for name in officers}
        self.entries = {self.sector(entry.space): entry.space for entry in board.entries}
        self.ways = cache(self._ways)

    def playing(self, nest: dict[str, Any] | None) -> House:
        """Return the same map with another option `nest`."""
        other = copy(self)
        other.nest = nest
        return other

    @property
    def loadout(self) -> list[str]:
        """Return all loadout cards."""
        return [*STANDARD, *STANDARD[:4], *gear(self.board, {"nest": self.nest})]

    def sector(self, space: str) -> str:
        """Return the sector of a space."""
        return str(self.board.spaces[space].sector)

    def kind(self, space: str) -> str:
        """Return the kind of a space."""
        return str(self.board.spaces[space].kind)

    def slow(self, space: str) -> bool:
        """Return whether a space is difficult."""
        return self.board.spaces[space].difficult

    def _ways(self, start: str) -> dict[str, int]:
        cost = {start: 0}
        changed = True
        while changed:
            changed = False
            for space in list(cost):
                for near in self.board.walk[space]:
                    price = cost[space] + (2 if self.slow(near) else 1)
                    if price < cost.get(near, FAR):
                        cost[near] = price
                        changed = True
        return cost

    def d(self, start: str | None, goal: str) -> int:
        """Return the cost of a walk for a defender (SO-R-07, SO-R-55, SO-R-60)."""
        return FAR if start is None else self.ways(start).get(goal, FAR)

    def to(self, start: str, goals: Iterable[str]) -> int:
        """Return the distance to the nearest of several spaces."""
        return min((self.d(start, goal) for goal in goals), default=FAR)

    @property
    def access(self) -> set[str]:
        """SO-KEY-14."""
        spaces, found = self.board.spaces, set()
        for one, others in self.board.walk.items():
            for two in others:
                if (spaces[one].kind, spaces[one].area) != (spaces[two].kind, spaces[two].area):
                    found |= {one, two}
        return found

    @property
    def ladders(self) -> set[str]:
        """The access spaces with an elevated end."""
        found = set()
        for one, others in self.board.walk.items():
            for two in others:
                kinds = {self.kind(one), self.kind(two)}
                if "elevated" in kinds and (
                    kinds != {"elevated"} or self.board.spaces[one].area != self.board.spaces[two].area
                ):
                    found |= {one, two}
        return found

    def sight(self, one: str | None, two: str | None) -> int:
        """Return the aim needed, 0 without a line of sight (SO-SHT-02)."""
        return (self.board.distance(one, two) or 0) if one and two else 0


def held(s: State) -> set[str]:
    """Return the spaces with a defender."""
    return {space for space in s["units"].values() if space}


def menu(h: House, s: State) -> list[Act]:
    """Return the legal acts."""
    if s["over"]:
        return []
    if s["pending"]:
        return list(_answers(h, s))
    if s["entry"] is None:
        barred = {h.sector(h.objectives[number]) for number in s["sniper"]["objectives"]}
        open_ones = {sector: space for sector, space in h.entries.items() if space not in held(s)}
        return [{"type": "choose-entry", "sector": sector} for sector in open_ones if sector not in barred]
    return list(_turn(h, s))


def _answers(h: House, s: State) -> Iterator[Act]:
    waits = s["pending"]
    match waits["for"]:
        case "return-objective":
            yield from ({"type": "return-objective", "objective": number} for number in s["sniper"]["objectives"])
        case "keep":
            yield from ({"type": "keep", "card": card} for card in set(waits["cards"]))
        case "place-return":
            yield from ({"type": "place-return", "space": space} for space in waits["spaces"])
        case "after-hit":
            yield from rewards(s, waits["drawn"])
        case "shoot-second":
            for unit, space in s["units"].items():
                if 0 < h.sight(s["sniper"]["space"], space) <= waits["draws"][0]:
                    yield {"type": "shoot-second", "target": unit}


def rewards(s: State, drawn: dict[str, int]) -> Iterator[Act]:
    """SO-SHT-05, SO-R-12, SO-R-13."""
    stack = s["sniper"]["stack"]
    there = {token: s["bag"][token] + drawn[token] for token in TOTALS}
    if stack.count("noise") < 2 and there["noise"]:
        yield {"type": "after-hit", "option": "noise"}
    for count in (1, 2):
        if stack.count("recoil") + count <= 4 and there["recoil"] >= count:
            yield {"type": "after-hit", "option": "recoil", "count": count}
    if there["aim"] < TOTALS["aim"]:
        yield {"type": "after-hit", "option": "aim"}


def _turn(h: House, s: State) -> Iterator[Act]:
    """SO-TRN-01, SO-TRN-02, SO-R-18."""
    me = s["sniper"]
    if not me["moved"]:
        yield from ({"type": "move", "path": path} for path in _paths(h, s))
    if not me["carded"]:
        yield from (play for card in set(me["hand"]) for play in _cards(h, s, card))
    if me["space"] is None:
        return
    if not me["acted"]:
        yield from _shots(h, s)
        yield from at_a_number(s, h.numbers.get(me["space"]))
    yield {"type": "end-turn"}


def _paths(h: House, s: State) -> Iterator[list[str]]:
    """SO-MOV-01, SO-MOV-02, SO-MOV-06, SO-MOV-07, SO-R-17, EN-D-05, EN-D-06, EN-D-08, EN-D-09, EN-R-27."""
    for path in paths(h.board, s, h.entries.get(s["entry"], ""), h.free):
        if len(path) <= (2 if any(h.slow(space) for space in path) else 3) - is_ally(s, "WREN"):
            yield path


def _cards(h: House, s: State, card: str) -> Iterator[Act]:
    """SO-LDO-01, SO-R-18, SO-R-34, R-32, EN-R-30."""
    me = s["sniper"]
    if card == "distraction":
        for unit, at in s["units"].items():
            for to in h.free if at and me["space"] else ():
                if to not in held(s) and h.d(at, to) <= 2 and h.sight(me["space"], to):
                    yield {"type": "play", "card": card, "unit": unit, "to": to}
        return
    yield from cards(s, card)


def _shots(h: House, s: State) -> Iterator[Act]:
    """SO-SHT-01, SO-R-36, R-24, R-25, EN-R-07, EN-R-28."""
    gun, full = s["sniper"]["active"], sum(s["bag"].values())
    if gun == "trench-gun":
        yield {"type": "shoot"}
        return
    most = 1 + (gun == "tommy-gun") + is_ally(s, "KARL")
    far = {unit: h.sight(s["sniper"]["space"], space) for unit, space in s["units"].items()}
    ones = [{"type": "shoot", "target": unit, "draw": n} for unit, d in far.items() if d for n in range(d, full + 1)]
    least = min((d for d in far.values() if d), default=FAR)
    twos = [{**shot, "second": n} for shot in ones for n in range(least, full - shot["draw"] + 1)]
    threes = [{**shot, "third": n} for shot in twos for n in range(least, full - shot["draw"] - shot["second"] + 1)]
    yield from [*ones, *twos, *threes] if most == 3 else [*ones, *twos] if most == 2 else ones
