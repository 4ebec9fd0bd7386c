"""Apply events to a picture. The effect is the same for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.picture import ROLLS, Over, Picture, Player


def fold(view: Picture, event: Event) -> Picture:
    return _FOLDS[type(event)](view, event)


def _drew(view: Picture, event: e.Drew) -> Picture:
    """Move cards from the deck to the table. A viewer who sees the deck also sees which cards are drawn."""
    count = event.count
    changes = {} if view.deck is None else {"facedown": view.deck[:count], "deck": view.deck[count:]}
    left = view.deck_size - count
    return replace(view, phase="reveal", facedown_size=count, deck_size=left, hurt=None, **changes)


def _revealed(view: Picture, event: e.Revealed) -> Picture:
    """Turn over a card (ST-SHO-02..05). A Target or Danger waits for its roll. An Aid is gained by the next event."""
    left, facedown = view.facedown_size - 1, None if view.facedown is None else view.facedown[1:]
    kind = CARDS[event.card].kind
    if kind in ROLLS:
        return replace(view, facedown_size=left, facedown=facedown, phase=kind, card=event.card)
    discard = view.discard if kind == "aid" else in_order([*view.discard, event.card])
    return _resolved(view, discard, left, facedown)


def _resolved(view: Picture, discard: tuple[str, ...], left: int, facedown: tuple[str, ...] | None) -> Picture:
    """Clear the current card. Continue with the next face-down card, or start the Escape phase."""
    phase = "reveal" if left else "escape"
    return replace(view, card=None, die=None, phase=phase, discard=discard, facedown_size=left, facedown=facedown)


def _rolled(view: Picture, event: e.ShootRolled | e.EvadeRolled) -> Picture:
    """Discard the card of a roll, unless it is a Target that was hit, which the next event gives to the player."""
    kept = isinstance(event, e.ShootRolled) and event.hit
    discard = view.discard if kept else in_order([*view.discard, event.card])
    return _resolved(view, discard, view.facedown_size, view.facedown)


def _discarded_unseen(view: Picture, event: e.DiscardedUnseen) -> Picture:
    changes = {}
    if view.facedown is not None and view.unseen is not None:
        # Only the referee knows which cards they were.
        changes = {"unseen": in_order([*view.unseen, *view.facedown]), "facedown": ()}
    return replace(view, facedown_size=0, unseen_size=view.unseen_size + event.count, **changes)


def _game_over(view: Picture, event: e.GameOver) -> Picture:
    over = Over(event.winners, event.ranking, event.reason)
    return replace(view, turn=None, phase="over", card=None, die=None, aid=None, over=over)


def _changed(view: Picture, seat: str, **fields: Any) -> dict[str, Player]:
    """Return the players, one of them changed."""
    return {**view.players, seat: replace(view.players[seat], **fields)}


def _with_player(view: Picture, seat: str, **fields: Any) -> Picture:
    return replace(view, players={**view.players, seat: replace(view.players[seat], **fields)})


def _without_cards(
    view: Picture, seat: str, cards: tuple[str, ...], fields: Mapping[str, Any] = {}, /, **changes: Any
) -> Picture:
    """Move cards from a hand to the discard pile. If the hand is hidden, only its size changes."""
    player = view.players[seat]
    hand = None if player.hand is None else tuple([card for card in player.hand if card not in cards])
    players = _changed(view, seat, hand=hand, hand_size=player.hand_size - len(cards), **fields)
    return replace(view, players=players, discard=in_order([*view.discard, *cards]), **changes)


def _aid_spent(view: Picture, event: e.AidSpent) -> Picture:
    played = {"aid": event.cards[0], "hurt": None} if view.phase == "hunt" else {}
    return _without_cards(view, event.seat, event.cards, **played)


def _aid_gained(view: Picture, event: e.AidGained) -> Picture:
    player = view.players[event.seat]
    hand = None if player.hand is None else in_order([*player.hand, event.card])
    return _with_player(view, event.seat, hand=hand, hand_size=player.hand_size + 1)


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.Shuffled: lambda view, event: replace(view, deck=event.cards),
    e.FirstRolled: lambda view, event: view,
    e.TurnStarted: lambda view, event: replace(view, turn=event.seat, phase="hunt", turns=view.turns + 1),
    e.TurnEnded: lambda view, event: replace(view, aid=None),
    e.TurnSkipped: lambda view, event: replace(
        view, players=_changed(view, event.seat, skip=event.skip), hurt=event.seat
    ),
    e.AidSpent: _aid_spent,
    e.Drew: _drew,
    e.Revealed: _revealed,
    e.Rolled: lambda view, event: replace(view, die=event.die),
    e.AidGained: _aid_gained,
    e.XpGained: lambda view, event: _with_player(view, event.seat, xp=event.xp),
    e.ShootRolled: _rolled,
    e.EvadeRolled: _rolled,
    e.Killed: lambda view, event: _with_player(
        view, event.seat, kills=in_order([*view.players[event.seat].kills, event.card])
    ),
    e.Wounded: lambda view, event: _with_player(view, event.seat, skip=event.skip),
    e.DiscardedUnseen: _discarded_unseen,
    # A player who is out keeps the killed Targets (ST-R-19, ST-R-23).
    e.Eliminated: lambda view, event: _without_cards(view, event.seat, event.cards, {"xp": 0, "out": True}),
    e.StatRaised: lambda view, event: _with_player(view, event.seat, xp=event.xp, **{event.stat: event.value}),
    e.Discarded: lambda view, event: _without_cards(view, event.seat, (event.card,)),
    e.GameOver: _game_over,
}
