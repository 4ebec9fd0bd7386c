"""`make screenshots`: pictures of every screen at three widths, with the page that shows them, docs/screens.md.

The game is the seeded one of `tour.py`, played in process; the pictures are put down with few colours to be small.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from PIL import Image

from tools.showroom import Showroom
from tools.tour import Scene, Visit, chromium, tour
from web_panel.serve import serve

DOCS = Path(__file__).resolve().parent.parent / "docs"
SIZES = ((360, 780), (768, 1024), (1280, 800))
COLOURS = 64

OPENING = """\
# The screens

Every screen of the panel on a phone, on a tablet held upright, and on a laptop, in one short game. `make screenshots`
makes the pictures and this page; tests look at the same screens with axe-core, at widths from 320 to 2560 pixels.
"""


def page(scenes: Iterable[Scene]) -> str:
    """docs/screens.md."""
    return "\n".join([OPENING, *(part for scene in scenes for part in _shown(scene))])


def _shown(scene: Scene) -> Iterator[str]:
    yield f"## {scene.title}\n"
    for width, high in SIZES:
        path = f"screens/{scene.name}-{width}.png"
        yield (
            f'<a href="{path}"><img src="{path}" alt="{scene.title}, {width} pixels wide" '
            f'height="260" width="{round(260 * width / high)}"></a>'
        )
    yield ""


def packed(png: bytes) -> bytes:
    """The picture with few colours: a fifth of the bytes, hard to tell apart."""
    out = io.BytesIO()
    few = Image.open(io.BytesIO(png)).convert("RGB").quantize(COLOURS, Image.Quantize.FASTOCTREE)
    few.save(out, "PNG", optimize=True)
    return out.getvalue()


def write(folder: Path) -> tuple[Scene, ...]:
    """Play, and put the pictures of every scene into `folder`; returns the scenes."""
    scenes = []
    with tempfile.TemporaryDirectory() as state, chromium() as browser:
        room = Showroom(Path(state))
        server = serve(room.app, "127.0.0.1", 0)
        server.start()
        try:
            address = f"http://127.0.0.1:{server.port}/"
            visits = [Visit(browser, address, room.company, *size) for size in SIZES]
            for scene in tour(room):
                scenes.append(scene)
                for visit, (width, _) in zip(visits, SIZES, strict=True):
                    (folder / f"{scene.name}-{width}.png").write_bytes(packed(visit.look(scene).screenshot()))
        finally:
            server.stop()
            room.stop()
    return tuple(scenes)


def main() -> int:
    """Make all anew; what was there stays until everything is made."""
    with tempfile.TemporaryDirectory() as place:
        scenes = write(Path(place))
        shutil.rmtree(DOCS / "screens", ignore_errors=True)
        shutil.copytree(place, DOCS / "screens")
    (DOCS / "screens.md").write_text(page(scenes), "utf-8")
    size = sum(path.stat().st_size for path in (DOCS / "screens").iterdir())
    print(f"docs/screens.md shows {len(scenes)} screens at {len(SIZES)} widths, {size / 1e6:.1f} MB in all.")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
