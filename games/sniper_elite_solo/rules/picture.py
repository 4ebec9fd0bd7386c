"""The state of a solo game as one viewer knows it. `fold.py` changes it.

The referee, the seat and the table have one picture each.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from engine.graph import Map
from engine.text import Text
from games.sniper_elite.map_rules.sites import Sites, sites_of
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.nest import ALLIES, Ally, gear_of
from games.sniper_elite.rules.picture import Over
from games.sniper_elite_solo.rules.cards import in_use
from games.sniper_elite_solo.rules.commands import AfterHit
from games.sniper_elite_solo.rules.events import Opened, Slot
from games.sniper_elite_solo.rules.options import Options, Parameters, card_set
from games.sniper_elite_solo.rules.terrain import Terrain
from games.sniper_elite_solo.rules.words import STACK_CAPS, START_STACK, TOTALS, Tokens

STANDARD = Ally("", {}, Text(""))


class Volley(Struct, frozen=True):
    """A shoot action in progress (SO-SHT-08, SO-LDO-02).

    `drawn`: the tokens outside the bag. `noise`: the number of noise steps still to come. `targets`: the targets so
    far. `draws`: the announced counts of later shots.
    """

    drawn: Tokens
    noise: int = 0
    targets: tuple[str, ...] = ()
    draws: tuple[int, ...] = ()


class Pending(Struct, frozen=True):
    """A question for the player, with its details.

    `deck` is the objective deck (for `return-objective`). `cards` is the drawn loot and `held` its size (for `keep`).
    `unit` and `spaces` are for `place-return`. Questions about a shot depend on the picture's `volley`.
    """

    name: str
    deck: tuple[int, ...] | None = None
    cards: tuple[str, ...] | None = None
    held: int = 0
    unit: str | None = None
    spaces: tuple[str, ...] = ()


class Picture(Struct, frozen=True):
    """The game as one viewer knows it. Unknown values are None.

    `terrain` has the map's tables for this game, and `numbers` the numbers of this game (SO-C-02). The rules read them
    all the time.

    `units` is unit -> space, None if off the board. `stack` is bottom first. `hits` and `wounded` apply to the current
    turn. `active` is the card played this turn that still has an effect. `moving`: a move is about to update the last
    known sector. `returns` is how many defenders have returned this turn. `resolving` is the slot of the card being
    resolved, counted from 0. `ally` is the allied sniper, and `shot` says whether it has shot this turn. `news` has the
    name and the spaces of the latest events, and `stood` where units and sniper were before them; no rule reads either.
    Only the referee knows `deck` and `loot_deck`. Their sizes are public, and `deck` is public once the game is over.
    """

    map: Map
    terrain: Terrain
    options: Options
    numbers: Parameters
    units: Mapping[str, str | None]
    bag: Tokens
    pending: Pending | None = None
    over: Over | None = None
    round: int = 1
    entry: str | None = None
    lks: str | None = None
    possible: tuple[int, ...] = ()
    space: str | None = None
    objectives: tuple[int, ...] | None = None
    completed: tuple[int, ...] = ()
    hand: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    mines: tuple[str, ...] = ()
    looted: tuple[str, ...] = ()
    wounds: int = 0
    stack: tuple[str, ...] = START_STACK
    hits: int = 0
    wounded: bool = False
    moved: bool = False
    carded: bool = False
    active: str | None = None
    acted: bool = False
    volley: Volley | None = None
    moving: bool = False
    returns: int = 0
    slots: tuple[Slot, ...] = ()
    resolving: int | None = None
    deck: tuple[str, ...] | None = None
    deck_size: int = 0
    discard: tuple[str, ...] = ()
    loot_deck: tuple[str, ...] | None = None
    loot_size: int = 0
    opened: Opened | None = None
    ally: str | None = None
    shot: bool = False
    news: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stood: tuple[Mapping[str, str | None], str | None] | None = None

    @property
    def sites(self) -> Sites:
        """The locations of the game's sites on the map."""
        return sites_of(self.map)

    @property
    def helper(self) -> Ally:
        """The allied sniper. The standard one has no abilities (EN-R-04)."""
        return STANDARD if self.ally is None else ALLIES[self.ally]

    @property
    def loadout(self) -> tuple[str, ...]:
        """All loadout cards of this game, in card order (SO-LDO-04, EN-LDO-01)."""
        gear = self.options.nest is not None and self.options.nest.gear
        return (*FULL_DECK, *gear_of(self.map)) if gear else FULL_DECK

    @property
    def mine(self) -> tuple[int, ...]:
        """The objectives. Use it only in rules that run where the objectives are known."""
        assert self.objectives is not None, "only the player's rules need the objectives"
        return self.objectives

    @property
    def undone(self) -> tuple[int, ...]:
        """The objectives that aren't completed yet."""
        return tuple(number for number in self.mine if number not in self.completed)

    def unit_on(self, space: str | None) -> str | None:
        """Return the defender on `space`. There is at most one (SO-KEY-11)."""
        return next((unit for unit, where in self.units.items() if where == space), None) if space else None

    @property
    def on_board(self) -> dict[str, str]:
        """The defenders on the board, with their spaces, in unit order."""
        return {unit: space for unit, space in self.units.items() if space is not None}

    @property
    def drawn(self) -> Tokens:
        """The tokens outside the bag."""
        return {} if self.volley is None else self.volley.drawn

    def in_bag(self, token: str) -> int:
        """Return the number of tokens of a kind in the bag, including those drawn for a shot (SO-R-12)."""
        # Tokens of a shot go back after it, so rewards count them as still in the bag.
        return self.bag[token] + self.drawn.get(token, 0)

    def supply(self, token: str) -> int:
        """Return the number of tokens of a kind that are in neither the bag nor the stack (SO-SET-11)."""
        return TOTALS[token] - self.in_bag(token) - self.stack.count(token)

    def reward_options(self) -> list[AfterHit]:
        """Return the rewards for a hit that have an effect (SO-SHT-05, SO-R-12, SO-R-13)."""
        # These two come out of the bag, and the stack holds only so many of them.
        room = {token: min(cap - self.stack.count(token), self.in_bag(token)) for token, cap in STACK_CAPS.items()}
        found = [AfterHit("noise")] if room["noise"] > 0 else []
        found += [AfterHit("recoil", count + 1) for count in range(min(room["recoil"], self.numbers.kill_recoil_max))]
        # An aim comes from the supply, so the bag does not matter.
        return [*found, AfterHit("aim")] if self.supply("aim") > 0 else found

    @property
    def recoil(self) -> int:
        """The number of recoil tokens in play, which never changes (SO-R-38, EN-R-19)."""
        return START_STACK.count("recoil") + self.numbers.bag_recoil

    def defender_near(self, space: str | None) -> bool:
        """Return whether a defender is on a space or matching-adjacent to it (SO-EOT-01)."""
        return not self.terrain.within_reach[space].isdisjoint(self.on_board.values())

    @property
    def guarded_possible(self) -> dict[int, bool]:
        """Possible objective -> whether a defender is on it, in ascending order (SO-KEY-02)."""
        held = set(self.units.values())
        return {number: self.terrain.objectives[number] in held for number in sorted(self.possible)}

    @property
    def cards_in_use(self) -> tuple[str, ...]:
        """The defenders' cards of this game (SO-SET-02)."""
        return in_use(card_set(self.map, self.options), self.options.deck or "standard")

    @property
    def hidden_card(self) -> bool:
        """Whether a slot has a face-down card."""
        return any(slot.face == "down" for slot in self.slots)
