"""Two people at the rules, without board or screens: `duel.sniper.moves("c3", "c4")`, and who was told what.

A duel starts from a position on a toy map. Every act checks on the way that menu and law agree: what is accepted was
on offer, what is refused was not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.events import Event
from engine.game import REFEREE, TABLE, Command
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused, RuleError
from games.sniper_elite import GAME
from games.sniper_elite.rules.described import SniperPart
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.words import TOKENS
from tests.toys import grid

GRID = grid()
OBJECTIVES = (1, 8)
"""b2 in the yellow sector and f4 in the black one."""
HAND = ("sound-masking", "s-mine", "distraction")
SPECIALISTS = {"yellow": {"card": "medic"}, "red": {"card": "scout"}, "black": {"card": "jaeger"}}
ALL = ("sniper", "defenders", TABLE)
SNIPER_FIELDS = SniperPart.__struct_fields__


class Duel:
    """A game with its two seats. `told` are the events of the last act with those who heard them."""

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
        """What everybody knows."""
        public: Picture = self.referee.pictures[TABLE]
        return public

    def units(self, *names: str) -> tuple[str | None, ...]:
        """Where units stand."""
        return tuple(self.truth.units[name] for name in names)

    @contextmanager
    def refuses(self, rule: str, words: str = "") -> Iterator[None]:
        """What is done inside is refused by `rule`, with a sentence, and changes nothing for anybody."""
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


def canonical(command: Command) -> Any:
    """A command as data, its sets in one order."""
    raw = msgspec.to_builtins(command)
    return {name: sorted(value) if name in ("cards", "spaces") else value for name, value in raw.items()}


def is_sentence(text: str) -> bool:
    """Whether a player can be told this."""
    return text[:1].isupper() and text.rstrip()[-1:] in ".!?" and "  " not in text and "None" not in text


class Seat:
    """Somebody who acts. `does` takes an action as the protocol writes it."""

    def __init__(self, duel: Duel, seat: str) -> None:
        self.duel, self.seat = duel, seat

    def does(self, kind: str, chance: list[tuple[str, Any]] | None = None, **fields: Any) -> list[Event]:
        """Act; the events that this made for the seat itself. Raises as the referee does."""
        referee = self.duel.referee
        command = GAME.read_command(self.seat, {"type": kind, **fields})
        menu = referee.legal(self.seat)
        before = len(referee.told[self.seat])
        self.duel.chance.force(chance or [])
        try:
            referee.submit(self.seat, command, self.duel.chance)
        except RuleError:
            assert command not in menu, f"{command} was on offer"
            raise
        finally:
            self.duel.chance.force([])
        assert any(canonical(offer) == canonical(command) for offer in menu), f"{command} was not on offer"
        return referee.told[self.seat][before:]

    @property
    def view(self) -> Picture:
        """The seat's picture."""
        picture: Picture = self.duel.referee.pictures[self.seat]
        return picture

    def menu(self, kind: type[Command]) -> list[Any]:
        """What of one kind the seat may do."""
        return [command for command in self.duel.referee.legal(self.seat) if type(command) is kind]

    @property
    def knows(self) -> list[Event]:
        """Everything that the seat was ever told."""
        return self.duel.referee.told[self.seat]

    def ends_turn(self) -> list[Event]:
        """End the turn."""
        return self.does("end-turn")


class Sniper(Seat):
    """The hidden player."""

    def returns(self, objective: int) -> list[Event]:
        """Put an objective under the deck."""
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
        """Shoot; `tokens` are those that come out, and then `draw` is their number."""
        return self.does("shoot", drawing(tokens), target=target, draw=draw or sum(tokens.values()))

    def plays(self, card: str, unit: str | None = None, to: str | None = None) -> list[Event]:
        """Play a card; `unit` and `to` are Distraction's."""
        return self.does("play", card=card, unit=unit, to=to)

    def bursts(self, target: str, second: int, **tokens: int) -> list[Event]:
        """The first of two shots with the Tommy Gun; `second` is announced with it."""
        return self.does("shoot", drawing(tokens), target=target, draw=sum(tokens.values()), second=second)

    def follows_up(self, target: str, **tokens: int) -> list[Event]:
        """The second of two shots."""
        return self.does("shoot-second", drawing(tokens), target=target)

    def blasts(self) -> list[Event]:
        """Fire the Trench Gun."""
        return self.does("shoot")

    def loots(self, *finding: str) -> list[Event]:
        """Loot; `finding` are the cards drawn."""
        return self.does("loot", [("loot", list(finding))] if finding else [])

    def keeps(self, card: str) -> list[Event]:
        """Keep one of the cards drawn."""
        return self.does("keep", card=card)

    def completes(self, objective: int) -> list[Event]:
        """Complete an objective."""
        return self.does("complete", objective=objective)


