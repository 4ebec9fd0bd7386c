"""A game for two seats without board or screens: `duel.sniper.moves("c3", "c4")` plays an act and records its events.

A duel starts from a position on a toy map. Each act checks that the list of legal commands matches the rules: an
accepted act was listed, a refused one was not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any, Self

import msgspec
import pytest

from engine.bots import Bot
from engine.chance import Chance
from engine.events import EVERYONE, Event, Told
from engine.game import REFEREE, TABLE, Command
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused, RuleError
from firmware_host.core import bots
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import EndDefendersTurn, EndSniperTurn
from games.sniper_elite.rules.described import SniperPart
from games.sniper_elite.rules.events import Revealed
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import TOKENS
from tests.toys import grid

GRID = grid()
OBJECTIVES = (1, 8)
"""B2 in the yellow sector and f4 in the black one."""
HAND = ("sound-masking", "s-mine", "distraction")
SPECIALISTS = {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}}
ALL = ("sniper", "defenders", TABLE)
SNIPER_FIELDS = SniperPart.__struct_fields__


class Duel:
    """A game with its two seats. `told` are the events of the last act with their audiences."""

    def __init__(self, referee: Referee, seed: int = 0) -> None:
        self.referee = referee
        self.chance = Chance(Random(seed))
        self.sniper, self.defenders = Sniper(self, "sniper"), Defenders(self, "defenders")

    @property
    def truth(self) -> Picture:
        """The referee's picture."""
        truth: Picture = self.referee.truth
        return truth

    @property
    def table(self) -> Picture:
        """The public picture."""
        public: Picture = self.referee.pictures[TABLE]
        return public

    def units(self, *names: str) -> tuple[str | None, ...]:
        """Return the spaces of these units."""
        return tuple(self.truth.units[name] for name in names)

    @contextmanager
    def refuses(self, rule: str, words: str = "") -> Iterator[None]:
        """Assert that `rule` refuses the act inside, with a sentence, and that nothing changes for any viewer."""
        pictures, chance = dict(self.referee.pictures), self.chance.mark()
        told = {viewer: len(events) for viewer, events in self.referee.told.items()}
        with pytest.raises(Refused) as caught:
            yield
        assert caught.value.rule == rule, caught.value.sentence
        assert is_sentence(caught.value.sentence)
        assert words in caught.value.sentence
        assert self.referee.pictures == pictures
        assert self.chance.mark() == chance
        assert {viewer: len(events) for viewer, events in self.referee.told.items()} == told


class BotTurn:
    """The turn of a described position, played by a bot at its seat."""

    def __init__(self, bot: str, seat: str, duel: Duel) -> None:
        self.referee, self.chance, self.seat = duel.referee, Chance(Random(1)), seat
        self.bot: Bot = bots.bot_at_seat(bot, GAME, seat, self.view)
        self.told = 0

    @property
    def view(self) -> Picture:
        """Return what the seat sees."""
        view: Picture = self.referee.pictures[self.seat]
        return view

    def revealed_on(self, space: str) -> Self:
        """Reveal the sniper's position to all viewers, and return the turn."""
        self.referee.tell([Told(Revealed(space, "spot"), EVERYONE)])
        return self

    def acts(self) -> Command:
        """Play and return the bot's next act."""
        heard = self.referee.told[self.seat]
        for event in heard[self.told :]:
            self.bot.told(event)
        self.told = len(heard)
        command = self.bot.choose(self.view, self.referee.legal(self.seat), self.chance)
        self.referee.submit(self.seat, command, self.chance)
        return command

    def turn(self) -> list[Command]:
        """Play and return all acts up to the end of the turn or the game."""
        found = [self.acts()]
        while not isinstance(found[-1], EndSniperTurn | EndDefendersTurn) and self.view.over is None:
            found.append(self.acts())
        return found


def canonical(command: Command) -> Any:
    """Return a command as data, with its sets in a fixed order."""
    raw = msgspec.to_builtins(command)
    return {name: sorted(value) if name in ("cards", "spaces") else value for name, value in raw.items()}


