"""The promise made at the start of a game is shown to everyone and proved at the end; nothing is drawn twice."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from engine.chance import Chance
from engine.game import TABLE
from firmware_host.app.cli import main
from firmware_host.core import maps
from firmware_host.play.game import TableGame
from firmware_host.records import promise, record
from firmware_host.records.journal import FILE, Journal
from firmware_host.records.promise import Opening, SeededDraws
from firmware_host.records.recheck import recheck
from firmware_host.records.record import RecordError
from games.sniper_elite import GAME
from tests.depth import seeds
from tests.firmware_host.evening import Evening
from tests.firmware_host.test_games_cli import play_on
from tests.firmware_host.test_replay import NoChance
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.test_longhand import some_options

MAP = "launch-facility"
SEED = bytes(range(32))


def start_game(
    folder: Path, seed: int, options: dict[str, Any] | None = None, forced: Any = ()
) -> tuple[TableGame, Journal]:
    """Start a game in a journal of its own."""
    journal = Journal(folder / FILE)
    chosen = GAME.read_options({"random_setup": True} if options is None else options)
    return TableGame.begin(GAME, maps.load(MAP), chosen, journal, Chance(Random(seed), forced)), journal


def entries(journal: Journal) -> list[record.ChainEntry]:
    return journal.entries(journal.games()[-1].id)


def kept(journal: Journal) -> record.Record:
    return record.record_of(journal.games()[-1], entries(journal))


def opening(journal: Journal) -> Opening:
    found = promise.read_opening(entries(journal)[0].command)
    assert found is not None
    return found


def digest(*values: Any) -> str:
    """Return the hash as an independent program would calculate it."""
    return hashlib.sha256(json.dumps(values, separators=(",", ":")).encode()).hexdigest()


# --- draws ------------------------------------------------------------------------------------------------------


def test_draws_follow_description_with_any_python() -> None:
    digests = [
        hashlib.sha256(b"sniperboard-draws/1" + SEED + bytes(7) + b"\5" + bytes(7) + bytes([n])).digest()
        for n in (0, 1)
    ]
    numbers = [int.from_bytes(digest[at : at + 8], "big") for digest in digests for at in (0, 8, 16, 24)]
    cards, expected = list("abcdef"), list("abcdef")
    for place, number in zip((5, 4, 3, 2, 1), numbers, strict=False):
        other = number % (place + 1)
        expected[place], expected[other] = expected[other], expected[place]
    SeededDraws(SEED, 5).shuffle(cards)
    assert cards == expected == list("fedacb")
    first = numbers[0] % 6
    left = list("abcdef")
    left[0], left[first] = left[first], left[0]
    assert SeededDraws(SEED, 5).sample("abcdef", 2) == [left[0], left[1 + numbers[1] % 5]]


def test_die_shows_face_of_next_number() -> None:
    digest = hashlib.sha256(b"sniperboard-draws/1" + SEED + bytes(7) + b"\5" + bytes(8)).digest()
    numbers = [int.from_bytes(digest[at : at + 8], "big") for at in (0, 8, 16, 24)]
    chance = Chance(Random(1))
    chance.draw_from(SeededDraws(SEED, 5))
    rolled = [chance.roll("die", range(1, 7), "SO-R-03") for _ in numbers]
    assert rolled == [1 + number % 6 for number in numbers]
    again = Chance(NoChance(), [("die", face) for face in rolled])
    assert [again.roll("die", range(1, 7), "SO-R-03") for _ in numbers] == rolled, "a replay does not roll"


def test_biased_number_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    draws = SeededDraws(SEED, 0)
    draws._numbers = iter([2**64 - 1, 4, 4])
    assert draws.sample([10, 20, 30], 1) == [20]
    assert draws.choice([10, 20, 30]) == 20


# --- the promise ------------------------------------------------------------------------------------------------


def test_promise_is_a_hash_that_anyone_can_check_once_opened(tmp_path: Path) -> None:
    play, journal = start_game(tmp_path, 1)
    opened = opening(journal)
    options = msgspec.to_builtins(play.options)
    board = maps.load(MAP)
    assert play.sealed is not None
    assert play.sealed["promise"] == opened.promise
    assert opened.promise == digest(
        "sniperboard-promise/1", opened.nonce, opened.seed, "sniper-elite", MAP, board.source, options
    )
    assert play.sealed["seal"] == digest("sniperboard-promise/1", opened.nonce, entries(journal)[0].hash)


def test_opening_is_secret_before_end(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir()
    evening = Evening(tmp_path / "state")
    evening.start()
    play = evening.table.session.play
    assert play is not None
    opened = opening(evening.table.journal)
    for _ in range(2):
        for viewer in ("sniper", "defenders", "table"):
            told = evening.sees(viewer)
            assert told["sealed"] == play.sealed
            assert opened.seed not in json.dumps(told)
            assert opened.nonce not in json.dumps(told)
        evening.pull_the_plug()
        play = evening.table.session.play
        assert play is not None
    assert evening.table.snapshot.front["sealed"] == play.sealed
    assert opened.seed not in repr(opened)
    assert opened.nonce not in repr(opened)


def test_seal_changes_with_public_events_only(tmp_path: Path) -> None:
    play, journal = start_game(tmp_path, 4)
    hand, quiet, seals = RandomGame(GAME, play.board, 4), 0, []
    while not play.over and len(seals) < 300:
        before, public = play.sealed, len(play.referee.told[TABLE])
        hand.referee = play.referee
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        if len(play.referee.told[TABLE]) == public:
            quiet += 1
            assert play.sealed == before
        elif not play.over:
            assert play.sealed != before
        if (last := play.retraction()) is not None and last.seat == seat and hand.random.random() < 0.3:
            before, public = play.sealed, play.referee.told[TABLE]
            play.take_back(seat)
            assert (play.sealed == before) == (play.referee.told[TABLE] == public)
        assert play.sealed is not None
        seals.append(play.sealed["seal"])
        saved = journal.running()
        if hand.random.random() < 0.1 and saved is not None:
            assert TableGame.resume(saved, play.board, journal, Chance(NoChance())).sealed == play.sealed
    assert quiet
    opened = opening(journal)
    assert set(seals) <= {opened.seal(entry.hash) for entry in promise.sealed_entries(entries(journal))}


# --- nothing is drawn twice -------------------------------------------------------------------------------------


def test_power_cut_or_step_back_does_not_draw_again(tmp_path: Path) -> None:
    draws = backs = 0
    for seed in seeds(3):
        folder = tmp_path / str(seed)
        folder.mkdir()
        play, journal = start_game(folder, seed, some_options(Random(seed)))
        hand = RandomGame(GAME, play.board, seed)
        for _ in range(150):
            if play.over:
                break
            hand.referee = play.referee
            seat = hand.random.choice(play.referee.to_act)
            command = hand.choose(seat)
            told = play.consider(seat, command)
            assert play.consider(seat, command) == told
            if GAME.luck(told):
                draws += 1
                saved = journal.running()
                assert saved is not None
                again = TableGame.resume(saved, play.board, journal, Chance(NoChance()))
                assert again.consider(seat, command) == told
            play.commit(seat, command, told)
            # A step back leaves notes as they are.
            if play.retraction() is not None and not GAME.is_note(told):
                play.take_back(seat)
                backs += 1
                assert play.consider(seat, command) == told
                play.act(seat, command)
    assert draws > 5
    assert backs


# --- verifying --------------------------------------------------------------------------------------------------


def test_luck_that_does_not_follow_from_seed_is_detected(tmp_path: Path) -> None:
    play, journal = start_game(tmp_path, 5, forced=[("objectives", [1, 4])])
    assert play.referee.truth.mine.objectives == (1, 4)
    with pytest.raises(RecordError, match="entry 0 has draws that do not follow from the committed seed"):
        recheck(kept(journal), play.board)


def test_opening_of_another_promise_is_detected(tmp_path: Path) -> None:
    play, journal = start_game(tmp_path, 5)
    whole = kept(journal)
    for field in ("promise", "seed", "nonce"):
        start = msgspec.structs.replace(whole.entries[0], command={**whole.entries[0].command, field: "0" * 64})
        with pytest.raises(RecordError, match="entry 0 does not open the commitment that it names"):
            recheck(msgspec.structs.replace(whole, entries=[start]), play.board)
    start = msgspec.structs.replace(whole.entries[0], command={"promise": "0"})
    with pytest.raises(RecordError, match="entry 0 cannot be read"):
        recheck(msgspec.structs.replace(whole, entries=[start]), play.board)


def verified(capsys: pytest.CaptureFixture[str], state: Path, *words: str) -> tuple[int, str, str]:
    capsys.readouterr()
    code = main(["games", "verify", *words, "--state", str(state)])
    said = capsys.readouterr()
    return code, said.out, said.err


def test_seal_noted_from_screen_is_found_in_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    play, journal = start_game(tmp_path, 6)
    noted = [play.sealed]
    for acts in (20, 20):
        noted.append(play_on(play, acts, acts).sealed)
    journal.close()
    spaced = f"{noted[1]['seal'][:4]} {noted[1]['seal'][4:8]} {noted[1]['seal'][8:16].upper()}"
    for digits in (noted[0]["promise"], spaced, noted[2]["seal"]):
        code, said, _ = verified(capsys, tmp_path, "1", "--noted", digits)
        assert code == 0
        assert said.splitlines()[-1].endswith("is one of its own.")
    journal = Journal(tmp_path / FILE)
    journal.end(1)
    journal.close()
    code, said, _ = verified(capsys, tmp_path, "1", "--noted", noted[0]["promise"], "--noted", spaced)
    assert code == 0
    assert f"commitment {noted[0]['promise']}" in said
    assert "is its commitment." in said
    assert "is the seal of everything up to entry" in said
    code, _, error = verified(capsys, tmp_path, "1", "--noted", "0" * 16)
    assert code == 3
    assert "this is another game" in error
    assert verified(capsys, tmp_path, "1", "--noted", "xyz")[0] == 1
    assert verified(capsys, tmp_path, "--noted", "0" * 16)[0] == 1


def test_game_started_before_promises_existed_goes_on_and_is_verified(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "new").mkdir()
    play, journal = start_game(tmp_path / "new", 7)
    start, old = entries(journal)[0], Journal(tmp_path / FILE)
    number = old.begin("sniper-elite", MAP, play.board.source, msgspec.to_builtins(play.options), start.telling)
    saved = old.running()
    assert saved is not None
    again = TableGame.resume(saved, play.board, old, Chance(Random(2)))
    assert again.sealed is None
    play_on(again, 1, 40)
    old.close()
    code, said, _ = verified(capsys, tmp_path, str(number))
    assert code == 0
    assert "Its draws have no commitment" in said
