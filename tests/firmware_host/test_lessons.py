"""Lessons: what a file may contain, the messages about its faults, and how acts are judged."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from engine.game import TABLE
from engine.graph.fault import MapError
from firmware_host.api import training
from firmware_host.api.training import REST_SECONDS, GameTurns, LessonInterface, PuzzleInterface
from firmware_host.core import data_files, maps, missions
from firmware_host.core.data_files import LESSONS, DataFileError, LessonFile, MissionFile, decoded, files
from firmware_host.core.errors import UserError
from firmware_host.core.generic import still_lamps
from firmware_host.core.guarded import GameFault
from firmware_host.core.remembered import RETRY_SECONDS, Remembered
from firmware_host.core.time_limit import Shrinking, TimeUp
from firmware_host.play import puzzles
from firmware_host.table import lessons
from firmware_host.table.lessons import MOST_STEPS, Lesson, Progress, read_lesson
from games import find
from games.snipers_and_assassins.show.lights import LIGHTS, PALETTES

GAME = find("sniper-elite")
WHOLE = """
title = "A step"
about = "One step."
seat = "sniper"
map = "launch-facility"
done = "Done."

[position]
round = 2

[position.sniper]
space = "Y31"
objectives = [2, 3]
hand = []

[[step]]
say = "Go to Y32."
hint = "To Y32, please."
spaces = ["Y32"]

[[step.accepts]]
act = { type = "move", path = ["Y32"] }

[[step]]
say = "End your turn."

[[step.accepts]]
act = { type = "end-turn" }

[[step.then]]
seat = "defenders"
act = { type = "end-turn" }
"""
STEP = {"type": "move", "path": ["Y32"]}
END = {"type": "end-turn"}


def written(folder: Path, text: str) -> Path:
    """Write a lesson's file into the folder of a game."""
    path = folder / "a_game" / "lessons" / "one.toml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def lesson_of(folder: Path, text: str = WHOLE) -> lessons.Lesson:
    return read_lesson(GAME, written(folder, text))


FAULTS = [
    ("title = ", "title : ", "not TOML"),
    ('title = "A step"', "", "missing required field `title`"),
    ('about = "One step."', 'about = "One step."\nauthor = "me"', "unknown field `author`"),
    ("round = 2", 'round = "two"', "`int`"),
    ('seat = "sniper"', 'seat = "snipper"', "There is no seat 'snipper'; known are sniper, defenders"),
    ('seat = "defenders"', 'seat = "guards"', "There is no seat 'guards'"),
    ('map = "launch-facility"', 'map = "launch-facilty"', "Did you mean launch-facility"),
    ('space = "Y31"', 'space = "Q31"', "Q31"),
    ('spaces = ["Y32"]', 'spaces = ["Q32"]', "step 1 marks Q32"),
    ('act = { type = "end-turn" }\n\n[[step.then]]', "[[step.then]]", "missing required field `act`"),
    ('seat = "defenders"\nact = { type = "end-turn" }', 'seat = "defenders"\nact = { type = "rest" }', "rest"),
]


@pytest.mark.parametrize(("old", "new", "fault"), FAULTS)
def test_faulty_file_is_reported_with_its_fault(tmp_path: Path, old: str, new: str, fault: str) -> None:
    assert old in WHOLE
    with pytest.raises(DataFileError) as error:
        lesson_of(tmp_path, WHOLE.replace(old, new, 1))
    assert str(error.value).startswith("a_game/lessons/one.toml: ")
    assert fault in str(error.value)


def test_wrong_number_of_steps_or_unusable_step_is_a_fault(tmp_path: Path) -> None:
    head, _, steps = WHOLE.partition("[[step]]")
    with pytest.raises(DataFileError, match="it has 0 steps"):
        lesson_of(tmp_path, "step = []\n" + head)
    with pytest.raises(DataFileError, match="it has 66 steps"):
        lesson_of(tmp_path, head + 33 * f"[[step]]{steps}")
    with pytest.raises(DataFileError, match="step 1 accepts nothing"):
        lesson_of(tmp_path, WHOLE.partition("[[step]]")[0] + '[[step]]\nsay = "Go."\naccepts = []\n')


def test_bytes_that_are_no_text_are_a_fault() -> None:
    with pytest.raises(DataFileError, match=r"not text in UTF-8 \(see line 1\)"):
        decoded(b"title = \xff", "one.toml", LessonFile)


