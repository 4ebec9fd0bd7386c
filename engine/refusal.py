"""How the rules refuse a request.

RuleError
├── NotUnderstood   the request makes no sense: unknown field, space, card …
├── Ambiguous       the request has more than one meaning
└── Refused         understood, but a rule forbids it now
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from engine.text import Text


class RuleError(Exception):
    """Base class of errors that are reported to the player who asked. The game is exactly as before."""

    code = "error"

    def __init__(self, sentence: str, rule: str | None = None) -> None:
        super().__init__(sentence)
        self.rule = rule
        self._text = sentence

    @property
    def sentence(self) -> str:
        """The message for the player."""
        return self._text

    def __str__(self) -> str:
        return self.sentence


class NotUnderstood(RuleError):
    """The request can't be read, for example `NotUnderstood(Text("There is no space {space}.", space="z9"))`."""

    code = "not-understood"


class Ambiguous(RuleError):
    """The request has more than one meaning."""

    code = "ambiguous"


class Refused(RuleError):
    """The request is understood, but `rule`, a number of the game's book, forbids it now.

    `brief` is a shorter sentence for small screens, or None. `facts` fill the places of `text`, but only when the
    sentence is read, because most refusals are only counted::

        Refused("T-3", Text("{who} has rolled."), who=called(seat))
    """

    code = "refused"

    def __init__(self, rule: str, text: str, brief: str | None = None, /, **facts: str | int) -> None:
        super().__init__(text, rule)
        self.brief = brief
        self._facts = facts

    @property
    def sentence(self) -> str:
        """The message for the player."""
        return self._text.with_(**self._facts) if isinstance(self._text, Text) and self._facts else self._text

    @property
    def reason(self) -> dict[str, str | None]:
        """The refusal as screens show it (see `Foresight`)."""
        return {"why": self.sentence, "rule": self.rule}


def no_such(what: str, name: str, known_names: Sequence[str]) -> str:
    """Return the English error for an unknown name, for programs: with the known names and the nearest one."""
    guess = get_close_matches(name, known_names, 1)
    hint = f" Did you mean {guess[0]!r}?" if guess else ""
    return f"There is no {what} {name!r}; known are {', '.join(known_names)}.{hint}"
