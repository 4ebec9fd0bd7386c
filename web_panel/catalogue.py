"""Reads catalogues of gettext. Babel takes several times as long, because it keeps comments, places and flags, too."""

from __future__ import annotations

import re

from firmware_host.core.strict import strip_bom

Messages = dict[tuple[str, str], str | list[str]]
"""Context and English text of a message -> its translation, or one for each plural form."""

_CHARSET = re.compile(rb"^\"Content-Type:.*charset=([\w.:-]+)", re.MULTILINE)
_KEYWORD = re.compile(r"msgctxt|msgid|msgid_plural|msgstr|msgstr\[\d\]")
_ESCAPE = re.compile(r'\\([\\trn"])')
_ESCAPED = {"t": "\t", "r": "\r", "n": "\n"}


class CatalogueError(ValueError):
    """Content that is no catalogue."""


def read_messages(content: bytes) -> Messages:
    """Return the messages of a catalogue; of equal ones, the first. Raises `CatalogueError`, `NotUtf8`, and errors of
    the encoding that its header names.
    """
    content = strip_bom(content)
    charset = _CHARSET.search(content)
    messages: Messages = {}
    fields: dict[str, str] = {}
    keyword = ""
    for line in content.decode(charset[1].decode() if charset else "utf-8").split("\n"):
        text = line.strip()
        if not text or text[0] == "#":  # obsolete messages are comments, too
            continue
        if text[0] != '"':
            keyword, _, text = text.partition(" ")
            if not _KEYWORD.fullmatch(keyword):
                raise CatalogueError(keyword)
            if keyword in fields or (keyword == "msgctxt" and fields):
                _add(messages, fields)
                fields = {}
            fields[keyword] = ""
        elif not fields:
            raise CatalogueError(text)
        fields[keyword] += text[1:-1]
    if fields:
        _add(messages, fields)
    return messages


def _add(messages: Messages, fields: dict[str, str]) -> None:
    """Add a message, given by its fields."""
    forms = [_unescaped(fields[keyword]) for keyword in sorted(fields) if keyword.startswith("msgstr")]
    if not forms or "msgid" not in fields:
        raise CatalogueError(f"{fields}")
    place = _unescaped(fields.get("msgctxt", "")), _unescaped(fields["msgid"])
    messages.setdefault(place, forms if "msgid_plural" in fields else forms[0])


def _unescaped(text: str) -> str:
    return _ESCAPE.sub(lambda match: _ESCAPED.get(match[1], match[1]), text) if "\\" in text else text