@pytest.mark.parametrize("kind", [LessonFile, MissionFile])
def test_long_words_of_a_file_are_refused(kind: type) -> None:
    """Pages show those of all games at once, and failed for everyone."""
    with pytest.raises(DataFileError, match=r"length <= \d+.*about"):
        decoded(f'title = "A"\nabout = "{"x" * 5_000}"\n'.encode(), "one.toml", kind)


def test_right_acts_go_on_and_lesson_plays_other_seats(tmp_path: Path) -> None:
    lesson = lesson_of(tmp_path)
    started, moved, over = (Progress(lesson, acts) for acts in ([], [STEP], [STEP, END]))

    assert [progress.taken for progress in (started, moved, over)] == [0, 1, 2]
    assert over.step is None
    assert moved.referee.pictures["sniper"].dossier.space == "Y32"
    assert over.referee.to_act == ("sniper",), "the lesson ended the defenders' turn"


@pytest.mark.parametrize(
    ("act", "wrong", "rule"),
    [
        ({"type": "move", "path": ["Y30"]}, "To Y32, please.", None),
        ({"type": "end-turn"}, "To Y32, please.", None),
        ({"type": "move", "path": ["Y1"]}, "Y1", "MP-MOVE-02"),
        ({"type": "dance"}, "dance", None),
        ({}, "`type`", None),
    ],
)
def test_unexpected_act_does_not_count_and_is_answered(
    tmp_path: Path, act: dict[str, Any], wrong: str, rule: str | None
) -> None:
    lesson = lesson_of(tmp_path)
    tried = Progress(lesson, [act, STEP])

    assert tried.taken == 0
    assert wrong in str(tried.wrong)
    assert tried.rule == rule
    assert tried.referee.pictures == Progress(lesson).referee.pictures


def test_step_without_hint_has_standard_answer(tmp_path: Path) -> None:
    tried = Progress(lesson_of(tmp_path), [STEP, {"type": "shoot", "target": "yellow-2", "draw": 5}])
    assert tried.wrong == lessons.NOT_ASKED


def test_faulty_lesson_is_left_out_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    written(tmp_path, WHOLE)
    (tmp_path / "a_game" / "lessons" / "two.toml").write_text("title = 1", "utf-8")
    monkeypatch.setattr(data_files, "game_folder", lambda name: tmp_path / "a_game")
    monkeypatch.setattr(lessons, "REMEMBERED", Remembered())
    with caplog.at_level(logging.ERROR):
        assert [lesson.name for lesson in lessons.of_game("sniper-elite")] == ["one"]
    assert "a_game/lessons/two.toml" in caplog.text


def still(light: str, colour: str) -> str:
    """Return a light of the race at the mean of its levels, at night."""
    levels = LIGHTS[light].rhythm.levels
    mean = sum(map(int, levels)) / len(levels) / 9
    return "".join(f"{round(part * mean):02x}" for part in PALETTES["night"][colour])


def test_lamps_of_a_lesson_on_a_generic_page_are_its_own_and_constant() -> None:
    """The lesson of the race has lamps for every light; it is shown as a game without screens would be."""
    mined = [
        {"type": "a", "order": "shoot-move", "to": "B5", "target": "assassin-2"},
        {"type": "jump", "to": "C7", "mine": {"when": "before", "space": "B7"}},
    ]
    (lesson,) = lessons.of_game("snipers-and-assassins")
    board = maps.load("pathways-2")
    started, then = (
        still_lamps(lesson.game, Progress(lesson, acts).referee.pictures[TABLE], board) for acts in ([], mined)
    )

    assert started.keys() == then.keys() == board.spaces.keys()
    assert then["B7"] == still("mine", "mine")
    assert started["C7"] == still("target", "target"), "above the range of the shot"
    assert (started["AR"], started["DR"]) == (still("leader", "player-1"), still("leader", "player-2"))
    assert started["D12"] == then["B2"] == "000000"


def test_request_has_no_more_acts_than_a_lesson() -> None:
    with pytest.raises(UserError) as error:
        LessonInterface(GameTurns()).play("sniper-elite", "sniper", [END] * (MOST_STEPS + 1), str)
    assert error.value.code == "too-large"


