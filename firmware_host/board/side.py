"""The board's side of the table: which map it is laid with, what of it counts, what its hands may know of the game, and
how it looks and sounds. Only the loop's thread comes here; the board itself is the `BoardIO`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.cues import NO_SHOW, Show, show_of
from engine.game import TABLE, BoardGame, Command, Cue, Placement
from engine.graph import Map
from engine.text import Text, row
from firmware_host.board.board_io import BoardIO
from firmware_host.board.buttons import SENTENCE, EndTurnQuestion, Intent
from firmware_host.board.cues.sounds import SoundState, tune
from firmware_host.board.picking import Offer, Picking
from firmware_host.board.snapshot import BoardSnapshot
from firmware_host.board.thresholds import OFFER_S
from firmware_host.board.tracking.facts import Facts, facts
from firmware_host.board.wiring import FILE, WiringError, of_board
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import BadResult
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.play.game import TAKE_BACK, TableGame
from firmware_host.records.journal import Journal
from hardware.ports import Edge, Note, Press

HEALTH_SECONDS = 60.0
"""How often at most the sensors' health is written down."""
MANUAL = "manual"
"""The name of the value in the journal that lists the manual spaces of a map."""
SENSORS_USED = "heeding"
"""The name of the value in the journal that says whether the sensors are to count."""
MOST_INPUTS = 16
"""Presses and taps that wait for the next turn of the loop; each turn takes them all."""
WITHOUT_BOARD = Text("This game is played on the screens, without the board.")
LAMPS_ALONE = Text("The board's lamps show how the game stands; it is played on the screens.")
STALE = Text("The game has moved on since your picture was drawn. Look again, then act.")


class ScreenTap(Struct, frozen=True):
    """A tap on a screen, on a space of the board's question."""

    space: str


class BoardAct(Struct, frozen=True):
    """What people have done on the board: `command` for `seat`. `TAKE_BACK` takes that seat's last act back."""

    seat: str
    command: Command


class TableState(Struct, frozen=True):
    """What the board has to know of the table to make acts of what people do there.

    `play` is the game, None in the lobby; `revision` is the number of the picture that the screens of the seat at the
    board show; `bots` are the seats that bots play; `resting` is whether nobody may act, because of a time-out or
    because nothing can be written.
    """

    play: TableGame | None
    revision: int
    bots: Collection[str]
    resting: bool

    @property
    def seat(self) -> str | None:
        """The seat for which hands, buttons and picking act."""
        return None if self.play is None else self.play.at_board

    @property
    def by_people(self) -> bool:
        """Whether the hands act for people, not for a bot."""
        return self.seat not in self.bots

    @property
    def moved_last(self) -> str | None:
        """The seat whose act on the board was the last, if people may take that back now."""
        last = None if self.play is None or self.play.on_board is None else self.play.retractable()
        if self.play is None or last is None or self.resting or last[0] in self.bots:
            return None
        return next((seat.name for seat in self.play.seats if seat.on_board and seat.name == last[0]), None)


