"""The pytest plugin runs the contract tests of a game beside its own tests, and looks beside the game for the rest."""

from __future__ import annotations

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from firmware_host.app import cli
from lab.authoring import plugin, recorded
from lab.authoring.create import TEMPLATE
from lab.authoring.recorded import Unreadable
from tests.lab.authoring.games_made import change, made

__all__ = ["made"]

ROOT = Path(__file__).resolve().parents[3]
RECORD = (TEMPLATE / "tests/found.game").read_text("utf-8")


@pytest.fixture
def game(tmp_path: Path) -> Path:
    """The working folder of a new game."""
    assert cli.main(["game", "new", "lost-city", "--into", str(tmp_path)]) == 0
    return tmp_path / "lost-city"


def run(folder: Path, *words: str) -> tuple[int, str]:
    """Run pytest in a folder, as an author does, and return its exit code and what it prints."""
    plugins = ("-p", "lab.authoring.plugin", "-p", "no:cacheprovider")
    command = [sys.executable, "-P", "-m", "pytest", *plugins, "-q", *words]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    return done.returncode, done.stdout + done.stderr


def test_wheel_offers_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["entry-points"]["pytest11"] == {"lab.authoring.plugin": "lab.authoring.plugin"}


@pytest.mark.nightly
def test_new_game_passes(game: Path) -> None:
    code, out = run(game)
    assert code == 0, out


def test_what_is_wrong_beside_the_game_is_said(game: Path) -> None:
    change(game / "tests/found.game", '{"seat": "red", "number": 2}', '{"seat": "red", "number": 3}')
    change(game / "tests/test_rules.py", '"LC-END-01")\ndef', '"LC-END-02")\ndef')
    code, out = run(game, "-k", "recorded or rule")
    assert code == 1
    for said in (
        "found.game: line 12 is now another.",
        "sniperboard game remake found.game",
        'No test covers LC-END-01: give one the mark @pytest.mark.rule("LC-END-01").',
        "A mark names a rule that is not in the book: LC-END-02: tests/test_rules.py::test_hider_wins_after",
    ):
        assert said in out, out
    assert "Traceback" not in out


def test_check_that_uses_a_faulty_one_is_skipped(game: Path) -> None:
    change(game / "games/lost_city/rules.py", "steps=number)", "steps=number + wrong)")
    assert "1 failed, 1 skipped" in run(game, "-k", "random or never")[1]


def test_missing_book_or_record_is_a_sentence(made: Path) -> None:
    for page in (made / "book").iterdir():
        page.unlink()
    assert "there are no rules here." in "".join(plugin.rules("lost-city", {}))
    other = made / "other.game"
    other.write_text(RECORD, "utf-8")
    assert "There is no recorded game of lost-city that ends." in "".join(plugin.recorded("lost-city", [other]))


@pytest.mark.nightly
def test_unknown_game_is_a_sentence(game: Path) -> None:
    code, out = run(game, "--sniperboard-game", "lost-cty")
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: There is no game 'lost-cty'" in out


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("seed 0\n", "", "it has no line that begins with seed. Add it, for example: seed 1."),
        ("game treasure\n", "", "it has no line that begins with game. Add it, for example: game lost-city."),
        ("blue {", "blu {", "line 16: it begins with 'blu', which is no seat"),
        ('{"type": "roll"}', '{"type": "rol"}', "line 11: There is no action 'rol'; known are hide, "),
        ("map island", "map iland", "line 1: "),
        ("begin\n", "begin with [5]\n", "line 6: TypeError in "),
        ("begin\n", "", "line 7: the game hasn't started. Write the line begin before the first act."),
        ("begin\n", "play\n", "line 6: the game hasn't started."),
    ],
)
def test_record_that_cannot_be_replayed_names_the_line(old: str, new: str, says: str) -> None:
    with pytest.raises(Unreadable) as caught:
        recorded.remade(RECORD.replace(old, new, 1))
    assert says in str(caught.value)


@pytest.mark.parametrize(
    "text", [RECORD.encode("utf-8-sig"), RECORD.replace("\n", "\r\n").encode(), RECORD.strip().encode()]
)
def test_record_of_another_editor_is_the_same(made: Path, text: bytes) -> None:
    file = made / "found.game"
    file.write_bytes(text)
    assert plugin._replay(file) == []


def test_record_in_another_encoding_is_a_sentence(made: Path) -> None:
    file = made / "found.game"
    file.write_bytes(RECORD.encode("utf-16"))
    assert plugin._replay(file) == ["found.game: it is not text in UTF-8, but UTF-16: save it as UTF-8."]
    assert any(
        "There is no recorded game of lost-city that ends." in said for said in plugin.recorded("lost-city", [file])
    )


def test_line_play_becomes_a_random_game_up_to_its_end(tmp_path: Path) -> None:
    text = "game treasure\nmap island\nseed 1\n\nbegin\nplay\n"
    new = recorded.remade(text)
    assert recorded.replayed(new).referee.to_act == ()
    assert "\nplay\n" not in new
    assert new.startswith(text.removesuffix("play\n"))
    assert recorded.remade(new) == new


def test_remake_writes_the_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "found.game"
    file.write_text("\n".join(line for line in RECORD.splitlines() if line[:1] != " ") + "\n", "utf-8")
    assert cli.main(["game", "remake", str(tmp_path)]) == 0
    assert file.read_text("utf-8") == RECORD
    assert capsys.readouterr().out == f"{file}: remade. Read the difference before you keep it.\n"
    file.write_text("seed 1\n", "utf-8")
    assert cli.main(["game", "remake", str(file)]) == 1
    assert "found.game: it has no line that begins with game" in capsys.readouterr().err
