"""Sample random truths consistent with everything the sniper has seen, with their real probabilities.

The hidden parts are the order of the defenders' deck, the face-down card, and the cards removed at the start: one
urgent card and a few others. The remaining loadout cards are known.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules.cards import without
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import is_urgent
from games.sniper_elite_solo.rules.picture import Pending, Picture


class Memory(Struct, frozen=True):
    """What a seat remembers of the defenders' cards.

    `seen` are the cards that have been face up. `shuffled` are the seen cards that went back into the deck after the
    face-down card was laid, so the face-down card is none of them. `first`: the face-down card was laid at the start,
    so it is urgent.
    """

    seen: frozenset[str] = frozenset()
    shuffled: frozenset[str] = frozenset()
    first: bool = False

    def after(self, event: Event) -> Memory:
        match event:
            case events.SlotsLaid(slots):
                return Memory(frozenset(slot.card for slot in slots if slot.card is not None), first=True)
            case events.SoloCardTurned(card):
                return replace(self, seen=self.seen | {card})
            case events.Slotted(None):
                return Memory(self.seen)
            case events.Slotted(str(card)):
                return replace(self, seen=self.seen | {card})
            case events.DeckShuffled():
                return replace(self, shuffled=self.seen)
        return self


def sample_truth(view: Picture, memory: Memory, random: Random) -> Picture:
    """Return a random truth that is possible for the sniper, who sees `view`."""
    hidden, deck = _solo_cards(view, memory, random)
    slots = tuple(replace(slot, card=hidden) if slot.card is None else slot for slot in view.slots)
    drawn = () if view.pending is None else view.pending.cards or ()
    left = without(view.loadout, (*view.hand, *view.used, *drawn))
    loot = left if len(left) == view.loot_size else tuple(random.sample(left, view.loot_size))
    return replace(view, slots=slots, deck=deck, loot_deck=loot, pending=_pending(view, random))


def _solo_cards(view: Picture, memory: Memory, random: Random) -> tuple[str | None, tuple[str, ...]]:
    """Return the face-down card, if any, and the deck."""
    open_cards = {slot.card for slot in view.slots} | set(view.discard)
    closed, seen = [card for card in view.cards_in_use if card not in open_cards], memory.seen | open_cards
    down = view.hidden_card
    # An urgent card that was never seen is either the one removed at the start or the first face-down card.
    never = [card for card in closed if card not in seen and is_urgent(card)]
    rest = [card for card in closed if card not in never]
    # The first face-down card is urgent, so it is one of those never seen.
    if down and memory.first and never:
        return random.choice(never), _deck(rest, seen, view.deck_size, random)
    number = view.deck_size + down
    cards = _deck(rest if len(rest) >= number else closed, seen, number, random)
    if not down:
        return None, cards
    # Cards shuffled back after the face-down card was laid can't be that card.
    hidden = random.choice([card for card in cards if card not in memory.shuffled] or cards)
    return hidden, tuple(card for card in cards if card != hidden)


def _deck(cards: list[str], seen: frozenset[str | None], number: int, random: Random) -> tuple[str, ...]:
    """Return `number` of the cards in random order, among them all `seen`, which were shuffled back."""
    back = [card for card in cards if card in seen]
    others = [card for card in cards if card not in seen]
    found = [*back, *random.sample(others, number - len(back))]
    random.shuffle(found)
    return tuple(found)


def _pending(view: Picture, random: Random) -> Pending | None:
    """Return the pending question. If an objective is to be returned, add the remaining objectives."""
    if view.pending is None or view.pending.name != "return-objective":
        return view.pending
    deck = [number for number in view.terrain.objectives if number not in view.mine]
    random.shuffle(deck)
    return replace(view.pending, deck=tuple(deck))
