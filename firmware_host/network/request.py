"""Checks the input of the network page."""

from __future__ import annotations

import hashlib
import re

from msgspec import Struct

from engine.text import Text
from firmware_host.core.errors import UserError

LONGEST_NAME = 32
"""Bytes of a Wi-Fi name (IEEE 802.11)."""
PASSPHRASE = re.compile(r"[ -~]{8,63}")
"""A password of WPA: printable ASCII (IEEE 802.11, annex J)."""
RAW_KEY = re.compile(r"[0-9A-Fa-f]{64}")
"""The key itself, as hexadecimal digits."""
HOST_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
"""One label of a host name (RFC 1123)."""
COUNTRY = re.compile(r"[A-Z]{2}")
"""The code of a country (ISO 3166-1)."""

PASSWORD = Text("A Wi-Fi password has 8 to 63 plain letters, digits or symbols. Leave it empty for none.")


class JoinRequest(Struct, frozen=True):
    """A Wi-Fi to join. An empty `password` means none. A `hidden` network does not send its name."""

    name: str
    password: str = ""
    hidden: bool = False

    def __repr__(self) -> str:
        """Leave out the password."""
        return f"JoinRequest({self.name!r}, hidden={self.hidden})"


def checked_join(name: str, password: str, hidden: bool) -> JoinRequest:
    """Return a request to join a Wi-Fi. Raises `UserError` if no network can have this name or password."""
    if not 1 <= len(name.encode("utf-8", "surrogatepass")) <= LONGEST_NAME or not name.isprintable():
        raise UserError("not-understood", Text("The name of a Wi-Fi has 1 to 32 characters. Choose one, or type it."))
    if password and not (PASSPHRASE.fullmatch(password) or RAW_KEY.fullmatch(password)):
        raise UserError("not-understood", PASSWORD)
    return JoinRequest(name, password, hidden)


def key_for(request: JoinRequest) -> str:
    """Return the password for NetworkManager. It drops spaces at the ends, so such a password is converted into its key
    (IEEE 802.11, annex J.4).
    """
    if request.password == request.password.strip():
        return request.password
    return hashlib.pbkdf2_hmac("sha1", request.password.encode(), request.name.encode(), 4096, 32).hex()


def checked_host_name(name: str) -> str:
    """Return a valid name for the machine, in lower case. Raises `UserError`."""
    small = name.strip().lower().removesuffix(".local")
    if not HOST_NAME.fullmatch(small) or small == "localhost":
        words = Text("A table's name has up to 63 letters from a to z, digits, and hyphens inside.")
        raise UserError("not-understood", words)
    return small


def checked_country(code: str) -> str:
    """Return a valid country code. Raises `UserError`."""
    if not COUNTRY.fullmatch(code):
        raise UserError("not-understood", Text("A country is a code of two letters, for example PL."))
    return code
