"""Finds forms of the same word in English and Polish: "ladders" finds "ladder", "drabinie" finds "drabina".

Each word is split in every possible way into a stem and an ending of the language. Two words are forms of one word if a
stem of one is a stem of the other. Changes at the end of a stem (ręka, ręce) are folded into one spelling. The tables
are plain data, because the page with the rules searches with them in the browser (`web_panel/static/word-forms.js`).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from typing import Any

import msgspec
from msgspec import Struct

WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)*")
SHORTEST_STEM = 3
"""Letters of the shortest stem."""


class WordForms(Struct, frozen=True):
    """How the words of a language change. All words are plain: see `without_accents`.

    `short` endings may follow any stem, `long` ones only a stem with another letter. `folds` are (pattern, replacement,
    least letters of a stem), applied to a stem in order. `irregular` maps a word to forms with another stem. `ignored`
    words are left out of a search if it has other words.
    """

    short: str = ""
    long: str = ""
    folds: tuple[tuple[str, str, int], ...] = ()
    irregular: dict[str, str] = {}
    ignored: str = ""


ENGLISH = WordForms(
    short="s es e y ed ing er ers ies ied",
    long="ion ions ly able est ings",
    folds=((r"([bdglmnprt])\1$", r"\1", SHORTEST_STEM), ("i$", "y", SHORTEST_STEM)),
    irregular={"shoot": "shot shots", "hear": "heard", "see": "saw seen", "hide": "hid hidden", "die": "dead dying",
               "win": "won", "lose": "lost", "draw": "drew drawn", "run": "ran", "keep": "kept", "find": "found",
               "hold": "held", "take": "took taken", "give": "gave given", "choose": "chose chosen",
               "know": "knew known", "bring": "brought", "throw": "threw thrown", "spend": "spent",
               "lay": "laid", "leave": "left"},
    ignored=(
        "a an and are at be by can could do does for from how i if in is it me my of on or the they this "
        "through to what when where who will with you your"
    ),
)  # fmt: skip

POLISH = WordForms(
    short=(
        "a e i o u y ie ia iu io ii em om ow ej ym im ych ego ach ami ac ec ic yc aj uje uja uj ujesz ujac "
        "owac owal owany owana owane owanie owania owaniu"
    ),
    long=(
        "iem iom iow iami iach owi owie iowi emu ich ymi imi iego iemu iej asz esz isz ysz amy emy imy ymy "
        "acie ecie icie ycie aja eja al ala alo ali aly il ila ilo ili ily yl yla ylo yli yly el ela elo eli "
        "ial iala iali ialy iec iesz iemy iecie nac nal nela nelo neli nie niesz nij ni an any ana ane ani "
        "ano anego anej anych anym anymi anie ania aniu aniem aniach en ony ona one eni ono onego onej onych "
        "onym onymi enie enia eniu eniem eniach ien iony iona ione ieni iono ionego ionej ionych ionym ienie "
        "ienia ieniu ieniem ity ita ite ici ito itego itych yty yta yte yci yto ytego ytych ycia yciu yciem "
        "icia iciu nieto niety nieta niete nietych nieci niecie niecia nieciu niec owali owala owano owanych "
        "ujemy ujacy ujaca ujace ujacego ujacej ujacych ywac ywal ywa ywaja ywasz ywamy ywany ywana ywane "
        "ywanie ywania ywaniu ywaniem iwac iwal iwa iwaja iwasz iwany iwana iwane iwanie iwania iwaniu "
        "iwaniem ajac ajacy ajaca ajace ajacego ajacych iac iacy iaca iace iacych acy aca ace acych alby ilby "
        "alaby ilaby aloby iloby ejszy ejsza ejsze iejszy iejsza iejsze iejszego"
    ),
    folds=(
        ("(szcz|sc|st)$", "sk", SHORTEST_STEM), ("(cz|c|t)$", "k", SHORTEST_STEM),
        ("rz$", "r", SHORTEST_STEM), ("(sz|ch|h)$", "s", SHORTEST_STEM), ("(zdz|dz|g|z)$", "d", SHORTEST_STEM),
        ("i?e(?=[kn]$)", "", SHORTEST_STEM),  # a vowel that only some forms have: kostek, kostka
        ("[eo](?=[^aeiouy]+$)", "a", 5),  # strzelać, strzał; celność stays apart from całość
    ),
    irregular={"pies": "psa psu psem psy psow psom psami psach", "widziec": "widze widzi widac"},
    ignored=(
        "a aby albo ale byc co czy dla do gdy gdzie i ich ile jak jako jest kiedy kto lub ma mam moge moze "
        "mozna na nad nie o od po pod przez przy sa sie ten to tym u w we wolno z za ze"
    ),
)  # fmt: skip

LANGUAGES = {"en": ENGLISH, "pl": POLISH}


def forms_of(language: str) -> WordForms:
    """Return the tables of a language; empty ones for another language, whose words then match as they are."""
    return LANGUAGES.get(language, WordForms())


def tables(language: str) -> dict[str, Any]:
    """Return the tables of a language as JSON values."""
    forms: dict[str, Any] = msgspec.to_builtins(forms_of(language))
    return {"least": SHORTEST_STEM, **forms}


def without_accents(text: str) -> str:
    """Return a text in small letters without accents, as people often type it."""
    bare = "".join(letter for letter in unicodedata.normalize("NFD", text.lower()) if not unicodedata.combining(letter))
    # Unicode has no decomposition for ł.
    return bare.replace("ł", "l")


@lru_cache(4096)
def stems(word: str, language: str) -> frozenset[str]:
    """Return the stems of a plain word, folded."""
    forms = forms_of(language)
    for usual, others in forms.irregular.items():
        if word in others.split():
            word = usual
    short, long = {"", *forms.short.split()}, forms.long.split()
    all_stems = {
        # Every split that leaves a stem and a known ending: a word may have several stems.
        word[:at]
        for at in range(SHORTEST_STEM, len(word) + 1)
        if word[at:] in short or (at > SHORTEST_STEM and word[at:] in long)
    }
    return frozenset(_fold_stem(stem, forms) for stem in all_stems or {word})


def _fold_stem(stem: str, forms: WordForms) -> str:
    for pattern, by, least in forms.folds:
        if len(stem) >= least:
            stem = re.sub(pattern, by, stem)
    return stem


def plain_words(text: str) -> list[str]:
    """Return the plain words of a text."""
    return WORD.findall(without_accents(text))


def search_words(query: str, language: str) -> list[str]:
    """Return the plain words of a query. Words without meaning are left out if there are others."""
    query_words, ignored = plain_words(query), forms_of(language).ignored.split()
    # A query of such words alone, for example "how many", still finds something.
    return [word for word in query_words if word not in ignored] or query_words


def place(word: str, text: Iterable[str], language: str) -> int | None:
    """Return the place of the first of these plain words that is a form of `word`, or begins with it."""
    own = stems(word, language)
    # The beginning of a word counts, too, because results appear while a person is still typing.
    hits = (other.startswith(word) or not own.isdisjoint(stems(other, language)) for other in text)
    return next((at for at, hit in enumerate(hits) if hit), None)


def matches(word: str, text: Iterable[str], language: str) -> bool:
    """Return whether one of the plain words of a text is a form of `word`, or begins with it."""
    return place(word, text, language) is not None
