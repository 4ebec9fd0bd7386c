"""`sniperboard map kit`: page sizes measured in the PDFs, positions of the holes, and totals of the lists."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise, product
from math import dist
from pathlib import Path

import pytest
from msgspec.structs import replace
from pypdf import PageObject, PdfReader, Transformation
from pypdf.generic import ContentStream

from engine.graph.fault import MapError
from engine.graph.model import Map
from engine.graph.plane import clearance_squared, point_in_ring
from firmware_host.board.wiring import Wiring, default_wiring, of_board
from firmware_host.core import maps
from maker import png
from maker.drawings.chipboard.expressions import lists, parse
from maker.drawings.kit_boards import board_drawings
from maker.kit import chain, chipboard, paper, parts, power, sheets
from maker.kit.choices import BRAINS, CHIPS, LAMP_HOLE, LAMPS, SENSOR_HOLE, SENSORS, Choices
from maker.kit.holes import Holes, drill_holes
from maker.kit_output import folder
from maker.mapping import drawings
from maker.mapping.wiring import wiring_overlay as drawn_wiring
from tests.engine.graph.drawings import board as little_drawing
from tests.firmware_host.test_cli_map import run
from tests.firmware_host.test_maps import written
from tests.maker.copper import read_strips

MM = 72 / 25.4
NAME = "submarine-pens"
Kit = Callable[[Choices], dict[str, bytes]]


def pages(content: bytes) -> list[PageObject]:
    return list(PdfReader(io.BytesIO(content)).pages)


def millimetres(page: PageObject) -> tuple[float, float]:
    return (float(page.mediabox.width) / MM, float(page.mediabox.height) / MM)


def starts(page: PageObject, circles: bool = False) -> list[tuple[float, float]]:
    """Return where the lines of a page, or only its `circles`, start, in millimetres from its upper left corner."""
    high = float(page.mediabox.height)
    path = [*_path(page, ContentStream(page.get_contents(), page.pdf), Transformation()), (b"", (0.0, 0.0))]
    found = [place for (first, place), (then, _) in pairwise(path) if first == b"m" and (then == b"c" or not circles)]
    return [(x / MM, (high - y) / MM) for x, y in found]


def _path(holder: object, content: ContentStream, at: Transformation) -> Iterator[tuple[bytes, tuple[float, float]]]:
    """Yield the moves and curves of a page or form, including nested forms, with where each leads."""
    kept: list[Transformation] = []
    for operands, operator in content.operations:
        if operator == b"q":
            kept.append(at)
        elif operator == b"Q":
            at = kept.pop()
        elif operator == b"cm":
            at = Transformation(tuple(map(float, operands))).transform(at)  # type: ignore[arg-type]
        elif operator in (b"m", b"c"):
            yield operator, at.apply_on((float(operands[-2]), float(operands[-1])))  # type: ignore[misc]
        elif operator == b"Do":
            form = holder["/Resources"]["/XObject"][operands[0]].get_object()  # type: ignore[index]
            if form["/Subtype"] == "/Form":
                inner = Transformation(tuple(map(float, form.get("/Matrix", (1, 0, 0, 1, 0, 0)))))  # type: ignore[arg-type]
                yield from _path(form, ContentStream(form, None), inner.transform(at))


def lines(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode())))


def test_full_sheets_have_the_size_of_the_board(board: Map, made: dict[str, bytes]) -> None:
    for name in ("artwork.pdf", "drill.pdf"):
        (page,) = pages(made[name])
        assert millimetres(page) == pytest.approx((board.size[0] / 10, board.size[1] / 10), abs=0.01)


READY_MADE = Choices(brain="pi", lamps="wled", chips="modules")


@pytest.mark.parametrize(
    "choices", [Choices(), Choices(lamps="none"), Choices(chips="stripboard", brain="pi"), READY_MADE]
)
def test_readme_names_exactly_the_files_of_the_kit(kit: Kit, choices: Choices) -> None:
    files = {**kit(choices)}
    words = files.pop("README.txt").decode()
    named = set()
    for first, more in re.findall(r"^([\w-]+\.\w+(?:, [\w-]+\.\w+)*)((?:/|, )\.\w+)?", words, re.MULTILINE):
        named |= set(first.split(", ")) | ({first.rpartition(".")[0] + more.lstrip("/, ")} if more else set())
    assert named == files.keys()


@pytest.mark.parametrize(
    ("choices", "titles"),
    [
        (Choices(), ["strip board of Pico", "sniperboard chip board"]),
        (Choices(chips="stripboard"), ["strip board of Pico", "A chip's strip board", "74HC125"]),
        (Choices(brain="pi"), ["Straight on a Raspberry Pi", "level shifter alone", "sniperboard chip board"]),
        (READY_MADE, ["Ready-made sensor modules", "WLED controller"]),
    ],
)
def test_kit_shows_each_board_to_solder_on_a_page(choices: Choices, titles: list[str]) -> None:
    texts = [page.extract_text() for page in pages(paper.drawing_pages(board_drawings(choices, 24)))]
    assert [title in text for title, text in zip(titles, texts, strict=True)] == [True] * len(titles)


def test_guide_says_how_many_files_a_kit_has(made: dict[str, bytes]) -> None:
    guide = Path(__file__).resolve().parents[2] / "docs/build-guide.md"
    assert f"`{len(made)} files written to kit`" in guide.read_text("utf-8")


def test_only_boards_with_lamps_get_the_light_test(made: dict[str, bytes]) -> None:
    (page,) = pages(made["light-test.pdf"])
    assert millimetres(page) == pytest.approx((210, 297), abs=0.01)
    assert "8 mm" in page.extract_text()


def test_drill_crosses_are_at_the_mirrored_spots_of_the_paper(board: Map, made: dict[str, bytes]) -> None:
    (page,) = pages(made["drill.pdf"])
    found = starts(page)
    for hole in drill_holes(board, default_wiring(board), Choices()):
        assert hole.window is not None
        for place, across in ((hole.spot, SENSOR_HOLE["reed"]), (hole.window, LAMP_HOLE)):
            arm = (board.size[0] / 10 - place[0] - across / 2 - 1.5, place[1])
            assert min(dist(arm, other) for other in found) < 0.02, f"{hole.space} has no cross at {arm}"


def test_tiles_have_their_paper_size_and_join_without_gaps(board: Map, made: dict[str, bytes]) -> None:
    for form, sheet in (("A3", [297, 420]), ("A4", [210, 297])):
        sheets = pages(made[f"artwork-{form}.pdf"])
        assert all(sorted(millimetres(page)) == pytest.approx(sheet, abs=0.01) for page in sheets)
        words = [page.extract_text() for page in sheets]
        assert all("print at 100 %" in text for text in words)
    whole = starts(pages(made["drill.pdf"])[0])
    tile = starts(pages(made["drill-A4.pdf"])[0])
    wide, high = millimetres(pages(made["drill-A4.pdf"])[0])
    columns = max(int(text.split("column ")[1].split(" of ")[1].split()[0]) for text in words)
    rows = max(int(text.split("row ")[1].split(" of ")[1].split(",")[0]) for text in words)
    left, top = (wide - board.size[0] / 10 / columns) / 2, (high - board.size[1] / 10 / rows) / 2
    moved = (whole[0][0] + left, whole[0][1] + top)
    assert min(dist(moved, other) for other in tile) < 0.02, "the first tile shows the sheet's corner at full scale"


def test_neighbouring_tiles_share_their_register_marks(real: tuple[Map, Wiring, list[Holes]]) -> None:
    board = real[0]
    size = (board.size[0] / 10, board.size[1] / 10)
    cut = paper.choose_tiling(size, paper.A3)
    sheets = pages(paper.tiled_pages("<svg xmlns='http://www.w3.org/2000/svg'/>", size, paper.A3, "x"))
    marks = [starts(page, circles=True) for page in sheets]
    assert {len(found) for found in marks} == {8}, "two at each corner"
    for other, (aside, down) in ((1, (cut.step[0], 0.0)), (cut.columns, (0.0, cut.step[1]))):
        moved = [(x + aside, y + down) for x, y in marks[other]]
        shared = [one for one in marks[0] if min(dist(one, place) for place in moved) < 0.01]
        assert len(shared) == 2, f"tile {other} laid next to the first, picture to picture"


@pytest.fixture(scope="module")
def real() -> tuple[Map, Wiring, list[Holes]]:
    board = maps.load(NAME)
    wiring = of_board(board, maps.FOLDER / NAME / "wiring.toml")
    return board, wiring, drill_holes(board, wiring, Choices())


def test_both_holes_of_a_space_are_inside_and_separate(real: tuple[Map, Wiring, list[Holes]]) -> None:
    board, wiring, holes = real
    round_holes = []
    for hole in holes:
        assert hole.window is not None
        space = board.spaces[hole.space]
        point = (round(hole.window[0] * 10), round(hole.window[1] * 10))
        assert point_in_ring(space.outline, point)
        assert float(clearance_squared(space.outline, point)) ** 0.5 / 10 >= LAMP_HOLE / 2
        assert hole.sensor == wiring.sensors.index(hole.space)
        assert hole.lamp == wiring.lamps.index(hole.space)
        round_holes += [(hole.spot, SENSOR_HOLE["reed"] / 2), (hole.window, LAMP_HOLE / 2)]
    gaps = [dist(a, b) - r - s for n, (a, r) in enumerate(round_holes) for b, s in round_holes[:n]]
    assert min(gaps) >= 1.9


def test_wires_are_long_enough_and_chips_have_eight_sensors(real: tuple[Map, Wiring, list[Holes]]) -> None:
    board, wiring, holes = real
    layout = chain.place_plates(board, holes, len(wiring.sensors), Choices())
    found = layout.chips
    for chip in found:
        assert 35 <= chip.at[0] <= 841 - 35
        assert 25 <= chip.at[1] <= 594 - 25
        for letter, hole in enumerate(chip.inputs):
            assert hole is None or hole.sensor == 8 * chip.number + letter
    cuts = chain.list_wires(holes, layout, Choices(sensor="hall"))
    assert len(cuts) == 3 * len(holes) + len(found) + 3 * len(holes) + parts.feed_count(len(holes))
    by_space = {hole.space: hole for hole in holes}
    for chip in found:
        for hole in filter(None, chip.inputs):
            (cut,) = [c for c in cuts if c.start == f"sensor {hole.sensor} ({hole.space})" and c.colour == "white"]
            assert dist(by_space[hole.space].spot, chip.at) <= cut.length - 50


def test_there_is_a_ring_for_every_space_and_some_spares(board: Map, made: dict[str, bytes]) -> None:
    text = made["rings.dxf"].decode()
    found = re.findall(r"CIRCLE\n8\nOUTLINE\n10\n([\d.]+)\n20\n([\d.]+)\n40\n([\d.]+)\n", text)
    rings = Counter(float(radius) for *_, radius in found)
    (bought,) = [line for line in lines(made["parts.csv"]) if line["part"] == "ring"]
    assert rings == {13.0: int(bought["needed"]) + int(bought["spare"]), 17.0: len(found) // 2}
    assert int(bought["needed"]) == len(board.enterable)
    middles = [(float(x), float(y)) for x, y, radius in found if float(radius) == 17]
    assert min(dist(one, other) for one, other in combinations(middles, 2)) >= 38


def test_power_enters_every_30_lamps_and_at_the_end(
    real: tuple[Map, Wiring, list[Holes]],
) -> None:
    board, wiring, holes = real
    found = chain.place_plates(board, holes, len(wiring.sensors), Choices())
    cuts = chain.list_wires(holes, found, Choices())
    feeds = [cut for cut in cuts if cut.what == "feed"]
    assert [int(cut.end.split()[1]) for cut in feeds] == [0, 30, 60, 90, 120]
    assert len(holes) == 121, "the last lamp is number 120"
    places = {hole.lamp: hole.window for hole in holes}
    for cut in feeds:
        place = places[int(cut.end.split()[1])]
        assert place is not None
        assert dist(found.main, place) <= cut.length - 50
    bought = {
        part.name: part
        for part in parts.list_parts(parts.BoardQuantities(121, 121, 121, 9, (841, 594), tuple(cuts)), Choices())
    }
    assert bought["places where it is fed"].count == len(feeds)
    assert bought["feeds"].count * 1000 >= sum(cut.length for cut in feeds)
    for lamps in (1, 2, 30, 31, 32, 127):
        strip = [replace(holes[0], lamp=number) for number in range(lamps)]
        assert parts.feed_count(lamps) == len(chain.feed_points(strip))


def test_parts_follow_from_the_choices() -> None:
    counted = parts.BoardQuantities(121, 121, 121, 9, (841, 594), ())
    bought = {part.name: part for part in parts.list_parts(counted, Choices(sensor="hall", strip=60))}
    assert bought["shift register"].count == 16
    assert "DRV5032" in bought["sensor"].order
    assert bought["lamps"].count * 60 >= 121 + bought["pieces of it"].spare
    assert "scanner" not in {part.name for part in parts.list_parts(counted, Choices(brain="pi"))}
    bare = {part.name for part in parts.list_parts(replace(counted, lamps=0), Choices(lamps="none"))}
    assert not bare & {"lamps", "level shifter", "fuse", "lamps' supply"}


def test_ready_made_kit_has_modules_and_a_controller_instead_of_chips(real: tuple[Map, Wiring, list[Holes]]) -> None:
    board, wiring, holes = real
    found = chain.place_plates(board, holes, len(wiring.sensors), READY_MADE)
    counted = parts.count_parts(board, holes, found, READY_MADE)
    bought = {part.name: part for part in parts.list_parts(counted, READY_MADE)}
    assert [chip.number for chip in found.chips] == [*range(8)]
    assert [hole.sensor for chip in found.chips for hole in chip.inputs if hole] == [*range(121)]
    assert bought["sensor module"].count == 8
    assert bought["lamp controller"].count == 1
    assert not bought.keys() & {"shift register", "chip board", "level shifter", "scanner", "ribbon"}
    sensors = [cut for cut in counted.cuts if cut.what == "sensor"]
    assert "module 1 input A1" in {cut.end for cut in sensors if cut.start.startswith("sensor 17 ")}
    assert bought["crimp contacts"].count == len(sensors) + 2 * len(chain.BUS) * 8
    assert [cut.start for cut in counted.cuts if cut.what == "bus"] == ["Pi", *(f"module {n}" for n in range(7))]
    usual = {part.name: part.joints * part.count for part in parts.list_parts(counted, Choices())}
    assert sum(part.joints * part.count for part in bought.values()) < sum(usual.values()) / 2
    rows = {row[0]: row for row in power.power_rows(counted, READY_MADE)}
    assert rows["modules and pull-ups, 3.3 V"][2].startswith("8 x 1.0 mA")
    assert "WLED controller" in rows
    assert "current_limit_ma" in rows["lamps, the limit"][2], "there is no firmware that dims"


EVERY = [
    choices
    for sensor, brain, lamps, chips in product(SENSORS, BRAINS, LAMPS, CHIPS)
    if (choices := Choices(sensor, brain, lamps, chips=chips)).fault() is None
]


@pytest.mark.parametrize("choices", EVERY, ids=lambda it: f"{it.sensor}-{it.brain}-{it.lamps}-{it.chips}")
def test_kit_names_only_what_belongs_to_the_choices(real: tuple[Map, Wiring, list[Holes]], choices: Choices) -> None:
    board, wiring, holes = real
    if choices.lamps == "none":
        holes = [replace(hole, window=None, lamp=None) for hole in holes]
    found = chain.place_plates(board, holes, len(wiring.sensors), choices)
    counted = parts.count_parts(board, holes, found, choices)
    bought = parts.list_parts(counted, choices)
    words = "\n".join(
        [f"{part.name}: {part.order}" for part in bought]
        + [f"{cut.start} {cut.end} {cut.colour}" for cut in counted.cuts]
        + [" ".join(row) for row in power.power_rows(counted, choices)]
        + [shape.text for shape in sheets.plate_shapes(found.chips, choices) if isinstance(shape, sheets.Word)]
    )
    wanted = {
        "Pico": choices.brain == "pico",
        "SN74AHCT125N": choices.lamps == "strip",
        "WLED": choices.lamps == "wled",
        "module": choices.chips == "modules",
        "shift register": choices.chips != "modules",
        "Hall": choices.sensor == "hall",
        "foam tape": choices.brain == "pi" or choices.lamps == "wled",
        "crimp contact": choices.brain == "pi",
    }
    assert {word: word in words for word in wanted} == wanted
    carriers = [part.name for part in bought if part.name.startswith("carrier of") and "chip" not in part.name]
    alone = {"strip": ["carrier of the level shifter"]}.get(choices.lamps, [])
    pico = {"strip": "carrier of Pico and level shifter"}.get(choices.lamps, "carrier of the Pico")
    assert carriers == ([pico] if choices.brain == "pico" else alone)


def test_modules_on_a_pico_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("kit", NAME, "--chips", "modules", "--out", tmp_path / "kit") != 0
    assert "add --brain pi" in capsys.readouterr().err
    assert not (tmp_path / "kit").exists()


def test_all_chip_board_parts_are_on_the_list() -> None:
    counted = parts.BoardQuantities(127, 127, 127, 9, (841, 594), ())
    bought = {part.name: part.count for part in parts.list_parts(counted, Choices())}
    values = {element.value for element in chipboard.ELEMENTS if element.kind not in ("IDC14", "LINK", "WIRES3")}
    assert values == parts.ORDERED.keys()
    assert (bought["shift register"], bought["pull-ups"], bought["from SER to ground"], bought["chip board"]) == (
        16,
    ) * 4
    assert (bought["clock and load"], bought["behind each gate"], bought["at the end of a line"]) == (2, 4, 4)
    assert bought["at each chip"] == 16 + 2
    assert bought["plugs of the boards"] == bought["plugs of the ribbon"] + 1 == 32
    assert bought["to measure the lamps' 5 V"] == 2
    assert "to measure the lamps' 5 V" not in {part.name for part in parts.list_parts(counted, Choices(brain="pi"))}
    few = {part.name: part.count for part in parts.list_parts(replace(counted, sensors=32), Choices())}
    assert (few["chip board"], few["clock and load"], few["at the end of a line"]) == (4, 1, 2)
    joints = {part.name: part.joints for part in parts.list_parts(counted, Choices())}
    for name, kind in (("shift register", "DIP16"), ("clock and load", "DIP14"), ("pull-ups", "SIP9")):
        footprint = parse((chipboard.FILES / f"chipboard.pretty/{kind}.kicad_mod").read_text("utf-8"))
        assert joints[name] == len([*lists(footprint, "pad")])


@pytest.mark.parametrize("feeds", range(1, 12))
def test_terminals_have_room_for_all_feeds_and_none_is_spare(feeds: int) -> None:
    wires = feeds + 2  # the supply, and the lamps' electronics
    row = parts.terminal_count(feeds) // 2
    room = [parts.TERMINAL_WIRES * count - 2 * (count - 1) for count in (row - 1, row)]
    assert room[0] < wires <= room[1] or row == 1


def test_stripboard_parts_list_matches_its_drawings() -> None:
    counted = parts.BoardQuantities(127, 0, 127, 9, (841, 594), ())
    bought = {part.name: part.count for part in parts.list_parts(counted, Choices(chips="stripboard"))}
    chip, gate = read_strips("stripboard"), read_strips("stripboard-gates")
    held = Counter([*16 * [*{*chip.parts} - chip.sometimes], *2 * [*chip.sometimes], *2 * [*gate.parts]])
    for name, drawn in (
        ("shift register", ["U1"]), ("clock and load", ["U2"]), ("pull-ups", ["RNa", "RNb"]),
        ("at each chip", ["C1", "C2"]), ("from SER to ground", ["R5"]), ("behind each gate", ["R1", "R2"]),
        ("at the end of a line", ["R3"]), ("behind it", ["C3"]), ("plugs of the boards", ["J1", "J2"]),
    ):  # fmt: skip
        assert bought[name] == sum(held[part] for part in drawn), name
    assert bought["carrier of a chip or gates"] == 18
    assert len(chip.wires) == parts.WIRES_ON_STRIPS
    assert "chip board" not in bought


def test_kit_contains_the_gerbers(kit: Kit, made: dict[str, bytes]) -> None:
    with zipfile.ZipFile(io.BytesIO(made["chipboard-gerbers.zip"])) as packed:
        assert {Path(name).suffix for name in packed.namelist()} == {".gbr", ".drl"}
    assert b"chipboard-gerbers.zip" in made["README.txt"]
    strips = kit(Choices(chips="stripboard"))
    assert "chipboard-gerbers.zip" not in strips
    assert b"gerbers" not in strips["README.txt"]
    plates = [kit["plates.svg"].count(b"<rect") for kit in (made, strips)]
    assert plates == [1 + 3, 1 + 3 + 1]
    ribbons = [(line["from"], line["to"]) for line in lines(strips["wires.csv"]) if "ribbon" in line["colour"]]
    assert ribbons[:3] == [("Pico", "gates 0 J1"), ("gates 0 J2", "chip 0 J1"), ("chip 0 J2", "chip 1 J1")]
    assert len(ribbons) == 4


def test_lists_agree_with_each_other(made: dict[str, bytes]) -> None:
    chips, lamps = lines(made["chips.csv"]), lines(made["lamps.csv"])
    assert [int(line["sensor"]) for line in chips] == list(range(24))
    assert [int(line["lamp"]) for line in lamps] == list(range(24))
    bought = {line["part"]: line for line in lines(made["parts.csv"])}
    assert bought["sensor"]["needed"] == "24"
    joints = pages(made["parts.pdf"])[0].extract_text()
    assert "estimates of November 2026" in joints.replace("\n", " ")
    circles = made["carrier.dxf"].decode().count("\nCIRCLE\n")
    assert circles == made["carrier.svg"].decode().count("<circle") == 48 + 2 * 4 + 4


def test_drawing_can_place_a_lamp_but_not_in_walls(tmp_path: Path) -> None:
    sheet = little_drawing()
    sheet.said("a1")["lamp"] = [200, 330]
    board = drawings.survey_named(str(written(sheet, tmp_path / "a.geojson")), "loose").map
    assert drill_holes(board, default_wiring(board), Choices())[0].window == (20.0, 33.0)
    sheet.said("a1")["lamp"] = [200, 390]
    board = drawings.survey_named(str(written(sheet, tmp_path / "b.geojson")), "loose").map
    with pytest.raises(MapError, match="a1: its lamp's hole at"):
        drill_holes(board, default_wiring(board), Choices())


def test_kit_keeps_the_lamp_places_of_a_drawing(small_map: Path, board: Map, tmp_path: Path) -> None:
    holes = drill_holes(board, default_wiring(board), Choices())
    elsewhere = [replace(hole, window=(hole.spot[0], hole.spot[1] + 13)) for hole in holes]
    (tmp_path / "kept.geojson").write_bytes(folder.with_lamp_places(small_map.read_bytes(), elsewhere))
    again = drawings.survey_named(str(tmp_path / "kept.geojson"), "loose").map
    assert drill_holes(again, default_wiring(again), Choices()) == elsewhere


def test_manual_space_has_a_lamp_and_no_sensor(board: Map) -> None:
    wiring = default_wiring(board)
    first = board.enterable[0]
    holes = drill_holes(board, Wiring(wiring.sensors, wiring.lamps, frozenset({first})), Choices())
    assert holes[0].sensor is None
    assert holes[0].lamp == 0


def test_missing_font_is_named_before_the_work_begins(
    small_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(png, "FAMILIES", (("Nobody Sans", "Nobody Serif"),))
    monkeypatch.setattr(folder, "make_kit", None)
    assert run("kit", small_map, "--out", tmp_path / "kit") == 1
    assert "none of these fonts is installed: Nobody Sans" in capsys.readouterr().err


def test_kit_explains_what_cannot_be_built(
    small_map: Path, board: Map, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("kit", "nowhere", "--out", tmp_path / "a") == 1
    assert "there is no such map" in capsys.readouterr().err
    (tmp_path / "full").mkdir()
    assert run("kit", small_map, "--out", tmp_path / "full") == 1
    assert "exists already" in capsys.readouterr().err
    assert run("kit", "tracks-2", "--out", tmp_path / "b") == 1
    assert "has lamps alone" in capsys.readouterr().err
    small = {
        name: replace(
            space,
            spot=(space.spot[0] // 2, space.spot[1] // 2),
            outline=tuple((x // 2, y // 2) for x, y in space.outline),
        )
        for name, space in board.spaces.items()
    }
    shrunk = replace(board, size=(board.size[0] // 2, board.size[1] // 2), spaces=small, accesses=(), entries=())
    with pytest.raises(MapError, match="is not in its real size"):
        folder.make_kit(shrunk, default_wiring(shrunk), Choices())
    with pytest.raises(MapError, match="no room for two holes"):
        drill_holes(shrunk, default_wiring(shrunk), Choices())
    assert not (tmp_path / "a").exists()


def test_command_writes_the_complete_folder(
    small_map: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("kit", small_map, "--out", tmp_path / "kit", "--lamps", "none") == 0
    assert "files written" in capsys.readouterr().out
    assert {path.name for path in (tmp_path / "kit").iterdir()} >= {"README.txt", "artwork.pdf", "drill.pdf"}
    assert not list(tmp_path.glob(".kit*"))
    assert "manual = []" in (tmp_path / "kit" / "wiring.toml").read_text()
    assert not (tmp_path / "kit" / "light-test.pdf").exists()
    assert not (tmp_path / "kit" / "lamps.csv").exists()


def test_marks_of_lamps_on_a_strip_do_not_touch() -> None:
    board = maps.load("tracks-2")
    order = board.enterable
    drawing = drawn_wiring(board, order)
    reach = float(re.findall(r'class="mark lamp" cx="[^"]*" cy="[^"]*" r="([^"]*)"', "".join(drawing.above))[0])
    nearest = min(dist(board.spaces[a].spot, board.spaces[b].spot) for a, b in combinations(order, 2))
    assert 2 * reach < nearest
