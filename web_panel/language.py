"""The languages of the screens: one gettext catalogue each in `languages/`, and one per game.

A catalogue contains the texts of the screens by key (`menu.title`), and other sentences (`Text`) by their English text.
A game's catalogue contains its own texts. It may override a key of the panel while that game is on the table. Each
device has its own language: the browser's preference, until someone chooses another on that device. Translation is the
last step: only data that the viewer may know is translated.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from io import BytesIO
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileParser
from babel.plural import PluralRule
from flask import Flask, Request, Response, current_app, g, redirect, request, url_for
from werkzeug.wrappers import Response as Answer

from firmware_host.api.interface import Text, UserError, fill_places
from firmware_host.core.game_files import game_folder
from firmware_host.core.generic import brings_all_screens
from firmware_host.core.installed import names as game_names
from firmware_host.core.sizes import LONGEST_SENTENCE, whole_file
from firmware_host.core.strict import NotUtf8, strip_bom
from web_panel.game_screens import games_imported_by
from web_panel.versions import immutable_response

log = logging.getLogger("web_panel")

FOLDER = Path(__file__).resolve().parent / "languages"
GRAMMARS = FOLDER / "grammars.json"
"""The grammar of each language that has a catalogue; `python -m tools.texts` writes it."""
DEFAULT = "en"
A_YEAR = 365 * 24 * 60 * 60
KEY = re.compile(r"[a-z][\w-]*(\.[\w-]+)+")
"""Texts of the screens have keys; everything else in a catalogue has its English text as its name."""
NO_GAME = "-"
"""Replaces the game in the address of the texts if no game is on the table."""
FRAME = "frame."
"""Prefix of the keys of the page frames, which are rendered here; no script needs them."""
GENERIC = "generic."
"""Prefix of the keys that the generic screens use, for games without their own."""
EDITOR = "editor."
"""Prefix of the keys that only the map editor uses, no page of the table."""
KEEPER = (
    "network.", "workshop.", "club.", "admin.", "games.", "replay.", "analysis.", "health.", "puzzle.", "campaign.",
)  # fmt: skip
"""Prefixes of the keys that no page of a running game uses."""
PARTS = ("keeper", "editor")
"""The parts of the texts, which only some pages load."""
BOT = "bot."
"""Prefix of the keys of bot names."""
CATEGORIES = ("zero", "one", "two", "few", "many", "other")
REMEMBERED = 2048
"""Number of cached translations: a log repeats the same sentences often."""
LONGEST_REMEMBERED = 400
"""Maximum characters of a cached sentence."""
LONGEST_RATIO, LONGEST_EXTRA = 4, 60
"""Maximum length of a translation: so many times that of the English text, plus so many letters.

A picture has room for very many short texts.
"""
MORE_PLACES = 3
"""A translation may have this many more places for words than the English text. Filling more would take long."""
MANY = 200
"""Whole numbers up to here cover every plural form of a language."""

Forms = Mapping[str, str]
"""Plural category (`one`, `few`, …) -> text."""


class Grammar(NamedTuple):
    """A language's own name, and its plural rules: category -> CLDR rule."""

    name: str
    plurals: dict[str, str]

    @property
    def forms(self) -> tuple[str, ...]:
        """Return the plural categories of whole numbers, in the order of a catalogue."""
        # Babel lists all categories, but some apply only to fractions. Catalogues contain those of whole numbers.
        rule = PluralRule(self.plurals)
        categories = {rule(number) for number in range(MANY)}
        return tuple(name for name in CATEGORIES if name in categories)


def grammar_of(code: str) -> Grammar:
    """Return the grammar of a language from Babel, which uses 4 MB of memory to look it up."""
    locale = Locale.parse(code)
    name = str(locale.get_display_name(code))
    return Grammar(name[:1].upper() + name[1:], dict(locale.plural_form.rules))


@cache
def grammars() -> Mapping[str, Grammar]:
    """Return the languages whose grammar is stored."""
    facts_by_code: dict[str, dict[str, Any]] = json.loads(GRAMMARS.read_bytes())
    return {code: Grammar(**facts) for code, facts in facts_by_code.items()}


