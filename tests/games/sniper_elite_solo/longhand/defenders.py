"""The defenders' half: die, card, its steps, the new card and returns."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from typing import Any

from tests.games.sniper_elite.longhand.nest import Told
from tests.games.sniper_elite_solo.longhand.menu import COLOURS, FAR, Act, House, State, held
from tests.games.sniper_elite_solo.longhand.play import Course, Luck, Outcome, run

Card = dict[str, Any]
SETS = {"perimeter": 1, "access": 2, "heights": 3}
"""Set of marks -> its number of tiers (SO-D-09)."""


def follow(h: House, cards: dict[str, Card], s: State, act: Act, luck: Luck) -> tuple[State, list[Told]]:
    """Return the position after a legal act, and its events."""
    course = Whole(h, json.loads(json.dumps(s)), luck)
    course.cards = cards
    return run(course, act)


class Whole(Course):
    """An act, with the defenders' turn that may follow."""

    cards: dict[str, Card]

    def defenders(self) -> None:
        """SO-DEF-01 to SO-DEF-04."""
        if not self.s["deck"]:
            self.finish("defenders", "deck")
        value = self.luck["die"].pop(0)
        self.tell("die", value=value)
        slot = self.s["slots"][value - 1]
        slot["face"] = "up"
        self.tell("solo-card", card=slot["card"], slot=value)
        self.steps(self.cards[slot["card"]]["steps"])
        self.s["discard"].append(slot["card"])
        others = [other for other in self.s["slots"] if other is not slot]
        face = "down" if all(other["face"] == "up" for other in others) else "up"
        new = self.s["deck"].pop(0)
        self.s["slots"] = [*others, {"card": new, "face": face}]
        self.tell("slotted", card=new if face == "up" else None, face=face)
        self.comes_back()

    def comes_back(self) -> None:
        """SO-DEF-05, SO-R-22, SO-R-63."""
        away = [unit for unit, space in self.s["units"].items() if space is None]
        if not away:
            self.close()
            return
        crosses = {unit: self.h.crosses[unit.split("-")[0]] for unit in away}
        unit, cross = self.worst("returned", [*crosses.items()])
        if cross not in held(self.s):
            self.s["units"][unit] = cross
            self.tell("returned", unit=unit, space=cross)
            self.close()
            return
        spaces = self.beside_cross(cross)
        self.tell("returning", unit=unit, spaces=spaces)
        self.s["pending"] = {"for": "place-return", "unit": unit, "spaces": spaces, "left": 0}

    def beside_cross(self, cross: str) -> list[str]:
        """Return where the player may put a defender whose cross is taken (SO-R-21)."""
        free = [space for space in self.h.free if space not in held(self.s)]
        near = [space for space in free if space in self.h.board.adjacent[cross]]
        return near or nearest(free, lambda space: self.h.d(space, cross))

    def judged(self, event: str, outcome: Outcome) -> tuple[int, ...]:
        """Rate a return onto a taken cross by the player's best choice (SO-R-63)."""
        unit, space = outcome
        if event == "returned" and space in held(self.s):
            return min(super(Whole, self).judged(event, (unit, x)) for x in self.beside_cross(space))
        return super().judged(event, outcome)

    def place_return(self, space: str) -> None:
        """SO-R-21."""
        unit = self.s["pending"]["unit"]
        self.s["pending"] = None
        self.s["units"][unit] = space
        self.tell("returned", unit=unit, space=space)
        self.close()

    def close(self) -> None:
        """End the round."""
        self.tell("turn-ended", seat="defenders")
        self.s["round"] += 1
        self.me |= {"hits": 0, "wounded": False}

    # --- the language of the cards (section 5) ------------------------------------------------------------------

    def steps(self, steps: list[Any]) -> None:
        """SO-D-01, SO-D-02."""
        for step in steps:
            handler: Callable[[Any], None] = getattr(self, f"do_{step['do']}")
            handler(step)

    def select(self, who: Iterable[str]) -> list[str]:
        """SO-D-03."""
        units: list[str] = [unit for unit, space in self.s["units"].items() if space]
        for selector in who:
            units = [unit for unit in units if self.fits(unit, selector)]
        return units

    def fits(self, unit: str, selector: str) -> bool:
        """Return whether a selector fits a defender."""
        space, lks = self.s["units"][unit], self.s["lks"]
        inside = self.h.sector(space) == lks
        word, _, kind = selector.partition(":")
        wet = any(self.h.kind(near) == "water" for near in self.h.board.adjacent[space])
        answers = {
            "all": True,
            "in_lks": inside,
            "outside_lks": not inside,
            "lks_colour": inside if lks == "white" else unit.startswith(lks),
            "on": self.h.kind(space) == kind,
            "not_on": self.h.kind(space) != kind,
            "on_possible": space in self.posts(),
            "not_on_possible": space not in self.posts(),
            "beside_water": wet,
            "not_beside_water": not wet,
            "moved": unit in self.changed,
            "unmoved": unit not in self.changed,
        }
        return answers[word]

    def posts(self) -> list[str]:
        """Return the spaces with a cube."""
        return [self.h.objectives[number] for number in self.s["possible"]]

    def lks_spaces(self) -> list[str]:
        """Return the enterable spaces of the last known sector."""
        return [space for space in self.h.free if self.h.sector(space) == self.s["lks"]]

    def goals(self, to: str, post: str = "") -> list[str]:
        """SO-D-05, SO-R-55."""
        match to:
            case "$obj":
                return [post]
            case "access($obj)":
                if self.h.kind(post) == "open":
                    return [post]
                return nearest(self.h.access, lambda space: self.h.d(space, post))
            case "lks":
                return self.lks_spaces()
            case "nearest_access_in_lks":
                return [space for space in self.lks_spaces() if space in self.h.access]
            case "nearest_enclosed_in_lks":
                return [space for space in self.lks_spaces() if self.h.kind(space) == "enclosed"]
            case "nearest_possible":
                return self.posts()
        raise AssertionError(to)

    def holds(self, cond: str) -> bool:
        """SO-D-07."""
        word, _, value = cond.partition(":")
        match word:
            case "sniper_on":
                return self.h.kind(self.me["space"]) == value
            case "deck_at_most":
                return len(self.s["deck"]) <= int(value)
            case "unguarded_possible":
                return bool(set(self.posts()) - held(self.s))
        raise AssertionError(cond)

    def do_if(self, step: Any) -> None:
        """SO-D-07."""
        self.steps(step["then"] if self.holds(step["cond"]) else step["else"])

    def do_update_lks(self, _: Any) -> None:
        """SO-LKS-01."""
        self.update_lks()

    def do_reveal_position(self, _: Any) -> None:
        """SO-LKS-02."""
        self.reveal()

    def do_eliminate(self, step: Any) -> None:
        """SO-D-08."""
        assert step["which"] == "lowest_in_lks"
        for number in self.s["possible"]:
            if self.h.sector(self.h.objectives[number]) == self.s["lks"] and number not in self.me["objectives"]:
                self.eliminate(number)
                return

    def do_scan(self, step: Any) -> None:
        """SO-KEY-03, SO-R-09, SO-R-49."""
        here = self.me["space"]
        self.looks("scan", "scanned", step, lambda space: here == space or here in self.h.board.adjacent[space])

    def do_search(self, step: Any) -> None:
        """SO-KEY-04, SO-R-08."""
        self.looks("search", "searched", step, lambda space: 0 < self.h.sight(space, self.me["space"]) <= 2)

    def looks(self, cause: str, event: str, step: Any, finds: Callable[[str], bool]) -> None:
        """SO-R-10."""
        units = self.select(step["who"])
        if units:
            self.tell(event, units=units)
        for unit in units:
            if finds(self.s["units"][unit]):
                self.hit(cause, unit)

    def do_attack(self, step: Any) -> None:
        """SO-KEY-05, SO-D-06, SO-R-10, SO-R-11."""
        found: set[str] = set()
        for words in step["spaces"]:
            word, _, inner = words.removesuffix(")").partition("(")
            who, _, kind = inner.partition(",")
            held_by = {self.s["units"][unit] for unit in self.select([who])}
            beside = {near for space in held_by for near in self.h.board.adjacent[space]} & set(self.lks_spaces())
            match word:
                case "occupied_by":
                    found |= held_by
                case "beside":
                    found |= {space for space in beside if self.h.kind(space) == kind}
                case "access_in_lks_beside":
                    found |= beside & self.h.access
                case _:
                    raise AssertionError(words)
        if found:
            self.tell("attacked", spaces=[space for space in self.h.board.spaces if space in found])
        for _ in range(2 if self.me["space"] in found else 0):
            self.hit("attack")

    def walks(self, unit: str, goals: list[str], n: int) -> list[Outcome]:
        """SO-KEY-08, SO-KEY-11, SO-R-57."""
        at = self.s["units"][unit]
        far = self.h.to(at, goals)
        if far in (0, FAR):
            return []
        ends = [x for x in self.h.free if x not in held(self.s) and 0 < self.h.d(at, x) <= n]
        ends = [x for x in ends if self.h.d(at, x) + self.h.to(x, goals) == far]
        return [(unit, x) for x in nearest(ends, lambda x: self.h.to(x, goals))]

    def drops(self, unit: str, post: str) -> list[Outcome]:
        """SO-KEY-06, SO-KEY-07, SO-LKS-03, SO-R-50, SO-R-61."""
        own = self.s["units"][unit]
        free = [x for x in self.h.free if x not in held(self.s) or x == own]
        ends = [post] if post in free else [x for x in free if x in self.h.board.matching[post]]
        ends = ends or nearest(free, lambda x: self.h.d(x, post))
        return [(unit, x) for x in ends if self.may_go(unit, x)]

    def may_go(self, unit: str, space: str) -> bool:
        """SO-LKS-03."""
        own, here = self.s["units"][unit], self.me["space"]
        return self.h.sector(own) != self.s["lks"] or self.h.d(space, here) <= self.h.d(own, here)

    def do_move(self, step: Any) -> None:
        """SO-D-04, SO-R-56."""
        left, goals = self.select(step["who"]), self.goals(step["to"])
        while left:
            now = nearest(left, lambda unit: self.h.to(self.s["units"][unit], goals))
            outcomes = [outcome for unit in now for outcome in self.walks(unit, goals, step["n"])]
            if outcomes:
                chosen = self.worst("moved", outcomes)
                self.comes("moved", *chosen)
                now = [chosen[0]]
            left = [unit for unit in left if unit not in now]

    def do_for_each_possible_objective(self, step: Any) -> None:
        """SO-KEY-12, SO-KEY-13, SO-R-51, SO-R-52, SO-R-58."""
        (body,) = step["body"]
        assert body["who"] == ["closest"]
        event = "moved" if body["do"] == "move" else "deployed"
        used: set[str] = set()
        for post in self.posts():
            goals = self.goals(body["to"], post)
            left = [unit for unit, space in self.s["units"].items() if space and unit not in used]
            outcomes = [(unit, self.s["units"][unit]) for unit in left if self.s["units"][unit] in goals]
            outcomes = outcomes or self.closest(body, left, goals, post)
            if outcomes:
                chosen = self.worst(event, outcomes)
                self.comes(event, *chosen)
                used.add(chosen[0])

    def closest(self, body: Any, left: list[str], goals: list[str], post: str) -> list[Outcome]:
        """SO-R-58: return the defenders closest to the objective that may act."""
        units = self.s["units"]
        if body["do"] == "deploy":
            able = {unit: self.drops(unit, post) for unit in left if self.drops(unit, post)}
        else:
            able = {u: self.walks(u, goals, body["n"]) for u in left if self.h.to(units[u], goals) < FAR}
        now = nearest(able, lambda unit: self.h.d(units[unit], post))
        return [outcome for unit in now for outcome in able[unit]] or [(unit, units[unit]) for unit in now]

    # --- assignments --------------------------------------------------------------------------------------------

    def do_assignment(self, step: Any) -> None:
        """SO-ASG-01 to SO-ASG-03, SO-R-27 to SO-R-29."""
        self.update_lks()
        marks = self.marks(step)
        self.tell("assignment", marks=marks)
        for colour, spaces in marks.items():
            used: set[str] = set()
            for mark in spaces:
                able = {u: at for u, at in self.s["units"].items() if at and u.startswith(colour) and u not in used}
                able = {unit: at for unit, at in able.items() if self.may_go(unit, mark)}
                if mark in held(self.s) or not able:
                    continue
                now = nearest(able, lambda unit, mark=mark, able=able: self.h.d(able[unit], mark))
                chosen = self.worst("deployed", [(unit, mark) for unit in now])
                self.comes("deployed", *chosen)
                used.add(chosen[0])

    def marks(self, step: Any) -> dict[str, list[str]]:
        """SO-D-09, SO-R-66: marks are dealt in turn, to the first tier with room."""
        here, lks = set(self.lks_spaces()), self.s["lks"]
        outside = {x for x in self.h.free if self.h.sector(x) != lks}
        perimeter = {space for space in here if outside & set(self.h.board.adjacent[space])}
        raised = {space for space in here if self.h.kind(space) == "elevated"} | here & self.h.ladders
        tiers = [perimeter, here & self.h.access, raised][: SETS[step["marks"]]][::-1]
        marks: dict[str, list[str]] = {colour: [] for colour in COLOURS if colour != lks}
        for _ in range(1 if lks == "white" else step["per_colour"]):
            for colour, dealt in marks.items():
                taken = {space for spaces in marks.values() for space in spaces}
                room = next((tier - taken for tier in tiers if tier - taken), set())
                cross = self.h.crosses[colour]
                dealt += sorted(room, key=lambda space, cross=cross: (self.h.d(cross, space), space))[:1]
        return marks


def nearest(things: Iterable[str], way: Callable[[str], int]) -> list[str]:
    """Return the closest ones."""
    far = {thing: way(thing) for thing in things}
    return [thing for thing in far if far[thing] == min(far.values())]
