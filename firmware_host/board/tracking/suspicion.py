"""Which sensors cannot be trusted: they behave oddly, or say the contrary of the game, move after move. Pure.

How a sensor behaves `hardware/health.py` learns; what a person should do about it is said here. A miniature that should
stand somewhere and is not felt, or something that is felt where nothing should stand, is put right by a hint. Where the
game goes on all the same, the sensor is dead or stuck; the table names it, and people may set it to manual.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from msgspec import Struct

from engine.text import Text
from firmware_host.board.thresholds import SUSPECT_MOVES
from firmware_host.board.tracking.facts import Facts
from firmware_host.board.tracking.hints import Correction, Hint, Orders, Remove, SensorHint, UnknownPiece, WrongPlace
from hardware.health import BOUNCING, CHATTERING, SILENT, Health

GHOST = Text(
    "Space {space}: something is felt, and nothing should stand there, for {number} move now. If that is not so, set "
    "it to manual.",
    "Space {space}: something is felt, and nothing should stand there, for {number} moves now. If that is not so, set "
    "it to manual.",
)
ABSENT = Text(
    "Space {space}: nothing is felt, for {number} move now. If that is not so, set it to manual.",
    "Space {space}: nothing is felt, for {number} moves now. If that is not so, set it to manual.",
)


SENTENCES = {
    SILENT: Text(
        "Space {space}: no change for {number} move around it. Touch it with a magnet; if that is not felt, set it to "
        "manual.",
        "Space {space}: no change for {number} moves around it. Touch it with a magnet; if that is not felt, set it to "
        "manual.",
    ),
    CHATTERING: Text("Space {space}: its sensor chatters. Set it to manual if it goes on, and look for a loose wire."),
    BOUNCING: Text("Space {space}: its contact bounces long; it works, but watch it."),
    "manual": Text("Space {space}: set to manual; it is played on the screens."),
}
"""State -> what is wrong with a sensor, and what to do."""


def sentence(space: str, state: str, around: int) -> Text:
    """What is wrong with a space's sensor, and what to do."""
    if state not in SENTENCES:
        return Text("")
    return SENTENCES[state].with_(space=space, number=around)


def unwell(health: Health, spaces: Sequence[str | None], manual: Collection[str], now: float) -> SensorHint | None:
    """The sensors (of `spaces`, by number) that cannot be trusted and still count, the first one in words."""
    found = [
        (space, state, health.of(sensor).around)
        for sensor, state in health.suspects(now)
        if sensor < len(spaces) and (space := spaces[sensor]) is not None and space not in manual
    ]
    return SensorHint(tuple(space for space, _, _ in found), sentence(*found[0])) if found else None


class Suspicion(Struct, frozen=True):
    """`against`: space -> moves of others since it says the contrary of the game."""

    standing: Mapping[str, str | None] = {}
    against: Mapping[str, int] = {}

    def after(self, facts: Facts, occupied: Collection[str]) -> Suspicion:
        """Learn from what the game has moved since the last time."""
        wrong = (facts.homes.keys() ^ set(occupied)) - facts.optional - facts.blind
        if facts.standing == self.standing:
            kept = {space: moves for space, moves in self.against.items() if space in wrong}
            return self if len(kept) == len(self.against) else Suspicion(self.standing, kept)
        moved = [unit for unit, space in self.standing.items() if facts.standing.get(unit) != space]
        touched = {place for unit in moved for place in (self.standing[unit], facts.standing.get(unit))}
        found = {space: self.against.get(space, 0) + len(moved) * (space not in touched) for space in wrong}
        return Suspicion(dict(facts.standing), found)

    def hint(self, facts: Facts, occupied: Collection[str], said: Hint | None) -> SensorHint | None:
        """The sensor to name instead of what would be `said` about it; what is said of other spaces comes first."""
        about = _about(said)
        for space, moves in sorted(self.against.items()):
            if moves >= SUSPECT_MOVES and (said is None or space in about):
                says = GHOST if space in occupied else ABSENT
                return SensorHint((space,), says.with_(space=space, number=moves))
        return None


def _about(hint: Hint | None) -> frozenset[str]:
    """The spaces that a hint asks somebody to put in order."""
    match hint:
        case Correction():
            return frozenset({hint.to} if hint.start is None else {hint.start, hint.to})
        case Orders():
            return frozenset(space for order in hint.orders for space in (order.start, order.to) if space is not None)
        case Remove() | UnknownPiece() | WrongPlace():
            return frozenset(hint.spaces)
    return frozenset()
