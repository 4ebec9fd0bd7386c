"""The order of refusals: if several rules forbid an act, the error names the first one of the protocol's table."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.protocol_client import Json
from tests.games.snipers_and_assassins.table import playing

OVER = {"over": {"winner": "player-2", "reason": "leader"}}
BUSY: Json = {"acted": ["sniper", "assassin"]}
HALF = {"jump": {"dir": "down", "option": 1}}

LADDER: list[tuple[str, str, Json, Json]] = [
    ("SA-WIN-01", "choose-start", {"space": "AL"}, OVER),
    ("SA-R-46", "choose-start", {"space": "AL"}, {"over": {"winner": None, "reason": "rounds"}}),
    ("SA-SET-05", "choose-start", {"space": "A1"}, {"turn": "player-2"}),
    ("SA-SET-07", "c-walk", {"to": "AR"}, {"turn": "player-2", **BUSY}),
    ("SA-TRN-01", "hold", {"marker": "sniper-2"}, BUSY),
    ("SA-TRN-02", "c-walk", {"to": "AR"}, {**BUSY, "p1": {"recover": True}}),
    ("SA-TRN-02", "walk", {"to": "CR"}, {**BUSY, "p1": {"shot": "fresh"}}),
    ("SA-R-30", "c-walk", {"to": "AR"}, {"p1": {"recover": True, **HALF}}),
    ("SA-R-30", "d-continue", {"to": "AR"}, {"p1": {"recover": True}}),
    ("SA-R-32", "d-fast", {"option": 1, "to": "AR"}, {"p1": HALF}),
    ("SA-R-32", "d-continue", {"to": "AR"}, {}),
    ("SA-R-21", "claymore", {}, {"p1": {"shot": "fresh", "locked": True}}),
    ("SA-R-22", "jump", {"to": "CR"}, {"p1": {"locked": True}}),
    ("SA-IMP-04", "d-fast", {"option": 1, "to": "AR"}, {}),
    ("SA-IMP-04", "d1", {"to": "AR"}, {"card1": "spring"}),
    ("SA-R-47", "b-jump", {"to": "AR", "target": "sniper-1"}, {}),
    ("SA-R-47", "d-continue", {"to": "AR"}, {"p1": HALF}),
    ("SA-R-04", "jump", {"to": "CR"}, {}),
    ("SA-R-40", "a", {"order": "shoot-move", "to": "AL", "target": "sniper-1"}, {}),
    ("SA-R-40", "walk", {"to": "CR", "mine": {"when": "after", "space": "C9"}}, {}),
    ("SA-SNP-01", "a", {"order": "move-shoot", "to": "A2", "target": "sniper-1"}, {}),
    ("SA-SNP-02", "b-walk", {"to": "C4", "target": "sniper-1"}, {}),
    ("SA-SNP-03", "c-jump", {"to": "D4"}, {"S1": "B4"}),
    ("SA-SNP-04", "d1", {"to": "D4", "target": "sniper-1"}, {"S1": "B4"}),
    ("SA-R-32", "d1", {"to": "A4", "target": "sniper-1"}, {"S1": "B4"}),
    ("SA-ASN-01", "walk", {"to": "C9", "mine": {"when": "before", "space": "C9"}}, {}),
    ("SA-R-08", "a", {"order": "move-shoot", "to": "A1", "target": "assassin-1"}, {}),
    ("SA-R-07", "a", {"order": "shoot-move", "to": "A1", "target": "assassin-2"}, {"A2": "A1"}),
    ("SA-R-07", "a", {"order": "move-shoot", "to": "A1", "target": "assassin-2"}, {}),
    ("SA-SHT-01", "a", {"order": "move-shoot", "to": "A1", "target": "assassin-2"}, {"A2": "B9", "healing": True}),
    ("SA-R-66", "a", {"order": "move-shoot", "to": "A1", "target": "assassin-2"}, {"A2": "A3", "healing": True}),
    ("SA-R-28", "walk", {"to": "A1", "mine": {"when": "before", "space": "AL"}}, {}),
    ("SA-R-39", "walk", {"to": "DR", "mine": {"when": "after", "space": "C1"}}, {"A1": "D12"}),
    ("SA-R-27", "plant", {"space": "B4"}, {"A1": "B4", "S1": "B4", "mines2": ["B4"]}),
    ("SA-R-24", "plant", {"space": "B5"}, {"A1": "B4", "S1": "B5", "mines2": ["B5"]}),
    ("SA-R-26", "plant", {"space": "B5"}, {"A1": "B4", "S1": "B5"}),
]


@pytest.mark.parametrize(("rule", "kind", "fields", "parts"), LADDER)
def test_first_rule_that_forbids_is_named(rule: str, kind: str, fields: Json, parts: dict[str, Any]) -> None:
    wanted = dict(parts)
    healing = wanted.pop("healing", False)
    if healing:
        wanted["p2"] = {"shot": "healed"}
    assert playing(2, {"healing": healing}, **wanted).refused(1, kind, **fields) == rule


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("fly", {"to": "A1"}),
        ("c-walk", {}),
        ("c-walk", {"to": "Z9"}),
        ("c-walk", {"to": "E1"}),
        ("c-walk", {"to": "A13"}),
        ("c-walk", {"to": 1}),
        ("c-walk", {"to": "A1", "target": "sniper-2"}),
        ("d2", {"to": "A1", "target": "sniper-2"}),
        ("d-fast", {"option": 3, "to": "A1"}),
        ("d-fast", {"option": 2, "to": "A1", "target": "sniper-2"}),
        ("a", {"order": "move", "to": "A1", "target": "sniper-2"}),
        ("a", {"order": "move-shoot", "to": "A1"}),
        ("a", {"order": "move-shoot", "to": "A1", "target": "leader-2"}),
        ("b-walk", {"to": "A1", "target": None}),
        ("walk", {"to": "A1", "mine": "before"}),
        ("walk", {"to": "A1", "mine": {"when": "now", "space": "A1"}}),
        ("walk", {"to": "A1", "mine": {"when": "after", "space": "Z1"}}),
        ("hold", {"marker": "player-1"}),
        ("claymore", {"to": "A1"}),
    ],
)
def test_unknown_names_are_reported_before_any_rule(kind: str, fields: Json) -> None:
    assert playing(**OVER).refused(1, kind, **fields) is None
    assert playing().refused(2, kind, **fields) is None
