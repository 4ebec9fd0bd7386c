"""The languages of the screens: a gettext catalogue each in `languages/`, and one in the screens of each game.

A catalogue holds the words of the screens by key (`menu.title`) and what is said beside them (`Text`) by its English. A
game's holds its own words, and may say a key of the panel in its own way; they count while it is on the table. Whoever
looks at a screen is spoken to in that device's language, which its browser asks for until somebody chooses another
there; a picture is put into it at the very edge, from what its viewer was told and nothing else.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from babel import Locale
from babel.messages.catalog import Message
from babel.messages.pofile import PoFileError, read_po
from babel.plural import PluralRule
from flask import Flask, Request, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from firmware_host.api.interface import PLACE, Text, UserError, capitalized
from firmware_host.core.game_files import game_folder
from firmware_host.core.generic import brings_all_screens
from firmware_host.core.installed import names as game_names
from firmware_host.core.sizes import TooLarge, whole_file
from web_panel.halves import lenders

log = logging.getLogger("web_panel")

FOLDER = Path(__file__).resolve().parent / "languages"
GRAMMARS = FOLDER / "grammars.json"
"""The grammar of each language that has a catalogue; `python -m tools.texts` writes it."""
DEFAULT = "en"
A_YEAR = 365 * 24 * 60 * 60
KEY = re.compile(r"[a-z][\w-]*(\.[\w-]+)+")
"""The words of the screens have keys; everything else in a catalogue goes by its English."""
NO_GAME = "-"
"""What stands in the address of the words where no game is on the table."""
FRAME = "frame."
"""Keys that begin so are the pages' frames, made here; no script needs them."""
GENERIC = "generic."
"""Keys that begin so are said by the screens for games that bring none of their own."""
EDITOR = "editor."
"""Keys that begin so are said by the map editor, and by nothing at the table."""
KEEPER = ("network.", "workshop.", "club.")
"""Keys that begin so are said by no page of a player."""
BOT = "bot."
"""Keys that begin so are the names of bots."""
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
REMEMBERED = 2048
"""Sentences that are kept as they were said: a log says the same ones again and again."""
LONGEST_REMEMBERED = 400
"""Characters of a sentence that is kept."""
MANY = 200
"""Whole numbers up to here show every plural form that a language has."""

log = logging.getLogger("web_panel")

Forms = Mapping[str, str]
"""Plural category (`one`, `few`, …) -> text."""


class Grammar(NamedTuple):
    """The name that the speakers of a language give it, and its rules for plurals: category -> the CLDR's words."""

    name: str
    plurals: dict[str, str]

    @property
    def forms(self) -> tuple[str, ...]:
        """The plural categories of whole numbers, in the order of a catalogue."""
        rule = PluralRule(self.plurals)
        taken = {rule(number) for number in range(MANY)}
        return tuple(name for name in CATEGORIES if name in taken)


def grammar_of(code: str) -> Grammar:
    """The grammar of a language as Babel has it, which takes 4 MB to find it."""
    locale = Locale.parse(code)
    name = str(locale.get_display_name(code))
    return Grammar(name[:1].upper() + name[1:], dict(locale.plural_form.rules))


@cache
def grammars() -> Mapping[str, Grammar]:
    """The languages whose grammar is at hand."""
    found: dict[str, dict[str, Any]] = json.loads(GRAMMARS.read_bytes())
    return {code: Grammar(**facts) for code, facts in found.items()}


