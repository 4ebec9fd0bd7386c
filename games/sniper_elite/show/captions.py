"""What screens show of acts and events: captions, details, and figures of a finished game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec

from engine.events import Event
from engine.game import Command, Cost, Ending
from engine.text import PLACE, Text, and_list, comma_list, dash_list, fill
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.sentences import for_sniper, sentence
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import DEFENDERS, SECTOR_WORDS, SNIPER, SQUAD_WORDS, called

CAPTIONS: Final[Mapping[type[Command], Text]] = {
    c.ReturnObjective: Text("Return objective {objective}"),
    c.ChooseLoadout: Text("Choose {cards}"),
    c.ShowObjective: Text("Show objective {objective}"),
    c.ChooseEntry: Text("Enter by the {sector} arrow"),
    c.Move: Text("Sneak: {path}"),
    c.Play: Text("Play {card}"),
    c.Shoot: Text("Shoot at {target}"),
    c.ShootSecond: Text("Shoot at {target}, too"),
    c.Loot: Text("Loot"),
    c.Keep: Text("Keep {card}"),
    c.Complete: Text("Complete objective {objective}"),
    c.EndSniperTurn: Text("End the turn"),
    c.ChooseSpecialists: Text("Choose {squads}"),
    c.MoveUnit: Text("Move {unit} to {to}"),
    c.Attack: Text("Attack with {unit}"),
    c.Spot: Text("Spot {space} with {unit}"),
    c.Sweep: Text("Sweep {spaces} with {unit}"),
    c.Deploy: Text("Deploy {unit} on {space}"),
    c.Dismiss: Text("Dismiss {unit}"),
    c.GatherIntel: Text("Gather intel with the {squad} squad"),
    c.Ability: Text("Use the specialist of the {squad} squad"),
    c.Save: Text("Save {unit}"),
    c.Decline: Text("Save no one"),
    c.EndDefendersTurn: Text("End the turn"),
    c.Mark: Text("Place a tracking cube on {space}"),
    c.Unmark: Text("Take the tracking cube from {space}"),
}
ALL_IN_SIGHT: Final = Text("Shoot with the Trench Gun")
WORDS: Final[Mapping[str, Callable[[Any], str | int]]] = {
    "card": lambda command: EVERY_CARD[command.card].title,
    "cards": lambda command: and_list([EVERY_CARD[card].title for card in command.cards] or [Text("no card")]),
    "path": lambda command: dash_list(command.path),
    "sector": lambda command: SECTOR_WORDS[command.sector],
    "spaces": lambda command: and_list(command.spaces or [Text("its own space")]),
    "squad": lambda command: SQUAD_WORDS[command.squad],
    "squads": lambda command: and_list(SPECIALISTS[card].title for card in command.squads.values()),
    "target": lambda command: called(command.target),
    "unit": lambda command: called(command.unit),
}
"""Place in a caption -> what fills it. Any other place takes the field of the same name."""
DETAILS: Final[Mapping[str, Callable[[Any], str]]] = {
    "use": lambda card: SPECIALISTS[card].title,
    "unit": called,
    "space": str,
    "to": lambda space: Text("to {space}", space=space),
    "draw": lambda number: Text("{number} token", "{number} tokens", number=number),
    "second": lambda number: Text("then {number}", number=number),
    "third": lambda number: Text("then {number}", number=number),
}
"""Field that may be left out -> its words in brackets."""


def caption(command: Command) -> Text:
    shoots_all = isinstance(command, c.Shoot) and command.target is None
    template = ALL_IN_SIGHT if shoots_all else CAPTIONS[type(command)]
    sentence = fill(template, command, WORDS)
    details = [*_details(command, {name for name, _ in PLACE.findall(template.text)})]
    return Text("{act} ({details})", act=sentence, details=comma_list(details)) if details else sentence


def _details(command: Any, spoken: set[str]) -> Iterator[str]:
    for name, words in DETAILS.items():
        value = getattr(command, name, None)
        if value is not None and name not in spoken:
            yield words(value)


ON_MAP = (
    e.TurnEnded, e.Alerted, e.Barked, e.Moved, e.Scouted, e.Distracted, e.Deployed, e.Attacked, e.Spotted, e.Swept,
    e.MineTriggered, e.Intel, e.Revealed, e.ObjectiveCompleted,
)  # fmt: skip
"""Events whose fields are public facts that can be shown on the map or that separate turns."""


def turns_of_sniper(events: Iterable[Event], moved: type[Any] = e.SniperMoved) -> list[list[str]]:
    """Return the spaces of each of the sniper's turns, see `Routes`. The last turn may be a part of one.

    `moved` is the game's event of a move with its `path`.
    """
    turns: list[list[str]] = [[]]
    for event in events:
        if isinstance(event, moved):
            turns[-1] += event.path
        elif isinstance(event, e.TurnEnded) and event.seat == SNIPER:
            turns.append(turns[-1][-1:])
    return turns


MOMENTS: Final[Mapping[type[Event], int]] = {
    e.ObjectiveCompleted: 5, e.Wounded: 5, e.GhostRevealed: 4, e.MineTriggered: 3, e.Killed: 2, e.Revealed: 1,
}  # fmt: skip
"""Event -> how much it decides, for the story of a finished game."""
HIGHLIGHTS: Final[tuple[type[Event], ...]] = (*MOMENTS, e.GameOver)


def details(event: Event) -> dict[str, Any]:
    """Return what an event's log line adds: the drawn `tokens`, or `what` with the event's fields, its `moment`, and in
    `yours` the sentence for the sniper's player.
    """
    found: dict[str, Any] = moment(event, MOMENTS) | for_sniper(sentence(event))
    if isinstance(event, e.Drew) and event.tokens:
        found["tokens"] = dict(event.tokens)
    if isinstance(event, ON_MAP):
        fields: dict[str, Any] = msgspec.to_builtins(event)
        found["what"] = {name: value for name, value in fields.items() if name != "type"}
    return found


def moment(event: Event, moments: Mapping[type[Event], int]) -> dict[str, Any]:
    """Return how much an event decides as a detail; nothing for most events."""
    return {"moment": moments[type(event)]} if type(event) in moments else {}


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    history = list(events)
    looked = [it for it in history if isinstance(it, (e.Attacked, e.Spotted, e.Swept))]
    shots = [it for it in history if isinstance(it, e.Shot)]
    return [
        (Text("Spaces the sniper walked"), sum(len(it.path) for it in history if isinstance(it, e.SniperMoved))),
        (Text("Times the sniper was heard"), sum(isinstance(it, e.Alerted) for it in history)),
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(it.result == "hit" for it in shots)),
        (Text("Times the defenders looked"), len(looked)),
        (Text("Times they found the sniper"), sum(bool(it.found) for it in looked)),
    ]


COSTS: Final[Mapping[str, Mapping[type[Event], Cost]]] = {
    "objectives": {e.ObjectiveCompleted: Cost(DEFENDERS, 2), e.Killed: Cost(DEFENDERS, 1)},
    "wounds": {e.Wounded: Cost(SNIPER, 2), e.Revealed: Cost(SNIPER, 1)},
}
"""Reason for the end -> what cost the losers the game. No single event lets time run out."""


def cost(ending: Ending, event: Event) -> Cost | None:
    return COSTS.get(ending.reason, {}).get(type(event))


def ending(view: Any) -> Ending | None:
    """Return how the game ended, from the picture of either game of this box."""
    if view.over is None:
        return None
    counts = {"completed": len(view.completed), "wounds": view.wounds}
    return Ending((view.over.winner,), view.over.reason, view.round, counts)
