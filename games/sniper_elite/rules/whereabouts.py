"""Where the sniper can be: exactly the spaces that legal play can lead to, given the public events.

The set is updated event by event. It always includes the true space, and drops a space as soon as the public facts rule
it out. For each space, it stores the compatible secrets: the held objectives (which bar arrows and looting), the looted
spaces, and how many of the face-down cards mask noise.

One fact isn't used, so the set can be larger than necessary: where mines exploded and didn't explode shows which cards
were mines, and where the sniper was when it played them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import combinations
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.events import Event
from games.sniper_elite.map_rules.sites import suit_of
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.described import BEFORE_SPECIALISTS
from games.sniper_elite.rules.ground import (
    MASKED,
    MOVED,
    Ground,
    Secret,
    Stands,
    all_places,
    all_spots,
    ground_of,
    is_special,
    merged,
    movement,
    noticed,
    parts,
    spread,
)
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.setup import same_suit
from games.sniper_elite.rules.words import SNIPER

MASKINGS = FULL_DECK.count("sound-masking")


class Whereabouts(Struct, frozen=True):
    """Where the sniper can be. `after` applies one event. Call the query methods between two acts.

    `draw` is the last draw: the number of tokens, and how many of them are aim. `before` is the state before a noise
    that was the last event, with the units that heard it, because a dog may bark at the same movement.
    """

    ground: Ground
    stands: Stands
    draw: tuple[int, int] | None = None
    before: tuple[Stands, tuple[str, ...]] | None = None

    @classmethod
    def begin(cls, view: Picture) -> Whereabouts:
        """Return the state before any event: `outside` while cards are chosen, `anywhere` later."""
        choosing = view.pending is not None and view.pending.name in BEFORE_SPECIALISTS
        return cls.before_entry(view) if choosing else cls.anywhere(view)

    @classmethod
    def before_entry(cls, view: Picture) -> Whereabouts:
        """Return the state before the sniper's first turn (MP-TURN-03, R-74).

        The sniper is on an arrow that no objective bars.
        """
        ground = _ground(view)
        free = ~sum(ground.arrow[sector] for sector, entry in view.sites.entries.items() if view.unit_on(entry))
        return cls(
            ground, merged((_arrows(view, ground, secret) & free, {secret}) for secret in _secrets(view, ground))
        )

    @classmethod
    def anywhere(cls, view: Picture) -> Whereabouts:
        """Return the state in the middle of an unknown game: any space that fits the public facts."""
        ground = _ground(view)

        def spots(secret: Secret) -> int:
            if view.turn == SNIPER:
                found = spread(ground, ground.board)
                # Without a card face down since this turn, no movement is masked.
                masks = view.carded and view.face_down_size > 0
                unmoved, _, moved = parts(ground, found)
                return (found if masks else unmoved | moved << MOVED * ground.size) | _arrows(view, ground, secret)
            # With R-05 off, the sniper may still be outside after its first turn.
            return ground.board if view.options.stands("R-05") else ground.board | _arrows(view, ground, secret)

        stands = merged((spots(secret), {secret}) for secret in _secrets(view, ground))
        return cls(ground, stands, None if view.drawn is None else _counts_of(view.drawn))

    def after(self, view: Picture, event: Event) -> Whereabouts:
        """Return the state after everyone has received `event`. `view` is the public picture before it."""
        # Only a bark directly after a noise belongs to the same movement.
        known = self if self.before is None or isinstance(event, e.Barked) else replace(self, before=None)
        step = _STEPS.get(type(event))
        return known if step is None else step(known, view, event)

    def spaces(self, view: Picture) -> tuple[str, ...]:
        """Return the spaces where the sniper can be now, in map order. `view` is the public picture."""
        return self.ground.spaces(self.places(view))

    def places(self, view: Picture) -> int:
        """Return the same spaces as a set."""
        return all_places(self.ground, self._between_acts(view).stands) & self.ground.board

    def objectives(self) -> tuple[int, ...]:
        """Return the objectives that the sniper can hold, including completed ones."""
        return tuple(sorted({number for held in self.stands.values() for secret in held for number in secret[0]}))

    # --- narrowing ----------------------------------------------------------------------------------------------

    def only(self, spaces: int) -> Whereabouts:
        """Return the state if the sniper must be on one of `spaces`."""
        mask = spread(self.ground, spaces)
        return replace(self, stands=merged((spots & mask, held) for spots, held in self.stands.items()))

    def off(self, spaces: int) -> Whereabouts:
        """Return the state if the sniper can't be on any of `spaces`."""
        return self.only(~spaces & (1 << self.ground.size) - 1)

    def holding(self, fits: Callable[[Secret], bool]) -> Whereabouts:
        """Return the state if only secrets that match `fits` are possible."""
        return replace(self, stands=merged((spots, filter(fits, secrets)) for spots, secrets in self.stands.items()))

    # --- unheard movements --------------------------------------------------------------------------------------

    def _between_acts(self, view: Picture) -> Whereabouts:
        """Return the state between two acts, with unheard movements, or a target for a second shot (R-25)."""
        if view.pending is not None and view.pending.name == "shoot-second":
            return self.only(_spaces_seeing(self, view, 0, view.second))
        free = view.turn == SNIPER and view.pending is None and view.over is None
        return self.unheard(view) if free else self

    def unheard(self, view: Picture) -> Whereabouts:
        """Return the state with all unnoticed movements added (MP-NOISE-01, MP-NOISE-06, MP-LOAD-08)."""
        ground = self.ground
        if is_special(view):
            moved = movement(view, ground, all_spots(self.stands))
            return replace(self, stands=merged((spots | moved(spots), held) for spots, held in self.stands.items()))
        # For the standard sniper on foot, whole sets move at once, which is much faster.
        deaf = ~noticed(view, ground).deaf
        free, scentless = ~ground.bits(view.units.values()), ~ground.bits(view.dogs)

        def after(spots: int) -> int:
            unmoved, masked, _ = parts(ground, spots)
            quiet = ground.near((unmoved | masked) & scentless) & free & scentless
            unheard = ground.noisy(unmoved & scentless & deaf, free & scentless & deaf)
            silenced = ground.noisy(masked & scentless, free & scentless) if masked else 0
            return spots | (quiet | unheard | silenced) << MOVED * ground.size

        return replace(self, stands=merged((after(spots), held) for spots, held in self.stands.items()))


