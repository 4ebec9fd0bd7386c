"""How a solo game differs from a standard one: officers' challenges and the set of cards (SO-DIF-01, SO-C-01..04)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.refusal import NotUnderstood, Refused
from engine.text import Text
from games.sniper_elite.rules.nest import ALLIES, Ally
from games.sniper_elite.rules.words import known
from games.sniper_elite_solo.rules.cards import CHALLENGES, Change, Deck, Hook
from games.sniper_elite_solo.rules.words import TOTALS

Half = Literal["both", "complications", "benefit"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """`challenges`: id -> what of it is played. `cards`: the map set, None as the map has it (SO-R-68). `deck`: which
    deck the defenders play, None is the standard one.
    """

    challenges: dict[str, Half | None] = {}
    cards: Literal["LF", "SP"] | None = None
    nest: Nest | None = None
    deck: Deck | None = None


class Nest(Struct, frozen=True, forbid_unknown_fields=True):
    """What of Eagle's Nest is played: an allied sniper or the standard one, and gear in the loadout deck."""

    ally: str | None = None
    gear: bool = False


class Parameters(Struct, frozen=True):
    """The numbers that challenges change (SO-C-02)."""

    hit_cap: int = 3
    bag_aim: int = 6
    bag_noise: int = 2
    bag_recoil: int = 3
    initial_loadout: int = 2
    loot_draw: int = 3
    search_range: int = 2
    returns_per_turn: int = 1
    kill_aim_extra: int = 0
    deck_cards: int = 9
    move_bonus_card: int = 0
    first_noise_free: int = 0
    wound_stack: int = 3
    objective_noise: int = 1
    attack_hits: int = 2
    kill_recoil_max: int = 2
    silent_move_max: int = 1
    silent_move_max_difficult: int = 1
    """The same for a move that enters difficult ground (SO-R-71)."""
    reach: int = 3
    misfire: int = 5


def read(raw: Any) -> Options:
    """The options named in `raw`. Raises `NotUnderstood`."""
    try:
        options = msgspec.convert(raw if raw is not None else {}, Options)
    except msgspec.ValidationError as error:
        raise NotUnderstood(Text("The options cannot be read: {error}.", error=str(error))) from error
    known(Text("challenge"), options.challenges, CHALLENGES)
    if options.nest is not None and options.nest.ally == "ghost":
        raise Refused("EN-R-17", Text("Nobody hides from a deck of cards: choose a named ally."))
    known(Text("ally"), [options.nest.ally if options.nest else None], ALLIES)
    played = {name: half for name, half in options.challenges.items() if half is not None}
    return msgspec.structs.replace(options, challenges=played)


def chosen_deck(options: Options) -> Deck:
    """The deck that the defenders play."""
    return options.deck or "standard"


def chosen_ally(options: Options) -> str | None:
    """The id of the allied sniper (EN-ALY-01), None for the standard one (EN-R-04)."""
    return None if options.nest is None else options.nest.ally


def parameters(options: Options, ally: str | None = None) -> Parameters:
    """The numbers of a game with these options, and with an allied sniper (EN-R-36)."""
    return _parameters(tuple(sorted(options.challenges.items())) if options.challenges else (), ally)


@lru_cache(maxsize=128)
def _parameters(chosen: tuple[tuple[str, Half | None], ...], ally: str | None) -> Parameters:
    numbers: dict[str, int] = msgspec.structs.asdict(Parameters())
    if ally is not None:
        numbers |= _of_ally(numbers, ALLIES[ally])
    for name, half in chosen:
        for change in _changes(name, half) if half else ():
            for param in _names(change):
                numbers[param] += change.delta
    numbers["initial_loadout"] = max(numbers["initial_loadout"], 0)
    return guarded(Parameters(**numbers))


def _of_ally(numbers: Mapping[str, int], ally: Ally) -> dict[str, int]:
    """The numbers that an allied sniper has otherwise (EN-ALY-02, EN-D-08, EN-D-09, EN-R-03, EN-R-23)."""
    return {
        **{f"bag_{token}": number for token, number in ally.bag.items()},
        "initial_loadout": numbers["initial_loadout"] + ally.hand,
        "loot_draw": numbers["loot_draw"] + ally.loot,
        "objective_noise": numbers["objective_noise"] + ally.noise,
        "reach": numbers["reach"] + ally.reach,
        "misfire": numbers["misfire"] + ally.misfire,
        "silent_move_max": numbers["silent_move_max"] + ally.silent,
        "silent_move_max_difficult": numbers["silent_move_max_difficult"] + ally.silent,
    }


def guarded(numbers: Parameters) -> Parameters:
    """The same numbers, once it is sure that there are tokens enough for them (SO-C-03)."""
    if numbers.bag_aim > TOTALS["aim"] or numbers.bag_recoil + 4 > TOTALS["recoil"]:
        raise ValueError("more tokens are put into the bag than exist")
    return numbers


def _changes(name: str, half: Half) -> tuple[Change, ...]:
    challenge = CHALLENGES[name]
    complications = challenge.changes if half != "benefit" else ()
    return (*complications, *([challenge.benefit] if half != "complications" else ()))


def _names(change: Change) -> tuple[str, ...]:
    """The numbers that a change is for: one that counts on difficult ground only, or one there as well."""
    name = change.param.replace(".", "_")
    if change.scope == "difficult_terrain_entered":
        return (f"{name}_difficult",)
    return (name, f"{name}_difficult") if f"{name}_difficult" in Parameters.__struct_fields__ else (name,)


def hooks(options: Options, when: str) -> list[Hook]:
    """The steps that the challenges add at a moment, in the order of their ids (SO-R-67)."""
    chosen: Mapping[str, Half | None] = options.challenges
    if not chosen:
        return []
    return [
        hook
        for name, challenge in CHALLENGES.items()
        if chosen.get(name) in ("both", "complications")
        for hook in challenge.hooks
        if hook.when == when
    ]
