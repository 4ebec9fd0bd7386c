"""What a journal has of a game."""

from __future__ import annotations

from firmware_host.records.chain import acts_in_effect
from firmware_host.records.journal import Journal, SavedAct


def saved_acts(journal: Journal, game: int) -> list[SavedAct]:
    """Return the start of a game and every act that was not taken back, in order."""
    entries = (act.entry for act in acts_in_effect(journal.entries(game)))
    return [SavedAct(entry.seat, entry.command, entry.telling) for entry in entries]
