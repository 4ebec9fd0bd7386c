"""What the servers on standard input share: JSON Lines from an untrusted source, and the games and maps that programs
name. A map is one of ours, or the path of a drawing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout, suppress
from inspect import Parameter, signature
from os.path import isfile
from typing import Any, BinaryIO, get_type_hints

import msgspec
from msgspec import Struct

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import Ambiguous, NotUnderstood
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.strict import Malformed, decode

LONGEST_LINE = 1 << 20
"""Longest line in bytes. A longer one is skipped."""
INTEGER_BITS = 1024
"""Longest integer in bits. Seeds and request ids may be long."""
TOO_LONG = "The line is longer than 1 MiB."


Answers = Callable[[BinaryIO], Iterable[bytes]]
"""Returns the lines to write for a source, without newlines, as soon as each is known."""


def serve_stdio(answers: Answers) -> int:
    """Answer standard input on standard output until either is closed. Return the exit code."""
    out = sys.stdout.buffer
    # Text that a game prints must not be mixed with the answers.
    with suppress(BrokenPipeError, KeyboardInterrupt), redirect_stdout(sys.stderr):
        for answer in answers(sys.stdin.buffer):
            out.write(answer + b"\n")
            out.flush()
    return 0


def read_lines(source: BinaryIO) -> Iterator[bytes | None]:
    """Yield lines until the source ends; None for one that is too long."""
    while line := source.readline(LONGEST_LINE):
        # A shorter line without a line break is the last one.
        if not line.endswith(b"\n") and len(line) == LONGEST_LINE:
            while (part := source.readline(LONGEST_LINE)) and not part.endswith(b"\n"):
                pass
            yield None
        else:
            yield line


def json_value(line: bytes) -> Any:
    """Return the JSON value of a line. Raises `NotUnderstood`, or `Ambiguous` if an object repeats a name."""
    try:
        return decode(line, LONGEST_LINE, bits=INTEGER_BITS)
    except Malformed as error:
        kind = Ambiguous if error.fault == "twice" else NotUnderstood
        raise kind(f"The line {error}.") from None


def form_of(method: Callable[..., Any], *more: tuple[str, Any, Any], **settings: Any) -> type[Struct]:
    """Return a struct type whose fields are the parameters of a method and `more` (name, type and default).

    `settings` are passed to `msgspec.defstruct`.
    """
    types, (_, *parameters) = get_type_hints(method, include_extras=True), signature(method).parameters.values()
    members = [
        (it.name, types[it.name]) if it.default is Parameter.empty else (it.name, types[it.name], it.default)
        for it in parameters
    ]
    return msgspec.defstruct(method.__name__, [*members, *more], forbid_unknown_fields=True, kw_only=True, **settings)


def board_for(game: Game, name: str | None, load: Callable[[str], Map]) -> Map | None:
    """Return the map for a game, or None for a game without one. Raises `NotUnderstood`."""
    if not capabilities(game).has_map:
        if name:
            raise NotUnderstood(f"{game.title} is played without a map; leave it out.")
        return None
    if not name:
        raise NotUnderstood(f"{game.title} is played on a map: one of {', '.join(maps.offered(game))}.")
    return map_named(name, load)


def map_named(name: str, load: Callable[[str], Map]) -> Map:
    """Return the map of that name or path. Raises `NotUnderstood` if it is missing or unusable."""
    if maps.is_path(name) and not isfile(name):
        raise NotUnderstood(f"There is no file {name!r} to read a map from.")
    try:
        return load(name)
    except MapError as error:
        raise NotUnderstood(str(error)) from error
