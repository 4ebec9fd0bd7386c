"""The legal acts, rule by rule of the book.

This second implementation is slow and simple, and shares no code with the engine. A position is the JSON of
`board-engine/1`, an act the JSON of an action. Only the map's tables come from the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations, permutations
from typing import Any, NamedTuple

from engine.graph import Map
from games.sniper_elite.map_rules import Sites, sites_of
from tests.games.sniper_elite.longhand.nest import GEAR, at_a_number, cards, gear, is_ally, paths

State = dict[str, Any]
Act = dict[str, Any]

SQUADS = ("yellow", "red", "black")
SOLDIERS = [f"{squad}-{number}" for squad in SQUADS for number in (1, 2)]
DECK = [
    *["sound-masking"] * 2,
    *["s-mine"] * 2,
    *["silenced-ammo"] * 2,
    *["distraction"] * 2,
    *["tommy-gun", "trench-gun"],
]
KINDS = [*dict.fromkeys(DECK), *GEAR]
WEAPONS = ("silenced-ammo", "tommy-gun", "trench-gun")
SPECIALISTS = ("kennel-master", "jaeger", "scout", "radio-operator", "sniper", "medic")
CUBES = 10


class House(NamedTuple):
    """The board and options of a game. `options` are those of `new`."""

    board: Map
    options: dict[str, Any]

    def off(self, ruling: str) -> bool:
        """Return whether a switchable ruling is off."""
        return self.options.get("switches", {}).get(ruling, True) is False

    def harder(self, side: str, letter: str) -> bool:
        """Return whether the experienced `side` has adopted an option."""
        return letter in self.options.get(f"experienced_{side}", [])

    @property
    def deck(self) -> list[str]:
        """Return all loadout cards."""
        return [*DECK, *gear(self.board, self.options)]

    @property
    def sites(self) -> Sites:
        """Return the map's arrows, start circles and objectives."""
        return sites_of(self.board)

    def slow(self, space: str) -> bool:
        """Return whether a space is difficult terrain."""
        return self.board.spaces[space].difficult

    def open(self, space: str) -> bool:
        """Return whether a space can be entered."""
        return self.board.spaces[space].kind not in ("water", "obstruction")

    def suit(self, objective: int) -> str | None:
        """Return the sector of a numbered space, which is its card's suit."""
        return self.board.spaces[self.sites.objectives[objective]].sector


def squad(unit: str) -> str:
    """Return the colour of a unit."""
    return unit.split("-")[0]


def officer(unit: str) -> bool:
    """Return whether a unit is an officer."""
    return unit.endswith("-officer")


def taken(s: State) -> set[str]:
    """Return the spaces that hold a unit."""
    return {space for space in s["units"].values() if space}


def seen(h: House, s: State) -> dict[str, int]:
    """Return the units in the sniper's sight, with D."""
    here = s["sniper"]["space"]
    far = {unit: h.board.distance(here, space) for unit, space in s["units"].items() if here and space}
    return {unit: distance for unit, distance in far.items() if distance}


def menu(h: House, s: State, seat: str) -> list[Act]:
    """Return the legal acts of a seat."""
    if s["over"]:
        return []
    notes = list(_notes(h, s)) if seat == "defenders" else []
    if s["pending"]:
        theirs = "defenders" if s["pending"]["for"] in ("choose-specialists", "save") else "sniper"
        return [*(_decisions(h, s) if seat == theirs else []), *notes]
    if seat != s["turn"]:
        return notes
    return [*(_sniper(h, s) if seat == "sniper" else _hunters(h, s)), *notes]


def _notes(h: House, s: State) -> Iterator[Act]:
    """MP-DEF-10."""
    for space in h.board.spaces:
        if space in s["marks"]:
            yield {"type": "unmark", "space": space}
        elif len(s["marks"]) < CUBES and h.open(space):
            yield {"type": "mark", "space": space}


def _decisions(h: House, s: State) -> Iterator[Act]:
    waits, me = s["pending"], s["sniper"]
    match waits["for"]:
        case "return-objective":
            yield from ({"type": "return-objective", "objective": number} for number in me["objectives"])
        case "choose-loadout":
            size = (4 if h.harder("defenders", "A") else 3) - is_ally(s, "SABLE")
            yield from ({"type": "choose-loadout", "cards": [*hand]} for hand in set(combinations(h.deck, size)))
        case "show-objective":
            others = set(h.sites.objectives) - set(me["objectives"])
            yield from ({"type": "show-objective", "objective": number} for number in others)
        case "choose-specialists":
            for cards in permutations(SPECIALISTS, 3):
                yield {"type": "choose-specialists", "squads": dict(zip(SQUADS, cards, strict=True))}
        case "keep":
            yield from ({"type": "keep", "card": card} for card in set(waits["cards"]))
        case "save":
            yield from ({"type": "save", "unit": unit} for unit in waits["units"])
            yield {"type": "decline"}
        case "shoot-second":
            near = seen(h, s).items()
            yield from ({"type": "shoot-second", "target": unit} for unit, d in near if d <= waits["draw"])


