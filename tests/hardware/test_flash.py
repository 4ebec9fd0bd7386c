"""Flashing the firmware on a Pico: the raw REPL of a real MicroPython, on a pseudo-terminal."""

from __future__ import annotations

import os
import shutil
import tty
from pathlib import Path

import pytest

from firmware_host.app import cli
from hardware.link import flash
from hardware.ports import HardwareFault
from tests.hardware.desk import Host
from tests.hardware.firmware import KNOCK, VERSION
from tests.hardware.pico import FIRMWARE, SHIMS, Cable, Pico, needs_micropython

pytestmark = needs_micropython

FILES = {file.name: file.read_bytes() for file in FIRMWARE.glob("*.py")}


def on(pico: Pico) -> dict[str, bytes]:
    """Return the files on a Pico."""
    return {file.name: file.read_bytes() for file in pico.flash.iterdir()}


def test_new_pico_gets_every_file_and_each_step_is_printed(pico: Pico, capsys: pytest.CaptureFixture[str]) -> None:
    pico.empty()
    assert cli.main(["board", "flash", "--port", pico.name]) == 0
    assert on(pico) == FILES
    said = capsys.readouterr().out.splitlines()
    assert said[0] == f"Opening {pico.name}."
    assert said[1:3] == ["Asking the Pico for its REPL.", said[2]]
    assert said[2].startswith("It runs MicroPython ")
    writing = [line.split()[1] for line in said if line.startswith("Writing")]
    assert sorted(writing) == sorted(FILES)
    assert writing[-1] == "main.py"
    assert said[-4:-1] == [
        "Restarting the board.",
        "Waiting for the board to answer.",
        f"Board 0102030405060708 runs firmware {VERSION}, 144 sensors and 144 lamps.",
    ]


def test_running_board_is_flashed_again_keeps_its_config_and_works(pico: Pico, tmp_path: Path) -> None:
    before = on(pico)
    (pico.flash / "strip.py").write_text("an old one")
    pico.touch(1, True)
    host = Host(tmp_path / "state", pico.name)
    host.start()
    host.stop()
    said: list[str] = []
    flash.flash(pico.name, FILES, True, said.append)
    assert on(pico) == FILES | {"config.py": before["config.py"]}
    assert "Keeping the Pico's own config.py, which says what is soldered." in said
    pico.unplug()
    pico.plug_in()
    host = Host(tmp_path / "state", pico.name)
    host.start()
    assert host.edge() == (1, True)
    host.stop()


def test_own_config_replaces_config_of_pico(pico: Pico, tmp_path: Path) -> None:
    mine = tmp_path / "mine.py"
    mine.write_text(FILES["config.py"].decode().replace("SENSORS = 144", "SENSORS = 36"))
    assert cli.main(["board", "flash", "--port", pico.name, "--config", str(mine)]) == 0
    assert (pico.flash / "config.py").read_text() == mine.read_text()


def test_config_that_is_invalid_python_is_reported_and_nothing_written(
    pico: Pico, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = on(pico)
    (tmp_path / "mine.py").write_text("SENSORS = = 3\n")
    assert cli.main(["board", "flash", "--port", pico.name, "--config", str(tmp_path / "mine.py")]) == 1
    assert "mine.py: this is not valid Python" in capsys.readouterr().err
    assert cli.main(["board", "flash", "--port", pico.name, "--config", str(tmp_path / "none.py")]) == 1
    assert "none.py: cannot be read" in capsys.readouterr().err
    assert on(pico) == before


def test_missing_board_is_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["board", "flash", "--port", str(tmp_path / "tty*")]) == 1
    said = capsys.readouterr().err
    assert "There is no board at" in said
    assert "A new Pico has no MicroPython yet" in said
    (tmp_path / "tty1").touch()
    (tmp_path / "tty2").touch()
    assert cli.main(["board", "flash", "--port", str(tmp_path / "tty*")]) == 1
    said = capsys.readouterr().err
    assert "There are several boards" in said
    assert "new Pico" not in said


def test_port_without_answer_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "ANSWER_WITHIN", 0.1)
    master, slave = os.openpty()
    tty.setraw(slave)
    with pytest.raises(HardwareFault, match=r"no MicroPython answers.*BOOTSEL.*\.uf2"):
        flash.flash(os.ttyname(slave), FILES, True, lambda _: None)
    os.close(master)
    os.close(slave)


def test_micropython_on_other_hardware_is_reported(pico: Pico) -> None:
    pico.path = ".frozen"
    pico.empty()
    with pytest.raises(HardwareFault, match=r"not on a Pico.*--port"):
        flash.flash(pico.name, FILES, True, lambda _: None)
    assert on(pico) == {}


def test_unwritable_file_is_reported_and_old_one_stays(pico: Pico) -> None:
    before = on(pico)
    (pico.flash / "board.py.new").mkdir()
    with pytest.raises(HardwareFault, match=r"the Pico refused .*OSError"):
        flash.flash(pico.name, FILES, True, lambda _: None)
    (pico.flash / "board.py.new").rmdir()
    assert on(pico) == before


