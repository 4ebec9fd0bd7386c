"""Bots at a table of people, who need time to follow.

An act that others will see is decided at once and made after a pause. A secret act is made at once, without its own
pause, which would reveal the act.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from msgspec import Struct

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, BadResult, Command, Game
from engine.referee import Referee
from engine.refusal import RuleError
from engine.search.budget import Budget
from engine.seats import secret_seats
from engine.text import Text
from firmware_host.core import bots
from firmware_host.core.errors import place_of
from firmware_host.core.guarded import GameFault, checked, unguarded
from firmware_host.play.game import TableGame
from firmware_host.seats.search_process import SeatedBot
from firmware_host.seats.searching import SearchFailed, SearchingPlayer, SearchProcess, close_all, seated_bot

MOST_ACTS = 200
"""Acts of one seat in a row after which its bot counts as failed, because it might never stop."""
HURRIED_PAUSE = 0.3
"""Seconds between acts while people don't want to wait.

Only for seats without secrets: the thinking time of a hidden bot would reveal its secret acts, so the whole pause is
needed to cover it.
"""
NO_TIME = Budget(lines=0)
"""The budget of a searching bot at a table where bots answer at once."""
LOOK_EVERY = 0.05
"""Seconds between two checks for the answer of a searching bot."""
PART, LEAST = 0.4, 0.01
"""The share of the remaining pause for which a hidden bot thinks about one act, and the minimum in seconds."""


class BotFailed(Exception):
    """The bot at `seat` has failed. Nothing that it knows is included, because that may be secret."""

    def __init__(self, seat: str, name: str) -> None:
        self.seat = seat
        self.name = name
        super().__init__(self.said(Text(seat)))

    def said(self, title: Text) -> Text:
        """Return the sentence for people at the table, with the title of the seat."""
        return Text("The bot {name} cannot go on for the {seat}.", name=bots.quoted_name(self.name), seat=title)

    @property
    def where(self) -> str:
        """The place in the code, for the bot's author."""
        cause = self.__cause__ or self
        # A searching bot fails in its own process, which sends only the place.
        if isinstance(cause, SearchFailed):
            return cause.place
        if isinstance(cause, GameFault):
            return f"{cause.kind} in {cause.place}"
        return place_of(cause)


class BotPlayer:
    """A bot at one seat of one game. Before it is asked, it receives the events of its seat."""

    def __init__(self, name: str, game: Game, seat: str, view: Any, luck: Chance, budget: Budget | None = None) -> None:
        """`budget` is for each act of a searching bot."""
        self._bot = bots.bot_at_seat(name, unguarded(game), seat, view)
        if budget is not None:
            bots.set_budget(self._bot, budget)
        self._seat, self._luck, self._heard = seat, luck, 0

    def ask(self, referee: Referee) -> Command:
        """Return the act that the bot chooses now."""
        events = referee.told[self._seat]
        # The bot folds its own picture, so it needs every event once and in order.
        for event in events[self._heard :]:
            self._bot.told(event)
        self._heard = len(events)
        command = self._bot.choose(referee.pictures[self._seat], referee.legal(self._seat), self._luck)
        # A bot from another author may return anything.
        if not isinstance(command, Command):
            raise BadResult
        return command


class BotDecision(Struct, frozen=True):
    """An act and its events, valid until the next act that is not a note. `acts` is the number of acts before it."""

    seat: str
    command: Command
    telling: tuple[Told, ...]
    referee: Referee
    acts: int
    hidden: bool
    """Whether the seat has secrets."""
    at: float
    """The time of the decision, in the clock's seconds."""

    def stands(self, play: TableGame) -> bool:
        """Return whether the bot would decide the same now."""
        # If it decided again after each note of others, its act would be late, and its next pause twice as long.
        return self.referee is play.referee and all(act.note for act in play.course.acts[self.acts :])

    @property
    def secret(self) -> bool:
        """Whether only the seat itself learns of the act."""
        # The referee receives every event, but is no person.
        viewers = [viewer for viewer in self.referee.pictures if viewer not in (self.seat, REFEREE)]
        return not any(told.audience.includes(viewer) for told in self.telling for viewer in viewers)


