"""Where the sniper can be, from public facts: never misses the truth, and as small as the facts allow."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import TABLE, Command
from engine.games.sniper_elite import GAME, commands
from engine.games.sniper_elite import events as e
from engine.games.sniper_elite.cards import FULL_DECK
from engine.games.sniper_elite.whereabouts import Whereabouts
from engine.map import Map
from engine.referee import Referee
from engine.refusal import Refused
from engine.told import Event
from firmware_host import maps
from tests.games.sniper_elite.histories import ENTRIES, Followed, Histories, tiny
from tests.toys import STARTS, grid, t1

ROUGH = grid(
    {"c4": "enclosed", "c5": "enclosed", "d5": "enclosed", "e6": "water"},
    difficult=("b4", "b5", "d7"),
    doors=[("c4", "b4"), ("d5", "e5")],
)
SPECIALISTS = {"yellow": {"card": "medic"}, "red": {"card": "jaeger"}, "black": {"card": "sniper"}}
ASIDE = frozenset({commands.Mark, commands.Unmark})
"""Acts that random play leaves out: they tell nothing, and there are many."""
STILL = ASIDE | {commands.MoveUnit, commands.Ability}
OPEN = ("distraction", "silenced-ammo", "tommy-gun", "trench-gun")
DOWN = ("sound-masking", "sound-masking", "s-mine", "s-mine", "distraction")


# --- never misses the truth -------------------------------------------------------------------------------------


def options(random: Random) -> Any:
    """Random switches."""
    switches = {name: False for name in ("R-05", "R-08", "R-24", "R-26", "R-36") if random.random() < 0.25}
    return GAME.read_options({"switches": switches, "random_setup": random.random() < 0.5})


def picked(random: Random, legal: Iterable[Command], without: Iterable[type[Command]], lazy: float) -> Command:
    """One of the legal acts, each kind as likely as the others; `lazy` is how often the turn may end."""
    ends = (commands.EndSniperTurn, commands.EndDefendersTurn)
    aside = set(without) if random.random() < lazy else {*without, *ends}
    kinds: dict[type[Command], list[Command]] = {}
    for command in legal:
        kinds.setdefault(type(command), []).append(command)
    wanted = [kind for kind in kinds if kind not in aside] or [kind for kind in kinds if kind in ends] or list(kinds)
    return random.choice(kinds[random.choice(wanted)])


def fresh(board: Map, seed: int) -> tuple[Followed, Random]:
    """A game from its very beginning."""
    random = Random(seed)
    chosen = options(random)
    game = Followed(Referee(GAME, GAME.blank(board, chosen)), seed)
    game.tell(GAME.setup(board, chosen, game.chance))
    return game, random


@pytest.mark.parametrize("seed", range(36))
def test_the_truth_is_among_the_spaces_all_through_random_games(seed: int) -> None:
    board = [maps.load("launch-facility"), grid(), ROUGH][seed % 3]
    game, random = fresh(board, seed)
    while game.referee.to_act:
        seat = game.referee.to_act[0]
        game.act(seat, picked(random, game.referee.legal(seat), ASIDE, 0.25))
        assert (here := game.truth.mine.space) is None or here in game.spaces


def test_it_is_blind_to_what_the_table_was_not_told() -> None:
    """Followed on the sniper's own picture, with every secret in it, the answer is the same."""
    game, random = fresh(grid(), 5)
    own = Whereabouts.outside(game.referee.pictures["sniper"])
    compared = 0
    while game.referee.to_act:
        seat = game.referee.to_act[0]
        command = picked(random, game.referee.legal(seat), ASIDE, 0.25)
        for told in game.referee.consider(seat, command, game.chance):
            if told.audience.includes(TABLE):
                own = own.after(game.referee.pictures["sniper"], told.event)
            game.tell([told])
        if game.truth.pending is None:
            assert own.spaces(game.referee.pictures["sniper"]) == game.spaces
            compared += 1
    assert compared > 80


# --- no larger than the facts allow: against all histories ------------------------------------------------------


