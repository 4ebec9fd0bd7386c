"""Layout of the Submarine Pens, in millimetres: x to the right, y down, from the top left corner.

`maker/mapping/drawing.py` turns this data into a coverage. The pens open like a fan, so nearly everything is placed by
its distance from the fan's centre, far above the board, and by its angle in degrees: 0 is straight down, positive is
to the right. A place on the open floor is drawn around its point.
"""

from __future__ import annotations

from math import ceil, cos, floor, radians, sin
from typing import Any

from maker.mapping.drawing import Door, EntryArrow, Ladder, Layout, Line, Place, Spot

CENTRE = (400, -330)
BEND = 4
"""Degrees: what curves is a chain of straight pieces, with a bend at every whole multiple of this."""

MEMBERS: dict[str, Any] = {
    "type": "FeatureCollection",
    "format": "board-map/1",
    "slug": "submarine-pens",
    "name": "Submarine Pens",
    "code": "SP",
    "size": [8410, 5940],
    "sectors": ["yellow", "red", "black", "white"],
    "suits": {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"},
    "licence": "CC-BY-4.0",
    "author": "The sniperboard authors",
}


def fan(away: float, angle: float) -> Spot:
    """Return the point at an angle on the chord between two bends; `away` is that of the bends from the centre."""
    bend = floor(angle / BEND) * BEND
    share = (angle - bend) / BEND
    (ax, ay), (bx, by) = _bend(away, bend), _bend(away, bend + BEND)
    return (round(ax + (bx - ax) * share, 3), round(ay + (by - ay) * share, 3))


def _bend(away: float, angle: float) -> Spot:
    return (CENTRE[0] + away * sin(radians(angle)), CENTRE[1] + away * cos(radians(angle)))


def arc(away: float, start: float, end: float) -> Line:
    """Return a curve from one angle to another."""
    low, high = sorted((start, end))
    bends = [angle for angle in range(floor(low / BEND) * BEND, ceil(high), BEND) if angle > low]
    return [fan(away, angle) for angle in (start, *(bends if start < end else bends[::-1]), end)]


def block(near: float, far: float, left: float, right: float) -> Line:
    """Return a piece of the fan, between two distances and two angles."""
    return [*arc(near, left, right), *arc(far, right, left)]


def ray(near: float, far: float, angle: float) -> Line:
    """Return a straight line away from the centre."""
    return [fan(near, angle), fan(far, angle)]


def strip(near: Spot, far: Spot, width: float) -> Line:
    """Return a straight band of one width around a centre line."""
    (ax, ay), (bx, by) = near, far
    length = ((bx - ax) ** 2 + (by - ay) ** 2) ** 0.5
    sx, sy = (ay - by) / length * width / 2, (bx - ax) / length * width / 2
    return [(ax - sx, ay - sy), (bx - sx, by - sy), (bx + sx, by + sy), (ax + sx, ay + sy)]


SHAPES: dict[str, tuple[Line, list[Line]]] = {
    # walkways
    "spine": (
        block(640, 677, -29, 33),
        [ray(630, 690, angle) for angle in (-22.5, -16.5, -11.5, -4.7, 2.3, 6.4, 13.9, 21.3, 27.2)],
    ),
    "west catwalk": (block(677, 880, -9.6, -6.5), [arc(752, -10, -6), arc(829, -10, -6)]),
    "east catwalk": (block(677, 882, 7.8, 10.9), [arc(743, 7, 12), arc(828, 7, 12)]),
    "crane bridge": (
        [fan(640, 9.4), fan(640, 12), fan(640, 12.7), fan(405, 13.6), fan(405, 12), fan(405, 8.2)],
        [arc(478, 8, 15), arc(562, 8, 14)],
    ),
    "boat": (
        [
            fan(735, 1.2),
            fan(735, 4),
            fan(735, 4.2),
            fan(885, 4.2),
            fan(918, 2.7),
            fan(885, 1.3),
            fan(848, 0.9),
            fan(795, 0.9),
        ],
        [arc(782, -1, 5), arc(851, -1, 5)],
    ),
    "gangway": (block(801, 837, -2.8, 0.9), []),
    # the transverse track
    "track west": (
        [*arc(575, -48, 9.166), fan(640, 9.4), *arc(640, 9.4, -48)[1:]],
        [ray(560, 650, angle) for angle in (-34.5, -24.3, -18.6, -9.3, 0.3)],
    ),
    "track east": (
        [fan(575, 12.875), *arc(575, 12.875, 52)[1:], *arc(640, 52, 12.7)],
        [ray(560, 650, angle) for angle in (19.3, 28.6, 38.5)],
    ),
    # yellow rooms
    "torpedo works": (
        block(420, 575, -26, -13),
        [arc(500, -27, -12), ray(410, 500, -19), ray(500, 580, -22), ray(500, 580, -17)],
    ),
    "riggers' loft": (block(677, 717, -17.6, -9.6), [ray(670, 720, -13.2)]),
    "pump house": (
        [*arc(735, -40, -24.3), fan(880, -24.3), fan(880, -30)],
        [arc(795, -40, -24), ray(730, 795, -28.5)],
    ),
    # red rooms
    "headquarters": (
        [(350, -5), (452, -5), (455, 58), (442, 112), (340, 108)],
        [[(330, 54), (470, 56)], [(402, -10), (400, 55)]],
    ),
    "signals": (
        [fan(575, 12.875), *arc(575, 12.875, 23)[1:], fan(430, 25), fan(430, 13.458)],
        [arc(494, 12, 26), ray(420, 494, 19.3), ray(494, 580, 17.6)],
    ),
    # black rooms
    "diesel shop": (
        block(470, 575, 30, 42),
        [arc(525, 29, 43), ray(460, 525, 34.8), ray(525, 580, 37)],
    ),
    "armoury": (block(677, 722, 10.9, 22.6), [ray(670, 730, 15), ray(670, 730, 18.2)]),
    "divers": (
        [*arc(748, 26.5, 42), fan(875, 34), fan(875, 26.5)],
        [arc(812, 26, 40), ray(740, 812, 29.7)],
    ),
    # pens
    "pen one": (
        block(765, 990, -20, -13.6),
        [arc(812, -21, -17.2), arc(812, -16.8, -13), arc(878, -21, -13), arc(918, -21, -13)],
    ),
    "floating crane": (strip(fan(795, -17.6), fan(830, -16.4), 34), []),
    "pen two": (block(735, 945, -2.8, 4.2), []),
    "pen three": (
        block(768, 990, 14.9, 21.4),
        [arc(794, 14, 18.2), arc(794, 18.4, 22), arc(850, 14, 22), arc(902, 14, 22), ray(850, 902, 18)],
    ),
    "wreck": (strip(fan(782, 18.6), fan(835, 17.6), 34), []),
    # obstructions on the floor
    "stacked torpedoes": (strip(fan(500, -9.2), fan(508, -1.2), 26), []),
    "locomotive": (block(547, 575, -37, -30.5), []),
    "west pillar": (strip(fan(700, -27), fan(722, -27), 22), []),
    "east pillar": (strip(fan(700, 31), fan(722, 31), 22), []),
}
"""Outline of each solid shape, and the walls and cuts inside it."""

PLACES: list[Place] = [
    # yellow: the torpedo works and pen one, in the west
    Place("Y1", fan(460, -22), "Warheads", "torpedo works"),
    Place("Y2", fan(460, -16), "Gyroscopes", "torpedo works"),
    Place("Y3", fan(540, -24), "Air Flasks", "torpedo works"),
    Place("Y4", fan(540, -19), "Firing Bench", "torpedo works", objective=1),
    Place("Y5", fan(540, -15), "Balance Room", "torpedo works"),
    Place("Y6", fan(605, -37), "Buffer Stop"),
    Place("Y7", fan(605, -29), "Weighbridge"),
    Place("Y8", fan(605, -21), "Flat Wagons", start="soldier"),
    Place("Y9", fan(605, -13), "Switch Stand"),
    Place("Y10", fan(660, -33.5), "West Door"),
    Place("Y11", fan(658, -26), "West Stair", raised=True),
    Place("Y12", fan(658, -19), "Lamp Gantry", raised=True),
    Place("Y13", fan(658, -14), "Loft Landing", raised=True),
    Place("Y14", fan(712, -30.5), "Sandbags"),
    Place("Y15", fan(708, -24), "Guard Post"),
    Place("Y16", fan(722, -19.5), "Slip Head", start="officer"),
    Place("Y17", fan(700, -15), "Winch Room", "riggers' loft", objective=2),
    Place("Y18", fan(700, -11), "Rope Locker", "riggers' loft"),
    Place("Y19", fan(710, -8), "Chain Hoist", raised=True),
    Place("Y20", fan(760, -30), "Valve Gallery", "pump house"),
    Place("Y21", fan(760, -26), "Switchboard", "pump house"),
    Place("Y22", fan(744, -14.5), "Capstan"),
    Place("Y23", fan(780, -8), "Steam Pipes", raised=True),
    Place("Y24", fan(830, -26), "Main Pumps", "pump house", objective=3),
    Place("Y25", fan(800, -22), "West Quay", start="soldier"),
    Place("Y26", fan(828, -11.5), "Crane Quay"),
    Place("Y27", fan(862, -22), "Sluice"),
    Place("Y28", fan(898, -17), "Caisson Gate"),
    Place("Y29", fan(860, -11.6), "Fenders"),
    Place("Y30", fan(850, -8), "Lookout", raised=True),
    Place("Y31", (15, 532), "Silt Bank", difficult=True),
    Place("Y32", fan(934, -21.4), "Flooded Steps", difficult=True),
    # red: headquarters, the hall and the middle of the spine, with the culverts under it
    Place("R1", (322, 58), "Officers' Way"),
    Place("R2", (375, 30), "Cipher Safe", "headquarters", objective=4),
    Place("R3", (425, 30), "Flotilla Office", "headquarters"),
    Place("R4", (390, 80), "Plotting Room", "headquarters"),
    Place("R5", (478, 28), "Ventilators"),
    Place("R6", (530, 48), "Compressors"),
    Place("R7", (600, 28), "North Door"),
    Place("R8", (308, 130), "Lathes"),
    Place("R9", (368, 142), "Torpedo Cradle"),
    Place("R10", (440, 142), "Foreman's Desk", start="officer"),
    Place("R11", fan(450, 11), "Hook Walk", raised=True),
    Place("R12", fan(460, 16), "Relay Racks", "signals"),
    Place("R13", fan(460, 22), "Wireless Room", "signals"),
    Place("R14", (610, 92), "Paint Drums"),
    Place("R15", (303, 217), "Cable Trench", difficult=True),
    Place("R16", (382, 210), "Assembly Floor"),
    Place("R17", (460, 200), "Under the Hook"),
    Place("R18", fan(520, 11), "Crane Cabin", raised=True, objective=5),
    Place("R19", fan(540, 15), "Batteries", "signals"),
    Place("R20", fan(540, 20), "Hydrophones", "signals"),
    Place("R21", (646, 152), "Muster Point", start="soldier"),
    Place("R22", fan(605, -5), "Traverser", start="soldier"),
    Place("R23", fan(605, 4), "Slip Winch"),
    Place("R24", fan(600, 11), "Crane Landing", raised=True),
    Place("R25", fan(605, 17), "Cross Track"),
    Place("R26", fan(605, 25), "Bogie Stand"),
    Place("R27", fan(658, -8), "Telephone", raised=True),
    Place("R28", fan(658, -2.6), "West Culvert", "west culvert", under=[ray(630, 690, -4.2), ray(630, 690, -0.9)]),
    Place("R29", fan(658, 0.7), "Clock", raised=True, spot=fan(658.5, 0.7)),
    Place("R30", fan(658, 5), "Loudspeakers", raised=True),
    Place("R31", fan(658, 10), "The Crossing", raised=True),
    Place("R32", fan(658, 16.6), "East Culvert", "east culvert", under=[ray(630, 690, 15), ray(630, 690, 18.2)]),
    Place("R33", fan(658, 19.7), "Searchlight", raised=True, spot=fan(658.5, 19.8)),
    # black: the diesel shop and pen three, in the east
    Place("K1", (680, 18), "Cable Drums"),
    Place("K2", (728, 8), "Ash Heap", difficult=True),
    Place("K3", (780, 45), "Bunker Stairs"),
    Place("K4", fan(500, 33), "Injectors", "diesel shop"),
    Place("K5", fan(500, 39), "Crankshafts", "diesel shop"),
    Place("K6", fan(550, 32), "Test Engine", "diesel shop", objective=6),
    Place("K7", fan(550, 38), "Fuel Tank", "diesel shop"),
    Place("K8", fan(605, 33), "Fuel Wagons", start="soldier"),
    Place("K9", fan(610, 42), "East Rails"),
    Place("K10", fan(658, 24), "Air Ducts", raised=True),
    Place("K11", fan(658, 30), "East Stair", raised=True),
    Place("K12", fan(655, 37), "East Door"),
    Place("K13", fan(700, 9.3), "Arms Landing", raised=True),
    Place("K14", fan(700, 12.5), "Small Arms", "armoury"),
    Place("K15", fan(700, 16), "Mine Store", "armoury", objective=8),
    Place("K16", fan(700, 19), "Shell Hoist", "armoury"),
    Place("K17", fan(708, 23.6), "Duty Desk", start="officer"),
    Place("K18", fan(715, 27.2), "First Aid"),
    Place("K19", fan(712, 34), "Alarm Bell"),
    Place("K20", fan(770, 9.3), "Broken Rail", raised=True),
    Place("K21", fan(784, 13), "Tool Carts"),
    Place("K22", fan(742, 13.6), "Oil Drums"),
    Place("K23", fan(745, 19.2), "Davits"),
    Place("K24", fan(785, 23.5), "Bollards", start="soldier"),
    Place("K25", fan(780, 28), "Air Pumps", "divers"),
    Place("K26", fan(780, 33), "Pressure Chamber", "divers", objective=7),
    Place("K27", fan(850, 9.3), "Signal Lamp", raised=True),
    Place("K28", fan(830, 13), "Cracked Quay"),
    Place("K29", fan(840, 29), "Drying Room", "divers"),
    Place("K30", fan(900, 11), "Crane Rails"),
    Place("K31", fan(880, 16.5), "Fallen Roof", difficult=True),
    Place("K32", fan(880, 20), "Bomb Hole", difficult=True),
    Place("K33", fan(868, 23.5), "East Quay"),
    Place("K34", (812, 462), "Rubble", difficult=True),
    Place("K35", fan(915, 23.2), "The Breach"),
    Place("K36", (834, 530), "Crater", difficult=True),
    # white: the rail gate, and pen two with the boat
    Place("W1", (42, 24), "Rail Gate"),
    Place("W2", (106, 26), "Platform"),
    Place("W3", (180, 34), "Points"),
    Place("W4", (265, 28), "Loading Ramp"),
    Place("W5", (52, 86), "Scrap Iron", difficult=True),
    Place("W6", (116, 90), "Siding"),
    Place("W7", (178, 104), "Water Crane"),
    Place("W8", fan(706, -3.2), "Lifebuoys"),
    Place("W9", fan(706, 3.2), "Mooring Rings"),
    Place("W10", fan(785, -4.7), "Provisions"),
    Place("W11", fan(760, 3), "Torpedo Hatch", raised=True, objective=9),
    Place("W12", fan(770, 6), "Tangled Hoses", difficult=True),
    Place("W13", fan(842, -4.7), "Gangway Foot"),
    Place("W14", fan(825, -1), "Gangway", raised=True),
    Place("W15", fan(820, 3), "Conning Tower", raised=True),
    Place("W16", fan(822, 6), "Battery Carts"),
    Place("W17", fan(890, -4), "Harbour Mouth"),
    Place("W18", fan(870, 3), "Deck Gun", raised=True),
    Place("W19", fan(906, -10.2), "Flak Nest"),
    Place("W20", fan(910, 5.5), "Periscope Crate"),
    # water
    Place("~1", fan(780, -15), "Crane Berth"),
    Place("~2", fan(770, -1), "Pen Two"),
    Place("~3", fan(780, 16), "Pen Three"),
    Place("~4", fan(840, -19), "Pen One"),
    Place("~5", fan(830, 16), "Oily Water"),
    Place("~6", fan(880, -1), "Boat Channel"),
    Place("~7", fan(935, -17), "Outer Harbour"),
    Place("~8", fan(925, 18), "Breached Pen"),
    # obstructions
    Place("#1", fan(560, -34), "Locomotive"),
    Place("#2", fan(504, -3), "Stacked Torpedoes"),
    Place("#3", fan(711, -27), "West Pillar"),
    Place("#4", fan(711, 31), "East Pillar"),
    Place("#5", fan(812, -17), "Floating Crane"),
    Place("#6", fan(810, 18.1), "Wreck"),
]

ACCESSES: list[Door | Ladder] = [
    Door("Y1", "W7"),
    Door("Y2", "R8"),
    Door("Y5", "Y9"),
    Door("Y17", "Y16"),
    Door("Y18", "Y22"),
    Door("Y21", "Y15"),
    Door("Y24", "Y27"),
    Door("R2", "R1"),
    Door("R3", "R5"),
    Door("R4", "R9"),
    Door("R13", "R14"),
    Door("R19", "R25"),
    Door("R28", "R22"),
    Door("R28", "W8"),
    Door("R32", "R25"),
    Door("R32", "K15"),
    Door("K5", "K2"),
    Door("K6", "K8"),
    Door("K14", "K22"),
    Door("K16", "K23"),
    Door("K25", "K18"),
    Door("K26", "K19"),
    Ladder("Y11", "Y10"),
    Ladder("Y13", "Y9"),
    Ladder("Y13", "Y17"),
    Ladder("Y30", "W19"),
    Ladder("R11", "R5"),
    Ladder("R24", "R23"),
    Ladder("R24", "R25"),
    Ladder("K11", "K12"),
    Ladder("K13", "W9"),
    Ladder("K13", "K14"),
    Ladder("K27", "K30"),
    Ladder("W11", "W9"),
    Ladder("W14", "W13"),
    Ladder("W18", "W20"),
]

ENTRIES: list[EntryArrow] = [
    EntryArrow("Y10", (0, 235)),
    EntryArrow("R7", (620, 0)),
    EntryArrow("K35", (765, 594)),
    EntryArrow("W17", (335, 594)),
]

LAYOUT = Layout(MEMBERS, PLACES, SHAPES, ACCESSES, ENTRIES)
