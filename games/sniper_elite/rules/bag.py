"""BAG: tokens that go into the shot bag, and kills (MP-BAG-01..09)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.events import Told
from engine.text import Text
from games.sniper_elite.rules import events
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.rule import to_all
from games.sniper_elite.rules.words import is_officer, squad_of


def gain(truth: Picture, token: str) -> Iterator[Told]:
    """Yield the event of the bag gaining a token, if the supply has one (MP-BAG-06, R-45)."""
    if truth.supply(token) > 0:
        yield to_all(events.BagGained(token))


def noise(truth: Picture) -> Iterator[Told]:
    """Yield the noise of an objective or a spot: one token, and Lark's second one (MP-BAG-04, EN-R-32)."""
    yield from gain(truth, "noise")
    more = 0 if truth.helper is None else truth.helper.noise
    # `truth` still has the first token in the supply, so there must be one beyond it.
    if more and truth.supply("noise") > more:
        yield to_all(events.BagGained("noise"))
        yield to_all(events.AbilityUsed(str(truth.ally)))


def kill(truth: Picture, unit: str, by: str) -> Iterator[Told]:
    """Yield the death of a unit `by` a shot or a mine, and the tokens for the bag. Rules: MP-BAG-01..03, MP-BAG-09."""
    yield to_all(events.Killed(unit, by))
    if takes_token(truth, by):
        suppressed = is_officer(unit) and truth.specialists[squad_of(unit)].suppression
        yield from gain(truth, "suppression" if suppressed else "aim")


def too_few(bag: Tokens) -> Text:
    """Return the refusal of a draw that is larger than the bag."""
    total = sum(bag.values())
    return Text("The bag holds only {number} token.", "The bag holds only {number} tokens.", number=total)


def takes_token(view: Picture, by: str) -> bool:
    """Return whether a kill adds a token: not the Trench Gun's, nor a mine's with R-36 off (MP-BAG-08, R-31)."""
    return by == "shot" or (by == "mine" and view.options.stands("R-36"))
