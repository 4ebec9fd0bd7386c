"""All files of the chip board's KiCad project except those that KiCad generates, and how to read KiCad's reports."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path

from maker.drawings.chipboard import pcb, sheet
from maker.drawings.chipboard.expressions import Node, Quoted, format_node
from maker.drawings.chipboard.route import Routes
from maker.kit.chipboard import ELEMENTS

BOARD, SCHEMATIC, MANIFEST = "chipboard.kicad_pcb", "chipboard.kicad_sch", "manifest.json"
GERBERS = "gerbers"
DATES = (
    (re.compile(r"(?<=TF\.CreationDate,)[^*\n]*"), f"{pcb.DATE}T00:00:00+00:00"),
    (re.compile(r"(?<=\) date )[-\d]+ [:\d]+"), f"{pcb.DATE} 00:00:00"),
    (re.compile(r"(?<=\} date )[^\n]*"), pcb.DATE),
)
"""Patterns of the dates that KiCad writes, with their replacements: the same board gives the same files."""
FOUND = re.compile(r"\*\* Found (\d+) (DRC violations|unconnected pads|Footprint errors) \*\*")


def sources(routes: Routes) -> dict[str, str]:
    """Return file name -> text."""
    kinds = {element.kind: element for element in ELEMENTS}
    return {
        BOARD: _text(pcb.board(routes)),
        SCHEMATIC: _text(sheet.schematic()),
        "chipboard.kicad_sym": _text(sheet.library()),
        "chipboard.kicad_pro": _rules(),
        "sym-lib-table": _text(_table("sym_lib_table", "${KIPRJMOD}/chipboard.kicad_sym")),
        "fp-lib-table": _text(_table("fp_lib_table", "${KIPRJMOD}/chipboard.pretty")),
        **{
            f"chipboard.pretty/{kind}.kicad_mod": _text(pcb.footprint(element, library=True))
            for kind, element in kinds.items()
        },
        "chipboard.pretty/SCREW.kicad_mod": _text(pcb.screw()),
    }


def _text(node: Node) -> str:
    return format_node(node) + "\n"


def _table(name: str, where: str) -> Node:
    entry: Node = [
        "lib", ["name", Quoted("chipboard")], ["type", Quoted("KiCad")], ["uri", Quoted(where)],
        ["options", Quoted("")], ["descr", Quoted("The parts of the chip board")],
    ]  # fmt: skip
    return [name, entry]


def _rules() -> str:
    """Return the design rules. Any board factory can meet them."""
    rules = {
        "min_clearance": pcb.CLEARANCE,
        "min_copper_edge_clearance": pcb.EDGE_ROOM - 0.01,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.5,
        "min_through_hole_diameter": pcb.VIA_DRILL,
        "min_track_width": pcb.TRACK,
        "min_via_annular_width": (pcb.VIA - pcb.VIA_DRILL) / 2,
        "min_via_diameter": pcb.VIA,
    }
    usual = {
        "name": "Default", "clearance": pcb.CLEARANCE, "track_width": pcb.TRACK,
        "via_diameter": pcb.VIA, "via_drill": pcb.VIA_DRILL,
    }  # fmt: skip
    project = {
        "board": {"design_settings": {"rules": rules, "meta": {"version": 2}}},
        "meta": {"filename": "chipboard.kicad_pro", "version": 1},
        "net_settings": {"classes": [usual], "meta": {"version": 2}},
        "sheets": [[sheet.SHEET, ""]],
    }
    return json.dumps(project, indent=2) + "\n"


def remove_dates(folder: Path) -> None:
    """Remove dates from gerbers and drill files."""
    for path in folder.iterdir():
        text = path.read_text("ascii")
        for pattern, instead in DATES:
            text = pattern.sub(instead, text)
        path.write_text(text, "ascii", newline="\n")


def manifest(folder: Path, version: str) -> str:
    """Return the hashes of the board and of each file made from it, and KiCad's version."""
    made = sorted((folder / GERBERS).iterdir())
    content = {
        "kicad": version,
        "board": {BOARD: digest(folder / BOARD)},
        "gerbers": {path.name: digest(path) for path in made},
    }
    return json.dumps(content, indent=2) + "\n"


def digest(path: Path) -> str:
    """Return a file's SHA-256."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def complaints(report: str) -> list[str]:
    """Return the faults in a rule check's report; [] if there are none."""
    counts = {what: int(number) for number, what in FOUND.findall(report)}
    if len(counts) != 3:
        return ["the report of the rule check is not whole"]
    return [f"{number} {what}" for what, number in counts.items() if number]
