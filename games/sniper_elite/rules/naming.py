"""Check that the spaces, units and cards that a command names exist."""

from __future__ import annotations

from typing import Final

from engine.game import Command
from engine.naming import Naming, Noun, known
from engine.text import Text
from games.sniper_elite.rules import cards, specialists
from games.sniper_elite.rules.commands import ChooseSpecialists
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SQUADS, UNITS

_SPACE: Final[Noun[Picture]] = (Text("space"), lambda view: view.map.spaces)
_UNIT: Final[Noun[Picture]] = (Text("unit"), lambda view: UNITS)
_CARD: Final[Noun[Picture]] = (
    Text("loadout card"),
    lambda view: cards.CARDS if view.options.nest is None else cards.EVERY_CARD,
)
_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": _SPACE,
    "to": _SPACE,
    "path": _SPACE,
    "spaces": _SPACE,
    "unit": _UNIT,
    "target": _UNIT,
    "squad": (Text("squad"), lambda view: SQUADS),
    "sector": (Text("sector"), lambda view: view.sites.entries),
    "objective": (Text("objective"), lambda view: view.sites.objectives),
    "card": _CARD,
    "cards": _CARD,
    "use": (Text("specialist"), lambda view: specialists.SPECIALISTS),
}
_naming: Final = Naming(_NOUNS)


def require_known(view: Picture, command: Command) -> None:
    """Raise `NotUnderstood` for a space, unit, card or other name that doesn't exist."""
    _naming.require(view, command)
    if isinstance(command, ChooseSpecialists):
        known(Text("squad"), command.squads, SQUADS)
        known(Text("specialist"), command.squads.values(), specialists.SPECIALISTS)