class Language:
    """One language's catalogue. A missing text is shown in English."""

    def __init__(self, path: Path, game: str = "") -> None:
        """Load the panel's catalogue at `path`, the sentences of all games, and the texts of `game`."""
        self.code, self.game = path.stem, game
        grammar = _grammar(self.code)
        self.name, self.forms, self._plural_form = grammar.name, _forms(self.code), PluralRule(grammar.plurals)
        self._texts: dict[tuple[str, str], str | Forms] = {}
        self._put = lru_cache(REMEMBERED)(self._found)
        self.script, self.address = cache(self._script), cache(self._address)
        # The game's own sentences come last, so they override equal ones of other games.
        for name in sorted(game_names(), key=lambda name: name == game):
            self._take(game_catalogue(name, self.code), keys=False)
        # English first, then this language over it: a missing translation appears in English.
        for code in dict.fromkeys((DEFAULT, self.code)):
            self._take(path.with_name(f"{code}.po"))
            for name in (*games_imported_by(game), game) if game else ():
                self._take(game_catalogue(name, code))
        for bot, called in self.family(
            BOT
        ).items():  # sentences refer to a bot by its plain name, and screens by its key
            self._texts.setdefault(("", bot), called)

    def _take(self, path: Path, keys: bool = True) -> None:
        """Add the texts of a catalogue, replacing earlier ones; without `keys` only its sentences."""
        if not path.is_file():
            return
        texts = _read(path)
        self._texts |= texts if keys else {place: text for place, text in texts.items() if not KEY.fullmatch(place[1])}

    def has(self, text: str) -> bool:
        """Return whether the catalogue has this English text."""
        return ("", text) in self._texts

    def text(self, key: str, **values: str | int) -> str:
        """Return a text of the frames. Raises `KeyError` for an unknown key: a page without text is a bug."""
        return self._filled(self._texts[("", key)], values, "")

    def word(self, key: str, default: str) -> str:
        """Return a text without placeholders; `default` if neither the panel nor the game has it."""
        text = self._texts.get(("", key))
        return text if isinstance(text, str) else default

    def family(self, prefix: str) -> dict[str, str]:
        """Return the texts without placeholders whose keys have this prefix.

        They are named by the rest of the key, in the order of the catalogues.
        """
        texts = ((name, text) for (case, name), text in self._texts.items() if not case and name.startswith(prefix))
        return {name.removeprefix(prefix): text for name, text in texts if isinstance(text, str)}

    def say(self, sentence: str, case: str = "") -> str:
        """Translate a sentence or a word.

        `case` is the grammatical case of a word within a sentence. A plain string, such as a name, stays as it is.
        """
        if not isinstance(sentence, Text):
            return sentence
        if len(sentence) > LONGEST_REMEMBERED:  # it may contain long text from a stranger
            return self._found(sentence, sentence.text, case)
        return self._put(sentence, sentence.text, case)

    def _found(self, sentence: Text, text: str, case: str) -> str:
        """Translate `sentence`, whose English is `text`.

        `text` is part of the cache key, because texts that are equal in English may differ in this language.
        """
        form = self._texts.get((case, text), self._texts.get(("", text)))
        if form is None:
            # The text is not in the catalogue. English has only a singular and a plural.
            number = sentence.values.get("number")
            form = sentence.many if sentence.many and number != 1 else text
        filled = self._filled(form, sentence.values, case)
        # A translation can repeat a placeholder. In nested texts, that multiplies at each level.
        return filled if len(filled) <= LONGEST_RATIO * len(sentence) + LONGEST_EXTRA else str(sentence)

    def _filled(self, forms: str | Forms, values: Mapping[str, str | int], case: str) -> str:
        if not isinstance(forms, str):
            number = values.get("number")
            # CLDR's plural category, for example `few` for 2 to 4 in Polish.
            category = self._plural_form(number) if isinstance(number, int) else "other"
            forms = forms.get(category) or forms.get("other", "")  # the English form, if this language lacks the text

        # Words within a sentence are texts, too; the placeholder may ask for a grammatical case.
        return fill_places(forms, values, lambda value, wanted: self.say(value, wanted or case))

    def translate_all(self, value: Any) -> Any:
        """Return plain data with all of its sentences translated."""
        if isinstance(value, str):
            return self.say(value)
        if isinstance(value, Mapping):
            return {name: self.translate_all(part) for name, part in value.items()}
        return [self.translate_all(part) for part in value] if isinstance(value, list | tuple) else value

    def _script(self, part: str = "") -> bytes:
        """Return the texts of the screens as a script module: the language code, and key -> text or plural forms.

        Without a `part` they are those of the lobby and of a running game. `keeper` has those of all pages of the
        table, and `editor` only those of the map editor.
        """
        generic = (GENERIC,) if self.game and brings_all_screens(self.game) else ()
        unsaid = (FRAME, EDITOR, *(() if part else KEEPER), *generic)
        sent = {
            name: text
            for (case, name), text in self._texts.items()
            if not case and KEY.fullmatch(name)
            if (name.startswith(EDITOR) if part == "editor" else not name.startswith(unsaid))
        }
        facts = json.dumps(sent, ensure_ascii=False, separators=(",", ":"))
        return f'export const LANGUAGE = "{self.code}";\nexport const WORDS = {facts};\n'.encode()

    def _address(self, part: str = "") -> str:
        """Return the address of a script; it changes with the texts, so a browser may cache them permanently."""
        name = f"{self.code}.{part}" if part else self.code
        digest = hashlib.sha256(self.script(part)).hexdigest()[:12]
        return f"/words/{self.game or NO_GAME}/{name}-{digest}.js"