class Language:
    """One catalogue: what is said, in this language. A text that it lacks is said in English."""

    def __init__(self, path: Path, game: str = "") -> None:
        """`path` is the panel's catalogue; with it come the sentences of all games, and the words of `game`."""
        self.code, self.game = path.stem, game
        grammar = _grammar(self.code)
        self.name, self.forms, self._plural_form = grammar.name, grammar.forms, PluralRule(grammar.plurals)
        self._texts: dict[tuple[str, str], str | Forms] = {}
        self._put = lru_cache(REMEMBERED)(self._found)
        for name in sorted(game_names(), key=lambda name: name == game):
            self._take(game_catalogue(name, self.code), keys=False)
        for code in dict.fromkeys((DEFAULT, self.code)):
            self._take(path.with_name(f"{code}.po"))
            for name in (*lenders(game), game) if game else ():
                self._take(game_catalogue(name, code))
        for bot, called in self.family(BOT).items():  # a sentence names it by itself, a screen by its key
            self._texts.setdefault(("", bot), called)

    def _take(self, path: Path, keys: bool = True) -> None:
        """Take what a catalogue says over what is there already; without `keys` its sentences alone."""
        if not path.is_file():
            return
        said = _read(path)
        self._texts |= said if keys else {place: text for place, text in said.items() if not KEY.fullmatch(place[1])}

    def text(self, key: str, **values: str | int) -> str:
        """A word of the frames. Raises `KeyError` for none: a page that says nothing is a fault of ours."""
        return self._filled(self._texts[("", key)], values, "")

    def word(self, key: str, default: str) -> str:
        """A word without places; `default` where neither the panel nor the game has it."""
        found = self._texts.get(("", key))
        return found if isinstance(found, str) else default

    def family(self, prefix: str) -> dict[str, str]:
        """The words without places whose keys begin so, by what follows, in the order of the catalogues."""
        found = ((name, text) for (case, name), text in self._texts.items() if not case and name.startswith(prefix))
        return {name.removeprefix(prefix): text for name, text in found if isinstance(text, str)}

    def say(self, said: str, case: str = "") -> str:
        """What is said, in this language and, for a word in a sentence, in this case; a name is said as it is."""
        if not isinstance(said, Text):
            return said
        if len(said) > LONGEST_REMEMBERED:  # a stranger's words may be in it, and are long
            return self._found(said, said.text, case)
        return self._put(said, said.text, case)

    def _found(self, said: Text, text: str, case: str) -> str:
        """`text` is what it is said from: what is alike in English need not be alike in this language."""
        found = self._texts.get((case, text), self._texts.get(("", text)))
        if found is None:
            number = said.values.get("number")
            found = said.many if said.many and number != 1 else text
        return self._filled(found, said.values, case)

    def knows(self, said: Text) -> bool:
        """Whether a text can be said in this language."""
        return ("", said.text) in self._texts

    def _filled(self, found: str | Forms, values: Mapping[str, str | int], case: str) -> str:
        if not isinstance(found, str):
            number = values.get("number")
            form = self._plural_form(number) if isinstance(number, int) else "other"
            found = found.get(form) or found.get("other", "")  # English, where this language lacks the text

        def fill(place: re.Match[str]) -> str:
            value = values.get(place[1], place[0])
            return self.say(value, place[2] or case) if isinstance(value, str) else str(value)

        return capitalized(found, PLACE.sub(fill, found), values)

    def spoken(self, value: Any) -> Any:
        """Plain data with everything that is said in it put into this language."""
        if isinstance(value, str):
            return self.say(value)
        if isinstance(value, Mapping):
            return {name: self.spoken(part) for name, part in value.items()}
        return [self.spoken(part) for part in value] if isinstance(value, list | tuple) else value

    @cached_property
    def words(self) -> bytes:
        """The words of the screens as a script module: the language's code, and key -> text or plural forms."""
        return self._without(*KEEPER)

    @cached_property
    def keeper_words(self) -> bytes:
        """The same with those of the pages for whoever keeps the table."""
        return self._without()

    def only(self, prefix: str) -> bytes:
        """The words whose keys begin so, as such a module."""
        return self._module({name: text for name, text in self._keyed().items() if name.startswith(prefix)})

    def _without(self, *unsaid: str) -> bytes:
        unsaid = (FRAME, EDITOR, *unsaid, *((GENERIC,) if self.game and brings_all_screens(self.game) else ()))
        return self._module({name: text for name, text in self._keyed().items() if not name.startswith(unsaid)})

    def _keyed(self) -> dict[str, str | Forms]:
        return {name: text for (case, name), text in self._texts.items() if not case and KEY.fullmatch(name)}

    def _module(self, sent: Mapping[str, str | Forms]) -> bytes:
        facts = json.dumps(sent, ensure_ascii=False, separators=(",", ":"))
        return f'export const LANGUAGE = "{self.code}";\nexport const WORDS = {facts};\n'.encode()

    @cached_property
    def address(self) -> str:
        """Where the words are; it changes with them, so that a browser may keep them for good."""
        return self._addressed(self.code, self.words)

    @cached_property
    def keeper_address(self) -> str:
        """Where `keeper_words` are."""
        return self._addressed(f"{self.code}.keeper", self.keeper_words)

    def _addressed(self, name: str, words: bytes) -> str:
        return f"/words/{self.game or NO_GAME}/{name}-{hashlib.sha256(words).hexdigest()[:12]}.js"


