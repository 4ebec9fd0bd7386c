"""Apply events to a picture. The effect is the same for every viewer.

Values unknown to the viewer are None. A function changes such a value only where the viewer knows it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules.cards import LASTING as LASTING_SHOWN
from games.sniper_elite.rules.cards import in_order, without
from games.sniper_elite.rules.fold import without_first
from games.sniper_elite.rules.picture import Over
from games.sniper_elite.rules.setup import same_suit
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules.options import parameters
from games.sniper_elite_solo.rules.picture import Pending, Picture, Volley
from games.sniper_elite_solo.rules.words import SLOTS, counts, plus

LASTING = ("sound-masking", *LASTING_SHOWN)  # Cards that affect a later part of the turn


def fold(picture: Picture, event: Event) -> Picture:
    return FOLDS[type(event)](picture, event)


# --- news for lamps and screens, which no rule reads ------------------------------------------------------------

# An act and the defenders' turn start without news. Players move miniatures after the defenders' turn, so the board
# needs the places of all defenders before it: `stood`.


def _news(p: Picture, name: str, spaces: tuple[str, ...]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    return *p.news, (name, spaces)


def _reported(name: str) -> Callable[[Picture, Any], Picture]:
    """Return a fold whose only effect is the news of what defenders do."""

    def report(p: Picture, event: Any) -> Picture:
        return replace(p, news=_news(p, name, tuple([space for unit in event.units if (space := p.units[unit])])))

    return report


# --- set-up -----------------------------------------------------------------------------------------------------


def _dealt(p: Picture, event: e.Dealt) -> Picture:
    """Give the referee the face-down slot, the decks and the remaining objectives."""
    # The first urgent card is out of the game, unseen (SO-SET-04, SO-SET-05).
    _, right, left, middle = event.urgent
    slots = (e.Slot(left, "up"), e.Slot(middle, "up"), e.Slot(right, "down"))
    pending = Pending("dealing", deck=event.objectives[2:])
    deck = event.cards[: p.numbers.deck_cards]
    return replace(p, slots=slots, deck=deck, loot_deck=p.loadout, pending=pending)


def _loadout_dealt(p: Picture, event: e.LoadoutDealt) -> Picture:
    left = None if p.loot_deck is None else without(p.loot_deck, event.cards)
    return replace(p, hand=event.cards, loot_deck=left, loot_size=len(p.loadout) - len(event.cards))


def _objectives(p: Picture, event: shared.Objectives) -> Picture:
    """Set the objectives. A returned card goes under the deck (SO-SET-12)."""
    deck = None if p.pending is None else p.pending.deck
    returned = [card for card in p.objectives or () if card not in event.cards]
    # The top card has been drawn in exchange for the returned one.
    if deck is not None and returned:
        deck = (*deck[1:], *returned)
    again = same_suit(p.map, event.cards)
    return replace(p, objectives=event.cards, pending=Pending("return-objective", deck=deck) if again else None)


def _lks_updated(p: Picture, event: e.LksUpdated) -> Picture:
    # An update without a move comes from the Trench Gun, which is the shoot action (SO-R-70).
    fired = p.active == "trench-gun" and not p.moving
    shot = p.shot or (fired and p.ally is not None)
    news = _news(p, "updated", p.terrain.sectors[event.sector])
    return replace(p, lks=event.sector, moving=False, acted=p.acted or fired, shot=shot, news=news)


# --- the sniper -------------------------------------------------------------------------------------------------


def _sniper_moved(p: Picture, event: e.SniperMoved) -> Picture:
    # A noisy move out of the sector is followed by an update, which must not count as a shot.
    leaves = event.noisy and p.terrain.sector_of[event.path[-1]] != p.lks
    return replace(p, space=event.path[-1], moved=True, moving=leaves, news=(), stood=(p.units, p.space))


def _bag_with(p: Picture, token: str, number: int) -> dict[str, int]:
    return {**p.bag, token: p.bag[token] + number}


def _hit(p: Picture, event: e.Hit) -> Picture:
    news = p.news if p.space is None else _news(p, "struck", (p.space,))
    if event.token is None:
        return replace(p, hits=p.hits + 1, news=news)
    return replace(p, hits=p.hits + 1, stack=p.stack[:-1], bag=_bag_with(p, event.token, 1), news=news)


def _wounded(p: Picture, event: shared.Wounded) -> Picture:
    """Wound the sniper. The first wound builds a new stack from the bag (SO-HIT-03)."""
    hurt = replace(p, wounds=event.wounds, wounded=True)
    return _to_stack(hurt, "recoil", p.numbers.wound_stack) if event.wounds == 1 else hurt


def _to_stack(p: Picture, token: str, number: int) -> Picture:
    """Move tokens to the bottom of the stack, first from the bag, then from the drawn ones (SO-R-12, SO-R-64)."""
    out = min(number, p.bag[token])
    taken = replace(p, bag=_bag_with(p, token, -out), stack=(*(token,) * number, *p.stack))
    if p.volley is None or out == number:
        return taken
    return replace(taken, volley=replace(p.volley, drawn=plus(p.volley.drawn, {token: number - out}, -1)))


def _card_played(p: Picture, event: shared.CardPlayed) -> Picture:
    card = str(event.card)
    hand, used = without(p.hand, [card]), in_order((*p.used, card))
    active = card if card in LASTING else p.active
    return replace(p, hand=hand, used=used, carded=True, active=active, news=(), stood=(p.units, p.space))


def _placed(p: Picture, event: shared.Moved | shared.Distracted) -> Picture:
    return replace(p, units={**p.units, event.unit: event.to})


def _attracted(p: Picture, event: e.Attracted) -> Picture:
    return replace(p, units={**p.units, event.unit: event.to}, news=_news(p, "attracted", (event.to,)))


def _mine_triggered(p: Picture, event: shared.MineTriggered) -> Picture:
    return replace(p, mines=without_first(p.mines, event.space), news=_news(p, "blast", (event.space,)))


# --- shots ------------------------------------------------------------------------------------------------------


def _shot_declared(p: Picture, event: e.ShotDeclared) -> Picture:
    volley = p.volley or Volley(counts({}))
    draws = tuple([count for count in (event.second, event.third) if isinstance(count, int)])
    volley = replace(volley, targets=(*volley.targets, event.target), draws=draws)
    return replace(
        p, acted=True, shot=p.ally is not None, volley=volley, pending=None, news=(), stood=(p.units, p.space)
    )


def _drew(p: Picture, event: shared.Drew) -> Picture:
    """Draw tokens. Silenced noise, and with a challenge the first of a shot, attracts nobody (SO-R-31, SO-R-67)."""
    assert p.volley is not None
    steps = 0 if p.active == "silenced-ammo" else max(event.tokens["noise"] - p.numbers.first_noise_free, 0)
    volley = replace(p.volley, drawn=plus(p.volley.drawn, event.tokens), noise=p.volley.noise + steps)
    return replace(p, bag=plus(p.bag, event.tokens, -1), volley=volley)


def _settled(p: Picture) -> Picture:
    """Continue with the next shot, or put all tokens back into the bag (SO-SHT-08)."""
    if p.volley is None:
        return p
    if p.volley.draws:
        return replace(p, pending=Pending("shoot-second"))
    return replace(p, bag=plus(p.bag, p.volley.drawn), volley=None, pending=None)


def _killed(p: Picture, event: shared.Killed) -> Picture:
    dead = replace(p, units={**p.units, event.unit: None})
    if event.by != "shot":
        return dead
    # If no reward has an effect, the player isn't asked.
    return replace(dead, pending=Pending("after-hit")) if dead.reward_options() else _settled(dead)


def _after_hit(p: Picture, event: e.AfterHit) -> Picture:
    if event.option == "aim":
        return _settled(replace(p, bag=_bag_with(p, "aim", event.count), pending=None))
    return _settled(replace(_to_stack(p, event.option, event.count), pending=None))


def _second_forfeited(p: Picture, event: shared.SecondForfeited) -> Picture:
    assert p.volley is not None
    return _settled(replace(p, volley=replace(p.volley, draws=p.volley.draws[1:])))


# --- loot -------------------------------------------------------------------------------------------------------


def _looted(p: Picture, event: e.Looted) -> Picture:
    """Draw loot. The number of cards is public; only the player sees the cards."""
    held = min(p.numbers.loot_draw, p.loot_size)
    pending = Pending("keep", held=held)
    looted, size = (*p.looted, event.space), p.loot_size - held
    return replace(p, acted=True, looted=looted, loot_size=size, pending=pending, news=(), stood=(p.units, p.space))


def _loot_drawn(p: Picture, event: shared.LootDrawn) -> Picture:
    left = None if p.loot_deck is None else without(p.loot_deck, event.cards)
    return replace(p, loot_deck=left, pending=Pending("keep", cards=event.cards, held=len(event.cards)))


def _loot_kept(p: Picture, event: e.LootKept) -> Picture:
    assert p.pending is not None
    deck = p.loot_deck
    if deck is not None and p.pending.cards is not None:
        # The cards that weren't kept go back into the loot deck.
        deck = in_order((*deck, *without(p.pending.cards, [event.card])))
    size = p.loot_size + p.pending.held - 1
    return replace(p, hand=in_order((*p.hand, event.card)), loot_deck=deck, loot_size=size, pending=None)


# --- the defenders' turn ----------------------------------------------------------------------------------------


def _turn_ended(p: Picture, event: shared.TurnEnded) -> Picture:
    if event.seat != SNIPER:
        return replace(p, hits=0, wounded=False, round=p.round + 1, returns=0)
    return replace(
        p, hits=0, wounded=False, moved=False, carded=False, active=None, acted=False, shot=False,
        news=(), stood=(p.units, p.space),
    )  # fmt: skip


def _solo_card(p: Picture, event: e.SoloCardTurned) -> Picture:
    slots = list(p.slots)
    slots[event.slot - 1] = e.Slot(event.card, "up")
    return replace(p, slots=tuple(slots), resolving=event.slot - 1)


def _slotted(p: Picture, event: e.Slotted) -> Picture:
    """Discard the resolved card, slide the others left, and add one from the deck."""
    kept, discard = p.slots, p.discard
    if p.resolving is not None:
        kept = (*p.slots[: p.resolving], *p.slots[p.resolving + 1 :])
        discard = (*p.discard, str(p.slots[p.resolving].card))
    # The event doesn't name a face-down card. The referee takes it from its own deck.
    card, deck = event.card, p.deck
    if deck is not None:
        card, deck = deck[0], deck[1:]
    slots = (*kept, e.Slot(card, event.face))[:SLOTS]
    return replace(p, slots=slots, discard=discard, deck=deck, deck_size=p.deck_size - 1, resolving=None)


def _game_over(p: Picture, event: shared.GameOver) -> Picture:
    """End the game. Tokens outside the bag go back into it."""
    over = Over(event.winner, event.reason)
    return replace(p, over=over, pending=None, volley=None, bag=plus(p.bag, p.drawn), resolving=None)


def _opened(p: Picture, event: e.Opened) -> Picture:
    slots = tuple(e.Slot(card, slot.face) for card, slot in zip(event.slots, p.slots, strict=True))
    return replace(p, objectives=event.objectives, slots=slots, deck=event.deck, opened=event)


def _unchanged(p: Picture, event: Event) -> Picture:
    """Return the picture unchanged. The event is only shown to players."""
    return p


FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    shared.AllyChosen: lambda p, event: replace(p, ally=event.ally, numbers=parameters(p.options, event.ally)),
    shared.BagLoaded: lambda p, event: replace(p, bag=counts(event.bag)),
    e.Dealt: _dealt,
    e.SlotsLaid: lambda p, event: replace(p, slots=event.slots if p.deck is None else p.slots, deck_size=event.deck),
    e.LoadoutDealt: _loadout_dealt,
    shared.Objectives: _objectives,
    shared.Entry: lambda p, event: replace(p, entry=event.sector),
    e.LksUpdated: _lks_updated,
    e.Possible: lambda p, event: replace(p, possible=event.objectives),
    e.SniperMoved: _sniper_moved,
    e.Hit: _hit,
    shared.Wounded: _wounded,
    shared.CardPlayed: _card_played,
    shared.MineLaid: lambda p, event: replace(p, mines=(*p.mines, event.space)),
    shared.MineTriggered: _mine_triggered,
    shared.Killed: _killed,
    e.ShotDeclared: _shot_declared,
    shared.Drew: _drew,
    shared.Shot: lambda p, event: p if event.result == "hit" else _settled(p),
    e.AfterHit: _after_hit,
    shared.SecondForfeited: _second_forfeited,
    e.Looted: _looted,
    e.Eliminated: lambda p, event: replace(
        p, possible=tuple(number for number in p.possible if number != event.objective)
    ),
    shared.LootDrawn: _loot_drawn,
    e.LootKept: _loot_kept,
    shared.ObjectiveCompleted: lambda p, event: replace(
        p, acted=True, completed=(*p.completed, event.objective), news=(), stood=(p.units, p.space)
    ),
    shared.BagGained: lambda p, event: replace(p, bag=_bag_with(p, event.token, 1)),
    e.DeckOrder: lambda p, event: replace(p, deck=event.cards),
    e.DeckShuffled: lambda p, event: replace(p, deck_size=event.deck, discard=()),
    shared.TurnEnded: _turn_ended,
    e.SoloCardTurned: _solo_card,
    e.Slotted: _slotted,
    e.Returning: lambda p, event: replace(p, pending=Pending("place-return", unit=event.unit, spaces=event.spaces)),
    e.Returned: lambda p, event: replace(
        p, units={**p.units, event.unit: event.space}, returns=p.returns + 1, pending=None
    ),
    shared.GameOver: _game_over,
    e.Opened: _opened,
    **dict.fromkeys((shared.Moved, shared.Distracted, e.Deployed), _placed),
    e.Attracted: _attracted,
    e.Scanned: _reported("scanned"),
    e.Searched: _reported("searched"),
    e.Attacked: lambda p, event: replace(p, news=_news(p, "attacked", event.spaces)),
    **dict.fromkeys((e.AssignmentMarked, e.Die, e.Snafu, shared.AbilityUsed), _unchanged),
}
"""Every event of the game, with its effect."""
