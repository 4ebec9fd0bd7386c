"""A loadout card or a specialist is one entry: a copy of the game with one more entry deals, plays and shows it."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from games.sniper_elite.rules.specialists import SPECIALISTS
from games.sniper_elite.rules.words import SEATS

ROOT = Path(__file__).resolve().parents[3]
CARD = """
    "smoke": LoadoutCard(
        Text("Smoke"), 5, Text("Nothing follows."), Text("All see the card."), True, _on_the_board, lasts=True
    ),
}

WEAPONS"""
SPECIALIST = """
    "medic": Medic(),
    "courier": Courier(),
}
"""
COURIER = '''class Courier(Specialist):
    """Brings a soldier of the squad onto any space."""

    title = Text("Courier")
    text = Text("Brings a soldier.")
    how = Text("Choose a soldier, then a space.")
    choice = Text("bring it here")
    confirm = Text("Bring {unit} to {space}")
    command = Ability
    fields = ("unit", "space")
    wrong_fields = ("MP-SPEC-06", Text("Name a soldier and a space."))

    def offers(self, view: Picture, squad: str) -> list[Ability]:
        absent = [unit for unit in soldiers_of(squad) if view.units[unit] is None]
        free = [space for space in view.map.enterable if view.unit_on(space) is None]
        return [Ability(squad, unit, space) for unit in absent for space in free]

    def refusal(self, view: Picture, command: Ability) -> Refused:
        return Refused("MP-SPEC-06", Text("There is no soldier to bring."))

    def effect(self, truth: Picture, command: Ability, chance: Chance) -> Iterator[Told]:
        yield to_all(events.Deployed(str(command.unit), str(command.space), "courier"))

    def example(self, view: Picture, squad: str) -> Ability:
        return Ability(squad, soldiers_of(squad)[0], next(iter(view.map.spaces)))


'''
ADDED = {
    "smoke": ("rules/cards.py", [(r"\n\}\n\nWEAPONS", CARD)]),
    "courier": (
        "rules/specialists.py",
        [
            (r"SPECIALISTS: Final\[", COURIER + "SPECIALISTS: Final["),
            (r"\n    \"medic\": Medic\(\),\n\}\n", SPECIALIST),
        ],
    ),
}
"""New name -> the only file that changes, and the text that is replaced there."""
PLAY = """
import json, sys
from random import Random
import games
from engine.chance import Chance
from engine.referee import Referee
from firmware_host.core import bots
from firmware_host.core import maps

name, section, result = sys.argv[1:]
game, board = games.find("sniper-more"), maps.load("launch-facility")
options = game.read_options({"random_setup": True})
found = {"dealt": 0, "used": 0, "again": 0, "explained": 0}
for seed in range(8):
    chance = Chance(Random(seed))
    pictures = dict(game.blank(board, options))
    # The defenders of odd games play as well as they can without a search; all others play at random.
    kinds = {"sniper": "random", "defenders": "warden" if seed % 2 else "random"}
    seated = {seat: bots.bot_at_seat(kind, game, seat, pictures[seat]) for seat, kind in kinds.items()}
    referee = Referee(game, pictures)
    for told in game.setup(board, options, chance):
        referee.tell([told])
        for seat in told.audience.seats or kinds:
            if seat in seated:
                seated[seat].told(told.event)
    state = game.state(referee.pictures["sniper"])
    found["dealt"] += name in state["sniper"]["hand"]
    found["dealt"] += name in [card["card"] for card in state["specialists"].values()]
    while referee.to_act:
        seat = referee.to_act[0]
        legal, view = referee.legal(seat), referee.pictures[seat]
        squads = [squad for squad, card in view.specialists.items() if card.card == name]
        wanted = [
            command for command in legal
            if getattr(command, "card", None) == name
            or (type(command).__name__ == "Ability" and command.squad in squads)
        ]
        if seat == "defenders" and squads and view.pending is None:
            found["explained"] += game.foresight(view, seat)["specialists"][squads[0]] is not None
        command = wanted[0] if wanted else seated[seat].choose(view, legal, chance)
        for told in referee.submit(seat, command, chance):
            for seat in told.audience.seats or kinds:
                if seat in seated:
                    seated[seat].told(told.event)
            game.sentence(told.event)
        if wanted:
            found["used"] += 1
            state = json.loads(json.dumps(game.state(referee.truth)))
            again = game.position(board, options, state, Chance(Random(1)))["referee"]
            found["again"] += json.loads(json.dumps(game.state(again))) == state
forced = game.read_luck(board, json.loads(result))
print(json.dumps({**found, "shown": game.glossary()[section][name], "forced": forced}))
"""


def played(name: str, section: str, result: str, folder: Path) -> dict[str, Any]:
    """Play a copy of the game with one more entry. Return how often it was dealt and used, and how it is shown."""
    copy = folder / "games" / "sniper_more"
    shutil.copytree(ROOT / "games" / "sniper_elite", copy, ignore=shutil.ignore_patterns("__pycache__", "screens"))
    for file in copy.rglob("*.py"):
        text = file.read_text("utf-8").replace("games.sniper_elite", "games.sniper_more")
        file.write_text(text.replace('name = "sniper-elite"', 'name = "sniper-more"'), "utf-8")
    touched, changes = ADDED[name]
    text = (copy / touched).read_text("utf-8")
    for before, after in changes:
        text, count = re.subn(before, lambda _, after=after: after, text)
        assert count == 1, before
    (copy / touched).write_text(text, "utf-8")
    done = subprocess.run(
        [sys.executable, "-c", PLAY, name, section, result],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{folder}"},
    )
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    assert min(found["dealt"], found["used"]) > 0, found
    assert found["again"] == found["used"], "every position reads back unchanged"
    assert found["forced"] == json.loads(result)
    return found


def test_additional_card_needs_one_entry(tmp_path: Path) -> None:
    found = played("smoke", "cards", '[["loot", ["smoke"]]]', tmp_path)
    assert (found["shown"]["title"], found["shown"]["copies"]) == ("Smoke", 5)


def test_additional_specialist_needs_one_entry(tmp_path: Path) -> None:
    given = '[["specialists", {"red": "courier", "yellow": "medic", "black": "scout"}]]'
    found = played("courier", "specialists", given, tmp_path)
    assert found["explained"] > 0, "the screen explains why it cannot be used"
    assert found["shown"]["confirm"] == "Bring {unit} to {space}"


@pytest.mark.parametrize("name", [name for name in SPECIALISTS if name not in SEATS])
def test_screen_scripts_name_no_specialist(name: str) -> None:
    scripts = (ROOT / "games" / "sniper_elite" / "screens").glob("*.js")
    assert [script.name for script in scripts if re.search(rf"['\"`]{name}['\"`]", script.read_text("utf-8"))] == []
