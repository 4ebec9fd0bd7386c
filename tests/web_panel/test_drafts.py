"""A device's plan at its seat is stored for that device only, and survives a restart of the table."""

from __future__ import annotations

import hashlib
import os
import stat
import threading
from pathlib import Path

import msgspec
import pytest

from firmware_host.core.errors import UserError
from firmware_host.seats.drafts import LARGEST_DRAFT, LONGEST_MOMENT, MOST_DRAFTS, Draft, Drafts
from tests.patience import PATIENCE
from tests.web_panel.conftest import Panel

PLAN = {"path": ["Y31", "Y32"]}


def test_plan_is_returned_only_to_its_device(panel: Panel) -> None:
    sniper, defenders = panel.start()
    assert sniper.get("/api/draft/sniper").json is None
    before = defenders.get("/api/picture/defenders").text

    assert sniper.post("/api/draft", seat="sniper", moment="7", draft=PLAN).status_code == 200
    assert sniper.get("/api/draft/sniper").json == {"moment": "7", "draft": PLAN}
    assert sniper.post("/api/draft", seat="sniper", moment="8", draft={}).status_code == 200
    assert sniper.get("/api/draft/sniper").json == {"moment": "8", "draft": {}}

    for stranger in (defenders, panel.browser(), panel.keeper_browser()):
        assert stranger.get("/api/draft/sniper").status_code == 403
        assert stranger.post("/api/draft", seat="sniper", moment="8", draft=PLAN).status_code == 403
    assert defenders.get("/api/draft/defenders").json is None
    assert defenders.get("/api/picture/defenders").text == before


def test_oversized_or_invalid_plan_is_refused_and_last_one_stays(panel: Panel) -> None:
    sniper, _ = panel.start()
    sniper.post("/api/draft", seat="sniper", moment="7", draft=PLAN)

    long = sniper.post("/api/draft", seat="sniper", moment="7", draft={"path": ["Y31"] * LARGEST_DRAFT})
    assert (long.status_code, long.json["error"]["sentence"]) == (
        400,
        f"The draft is too long: at most {LARGEST_DRAFT} bytes.",
    )
    assert sniper.post("/api/draft", seat="sniper", moment="7", draft=[]).status_code == 400
    assert sniper.post("/api/draft", seat="sniper", moment=7, draft={}).status_code == 400
    assert sniper.get("/api/draft/sniper").json == {"moment": "7", "draft": PLAN}


def test_latest_plans_of_many_devices_are_kept() -> None:
    drafts = Drafts()
    for number in range(MOST_DRAFTS):
        drafts.store(str(number), Draft(str(number), {}))
    drafts.store("0", Draft("0", PLAN))
    drafts.store("one-more", Draft("1", {}))

    assert drafts.of("0") == Draft("0", PLAN)
    assert drafts.of("1") is None
    assert drafts.of(str(MOST_DRAFTS - 1)) is not None
    with pytest.raises(UserError):
        drafts.store("0", Draft("0", {"path": "x" * LARGEST_DRAFT}))
    with pytest.raises(UserError):
        drafts.store("0", Draft("x" * (LONGEST_MOMENT + 1), {}))


