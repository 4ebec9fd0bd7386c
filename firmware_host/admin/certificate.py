"""The certificate for https: a file in the settings, or one that the program `openssl` creates.

The table has its own certificate authority. A device that trusts it accepts every later certificate of the table, for
any address; other devices show a warning. The authority can certify only private addresses and names in domains that no
one can own (RFC 5280, name constraints), so it cannot be used to impersonate other sites. It is created once and does
not expire in practice, whatever the clock says at that time.
"""

from __future__ import annotations

import hashlib
import ipaddress
import re
import shutil
import ssl
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from firmware_host.core.programs import ProgramError, ProgramRunner
from firmware_host.records.state_folder import write_private
from hardware.files import read_regular

FILE = "https.pem"
AUTHORITY = "https-authority.pem"
VALID_DAYS = 820
"""Validity of a certificate: the longest that phones accept."""
SPARE_DAYS = 30
"""Remaining validity at which a certificate is renewed."""
A_DAY = 86400.0
"""Seconds. A certificate is valid from a day ago, for devices whose clocks are slow."""
PRIVATE = ("127.0.0.0/8", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "100.64.0.0/10")
"""The addresses that the authority can certify."""
DOMAINS = ("local", "lan", "home.arpa", "internal")
"""The domains that it can certify. No one can own a name in them. A bare host name could be a top-level domain, for
example `club`.
"""
HOST_NAME = re.compile(r"[a-z0-9_-]{1,63}(\.[a-z0-9_-]{1,63})+")
"""The names that browsers send and OpenSSL accepts."""
DRAFT = "https-draft"
"""Folder in the state folder in which openssl works. The next certificate replaces one that was left behind."""
AUTHORITY_FROM, AUTHORITY_UNTIL = "20200101000000Z", "20491231235959Z"
"""Validity of the authority. The dates are fixed, because a Raspberry Pi may create it before it knows the time."""
NAMES_PREFIX = "names: "
"""Beginning of a file's first line, which lists the certified names. PEM readers ignore it."""
CERTIFICATE = re.compile(r"-----BEGIN CERTIFICATE-----.+?-----END CERTIFICATE-----", re.DOTALL)
TIMEOUT = 60.0
"""Seconds for one call of openssl. A slow computer needs a few for a key."""


class CertificateError(Exception):
    """There is no usable certificate. The sentence says why and what to do."""


class CannotCreate(CertificateError):
    """A certificate could not be created now, for example because the disk is full. Another attempt may succeed."""


def tls_context(path: Path) -> ssl.SSLContext:
    """Return a TLS context with the certificate and key in a file. Raises `CertificateError`."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    # Older versions are broken, and no browser that shows these pages needs them.
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    # All browsers support these groups. A key exchange in a group of 8192 bits takes 0.1 s, and anyone can ask for one.
    context.set_ecdh_curve("prime256v1")
    try:
        read_regular(path)  # OpenSSL would wait for ever if this were a pipe
        context.load_cert_chain(path)
    except (OSError, ssl.SSLError) as error:
        raise CertificateError(
            f"{path}: this is not a certificate with its key ({error.strerror or error}). Put both into it as PEM, or "
            "leave the setting certificate empty to have one created."
        ) from error
    return context


class Validity(NamedTuple):
    """When a certificate is valid, in seconds since 1970."""

    start: float
    end: float

    def fits(self, now: float) -> bool:
        """Return whether it is valid now and does not end soon."""
        return self.start <= now < self.end - SPARE_DAYS * A_DAY


def ensure_file(
    state: Path, names: Iterable[str], openssl: str = "openssl", clock: Callable[[], float] = time.time
) -> Path:
    """Return the file in the state folder with the certificate, its key and the authority's certificate.

    It is created again if it is not valid yet, ends soon or lacks one of `names` (host names and addresses). Names that
    the authority cannot certify are left out (`can_certify`). Raises `CertificateError`.
    """
    state = state.resolve()
    alternative_names = tuple(dict.fromkeys(_alternative_name(name) for name in names if can_certify(name)))
    path, now = state / FILE, clock()
    try:
        authority = _authority(state, openssl)
        # The file also holds the authority's certificate, which may have been replaced.
        as_wanted = alternative_names == _names(path) and _certificate(authority) in _text(path)
        if not as_wanted or not is_sound(path) or not validity(path, openssl).fits(now):
            _write(path, alternative_names, _issue(state, authority, alternative_names, now, openssl))
    except OSError as error:
        raise _openssl_error(error) from error
    return path


def authority_der(state: Path) -> bytes:
    """Return the certificate of the table's own authority in DER format; empty if there is none."""
    try:
        return ssl.PEM_cert_to_DER_cert(_certificate(state / AUTHORITY))
    except (OSError, ValueError):
        return b""


