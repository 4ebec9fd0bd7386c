"""What lies above what: heights, spacers, plates and floor of both maps, and the collisions that are reported."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations
from math import dist, hypot

import pytest
from msgspec.structs import replace

from engine.graph.builder import build, grid
from engine.graph.fault import MapError
from engine.graph.model import Map
from firmware_host.board.wiring import default_wiring, of_board
from firmware_host.core import maps
from maker.drawings import wiring_page, wiring_pictures
from maker.kit import chain, heights, parts, plates, power, sheets
from maker.kit.choices import LAMP_HOLE, SENSOR_HOLE, Choices, Lamps
from maker.kit.dxf import dxf
from maker.kit.holes import Holes, drill_holes
from maker.kit_output import folder
from maker.page_parts import DOCS

NAMES = ("launch-facility", "submarine-pens")
HARDWARE, SCALE = DOCS / "hardware", 9.0
"""The folder of the drawings, and the units of those from the side for a millimetre."""
MODULES = Choices(brain="pi", lamps="wled", chips="modules")
KINDS = (
    Choices(), Choices(sensor="hall"), Choices(chips="stripboard"), Choices(lamps="none"), Choices(strip=144), MODULES,
    replace(MODULES, sensor="hall"), Choices(brain="pi", chips="stripboard"),
)  # fmt: skip

COUNTED = parts.BoardQuantities(127, 127, 127, 9, (841, 594), ())

Laid = tuple[Map, list[Holes], chain.Layout]


def to_buy(choices: Choices) -> dict[str, parts.Part]:
    """Return the parts of a board with 127 spaces by name."""
    counted = replace(COUNTED, lamps=0) if choices.lamps == "none" else COUNTED
    return {part.name: part for part in parts.list_parts(counted, choices)}


@cache
def laid(name: str, choices: Choices) -> Laid:
    """Return a map's holes and plates. Nothing changes them, so all tests share them."""
    board = maps.load(name)
    wiring = of_board(board, maps.FOLDER / name / "wiring.toml")
    holes = drill_holes(board, wiring, choices)
    return board, holes, chain.place_plates(board, holes, len(wiring.sensors), choices)


@pytest.fixture(scope="module")
def real() -> Laid:
    return laid(NAMES[0], Choices())


@pytest.mark.parametrize(("columns", "rows"), [(5, 5), (4, 4), (3, 8), (6, 6)])
@pytest.mark.parametrize("lamps", ["strip", "none"])
def test_kit_of_a_grid_has_room(columns: int, rows: int, lamps: Lamps) -> None:
    """The parts of a chip that comes first can leave no room for another one."""
    board, choices = build(grid("grid", "Grid", columns, rows)), Choices(lamps=lamps)
    wiring = default_wiring(board)
    holes = drill_holes(board, wiring, choices)
    found = chain.place_plates(board, holes, len(wiring.sensors), choices)
    plates.require_fit(board.slug, found.plates, holes, choices)
    assert [chip.number for chip in found.chips] == [*range(len(found.chips))]


ONE_BY_DAY = pytest.mark.parametrize("name", [NAMES[0], pytest.param(NAMES[1], marks=pytest.mark.nightly)])


