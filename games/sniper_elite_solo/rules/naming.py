"""Whether the spaces, units and cards that a command names exist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from engine.naming import Naming, Noun
from engine.text import Text
from games.sniper_elite.rules.words import UNITS, known
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import LOADOUT


def _spaces(view: Picture) -> Collection[Any]:
    return view.map.spaces


def _units(view: Picture) -> Collection[Any]:
    return UNITS


def _sectors(view: Picture) -> Collection[Any]:
    return view.terrain.entries


def _objectives(view: Picture) -> Collection[Any]:
    return view.terrain.objectives


def _cards(view: Picture) -> Collection[Any]:
    return LOADOUT


_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": (Text("space"), _spaces),
    "to": (Text("space"), _spaces),
    "path": (Text("space"), _spaces),
    "unit": (Text("unit"), _units),
    "target": (Text("unit"), _units),
    "sector": (Text("sector"), _sectors),
    "objective": (Text("objective"), _objectives),
    "card": (Text("loadout card"), _cards),
}
require_known: Final = Naming(_NOUNS, known).require
