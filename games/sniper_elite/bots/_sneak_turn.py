"""Sniper bots: rate each act of a turn, and choose the best.

An act's value is the distance that it saves minus the danger that it causes. The danger is the number of squads that
can attack the sniper's final space, times the probability that the defenders assign to it. Shots use exact odds.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property, lru_cache
from math import inf
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from engine.bots import Kind, Level, best_with_slips
from engine.chance import Chance
from engine.events import Event
from engine.game import Command, Game
from engine.lazy import Lazy
from games.sniper_elite.bots._belief import Follower, Guess, in_public
from games.sniper_elite.bots._fields import FAR, Field, detours, strikes
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.movement import RULES, alerted, barking
from games.sniper_elite.rules.nest import GEAR
from games.sniper_elite.rules.odds import Steadiness, odds, odds_of_second, silenced
from games.sniper_elite.rules.picture import Picture, Tokens
from games.sniper_elite.rules.shooting import RULES as SHOTS
from games.sniper_elite.rules.shooting import blast, steadiness, targets
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import SNIPER, TOKENS

MOVES = next(rule for rule in RULES if rule.command is c.Move)
SHOOT = next(rule for rule in SHOTS if rule.command is c.Shoot)
LIKED = ("distraction", "silenced-ammo", "sound-masking", "s-mine", "trench-gun", "tommy-gun")
"""Cards, most useful first. Cards that aren't listed come last."""
DUPLICATE_RANKS = 4  # Ranks by which a second copy of a card is less useful
STEP, LATE = 0.7, 1.0  # Value of a step towards the objective, and cost of each step that is late
HURT = (3.0, 7.0)  # Cost of the first and the second wound
CLEARING, KILLING = 5.0, 3.5
"""Value of removing a unit from the objective, and of removing any other unit."""
LAST_STEPS = 3  # Within this many steps of the last objective, the sniper no longer loots
LOOT = 3.0  # Value of a card found
MASKING, SILENCING, GEARING, DOUBLING = 0.3, 0.3, 0.5, 0.3
"""Minimum advantage for masking a movement, silencing a shot, using gear, or a second shot."""
EXPOSED = 4.0  # Cost of being revealed, in addition to this turn's danger: the hunt restarts from there
OBJECTIVE_VALUE = 100.0  # Value of completing an objective, which has priority over everything else
ARRIVING = OBJECTIVE_VALUE  # Value of reaching the last objective this turn, which also has priority
USEFUL_BONUS = 50.0
"""Bonus for useful acts other than moves. They come first, because a move can put them out of reach."""
ESCAPE_FACTOR = 0.2  # Share of the danger that remains if the sniper can still move away
ASSUMED_BELIEF = 1 / 12  # Assumed probability of a space for bots that don't deduce. It doubles after a noise.
LEAST_VALUE = 0.02  # Minimum value of an act that the bot plays
LEAST_HIT_CHANCE = 0.5  # Minimum hit probability of a shot by a bot that slips: weak players take no hopeless shots
BELIEF_AFTER_SHOT = 1 / 4  # Assumed probability that the defenders assign to the sniper's space after a shot


class Style(Struct, frozen=True):
    """How well a level sneaks.

    `fear` is the weight of danger, `exposed` the weight of being seen. In `slips` of ten decisions, the bot chooses any
    useful act instead of the best one. With `deduces`, it tracks what the defenders believe; without, it assumes
    `ASSUMED_BELIEF`.
    """

    fear: float = 1.0
    exposed: float = 1.0
    slips: int = 0
    deduces: bool = True


