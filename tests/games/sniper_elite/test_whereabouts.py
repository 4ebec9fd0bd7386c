"""The possible spaces of the sniper, from public facts: they include the true one, and as few others as possible."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any

import pytest
from msgspec import Struct

from engine.chance import Chance
from engine.game import TABLE, Command
from engine.graph import Map
from engine.referee import Referee
from engine.refusal import Refused
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES
from games.sniper_elite.map_rules import sites_of
from games.sniper_elite.rules import commands
from games.sniper_elite.rules import events as e
from games.sniper_elite.rules.cards import FULL_DECK
from games.sniper_elite.rules.ground import all_places, ground_of, spaces_by_state
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.whereabouts import Whereabouts
from games.sniper_elite.rules.words import START_BAG, TOKENS
from tests.depth import seeds
from tests.games.sniper_elite.histories import ENTRIES, Followed, Histories, tiny
from tests.toys import STARTS, grid, t1

ROUGH = grid(
    {"c4": "enclosed", "c5": "enclosed", "d5": "enclosed", "e6": "water"},
    difficult=("b4", "b5", "d7"),
    doors=[("c4", "b4"), ("d5", "e5")],
)
SPECIALISTS = {"yellow": {"card": "medic"}, "red": {"card": "jaeger"}, "black": {"card": "sniper"}}
ASIDE = frozenset({commands.Mark, commands.Unmark})
"""Acts that random play leaves out: they reveal nothing, and there are many."""
STILL = ASIDE | {commands.MoveUnit, commands.Ability}
OPEN = ("distraction", "silenced-ammo", "tommy-gun", "trench-gun")
BAGS = ({"aim": 2, "recoil": 1}, {"aim": 3, "noise": 6, "recoil": 3}, START_BAG)
DOWN = ("sound-masking", "sound-masking", "s-mine", "s-mine")


# --- the true space is included ---------------------------------------------------------------------------------


def options(random: Random) -> Any:
    """Return random switches."""
    switches = {name: False for name in SWITCHES if random.random() < 0.25}
    return GAME.read_options({"switches": switches, "random_setup": random.random() < 0.5})


def picked(
    random: Random,
    legal: Iterable[Command],
    without: Iterable[type[Command]],
    lazy: float,
    eager: Iterable[type[Command]] = (),
) -> Command:
    """Return a legal act: of the `eager` types first, else with equal probability for each type.

    `lazy` is the probability that the turn may end.
    """
    ends = (commands.EndSniperTurn, commands.EndDefendersTurn)
    aside = set(without) if random.random() < lazy else {*without, *ends}
    kinds: dict[type[Command], list[Command]] = {}
    for command in legal:
        kinds.setdefault(type(command), []).append(command)
    wanted = [kind for kind in kinds if kind not in aside] or [kind for kind in kinds if kind in ends] or list(kinds)
    first = [kind for kind in eager if kind in kinds][:1]
    return random.choice(kinds[random.choice(first or wanted)])


def fresh(board: Map, seed: int) -> tuple[Followed, Random]:
    """Return a game from its start."""
    random = Random(seed)
    chosen = options(random)
    game = Followed(Referee(GAME, GAME.blank(board, chosen)), seed)
    game.tell(GAME.setup(board, chosen, game.chance))
    return game, random


@pytest.mark.parametrize("seed", seeds(18, by_day=9))
def test_spaces_always_include_the_sniper_in_random_games(seed: int) -> None:
    board = [maps.load("launch-facility"), grid(), ROUGH][seed % 3]
    game, random = fresh(board, seed)
    while game.referee.to_act:
        seat = game.referee.to_act[0]
        game.act(seat, picked(random, game.referee.legal(seat), ASIDE, 0.25))
        assert (here := game.truth.mine.space) is None or here in game.spaces


def test_secrets_in_the_picture_do_not_change_the_spaces() -> None:
    """Following the sniper's own picture, which has every secret, gives the same answer."""
    game, random = fresh(grid(), 5)
    own = Whereabouts.before_entry(game.referee.pictures["sniper"])
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


# --- no larger than the facts allow: compared with all histories ------------------------------------------------


class Trial(Struct, frozen=True):
    """A kind of game to compare: the sniper's hand, the omitted acts, and the acts that the sniper prefers."""

    hand: tuple[str, ...] = ()
    deck: tuple[str, ...] = ()
    switches: dict[str, bool] | None = None
    sniper_without: tuple[type[Command], ...] = ()
    defenders_without: tuple[type[Command], ...] = tuple(ASIDE)
    eager: tuple[type[Command], ...] = ()
    exactly: bool = True
    rounds: int = 3
    bags: tuple[dict[str, int], ...] = (START_BAG,)