def is_sentence(text: str) -> bool:
    """Return whether a text is a proper sentence for players."""
    return text[:1].isupper() and text.rstrip()[-1:] in ".!?" and "  " not in text and "None" not in text


class Seat:
    """A seat that acts. `does` takes an action as the protocol writes it."""

    def __init__(self, duel: Duel, seat: str) -> None:
        self.duel, self.seat = duel, seat

    def does(self, kind: str, chance: list[tuple[str, Any]] | None = None, **fields: Any) -> list[Event]:
        """Submit an act and return its events for the seat. Raises the referee's errors."""
        referee = self.duel.referee
        command = GAME.read_command(self.seat, {"type": kind, **fields})
        menu = referee.legal(self.seat)
        before = len(referee.told[self.seat])
        self.duel.chance.force(chance or [])
        try:
            referee.submit(self.seat, command, self.duel.chance)
        except RuleError:
            assert command not in menu, f"{command} was listed"
            raise
        finally:
            self.duel.chance.force([])
        assert any(canonical(offer) == canonical(command) for offer in menu), f"{command} was not listed"
        return referee.told[self.seat][before:]

    @property
    def view(self) -> Picture:
        """Return the seat's picture."""
        picture: Picture = self.duel.referee.pictures[self.seat]
        return picture

    def menu(self, kind: type[Command]) -> list[Any]:
        """Return the legal acts of one type."""
        return [command for command in self.duel.referee.legal(self.seat) if type(command) is kind]

    @property
    def knows(self) -> list[Event]:
        """Return all events that the seat has got."""
        return self.duel.referee.told[self.seat]

    def ends_turn(self) -> list[Event]:
        """End the turn."""
        return self.does("end-turn")


class Sniper(Seat):
    """The hidden player."""

    def returns(self, objective: int) -> list[Event]:
        """Return an objective to the bottom of the deck."""
        return self.does("return-objective", objective=objective)

    def keeps_loadout(self, *cards: str) -> list[Event]:
        """Choose the loadout."""
        return self.does("choose-loadout", cards=cards)

    def enters_by(self, sector: str) -> list[Event]:
        """Mark an arrow."""
        return self.does("choose-entry", sector=sector)

    def moves(self, *path: str) -> list[Event]:
        """Move along `path`, the starting space left out."""
        return self.does("move", path=path)

    def shoots(self, target: str, draw: int | None = None, **tokens: int) -> list[Event]:
        """Shoot. If `tokens` are given, they are drawn, and `draw` is their number."""
        return self.does("shoot", drawing(tokens), target=target, draw=draw or sum(tokens.values()))

    def plays(self, card: str, unit: str | None = None, to: str | None = None) -> list[Event]:
        """Play a card. `unit` and `to` are for Distraction."""
        return self.does("play", card=card, unit=unit, to=to)

    def bursts(self, target: str, second: int, **tokens: int) -> list[Event]:
        """Fire the first of two shots with the Tommy Gun. `second` is announced with it."""
        return self.does("shoot", drawing(tokens), target=target, draw=sum(tokens.values()), second=second)

    def follows_up(self, target: str, **tokens: int) -> list[Event]:
        """Fire the second of two shots."""
        return self.does("shoot-second", drawing(tokens), target=target)

    def blasts(self) -> list[Event]:
        """Fire the Trench Gun."""
        return self.does("shoot")

    def loots(self, *finding: str) -> list[Event]:
        """Loot. `finding` are the cards drawn."""
        return self.does("loot", [("loot", list(finding))] if finding else [])

    def keeps(self, card: str) -> list[Event]:
        """Keep one of the drawn cards."""
        return self.does("keep", card=card)

    def completes(self, objective: int) -> list[Event]:
        """Complete an objective."""
        return self.does("complete", objective=objective)


