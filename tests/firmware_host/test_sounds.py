"""Sounds: public news only, the most important first, none in quiet hours, none without a buzzer."""

from __future__ import annotations

from datetime import time
from pathlib import Path

import pytest

from engine.cues import Sound
from engine.game import REFEREE, Cue
from firmware_host.board.board_io import BoardIO
from firmware_host.board.cues import sounds
from firmware_host.board.cues.sounds import SoundState, loudest
from firmware_host.board.drivers import open_drivers
from firmware_host.board.tracking.hints import Remove, WrongPlace
from firmware_host.core import maps
from firmware_host.core.settings import settle
from games.sniper_elite import GAME
from hardware.drivers.buzzer import HIGHEST, LOWEST
from hardware.drivers.simulated import SimulatedBuzzer
from hardware.ports import HardwareFault, Tune
from tests.firmware_host.test_buttons import Pressed
from tests.games.random_play import RandomGame
from tests.toys import grid

BEEP = Tune("beep", ((440, 10),))
OWN = GAME.show.sounds


def test_sounds_are_different_short_and_playable() -> None:
    tunes = [Tune(name, sound.notes) for name, sound in {**OWN, **sounds.SOUNDS}.items()]
    assert len({tune.notes for tune in tunes}) == len(tunes)
    for tune in tunes:
        assert sum(length for _, length in tune.notes) <= 1000
        assert all(pitch == 0 or LOWEST <= pitch <= HIGHEST for pitch, _ in tune.notes)


def test_most_important_news_is_played() -> None:
    heard = loudest(["moved", "turn-ended", "game-over", "wrong-place"], OWN)
    assert heard is not None and heard.name == "game-over"
    assert loudest(["moved"], OWN) is None
    assert loudest([], OWN) is None


def test_cue_or_hint_sounds_only_when_it_appears() -> None:
    story: list[object] = []
    wrong = WrongPlace(("R1",), (), "No.")
    ear, tune = SoundState().next_tune(story, [Cue("found", ("R1",))], None, OWN)  # type: ignore[arg-type]
    assert tune is None, "a cue that was there from the start is no news"
    ear, tune = ear.next_tune(story, [Cue("found", ("R1",)), Cue("found", ("R2",))], wrong, OWN)  # type: ignore[arg-type]
    assert tune is not None and tune.name == "found"
    ear, tune = ear.next_tune(story, [Cue("found", ("R2",))], wrong, OWN)  # type: ignore[arg-type]
    assert tune is None
    ear, tune = ear.next_tune(story, [], Remove(("R1",), "Off."), OWN)  # type: ignore[arg-type]
    assert tune is None
    ear, tune = ear.next_tune(story, [], wrong, OWN)  # type: ignore[arg-type]
    assert tune is not None and tune.name == "wrong-place"


def test_secret_event_makes_no_sound(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    play = RandomGame(GAME, grid(), 1)
    list(play.steps())
    told = play.referee.told[REFEREE]
    secrets = {str(type(told[number]).__struct_config__.tag) for number in play.referee.private[REFEREE]}
    assert "sniper-moved" in secrets
    assert not {**OWN, **sounds.SOUNDS}.keys() & secrets
    loud = {name: Sound(((440, 10),), 100) for name in secrets}
    monkeypatch.setattr(sounds, "SOUNDS", {**sounds.SOUNDS, **loud})
    evening = Pressed(tmp_path)
    evening.start()
    evening.tunes.clear()
    evening.enter()
    assert evening.view("sniper")["sniper"]["moved"]
    assert evening.tunes == []


def test_turns_and_mistakes_make_sounds_at_table(tmp_path: Path) -> None:
    evening = Pressed(tmp_path)
    evening.start()
    evening.enter()
    evening.tunes.clear()
    evening.sniper({"type": "end-turn"})
    assert evening.tunes == ["turn-ended"]
    reach = {act["to"] for act in evening.legal("defenders", "move") if act["unit"] == "red-1"}
    free = next(space for space in evening.table.board.io.spaces if space not in reach and not evening.units_on(space))
    evening.lift("red-1")
    evening.put("red-1", free)
    assert evening.tunes[-1] == "wrong-place"


def test_resumed_game_repeats_no_sound(tmp_path: Path) -> None:
    evening = Pressed(tmp_path)
    evening.start_hunt()
    evening.table.close()
    again = Pressed(tmp_path)
    again.wait(1000)
    assert again.tunes == []


@pytest.mark.parametrize(("hour", "heard"), [(time(21, 59), ["beep"]), (time(22, 0), [])])
def test_nothing_sounds_in_quiet_hours(tmp_path: Path, hour: time, heard: list[str]) -> None:
    top, tunes = tabletop(tmp_path, hour)
    top.sound(BEEP)
    assert tunes == heard


def test_failing_buzzer_is_reported_and_board_goes_on(tmp_path: Path) -> None:
    top, _ = tabletop(tmp_path, time(12, 0))
    (buzzer,) = top.buzzers
    assert isinstance(buzzer, SimulatedBuzzer)
    broken = [True]

    def fail(_: Tune, __: float) -> None:
        if broken:
            raise HardwareFault("The buzzer is gone. Plug it in.")

    buzzer.listen(fail)
    top.sound(BEEP)
    assert top.faults == ["The buzzer is gone. Plug it in."]
    assert not top.away
    broken.clear()
    top.sound(BEEP)
    assert top.faults == []


def tabletop(folder: Path, hour: time) -> tuple[BoardIO, list[str]]:
    """Return a board with a buzzer at this time of day, and the tunes that it plays."""
    settings = settle({"controls": "simulated", "quiet_from": "22:00", "quiet_to": "07:00"})
    board = maps.load("launch-facility")
    fitted = open_drivers(settings, board, folder, lambda: 0.0, lambda _: None)
    tunes: list[str] = []
    (buzzer,) = fitted.buzzers
    assert isinstance(buzzer, SimulatedBuzzer)
    buzzer.listen(lambda tune, _: tunes.append(tune.name))
    return BoardIO(board, fitted, settings, lambda _: None, time_of_day=lambda: hour), tunes
