"""The strip: the real library's bytes for every kind of strip, dark at the end, and a message for whatever is
missing.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest

from hardware.drivers import neopixel_strip
from hardware.ports import DARK, Colour, HardwareFault
from tests.hardware.benches import make_context, opened
from tests.hardware.benches.neopixel_strip import Bench, libraries

PICTURE: tuple[Colour, ...] = ((1, 2, 3), (255, 0, 0), (0, 255, 0), (0, 0, 255), (9, 9, 9), DARK)


@pytest.mark.parametrize(
    ("order", "first"),
    [
        ("GRB", [2, 1, 3]),
        ("RGB", [1, 2, 3]),
        ("BGR", [3, 2, 1]),
        ("GRBW", [2, 1, 3, 0]),
        ("RGBW", [1, 2, 3, 0]),
    ],
)
def test_each_order_of_colours_is_on_wire(tmp_path: Path, order: str, first: list[int]) -> None:
    bench = Bench(tmp_path, order=order)
    bench.lamps.show(PICTURE)
    assert list(bench.wire.sent[: len(order)]) == first
    assert len(bench.wire.sent) == 6 * len(order)
    assert bench.seen() == PICTURE, "grey is made by the white light where there is one"
    bench.close()


def test_strip_starts_dark_and_each_picture_is_sent_once(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert (bench.wire.pictures, bench.seen()) == (1, (DARK,) * 6)
    bench.lamps.show(PICTURE)
    assert bench.wire.pictures == 2
    bench.close()


def test_gamma_changes_middle_and_keeps_ends(tmp_path: Path) -> None:
    bench = Bench(tmp_path, count=1, gamma=2.0)
    bench.lamps.show(((0, 128, 255),))
    assert bench.seen() == ((0, 64, 255),)
    bench.close()


def test_broken_wire_is_reported_and_does_not_prevent_closing(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.wire.fault = RuntimeError("ws2811_render failed with code -10")
    with pytest.raises(HardwareFault, match=r"ws2811_render failed.*needs no root"):
        bench.lamps.show(PICTURE)
    bench.lamps.stop()
    bench.wire.fault = None
    bench.lamps.show(PICTURE)
    assert bench.seen() == PICTURE
    bench.close()


def test_pin_that_needs_root_is_reported_at_opening(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board, neopixel = libraries()

    def refuse(*_: Any) -> None:
        raise RuntimeError("NeoPixel support requires running with sudo, please try again!")

    monkeypatch.setattr(board, "D18", board.NEOPIXEL, raising=False)
    monkeypatch.setattr(neopixel, "neopixel_write", refuse)
    with pytest.raises(HardwareFault, match=r"requires running with sudo.*use pin 10.*adduser USER spi"):
        opened("neopixel_strip", make_context(tmp_path, []), pin=18)


def test_missing_pin_is_reported(tmp_path: Path) -> None:
    libraries()
    with pytest.raises(HardwareFault, match=r"no such pin.*D21.*Choose another"):
        opened("neopixel_strip", make_context(tmp_path, []), pin=21)


def test_missing_library_is_reported_with_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries()
    monkeypatch.setitem(sys.modules, "neopixel", None)
    with pytest.raises(HardwareFault, match="pip install adafruit-circuitpython-neopixel"):
        opened("neopixel_strip", make_context(tmp_path, []))


class NoPi:
    """A replacement for `board`, as on a computer that Blinka does not know."""

    def __getattr__(self, name: str) -> Any:
        raise NotImplementedError("Board not supported")


def test_unsupported_computer_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    libraries()  # imported now; otherwise the library would store this computer for later tests
    monkeypatch.setitem(sys.modules, "board", NoPi())
    with pytest.raises(HardwareFault, match=r"this computer cannot drive NeoPixels \(Board not supported\)"):
        opened("neopixel_strip", make_context(tmp_path, []))


@pytest.mark.parametrize(("size", "fits"), [("4096\n", 330), ("65536\n", 400), ("", 400), (None, 400)])
def test_picture_longer_than_buffer_of_port_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, size: str | None, fits: int
) -> None:
    buffer = tmp_path / "bufsiz"
    if size is not None:
        buffer.write_text(size)
    monkeypatch.setattr(neopixel_strip, "SPI_BUFFER", buffer)
    Bench(tmp_path, count=fits).close()
    if size == "4096\n":
        with pytest.raises(HardwareFault, match=r"331 lamps takes 4100 bytes.*sends 4096.*spidev\.bufsiz=4100"):
            Bench(tmp_path, count=331)
