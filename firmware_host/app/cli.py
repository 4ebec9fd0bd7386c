"""The command `sniperboard`: reads the command line and hands over to the file of that command."""

from __future__ import annotations

import argparse
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from importlib.metadata import version
from io import TextIOWrapper
from pathlib import Path
from pkgutil import iter_modules
from typing import Any, Final, NoReturn

from engine.graph import Map
from engine.graph.fault import MapError
from firmware_host.core import ctrl_c, maps

PACKAGES: Final = ("firmware_host.app.commands", "lab.commands", "maker.commands")
"""The packages with commands. Each file in them is a command of the same name, and has a function `add_command`."""

OLD_NAMES: Final = {"house": "admin"}
"""Old names of commands, which are still accepted, with the current names."""

NOT_WRITTEN: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
"""Error numbers of a full disk. For standard output, the error has no file name."""


EXIT_SECONDS: Final = 5.0
"""Seconds that the interpreter may take to end after a command."""


def entry() -> NoReturn:
    """Run a command and exit. A thread or an exit handler of a game does not keep the process running."""
    gc.freeze()
    gc.enable()
    code = main()
    # The interpreter searches everything that was ever loaded for garbage when it ends, but the system frees it anyway.
    gc.freeze()
    # This is a daemon thread, so that the thread does not keep the process running.
    last = threading.Timer(EXIT_SECONDS, os._exit, (code,))
    last.daemon = True
    last.start()
    sys.exit(code)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit code."""
    _escape_unencodable()
    # Only the main thread may handle signals.
    if threading.current_thread() is threading.main_thread():
        ctrl_c.record_ctrl_c()
    try:
        try:
            return _run(arguments)
        finally:
            # Write the output now, because an error at the exit could not be handled.
            if sys.stdout is not None and not sys.stdout.closed:
                sys.stdout.flush()
    except BrokenPipeError:
        # The reader closed the pipe (`| head`): exit silently with the code of SIGPIPE.
        _discard_output()
        return 128 + signal.SIGPIPE
    except OSError as error:
        if error.errno not in NOT_WRITTEN or error.filename is not None:
            raise
        _discard_output()
        print(f"The output cannot be written: {error.strerror}. Send it to a disk with room.", file=sys.stderr)
        return os.EX_IOERR


def _run(arguments: Sequence[str] | None) -> int:
    """Parse the arguments and run the command. Arguments that a command parses itself are in `chosen.rest`."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    # Use a slice, because there may be no words at all.
    words[:1] = [OLD_NAMES.get(word, word) for word in words[:1]]
    line = parser(words[0] if words else None)
    chosen, unparsed = line.parse_known_args(words)
    if unparsed and not hasattr(chosen, "rest"):
        line.error(f"unrecognized arguments: {' '.join(unparsed)}")
    chosen.rest = unparsed
    code: int = chosen.run(chosen)
    return code


def _escape_unencodable() -> None:
    """Escape characters that the terminal cannot encode, so that printing never fails."""
    if isinstance(sys.stdout, TextIOWrapper) and sys.stdout.errors == "strict":
        sys.stdout.reconfigure(errors="backslashreplace")


def _discard_output() -> None:
    """Discard the remaining output, so that the interpreter reports no error at exit."""
    with suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def command_modules() -> dict[str, str]:
    """Return the module of each command by the command's name, in alphabetical order."""
    modules = {}
    for package in PACKAGES:
        for path in import_module(package).__path__:
            modules.update({module.name: f"{package}.{module.name}" for module in iter_modules([path])})
    return dict(sorted(modules.items()))


class _Version(argparse.Action):
    """The option that prints the version. Only this option reads it, because that takes 2 ms."""

    def __call__(self, parser: argparse.ArgumentParser, *_: Any) -> None:
        print(f"sniperboard {version('sniperboard')}")
        parser.exit()


def parser(command: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of one command, importing only its file; if the name is unknown, the parser of all commands.

    A command's `add_command(subparsers)` sets `run`, a function from parsed arguments to exit code.
    """
    main_parser = argparse.ArgumentParser(
        prog="sniperboard", description="A smart board that referees hidden-movement games."
    )
    main_parser.add_argument("--version", action=_Version, nargs=0, help="show program's version number and exit")
    subparsers = main_parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    modules = command_modules()
    for name in [command] if command in modules else modules:
        import_module(modules[str(name)]).add_command(subparsers)
    _describe_commands(main_parser)
    return main_parser


def _describe_commands(of: argparse.ArgumentParser) -> None:
    """Begin the help of each command with its line in the list of commands."""
    # argparse has no public way to list the subcommands of a parser.
    for action in of._actions:
        if isinstance(action, argparse._SubParsersAction):
            for line in action._choices_actions:
                about, child = line.help or "", action.choices[line.dest]
                child.description = child.description or f"{about[:1].upper()}{about[1:]}."
                _describe_commands(child)


def _compile_drawing(drawing: Path, progress: maps.Progress | None) -> Map:
    """Compile a drawing given by path. Raises `MapError`, also if the extra `maps` is not installed."""
    try:
        compiler = import_module("maker.mapping.drawings")
    except ModuleNotFoundError as error:
        remedy = "Install sniperboard with the extra maps, or name a compiled map."
        fault = f"a drawing must be compiled first, and {error.name} is not installed. {remedy}"
        raise MapError(str(drawing), [fault]) from error
    board: Map = compiler.compile_drawing(drawing, "loose", progress)
    return board


# The daemon's packages cannot import `maker`, so set its compiler here.
maps.compile_with(_compile_drawing)


if __name__ == "__main__":
    entry()
