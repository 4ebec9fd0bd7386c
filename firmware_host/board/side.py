"""The board's side of the table: its map, which sensors are used, acts made on it, and what its lamps show.

Only the loop's thread calls this. The hardware itself is in `BoardIO`.
"""

from __future__ import annotations

import logging
import math
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.cues import NO_SHOW, Show, show_of
from engine.game import TABLE, BadResult, BoardGame, Command, Cue, Placement
from engine.graph import Map
from engine.graph.fault import MapError
from engine.seats import seats_with_wand
from engine.text import Text, comma_list
from firmware_host.board.board_io import BoardIO
from firmware_host.board.cues.sounds import SoundState, tune
from firmware_host.board.picking import Offer, Picked, Picking
from firmware_host.board.sensor_health import BoardSnapshot
from firmware_host.board.thresholds import END_TURN_QUESTION_S, OFFER_S
from firmware_host.board.tracking.facts import Facts, public_facts
from firmware_host.board.tracking.hints import Question
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from firmware_host.core.settings import ConfigError, Settings
from firmware_host.play.game import TAKE_BACK, Retraction, TableGame
from firmware_host.records.journal import Journal
from hardware.ports import Edge, Note, Press

HEALTH_SECONDS = 60.0
"""Shortest time between two writes of the sensors' health."""
MANUAL_KEY = "manual"
"""The journal's key for the manual spaces of a map; the name of the map follows."""
SENSORS_USED_KEY = "heeding"
"""The journal's key for whether the sensors are used."""
ATTENDED_S = 90.0
"""Seconds for which the simulated board counts as used after a message from its page, or a touch.

Browsers let a page in the background speak only once a minute.
"""
MOST_UNKNOWN, LONGEST_UNKNOWN = 5, 40
"""How many unknown spaces of an offer an error names, and the maximum characters of each."""
MOST_INPUTS = 16
"""Presses and taps that may wait for the next turn of the loop."""
CONFIRM_QUESTION = Text("Is the turn over? Confirm ends it; any other button leaves it.")
WITHOUT_BOARD = Text("This game is played on the screens, without the board.")
LAMPS_ALONE = Text("The board's lamps show the game. It is played on the screens.")
STALE = Text("The game has moved on since your picture was drawn. Look again, then act.")

log = logging.getLogger("firmware_host")


