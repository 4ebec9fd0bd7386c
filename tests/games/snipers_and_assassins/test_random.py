"""Random play of 2 to 6: what always holds, that the menu is the law, and that forced chance plays it again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from random import Random
from typing import Any, get_args

import msgspec
import pytest

from engine.chance import Chance
from engine.events import Told
from engine.game import REFEREE, TABLE, Command
from engine.referee import Referee
from engine.refusal import Refused
from games.snipers_and_assassins import GAME
from games.snipers_and_assassins.rules import cards, commands, events, places
from games.snipers_and_assassins.rules.picture import Picture
from games.snipers_and_assassins.rules.words import markers_of
from tests.games.random_play import RandomGame

OPTIONS: tuple[dict[str, Any], ...] = ({}, {"healing": True}, {"core_only": True, "first": "player-2"})
GAMES = [(count, number) for count in range(2, 7) for number in range(len(OPTIONS))]
ACTS = 150
RARE = {events.ClaymoreSet, events.Stealth, events.GameOver}
"""What so few games need not bring up."""
every_game = pytest.mark.parametrize(("count", "number"), GAMES)


class Played:
    """The beginning of a random game: its opening, and each act with what it told."""

    def __init__(self, count: int, number: int) -> None:
        self.board, self.options = GAME.make_map(f"pathways-{count}"), {"players": count, **OPTIONS[number]}
        self.game = RandomGame(GAME, self.board, 10 * count + number, self.options)
        self.moments: list[Picture] = [self.game.referee.truth]
        self.steps: list[tuple[str, Command, tuple[Told, ...]]] = []
        for _ in range(ACTS):
            if self.game.referee.to_act:
                self.steps.append(self.game.step())
                self.moments.append(self.game.referee.truth)

    def told(self) -> list[events.Event]:
        """Everything that was told."""
        return self.game.referee.told[REFEREE]


@cache
def played(count: int, number: int) -> Played:
    """One game, played once."""
    return Played(count, number)


@every_game
def test_what_always_holds(count: int, number: int) -> None:
    box = Counter(cards.box(OPTIONS[number].get("core_only", False)))
    for moment in played(count, number).moments:
        if moment.setup is None:
            assert sum((Counter(hand) for hand in hands(moment)), Counter()) == box
            assert moment.deck_size == len(moment.deck or ())
        laid = [space for player in moment.players.values() for space in player.mines]
        assert len(set(laid)) == len(laid)
        for player in moment.players.values():
            assert len(player.mines) <= 5
            assert list(player.mines) == sorted(player.mines, key=places.place_of)
            assert not any(space == player.sniper for space in laid), "no Sniper lives on a mine"
            assert player.sniper is None or places.is_space(player.sniper) or player.sniper == player.start
            assert (player.armor is None) == (player.improvement != "armor")
            assert not (player.recover and player.jump)
            assert player.shot in (None, "fresh", "stale", *(("healing", "healed") if moment.options.healing else ()))
            goal = moment.players[player.target].leader if player.target else None
            home = player.assassin is None or places.is_space(player.assassin) or player.assassin == player.start
            assert home or (moment.over is not None and player.assassin == goal)


def hands(moment: Picture) -> Iterator[tuple[str, ...]]:
    """Where cards are: with the players, in the deck, on the discards."""
    yield tuple(player.improvement for player in moment.players.values() if player.improvement is not None)
    yield moment.deck or ()
    yield moment.discard


@every_game
def test_everybody_sees_the_same_but_for_the_deck(count: int, number: int) -> None:
    game = played(count, number).game
    public = msgspec.structs.replace(game.referee.truth, deck=None)
    assert all(picture == public for viewer, picture in game.referee.pictures.items() if viewer != REFEREE)
    assert not any(isinstance(event, events.Deck) for event in game.referee.told[TABLE])


@every_game
def test_forced_chance_plays_the_same_game_again(count: int, number: int) -> None:
    one = played(count, number)
    options = GAME.read_options(one.options)
    luck = GAME.luck(one.game.opening)
    twin = Referee(GAME, GAME.blank(one.board, options))
    twin.tell(GAME.setup(one.board, options, Chance(Random(99), luck)))
    for seat, command, telling in one.steps:
        assert twin.submit(seat, command, Chance(Random(99), GAME.luck(telling))) == telling
    assert twin.pictures == one.game.referee.pictures


@every_game
def test_every_moment_is_a_position_of_the_same_game(count: int, number: int) -> None:
    one = played(count, number)
    options = GAME.read_options(one.options)
    for moment in one.moments[::7]:
        raw = msgspec.json.decode(msgspec.json.encode(GAME.state(moment)))
        pictures = GAME.position(one.board, options, raw, Chance(Random(1)))
        assert pictures[REFEREE] == msgspec.structs.replace(moment, swept=(), fallen=()), "but for the news"
        seat = moment.turn
        assert GAME.legal(pictures[seat], seat) == GAME.legal(moment, seat)


@every_game
def test_lists_of_markers_are_in_seat_order(count: int, number: int) -> None:
    order = markers_of(played(count, number).moments[0].seats)
    for event in played(count, number).told():
        for name in ("with_", "markers", "hit"):
            found = getattr(event, name, ())
            assert list(found) == [marker for marker in order if marker in found]


@every_game
def test_whoever_was_hit_does_no_more_in_that_act(count: int, number: int) -> None:
    """SA-R-52: after the hit on the mover comes nothing but its end."""
    for _, command, telling in played(count, number).steps:
        if isinstance(command, commands.SniperAct):
            told = [event.event for event in telling]
            me = next(event.marker for event in told if isinstance(event, events.Shot | events.Moved | events.Jumped))
            ends = [n for n, event in enumerate(told) if isinstance(event, events.SniperReplaced)]
            mine = [n for n in ends if getattr(told[n], "marker", None) == me]
            for place in mine:
                after = told[place + 1 :]
                assert not any(isinstance(event, events.Moved | events.Jumped | events.Shot) for event in after)
                assert not any(isinstance(event, events.Status) for event in after)


def test_random_play_brings_up_everything_that_can_be_told() -> None:
    told = {type(event) for game in GAMES for event in played(*game).told()}
    assert set(get_args(events.ANY_EVENT)) - told <= RARE


@pytest.mark.parametrize("count", [2, 3, 5])
def test_the_menu_is_the_law(count: int) -> None:
    """What is offered stands, and whatever else can be said is refused."""
    for moment in played(count, 1).moments[:: 80 // count]:
        if moment.over is None:
            menu = GAME.legal(moment, moment.turn)
            assert len(set(menu)) == len(menu)
            assert all(stands(moment, command) for command in menu)
            allowed = [command for command in thinkable(moment) if stands(moment, command)]
            assert set(allowed) == set(menu)


def stands(moment: Picture, command: Command) -> bool:
    """Whether a command of the seat whose turn it is passes the check."""
    try:
        return GAME.check(moment, moment.turn, command) == command
    except Refused:
        return False


def thinkable(moment: Picture) -> Iterator[Command]:
    """Every command with names that exist; of mines those around the ends of the move."""
    spaces = places.spaces(moment.pathways)
    targets = (None, *markers_of(moment.seats))
    yield from (commands.EndTurn(), commands.Claymore())
    yield from (commands.Hold(marker) for marker in markers_of(moment.seats))
    yield from (commands.ChooseTarget(seat) for seat in moment.seats)
    for space in spaces:
        for kind in (commands.ChooseStart, commands.PlaceLeader, commands.WalkC, commands.JumpC, commands.DoubleTwo):
            yield kind(space)
        yield from (commands.DoubleContinue(space), commands.DoubleFast(2, space), commands.Plant(space))
        for target in targets:
            yield from (commands.WalkB(space, target), commands.JumpB(space, target), commands.DoubleOne(space, target))
            yield commands.DoubleFast(1, space, target)
            if target is not None:
                yield commands.OptionA("shoot-move", space, target)
                yield commands.OptionA("move-shoot", space, target)
        yield from (commands.Walk(space), commands.Jump(space))
    if moment.setup is None:
        yield from mined(moment)


def mined(moment: Picture) -> Iterator[Command]:
    """Moves of the Assassin near to where it is, with mines near to that."""
    here = moment.at(moment.own("assassin"))
    near = [name for name in places.spaces(moment.pathways) if places.distance(name, here) <= 4]
    for to, when, space in product(near, ("before", "after"), near):
        mine = commands.Mine(when, space)  # type: ignore[arg-type]
        yield from (commands.Walk(to, mine), commands.Jump(to, mine))
