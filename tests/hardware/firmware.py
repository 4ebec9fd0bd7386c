"""The hardware-independent half of the firmware in this interpreter, for tests in simulated time. MicroPython runs it
in other tests.

The MicroPython features are stubs here: viper compiles nothing, and its pointers are the buffers themselves.
"""

from __future__ import annotations

import builtins
import importlib
import sys
from types import ModuleType
from typing import Any

from tests.hardware.pico import FIRMWARE

MODULES = ("frames", "debounce", "dimmer", "marker", "proof", "board")


def _load() -> dict[str, Any]:
    """Import the modules and remove their short names again."""
    stand_in = ModuleType("micropython")
    vars(stand_in)["viper"] = lambda function: function
    before = {name: sys.modules.pop(name, None) for name in (*MODULES, "micropython")}
    sys.modules["micropython"] = stand_in
    sys.path.insert(0, str(FIRMWARE))
    vars(builtins)["ptr8"] = vars(builtins)["ptr32"] = memoryview
    try:
        return {name: importlib.import_module(name) for name in MODULES}
    finally:
        del vars(builtins)["ptr8"], vars(builtins)["ptr32"]
        sys.path.remove(str(FIRMWARE))
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


LOADED = _load()
Board: Any = LOADED["board"].Board
Debounce: Any = LOADED["debounce"].Debounce
dim: Any = LOADED["dimmer"].dim
Proof: Any = LOADED["proof"].Proof
SURE: int = LOADED["proof"].SURE
VERSION: str = LOADED["board"].VERSION
KNOCK: bytes = LOADED["board"].KNOCK
BREATH_LEVEL: int = LOADED["board"].BREATH_LEVEL
