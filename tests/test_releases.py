"""Versions of the program side by side: a failed update changes nothing, and the previous version is kept."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from tools import pi
from tools.errors import ToolError
from tools.install import (
    UNIT,
    InstallPaths,
    carry_out,
    digest,
    install_steps,
    requirements,
    restart_or_go_back,
    unit_text,
)
from tools.releases import STAMP, Release, Releases, python_here
from tools.steps import write_text

ROOT = Path(__file__).resolve().parent.parent
ONE, TWO, THREE, FOUR = (Release(name * 16, (), "3.13.1") for name in "abcd")


def built(script: str = "exit 0") -> Callable[[Path], None]:
    """Return a build whose command does this."""

    def build(folder: Path) -> None:
        command = folder / "bin/sniperboard"
        command.parent.mkdir(parents=True)
        command.write_text(f"#!/bin/sh\n{script}\n", "utf-8")
        command.chmod(0o755)

    return build


def fails(folder: Path) -> None:
    (folder / "half").write_text("made", "utf-8")
    raise ToolError("no network")


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    found = Releases(tmp_path / "opt")
    found.install(ONE, built())
    return found


def there(releases: Releases) -> set[str]:
    return {path.name for path in (releases.program / "releases").iterdir()}


def test_version_is_complete_and_previous_one_is_kept(releases: Releases) -> None:
    assert releases.current() == ONE
    assert releases.command.exists()
    assert not releases.go_back(lambda: None)

    releases.install(TWO, built())
    assert releases.current() == TWO
    assert releases.go_back(lambda: None)
    assert releases.current() == ONE
    assert releases.go_back(lambda: None)
    assert releases.current() == TWO


def test_version_that_worked_runs_again_after_two_failed_updates(releases: Releases) -> None:
    """The version of the first failed update is newer, but it doesn't start either."""

    def start() -> None:
        if releases.current() != ONE:
            raise ToolError("unknown setting")

    for version in (TWO, THREE):
        releases.install(version, built())
        assert releases.go_back(start)
        assert releases.current() == ONE


def test_version_that_ran_last_runs_again_after_failed_update(releases: Releases) -> None:
    """For example because a person went back to it on purpose, from a newer one."""
    for version in (TWO, ONE, THREE):
        releases.install(version, built())
    assert releases.go_back(lambda: None)
    assert releases.current() == ONE


@pytest.mark.parametrize("date", [1000, 4_000_000_000], ids=["1970", "2096"])
def test_update_with_a_wrong_clock_does_not_change_which_version_ran_last(
    releases: Releases, monkeypatch: pytest.MonkeyPatch, date: int
) -> None:
    def build_then(folder: Path) -> None:
        built()(folder)
        monkeypatch.setattr(Path, "write_text", write_dated)

    def write_dated(path: Path, *words: str) -> None:
        path.write_bytes(words[0].encode())
        os.utime(path, (date, date))

    releases.install(TWO, built())
    releases.remove_old()
    with monkeypatch.context() as monkeypatch:
        releases.install(THREE, build_then)
    releases.remove_old()
    releases.install(FOUR, built())
    releases.remove_old()
    assert there(releases) == {releases.folder(THREE).name, releases.folder(FOUR).name}
    assert releases.go_back(lambda: None)
    assert releases.current() == THREE


