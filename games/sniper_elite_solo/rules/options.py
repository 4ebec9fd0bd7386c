"""The options of a solo game: challenges, cards, deck and Eagle's Nest (SO-DIF-01, SO-C-01..04)."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Literal

import msgspec
from msgspec import Struct

from engine.graph import Map
from engine.naming import convert, require_known
from engine.refusal import Refused
from engine.text import Text
from games.sniper_elite.rules.nest import ALLIES, Ally
from games.sniper_elite.rules.picture import Nest
from games.sniper_elite_solo.rules.cards import CHALLENGES, Change, Deck, Hook
from games.sniper_elite_solo.rules.words import TOTALS

Half = Literal["both", "complications", "benefit"]


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game.

    `challenges`: ID -> the half in play. `cards`: the set of cards, None for the map's own (SO-R-68). `deck`: the
    defenders' deck, None for the standard one.
    """

    challenges: dict[str, Half | None] = {}
    cards: Literal["LF", "SP"] | None = None
    nest: Nest | None = None
    deck: Deck | None = None


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
    """The same for a move that enters difficult terrain (SO-R-71)."""
    reach: int = 3
    misfire: int = 5


def read_options(raw: Any) -> Options:
    """Return the options in `raw`. Raises `NotUnderstood` or `Refused`."""
    options: Options = convert({} if raw is None else raw, Options, Text("The options cannot be read: {error}."))
    require_known(Text("challenge"), options.challenges, CHALLENGES)
    if options.nest is not None and options.nest.ally == "ghost":
        raise Refused("EN-R-17", Text("A ghost cannot hide from a deck of cards: choose a named ally."))
    require_known(Text("ally"), [options.nest.ally if options.nest else None], ALLIES)
    played = {name: half for name, half in options.challenges.items() if half is not None}
    return msgspec.structs.replace(options, challenges=played)


def card_set(board: Map, options: Options) -> str:
    """Return the map's set of cards, LF or SP (SO-SET-02, SO-R-68)."""
    if options.cards is not None:
        return options.cards
    # Other maps use the set for high ground if they have any.
    if board.code in ("LF", "SP"):
        return board.code
    return "SP" if any(space.kind == "elevated" for space in board.spaces.values()) else "LF"


def parameters(options: Options, ally: str | None = None) -> Parameters:
    """Return the numbers for a game with these options and an allied sniper (EN-R-36)."""
    return _parameters(tuple(sorted(options.challenges.items())) if options.challenges else (), ally)


@lru_cache(maxsize=128)
def _parameters(chosen: tuple[tuple[str, Half | None], ...], ally: str | None) -> Parameters:
    numbers: dict[str, int] = msgspec.structs.asdict(Parameters())
    if ally is not None:
        _apply_ally(numbers, ALLIES[ally])
    for name, half in chosen:
        challenge = CHALLENGES[name]
        changes = challenge.parts(Change, "param") if half in ("both", "complications") else []
        for change in (*changes, *([challenge.benefit] if half in ("both", "benefit") else [])):
            for param in _parameter_names(change):
                numbers[param] += change.delta
    # Allies and challenges together can go below zero.
    numbers["initial_loadout"] = max(numbers["initial_loadout"], 0)
    return require_enough_tokens(Parameters(**numbers))


def _apply_ally(numbers: dict[str, int], ally: Ally) -> None:
    """Apply an allied sniper's changes (EN-ALY-02, EN-D-08, EN-D-09, EN-R-03, EN-R-23)."""
    # The ally's bag replaces the standard one. All other values are differences.
    numbers |= {f"bag_{token}": number for token, number in ally.bag.items()}
    numbers["initial_loadout"] += ally.hand
    numbers["loot_draw"] += ally.loot
    numbers["objective_noise"] += ally.noise
    numbers["reach"] += ally.reach
    numbers["misfire"] += ally.misfire
    numbers["silent_move_max"] += ally.silent
    numbers["silent_move_max_difficult"] += ally.silent


def require_enough_tokens(numbers: Parameters) -> Parameters:
    """Return the numbers. Raises `ValueError` if they need more tokens than exist (SO-C-03)."""
    if numbers.bag_aim > TOTALS["aim"] or numbers.bag_recoil + 4 > TOTALS["recoil"]:
        raise ValueError("more tokens are put into the bag than exist")
    return numbers


def _parameter_names(change: Change) -> tuple[str, ...]:
    """Return the numbers that a change applies to: only those for difficult terrain, or all."""
    name = change.param.replace(".", "_")
    if change.scope == "difficult_terrain_entered":
        return (f"{name}_difficult",)
    # Without a scope, a change also applies to the value for difficult terrain.
    return (name, f"{name}_difficult") if f"{name}_difficult" in Parameters.__struct_fields__ else (name,)


def hooks_at(options: Options, when: str) -> list[Hook]:
    """Return the steps that challenges add at a point of the game, sorted by challenge ID (SO-R-67)."""
    return [
        hook
        for name, half in sorted(options.challenges.items())
        if half in ("both", "complications")
        for hook in CHALLENGES[name].parts(Hook, "when")
        if hook.when == when
    ]
