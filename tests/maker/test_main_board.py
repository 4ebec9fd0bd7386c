"""The strip boards of the level shifter join what config.py and the chips' description join."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import pytest

from maker.drawings import main_board
from maker.drawings.canvas import NETS
from maker.drawings.hardware_facts import PICO_PINS, PICO_SPARE
from maker.drawings.kit_boards import drawn_by_hand
from maker.drawings.main_board import GROUND, OUTPUT, PICO, SHIFTER, SUPPLY, Hole, Link
from maker.kit import parts
from maker.kit.chipboard import GATE_PINS
from maker.kit.plates import MAIN_PLATE, SCREW_IN, SPACER
from tests.maker.copper import joined_by

PITCH, SAWN = 2.54, 1.0
"""Millimetres between two strips, and how far a strip board's edge may be off."""
Piece = tuple[int, int]
"""A piece of a strip: the strip, and how many cuts are left of it."""
GROUNDED = {"1OE", "2OE", "2A", "GND", "3OE", "3A", "4OE", "4A"}


class StripBoard(NamedTuple):
    """A strip board: the strips and holes, the cases by pin, the cuts, the links, and the wires that leave it."""

    size: tuple[int, int]
    cases: Mapping[str, Mapping[int, Hole]]
    cuts: Sequence[Hole]
    links: Sequence[Link]
    loose: Mapping[str, tuple[str, Hole]]


LINE = re.compile(r'points="([\d.]+),([\d.]+) ([\d.]+),([\d.]+)" fill="none" stroke="(#\w+)" stroke-width="3"')
TEXT = re.compile(r'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)" text-anchor="\w+" fill="[^>]*bold">([^<]+)<')


def level_shifter_alone() -> StripBoard:
    """Return the board of a level shifter alone, from its drawing."""
    drawn, nets = drawn_by_hand("shifter-board"), {colour: net for net, colour in NETS.items()}

    def hole(x: str, y: str | float) -> Hole:
        return round((float(y) - 70) / 40), round((float(x) - 172) / 40)

    texts = [(float(x), float(y) - 0.35 * int(size), text) for x, y, size, text in TEXT.findall(drawn)[1:]]
    loose, links = {}, list[Link]()
    for x1, y1, x2, y2, colour in [line for line in LINE.findall(drawn) if line[1] != "60"]:
        middle = ((float(x1) + float(x2)) / 2, (float(y1) + float(y2)) / 2)
        part = [text for x, y, text in texts if abs(x - middle[0]) + abs(y - middle[1]) < 0.1 and text != "×"]
        end = [text for x, y, text in texts if y1 == y2 and abs(y - float(y1)) < 0.1 and abs(x - float(x2)) < 7]
        if end:
            loose[end[0]] = (nets[colour], hole(x1, y1))
        else:
            links.append(Link(nets[colour], hole(x1, y1), hole(x2, y2), *part))
    pins = {pin: (pin, 6) if pin <= 7 else (15 - pin, 9) for pin in GATE_PINS.values()}
    assert [hole(*at) for at in re.findall(r'cx="([\d.]+)" cy="([\d.]+)" r="4"', drawn)] == [*pins.values()]
    cuts = [hole(str(x), y) for x, y, text in texts if text == "×"]
    return StripBoard(parts.SHIFTER_HOLES, {"74AHCT125": pins}, cuts, links, loose)


BOARDS = {
    "Pico": StripBoard(
        main_board.SIZE, main_board.CASES, main_board.CUTS, main_board.links(), main_board.loose_wires()
    ),
    "alone": level_shifter_alone(),
}


def used_holes(board: StripBoard) -> list[Hole]:
    """Return every hole with a cut, a pin, or the end of a part or wire."""
    holes = [*board.cuts, *(hole for pins in board.cases.values() for hole in pins.values())]
    holes += [hole for it in board.links for hole in (it.start, it.end)]
    return [*holes, *(hole for _, hole in board.loose.values())]


def joined(board: StripBoard) -> dict[Hole, Piece]:
    """Return hole -> a piece of copper that stands for everything joined with it by wires."""

    def piece(hole: Hole) -> Piece:
        strip, column = hole
        return (strip, sum(cut < column for other, cut in board.cuts if other == strip))

    pairs = [(piece(it.start), piece(it.end)) for it in board.links if not it.part]
    if "Pico" in board.cases:
        grounds = [PICO[pin] for pin, name in PICO_SPARE.items() if name in ("GND", "AGND")]
        pairs += [(piece(ground), piece((GROUND, 1))) for ground in grounds]  # joined inside the Pico
    root = joined_by(pairs)
    strips, columns = board.size
    holes = [(strip, column) for strip in range(1, strips + 1) for column in range(1, columns + 1)]
    return {hole: root(piece(hole)) for hole in holes}


def pins_by_net(board: StripBoard) -> dict[Piece, set[str]]:
    """Return which pins each piece of copper joins, without the Pico's grounds."""
    nets = joined(board)
    found: dict[Piece, set[str]] = {}
    for pin, hole in board.cases.get("Pico", {}).items():
        if PICO_SPARE.get(pin) not in ("GND", "AGND"):
            found.setdefault(nets[hole], set()).add(f"Pico {pin}")
    for name, pin in GATE_PINS.items():
        found.setdefault(nets[board.cases["74AHCT125"][pin]], set()).add(name)
    return found


