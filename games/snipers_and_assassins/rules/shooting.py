"""Shooting: which markers can be shot at, and the effect of a shot (SA-SHT-*, SA-MIN-04, SA-IMP-05)."""

from __future__ import annotations

from engine.lazy import Lazy, latest
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import events, places
from games.snipers_and_assassins.rules.hits import discard, hit, replace_dead_sniper
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.words import ASSASSIN, SNIPER, called, kind_of, marker_of, seat_of

SHOT_AT = ("fresh", "stale")  # Statuses in which the next shot is a hit (SA-SHT-04)
HEALING = ("healing", "healed")


def refusal(view: Picture, target: str, place: str) -> Refused | None:
    """Return why the current player's Sniper can't shoot at a marker from a place, as all other markers are now."""
    if seat_of(target) == view.turn:
        return Refused("SA-R-08", Text("You cannot shoot at your own markers."))
    where = view.at(target)
    if view.rulings.closed_hideouts and not (places.is_space(place) and places.is_space(where)):
        return Refused("SA-R-07", Text("You can't shoot from a Hideout or at one."))
    if places.distance(place, where) > view.shot_range(view.turn):
        return Refused("SA-SHT-01", Text("{target} is out of range."), target=called(target))
    if kind_of(target) != SNIPER and view.owner(target).shot in HEALING:
        return Refused("SA-R-66", Text("{target} is healing and cannot be shot at yet."), target=called(target))
    return None


@latest
def targets_by_place(view: Picture) -> Lazy[str, list[str]]:
    """Return place -> the markers that the current player's Sniper could shoot at from there."""
    markers, reach, hideouts = targets(view), view.shot_range(view.turn), not view.rulings.closed_hideouts

    def targets_from(place: str) -> list[str]:
        near = places.within(place, reach, hideouts)
        return [target for target, where in markers if where in near]

    return Lazy(targets_from)


def targets(view: Picture) -> list[tuple[str, str]]:
    """Return the markers that the current player's Sniper could shoot at within its range, each with its place."""
    markers: list[tuple[str, str]] = []
    for seat, player in view.players.items():
        if seat == view.turn:
            continue
        markers.append((marker_of(seat, SNIPER), str(player.sniper)))
        if player.shot not in HEALING:  # SA-R-66
            markers.append((marker_of(seat, ASSASSIN), str(player.assassin)))
    return markers


def in_range(view: Picture, place: str) -> frozenset[str]:
    """Return the places that the current player's Sniper could shoot at from a place."""
    return places.within(place, view.shot_range(view.turn), not view.rulings.closed_hideouts)


def shoot(telling: Telling, sniper: str, target: str) -> bool:
    """Shoot from the Sniper's space. Return False if the target is out of reach by now (SA-R-53)."""
    if refusal(telling.truth, target, telling.truth.at(sniper)) is not None:
        return False
    # Read the target's status before the shot event changes it.
    result, shot_at = _result(telling.truth, seat_of(sniper), target), telling.truth.owner(target).shot in SHOT_AT
    telling.tell(events.Shot(sniper, target, result))
    if result == "kill":
        replace_dead_sniper(telling, target)
    elif result == "deflected" and not telling.truth.owner(target).armor:
        discard(telling, seat_of(target))
    elif result == "hit":
        if not shot_at:
            discard(telling, seat_of(sniper))  # the spike (SA-R-57)
        hit(telling, target)
    elif result == "dodge":
        telling.tell(events.Status(target, "shot", "fresh"))
    elif result == "mine":
        telling.tell(events.MineExploded(telling.truth.at(target), (target,)))
        hit(telling, target)
    return True


def _result(view: Picture, shooter: str, target: str) -> events.ShotResult:
    owner = view.owner(target)
    if kind_of(target) == SNIPER:
        return "deflected" if owner.armor else "kill"
    # On a mine there is no dodge: the mine goes off, whatever the status is.
    if view.is_mined(view.at(target)):
        return "mine"
    return "hit" if owner.shot in SHOT_AT or view.holds(shooter, "spike") else "dodge"
