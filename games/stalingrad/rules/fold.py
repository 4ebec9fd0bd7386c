"""What an event does to a picture, the same for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.stalingrad.rules import events as e
from games.stalingrad.rules.cards import CARDS, in_order
from games.stalingrad.rules.picture import Over, Picture, Player


def fold(view: Picture, event: Event) -> Picture:
    """The picture after `event`."""
    return _FOLDS[type(event)](view, event)


# --- the deck and the turn --------------------------------------------------------------------------------------


def _shuffled(view: Picture, event: e.Shuffled) -> Picture:
    return replace(view, deck=event.cards)


def _unchanged(view: Picture, event: Event) -> Picture:
    return view


def _turn_started(view: Picture, event: e.TurnStarted) -> Picture:
    return replace(view, turn=event.seat, phase="hunt", turns=view.turns + 1)


def _turn_ended(view: Picture, event: e.TurnEnded) -> Picture:
    return replace(view, aid=None)


def _turn_skipped(view: Picture, event: e.TurnSkipped) -> Picture:
    return replace(_changed(view, event.seat, skip=event.skip), hurt=event.seat)


def _drew(view: Picture, event: e.Drew) -> Picture:
    """The viewer who sees the deck sees which cards these are."""
    count = event.count
    known = {} if view.deck is None else {"facedown": view.deck[:count], "deck": view.deck[count:]}
    drawn = replace(view, phase="reveal", facedown_size=count, deck_size=view.deck_size - count, **known)
    return replace(drawn, hurt=None)


def _revealed(view: Picture, event: e.Revealed) -> Picture:
    """A Target or Danger waits for its roll; an Aid is gained by the event that follows (ST-SHO-02..05)."""
    known = {} if view.facedown is None else {"facedown": view.facedown[1:]}
    turned = replace(view, facedown_size=view.facedown_size - 1, **known)
    kind = CARDS[event.card].kind
    if kind in ("target", "danger"):
        return replace(turned, phase=kind, card=event.card)
    return _resolved(turned if kind == "aid" else _thrown(turned, [event.card]))


def _resolved(view: Picture) -> Picture:
    """No card waits: the next is turned over, or the Escape phase begins."""
    return replace(view, card=None, die=None, phase="reveal" if view.facedown_size else "escape")


def _thrown(view: Picture, cards: Any) -> Picture:
    return replace(view, discard=in_order([*view.discard, *cards]))


def _discarded_unseen(view: Picture, event: e.DiscardedUnseen) -> Picture:
    known = {}
    if view.facedown is not None and view.unseen is not None:
        known = {"unseen": in_order([*view.unseen, *view.facedown]), "facedown": ()}
    return replace(view, facedown_size=0, unseen_size=view.unseen_size + event.count, **known)


def _game_over(view: Picture, event: e.GameOver) -> Picture:
    over = Over(event.winners, event.ranking, event.reason)
    return replace(view, turn=None, phase="over", card=None, die=None, aid=None, over=over)


# --- players ----------------------------------------------------------------------------------------------------


def _changed(view: Picture, seat: str, **fields: Any) -> Picture:
    return replace(view, players={**view.players, seat: replace(view.players[seat], **fields)})


def _without(player: Player, cards: tuple[str, ...]) -> dict[str, Any]:
    """The fields of a hand without these cards; of a hidden one the size alone."""
    hand = None if player.hand is None else tuple(card for card in player.hand if card not in cards)
    return {"hand": hand, "hand_size": player.hand_size - len(cards)}


def _aid_spent(view: Picture, event: e.AidSpent) -> Picture:
    spent = _thrown(_changed(view, event.seat, **_without(view.players[event.seat], event.cards)), event.cards)
    return replace(spent, aid=event.cards[0], hurt=None) if view.phase == "hunt" else spent


def _discarded(view: Picture, event: e.Discarded) -> Picture:
    cards = (event.card,)
    return _thrown(_changed(view, event.seat, **_without(view.players[event.seat], cards)), cards)


def _aid_gained(view: Picture, event: e.AidGained) -> Picture:
    player = view.players[event.seat]
    hand = None if player.hand is None else in_order([*player.hand, event.card])
    return _changed(view, event.seat, hand=hand, hand_size=player.hand_size + 1)


def _xp_gained(view: Picture, event: e.XpGained) -> Picture:
    return _changed(view, event.seat, xp=event.xp)


def _stat_raised(view: Picture, event: e.StatRaised) -> Picture:
    return _changed(view, event.seat, xp=event.xp, **{event.stat: event.value})


# --- rolls ------------------------------------------------------------------------------------------------------


def _rolled(view: Picture, event: e.Rolled) -> Picture:
    return replace(view, die=event.die)


def _shoot_rolled(view: Picture, event: e.ShootRolled) -> Picture:
    return _resolved(view if event.hit else _thrown(view, [event.card]))


def _evade_rolled(view: Picture, event: e.EvadeRolled) -> Picture:
    return _resolved(_thrown(view, [event.card]))


def _killed(view: Picture, event: e.Killed) -> Picture:
    return _changed(view, event.seat, kills=in_order([*view.players[event.seat].kills, event.card]))


def _wounded(view: Picture, event: e.Wounded) -> Picture:
    return _changed(view, event.seat, skip=event.skip)


def _eliminated(view: Picture, event: e.Eliminated) -> Picture:
    """The kill pile stays (ST-R-19, ST-R-23)."""
    gone = {**_without(view.players[event.seat], event.cards), "xp": 0, "out": True}
    return _thrown(_changed(view, event.seat, **gone), event.cards)


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.Shuffled: _shuffled,
    e.FirstRolled: _unchanged,
    e.TurnStarted: _turn_started,
    e.TurnEnded: _turn_ended,
    e.TurnSkipped: _turn_skipped,
    e.AidSpent: _aid_spent,
    e.Drew: _drew,
    e.Revealed: _revealed,
    e.Rolled: _rolled,
    e.AidGained: _aid_gained,
    e.XpGained: _xp_gained,
    e.ShootRolled: _shoot_rolled,
    e.EvadeRolled: _evade_rolled,
    e.Killed: _killed,
    e.Wounded: _wounded,
    e.DiscardedUnseen: _discarded_unseen,
    e.Eliminated: _eliminated,
    e.StatRaised: _stat_raised,
    e.Discarded: _discarded,
    e.GameOver: _game_over,
}
