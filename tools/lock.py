"""The lock files (`make lock`): one version of each package, chosen by pip from pyproject.toml.

pip chooses within the ranges in pyproject.toml. The versions fit the oldest supported Python. Each version must exist
as a wheel for every supported Python and machine. The files name no index and contain no hashes, so that any mirror
works.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from tools import errors
from tools.environment import say
from tools.errors import ToolError
from tools.system import run_captured

PYTHONS = ("3.11", "3.12", "3.13")
MACHINES = ("x86_64", "aarch64")
OLDEST_GLIBC, NEWEST_GLIBC = 17, 36
"""manylinux_2_17 is the oldest tag that packages are built for; 2.36 is the C library of Debian 12."""

HEADER = "# Made by `make lock` from the ranges in pyproject.toml; change those, not this.\n"

Pins = dict[str, str]
"""Normalized package name -> version."""
Limits = dict[str, str]
"""Package name -> its marker in pyproject.toml, for example `platform_machine == "x86_64"`."""


def write_locks(root: Path) -> None:
    """Choose, check, and write the lock files. Raises `ToolError` before any file is written."""
    product, docs, tests = project_requirements(root)
    limits = markers([*product, *docs, *tests])
    with tempfile.TemporaryDirectory() as place:
        pip = fresh_pip(Path(place, "environment"))
        say("Choosing versions.")
        # Choose everything together first; the smaller sets then use the same versions.
        everything = resolve_versions(pip, [*product, *docs, *tests], {})
        playing = resolve_versions(pip, product, everything)
        building = resolve_versions(pip, [*product, *docs], everything)
        for python in PYTHONS:
            for machine in MACHINES:
                say(f"Checking that there are wheels for Python {python} on {machine}.")
                check(pip, wanted_on(machine, everything, limits), python, machine)
    # Each file has only the packages that the previous files lack.
    adding = {name: version for name, version in everything.items() if name not in building}
    building = {name: version for name, version in building.items() if name not in playing}
    (root / "requirements.lock").write_text(lock_text(playing), "utf-8")
    (root / "requirements-docs.lock").write_text(lock_text(building, limits), "utf-8")
    (root / "requirements-test.lock").write_text(lock_text(adding, limits), "utf-8")


def fresh_pip(folder: Path) -> list[str]:
    """Return the command of a pip in a new environment, so that installed packages have no influence."""
    code, said = run_captured([sys.executable, "-m", "venv", str(folder)])
    if code != 0:
        raise ToolError(errors.from_venv(said, folder))
    return [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check", "--no-input"]


def project_requirements(root: Path) -> tuple[list[str], list[str], list[str]]:
    """Return the requirements of the product (with its build and its extras), of the manual, and of the tests."""
    facts = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))
    extras = facts["project"]["optional-dependencies"]
    product = [*facts["build-system"]["requires"], *facts["project"]["dependencies"], *extras["maps"], *extras["board"]]
    return product, extras["docs"], extras["test"]


def markers(requirements: list[str]) -> Limits:
    """Return each requirement's environment marker, for example a machine type."""
    parts = (line.partition(";") for line in requirements)
    return {normalized_name(re.split(r"[^\w.-]", line)[0]): marker.strip() for line, _, marker in parts if marker}


def wanted_on(machine: str, pins: Pins, limits: Limits) -> Pins:
    """Return the pins that are needed on this kind of machine."""
    return {name: version for name, version in pins.items() if machine in limits.get(name, machine)}


def resolve_versions(pip: list[str], requirements: list[str], fixed: Pins) -> Pins:
    """Return the versions that pip would install for `requirements`; the versions in `fixed` are given."""
    with tempfile.TemporaryDirectory() as place:
        report, constraints = Path(place, "report.json"), Path(place, "constraints.txt")
        constraints.write_text(lock_text(fixed), "utf-8")
        dry_run(pip, place, PYTHONS[0], "--report", str(report), "--constraint", str(constraints), *requirements)
        chosen: list[dict[str, Any]] = json.loads(report.read_text("utf-8"))["install"]
    return dict(sorted((normalized_name(one["metadata"]["name"]), one["metadata"]["version"]) for one in chosen))


def check(pip: list[str], pins: Pins, python: str, machine: str) -> None:
    """Check that each pin exists as a wheel for this Python on this machine. Raises `ToolError`."""
    with tempfile.TemporaryDirectory() as place:
        wanted = [f"{name}=={version}" for name, version in pins.items()]
        dry_run(pip, place, python, "--no-deps", *platforms(machine), *wanted)


def platforms(machine: str) -> list[str]:
    """Return pip's options for Debian 12 on this machine."""
    # Newest first: pip prefers the earlier tags.
    tags = [f"manylinux_2_{minor}_{machine}" for minor in range(NEWEST_GLIBC, OLDEST_GLIBC - 1, -1)]
    return [word for tag in (*tags, f"manylinux2014_{machine}") for word in ("--platform", tag)]


def dry_run(pip: list[str], place: str, python: str, *words: str) -> None:
    """Let pip resolve without installing. Raises `ToolError` with the end of pip's output."""
    # `--target` is required with `--python-version`, although nothing is installed.
    alone = ["install", "--dry-run", "--ignore-installed", "--only-binary=:all:", "--target", place]
    code, said = run_captured([*pip, *alone, "--python-version", python, *words])
    if code != 0:
        raise ToolError("No set of versions fits: change the ranges in pyproject.toml.\n" + said[-2000:])


def normalized_name(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def lock_text(pins: Pins, limits: Limits | None = None) -> str:
    where = {name: f" ; {marker}" for name, marker in (limits or {}).items()}
    return HEADER + "".join(f"{name}=={version}{where.get(name, '')}\n" for name, version in pins.items())
