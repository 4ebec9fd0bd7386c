"""Past games: viewable once they are over, closed before; shown step by step; their records exported and imported."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from engine.game import REFEREE, TABLE
from firmware_host.core.errors import UserError
from firmware_host.play.game import TableGame
from firmware_host.records import imports, past, record, work_turns
from firmware_host.records.journal import FILE, Journal, SavedGame
from firmware_host.records.past import PastGames
from games.sniper_elite import GAME
from games.sniper_elite.rules.commands import Move
from games.sniper_elite.rules.sentences import OUTCOMES
from tests.firmware_host.saved import saved_acts
from tests.firmware_host.test_games_cli import played
from tests.firmware_host.test_journal_file import spoil_types
from tests.games.random_play import RandomGame
from tests.past_pages import told as told_of

DEALT = {"random_setup": True}


class Archive:
    """A journal with a game played to its end, one put away before its end, and a running one."""

    def __init__(self, path: Path) -> None:
        self.journal = Journal(path)
        self.past = PastGames(self.journal.path)

    def refusal(self, ask: Callable[[], object]) -> tuple[str, str]:
        with pytest.raises(UserError) as caught:
            ask()
        return caught.value.code, caught.value.sentence


OVER, LEFT, NOW = 1, 2, 3


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, TableGame]:
    path = tmp_path_factory.mktemp("built") / FILE
    journal = Journal(path)
    over = played(journal, 3, DEALT, 2000)
    assert over.over
    over.put_away()
    played(journal, 5, DEALT, 40).put_away()
    played(journal, 8, DEALT, 40)
    journal.close()
    return path.read_bytes(), over


@pytest.fixture
def archive(tmp_path: Path, built: tuple[bytes, TableGame]) -> Any:
    (tmp_path / FILE).write_bytes(built[0])
    archive = Archive(tmp_path / FILE)
    yield archive
    archive.journal.close()


# --- viewing ------------------------------------------------------------------------------------------------------


def test_game_whose_board_has_its_name_keeps_its_title(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("firmware_host.records.past.maps.names", lambda: ["sniper-elite"])
    assert archive.past.listed()["games"][0]["title"] == "Sniper Elite"


def test_list_shows_endings_and_only_public_facts_of_others(archive: Archive, built: tuple[bytes, TableGame]) -> None:
    listed = archive.past.listed()
    now, left, over = listed["games"]
    end = built[1].referee.truth.over
    assert set(now) == {"number", "game", "title", "map", "name", "started", "state"}
    assert (left["state"], left["over"], "acts" in left) == ("put-away", None, False)
    assert (over["state"], over["over"]) == ("over", {"winner": end.winner, "reason": end.reason})
    assert over["outcome"] == OUTCOMES[end.reason]
    assert left["outcome"] is None
    assert over["acts"] == len(saved_acts(archive.journal, OVER)) - 1
    assert not listed["more"]


def test_only_game_played_to_its_end_can_be_viewed(archive: Archive) -> None:
    for number, sentence in ((NOW, past.CLOSED["running"]), (LEFT, past.CLOSED["put-away"])):
        for ask in (archive.past.whole_game, archive.past.record):
            assert archive.refusal(lambda ask=ask, number=number: ask(number)) == ("not-over", sentence)
    assert archive.refusal(lambda: archive.past.whole_game(9))[0] == "not-found"
    assert archive.refusal(lambda: archive.past.facts(2**70))[0] == "not-found"


def test_game_can_be_viewed_once_table_has_finished_it(tmp_path: Path) -> None:
    journal = Journal(tmp_path / FILE)
    assert played(journal, 3, DEALT, 2000).over
    found = PastGames(journal.path)
    with pytest.raises(UserError, match="still running"):
        found.whole_game(1)
    assert told_of(PastGames(journal.path, finished=lambda: 1), 1)["state"] == "over"
    journal.close()


def test_game_on_another_drawing_of_map_is_not_shown(archive: Archive) -> None:
    journal, saved = archive.journal, archive.journal.find(OVER)
    assert isinstance(saved, SavedGame)
    start, *acts = saved_acts(journal, OVER)
    number = journal.begin(saved.game, saved.map, "another", saved.options, start.telling, start.command)
    for act in acts:
        journal.write(number, act)
    journal.end(number)

    assert archive.past.facts(number)["state"] == "unknown"
    assert archive.refusal(lambda: archive.past.whole_game(number))[0] == "not-over"


def test_unreadable_journal_is_reported(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read now"):
        PastGames(tmp_path / "away").listed()


def test_secret_act_changes_nothing_that_is_shown(archive: Archive, built: tuple[bytes, TableGame]) -> None:
    def all_of_it() -> list[Any]:
        asks = (archive.past.whole_game, archive.past.record)
        told = [archive.past.listed(), archive.past.facts(4)]
        return [json.dumps(told), *(archive.refusal(lambda ask=ask: ask(4)) for ask in asks)]

    play, quiet = played(archive.journal, 9, DEALT, 0), 0
    hand = RandomGame(GAME, play.board, 9)
    before = all_of_it()
    for _ in range(40):
        public = len(play.referee.told[TABLE])
        hand.referee = play.referee
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        quiet += len(play.referee.told[TABLE]) == public
        assert all_of_it() == before, "no event of a running game is shown"
    assert quiet


def test_size_of_game_that_was_put_away_does_not_tell_how_much_was_secret(tmp_path: Path) -> None:
    journal, stored = Journal(tmp_path / FILE), list[Any]()
    for moves in (False, True):
        play = played(journal, 5, DEALT, 45)
        if moves:
            play.act("sniper", next(act for act in play.referee.legal("sniper") if isinstance(act, Move)))
        play.put_away()
        stored.append(PastGames(journal.path).stored()["games"][0]["bytes"])
    journal.close()
    assert stored[0] == stored[1]


def test_running_game_is_not_even_read(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not read takes no time that could be measured."""
    read: list[int] = []
    entries = Journal.entries
    monkeypatch.setattr(Journal, "entries", lambda journal, game: read.append(game) or entries(journal, game))
    size = Journal.size
    monkeypatch.setattr(Journal, "size", lambda journal, game: read.append(game) or size(journal, game))
    archive.past.listed()
    archive.past.facts(NOW)
    archive.refusal(lambda: archive.past.whole_game(NOW))
    archive.refusal(lambda: archive.past.record(NOW))
    archive.past.stored()
    data = record.read_record(
        record.record_bytes(record.record_of(archive.journal.games()[NOW - 1], entries(archive.journal, NOW)))
    )
    other = msgspec.structs.replace(data, started=1.0, hash="another")
    archive.past.check_new(other)
    assert read
    assert NOW not in read


