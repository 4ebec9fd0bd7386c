"""`docs/game-author.md` shows the code of `lab/authoring/template`, and all that a game can offer."""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from engine import cues, game
from engine.game import BoardGame, Game
from engine.plain import PlainGame
from firmware_host.protocols.engine import EngineServer
from lab.authoring.recorded import remade

ROOT = Path(__file__).resolve().parents[3]
KEPT = ROOT / "lab/authoring/template"
GUIDE = (ROOT / "docs" / "game-author.md").read_text("utf-8")
BLOCK = re.compile(
    r"`(games/treasure/\S+|tests/\S+|docs/examples/\S+)`(?: ends)?:\n\n```(?:python|toml)\n(.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
LONGEST = 520


@pytest.mark.parametrize(("file", "text"), BLOCK.findall(GUIDE))
def test_guide_shows_the_code_of_the_template(file: str, text: str) -> None:
    assert text in ((ROOT if file.startswith("docs") else KEPT) / file).read_text("utf-8")


def test_guide_shows_code_of_several_files() -> None:
    assert len({file for file, _ in BLOCK.findall(GUIDE)}) >= 4
    assert GUIDE.count("```python") + GUIDE.count("```toml") == len(BLOCK.findall(GUIDE)), "each block has its file"
    assert len(GUIDE.splitlines()) < LONGEST


def test_table_has_every_capability_with_its_members() -> None:
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in GUIDE.splitlines() if line.startswith("| `")]
    listed: dict[str, set[str]] = {}
    last = ""
    for line in GUIDE.partition("## 4. Capabilities")[2].partition("\n## 5")[0].splitlines():
        if line.startswith(("| `", "| |")):
            name, members = (cell.strip(" `") for cell in line.split("|")[1:3])
            last = name or last
            listed.setdefault(last, set()).update(re.findall(r"\w+", members))
    assert rows
    assert listed == {kind.__name__: own_members(kind) for kind in capabilities()}


def capabilities() -> list[Any]:
    """Return the protocols that a game may add to the contract."""
    found = [*vars(game).values(), cues.Showing]
    kinds = [one for one in found if isinstance(one, type) and getattr(one, "_is_protocol", False)]
    return [one for one in dict.fromkeys(kinds) if one not in (Game, BoardGame) and own_members(one)]


def own_members(kind: type) -> set[str]:
    """Return the members of a protocol without those that it inherits."""
    return {name for name in {*vars(kind), *inspect.get_annotations(kind)} if name[0] != "_"}


def test_requests_get_the_answers_of_the_page() -> None:
    block = re.search(r"```json\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)
    said = re.search(r"The answer to request 4 is `(.*)`\.", GUIDE)
    assert block is not None and said is not None
    server = EngineServer()
    requests = block[1].replace("lost-city-island", "island").replace("lost-city", "treasure").splitlines()
    answers = [json.loads(server.answer(line.encode())) for line in requests]
    assert all("ok" in answer for answer in answers), answers
    assert answers[3] == json.loads(said[1])


def test_recorded_game_of_the_page_can_be_replayed() -> None:
    block = re.search(r"^((?:    .*\n|\n)*    game lost-city\n(?:    .*\n|\n)*)", GUIDE, re.MULTILINE)
    assert block is not None
    text = remade(dedent(block[1]).strip().replace("lost-city-island", "island").replace("lost-city", "treasure"))
    assert text.endswith("The red seeker rolls the die: 3 steps.\n")


def test_table_of_the_contract_marks_what_a_plain_game_inherits() -> None:
    marked = re.compile(r"`(\w+)[^`]*` \*")
    three, four = (
        {*marked.findall(GUIDE.partition(begin)[2].partition(end)[0])}
        for begin, end in (("## 3. The contract", "\n## 4"), ("## 4. Capabilities", "\n## 5"))
    )
    inherited = {name for name, member in vars(PlainGame).items() if inspect.isfunction(member) and name[0] != "_"}
    assert three == inherited & own_members(Game) | own_hooks()
    assert four == inherited - own_members(Game) - own_hooks()


def test_table_of_the_contract_has_every_member() -> None:
    table = GUIDE.partition("## 3. The contract")[2].partition("\n## 4")[0]
    cells = " ".join(line.split("|")[1] for line in table.splitlines() if line.startswith("| `"))
    assert {*re.findall(r"`(\w+)", cells)} == own_members(Game) | own_hooks()


def own_hooks() -> set[str]:
    """Return the methods that only `PlainGame` itself calls."""
    asked = own_members(Game).union(*map(own_members, capabilities()))
    return {name for name, member in vars(PlainGame).items() if inspect.isfunction(member) and name[0] != "_"} - asked
