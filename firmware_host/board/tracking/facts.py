"""The public facts about miniatures that piece tracking may use, as one value. Pure."""

from __future__ import annotations

from collections import deque
from collections.abc import Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, cast

from msgspec import Struct, structs

from engine.game import Automated, BoardGame, Captioned, Command, Game, Placement, PlayersMiniatures
from engine.graph import Map
from engine.naming import tag_of
from engine.text import Text

UNREACHABLE = 99
"""A distance longer than any way on a board (steps)."""


# A frozen struct can't be assigned to; `dict=True` gives it a namespace for cached values.
class Facts(Struct, frozen=True, dict=True):
    """The public facts about the miniatures of a game; `public_facts` gets them from a game.

    - `standing`: miniature -> space, None off the board. `placements`: the legal acts made by setting down; `acting`:
      the seats whose acts they are.
    - `optional`: spaces where something else may stand too.
    - `looks`: miniature -> its look. `rights`: miniature -> what it may do; look-alikes with equal rights need not be
      told apart.
    - `groups`: miniature -> group, in setup order. `owners`: group -> player; empty if players own no miniatures.
    - `near`: space -> spaces one step away. `bordering`: space -> bordering spaces, walls or not.
    - `blind`: manual spaces, whose sensors are ignored.
    - `opening`: whether the miniatures are still being set up. `names`: miniature -> its name for people.
    - `choosable`: spaces that may be picked with a wand now.
    - `captions`: names of the acts, in the order of `placements`; empty if no carry can mean several acts.
    - `before`: miniature -> where it stood before the game moved it; None if carries are shown one at a time.
    """

    standing: Mapping[str, str | None]
    placements: tuple[Placement, ...] = ()
    acting: frozenset[str] = frozenset()
    optional: frozenset[str] = frozenset()
    looks: Mapping[str, str] = {}
    rights: Mapping[str, frozenset[str]] = {}
    groups: Mapping[str, str] = {}
    near: Mapping[str, tuple[str, ...]] = {}
    bordering: Mapping[str, tuple[str, ...]] = {}
    blind: frozenset[str] = frozenset()
    opening: bool = False
    names: Mapping[str, str] = {}
    choosable: frozenset[str] = frozenset()
    before: Mapping[str, str | None] | None = None
    owners: Mapping[str, Text] = {}
    captions: tuple[Text, ...] = ()

    def without(self, commands: Sequence[Command]) -> Facts:
        """Return the facts without these commands, so that no carry means one of them."""
        left = [number for number, it in enumerate(self.placements) if it.command not in commands]
        captions = tuple(self.captions[number] for number in left) if self.captions else ()
        return structs.replace(self, placements=tuple(self.placements[number] for number in left), captions=captions)

    def called(self, unit: str) -> str:
        """Return the name of a miniature for the middle of a sentence."""
        return self.names.get(unit, unit)

    @cached_property
    def homes(self) -> dict[str, str]:
        """Space -> the miniature that belongs there, if its sensor is used; if there are several, the first by name."""
        return {space: units[0] for space, units in self.sharing.items()}

    @cached_property
    def sharing(self) -> dict[str, tuple[str, ...]]:
        """Space -> all miniatures that belong there, by their names; in most games only one."""
        units_on: dict[str, list[str]] = {}
        for unit, space in self.standing.items():
            if space is not None and space not in self.blind:
                units_on.setdefault(space, []).append(unit)
        return {space: tuple(sorted(units)) for space, units in units_on.items()}

    def belongs(self, unit: str, space: str) -> bool:
        """Return whether a miniature or a look-alike belongs on a space."""
        return any(self.alike(unit, owner) for owner in self.sharing.get(space, ()))

    @cached_property
    def legal(self) -> dict[tuple[str, str], Placement]:
        """(miniature, space) -> the act of setting it down there; if there are several, the first."""
        placement_of: dict[tuple[str, str], Placement] = {}
        for placement in self.placements:
            placement_of.setdefault((placement.unit, placement.to), placement)
        return placement_of

    @cached_property
    def ways(self) -> dict[tuple[str, str], tuple[tuple[Placement, Text], ...]]:
        """(miniature, space) -> the acts of setting it down there with their names, if there are several."""
        acts_of: dict[tuple[str, str], list[tuple[Placement, Text]]] = {}
        for placement, caption in zip(self.placements, self.captions, strict=False):
            acts_of.setdefault((placement.unit, placement.to), []).append((placement, caption))
        return {carry: tuple(acts) for carry, acts in acts_of.items() if len(acts) > 1}

    @cached_property
    def goals(self) -> dict[str, tuple[str, ...]]:
        """Miniature -> the spaces where it may be set down as an act."""
        spaces_of: dict[str, list[str]] = {}
        for unit, space in self.legal:
            spaces_of.setdefault(unit, []).append(space)
        return {unit: tuple(spaces) for unit, spaces in spaces_of.items()}

    def look_of(self, unit: str) -> str:
        """Return the look of a miniature."""
        return self.looks.get(unit, unit)

    def alike(self, unit: str, other: str) -> bool:
        """Return whether two miniatures look the same."""
        return self.look_of(unit) == self.look_of(other)

    def group(self, unit: str) -> str:
        """Return the group of a miniature, or ""."""
        return self.groups.get(unit, "")

    def allowed(self, unit: str) -> tuple[str, ...]:
        """Return where a miniature may stand: its home and the spaces of its acts."""
        home = self.standing.get(unit)
        return (*([] if home is None else [home]), *self.goals.get(unit, ()))

    def extendable(self, unit: str, space: str) -> bool:
        """Return whether a miniature on `space` could legally slide on to a goal next to it that is farther along.

        For a miniature from the box, any goal next to it counts.
        """
        start = self.standing.get(unit)
        reached = self.steps(start, space)
        onward = (goal for goal in self.goals.get(unit, ()) if goal in self.near.get(space, ()))
        return any(start is None or self.steps(start, goal) > reached for goal in onward)

    def could_follow(self, unit: str, space: str) -> bool:
        """Return whether a miniature might legally go to a space if its occupant were gone.

        This is an estimate without the rules: it can move, and some legal move is as long.
        """
        start, goals = self.standing.get(unit), self.goals.get(unit, ())
        if start is None:
            return any(goal in self.near.get(space, ()) for goal in goals)
        return bool(goals) and self.steps(start, space) <= self._longest_move

    @cached_property
    def _longest_move(self) -> int:
        """The length of the longest legal move (steps)."""
        starts = ((self.standing[unit], goal) for unit, goal in self.legal)
        return max((self.steps(start, goal) for start, goal in starts if start is not None), default=0)

    def steps(self, start: str | None, goal: str | None) -> int:
        """Return the number of steps between two spaces, or UNREACHABLE if there is no way."""
        if start is None or goal is None:
            return UNREACHABLE
        return self._distances(start).get(goal, UNREACHABLE)

    def _distances(self, start: str) -> dict[str, int]:
        # The distances from each start are cached.
        measured: dict[str, dict[str, int]] = self.__dict__.setdefault("_measured", {})
        if start not in measured:
            measured[start] = _distances_from(self.near, start)
        return measured[start]