def test_plan_survives_restart_and_its_file_name_has_no_key(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    drafts = Drafts(folder)
    drafts.store("sniper secret-key", Draft("6", PLAN))
    drafts.store("sniper secret-key", Draft("7", PLAN))
    drafts.close()

    assert Drafts(folder).of("sniper secret-key") == Draft("7", PLAN)
    assert Drafts(folder).of("sniper other-key") is None
    (file,) = folder.iterdir()
    assert "secret-key" not in file.name + file.read_text("utf-8")
    assert (stat.S_IMODE(folder.stat().st_mode), stat.S_IMODE(file.stat().st_mode)) == (0o700, 0o600)


def test_plan_files_match_devices_and_damaged_one_is_ignored(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    drafts = Drafts(folder)
    for number in range(MOST_DRAFTS + 3):
        drafts.store(str(number), Draft("1", PLAN))
    drafts.close()
    assert len([*folder.iterdir()]) == MOST_DRAFTS

    for file in folder.iterdir():
        file.write_bytes(b'{"moment": 7')
    assert Drafts(folder).of(str(MOST_DRAFTS)) is None
    assert drafts.of(str(MOST_DRAFTS)) == Draft("1", PLAN)


def test_writing_one_plan_delays_no_one_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    released = threading.Event()
    replace = Path.replace

    def slow(self: Path, target: Path) -> Path:
        released.wait()
        return replace(self, target)

    monkeypatch.setattr(Path, "replace", slow)
    drafts = Drafts(tmp_path / "drafts")

    def plan() -> None:
        drafts.store("sniper a-key", Draft("7", PLAN))
        drafts.store("defenders a-key", Draft("8", {}))

    planning = threading.Thread(target=plan, daemon=True)
    planning.start()
    planning.join(PATIENCE)
    waits = planning.is_alive()
    released.set()
    planning.join()
    assert not waits
    assert drafts.of("sniper a-key") == Draft("7", PLAN)
    drafts.close()
    assert Drafts(tmp_path / "drafts").of("defenders a-key") == Draft("8", {})


def test_pipe_in_place_of_a_plan_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    drafts = Drafts(folder)
    drafts.store("sniper key", Draft("7", PLAN))
    drafts.close()
    (file,) = folder.iterdir()
    file.unlink()
    os.mkfifo(file)
    os.mkfifo(folder / f"{file.name}.new")
    drafts = Drafts(folder)
    drafts.store("sniper key", Draft("8", PLAN))
    drafts.close()
    assert Drafts(folder).of("sniper key") == Draft("8", PLAN)


def test_seat_uses_no_space_of_another_seats_plans(tmp_path: Path) -> None:
    """A seat that is freed and taken again gets a new key each time."""
    folder = tmp_path / "drafts"
    drafts = Drafts(folder)
    drafts.store("sniper key", Draft("7", PLAN))
    for number in range(4 * MOST_DRAFTS):
        drafts.store(f"defenders key{number}", Draft("1", {}))
    drafts.close()
    assert drafts.of("sniper key") == Drafts(folder).of("sniper key") == Draft("7", PLAN)
    assert len([*folder.iterdir()]) == 1 + MOST_DRAFTS


def test_plan_is_stored_also_after_the_clock_went_back(tmp_path: Path) -> None:
    drafts = Drafts(tmp_path / "drafts")
    for number in range(MOST_DRAFTS):
        drafts.store(f"sniper key-{number}", Draft("1", {}))
    drafts.close()
    for file in (tmp_path / "drafts").iterdir():
        os.utime(file, (4e9, 4e9))
    drafts = Drafts(tmp_path / "drafts")
    drafts.store("sniper key-new", Draft("2", PLAN))
    drafts.close()
    assert Drafts(tmp_path / "drafts").of("sniper key-new") == Draft("2", PLAN)


def test_files_of_earlier_versions_are_removed_first(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    folder.mkdir()
    (folder / "0123.json").write_text('{"moment": "1", "draft": {}}')
    os.utime(folder / "0123.json", (1, 1))
    drafts = Drafts(folder)
    for number in range(MOST_DRAFTS):
        drafts.store(f"sniper {number}", Draft("1", PLAN))
    drafts.close()
    assert Drafts(folder).of("sniper 0") == Draft("1", PLAN)
    assert not (folder / "0123.json").exists()


def test_unwritable_plan_is_kept_while_the_table_runs(tmp_path: Path) -> None:
    (tmp_path / "drafts").write_text("in the way")
    drafts = Drafts(tmp_path / "drafts")
    drafts.store("0", Draft("1", PLAN))
    assert drafts.of("0") == Draft("1", PLAN)


def test_plans_of_an_earlier_version_are_read(tmp_path: Path) -> None:
    folder = tmp_path / "drafts"
    folder.mkdir()
    name = hashlib.sha256(b"sniper key").hexdigest()
    (folder / f"{name}.json").write_bytes(msgspec.json.encode(Draft("7", PLAN)))
    assert Drafts(folder).of("sniper key") == Draft("7", PLAN)
    assert Drafts(folder).of("sniper other") is None
