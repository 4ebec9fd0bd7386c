"""Computer players: the protocol of a bot, and the bots that play any game. A game's own bots are in its `bots` folder.

A bot's file offers `KIND`, which says which seats the bot plays and how to create one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal, Protocol, get_args, runtime_checkable

from msgspec import Struct

from engine.advice import Advice
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.search.budget import Budget

Level = Literal["beginner", "easy", "medium", "strong", "expert"]
LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels of bots, the weakest first. Not every game has a bot of each level; `docs/levels.md` has measurements."""


class Bot(Protocol):
    """A player at one seat of one game. It knows what its seat was told, and never the truth.

    A bot without memory inherits from this class and leaves out `told`.

    The following bot ends its turn whenever it can::

        class Lazy:
            def __init__(self, game, seat, view): ...
            def told(self, event): ...
            def choose(self, view, legal, chance):
                return EndTurn() if EndTurn() in legal else legal[0]

        KIND = Kind(Lazy, level="easy")
    """

    def told(self, event: Event) -> None:
        """Note an event. Called for every event that the bot's seat receives, in order, from the start of the game."""
        return  # a bot may leave this method out

    def choose(self, view: Any, legal: Sequence[Command], chance: Chance) -> Command:
        """Return one of the legal acts of the bot's seat; `view` is what the seat sees.

        All randomness comes from `chance`.
        """


@runtime_checkable
class Thinking(Bot, Protocol):
    """A bot that looks ahead, and plays better the longer it may think. At a table it runs in its own process."""

    budget: Budget
    """How long the bot may think about its next act. Set by its caller before each act."""


@runtime_checkable
class Advising(Bot, Protocol):
    """A bot that judges acts, for the analysis of finished games. If it looks ahead, each call uses its budget."""

    def weigh(self, view: Any, legal: Sequence[Command], played: Command, chance: Chance) -> Advice:
        """Judge the legal acts of the bot's seat, including the one that was `played`; `view` is what the seat sees.

        Like `choose`, it knows only what its seat was told.
        """

    def appraise(self, truth: Any, chance: Chance) -> float:
        """Return the chance, from 0 to 1, that the bot's side wins from `truth`, the picture of the referee."""


@runtime_checkable
class Foreseeing(Advising, Protocol):
    """A bot that can tell whether an act was a step of a plan.

    If it was, the bot's next judgement applies to that act, too.
    """

    def foresaw(self, view: Any, command: Command, events: Sequence[Event], chance: Chance) -> bool:
        """Return whether the bot's seat knew from `view` that `command` would cause exactly these events.

        This is true if the result depended neither on luck nor on anything hidden.
        """


class Kind(Struct, frozen=True):
    """What a bot's file offers, for example `KIND = Kind(Digger, ("red", "blue"), level="medium")`.

    `sit(game, seat, view)` creates a bot; `view` is the picture of the seat before it was told anything. An empty
    `seats` means any seat. `level` is the strength among the bots of its game, None if not measured. `thinks`: `sit`
    returns a `Thinking` bot. `slow`: `choose` can take longer than 5 ms on a PC. Bots that think or are slow run in
    their own process at a table, so that no one waits for them.
    """

    sit: Callable[[Game, str, Any], Bot]
    seats: tuple[str, ...] = ()
    level: Level | None = None
    thinks: bool = False
    slow: bool = False

    @property
    def apart(self) -> bool:
        """Whether the bot runs in its own process at a table."""
        return self.thinks or self.slow

    def plays(self, seat: str) -> bool:
        """Return whether the bot plays this seat."""
        return not self.seats or seat in self.seats


def best(legal: Sequence[Command], worth: Callable[[Command], float], chance: Chance) -> Command:
    """Return the act with the highest worth, or a random one of several equally good acts."""
    return _best(legal, [worth(command) for command in legal], chance)


def best_with_slips(
    legal: Sequence[Command],
    worth: Callable[[Command], float],
    end: Command | None,
    chance: Chance,
    slips: int = 0,
    least: float = 0.0,
) -> Command:
    """Return the best act, or in `slips` of ten cases a random one of the acts worth more than `least`.

    If no act is worth more than `least`, return `end`, the act that ends the turn; None if the turn can't end yet.
    """
    values = [worth(command) for command in legal]
    useful = [command for command, value in zip(legal, values, strict=True) if command != end and value > least]
    if end is not None and not useful:
        return end
    if slips and useful and chance.roll("slip", range(10), "bots") < slips:
        slip: Command = chance.order("act", useful, "bots")[0]
        return slip
    return _best(legal, values, chance)


def _best(legal: Sequence[Command], values: Sequence[float], chance: Chance) -> Command:
    most = max(values)
    equal = [command for command, value in zip(legal, values, strict=True) if value == most]
    choice: Command = chance.order("best", equal, "bots")[0]
    return choice
