"""The loadout cards (MP-LOAD-06, MP-LOAD-07), and how to play one (MP-LOAD-01..05, R-32).

Cards that affect a later part of the turn are checked there by name: Sound Masking in `movement.py`, the weapons in
`shooting.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from msgspec import Struct

from engine.chance import Chance
from engine.events import Told
from engine.graph import Map
from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Play
from games.sniper_elite.rules.mines import ended_on
from games.sniper_elite.rules.movement import unit_moves
from games.sniper_elite.rules.nest import GEAR, gear_of
from games.sniper_elite.rules.picture import Options, Picture
from games.sniper_elite.rules.rule import Rule, to_all, to_sniper
from games.sniper_elite.rules.words import called


def _plainly(view: Picture, card: str) -> Iterable[Play]:
    return [Play(card)]


class LoadoutCard(Struct, frozen=True):
    """A kind of card: its title, number of copies, text, and what playing it reveals.

    The text and the revealed information are one sentence each. `open_up`: shown at once, rather than laid face down.
    `lasts`: it affects this turn's shot. `barred(view)` returns why it can't be played at this time. `ways(view, card)`
    lists the ways to play it otherwise. `effect(truth, command)` yields its immediate events.
    """

    title: Text
    copies: int
    text: Text
    gives: Text
    open_up: bool
    barred: Callable[[Picture], Refused | None]
    lasts: bool = False
    ways: Callable[[Picture, str], Iterable[Play]] = _plainly
    effect: Callable[[Picture, Play], Iterable[Told]] = lambda truth, command: ()


# --- windows and effects ----------------------------------------------------------------------------------------


def _before_moving(view: Picture) -> Refused | None:
    return Refused("MP-LOAD-04", Text("Sound Masking has to be played before you move.")) if view.mine.moved else None


def _before_gear(view: Picture) -> Refused | None:
    return Refused("EN-R-30", Text("Gear has to be played before you move.")) if view.mine.moved else None


def _before_acting(view: Picture) -> Refused | None:
    if view.acted:
        return Refused("MP-LOAD-04", Text("A weapon has to be played before you shoot, loot or complete an objective."))
    return None


def _on_the_board(view: Picture) -> Refused | None:
    if view.mine.space is None:
        return Refused("MP-TURN-09", Text("That card needs a space to stand on: enter the board first."))
    return None


def _lay_mine(truth: Picture, command: Play) -> Iterator[Told]:
    yield to_sniper(events.MineLaid(str(truth.mine.space)))


def _distractions(view: Picture, card: str) -> list[Play]:
    """Return every unit with every space that it can reach and the sniper can see (R-39, R-40)."""
    here = str(view.mine.space)
    return [
        Play(card, unit, move.to)
        for unit, standing in view.units.items()
        if standing is not None
        # Distraction moves a unit like its own Move, but only to where the sniper sees it.
        for move in unit_moves(view, unit)
        if view.map.distance(here, move.to) is not None
    ]


def _distract(truth: Picture, command: Play) -> Iterator[Told]:
    unit, to = str(command.unit), str(command.to)
    yield to_all(events.Distracted(unit, str(truth.units[unit]), to))
    yield from ended_on(truth, unit, to)


SHOWN: Final = Text("Everyone sees the card. It lasts for this turn only.")

CARDS: Final[dict[str, LoadoutCard]] = {
    "sound-masking": LoadoutCard(
        Text("Sound Masking"),
        2,
        Text("This turn a move of two or three spaces alerts nobody."),
        Text("It is laid face down: everyone sees that you play a card, but not which one."),
        False,
        _before_moving,
    ),
    "s-mine": LoadoutCard(
        Text("S-Mine"),
        2,
        Text("Mine your space: the next unit that ends a movement there is killed."),
        Text("It is laid face down: everyone sees that you play a card, but not which one or where."),
        False,
        _on_the_board,
        effect=_lay_mine,
    ),
    "silenced-ammo": LoadoutCard(
        Text("Silenced Ammo"),
        2,
        Text("This turn drawn noise counts as recoil: shots reveal nothing."),
        SHOWN,
        True,
        _before_acting,
        lasts=True,
    ),
    "distraction": LoadoutCard(
        Text("Distraction"),
        2,
        Text("Move any unit up to two spaces to where you can see it."),
        Text("Everyone sees the card and the unit that moves, so you can see its new space."),
        True,
        _on_the_board,
        ways=_distractions,
        effect=_distract,
    ),
    "tommy-gun": LoadoutCard(
        Text("Tommy Gun"),
        1,
        Text("Your shoot action may be two shots, both announced first."),
        SHOWN,
        True,
        _before_acting,
        lasts=True,
    ),
    "trench-gun": LoadoutCard(
        Text("Trench Gun"),
        1,
        Text("No draw: all units here and matching-adjacent die; you are seen."),
        SHOWN,
        True,
        _before_acting,
        lasts=True,
    ),
}

WEAPONS: Final = tuple(name for name, card in CARDS.items() if card.lasts)
"""Cards that affect this turn's shot (MP-LOAD-10, MP-LOAD-12, MP-LOAD-16)."""
FULL_DECK: Final = tuple(name for name, card in CARDS.items() for _ in range(card.copies))


