"""What happened, in one sentence for a hearer: one template an event, filled from the event alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.games.sniper_elite import events as e
from engine.games.sniper_elite.cards import CARDS
from engine.games.sniper_elite.specialists import SPECIALISTS
from engine.games.sniper_elite.words import TOKENS, called
from engine.games.sniper_elite.words import sentence as beginning
from engine.told import Event

SEAT_NAMES = {"sniper": "The sniper", "defenders": "The defenders"}
REVEALS = {
    "trench-gun": "The Trench Gun roars: the sniper is on {space}!",
    "shot": "The shot gives the sniper away on {space}!",
    "objective": "The sniper shows up on {space}.",
    "attack": "The sniper is on {space}!",
    "spot": "The sniper is on {space}!",
}
SHOTS = {"hit": "Hit!", "miss": "The shot misses.", "misfire": "The gun misfires."}
REASONS = {
    "objectives": "both objectives are done",
    "wounds": "the second wound was the last",
    "countdown": "time has run out",
}


def sentence(event: Event) -> str:
    """The sentence for `event`."""
    return beginning(_SENTENCES[type(event)](event))


def _list(names: Iterable[str]) -> str:
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _tokens(tokens: Mapping[str, int]) -> str:
    return _list([f"{tokens[token]} {token}" for token in TOKENS if tokens.get(token)] or ["nothing"])


def _cards(cards: Iterable[str]) -> str:
    return _list([CARDS[card].title for card in cards] or ["nothing"])


def _specialists(event: e.SpecialistsChosen) -> str:
    given = [f"{SPECIALISTS[card].title} with {squad}" for squad, card in event.squads.items()]
    return f"The specialists: {_list(given)}."


def _by_radio(event: e.Deployed) -> str:
    return "" if event.use is None else f" by the {SPECIALISTS[event.use].title}"


def _declared(event: e.ShotDeclared) -> str:
    second = "" if event.second is None else f", then {event.second}"
    return f"A shot: {_plural(event.draw, 'token')} will be drawn{second}."


def _swept(event: e.Swept) -> str:
    answer = "the sniper is there!" if event.found else "nobody there."
    return f"{called(event.unit)} sweeps {_list([*event.spaces, 'its own space'])}: {answer}"


def _attacked(event: e.Attacked) -> str:
    answer = {True: "the sniper is hit!", False: "nobody there.", None: "no answer."}[event.found]
    return f"{called(event.unit)} attacks {event.space}: {answer}"


def _opened(event: e.Opened) -> str:
    way = " – ".join(str(space) for _, space in event.log if space)
    return f"The sniper was after objectives {_list(map(str, event.objectives))} and went: {way}."


_SENTENCES: Mapping[type[Event], Callable[[Any], str]] = {
    e.ObjectiveShown: lambda event: f"The sniper shows objective {event.objective}: it is none of theirs.",
    e.SpecialistsChosen: _specialists,
    e.LoadoutChosen: lambda event: f"The sniper holds {_plural(event.count, 'loadout card')}.",
    e.MiniatureRemoved: lambda event: "The sniper miniature leaves the board.",
    e.Alerted: lambda event: f"{_list(map(called, event.units))} heard noise.",
    e.Barked: lambda event: f"A dog barks on {_list(event.spaces)}.",
    e.CardPlayed: lambda event: f"The sniper plays {CARDS[event.card].title if event.card else 'a card face-down'}.",
    e.Distracted: lambda event: f"{called(event.unit)} is drawn from {event.from_} to {event.to}.",
    e.ShotDeclared: _declared,
    e.SecondForfeited: lambda event: "There is no target left for the second shot.",
    e.SaveOffered: lambda event: f"The medic can save {called(event.unit)}.",
    e.Saved: lambda event: f"The medic saves {called(event.unit)}.",
    e.SaveDeclined: lambda event: "The medic lets it happen.",
    e.Scouted: lambda event: f"{called(event.unit)} is scouted from {event.from_} to {event.to}.",
    e.DogPlaced: lambda event: f"A dog keeps watch on {event.space}.",
    e.MineTriggered: lambda event: f"{called(event.unit)} steps on a mine on {event.space}!",
    e.CardLaid: lambda event: f"You lay {CARDS[event.card].title} face-down.",
    e.MineLaid: lambda event: f"You mine {event.space}.",
    e.Drew: lambda event: f"Drawn: {_tokens(event.tokens)}.",
    e.Revealed: lambda event: REVEALS[event.why].format(space=event.space),
    e.Shot: lambda event: SHOTS[event.result],
    e.Killed: lambda event: f"{called(event.unit)} is killed; take the miniature off the board.",
    e.BagGained: lambda event: f"One {event.token} token goes into the bag.",
    e.Looted: lambda event: "The sniper loots a numbered space.",
    e.ObjectiveCompleted: lambda event: f"Objective {event.objective} on {event.space} is done!",
    e.Countdown: lambda event: f"The countdown stands at {event.number}.",
    e.TurnEnded: lambda event: f"{SEAT_NAMES[event.seat]} end{'s' * (event.seat == 'sniper')} the turn.",
    e.Moved: lambda event: f"{called(event.unit)} moves from {event.from_} to {event.to}.",
    e.Deployed: lambda event: f"{called(event.unit)} is deployed on {event.space}{_by_radio(event)}.",
    e.Dismissed: lambda event: f"{called(event.unit)} is dismissed.",
    e.Intel: lambda event: f"Intel: the sniper is {'' if event.found else 'not '}in the {event.squad} sector.",
    e.Attacked: _attacked,
    e.Spotted: lambda event: f"{called(event.unit)} spots {event.space}: {'there!' if event.found else 'nobody.'}",
    e.Swept: _swept,
    e.Wounded: lambda event: f"The sniper has {_plural(event.wounds, 'wound')}.",
    e.Marked: lambda event: f"A tracking cube lies on {event.space}.",
    e.Unmarked: lambda event: f"The tracking cube on {event.space} is taken back.",
    e.GameOver: lambda event: (
        f"{SEAT_NAMES[event.winner]} win{'s' * (event.winner == 'sniper')}: {REASONS[event.reason]}."
    ),
    e.Opened: _opened,
    e.Objectives: lambda event: f"Your objectives: {_list(map(str, event.cards))}.",
    e.Hand: lambda event: f"Your loadout: {_cards(event.cards)}.",
    e.Entry: lambda event: f"You will enter by the {event.sector} arrow.",
    e.SniperMoved: lambda event: f"You move: {' – '.join(event.path)}.",
    e.Target: lambda event: f"You aim at {called(event.unit)}.",
    e.LootDrawn: lambda event: f"You find {_cards(event.cards)}; keep one.",
    e.LootKept: lambda event: f"You keep {CARDS[event.card].title}.",
    e.ObjectiveDeck: lambda event: "The objective deck is shuffled.",
}
