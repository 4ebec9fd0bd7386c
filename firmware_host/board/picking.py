"""Pick on the board what a screen offers. Pure; the time is a parameter.

A screen on which a player chooses a space or a unit sends the possible ones, and the lamps show them. Touching one with
a wand (a spare magnet, or a miniature from the box) picks it, and so does lifting a miniature there and setting it
back. The screen receives the pick. It is not an act: the player confirms it on the screen.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from engine.game import Cue
from firmware_host.board.thresholds import MAX_OFFERS, MAX_PICKS
from firmware_host.board.tracking.hints import Outcome, Question, UnknownPiece


class Offer(Struct, frozen=True):
    """What one screen lets people pick: the spaces of `units`, or `choices`; `chosen` are those already picked.

    `name` identifies the screen, `seat` is the seat of the screen, and `revision` the number of its picture. The offer
    ends at `until` (seconds).
    """

    name: str
    revision: int
    seat: str = ""
    until: float = 0.0
    units: tuple[str, ...] = ()
    choices: tuple[str, ...] = ()
    chosen: tuple[str, ...] = ()

    @property
    def spaces(self) -> frozenset[str]:
        """All spaces that can be picked."""
        return frozenset((*self.units, *self.choices, *self.chosen))

    def once(self) -> Offer:
        """Return the offer with each space once in each list, because each frame of the lamps uses the lists."""
        units, choices, chosen = (tuple(dict.fromkeys(them)) for them in (self.units, self.choices, self.chosen))
        return replace(self, units=units, choices=choices, chosen=chosen)


class Picked(Struct, frozen=True):
    """`space` was picked for the screen `offer`; `number` counts the picks, because a space can be picked twice."""

    offer: str
    space: str
    number: int


class Picking(Struct, frozen=True):
    """`offers`, the newest last, and what was `picked` of them, the newest last, `number` times in all.

    `lifted` are the spaces that miniatures have left since board and game last agreed, and `asked` is whether the board
    has asked a question about them. `strange` are spaces on which a wand was left.
    """

    offers: tuple[Offer, ...] = ()
    picked: tuple[Picked, ...] = ()
    number: int = 0
    lifted: frozenset[str] = frozenset()
    asked: bool = False
    strange: frozenset[str] = frozenset()

    def offered(self, offer: Offer) -> Picking:
        """Add or replace the offer of a screen; without spaces it is removed. A changed offer becomes the newest."""
        old = next((it for it in self.offers if it.name == offer.name), None)
        # A screen repeats its offer to keep it alive. If only the time has changed, the offer keeps its place in the
        # order.
        if old is not None and offer.spaces and replace(old, until=offer.until) == offer:
            return replace(self, offers=tuple(offer if it is old else it for it in self.offers))
        # A screen that asks for something new is the one that people look at.
        others = [it for it in self.offers if it is not old]
        return replace(self, offers=tuple([*others, *([offer] if offer.spaces else [])][-MAX_OFFERS:]))

    def current(self, seat: str | None, revision: int, now: float) -> Picking:
        """Return these offers without those for another picture or another seat (None: no seat acts on the board)."""
        current = tuple(it for it in self.offers if (it.seat, it.revision) == (seat, revision) and now < it.until)
        if len(current) == len(self.offers):
            return self
        names = [it.name for it in current]
        return replace(self, offers=current, picked=tuple(it for it in self.picked if it.offer in names))

    @property
    def due(self) -> float | None:
        """When the next offer times out (seconds)."""
        return min((offer.until for offer in self.offers), default=None)

    @property
    def choosable(self) -> frozenset[str]:
        """All spaces that may be picked now."""
        return frozenset(space for offer in self.offers for space in offer.spaces)

    def cues(self) -> list[Cue]:
        """Return the lamps' cues: the units of all screens, and the spaces of the newest."""
        asking = [offer for offer in self.offers if offer.choices or offer.chosen][-1:]
        lights = [
            Cue("unit", tuple(dict.fromkeys(space for offer in self.offers for space in offer.units))),
            *(Cue("choice", offer.choices) for offer in asking),
            *(Cue("chosen", offer.chosen) for offer in asking),
        ]
        return [cue for cue in lights if cue.spaces]

    def after(self, outcome: Outcome) -> Picking:
        """Return the offers and picks after an outcome of piece tracking, which may pick a space.

        Call this once per outcome.
        """
        picking, hint = self, outcome.hint
        # A wand that is left on a space picks it only once.
        if isinstance(hint, UnknownPiece):
            picking = picking._all_picked(space for space in hint.spaces if space not in self.strange)
            picking = replace(picking, strange=picking.strange | frozenset(hint.spaces))
        picking = picking._all_picked(space for space in outcome.touched if space not in self.strange)
        if outcome.agreed:
            # One miniature was lifted and set back, and nothing was asked: that picks its space.
            back = picking.lifted if len(picking.lifted) == 1 and not picking.asked else ()
            return replace(picking._all_picked(back), lifted=frozenset(), asked=False, strange=frozenset())
        asks = picking.asked or isinstance(hint, Question)
        return replace(picking, lifted=picking.lifted | frozenset(outcome.left), asked=asks)

    def _all_picked(self, spaces: Iterable[str]) -> Picking:
        """Add picks: of a space for the newest screen that offers it, of a unit for all screens that offer the unit."""
        picked = [*self.picked]
        for space in spaces:
            # A choice belongs to one screen; a unit may be picked for all screens that offer it.
            asking = [it for it in self.offers if space in (*it.choices, *it.chosen)][-1:]
            for offer in asking or [it for it in self.offers if space in it.units]:
                picked.append(Picked(offer.name, space, self.number + len(picked) - len(self.picked) + 1))
        return replace(self, picked=tuple(picked[-MAX_PICKS:]), number=self.number + len(picked) - len(self.picked))
