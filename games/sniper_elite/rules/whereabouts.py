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
from games.sniper_elite.map_rules.sites import sector_of_objective
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
    spaces_by_state,
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
                states = spread(ground, ground.board)
                # Without a card face down since this turn, no movement is masked.
                masks = view.carded and view.face_down_size > 0
                unmoved, _, moved = spaces_by_state(ground, states)
                return (states if masks else unmoved | moved << MOVED * ground.size) | _arrows(view, ground, secret)
            # With R-05 off, the sniper may still be outside after its first turn.
            return ground.board if view.options.stands("R-05") else ground.board | _arrows(view, ground, secret)

        stands = merged((spots(secret), {secret}) for secret in _secrets(view, ground))
        return cls(ground, stands, None if view.drawn is None else _counts_of(view.drawn))

    def after(self, view: Picture, event: Event) -> Whereabouts:
        """Return the state after everyone has received `event`. `view` is the public picture before it."""
        # Only a bark directly after a noise belongs to the same movement.
        whereabouts = self if self.before is None or isinstance(event, e.Barked) else replace(self, before=None)
        step = _STEPS.get(type(event))
        return whereabouts if step is None else step(whereabouts, view, event)

    def spaces(self, view: Picture) -> tuple[str, ...]:
        """Return the spaces where the sniper can be now, in map order. `view` is the public picture."""
        return self.ground.spaces(self.places(view))

    def places(self, view: Picture) -> int:
        """Return the same spaces as a set."""
        return all_places(self.ground, self._between_acts(view).stands) & self.ground.board

    def objectives(self) -> tuple[int, ...]:
        """Return the objectives that the sniper can hold, including completed ones."""
        return tuple(sorted({number for secrets in self.stands.values() for secret in secrets for number in secret[0]}))

    # --- narrowing ----------------------------------------------------------------------------------------------

    def only(self, spaces: int) -> Whereabouts:
        """Return the state if the sniper must be on one of `spaces`."""
        mask = spread(self.ground, spaces)
        return replace(self, stands=merged((spots & mask, secrets) for spots, secrets in self.stands.items()))

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
            return replace(
                self, stands=merged((spots | moved(spots), secrets) for spots, secrets in self.stands.items())
            )
        # For the standard sniper on foot, whole sets move at once, which is much faster.
        deaf = ~noticed(view, ground).deaf
        free, scentless = ~ground.bits(view.units.values()), ~ground.bits(view.dogs)

        def after(spots: int) -> int:
            unmoved, masked, _ = spaces_by_state(ground, spots)
            quiet = ground.near((unmoved | masked) & scentless) & free & scentless
            unheard = ground.noisy(unmoved & scentless & deaf, free & scentless & deaf)
            silenced = ground.noisy(masked & scentless, free & scentless) if masked else 0
            return spots | (quiet | unheard | silenced) << MOVED * ground.size

        return replace(self, stands=merged((after(spots), secrets) for spots, secrets in self.stands.items()))


# --- the initial state -------------------------------------------------------------------------------------------


def _ground(view: Picture) -> Ground:
    return ground_of(view.map, not view.options.stands("R-08"))


def _secrets(view: Picture, ground: Ground) -> list[Secret]:
    """Return every secret that is compatible with the table (MP-SETUP-10, MP-DIFF-03).

    Every face-down card can be something other than Sound Masking. Assuming that some are Sound Masking wouldn't add
    possibilities.
    """
    pairs = [pair for pair in combinations(sorted(view.sites.objectives), 2) if not same_suit(view.map, pair)]
    fitting = [pair for pair in pairs if set(view.completed) <= set(pair) and view.shown not in pair]
    looted = list(combinations(view.sites.objectives.values(), view.looted_size))
    return [
        Secret(pair, ground.bits(spaces), 0)
        for pair in fitting
        for spaces in looted
        if not {view.sites.objectives[number] for number in pair} & set(spaces)
    ]


def _arrows(view: Picture, ground: Ground, secret: Secret) -> int:
    barred = {sector_of_objective(view.map, number) for number in secret.objectives}
    return sum(arrow for sector, arrow in ground.arrow.items() if sector not in barred)


# --- the sniper's movement --------------------------------------------------------------------------------------


def _alerted(whereabouts: Whereabouts, view: Picture, event: e.Alerted) -> Whereabouts:
    """Apply a noisy move. It assumes that no dog barked, unless the next event reports one."""
    return replace(_noticed(whereabouts, view, event.units, ()), before=(whereabouts.stands, event.units))


