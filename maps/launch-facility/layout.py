"""What stands where on the Launch Facility, in millimetres: x to the right, y down, from the top left corner.

Only facts of the drawing; how they become a coverage is `draw.py`. Shapes and walls keep to a grid of 5 mm. A place
on open ground is drawn around its point: move the point and the ground between it and its neighbours moves with it.
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
    [(95, 260), (100, 350)],
    [(200, 250), (210, 340)],
    [(300, 240), (305, 320)],
    [(415, 250), (410, 320)],
    [(520, 250), (520, 330)],
    [(585, 260), (585, 320)],
    [(644, 260), (644, 320)],
    [(762, 260), (762, 320)],
    # the north road, from the gate to the crossroads
    [(240, 80), (320, 65)],
    [(270, 175), (360, 145)],
    [(310, 252), (400, 235)],
    # the south road
    [(325, 325), (400, 322)],
    [(335, 405), (405, 395)],
    [(355, 495), (430, 490)],
    [(360, 550), (430, 550)],
    # the harbour road
    [(434, 415), (426, 490)],
]

SHAPES: dict[str, tuple[Line, list[Line]]] = {
    "radio station": (
        [(45, 160), (285, 135), (315, 210), (55, 235)],
        [
            [(40, 200), (310, 170)],
            [(120, 140), (125, 191)],
            [(205, 140), (209, 182)],
            [(140, 188), (145, 240)],
            [(230, 178), (235, 230)],
        ],
    ),
    "forester's hut": ([(115, 60), (160, 50), (170, 95), (125, 105)], []),
    "barracks": (
        [(50, 330), (250, 310), (260, 390), (60, 410)],
        [[(40, 371), (270, 349)], [(120, 315), (125, 364)], [(185, 310), (190, 358)], [(155, 358), (160, 410)]],
    ),
    "stores": ([(140, 480), (220, 470), (225, 515), (145, 525)], [[(178, 470), (187, 530)]]),
    "mess hall": ([(295, 345), (340, 340), (375, 480), (325, 485)], [[(290, 415), (370, 405)]]),
    "motor pool": (
        [(255, 525), (375, 525), (375, 594), (255, 594)],
        [[(295, 500), (295, 600)], [(335, 500), (335, 600)]],
    ),
    "workshops": (
        [(300, 45), (385, 35), (415, 140), (430, 195), (345, 205)],
        [[(342, 30), (388, 210)], [(310, 125), (370, 118)], [(350, 110), (420, 102)]],
    ),
    "power house": (
        [(345, 205), (430, 195), (430, 185), (490, 185), (490, 266), (370, 266)],
        [[(403, 190), (412, 290)], [(400, 240), (500, 212)]],
    ),
    "assembly hall": (
        [(490, 185), (695, 185), (695, 266), (490, 266)],
        [
            [(480, 226), (740, 226)],
            [(570, 180), (570, 226)],
            [(635, 180), (635, 226)],
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
    "rocket shed": ([(700, 50), (745, 45), (755, 140), (710, 145)], [[(690, 98), (760, 92)]]),
    "fuel bunker": ([(737, 185), (841, 185), (841, 266), (737, 266)], [[(730, 226), (850, 226)]]),
    "chapel": ([(388, 305), (435, 305), (440, 390), (390, 395)], [[(370, 351), (450, 347)]]),
    "harbour office": ([(500, 316), (546, 316), (546, 430), (500, 430)], [[(490, 373), (560, 373)]]),
    "coal wagon": ([(546, 316), (625, 316), (625, 356), (546, 356)], []),
    "mail van": ([(663, 316), (743, 316), (743, 356), (663, 356)], []),
    "ammunition wagon": ([(781, 316), (841, 316), (841, 356), (781, 356)], []),
    "north quay": ([(680, 356), (841, 356), (841, 420), (680, 420)], [[(760, 350), (760, 425)]]),
    "west quay": ([(546, 450), (590, 450), (590, 594), (546, 594)], [[(530, 545), (600, 545)]]),
    "warehouse": (
        [(420, 475), (546, 475), (546, 594), (420, 594)],
        [[(483, 470), (483, 600)], [(483, 530), (560, 530)]],
    ),
    "basin": (
        [(590, 420), (841, 420), (841, 594), (775, 594), (775, 518), (590, 518)],
        [[(675, 460), (665, 530)], [(765, 460), (755, 530)], [(775, 518), (841, 510)]],
    ),
    "submarine": (
        [(605, 430), (620, 420), (787, 420), (822, 441), (787, 462), (620, 462), (605, 452)],
        [[(652, 415), (652, 470)], [(700, 415), (700, 470)], [(740, 415), (740, 470)]],
    ),
    "boat store": ([(640, 518), (705, 518), (705, 556), (640, 556)], []),
}
"""Outline of each solid shape, and the walls and cuts inside it."""

PLACES: list[Place] = [
    # white: the woods
    Place("W1", (35, 30), "Wood's Edge"),
    Place("W2", (95, 25), "Bramble", difficult=True),
    Place("W3", (150, 25), "Fox Den", difficult=True),
    Place("W4", (210, 30), "Felled Pines"),
    Place("W5", (30, 85), "Deep Wood", difficult=True),
    Place("W6", (82, 82), "Fallen Oak", difficult=True),
    Place("W7", (140, 80), "Forester's Hut", "forester's hut"),
    Place("W8", (205, 75), "Charcoal Pit", difficult=True),
    Place("W9", (30, 140), "Deer Path"),
    Place("W10", (85, 130), "Thicket", difficult=True),
    Place("W11", (145, 122), "Holly Bank", difficult=True),
    Place("W12", (240, 110), "Clearing"),
    # white: the crossroads, the chapel and the craters
    Place("W13", (350, 285), "Crossroads"),
    Place("W14", (460, 290), "Chapel Road"),
    Place("W15", (550, 290), "Long Straight"),
    Place("W16", (365, 365), "Poplar Row"),
    Place("W17", (390, 440), "Harbour Fork"),
    Place("W18", (410, 330), "Nave", "chapel"),
    Place("W19", (415, 370), "Vestry", "chapel", objective=9),
    Place("W20", (467, 330), "Shell Holes", difficult=True),
    Place("W21", (467, 370), "Devil's Bowl", difficult=True),
    Place("W22", (450, 412), "Graveyard"),
    # yellow: the radio station and the road below it
    Place("Y1", (90, 180), "Teleprinters", "radio station"),
    Place("Y2", (160, 165), "Transmitter", "radio station"),
    Place("Y3", (250, 155), "Battery Room", "radio station"),
    Place("Y4", (90, 215), "Duty Room", "radio station"),
    Place("Y5", (185, 205), "Cipher Room", "radio station", objective=1),
    Place("Y6", (270, 190), "Exchange", "radio station"),
    Place("Y7", (20, 205), "Spring"),
    Place("Y8", (70, 255), "Aerial Mast", start="soldier"),
    Place("Y9", (150, 245), "Vegetable Plot"),
    Place("Y10", (250, 235), "Bicycle Stand"),
    Place("Y11", (40, 310), "West Gate"),
    Place("Y12", (140, 300), "Camp Road"),
    Place("Y13", (245, 290), "Signpost"),
    # yellow: the camp
    Place("Y14", (85, 350), "First Platoon", "barracks"),
    Place("Y15", (150, 345), "Guardroom", "barracks"),
    Place("Y16", (220, 335), "Second Platoon", "barracks"),
    Place("Y17", (100, 390), "Infirmary", "barracks"),
    Place("Y18", (200, 375), "Washroom", "barracks"),
    Place("Y19", (22, 375), "Fence Path"),
    Place("Y20", (278, 345), "Bakery Lane"),
    Place("Y21", (320, 370), "Mess Hall", "mess hall"),
    Place("Y22", (340, 440), "Kitchen", "mess hall"),
    Place("Y23", (25, 440), "Latrines"),
    Place("Y24", (95, 455), "Parade Ground", start="officer"),
    Place("Y25", (165, 440), "Flagpole"),
    Place("Y26", (230, 430), "Pump"),
    Place("Y27", (290, 430), "Kitchen Yard"),
    Place("Y28", (25, 505), "Rubbish Pit", difficult=True),
    Place("Y29", (160, 500), "Coal Shed", "stores"),
    Place("Y40", (205, 495), "Tool Shed", "stores"),
    Place("Y30", (85, 510), "Drill Square"),
    Place("Y31", (275, 490), "Motor Yard", start="soldier"),
    Place("Y32", (395, 520), "Fuel Pumps"),
    Place("Y33", (35, 570), "Broken Fence"),
    Place("Y34", (105, 565), "Nettles"),
    Place("Y35", (195, 560), "Scrap Heap", difficult=True),
    Place("Y36", (275, 560), "Motorcycles", "motor pool"),
    Place("Y37", (315, 560), "Repair Bay", "motor pool", objective=2),
    Place("Y38", (355, 560), "Truck Bay", "motor pool"),
    Place("Y39", (395, 570), "South Gate"),
    # red: the north road and the works
    Place("R1", (275, 40), "North Gate"),
    Place("R2", (298, 120), "Pine Road"),
    Place("R3", (335, 210), "Checkpoint"),
    Place("R4", (350, 20), "Gatekeeper"),
    Place("R5", (325, 85), "Lathe Shop", "workshops"),
    Place("R6", (345, 160), "Paint Shop", "workshops"),
    Place("R7", (375, 75), "Gyro Shop", "workshops"),
    Place("R8", (400, 150), "Engine Shop", "workshops"),
    Place("R9", (385, 250), "Boiler House", "power house"),
    Place("R10", (460, 200), "Switch Room", "power house"),
    Place("R11", (460, 250), "Turbines", "power house"),
    Place("R12", (530, 205), "Nose Cones", "assembly hall"),
    Place("R13", (600, 205), "Tank Bay", "assembly hall"),
    Place("R14", (665, 205), "Tail Bay", "assembly hall"),
    Place("R15", (515, 245), "Drawing Office", "assembly hall"),
    Place("R16", (575, 245), "Guidance Lab", "assembly hall", objective=3),
    Place("R17", (650, 245), "Loading Bay", "assembly hall"),
    # red: the launch site
    Place("R18", (420, 20), "Oxygen Tank", "oxidiser store"),
    Place("R19", (460, 20), "Alcohol Tank", "oxidiser store", objective=4),
    Place("R20", (415, 70), "Pipe Bridge", start="soldier"),
    Place("R21", (440, 115), "Test Bench"),
    Place("R22", (462, 70), "Frost Pipes"),
    Place("R23", (450, 165), "Blockhouse", "blockhouse"),
    Place("R33", (495, 165), "Periscope", "blockhouse"),
    Place("R24", (510, 20), "Sandbags"),
    Place("R25", (575, 100), "Launch Table", objective=5),
    Place("R26", (575, 40), "Gantry"),
    Place("R27", (510, 80), "Hose Reels"),
    Place("R28", (510, 120), "Theodolite"),
    Place("R29", (575, 160), "Flame Trench"),
    Place("R30", (640, 120), "Crane Rails", start="soldier"),
    Place("R31", (640, 80), "Floodlights"),
    Place("R32", (665, 30), "Blast Wall"),
    Place("R34", (682, 110), "Crawler Way", start="officer"),
    Place("R35", (725, 70), "Rocket Shed", "rocket shed"),
    Place("R36", (730, 120), "Trailer Shed", "rocket shed"),
    Place("R37", (680, 160), "Slipway"),
    Place("R38", (745, 165), "Scorched Earth"),
    Place("R39", (750, 20), "Lookout"),
    Place("R40", (815, 40), "Crash Site", difficult=True),
    Place("R41", (775, 85), "Debris", difficult=True),
    Place("R45", (818, 100), "Tail Fins", difficult=True),
    Place("R46", (805, 150), "East Fence"),
    Place("R42", (715, 225), "Blast Gap"),
    Place("R43", (790, 205), "Peroxide", "fuel bunker"),
    Place("R44", (790, 245), "Pump Room", "fuel bunker"),
    # black: the railway
    Place("K1", (615, 290), "Goods Yard"),
    Place("K2", (700, 290), "Ramp"),
    Place("K3", (800, 290), "East Gate"),
    Place("K4", (590, 335), "Coal Wagon", "coal wagon"),
    Place("K5", (645, 335), "Buffers", difficult=True),
    Place("K6", (700, 335), "Mail Van", "mail van", objective=6),
    Place("K7", (762, 335), "Couplings", difficult=True),
    Place("K8", (805, 335), "Shell Wagon", "ammunition wagon"),
    # black: the harbour
    Place("K9", (520, 345), "Harbour Master", "harbour office"),
    Place("K10", (520, 400), "Chart Room", "harbour office"),
    Place("K11", (567, 400), "Bollards"),
    Place("K12", (630, 390), "Weighbridge", start="soldier"),
    Place("K13", (710, 390), "North Quay", start="officer"),
    Place("K14", (800, 390), "Crane Quay"),
    Place("K15", (490, 455), "Harbour Road", start="soldier"),
    Place("K16", (565, 475), "Coal Quay"),
    Place("K17", (565, 570), "West Quay"),
    Place("K18", (450, 530), "Crate Store", "warehouse"),
    Place("K19", (520, 500), "Torpedo Store", "warehouse", objective=7),
    Place("K20", (520, 565), "Rope Loft", "warehouse"),
    Place("K21", (630, 440), "Stern Tubes", "submarine"),
    Place("K22", (680, 440), "Engine Room", "submarine"),
    Place("K23", (720, 440), "Control Room", "submarine", objective=8),
    Place("K24", (770, 440), "Bow Tubes", "submarine"),
    Place("K25", (615, 535), "Mole Steps"),
    Place("K29", (615, 575), "Mole"),
    Place("K26", (672, 576), "Fishing Nets", difficult=True),
    Place("K27", (670, 537), "Boat Store", "boat store"),
    Place("K28", (740, 557), "Mole Head"),
    # water
    Place("~1", (615, 490), "Dock"),
    Place("~2", (710, 490), "Basin"),
    Place("~3", (800, 490), "Roads"),
    Place("~4", (810, 560), "Harbour Mouth"),
]

DOORS: list[Door] = [
    Door("Y2", "W11"),
    Door("Y4", "Y8"),
    Door("Y6", "Y10"),
    Door("Y15", "Y12"),
    Door("Y17", "Y24"),
    Door("Y18", "Y26"),
    Door("Y21", "Y20"),
    Door("Y22", "W17"),
    Door("Y29", "Y30"),
    Door("Y40", "Y26"),
    Door("Y36", "Y35"),
    Door("Y37", "Y31"),
    Door("Y38", "Y39"),
    Door("W7", "W6"),
    Door("W18", "W20"),
    Door("W19", "W16"),
    Door("R5", "R2"),
    Door("R6", "R3"),
    Door("R7", "R20"),
    Door("R9", "W13"),
    Door("R10", "R23"),
    Door("R23", "R21"),
    Door("R33", "R29"),
    Door("R13", "R29"),
    Door("R15", "W14"),
    Door("R17", "K1"),
    Door("R18", "R20"),
    Door("R19", "R22"),
    Door("R35", "R34"),
    Door("R43", "R46"),
    Door("R44", "K3"),
    Door("K9", "W15"),
    Door("K10", "K11"),
    Door("K4", "K12"),
    Door("K6", "K2"),
    Door("K6", "K13"),
    Door("K8", "K14"),
    Door("K18", "Y32"),
    Door("K19", "K15"),
    Door("K20", "K17"),
    Door("K22", "K13"),
    Door("K24", "K14"),
    Door("K27", "K25"),
    Door("K27", "K28"),
]

ENTRIES: list[Entry] = [
    Entry("Y33", (0, 575)),
    Entry("R1", (270, 0)),
    Entry("K28", (740, 594)),
    Entry("W1", (0, 30)),
]
