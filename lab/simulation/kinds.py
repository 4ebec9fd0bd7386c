"""The kinds of handling in episodes, by name."""

from __future__ import annotations

from collections.abc import Callable

from lab.simulation import disturbances, moves
from lab.simulation.person import Person

Kind = Callable[[Person], None]

KINDS: dict[str, Kind] = {
    kind.__name__.replace("_", "-"): kind
    for kind in (
        moves.clean, moves.slide, moves.hover, moves.again, moves.quick, moves.both_hands, moves.squad_mates,
        moves.think_twice, moves.swap, moves.round_about, moves.push, moves.shove, moves.drag, moves.chain,
        disturbances.nudge, moves.wrong_piece, moves.wrong_space, moves.late_removal, moves.deploy,
        moves.deploy_meanwhile, moves.on_screen, moves.end_in_air, moves.not_their_turn, disturbances.marker,
        disturbances.wand, disturbances.weak, disturbances.ghost, disturbances.dead, disturbances.stuck,
        disturbances.chatter, moves.sleeve, moves.scramble,
    )
}  # fmt: skip

ASKED = frozenset({
    "both-hands", "squad-mates", "think-twice", "swap", "push", "shove", "drag", "chain", "nudge", "deploy-meanwhile",
    "sleeve", "scramble",
})  # fmt: skip
"""Kinds in which more than one miniature is off its space at once; the table may ask about these."""