class Turn:
    """One moment of a sniper's turn: the path, what the defenders know, and the values of acts."""

    def __init__(
        self, view: Picture, whereabouts: Whereabouts, guess: Guess, legal: Sequence[Command], style: Style
    ) -> None:
        self.style, self.guess = style, guess
        self.view, self.whereabouts, self.ground, self.legal = view, whereabouts, whereabouts.ground, legal
        self.here = view.mine.space
        self.units = self.ground.bits(view.units.values())
        self.strikers = strikes(self.ground, view.units)
        # Many moves are noticed by the same units, so each set of events is worked out once.
        self._belief_after = Lazy[tuple[Event, ...], Field](self._forecast)
        self._upper_bounds = Lazy[str, float](self._upper_bound)
        self._expected_kills = Lazy[int, list[float]](self._hit_gains)
        self._further = Lazy[tuple[int, tuple[int, ...]], float](lambda key: self._token_gain(*key))
        self.goal = self._next_objective()
        self.way = [] if self.goal is None else self._steps_to(self.goal)
        self._worth: Mapping[type[Command], Callable[[Any], float]] = {
            c.ChooseLoadout: self._rate_loadout,
            c.Keep: lambda command: -_rank(command.card),
            c.ChooseEntry: self._rate_entry,
            c.Move: self._rate_move,
            c.Play: self._rate_card,
            c.Shoot: self._rate_shot,
            c.ShootSecond: self._rate_second_shot,
            c.Loot: self._rate_loot,
            c.Complete: self._rate_completion,
        }

    def worth(self, command: Command) -> float:
        """Return the value of an act. It is zero for the end of the turn and for acts without effect."""
        rate = self._worth.get(type(command))
        worth = 0.0 if rate is None else rate(command)
        return worth + USEFUL_BONUS if worth > 0 and not isinstance(command, c.Move) else worth

    def best(self) -> Command:
        """Return the first act with the highest worth, or the end of the turn if no act is worth playing.

        Of the moves, only those are rated that can be the best by their bound.
        """
        # Moves are listed first. Rate them last, so that few of them can still be the best.
        legal: Sequence[Any] = self.legal
        moves = bisect_left(legal, True, key=lambda command: type(command) is not c.Move)
        most, place, best_act = (LEAST_VALUE, -1, END) if END in legal else (-inf, -1, legal[0])
        bounds = [self._upper_bounds[legal[index].path[-1]] for index in range(moves)]
        for index in (*range(moves, len(legal)), *sorted(range(moves), key=bounds.__getitem__, reverse=True)):
            if index < moves and bounds[index] < most:
                break
            worth = self.worth(legal[index])
            # Of equal acts, the one that is listed first is the best.
            if (worth, -index) > (most, -place):
                most, place, best_act = worth, index, legal[index]
        return best_act

    @cached_property
    def public(self) -> Picture:
        return in_public(self.view)

    def _rate_loadout(self, command: c.ChooseLoadout) -> float:
        kinds = set(command.cards)
        return -sum(map(_rank, kinds)) - DUPLICATE_RANKS * (len(command.cards) - len(kinds))

    # --- the way ------------------------------------------------------------------------------------------------

    def _objectives_left(self) -> list[str]:
        me = self.view.mine
        return [self.view.sites.objectives[number] for number in me.objectives if number not in self.view.completed]

    def _next_objective(self) -> str | None:
        """Return the next objective: the one with the shorter way through both."""
        left = self._objectives_left()
        if self.here is None or len(left) < 2:
            return left[0] if left else None
        return min(left, key=lambda space: self._tour_length(str(self.here), space, left))

    def _tour_length(self, start: str, first: str, left: Iterable[str]) -> float:
        """Return the length of the way from `start` to `first` and on to the others. Units on `first` add to it."""
        way = self._steps_to(first)
        further = sum(way[self.ground.index[other]] for other in left)
        return way[self.ground.index[start]] + further / 2 + 2 * (self.view.unit_on(first) is not None)

    def _steps_to(self, goal: str) -> list[int]:
        """Return the steps from every space to a goal, avoiding units where possible."""
        return detours(self.ground, self.ground.index[goal], self.units)

    def _rate_entry(self, command: c.ChooseEntry) -> float:
        start, left = self.view.sites.entries[command.sector], self._objectives_left()
        return -min(self._tour_length(start, first, left) for first in left)

    # --- danger -------------------------------------------------------------------------------------------------

    def _danger(self, space: str, believed: float) -> float:
        """Return the cost of ending a turn on a space, if the defenders assign it the probability `believed`."""
        here = self.ground.bit[space]
        strikers = sum(bool(spaces & here) for spaces in self.strikers.values())
        return self.style.fear * HURT[self.view.wounds] * min(0.95, (strikers + 0.3) * believed)

    def _value_of_ending(self, space: str, *events: Event) -> float:
        """Return the value of ending the turn on a space after the defenders receive these events."""
        return self._distance_value(space) - self._danger(space, self._probability(space, *events))

    def _distance_value(self, space: str) -> float:
        """Return the cost of the way from a space, as a negative number."""
        steps = self.way[self.ground.index[space]] if self.way else 0
        # Sneaking covers one space per turn. Any step beyond the remaining turns is late.
        late = max(0, steps - (self.view.countdown - 1)) if steps < FAR else 0
        return -STEP * steps - LATE * late

    @cached_property
    def _value_here(self) -> float:
        """The value of ending the turn here. Entering the board always beats staying outside."""
        return -OBJECTIVE_VALUE if self.here is None else self._value_of_ending(self.here)

    def _probability(self, space: str, *events: Event) -> float:
        """Return the probability that the defenders assign to a space after these events."""
        if not self.style.deduces:
            return 2 * ASSUMED_BELIEF if events else ASSUMED_BELIEF
        return self._belief_after[events][self.ground.index[space]]

    def _forecast(self, events: tuple[Event, ...]) -> Field:
        whereabouts = self.whereabouts
        for event in events:
            whereabouts = whereabouts.after(self.public, event)
        return self.guess.forecast(whereabouts, self.public)

    # --- acts ---------------------------------------------------------------------------------------------------

    def _rate_move(self, command: c.Move) -> float:
        worth = self._value_after_move(command, masked=False) - self._value_here
        return worth + (ARRIVING if self._reaches_last_objective(command.path[-1]) else 0.0)

    def _upper_bound(self, space: str) -> float:
        """Return the highest possible worth of a move to a space: the worth of a move without danger."""
        worth = self._loot_value(space) + self._distance_value(space) - self._value_here
        return worth + (ARRIVING if self._reaches_last_objective(space) else 0.0)

    def _reaches_last_objective(self, space: str) -> bool:
        """Return whether a move to a space reaches the last objective, which can then be completed."""
        return space == self.goal and not self.view.acted and len(self._objectives_left()) == 1

    def _value_after_move(self, command: c.Move, *, masked: bool) -> float:
        alerted_units = () if masked else alerted(self.view, self.here, command.path)
        barks = barking(self.view, self.here, command.path)
        events: list[Event] = [e.Alerted(alerted_units)] if alerted_units else []
        events += [e.Barked(barks)] if barks else []
        return self._loot_value(command.path[-1]) + self._value_of_ending(command.path[-1], *events)

    def _rate_completion(self, command: c.Complete) -> float:
        """Complete at once, unless it leaves the sniper on a known space and there is time to wait."""
        here, last = str(self.here), len(self._objectives_left()) == 1
        # After its move, the sniper would stay on the space that completing reveals.
        waits = self.view.mine.moved and not last and self.view.countdown > 1
        # Waiting is better if completing would more than double the danger.
        return (
            -1.0
            if waits and self._danger(here, 1.0) > 2 * self._danger(here, self._probability(here))
            else OBJECTIVE_VALUE
        )

    def _spare_turns(self, space: str) -> int:
        """Return the number of spare turns for a sniper that sneaks all the way from a space."""
        return self.view.countdown - 1 - (self.way[self.ground.index[space]] if self.way else 0)

    def _loot_value(self, space: str) -> float:
        """Return the value of loot on a space, if the sniper has time for it."""
        number, me = self.view.sites.numbers.get(space), self.view.mine
        fresh = number is not None and number not in me.objectives and space not in me.looted
        nearly = len(self._objectives_left()) == 1 and self.way[self.ground.index[str(self.here)]] <= LAST_STEPS
        return LOOT if fresh and not nearly and self._spare_turns(space) > 1 else 0.0

    def _rate_loot(self, command: c.Loot) -> float:
        """Rate looting: it needs time, and other numbered spaces for the defenders to consider."""
        return self._loot_value(str(self.here)) + self._value_of_ending(str(self.here), e.Looted()) - self._value_here

    def _hit_value(self, unit: str) -> float:
        return CLEARING if self.view.units[unit] == self.goal else KILLING

    def _rate_shot(self, command: c.Shoot) -> float:
        target, draw = command.target, command.draw
        if target is None or draw is None:
            return self._rate_trench_gun()
        chances = self._chances(draw, self.near[target])
        if self.style.slips and chances[0] < LEAST_HIT_CHANCE:
            return -1.0
        value = self._shot_value(target, chances)
        if command.second is None:
            return value
        # Each later shot needs another unit, because earlier targets may be killed.
        more = (command.second,) if command.third is None else (command.second, command.third)
        return -1.0 if len(self.near) <= len(more) else value + self._further[draw, more]

    @cached_property
    def near(self) -> Mapping[str, int]:
        """The visible units, with their distances."""
        return targets(self.view)

    @cached_property
    def _steadiness(self) -> Steadiness:
        return steadiness(self.view)

    @cached_property
    def _loaded_bag(self) -> tuple[int, ...]:
        """The bag as it counts for the next shot."""
        return _numbers(silenced(self.view.bag) if self.view.active == "silenced-ammo" else self.view.bag)

    def _chances(self, draw: int, distance: int) -> tuple[float, float]:
        return _chances(self._loaded_bag, draw, distance, self._steadiness)

    def _token_gain(self, draw: int, more: tuple[int, ...]) -> float:
        """Return the gain of the later shots, with `more` tokens each: possible kills minus additional noise.

        The first draw is still unknown. All draws together produce noise like one larger draw (EN-D-03).
        """
        kills = sum(self._expected_kills[count][number] for number, count in enumerate(more, 1))
        # Noise doesn't depend on the distance, so any value works.
        louder = self._chances(draw + sum(more), 1)[1] - self._chances(draw, 1)[1]
        reveal_cost, heard_cost = self._notice_costs
        return kills - louder * (reveal_cost - heard_cost)

    def _hit_gains(self, draw: int) -> list[float]:
        """Return the expected gain of a shot at each visible unit, greatest first."""
        return sorted(
            (self._chances(draw, far)[0] * self._hit_value(unit) for unit, far in self.near.items()), reverse=True
        )

    def _shot_value(self, unit: str, chances: tuple[float, float]) -> float:
        """Return the value of a shot, from the odds of a hit and of a reveal. Even an unseen shot is heard."""
        hit, reveal = chances
        reveal_cost, heard_cost = self._notice_costs
        return hit * self._hit_value(unit) - reveal * reveal_cost - (1 - reveal) * heard_cost

    @cached_property
    def _notice_costs(self) -> tuple[float, float]:
        """Cost of being revealed by a shot, and cost of being heard."""
        return self._reveal_cost(), self._suspicion_cost(BELIEF_AFTER_SHOT)

    def _reveal_cost(self) -> float:
        return self._suspicion_cost(1.0) + self.style.exposed * EXPOSED

    def _suspicion_cost(self, believed: float) -> float:
        """Return the cost of the defenders believing the sniper is here; lower if it can still move."""
        return self._danger(str(self.here), believed) * (1.0 if self.view.mine.moved else ESCAPE_FACTOR)

    def _rate_second_shot(self, command: c.ShootSecond) -> float:
        distance, drawn = self.near[command.target], self.view.drawn
        assert drawn is not None, "a second shot follows a first draw"
        spoilt = not self.view.options.stands("R-26")
        count = self.view.second or 0
        chances = odds_of_second(self.view.bag, drawn, count, distance, spoilt, steadiness(self.view))
        return float(chances.hit) * self._hit_value(command.target)

    def _rate_trench_gun(self) -> float:
        # The Trench Gun needs no luck, but it always reveals the sniper (MP-LOAD-17).
        return sum(self._hit_value(unit) for unit in blast(self.view, str(self.here))) - self._reveal_cost()

    # --- cards --------------------------------------------------------------------------------------------------

    def _rate_card(self, command: c.Play) -> float:
        if command.card == "distraction":
            # Distraction is only worth playing if it frees the objective.
            clears = self.view.units[str(command.unit)] == self.goal and command.to != self.goal
            return CLEARING + 1 - self._danger(str(self.here), BELIEF_AFTER_SHOT) / 2 if clears else -1.0
        if command.card == "sound-masking":
            return self._best_move(self.legal, masked=True) - self._best_move(self.legal) - MASKING
        if command.card == "s-mine":
            # Units come to where the sniper was seen: mine that space while it can still be left.
            return 1.0 if self.here == self.view.miniature and not self.view.mine.moved else -1.0
        if command.card == "silenced-ammo":
            return self._rate_silencing()
        if command.card == "tommy-gun":
            return self._rate_tommy_gun()
        if command.card in GEAR:
            return self._rate_gear(command.card)
        return self._rate_trench_gun() - 0.1 if command.card == "trench-gun" and self.here is not None else -1.0

    def _best_move(self, moves: Iterable[Command], *, masked: bool = False, default: float = 0.0) -> float:
        """Return the value of the best move. Moves that can't be the best are not rated."""
        bounds = Lazy[str, float](lambda space: self._loot_value(space) + self._distance_value(space))
        ranked = sorted((move for move in moves if isinstance(move, c.Move)), key=lambda move: -bounds[move.path[-1]])
        most = -inf
        for move in ranked:
            if bounds[move.path[-1]] <= most:
                break
            most = max(most, self._value_after_move(move, masked=masked))
        return most if ranked else default

    def _rate_gear(self, card: str) -> float:
        """Return the gain of a movement with the gear over one without."""
        if self.here is None:
            return -1.0
        plain = self._best_move(self.legal, default=self._value_here)
        return self._best_move(MOVES.offers(replace(self.view, active=card)), default=plain) - plain - GEARING

    def _rate_tommy_gun(self) -> float:
        plain = max((self._rate_shot(shot) for shot in self.legal if isinstance(shot, c.Shoot)), default=0.0)
        shots = SHOOT.offers(replace(self.view, active="tommy-gun"))
        return (
            max((self._rate_shot(shot) for shot in shots if isinstance(shot, c.Shoot)), default=plain)
            - plain
            - DOUBLING
        )

    def _rate_silencing(self) -> float:
        """Return the value of silencing: a shot that is good only if it can't reveal."""
        bag, near = _numbers(silenced(self.view.bag)), self.near
        # Compare the best silenced shot with the best normal one.
        quiet = loud = 0.0
        for shot in self.legal:
            if isinstance(shot, c.Shoot) and shot.target is not None and shot.draw is not None:
                quiet = max(
                    quiet, self._shot_value(shot.target, _chances(bag, shot.draw, near[shot.target], self._steadiness))
                )
                loud = max(loud, self._rate_shot(shot))
        return quiet if quiet > loud + SILENCING else -1.0


