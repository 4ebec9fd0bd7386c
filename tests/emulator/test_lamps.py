"""The waveform of the strip, in all orders of colours, and the current limit."""

from __future__ import annotations

import pytest

from hardware.link.messages import ORDERS, Tuning
from tests.emulator.conftest import Start
from tests.emulator.host import Host, firmware

SHEETS = {
    "WS2812": [
        # of a 0: high, low; of a 1: high, low (ns)
        ((250, 550), (700, 1000), (650, 950), (300, 600)),  # WS2812B
        ((220, 380), (580, 1000), (580, 1000), (580, 1000)),  # WS2812B-V5
        ((150, 450), (750, 1050), (450, 750), (450, 750)),  # SK6812
    ],
    "WS2811": [((350, 650), (1850, 2150), (1050, 1350), (1150, 1450))],
}
RESET_NS = 280_000
"""The low level that ends a picture for newer chips."""


@pytest.mark.parametrize("chip", SHEETS)
def test_pulses_are_within_each_data_sheet(start: Start, chip: str) -> None:
    host = Host(start(firmware(16, 30, STRIP_CHIP=chip)), 16, 30)
    host.meet()
    strip = host.pico.strip
    for level in (0, 5, 170, 255):
        host.shows(((level, 1, 255 - level),) * 30)
        host.pico.run(0.005)
    measured = (strip.high[0], strip.low[0], strip.high[1], strip.low[1])
    for sheet in SHEETS[chip]:
        for found, (least, most) in zip(measured, sheet, strict=True):
            assert found
            assert least <= min(found) <= max(found) <= most
    ends = [at for at, _ in strip.pictures]
    assert min(begin - end for end, begin in zip(ends, list(strip.starts)[1:], strict=False)) >= RESET_NS


def test_colours_arrive_in_every_order_and_limit_holds(start: Start) -> None:
    host = Host(start(firmware(16, 144)), 16, 144)
    for order in ORDERS:
        host.session.tuning = Tuning(order=order)
        host.attend()
        host.meet()
        host.shows(((1, 2, 3),) * 144)
        host.pico.run(0.01)
        assert host.pico.strip.pictures[-1][1] == bytes("RGB".index(letter) + 1 for letter in order) * 144
    for limit, in_force in ((500, 500), (60_000, 3000)):
        host.session.tuning = Tuning(limit_ma=limit)
        host.attend()
        host.meet()
        host.shows(((255, 255, 255),) * 144)
        host.pico.run(0.01)
        drawn = sum(host.pico.strip.pictures[-1][1]) * 20 / 255 + 144
        assert 0.95 * in_force <= drawn <= in_force