def compare_with_histories(seed: int, trial: Trial) -> int:
    """Play some rounds on a tiny board, and compare with all histories after every act.

    Return the number of comparisons.
    """
    random, board = Random(seed), tiny()
    position = {**described(random, board, trial.hand, trial.deck), "bag": random.choice(trial.bags)}
    chosen = options(random) if trial.switches is None else GAME.read_options({"switches": trial.switches})
    try:
        pictures = GAME.position(board, chosen, position, Chance(Random(0)))
    except Refused:
        return 0  # there are units on every arrow
    game, oracle = Followed(Referee(GAME, pictures), seed), Histories(board, chosen, position)
    compared = 0
    while game.referee.to_act and game.table.round <= trial.rounds:
        seat = game.referee.to_act[0]
        sniper = seat == "sniper"
        without = trial.sniper_without if sniper else trial.defenders_without
        command = picked(random, game.referee.legal(seat), without, 0.5, trial.eager if sniper else ())
        heard = game.act(seat, command)
        if heard:
            oracle.hear(seat, command, heard)
        if game.table.turn == "sniper" and game.table.pending is None and game.table.over is None:
            oracle.rest()
        spaces = set(game.spaces)
        if game.table.over is not None:  # the sniper's whole path lies open
            assert spaces == {game.referee.truth.mine.space}
            break
        assert spaces == oracle.spaces if trial.exactly else oracle.spaces <= spaces
        compared += 1
    return compared


def described(random: Random, board: Map, hand: tuple[str, ...], deck: tuple[str, ...]) -> dict[str, Any]:
    """Return a game about to start, with a few units and perhaps dogs."""
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


@pytest.mark.parametrize("seed", seeds(10, by_day=5))
def test_spaces_without_cards_are_those_of_all_histories(seed: int) -> None:
    trial = Trial(deck=FULL_DECK, sniper_without=(commands.Play,))
    assert compare_with_histories(seed, trial) > 5


@pytest.mark.parametrize("seed", seeds(8, by_day=4))
def test_spaces_are_exact_for_a_sniper_that_loots_and_completes(seed: int) -> None:
    fond = (commands.Complete, commands.Loot)
    without = (commands.Play, commands.Shoot)
    trial = Trial(deck=FULL_DECK, switches={}, sniper_without=without, eager=fond, rounds=7)
    assert compare_with_histories(seed, trial) > 5


@pytest.mark.parametrize("seed", seeds(5, by_day=3)[1:])
def test_spaces_are_exact_with_cards_shown_at_once(seed: int) -> None:
    assert compare_with_histories(seed, Trial(OPEN)) > 5


@pytest.mark.parametrize("must", [False, True])
@pytest.mark.parametrize("seed", seeds(16, by_day=13)[10:])
def test_spaces_are_exact_after_two_announced_shots(seed: int, must: bool) -> None:
    fond = (commands.ShootSecond, commands.Shoot, commands.Play)
    trial = Trial(("tommy-gun",), switches={"R-24": not must}, eager=fond, bags=BAGS)
    assert compare_with_histories(seed, trial) > 5


@pytest.mark.parametrize("switch", ["R-05", "R-08"])
@pytest.mark.parametrize("seed", seeds(34, by_day=32)[30:])
def test_spaces_are_exact_with_r05_or_r08_off(seed: int, switch: str) -> None:
    hand = ("sound-masking", "sound-masking", "s-mine")
    trial = Trial(hand, switches={switch: False}, defenders_without=tuple(STILL), eager=(commands.Play,))
    assert compare_with_histories(seed, trial) > 5


@pytest.mark.rule("R-06")
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize("hand", [OPEN, ("sound-masking", "sound-masking", "s-mine")])
@pytest.mark.parametrize("seed", seeds(44, by_day=42)[40:])
def test_spaces_are_exact_with_r06_off(seed: int, hand: tuple[str, ...], waits: bool) -> None:
    switches = {"R-06": False, "R-05": not waits}
    trial = Trial(hand, switches=switches, defenders_without=tuple(STILL), eager=(commands.Play,))
    assert compare_with_histories(seed, trial) > 5


