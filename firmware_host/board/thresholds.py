"""All thresholds of piece tracking, buttons and picking. Pure.

`_S` and the fields of `Timing` are seconds, `_COST` is how unlikely a reading is, all others are numbers of things. The
settings `rest_ms`, `slide_settle_ms` and debouncing are in `core/settings.py`, the limits for a faulty sensor in
`hardware/health.py`.
"""

from __future__ import annotations

from msgspec import Struct


class Timing(Struct, frozen=True):
    """How long the tracker waits, in seconds. Tables and tests may choose other times."""

    rest: float = 0.08
    """This long after its last contact a piece has come to rest."""
    slide: float = 0.25
    """The same for a piece that could legally slide further. Never shorter than `rest`."""
    overlap: float = 0.14
    """A sliding piece closes the next sensor at most this long before it leaves the last one.

    A slower piece is recognised only after `ask`.
    """
    push: float = 0.1
    """A piece that reaches the next space faster than this was pushed, if another piece is in the air or was swept
    along."""
    sweep: float = 0.5
    """Pieces that are pushed within this time of each other were swept along together."""
    ask: float = 2.0
    """While a piece is in the air, no question is asked for this long."""
    stranger: float = 0.6
    """Something unknown may stand on the board this long before it is mentioned."""
    crowd: int = 4
    """If this many pieces leave their places at once, it was an accident."""


SIMULTANEOUS_S = 0.03
"""Longest time between two events that happen at once: a pushed miniature leaves one sensor and reaches another."""
FASTEST_CARRY_S = 0.03
"""In this time a hand carries a miniature at most to the next space: two spaces are about 7 cm, at 2.5 m/s."""
BRIEF_CONTACT_S = 0.1
"""A contact of at most this length may be a ghost or a piece passing by."""
LANDING_CHATTER_S = 0.05
"""Time after a landing in which its contact may still drop out."""
GHOST_S = 0.06
"""Within this time two neighbouring sensors may feel one magnet."""
DROPOUT_S = 0.1
"""Longest dropout of a sensor. No hand can exchange two miniatures in this time."""
CROWD_S = 2.0
"""If a crowd of miniatures (`Timing.crowd`) leaves within this time, it was an accident."""
SWEPT_PIECES = 3
"""This many hops in a row mean that pieces were swept across the board."""

ODD_COST = 4.0
"""Something unknown stood on the board, or a piece was pushed off its space and reached no neighbouring one.

A story whose cost exceeds that of another by this value is ruled out.
"""
WRONG_COST = 1.0
"""The first miniature in a wrong place."""
SLOW_COST = 0.5
"""Each slow slide: two sensors felt the miniature at the same time for long."""
UNLIKELY_COST = 1.0
"""Each deployment while another miniature is in the air."""
RIVAL_COST = 2.5
"""While a miniature is in a wrong place, readings that cost up to this much more than the cheapest are kept."""
MAX_STORIES = 240
"""Most stories that are kept. More stories than this mean an accident."""
MAX_GUESSES = 24
"""Most stories that are kept after an accident or after agreement, the simplest first."""

MAX_CARRIES_TRIED = 5
"""Up to this many carries, all orders are tried to find the best. With more, the nearest goes first."""
MAX_WRONG_SHOWN = 2
"""Maximum pieces in wrong places that are shown at once, one for each hand.

More pieces than this are carried home one by one.
"""
HINTS_PER_MINIATURE = 5
"""If this many hints per miniature lead to no agreement, the tracker has confused miniatures.

From then on it uses only the occupied spaces, so that each carry brings the board nearer to the game.
"""
SUSPECT_MOVES = 5
"""A sensor is reported if it contradicts the game while this many moves are made elsewhere."""

END_TURN_QUESTION_S = 10.0
"""Time for an answer to the question whether the turn is over."""
OFFER_S = 30.0
"""Time for which spaces stay lit if their screen sends nothing, because it may be closed."""
MAX_OFFERS = 8
"""Most screens that may ask at the same time."""
MAX_PICKS = 16
"""Most picks that are kept for screens."""
