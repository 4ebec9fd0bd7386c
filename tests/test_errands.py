"""Each errand of ARCHITECTURE.md touches only the files that the page names, and then works in a copy.

Each errand is done in a copy of the sources. The errands for a card and a specialist are in
`tests/games/sniper_elite/test_errands.py`.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tools.install import packages

ROOT = Path(__file__).resolve().parent.parent


class Errand(NamedTuple):
    """A change of a copy, and a program that prints True in the changed copy."""

    does: Callable[[Path], None]
    shows: str


def add(name: str, text: str) -> Callable[[Path], None]:
    """Return an errand that writes a new file."""

    def does(copy: Path) -> None:
        (copy / name).write_text(text, "utf-8")

    return does


def take(source: str, target: str) -> Callable[[Path], None]:
    """Return an errand that adds a folder of the project under another name."""

    def does(copy: Path) -> None:
        shutil.copytree(ROOT / source, copy / target, ignore=shutil.ignore_patterns("__pycache__"))

    return does


def change(name: str, old: str, new: str) -> Callable[[Path], None]:
    """Return an errand that replaces one place of a file."""

    def does(copy: Path) -> None:
        file = copy / name
        text = file.read_text("utf-8")
        assert text.count(old) == 1, f"{name} has {old!r} {text.count(old)} times"
        file.write_text(text.replace(old, new), "utf-8")

    return does


def both(*errands: Callable[[Path], None]) -> Callable[[Path], None]:
    """Return several changes as one errand."""

    def does(copy: Path) -> None:
        for errand in errands:
            errand(copy)

    return does


def entry(catalogue: str, name: str, text: str) -> Callable[[Path], None]:
    """Return an errand that adds an entry to a catalogue."""

    def does(copy: Path) -> None:
        with (copy / catalogue).open("a", encoding="utf-8") as file:
            file.write(f'\nmsgid "{name}"\nmsgstr "{text}"\n')

    return does


COMMAND = '''"""`sniperboard greet`: say hello."""


def add_command(commands):
    commands.add_parser("greet", help="say hello").set_defaults(run=lambda chosen: print(chosen.run is not None) or 0)
'''
BOT = (ROOT / "engine/bots/random.py").read_text("utf-8")
DRIVER = (ROOT / "hardware/drivers/buzzer.py").read_text("utf-8")

ERRANDS = {
    "a game": Errand(
        take("lab/authoring/template/games/treasure", "games/buried"),
        "import games; print('buried' in games.names())",
    ),
    "a map": Errand(
        take("maps/launch-facility", "maps/harbour"),
        "from firmware_host.core import maps; print('harbour' in maps.names() and bool(maps.load('harbour').sights))",
    ),
    "a bot": Errand(
        add("engine/bots/wanderer.py", BOT),
        "import games; from firmware_host.core import bots\n"
        "print(all('wanderer' in bots.names(games.find(name)) for name in games.names()))",
    ),
    "a driver": Errand(
        add("hardware/drivers/mcp23017.py", DRIVER),
        "from hardware import drivers; from firmware_host.core.settings import settle\n"
        "found = settle({'controls': 'mcp23017'})\n"
        "print('mcp23017' in drivers.names() and found.controls == 'mcp23017')",
    ),
    "a light on the board": Errand(
        both(
            change(
                "games/sniper_elite/show/lights.py",
                '"mark": Light("mark", FAINT, 5, Text("a tracking mark of the defenders")),',
                '"mark": Light("mark", FAINT, 5, Text("a tracking mark of the defenders")),\n'
                '    "flare": Light("mark", Rhythm("flare", "9911", 140), 6, Text("a flare")),',
            ),
            entry("games/sniper_elite/screens/pl.po", "a flare", "flara"),
        ),
        "import games; from engine.cues import show_of; from web_panel.language import language\n"
        "found = show_of(games.find('sniper-elite')).lights['flare']\n"
        "print(language('pl', 'sniper-elite').say(found.meaning) == 'flara')",
    ),
    "a setting": Errand(
        change(
            "firmware_host/core/settings.py",
            '    port: int = setting(8000, "Port of the web server.", 0, 65535)\n',
            '    port: int = setting(8000, "Port of the web server.", 0, 65535)\n'
            '    shelf: int = setting(3, "Number of the shelf.", 1, 9)\n',
        ),
        "from firmware_host.app.cli import parser; from firmware_host.core.settings import settle\n"
        "print(parser('run').parse_args(['run', '--shelf', '4']).shelf == 4 and settle({}).shelf == 3)",
    ),
    "a setting of the admin page": Errand(
        both(
            change(
                "firmware_host/core/settings.py",
                '    port: int = setting(8000, "Port of the web server.", 0, 65535)\n',
                '    port: int = setting(8000, "Port of the web server.", 0, 65535)\n'
                '    shelf: int = setting(3, "Number of the shelf.", 1, 9, change=ON_ADMIN_PAGE)\n',
            ),
            entry("web_panel/languages/en.po", "admin.choice.shelf", "Shelf"),
            entry("web_panel/languages/pl.po", "admin.choice.shelf", "Półka"),
        ),
        "from firmware_host.admin.choices import PAGE_SETTINGS; from web_panel.language import language\n"
        "print('shelf' in PAGE_SETTINGS and language('pl').word('admin.choice.shelf', '') == 'Półka')",
    ),
    "a sentence of a game": Errand(
        both(
            change(
                "games/stalingrad/rules/sentences.py",
                'e.Shuffled: Text("The deck is shuffled."),',
                'e.Shuffled: Text("All cards are shuffled."),',
            ),
            entry("games/stalingrad/screens/pl.po", "All cards are shuffled.", "Karty są tasowane."),
        ),
        "from games.stalingrad.rules import events, sentences; from web_panel.language import language\n"
        "from firmware_host.play import puzzles\n"
        "said = language('pl', 'stalingrad').say(sentences.SENTENCES[events.Shuffled])\n"
        "print(said == 'Karty są tasowane.' and bool(puzzles.of_game('stalingrad')))",
    ),
    "a word on a screen": Errand(
        both(
            entry("web_panel/languages/en.po", "menu.tea", "Tea"),
            entry("web_panel/languages/pl.po", "menu.tea", "Herbata"),
        ),
        "from web_panel.language import language\n"
        "print([language(code).word('menu.tea', '') for code in ('en', 'pl')] == ['Tea', 'Herbata'])",
    ),
    "a command": Errand(
        add("lab/commands/greet.py", COMMAND),
        "from firmware_host.app.cli import main; main(['greet'])",
    ),
}


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the packages, which each test copies again."""
    folder = tmp_path_factory.mktemp("errands") / "project"
    for package in packages(ROOT):
        shutil.copytree(ROOT / package, folder / package, ignore=shutil.ignore_patterns("__pycache__", "site"))
    return folder


