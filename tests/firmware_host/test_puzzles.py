"""Puzzles: the shipped ones are right, broken ones are left out, and people have ratings."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

import games
from engine.events import EVERYONE, Told
from engine.game import TABLE
from engine.text import Text
from firmware_host.core import data_files, installed, sizes
from firmware_host.core.capabilities import is_note
from firmware_host.core.data_files import (
    GRADES,
    PUZZLE_FILES,
    PUZZLES,
    DataFileError,
    Puzzle,
    decoded_puzzles,
    files,
    rules_digest,
)
from firmware_host.play import puzzles
from firmware_host.records import solvers
from firmware_host.records.journal import Journal
from firmware_host.records.solvers import Solver, after
from lab.puzzles import making
from lab.puzzles.kinds import MOST_BEFORE, TURN_ENDED, moments_of
from lab.puzzles.making import encoded_puzzles
from tests.games.random_play import RandomGame, board_of

SHIPPED = [
    (game, path.stem, one)
    for game in games.names()
    for path in files(game, PUZZLES, PUZZLE_FILES)
    for one in decoded_puzzles(path.read_bytes(), path.name, rules_digest(game))
]
"""Reading them fails if the rules have changed since: run `sniperboard puzzles verify` for each game."""


def sample(count: int) -> list[tuple[str, str, Puzzle]]:
    """Return `count` shipped puzzles of each kind. `make nightly` verifies all of them."""
    kinds = dict.fromkeys((game, kind) for game, kind, _ in SHIPPED)
    found = {kind: [one for one in SHIPPED if one[:2] == kind] for kind in kinds}
    return [one for every in found.values() for one in Random(0).sample(every, min(count, len(every)))]


def test_at_least_200_puzzles_are_shipped_in_all_grades() -> None:
    assert len(SHIPPED) >= 200
    assert {one.grade for _, _, one in SHIPPED} == {*range(1, GRADES + 1)}
    assert len({(game, one.id) for game, _, one in SHIPPED}) == len(SHIPPED)


@pytest.mark.parametrize(("game", "kind", "puzzle"), sample(1), ids=lambda it: getattr(it, "id", it))
def test_two_calculations_find_the_answers_of_a_shipped_puzzle(game: str, kind: str, puzzle: Puzzle) -> None:
    assert making.is_confirmed(games.find(game), kind, puzzle)


def test_every_shipped_puzzle_can_be_asked() -> None:
    for game, _, one in sample(3):
        found = puzzles.position_of(game, one.id)
        history, step = found.as_history()

        assert isinstance(found.posed().question, Text)
        assert history.cues(step, uncover=found.seat.secret) is not None
        assert not [*puzzles.faults("treasure")]


def test_wrong_answer_is_not_confirmed() -> None:
    game, kind, one = sample(1)[0]

    assert not making.is_confirmed(games.find(game), kind, msgspec.structs.replace(one, answers=(("?",),)))


def test_every_shipped_puzzle_says_what_happened_before() -> None:
    assert [(game, kind, one.id) for game, kind, one in SHIPPED if not one.before and not one.events] == []


def test_events_before_a_position_are_shown_and_change_nothing() -> None:
    game, kind, one = next(it for it in SHIPPED if it[2].before)
    found, without = (
        puzzles.PuzzlePosition(games.find(game), kind, it) for it in (one, msgspec.structs.replace(one, before=()))
    )

    assert found.pictures == without.pictures
    assert [told.event for told in found.as_history()[1].telling] == found.before
    assert found.posed() == without.posed()


def test_page_gets_nothing_that_the_asked_player_does_not_know() -> None:
    where = next(one for _, kind, one in SHIPPED if kind == "where")
    found = puzzles.position_of(games.DEFAULT, where.id)
    history, step = found.as_history()

    assert history.moment(step)["truth"]["sniper"]["space"] is None
    assert set(map(id, step.pictures.values())) == {id(found.view)}


@pytest.mark.parametrize("name", games.names())
def test_puzzle_has_the_public_events_of_the_last_turn(name: str) -> None:
    """They are shown, and change neither the position nor the name of the puzzle."""
    game, board = games.find(name), board_of(games.find(name))
    play = RandomGame(game, board, 1)
    tellings = [play.opening, *(telling for _, _, telling in play.steps())]
    moments = moments_of(game, board, game.read_options(None), tellings)
    moment = moments[len(moments) // 2]
    seat = game.seats(moment.options)[0].name
    puzzle = moment.puzzle(seat)
    public = msgspec.to_builtins([it for it in moment.told[TABLE] if not is_note(game, [Told(it, EVERYONE)])])
    before = [*puzzle.before]

    assert 0 < len(before) <= MOST_BEFORE
    assert msgspec.json.decode(msgspec.json.encode(public[-len(before) :])) == before
    assert sum(one["type"] == TURN_ENDED for one in before[:-1]) <= 1
    assert making.named("shot", puzzle).id == making.named("shot", msgspec.structs.replace(puzzle, before=())).id


GOOD = SHIPPED[0][2]
BAD = {
    "rules": (encoded_puzzles((GOOD,), "other"), "other rules"),
    "cut": (encoded_puzzles((GOOD,), "now")[:-40], "docs/puzzles.md"),
    "field": (encoded_puzzles((), "now") + b'{"id": "00000000"}\n', "docs/puzzles.md"),
    "twice": (encoded_puzzles((GOOD, GOOD), "now"), "same id"),
    "empty": (b"", "docs/puzzles.md"),
    "deep": (encoded_puzzles((), "now") + b"[" * 100_000, "docs/puzzles.md"),
    "binary": (b"\xff\xfe\n\xff", "docs/puzzles.md"),
}


@pytest.mark.parametrize(("text", "why"), BAD.values(), ids=BAD)
def test_bad_file_is_refused_with_a_sentence(text: bytes, why: str) -> None:
    with pytest.raises(DataFileError, match=why):
        decoded_puzzles(text, "shot.jsonl", "now")


def test_bad_puzzles_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    name = games.DEFAULT
    odd = [
        msgspec.structs.replace(GOOD, id="00000001", seat="nobody"),
        msgspec.structs.replace(GOOD, id="00000002", position={"units": {"red-1": "nowhere"}}),
        msgspec.structs.replace(GOOD, id="00000003", answers=(("nowhere",),)),
        msgspec.structs.replace(GOOD, id="00000004", map="no-map"),
        msgspec.structs.replace(GOOD, id="00000005", events=({"type": "no-event"},)),
        msgspec.structs.replace(GOOD, id="00000006", about={}),
        msgspec.structs.replace(GOOD, id="00000007", before=({"type": "no-event"},)),
        msgspec.structs.replace(GOOD, id="00000008", before=GOOD.before[:1] * (sizes.MOST_TOLD + 1)),
    ]
    kind = next(kind for game, kind, one in SHIPPED if one is GOOD)
    (tmp_path / f"{kind}.jsonl").write_bytes(encoded_puzzles((GOOD, *odd), rules_digest(name)))
    (tmp_path / "other.jsonl").write_bytes(b"{}")
    monkeypatch.setattr(data_files, "files", lambda *_: sorted(tmp_path.glob("*.jsonl")))
    puzzles.of_game.cache_clear()
    try:
        found = [*puzzles.faults(name)]
        known = puzzles.of_game(name)
    finally:
        puzzles.of_game.cache_clear()

    assert known.keys() == {GOOD.id, *(one.id for one in odd)}
    assert [one.id for one in odd if not any(one.id in sentence for sentence in found)] == []
    assert "other.jsonl" in caplog.text


def test_faulty_file_of_an_installed_game_is_named(tmp_path: Path) -> None:
    path = tmp_path / "games" / "treasure" / PUZZLES / "where.jsonl"
    path.parent.mkdir(parents=True)
    path.write_bytes(b"no puzzles")

    parts = [str(part.with_(file=file.name)) for file, part, _ in installed._checked_files(path.parent.parent)]
    assert "the puzzles where.jsonl" in parts


# --- ratings ------------------------------------------------------------------------------------------------------


def test_rating_rises_with_right_answers_and_falls_with_wrong_ones() -> None:
    once = after(Solver("Ola"), "00000001", 4, 1)
    twice = after(once, "00000002", 1, 0)

    assert solvers.START < twice.rating < once.rating
    assert (once.streak, once.best, twice.streak, twice.best) == (1, 1, 0, 1)
    assert (twice.tried, twice.right) == (2, 1)


def test_wrong_answers_are_remembered_as_long_as_their_puzzles() -> None:
    known = Solver("Ola")
    for number in range(solvers.MOST_SEEN + 2):
        known = after(known, f"{number:08x}", 1, 0.5 if number % 2 else 1)

    assert len(known.seen) == solvers.MOST_SEEN
    assert known.wrong == known.seen[1::2]


def test_ratings_are_kept_by_name_and_a_puzzle_counts_once(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "games.sqlite")
    solvers.add(journal, "Ola", "00000001", 2, 1)
    solvers.add(journal, "Ola", "00000001", 2, 1)
    solvers.add(journal, "Jan", "00000001", 2, 0)

    assert [(one.name, one.tried) for one in solvers.read_solvers(journal)] == [("Ola", 1), ("Jan", 1)]
    solvers.forget(journal, "Ola")
    assert [one.name for one in solvers.read_solvers(journal)] == ["Jan"]
    solvers.forget(journal)
    assert solvers.read_solvers(journal) == ()
    journal.close()


def test_names_that_have_hardly_answered_make_room_for_others(tmp_path: Path) -> None:
    """Otherwise 40 answers of a stranger, under 40 names, would keep everyone else from a rating."""
    journal = Journal(tmp_path / "games.sqlite")
    for puzzle in ("00000001", "00000002"):
        solvers.add(journal, "Ola", puzzle, 1, 1)
    for number in range(2 * solvers.MOST_SOLVERS):
        solvers.add(journal, f"n{number}", "00000001", 1, 1)

    assert solvers.add(journal, "Jan", "00000001", 1, 1).tried == 1
    kept = [one.name for one in solvers.read_solvers(journal)]
    assert len(kept) == solvers.MOST_SOLVERS
    assert {"Ola", "Jan"} <= {*kept}
    journal.close()