class Defenders(Seat):
    """The squads."""

    def choose(self, yellow: str, red: str, black: str) -> list[Event]:
        """Assign specialists to the squads."""
        return self.does("choose-specialists", squads={"yellow": yellow, "red": red, "black": black})

    def move(self, unit: str, to: str) -> list[Event]:
        """Move a unit."""
        return self.does("move", unit=unit, to=to)

    def attack(self, unit: str) -> list[Event]:
        """Attack the unit's own space."""
        return self.does("attack", unit=unit)

    def strike(self, unit: str, space: str, use: str, **tokens: int) -> list[Event]:
        """Attack another space with a specialist. `tokens` are those that are drawn from the bag."""
        aimed = {"draw": sum(tokens.values())} if tokens else {}
        return self.does("attack", drawing(tokens), unit=unit, space=space, use=use, **aimed)

    def use(self, squad: str, **named: str) -> list[Event]:
        """Use a squad's specialist."""
        return self.does("ability", squad=squad, **named)

    def save(self, unit: str) -> list[Event]:
        """Let the medic save a soldier."""
        return self.does("save", unit=unit)

    def decline(self) -> list[Event]:
        """Do not let the medic help."""
        return self.does("decline")

    def spot(self, unit: str, space: str) -> list[Event]:
        """Spot an adjacent space."""
        return self.does("spot", unit=unit, space=space)

    def sweep(self, unit: str, *spaces: str) -> list[Event]:
        """Sweep the unit's space and `spaces`."""
        return self.does("sweep", unit=unit, spaces=spaces)

    def deploy(self, unit: str, space: str) -> list[Event]:
        """Deploy a unit."""
        return self.does("deploy", unit=unit, space=space)

    def dismiss(self, unit: str) -> list[Event]:
        """Dismiss a unit."""
        return self.does("dismiss", unit=unit)

    def gather_intel(self, squad: str) -> list[Event]:
        """Ask whether the sniper is in the squad's sector."""
        return self.does("intel", squad=squad)

    def mark(self, space: str) -> list[Event]:
        """Place a tracking cube."""
        return self.does("mark", space=space)

    def unmark(self, space: str) -> list[Event]:
        """Remove a tracking cube."""
        return self.does("unmark", space=space)


def sniper_turn(space: str | None, board: Map = GRID, options: Any = None, seed: int = 0, **more: Any) -> Duel:
    """Return a duel in the sniper's turn with the sniper on `space`. `more` are fields of the position."""
    me = {name: more.pop(name) for name in list(more) if name in SNIPER_FIELDS}
    standard = {"objectives": OBJECTIVES, "hand": HAND}
    position = {"specialists": SPECIALISTS, **more, "sniper": {**standard, **me, "space": space}}
    pictures = GAME.position(board, GAME.read_options(options), plain(position), Chance(Random(0)))
    return Duel(Referee(GAME, pictures), seed)


def defenders_turn(space: str | None, board: Map = GRID, options: Any = None, **more: Any) -> Duel:
    """Return a duel in the defenders' turn."""
    return sniper_turn(space, board, options, turn="defenders", **more)


def fresh(board: Map = GRID, options: Any = None, chance: list[tuple[str, Any]] | None = None, seed: int = 0) -> Duel:
    """Return a duel before any choice."""
    chosen = GAME.read_options(options)
    duel = Duel(Referee(GAME, GAME.blank(board, chosen)), seed)
    duel.referee.tell(GAME.setup(board, chosen, Chance(Random(seed), chance or [])))
    return duel


def drawing(tokens: Mapping[str, int]) -> list[tuple[str, Any]]:
    """Return chance in which exactly these tokens are drawn, if any are given."""
    return [("draw", {**dict.fromkeys(TOKENS, 0), **tokens})] if tokens else []


def objectives(*top: int) -> list[tuple[str, Any]]:
    """Return chance with these cards on top of the objective deck."""
    return [("objectives", list(top))]


def plain(value: Any) -> Any:
    """Convert to JSON and back, as the protocol does."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def kinds(heard: list[Any]) -> list[str]:
    """Return the names of the events."""
    return [type(event).__name__ for event in heard]


def viewers(duel: Duel, event: type[Event]) -> set[str]:
    """Return all viewers, except the referee, that ever got an event of this type."""
    told = duel.referee.told.items()
    return {who for who, events in told if who != REFEREE and any(type(one) is event for one in events)}
