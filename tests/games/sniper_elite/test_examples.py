"""The rule book's worked examples on its toy map T1.

`examples.jsonl` has one example a line: a position, acts, and the result of the last act. The result is the rule that
refuses it, all events for the defenders (`told`), or the last of them (`told_last`). Without a result, the act is
accepted.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from games.sniper_elite.rules.commands import ChooseEntry, Move
from games.sniper_elite.rules.odds import hits
from tests.games.sniper_elite.duel import Duel, fresh, objectives, plain, sniper_turn
from tests.toys import t1

EXAMPLES = [json.loads(line) for line in Path(__file__).with_name("examples.jsonl").read_text("utf-8").splitlines()]
T1 = t1()


def begin(position: dict[str, Any]) -> Duel:
    """Return the duel of an example. Specialists are without their suppression tokens unless the example gives them."""
    more = dict(position)
    spare = {"yellow": {"card": "medic", "suppression": False}, "black": {"card": "jaeger", "suppression": False}}
    red = {"red": {"card": "scout", "suppression": position.get("bag", {}).get("suppression", 0) < 1}}
    standard = {"objectives": [1, 2], "specialists": {**spare, **red}}
    return sniper_turn(more.pop("sniper"), T1, **{**standard, **more})


def act(duel: Duel, seat: str, action: dict[str, Any], chance: list[Any] | None = None) -> None:
    """Play one act of an example."""
    who = duel.sniper if seat == "sniper" else duel.defenders
    who.does(action["type"], chance, **{name: value for name, value in action.items() if name != "type"})


@pytest.mark.parametrize(
    "example",
    [pytest.param(one, id=one["id"], marks=pytest.mark.rule(*one["rules"])) for one in EXAMPLES],
)
def test_worked_example(example: dict[str, Any]) -> None:
    duel = begin(example["position"])
    *before, last = example["acts"]
    for earlier in before:
        act(duel, *earlier)
    heard = len(duel.defenders.knows)
    if "refused" in example:
        with duel.refuses(example["refused"]):
            act(duel, *last)
        return
    act(duel, *last)
    told = plain(duel.defenders.knows[heard:])
    assert told == example.get("told", told)
    wanted = example.get("told_last", [])
    assert told[len(told) - len(wanted) :] == wanted


@pytest.mark.rule("MP-NOISE-04")
def test_ex05_unalerted_unit_has_no_path_space_next_to_it() -> None:
    duel = begin({"sniper": "a4", "units": {"red-1": "a1"}})
    for path in [offer.path for offer in duel.sniper.menu(Move) if len(offer.path) > 1]:
        walker = begin({"sniper": "a4", "units": {"red-1": "a1"}})
        walker.sniper.moves(*path)
        assert bool(walker.defenders.knows) == ("a2" in path)


@pytest.mark.rule("MP-SHOOT-05", "MP-SHOOT-07")
@pytest.mark.parametrize(
    ("draw", "aim", "hit", "possible"), [(3, 3, True, [1, 2, 3]), (1, 1, True, [1]), (3, 1, False, [2, 3])]
)
def test_ex06_ex19_ex20_public_draw_limits_the_distance(draw: int, aim: int, hit: bool, possible: list[int]) -> None:
    tokens = {"aim": aim, "noise": 0, "recoil": draw - aim, "suppression": 0}
    assert [need for need in range(1, draw + 1) if hits(tokens, need) == hit] == possible


@pytest.mark.rule("MP-TURN-03")
def test_ex97_two_objectives_leave_two_arrows() -> None:
    duel = sniper_turn(None, objectives=(4, 9))
    assert {offer.sector for offer in duel.sniper.menu(ChooseEntry)} == {"black", "yellow"}


@pytest.mark.rule("MP-ACT-12")
def test_ex111_open_difficult_ground_matches_open_ground() -> None:
    assert "d1" in T1.matching["a2"]
    assert "e1" not in T1.matching["a2"]


@pytest.mark.rule("MP-SETUP-10")
def test_ex114_returned_card_goes_under_and_top_card_is_drawn() -> None:
    duel = fresh(chance=objectives(7, 8, 5))
    duel.sniper.returns(7)
    assert duel.sniper.view.mine.objectives == (8, 5)
