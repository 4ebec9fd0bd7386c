"""Input and output of piece tracking. Pure."""

from __future__ import annotations

from msgspec import Struct

from engine.game import Placement
from firmware_host.board.tracking.hints import Hint


class SettledEdge(Struct, frozen=True):
    """A settled edge: something came to `space` or left it. `at` is the time of its last contact (seconds).

    `began` is when its chatter began, if that was earlier; a miniature is gone from then on. An edge down on a space
    that is occupied already is the end of a dropout that began then.
    """

    space: str
    down: bool
    at: float
    began: float | None = None

    @property
    def since(self) -> float:
        """When it first left or was last touched."""
        return self.at if self.down or self.began is None else self.began


class Outcome(Struct, frozen=True):
    """The result of piece tracking.

    - `act`: a legal act to submit now. It is reported once.
    - `held`: the possible sets of miniatures in the air, () if none: (("red-1",),) is certain, (("red-1",), ("red-2",))
      is one or the other.
    - `left`: the spaces that they left; `reach`: where they may be set down.
    - `agreed`: whether board and game agree.
    - `due`: when to call `feel` again at the latest (seconds), None for never.
    - `touched`: spaces that a wand touched and left again.
    """

    act: Placement | None = None
    held: tuple[tuple[str, ...], ...] = ()
    left: tuple[str, ...] = ()
    reach: tuple[str, ...] = ()
    hint: Hint | None = None
    agreed: bool = False
    due: float | None = None
    touched: tuple[str, ...] = ()
