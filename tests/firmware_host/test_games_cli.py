"""`sniperboard games`: past games are shown in full, the running one as everyone sees it; records are exported,
imported and checked.
"""

from __future__ import annotations

import json
import os
import random
import re
import sqlite3
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.chance import Chance
from engine.game import TABLE
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.play.game import TableGame
from firmware_host.records import chain, record
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.recheck import read_record, recheck
from firmware_host.records.record import Record, RecordError
from firmware_host.records.state_folder import only_one
from games.sniper_elite import GAME
from tests.depth import seeds
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.test_longhand import board, some_options

MAP = "submarine-pens"


class GamesCommand:
    """A state folder with a finished game and a running one, and what the command prints about them."""

    def __init__(self, folder: Path, built: Built, capsys: pytest.CaptureFixture[str]) -> None:
        self.folder, self._capsys = folder, capsys
        self.state = folder / "state"
        self.state.mkdir()
        (self.state / FILE).write_bytes(built[0])
        self.past, self.now = built[1:]

    def games(self, *words: str) -> tuple[int, str, str]:
        """Return exit code, output and errors."""
        code = main(["games", *words, "--state", str(self.state)])
        said = self._capsys.readouterr()
        return code, said.out, said.err

    def exported(self) -> Path:
        """Return the file of the past game's record."""
        file = self.folder / "past.json"
        if not file.exists():
            assert self.games("export", "1", str(file))[0] == 0
        return file


def played(journal: Journal, seed: int, options: dict[str, Any], acts: int) -> TableGame:
    """Play a random game in the journal, in which a few acts are taken back."""
    return play_on(
        TableGame.begin(GAME, maps.load(MAP), GAME.read_options(options), journal, Chance(Random(seed))), seed, acts
    )


def play_on(play: TableGame, seed: int, acts: int) -> TableGame:
    """Make random acts; take back every other one that can be taken back."""
    hand = RandomGame(GAME, play.board, seed)
    for _ in range(acts):
        if play.over:
            break
        hand.referee = play.referee
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        if (last := play.retraction()) is not None and hand.random.random() < 0.5:
            play.take_back(last.seat)
    return play


Built = tuple[bytes, TableGame, TableGame]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """A journal's file with a finished game and a running one."""
    path = tmp_path_factory.mktemp("built") / FILE
    journal = Journal(path)
    past = played(journal, 3, {"random_setup": True}, 2000)
    past.put_away()
    now = played(journal, 8, {"random_setup": True}, 60)
    assert past.over
    assert not now.over
    journal.close()
    return path.read_bytes(), past, now


@pytest.fixture
def command(tmp_path: Path, built: Built, capsys: pytest.CaptureFixture[str]) -> GamesCommand:
    return GamesCommand(tmp_path, built, capsys)


# --- viewing ------------------------------------------------------------------------------------------------------


def test_list_shows_past_games_and_that_one_is_running(command: GamesCommand) -> None:
    code, said, _ = command.games("list")
    past, now = said.splitlines()
    assert code == 0
    assert "put away, " in past
    assert now.split()[-2:] == [MAP, "running"]


def test_running_game_is_shown_as_everyone_sees_it(command: GamesCommand) -> None:
    code, said, _ = command.games("show", "2")
    sentences = [GAME.sentence(event) for event in command.now.referee.told[TABLE]]
    assert code == 0
    assert [line.strip() for line in said.splitlines()[2:]] == sentences


def test_secret_act_changes_nothing_shown_of_running_game(command: GamesCommand) -> None:
    def all_of_it() -> list[tuple[int, str, str]]:
        ways = (["list"], ["show", "3"], ["export", "3", str(command.folder / "x")], ["verify", "3"])
        return [command.games(*way) for way in ways]

    journal = Journal(command.state / FILE)
    play, quiet = played(journal, 9, {"random_setup": True}, 0), 0
    hand = RandomGame(GAME, play.board, 9)
    for _ in range(12):
        before, public = all_of_it(), len(play.referee.told[TABLE])
        hand.referee = play.referee
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        if len(play.referee.told[TABLE]) == public:
            quiet += 1
            assert all_of_it() == before
    assert quiet
    journal.close()


