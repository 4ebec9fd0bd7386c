"""https: the user's own certificate or one that the table's authority signs, and the messages for faults."""

from __future__ import annotations

import re
import shutil
import socket
import ssl
import stat
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from firmware_host.admin.certificate import (
    AUTHORITY,
    DRAFT,
    FILE,
    CannotCreate,
    CertificateError,
    authority_der,
    can_certify,
    ensure_file,
    fingerprint,
    tls_context,
    validity,
)
from firmware_host.app.commands.run import BAD_SETTINGS, EXIT_CODES, TRY_LATER
from firmware_host.app.terminal import exit_code_of
from tests.patience import PATIENCE

NAMES = ["192.168.1.7", "127.0.0.1", "raspberrypi.local"]
FOREIGN = ["DNS:bank.example", "DNS:local.example", "DNS:raspberrypi", "DNS:x.club", "DNS:localhost"]
FOREIGN += ["IP:198.51.100.7"]
TOLD = "IP:192.168.1.7 IP:127.0.0.1 DNS:raspberrypi.local"

needs_openssl = pytest.mark.skipif(shutil.which("openssl") is None, reason="this machine has no openssl")


def verified(folder: Path, path: Path) -> bool:
    """Return whether a client that trusts the authority trusts the certificate."""
    command = ["openssl", "verify", "-x509_strict", "-purpose", "sslserver", "-CAfile", str(folder / AUTHORITY)]
    return subprocess.run([*command, str(path)], capture_output=True, check=False).returncode == 0


def certificate_text(path: Path) -> str:
    """Return a certificate as text."""
    return subprocess.run(
        ["openssl", "x509", "-in", str(path), "-noout", "-text"], capture_output=True, text=True, check=True
    ).stdout


@needs_openssl
@pytest.mark.parametrize(("group", "agreed"), [("P-256", True), ("ffdhe2048", False), ("ffdhe8192", False)])
def test_key_exchange_is_cheap_for_the_table(tmp_path: Path, group: str, agreed: bool) -> None:
    """A few hellos that asked for a group of 8192 bits kept everyone else waiting."""
    context = tls_context(ensure_file(tmp_path, NAMES))

    def answer(listening: socket.socket) -> None:
        with suppress(OSError), context.wrap_socket(listening.accept()[0], server_side=True) as line:
            line.recv(1)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=answer, args=(listening,))
        thread.start()
        address = f"127.0.0.1:{listening.getsockname()[1]}"
        command = ["openssl", "s_client", "-connect", address, "-groups", group]
        found = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, check=False, timeout=PATIENCE)
        thread.join()
    assert (found.returncode == 0) == agreed


@needs_openssl
def test_certificate_covers_every_name_and_its_files_are_private(tmp_path: Path) -> None:
    path = ensure_file(tmp_path, NAMES)
    before = path.read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([FILE, AUTHORITY])
    assert {stat.S_IMODE(file.stat().st_mode) for file in tmp_path.iterdir()} == {0o600}
    assert tls_context(path).minimum_version == ssl.TLSVersion.TLSv1_2
    assert re.fullmatch(r"([0-9A-F]{2}:){31}[0-9A-F]{2}", fingerprint(path))
    assert "IP Address:192.168.1.7, IP Address:127.0.0.1, DNS:raspberrypi.local" in certificate_text(path)
    assert verified(tmp_path, path)
    assert ensure_file(tmp_path, NAMES).read_bytes() == before


@needs_openssl
@pytest.mark.parametrize("name", ["$HOME", "a b", "100%", "zażółć", "#;[]"])
def test_certificate_can_be_made_in_folder_of_any_name(tmp_path: Path, name: str) -> None:
    (folder := tmp_path / name).mkdir()
    assert verified(folder, ensure_file(folder, NAMES))


@needs_openssl
def test_new_address_gets_new_certificate_from_same_authority(tmp_path: Path) -> None:
    before, vouched = ensure_file(tmp_path, NAMES).read_bytes(), authority_der(tmp_path)
    path = ensure_file(tmp_path, [*NAMES, "10.0.0.1"])
    assert path.read_bytes() != before
    assert "IP Address:10.0.0.1" in certificate_text(path)
    assert authority_der(tmp_path) == vouched
    assert verified(tmp_path, path)


