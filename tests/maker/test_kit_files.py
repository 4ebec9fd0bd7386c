"""Files of a kit open in other programs without a warning: PDF, DXF, Gerber and SVG, checked by their structure.

Poppler, ezdxf and gerbonara accept the files and print nothing; the checks here are what they print messages about.
"""

from __future__ import annotations

import io
import xml.etree.ElementTree as ET
import zipfile

from pypdf import PdfReader

from maker.kit.dxf import COLOURS, dxf
from maker.kit.sheets import Rectangle, Word

BLOCKS = {"SECTION": "ENDSEC", "TABLE": "ENDTAB", "POLYLINE": "SEQEND"}


def ending(made: dict[str, bytes], suffix: str) -> dict[str, bytes]:
    found = {name: content for name, content in made.items() if name.endswith(suffix)}
    assert found
    return found


def test_pages_are_read_strictly_and_without_tags(made: dict[str, bytes]) -> None:
    for name, content in ending(made, ".pdf").items():
        reader = PdfReader(io.BytesIO(content), strict=True)
        assert all(page.get_contents() is not None for page in reader.pages), name
        # Poppler complains of the tags that Typst writes.
        assert not {"/MarkInfo", "/StructTreeRoot"} & reader.trailer["/Root"].keys(), name


def test_dxf_files_are_pairs_in_closed_blocks_on_known_layers(made: dict[str, bytes]) -> None:
    for name, content in ending(made, ".dxf").items():
        lines = content.decode("ascii").splitlines()
        pairs = [(int(code), value) for code, value in zip(lines[::2], lines[1::2], strict=True)]
        assert pairs[-1] == (0, "EOF"), name
        open_blocks: list[str] = []
        for code, value in pairs:
            if code == 0 and value in BLOCKS:
                open_blocks.append(BLOCKS[value])
            elif code == 0 and value in BLOCKS.values():
                assert open_blocks.pop() == value, name
        assert open_blocks == [], name
        assert {value for code, value in pairs if code == 8} <= COLOURS.keys(), name
        assert all(float(value) >= 0 for code, value in pairs if code in (10, 20, 40)), name


def test_texts_of_dxf_files_keep_their_letters() -> None:
    found = dxf([Rectangle("OUTLINE", (0, 0), (9, 9)), Word("ENGRAVE", (1, 2), 3, "Łazy 1")])
    assert "\n1\n\\U+0141azy 1\n" in found


def test_drill_files_have_only_drill_commands_after_their_header(made: dict[str, bytes]) -> None:
    (packed,) = ending(made, ".zip").values()
    with zipfile.ZipFile(io.BytesIO(packed)) as files:
        for name in files.namelist():
            text = files.read(name).decode("ascii")
            assert text.rstrip().endswith("M30" if name.endswith(".drl") else "M02*"), name
            if name.endswith(".drl"):
                head, _, body = text.partition("\n%\n")
                assert "absolute / metric" in head, name
                assert not [line for line in body.splitlines() if line[0] not in "TXM" and line != "G05"], name


def test_cutting_files_are_svg_in_millimetres(made: dict[str, bytes]) -> None:
    for name, content in ending(made, ".svg").items():
        root = ET.fromstring(content)
        assert root.tag == "{http://www.w3.org/2000/svg}svg", name
        wide, high = root.attrib["viewBox"].split()[2:]
        assert (root.attrib["width"], root.attrib["height"]) == (f"{wide}mm", f"{high}mm"), name