@pytest.mark.parametrize(
    ("game", "name"), [("sniper-elite", "nobody"), ("no-game", "sniper"), ("stalingrad", "nobody")]
)
def test_missing_lesson_is_not_found(game: str, name: str) -> None:
    with pytest.raises(UserError) as error:
        LessonInterface(GameTurns()).facts(game, name)
    assert error.value.code == "not-found"


def test_page_waits_for_only_one_lesson_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def late(game: object, path: Path) -> None:
        asked.append(path)
        raise TimeUp

    monkeypatch.setattr(lessons, "read_lesson", late)
    monkeypatch.setattr(data_files, "_LIMIT", Shrinking())
    monkeypatch.setattr(lessons, "REMEMBERED", Remembered())
    assert lessons.of_game("sniper-elite") == ()
    assert len(files("sniper-elite", LESSONS)) > 1
    assert len(asked) == 1


def test_lesson_that_would_wait_long_for_another_is_refused() -> None:
    turns = GameTurns()
    turns.turns.seconds = 0.0
    with turns.turns.next(), pytest.raises(UserError) as refused:
        LessonInterface(turns).play("sniper-elite", "sniper", [], str)
    assert refused.value.code == "busy"
    assert LessonInterface(turns).play("sniper-elite", "sniper", [], str)


def test_game_whose_lesson_hangs_is_not_asked_again_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    now, asked = [0.0], []
    turns = GameTurns(lambda: now[0])
    table, puzzle = LessonInterface(turns), PuzzleInterface(cast(Any, None), turns)

    def hang(lesson: Lesson, acts: object) -> Progress:
        asked.append(lesson.game.name)
        raise TimeUp

    def code_of(ask: Callable[[], object]) -> str:
        with pytest.raises(UserError) as refused:
            ask()
        return refused.value.code

    with monkeypatch.context() as patched:
        patched.setattr(training, "Progress", hang)
        assert code_of(lambda: table.play("sniper-elite", "sniper", [], str)) == "game-fault"
    for _ in range(3):
        assert code_of(lambda: table.play("sniper-elite", "sniper", [], str)) == "busy"
        assert code_of(lambda: puzzle.next("sniper-elite", "", 1000, (), str)) == "busy"
    assert asked == ["sniper-elite"]
    assert table.play("stalingrad", "hunt", [], str)
    now[0] += REST_SECONDS
    assert table.play("sniper-elite", "sniper", [], str)
    assert puzzle.next("sniper-elite", "", 1000, (), str)


@pytest.mark.parametrize("kind", [lessons, missions])
@pytest.mark.parametrize("chained", [False, True])
def test_one_fault_of_a_game_hides_its_files_for_a_minute_only(
    monkeypatch: pytest.MonkeyPatch, kind: Any, chained: bool
) -> None:
    """They were left out until the next start."""
    now, reader = [0.0], "read_lesson" if kind is lessons else "read_mission"
    known = kind.of_game("sniper-elite")
    monkeypatch.setattr(kind, "REMEMBERED", Remembered(lambda: now[0]))

    def fails(game: object, path: Path) -> None:
        if chained:  # as for a board that a game does not make
            raise MapError("pathways-2", []) from GameFault("sniper-elite", MemoryError())
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(kind, reader, fails)
        assert kind.of_game("sniper-elite") == ()
    assert kind.of_game("sniper-elite") == ()
    now[0] = RETRY_SECONDS + 1
    assert [it.name for it in kind.of_game("sniper-elite")] == [it.name for it in known]


def test_one_fault_of_a_game_hides_a_puzzle_for_a_minute_only(monkeypatch: pytest.MonkeyPatch) -> None:
    now, puzzle = [0.0], next(iter(puzzles.of_game("sniper-elite")))
    monkeypatch.setattr(puzzles, "BROKEN", Remembered(lambda: now[0]))

    def fails(*args: object) -> None:
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(puzzles, "PuzzlePosition", fails)
        with pytest.raises(LookupError):
            puzzles.position_of("sniper-elite", puzzle)
    with pytest.raises(LookupError):
        puzzles.position_of("sniper-elite", puzzle)
    now[0] = RETRY_SECONDS + 1
    for _ in range(2):  # it is asked, then answered
        assert puzzles.position_of("sniper-elite", puzzle)