def test_finished_game_is_shown_in_full_with_acts_taken_back(command: GamesCommand) -> None:
    code, said, _ = command.games("show", "1")
    assert code == 0
    assert "(to sniper)" in said
    assert "(to no one)" in said
    assert "defenders taken back" in said
    for event in command.past.referee.told["referee"]:
        assert GAME.sentence(event) in said


def test_unknown_game_and_folder_without_games_are_reported(command: GamesCommand, tmp_path: Path) -> None:
    assert command.games("show", "7") == (
        1,
        "",
        "There is no game 7 here. `sniperboard games list` lists all games.\n",
    )
    command.state = tmp_path / "elsewhere"
    code, _, error = command.games("list")
    assert code == 4
    assert "there is no journal" in error
    assert not command.state.exists()


def test_damaged_journal_is_reported_and_left_unchanged(command: GamesCommand) -> None:
    (command.state / FILE).write_bytes(b"no journal")
    code, _, error = command.games("list")
    assert (code, (command.state / FILE).read_bytes()) == (4, b"no journal")
    assert "Nothing was changed" in error


@pytest.mark.parametrize("number", [1, 2])
def test_damaged_game_is_reported_and_others_stay_unchanged(command: GamesCommand, number: int) -> None:
    file = command.exported()
    before = command.games("list")[1].splitlines()
    db = sqlite3.connect(command.state / FILE)
    db.execute("UPDATE entries SET telling = '[]' WHERE game = ? AND number = 3", (number,))
    db.commit()
    db.close()

    code, said, error = command.games("list")
    assert (code, error) == (0, "")
    for was, now in zip(before, said.splitlines(), strict=True):
        same = was[:22] if was.startswith(f"{number:>4}") else was
        assert now.startswith(same)
        assert now.endswith("damaged, and closed") == (same is not was)
    closed = re.compile(rf"Game {number} \({MAP}, \d{{4}}-\d\d-\d\d\) is damaged: .* stays in the journal, closed\.\n")
    for words in (("show",), ("export",), ("verify",)):
        to = [str(command.folder / "no.json")] if words == ("export",) else []
        code, said, error = command.games(*words, str(number), *to)
        assert (code, said) == (3, "")
        assert closed.fullmatch(error)
    assert not (command.folder / "no.json").exists()
    code, said, error = command.games("verify")
    assert code == 3
    assert closed.fullmatch(error)
    assert said.startswith(f"Game {3 - number}: the hash chain holds")
    assert command.games("verify", str(3 - number))[0] == 0
    code, _, error = command.games("import", str(file))
    assert code == 1
    assert "1 game in the journal is damaged: " in error
    which = "as game 1, which is damaged and closed" if number == 1 else "as game 1"
    assert f"here already, {which}. Nothing was changed." in error


# --- records ----------------------------------------------------------------------------------------------------


def test_running_game_is_not_exported(command: GamesCommand) -> None:
    code, _, error = command.games("export", "2", str(command.folder / "now.json"))
    assert code == 1
    assert "its secrets stay hidden until it has ended" in error
    assert not (command.folder / "now.json").exists()


def test_record_is_same_after_import_at_another_table(command: GamesCommand) -> None:
    file = command.exported()
    command.state = command.folder / "other"
    assert command.games("import", str(file))[0] == 0
    code, said, error = command.games("verify")
    assert (code, error) == (0, "")
    assert said.startswith("Game 1: the hash chain holds, and every act follows the rules.\n")
    assert "imported" in command.games("list")[1]
    journal = Journal.open_read_only(command.state / FILE)
    assert journal.entries(1)[:-1] == record.read_record(file.read_bytes()).entries
    assert journal.running() is None
    assert command.games("export", "1", str(command.folder / "again.json"))[0] == 0
    assert command.games("verify", str(command.folder / "again.json"))[0] == 0


