"""The table: seats, the game, the board under it, and what every screen shows. Its loop is in `loop.py`.

Only the loop's thread comes here. One pass, downwards: an edge or a wish comes in, becomes an act or a refusal, is
written, told, lit and published.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TypeVar

import msgspec

from engine import games
from engine.chance import Chance
from engine.game import TABLE, Command, Deducing, Game, Placement
from engine.map import Map
from engine.map.fault import MapError
from engine.refusal import RuleError
from engine.said import Said, row
from firmware_host import maps, screens
from firmware_host.board.picking import LEASE, Offer, Picking
from firmware_host.board.presses import SENTENCE, Keys, Wish
from firmware_host.board.tabletop import Tabletop
from firmware_host.board.wellness import Line
from firmware_host.board.wiring import WiringError
from firmware_host.config import ConfigError, Settings
from firmware_host.cues.sounds import SOUNDS, Ear
from firmware_host.face import BOARD, Holder, Slip
from firmware_host.followers import Followers
from firmware_host.hands.hands import Facts, facts
from firmware_host.house.choices import Choices
from firmware_host.house.logbook import MAKERS
from firmware_host.interlude import Interlude, Still
from firmware_host.play import Play
from firmware_host.possible import Possible
from firmware_host.records.journal import CannotWrite, Journal
from firmware_host.seats.claims import Claims
from firmware_host.seats.players import GaveUp, Players
from firmware_host.seats.repeats import Answered, Repeats
from firmware_host.seats.seating import Seating
from firmware_host.upkeep.machine import UNSEEN, Machine
from firmware_host.upkeep.upkeep import HALTED, Upkeep
from hardware.ports import Note, Press

GAME = "sniper-elite"

log = logging.getLogger("firmware_host")
T = TypeVar("T")


HEALTH_SECONDS = 60.0
"""How often at most the sensors' health is written down."""
MANUAL = "manual"
"""What the journal keeps the manual spaces of a map under."""


class TakeBack(Command, tag="take-back", frozen=True):
    """The table's own command: the last move never happened, for it told nobody anything."""


HINTS = "possible_hints"
"""What the journal calls it that a game is played with the hint of where those in hiding can be."""
REPEATS = "repeats"
"""What the journal keeps the names of the newest acts under."""
STALE = Said("The game has moved on since your picture was drawn. Look again, then act.")
TAKE_BACK = TakeBack()
TAKE_BACK_ACTION = {"type": "take-back"}
END_TURN = "end-turn"
"""The tag of the command by which a game's turn ends; what a button may give."""


