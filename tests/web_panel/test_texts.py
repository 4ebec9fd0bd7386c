"""Every text is in every catalogue, every text is used, and what the pages need is small and our own."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from games.sniper_elite.game import SWITCHES
from tests.web_panel.conftest import Panel
from tools.texts import Entry, calls, read, said
from web_panel.language import DEFAULT, FOLDER, FRAME, KEY, PLACE, codes, language

ROOT = Path(__file__).resolve().parents[2]
PANEL = ROOT / "web_panel"
SCRIPTS = sorted((PANEL / "static").glob("*.js"))
FRAMES = "\n".join(path.read_text("utf-8") for path in [*(PANEL / "templates").glob("*.html"), *PANEL.glob("*.py")])
ENGLISH = read(FOLDER / f"{DEFAULT}.po")
KEYS = {entry.name for entry in ENGLISH}
BUDGET = 150_000

ON_NO_SCREEN = (
    "firmware_host/seats/bots.py",
    "engine/chance.py",
    "games/__init__.py",
    "games/sniper_elite/rules/luck.py",
    "games/sniper_elite/rules/odds.py",
    "games/sniper_elite/rules/position.py",
    "games/sniper_elite/rules/possible.py",
    "firmware_host/app/commands",
    "firmware_host/lab/headless.py",
    "firmware_host/lab/protocols",
    "firmware_host/lab/diagnostics",
)
"""What is refused there, programs and the terminal hear alone, in English."""


def code(path: Path) -> str:
    """A script without its comments."""
    return re.sub(r"^\s*//.*$", "", path.read_text("utf-8"), flags=re.MULTILINE)


SPEAKERS = [
    file for folder in ("engine", "firmware_host", "web_panel") for file in sorted((ROOT / folder).rglob("*.py"))
]
SCRIPT = "\n".join(code(path) for path in SCRIPTS)
FAMILIES = set(re.findall(r'\btOf\("([^"]+)"', SCRIPT))
SPOKEN = {key for key in KEYS if not key.startswith(FRAME)}


def test_every_text_that_a_screen_says_exists() -> None:
    assert set(re.findall(r'\bt\("([^"]+)"', SCRIPT)) - SPOKEN == set()
    assert {family for family in FAMILIES if not any(key.startswith(f"{family}.") for key in SPOKEN)} == set()


def test_every_text_is_said_somewhere() -> None:
    named = {key for key in SPOKEN if f'"{key}"' in SCRIPT}
    chosen = {key for key in SPOKEN if key.rpartition(".")[0] in FAMILIES}

    assert SPOKEN - named - chosen == set()


def test_every_text_of_the_frames_is_used_and_exists() -> None:
    used = set(re.findall(r"['\"](frame\.[\w.-]*\w)['\"]", FRAMES))
    used |= {f"{FRAME}title.{screen}" for screen in re.findall(r"set screen = '(\w+)'", FRAMES)}

    assert used - {f"{FRAME}title"} == KEYS - SPOKEN


def test_english_is_the_words_of_the_screens_and_nothing_else() -> None:
    assert {entry.name for entry in ENGLISH if not KEY.fullmatch(entry.name) or entry.case} == set()
    assert {entry.name for entry, texts in ENGLISH.items() if not all(texts)} == set()


@pytest.mark.parametrize("code", [code for code in codes() if code != DEFAULT])
def test_a_language_says_everything_that_is_said_and_nothing_else(code: str) -> None:
    found, wanted = read(FOLDER / f"{code}.po"), [*ENGLISH, *said()]
    plain = {entry for entry in found if not entry.case}
    bent = {Entry(entry.name, entry.many) for entry in found if entry.case}

    assert [entry.name for entry in wanted if entry not in plain] == [], "`python -m tools.texts` adds them"
    assert [entry.name for entry in plain | bent if entry not in wanted] == [], "`python -m tools.texts` takes them out"
    assert [entry.name for entry, texts in found.items() if not all(texts)] == [], "they wait for a translation"


@pytest.mark.parametrize("code", codes())
def test_a_translation_has_the_places_of_its_text_in_every_form(code: str) -> None:
    found = read(FOLDER / f"{code}.po")

    assert [entry.name for entry, texts in found.items() if not _same_places(entry, texts)] == []
    assert [entry.name for entry, texts in found.items() if entry.many and len(texts) != _forms(code)] == []


def _same_places(entry: Entry, texts: tuple[str, ...]) -> bool:
    """A form for one may leave the number out."""
    wanted = places("".join(ENGLISH[entry])) if entry in ENGLISH else places(entry.name)
    return all(places(text) | ({"number"} & wanted if entry.many else set()) == wanted for text in texts if text)


def _forms(code: str) -> int:
    return len(language(code).forms)


def places(text: str) -> set[str]:
    return {name for name, _ in PLACE.findall(text)}


@pytest.mark.parametrize("code", codes())
def test_no_translation_is_fuzzy_or_left_over(code: str) -> None:
    text = (FOLDER / f"{code}.po").read_text("utf-8")

    assert re.findall(r"^#[,~].*$", text, re.MULTILINE) == []


def test_what_is_said_is_one_whole_text_with_all_its_places_filled() -> None:
    """A text that is put together from pieces is one that nobody can translate."""
    faults = []
    for file in SPEAKERS:
        for call in calls(ast.parse(file.read_text("utf-8"))):
            given = {word.arg for word in call.keywords}
            texts = [word.value for word in call.args if isinstance(word, ast.Constant)]
            whole = all(isinstance(word, ast.Constant | ast.Name | ast.Attribute | ast.Call) for word in call.args)
            if not whole or (texts and given and given != set().union(*(places(str(text)) for text in texts))):
                faults.append(f"{file.relative_to(ROOT)}:{call.lineno}")
    assert faults == []


def test_whoever_is_refused_is_told_something_that_can_be_said_in_any_language() -> None:
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


def test_scripts_say_nothing_but_texts() -> None:
    """A text node in a script is a call of t(); a sentence in quotes would be one that nobody can translate."""
    sentences = re.findall(r'"[A-Z][a-z]+ [a-z][^"]*"', SCRIPT)

    assert sentences == []


def test_all_that_the_pages_need_is_small_the_icons_aside(panel: Panel) -> None:
    """Icons are for home screens: no page asks for them."""
    browser = panel.browser()
    paths = [f"/static/{path.name}" for path in (PANEL / "static").iterdir() if path.is_file()]
    paths = [path for path in paths if not path.endswith(".png")]
    paths += [
        "/",
        "/maps/launch-facility.svg",
        max((language(code) for code in codes()), key=lambda one: len(one.words)).address,
    ]

    sent = sum(len(browser.get(path, headers={"Accept-Encoding": "gzip"}).data) for path in paths)

    assert sent < BUDGET


@pytest.mark.parametrize("path", [*SCRIPTS, PANEL / "static" / "style.css"], ids=lambda path: path.name)
def test_nothing_is_fetched_from_outside_the_house(path: Path) -> None:
    assert set(re.findall(r"https?://[\w./]+", path.read_text("utf-8"))) <= {"http://www.w3.org/2000/svg"}


def test_the_readme_names_every_file_and_every_hook() -> None:
    readme = (PANEL / "README.md").read_text("utf-8")
    folders = (PANEL, PANEL / "static", PANEL / "templates")
    files = {path.name for folder in folders for path in folder.iterdir() if path.is_file()}
    hooks = set(re.findall(r"`([\w-]+)`", readme.partition("## Hooks")[2].replace("…", "x")))
    written = SCRIPT + "".join(path.read_text("utf-8") for path in (PANEL / "templates").glob("*.html"))

    assert {name for name in files - {"README.md", "__init__.py"} if f"{name}`" not in readme} == set()
    assert {hook for hook in hooks if not _hangs(hook, written)} == set()


def _hangs(hook: str, written: str) -> bool:
    """Whether a hook is set somewhere; `…x` stands for what differs from one to the next."""
    begin = hook[:-1] if hook.endswith("-x") else hook
    return f'"{begin}"' in written or f"`{begin}$" in written


def test_the_lobby_offers_every_ruling_that_can_be_switched_off() -> None:
    offered = re.search(r"const RULINGS = \[(.*)\];", code(PANEL / "static" / "options.js"))
    assert offered is not None
    assert re.findall(r'"(R-\d+)"', offered[1]) == list(SWITCHES)
    assert {key for key in KEYS if key.startswith("lobby.ruling.")} == {f"lobby.ruling.{name}" for name in SWITCHES}
