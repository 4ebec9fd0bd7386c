"""Sample the sniper's secrets so that they match what the defenders know and believe."""

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
"""Factor per step by which an objective's weight falls with its distance from the sniper's space."""
GOLDEN = (5**0.5 - 1) / 2
MINES = 2  # Number of S-Mines in the game


def even_quantile(start: float, number: int) -> float:
    """Return a quantile from 0 to 1 for each `number` from 0 on, evenly spread (Weyl's golden-ratio sequence)."""
    return (start + number * GOLDEN) % 1


def sample_truth(view: Picture, known: Whereabouts, belief: Belief, random: Random, quantile: float) -> Picture:
    """Return a possible truth for the defenders, who see `view` in their own turn.

    `quantile`, from 0 to 1, selects the sniper's space, so a few truths can cover all its possible spaces. Everything
    else is random.
    """
    ground = known.ground
    index = _at(belief, quantile)
    secret = _secret(view, known, index, random)
    named = _named(view, random) if view.in_the_dark else view
    # A face-down card that doesn't mask a movement is a mine.
    # There are only MINES of those, so any further face-down card masks.
    masks = max(secret.maskings, view.face_down_size - MINES)
    mines = view.face_down_size - masks
    down = (*["sound-masking"] * masks, *["s-mine"] * mines)
    rest = without(full_deck(view), (*view.face_up, *down))
    hand = tuple(random.sample(rest, min(named.hand_size, len(rest))))
    deck = without(rest, hand)
    # The bits after the spaces are the arrows of a sniper that hasn't entered yet.
    inside = index < len(ground.names)
    dossier = Dossier(
        space=ground.names[index] if inside else None,
        entry=None if inside else _sector(ground, index),
        objectives=secret.objectives,
        hand=hand,
        face_down=down,
        # Deduction doesn't follow mines, so each can lie on any space.
        mines=tuple(random.choice(ground.names) for _ in range(mines)),
        looted=ground.spaces(secret.looted),
        loot_deck=deck,
    )
    return replace(named, dossier=dossier, hand_size=len(hand), deck_size=len(deck))


def _at(belief: Belief, quantile: float) -> int:
    """Return the index of the space at a quantile of the belief, with the most likely spaces first."""
    reached = list(accumulate(weight for weight, _ in belief.ranked))
    number = min(bisect_right(reached, quantile), len(reached) - 1)
    return belief.ranked[number][1].bit_length() - 1


def _secret(view: Picture, known: Whereabouts, index: int, random: Random) -> Secret:
    """Return a secret that fits a space. Objectives near the space are more likely."""
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
        # The constant keeps secrets with distant objectives possible.
        weights.append(0.2 + sum(TOWARDS ** steps(ground)[ground.index[goal]][index] for goal in goals))
    return random.choices(fitting, weights)[0]


def _named(view: Picture, random: Random) -> Picture:
    """Return the view with a random allied sniper in place of the ghost, and all public changes since the start."""
    ally = random.choice(sorted(ALLIES))
    begun = start_bag(view.options, ally)
    # In the picture of an unknown ghost, the bag holds only public changes, which can be negative.
    bag = {token: max(0, number + view.bag[token]) for token, number in begun.items()}
    return replace(view, ally=ally, bag=bag, hand_size=max(0, loadout_size(view.options, ally) + view.hand_size))


def _sector(ground: Ground, index: int) -> str:
    return next(sector for sector, arrow in ground.arrow.items() if arrow >> index & 1)
