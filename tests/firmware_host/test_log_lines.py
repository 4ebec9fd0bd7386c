"""A line of the log is marked public if everyone got it; the journal's audiences decide, whatever the event is."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from engine.chance import Chance
from engine.events import EVERYONE, Told, only
from engine.game import TABLE
from engine.text import Text
from firmware_host.core import maps
from firmware_host.core.capabilities import heard_by
from firmware_host.core.encoding import Fragment
from firmware_host.play import pictures
from firmware_host.play.game import TableGame
from firmware_host.records.journal import FILE, Journal
from games.sniper_elite import GAME
from games.sniper_elite.rules import events
from tests.firmware_host.test_replay import NoChance
from tests.games.random_play import RandomGame
from tests.games.sniper_elite.duel import fresh

MAP = "launch-facility"
VIEWERS = ("sniper", "defenders", TABLE)


def flags(play: TableGame) -> dict[str, list[tuple[int, str, bool]]]:
    """Return the public marks in each viewer's log."""
    lines = {viewer: pictures.of_viewer(play.referee, viewer)["log"] for viewer in VIEWERS}
    return {viewer: [(line["n"], line["type"], line["public"]) for line in log] for viewer, log in lines.items()}


def audiences(journal: Journal) -> dict[str, list[tuple[int, str, bool]]]:
    """Return the same from the journal."""
    told = [told for entry in journal.entries(journal.games()[-1].id) for told in entry.telling]
    heard = {viewer: [one for one in told if one["to"] is None or viewer in one["to"]] for viewer in VIEWERS}
    return {
        viewer: [(n, one["event"]["type"], one["to"] is None) for n, one in enumerate(ones)][-pictures.LOG_LENGTH :]
        for viewer, ones in heard.items()
    }


@pytest.mark.parametrize("seed", range(3))
def test_public_lines_match_journal_also_after_restart(tmp_path: Path, seed: int) -> None:
    journal = Journal(tmp_path / FILE)
    play = TableGame.begin(GAME, maps.load(MAP), GAME.read_options({}), journal, Chance(Random(seed)))
    hand = RandomGame(GAME, play.board, seed)
    for act in range(120):
        if play.over:
            break
        hand.referee = play.referee
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        if act % 10 == 0:
            shown = flags(play)
            assert shown == audiences(journal)
            saved = journal.running()
            assert saved is not None
            assert flags(TableGame.resume(saved, play.board, journal, Chance(NoChance()))) == shown
    assert {public for _, _, public in shown["sniper"]} == {True, False}
    assert {public for viewer in ("defenders", TABLE) for _, _, public in shown[viewer]} == {True}
    journal.close()


def test_line_is_public_by_audience_and_not_by_type() -> None:
    duel = fresh()
    for audience in (EVERYONE, only("sniper", "defenders"), only(TABLE), only("defenders")):
        duel.referee.tell([Told(events.Marked("a1"), audience)])
    lines = {viewer: pictures.of_viewer(duel.referee, viewer)["log"] for viewer in VIEWERS}
    marked = {viewer: [line["public"] for line in log if line["type"] == "marked"] for viewer, log in lines.items()}
    assert marked == {"sniper": [True, False], "defenders": [True, False, False], TABLE: [True, False]}


def test_log_is_encoded_once_and_slides_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All sentences of a game stayed in memory, in each language."""
    monkeypatch.setattr(pictures, "LOG_LENGTH", 20)
    play = TableGame.begin(GAME, maps.load(MAP), GAME.read_options({}), Journal(tmp_path / FILE), Chance(Random(1)))
    hand, whole = RandomGame(GAME, play.board, 1), 0
    hand.referee = play.referee
    while not play.over:
        seat = hand.random.choice(play.referee.to_act)
        play.act(seat, hand.choose(seat))
        if play.over:
            pictures.forget(play.referee)  # as after a restart
        for viewer in VIEWERS:
            log = pictures.encoded_log(play.referee, viewer)
            plain = Fragment({"log": pictures.of_viewer(play.referee, viewer)["log"]})
            assert log.members(str) == plain.members(str)
            assert pictures.encoded_log(play.referee, viewer) is log
            whole += len(play.referee.told[viewer]) > pictures.LOG_LENGTH
            _, kept, _ = pictures._LOGS[play.referee][viewer]
            assert len(kept) <= pictures.LOG_LENGTH
    assert whole


def test_each_player_reads_own_sentence() -> None:
    words = {"type": "drew", "sentence": Text("Red draws."), "yours": {"red": Text("You draw.")}}
    assert heard_by("red", words) == {"type": "drew", "sentence": "You draw."}
    assert heard_by(TABLE, words) == heard_by("blue", words) == {"type": "drew", "sentence": "Red draws."}
