"""Read this game's terms in a drawing or a map: arrows, start circles, objectives, suits, and marks for the solo game.

Only the form is checked. Unreadable values are faults. They count as unknown, not as absent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from engine.graph import Map
from engine.graph.drawing import Drawing, DrawnSpace, drawing_of_map
from engine.graph.fault import with_subject
from engine.graph.feature import as_integer, is_text, quoted_value, unknown_value_fault
from engine.text import Text, and_list

PROPERTIES = ("objective", "start")
ROLES = ("officer", "soldier")
OBJECTIVES = 9

Marks = dict[str, dict[str, dict[str, tuple[str, ...]]]]  # Set -> sector -> colour -> spaces (SO-D-09)


class Site(Struct, frozen=True):
    """A drawn space with the values that this game reads from it. `unread` lists the unreadable ones."""

    space: DrawnSpace
    objective: int | None
    start: str | None
    unread: frozenset[str]


class Read(Struct, frozen=True):
    """The values that this game reads from a drawing, and the faults of form."""

    sites: tuple[Site, ...]
    suits: Mapping[str, str]
    marks: Marks
    faults: tuple[Text, ...]
    warnings: tuple[Text, ...]

    def sure(self, name: str) -> bool:
        """Return whether this property could be read for every space."""
        return not any(name in site.unread for site in self.sites)


def read_sites(drawing: Drawing) -> Read:
    """Return the game's values in a drawing, whether or not it has faults."""
    faults: list[Text] = []
    warnings: list[Text] = []
    sites = tuple(_site(space, faults) for space in drawing.spaces)
    suits = _suits(drawing, faults, warnings)
    marks = _marks(drawing, faults)
    return Read(sites, suits, marks, tuple(faults), tuple(warnings))


def _site(space: DrawnSpace, faults: list[Text]) -> Site:
    properties, unread = space.properties, set[str]()
    number = as_integer(properties["objective"]) if "objective" in properties else None
    if "objective" in properties and (number is None or not 1 <= number <= OBJECTIVES):
        sentence = Text(
            '"objective" is {value}. Write a number from 1 to 9.', value=quoted_value(properties["objective"])
        )
        faults.append(with_subject(space.label, sentence))
        unread.add("objective")
        number = None
    start = properties.get("start")
    if start is not None and start not in ROLES:
        faults.append(with_subject(space.label, unknown_value_fault("start", start, ROLES)))
        unread.add("start")
        start = None
    return Site(space, number, start, frozenset(unread))


def _suits(drawing: Drawing, faults: list[Text], warnings: list[Text]) -> dict[str, str]:
    value = drawing.members.get("suits")
    if not isinstance(value, dict):
        faults.append(Text('"suits" must give each sector its card suit. Write {"yellow": "diamonds", …}.'))
        return {}
    for sector, suit in value.items():
        if sector not in drawing.sectors:
            sentence = Text('"suits" names the unknown sector {sector}. Remove it or add the sector.')
            faults.append(sentence.with_(sector=quoted_value(sector)))
        elif not is_text(suit):
            sentence = Text('"suits" gives {sector} no suit but {value}. Write its card suit.')
            faults.append(sentence.with_(sector=sector, value=quoted_value(suit)))
    for sector in drawing.sectors:
        if sector not in value:
            warnings.append(Text('"suits" has no card suit for {sector}. Add one.', sector=sector))
    return {sector: suit for sector, suit in value.items() if sector in drawing.sectors and is_text(suit)}


def _marks(drawing: Drawing, faults: list[Text]) -> Marks:
    value = drawing.members.get("marks")
    if value is None:
        return {}
    try:
        marks = msgspec.convert(value, Marks)
    except msgspec.ValidationError:
        faults.append(Text('"marks" must be set -> sector -> colour -> list of space ids. Correct its form.'))
        return {}
    space_ids = {space.id for space in drawing.spaces}
    for first, sectors in marks.items():
        for sector, colours in sectors.items():
            for colour, ids in colours.items():
                if missing := [name for name in ids if name not in space_ids]:
                    sentence = Text('"marks" for {colour} names unknown spaces {spaces}. Fix them.')
                    names = " / ".join((first, sector, colour))
                    faults.append(sentence.with_(colour=names, spaces=and_list(missing)))
    return marks


NEUTRAL = "white"  # The sector without a squad


class Sites(Struct, frozen=True):
    """The values that this game reads from a map.

    `entries` is sector -> the space that its arrow leads to. `starts` is unit -> space. `objectives` is number -> space
    and `numbers` is space -> number. `suits` is sector -> card suit. `marks` are for the solo game.
    """

    entries: dict[str, str]
    starts: dict[str, str]
    objectives: dict[int, str]
    numbers: dict[str, int]
    suits: dict[str, str]
    marks: Marks


def sites_of(board: Map) -> Sites:
    """Return the sites of a map. They are read once per map."""
    return board.derived(_sites)


def sector_of_objective(board: Map, objective: int) -> str:
    """Return the sector of an objective's space, which corresponds to the card's suit (MP-SETUP-23)."""
    return str(board.spaces[sites_of(board).objectives[objective]].sector)


def squads(sectors: Sequence[str]) -> tuple[str, ...]:
    """Return the sectors that have a squad: all except the neutral one (MP-MAP-01)."""
    return tuple(sector for sector in sectors if sector != NEUTRAL)


def _sites(board: Map) -> Sites:
    drawn_sites = read_sites(drawing_of_map(board))
    numbered = [(site.objective, site.space.id) for site in drawn_sites.sites if site.objective is not None]
    return Sites(
        entries={board.spaces[entry.space].sector or "": entry.space for entry in board.entries},
        starts={unit: space for sector in squads(board.sectors) for unit, space in _starts(sector, drawn_sites.sites)},
        objectives=dict(sorted(numbered)),
        numbers={space: number for number, space in numbered},
        suits=dict(drawn_sites.suits),
        marks=drawn_sites.marks,
    )


def _starts(sector: str, sites: Iterable[Site]) -> list[tuple[str, str]]:
    """Return a squad's starts: its officer, then soldiers 1 and 2 in file order (MP-MAP-18)."""
    own = [site for site in sites if site.space.sector == sector]
    soldiers = [site.space.id for site in own if site.start == "soldier"]
    officers = [(f"{sector}-officer", site.space.id) for site in own if site.start == "officer"]
    return officers + [(f"{sector}-{number}", name) for number, name in enumerate(soldiers, start=1)]
