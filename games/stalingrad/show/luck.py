"""The luck of the players: stars that their shots bring on average, and those that they have brought."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from engine.events import Event
from engine.game import Fortune
from engine.text import Text
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS
from games.stalingrad.rules.words import called

FACES = 10  # A shot with a value of n hits on n of the faces


def fortunes(events: Iterable[Event]) -> Sequence[Fortune]:
    """Return the luck of each player that has shot."""
    expected, got = defaultdict[str, float](float), defaultdict[str, float](float)
    for event in events:
        if isinstance(event, e.ShootRolled):
            stars = CARDS[event.card].stars
            expected[event.seat] += stars * max(0, event.value) / FACES
            got[event.seat] += stars * event.hit
    return [Fortune(seat, round(mean, 1), got[seat], _said(seat, got[seat] - mean)) for seat, mean in expected.items()]


def _said(seat: str, more: float) -> Text:
    stars, who = f"{abs(more):.1f}", called(seat)
    if stars == "0.0":
        return Text("{who} rolled exactly as expected", who=who)
    if more < 0:
        return Text("{who} rolled {stars} stars below expectation", who=who, stars=stars)
    return Text("{who} rolled {stars} stars above expectation", who=who, stars=stars)
