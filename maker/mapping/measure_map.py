"""`python -m maker.mapping.measure_map NAME|FILE`: print figures that show whether a map plays well.

All figures are counted, except those of the runner, which come from random moves with a fixed seed: the same map always
gives the same figures. `sniperboard map check` says whether a map can be played at all.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from math import dist
from random import Random
from statistics import fmean, median

from engine.graph.derive import connected_groups
from engine.graph.fault import MapError
from engine.graph.model import Map, Point, Space
from engine.graph.plane import double_area, edges
from firmware_host.core.maps import load
from games.sniper_elite.map_rules.sites import sites_of
from games.sniper_elite.rules.map_acts import SNIPER_REACH, limit, unit_reach

GOOD_STEPS = range(5, 15)
"""The good number of steps from an entry to an objective: with fewer, the sniper can run there at once; with more, the
way takes the whole game."""
TURNS = 3
GOOD_SIGHTS = range(15, 36)
LONG_SHOT = 4
SHORT_BORDER = 120
"""The shortest visible border, in tenths of a millimetre: players cannot see that two spaces touch along a shorter
one."""
MOVES_TRIED = 20_000


def main() -> int:
    parser = argparse.ArgumentParser(description="Measure how well a map plays.")
    parser.add_argument("map", metavar="NAME|FILE")
    try:
        board = load(parser.parse_args().map)
    except MapError as error:
        print(error, file=sys.stderr)
        return 1
    for title, lines in report(board):
        print(f"\n{title}")
        for line in lines:
            print(f"  {line}")
    return 0


def report(board: Map) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield titles with their lines, in the order of the maps' READMEs."""
    yield "Spaces", [*count_lines(board), *size_lines(board), *short_border_lines(board)]
    yield f"Steps from entry to objective (good: {GOOD_STEPS.start} to {GOOD_STEPS.stop - 1})", list(steps_lines(board))
    yield "Single spaces that bar an objective from an entry", list(blocked_entry_lines(board))
    yield "Single spaces whose blocking cuts others off", list(cut_space_lines(board))
    yield f"Turns from the starts to the sector's objectives (good: up to {TURNS})", list(turns_lines(board))
    yield (
        f"Sight (good: a median of {GOOD_SIGHTS.start} to {GOOD_SIGHTS.stop - 1} other spaces)",
        list(visibility_lines(board)),
    )
    yield "A runner among wandering units", [runner_text(board)]


# Spaces and their borders


def count_lines(board: Map) -> Iterator[str]:
    spaces = board.spaces.values()
    sectors = Counter(space.sector or space.kind for space in spaces)
    kinds = Counter[str](space.kind for space in spaces)
    yield f"{len(board.spaces)} in all: {share_text(sectors)}"
    yield f"{share_text(kinds)}; {sum(space.difficult for space in spaces)} difficult"


def share_text(counts: Mapping[str, int]) -> str:
    """Return counts in words, the largest first."""
    return ", ".join(f"{number} {name}" for name, number in sorted(counts.items(), key=lambda it: -it[1]))


def size_lines(board: Map) -> Iterator[str]:
    """Yield the areas in square centimetres for each kind of ground."""
    sorts: dict[str, list[float]] = {}
    for space in enterable(board):
        cm2 = abs(double_area(space.outline)) / 2 / 10_000
        sorts.setdefault("difficult" if space.difficult else space.kind, []).append(cm2)
    for name, areas in sorts.items():
        yield f"{name}: median {median(areas):.0f} cm² (from {min(areas):.0f} to {max(areas):.0f})"


def short_border_lines(board: Map) -> Iterator[str]:
    """Yield neighbours whose common border is too short to be seen."""
    holders: dict[frozenset[Point], list[str]] = {}
    for space in board.spaces.values():
        for edge in edges(space.outline):
            holders.setdefault(frozenset(edge), []).append(space.id)
    borders: Counter[tuple[str, str]] = Counter()
    for ends, names in holders.items():
        for pair in combinations(sorted(names), 2):
            borders[pair] += round(dist(*ends))
    short = [f"{a}-{b}" for (a, b), length in borders.items() if length < SHORT_BORDER]
    yield f"borders under {SHORT_BORDER / 10:.0f} mm: {', '.join(short) or 'none'}"


def enterable(board: Map) -> list[Space]:
    """Return the spaces that can be entered, in the file's order."""
    return [space for space in board.spaces.values() if space.enterable]


# Ways


def count_steps(board: Map, start: str, without: Collection[str] = ()) -> dict[str, int]:
    """Return the spaces that can be reached, and in how many steps, including the one onto `start`."""
    reached = {start: 1}
    queue = [start]
    # The list grows while it is read, which makes this a breadth-first search.
    for here in queue:
        for there in board.walk[here]:
            if there not in reached and there not in without:
                reached[there] = reached[here] + 1
                queue.append(there)
    return reached


def steps_lines(board: Map) -> Iterator[str]:
    for sector, entry in sites_of(board).entries.items():
        away = count_steps(board, entry)
        goals = sorted(sites_of(board).objectives.items())
        cells = [f"{number}: {away[space]}{flag_text(away[space], GOOD_STEPS)}" for number, space in goals]
        yield f"{sector} ({entry})  {'  '.join(cells)}"


def flag_text(value: float, good: range) -> str:
    """Return a mark for a value outside the good range."""
    return "" if good.start <= value <= good.stop - 1 else " (!)"


