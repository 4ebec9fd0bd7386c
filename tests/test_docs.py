"""The pages are true: their commands and files exist, and the project names nothing outside itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tools.targets import TARGETS

ROOT = Path(__file__).resolve().parent.parent

PAGES = ("README.md", "ARCHITECTURE.md")
INLINE = re.compile(r"`([^`\n]+)`")
FENCE = re.compile(r"^(?:```|~~~).*?^(?:```|~~~)", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|mailto:|#)([^)#\s]+)")
SOURCES = (
    ".ci",
    "docs",
    "engine",
    "games",
    "firmware_host",
    "hardware",
    "lab",
    "maker",
    "maps",
    "systemd",
    "tests",
    "tools",
    "web_panel",
)
ENDING = r"\.(?:py|md|toml|json|geojson|html|js|css|svg|service|lock|png|yml)"
PATH = re.compile(rf"(?:\./)?(?:{'|'.join(map(re.escape, SOURCES))})/[^\s`]*|[\w.<>*/-]+{ENDING}")
"""A path in backticks: it starts with a folder of the project, or ends like one of its files."""

MACHINE = re.compile(r"(?<![\w.<>}~-])/(?:work|tmp|root|Users|home/\w+)/[\w.]")
HOSTS = re.compile("|".join(map(re.escape, ("pypi" + ".org", "python" + "hosted", "npmjs" + ".", "deb.debian" + "."))))
"""Where packages come from depends on each machine."""


def read_page(name: str) -> str:
    """Return the text of a page, which must exist."""
    file = ROOT / name
    assert file.exists(), f"{name} is missing: it is a part of the product"
    return file.read_text("utf-8")


def named_paths(text: str) -> set[str]:
    """Return the paths in the backticks and links of a page; of `a.py — f` and `a.py:f`, only the file."""
    spans = [re.split(r"[\s:]", span.strip())[0] for span in INLINE.findall(FENCE.sub("", text))]
    return {span for span in spans if PATH.fullmatch(span)} | set(LINK.findall(text))


def exists(path: str) -> bool:
    """Return whether a path exists; a placeholder, as in `maps/<name>/`, matches any name."""
    if path.startswith((".venv/", ".state/")):
        return True  # the first start makes it
    pattern = re.sub(r"<[^>]*>", "*", path.removeprefix("./").rstrip("/"))
    places = [*ROOT.glob(pattern)] + ([] if "/" in pattern else [*sources_named(pattern)])
    return bool(places)


def sources_named(pattern: str) -> Iterator[Path]:
    """Return the files with this name in the project's folders: `tracker.py` is
    firmware_host/board/tracking/tracker.py.
    """
    for folder in SOURCES:
        yield from (ROOT / folder).rglob(pattern)


def made_by(text: str) -> set[str]:
    """Return the targets of all `make …` commands in a page."""
    spans = [*INLINE.findall(text), *(line.strip(" $") for line in "\n".join(FENCE.findall(text)).splitlines())]
    found = [re.match(r"make((?: +[a-z]+)+)", span) for span in spans]
    return {target for match in found if match for target in match[1].split()}


def own_files() -> Iterator[Path]:
    """Return every text file of the project."""
    at_top = (file for file in ROOT.iterdir() if file.is_file())
    below = (file for folder in SOURCES for file in (ROOT / folder).rglob("*") if file.is_file())
    yield from (file for file in (*at_top, *below) if "__pycache__" not in file.parts)


@pytest.mark.parametrize("name", PAGES)
def test_every_path_in_a_page_exists(name: str) -> None:
    missing = sorted(path for path in named_paths(read_page(name)) if not exists(path))
    assert not missing, f"{name} names missing paths: {missing}"


@pytest.mark.parametrize("name", PAGES)
def test_every_make_command_in_a_page_exists(name: str) -> None:
    unknown = sorted(made_by(read_page(name)) - TARGETS.keys())
    assert not unknown, f"{name} names targets that the Makefile does not have: {unknown}"


@pytest.mark.parametrize("name", PAGES)
def test_commands_of_a_page_are_on_lines_of_their_own(name: str) -> None:
    joined = [line for line in read_page(name).splitlines() if re.search("^    [^#]*[a-z] # .* # ", line)]
    assert not joined, "a line has two comments, so it can't be copied"


def test_readme_starts_with_the_two_commands() -> None:
    assert {"play", "test"} <= made_by(read_page("README.md"))


def test_project_names_nothing_outside_itself() -> None:
    found = [
        f"{file.relative_to(ROOT)}:{number}: {line.strip()[:90]}"
        for file in own_files()
        for number, line in enumerate(file.read_text("utf-8", "ignore").splitlines(), 1)
        if MACHINE.search(line) or HOSTS.search(line)
    ]
    assert not found, "no paths of one machine and no package hosts belong here:\n" + "\n".join(found)


def test_missing_path_is_found() -> None:
    text = "`engine/events.py`, `games/<name>/`, `engine/no.py:fold`, `events.py — Told`, [it](docs/no.md), `a/1`"
    paths = {"engine/events.py", "games/<name>/", "engine/no.py", "events.py", "docs/no.md"}
    assert named_paths(text) == paths
    assert {path for path in paths if not exists(path)} == {"docs/no.md", "engine/no.py"}


def test_unknown_target_is_found() -> None:
    assert made_by('`make play`, `make test ARGS="-k sight"`\n\n```sh\n$ make fly\nmake setup check # both\n```\n') == {
        "play",
        "test",
        "fly",
        "setup",
        "check",
    }


@pytest.mark.parametrize("line", ["cd /wo" + "rk/main", "at /ho" + "me/ann/game", "from py" + "pi.org"])
def test_reference_to_outside_place_is_found(line: str) -> None:
    assert MACHINE.search(line) or HOSTS.search(line)


@pytest.mark.parametrize("line", ["href='/home'", "GET /table/home/x", "the home/away side", "~/sniperboard"])
def test_ordinary_path_is_allowed(line: str) -> None:
    assert not MACHINE.search(line)