class BoardSide:
    """`io` is the hardware, `manual` are the spaces whose sensors are not used, `picking` what may be picked now."""

    def __init__(
        self,
        board: Map,
        make_io: Callable[[Map], BoardIO],
        look: Settings,
        journal: Journal,
        clock: Callable[[], float],
        make_workshop_io: Callable[[Map], BoardIO] | None = None,
    ) -> None:
        """`look` has the settings for lamps and sounds. `make_workshop_io` also reports inputs under no space."""
        self._make_io, self.look = make_io, look
        self._make_workshop_io = make_workshop_io or make_io
        self._journal, self._clock = journal, clock
        self._miniatures: tuple[str, ...] = ()
        self.io = self._make_board_io(board)
        self.manual = self._kept_manual()
        # The sensors are used unless people turned them off: no stored value means yes.
        self.sensors_used = journal.stored_value(SENSORS_USED_KEY) is not False
        self._simulated = look.board == "simulated"
        self._attended_until = 0.0 if self._simulated else math.inf
        self._known: tuple[Any, Facts] | None = None
        self._cued: tuple[Any, Sequence[Cue]] | None = None
        self._carried: Mapping[str, str | None] | None = None
        self._refused: tuple[Any, list[Command]] = None, []
        # A full queue drops its oldest input, so that a stuck button can't fill the memory.
        self._inputs: deque[Press | str] = deque(maxlen=MOST_INPUTS)
        self._asks_until: float | None = None
        """The time at which the board stops asking whether the turn is over, in seconds; None if it doesn't ask."""
        self._sound_state = SoundState()
        self.picking = Picking()
        self._write_health_at = clock() + HEALTH_SECONDS

    def _make_board_io(self, board: Map, *, workshop: bool = False) -> BoardIO:
        top = (self._make_workshop_io if workshop else self._make_io)(board)
        top.adjust(self.look)
        top.set_miniatures(self._miniatures)
        return top

    def set_miniatures(self, miniatures: tuple[str, ...]) -> None:
        """Set the miniatures of the game that is played or offered."""
        self._miniatures = miniatures
        self.io.set_miniatures(miniatures)

    @property
    def map(self) -> Map:
        """The map on the board."""
        return self.io.map

    def change_map(self, board: Map) -> None:
        """Change the map. Raises `UserError` if the script of faults doesn't fit it; then the old map stays."""
        before = self.map
        if board.slug == before.slug:
            return
        self.io.close()
        try:
            self.io = self._make_board_io(board)
        # The old hardware is closed already, so it is opened again even after an error.
        except BaseException as error:
            self.io = self._make_board_io(before)
            if isinstance(error, ConfigError):
                raise UserError("not-now", maps.unusable_sentence(error)) from error
            raise
        finally:
            self.manual = self._kept_manual()
            self.io.open()

    def reopen(self, on_raw_edge: Callable[[Edge], None] | None = None) -> None:
        """Open the same board again with its current wiring file.

        `on_raw_edge` is called with all raw edges, including those of inputs under no space.
        """
        self.io.close()
        self.io = self._make_board_io(self.map, workshop=on_raw_edge is not None)
        self.io.on_raw_edge = on_raw_edge or self.io.on_raw_edge
        self.manual, self._known = self._kept_manual(), None
        self.io.open()

    def can_show(self, play: TableGame) -> bool:
        """Return whether the lamps of the current map can show a game."""
        return play.shown_on == self.map.slug

    def adjust(self, look: Settings) -> None:
        """Apply settings for lamps and sounds."""
        self.look, self._known = look, None
        self.io.adjust(look)

    # --- sensors in use -----------------------------------------------------------------------------------------

    @property
    def sensors_active(self) -> bool:
        """Whether the sensors are used: nobody has turned them off, and the hardware works."""
        return self.sensors_used and self.attended and not self.io.away

    def use_sensors(self, use: bool) -> None:
        """Switch the use of the sensors. Raises `CannotWrite`; then nothing has changed."""
        self._journal.store_value(SENSORS_USED_KEY, use)
        self.sensors_used = use

    @property
    def attended(self) -> bool:
        """Whether people use the board.

        A real board is always used, a simulated one while its page is open. A table whose board no one has opened is
        played on the screens.
        """
        return self._clock() < self._attended_until

    def mark_used(self, seconds: float = ATTENDED_S) -> None:
        """Treat the simulated board as used by people for the next `seconds`; 0 when they close its page."""
        if self._simulated:
            self._attended_until = self._clock() + seconds

    def touch(self, miniature: str, space: str | None) -> None:
        """Put a miniature of the simulated board on a space, or take it off the board. Raises `UserError`."""
        self.io.touch(miniature, space)
        self.mark_used()

    def is_correction(self, play: TableGame, miniature: str, space: str | None) -> bool:
        """Return whether a touch puts a simulated miniature where it belongs, or lifts it from a wrong space."""
        home = play.standing.get(miniature)
        return space == home if space is not None else not self.io.has_miniature(miniature, home)

    def acts_of_touch(self, play: TableGame, miniature: str, space: str | None) -> list[BoardAct]:
        """Return the acts that a touch of the simulated board can be a part of."""
        if play.on_board is None:
            return []
        back, facts = play.retraction(), self._facts_of(play.on_board, play.public)
        ways = [] if back is None or back.way is None else [Placement(*back.way, TAKE_BACK)]
        found = [it for it in (*ways, *facts.placements) if space in (None, it.to)]
        # The sensors do not tell which miniature is set down.
        own = [it for it in found if it.unit == miniature] or ([] if space is None else found)
        return _given_acts(play, [it.command for it in own])

    def acts_of_answer(self, play: TableGame, space: str) -> list[BoardAct]:
        """Return the acts between which a tap on a space decides, if the board asks."""
        hint = self.io.outcome.hint
        asked = hint.between if isinstance(hint, Question) else ()
        return _given_acts(play, [choice.action for choice in asked if choice.tap == space])

    def _kept_manual(self) -> frozenset[str]:
        """Return the stored manual spaces, whose moves are made on the screens."""
        return self.io.wiring.manual | frozenset(self._journal.stored_value(f"{MANUAL_KEY} {self.map.slug}") or ())

    def set_manual(self, space: str, manual: bool) -> None:
        """Set a space to manual, or use its sensor again. Raises `UserError`."""
        if space not in self.map.enterable:
            says = Text("{name} has no space {space} that can be entered.")
            raise UserError("not-understood", says.with_(name=Text(self.map.name), space=repr(space)))
        if not manual and space in self.io.wiring.manual:
            says = Text("{space} has no sensor: the wiring says so. Calibrate the board to change that.")
            raise UserError("not-now", says.with_(space=space))
        chosen = self.manual - self.io.wiring.manual - {space} | ({space} if manual else set())
        self._journal.store_value(f"{MANUAL_KEY} {self.map.slug}", sorted(chosen))
        self.manual = self._kept_manual()
        self._known = None

    # --- acts ---------------------------------------------------------------------------------------------------

    def feed(self, note: Note) -> None:
        """Process a report of a driver."""
        if isinstance(note, Press):
            self._inputs.append(note)
        else:
            self.io.feed(note)

    def answer(self, space: str) -> None:
        """Answer the board's question by a tap on one of its spaces on a screen."""
        self._inputs.append(space)

    def next_act(self, table: TableState, now: float) -> BoardAct | None:
        """Return the next act made with miniatures, buttons or taps, or None.

        Call it again after each act, with the table as it is then.
        """
        self._carry(table)
        while self._inputs:
            act = self._act_of(self._inputs.popleft(), table, now)
            if act is not None:
                return act
        self.picking = self.picking.current(table.seat, table.revision, now)
        command = self.io.think(self._facts(table), now)
        self.picking = self.picking.after(self.io.outcome)
        return _board_act(command, table)

    def refuse(self, play: TableGame, command: Command) -> None:
        """Ignore an act made on the board while the public picture stays the same, because the game has refused it.
        Hints then say where its miniature belongs.
        """
        self._refused = play.public, [*self._refused_now(play), command]
        self.io.sound(tune("refused"))

    def _refused_now(self, play: TableGame) -> list[Command]:
        """Return the acts that the game has refused in the current public picture."""
        picture, commands = self._refused
        return commands if picture is play.public else []

    def _carry(self, table: TableState) -> None:
        """Make a board that moves its miniatures by itself carry them for a bot, including its last act."""
        play = table.play
        if play is None or play.on_board is None or self.io.miniatures is None:
            self._carried = None
            return
        # People move miniatures by hand. `_carried` is still set after a bot's last act.
        if table.is_person_at_board and self._carried is None:
            return
        # Try again after each change, and after a fault.
        if play.standing != self._carried:
            with suppress(UserError):  # the fault is shown already, and the next turn tries again
                self.io.tidy(play.standing)
                self._carried = play.standing
        if table.is_person_at_board:
            self._carried = None

    def _facts(self, table: TableState) -> Facts | None:
        """Return the facts for piece tracking; None while the sensors are not used.

        At a bot's turn, the facts contain no acts.
        """
        play = table.play
        if play is None or play.on_board is None or table.resting or not self.sensors_active:
            return None
        facts = self._facts_of(play.on_board, play.public)
        if not table.is_person_at_board:
            return replace(facts, placements=(), rights={})
        if refused := self._refused_now(play):
            facts = facts.without(refused)
        back, choosable = table.retraction, self.picking.choosable
        ways = [] if back is None or back.way is None or TAKE_BACK in refused else [Placement(*back.way, TAKE_BACK)]
        if not ways and not choosable:
            return facts
        return replace(facts, placements=(*facts.placements, *ways), choosable=choosable)

    def prepare(self, play: TableGame) -> None:
        """Ask a game for everything that the board needs of its current picture. Raises whatever the game raises."""
        spaces = {"cues": {space for cue in self._cues(play) for space in cue.spaces}}
        if play.on_board is not None:
            facts = self._facts_of(play.on_board, play.public)
            spaces["standing"] = {space for space in facts.standing.values() if space is not None}
            spaces["optional"] = {*facts.optional}
            spaces["placements"] = {it.to for it in facts.placements}
            if not facts.standing.keys() >= {it.unit for it in facts.placements}:
                raise BadResult("placements")
        # Fail here, before the act is written, not when the lamps look up the space.
        for method, named in spaces.items():
            if not named <= self.map.spaces.keys():
                raise BadResult(method)

    def _facts_of(self, game: BoardGame, view: Any) -> Facts:
        """Return the facts of a public picture, cached."""
        # Pictures never change in place, so the same object always has the same facts.
        if self._known is None or self._known[0] is not view:
            facts, settings = public_facts(game, view, self.map, self.manual), self.look
            self._known = view, facts if settings.guide_all_moves else replace(facts, before=None)
        return self._known[1]

    def _act_of(self, note: Press | str, table: TableState, now: float) -> BoardAct | None:
        """Return the act of a press of a button, or of a tap on a space on a screen.

        The button Confirm chooses the answer that the board lights first, or ends the turn. Next chooses the other
        answer, or asks whether the turn is over. Undo takes the last move back.
        """
        if isinstance(note, str):
            return _board_act(self.io.pick(self._facts(table), note, now), table)
        end, asked = self._end_of_turn(table), self._asks_until is not None and now < self._asks_until
        self.stop_asking()
        # While the board asks where a miniature stands, the buttons only answer that.
        answers = dict(zip(("confirm", "next"), self.io.taps, strict=False))
        if note.button in answers:
            return self._act_of(answers[note.button], table, now)
        if asked and not answers:
            return _board_act(end, table) if note.button == "confirm" else None
        if note.button == "undo" and table.retraction is not None and not answers:
            return _board_act(TAKE_BACK, table)
        asks = note.button == "next" and end is not None and not answers
        self._asks_until = now + END_TURN_QUESTION_S if asks else None
        self.io.sound(tune("asked" if asks else "refused"))
        return None

    def _end_of_turn(self, table: TableState) -> Command | None:
        """Return the command that ends the turn on the board, if people may give it now."""
        play, seat = table.play, table.seat
        if play is None or seat is None or not table.is_person_at_board or table.resting or not self.settled(play):
            return None
        return play.end_of_turn(seat)

    def settled(self, play: TableGame) -> bool:
        """Return whether the miniatures stand where the game has them, or don't need to."""
        return play.on_board is None or self.io.outcome.agreed or not self.sensors_active

    def check_set_up(self, play: TableGame, command: Command) -> None:
        """Raise `UserError` for a first move while the miniatures are not set up, if the sensors are used."""
        if play.on_board is None or self.settled(play) or not play.on_board.opening(play.public):
            return
        if play.on_board.begins(command):
            raise UserError("not-now", Text("The board is not set up yet. {what}", what=self.io.status()["sentence"]))

    def stop_asking(self) -> None:
        """Drop the question whether the turn is over."""
        self._asks_until = None

    # --- picking ------------------------------------------------------------------------------------------------

    def offer(self, offer: Offer, table: TableState) -> None:
        """Let people pick what a screen offers, for `OFFER_S`.

        Raises `UserError` if the seat does not act on the board now, if the picture is outdated, and for spaces that
        cannot be picked.
        """
        play = table.play
        if play is None:
            raise UserError("not-now", Text("No game is running."))
        if play.on_board is None:
            raise UserError("not-now", WITHOUT_BOARD)
        if offer.seat not in seats_with_wand(play.seats):
            raise UserError("no-seat", Text("The board shows only public choices."))
        if offer.seat != table.seat:
            raise UserError("not-now", Text("It is not your turn."))
        if offer.revision != table.revision:
            raise UserError("stale", STALE)
        if not offer.name.isascii() or not offer.name.isprintable():
            raise UserError("not-understood", Text("A screen's ID contains only printable ASCII characters."))
        if unknown := sorted(offer.spaces - set(self.map.enterable))[:MOST_UNKNOWN]:
            names = comma_list([space[:LONGEST_UNKNOWN] for space in unknown])
            raise UserError("not-understood", Text("These spaces cannot be chosen: {spaces}.", spaces=names))
        self.picking = self.picking.offered(replace(offer.once(), until=self._clock() + OFFER_S))

    # --- as time passes -----------------------------------------------------------------------------------------

    def due(self, now: float) -> float:
        """Return when the board needs attention at the latest (monotonic seconds), besides the lamps' frames."""
        ends = self._attended_until if now < self._attended_until < math.inf else None
        waits = (self.io.due(now), self._asks_until, self.picking.due, ends)
        return min(wait for wait in waits if wait is not None)

    def light(self, play: TableGame, hinted: Sequence[Cue], now: float, *, dimmed: bool) -> None:
        """Show the public cues of a game over the cues `hinted`, and play the sound for new events."""
        cues, show = self._cues(play), show_of(play.game)
        self.io.light([*hinted, *cues, *self.picking.cues()], play.standing, now, dimmed=dimmed, show=show)
        self._sound_state, new_tune = self._sound_state.next_tune(
            play.referee.told[TABLE], cues, self.io.hint, show.sounds
        )
        if new_tune is not None:
            self.io.sound(new_tune)

    def _cues(self, play: TableGame) -> Sequence[Cue]:
        """Return the cues of a game for its public picture, cached."""
        if play.cues is None or not self.can_show(play):
            return ()
        if self._cued is None or self._cued[0] is not play.public:
            self._cued = play.public, play.cues.cues(play.public)
        return self._cued[1]

    def show(self, cues: Sequence[Cue], now: float, show: Show = NO_SHOW) -> None:
        """Show only these cues, with the lights of `show`: a step of a past game, or nothing."""
        self.io.light(cues, {}, now, show=show)

    def tick(self, now: float) -> None:
        """Drop the question when its time is over."""
        if self._asks_until is not None and now >= self._asks_until:
            self.stop_asking()

    def keep_health(self, now: float) -> None:
        """Store the sensors' health from time to time."""
        if now >= self._write_health_at:
            self._write_health_at = now + HEALTH_SECONDS
            self.io.keep_health()

    # --- what screens show of it --------------------------------------------------------------------------------

    def status(self, play: TableGame | None) -> dict[str, Any]:
        """Return the state of the board and a sentence about it, or the question that a button has caused. Public."""
        rests = play is not None and play.on_board is None
        sentence = LAMPS_ALONE if play is not None and self.can_show(play) else WITHOUT_BOARD
        resting = {"state": "resting", "sentence": sentence} if rests else {}
        asking = {} if self._asks_until is None else {"state": "asking", "sentence": CONFIRM_QUESTION}
        use = {"heeded": self.sensors_used and self.attended, "open": self.attended, "manual": sorted(self.manual)}
        return {**self.io.status(), **resting, **asking, **use}

    def picked(self, seat: str, play: TableGame | None) -> tuple[Picked, ...]:
        """Return what was picked for the screens of a seat; nothing while another seat acts on the board."""
        return self.picking.picked if play is not None and seat == play.at_board else ()

    def picture(self) -> dict[str, Any]:
        """Return what the lamps show, and where a board that moves miniatures has them."""
        return {"map": self.map.slug, "has_sensors": self.map.has_sensors, **self.io.picture()}

    def snapshot(self) -> BoardSnapshot:
        """Return a copy of the board's public state for other threads."""
        return self.io.snapshot(self.manual, self.sensors_used)