@pytest.mark.parametrize("seed", seeds(3, by_day=2))
def test_spaces_are_exact_with_face_down_cards_and_still_units(seed: int) -> None:
    assert compare_with_histories(seed, Trial(DOWN, defenders_without=tuple(STILL))) > 5


@pytest.mark.parametrize("seed", seeds(9, by_day=8)[6:])
def test_no_history_is_missed_with_mines_and_moving_units(seed: int) -> None:
    # A unit that ends its movement without an explosion shows where no mine is. Distraction moves units, too.
    assert compare_with_histories(seed, Trial((*DOWN, "distraction"), exactly=False)) > 5


# --- manually computed cases ------------------------------------------------------------------------------------


class Located(Followed):
    """A sniper whose space is public as its turn starts."""

    def __init__(self, space: str, board: Map | None = None, **more: Any) -> None:
        chosen = GAME.read_options(more.pop("options", None))
        me = {"objectives": more.pop("objectives", (1, 8)), "hand": FULL_DECK[:3], "space": space}
        position = {"turn": "defenders", "specialists": SPECIALISTS, "units": {}, **more, "sniper": me}
        pictures = GAME.position(board or grid(), chosen, position, Chance(Random(0)))
        super().__init__(Referee(GAME, pictures), 0, in_progress=True)
        self.hears(e.Revealed(space, "spot"))
        self.act("defenders", commands.EndDefendersTurn())


def words(text: str) -> set[str]:
    """Return the names of spaces in a text."""
    return set(text.split())


def test_alert_excludes_spaces_that_other_units_would_have_heard() -> None:
    game = Located("a2", t1(), units={"red-1": "a1", "red-2": "a5"}, objectives=(1, 2))
    assert game.hears(e.Alerted(("red-1", "red-2"))) == words("a4 w1")
    game = Located("a2", t1(), units={"red-1": "a1", "red-2": "a5"}, objectives=(1, 2))
    assert game.hears(e.Alerted(("red-1",))) == words("d2 e1 e2")


def test_noisy_move_after_a_face_down_card_may_be_masked() -> None:
    game = Located("a1", units={"red-1": "b2"})
    assert game.hears(e.CardPlayed(None)) == words("a1 a2 a3 a4 b1 b3 c1 c2 d1")
    assert game.hears(e.Alerted(("red-1",))) == words("a3 a4 b3 c1 c2 d1")


def test_third_card_after_two_on_the_arrow_masks_nothing() -> None:
    """Outside the board only Sound Masking can be played, and there are two of it."""
    position = {"specialists": SPECIALISTS, "units": {"red-1": "b2"}, "sniper": {"objectives": (1, 8)}}
    pictures = GAME.position(grid(), GAME.read_options({"switches": {"R-05": False}}), position, Chance(Random(0)))
    game = Followed(Referee(GAME, pictures), 0)
    for _ in range(2):
        game.hears(e.CardPlayed(None), e.TurnEnded("sniper"))
        game.known = game.known.off(game.known.ground.board)  # as after searching every space
        game.hears(e.TurnEnded("defenders"))
    game.hears(e.TurnEnded("sniper"), e.Revealed("a1", "spot"), e.TurnEnded("defenders"))
    assert game.hears(e.CardPlayed(None)) == words("a1 a2 b1")


def test_alert_rules_out_starts_that_another_unit_would_have_heard() -> None:
    """From c4 every noise alerts the adjacent unit. The other unit heard one from f1."""
    game = Located("c4", units={"red-1": "b4", "red-2": "f4"})
    two = game.known.ground.bits(["c4", "f1"])
    game.known = Whereabouts.anywhere(game.table).only(two)
    assert game.hears(e.Alerted(("red-2",))) == words("e3 f3")


def drew(tokens: dict[str, int]) -> e.Drew:
    """Return a draw. Tokens not named are not drawn."""
    return e.Drew({**dict.fromkeys(TOKENS, 0), **tokens})


def test_single_shot_excludes_spaces_where_two_were_required() -> None:
    """R-24 off: with three tokens, a sniper next to a unit has to leave one for a second shot."""
    few = {"aim": 2, "recoil": 1}
    game = Located("b7", units={"red-1": "c8"}, bag=few, options={"switches": {"R-24": False}})
    game.hears(e.Alerted(("red-1",)), e.CardPlayed("tommy-gun"))
    assert game.hears(e.ShotDeclared(3)) == words("a8 c5 c6")


