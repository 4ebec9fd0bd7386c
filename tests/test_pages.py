"""The manual's made pages are those of the program, and what the program says of trouble is found in them."""

from __future__ import annotations

import os
import re
from pathlib import Path
from types import ModuleType

import pytest

from firmware_host.app.cli import main
from firmware_host.app.settings import SETTINGS
from hardware.drivers import DriverContext
from hardware.ports import HardwareFault
from tools import commands_page, sentences_page
from tools.manual import SitePage

DOCS = Path(__file__).resolve().parent.parent / "docs"
LEARNED_FROM = re.compile(r"^- (.*)$", re.MULTILINE)


def test_the_pages_of_commands_are_those_of_the_parsers() -> None:
    found = commands_page.commands()
    assert commands_page.PAGE.read_text("utf-8") == commands_page.page(found), "python -m tools.commands_page"
    assert commands_page.MAN.read_text("utf-8") == commands_page.man(found), "python -m tools.commands_page"


def test_every_option_says_what_it_is_for() -> None:
    silent = [(it.words, one.written) for it in commands_page.commands() for one in it.arguments if not one.help]
    assert silent == []


def test_the_man_page_tells_of_every_setting_and_of_every_command() -> None:
    text = commands_page.MAN.read_text("utf-8").replace("\\-", "-")
    assert [setting.name for setting in SETTINGS if f"--{setting.name.replace('_', '-')}" not in text] == []
    assert [command.words for command in commands_page.commands() if f".SS {command.words}" not in text] == []


def test_the_page_of_sentences_is_that_of_the_source_and_leads_to_chapters_of_the_guide() -> None:
    page = sentences_page.PAGE.read_text("utf-8")
    assert page == sentences_page.page(), "python -m tools.sentences_page"
    chapters = re.findall(r"^## (.*)$", sentences_page.GUIDE.read_text("utf-8"), re.MULTILINE)
    assert set(re.findall(r"^## (.*)$", page, re.MULTILINE)) <= set(chapters)


def test_a_file_of_a_new_folder_needs_a_chapter() -> None:
    with pytest.raises(LookupError, match=r"engine/new\.py is in no chapter"):
        sentences_page.chapter_of("engine/new.py")
    assert sentences_page.chapter_of("firmware_host/lab/diagnostics/doctor.py") == "What the doctor says"


def is_found(said: str) -> bool:
    """Whether the page of sentences has this one, whatever stands in its places."""
    plain = (re.sub(r"\\(.)", r"\1", line) for line in LEARNED_FROM.findall(sentences_page.PAGE.read_text("utf-8")))
    patterns = (".*".join(map(re.escape, line.split("…"))) for line in plain if len(line) > 20)
    return any(re.search(pattern, " ".join(said.split())) for pattern in patterns)


@pytest.mark.parametrize(
    "words",
    [
        ("run", "--config", "nothing.toml"),
        ("run", "--board", "reed_matrx"),
        ("run", "--simulate", "--faults", "nothing.toml"),
        ("hw", "scan", "--board", "board_link"),
        ("hw", "scan", "--board", "shift_register"),
        ("map", "check", "nothing"),
        ("map", "render", "launch-facility", "--out", "here/there/it.png", "--sight", "Y1", "Z99"),
        ("games", "show", "7"),
        ("board", "flash", "--port", "/dev/nothing"),
        ("rules", "MP-NOTHING-03"),
    ],
    ids=" ".join,
)
def test_what_a_command_says_is_found(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) != 0
    said = capsys.readouterr()
    assert is_found(said.err or said.out), said.err or said.out


def test_what_the_program_never_says_is_not_found() -> None:
    assert not is_found("The moon is out of reach of the table. Wait until it comes nearer.")


def panel_driver() -> ModuleType:
    """The driver that the authors' page writes."""
    code = re.search(r"```python\n(.*?)```", (DOCS / "driver-author.md").read_text("utf-8"), re.DOTALL)
    assert code is not None
    made = ModuleType("text_panel")
    exec(compile(code[1], "driver-author.md", "exec"), made.__dict__)
    return made


def test_the_driver_of_the_authors_page_lights_a_panel() -> None:
    kind, (ours, theirs) = panel_driver().KIND, os.openpty()
    context = DriverContext(3, lambda: 0.0, lambda _: None, Path())
    lamps = kind.open({"port": os.ttyname(theirs)}, context).lamps
    lamps.show(((255, 0, 0), (0, 255, 0), (0, 0, 1)))
    assert os.read(ours, 100).split() == [b"ff0000", b"00ff00", b"000001"]
    with pytest.raises(ValueError, match="1 colours for 3 lamps"):
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
        ('<img src="a.png">', "a picture without words: a.png"),
    ],
)
def test_a_page_that_the_table_cannot_show_is_noticed(markup: str, fault: str) -> None:
    assert [found[: len(fault)] for found in SitePage(markup).faults] == [fault]


def test_a_page_that_is_well_is_let_be() -> None:
    page = SitePage('<h2 id="here">A</h2><p>One - two</p><pre>- a</pre><script src="a.js"></script><a href="b.html#c">')
    assert (page.faults, page.anchors, page.leads) == ([], {"here"}, ["a.js", "b.html#c"])
