"""A plain second implementation of the rules, from the rule book: no code of the game, no event folding, no types.

A game is a dictionary in the form that `position` reads. `PlainGame.act` changes it and returns the events.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations
from typing import Any

DECK = """
C01 | Clean Shot | A | 0 | S | +2
C02 | Engineer Laying Mines | T | 1 | S | +1
C03 | Radio Operator | T | 2 | - | 0
C04 | Lone Sentry | T | 1 | S | +1
C05 | Tank Leader | T | 4 | S | -2
C06 | SS Guard | T | 2 | - | 0
C07 | Motorcycle Courier | T | 1 | S | +1
C08 | Enemy Sniper | T | 5 | S | -3
C09 | Artillery Barrage | D | 0 | E | -1
C10 | Stuka Dive Bomber | D | 0 | E | -1
C11 | Strafing Fighter | D | 0 | - | 0
C12 | Medium Bomber Run | D | 0 | E | -2
C13 | Hand Grenade | D | 0 | E | -1
C14 | German Sniper | D | 0 | E | -3
C15 | Close Combat | D | 0 | E | -2
C16 | Street Fighting | D | 0 | E | -1
C17 | Rubble | A | 0 | E | +1
C18 | Camouflage | A | 0 | E | +1
C19 | Close Range | A | 0 | S | +1
C20 | Good Vantage | A | 0 | S | +2
C21 | Blind Spot | A | 0 | E | +2
C22 | Ruins | A | 0 | E | +1
C23 | Crater | A | 0 | E | +1
C24 | Kill Zone | A | 0 | S | +1
C25 | Truck | T | 1 | S | +1
C26 | Armored Car Commander | T | 3 | S | -1
C27 | Machine Gun Post | T | 2 | - | 0
C28 | Cross Open Ground | D | 0 | E | -1
C29 | Darkness | A | 0 | E | +2
C30 | Smoke | A | 0 | E | +1
C31 | Rain | A | 0 | E | +1
C32 | Snow | A | 0 | E | +1
C33 | Elevation | A | 0 | S | +1
C34 | Behind Enemy Lines | A | 0 | H | +3
C35 | Salient | A | 0 | H | +2
C36 | No Mans Land | A | 0 | H | +2
C37 | Icy Cold | N | 0 | - | 0
C38 | Rocket Salvo | D | 0 | E | -2
C39 | Blizzard | N | 0 | - | 0
C40 | Corpses | N | 0 | - | 0
C41 | Illness | N | 0 | - | 0
C42 | Barbed Wire | N | 0 | - | 0
C43 | Mine Field | N | 0 | - | 0
C44 | Tunnels | A | 0 | H | +2
C45 | Good Hunting | A | 0 | H | +3
C46 | German Thrust | A | 0 | H | +2
C47 | Stalemate | N | 0 | - | 0
C48 | Remain Hidden | A | 0 | E | +2
C49 | Escape in Sewers | A | 0 | E | +3
C50 | Russian Counter Offensive | A | 0 | H | +2
C51 | Spotter | A | 0 | S | +1
C52 | Infantry Sergeant | T | 3 | S | -1
C53 | German Officer | T | 4 | S | -2
C54 | Senior Officer | T | 5 | S | -3
C55 | Enemy Patrol | D | 0 | E | -2
C56 | Infiltration | A | 0 | H | +3
C57 | Bombardments | N | 0 | - | 0
C58 | Careful Aim | A | 0 | S | +2
C59 | Damaged Building | A | 0 | X | +1
C60 | Factory | A | 0 | X | +2
C61 | Heroics | A | 0 | X | +3
C62 | Shellfire | D | 0 | - | 0
C63 | Messenger | T | 3 | S | -1
C64 | Atrocities | N | 0 | - | 0
C65 | Telescopic Sight | A | 0 | S | +3
C66 | Fog | A | 0 | E | +2
C67 | Track Target | A | 0 | S | +1
C68 | Gun Crew | T | 2 | - | 0
C69 | Vodka | N | 0 | - | 0
"""
"""The rule book's table: number, title, type, stars, stat, modifier."""

Json = dict[str, Any]
ROWS = [[word.strip() for word in line.split("|")] for line in DECK.strip().splitlines()]
TYPE = {row[0]: row[2] for row in ROWS}
STARS = {row[0]: int(row[3]) for row in ROWS}
LETTER = {row[0]: row[4] for row in ROWS if row[2] == "A"}
MOD = {row[0]: int(row[5]) for row in ROWS}
WOUNDS = {**dict.fromkeys((1, 2, 3, 4), ("minor", 0)), **dict.fromkeys((5, 6, 7), ("serious", 1))}
WOUNDS |= {8: ("major", 2), 9: ("major", 2), 0: ("out", 0)}


