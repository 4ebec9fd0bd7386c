"""Drawings as other programs write them, with what the map editor makes of them.

Each stands for a kind that users of other programs have reported. Expected boxes are in tenths of a millimetre, areas
in square millimetres.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import pi
from typing import NamedTuple

PAGE = 'width="200mm" height="100mm" viewBox="0 0 200 100"'
BARE = 'xmlns="http://www.w3.org/2000/svg"'
LINK = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
INKSCAPE = 'xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"'
Box = tuple[int, int, int, int]
LEFT: Box = (0, 0, 1000, 1000)
RIGHT: Box = (1000, 0, 2000, 1000)
FULL = 10_000


class Case(NamedTuple):
    """A drawing, and the box and area of each space that it has; an area of 0 is not compared."""

    text: str
    spaces: Mapping[str, tuple[Box, float]]
    size: tuple[int, int] = (2000, 1000)


def svg(body: str, attributes: str = PAGE) -> str:
    """Return a drawing."""
    return f"<svg {BARE} {INKSCAPE} {LINK} {attributes}>{body}</svg>"


def path(d: str, more: str = "") -> str:
    """Return a drawing of one open space."""
    return svg(f'<path class="open" id="Y1" d="{d}" {more}/>')


def one(text: str, box: Box, area: float = 0, size: tuple[int, int] = (2000, 1000)) -> Case:
    """Return the case of a drawing with the only space Y1."""
    return Case(text, {"Y1": (box, area)}, size)


def space(body: str, box: Box, area: float = 0, size: tuple[int, int] = (2000, 1000), page: str = PAGE) -> Case:
    """Return the case of a drawing whose body has the only space Y1."""
    return one(svg(body, page), box, area, size)


def at_left(body: str, page: str = PAGE) -> Case:
    """Return the case of a drawing whose only space fills the left half of the page."""
    return space(body, LEFT, FULL, page=page)


def at_right(body: str, page: str = PAGE) -> Case:
    """Return the same for the right half."""
    return space(body, RIGHT, FULL, page=page)


def shape(attributes: str, tag: str = "rect") -> str:
    """Return the only space of a drawing."""
    return f'<{tag} class="open" id="Y1" {attributes}/>'


SQUARE, DOT = shape('width="100" height="100"'), shape('width="10" height="10"')
LITTLE = '<rect class="open" id="Y9" width="9" height="9"/>'
DISC = pi * 40 * 40

CASES = {
    # Path data: what may be glued together, and where drawing goes on.
    "glued arc flags": one(
        path("M30 20h40a10 10 0 0110 10v40a10 10 0 01-10 10h-40a10 10 0 01-10-10v-40a10 10 0 0110-10z"),
        (200, 200, 800, 800),
        3600 - (4 - pi) * 100,
    ),
    "glued absolute flags": one(path("M20 50A30 30 0 1180 50 30 30 0 1120 50Z"), (200, 200, 800, 800), pi * 900),
    "disc of two arcs": one(path("M60 50m-40 0a40 40 0 1080 0a40 40 0 10-80 0"), (200, 100, 1000, 900), DISC),
    "radius too small": one(path("M10 50A1 1 0 0 1 90 50A1 1 0 0 1 10 50"), (100, 100, 900, 900), DISC),
    "turned ellipse": one(path("M50 10A40 20 90 0150 90 40 20 90 0150 10z"), (300, 100, 700, 900), pi * 800),
    "glued decimals": one(path("M10.5.5h80v80h-80zM0 0"), (105, 5, 905, 805), 6400),
    "exponents": one(path("M1e1 10L.9e+2 10 90,9e1 10 90z"), (100, 100, 900, 900), 6400),
    "relative after close": Case(path("m10 10h30v30h-30zm0 0"), {"Y1": ((100, 100, 400, 400), 900)}),
    "line after close": one(path("M10 10h80v80h-80zl5 0"), (100, 100, 900, 900), 6400),
    "second start only": one(path("m10 10 80 0 0 80-80 0zm0 0M20 20Z"), (100, 100, 900, 900), 6400),
    "smooth cubic": one(path("M10 50c10-40 70-40 80 0s-70 40-80 0z"), (100, 200, 909, 800)),
    "smooth quadratic": one(path("M0 50q25-50 50 0t50 0v50h-100z"), (0, 250, 1000, 1000), 5000),
    "smooth after line": one(path("M0 0H100S100 100 0 100z"), (0, 0, 1000, 1000)),
    "faulty end": one(path("M0 0H100V100H0L oops"), LEFT, FULL),
    "leading zeros": one(path("M00 00H0100V0100H00z"), LEFT, FULL),
    # Transforms.
    "style transform": at_right(f'<g style="transform:translate(100px,0)">{SQUARE}</g>'),
    "transform of a class": space(
        f"<style>.far{{transform:translateX(50%)}}</style><g class='far'>{SQUARE}</g>", (1000, 0, 2000, 1000), FULL
    ),
    "origin": space(f'<g transform="rotate(90)" transform-origin="100 0">{SQUARE}</g>', (0, -1000, 1000, 0)),
    "origin of a style": space(
        f'<g style="rotate:180deg;transform-origin:75px 50px">{SQUARE}</g>', (500, 0, 1500, 1000), FULL
    ),
    "origin in its box": space(
        '<rect class="open" id="Y1" width="50" height="100" '
        'style="transform-box:fill-box;transform-origin:100% 0;transform:scale(2,1)"/>',
        (-500, 0, 500, 1000),
    ),
    "several transforms": at_right(f'<g transform="translate(100 100)scale(1,-1)">{SQUARE}</g>'),
    "skewed": space(f'<g transform="skewX(45)">{SQUARE}</g>', (0, 0, 2000, 1000), FULL),
    "transformed page": at_left(SQUARE, f'{PAGE} transform="translate(0)"'),
    # Size and view.
    "no size": space(
        shape('width="1000" height="1000"'), (0, 868, 4205, 5073), 0, (8410, 5940), page='viewBox="0 0 2000 1000"'
    ),
    "percent": space(
        shape('width="1000" height="1000"'),
        (0, 868, 4205, 5073),
        0,
        (8410, 5940),
        page='width="100%" height="100%" viewBox="0 0 2000 1000"',
    ),
    "no size, stretched": space(
        SQUARE, (0, 868, 4205, 5073), 0, (8410, 5940), page='viewBox="0 0 200 100" preserveAspectRatio="none"'
    ),
    "no size, at the left": space(
        SQUARE, (0, 0, 2970, 2970), 0, (8410, 5940), page='viewBox="0 0 100 200" preserveAspectRatio="xMinYMin"'
    ),
    "icon": space(SQUARE, (1235, 0, 7175, 5940), 0, (8410, 5940), page='width="24" height="24" viewBox="0 0 100 100"'),
    "width only": at_left(SQUARE, 'width="20cm" viewBox="0 0 200 100"'),
    "size in a style": at_left(SQUARE, 'style="width:200mm;height:10cm" viewBox="0 0 200 100"'),
    "inches": space(SQUARE, (0, 0, 508, 508), 0, (1016, 508), page='width="4in" height="2in" viewBox="0 0 200 100"'),
    "other proportions": space(
        SQUARE, (0, 500, 1000, 1500), FULL, (2000, 2000), page='width="200mm" height="200mm" viewBox="0 0 200 100"'
    ),
    "cut to the page": space(
        SQUARE,
        LEFT,
        FULL,
        (1000, 1000),
        page='width="100mm" height="100mm" viewBox="0 0 200 100" preserveAspectRatio="xMinYMin slice"',
    ),
    "view with blanks": at_left(SQUARE, 'width="200mm" height="100mm" viewBox=" 0 0 200 100 "'),
    "view with commas": at_left(SQUARE, 'width="200mm" height="100mm" viewBox="0,0,200\n,100"'),
    "view elsewhere": at_right(SQUARE, 'width="200mm" height="100mm" viewBox="-100 0 200 100"'),
    "faulty view": space(
        shape('width="50mm" height="50mm"'),
        (0, 0, 500, 500),
        2500,
        page='width="200mm" height="100mm" viewBox="0 0 200"',
    ),
    # Lengths.
    "units": space(
        shape('x="10mm" y="5mm" width="100mm" height="6cm"'),
        (100, 50, 1100, 650),
        6000,
        page='width="200mm" height="100mm"',
    ),
    "percentages": space(shape('cx="50%" cy="50%" rx="25%" ry="40%"', "ellipse"), (500, 100, 1500, 900), pi * 50 * 40),
    "radius in a style": space(shape('cx="50" cy="50" style="r:40px"', "circle"), (100, 100, 900, 900), DISC),
    "font units": space(
        '<g font-size="10"><rect class="open" id="Y1" width="10em" height="5em"/></g>', (0, 0, 1000, 500), 5000
    ),
    # Shapes.
    "glued points": at_left(
        shape('points="0 0 100 0 100-100 0-100"', "polygon"),
        'width="200mm" height="100mm" viewBox="0 -100 200 100"',
    ),
    "odd points": at_left('<polygon class="open" id="Y1" points="0,0,100,0\n+1e2,100 0,100 7"/>'),
    "polyline": at_left(shape('points="0,0 100,0 100,100 0,100"', "polyline")),
    "rounded": space(shape('width="100" height="100" rx="20"'), LEFT, FULL - (4 - pi) * 400),
    "rounded above and below": space(shape('width="100" height="100" ry="200" rx="10"'), LEFT, FULL - (4 - pi) * 500),
    "rounded by a style": space(shape('width="100" height="100" style="rx:50px"'), LEFT, pi * 2500),
    "rounded in percent": space(shape('width="100" height="100" rx="10%" ry="20%"'), LEFT, FULL - (4 - pi) * 400),
    "ends that meet": one(path("M0 0H100V100H0V0", 'fill="none"'), LEFT, FULL),
    "byte order mark": one("\ufeff \n" + svg(SQUARE), LEFT, FULL),
    # Views in views, and copies.
    "nested": at_right(f'<svg x="100" width="100" height="100" viewBox="0 0 10 10">{DOT}</svg>'),
    "nested in percent": at_right(f'<svg x="50%" width="50%" height="100%" viewBox="0 0 10 10">{DOT}</svg>'),
    "nested twice": at_right(f'<svg x="50"><g transform="scale(10)"><svg x="5">{DOT}</svg></g></svg>'),
    "use": Case(
        svg(f'{SQUARE}<use id="Y2" href="#Y1" x="100" class="red"/>'), {"Y1": (LEFT, FULL), "Y2": (RIGHT, FULL)}
    ),
    "use of definitions": space(
        '<defs><rect id="a" width="50" height="50"/></defs>'
        '<use xlink:href="#a" id="Y1" class="open" x="25" transform="scale(2)"/>',
        (500, 0, 1500, 1000),
        FULL,
    ),
    "use of a symbol": at_right(
        f'<symbol id="s" viewBox="0 0 10 10">{DOT}</symbol><use href="#s" x="50%" width="100" height="100"/>'
    ),
    "use of a use": at_right(
        '<defs><rect id="a" width="100" height="100"/><use id="b" href="#a" x="40"/></defs>'
        '<use href="#b" id="Y1" class="open" x="60"/>'
    ),
    "use of itself": at_left(f'{SQUARE}<g id="a" class="open"><use href="#a"/><use href="#b"/></g>'),
    "use before its target": Case(
        svg(f'<use href="#Y1" x="100" class="red"/>{SQUARE}'), {"R1": (RIGHT, FULL), "Y1": (LEFT, FULL)}
    ),
    "style of the root": space(f"<style>:root{{--far:100px}}.open{{translate:var(--far)}}</style>{SQUARE}", RIGHT),
    # What is not drawn.
    "hidden layer": at_left(
        '<g inkscape:label="open old" style="display:none"><rect id="Y9" width="9" height="9"/></g>'
        f'<g inkscape:label="open">{SQUARE}</g>'
    ),
    "hidden by a class": at_left(f'<style>.off{{display:none}}</style>{SQUARE}<g class="off">{LITTLE}</g>'),
    "transparent layer": at_left(f'{SQUARE}<g style="opacity:0">{LITTLE}</g>'),
    "visible in a hidden layer": at_left(
        f'<g visibility="hidden">{LITTLE}<rect class="open" id="Y1" width="100" height="100" visibility="visible"/></g>'
    ),
    "switch": at_left(
        f'<switch><g systemLanguage="tlh">{LITTLE}</g>'
        f'<g>{SQUARE}</g><g><rect class="open" id="Y8" width="9" height="9"/></g></switch>'
    ),
    "switch of a program": at_left(
        f'<switch><foreignObject requiredExtensions="urn:none" width="1" height="1"/><g>{SQUARE}</g></switch>'
    ),
    "other namespaces": at_left(f'<x:path xmlns:x="urn:other" class="open" id="Y9" d="M0 0h9v9z"/>{SQUARE}'),
    "prefix": one(
        f'<s:svg xmlns:s="http://www.w3.org/2000/svg" {PAGE}><s:rect class="open" id="Y1" width="100" '
        'height="100"/></s:svg>',
        LEFT,
        FULL,
    ),
    "entities": one(
        f'<!DOCTYPE svg [<!ENTITY ns "http://www.w3.org/2000/svg">]><svg xmlns="&ns;" {PAGE}>{SQUARE}</svg>', LEFT, FULL
    ),
}

MANY = "".join(f'<rect class="open" x="{x}" width="2" height="2"/>' for x in range(601))
USE = '<use href="#c{}"/>'
COPIES = "".join(f'<g id="c{n}">{USE.format(n - 1) * 10}</g>' for n in range(1, 9))
LEFT_OUT = {
    svg(SQUARE, 'viewBox="0 0 100 100"'): "was fitted into the sheet of 841 × 594 mm.",
    svg(
        SQUARE, 'width="24" height="24" viewBox="0 0 100 100"'
    ): "The drawing's page has no size that a board can have.",
    svg(f"{SQUARE}<path class='open' id='a' d='M0 0L9 9'/>"): "1 line is not a closed outline and was skipped: a.",
    svg(
        f"{SQUARE}<path class='open' id='a' fill='none' d='M0 0L9 0L9 9'/>"
    ): "not a closed outline and was skipped: a.",
    svg(f"{SQUARE}<line class='open' id='a' x2='9'/>"): "not a closed outline and was skipped: a.",
    svg(
        f"{SQUARE}<rect class='open' id='a' width='.5' height='.5'/>"
    ): "smaller than a square millimetre and was skipped: a.",
    svg(
        f"{SQUARE}<polygon class='open' id='a' points='1,1 9,9 9,1 1,9'/>"
    ): "1 outline crosses itself and was skipped: a. Draw it without the loop.",
    svg(f"{SQUARE}<rect id='a' width='9' height='9'/>"): "1 shape doesn't say its kind and was skipped: a.",
    svg(f"{SQUARE}<rect class='open' id='a' width='9' height='9' display='none'/>"): "1 hidden shape was skipped: a.",
    svg(
        f"{SQUARE}<path class='open' id='a' d='M0 0h9v9h-9zM2 2h5v5z'/>"
    ): "has a hole or several parts and was skipped: a.",
    svg(f"{SQUARE}<text>a</text><image href='a.png'/>"): "2 texts and pictures were skipped.",
    svg(f"{SQUARE}<script/><use href='other.svg#a'/>"): "2 scripts, animations and links to other files were left out.",
    svg("<rect id='a' width='9' height='9'/>"): "This SVG has no space. A space is a closed outline whose layer",
    svg("<path class='open' id='a' fill='none' d='M0 0L9 0L9 9'/>"): "not a closed outline and was skipped: a.",
    f"<svg {PAGE}>{SQUARE}</svg>": 'Add xmlns="http://www.w3.org/2000/svg" to its first tag',
    f'<svg xmlns="http://www.w3.org/2000/svgs" {PAGE}>{SQUARE}</svg>': 'Add xmlns="http://www.w3.org/2000/svg"',
    f"<svg {BARE} {PAGE}><g inkscape:label='open'>{SQUARE}</g></svg>": "error on line 1 at column",
    f"<svg {BARE} {PAGE}><g>{SQUARE}</svg>": "error on line 1",
    "<html><body/></html>": "the file begins with <html>",
    "\n<!DOCTYPE html><p>An error page": "the file begins with <html>",
    "no drawing": "This SVG file can't be read",
    svg(MANY): "more than 600 shapes",
    svg(f"<rect id='c0' class='open' width='9' height='9'/>{COPIES}"): "more than 20000 parts",
    svg("<g>" * 4000 + SQUARE + "</g>" * 4000): "nested more than 250 deep",
    svg(f"<g clip-path='url(#a)'>{SQUARE}</g>"): "imported whole: Y1.",
    svg(f"<style>.a{{mask:url(#a)}}</style><g class='a'>{SQUARE}</g>"): "imported whole: Y1.",
}

HOST = "http://elsewhere.example"
HOSTILE = f"""<?xml-stylesheet href="{HOST}/a.css" type="text/css"?>
<svg {BARE} {INKSCAPE} {LINK} {PAGE} onload="window.ran = 1" style="background:url({HOST}/b.png)">
<style>@import url({HOST}/c.css); @font-face {{ font-family: f; src: url({HOST}/d.woff) }}
.open {{ fill: url({HOST}/e.svg#a); mask: url({HOST}/f.svg#a); cursor: url({HOST}/g.cur), auto; font-family: f;
 --x: url({HOST}/h.png); background: var(--x); transform: translateX(1px) }}
body, .draft-bar {{ display: none }}</style>
<script href="{HOST}/i.js"/><script>window.ran = 1</script>
<a href="javascript:window.ran=1" xlink:href="{HOST}/j"><g style="filter:url({HOST}/k.svg#a)" onclick="window.ran = 1">
<rect class="open" id="Y1" width="99" height="99" onerror="window.ran = 1" fill="url({HOST}/l.svg#a)"/></g></a>
<image href="{HOST}/m.png" onerror="window.ran = 1"/><use href="{HOST}/n.svg#a"/>
<foreignObject width="9" height="9"><body xmlns="http://www.w3.org/1999/xhtml" style="color:red">
<img src="{HOST}/o.png" onerror="window.ran = 1"/><iframe src="{HOST}/p"/><link rel="stylesheet" href="{HOST}/q.css"/>
</body></foreignObject>
<animate href="#Y1" attributeName="x" to="9" begin="0s" onbegin="window.ran = 1"/>
<set href="#Y1" attributeName="x" to="9" onbegin="window.ran = 1"/>
</svg>"""
