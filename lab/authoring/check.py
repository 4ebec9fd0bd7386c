"""Find all errors of one game: in the checks of the table's start, in its files, and in play."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import islice
from typing import Final

from msgspec import Struct

import games
from engine.game import TABLE, Game, OnBoard
from engine.graph.fault import MapError
from engine.refusal import RuleError
from firmware_host.core import bots, ctrl_c, installed
from firmware_host.core.guarded import GameFault
from lab.authoring import (
    capabilities,
    contract,
    declared,
    file_checks,
    lessons,
    missions,
    named,
    options,
    order,
    play,
    positions,
    screens,
    secrecy,
    table,
    unreached,
)
from lab.authoring.limited import failure, limited, placed
from lab.authoring.play import Sample, Unplayable, first_board
from lab.authoring.twins import screens as screens_of

MOST: Final = 8
"""Sentences of one kind."""
MOST_READ: Final = 100
"""Maximum number of sentences read from one part. A fault that occurs at every moment is reported only once."""
MORE: Final = re.compile(r"(?:More than )?(\d+) more of this kind\.")
"""The last sentence of a part, if not all are listed."""

VALUES: Final = re.compile(
    r"\(after [^()]*\)|after \{[^{}]*\}|\{(?:[^{}]*\"type\":\"(?P<kind>[^\"]*)\")?[^{}]*\}|\[[^\[\]]*\]|'[^']*'"
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
        return sum(int(more[1]) if (more := MORE.fullmatch(it)) else 1 for it in self.sentences)


class Part(Struct, frozen=True):
    """A part of the check.

    It is skipped if a part that it `uses` has found faults or was skipped, because it would only find their
    consequences. With `one_cause`, sentences that differ only in moments and values count as one fault; without, each
    is a fault of its own.
    """

    check: Callable[[Sample], Iterable[str]]
    uses: tuple[str, ...] = ()
    one_cause: bool = False


def _playable(sample: Sample) -> Iterable[str]:
    """Yield what prevents playing. A secret that is wrong where it is unknown is said instead of an error after it."""
    try:
        yield from _unplayable(sample)
    except Exception as error:
        with suppress(Exception):
            yield next(CHECKS[VIEWS](sample))
            return
        said = str(error) if isinstance(error, Unplayable) else failure(sample.game, error)
        yield f"{said}{play.unsent(sample) if UNKNOWN in said else ''}"


def _unplayable(sample: Sample) -> Iterable[str]:
    """Play the random games, create all screens of some moments, and read back what a journal and a lesson store.

    If this raises `Unplayable` or yields a sentence, the other parts would only repeat the error.
    """
    for first in (named.unknown_starts, named.unknown_cards):
        if wrong := [*first(sample)]:
            yield from wrong
            return
    for moment in sample.some:
        for viewer in (*sample.names, TABLE):
            screens_of(sample.game, moment.pictures, viewer, sample.seats)
        with suppress(RuleError):  # why a position is refused, the checks of positions say
            positions.read_back(sample, moment.pictures, sample.options)
    for event in sample.events:
        sample.game.sentence(event)
    if isinstance(game := sample.game, OnBoard):
        for miniature in game.standing(sample.blank()[TABLE]):
            game.called(miniature)
    yield from contract.unread(sample)


UNKNOWN: Final = "NoneType"
"""An error with this name may be caused by an event that a seat did not receive."""
RANDOM_GAMES: Final = "random games"
MEMBERS: Final = "members"
CAPITALS: Final = "capital letters"
FILES: Final[dict[str, Part]] = {
    RANDOM_GAMES: Part(_playable, one_cause=True),
    MEMBERS: Part(lambda sample: (sentence for _, sentence in file_checks.misspelt(sample.game))),
    "names": Part(lambda sample: (*file_checks.incomplete(sample.game), *file_checks.clashes(sample.game))),
    CAPITALS: Part(lambda sample: file_checks.capitals(sample.game)),
    "rule book": Part(lambda sample: file_checks.book(sample.game), (CAPITALS,)),
    "words": Part(lambda sample: file_checks.catalogue_faults(sample.game), (CAPITALS,)),
    "pictures": Part(lambda sample: file_checks.art(sample.game)),
    "screens": Part(lambda sample: screens.screens(sample.game)),
    "folders": Part(lambda sample: file_checks.misplaced(sample.game)),
}
"""The parts that also find faults in a game that cannot be played."""
CHECKS: Final = {
    name: check
    # Sorted by module, because modules add their checks when they are imported, in any order.
    for module in (positions, contract, capabilities, secrecy)
    for name, check in contract.CHECKS.items()
    if check.__module__ == module.__name__
}
PURE: Final = "pictures never change"
SEED: Final = "same seed gives the same game"
LUCK: Final = "acts repeat with the luck in their events"
END: Final = "everyone learns the outcome"
VIEWS: Final = "views are json and show only what the referee knows"
POSITIONS: Final = "states can be read as positions"
ARRIVE: Final = "miniatures arrive where placements move them"
PLAYED: Final[dict[str, Part]] = {
    PURE: Part(CHECKS[PURE], (RANDOM_GAMES, MEMBERS), one_cause=True),
    SEED: Part(CHECKS[SEED], (PURE,), one_cause=True),
    LUCK: Part(CHECKS[LUCK], (SEED,), one_cause=True),
    END: Part(CHECKS[END], (LUCK,), one_cause=True),
    VIEWS: Part(CHECKS[VIEWS], (END,), one_cause=True),
    POSITIONS: Part(CHECKS[POSITIONS], (VIEWS,), one_cause=True),
    ARRIVE: Part(CHECKS[ARRIVE], (POSITIONS,), one_cause=True),
    "words in play": Part(file_checks.words_in_play, (LUCK, CAPITALS)),
    "lessons": Part(lambda sample: lessons.lessons(sample.game), (ARRIVE,)),
    "missions": Part(lambda sample: missions.missions_of(sample.game), (POSITIONS,)),
    "options": Part(options.options, (POSITIONS,), one_cause=True),
    "known names": Part(named.unknown_names, (LUCK, CAPITALS)),
    "same in each process": Part(order.same_in_each_process, (LUCK,), one_cause=True),
}
SECRETS: Final = "secrets stay secret"
OFFERED: Final = "offered commands can be read back and are legal"
USED: Final = {
    "miniatures have places on the map": (ARRIVE, OFFERED),
    SECRETS: (LUCK, "options", POSITIONS, "positions are drawn where they leave something out"),
    "secret seats have private events": (LUCK, POSITIONS),
}
"""The parts that a part uses, if it is not the end of the game.

