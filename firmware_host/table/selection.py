"""What the next game is: chosen in the lobby by any device that may start it, and saved in the journal."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import msgspec
from msgspec import Struct

from engine.game import Game
from engine.graph import Map
from engine.graph.fault import MapError
from engine.options import at, defaults, filled, put
from engine.seats import Seat
from engine.text import Text, comma_list
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities
from firmware_host.core.errors import UserError, rules_refuse
from firmware_host.core.guarded import checked
from firmware_host.core.settings import Settings
from firmware_host.play.game import TableGame

BIGGEST_OPTIONS = 4096
"""Maximum bytes of the options as JSON, because every picture of the table contains them."""
SELECTION_KEY = "selection"
"""The journal's key for it."""
HINTS_KEY = "possible_hints"
"""The name, in requests and in the journal, of the option to show where hidden pieces can be."""

log = logging.getLogger("firmware_host")


class Selection(Struct, frozen=True):
    """The names of a game and a map ("" for none), and `options` as `Game.read_options` takes them."""

    game: str
    map: str = ""
    options: Mapping[str, Any] = {}
    possible_hints: bool = False


class Chosen(Struct, frozen=True):
    """The objects that a selection names; `board` is None for a game without a map."""

    selection: Selection
    game: Game
    board: Map | None
    options: Any
    seats: tuple[Seat, ...]
    hinted: bool


def default_selection(game: Game, preferred: str = "") -> Selection:
    """Return a default selection, on the map `preferred` if the game can be played there."""
    options = defaults(game.options())
    return Selection(game.name, _map_for(game, options, preferred), options)


def restored(stored: Any, preferred: str, settings: Settings) -> Chosen:
    """Return the selection from the journal, or a default one of the first game that can be played. Raises `UserError`
    if there is none.
    """
    try:
        return chosen(msgspec.convert(stored, Selection), settings)
    # Stored by another version, or for a game or a map that is no longer there.
    except (msgspec.ValidationError, UserError):
        pass
    except Exception:  # an installed game must not prevent the start of the table
        log.exception("The chosen game %s cannot be offered.", stored)
    for game in maps.playable_games():
        try:
            return chosen(default_selection(game, preferred), settings)
        except Exception:
            log.exception("The game %s cannot be offered.", game.name)
    raise UserError("not-now", Text("No game can be played here; the log says why."))


def of_game(play: TableGame, selected: Chosen) -> Chosen:
    """Return `selected` if it is the game that is played, else a selection of that game: another one may have been
    chosen while the code of this one was missing.
    """
    slug = "" if play.board is None else play.board.slug
    # Compare plain values, because comparing the game's own objects would run code of the game.
    options = msgspec.to_builtins(play.options)
    if (selected.game, selected.selection.map, msgspec.to_builtins(selected.options)) == (play.game, slug, options):
        return selected
    return Chosen(
        Selection(play.game.name, slug, options), play.game, play.board, play.options, play.seats, hinted=False
    )


def changed(selection: Selection, changes: Mapping[str, Any], settings: Settings) -> Selection:
    """Return the selection with the `changes`: `game`, `map`, `options` (all of them), `possible_hints`.
    Another game starts with its own defaults. Raises `UserError` for what is not available.
    """
    game = _game(changes.get("game", selection.game))
    base = selection if game.name == selection.game else default_selection(game, selection.map)
    options = changes.get("options", base.options)
    if not isinstance(options, Mapping):
        text = Text("{name} is an object, not {wanted}.", name="options", wanted=_short(options))
        raise UserError("not-understood", text)
    if len(msgspec.json.encode(options)) > BIGGEST_OPTIONS:
        raise UserError("not-understood", Text("The options are too long: at most {most} bytes.", most=BIGGEST_OPTIONS))
    slug = changes.get("map")
    if slug is None or not capabilities(game).has_map:
        slug = _map_for(game, options, base.map)
    else:
        _check_map(game, slug)
        fixed = maps.fixed_options(game, slug)
        # What the map fixes replaces earlier options, but not those of this request.
        options = filled(options, fixed) if "options" in changes else {**options, **fixed}
    hints = _hints_wanted(game, changes[HINTS_KEY], settings) if HINTS_KEY in changes else base.possible_hints
    new = Selection(game.name, slug, dict(options), hints)
    # This raises an error for a selection that cannot be played, before the caller stores it.
    chosen(new)
    return new


