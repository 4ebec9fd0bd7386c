"""`python -m tools.commands_page`: write docs/commands.md and docs/sniperboard.1 from the parsers.

docs/sniperboard.1 is the man page. A test compares both files with the output of this module.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Iterator
from typing import NamedTuple

from firmware_host.app.cli import command_modules, parser
from firmware_host.core.settings import SETTINGS
from maker.page_parts import DOCS, markdown_table, write_generated

PAGE, MAN = DOCS / "commands.md", DOCS / "sniperboard.1"

HEAD = """\
# The commands

`python -m tools.commands_page` generates this page from the program. `sniperboard COMMAND --help` prints the same text,
and so does `man sniperboard` after `make install`. If a command takes the settings, each setting is an option
([settings.md](settings.md)): `bot_pause_ms` is `--bot-pause-ms`.

In a copy of the source, after `make play` or `make setup`, the command is `.venv/bin/sniperboard`. The `python` and
`pip` in this manual are then `.venv/bin/python` and `.venv/bin/pip`.

Every command exits with **74** if its output cannot be written, for example on a full disk.

"""
EXIT = re.compile(r"Exit codes: (.*?)\.(?:\s|$)", re.DOTALL)
SETTING_NAMES = frozenset(setting.name for setting in SETTINGS)
MANY_SETTINGS = 10
"""A command with at least this many settings takes all of them; the page lists them only once."""


class CommandArgument(NamedTuple):
    """An option or an argument: its syntax, its description, and the setting that it overrides."""

    written: str
    help: str
    setting: str = ""

    @property
    def name(self) -> str:
        """Return the option itself, the first of several names."""
        return re.split(r"[ ,]", self.written)[0]


class CommandHelp(NamedTuple):
    """One command: its words, its purpose, its arguments, its epilog, and its exit codes."""

    words: str
    about: str
    arguments: tuple[CommandArgument, ...]
    epilog: str
    codes: tuple[str, ...]

    @property
    def usage(self) -> str:
        named = [it.written for it in self.arguments if not it.written.startswith("-")]
        return " ".join([self.words, *named, *["[OPTION …]"][: len(self.arguments) - len(named)]])

    @property
    def settings(self) -> tuple[CommandArgument, ...]:
        """Return the settings among the arguments, if it takes all of them."""
        found = tuple(it for it in self.arguments if it.setting)
        return found if len(found) >= MANY_SETTINGS else ()

    @property
    def other_arguments(self) -> tuple[CommandArgument, ...]:
        return tuple(it for it in self.arguments if it not in self.settings)


def commands(whole: argparse.ArgumentParser | None = None) -> list[CommandHelp]:
    """Return all commands in order, without groups."""
    return list(_in(whole or parser(), "sniperboard", ""))


def _in(of: argparse.ArgumentParser, words: str, about: str) -> Iterator[CommandHelp]:
    # argparse has no public way to list the subcommands of a parser.
    inner = [action for action in of._actions if isinstance(action, argparse._SubParsersAction)]
    for action in inner:
        told = {choice.dest: choice.help or "" for choice in action._choices_actions}
        for name, child in action.choices.items():
            yield from _in(child, f"{words} {name}", told.get(name, ""))
    if not inner:
        shown = (it for it in of._actions if it.dest != "help" and it.help != argparse.SUPPRESS)
        arguments = tuple(_argument(action) for action in shown)
        yield CommandHelp(words, about, arguments, of.epilog or "", _codes(words.split()[1]))


def _argument(action: argparse.Action) -> CommandArgument:
    value = _value(action)
    if not action.option_strings:
        return CommandArgument(value, _help(action))
    names = ", ".join(action.option_strings)
    return CommandArgument(f"{names} {value}".strip(), _help(action), action.dest * (action.dest in SETTING_NAMES))


def _value(action: argparse.Action) -> str:
    """Return the placeholder of the value, for example `A B` or `[SPACE …]`."""
    if action.nargs == 0 or isinstance(action, argparse.BooleanOptionalAction):
        return ""
    choices = "|".join(map(str, action.choices)) if action.choices is not None else ""
    name = action.metavar or choices or action.dest.replace("_", "-").upper()
    if isinstance(name, tuple):
        return " ".join(name)
    return {"*": f"[{name} …]", "+": f"{name} …", "?": f"[{name}]"}.get(str(action.nargs), name)


def _help(action: argparse.Action) -> str:
    return (action.help or "") % {**vars(action), "prog": "sniperboard"} if action.help else ""


def _codes(name: str) -> tuple[str, ...]:
    """Return the exit codes in the docstring of a command's module."""
    module = command_modules().get(name)
    # The exit codes are in the docstrings, next to the code that returns them.
    said = None if module is None else EXIT.search(sys.modules[module].__doc__ or "")
    return tuple(code.strip() for code in " ".join(said[1].split()).split(" · ")) if said else ()


