"""SPEC: the six specialists and their abilities."""

from __future__ import annotations

from typing import Any

import pytest

from engine.refusal import NotUnderstood
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from games.sniper_elite.rules.commands import Ability, Attack
from games.sniper_elite.rules.specialists import SPECIALISTS as KINDS
from games.sniper_elite.rules.words import START_BAG, UNITS
from tests.games.sniper_elite.duel import ALL, Duel, defenders_turn, kinds, sniper_turn, viewers
from tests.toys import grid, t1

OTHERS = ("scout", "medic", "jaeger")


def red_with(card: str, **more: Any) -> dict[str, Any]:
    """Return the red squad with a specialist, and two others for yellow and black."""
    one, other, *_ = [name for name in OTHERS if name != card]
    return {"red": {"card": card, **more}, "yellow": {"card": one}, "black": {"card": other}}


def hunting(card: str, space: str = "f8", **more: Any) -> Duel:
    """Return the defenders' turn.

    Red has the specialist, its officer on c4 in the yellow sector, and a soldier on b6.
    """
    standard = {"units": {"red-officer": "c4", "red-1": "b6", "black-1": "e2"}, "specialists": red_with(card)}
    return defenders_turn(space, **{**standard, **more})


def under_fire(**more: Any) -> Duel:
    """Return the sniper's turn on c1 against the red medic.

    Soldiers of two squads are in the row, the officer is far away.
    """
    units = {"red-1": "c2", "red-2": "c3", "black-1": "c4", "red-officer": "f8"}
    return sniper_turn("c1", **{"units": units, "specialists": red_with("medic"), "hand": ["trench-gun"], **more})


def uses(duel: Duel, squad: str = "red") -> int:
    """Return how many uses a squad's specialist has left."""
    return duel.table.specialists[squad].uses


USED: dict[str, dict[str, Any]] = {
    "kennel-master": {"squad": "red"},
    "scout": {"squad": "red", "unit": "red-1", "to": "a1"},
    "radio-operator": {"squad": "red", "unit": "black-2", "space": "c5"},
}
"""Fields for the use of each independent ability by the red squad of `hunting`."""
AIMED: dict[str, dict[str, Any]] = {
    "jaeger": {"unit": "red-officer", "space": "c5", "use": "jaeger"},
    "sniper": {"unit": "red-officer", "space": "c6", "draw": 3, "use": "sniper"},
}
"""The same for the abilities that change an attack."""


def use(duel: Duel, card: str) -> None:
    """Use the red specialist as in the tables above."""
    if card in USED:
        duel.defenders.does("ability", **USED[card])
    else:
        duel.defenders.does("attack", **AIMED[card])


def refused(duel: Duel, card: str, rule: str) -> None:
    """Assert that this use is refused and not listed."""
    with duel.refuses(rule):
        use(duel, card)
    assert not any(offer.squad == "red" for offer in duel.defenders.menu(Ability))
    assert not any(offer.use is not None for offer in duel.defenders.menu(Attack))


# --- using an ability -------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SPEC-01", "MP-DEF-08")
@pytest.mark.parametrize("card", [*USED, *AIMED])
def test_each_specialist_works_twice_in_a_game(card: str) -> None:
    for left in (2, 1):
        duel = hunting(card, specialists=red_with(card, uses=left))
        use(duel, card)
        assert uses(duel) == left - 1
    spent = hunting(card, specialists=red_with(card, uses=0))
    refused(spent, card, "MP-SPEC-01")
    assert uses(spent) == 0


@pytest.mark.rule("MP-SPEC-02")
@pytest.mark.parametrize("card", [*USED, *AIMED])
def test_officer_can_be_outside_its_own_sector(card: str) -> None:
    duel = hunting(card)
    assert duel.truth.sector_of(str(duel.truth.officer_at("red"))) == "yellow"
    use(duel, card)
    assert uses(duel) == 1


@pytest.mark.rule("MP-SPEC-03", "R-66")
@pytest.mark.parametrize("card", list(USED))
def test_no_ability_without_the_officer_on_the_board(card: str) -> None:
    duel = hunting(card, units={"red-1": "b7", "black-1": "e2"})
    refused(duel, card, "MP-SPEC-03")
    duel.defenders.deploy("red-officer", "b6")
    assert uses(duel) == 2
    assert any(offer.squad == "red" for offer in duel.defenders.menu(Ability)), "it works again with the officer"