def test_every_piece_of_copper_of_the_pico_joins_what_it_should() -> None:
    board = BOARDS["Pico"]
    nets, found = joined(board), pins_by_net(board)
    strip = f"Pico {PICO_PINS[parts.firmware_config()['STRIP_PIN']]}"
    assert found[nets[(GROUND, 1)]] == GROUNDED
    assert found[nets[(SUPPLY, 1)]] == {"VCC"}
    assert {strip, "1A"} in found.values()
    assert sum(len(pins) == 1 for pins in found.values()) == len(found) - 2
    assert nets[(OUTPUT, 1)] not in found


def test_parts_and_wires_that_leave_the_picos_board_meet_their_nets() -> None:
    nets, config = joined(BOARDS["Pico"]), parts.firmware_config()
    ground, supply, output = (nets[(strip, 1)] for strip in (GROUND, SUPPLY, OUTPUT))
    measured, strip = (nets[PICO[PICO_PINS[config[name]]]] for name in ("LAMP_SUPPLY_PIN", "STRIP_PIN"))
    assert two_legs(BOARDS["Pico"]) == {
        ("470 Ω", frozenset((output, nets[SHIFTER[GATE_PINS["1Y"]]]))): 1,
        ("100 nF", frozenset((supply, ground))): 1,
        ("100 nF", frozenset((measured, ground))): 1,
        ("100 kΩ", frozenset((strip, ground))): 1,
        ("47 kΩ", frozenset((supply, measured))): 1,
        ("47 kΩ", frozenset((ground, measured))): 1,
    }
    ribbon = {"DATA": "CHAIN_DATA", "LOAD": "CHAIN_LOAD", "CLK": "CHAIN_CLOCK", "RET": "CHAIN_UNUSED"}
    assert loose(BOARDS["Pico"]) == {
        **{name: nets[PICO[PICO_PINS[config[pin]]]] for name, pin in ribbon.items()},
        "GND": ground,
        "3V3": nets[PICO[36]],
        "5 V from the fuse": supply,
        "GND of supply and lamps": ground,
        "DATA to lamp 0": output,
    }


def two_legs(board: StripBoard) -> Counter[tuple[str, frozenset[Piece]]]:
    """Return each part with two legs, and what it connects."""
    nets = joined(board)
    return Counter((it.part, frozenset((nets[it.start], nets[it.end]))) for it in board.links if it.part)


def loose(board: StripBoard) -> dict[str, Piece]:
    """Return where each wire that leaves the board begins."""
    nets = joined(board)
    return {name: nets[hole] for name, (_, hole) in board.loose.items()}


def test_level_shifter_alone_joins_what_it_should() -> None:
    board = BOARDS["alone"]
    nets, found = joined(board), pins_by_net(board)
    at = {name: nets[board.cases["74AHCT125"][pin]] for name, pin in GATE_PINS.items()}
    assert found[at["GND"]] == GROUNDED
    assert all(len(pins) == 1 for net, pins in found.items() if net != at["GND"])
    ends = loose(board)
    output = ends.pop("DATA to lamp 0")
    assert output not in found
    assert ends == {
        "DATA from the Pi": at["1A"],
        "GND of the Pi": at["GND"],
        "5 V from the fuse": at["VCC"],
        "GND of supply and lamps": at["GND"],
    }
    assert two_legs(board) == {
        ("470 Ω", frozenset((output, at["1Y"]))): 1,
        ("100 nF", frozenset((at["VCC"], at["GND"]))): 1,
        ("100 kΩ", frozenset((at["1A"], at["GND"]))): 1,
    }


@pytest.mark.parametrize("name", BOARDS)
def test_no_hole_is_used_twice_and_all_are_on_the_board(name: str) -> None:
    board = BOARDS[name]
    holes = used_holes(board)
    assert [hole for hole, count in Counter(holes).items() if count > 1] == []
    strips, columns = board.size
    assert all(1 <= strip <= strips and 1 <= column <= columns for strip, column in holes)


@pytest.mark.parametrize("name", BOARDS)
def test_no_wire_lies_on_another(name: str) -> None:
    spans = sorted((it.start[1], *sorted((it.start[0], it.end[0]))) for it in BOARDS[name].links)
    assert [pair for pair in pairwise(spans) if pair[0][0] == pair[1][0] and pair[1][1] <= pair[0][2]] == []


def test_no_strip_in_use_touches_the_nuts_at_the_corners() -> None:
    board = BOARDS["Pico"]
    strips = board.size[0]
    edge = (MAIN_PLATE[1] - strips * PITCH) / 2
    free = [edge + PITCH * (min(strip, strips + 1 - strip) - 1) for strip, _ in used_holes(board)]
    assert min(free) > SCREW_IN + SPACER / 2 + SAWN, "a nut would join two strips"
