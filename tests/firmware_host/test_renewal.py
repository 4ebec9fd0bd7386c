"""A table that runs for months always uses a valid certificate, without a restart."""

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

    def pass_days(self, days: float) -> None:
        """Move both clocks by some days, then let the table do its upkeep."""
        self.now += abs(days) * A_DAY
        self.wall += days * A_DAY
        self.do_upkeep()

    def do_upkeep(self) -> None:
        self.now += 1000.0
        self.reach.changed_addresses([], 8000)

    def served(self) -> bytes:
        """Return the certificate that a browser gets now."""
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
def test_running_table_always_serves_valid_certificate(tmp_path: Path, days: float) -> None:
    table = Running(tmp_path)
    before, trusted = table.served(), certificate.authority_der(tmp_path)
    table.pass_days(1.0)
    assert table.served() == before, "it is still valid"
    table.pass_days(days)
    after = table.served()
    assert after != before
    (tmp_path / "served.pem").write_text(ssl.DER_cert_to_PEM_cert(after))
    assert certificate.validity(tmp_path / "served.pem").fits(table.wall)
    assert certificate.authority_der(tmp_path) == trusted


def test_failed_renewal_is_tried_again_and_old_certificate_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    table = Running(tmp_path)
    before, path = table.served(), os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    table.pass_days(800.0)
    assert table.served() == before
    assert "keeps its current certificate: https: there is no program openssl" in caplog.text
    monkeypatch.setenv("PATH", path)
    table.do_upkeep()
    assert table.served() != before


def test_table_starts_with_former_certificate_if_it_cannot_make_a_new_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """For example with another address on a full disk, on which a table without https starts, too."""
    former, path = Running(tmp_path), os.environ["PATH"]
    monkeypatch.setenv("PATH", str(tmp_path))
    table = Running(tmp_path, extra_hostnames="attic.local")
    assert table.served() == former.served()
    assert table.reach.fingerprint == former.reach.fingerprint
    assert "keeps its current certificate: https: there is no program openssl" in caplog.text
    monkeypatch.setenv("PATH", path)
    table.do_upkeep()
    assert table.served() != former.served()


def test_changed_certificate_of_user_is_used_at_once(tmp_path: Path) -> None:
    mine, first, second = tmp_path / "mine.pem", tmp_path / "1", tmp_path / "2"
    for folder in (first, second):
        folder.mkdir()
    mine.write_bytes(certificate.ensure_file(first, ["127.0.0.1"]).read_bytes())
    table = Running(tmp_path, certificate=str(mine))
    before = table.served()
    mine.write_text("half of it")
    table.do_upkeep()
    assert table.served() == before
    mine.unlink()
    table.do_upkeep()
    assert table.served() == before
    mine.write_bytes(certificate.ensure_file(second, ["127.0.0.1"]).read_bytes())
    table.do_upkeep()
    assert table.served() != before


def test_names_missing_in_certificate_are_reported_at_start(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Running(tmp_path, extra_hostnames="table.example.org, club, attic.local")
    assert "certificate cannot include club, table.example.org, only host names in" in caplog.text
    assert "setting certificate" in caplog.text


def test_replaced_authority_is_reported(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    Running(tmp_path)
    assert "new certificate authority" not in caplog.text
    path = tmp_path / certificate.AUTHORITY
    path.write_text(path.read_text().replace("names: ", "names: club ", 1))
    Running(tmp_path)
    assert "remove it (sniperboard of this house), then open the page /trust" in caplog.text


def test_certificate_has_names_that_avahi_may_give_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "table")
    Running(tmp_path)
    named = (tmp_path / certificate.FILE).read_text().splitlines()[0]
    assert {"DNS:table.local", "DNS:table-2.local", "DNS:table-9.local"} <= set(named.split())
