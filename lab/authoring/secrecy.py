"""The check of secrecy for any game: no outsider gets a byte that depends on something that it was not told."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final

from engine.game import REFEREE, Revealing
from engine.refusal import RuleError
from engine.text import or_list
from firmware_host.core import maps
from lab.authoring.contract import contract, shortened
from lab.authoring.options import Setting, other_settings, with_settings
from lab.authoring.play import GAMES, LEAST_SEEN, Sample, Unplayable, tag
from lab.authoring.twins import COMPARED_EVERY, WHOLE, Owner, Part, Tally, Twins, owners

RANDOM_GAMES: Final = 4
"""Number of random games."""
GAMES_WITH_OPTIONS: Final = 4
"""Number of random games with each of `MIXED` combinations of other options."""
MIXED: Final = 3
COMPARED_RARELY: Final = 16
"""`twins.COMPARED_EVERY` in these games: what a game stores outside the pictures rarely depends on an option."""
OFTEN: Final = 6
"""The same for a single part of a secret. It is higher, because there are many parts."""
YES_OR_NO: Final = 10
"""Number of acts after which an event with two possible values can't have matched the secret by accident."""
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
    # A fault can hide whether an entry of `reveals` is needed.
    sample.notes[EXCUSED] = [*_excused(sample, {*_reveals(sample)} if broken else needed)]


def _faults(sample: Sample, needed: set[str]) -> Iterator[str]:
    """Yield a sentence for each revealed secret. Add the necessary entries of `reveals` to `needed`."""
    known = [*owners(sample)]
    tallies, blamed = dict[Owner, Tally](), set[str]()
    for owner in known:
        tally = tallies[owner] = tally_of(sample, owner, RANDOM_GAMES)
        yield from tally.faults
        needed |= _needed(tally)
        yield from _given_away(sample, owner, tally, known, blamed)
        if owner.seats:
            yield from betrayed(sample, owner, tally, but=blamed)
            # Secrets that become public at their first use rarely differ again, so few games are not enough to test
            # them.
            told = _told_each_time(tally)
            often = {kind for (kind, part), _ in told if _is_often(tally, kind, part)}
            if rare := ({kind for (kind, _), _ in told} & tally.public) - often:
                yield from betrayed(sample, owner, tally_of(sample, owner, GAMES), rare, but=blamed)
    alone = _only_with_it(tallies)
    needed.update(alone)
    excused = _reveals(sample)
    sample.notes.setdefault(UNDECIDED, []).extend(too_few(tallies))
    sample.notes[UNDECIDED] += (sentence for kind, sentence in alone.items() if kind not in excused)
    sample.notes[SOMETIMES] = [*_hints(tallies, excused).values()]


def _with_other_options(sample: Sample) -> Iterator[str]:
    """Yield what is given away with other options, in a few short samples: the random games have the default ones."""
    known = {note.partition(" ")[0] for note in sample.notes[SOMETIMES]} | {*_reveals(sample)}
    for mixed in mixed_settings(sample):
        found = _with(sample, mixed, known)
        if any(found) and len(mixed) > 1:  # find the one that matters
            found = next(filter(any, (_with(sample, {one: mixed[one]}, known) for one in mixed)), found)
        faults, hints = found
        yield from faults
        known.update(hints)
        sample.notes[SOMETIMES] += hints.values()


def _with(sample: Sample, mixed: Mapping[str, Setting], known: Container[str]) -> tuple[list[str], dict[str, str]]:
    """Return the faults with these other settings, and the hints by the types of events."""
    faults, hints, named = list[str](), dict[str, str](), f"With {' and '.join(mixed)}: "
    with suppress(RuleError, Unplayable):  # refused on this board, or reported by the check of the options
        other = Sample(sample.game, sample.board, with_settings(sample.game, mixed.values()), GAMES_WITH_OPTIONS)
        seats = [*owners(other)]
        tallies = {owner: tally_of(other, owner, GAMES_WITH_OPTIONS, COMPARED_RARELY) for owner in seats}
        for owner, tally in tallies.items():
            faults += (named + it for it in (*tally.faults, *_given_away(other, owner, tally, seats, set(), OFTEN)))
        hints = {kind: named + hint for kind, hint in _hints(tallies, known).items()}
    return faults, hints


def mixed_settings(sample: Sample) -> list[dict[str, Setting]]:
    """Return combinations of other settings that the game accepts, by name. Each setting is in at most one of them, so
    that it meets the default of most other options.
    """
    mixed: list[dict[str, Setting]] = [{} for _ in range(MIXED)]
    for number, (named, setting) in enumerate(other_settings(sample.game).items()):
        for one in (*mixed[number % MIXED :], *mixed[: number % MIXED]):
            if all(setting[0] != path for path, _ in one.values()):
                with suppress(RuleError):
                    both = with_settings(sample.game, (*one.values(), setting))
                    maps.options_on(sample.game, sample.board, both)
                    one[named] = setting
                    break
    return [one for one in mixed if one]


def tally_of(sample: Sample, owner: Owner, followed: int, compared_every: int = COMPARED_EVERY) -> Tally:
    """Return the results of the twins in this many random games, and in those with events that happen in no earlier
    one."""
    tally, seen = Tally(compared_every=compared_every), set[str]()
    for number, (play, _) in enumerate(sample.games):
        happened = {*map(tag, play.referee.told[REFEREE])}
        if number < followed or number >= sample.number or not happened <= seen:
            Twins(sample, owner, number, tally).run()
            seen |= happened
    return tally