class BoardSide:
    """`top` is the board that lies on the table, `manual` are the spaces whose sensors do not count, `picking` is what
    screens let people choose on it.
    """

    def __init__(
        self,
        board: Map,
        make_io: Callable[[Map], BoardIO],
        look: Settings,
        journal: Journal,
        clock: Callable[[], float],
        make_bench: Callable[[Map], BoardIO] | None = None,
    ) -> None:
        """`look` are the settings that the board looks and sounds by. `make_bench` makes the same board as `make_io`,
        which reports inputs that lie under no space as well.
        """
        self._make_io, self._look = make_io, look
        self._make_bench = make_bench or make_io
        self._journal, self._clock = journal, clock
        self._miniatures: tuple[str, ...] = ()
        self.io = self._made(board)
        self.manual = self._kept_manual()
        self.sensors_used = journal.kept(SENSORS_USED) is not False
        self._known: tuple[Any, Facts] | None = None
        self._cued: tuple[Any, Sequence[Cue]] | None = None
        self._carried: Mapping[str, str | None] | None = None
        self._inputs: deque[Press | ScreenTap] = deque(maxlen=MOST_INPUTS)
        self._question = EndTurnQuestion()
        self._sound_state = SoundState()
        self.picking = Picking()
        self._write_health_at = clock() + HEALTH_SECONDS

    def _made(self, board: Map, *, bench: bool = False) -> BoardIO:
        top = (self._make_bench if bench else self._make_io)(board)
        top.adjust(self._look)
        top.hold(self._miniatures)
        return top

    def hold(self, miniatures: tuple[str, ...]) -> None:
        """These are the miniatures of the game that is played or offered."""
        self._miniatures = miniatures
        self.io.hold(miniatures)

    @property
    def map(self) -> Map:
        """What the board is laid with."""
        return self.io.map

    def lay(self, board: Map) -> None:
        """Another map means another board. Raises `UserError` where its wiring is wrong; then the old one stays."""
        before = self.map
        if board.slug == before.slug:
            return
        self.io.close()
        try:
            self.io = self._made(board)
        except BaseException as error:
            self.io = self._made(before)
            if isinstance(error, (WiringError, ConfigError)):
                raise UserError("not-now", maps.unusable(error)) from error
            raise
        finally:
            self.manual = self._kept_manual()
            self.io.open()

    def renew(self, felt: Callable[[Edge], None] | None = None) -> None:
        """Open the same board anew, with the wiring that is kept for it now. For somebody who wants every edge `felt`,
        its spare inputs are reported, too. Raises `UserError` for a wiring that cannot be used; then the board stays
        as it was.
        """
        try:
            of_board(self.map, self.io.folder / FILE, maps.FOLDER / self.map.slug / FILE)
        except WiringError as error:
            raise UserError("not-now", maps.unusable(error)) from error
        self.io.close()
        self.io = self._made(self.map, bench=felt is not None)
        self.io.felt = felt or self.io.felt
        self.manual, self._known = self._kept_manual(), None
        self.io.open()

    def lamp_board(self, name: str | None) -> Map | None:
        """The board of lamps of that name, where the house has such boards."""
        return maps.load(name) if name is not None and has_lamp_boards(self._look) else None

    def shows(self, play: TableGame) -> bool:
        """Whether the lamps of the map that is laid can show a game."""
        return play.shown_on == self.map.slug

    def adjust(self, look: Settings) -> None:
        """Look and sound like this from now on."""
        self._look, self._known = look, None
        self.io.adjust(look)

    # --- what counts --------------------------------------------------------------------------------------------

    @property
    def counts(self) -> bool:
        """Whether the sensors count: people say so, and the hardware is well."""
        return self.sensors_used and not self.io.away

    def use_sensors(self, use: bool) -> None:
        """Whether the sensors are to count. Raises `CannotWrite`, and then nothing has changed."""
        self._journal.keep(SENSORS_USED, use)
        self.sensors_used = use

    def _kept_manual(self) -> frozenset[str]:
        """The spaces whose sensors do not count; what happens there is done on the screens."""
        return self.io.wiring.manual | frozenset(self._journal.kept(f"{MANUAL} {self.map.slug}") or ())

    def set_manual(self, space: str, manual: bool) -> None:
        """Let a space's sensor count no more, or again. Raises `UserError`."""
        if space not in self.map.enterable:
            raise UserError(
                "not-understood",
                Text("{name} has no space {space} that can be entered.", name=Text(self.map.name), space=repr(space)),
            )
        if not manual and space in self.io.wiring.manual:
            raise UserError(
                "not-now",
                Text("{space} has no sensor: the wiring says so. Calibrate the board to change that.", space=space),
            )
        chosen = self.manual - self.io.wiring.manual - {space} | ({space} if manual else set())
        self._journal.keep(f"{MANUAL} {self.map.slug}", sorted(chosen))
        self.manual = self._kept_manual()
        self._known = None

    # --- acts ---------------------------------------------------------------------------------------------------

    def feel(self, note: Note) -> None:
        """A driver said something."""
        if isinstance(note, Press):
            self._inputs.append(note)
        else:
            self.io.feel(note)

    def answer(self, space: str) -> None:
        """Somebody answered the board's question on a screen, by a tap on one of its spaces."""
        self._inputs.append(ScreenTap(space))

    def next_act(self, table: TableState, now: float) -> BoardAct | None:
        """The next act that people have made with buttons, taps and hands; None while there is none.

        To be asked again after each act, with the table as it is then.
        """
        self._carry(table)
        while self._inputs:
            act = self._meant(self._inputs.popleft(), table, now)
            if act is not None:
                return act
        if table.seat is not None:
            self.picking = self.picking.current(table.seat, table.revision, now)
        command = self.io.think(self._facts(table), now)
        self.picking = self.picking.after(self.io.outcome)
        return _made(command, table)

    def _carry(self, table: TableState) -> None:
        """A board that moves its miniatures by itself carries them for a bot; for people their hands do.

        A bot's last act before people's turn, or before the end of the game, is carried as well.
        """
        play = table.play
        if play is None or play.on_board is None or not self.io.moves_miniatures:
            self._carried = None
            return
        if table.by_people and self._carried is None:
            return
        if play.standing != self._carried:
            with suppress(UserError):  # it says so itself; and it is tried again
                self.io.tidy(play.standing)
                self._carried = play.standing
        if table.by_people:
            self._carried = None

    def _facts(self, table: TableState) -> Facts | None:
        """What the hands may know: the public picture, and the way back where they may take the last act back.

        None while what they do does not count. For a bot they only carry: nothing that they do is an act.
        """
        play = table.play
        if play is None or play.on_board is None or table.resting or not self.counts:
            return None
        known = self._facts_of(play.on_board, play.public)
        if not table.by_people:
            return replace(known, placements=(), rights={})
        back, choosable = None if table.moved_last is None else play.way_back(), self.picking.choosable
        if back is None and not choosable:
            return known
        ways = [] if back is None else [Placement(*back, TAKE_BACK)]
        return replace(known, placements=(*known.placements, *ways), choosable=choosable)

    def prepare(self, play: TableGame) -> None:
        """Ask a game for all that the board needs to know of it as it is now. Raises anything where the game fails."""
        spaces: set[str | None] = {space for cue in self._cues(play) for space in cue.spaces}
        if play.on_board is not None:
            known = self._facts_of(play.on_board, play.public)
            spaces |= {*known.standing.values(), *known.optional, *(it.to for it in known.placements)} - {None}
        if not spaces <= self.map.spaces.keys():
            raise BadResult

    def _facts_of(self, game: BoardGame, view: Any) -> Facts:
        """What the hands may know from the public picture, made once for each."""
        if self._known is None or self._known[0] is not view:
            found, settings = facts(game, view, self.map, self.manual), self._look
            self._known = view, found if settings.carries_together else replace(found, before=None)
        return self._known[1]

    def _meant(self, note: Press | ScreenTap, table: TableState, now: float) -> BoardAct | None:
        """What a tap on a screen or the press of a button does."""
        if isinstance(note, ScreenTap):
            return _made(self.io.pick(self._facts(table), note.space, now), table)
        taps, end = self.io.taps, self._end_of_turn(table)
        retractable = table.moved_last is not None
        self._question, intent = self._question.press(note.button, now, taps, retractable, end is not None)
        if intent in (Intent.ASK, Intent.NOTHING):
            self.io.sound(tune("asked" if intent is Intent.ASK else "refused"))
        if intent in (Intent.FIRST, Intent.SECOND):
            return self._meant(ScreenTap(taps[0 if intent is Intent.FIRST else 1]), table, now)
        if intent is Intent.TAKE_BACK:
            return _made(TAKE_BACK, table)
        return _made(end, table) if intent is Intent.END_TURN else None

    def _end_of_turn(self, table: TableState) -> Command | None:
        """The command that ends the turn on the board, if people may give it now."""
        play, seat = table.play, table.seat
        if play is None or seat is None or not table.by_people or table.resting or not self.settled(play):
            return None
        return play.end_of_turn(seat)

    def settled(self, play: TableGame) -> bool:
        """Whether the miniatures have been carried to where the game has them, or need not be."""
        return play.on_board is None or self.io.agreed or not self.counts

    def check_set_up(self, play: TableGame, command: Command) -> None:
        """The first move waits for the miniatures, unless the sensors do not count. Raises `UserError`."""
        if play.on_board is None or self.settled(play) or not play.setting_up:
            return
        if play.on_board.begins(command):
            raise UserError("not-now", Text("The board is not set up yet. {what}", what=self.io.status()["sentence"]))

    def stop_asking(self) -> None:
        """What a button has asked is no question any more."""
        self._question = EndTurnQuestion()

    # --- choosing -----------------------------------------------------------------------------------------------

    def offer(self, offer: Offer, table: TableState) -> None:
        """Let people pick what a screen offers, for a while. Raises `UserError` for a screen of a seat that does not
        act on the board now, for a picture that is outdated, and for spaces that nobody can choose.
        """
        play = table.play
        if play is None:
            raise UserError("not-now", Text("No game is running."))
        if play.on_board is None:
            raise UserError("not-now", WITHOUT_BOARD)
        if not any(seat.on_board for seat in play.seats if seat.name == offer.seat):
            raise UserError("no-seat", Text("Only choices that all may see are shown on the board."))
        if offer.seat != table.seat:
            raise UserError("not-now", Text("It is not your turn."))
        if offer.revision != table.revision:
            raise UserError("stale", STALE)
        if not offer.name.isascii() or not offer.name.isprintable():
            raise UserError("not-understood", Text("A screen's id is made of plain characters."))
        if unknown := offer.spaces - set(self.map.enterable):
            raise UserError(
                "not-understood", Text("Nobody can choose these spaces: {spaces}.", spaces=row(sorted(unknown)))
            )
        self.picking = self.picking.offered(replace(offer, until=self._clock() + OFFER_S))

    # --- as time passes -----------------------------------------------------------------------------------------

    def due(self, now: float) -> float:
        """When to think or light again at the latest."""
        waits = (self.io.due(now), self._question.until, self.picking.due)
        return min(wait for wait in waits if wait is not None)

    def light(self, play: TableGame, hinted: Sequence[Cue], now: float, *, dimmed: bool) -> None:
        """Show what everybody knows of a game, over what is `hinted`, and let the news of it be heard."""
        cues, show = self._cues(play), show_of(play.game)
        self.io.light([*hinted, *cues, *self.picking.cues()], play.standing, now, dimmed=dimmed, show=show)
        self._sound_state, heard = self._sound_state.listen(play.referee.told[TABLE], cues, self.io.hint, show.sounds)
        if heard is not None:
            self.io.sound(heard)

    def _cues(self, play: TableGame) -> Sequence[Cue]:
        """What the lamps show of a game, made once for each public picture."""
        if play.cues is None or not self.shows(play):
            return ()
        if self._cued is None or self._cued[0] is not play.public:
            self._cued = play.public, play.cues.cues(play.public)
        return self._cued[1]

    def show(self, cues: Sequence[Cue], now: float, show: Show = NO_SHOW) -> None:
        """Show these cues alone, which look like `show`: a step of a past game, or nothing."""
        self.io.light(cues, {}, now, show=show)

    def tick(self, now: float) -> None:
        """Ask no longer than people have patience."""
        if not self._question.asks(now):
            self.stop_asking()

    def keep_health(self, now: float) -> None:
        """Write down from time to time how the sensors are."""
        if now >= self._write_health_at:
            self._write_health_at = now + HEALTH_SECONDS
            self.io.keep_health()

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self, play: TableGame | None) -> dict[str, Any]:
        """The board's state in words, or what a button has asked; public."""
        rests = play is not None and play.on_board is None
        said = LAMPS_ALONE if play is not None and self.shows(play) else WITHOUT_BOARD
        resting = {"state": "resting", "sentence": said} if rests else {}
        asking = {} if self._question.until is None else {"state": "asking", "sentence": SENTENCE}
        return {**self.io.status(), **resting, **asking, **self._counting()}

    def _counting(self) -> dict[str, Any]:
        return {"heeded": self.sensors_used, "manual": sorted(self.manual)}

    def picked(self, seat: str, play: TableGame | None) -> list[dict[str, Any]]:
        """What was picked for the screens of a seat; nothing while another one acts on the board."""
        return self.picking.shown() if play is not None and seat == play.at_board else []

    def picture(self) -> dict[str, Any]:
        """What the lamps show, and where miniatures stand that the board moves by itself, on the map that is laid."""
        return {"map": self.map.slug, "has_sensors": self.map.has_sensors, **self.io.picture()}

    def snapshot(self) -> BoardSnapshot:
        """What anybody may read of it without asking the loop."""
        return self.io.snapshot(self.manual, self.sensors_used)


def has_lamp_boards(settings: Settings) -> bool:
    """Whether the board of lamps of a game without a map may be laid; the simulated board is laid with anything."""
    return settings.lamp_boards or settings.board == "simulated"


def _made(command: Command | None, table: TableState) -> BoardAct | None:
    """A command that was made on the board, with the seat that gives it."""
    if command is None or table.play is None:
        return None
    seat = table.moved_last if command is TAKE_BACK else table.play.mover(command)
    return None if seat is None else BoardAct(seat, command)
