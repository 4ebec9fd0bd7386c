"""Every text is in its catalogue, every text is used, and what the pages need is small and our own."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.web_panel.conftest import Panel
from web_panel.texts import TEXTS

PANEL = Path(__file__).resolve().parents[2] / "web_panel"
SCRIPTS = sorted((PANEL / "static").glob("*.js"))
CATALOGUE = (PANEL / "static" / "texts.js").read_text("utf-8")
KEYS = set(re.findall(r'^  "([^"]+)": ', CATALOGUE, re.MULTILINE))
BUDGET = 150_000


def code(path: Path) -> str:
    """A script without its comments; of the catalogue, only what follows the texts."""
    text = path.read_text("utf-8")
    if path.name == "texts.js":
        text = text[text.index("\n};\n") :]
    return re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE)


SCRIPT = "\n".join(code(path) for path in SCRIPTS)
FAMILIES = set(re.findall(r'\btOf\("([^"]+)"', SCRIPT))


def test_every_text_that_a_screen_says_exists() -> None:
    assert set(re.findall(r'\bt\("([^"]+)"', SCRIPT)) - KEYS == set()
    assert {family for family in FAMILIES if not any(key.startswith(f"{family}.") for key in KEYS)} == set()


def test_every_text_is_said_somewhere() -> None:
    named = {key for key in KEYS if f'"{key}"' in SCRIPT}
    chosen = {key for key in KEYS if key.rpartition(".")[0] in FAMILIES}

    assert KEYS - named - chosen == set()


def test_every_place_in_a_text_is_filled_by_name() -> None:
    assert re.findall(r"\{\w*[^\w}]", "".join(re.findall(r'": "(.*)",$', CATALOGUE, re.MULTILINE))) == []


def test_scripts_say_nothing_but_texts() -> None:
    """A text node in a script is a call of t(); a sentence in quotes would be one that nobody can translate."""
    sentences = re.findall(r'"[A-Z][a-z]+ [a-z][^"]*"', SCRIPT)

    assert sentences == []


def test_every_text_of_the_frames_is_used_and_exists() -> None:
    sources = [*(PANEL / "templates").glob("*.html"), *PANEL.glob("*.py")]
    text = "\n".join(path.read_text("utf-8") for path in sources)
    used = set(re.findall(r"texts\.(\w+\.\w+)", text))
    used |= {f"{screen}.{key}" for screen, key in re.findall(r'TEXTS\["(\w+)"\]\["([\w-]+)"\]', text)}
    used |= {f"titles.{screen}" for screen in re.findall(r"set screen = '(\w+)'", text)}
    used |= {f"failures.{code}" for code in re.findall(r'\d{3}: "([\w-]+)"', text)}
    used |= {"failures.not-understood", "failures.broken"}

    assert used == {f"{screen}.{key}" for screen, keys in TEXTS.items() for key in keys}


def test_a_page_and_everything_it_needs_is_small(panel: Panel) -> None:
    browser = panel.browser()
    paths = [f"/static/{path.name}" for path in (PANEL / "static").iterdir() if path.is_file()]
    paths += ["/", "/maps/launch-facility.svg"]

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