def _rank(card: str) -> int:
    return LIKED.index(card) if card in LIKED else len(LIKED)


def _numbers(bag: Tokens) -> tuple[int, ...]:
    return tuple(bag[token] for token in TOKENS)


@lru_cache(maxsize=4096)
def _chances(bag: tuple[int, ...], draw: int, distance: int, steady: Steadiness) -> tuple[float, float]:
    """Return the probabilities that a shot hits and that it reveals."""
    shot_odds = odds(dict(zip(TOKENS, bag, strict=True)), draw, distance, steady)
    return float(shot_odds.hit), float(shot_odds.reveal)


# --- the seat -------------------------------------------------------------------------------------------------

END = c.EndSniperTurn()


class Sneak(Follower):
    """The bot at the sniper's seat. It tracks what the defenders can know and will believe."""

    def __init__(self, game: Game, view: Picture, style: Style) -> None:
        super().__init__(game, view, open_minded=not style.deduces)
        self._style = style

    def choose(self, view: Picture, legal: Sequence[Command], chance: Chance) -> Command:
        """Return the act with the highest value, or the end of the turn if none has any."""
        turn = Turn(view, self._whereabouts, self._guess, legal, self._style)
        return best_with_slips(legal, turn.worth, END if END in legal else None, chance, self._style.slips, LEAST_VALUE)


def sneak_kind(level: Level, style: Style) -> Kind:
    return Kind(lambda game, seat, view: Sneak(game, view, style), (SNIPER,), level, slow=True)
