"""The product's imports follow ARCHITECTURE.md, and the check notices if one does not."""

from __future__ import annotations

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from urllib.parse import urljoin

import pytest

from tests.arrows import ALLOWED, arrows, faults, nodes

ROOT = Path(__file__).resolve().parent.parent
SCRIPT_IMPORT = re.compile(r'''(?:^(?:import|export)\b[^;"]*|\bimport\()"([./][^"]+\.js)"''', re.MULTILINE)
"""An import of a script module, at its top or when it is needed."""

PURE = "engine is pure (the standard library without I/O, and msgspec)"
PANEL = ALLOWED["web_panel"].because

BAD = [
    ("engine/x.py", "import flask", f"engine/x.py may not import flask (line 1): {PURE}"),
    ("engine/x.py", "def f():\n    import socket", "engine/x.py may not import socket (line 2): engine is pure"),
    ("engine/x.py", "from pathlib import Path", "engine/x.py may not import pathlib (line 1)"),
    ("engine/x.py", "import importlib.resources", "engine/x.py may not import importlib.resources (line 1)"),
    ("engine/x.py", "import games", "engine/x.py may not import games (line 1): engine is pure"),
    ("games/one/rules/x.py", "import firmware_host.table.table", "a game knows the engine and itself alone"),
    ("games/one/rules/x.py", "import games.two.rules.y", "no game imports another"),
    ("games/sniper_elite/x.py", "import games.sniper_elite_solo", "no game imports another"),
    ("games/one/rules/x.py", "import games.one.show.cues", "the rules of a game do not know its bots, its looks"),
    ("games/one/map_rules/x.py", "import games.one", "the rules of a game do not know its bots, its looks"),
    ("games/one/x.py", "open('a')", "games/one/x.py may not use open() (line 1)"),
    ("firmware_host/x.py", "import games.one.rules.y", "games are found by name, and no one imports one"),
    ("firmware_host/x.py", "from games.one import GAME", "games are found by name, and no one imports one"),
    ("engine/x.py", "import hardware.ports", "engine/x.py may not import hardware.ports (line 1)"),
    ("engine/x.py", "from tests import arrows", "tests may import anything, and no one imports tests"),
    ("engine/x.py", "open('a')", "engine/x.py may not use open() (line 1)"),
    ("engine/x.py", "import random\nrandom.shuffle([])", "engine/x.py may not use random.shuffle"),
    ("engine/x.py", "import random as r\nr.Random()", "engine/x.py may not use r.Random() (chance is handed in"),
    ("engine/x.py", "from random import choice", "engine/x.py may not use random.choice"),
    ("engine/x.py", "def f():\n    import numpy", "engine/x.py may not import numpy (line 2)"),
    ("maker/mapping/sight.py", "import numpy", "only a function that needs numpy may import it"),
    (
        "maker/mapping/crossings.py",
        "import maker.mapping.sight",
        "sight is built on candidates, and those on crossings",
    ),
    ("maker/mapping/candidates.py", "from maker.mapping import sight", "and those on crossings"),
    ("engine/x.py", "import importlib\nimportlib.import_module(f'hardware.{x}')", "may not import hardware (line 2)"),
    ("engine/x.py", "import importlib\nimportlib.import_module(x)", "engine/x.py imports what cannot be read from it"),
    ("engine/graph/x.py", "from ...hardware import ports", "engine/graph/x.py may not import hardware.ports (line 1)"),
    (
        "hardware/x.py",
        "import engine.events",
        "hardware/x.py may not import engine.events (line 1): hardware knows no game",
    ),
    (
        "hardware/drivers/x.py",
        "from firmware_host.api import interface",
        "hardware/drivers/x.py may not import firmware_host.api.interface",
    ),
    (
        "web_panel/x.py",
        "from firmware_host.table import table",
        f"web_panel/x.py may not import firmware_host.table.table (line 1): {PANEL}",
    ),
    ("web_panel/x.py", "import firmware_host", "web_panel/x.py may not import firmware_host (line 1)"),
    ("web_panel/x.py", "from engine.events import Told", "web_panel/x.py may not import engine.events (line 1)"),
    ("web_panel/x.py", "import msgspec", "web_panel/x.py may not import msgspec (line 1)"),
    ("firmware_host/x.py", "def f():\n    import conftest", "firmware_host/x.py may not import conftest (line 2)"),
    ("firmware_host/x.py", "import tools.lock", "firmware_host/x.py may not import tools.lock (line 1)"),
    ("firmware_host/x.py", "import maker.drawings", "firmware_host/x.py may not import maker.drawings (line 1)"),
    ("web_panel/x.py", "from maker import drawings", "web_panel/x.py may not import maker"),
    ("firmware_host/x.py", "import lab.load", "firmware_host/x.py may not import lab.load (line 1)"),
    ("maker/x.py", "import lab.load", "maker/x.py may not import lab.load (line 1)"),
    ("maker/x.py", "import firmware_host.app.cli", "nothing imports firmware_host.app"),
    ("web_panel/x.py", "import firmware_host.table.loop", f"may not import firmware_host.table.loop (line 1): {PANEL}"),
    ("firmware_host/table/x.py", "import web_panel", "firmware_host/table/x.py may not import web_panel (line 1)"),
    ("firmware_host/core/x.py", "import firmware_host.records.y", "core stands below records"),
    ("firmware_host/board/x.py", "def f():\n    import firmware_host.table.y", "board stands below table"),
    ("firmware_host/mqtt/x.py", "import firmware_host.app.y", "mqtt stands below app"),
    ("firmware_host/cellar/x.py", "import firmware_host.core.y", "LAYERS in tests/arrows.py does not name its package"),
    ("maker/x.py", "import tools.lock", "maker/x.py may not import tools.lock (line 1)"),
    ("maps/harbour/x.py", "import math", "maps/harbour/x.py: no rule says what maps may import"),
    ("cellar/x.py", "import math", "cellar/x.py: no rule says what cellar may import"),
]

