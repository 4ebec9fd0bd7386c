"""The recorded games together contain everything that can happen in the game."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from typing import get_args

import pytest

from firmware_host.core import maps
from games.sniper_elite import GAME
from games.sniper_elite.game import SWITCHES
from games.sniper_elite.rules import commands, events
from games.sniper_elite.rules.cards import CARDS
from games.sniper_elite.rules.specialists import SPECIALISTS
from tests.games.playthrough import SETTINGS, files

ENDINGS = {("sniper", "objectives"), ("defenders", "wounds"), ("defenders", "countdown")}
"""Every ending of the game. Each must be in a recorded game."""
ENDING = re.compile(r'game-over \{"winner": "(\w+)", "reason": "(\w+)"\}')


def settings_of(text: str) -> dict[str, str]:
    """Return the settings at the top of a recorded game."""
    return dict(line.split(" ", 1) for line in text.splitlines() if line.split(" ")[0] in SETTINGS)


def accepted_lines(text: str) -> Iterator[str]:
    """Yield the accepted acts and their events, without the sentences."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    for line, following in pairwise([*lines, ""]):
        if not following.startswith("    refused by"):
            yield line


TEXTS = [text for file in files() if f"game {GAME.name}\n" in (text := file.read_text("utf-8"))]


def test_every_ending_is_in_a_recorded_game() -> None:
    assert {ending for text in TEXTS for ending in ENDING.findall(text)} == ENDINGS


def test_every_command_of_every_seat_is_in_a_recorded_game() -> None:
    acts = {f"{seat} {kind.__struct_config__.tag}" for seat, it in commands.BY_SEAT.items() for kind in get_args(it)}
    lines = [line for text in TEXTS for line in accepted_lines(text)]
    assert acts <= {
        f"{found[1]} {found[2]}" for line in lines if (found := re.match(r'(\w+) {"type": "([^"]+)"', line))
    }


def test_every_event_is_in_a_recorded_game() -> None:
    lines = [line for text in TEXTS for line in accepted_lines(text)]
    told = {found[1] for line in lines if (found := re.match(r" .*?: ([\w-]+) {", line))}
    assert {event.__struct_config__.tag for event in events.KINDS.values()} <= told


SHOWN = {
    **{f"{card} is played": rf'"play", "card": "{card}"' for card in CARDS},
    **{f"{card} is chosen": rf'"choose-specialists".*"{card}"' for card in SPECIALISTS},
    "the Jaeger hits": r'jaeger"}\n    all: attacked .*true',
    "the Jaeger misses": r'jaeger"}\n    all: attacked .*false',
    "an officer shoots in vain": r'all: attacked .*"found": null',
    "a dog barks": r"all: barked",
    "a soldier is called up for another squad": r'"ability", "squad": "red", "unit": "yellow-2", "space"',
    "a unit dies on a mine": r'killed {"unit": "[a-z0-9-]*", "by": "mine"}',
    "silenced noise shows nobody": r"silenced-ammo(?:.*\n){1,8}.*\"noise\": [2-9].*\n    all: shot",
    "a silenced gun misfires": r'silenced-ammo(?:.*\n){1,6}.*"misfire"',
    "one dies and one is saved": r'all: saved.*\n    all: killed .*"trench-gun"',
    "a medic declines": r'"type": "decline"',
    "a second shot is forfeited": r"second-forfeited",
    "two draws together give the sniper away": r'shoot-second(?:.*\n){1,3}    all: revealed .*"shot"',
    "a suppression token and then aim for an officer": (
        r'killed {"unit": "(\w+-officer)", "by": "shot"}.*\n.*suppression(?:.*\n)+.*killed {"unit": "\1".*\n.*aim'
    ),
    "a first wound": r'wounded {"wounds": 1}',
    "the miniature is taken off": r"miniature-removed",
}
"""Other things that must be in a recorded game, and how to find them."""


@pytest.mark.parametrize("what", SHOWN)
def test_every_card_specialist_and_window_is_in_a_recorded_game(what: str) -> None:
    assert any(re.search(SHOWN[what], "\n".join(accepted_lines(text))) for text in TEXTS)


def test_every_option_switch_and_map_is_in_a_recorded_game() -> None:
    options = [json.loads(settings_of(text).get("options", "{}")) for text in TEXTS]
    for side in ("experienced_sniper", "experienced_defenders"):
        assert {letter for chosen in options for letter in chosen.get(side, [])} == set("ABCD")
    assert any(chosen.get("random_setup") for chosen in options)
    off = {ruling for chosen in options for ruling, stands in chosen.get("switches", {}).items() if not stands}
    assert off == set(SWITCHES)
    assert {settings_of(text)["map"] for text in TEXTS} >= set(maps.offered(GAME))