# --- step by step -----------------------------------------------------------------------------------------------


def test_each_step_is_game_at_that_time(archive: Archive, built: tuple[bytes, TableGame]) -> None:
    steps = list(archive.past.moment(OVER, 0)[0].steps())
    acts = list(saved_acts(archive.journal, OVER))
    assert [step.seat for step in steps] == [act.seat for act in acts]
    assert steps[-1].pictures == built[1].referee.pictures
    assert [step.at for step in steps] == sorted(step.at for step in steps)


def test_defenders_could_always_have_believed_truth(archive: Archive) -> None:
    hidden = [step for step in archive.past.moment(OVER, 0)[0].steps() if step.truth.mine.space and step.possible]
    assert len(hidden) > 20
    assert all(step.truth.mine.space in step.possible for step in hidden)
    assert any(len(step.possible) > 1 for step in hidden)


def test_step_has_every_picture_and_separates_known_from_true(archive: Archive) -> None:
    whole = told_of(archive.past, OVER)
    steps = whole["steps"]
    assert whole["known"] == "defenders"
    assert whole["judged"] is archive.past.ending(OVER)["judged"] is True
    assert [(seat["name"], seat["secret"]) for seat in whole["seats"]] == [("sniper", True), ("defenders", False)]
    assert all(set(step["views"]) == {"sniper", "defenders", TABLE, REFEREE} for step in steps)
    assert all(step["views"]["defenders"]["sniper"]["space"] is None for step in steps)
    assert any(step["views"][REFEREE]["sniper"]["space"] for step in steps)
    told = [line for step in steps for line in step["told"]]
    assert {"sniper"} in [set(line["to"] or ()) for line in told]
    assert json.dumps(steps)


