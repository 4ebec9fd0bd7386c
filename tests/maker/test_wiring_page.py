"""docs/hardware.md and its drawings match firmware, drivers and maps, and its commands exist."""

from __future__ import annotations

import re
import tomllib
from functools import cache
from html import unescape

import pytest

from firmware_host.app import cli
from firmware_host.core import maps
from firmware_host.core.settings import settle
from maker.drawings import hardware_facts, wiring_page, wiring_pictures
from maker.kit import chain, heights, parts
from maker.kit.choices import BASE, MODULE_INPUTS, RING, SENSOR_HOLE, Choices
from maker.kit.holes import LAMP_OFF, drill_holes
from maker.mapping.drawings import wiring_of
from maker.page_parts import DOCS, MADE

PAGE = wiring_page.PAGE.read_text("utf-8")
WORDS = re.compile(r"sniperboard ((?:map|hw|board) [a-z]+(?: record)?|doctor|config)")


def test_docs_match_the_code() -> None:
    stale = [path.name for path, text in wiring_page.updated_files().items() if path.read_text("utf-8") != text]
    assert stale == [], "regenerate it: python -m maker.drawings.wiring_page"


def test_page_shows_every_drawing_and_every_table() -> None:
    drawings = {path.name for path in (DOCS / "hardware").glob("*.svg")}
    assert drawings == {*re.findall(r"\(hardware/([\w-]+\.svg)\)", PAGE)}
    assert drawings > {f"{name}.svg" for name in (*wiring_page.PICTURES, *wiring_page.BOARDS)}
    for page, tables in wiring_page.TABLES.items():
        assert {found[2] for found in MADE.finditer(page.read_text("utf-8"))} == tables.keys()


def test_moved_firmware_pin_moves_in_the_drawing(monkeypatch: pytest.MonkeyPatch) -> None:
    moved = {**parts.firmware_config(), "STRIP_PIN": 6, "CHAIN_LOAD": 21}
    monkeypatch.setattr(parts, "firmware_config", lambda: moved)
    assert {(9, "data"), (27, "load")} <= {(pin, net) for pin, net, _ in wiring_pictures.pico_wires()}


def pin(name: str) -> str:
    gpio = parts.firmware_config()[name]
    return f"GP{gpio}, pin {hardware_facts.PICO_PINS[gpio]}"


def gpios(*names: str) -> list[str]:
    return [f"{name}, GP{parts.firmware_config()[constant]}" for name, constant in (it.split(":") for it in names)]


@cache
def strip_pieces() -> list[tuple[str, ...]]:
    board = maps.load("launch-facility")
    return chain.strip_pieces(drill_holes(board, wiring_of(board.slug, board), Choices()), Choices())


def drawn_texts(name: str) -> list[str]:
    drawn = (DOCS / "hardware" / f"{name}.svg").read_text("utf-8")
    return [unescape(text) for text in re.findall(r">([^<>]+)</text>", drawn)]


