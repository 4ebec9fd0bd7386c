"""What happened, in one sentence for a hearer: one text an event, filled from the event alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.games.sniper_elite import events as e
from engine.games.sniper_elite.cards import CARDS
from engine.games.sniper_elite.specialists import SPECIALISTS
from engine.games.sniper_elite.words import SECTOR_WORDS, SQUAD_WORDS, TOKEN_WORDS, TOKENS, called
from engine.said import Said, listed, way
from engine.told import Event

REVEALS = {
    "trench-gun": Said("The Trench Gun roars: the sniper is on {space}!"),
    "shot": Said("The shot gives the sniper away on {space}!"),
    "objective": Said("The sniper shows up on {space}."),
    "attack": Said("The sniper is on {space}!"),
    "spot": Said("The sniper is on {space}!"),
}
SHOTS = {"hit": Said("Hit!"), "miss": Said("The shot misses."), "misfire": Said("The gun misfires.")}
TURN_ENDS = {"sniper": Said("The sniper ends the turn."), "defenders": Said("The defenders end the turn.")}
WINS = {
    "objectives": Said("The sniper wins: both objectives are done."),
    "wounds": Said("The defenders win: the second wound was the last."),
    "countdown": Said("The defenders win: time has run out."),
}
NOTHING = Said("nothing")


def sentence(event: Event) -> Said:
    """The sentence for `event`."""
    return _SENTENCES[type(event)](event)


def _tokens(tokens: Mapping[str, int]) -> str:
    drawn = [(tokens[token], TOKEN_WORDS[token]) for token in TOKENS if tokens.get(token)]
    return listed([Said("{count} {token}", count=count, token=token) for count, token in drawn] or [NOTHING])


def _cards(cards: Iterable[str]) -> str:
    return listed([CARDS[card].title for card in cards] or [NOTHING])


def _units(units: Iterable[str]) -> str:
    return listed(map(called, units))


def _specialists(event: e.SpecialistsChosen) -> Said:
    given = event.squads.items()
    return Said(
        "The specialists: {given}.",
        given=listed(
            Said("{specialist} with {squad}", specialist=SPECIALISTS[card].title, squad=SQUAD_WORDS[squad])
            for squad, card in given
        ),
    )


def _played(event: e.CardPlayed) -> Said:
    if event.card is None:
        return Said("The sniper plays a card face-down.")
    return Said("The sniper plays {card}.", card=CARDS[event.card].title)


def _deployed(event: e.Deployed) -> Said:
    if event.use is None:
        return Said("{unit} is deployed on {space}.", unit=called(event.unit), space=event.space)
    by = SPECIALISTS[event.use].title
    return Said("{unit} is deployed on {space} by the {by}.", unit=called(event.unit), space=event.space, by=by)


def _declared(event: e.ShotDeclared) -> Said:
    if event.second is None:
        return Said(
            "A shot: {number} token will be drawn.", "A shot: {number} tokens will be drawn.", number=event.draw
        )
    return Said(
        "A shot: {number} token will be drawn, then {second}.",
        "A shot: {number} tokens will be drawn, then {second}.",
        number=event.draw,
        second=event.second,
    )


def _intel(event: e.Intel) -> Said:
    squad = SQUAD_WORDS[event.squad]
    if event.found:
        return Said("Intel: the sniper is in the {squad} sector.", squad=squad)
    return Said("Intel: the sniper is not in the {squad} sector.", squad=squad)


def _attacked(event: e.Attacked) -> Said:
    answers = {
        True: Said("{unit} attacks {space}: the sniper is hit!"),
        False: Said("{unit} attacks {space}: nobody there."),
        None: Said("{unit} attacks {space}: no answer."),
    }
    return answers[event.found].with_(unit=called(event.unit), space=event.space)


def _spotted(event: e.Spotted) -> Said:
    answers = {True: Said("{unit} spots {space}: there!"), False: Said("{unit} spots {space}: nobody.")}
    return answers[event.found].with_(unit=called(event.unit), space=event.space)


def _swept(event: e.Swept) -> Said:
    answers = {
        True: Said("{unit} sweeps {spaces}: the sniper is there!"),
        False: Said("{unit} sweeps {spaces}: nobody there."),
    }
    spaces = listed([*event.spaces, Said("its own space")])
    return answers[event.found].with_(unit=called(event.unit), spaces=spaces)


def _opened(event: e.Opened) -> Said:
    return Said(
        "The sniper was after objectives {objectives} and went: {way}.",
        objectives=listed(map(str, event.objectives)),
        way=way(str(space) for _, space in event.log if space),
    )


_SENTENCES: Mapping[type[Event], Callable[[Any], Said]] = {
    e.ObjectiveShown: lambda event: Said(
        "The sniper shows objective {objective}: it is none of theirs.", objective=event.objective
    ),
    e.SpecialistsChosen: _specialists,
    e.LoadoutChosen: lambda event: Said(
        "The sniper holds {number} loadout card.", "The sniper holds {number} loadout cards.", number=event.count
    ),
    e.MiniatureRemoved: lambda event: Said("The sniper miniature leaves the board."),
    e.Alerted: lambda event: Said("{units} heard noise.", units=_units(event.units)),
    e.Barked: lambda event: Said("A dog barks on {spaces}.", spaces=listed(event.spaces)),
    e.CardPlayed: _played,
    e.Distracted: lambda event: Said(
        "{unit} is drawn from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.ShotDeclared: _declared,
    e.SecondForfeited: lambda event: Said("There is no target left for the second shot."),
    e.SaveOffered: lambda event: Said("The medic can save {unit}.", unit=called(event.unit)),
    e.Saved: lambda event: Said("The medic saves {unit}.", unit=called(event.unit)),
    e.SaveDeclined: lambda event: Said("The medic lets it happen."),
    e.Scouted: lambda event: Said(
        "{unit} is scouted from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.DogPlaced: lambda event: Said("A dog keeps watch on {space}.", space=event.space),
    e.MineTriggered: lambda event: Said(
        "{unit} steps on a mine on {space}!", unit=called(event.unit), space=event.space
    ),
    e.CardLaid: lambda event: Said("You lay {card} face-down.", card=CARDS[event.card].title),
    e.MineLaid: lambda event: Said("You mine {space}.", space=event.space),
    e.Drew: lambda event: Said("Drawn: {tokens}.", tokens=_tokens(event.tokens)),
    e.Revealed: lambda event: REVEALS[event.why].with_(space=event.space),
    e.Shot: lambda event: SHOTS[event.result],
    e.Killed: lambda event: Said("{unit} is killed; take the miniature off the board.", unit=called(event.unit)),
    e.BagGained: lambda event: Said("One {token} token goes into the bag.", token=TOKEN_WORDS[event.token]),
    e.Looted: lambda event: Said("The sniper loots a numbered space."),
    e.ObjectiveCompleted: lambda event: Said(
        "Objective {objective} on {space} is done!", objective=event.objective, space=event.space
    ),
    e.Countdown: lambda event: Said("The countdown stands at {count}.", count=event.number),
    e.TurnEnded: lambda event: TURN_ENDS[event.seat],
    e.Moved: lambda event: Said(
        "{unit} moves from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.Deployed: _deployed,
    e.Dismissed: lambda event: Said("{unit} is dismissed.", unit=called(event.unit)),
    e.Intel: _intel,
    e.Attacked: _attacked,
    e.Spotted: _spotted,
    e.Swept: _swept,
    e.Wounded: lambda event: Said(
        "The sniper has {number} wound.", "The sniper has {number} wounds.", number=event.wounds
    ),
    e.Marked: lambda event: Said("A tracking cube lies on {space}.", space=event.space),
    e.Unmarked: lambda event: Said("The tracking cube on {space} is taken back.", space=event.space),
    e.GameOver: lambda event: WINS[event.reason],
    e.Opened: _opened,
    e.Objectives: lambda event: Said("Your objectives: {objectives}.", objectives=listed(map(str, event.cards))),
    e.Hand: lambda event: Said("Your loadout: {cards}.", cards=_cards(event.cards)),
    e.Entry: lambda event: Said("You will enter by the {sector} arrow.", sector=SECTOR_WORDS[event.sector]),
    e.SniperMoved: lambda event: Said("You move: {way}.", way=way(event.path)),
    e.Target: lambda event: Said("You aim at {unit}.", unit=called(event.unit)),
    e.LootDrawn: lambda event: Said("You find {cards}; keep one.", cards=_cards(event.cards)),
    e.LootKept: lambda event: Said("You keep {card}.", card=CARDS[event.card].title),
    e.ObjectiveDeck: lambda event: Said("The objective deck is shuffled."),
}
