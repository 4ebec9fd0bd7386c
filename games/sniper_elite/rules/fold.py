"""Apply events to a picture: one function per event, the same for every viewer.

A function for a public event changes the dossier through `Picture.knows`, which has no effect for viewers without one.
A function for an event that only the sniper receives can rely on a dossier.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.bag import takes_token
from games.sniper_elite.rules.cards import GEAR_CARDS, LASTING, full_deck, in_order, without
from games.sniper_elite.rules.odds import reveals
from games.sniper_elite.rules.picture import Answer, Over, Pending, Picture, SpecialistCard, SquadTurn
from games.sniper_elite.rules.setup import same_suit
from games.sniper_elite.rules.shooting import blast
from games.sniper_elite.rules.words import DEFENDERS, SNIPER, SQUADS, is_officer, plus, squad_of

FRESH_SQUADS: Mapping[str, SquadTurn] = {squad: SquadTurn() for squad in SQUADS}


def fold(picture: Picture, event: Event) -> Picture:
    return _FOLDS[type(event)](picture, event)


# --- set-up -----------------------------------------------------------------------------------------------------


def _objectives(p: Picture, event: e.Objectives) -> Picture:
    returned = [card for card in p.mine.objectives if card not in event.cards]
    deck = (*p.deck[1:], *returned) if p.deck is not None and returned else p.deck
    pending = Pending("return-objective" if same_suit(p.map, event.cards) else "choose-loadout")
    return replace(p.knows(objectives=event.cards), deck=deck, pending=pending)


def _loadout_chosen(p: Picture, event: e.LoadoutChosen) -> Picture:
    """Set the hand size. Unused objectives leave the game (MP-SETUP-11); the other cards are the loot deck."""
    # The hand of a hidden ghost has no public size, which could identify it (EN-R-29).
    count = event.count if event.count is not None else len(p.dossier.hand) if p.dossier is not None else 0
    deck_size = 0 if p.in_the_dark else len(full_deck(p)) - count
    pending = Pending("show-objective" if p.options.shows_objective else "choose-specialists")
    return replace(p, hand_size=count, deck_size=deck_size, pending=pending, deck=None)


def _specialists_chosen(p: Picture, event: e.SpecialistsChosen) -> Picture:
    cards = {squad: SpecialistCard(card, p.options.specialist_uses) for squad, card in event.squads.items()}
    return replace(p, specialists=cards, pending=None)


def _ghost_revealed(p: Picture, event: e.GhostRevealed) -> Picture:
    """Make bag and sizes public. The tokens held out are already known (EN-GHO-07, EN-R-29)."""
    bag = plus(event.bag, p.drawn or {}, -1)
    sizes = {"hand_size": event.counts["hand"], "deck_size": event.counts["loot_deck"]}
    return replace(p, ally=event.ally, identity_revealed=True, bag=bag, **sizes)


# --- the sniper's turn ------------------------------------------------------------------------------------------


def _sniper_moved(p: Picture, event: e.SniperMoved) -> Picture:
    start = () if p.mine.space is None else (p.mine.space,)
    been = (*p.mine.been, *start, *event.path)
    return p.knows(space=event.path[-1], moved=True, masked=False, been=been)


def _card_played(p: Picture, event: e.CardPlayed) -> Picture:
    played = replace(p, carded=True, hand_size=p.hand_size - 1)
    if event.card is None:
        return replace(played, face_down_size=p.face_down_size + 1)
    active = event.card if event.card in LASTING else p.active
    face_up = replace(played, face_up=in_order((*p.face_up, event.card)), active=active)
    return face_up if p.dossier is None else face_up.knows(hand=without(p.dossier.hand, [event.card]))


def _card_laid(p: Picture, event: e.CardLaid) -> Picture:
    down = (*p.mine.face_down, event.card)
    hand = without(p.mine.hand, [event.card])
    return p.knows(hand=hand, face_down=down, masked=event.card == "sound-masking")


def _mine_triggered(p: Picture, event: e.MineTriggered) -> Picture:
    """Remove one mine from the space and turn its card up (MP-MINE-03, R-37)."""
    up = replace(p, face_down_size=p.face_down_size - 1, face_up=in_order((*p.face_up, "s-mine")))
    if p.dossier is None:
        return up
    return up.knows(
        mines=without_first(p.dossier.mines, event.space), face_down=without_first(p.dossier.face_down, "s-mine")
    )


def without_first(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """Return `cards` without the first occurrence of `card`, in the same order."""
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


def _shot_declared(p: Picture, event: e.ShotDeclared) -> Picture:
    """Record the sniper's shoot action. An officer's shot has the same event (R-52) and changes nothing here."""
    if p.turn == DEFENDERS:
        return p
    # A shot uses up the weapon. Gear stays, and so does silenced ammunition if a second shot follows.
    lasts = p.active in GEAR_CARDS or (p.active == "silenced-ammo" and event.second is not None)
    third = event.third if isinstance(event.third, int) else None
    active = p.active if lasts else None
    return replace(p, acted=True, shot=True, active=active, second=event.second, third=third)


def _drew(p: Picture, event: e.Drew) -> Picture:
    """Take tokens out of the bag. A second draw belongs to the announced second shot (MP-LOAD-14)."""
    bag = plus(p.bag, event.tokens, -1)
    if p.drawn is None:
        return replace(p, bag=bag, drawn=plus(event.tokens, {}))
    # The third count moves up to be the next shot.
    return replace(p, bag=bag, drawn=plus(p.drawn, event.tokens), second=p.third, third=None, pending=None)


def _settled(p: Picture) -> Picture:
    """Finish a shot: continue with the second, or put all tokens back into the bag (MP-SHOOT-16, R-28)."""
    if p.drawn is None:
        return replace(p, pending=None)
    if p.second is not None:
        return replace(p.knows(target=None), pending=Pending("shoot-second"))
    active = p.active if p.active in GEAR_CARDS else None
    return replace(p.knows(target=None), bag=plus(p.bag, p.drawn), drawn=None, pending=None, active=active)


def _save_offered(p: Picture, event: e.SaveOffered) -> Picture:
    units = (*(p.pending.units if p.pending is not None else ()), event.unit)
    # Drawn tokens mean that this is a shot. The Trench Gun draws none.
    if p.drawn is not None:
        return replace(p, pending=Pending("save", units=units, hit=units))
    return replace(p, pending=Pending("save", units=units, hit=blast(p, str(p.miniature)), by="trench-gun"))


def _traced(p: Picture, target: str) -> Picture:
    """Record a shot's line if both ends are public, by its noise and by the unit hit (MP-SHOOT-10..12)."""
    if p.drawn is None or p.miniature is None or not reveals(p.drawn):
        return p
    return replace(p, flight=_crossed_spaces(p, p.miniature, str(p.units[target])))


