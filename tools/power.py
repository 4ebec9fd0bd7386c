"""A power button and a status light, configured in a Raspberry Pi's config.txt (docs/travelling.md)."""

from __future__ import annotations

from pathlib import Path

from tools import steps
from tools.errors import ToolError
from tools.steps import InstallStep

BUTTON, LIGHT = 3, 2
"""GPIO numbers of the button and of the light.

No driver's default pins include them, except the I²C bus of `mcp23017`. A button at GPIO 3 also starts a Pi 1
to 4 that has been shut down.
"""
BEGIN, END = "# sniperboard: power button and light", "# sniperboard: end"
LINES = (
    f"dtoverlay=gpio-shutdown,gpio_pin={BUTTON}",
    f"dtoverlay=gpio-led,gpio={LIGHT},active_low=1,trigger=default-on,label=sniperboard",
)
"""The kernel treats the button as the power key, and turns the light off right before it stops."""
CONFIGS = ("boot/firmware/config.txt", "boot/config.txt")


def install_step(root: Path) -> InstallStep:
    """Return the step that adds button and light to config.txt. Raises `ToolError` if there is none."""
    path = next((root / name for name in CONFIGS if (root / name).is_file()), None)
    if path is None:
        raise ToolError("There is no config.txt here. A power button needs a Raspberry Pi.")
    text = steps.read_text(path)
    return InstallStep(
        f"a power button at GPIO {BUTTON} and a light at GPIO {LIGHT} in {path}, after the next start",
        lambda: _block() in text,
        lambda: steps.write_text(path, f"{without_block(text).rstrip()}\n\n{_block()}", 0o755),
    )


def uninstall_steps(root: Path) -> list[InstallStep]:
    return [_taken_out(root / name) for name in CONFIGS if BEGIN in steps.read_text(root / name)]


def _taken_out(path: Path) -> InstallStep:
    return InstallStep(
        f"no power button in {path}",
        lambda: BEGIN not in steps.read_text(path),
        lambda: steps.write_text(path, without_block(steps.read_text(path)), 0o755),
    )


def without_block(text: str) -> str:
    """Return a config.txt without the table's lines."""
    before, begun, rest = text.partition(f"{BEGIN}\n")
    return before.rstrip() + "\n" + rest.partition(f"{END}\n")[2] if begun else text


def _block() -> str:
    """Return the table's lines. They begin with `[all]`, because the preceding lines may be for one model only."""
    return "\n".join((BEGIN, "[all]", *LINES, END)) + "\n"