@pytest.mark.rule("MP-SPEC-04")
@pytest.mark.parametrize("card", [*USED, *AIMED])
def test_specialist_is_used_once_a_turn(card: str) -> None:
    duel = hunting(card, used=["red"])
    refused(duel, card, "MP-SPEC-04")
    fresh = hunting(card)
    use(fresh, card)
    assert fresh.truth.used == ("red",)
    fresh.defenders.ends_turn()
    assert fresh.truth.used == ()


@pytest.mark.rule("MP-SPEC-05")
@pytest.mark.parametrize("card", list(AIMED))
def test_attack_ability_is_not_an_act_of_its_own(card: str) -> None:
    duel = hunting(card)
    with duel.refuses("MP-SPEC-05"):
        duel.defenders.use("red")
    for other in USED:
        with hunting(other).refuses("MP-SPEC-05"):
            hunting(other).defenders.strike("red-officer", "c5", other)


@pytest.mark.rule("MP-SPEC-05", "MP-SETUP-18")
def test_only_the_specialist_s_officer_aims_with_it() -> None:
    duel = hunting("jaeger")
    for unit, space in {"red-1": "b5", "black-1": "e3"}.items():
        with duel.refuses("MP-SETUP-18"):
            duel.defenders.strike(unit, space, "jaeger")
    assert {offer.unit for offer in duel.defenders.menu(Attack) if offer.use} == {"red-officer"}


@pytest.mark.rule("MP-SPEC-06")
def test_soldier_never_counts_as_an_officer() -> None:
    scouting = hunting("scout")
    with scouting.refuses("MP-SPEC-16"):
        scouting.defenders.use("red", unit="red-officer", to="a1")
    calling = hunting("radio-operator")
    for officer in ("black-officer", "yellow-officer"):
        with calling.refuses("MP-SPEC-06"):
            calling.defenders.use("red", unit=officer, space="c5")
    saving = under_fire(units={"red-officer": "c2", "red-1": "f8"})
    saving.sniper.shoots("red-officer", aim=1)
    assert saving.truth.pending is None


@pytest.mark.rule("MP-SPEC-07", "MP-INTEL-04")
def test_soldier_barred_by_the_scout_does_not_bar_intel() -> None:
    duel = hunting("scout", units={"red-officer": "b6", "red-1": "c6"})
    duel.defenders.use("red", unit="red-1", to="a1")
    duel.defenders.gather_intel("red")
    assert duel.defenders.knows[-1] == events.Intel("red", False)


@pytest.mark.rule("MP-INTEL-06", "MP-DEF-08", "R-55")
@pytest.mark.parametrize("card", list(USED))
def test_ability_needs_no_cube_and_can_come_at_any_time(card: str) -> None:
    units = {"red-officer": "b6", "red-1": "c6"}
    space = {"radio-operator": {"space": "b5"}}.get(card, {})
    after_intel = hunting(card, units=units)
    after_intel.defenders.gather_intel("red")
    after_intel.defenders.does("ability", **{**USED[card], **space})
    before = hunting(card, units=units)
    before.defenders.does("ability", **{**USED[card], **space})
    assert before.table.squads["red"].left == 2
    before.defenders.gather_intel("red")
    late = hunting(card, units={**units, "red-2": "a6"})
    late.defenders.spot("red-2", "a5")
    late.defenders.sweep("red-2", "a5", "a7")
    late.defenders.does("ability", **{**USED[card], **space})
    assert uses(late) == 1


FORMS: list[dict[str, str]] = [{}, {"unit": "red-1", "to": "a1"}, {"unit": "red-1", "space": "c5"}]
"""Fields for an ability besides its squad."""
NO_FORMS: list[dict[str, str]] = [
    {"unit": "red-1"},
    {"to": "a1"},
    {"space": "c5"},
    {"space": "c5", "to": "a1"},
    {"unit": "red-1", "space": "c5", "to": "a1"},
]


