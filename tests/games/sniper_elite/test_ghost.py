"""The ghost of Eagle's Nest: what reveals its identity, and that no one can identify it before."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.events import EVERYONE
from engine.game import TABLE
from engine.referee import Referee
from engine.refusal import NotUnderstood, Refused, RuleError
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import ShootSecond
from games.sniper_elite.rules.nest import ALLIES
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite.nest_table import PENS, UNITS, Table, ghost, names
from tests.games.sniper_elite.test_refusals import DEFENDERS

STRANGERS = ("defenders", TABLE)


@pytest.mark.rule("EN-GHO-01", "EN-GHO-02", "EN-R-25", "EN-R-29")
def test_ghost_is_dealt_in_secret() -> None:
    options = GAME.read_options({"nest": {"ally": "ghost"}, "random_setup": True})
    told = list(GAME.setup(PENS, options, Chance(Random(1), [("ally", "AS-SABLE"), ("objectives", [1, 4])])))
    tags = {type(one.event).__struct_config__.tag: one for one in told}
    assert list(tags)[:2] == ["ally-dealt", "bag-loaded"]
    assert not {"ally-dealt", "bag-loaded"} & {tag for tag, one in tags.items() if one.audience == EVERYONE}
    assert tags["loadout-chosen"].event.count is None  # type: ignore[attr-defined]
    assert GAME.luck(told)[0] == ("ally", "AS-SABLE")
    view = ghost("SABLE").view()
    assert (view["ally"], view["bag"], view["supply"]) == (None, None, None)
    assert (view["counts"]["hand"], view["counts"]["loot_deck"]) == (None, None)


@pytest.mark.rule("EN-GHO-03", "EN-GHO-04", "EN-GHO-05", "EN-GHO-06", "EN-GHO-07", "EN-R-09", "EN-R-10", "EN-R-26")
@pytest.mark.parametrize(
    ("table", "act", "trigger", "before"),
    [
        (ghost("KARL", "b4"), {"name": "shoot", "target": "yellow-officer", "draw": 3, "second": 3,
                               "drawn": [{"aim": 3}]}, "special_ability", "shot-declared"),
        (ghost("KARL", "a5"), {"name": "complete", "objective": 4}, "objective", "revealed"),
        (ghost("SABLE", "a4"), {"name": "loot"}, "special_ability", "loot-drawn"),
        (ghost("ANVIL", "b4"), {"name": "shoot", "target": "yellow-officer", "draw": 3,
                                "drawn": [{"aim": 1, "noise": 2}]}, "position", "revealed"),
        (ghost("WREN", "c1"), {"name": "move", "path": ["d1", "d2"]}, "special_ability", "sniper-moved"),
        (ghost("SABLE", "a1", turn="defenders"), {"name": "spot", "seat": "defenders", "unit": "yellow-officer",
                                                  "space": "a1"}, "found", "revealed"),
    ],
)  # fmt: skip
def test_ghost_is_revealed_by_its_triggers(table: Table, act: dict[str, Any], trigger: str, before: str) -> None:
    told = table.act(act["name"], **{name: value for name, value in act.items() if name != "name"})
    place = names(told).index("ghost-revealed")
    revealed, public = told[place]
    assert (revealed["trigger"], public, names(told)[place - 1]) == (trigger, True, before)
    truth, view = table.state(), table.view()
    assert view["bag"] == truth["bag"]
    assert view["ally"] == truth["ally"] == revealed["ally"]
    assert view["counts"]["loot_deck"] == table.view("sniper")["counts"]["loot_deck"]


@pytest.mark.rule("EN-R-11", "EN-R-12")
def test_failed_spot_or_single_shot_does_not_reveal_the_ghost() -> None:
    table = ghost("SABLE", "a1", turn="defenders")
    assert names(table.act("spot", "defenders", unit="yellow-officer", space="b2")) == ["spotted"]
    once = ghost("KARL", "b4")
    told = once.act("shoot", target="yellow-officer", draw=3, drawn=[{"aim": 3}])
    assert "ghost-revealed" not in names(told)
    assert ({"type": "bag-gained", "token": "suppression"}, True) in told
    assert ({"type": "bag-gained", "token": "aim"}, True) not in told
    assert not once.state()["identity_revealed"]


@pytest.mark.rule("EN-R-29")
def test_kill_does_not_reveal_what_a_hidden_bag_gains() -> None:
    """An exhausted supply would identify the ghost."""
    told = ghost("KARL", "b4", units={"yellow-1": "b1"}).act("shoot", target="yellow-1", draw=3, drawn=[{"aim": 3}])
    assert ({"type": "bag-gained", "token": "aim"}, False) in told


@pytest.mark.rule("EN-R-33")
def test_unidentified_ghost_is_shown_at_the_end() -> None:
    table = ghost("WREN", countdown=1)
    told = table.act("end-turn")
    assert names(told)[-3:] == ["game-over", "ghost-revealed", "opened"]
    revealed, public = told[-2]
    assert (revealed["trigger"], revealed["ally"], public) == ("game-over", "AS-WREN", True)
    assert table.view()["ally"] == "AS-WREN"


@pytest.mark.rule("EN-R-16", "EN-GHO-04")
def test_placing_the_miniature_reveals_the_ghost() -> None:
    table = ghost("WREN", "b4", sniper={"active": "trench-gun", "carded": True})
    assert table.view()["sniper"]["miniature"] is None
    told = table.act("shoot")
    place = names(told).index("ghost-revealed")
    assert names(told)[place - 1] == "revealed"
    assert told[place][0]["trigger"] == "position"
    assert table.view()["sniper"]["miniature"] == "b4"
    with pytest.raises(NotUnderstood):
        ghost("WREN", miniature="a1")


@pytest.mark.rule("EN-R-13")
def test_looting_alone_does_not_reveal_the_ghost() -> None:
    table = ghost("KARL", "a4")
    assert names(table.act("loot")) == ["looted", "loot-drawn"]
    assert table.view()["ally"] is None


@pytest.mark.rule("EN-R-15")
def test_number_above_the_secret_bag_is_refused_in_secret() -> None:
    table = ghost("KARL", "b4")
    before = all_seen(table)
    with pytest.raises(Refused) as caught:
        table.act("shoot", target="yellow-officer", draw=11)
    assert caught.value.rule != ""
    assert all_seen(table) == before
    assert max(command["draw"] for command in ghost("ANVIL", "b4").legal("shoot")) == 13


PROBES = [
    {"type": sort, **fields}
    for sort, many in DEFENDERS.items()
    for fields in Random(sort).sample(many, min(4, len(many)))
]
"""Commands that the defenders try. Most are not allowed."""


def all_seen(table: Table) -> str:
    """Return all that strangers have: events, menus, refusals, and the board's lamps."""
    pictures, told = table.referee.pictures, table.referee.told
    return json.dumps(
        [
            [
                [plain(GAME.view(view)), plain(GAME.state(view)), GAME.opening(view), GAME.to_act(view)]
                for view in (pictures[viewer] for viewer in STRANGERS)
            ],
            [
                [msgspec.to_builtins(event), str(GAME.sentence(event)), plain(GAME.details(event))]
                for viewer in STRANGERS
                for event in told[viewer]
            ],
            [
                [plain(cue) for cue in (*GAME.cues(pictures[viewer]), *GAME.placements(pictures[viewer]))]
                for viewer in STRANGERS
            ],
            [[GAME.standing(pictures[viewer]), sorted(GAME.optional(pictures[viewer]))] for viewer in STRANGERS],
            [msgspec.to_builtins(command) for command in table.referee.legal("defenders")],
            [tried(table, probe) for probe in PROBES],
            plain(GAME.foresight(pictures["defenders"], "defenders")),
            GAME.deduction(pictures[TABLE]).spaces(pictures[TABLE]),
        ],
        default=str,
    )