class Table:
    """Everything that is going on at one table."""

    def __init__(
        self,
        settings: Settings,
        journal: Journal,
        make_top: Callable[[Map], Tabletop],
        clock: Callable[[], float],
        chance: Chance,
        first_revision: int = 0,
        luck: Chance | None = None,
        machine: Machine = UNSEEN,
    ) -> None:
        """`luck` is the bots' own; without it they share the game's `chance`."""
        self.settings = settings
        self.journal = journal
        self.followers = Followers()
        self.addresses: list[str] = []
        self._new_top = make_top
        self._clock = clock
        self._chance = chance
        self._game: Game = games.find(GAME)
        self.interlude = Interlude(journal)
        self._play = self._resumed()
        self._possible = self._hinting(bool(journal.kept(HINTS)))
        self._map = maps.load(settings.map) if self._play is None else self._play.board
        self.seating = Seating(self._game, tuple(self._game_squads()), journal)
        self._repeats = Repeats(msgspec.convert(journal.kept(REPEATS) or [], list[Answered]))
        self._players = Players(settings.bot_pause_ms / 1000, luck or chance)
        self._carried: Mapping[str, str | None] | None = None
        self._revisions = dict.fromkeys(self._viewers, first_revision)
        self._shown: dict[str, dict[str, Any]] = {}
        self.front: dict[str, Any] = {}
        """The lobby, for any thread: replaced, never changed."""
        self.finished: int | None = None
        """The number of the game that lies finished on the table, if one does."""
        self.hiding: frozenset[str] = frozenset()
        """The seats that may be acting in secret now; also for any thread."""
        self._posted: dict[str, Any] = {}
        self.choices = Choices(settings, journal)
        self.top = self._make_top(self._map)
        self.manual = self._kept_manual()
        self._found: tuple[Any, Facts] | None = None
        self._keys = Keys()
        self._picking = Picking()
        self._ear = Ear()
        self.upkeep = Upkeep(journal.try_writing, machine, clock())
        self._write_health_at = clock() + HEALTH_SECONDS
        self._heeding = bool(journal.kept("heeding") is not False)
        if not self.running:
            self.interlude.end()
        self._refresh()
        self.post()

    @property
    def _viewers(self) -> tuple[str, ...]:
        return (*self._game.seats, TABLE)

    def _resumed(self) -> Play | None:
        saved = self.journal.running()
        if saved is None:
            return None
        board = maps.load(saved.map)
        if board.source != saved.source:
            raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
        return Play.resume(saved, board, self.journal, self._chance)

    def _hinting(self, wanted: bool) -> Possible | None:
        """The hint of the game that has just been begun or resumed, where it is played with one."""
        if not wanted or self._play is None or not isinstance(self._game, Deducing):
            return None
        return Possible(self._play, self._game)

    def _make_top(self, board: Map) -> Tabletop:
        """A board that looks and sounds as the house has chosen."""
        top = self._new_top(board)
        top.adjust(self.choices.settings)
        return top

    # --- the loop's side ----------------------------------------------------------------------------------------

    def open(self) -> None:
        """Begin to feel the board."""
        self.top.open()
        self.tick()

    def close(self) -> None:
        """Let go of the board and the journal."""
        self.top.close()
        self.journal.close()

    def feel(self, note: Note) -> None:
        """A driver said something."""
        if isinstance(note, Press):
            with suppress(CannotWrite):
                self._press(note.button)
        else:
            self.top.feel(note)

    def due(self) -> float:
        """When `tick` is wanted at the latest, in the clock's seconds."""
        now = self._clock()
        keys, picking = self._keys.until, self._picking.due
        waits = [self.top.due(now), self._players.due(), keys, picking, self.upkeep.due(), self.interlude.until]
        return min(wait for wait in waits if wait is not None)

    def tick(self) -> None:
        """Do what has fallen due: acts made on the board, a bot's act, lamps, pictures, a bot's thoughts."""
        now = self._clock()
        self.interlude.tick(now)
        self.upkeep.look(now)
        self._players.sit(self.claims.bots)
        with suppress(CannotWrite):
            self._hear_hands(now)
            if self._bots_acted(now):
                self._refresh()
                self._hear_hands(now)
        if not self._keys.asks(now):
            self._keys = Keys()
        self._light(now)
        self._publish()
        if now >= self._write_health_at:
            self._write_health_at = now + HEALTH_SECONDS
            self.top.keep_health()
        self._think(now)  # last, so that nobody can tell from a late picture that there was more to think about

    def _hear_hands(self, now: float) -> None:
        self._carry()
        while (command := self._felt(now)) is not None:
            self._from_board(command)

    def _felt(self, now: float) -> Command | None:
        """The next act that the hands have made, if any; what they have picked meanwhile is taken in."""
        self._picking = self._picking.current(self._revisions[self._game.seats[-1]], now)
        command = self.top.think(self._facts(), now)
        self._picking = self._picking.after(self.top.outcome)
        return command

    def cannot_write(self, error: CannotWrite) -> Slip:
        """A wish could not be written, and nothing has changed; what the asker hears of it."""
        self.upkeep.doubt()
        return Slip("halted", HALTED[error.why])

    def _public_act(self, act: Callable[[], T]) -> T:
        """Do what everybody sees. Raises `CannotWrite`, and then everybody knows why nothing happened."""
        try:
            return act()
        except CannotWrite as error:
            self.upkeep.halt(error)
            raise

    # --- bots ---------------------------------------------------------------------------------------------------

    def _bots_acted(self, now: float) -> bool:
        """Make a bot's act that has fallen due; whether there was one."""
        play = self._play
        return play is not None and self._ready and self._public_act(lambda: self._players.act(play, now))

    def _think(self, now: float) -> None:
        if self._play is None or not self._ready:
            self._players.rest()
            return
        try:
            news = self._players.think(self._play, now)
        except CannotWrite:
            self.upkeep.doubt()
            self._players.rest()
            return
        except GaveUp as fault:
            self._replace(fault, now)
            return
        if news:
            self._refresh()
            self._publish()

    def _replace(self, fault: GaveUp, now: float) -> None:
        """A bot has failed: whoever sits there now goes on at once; each bot fails but once."""
        log.error("%s", fault)
        log.error("%s", fault.where, extra=MAKERS)
        try:
            if not self.seating.replace(fault):
                self._put_away()
        except CannotWrite:
            self.upkeep.doubt()
            self._players.rest()
            return
        self._refresh()
        self._publish()
        self._players.sit(self.claims.bots)
        self._think(now)

    @property
    def _ready(self) -> bool:
        """Whether a bot may go on: like people, it waits until the miniatures have been carried."""
        if self._play is None or self.upkeep.halted or self.interlude.on:
            return False
        return self.top.agreed or not self._counts

    @property
    def _led_by_bot(self) -> bool:
        """Whether the miniatures on the board are a bot's."""
        return self._game.seats[-1] in self.claims.bots

    def _carry(self) -> None:
        """A bot has no hands: on the simulated board its miniatures go by themselves."""
        if self._play is None or not self._led_by_bot or self.settings.board != "simulated":
            self._carried = None
            return
        standing = self._game.standing(self._play.referee.pictures[TABLE])
        if standing != self._carried:
            with suppress(Slip):  # it says so itself; and it is tried again
                self.top.tidy(standing)
                self._carried = standing

    # --- the board's side ---------------------------------------------------------------------------------------

    def _facts(self) -> Facts | None:
        """What the hands may know: the public picture, and the way back. None while what they do does not count.

        For a bot they only carry: nothing that they do is an act.
        """
        if self._play is None or not self._counts or self.interlude.on:
            return None
        view = self._play.referee.pictures[TABLE]
        if self._found is None or self._found[0] is not view:
            self._found = view, facts(self._game, view, self.top.map, self.manual)
        found = self._found[1]
        if self._led_by_bot:
            return msgspec.structs.replace(found, placements=(), rights={})
        back, choosable = self._play.way_back(), self._picking.choosable
        if back is None and not choosable:
            return found
        ways = [] if back is None else [Placement(*back, TAKE_BACK)]
        return msgspec.structs.replace(found, placements=(*found.placements, *ways), choosable=choosable)

    def _kept_manual(self) -> frozenset[str]:
        """The spaces whose sensors do not count; what happens there is done on the screens."""
        return self.top.wiring.manual | frozenset(self.journal.kept(f"{MANUAL} {self._map.slug}") or ())

    def set_manual(self, space: str, manual: bool) -> None:
        """Let a space's sensor count no more, or again. Raises `Slip`."""
        if space not in self._map.enterable:
            raise Slip(
                "not-understood",
                Said("{name} has no space {space} that can be entered.", name=Said(self._map.name), space=repr(space)),
            )
        if not manual and space in self.top.wiring.manual:
            raise Slip(
                "not-now",
                Said("{space} has no sensor: the wiring says so. Calibrate the board to change that.", space=space),
            )
        chosen = self.manual - self.top.wiring.manual - {space} | ({space} if manual else set())
        self.journal.keep(f"{MANUAL} {self._map.slug}", sorted(chosen))
        self.manual = self._kept_manual()
        self._found = None

    def health(self) -> list[Line]:
        """How the sensors are, space by space; public."""
        return self.top.health(self.manual, self._clock())

    @property
    def _counts(self) -> bool:
        """Whether the sensors count: people say so, the hardware is well, and what they say can be written."""
        return self._heeding and not self.top.away and not self.upkeep.halted

    def _light(self, now: float) -> None:
        if self.interlude.still is not None:
            self.top.light(self.interlude.still.cues, {}, now)
        elif self._play is None:
            self.top.light((), {}, now)
        else:
            view = self._play.referee.pictures[TABLE]
            hinted = [] if self._possible is None else self._possible.cues()
            cues = self._game.cues(view)
            self.top.light(
                [*hinted, *cues, *self._picking.cues()], self._game.standing(view), now, dimmed=self.interlude.on
            )
            self._ear, tune = self._ear.listen(self._play.referee.told[TABLE], cues, self.top.hint)
            if tune is not None:
                self.top.sound(tune)

    def _from_board(self, command: Command) -> None:
        """An act that somebody made with a miniature. The hands only offer what the public picture allows."""
        play = self._play
        assert play is not None, "the hands act only in a game"
        seat = self._game.seats[-1]
        if command is TAKE_BACK:
            self._public_act(lambda: play.take_back(seat))
        else:
            self._public_act(lambda: play.act(seat, command))
        self.seating.acted(seat, None)
        self._refresh()

    # --- buttons ------------------------------------------------------------------------------------------------

    def _press(self, button: str) -> None:
        """Somebody pressed a button beside the board: whatever it does, it does for those who play there."""
        now = self._clock()
        taps, end = self.top.taps, self._end_of_turn()
        self._keys, wish = self._keys.press(button, now, taps, self._may_take_back(), end is not None)
        if wish in (Wish.FIRST, Wish.SECOND):
            self.answer(taps[0 if wish is Wish.FIRST else 1])
        elif wish is Wish.TAKE_BACK:
            self._from_board(TAKE_BACK)
        elif wish is Wish.END_TURN and end is not None:
            self._from_board(end)
        elif wish in (Wish.ASK, Wish.NOTHING):
            self.top.sound(SOUNDS["asked" if wish is Wish.ASK else "refused"].tune)

    def _end_of_turn(self) -> Command | None:
        """The command that ends the turn on the board, if people may give it now."""
        if self._play is None or self._led_by_bot or not self._ready:
            return None
        seat = self._game.seats[-1]
        legal = self._game.legal(self._play.referee.pictures[seat], seat)
        return next((command for command in legal if type(command).__struct_config__.tag == END_TURN), None)

    def _may_take_back(self) -> bool:
        """Whether the last move was made on the board, by people, and can be taken back."""
        if self._play is None or self._led_by_bot or self.upkeep.halted or self.interlude.on:
            return False
        return self._play.may_take_back(self._game.seats[-1])

    # --- pictures -----------------------------------------------------------------------------------------------

    def _refresh(self) -> None:
        """The game has changed: make every viewer's picture anew; only those that differ get a new number."""
        if self._possible is not None:
            self._possible.follow()
        for viewer in self._viewers:
            game = dict(screens.NO_GAME) if self._play is None else screens.of_viewer(self._play.referee, viewer)
            game["possible"] = None if self._possible is None else self._possible.spaces
            if viewer == self._game.seats[-1]:
                game["take_back"] = None if self._play is None else self._play.way_back()
            elif viewer != TABLE:
                game["undo"] = self._play is not None and self._play.may_take_back(viewer)
            text = msgspec.json.encode(game, enc_hook=str)
            if self._shown.get(viewer, {}).get("text") != text:
                self._revisions[viewer] += 1
                self._shown[viewer] = {"text": text, "game": game}

    def _publish(self) -> None:
        self.post()
        asking, manual = self._asking(), sorted(self.manual)
        common = {
            "stage": self._stage,
            "map": self._map.slug,
            "seats": self.seating.shown(),
            "board": {**self.top.status(), **asking, "heeded": self._heeding, "manual": manual},
            "paused": self.interlude.paused,
            "finished": self.finished,
            "halted": self.upkeep.halted,
            "cares": self.upkeep.cares,
        }
        sealed = None if self._play is None else self._play.sealed
        public = self._game.seats[-1]
        replay = {"replay": None if self.interlude.still is None else self.interlude.still.shown}
        for viewer in self._viewers:
            head = {"viewer": viewer, "revision": self._revisions[viewer], **common, "sealed": sealed}
            more = replay if viewer == TABLE else {"picked": self._picking.shown()} if viewer == public else {}
            self.followers.publish(viewer, {**head, **self._shown[viewer]["game"], **more})
        self.followers.publish(BOARD, {"viewer": BOARD, **common, **self.top.picture()})

    def _asking(self) -> dict[str, Any]:
        """What a button has asked, or why nothing counts, in place of the board's own words."""
        if self.interlude.on:
            return {"state": "resting", "sentence": self.interlude.sentence}
        return {} if self._keys.until is None else {"state": "asking", "sentence": SENTENCE}

    @property
    def _stage(self) -> str:
        if self._play is None:
            return "lobby"
        return "over" if self._play.over else "playing"

    def post(self) -> None:
        """Lay out what any thread may look at without asking the loop."""
        to_act = () if self._play is None else self._play.referee.to_act
        self.hiding = frozenset(to_act) - {self._game.seats[-1]}
        self.finished = self._play.number if self._play is not None and self._play.over else None
        now = self._lobby_now()
        if now != self._posted:
            self._posted, self.front = now, self.lobby()

    def lobby(self) -> dict[str, Any]:
        """Public facts for the front page."""
        return {
            **self._lobby_now(),
            "game": self._game.name,
            "title": self._game.title,
            "maps": [_map_facts(name) for name in maps.names()],
            "bots": screens.bots_for(self._game),
            "squads": self._game_squads(),
            "simulated": self.settings.board == "simulated",
            "possible_hints": self._hints_offered,
            **self._game.glossary(),
        }

    def _lobby_now(self) -> dict[str, Any]:
        """What of the lobby changes from moment to moment."""
        return {
            "stage": self._stage,
            "paused": self.interlude.paused,
            "map": self._map.slug,
            "options": {} if self._play is None else msgspec.to_builtins(self._play.options),
            "seats": self.seating.shown(),
            "addresses": self.addresses,
            "lost": self.journal.set_aside,
            "sealed": None if self._play is None else self._play.sealed,
        }

    def _game_squads(self) -> list[str]:
        return list(dict.fromkeys(self._game.squad(unit) for unit in self._map.starts))

    # --- seats --------------------------------------------------------------------------------------------------

    @property
    def claims(self) -> Claims:
        """Who sits where."""
        return self.seating.claims

    def claim(self, seat: str, pin: str, device: str, squads: tuple[str, ...]) -> str:
        """Take a free seat."""
        return self.seating.claim(seat, pin, device, squads)

    def take_over(self, seat: str, pin: str, device: str, share: bool = False) -> str:
        """Take a claimed seat with its PIN, or share it."""
        return self.seating.take_over(seat, pin, device, share)

    def release(self, seat: str) -> None:
        """Free a seat, unless a game is running."""
        if self.running:
            raise Slip("not-now", Said("A game is running. A seat changes hands with its PIN only."))
        self.seating.release(seat)

    def seat_bot(self, seat: str, bot: str) -> None:
        """Give a free seat to a bot."""
        self.seating.seat_bot(seat, bot)

    def hand_over(self, token: str, bot: str) -> None:
        """Leave one's own seat to a bot."""
        self.seating.hand_over(token, bot)

    # --- the game -----------------------------------------------------------------------------------------------

    def start(self, choice: dict[str, Any]) -> None:
        """Start a game. Raises `Slip`."""
        if self.running:
            raise Slip("not-now", Said("A game is running already."))
        for seat in self._game.seats:
            if not self.claims.taken(seat):
                raise Slip("not-now", Said("Nobody sits on the {seat}'s seat yet.", seat=Said(seat)))
        try:
            options = self._game.read_options(choice.get("options"))
            board = maps.load(self._known_map(choice.get("map", self._map.slug)))
        except RuleError as error:
            raise Slip(error.code, error.sentence, error.rule) from error
        except MapError as error:
            raise Slip("not-understood", maps.unusable(error)) from error
        hinted = self._hints_wanted(choice.get(HINTS, False))
        self._check_room()
        before = self._map
        self.interlude.end()
        self._lay(board)
        try:
            self._play = Play.begin(self._game, board, options, self.journal, self._chance, {HINTS: hinted})
        except CannotWrite:
            self._lay(before)
            raise
        self.seating.begin()
        self._possible = self._hinting(hinted)
        log.info("A game begins on %s.", board.slug)
        self._refresh()

    def _check_room(self) -> None:
        """Raises `Slip` while nothing can be written."""
        if (halted := self.upkeep.halted) is not None:
            raise Slip("halted", halted)

    @property
    def _hints_offered(self) -> bool:
        return self.settings.possible_hints and isinstance(self._game, Deducing)

    def _hints_wanted(self, wanted: Any) -> bool:
        if type(wanted) is not bool:
            raise Slip(
                "not-understood", Said("{hints} is true or false, not {wanted}.", hints=HINTS, wanted=repr(wanted))
            )
        if wanted and not self._hints_offered:
            raise Slip(
                "not-now", Said("This house plays without that hint; the setting {hints} allows it.", hints=HINTS)
            )
        return wanted

    def _known_map(self, slug: Any) -> str:
        if slug not in maps.names():
            raise Slip(
                "not-understood",
                Said("There is no map {slug}; known are {known}.", slug=repr(slug), known=row(maps.names())),
            )
        return str(slug)

    def _lay(self, board: Map) -> None:
        """Another map means another board. Raises `Slip` where it is wired or lies wrongly; then the old one stays."""
        if board.slug != self._map.slug:
            self.top.close()
            try:
                self._map, self.top = board, self._make_top(board)
            except (WiringError, ConfigError) as error:
                self.top = self._make_top(self._map)
                raise Slip("not-now", maps.unusable(error)) from error
            finally:
                self.manual = self._kept_manual()
                self.top.open()

    @property
    def running(self) -> bool:
        """Whether a game is being played."""
        return self._play is not None and not self._play.over

    def abandon(self) -> None:
        """Put the game away and go back to the lobby."""
        self._put_away()
        self._refresh()

    def pause(self, paused: bool, who: str) -> None:
        """A time-out of the running game called by the device `who`, or its end. Raises `Slip` where no game runs."""
        if not self.running:
            raise Slip("not-now", Said("No game is running."))
        if paused:
            self.interlude.pause(who)
            self._keys = Keys()
        else:
            self.interlude.resume()

    def replay(self, still: Still | None) -> None:
        """Show a step of a past game on the board, or no more. Raises `Slip` while a game is running."""
        if self.running:
            raise Slip("not-now", Said("A game is running; the board shows past ones when it is over."))
        if still is None:
            self.interlude.end()
            return
        if still.map != self._map.slug:
            if self._play is not None:
                raise Slip(
                    "not-now",
                    Said("That game was played on {map}. Put the game on the table away first.", map=Said(still.name)),
                )
            self._lay(maps.load(still.map))
        self.interlude.show(still, self._clock())

    def _put_away(self) -> None:
        if self._play is not None:
            self._play.put_away()
            log.info("The game was put away.")
        self._play = self._possible = None
        self.interlude.end()

    def submit(self, token: str, action: dict[str, Any], revision: int | None, name: str | None = None) -> None:
        """Act for a seat. Raises `Slip`, and then nothing has changed.

        The same act asked for again under the same `name` gets the same answer, and is not done again.
        """
        holder = self.seating.holder(token)
        self._check_room()
        if name is None:
            self._submit(holder, action, revision, {})
            return
        asked = self._repeats.asked(holder.seat, name, action)
        if self._repeats.done(asked):
            return
        try:
            self._submit(holder, action, revision, {REPEATS: msgspec.to_builtins(self._repeats.with_done(asked))})
        except Slip as slip:
            self._repeats.remember(msgspec.structs.replace(asked, slip=(slip.code, slip.sentence, slip.rule)))
            raise
        self._repeats.remember(asked)

    def _submit(self, holder: Holder, action: dict[str, Any], revision: int | None, kept: Mapping[str, Any]) -> None:
        if self._play is None:
            raise Slip("not-now", Said("No game is running."))
        self.interlude.check()
        if revision is not None and revision != self._revisions[holder.seat]:
            raise Slip("stale", STALE)
        if action == TAKE_BACK_ACTION:
            self._play.take_back(holder.seat, kept)
        else:
            self._act(self._play, holder, action, kept)
        self.seating.acted(holder.seat, holder.device)
        self._refresh()

    def _act(self, play: Play, holder: Holder, action: dict[str, Any], kept: Mapping[str, Any]) -> None:
        self._check_squad(holder, action)
        try:
            command = self._game.read_command(holder.seat, action)
            self._check_board(play, holder.seat, command)
            play.act(holder.seat, command, kept)
        except RuleError as error:
            raise Slip(error.code, error.sentence, error.rule) from error

    def _check_squad(self, holder: Holder, action: dict[str, Any]) -> None:
        """A device leads its own squads, and those that nobody else has claimed (MP-SETUP-02)."""
        unit = action.get("unit")
        squad = self._game.squad(unit) if isinstance(unit, str) else action.get("squad")
        if squad in self.claims.led_by_others(holder):
            leader = next(claim.device for claim in self.claims.taken(holder.seat) if squad in claim.squads)
            raise Slip("no-seat", Said("The {squad} squad is led by {leader}.", squad=Said(squad), leader=leader))

    def _check_board(self, play: Play, seat: str, command: Command) -> None:
        """The first move waits for the miniatures, unless the sensors do not count."""
        if self._counts and play.setting_up and self._game.begins(command) and not self.top.agreed:
            raise Slip("not-now", Said("The board is not set up yet. {what}", what=self.top.status()["sentence"]))

    # --- the house ----------------------------------------------------------------------------------------------

    def reread(self, settings: Settings) -> None:
        """The settings were read again: what a running table can take over counts from now on."""
        self.settings = settings
        self.choices = Choices(settings, self.journal)
        self._players.pause = settings.bot_pause_ms / 1000
        self.top.adjust(self.choices.settings)

    def choose(self, wanted: Mapping[str, Any]) -> None:
        """The house chooses how the table looks and sounds. Raises `Slip`, and then nothing has changed."""
        self.choices.choose(wanted)
        self.top.adjust(self.choices.settings)
        log.info("The house has chosen: %s.", ", ".join(f"{name} {value!r}" for name, value in wanted.items()))

    def house(self) -> dict[str, Any]:
        """What the house page shows of the table; public."""
        return {
            "stage": self._stage,
            "map": self._map.slug,
            "addresses": self.addresses,
            "choices": self.choices.shown(),
            "board": {**self.top.live(), "heeded": self._heeding, "manual": sorted(self.manual)},
        }

    def bench(self) -> dict[str, Any]:
        """What a report tells of board and wiring; public."""
        return self.top.bench(self.health(), self._clock())

    # --- the board by hand --------------------------------------------------------------------------------------

    def answer(self, space: str) -> None:
        """Somebody answered the board's question."""
        command = self.top.pick(self._facts(), space, self._clock())
        if command is not None:
            self._from_board(command)

    def offer(self, token: str, offer: Offer) -> None:
        """A screen of the last seat lets people pick on the board, for `LEASE` seconds. Raises `Slip` for a screen of
        another one, whose choices are its own, for a picture that is outdated, and for spaces that nobody can choose.
        """
        holder = self.seating.holder(token)
        if holder.seat != self._game.seats[-1]:
            raise Slip("no-seat", Said("Only choices that all may see are shown on the board."))
        if offer.revision != self._revisions[holder.seat]:
            raise Slip("stale", STALE)
        if unknown := offer.spaces - set(self._map.enterable):
            raise Slip("not-understood", Said("Nobody can choose these spaces: {spaces}.", spaces=row(sorted(unknown))))
        self._picking = self._picking.offered(msgspec.structs.replace(offer, until=self._clock() + LEASE))

    def heed(self, heeding: bool) -> None:
        """Whether the sensors count."""
        self.journal.keep("heeding", heeding)
        self._heeding = heeding

    def touch(self, miniature: str, space: str | None) -> None:
        """Simulated board: move a miniature."""
        self.top.touch(miniature, space)

    def tidy(self) -> None:
        """Simulated board: put every miniature where the game has it."""
        if self._play is not None:
            self.top.tidy(self._game.standing(self._play.referee.pictures[TABLE]))


def _map_facts(name: str) -> dict[str, Any]:
    try:
        board = maps.load(name)
    except MapError as error:
        return {"slug": name, "name": name, "fault": maps.unusable(error)}
    return {"slug": name, "name": Said(board.name), "spaces": sum(space.enterable for space in board.spaces.values())}
