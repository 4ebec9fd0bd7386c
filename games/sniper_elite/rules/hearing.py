"""Which movements of the sniper the defenders notice, and where those movements end.

A hidden ghost counts as the standard sniper. Of the allied snipers, only Wren moves differently: never farther, and
where she is quieter than others, that reveals her (EN-R-10).
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple

from games.sniper_elite.rules.ground import MOVED, Ground, ones, parts
from games.sniper_elite.rules.movement import must_stay, silent_length, sniper_gait
from games.sniper_elite.rules.picture import Picture


class Notice(NamedTuple):
    """What the defenders noticed of a movement, as sets of spaces.

    The movement touched each of `zones` (where an alerted unit hears) and `barks` (a barking dog), and none of `quiet`
    (dogs that didn't bark). Unless it was silent, it touched none of `deaf` (where the other units hear).
    """

    zones: tuple[int, ...]
    deaf: int
    barks: tuple[int, ...]
    quiet: int


def noticed(view: Picture, ground: Ground, units: Collection[str] = (), dogs: Collection[str] = ()) -> Notice:
    """Return the notice of a movement that exactly `units` heard and at which exactly `dogs` barked."""
    near = {unit: ground.adjacent[space] for unit, space in view.units.items() if space is not None}
    deaf = 0
    for unit, zone in near.items():
        # Units that weren't alerted rule out noisy movements in their surroundings.
        deaf |= 0 if unit in units else zone
    zones, barks = tuple(near[unit] for unit in units), tuple(ground.bit[dog] for dog in dogs)
    return Notice(zones, deaf, barks, ground.bits(dog for dog in view.dogs if dog not in dogs))


def is_special(view: Picture) -> bool:
    """Return whether the sniper can move in other ways than the standard sniper on foot."""
    return view.options.ally is not None or view.active in ("climbing-gear", "diving-gear")


def reached(view: Picture, ground: Ground, starts: int, notice: Notice, *, masked: bool) -> dict[int, int]:
    """Return for each space in `starts` where its movements end, as bits: those that match the notice, with Sound
    Masking or without (`masked`).
    """
    if must_stay(view):
        return {}
    movements = ground.movements[sniper_gait(view), silent_length(view)]
    barred = ground.bits(view.units.values()) | notice.quiet
    found: dict[int, int] = {}
    for start in ones(starts & ~notice.quiet):
        here, ends = 1 << start, 0
        # Any movement touches a zone that includes its start.
        missing = [zone for zone in (*notice.zones, *notice.barks) if not here & zone]
        for path, end, silent in movements[start]:
            # An alert proves that the movement was noisy. Without one, it was silent, masked or out of hearing.
            loud = not (silent or masked)
            if path & barred or (notice.zones and not loud) or (loud and (path | here) & notice.deaf):
                continue
            if all(path & zone for zone in missing):
                ends |= end
        found[start] = ends
    return found


def movement(
    view: Picture, ground: Ground, stood: int, units: Collection[str] = (), dogs: Collection[str] = ()
) -> Callable[[int], int]:
    """Return a function from spots to the spots after a movement that exactly `units` and `dogs` noticed.

    `stood` has all spots where the sniper can be before it.
    """
    notice = noticed(view, ground, units, dogs)
    unmoved, masked, _ = parts(ground, stood)
    loud = reached(view, ground, unmoved, notice, masked=False)
    # A masked movement alerts no unit, so an alert rules it out.
    soft = {} if units else reached(view, ground, masked, notice, masked=True)

    def after(spots: int) -> int:
        unmoved, masked, _ = parts(ground, spots)
        found = 0
        for starts, ends in ((unmoved, loud), (masked, soft)):
            for start in ones(starts):
                found |= ends.get(start, 0)
        # After a movement, every spot has the state MOVED.
        return found << MOVED * ground.size

    return after
