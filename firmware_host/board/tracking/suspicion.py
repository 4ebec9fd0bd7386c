"""Find sensors that cannot be trusted. Pure.

A sensor is suspect if it behaves oddly (`hardware/health.py`) or contradicts the game for several moves. Usually a hint
corrects the board. If people play on instead, the sensor is dead or stuck; it is named, and people may set it to
manual.
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
"""Sentences that say what is wrong with a sensor and what to do, by the sensor's state."""


def sentence(space: str, state: str, around: int) -> Text:
    """Return what is wrong with the sensor of a space and what to do; empty if nothing is."""
    if state not in SENTENCES:
        return Text("")
    return SENTENCES[state].with_(space=space, number=around)


def doubtful_sensors_hint(
    health: Health, spaces: Sequence[str | None], manual: Collection[str], now: float
) -> SensorHint | None:
    """Return a hint about sensors that are used although they cannot be trusted. `spaces` is by sensor number."""
    suspects = [
        (space, state, health.of(sensor).around)
        for sensor, state in health.suspects(now)
        if sensor < len(spaces) and (space := spaces[sensor]) is not None and space not in manual
    ]
    # The lamps show all of them, the sentence says what to do about the first.
    return SensorHint(tuple(space for space, _, _ in suspects), sentence(*suspects[0])) if suspects else None


class Suspicion(Struct, frozen=True):
    """For each space whose sensor contradicts the game, `against` counts the moves elsewhere since then."""

    standing: Mapping[str, str | None] = {}
    against: Mapping[str, int] = {}

    def after(self, facts: Facts, occupied: Collection[str]) -> Suspicion:
        """Return the suspicion after the moves since the last call."""
        # The spaces on which sensor and game disagree.
        wrong = (facts.homes.keys() ^ set(occupied)) - facts.optional - facts.blind
        if facts.standing == self.standing:
            still_wrong = {space: moves for space, moves in self.against.items() if space in wrong}
            return self if len(still_wrong) == len(self.against) else Suspicion(self.standing, still_wrong)
        moved = [unit for unit, space in self.standing.items() if facts.standing.get(unit) != space]
        # A move to or from the space may itself be the reason for the difference.
        touched = {place for unit in moved for place in (self.standing[unit], facts.standing.get(unit))}
        against = {space: self.against.get(space, 0) + len(moved) * (space not in touched) for space in wrong}
        return Suspicion(dict(facts.standing), against)

    def hint(self, occupied: Collection[str], current: Hint | None) -> SensorHint | None:
        """Return the hint that names a sensor, replacing the hint `current` about it. Hints about other spaces win."""
        about = _spaces_of(current)
        for space, moves in sorted(self.against.items()):
            if moves >= SUSPECT_MOVES and (current is None or space in about):
                text = GHOST if space in occupied else ABSENT
                return SensorHint((space,), text.with_(space=space, number=moves))
        return None


def _spaces_of(hint: Hint | None) -> frozenset[str]:
    match hint:
        case Correction():
            return frozenset({hint.to} if hint.start is None else {hint.start, hint.to})
        case Orders():
            return frozenset(space for order in hint.orders for space in (order.start, order.to) if space is not None)
        case Remove() | UnknownPiece() | WrongPlace():
            return frozenset(hint.spaces)
    return frozenset()
