"""The chain of shift registers: every sensor has its number, on plain pins and on the port; and its faults."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import gpiozero.pins
import pytest
from gpiozero import Device

from firmware_host.core.settings import ConfigError, Settings, settle
from hardware import drivers
from hardware.drivers import _scanning, shift_register
from hardware.drivers.shift_register import ShiftRegisterChain
from hardware.ports import Edge, HardwareFault
from tests.hardware.benches import make_context, opened, settings_of, there
from tests.hardware.benches.shift_register import Bench
from tests.hardware.lgpio_chip import Chip
from tests.hardware.model.chain import Chain165, ChainOnPins
from tests.hardware.model.pins import PinHeader, plugged
from tests.hardware.states import Told

COUNT = 140


Opening = Callable[..., ShiftRegisterChain]


@pytest.fixture
def opening() -> Iterator[Opening]:
    """Opens the chain, and closes it at the end."""
    with ExitStack() as ends:

        def open_chain(**given: Any) -> ShiftRegisterChain:
            found = ShiftRegisterChain(settings_of(drivers.find("shift_register"), **given), COUNT)
            ends.callback(found.close)
            return found

        yield open_chain


@pytest.fixture
def chain() -> Chain165:
    return Chain165(18)


@pytest.fixture
def header(chain: Chain165) -> Iterator[PinHeader]:
    with plugged(PinHeader(ChainOnPins(chain))) as found:
        yield found


@pytest.fixture
def chip(chain: Chain165, monkeypatch: pytest.MonkeyPatch) -> Iterator[Chip]:
    """A Raspberry Pi 4 with the chain on its SPI port, used by gpiozero's own code for lgpio."""
    found = Chip(chain)
    monkeypatch.setitem(sys.modules, "lgpio", found)
    monkeypatch.delitem(sys.modules, "gpiozero.pins.lgpio", raising=False)
    monkeypatch.delattr(gpiozero.pins, "lgpio", raising=False)
    monkeypatch.setattr("gpiozero.pins.local.get_pi_revision", lambda: 0xC03111)
    monkeypatch.setattr(Device, "pin_factory", None)
    yield found
    if Device.pin_factory is not None:
        Device.pin_factory.pins.clear()
        Device.pin_factory.close()
    sys.modules.pop("gpiozero.pins.lgpio", None)


def read(chain: Chain165, reader: ShiftRegisterChain, pattern: int) -> int:
    """Return the driver's reading of this pattern."""
    for sensor in range(COUNT):
        chain.touch(sensor, bool(pattern >> sensor & 1))
    return reader.read()


PATTERNS = [0, (1 << COUNT) - 1, *(1 << sensor for sensor in (0, 7, 8, 63, 139)), Random(5).getrandbits(COUNT)]


@pytest.mark.parametrize("loop", [True, False])
def test_every_sensor_has_its_number_on_plain_pins(
    opening: Opening, chain: Chain165, header: PinHeader, loop: bool
) -> None:
    reader = opening(loop=loop)
    assert [read(chain, reader, pattern) for pattern in PATTERNS] == PATTERNS


def test_every_sensor_has_its_number_on_port(opening: Opening, chain: Chain165, chip: Chip) -> None:
    reader = opening(speed=500_000)
    assert [read(chain, reader, pattern) for pattern in PATTERNS] == PATTERNS
    assert (chip.mode, chip.speed) == (2, 500_000)


