"""Every text is in every catalogue, every text is used, and the pages need few files, all from the table."""

from __future__ import annotations

import ast
import re
import shutil
from pathlib import Path

import pytest

import games
from engine.game import TABLE, OnBoard
from engine.text import PLACE
from firmware_host.core import bots, maps
from lab.authoring.texts import (
    PANEL,
    Catalogue,
    CatalogueEntry,
    CatalogueFolder,
    calls,
    grammars,
    read_catalogue,
    shelves,
    update,
)
from tests.web_panel.conftest import Panel
from web_panel.game_screens import SENT_TYPES, games_imported_by
from web_panel.language import DEFAULT, FOLDER, FRAME, GRAMMARS, KEY, codes, language

ROOT = Path(__file__).resolve().parents[2]
HERE = ROOT / "web_panel"
GAMES = [shelf for shelf in shelves()[1:] if [*shelf.folder.glob("*.js")]]
"""The games with their own screens."""
SCRIPTS = sorted((HERE / "static").rglob("*.js"))
FRAMES = "\n".join(path.read_text("utf-8") for path in [*(HERE / "templates").glob("*.html"), *HERE.glob("*.py")])
ENGLISH = read_catalogue(FOLDER / f"{DEFAULT}.po")
KEYS = {entry.name for entry in ENGLISH}
BUDGET = 139_500
KEEPERS = ("admin.js", "door.js", "network.js", "stored.js", "workshop.js", "workshop.css")
"""Files that only the admin's pages load. A browser test measures what each page loads."""
ANALYSIS = ("analysis.js", "analysis-graphs.js", "analysis-file.js", "analysis.css")
PUZZLES = ("puzzle.js", "puzzle.css")
PAPERS = ("rulebook.js", "word-forms.js", "games.js", "game.js", "campaign.js", "club.js", "health.js", "papers.css")
LOBBY = ("lobby.js", "topics.js", "play-now.js", "claiming.js", "options.js", "board.js")
"""Files that only the lobby or the simulated board load, which show no game's own screens either."""
READERS = (*PAPERS, *ANALYSIS, *PUZZLES)
"""Files that only pages for reading load (rules, past games, campaign, puzzles, sensors), which show no game's own
screens.
"""

ON_NO_SCREEN = (
    "lab/ratings.py",
    "firmware_host/core/bots.py",
    "engine/chance.py",
    "games/__init__.py",
    "games/sniper_elite/rules/luck.py",
    "games/sniper_elite/rules/odds.py",
    "games/sniper_elite/rules/position.py",
    "games/sniper_elite/rules/possible.py",
    "games/sniper_elite_solo/rules/luck.py",
    "games/sniper_elite_solo/rules/position.py",
    "games/sniper_elite_solo/rules/validation.py",
    "firmware_host/app/commands",
    "firmware_host/board/headless.py",
    "firmware_host/protocols",
    "firmware_host/workshop/checks.py",
    "firmware_host/workshop/doctor.py",
    "firmware_host/workshop/workbench.py",
)
"""Files whose refusals go only to programs and the terminal, in English."""


