"""Sentences that describe events to a viewer: one text per event, whose places are filled from the event alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from engine.events import Event
from engine.text import Text, Wording, and_list, dash_list, fill, text_for
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.cards import EVERY_CARD
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SECTOR_WORDS, SNIPER, SQUAD_WORDS, TOKEN_WORDS, TOKENS, called

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
SPOTS = {True: Text("{unit} spots {space}: the sniper is there!"), False: Text("{unit} spots {space}: nobody there.")}
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
SENTENCES: Mapping[type[Event], Wording] = {
    e.Revealed: ("why", REVEALS),
    e.Shot: ("result", SHOTS),
    e.Attacked: ("found", ATTACKS),
    e.Spotted: ("found", SPOTS),
    e.Swept: ("found", SWEEPS),
    e.Intel: ("found", INTEL),
    e.TurnEnded: ("seat", TURN_ENDS),
    e.GameOver: ("reason", WINS),
    e.ObjectiveShown: Text("The sniper shows objective {objective}: it isn't theirs."),
    e.SpecialistsChosen: Text("The specialists: {given}."),
    e.LoadoutChosen: Text("The sniper holds {number} loadout card.", "The sniper holds {number} loadout cards."),
    e.MiniatureRemoved: Text("The sniper miniature leaves the board."),
    e.Alerted: Text("{units} heard noise."),
    e.Barked: Text("A dog barks on {spaces}."),
    e.CardPlayed: Text("The sniper plays {card}."),
    e.Distracted: Text("{unit} is lured from {start} to {to}."),
    e.ShotDeclared: Text("A shot: {number} token is drawn.", "A shot: {number} tokens are drawn."),
    e.SecondForfeited: Text("There is no target left for the second shot."),
    e.SaveOffered: Text("The medic can save {unit}."),
    e.Saved: Text("The medic saves {unit}."),
    e.SaveDeclined: Text("The medic doesn't help."),
    e.Scouted: Text("{unit} is scouted from {start} to {to}."),
    e.DogPlaced: Text("A dog keeps watch on {space}."),
    e.MineTriggered: Text("{unit} steps on a mine on {space}!"),
    e.CardLaid: Text("You lay {card} face-down."),
    e.MineLaid: Text("You mine {space}."),
    e.Drew: Text("Drawn: {tokens}."),
    e.Killed: Text("{unit} is killed."),
    e.BagGained: Text("One {token} token goes into the bag."),
    e.Looted: Text("The sniper loots a numbered space."),
    e.ObjectiveCompleted: Text("Objective {objective} on {space} is done!"),
    e.Countdown: Text("The countdown stands at {count}."),
    e.Moved: Text("{unit} moves from {start} to {to}."),
    e.Deployed: Text("{unit} is deployed on {space}."),
    e.Dismissed: Text("{unit} is dismissed."),
    e.Wounded: Text("The sniper has {number} wound.", "The sniper has {number} wounds."),
    e.Marked: Text("A tracking cube lies on {space}."),
    e.Unmarked: Text("The tracking cube on {space} is taken back."),
    e.Opened: Text("The sniper was after objectives {objectives} and went: {way}."),
    e.AllyChosen: Text("The sniper is {name}."),
    e.AllyDealt: Text("You are {name}. The defenders do not know that."),
    e.BagLoaded: Text("The bag is loaded: {tokens}."),
    e.AbilityUsed: Text("{name} makes the difference."),
    e.GhostRevealed: Text("The ghost is {name}!"),
    e.Objectives: Text("Your objectives: {objectives}."),
    e.Hand: Text("Your loadout: {cards}."),
    e.Entry: Text("You will enter by the {sector} arrow."),
    e.SniperMoved: Text("You move: {way}."),
    e.Target: Text("You aim at {unit}."),
    e.LootDrawn: Text("You find {cards}; keep one."),
    e.LootKept: Text("You keep {card}."),
    e.ObjectiveDeck: Text("The objective deck is shuffled."),
}
NUMBERS = ("draw", "count", "wounds")
"""Fields that can fill `{number}` in a sentence. An event has at most one of them."""


def _tokens(tokens: Mapping[str, int]) -> str:
    # In the usual order, whatever the order in the event.
    drawn = [(tokens[token], TOKEN_WORDS[token]) for token in TOKENS if tokens.get(token)]
    return and_list([Text("{count} {token}", count=count, token=token) for count, token in drawn] or [NOTHING])


def _spaces(event: e.Barked | e.Swept) -> str:
    own = [Text("its own space")] if isinstance(event, e.Swept) else []
    return and_list([*event.spaces, *own])


def _squad_specialists(squads: Mapping[str, str]) -> str:
    text = Text("{specialist} with {squad}")
    assignments = squads.items()
    return and_list(
        text.with_(specialist=SPECIALISTS[card].title, squad=SQUAD_WORDS[squad]) for squad, card in assignments
    )


def _way(event: e.Opened | e.SniperMoved) -> str:
    return dash_list(event.path if isinstance(event, e.SniperMoved) else (space for _, space in event.log if space))


WORDS: Mapping[str, Callable[[Any], str | int]] = {
    "by": lambda event: SPECIALISTS[event.use].title,
    "card": lambda event: EVERY_CARD[event.card].title,
    "cards": lambda event: and_list([EVERY_CARD[card].title for card in event.cards] or [NOTHING]),
    "count": lambda event: event.number,
    "given": lambda event: _squad_specialists(event.squads),
    "name": lambda event: ALLIES[event.ally].name,
    "number": lambda event: next(getattr(event, name) for name in NUMBERS if hasattr(event, name)),
    "objectives": lambda event: and_list(
        map(str, event.cards if isinstance(event, e.Objectives) else event.objectives)
    ),
    "sector": lambda event: SECTOR_WORDS[event.sector],
    "spaces": _spaces,
    "squad": lambda event: SQUAD_WORDS[event.squad],
    "start": lambda event: event.from_,
    "token": lambda event: TOKEN_WORDS[event.token],
    "tokens": lambda event: _tokens(event.bag if isinstance(event, e.BagLoaded) else event.tokens),
    "unit": lambda event: called(event.unit),
    "units": lambda event: and_list(map(called, event.units)),
    "way": _way,
}
"""Place in a sentence -> what fills it. Any other place takes the field of the same name."""


def sentence(event: Event) -> Text:
    return fill(_template(event), event, WORDS)


def _template(event: Event) -> Text:
    # A field that is None was not told to this viewer, or was not used.
    match event:
        case e.CardPlayed(None):
            return Text("The sniper plays a card face-down.")
        case e.LoadoutChosen(None):
            return Text("The sniper keeps a loadout. Its size stays secret.")
        case e.Deployed(use=str()):
            return Text("{unit} is deployed on {space} by the {by}.")
        case e.ShotDeclared(third=int()):
            return Text(
                "A shot: {number} token is drawn, then {second}, then {third}.",
                "A shot: {number} tokens are drawn, then {second}, then {third}.",
            )
        case e.ShotDeclared(second=int()):
            return Text(
                "A shot: {number} token is drawn, then {second}.",
                "A shot: {number} tokens are drawn, then {second}.",
            )
    return text_for(event, SENTENCES)


YOURS: Final[Mapping[str, Text]] = {
    "The Trench Gun roars: the sniper is on {space}!": Text("The Trench Gun roars: they know that you are on {space}!"),
    "The shot gives the sniper away on {space}!": Text("The shot gives you away on {space}!"),
    "The sniper shows up on {space}.": Text("You show up on {space}."),
    "The sniper is on {space}!": Text("They know that you are on {space}!"),
    "{unit} attacks {space}: the sniper is hit!": Text("{unit} attacks {space}: you are hit!"),
    "{unit} spots {space}: the sniper is there!": Text("{unit} spots {space}: you are there!"),
    "{unit} sweeps {spaces}: the sniper is there!": Text("{unit} sweeps {spaces}: you are there!"),
    "Intel: the sniper is in the {squad} sector.": Text("Intel: they learn that you are in the {squad} sector."),
    "Intel: the sniper is not in the {squad} sector.": Text("Intel: they learn that you aren't in the {squad} sector."),
    "The sniper ends the turn.": Text("You end the turn."),
    "The sniper wins: both objectives are done.": Text("You win: both objectives are done."),
    "The sniper shows objective {objective}: it isn't theirs.": Text("You show objective {objective}: it isn't yours."),
    "The sniper holds {number} loadout card.": Text(
        "You hold {number} loadout card.", "You hold {number} loadout cards."
    ),
    "The sniper miniature leaves the board.": Text("Your miniature leaves the board."),
    "The sniper plays {card}.": Text("You play {card}."),
    "The sniper loots a numbered space.": Text("You loot a numbered space."),
    "The sniper has {number} wound.": Text("You have {number} wound.", "You have {number} wounds."),
    "The sniper was after objectives {objectives} and went: {way}.": Text(
        "You were after objectives {objectives} and went: {way}."
    ),
    "The sniper is {name}.": Text("You are {name}."),
    "The sniper keeps a loadout. Its size stays secret.": Text("You keep a loadout. Its size stays secret."),
    "The sniper plays a card face-down.": Text("You play a card face-down."),
}
"""Template about the sniper -> the one that addresses the sniper's player."""


def for_sniper(text: Text, yours: Mapping[str, Text] = YOURS) -> dict[str, Any]:
    """Return the detail `yours` of an event with this sentence; nothing if the sniper's player reads it, too."""
    found = yours.get(text.text)
    return {} if found is None else {"yours": {SNIPER: found.with_(**text.values)}}
