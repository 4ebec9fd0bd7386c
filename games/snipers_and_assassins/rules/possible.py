"""Validate described games. Each refusal names the rule."""

from __future__ import annotations

from collections import Counter

from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import cards, places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import MINES


def validate_position(truth: Picture) -> None:
    """Raise `Refused` for a position that can't occur in a game."""
    _hideouts(truth)
    _targets(truth)
    _mines(truth)
    _markers(truth)
    _cards(truth)


def _hideouts(view: Picture) -> None:
    """Check that each start and each Leader has a Hideout of its own (SA-R-42)."""
    used = [space for player in view.players.values() for space in (player.start, player.leader) if space is not None]
    if len(set(used)) < len(used) or any(map(places.is_space, used)):
        raise Refused("SA-R-42", Text("Each start and each Leader has a Hideout of its own."))


def _targets(view: Picture) -> None:
    """Check that each Leader is hunted by exactly one other player, or can still be (SA-R-41)."""
    chosen = {seat: player.target for seat, player in view.players.items() if player.target is not None}
    # With one choice left, the only free Leader must not be the chooser's own.
    lone = set(view.seats) - set(chosen)
    left = set(view.seats) - set(chosen.values())
    doubled = len(set(chosen.values())) < len(chosen)
    if doubled or any(seat == target for seat, target in chosen.items()) or (len(lone) == 1 and lone == left):
        raise Refused("SA-R-41", Text("Each Leader is hunted by exactly one other player."))


def _mines(view: Picture) -> None:
    laid = [space for player in view.players.values() for space in player.mines]
    if len(set(laid)) < len(laid) or not all(map(places.is_space, laid)):
        raise Refused("SA-R-24", Text("At most one mine lies on a space, and none on a Hideout."))
    if any(len(player.mines) > MINES for player in view.players.values()):
        raise Refused("SA-R-24", Text("Nobody has more than five mines on the board."))


def _markers(view: Picture) -> None:
    """Check that markers are only in Hideouts that they may enter (SA-R-40, SA-R-54)."""
    for player in view.players.values():
        # An Assassin in the Target's Hideout ends the game.
        goal = view.players[player.target].leader if player.target and view.over else None
        open_to = ((player.sniper, (player.start,)), (player.assassin, (player.start, goal)))
        for space, allowed in open_to:
            if space is not None and not places.is_space(space) and space not in allowed:
                raise Refused("SA-R-40", Text("No marker can stand in the Hideout {space}.", space=space))


def _cards(view: Picture) -> None:
    held = [player.improvement for player in view.players.values() if player.improvement is not None]
    found = Counter([*held, *view.discard, *(view.deck or ())])
    box = Counter(cards.box(view.options.core_only))
    if any(found[card] > box[card] for card in found):
        raise Refused("SA-D-01", Text("There are fewer cards of a kind than that."))
