"""Sentences for people about the board's state, its connections and its hardware."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping

from engine.text import Text
from firmware_host.board.tracking.hints import SetUp
from firmware_host.board.tracking.terms import Outcome
from hardware.ports import Sentence


def state_of(thinking: bool, outcome: Outcome) -> tuple[str, str]:
    """Return the state of piece tracking and a sentence about it."""
    if not thinking:
        return "ignored", Text("The board's sensors do not count now.")
    hint = outcome.hint
    if hint is not None:
        state = "setting-up" if isinstance(hint, SetUp) else "agreed" if outcome.agreed else "correcting"
        return state, hint.sentence
    if outcome.agreed:
        return "agreed", Text("Board and game agree.")
    return "held", Text("A miniature is in the air.")


def connections(about: Mapping[str, Callable[[], str]], faulty: Collection[str]) -> list[str]:
    """Return a sentence for each driver that is not `faulty`: what it is connected to.

    `about` is driver -> function that returns this in a few words, or "" while it is unknown.
    """
    found = {driver: words() for driver, words in about.items() if driver not in faulty}
    return [
        Text("{driver}: {what}.", driver=driver, what=translatable(what))
        if what
        else Text("{driver}: the board has not identified itself yet.", driver=driver)
        for driver, what in found.items()
    ]


def translatable(sentence: str) -> str:
    """Return a sentence of the hardware as text that can be translated."""
    if not isinstance(sentence, Sentence):
        return sentence
    return Text(
        sentence.text,
        **{name: translatable(value) if isinstance(value, str) else value for name, value in sentence.values.items()},
    )
