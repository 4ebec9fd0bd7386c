"""The strip board of Pico and level shifter joins what config.py and the chips' description join."""

from __future__ import annotations

from collections import Counter

from maker.drawings import main_board
from maker.drawings.hardware_facts import PICO_PINS, PICO_SPARE
from maker.drawings.main_board import COLUMNS, CUTS, GROUND, OUTPUT, PICO, SHIFTER, STRIPS, SUPPLY, Hole
from maker.kit import parts
from maker.kit.chipboard import GATE_PINS

Piece = tuple[int, int]
"""A piece of a strip: the strip, and how many cuts are left of it."""


def piece(hole: Hole) -> Piece:
    strip, column = hole
    return (strip, sum(cut < column for other, cut in CUTS if other == strip))


def joined() -> dict[Piece, Piece]:
    """Return piece -> one that stands for everything joined with it by wires."""
    stands: dict[Piece, Piece] = {}

    def root(one: Piece) -> Piece:
        while stands.get(one, one) != one:
            one = stands[one]
        return one

    for it in main_board.board_links():
        if not it.part:
            stands[root(piece(it.start))] = root(piece(it.end))
    grounds = [piece(PICO[pin]) for pin, name in PICO_SPARE.items() if name in ("GND", "AGND")]
    for ground in grounds:  # joined inside the Pico
        stands[root(ground)] = root((GROUND, 0))
    pieces = [piece((strip, column)) for strip in range(1, STRIPS + 1) for column in range(1, COLUMNS + 1)]
    return {one: root(one) for one in pieces}


def test_every_piece_of_copper_joins_what_it_should() -> None:
    nets = joined()
    config = parts.firmware_config()
    found: dict[Piece, set[str]] = {}
    for pin, hole in PICO.items():
        if PICO_SPARE.get(pin) not in ("GND", "AGND"):
            found.setdefault(nets[piece(hole)], set()).add(f"Pico {pin}")
    for name, pin in GATE_PINS.items():
        found.setdefault(nets[piece(SHIFTER[pin])], set()).add(name)
    strip = f"Pico {PICO_PINS[config['STRIP_PIN']]}"
    assert found[nets[(GROUND, 0)]] == {"1OE", "2OE", "2A", "GND", "3OE", "3A", "4OE", "4A"}
    assert found[nets[(SUPPLY, 0)]] == {"VCC"}
    assert {strip, "1A"} in found.values()
    assert sum(len(pins) == 1 for pins in found.values()) == len(found) - 2
    assert nets[(OUTPUT, 0)] not in found


def test_parts_and_wires_that_leave_meet_their_nets() -> None:
    nets, config = joined(), parts.firmware_config()

    def net(hole: Hole) -> Piece:
        return nets[piece(hole)]

    ground, supply, output = (nets[(strip, 0)] for strip in (GROUND, SUPPLY, OUTPUT))
    measured, strip = (net(PICO[PICO_PINS[config[name]]]) for name in ("LAMP_SUPPLY_PIN", "STRIP_PIN"))
    found = Counter((it.part, frozenset((net(it.start), net(it.end)))) for it in main_board.board_links() if it.part)
    assert found == {
        ("470 Ω", frozenset((output, net(SHIFTER[GATE_PINS["1Y"]])))): 1,
        ("100 nF", frozenset((supply, ground))): 1,
        ("100 nF", frozenset((measured, ground))): 1,
        ("100 kΩ", frozenset((strip, ground))): 1,
        ("47 kΩ", frozenset((supply, measured))): 1,
        ("47 kΩ", frozenset((ground, measured))): 1,
    }
    ends = {name: net(hole) for name, (_, hole) in main_board.loose_wires().items()}
    ribbon = {"DATA": "CHAIN_DATA", "LOAD": "CHAIN_LOAD", "CLK": "CHAIN_CLOCK", "RET": "CHAIN_UNUSED"}
    assert ends == {
        **{name: net(PICO[PICO_PINS[config[pin]]]) for name, pin in ribbon.items()},
        "GND": ground,
        "3V3": net(PICO[36]),
        "5 V from the fuse": supply,
        "GND of supply and lamps": ground,
        "DATA to lamp 0": output,
    }


def test_no_hole_is_used_twice_and_none_is_cut_or_under_a_screw() -> None:
    holes = [*PICO.values(), *SHIFTER.values(), *CUTS]
    holes += [hole for it in main_board.board_links() for hole in (it.start, it.end)]
    holes += [hole for _, hole in main_board.loose_wires().values()]
    assert [hole for hole, count in Counter(holes).items() if count > 1] == []
    assert all(1 <= strip <= STRIPS and 1 <= column <= COLUMNS for strip, column in holes)
    assert not [
        hole for hole in holes if min(hole[0], STRIPS + 1 - hole[0]) < 4 and min(hole[1], COLUMNS + 1 - hole[1]) < 4
    ]
