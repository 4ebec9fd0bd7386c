"""The game object, which implements the contract of `engine.game.Game`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, get_args

import msgspec
from games.treasure import board as island
from games.treasure import rules, show
from games.treasure.words import (
    CORNERS,
    FORM,
    HIDER,
    OF_HIDER,
    OF_SEEKER,
    SEATS,
    SEEKERS,
    AnyEvent,
    Begun,
    Hide,
    Options,
    Position,
    Rolled,
    Walk,
    Walked,
)
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told
from engine.game import REFEREE, Command, Cue, Ending, Placement
from engine.graph import Map
from engine.naming import tag_of
from engine.plain import Draw, Picture, PlainGame
from engine.refusal import NotUnderstood
from engine.seats import Seat
from engine.text import Text, comma_list


class Treasure(PlainGame):
    """A game for a hider and one to three seekers, with a die."""

    name = "treasure"
    title = "Treasure"
    about = Text("A treasure lies on an island. One has hidden it, the others dig.")
    command_types = OF_HIDER | OF_SEEKER
    event_types = AnyEvent
    option_type = Options
    option_form = FORM
    position_type = Position
    draws = (Draw("order", Begun, "order"), Draw("die", Rolled, "number"), Draw("treasure"))

    legal = staticmethod(rules.legal)
    decide = staticmethod(rules.decide)
    fold = staticmethod(rules.fold)
    sentence = staticmethod(show.sentence)
    caption = staticmethod(show.caption)
    summary = staticmethod(show.summary)
    cues = staticmethod(show.cues)
    called = staticmethod(show.called)
    show = show.SHOW

    # --- starting -----------------------------------------------------------------------------------------------

    def seats(self, options: Options) -> tuple[Seat, ...]:
        """Return the seekers, then the hider."""
        return tuple(SEATS[name] for name in (*SEEKERS[: options.seekers], HIDER))

    def map_names(self) -> tuple[str, ...]:
        """Return the name of the only board."""
        return (island.NAME,)

    def make_map(self, name: str) -> Map:
        """Return the island."""
        return island.make()

    def start(self, board: Map, options: Options) -> Position:
        """Return the position before any event: the pawns are in their corners."""
        pawns = {seeker: CORNERS[seeker] for seeker in SEEKERS[: options.seekers]}
        return Position(pawns=pawns, order=tuple(pawns))

    def setup(self, board: Map | None, options: Options, chance: Chance) -> Iterable[Told]:
        """Draw the order of the seekers."""
        yield Told(Begun(chance.order("order", SEEKERS[: options.seekers], "TR-TURN-01")), EVERYONE)

    def completed(self, view: Picture, chance: Chance) -> Position:
        """Return a described position. Draws the treasure if it must be hidden but is not given."""
        at: Position = view.at
        _known(self.start(view.board, view.options), view)
        if at.round > 0 and at.treasure is None:
            at = replace(at, treasure=chance.order("treasure", at.possible, "TR-HIDE-01")[0])
        return at

    def seen_by(self, viewer: str, at: Position) -> Position:
        """Return what a viewer knows: only the hider knows the treasure until the game is over."""
        return at if viewer in (HIDER, REFEREE) or at.winner is not None else replace(at, treasure=None)

    # --- playing ------------------------------------------------------------------------------------------------

    def check(self, view: Picture, seat: str, command: Command) -> Command:
        """Check a command. Raises `Refused`, and `NotUnderstood` for a command of another seat or an unknown space."""
        if not isinstance(command, _commands_of(seat)):
            raise NotUnderstood(Text("This seat has no such action: {what}.", what=tag_of(command)))
        if isinstance(command, Hide | Walk) and command.space not in view.board.spaces:
            raise NotUnderstood(Text("There is no space {space} on the island.", space=repr(command.space[:40])))
        return rules.check(view, seat, command)

    def view(self, view: Picture) -> dict[str, Any]:
        """Return the state, the number of rounds, and the seat that is to act."""
        return {**self.state(view), "rounds": view.options.rounds, "to_act": self.to_act(view)}

    # --- words and capabilities ---------------------------------------------------------------------------------

    def outcome(self, view: Picture) -> Text | None:
        """Return a sentence about the winner, or None during the game."""
        if view.at.winner is None or view.at.treasure is None:
            return None
        return show.outcome(view.at.winner, view.at.treasure)

    def ending(self, view: Picture) -> Ending | None:
        """Return the winner: the seeker who found the treasure, or the hider after the last round."""
        if view.at.winner is None:
            return None
        return Ending((view.at.winner,), "hidden" if view.at.winner == HIDER else "found", view.at.round)

    def foresight(self, view: Picture, seat: str) -> dict[str, Any]:
        """Return for each command type why it is not possible now, and the odds of digging."""
        why = {kind: rules.refusal(view, seat, kind) for kind in _commands_of(seat)}
        barred: dict[str, Any] = {
            kind.__struct_config__.tag: {"why": refused.sentence, "rule": refused.rule}
            for kind, refused in why.items()
            if refused is not None
        }
        if seat in SEEKERS and "dig" not in barred:
            barred["dig"] = {"odds": [(Text("The treasure is here"), rules.odds(view, view.at.pawns[seat]))]}
        return barred

    def retractable(self, view: Picture, telling: Iterable[Told]) -> bool:
        """Return whether the events are only walks, which reveal nothing new."""
        return all(isinstance(told.event, Walked) for told in telling)

    def deduction(self, view: Picture) -> Possible:
        """Return the possible spaces, which the public picture contains."""
        return Possible()

    def uncovered(self, truth: Picture) -> list[Cue]:
        """Return the treasure's space at a moment of a past game."""
        return show.treasure(truth)

    def marks(self, view: Picture) -> list[Cue]:
        """Return the treasure's space for the map of a viewer who knows it."""
        return show.treasure(view)

    def standing(self, view: Picture) -> Mapping[str, str | None]:
        """Return the spaces of the pawns. Each pawn has the name of its seat, which is also its colour."""
        return view.at.pawns

    def placements(self, view: Picture) -> list[Placement]:
        """Return the walks of a seeker whose pawn is moved on the board. The others walk on their screens."""
        seat = SEATS[view.at.turn]
        walks = [walk for walk in self.legal(view, seat.name) if isinstance(walk, Walk)] if seat.on_board else []
        return [Placement(seat.name, view.at.pawns[seat.name], walk.space, walk) for walk in walks]

    def opening(self, view: Picture) -> bool:
        """Return whether the treasure is not hidden yet, which waits until the pawns are in their corners."""
        return view.at.round == 0