def test_record_never_replaces_game_or_file(command: GamesCommand) -> None:
    file = command.exported()
    was = file.read_bytes()
    code, _, error = command.games("import", str(file))
    assert code == 1
    assert "This game is here already, as game 1. Nothing was changed." in error
    code, _, error = command.games("export", "1", str(file))
    assert code == 1
    assert "Choose a new name" in error
    assert file.read_bytes() == was
    code, _, error = command.games("export", "1", str(command.folder / "nowhere" / "one.json"))
    assert code == 1
    assert f"there is no folder {command.folder / 'nowhere'}. Create it, or choose another one." in error


def test_nothing_is_imported_while_table_uses_folder(command: GamesCommand) -> None:
    file = command.exported()
    with only_one(command.state):
        code, _, error = command.games("import", str(file))
    assert code == 4
    assert "another table is using this folder" in error


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder to somebody else")
def test_root_does_not_write_into_folder_of_table(command: GamesCommand) -> None:
    file = command.exported()
    os.chown(command.state, 12345, 12345)
    code, _, error = command.games("import", str(file))
    assert code == 1
    assert "belongs to another user" in error


def test_reformatted_record_is_same_record(command: GamesCommand) -> None:
    file = command.exported()
    file.write_text(json.dumps(json.loads(file.read_bytes()), indent=4, ensure_ascii=False), "utf-8")
    assert command.games("verify", str(file))[0] == 0


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "not a record of a game"),
        (b"\xff\xfe{", "not a record of a game"),
        (b"[]", "not a record of a game"),
        (b"{}", "not a record of a game"),
        (b'{"format": "sniperboard-record/2"}', "its format is 'sniperboard-record/2'; this version reads"),
        (b'{"format": "\\u001b[2J"}', "its format is '\\x1b[2J'"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 17 + b"1" + b"}" * 17, "nested too deeply"),
        (b" " * (record.LARGEST_RECORD + 1), "larger than 8 MiB"),
        (b'{"format": "sniperboard-record/1", "started": 1' + b"0" * 5000 + b"}", "not a record of a game"),
        (b'{"format": "sniperboard-record/1", "extra": 1}', "not a record of a game"),
        (b'{"format": "sniperboard-record/1", "started": -0.0}', "minus zero"),
    ],
)
def test_invalid_record_is_reported(command: GamesCommand, data: bytes, sentence: str) -> None:
    file = command.folder / "bad.json"
    file.write_bytes(data)
    for way in ("import", "verify"):
        code, _, error = command.games(way, str(file))
        assert code == {"import": 1, "verify": 3}[way]
        assert sentence in error
        assert "\x1b" not in error


def test_missing_record_is_reported(command: GamesCommand) -> None:
    assert command.games("import", str(command.folder / "none"))[2].endswith(
        "none: cannot be read (No such file or directory).\n"
    )


# --- verifying --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["grid", "launch-facility", "submarine-pens"])
def test_every_random_game_follows_rules_with_its_recorded_luck(name: str, tmp_path: Path) -> None:
    backs = 0
    journal = Journal(tmp_path / FILE)
    for seed in seeds(4):
        options = GAME.read_options(some_options(Random(seed)))
        play = play_on(TableGame.begin(GAME, board(name), options, journal, Chance(Random(seed))), seed, 150)
        number = play.number
        kept = record.record_of(journal.games()[-1], journal.entries(number))
        backs += sum(entry.kind == "taken-back" for entry in kept.entries)
        again = recheck(record.read_record(record.record_bytes(kept)), board(name))
        assert again.pictures == play.referee.pictures
        assert again.told == play.referee.told
    assert backs


Change = Callable[[list[dict[str, Any]]], None]


