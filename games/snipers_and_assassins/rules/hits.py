"""Hits: a Sniper dies, an Assassin retreats, with all consequences (SA-HIT-*, SA-MIN-05)."""

from __future__ import annotations

from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.picture import Telling
from games.snipers_and_assassins.rules.words import SNIPER, kind_of, seat_of

RETREAT = 2  # Number of spaces that an Assassin retreats (SA-HIT-04)


def hit(telling: Telling, marker: str) -> None:
    """Hit a marker: a Sniper dies, an Assassin retreats."""
    if kind_of(marker) == SNIPER:
        die(telling, marker)
    else:
        retreat(telling, marker)


def die(telling: Telling, sniper: str) -> None:
    """Replace a dead Sniper at its start, and give its owner another card (SA-HIT-01..03)."""
    seat, owner = seat_of(sniper), telling.truth.owner(sniper)
    assert owner.start is not None, "a Sniper has a start"
    telling.tell(events.SniperReplaced(sniper, telling.truth.at(sniper), owner.start))
    discard(telling, seat)
    draw(telling, seat)


def retreat(telling: Telling, assassin: str) -> None:
    """Move an Assassin back (SA-HIT-04, SA-R-18, SA-R-55). A mine where it ends explodes and locks it (SA-MIN-05)."""
    owner, space = telling.truth.owner(assassin), telling.truth.at(assassin)
    assert owner.start is not None, "an Assassin has a start"
    to = places.pushed_to(owner.start, space, RETREAT)
    telling.tell(events.Retreated(assassin, space, to))
    if to in telling.truth.mines:
        telling.tell(events.MineExploded(to, (assassin,)))
        telling.tell(events.Status(assassin, "locked", True))


def discard(telling: Telling, seat: str) -> None:
    """Discard a seat's card, if it has one."""
    card = telling.truth.players[seat].improvement
    if card is not None:
        telling.tell(events.ImprovementDiscarded(seat, card))


def draw(telling: Telling, seat: str) -> None:
    """Draw a card for a seat. If the deck is empty, shuffle the discard pile first (SA-HIT-03, SA-R-36)."""
    # If both piles are empty, the seat gets no card.
    if not telling.truth.deck and telling.truth.discard:
        shuffle(telling, telling.truth.discard, "SA-R-36")
    if telling.truth.deck:
        telling.tell(events.ImprovementDrawn(seat, telling.truth.deck[0]))


def shuffle(telling: Telling, cards: tuple[str, ...], rule: str) -> None:
    """Shuffle these cards into a new deck. `rule` is the rule that requires it."""
    deck = telling.chance.order("improvements", cards, rule)
    telling.tell(events.DeckShuffled(len(deck)))
    telling.keep(events.Deck(deck))


def explode(telling: Telling, space: str, snipers: tuple[str, ...]) -> None:
    """Explode a mine under Snipers. A Sniper with a mask loses it instead of dying (SA-MIN-02, SA-R-57)."""
    telling.tell(events.MineExploded(space, snipers))
    for sniper in snipers:
        if telling.truth.holds(seat_of(sniper), "mask"):
            discard(telling, seat_of(sniper))
        else:
            die(telling, sniper)
