"""Find all errors of one game: in the checks of the table's start, in its files, and in play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from msgspec import Struct

import games
from engine.game import TABLE, Game
from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.core import ctrl_c, installed
from firmware_host.core.guarded import GameFault
from lab.authoring import (
    capabilities,
    contract,
    file_checks,
    lessons,
    missions,
    named,
    options,
    order,
    positions,
    screens,
    secrecy,
    table,
    unreached,
)
from lab.authoring.limited import failure, limited
from lab.authoring.play import Sample, Unplayable, first_board
from lab.authoring.twins import screens as screens_of

MOST: Final = 8
"""Sentences of one kind."""
MOST_READ: Final = 100
"""Maximum number of sentences read from one part. A fault that occurs at every moment is reported only once."""
MORE: Final = re.compile(r"(?:More than )?(\d+) more of this kind\.")
"""The last sentence of a part, if not all are listed."""

VALUES: Final = re.compile(
    r"\(after [^()]*\)|after \{[^{}]*\}|\{(?:[^{}]*\"type\":\"(?P<kind>[^\"]*)\")?[^{}]*\}|\[[^\[\]]*\]|'[^']*'|\d+"
)
"""The parts of sentences that differ although the cause is the same: the moment, and values. The type of an act or
event is not one of them."""


class Findings(Struct, frozen=True):
    """The results of the part of the check called `part`. A `note` is not a fault."""

    part: str
    sentences: tuple[str, ...]
    note: bool = False

    @property
    def faults(self) -> int:
        if self.note:
            return 0
        return sum(int(more[1]) if (more := MORE.fullmatch(it)) else it != LATER for it in self.sentences)


Part = Callable[[Sample], Iterable[str]]


def _playable(sample: Sample) -> Iterable[str]:
    """Play the random games, ask for all screens of some moments, and read what a journal and a lesson store: If that
    raises `Unplayable` or yields a sentence, the other parts would only repeat the error.
    """
    if unknown := [*named.unknown_cards(sample)]:
        yield from unknown
        return
    for moment in sample.some:
        for viewer in (*sample.names, TABLE):
            screens_of(sample.game, moment.pictures, viewer, sample.seats)
        with suppress(RuleError):  # why a position is refused, the checks of positions say
            positions.read_back(sample, moment.pictures, sample.options)
    for event in sample.events:
        sample.game.sentence(event)
    yield from contract.unread(sample)


RANDOM_GAMES: Final = "random games"
FILES: Final[dict[str, Part]] = {
    RANDOM_GAMES: _playable,
    "names": lambda sample: (
        *file_checks.misspelt(sample.game),
        *file_checks.incomplete(sample.game),
        *file_checks.clashes(sample.game),
    ),
    "rule book": lambda sample: file_checks.book(sample.game),
    "words": file_checks.catalogue_faults,
    "pictures": lambda sample: file_checks.art(sample.game),
    "screens": lambda sample: screens.screens(sample.game),
    "folders": lambda sample: file_checks.misplaced(sample.game),
}
COURSES: Final[dict[str, Part]] = {
    "lessons": lambda sample: lessons.lessons(sample.game),
    "missions": lambda sample: missions.missions_of(sample.game),
}
"""Files that are played."""
CHECKS: Final = {
    name: check
    # Sorted by module, because modules add their checks when they are imported, in any order.
    for module in (contract, positions, capabilities, secrecy)
    for name, check in contract.CHECKS.items()
    if check.__module__ == module.__name__
}
PURE: Final = "pictures never change"
SEED: Final = "same seed gives the same game"
LUCK: Final = "acts repeat with the luck in their events"
NAMES: Final = "known names"
AT_A_TABLE: Final = "a table"
PLAY: Final[dict[str, Part]] = {
    PURE: CHECKS[PURE],
    SEED: CHECKS[SEED],
    LUCK: CHECKS[LUCK],
    "options": options.options,
    NAMES: named.unknown_names,
    "same in each process": order.same_in_each_process,
    **CHECKS,
    AT_A_TABLE: lambda sample: table.table_faults(installed.find(sample.game.name)),
}
FIRST: Final = (RANDOM_GAMES, PURE, SEED, LUCK)
"""The parts that must pass before the others: if they fail, the others would report a wrong cause."""
AFTER: Final = {
    "secrets stay secret": ("options", "positions are drawn where they leave something out"),
    AT_A_TABLE: (*PLAY,),
}
"""The parts that must pass before these: the secrets of a position that isn't drawn give themselves away, and the twins
and a table show the faults of other parts again, and what follows from them.
"""
PARTS: Final[dict[str, Part]] = {**FILES, **{part: PLAY[part] for part in FIRST[1:]}, **COURSES, **PLAY}
"""All parts but the start, in order."""
LATER: Final = "The other checks in play are left out until this is repaired."
LAST: Final = "This check is left out until the faults above are repaired."
UNSEEN: Final = "not seen in play"
"""What the check could not examine. This is not a fault, and the plugin leaves it out."""


def check(name: str) -> Iterator[Findings]:
    """Yield the findings of each part of the check. A game that cannot be loaded is not played."""
    yield Findings("the start of the table", start(name))
    if not is_playable(name):
        return
    sample, said, failed = sample_of(games.find(name)), set[str](), set[str]()
    for part in PARTS:
        if not failed.isdisjoint(FIRST) and part not in FILES:
            continue
        if not failed.isdisjoint(AFTER.get(part, ())):
            yield Findings(part, (LAST,), note=True)
            continue
        sentences = tuple(it for it in findings(sample, part) if it not in said or MORE.fullmatch(it))
        said.update(sentences)
        failed.update([part] if sentences else [])
        yield Findings(part, (*sentences, *([LATER] if part in FIRST and sentences else [])))
    with suppress(Exception):  # the fault in play has already been reported
        sample.notes[UNSEEN] = [*unreached.notes(sample)] if failed.isdisjoint(FIRST) else []
    yield from (Findings(part, tuple(dict.fromkeys(said)), note=True) for part, said in sample.notes.items() if said)


SAID_BETTER: Final[dict[str, Callable[[Game], Iterator[str]]]] = {
    "its rules": file_checks.book,
    "its pictures": file_checks.art,
}
"""Parts of a game of which another part of the check reports more than the start does."""


def start(name: str) -> tuple[str, ...]:
    """Return what a start of the table would leave out, with the place in the code."""
    faults = installed.start_faults(name)
    if is_playable(name):
        game = games.find(name)
        better = [part for part, check in SAID_BETTER.items() if any(check(game))]
        faults = [it for it in faults if it.part.partition(" (")[0] not in better]
    said = (
        f"{f'{it.part[0].upper()}{it.part[1:]}' if it.part else 'The game'} cannot be loaded: "
        f"{it.why.removesuffix('.')}. Repair it, then check again."
        for it in faults
    )
    return (*said, *_board_faults(name), *_misspelt(name))


def _misspelt(name: str) -> tuple[str, ...]:
    """Return the misspelt members of a game that cannot be loaded; for other games, the check of the names finds
    them."""
    with suppress(Exception):  # its fault has already been reported
        return () if name in installed.names() else (*file_checks.misspelt(games.find(name)),)
    return ()


def is_playable(name: str) -> bool:
    return name in installed.names() and not _board_faults(name)


def _board_faults(name: str) -> tuple[str, ...]:
    if name not in installed.names():
        return ()
    try:
        first_board(games.find(name))
    except (RuleError, MapError) as error:
        fault = error.__cause__
        # The author needs more details than the message for people at a table.
        why = f"{fault.reason} ({fault.place})." if isinstance(fault, GameFault) else error
        return (f"The first board cannot be made: {why}",)
    return (*file_checks.drawn_instead(games.find(name)),)


def sample_of(game: Game) -> Sample:
    return Sample(limited(game), first_board(game))


def findings(sample: Sample, part: str) -> tuple[str, ...]:
    """Return the findings of one part, each sentence once, even if the part cannot finish."""
    sentences: dict[str, None] = {}

    try:
        for sentence in islice(PARTS[part](sample), MOST_READ):
            sentences[sentence] = None
    except Unplayable as error:
        sentences[str(error)] = None
    except BaseException as error:
        if ctrl_c.is_ctrl_c(error):
            raise
        sentences[failure(sample.game, error)] = None
    # Each name and each line of a file has to be fixed separately. A fault in play has one cause and shows at many
    # moments.
    found = folded(sentences, sample) if part in PLAY and part != NAMES else [*sentences]
    left = len(found) - MOST
    many = "More than " if len(sentences) >= MOST_READ else ""
    return (*found[:MOST], *([f"{many}{left} more of this kind."] if left > 0 else []))


def folded(sentences: Iterable[str], sample: Sample) -> list[str]:
    """Return one sentence for all that differ only in moments, values, seats and spaces: the first, with the number of
    others."""
    names = "|".join(map(re.escape, (*sample.names, TABLE, *(sample.board.spaces if sample.board else ()))))
    kinds: dict[str, list[str]] = {}
    for sentence in sentences:
        kind = re.sub(rf"\b({names})\b", "…", VALUES.sub(lambda found: found["kind"] or "…", sentence))
        kinds.setdefault(kind, []).append(sentence)
    return [f"{first} And {len(rest)} more like it." if rest else first for first, *rest in kinds.values()]
