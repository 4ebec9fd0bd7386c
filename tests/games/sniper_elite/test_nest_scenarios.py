"""The rule book's worked scenarios of Eagle's Nest on its map TM-1: one a line in `nest.jsonl`, with its games.

Tokens are written by their first letters, and a draw is a word of them. An act with `afresh` starts from the position
again. An act may be refused only where the scenario has `legal`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from engine.game import Game
from engine.referee import Referee
from engine.refusal import Refused
from games import sniper_elite, sniper_elite_solo
from games.sniper_elite_solo.rules.act import Telling, hit
from tests.games.sniper_elite.duel import plain
from tests.games.sniper_elite_solo.ground import tm1

SCENARIOS = [json.loads(line) for line in Path(__file__).with_name("nest.jsonl").read_text("utf-8").splitlines()]
GAMES: dict[str, Game] = {"sniper-elite": sniper_elite.GAME, "sniper-elite-solo": sniper_elite_solo.GAME}
TOKENS = {"A": "aim", "N": "noise", "R": "recoil"}


class Scenario:
    """A scenario being played.

    `told` are all events, `legal` the legality of each act, `known` the identity after each.
    """

    def __init__(self, game: str, raw: Mapping[str, Any]) -> None:
        self.raw, self.solo, self.game = raw, game == "sniper-elite-solo", GAMES[game]
        self.told: list[dict[str, Any]] = []
        self.legal: list[bool] = []
        self.known: list[bool | None] = []
        drawn = [Counter(word) for word in raw.get("draws", [])]
        forced = [("draw", {full: word[short] for short, full in TOKENS.items()}) for word in drawn]
        self.chance = Chance(Random(1), forced)
        self.referee = self.position()

    def position(self) -> Referee:
        """Return the scenario's position."""
        setup = self.raw["setup"]
        ally = None if "ally" not in setup else "ghost" if setup.get("ghost") else setup["ally"]
        options = self.game.read_options({"nest": {"ally": ally, "gear": setup.get("gear", False)}})
        me = {"space": setup.get("sniper", "a1"), "objectives": [4, 7], "hand": setup.get("hand", [])}
        me |= {"moved": setup.get("moved", False)}
        state: dict[str, Any] = {"units": setup.get("units", {}), "turn": setup.get("turn", "sniper"), "sniper": me}
        if setup.get("ghost"):
            state["ally"] = setup["ally"]
        if "bag" in setup:
            state["bag"] = {TOKENS[short]: number for short, number in setup["bag"].items()}
        if self.solo:
            state.pop("turn")
            me |= {"stack": setup["stack"]} if "stack" in setup else {}
        else:
            squads = dict(zip(("yellow", "red", "black"), ("scout", "jaeger", "medic"), strict=True))
            state["specialists"] = {squad: {"card": card} for squad, card in squads.items()}
        referee = Referee(self.game, self.game.position(tm1(setup.get("kinds")), options, state, Chance(Random(1))))
        if "use" in setup:
            command = self.game.read_command("sniper", {"type": "play", "card": setup["use"]})
            referee.submit("sniper", command, self.chance)
        return referee

    def play(self) -> None:
        """Play all acts."""
        for name, fields, *how in self.raw.get("acts", []):
            referee = self.position() if how else self.referee
            if name == "hit":
                act = Telling(referee.truth, self.chance)
                hit(act, "scan")
                referee.tell(act.told)
                continue
            seat = self.raw["setup"].get("turn", "sniper")
            try:
                told = referee.submit(seat, self.game.read_command(seat, {"type": name, **fields}), self.chance)
            except Refused:
                if "legal" not in self.raw["expect"]:
                    raise
                self.legal.append(False)
                continue
            self.legal.append(True)
            self.told += [] if how else [plain(one.event) for one in told]
            self.known.append(plain(self.game.state(referee.truth)).get("identity_revealed"))

    def of(self, kind: str) -> list[dict[str, Any]]:
        """Return the events of a type."""
        return [event for event in self.told if event["type"] == kind]

    def found(self, what: str, wanted: Any) -> Any:
        """Return the result for one expectation, in the scenario's abbreviations."""
        state, view = plain(self.game.state(self.referee.truth)), plain(self.game.view(self.referee.pictures["table"]))
        cards = [*state["sniper"]["hand"], *state["loot_deck"]]
        noisy = [event for event in self.of("sniper-moved") if event.get("noisy")]
        simple = {
            "bag": lambda: {short: state["bag"][full] for short, full in TOKENS.items()},
            "supply": lambda: {short: view["supply"][full] for short, full in TOKENS.items()},
            "loadout_deck": lambda: len(cards),
            "has": lambda: {card: cards.count(card) for card in wanted},
            "results": lambda: [event["result"] for event in self.of("shot")],
            "noise_total": lambda: sum(event["tokens"]["noise"] for event in self.of("drew")),
            "position_revealed": lambda: bool(self.of("revealed")),
            "identity_revealed": lambda: self.known,
            "trigger": lambda: self.of("ghost-revealed")[0]["trigger"],
            "alerted": lambda: [*self.of("alerted"), *noisy],
            "legal": lambda: self.legal,
            "drawn": lambda: len(self.of("loot-drawn")[0]["cards"]),
            "wounds": lambda: state["sniper"]["wounds"],
            "stack": lambda: [token[0].upper() for token in state["sniper"]["stack"]],
        }
        return simple[what]()


@pytest.mark.parametrize(
    ("game", "raw"),
    [
        pytest.param(game, one, id=f"{one['id']} {game}", marks=pytest.mark.rule(*one["rules"]))
        for one in SCENARIOS
        for game in one["games"]
    ],
)
def test_worked_scenario_of_eagles_nest(game: str, raw: dict[str, Any]) -> None:
    scenario = Scenario(game, raw)
    scenario.play()
    assert {what: scenario.found(what, wanted) for what, wanted in raw["expect"].items()} == raw["expect"]


def test_every_scenario_is_included() -> None:
    assert [one["id"] for one in SCENARIOS] == [f"EN-T-{number:02}" for number in range(1, 18)]