def _crossed_spaces(p: Picture, start: str, end: str) -> tuple[str, ...]:
    """Return the spaces that a shot crosses by the map's witness line, including both ends."""
    sight = p.map.sight(start, end)
    return (start, *(sight.through if sight is not None else ()), end)


def _spent(p: Picture, squad: str) -> Picture:
    """Spend one use of a squad's specialist (MP-SPEC-01, MP-SPEC-04)."""
    card = replace(p.specialists[squad], uses=p.specialists[squad].uses - 1)
    return replace(p, specialists={**p.specialists, squad: card}, used=(*p.used, squad))


def _revealed(p: Picture, event: e.Revealed) -> Picture:
    """Move the miniature. For the Trench Gun, this is also the only event of the shoot action."""
    moved = replace(p, miniature=event.space)
    return replace(moved, acted=True, shot=True, active=None) if event.why == "trench-gun" else moved


def _killed(p: Picture, event: e.Killed) -> Picture:
    """Remove a unit. The first kill that adds tokens also takes an officer's suppression (MP-BAG-02, R-31, R-36)."""
    specialists = dict(p.specialists)
    squad = squad_of(event.unit)
    if is_officer(event.unit) and takes_token(p, event.by):
        specialists[squad] = replace(specialists[squad], suppression=False)
    fallen = (*p.fallen, str(p.units[event.unit]))
    seen = _traced(p, event.unit) if event.by == "shot" else p
    dead = replace(seen, units={**p.units, event.unit: None}, specialists=specialists, fallen=fallen)
    return _settled(dead) if event.by == "shot" else dead