def beside_histories(seed: int, hand: tuple[str, ...], deck: tuple[str, ...], without: Any, exactly: bool) -> int:
    """Play three rounds on a tiny board; after every act compare with all histories. The number of comparisons."""
    random, board = Random(seed), tiny()
    position, chosen = described(random, board, hand, deck), options(random)
    try:
        pictures = GAME.position(board, chosen, position, Chance(Random(0)))
    except Refused:
        return 0  # units on every arrow
    game, oracle = Followed(Referee(GAME, pictures), seed), Histories(board, chosen, position)
    compared = 0
    while game.referee.to_act and game.table.round <= 3:
        seat = game.referee.to_act[0]
        left_out = without if seat == "defenders" else () if hand else (commands.Play,)
        command = picked(random, game.referee.legal(seat), left_out, 0.5)
        heard = game.act(seat, command)
        if heard:
            oracle.hear(seat, command, heard)
        if game.table.turn == "sniper" and game.table.pending is None and game.table.over is None:
            oracle.rest()
        spaces = set(game.spaces)
        assert spaces == oracle.spaces if exactly else oracle.spaces <= spaces
        compared += 1
    return compared


def described(random: Random, board: Map, hand: tuple[str, ...], deck: tuple[str, ...]) -> dict[str, Any]:
    """A game about to begin, with a few units and perhaps dogs."""
    free = [space for space in board.spaces if space not in ENTRIES.values()]
    units = random.sample(sorted(STARTS), random.randint(2, 4))
    places = random.sample(free, len(units))
    dogs = [random.choice(free) for _ in range(random.choice((0, 0, 1, 2)))]
    held = random.choice([(1, 2), (1, 3), (2, 3), (1, 4), (2, 5), (3, 4)])
    return {
        "units": dict(zip(units, places, strict=True)),
        "dogs": dogs,
        "specialists": SPECIALISTS,
        "loot_deck": deck,
        "sniper": {"space": None, "objectives": held, "hand": hand},
    }


@pytest.mark.parametrize("seed", range(24))
def test_without_cards_it_is_just_what_some_history_leads_to(seed: int) -> None:
    assert beside_histories(seed, (), FULL_DECK, ASIDE, exactly=True) > 5


@pytest.mark.parametrize("seed", [seed for seed in range(12) if seed != 0])
def test_with_cards_shown_at_once_it_is_just_as_exact(seed: int) -> None:
    assert beside_histories(seed, OPEN, (), ASIDE, exactly=True) > 5


@pytest.mark.parametrize("seed", range(6))
def test_cards_laid_face_down_are_exact_while_no_unit_walks_over_what_they_may_be(seed: int) -> None:
    assert beside_histories(seed, DOWN, (), STILL, exactly=True) > 5


@pytest.mark.parametrize("seed", range(6, 12))
def test_no_history_is_missed_with_mines_and_units_that_walk(seed: int) -> None:
    assert beside_histories(seed, DOWN, (), ASIDE, exactly=False) > 5


# --- cases worked out by hand -----------------------------------------------------------------------------------


class Told(Followed):
    """A sniper whose space everybody knows as its turn begins; `hears` tells the table something more."""

    def __init__(self, space: str, board: Map | None = None, **more: Any) -> None:
        me = {"objectives": more.pop("objectives", (1, 8)), "hand": FULL_DECK[:3], "space": space}
        position = {"turn": "defenders", "specialists": SPECIALISTS, "units": {}, **more, "sniper": me}
        chosen = GAME.read_options(more.pop("options", None))
        pictures = GAME.position(board or grid(), chosen, position, Chance(Random(0)))
        super().__init__(Referee(GAME, pictures), 0, begun=True)
        self.hears(e.Revealed(space, "spot"))
        self.act("defenders", commands.EndDefendersTurn())

    def hears(self, *told: Event) -> set[str]:
        """The table is told; where the sniper can be then."""
        for event in told:
            self.known = self.known.after(self.table, event)
            self.referee.pictures[TABLE] = GAME.fold(self.table, event)
        return set(self.spaces)