# --- the initial state -------------------------------------------------------------------------------------------


def _ground(view: Picture) -> Ground:
    return ground_of(view.map, not view.options.stands("R-08"))


def _secrets(view: Picture, ground: Ground) -> list[Secret]:
    """Return every secret that is compatible with the table (MP-SETUP-10, MP-DIFF-03).

    Every face-down card can be something other than Sound Masking. Assuming that some are Sound Masking wouldn't add
    possibilities.
    """
    pairs = [pair for pair in combinations(sorted(view.sites.objectives), 2) if not same_suit(view.map, pair)]
    held = [pair for pair in pairs if set(view.completed) <= set(pair) and view.shown not in pair]
    looted = list(combinations(view.sites.objectives.values(), view.looted_size))
    return [
        Secret(pair, ground.bits(spaces), 0)
        for pair in held
        for spaces in looted
        if not {view.sites.objectives[number] for number in pair} & set(spaces)
    ]


def _arrows(view: Picture, ground: Ground, secret: Secret) -> int:
    barred = {suit_of(view.map, number) for number in secret.objectives}
    return sum(arrow for sector, arrow in ground.arrow.items() if sector not in barred)


# --- the sniper's movement --------------------------------------------------------------------------------------


def _alerted(known: Whereabouts, view: Picture, event: e.Alerted) -> Whereabouts:
    """Apply a noisy move. It assumes that no dog barked, unless the next event reports one."""
    return replace(_noticed(known, view, event.units, ()), before=(known.stands, event.units))


def _barked(known: Whereabouts, view: Picture, event: e.Barked) -> Whereabouts:
    if known.before is None:
        return _noticed(known, view, (), event.spaces)
    # Start again from the state before the noise, now with the dogs that barked.
    stands, heard = known.before
    return _noticed(replace(known, stands=stands), view, heard, event.spaces)


