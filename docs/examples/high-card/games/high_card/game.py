"""High Card, a game without a map: two secret hands, and both players choose a card at the same time.

What this example shows: `decide_for`, where several seats act in any order; a choice that its seat alone is told, and a
second event that tells everyone that the seat has chosen; `position`, which draws the hidden cards again; `reveals`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import REFEREE, Command, Ending
from engine.graph import Map
from engine.plain import Draw, NoOptions, Picture, PlainGame, Refusal
from engine.refusal import NotUnderstood, Refused
from engine.seats import Seat
from engine.text import Text

RED, BLUE = PLAYERS = ("red", "blue")
CARDS = tuple(range(1, 13))
HAND = 5
"""Number of cards that each player gets, which is also the number of tricks."""
SEATS = {name: Seat(name, Text(name), secret=True) for name in PLAYERS}


class Lay(Command, tag="lay", frozen=True):
    """Choose a card of the own hand."""

    card: int


class Dealt(Event, tag="dealt", frozen=True):
    """A hand. Only its seat gets this event."""

    seat: str
    cards: tuple[int, ...]


class Chosen(Event, tag="chosen", frozen=True):
    """The choice of a card. Only its seat gets this event."""

    seat: str
    card: int


class Ready(Event, tag="ready", frozen=True):
    """A seat has chosen its card."""

    seat: str


class Turned(Event, tag="turned", frozen=True):
    """Both cards are turned over."""

    red: int
    blue: int


class Position(Struct, frozen=True, forbid_unknown_fields=True):
    """What changes during play. A hand or a choice that the viewer does not know is None.

    A chosen card stays in the hand until it is turned over. `tricks` has the cards that were turned over, red's first.
    """

    red: tuple[int, ...] | None = None
    blue: tuple[int, ...] | None = None
    chosen: dict[str, int | None] = {}
    tricks: tuple[tuple[int, int], ...] = ()

    def hand(self, seat: str) -> tuple[int, ...]:
        """Return the hand of a seat whose hand is known."""
        return (self.red if seat == RED else self.blue) or ()

    @property
    def over(self) -> bool:
        """Return whether all cards have been turned over."""
        return len(self.tricks) == HAND

    @property
    def points(self) -> dict[str, int]:
        """Return how many tricks each player has won."""
        won = [RED if red > blue else BLUE for red, blue in self.tricks]
        return {seat: won.count(seat) for seat in PLAYERS}


class HighCard(PlainGame):
    """Two players lay five cards each; the higher card wins the trick."""

    name = "high-card"
    title = "High Card"
    about = Text("Both choose a card at the same time. The higher one wins the trick.")
    reveals = ("turned",)
    players = tuple(SEATS.values())
    command_types = Lay
    event_types = Dealt | Chosen | Ready | Turned
    position_type = Position
    draws = (Draw("cards", Dealt, "cards", joined=True),)
    refusals = (
        Refusal("HC-LAY-01", Text("You have chosen a card already.")),
        Refusal("HC-LAY-01", Text("This card is not in your hand."), Lay),
    )

    # --- starting ---------------------------------------------------------------------------------------------------

    def setup(self, board: Map | None, options: NoOptions, chance: Chance) -> Iterator[Told]:
        """Deal five cards to each player; no one sees the two that are left."""
        deck = chance.order("cards", CARDS, "HC-DEAL-01")
        yield Told(Dealt(RED, deck[:HAND]), only(RED))
        yield Told(Dealt(BLUE, deck[HAND : 2 * HAND]), only(BLUE))

    def completed(self, view: Picture, chance: Chance) -> Position:
        """Return a described position with the hands and choices that are left out."""
        return _drawn(view.at, chance)

    def seen_by(self, viewer: str, at: Position) -> Position:
        """Return what a viewer knows: a player the own hand and choice."""
        if viewer == REFEREE:
            return at
        hidden = replace(at, red=None, blue=None, chosen=dict.fromkeys(at.chosen))
        if viewer not in PLAYERS:
            return hidden
        chosen = {seat: card if seat == viewer else None for seat, card in at.chosen.items()}
        return replace(hidden, **{viewer: at.hand(viewer)}, chosen=chosen)

    # --- playing ----------------------------------------------------------------------------------------------------

    def to_act(self, view: Picture) -> tuple[str, ...]:
        """Return the seats that still have to choose."""
        return () if view.at.over else tuple(seat for seat in PLAYERS if seat not in view.at.chosen)

    def legal(self, view: Picture, seat: str) -> list[Command]:
        return [Lay(card) for card in view.at.hand(seat)] if seat in self.to_act(view) else []

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        if view.at.over:
            raise Refused("HC-END-01", Text("The game is over."))
        return super().check(view, seat, command)

    def decide_for(self, truth: Picture, seat: str, command: Lay, chance: Chance) -> Iterator[Told]:
        """Return the choice of `seat`, and both cards after the second choice."""
        yield Told(Chosen(seat, command.card), only(seat))
        yield Told(Ready(seat), EVERYONE)
        chosen = {**truth.at.chosen, seat: command.card}
        if len(chosen) == len(PLAYERS):
            yield Told(Turned(*(int(chosen[player] or 0) for player in PLAYERS)), EVERYONE)

    def fold(self, view: Picture, event: Event) -> Picture:
        return replace(view, at=_after(view.at, event))

    def view(self, view: Picture) -> dict[str, Any]:
        return {**self.state(view), "points": view.at.points, "to_act": self.to_act(view)}

    # --- words ------------------------------------------------------------------------------------------------------

    def sentence(self, event: Event) -> Text:
        match event:
            case Dealt(_, cards):
                return Text("Your cards are {cards}.", cards=", ".join(map(str, sorted(cards))))
            case Chosen(_, card):
                return Text("You choose the {card}.", card=card)
            case Ready(seat):
                return Text("{who} has chosen a card.", who=SEATS[seat].title)
            case Turned(red, blue):
                winner = RED if red > blue else BLUE
                text = Text("Red shows the {red}, blue the {blue}. {who} wins the trick.")
                return text.with_(red=red, blue=blue, who=SEATS[winner].title)
        raise AssertionError(f"no event of this game: {event}")

    def caption(self, command: Lay) -> Text:
        return Text("Lay the {card}", card=command.card)

    def summary(self, view: Picture) -> list[tuple[Text, str]]:
        """Return the tricks of each player."""
        return [(Text("Tricks of {who}", who=SEATS[seat].title), str(won)) for seat, won in view.at.points.items()]

    def outcome(self, view: Picture) -> Text | None:
        if not view.at.over:
            return None
        winner = max(PLAYERS, key=view.at.points.__getitem__)
        return Text("{who} wins with {number} tricks.", who=SEATS[winner].title, number=view.at.points[winner])

    def ending(self, view: Picture) -> Ending | None:
        """Return the winner. Five tricks can't be shared equally."""
        if not view.at.over:
            return None
        return Ending((max(PLAYERS, key=view.at.points.__getitem__),), "tricks", HAND)


