"""Every threshold of hands, buttons and picking, in one table. Pure.

`_MS` and `_ms` are milliseconds, `_S` seconds, `_COST` how unlikely a reading is, all others numbers of things. A table
sets `rest_ms`, `extendable_ms` and debouncing in its settings (`app/settings.py`); when a sensor counts as unwell is in
`hardware/health.py`.
"""

from __future__ import annotations

from msgspec import Struct

# --- how long hands are watched before something is made of it ---------------------------------------------------


class Timing(Struct, frozen=True):
    """How long the tracker waits, in seconds. Tables and tests may choose other times."""

    rest: float = 0.08
    """This long after its last contact a piece has come to rest."""
    slide: float = 0.25
    """The same where the piece could legally slide on. Never shorter than `rest`."""
    overlap: float = 0.14
    """A sliding piece closes the next sensor at most this long before it leaves the last one. For a slower piece the
    tracker waits `ask`."""
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
    """When this many pieces leave their places at once, it was an accident."""


# --- what a touch can be -----------------------------------------------------------------------------------------

SIMULTANEOUS_S = 0.03
"""Between what happens at once: a miniature that is pushed leaves one sensor and comes to another."""
FASTEST_CARRY_S = 0.03
"""In this time no hand takes a miniature farther than to the next space: two are some 7 cm, at 2.5 m/s."""
PASSING_S = 0.1
"""What was felt for no longer may be a ghost, or somebody passing by."""
LANDING_CHATTER_S = 0.05
"""So long after a landing its contact may still drop out."""
GHOST_S = 0.06
"""Within this time two neighbouring sensors may feel one magnet."""
DROPOUT_S = 0.1
"""A sensor that has lost its magnet has it again within this time; no hand takes one off and puts another there."""
CROWD_S = 2.0
"""In this time nobody takes a crowd of miniatures up (`Timing.crowd`), one after another, and sets each down."""
SWEPT_PIECES = 3
"""So many that hop one after another were swept across the board."""

# --- how likely a reading is -------------------------------------------------------------------------------------

ODD_COST = 4.0
"""Something unknown stood on the board, or one was driven off its space and came to none beside it. A story that is so
much odder than another is not reckoned with."""
WRONG_COST = 1.0
"""The first miniature in a wrong place."""
STRANGE_COST = ODD_COST
"""Each unknown thing, and each that was driven off its space and has come to none beside."""
SLOW_COST = 0.5
"""Each miniature that two sensors felt for long before it left the one behind."""
UNLIKELY_COST = 1.0
"""Each deployment with a miniature still in somebody's hand."""
RIVAL_COST = 2.5
"""What costs no more than this beyond the cheapest is still to be reckoned with where somebody stands wrong."""
MAX_STORIES = 240
"""So many are remembered; where these are more, so much is astray that nobody can have meant it."""
MAX_GUESSES = 24
"""So many are remembered where all is upset, and beyond agreement, the plainest first."""

# --- what people are told ----------------------------------------------------------------------------------------

MAX_CARRIES_TRIED = 5
"""Up to so many carries the best order is found by trying all of them; beyond, the nearest goes first."""
MAX_WRONG_SHOWN = 2
"""So many pieces in wrong places are shown at once, for a person has two hands; more are carried home one by one."""
HINTS_PER_MINIATURE = 5
"""After so many hints without agreement the table has taken one miniature for another. From then on it goes by the
occupied spaces alone, and each carry brings the board nearer to the game."""
SUSPECT_MOVES = 5
"""A sensor that contradicts the game for so many moves of others is named."""

# --- buttons and picking -----------------------------------------------------------------------------------------

END_TURN_QUESTION_S = 10.0
"""So long the question stands whether the turn is over."""
OFFER_S = 30.0
"""So long spaces stay lit for a screen that says nothing more: it may have gone for good."""
MAX_OFFERS = 8
"""Screens that may ask at the same time; more than there are people who choose."""
MAX_PICKS = 16
"""Picks that are told at a time: more than hands can make while a screen looks away."""
