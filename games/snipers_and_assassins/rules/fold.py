"""What each event does to a picture: one small function an event, the same for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.snipers_and_assassins.rules import cards, places
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.picture import Over, Picture, Player, Setup
from games.snipers_and_assassins.rules.words import ASSASSIN, KINDS, SNIPER, kind_of, marker_of, seat_of

CHOICES: tuple[Setup, ...] = ("start", "target", "leader")
HIT_RESULTS = ("hit", "mine")


def fold(picture: Picture, event: Event) -> Picture:
    """The picture after `event`."""
    return _FOLDS[type(event)](picture, event)


def to_choose(players: Mapping[str, Player]) -> tuple[Setup, str | None]:
    """The next choice of set-up and whose it is: all starts, all Targets, all Leaders, then the deal (SA-R-63)."""
    for choice in CHOICES:
        for seat, player in players.items():
            if getattr(player, choice) is None:
                return choice, seat
    return "deal", None


def _chosen(p: Picture, seat: str, **choice: str) -> Picture:
    p = p.with_player(seat, **choice)
    setup, turn = to_choose(p.players)
    return replace(p, setup=setup, turn=turn or p.turn)


def _start_chosen(p: Picture, event: e.StartChosen) -> Picture:
    """Both markers begin there (SA-SET-02)."""
    return _chosen(p, event.seat, start=event.space, sniper=event.space, assassin=event.space)


def _target_chosen(p: Picture, event: e.TargetChosen) -> Picture:
    return _chosen(p, event.seat, target=event.target)


def _leader_placed(p: Picture, event: e.LeaderPlaced) -> Picture:
    return _chosen(p, event.seat, leader=event.space)


# --- cards ------------------------------------------------------------------------------------------------------


def _deck_shuffled(p: Picture, event: e.DeckShuffled) -> Picture:
    """In play it is the discards that are shuffled."""
    return replace(p, deck_size=event.count, discard=p.discard if p.setup else ())


def _deck(p: Picture, event: e.Deck) -> Picture:
    return replace(p, deck=event.cards)


def _improvement_drawn(p: Picture, event: e.ImprovementDrawn) -> Picture:
    p = p.with_player(event.seat, improvement=event.card, armor=cards.ARMOR if event.card == "armor" else None)
    return replace(p, deck_size=(p.deck_size or 1) - 1, deck=None if p.deck is None else p.deck[1:])


def _improvement_discarded(p: Picture, event: e.ImprovementDiscarded) -> Picture:
    return replace(p.with_player(event.seat, improvement=None, armor=None), discard=(*p.discard, event.card))


# --- turns ------------------------------------------------------------------------------------------------------


def _turn_started(p: Picture, event: e.TurnStarted) -> Picture:
    """The stale shot marker comes off (SA-R-20), and a healed Assassin can be shot at again (SA-R-66)."""
    if p.players[event.seat].shot in ("stale", "healed"):
        p = p.with_player(event.seat, shot=None)
    p = replace(p, setup=None, turn=event.seat, first=p.first or event.seat, round=event.round)
    return replace(p, acted=(), swept=(), fallen=())


def _turn_ended(p: Picture, event: e.TurnEnded) -> Picture:
    after = {"fresh": "stale", "healing": "healed"}
    shot = p.players[event.seat].shot
    return replace(p.with_player(event.seat, shot=after.get(shot or "", shot)), acted=())


def _held(p: Picture, event: e.Held) -> Picture:
    """The markers for recovery, double jump and lock come off (SA-R-61)."""
    off = {"recover": False, "jump": None} if kind_of(event.marker) == SNIPER else {"locked": False}
    return _acted(p, event.marker).with_player(seat_of(event.marker), **off)


def _acted(p: Picture, marker: str) -> Picture:
    kind = kind_of(marker)
    return p if kind in p.acted else replace(p, acted=KINDS if p.acted else (kind,))


def _game_over(p: Picture, event: e.GameOver) -> Picture:
    return replace(p, over=Over(event.winner, event.reason))


# --- markers ----------------------------------------------------------------------------------------------------


def _put(p: Picture, marker: str, space: str, **changes: object) -> Picture:
    return p.with_player(seat_of(marker), **{kind_of(marker): space}, **changes)


def _moved(p: Picture, event: e.Moved) -> Picture:
    p = _acted(p, event.marker)
    if kind_of(event.marker) == SNIPER:
        return _put(p, event.marker, event.to)
    owner = p.owner(event.marker)
    assert owner.start is not None, "whoever moves has a start"
    way = places.place_of(event.to).column - places.place_of(event.from_).column
    homewards = way * places.home_side(owner.start) > 0
    return _put(p, event.marker, event.to, pushed_back=owner.pushed_back and homewards)


def _jumped(p: Picture, event: e.Jumped) -> Picture:
    """A Sniper's second jump ends a double jump; an Assassin's is no way back home (SA-R-38)."""
    done = {"jump": None} if kind_of(event.marker) == SNIPER else {"pushed_back": False}
    return _put(_acted(p, event.marker), event.marker, event.to, **done)


def _retreated(p: Picture, event: e.Retreated) -> Picture:
    return _put(p, event.marker, event.to, pushed_back=True)


def _sniper_replaced(p: Picture, event: e.SniperReplaced) -> Picture:
    """A new Sniper has no status (SA-R-31)."""
    p = replace(p, fallen=(*p.fallen, event.from_))
    return _put(p, event.marker, event.to, recover=False, jump=None)


def _shot(p: Picture, event: e.Shot) -> Picture:
    p, seat = _acted(p, event.marker), seat_of(event.target)
    if event.result == "deflected":
        return p.with_player(seat, armor=(p.players[seat].armor or 0) - 1)
    if event.result in HIT_RESULTS:
        return p.with_player(seat, shot="healing" if p.options.healing else None)
    return p


def _status(p: Picture, event: e.Status) -> Picture:
    return p.with_player(seat_of(event.marker), **{event.kind: event.value})


# --- mines ------------------------------------------------------------------------------------------------------


def _mine_planted(p: Picture, event: e.MinePlanted) -> Picture:
    mines = sorted((*p.players[event.seat].mines, event.space), key=places.place_of)
    return _acted(p, marker_of(event.seat, ASSASSIN)).with_player(event.seat, mines=tuple(mines))


def _mine_exploded(p: Picture, event: e.MineExploded) -> Picture:
    for seat, player in p.players.items():
        if event.space in player.mines:
            p = p.with_player(seat, mines=tuple(space for space in player.mines if space != event.space))
    return p


def _claymore(p: Picture, event: e.ClaymoreSet) -> Picture:
    """The hits are events of their own."""
    swept = (name for name in places.spaces(p.pathways) if places.is_space(name))
    return replace(p, swept=tuple(name for name in swept if name.startswith(event.pathway)))


def _met(p: Picture, event: e.RunIn | e.Surprise | e.Stealth) -> Picture:
    """What comes of it are events of their own."""
    return p


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.StartChosen: _start_chosen,
    e.TargetChosen: _target_chosen,
    e.LeaderPlaced: _leader_placed,
    e.DeckShuffled: _deck_shuffled,
    e.Deck: _deck,
    e.ImprovementDrawn: _improvement_drawn,
    e.ImprovementDiscarded: _improvement_discarded,
    e.TurnStarted: _turn_started,
    e.Moved: _moved,
    e.Jumped: _jumped,
    e.Shot: _shot,
    e.RunIn: _met,
    e.Surprise: _met,
    e.Stealth: _met,
    e.Retreated: _retreated,
    e.MinePlanted: _mine_planted,
    e.MineExploded: _mine_exploded,
    e.SniperReplaced: _sniper_replaced,
    e.ClaymoreSet: _claymore,
    e.Status: _status,
    e.Held: _held,
    e.TurnEnded: _turn_ended,
    e.GameOver: _game_over,
}
