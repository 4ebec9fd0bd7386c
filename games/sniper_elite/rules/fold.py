"""What each event does to a picture: one small function an event, the same for every viewer.

A function for what everybody hears touches the dossier through `Picture.knows`, which leaves a viewer without one as
it is; what only the sniper hears may count on a dossier.
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
from games.sniper_elite.rules.picture import Answer, Over, Pending, Picture, SpecialistCard, SquadTurn, Tokens
from games.sniper_elite.rules.setup import same_suit, shows_objective, specialist_uses
from games.sniper_elite.rules.shooting import blast
from games.sniper_elite.rules.words import DEFENDERS, SNIPER, SQUADS, TOKENS, is_officer, squad_of

FRESH_SQUADS: Mapping[str, SquadTurn] = {squad: SquadTurn() for squad in SQUADS}


def fold(picture: Picture, event: Event) -> Picture:
    """The picture after `event`."""
    return _FOLDS[type(event)](picture, event)


# --- set-up -----------------------------------------------------------------------------------------------------


def _objective_deck(p: Picture, event: e.ObjectiveDeck) -> Picture:
    return replace(p, deck=event.cards)


def _objectives(p: Picture, event: e.Objectives) -> Picture:
    returned = [card for card in p.mine.objectives if card not in event.cards]
    deck = (*p.deck[1:], *returned) if p.deck is not None and returned else p.deck
    pending = Pending("return-objective" if same_suit(p.map, event.cards) else "choose-loadout")
    return replace(p.knows(objectives=event.cards), deck=deck, pending=pending)


def _hand(p: Picture, event: e.Hand) -> Picture:
    return p.knows(hand=event.cards, loot_deck=without(full_deck(p), event.cards))


def _loadout_chosen(p: Picture, event: e.LoadoutChosen) -> Picture:
    """The unused objective cards leave the game (MP-SETUP-11); the rest of the loadout is the loot deck."""
    count = event.count if event.count is not None else len(p.dossier.hand) if p.dossier is not None else 0
    deck_size = 0 if p.in_the_dark else len(full_deck(p)) - count
    pending = Pending("show-objective" if shows_objective(p.options) else "choose-specialists")
    return replace(p, hand_size=count, deck_size=deck_size, pending=pending, deck=None)


def _specialists_chosen(p: Picture, event: e.SpecialistsChosen) -> Picture:
    cards = {squad: SpecialistCard(card, specialist_uses(p.options)) for squad, card in event.squads.items()}
    return replace(p, specialists=cards, pending=None)


def _objective_shown(p: Picture, event: e.ObjectiveShown) -> Picture:
    return replace(p, shown=event.objective, pending=Pending("choose-specialists"))


def _entry(p: Picture, event: e.Entry) -> Picture:
    return p.knows(entry=event.sector)


def _ally(p: Picture, event: e.AllyChosen | e.AllyDealt) -> Picture:
    return replace(p, ally=event.ally)


def _bag_loaded(p: Picture, event: e.BagLoaded) -> Picture:
    return replace(p, bag=_plus(event.bag, {}))


def _ability_used(p: Picture, event: e.AbilityUsed) -> Picture:
    return p


def _ghost_revealed(p: Picture, event: e.GhostRevealed) -> Picture:
    """From now on everybody knows bag and sizes; the tokens held out are known already (EN-GHO-07, EN-R-29)."""
    bag = _plus(event.bag, p.drawn or {}, -1)
    sizes = {"hand_size": event.counts["hand"], "deck_size": event.counts["loot_deck"]}
    return replace(p, ally=event.ally, identity_revealed=True, bag=bag, **sizes)


# --- the sniper's turn ------------------------------------------------------------------------------------------


def _sniper_moved(p: Picture, event: e.SniperMoved) -> Picture:
    start = () if p.mine.space is None else (p.mine.space,)
    been = (*p.mine.been, *start, *event.path)
    return p.knows(space=event.path[-1], moved=True, masked=False, been=been)


def _barked(p: Picture, event: e.Barked) -> Picture:
    """News only, as with noise."""
    return replace(p, barked=event.spaces)


def _card_played(p: Picture, event: e.CardPlayed) -> Picture:
    played = replace(p, carded=True, hand_size=p.hand_size - 1)
    if event.card is None:
        return replace(played, face_down_size=p.face_down_size + 1)
    active = event.card if event.card in LASTING else p.active
    shown = replace(played, face_up=in_order((*p.face_up, event.card)), active=active)
    return shown if p.dossier is None else shown.knows(hand=without(p.dossier.hand, [event.card]))


def _card_laid(p: Picture, event: e.CardLaid) -> Picture:
    down = (*p.mine.face_down, event.card)
    hand = without(p.mine.hand, [event.card])
    return p.knows(hand=hand, face_down=down, masked=event.card == "sound-masking")


def _mine_laid(p: Picture, event: e.MineLaid) -> Picture:
    return p.knows(mines=(*p.mine.mines, event.space))


def _distracted(p: Picture, event: e.Distracted) -> Picture:
    return replace(p, units={**p.units, event.unit: event.to})


def _mine_triggered(p: Picture, event: e.MineTriggered) -> Picture:
    """One mine of those on the space goes off; its card is turned up (MP-MINE-03, R-37)."""
    up = replace(p, face_down_size=p.face_down_size - 1, face_up=in_order((*p.face_up, "s-mine")))
    if p.dossier is None:
        return up
    mines = list(p.dossier.mines)
    mines.remove(event.space)
    return up.knows(mines=tuple(mines), face_down=_less(p.dossier.face_down, "s-mine"))


def _less(cards: tuple[str, ...], card: str) -> tuple[str, ...]:
    """The cards less one, in the order of their laying."""
    index = cards.index(card)
    return (*cards[:index], *cards[index + 1 :])


def _target(p: Picture, event: e.Target) -> Picture:
    return p.knows(target=event.unit)


def _shot_declared(p: Picture, event: e.ShotDeclared) -> Picture:
    """The sniper's shoot action; an officer's shot declares itself in the same words (R-52)."""
    if p.turn == DEFENDERS:
        return p
    lasts = p.active in GEAR_CARDS or (p.active == "silenced-ammo" and event.second is not None)
    third = event.third if isinstance(event.third, int) else None
    active = p.active if lasts else None
    return replace(p, acted=True, shot=True, active=active, second=event.second, third=third)


def _plus(bag: Tokens, tokens: Tokens, sign: int = 1) -> dict[str, int]:
    return {token: bag[token] + sign * tokens.get(token, 0) for token in TOKENS}


def _drew(p: Picture, event: e.Drew) -> Picture:
    """The tokens stay out of the bag; a second draw is the announced second shot (MP-LOAD-14)."""
    bag = _plus(p.bag, event.tokens, -1)
    if p.drawn is None:
        return replace(p, bag=bag, drawn=_plus(event.tokens, {}))
    return replace(p, bag=bag, drawn=_plus(p.drawn, event.tokens), second=p.third, third=None, pending=None)


def _settled(p: Picture) -> Picture:
    """A shot is over: the second comes, or all drawn tokens go back into the bag (MP-SHOOT-16, R-28)."""
    if p.drawn is None:
        return replace(p, pending=None)
    if p.second is not None:
        return replace(p.knows(target=None), pending=Pending("shoot-second"))
    active = p.active if p.active in GEAR_CARDS else None
    return replace(p.knows(target=None), bag=_plus(p.bag, p.drawn), drawn=None, pending=None, active=active)


def _shot(p: Picture, event: e.Shot) -> Picture:
    return p if event.result == "hit" else _settled(p)


def _second_forfeited(p: Picture, event: e.SecondForfeited) -> Picture:
    return _settled(replace(p, second=p.third, third=None))


def _save_offered(p: Picture, event: e.SaveOffered) -> Picture:
    units = (*(p.pending.units if p.pending is not None else ()), event.unit)
    if p.drawn is not None:
        return replace(p, pending=Pending("save", units=units, hit=units))
    return replace(p, pending=Pending("save", units=units, hit=blast(p, str(p.miniature)), by="trench-gun"))


def _saved(p: Picture, event: e.Saved) -> Picture:
    return _settled(_traced(_spent(p, squad_of(event.unit)), event.unit))


def _save_declined(p: Picture, event: e.SaveDeclined) -> Picture:
    return replace(p, pending=None)


def _traced(p: Picture, target: str) -> Picture:
    """The way of a shot is seen where both its ends were told: by its noise and by who was hit (MP-SHOOT-10..12)."""
    if p.drawn is None or p.miniature is None or not reveals(p.drawn):
        return p
    return replace(p, flight=_line(p, p.miniature, str(p.units[target])))


def _line(p: Picture, start: str, end: str) -> tuple[str, ...]:
    """The spaces that a shot crosses by the map's witness line, both ends included."""
    sight = p.map.sight(start, end)
    return (start, *(sight.through if sight is not None else ()), end)