@pytest.mark.rule("MP-SPEC-10", "MP-SPEC-16", "MP-SPEC-19")
@pytest.mark.parametrize(
    ("card", "rule", "words"),
    [
        ("kennel-master", "MP-SPEC-10", "red squad has the Kennel Master: name neither"),
        ("scout", "MP-SPEC-16", "red squad has the Scout: name a soldier and the space where it goes"),
        ("radio-operator", "MP-SPEC-19", "red squad has the Radio Operator: name a soldier and the space"),
    ],
)
def test_ability_of_another_card_is_refused(card: str, rule: str, words: str) -> None:
    duel = hunting(card)
    own = set(USED[card]) - {"squad"}
    others = [form for form in FORMS if set(form) != own]
    assert len(others) == 2
    for form in others:
        with duel.refuses(rule, words):
            duel.defenders.does("ability", squad="red", **form)
    duel.defenders.does("ability", **USED[card])
    with duel.refuses("MP-SPEC-04"):
        duel.defenders.does("ability", squad="red", **others[0])


@pytest.mark.parametrize("card", [*USED, "jaeger", "medic"])
@pytest.mark.parametrize("form", NO_FORMS)
def test_invalid_fields_of_an_ability_are_not_understood(card: str, form: dict[str, str]) -> None:
    with pytest.raises(NotUnderstood, match="squad alone, or squad, unit and to, or squad, unit and space"):
        hunting(card).defenders.does("ability", squad="red", **form)


def test_incomplete_aimed_attack_is_not_understood() -> None:
    for card, unclear, wanted in (
        ("jaeger", {}, "the Jaeger names: unit, use, space"),
        ("jaeger", {"space": "c5", "draw": 2}, "the Jaeger names: unit, use, space"),
        ("sniper", {"space": "c5"}, "the Sniper names: unit, use, space, draw"),
        ("sniper", {"draw": 2}, "the Sniper names: unit, use, space, draw"),
    ):
        duel = hunting(card)
        with pytest.raises(NotUnderstood, match=wanted):
            duel.defenders.does("attack", unit="red-officer", use=card, **unclear)


def test_attack_on_another_space_needs_a_specialist() -> None:
    duel = hunting("jaeger")
    for more in ({"space": "c5"}, {"draw": 2}):
        with duel.refuses("MP-ACT-06"):
            duel.defenders.does("attack", unit="red-officer", **more)
    with pytest.raises(NotUnderstood):
        duel.defenders.strike("red-officer", "c5", "butcher")


# --- Jaeger -----------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SPEC-08", "R-51", "R-83")
def test_jaeger_attacks_any_adjacent_enterable_space() -> None:
    board = grid(kinds={"c3": "enclosed", "b4": "elevated", "d4": "water"})
    duel = hunting("jaeger", board=board)
    aims = {offer.space for offer in duel.defenders.menu(Attack) if offer.use == "jaeger"}
    assert aims == {"c3", "b4", "c5"}
    for space in ("c4", "d4", "c6", "d5"):
        with duel.refuses("MP-SPEC-08"):
            duel.defenders.strike("red-officer", space, "jaeger")


@pytest.mark.rule("MP-SPEC-09", "R-47")
def test_jaeger_hit_is_a_wound_like_any_other() -> None:
    duel = hunting("jaeger", space="c5", units={"red-officer": "c4", "black-1": "c5"})
    duel.defenders.attack("black-1")
    duel.defenders.strike("red-officer", "c5", "jaeger")
    assert duel.truth.over is not None
    assert duel.truth.over.reason == "wounds"
    assert duel.truth.bag == START_BAG


# --- Kennel Master ----------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SETUP-06")
@pytest.mark.parametrize(("card", "rule"), [("scout", "MP-SPEC-16"), ("radio-operator", "MP-SPEC-19")])
def test_dogs_need_the_kennel_master(card: str, rule: str) -> None:
    duel = hunting(card)
    with duel.refuses(rule):
        duel.defenders.use("red")
    assert Ability("red") not in duel.defenders.menu(Ability)


@pytest.mark.rule("MP-SPEC-11", "MP-SPEC-12", "MP-SPEC-13", "MP-NOISE-01", "R-22")
@pytest.mark.parametrize(
    ("path", "barks"),
    [
        (["a2", "a3"], True),
        (["a3", "a4"], True),
        (["a2", "a3", "a4"], True),
        (["a1", "a2"], False),
        (["a1", "a2", "d1"], False),
    ],
)
def test_ex62_to_ex65_dog_barks_when_the_sniper_comes_near(path: list[str], barks: bool) -> None:
    duel = sniper_turn(path[0], t1(), objectives=[1, 2], units={}, dogs=["a3"])
    duel.sniper.moves(*path[1:])
    assert duel.defenders.knows == ([events.Barked(("a3",))] if barks else [])


