"""Resumes the running game of a journal.

A game that cannot continue waits until the game, the computer or an installation is repaired.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress

from engine.chance import Chance
from engine.graph.fault import MapError
from engine.refusal import RuleError
from engine.text import Text
from firmware_host.core import installed, maps
from firmware_host.core.guarded import GameFault, checked, fault_in, isolated
from firmware_host.core.time_limit import START_LIMIT
from firmware_host.play.game import TableGame
from firmware_host.records.chain import ChainEntry
from firmware_host.records.journal import Journal, SavedGame

log = logging.getLogger("firmware_host")


Lost = Callable[[], list[Text]]
"""Returns the sentences about a game that cannot continue."""
LONGEST_NAME = 60
"""Characters of a name."""
WAITS = Text(
    "Game {game} ({name}) cannot continue now: {why}. {remedy} If someone takes or frees a seat, or chooses or starts "
    "another game before that, it ends."
)
REPAIR, TRY_AGAIN = Text("Repair that, then start the table again."), Text("To try again, start the table again.")


def resumed(journal: Journal, chance: Chance) -> tuple[TableGame | None, Lost]:
    """Return the game that was running when the journal was last written. If it cannot continue, it waits for the next
    start, perhaps with another version of the game; a sentence says why for as long as it waits.
    """
    saved = journal.running()
    if saved is None:
        return None, list
    try:
        installed.installed()
        # Read the entries outside the time limit, because a slow disk is not the game's fault.
        entries = journal.entries(saved.id)
        return isolated(saved.game, _resumed, saved, journal, chance, entries, limit=START_LIMIT), list
    except (RuleError, MapError) as error:
        if isinstance(error, GameFault):
            error.log()
        return None, while_waiting(journal, saved.id, saved.game, error)


def while_waiting(journal: Journal, number: int, game: str, error: Exception) -> Lost:
    """Return a function that returns a sentence about a waiting game and its error, for as long as the game waits."""
    ended, fault, remedy = False, fault_in(error), REPAIR
    if fault is not None:
        why, remedy = fault.reason, TRY_AGAIN if fault.late else REPAIR
    elif isinstance(error, MapError):
        why = Text("its map has changed or was removed")
    else:
        why = Text("it is no longer installed, or was left out")
    sentence = WAITS.with_(game=number, name=game[:LONGEST_NAME], why=why, remedy=remedy)
    log.error("%s", sentence)

    def lost() -> list[Text]:
        nonlocal ended
        with suppress(sqlite3.Error):  # if the disk cannot be read for a moment, the game goes on waiting
            ended = ended or journal.ended(number) is not None
        return [] if ended else [sentence]

    return lost


def _resumed(saved: SavedGame, journal: Journal, chance: Chance, entries: Sequence[ChainEntry]) -> TableGame:
    installed.find(saved.game)  # check the game before its map: a game that was left out is the actual reason
    board = maps.load(saved.map) if saved.map else None
    if board is not None and board.source != saved.source:
        raise MapError(saved.map, ["the map has changed since the running game began. Put the old map back."])
    # From here on, a refusal is a fault: of another version of the game, which does not know an option, for example.
    return checked(saved.game, TableGame.resume, saved, board, journal, chance, entries)
