"""Sounds: public news only, the weightiest first, none in quiet hours, none at all where there is no buzzer."""

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


def test_no_two_sounds_are_alike_and_each_is_short_and_can_be_played() -> None:
    tunes = [Tune(name, sound.notes) for name, sound in {**OWN, **sounds.SOUNDS}.items()]
    assert len({tune.notes for tune in tunes}) == len(tunes)
    for tune in tunes:
        assert sum(length for _, length in tune.notes) <= 1000
        assert all(pitch == 0 or LOWEST <= pitch <= HIGHEST for pitch, _ in tune.notes)


def test_the_weightiest_news_is_heard() -> None:
    heard = loudest(["moved", "turn-ended", "game-over", "wrong-place"], OWN)
    assert heard is not None and heard.name == "game-over"
    assert loudest(["moved"], OWN) is None
    assert loudest([], OWN) is None


def test_a_cue_or_hint_sounds_when_it_comes_and_not_while_it_stays() -> None:
    story: list[object] = []
    wrong = WrongPlace(("R1",), (), "No.")
    ear, tune = SoundState().listen(story, [Cue("found", ("R1",))], None, OWN)  # type: ignore[arg-type]
    assert tune is None, "what was there before anybody listened is no news"
    ear, tune = ear.listen(story, [Cue("found", ("R1",)), Cue("found", ("R2",))], wrong, OWN)  # type: ignore[arg-type]
    assert tune is not None and tune.name == "found"
    ear, tune = ear.listen(story, [Cue("found", ("R2",))], wrong, OWN)  # type: ignore[arg-type]
    assert tune is None
    ear, tune = ear.listen(story, [], Remove(("R1",), "Off."), OWN)  # type: ignore[arg-type]
    assert tune is None
    ear, tune = ear.listen(story, [], wrong, OWN)  # type: ignore[arg-type]
    assert tune is not None and tune.name == "wrong-place"


def test_a_secret_makes_no_sound_even_if_it_had_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


def test_turns_and_slips_are_heard_at_the_table(tmp_path: Path) -> None:
    evening = Pressed(tmp_path)
    evening.start()
    evening.enter()
    evening.tunes.clear()
    evening.sniper({"type": "end-turn"})
    assert evening.tunes == ["turn-ended"]
    reach = {act["to"] for act in evening.legal("defenders", "move") if act["unit"] == "red-1"}
    free = next(space for space in evening.table.board.io.spaces if space not in reach and not evening.stands_on(space))
    evening.lift("red-1")
    evening.put("red-1", free)
    assert evening.tunes[-1] == "wrong-place"


def test_a_resumed_game_is_not_heard_again(tmp_path: Path) -> None:
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


def test_a_buzzer_that_cannot_sound_is_ill_and_the_board_goes_on(tmp_path: Path) -> None:
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
    """A board with a buzzer at this time of day, and the tunes that it plays."""
    settings = settle({"controls": "simulated", "quiet_from": "22:00", "quiet_to": "07:00"})
    board = maps.load("launch-facility")
    fitted = open_drivers(settings, board, folder, lambda: 0.0, lambda _: None)
    tunes: list[str] = []
    (buzzer,) = fitted.buzzers
    assert isinstance(buzzer, SimulatedBuzzer)
    buzzer.listen(lambda tune, _: tunes.append(tune.name))
    return BoardIO(board, fitted, settings, lambda _: None, time_of_day=lambda: hour), tunes