@pytest.mark.rule("MP-INFO-17", "R-22", "MP-SPEC-12")
def test_bark_names_the_dog_but_no_direction_or_length() -> None:
    coming = sniper_turn("c2", units={}, dogs=["c3", "f1"])
    going = sniper_turn("c3", units={}, dogs=["c3", "f1"])
    passing = sniper_turn("c2", units={}, dogs=["c3", "f1"])
    coming.sniper.moves("c3")
    going.sniper.moves("d3", "e3", "f3")
    passing.sniper.moves("c3", "c4")
    assert coming.defenders.knows == going.defenders.knows == passing.defenders.knows == [events.Barked(("c3",))]
    assert viewers(coming, events.Barked) == set(ALL)
    both = sniper_turn("c2", units={"red-1": "d3"}, dogs=["c3", "c4"])
    both.sniper.moves("c3", "c4")
    assert both.defenders.knows == [events.Alerted(("red-1",)), events.Barked(("c3", "c4"))]


@pytest.mark.rule("MP-NOISE-11", "MP-SPEC-12")
def test_dog_on_the_entry_space_barks_at_the_entering_sniper() -> None:
    duel = sniper_turn(None, entry="white", units={}, dogs=["f8"])
    duel.sniper.moves("f8")
    assert duel.defenders.knows == [events.Barked(("f8",))]


@pytest.mark.rule("MP-SPEC-14")
def test_dogs_stay_in_place_and_are_no_targets() -> None:
    duel = sniper_turn("c1", hand=["trench-gun"], units={}, dogs=["c2"])
    assert not any(type(offer).__name__ == "Shoot" for offer in duel.referee.legal("sniper"))
    duel.sniper.plays("trench-gun")
    duel.sniper.blasts()
    assert duel.table.dogs == ("c2",)
    assert "c2" not in UNITS


@pytest.mark.rule("MP-SPEC-15")
def test_dog_stays_when_its_officer_leaves_or_dies() -> None:
    duel = hunting("kennel-master", space="c1", units={"red-officer": "c4", "red-1": "b6"})
    duel.defenders.use("red")
    duel.defenders.move("red-officer", "c3")
    duel.defenders.ends_turn()
    duel.sniper.shoots("red-officer", aim=2)
    assert duel.units("red-officer") == (None,)
    assert duel.table.dogs == ("c4",)
    duel.sniper.ends_turn()
    duel.defenders.ends_turn()
    duel.sniper.moves("c2", "c3", "c4")
    assert duel.defenders.knows[-1] == events.Barked(("c4",))


@pytest.mark.rule("R-58", "MP-MAP-06")
def test_dog_does_not_occupy_its_space() -> None:
    duel = hunting("kennel-master", units={"red-officer": "c4", "red-1": "c5"}, dogs=["c6"])
    duel.defenders.move("red-1", "c6")
    assert duel.units("red-1") == ("c6",)
    walker = sniper_turn("c5", units={}, dogs=["c6"])
    walker.sniper.moves("c6")
    assert walker.truth.mine.space == "c6"


# --- Scout ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("R-56", "MP-DEF-09")
def test_scout_can_end_on_the_sniper_unnoticed() -> None:
    there, away = hunting("scout", space="e7"), hunting("scout", space="f8")
    for duel in (there, away):
        duel.defenders.use("red", unit="red-1", to="e7")
    assert there.defenders.knows == away.defenders.knows


@pytest.mark.rule("MP-SPEC-17")
def test_scout_cannot_move_a_unit_off_the_board() -> None:
    duel = hunting("scout")
    with duel.refuses("MP-SPEC-17"):
        duel.defenders.use("red", unit="red-2", to="a1")
    assert {offer.unit for offer in duel.defenders.menu(Ability)} == {"red-1"}


@pytest.mark.rule("MP-SPEC-18")
@pytest.mark.parametrize("act", ["move", "attack", "spot", "sweep", "deploy"])
def test_ex108_soldier_that_acted_is_not_scouted(act: str) -> None:
    duel = hunting("scout", done={"red-1": [act]}, squads={"red": {"left": 1}})
    with duel.refuses("MP-SPEC-18"):
        duel.defenders.use("red", unit="red-1", to="a1")
    assert duel.defenders.menu(Ability) == []


