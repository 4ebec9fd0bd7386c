"""`sniperboard game new` writes a game that is complete: as a folder, and as a wheel of either tool."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from firmware_host.app import cli
from lab.authoring.create import SOURCES, TEMPLATE, TREASURE, read_name
from tests.lab.authoring.test_plugin import run

BUILDERS = {
    "hatchling": [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d"],
    "setuptools": [
        sys.executable,
        "-c",
        "import sys; from setuptools import build_meta as m; m.build_wheel(sys.argv[1])",
    ],
}


def new(folder: Path, name: str = "lost-city") -> Path:
    """Write the folder of a game, and return it."""
    assert cli.main(["game", "new", name, "--into", str(folder)]) == 0
    return folder / name


def files(folder: Path) -> dict[str, bytes]:
    """Return the files of a folder, without bytecode and what pytest leaves behind."""
    left = {"__pycache__", ".pytest_cache"}
    found = (path for path in folder.rglob("*") if path.is_file() and not left & {*path.parts})
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def test_folder_has_everything_under_the_new_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    made = files(new(tmp_path))
    assert made.keys() == {name.replace("treasure", "lost_city") for name in files(TEMPLATE)}
    text = "\n".join(content.decode() for content in made.values())
    for left in (
        "games.treasure",
        "games/treasure",
        '"treasure"\n    title',
        "Treasure",
        '"island"',
        "TR-",
        "check treasure",
    ):
        assert left not in text
    for wanted in (
        'name = "lost-city"',
        'title = "Lost city"',
        "GAME = LostCity()",
        'map = "lost-city-island"',
        "LC-DIG-01",
    ):
        assert wanted in text
    assert f"cd {tmp_path / 'lost-city'}\n" in capsys.readouterr().out


@pytest.mark.parametrize("like", [name for name in SOURCES if name != TREASURE])
def test_game_like_an_example_has_its_own_name(tmp_path: Path, like: str) -> None:
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path), "--like", like]) == 0
    folder = tmp_path / "lost-city"
    made, source = files(folder), files(SOURCES[like])
    assert made.keys() == {name.replace(like.replace("-", "_"), "lost_city") for name in source}
    text = "\n".join(content.decode() for content in made.values())
    old, words = read_name(like), like.split("-")
    for left in (
        f"games.{old.folder}",
        f"class {old.type}",
        " ".join(map(str.capitalize, words)),
        f"{old.letters}-",
        f'name = "{like}"',
    ):
        assert left not in text


BY_DAY = "customs"
"""The example whose tests run by day under another name; at night those of all."""


@pytest.mark.parametrize(
    "like",
    [name if name == BY_DAY else pytest.param(name, marks=pytest.mark.nightly) for name in SOURCES if name != TREASURE],
)
def test_game_like_an_example_works_under_its_own_name(tmp_path: Path, like: str) -> None:
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path), "--like", like]) == 0
    code, out = run(tmp_path / "lost-city", "-k", "rule or recorded or tests")
    assert code == 0, out


def test_example_that_does_not_exist_gets_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path), "--like", "custom"]) == 1
    assert "There is no example 'custom'" in capsys.readouterr().err
    assert not files(tmp_path)


def test_help_lists_the_examples(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["game", "new", "--help"])
    assert "treasure, customs, high-card or mushrooms" in " ".join(capsys.readouterr().out.split())
    assert [*SOURCES] == ["treasure", "customs", "high-card", "mushrooms"]


@pytest.mark.parametrize("builder", BUILDERS)
def test_wheel_has_every_file_of_the_game(tmp_path: Path, builder: str) -> None:
    folder = new(tmp_path)
    project = folder / "pyproject.toml"
    if builder == "setuptools":
        text = project.read_text("utf-8").replace("hatchling>=1.25", "setuptools>=77")
        project.write_text(text.replace("hatchling.build", "setuptools.build_meta"), "utf-8")
    done = subprocess.run([*BUILDERS[builder], str(tmp_path)], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    with ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        packed = {name: wheel.read(name) for name in wheel.namelist() if ".dist-info/" not in name}
    assert packed == {name: content for name, content in files(folder).items() if name.startswith("games/")}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("Foo", "use up to 40 small letters"),
        ("../x", "use up to 40 small letters"),
        ("a--b", "use up to 40 small letters"),
        ("9lives", "begin with a letter"),
        ("x" * 41, "use up to 40 small letters"),
        ("class", "a word of Python"),
        ("stalingrad", "already a game stalingrad"),
        ("sniper_elite", "already a game sniper-elite"),
    ],
)
def test_name_that_no_game_can_have_gets_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str, says: str
) -> None:
    assert cli.main(["game", "new", name, "--into", str(tmp_path)]) == 1
    assert says in capsys.readouterr().err
    assert not files(tmp_path)


def test_nothing_is_overwritten(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "lost-city").mkdir()
    (tmp_path / "file").write_text("", "utf-8")
    for into, says in (("", "exists already"), ("file", "cannot be written")):
        assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path / into)]) == 1
        assert says in capsys.readouterr().err
    assert files(tmp_path) == {"file": b""}


@pytest.mark.parametrize(
    ("text", "title", "letters"),
    [("lost-city", "Lost city", "LC"), ("hunt", "Hunt", "HU"), ("x", "X", "XX"), ("duel-9", "Duel 9", "DU")],
)
def test_title_and_letters_of_rules_follow_from_the_name(text: str, title: str, letters: str) -> None:
    name = read_name(text)
    assert (name.title, name.letters) == (title, letters)
