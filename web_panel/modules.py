"""Which modules the script of a page is made of: a browser that is told asks for all of them at once, and not for each
when it has read who needs it. Modules are named by their addresses.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from urllib.parse import urljoin

from web_panel.halves import half_address, screen_file

STATIC = Path(__file__).resolve().parent / "static"
IMPORT = re.compile(r'^(?:import|export)\b[^;"]*"(\./|/)([\w/-]+\.js)";', re.MULTILINE)


@cache
def modules(*scripts: str) -> tuple[str, ...]:
    """All modules that some scripts import, and those import, each once; without the scripts themselves."""
    found: dict[str, None] = {}
    waiting = list(scripts)
    while waiting:
        script = waiting.pop(0)
        for begin, rest in IMPORT.findall(_text(script)):
            address = urljoin(script, begin + rest)
            if address not in found and address not in scripts:
                found[address] = None
                waiting.append(address)
    return tuple(found)


def _text(address: str) -> str:
    """A module. One of a game that cannot be read is empty here: what a game imports is no fault of the page."""
    try:
        return _file(address).read_text("utf-8")
    except (LookupError, OSError, ValueError):
        if half_address(address) is None:
            raise
        return ""


def _file(address: str) -> Path:
    """Where the module of an address lies. Raises `LookupError` for one of a game that is not there."""
    own = half_address(address)
    return STATIC / address.removeprefix("/static/") if own is None else screen_file(*own)