def test_incomplete_file_is_reported_and_not_used(pico: Pico) -> None:
    before = on(pico)
    cable = Cable(pico)
    cable.to_board = lambda data: data.replace(b"REMIND", b"REMAND")
    with pytest.raises(HardwareFault, match=r"board\.py was not written completely"):
        flash.flash(cable.name, FILES, True, lambda _: None)
    assert on(pico)["board.py"] == before["board.py"]


def test_cable_pulled_while_writing_leaves_old_program(pico: Pico) -> None:
    before = on(pico)

    def pull(step: str) -> None:
        if step.startswith("Writing main.py"):
            pico.unplug()

    with pytest.raises(HardwareFault, match=r"the connection broke|stopped answering"):
        flash.flash(pico.name, FILES | {"main.py": b"another"}, True, pull)
    assert on(pico)["main.py"] == before["main.py"]


def test_knock_is_that_of_board() -> None:
    assert flash.KNOCK == b"\0" + KNOCK + b"\0"


@pytest.mark.parametrize(
    ("line", "other", "sentence"),
    [
        ("STRIP_PIN = 2\n", "", "STRIP_PIN is missing"),
        ("STRIP_PIN = 2", "STRIP_PIN = 24", "STRIP_PIN: a Pico has no pin GP24"),
        ("CHAIN_LOAD = 17", "CHAIN_LOAD = 2", "STRIP_PIN: GP2 is already that of CHAIN_LOAD"),
        ("CHAIN_CLOCK = 18", "CHAIN_CLOCK = 14", "CHAIN_CLOCK: GP14 is no such pin of SPI0; there are GP2, GP6, GP18"),
        ("SENSORS = 144", "SENSORS = 'many'", "SENSORS is a whole number, not 'many'"),
        ("LIMIT_MA = 3000", "LIMIT_MA = 0", "LIMIT_MA: 0 is not between 1 and 65535"),
        ("SUPPLY_PIN = 29", "SUPPLY_PIN = 5", "SUPPLY_PIN: 5 cannot measure"),
        ("DOWN_IS_LOW = True", "DOWN_IS_LOW = 3", "DOWN_IS_LOW is True or False"),
        ('STRIP_CHIP = "WS2812"', 'STRIP_CHIP = "APA102"', "STRIP_CHIP is one of WS2812, WS2811, not 'APA102'"),
        ("LAMPS = 144", "LAMPS = SENSORS", "LAMPS has to be a plain value"),
    ],
)
def test_unusable_config_is_reported_before_anything_is_written(
    pico: Pico, tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str, other: str, sentence: str
) -> None:
    before, mine = on(pico), tmp_path / "mine.py"
    shipped = FILES["config.py"].decode()
    assert line in shipped
    mine.write_text(shipped.replace(line, other))
    assert cli.main(["board", "flash", "--port", pico.name, "--config", str(mine)]) == 1
    said = capsys.readouterr()
    assert f"mine.py: {sentence}" in said.err
    assert "Done" not in said.out
    assert on(pico) == before


def test_config_on_pico_is_checked_too(pico: Pico) -> None:
    config = pico.flash / "config.py"
    config.write_text(config.read_text().replace("STRIP_PIN = 2", "STRIP_PIN = 99"))
    before = on(pico)
    with pytest.raises(HardwareFault, match=r"the Pico's own config\.py: STRIP_PIN: a Pico has no pin GP99"):
        flash.flash(pico.name, FILES, True, lambda _: None)
    assert on(pico) == before


def test_micropython_without_dma_is_reported_before_anything_is_written(pico: Pico, tmp_path: Path) -> None:
    shims = tmp_path / "old"
    shutil.copytree(SHIMS, shims)
    (shims / "rp2.py").write_text((shims / "rp2.py").read_text().replace("class DMA:", "class Other:"))
    pico.path = pico.path.replace(str(SHIMS), str(shims))
    pico.empty()
    with pytest.raises(HardwareFault, match=r"too old: it has no rp2\.DMA.*1\.24 or newer.*BOOTSEL"):
        flash.flash(pico.name, FILES, True, lambda _: None)
    assert on(pico) == {}


def test_failing_program_shows_traceback_and_can_be_flashed_again(pico: Pico) -> None:
    broken = FILES["loop.py"].replace(b"def turn(self):", b"def turn(self):\n        nowhere")
    with pytest.raises(HardwareFault, match=r"(?s)Traceback.*in turn.*NameError: name 'nowhere'.*flash_nuke\.uf2"):
        flash.flash(pico.name, FILES | {"loop.py": broken}, True, lambda _: None)
    assert int((pico.world / "keeper").read_bytes()) < 1000, "the watchdog is fed meanwhile"
    said: list[str] = []
    flash.flash(pico.name, FILES, True, said.append)
    assert said[-1].startswith("Done.")


def test_board_without_hello_is_reported_with_remedy(pico: Pico, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "WAKE_WITHIN", 0.5)
    with pytest.raises(HardwareFault, match=r"does not answer.*BOOTSEL.*flash_nuke\.uf2.*erases"):
        flash.flash(pico.name, FILES | {"main.py": b"while True: pass\n"}, True, lambda _: None)
