"""Sentences for events. Events without an entry here use the multiplayer sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from engine.events import Event
from engine.text import Text, Wording, and_list, comma_list, dash_list, fill, text_for
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules import sentences as multiplayer
from games.sniper_elite.rules.words import SQUAD_WORDS, called
from games.sniper_elite_solo.rules import events as e
from games.sniper_elite_solo.rules.words import CAUSE_WORDS, LOADOUT

TITLES = {
    "SC-01": Text("Stand To"), "SC-02": Text("Man the Doors"), "SC-03": Text("Tighten the Ring"),
    "SC-04": Text("Guard Detail"), "SC-05": Text("Grenade Drill"), "SC-06": Text("Radio Check"),
    "SC-07": Text("Double Time"), "SC-08": Text("Lock the Gates"), "SC-09": Text("Cigarette Break"),
    "LF-01": Text("Assignment: Pad Perimeter"), "LF-02": Text("Assignment: Hold the Buildings"),
    "LF-03": Text("Floodlights"), "LF-04": Text("Clear the Sheds"), "LF-05": Text("Fuelling Alarm"),
    "LF-06": Text("Dockside Watch"), "SP-01": Text("Assignment: Catwalk Picket"),
    "SP-02": Text("Assignment: Seal the Pens"), "SP-03": Text("Overwatch"), "SP-04": Text("Room by Room"),
    "SP-05": Text("Klaxon"), "SP-06": Text("Tunnel Patrol"),
    "VC-01": Text("All Hands"), "VC-02": Text("Every Door"), "VC-03": Text("The Noose"),
    "VC-04": Text("Double Guard"), "VC-05": Text("Grenades First"), "VC-06": Text("Patrols Report"),
    "VC-07": Text("Lorries"), "VC-08": Text("Gates Shut"), "VC-09": Text("No More Breaks"),
    "VL-01": Text("Assignment: Ring the Pads"), "VL-02": Text("Assignment: Bar the Buildings"),
    "VL-03": Text("Searchlights"), "VL-04": Text("Smoke Out the Sheds"), "VL-05": Text("Fuel Watch"),
    "VL-06": Text("Quay Sweep"), "VP-01": Text("Assignment: Man the Catwalks"),
    "VP-02": Text("Assignment: Bolt the Pens"), "VP-03": Text("Eyes Above"), "VP-04": Text("Door to Door"),
    "VP-05": Text("General Alarm"), "VP-06": Text("Through the Tunnels"),
}  # fmt: skip
"""Card titles as literal texts for the translation catalogues. They match the data."""
WINS = {**multiplayer.WINS, "deck": Text("The defenders win: their deck has run out.")}
OUTCOMES = {**multiplayer.OUTCOMES, "deck": multiplayer.OUTCOMES["countdown"]}
"""Reason for the end -> how the game went, for past games."""
NOBODY, NOTHING = Text("nobody"), Text("nothing")
REWARDS = {
    "noise": Text("A noise token goes under the health stack."),
    "recoil": Text(
        "{number} recoil token goes under the health stack.", "{number} recoil tokens go under the health stack."
    ),
    "aim": Text("{number} aim token goes into the bag.", "{number} aim tokens go into the bag."),
}
SHOTS = (
    Text("A shot at {unit}: {number} token is drawn.", "A shot at {unit}: {number} tokens are drawn."),
    Text(
        "A shot at {unit}: {number} token is drawn, then {second}.",
        "A shot at {unit}: {number} tokens are drawn, then {second}.",
    ),
    Text(
        "A shot at {unit}: {number} token is drawn, then {second}, then {third}.",
        "A shot at {unit}: {number} tokens are drawn, then {second}, then {third}.",
    ),
)
"""Sentences for declaring a shot, by the number of counts after the first."""


SENTENCES: Mapping[type[Event], Wording] = {
    e.AfterHit: ("option", REWARDS),
    shared.GameOver: ("reason", WINS),
    e.SlotsLaid: Text("The defenders' slots: {cards}. Their deck has {number} cards."),
    e.LoadoutDealt: Text("The sniper's loadout: {cards}."),
    e.LksUpdated: Text("The sniper was last seen in the {sector} sector."),
    e.Possible: Text("Possible objectives: {numbers}."),
    shared.Entry: Text("The sniper enters by the {sector} arrow."),
    e.SniperMoved: Text("The sniper moves: {way}."),
    shared.MineLaid: Text("The sniper mines {space}."),
    e.Hit: Text("The sniper takes a hit from {cause}: {token} goes into the bag."),
    shared.Wounded: Text("The sniper is wounded again."),
    e.Attracted: Text("The noise draws {unit} from {start} to {to}."),
    e.Looted: Text("The sniper loots {space}."),
    e.Eliminated: Text("Objective {objective} is no longer possible."),
    e.LootKept: Text("The sniper keeps {card}."),
    e.Deployed: Text("{unit} is deployed from {start} to {to}."),
    e.DeckShuffled: Text("The defenders' deck is shuffled: {number} cards."),
    e.Die: Text("The die shows {number}."),
    e.SoloCardTurned: Text("From slot {number}, the defenders play {card}."),
    e.Snafu: Text("Chance decides between equal choices: {unit}, {space}."),
    e.Scanned: Text("Scanning around them: {units}."),
    e.Searched: Text("Searching what they see: {units}."),
    e.Attacked: Text("Under attack: {spaces}."),
    e.AssignmentMarked: Text("Assignment: {marks}."),
    e.Slotted: Text("A new card lies on the right: {card}."),
    e.Returning: Text("{unit} returns, and the sniper chooses where: {spaces}."),
    e.Returned: Text("{unit} returns on {space}."),
    e.Opened: Text("The objectives were {objectives}."),
    e.Dealt: Text("All cards are shuffled and dealt."),
    shared.LootDrawn: Text("You find {cards}; keep one."),
    shared.CardPlayed: Text("The sniper plays {card}."),
    shared.AllyChosen: Text("The sniper is {name}."),
    shared.BagLoaded: Text("The bag is loaded."),
    e.DeckOrder: Text("The deck has a new order."),
}
NUMBERS = ("draw", "deck", "count", "value", "slot")
"""Fields that can fill `{number}` in a sentence. An event has at most one of them."""


def _list(names: Iterable[str], none: Text = NOTHING) -> str:
    """Return names as a list, or `none` if there are none."""
    return and_list([*names] or [none])


def _unit(event: Any) -> str:
    return str(event.target if isinstance(event, e.ShotDeclared) else event.unit)


def _cards(event: Any) -> str:
    if not isinstance(event, e.SlotsLaid):
        return _list(LOADOUT[card] for card in event.cards)
    hidden = Text("a card face down")
    return comma_list(hidden if slot.card is None else TITLES[slot.card] for slot in event.slots)


def _marks(marks: Mapping[str, Iterable[str]]) -> str:
    text = Text("{squad} to {spaces}")
    return comma_list(text.with_(squad=SQUAD_WORDS[colour], spaces=_list(marked)) for colour, marked in marks.items())


WORDS: Mapping[str, Callable[[Any], str | int]] = {
    **multiplayer.WORDS,
    "card": lambda event: TITLES.get(event.card) or LOADOUT[event.card],
    "cards": _cards,
    "cause": lambda event: CAUSE_WORDS[event.cause],
    "marks": lambda event: _marks(event.marks),
    "number": lambda event: next(getattr(event, name) for name in NUMBERS if hasattr(event, name)),
    "numbers": lambda event: and_list(map(str, event.objectives)),
    "space": lambda event: event.chosen[1] if isinstance(event, e.Snafu) else event.space,
    "spaces": lambda event: _list(event.spaces),
    "unit": lambda event: called(event.chosen[0] if isinstance(event, e.Snafu) else _unit(event)),
    "units": lambda event: _list(map(called, event.units), NOBODY),
    "way": lambda event: dash_list(event.path),
}
"""Place in a sentence -> what fills it. Any other place takes the field of the same name."""


def sentence(event: Event) -> Text:
    text = _template(event)
    return multiplayer.sentence(event) if text is None else fill(text, event, WORDS)


def _template(event: Event) -> Text | None:
    """Return the text of an event, or None if it has the multiplayer sentence."""
    match event:
        case e.SniperMoved(noisy=True):
            return Text("The sniper moves: {way}, which is noisy.")
        case e.Hit(token=None):
            return Text("The sniper takes a hit from {cause}, and the health stack is empty.")
        case shared.Wounded(1):
            return Text("The sniper is wounded. One more wound is the end.")
        case e.ShotDeclared():
            return SHOTS[sum(isinstance(count, int) for count in (event.second, event.third))]
        case e.Slotted(None):
            return Text("A new card lies face down on the right.")
    return text_for(event, SENTENCES) if type(event) in SENTENCES else None


YOURS: Final[Mapping[str, Text]] = {
    **multiplayer.YOURS,
    "The sniper's loadout: {cards}.": Text("Your loadout: {cards}."),
    "The sniper was last seen in the {sector} sector.": Text("You were last seen in the {sector} sector."),
    "The sniper enters by the {sector} arrow.": Text("You enter by the {sector} arrow."),
    "The sniper moves: {way}.": Text("You move: {way}."),
    "The sniper moves: {way}, which is noisy.": Text("You move: {way}, which is noisy."),
    "The sniper mines {space}.": Text("You mine {space}."),
    "The sniper takes a hit from {cause}: {token} goes into the bag.": Text(
        "You take a hit from {cause}: {token} goes into the bag."
    ),
    "The sniper takes a hit from {cause}, and the health stack is empty.": Text(
        "You take a hit from {cause}, and the health stack is empty."
    ),
    "The sniper is wounded. One more wound is the end.": Text("You are wounded. One more wound is the end."),
    "The sniper is wounded again.": Text("You are wounded again."),
    "The sniper loots {space}.": Text("You loot {space}."),
    "The sniper keeps {card}.": Text("You keep {card}."),
    "{unit} returns, and the sniper chooses where: {spaces}.": Text("{unit} returns, and you choose where: {spaces}."),
}
"""Template about the sniper -> the one that addresses the sniper's player."""
