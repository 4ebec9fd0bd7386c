"""What the sniper does not see, dealt so that it fits all that it has seen, each way as likely as it is.

Hidden are the order of the defenders' deck, the card that lies face down, and which cards were removed at the start:
one urgent card and a few others. Which loadout cards are left is known.
"""

from __future__ import annotations

from random import Random

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite_solo.rules import events
from games.sniper_elite_solo.rules.cards import in_use
from games.sniper_elite_solo.rules.options import chosen_deck
from games.sniper_elite_solo.rules.picture import Pending, Picture, is_urgent, lies_down
from games.sniper_elite_solo.rules.setup import card_set
from games.sniper_elite_solo.rules.words import without


class Memory(Struct, frozen=True):
    """What a seat remembers of the defenders' cards. `seen` have lain open. `shuffled` are those of them that went back
    into the deck after the card that lies face down was laid: it is none of these. `first`: it is an urgent card, laid
    at the start.
    """

    seen: frozenset[str] = frozenset()
    shuffled: frozenset[str] = frozenset()
    first: bool = False

    def after(self, event: Event) -> Memory:
        """Once its seat was told of `event`."""
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


def dealt(view: Picture, memory: Memory, random: Random) -> Picture:
    """A truth that the sniper, who sees `view`, has to reckon with."""
    hidden, deck = _solo_cards(view, memory, random)
    slots = tuple(replace(slot, card=hidden) if slot.card is None else slot for slot in view.slots)
    drawn = () if view.pending is None else view.pending.cards or ()
    left = without(view.loadout, (*view.hand, *view.used, *drawn))
    loot = left if len(left) == view.loot_size else tuple(random.sample(left, view.loot_size))
    return replace(view, slots=slots, deck=deck, loot_deck=loot, pending=_pending(view, random))


def _solo_cards(view: Picture, memory: Memory, random: Random) -> tuple[str | None, tuple[str, ...]]:
    """The card that lies face down, if any, and the deck."""
    open_cards = {slot.card for slot in view.slots} | set(view.discard)
    usable = in_use(card_set(view.map, view.options), chosen_deck(view.options))
    closed, seen = [card for card in usable if card not in open_cards], memory.seen | open_cards
    down, never = lies_down(view.slots), [card for card in closed if card not in seen and is_urgent(card)]
    rest = [card for card in closed if card not in never]
    if down and memory.first and never:
        return random.choice(never), _deck(rest, seen, view.deck_size, random)
    number = view.deck_size + down
    cards = _deck(rest if len(rest) >= number else closed, seen, number, random)
    if not down:
        return None, cards
    hidden = random.choice([card for card in cards if card not in memory.shuffled] or cards)
    return hidden, tuple(card for card in cards if card != hidden)


def _deck(cards: list[str], seen: frozenset[str | None], number: int, random: Random) -> tuple[str, ...]:
    """So many of some cards in any order. Those that were `seen` are among them, as they were shuffled back."""
    back = [card for card in cards if card in seen]
    others = [card for card in cards if card not in seen]
    found = [*back, *random.sample(others, number - len(back))]
    random.shuffle(found)
    return tuple(found)


def _pending(view: Picture, random: Random) -> Pending | None:
    """With the objectives that nobody holds, while one is to be returned."""
    if view.pending is None or view.pending.name != "return-objective":
        return view.pending
    deck = [number for number in view.terrain.objectives if number not in view.mine]
    random.shuffle(deck)
    return replace(view.pending, deck=tuple(deck))
