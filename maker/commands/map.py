"""`sniperboard map …`: check, compile, draw and list maps, and test lines of sight.

This module only handles the terminal; `engine.graph` checks and draws.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

from engine.graph.check import Measure
from engine.graph.compiled import dump
from engine.graph.fault import MapError, did_you_mean, printable
from engine.graph.model import Map
from engine.graph.svg import draw
from engine.text import and_list
from firmware_host.core import maps
from maker.editor.command import add_edit_options, edit_map
from maker.kit_output.command import add_kit_options, write_kit
from maker.mapping import drawings
from maker.mapping.blockers import Blame, find_blame
from maker.mapping.heat import heat_overlay
from maker.mapping.sightline import sight_overlay
from maker.mapping.wiring import wiring_overlay
from maker.output_files import mark_png, write_picture, write_tables
from maker.png import render_png

ENDINGS = (".svg", ".png")
WHICH = "a drawing, or the name of a map"
WIDTHS = range(100, 12_001)
"""Allowed widths of a PNG, in pixels."""

Command = Callable[[argparse.Namespace], int]


def add_command(subparsers: Any) -> None:
    """Add `map` with its subcommands. Each sets `run`, a function from parsed arguments to exit status."""
    commands = subparsers.add_parser("map", help="check, compile, draw and build maps").add_subparsers(
        title="commands", required=True, metavar="COMMAND"
    )
    _add_checks(commands)
    _add_pictures(commands)

    add_kit_options(
        _add(commands, "kit", write_kit, "write a folder with everything to print, cut, buy and solder"), _file_argument
    )
    add_edit_options(
        _add(commands, "edit", edit_map, "draw a map in the browser, over a photo of a board"), _file_argument
    )
    _add(commands, "list", _list, "list the maps")


def _add(commands: Any, name: str, command: Command, text: str) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text)
    parser.set_defaults(run=_with_map_errors(command))
    return parser


def _add_checks(commands: Any) -> None:
    check = _add(commands, "check", _check, "list all errors in a drawing")
    check.add_argument("map", metavar="FILE|NAME", help=WHICH)
    check.add_argument("--loose", action="store_true", help="skip checks that only a real board needs: room for bases")

    compile_ = _add(commands, "compile", _compile, "check a drawing and write its compiled tables")
    compile_.add_argument("map", metavar="FILE|NAME", help=WHICH)
    compile_.add_argument(
        "--out", type=_file_argument, help=f"output file (default: {maps.COMPILED} next to the drawing)"
    )
    compile_.add_argument("--loose", action="store_true", help="as for `map check`")


def _add_pictures(commands: Any) -> None:
    sight = _add(commands, "sight", _sight, "print whether one space sees another, the distance, and the line of sight")
    sight.add_argument("map", metavar="FILE|NAME", help=WHICH)
    sight.add_argument("a", metavar="A", help="space to look from, for example Y7")
    sight.add_argument("b", metavar="B", help="space to look at")
    sight.add_argument("--out", "--svg", type=_picture_file, help="draw the line to this file, .svg or .png")
    _add_width(sight)

    render = _add(commands, "render", _render, "draw a map as SVG or PNG")
    render.add_argument("map", metavar="FILE|NAME", help=WHICH)
    render.add_argument("--out", type=_picture_file, help="output file, .svg or .png (default: print SVG)")
    over = render.add_mutually_exclusive_group()
    over.add_argument("--sight", nargs=2, metavar=("A", "B"), help="also draw the line of sight between two spaces")
    over.add_argument("--heat", action="store_true", help="colour each space by how many others it sees")
    over.add_argument("--wiring", action="store_true", help="draw the numbers of sensors and lamps, and their chain")
    _add_width(render)


def _add_width(command: argparse.ArgumentParser) -> None:
    command.add_argument(
        "--width", type=_width_argument, default=2400, help="width of a PNG, in pixels (default: 2400)"
    )


def _file_argument(word: str) -> Path:
    if Path(word).name:
        return Path(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a file name. Name the file to write.")


def _picture_file(word: str) -> Path:
    if Path(word).suffix.lower() in ENDINGS:
        return Path(word)
    raise argparse.ArgumentTypeError(
        f"{word!r} is not the name of a picture. Use a name that ends in {' or '.join(ENDINGS)}."
    )


def _width_argument(word: str) -> int:
    if word.isdecimal() and int(word) in WIDTHS:
        return int(word)
    raise argparse.ArgumentTypeError(f"{word!r} is not a width. Give {WIDTHS[0]} to {WIDTHS[-1]} pixels.")


def _with_map_errors(command: Command) -> Command:
    """Wrap a command: print map errors and return exit status 1."""

    def run(arguments: argparse.Namespace) -> int:
        try:
            return command(arguments)
        except MapError as error:
            print(error, file=sys.stderr)
            return 1

    return run


def _check(arguments: argparse.Namespace) -> int:
    surveyed = drawings.survey_named(arguments.map, _measure(arguments))
    for warning in surveyed.warnings:
        print(f"warning: {printable(warning)}")
    board = surveyed.map
    print(f"{board.name}: {len(board.spaces)} spaces, no faults, {len(surveyed.warnings)} warnings.")
    for line in [] if maps.is_generated(arguments.map) else drawings.describe_fit(board):
        print(printable(line))
    return 0


def _compile(arguments: argparse.Namespace) -> int:
    drawing = maps.drawing_of(arguments.map)
    board = drawings.compile_drawing(drawing, _measure(arguments), _progress_bar(sys.stderr))
    out = arguments.out or drawing.with_name(maps.COMPILED)
    write_tables(out, dump(board), board.slug, drawing)
    seen = sum(len(others) for others in board.sights.values())
    print(f"{board.name}: {len(board.spaces)} spaces, {seen} pairs in sight of each other, written to {out}.")
    return 0


def _sight(arguments: argparse.Namespace) -> int:
    board = _load_with_sights(arguments)
    a, b = (_known_space(board, name) for name in (arguments.a, arguments.b))
    seen = board.sight(a, b)
    if seen is None:
        print(f"{a} does not see {b}. {_blame_text(board, find_blame(board, a, b))}")
    else:
        through = f" through {', '.join(seen.through)}" if seen.through else ""
        line = "" if seen.line is None else f", along {_place(seen.line[0])} to {_place(seen.line[1])}"
        print(f"{a} sees {b}: distance {seen.distance}{through}{line}.")
    if arguments.out:
        write_picture(arguments.out, _picture_bytes(arguments, draw(board, sight_overlay(board, a, b))))
    return 0


def _blame_text(board: Map, blame: Blame) -> str:
    if blame.line is None or not blame.blockers:
        return blame.why
    kinds = [f"{name} ({board.spaces[name].kind})" for name in blame.blockers]
    line = f"The best line, {_place(blame.line[0])} to {_place(blame.line[1])}, crosses {and_list(blame.through)}"
    return f"{blame.why} {line}; {and_list(kinds)} block{'s' if len(kinds) == 1 else ''} it."


def _place(point: tuple[float, float]) -> str:
    return f"({point[0]:.1f}, {point[1]:.1f})"


def _render(arguments: argparse.Namespace) -> int:
    drawing = _with_overlay(arguments)
    if arguments.out:
        write_picture(arguments.out, _picture_bytes(arguments, drawing))
    else:
        _print_drawing(drawing)
    return 0


def _print_drawing(drawing: str) -> None:
    """Print the drawing. Escape characters that the terminal cannot encode as XML references."""
    encoding = sys.stdout.encoding or "utf-8"
    # A terminal with an old encoding would otherwise fail on the first accented name.
    print(drawing.encode(encoding, "xmlcharrefreplace").decode(encoding))


def _with_overlay(arguments: argparse.Namespace) -> str:
    """Return the map as SVG with the chosen overlay. Only overlays about sight need the compiled map."""
    if arguments.sight or arguments.heat:
        board = _load_with_sights(arguments)
        if arguments.heat:
            return draw(board, heat_overlay(board))
        a, b = (_known_space(board, name) for name in arguments.sight)
        return draw(board, sight_overlay(board, a, b))
    board = drawings.survey_named(arguments.map, "loose").map
    if not arguments.wiring:
        return draw(board, maps.decoration(board))
    chain = [space for space in drawings.wiring_of(arguments.map, board).lamps if space is not None]
    return draw(board, wiring_overlay(board, chain))


def _load_with_sights(arguments: argparse.Namespace) -> Map:
    """Return the compiled map. Raises `MapError` if the map has not been compiled."""
    board = maps.load(arguments.map, progress=_progress_bar(sys.stderr))
    if not board.sights:
        raise MapError(arguments.map, ["this board has no sight table: its game needs none. Name another map."])
    return board


def _picture_bytes(arguments: argparse.Namespace, drawing: str) -> bytes:
    if arguments.out.suffix.lower() == ".png":
        return mark_png(render_png(drawing, arguments.width))
    return drawing.encode()


def _list(arguments: argparse.Namespace) -> int:
    for name in maps.names():
        try:
            board = maps.load(name)
            print(f"{name}: {board.name}, {len(board.spaces)} spaces")
        except MapError as error:
            print(f"{name}: {'; '.join(error.faults)}")
    return 0


def _measure(arguments: argparse.Namespace) -> Measure:
    return "loose" if arguments.loose else "board"


def _known_space(board: Map, name: str) -> str:
    if name in board.spaces:
        return name
    raise MapError(board.name, [f"there is no space {name}.{did_you_mean(name, list(board.spaces))}"])


def _progress_bar(stream: TextIO) -> drawings.Progress | None:
    """Return a function that shows the progress of compiling on a terminal; None without a terminal."""
    if not stream.isatty():
        return None

    def show(share: float) -> None:
        stream.write(f"\rlooking along every line … {share:4.0%}" + ("\n" if share >= 1 else ""))
        stream.flush()

    return show
