"""`make screenshots`: take every screen at three widths and in every language; write docs/screens.md.

The game is the seeded one of `tour.py`, played in process. The pictures are compressed, so that the project stays
small.
"""

from __future__ import annotations

import io
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from babel import Locale
from PIL import Image

from maker.page_parts import DOCS
from tools.showroom import Showroom, shown_network
from tools.tour import Screenshot, TourBrowser, start_chromium, tour
from web_panel.language import DEFAULT, codes

SIZES = ((360, 780), (768, 1024), (1280, 800))
QUALITY = 45
"""WebP quality, 0 to 100. Text stays sharp, at half the size of a PNG with few colours."""
SMALLER = 0.6
"""Scale of the same screen in another language: its text stays legible."""

OPENING = """\
# The screens

Every screen of the panel on a phone, a tablet in portrait and a laptop, from one short game. Below each screen is its
Polish version. `make screenshots` generates the pictures and this page. Tests check the same screens with axe-core, at
widths from 320 to 2560 pixels.
"""


def page(scenes: Iterable[Screenshot]) -> str:
    return "\n".join([OPENING, *(part for scene in scenes for part in _scene_lines(scene))])


def _scene_lines(scene: Screenshot) -> Iterator[str]:
    yield f"## {scene.title}\n"
    for code in codes():
        for width, high in SIZES:
            path = f"screens/{file_name(scene, width, code)}"
            language = "" if code == DEFAULT else f", in {Locale.parse(code).get_display_name('en')}"
            what = f"{scene.title}, {width} pixels wide{language}"
            size = f'height="260" width="{round(260 * width / high)}"'
            yield f'<a href="{path}"><img src="{path}" alt="{what}" {size}></a>'
        yield "" if code == codes()[-1] else "<br>"


def file_name(scene: Screenshot, width: int, code: str) -> str:
    return f"{scene.name}-{width}.webp" if code == DEFAULT else f"{scene.name}-{width}-{code}.webp"


def packed(png: bytes, scale: float) -> bytes:
    """Return a picture as WebP, scaled."""
    out = io.BytesIO()
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    smaller = picture.resize((round(picture.width * scale), round(picture.height * scale)), Image.Resampling.LANCZOS)
    smaller.save(out, "WEBP", quality=QUALITY, method=6)
    return out.getvalue()


def take_screenshots(folder: Path) -> tuple[Screenshot, ...]:
    """Play, and write the pictures of every scene to `folder`; return the scenes."""
    scenes = []
    with tempfile.TemporaryDirectory() as state, start_chromium() as browser:
        room = Showroom(Path(state), network=shown_network())
        with room.served() as address:
            visits = [
                (TourBrowser(browser, address, room.company, *size, code), size[0], code)
                for code in codes()
                for size in SIZES
            ]
            # The game waits at each scene until all browsers have taken their picture.
            for scene in tour(room):
                scenes.append(scene)
                for visit, width, code in visits:
                    scale = 1 if code == DEFAULT else SMALLER
                    picture = packed(visit.open_scene(scene).screenshot(), scale)
                    (folder / file_name(scene, width, code)).write_bytes(picture)
        room.stop()
    return tuple(scenes)


def main() -> int:
    """Take all screenshots; return the exit code. The old ones stay until all new ones exist."""
    with tempfile.TemporaryDirectory() as place:
        scenes = take_screenshots(Path(place))
        shutil.rmtree(DOCS / "screens", ignore_errors=True)
        shutil.copytree(place, DOCS / "screens")
    (DOCS / "screens.md").write_text(page(scenes), "utf-8")
    size = sum(path.stat().st_size for path in (DOCS / "screens").iterdir())
    print(f"{len(scenes)} screens, {len(SIZES)} widths, {len(codes())} languages, {size / 1e6:.1f} MB")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