def tried(table: Table, raw: Any) -> str:
    """Return the answer to a command that the defenders try."""
    try:
        command = GAME.read_command("defenders", raw)
        return repr(GAME.check(table.referee.pictures["defenders"], "defenders", command))
    except RuleError as error:
        return f"{error.code} {error.rule} {error.sentence}"


def drawn_of_both(twins: Sequence[Table], number: int, random: Random) -> list[tuple[str, Any]] | None:
    """Return tokens that either bag can give, or None where the bags have too few in common."""
    bags = [twin.state()["bag"] for twin in twins]
    row = [token for token in bags[0] for _ in range(min(bag[token] for bag in bags))]
    if number > len(row):
        return None
    tokens = random.sample(row, number)
    return [("draw", {token: tokens.count(token) for token in bags[0]})]


def common_act(twins: Sequence[Table], random: Random) -> tuple[str, Any, list[tuple[str, Any]]] | None:
    """Return a seat, an act that is legal in both games, and luck that is possible in both."""
    seat = twins[0].referee.to_act[0]
    others = set(map(repr, twins[1].referee.legal(seat)))
    both = [command for command in twins[0].referee.legal(seat) if repr(command) in others]
    sorts = sorted({type(command).__name__ for command in both} - {"Mark", "Unmark"})
    for _ in range(20):
        sort = random.choice(sorts)
        command = random.choice([command for command in both if type(command).__name__ == sort])
        number = getattr(command, "draw", None)
        if isinstance(command, ShootSecond):
            number = twins[0].state()["pending"]["draw"]
        luck = [] if number is None else drawn_of_both(twins, number, random)
        if luck is not None:
            return seat, command, luck
    return None