def _spent(p: Picture, squad: str) -> Picture:
    """A use of a squad's specialist is gone (MP-SPEC-01, MP-SPEC-04)."""
    card = replace(p.specialists[squad], uses=p.specialists[squad].uses - 1)
    return replace(p, specialists={**p.specialists, squad: card}, used=(*p.used, squad))


def _revealed(p: Picture, event: e.Revealed) -> Picture:
    """The Trench Gun's shoot action is told by its reveal alone."""
    shown = replace(p, miniature=event.space)
    return replace(shown, acted=True, shot=True, active=None) if event.why == "trench-gun" else shown


def _killed(p: Picture, event: e.Killed) -> Picture:
    """An officer's suppression token goes into the bag with the first kill that adds tokens (MP-BAG-02, R-31, R-36)."""
    specialists = dict(p.specialists)
    squad = squad_of(event.unit)
    if is_officer(event.unit) and takes_token(p, event.by):
        specialists[squad] = replace(specialists[squad], suppression=False)
    fallen = (*p.fallen, str(p.units[event.unit]))
    seen = _traced(p, event.unit) if event.by == "shot" else p
    dead = replace(seen, units={**p.units, event.unit: None}, specialists=specialists, fallen=fallen)
    return _settled(dead) if event.by == "shot" else dead


