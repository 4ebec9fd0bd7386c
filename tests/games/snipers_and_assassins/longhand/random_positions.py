"""Random positions, in which rare events occur soon."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from tests.games.snipers_and_assassins.longhand.menu import Options, State, away, hideouts, is_off, name, on_pathway
from tests.games.snipers_and_assassins.longhand.play import BOX, CORE


def random_position(options: Options, count: int, random: Random) -> State:
    """Return a position in play. It may be impossible."""
    seats = [f"player-{number}" for number in range(1, count + 1)]
    ends = hideouts({"players": seats})
    random.shuffle(ends)
    circle = random.sample(seats, count)
    deck = list((CORE if options.get("core_only") else BOX).elements())
    random.shuffle(deck)
    spaces = _near_each_other(count, random)
    players = {}
    for seat in seats:
        others = [one for one in seats if one != seat]
        several = is_off(options, "SA-R-41") and random.random() < 0.5
        target = random.choice(others) if several else circle[(circle.index(seat) + 1) % count]
        players[seat] = _player(seat, target, ends, deck, spaces, options, random)
    _bring_to_a_head(players, random)
    taken = {player["sniper"] for player in players.values()}
    for player in players.values():
        mines = [] if random.random() < 0.3 else [next(spaces) for _ in range(random.choice([1, 2, 4, 5]))]
        if mines and random.random() < 0.5:
            mines[0] = random.choice([*players.values()])["assassin"]
        player["mines"] = [mine for mine in dict.fromkeys(mines) if mine not in taken and on_pathway(mine)]
        taken |= {*player["mines"]}
    left = random.choice([0, 1, len(deck)])
    return {
        "turn": random.choice(seats),
        "first": random.choice(seats),
        "round": random.choice([1, 7, 300]),
        "deck": deck[:left],
        "discard": deck[left:] if random.random() < 0.5 else [],
        "players": players,
    }


def _near_each_other(count: int, random: Random) -> Iterator[str]:
    """Yield spaces endlessly, most of them on a few pathways and in a few columns."""
    pathways = range(1, count + 3)
    while True:
        column = random.choice([1, 2, 3, 10, 11, 12, random.randint(1, 12)])
        yield name((random.choice(pathways), column))


def _bring_to_a_head(players: dict[str, Any], random: Random) -> None:
    """Move some Assassins to one or two steps from the Leader that they hunt."""
    for player in players.values():
        if random.random() < 0.25:
            player["assassin"] = away(players[player["target"]]["leader"], random.choice([1, 2]))[0]


def _player(
    seat: str, target: str, ends: list[str], deck: list[str], spaces: Iterator[str], options: Options, random: Random
) -> dict[str, Any]:
    start, leader = ends.pop(), ends.pop()
    card = deck.pop() if random.random() < 0.9 else None
    status = random.random()
    jump = {"dir": random.choice(["up", "down"]), "option": random.choice([1, 2])} if status < 0.2 else None
    shots = [None, None, "fresh", "stale", *(["healing", "healed"] if options.get("healing") else [])]
    near = random.random() < 0.3
    pathway, side = start[0], 1 if start[1] == "L" else 12
    return {
        "start": start,
        "target": target,
        "leader": leader,
        "sniper": start if random.random() < 0.15 else next(spaces),
        "assassin": f"{pathway}{side}" if near else start if random.random() < 0.1 else next(spaces),
        "recover": jump is None and status < 0.3,
        "jump": jump,
        "shot": random.choice(shots),
        "locked": random.random() < 0.1,
        "pushed_back": near or random.random() < 0.3,
        "improvement": card,
        "armor": random.choice([1, 2, 3]) if card == "armor" else None,
    }
