"""Catalogues of gettext are read as Babel reads them."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from web_panel.catalogue import CatalogueError, Messages, read_messages

ROOT = Path(__file__).resolve().parents[2]
CATALOGUES = sorted(path for folder in ("web_panel", "games", "lab") for path in (ROOT / folder).rglob("*.po"))
HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={}\\n"\n'
MANY = """
#. red
#, fuzzy
msgctxt "of"
msgid "re"
"d"
msgstr "ro\\"t\\\\n\\n\\t\\d "
"da"

#~ msgid "gone"
#~ msgstr "weg"
msgid "red"
msgstr "rot"
msgid "{number} day"
msgid_plural "{number} days"
msgstr[1] "Tage"
msgstr[0] "Tag"
msgid "red"
msgstr "never"
  msgid "empty"\r
msgstr ""
"""


def babel_reads(content: bytes) -> Messages:
    messages: Messages = {}
    for message in read_po(BytesIO(content), abort_invalid=True):
        name = message.id if isinstance(message.id, str) else message.id[0]
        text = message.string or ""
        messages[message.context or "", name] = text if isinstance(text, str) else [form for form in text if form]
    return messages


@pytest.mark.parametrize("path", CATALOGUES, ids=[f"{path.relative_to(ROOT)}" for path in CATALOGUES])
def test_catalogues_of_project_are_read_as_by_babel(path: Path) -> None:
    found, wanted = read_messages(path.read_bytes()), babel_reads(path.read_bytes())
    assert [*found.items()][1:] == [*wanted.items()][1:]  # the first is the header, which Babel writes itself
    assert len(found) == len(wanted)


@pytest.mark.parametrize("encoding", ["utf-8", "iso-8859-2"])
def test_every_kind_of_line_is_read_as_by_babel(encoding: str) -> None:
    content = (HEADER.format(encoding) + MANY + 'msgid "Lodz"\nmsgstr "Łódź"\n').encode(encoding)
    found, wanted = read_messages(content), babel_reads(content)
    assert [*found.items()][1:] == [*wanted.items()][1:]
    assert found["of", "red"] == 'ro"t\\n\n\t\\d da'
    assert found["", "{number} day"] == ["Tag", "Tage"]
    assert found["", "Lodz"] == "Łódź"


@pytest.mark.parametrize("text", ['msgid "a', '"a"', 'msgid "a"\nmsgid "b"\nmsgstr "c"', 'msgstr "a"', "msg", "= ="])
def test_what_is_no_catalogue_is_refused(text: str) -> None:
    with pytest.raises(CatalogueError):
        read_messages(text.encode())


def test_unknown_encoding_is_refused() -> None:
    with pytest.raises(LookupError):
        read_messages(HEADER.format("rot13").encode())