@pytest.mark.rule("MP-SPEC-18")
def test_ex108_real_action_bars_scouting_too() -> None:
    duel = hunting("scout")
    duel.defenders.spot("red-1", "b5")
    with duel.refuses("MP-SPEC-18"):
        duel.defenders.use("red", unit="red-1", to="a1")


# --- Radio Operator ---------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SPEC-19", "MP-SPEC-20", "R-57")
def test_ex105_radio_deploys_any_soldier_next_to_any_officer() -> None:
    specialists = red_with("radio-operator")
    duel = defenders_turn("w2", t1(), objectives=[1, 2], units={"red-officer": "a5"}, specialists=specialists)
    assert {offer.unit for offer in duel.defenders.menu(Ability)} == {
        *("yellow-1", "yellow-2", "red-1", "red-2", "black-1", "black-2"),
    }
    duel.defenders.use("red", unit="black-1", space="a4")
    assert duel.defenders.knows == [events.Deployed("black-1", "a4", "radio-operator")]
    assert {squad: turn.left for squad, turn in duel.table.squads.items()} == {"yellow": 2, "red": 2, "black": 2}


@pytest.mark.rule("R-57", "R-64")
def test_radioed_soldier_can_act_with_its_own_squad_s_cubes() -> None:
    duel = hunting("radio-operator")
    duel.defenders.use("red", unit="black-2", space="c5")
    duel.defenders.move("black-2", "c6")
    duel.defenders.attack("black-2")
    assert (duel.table.squads["black"].left, duel.table.squads["red"].left) == (0, 2)


@pytest.mark.rule("MP-SPEC-21")
def test_ex106_soldier_that_started_on_the_board_is_not_radioed() -> None:
    duel = hunting("radio-operator", off=["yellow-1"])
    assert {offer.unit for offer in duel.defenders.menu(Ability)} == {"yellow-1"}
    with duel.refuses("MP-SPEC-21"):
        duel.defenders.use("red", unit="red-2", space="c5")
    killed = sniper_turn("c1", units={"red-1": "c2", "red-officer": "b6"}, specialists=red_with("radio-operator"))
    killed.sniper.shoots("red-1", aim=1)
    killed.sniper.ends_turn()
    killed.defenders.use("red", unit="red-1", space="b5")
    assert killed.units("red-1") == ("b5",), "a unit killed before the turn was off the board at its start"


@pytest.mark.rule("R-62", "MP-ACT-18")
def test_dismissed_soldier_does_not_return_by_radio_this_turn() -> None:
    duel = hunting("radio-operator", units={"red-officer": "b6"})
    duel.defenders.deploy("red-1", "b5")
    duel.defenders.dismiss("red-1")
    with duel.refuses("MP-ACT-18"):
        duel.defenders.use("red", unit="red-1", space="b5")
    assert "red-1" not in {offer.unit for offer in duel.defenders.menu(Ability)}


@pytest.mark.rule("MP-SPEC-22", "R-54")
def test_ex107_radio_is_used_before_the_officer_moves() -> None:
    duel = hunting("radio-operator")
    duel.defenders.move("red-officer", "c5")
    assert duel.defenders.menu(Ability) == []
    with duel.refuses("MP-SPEC-22"):
        duel.defenders.use("red", unit="black-2", space="c4")
    first = hunting("radio-operator")
    first.defenders.use("red", unit="black-2", space="c5")
    first.defenders.move("red-officer", "c3")


# --- sniper specialist ------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SPEC-23", "R-52", "MP-BAG-10", "MP-INFO-18")
def test_ex103_sniper_specialist_shoots_by_the_sniper_s_rules() -> None:
    bag = {"aim": 3, "noise": 3, "recoil": 1}
    duel = hunting("sniper", space="c6", bag=bag)
    duel.defenders.strike("red-officer", "c6", "sniper", aim=3, noise=1, recoil=0)
    assert duel.defenders.knows == [
        events.ShotDeclared(4),
        events.Drew({"aim": 3, "noise": 1, "recoil": 0, "suppression": 0}),
        events.Attacked("red-officer", "c6", True),
        events.Revealed("c6", "attack"),
        events.Wounded(1),
    ]
    assert duel.truth.bag == {**bag, "suppression": 0}
    assert duel.truth.drawn is None


