"""The check of secrecy for any game: no outsider gets a byte that depends on something that it was not told."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

from engine.game import Revealing
from engine.refusal import RuleError
from lab.authoring.contract import contract, shortened
from lab.authoring.options import other_settings
from lab.authoring.play import GAMES, LEAST_SEEN, Sample, Unplayable, tag
from lab.authoring.twins import WHOLE, Owner, Part, Tally, Twins, owners

RANDOM_GAMES: Final = 4
"""Number of random games."""
GAMES_WITH_OPTIONS: Final = 4
"""Number of random games with each of at most `MOST_SETTINGS` other options."""
MOST_SETTINGS: Final = 6
OFTEN: Final = 6
"""The same for a part of a secret, of which there are many."""
YES_OR_NO: Final = 10
"""Number of acts after which an event that says one of two things is no accident."""
EXCUSED: Final = "excused by reveals"
"""The heading of events that reveal a secret as the rules require."""
MOST_LISTED: Final = 6
"""Up to this many values of a field are listed."""
SOMETIMES: Final = "sometimes different with another secret"
"""The heading of events for everyone that depend on a secret, which only the rules can allow."""
UNDECIDED: Final = "not decided"
"""The heading of secrets for which the twins are inconclusive."""


@contract
def secrets_stay_secret(sample: Sample) -> Iterator[str]:
    """See `twins.py`. `Twinned` helps it, and `Revealing` excuses events that reveal by the rules."""
    needed, broken = set[str](), False
    for fault in _faults(sample, needed):
        broken = True
        yield fault
    if not broken:
        yield from _with_other_options(sample)
    # A fault can hide what `reveals` is needed for.
    sample.notes[EXCUSED] = [*_excused(sample, {*_reveals(sample)} if broken else needed)]


def _faults(sample: Sample, needed: set[str]) -> Iterator[str]:
    """Yield what gives secrets away. Add to `needed` what must be in `reveals`."""
    known = [*owners(sample)]
    for owner in known:
        tally = tally_of(sample, owner, RANDOM_GAMES)
        yield from tally.faults
        needed |= _needed(tally)
        yield from _given_away(sample, owner, tally, known)
        sample.notes.setdefault(UNDECIDED, []).extend(too_few(owner, tally))
        sample.notes.setdefault(SOMETIMES, []).extend(_hints(sample, owner, tally))
        if owner.seats:
            yield from betrayed(sample, owner, tally)
            # Secrets that become public at their first use rarely differ again, so few games are not enough to test
            # them.
            told = _told_each_time(tally)
            often = {kind for (kind, part), _ in told if _is_often(tally, kind, part)}
            if rare := ({kind for (kind, _), _ in told} & tally.public) - often:
                yield from betrayed(sample, owner, tally_of(sample, owner, GAMES), rare)


def _with_other_options(sample: Sample) -> Iterator[str]:
    """Yield what is given away with other options, in a few short samples: the random games have the default ones."""
    chosen = [*other_settings(sample.game).items()]
    for named, raw in chosen[:: -(-len(chosen) // MOST_SETTINGS) or 1]:
        with suppress(RuleError, Unplayable):  # refused on this board, or reported by the check of the options
            other = Sample(sample.game, sample.board, raw, GAMES_WITH_OPTIONS)
            known = [*owners(other)]
            for owner in known:
                tally = tally_of(other, owner, GAMES_WITH_OPTIONS)
                found = (*tally.faults, *_given_away(other, owner, tally, known, OFTEN))
                yield from (f"With {named}: {it}" for it in found)


def tally_of(sample: Sample, owner: Owner, followed: int) -> Tally:
    """Return the results of the twins in this many random games."""
    tally = Tally()
    # Additional games are those in which rare events happen.
    for number in (*range(followed), *range(sample.number, len(sample.games))):
        Twins(sample, owner, number, tally).run()
    return tally


def _given_away(
    sample: Sample, owner: Owner, tally: Tally, known: Sequence[Owner], enough: int = LEAST_SEEN
) -> Iterator[str]:
    # A few acts can look the same by chance.
    left = {secret: [tried] for secret, tried in tally.secrets.items() if tried.acts >= enough and not tried.kept}
    whole = {(kind, act) for kind, field, act, _ in left if not field}
    left = {
        (kind, field, act, kinds): tried
        for (kind, field, act, kinds), tried in left.items()
        # A field on its own is evidence if twins that kept the whole event secret differed in another field.
        if not field or ((kind, act) not in whole and tried[0].twins >= OFTEN)
    }
    for group in _together(owner, known) if owner.seats else ():
        if not left:
            return
        found = tally_of(sample, group, sample.number).secrets
        left = {secret: [*tried, found[secret]] for secret, tried in left.items() if not found[secret].kept}
    for (kind, field, act, _), tried in sorted(left.items(), key=lambda it: it[0]):
        what = f"what {kind} says{field and f' as {field}'}, which only {whose(owner)} {is_are(owner)} told by {act}"
        most = max(tried, key=lambda it: it.twins)
        if most.twins < LEAST_SEEN:
            sample.notes.setdefault(UNDECIDED, []).append(
                f"The twins don't show whether others can tell {what}: no twin with another secret looks the same to "
                "the others. Read what this act tells them."
            )
        else:
            yield (
                f"Everyone can tell {what}: with any other secret, the others would get different events "
                f"({', '.join(most.apart)}). Does an event for everyone contain the secret, too? {_excuse(most.apart)}"
            )


def too_few(owner: Owner, tally: Tally) -> Iterator[str]:
    """Yield the acts that have told a secret so rarely that the twins can't show anything."""
    acts = Counter[tuple[str, str]]()
    for (kind, field, act, _), tried in tally.secrets.items():
        acts[kind, act] += 0 if field else tried.acts
    for (kind, act), times in sorted(acts.items()):
        if times < LEAST_SEEN:
            often = "once" if times == 1 else f"{times} times"
            yield (
                f"Only {whose(owner)} {is_are(owner)} told {kind} by {act}, and that has happened {often} only: too "
                "rarely for the twins. Read what this act tells the others."
            )


