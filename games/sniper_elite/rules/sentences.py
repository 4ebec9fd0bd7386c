"""Sentences that describe events to a viewer. Each text is filled from the event alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.events import Event
from engine.text import Text, and_list, dash_list
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SECTOR_WORDS, SQUAD_WORDS, TOKEN_WORDS, TOKENS, called

REVEALS = {
    "trench-gun": Text("The Trench Gun roars: the sniper is on {space}!"),
    "shot": Text("The shot gives the sniper away on {space}!"),
    "objective": Text("The sniper shows up on {space}."),
    "attack": Text("The sniper is on {space}!"),
    "spot": Text("The sniper is on {space}!"),
}
SHOTS = {"hit": Text("Hit!"), "miss": Text("The shot misses."), "misfire": Text("The gun misfires.")}
ATTACKS = {
    True: Text("{unit} attacks {space}: the sniper is hit!"),
    False: Text("{unit} attacks {space}: nobody there."),
    None: Text("{unit} attacks {space}: no answer."),
}
SPOTS = {True: Text("{unit} spots {space}: there!"), False: Text("{unit} spots {space}: nobody.")}
SWEEPS = {
    True: Text("{unit} sweeps {spaces}: the sniper is there!"),
    False: Text("{unit} sweeps {spaces}: nobody there."),
}
INTEL = {
    True: Text("Intel: the sniper is in the {squad} sector."),
    False: Text("Intel: the sniper is not in the {squad} sector."),
}
TURN_ENDS = {"sniper": Text("The sniper ends the turn."), "defenders": Text("The defenders end the turn.")}
WINS = {
    "objectives": Text("The sniper wins: both objectives are done."),
    "wounds": Text("The defenders win: the second wound was the last."),
    "countdown": Text("The defenders win: time has run out."),
}
OUTCOMES = {
    "objectives": Text("The sniper escapes into the night. Both objectives are done."),
    "wounds": Text("The sniper is stopped. The second wound was the last."),
    "countdown": Text("The sniper is stopped. Time has run out."),
}
"""Reason for the end -> how the game went, for the list of past games."""
NOTHING = Text("nothing")


def sentence(event: Event) -> Text:
    """Return the sentence for `event`."""
    return _SENTENCES[type(event)](event)


def _tokens(tokens: Mapping[str, int]) -> str:
    drawn = [(tokens[token], TOKEN_WORDS[token]) for token in TOKENS if tokens.get(token)]
    return and_list([Text("{count} {token}", count=count, token=token) for count, token in drawn] or [NOTHING])


def _cards(cards: Iterable[str]) -> str:
    return and_list([EVERY_CARD[card].title for card in cards] or [NOTHING])


def _units(units: Iterable[str]) -> str:
    return and_list(map(called, units))


def _specialists(event: e.SpecialistsChosen) -> Text:
    text = Text("{specialist} with {squad}")
    given = [
        text.with_(specialist=SPECIALISTS[card].title, squad=SQUAD_WORDS[squad]) for squad, card in event.squads.items()
    ]
    return Text("The specialists: {given}.", given=and_list(given))


def _played(event: e.CardPlayed) -> Text:
    if event.card is None:
        return Text("The sniper plays a card face-down.")
    return Text("The sniper plays {card}.", card=EVERY_CARD[event.card].title)


def _deployed(event: e.Deployed) -> Text:
    if event.use is None:
        return Text("{unit} is deployed on {space}.", unit=called(event.unit), space=event.space)
    by = SPECIALISTS[event.use].title
    return Text("{unit} is deployed on {space} by the {by}.", unit=called(event.unit), space=event.space, by=by)


def _declared(event: e.ShotDeclared) -> Text:
    if isinstance(event.third, int):
        text = Text(
            "A shot: {number} token will be drawn, then {second}, then {third}.",
            "A shot: {number} tokens will be drawn, then {second}, then {third}.",
        )
        return text.with_(number=event.draw, second=event.second or 0, third=event.third)
    if event.second is not None:
        text = Text(
            "A shot: {number} token will be drawn, then {second}.",
            "A shot: {number} tokens will be drawn, then {second}.",
        )
        return text.with_(number=event.draw, second=event.second)
    return Text("A shot: {number} token will be drawn.", "A shot: {number} tokens will be drawn.", number=event.draw)


def _loadout(event: e.LoadoutChosen) -> Text:
    if event.count is None:
        return Text("The sniper keeps a loadout that nobody may count.")
    return Text(
        "The sniper holds {number} loadout card.", "The sniper holds {number} loadout cards.", number=event.count
    )


def _opened(event: e.Opened) -> Text:
    return Text(
        "The sniper was after objectives {objectives} and went: {way}.",
        objectives=and_list(map(str, event.objectives)),
        way=dash_list(str(space) for _, space in event.log if space),
    )


_SENTENCES: Mapping[type[Event], Callable[[Any], Text]] = {
    e.ObjectiveShown: lambda event: Text(
        "The sniper shows objective {objective}: it is none of theirs.", objective=event.objective
    ),
    e.SpecialistsChosen: _specialists,
    e.LoadoutChosen: _loadout,
    e.MiniatureRemoved: lambda event: Text("The sniper miniature leaves the board."),
    e.Alerted: lambda event: Text("{units} heard noise.", units=_units(event.units)),
    e.Barked: lambda event: Text("A dog barks on {spaces}.", spaces=and_list(event.spaces)),
    e.CardPlayed: _played,
    e.Distracted: lambda event: Text(
        "{unit} is drawn from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.ShotDeclared: _declared,
    e.SecondForfeited: lambda event: Text("There is no target left for the second shot."),
    e.SaveOffered: lambda event: Text("The medic can save {unit}.", unit=called(event.unit)),
    e.Saved: lambda event: Text("The medic saves {unit}.", unit=called(event.unit)),
    e.SaveDeclined: lambda event: Text("The medic lets it happen."),
    e.Scouted: lambda event: Text(
        "{unit} is scouted from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.DogPlaced: lambda event: Text("A dog keeps watch on {space}.", space=event.space),
    e.MineTriggered: lambda event: Text(
        "{unit} steps on a mine on {space}!", unit=called(event.unit), space=event.space
    ),
    e.CardLaid: lambda event: Text("You lay {card} face-down.", card=EVERY_CARD[event.card].title),
    e.MineLaid: lambda event: Text("You mine {space}.", space=event.space),
    e.Drew: lambda event: Text("Drawn: {tokens}.", tokens=_tokens(event.tokens)),
    e.Revealed: lambda event: REVEALS[event.why].with_(space=event.space),
    e.Shot: lambda event: SHOTS[event.result],
    e.Killed: lambda event: Text("{unit} is killed.", unit=called(event.unit)),
    e.BagGained: lambda event: Text("One {token} token goes into the bag.", token=TOKEN_WORDS[event.token]),
    e.Looted: lambda event: Text("The sniper loots a numbered space."),
    e.ObjectiveCompleted: lambda event: Text(
        "Objective {objective} on {space} is done!", objective=event.objective, space=event.space
    ),
    e.Countdown: lambda event: Text("The countdown stands at {count}.", count=event.number),
    e.TurnEnded: lambda event: TURN_ENDS[event.seat],
    e.Moved: lambda event: Text(
        "{unit} moves from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.Deployed: _deployed,
    e.Dismissed: lambda event: Text("{unit} is dismissed.", unit=called(event.unit)),
    e.Intel: lambda event: INTEL[event.found].with_(squad=SQUAD_WORDS[event.squad]),
    e.Attacked: lambda event: ATTACKS[event.found].with_(unit=called(event.unit), space=event.space),
    e.Spotted: lambda event: SPOTS[event.found].with_(unit=called(event.unit), space=event.space),
    e.Swept: lambda event: SWEEPS[event.found].with_(
        unit=called(event.unit), spaces=and_list([*event.spaces, Text("its own space")])
    ),
    e.Wounded: lambda event: Text(
        "The sniper has {number} wound.", "The sniper has {number} wounds.", number=event.wounds
    ),
    e.Marked: lambda event: Text("A tracking cube lies on {space}.", space=event.space),
    e.Unmarked: lambda event: Text("The tracking cube on {space} is taken back.", space=event.space),
    e.GameOver: lambda event: WINS[event.reason],
    e.Opened: _opened,
    e.AllyChosen: lambda event: Text("The sniper is {name}.", name=ALLIES[event.ally].name),
    e.AllyDealt: lambda event: Text("You are {name}. The defenders do not know that.", name=ALLIES[event.ally].name),
    e.BagLoaded: lambda event: Text("The bag is loaded: {tokens}.", tokens=_tokens(event.bag)),
    e.AbilityUsed: lambda event: Text("{name} makes the difference.", name=ALLIES[event.ally].name),
    e.GhostRevealed: lambda event: Text("The ghost is {name}!", name=ALLIES[event.ally].name),
    e.Objectives: lambda event: Text("Your objectives: {objectives}.", objectives=and_list(map(str, event.cards))),
    e.Hand: lambda event: Text("Your loadout: {cards}.", cards=_cards(event.cards)),
    e.Entry: lambda event: Text("You will enter by the {sector} arrow.", sector=SECTOR_WORDS[event.sector]),
    e.SniperMoved: lambda event: Text("You move: {way}.", way=dash_list(event.path)),
    e.Target: lambda event: Text("You aim at {unit}.", unit=called(event.unit)),
    e.LootDrawn: lambda event: Text("You find {cards}; keep one.", cards=_cards(event.cards)),
    e.LootKept: lambda event: Text("You keep {card}.", card=EVERY_CARD[event.card].title),
    e.ObjectiveDeck: lambda event: Text("The objective deck is shuffled."),
}
