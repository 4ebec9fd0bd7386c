"""Deal the sniper's secrets so that they fit what the defenders know, as likely as the defenders believe them to be."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from random import Random

from msgspec.structs import replace

from games.sniper_elite.bots._belief import Belief
from games.sniper_elite.bots._fields import steps
from games.sniper_elite.rules.cards import full_deck, without
from games.sniper_elite.rules.ground import Ground, Secret, parts
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.picture import Dossier, Picture
from games.sniper_elite.rules.setup import loadout_size, start_bag
from games.sniper_elite.rules.whereabouts import Whereabouts

TOWARDS = 0.6
"""An objective counts by this power of the steps to it: who stands near one is likely after it."""
GOLDEN = (5**0.5 - 1) / 2
MINES = 2  # As many S-Mines exist


def evenly(start: float, number: int) -> float:
    """A quantile from 0 to 1 for each number from 0 on. They are spread evenly, however many are used (Weyl's sequence
    of the golden ratio).
    """
    return (start + number * GOLDEN) % 1


def dealt(view: Picture, known: Whereabouts, belief: Belief, random: Random, quantile: float) -> Picture:
    """Return a truth that the defenders, who see `view` in their own turn, have to expect.

    `quantile`, from 0 to 1, picks the sniper's space, so that a few truths can be spread over all spaces that it may
    be on. All else is drawn.
    """
    ground = known.ground
    index = _at(belief, quantile)
    secret = _secret(view, known, index, random)
    named = _named(view, random) if view.in_the_dark else view
    # Cards that lie face-down and mask nothing are mines.
    masks = max(secret.maskings, view.face_down_size - MINES)
    mines = view.face_down_size - masks
    down = (*["sound-masking"] * masks, *["s-mine"] * mines)
    rest = without(full_deck(view), (*view.face_up, *down))
    hand = tuple(random.sample(rest, min(named.hand_size, len(rest))))
    deck = without(rest, hand)
    inside = index < len(ground.names)
    dossier = Dossier(
        space=ground.names[index] if inside else None,
        entry=None if inside else _sector(ground, index),
        objectives=secret.objectives,
        hand=hand,
        face_down=down,
        mines=tuple(random.choice(ground.names) for _ in range(mines)),
        looted=ground.spaces(secret.looted),
        loot_deck=deck,
    )
    return replace(named, dossier=dossier, hand_size=len(hand), deck_size=len(deck))


def _at(belief: Belief, quantile: float) -> int:
    """Return the index of the space at a quantile of what is believed, the likeliest spaces first."""
    reached = list(accumulate(weight for weight, _ in belief.ranked))
    number = min(bisect_right(reached, quantile), len(reached) - 1)
    return belief.ranked[number][1].bit_length() - 1


def _secret(view: Picture, known: Whereabouts, index: int, random: Random) -> Secret:
    """Return what goes with a space: objectives near it are likelier."""
    ground = known.ground
    fitting = sorted(
        secret
        for spots, held in known.stands.items()
        if any(part >> index & 1 for part in parts(ground, spots))
        for secret in held
    )
    weights = []
    for secret in fitting:
        goals = [view.sites.objectives[number] for number in secret.objectives if number not in view.completed]
        weights.append(0.2 + sum(TOWARDS ** steps(ground)[ground.index[goal]][index] for goal in goals))
    return random.choices(fitting, weights)[0]


def _named(view: Picture, random: Random) -> Picture:
    """With an allied sniper in place of a ghost; what was seen to come and go is counted from its beginning."""
    ally = random.choice(sorted(ALLIES))
    begun = start_bag(view.options, ally)
    bag = {token: max(0, number + view.bag[token]) for token, number in begun.items()}
    return replace(view, ally=ally, bag=bag, hand_size=max(0, loadout_size(view.options, ally) + view.hand_size))


def _sector(ground: Ground, index: int) -> str:
    return next(sector for sector, arrow in ground.arrow.items() if arrow >> index & 1)