class _Catalogue(Catalog):
    """A catalogue that ignores the number of plural forms in its file: Babel would allocate as many as the file
    claims."""

    num_plurals = len(CATEGORIES)


def _messages(path: Path) -> list[Message]:
    """Return the messages of a catalogue; none if a game's catalogue cannot be read: the game is then shown in
    English."""
    catalogue = _Catalogue(path.stem)
    try:
        content = path.read_bytes() if path.parent == FOLDER else whole_file(path)
        PoFileParser(catalogue, abort_invalid=True).parse(BytesIO(strip_bom(content)))
        return [*catalogue]
    except Exception as error:
        # The panel's own catalogues are part of the program: a broken one is a bug.
        if path.parent == FOLDER:
            raise
        why = str(error) if isinstance(error, NotUtf8) else type(error).__name__
        log.error("The words in %s/%s cannot be read: %s.", path.parent.parent.name, path.name, why)
        return []


def _grammar(code: str) -> Grammar:
    return grammars().get(code) or grammar_of(code)


@cache
def _forms(code: str) -> tuple[str, ...]:
    # Cache this, because Babel takes milliseconds for all these numbers, and each game has a catalogue.
    return _grammar(code).forms


@cache
def _fits(name: str, translation: str | Sequence[str]) -> bool:
    forms = [translation] if isinstance(translation, str) else translation
    return bool(KEY.fullmatch(name)) or max(form.count("{") for form in forms) <= name.count("{") + MORE_PLACES


def _read(path: Path) -> Mapping[tuple[str, str], str | Forms]:
    """Return the texts of a catalogue, by context and name. The languages of all games share them."""
    forms = _forms(path.stem)
    texts: dict[tuple[str, str], str | Forms] = {}
    for message in _messages(path):
        name = message.id if isinstance(message.id, str) else message.id[0] if message.id else ""
        translation: str | Sequence[str] = message.string or ""
        # An empty translation counts as missing, and so does one that is too long for any screen: English is shown.
        if name and translation and len("".join(translation)) <= LONGEST_SENTENCE and _fits(name, translation):
            text = translation if isinstance(translation, str) else dict(zip(forms, translation, strict=False))
            texts[message.context or "", name] = text
    return texts


@cache
def codes() -> tuple[str, ...]:
    """Return the languages that have a catalogue, the default first."""
    return tuple(sorted((path.stem for path in FOLDER.glob("*.po")), key=lambda code: (code != DEFAULT, code)))


@cache
def language(code: str, game: str = "") -> Language:
    """Return a language with the texts of a game; it is loaded once."""
    return Language(FOLDER / f"{code}.po", game)


