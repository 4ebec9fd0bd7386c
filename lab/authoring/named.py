"""Check names that a game gives as text: each must be the name of something that exists.

A name is written in one place and looked up in another, so a misspelling raises no error: a lamp stays dark, or a card
isn't shown. Each `Name` has the place where it is given, and the known names.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from difflib import get_close_matches
from itertools import chain
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from engine.cues import Show, show_of
from engine.events import Event
from engine.game import (
    REFEREE,
    TABLE,
    Automated,
    Command,
    Costs,
    Cue,
    Cues,
    DecoratesMaps,
    Endings,
    Foresight,
    Fortunes,
    Game,
    Glossary,
    Introduced,
    LampBoards,
    OnBoard,
    OpenCards,
    OwnMarks,
    Routes,
    Teams,
    Uncovering,
)
from engine.options import Several, defaults, put
from engine.refusal import RuleError
from engine.text import Text, and_list
from firmware_host.board.cues.sounds import SOUNDS
from firmware_host.core import bots, rulebook
from firmware_host.core.game_files import SEAT, game_folder
from firmware_host.core.generic import PALETTE_NAME, brings_screen
from firmware_host.core.lamp_colours import LIGHTS, PALETTES
from firmware_host.core.rulebook import RulebookError
from lab.authoring.options import settings
from lab.authoring.play import Sample, tags
from lab.authoring.texts import read_catalogue
from web_panel.game_screens import games_imported_by, script
from web_panel.language import DEFAULT, FOLDER
from web_panel.rules import sheet_choices

MOST_LISTED: Final = 12
"""Up to this many known names are listed."""
PAGES: Final = (SEAT, "table", "past", "board", "legend")
FORESEEN: Final = ("why", "rule", "odds", "gives_away", "outlook")
"""The keys of foresight that the generic screens show."""
TEXT: Final = re.compile(r'\bt\("([^"]+)"')
SVG: Final = "{http://www.w3.org/2000/svg}"


class Name(Struct, frozen=True):
    """A name that a game gives: its place, the kind of thing that it names, and the game's own names of this kind.

    `also` lists the table's names of this kind. With `free`, unknown names are allowed, and only near misses of known
    names are reported.
    """

    place: str
    what: str
    name: str
    known: tuple[str, ...]
    also: tuple[str, ...] = ()
    free: bool = False

    def wrong(self) -> str | None:
        """Return a sentence if the name is unknown."""
        if self.name in self.known or self.name in self.also:
            return None
        nearest = [it for it in self.known if it.casefold() == self.name.casefold()]
        nearest = nearest or get_close_matches(self.name, self.known, 1) or get_close_matches(self.name, self.also, 1)
        if self.free and not nearest:
            return None
        listed = f" Known: {', '.join(self.known)}." if 0 < len(self.known) <= MOST_LISTED else ""
        meant = f" Did you mean {nearest[0]}?" if nearest else ""
        return f"{self.place} names the {self.what} {self.name!r}, which does not exist.{meant}{listed}"


def unknown_names(sample: Sample) -> Iterator[str]:
    """Yield a sentence for each unknown name."""
    names = dict.fromkeys(chain.from_iterable(find(sample) for find in FINDERS))
    wrong: dict[tuple[str, str], list[Name]] = {}
    for name in names:
        if name.wrong():
            wrong.setdefault((name.place, name.what), []).append(name)
    for first, *others in wrong.values():
        also = ", ".join(repr(it.name) for it in others[:MOST_LISTED])
        yield f"{first.wrong()}{f' The same is true of {also}.' if others else ''}"
    yield from _of_table(show_of(sample.game))
    yield from _of_teams(sample)
    if isinstance(sample.game, Introduced) and not isinstance(sample.game.about, Text):
        yield "about is a str, which is not translated. Write a Text."


def unknown_starts(sample: Sample) -> Iterator[str]:
    """Yield a sentence if a miniature starts on an unknown space: the rules look for its neighbours."""
    if isinstance(game := sample.game, OnBoard) and sample.board is not None:
        starts = dict.fromkeys(game.standing(sample.blank()[TABLE]).values())
        if unknown := [it for it in starts if it is not None and it not in sample.board.spaces]:
            what = "s" if len(unknown) > 1 else ""
            yield (
                f"The board has no space{what} {and_list(unknown)}, where standing() puts miniatures at the start. "
                "Change the board or the start."
            )


def unknown_cards(sample: Sample) -> Iterator[str]:
    """Yield a sentence for each open card that the glossary doesn't have: no screen could show it."""
    game = sample.game
    if isinstance(game, OpenCards):
        pictures = (picture for moment in sample.some for picture in moment.pictures.values())
        names = dict.fromkeys(name for picture in pictures for _, name in game.open_cards(picture))
        known = (*_cards(game),)
        yield from filter(None, (Name("open_cards()", "card", name, known).wrong() for name in names))
        yield from untitled(game, {*names})


