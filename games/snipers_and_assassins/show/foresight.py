"""Information for a player before acting: the consequences of acts, and why others aren't possible.

Only the next card is hidden in this game, so acts are tried on a copy of the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from engine.chance import Chance
from engine.game import Command
from engine.refusal import Refused
from engine.text import Text
from games.snipers_and_assassins.rules import commands as c
from games.snipers_and_assassins.rules import events, places, sniper
from games.snipers_and_assassins.rules.fold import fold
from games.snipers_and_assassins.rules.picture import Picture, Telling
from games.snipers_and_assassins.rules.rule import Rule, first_refusal
from games.snipers_and_assassins.rules.sentences import sentence_for
from games.snipers_and_assassins.rules.sniper_ways import OPTIONS, Option, stand_of
from games.snipers_and_assassins.rules.words import KINDS

PLAIN: Final = (
    events.Moved | events.Jumped | events.Held | events.MinePlanted | events.ImprovementDiscarded
    | events.ImprovementDrawn | events.DeckShuffled | events.Deck | events.TurnEnded | events.TurnStarted
)  # fmt: skip
"""Events that the label of the act already implies, or that aren't its consequences."""
OPTION_OF: Final[Mapping[type[Command], Option]] = {option.command: option for option in OPTIONS}


def outlooks(view: Picture, rules: Mapping[type[Command], Rule], legal: Sequence[Command]) -> dict[str, Any]:
    """Return type of act -> `{"outlook"}`: the consequences of each of its legal acts, in order.

    Consequences are sentences and leave out what the label already says. Types without consequences are left out.
    """
    outlooks_of: dict[str, list[list[Text]]] = {}
    blind = replace(view, deck=(), discard=())
    for command in legal:
        telling = Telling(blind, Chance(Random(0)), fold)
        rules[type(command)].decide(telling, command)
        consequences = [
            sentence_for(view.turn, told.event) for told in telling.told if not isinstance(told.event, PLAIN)
        ]
        outlooks_of.setdefault(_tag(command), []).append(consequences)
    return {tag: {"outlook": every} for tag, every in outlooks_of.items() if any(every)}


def reasons(view: Picture, rules: Mapping[type[Command], Rule], legal: Iterable[Command]) -> dict[str, Any]:
    """Return type of act -> `{"why", "rule"}` for types without a legal act. Call it only during the game."""
    offered = {type(command) for command in legal}
    barred = {kind: _refusal(view, rules[kind], kind) for kind in rules if kind not in offered}
    return {_tag(kind): why.reason for kind, why in barred.items() if why is not None}


def _refusal(view: Picture, rule: Rule, kind: type[Command]) -> Refused | None:
    if issubclass(kind, c.SniperCommand):
        return _why_sniper(view, kind)
    return next((why for command in _examples(view, kind) if (why := rule.refusal(view, command)) is not None), None)


def _why_sniper(view: Picture, kind: type[Command]) -> Refused | None:
    why = first_refusal(sniper.ACTING, view, kind)
    if why is not None:
        return why
    from_hideout = not places.is_space(view.at(view.own("sniper")))
    if kind is c.OptionA and from_hideout and view.rulings.closed_hideouts:
        return Refused("SA-R-07", Text("You can't shoot from a Hideout or at one."))
    if kind is c.OptionA:
        return Refused("SA-SHT-01", Text("Nobody is in range of your Sniper."))
    # The option leads somewhere, so the second jump must lack room.
    option = OPTION_OF[kind]
    acts = (replace(option.forms[0], to=to) for to in option.ways(stand_of(view), option.forms[0]))
    return next((no for act in acts if (no := sniper.why_no_room(view, act)) is not None), None)


def _examples(view: Picture, kind: type[Command]) -> Iterator[Command]:
    """Yield sample acts of a type. One of them shows why none is possible."""
    here = view.at(view.own("assassin"))
    if kind is c.Hold:
        yield from (c.Hold(view.own(which)) for which in KINDS)
    elif issubclass(kind, c.AssassinMove):
        yield kind(here)
    elif kind is c.Plant:
        yield from (c.Plant(space) for space in places.next_to(here))
    elif kind is c.Claymore:
        yield c.Claymore()


def _tag(command: Command | type[Command]) -> str:
    return str(command.__struct_config__.tag)