def _distances_from(near: Mapping[str, tuple[str, ...]], start: str) -> dict[str, int]:
    # A breadth-first search reaches each space with the fewest steps first.
    steps, queue = {start: 0}, deque([start])
    while queue:
        space = queue.popleft()
        for reached in near.get(space, ()):
            if reached not in steps:
                steps[reached] = steps[space] + 1
                queue.append(reached)
    return steps


def public_facts(game: BoardGame, view: Any, board: Map, blind: frozenset[str] = frozenset()) -> Facts:
    """Return the facts of a game from its public picture (that of TABLE)."""
    standing = game.standing(view)
    placements = tuple(game.placements(view))
    return structs.replace(
        _miniatures(cast(Hashable, game), tuple(standing)),
        standing=standing,
        placements=placements,
        acting=_acting(game, view, placements),
        optional=game.optional(view),
        rights=_rights(game, view) if placements else {},
        near=board.walk,
        bordering=board.adjacent,
        blind=blind,
        opening=game.opening(view),
        before=game.stood(view) if isinstance(game, Automated) else None,
        captions=_captions(game, placements),
    )


@lru_cache(maxsize=16)
def _miniatures(game: Any, units: tuple[str, ...]) -> Facts:
    """Return the facts of miniatures that are the same in every picture."""
    groups = {unit: game.colour(unit) for unit in units}
    return Facts(
        {},
        # A look is named after its first miniature.
        looks={unit: next(other for other in units if other == unit or game.alike(other, unit)) for unit in units},
        groups=groups,
        names={unit: game.called(unit) for unit in units},
        owners={group: game.owner(group) for group in groups.values()} if isinstance(game, PlayersMiniatures) else {},
    )


def _acting(game: BoardGame, view: Any, placements: Sequence[Placement]) -> frozenset[str]:
    """Return the seats that may give one of these commands now."""
    seats = game.to_act(view) if placements else ()
    if len(seats) <= 1:  # most games need no list of legal commands for this
        return frozenset(seats)
    commands = [placement.command for placement in placements]
    return frozenset(seat for seat in seats if any(command in commands for command in game.legal(view, seat)))


def _captions(game: Game, placements: Sequence[Placement]) -> tuple[Text, ...]:
    """Return the names of all acts if one carry can mean several."""
    if len({(placement.unit, placement.to) for placement in placements}) == len(placements):
        return ()
    captioned = game if isinstance(game, Captioned) else None
    kinds = [Text(tag_of(placement.command)) for placement in placements]
    return tuple(kinds if captioned is None else (captioned.caption(placement.command) for placement in placements))


def _rights(game: Game, view: Any) -> dict[str, frozenset[str]]:
    """Return miniature -> the kinds of commands that it may get now."""
    kinds_of: dict[str, set[str]] = {}
    for seat in game.to_act(view):
        # There are far fewer pairs than commands.
        for unit, kind in {
            (unit, type(command))
            for command in game.legal(view, seat)
            if isinstance(unit := getattr(command, "unit", None), str)
        }:
            kinds_of.setdefault(unit, set()).add(kind.__name__)
    return {unit: frozenset(kinds) for unit, kinds in kinds_of.items()}