def _noticed(known: Whereabouts, view: Picture, heard: tuple[str, ...], barks: tuple[str, ...]) -> Whereabouts:
    """Apply a movement that alerted exactly `heard` and made exactly the dogs on `barks` bark."""
    after = movement(view, known.ground, all_spots(known.stands), heard, barks)
    return replace(known, stands=merged((after(spots), held) for spots, held in known.stands.items()), before=None)


# --- the rest of the sniper's turn ------------------------------------------------------------------------------


def _card_played(known: Whereabouts, view: Picture, event: e.CardPlayed) -> Whereabouts:
    """Apply a face-down card: it masks a movement still to come, or mines the space (R-06, R-32)."""
    ground, entered = known.ground, known
    if not view.options.stands("R-06"):
        # No card is played before the sniper has entered the board.
        entered = known.unheard(view).only(ground.board)
    if event.card is not None:
        return entered
    on_board = spread(ground, ground.board)

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for spots, held in entered.unheard(view).stands.items():
            yield spots & on_board, held
            # The card is either the mine of this space, or it masks a movement still to come.
            unmoved, _, _ = parts(ground, spots)
            masked = (secret._replace(maskings=secret.maskings + 1) for secret in held if secret.maskings < MASKINGS)
            # Shift the spaces from the state UNMOVED to the state MASKED.
            yield unmoved << MASKED * ground.size, masked

    return replace(known, stands=merged(ways()))