# --- the sniper (3.4) -------------------------------------------------------------------------------------------


def _sniper(h: House, s: State) -> Iterator[Act]:
    me = s["sniper"]
    if me["space"] is None and s["entry"] is None:
        yield from _arrows(h, s)
        return
    if not me["moved"]:
        yield from ({"type": "move", "path": path} for path in _paths(h, s))
    if not me["carded"] and (me["space"] or not h.off("R-06")):
        yield from (play for card in set(me["hand"]) for play in _cards(h, s, card))
    if not me["acted"] and me["space"]:
        yield from _shots(h, s)
        yield from at_a_number(s, h.sites.numbers.get(me["space"]))
    if me["space"] or h.off("R-05"):
        yield {"type": "end-turn"}


def _arrows(h: House, s: State) -> Iterator[Act]:
    """MP-TURN-03, R-74."""
    barred = {h.suit(number) for number in s["sniper"]["objectives"]}
    for sector, space in h.sites.entries.items():
        if sector not in barred and space not in taken(s):
            yield {"type": "choose-entry", "sector": sector}


def _paths(h: House, s: State) -> Iterator[list[str]]:
    """MP-MOVE-01 to MP-MOVE-10, EN-D-05, EN-D-06, EN-D-08, EN-D-09, EN-R-27."""
    for path in paths(h.board, s, h.sites.entries.get(s["entry"], ""), [*filter(h.open, h.board.spaces)]):
        slow = sum(h.slow(space) for space in path)
        most = (3 - slow if h.off("R-08") else 3 - min(slow, 1)) - is_ally(s, "WREN")
        if len(path) <= most:
            yield path


def _cards(h: House, s: State, card: str) -> Iterator[Act]:
    """R-32, R-39, R-40."""
    me = s["sniper"]
    if card == "distraction":
        for unit in s["units"]:
            for to in strolls(h, s, unit) if me["space"] else ():
                if h.board.distance(me["space"], to):
                    yield {"type": "play", "card": card, "unit": unit, "to": to}
        return
    yield from cards(s, card)


def strolls(h: House, s: State, unit: str) -> set[str]:
    """Return where a unit's movement can end (MP-ACT-01 to MP-ACT-04, R-18)."""
    at = s["units"][unit]
    near = set(h.board.walk[at]) if at else set()
    if h.off("R-18") and (unit in s["off"] or "deploy" in s["done"].get(unit, [])):
        near = {space for space in near if not h.slow(space)}
    far = {space for step in near if not h.slow(step) for space in h.board.walk[step] if not h.slow(space)}
    return (near | far) - taken(s)


def _shots(h: House, s: State) -> Iterator[Act]:
    """R-13, R-24, R-25, EN-R-07, EN-R-28."""
    gun, full, near = s["sniper"]["active"], sum(s["bag"].values()), seen(h, s)
    if gun == "trench-gun":
        yield {"type": "shoot"}
        return
    ones: list[Act] = [
        {"type": "shoot", "target": unit, "draw": n} for unit, d in near.items() for n in range(d, full + 1)
    ]
    most = 1 + (gun == "tommy-gun") + is_ally(s, "KARL")
    reach = [n for n in range(1, full) if any(d <= n for d in near.values())]
    twos = [{**shot, "second": n} for shot in ones if most > 1 for n in reach if shot["draw"] + n <= full]
    threes = [{**shot, "third": n} for shot in twos if most > 2 for n in reach]
    yield from twos
    yield from (shot for shot in threes if shot["draw"] + shot["second"] + shot["third"] <= full)
    if not (twos and gun == "tommy-gun" and h.off("R-24")):
        yield from ones


# --- the defenders (3.5) ----------------------------------------------------------------------------------------


def _hunters(h: House, s: State) -> Iterator[Act]:
    for unit, at in s["units"].items():
        yield from _away(h, s, unit) if at is None else _standing(h, s, unit, at)
    for colour in SQUADS:
        if _intel(h, s, colour):
            yield {"type": "intel", "squad": colour}
        yield from _abilities(h, s, colour)
    yield {"type": "end-turn"}


