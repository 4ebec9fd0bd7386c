"""Find errors in the options of a game: the lobby's form must match what the game reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, Final

import msgspec

import games
from engine.game import TABLE, Game
from engine.options import Choice, Exclusion, Number, Option, Path, Several, Switch, at, defaults, filled, put
from engine.plain import PlainGame
from engine.refusal import RuleError
from firmware_host.core import maps
from firmware_host.core.capabilities import capabilities
from lab.authoring.contract import shortened
from lab.authoring.limited import failure
from lab.authoring.play import RandomGame, Sample, Unplayable
from lab.authoring.positions import lost, read_back
from lab.authoring.twins import screens

ACTS: Final = 1000
"""Total number of acts in all games with other options; each game has at least `LEAST_ACTS`."""
LEAST_ACTS: Final = 12
Setting = tuple[Path, Any]
"""The path of an option, and a value."""
SHOWN_EVERY: Final = 4
"""After this many acts, everything that the table shows is computed."""


def options(sample: Sample) -> Iterator[str]:
    game = sample.game
    yield from _form(game)
    yield from _settings(game)
    yield from _limits(game)
    yield from _exclusions(game)
    yield from _boards(game)
    yield from _play(sample)


def _form(game: Game) -> Iterator[str]:
    form = game.options()
    for what, named in (("group", [it.name for it in form.groups]), ("option", [it.path for it in form])):
        if len({*named}) != len(named):
            yield f"options() has the same {what} twice: {shortened(named)}."
    for group in form.groups:
        if group.folded and not group.title:
            yield f"The group {group.name} of options is folded, so it needs a title to open it."
    read, shown = game.read_options(None), game.read_options(defaults(form))
    # If a game reads its options with its own code, the difference may be intended.
    inherits = getattr(type(games.find(game.name)), "read_options", None) is PlainGame.read_options
    if read != shown and inherits:
        yield f"The lobby shows the defaults {shortened(shown)}, read_options() has {shortened(read)}. Write the same."
    if not game.seats(shown):
        yield "With the default options, the game has no seats."


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


def _settings(game: Game) -> Iterator[str]:
    """Yield the settings that are refused, or make no difference."""
    form = game.options()
    for option in form:
        path, read = ".".join(option.path), dict[bytes, Any]()
        for value in settings(option):
            chosen = put(defaults(form), option.path, value)
            if any(all(_is_set(chosen, one) for one in (it.one, it.other)) for it in form.excludes):
                continue
            try:
                found = msgspec.json.encode(game.read_options(chosen))
            except RuleError as error:
                yield f"read_options() refuses {value!r} for {path}, which the lobby offers: {error}"
                continue
            if found in read:
                yield f"The option {path} makes no difference between {read[found]!r} and {value!r}."
            read[found] = value


def _limits(game: Game) -> Iterator[str]:
    """Yield the numbers that are read although the lobby doesn't offer them."""
    form = game.options()
    for option in (it for it in form if isinstance(it, Number)):
        for value in (option.least - 1, option.most + 1):
            with suppress(RuleError):
                game.read_options(put(defaults(form), option.path, value))
                path, offered = ".".join(option.path), f"{option.least} to {option.most}"
                yield f"read_options() accepts {value} for {path}, but the lobby offers {offered}. Refuse it."


def _is_set(chosen: dict[str, Any], setting: Any) -> bool:
    now = at(chosen, setting.path)
    return setting.value in now if isinstance(now, list) else bool(now == setting.value)


def _exclusions(game: Game) -> Iterator[str]:
    known = [".".join(option.path) for option in game.options()]
    for exclusion in game.options().excludes:
        named = [".".join(it.path) for it in (exclusion.one, exclusion.other)]
        if unknown := [name for name in named if name not in known]:
            yield f"The form excludes values of {unknown[0]}, which is no option. Known: {', '.join(known)}."
            continue
        paths = " and ".join(named)
        try:
            game.read_options(both(game, exclusion))
        except RuleError as error:
            if (error.rule or "") != exclusion.rule:
                yield (
                    f"The form excludes {paths} by {exclusion.rule or 'no rule'}, but read_options() refuses by "
                    f"{error.rule or 'no rule'}. Raise Refused with the rule of the exclusion."
                )
        else:
            yield f"The form excludes {paths} from each other, but read_options() accepts both."


def both(game: Game, exclusion: Exclusion) -> dict[str, Any]:
    """Return options with both settings that exclude each other."""
    form = {option.path: option for option in game.options()}
    found = defaults(game.options())
    for setting in (exclusion.one, exclusion.other):
        several = isinstance(form[setting.path], Several)
        found = put(found, setting.path, [setting.value] if several else setting.value)
    return found


def _boards(game: Game) -> Iterator[str]:
    """Yield errors in the options that boards fix."""
    offered = capabilities(game)
    if (maker := offered.makes_maps) is None:
        return
    for name in maker.map_names():
        try:
            chosen = game.read_options(filled({}, maker.map_options(name)))
            game.blank(None if offered.lamp_boards is not None else maker.make_map(name), chosen)
        except RuleError as error:
            yield f"On the board {name}, the options that it fixes are refused: {error}"
            continue
        if not game.seats(chosen):
            yield f"On the board {name}, the game has no seats."


def _play(sample: Sample) -> Iterator[str]:
    """Yield failures in a short random game with each setting, because the other checks play with the default
    options."""
    chosen = other_settings(sample.game)
    for named, setting in chosen.items():
        raw = with_settings(sample.game, [setting])
        try:
            sample.game.blank(sample.board, maps.options_on(sample.game, sample.board, raw))
        except RuleError:  # the board fixes another setting, or the form excludes this one
            continue
        try:
            play = RandomGame(sample.game, sample.board, 1, raw)
            if wrong := _follow(play, sample, raw, max(LEAST_ACTS, ACTS // len(chosen))):
                yield f"With {named}: {wrong}"
        except Unplayable as error:
            yield f"With {named}: {error}"
        except Exception as error:
            yield f"With {named}: {failure(sample.game, error)}"


def other_settings(game: Game) -> dict[str, Setting]:
    """Return each setting of an option besides its default, by its name: `players = 3`."""
    return {
        f"{'.'.join(option.path)} = {msgspec.json.encode(value).decode()}": (option.path, value)
        for option in game.options()
        for value in (settings(option) if not isinstance(option, Number) else (option.least, option.most))
        if value != option.default
    }


def with_settings(game: Game, chosen: Iterable[Setting]) -> dict[str, Any]:
    """Return the default options with these settings."""
    raw = defaults(game.options())
    for path, value in chosen:
        raw = put(raw, path, value)
    return raw


def _follow(play: RandomGame, sample: Sample, raw: Any, acts: int) -> str:
    """Play some acts of a game with these options, and make all that the table shows. Return what a described position
    loses, "" for nothing.
    """
    game, wrong = sample.game, ""
    options = maps.options_on(game, sample.board, raw)
    seats = tuple(game.seats(options))
    for number in range(acts):
        if number % SHOWN_EVERY == 0 or not play.referee.to_act:
            for viewer in (*(seat.name for seat in seats), TABLE):
                screens(game, play.referee.pictures, viewer, seats)
            if number and not wrong:  # a position describes a running game
                twin = read_back(sample, play.referee.pictures, options)
                wrong = lost(game, twin, play.referee.pictures, play.referee.to_act, f"after {number} acts")
        if not play.referee.to_act:
            return wrong
        for told in play.step()[2]:
            game.sentence(told.event)
    return wrong
