"""Whether the spaces, units and cards that a command names exist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final

from engine.game import Command
from engine.naming import Naming, Noun
from engine.text import Text
from games.sniper_elite.rules import cards, specialists
from games.sniper_elite.rules.commands import ChooseSpecialists
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import SQUADS, UNITS, known


def _spaces(view: Picture) -> Collection[Any]:
    return view.map.spaces


def _units(view: Picture) -> Collection[Any]:
    return UNITS


def _squads(view: Picture) -> Collection[Any]:
    return SQUADS


def _sectors(view: Picture) -> Collection[Any]:
    return view.sites.entries


def _objectives(view: Picture) -> Collection[Any]:
    return view.sites.objectives


def _cards(view: Picture) -> Collection[Any]:
    return cards.CARDS if view.options.nest is None else cards.EVERY_CARD


def _specialists(view: Picture) -> Collection[Any]:
    return specialists.SPECIALISTS


_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": (Text("space"), _spaces),
    "to": (Text("space"), _spaces),
    "path": (Text("space"), _spaces),
    "spaces": (Text("space"), _spaces),
    "unit": (Text("unit"), _units),
    "target": (Text("unit"), _units),
    "squad": (Text("squad"), _squads),
    "sector": (Text("sector"), _sectors),
    "objective": (Text("objective"), _objectives),
    "card": (Text("loadout card"), _cards),
    "cards": (Text("loadout card"), _cards),
    "use": (Text("specialist"), _specialists),
}
_naming: Final = Naming(_NOUNS, known)


def require_known(view: Picture, command: Command) -> None:
    """Raises `NotUnderstood` for a space, unit, card … that does not exist."""
    _naming.require(view, command)
    if isinstance(command, ChooseSpecialists):
        known(Text("squad"), command.squads, SQUADS)
        known(Text("specialist"), command.squads.values(), specialists.SPECIALISTS)
