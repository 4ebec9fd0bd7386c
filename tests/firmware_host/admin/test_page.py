"""The admin page and its report hold public facts only: they are the same bytes for twins that differ in their
secrets.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

import pytest

from firmware_host.admin.page import AdminPage
from firmware_host.admin.upkeep import network_name, printable
from firmware_host.core.errors import UserError
from firmware_host.core.logbook import LINES, LONGEST, MAKERS, Logbook
from firmware_host.seats.players import BotFailed
from tests.firmware_host.evening import Evening
from tests.firmware_host.test_twins import SECRETS, Watched, quiet_turn

log = logging.getLogger("firmware_host")
NOON = datetime(2026, 5, 1, 12)


@pytest.fixture
def logbook() -> Iterator[Logbook]:
    book = Logbook(lambda: NOON)
    book.open()
    yield book
    book.close()


def admin_page(evening: Evening, book: Logbook) -> AdminPage:
    """Return the admin page of an evening's table."""
    return AdminPage(evening.settings, book, network=lambda: None, machine=lambda: "table")


def admin_output(evening: Evening, book: Logbook) -> bytes:
    """Return everything that the admin page and the report show."""
    page, table = admin_page(evening, book), evening.table
    return (
        json.dumps(page.facts(table.admin_facts())).encode()
        + page.report(table.admin_facts(), table.board_report()).encode()
    )


def test_twins_with_different_secrets_have_same_admin_page_and_report(tmp_path: Path) -> None:
    said = []
    for number, secrets in enumerate(SECRETS):
        (tmp_path / str(number)).mkdir()
        book = Logbook(lambda: NOON)
        book.open()
        evening = Watched(tmp_path / str(number), secrets)
        pages = []
        evening.start()
        for _ in range(3):
            for step in (quiet_turn, end_turn, miss, defend):
                step(evening)
                evening.wait(700)
                pages.append(admin_output(evening, book))
        book.close()
        said.append(pages)
        assert b"A game starts on" in pages[-1]
        assert pages[0] != pages[-1]
    assert said[0] == said[1]


def end_turn(evening: Watched) -> None:
    evening.sniper({"type": "end-turn"})


def miss(evening: Watched) -> None:
    """Put a piece on a wrong space for a while."""
    evening.lift("red-1")
    evening.set_up()


def defend(evening: Watched) -> None:
    evening.defenders({"type": "end-turn"})


def test_report_has_facts_for_repair_but_no_person_or_position(tmp_path: Path, logbook: Logbook) -> None:
    evening = Evening(tmp_path)
    evening.start()
    evening.lift("red-1")
    log.warning("board_link: the cable is out")
    text = admin_page(evening, logbook).report(evening.table.admin_facts(), evening.table.board_report())
    for words in ("version 0.1.0", "map launch-facility, playing", "sensors: simulated", "the cable is out", " up"):
        assert words in text
    for word in ("Ada", "Bo's", str(tmp_path), evening.sniper_key):
        assert word not in text


def test_log_keeps_newest_lines_short_and_single(logbook: Logbook) -> None:
    for number in range(LINES + 10):
        log.info("line %d\nand more %s", number, "x" * 1000)
    assert len(logbook.lines) == LINES
    assert logbook.lines[-1].startswith(f"2026-05-01 12:00:00 info: line {LINES + 9} and more xxx")
    assert max(map(len, logbook.lines)) < LONGEST + 40


def test_messages_for_makers_are_not_on_admin_page(logbook: Logbook, capsys: pytest.CaptureFixture[str]) -> None:
    log.error("%s", BotFailed("sniper", "prowler"))
    log.error("at line 7, where it wanted to fire", extra=MAKERS)
    log.debug("nothing for anybody")
    assert [line.split("error: ")[1] for line in logbook.lines] == ["The bot 'prowler' cannot go on for the sniper."]


def test_machine_is_switched_off_only_if_settings_allow_it(tmp_path: Path, logbook: Logbook) -> None:
    ends: list[bool] = []
    page = AdminPage(Evening(tmp_path).settings, logbook, ends.append)
    with pytest.raises(UserError, match="Allow it with the setting poweroff"):
        page.shut_down(True)
    page.shut_down(False)
    assert ends == [False]


def test_wireless_network_is_named_and_others_are_not(tmp_path: Path) -> None:
    assert network_name(tmp_path) is None
    (tmp_path / "eth0").mkdir()
    (tmp_path / "wlan0" / "wireless").mkdir(parents=True)
    assert network_name(tmp_path, lambda name: {"wlan0": b"Attic"}.get(name)) == "Attic"
    assert network_name(tmp_path, lambda name: None) is None
    assert network_name(tmp_path) is None


def test_network_name_may_hold_any_bytes() -> None:
    assert printable(b"Caf\xc3\xa9") == "Caf\u00e9"
    assert printable(b"\xff\x00<b>\n" + b"x" * 99).startswith("\ufffd\ufffd<b>\ufffdxxx")
    assert len(printable(b"x" * 99)) == 32
