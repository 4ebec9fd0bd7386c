"""The sniper's half: the effects of an act and the audience of each event. Random results are parameters.

Like `menu.py`, it shares no code with the game. An impossible random result raises an error.
"""

from __future__ import annotations

import json
from typing import Any, NoReturn

from tests.games.sniper_elite.longhand.nest import Teller, Told, is_ally
from tests.games.sniper_elite_solo.longhand.menu import FAR, KINDS, TOTALS, Act, House, State, held, rewards

Luck = dict[str, list[Any]]
"""Random results by kind, in order of use: `draw`, `loot`, `deck`, `die`, `snafu`."""
Outcome = tuple[str, str]
"""A defender and where it ends."""


class Over(Exception):
    """The game has ended in the middle of an act."""


class Course(Teller):
    """One act in progress. `s` is the position, changed step by step; `out` are the tokens held out of the bag."""

    ghost = False

    def __init__(self, h: House, s: State, luck: Luck) -> None:
        self.h, self.s, self.luck = h, s, luck
        self.me = s["sniper"]
        self.told: list[Told] = []
        self.out = dict((s["pending"] or {}).get("drawn") or dict.fromkeys(TOTALS, 0))
        self.changed: set[str] = set()

    def copy(self) -> Course:
        """Return a copy of the act, for trying something."""
        s = {**self.s, "units": {**self.s["units"]}, "bag": {**self.s["bag"]}}
        s["sniper"] = {**self.me, "stack": [*self.me["stack"]], "mines": [*self.me["mines"]]}
        other = type(self)(self.h, s, {})
        other.out = {**self.out}
        return other

    def finish(self, winner: str, reason: str) -> NoReturn:
        """SO-FIN-01 to SO-FIN-03."""
        self.back()
        self.s["pending"], self.s["over"] = None, {"winner": winner, "reason": reason}
        self.tell("game-over", winner=winner, reason=reason)
        slots = [slot["card"] for slot in self.s["slots"]]
        self.tell("opened", objectives=[*self.me["objectives"]], slots=slots, deck=[*self.s["deck"]])
        raise Over

    # --- hits and sectors ---------------------------------------------------------------------------------------

    def hit(self, cause: str, by: str | None = None) -> None:
        """SO-HIT-01 to SO-HIT-05, SO-R-12."""
        if self.me["hits"] == 3 or self.me["wounded"]:
            return
        self.me["hits"] += 1
        if self.me["stack"]:
            token = self.me["stack"].pop()
            self.s["bag"][token] += 1
            self.tell("hit", cause=cause, by=by, token=token)
            return
        self.me["wounded"] = True
        self.me["wounds"] += 1
        self.tell("hit", cause=cause, by=by, token=None)
        self.tell("wounded", wounds=self.me["wounds"])
        if self.me["wounds"] == 2:
            self.finish("defenders", "wounds")
        for _ in range(3):
            self.take("recoil")
        self.me["stack"] = ["recoil"] * 3

    def take(self, token: str) -> None:
        """Take a token from the bag, else from the drawn ones (SO-R-64)."""
        (self.s["bag"] if self.s["bag"][token] else self.out)[token] -= 1

    def update_lks(self) -> None:
        """SO-LKS-01."""
        self.s["lks"] = self.h.sector(self.me["space"])
        self.tell("lks-updated", sector=self.s["lks"])

    def reveal(self) -> None:
        """SO-LKS-02."""
        self.update_lks()
        self.hit("reveal")

    # --- defenders that end a move ------------------------------------------------------------------------------

    def kill(self, unit: str, by: str) -> None:
        """SO-SHT-04."""
        self.s["units"][unit] = None
        self.tell("killed", unit=unit, by=by)

    def mined(self, unit: str) -> bool:
        """Return whether a mine kills the defender on its space (SO-R-33)."""
        space = self.s["units"][unit]
        if space not in self.me["mines"]:
            return False
        self.me["mines"].remove(space)
        self.tell("mine-triggered", unit=unit, space=space)
        self.kill(unit, "mine")
        return True

    def comes(self, event: str, unit: str, space: str) -> bool:
        """Move a defender, and return whether it reached the sniper (SO-R-33, SO-KEY-10)."""
        before = self.s["units"][unit]
        if space == before:
            return False
        self.s["units"][unit] = space
        self.changed.add(unit)
        self.tell(event, unit=unit, **{"from": before}, to=space)
        arrived = not self.mined(unit) and space == self.me["space"]
        if arrived and event in ("deployed", "attracted"):
            self.hit("deploy" if event == "deployed" else "noise", unit)
        return arrived

    def near(self) -> bool:
        """Return whether a defender is near the sniper (SO-EOT-01)."""
        here = self.me["space"]
        return bool(held(self.s) & {here, *self.h.board.matching[here]})

    def judged(self, event: str, outcome: Outcome) -> tuple[int, ...]:
        """Return how bad an outcome is; greater is worse (SO-R-05, SO-R-60)."""
        trial = self.copy()
        unit, space = outcome
        try:
            if event == "returned":
                trial.s["units"][unit] = space
            else:
                trial.comes(event, unit, space)
        except Over:
            pass
        goals = [trial.h.objectives[n] for n in trial.me["objectives"] if n not in trial.me["completed"]]
        units = [*trial.s["units"].values()]
        wounded = trial.me["wounds"] - self.me["wounds"]
        bad = (bool(trial.s["over"]), wounded, trial.me["hits"] - self.me["hits"], trial.near())
        guards = sum(space in goals for space in units)
        nearest = sum(min(self.h.d(space, goal) for space in units) for goal in goals)
        crowd = sum(self.h.d(space, self.me["space"]) for space in units)
        return (*map(int, bad), guards, -nearest, -crowd)

    def worst(self, event: str, outcomes: list[Outcome]) -> Outcome:
        """SO-SNF-01."""
        order = {name: number for number, name in enumerate([*self.s["units"], *self.h.board.spaces])}
        outcomes = sorted(set(outcomes), key=lambda outcome: (order[outcome[0]], order[outcome[1]]))
        if len(outcomes) > 1:
            values = {outcome: self.judged(event, outcome) for outcome in outcomes}
            outcomes = [outcome for outcome in outcomes if values[outcome] == max(values.values())]
        return self.chosen(outcomes)

    def chosen(self, outcomes: list[Outcome]) -> Outcome:
        """Return one of the equally bad outcomes."""
        if len(outcomes) == 1:
            return outcomes[0]
        unit, space = self.luck["snafu"].pop(0)
        self.tell("snafu", among=[[*outcome] for outcome in outcomes], chosen=[unit, space])
        assert (unit, space) in outcomes
        return unit, space

    # --- set-up -------------------------------------------------------------------------------------------------

    def return_objective(self, objective: int) -> None:
        """SO-SET-12."""
        deck = [*self.s["pending"]["deck"], objective]
        kept = [number for number in self.me["objectives"] if number != objective]
        self.me["objectives"] = [*kept, deck.pop(0)]
        self.whisper("objectives", cards=self.me["objectives"])
        suits = {self.h.sector(self.h.objectives[number]) for number in self.me["objectives"]}
        self.s["pending"] = {"for": "return-objective", "deck": deck} if len(suits) == 1 else None

    def choose_entry(self, sector: str) -> None:
        """SO-SET-13 to SO-SET-15."""
        self.s["entry"] = self.s["lks"] = sector
        self.s["possible"] = [n for n, space in self.h.objectives.items() if self.h.sector(space) != sector]
        self.tell("entry", sector=sector)
        self.tell("lks-updated", sector=sector)
        self.tell("possible", objectives=self.s["possible"])

    # --- the sniper's turn --------------------------------------------------------------------------------------

    def move(self, path: list[str]) -> None:
        """SO-MOV-03 to SO-MOV-05, SO-R-30, EN-D-08."""
        loud = len(path) > 1 and self.me["active"] != "sound-masking"
        noisy = loud and not is_ally(self.s, "WREN")
        self.me |= {"space": path[-1], "moved": True}
        self.tell("sniper-moved", path=path, noisy=noisy)
        if loud and not noisy:
            self.talent()
        if noisy and self.h.sector(path[-1]) != self.s["lks"]:
            self.update_lks()
        elif noisy:
            self.hit("noisy-move")

    def play(self, card: str, unit: str = "", to: str = "") -> None:
        """SO-LDO-01, SO-LDO-03, SO-R-34."""
        self.me["hand"].remove(card)
        self.me["used"] = sorted([*self.me["used"], card], key=KINDS.index)
        self.me["carded"] = True
        self.tell("card-played", card=card)
        if card == "s-mine":
            self.me["mines"].append(self.me["space"])
            self.tell("mine-laid", space=self.me["space"])
        elif card == "distraction":
            self.comes("distracted", unit, to)
        else:
            self.me["active"] = card

    def shoot(
        self, target: str | None = None, draw: int = 0, second: int | None = None, third: int | None = None
    ) -> None:
        """SO-SHT-01, SO-LDO-02, SO-LDO-03, SO-R-70, EN-R-28, EN-R-31."""
        self.me["acted"] = True
        self.me |= {"shot": True} if "shot" in self.me else {}
        if target is None:
            self.reveal()
            area = {self.me["space"], *self.h.board.matching[self.me["space"]]}
            for unit in [unit for unit, space in self.s["units"].items() if space in area]:
                self.kill(unit, "trench-gun")
            return
        draws = [count for count in (draw, second, third) if count is not None]
        self.fire(target, {"noise": 0, "targets": [], "draws": draws})

    def shoot_second(self, target: str) -> None:
        """SO-LDO-02."""
        self.fire(target, self.s["pending"])

    def fire(self, target: str, waits: dict[str, Any]) -> None:
        """One shot: SO-SHT-01 to SO-SHT-05, SO-R-31, SO-R-64, EN-D-09, EN-R-11, EN-R-28."""
        self.s["pending"] = None
        number, *later = waits["draws"]
        counts = dict(zip(("second", "third"), [*later, None, None], strict=False))
        self.tell(
            "shot-declared", target=target, draw=number, **(counts if self.h.nest else {"second": counts["second"]})
        )
        if is_ally(self.s, "KARL") and not waits["targets"] and len(later) > (self.me["active"] == "tommy-gun"):
            self.talent()
        drawn = self.luck["draw"].pop(0)
        assert sum(drawn.values()) == min(number, sum(self.s["bag"].values()))
        for token in TOTALS:
            self.s["bag"][token] -= drawn[token]
            self.out[token] += drawn[token]
        self.tell("drew", tokens=drawn)
        silenced = self.me["active"] == "silenced-ammo"
        noise = waits["noise"] + (0 if silenced else drawn["noise"])
        waits = {"noise": noise, "targets": [*waits["targets"], target], "draws": later}
        bad, calm = drawn["noise"] + drawn["recoil"], is_ally(self.s, "HARROW") and not self.me["moved"]
        calm = calm and drawn["recoil"] + (drawn["noise"] if silenced else 0) > 0
        misfire = bad - calm >= 5 + is_ally(self.s, "ANVIL")
        hit = not misfire and drawn["aim"] >= self.h.sight(self.me["space"], self.s["units"][target])
        self.tell("shot", result="misfire" if misfire else "hit" if hit else "miss")
        if bad >= 5 and not misfire:
            self.talent()
        if hit:
            self.kill(target, "shot")
            if list(rewards(self.s, self.out)):
                self.s["pending"] = {"for": "after-hit", "drawn": self.out, **waits}
                return
        self.next_shot(waits)

    def after_hit(self, option: str, count: int = 1) -> None:
        """SO-SHT-05."""
        waits = self.s["pending"]
        self.tell("after-hit", option=option, count=count)
        if option == "aim":
            self.s["bag"]["aim"] += 1
        else:
            for _ in range(count):
                self.take(option)
            self.me["stack"] = [*[option] * count, *self.me["stack"]]
        self.next_shot(waits)

    def next_shot(self, waits: dict[str, Any]) -> None:
        """Continue with the next shot, or forfeit it.

        After the last shot, noise attracts and the tokens return (SO-SHT-06 to SO-SHT-08, EN-R-08).
        """
        self.s["pending"] = None
        far = [self.h.sight(self.me["space"], space) for space in self.s["units"].values()]
        draws = [*waits["draws"]]
        while draws:
            if any(0 < count <= draws[0] for count in far):
                rest = {"noise": waits["noise"], "targets": waits["targets"], "draws": draws}
                self.s["pending"] = {"for": "shoot-second", "drawn": self.out, **rest}
                return
            draws.pop(0)
            self.tell("second-forfeited")
        for _ in range(waits["noise"]):
            if self.noise_step(waits["targets"]):
                break
        self.back()

    def noise_step(self, targets: list[str]) -> bool:
        """SO-SHT-06, SO-R-15, SO-R-16, SO-R-65. Return whether a defender reached the sniper."""
        here = self.me["space"]
        far = {u: self.h.d(at, here) for u, at in self.s["units"].items() if at and u not in targets}
        closest = [unit for unit in far if far[unit] == min(far.values())]
        ways = [(unit, space) for unit in closest for space in self.h.board.walk[self.s["units"][unit]]]
        ways = [(unit, x) for unit, x in ways if x not in held(self.s) and self.h.d(x, here) < far[unit]]
        return bool(ways) and self.comes("attracted", *self.worst("attracted", ways))

    def back(self) -> None:
        """SO-SHT-08."""
        for token in TOTALS:
            self.s["bag"][token] += self.out[token]
            self.out[token] = 0

    def loot(self) -> None:
        """SO-LOT-01 to SO-LOT-03, SO-R-35, SO-R-45, EN-R-32."""
        here, cards = self.me["space"], self.luck["loot"].pop(0)
        self.me["acted"] = True
        self.me["looted"].append(here)
        self.tell("looted", space=here)
        if self.h.numbers[here] in self.s["possible"]:
            self.eliminate(self.h.numbers[here])
        assert len(cards) == min(3 + is_ally(self.s, "SABLE"), len(self.s["loot_deck"]))
        for card in cards:
            self.s["loot_deck"].remove(card)
        self.whisper("loot-drawn", cards=cards)
        if len(cards) > 3:
            self.talent()
        self.s["pending"] = {"for": "keep", "cards": cards}

    def keep(self, card: str) -> None:
        """SO-LOT-01."""
        rest = [*self.s["pending"]["cards"]]
        rest.remove(card)
        self.s["loot_deck"] = sorted([*self.s["loot_deck"], *rest], key=KINDS.index)
        self.me["hand"] = sorted([*self.me["hand"], card], key=KINDS.index)
        self.s["pending"] = None
        self.tell("loot-kept", card=card)

    def eliminate(self, number: int) -> None:
        """SO-OBJ-01."""
        self.s["possible"].remove(number)
        self.tell("eliminated", objective=number)

    def complete(self, objective: int) -> None:
        """SO-CMP-01, SO-CMP-02, SO-FIN-01, EN-R-32."""
        here = self.me["space"]
        self.me["acted"] = True
        self.me["completed"].append(objective)
        self.tell("objective-completed", objective=objective, space=here)
        if len(self.me["completed"]) == 2:
            self.finish("sniper", "objectives")
        left = TOTALS["noise"] - self.s["bag"]["noise"] - self.me["stack"].count("noise")
        gained = min(left, 1 + is_ally(self.s, "LARK"))
        for _ in range(gained):
            self.s["bag"]["noise"] += 1
            self.tell("bag-gained", token="noise")
        if gained > 1:
            self.talent()
        for number in [*self.s["possible"]]:
            if self.h.sector(self.h.objectives[number]) == self.h.sector(here):
                self.eliminate(number)
        for number in self.s["possible"]:
            self.reinforce(self.h.objectives[number])
        deck = self.luck["deck"].pop(0)
        assert sorted(deck) == sorted([*self.s["deck"], *self.s["discard"]])
        self.s |= {"deck": deck, "discard": []}
        self.tell("deck-shuffled", deck=len(deck))

    def reinforce(self, space: str) -> None:
        """SO-CMP-03, SO-R-25, SO-R-43, SO-R-62."""
        posts = {self.h.objectives[number] for number in self.s["possible"]}
        far = {u: self.h.d(at, self.me["space"]) for u, at in self.s["units"].items() if at and at not in posts}
        if space in held(self.s) or not far:
            return
        assert max(far.values()) <= FAR
        furthest = [(unit, space) for unit in far if far[unit] == max(far.values())]
        self.comes("deployed", *self.worst("deployed", furthest))

    def end_turn(self) -> None:
        """SO-EOT-01."""
        if self.near():
            self.hit("end-turn")
        self.me |= {"moved": False, "carded": False, "active": None, "acted": False, "hits": 0, "wounded": False}
        self.me |= {"shot": False} if "shot" in self.me else {}
        self.tell("turn-ended", seat="sniper")
        self.defenders()

    def defenders(self) -> None:
        """The defenders' half of the round."""
        raise NotImplementedError


def run(course: Course, act: Act) -> tuple[State, list[Told]]:
    """Return the position after a legal act, and its events."""
    try:
        fields = json.loads(json.dumps({field: value for field, value in act.items() if field != "type"}))
        getattr(course, act["type"].replace("-", "_"))(**fields)
    except Over:
        pass
    told: list[Told] = json.loads(json.dumps(course.told))
    return course.s, [(audience, event) for audience, event in told]