def _loot_kept(p: Picture, event: e.LootKept) -> Picture:
    assert p.pending is not None
    me = p.mine
    back = without(p.pending.cards, [event.card])
    hand, deck = in_order((*me.hand, event.card)), in_order((*me.loot_deck, *back))
    return replace(p.knows(hand=hand, loot_deck=deck, looted=(*me.looted, event.space)), pending=None)


# --- the defenders' turn ----------------------------------------------------------------------------------------


def _did(p: Picture, unit: str, action: str, where: Mapping[str, str | None]) -> Picture:
    """Record a unit's `action`, which costs its squad a cube (MP-DEF-05). `where` has the changed positions."""
    squad = squad_of(unit)
    squads = {**p.squads, squad: replace(p.squads[squad], left=p.squads[squad].left - 1)}
    done = {**p.done, unit: (*p.acts_done(unit), action)}
    return replace(p, squads=squads, done=done, units={**p.units, **where})


def _deployed(p: Picture, event: e.Deployed) -> Picture:
    if event.use is None:
        return _did(p, event.unit, "deploy", {event.unit: event.space})
    called = _spent(p, str(p.squad_with(event.use)))
    return replace(called, units={**p.units, event.unit: event.space})


def _scouted(p: Picture, event: e.Scouted) -> Picture:
    """Relocate a soldier (MP-SPEC-18). It takes no cube, but prevents the soldier's other actions this turn."""
    scouted = _spent(p, str(p.squad_with("scout")))
    done = {**p.done, event.unit: (*p.acts_done(event.unit), "scout")}
    return replace(scouted, units={**p.units, event.unit: event.to}, done=done)


def _attacked(p: Picture, event: e.Attacked) -> Picture:
    # A draw or a space other than the unit's own means that a specialist was used.
    squad, aimed = squad_of(event.unit), p.drawn is not None or event.space != p.units[event.unit]
    # Drawn tokens mean an aimed shot, whose line everyone sees.
    flight = _crossed_spaces(p, str(p.units[event.unit]), event.space) if p.drawn is not None else p.flight
    done = replace(_did(p, event.unit, "attack", {}), answer=Answer((event.space,), event.found), flight=flight)
    return _settled(_spent(done, squad) if aimed else done)


def _swept(p: Picture, event: e.Swept) -> Picture:
    swept = (*event.spaces, str(p.units[event.unit]))
    return replace(_did(p, event.unit, "sweep", {}), answer=Answer(swept, event.found))


def _intel(p: Picture, event: e.Intel) -> Picture:
    sector = tuple(name for name, space in p.map.spaces.items() if space.sector == event.squad and space.enterable)
    # Intel takes all cubes of the squad.
    squads = {**p.squads, event.squad: SquadTurn(left=0, intel=True)}
    return replace(p, squads=squads, answer=Answer(sector, event.found))


# --- turns and the end ------------------------------------------------------------------------------------------


