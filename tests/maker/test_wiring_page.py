"""docs/hardware.md and its drawings say what firmware, drivers and maps say, and its commands exist."""

from __future__ import annotations

import re
import tomllib

import pytest

from firmware_host.app import cli
from firmware_host.core import maps
from firmware_host.core.settings import settle
from maker.drawings import magnets, soldered, wiring_boards, wiring_page, wiring_pictures
from maker.kit import parts

PAGE = wiring_page.PAGE.read_text("utf-8")
WORDS = re.compile(r"sniperboard ((?:map|hw|board) [a-z]+(?: record)?|doctor|config)")


def test_docs_match_the_code() -> None:
    stale = [path.name for path, text in wiring_page.files().items() if path.read_text("utf-8") != text]
    assert stale == [], "regenerate it: python -m maker.drawings.wiring_page"


def test_the_page_shows_every_drawing_and_every_table() -> None:
    assert all(f"(hardware/{name}.svg)" in PAGE for name in (*wiring_page.PICTURES, *wiring_page.BOARDS))
    pages = PAGE + wiring_page.CHEAPEST.read_text("utf-8")
    assert {found[2] for found in wiring_page.MADE.finditer(pages)} == wiring_page.TABLES.keys()


def test_a_pin_that_moves_in_the_firmware_moves_in_the_drawings(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = {**parts.config(), "STRIP_PIN": 6, "CHAIN_LOAD": 21}
    monkeypatch.setattr(parts, "config", lambda: moved)
    assert {(9, "data"), (27, "load")} <= {(pin, net) for pin, net, _ in wiring_pictures.pico_wires()}
    assert "GP6, pin 9" in wiring_pictures.lamps().svg()
    assert "GP21, pin 27" in wiring_pictures.chain().svg()


def test_no_pin_is_drawn_with_two_wires() -> None:
    pins = [pin for pin, _, _ in wiring_pictures.pico_wires()]
    assert len(pins) == len(set(pins)) == 9
    assert len(wiring_boards.pi_wires()) == 12, "chain 4, lamps 1, buttons 3, buzzer 1, supply 3"
    assert len(wiring_boards.matrix_wires()) == 24


def test_the_pins_are_those_of_the_data_sheets() -> None:
    assert [soldered.PICO_PINS[gpio] for gpio in (0, 2, 16, 22, 26, 28)] == [1, 4, 21, 29, 31, 34]
    assert [soldered.PI_PINS[gpio] for gpio in (2, 10, 9, 11, 25, 21)] == [3, 19, 21, 23, 22, 40]
    assert soldered.spi_port(0) == {"clock": 11, "miso": 9, "mosi": 10}


def test_a_part_is_bought_for_every_space_of_every_map() -> None:
    for board in soldered.boards():
        assert board.spaces == len(maps.load(board.slug).enterable)
        assert 8 * (board.chips - 1) < board.spaces <= 8 * board.chips
    line = next(line for line in PAGE.splitlines() if line.startswith("| sensor | "))
    assert [*map(int, re.findall(r"\d+", line))] == [board.spaces for board in soldered.boards()]


def test_the_fuse_bears_the_limit_and_the_supply_blows_the_fuse() -> None:
    for limit in (500, 2000, 3000, 6000, 9000):
        assert limit / 1000 < parts.fuse_a(limit) < parts.supply_a(limit)


def test_field_on_the_axis_matches_the_exact_formula() -> None:
    gap, radius, high = 5.0, 5.0, 3.0
    exact = 600 * ((gap + high) / ((gap + high) ** 2 + radius**2) ** 0.5 - gap / (gap**2 + radius**2) ** 0.5)
    assert magnets.vertical_field(magnets.Disc(10, 3), gap, 0.0) == pytest.approx(exact, rel=0.01)
    assert magnets.vertical_field(magnets.Disc(10, 3), gap, 14.0) < 0, "it turns round outside"


def test_the_settings_that_the_page_shows_are_settings() -> None:
    blocks = re.findall(r"^ *```toml\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        document = tomllib.loads(block)
        table = document.pop("sniperboard")
        assert settle({**table, **document}).board == table["board"]


@pytest.mark.parametrize("words", sorted({*WORDS.findall(PAGE)}))
def test_the_commands_that_the_page_names_exist(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([*words.split(), "--help"])
    assert ended.value.code == 0, capsys.readouterr().err