class PlainGame:
    """One game. `roll(kind)` returns the next die; `off` are the rulings that are switched off."""

    def __init__(self, players: int, off: set[str], deck: list[str], roll: Callable[[str], int]) -> None:
        self.off, self.roll = off, roll
        self.seats = [f"player-{number + 1}" for number in range(players)]
        self.told: list[Json] = []
        fresh = {"hunt": 5, "shoot": 5, "evade": 5, "xp": 0, "skip": 0, "out": False}
        self.game: Json = {
            "turn": None, "phase": "hunt", "card": None, "die": None, "aid": None, "over": None,
            "players": {seat: {**fresh, "hand": [], "kills": []} for seat in self.seats},
            "deck": list(deck), "facedown": [], "discard": [], "unseen": [],
        }  # fmt: skip
        rollers = self.seats
        while len(rollers) > 1:
            dice = {seat: roll("first") for seat in rollers}
            self.tell("first-rolled", None, dice=dice)
            best = max(die or 10 for die in dice.values())
            rollers = [seat for seat in rollers if (dice[seat] or 10) == best]
        self.game["turn"] = rollers[0]
        self.tell("turn-started", rollers[0])

    def tell(self, kind: str, seat: str | None, **rest: Any) -> None:
        self.told.append({"type": kind, **({} if seat is None else {"seat": seat}), **rest})

    @property
    def me(self) -> Json:
        found: Json = self.game["players"][self.game["turn"]]
        return found

    def state(self) -> Json:
        """Return the state as the protocol does. What has no order is sorted."""
        game = {**self.game, "discard": sorted(self.game["discard"]), "unseen": sorted(self.game["unseen"])}
        game["players"] = {
            seat: {**player, "hand": sorted(player["hand"]), "kills": sorted(player["kills"])}
            for seat, player in self.game["players"].items()
        }
        return game

    def useful(self, letters: str) -> list[str]:
        return [card for card in sorted(self.me["hand"]) if LETTER[card] in letters]

    # --- legal acts ---------------------------------------------------------------------------------------------

    def legal(self) -> list[Json]:
        game, found = self.game, list[Json]()
        if game["phase"] == "hunt":
            if game["aid"] is None:
                found += [
                    {"type": "play", "card": card} for card in self.useful("EX" if "ST-R-01" in self.off else "HX")
                ]
            found.append({"type": "draw"})
        elif game["phase"] == "reveal":
            found.append({"type": "reveal"})
        elif game["phase"] in ("target", "danger"):
            able = self.useful("SX" if game["phase"] == "target" else "EX")
            for size in range(len(able) + 1):
                found += [{"type": "commit", "cards": list(some)} for some in combinations(able, size)]
        elif game["phase"] == "escape":
            if self.me["xp"] >= 3:
                found += [{"type": "buy", "stat": stat} for stat in ("hunt", "shoot", "evade") if self.me[stat] < 9]
            if len(self.me["hand"]) > 3:
                found += [{"type": "discard", "card": card} for card in sorted(self.me["hand"])]
            else:
                found.append({"type": "end-turn"})
        return found

    # --- effects ------------------------------------------------------------------------------------------------

    def act(self, action: Json) -> list[Json]:
        self.told = []
        getattr(self, "do_" + action["type"].replace("-", "_"))(**{k: v for k, v in action.items() if k != "type"})
        return self.told

    def spend(self, cards: list[str], stat: str) -> None:
        for card in cards:
            self.me["hand"].remove(card)
            self.game["discard"].append(card)
        if cards:
            self.tell("aid-spent", self.game["turn"], cards=sorted(cards), stat=stat)

    def do_play(self, card: str) -> None:
        self.spend([card], "evade" if "ST-R-01" in self.off else "hunt")
        self.game["aid"] = card

    def do_draw(self) -> None:
        game = self.game
        bonus = MOD[game["aid"]] if game["aid"] and "ST-R-01" not in self.off else 0
        count = min(9, self.me["hunt"] + bonus, len(game["deck"]))
        game["facedown"], game["deck"] = game["deck"][:count], game["deck"][count:]
        game["phase"] = "reveal"
        self.tell("drew", game["turn"], count=count)

    def do_reveal(self) -> None:
        game, seat = self.game, self.game["turn"]
        card = game["facedown"].pop(0)
        self.tell("revealed", seat, card=card)
        if TYPE[card] == "N":
            game["discard"].append(card)
        elif TYPE[card] == "A":
            self.me["hand"].append(card)
            self.tell("aid-gained", seat, card=card)
        else:
            game["card"], game["phase"] = card, "target" if TYPE[card] == "T" else "danger"
            if TYPE[card] == "D":
                self.gain()
            if "ST-R-04" in self.off:
                game["die"] = self.roll("shoot" if TYPE[card] == "T" else "evade")
                self.tell("rolled", seat, die=game["die"])
            return
        self.go_on()

    def gain(self) -> None:
        self.me["xp"] += 1
        self.tell("xp-gained", self.game["turn"], xp=self.me["xp"])

    def go_on(self) -> None:
        self.game["card"] = self.game["die"] = None
        self.game["phase"] = "reveal" if self.game["facedown"] else "escape"

    def do_commit(self, cards: list[str]) -> None:
        game, seat, card = self.game, self.game["turn"], self.game["card"]
        stat = "shoot" if TYPE[card] == "T" else "evade"
        total = self.me[stat] + sum(MOD[aid] for aid in cards) + MOD[card]
        if stat == "evade" and game["aid"] and "ST-R-01" in self.off:
            total += MOD[game["aid"]]
        value = min(9, total)
        self.spend(cards, stat)
        die = self.roll(stat) if game["die"] is None else game["die"]
        good = (die if die != 0 else 10) <= value
        if stat == "shoot":
            self.tell("shoot-rolled", seat, card=card, die=die, value=value, hit=good)
            if good:
                self.me["kills"].append(card)
                self.tell("killed", seat, card=card, stars=sum(STARS[kill] for kill in self.me["kills"]))
                self.gain()
            else:
                game["discard"].append(card)
            self.go_on()
            return
        self.tell("evade-rolled", seat, card=card, die=die, value=value, evaded=good)
        game["discard"].append(card)
        if good:
            self.go_on()
        else:
            self.wound()

    def wound(self) -> None:
        game, seat, me = self.game, self.game["turn"], self.me
        die = self.roll("wound")
        kind, skip = WOUNDS[die]
        me["skip"] = skip
        self.tell("wounded", seat, die=die, wound=kind, skip=skip)
        if game["facedown"]:
            self.tell("discarded-unseen", seat, count=len(game["facedown"]))
            game["unseen"] += game["facedown"]
            game["facedown"] = []
        if kind == "out":
            self.tell("eliminated", seat, cards=sorted(me["hand"]))
            game["discard"] += me["hand"]
            me.update(hand=[], xp=0, skip=0, out=True)
        self.finish()

    def do_buy(self, stat: str) -> None:
        self.me["xp"] -= 3
        self.me[stat] += 1
        self.tell("stat-raised", self.game["turn"], stat=stat, value=self.me[stat], xp=self.me["xp"])

    def do_discard(self, card: str) -> None:
        self.me["hand"].remove(card)
        self.game["discard"].append(card)
        self.tell("discarded", self.game["turn"], card=card)

    def do_end_turn(self) -> None:
        self.finish()

    # --- the end of a turn --------------------------------------------------------------------------------------

    def finish(self) -> None:
        game, seat = self.game, self.game["turn"]
        self.tell("turn-ended", seat)
        game.update(card=None, die=None, aid=None)
        alive = [name for name in self.seats if not game["players"][name]["out"]]
        if not alive:
            return self.over("out")
        if len(alive) == 1 and len(self.seats) > 1:
            return self.over("last")
        if not game["deck"]:
            return self.over("deck")
        number = self.seats.index(seat)
        while True:
            number = (number + 1) % len(self.seats)
            name = self.seats[number]
            player = game["players"][name]
            if player["out"]:
                continue
            if player["skip"] == 0:
                break
            player["skip"] -= 1
            self.tell("turn-skipped", name, skip=player["skip"])
        game.update(turn=name, phase="hunt")
        self.tell("turn-started", name)
        return None

    def over(self, reason: str) -> None:
        scores: dict[str, tuple[int, int, int]] = {}
        for seat, player in self.game["players"].items():
            last = 0 if player["out"] and "ST-R-19" in self.off else 1
            scores[seat] = (last, sum(STARS[card] for card in player["kills"]), len(player["kills"]))
        ranking = []
        for seat in sorted(self.seats, key=lambda name: [-part for part in scores[name]]):
            place = 1 + len([other for other in self.seats if scores[other] > scores[seat]])
            _, stars, kills = scores[seat]
            out = self.game["players"][seat]["out"]
            ranking.append({"seat": seat, "place": place, "stars": stars, "kills": kills, "out": out})
        first = [rank for rank in ranking if rank["place"] == 1]
        winners = [rank["seat"] for rank in first if not (rank["out"] and "ST-R-19" in self.off)]
        self.game.update(turn=None, phase="over")
        self.game["over"] = {"winners": winners, "ranking": ranking, "reason": reason}
        self.tell("game-over", None, **self.game["over"])
