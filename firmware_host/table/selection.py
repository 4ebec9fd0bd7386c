"""What the next game is to be: chosen in the lobby, by any device that may start it, and kept in the journal."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.options import defaults, filled
from engine.refusal import RuleError
from engine.seats import Seat
from engine.text import Text, comma_list
from firmware_host.core import installed, maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.errors import UserError
from firmware_host.core.guarded import checked
from firmware_host.core.settings import Settings

BIGGEST_OPTIONS = 4096
"""Bytes of JSON: they stand in every picture of the table."""
KEPT = "selection"
"""What the journal calls it."""
HINTS = "possible_hints"
"""What requests and the journal call it that a game is played with the hint of where those in hiding can be."""

log = logging.getLogger("firmware_host")


class Selection(Struct, frozen=True):
    """A game by its name, a map by its name ("" for none), `options` as `Game.read_options` takes them."""

    game: str
    map: str = ""
    options: Mapping[str, Any] = {}
    possible_hints: bool = False


class Chosen(Struct, frozen=True):
    """What a selection means; `board` is None for a game without a map."""

    selection: Selection
    game: Game
    board: Map | None
    options: Any
    seats: tuple[Seat, ...]
    hinted: bool


def playable() -> tuple[Game, ...]:
    """The games that can be played here."""
    return tuple(installed.installed().games.values())


def fresh(game: Game, preferred: str = "") -> Selection:
    """A selection that nobody has changed, on the map `preferred` if the game can be played there."""
    options = defaults(game.options())
    return Selection(game.name, _map_for(game, options, preferred), options)


def restored(kept: Any, preferred: str, settings: Settings) -> Chosen:
    """The selection that the journal has kept; where there is none, or it can be had no more, a fresh one of the first
    game that can. Raises `UserError` where no game can be played at all.
    """
    try:
        return chosen(msgspec.convert(kept, Selection), settings)
    except (msgspec.ValidationError, UserError):
        pass
    except Exception:  # a game that somebody has put in must not keep the table from starting
        log.exception("the chosen game %s cannot be offered", kept)
    for game in playable():
        try:
            return chosen(fresh(game, preferred), settings)
        except Exception:
            log.exception("the game %s cannot be offered", game.name)
    raise UserError("not-now", Text("No game can be played here; the log says why."))


def changed(selection: Selection, wanted: Mapping[str, Any], settings: Settings) -> Selection:
    """The selection with what is `wanted` in its place: `game`, `map`, `options` (all of them), `possible_hints`.

    Another game begins with its own defaults. Raises `UserError` for what cannot be had.
    """
    game = _game(wanted.get("game", selection.game))
    base = selection if game.name == selection.game else fresh(game, selection.map)
    options = wanted.get("options", base.options)
    if not isinstance(options, Mapping):
        said = Text("{name} is an object, not {wanted}.", name="options", wanted=_short(options))
        raise UserError("not-understood", said)
    if len(msgspec.json.encode(options)) > BIGGEST_OPTIONS:
        raise UserError("not-understood", Text("The options are too long: at most {most} bytes.", most=BIGGEST_OPTIONS))
    slug = wanted.get("map")
    if slug is None or not capabilities(game).has_map:
        slug = _map_for(game, options, base.map)
    else:
        _check_map(game, slug)
        fixed = fixed_options(game, slug)
        options = filled(options, fixed) if "options" in wanted else {**options, **fixed}
    found = Selection(game.name, slug, dict(options), _hints_wanted(game, wanted.get(HINTS, False), settings))
    if HINTS not in wanted:
        found = msgspec.structs.replace(found, possible_hints=base.possible_hints)
    chosen(found)
    return found


def chosen(selection: Selection, settings: Settings | None = None) -> Chosen:
    """What a selection means. Without `settings` nobody is shown hints. Raises `UserError` for what cannot be had."""
    game = _game(selection.game)
    try:
        options = game.read_options(selection.options)
        checked(game.name, msgspec.json.encode, options)
        board, seats = _board(game, selection.map), game.seats(options)
    except RuleError as error:
        raise UserError(error.code, error.sentence, error.rule) from error
    except MapError as error:
        raise UserError("not-understood", maps.unusable(error)) from error
    hinted = selection.possible_hints and settings is not None and hints_offered(game, settings)
    return Chosen(selection, game, board, options, seats, hinted)


def hints_offered(game: Game, settings: Settings) -> bool:
    """Whether a game may be played with the hint of where those in hiding can be."""
    return settings.possible_hints and capabilities(game).deducing is not None


def _game(name: Any) -> Game:
    """The game called `name`. Raises `UserError`."""
    for game in playable():
        if game.name == name:
            return game
    known = comma_list(Text(game.name) for game in playable())
    raise UserError(
        "not-understood", Text("There is no game {name} here; known are {known}.", name=_short(name), known=known)
    )


def _board(game: Game, slug: str) -> Map | None:
    """The map of a selection. Raises `UserError` and `MapError`."""
    if not capabilities(game).has_map:
        return None
    _check_map(game, slug)
    return maps.load(slug)


def _check_map(game: Game, slug: Any) -> None:
    """Raises `UserError` for a map that is not known or does not fit the game."""
    fitting = maps.offered(game)
    if slug in fitting:
        return
    if slug in maps.names():
        raise UserError("not-understood", maps.unusable(" ".join(maps.faults_for(game, maps.load(slug)))))
    known = comma_list(fitting or maps.names())
    said = Text("There is no map {slug}; known are {known}.", slug=_short(slug), known=known)
    raise UserError("not-understood", said)


def fixed_options(game: Game, slug: str) -> Mapping[str, Any]:
    """The options that a map fixes for a game."""
    maker = capabilities(game).makes_maps
    return maker.map_options(slug) if maker is not None and slug in maker.map_names() else {}


def _map_for(game: Game, options: Mapping[str, Any], preferred: str) -> str:
    """The map for these options: the preferred one if it suits them, else the first that does; "" without maps."""
    fitting = maps.offered(game)
    suiting = [slug for slug in fitting if _suits(fixed_options(game, slug), options)] or fitting
    return preferred if preferred in suiting else next(filter(_readable, suiting), "")


def _readable(slug: str) -> bool:
    try:
        maps.load(slug)
    except MapError:
        return False
    return True


def _suits(fixed: Mapping[str, Any], options: Mapping[str, Any]) -> bool:
    return all(options.get(name) in (None, value) for name, value in fixed.items())


def _hints_wanted(game: Game, wanted: Any, settings: Settings) -> bool:
    if type(wanted) is not bool:
        raise UserError(
            "not-understood", Text("{hints} is true or false, not {wanted}.", hints=HINTS, wanted=_short(wanted))
        )
    if wanted and not hints_offered(game, settings):
        raise UserError(
            "not-now", Text("This house plays without that hint; the setting {hints} allows it.", hints=HINTS)
        )
    return wanted


def _short(value: Any) -> str:
    """A value as it was sent, cut where it is long."""
    return repr(value)[:60]