def covering_pause(pause: float, took: float) -> float:
    """Return the pause, doubled until it is as long as a decision took.

    A late decision, for example if a process had to start first, then shows only in whole steps, which hide the number
    of secret acts before it.
    """
    return pause * 2 ** max(0, math.ceil(math.log2(took / pause))) if 0 < pause < took else pause


class BotPlayers:
    """The bots at a table's seats. `pause` is the time between acts that others see, `thought` the time that a
    searching bot may think, both in seconds. `start` starts the process of a bot that searches or is slow. With 0 as
    `thought`, all bots answer at once.
    """

    def __init__(
        self,
        pause: float,
        luck: Chance,
        thought: float = 0.0,
        start: Callable[[SeatedBot], SearchProcess] = SearchProcess,
    ) -> None:
        self.pause, self.thought, self._luck, self.start = pause, thought, luck, start
        self._names: dict[str, str] = {}
        self._seated: dict[str, BotPlayer] = {}
        self._searching: dict[str, SearchingPlayer] = {}
        self._look: float | None = None
        self._referee: Referee | None = None
        self._decided: BotDecision | None = None
        self._since: float | None = None
        self._streak = ("", 0)
        self.hurried = False
        """Whether people don't want to wait for bots, until one of them is to act."""

    def sit(self, names: Mapping[str, str]) -> None:
        """Set which bot plays which seat."""
        # A bot that keeps its seat keeps what it has learned in this game.
        if names != self._names:
            self._names = dict(names)
            self._forget()
            self.rest()

    def rest(self) -> None:
        """Drop the decided act, because no bot is to act now."""
        self._decided, self._since, self._look, self._streak = None, None, None, ("", 0)

    def _forget(self) -> None:
        """End the bots, with all that they know."""
        close_all([player.process for player in self._searching.values()])
        self._seated, self._searching = {}, {}

    def leave(self) -> None:
        """Forget the game, because it has ended."""
        self.rest()
        self._forget()
        self._referee, self.hurried = None, False

    def due(self) -> float | None:
        """Return when to make the next act or to look for an answer, in the clock's seconds; None for never."""
        if self._decided is None or self._since is None:
            return self._look
        # The wait starts with the first thought, so that secret acts do not lengthen it.
        if self._decided.hidden:
            return self._since + covering_pause(self._hidden_pause(self._decided.seat), self._decided.at - self._since)
        return self._since + (min(self.pause, HURRIED_PAUSE) if self.hurried else self.pause)

    def _hidden_pause(self, seat: str) -> float:
        """Return the seconds from a hidden bot's first thought to its public act, whatever it thinks about."""
        searching = self._searching.get(seat)
        return self.pause + (self.thought if searching is not None and searching.thinks else 0.0)

    def act(self, play: TableGame, now: float) -> bool:
        """Make the act that is due. Return whether there was one."""
        decided, due = self._decided, self.due()
        if decided is None or due is None or now < due or not decided.stands(play):
            return False
        self._make(play, decided)
        return True

    def think(self, play: TableGame, now: float) -> bool:
        """Decide the next act, and make it if it is secret. Return whether it was. Raises `BotFailed`."""
        since = now if self._since is None else self._since
        decided = self._next(play, now, since)
        if decided is None:
            if self._look is not None:
                self._since = since
            return False
        # Others must not notice a secret act, so make it at once.
        if decided.secret:
            self._make(play, decided)
        self._since = since  # the pause starts with the first thought, however many secret acts follow
        return decided.secret

    def _make(self, play: TableGame, decided: BotDecision) -> None:
        """Make a decided act. Raises `BotFailed`, and then nothing has changed."""
        telling = decided.telling
        try:
            if len(play.course.acts) != decided.acts:  # after notes, the draws are different
                telling = play.consider(decided.seat, decided.command)
            play.commit(decided.seat, decided.command, telling)
        except (GameFault, RuleError) as fault:
            raise BotFailed(decided.seat, self._names[decided.seat]) from fault
        # Nothing is planned until the next turn of the loop, which asks who is to act now.
        self._decided, self._since, self._look = None, None, None
        self._streak = decided.seat, self._acts_in_a_row(decided.seat) + 1

    def _next(self, play: TableGame, now: float, since: float) -> BotDecision | None:
        """Return the decision of the bot whose turn it is; None if no bot is to act, or while it thinks."""
        seat = next((seat for seat in play.referee.to_act if seat in self._names), None)
        if seat is None:
            self.rest()
            self.hurried = False
        elif self._decided is None or not self._decided.stands(play):
            self._decided = self._decide(play, seat, now, since)
        return self._decided

    def _decide(self, play: TableGame, seat: str, now: float, since: float) -> BotDecision | None:
        command = self._ask_bot(play, seat, now, since)
        self._look = now + LOOK_EVERY if command is None else None
        if command is None:
            return None
        try:
            # The events are decided before the pause, so that only the commit is left when it ends.
            telling = play.consider(seat, command)
        except RuleError as error:
            raise BotFailed(seat, self._names[seat]) from error
        hidden = seat in secret_seats(play.seats)
        return BotDecision(seat, command, telling, play.referee, len(play.course.acts), hidden, now)

    def _ask_bot(self, play: TableGame, seat: str, now: float, since: float) -> Command | None:
        name = self._names[seat]
        # Acts without an end would block the whole table, however legal they are.
        if self._acts_in_a_row(seat) >= MOST_ACTS:
            raise BotFailed(seat, name)
        if self._referee is not play.referee:  # it is another game, or this one was rebuilt from the journal
            self._forget()
            self._referee = play.referee
        try:
            if self.thought and bots.find(play.game, name).apart:
                return self._poll_search(play, seat, now, since)
            if seat not in self._seated:
                view = play.game.blank(play.board, play.options)[seat]
                # A bot that joins later starts from the blank picture, and gets all past events when it is asked.
                player = checked(play.game.name, BotPlayer, name, play.game, seat, view, self._luck, NO_TIME)
                self._seated[seat] = player
            return checked(play.game.name, self._seated[seat].ask, play.referee)
        except GameFault as fault:
            play.refold()  # the bot may have changed the picture that it was given
            raise BotFailed(seat, name) from fault
        except Exception as error:  # any error of a bot's process; people play on
            raise BotFailed(seat, name) from error

    def _poll_search(self, play: TableGame, seat: str, now: float, since: float) -> Command | None:
        """Return the act of a bot in a process; None while it works. A bot without secrets may think for the whole
        time. A hidden one thinks for a part of what is left of its pause, so that several acts fit into it.
        """
        if seat not in self._searching:
            # Use a separate seed, from which the process cannot calculate the draws of the game.
            seed = self._luck.secret().hex()
            who = seated_bot(self._names[seat], play.game, seat, play.board, play.options, seed)
            thinks = bots.find(play.game, self._names[seat]).thinks
            self._searching[seat] = SearchingPlayer(self.start(who), seat, thinks)
        searching, left = self._searching[seat], since + self._hidden_pause(seat) - now
        # On a slow or busy computer, an answer takes longer than the bot may think.
        hidden = seat in secret_seats(play.seats)
        seconds = max(LEAST, PART * left - searching.late) if hidden else self.thought
        return searching.ask(play, min(seconds, self.thought), now)

    def _acts_in_a_row(self, seat: str) -> int:
        """Return the number of acts that a seat has made in a row."""
        last, acts = self._streak
        return acts if seat == last else 0