def untitled(game: Game, shown: Collection[str]) -> Iterator[str]:
    """Yield a sentence for each of the cards that a generic screen shows, if it lacks a text that is shown."""
    for name, card in _cards(game).items():
        for part in ("title", "text") if name in shown else ():
            if not (isinstance(card, dict) and card.get(part)):
                yield f"The card {name} has no {part} in glossary(). The generic screens show it."


def _of_teams(sample: Sample) -> Iterator[str]:
    """Yield the seats that are on no side, or on several: arena and ratings count each seat once."""
    game = sample.game
    if isinstance(game, Teams):
        found = Counter(chain.from_iterable(game.teams(sample.options).values()))
        for seat in sample.names:
            if found[seat] != 1 and {*found} <= {*sample.names}:  # otherwise, one is misspelt
                where = f"{found[seat]} times" if found[seat] else "on no side"
                yield f"teams() has the seat {seat} {where}. Name it once."


def _of_table(show: Show) -> Iterator[str]:
    """Yield sentences about missing palettes, and about names that the table uses itself, which hide the game's."""
    if show.lights and (missing := sorted({*PALETTES} - {*show.palettes})):
        yield f"show.palettes lacks {', '.join(missing)}: a table that is set to it shows other colours. Add it."
    for what, own, others in (("light", show.lights, LIGHTS), ("sound", show.sounds, SOUNDS)):
        for name in sorted({*own} & {*others}):
            yield f"The table has a {what} {name}, which is used instead of the game's. Choose another name."


# --- the show ---------------------------------------------------------------------------------------------------


def _cues(sample: Sample) -> Iterator[tuple[str, Cue]]:
    game = sample.game
    if isinstance(game, Cues):
        for moment in sample.moments:
            yield from (("cues()", cue) for cue in game.cues(moment.pictures[TABLE]))
    if isinstance(game, Uncovering):
        for moment in sample.moments:
            yield from (("uncovered()", cue) for cue in game.uncovered(moment.pictures[REFEREE]))
    if isinstance(game, OwnMarks):
        for moment in sample.moments:
            for picture in moment.pictures.values():
                yield from (("marks()", cue) for cue in game.marks(picture))


def _of_cues(sample: Sample) -> Iterator[Name]:
    show = show_of(sample.game)
    lights, roles = (*show.lights,), (*dict.fromkeys(chain.from_iterable(show.palettes.values())),)
    for place, name, colour in dict.fromkeys((place, cue.name, cue.colour) for place, cue in _cues(sample)):
        # Marks of one viewer aren't shown by lamps, so a mark with a colour needs no light.
        if place != "marks()" or colour is None:
            yield Name(place, "light", name, lights, (*LIGHTS,))
        if colour is not None:
            yield Name(place, "colour", colour, roles)


def _of_show(sample: Sample) -> Iterator[Name]:
    show = show_of(sample.game)
    heard = (*dict.fromkeys((*tags(sample.game, Event), *show.lights)),)
    yield from (Name("show.sounds", "event or light", name, heard) for name in show.sounds)
    yield from (Name("show.palettes", "palette", name, (*PALETTES,)) for name in show.palettes)
    named: dict[tuple[str, ...], list[str]] = {}
    for palette, colours in show.palettes.items():
        named.setdefault((*colours,), []).append(palette)
    for known, palettes in named.items():
        what, also = f"colour (in {', '.join(palettes)})", (*PALETTES[PALETTE_NAME],)
        for name, light in show.lights.items():
            yield Name(f"The light {name}", what, light.role, known, also)
        yield from (Name("standing()", what, role, known, also) for role in _colours(sample))


