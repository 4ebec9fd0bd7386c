"""How the rules say no. Each error is a different conversation with whoever asked.

RuleError
├── NotUnderstood   the words make no sense: unknown field, space, card …
├── Ambiguous       the words have more than one reading
└── Refused         understood, but a rule forbids it now
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.text import Text


class RuleError(Exception):
    """Base of everything that is told to the asker; the game stands exactly as before."""

    code = "error"

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.rule = rule
        self._text = sentence

    @property
    def sentence(self) -> str:
        """What is told to the asker."""
        return self._text

    def __str__(self) -> str:
        return self.sentence


class NotUnderstood(RuleError):
    """The request cannot be read."""

    code = "not-understood"


class Ambiguous(RuleError):
    """The request has more than one reading."""

    code = "ambiguous"


class Refused(RuleError):
    """The request is understood, but the ledger rule `rule` forbids it now.

    `brief` says the same in a few words, for a screen with little room; None where the sentence has no shorter form.
    `facts` fill the places of `text`, but not before somebody reads the sentence: most refusals are only counted.
    """

    code = "refused"

    def __init__(self, rule: str, text: str, brief: str | None = None, /, **facts: str | int) -> None:
        super().__init__(text, rule)
        self.brief = brief
        self._facts = facts

    @property
    def sentence(self) -> str:
        """What is told to the asker."""
        return self._text.with_(**self._facts) if isinstance(self._text, Text) and self._facts else self._text


def no_such(what: str, name: str, known: Sequence[str]) -> str:
    """That nothing of a kind has that name: what is known, and the nearest guess; in English, for programs."""
    guess = get_close_matches(name, known, 1)
    hint = f" Did you mean {guess[0]!r}?" if guess else ""
    return f"There is no {what} {name!r}; known are: {', '.join(known)}.{hint}"
