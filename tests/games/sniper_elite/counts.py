"""Counting every way to play on, as chess programs do: the engine's menus, and the rules in longhand beside them.

`counts.txt` holds a line for each position and depth: the ways to act, each with everything that chance can bring to
it, and how many different histories the table could have heard. `python -m tests.games.remake` counts anew.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from engine.chance import Chance
from engine.game import REFEREE, TABLE
from games.sniper_elite import GAME
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SEATS
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite.histories import tiny
from tests.games.sniper_elite.longhand.menu import Act, House, State, menu
from tests.games.sniper_elite.longhand.play import follow, lucks

FILE = Path(__file__).with_name("counts.txt")
BOARD = tiny()
NOTES = ("mark", "unmark")
"""The defenders' own notes multiply everything and change nothing."""
Told = list[dict[str, Any]]

CARDS = {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "sniper"}}
OTHERS = {"yellow": {"card": "jaeger"}, "red": {"card": "radio-operator"}, "black": {"card": "kennel-master"}}
SMALL_BAG = {"aim": 2, "noise": 2, "recoil": 1}
POSITIONS: dict[str, tuple[int, dict[str, Any], dict[str, Any]]] = {
    "sneaking": (
        3,
        {},
        {
            "sniper": {"space": "c2", "objectives": [1, 3], "hand": ["sound-masking", "s-mine"]},
            "units": {"yellow-1": "b1", "red-officer": "a3"},
            "bag": {"aim": 1},
        },
    ),
    "two-shots": (
        3,
        {},
        {
            "sniper": {"space": "a2", "objectives": [3, 5], "hand": ["silenced-ammo"], "active": "tommy-gun"},
            "units": {"yellow-officer": "b1", "yellow-1": "a3", "black-officer": "a4"},
            "specialists": CARDS,
            "bag": SMALL_BAG,
            "loot_deck": ["s-mine", "s-mine", "distraction", "trench-gun"],
        },
    ),
    "blast-and-loot": (
        3,
        {},
        {
            "sniper": {"space": "a2", "objectives": [3, 5], "hand": ["trench-gun", "distraction"], "moved": True},
            "units": {"yellow-officer": "c1", "yellow-1": "a1", "yellow-2": "a3", "red-1": "b4"},
            "specialists": CARDS,
            "bag": {"aim": 2, "recoil": 3},
            "loot_deck": ["s-mine", "s-mine", "distraction", "silenced-ammo"],
        },
    ),
    "hunting": (
        2,
        {},
        {
            "turn": "defenders",
            "sniper": {"space": "a3", "objectives": [1, 3], "face_down": ["s-mine"], "mines": ["a2"]},
            "units": {"red-1": "a2", "red-officer": "a4", "black-officer": "c3"},
            "specialists": CARDS,
            "bag": SMALL_BAG,
        },
    ),
    "calling-up": (
        2,
        {"experienced_defenders": ["D"]},
        {
            "turn": "defenders",
            "sniper": {"space": "b1", "objectives": [1, 3], "wounds": 1},
            "units": {"yellow-officer": "a1", "red-officer": "a3", "black-officer": "c4", "black-1": "c3"},
            "specialists": OTHERS,
        },
    ),
    "house-rules": (
        3,
        {"switches": {"R-05": False, "R-08": False, "R-24": False, "R-26": False, "R-36": False}},
        {
            "sniper": {"space": "c1", "objectives": [2, 5], "active": "tommy-gun", "hand": ["distraction"]},
            "units": {"yellow-1": "c2", "red-officer": "a3"},
            "specialists": CARDS,
            "bag": {"aim": 2, "noise": 1, "recoil": 2},
        },
    ),
}
"""Name -> how deep it is counted, the options, and the position."""


def begun(name: str) -> tuple[House, Picture, State]:
    """A position for both."""
    _, options, given = POSITIONS[name]
    raw = {"loot_deck": [], "specialists": CARDS, **given, "sniper": {"hand": [], **given["sniper"]}}
    truth = GAME.position(BOARD, GAME.read_options(options), raw, Chance(Random(0)))[REFEREE]
    return House(BOARD, options), truth, plain(GAME.state(truth))


def by_engine(house: House, truth: Picture, depth: int, told: str = "") -> Iterator[str]:
    """What the table was told at the end of every way through `depth` acts, by the engine."""
    seats = GAME.to_act(truth)
    if depth == 0 or not seats:
        yield told
        return
    for command in GAME.legal(truth, seats[0]):
        act: Act = plain(command)
        for luck, _ in [] if act["type"] in NOTES else lucks(plain(GAME.state(truth)), seats[0], act):
            after, heard = truth, told
            for item in GAME.decide(truth, command, Chance(Random(0), [*luck.items()])):
                after = GAME.fold(after, item.event)
                heard += msgspec.json.encode(item.event).decode() if item.audience.includes(TABLE) else ""
            yield from by_engine(house, after, depth - 1, heard)


def by_hand(house: House, s: State, depth: int, told: str = "") -> Iterator[str]:
    """The same in longhand."""
    seats = [seat for seat in SEATS if any(act["type"] not in NOTES for act in menu(house, s, seat))]
    if depth == 0 or not seats:
        yield told
        return
    for act in menu(house, s, seats[0]):
        for luck, _ in [] if act["type"] in NOTES else lucks(s, seats[0], act):
            after, heard = follow(house, s, seats[0], act, luck)
            public = "".join(json.dumps(event) for hearer, event in heard if hearer == "all")
            yield from by_hand(house, after, depth - 1, told + public)


def counted(ways: Iterator[str]) -> tuple[int, int]:
    """How many there are, and how many the table can tell apart."""
    found = [*ways]
    return len(found), len({*found})


def line(name: str, depth: int, ways: tuple[int, int]) -> str:
    """As the file has it."""
    return f"{name} {depth} {ways[0]} {ways[1]}"


def recounted() -> str:
    """The whole file, by the engine."""
    lines = ["# position, depth, ways, histories told to the table"]
    for name, (deepest, _, _) in POSITIONS.items():
        house, truth, _ = begun(name)
        lines += [line(name, depth, counted(by_engine(house, truth, depth))) for depth in range(1, deepest + 1)]
    return "\n".join(lines) + "\n"
