"""`python -m tools.settings_page`: write docs/settings.md, all settings and drivers' options.

The tables come from the declarations. A test compares the page with the output of this module.
"""

from __future__ import annotations

import json
from collections.abc import Iterable

from firmware_host.core.settings import FORMER_NAMES, SETTINGS, Setting
from hardware import drivers
from hardware.drivers import DriverOption
from maker.page_parts import DOCS, markdown_table, write_generated

PAGE = DOCS / "settings.md"

HEAD = """\
# The settings

`sniperboard config` prints a settings file with all settings and driver options. On the command line, `bot_pause_ms` is
`--bot-pause-ms`. The command line overrides the file.

A setting that you change on the admin page takes effect at once and is stored with the games. The admin page cannot
change settings that the file or the command line sets. SIGHUP reloads the file (`systemctl reload sniperboard`).

`python -m tools.settings_page` generates this page from `Settings` in `firmware_host/core/settings.py`.
"""

FORMER = """
Former names are still accepted, with a note in the log: {former}.
"""
DRIVERS = """
## Driver options

In the settings file, put the options of a driver into a table with its name, for example `[board_link]`. They take
effect at the next start.
"""


def page(settings: Iterable[Setting] = SETTINGS) -> str:
    kinds = {name: drivers.find(name).options for name in drivers.names()}
    former = ", ".join(f"`{old}` ({new})" for old, new in FORMER_NAMES.items())
    rows = ((*_cells(setting), setting.change.value) for setting in settings)
    return (
        f"{HEAD}\n{markdown_table(('setting', 'description', 'default', 'allowed', 'can change'), rows)}\n"
        + FORMER.format(former=former)
        + DRIVERS
        + "".join(_driver(name, options) for name, options in kinds.items() if options)
    )


def _driver(name: str, options: Iterable[DriverOption]) -> str:
    return f"\n### {name}\n\n{markdown_table(('option', 'description', 'default', 'allowed'), map(_cells, options))}\n"


def _cells(of: Setting | DriverOption) -> tuple[str, ...]:
    return f"`{of.name}`", of.help, f"`{json.dumps(of.default)}`", _limits(of)


def _limits(setting: Setting | DriverOption) -> str:
    if setting.choices:
        return ", ".join(f"`{choice}`" if choice else "empty" for choice in setting.choices)
    if setting.low is not None:
        return f"{setting.low:.12g} to {setting.high:.12g}"
    return "true, false" if isinstance(setting.default, bool) else ""


if __name__ == "__main__":
    raise SystemExit(write_generated({PAGE: page()}))