def _colours(sample: Sample) -> Iterator[str]:
    """Yield the colours of the miniatures, in games that have colours at all."""
    game = sample.game
    if isinstance(game, OnBoard) and show_of(game).palettes:
        pictures = [moment.pictures[TABLE] for moment in sample.moments]
        for options in _all_options(game):
            with suppress(RuleError):  # other options can need another board
                pictures.append(game.blank(sample.board, options)[TABLE])
        for picture in pictures:
            yield from map(game.colour, game.standing(picture))


# --- events and commands ----------------------------------------------------------------------------------------


def _of_events(sample: Sample) -> Iterator[Name]:
    game, seats = sample.game, sample.names
    teams = game.teams(sample.options) if isinstance(game, Teams) else {}
    for play in sample.plays:
        events = play.referee.told[REFEREE]
        if isinstance(game, Fortunes):
            yield from (Name("fortunes()", "seat", it.seat, seats) for it in game.fortunes(events))
        if isinstance(game, Endings) and (end := game.ending(play.referee.pictures[TABLE])) is not None:
            # A side without players wins under its own name. If the game has teams, it is one of them, without seats.
            sides, free = (*dict.fromkeys((*seats, *teams)),), not teams
            yield from (Name("ending()", "seat or side", name, sides, free=free) for name in end.winners)
            if isinstance(game, Costs):
                found = (game.cost(end, event) for event in play.referee.told[TABLE])
                yield from (Name("cost()", "seat", it.seat, seats) for it in found if it is not None)
    yield from (Name("teams()", "seat", seat, seats) for team in teams.values() for seat in team)


def _of_foresight(sample: Sample) -> Iterator[Name]:
    game, known = sample.game, tags(sample.game, Command)
    if not isinstance(game, Foresight):
        return
    # the game's own screens can show other keys
    generic = [seat for seat in sample.names if not brings_screen(game, seat)]
    for moment in sample.moments:
        for seat in generic:
            for tag, facts in game.foresight(moment.pictures[seat], seat).items():
                yield Name("foresight()", "type of action", tag, known)
                yield from (Name(f"foresight() of {tag}", "fact", fact, FORESEEN) for fact in facts)


# --- the board --------------------------------------------------------------------------------------------------


def _of_board(sample: Sample) -> Iterator[Name]:
    game, board = sample.game, sample.board
    if board is None:
        return
    spaces = (*board.spaces,)
    if isinstance(game, DecoratesMaps):
        yield from (Name("map_art().paint", "space", space, spaces) for space in game.map_art(board).paint)
    if isinstance(game, OnBoard):
        # Each name once, because the hash of a `Name` is that of all spaces.
        stood = game.stood if isinstance(game, Automated) else lambda _: {}
        found = (_of_miniatures(game, stood, moment.pictures[TABLE]) for moment in sample.moments)
        for place, name, known in dict.fromkeys(chain.from_iterable(found)):
            yield Name(place, "space", name, spaces) if known is None else Name(place, "miniature", name, known)
    if isinstance(game, Routes):
        routes = (game.route(play.referee.told[REFEREE]) for play in sample.plays)
        yield from (Name("route()", "space", space, spaces) for route in routes for turn in route for space in turn)


def _of_miniatures(
    game: OnBoard, stood_after: Callable[[Any], Mapping[str, str | None]], public: Any
) -> Iterator[tuple[str, str, tuple[str, ...] | None]]:
    """Yield each name with its place; for a miniature, with the names of all of them."""
    standing, stood = game.standing(public), stood_after(public)
    known = (*standing,)
    yield from (("stood()", name, known) for name in stood)
    places = {"standing()": standing.values(), "stood()": stood.values(), "optional()": game.optional(public)}
    for place, found in places.items():
        yield from ((place, space, None) for space in found if space is not None)
    for act in game.placements(public):
        yield "placements()", act.unit, known
        yield from (("placements()", space, None) for space in (act.start, act.to) if space is not None)


# --- bots and files ---------------------------------------------------------------------------------------------


def _all_options(game: Game) -> Iterator[Any]:
    """Yield the default options, and those with each setting of the lobby."""
    form = game.options()
    yield game.read_options(None)
    for option in form:
        for value in settings(option):
            with suppress(RuleError):
                yield game.read_options(put(defaults(form), option.path, value))