# --- the page ---------------------------------------------------------------------------------------------------


def page(found: list[CommandHelp]) -> str:
    return HEAD + "\n".join("\n".join(_section(command)) + "\n" for command in found)


def _section(command: CommandHelp) -> Iterator[str]:
    yield f"## {command.words}\n"
    yield f"{command.about[:1].upper()}{command.about[1:]}.\n"
    yield f"    {command.usage}\n"
    if command.other_arguments:
        rows = ((f"`{it.written}`", it.help) for it in command.other_arguments)
        yield f"{markdown_table(('argument', 'description'), rows)}\n"
    if command.settings:
        yield f"Also an option for each setting: {', '.join(f'`{it.name}`' for it in command.settings)}.\n"
    if command.epilog:
        yield f"{command.epilog}\n"
    if command.codes:
        yield "Exit codes: " + " · ".join(f"**{code.replace(' ', '** ', 1)}" for code in command.codes) + ".\n"


# --- the man page -----------------------------------------------------------------------------------------------

MAN_HEAD = """\
.\\" Made by `python -m tools.commands_page`.
.TH SNIPERBOARD 1 "" "sniperboard" "User Commands"
.SH NAME
sniperboard \\- a smart board that referees hidden\\-movement games
.SH SYNOPSIS
.B sniperboard
.I COMMAND
[\\fIOPTION\\fR ...]
.SH DESCRIPTION
The table reads the sensors of a board, serves screens to phones, applies the rules of the games and lights the lamps.
Each viewer sees only what that viewer may know. A running table serves the manual at /docs.
.SH COMMANDS
"""


def man(found: list[CommandHelp]) -> str:
    lines = [line for command in found for line in _man_section(command)]
    # Settings are the same in all commands, so the man page lists each only once.
    named = {it.setting: it for command in found for it in command.settings}
    settings = [line for it in named.values() for line in (".TP", f".B {_roff(it.written)}", _roff(it.help))]
    ending = [
        ".SH SETTINGS",
        "Options of the commands that take the settings. In a settings file they are in [sniperboard].",
        *settings,
    ]
    return MAN_HEAD + "\n".join([*lines, *ending, *MAN_TAIL]) + "\n"


MAN_TAIL = (
    ".SH FILES",
    ".TP",
    ".I /etc/sniperboard/sniperboard.toml",
    "The settings of the service.",
    ".TP",
    ".I /var/lib/sniperboard",
    "The games of the service.",
    ".SH SEE ALSO",
    ".BR systemctl (1),",
    ".BR journalctl (1)",
)


def _man_section(command: CommandHelp) -> Iterator[str]:
    yield f".SS {_roff(command.usage)}"
    yield _roff(f"{command.about[:1].upper()}{command.about[1:]}.")
    for it in command.other_arguments:
        yield from (".TP", f".B {_roff(it.written)}", _roff(it.help or "As its name says."))
    if command.settings:
        yield from (".PP", "Also an option for each of the SETTINGS.")
    if command.epilog:
        yield from (".PP", _roff(command.epilog))
    if command.codes:
        yield from (".PP", "Exit codes:")
        for code in command.codes:
            number, _, meaning = code.partition(" ")
            yield from (".RS", ".TP", f".B {number}", _roff(meaning), ".RE")


def _roff(text: str) -> str:
    """Return a line of text with all roff requests escaped."""
    # roff interprets a plain hyphen as a typographic one, which would break copied options.
    plain = text.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("“", '"').replace("”", '"')
    return re.sub(r"^([.'])", r"\\&\1", plain).replace("·", "-").replace("→", "->").replace("’", "'")


if __name__ == "__main__":
    found = commands()
    raise SystemExit(write_generated({PAGE: page(found), MAN: man(found)}))
