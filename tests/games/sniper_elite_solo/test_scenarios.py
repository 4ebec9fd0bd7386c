"""The rule book's worked scenarios on its map TM-1, one a line in `scenarios.jsonl`.

They use abbreviations: `Y1` is the yellow officer, `Y2` and `Y3` are its soldiers. Tokens and sectors are written by
their first letters (K is black). The referee plays the player's acts. Single steps of the automated side call its rules
directly.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from engine.refusal import Refused
from games.sniper_elite.rules.events import Moved, TurnEnded
from games.sniper_elite_solo import GAME
from games.sniper_elite_solo.rules.act import Telling, do_worst, hit
from games.sniper_elite_solo.rules.cards import CARDS, AnyStep
from games.sniper_elite_solo.rules.events import Deployed
from games.sniper_elite_solo.rules.picture import Picture
from games.sniper_elite_solo.rules.steps import deploy_outcomes, run_steps, walk_outcomes
from games.sniper_elite_solo.rules.turn import play_defenders_turn
from tests.games.sniper_elite_solo.ground import HOME, Table, new, of, public_events, tm1

SCENARIOS = [json.loads(line) for line in Path(__file__).with_name("scenarios.jsonl").read_text("utf-8").splitlines()]
SECTORS = {"Y": "yellow", "R": "red", "K": "black", "W": "white"}
TOKENS = {"A": "aim", "N": "noise", "R": "recoil"}
UNITS = dict(zip(("Y1", "Y2", "Y3", "R1", "R2", "R3", "K1", "K2", "K3"), HOME, strict=True))
LETTERS = {unit: short for short, unit in UNITS.items()}
REWARDING = {"for": "after-hit", "drawn": {}, "noise": 0, "targets": ["yellow-officer"], "draws": []}


def tokens(short: Mapping[str, int]) -> dict[str, int]:
    """Return counts by full names."""
    return {TOKENS[letter]: number for letter, number in short.items()}


class Scenario:
    """A scenario being played. `told` are all of its events."""

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw, self.setup = raw, dict(raw["setup"])
        self.told: list[dict[str, Any]] = []
        self.trace: list[str | None] = []
        self.legal: list[bool] = []
        self.turns = 0
        self.after: Picture | None = None
        self.table = self.fresh() if "new_game" in self.setup else self.described()

    def fresh(self) -> Table:
        undealt = [("urgent", []), ("deck", []), ("loadout", [])]
        table = new(chance=[*undealt, ("objectives", self.setup["objectives"])])
        table.act("choose-entry", sector=SECTORS[self.setup["entry"]])
        return table

    def described(self) -> Table:
        setup = self.setup
        parts: dict[str, Any] = {"sniper": self.sniper()}
        space = setup.get("sniper", "a1")
        if space.startswith("off:"):
            parts["entry"], space = SECTORS[space[-1]], None
        if "lks" in setup:
            parts["lks"] = SECTORS[setup["lks"]]
        if "bag" in setup:
            parts["bag"] = tokens(setup["bag"])
        if "possible" in setup:
            parts["possible"] = setup["possible"]
        units = {UNITS[short]: space for short, space in setup.get("defenders", {}).items()}
        if any(act[0] in ("list_after_hit", "after_hit") for act in self.raw["actions"][:1]):
            parts["pending"], units["yellow-officer"] = REWARDING, None
        return Table(space, board=self.board(), units=units, chance=self.chance(), **parts, **self.cards())

    def sniper(self) -> dict[str, Any]:
        setup = self.setup
        me: dict[str, Any] = {"completed": setup.get("objectives_done", [])}
        me |= {"wounds": setup.get("wounds", 0), "hits": setup.get("turn_hits", 0)}
        me["hand"] = [card.replace("_", "-") for card in setup.get("loadout", [])]
        if "stack" in setup:
            me["stack"] = [TOKENS[letter] for letter in setup["stack"]]
        return me

    def board(self) -> Any:
        marks = {
            name: {
                SECTORS[sector]: {SECTORS[colour]: spaces for colour, spaces in colours.items()}
                for sector, colours in sectors.items()
            }
            for name, sectors in self.setup.get("marks", {}).items()
        }
        return tm1(marks=marks)

    def cards(self) -> dict[str, Any]:
        setup, parts = self.setup, {}
        if "slots" in setup:
            parts["slots"] = [{"card": card, "face": face} for card, face in setup["slots"]]
        named = [card for card, _ in setup.get("slots", [])] + setup.get("deck_top", [])
        free = [name for name, card in CARDS.items() if card.set in ("common", "LF") and name not in named]
        if "deck_top" in setup:
            parts["deck"] = setup["deck_top"]
        elif "deck" in setup:
            number = setup["deck"]
            parts |= {"deck": free[3 : 3 + number], "discard": free[3 + number : 3 + number + setup.get("discard", 0)]}
            parts["slots"] = [{"card": card, "face": "up"} for card in free[:2]]
            parts["slots"] = [*parts["slots"], {"card": free[2], "face": "down"}]
        return parts

    def chance(self) -> list[tuple[str, Any]]:
        found: list[tuple[str, Any]] = []
        for kind, value in self.raw.get("chance", {}).items():
            if kind == "draw":
                found.append(("draw", {token: Counter(value)[letter] for letter, token in TOKENS.items()}))
            elif kind == "die":
                found += [("die", number) for number in value]
            else:
                found.append(("snafu", [UNITS[value], "b1"]))
        return found

    # --- acts -------------------------------------------------------------------------------------------------------

    def play(self) -> None:
        """Play all acts."""
        for name, *arguments in self.raw.get("actions", []):
            getattr(self, f"do_{name}")(*arguments)

    def does(self, act: Telling) -> None:
        self.table.referee.tell(act.told)
        self.told += public_events(act.told)

    def act(self, kind: str, **fields: Any) -> None:
        self.told += self.table.act(kind, **fields)

    def do_hit(self, number: int) -> None:
        act = self.table.doing()
        for _ in range(number):
            if not act.over:
                hit(act, "scan")
        self.does(act)

    def do_move(self, path: list[str]) -> None:
        self.act("move", path=path)

    def do_try_move(self, path: list[str]) -> None:
        try:
            self.described().act("move", path=path)
        except Refused:
            self.legal.append(False)
        else:
            self.legal.append(True)

    def do_shoot(self, target: str, draw: int) -> None:
        self.act("shoot", target=UNITS[target], draw=draw)

    def do_after_hit(self, option: str) -> None:
        name, _, count = option.partition(":")
        self.act("after-hit", option=name, **({"count": int(count)} if count else {}))

    def do_list_after_hit(self) -> None:
        self.trace = [command["option"] for command in self.table.legal()]

    def do_loot(self) -> None:
        self.act("loot")

    def do_loot_keep(self, index: int) -> None:
        self.act("keep", card=self.table.state()["pending"]["cards"][index])

    def do_complete(self, objective: int) -> None:
        self.act("complete", objective=objective)

    def do_use_loadout(self, card: str) -> None:
        self.act("play", card=card.replace("_", "-"))

    def do_end_turn(self) -> None:
        """End the turn, and leave out the defenders' turn."""
        before = self.table.truth
        self.table.act("end-turn", chance=[])
        upto = [one.event for one in self.table.told]
        upto = upto[: upto.index(TurnEnded("sniper")) + 1]
        for event in upto:
            before = GAME.fold(before, event)
        self.after = before
        self.told += [msgspec.to_builtins(event) for event in upto]

    def do_defender_turn(self) -> None:
        act = self.table.doing()
        play_defenders_turn(act)
        self.does(act)

    def do_sniper_pass(self) -> None:
        self.turns += 1

    def do_sniper_pass_defender_turn(self, number: int) -> None:
        for _ in range(number):
            self.turns += 1
            self.do_defender_turn()

    def do_card_step(self, raw: Mapping[str, Any]) -> None:
        self.runs([msgspec.convert(raw, AnyStep)])

    def do_card(self, name: str) -> None:
        self.runs(CARDS[name].steps)

    def runs(self, steps: Iterable[AnyStep]) -> None:
        act = self.table.doing()
        run_steps(act, steps)
        self.does(act)

    def do_deploy(self, unit: str, space: str) -> None:
        act = self.table.doing()
        if outcomes := deploy_outcomes(act.truth, UNITS[unit], space):
            do_worst(act, outcomes, Deployed)
        self.does(act)

    def do_move_def(self, unit: str, n: int, to: str) -> None:
        act = self.table.doing()
        name, _, sector = to.partition(":")
        spaces = act.truth.terrain.sectors[SECTORS[sector]] if sector else (name,)
        if outcomes := walk_outcomes(act.truth, UNITS[unit], spaces, n):
            do_worst(act, outcomes, Moved)
        self.does(act)
        self.trace.append(self.table.where(UNITS[unit]))

    # --- results ----------------------------------------------------------------------------------------------------

    def found(self, what: str, wanted: Any) -> Any:
        """Return the result for one expectation, in the scenario's abbreviations."""
        picture, over = self.after or self.table.truth, self.table.truth.over
        short = {full: letter for letter, full in TOKENS.items()}
        sectors = {full: letter for letter, full in SECTORS.items()}
        hits = of(self.told, "hit")
        simple = {
            "bag": lambda: {short[token]: number for token, number in picture.bag.items()},
            "stack": lambda: [short[token] for token in picture.stack],
            "supply": lambda: {letter: picture.supply(TOKENS[letter]) for letter in wanted},
            "recoil_total": lambda: picture.bag["recoil"] + picture.stack.count("recoil"),
            "possible": lambda: list(picture.possible),
            "lks": lambda: sectors[str(picture.lks)],
            "deck": lambda: picture.deck_size,
            "discard": lambda: list(picture.discard) if isinstance(wanted, list) else len(picture.discard),
            "slots_facedown": lambda: [n for n, slot in enumerate(picture.slots) if slot.face == "down"],
            "slots": lambda: [[slot.card, slot.face] for slot in picture.slots],
            "sniper": lambda: picture.space or f"off:{sectors[str(picture.entry)]}",
            "turn_hits": lambda: picture.hits,
            "wounds": lambda: picture.wounds,
            "result": lambda: over and ("win" if over.winner == "sniper" else "loss"),
            "reason": lambda: over and {"wounds": "second_wound", "deck": "deck_empty"}[over.reason],
            "die_rolled": lambda: bool(of(self.told, "die")),
            "legal": lambda: self.legal,
            "outcome": lambda: of(self.told, "shot")[0]["result"],
            "need": lambda: min(command["draw"] for command in self.shots()),
            "defenders": lambda: {name: picture.units[UNITS[name]] for name in wanted},
            "options": lambda: self.trace,
            "loadout_gain": lambda: len(picture.hand),
            "loot_legal_at": lambda: {space: self.loots_at(space) for space in wanted},
            "trace": lambda: self.trace,
            "hits": lambda: [
                {"cause": one["cause"].replace("-", "_")} | ({"by": LETTERS[one["by"]]} if "by" in asked else {})
                for one, asked in zip(hits, [*wanted, *[{}] * len(hits)], strict=False)
            ],
            "hits_counted": lambda: len(hits),
            "end_turn_hit": lambda: "end-turn" in [one["cause"] for one in hits],
            "on_board": lambda: len(picture.on_board),
            "sniper_turns": lambda: self.turns,
        }
        return simple[what]()

    def shots(self) -> list[dict[str, Any]]:
        """Return the legal shots at the target of the first act."""
        target = UNITS[self.raw["actions"][0][1]]
        return [command for command in self.described().legal("shoot") if command["target"] == target]

    def loots_at(self, space: str) -> bool:
        """Return whether the sniper could loot on another space."""
        raw = {**self.raw, "setup": {**self.setup, "sniper": space, "defenders": {"R1": None}}}
        return bool(Scenario(raw).table.legal("loot"))


@pytest.mark.parametrize(
    "raw", [pytest.param(one, id=one["id"], marks=pytest.mark.rule(*one["rules"])) for one in SCENARIOS]
)
def test_worked_scenario(raw: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    if raw["setup"].get("card_noop"):
        for name, card in CARDS.items():
            monkeypatch.setitem(CARDS, name, replace(card, steps=()))
    scenario = Scenario(raw)
    scenario.play()
    assert {what: scenario.found(what, wanted) for what, wanted in raw["expect"].items()} == raw["expect"]
    assert [one["id"][-2:] for one in SCENARIOS] == [f"{number:02}" for number in range(1, 32)]
