"""Sentences for events. Events without an entry here use the multiplayer sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from engine.events import Event
from engine.text import Text, and_list, comma_list
from games.sniper_elite.rules import events as shared
from games.sniper_elite.rules import sentences as multiplayer
from games.sniper_elite.rules.nest import ALLIES
from games.sniper_elite.rules.words import SECTOR_WORDS, SQUAD_WORDS, TOKEN_WORDS, called
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
    "noise": Text("Under your stack goes a noise token."),
    "recoil": Text("Under your stack goes {number} recoil token.", "Under your stack go {number} recoil tokens."),
    "aim": Text("Into the bag goes {number} aim token.", "Into the bag go {number} aim tokens."),
}
SHOTS = (
    Text("A shot at {unit}: {number} token will be drawn.", "A shot at {unit}: {number} tokens will be drawn."),
    Text(
        "A shot at {unit}: {number} token will be drawn, then {second}.",
        "A shot at {unit}: {number} tokens will be drawn, then {second}.",
    ),
    Text(
        "A shot at {unit}: {number} token will be drawn, then {second}, then {third}.",
        "A shot at {unit}: {number} tokens will be drawn, then {second}, then {third}.",
    ),
)
"""Sentences for declaring a shot, by the number of counts after the first."""


def sentence(event: Event) -> Text:
    """Return the sentence for `event`."""
    return _SENTENCES.get(type(event), multiplayer.sentence)(event)


def _list(names: Iterable[str], none: Text = NOTHING) -> str:
    """Return names as a list, or `none` if there are none."""
    return and_list([*names] or [none])


def _units(names: Iterable[str]) -> str:
    return _list(map(called, names), NOBODY)


def _cards(names: Iterable[str]) -> str:
    return _list(LOADOUT[name] for name in names)


def _slots(event: e.SlotsLaid) -> Text:
    shown = [TITLES[slot.card] if slot.card is not None else Text("a card face down") for slot in event.slots]
    return Text(
        "The defenders' slots: {cards}. Their deck has {number} cards.", cards=comma_list(shown), number=event.deck
    )


def _moved(event: e.SniperMoved) -> Text:
    way = " – ".join(event.path)
    return Text("You move: {way}, which is noisy.", way=way) if event.noisy else Text("You move: {way}.", way=way)


def _hit(event: e.Hit) -> Text:
    cause = CAUSE_WORDS[event.cause]
    if event.token is None:
        return Text("You take a hit from {cause}, with nothing left to take it.", cause=cause)
    return Text("You take a hit from {cause}: {token} goes into the bag.", cause=cause, token=TOKEN_WORDS[event.token])


def _declared(event: e.ShotDeclared) -> Text:
    later = [count for count in (event.second, event.third) if isinstance(count, int)]
    counts = dict(zip(("second", "third"), later, strict=False))
    return SHOTS[len(later)].with_(unit=called(event.target), number=event.draw, **counts)


def _snafu(event: e.Snafu) -> Text:
    unit, space = event.chosen
    return Text("Equally bad for you, so chance decides: {unit}, {space}.", unit=called(unit), space=space)


def _assignment(event: e.AssignmentMarked) -> Text:
    marks = [
        Text("{squad} to {spaces}", squad=SQUAD_WORDS[colour], spaces=_list(marked))
        for colour, marked in event.marks.items()
    ]
    return Text("Assignment: {marks}.", marks=comma_list(marks))


def _slotted(event: e.Slotted) -> Text:
    if event.card is None:
        return Text("A new card lies face down on the right.")
    return Text("A new card lies on the right: {card}.", card=TITLES[event.card])


_SENTENCES: Mapping[type[Event], Callable[[Any], Text]] = {
    e.SlotsLaid: _slots,
    e.LoadoutDealt: lambda event: Text("Your loadout: {cards}.", cards=_cards(event.cards)),
    e.LksUpdated: lambda event: Text("You were last seen in the {sector} sector.", sector=SECTOR_WORDS[event.sector]),
    e.Possible: lambda event: Text("Possible objectives: {numbers}.", numbers=and_list(map(str, event.objectives))),
    e.SniperMoved: _moved,
    e.Hit: _hit,
    shared.Wounded: lambda event: (
        Text("You are wounded. One more wound is the end.") if event.wounds == 1 else Text("You are wounded again.")
    ),
    e.ShotDeclared: _declared,
    e.AfterHit: lambda event: REWARDS[event.option].with_(number=event.count),
    e.Attracted: lambda event: Text(
        "The noise draws {unit} from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.Looted: lambda event: Text("You loot {space}.", space=event.space),
    e.Eliminated: lambda event: Text("Objective {objective} is out of the question now.", objective=event.objective),
    e.LootKept: lambda event: Text("You keep {card}.", card=LOADOUT[event.card]),
    e.Deployed: lambda event: Text(
        "{unit} is deployed from {start} to {to}.", unit=called(event.unit), start=event.from_, to=event.to
    ),
    e.DeckShuffled: lambda event: Text("The defenders' deck is shuffled: {number} cards.", number=event.deck),
    e.Die: lambda event: Text("The die shows {number}.", number=event.value),
    e.SoloCardTurned: lambda event: Text(
        "The defenders play {card} from slot {number}.", card=TITLES[event.card], number=event.slot
    ),
    e.Snafu: _snafu,
    e.Scanned: lambda event: Text("These scan around them: {units}.", units=_units(event.units)),
    e.Searched: lambda event: Text("These search what they see: {units}.", units=_units(event.units)),
    e.Attacked: lambda event: Text("Under attack: {spaces}.", spaces=_list(event.spaces)),
    e.AssignmentMarked: _assignment,
    e.Slotted: _slotted,
    e.Returning: lambda event: Text(
        "{unit} returns, and you choose where: {spaces}.", unit=called(event.unit), spaces=_list(event.spaces)
    ),
    e.Returned: lambda event: Text("{unit} returns on {space}.", unit=called(event.unit), space=event.space),
    shared.GameOver: lambda event: WINS[event.reason],
    e.Opened: lambda event: Text("Your objectives were {objectives}.", objectives=and_list(map(str, event.objectives))),
    e.Dealt: lambda event: Text("All cards are shuffled and dealt."),
    shared.LootDrawn: lambda event: Text("You find {cards}; keep one.", cards=_cards(event.cards)),
    shared.CardPlayed: lambda event: Text("The sniper plays {card}.", card=LOADOUT[str(event.card)]),
    shared.AllyChosen: lambda event: Text("You play as {name}.", name=ALLIES[event.ally].name),
    shared.BagLoaded: lambda event: Text("Your bag is loaded."),
    shared.AbilityUsed: lambda event: Text("{name} makes the difference.", name=ALLIES[event.ally].name),
    e.DeckOrder: lambda event: Text("The deck has a new order."),
}
