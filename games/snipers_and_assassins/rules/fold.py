"""Apply events to a picture. The effect is the same for every viewer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.snipers_and_assassins.rules import cards, places
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.picture import Over, Picture, Player, Setup
from games.snipers_and_assassins.rules.words import ASSASSIN, KINDS, SNIPER, kind_of, seat_of

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


def _with(p: Picture, seat: str, player: Player) -> dict[str, Player]:
    """Return the players, one of them changed."""
    return {**p.players, seat: player}


def _chosen(p: Picture, seat: str, **choice: str) -> Picture:
    players = _with(p, seat, replace(p.players[seat], **choice))
    setup, turn = next_choice(players)
    return replace(p, players=players, setup=setup, turn=turn or p.turn)


def _improvement_drawn(p: Picture, event: e.ImprovementDrawn) -> Picture:
    armor = cards.ARMOR if event.card == "armor" else None
    players = _with(p, event.seat, replace(p.players[event.seat], improvement=event.card, armor=armor))
    deck = None if p.deck is None else p.deck[1:]
    return replace(p, players=players, deck_size=(p.deck_size or 1) - 1, deck=deck)


def _improvement_discarded(p: Picture, event: e.ImprovementDiscarded) -> Picture:
    players = _with(p, event.seat, replace(p.players[event.seat], improvement=None, armor=None))
    return replace(p, players=players, discard=(*p.discard, event.card))


def _turn_started(p: Picture, event: e.TurnStarted) -> Picture:
    """Remove a stale shot marker (SA-R-20). A healed Assassin can be shot at again (SA-R-66)."""
    players, first = p.players, p.first or event.seat
    if players[event.seat].shot in ("stale", "healed"):
        players = _with(p, event.seat, replace(players[event.seat], shot=None))
    return replace(
        p, players=players, setup=None, turn=event.seat, first=first, round=event.round, acted=(), swept=(), fallen=()
    )


def _turn_ended(p: Picture, event: e.TurnEnded) -> Picture:
    player = p.players[event.seat]
    if player.shot not in ("fresh", "healing"):
        return replace(p, acted=())
    player = replace(player, shot="stale" if player.shot == "fresh" else "healed")
    return replace(p, players=_with(p, event.seat, player), acted=())


def _held(p: Picture, event: e.Held) -> Picture:
    """Remove the markers for recovery, double jump and lock (SA-R-61)."""
    seat, kind = seat_of(event.marker), kind_of(event.marker)
    player, acted = p.players[seat], _acted(p, kind)
    if kind == ASSASSIN and player.locked:
        player = replace(player, locked=False)
    elif kind == SNIPER and (player.recover or player.jump is not None):
        player = replace(player, recover=False, jump=None)
    else:
        return replace(p, acted=acted)
    return replace(p, players=_with(p, seat, player), acted=acted)


def _acted(p: Picture, kind: str) -> tuple[str, ...]:
    """Return the kinds of marker that have acted after an act of a marker of this `kind`."""
    # Once both have acted, the order is fixed, so that equal positions have equal pictures.
    return p.acted if kind in p.acted else KINDS if p.acted else (kind,)


def _moved(p: Picture, event: e.Moved) -> Picture:
    seat, kind = seat_of(event.marker), kind_of(event.marker)
    player = p.players[seat]
    if kind == SNIPER:
        player = replace(player, sniper=event.to)
    elif not player.pushed_back:
        player = replace(player, assassin=event.to)
    else:
        # An Assassin that was driven back can set off Claymores only if it walks straight home.
        assert player.start is not None, "a marker that moves has a start"
        steps = places.place_of(event.to).column - places.place_of(event.from_).column
        player = replace(player, assassin=event.to, pushed_back=steps * places.home_side(player.start) > 0)
    return replace(p, players=_with(p, seat, player), acted=_acted(p, kind))


def _jumped(p: Picture, event: e.Jumped) -> Picture:
    """Move a marker by a jump, which ends a Sniper's double jump. An Assassin can't get home by one (SA-R-38)."""
    seat, kind = seat_of(event.marker), kind_of(event.marker)
    player = p.players[seat]
    if kind == SNIPER:
        player = replace(player, sniper=event.to, jump=None)
    else:
        # Leaving the pathway gives up the way home that Claymores require.
        player = replace(player, assassin=event.to, pushed_back=False)
    return replace(p, players=_with(p, seat, player), acted=_acted(p, kind))


def _shot(p: Picture, event: e.Shot) -> Picture:
    acted, seat = _acted(p, kind_of(event.marker)), seat_of(event.target)
    player = p.players[seat]
    if event.result == "deflected":
        player = replace(player, armor=(player.armor or 0) - 1)
    elif event.result in ("hit", "mine"):
        player = replace(player, shot="healing" if p.options.healing else None)
    return replace(p, players=_with(p, seat, player), acted=acted)


def _retreated(p: Picture, event: e.Retreated) -> Picture:
    seat = seat_of(event.marker)
    player = replace(p.players[seat], assassin=event.to, pushed_back=True)
    return replace(p, players=_with(p, seat, player))


def _sniper_replaced(p: Picture, event: e.SniperReplaced) -> Picture:
    """Put a new Sniper, which has no status, on its start (SA-R-31)."""
    seat = seat_of(event.marker)
    player = replace(p.players[seat], sniper=event.to, recover=False, jump=None)
    return replace(p, players=_with(p, seat, player), fallen=(*p.fallen, event.from_))


def _status(p: Picture, event: e.Status) -> Picture:
    seat = seat_of(event.marker)
    return replace(p, players=_with(p, seat, replace(p.players[seat], **{event.kind: event.value})))


def _mine_planted(p: Picture, event: e.MinePlanted) -> Picture:
    player = p.players[event.seat]
    mines = tuple(sorted((*player.mines, event.space), key=places.place_of))
    return replace(p, players=_with(p, event.seat, replace(player, mines=mines)), acted=_acted(p, ASSASSIN))


def _mine_exploded(p: Picture, event: e.MineExploded) -> Picture:
    for seat, player in p.players.items():
        if event.space in player.mines:
            mines = tuple([space for space in player.mines if space != event.space])
            p = replace(p, players=_with(p, seat, replace(player, mines=mines)))
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
    e.ImprovementDiscarded: _improvement_discarded,
    e.TurnStarted: _turn_started,
    e.Moved: _moved,
    e.Jumped: _jumped,
    e.Shot: _shot,
    # Meetings and Claymores have separate events for their consequences.
    **dict.fromkeys((e.RunIn, e.Surprise, e.Stealth), lambda p, event: p),
    e.Retreated: _retreated,
    e.MinePlanted: _mine_planted,
    e.MineExploded: _mine_exploded,
    e.SniperReplaced: _sniper_replaced,
    e.ClaymoreSet: _claymore,
    e.Status: _status,
    e.Held: _held,
    e.TurnEnded: _turn_ended,
    e.GameOver: lambda p, event: replace(p, over=Over(event.winner, event.reason)),
}