class Defenders(Seat):
    """The squads."""

    def choose(self, yellow: str, red: str, black: str) -> list[Event]:
        """Give specialists to the squads."""
        return self.does("choose-specialists", squads={"yellow": yellow, "red": red, "black": black})

    def move(self, unit: str, to: str) -> list[Event]:
        """Move a unit."""
        return self.does("move", unit=unit, to=to)

    def attack(self, unit: str) -> list[Event]:
        """Attack the unit's own space."""
        return self.does("attack", unit=unit)

    def strike(self, unit: str, space: str, use: str, **tokens: int) -> list[Event]:
        """Attack another space by a specialist; `tokens` are those that come out of the bag."""
        aimed = {"draw": sum(tokens.values())} if tokens else {}
        return self.does("attack", drawing(tokens), unit=unit, space=space, use=use, **aimed)

    def use(self, squad: str, **named: str) -> list[Event]:
        """Use a squad's specialist."""
        return self.does("ability", squad=squad, **named)

    def save(self, unit: str) -> list[Event]:
        """Let the medic save a soldier."""
        return self.does("save", unit=unit)

    def decline(self) -> list[Event]:
        """Let it happen."""
        return self.does("decline")

    def spot(self, unit: str, space: str) -> list[Event]:
        """Spot a neighbouring space."""
        return self.does("spot", unit=unit, space=space)

    def sweep(self, unit: str, *spaces: str) -> list[Event]:
        """Sweep the unit's space and `spaces`."""
        return self.does("sweep", unit=unit, spaces=spaces)

    def deploy(self, unit: str, space: str) -> list[Event]:
        """Bring a unit back."""
        return self.does("deploy", unit=unit, space=space)

    def dismiss(self, unit: str) -> list[Event]:
        """Take a unit off."""
        return self.does("dismiss", unit=unit)

    def gather_intel(self, squad: str) -> list[Event]:
        """Ask whether the sniper is in the squad's sector."""
        return self.does("intel", squad=squad)

    def mark(self, space: str) -> list[Event]:
        """Lay a tracking cube."""
        return self.does("mark", space=space)

    def unmark(self, space: str) -> list[Event]:
        """Take a tracking cube back."""
        return self.does("unmark", space=space)


def sniper_turn(space: str | None, board: Map = GRID, options: Any = None, seed: int = 0, **more: Any) -> Duel:
    """A duel in the sniper's turn, the sniper standing on `space`; `more` are members of the position."""
    me = {name: more.pop(name) for name in list(more) if name in SNIPER_FIELDS}
    standard = {"objectives": OBJECTIVES, "hand": HAND}
    position = {"specialists": SPECIALISTS, **more, "sniper": {**standard, **me, "space": space}}
    pictures = GAME.position(board, GAME.read_options(options), plain(position), Chance(Random(0)))
    return Duel(Referee(GAME, pictures), seed)


def defenders_turn(space: str | None, board: Map = GRID, options: Any = None, **more: Any) -> Duel:
    """The same in the defenders' turn."""
    return sniper_turn(space, board, options, turn="defenders", **more)


def fresh(board: Map = GRID, options: Any = None, chance: list[tuple[str, Any]] | None = None, seed: int = 0) -> Duel:
    """A duel before anything was chosen."""
    chosen = GAME.read_options(options)
    duel = Duel(Referee(GAME, GAME.blank(board, chosen)), seed)
    duel.referee.tell(GAME.setup(board, chosen, Chance(Random(seed), chance or [])))
    return duel


def drawing(tokens: Mapping[str, int]) -> list[tuple[str, Any]]:
    """Chance: just these tokens come out, if any are named."""
    return [("draw", {**dict.fromkeys(TOKENS, 0), **tokens})] if tokens else []


def objectives(*top: int) -> list[tuple[str, Any]]:
    """Chance: the objective deck with these cards on top."""
    return [("objectives", list(top))]


def plain(value: Any) -> Any:
    """Through JSON and back, as the protocol would bring it."""
    return msgspec.json.decode(msgspec.json.encode(value, enc_hook=str))


def viewers(duel: Duel, event: type[Event]) -> set[str]:
    """Who was ever told an event of this type, the referee aside."""
    told = duel.referee.told.items()
    return {who for who, events in told if who != REFEREE and any(type(one) is event for one in events)}
