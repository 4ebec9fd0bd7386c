"""Errors that more than one package raises or handles."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from engine.refusal import RuleError


class UserError(Exception):
    """A request that is refused. `code` is stable, `sentence` is for the player, `rule` is the ID of the rule that
    forbids it, if any.

    Codes: not-understood, refused, ambiguous (the engine's); no-seat, no-house, seat-taken, wrong-pin, locked, busy,
    stale, halted, not-now, no-board, no-rules, paused, not-over, not-found, too-large, bad-record, broken, game-fault.
    """

    def __init__(self, code: str, sentence: str, rule: str | None = None, after: int = 5) -> None:
        """`after` is the number of seconds until another attempt makes sense, for temporary codes."""
        super().__init__(sentence)
        self.code = code
        self.sentence = sentence
        self.rule = rule
        self.after = after


@contextmanager
def rules_refuse() -> Iterator[None]:
    """Convert a refusal by the rules in the `with` block to a `UserError`."""
    try:
        yield
    except RuleError as error:
        raise UserError(error.code, error.sentence, error.rule) from error


def place_of(error: BaseException) -> str:
    """Return the type and place of an error that was raised, without its message, which could contain secrets."""
    return f"{type(error).__name__} in {line_of(error)}"


def line_of(error: BaseException) -> str:
    """Return the file and the line in which an error was raised."""
    # The traceback of a syntax error ends in the importing code, but the error itself names the place.
    if isinstance(error, SyntaxError) and error.filename:  # none in an XML file
        return f"{error.filename}, line {error.lineno}"
    place = error.__traceback__
    while (
        place is not None and place.tb_next is not None
    ):  # deep recursion has very many frames, so only the last one is formatted
        place = place.tb_next
    return "?" if place is None else f"{place.tb_frame.f_code.co_filename}, line {place.tb_lineno}"


class JournalError(Exception):
    """The journal cannot be used. The message says why and what to do."""


class CannotListen(OSError):
    """A port that the table cannot listen on. `strerror` says why in words, and `filename` is the address."""

    def __str__(self) -> str:
        return f"{self.filename}: cannot listen there ({self.strerror}). Choose another port with --port."


class BrokenJournal(JournalError):
    """The file of the journal was found to be damaged. The next start checks all of it and saves its games."""