def _together(owner: Owner, known: Sequence[Owner]) -> Iterator[Owner]:
    """Yield the owner with other seats: seats can share a secret, or one seat learns something about another's
    secret."""
    others = [other for other in known if other.seats and not {*other.seats} <= {*owner.seats}]
    yield from map(owner.sharing, others)
    whole = owner
    for other in others:
        whole = whole if {*other.seats} <= {*whole.seats} else whole.sharing(other)
    if len(others) > 1:
        yield whole


def betrayed(sample: Sample, owner: Owner, tally: Tally, among: Container[str] | None = None) -> Iterator[str]:
    excused = _reveals(sample)
    said = set(excused)
    for (kind, part), number in sorted(_told_each_time(tally), key=lambda it: it[0][1]):
        if _is_often(tally, kind, part) and kind not in said and (among is None or kind in among):
            said.add(kind)
            what = "" if part == WHOLE else f" ({part[1]})"
            yield (
                f"{kind} tells others a secret of {whose(owner)}{what} each time: it was different in all {number} "
                f"games with another secret. {_excuse([kind])}"
            )


def _told_each_time(tally: Tally) -> list[tuple[tuple[str, Part], int]]:
    """Return the types of events that differed each time, with the part of the secret, and how often."""
    return [(told, number) for told, number in tally.betrayed.items() if not tally.same[told]]


def _is_often(tally: Tally, kind: str, part: Part) -> bool:
    """Return whether an event differed so often that this is no accident."""
    if len(tally.values[kind]) <= len((False, True)):
        # A yes or no is often another one by accident, and in all twins of an act at once.
        return len(tally.acts[kind, part]) >= YES_OR_NO
    # An event can follow one part of the secret, and never the rest.
    return tally.betrayed[kind, part] >= (LEAST_SEEN if part == WHOLE else OFTEN)


def _hints(sample: Sample, owner: Owner, tally: Tally) -> Iterator[str]:
    """Yield the public events that differed with another secret, so that an author sees which ones give hints."""
    excused = _reveals(sample)
    for kind in sorted(tally.public.difference(excused)):
        if times := tally.betrayed[kind, WHOLE] + tally.chosen[kind, True]:
            seen = times + tally.same[kind, WHOLE] + tally.chosen[kind, False]
            yield f"{kind} depends on a secret of {whose(owner)}: it was different {times} of {seen} times."


def _needed(tally: Tally) -> set[str]:
    """Return the types of events without which the check would report something, if `reveals` names them."""
    each_time = {kind for (kind, _), _ in _told_each_time(tally)}  # even a few times: more games can show more
    # Whether an answer for some seats differs each time depends on what they ask for in the random games.
    answers = {kind for kind, _ in tally.betrayed if kind not in tally.public}
    return each_time.union(answers, *(tried.excused for tried in tally.secrets.values() if not tried.unaided))


def _excused(sample: Sample, needed: Container[str]) -> Iterator[str]:
    """Yield what the events have told that the game's `reveals` excuses, so that its author sees if it is too much."""
    for kind in _reveals(sample):
        told = [event for event in sample.events if tag(event) == kind]
        if told and kind not in needed:
            yield f"{kind} is in reveals, and has told no secret that the check would report. Leave it out of reveals."
            continue
        for field in told[0].__struct_fields__ if told else ():
            values = sorted({shortened(getattr(event, field)) for event in told})
            more = f" and {len(values) - MOST_LISTED} more" if len(values) > MOST_LISTED else ""
            yield f"{kind} has told {field}: {', '.join(values[:MOST_LISTED])}{more}."


def _reveals(sample: Sample) -> tuple[str, ...]:
    return tuple(sample.game.reveals) if isinstance(sample.game, Revealing) else ()


def _excuse(events: Iterable[str]) -> str:
    listed = ", ".join(f'"{event}"' for event in events)
    return f"If the rules say so, add it to the game: reveals = ({listed},)."


def whose(owner: Owner) -> str:
    """Return who has the secret, for the middle of a sentence."""
    return " and ".join(owner.seats) or "the referee"


def is_are(owner: Owner) -> str:
    return "are" if len(owner.seats) > 1 else "is"