Secrecy can't be checked with positions whose secrets aren't drawn again; it finds secrets in public events itself.
"""
IN_PLAY: Final = PLAYED | {
    name: Part(check, USED.get(name, (END,)), one_cause=True) for name, check in CHECKS.items() if name not in PLAYED
}
AT_A_TABLE: Final = "a table"
PARTS: Final[dict[str, Part]] = {
    **FILES,
    **IN_PLAY,
    # A table repeats the faults of all other parts, and their consequences.
    AT_A_TABLE: Part(
        lambda sample: table.table_faults(installed.find(sample.game.name)),
        (*(name for name in IN_PLAY if name not in ("words in play", "lessons", "missions")),),
        one_cause=True,
    ),
}
"""All parts but the start, in order."""
UNSEEN: Final = "not seen in play"
"""What the check could not examine. This is not a fault, and the plugin leaves it out."""


class Course:
    """A check of one game, part by part."""

    def __init__(self, name: str) -> None:
        self.sample = sample_of(games.find(name))
        self.waiting, self._failed, self._said = list[str](), set[str](), set[str]()

    def run(self, part: str) -> tuple[str, ...] | None:
        """Return what a part finds that no part has said before; None if it has to wait for a repair."""
        if not self._failed.isdisjoint(PARTS[part].uses):
            self.waiting.append(part)
            self._failed.add(part)
            return None
        names = names_of(self.sample)
        found = {it: kind_of(it, names) if PARTS[part].one_cause else it for it in findings(self.sample, part)}
        sentences = tuple(it for it, kind in found.items() if kind not in self._said or MORE.fullmatch(it))
        self._said.update(found.values())
        self._failed.update([part] if found else [])
        return sentences

    def notes(self) -> Iterator[Findings]:
        """Yield what is not a fault."""
        if self.waiting:
            waiting = (
                ", ".join(self.waiting) if len(self.waiting) <= MOST else f"{len(self.waiting)} parts of the check"
            )
            yield Findings("left out until this is repaired", (f"{waiting}.",), note=True)
        if self._failed.isdisjoint({RANDOM_GAMES, *IN_PLAY}):
            with suppress(Exception):  # the fault in play has already been reported
                self.sample.notes[UNSEEN] = [*unreached.notes(self.sample)]
        for part, said in self.sample.notes.items():
            yield Findings(part, tuple(dict.fromkeys(said)), note=True)


def check(name: str) -> Iterator[Findings]:
    """Yield the findings of each part of the check. A game that cannot be loaded is not played."""
    yield Findings("the start of the table", start(name))
    if is_playable(name):
        course = Course(name)
        yield from (Findings(part, course.run(part) or ()) for part in PARTS)
        yield from course.notes()


OF_THE_TABLE: Final = re.compile(rf"\w+ in {re.escape(bots.__file__)}, line \d+: ")
"""Matches a place in the table's own code, which does not help the author."""
NO_GAME: Final = "it offers no GAME"
SAID_BETTER: Final[dict[str, Callable[[Game], Iterable[str]]]] = {
    "its rules": file_checks.book,
    "its pictures": file_checks.art,
    "its words": file_checks.unread_catalogues,
    "the screen": screens.screens,
}
"""Parts of a game of which another part of the check reports more than the start does."""