def _bag_gained(p: Picture, event: e.BagGained) -> Picture:
    return replace(p, bag=_plus(p.bag, {event.token: 1}))


def _looted(p: Picture, event: e.Looted) -> Picture:
    sizes = {"hand_size": p.hand_size + 1, "deck_size": p.deck_size - 1, "looted_size": p.looted_size + 1}
    return replace(p, acted=True, **sizes)


def _loot_drawn(p: Picture, event: e.LootDrawn) -> Picture:
    deck = without(p.mine.loot_deck, event.cards)
    return replace(p.knows(loot_deck=deck), pending=Pending("keep", event.cards))


def _loot_kept(p: Picture, event: e.LootKept) -> Picture:
    assert p.pending is not None
    me = p.mine
    back = without(p.pending.cards, [event.card])
    hand, deck = in_order((*me.hand, event.card)), in_order((*me.loot_deck, *back))
    return replace(p.knows(hand=hand, loot_deck=deck, looted=(*me.looted, event.space)), pending=None)


def _objective_completed(p: Picture, event: e.ObjectiveCompleted) -> Picture:
    return replace(p, acted=True, completed=(*p.completed, event.objective))


# --- the defenders' turn ----------------------------------------------------------------------------------------


def _did(p: Picture, unit: str, action: str, where: Mapping[str, str | None]) -> Picture:
    """A unit took `action`, which cost its squad a cube; `where` are the positions that changed (MP-DEF-05)."""
    squad = squad_of(unit)
    squads = {**p.squads, squad: replace(p.squads[squad], left=p.squads[squad].left - 1)}
    done = {**p.done, unit: (*p.acts_done(unit), action)}
    return replace(p, squads=squads, done=done, units={**p.units, **where})


def _moved(p: Picture, event: e.Moved) -> Picture:
    return _did(p, event.unit, "move", {event.unit: event.to})


def _deployed(p: Picture, event: e.Deployed) -> Picture:
    if event.use is None:
        return _did(p, event.unit, "deploy", {event.unit: event.space})
    called = _spent(p, str(p.squad_with(event.use)))
    return replace(called, units={**p.units, event.unit: event.space})


def _scouted(p: Picture, event: e.Scouted) -> Picture:
    """No cube, but no other action of that soldier this turn (MP-SPEC-18)."""
    scouted = _spent(p, str(p.squad_with("scout")))
    done = {**p.done, event.unit: (*p.acts_done(event.unit), "scout")}
    return replace(scouted, units={**p.units, event.unit: event.to}, done=done)


def _dog_placed(p: Picture, event: e.DogPlaced) -> Picture:
    return replace(_spent(p, str(p.squad_with("kennel-master"))), dogs=(*p.dogs, event.space))


def _dismissed(p: Picture, event: e.Dismissed) -> Picture:
    return _did(p, event.unit, "dismiss", {event.unit: None})


def _attacked(p: Picture, event: e.Attacked) -> Picture:
    squad, aimed = squad_of(event.unit), p.drawn is not None or event.space != p.units[event.unit]
    flight = _line(p, str(p.units[event.unit]), event.space) if p.drawn is not None else p.flight
    done = replace(_did(p, event.unit, "attack", {}), answer=Answer((event.space,), event.found), flight=flight)
    return _settled(_spent(done, squad) if aimed else done)


def _spotted(p: Picture, event: e.Spotted) -> Picture:
    return replace(_did(p, event.unit, "spot", {}), answer=Answer((event.space,), event.found))