PLACES = ("c4", "b4", "a4", "b5")


@pytest.mark.rule("EN-GHO-01", "EN-GHO-02", "EN-R-14", "EN-R-15", "EN-R-29", "EN-R-35", "EN-X-03")
@pytest.mark.parametrize("ally", [name.removeprefix("AS-") for name in ALLIES if name != "AS-KARL"])
def test_ghosts_look_the_same_to_everyone_else(ally: str) -> None:
    """Two games differ only in the ghost and the bag, until the reveal."""
    done = Counter[str]()
    for seed, space in enumerate(PLACES):
        random = Random(f"{ally} {seed}")
        hand = ["silenced-ammo", "tommy-gun"]
        units = {**UNITS, "yellow-1": "b2", "red-1": "a3"}
        other = {"sniper": {"hand": hand[: 1 if ally == "SABLE" else 2]}, "units": units}
        twins = (ghost("KARL", space, units=units, sniper={"hand": hand}), ghost(ally, space, **other))
        for _ in range(25):
            assert all_seen(twins[0]) == all_seen(twins[1])
            if (act := common_act(twins, random)) is None:
                break
            seat, command, luck = act
            undone = []
            for twin in twins:
                before = twin.referee.truth
                told = twin.referee.submit(seat, command, Chance(Random(seed), luck))
                undone.append(GAME.retractable(before, told))
            done[type(command).__name__] += 1
            if not all(twin.referee.truth.hidden for twin in twins):
                break
            assert undone[0] == undone[1]
    assert {*done} >= {"Move", "Shoot", "Spot", "EndSniperTurn"}, done


@pytest.mark.rule("EN-R-35")
@pytest.mark.parametrize("ally", [*(name.removeprefix("AS-") for name in ALLIES), "ghost"])
def test_random_games_with_ghosts_stay_consistent(ally: str) -> None:
    """A position reads back the same, and public events never exclude the sniper's space."""
    board, random = PENS, Random(ally)
    options = GAME.read_options({"nest": {"ally": ally if ally == "ghost" else f"AS-{ally}", "gear": True}})
    referee, chance = Referee(GAME, GAME.blank(board, options)), Chance(random)
    referee.tell(GAME.setup(board, options, chance))
    known = GAME.deduction(referee.pictures[TABLE])
    for _ in range(150):
        if not (acting := referee.to_act):
            break
        public, command = referee.pictures[TABLE], random.choice(referee.legal(acting[0]))
        for told in referee.submit(acting[0], command, chance):
            if told.audience == EVERYONE:
                known = known.after(public, told.event)
                public = GAME.fold(public, told.event)
        truth = referee.truth
        assert truth.mine.space is None or truth.mine.space in known.spaces(referee.pictures[TABLE])
        state = plain(GAME.state(truth))
        again = GAME.position(board, options, state, Chance(Random(0)))
        assert plain(GAME.state(again["referee"])) == state
        if ally != "ghost" or truth.hidden:
            assert plain(GAME.view(again["defenders"]))["bag"] == plain(GAME.view(referee.pictures["defenders"]))["bag"]