def _drawn(given: Position, chance: Chance) -> Position:
    """Return a position with hands and choices that fit what is given. Raises `NotUnderstood`."""
    left = HAND - len(given.tricks)
    turned = [card for trick in given.tricks for card in trick]
    known = [*turned, *given.hand(RED), *given.hand(BLUE)]
    if left < 0 or len({*known}) != len(known) or not {*known} <= {*CARDS} or not {*given.chosen} <= {*PLAYERS}:
        raise NotUnderstood(Text("The position has a card twice, or cards or players that the game does not have."))
    rest = [*chance.order("cards", [card for card in CARDS if card not in known], "HC-DEAL-01")]
    at = given
    for seat in PLAYERS:
        if getattr(at, seat) is None:
            card = at.chosen.get(seat)
            own = [] if card is None or card not in rest else [card]
            rest = [other for other in rest if other not in own]
            missing = left - len(own)
            at = replace(at, **{seat: (*own, *rest[:missing])})
            rest = rest[missing:]
        if at.chosen.get(seat, 0) is None:
            at = replace(at, chosen={**at.chosen, seat: chance.order("cards", at.hand(seat), "HC-LAY-01")[0]})
        if len(at.hand(seat)) != left or at.chosen.get(seat) not in (None, *at.hand(seat)):
            raise NotUnderstood(Text("Each player has {number} cards, the chosen one is one of them.", number=left))
    return at


def _after(at: Position, event: Event) -> Position:
    match event:
        case Dealt(seat, cards):
            return replace(at, **{seat: cards})
        case Chosen(seat, card):
            return replace(at, chosen={**at.chosen, seat: card})
        case Ready(seat):
            return replace(at, chosen={seat: None, **at.chosen})
        case Turned(red, blue):
            left = {RED: _without(at.red, red), BLUE: _without(at.blue, blue)}
            return replace(at, **left, chosen={}, tricks=(*at.tricks, (red, blue)))
    raise AssertionError(f"no event of this game: {event}")


def _without(hand: tuple[int, ...] | None, card: int) -> tuple[int, ...] | None:
    return None if hand is None else tuple(other for other in hand if other != card)


GAME = HighCard()