@pytest.mark.parametrize("choices", KINDS)
@ONE_BY_DAY
def test_no_part_of_our_maps_collides(name: str, choices: Choices) -> None:
    board, holes, found = laid(name, choices)
    plates.require_fit(board.slug, found.plates, holes, choices)
    # The same, calculated apart from the checks.
    wide, high = board.size[0] / 10, board.size[1] / 10
    for one, other in combinations(found.plates, 2):
        apart = [abs(one.at[i] - other.at[i]) - (one.size[i] + other.size[i]) / 2 for i in (0, 1)]
        assert max(apart) >= 0, (one, other)
    for plate in found.plates:
        assert all(4 < x < wide - 4 and 4 < y < high - 4 for x, y in plate.screws)
        for spacer in plate.spacers:
            for hole in holes:
                assert dist(spacer, hole.spot) > 3.2 + SENSOR_HOLE[choices.sensor] / 2, (plate, hole)
                if hole.window is not None:
                    assert dist(spacer, hole.window) > 3.2 + LAMP_HOLE / 2, (plate, hole)
        overlap = [abs(plate.at[i] - found.cables[i]) - (plate.size[i] + chain.CABLE_HOLE) / 2 for i in (0, 1)]
        assert max(overlap) >= 0, "the cables' hole"
    assert found.cables[1] + chain.CABLE_HOLE / 2 < high
    sensors = len([hole for hole in holes if hole.sensor is not None])
    assert len(found.plates) == parts.plate_count(sensors, choices) + parts.POSTS
    corners = [(x, y) for y in (0, high) for x in (0, wide)]
    spacers = [spacer for plate in found.plates for spacer in plate.spacers]
    assert max(min(dist(spacer, corner) for spacer in spacers) for corner in corners) < 60


@pytest.mark.parametrize("choices", [MODULES, Choices(lamps="wled"), Choices(lamps="wled", sensor="hall")])
@ONE_BY_DAY
def test_wled_controller_has_its_place_on_the_floor(name: str, choices: Choices) -> None:
    board, _, found = laid(name, choices)
    assert found.lamps_from is not None
    wide, high = chain.CONTROLLER
    assert wide / 2 <= found.lamps_from[0] <= board.size[0] / 10 - wide / 2
    for plate in found.plates:
        apart = [abs(plate.at[i] - found.lamps_from[i]) - (plate.size[i] + chain.CONTROLLER[i]) / 2 for i in (0, 1)]
        assert max(apart) >= 0, plate
    assert dist(found.lamps_from, found.main) < 70
    assert heights.floor_gap(choices) - heights.depth_below_carrier(choices) > heights.CONTROLLER
    assert sheets.Word("ENGRAVE", found.lamps_from, 4.0, "WLED") in sheets.floor_shapes(board, found)
    page = wiring_page.PAGE.read_text("utf-8")
    assert f"{wide:g} × {high:g} mm, and {heights.CONTROLLER:g} mm of height" in page


@pytest.mark.parametrize("choices", KINDS)
def test_parts_and_sensors_share_the_air(choices: Choices) -> None:
    air = heights.floor_gap(choices)
    plug = 1.6 + 2.5 + 14 + 2
    # A Pi and modules lie on tape on the plate, the other boards on nuts.
    stands = 3 + max(1 + plug if choices.brain == "pi" else 0, 0 if choices.ready_made else 2.4 + 1.6 + 15)
    hangs = 17.5 if choices.sensor == "reed" else 5
    assert stands + hangs + 1 <= air < stands + hangs + 1 + 5, "the shortest spacer with which all parts fit"
    assert heights.clearance_above(choices) == pytest.approx(air - stands)
    through = 4 + 3 + heights.spacer_base(choices)
    assert through + 4 <= heights.screw_length(choices) <= through + heights.spacer_length(choices) - 3
    bought = to_buy(choices)
    assert bought["spacers"].order.startswith(f"M3 x {heights.spacer_length(choices)} mm")
    assert (bought["spacers"].count - 4) * 2 == bought["screws from below"].count - 4
    nuts, washers = heights.post_stack(choices)
    assert (
        heights.floor_gap(choices) - 0.3
        < 2.4 * nuts + 0.5 * washers + heights.spacer_length(choices)
        <= heights.floor_gap(choices)
    )


@pytest.mark.parametrize("choices", KINDS)
def test_spacer_of_a_pi_stands_as_high_as_those_on_boards(choices: Choices) -> None:
    nuts, washers = heights.pi_stack(choices)
    assert heights.spacer_base(choices) - 0.3 < 2.4 * nuts + 0.5 * washers <= heights.spacer_base(choices)
    bought = to_buy(choices)
    plates_of_boards = parts.plate_count(127, choices) - (1 if choices.brain == "pi" else 0)
    post_nuts, post_washers = heights.post_stack(choices)
    under = 0 if choices.ready_made else 4 * plates_of_boards
    on_pi = (2 * nuts, 2 * washers) if choices.brain == "pi" else (0, 0)
    assert bought["nuts"].count == 2 * parts.plate_count(127, choices) + under + 4 * post_nuts + on_pi[0]
    assert bought["washers"].count == 4 * post_washers + on_pi[1]


