"""Check the types of what a game declares before anything uses it: later errors would name other places."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, get_args

import msgspec

import games
from engine.cues import Light, Show, Sound, show_of
from engine.events import Event
from engine.game import Command, Revealing
from engine.options import Number, Several
from engine.plain import Draw, NoOptions, PlainGame, Refusal
from engine.seats import Seat
from engine.text import Text, and_list
from lab.authoring.contract import NAME
from lab.authoring.limited import placed
from lab.authoring.named import Name
from lab.authoring.options import settings
from lab.authoring.play import tags
from lab.authoring.texts import nodes


def wrong_declarations(name: str) -> Iterator[str]:
    """Yield what is of another type than the table takes."""
    with suppress(Exception):  # the start reports it
        game: Any = games.find(name)
        if isinstance(game, type):
            yield f"GAME is the class {game.__name__}, not a game of it. Write GAME = {game.__name__}()."
            return
        plain = (_of_plain_game,) if isinstance(game, PlainGame) else ()
        tagged = (_of_reveals,) if not (wrong := [*_of_tags(game)]) else ()  # `reveals` has tags
        yield from (placed(game, it) for it in wrong)
        for find in (_of_show, *tagged, *plain, _of_options):
            yield from (placed(game, it) for it in find(game))


def _of_plain_game(game: Any) -> Iterator[str]:
    for member, kind in {"players": Seat, "draws": Draw, "refusals": Refusal, "highlights": type}.items():
        if type(value := getattr(game, member)) is not tuple or not all(isinstance(it, kind) for it in value):
            of, one = ("event types", "Walked") if kind is type else (f"{kind.__name__} objects", f"{kind.__name__}(…)")
            yield f"{member} is not a tuple of {of}. Write {member} = ({one},), with a comma also after a single one."
    for it in [it for it in game.refusals if isinstance(it, Refusal) and not isinstance(it.text, Text)]:
        yield f"The text of {it.rule} in refusals is a str, which is not translated. Write Text({it.text!r})."
    for it in [it for it in game.draws if not isinstance(it.event, type | None)]:
        yield f"draws names {it.event!r} as the event of {it.kind}. Write the class of the event."
    for it in [it for number, it in enumerate(game.draws) if it in game.draws[:number]]:
        yield f"draws names the same Draw of {it.kind} twice. Leave one out."
    kinds = {"event_types": Event, "command_types": Command, "position_type": object, "option_type": object}
    for member, kind in kinds.items():
        types = getattr(game, member)
        for one in get_args(getattr(types, "__value__", types)) or (types,):
            if isinstance(one, type) and not issubclass(one, kind):
                yield f"{member} names {one.__name__}, which is no subclass of {kind.__name__}. Make it one."
            elif isinstance(one, tuple | list):
                yield f"{member} is a {type(one).__name__}. Join the types with |: {member} = Walked | Dug."
            elif type(one) is type and one.__module__ != "builtins" and not hasattr(one, "__dataclass_fields__"):
                yield f"{member} is the class {one.__name__} without fields. Write class {one.__name__}(Struct, …)."
        try:
            msgspec.json.Decoder(types)
        except TypeError:  # a position may have fields that no JSON has
            continue
        except NameError as error:  # a field's type is looked up only now
            for path, it in nodes(game.name):
                if isinstance(it, ast.AnnAssign) and re.search(rf"\b{error.name}\b", ast.unparse(it.annotation)):
                    yield f"{path}:{it.lineno}: the type {error.name} does not exist. Correct its name, or import it."
            return


def _of_tags(game: Any) -> Iterator[str]:
    """Yield the types that can't be distinguished in JSON, or whose tag can't be the name of a key."""
    for types, of in (("event_types", Event), ("command_types", Command)):
        kinds: dict[str, list[str]] = {}
        for kind in get_args(getattr(game, types, None)):
            if isinstance(kind, type) and issubclass(kind, of):
                kinds.setdefault(str(kind.__struct_config__.tag), []).append(kind.__name__)
        for name, same in kinds.items():
            if len(same) > 1:
                yield f"{and_list(same)} in its {types} have the same tag, {name!r}. Choose another one."
            said = "no tag" if name == "None" else f"the tag {name!r}"
            if not re.fullmatch(NAME, name):
                yield f"{same[0]} in its {types} has {said}. Use small letters, digits and hyphens."


def _of_options(game: Any) -> Iterator[str]:
    plain = isinstance(game, PlainGame) and type(game).read_options is PlainGame.read_options
    kind, form = game.option_type if plain else object, game.options()
    if kind is NoOptions and [*form]:
        yield "option_form is there, but no option_type. Write option_type = Options, a Struct with these fields."
        return
    for option in form:
        calls = ((path, it) for path, it in nodes(game.name) if isinstance(it, ast.Call) and it.args)
        own = (f"{path}:{it.lineno}: " for path, it in calls if ast.unparse(it.args[0]) == repr(option.path))
        place = next(own, "")
        if not isinstance(option.path, tuple):
            yield f"{place}the path of an option is a str. Write {type(option).__name__}(({option.path!r},), …)."
            continue
        if isinstance(option, Number) and option.least > option.most:
            limits = f"{option.path[-1]} are {option.least} and {option.most}"
            yield f"{place}the limits of {limits}. Write the smaller one first."
        elif option.default not in settings(option) and not isinstance(option, Several):
            yield f"{place}the default of {'.'.join(option.path)} is none of its settings: {option.default!r}."
        fields = getattr(kind, "__struct_encode_fields__", option.path)
        if wrong := Name("option_form", "option", option.path[0], fields).wrong():
            yield f"{place}{wrong}"


def _of_reveals(game: Any) -> Iterator[str]:
    names: Any = game.reveals if isinstance(game, Revealing) else ()
    if isinstance(names, str):
        yield f'reveals is a text: its letters would be names. Write a tuple: reveals = ("{names}",).'
    elif tagged := [it.__struct_config__.tag for it in names if isinstance(it, type) and issubclass(it, Event)]:
        yield f"reveals is a tuple with classes. Write the tags of the events: {', '.join(map(repr, tagged))}."
    else:
        yield from filter(None, (Name("reveals", "event", it, tags(game, Event)).wrong() for it in names))


def _of_show(game: Any) -> Iterator[str]:
    if not isinstance(show := show_of(game), Show):
        yield f"show is a {type(show).__name__}. Write show = Show(LIGHTS, PALETTES, SOUNDS)."
        return
    named: tuple[tuple[type, Mapping[str, Any]], ...] = ((Light, show.lights), (Sound, show.sounds))
    for of, name, one in ((of, name, one) for of, found in named for name, one in found.items()):
        try:
            msgspec.convert(msgspec.to_builtins(one, enc_hook=str), of, dec_hook=lambda kind, it: kind(it))
        except msgspec.ValidationError as error:
            yield f"show names a wrong {of.__name__}: {name} ({error}). Correct it where the show gets it."
        if isinstance(one, Light) and not isinstance(one.meaning, Text):
            yield f"show names the light {name}, whose meaning is a str, which is not translated. Write a Text."