def test_lamps_show_step_with_hidden_facts(archive: Archive) -> None:
    history = archive.past.moment(OVER, 0)[0]
    shown = next(step for step in history.steps() if len(step.truth.mine.log) > 2)
    cues = {cue.name: cue.spaces for cue in history.cues(shown)}
    truth = shown.truth
    assert cues["hider"] == (truth.mine.space,)
    assert set(cues["path"]) == {space for _, space in truth.mine.log if space}
    stood = {cue.colour: set(cue.spaces) for cue in history.cues(shown) if cue.name == "stood"}
    for squad, spaces in stood.items():
        assert spaces == {space for unit, space in truth.units.items() if space and unit.startswith(squad or "?")}
    assert "hider" not in {cue.name for cue in history.cues(list(history.steps())[-1])}, "the end shows the whole way"


@pytest.mark.parametrize("odd", [{(1, 2): 3}, object()])
def test_step_that_cannot_be_sent_does_not_reach_the_table(
    archive: Archive, monkeypatch: pytest.MonkeyPatch, odd: object
) -> None:
    """No seat has the referee's picture, so it was first encoded in the table's loop, which ended: at a stranger's
    request.
    """
    history = archive.past.moment(OVER, 0)[0]
    game, truth, view = history.game, next(history.steps()).truth, history.game.view
    monkeypatch.setitem(vars(game), "view", lambda picture: odd if picture == truth else view(picture))
    assert archive.refusal(lambda: archive.past.moment(OVER, 0))[0] == "game-fault"


# --- records ----------------------------------------------------------------------------------------------------


def test_record_can_be_imported_during_a_game(archive: Archive, tmp_path: Path) -> None:
    name, data = archive.past.record(OVER)
    (tmp_path / "other").mkdir()
    other = Journal(tmp_path / "other" / FILE)
    running = played(other, 8, DEALT, 10)
    was = other.entries(running.number)
    number = imports.import_record(other, imports.read_checked(data))
    assert name.startswith("sniperboard-submarine-pens-20")
    assert name.endswith("-1.json")
    told = told_of(PastGames(other.path), number)
    assert (told["state"], told["imported"]) == ("over", True)
    assert told["steps"] == told_of(archive.past, OVER)["steps"]
    found = other.running()
    assert found is not None
    assert (found.id, other.entries(found.id)) == (running.number, was)
    with pytest.raises(UserError, match=f"here already, as game {number}"):
        imports.check_new(other, imports.read_checked(data))
    other.close()


def changed(data: bytes, old: bytes, new: bytes) -> bytes:
    assert old in data
    return data.replace(old, new, 1)


@pytest.mark.parametrize(
    ("spoil", "why"),
    [
        (lambda data: b"", "not a record of a game"),
        (lambda data: b"\xff" * 100, "not a record of a game"),
        (lambda data: b"[" * 5000, "nested too deeply"),
        (lambda data: data[:-200], "it is not JSON. Save it again at its table."),
        (lambda data: changed(data, b"submarine-pens", b"launch-facilit"), "does not hold at its beginning"),
        (lambda data: changed(data, b'"kind":"act"', b'"kind":"art"'), "not a record of a game"),
        (lambda data: changed(data, b'"turn-ended"', b'"turn-enden"'), "the hash chain does not hold at entry"),
        (lambda data: b'{"format": "chess-game/3"}', "its format is 'chess-game/3'"),
    ],
)
def test_foreign_or_damaged_record_is_reported_and_nothing_is_lost(
    archive: Archive, spoil: Callable[[bytes], bytes], why: str
) -> None:
    before = archive.past.listed()
    code, sentence = archive.refusal(lambda: imports.read_checked(spoil(archive.past.record(OVER)[1])))
    assert code == "bad-record"
    assert why in sentence
    assert sentence.startswith("This record cannot be imported: ")
    assert archive.past.listed() == before


