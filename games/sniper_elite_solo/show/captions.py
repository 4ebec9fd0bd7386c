"""What the generic screens say of the solo game: the names of its acts, and what is known in a few lines."""

from __future__ import annotations

from collections.abc import Iterable

from engine.game import Command
from engine.text import Text, comma_list
from games.sniper_elite.rules import commands as shared
from games.sniper_elite.rules.words import SECTOR_WORDS, TOKEN_WORDS, called
from games.sniper_elite_solo.rules import sentences
from games.sniper_elite_solo.rules.commands import AfterHit, PlaceReturn, Shoot
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.words import LOADOUT, TOKENS

NONE = Text("none")


def caption(command: Command) -> Text:
    """What a legal act is called on a button."""
    match command:
        case shared.ReturnObjective(number):
            return Text("Return objective {objective}", objective=number)
        case shared.ChooseEntry(sector):
            return Text("Enter by the {sector} arrow", sector=SECTOR_WORDS[sector])
        case shared.Move(path):
            return Text("Move: {way}", way=" – ".join(path))
        case shared.Play():
            return _play(command)
        case Shoot() | shared.ShootSecond():
            return _shot(command)
        case AfterHit():
            return _reward(command)
        case shared.Loot():
            return Text("Loot here")
        case shared.Keep(card):
            return Text("Keep {card}", card=LOADOUT[card])
        case shared.Complete(number):
            return Text("Complete objective {objective}", objective=number)
        case PlaceReturn(space):
            return Text("The defender returns on {space}", space=space)
    return Text("End the turn")


def _play(command: shared.Play) -> Text:
    title = LOADOUT[command.card]
    if command.unit is None:
        return Text("Play {card}", card=title)
    return Text("{card}: draw {unit} to {space}", card=title, unit=called(command.unit), space=str(command.to))


def _shot(command: Shoot | shared.ShootSecond) -> Text:
    if command.target is None:
        return Text("Fire at all around you")
    unit = called(command.target)
    if isinstance(command, shared.ShootSecond):
        return Text("Second shot at {unit}", unit=unit)
    draw = str(command.draw)
    if isinstance(command.third, int):
        return Text(
            "Shoot at {unit}: draw {draw}, then {second}, then {third}",
            unit=unit,
            draw=draw,
            second=str(command.second),
            third=command.third,
        )
    if command.second is not None:
        return Text("Shoot at {unit}: draw {draw}, then {second}", unit=unit, draw=draw, second=command.second)
    return Text("Shoot at {unit}: draw {draw}", unit=unit, draw=draw)


def _reward(command: AfterHit) -> Text:
    if command.option == "noise":
        return Text("Put a noise token under your stack")
    if command.option == "aim":
        return Text("Put aim into the bag")
    return Text(
        "Put {number} recoil token under your stack",
        "Put {number} recoil tokens under your stack",
        number=int(command.count or 1),
    )


def summary(view: Picture) -> list[tuple[Text, str]]:
    """A few lines about a picture; the objectives only where they are known."""
    held = [] if view.objectives is None else [(Text("Your objectives"), _listed(map(str, view.objectives)))]
    slots = [sentences.title(slot.card) if slot.card else Text("a card face down") for slot in view.slots]
    bag = [Text("{token} {count}", token=TOKEN_WORDS[token], count=view.bag[token]) for token in TOKENS]
    return [
        (Text("Round"), str(view.round)),
        *held,
        (Text("Completed"), _listed(map(str, view.completed))),
        (Text("Last known sector"), NONE if view.lks is None else SECTOR_WORDS[view.lks]),
        (Text("Possible objectives"), _listed(map(str, view.possible))),
        (Text("Health stack, top first"), _listed(TOKEN_WORDS[token] for token in reversed(view.stack))),
        (Text("Hits this turn"), str(view.hits)),
        (Text("Wounds"), str(view.wounds)),
        (Text("Loadout"), _listed(LOADOUT[card] for card in view.hand)),
        (Text("Bag"), _listed(bag)),
        (Text("Defenders' slots"), _listed(slots)),
        (Text("Cards left in the deck"), str(view.deck_size)),
    ]


def _listed(parts: Iterable[str]) -> str:
    found = [*parts]
    return comma_list(found) if found else NONE