def test_plugs_are_bought_as_high_as_reckoned() -> None:
    assert "without strain relief" in to_buy(Choices())["plugs of the ribbon"].order, "heights.PLUG is without one"


def test_reed_above_a_plug_needs_35_mm_spacers() -> None:
    assert (heights.spacer_length(Choices()), heights.floor_gap(Choices())) == (35, 42)
    assert (heights.spacer_length(Choices(sensor="hall")), heights.floor_gap(Choices(sensor="hall"))) == (25, 32)
    assert (heights.spacer_length(MODULES), heights.floor_gap(MODULES)) == (40, 43)


def test_colliding_parts_are_named_with_a_remedy(real: Laid) -> None:
    board, holes, found = real
    first = found.plates[1]
    on_it = plates.Plate("gates 0", (first.at[0] + 30, first.at[1]))
    with pytest.raises(MapError, match=r"plates of gates 0 and chip 0 overlap\..*list one as manual"):
        plates.require_fit(board.slug, [first, on_it], holes, Choices())
    lit = next(hole for hole in holes if hole.window is not None)
    assert lit.window is not None
    for at, what in ((lit.spot, "sensor"), (lit.window, "lamp")):
        plate = plates.Plate("chip 3", (at[0] + 30, at[1] + 20))
        assert plate.spacers[0] == pytest.approx(at)
        with pytest.raises(MapError, match=f"{lit.space}: a spacer of chip 3 goes through its {what}"):
            plates.require_fit(board.slug, [plate], holes, Choices())


