"""The effects of an act: the position after it, and the audience of each event.

Random results are parameters, or listed with their probabilities. This module is as slow and simple as `menu.py`, and
shares no code with the engine.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, product
from math import comb
from typing import Any

from tests.games.sniper_elite.longhand.menu import KINDS, SQUADS, WEAPONS, Act, House, State, officer, seen, squad
from tests.games.sniper_elite.longhand.nest import GEAR, Teller, Told, is_ally

TOKENS = ("aim", "noise", "recoil", "suppression")
CAPS = {"aim": 11, "noise": 9, "recoil": 3, "suppression": 3}
Luck = dict[str, Any]
"""Random results: `draw` tokens, `loot` cards, `loadout` cards, `specialists` by squad."""


def lucks(s: State, seat: str, act: Act) -> list[tuple[Luck, Fraction]]:
    """Return all random results of an act, once the cards are dealt, with their probabilities."""
    number = s["pending"]["draw"] if act["type"] == "shoot-second" else act.get("draw")
    if number is not None:
        return list(_draws(s["bag"], number))
    if act["type"] == "loot":
        hands = Counter(combinations(s["loot_deck"], min(3 + is_ally(s, "SABLE"), len(s["loot_deck"]))))
        return [({"loot": [*hand]}, Fraction(times, sum(hands.values()))) for hand, times in hands.items()]
    return [({}, Fraction(1))]


def _draws(bag: dict[str, int], number: int) -> Iterator[tuple[Luck, Fraction]]:
    for tokens in product(*(range(bag[token] + 1) for token in TOKENS)):
        if sum(tokens) == number:
            ways = 1
            for token, count in zip(TOKENS, tokens, strict=True):
                ways *= comb(bag[token], count)
            luck = {"draw": dict(zip(TOKENS, tokens, strict=True))}
            yield luck, Fraction(ways, comb(sum(bag.values()), number))


def follow(h: House, s: State, seat: str, act: Act, luck: Luck) -> tuple[State, list[Told]]:
    """Return the position after a legal act, and its events."""
    course = Course(h, json.loads(json.dumps(s)), luck)
    name = act["type"].replace("-", "_")
    handler = getattr(course, f"{seat}_{name}", None) or getattr(course, name)
    handler(**{field: value for field, value in act.items() if field != "type"})
    return course.s, course.told


class Course(Teller):
    """One act in progress. `s` is the position, changed step by step."""

    def __init__(self, h: House, s: State, luck: Luck) -> None:
        self.h, self.s, self.luck = h, s, luck
        self.me = s["sniper"]
        self.told: list[Told] = []
        self.nest = h.options.get("nest")
        self.ghost = bool(self.nest) and self.nest["ally"] == "ghost"
        self.out = dict((s["pending"] or {}).get("drawn") or dict.fromkeys(TOKENS, 0))

    # --- common effects -----------------------------------------------------------------------------------------

    def gain(self, token: str) -> bool:
        """MP-BAG-06, R-15. Return whether a token was added."""
        there = bool(self.s["bag"][token] + self.out[token] < CAPS[token])
        if there:
            self.s["bag"][token] += 1
            self.tell("bag-gained", token=token)
        return there

    def more_noise(self) -> None:
        """MP-OBJ-05, MP-ACT-08, EN-D-09, EN-R-32."""
        self.gain("noise")
        if is_ally(self.s, "LARK") and self.gain("noise"):
            self.talent()

    def kill(self, unit: str, by: str) -> None:
        """MP-BAG-01 to MP-BAG-03, MP-BAG-08, MP-BAG-09, R-36."""
        self.s["units"][unit] = None
        self.tell("killed", unit=unit, by=by)
        if by == "trench-gun" or (by == "mine" and self.h.off("R-36")):
            return
        card = self.s["specialists"][squad(unit)]
        if officer(unit) and card["suppression"]:
            card["suppression"] = False
            self.gain("suppression")
        else:
            self.gain("aim")

    def reveal(self, why: str) -> None:
        """Place the miniature on the sniper's space."""
        self.s["sniper"]["miniature"] = self.me["space"]
        self.tell("revealed", space=self.me["space"], why=why)

    def stopped(self, unit: str, space: str) -> None:
        """End a movement (MP-MINE-02, MP-MINE-03, R-34, R-37)."""
        self.s["units"][unit] = space
        if space in self.me["mines"]:
            self.me["mines"].remove(space)
            self.me["face_down"].remove("s-mine")
            self.tell("mine-triggered", unit=unit, space=space)
            self.kill(unit, "mine")

    def used(self, colour: str) -> None:
        """MP-SPEC-01, MP-SPEC-04."""
        self.s["specialists"][colour]["uses"] -= 1
        self.s["used"].append(colour)

    def finish(self, winner: str, reason: str) -> None:
        """MP-END-01 to MP-END-05."""
        self.s["pending"], self.s["over"] = None, {"winner": winner, "reason": reason}
        self.tell("game-over", winner=winner, reason=reason)
        opened = {name: self.me[name] for name in ("log", "objectives", "face_down", "mines")}
        self.tell("opened", **json.loads(json.dumps(opened)))

    # --- set-up -------------------------------------------------------------------------------------------------

    def return_objective(self, objective: int) -> None:
        """MP-SETUP-10."""
        deck = self.s["pending"]["deck"]
        held = [number for number in self.me["objectives"] if number != objective]
        self.me["objectives"] = [*held, deck.pop(0)]
        deck.append(objective)
        self.whisper("objectives", cards=self.me["objectives"])
        if len({self.h.suit(number) for number in self.me["objectives"]}) == 2:
            self.s["pending"] = {"for": "choose-loadout"}
            if "loadout" in self.luck:
                self.choose_loadout(self.luck["loadout"])

    def choose_loadout(self, cards: list[str]) -> None:
        """MP-SETUP-14, MP-SETUP-15."""
        self.me["hand"] = sorted(cards, key=KINDS.index)
        self.s["loot_deck"] = _less(self.h.deck, cards)
        self.whisper("hand", cards=self.me["hand"])
        self.tell("loadout-chosen", count=len(cards))
        self.s["pending"] = {"for": "show-objective" if self.h.harder("sniper", "C") else "choose-specialists"}
        if "specialists" in self.luck and self.s["pending"]["for"] == "choose-specialists":
            self.choose_specialists(self.luck["specialists"])

    def show_objective(self, objective: int) -> None:
        """MP-DIFF-03."""
        self.s["shown"], self.s["pending"] = objective, {"for": "choose-specialists"}
        self.tell("objective-shown", objective=objective)
        if "specialists" in self.luck:
            self.choose_specialists(self.luck["specialists"])

    def choose_specialists(self, squads: dict[str, str]) -> None:
        """MP-SETUP-17, MP-SETUP-18, MP-DIFF-06."""
        uses = 1 if self.h.harder("defenders", "B") else 2
        dealt = {colour: {"card": squads[colour], "uses": uses, "suppression": True} for colour in SQUADS}
        self.s["specialists"], self.s["pending"] = dealt, None
        self.tell("specialists-chosen", squads=squads)

    def choose_entry(self, sector: str) -> None:
        """MP-TURN-02."""
        self.s["entry"] = sector
        self.whisper("entry", sector=sector)

    # --- the sniper's turn --------------------------------------------------------------------------------------

    def sniper_move(self, path: list[str]) -> None:
        """MP-NOISE-01 to MP-NOISE-10, R-22, R-33."""
        way = [*([self.me["space"]] if self.me["space"] else []), *path]
        masked = self.me["active"] == "sound-masking"
        self.me |= {"space": path[-1], "moved": True, "been": way}
        self.me["active"] = None if masked else self.me["active"]
        quiet = 2 if is_ally(self.s, "WREN") else 1
        self.whisper("sniper-moved", path=path)
        near = {space for step in way for space in self.h.board.adjacent[step]}
        heard = [unit for unit, space in self.s["units"].items() if space in near]
        if heard and len(path) > quiet and not masked:
            self.tell("alerted", units=heard)
        if heard and 1 < len(path) <= quiet and not masked:
            self.wren()
        if barking := [dog for dog in self.s["dogs"] if dog in way]:
            self.tell("barked", spaces=barking)

    def wren(self) -> None:
        """EN-R-35: other seats get no event, but a ghost is recognised."""
        if self.ghost and not self.s["identity_revealed"]:
            self.talent()
        else:
            self.whisper("ability-used", ally=self.s["ally"])

    def play(self, card: str, unit: str = "", to: str = "") -> None:
        """MP-LOAD-03, R-32."""
        self.me["hand"].remove(card)
        self.me["carded"] = True
        hidden = card in ("sound-masking", "s-mine")
        self.tell("card-played", card=None if hidden else card)
        if hidden:
            self.me["face_down"].append(card)
            self.whisper("card-laid", card=card)
        if card in (*WEAPONS, *GEAR, "sound-masking"):
            self.me["active"] = card
        if card == "s-mine":
            self.me["mines"].append(self.me["space"])
            self.whisper("mine-laid", space=self.me["space"])
        if card == "distraction":
            self.tell("distracted", unit=unit, **{"from": self.s["units"][unit]}, to=to)
            self.stopped(unit, to)

    def shoot(
        self, target: str | None = None, draw: int = 0, second: int | None = None, third: int | None = None
    ) -> None:
        """R-14, R-23, R-28, EN-R-07, EN-R-28."""
        gun = self.me["active"]
        self.me["acted"] = True
        self.me |= {"shot": True} if "shot" in self.me else {}
        keeps = second is not None and gun == "silenced-ammo"
        self.me["active"] = None if gun in WEAPONS and not keeps else gun
        if target is None:
            self.blast()
            return
        self.whisper("target", unit=target)
        more = {"third": third} if self.nest else {}
        self.tell("shot-declared", draw=draw, second=second, **more)
        if is_ally(self.s, "KARL") and (third if gun == "tommy-gun" else second) is not None:
            self.talent()
        drawn = self.draws()
        felt = self.felt(drawn, gun)
        if second is None:
            self.noise(felt)
        self.result(target, felt, felt, [second, third])

    def felt(self, drawn: dict[str, int], gun: str | None) -> dict[str, int]:
        """MP-LOAD-10: Silenced Ammo turns noise into recoil."""
        if gun != "silenced-ammo":
            return drawn
        return {**drawn, "noise": 0, "recoil": drawn["recoil"] + drawn["noise"]}

    def draws(self) -> dict[str, int]:
        """Draw tokens and keep them out of the bag."""
        drawn: dict[str, int] = self.luck["draw"]
        for token in TOKENS:
            self.s["bag"][token] -= drawn[token]
            self.out[token] += drawn[token]
        self.tell("drew", tokens=drawn)
        return drawn

    def noise(self, drawn: dict[str, int]) -> None:
        """MP-SHOOT-10."""
        if drawn["noise"] >= 2 + drawn["suppression"]:
            self.reveal("shot")

    def result(self, target: str, drawn: dict[str, int], bad: dict[str, int], later: list[int | None]) -> None:
        """Resolve a hit, miss or misfire, then the medic's window or the next step.

        `bad` tokens count for a misfire.
        """
        calm = is_ally(self.s, "HARROW") and not self.me["moved"] and bad["recoil"] > 0
        worse = bad["recoil"] + bad["noise"]
        misfire = worse - calm >= 5 + is_ally(self.s, "ANVIL")
        hit = drawn["aim"] >= seen(self.h, self.s)[target] and not misfire
        self.tell("shot", result="misfire" if misfire else "hit" if hit else "miss")
        if worse >= 5 and not misfire:
            self.talent()
        if hit and self.window([target], "shot", later):
            return
        if hit:
            self.kill(target, "shot")
        self.afterwards(later)

    def window(self, hit: list[str], by: str, later: Sequence[int | None] = (None, None)) -> bool:
        """MP-SPEC-26 to MP-SPEC-29, R-59, R-60."""
        for colour, card in self.s["specialists"].items():
            away = self.s["units"][f"{colour}-officer"] is None or f"{colour}-officer" in hit
            if card["card"] != "medic" or card["uses"] == 0 or colour in self.s["used"] or away:
                continue
            units = [unit for unit in hit if squad(unit) == colour]
            for unit in units:
                self.tell("save-offered", unit=unit)
            if units:
                self.s["pending"] = {"for": "save", "units": units, "hit": hit, "by": by}
                self.s["pending"] |= {"drawn": self.out, "second": later[0], **self.last(later)}
            return bool(units)
        return False

    def last(self, later: Sequence[int | None]) -> dict[str, int | None]:
        """Return what a position with the expansion says about a third shot."""
        return {"third": later[1]} if self.nest else {}

    def afterwards(self, later: Sequence[int | None]) -> None:
        """Go on with the next shot, or forfeit it; else return all tokens (MP-SHOOT-16, R-25, EN-R-08)."""
        self.s["pending"] = None
        counts = [*later]
        while counts:
            count = counts.pop(0)
            if count is not None and any(d <= count for d in seen(self.h, self.s).values()):
                rest = self.last([count, *counts, None])
                self.s["pending"] = {"for": "shoot-second", "draw": count, "drawn": self.out, **rest}
                return
            if count is not None:
                self.tell("second-forfeited")
        if any(count is not None for count in later):
            self.noise(self.felt(self.out, self.me["active"]))
        self.back()

    def back(self) -> None:
        """Return the drawn tokens to the bag."""
        for token in TOKENS:
            self.s["bag"][token] += self.out[token]
        self.out = dict.fromkeys(TOKENS, 0)
        self.me["active"] = None if self.me["active"] in WEAPONS else self.me["active"]

    def shoot_second(self, target: str) -> None:
        """R-26, R-27."""
        self.whisper("target", unit=target)
        third = self.s["pending"].get("third")
        gun = self.me["active"]
        drawn, both = self.felt(self.draws(), gun), self.felt(dict(self.out), gun)
        if third is None:
            self.noise(both)
        self.result(target, drawn, both if self.h.off("R-26") else drawn, [third, None])

    def blast(self) -> None:
        """R-30, R-31."""
        self.reveal("trench-gun")
        area = {self.me["space"], *self.h.board.matching[self.me["space"]]}
        hit = [unit for unit, space in self.s["units"].items() if space in area]
        if not self.window(hit, "trench-gun"):
            for unit in hit:
                self.kill(unit, "trench-gun")

    def save(self, unit: str) -> None:
        """R-59."""
        self.used(squad(unit))
        self.tell("saved", unit=unit)
        self.after_window([other for other in self.s["pending"]["hit"] if other != unit])

    def decline(self) -> None:
        """R-59."""
        self.tell("save-declined")
        self.after_window(self.s["pending"]["hit"])

    def after_window(self, dead: list[str]) -> None:
        """Remove units that were hit and not saved, then continue the shot."""
        waits = self.s["pending"]
        for unit in dead:
            self.kill(unit, waits["by"])
        self.afterwards([waits["second"], waits.get("third")])

    def loot(self) -> None:
        """MP-LOOT-02, R-41."""
        self.me["acted"] = True
        cards = self.luck["loot"]
        self.s["loot_deck"] = _less(self.s["loot_deck"], cards)
        self.s["pending"] = {"for": "keep", "cards": cards}
        self.tell("looted")
        self.whisper("loot-drawn", cards=cards)
        if len(cards) > 3:
            self.talent()

    def keep(self, card: str) -> None:
        """MP-LOOT-02, MP-LOOT-03."""
        back = _less(self.s["pending"]["cards"], [card])
        self.s["loot_deck"] = sorted([*self.s["loot_deck"], *back], key=KINDS.index)
        self.me["hand"] = sorted([*self.me["hand"], card], key=KINDS.index)
        self.me["looted"].append(self.me["space"])
        self.s["pending"] = None
        self.whisper("loot-kept", card=card, space=self.me["space"])

    def complete(self, objective: int) -> None:
        """MP-OBJ-01 to MP-OBJ-07, MP-DIFF-04."""
        self.me["acted"] = True
        self.me["completed"].append(objective)
        self.tell("objective-completed", objective=objective, space=self.me["space"])
        self.reveal("objective")
        self.more_noise()
        if len(self.me["completed"]) == 2:
            self.me["log"].append([self.s["countdown"], self.me["space"]])
            self.finish("sniper", "objectives")
            return
        self.s["countdown"] = 7 if self.h.harder("sniper", "D") else 10
        self.tell("countdown", number=self.s["countdown"])

    def fresh(self) -> None:
        """Start one side's turn."""
        self.s |= {"squads": {colour: {"left": 2, "intel": False} for colour in SQUADS}, "done": {}, "used": []}
        self.me |= {"moved": False, "carded": False, "acted": False, "active": None, "been": []}
        self.me |= {"shot": False} if "shot" in self.me else {}

    def sniper_end_turn(self) -> None:
        """MP-TURN-10, MP-END-03."""
        self.tell("turn-ended", seat="sniper")
        self.me["log"].append([self.s["countdown"], self.me["space"]])
        self.fresh()
        self.s["turn"] = "defenders"
        self.s["off"] = [unit for unit, space in self.s["units"].items() if space is None]
        if self.s["countdown"] == 1:
            self.finish("defenders", "countdown")

    # --- the defenders' turn ------------------------------------------------------------------------------------

    def did(self, unit: str, action: str) -> None:
        """MP-DEF-04, MP-DEF-05."""
        self.s["squads"][squad(unit)]["left"] -= 1
        self.s["done"].setdefault(unit, []).append(action)

    def defenders_move(self, unit: str, to: str) -> None:
        """MP-ACT-01."""
        self.did(unit, "move")
        self.tell("moved", unit=unit, **{"from": self.s["units"][unit]}, to=to)
        self.stopped(unit, to)

    def attack(self, unit: str, space: str | None = None, draw: int = 0, use: str | None = None) -> None:
        """MP-ACT-06, MP-ACT-07, R-47, R-51 to R-53."""
        goal = space or self.s["units"][unit]
        found: bool | None = goal == self.me["space"]
        if use == "sniper":
            self.tell("shot-declared", draw=draw, second=None, **({"third": None} if self.nest else {}))
            drawn = self.draws()
            need = self.h.board.distance(self.s["units"][unit], goal) or 99
            found = found if drawn["aim"] >= need and drawn["recoil"] + drawn["noise"] < 5 else None
            self.back()
        if use:
            self.used(squad(unit))
        self.did(unit, "attack")
        self.tell("attacked", unit=unit, space=goal, found=found)
        if found:
            self.wound()

    def wound(self) -> None:
        """MP-ACT-07, MP-END-02."""
        self.reveal("attack")
        self.me["wounds"] += 1
        self.tell("wounded", wounds=self.me["wounds"])
        if self.me["wounds"] == 2:
            self.finish("defenders", "wounds")

    def spot(self, unit: str, space: str) -> None:
        """MP-ACT-08."""
        self.did(unit, "spot")
        self.tell("spotted", unit=unit, space=space, found=space == self.me["space"])
        if space == self.me["space"]:
            self.reveal("spot")
            self.more_noise()

    def sweep(self, unit: str, spaces: list[str]) -> None:
        """MP-ACT-10, MP-ACT-11."""
        self.did(unit, "sweep")
        found = self.me["space"] in (*spaces, self.s["units"][unit])
        self.tell("swept", unit=unit, spaces=spaces, found=found)

    def deploy(self, unit: str, space: str) -> None:
        """MP-ACT-13, MP-ACT-15, R-34: no movement ends here."""
        self.did(unit, "deploy")
        self.s["units"][unit] = space
        self.tell("deployed", unit=unit, space=space)

    def dismiss(self, unit: str) -> None:
        """MP-ACT-18, R-84."""
        self.did(unit, "dismiss")
        self.s["units"][unit] = None
        self.tell("dismissed", unit=unit)

    def intel(self, squad: str) -> None:
        """MP-INTEL-03, R-82."""
        here = self.me["space"]
        self.s["squads"][squad] = {"left": 0, "intel": True}
        self.tell("intel", squad=squad, found=bool(here) and self.h.board.spaces[here].sector == squad)

    def ability(self, squad: str, unit: str = "", to: str = "", space: str = "") -> None:
        """MP-SPEC-10, MP-SPEC-16, MP-SPEC-19."""
        self.used(squad)
        if to:
            self.s["done"].setdefault(unit, []).append("scout")
            self.tell("scouted", unit=unit, **{"from": self.s["units"][unit]}, to=to)
            self.stopped(unit, to)
        elif space:
            self.s["units"][unit] = space
            self.tell("deployed", unit=unit, space=space, use="radio-operator")
        else:
            dog = self.s["units"][f"{squad}-officer"]
            self.s["dogs"].append(dog)
            self.tell("dog-placed", space=dog)

    def mark(self, space: str) -> None:
        """MP-DEF-10."""
        self.s["marks"].append(space)
        self.tell("marked", space=space)

    def unmark(self, space: str) -> None:
        """MP-DEF-10."""
        self.s["marks"].remove(space)
        self.tell("unmarked", space=space)

    def defenders_end_turn(self) -> None:
        """MP-DEF-06, MP-TURN-04."""
        self.fresh()
        self.s |= {"turn": "sniper", "round": self.s["round"] + 1, "countdown": self.s["countdown"] - 1, "off": []}
        self.tell("turn-ended", seat="defenders")
        self.tell("countdown", number=self.s["countdown"])
        if self.me["miniature"]:
            self.me["miniature"] = None
            self.tell("miniature-removed")


def _less(cards: list[str], gone: list[str]) -> list[str]:
    rest = Counter(cards) - Counter(gone)
    return sorted(rest.elements(), key=KINDS.index)