def for_immediate_start(selection: Selection, changes: Mapping[str, Any], settings: Settings) -> Selection:
    """Return the selection for a person who plays at once: the `changes` (see `changed`), and else the defaults.

    From what others have chosen, only the game and its seats are kept.
    """
    game = _game(changes.get("game", selection.game))
    plain = default_selection(game, selection.map)
    if game.name == selection.game:
        # Keep an option that changes the seats, because a seat of this game was asked for.
        for option in game.options():
            value = at(selection.options, option.path)
            with_option = put(plain.options, option.path, value)
            if value is not None and game.seats(game.read_options(with_option)) != game.seats(
                game.read_options(plain.options)
            ):
                plain = Selection(game.name, _map_for(game, with_option, selection.map), with_option)
    options = changes.get("options", {})
    filled_options = filled(options, plain.options) if isinstance(options, Mapping) else options
    return changed(plain, {**changes, "options": filled_options}, settings)


def chosen(selection: Selection, settings: Settings | None = None) -> Chosen:
    """Return what a selection names, without hints if there are no `settings`. Raises `UserError`."""
    game = _game(selection.game)
    try:
        with rules_refuse():
            options = game.read_options(selection.options)
            # The journal stores the options as JSON.
            checked(game.name, msgspec.json.encode, options)
            board = None
            if capabilities(game).has_map:
                _check_map(game, selection.map)
                board = maps.load(selection.map)
            seats = game.seats(options)
    except MapError as error:
        raise UserError("not-understood", maps.unusable_sentence(error)) from error
    hinted = selection.possible_hints and settings is not None and hints_offered(game, settings)
    return Chosen(selection, game, board, options, seats, hinted)


def hints_offered(game: Game, settings: Settings) -> bool:
    """Return whether a game may be played with the hint of where hidden pieces can be."""
    return settings.possible_hints and capabilities(game).deducing is not None


def _game(name: Any) -> Game:
    """Return the game called `name`. Raises `UserError`."""
    for game in maps.playable_games():
        if game.name == name:
            return game
    names = comma_list(Text(game.name) for game in maps.playable_games())
    text = Text("There is no game {name} here; known are {known}.", name=_short(name), known=names)
    raise UserError("not-understood", text)


def _check_map(game: Game, slug: Any) -> None:
    """Raise `UserError` for a map that is unknown or does not fit the game."""
    fitting = maps.offered(game)
    if slug in fitting:
        return
    if slug in maps.names():
        raise UserError("not-understood", maps.unusable_sentence(" ".join(maps.faults_for(game, maps.load(slug)))))
    if not fitting:
        text = Text("No map here suits {game}. Choose another game, or add a map: see docs/map-author.md.")
        raise UserError("not-now", text.with_(game=Text(game.title)))
    names = comma_list(fitting)
    text = Text("There is no map {slug}; known are {known}.", slug=_short(slug), known=names)
    raise UserError("not-understood", text)


def _map_for(game: Game, options: Mapping[str, Any], preferred: str) -> str:
    """Return the map for these options: the preferred one if it suits them, else the first that does, else ""."""

    def suits(slug: str) -> bool:
        return all(options.get(name) in (None, value) for name, value in maps.fixed_options(game, slug).items())

    fitting = maps.offered(game)
    suiting = [slug for slug in fitting if suits(slug)] or fitting
    if preferred in suiting:
        return preferred
    for slug in suiting:
        # A broken map cannot be the default.
        with suppress(MapError):
            maps.load(slug)
            return slug
    return ""


def _hints_wanted(game: Game, value: Any, settings: Settings) -> bool:
    # In Python 1 is true, but in JSON it is a number.
    if type(value) is not bool:
        text = Text("{hints} is true or false, not {wanted}.", hints=HINTS_KEY, wanted=_short(value))
        raise UserError("not-understood", text)
    if value and not hints_offered(game, settings):
        text = Text("This table doesn't offer that hint. Turn on the setting {hints} to change that.", hints=HINTS_KEY)
        raise UserError("not-now", text)
    return value


def _short(value: Any) -> str:
    """Return a value as it was sent, cut if it is long."""
    return repr(value)[:60]