def _messages(path: Path) -> list[Message]:
    """What a catalogue holds; nothing where one of a game cannot be read, and then that game speaks English."""
    try:
        file = path.open("rb") if path.parent == FOLDER else BytesIO(whole_file(path))
        with file:
            return [*read_po(file, path.stem, abort_invalid=True)]
    except (PoFileError, ValueError, LookupError, OSError, TooLarge) as error:
        if path.parent == FOLDER:
            raise
        log.error("The words in %s/%s cannot be read: %s.", path.parent.parent.name, path.name, type(error).__name__)
        return []


def _grammar(code: str) -> Grammar:
    return grammars().get(code) or grammar_of(code)


@cache
def _read(path: Path) -> Mapping[tuple[str, str], str | Forms]:
    """Return what a catalogue says, by context and name. It is read once, and shared by the words of all games."""
    forms = _grammar(path.stem).forms
    said: dict[tuple[str, str], str | Forms] = {}
    for message in _messages(path):
        name = message.id if isinstance(message.id, str) else message.id[0] if message.id else ""
        if name and message.string:
            found: str | Sequence[str] = message.string
            text = found if isinstance(found, str) else dict(zip(forms, found, strict=False))
            said[message.context or "", name] = text
    return said


@cache
def codes() -> tuple[str, ...]:
    """The languages that have a catalogue, the default first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.po")), key=lambda code: (code != DEFAULT, code)))


@cache
def language(code: str, game: str = "") -> Language:
    """A language with the words of a game, read once."""
    return Language(FOLDER / f"{code}.po", game)


def load_languages() -> None:
    """Read every catalogue, so that no request waits for one. One that cannot be read is tried again when needed."""
    for code, game in product(codes(), ("", *game_names())):
        try:
            language(code, game)
        except Exception as error:
            log.error("the words of %s in %s cannot be read: %s", game or "the panel", code, type(error).__name__)


def game_catalogue(game: str, code: str) -> Path:
    """Where a game has its words in a language, if it has them. Raises `LookupError` for no such game."""
    return game_folder(game) / "screens" / f"{code}.po"


class Languages:
    """Which device is spoken to in which language."""

    def __init__(
        self, cookie: str, of_house: Callable[[], str] = lambda: "", on_table: Callable[[], str] = lambda: ""
    ) -> None:
        """`of_house` is the language of devices that ask for none of ours, empty for English; `on_table` is the name of
        the game on the table, empty for none.
        """
        self._cookie = f"{cookie}-language"
        self._of_house, self._on_table = of_house, on_table

    def of(self, asked: Request) -> Language:
        """The language chosen on this device, else the one that its browser likes best."""
        chosen = asked.cookies.get(self._cookie, "")
        if chosen not in codes():
            chosen = asked.accept_languages.best_match(codes()) or _told(self._of_house)
        if chosen not in codes():
            chosen = DEFAULT
        return language(chosen, _told(self._on_table))

    def choose(self, asked: Request) -> Answer | None:
        """`?language=pl` at any page chooses it for this device, and leads to the same page without it."""
        chosen = asked.args.get("language", "")
        if asked.method != "GET" or chosen not in codes() or asked.endpoint is None:
            return None
        answer = redirect(url_for(asked.endpoint, **(asked.view_args or {})))
        answer.set_cookie(self._cookie, chosen, max_age=A_YEAR, path="/", httponly=True, samesite="Lax")
        return answer


def _told(ask: Callable[[], str]) -> str:
    """What the table answers; nothing where it cannot say so any more."""
    try:
        return ask()
    except UserError:
        return ""


def here() -> Language:
    """The language of whoever asks now."""
    if "language" not in g:
        languages: Languages = current_app.extensions["languages"]
        g.language = languages.of(request)
    spoken: Language = g.language
    return spoken


def speak_of(game: str) -> None:
    """Answer the request of whoever asks now with the words of `game`, whatever is on the table."""
    g.language = language(here().code, game)


def speak(app: Flask, languages: Languages) -> None:
    """Let `app` speak to whoever asks in the language of that device, and offer the words of the screens."""
    app.extensions["languages"] = languages
    app.before_request(lambda: languages.choose(request))

    @app.context_processor
    def words() -> dict[str, Any]:
        return {
            "t": here().text,
            "say": here().say,
            "language": here(),
            "languages": {code: _grammar(code).name for code in codes()},
        }

    @app.get("/words/<game>/<name>.js")
    def catalogue(game: str, name: str) -> Response:
        """The words of the screens in the language that the name begins with, as a script module."""
        code, _, whose = name.partition("-")[0].partition(".")
        known = code in codes() and game in (NO_GAME, *game_names())
        spoken = language(code, "" if game == NO_GAME else game) if known else here()
        return Response(spoken.keeper_words if whose else spoken.words, mimetype="text/javascript")
