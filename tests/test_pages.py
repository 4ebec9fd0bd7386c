"""The generated pages match the program, and the driver in the author's guide works."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import ModuleType

import pytest

from firmware_host.core.settings import SETTINGS
from hardware.drivers import DriverContext
from hardware.ports import HardwareFault
from tools import commands_page
from tools.manual import SitePage

DOCS = Path(__file__).resolve().parent.parent / "docs"


def test_command_pages_match_the_parsers() -> None:
    found = commands_page.commands()
    assert commands_page.PAGE.read_text("utf-8") == commands_page.page(found), "python -m tools.commands_page"
    assert commands_page.MAN.read_text("utf-8") == commands_page.man(found), "python -m tools.commands_page"


def test_every_option_has_help() -> None:
    silent = [(it.words, one.written) for it in commands_page.commands() for one in it.arguments if not one.help]
    assert silent == []


def test_man_page_lists_every_setting_and_command() -> None:
    text = commands_page.MAN.read_text("utf-8").replace("\\-", "-")
    assert [setting.name for setting in SETTINGS if f"--{setting.name.replace('_', '-')}" not in text] == []
    assert [command.words for command in commands_page.commands() if f".SS {command.words}" not in text] == []


def panel_driver() -> ModuleType:
    """The driver from the authors' page."""
    code = re.search(r"```python\n(.*?)```", (DOCS / "driver-author.md").read_text("utf-8"), re.DOTALL)
    assert code is not None
    made = ModuleType("text_panel")
    exec(compile(code[1], "driver-author.md", "exec"), made.__dict__)
    return made


def test_driver_of_authors_page_lights_a_panel() -> None:
    kind, (ours, theirs) = panel_driver().KIND, os.openpty()
    context = DriverContext(3, lambda: 0.0, lambda _: None, Path())
    lamps = kind.open({"port": os.ttyname(theirs)}, context).lamps
    lamps.show(((255, 0, 0), (0, 255, 0), (0, 0, 1)))
    assert os.read(ours, 100).split() == [b"ff0000", b"00ff00", b"000001"]
    with pytest.raises(ValueError, match="1 colours was given to 3 lamps"):
        lamps.show(((0, 0, 0),))
    lamps.stop()
    lamps.stop()
    assert os.read(ours, 100).split() == [b"000000"] * 3
    with pytest.raises(HardwareFault, match="Check the cable"):
        kind.open({"port": "/dev/nothing"}, context)


@pytest.mark.parametrize(
    ("markup", "fault"),
    [
        ("<p>One\n- two\n- three</p>", "Markdown that was not understood"),
        ("<p>One\n1. two</p>", "Markdown that was not understood"),
        ("<p>```sh\nmake</p>", "Markdown that was not understood"),
        ('<td style="color: red">', "style or script in the markup of <td>"),
        ("<script>alert(1)</script>", "<script> in the markup"),
        ('<img src="a.png">', "a picture without alt text: a.png"),
    ],
)
def test_page_that_the_table_cannot_show_is_reported(markup: str, fault: str) -> None:
    assert [found[: len(fault)] for found in SitePage(markup).faults] == [fault]


def test_valid_page_is_not_reported() -> None:
    page = SitePage('<h2 id="here">A</h2><p>One - two</p><pre>- a</pre><script src="a.js"></script><a href="b.html#c">')
    assert (page.faults, page.anchors, page.links) == ([], {"here"}, ["a.js", "b.html#c"])