def blocked_entry_lines(board: Map) -> Iterator[str]:
    """Yield objectives with only one way in from some entry, and the spaces that block it."""
    for number, goal in sorted(sites_of(board).objectives.items()):
        bars = [space.id for space in enterable(board) if space.id != goal and is_barred(board, space.id, goal)]
        yield f"{number} ({goal}): {', '.join(bars) or 'none'}"


def is_barred(board: Map, blocked: str, goal: str) -> bool:
    entries = [entry for entry in sites_of(board).entries.values() if entry != blocked]
    return any(goal not in count_steps(board, entry, {blocked}) for entry in entries)


def cut_space_lines(board: Map) -> Iterator[str]:
    """Yield spaces that cut others off if they are blocked, each with the others. Dead-end rooms are marked."""
    for space in enterable(board):
        lost = cut_off(board, space.id)
        if lost:
            blind = "dead-end rooms" if all(board.spaces[name].kind == "enclosed" for name in lost) else "(!)"
            yield f"{space.id} cuts off {', '.join(lost)} {blind}"


def cut_off(board: Map, blocked: str) -> list[str]:
    """Return the spaces that can no longer be reached from the larger part of the map."""
    open_ways = {
        space.id: [name for name in board.walk[space.id] if name != blocked]
        for space in enterable(board)
        if space.id != blocked
    }
    left = list(open_ways)
    return [name for part in sorted(connected_groups(open_ways), key=len)[:-1] for name in sorted(part, key=left.index)]


def turns_lines(board: Map) -> Iterator[str]:
    """Yield for each objective how many turns the units of its sector need."""
    starts = [space for space in board.spaces.values() if "start" in space.properties]
    for number, goal in sorted(sites_of(board).objectives.items()):
        own = [space for space in starts if space.sector == board.spaces[goal].sector]
        cells = [f"{space.properties['start']} {space.id}: {count_moves(board, space.id, goal)}" for space in own]
        late = " (!)" if any(count_moves(board, space.id, goal) > TURNS for space in own) else ""
        if own:
            yield f"{board.spaces[goal].sector} {number}  {', '.join(cells)}{late}"


def count_moves(board: Map, start: str, goal: str) -> int:
    reached = {start}
    count = 0
    while goal not in reached and count < len(board.spaces):
        reached |= {there for here in reached for there in unit_reach(board, cumulative=False)[here]}
        count += 1
    return count


# Sight


def visibility_lines(board: Map) -> Iterator[str]:
    """Yield how many other spaces a space sees, the spaces that see least and most, and the distances."""
    names = [space.id for space in enterable(board)]
    seen = {name: [d for other in names if other != name and (d := board.distance(name, other))] for name in names}
    ranked = sorted(names, key=lambda name: len(seen[name]))
    middle = median(len(distances) for distances in seen.values())
    far = sum(max(distances, default=0) >= LONG_SHOT for distances in seen.values())
    yield f"median {middle:g}{flag_text(middle, GOOD_SIGHTS)} of {len(names) - 1}"
    yield f"near-blind: {', '.join(f'{name} {len(seen[name])}' for name in ranked[:6])}"
    yield f"commanding: {', '.join(f'{name} {len(seen[name])}' for name in ranked[:-7:-1])}"
    yield f"shots of distance {LONG_SHOT} and more from {far / len(names):.0%} of the spaces"
    yield f"pairs by distance: {distances_text(seen)}"


def distances_text(seen: Mapping[str, Sequence[int]]) -> str:
    counts = Counter(distance for distances in seen.values() for distance in distances)
    return ", ".join(f"{distance}: {number // 2}" for distance, number in sorted(counts.items()))


# Noise


def runner_text(board: Map) -> str:
    """Return how often a random move of `SNIPER_REACH` steps is heard, after up to six random moves of the units."""
    chance = Random(0)
    listeners = [count_listeners(board, chance) for _ in range(MOVES_TRIED)]
    ran = [count for count in listeners if count is not None]
    return f"heard in {fmean(count > 0 for count in ran):.0%} of its noisy moves, by {fmean(ran):.1f} units on average"


def count_listeners(board: Map, chance: Random) -> int | None:
    """Return how many units hear one random noisy move (MP-NOISE-02), or None if there was no room for two steps."""
    units = random_unit_places(board, chance)
    path = [chance.choice([space.id for space in enterable(board) if space.id not in units])]
    while len(path) <= limit(SNIPER_REACH, sum(board.spaces[name].difficult for name in path[1:]), cumulative=False):
        open_ways = [name for name in board.walk[path[-1]] if name not in path and name not in units]
        if not open_ways:
            break
        path.append(chance.choice(open_ways))
    if len(path) < 3:
        return None
    return sum(any(space in board.adjacent[unit] for space in path) for unit in units)


def random_unit_places(board: Map, chance: Random) -> set[str]:
    """Return the units' spaces after up to six random moves each from their starts, one unit per space."""
    units = [space.id for space in board.spaces.values() if "start" in space.properties]
    for _ in range(chance.randrange(7)):
        for index, here in enumerate(units):
            free = [name for name in sorted(unit_reach(board, cumulative=False)[here]) if name not in units]
            units[index] = chance.choice(free) if free else here
    return set(units)


if __name__ == "__main__":
    sys.exit(main())