def _free(s: State, unit: str, action: str) -> bool:
    """MP-DEF-02, MP-DEF-04, MP-SPEC-18."""
    return s["squads"][squad(unit)]["left"] > 0 and not {action, "scout"} & {*s["done"].get(unit, [])}


def _standing(h: House, s: State, unit: str, at: str) -> Iterator[Act]:
    if _free(s, unit, "move"):
        yield from ({"type": "move", "unit": unit, "to": to} for to in strolls(h, s, unit))
    if _free(s, unit, "attack"):
        yield {"type": "attack", "unit": unit}
        yield from _aimed(h, s, unit, at) if officer(unit) and _usable(s, squad(unit)) else ()
    if _free(s, unit, "spot"):
        yield from ({"type": "spot", "unit": unit, "space": near} for near in h.board.adjacent[at] if h.open(near))
    if _free(s, unit, "sweep"):
        near = [space for space in h.board.spaces if space in h.board.matching[at]]
        pairs = combinations(near, min(2, len(near)))
        yield from ({"type": "sweep", "unit": unit, "spaces": [*pair]} for pair in pairs)
    if _free(s, unit, "dismiss"):
        yield {"type": "dismiss", "unit": unit}


def _home(h: House, s: State, colour: str) -> str | None:
    """Return the officer's space, if it is in its own sector."""
    at: str | None = s["units"][f"{colour}-officer"]
    return at if at and h.board.spaces[at].sector == colour else None


def _away(h: House, s: State, unit: str) -> Iterator[Act]:
    """MP-ACT-13 to MP-ACT-18."""
    if not _free(s, unit, "deploy") or "dismiss" in s["done"].get(unit, []):
        return
    home = _home(h, s, squad(unit))
    around = [h.sites.starts[unit]] if officer(unit) else h.board.matching[home] if home else []
    for space in around:
        if space not in taken(s):
            yield {"type": "deploy", "unit": unit, "space": space}


def _intel(h: House, s: State, colour: str) -> bool:
    """MP-INTEL-01, MP-INTEL-02, MP-DIFF-07, MP-DIFF-08."""
    early = h.harder("defenders", "C") and s["round"] <= 2
    another = h.harder("defenders", "D") and any(turn["intel"] for turn in s["squads"].values())
    return s["squads"][colour]["left"] == 2 and _home(h, s, colour) is not None and not early and not another


def _usable(s: State, colour: str) -> bool:
    """MP-SPEC-01, MP-SPEC-03, MP-SPEC-04."""
    return bool(s["units"][f"{colour}-officer"]) and s["specialists"][colour]["uses"] > 0 and colour not in s["used"]


def _aimed(h: House, s: State, unit: str, at: str) -> Iterator[Act]:
    """R-51, R-52, R-54."""
    card = s["specialists"][squad(unit)]["card"]
    if card == "jaeger":
        for space in h.board.adjacent[at]:
            if h.open(space):
                yield {"type": "attack", "unit": unit, "space": space, "use": card}
    if card == "sniper" and "move" not in s["done"].get(unit, []):
        most = min(7, sum(s["bag"].values()))
        for space in filter(h.open, h.board.spaces):
            for n in range(h.board.distance(at, space) or 99, most + 1):
                yield {"type": "attack", "unit": unit, "space": space, "draw": n, "use": card}


def _abilities(h: House, s: State, colour: str) -> Iterator[Act]:
    if not _usable(s, colour):
        return
    card, use = s["specialists"][colour]["card"], {"type": "ability", "squad": colour}
    if card == "kennel-master" and len(s["dogs"]) < 2:
        yield use
    if card == "scout":
        fresh = [f"{colour}-{n}" for n in (1, 2) if s["units"][f"{colour}-{n}"] and not s["done"].get(f"{colour}-{n}")]
        goals = [space for space in h.board.spaces if h.open(space) and space not in taken(s)]
        yield from ({**use, "unit": unit, "to": space} for unit in fresh for space in goals)
    if card == "radio-operator" and "move" not in s["done"].get(f"{colour}-officer", []):
        around = set(h.board.matching[s["units"][f"{colour}-officer"]]) - taken(s)
        yield from ({**use, "unit": unit, "space": space} for unit in _called_up(s) for space in around)


def _called_up(s: State) -> Iterable[str]:
    """R-57, R-62: soldiers that were off the board for the whole turn so far."""
    for unit in SOLDIERS:
        if s["units"][unit] is None and unit in s["off"] and "dismiss" not in s["done"].get(unit, []):
            yield unit
