"""The section of the balance page about the experts of Sniper Elite, and its stored games."""

from __future__ import annotations

import multiprocessing
import xml.etree.ElementTree as ET
from pathlib import Path
from threading import Thread
from time import sleep

import msgspec
import pytest
from msgspec.structs import replace

from lab.contests import BOARDS, FULL, Contest, Planned, Played, plan_games, play_missing, play_planned
from lab.experts import main
from lab.experts_page import draw_plots, experts_part
from lab.study import EXPERTS_PART, HEADING, PAGE, SOLO_PART, put_part


def ended(planned: Planned, winner: str) -> Played:
    """Return a possible result of a planned game."""
    done = (3, 7) if winner == "sniper" else (3,)
    return Played(planned, winner, "objectives" if winner == "sniper" else "wounds", 8, "white", (3, 7), done, 1)


def test_stored_games_are_reported_without_playing(tmp_path: Path) -> None:
    planned = plan_games(map(Contest.read, ("phantom:15:2", "marshal:0:2", "marshal:1s:2", "duel:15:2")))
    games = [ended(one, "sniper" if one.number == 1 else "defenders") for one in planned]
    kept = tmp_path / "games"
    kept.write_bytes(b"\n".join(map(msgspec.json.encode, games)))
    assert play_missing(planned, kept, 1) == games
    kept.write_bytes(kept.read_bytes() + b'\n{"planned":')
    assert play_missing(planned, kept, 1) == games, "an incomplete line of an interrupted run is skipped"

    text = experts_part(games, "a command")
    assert text.startswith(f"{HEADING} Sniper Elite")
    assert f"| phantom | warden | {BOARDS[0]} | 15 lines | 2 | 50.0% |" in text
    assert f"| marshal | prowler | {BOARDS[1]} | 1 s | 2 | 50.0% |" in text
    assert f"| {BOARDS[0]} | 15 lines | 2 | 50.0% |" in text
    assert f"| {BOARDS[1]} | 7 | 4 | 50.0% |" in text
    for drawn in draw_plots(games).values():
        assert ET.fromstring(drawn).tag.endswith("svg")
    labels = [text.text for text in ET.fromstring(draw_plots(games)["experts.svg"]).iter() if text.tag.endswith("text")]
    assert [label for label in labels if label in ("0 lines", "15 lines", "1 s")] == ["0 lines", "15 lines", "1 s"]


def test_game_shared_by_two_contests_counts_once(tmp_path: Path) -> None:
    planned = plan_games(map(Contest.read, ("marshal:0:1", "marshal:0:2")))
    games = [ended(one, "sniper") for one in dict.fromkeys(planned)]
    kept = tmp_path / "games"
    kept.write_bytes(b"\n".join(map(msgspec.json.encode, games)))
    assert len(planned) == 6
    assert play_missing(planned, kept, 1) == games
    assert len(games) == 4


def test_games_of_other_code_are_played_again(tmp_path: Path) -> None:
    planned = plan_games([Contest.read("marshal:0:1")])
    old = [ended(replace(one, code="older"), "sniper") for one in planned]
    kept = tmp_path / "games"
    kept.write_bytes(b"\n".join(map(msgspec.json.encode, old)))
    found = play_missing(planned, kept, 1)
    assert [game.planned for game in found] == planned
    assert play_missing(planned, kept, 1) == found
    assert len(kept.read_bytes().split()) == len(old) + len(found)


def test_play_reports_objectives_and_entry() -> None:
    found = play_planned(plan_games([Contest.read("phantom:0:1")])[0])
    assert found.winner in ("sniper", "defenders")
    assert len(found.held) == 2
    assert set(found.completed) <= set(found.held)
    assert found.entry


def test_full_measure_has_every_expert_with_one_second() -> None:
    found = {(it.name, it.games) for it in map(Contest.read, FULL) if it.thought == 1}
    assert found == {("phantom", 400), ("marshal", 400)}


@pytest.mark.parametrize(
    "text",
    [
        "phantom",
        "warden:15:4",
        "phantom:-1:4",
        "phantom:x:4",
        "marshal:1s:0",
        "marshal:0s:4",
        "marshal:nans:4",
        "marshal:infs:4",
        "duel:1:2:3",
    ],
)
def test_invalid_contest_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([text])
    assert "a contest reads NAME:BUDGET:GAMES, as in phantom:0:400" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--jobs", "0"), "--jobs is a whole number from 1 on."),
        (("--keep", "."), "--keep . cannot be written: Is a directory. Name a file that can."),
    ],
)
def test_invalid_arguments_are_refused(
    words: tuple[str, ...], sentence: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["marshal:0:1", "--keep", str(tmp_path / "games"), *words])
    assert sentence in capsys.readouterr().err


def test_games_are_stored_when_a_process_is_killed(tmp_path: Path) -> None:
    others, kept = set(multiprocessing.active_children()), tmp_path / "games"

    def kill() -> None:
        while not (kept.exists() and kept.read_bytes().strip()):
            sleep(0.02)
        (set(multiprocessing.active_children()) - others).pop().kill()

    Thread(target=kill, daemon=True).start()
    with pytest.raises(SystemExit, match=r"A process that played was killed: .* The games so far are kept\."):
        main(["marshal:0:500", "--jobs", "2", "--keep", str(kept), "--into", str(tmp_path)])
    assert [msgspec.json.decode(line, type=Played) for line in kept.read_bytes().split()]


def test_significant_differences_are_written_as_sentences() -> None:
    planned = plan_games([Contest.read("phantom:15:40")])
    games = [
        replace(ended(one, "sniper" if one.number % 2 else "defenders"), entry="red" if one.number % 2 else "white")
        for one in planned
        if one.setting.board == BOARDS[0]
    ]
    text = experts_part(games, "a command")
    sure = "the sniper does better by the red arrow than by the white one; objective 3 is easier than 7"
    unsure = "the sniper does not do significantly better by any arrow; no objective is significantly easier"
    assert f"- {BOARDS[0]}: {sure}.\n- {BOARDS[1]}: {unsure}.\n" in text


def test_each_part_can_be_replaced_alone() -> None:
    text = PAGE.read_text("utf-8")
    solo, by_expert, experts = (text.index(f"{HEADING} {of}") for of in ("the solo game\n", "the solo game,", "Sniper"))
    for number, old in ((SOLO_PART, text[solo:by_expert]), (EXPERTS_PART, text[experts:])):
        changed = put_part(text, number, f"{HEADING} nothing.\n")
        assert changed.count(HEADING) == 3
        assert old.strip() not in changed
        assert put_part(changed, number, old) == text