def files(folder: Path) -> dict[str, bytes]:
    """Return the content of each source file."""
    found = (path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


@pytest.mark.parametrize("name", ERRANDS)
def test_errand_touches_only_the_files_that_the_page_names(copy: Path, tmp_path: Path, name: str) -> None:
    errand, project = ERRANDS[name], tmp_path / "project"
    shutil.copytree(copy, project)
    errand.does(project)

    before, after = files(copy), files(project)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    named = re.findall(r"`([\w/.<>-]+)`", rows()[name])
    places = re.compile("|".join(re.escape(path).replace("<name>", r"\w+") for path in named))
    assert changed
    assert not [path for path in changed if not places.match(path)], f"the page names only {named}"

    # `-P` and an explicit path import the copy, not the project.
    environment = {**os.environ, "PYTHONPATH": str(project), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-P", "-c", errand.shows],
        capture_output=True,
        text=True,
        check=False,
        env=environment,
        cwd=tmp_path,
    )
    assert done.stdout == "True\n", done.stderr


def rows() -> dict[str, str]:
    """Return what each errand of the page touches, by what it adds."""
    page = (ROOT / "ARCHITECTURE.md").read_text("utf-8").partition("## Errands\n")[2]
    cells = [line.split("|") for line in page.splitlines() if line.startswith("| a")]
    return {cell[1].strip(): cell[2] for cell in cells}


def test_every_errand_of_the_page_has_a_test() -> None:
    elsewhere = {"a loadout card", "a specialist", "a page of the manual"}  # the last one in `tests/test_docs.py`
    assert {row for row in rows() if row not in elsewhere} == ERRANDS.keys()
