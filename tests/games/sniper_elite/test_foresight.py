"""Foresight: every act that a screen offers is legal or has a reason why not, with the rule that would refuse it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, product
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.game import Command
from engine.graph import Map
from engine.refusal import Refused, RuleError
from engine.text import Text
from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.rules import commands as c
from games.sniper_elite.rules.picture import Picture
from games.sniper_elite.rules.specialists import SOLDIERS, SPECIALISTS
from games.sniper_elite.rules.words import SQUADS, UNITS, officer_of, soldiers_of, squad_of
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.duel import defenders_turn, sniper_turn
from tests.games.sniper_elite.longhand.menu import House
from tests.games.sniper_elite.longhand.random_positions import random_position
from tests.games.sniper_elite.test_longhand import some_options
from tests.toys import grid

WALLED = grid({"b5": "water", "c5": "water", "d6": "enclosed", "d7": "enclosed"}, difficult=["d4", "d5"])
DEEDS = ("move", "spot", "sweep", "attack", "dismiss")
"""The acts of a unit on the board. A unit off the board can be deployed."""
MOST_DRAWN = 8


def specialists_with(red: str = "kennel-master", uses: int = 2) -> dict[str, Any]:
    """Return specialists of the squads, with `red` for the red squad."""
    others = [card for card in ("scout", "sniper", "jaeger") if card != red]
    cards = {"yellow": others[0], "red": red, "black": others[1]}
    return {squad: {"card": card, "uses": uses} for squad, card in cards.items()}


def unit_commands(view: Picture, unit: str, deed: str) -> Iterator[Command]:
    """Yield every possible command for an act of a unit, legal or not."""
    spaces = view.map.spaces
    if deed == "sweep":
        here = view.units[unit]
        around = () if here is None else view.map.adjacent[here]
        yield from (c.Sweep(unit, pair) for size in (0, 1, 2) for pair in combinations(around, size))
    elif deed in ("attack", "dismiss"):
        yield c.Attack(unit) if deed == "attack" else c.Dismiss(unit)
    else:
        kind = {"move": c.MoveUnit, "spot": c.Spot, "deploy": c.Deploy}[deed]
        yield from (kind(unit, space) for space in spaces)


def special_commands(view: Picture, squad: str) -> Iterator[Command]:
    """Yield every possible use of a squad's specialist, legal or not."""
    card, spaces = view.specialists[squad].card, view.map.spaces
    specialist = SPECIALISTS[card]
    if specialist.command is None:
        yield from (c.Ability(squad), *map(c.Save, soldiers_of(squad)))
        return
    named = {"squad": squad} if specialist.command is c.Ability else {"unit": officer_of(squad), "use": card}
    values = {"unit": SOLDIERS, "space": spaces, "to": spaces, "draw": range(MOST_DRAWN)}
    for way in product(*(values[field] for field in specialist.fields)):
        yield specialist.command(**named, **dict(zip(specialist.fields, way, strict=True)))


def on_offer(view: Picture) -> dict[tuple[str, str], list[Command]]:
    """Return the buttons of the defenders' screen with their legal commands, grouped by command data."""
    found: dict[tuple[str, str], list[Command]] = {}
    for command in GAME.legal(view, "defenders"):
        raw = msgspec.to_builtins(command)
        if raw["type"] in ("ability", "save") or raw.get("use"):
            button = ("special", raw.get("squad") or squad_of(raw["unit"]))
        else:
            button = (raw["type"], raw.get("squad") or raw.get("unit") or "")
        found.setdefault(button, []).append(command)
    return found


def buttons(view: Picture) -> Iterator[tuple[tuple[str, str], Any, Iterator[Command]]]:
    """Yield each button with its foresight and all of its commands, legal or not."""
    foreseen = GAME.foresight(view, "defenders")
    for unit in UNITS:
        for deed in DEEDS if view.units[unit] is not None else ("deploy",):
            yield (deed, unit), foreseen["units"][unit].get(deed), unit_commands(view, unit, deed)
    for squad in SQUADS:
        yield ("intel", squad), foreseen["intel"][squad], iter([c.GatherIntel(squad)])
    for squad in view.specialists:
        yield ("special", squad), foreseen["specialists"][squad], special_commands(view, squad)


def refused(view: Picture, seat: str, command: Command) -> str | None:
    """Return the rule that refuses a command."""
    try:
        GAME.check(view, seat, command)
    except Refused as error:
        return error.rule
    except RuleError:
        return None
    raise AssertionError(f"{command} is not refused")


