"""The chip board: its KiCad files, its gerbers, its schematic and its stripboard match the description."""

from __future__ import annotations

import io
import json
import re
import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest
from msgspec.structs import replace

from maker.drawings.chipboard import __main__ as command
from maker.drawings.chipboard.expressions import Node, lists, numbers, one, parse, words
from maker.drawings.chipboard.picture import SCREW_ROOM
from maker.kit import chipboard, sheets
from maker.kit.chain import Chip
from maker.kit.chipboard import BOARD, CHIP_PINS, ELEMENTS, FILES, GERBERS, INPUTS, RIBBON, SCHEMATIC
from maker.kit.choices import Choices
from maker.kit.plates import CHIP_PLATE
from tests.maker.copper import (
    STRIPS,
    Strips,
    copper,
    joined,
    joined_pins,
    pads,
    pins_by_net,
    read_strips,
    reference,
    too_near,
)

CHIP, GATE = read_strips("stripboard"), read_strips("stripboard-gates")

Nets = set[frozenset[tuple[str, str]]]
RULES = json.loads((FILES / "chipboard.kicad_pro").read_text("utf-8"))["board"]["design_settings"]["rules"]
CLEARANCE = RULES["min_clearance"]


@pytest.fixture(scope="module")
def board() -> Node:
    return parse((FILES / BOARD).read_text("utf-8"))


def wanted() -> Nets:
    return set(pins_by_net().values())


def dotted(pin: str) -> tuple[str, str]:
    name, _, number = pin.partition(".")
    return name, number


# --- the KiCad board --------------------------------------------------------------------------------------------


def test_pads_have_the_nets_of_the_description(board: Node) -> None:
    by_net: dict[str, set[tuple[str, str]]] = {}
    for pin, net in pads(board).items():
        by_net.setdefault(net, set()).add(pin)
    assert {net: pins for net, pins in by_net.items() if not net.startswith("unconnected-")} == pins_by_net()
    free = {pin for net, pins in by_net.items() if net.startswith("unconnected-") for pin in pins}
    assert free == {("U1", "7"), ("U2", "8"), ("U2", "11")}


def test_copper_connects_each_net_and_nothing_else(board: Node) -> None:
    pieces = list(copper(board))
    found = {frozenset(map(dotted, pins)) for pins in joined(pieces)}
    assert {pins for pins in found if len(pins) > 1} == wanted()
    assert too_near(pieces, CLEARANCE - 0.001) == []


def test_missing_track_and_short_circuit_are_found(board: Node) -> None:
    pieces = list(copper(board))
    track = next(piece for piece in pieces if piece.net == "SER" and piece.what.startswith("track"))
    rest = [piece for piece in pieces if piece is not track]
    assert {frozenset(map(dotted, pins)) for pins in joined(rest) if len(pins) > 1} != wanted()
    pad = next(piece for piece in pieces if piece.what == "U1.11" and piece.side == "F.Cu")
    bridge = type(pad)("F.Cu", "bridge", pad.shape.buffer(1.3), "bridge")
    assert len(too_near([*pieces, bridge], CLEARANCE)) >= 3


def test_board_fits_the_plate_of_the_kit(board: Node) -> None:
    edges = [numbers(one(line, end)) for line in lists(board, "gr_line") for end in ("start", "end")]
    left, top = min(x for x, _ in edges), min(y for _, y in edges)
    assert (max(x for x, _ in edges) - left, max(y for _, y in edges) - top) == CHIP_PLATE == (70, 50)
    plate = sheets.plate_shapes([Chip(0, (None,) * 8, (0.0, 0.0))], Choices())
    corner = next(it.at for it in plate if isinstance(it, sheets.Rectangle) and it.size == CHIP_PLATE)
    holes = [it for it in plate if isinstance(it, sheets.Circle) and it.at[1] > corner[1]]
    screws = [part for part in lists(board, "footprint") if reference(part).startswith("M")]
    found = {tuple(a - b for a, b in zip(numbers(one(part, "at")), (left, top), strict=True)) for part in screws}
    assert found == {(hole.at[0] - corner[0], hole.at[1] - corner[1]) for hole in holes}
    assert {numbers(one(one(part, "pad"), "drill"))[0] for part in screws} == {hole.across for hole in holes}


def test_sensors_ribbon_and_proof_are_wired_as_the_firmware_reads(board: Node) -> None:
    nets = pads(board)
    for number, letter in enumerate(INPUTS):  # bit n of a chip's byte is input n: QH gives H first
        assert nets[f"S{number}", "1"] == nets["U1", str(CHIP_PINS[letter])]
        assert (nets[f"S{number}", "2"], nets[f"S{number}", "3"]) == ("GND", "3V3")
    lines = {line: str(2 * row + 1) for row, line in enumerate(RIBBON)}
    assert nets["J1", lines["DATA"]] == nets["U1", str(CHIP_PINS["QH"])]
    assert nets["J2", lines["DATA"]] == nets["U1", str(CHIP_PINS["SER"])] == nets["R5", "1"]
    assert nets["U1", str(CHIP_PINS["CLK INH"])] == nets["R5", "2"] == "GND"
    assert {nets["W3", "1"], nets["W3", "2"]} == {nets["J1", lines["RET"]], nets["U1", str(CHIP_PINS["SER"])]}
    for line in ("RET", "3V3", "GND"):
        assert nets["J1", lines[line]] == nets["J2", lines[line]]
    for line, link, pin in (("CLK", "W1", "CLK"), ("LOAD", "W2", "SH/LD")):
        assert nets["J1", lines[line]] == nets[link, "1"]
        assert nets["J2", lines[line]] == nets[link, "2"] == nets["U1", str(CHIP_PINS[pin])]
    assert [nets["J1", str(pin)] for pin in range(1, 15, 2)] == [nets["J1", str(pin)] for pin in range(2, 15, 2)]


