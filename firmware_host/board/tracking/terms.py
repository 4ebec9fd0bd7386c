"""What goes into the hands and what comes out. Pure."""

from __future__ import annotations

from msgspec import Struct

from engine.game import Placement
from firmware_host.board.tracking.hints import Hint


class SettledEdge(Struct, frozen=True):
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
