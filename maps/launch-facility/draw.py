"""Draws the Launch Facility: `layout.py` in, `map.geojson` out. Run `.venv/bin/python maps/launch-facility/draw.py`."""

from pathlib import Path

from layout import LAYOUT

from tools.drawing import write

if __name__ == "__main__":
    write(LAYOUT, Path(__file__).with_name("map.geojson"))