def _barked(whereabouts: Whereabouts, view: Picture, event: e.Barked) -> Whereabouts:
    if whereabouts.before is None:
        return _noticed(whereabouts, view, (), event.spaces)
    # Start again from the state before the noise, now with the dogs that barked.
    stands, alerted_units = whereabouts.before
    return _noticed(replace(whereabouts, stands=stands), view, alerted_units, event.spaces)


def _noticed(
    whereabouts: Whereabouts, view: Picture, alerted_units: tuple[str, ...], barks: tuple[str, ...]
) -> Whereabouts:
    """Apply a movement that alerted exactly `alerted_units` and made exactly the dogs on `barks` bark."""
    after = movement(view, whereabouts.ground, all_spots(whereabouts.stands), alerted_units, barks)
    return replace(
        whereabouts,
        stands=merged((after(spots), secrets) for spots, secrets in whereabouts.stands.items()),
        before=None,
    )


# --- the rest of the sniper's turn ------------------------------------------------------------------------------


def _card_played(whereabouts: Whereabouts, view: Picture, event: e.CardPlayed) -> Whereabouts:
    """Apply a face-down card: it masks a movement still to come, or mines the space (R-06, R-32)."""
    ground, entered = whereabouts.ground, whereabouts
    if not view.options.stands("R-06"):
        # No card is played before the sniper has entered the board.
        entered = whereabouts.unheard(view).only(ground.board)
    if event.card is not None:
        return entered
    on_board = spread(ground, ground.board)

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for spots, secrets in entered.unheard(view).stands.items():
            yield spots & on_board, secrets
            # The card is either the mine of this space, or it masks a movement still to come.
            unmoved, _, _ = spaces_by_state(ground, spots)
            masked = (secret._replace(maskings=secret.maskings + 1) for secret in secrets if secret.maskings < MASKINGS)
            # Shift the spaces from the state UNMOVED to the state MASKED.
            yield unmoved << MASKED * ground.size, masked

    return replace(whereabouts, stands=merged(ways()))