def validity(path: Path, openssl: str = "openssl") -> Validity:
    """Return when the first certificate in a file is valid; a time that never comes if there is none.

    Raises `CertificateError`.
    """
    output = _run([openssl, "x509", "-in", str(path), "-noout", "-dates"])
    dates = dict(line.split("=", 1) for line in output.splitlines() if "=" in line)
    try:
        return Validity(*(ssl.cert_time_to_seconds(dates[name]) for name in ("notBefore", "notAfter")))
    except (KeyError, ValueError):
        return Validity(0.0, 0.0)


NEW_KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")
SIGNING = """
[ca]
default_ca = house
[house]
database = index
new_certs_dir = .
rand_serial = yes
default_md = sha256
policy = any
[any]
commonName = supplied
[facts]
{facts}
"""
"""The settings of `openssl ca`, the only command of OpenSSL 3.0 that can set the start of a certificate."""


def _authority(state: Path, openssl: str) -> Path:
    """Return the file with the authority's key and certificate. An earlier one for other names is replaced."""
    path = state / AUTHORITY
    if _names(path) == DOMAINS and is_sound(path):
        return path
    permitted = [f"permitted;DNS:{name}" for name in DOMAINS]
    # OpenSSL expects a netmask here, not the length of a prefix.
    permitted += [f"permitted;IP:{net.network_address}/{net.netmask}" for net in map(ipaddress.ip_network, PRIVATE)]
    # `pathlen:0`: it can certify hosts, but no further authorities.
    facts = ["basicConstraints=critical,CA:TRUE,pathlen:0", "keyUsage=critical,keyCertSign,cRLSign"]
    facts += [f"nameConstraints=critical,{','.join(permitted)}", "subjectKeyIdentifier=hash"]
    dates = (AUTHORITY_FROM, AUTHORITY_UNTIL)
    with _draft(state) as folder:
        pem = _sign(folder, "sniperboard of this house", facts, dates, None, openssl)
    _write(path, DOMAINS, pem)
    return path


def _issue(state: Path, authority: Path, names: Sequence[str], now: float, openssl: str) -> str:
    """Return a key, a certificate for `names`, and the authority's certificate as PEM."""
    facts = [f"subjectAltName={','.join(names)}", "basicConstraints=critical,CA:FALSE"]
    facts += ["keyUsage=critical,digitalSignature", "extendedKeyUsage=serverAuth"]
    facts += ["subjectKeyIdentifier=hash", "authorityKeyIdentifier=keyid"]
    # A clock that was never set may be at the beginning of 1970.
    start = max(0.0, now - A_DAY)
    dates = _date(start), _date(start + VALID_DAYS * A_DAY)
    with _draft(state) as folder:
        return _sign(folder, "sniperboard", facts, dates, authority, openssl) + _certificate(authority)


