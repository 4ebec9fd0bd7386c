"""The option form of every game matches what the game reads."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from engine.game import Game, LampBoards, MakesMaps
from engine.options import Choice, Exclusion, Number, Option, Several, Switch, at, defaults, filled, put
from engine.refusal import Refused
from games import find, names

GAMES = [pytest.param(find(name), id=name) for name in names()]
every_game = pytest.mark.parametrize("game", GAMES)


def settings(option: Option) -> list[Any]:
    """Return the settings that an option's control can make."""
    match option:
        case Switch():
            return [True, False]
        case Number():
            return [*range(option.least, option.most + 1)]
        case Choice():
            return [value.value for value in option.values]
        case Several():
            return [[], *([value.value] for value in option.values)]


def chosen(game: Game, exclusion: Exclusion) -> dict[str, Any]:
    """Return options with both settings that exclude each other."""
    options = {option.path: option for option in game.options()}
    found = defaults(game.options())
    for setting in (exclusion.one, exclusion.other):
        several = isinstance(options[setting.path], Several)
        found = put(found, setting.path, [setting.value] if several else setting.value)
    return found


def allowed(game: Game) -> Iterator[tuple[Option, dict[str, Any]]]:
    """Yield each setting of each option with the defaults of all others, without options that it excludes."""
    form = game.options()
    for option in form:
        for value in settings(option):
            options = put(defaults(form), option.path, value)
            if not any(all(_is_set(options, one) for one in (it.one, it.other)) for it in form.excludes):
                yield option, options


def _is_set(options: dict[str, Any], setting: Any) -> bool:
    now = at(options, setting.path)
    return setting.value in now if isinstance(now, list) else bool(now == setting.value)


@every_game
def test_default_options_are_valid_and_give_seats(game: Game) -> None:
    assert game.seats(game.read_options(defaults(game.options())))


@every_game
def test_every_setting_is_read_and_makes_a_difference(game: Game) -> None:
    read: dict[Any, set[bytes]] = {}
    for option, options in allowed(game):
        found = msgspec.json.encode(game.read_options(options))
        read.setdefault(option.path, set()).add(found)
    for option in game.options():
        assert len(read[option.path]) == len(settings(option)), option.path


@every_game
def test_exclusive_settings_are_refused_by_the_form_s_rule(game: Game) -> None:
    for exclusion in game.options().excludes:
        with pytest.raises(Refused) as refused:
            game.read_options(chosen(game, exclusion))
        assert refused.value.rule == exclusion.rule


@every_game
def test_form_is_json_and_option_paths_are_unique(game: Game) -> None:
    form = game.options()
    msgspec.json.encode(form, enc_hook=str)
    for named in ([group.name for group in form.groups], [option.path for option in form]):
        assert len(set(named)) == len(named)
    for group in form.groups:
        assert group.title or not group.folded, "a folded group is opened by its title"
    for option in form:
        assert option.default in settings(option) or isinstance(option, Several)


@every_game
def test_options_fixed_by_a_board_are_read(game: Game) -> None:
    if not isinstance(game, MakesMaps):
        assert not hasattr(game, "map_options")
        return
    for name in game.map_names():
        fixed = game.map_options(name)
        options = game.read_options(filled({}, fixed))
        assert game.seats(options)
        board = None if isinstance(game, LampBoards) else game.make_map(name)
        assert game.blank(board, options)