def test_second_shot_proves_a_target_in_sight_even_if_misfired() -> None:
    """The first shot kills red on c8 from an adjacent space. Only from b8 is yellow on b3 in sight then."""
    game = Located("b7", units={"red-1": "c8", "yellow-1": "b3"})
    hit, misfire = {"aim": 1}, {"recoil": 3, "noise": 2}
    game.hears(e.Alerted(("red-1",)), e.CardPlayed("tommy-gun"), e.ShotDeclared(1, 5))
    game.hears(drew(hit), e.Shot("hit"), e.Killed("red-1", "shot"), drew(misfire), e.Shot("misfire"))
    assert set(game.spaces) == words("b8")


def test_questions_leave_the_spaces_that_fit_the_answer() -> None:
    game = Located("a1")
    game.hears(e.TurnEnded("sniper"))
    assert game.hears(e.Spotted("red-1", "a2", False)) == words("a1 a3 a4 b1 b2 b3 c1 c2 d1")
    assert game.hears(e.Intel("yellow", True)) == words("a1 a3 a4 b1 b2 b3 c1 c2")
    game.referee.pictures[TABLE] = GAME.fold(game.table, e.Deployed("red-1", "b2"))
    assert game.hears(e.Swept("red-1", ("b1", "b3"), True)) == words("b1 b2 b3")
    assert game.hears(e.Attacked("black-officer", "b1", None)) == words("b1 b2 b3")
    assert game.hears(e.Attacked("red-1", "b2", False)) == words("b1 b3")
    assert game.hears(e.Revealed("b3", "spot")) == words("b3")


@pytest.mark.rule("R-06")
@pytest.mark.parametrize("card", ["silenced-ammo", None])
def test_r06_off_card_in_first_turn_proves_entry(card: str | None) -> None:
    """Where the sniper may also wait outside, only the card proves that they have entered."""
    position = {"specialists": SPECIALISTS, "units": {}, "sniper": {"objectives": (1, 8)}}
    for stands in (True, False):
        options = GAME.read_options({"switches": {"R-05": False, "R-06": stands}})
        pictures = GAME.position(grid(), options, position, Chance(Random(0)))
        game = Followed(Referee(GAME, pictures), 0)
        game.hears(e.CardPlayed(card), e.TurnEnded("sniper"))
        outside = game.known.off(game.known.ground.board).stands
        assert bool(outside) == stands
        assert game.spaces


@pytest.mark.rule("R-24")
def test_r24_off_single_burst_excludes_a_second_shot() -> None:
    bag = {"aim": 8, "noise": 0, "recoil": 0}
    game = Located("c1", units={"red-1": "c7"}, bag=bag, options={"switches": {"R-24": False}})
    game.hears(e.CardPlayed("tommy-gun"), e.ShotDeclared(6))
    shot_from = game.known.ground.spaces(all_places(game.known.ground, game.known.stands))
    assert shot_from == ("c1", "c2"), "c3 is four away, and twice four fits into the bag"


def asked(**position: Any) -> tuple[Whereabouts, Picture]:
    """Return what a late viewer knows of a game from the table's view."""
    options = GAME.read_options(position.pop("options", {}))
    raw = {"specialists": SPECIALISTS, "sniper": {"space": "c4", "objectives": (1, 8)}, **position}
    table = GAME.position(grid(), options, raw, Chance(Random(0)))[TABLE]
    return GAME.deduction(table), table


def test_late_viewer_knows_whether_the_sniper_has_entered() -> None:
    known, table = asked(sniper={}, pending={"for": "choose-loadout"})
    assert known.spaces(table) == ()
    known, table = asked(turn="defenders")
    assert len(known.spaces(table)) == 48
    assert all_places(known.ground, known.off(known.ground.board).stands) == 0
    known, table = asked(turn="defenders", options={"switches": {"R-05": False}})
    outside = all_places(known.ground, known.off(known.ground.board).stands)
    assert outside.bit_count() == 4
    known, table = asked()
    assert all_places(known.ground, known.off(known.ground.board).stands) == outside