def words(text: str) -> set[str]:
    """Spaces, parted by blanks."""
    return set(text.split())


def test_where_nobody_listens_a_silent_turn_leads_three_spaces_far() -> None:
    game = Told("a1")
    assert set(game.spaces) == words("a1 a2 a3 a4 b1 b2 b3 c1 c2 d1")


def test_a_listener_leaves_only_quiet_ways_through_what_it_hears() -> None:
    game = Told("a1", units={"red-1": "b2"})
    assert set(game.spaces) == words("a1 a2 b1")


def test_no_movement_crosses_a_unit() -> None:
    game = Told("a1", units={"red-1": "a2"})
    assert set(game.spaces) == words("a1 b1")
    assert game.hears(e.Alerted(("red-1",))) == words("b2 b3 c1 c2 d1")


def test_an_alert_names_those_who_heard_and_clears_those_who_did_not() -> None:
    game = Told("a2", t1(), units={"red-1": "a1", "red-2": "a5"}, objectives=(1, 2))
    assert game.hears(e.Alerted(("red-1", "red-2"))) == words("a4 w1")
    game = Told("a2", t1(), units={"red-1": "a1", "red-2": "a5"}, objectives=(1, 2))
    assert game.hears(e.Alerted(("red-1",))) == words("d2 e1 e2")


def test_difficult_ground_is_two_spaces_away_at_most() -> None:
    game = Told("a1", grid(difficult=["a2", "b1"]))
    assert set(game.spaces) == words("a1 a2 b1 a3 b2 c1")


def test_a_dog_that_barks_lay_on_the_way_and_one_that_does_not_was_avoided() -> None:
    assert Told("c4", dogs=["c5"]).hears(e.Barked(("c5",))) == words("c5 b5 d5 c6 a5 b4 b6 e5 d4 d6 c7")
    assert set(Told("a1", dogs=["a2"]).spaces) == words("a1 b1 b2 b3 c1 c2 d1")
    assert set(Told("a1", dogs=["a1"]).spaces) == words("a1")


def test_an_alert_without_a_bark_kept_away_from_the_dog() -> None:
    game = Told("a1", units={"red-1": "b3"}, dogs=["b1"])
    assert game.hears(e.Alerted(("red-1",))) == words("a3 a4 b2 c2")
    game = Told("a1", units={"red-1": "b3"}, dogs=["b1"])
    assert game.hears(e.Alerted(("red-1",)), e.Barked(("b1",))) == words("a2 b1 b2 c2")


def test_after_a_card_face_down_a_noisy_move_may_have_been_masked() -> None:
    game = Told("a1", units={"red-1": "b2"})
    assert game.hears(e.CardPlayed(None)) == words("a1 a2 a3 a4 b1 b3 c1 c2 d1")
    assert game.hears(e.Alerted(("red-1",))) == words("a3 a4 b3 c1 c2 d1")


def test_a_card_face_down_after_the_noise_masked_nothing() -> None:
    game = Told("a1", units={"red-1": "b2"})
    before = game.hears(e.Alerted(("red-1",)))
    assert game.hears(e.CardPlayed(None)) == before


def shot(result: str, aim: int, draw: int) -> list[Event]:
    """What a shot tells."""
    tokens = {"aim": aim, "noise": 0, "recoil": draw - aim, "suppression": 0}
    return [e.ShotDeclared(draw), e.Drew(tokens), e.Shot(result)]


def test_a_miss_was_further_than_its_aim_and_no_further_than_its_draw() -> None:
    game = Told("b7", units={"red-1": "c8"})
    game.hears(e.Alerted(("red-1",)))
    assert game.hears(*shot("miss", 1, 3)) == words("a8 c5 c6")


def test_a_hit_was_no_further_than_its_aim() -> None:
    game = Told("b7", units={"red-1": "c8"})
    game.hears(e.Alerted(("red-1",)))
    assert game.hears(*shot("hit", 1, 3)) == words("c7 b8 d8")