def _all_seats(game: Game) -> tuple[str, ...]:
    """Return the names of the seats with each setting of the lobby."""
    seats = chain.from_iterable(map(game.seats, _all_options(game)))
    return (*dict.fromkeys(seat.name for seat in seats),)


def _of_options(sample: Sample) -> Iterator[Name]:
    game = sample.game
    for option in game.options():
        if isinstance(option, Several) and option.hampers:
            yield Name(f"The option {'.'.join(option.path)}", "seat", option.hampers, _all_seats(game))
    if isinstance(game, LampBoards):
        yield Name("lamp_board()", "board", game.lamp_board(sample.options), (*game.map_names(),))
    for bot in bots.own_names(game):
        yield from (Name(f"The bot {bot}", "seat", seat, _all_seats(game)) for seat in bots.find(game, bot).seats)


def _cards(game: Game) -> dict[str, Any]:
    groups = game.glossary().values() if isinstance(game, Glossary) else ()
    return {name: card for group in groups if isinstance(group, dict) for name, card in group.items()}


def _of_positions(sample: Sample) -> Iterator[Name]:
    """Yield the open cards of described positions; `unknown_cards` has those of games."""
    game = sample.game
    if isinstance(game, OpenCards):
        known = (*_cards(game),)
        for picture in chain.from_iterable(pictures.values() for pictures in sample.described):
            yield from (Name("open_cards() of a position", "card", name, known) for _, name in game.open_cards(picture))


def _of_screens(sample: Sample) -> Iterator[Name]:
    game, folder = sample.game, game_folder(sample.game.name) / "screens"
    scripts = sorted(folder.glob("*.js"))
    code = "\n".join(map(script, scripts))
    pages = (*_all_seats(game), *PAGES)
    for path in scripts:
        if f"/{path.name}" not in code:  # a script that another one imports is not a page
            yield Name(f"The file screens/{path.name}", "page", path.stem, pages)
    for path in folder.glob("*.css"):
        yield Name("The folder screens/", "style sheet", path.name, ("style.css",))
    if scripts:
        words = _words(game)
        yield from (Name("A script in screens/", "text", key, *words) for key in TEXT.findall(code))
    played = (*bots.names(game), *bots.own_bots(game).faults)
    art, shown = folder / "art.svg", ("cover", *(f"bot-{bot}" for bot in played), *_cards(game))
    with suppress(OSError, ET.ParseError):  # other checks report it
        for symbol in ET.parse(art).iterfind(f".//{SVG}symbol[@id]"):  # another check says that one has none
            # The game's own screens may show any symbol.
            yield Name("screens/art.svg", "card or bot", symbol.get("id", ""), shown, free=bool(scripts))


def _words(game: Game) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the keys of the game's catalogue, and those of the panel and of the games whose modules it imports."""
    own, *others = [game_folder(name) / "screens" for name in (game.name, *games_imported_by(game.name))]
    return _keys(own), (*chain.from_iterable(map(_keys, (FOLDER, *others))),)


def _keys(folder: Path) -> tuple[str, ...]:
    with suppress(OSError, ValueError):  # the check of the words reports it
        return tuple(entry.name for entry in read_catalogue(folder / f"{DEFAULT}.po"))
    return ()


def _of_aids(sample: Sample) -> Iterator[Name]:
    game = sample.game
    with suppress(RulebookError, LookupError):  # the check of the book reports it
        book = rulebook.book_of(game.name)
        rules = (*(f"{rule.group} {int(rule.id[-2:])}" for rule in book.entries.values()),)
        sheets = sheet_choices(game.name)
        words = _words(game) if sheets else ((), ())
        for sheet in sheets:
            for group, numbers in sheet.rules.items():
                yield from (Name("show/aids.toml", "rule", f"{group} {number}", rules) for number in numbers)
            yield Name("show/aids.toml", "text", sheet.title, *words)
            if sheet.cards:
                cards = (*game.glossary(),) if isinstance(game, Glossary) else ()
                yield Name("show/aids.toml", "group of cards", sheet.cards, cards)


FINDERS: Final[tuple[Callable[[Sample], Iterable[Name]], ...]] = (
    _of_cues, _of_show, _of_events, _of_foresight, _of_board, _of_options, _of_positions,
    _of_screens, _of_aids,
)  # fmt: skip