def _swept(p: Picture, event: e.Swept) -> Picture:
    swept = (*event.spaces, str(p.units[event.unit]))
    return replace(_did(p, event.unit, "sweep", {}), answer=Answer(swept, event.found))


def _intel(p: Picture, event: e.Intel) -> Picture:
    sector = tuple(name for name, space in p.map.spaces.items() if space.sector == event.squad and space.enterable)
    squads = {**p.squads, event.squad: SquadTurn(left=0, intel=True)}
    return replace(p, squads=squads, answer=Answer(sector, event.found))


def _wounded(p: Picture, event: e.Wounded) -> Picture:
    return replace(p, wounds=event.wounds)


def _marked(p: Picture, event: e.Marked) -> Picture:
    return replace(p, marks=(*p.marks, event.space))


def _unmarked(p: Picture, event: e.Unmarked) -> Picture:
    at = p.marks.index(event.space)
    return replace(p, marks=p.marks[:at] + p.marks[at + 1 :])


# --- turns and the end ------------------------------------------------------------------------------------------


def _turn_ended(p: Picture, event: e.TurnEnded) -> Picture:
    fresh = replace(p, squads=FRESH_SQUADS, done={}, used=(), acted=False, shot=False, carded=False, active=None)
    if event.seat == DEFENDERS:
        quiet = replace(fresh, heard=(), barked=(), fallen=(), flight=(), answer=None)
        return replace(quiet, turn=SNIPER, round=p.round + 1, off=())
    off = tuple(unit for unit, space in p.units.items() if space is None)
    fresh = replace(fresh, turn=DEFENDERS, off=off)
    if p.dossier is None:
        return fresh
    return fresh.knows(moved=False, masked=False, been=(), log=(*p.dossier.log, (p.countdown, p.dossier.space)))


def _countdown(p: Picture, event: e.Countdown) -> Picture:
    return replace(p, countdown=event.number)


def _miniature_removed(p: Picture, event: e.MiniatureRemoved) -> Picture:
    return replace(p, miniature=None)


def _alerted(p: Picture, event: e.Alerted) -> Picture:
    """News only: being alerted changes nothing in the game (MP-NOISE-09)."""
    return replace(p, heard=event.units)


def _game_over(p: Picture, event: e.GameOver) -> Picture:
    return replace(p, over=Over(event.winner, event.reason), pending=None)


def _opened(p: Picture, event: e.Opened) -> Picture:
    return replace(p.knows(log=event.log), opened=event)


_FOLDS: Mapping[type[Event], Callable[[Picture, Any], Picture]] = {
    e.AllyChosen: _ally,
    e.AllyDealt: _ally,
    e.BagLoaded: _bag_loaded,
    e.AbilityUsed: _ability_used,
    e.GhostRevealed: _ghost_revealed,
    e.ObjectiveDeck: _objective_deck,
    e.Objectives: _objectives,
    e.Hand: _hand,
    e.LoadoutChosen: _loadout_chosen,
    e.SpecialistsChosen: _specialists_chosen,
    e.ObjectiveShown: _objective_shown,
    e.Entry: _entry,
    e.SniperMoved: _sniper_moved,
    e.Alerted: _alerted,
    e.Barked: _barked,
    e.CardPlayed: _card_played,
    e.CardLaid: _card_laid,
    e.MineLaid: _mine_laid,
    e.Distracted: _distracted,
    e.MineTriggered: _mine_triggered,
    e.Target: _target,
    e.ShotDeclared: _shot_declared,
    e.Drew: _drew,
    e.Shot: _shot,
    e.SecondForfeited: _second_forfeited,
    e.SaveOffered: _save_offered,
    e.Saved: _saved,
    e.SaveDeclined: _save_declined,
    e.Revealed: _revealed,
    e.Killed: _killed,
    e.BagGained: _bag_gained,
    e.Looted: _looted,
    e.LootDrawn: _loot_drawn,
    e.LootKept: _loot_kept,
    e.ObjectiveCompleted: _objective_completed,
    e.Moved: _moved,
    e.Deployed: _deployed,
    e.Dismissed: _dismissed,
    e.Scouted: _scouted,
    e.DogPlaced: _dog_placed,
    e.Attacked: _attacked,
    e.Spotted: _spotted,
    e.Swept: _swept,
    e.Intel: _intel,
    e.Wounded: _wounded,
    e.Marked: _marked,
    e.Unmarked: _unmarked,
    e.TurnEnded: _turn_ended,
    e.Countdown: _countdown,
    e.MiniatureRemoved: _miniature_removed,
    e.GameOver: _game_over,
    e.Opened: _opened,
}