class Possible(msgspec.Struct, frozen=True):
    """The spaces where the treasure can be, as the public picture lists them."""

    def after(self, view: Picture, event: Event) -> Possible:
        """Return this object: it stores nothing."""
        return self

    def spaces(self, view: Picture) -> tuple[str, ...]:
        """Return the spaces that fit all answers."""
        return view.at.possible


def _commands_of(seat: str) -> tuple[type[Command], ...]:
    return (OF_HIDER,) if seat == HIDER else get_args(OF_SEEKER) if seat in SEEKERS else ()


def _known(start: Position, view: Picture) -> None:
    """Check that the seekers and spaces of a position exist. Raises `NotUnderstood`."""
    at, seekers, spaces = view.at, {*start.pawns}, {*view.board.enterable}
    named = {*at.pawns.values(), *at.holes, *at.possible, *([] if at.treasure is None else [at.treasure])}
    if {*at.pawns} != seekers or {*at.order} != seekers or at.turn not in {*seekers, HIDER}:
        listed = comma_list(start.pawns)
        raise NotUnderstood(Text("The position needs a pawn and a turn for each of: {seekers}.", seekers=listed))
    if not named <= spaces or (at.round > 0 and not (at.possible or at.treasure)):
        raise NotUnderstood(Text("The position names a space that is not on the island, or leaves the treasure none."))


GAME = Treasure()
