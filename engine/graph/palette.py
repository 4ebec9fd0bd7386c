"""Colours, textures and fonts of the drawn map: its style sheet and patterns.

Nothing here depends on a map. The style suits a dark room: the ground is dim, so that lamps, miniatures and text stand
out. All rules are scoped to `.board-map`, so that the drawing can be part of a page. A page may restyle any class.
"""

from __future__ import annotations

from engine.graph.pen import scoped

BASE_RADIUS = 140  # Radius of the ring for a base, in tenths of a millimetre

GROUND = {"yellow": "#463b1c", "red": "#44211f", "black": "#1f252b", "white": "#4a5154"}
FLOOR = {"yellow": "#77632c", "red": "#743630", "black": "#3d4853", "white": "#687175"}
DECK = {"yellow": "#6f6645", "red": "#71524c", "black": "#505b65", "white": "#757f86"}
ACCENT = {"yellow": "#f2c14e", "red": "#e8604c", "black": "#9db2c6", "white": "#f4f6f7"}
OTHER_ACCENT = "#8fb8a0"
"""The accent of a sector with a name of its own."""
INK = "#efebe0"
NIGHT = "#0c0f12"

PATTERNS = "".join(
    (
        "<defs>",
        '<pattern id="bm-water" width="240" height="120" patternUnits="userSpaceOnUse"><path class="wave" '
        'd="M0 30q30-22 60 0t60 0 60 0 60 0M-60 90q30-22 60 0t60 0 60 0 60 0 60 0"/></pattern>',
        '<pattern id="bm-rough" width="110" height="96" patternUnits="userSpaceOnUse"><path class="tuft" '
        'd="M14 36l8-22 6 22M26 36l12-16M70 84l7-24 7 24M82 84l13-15M8 78h22M64 24h20"/></pattern>',
        '<pattern id="bm-block" width="64" height="64" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="scar" d="M0 16H64M16 0V64"/></pattern>',
        '<pattern id="bm-deck" width="44" height="44" patternUnits="userSpaceOnUse"><path class="stud" '
        'd="M8 8h12M30 30h12"/></pattern>',
        '<pattern id="bm-below" width="56" height="56" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        '<path class="shade" d="M0 14H56"/></pattern>',
        "</defs>",
    )
)


RULES = (
    "{text-rendering:geometricPrecision}",
    " path,* line,* circle{vector-effect:none}",
    f" .table{{fill:{NIGHT}}}",
    " .space{stroke:none}",
    " .space.water{fill:#10313d}",
    " .space.obstruction{fill:#15181b}",
    " .space.open{fill:#363c3f}* .space.enclosed{fill:#596064}* .space.elevated{fill:#6b757b}",
    f" .start,* .cross,* .border{{stroke:{OTHER_ACCENT}}}* .entry{{fill:{OTHER_ACCENT};stroke:{NIGHT}}}",
    " .even{fill-opacity:.9}",
    " .wave{fill:none;stroke:#3b7286;stroke-width:5;stroke-linecap:round;opacity:.75}",
    f" .tuft{{fill:none;stroke:{INK};stroke-width:5;stroke-linecap:round;opacity:.24}}",
    " .scar{fill:none;stroke:#525960;stroke-width:9}",
    f" .stud{{fill:none;stroke:{NIGHT};stroke-width:5;stroke-linecap:round;opacity:.34}}",
    f" .shade{{fill:none;stroke:{NIGHT};stroke-width:20;opacity:.5}}",
    " .shadow{fill:#000;opacity:.42}",
    " .line{fill:none;stroke-linecap:round;stroke-linejoin:round}",
    f" .path{{stroke:{INK};stroke-width:7;opacity:.5}}",
    " .ripple{stroke:#4f8da3;stroke-width:6;stroke-dasharray:4 34;opacity:.8}",
    " .shore{stroke:#8fc4d4;stroke-width:9;opacity:.75}",
    " .cliff{stroke:#777f86;stroke-width:14}",
    f" .partition{{stroke:{NIGHT};stroke-width:11}}",
    f" .wall{{stroke:{NIGHT};stroke-width:34}}",
    " .coping{stroke:#a9a48f;stroke-width:5;opacity:.5}",
    " .rail{stroke:#c6d0d8;stroke-width:9}",
    f" .fall{{stroke:{NIGHT};stroke-width:22}}",
    " .brink{stroke:#c6d0d8;stroke-width:10;stroke-dasharray:46 30;stroke-linecap:butt}",
    f" .link{{stroke:{INK};stroke-width:16;opacity:.6}}",
    f" .link.bed{{stroke:{NIGHT};stroke-width:40;stroke-linecap:butt;opacity:.7}}",
    " .tunnel{stroke:#ffd9b0;stroke-width:9;stroke-dasharray:16 22;opacity:.9}",
    " .border{stroke-width:15;stroke-linejoin:miter;stroke-linecap:butt}",
    f" .trench{{stroke:{NIGHT};stroke-width:44;stroke-linecap:butt}}",
    f" .border.black{{stroke:#050607}}* .border.black.trim{{stroke:{ACCENT['black']};stroke-width:5}}",
    f" .frame{{fill:none;stroke:{INK};stroke-width:10;opacity:.2}}",
    f" .gap{{stroke:{NIGHT};stroke-width:40;stroke-linecap:butt}}",
    " .sill{stroke:#f3dfae;stroke-width:20;stroke-linecap:butt}",
    " .jamb{stroke:#d8cfb4;stroke-width:12;stroke-linecap:butt}",
    " .ladder{fill:none;stroke:#e6edf2;stroke-width:11;stroke-linecap:round}",
    f" .ladder.bed{{stroke:{NIGHT};stroke-width:88;opacity:.72;stroke-linecap:butt}}",
    f" .spot{{fill:{NIGHT};fill-opacity:.2;stroke:{INK};stroke-opacity:.3;stroke-width:5}}",
    f" .start{{fill:{NIGHT};fill-opacity:.45;stroke-width:15}}",
    " .cross{fill:none;stroke-width:13;stroke-linecap:round}",
    " .entry{stroke-width:10;stroke-linejoin:round}",
    f' text{{font-family:"Avenir Next","Segoe UI","DejaVu Sans",sans-serif;fill:{INK};text-anchor:middle}}',
    " .id{font-weight:600;opacity:.86}",
    ' .name{font-family:Georgia,"DejaVu Serif",serif;font-style:italic;opacity:.7}',
    " .alarm{font-weight:800;fill:#ffc76b}",
    f" .plate{{fill:{NIGHT};stroke:{INK};stroke-width:8}}",
    " .objective{font-weight:800}",
)
"""The part of the style sheet that is the same in every sector."""


def style() -> str:
    sectors = (
        *(f" .{sector}.open{{fill:{colour}}}" for sector, colour in GROUND.items()),
        *(f" .{sector}.enclosed{{fill:{colour}}}" for sector, colour in FLOOR.items()),
        *(f" .{sector}.elevated{{fill:{colour}}}" for sector, colour in DECK.items()),
        *(
            f" .{sector}.border,* .{sector}.start,* .{sector}.cross{{stroke:{ACCENT[sector]}}}"
            for sector in ACCENT
            if sector != "black"
        ),
        f" .black.start,* .black.cross{{stroke:{ACCENT['black']}}}",
        *(f" .{sector}.entry{{fill:{colour};stroke:{NIGHT}}}" for sector, colour in ACCENT.items()),
    )
    return scoped([*RULES, *sectors])
