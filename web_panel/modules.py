"""Find the script modules of a page, so that browsers can load all of them at once.

Otherwise a browser would discover each module only after loading the one that imports it. Modules are named by their
addresses.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

from web_panel.game_screens import game_file_of, screen_file, script
from web_panel.versions import STATEMENT

STATIC = Path(__file__).resolve().parent / "static"
IMPORT = re.compile(STATEMENT + r'"(\./|/)([\w/-]+\.js)";', re.MULTILINE)


@cache
def modules(*scripts: str) -> tuple[str, ...]:
    """Return all modules that some scripts import, directly or indirectly.

    Each appears once; the scripts themselves are left out.
    """
    # Breadth-first, so that modules come in the order of their distance. A dict keeps that order.
    found: dict[str, None] = {}
    waiting = list(scripts)
    while waiting:
        script = waiting.pop(0)
        for begin, rest in IMPORT.findall(_text(script)):
            address = urljoin(script, begin + rest)
            # Imports may be circular, so visit each module only once.
            if address not in found and address not in scripts:
                found[address] = None
                waiting.append(address)
    return tuple(found)


def _text(address: str) -> str:
    """Return the source of a module; empty for one of an unknown game."""
    own = game_file_of(address)
    if own is None:
        return (STATIC / address.removeprefix("/static/")).read_text("utf-8")
    try:
        return script(screen_file(*own))
    except LookupError:
        return ""
