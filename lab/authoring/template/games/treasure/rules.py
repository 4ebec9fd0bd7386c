"""The rules as pure functions: legal commands, their events, and the picture after an event."""

from __future__ import annotations

from collections.abc import Iterable

from games.treasure.board import around, distances
from games.treasure.words import (
    DIE,
    HIDER,
    Begun,
    Dig,
    Dug,
    EndTurn,
    GameOver,
    Hidden,
    Hide,
    Position,
    Ready,
    Roll,
    Rolled,
    TurnEnded,
    Walk,
    Walked,
)
from msgspec.structs import replace

from engine.chance import Chance
from engine.events import EVERYONE, Event, Told, only
from engine.game import Command
from engine.plain import Picture
from engine.refusal import Refused
from engine.text import Text

# --- what may be done -------------------------------------------------------------------------------------------


def refusal(view: Picture, seat: str, kind: type[Command]) -> Refused | None:
    """Return why `seat` may not give a command of this kind now, or None. Depends on public facts only."""
    if view.at.winner is not None:
        return Refused("TR-END-01", Text("The game is over."))
    if view.at.turn != seat:
        return Refused("TR-TURN-01", Text("It is not your turn."))
    if kind is Roll and view.at.steps is not None:
        return Refused("TR-WALK-01", Text("You have rolled the die already."))
    if kind is Walk and not view.at.steps:
        return Refused("TR-WALK-01", Text("You have no steps; roll the die, once a turn."))
    return None


def legal(view: Picture, seat: str) -> list[Command]:
    """Return all legal commands of `seat`."""
    if refusal(view, seat, Dig) is not None:
        return []
    if seat == HIDER:
        return [Hide(space) for space in _hiding_places(view)]
    moves: list[Command] = [Roll()] if view.at.steps is None else [Walk(space) for space in _reach(view)]
    return [*moves, Dig(), EndTurn()]


def check(view: Picture, seat: str, command: Command) -> Command:
    """Return `command` if it is legal. Raises `Refused`."""
    why = refusal(view, seat, type(command))
    if why is not None:
        raise why
    if command not in legal(view, seat):
        if isinstance(command, Hide):
            raise Refused("TR-HIDE-01", Text("The treasure can be carried one step in a round."))
        raise Refused("TR-WALK-01", Text("Your steps do not reach that far, or somebody stands there."))
    return command


def odds(view: Picture, space: str) -> float:
    """Return the probability that the treasure is on `space`. All possible spaces are equally likely."""
    return (space in view.at.possible) / max(1, len(view.at.possible))


def _hiding_places(view: Picture) -> tuple[str, ...]:
    """Return any space at first, later those within one step. The hider's own picture has the treasure."""
    return view.board.enterable if view.at.treasure is None else around(view.board, [view.at.treasure])


def _reach(view: Picture) -> list[str]:
    """Return the spaces that the current seeker can walk to. Pawns do not block the way."""
    taken = view.at.pawns.values()
    steps = distances(view.board, view.at.pawns[view.at.turn])
    return [space for space in view.board.enterable if space not in taken and steps[space] <= (view.at.steps or 0)]


# --- what follows -----------------------------------------------------------------------------------------------


def decide(truth: Picture, command: Command, chance: Chance) -> Iterable[Told]:
    """Yield the events of a checked command, each with its audience."""
    at, seat = truth.at, truth.at.turn
    match command:
        case Hide(space):
            yield Told(Hidden(space), only(HIDER))
            yield Told(Ready(), EVERYONE)
        case Roll():
            yield Told(Rolled(seat, chance.roll("die", DIE, "TR-WALK-01")), EVERYONE)
        case Walk(space):
            yield Told(Walked(seat, at.pawns[seat], space), EVERYONE)
        case Dig():
            assert at.treasure is not None, "a seeker's turn comes after the hider's"
            steps = distances(truth.board, at.treasure)[at.pawns[seat]]
            yield Told(Dug(seat, at.pawns[seat], steps), EVERYONE)
            yield from [Told(GameOver(seat, at.treasure), EVERYONE)] if steps == 0 else _turn_over(truth)
        case EndTurn():
            yield from _turn_over(truth)


def _turn_over(truth: Picture) -> Iterable[Told]:
    at = truth.at
    yield Told(TurnEnded(at.turn), EVERYONE)
    if at.turn == at.order[-1] and at.round == truth.options.rounds:
        assert at.treasure is not None, "it was hidden in the first round"
        yield Told(GameOver(HIDER, at.treasure), EVERYONE)


# --- the picture after an event ---------------------------------------------------------------------------------


def fold(view: Picture, event: Event) -> Picture:
    """Return the picture after `event`."""
    return replace(view, at=_after(view, event))


def _after(view: Picture, event: Event) -> Position:
    at = view.at
    match event:
        case Begun(order):
            return replace(at, order=order)
        case Hidden(space):
            return replace(at, treasure=space)
        case Ready():
            # The hider may just have moved the treasure by one step.
            wide = view.board.enterable if at.round == 0 else around(view.board, at.possible)
            return replace(at, turn=at.order[0], round=at.round + 1, holes=(), possible=wide)
        case Rolled(_, number):
            return replace(at, steps=number)
        case Walked(seat, start, to):
            left = (at.steps or 0) - distances(view.board, start)[to]
            return replace(at, pawns={**at.pawns, seat: to}, steps=left)
        case Dug(_, hole, steps):
            # The treasure can only be at the distance of the answer.
            away = distances(view.board, hole)
            left = tuple(space for space in at.possible if away[space] == steps)
            return replace(at, holes=(*at.holes, hole), possible=left)
        case TurnEnded(seat):
            return replace(at, turn=(*at.order, HIDER)[at.order.index(seat) + 1], steps=None)
        case GameOver(winner, treasure):
            return replace(at, winner=winner, treasure=treasure)
    raise AssertionError(f"no event of this game: {event}")
