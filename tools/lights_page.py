"""`python -m tools.lights_page`: write docs/lights.md and its pictures from the lamp tables.

Colours, rhythms and weights come from `firmware_host/core/lamp_colours.py` and from the games (`engine/cues.py`). The
pictures are frames of `firmware_host/board/cues/scene.py`. A test compares the page with the output of this module.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import games
from engine.cues import Light, Palette, Rhythm, Show, show_of
from firmware_host.board.board_io import SCREEN_SECONDS
from firmware_host.board.cues.scene import Glow, LampStyle, paint
from firmware_host.core.game_files import game_folder
from firmware_host.core.lamp_colours import LIGHTS, PALETTES, palette
from hardware.ports import CHANNEL_MA, IDLE_MA, Colour
from maker.page_parts import DOCS, markdown_table, write_generated

GAMES = DOCS.parent / "games"
SECONDS, SAMPLES = 4.0, 80
"""Seconds of a lamp's light in a picture, and the number of samples in that time."""
TRAVELLERS = 5
"""Number of lamps in the row of a rhythm that travels."""
LEFT, WIDTH, LAMP = 170, 720, 14

OPENING = """\
# What the lights mean

The lamps show public information only: the game's public cues, hints about misplaced miniatures, where a lifted
miniature can move, and the time. Each cue has its own rhythm, so you can tell cues apart without seeing colours. On a
device that requests reduced motion, lamps on the screen are steady, in the brightest colour of the last two seconds;
pieces and symbols on the map then give the same information.

The table's cues are in `firmware_host/core/lamp_colours.py`, a game's in its folder, for example
`games/sniper_elite/show/lights.py`. `firmware_host/board/cues/scene.py` renders the frames.
`python -m tools.lights_page` generates this page and its pictures from these files.

![Each cue over four seconds, in the palette night](lights/night.svg)

## Cues

If a lamp has several cues, it shows the one with the highest weight. `squad` is the colour of the squad being set up.
"""

AFTER_CUES = """
`possible` needs the setting `possible_hints` and a game that was started with this hint.
`shot` appears only if all players know both ends of the shot: its noise revealed the sniper, and it hit a unit.

## Rhythms

Levels range from 0 (dark) to 9 (full brightness). Each lasts one step, and the sequence repeats. A rhythm that *glides*
fades between levels; otherwise it *steps*. One that *travels* moves from space to space of its cue. One that *laps*
restarts only after the last space.
"""

PALETTES_SAID = """
## Palettes

The setting `palette` selects one: `night` for a dim room, `day` for a bright room, `clear` for colours that people
with any type of colour vision can tell apart.

![The same in the palette day](lights/day.svg)

![The same in the palette clear](lights/clear.svg)
"""

ENDING = f"""
## Brightness, quiet hours and current

`brightness` scales every colour. From `quiet_from` to `quiet_to`, `quiet_brightness` applies instead, and there is no
sound. The table estimates the current of each frame: {CHANNEL_MA:.0f} mA for each of a lamp's three colours at full
brightness and {IDLE_MA:.0f} mA for a dark lamp, as the board's firmware and the parts list do. If a frame would draw
more than `current_limit_ma`, the whole frame is dimmed to the limit. Steady light sends no frames; gliding light
sends at most 60 a second. Screens that show the lamps are updated at most every {SCREEN_SECONDS * 1000:.0f} ms.
"""


def page() -> str:
    return "\n".join([OPENING, _cues(), AFTER_CUES, _rhythms(), PALETTES_SAID, _colours(), ENDING])


def included_shows() -> list[Show]:
    """Return the lights and sounds of the included games."""
    return [show_of(games.find(name)) for name in games.names() if game_folder(name).is_relative_to(GAMES)]


def _by_weight() -> list[tuple[str, Light]]:
    # The table's own cues, then those of each game.
    lights = [*LIGHTS.items(), *(item for show in included_shows() for item in show.lights.items())]
    return sorted(lights, key=lambda item: -item[1].weight)


def _palettes() -> dict[str, Palette]:
    """Return the colours of each palette, including those of the games."""
    return {
        name: {role: colour for show in included_shows() for role, colour in palette(name, show).items()}
        for name in PALETTES
    }


def _cues() -> str:
    rows = ((name, light.role, light.rhythm.name, str(light.weight), light.meaning) for name, light in _by_weight())
    return markdown_table(("cue", "colour", "rhythm", "weight", "means"), rows)


def _rhythms() -> str:
    rhythms = dict.fromkeys(light.rhythm for _, light in _by_weight())
    rows = ((rhythm.name, rhythm.levels, f"{rhythm.step_ms} ms", _course(rhythm)) for rhythm in rhythms)
    return markdown_table(("rhythm", "levels", "step", "course"), rows)


def _course(rhythm: Rhythm) -> str:
    if rhythm.steady:
        return "steady"
    words = ["glides" if rhythm.smooth else "steps"]
    words += ["travels"] if rhythm.travel else []
    words += ["laps"] if rhythm.laps else []
    return ", ".join(words)


def _colours() -> str:
    palettes = _palettes()
    rows = ((role, *(_hex(colours[role]) for colours in palettes.values())) for role in next(iter(palettes.values())))
    return markdown_table(("colour", *PALETTES), rows)


def _hex(colour: Colour) -> str:
    return "#{:02x}{:02x}{:02x}".format(*colour)


# --- pictures ---------------------------------------------------------------------------------------------------


def palette_svg(palette: str) -> str:
    """Return each cue as an SVG row: the colours of its lamp over time.

    If the light travels, the row has several lamps.
    """
    rows: list[str] = []
    top = 12
    for name, light in _by_weight():
        lamps = TRAVELLERS if light.rhythm.travel else 1
        height = lamps * LAMP
        rows.append(f'<text x="12" y="{top + height / 2 + 5:g}">{name}</text>')
        rows += _strips(name, light, lamps, palette, top)
        top += height + 8
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {LEFT + WIDTH + 12} {top + 4}">\n'
        f"<title>The cues over {SECONDS:g} seconds, from left to right, in the palette {palette}</title>\n"
        '<rect width="100%" height="100%" fill="#101418"/>\n'
        '<g font-family="sans-serif" font-size="15" fill="#e8e2d4">\n' + "\n".join(rows) + "\n</g>\n</svg>\n"
    )


def _strips(name: str, light: Light, lamps: int, palette: str, top: int) -> Iterator[str]:
    """Yield one strip for each lamp. Consecutive samples of one colour are one rectangle."""
    spaces = tuple(f"lamp {number}" for number in range(lamps))
    look = LampStyle(palette, 1.0, 100_000, Show({name: light}, _palettes()))
    frames = [paint([Glow(name, spaces)], spaces, sample * SECONDS / SAMPLES, look) for sample in range(SAMPLES)]
    step = WIDTH / SAMPLES
    for lamp in range(lamps):
        begin = 0
        # Merge equal neighbours, which keeps the file small.
        for sample in range(1, SAMPLES + 1):
            if sample == SAMPLES or frames[sample][lamp] != frames[begin][lamp]:
                yield (
                    f'<rect x="{LEFT + begin * step:g}" y="{top + lamp * LAMP}" width="{(sample - begin) * step:g}" '
                    f'height="{LAMP - 2}" fill="{_hex(frames[begin][lamp])}"/>'
                )
                begin = sample


def files() -> dict[Path, str]:
    """Return all generated files in docs/, by path."""
    return {DOCS / "lights.md": page(), **{DOCS / "lights" / f"{name}.svg": palette_svg(name) for name in PALETTES}}


if __name__ == "__main__":
    raise SystemExit(write_generated(files()))
