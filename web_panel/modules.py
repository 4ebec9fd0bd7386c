"""Which modules the script of a page is made of: a browser that is told asks for all of them at once, and not for each
when it has read who needs it.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).resolve().parent / "static"
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"\./([\w-]+)\.js";', re.MULTILINE)


@cache
def modules(script: str) -> tuple[str, ...]:
    """All modules that a script imports, and those import, each once; without the script itself."""
    found: dict[str, None] = {}
    waiting = [script]
    while waiting:
        for name in IMPORT.findall((STATIC / f"{waiting.pop(0)}.js").read_text("utf-8")):
            if name not in found and name != script:
                found[name] = None
                waiting.append(name)
    return tuple(found)
