"""https: a certificate of one's own or one that is made once, and sentences where there is none."""

from __future__ import annotations

import re
import shutil
import ssl
import stat
from pathlib import Path

import pytest

from firmware_host.admin.certificate import FILE, CertificateError, context, fingerprint, made

NAMES = ["192.168.1.7", "127.0.0.1", "raspberrypi.local"]

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")


@needs_openssl
def test_a_certificate_is_made_once_for_every_name_and_its_key_is_the_owners_alone(tmp_path: Path) -> None:
    path = made(tmp_path, NAMES)
    before = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert [file.name for file in tmp_path.iterdir()] == [FILE]
    assert context(path).minimum_version == ssl.TLSVersion.TLSv1_2
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", fingerprint(path))
    assert made(tmp_path, [*NAMES, "10.0.0.1"]).read_bytes() == before


@needs_openssl
@pytest.mark.parametrize("content", [b"", b"shopping list"])
def test_a_file_that_is_none_is_made_anew(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    assert context(made(tmp_path, NAMES))


def test_without_openssl_the_remedy_is_told(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"there is no program openssl .* Install it"):
        made(tmp_path, NAMES, openssl="no-such-openssl")


def test_an_openssl_that_fails_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="could not make a certificate"):
        made(tmp_path, NAMES, openssl="false")


@pytest.mark.parametrize("content", [None, b"shopping list"])
def test_a_certificate_of_ones_own_that_is_none_is_a_sentence(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CertificateError, match="no certificate with its key"):
        context(path)