def examine_defenders(view: Picture, seen: Counter[str]) -> None:
    """Assert that each button has legal commands, or a reason whose rule refuses one of its commands."""
    offered = on_offer(view)
    for button, reason, written in buttons(view):
        assert (reason is None) == (button in offered), button
        if reason is not None:
            assert isinstance(reason["why"], Text)
            assert any(refused(view, "defenders", command) == reason["rule"] for command in written), (button, reason)
            seen[f"{button[0]} {reason['rule']} {reason['why'].text}"] += 1


def examine_sniper(view: Picture, seen: Counter[str]) -> None:
    """Assert the same for each card in hand, and that exactly the legal moves and shots are foreseen."""
    legal, foreseen = GAME.legal(view, "sniper"), GAME.foresight(view, "sniper")
    for shown in foreseen["cards"]:
        card = shown["card"]
        plays = [command for command in legal if isinstance(command, c.Play) and command.card == card]
        assert (shown["why"] is None) == bool(plays), card
        if shown["why"] is not None:
            some = c.Play(card, UNITS[0], next(iter(view.map.spaces))) if card == "distraction" else c.Play(card)
            assert refused(view, "sniper", some) == shown["rule"]
            seen[f"{card} {shown['rule']}"] += 1
    moves = [command.path for command in legal if isinstance(command, c.Move)]
    assert [move["path"] for move in foreseen["moves"]] == moves
    begun = {path[:end] for path in moves for end in range(1, len(path))}
    assert {path for path in begun if view.map.spaces[path[-1]].kind != "water"} <= set(moves), (
        "the screen builds a path step by step"
    )
    targets = {command.target for command in legal if isinstance(command, c.Shoot | c.ShootSecond) and command.target}
    assert {shot["target"] for shot in foreseen["shots"] if shot["odds"]} == targets


def played(board: Map, seed: int) -> Counter[str]:
    """Examine a random game after every act. Return the reasons that occurred."""
    seen: Counter[str] = Counter()
    play = RandomGame(GAME, board, seed, some_options(Random(seed)))
    for _ in range(400):
        pictures = play.referee.pictures
        examine_defenders(pictures["defenders"], seen)
        examine_sniper(pictures["sniper"], seen)
        if not play.referee.to_act:
            break
        play.step()
    return seen


def test_every_button_is_legal_or_explained_in_random_games() -> None:
    seen: Counter[str] = Counter()
    for seed in seeds(12, by_day=6):
        seen += played(grid(), seed)
    rules = {reason.split()[1] for reason in seen}
    assert {"MP-TURN-01", "MP-SETUP-21", "MP-DEF-02", "MP-DEF-04", "MP-ACT-20", "MP-SPEC-01", "MP-LOAD-02"} <= rules


def test_every_button_is_legal_or_explained_in_any_position() -> None:
    seen: Counter[str] = Counter()
    for seed in seeds(500):
        random = Random(seed)
        house = House(WALLED, some_options(random))
        pictures = GAME.position(
            WALLED, GAME.read_options(house.options), random_position(house, random), Chance(random)
        )
        examine_defenders(pictures["defenders"], seen)
        examine_sniper(pictures["sniper"], seen)
    rules = {reason.split()[1] for reason in seen}
    assert {"MP-SPEC-17", "MP-SPEC-18", "MP-SPEC-22", "MP-SPEC-25", "MP-SPEC-26", "MP-DIFF-07"} <= rules


@pytest.mark.parametrize("name", maps.offered(GAME))
def test_every_button_is_legal_or_explained_on_every_map(name: str) -> None:
    for seed in seeds(1):
        assert played(maps.load(name), 100 + seed)


