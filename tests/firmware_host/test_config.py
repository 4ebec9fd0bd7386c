"""Settings are read once and checked all together; each fault is a message with its remedy."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from firmware_host.app.commands import config as cli_config
from firmware_host.app.commands import run as cli_run
from firmware_host.core.settings import FORMER_NAMES, SETTINGS, ConfigError, Settings, read_file, settle
from firmware_host.core.settings_options import settings_of

EVERYTHING_ELSE = ("firmware_host", "web_panel")
ROOT = Path(__file__).resolve().parents[2]


def run_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser()
    cli_run.add_command(parser.add_subparsers())
    return parser


def test_every_setting_has_default_without_file() -> None:
    settings = settle()
    assert all(getattr(settings, setting.name) == setting.default for setting in SETTINGS)
    assert {field.name for field in fields(Settings)} == {"drivers", "given", *(setting.name for setting in SETTINGS)}


def test_later_layer_wins_and_none_means_not_given() -> None:
    assert settle({"port": 1000}, {"port": 2000}, {"port": None}).port == 2000


@pytest.mark.parametrize(("former", "name"), FORMER_NAMES.items())
def test_former_name_is_accepted_with_one_note(
    former: str, name: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (setting,) = (it for it in SETTINGS if it.name == name)
    value = {bool: False, int: 77, str: "x"}[type(setting.default)]
    file = tmp_path / "sniperboard.toml"
    file.write_text(f"[sniperboard]\n{former} = {json.dumps(value)}\n")
    option = "--" + former.replace("_", "-")
    words = [option.replace("--", "--no-")] if value is False else [option, str(value)]
    for line in (["--config", str(file)], words):
        caplog.clear()
        settings = settings_of(run_parser().parse_args(["run", *line]))
        assert (getattr(settings, name), settings.given) == (value, {name})
        assert [record.getMessage() for record in caplog.records] == [
            f"The setting {former} is now called {name}. Its former name still works."
        ]
    assert getattr(settle({name: setting.default, former: value}), name) == setting.default


def test_all_errors_are_reported_at_once() -> None:
    with pytest.raises(ConfigError) as caught:
        settle({"prot": 1, "brightness": 3.0, "map": 7})
    assert len(caught.value.faults) == 3
    assert "prot: unknown setting. Did you mean port?" in caught.value.faults
    assert any("brightness: 3.0 is not between 0.05 and 1.0" in fault for fault in caught.value.faults)
    assert any("map: expected str, got 7" in fault for fault in caught.value.faults)


def test_file_is_read_and_integer_is_accepted_as_fraction(tmp_path: Path) -> None:
    file = tmp_path / "sniperboard.toml"
    file.write_text("[sniperboard]\nport = 8123\nbrightness = 1\n")
    settings = settle(read_file(file))
    assert (settings.port, settings.brightness) == (8123, 1.0)


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("port = [", "not TOML"),
        ("port = 1\n", r"port is in no table; move it below \[sniperboard\]"),
        ("[sniperboard.simulated]\n", r"write \[simulated\], not \[sniperboard\.simulated\]"),
        ("sniperboard = 5\n", "as a table"),
    ],
)
def test_invalid_file_is_reported(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "sniperboard.toml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=sentence):
        read_file(file)


def test_missing_file_is_reported(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_file(tmp_path / "no.toml")


@pytest.mark.parametrize("add, name", [(cli_run.add_command, "run"), (cli_config.add_command, "config")])
@pytest.mark.parametrize("words, wanted", [([], False), (["--possible-hints"], True), (["--no-possible-hints"], False)])
def test_boolean_settings_are_options_of_command_line(
    words: list[str], wanted: bool, add: Callable[[Any], None], name: str
) -> None:
    parser = argparse.ArgumentParser()
    add(parser.add_subparsers())
    given = vars(parser.parse_args([name, *words]))
    assert settle({setting.name: given[setting.name] for setting in SETTINGS}).possible_hints is wanted


def test_every_setting_is_read() -> None:
    files = [file for folder in EVERYTHING_ELSE for file in (ROOT / folder).rglob("*.py") if file.name != "config.py"]
    sources = "".join(file.read_text("utf-8") for file in files)
    unread = [setting.name for setting in SETTINGS if f"settings.{setting.name}" not in sources]
    assert unread == []


def test_driver_gets_its_table_and_defaults() -> None:
    assert settle().drivers == {"simulated": {}}


def test_unknown_tables_and_drivers_are_reported_with_the_nearest_name() -> None:
    with pytest.raises(ConfigError) as caught:
        settle({"port": "x", "simulatd": {"a": 1}, "simulated": {"b": 2}})
    assert caught.value.faults[0].startswith("port: expected int")
    assert "[simulatd]: unknown table. Did you mean [simulated]?" in caught.value.faults
    assert any(fault.startswith("[simulated] b: unknown option.") for fault in caught.value.faults)
    with pytest.raises(ConfigError) as caught:
        settle({"board": "cardboard", "lamps": "simulate", "controls": "simulated, bell"})
    named = [fault.split(";")[0] for fault in caught.value.faults]
    assert named == [
        f"{setting}: there is no driver '{name}'"
        for setting, name in (("board", "cardboard"), ("lamps", "simulate"), ("controls", "bell"))
    ]
    assert "Did you mean simulated?" in caught.value.faults[1]