def test_sensor_above_parts_that_are_too_high_is_named(real: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    plate = plates.Plate("module 2", real[1][0].spot)
    plates.require_fit("x", [plate], real[1][:1], MODULES)
    monkeypatch.setattr(heights, "MODULE", 25.0)
    with pytest.raises(
        MapError, match=rf"{real[1][0].space}: its sensor reaches 17\.5 mm .* of module 2 leave 15\.0 mm"
    ):
        plates.require_fit("x", [plate], real[1][:1], MODULES)


def test_kit_stops_where_parts_collide(real: Laid, monkeypatch: pytest.MonkeyPatch) -> None:
    board, _, found = real
    twice = replace(found, gates=(found.chips[0].at,))
    monkeypatch.setattr(chain, "place_plates", lambda *_: twice)
    with pytest.raises(MapError, match="overlap"):
        folder.make_kit(board, of_board(board, maps.FOLDER / board.slug / "wiring.toml"), Choices())


def test_floor_has_a_hole_for_every_screw_and_the_cables(real: Laid) -> None:
    board, holes, found = real
    drawn = dxf(sheets.floor_shapes(board, found))
    circles = re.findall(r"CIRCLE\n8\n(\w+)\n10\n([\d.]+)\n20\n([\d.]+)\n40\n([\d.]+)\n", drawn)
    places = [(float(x), 594 - float(y)) for layer, x, y, _ in circles if layer == "SCREW"]
    wanted = [screw for plate in found.plates for screw in plate.screws]
    assert places == [pytest.approx(screw, abs=0.001) for screw in wanted]
    assert [float(radius) for layer, *_, radius in circles if layer == "CABLES"] == [8]
    above = [it for it in sheets.carrier_shapes(board, holes, found, Choices()) if it.layer == "SCREW"]
    assert {it.at for it in above} == {spacer for plate in found.plates for spacer in plate.spacers} < {*wanted}
    cut = sheets.sheet_size(sheets.plate_shapes(found.chips, Choices()))
    assert cut == plates.plates_sheet(len(found.chips))


@pytest.mark.parametrize("choices", KINDS)
def test_floor_can_be_lifted_with_all_wires_on_it(choices: Choices) -> None:
    _, holes, found = laid(NAMES[0], choices)
    far = heights.floor_gap(choices) + chain.SERVICE_LOOP
    cuts = {cut.start: cut.length for cut in chain.list_wires(holes, found, choices) if cut.what == "sensor"}
    assert len(cuts) == 127
    for chip in found.chips:
        for hole in filter(None, chip.inputs):
            length = cuts[f"sensor {hole.sensor} ({hole.space})"]
            assert hypot(dist(hole.spot, chip.at), far) + 10 <= length, "5 mm at each end are stripped"


def test_side_view_is_drawn_to_scale() -> None:
    drawn = (HARDWARE / "stack.svg").read_text("utf-8")
    boxes = [tuple(map(float, found)) for found in re.findall(
        r'<rect x="([-\d.]+)" y="([-\d.]+)" width="([\d.]+)" height="([\d.]+)"', drawn
    )]  # fmt: skip
    high = {round(box[3] / SCALE, 2) for box in boxes}
    assert {0.5, 1.6, 2.4, 3, 4, 9, 14, 15, 35} <= high, "print to spacer"
    tops = {round(box[1], 1) for box in boxes}
    spacer = next(box for box in boxes if box[3] == pytest.approx(35 * SCALE))
    floor = max(boxes, key=lambda box: box[1])
    assert (floor[1] - spacer[1]) / SCALE == pytest.approx(heights.floor_gap(Choices()))
    glass = next(box for box in boxes if box[3] == pytest.approx(14 * SCALE))
    assert round(spacer[1] + 0.5 * SCALE, 1) == round(glass[1], 1) in tops


def test_hall_switches_have_legs_and_lie_flat() -> None:
    sensor = to_buy(Choices(sensor="hall"))["sensor"]
    assert set(re.findall(r"DRV5032\w+", sensor.order)) == {"DRV5032AJLPG", "DRV5032FCLPG"}, "LPG is the TO-92 case"
    drawn = (HARDWARE / "sensors.svg").read_text("utf-8")
    case = [round(size * SCALE, 6) for size in (4.0, 1.52)]
    assert f'width="{case[0]:g}" height="{case[1]:g}"' in drawn, "broad face up"


def test_pico_is_wired_so_that_it_stays_dark_and_unfed() -> None:
    bought = to_buy(Choices())
    assert "47 kOhm" in bought["to measure the lamps' 5 V"].order
    assert "100 kOhm" in bought["from the lamps' data to ground"].order
    assert bought["its mains lead"].count == 1
    assert bought["for the bench with a laptop"].order.startswith("USB-A to micro USB data cable")
    # 4.4 V across the upper resistor, 0.6 V across the lower one.
    assert power.diode_ma() == pytest.approx(4.4 / 47 - 0.6 / 47)
    assert power.diode_ma(10) == pytest.approx(0.38)
    rows = {row[0]: row[1] for row in power.power_rows(COUNTED, Choices())}
    assert rows["into a Pico without USB, from the lamps' 5 V"] == "0.08 mA"
    page = wiring_page.PAGE.read_text("utf-8")
    assert "= 0.08 mA; with 10 kΩ it would be 0.38 mA" in page
    texts = {text for _, _, text in wiring_pictures.pico_wires()}
    assert {"to 74AHCT125; 100 kΩ to GND", "5 V of lamps: 47 kΩ; GND: 47 kΩ, 100 nF"} < texts
    assert "100 kΩ" in (HARDWARE / "lamps.svg").read_text("utf-8")


def test_computer_of_the_kit_can_drive_its_lamps() -> None:
    for choices, model in (
        (Choices(), "Zero 2"), (MODULES, "Zero 2"), (Choices(brain="pi"), "Pi 5"),
        (Choices(brain="pi", lamps="none"), "Zero 2"), (Choices(brain="pi", chips="modules"), "Zero 2"),
    ):  # fmt: skip
        assert model in to_buy(choices)["computer"].order, choices
        assert model in power.power_rows(COUNTED, choices)[0][0], choices
