"""Button labels of acts, with the letters of the Sniper's options, and what screens show of events."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

import msgspec

from engine.events import Event
from engine.game import Command, Cost, Ending
from engine.text import Text, Wording, addressed_to_each, fill, text_for
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import events as e
from games.snipers_and_assassins.rules.places import place_of
from games.snipers_and_assassins.rules.sentences import OWN, YOURS, sentence
from games.snipers_and_assassins.rules.words import called, seat_of

OPTION_A: Final = {
    "shoot-move": Text("A: shoot at {target}, end on {to}"),
    "move-shoot": Text("A: step to {to}, shoot at {target}"),
}
CAPTIONS: Final[Mapping[type[Command], Wording]] = {
    c.OptionA: ("order", OPTION_A),
    c.ChooseStart: Text("Start in {space}"),
    c.ChooseTarget: Text("Hunt the Leader of {seat}"),
    c.PlaceLeader: Text("Hide your Leader in {space}"),
    c.WalkB: Text("B: Sniper walks to {to}"),
    c.JumpB: Text("B: Sniper jumps to {to}"),
    c.WalkC: Text("C: Sniper walks to {to}"),
    c.JumpC: Text("C: Sniper jumps, ends on {to}"),
    c.DoubleOne: Text("D: Sniper jumps to {to}, and on next turn"),
    c.DoubleTwo: Text("D: Sniper jumps to {to}, and on by stealth next turn"),
    c.DoubleContinue: Text("D: Sniper jumps on, ends on {to}"),
    c.DoubleFast: Text("D: double jump to {to}"),
    c.Walk: Text("Assassin walks to {to}"),
    c.Jump: Text("Assassin jumps to {to}"),
    c.Plant: Text("Assassin stays, plants a mine on {space}"),
    c.Claymore: Text("Assassin steps home and sets off the Claymores"),
    c.Hold: Text("{marker} holds"),
    c.EndTurn: Text("End the turn"),
}
AIMED: Final[Mapping[type[Command], Text]] = {
    c.WalkB: Text("B: Sniper goes to {to}, shoots at {target}"),
    c.JumpB: Text("B: Sniper jumps to {to}, shoots at {target}"),
    c.DoubleOne: Text("D: Sniper jumps to {to}, shoots at {target}, and on next turn"),
    c.DoubleFast: Text("D: double jump to {to}, shoot at {target} halfway"),
}
"""Labels of options with a shot."""
MINED: Final[Mapping[tuple[type[Command], str], Text]] = {
    (c.Walk, "before"): Text("Assassin leaves a mine on {mine}, walks to {to}"),
    (c.Walk, "after"): Text("Assassin walks to {to}, plants a mine on {mine}"),
    (c.Jump, "before"): Text("Assassin leaves a mine on {mine}, jumps to {to}"),
    (c.Jump, "after"): Text("Assassin jumps to {to}, plants a mine on {mine}"),
}
"""Labels of moves with a mine, by when it is planted."""
WORDS: Final[Mapping[str, Callable[[Any], str | int]]] = {
    "seat": lambda command: called(command.seat),
    "marker": lambda command: called(command.marker),
    "target": lambda command: called(command.target),
    "mine": lambda command: command.mine.space,
}

DETAILED: Final = (e.Travelled, e.Met, e.Shot, e.MineExploded, e.ClaymoreSet, e.Status, e.Held)
"""Events whose fields screens show besides their sentence: marks on the map, and whose marker it is."""
MOMENTS: Final[Mapping[type[Event], int]] = {
    e.ClaymoreSet: 4, e.MineExploded: 3, e.Surprise: 2, e.Stealth: 2, e.SniperReplaced: 1, e.RunIn: 1,
}  # fmt: skip
"""Event -> how much it decides, for the story of a finished game. A retreat does by its length."""
HIGHLIGHTS = (e.RunIn, e.Surprise, e.Stealth, e.MineExploded, e.SniperReplaced, e.ClaymoreSet, e.Retreated, e.GameOver)


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    history = list(events)

    def count(*kinds: type[Event]) -> int:
        return sum(isinstance(it, kinds) for it in history)

    shots = [it.result for it in history if isinstance(it, e.Shot)]
    return [
        (Text("Steps and jumps"), count(e.Moved, e.Jumped)),
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(result in ("hit", "kill") for result in shots)),
        (Text("Run-ins and surprise attacks"), count(e.Met)),
        (Text("Mines that exploded"), count(e.MineExploded)),
        (Text("Retreats"), count(e.Retreated)),
        (Text("Snipers replaced"), count(e.SniperReplaced)),
    ]


def cost(ending: Ending, event: Event) -> Cost | None:
    """Return the spaces that an Assassin was driven back."""
    back = _driven_back(event)
    return Cost(seat_of(event.marker), back) if isinstance(event, e.Retreated) and back else None


def _driven_back(event: Event) -> int:
    """Return by how many spaces an Assassin retreated, 0 for all other events."""
    if not isinstance(event, e.Retreated):
        return 0
    return abs(place_of(event.from_).column - place_of(event.to).column)


def details(event: Event) -> Mapping[str, Any]:
    """Return the fields of an event that screens show, its `moment`, and its sentence for players whom it is about."""
    fields: dict[str, Any] = msgspec.to_builtins(event) if isinstance(event, DETAILED) else {}
    fields.pop("type", None)
    if moment := MOMENTS.get(type(event), 2 * _driven_back(event)):
        fields["moment"] = moment
    yours = addressed_to_each(sentence(event), OWN, YOURS)
    return {**fields, "yours": yours} if yours else fields


def caption(command: Command) -> Text:
    return fill(_template(command), command, WORDS)


def _template(command: Command) -> Text:
    match command:
        case c.DoubleFast(option=2):
            return Text("D: double jump to {to}, by stealth")
        case c.ShootingMove() | c.DoubleFast() if command.target is not None:
            return AIMED[type(command)]
        case c.AssassinMove() if command.mine is not None:
            return MINED[type(command), command.mine.when]
    return text_for(command, CAPTIONS)
