"""Random positions: everything placed at random, and the same public position with other secrets."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

from tests.games.sniper_elite.longhand.menu import SPECIALISTS, SQUADS, WEAPONS, House, State
from tests.games.sniper_elite.longhand.nest import BAGS, GEAR

UNITS = [f"{squad}-{member}" for squad in SQUADS for member in ("officer", "1", "2")]
ACTIONS = ("move", "attack", "spot", "sweep", "deploy")
HIDDEN = ("sound-masking", "s-mine")


def random_position(h: House, random: Random) -> State:
    """Return a position in which much can happen: units near the sniper, cards and mines in play, the end close."""
    spaces = [space for space in h.board.spaces if h.open(space)]
    here = random.choice(random.choice([spaces, list(h.sites.objectives.values())]))
    near = [space for space in spaces if h.board.distance(here, space) or space in h.board.adjacent[here]]
    places = [*random.sample(near, min(5, len(near))), *random.sample(spaces, min(9, len(spaces)))]
    random.shuffle(places)
    places = list(dict.fromkeys(places))
    units = {unit: places.pop() if places and random.random() < 0.75 else None for unit in UNITS}
    sniper = {"space": here, "wounds": random.randrange(2), "miniature": random.choice([None, here, *places[:1]])}
    s: State = {"turn": random.choice(["sniper", "defenders"]), "round": random.randrange(1, 9), "units": units}
    s |= {"countdown": random.randrange(1, 7), "sniper": {**sniper, **_goals(h, random, here)}}
    s["sniper"] |= _cards(h, random, spaces, s["turn"])
    s |= {"dogs": [], "marks": random.sample(spaces, random.randrange(4))}
    if ally := (h.options.get("nest") or {}).get("ally"):
        s["ally"] = random.choice([*BAGS]) if ally == "ghost" else ally
        s["identity_revealed"] = ally == "ghost" and random.random() < 0.2
    _specialists(h, random, s, spaces)
    if s["turn"] == "defenders":
        s["countdown"] += 1
        _squads(random, s)
    return s


def _goals(h: House, random: Random, here: str) -> dict[str, Any]:
    """Return objectives of two suits. Sometimes one is where the sniper stands, and sometimes one is completed."""
    numbers = sorted(h.sites.objectives)
    random.shuffle(numbers)
    first = h.sites.numbers.get(here) if random.random() < 0.5 else None
    one = first or numbers[0]
    other = next(number for number in numbers if h.suit(number) != h.suit(one))
    return {"objectives": [one, other], "completed": [other] if random.random() < 0.3 else []}


def _cards(h: House, random: Random, spaces: list[str], turn: str) -> dict[str, Any]:
    """Deal the cards in hand, face down and in effect. Every mine has a space."""
    deck = random.sample(h.deck, len(h.deck))
    gear = [card for card in GEAR if card in deck]
    active = random.choice([None, None, *WEAPONS, "tommy-gun", *gear, *gear]) if turn == "sniper" else None
    if active:
        deck.remove(active)
    down = [card for card in deck[:4] if card in HIDDEN]
    hand = [card for card in deck[:4] if card not in HIDDEN] + deck[4:6]
    mines = [random.choice(spaces) for card in down if card == "s-mine"]
    moved = turn == "sniper" and random.random() < 0.3
    return {"hand": hand, "face_down": down, "mines": mines, "active": active, "moved": moved}


def _specialists(h: House, random: Random, s: State, spaces: list[str]) -> None:
    most = 1 if h.harder("defenders", "B") else 2
    chosen = random.choice([random.sample(SPECIALISTS, 3), ["medic", *random.sample(SPECIALISTS[:-1], 2)]])
    dealt: dict[str, Any] = {
        squad: {"card": card, "uses": random.randrange(most + 1), "suppression": random.random() < 0.6}
        for squad, card in zip(SQUADS, chosen, strict=True)
    }
    away = 3 - sum(card["suppression"] for card in dealt.values())
    s["specialists"] = dealt
    s["bag"] = {
        "aim": random.randrange(12),
        "noise": random.randrange(1, 10),
        "recoil": BAGS[s["ally"]][2] if "ally" in s else 3,
        "suppression": away,
    }
    for card in dealt.values():
        if card["card"] == "kennel-master":
            s["dogs"] = [random.choice(spaces) for _ in range(most - card["uses"])]


def _squads(random: Random, s: State) -> None:
    """Make it a moment of the defenders' turn: some units have spent some cubes."""
    s["squads"], s["done"] = {}, {}
    for squad in SQUADS:
        spent = random.choice([0, 0, 1, 2])
        for unit in random.sample([unit for unit in UNITS if unit.startswith(squad)], spent):
            s["done"][unit] = [random.choice(ACTIONS) if s["units"][unit] else "dismiss"]
        s["squads"][squad] = {"left": 2 - spent, "intel": False}
    s["off"] = [unit for unit in UNITS if random.random() < (0.3 if s["units"][unit] else 0.7)]


def other_secrets(h: House, s: State, random: Random) -> State:
    """Return the same public position with other secrets, so that all public events fit both."""
    other: State = json.loads(json.dumps(s))
    me, waits = other["sniper"], s["pending"]
    spaces = [space for space in h.board.spaces if h.open(space)]
    if me["space"] and not waits:
        me["space"] = random.choice(random.choice([spaces, list(h.sites.objectives.values()), [me["space"]]]))
        me["moved"] = s["turn"] == "sniper" and random.random() < 0.5
        me["been"] = [random.choice(spaces), me["space"]] if me["moved"] else []
    _other_goals(h, other, random)
    numbered = [space for number, space in h.sites.objectives.items() if number not in me["objectives"]]
    me["looted"] = random.sample(numbered, len(me["looted"]))
    me["log"] = [[countdown, random.choice(spaces)] for countdown, _ in me["log"]]
    _other_cards(other, random, spaces)
    return other


def _other_goals(h: House, other: State, random: Random) -> None:
    me = other["sniper"]
    pool = [number for number in h.sites.objectives if number not in (*me["completed"], other["shown"])]
    random.shuffle(pool)
    first = (*me["completed"], *pool)[0]
    second = next((n for n in (*me["completed"], *pool)[1:] if h.suit(n) != h.suit(first)), None)
    if second is not None and len(me["completed"]) < 2:
        me["objectives"] = [first, second]
    if other["entry"] is not None:
        free = [sector for sector in h.sites.entries if sector not in map(h.suit, me["objectives"])]
        other["entry"] = random.choice(free)


def _other_cards(other: State, random: Random, spaces: list[str]) -> None:
    """Deal the same numbers of cards to hand, deck and table. Face-down cards are mines and masks, as before."""
    me = other["sniper"]
    pool = Counter([*me["hand"], *me["face_down"], *other["loot_deck"]])
    fitting = [card for card in HIDDEN for _ in range(pool[card])]
    down = random.sample(fitting, len(me["face_down"]))
    rest = [*(pool - Counter(down)).elements()]
    random.shuffle(rest)
    held = len(me["hand"])
    me |= {"face_down": down, "hand": rest[:held], "mines": [random.choice(spaces) for c in down if c == "s-mine"]}
    other["loot_deck"] = rest[held:]
    if me["active"] not in (*WEAPONS, *GEAR):
        laid = me["carded"] and not me["moved"] and "sound-masking" in down and random.random() < 0.5
        me["active"] = "sound-masking" if laid else None