def _given_away(
    sample: Sample, owner: Owner, tally: Tally, known: Sequence[Owner], blamed: set[str], enough: int = LEAST_SEEN
) -> Iterator[str]:
    """Yield a sentence for each secret that follows from public events; add the types of these events to `blamed`."""
    # With few acts, results can be equal by chance.
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
            blamed.update(most.apart)
            yield (
                f"Everyone can tell {what}: with any other secret, the others would get different events "
                f"({', '.join(most.apart)}). Does an event for everyone contain the secret, too? {_excuse(most.apart)}"
            )


def too_few(tallies: Mapping[Owner, Tally]) -> Iterator[str]:
    """Yield the acts that contained a secret so rarely that the twins prove nothing."""
    rare = defaultdict[tuple[str, str], dict[Owner, int]](dict)
    for owner, tally in tallies.items():
        acts = Counter[tuple[str, str]]()
        for (kind, field, act, _), tried in tally.secrets.items():
            acts[kind, act] += 0 if field else tried.acts
        for told, times in acts.items():
            if times < LEAST_SEEN:
                rare[told][owner] = times
    for (kind, act), by in sorted(rare.items()):
        (owner, times), more = next(iter(by.items())), len(by) - 1
        often = "once" if times == 1 else f"{times} times"
        others = f" Others that are told it as rarely: {more}." if more else ""
        yield (
            f"Only {whose(owner)} {is_are(owner)} told {kind} by {act}, and that has happened {often} only: too "
            f"rarely for the twins. Read what this act tells the others.{others}"
        )


def _only_with_it(tallies: Mapping[Owner, Tally]) -> dict[str, str]:
    """Return a sentence for each type of public event that only comes from acts that no twin could make.

    Such an act reveals the secret that makes it possible.
    """
    chosen = (kind for tally in tallies.values() for kind, differs in tally.chosen if differs)
    known = {*chosen, *(kind for tally in tallies.values() for kind, _ in tally.betrayed)}
    # In twins of several seats, only another seat's secret may differ.
    shared = set[tuple[str, str]]().union(*(it.shared for owner, it in tallies.items() if len(owner.seats) == 1))
    found = defaultdict[tuple[str, str], list[Owner]](list)
    for owner, tally in tallies.items():
        for kind, act in sorted(tally.alone - shared):
            if kind in tally.public - known:
                found[kind, act].append(owner)
    return {
        kind: f"{kind} can tell everyone a secret of {_any_of(_fewest(by))}: with another one, the act {act} was not "
        f"possible in any twin. Read what it says. {_excuse([kind])}"
        for (kind, act), by in found.items()
    }


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


def betrayed(
    sample: Sample, owner: Owner, tally: Tally, among: Container[str] | None = None, but: Iterable[str] = ()
) -> Iterator[str]:
    """Yield the types of events in `among` that revealed a secret each time, without those in `but`."""
    said = {*_reveals(sample), *but}
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
        # An answer with two values often differs by accident, and then in all twins of an act.
        return len(tally.acts[kind, part]) >= YES_OR_NO
    # An event can follow one part of the secret, and never the rest.
    return tally.betrayed[kind, part] >= (LEAST_SEEN if part == WHOLE else OFTEN)


def _hints(tallies: Mapping[Owner, Tally], known: Container[str]) -> dict[str, str]:
    """Return a sentence for each type of public event that differed with another secret: these events give hints."""
    found = defaultdict[str, dict[Owner, tuple[int, int]]](dict)
    for owner, tally in tallies.items():
        for kind in tally.public:
            if kind not in known and (times := tally.betrayed[kind, WHOLE] + tally.chosen[kind, True]):
                found[kind][owner] = times, times + tally.same[kind, WHOLE] + tally.chosen[kind, False]
    sentences = dict[str, str]()
    for kind, by in sorted(found.items()):
        few = _fewest(by)
        times, seen = map(sum, zip(*(by[owner] for owner in few), strict=True))
        sentences[kind] = f"{kind} depends on a secret of {_any_of(few)}: it was different {times} of {seen} times."
    return sentences


def _needed(tally: Tally) -> set[str]:
    """Return the types of events without which the check would report something, if `reveals` names them."""
    each_time = {kind for (kind, _), _ in _told_each_time(tally)}  # even a few times: more games can show more
    # Whether an answer for some seats differs each time depends on what they ask for in the random games.
    answers = {kind for kind, _ in tally.betrayed if kind not in tally.public}
    return each_time.union(answers, *(tried.excused for tried in tally.secrets.values() if not tried.unaided))


def _excused(sample: Sample, needed: Container[str]) -> Iterator[str]:
    """Yield what was revealed by events in the game's `reveals`, so that the author can see whether it is too much."""
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


def _fewest(found: Iterable[Owner]) -> list[Owner]:
    """Return the owners that are one seat, if there are any: what several seats know follows from what each knows."""
    every = [*found]
    return [owner for owner in every if len(owner.seats) < 2] or every


def _any_of(found: Iterable[Owner]) -> str:
    return str(or_list([whose(owner) for owner in found]))


def is_are(owner: Owner) -> str:
    return "are" if len(owner.seats) > 1 else "is"
