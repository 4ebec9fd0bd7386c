"""What screens show of acts and events: captions, details, and figures of a finished game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, Final

from engine.events import Event
from engine.game import Command, Cost, Ending
from engine.text import Text
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules.sentences import for_sniper
from games.sniper_elite.rules.words import SNIPER
from games.sniper_elite.show import captions as multiplayer
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules import sentences
from games.sniper_elite_solo.rules.commands import AfterHit, PlaceReturn

REWARDS: Final = {
    "noise": Text("Health +1 (noise)"),
    "recoil": Text("Health +{number} (recoil)"),
    "aim": Text("More aim tokens in the bag"),
}


def caption(command: Command) -> Text:
    match command:
        case AfterHit(option, count):
            return REWARDS[option] if count is None else REWARDS[option].with_(number=count)
        case PlaceReturn(space):
            return Text("Return the defender to {space}", space=space)
    return multiplayer.caption(command)


MOMENTS: Final[Mapping[type[Event], int]] = {shared.ObjectiveCompleted: 5, shared.Wounded: 5, shared.Killed: 3}
HIGHLIGHTS: Final[tuple[type[Event], ...]] = (*MOMENTS, shared.GameOver)


def details(event: Event) -> dict[str, Any]:
    """Return the details of an event as JSON data. Most events have none.

    The keys are `tokens` drawn, `die`, `card` with `slot`, `unit` with `from` and `to` (None: off the board), `units`,
    `spaces`, `tie`: the unit and the space that chance has chosen, `moment`: how much it decides, and
    `yours`: the sentence for the sniper's player.
    """
    yours = for_sniper(sentences.sentence(event), sentences.YOURS)
    return _facts(event) | multiplayer.moment(event, MOMENTS) | yours


def _facts(event: Event) -> dict[str, Any]:
    match event:
        case shared.Drew(tokens) if tokens:
            return {"tokens": dict(tokens)}
        case e.Die(value):
            return {"die": value}
        case e.SoloCardTurned(card, slot):
            return {"card": card, "slot": slot}
        case shared.Moved() | shared.Distracted():  # Deployed and Attracted are subclasses of Moved
            return {"unit": event.unit, "from": event.from_, "to": event.to}
        case e.Returned(unit, space):
            return {"unit": unit, "to": space}
        case shared.Killed():
            return {"unit": event.unit, "to": None}
        case e.Scanned(units) | e.Searched(units):
            return {"units": units}
        case e.Attacked(spaces):
            return {"spaces": spaces}
        case e.Snafu(_, chosen):
            return {"tie": chosen}
    return {}


def cost(ending: Ending, event: Event) -> Cost | None:
    """Return a hit, which is one step to the defeat. If the deck has run out, no single event decided that."""
    counts = ending.reason == "wounds" and isinstance(event, e.Hit | shared.Wounded)
    return Cost(SNIPER, 1) if counts else None


route: Final = partial(multiplayer.turns_of_sniper, moved=e.SniperMoved)


def figures(events: Iterable[Event]) -> list[tuple[Text, int]]:
    found = list(events)
    moves = [it for it in found if isinstance(it, e.SniperMoved)]
    shots = [it for it in found if isinstance(it, shared.Shot)]
    return [
        (Text("Spaces the sniper walked"), sum(len(it.path) for it in moves)),
        (Text("Turns in which the sniper was heard"), sum(it.noisy for it in moves)),
        (Text("Shots"), len(shots)),
        (Text("Shots that hit"), sum(it.result == "hit" for it in shots)),
        (Text("Hits on the sniper"), sum(isinstance(it, e.Hit) for it in found)),
    ]