@contextmanager
def _draft(state: Path) -> Iterator[Path]:
    """Provide an empty folder, which is removed afterwards. Raises `OSError`."""
    folder = state / DRAFT
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(0o700)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _sign(
    folder: Path, name: str, facts: Sequence[str], dates: tuple[str, str], authority: Path | None, openssl: str
) -> str:
    """Return a key and a certificate as PEM, created in an empty folder; self-signed without an `authority`."""
    key, request, settings, certificate = (
        folder / part for part in ("key.pem", "request.pem", "settings", "found.pem")
    )
    settings.write_text(SIGNING.format(facts="\n".join(facts)), "ascii")
    # `openssl ca` insists on its database, even for a single certificate.
    (folder / "index").touch()
    _run([openssl, "req", "-new", *NEW_KEY, "-subj", f"/CN={name}", "-keyout", str(key), "-out", str(request)])
    command = [openssl, "ca", "-batch", "-notext", "-config", str(settings), "-extensions", "facts"]
    command += ["-startdate", dates[0], "-enddate", dates[1], "-in", str(request), "-out", str(certificate)]
    if authority is None:
        command += ["-selfsign", "-keyfile", str(key)]
    else:
        command += ["-cert", str(authority), "-keyfile", str(authority)]
    _run(command, folder)  # paths in its settings could contain special characters
    try:
        return key.read_text("ascii") + certificate.read_text("ascii")
    except (OSError, ValueError) as error:
        raise _openssl_error(error) from error


def _openssl_error(error: Exception | str) -> CannotCreate:
    return CannotCreate(f"https: openssl could not create a certificate ({error}). Set https to false.")


def _date(seconds: float) -> str:
    return time.strftime("%Y%m%d%H%M%SZ", time.gmtime(seconds))


def _write(path: Path, names: Sequence[str], pem: str) -> None:
    write_private(path, f"{NAMES_PREFIX}{' '.join(names)}\n{pem}".encode("ascii"))


def _names(path: Path) -> tuple[str, ...]:
    """Return the names in the first line of a file; none if there is no such file."""
    try:
        first = _text(path).partition("\n")[0]
    except (OSError, ValueError):
        return ()
    return tuple(first.removeprefix(NAMES_PREFIX).split()) if first.startswith(NAMES_PREFIX) else ()


def _text(path: Path) -> str:
    return read_regular(path).decode("ascii")


def _certificate(path: Path) -> str:
    """Return the first certificate in a file. Raises `ValueError` if there is none."""
    # OpenSSL also reads it without the end of the last line, and with other line ends.
    match = CERTIFICATE.search(_text(path))
    if match is None:
        raise ValueError(f"{path}: no certificate")
    return f"{match[0]}\n"


def is_sound(path: Path) -> bool:
    """Return whether a file contains a certificate with its key."""
    try:
        tls_context(path)
        _certificate(path)
    except (CertificateError, OSError, ValueError):
        return False
    return True


def _run(command: list[str], folder: Path | None = None) -> str:
    """Run a command in a folder, and return what it prints. Raises `CertificateError`."""
    try:
        done = ProgramRunner().run(command, TIMEOUT, folder=folder)
    except FileNotFoundError as error:
        raise CertificateError(
            "https: there is no program openssl to create a certificate. Install it (on Debian: sudo apt-get "
            "install -y openssl), name a certificate of your own in the setting certificate, or set https to false."
        ) from error
    except (OSError, ProgramError) as error:
        raise _openssl_error(error) from error
    if done.returncode != 0:
        raise _openssl_error(f"it ended with code {done.returncode}")
    return done.stdout


def _alternative_name(name: str) -> str:
    """Return a name or an address in the format of a certificate."""
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        return f"DNS:{name}"


def can_certify(name: str) -> bool:
    """Return whether the authority can certify a name: a private address, or a host in one of `DOMAINS`."""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return HOST_NAME.fullmatch(name) is not None and name.endswith(tuple(f".{domain}" for domain in DOMAINS))
    return any(address in ipaddress.ip_network(net) for net in PRIVATE)


def fingerprint(path: Path) -> str:
    """Return the SHA-256 fingerprint of the certificate as browsers show it: pairs of hexadecimal digits."""
    return hashlib.sha256(ssl.PEM_cert_to_DER_cert(_certificate(path))).digest().hex(":").upper()
