"""The screens have a word for every member of every family that they mention, in every language."""

from __future__ import annotations

from firmware_host.core.game_files import game_folder
from games.sniper_elite import GAME
from games.sniper_elite.rules.words import END_RULES, SEATS, SQUADS, TOKENS, UNITS
from lab.authoring.texts import read_catalogue

SCREENS = game_folder(GAME.name) / "screens"
CATALOGUES = sorted(SCREENS.glob("*.po"))

FAMILIES = {
    "squad": SQUADS,
    "seat": SEATS,
    "unit": (*UNITS, "sniper"),
    "token": TOKENS,
    "over": (*SEATS, *END_RULES),
    "sector": (*SQUADS, "white"),
}


def test_every_member_has_a_word() -> None:
    assert len(CATALOGUES) > 1
    for path in CATALOGUES:
        words = {entry.name for entry, texts in read_catalogue(path).items() if all(texts)}
        assert {f"{family}.{name}" for family, names in FAMILIES.items() for name in names} <= words, path.name
