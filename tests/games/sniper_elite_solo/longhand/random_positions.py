"""Random positions: a game at its first turn, with everything moved."""

from __future__ import annotations

from random import Random

from tests.games.sniper_elite.longhand.nest import BAGS, GEAR
from tests.games.sniper_elite_solo.longhand.menu import KINDS, House, State


def random_position(h: House, random: Random, s: State) -> State:
    """Return the position with pieces, cards and tokens elsewhere, close to the end of the game."""
    here = random.choice(random.choice([h.free, [*h.objectives.values()]]))
    near = [space for space in h.free if h.d(space, here) <= 4]
    places = list(dict.fromkeys([*random.sample(near, min(6, len(near))), *random.sample(h.free, 12)]))
    random.shuffle(places)
    units = {unit: places.pop() if random.random() < 0.8 else None for unit in s["units"]}
    numbers = sorted(h.objectives)
    first = random.choice([h.numbers.get(here) or random.choice(numbers), random.choice(numbers)])
    other = random.choice([n for n in numbers if h.sector(h.objectives[n]) != h.sector(h.objectives[first])])
    done = [other] if random.random() < 0.4 else []
    goals = [goal for goal in (first, other) if goal not in done]
    entry = random.choice(
        [sector for sector in h.entries if all(h.sector(h.objectives[n]) != sector for n in (first, other))]
    )
    outside = [n for n in numbers if h.sector(h.objectives[n]) != entry and n not in done]
    possible = sorted({*goals, *random.sample(outside, random.randrange(6))})
    deck = random.sample(h.loadout, len(h.loadout))
    if random.random() < 0.4:
        deck.sort(key=lambda card: card not in GEAR)  # so that gear is often in effect
    in_play = 4 + (BAGS[s["ally"]][2] if "ally" in s else 3)
    recoil = random.randrange(5)
    stack = random.choice([[], ["recoil"], ["noise", *["recoil"] * recoil], ["recoil"] * recoil])
    noise = stack.count("noise")
    bag = {
        "aim": random.randrange(4, 12),
        "noise": random.randrange(10 - noise),
        "recoil": in_play - stack.count("recoil"),
    }
    sniper = {"objectives": [first, other], "completed": done, "stack": stack, "wounds": random.randrange(2)}
    sniper |= {"space": here, "hand": sorted(deck[:5], key=KINDS.index), "mines": random.sample(near, 1)}
    moved = random.random() < 0.3
    gear = [card for card in sniper["hand"] if card in GEAR]
    active = random.choice([None, None, "sound-masking", "silenced-ammo", "tommy-gun", "trench-gun", *gear, *gear])
    if active in sniper["hand"]:
        sniper |= {"active": active, "carded": True, "used": [active]}
        sniper["hand"].remove(active)
    known = [*(slot["card"] for slot in s["slots"]), *s["deck"]]
    random.shuffle(known)
    slots = [{**slot, "card": known.pop()} for slot in s["slots"]]
    cut = random.randrange(len(known) + 1)
    piles = {
        "slots": slots,
        "deck": known[cut:],
        "discard": known[:cut],
        "loot_deck": sorted(deck[5:], key=KINDS.index),
    }
    place = {"entry": entry, "lks": random.choice([*h.entries]), "possible": possible}
    return {**s, **piles, **place, "pending": None, "bag": bag, "units": units} | {
        "sniper": {**s["sniper"], "used": [], **sniper, "moved": moved}
    }
