"""Bots in play: what a bot hears of a game, and its acts at a table of people, who need time to follow.

An act that others will hear of is decided while they look on, and made a pause later. One that nobody else hears of is
made at once: if it took a pause of its own, its length would tell that there was something.
"""

from __future__ import annotations

import traceback
from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, Command, Game
from engine.referee import Referee
from engine.refusal import RuleError
from engine.seats import secret
from engine.text import Text
from firmware_host.seats import bots
from firmware_host.table.play import TableGame

MOST_ACTS = 200
"""So many acts in a row, before anybody else acts, are no play any more: the bot would go on for ever."""
HURRIED = 0.3
"""Seconds between acts while people have no wish to wait. Only for seats without secrets: how long a hidden bot thinks
tells of what it does in secret, and needs the whole pause to cover it."""


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
        place = traceback.extract_tb(cause.__traceback__)[-1]
        return f"{type(cause).__name__} in {place.filename}, line {place.lineno}"


class BotPlayer:
    """A bot at one seat of one game, which hears what its seat is told before it is asked."""

    def __init__(self, name: str, game: Game, seat: str, view: Any, luck: Chance) -> None:
        self._bot = bots.seated(name, game, seat, view)
        self._seat, self._luck, self._heard = seat, luck, 0

    def ask(self, referee: Referee) -> Command:
        """What it wants to do now."""
        told = referee.told[self._seat]
        for event in told[self._heard :]:
            self._bot.told(event)
        self._heard = len(told)
        return self._bot.choose(referee.pictures[self._seat], referee.legal(self._seat), self._luck)


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
    """The bots at a table's seats. `pause` is seconds between what others hear of."""

    def __init__(self, pause: float, luck: Chance) -> None:
        self.pause, self._luck = pause, luck
        self._names: dict[str, str] = {}
        self._seated: dict[str, BotPlayer] = {}
        self._referee: Referee | None = None
        self._decided: BotDecision | None = None
        self._since: float | None = None
        self._streak = ("", 0)
        self.hurried = False
        """Whether people would rather not wait, until one of them is to act."""

    def sit(self, names: Mapping[str, str]) -> None:
        """Seat -> bot from now on."""
        if names != self._names:
            self._names, self._seated = dict(names), {}
            self.rest()

    def rest(self) -> None:
        """Nothing is to be done now."""
        self._decided, self._since, self._streak = None, None, ("", 0)

    def leave(self) -> None:
        """No game is played any more: nothing of the last one is kept."""
        self.rest()
        self._referee, self._seated, self.hurried = None, {}, False

    def due(self) -> float | None:
        """When the next act is made, in the clock's seconds; None while none is."""
        if self._decided is None or self._since is None:
            return None
        hurries = self.hurried and not self._decided.hidden
        return self._since + (min(self.pause, HURRIED) if hurries else self.pause)

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
        decided = self._next(play)
        if decided is None:
            return False
        if decided.secret:
            self._make(play, decided)
        self._since = since  # the pause begins with the first thought, however many secret acts follow
        return decided.secret

    def _make(self, play: TableGame, decided: BotDecision) -> None:
        play.commit(decided.seat, decided.command, decided.telling)
        self._decided, self._since = None, None
        self._streak = decided.seat, self._row(decided.seat) + 1

    def _next(self, play: TableGame) -> BotDecision | None:
        """What the bot whose turn it is wants to do; None while it is nobody's of them."""
        seat = next((seat for seat in play.referee.to_act if seat in self._names), None)
        if seat is None:
            self.rest()
            self.hurried = False
        elif self._decided is None or not self._decided.stands(play):
            self._decided = self._decide(play, seat)
        return self._decided

    def _decide(self, play: TableGame, seat: str) -> BotDecision:
        command = self._asked(play, seat)
        try:
            telling = play.consider(seat, command)
        except RuleError as error:
            raise BotFailed(seat, self._names[seat]) from error
        hidden = seat in secret(play.seats)
        return BotDecision(seat, command, telling, play.referee, len(play.referee.told[REFEREE]), hidden)

    def _asked(self, play: TableGame, seat: str) -> Command:
        name = self._names[seat]
        if self._row(seat) >= MOST_ACTS:
            raise BotFailed(seat, name)
        if self._referee is not play.referee:  # another game, or one that has been told anew
            self._referee, self._seated = play.referee, {}
        try:
            if seat not in self._seated:
                view = play.game.blank(play.board, play.options)[seat]
                self._seated[seat] = BotPlayer(name, play.game, seat, view, self._luck)
            return self._seated[seat].ask(play.referee)
        except Exception as error:  # whatever a bot's code may do, people play on
            raise BotFailed(seat, name) from error

    def _row(self, seat: str) -> int:
        """How many acts a seat has made in a row."""
        last, acts = self._streak
        return acts if seat == last else 0