def start(name: str) -> tuple[str, ...]:
    """Return what a start of the table would leave out, with the place in the code."""
    for cause in (file_checks.unread_code, _misspelt_instead, declared.wrong_declarations, _broken_contract):
        if sentences := (*cause(name),):
            return sentences
    faults = installed.start_faults(name)
    if is_playable(name):
        game = games.find(name)
        better = [part for part, check in SAID_BETTER.items() if any(check(game))]
        faults = [it for it in faults if not it.part.startswith((*better,))]
    folder = games.folder(name)
    other = {NO_GAME: f"Write `from games.{folder}.game import GAME` into games/{folder}/__init__.py"}
    said = (
        f"{f'{it.part[0].upper()}{it.part[1:]}' if it.part else 'The game'} cannot be loaded: "
        f"{OF_THE_TABLE.sub('', it.why).removesuffix('.')}. {other.get(it.why, 'Repair it')}, then check again."
        for it in faults
    )
    return (*said, *_board_faults(name))


def _misspelt_instead(name: str) -> tuple[str, ...]:
    """Return the misspelt members of a game if these are all that it lacks.

    For a game that can be loaded, the check of names finds them.
    """
    with suppress(Exception):  # the start reports it
        game = games.find(name)
        said = {} if name in installed.names() else dict(file_checks.misspelt(game))
        meant = {*said} | {"decide" for it in said if it == "decide_for"}
        return (*(placed(game, it) for it in said.values()),) if {*installed.lacking(game)} <= meant else ()
    return ()


def _broken_contract(name: str) -> Iterator[str]:
    """Yield which methods return what the contract doesn't allow, with the value. The start says less."""
    with suppress(Exception):
        game = limited(games.find(name))
        for check in installed.START_CHECKS:
            try:
                check(game)
            except Unplayable as error:
                yield placed(games.find(name), str(error))


def is_playable(name: str) -> bool:
    wrong = (check(name) for check in (file_checks.unread_code, declared.wrong_declarations, _board_faults))
    return name in installed.names() and not any(map(any, wrong))


def _board_faults(name: str) -> tuple[str, ...]:
    if name not in installed.names():
        return ()
    try:
        first_board(games.find(name))
    except (RuleError, MapError) as error:
        fault = error.__cause__
        # The author needs more details than the message for people at a table.
        if isinstance(fault, GameFault):
            made = "make_map() returns no valid Map. Return what build() makes"
            cause = made if fault.kind == "BadResult" else f"{fault.reason} ({fault.place})"
            return (placed(games.find(name), f"The first board cannot be made: {cause}."),)
        why = error.faults if isinstance(error, MapError) else (f"{error}",)
        spaces = re.findall(r"\bspace (\w+)", " ".join(why))
        return (*(f"The first board cannot be made: {it}" for it in folded(why, spaces)),)
    return (*file_checks.drawn_instead(games.find(name)),)


def sample_of(game: Game) -> Sample:
    return Sample(limited(game), first_board(game))


def findings(sample: Sample, part: str) -> tuple[str, ...]:
    """Return the findings of one part, each sentence once, even if the part cannot finish."""
    sentences, one_cause = dict[str, None](), PARTS[part].one_cause
    try:
        for sentence in islice(PARTS[part].check(sample), MOST_READ):
            sentences[sentence] = None
    except Unplayable as error:
        sentences[str(error)] = None
    except BaseException as error:
        if ctrl_c.is_ctrl_c(error):
            raise
        sentences[failure(sample.game, error)] = None
    found = [placed(sample.game, it) for it in (folded(sentences, names_of(sample)) if one_cause else sentences)]
    left = len(found) - MOST
    many = "More than " if len(sentences) >= MOST_READ else ""
    return (*found[:MOST], *([f"{many}{left} more of this kind."] if left > 0 else []))


def names_of(sample: Sample) -> tuple[str, ...]:
    """Return the names of seats and spaces."""
    with suppress(Exception):  # the seats cannot be read, which another part reports
        return (*sample.names, TABLE, *(sample.board.spaces if sample.board else ()))
    return (TABLE,)


def kind_of(sentence: str, names: Iterable[str]) -> str:
    """Return a sentence without moments, values and these names."""
    alike = VALUES.sub(lambda found: found["kind"] or "…", sentence)
    return re.sub(r"\d+", "…", re.sub(rf"\b({'|'.join(map(re.escape, names))})\b", "…", alike))


def folded(sentences: Iterable[str], names: Iterable[str]) -> list[str]:
    """Return one sentence for all that differ only in moments, values and these names: the first, with the number of
    others."""
    kinds: dict[str, list[str]] = {}
    for sentence in sentences:
        kinds.setdefault(kind_of(sentence, names), []).append(sentence)
    return [f"{first} And {len(rest)} more like it." if rest else first for first, *rest in kinds.values()]
