"""From sensors to acts: what the hands at the table have done. Pure; time is handed in.

Occupancy is the truth, the order of events only a hint. What a board's sensors say is *that* something stands on a
space; here it is worked out *who* stands there (`belief.py`), which legal acts explain it (`explain.py`), and what to
say where none does (`guide.py`). Nothing here submits, lights or waits: the shell does what an `Outcome` says.

The shell's duties: call `feel` with the edges that came out of `settle.py`, whenever the facts have changed, and at
`due`; submit `act` at once, and then call `feel` with the new facts (and no edges), for there may be another act.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from engine.game import Game, Placement
from firmware_host.hints import Hint


class Felt(Struct, frozen=True):
    """A settled edge: something came to `space`, or left it, at the time of its last contact (seconds)."""

    space: str
    down: bool
    at: float


class Facts(Struct, frozen=True):
    """What the public picture says, as far as hands go. `facts` makes it from a game.

    `standing` is miniature -> space, None off the board; `optional` are spaces where a thing may also stand;
    `placements` are the legal acts made by setting down; miniatures of one entry in `looks` look alike; alike ones
    of one entry in `rights` may do the same kinds of things, so that nobody need know which is which; `squads` is
    miniature -> squad in the order of setting up; `near` is space -> the spaces one step away; the sensors of `blind`
    spaces do not count (they are manual).
    """

    standing: Mapping[str, str | None]
    placements: tuple[Placement, ...] = ()
    optional: frozenset[str] = frozenset()
    looks: Mapping[str, str] = {}
    rights: Mapping[str, frozenset[str]] = {}
    squads: Mapping[str, str] = {}
    near: Mapping[str, tuple[str, ...]] = {}
    blind: frozenset[str] = frozenset()


class Patience(Struct, frozen=True):
    """How long hands are watched before something is made of it, in milliseconds.

    `rest_ms` after its last contact a piece has come to rest, `extendable_ms` where it could legally slide on;
    `overlap_ms`: so much earlier may a sliding piece be felt ahead than it leaves the sensor behind; `push_ms`: a
    piece that is over on the next space so fast, while another is in the air, was pushed; `ask_ms`: so long nothing
    is asked while a piece is in the air; `stranger_ms`: so long something unknown may stand about unmentioned.
    """

    rest_ms: int = 80
    extendable_ms: int = 250
    overlap_ms: int = 150
    push_ms: int = 150
    ask_ms: int = 2000
    stranger_ms: int = 600


class Outcome(Struct, frozen=True):
    """What the hands came to.

    `act`: a legal act that the miniatures hold at rest, to be submitted now; it is never said again. `held`: who is
    in the air, as the possible answers, () for nobody: (("red-1",),) is sure, (("red-1",), ("red-2",)) one or the
    other. `left`: the spaces that they have left; `reach`: where they may be set down, those spaces included.
    `agreed`: board and game agree.
    `due`: when to call `feel` again if nothing happens before (seconds), None if never. `touched`: spaces that
    something of no part in the game has touched and left again, for picking a space with a wand.
    """

    act: Placement | None = None
    held: tuple[tuple[str, ...], ...] = ()
    left: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    hint: Hint | None = None
    agreed: bool = False
    due: float | None = None
    touched: tuple[str, ...] = ()


class Hands(Struct, frozen=True):
    """What is known of the miniatures' whereabouts. A fresh one knows nothing: the first edges tell it."""

    patience: Patience = Patience()

    def feel(self, facts: Facts, felt: Sequence[Felt], now: float) -> tuple[Hands, Outcome]:
        """What follows from these edges, in the order of their coming, at `now` (monotonic seconds)."""
        return self, Outcome()

    def pick(self, facts: Facts, space: str, now: float) -> tuple[Hands, Outcome]:
        """The same after a tap on a screen; a tap that answers nothing changes nothing."""
        return self.feel(facts, (), now)


def facts(game: Game, view: Any, near: Mapping[str, tuple[str, ...]], blind: frozenset[str] = frozenset()) -> Facts:
    """The facts of a game from its public picture (the TABLE's)."""
    standing = game.standing(view)
    return Facts(standing, tuple(game.placements(view)), game.optional(view), near=near, blind=blind)