def test_version_that_never_ran_is_not_gone_back_to(releases: Releases, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut came after its last file, before the switch."""
    with monkeypatch.context() as cut:
        cut.setattr(releases, "_switch", lambda folder: None)
        releases.install(TWO, built())
    releases.install(THREE, built())
    assert releases.go_back(lambda: None)
    assert releases.current() == ONE


def test_former_version_runs_with_its_own_unit_after_failed_update(tmp_path: Path) -> None:
    """The unit of the new version may have an option that the former one doesn't know."""
    places = InstallPaths(tmp_path)
    old = unit_text(ROOT, places).replace(" run ", " run --former ")

    def start() -> None:
        if (places.releases.current(), places.unit.read_text()) != (ONE, old):
            raise ToolError("unknown option")

    places.releases.install(ONE, built())
    write_text(places.unit, old, 0o644)
    for version in (TWO, THREE):
        plan = install_steps(ROOT, places, "simulated", 8000)
        keep, change = (step for step in plan if str(places.unit) in step.what)
        carry_out([keep], dry=False)
        places.releases.install(version, built())
        carry_out([change], dry=False)
        assert places.unit.read_text() != old
        with pytest.raises(ToolError, match="the previous version runs again"):
            restart_or_go_back(places, start)
        start()


def test_version_that_ran_last_keeps_its_unit_if_none_starts(tmp_path: Path) -> None:
    places = InstallPaths(tmp_path)

    def start() -> None:
        raise ToolError("the port is in use")

    for version in (ONE, TWO, THREE):
        places.releases.install(version, built())
        places.releases.store_text(UNIT, f"the unit of {version}")
    with pytest.raises(ToolError, match="the port is in use"):
        restart_or_go_back(places, start)
    assert places.releases.current() == TWO
    assert places.unit.read_text() == f"the unit of {TWO}"


@pytest.mark.parametrize("build", [fails, built("echo 'no such module' >&2; exit 1")], ids=["unbuilt", "broken"])
def test_failed_build_or_start_changes_nothing(releases: Releases, build: Callable[[Path], None]) -> None:
    with pytest.raises(ToolError, match=r"no network|The new version does not start.*no such module"):
        releases.install(TWO, build)
    assert releases.current() == ONE
    assert there(releases) == {releases.folder(ONE).name}


@pytest.mark.parametrize("damaged", [False, True], ids=["another Python", "a damaged stamp"])
def test_failed_build_of_the_version_in_use_leaves_it(releases: Releases, damaged: bool) -> None:
    """After an update of Python, the same sources are another version, whose folder had the same name."""
    if damaged:
        (releases.link / STAMP).write_bytes(bytes(90))
    newer = dataclasses.replace(ONE, python="3.13.2")
    for _ in range(2):
        with pytest.raises(ToolError, match="no network"):
            releases.install(newer, fails)
        assert releases.command.exists()
        assert releases.current() == (None if damaged else ONE)

    releases.install(newer, built())
    assert releases.current() == newer
    releases.install(dataclasses.replace(ONE, python="3.13.3"), built())
    assert releases.current() == dataclasses.replace(ONE, python="3.13.3")
    releases.remove_old()
    assert len(there(releases)) == 2


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "none": lambda stamp: stamp,
    "zeros": lambda stamp: bytes(len(stamp)),
    "a bit of an extra": lambda stamp: stamp.replace(b"board", b"boarf"),
    "extras as a text": lambda stamp: stamp.replace(b'["board", "mqtt"]', b'"board"'),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_version_in_use_keeps_its_extras(tmp_path: Path, damage: str) -> None:
    """A flipped bit asked for an extra that doesn't exist, so that every installation was refused."""
    places = InstallPaths(tmp_path)
    places.releases.install(dataclasses.replace(ONE, extras=("board", "mqtt")), built())
    stamp = places.releases.link / STAMP
    stamp.write_bytes(DAMAGES[damage](stamp.read_bytes()))
    assert (places.releases.current() is None) == (damage != "none")
    step = next(step for step in install_steps(ROOT, places, "simulated", 8000) if "program" in step.what)
    assert "with board, mqtt" in step.what
    step = next(step for step in install_steps(ROOT, places, "simulated", 8000, ()) if "program" in step.what)
    assert "with" not in step.what


def test_new_version_is_on_disk_before_the_switch(releases: Releases, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, synced = releases.folder(TWO), []
    monkeypatch.setattr(
        "os.sync",
        lambda: synced.append(((folder / "bin").exists(), (folder / STAMP).exists(), releases.current() == TWO)),
    )
    releases.install(TWO, built())
    assert synced == [(True, False, False), (True, True, False)], "the files, then the stamp, then the link"


def test_leftovers_of_interrupted_installations_are_removed(releases: Releases) -> None:
    left = releases.program / "releases/0123456789ab"
    (left / "lib").mkdir(parents=True)
    with pytest.raises(ToolError):
        releases.install(TWO, fails)
    assert there(releases) == {releases.folder(ONE).name}


def test_incomplete_version_is_rebuilt_and_complete_one_is_not(releases: Releases) -> None:
    half = releases.folder(TWO)
    (half / "bin").mkdir(parents=True)
    releases.install(TWO, built())
    assert releases.current() == TWO

    releases.install(ONE, fails)
    assert releases.current() == ONE
    (releases.folder(ONE) / STAMP).write_text('{"digest": 3}', "utf-8")
    assert releases.current() is None


def test_cleanup_keeps_current_and_previous_version_and_removes_old_layout(releases: Releases) -> None:
    releases.install(TWO, built())
    releases.install(THREE, built())
    (releases.program / "pyvenv.cfg").write_text("", "utf-8")
    (releases.program / "bin").mkdir()

    releases.remove_old()
    assert releases.current() == THREE
    assert there(releases) == {releases.folder(TWO).name, releases.folder(THREE).name}
    assert {path.name for path in releases.program.iterdir()} == {"current", "releases"}


PI_4 = pi.Computer("Raspberry Pi 4 Model B Rev 1.5", "aarch64", (3, 13))


def program(places: InstallPaths, extras: tuple[str, ...] | None, machine: pi.Computer | None = None) -> str:
    """Return what the installation prints about the program."""
    steps = install_steps(ROOT, places, "simulated", 8000, extras, machine)
    return next(step.what for step in steps if "program" in step.what)


def test_chosen_extras_stay_until_dropped(tmp_path: Path) -> None:
    places = InstallPaths(tmp_path)
    assert "with" not in program(places, None)
    more = requirements(ROOT, ["gpio"], pi.this_machine())
    places.releases.install(Release(digest(ROOT, more).strip(), ("gpio",), python_here()), built())

    assert "with gpio on Python" in program(places, None)
    assert "with gpio, neopixel" in program(places, ("neopixel", "gpio"), PI_4)
    assert "with gpio, mqtt" in program(places, ("mqtt",))
    assert "with" not in program(places, ())
    step = next(step for step in install_steps(ROOT, places, "simulated", 8000) if "program" in step.what)
    assert step.is_so()


def test_former_version_has_its_own_unit_after_an_unfinished_run(tmp_path: Path) -> None:
    """The first update fails without a new unit, the second one has a unit that doesn't start."""
    places = InstallPaths(tmp_path)
    old = unit_text(ROOT, places)
    write_text(places.unit, old, 0o644)
    places.releases.install(ONE, built())

    def start() -> None:
        if (places.releases.current(), places.unit.read_text()) != (ONE, old):
            raise ToolError("unknown option")

    for project in (ROOT, project_with(" run ", " run --new ", tmp_path / "project")):
        plan = install_steps(project, places, "simulated", 8000)
        write_text(places.unfinished, "", 0o644)
        carry_out((step for step in plan if "copy" in step.what), dry=False)
    places.releases.install(TWO, built())
    carry_out((step for step in plan if step.what == str(places.unit)), dry=False)
    with pytest.raises(ToolError, match="the previous version runs again"):
        restart_or_go_back(places, start)
    start()


def project_with(before: str, after: str, folder: Path) -> Path:
    """Return a copy of what the installation reads of the project, with another unit."""
    for name in ("pyproject.toml", "requirements.lock", "systemd/70-sniperboard.rules"):
        write_text(folder / name, (ROOT / name).read_text("utf-8"), 0o644)
    unit = (ROOT / "systemd/sniperboard.service").read_text("utf-8")
    assert before in unit
    write_text(folder / "systemd/sniperboard.service", unit.replace(before, after), 0o644)
    return folder


def test_another_unit_is_another_version(tmp_path: Path) -> None:
    """Otherwise an update that only changes the unit could not go back."""
    one, two = (project_with(" run ", run, tmp_path / name) for name, run in (("a", " run "), ("b", " run --new ")))
    assert digest(one) != digest(two)
