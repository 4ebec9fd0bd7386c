"""A setting is declared in one place and appears everywhere: command line, file, admin page, docs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import pytest

from firmware_host.admin.choices import PAGE_SETTINGS, Kind
from firmware_host.core.settings import Change
from tools import settings_page

ROOT = Path(__file__).resolve().parents[2]
DECLARATION = '    glow: int = setting(7, "How much the board glows.", 0, 9, change=ON_ADMIN_PAGE)\n'

ONE_MORE = """
import io, json, sys, types
from argparse import ArgumentParser
from dataclasses import replace
from pathlib import Path
import firmware_host.app, firmware_host.core

folder, declaration = Path(sys.argv[1]), sys.argv[2]
name, path = "firmware_host.core.settings", Path("firmware_host/core/settings.py")
module = types.ModuleType(name)
module.__file__ = str(path.resolve())
sys.modules[name] = firmware_host.core.settings = module
before, streams, after = path.read_text("utf-8").partition("    max_streams: int")
exec(compile(before + declaration + streams + after, path, "exec"), module.__dict__)

from firmware_host.admin.choices import Choices
from firmware_host.core.logbook import Logbook
from firmware_host.admin.page import AdminPage
from firmware_host.admin.choices import reload_settings
from firmware_host.app.commands.config import settings_toml
from firmware_host.app.commands.run import add_command
from firmware_host.core.settings_options import settings_of
from firmware_host.records.journal import Journal
from firmware_host.core.errors import UserError
from tools.settings_page import page

parser = ArgumentParser()
add_command(parser.add_subparsers())
chosen = settings_of(parser.parse_args(["run", "--glow", "8"]))
file = folder / "some.toml"
file.write_text("[sniperboard]\\nglow = 5")
read = settings_of(parser.parse_args(["run", "--config", str(file)]))
file.write_text("[sniperboard]\\nglow = 10")
try:
    faults = settings_of(parser.parse_args(["run", "--config", str(file)]))
except module.ConfigError as error:
    faults = error.faults
choices = Choices(module.settle(), Journal(folder / "games.sqlite"))
choices.choose({"glow": 3})
try:
    refused = choices.choose({"glow": 10})
except UserError as error:
    refused = error.sentence
table = {"board": {"sensors": {"driver": "", "count": 0}, "lamps": {"driver": "", "count": 0}, "ills": []},
         "map": "", "stage": "", "choices": choices.page_facts()}
board = {"state": "", "wiring": [], "health": [], "edges": []}
print(json.dumps({
    "option": chosen.glow, "file": read.glow, "faults": faults,
    "document": settings_toml(), "page": page(),
    "choices": choices.page_facts(), "now": choices.settings.glow, "refused": refused,
    "reloaded": reload_settings(module.settle(), replace(module.settle(), glow=1)).changed,
    "report": AdminPage(read, Logbook(), network=lambda: None).report(table, board),
}))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return how a table with one more line in `Settings` shows that setting, everywhere."""
    command = [sys.executable, "-c", ONE_MORE, str(tmp_path_factory.mktemp("state")), DECLARATION]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    told: dict[str, Any] = json.loads(done.stdout)
    return told


def test_command_line_and_file_accept_and_check_it(found: dict[str, Any]) -> None:
    assert (found["option"], found["file"]) == (8, 5)
    assert found["faults"] == ["glow: 10 is not between 0 and 9. How much the board glows."]


def test_sample_file_and_page_of_settings_explain_it(found: dict[str, Any]) -> None:
    assert "# How much the board glows. From 0 to 9.\n#glow = 7\n" in found["document"]
    row = f"| `glow` | How much the board glows. | `7` | 0 to 9 | {Change.ON_ADMIN_PAGE.value} |"
    assert row in found["page"].splitlines()


def test_admin_page_offers_and_checks_it(found: dict[str, Any]) -> None:
    (offered,) = (choice for choice in found["choices"] if choice["name"] == "glow")
    limits = {"kind": "number", "low": 0, "high": 9, "choices": []}
    assert offered == {"name": "glow", "value": 3, "default": 7, "fixed": False, **limits}
    assert found["now"] == 3
    assert found["refused"] == found["faults"][0]


def test_it_can_be_reloaded_and_is_in_report(found: dict[str, Any]) -> None:
    assert found["reloaded"] == ["glow"]
    assert "glow = 5" in found["report"]


def test_page_of_settings_matches_code() -> None:
    assert settings_page.PAGE.read_text("utf-8") == settings_page.page(), "python -m tools.settings_page"


def test_each_kind_of_choice_has_its_control_on_admin_page() -> None:
    script = (ROOT / "web_panel" / "static" / "admin.js").read_text("utf-8")
    (controls,) = re.findall(r"^const CONTROLS = \{(.*?)\}", script, re.MULTILINE | re.DOTALL)
    assert {*re.findall(r"(\w+):", controls)} == {*get_args(Kind)}


def test_every_choice_on_admin_page_has_its_own_label() -> None:
    words = (ROOT / "web_panel" / "languages" / "en.po").read_text("utf-8")
    assert [name for name in PAGE_SETTINGS if f'msgid "admin.choice.{name}"\n' not in words] == []
