"""Bots in play: what a bot hears of a game, and its acts at a table of people, who need time to follow.

An act that others will hear of is decided while they look on, and made a pause later. One that nobody else hears of is
made at once: if it took a pause of its own, its length would tell that there was something.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, Command, Game
from engine.referee import Referee
from engine.refusal import RuleError
from engine.search.budget import Budget
from engine.seats import secret_seats
from engine.text import Text
from firmware_host.core import bots
from firmware_host.core.guarded import BadResult, GameFault, checked, unguarded
from firmware_host.play.game import TableGame
from firmware_host.seats import minds
from firmware_host.seats.mind import Seated
from firmware_host.seats.minded import MindPlayer
from firmware_host.seats.minds import Mind, MindLost

MOST_ACTS = 200
"""So many acts in a row, before anybody else acts, are no play any more: the bot would go on for ever."""
HURRIED = 0.3
"""Seconds between acts while people have no wish to wait. Only for seats without secrets: how long a hidden bot thinks
tells of what it does in secret, and needs the whole pause to cover it."""


NO_TIME = Budget(lines=0)
"""What a bot gets that could think, where bots answer at once."""
LOOKS = 0.05
"""Seconds between two looks whether a bot has thought of something."""
PART, LEAST = 0.4, 0.01
"""How much of what is left of its pause a hidden bot thinks about one act, and seconds at the least."""


class BotFailed(Exception):
    """The bot at `seat` cannot go on, by a fault of its own. What it knows is no part of this, for it may be secret."""

    def __init__(self, seat: str, name: str) -> None:
        self.sentence = Text("The bot {name} cannot go on for the {seat}.", name=bots.quoted(name), seat=Text(seat))
        super().__init__(self.sentence)
        self.seat = seat
        self.name = name

    @property
    def where(self) -> str:
        """The place in the code, for whoever mends the bot."""
        cause = self.__cause__ or self
        if isinstance(cause, MindLost):
            return cause.place
        if isinstance(cause, GameFault):
            return f"{cause.kind} in {cause.place}"
        place = traceback.extract_tb(cause.__traceback__)[-1]
        return f"{type(cause).__name__} in {place.filename}, line {place.lineno}"


class BotPlayer:
    """A bot at one seat of one game, which hears what its seat is told before it is asked."""

    def __init__(self, name: str, game: Game, seat: str, view: Any, luck: Chance, budget: Budget | None = None) -> None:
        """`budget` is for a bot that thinks, for each of its acts."""
        self._bot = bots.seated(name, unguarded(game), seat, view)
        if budget is not None:
            bots.allow(self._bot, budget)
        self._seat, self._luck, self._heard = seat, luck, 0

    def ask(self, referee: Referee) -> Command:
        """What it wants to do now."""
        told = referee.told[self._seat]
        for event in told[self._heard :]:
            self._bot.told(event)
        self._heard = len(told)
        command = self._bot.choose(referee.pictures[self._seat], referee.legal(self._seat), self._luck)
        if not isinstance(command, Command):
            raise BadResult
        return command


class BotDecision(Struct, frozen=True):
    """An act and what follows from it, as long as nothing else happens: `heard` counts what was told before it."""

    seat: str
    command: Command
    telling: tuple[Told, ...]
    referee: Referee
    heard: int
    hidden: bool
    """Whether its seat acts in secret at times."""

    def stands(self, play: TableGame) -> bool:
        """Whether nothing has happened since."""
        return self.referee is play.referee and self.heard == len(play.referee.told[REFEREE])

    @property
    def secret(self) -> bool:
        """Whether nobody but its seat hears anything of it."""
        viewers = [viewer for viewer in self.referee.pictures if viewer not in (self.seat, REFEREE)]
        return not any(told.audience.includes(viewer) for told in self.telling for viewer in viewers)


class BotPlayers:
    """The bots at a table's seats. `pause` is seconds between what others hear of, `thought` how long a bot may think
    that plays its acts on in its head, in a process that `start` makes.
    """

    def __init__(
        self, pause: float, luck: Chance, thought: float = 0.0, start: Callable[[Seated], Mind] = Mind
    ) -> None:
        self.pause, self.thought, self._luck, self.start = pause, thought, luck, start
        self._names: dict[str, str] = {}
        self._seated: dict[str, BotPlayer] = {}
        self._minds: dict[str, MindPlayer] = {}
        self._look: float | None = None
        self._referee: Referee | None = None
        self._decided: BotDecision | None = None
        self._since: float | None = None
        self._streak = ("", 0)
        self.hurried = False
        """Whether people would rather not wait, until one of them is to act."""

    def sit(self, names: Mapping[str, str]) -> None:
        """Seat -> bot from now on."""
        if names != self._names:
            self._names = dict(names)
            self._forget()
            self.rest()

    def rest(self) -> None:
        """Nothing is to be done now."""
        self._decided, self._since, self._look, self._streak = None, None, None, ("", 0)

    def _forget(self) -> None:
        """Whoever sat there is gone, with all that they know."""
        for mind in self._minds.values():
            mind.leave()
        self._seated, self._minds = {}, {}

    def leave(self) -> None:
        """No game is played any more: nothing of the last one is kept."""
        self.rest()
        self._forget()
        self._referee, self.hurried = None, False

    def due(self) -> float | None:
        """When the next act is made, or a mind is to be looked after, in the clock's seconds; None while neither is."""
        if self._decided is None or self._since is None:
            return self._look
        if self._decided.hidden:
            return self._since + self._hidden_pause(self._decided.seat)
        return self._since + (min(self.pause, HURRIED) if self.hurried else self.pause)

    def _hidden_pause(self, seat: str) -> float:
        """Seconds from the first thought of a hidden bot to what others hear of: the same however much of its thinking
        was about what it does in secret.
        """
        return self.pause + (self.thought if seat in self._minds else 0.0)

    def act(self, play: TableGame, now: float) -> bool:
        """Make the act that has fallen due, if any; whether there was one."""
        decided, due = self._decided, self.due()
        if decided is None or due is None or now < due or not decided.stands(play):
            return False
        self._make(play, decided)
        return True

    def think(self, play: TableGame, now: float) -> bool:
        """Decide what comes next, and make it if nobody else hears of it; whether that was so, and there may be more of
        that kind. Raises `BotFailed`.
        """
        since = now if self._since is None else self._since
        decided = self._next(play, now, since)
        if decided is None:
            if self._look is not None:
                self._since = since
            return False
        if decided.secret:
            self._make(play, decided)
        self._since = since  # the pause begins with the first thought, however many secret acts follow
        return decided.secret

    def _make(self, play: TableGame, decided: BotDecision) -> None:
        """Raises `BotFailed`, and then nothing has changed."""
        try:
            play.commit(decided.seat, decided.command, decided.telling)
        except GameFault as fault:
            raise BotFailed(decided.seat, self._names[decided.seat]) from fault
        self._decided, self._since, self._look = None, None, None
        self._streak = decided.seat, self._row(decided.seat) + 1

    def _next(self, play: TableGame, now: float, since: float) -> BotDecision | None:
        """What the bot whose turn it is wants to do; None while it is nobody's of them, or while it thinks."""
        seat = next((seat for seat in play.referee.to_act if seat in self._names), None)
        if seat is None:
            self.rest()
            self.hurried = False
        elif self._decided is None or not self._decided.stands(play):
            self._decided = self._decide(play, seat, now, since)
        return self._decided

    def _decide(self, play: TableGame, seat: str, now: float, since: float) -> BotDecision | None:
        command = self._asked(play, seat, now, since)
        self._look = now + LOOKS if command is None else None
        if command is None:
            return None
        try:
            telling = play.consider(seat, command)
        except RuleError as error:
            raise BotFailed(seat, self._names[seat]) from error
        hidden = seat in secret_seats(play.seats)
        return BotDecision(seat, command, telling, play.referee, len(play.referee.told[REFEREE]), hidden)

    def _asked(self, play: TableGame, seat: str, now: float, since: float) -> Command | None:
        name = self._names[seat]
        if self._row(seat) >= MOST_ACTS:
            raise BotFailed(seat, name)
        if self._referee is not play.referee:  # another game, or one that has been told anew
            self._forget()
            self._referee = play.referee
        try:
            if self.thought and bots.find(play.game, name).thinks:
                return self._minded(play, seat, now, since)
            if seat not in self._seated:
                view = play.game.blank(play.board, play.options)[seat]
                self._seated[seat] = checked(
                    play.game.name, BotPlayer, name, play.game, seat, view, self._luck, NO_TIME
                )
            return checked(play.game.name, self._seated[seat].ask, play.referee)
        except GameFault as fault:
            play.doubt()  # it may have changed what it was shown
            raise BotFailed(seat, name) from fault
        except Exception as error:  # whatever a bot's process may do, people play on
            raise BotFailed(seat, name) from error

    def _minded(self, play: TableGame, seat: str, now: float, since: float) -> Command | None:
        """What a bot in a process of its own wants to do; None while it thinks. One without secrets may think for the
        whole time; of a hidden one's pause each thought takes a part of what is left, so that all have room in it.
        """
        if seat not in self._minds:
            seed = self._luck.secret().hex()
            who = minds.seated(self._names[seat], play.game, seat, play.board, play.options, seed)
            self._minds[seat] = MindPlayer(self.start(who), seat)
        left = since + self._hidden_pause(seat) - now
        seconds = max(LEAST, PART * left) if seat in secret_seats(play.seats) else self.thought
        return self._minds[seat].ask(play, min(seconds, self.thought), now)

    def _row(self, seat: str) -> int:
        """How many acts a seat has made in a row."""
        last, acts = self._streak
        return acts if seat == last else 0