GEAR_CARDS: Final[dict[str, LoadoutCard]] = {
    name: LoadoutCard(gear.title, gear.copies, gear.text, SHOWN, True, _before_gear, lasts=True)
    for name, gear in GEAR.items()
}
"""Eagle's Nest's cards. They are in the deck if the options and the map allow it (EN-LDO-01..03)."""
EVERY_CARD: Final = {**CARDS, **GEAR_CARDS}
_ORDER: Final = {name: number for number, name in enumerate(EVERY_CARD)}
LASTING: Final = (*WEAPONS, *GEAR_CARDS)  # Open cards that affect a later part of the turn


def deck_of(board: Map, options: Options) -> tuple[str, ...]:
    """Return all loadout cards of a game before it starts (MP-LOAD-06, EN-LDO-01..03)."""
    return (*FULL_DECK, *(gear_of(board) if options.gear else ()))


def full_deck(view: Picture) -> tuple[str, ...]:
    """Return all loadout cards of a game, in card order (MP-LOAD-06, EN-D-07)."""
    return deck_of(view.map, view.options)


def in_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return cards in the order of the table above."""
    return tuple(sorted(cards, key=_ORDER.__getitem__))


def without(cards: Sequence[str], taken: Iterable[str]) -> tuple[str, ...]:
    """Return `cards` without one copy of each card `taken`."""
    left = [*cards]
    for card in taken:
        if card in left:
            left.remove(card)
    return in_order(left)


# --- playing one ------------------------------------------------------------------------------------------------


def why_not_play(view: Picture, card: str) -> Refused | None:
    """Return why a card in hand can't be played now, or None."""
    if view.carded:
        return Refused("MP-LOAD-02", Text("You have already played a card this turn."))
    # With R-06 off, cards can't be played before entering the board.
    if view.mine.space is None and not view.options.stands("R-06"):
        return Refused("MP-TURN-09", Text("Enter the board before you play a card."))
    if (why := EVERY_CARD[card].barred(view)) is not None:
        return why
    if not EVERY_CARD[card].ways(view, card):
        return Refused("MP-LOAD-11", Text("No unit can be moved to a space that you see."))
    return None


def _offers(view: Picture) -> Iterator[Play]:
    for card in dict.fromkeys(view.mine.hand):
        if why_not_play(view, card) is None:
            yield from EVERY_CARD[card].ways(view, card)


def _check(view: Picture, command: Play) -> Play:
    card = EVERY_CARD[command.card]
    if command.card not in view.mine.hand:
        raise Refused("MP-LOAD-20", Text("You do not hold {title}.", title=card.title))
    if (why := why_not_play(view, command.card)) is not None:
        raise why
    require_way(command, card.ways(view, command.card), "MP-LOAD-11")
    return command


def require_way(command: Play, ways: Iterable[Play], rule: str) -> None:
    """Raise `Refused`, with the `rule`, or `NotUnderstood` for a play that is none of the `ways` to play its card."""
    title = EVERY_CARD[command.card].title
    if command in ways:
        return
    # The card has no choices, but the command makes one.
    if EVERY_CARD[command.card].ways is _plainly:
        raise NotUnderstood(Text("{title} takes neither a unit nor a space.", title=title))
    if command.unit is None or command.to is None:
        raise NotUnderstood(Text("{title} takes a unit and the space where it goes.", title=title))
    text = Text("{unit} cannot be moved to {to} where you see it.")
    raise Refused(rule, text, unit=called(command.unit), to=command.to)


def _decide(truth: Picture, command: Play, chance: Chance) -> Iterator[Told]:
    card = EVERY_CARD[command.card]
    # A face-down card is named to the sniper only.
    yield to_all(events.CardPlayed(command.card if card.open_up else None))
    if not card.open_up:
        yield to_sniper(events.CardLaid(command.card))
    yield from card.effect(truth, command)


RULES = [Rule(Play, _offers, _check, _decide)]