def _shot_declared(whereabouts: Whereabouts, view: Picture, event: e.ShotDeclared) -> Whereabouts:
    """Apply a declared shot, not an officer's: a unit is within its range (MP-SHOOT-05, R-24, R-25)."""
    if view.turn != SNIPER:
        return whereabouts
    counts = [count for count in (event.draw, event.second, event.third) if isinstance(count, int)]
    nearest = min(counts)
    seen = _spaces_seeing(whereabouts, view, 0, nearest)
    if event.second is None and view.active == "tommy-gun" and not view.options.stands("R-24") and not view.in_the_dark:
        tokens = sum(view.bag.values())
        # With R-24 off, a second shot is mandatory if possible. Its absence proves that no unit was near enough.
        seen &= ~_spaces_seeing(whereabouts, view, 0, max(tokens - event.draw, tokens // 2))
    return whereabouts.unheard(view).only(seen)


def _drew(whereabouts: Whereabouts, view: Picture, event: e.Drew) -> Whereabouts:
    """Apply a draw: a shot has a unit within its range (R-25). The result shows what the tokens prove."""
    after_draw = replace(whereabouts, draw=_counts_of(event.tokens))
    return (
        after_draw.only(_spaces_seeing(after_draw, view, 0, sum(event.tokens.values())))
        if view.turn == SNIPER
        else after_draw
    )


def _counts_of(tokens: Tokens) -> tuple[int, int]:
    return sum(tokens.values()), tokens["aim"]


def _spaces_seeing(whereabouts: Whereabouts, view: Picture, beyond: int, distance: int | None) -> int:
    """Return the spaces that see a unit at a distance above `beyond` and at most `distance`, which is known."""
    assert distance is not None, "only what was announced is shot or forfeited"
    seeing = 0
    for space in view.units.values():
        if space is not None:
            seeing |= whereabouts.ground.within(space, distance) & ~whereabouts.ground.within(space, beyond)
    return seeing


def _shot(whereabouts: Whereabouts, view: Picture, event: e.Shot) -> Whereabouts:
    """Apply the result of a shot (MP-DIST-08).

    A hit proves that the aim was enough, and a miss that it was not; a misfire proves nothing.
    """
    assert whereabouts.draw is not None, "a shot has drawn"
    drawn, aim = whereabouts.draw
    if event.result == "misfire":
        return whereabouts
    return whereabouts.only(
        _spaces_seeing(whereabouts, view, 0, aim)
        if event.result == "hit"
        else _spaces_seeing(whereabouts, view, aim, drawn)
    )


def _was_target(whereabouts: Whereabouts, view: Picture, event: e.SaveOffered | e.Killed) -> Whereabouts:
    """Apply a hit: the unit was in sight, within the drawn aim (MP-SHOOT-12, MP-INFO-19)."""
    by_shot = event.by == "shot" if isinstance(event, e.Killed) else view.drawn is not None
    if not by_shot:
        return whereabouts
    assert whereabouts.draw is not None, "a shot has drawn"
    return whereabouts.only(whereabouts.ground.within(str(view.units[event.unit]), whereabouts.draw[1]))


def _revealed(whereabouts: Whereabouts, view: Picture, event: e.Revealed) -> Whereabouts:
    """Apply a reveal: the sniper is there. Only the Trench Gun's starts a part of the turn."""
    # Other reveals follow an event that has already added the unheard movements.
    moved = whereabouts.unheard(view) if event.why == "trench-gun" else whereabouts
    return moved.only(whereabouts.ground.bit[event.space])


def _looted(whereabouts: Whereabouts, view: Picture, event: e.Looted) -> Whereabouts:
    """Apply looting (MP-LOOT-01, MP-LOOT-03).

    The space is numbered, is no objective of the sniper, and was not looted before.
    """
    moved = whereabouts.unheard(view)

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for number, space in view.sites.objectives.items():
            here = whereabouts.ground.bit[space]
            spots = spread(whereabouts.ground, here)
            for stood, secrets in moved.stands.items():
                fitting = (secret for secret in secrets if number not in secret.objectives and not secret.looted & here)
                # The space becomes part of the secret, because it can't be looted again.
                yield stood & spots, [secret._replace(looted=secret.looted | here) for secret in fitting]

    return replace(moved, stands=merged(ways()))


def _answered(whereabouts: Whereabouts, spaces: int, is_there: bool | None) -> Whereabouts:
    """Apply an answer to the defenders about these spaces. None means no answer."""
    if is_there is None:
        return whereabouts
    return whereabouts.only(spaces) if is_there else whereabouts.off(spaces)


def _turn_ended(whereabouts: Whereabouts, view: Picture, event: e.TurnEnded) -> Whereabouts:
    """Apply the end of the sniper's turn. In the first turn, the sniper has entered the board (R-05)."""
    if event.seat != SNIPER:
        return whereabouts
    entered = view.options.stands("R-05")

    def ways() -> Iterator[tuple[int, Iterable[Secret]]]:
        for spots, secrets in whereabouts.unheard(view).stands.items():
            # The sniper can move again next turn, so all spaces return to the state UNMOVED.
            unmoved, masked, moved = spaces_by_state(whereabouts.ground, spots)
            ended = unmoved | masked | moved
            yield ended & whereabouts.ground.board if entered else ended, secrets

    return replace(whereabouts, stands=merged(ways()))


def _opened(whereabouts: Whereabouts, view: Picture, event: e.Opened) -> Whereabouts:
    """Apply the end of the game: everything is public."""
    last = event.log[-1][1] if event.log else None
    return whereabouts if last is None else whereabouts.only(whereabouts.ground.bit[last])


_STEPS: Mapping[type[Event], Callable[[Whereabouts, Picture, Any], Whereabouts]] = {
    e.ObjectiveShown: lambda where, view, event: where.holding(lambda secret: event.objective not in secret.objectives),
    e.Alerted: _alerted,
    e.Barked: _barked,
    e.CardPlayed: _card_played,
    # The unit's final space is in the sniper's sight (MP-INFO-10).
    e.Distracted: lambda where, view, event: where.unheard(view).only(where.ground.within(event.to, where.ground.size)),
    # One of the face-down cards was a mine.
    e.MineTriggered: lambda where, view, event: where.holding(lambda secret: secret.maskings < view.face_down_size),
    e.ShotDeclared: _shot_declared,
    e.Drew: _drew,
    e.Shot: _shot,
    e.SaveOffered: _was_target,
    e.Killed: _was_target,
    # No unit remains within the second count.
    e.SecondForfeited: lambda where, view, event: where.off(_spaces_seeing(where, view, 0, view.second)),
    e.Revealed: _revealed,
    e.Looted: _looted,
    e.ObjectiveCompleted: lambda where, view, event: (
        where.unheard(view)
        .only(where.ground.bit[event.space])
        .holding(lambda secret: event.objective in secret.objectives)
    ),
    e.TurnEnded: _turn_ended,
    e.Attacked: lambda where, view, event: _answered(where, where.ground.bit[event.space], event.found),
    e.Spotted: lambda where, view, event: _answered(where, where.ground.bit[event.space], event.found),
    e.Swept: lambda where, view, event: _answered(
        where, where.ground.bits((view.units[event.unit], *event.spaces)), event.found
    ),
    e.Intel: lambda where, view, event: _answered(where, where.ground.sector[event.squad], event.found),
    e.Opened: _opened,
}
