"""The effects of an act: the position after it, and its events.

Random results are parameters. This module is as slow and simple as `menu.py`, and shares no code with the engine.
"""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from tests.games.snipers_and_assassins.longhand.menu import (
    Act,
    Options,
    State,
    in_range,
    is_off,
    mined,
    name,
    on_pathway,
    over,
    place,
)

CORE = Counter(scope=5, drop=4, spring=4, armor=5)
BOX = CORE + Counter(mask=3, reload=3, pads=2, spike=2)
Luck = dict[str, Any]
"""Random results: `decks`, the order of each shuffle, and `first`, the first player."""
Event = dict[str, Any]


def follow(options: Options, s: State, seat: str, act: Act, luck: Luck) -> tuple[State, list[Event]]:
    """Return the position after a legal act, and its events."""
    course = Course(options, json.loads(json.dumps(s)), seat, luck)
    words = {"jump": "leap"}.get(act["type"], act["type"]).replace("-", "_")
    getattr(course, f"do_{words}")(**{field: value for field, value in act.items() if field != "type"})
    return course.s, course.told


def of(marker: str) -> tuple[str, str]:
    """Return the type of a marker and its owner."""
    kind, number = marker.split("-")
    return kind, f"player-{number}"


class Course:
    """One act in progress. `s` is the position, changed step by step."""

    def __init__(self, options: Options, s: State, seat: str, luck: Luck) -> None:
        self.options, self.s, self.seat, self.luck = options, s, seat, luck
        self.players: dict[str, Any] = s["players"]
        self.me = self.players[seat]
        self.told: list[Event] = []
        self.struck: set[str] = set()  # markers that were hit in this act

    def tell(self, kind: str, /, **fields: Any) -> None:
        """Send an event to all viewers, or to none if it is about the deck."""
        self.told.append({"type": kind, **{name.rstrip("_"): value for name, value in fields.items()}})

    def markers(self, *but: str) -> list[str]:
        """Return all markers in seat order, a Sniper before its Assassin, without those of the players `but`."""
        return [f"{kind}-{seat[-1]}" for seat in self.players if seat not in but for kind in ("sniper", "assassin")]

    def at(self, marker: str) -> str:
        """Return the place of a marker."""
        kind, seat = of(marker)
        return str(self.players[seat][kind])

    def acted(self, kind: str) -> str:
        """Mark one's own marker of a type as having acted, and return it."""
        self.s["acted"] = [one for one in ("sniper", "assassin") if one in (*self.s["acted"], kind)]
        return f"{kind}-{self.seat[-1]}"

    # --- set-up -------------------------------------------------------------------------------------------------

    def do_choose_start(self, space: str) -> None:
        self.me |= {"start": space, "sniper": space, "assassin": space}
        self.tell("start-chosen", seat=self.seat, space=space)
        self.next_choice("target")

    def do_choose_target(self, seat: str) -> None:
        self.me["target"] = seat
        self.tell("target-chosen", seat=self.seat, target=seat)
        self.next_choice("leader")

    def do_place_leader(self, space: str) -> None:
        self.me["leader"] = space
        self.tell("leader-placed", seat=self.seat, space=space)
        self.next_choice(None)

    def next_choice(self, after: str | None) -> None:
        """SA-R-63."""
        seats = [*self.players]
        number = seats.index(self.seat) + 1
        self.s["turn"] = seats[number % len(seats)]
        if number == len(seats):
            self.s["setup"] = after
            if after is None:
                self.deal()

    def deal(self) -> None:
        """Deal the cards, and choose the first player."""
        box = CORE if self.options.get("core_only") else BOX
        self.shuffle(sum(box.values()))
        for seat in self.players:
            self.draw(seat)
        self.s["first"] = self.options.get("first") or self.luck["first"]
        self.s["turn"], self.s["round"] = self.s["first"], 1
        self.tell("turn-started", seat=self.s["turn"], round=1)

    def shuffle(self, count: int) -> None:
        """Shuffle a new deck."""
        self.tell("deck-shuffled", count=count)
        self.s["deck"] = self.luck["decks"].pop(0)
        self.tell("deck", cards=[*self.s["deck"]])

    def draw(self, seat: str) -> None:
        """SA-SET-06, SA-HIT-03."""
        card = self.s["deck"].pop(0)
        self.players[seat] |= {"improvement": card, "armor": 3 if card == "armor" else None}
        self.tell("improvement-drawn", seat=seat, card=card)

    # --- hits ---------------------------------------------------------------------------------------------------

    def discard(self, seat: str) -> None:
        """Put a card, if there is one, on the discards."""
        player = self.players[seat]
        if player["improvement"]:
            self.s["discard"].append(player["improvement"])
            self.tell("improvement-discarded", seat=seat, card=player["improvement"])
            player |= {"improvement": None, "armor": None}

    def hit(self, marker: str) -> None:
        """Hit a marker: a Sniper dies, an Assassin retreats."""
        kind, seat = of(marker)
        if marker in self.struck and is_off(self.options, "SA-R-19"):
            return
        (self.fall if kind == "sniper" else self.retreat)(seat)

    def fall(self, seat: str) -> None:
        """SA-HIT-01..03, SA-R-31, SA-R-36."""
        player = self.players[seat]
        self.struck.add(f"sniper-{seat[-1]}")
        self.tell("sniper-replaced", marker=f"sniper-{seat[-1]}", from_=player["sniper"], to=player["start"])
        player |= {"sniper": player["start"], "recover": False, "jump": None}
        self.discard(seat)
        if not self.s["deck"] and self.s["discard"]:
            count, self.s["discard"] = len(self.s["discard"]), []
            self.shuffle(count)
        if self.s["deck"]:
            self.draw(seat)

    def retreat(self, seat: str) -> None:
        """SA-R-18, SA-R-55, SA-MIN-05."""
        player, start = self.players[seat], place(self.players[seat]["start"])
        pathway, column = place(player["assassin"])
        home = pathway == start[0]
        column = max(column - 2, 0 if home else 1) if start[1] == 0 else min(column + 2, 13 if home else 12)
        to = name((pathway, column))
        self.tell("retreated", marker=f"assassin-{seat[-1]}", from_=player["assassin"], to=to)
        player |= {"assassin": to, "pushed_back": True}
        self.struck.add(f"assassin-{seat[-1]}")
        if to in mined(self.s):
            self.explode(to, [f"assassin-{seat[-1]}"])
            player["locked"] = True
            self.tell("status", marker=f"assassin-{seat[-1]}", kind="locked", value=True)
        if on_pathway(to) and is_off(self.options, "SA-R-19"):
            self.meet(f"assassin-{seat[-1]}", "run-in")

    def explode(self, space: str, markers: list[str]) -> None:
        """Explode a mine and remove it."""
        for player in self.players.values():
            player["mines"] = [mine for mine in player["mines"] if mine != space]
        self.tell("mine-exploded", space=space, markers=markers)

    def gassed(self, seat: str) -> bool:
        """Hit a Sniper with a mine. Return whether it dies; a mask protects it (SA-R-57)."""
        if self.players[seat]["improvement"] == "mask":
            self.discard(seat)
            return False
        self.fall(seat)
        return True

    # --- parts of an act: each returns whether the marker goes on (SA-R-52) -------------------------------------

    def go(self, marker: str, to: str, kind: str, meeting: str) -> bool:
        """Move to another space and resolve the landing. Return whether the marker goes on."""
        seat, player = of(marker)[1], self.players[of(marker)[1]]
        start = player["start"]
        before = self.at(marker)
        if before == to:
            return True
        player[of(marker)[0]] = to
        self.tell(kind, marker=marker, from_=before, to=to)
        if of(marker)[0] == "assassin":
            outward = place(to)[1] - place(before)[1]
            if kind == "jumped" or (outward > 0 if place(start)[1] == 0 else outward < 0):
                player["pushed_back"] = False  # SA-R-38
        elif to in mined(self.s):
            self.explode(to, [marker])
            if self.gassed(seat):
                return False  # SA-R-29
        return self.meet(marker, meeting) if on_pathway(to) else True

    def meet(self, marker: str, meeting: str) -> bool:
        """SA-RUN-01..03, SA-R-49..51."""
        seat, to = of(marker)[1], self.at(marker)
        met = [one for one in self.markers(seat) if self.at(one) == to]
        if not met:
            return True
        self.tell(meeting, marker=marker, with_=met)
        guarded = [other for other, player in self.players.items() if player["improvement"] == "drop"]
        hurt = [one for one in met if of(one)[1] not in guarded]
        stabbed = meeting == "run-in" or len(hurt) < len(met)
        if stabbed and seat not in guarded:
            hurt.append(marker)
        for one in hurt:
            self.hit(one)
        return marker not in self.struck

    def shoot(self, marker: str, target: str | None) -> bool:
        """Shoot. Return whether a shot was made (SA-R-53)."""
        if target is None or not in_range(self.s, self.options, self.seat, self.at(marker), self.at(target)):
            return False
        kind, seat = of(target)
        player = self.players[seat]
        if kind == "sniper":
            self.shoot_sniper(marker, target, seat)
            return True
        on_mine = player["assassin"] in mined(self.s)
        warned = player["shot"] in ("fresh", "stale")
        spike = not on_mine and not warned and self.me["improvement"] == "spike"
        result = "mine" if on_mine else "hit" if warned or spike else "dodge"
        self.tell("shot", marker=marker, target=target, result=result)
        if result == "dodge":
            player["shot"] = "fresh"
            self.tell("status", marker=target, kind="shot", value="fresh")
            return True
        player["shot"] = "healing" if self.options.get("healing") else None
        if spike:
            self.discard(self.seat)
        if on_mine:
            self.explode(player["assassin"], [target])
        self.hit(target)
        return True

    def shoot_sniper(self, marker: str, target: str, seat: str) -> None:
        """SA-SHT-02, SA-IMP-05."""
        player = self.players[seat]
        if player["improvement"] != "armor":
            self.tell("shot", marker=marker, target=target, result="kill")
            self.fall(seat)
            return
        self.tell("shot", marker=marker, target=target, result="deflected")
        player["armor"] -= 1
        if player["armor"] == 0:
            self.discard(seat)

    def lay(self, space: str) -> None:
        """SA-MIN-02, SA-R-26, SA-R-60."""
        self.me["mines"] = sorted([*self.me["mines"], space], key=place)
        self.tell("mine-planted", seat=self.seat, space=space)
        struck = [one for one in self.markers(self.seat) if of(one)[0] == "sniper" and self.at(one) == space]
        if struck:
            self.explode(space, struck)
            for one in struck:
                self.gassed(of(one)[1])

    # --- the Sniper ---------------------------------------------------------------------------------------------

    def do_a(self, order: str, to: str, target: str) -> None:
        marker = self.acted("sniper")
        if order == "shoot-move":
            self.shoot(marker, target)
            if marker not in self.struck:
                self.go(marker, to, "moved", "run-in")
        elif self.go(marker, to, "moved", "run-in"):
            self.shoot(marker, target)

    def option_b(self, going: bool, target: str | None) -> None:
        """SA-SNP-02."""
        marker = f"sniper-{self.seat[-1]}"
        if going and self.shoot(marker, target) and marker not in self.struck and self.me["improvement"] != "reload":
            self.me["recover"] = True
            self.tell("status", marker=marker, kind="recover", value=True)

    def do_b_walk(self, to: str, target: str | None = None) -> None:
        self.option_b(self.go(self.acted("sniper"), to, "moved", "run-in"), target)

    def do_b_jump(self, to: str, target: str | None = None) -> None:
        self.option_b(self.go(self.acted("sniper"), to, "jumped", "surprise"), target)

    def do_c_walk(self, to: str) -> None:
        self.go(self.acted("sniper"), to, "moved", "run-in")

    def do_c_jump(self, to: str) -> None:
        marker = self.acted("sniper")
        if self.go(marker, self.above(marker, to), "jumped", "surprise"):
            self.go(marker, to, "moved", "run-in")

    def above(self, marker: str, to: str) -> str:
        """Return where a jump lands on the pathway of `to`."""
        return name((place(to)[0], place(self.at(marker))[1]))

    def half(self, option: int, to: str, target: str | None) -> None:
        """Make the first half of a double jump."""
        marker = self.acted("sniper")
        jump = {"dir": "down" if place(to) > place(self.at(marker)) else "up", "option": option}
        if self.go(marker, to, "jumped", "surprise"):
            self.shoot(marker, target)
            if marker in self.struck:
                return
            self.me["jump"] = jump
            self.tell("status", marker=marker, kind="jump", value=jump)

    def do_d1(self, to: str, target: str | None = None) -> None:
        self.half(1, to, target)

    def do_d2(self, to: str) -> None:
        self.half(2, to, None)

    def do_d_continue(self, to: str) -> None:
        marker = self.acted("sniper")
        self.me["jump"] = None
        if self.go(marker, self.above(marker, to), "jumped", "surprise"):
            self.go(marker, to, "moved", "stealth")

    def do_d_fast(self, option: int, to: str, target: str | None = None) -> None:
        marker = self.acted("sniper")
        end = self.above(marker, to)
        (middle,) = {*over(self.s, self.at(marker), hideouts=True)} & {*over(self.s, end, hideouts=True)}
        if self.go(marker, middle, "jumped", "surprise"):
            self.shoot(marker, target)
            if marker not in self.struck and self.go(marker, end, "jumped", "surprise"):
                self.go(marker, to, "moved", "stealth")

    # --- the Assassin -------------------------------------------------------------------------------------------

    def do_walk(self, to: str, mine: Act | None = None) -> None:
        self.run("moved", "run-in", to, mine)

    def do_leap(self, to: str, mine: Act | None = None) -> None:
        self.run("jumped", "surprise", to, mine)

    def run(self, kind: str, meeting: str, to: str, mine: Act | None) -> None:
        """Move an Assassin, plant its mine, and end the game if it wins (SA-WIN-01)."""
        marker = self.acted("assassin")
        if mine and mine["when"] == "before":
            self.lay(mine["space"])
        going = self.go(marker, to, kind, meeting)
        if to == self.players[self.me["target"]]["leader"]:
            self.finish(self.seat, "leader")
        elif going and mine and mine["when"] == "after":
            self.lay(mine["space"])

    def do_plant(self, space: str) -> None:
        self.acted("assassin")
        self.lay(space)

    def do_claymore(self) -> None:
        marker = self.acted("assassin")
        before = self.at(marker)
        self.go(marker, self.me["start"], "moved", "run-in")
        along = [one for one in self.markers() if self.at(one)[0] == before[0] and on_pathway(self.at(one))]
        self.tell("claymore", marker=marker, pathway=before[0], hit=along)
        for one in along:
            self.hit(one)

    # --- the turn -----------------------------------------------------------------------------------------------

    def do_hold(self, marker: str) -> None:
        self.acted(of(marker)[0])
        self.me |= {"recover": False, "jump": None} if of(marker)[0] == "sniper" else {"locked": False}
        self.tell("held", marker=marker)

    def do_end_turn(self) -> None:
        for kind in ("sniper", "assassin"):
            if kind not in self.s["acted"]:
                self.do_hold(f"{kind}-{self.seat[-1]}")
        self.tell("turn-ended", seat=self.seat)
        self.s["acted"] = []
        self.me["shot"] = {"fresh": "stale", "healing": "healed"}.get(self.me["shot"], self.me["shot"])
        seats = [*self.players]
        after = seats[(seats.index(self.seat) + 1) % len(seats)]
        if after == self.s["first"]:
            if self.s["round"] == 300:
                self.finish(None, "rounds")
                return
            self.s["round"] += 1
        self.s["turn"] = after
        self.tell("turn-started", seat=after, round=self.s["round"])
        if self.players[after]["shot"] in ("stale", "healed"):
            self.players[after]["shot"] = None

    def finish(self, winner: str | None, reason: str) -> None:
        """End the game."""
        self.s["over"] = {"winner": winner, "reason": reason}
        self.tell("game-over", winner=winner, reason=reason)
