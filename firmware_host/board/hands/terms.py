"""What goes into the hands, how patient they are, and what comes out. Pure."""

from __future__ import annotations

from msgspec import Struct

from engine.game import Placement
from firmware_host.board.hands.hints import Hint
from firmware_host.board.hands.touches import Limits


class Felt(Struct, frozen=True):
    """A settled edge: something came to `space`, or left it, at the time of its last contact (seconds).

    `began` is when its chatter began, if that was earlier: a miniature is gone from then on. Something that comes to
    a space where something stands already has only dropped out since then.
    """

    space: str
    down: bool
    at: float
    began: float | None = None

    @property
    def since(self) -> float:
        """When it first left, or was last touched."""
        return self.at if self.down or self.began is None else self.began


class Patience(Struct, frozen=True):
    """How long hands are watched before something is made of it, in milliseconds; and how many are too many.

    `rest_ms` after its last contact a piece has come to rest, `extendable_ms` where it could legally slide on;
    `overlap_ms`: so much earlier may a sliding piece be felt ahead than it leaves the sensor behind; `push_ms`: a
    piece that is over on the next space so fast, while another is in the air or within `sweep_ms` of another that did
    the same, was pushed; `ask_ms`: so long nothing
    is asked while a piece is in the air; `stranger_ms`: so long something unknown may stand about unmentioned. As
    many as `crowd` pieces off their places at once are an accident.
    """

    rest_ms: int = 80
    extendable_ms: int = 250
    overlap_ms: int = 100
    push_ms: int = 100
    sweep_ms: int = 500
    ask_ms: int = 2000
    stranger_ms: int = 600
    crowd: int = 4

    @property
    def rest(self) -> float:
        """`rest_ms` in seconds."""
        return self.rest_ms / 1000

    @property
    def slide(self) -> float:
        """`extendable_ms` in seconds; never shorter than rest."""
        return max(self.rest_ms, self.extendable_ms) / 1000

    @property
    def limits(self) -> Limits:
        """What the belief needs of it, in seconds."""
        return Limits(self.overlap_ms / 1000, self.push_ms / 1000, self.sweep_ms / 1000)


class Outcome(Struct, frozen=True):
    """What the hands came to.

    `act`: a legal act that the miniatures hold at rest, to be submitted now; it is never said again. `held`: who is
    in the air, as the possible answers, () for nobody: (("red-1",),) is sure, (("red-1",), ("red-2",)) one or the
    other. `left`: the spaces that they have left; `reach`: where they may be set down, those spaces included.
    `agreed`: board and game agree. `due`: when to call `feel` again if nothing happens before (seconds), None if
    never. `touched`: spaces that something of no part in the game has touched and left again, for picking a space
    with a wand.
    """

    act: Placement | None = None
    held: tuple[tuple[str, ...], ...] = ()
    left: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    hint: Hint | None = None
    agreed: bool = False
    due: float | None = None
    touched: tuple[str, ...] = ()