def test_a_misfire_only_proves_that_somebody_was_in_sight() -> None:
    game = Told("b7", units={"red-1": "c8"})
    game.hears(e.Alerted(("red-1",)))
    assert game.hears(*shot("misfire", 1, 6)) == words("a8 b8 c5 c6 c7 d8")


def test_who_falls_was_in_sight_whoever_else_was() -> None:
    """In the open with one unit in the row and one in the column, the one that falls tells which."""
    units = {"red-1": "c8", "black-1": "f4"}
    for unit, seen in (("red-1", "c3 c4 c5"), ("black-1", "a4 b4 c4 d4 e4 f3 f5")):
        game = Told("c4", units=units)
        told = game.hears(*shot("hit", 5, 5), e.Killed(unit, "shot"), e.BagGained("aim"))
        assert words(seen) & words("c3 c4 c5 b4 d4") <= told
        game.hears(e.TurnEnded("sniper"))
        assert set(game.spaces) == told


def test_a_distraction_ends_in_the_snipers_sight() -> None:
    game = Told("c4", units={"red-1": "a7"})
    drawn = [e.CardPlayed("distraction"), e.Distracted("red-1", "a7", "a6")]
    assert game.hears(*drawn) == words("a3 a4 a5 b6 c6 d6")
    game = Told("c4", units={"red-1": "c8"})
    here = game.hears(e.CardPlayed("distraction"), e.Distracted("red-1", "c8", "c7"))
    assert here >= words("a4 c1 c3 c4 c5 c6 f4"), "from where the unit was drawn, the sniper may still move on"


def test_loot_lies_on_numbered_spaces_and_no_space_is_looted_twice() -> None:
    game = Told("c2", dogs=["c2"])
    game.hears(e.Barked(("c2",)))
    assert game.hears(e.Looted()) == words("b2 c1 e2")
    game.hears(e.TurnEnded("sniper"), e.TurnEnded("defenders"))
    assert game.hears(e.Looted()) == words("a4 b2 c1 e2 f4")


def test_questions_leave_what_was_answered() -> None:
    game = Told("a1")
    game.hears(e.TurnEnded("sniper"))
    assert game.hears(e.Spotted("red-1", "a2", False)) == words("a1 a3 a4 b1 b2 b3 c1 c2 d1")
    assert game.hears(e.Intel("yellow", True)) == words("a1 a3 a4 b1 b2 b3 c1 c2")
    game.referee.pictures[TABLE] = GAME.fold(game.table, e.Deployed("red-1", "b2"))
    assert game.hears(e.Swept("red-1", ("b1", "b3"), True)) == words("b1 b2 b3")
    assert game.hears(e.Attacked("black-officer", "b1", None)) == words("b1 b2 b3")
    assert game.hears(e.Attacked("red-1", "b2", False)) == words("b1 b3")
    assert game.known.certain(game.table) is None
    assert game.hears(e.Revealed("b3", "spot")) == words("b3")
    assert game.known.certain(game.table) == "b3"


def test_an_objective_tells_by_which_arrows_the_sniper_never_came() -> None:
    game, _ = fresh(grid(), 4)
    known = game.known
    assert known.spaces(game.table) == ()
    assert known.objectives() == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    shown = known.after(game.table, e.ObjectiveShown(9))
    assert shown.objectives() == (1, 2, 3, 4, 5, 6, 7, 8)


def test_twins_that_go_different_silent_ways_look_alike() -> None:
    seen = []
    for path in (("c5",), ("b4", "a4", "a3"), ()):
        game = Told("c4")
        if path:
            game.act("sniper", commands.Move(path))
        game.act("sniper", commands.EndSniperTurn())
        seen.append(game.spaces)
    assert seen[0] == seen[1] == seen[2]
    assert {"c5", "a3", "c4"} <= set(seen[0])


def test_the_end_opens_everything() -> None:
    game, random = fresh(grid(), 8)
    while game.referee.to_act:
        seat = game.referee.to_act[0]
        game.act(seat, picked(random, game.referee.legal(seat), ASIDE, 0.25))
    assert game.spaces == (game.truth.mine.space,)
