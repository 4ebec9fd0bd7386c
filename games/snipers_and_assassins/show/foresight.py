"""What a player can know of the own acts before they are made: what comes of each, and why others cannot be done.

Nothing is hidden in this game but which card comes next, so an act is simply tried on the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from engine.chance import Chance
from engine.events import Event
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import events, places, sniper
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.rule import Rule, first_refusal
from games.snipers_and_assassins.rules.sentences import sentence
from games.snipers_and_assassins.rules.sniper_ways import OPTIONS, Option, stand_of
from games.snipers_and_assassins.rules.telling import Telling
from games.snipers_and_assassins.rules.words import KINDS

PLAIN: Final = (
    events.Moved,
    events.Jumped,
    events.Held,
    events.MinePlanted,
    events.ImprovementDiscarded,
    events.ImprovementDrawn,
    events.DeckShuffled,
    events.Deck,
    events.TurnEnded,
    events.TurnStarted,
)
"""What an act says of itself by its name, or what is no consequence of it."""
OPTION_OF: Final[Mapping[type[Command], Option]] = {option.command: option for option in OPTIONS}


def outlooks(view: Picture, rules: Mapping[type[Command], Rule], legal: Sequence[Command]) -> dict[str, Any]:
    """Type of act -> `{"outlook"}`: for each of its legal acts, in order, sentences of what else comes of it.

    Types of which no act brings anything are left out.
    """
    found: dict[str, list[list[Text]]] = {}
    blind = replace(view, deck=(), discard=())
    for command in legal:
        telling = Telling(blind, Chance(Random(0)))
        rules[type(command)].decide(telling, command)
        comes = [sentence(told.event) for told in telling.told if _tells(told.event)]
        found.setdefault(_tag(command), []).append(comes)
    return {tag: {"outlook": every} for tag, every in found.items() if any(every)}


def _tells(event: Event) -> bool:
    return not isinstance(event, PLAIN)


def reasons(view: Picture, rules: Mapping[type[Command], Rule], legal: Iterable[Command]) -> dict[str, Any]:
    """Type of act -> `{"why", "rule"}` for the types of which the seat that is to act has none; in play only."""
    offered = {type(command) for command in legal}
    barred = {kind: _why(view, rules[kind], kind) for kind in rules if kind not in offered}
    return {_tag(kind): reason(why) for kind, why in barred.items() if why is not None}


def reason(why: Refused) -> dict[str, Any]:
    """A refusal as the screens take it."""
    return {"why": why.sentence, "rule": why.rule}


def _why(view: Picture, rule: Rule, kind: type[Command]) -> Refused | None:
    """What forbids all acts of a kind."""
    if issubclass(kind, c.SniperAct):
        return _why_sniper(view, kind)
    return next((why for command in _specimens(view, kind) if (why := rule.refusal(view, command)) is not None), None)


def _why_sniper(view: Picture, kind: type[Command]) -> Refused | None:
    option = OPTION_OF[kind]
    form = option.forms[0]
    why = first_refusal(sniper.ACTING, view, kind)
    if why is not None:
        return why
    if kind is c.OptionA and not places.is_space(view.at(view.own("sniper"))):
        return Refused("SA-R-07", Text("Nobody shoots from a Hideout or at one."))
    if kind is c.OptionA:
        return Refused("SA-SHT-01", Text("Nobody is in range of your Sniper."))
    return next(
        (no for to in option.ways(stand_of(view), form) if (no := sniper.room(view, replace(form, to=to)))), None
    )


def _specimens(view: Picture, kind: type[Command]) -> Iterator[Command]:
    """Acts of a kind, one of which shows why none can be done."""
    here = view.at(view.own("assassin"))
    if kind is c.Hold:
        yield from (c.Hold(view.own(which)) for which in KINDS)
    elif kind is c.Jump:
        yield c.Jump(here)
    elif kind is c.Walk:
        yield c.Walk(here)
    elif kind is c.Plant:
        yield from (c.Plant(space) for space in places.beside(here))
    elif kind is c.Claymore:
        yield c.Claymore()


def _tag(command: Command | type[Command]) -> str:
    return str(command.__struct_config__.tag)