def rechained(kept: Record, change: Change) -> bytes:
    """Return a record with other entries and a correct hash chain, as a forger could write it."""
    plain = msgspec.to_builtins(kept)
    change(plain["entries"])
    before = plain["hash"] = chain.hash_before_first(kept)
    for it in plain["entries"]:
        texts = chain.json_text(it["command"]), chain.json_text(it["telling"])
        before = it["hash"] = chain.link(before, it["at"], it["kind"], it["seat"], *texts)
    return msgspec.json.encode(plain)


def find(entries: list[dict[str, Any]], tag: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the first event of a kind and its entry."""
    return next((told, entry) for entry in entries for told in entry["telling"] if told["event"]["type"] == tag)


def _another_draw(entries: list[dict[str, Any]]) -> None:
    drawn = find(entries, "drew")[0]["event"]["tokens"]
    drawn["aim"], drawn["noise"] = drawn["noise"] + 1, drawn["aim"]


def _another_deck(entries: list[dict[str, Any]]) -> None:
    cards = find(entries, "objectives")[0]["event"]["cards"]
    cards[0] = cards[1]


def _secret_sent_to_all(entries: list[dict[str, Any]]) -> None:
    find(entries, "sniper-moved")[0]["to"] = None


def _public_event_withheld(entries: list[dict[str, Any]]) -> None:
    told, entry = find(entries, "turn-ended")
    entry["telling"].remove(told)


def _extra_field(entries: list[dict[str, Any]]) -> None:
    find(entries, "moved")[0]["event"]["note"] = "hello"


def _extra_field_in_command(entries: list[dict[str, Any]]) -> None:
    entries[1]["command"]["note"] = "hello"


def _unknown_event(entries: list[dict[str, Any]]) -> None:
    find(entries, "moved")[0]["event"]["type"] = "teleported"


def _invalid_audience(entries: list[dict[str, Any]]) -> None:
    find(entries, "moved")[0]["to"] = 7


def _no_audience(entries: list[dict[str, Any]]) -> None:
    del find(entries, "moved")[0]["to"]


def _act_of_another_seat(entries: list[dict[str, Any]]) -> None:
    entries[1]["seat"] = "defenders"


def _act_of_no_seat(entries: list[dict[str, Any]]) -> None:
    entries[1]["seat"] = "referee"


def _missing_act(entries: list[dict[str, Any]]) -> None:
    del entries[2]


def _duplicate_act(entries: list[dict[str, Any]]) -> None:
    entries.insert(2, dict(entries[1]))


def _taken_back_by_another_seat(entries: list[dict[str, Any]]) -> None:
    next(entry for entry in entries if entry["kind"] == "taken-back")["seat"] = "sniper"


def _revealing_act_taken_back(entries: list[dict[str, Any]]) -> None:
    place = next(n for n, entry in enumerate(entries) if any(t["event"]["type"] == "drew" for t in entry["telling"]))
    entries.insert(place + 1, {**entries[place], "kind": "taken-back", "command": None, "telling": []})


def _events_at_end(entries: list[dict[str, Any]]) -> None:
    entries[-1]["telling"] = entries[0]["telling"]


def _seat_at_end(entries: list[dict[str, Any]]) -> None:
    entries[-1]["seat"] = "sniper"


CHANGES: list[Change] = [
    _another_draw, _another_deck, _secret_sent_to_all, _public_event_withheld, _extra_field,
    _extra_field_in_command, _unknown_event, _invalid_audience, _no_audience, _act_of_another_seat,
    _act_of_no_seat, _missing_act, _duplicate_act, _taken_back_by_another_seat, _revealing_act_taken_back,
    _events_at_end, _seat_at_end,
]  # fmt: skip


@pytest.fixture(scope="module")
def past(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Record:
    """A finished game with many kinds of events."""
    path = tmp_path_factory.mktemp("past") / FILE
    path.write_bytes(built[0])
    journal = Journal.open_read_only(path)
    return record.record_of(journal.games()[0], journal.entries(1))


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__.strip("_"))
def test_forged_record_with_correct_chain_breaks_rules(past: Record, change: Change) -> None:
    recheck(record.read_record(rechained(past, lambda _: None)), maps.load(MAP))
    forged = record.read_record(rechained(past, change))
    with pytest.raises(RecordError, match=r"entry \d+ .*\.$"):
        recheck(forged, maps.load(MAP))


def test_record_of_another_drawing_or_with_invalid_options_is_refused(past: Record) -> None:
    for field, value in (("source", "0" * 64), ("options", {"random_setup": 1}), ("options", {"sly": True})):
        forged = msgspec.structs.replace(past, **{field: value})
        with pytest.raises(RecordError):
            recheck(record.read_record(rechained(forged, lambda _: None)), maps.load(MAP))


def as_saved_again(data: bytes) -> bytes:
    """Return a record as a program saves it that sorts names, writes 1.0 as 1, and ends lines like Windows."""

    def plain(number: str) -> float | int:
        return int(float(number)) if float(number).is_integer() else float(number)

    text = json.dumps(json.loads(data, parse_float=plain), indent=2, sort_keys=True, ensure_ascii=True)
    return text.replace("\n", "\r\n").encode("utf-8-sig")


def test_record_survives_another_program(past: Record) -> None:
    again = as_saved_again(record.record_bytes(past))
    with pytest.raises(RecordError):
        record.read_record(again)
    found = read_record(again)
    assert record.record_bytes(found) == record.record_bytes(past)
    recheck(found, maps.load(MAP))


def test_change_is_found_in_any_form(past: Record) -> None:
    for change in CHANGES:
        plain = msgspec.to_builtins(past)
        change(plain["entries"])
        with pytest.raises(RecordError, match="the hash chain does not hold"):
            read_record(as_saved_again(json.dumps(plain).encode()))
    plain = {**msgspec.to_builtins(past), "started": past.started + 1}
    with pytest.raises(RecordError, match="the hash chain does not hold at its beginning"):
        read_record(as_saved_again(json.dumps(plain).encode()))


def test_record_that_cannot_be_replayed_is_not_called_changed(past: Record) -> None:
    gone = msgspec.structs.replace(past, map="gone")
    again = as_saved_again(rechained(gone, lambda _: None))
    with pytest.raises(RecordError, match="cannot be checked: played on 'gone', a map that is not installed"):
        read_record(again)


def test_record_does_not_choose_which_map_files_are_read(command: GamesCommand, past: Record) -> None:
    there = maps.drawing_of(MAP).parent
    sly = f"../{there.parent.name}/{there.name}"
    assert (there.parent / sly).samefile(there)
    file = command.folder / "sly.json"
    file.write_bytes(rechained(msgspec.structs.replace(past, map=sly), lambda _: None))
    code, _, error = command.games("verify", str(file))
    assert code == 3
    assert "a map that is not installed" in error


@settings(max_examples=80)
@given(st.data())
def test_record_with_changed_byte_is_refused_or_same(past: Record, data: st.DataObject) -> None:
    raw = bytearray(record.record_bytes(past))
    raw[data.draw(st.integers(0, len(raw) - 1))] = data.draw(st.integers(0, 255))
    try:
        found = record.read_record(bytes(raw))
    except RecordError:
        return
    assert found == past


@settings(max_examples=80)
@given(st.data())
def test_strange_records_are_refused_without_other_errors(past: Record, data: st.DataObject) -> None:
    strange = st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
        max_leaves=5,
    )
    luck = random.Random(data.draw(st.integers(0, 10_000)))

    def change(entries: list[dict[str, Any]]) -> None:
        del entries[8:]
        entry = luck.choice(entries)
        place: Any = luck.choice([entry, entry["command"] or entry, *entry["telling"]])
        place = luck.choice([place, place.get("event", place)])
        place[luck.choice([key for key in place if key not in ("at", "kind", "seat", "hash")] or ["x"])] = data.draw(
            strange
        )

    try:
        recheck(record.read_record(rechained(past, change)), maps.load(MAP))
    except RecordError as error:
        assert str(error).endswith(".")
