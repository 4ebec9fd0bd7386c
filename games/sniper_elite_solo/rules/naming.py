"""Check that the spaces, units and cards that a command names exist."""

from __future__ import annotations

from typing import Final

from engine.naming import Naming, Noun
from engine.text import Text
from games.sniper_elite.rules.words import UNITS
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import LOADOUT

_SPACE: Final[Noun[Picture]] = (Text("space"), lambda view: view.map.spaces)
_UNIT: Final[Noun[Picture]] = (Text("unit"), lambda view: UNITS)
_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": _SPACE,
    "to": _SPACE,
    "path": _SPACE,
    "unit": _UNIT,
    "target": _UNIT,
    "sector": (Text("sector"), lambda view: view.terrain.entries),
    "objective": (Text("objective"), lambda view: view.terrain.objectives),
    "card": (Text("loadout card"), lambda view: LOADOUT),
}
require_known: Final = Naming(_NOUNS).require
