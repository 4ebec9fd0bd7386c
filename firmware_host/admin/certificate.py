"""The certificate for https: one of one's own, or one that is made at the first start by the program `openssl`.

A certificate that nobody has vouched for makes each browser ask once. It keeps what is sent from everybody who only
listens, and whoever is in between would have to show another one.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import ssl
import subprocess
from collections.abc import Iterable
from pathlib import Path

FILE = "https.pem"
DAYS = 820
"""As long as phones accept one."""
PATIENCE = 60.0
"""Seconds: a slow computer needs a few for a key."""


class CertificateError(Exception):
    """There is no certificate; the sentence says why and what to do."""


def context(path: Path) -> ssl.SSLContext:
    """What serves https with the certificate and key in a file. Raises `CertificateError`."""
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        found.load_cert_chain(path)
    except (OSError, ssl.SSLError) as error:
        raise CertificateError(
            f"{path}: this is no certificate with its key ({error.strerror or error}). Put both into it as PEM, or "
            "leave the setting certificate empty to have one made."
        ) from error
    return found


def made(state: Path, names: Iterable[str], openssl: str = "openssl") -> Path:
    """The certificate in the state folder, made for these names and addresses where there is none that is still good.

    Raises `CertificateError`.
    """
    path = state / FILE
    if path.exists() and _is_good(path, openssl):
        return path
    draft = path.with_name(FILE + ".new")
    alternatives = ",".join(dict.fromkeys(_kind(name) for name in names))
    command = [openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    command += ["-days", str(DAYS), "-subj", "/CN=sniperboard", "-addext", f"subjectAltName={alternatives}"]
    command += ["-addext", "basicConstraints=critical,CA:FALSE", "-addext", "extendedKeyUsage=serverAuth"]
    draft.unlink(missing_ok=True)
    os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    _run([*command, "-keyout", str(draft), "-out", f"{draft}.crt"])
    with draft.open("ab") as both:
        both.write(Path(f"{draft}.crt").read_bytes())
    Path(f"{draft}.crt").unlink()
    draft.replace(path)
    return path


def _is_good(path: Path, openssl: str) -> bool:
    """Whether a certificate is one for a month to come."""
    try:
        _run([openssl, "x509", "-in", str(path), "-noout", "-checkend", str(30 * 86400)])
    except CertificateError:
        return False
    return True


def _run(command: list[str]) -> None:
    try:
        subprocess.run(command, check=True, capture_output=True, timeout=PATIENCE)
    except FileNotFoundError as error:
        raise CertificateError(
            "https: there is no program openssl to make a certificate with. Install it (on Debian: sudo apt-get "
            "install -y openssl), name a certificate of your own in the setting certificate, or set https to false."
        ) from error
    except (OSError, subprocess.SubprocessError) as error:
        raise CertificateError(f"https: openssl could not make a certificate ({error}). Set https to false.") from error


def _kind(name: str) -> str:
    """A name or an address as a certificate writes it."""
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def fingerprint(path: Path) -> str:
    """What a browser shows of the certificate, to be compared by eye: SHA-256 in pairs of hexadecimal digits."""
    pem = path.read_text("ascii")
    start = pem.index("-----BEGIN CERTIFICATE-----")
    found = hashlib.sha256(ssl.PEM_cert_to_DER_cert(pem[start : pem.index("-----END CERTIFICATE-----", start) + 25]))
    digits = found.hexdigest().upper()
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))