@pytest.mark.rule("MP-SPEC-26", "MP-SHOOT-12")
def test_late_viewer_knows_the_range_of_a_pending_shot() -> None:
    drawn = {"aim": 2, "noise": 0, "recoil": 1, "suppression": 0}
    save = {"for": "save", "units": ["red-1"], "hit": ["red-1"], "by": "shot", "drawn": drawn}
    me = {"space": "c4", "objectives": (1, 8), "acted": True, "moved": True}
    units, medic = {"red-1": "c6", "red-officer": "b6"}, {**SPECIALISTS, "red": {"card": "medic"}}
    medic["yellow"] = {"card": "scout"}
    bag = {"aim": 4, "noise": 2, "recoil": 2}
    known, table = asked(sniper=me, units=units, specialists=medic, bag=bag, pending=save)
    dead = known.after(table, e.Killed("red-1", "shot"))
    shot_from = known.ground.spaces(all_places(known.ground, dead.stands))
    assert shot_from == tuple(sorted(words("a6 b6 c4 c5 c6 c7 c8 d6 e6")))


@pytest.mark.rule("MP-LOOT-01", "MP-LOOT-03")
def test_late_viewer_counts_looted_spaces() -> None:
    """Two of the nine numbered spaces are the sniper's own, so the seventh looted space is the last."""
    numbered = [space for number, space in sites_of(grid()).objectives.items() if number not in (1, 8)]
    for number in (5, 6, 7):
        me = {"space": "c4", "objectives": (1, 8), "looted": numbered[:number]}
        known, table = asked(sniper=me)
        for left in range(7 - number, -1, -1):
            known = known.after(table, e.Looted())
            assert bool(known.spaces(table)) == bool(left)
            known = known.after(table, e.TurnEnded("sniper"))


def test_late_viewer_knows_objectives_from_completed_and_shown_ones() -> None:
    done = {"space": "c4", "objectives": (1, 8), "completed": (1,)}
    assert asked(sniper=done)[0].objectives() == (1, 4, 5, 6, 7, 8, 9)
    assert asked(sniper=done, shown=9)[0].objectives() == (1, 4, 5, 6, 7, 8)
    assert asked(sniper=done, shown=2)[0].objectives() == (1, 4, 5, 6, 7, 8, 9)
    over = {"winner": "sniper", "reason": "objectives"}
    assert asked(sniper={**done, "completed": (1, 8)}, over=over)[0].objectives() == (1, 8)


def test_sight_sets_grow_with_distance() -> None:
    """From f8 along its row over water, no space two away can be entered."""
    ground = ground_of(grid(kinds={"f7": "water", "f6": "water", "e8": "enclosed"}), False)
    seen = [ground.spaces(ground.within("f8", distance)) for distance in (1, 2, 3)]
    assert seen == [("e8", "f8"), ("e8", "f8"), ("e8", "f5", "f8")]


def test_objective_excludes_arrows_of_its_sector() -> None:
    game, _ = fresh(grid(), 4)
    known = game.known
    assert known.spaces(game.table) == ()
    assert known.objectives() == (1, 2, 3, 4, 5, 6, 7, 8, 9)
    shown = known.after(game.table, e.ObjectiveShown(9))
    assert shown.objectives() == (1, 2, 3, 4, 5, 6, 7, 8)


@pytest.mark.rule("MP-TURN-10")
def test_final_log_shows_the_sniper_s_last_space() -> None:
    end = e.TurnEnded("sniper"), e.GameOver("defenders", "countdown")
    assert Located("c4").hears(*end, e.Opened(((2, "c6"), (1, "c5")), (1, 8), (), ())) == words("c5")
    unknown = Located("c4").hears(*end)
    assert len(unknown) > 1
    assert Located("c4").hears(*end, e.Opened((), (1, 8), (), ())) == unknown


def test_map_tables_are_built_once_per_map() -> None:
    board, same_looking = grid(), grid()
    assert ground_of(board, False) is ground_of(board, False)
    assert ground_of(board, False) is not ground_of(same_looking, False)
    assert ground_of(board, False) is not ground_of(board, True)


@pytest.mark.parametrize(("carded", "face_down", "masked"), [(False, [], False), (True, ["sound-masking"], True)])
def test_described_turn_has_a_masked_movement_only_if_a_card_was_laid(
    carded: bool, face_down: list[str], masked: bool
) -> None:
    board = maps.load("launch-facility")
    position = {"sniper": {"space": "W1", "carded": carded, "face_down": face_down}}
    view = GAME.position(board, GAME.read_options(None), position, Chance(Random(0)))[TABLE]
    ground = ground_of(board, False)
    spots = [spaces_by_state(ground, stood)[1] for stood in Whereabouts.begin(view).stands]

    assert any(spots) is masked
