"""Two evenings that differ only in the sniper's secrets: everyone else gets the same bytes at the same time.

After each step, the screens of the defenders, the TV and the simulated board, every frame of the lamps, and every sound
with its time are compared; so are the refusals that the defenders get.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from engine.chance import Chance
from firmware_host.core.errors import UserError
from firmware_host.core.settings import settle
from hardware.drivers.simulated import SimulatedBuzzer
from hardware.ports import Tune
from tests.depth import DEPTH
from tests.firmware_host.evening import SEAL, Evening, fresh_name
from tests.firmware_host.published import latest

STRANGERS = ("defenders", "table", "board")
SECRETS: tuple[dict[str, Any], ...] = (
    {"objectives": [1, 4], "loadout": ["s-mine", "s-mine", "tommy-gun"], "laid": "s-mine"},
    {"objectives": [9, 8], "loadout": ["distraction", "sound-masking", "trench-gun"], "laid": "sound-masking"},
)
SPECIALISTS = {"yellow": "medic", "red": "scout", "black": "jaeger"}


class Watched(Evening):
    """An evening that records everything that reaches strangers."""

    def __init__(self, folder: Path, secrets: dict[str, Any]) -> None:
        dealt = [(kind, secrets[kind]) for kind in ("objectives", "loadout")]
        forced = [*dealt, ("specialists", SPECIALISTS)]
        self.frames: list[tuple[Any, float]] = []
        self.sounds: list[tuple[Tune, float]] = []
        super().__init__(folder, settle({"possible_hints": True, "controls": "simulated"}), Chance(Random(3), forced))
        self.choice = {"possible_hints": True}
        self.simulated.watch(lambda frame, at: self.frames.append((frame, at)))
        (buzzer,) = self.table.board.io.buzzers
        assert isinstance(buzzer, SimulatedBuzzer)
        buzzer.listen(lambda tune, at: self.sounds.append((tune, at)))

    def leaked(self) -> tuple[Any, ...]:
        """Return everything that strangers have or had."""
        pictures = (latest(self.table.followers, viewer) for viewer in STRANGERS)
        return (*((serial, SEAL.sub("", text)) for serial, text in pictures), tuple(self.frames), tuple(self.sounds))


@pytest.fixture
def twins(tmp_path: Path) -> Iterator[list[Watched]]:
    """Two evenings with hints; `tests/secrecy/test_channels.py` compares tables without."""
    evenings = []
    for number, secrets in enumerate(SECRETS):
        (tmp_path / str(number)).mkdir()
        evenings.append(Watched(tmp_path / str(number), secrets))
    yield evenings
    assert evenings[0].frames, "the lamps showed nothing, so nothing was compared"
    assert evenings[0].sees("table")["possible"] is not None


def both(twins: list[Watched], step: Callable[[Watched], object]) -> None:
    """Do a step in both evenings; strangers must not see a difference."""
    for evening in twins:
        step(evening)
        evening.wait(700)
    assert twins[0].leaked() == twins[1].leaked()


def quiet_turn(evening: Watched) -> None:
    """Move one space, each sniper another way, or not at all."""
    if evening.legal("sniper", "choose-entry"):
        evening.sniper(evening.legal("sniper", "choose-entry")[0])
    moves = [act for act in evening.legal("sniper", "move") if len(act["path"]) == 1]
    if moves:
        evening.sniper(moves[int(evening.folder.name) % len(moves)])


def test_entering_by_different_arrows_looks_same(twins: list[Watched]) -> None:
    both(twins, lambda evening: evening.start())
    both(twins, quiet_turn)
    spaces = {evening.view("sniper")["sniper"]["space"] for evening in twins}
    assert len(spaces) == 2


def test_whole_rounds_with_same_answers_look_same(twins: list[Watched]) -> None:
    both(twins, lambda evening: evening.start())
    random = Random(11)
    for _ in range(2 if DEPTH == 1 else 4):
        both(twins, quiet_turn)
        both(twins, lambda evening: evening.sniper({"type": "end-turn"}))
        for _ in range(6):
            act = harmless(twins, random)
            both(twins, lambda evening, act=act: evening.defenders(act))
        both(twins, lambda evening: evening.set_up())
        both(twins, lambda evening: evening.defenders({"type": "end-turn"}))
    assert twins[0].sounds, "no sound was made, so nothing was compared"


def harmless(twins: list[Watched], random: Random) -> dict[str, Any]:
    """Return an act of the defenders to which both snipers give the same answer."""
    legal = [evening.sees("defenders")["legal"] for evening in twins]
    assert legal[0] == legal[1]
    usable = [act for act in legal[0] if act["type"] != "end-turn" and same_answer(twins, act)]
    return dict(random.choice(usable))


def same_answer(twins: list[Watched], act: dict[str, Any]) -> bool:
    """Return whether both answers are the same, judged from both truths, which this test may see."""
    spaces = [evening.view("sniper")["sniper"]["space"] for evening in twins]
    if act["type"] == "intel":
        sectors = [evening.table.board.map.spaces[space].sector for evening, space in zip(twins, spaces, strict=True)]
        return (sectors[0] == act["squad"]) == (sectors[1] == act["squad"])
    asked = {act.get("space"), *act.get("spaces", ()), twins[0].space_of(act["unit"]) if "unit" in act else None}
    return act["type"] in ("move", "deploy", "dismiss", "mark", "unmark") or not asked & set(spaces)


def test_refusals_of_defenders_do_not_depend_on_secret(twins: list[Watched]) -> None:
    both(twins, lambda evening: evening.start())
    both(twins, quiet_turn)
    tries = [{"type": "move", "unit": "red-1", "to": space} for space in twins[0].table.board.io.spaces[::9]] + [
        {"type": "attack", "unit": "red-1"},
        {"type": "play", "card": "s-mine"},
        {"type": "intel", "squad": "white"},
    ]
    for phase in range(2):
        for action in tries:
            slips = [refusal(evening, action) for evening in twins]
            assert slips[0] == slips[1]
        if phase == 0:
            both(twins, lambda evening: evening.sniper({"type": "end-turn"}))
            tries = [act for act in tries if act["type"] != "attack"]


def refusal(evening: Watched, action: dict[str, Any]) -> tuple[Any, ...]:
    try:
        evening.table.submit(evening.defenders_key, action, evening.sees("defenders")["revision"], fresh_name())
    except UserError as said:
        return said.code, said.rule, said.sentence
    finally:
        evening.wait(100)
    return ("done",)


def test_mine_and_mask_laid_face_down_look_same(twins: list[Watched]) -> None:
    both(twins, lambda evening: evening.start())
    both(twins, quiet_turn)
    both(twins, lambda evening: evening.sniper({"type": "end-turn"}))
    both(twins, lambda evening: evening.defenders({"type": "end-turn"}))
    both(twins, lambda evening: evening.sniper({"type": "play", "card": SECRETS[int(evening.folder.name)]["laid"]}))
    assert [evening.view("sniper")["sniper"]["face_down"] for evening in twins] == [["s-mine"], ["sound-masking"]]
    both(twins, quiet_turn)