def lamp_board(name: str | None, settings: Settings) -> Map | None:
    """Return the lamp board of that name, if the settings allow lamp boards; the simulated board can show any.

    None if it cannot be made: its game is then played without lamps.
    """
    if name is None or not (settings.lamp_boards or settings.board == "simulated"):
        return None
    try:
        return maps.load(name)
    except MapError as error:
        log.error("A game is played without its lamps. %s", error)
        return None


def _board_act(command: Command | None, table: TableState) -> BoardAct | None:
    """Return a command made on the board with its seat."""
    if command is None or table.play is None:
        return None
    if command is TAKE_BACK:
        return None if (back := table.retraction) is None else BoardAct(back.seat, command)
    seat = table.play.seat_for_command(command)
    return None if seat is None else BoardAct(seat, command)


def _given_acts(play: TableGame, commands: Sequence[Command]) -> list[BoardAct]:
    """Return these commands with their seats; instead of `TAKE_BACK`, the act that it takes back."""
    back = play.retraction()
    acts = [(play.seat_for_command(it), it) for it in commands if it is not TAKE_BACK]
    if back is not None and TAKE_BACK in commands:
        acts.append((back.seat, back.command))
    return [BoardAct(seat, command) for seat, command in acts if seat is not None]


class BoardAct(Struct, frozen=True):
    """An act made on the board: `command` for `seat`. `TAKE_BACK` takes back the last act of that seat."""

    seat: str
    command: Command


class TableState(Struct, frozen=True):
    """What the board needs to know of the table.

    - `play`: the game, None in the lobby.
    - `revision`: the number of the picture on the screens of the seat that acts on the board.
    - `bots`: the seats that bots play.
    - `resting`: whether no one may act, because of a time-out or because nothing can be written.
    """

    play: TableGame | None
    revision: int
    bots: Collection[str]
    resting: bool

    @property
    def seat(self) -> str | None:
        """The seat that acts on the board."""
        return None if self.play is None else self.play.at_board

    @property
    def is_person_at_board(self) -> bool:
        """Whether a person plays that seat."""
        return self.seat not in self.bots

    @property
    def retraction(self) -> Retraction | None:
        """The last act, if people may take it back at the board now."""
        last = None if self.play is None or self.resting else self.play.retraction()
        return None if last is None or not last.at_board or last.seat in self.bots else last
