"""The certificate for https: one of one's own, or one that the program `openssl` makes at the start.

The table has a certificate authority of its own. A device that trusts it once trusts every certificate that the table
makes from then on, for whatever address it gets; any other device is asked by its browser. The authority can vouch for
nothing but private addresses and the table's own names (RFC 5280, name constraints): who trusts it lets nobody pass for
a bank.
"""

from __future__ import annotations

import hashlib
import ipaddress
import os
import secrets
import ssl
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

FILE = "https.pem"
AUTHORITY = "https-authority.pem"
DAYS = 820
"""As long as phones accept one."""
AUTHORITY_DAYS = 3650
SPARE_DAYS = 30
"""What is left of a certificate when it is made anew."""
PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10")
"""The addresses that the authority can vouch for."""
DOMAINS = ("local", "localhost", "home.arpa", "lan", "internal")
"""The domains besides the table's own names."""
HEAD = "names: "
"""How the first line of a file begins, which tells what is vouched for; readers of PEM pass over it."""
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
    """The certificate in the state folder, with its key and the authority's certificate.

    It is made anew where it ends soon or lacks one of `names`, which are host names and addresses. Addresses that are
    not private are left out: the authority cannot vouch for them. Raises `CertificateError`.
    """
    wanted = tuple(dict.fromkeys(_kind(name) for name in names if _is_vouched_for(name)))
    authority = _authority(state, [name[4:] for name in wanted if name.startswith("DNS:")], openssl)
    path = state / FILE
    as_wanted = wanted == _names(path) and _certificate(authority) in path.read_text("ascii")
    if not as_wanted or not _is_good(path, openssl, SPARE_DAYS):
        _write(path, wanted, _issued(state, authority, wanted, openssl))
    return path


def authority(state: Path) -> bytes:
    """The certificate of the table's own authority (DER), as devices take it in."""
    return ssl.PEM_cert_to_DER_cert(_certificate(state / AUTHORITY))


def _authority(state: Path, hosts: Sequence[str], openssl: str) -> Path:
    """The authority's key and certificate, made anew where it ends before what it vouches for, or lacks a name."""
    path = state / AUTHORITY
    known = _names(path)
    if set(hosts) <= set(known) and _is_good(path, openssl, DAYS + SPARE_DAYS):
        return path
    names = tuple(dict.fromkeys((*DOMAINS, *known, *hosts)))
    permitted = [f"permitted;DNS:{name}" for name in names]
    permitted += [f"permitted;IP:{net.network_address}/{net.netmask}" for net in map(ipaddress.ip_network, PRIVATE)]
    with tempfile.TemporaryDirectory(dir=state, prefix="https-") as folder:
        key, found = Path(folder, "key.pem"), Path(folder, "found.pem")
        command = [openssl, "req", "-x509", *NEW_KEY, "-days", str(AUTHORITY_DAYS), "-sha256"]
        command += ["-subj", "/CN=sniperboard of this house", "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0"]
        command += ["-addext", "keyUsage=critical,keyCertSign,cRLSign"]
        command += ["-addext", f"nameConstraints=critical,{','.join(permitted)}"]
        _run([*command, "-keyout", str(key), "-out", str(found)])
        _write(path, names, _text(key) + _text(found))
    return path


NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


def _issued(state: Path, authority: Path, names: Sequence[str], openssl: str) -> str:
    """A key, a certificate for `names`, and the authority's certificate."""
    with tempfile.TemporaryDirectory(dir=state, prefix="https-") as folder:
        key, wish, facts, found = (Path(folder, name) for name in ("key.pem", "wish.pem", "facts", "found.pem"))
        lines = [f"subjectAltName={','.join(names)}", "basicConstraints=critical,CA:FALSE"]
        lines += ["keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth"]
        facts.write_text("\n".join(lines) + "\n", "ascii")
        _run([openssl, "req", "-new", *NEW_KEY, "-subj", "/CN=sniperboard", "-keyout", str(key), "-out", str(wish)])
        command = [openssl, "x509", "-req", "-in", str(wish), "-CA", str(authority), "-CAkey", str(authority)]
        command += ["-set_serial", f"0x{secrets.token_hex(16)}", "-days", str(DAYS), "-sha256"]
        _run([*command, "-extfile", str(facts), "-out", str(found)])
        return _text(key) + _text(found) + _certificate(authority)


def _text(path: Path) -> str:
    """What openssl has written. Raises `CertificateError` where it has written nothing."""
    try:
        return path.read_text("ascii")
    except (OSError, ValueError) as error:
        raise CertificateError(f"https: openssl could not make a certificate ({error}). Set https to false.") from error


def _write(path: Path, names: Sequence[str], pem: str) -> None:
    """A file that its owner alone may read, whole or not at all."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="ascii") as file:
        file.write(f"{HEAD}{' '.join(names)}\n{pem}")
    draft.replace(path)


def _names(path: Path) -> tuple[str, ...]:
    """What a file of ours vouches for; nothing where there is none."""
    try:
        first = path.read_text("ascii").partition("\n")[0]
    except (OSError, ValueError):
        return ()
    return tuple(first.removeprefix(HEAD).split()) if first.startswith(HEAD) else ()


def _certificate(path: Path) -> str:
    """The first certificate in a file."""
    pem = path.read_text("ascii")
    end = "-----END CERTIFICATE-----\n"
    return pem[pem.index("-----BEGIN CERTIFICATE-----") : pem.index(end) + len(end)]


def _is_good(path: Path, openssl: str, days: int) -> bool:
    """Whether a file holds a certificate that is one for so many days to come."""
    try:
        context(path)
        _run([openssl, "x509", "-in", str(path), "-noout", "-checkend", str(days * 86400)])
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


def _is_vouched_for(name: str) -> bool:
    """Whether a name is a host's, or a private address."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return True
    return any(address in ipaddress.ip_network(net) for net in PRIVATE)


def fingerprint(path: Path) -> str:
    """What a browser shows of the certificate, to be compared by eye: SHA-256 in pairs of hexadecimal digits."""
    digits = hashlib.sha256(ssl.PEM_cert_to_DER_cert(_certificate(path))).hexdigest().upper()
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))