@needs_openssl
@pytest.mark.parametrize(
    "name", ["table.example.org", "club", "raspberrypi", "x.club", "raspberrypi.home", "evillocal"]
)
def test_names_in_public_domains_are_left_out(tmp_path: Path, name: str) -> None:
    ensure_file(tmp_path, NAMES)
    vouched = authority_der(tmp_path)
    path = ensure_file(tmp_path, [*NAMES, name])
    assert not can_certify(name)
    assert authority_der(tmp_path) == vouched, "devices still trust the table"
    assert name not in certificate_text(path).replace("raspberrypi.local", "")
    assert verified(tmp_path, path)


@needs_openssl
@pytest.mark.parametrize(
    "name", ["ą..local", f"{'ß' * 80}.local", "a b.local", "a,DNS:b.local", "a\n[x].local", "\udc80.local"]
)
def test_texts_that_are_no_host_names_are_left_out(tmp_path: Path, name: str) -> None:
    path = ensure_file(tmp_path, [*NAMES, name])
    assert path.read_text().splitlines()[0] == f"names: {TOLD}"


@needs_openssl
def test_folder_that_killed_table_left_behind_is_removed(tmp_path: Path) -> None:
    (tmp_path / DRAFT).mkdir()
    (tmp_path / DRAFT / "key.pem").touch(0o400)
    ensure_file(tmp_path, NAMES)
    assert sorted(file.name for file in tmp_path.iterdir()) == sorted([FILE, AUTHORITY])


LIES = [0.0, 1e9, 1_700_000_000.0, 2_500_000_000.0, 4_000_000_000.0]
"""What a clock without a battery may show: 1970, 2001, 2023, 2049, 2096."""


@needs_openssl
@pytest.mark.parametrize("lie", LIES)
def test_certificate_made_with_wrong_clock_is_replaced(tmp_path: Path, lie: float) -> None:
    now = time.time()
    path = ensure_file(tmp_path, NAMES, clock=lambda: lie)
    assert validity(path).fits(lie)
    vouched = authority_der(tmp_path)
    assert ensure_file(tmp_path, NAMES, clock=lambda: lie).read_text() == path.read_text()
    ensure_file(tmp_path, NAMES)
    assert validity(path).fits(now)
    assert verified(tmp_path, path)
    assert authority_der(tmp_path) == vouched, "a wrong clock does not cost devices their trust"


@needs_openssl
@pytest.mark.parametrize(("days", "again"), [(-2, True), (0, False), (788, False), (791, True), (2000, True)])
def test_certificate_is_replaced_before_expiry_and_before_its_start(tmp_path: Path, days: int, again: bool) -> None:
    before = ensure_file(tmp_path, NAMES).read_text()
    after = ensure_file(tmp_path, NAMES, clock=lambda: time.time() + days * 86400).read_text()
    assert (after != before) is again


@needs_openssl
def test_authority_of_earlier_version_is_replaced(tmp_path: Path) -> None:
    """The earlier authority could sign any name below the table's own bare name, which may be a top-level domain."""
    old = "names: local localhost home.arpa lan internal club club.local"
    keys = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem"]
    facts = ["-addext", "nameConstraints=critical,permitted;DNS:club", "-subj", "/CN=x", "-days", "3650"]
    command = ["openssl", "req", "-x509", *keys, *facts, "-out", "found.pem"]
    subprocess.run(command, cwd=tmp_path, capture_output=True, check=True)
    pem = (tmp_path / "key.pem").read_text() + (tmp_path / "found.pem").read_text()
    (tmp_path / AUTHORITY).write_text(f"{old}\n{pem}")
    before = authority_der(tmp_path)
    path = ensure_file(tmp_path, NAMES)
    assert authority_der(tmp_path) != before
    assert verified(tmp_path, path)
    permitted = re.findall(r"DNS:(\S+)", certificate_text(tmp_path / AUTHORITY))
    assert permitted == ["local", "lan", "home.arpa", "internal"]


@needs_openssl
def test_public_addresses_are_left_out(tmp_path: Path) -> None:
    path = ensure_file(tmp_path, ["0.0.0.0", "198.51.100.7", "2001:db8::1", "127.0.0.1"])
    assert "Subject Alternative Name: \n                IP Address:127.0.0.1\n" in certificate_text(path)
    assert verified(tmp_path, path)


