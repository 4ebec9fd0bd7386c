"""How a drawing is laid out as a file: its members first, then a feature to a line, so that a diff shows a change."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def format_geojson(document: Mapping[str, Any]) -> str:
    """Return a GeoJSON collection as text. Formatting its own output again changes nothing."""
    members = {name: value for name, value in document.items() if name != "features"}
    head = json.dumps(members, ensure_ascii=False, indent=1).removesuffix("\n}")
    lines = ",\n".join("  " + json.dumps(feature, ensure_ascii=False) for feature in document["features"])
    return f'{head},\n "features": [\n{lines}\n ]\n}}\n' if lines else f'{head},\n "features": []\n}}\n'
