"""Assassin options, mines, Claymores and victory (SA-ASN-*, SA-CLM-01, SA-WIN-*)."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import NamedTuple

from engine.game import Command
from engine.lazy import latest
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import events, hits, places
from games.snipers_and_assassins.rules.commands import Claymore, Jump, Mine, Plant, Walk
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.rule import Rule
from games.snipers_and_assassins.rules.turn import not_acted
from games.snipers_and_assassins.rules.words import ASSASSIN, MINES, SNIPER, kind_of, markers_of

STEPS = 2  # Maximum steps of an Assassin's walk (SA-ASN-01)


def _assassin_place(view: Picture) -> str:
    return str(view.me.assassin)


def goal(view: Picture, seat: str) -> str | None:
    """Return the Hideout in which a seat's Assassin wins (SA-R-39)."""
    target = view.players[seat].target
    return None if target is None else view.players[target].leader


def is_open(view: Picture, name: str) -> bool:
    """Return whether the current Assassin may enter a place: a space, its home or its goal (SA-R-54)."""
    return places.is_space(name) or name in (view.me.start, goal(view, view.turn))


def _destinations(kind: type[Walk] | type[Jump], pathways: int, here: str) -> tuple[str, ...]:
    """Return the destinations of walks or jumps (SA-ASN-01)."""
    return tuple(hits.jump_places(pathways, here).values()) if kind is Jump else hits.places_along(here, STEPS)


def _why_unable(view: Picture, kind: type[Command]) -> Refused | None:
    """Refuse an Assassin that can't act (SA-R-21, SA-R-22)."""
    if view.me.shot == "fresh":
        return Refused("SA-R-21", Text("Your Assassin was shot at and can only hold this turn."))
    if view.me.locked:
        return Refused("SA-R-22", Text("Your Assassin is healing from a gas mine and can only hold this turn."))
    return None


def _why_no_jump(view: Picture, kind: type[Command]) -> Refused | None:
    """Refuse a jump from a Hideout (SA-R-04)."""
    if not places.is_space(_assassin_place(view)):
        return Refused("SA-R-04", Text("An Assassin cannot jump out of a Hideout."))
    return None


def _why_closed(view: Picture, command: Walk | Jump) -> Refused | None:
    """Refuse a destination that the Assassin may not enter (SA-R-40)."""
    if not is_open(view, command.to):
        return Refused("SA-R-40", Text("This Hideout is closed to your Assassin."))
    return None


def _why_out_of_reach(view: Picture, command: Walk | Jump) -> Refused | None:
    if command.to not in _destinations(type(command), view.pathways, _assassin_place(view)):
        return Refused("SA-ASN-01", Text("Your Assassin does not get to {space} that way."), space=command.to)
    return None


def _why_no_mine(view: Picture, command: Walk | Jump) -> Refused | None:
    """Check the mine of a move (SA-R-28, SA-R-39), including the rules for every mine."""
    mine = command.mine
    if mine is None:
        return None
    # A mine before the move lies where the Assassin stands, one after it next to its end.
    if mine.when == "before":
        if mine.space != _assassin_place(view) or not places.is_space(mine.space):
            return Refused("SA-R-28", Text("A mine planted before a move must be on the space you leave."))
        return _why_not_plantable(view, mine.space)
    if command.to == goal(view, view.turn):
        return Refused("SA-R-39", Text("That move wins the game; no mine is needed any more."))
    return _next_to(view, mine.space, command.to)


def _next_to(view: Picture, space: str, place: str) -> Refused | None:
    """Check that the mine's space is next to a place (SA-R-27)."""
    if space not in places.next_to(place):
        return Refused("SA-R-27", Text("After a move a mine is planted on a space next to the Assassin."))
    return _why_not_plantable(view, space)


def _has_mines(view: Picture) -> bool:
    """Return whether the current player has mines left. The number has no limit if the ruling is off (SA-R-24)."""
    return len(view.me.mines) < MINES or not view.rulings.limited_mines


def _why_not_plantable(view: Picture, space: str) -> Refused | None:
    """Check that a mine can be planted on a space (SA-R-24, SA-R-26)."""
    if not _has_mines(view):
        return Refused("SA-R-24", Text("All your mines are on the board."))
    if view.is_mined(space):
        return Refused("SA-R-24", Text("There is a mine on {space} already."), space=space)
    if view.at(view.own(SNIPER)) == space:
        return Refused("SA-R-26", Text("Your own Sniper stands on {space}."), space=space)
    return None


def _has_claymores(view: Picture) -> bool:
    """Return whether the Assassin was driven back to the space before its start (SA-R-37)."""
    me = view.me
    return me.pushed_back and me.start is not None and me.assassin == places.space_before_hideout(me.start)


def _why_no_claymores(view: Picture, command: Claymore) -> Refused | None:
    if _has_claymores(view):
        return None
    return Refused("SA-R-37", Text("Claymores are for an Assassin that was driven back to the space before its start."))


class _Offer(NamedTuple):
    """A move to a place, without a mine, with one on the space that it leaves, and with one next to its end."""

    plain: Walk | Jump
    before: Walk | Jump
    after: tuple[tuple[str, Walk | Jump], ...]


