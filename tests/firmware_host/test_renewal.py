"""A table that runs for months uses a valid certificate all the time, without a restart."""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import ssl
import time
from pathlib import Path
from typing import Any

import pytest

from firmware_host.admin import certificate
from firmware_host.app.reach import Reach
from firmware_host.core.settings import settle

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")
A_DAY = 86400.0


class Running:
    """The certificate of a table, over time."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.now, self.wall = 0.0, time.time()
        chosen = settle({"state": str(folder), "host": "127.0.0.1", "https": True, **settings})
        self.folder = folder
        self.reach = Reach(chosen, folder, lambda: self.now, lambda: self.wall)
        found = self.reach.tls()
        assert found is not None
        self.tls = found

    def passes(self, days: float) -> None:
        """So many days, by both clocks; then the table looks after itself."""
        self.now += abs(days) * A_DAY
        self.wall += days * A_DAY
        self.looks()

    def looks(self) -> None:
        self.now += 1000.0
        self.reach.changed([], 8000)

    def served(self) -> bytes:
        """The certificate that a browser gets now."""
        trusting = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
        there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
        client, server = trusting.wrap_bio(back, there), self.tls.wrap_bio(there, back, server_side=True)
        for _ in range(3):
            for end in (client, server):
                with contextlib.suppress(ssl.SSLWantReadError):
                    end.do_handshake()
        found = client.getpeercert(binary_form=True)
        assert found is not None
        return found


@pytest.mark.parametrize("days", [800.0, -5.0, 4000.0], ids=["ends soon", "clock was ahead", "clock jumps"])
def test_the_running_table_serves_a_certificate_that_is_valid(tmp_path: Path, days: float) -> None:
    table = Running(tmp_path)
    before, trusted = table.served(), certificate.authority(tmp_path)
    table.passes(1.0)
    assert table.served() == before, "it is still good"
    table.passes(days)
    after = table.served()
    assert after != before
    (tmp_path / "served.pem").write_text(ssl.DER_cert_to_PEM_cert(after))
    assert certificate.validity(tmp_path / "served.pem").fits(table.wall)
    assert certificate.authority(tmp_path) == trusted


def test_a_certificate_that_cannot_be_renewed_is_tried_again_and_the_old_one_serves_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Running(tmp_path)
    before, path = table.served(), os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    table.passes(800.0)
    assert table.served() == before
    assert "keeps its current certificate: https: there is no program openssl" in caplog.text
    monkeypatch.setenv("PATH", path)
    table.looks()
    assert table.served() != before


def test_ones_own_certificate_is_used_as_soon_as_its_file_is_another(tmp_path: Path) -> None:
    mine, first, second = tmp_path / "mine.pem", tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    mine.write_bytes(certificate.ensure_file(first, ["127.0.0.1"]).read_bytes())
    table = Running(tmp_path, certificate=str(mine))
    before = table.served()
    mine.write_text("half of it")
    table.looks()
    assert table.served() == before
    mine.unlink()
    table.looks()
    assert table.served() == before
    mine.write_bytes(certificate.ensure_file(second, ["127.0.0.1"]).read_bytes())
    table.looks()
    assert table.served() != before


def test_what_the_certificate_cannot_name_is_said_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    Running(tmp_path, extra_hostnames="table.example.org, club, attic.local")
    assert "certificate cannot include club, table.example.org, only names in" in caplog.text
    assert "setting certificate" in caplog.text


def test_a_new_authority_in_place_of_an_old_one_is_said(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    Running(tmp_path)
    assert "new certificate authority" not in caplog.text
    path = tmp_path / certificate.AUTHORITY
    path.write_text(path.read_text().replace("names: ", "names: club ", 1))
    Running(tmp_path)
    assert "remove it (sniperboard of this house), then open the page /trust" in caplog.text


def test_the_certificate_names_what_avahi_may_call_the_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    Running(tmp_path)
    named = (tmp_path / certificate.FILE).read_text().splitlines()[0]
    assert {"DNS:table.local", "DNS:table-2.local", "DNS:table-9.local"} <= set(named.split())