def code(path: Path) -> str:
    """Return a script without its comments."""
    return re.sub(r"^\s*//.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)


def scripts(shelf: CatalogueFolder) -> str:
    """Return all scripts of the panel, or of a game."""
    folder = HERE / "static" if shelf == PANEL else shelf.folder
    return "\n".join(code(path) for path in sorted(folder.rglob("*.js")))


def keys(shelf: CatalogueFolder) -> set[str]:
    """Return the texts of a catalogue by key."""
    return {entry.name for entry in read_catalogue(shelf.folder / f"{DEFAULT}.po")}


def imported_shelves(shelf: CatalogueFolder) -> list[CatalogueFolder]:
    """Return the shelves of the games whose modules a game's screens import."""
    return [one for one in GAMES if one.game in games_imported_by(shelf.game)]


SPEAKERS = [
    file
    for folder in ("engine", "games", "firmware_host", "web_panel")
    for file in sorted((ROOT / folder).rglob("*.py"))
]
SCRIPT = scripts(PANEL)
FAMILY = re.compile(r'\bt(?:Of|For)\("([^"]+)"')
OF_GAMES = {
    "act",
    "squad",
    "unit",
    "seat",
    "over",
    "bots.title",
    "briefing.beware",
    "briefing.way",
    "briefing.win",
    "lobby.about",
    "lobby.join",
    "lobby.open",
}
OF_GAMES |= {"lobby.take"}
"""Key families of the panel that a game may fill."""
BOTH = pytest.mark.parametrize("shelf", shelves(), ids=lambda shelf: shelf.game or "panel")
EACH = pytest.mark.parametrize("shelf", GAMES, ids=lambda shelf: shelf.game)


def used_keys(shelf: CatalogueFolder) -> tuple[set[str], set[str]]:
    """Return the keys that the scripts of the panel, or of a game, use, and the families from which they choose."""
    script = scripts(shelf)
    return set(re.findall(r'\bt\("([^"]+)"', script)), set(FAMILY.findall(script))


@BOTH
def test_every_text_used_by_a_screen_exists(shelf: CatalogueFolder) -> None:
    said, families = used_keys(shelf)
    there = {key for key in keys(shelf).union(KEYS, *map(keys, imported_shelves(shelf))) if not key.startswith(FRAME)}
    missing = {family for family in families if not any(key.startswith(f"{family}.") for key in there)}

    assert said - there == set()
    assert missing == (OF_GAMES & missing if shelf == PANEL else set())


@BOTH
def test_every_text_is_used(shelf: CatalogueFolder) -> None:
    """A game may override a text of the panel, or of a game whose modules it imports."""
    spoken = {key for key in keys(shelf) if not key.startswith(FRAME)}
    script = "\n".join([scripts(shelf), SCRIPT, *map(scripts, imported_shelves(shelf))])
    named = {key for key in spoken if f'"{key}"' in script}
    families = set(FAMILY.findall(script))

    assert {key for key in spoken - named if key.rpartition(".")[0] not in families} == set()


@EACH
def test_lobby_describes_the_table_whatever_game_is_chosen(shelf: CatalogueFolder) -> None:
    assert "frame.lobby.lead" not in keys(shelf)


@BOTH
def test_unit_names_have_no_capital_inside_a_text(shelf: CatalogueFolder) -> None:
    """`miniName` and `unitName` are for a name on its own; `t` writes the first letter of a text large."""
    assert re.findall(r"units?: (?:mini|unit)Name\b", scripts(shelf)) == []


def test_every_frame_text_is_used_and_exists() -> None:
    used = set(re.findall(r"['\"](frame\.[\w.-]*\w)['\"]", FRAMES))
    used |= {f"{FRAME}title.{screen}" for screen in re.findall(r"set screen = '(\w+)'", FRAMES)}

    assert used - {f"{FRAME}title"} == {key for key in KEYS if key.startswith(FRAME)}


@EACH
def test_game_has_a_title_for_each_seats_page(shelf: CatalogueFolder) -> None:
    game = games.find(shelf.game)
    seats = {seat.name for seat in game.seats(game.read_options({}))}
    own = {key for key in keys(shelf) if key.startswith(FRAME)}

    assert own >= {f"{FRAME}title.{seat}" for seat in seats}
    sheets = shelf.folder.parent / "show" / "aids.toml"
    aids = sheets.read_text("utf-8") if sheets.is_file() else ""
    others = (f"{FRAME}title.", f"{FRAME}legend.piece.")
    unused = {key for key in own - KEYS if f'"{key}"' not in aids and not key.startswith(others)}
    assert unused == set()


@EACH
@pytest.mark.parametrize("code", codes())
def test_game_names_seats_roles_and_miniatures_in_every_language(shelf: CatalogueFolder, code: str) -> None:
    game = games.find(shelf.game)
    options = game.read_options({})
    seats = game.seats(options)
    wanted = {f"seat.{seat.name}" for seat in seats}
    wanted |= {f"squad.{part}" for seat in seats for part in seat.parts}
    if isinstance(game, OnBoard):
        board = maps.load(maps.offered(game)[0])
        wanted |= {f"unit.{name}" for name in game.standing(game.blank(board, options)[TABLE])}

    assert wanted - {entry.name for entry in read_catalogue(shelf.folder / f"{code}.po")} == set()


@BOTH
@pytest.mark.parametrize("code", codes())
def test_every_bot_has_a_name_in_every_language(shelf: CatalogueFolder, code: str) -> None:
    there = bots.general_names() if shelf == PANEL else bots.own_names(games.find(shelf.game))

    assert there or shelf != PANEL
    assert {f"bot.{name}" for name in there} - {
        entry.name for entry in read_catalogue(shelf.folder / f"{code}.po")
    } == set()


@BOTH
def test_english_catalogue_has_only_screen_texts(shelf: CatalogueFolder) -> None:
    english = read_catalogue(shelf.folder / f"{DEFAULT}.po")

    assert {entry.name for entry in english if not KEY.fullmatch(entry.name) or entry.case} == set()
    assert {entry.name for entry, texts in english.items() if not all(texts)} == set()


@BOTH
@pytest.mark.parametrize("code", [code for code in codes() if code != DEFAULT])
def test_each_language_has_exactly_the_english_keys(shelf: CatalogueFolder, code: str) -> None:
    found, wanted = (
        read_catalogue(shelf.folder / f"{code}.po"),
        [*read_catalogue(shelf.folder / f"{DEFAULT}.po"), *shelf.said()],
    )
    plain = {entry for entry in found if not entry.case}
    bent = {CatalogueEntry(entry.name, entry.many) for entry in found if entry.case}

    assert [entry.name for entry in wanted if entry not in plain] == [], "`python -m tools.texts` adds them"
    assert [entry.name for entry in plain | bent if entry not in wanted] == [], "`python -m tools.texts` removes them"
    assert [entry.name for entry, texts in found.items() if not all(texts)] == [], "they wait for a translation"


@BOTH
@pytest.mark.parametrize("code", codes())
def test_catalogues_are_as_their_tool_writes_them(shelf: CatalogueFolder, code: str, tmp_path: Path) -> None:
    """Otherwise the next person who runs it finds changes of others in their diff."""
    for file in shelf.folder.glob("*.po"):
        shutil.copy(file, tmp_path)
    update(CatalogueFolder(tmp_path, shelf.game), code)

    assert (tmp_path / f"{code}.po").read_bytes() == (shelf.folder / f"{code}.po").read_bytes(), (
        "run `python -m tools.texts`"
    )


@BOTH
@pytest.mark.parametrize("code", codes())
def test_translation_has_the_placeholders_of_its_text_in_every_form(shelf: CatalogueFolder, code: str) -> None:
    found, english = read_catalogue(shelf.folder / f"{code}.po"), read_catalogue(shelf.folder / f"{DEFAULT}.po")

    assert [entry.name for entry, texts in found.items() if not _same_places(english, entry, texts)] == []
    assert [entry.name for entry, texts in found.items() if entry.many and len(texts) != _forms(code)] == []


@EACH
def test_game_override_keeps_the_panels_placeholders(shelf: CatalogueFolder) -> None:
    own = read_catalogue(shelf.folder / f"{DEFAULT}.po")

    assert [entry.name for entry in own if entry in ENGLISH and not _same_places(ENGLISH, entry, own[entry])] == []


def _same_places(english: Catalogue, entry: CatalogueEntry, texts: tuple[str, ...]) -> bool:
    """A singular form may leave the number out."""
    wanted = places("".join(english[entry])) if entry in english else places(entry.name)
    return all(places(text) | ({"number"} & wanted if entry.many else set()) == wanted for text in texts if text)


def _forms(code: str) -> int:
    return len(language(code).forms)


def places(text: str) -> set[str]:
    return {name for name, _ in PLACE.findall(text)}


@BOTH
@pytest.mark.parametrize("code", codes())
def test_no_translation_is_fuzzy_or_obsolete(shelf: CatalogueFolder, code: str) -> None:
    text = (shelf.folder / f"{code}.po").read_text("utf-8")

    assert re.findall(r"^#[,~].*$", text, re.MULTILINE) == []


def test_grammar_of_every_language_is_available() -> None:
    assert GRAMMARS.read_bytes() == grammars(), "`python -m tools.texts` writes it"


def test_each_text_is_whole_and_fills_all_placeholders() -> None:
    """A text that is put together from pieces cannot be translated."""
    faults = []
    for file in SPEAKERS:
        for call in calls(file.read_text("utf-8")):
            given = {word.arg for word in call.keywords}
            texts = [word.value for word in call.args if isinstance(word, ast.Constant)]
            whole = all(isinstance(word, ast.Constant | ast.Name | ast.Attribute | ast.Call) for word in call.args)
            if not whole or (texts and given and given != set().union(*(places(str(text)) for text in texts))):
                faults.append(f"{file.relative_to(ROOT)}:{call.lineno}")
    assert faults == []


def test_every_refusal_can_be_translated() -> None:
    faults = []
    for file in SPEAKERS:
        name = str(file.relative_to(ROOT))
        if name.startswith(ON_NO_SCREEN):
            continue
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in REFUSALS:
                faults += [f"{name}:{node.lineno}" for word in node.args[-1:] if isinstance(word, ast.JoinedStr)]
                faults += [f"{name}:{node.lineno}" for word in node.args if _is_sentence(word)]
    assert faults == []


REFUSALS = ("UserError", "Refused", "NotUnderstood", "Ambiguous")


def _is_sentence(word: ast.expr) -> bool:
    return isinstance(word, ast.Constant) and isinstance(word.value, str) and " " in word.value


@BOTH
def test_scripts_contain_no_untranslated_text(shelf: CatalogueFolder) -> None:
    """A text node in a script must be a call of t(); a sentence in quotes could not be translated."""
    sentences = re.findall(r'"[A-Z][a-z]+ [a-z][^"]*"', scripts(shelf))

    assert sentences == []


@EACH
def test_page_files_are_small_without_icons(shelf: CatalogueFolder, panel: Panel) -> None:
    """Icons are for home screens; no page requests them.

    `test_browser_craft.py` measures the admin's pages like all others.
    """
    browser = panel.browser()
    paths = [f"/static/{path.name}" for path in (HERE / "static").iterdir() if path.is_file()]
    paths = [path for path in paths if not path.endswith((".png", *KEEPERS, *READERS, *LOBBY))]
    paths += [f"/games/{shelf.game}/static/{path.name}" for path in shelf.folder.iterdir() if path.suffix in SENT_TYPES]
    paths += [
        "/",
        "/maps/launch-facility.svg",
        max((language(code, shelf.game) for code in codes()), key=lambda one: len(one.script())).address(),
    ]

    sent = [browser.get(path, headers={"Accept-Encoding": "gzip"}) for path in paths]

    assert {answer.status_code for answer in sent} == {200}
    assert sum(len(answer.data) for answer in sent) < BUDGET


def test_files_for_a_game_without_screens_are_small(panel: Panel) -> None:
    """The panel's own scripts with the generic screens, without pages for reading."""
    browser, static = panel.browser(), HERE / "static"
    files = [path for path in static.rglob("*") if path.suffix in SENT_TYPES - {".png"} and path.stem != "workshop"]
    files = [path for path in files if path.name not in READERS]
    paths = ["/", language("pl", "").address(), *(f"/static/{path.relative_to(static)}" for path in files)]
    sent = [browser.get(path, headers={"Accept-Encoding": "gzip"}) for path in paths]
    assert {answer.status_code for answer in sent} == {200}
    assert sum(len(answer.data) for answer in sent) < BUDGET


NAMESPACES = {"http://www.w3.org/2000/svg", "http://www.inkscape.org/namespaces/inkscape"}
"""Namespaces of markup, which only look like addresses."""
LOOKS = [*(HERE / "static").rglob("*.css"), *(path for shelf in GAMES for path in shelf.folder.glob("*.css"))]


def test_nothing_is_fetched_from_other_hosts() -> None:
    for path in (*SCRIPTS, *LOOKS, *(path for shelf in GAMES for path in shelf.folder.glob("*.js"))):
        assert {*re.findall(r"https?://[\w./]+", path.read_text("utf-8"))} <= NAMESPACES, path


def test_readme_names_every_file_and_test_id() -> None:
    readme = (HERE / "README.md").read_text("utf-8")
    folders = (HERE, HERE / "static", HERE / "static" / "generic", HERE / "templates")
    files = {path.name for folder in folders for path in folder.iterdir() if path.is_file()}
    hooks = set(re.findall(r"`([\w-]+)`", readme.partition("## Hooks")[2].replace("…", "x")))
    written = (
        SCRIPT
        + "".join(map(scripts, GAMES))
        + "".join(path.read_text("utf-8") for path in (HERE / "templates").glob("*.html"))
    )

    assert {name for name in files - {"README.md", "__init__.py"} if f"{name}`" not in readme} == set()
    named = set(re.findall(r"`(?:(?:static|templates|editor|generic)/)*([\w-]+\.(?:py|html|js|css))`", readme))
    assert named - {path.name for path in HERE.rglob("*")} == set(), "these are gone"
    assert {hook for hook in hooks if not _hangs(hook, written)} == set()


def _hangs(hook: str, written: str) -> bool:
    """Return whether a test id is set somewhere; the suffix `-x` matches any ending."""
    begin = hook[:-1] if hook.endswith("-x") else hook
    return f'"{begin}"' in written or f"`{begin}$" in written
