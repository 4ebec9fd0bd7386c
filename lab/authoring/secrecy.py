"""The check of secrecy for any game: no stranger gets a byte that depends on what it was not told."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from engine.game import Revealing
from lab.authoring.contract import contract
from lab.authoring.play import GAMES, Sample
from lab.authoring.twins import WHOLE, Owner, Tally, Twins, owners

FOLLOWED: Final = 4
"""Number of random games."""
OFTEN: Final = 6
"""The same for a part of a secret, of which there are many."""
ENOUGH: Final = 3
"""How often something must have been seen before its absence means something."""


@contract
def secrets_stay_secret(sample: Sample) -> Iterator[str]:
    """See `twins.py`. `Twinned` helps it, and `Revealing` excuses events that reveal by the rules."""
    known = [*owners(sample)]
    for owner in known:
        tally = tally_of(sample, owner)
        yield from tally.faults
        yield from _given_away(sample, owner, tally, known)
        if owner.seats:
            yield from betrayed(sample, owner, tally)


def tally_of(sample: Sample, owner: Owner) -> Tally:
    tally = Tally()
    # Further games are those in which something happens that is rare.
    for number in (*range(FOLLOWED), *range(GAMES, len(sample.games))):
        Twins(sample, owner, number, tally).run()
    return tally


def _given_away(sample: Sample, owner: Owner, tally: Tally, known: Sequence[Owner]) -> Iterator[str]:
    kept, told = set(tally.kept), [it for it, number in tally.secrets.items() if number >= ENOUGH]
    # Two seats can share a secret, for example cards that one passes to the other.
    for other in known if owner.seats and not {*told} <= kept else ():
        if other.seats and other != owner:
            kept |= tally_of(sample, owner.sharing(other)).kept
    for kind, act in told:
        if (kind, act) not in kept:
            are = "are" if len(owner.seats) > 1 else "is"
            yield (
                f"Everyone can tell what {kind} says, which only {whose(owner)} {are} told by {act}: with any other "
                "secret, the others would be told something else. Does an event for everyone have the secret, too?"
            )


def betrayed(sample: Sample, owner: Owner, tally: Tally) -> Iterator[str]:
    excused = sample.game.reveals if isinstance(sample.game, Revealing) else ()
    said = set(excused)
    for (kind, part), number in sorted(tally.betrayed.items(), key=lambda it: it[0][1]):
        # An event can follow one part of the secret, and never the rest.
        often = ENOUGH if part == WHOLE else OFTEN
        if number >= often and not tally.same[kind, part] and kind not in said:
            said.add(kind)
            what = "" if part == WHOLE else f" ({part[1]})"
            yield (
                f"{kind} tells others a secret of {whose(owner)}{what} each time: it was different in all {number} "
                f'games with another secret. If the rules say so, add it to the game: reveals = ("{kind}",).'
            )


def whose(owner: Owner) -> str:
    """Return who has the secret, for the middle of a sentence."""
    return " and ".join(owner.seats) or "the referee"
