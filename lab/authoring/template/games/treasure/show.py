"""What people see of the game: a sentence for each event, labels, and cues for the lamps."""

from __future__ import annotations

from games.treasure.words import (
    HIDER,
    SEATS,
    Begun,
    Dig,
    Dug,
    EndTurn,
    GameOver,
    Hidden,
    Hide,
    Ready,
    Roll,
    Rolled,
    TurnEnded,
    Walk,
    Walked,
)

from engine.cues import Light, Rhythm, Show
from engine.events import Event
from engine.game import Command, Cue
from engine.plain import Picture
from engine.text import Text, comma_list

LIGHTS = {
    "hole": Light("hole", Rhythm("dull beat", "3331", 600), 30, Text("somebody has dug here in this round")),
    "treasure": Light("treasure", Rhythm("double wink", "90909999", 200), 40, Text("here the treasure lay")),
}
COLOURS = {
    "hole": (140, 80, 20),
    "treasure": (255, 200, 0),
    "red": (255, 0, 0),
    "blue": (0, 0, 255),
    "green": (0, 255, 0),
}
SHOW = Show(LIGHTS, dict.fromkeys(("night", "day", "clear"), COLOURS))
"""The same colours in all palettes."""


def sentence(event: Event) -> Text:
    """Return a sentence about an event, for a viewer who gets the event."""
    match event:
        case Begun(order):
            return Text("The seekers take their turns in this order: {order}.", order=comma_list(map(called, order)))
        case Hidden(space):
            return Text("You hide the treasure on {space}.", space=space)
        case Ready():
            return Text("The treasure is hidden, and a round begins.")
        case Rolled(seat, number):
            return Text(
                "{who} rolls the die: {number} step.",
                "{who} rolls the die: {number} steps.",
                who=called(seat),
                number=number,
            )
        case Walked(seat, _, to):
            return Text("{who} walks to {space}.", who=called(seat), space=to)
        case Dug(seat, space, 0):
            return Text("{who} digs on {space} and finds the treasure!", who=called(seat), space=space)
        case Dug(seat, space, steps):
            return Text(
                "{who} digs on {space}. The treasure is {number} step away.",
                "{who} digs on {space}. The treasure is {number} steps away.",
                who=called(seat),
                space=space,
                number=steps,
            )
        case TurnEnded(seat):
            return Text("{who} has ended the turn.", who=called(seat))
        case GameOver(winner, treasure):
            return outcome(winner, treasure)
    raise AssertionError(f"no event of this game: {event}")


def outcome(winner: str, treasure: str) -> Text:
    """Return who has won, and why."""
    if winner == HIDER:
        return Text("{who} wins: nobody found the treasure on {space}.", who=called(winner), space=treasure)
    return Text("{who} wins with the treasure of {space}.", who=called(winner), space=treasure)


def called(seat: str) -> Text:
    """Return the name of a seat or its pawn, for the middle of a sentence. In an outcome, people's names replace it."""
    return Text("the {seat}", seat=SEATS[seat].title)


def caption(command: Command) -> Text:
    """Return the label of an action's button."""
    match command:
        case Hide(space):
            return Text("Hide the treasure on {space}", space=space)
        case Roll():
            return Text("Roll the die")
        case Walk(space):
            return Text("Walk to {space}", space=space)
        case Dig():
            return Text("Dig here")
        case EndTurn():
            return Text("End turn")
    raise AssertionError(f"no command of this game: {command}")


def summary(view: Picture) -> list[tuple[Text, str]]:
    """Return the round, the steps left, and where the treasure is or can be."""
    at = view.at
    rounds = Text("{round} of {rounds}", round=max(1, at.round), rounds=view.options.rounds)
    steps = [] if at.steps is None else [(Text("Steps left"), str(at.steps))]
    if at.treasure is not None:
        return [(Text("Round"), rounds), *steps, (Text("The treasure"), at.treasure)]
    places = comma_list(at.possible) if at.possible else Text("not hidden yet")
    return [(Text("Round"), rounds), *steps, (Text("The treasure can be on"), places)]


def cues(view: Picture) -> list[Cue]:
    """Return the holes of this round, and after the game also the treasure."""
    found = [Cue("hole", view.at.holes), *([] if view.at.winner is None else treasure(view))]
    return [cue for cue in found if cue.spaces]


def treasure(view: Picture) -> list[Cue]:
    """Return the treasure's space, for viewers who know it."""
    return [] if view.at.treasure is None else [Cue("treasure", (view.at.treasure,))]
