"""The defenders' turn (SO-DEF), returns, the officers' challenges (SO-C, SO-DIF), and the length of a game."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec.structs import replace

from engine.refusal import NotUnderstood
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.cards import CARDS, CHALLENGES, in_use
from games.sniper_elite_solo.rules.options import Options, Parameters, hooks_at, parameters, require_enough_tokens
from games.sniper_elite_solo.rules.turn import refill_slots
from tests.games.sniper_elite_solo.ground import HOME, Table, kinds, new, of, public_events, slots, tm1

rule = pytest.mark.rule
QUIET = ("SC-07", "SC-01", "SC-02")
REST = [name for name in in_use("LF") if name not in QUIET]
FAR = {"black-1": "d8"}


def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    """Remove the steps of all cards."""
    for name, card in CARDS.items():
        monkeypatch.setitem(CARDS, name, replace(card, steps=()))


@rule("SO-DEF-01", "SO-FIN-03", "SO-R-39")
def test_empty_deck_loses_before_the_die() -> None:
    table = Table("c1", only=FAR, deck=[], **slots(*QUIET))
    told = table.act("end-turn")
    assert kinds(told) == ["turn-ended", "game-over", "opened"]
    assert told[1] == {"type": "game-over", "winner": "defenders", "reason": "deck"}
    table.refuses("SO-FIN-03", "end-turn")


@rule("SO-R-40")
def test_empty_deck_lays_no_card() -> None:
    table = Table("c1", only=FAR, lks="white", **slots(*QUIET))
    act = table.doing()
    act.truth = replace(table.truth, deck=(), deck_size=0, resolving=0)
    refill_slots(act)
    assert act.told == []


@rule("SO-R-21", "SO-R-63", "SO-DEF-05")
def test_player_chooses_the_return_space_if_a_cross_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch)
    table = Table("c1", only={**HOME, "yellow-1": None, "yellow-officer": "b1"}, lks="white", sniper={"mines": ["a1"]})
    told = table.act("end-turn")
    assert told[-1] == {"type": "returning", "unit": "yellow-1", "spaces": ["a1", "b2", "c1"]}
    state = table.state()
    assert state["pending"] == {"for": "place-return", "unit": "yellow-1", "spaces": ["a1", "b2", "c1"], "left": 0}
    assert state["round"] == 1
    for act in ({"kind": "end-turn"}, {"kind": "move", "path": ["d1"]}):
        table.refuses("SO-DEF-05", **act)
    table.refuses("SO-R-21", "place-return", space="a3")
    told = table.act("place-return", space="a1")
    assert told == [
        {"type": "returned", "unit": "yellow-1", "space": "a1"},
        {"type": "turn-ended", "seat": "defenders"},
    ]
    table.refuses("SO-DEF-05", "place-return", space="a1")


# --- what the player can look at --------------------------------------------------------------------------------


@rule("SO-R-47", "SO-R-48", "SO-R-69")
def test_table_sees_open_components_but_no_objectives() -> None:
    table = Table("c1", only=FAR, lks="white", discard=["SC-04"], sniper={"mines": ["a1"]})
    shown = table.view("table")
    for part in ("bag", "discard", "possible", "lks", "supply"):
        assert shown[part] == table.view()[part]
        assert shown[part] is not None
    assert shown["sniper"]["stack"]
    assert shown["sniper"]["mines"] == ["a1"]
    assert shown["sniper"]["objectives"] is None
    assert shown["possible"] == [1, 2, 3, 4, 5, 6, 7, 8]


# --- challenges -------------------------------------------------------------------------------------------------


@rule("SO-C-01", "SO-C-02", "SO-DIF-01")
@pytest.mark.parametrize(
    ("challenges", "changed"),
    [
        ({}, {}),
        ({"CH-1": "both"}, {"silent_move_max_difficult": 0, "initial_loadout": 3}),
        ({"CH-1": "benefit"}, {"initial_loadout": 3}),
        ({"CH-2": "both"}, {"returns_per_turn": 2, "kill_recoil_max": 1, "kill_aim_extra": 1}),
        ({"CH-2": "complications"}, {"returns_per_turn": 2, "kill_recoil_max": 1}),
        ({"CH-3": "both"}, {"search_range": 3, "objective_noise": 2, "bag_aim": 7}),
        ({"CH-4": "both"}, {"loot_draw": 4}),
        ({"CH-5": "both"}, {"move_bonus_card": 1, "wound_stack": 2, "first_noise_free": 1}),
        ({"CH-6": "both"}, {"initial_loadout": 1, "deck_cards": 8, "hit_cap": 2}),
        ({"CH-1": "benefit", "CH-6": "complications"}, {"deck_cards": 8}),
    ],
)
def test_each_half_of_a_challenge_changes_its_numbers(challenges: dict[str, Any], changed: dict[str, int]) -> None:
    standard = Parameters()
    wanted = {name: changed.get(name, getattr(standard, name)) for name in Parameters.__struct_fields__}
    found = parameters(GAME.read_options({"challenges": challenges}))
    assert {name: getattr(found, name) for name in Parameters.__struct_fields__} == wanted
    assert all(len(challenge.complications) == 2 for challenge in CHALLENGES.values())


@rule("SO-C-01")
@pytest.mark.parametrize("raw", [{"challenges": {"CH-9": "both"}}, {"challenges": {"CH-1": "all"}}, {"cards": "XX"}, 3])
def test_unknown_options_are_not_understood(raw: Any) -> None:
    with pytest.raises(NotUnderstood):
        GAME.read_options(raw)


@rule("SO-C-03", "SO-R-38")
def test_bag_never_needs_more_tokens_than_exist() -> None:
    assert new(options={"challenges": {"CH-3": "both"}}).view()["supply"] == {"aim": 4, "noise": 5}
    with pytest.raises(ValueError, match="tokens"):
        require_enough_tokens(Parameters(bag_recoil=4))


@rule("SO-C-04", "SO-R-71", "SO-MOV-03")
def test_houndmaster_hears_one_step_onto_difficult_ground() -> None:
    options = {"challenges": {"CH-1": "complications"}}
    table = Table("d5", only=FAR, lks="black", options=options)
    assert kinds(table.act("move", path=["d6"])) == ["sniper-moved", "hit"]
    easy = Table("d5", only=FAR, lks="black", options=options)
    assert kinds(easy.act("move", path=["c5"])) == ["sniper-moved"]


@rule("SO-R-67")
def test_houndmaster_scans_at_end_of_turn_with_a_low_deck(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch)
    options = {"challenges": {"CH-1": "both"}}
    for left, scans in ((5, 1), (6, 0)):
        table = Table(
            "c7",
            only={"black-1": "c8", "black-2": None, "black-officer": None},
            lks="black",
            options=options,
            deck=REST[:left],
        )
        told = kinds(table.act("end-turn"))
        assert told.count("scanned") == scans
        if scans:
            assert told.index("slotted") < told.index("scanned") < told.index("returned")


@rule("SO-C-04", "SO-R-67")
def test_field_surgeon(monkeypatch: pytest.MonkeyPatch) -> None:
    quiet(monkeypatch)
    options = {"challenges": {"CH-2": "both"}}
    units = {**HOME, "yellow-1": None, "yellow-2": None, "yellow-officer": "b1"}
    table = Table("a8", only=units, lks="white", options=options)
    told = table.act("end-turn", chance=[("die", 1), ("snafu", ["yellow-1", "b1"])])
    assert told[-1]["type"] == "returning"
    assert table.state()["pending"]["left"] == 1
    told = table.act("place-return", space="a1")
    assert kinds(told) == ["returned", "returning"]
    assert table.state()["pending"] == {"for": "place-return", "unit": "yellow-2", "spaces": ["b2", "c1"], "left": 0}
    assert kinds(table.act("place-return", space="c1")) == ["returned", "turn-ended"]
    assert table.truth.returns == 0
    stack = {"stack": ["recoil", "recoil"]}
    bag = {"aim": 6, "noise": 2, "recoil": 5}
    hit = Table("a1", only={"yellow-1": "a2", **FAR}, options=options, sniper=stack, bag=bag)
    hit.act("shoot", target="yellow-1", draw=1, chance=[("draw", {"aim": 1})])
    assert [command.get("count") for command in hit.legal()] == [None, 1, None]
    assert hit.act("after-hit", option="aim") == [{"type": "after-hit", "option": "aim", "count": 2}]


@rule("SO-R-67")
def test_marksman_and_signals_officer() -> None:
    options = {"challenges": {"CH-3": "complications", "CH-4": "both"}}
    table = Table("a5", only={"yellow-officer": "a2", "black-1": "c6"}, lks="white", options=options, possible=[4])
    told = table.act("complete", objective=4)
    assert kinds(told)[1:3] == ["bag-gained", "bag-gained"]
    assert kinds(told)[-2:] == ["deck-shuffled", "lks-updated"]
    looting = Table("a2", only=FAR, options=options)
    assert len(of(looting.act("loot"), "loot-drawn")[0]["cards"]) == 4
    urgent = Table(
        "a1",
        only={"yellow-officer": "a4", "red-1": "b8"},
        lks="yellow",
        options=options,
        possible=[],
        **slots("SC-01", "SC-03", "SC-02"),
    )
    told = urgent.act("end-turn", chance=[("die", 1)])
    assert of(told, "searched") == [{"units": ["yellow-officer"]}]
    assert of(told, "hit") == [{"cause": "search", "by": "yellow-officer", "token": "recoil"}], (
        "it sees as far as three"
    )
    assert kinds(told).index("searched") < kinds(told).index("slotted")
    assert len(hooks_at(Options({"CH-4": "benefit"}), "urgent_card_resolved")) == 0


@rule("SO-R-67")
def test_drill_sergeant() -> None:
    options = {"challenges": {"CH-5": "both"}}
    table = Table("d8", only={"red-1": "a8"}, lks="yellow", options=options)
    assert of(table.runs({"do": "move", "who": ["all"], "n": 2, "to": "lks"}), "moved")[0]["to"][1] == "5"
    hurt = Table(
        "a2", only={"yellow-1": "a3"}, options=options, sniper={"stack": []}, bag={"aim": 6, "noise": 4, "recoil": 7}
    )
    told = hurt.act("end-turn")
    assert told[1] == {"type": "wounded", "wounds": 1}
    assert len(hurt.truth.stack) <= 2
    shot = Table("a1", only={"yellow-officer": "a3", "yellow-1": "d1"}, lks="white", options=options)
    told = shot.act("shoot", target="yellow-officer", draw=2, chance=[("draw", {"noise": 2})])
    assert len(of(told, "attracted")) == 1


@rule("SO-R-67", "SO-SET-08", "SO-C-04")
@pytest.mark.parametrize(("challenges", "number"), [({"CH-6": "both"}, 1), ({"CH-1": "benefit"}, 3)])
def test_challenges_change_the_first_loadout(challenges: dict[str, Any], number: int) -> None:
    undealt: list[tuple[str, Any]] = [
        ("urgent", []),
        ("deck", []),
        ("loadout", ["s-mine", "s-mine", "tommy-gun", "s-mine"][:3]),
    ]
    table = new(options={"challenges": challenges}, chance=undealt)
    cards = of(public_events(table.told), "loadout-dealt")[0]["cards"]
    assert len(set(cards)) == len(cards) == number
    assert cards[0] == "s-mine"
    assert table.truth.deck_size == (8 if "CH-6" in challenges else 9)
    assert of(public_events(table.told), "slots-laid")[0]["deck"] == table.truth.deck_size
    capped = Table("a2", only={"yellow-1": "a3"}, options={"challenges": {"CH-6": "benefit"}}, sniper={"hits": 2})
    assert "hit" not in kinds(capped.act("end-turn"))[:1]


@rule("SO-R-68", "SO-D-09")
def test_map_can_define_its_own_marks() -> None:
    board = tm1(marks={"perimeter": {"yellow": {"red": ["a3"], "black": ["b4"]}}})
    table = Table("a1", board=board, only=FAR, lks="yellow", **slots("LF-01", "SC-02", "SC-01"))
    told = table.act("end-turn", chance=[("die", 1)])
    assert of(told, "assignment") == [{"marks": {"red": ["a3"], "black": ["b4"]}}]