def _shot_declared(known: Whereabouts, view: Picture, event: e.ShotDeclared) -> Whereabouts:
    """Apply a declared shot, not an officer's: a unit is within its range (MP-SHOOT-05, R-24, R-25)."""
    if view.turn != SNIPER:
        return known
    counts = [count for count in (event.draw, event.second, event.third) if isinstance(count, int)]
    nearest = min(counts)
    seen = _spaces_seeing(known, view, 0, nearest)
    if event.second is None and view.active == "tommy-gun" and not view.options.stands("R-24") and not view.in_the_dark:
        tokens = sum(view.bag.values())
        # With R-24 off, a second shot is mandatory if possible. Its absence proves that no unit was near enough.
        seen &= ~_spaces_seeing(known, view, 0, max(tokens - event.draw, tokens // 2))
    return known.unheard(view).only(seen)


def _drew(known: Whereabouts, view: Picture, event: e.Drew) -> Whereabouts:
    """Apply a draw: a shot has a unit within its range (R-25). The result shows what the tokens prove."""
    told = replace(known, draw=_counts_of(event.tokens))
    return told.only(_spaces_seeing(told, view, 0, sum(event.tokens.values()))) if view.turn == SNIPER else told


def _counts_of(tokens: Tokens) -> tuple[int, int]:
    return sum(tokens.values()), tokens["aim"]


def _spaces_seeing(known: Whereabouts, view: Picture, beyond: int, distance: int | None) -> int:
    """Return the spaces that see a unit at a distance above `beyond` and at most `distance`, which is known."""
    assert distance is not None, "only what was announced is shot or forfeited"
    found = 0
    for space in view.units.values():
        if space is not None:
            found |= known.ground.within(space, distance) & ~known.ground.within(space, beyond)
    return found


def _shot(known: Whereabouts, view: Picture, event: e.Shot) -> Whereabouts:
    """Apply a result: a hit proves that the aim was enough, a miss that it wasn't, a misfire nothing (MP-DIST-08)."""
    assert known.draw is not None, "a shot has drawn"
    drawn, aim = known.draw
    if event.result == "misfire":
        return known
    return known.only(
        _spaces_seeing(known, view, 0, aim) if event.result == "hit" else _spaces_seeing(known, view, aim, drawn)
    )


def _was_target(known: Whereabouts, view: Picture, event: e.SaveOffered | e.Killed) -> Whereabouts:
    """Apply a hit: the unit was in sight, within the drawn aim (MP-SHOOT-12, MP-INFO-19)."""
    by_shot = event.by == "shot" if isinstance(event, e.Killed) else view.drawn is not None
    if not by_shot:
        return known
    assert known.draw is not None, "a shot has drawn"
    return known.only(known.ground.within(str(view.units[event.unit]), known.draw[1]))


def _revealed(known: Whereabouts, view: Picture, event: e.Revealed) -> Whereabouts:
    """Apply a reveal: the sniper is there. Only the Trench Gun's starts a part of the turn."""
    # Other reveals follow an event that has already added the unheard movements.
    moved = known.unheard(view) if event.why == "trench-gun" else known
    return moved.only(known.ground.bit[event.space])


def _looted(known: Whereabouts, view: Picture, event: e.Looted) -> Whereabouts:
    """Apply looting: a numbered space, no objective of its own, not looted before (MP-LOOT-01, MP-LOOT-03)."""
    moved = known.unheard(view)

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for number, space in view.sites.objectives.items():
            here = known.ground.bit[space]
            spots = spread(known.ground, here)
            for stood, held in moved.stands.items():
                fitting = (one for one in held if number not in one.objectives and not one.looted & here)
                # The space becomes part of the secret, because it can't be looted again.
                yield stood & spots, [one._replace(looted=one.looted | here) for one in fitting]

    return replace(moved, stands=merged(ways()))


def _answered(known: Whereabouts, spaces: int, found: bool | None) -> Whereabouts:
    """Apply an answer to the defenders about these spaces. None means no answer."""
    if found is None:
        return known
    return known.only(spaces) if found else known.off(spaces)


def _turn_ended(known: Whereabouts, view: Picture, event: e.TurnEnded) -> Whereabouts:
    """Apply the end of the sniper's turn. In the first turn, the sniper has entered the board (R-05)."""
    if event.seat != SNIPER:
        return known
    entered = view.options.stands("R-05")

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for spots, held in known.unheard(view).stands.items():
            # The sniper can move again next turn, so all spaces return to the state UNMOVED.
            unmoved, masked, moved = parts(known.ground, spots)
            ended = unmoved | masked | moved
            yield ended & known.ground.board if entered else ended, held

    return replace(known, stands=merged(ways()))


def _opened(known: Whereabouts, view: Picture, event: e.Opened) -> Whereabouts:
    """Apply the end of the game: everything is public."""
    last = event.log[-1][1] if event.log else None
    return known if last is None else known.only(known.ground.bit[last])


_STEPS: Mapping[type[Event], Callable[[Whereabouts, Picture, Any], Whereabouts]] = {
    e.ObjectiveShown: lambda known, view, event: known.holding(lambda one: event.objective not in one.objectives),
    e.Alerted: _alerted,
    e.Barked: _barked,
    e.CardPlayed: _card_played,
    # The unit's final space is in the sniper's sight (MP-INFO-10).
    e.Distracted: lambda known, view, event: known.unheard(view).only(known.ground.within(event.to, known.ground.size)),
    # One of the face-down cards was a mine.
    e.MineTriggered: lambda known, view, event: known.holding(lambda one: one.maskings < view.face_down_size),
    e.ShotDeclared: _shot_declared,
    e.Drew: _drew,
    e.Shot: _shot,
    e.SaveOffered: _was_target,
    e.Killed: _was_target,
    # No unit remains within the second count.
    e.SecondForfeited: lambda known, view, event: known.off(_spaces_seeing(known, view, 0, view.second)),
    e.Revealed: _revealed,
    e.Looted: _looted,
    e.ObjectiveCompleted: lambda known, view, event: (
        known.unheard(view).only(known.ground.bit[event.space]).holding(lambda one: event.objective in one.objectives)
    ),
    e.TurnEnded: _turn_ended,
    e.Attacked: lambda known, view, event: _answered(known, known.ground.bit[event.space], event.found),
    e.Spotted: lambda known, view, event: _answered(known, known.ground.bit[event.space], event.found),
    e.Swept: lambda known, view, event: _answered(
        known, known.ground.bits((view.units[event.unit], *event.spaces)), event.found
    ),
    e.Intel: lambda known, view, event: _answered(known, known.ground.sector[event.squad], event.found),
    e.Opened: _opened,
}
