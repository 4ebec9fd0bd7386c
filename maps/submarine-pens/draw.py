"""Draws the Submarine Pens: `layout.py` in, `map.geojson` out. Run `.venv/bin/python maps/submarine-pens/draw.py`."""

from pathlib import Path

from layout import LAYOUT

from tools.drawing import write

if __name__ == "__main__":
    write(LAYOUT, Path(__file__).with_name("map.geojson"))
