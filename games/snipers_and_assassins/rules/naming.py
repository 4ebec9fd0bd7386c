"""Whether the spaces, markers and seats that a command names exist."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from engine.naming import Naming, Noun
from engine.text import Text
from games.snipers_and_assassins.rules import places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import known, markers_of


def _spaces(view: Picture) -> Collection[str]:
    return places.spaces(view.pathways)


def _markers(view: Picture) -> Collection[str]:
    return markers_of(view.seats)


def _seats(view: Picture) -> Collection[str]:
    return view.players


_NOUNS: Final[dict[str, Noun[Picture]]] = {
    "space": (Text("space"), _spaces),
    "to": (Text("space"), _spaces),
    "mine.space": (Text("space"), _spaces),
    "marker": (Text("marker"), _markers),
    "target": (Text("marker"), _markers),
    "seat": (Text("seat"), _seats),
}
require_known: Final = Naming(_NOUNS, known).require
