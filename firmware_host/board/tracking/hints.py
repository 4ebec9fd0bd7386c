"""Input and output of piece tracking. A hint is one frozen value for each kind, as `board-hands/1` writes it.

The lamps show hints (`scene.py`), the screens say their `sentence`; `tracker.py` finds them. A hint contains only what
the public picture and the sensors say.
"""

from __future__ import annotations

from msgspec import Struct, field

from engine.game import Command, Placement
from engine.text import Text


class WrongPlace(Struct, frozen=True, tag_field="kind", tag="wrong-place"):
    """Pieces on `spaces` where they may not stand. `legal` are the spaces where they may."""

    spaces: tuple[str, ...]
    legal: tuple[str, ...]
    sentence: Text
    units: tuple[str, ...] = ()


class PossibleAnswer(Struct, frozen=True, omit_defaults=True):
    """One answer to a question: `unit` did `action`. A tap on the space `tap` chooses it.

    `caption` names the act if all answers are about one miniature on one space.
    """

    unit: str
    action: Command
    tap: str
    caption: Text | None = None


class Question(Struct, frozen=True, tag_field="kind", tag="question"):
    """More than one thing may have happened at `about`."""

    about: str
    between: tuple[PossibleAnswer, ...]
    sentence: Text


class Correction(Struct, frozen=True, tag_field="kind", tag="correction"):
    """One miniature to carry from a space (None: in the air or off the board) to where it belongs."""

    start: str | None = field(name="from")
    to: str
    unit: str
    sentence: Text


class Order(Struct, frozen=True):
    """One carry of a list. `start` is None for a miniature in the air or in the box.

    `waits`: another miniature has to leave its goal first. `squad` and `look` choose colour and rhythm of the lamps:
    `look` numbers the looks within a group in this list, from 0.
    """

    start: str | None = field(name="from")
    to: str
    unit: str
    sentence: Text
    waits: bool = False
    squad: str = ""
    look: int = 0


class Orders(Struct, frozen=True, tag_field="kind", tag="orders"):
    """Several miniatures to carry, in any order."""

    orders: tuple[Order, ...]
    sentence: Text


class Remove(Struct, frozen=True, tag_field="kind", tag="remove"):
    """A miniature to take off the board."""

    spaces: tuple[str, ...]
    sentence: Text
    unit: str | None = None


class UnknownPiece(Struct, frozen=True, tag_field="kind", tag="unknown-piece"):
    """Something unknown stands on `spaces`."""

    spaces: tuple[str, ...]
    sentence: Text


class SetUp(Struct, frozen=True, tag_field="kind", tag="setup"):
    """Miniatures of one group still to be set up: `spaces` and `units` in the same order."""

    squad: str
    spaces: tuple[str, ...]
    units: tuple[str, ...]
    sentence: Text


class SensorHint(Struct, frozen=True, tag_field="kind", tag="sensor"):
    """A sensor that cannot be trusted."""

    spaces: tuple[str, ...]
    sentence: Text


Hint = WrongPlace | Question | Correction | Orders | Remove | UnknownPiece | SetUp | SensorHint


class SettledEdge(Struct, frozen=True):
    """A settled edge: something came to `space` or left it.

    `began` is when its chatter began, if that was earlier; a miniature is gone from then on. An edge down on a space
    that is occupied already is the end of a dropout that began then.
    """

    space: str
    down: bool
    at: float
    began: float | None = None

    @property
    def since(self) -> float:
        """The time when it first left or was last touched."""
        return self.at if self.down or self.began is None else self.began


class Outcome(Struct, frozen=True):
    """The result of piece tracking.

    - `act`: a legal act to submit now, which is reported only once.
    - `held`: the possible sets of miniatures in the air, () if none: (("red-1",),) is certain, (("red-1",), ("red-2",))
      is one or the other.
    - `left`: the spaces that they left; `reach`: where they may be set down.
    - `agreed`: whether board and game agree.
    - `due`: when to call `feed` again at the latest (seconds), None for never.
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


def state_of(thinking: bool, outcome: Outcome) -> tuple[str, str]:
    """Return the state of piece tracking and a sentence about it."""
    if not thinking:
        return "ignored", Text("The board's sensors are not used now.")
    hint = outcome.hint
    if hint is not None:
        state = "setting-up" if isinstance(hint, SetUp) else "agreed" if outcome.agreed else "correcting"
        return state, hint.sentence
    if outcome.agreed:
        return "agreed", Text("Board and game agree.")
    return "held", Text("A miniature is in the air.")