@lru_cache(maxsize=2048)
def _offers(
    kind: type[Walk] | type[Jump], pathways: int, here: str, home: str | None, win: str | None
) -> tuple[_Offer, ...]:
    """Return the moves from a place to open places, ignoring mines. Cached, because bots call it constantly."""

    def offer(to: str) -> _Offer:
        # The winning move needs no mine (SA-R-39).
        near = () if to == win else places.next_to(to)
        after = tuple((space, kind(to, Mine("after", space))) for space in near)
        return _Offer(kind(to), kind(to, Mine("before", here)), after)

    ends = _destinations(kind, pathways, here)
    return tuple(offer(to) for to in ends if places.is_space(to) or to in (home, win))


def _offer_moves(kind: type[Walk] | type[Jump]) -> Callable[[Picture], Iterable[Command]]:
    def offer(view: Picture) -> Iterable[Command]:
        here, win = _assassin_place(view), goal(view, view.turn)
        mining, taken = _has_mines(view), _unplantable_spaces(view)
        acts: list[Command] = []
        # Hideouts can't hold a mine.
        leaving = mining and places.is_space(here) and here not in taken
        for plain, before, after in _offers(kind, view.pathways, here, view.me.start, win):
            acts.append(plain)
            if leaving:
                acts.append(before)
            if mining:
                acts += [act for space, act in after if space not in taken]
        return acts

    return offer


@latest
def _unplantable_spaces(view: Picture) -> frozenset[str | None]:
    """Return the spaces where no mine can be planted (SA-R-24, SA-R-26)."""
    return view.mines | {view.me.sniper}


def _offer_plants(view: Picture) -> Iterable[Command]:
    if not _has_mines(view):
        return ()
    taken = _unplantable_spaces(view)
    return [PLANTS[space] for space in places.next_to(_assassin_place(view)) if space not in taken]


def _offer_claymores(view: Picture) -> Iterable[Command]:
    return CLAYMORES if _has_claymores(view) else ()


def _carry_out_move(telling: Telling, command: Walk | Jump) -> None:
    assassin, mine = telling.truth.own(ASSASSIN), command.mine
    # This mine stays even if the Assassin is then hit on landing (SA-R-52).
    if mine is not None and mine.when == "before":
        _plant_mine(telling, mine.space)
    unhurt = hits.step(telling, assassin, hits.jump(command.to) if isinstance(command, Jump) else hits.walk(command.to))
    # The goal is a Hideout, where no mine or marker can stop the Assassin.
    if command.to == goal(telling.truth, telling.truth.turn):
        telling.tell(events.GameOver(telling.truth.turn, "leader"))
    elif unhurt and mine is not None and mine.when == "after":
        _plant_mine(telling, mine.space)


def _plant_mine(telling: Telling, space: str) -> None:
    """Plant a mine. Enemy Snipers on the space trigger it at once (SA-R-26, SA-R-60)."""
    seat = telling.truth.turn
    telling.tell(events.MinePlanted(seat, space))
    snipers = tuple(marker for marker in hits.enemies_on(telling.truth, space, seat) if kind_of(marker) == SNIPER)
    # Under an Assassin, a mine has no effect and stays (SA-R-26).
    if snipers:
        hits.explode(telling, space, snipers)


def _set_off(telling: Telling, command: Claymore) -> None:
    """Hit every other marker on the spaces of the pathway, including the player's own Sniper (SA-R-37)."""
    assassin, start = telling.truth.own(ASSASSIN), telling.truth.me.start
    assert start is not None, "a player with Claymores has a start"
    telling.tell(events.Moved(assassin, telling.truth.at(assassin), start))
    pathway = places.place_of(start).pathway
    # Fix the list before the first hit, because hits move markers.
    struck = tuple(
        marker
        for marker in markers_of(telling.truth.seats)
        if places.place_of(telling.truth.at(marker)).pathway == pathway and places.is_space(telling.truth.at(marker))
    )
    telling.tell(events.ClaymoreSet(assassin, places.letter(pathway), struck))
    for marker in struck:
        hits.hit(telling, marker)


PLANTS = {space: Plant(space) for space in places.spaces(places.MOST_PATHWAYS) if places.is_space(space)}
CLAYMORES = (Claymore(),)
ACTING = (not_acted(ASSASSIN), _why_unable)
RULES = [
    Rule(Walk, _offer_moves(Walk), (_why_closed, _why_out_of_reach, _why_no_mine), _carry_out_move, ACTING),
    Rule(
        Jump,
        _offer_moves(Jump),
        (_why_closed, _why_out_of_reach, _why_no_mine),
        _carry_out_move,
        (*ACTING, _why_no_jump),
    ),
    Rule(
        Plant,
        _offer_plants,
        (lambda view, command: _next_to(view, command.space, _assassin_place(view)),),
        lambda telling, command: _plant_mine(telling, command.space),
        ACTING,
    ),
    Rule(Claymore, _offer_claymores, (_why_no_claymores,), _set_off, ACTING),
]