def test_reversed_plug_never_shorts_the_supply() -> None:
    turned = dict(zip(RIBBON, reversed(RIBBON), strict=True))
    assert (turned["3V3"], turned["GND"]) == ("3V3", "GND")
    for at, line in enumerate(RIBBON):
        neighbours = {RIBBON[other] for other in (at - 1, at + 1) if 0 <= other < len(RIBBON)}
        assert line in ("GND", "3V3") or neighbours & {"GND", "3V3"}, f"{line} is next to a supply line"


# --- generated files --------------------------------------------------------------------------------------------


def test_gerbers_belong_to_the_board() -> None:
    told = json.loads((FILES / command.MANIFEST).read_text("utf-8"))
    assert told == json.loads(command.manifest(told["kicad"])), "regenerate them: python -m maker.drawings.chipboard"
    with zipfile.ZipFile(io.BytesIO(chipboard.gerber_zip())) as packed:
        assert set(packed.namelist()) == told["gerbers"].keys()
        assert packed.testzip() is None
    assert chipboard.gerber_zip() == chipboard.gerber_zip()


def test_every_hole_of_the_board_is_drilled(board: Node) -> None:
    drilled: Counter[float] = Counter()
    for path in GERBERS.glob("*.drl"):
        text = path.read_text("ascii")
        assert text.rstrip().endswith("M30"), "the file is complete"
        tools = dict(re.findall(r"^(T\d+)C([\d.]+)$", text, re.MULTILINE))
        body = text.partition("\n%\n")[2]
        for tool, holes in re.findall(r"^(T\d+)\n((?:X.*\n)+)", body, re.MULTILINE):
            drilled[float(tools[tool])] += holes.count("\n")
    meant = Counter(numbers(one(pad, "drill"))[0] for part in lists(board, "footprint") for pad in lists(part, "pad"))
    meant.update(numbers(one(via, "drill"))[0] for via in lists(board, "via"))
    assert drilled == meant


def test_board_and_schematic_have_the_parts_of_the_description(board: Node) -> None:
    wanted_parts = {it.name: (f"chipboard:{it.kind}", it.value) for it in ELEMENTS}
    on_board = {reference(part): (str(part[1]), text(part, "value")) for part in lists(board, "footprint")}
    assert {name: found for name, found in on_board.items() if found[0] != "chipboard:SCREW"} == wanted_parts
    sheet = parse((FILES / SCHEMATIC).read_text("utf-8"))
    drawn = [{it[1]: it[2] for it in lists(symbol, "property")} for symbol in lists(sheet, "symbol")]
    found = {it["Reference"]: (it["Footprint"], it["Value"]) for it in drawn if it["Footprint"]}
    assert found == wanted_parts


def text(part: Node, kind: str) -> str:
    return next(str(it[2]) for it in lists(part, "fp_text") if it[1] == kind)


def test_schematic_pins_have_the_nets_of_the_description() -> None:
    sheet = parse((FILES / SCHEMATIC).read_text("utf-8"))
    drawn = {str(it[1]): it for it in lists(one(sheet, "lib_symbols"), "symbol")}
    labels = {tuple(numbers(one(label, "at"))[:2]): str(label[1]) for label in lists(sheet, "global_label")}
    found: dict[str, set[tuple[str, str]]] = {}
    for placed in lists(sheet, "symbol"):
        x, y = numbers(one(placed, "at"))[:2]
        name = next(str(it[2]) for it in lists(placed, "property") if it[1] == "Reference")
        for unit in lists(drawn[words(one(placed, "lib_id"))[0]], "symbol"):
            for pin in lists(unit, "pin"):
                dx, dy = numbers(one(pin, "at"))[:2]
                net = next((net for (a, b), net in labels.items() if abs(a - x - dx) + abs(b - y + dy) < 0.01), None)
                if net is not None and not name.startswith("#"):
                    found.setdefault(net, set()).add((name, words(one(pin, "number"))[0]))
    assert found == pins_by_net()


def test_expressions_are_read() -> None:
    assert parse(r'(a "say \"so\" \\ (or) not" (b 1.5 (c)) (d ""))') == [
        "a", r'say "so" \ (or) not', ["b", "1.5", ["c"]], ["d", ""],
    ]  # fmt: skip
    for broken in ("(a", "(a))", "a", ""):
        with pytest.raises(ValueError, match="bracket"):
            parse(broken)


