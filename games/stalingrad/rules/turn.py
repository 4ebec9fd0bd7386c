"""Turn order, end of the game and ranking (ST-SET, ST-TRN, ST-GOL and their rulings)."""

from __future__ import annotations

from collections.abc import Iterator

from engine.chance import Chance
from engine.events import Told
from games.stalingrad.rules import events, luck
from games.stalingrad.rules.events import Rank
from games.stalingrad.rules.fold import fold
from games.stalingrad.rules.picture import Options, Over, Picture, Telling, initial_picture
from games.stalingrad.rules.words import Reason, value_of_die


def setup(options: Options, chance: Chance) -> list[Told]:
    """Shuffle the deck and roll for the first turn. The highest die starts (ST-SET-01, ST-R-34)."""
    telling = Telling(initial_picture(options), chance, fold)
    telling.keep(events.Shuffled(chance.order("deck", telling.truth.deck or (), "ST-SET-01")))
    rolling = options.seats
    # Only the players with the highest die roll again, until one is left.
    while len(rolling) > 1:
        dice = {seat: luck.roll_die(chance, "first") for seat in rolling}
        telling.tell(events.FirstRolled(dice))
        highest = max(map(value_of_die, dice.values()))
        rolling = tuple(seat for seat, die in dice.items() if value_of_die(die) == highest)
    telling.tell(events.TurnStarted(rolling[0]))
    return telling.told


def end_turn(telling: Telling) -> None:
    """End the turn, then end the game or start the next turn (ST-R-35, ST-R-15, ST-R-25)."""
    truth = telling.truth
    assert truth.turn is not None, "only a player ends a turn"
    telling.tell(events.TurnEnded(truth.turn))
    why = reason(truth)
    if why is not None:
        over = ending(truth, why)
        telling.tell(events.GameOver(over.winners, over.ranking, over.reason))
        return
    for seat in _seats_after(truth, truth.turn):
        skip = telling.truth.players[seat].skip
        if not skip:
            telling.tell(events.TurnStarted(seat))
            return
        # Each skipped turn has an event, so that everyone sees why a player is passed over.
        telling.tell(events.TurnSkipped(seat, skip - 1))


def _seats_after(truth: Picture, start: str) -> Iterator[str]:
    """Yield the remaining players in turn order, starting after `start`. The iterator never ends."""
    seats = tuple(truth.players)
    place = seats.index(start)
    order = [seat for seat in (*seats[place + 1 :], *seats[: place + 1]) if not truth.players[seat].out]
    while True:
        yield from order


def reason(view: Picture) -> Reason | None:
    """Return why the game ends with this turn, or None (ST-GOL-02, ST-R-18, ST-R-34, ST-R-35)."""
    left = len(view.left)
    if left == 0:
        return "out"
    # A single player continues alone.
    if left == 1 < len(view.players):
        return "last"
    return None if view.deck_size else "deck"


def ending(view: Picture, why: Reason) -> Over:
    """Return the winners and the ranking (ST-R-19, ST-R-20, ST-R-36, ST-R-39)."""
    scores = {seat: _ranking_key(view, seat) for seat in view.players}
    ranking = tuple(
        Rank(
            seat=seat,
            # Players with the same score share a place.
            place=1 + sum(other < scores[seat] for other in scores.values()),
            stars=view.players[seat].stars,
            kills=len(view.players[seat].kills),
            out=view.players[seat].out,
        )
        for seat in sorted(scores, key=lambda seat: scores[seat])
    )
    able = view.options.switches.dead_can_win
    winners = tuple(rank.seat for rank in ranking if rank.place == 1 and (able or not rank.out))
    return Over(winners, ranking, why)


def _ranking_key(view: Picture, seat: str) -> tuple[bool, int, int]:
    """Return a player's sort key for the ranking. Lower is better."""
    player = view.players[seat]
    # Players who are out rank last, unless the ruling lets them win.
    behind = player.out and not view.options.switches.dead_can_win
    return behind, -player.stars, -len(player.kills)