GOOD = [
    ("engine/x.py", "import json\nimport msgspec\nfrom random import Random\nfrom collections.abc import Iterator"),
    ("engine/x.py", "import random\ndef f(seed: int) -> random.Random:\n    return random.Random(seed)"),
    ("maker/mapping/sight.py", "def f():\n    import numpy as np"),
    ("maker/mapping/sight.py", "import maker.mapping.candidates, maker.mapping.crossings"),
    ("games/__init__.py", "import importlib\nimportlib.import_module(f'{__name__}.{name}')"),
    ("engine/bots/x.py", "import importlib\nimportlib.import_module(f'engine.bots.{name}')"),
    ("hardware/x.py", "import threading\nimport serial\nfrom . import ports"),
    (
        "web_panel/x.py",
        "from firmware_host.api import interface\nfrom firmware_host.core.strict import decode\nimport flask",
    ),
    ("firmware_host/app/x.py", "import engine.referee, hardware.ports, web_panel, socket, segno"),
    ("firmware_host/table/x.py", "import firmware_host.core.y, firmware_host.board.z, firmware_host.table.w"),
    ("lab/x.py", "import maker.drawings, firmware_host.protocols.y, web_panel"),
    ("games/one/rules/x.py", "import engine.game, games.one.map_rules.y, games.one.rules.z"),
    ("games/one/game.py", "import games.one.rules.y, games.one.show.z"),
    ("games/sniper_elite_solo/rules/x.py", "import games.sniper_elite.rules.y"),
    ("firmware_host/x.py", "import games\nfrom games import find"),
    ("firmware_host/x.py", "import importlib\nimportlib.import_module(f'games.{name}.bots')"),
    ("lab/x.py", "import engine, hardware, firmware_host.table.table, games.one.bots.y"),
    ("maker/x.py", "import engine, hardware, firmware_host.table.table, games.one.rules.y"),
    ("tests/x.py", "import engine, hardware, firmware_host.table.table, tools.lock"),
]


def test_imports_follow_the_rules() -> None:
    found = faults(ROOT)
    assert not found, "\n" + "\n".join(found)


def test_every_package_of_the_product_is_checked() -> None:
    read = {name for name in ALLOWED if any((ROOT / name).rglob("*.py"))}
    assert {"engine", "hardware", "web_panel", "firmware_host"} <= read


@pytest.mark.parametrize(("name", "text", "sentence"), BAD)
def test_forbidden_import_is_reported_in_a_sentence(tmp_path: Path, name: str, text: str, sentence: str) -> None:
    found = faults(make_project(tmp_path, name, text))
    assert len(found) == 1
    assert sentence in found[0]


@pytest.mark.parametrize(("name", "text"), GOOD)
def test_allowed_import_is_not_reported(tmp_path: Path, name: str, text: str) -> None:
    assert faults(make_project(tmp_path, name, text)) == []


def make_project(root: Path, name: str, text: str) -> Path:
    """Make a small correct project in `root`, except for `text` in the file `name`."""
    for file in (
        "engine/graph/__init__.py",
        "maker/mapping/sight.py",
        "engine/events.py",
        "hardware/ports.py",
        "firmware_host/api/interface.py",
        "firmware_host/table/table.py",
        "web_panel/__init__.py",
        "tools/lock.py",
        "tests/arrows.py",
        name,
    ):
        (root / file).parent.mkdir(parents=True, exist_ok=True)
        (root / file).touch()
    (root / name).write_text(text, "utf-8")
    return root


def script_imports() -> dict[str, set[str]]:
    """Return what each script module imports, by address."""
    files = {
        f"/static/{file.relative_to(ROOT / 'web_panel/static')}": file for file in ROOT.glob("web_panel/static/**/*.js")
    }
    for file in ROOT.glob("games/*/screens/*.js"):
        files[f"/games/{file.parts[-3].replace('_', '-')}/static/{file.name}"] = file
    return {
        address: {urljoin(address, path) for path in SCRIPT_IMPORT.findall(file.read_text("utf-8"))}
        for address, file in files.items()
    }


def require_no_circle(found: dict[str, set[str]]) -> None:
    try:
        TopologicalSorter(found).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def test_script_modules_import_each_other_in_no_circle() -> None:
    found = script_imports()
    assert set().union(*found.values()) <= found.keys()
    assert "/static/menu.js" in found["/static/on-demand.js"], "imports on demand count, too"
    require_no_circle(found)


def folder_imports(package: str) -> dict[str, set[str]]:
    """Return the folders of a package that each of its folders imports.

    The package itself counts as no folder: in `engine`, its own modules and those of `graph` are one layer.
    """
    found: dict[str, set[str]] = {}
    for file in ROOT.glob(f"{package}/*/**/*.py"):
        where = file.relative_to(ROOT)
        code = [*nodes(ast.parse(file.read_text("utf-8")))]
        reached = {tuple(arrow.target.split(".")[:2]) for arrow in arrows(ROOT, where, code)}
        folders = {target[1] for target in reached if target[0] == package and (ROOT / "/".join(target)).is_dir()}
        found.setdefault(where.parts[1], set()).update(folders - {where.parts[1]})
    return found


@pytest.mark.parametrize(
    ("package", "folder", "imported"),
    [("engine", "bots", "search"), ("maker", "drawings", "kit"), ("lab", "load_clients", "bench")],
)
def test_folders_of_package_import_each_other_in_no_circle(package: str, folder: str, imported: str) -> None:
    found = folder_imports(package)
    assert imported in found[folder], "the imports of the package are read"
    require_no_circle(found)