def load_languages() -> Iterator[None]:
    """Load every catalogue, one in each step, so that no request waits for one.

    A catalogue that cannot be loaded is tried again when it is needed.
    """
    for code, game in product(codes(), ("", *game_names())):
        try:
            language(code, game)
        except Exception as error:
            log.error("The words of %s in %s cannot be read: %s", game or "the panel", code, type(error).__name__)
        yield


def game_catalogue(game: str, code: str) -> Path:
    """Return the path of a game's catalogue; it may not exist. Raises `LookupError` for an unknown game."""
    return game_folder(game) / "screens" / f"{code}.po"


class Languages:
    """Chooses the language of each device."""

    def __init__(
        self, cookie: str, of_house: Callable[[], str] = lambda: "", on_table: Callable[[], str] = lambda: ""
    ) -> None:
        """Store how to find the default language and the current game.

        `of_house` returns the language of devices that prefer none of the available languages, empty for English.
        `on_table` returns the name of the game on the table, empty for none.
        """
        self._cookie = f"{cookie}-language"
        self._of_house, self._on_table = of_house, on_table

    def of(self, http_request: Request) -> Language:
        """Return the language chosen on this device, else the one that its browser prefers.

        A worker sends `?speak=pl` with its pages' language, because browsers may not send the preference from workers.
        """
        chosen = http_request.args.get("speak", "")
        if chosen not in codes():
            chosen = http_request.cookies.get(self._cookie, "")
        if chosen not in codes():
            # A cookie is an explicit choice, so it comes before the browser's preference.
            chosen = http_request.accept_languages.best_match(codes()) or _answer_or_empty(self._of_house)
        if chosen not in codes():
            chosen = DEFAULT
        return language(chosen, _answer_or_empty(self._on_table))

    def choose(self, http_request: Request) -> Answer | None:
        """Store the language that `?language=pl` chooses on any page, for this device.

        Return a redirect to the same page without the parameter; None if the request chooses no language.
        """
        chosen = http_request.args.get("language", "")
        if http_request.method != "GET" or chosen not in codes() or http_request.endpoint is None:
            return None
        parameters = [(name, value) for name, value in http_request.args.items(multi=True) if name != "language"]
        # Don't pass them as arguments of `url_for`, where names like `_scheme` have a meaning.
        address = url_for(http_request.endpoint, **(http_request.view_args or {})) + (
            f"?{urlencode(parameters)}" if parameters else ""
        )
        answer = redirect(address)
        answer.set_cookie(self._cookie, chosen, max_age=A_YEAR, path="/", httponly=True, samesite="Lax")
        return answer


def _answer_or_empty(ask: Callable[[], str]) -> str:
    """Return the table's answer; empty if it no longer answers."""
    try:
        return ask()
    except UserError:
        return ""


def current_language() -> Language:
    """Return the language of the current request."""
    if "language" not in g:
        languages: Languages = current_app.extensions["languages"]
        g.language = languages.of(request)
    spoken: Language = g.language
    return spoken


def use_texts_of(game: str) -> None:
    """Use the texts of `game` for the current request, even if another game is on the table."""
    g.language = language(current_language().code, game)


def serve_texts(app: Flask, languages: Languages) -> None:
    """Translate the pages of `app` for each device, and serve the texts of the screens."""
    app.extensions["languages"] = languages
    app.before_request(lambda: languages.choose(request))

    @app.context_processor
    def words() -> dict[str, Any]:
        return {
            "t": current_language().text,
            "say": current_language().say,
            "language": current_language(),
            "languages": {code: _grammar(code).name for code in codes()},
        }

    @app.get("/words/<game>/<name>.js")
    def catalogue(game: str, name: str) -> Response:
        """Return the texts of the screens as a script module, in the language that the name begins with."""
        code, _, part = name.partition("-")[0].partition(".")
        # The name comes from the client; only known names may reach the file system.
        is_known = code in codes() and game in (NO_GAME, *game_names())
        spoken = language(code, "" if game == NO_GAME else game) if is_known else current_language()
        part = part if part in PARTS else ""
        return immutable_response(spoken.script(part), "text/javascript", spoken.address(part))