FUSE, SUPPLY = (f"{amperes(parts.firmware_config()['LIMIT_MA']):g} A" for amperes in (parts.fuse_a, parts.supply_a))
GROUND = max(number for number, net, _ in wiring_pictures.pico_wires() if net == "ground" and number < 21)
LAST = max(board.chips for board in hardware_facts.board_specs()) - 1
LABELS = {
    "overview": [
        *gpios("CLOCK:CHAIN_CLOCK", "LOAD:CHAIN_LOAD", "DATA:CHAIN_DATA", "PROOF:CHAIN_UNUSED", "DATA:STRIP_PIN"),
        *(FUSE, f"Supply 5 V, {SUPPLY}", f"{LAST + 1} × 74HC165"),
    ],
    "chain": [
        *map(pin, ("CHAIN_CLOCK", "CHAIN_LOAD", "CHAIN_DATA", "CHAIN_UNUSED")),
        *(f"chip {chip}" for chip in (0, 1, LAST)),
        *(f"for chips {first} to {last}" for first, last in ((0, 7), (LAST // 8 * 8, LAST))),
    ],
    "clock": [pin("CHAIN_CLOCK"), "chip 0", "next to chip 0,", "chip 1", "chip 7"],
    "lamps": [
        *(pin("STRIP_PIN"), f"GND of the Pico, pin {GROUND}", f"fuse {FUSE}", f"5 V, {SUPPLY}"),
        *(f"lamp {lamp}" for lamp in (0, 1, max(board.spaces for board in hardware_facts.board_specs()) - 1)),
    ],
}
"""Drawing -> its labels with pins, amperes and numbers of parts. Those of the pieces take long to calculate."""


@pytest.mark.parametrize("name", [*LABELS, "pieces"])
def test_labels_of_drawings_match_firmware_and_maps(name: str) -> None:
    checked = [
        text for text in drawn_texts(name) if re.search(r"GP\d|\bpin \d|\d A$|\b(chips?|lamp) \d|× 74HC165", text)
    ]
    wanted = LABELS.get(name) or [f"lamp {lamp}, {space}" for lamp, space, *_ in strip_pieces()[:2]]
    assert sorted(checked) == sorted(wanted)


AIR, DEEP = Choices(), heights.HANGS
MEASURES = {
    "stack": [
        f"air {heights.floor_gap(AIR):g} mm",
        f"base {BASE:g} mm, ring {RING[0]:g} mm inside",
        f"carrier, {heights.CARRIER:g} mm",
        f"chip in its socket {heights.DIP:g} mm",
        f"floor, {heights.FLOOR:g} mm",
        f"lamp on its strip, {heights.LAMP:g} mm",
        f"lamp {LAMP_OFF:g} mm off the middle, under the ring",
        f"nut {heights.NUT:g} mm, board {heights.BOARD:g} mm",
        f"plate, {heights.PLATE:g} mm",
        "printed map, 0.5 mm",
        f"reed {DEEP['reed']:g} mm",
        "ring, 3 mm",
        f"spacer {heights.spacer_length(AIR)} mm",
        f"{heights.PLUG:g} mm",
    ],
    "sensors": [
        f"Bend {heights.BEND:g} mm or more from the glass. Its lower end is {DEEP['reed']:g} mm deep.",
        f"Glued over a mark of {SENSOR_HOLE['hall']:g} mm, a broad face up to the magnet.",
        f"Hole {SENSOR_HOLE['reed']:g} mm. The upper leg is bent back inside the hole.",
        f"Legs straight, wires away to the side: {DEEP['hall']:g} mm deep.",
    ],
}
"""Drawing -> its labels with millimetres, without the pieces."""


@pytest.mark.parametrize("name", [*MEASURES, "pieces"])
def test_measures_in_drawings_match_the_kit(name: str) -> None:
    wanted = MEASURES.get(name) or [f"5 V, {strip_pieces()[0][5]} mm", f"{AIR.pitch:.1f} mm"]
    assert sorted(text for text in drawn_texts(name) if re.search(r"\d mm\b", text)) == sorted(wanted)


def test_wires_are_drawn_at_the_drivers_pins() -> None:
    pins, default = hardware_facts.PI_PINS, hardware_facts.option_default
    matrix = {
        pins[gpio]: f"{line} {number}"
        for line in ("row", "column")
        for number, gpio in enumerate(default("reed_matrix", f"{line}s"))
    }
    assert drawn_pins("matrix", 300) == matrix
    assert drawn_pins("pi", 500) == {pin: text for pin, (_, text) in wiring_pictures.pi_wires().items()}
    assert drawn_pins("modules", 430) == {
        1: "VCC of all modules",
        pins[2]: "SDA of all modules",
        pins[3]: "SCL of all modules",
        9: "GND of all modules",
        pins[17]: "INTA of all (optional)",
    }
    inputs = [text for text in drawn_texts("modules") if text.startswith("GP") and "sensor" in text]
    assert inputs == [f"GP{name}: sensor 16k + {number}" for number, name in enumerate(MODULE_INPUTS)]


def drawn_pins(name: str, middle: float) -> dict[int, str]:
    """Return pin -> the text at the end of its wire, in a drawing of a Raspberry Pi's header with this middle."""
    drawn = (DOCS / "hardware" / f"{name}.svg").read_text("utf-8")
    texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"[^>]*>([^<]+)<', drawn)
    placed = [
        (float(x) < middle, round(float(y) - 0.35 * int(size), 2), abs(float(x) - middle), unescape(text))
        for x, y, size, text in texts
    ]
    pins = {(left, y): int(text) for left, y, off, text in placed if off == 18}
    gpios = {(left, y): text for left, y, off, text in placed if off == 35}
    for at, pin in pins.items():
        word = hardware_facts.PI_HEADER[pin - 1]
        assert gpios[at] == (f"GPIO{word}" if word.isdigit() else {"3V3": "3.3 V", "5V": "5 V"}.get(word, word))
    return {pins[left, y]: text for left, y, off, text in placed if (left, y) in pins and 100 < off < 320}


def test_no_pin_is_drawn_with_two_wires() -> None:
    pins = [pin for pin, _, _ in wiring_pictures.pico_wires()]
    assert len(pins) == len(set(pins)) == 9
    assert len(wiring_pictures.pi_wires()) == 13, "chain 4, lamps 1, buttons 3, buzzer 1, supply 4"


def test_pin_numbers_match_the_data_sheets() -> None:
    assert [hardware_facts.PICO_PINS[gpio] for gpio in (0, 2, 16, 22, 26, 28)] == [1, 4, 21, 29, 31, 34]
    assert [hardware_facts.PI_PINS[gpio] for gpio in (2, 10, 9, 11, 25, 21)] == [3, 19, 21, 23, 22, 40]
    assert hardware_facts.spi_port(0) == {"clock": 11, "miso": 9, "mosi": 10}


def test_parts_list_has_a_sensor_for_every_space() -> None:
    for board in hardware_facts.board_specs():
        assert board.spaces == len(maps.load(board.slug).enterable)
        assert 8 * (board.chips - 1) < board.spaces <= 8 * board.chips
    line = next(line for line in PAGE.splitlines() if line.startswith("| sensor | "))
    assert [*map(int, line.split("|")[2:-2])] == [board.spaces for board in hardware_facts.board_specs()]


def test_fuse_is_above_the_limit_and_below_the_supply() -> None:
    for limit in (500, 2000, 3000, 6000, 9000):
        assert limit / 1000 < parts.fuse_a(limit) < parts.supply_a(limit)


def test_time_of_the_strip_follows_from_the_firmware() -> None:
    program = (parts.CONFIG.parent / "strip.py").read_text("utf-8")
    found = re.search(r'"WS2812": \(ws2812, (\d+), (\d+)\)', program)
    assert found is not None
    seconds = 144 * 24 * int(found[1]) / int(found[2])
    assert f"| from the first lamp to the last (calculated: 144 lamps) | {1000 * seconds:.1f} ms |" in PAGE


def test_settings_on_the_page_are_valid() -> None:
    blocks = re.findall(r"^ *```toml\n(.*?)```", PAGE, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 4
    for block in blocks:
        document = tomllib.loads(block)
        table = document.pop("sniperboard")
        settings = settle({**table, **document})
        assert {name: getattr(settings, name) for name in table} == table


@pytest.mark.parametrize("words", sorted({*WORDS.findall(PAGE)}))
def test_commands_on_the_page_exist(words: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main([*words.split(), "--help"])
    assert ended.value.code == 0, capsys.readouterr().err