def _turn_ended(p: Picture, event: e.TurnEnded) -> Picture:
    fresh = replace(p, squads=FRESH_SQUADS, done={}, used=(), acted=False, shot=False, carded=False, active=None)
    if event.seat == DEFENDERS:
        quiet = replace(fresh, heard=(), barked=(), fallen=(), flight=(), answer=None)
        return replace(quiet, turn=SNIPER, round=p.round + 1, off=())
    # The Radio Operator can call only units that are off the board now (MP-SPEC-21).
    off = tuple(unit for unit, space in p.units.items() if space is None)
    fresh = replace(fresh, turn=DEFENDERS, off=off)
    if p.dossier is None:
        return fresh
    return fresh.knows(moved=False, masked=False, been=(), log=(*p.dossier.log, (p.countdown, p.dossier.space)))


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.AllyChosen: lambda p, event: replace(p, ally=event.ally),
    e.AllyDealt: lambda p, event: replace(p, ally=event.ally),
    e.BagLoaded: lambda p, event: replace(p, bag=plus(event.bag, {})),
    e.AbilityUsed: lambda p, event: p,
    e.GhostRevealed: _ghost_revealed,
    e.ObjectiveDeck: lambda p, event: replace(p, deck=event.cards),
    e.Objectives: _objectives,
    e.Hand: lambda p, event: p.knows(hand=event.cards, loot_deck=without(full_deck(p), event.cards)),
    e.LoadoutChosen: _loadout_chosen,
    e.SpecialistsChosen: _specialists_chosen,
    e.ObjectiveShown: lambda p, event: replace(p, shown=event.objective, pending=Pending("choose-specialists")),
    e.Entry: lambda p, event: p.knows(entry=event.sector),
    e.SniperMoved: _sniper_moved,
    e.Alerted: lambda p, event: replace(p, heard=event.units),
    e.Barked: lambda p, event: replace(p, barked=event.spaces),
    e.CardPlayed: _card_played,
    e.CardLaid: _card_laid,
    e.MineLaid: lambda p, event: p.knows(mines=(*p.mine.mines, event.space)),
    e.Distracted: lambda p, event: replace(p, units={**p.units, event.unit: event.to}),
    e.MineTriggered: _mine_triggered,
    e.Target: lambda p, event: p.knows(target=event.unit),
    e.ShotDeclared: _shot_declared,
    e.Drew: _drew,
    e.Shot: lambda p, event: p if event.result == "hit" else _settled(p),
    e.SecondForfeited: lambda p, event: _settled(replace(p, second=p.third, third=None)),
    e.SaveOffered: _save_offered,
    e.Saved: lambda p, event: _settled(_traced(_spent(p, squad_of(event.unit)), event.unit)),
    e.SaveDeclined: lambda p, event: replace(p, pending=None),
    e.Revealed: _revealed,
    e.Killed: _killed,
    e.BagGained: lambda p, event: replace(p, bag=plus(p.bag, {event.token: 1})),
    e.Looted: lambda p, event: replace(
        p, acted=True, hand_size=p.hand_size + 1, deck_size=p.deck_size - 1, looted_size=p.looted_size + 1
    ),
    e.LootDrawn: lambda p, event: replace(
        p.knows(loot_deck=without(p.mine.loot_deck, event.cards)), pending=Pending("keep", event.cards)
    ),
    e.LootKept: _loot_kept,
    e.ObjectiveCompleted: lambda p, event: replace(p, acted=True, completed=(*p.completed, event.objective)),
    e.Moved: lambda p, event: _did(p, event.unit, "move", {event.unit: event.to}),
    e.Deployed: _deployed,
    e.Dismissed: lambda p, event: _did(p, event.unit, "dismiss", {event.unit: None}),
    e.Scouted: _scouted,
    e.DogPlaced: lambda p, event: replace(_spent(p, str(p.squad_with("kennel-master"))), dogs=(*p.dogs, event.space)),
    e.Attacked: _attacked,
    e.Spotted: lambda p, event: replace(_did(p, event.unit, "spot", {}), answer=Answer((event.space,), event.found)),
    e.Swept: _swept,
    e.Intel: _intel,
    e.Wounded: lambda p, event: replace(p, wounds=event.wounds),
    e.Marked: lambda p, event: replace(p, marks=(*p.marks, event.space)),
    e.Unmarked: lambda p, event: replace(p, marks=without_first(p.marks, event.space)),
    e.TurnEnded: _turn_ended,
    e.Countdown: lambda p, event: replace(p, countdown=event.number),
    e.MiniatureRemoved: lambda p, event: replace(p, miniature=None),
    e.GameOver: lambda p, event: replace(p, over=Over(event.winner, event.reason), pending=None),
    e.Opened: lambda p, event: replace(p.knows(log=event.log), opened=event),
}
