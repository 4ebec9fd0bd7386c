"""Apply events to a picture. The effect is the same for every viewer."""

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


def fold(view: Picture, event: Event) -> Picture:
    return _FOLDS[type(event)](view, event)


def next_choice(players: Mapping[str, Player]) -> tuple[Setup, str | None]:
    """Return the next set-up choice and its seat: starts, Targets, Leaders, then the deal (SA-R-63)."""
    for choice in CHOICES:
        for seat, player in players.items():
            if getattr(player, choice) is None:
                return choice, seat
    return "deal", None


def _chosen(p: Picture, seat: str, **choice: str) -> Picture:
    p = p.with_player(seat, **choice)
    setup, turn = next_choice(p.players)
    return replace(p, setup=setup, turn=turn or p.turn)


def _improvement_drawn(p: Picture, event: e.ImprovementDrawn) -> Picture:
    p = p.with_player(event.seat, improvement=event.card, armor=cards.ARMOR if event.card == "armor" else None)
    return replace(p, deck_size=(p.deck_size or 1) - 1, deck=None if p.deck is None else p.deck[1:])


def _turn_started(p: Picture, event: e.TurnStarted) -> Picture:
    """Remove a stale shot marker (SA-R-20). A healed Assassin can be shot at again (SA-R-66)."""
    if p.players[event.seat].shot in ("stale", "healed"):
        p = p.with_player(event.seat, shot=None)
    first = p.first or event.seat
    return replace(p, setup=None, turn=event.seat, first=first, round=event.round, acted=(), swept=(), fallen=())


def _turn_ended(p: Picture, event: e.TurnEnded) -> Picture:
    shot = p.players[event.seat].shot
    if shot not in ("fresh", "healing"):
        return replace(p, acted=())
    return p.with_player(event.seat, (), shot="stale" if shot == "fresh" else "healed")


def _held(p: Picture, event: e.Held) -> Picture:
    """Remove the markers for recovery, double jump and lock (SA-R-61)."""
    acted, seat = _acted(p, event.marker), seat_of(event.marker)
    player = p.players[seat]
    if kind_of(event.marker) == ASSASSIN:
        return p.with_player(seat, acted, locked=False) if player.locked else replace(p, acted=acted)
    if player.recover or player.jump is not None:
        return p.with_player(seat, acted, recover=False, jump=None)
    return replace(p, acted=acted)


def _acted(p: Picture, marker: str) -> tuple[str, ...]:
    """Return the kinds of marker that have acted after an act of `marker`."""
    kind = kind_of(marker)
    # Once both have acted, the order is fixed, so that equal positions have equal pictures.
    return p.acted if kind in p.acted else KINDS if p.acted else (kind,)


def _moved(p: Picture, event: e.Moved) -> Picture:
    acted, seat = _acted(p, event.marker), seat_of(event.marker)
    if kind_of(event.marker) == SNIPER:
        return p.with_player(seat, acted, sniper=event.to)
    # An Assassin that was driven back can set off Claymores only if it walks straight home.
    owner = p.players[seat]
    if not owner.pushed_back:
        return p.with_player(seat, acted, assassin=event.to)
    assert owner.start is not None, "a marker that moves has a start"
    steps = places.place_of(event.to).column - places.place_of(event.from_).column
    return p.with_player(seat, acted, assassin=event.to, pushed_back=steps * places.home_side(owner.start) > 0)


def _jumped(p: Picture, event: e.Jumped) -> Picture:
    """Move a marker by a jump, which ends a Sniper's double jump. An Assassin can't get home by one (SA-R-38)."""
    acted, seat = _acted(p, event.marker), seat_of(event.marker)
    if kind_of(event.marker) == SNIPER:
        return p.with_player(seat, acted, sniper=event.to, jump=None)
    # Leaving the pathway gives up the way home that Claymores require.
    return p.with_player(seat, acted, assassin=event.to, pushed_back=False)


def _shot(p: Picture, event: e.Shot) -> Picture:
    acted, seat = _acted(p, event.marker), seat_of(event.target)
    if event.result == "deflected":
        return p.with_player(seat, acted, armor=(p.players[seat].armor or 0) - 1)
    if event.result in ("hit", "mine"):
        return p.with_player(seat, acted, shot="healing" if p.options.healing else None)
    return replace(p, acted=acted)


def _mine_planted(p: Picture, event: e.MinePlanted) -> Picture:
    mines = sorted((*p.players[event.seat].mines, event.space), key=places.place_of)
    return p.with_player(event.seat, _acted(p, marker_of(event.seat, ASSASSIN)), mines=tuple(mines))


def _mine_exploded(p: Picture, event: e.MineExploded) -> Picture:
    for seat, player in p.players.items():
        if event.space in player.mines:
            p = p.with_player(seat, mines=tuple(space for space in player.mines if space != event.space))
    return p


def _claymore(p: Picture, event: e.ClaymoreSet) -> Picture:
    swept = (name for name in places.spaces(p.pathways) if places.is_space(name))
    return replace(p, swept=tuple(name for name in swept if name.startswith(event.pathway)))


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.StartChosen: lambda p, event: _chosen(
        p, event.seat, start=event.space, sniper=event.space, assassin=event.space
    ),  # SA-SET-02
    e.TargetChosen: lambda p, event: _chosen(p, event.seat, target=event.target),
    e.LeaderPlaced: lambda p, event: _chosen(p, event.seat, leader=event.space),
    # During the game, the shuffled cards are the discard pile.
    e.DeckShuffled: lambda p, event: replace(p, deck_size=event.count, discard=p.discard if p.setup else ()),
    e.Deck: lambda p, event: replace(p, deck=event.cards),
    e.ImprovementDrawn: _improvement_drawn,
    e.ImprovementDiscarded: lambda p, event: replace(
        p.with_player(event.seat, improvement=None, armor=None), discard=(*p.discard, event.card)
    ),
    e.TurnStarted: _turn_started,
    e.Moved: _moved,
    e.Jumped: _jumped,
    e.Shot: _shot,
    # Meetings and Claymores have separate events for their consequences.
    **dict.fromkeys((e.RunIn, e.Surprise, e.Stealth), lambda p, event: p),
    e.Retreated: lambda p, event: p.with_player(seat_of(event.marker), assassin=event.to, pushed_back=True),
    e.MinePlanted: _mine_planted,
    e.MineExploded: _mine_exploded,
    # A new Sniper has no status (SA-R-31).
    e.SniperReplaced: lambda p, event: replace(p, fallen=(*p.fallen, event.from_)).with_player(
        seat_of(event.marker), sniper=event.to, recover=False, jump=None
    ),
    e.ClaymoreSet: _claymore,
    e.Status: lambda p, event: p.with_player(seat_of(event.marker), **{event.kind: event.value}),
    e.Held: _held,
    e.TurnEnded: _turn_ended,
    e.GameOver: lambda p, event: replace(p, over=Over(event.winner, event.reason)),
}