@needs_openssl
@pytest.mark.parametrize(
    "name",
    ["DNS:bank.example", "DNS:local.example", "DNS:raspberrypi", "DNS:x.club", "DNS:localhost", "IP:198.51.100.7"],
)
def test_authority_cannot_sign_names_outside_local_network(tmp_path: Path, name: str) -> None:
    ensure_file(tmp_path, NAMES)
    keys = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", "key.pem"]
    (tmp_path / "facts").write_text(f"subjectAltName={name}\n")
    own = ["-CA", AUTHORITY, "-CAkey", AUTHORITY, "-set_serial", "7", "-extfile", "facts", "-out", "forged.pem"]
    for command in (
        ["req", "-new", *keys, "-subj", "/CN=x", "-out", "request.pem"],
        ["x509", "-req", "-in", "request.pem", *own],
    ):
        subprocess.run(["openssl", *command], cwd=tmp_path, capture_output=True, check=True)
    assert not verified(tmp_path, tmp_path / "forged.pem")


@needs_openssl
@pytest.mark.parametrize("name", [FILE, AUTHORITY])
@pytest.mark.parametrize(
    "content", [b"", b"shopping list", b"names: IP:192.168.1.7 IP:127.0.0.1 DNS:raspberrypi.local\n"]
)
def test_invalid_file_is_replaced(tmp_path: Path, content: bytes, name: str) -> None:
    (tmp_path / name).write_bytes(content)
    path = ensure_file(tmp_path, NAMES)
    assert tls_context(path)
    assert verified(tmp_path, path)


@needs_openssl
@pytest.mark.parametrize("name", [FILE, AUTHORITY])
@pytest.mark.parametrize(
    "change",
    [
        lambda file: file[:-1],
        lambda file: file[:-1] + b"\x0b",
        lambda file: file.replace(b"\n", b"\r\n"),
    ],
    ids=["last byte missing", "last bit flipped", "line ends of Windows"],
)
def test_file_that_only_openssl_can_read_is_used_or_replaced(
    tmp_path: Path, name: str, change: Callable[[bytes], bytes]
) -> None:
    """A start must not fail over it, each time again."""
    ensure_file(tmp_path, NAMES)
    (tmp_path / name).write_bytes(change((tmp_path / name).read_bytes()))
    path = ensure_file(tmp_path, NAMES)
    assert fingerprint(path)
    assert authority_der(tmp_path)
    assert verified(tmp_path, path)


@needs_openssl
def test_certificate_without_its_authority_is_replaced(tmp_path: Path) -> None:
    before = ensure_file(tmp_path, NAMES).read_bytes()
    (tmp_path / AUTHORITY).unlink()
    path = ensure_file(tmp_path, NAMES)
    assert path.read_bytes() != before
    assert verified(tmp_path, path)


def test_missing_openssl_is_reported_with_remedy(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match=r"there is no program openssl .* Install it"):
        ensure_file(tmp_path, NAMES, openssl="no-such-openssl")


@pytest.mark.parametrize("program", ["false", "true"])
def test_failing_openssl_is_reported(tmp_path: Path, program: str) -> None:
    with pytest.raises(CannotCreate, match="could not create a certificate"):
        ensure_file(tmp_path, NAMES, openssl=program)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("program", "code"), [("false", TRY_LATER), ("no-such-openssl", BAD_SETTINGS)])
def test_systemd_repeats_a_start_only_if_openssl_may_succeed(tmp_path: Path, program: str, code: int) -> None:
    def start() -> int:
        ensure_file(tmp_path, NAMES, openssl=program)
        return 0

    assert exit_code_of(start, EXIT_CODES) == code


@pytest.mark.parametrize("content", [None, b"shopping list"])
def test_invalid_certificate_of_user_is_reported(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "mine.pem"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CertificateError, match="not a certificate with its key"):
        tls_context(path)


def test_folder_in_place_of_the_certificate_is_named(tmp_path: Path) -> None:
    (tmp_path / FILE).mkdir()
    with pytest.raises(CertificateError, match=r"could not create a certificate .*https\.pem"):
        ensure_file(tmp_path, ["localhost", "127.0.0.1"])
