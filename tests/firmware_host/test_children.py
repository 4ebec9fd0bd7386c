"""Processes that the program starts import nothing from the folder in which it was started."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path

import pytest

import games
from firmware_host.core import maps
from firmware_host.core.children import PYTHON, SAFE_PATH, environment
from firmware_host.seats import searching
from firmware_host.seats.searching import SearchProcess
from games.sniper_elite import GAME
from lab.bench.process import TableProcess
from lab.processes import in_order, without_current_folder
from tests.apart import in_own_thread
from tests.patience import until

PLANTED = ("json", "socket", "pickle", "struct", "signal", "selectors", "tempfile", "random", "subprocess", "msgspec")
"""Modules that child processes import early, from the standard library and from packages."""
FOLDERS = ("games", "engine", "firmware_host", "multiprocessing")


@pytest.fixture
def trap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Fill the current folder with modules that create a file when imported, and return the folder of those files."""
    here, caught = tmp_path / "here", tmp_path / "caught"
    caught.mkdir()
    for name in (*PLANTED, *(f"{folder}/__init__" for folder in FOLDERS)):
        module = here / f"{name}.py"
        module.parent.mkdir(parents=True, exist_ok=True)
        mark = caught / name.partition("/")[0]
        module.write_text(f"open({str(mark)!r}, 'w').close()\nraise SystemExit(66)\n", "utf-8")
    monkeypatch.chdir(here)
    return caught


def imported_modules(caught: Path) -> set[str]:
    return {path.name for path in caught.iterdir()}


def test_trap_works(trap: Path) -> None:
    for words in (("-m", "json.tool"), ("-c", "import json")):
        subprocess.run([sys.executable, *words], input=b"{}", capture_output=True, check=False)
        assert "json" in imported_modules(trap)
        (trap / "json").unlink()


def test_bot_search_process_imports_nothing_from_current_folder(trap: Path) -> None:
    board, options = maps.load("launch-facility"), GAME.read_options({"random_setup": True})
    search = SearchProcess(searching.seated_bot("marshal", GAME, "defenders", board, options, "1"))
    search.ask((), 0.05)
    until(lambda: search.answer() is not None)
    search.close()
    assert imported_modules(trap) == set()


def test_parallel_game_processes_import_nothing_from_current_folder(trap: Path) -> None:
    assert list(in_order(pow, 2, [1, 2, 3], 2)) == [2, 4, 8]
    assert imported_modules(trap) == set()


def test_measured_table_imports_nothing_from_current_folder(trap: Path, tmp_path: Path) -> None:
    async def started() -> int:
        table = TableProcess(tmp_path / "state", "--simulate")
        await table.start()
        port = table.port
        await table.stop()
        return port

    assert in_own_thread(lambda: asyncio.run(started()))
    assert imported_modules(trap) == set()


def test_child_finds_same_games(trap: Path) -> None:
    """Also those in other folders, such as those of tests. Children of children find them, too."""
    names = "import games; print(*games.names(), flush=True)"
    code = f"{names}; import subprocess; subprocess.run({[sys.executable, '-c', names]!r}, check=True)"
    said = subprocess.run([*PYTHON, "-c", code], env=environment(), capture_output=True, text=True, check=True).stdout
    assert [sorted(line.split()) for line in said.splitlines()] == [sorted(games.names())] * 2
    assert "treasure" in said
    assert imported_modules(trap) == set()


def test_own_environment_stays_unchanged(monkeypatch: pytest.MonkeyPatch) -> None:
    for before in (None, "", "yes"):
        monkeypatch.delenv(SAFE_PATH, raising=False)
        if before is not None:
            monkeypatch.setenv(SAFE_PATH, before)
        with without_current_folder():
            assert os.environ[SAFE_PATH] == "1"
        assert os.environ.get(SAFE_PATH) == before


def test_relative_path_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", ["", ".", "there", *sys.path])
    assert all(os.path.isabs(path) for path in environment()["PYTHONPATH"].split(os.pathsep))
