"""A loadout card is one entry: a copy of the game with one more card deals, offers, plays, stores and shows it."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
ENTRY = """
    "smoke": LoadoutCard(
        Text("Smoke"), 5, Text("Nothing follows."), Text("All see the card."), True, _on_the_board, lasts=True
    ),
}

SHOWN_LATER"""
PLAY = """
import json
from random import Random
import games
from engine.chance import Chance
from engine.referee import Referee
from firmware_host.core import bots
from firmware_host.core import maps

game, board = games.find("sniper-more"), maps.load("launch-facility")
options = game.read_options({"random_setup": True})
found = {"dealt": 0, "played": 0, "again": 0}
for seed in range(6):
    chance = Chance(Random(seed))
    pictures = dict(game.blank(board, options))
    seated = {seat.name: bots.seated("random", game, seat.name, pictures[seat.name]) for seat in game.seats(options)}
    referee = Referee(game, pictures)
    referee.tell(game.setup(board, options, chance))
    found["dealt"] += "smoke" in game.view(referee.pictures["sniper"])["sniper"]["hand"]
    while referee.to_act:
        seat = referee.to_act[0]
        legal = referee.legal(seat)
        smoke = [command for command in legal if getattr(command, "card", None) == "smoke"]
        command = smoke[0] if smoke else seated[seat].choose(referee.pictures[seat], legal, chance)
        referee.submit(seat, command, chance)
        if smoke and game.view(referee.pictures["table"])["sniper"]["active"] == "smoke":
            found["played"] += 1
            state = json.loads(json.dumps(game.state(referee.truth)))
            again = game.position(board, options, state, Chance(Random(1)))["referee"]
            found["again"] += json.loads(json.dumps(game.state(again))) == state
card = game.glossary()["cards"]["smoke"]
forced = game.read_luck(board, [("loot", ["smoke"])])
print(json.dumps({**found, "card": [str(card["title"]), card["copies"]], "forced": forced}))
"""


def test_one_more_card_is_one_entry(tmp_path: Path) -> None:
    folder = tmp_path / "games" / "sniper_more"
    shutil.copytree(ROOT / "games" / "sniper_elite", folder, ignore=shutil.ignore_patterns("__pycache__", "screens"))
    for file in folder.rglob("*.py"):
        text = file.read_text("utf-8").replace("games.sniper_elite", "games.sniper_more")
        file.write_text(text.replace('name = "sniper-elite"', 'name = "sniper-more"'), "utf-8")
    cards = folder / "rules" / "cards.py"
    text, count = re.subn(r"\n\}\n\nWEAPONS", ENTRY.replace("SHOWN_LATER", "WEAPONS"), cards.read_text("utf-8"))
    assert count == 1
    cards.write_text(text, "utf-8")
    asked = subprocess.run(
        [sys.executable, "-c", PLAY],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}"},
    )
    assert asked.returncode == 0, asked.stderr
    assert re.fullmatch(
        r'\{"dealt": [1-9]\d*, "played": ([1-9]\d*), "again": \1, "card": \["Smoke", 5\], '
        r'"forced": \[\["loot", \["smoke"\]\]\]\}\n',
        asked.stdout,
    ), asked.stdout
