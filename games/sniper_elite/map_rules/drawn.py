"""Reads what a drawing says in this game's own words: objectives, start circles, suits, and marks for the solo game.

Form only. What cannot be read is a fault, and is then treated as not known rather than as absent.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from engine.graph.drawing import Drawing, DrawnSpace
from engine.graph.fault import guess, listed
from engine.graph.feature import is_text, short, whole

PROPERTIES = ("objective", "start")
ROLES = ("officer", "soldier")
OBJECTIVES = 9

Marks = dict[str, dict[str, dict[str, tuple[str, ...]]]]
"""Set -> sector -> colour -> spaces (SO-D-09)."""


class Site(Struct, frozen=True):
    """A drawn space with what this game reads from it. `unread` names what could not be read."""

    space: DrawnSpace
    objective: int | None
    start: str | None
    unread: frozenset[str]


class Read(Struct, frozen=True):
    """What this game reads from a drawing, and the faults of form met on the way."""

    sites: tuple[Site, ...]
    suits: Mapping[str, str]
    marks: Marks
    faults: tuple[str, ...]
    warnings: tuple[str, ...]

    def sure(self, name: str) -> bool:
        """Whether this property was read of every space."""
        return not any(name in site.unread for site in self.sites)


def read(drawing: Drawing) -> Read:
    """The game's words in a drawing, sound or not."""
    faults: list[str] = []
    warnings: list[str] = []
    sites = tuple(_site(space, faults) for space in drawing.spaces)
    suits = _suits(drawing, faults, warnings)
    marks = _marks(drawing, faults)
    return Read(sites, suits, marks, tuple(faults), tuple(warnings))


def _site(space: DrawnSpace, faults: list[str]) -> Site:
    said, unread = space.properties, set[str]()
    number = whole(said["objective"]) if "objective" in said else None
    if "objective" in said and (number is None or not 1 <= number <= OBJECTIVES):
        faults.append(f'{space.label}: "objective" is {short(said["objective"])}. Write a number from 1 to 9.')
        unread.add("objective")
        number = None
    start = said.get("start")
    if start is not None and start not in ROLES:
        hint = guess(start, ROLES) if isinstance(start, str) else ""
        faults.append(f'{space.label}: "start" is {short(start)}, which is unknown. Use {listed(ROLES)}.{hint}')
        unread.add("start")
        start = None
    return Site(space, number, start, frozenset(unread))


def _suits(drawing: Drawing, faults: list[str], warnings: list[str]) -> dict[str, str]:
    value = drawing.members.get("suits")
    if not isinstance(value, dict):
        faults.append('"suits" must give each sector its card suit. Write {"yellow": "diamonds", …}.')
        return {}
    for sector, suit in value.items():
        if sector not in drawing.sectors:
            faults.append(f'"suits" names the unknown sector {short(sector)}. Remove it or add the sector.')
        elif not is_text(suit):
            faults.append(f'"suits" gives {sector} no suit but {short(suit)}. Write its card suit.')
    for sector in drawing.sectors:
        if sector not in value:
            warnings.append(f'"suits" has no card suit for {sector}. Add one.')
    return {sector: suit for sector, suit in value.items() if sector in drawing.sectors and is_text(suit)}


def _marks(drawing: Drawing, faults: list[str]) -> Marks:
    value = drawing.members.get("marks")
    if value is None:
        return {}
    known = {space.id for space in drawing.spaces}
    marks: Marks = {}
    for names, ids in _leaves(value):
        if len(names) != 3 or not isinstance(ids, list | tuple) or not all(is_text(one) for one in ids):
            faults.append('"marks" must be set -> sector -> colour -> list of space ids. Correct its form.')
            return {}
        unknown = [one for one in ids if one not in known]
        if unknown:
            faults.append(f'"marks" for {" / ".join(names)} names unknown spaces {listed(unknown)}. Mend them.')
        marks.setdefault(names[0], {}).setdefault(names[1], {})[names[2]] = tuple(ids)
    return marks


def _leaves(value: object) -> Iterator[tuple[tuple[str, ...], object]]:
    """The lists three names deep, with the names on the way; anything else comes with fewer names."""
    if not isinstance(value, dict):
        yield (), value
        return
    for first, inner in value.items():
        for second, innermost in inner.items() if isinstance(inner, dict) else [("", None)]:
            for third, ids in innermost.items() if isinstance(innermost, dict) else [("", None)]:
                yield (str(first), str(second), str(third)), ids