@pytest.mark.parametrize("mode", [0, 1, 3])
def test_any_other_mode_loses_first_bit(
    opening: Opening, chain: Chain165, header: PinHeader, monkeypatch: pytest.MonkeyPatch, mode: int
) -> None:
    monkeypatch.setattr(shift_register, "SPI_MODE", mode)
    reader = opening(loop=False)
    assert read(chain, reader, 1 << 7) & 1 << 7 == 0
    assert read(chain, reader, 1 << 6) & (1 << COUNT // 2) - 1 == 1 << 7


def test_inputs_may_be_active_high(opening: Opening, chain: Chain165, header: PinHeader) -> None:
    reader = opening(active_low=False)
    assert read(chain, reader, 1 << 5) == (1 << COUNT) - 1 - (1 << 5)


@pytest.mark.parametrize("cut", [0, 1, 17])
def test_broken_chain_is_reported_and_nothing_read(
    opening: Opening, chain: Chain165, header: PinHeader, cut: int
) -> None:
    reader = opening()
    chain.cut = cut
    for _ in range(2):
        with pytest.raises(HardwareFault, match=r"18 shift registers is broken.*MOSI goes to SER"):
            reader.read()


@pytest.mark.parametrize("chip", [0, 1, 8, 17])
@pytest.mark.parametrize("active_low", [True, False])
def test_silent_chip_is_named_and_none_of_its_readings_believed(
    opening: Opening, chain: Chain165, header: PinHeader, chip: int, active_low: bool
) -> None:
    reader = opening(active_low=active_low)
    idle = 0 if active_low else (1 << COUNT) - 1
    assert read(chain, reader, idle) == 0
    chain.silent.add(chip)
    said = []
    for _ in range(4):
        try:
            said.append(str(reader.read()))
        except HardwareFault as fault:
            said.append(str(fault))
    assert set(said[1:]) == {
        f"Chip {chip} is silent: it does not load its inputs. Check its pin 1 (SH/LD) and the wire LOAD."
    }
    assert said[0] in (said[1], "0")
    chain.silent.clear()
    assert [read(chain, reader, idle ^ 1 << chip) for _ in range(3)][1:] == [1 << chip] * 2


@pytest.mark.parametrize("chip", [0, 1, 9, 16])
def test_end_of_broken_chain_is_named(opening: Opening, chain: Chain165, header: PinHeader, chip: int) -> None:
    reader = opening()
    chain.level, chain.cut = False, chip
    where = f"ends after chip {chip - 1}: nothing comes from chip {chip}" if chip else "does not answer at all"
    for _ in range(2):
        with pytest.raises(HardwareFault, match=where):
            reader.read()


@pytest.mark.parametrize("chip", [0, 1, 9, 16])
def test_inverted_chip_is_named(opening: Opening, chain: Chain165, header: PinHeader, chip: int) -> None:
    reader = opening()
    chain.inverted = chip
    with pytest.raises(HardwareFault, match=f"inverted from chip {chip} on"):
        reader.read()


@pytest.mark.parametrize("edges", [-1, 2])
def test_steady_slip_is_reported_with_its_chip(
    opening: Opening, chain: Chain165, header: PinHeader, edges: int
) -> None:
    """`test_marker.py` has every edge of a small chain, with up to eight bits more or less."""
    reader = opening()
    for edge in (3, 63, 142):
        chain.slip = edge, edges
        chip = edge // 8
        place = f"between chip {chip} and chip {chip + 1}" if edge % 8 == 7 else f"at chip {chip}"
        with pytest.raises(HardwareFault, match=f"slips by some bits {place}:"):
            reader.read()
    chain.slip = 0, 0
    assert read(chain, reader, 1 << 7) == 1 << 7


@pytest.mark.parametrize("level", [False, True])
def test_missing_wire_to_far_end_is_reported(opening: Opening, chain: Chain165, header: PinHeader, level: bool) -> None:
    chain.far = level
    reader = opening()
    for _ in range(2):
        with pytest.raises(HardwareFault, match="or set loop = false"):
            reader.read()


def test_broken_chain_is_a_state_and_can_be_repaired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_scanning, "RETRY", 0.001)
    bench = Bench(tmp_path)
    told = bench.states
    felt: list[Edge] = []
    bench.sensors.start(felt.append)
    bench.chain.cut = 0
    bench.touch(3, True)
    assert "is broken" in str(told.wait_for(1)[-1])
    assert felt == []
    bench.chain.cut = None
    assert told.wait_for(2)[-1] is None
    assert bench.chain.wait_for_loads(2)
    assert [(edge.sensor, edge.down) for edge in felt] == [(3, True)]
    bench.close()


def test_failing_port_is_a_state(
    chip: Chip, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_scanning, "RETRY", 0.001)
    told = Told()
    sensors = there(opened("shift_register", make_context(tmp_path, told, COUNT)).sensors)
    chip.broken = True
    sensors.start(lambda _: None)
    assert "SPI transfer error -1). Check cables and power" in str(told.wait_for(1)[0])
    chip.broken = False
    assert told.wait_for(2)[1] is None
    sensors.stop()
    assert capsys.readouterr().err == ""