def test_too_large_too_long_or_unfinished_record_is_refused(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    assert archive.refusal(lambda: imports.read_checked(b" " * (imports.LARGEST_UPLOAD + 1)))[0] == "too-large"
    saved = archive.journal.games()[LEFT - 1]
    unfinished = record.record_bytes(record.record_of(saved, archive.journal.entries(LEFT)))
    assert "was not finished" in archive.refusal(lambda: imports.read_checked(unfinished))[1]
    data = archive.past.record(OVER)[1]
    monkeypatch.setattr(imports, "MOST_ENTRIES", 10)
    assert "more than 10 entries" in archive.refusal(lambda: imports.read_checked(data))[1]
    monkeypatch.setattr(imports, "CHECK_SECONDS", -1.0)
    monkeypatch.setattr(imports, "MOST_ENTRIES", 3000)
    assert "takes too long" in archive.refusal(lambda: imports.read_checked(data))[1]


def test_unstorable_record_is_reported_and_game_goes_on(archive: Archive) -> None:
    sent = record.read_record(archive.past.record(OVER)[1])
    never = msgspec.structs.replace(sent, started=-0.0, hash="another")
    code, sentence = archive.refusal(lambda: imports.import_record(archive.journal, never))
    assert code == "bad-record"
    assert sentence.startswith("This record cannot be imported: it cannot be stored without changes")
    assert [game.id for game in archive.journal.games()] == [OVER, LEFT, NOW]
    running = archive.journal.running()
    assert running is not None
    assert running.id == NOW


# --- damaged games ----------------------------------------------------------------------------------------------


def broken(archive: Archive, change: str) -> Archive:
    """Return the same house after a restart with a changed journal."""
    archive.journal._db.execute(change)
    archive.journal.close()
    archive.journal = Journal(archive.journal.path)
    archive.past = PastGames(archive.journal.path, archive.journal.checks)
    return archive


@pytest.mark.parametrize("change", ["hash = 'x'", "telling = '[]'", "kind = 'act'"])
@pytest.mark.parametrize("number", [OVER, LEFT, NOW])
def test_damaged_game_is_listed_and_closed_and_others_stay_unchanged(
    archive: Archive, change: str, number: int
) -> None:
    data = archive.past.record(OVER)[1]
    before = archive.past.listed()["games"]
    broken(archive, f"UPDATE entries SET {change} WHERE game = {number} AND number = 0")
    listed = archive.past.listed()
    for was, now in zip(before, listed["games"], strict=True):
        if was["number"] == number:
            facts = {name: was[name] for name in ("number", "map", "name", "started")}
            assert now == {**facts, "state": "damaged"} == archive.past.facts(number)
        else:
            assert now == was
    for games in (archive.past, PastGames(archive.journal.path, archive.journal.checks, finished=lambda: number)):
        for ask in (games.whole_game, games.record):
            closed = archive.refusal(lambda ask=ask: ask(number))
            assert closed == ("not-over", past.CLOSED["damaged"])
    if number == OVER:
        sentence = f"This game is here already, as game {OVER}, which is damaged and closed."
        assert archive.refusal(lambda: imports.check_new(archive.journal, imports.read_checked(data)))[1] == sentence
    else:
        assert archive.past.record(OVER)[1] == data


NO_TEXT = "CAST(x'ff' AS TEXT)"
LAST = f"number = (SELECT MAX(number) FROM entries WHERE game = {OVER})"


def check_closed(archive: Archive) -> None:
    """Check that the finished game is shown as damaged, and the others as before."""
    assert archive.refusal(lambda: archive.past.page(OVER, 0)) == ("not-over", past.CLOSED[past.DAMAGED])
    for found in (archive.past.listed()["games"], archive.past.stored()["games"]):
        states = [(it["number"], it["state"]) for it in found]
        assert states == [(NOW, "running"), (LEFT, "put-away"), (OVER, "damaged")]


@pytest.mark.parametrize(
    "change",
    [
        "games SET options = '{' WHERE id",
        *(f"games SET {name} = {NO_TEXT} WHERE id" for name in ("game", "map", "source", "options", "hash")),
        *(f"entries SET {name} = {NO_TEXT} WHERE {LAST} AND game" for name in ("kind", "hash")),
    ],
)
@pytest.mark.parametrize("listed", [False, True])
def test_game_that_cannot_be_read_any_more_is_closed_alone(archive: Archive, change: str, listed: bool) -> None:
    if listed:
        archive.past.listed()
        archive.past._histories.forget(lambda _: True)
    with closing(sqlite3.connect(archive.journal.path)) as db, db:
        db.execute(f"UPDATE {change} = ?", (OVER,))
    check_closed(archive)


@pytest.mark.parametrize("value", ["NULL", "x'41'"])
@pytest.mark.parametrize("name", ["started", "game", "options"])
def test_game_whose_row_has_other_types_by_now_is_closed_alone(archive: Archive, name: str, value: str) -> None:
    spoil_types(archive.journal.path, "games", name, f"id = {OVER}", value)
    check_closed(archive)


@pytest.mark.parametrize("telling", ["'[{'", "'[]'", "CAST(x'ff' AS TEXT)"])
@pytest.mark.parametrize("listed", [False, True])
def test_game_that_is_damaged_while_table_runs_is_closed_alone(archive: Archive, telling: str, listed: bool) -> None:
    before = archive.past.listed()["games"] if listed else None
    archive.past._histories.forget(lambda _: True)  # as after reading some other games
    with closing(sqlite3.connect(archive.journal.path)) as db, db:
        db.execute(f"UPDATE entries SET telling = {telling} WHERE game = ? AND number = 3", (OVER,))
    check_closed(archive)
    assert before is None or archive.past.listed()["games"][:2] == before[:2]
    assert [it["bytes"] is None for it in archive.past.stored()["games"]] == [True, False, False]


def test_record_of_game_that_was_damaged_after_it_was_shown_is_refused(archive: Archive) -> None:
    archive.past.page(OVER, 0)
    with closing(sqlite3.connect(archive.journal.path)) as db, db:
        db.execute("UPDATE entries SET telling = '[]' WHERE game = ? AND number = 3", (OVER,))
    assert archive.refusal(lambda: archive.past.record(OVER)) == ("not-over", past.CLOSED[past.DAMAGED])


@pytest.mark.parametrize("results", ["'[{'", NO_TEXT])
def test_damaged_results_do_not_keep_games_from_being_listed(archive: Archive, results: str) -> None:
    before = archive.past.listed()
    archive.journal.store_value("results", [])
    with closing(sqlite3.connect(archive.journal.path)) as db, db:
        db.execute(f"UPDATE kept SET value = {results} WHERE name = 'results'")
    assert archive.past.listed() == before


def test_damaged_game_is_recognized_by_row_or_first_entry(archive: Archive) -> None:
    data = archive.past.record(OVER)[1]
    broken(archive, "UPDATE games SET hash = 'x', map = '', started = 1e300 WHERE id = 1")
    assert archive.past.facts(OVER) == {
        "number": OVER, "map": None, "name": "A damaged game", "started": None, "state": "damaged",
    }  # fmt: skip
    assert "damaged" in archive.refusal(lambda: imports.check_new(archive.journal, record.read_record(data)))[1]


def test_pages_of_list_count_damaged_games(archive: Archive, monkeypatch: pytest.MonkeyPatch) -> None:
    broken(archive, "UPDATE entries SET telling = '[]' WHERE game <> 2")
    monkeypatch.setattr(past, "GAMES_PER_PAGE", 2)
    first = archive.past.listed()
    second = archive.past.listed(first["games"][-1]["number"])
    told = [(game["number"], game["state"]) for game in (*first["games"], *second["games"])]
    assert told == [(3, "damaged"), (2, "put-away"), (1, "damaged")]
    assert (first["more"], second["more"]) == (True, False)


def test_one_record_is_checked_at_a_time(archive: Archive) -> None:
    guests = imports.turns()
    with guests.next(), pytest.raises(UserError, match="is reading another record") as caught:
        guests.next().__enter__()
    assert caught.value.code == "not-now"
    with guests.next():
        assert archive.refusal(lambda: imports.read_checked(b"{}"))[0] == "bad-record"


def test_long_work_pauses_from_time_to_time_and_not_at_each_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy table a thread gets the interpreter back late. A game of 3,000 acts with as many pauses took 40 s."""
    now, pauses = [0.0], list[float]()
    monkeypatch.setattr(work_turns, "time", SimpleNamespace(monotonic=lambda: now[0], sleep=pauses.append))
    breathe = work_turns.pause_between_steps()
    for _ in range(100):
        now[0] += work_turns.STRETCH / 10
        breathe()
    assert 9 <= len(pauses) <= 10