@pytest.mark.rule("MP-SPEC-23", "MP-INFO-18", "R-53")
@pytest.mark.parametrize(
    "drawn", [{"aim": 2, "noise": 2, "recoil": 3}, {"aim": 1, "noise": 1}], ids=["misfire", "miss"]
)
def test_ex104_miss_or_misfire_reveals_nothing_about_the_space(drawn: dict[str, int]) -> None:
    there, away = hunting("sniper", space="c6"), hunting("sniper", space="f8")
    for duel in (there, away):
        duel.defenders.strike("red-officer", "c6", "sniper", **drawn)
        assert duel.defenders.knows[-1] == events.Attacked("red-officer", "c6", None)
        assert duel.truth.wounds == 0
        assert duel.truth.bag == START_BAG
    assert there.defenders.knows == away.defenders.knows


@pytest.mark.rule("MP-SPEC-24", "R-52")
def test_ex102_draw_has_at_most_seven_tokens() -> None:
    duel = hunting("sniper")
    aims = {offer.draw for offer in duel.defenders.menu(Attack) if offer.space == "c6"}
    assert aims == set(range(2, 8))
    with duel.refuses("MP-SPEC-24"):
        duel.defenders.does("attack", unit="red-officer", space="c6", draw=8, use="sniper")
    with duel.refuses("MP-SHOOT-05"):
        duel.defenders.does("attack", unit="red-officer", space="c6", draw=1, use="sniper")
    poor = hunting("sniper", bag={"aim": 2})
    for draw in (3, 7):
        with poor.refuses("MP-SHOOT-06"):
            poor.defenders.does("attack", unit="red-officer", space="c6", draw=draw, use="sniper")
    assert {offer.draw for offer in poor.defenders.menu(Attack) if offer.space == "c6"} == {2}
    poorer = hunting("sniper", bag={"aim": 1})
    with poorer.refuses("MP-SHOOT-06"):
        poorer.defenders.does("attack", unit="red-officer", space="c6", draw=2, use="sniper")


@pytest.mark.rule("MP-SPEC-25", "R-54")
def test_sniper_specialist_is_used_before_the_officer_moves() -> None:
    duel = hunting("sniper")
    duel.defenders.strike("red-officer", "c6", "sniper", aim=3)
    duel.defenders.move("red-officer", "c5")
    late = hunting("sniper")
    late.defenders.move("red-officer", "c5")
    refused(late, "sniper", "MP-SPEC-25")
    assert Attack("red-officer") in late.defenders.menu(Attack), "the plain attack is still legal"


# --- Medic ------------------------------------------------------------------------------------------------------


@pytest.mark.rule("MP-SPEC-26", "MP-INFO-19", "R-59", "R-84")
def test_medic_saves_a_soldier_that_was_shot() -> None:
    duel = under_fire()
    duel.sniper.shoots("red-1", aim=1, noise=2)
    assert duel.referee.to_act == ("defenders",)
    assert kinds(duel.defenders.knows) == ["ShotDeclared", "Drew", "Revealed", "Shot", "SaveOffered"]
    duel.defenders.save("red-1")
    assert duel.defenders.knows[-1] == events.Saved("red-1")
    assert viewers(duel, events.Saved) == set(ALL)
    assert duel.units("red-1") == ("c2",)
    assert duel.truth.bag == START_BAG, "no one was killed, so no token is added, and the drawn ones have returned"
    assert (uses(duel), duel.truth.pending, duel.referee.to_act) == (1, None, ("sniper",))


@pytest.mark.rule("MP-SPEC-29", "R-60")
def test_ex59_medic_whose_officer_is_hit_saves_no_one() -> None:
    duel = under_fire(units={"red-1": "c2", "red-officer": "b1"})
    duel.sniper.plays("trench-gun")
    duel.sniper.blasts()
    assert duel.truth.pending is None
    assert duel.units("red-1", "red-officer") == (None, None)


@pytest.mark.rule("MP-INFO-01", "MP-SPEC-01")
def test_specialist_uses_and_texts_are_public() -> None:
    duel = hunting("kennel-master")
    duel.defenders.use("red")
    for viewer in ALL:
        shown = GAME.view(duel.referee.pictures[viewer])["specialists"]["red"]
        assert shown == {"card": "kennel-master", "uses": 1, "suppression": True}
    told = GAME.glossary()["specialists"]
    assert list(told) == list(KINDS)
    assert all(entry["title"] and entry["text"].endswith(".") for entry in told.values())
