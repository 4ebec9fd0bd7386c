"""What stands where on the Launch Facility, in millimetres: x to the right, y down, from the top left corner.

Only facts of the drawing; how they become a coverage is `draw.py`. Shapes and walls keep to whole millimetres,
most to a grid of 5; walls and cuts may overshoot, only what lies inside their shape is drawn. A place on open ground is
drawn around its point: move the point and the ground between it and its neighbours moves with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

Spot = tuple[float, float]
Line = list[Spot]

SECTORS = {"Y": "yellow", "R": "red", "K": "black", "W": "white"}


@dataclass(frozen=True)
class Place:
    """A space, by any point inside it; its sector is the first letter of its id, and `~` is water."""

    id: str
    at: Spot
    name: str = ""
    area: str = ""
    difficult: bool = False
    objective: int = 0
    start: str = ""

    def properties(self) -> dict[str, Any]:
        """The members that the map format gives a space, those that say something."""
        kind = "water" if self.id.startswith("~") else "enclosed" if self.area else "open"
        said = {"id": self.id, "kind": kind, "sector": SECTORS.get(self.id[0])}
        said |= {"area": self.area, "difficult": self.difficult, "objective": self.objective}
        said |= {"start": self.start, "name": self.name}
        return {key: value for key, value in said.items() if value}


@dataclass(frozen=True)
class Door:
    """A door in the wall between two places."""

    inside: str
    outside: str


@dataclass(frozen=True)
class Entry:
    """An arrow on the rim and the place that it leads into."""

    into: str
    at: Spot


MEMBERS: dict[str, Any] = {
    "type": "FeatureCollection",
    "format": "board-map/1",
    "slug": "launch-facility",
    "name": "Launch Facility",
    "code": "LF",
    "size": [8410, 5940],
    "sectors": ["yellow", "red", "black", "white"],
    "suits": {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"},
    "licence": "CC-BY-4.0",
    "author": "The sniperboard authors",
}

ROADS: list[tuple[Line, float]] = [
    ([(-10, 313), (300, 282), (400, 280), (470, 290), (560, 290), (851, 290)], 52),
    ([(270, -10), (285, 90), (330, 190), (360, 285)], 50),
    ([(360, 285), (365, 380), (400, 470), (400, 604)], 50),
    ([(380, 435), (450, 453), (546, 453)], 50),
]
"""Middle line and width of each road; bends are cut to curves."""

ROAD_CUTS: list[Line] = [
    # the main road, from west to east
    [(125, 260), (130, 350)],
    [(193, 250), (200, 340)],
    [(300, 240), (305, 320)],
    [(415, 250), (410, 320)],
    [(525, 250), (525, 330)],
    [(644, 260), (644, 320)],
    [(762, 260), (762, 320)],
    # the north road, from the gate to the crossroads
    [(240, 80), (320, 65)],
    [(270, 160), (360, 130)],
    [(310, 252), (400, 235)],
    # the south road
    [(325, 325), (400, 322)],
    [(335, 390), (405, 378)],
    [(355, 486), (430, 486)],
    [(360, 556), (430, 556)],
    # the harbour road
    [(434, 415), (426, 490)],
]

SHAPES: dict[str, tuple[Line, list[Line]]] = {
    "radio station": (
        [(0, 165), (285, 135), (315, 210), (0, 240)],
        [
            [(-5, 203), (310, 171)],
            [(95, 140), (100, 193)],
            [(190, 140), (195, 184)],
            [(130, 185), (135, 240)],
            [(222, 175), (230, 230)],
        ],
    ),
    "fire station": ([(105, 230), (210, 220), (215, 268), (110, 278)], []),
    "forester's hut": ([(115, 60), (160, 50), (170, 95), (125, 105)], []),
    "barracks": (
        [(0, 335), (250, 310), (260, 390), (0, 415)],
        [[(-5, 376), (270, 349)], [(90, 320), (95, 367)], [(170, 310), (175, 359)], [(130, 358), (135, 420)]],
    ),
    "stores": ([(130, 480), (205, 470), (210, 515), (140, 525)], []),
    "mess hall": ([(295, 345), (340, 340), (380, 502), (330, 507)], [[(290, 425), (375, 415)]]),
    "motor pool": (
        [(255, 543), (375, 543), (375, 594), (255, 594)],
        [[(315, 500), (315, 600)]],
    ),
    "workshops": (
        [(300, 45), (385, 35), (415, 140), (430, 195), (345, 205)],
        [[(342, 30), (388, 210)], [(350, 110), (420, 102)]],
    ),
    "power house": (
        [(345, 205), (430, 195), (430, 185), (490, 185), (490, 266), (370, 266)],
        [[(370, 266), (417, 190)]],
    ),
    "assembly hall": (
        [(490, 185), (695, 185), (695, 266), (490, 266)],
        [
            [(480, 226), (740, 226)],
            [(625, 180), (625, 226)],
            [(540, 226), (540, 270)],
            [(610, 226), (610, 270)],
        ],
    ),
    "blockhouse": ([(415, 140), (490, 130), (545, 185), (430, 185), (430, 195)], [[(470, 125), (475, 190)]]),
    "oxidiser store": ([(400, 0), (480, 0), (480, 43), (400, 43)], [[(440, -5), (440, 50)]]),
    "launch pad": (
        [(490, 70), (545, 15), (605, 15), (660, 70), (660, 130), (605, 185), (545, 185), (490, 130)],
        [
            [(535, 100), (555, 65), (595, 65), (615, 100), (595, 135), (555, 135), (535, 100)],
            [(535, 100), (490, 100)],
            [(555, 65), (525, 35)],
            [(595, 65), (625, 35)],
            [(615, 100), (660, 100)],
            [(595, 135), (625, 165)],
            [(555, 135), (525, 165)],
        ],
    ),
    "rocket shed": ([(700, 50), (745, 45), (755, 140), (710, 145)], []),
    "fuel bunker": ([(737, 185), (841, 185), (841, 266), (737, 266)], [[(730, 226), (850, 226)]]),
    "chapel": ([(388, 305), (435, 305), (440, 390), (390, 395)], [[(370, 351), (450, 347)]]),
    "harbour office": ([(500, 316), (546, 316), (546, 430), (500, 430)], [[(490, 373), (560, 373)]]),
    "coal wagon": ([(546, 316), (625, 316), (625, 356), (546, 356)], []),
    "mail van": ([(663, 316), (743, 316), (743, 356), (663, 356)], []),
    "ammunition wagon": ([(781, 316), (841, 316), (841, 356), (781, 356)], []),
    "north quay": ([(680, 356), (841, 356), (841, 420), (680, 420)], [[(760, 350), (760, 425)]]),
    "west quay": ([(546, 450), (590, 450), (590, 594), (546, 594)], [[(530, 535), (600, 535)]]),
    "warehouse": (
        [(420, 470), (546, 470), (546, 594), (420, 594)],
        [[(483, 465), (483, 600)], [(410, 535), (483, 535)]],
    ),
    "basin": (
        [(590, 420), (841, 420), (841, 594), (775, 594), (775, 518), (590, 518)],
        [[(720, 460), (730, 530)], [(775, 518), (841, 510)]],
    ),
    "submarine": (
        [(605, 430), (620, 420), (787, 420), (822, 441), (787, 462), (620, 462), (605, 452)],
        [[(652, 415), (652, 470)], [(700, 415), (700, 470)], [(740, 415), (740, 470)]],
    ),
    "boat store": ([(640, 518), (705, 518), (705, 556), (640, 556)], []),
}
"""Outline of each solid shape, and the walls and cuts inside it."""

PLACES: list[Place] = [
    # yellow: camp and radio station
    Place("Y1", (50, 180), "Teleprinters", "radio station"),
    Place("Y2", (150, 165), "Transmitter", "radio station"),
    Place("Y3", (250, 155), "Battery Room", "radio station"),
    Place("Y4", (70, 215), "Duty Room", "radio station"),
    Place("Y5", (185, 205), "Cipher Room", "radio station", objective=1),
    Place("Y6", (270, 190), "Exchange", "radio station"),
    Place("Y7", (50, 262), "Aerial Mast"),
    Place("Y8", (160, 250), "Fire Station", "fire station"),
    Place("Y9", (255, 237), "Bicycle Stand"),
    Place("Y10", (40, 310), "West Gate"),
    Place("Y11", (140, 300), "Camp Road", start="soldier"),
    Place("Y12", (245, 290), "Signpost"),
    Place("Y13", (50, 350), "First Platoon", "barracks"),
    Place("Y14", (130, 345), "Guardroom", "barracks"),
    Place("Y15", (220, 335), "Second Platoon", "barracks"),
    Place("Y16", (276, 337), "Bakery Lane", start="officer"),
    Place("Y17", (70, 390), "Infirmary", "barracks"),
    Place("Y18", (200, 375), "Washroom", "barracks"),
    Place("Y19", (52, 449), "Parade Ground"),
    Place("Y20", (162, 441), "Flagpole"),
    Place("Y21", (226, 439), "Pump"),
    Place("Y22", (289, 424), "Kitchen Yard"),
    Place("Y23", (320, 370), "Mess Hall", "mess hall"),
    Place("Y24", (32, 502), "Rubbish Pit", difficult=True),
    Place("Y25", (94, 509), "Drill Square"),
    Place("Y26", (170, 500), "Coal Shed", "stores"),
    Place("Y27", (295, 498), "Motor Yard", start="soldier"),
    Place("Y28", (340, 440), "Kitchen", "mess hall"),
    Place("Y29", (40, 563), "Broken Fence"),
    Place("Y30", (130, 568), "Nettles", difficult=True),
    Place("Y31", (199, 565), "Scrap Yard"),
    Place("Y32", (285, 570), "Motorcycles", "motor pool"),
    Place("Y33", (345, 570), "Repair Bay", "motor pool", objective=2),
    Place("Y34", (395, 520), "Fuel Pumps"),
    Place("Y35", (395, 570), "South Gate"),
    # red: launch site and works
    Place("R1", (275, 40), "North Gate"),
    Place("R2", (368, 9), "Gatekeeper"),
    Place("R3", (420, 20), "Oxygen Tank", "oxidiser store"),
    Place("R4", (460, 20), "Alcohol Tank", "oxidiser store", objective=4),
    Place("R5", (500, 15), "Sandbags"),
    Place("R6", (575, 40), "Gantry"),
    Place("R7", (663, 29), "Blast Wall"),
    Place("R8", (747, 24), "Lookout"),
    Place("R9", (819, 36), "Crash Site", difficult=True),
    Place("R10", (325, 85), "Lathe Shop", "workshops"),
    Place("R11", (434, 59), "Pipe Bridge", start="soldier"),
    Place("R12", (459, 70), "Frost Pipes"),
    Place("R13", (510, 80), "Hose Reels"),
    Place("R14", (640, 80), "Floodlights"),
    Place("R15", (766, 95), "Debris", difficult=True),
    Place("R16", (298, 120), "Pine Road"),
    Place("R17", (375, 75), "Gyro Shop", "workshops"),
    Place("R18", (575, 100), "Rocket Tower", "rocket tower", objective=5),
    Place("R19", (725, 70), "Rocket Shed", "rocket shed"),
    Place("R20", (819, 94), "Tail Fins", difficult=True),
    Place("R21", (436, 116), "Test Bench"),
    Place("R22", (510, 120), "Theodolite"),
    Place("R23", (640, 120), "Crane Rails", start="soldier"),
    Place("R24", (680, 106), "Crawler Way", start="officer"),
    Place("R25", (812, 146), "East Fence"),
    Place("R26", (400, 150), "Engine Shop", "workshops"),
    Place("R27", (450, 165), "Blockhouse", "blockhouse"),
    Place("R28", (495, 165), "Periscope", "blockhouse"),
    Place("R29", (575, 160), "Flame Trench"),
    Place("R30", (675, 156), "Slipway"),
    Place("R31", (759, 158), "Scorched Earth"),
    Place("R32", (380, 220), "Boiler House", "power house"),
    Place("R33", (550, 205), "Nose Cones", "assembly hall"),
    Place("R34", (660, 205), "Tank Bay", "assembly hall"),
    Place("R35", (790, 205), "Peroxide", "fuel bunker"),
    Place("R36", (335, 210), "Checkpoint"),
    Place("R37", (460, 230), "Turbines", "power house"),
    Place("R38", (515, 245), "Drawing Office", "assembly hall"),
    Place("R39", (575, 245), "Guidance Lab", "assembly hall", objective=3),
    Place("R40", (650, 245), "Loading Bay", "assembly hall"),
    Place("R41", (716, 214), "Blast Gap"),
    Place("R42", (790, 245), "Pump Room", "fuel bunker"),
    # black: harbour and railway
    Place("K1", (590, 290), "Goods Yard"),
    Place("K2", (700, 290), "Ramp"),
    Place("K3", (800, 290), "East Gate"),
    Place("K4", (520, 345), "Harbour Master", "harbour office"),
    Place("K5", (590, 335), "Coal Wagon", "coal wagon"),
    Place("K6", (647, 337), "Buffers", difficult=True),
    Place("K7", (700, 335), "Mail Van", "mail van", objective=6),
    Place("K8", (762, 335), "Couplings", difficult=True),
    Place("K9", (805, 335), "Shell Wagon", "ammunition wagon"),
    Place("K10", (520, 400), "Chart Room", "harbour office"),
    Place("K11", (567, 395), "Bollards"),
    Place("K12", (626, 385), "Weighbridge", start="officer"),
    Place("K13", (710, 390), "North Quay"),
    Place("K14", (800, 390), "Crane Quay", start="soldier"),
    Place("K15", (490, 455), "Harbour Road", start="soldier"),
    Place("K16", (630, 440), "Stern Tubes", "submarine"),
    Place("K17", (680, 440), "Engine Room", "submarine"),
    Place("K18", (720, 440), "Control Room", "submarine", objective=8),
    Place("K19", (770, 440), "Bow Tubes", "submarine"),
    Place("K20", (565, 475), "Coal Quay"),
    Place("K21", (450, 500), "Crate Store", "warehouse"),
    Place("K22", (520, 500), "Torpedo Store", "warehouse", objective=7),
    Place("K23", (450, 570), "Rope Loft", "warehouse"),
    Place("K24", (565, 570), "West Quay"),
    Place("K25", (611, 541), "Mole Steps"),
    Place("K26", (628, 575), "Mole"),
    Place("K27", (670, 537), "Boat Store", "boat store"),
    Place("K28", (698, 583), "Fishing Nets", difficult=True),
    Place("K29", (730, 568), "Mole Head"),
    # white: woods, crossroads and craters
    Place("W1", (49, 36), "Wood's Edge"),
    Place("W2", (99, 29), "Bramble", difficult=True),
    Place("W3", (148, 18), "Fox Den", difficult=True),
    Place("W4", (214, 30), "Felled Pines"),
    Place("W5", (35, 81), "Deep Wood", difficult=True),
    Place("W6", (89, 85), "Fallen Oak", difficult=True),
    Place("W7", (140, 80), "Forester's Hut", "forester's hut"),
    Place("W8", (194, 65), "Charcoal Pit", difficult=True),
    Place("W9", (39, 136), "Deer Path"),
    Place("W10", (73, 123), "Thicket", difficult=True),
    Place("W11", (158, 129), "Holly Bank", difficult=True),
    Place("W12", (241, 108), "Clearing"),
    Place("W13", (350, 285), "Crossroads"),
    Place("W14", (460, 290), "Chapel Road"),
    Place("W15", (365, 365), "Poplar Row"),
    Place("W16", (410, 330), "Nave", "chapel"),
    Place("W17", (455, 335), "Shell Holes", difficult=True),
    Place("W18", (415, 370), "Vestry", "chapel", objective=9),
    Place("W19", (468, 370), "Devil's Bowl", difficult=True),
    Place("W20", (390, 440), "Harbour Fork"),
    Place("W21", (463, 398), "Graveyard"),
    # water
    Place("~1", (615, 490), "Dock"),
    Place("~2", (790, 490), "Basin"),
    Place("~3", (810, 560), "Harbour Mouth"),
]

DOORS: list[Door] = [
    Door("Y2", "W11"),
    Door("Y4", "Y7"),
    Door("Y6", "Y9"),
    Door("Y8", "Y11"),
    Door("Y14", "Y11"),
    Door("Y17", "Y19"),
    Door("Y18", "Y21"),
    Door("Y23", "Y16"),
    Door("Y26", "Y25"),
    Door("Y28", "W20"),
    Door("Y32", "Y27"),
    Door("Y32", "Y31"),
    Door("Y33", "Y35"),
    Door("R3", "R11"),
    Door("R4", "R12"),
    Door("R10", "R16"),
    Door("R17", "R11"),
    Door("R18", "R6"),
    Door("R18", "R22"),
    Door("R18", "R23"),
    Door("R19", "R24"),
    Door("R27", "R21"),
    Door("R28", "R29"),
    Door("R32", "R36"),
    Door("R33", "R29"),
    Door("R35", "R25"),
    Door("R37", "R27"),
    Door("R37", "W13"),
    Door("R38", "W14"),
    Door("R40", "K1"),
    Door("R42", "K3"),
    Door("K4", "W14"),
    Door("K5", "K12"),
    Door("K7", "K2"),
    Door("K7", "K13"),
    Door("K9", "K14"),
    Door("K10", "K11"),
    Door("K17", "K13"),
    Door("K19", "K14"),
    Door("K22", "K15"),
    Door("K22", "K24"),
    Door("K23", "Y35"),
    Door("K27", "K25"),
    Door("K27", "K29"),
    Door("W7", "W6"),
    Door("W16", "W17"),
    Door("W18", "W15"),
]

ENTRIES: list[Entry] = [
    Entry("Y29", (0, 575)),
    Entry("R1", (270, 0)),
    Entry("K29", (740, 594)),
    Entry("W1", (0, 30)),
]