def test_command_writes_the_zip_and_reports_missing_kicad(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["chipboard", "--zip", str(tmp_path / "it.zip")])
    assert command.main() == 0
    assert (tmp_path / "it.zip").read_bytes() == chipboard.gerber_zip()
    monkeypatch.setattr(command, "PYTHON", str(tmp_path / "no-python"))
    for words_, code in ((["--check"], 0), ([], 1)):
        monkeypatch.setattr(sys, "argv", ["chipboard", *words_])
        assert command.main() == code
        said = capsys.readouterr()
        assert "apt-get install --no-install-recommends kicad" in said.out + said.err


def test_every_error_of_a_rule_check_is_reported() -> None:
    well = "** Found 0 DRC violations **\n** Found 0 unconnected pads **\n** Found 0 Footprint errors **\n"
    assert command.complaints(well) == []
    assert command.complaints(well.replace("0 unconnected", "2 unconnected")) == ["2 unconnected pads"]
    assert command.complaints(well[:60]) == ["The report of the rule check is incomplete."]


# --- the strip boards -------------------------------------------------------------------------------------------


def on_strips(board: Strips) -> Nets:
    return {pins for pins in map(frozenset, joined_pins(board)) if len(pins) > 1}


def reduced(parts: set[str], unions: dict[str, str]) -> dict[str, set[tuple[str, str]]]:
    """Return the nets of the description with only these parts, some nets joined."""
    found: dict[str, set[tuple[str, str]]] = {}
    for net, pins in pins_by_net().items():
        found.setdefault(unions.get(net, net), set()).update(pin for pin in pins if pin[0] in parts)
    return {net: pins for net, pins in found.items() if len(pins) > 1}


def test_chip_strip_board_connects_the_nets_of_the_description() -> None:
    parts = {*CHIP.parts} - {"RNa", "RNb"}
    nets = reduced(parts | {"RN1"}, {"CLK_IN": "CLK", "LOAD_IN": "LOAD"})
    halves = {f"IN_{letter}": ("RNa" if letter in "ABCD" else "RNb") for letter in INPUTS}
    expected: Nets = set()
    for net, pins in nets.items():
        rest = {pin for pin in pins if pin[0] != "RN1"}
        if net == "3V3":
            rest |= {("RNa", "1"), ("RNb", "1")}
        expected.add(frozenset(rest | ({(halves[net], "")} if net in halves else set())))
    found = {
        frozenset((name, "" if name in ("RNa", "RNb") and pin != "1" else pin) for name, pin in pins)
        for pins in on_strips(CHIP)
    }
    assert found == expected


def test_gate_strip_board_connects_the_nets_of_the_description() -> None:
    nets = reduced({*GATE.parts}, {"SER": "DATA"})
    assert on_strips(GATE) == {frozenset(pins) for pins in nets.values()}


@pytest.mark.parametrize("board", [CHIP, GATE], ids=["chip", "gate"])
def test_strip_board_parts_do_not_share_or_cover_holes(board: Strips) -> None:
    pins = [hole for part in board.parts.values() for hole in part.values()]
    ends = [hole for _, *both in board.wires for hole in both]
    twice = [hole for hole, times in Counter([*pins, *ends, *board.cuts]).items() if times > 1]
    assert twice == []
    plugs = {hole for name in ("J1", "J2") for hole in board.parts[name].values()}
    for strip, column in {*pins, *ends} - plugs:
        assert 0 <= strip < STRIPS
        assert 3 < column < 20, "the plugs' boxes are 9 mm wide"
        x, y = 35 + 2.54 * (column - 11.5), 25 + 2.54 * (strip - 8.5)
        screws = [(a, b) for a in (5, CHIP_PLATE[0] - 5) for b in (5, CHIP_PLATE[1] - 5)]
        assert min((x - a) ** 2 + (y - b) ** 2 for a, b in screws) > SCREW_ROOM**2


def test_missing_cut_is_found() -> None:
    for cut in CHIP.cuts:
        forgotten = replace(CHIP, cuts=tuple(it for it in CHIP.cuts if it != cut))
        keeps_off_a_screw = cut in ((16, 5), (16, 17), (17, 3), (17, 18))
        assert keeps_off_a_screw or on_strips(forgotten) != on_strips(CHIP), cut


@pytest.mark.parametrize(("version", "checks"), [("9.0.2", True), ("8.0.0", True), ("7.0.11", False), ("", False)])
def test_only_kicad_8_and_newer_check_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, checks: bool
) -> None:
    program = tmp_path / "kicad-cli"
    program.write_text(f"#!/bin/sh\necho {version}\n", "utf-8")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    assert command.command_line() == (str(program) if checks else None)


def test_command_line_errors_are_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "kicad-cli"
    program.write_text('#!/bin/sh\necho "$1: clearance" > "$4"\ntest "$1" = sch\n', "utf-8")
    program.chmod(0o755)
    assert command._by_command(str(program), tmp_path) == ["kicad-cli finds fault with the board."]
    assert "pcb: clearance" in capsys.readouterr().out
