"""What a press of a button next to the board means. Pure; the time is a parameter.

Confirm says yes: to the answer that the board lights first, or to the end of the turn. Next takes the other answer, or
asks whether the turn is over. Undo takes the last move back. The buttons are for the seat that acts on the board.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from msgspec import Struct

from engine.text import Text
from firmware_host.board.thresholds import END_TURN_QUESTION_S

CONFIRM_QUESTION = Text("Is the turn over? Confirm ends it; any other button leaves it.")


class Intent(Enum):
    """What a press of a button asks for."""

    FIRST = "the first answer to the board's question"
    SECOND = "the second answer to the board's question"
    TAKE_BACK = "take back the last move"
    END_TURN = "end the turn"
    ASK = "ask whether the turn is over"
    LEAVE = "continue the turn"
    NOTHING = "nothing that is possible now"


class EndTurnQuestion(Struct, frozen=True):
    """The question whether the turn is over. `until` is when it ends (seconds), None if it was not asked."""

    until: float | None = None

    def asks(self, now: float) -> bool:
        """Return whether the question is open."""
        return self.until is not None and now < self.until

    def press(
        self, button: str, now: float, taps: Sequence[str], retractable: bool, may_end: bool
    ) -> tuple[EndTurnQuestion, Intent]:
        """Return what the press of a button asks for. `taps` are the answers to the board's question."""
        # While the board asks something, the buttons only answer that.
        if taps:
            intent = {"confirm": Intent.FIRST, "next": Intent.SECOND if len(taps) > 1 else Intent.NOTHING}
            return EndTurnQuestion(), intent.get(button, Intent.NOTHING)
        if self.asks(now):
            return EndTurnQuestion(), Intent.END_TURN if button == "confirm" and may_end else Intent.LEAVE
        if button == "next" and may_end:
            return EndTurnQuestion(now + END_TURN_QUESTION_S), Intent.ASK
        if button == "undo" and retractable:
            return EndTurnQuestion(), Intent.TAKE_BACK
        return EndTurnQuestion(), Intent.NOTHING