def test_fault_of_driver_is_a_state_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(_scanning, "RETRY", 0.001)
    bench = Bench(tmp_path)
    told = bench.states
    monkeypatch.setattr(bench.chain, "load", lambda level: 1 // 0)
    bench.sensors.start(lambda _: None)
    assert "ZeroDivisionError" in str(told.wait_for(1)[0])
    monkeypatch.undo()
    told.wait_for_health()
    bench.close()
    assert capsys.readouterr().err.count("ZeroDivisionError") == 1


def test_locked_port_is_reported_and_not_replaced_by_plain_pins(opening: Opening, chip: Chip) -> None:
    chip.locked = "SPI device"
    with pytest.raises(HardwareFault, match=r"raspi-config nonint do_spi 0.*group.*adduser USER spi"):
        opening()


def test_locked_header_is_reported(opening: Opening, chip: Chip) -> None:
    chip.locked = "gpiochip"
    with pytest.raises(HardwareFault, match=r"can not open gpiochip.*adduser USER gpio"):
        opening()


# --- as documented ------------------------------------------------------------------------------------------------


def as_in_the_page() -> Settings:
    """Return the settings that docs/hardware.md gives for a board on the Raspberry Pi itself."""
    page = (Path(__file__).resolve().parents[2] / "docs" / "hardware.md").read_text("utf-8")
    chapter = page.split("## Straight on a Raspberry Pi")[1]
    document = tomllib.loads(chapter.split("```toml")[1].split("```")[0])
    return settle({**document.pop("sniperboard"), **document})


def test_documented_board_opens_with_real_library_and_reads_every_sensor(
    chip: Chip, chain: Chain165, tmp_path: Path
) -> None:
    chosen = as_in_the_page()
    assert (chosen.board, chosen.lamps) == ("shift_register", "neopixel_strip")
    felt: list[Edge] = []
    parts = drivers.find(chosen.board).open(chosen.drivers[chosen.board], make_context(tmp_path, [], COUNT))
    sensors = there(parts.sensors)
    assert there(parts.about)() == "18 shift registers on SPI port 0, load on GPIO 25"
    for sensor in (0, 7, 63, 139):
        chain.touch(sensor, True)
    sensors.start(lambda edge: felt.append(edge) if isinstance(edge, Edge) else None)
    sensors.stop()
    assert [edge.sensor for edge in felt] == [0, 7, 63, 139]
    assert type(Device.pin_factory).__name__ == "LGPIOFactory"


def test_documented_lamps_light_together_with_board(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tests.hardware.benches import neopixel_strip

    chosen = as_in_the_page().drivers["neopixel_strip"]
    board, _ = neopixel_strip.libraries()
    monkeypatch.setattr(board, f"D{chosen['pin']}", board.NEOPIXEL, raising=False)
    bench = neopixel_strip.Bench(tmp_path, pin=chosen["pin"])
    bench.lamps.show(((1, 2, 3),) * 6)
    assert bench.seen() == ((1, 2, 3),) * 6
    bench.close()


@pytest.mark.parametrize(
    ("layer", "sentence"),
    [
        ({"lamps": "neopixel_strip"}, "neopixel_strip and shift_register both use GPIO 8, 9, 10, 11"),
        ({"lamps": "none", "controls": "buzzer", "buzzer": {"pin": 25}}, "buzzer and shift_register both use GPIO 25"),
        ({"lamps": "none", "shift_register": {"port": 1}}, "gpiozero knows no other"),
    ],
)
def test_two_drivers_on_one_pin_are_a_fault_of_settings(layer: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigError, match=sentence):
        settle({"board": "shift_register", **layer})


def test_gpiozero_has_only_the_port_of_the_option() -> None:
    from gpiozero.pins.data import SPI_HARDWARE_PINS

    (option,) = [option for option in drivers.find("shift_register").options if option.name == "port"]
    assert list(SPI_HARDWARE_PINS) == [option.low] == [option.high]
