"""The board's side of the table: which map it is laid with, what of it counts, what its hands may know of the game, and
how it looks and sounds. Only the loop's thread comes here; the board itself is the `Tabletop`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec.structs import replace

from engine.cues import show_of
from engine.game import TABLE, Cue, Placement
from engine.graph import Map
from engine.text import Text, row
from firmware_host.app.settings import ConfigError, Settings
from firmware_host.board.cues.sounds import Ear, tune
from firmware_host.board.glance import Glance
from firmware_host.board.hands.facts import Facts, facts
from firmware_host.board.picking import LEASE, Offer, Picking
from firmware_host.board.presses import SENTENCE, Keys, Wish
from firmware_host.board.tabletop import Tabletop
from firmware_host.board.wiring import WiringError
from firmware_host.records.journal import Journal
from firmware_host.table import maps
from firmware_host.table.errors import UserError
from firmware_host.table.play import TAKE_BACK, Play

HEALTH_SECONDS = 60.0
"""How often at most the sensors' health is written down."""
MANUAL = "manual"
"""What the journal keeps the manual spaces of a map under."""
HEEDING = "heeding"
"""What the journal keeps it under whether the sensors are to count."""


class BoardSide:
    """`top` is the board that lies on the table, `manual` are the spaces whose sensors do not count, `picking` is what
    screens let people choose on it.
    """

    def __init__(
        self,
        board: Map,
        make_top: Callable[[Map], Tabletop],
        look: Settings,
        journal: Journal,
        clock: Callable[[], float],
    ) -> None:
        """`look` are the settings that the board looks and sounds by."""
        self._make_top, self._look = make_top, look
        self._journal, self._clock = journal, clock
        self.top = self._made(board)
        self.manual = self._kept_manual()
        self.heeding = journal.kept(HEEDING) is not False
        self._known: tuple[Any, Facts] | None = None
        self._carried: Mapping[str, str | None] | None = None
        self._keys = Keys()
        self._ear = Ear()
        self.picking = Picking()
        self._write_health_at = clock() + HEALTH_SECONDS

    def _made(self, board: Map) -> Tabletop:
        top = self._make_top(board)
        top.adjust(self._look)
        return top

    @property
    def map(self) -> Map:
        """What the board is laid with."""
        return self.top.map

    def lay(self, board: Map) -> None:
        """Another map means another board. Raises `UserError` where its wiring is wrong; then the old one stays."""
        before = self.map
        if board.slug == before.slug:
            return
        self.top.close()
        try:
            self.top = self._made(board)
        except BaseException as error:
            self.top = self._made(before)
            if isinstance(error, (WiringError, ConfigError)):
                raise UserError("not-now", maps.unusable(error)) from error
            raise
        finally:
            self.manual = self._kept_manual()
            self.top.open()

    def adjust(self, look: Settings) -> None:
        """Look and sound like this from now on."""
        self._look = look
        self.top.adjust(look)

    # --- what counts --------------------------------------------------------------------------------------------

    @property
    def counts(self) -> bool:
        """Whether the sensors count: people say so, and the hardware is well."""
        return self.heeding and not self.top.away

    def heed(self, heeding: bool) -> None:
        """Whether the sensors are to count. Raises `CannotWrite`, and then nothing has changed."""
        self._journal.keep(HEEDING, heeding)
        self.heeding = heeding

    def _kept_manual(self) -> frozenset[str]:
        """The spaces whose sensors do not count; what happens there is done on the screens."""
        return self.top.wiring.manual | frozenset(self._journal.kept(f"{MANUAL} {self.map.slug}") or ())

    def set_manual(self, space: str, manual: bool) -> None:
        """Let a space's sensor count no more, or again. Raises `UserError`."""
        if space not in self.map.enterable:
            raise UserError(
                "not-understood",
                Text("{name} has no space {space} that can be entered.", name=Text(self.map.name), space=repr(space)),
            )
        if not manual and space in self.top.wiring.manual:
            raise UserError(
                "not-now",
                Text("{space} has no sensor: the wiring says so. Calibrate the board to change that.", space=space),
            )
        chosen = self.manual - self.top.wiring.manual - {space} | ({space} if manual else set())
        self._journal.keep(f"{MANUAL} {self.map.slug}", sorted(chosen))
        self.manual = self._kept_manual()
        self._known = None

    # --- hands --------------------------------------------------------------------------------------------------

    def facts(self, play: Play, *, by_people: bool, retracts: bool) -> Facts:
        """What the hands may know: the public picture, and the way back where they may take the last act back
        (`retracts`).

        For a bot they only carry: nothing that they do is an act.
        """
        view = play.public
        if self._known is None or self._known[0] is not view:
            self._known = view, facts(play.game, view, self.map, self.manual)
        known = self._known[1]
        if not by_people:
            return replace(known, placements=(), rights={})
        back, choosable = play.way_back() if retracts else None, self.picking.choosable
        if back is None and not choosable:
            return known
        ways = [] if back is None else [Placement(*back, TAKE_BACK)]
        return replace(known, placements=(*known.placements, *ways), choosable=choosable)

    def carry(self, standing: Mapping[str, str | None] | None) -> None:
        """Simulated board: the miniatures go where the game has them by themselves. None: people's hands carry them."""
        if standing is None:
            self._carried = None
        elif standing != self._carried:
            with suppress(UserError):  # it says so itself; and it is tried again
                self.top.tidy(standing)
                self._carried = standing

    # --- buttons ------------------------------------------------------------------------------------------------

    def press(self, button: str, retractable: bool, may_end: bool) -> Wish:
        """What somebody wants who pressed a button; what they cannot have is said by a sound."""
        self._keys, wish = self._keys.press(button, self._clock(), self.top.taps, retractable, may_end)
        if wish in (Wish.ASK, Wish.NOTHING):
            self.top.sound(tune("asked" if wish is Wish.ASK else "refused"))
        return wish

    def stop_asking(self) -> None:
        """What a button has asked is no question any more."""
        self._keys = Keys()

    # --- choosing -----------------------------------------------------------------------------------------------

    def offer(self, offer: Offer) -> None:
        """Let people pick what a screen offers, for a while. Raises `UserError` for spaces that nobody can choose."""
        if not offer.name.isascii() or not offer.name.isprintable():
            raise UserError("not-understood", Text("A screen's id is made of plain characters."))
        if unknown := offer.spaces - set(self.map.enterable):
            raise UserError(
                "not-understood", Text("Nobody can choose these spaces: {spaces}.", spaces=row(sorted(unknown)))
            )
        self.picking = self.picking.offered(replace(offer, until=self._clock() + LEASE))

    # --- as time passes -----------------------------------------------------------------------------------------

    def due(self, now: float) -> float:
        """When to think or light again at the latest."""
        waits = (self.top.due(now), self._keys.until, self.picking.due)
        return min(wait for wait in waits if wait is not None)

    def light(self, play: Play, hinted: Sequence[Cue], now: float, *, dimmed: bool) -> None:
        """Show what everybody knows of a game, over what is `hinted`, and let the news of it be heard."""
        cues, show = play.game.cues(play.public), show_of(play.game)
        self.top.light([*hinted, *cues, *self.picking.cues()], play.standing, now, dimmed=dimmed, show=show)
        self._ear, heard = self._ear.listen(play.referee.told[TABLE], cues, self.top.hint, show.sounds)
        if heard is not None:
            self.top.sound(heard)

    def tick(self, now: float) -> None:
        """Ask no longer than people have patience."""
        if not self._keys.asks(now):
            self.stop_asking()

    def keep_health(self, now: float) -> None:
        """Write down from time to time how the sensors are."""
        if now >= self._write_health_at:
            self._write_health_at = now + HEALTH_SECONDS
            self.top.keep_health()

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self) -> dict[str, Any]:
        """The board's state in words, or what a button has asked; public."""
        asking = {} if self._keys.until is None else {"state": "asking", "sentence": SENTENCE}
        return {**self.top.status(), **asking, **self._counting()}

    def _counting(self) -> dict[str, Any]:
        return {"heeded": self.heeding, "manual": sorted(self.manual)}

    def glance(self) -> Glance:
        """What anybody may read of it without asking the loop."""
        return self.top.glance(self.manual, self.heeding)