BARRED: list[tuple[dict[str, Any], tuple[str, ...], str, str]] = [
    ({"squads": {"red": {"left": 0, "intel": True}}}, ("units", "red-1", "move"), "gathered intel", "MP-DEF-02"),
    ({"squads": {"red": {"left": 0, "intel": True}}}, ("intel", "red"), "gathered intel", "MP-INTEL-02"),
    ({"done": {"red-1": ["move", "spot"]}}, ("units", "red-2", "spot"), "no actions left", "MP-DEF-02"),
    ({"done": {"red-1": ["spot"]}}, ("units", "red-1", "spot"), "done this turn", "MP-DEF-04"),
    ({"done": {"red-1": ["spot"]}}, ("intel", "red"), "takes both actions", "MP-INTEL-02"),
    ({"done": {"red-1": ["scout"]}}, ("units", "red-1", "spot"), "went with the Scout", "MP-SPEC-18"),
    (
        {"units": {"red-1": None}, "done": {"red-1": ["dismiss"]}},
        ("units", "red-1", "deploy"), "left this turn", "MP-ACT-18",
    ),
    (
        {"units": {"red-officer": None, "black-1": "a7"}},
        ("units", "red-officer", "deploy"), "no space for it", "MP-ACT-14",
    ),
    ({"units": {"red-officer": None, "red-1": None}}, ("units", "red-1", "deploy"), "no space for it", "MP-ACT-15"),
    ({"units": {"red-officer": "c1"}}, ("intel", "red"), "its officer is not in its sector", "MP-INTEL-01"),
    ({"units": {"red-officer": None}}, ("specialists", "red"), "its officer is off the board", "MP-SPEC-03"),
    ({"specialists": specialists_with(uses=0)}, ("specialists", "red"), "no uses left", "MP-SPEC-01"),
    ({"used": ["red"]}, ("specialists", "red"), "used this turn", "MP-SPEC-04"),
    ({"dogs": ["a1", "a2"]}, ("specialists", "red"), "not possible now", "MP-SPEC-10"),
    ({"specialists": specialists_with("medic")}, ("specialists", "red"), "helps when a soldier is hit", "MP-SPEC-26"),
    (
        {"specialists": specialists_with("jaeger"), "units": {"red-officer": None}},
        ("specialists", "red"), "its officer is off the board", "MP-ACT-20",
    ),
    (
        {"specialists": specialists_with("jaeger"), "done": {"red-officer": ["attack"]}},
        ("specialists", "red"), "done this turn", "MP-DEF-04",
    ),
    (
        {"specialists": specialists_with("radio-operator"), "done": {"red-officer": ["move"]}},
        ("specialists", "red"), "not possible now", "MP-SPEC-22",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("position", "place", "words", "rule"), BARRED)
def test_reason_is_a_short_text(position: dict[str, Any], place: tuple[str, ...], words: str, rule: str) -> None:
    units = {"red-officer": "a6", "red-1": "b6", "red-2": "c6", **position.pop("units", {})}
    foreseen = GAME.foresight(
        defenders_turn("c1", **{"specialists": specialists_with(), **position}, units=units).defenders.view, "defenders"
    )
    for step in place:
        foreseen = foreseen[step]
    assert foreseen == {"why": words, "rule": rule}


def test_surrounded_unit_has_no_space_to_move_to() -> None:
    around = ["a2", "b1", "b2", "a3", "c1", "b3", "c2", "c3"]
    others = [unit for unit in UNITS if unit != "red-1"]
    units = {"red-1": "a1", **dict(zip(others, around, strict=True))}
    foreseen = GAME.foresight(defenders_turn("d8", units=units).defenders.view, "defenders")
    assert foreseen["units"]["red-1"]["move"] == {"why": "no space for it", "rule": "MP-ACT-02"}


@pytest.mark.rule("MP-DIFF-07", "MP-DIFF-08")
def test_reason_names_a_ban_on_intel() -> None:
    early = defenders_turn("c1", options={"experienced_defenders": ["C"]}, units={"red-officer": "a6"}, round=2)
    one = {"squads": {"black": {"left": 0, "intel": True}}, "units": {"red-officer": "a6"}}
    other = defenders_turn("c1", options={"experienced_defenders": ["D"]}, **one)
    said = [GAME.foresight(duel.defenders.view, "defenders")["intel"] for duel in (early, other)]
    assert said[0]["red"] == {"why": "not in the first two turns", "rule": "MP-DIFF-07"}
    assert said[1]["red"] == {"why": "another squad has asked this turn", "rule": "MP-DIFF-08"}
    assert said[1]["black"] == {"why": "gathered intel", "rule": "MP-DIFF-08"}


def test_remaining_tracking_cubes_are_counted() -> None:
    duel = defenders_turn("c1", marks=["a1", "a2"])
    assert GAME.foresight(duel.defenders.view, "defenders")["marks"] == 8


def test_only_the_medic_can_act_while_a_save_is_offered() -> None:
    duel = sniper_turn("c4", units={"red-1": "c6", "red-officer": "a6"}, specialists=specialists_with("medic"))
    duel.sniper.shoots("red-1", aim=2)
    foreseen = GAME.foresight(duel.defenders.view, "defenders")
    assert foreseen["specialists"]["red"] is None
    first = {"why": "First the defenders decide whether the medic helps.", "rule": "MP-SPEC-26"}
    assert foreseen["specialists"]["black"] == foreseen["units"]["red-1"]["move"] == first
