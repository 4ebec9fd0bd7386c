"""Open, check and save the drawing that is edited with the pages of `pages.py`, and store its draft.

One desk edits one file. Every change writes a draft next to it, so that closing the page loses nothing. Saving writes
the file itself, keeps the old one as a backup, and compiles a map of the maps folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from threading import Lock
from typing import Any, cast

import msgspec

from engine.graph.compiled import digest, dump
from engine.graph.fault import MapError
from engine.graph.feature import MOST_NUMBERS
from engine.graph.geojson import FORMAT, MAKER_PROPERTIES, read_drawing
from engine.text import Text
from firmware_host.core import maps
from firmware_host.core.errors import UserError
from hardware.files import file_stamp
from maker.editor.drawing_files import BIGGEST_DRAFT, BIGGEST_PHOTO, Files, media_type
from maker.editor.judging import as_user_errors
from maker.mapping import drawings
from maker.output_files import format_geojson, write_tables

A1 = [8410, 5940]
TEMPLATE: dict[str, Any] = {
    "type": "FeatureCollection",
    "format": FORMAT,
    "size": A1,
    "sectors": ["yellow", "red", "black", "white"],
    "suits": {"yellow": "diamonds", "red": "hearts", "black": "spades", "white": "clubs"},
    "features": [],
}
"""A new map: an empty board."""


class Draft(msgspec.Struct, omit_defaults=True, forbid_unknown_fields=True):
    """The draft next to the drawing: the unsaved `document`, the `photo`'s position, and the digest (`of`) of the file
    on which the document is based.
    """

    document: dict[str, Any] | None = None
    photo: dict[str, Any] | None = None
    of: str = ""


def without_heights(document: dict[str, Any]) -> dict[str, Any]:
    """Return the document with all points as [x, y]: the page can't draw heights, and the table ignores them."""
    return {**document, "features": [_flat_feature(feature) for feature in document["features"]]}


def _flat_feature(feature: Any) -> Any:
    geometry = feature.get("geometry") if isinstance(feature, dict) else None
    properties = feature.get("properties") if isinstance(feature, dict) else None
    if not isinstance(geometry, dict) or not isinstance(properties, dict):
        return feature
    places = {name: _without_heights(properties[name]) for name in ("spot", *MAKER_PROPERTIES) if name in properties}
    flat = {"coordinates": _without_heights(geometry["coordinates"])} if "coordinates" in geometry else {}
    return {**feature, "properties": {**properties, **places}, "geometry": {**geometry, **flat}}


def _without_heights(value: Any, depth: int = 3) -> Any:
    """Return a point, or lists of points up to a `depth`, without heights."""
    if not isinstance(value, list) or not depth:
        return value
    if 2 < len(value) <= MOST_NUMBERS and not any(isinstance(part, list) for part in value):
        return value[:2]
    return [_without_heights(part, depth - 1) for part in value]


class Desk:
    """One drawing. Safe to use from any thread."""

    def __init__(self, path: Path, photo: Path | None = None) -> None:
        """Open a drawing; `photo` is a picture to show below it. Raises `MapError` if a file cannot be read."""
        self._files = Files(path)
        self._lock = Lock()
        self._draft_file, self._photo_file = self._files.companion("draft"), self._files.companion("photo")
        self._text = self._saved_map()
        self._document = self._decoded(self._text)
        if photo is not None:
            self._photo(photo)
        self._stamp = file_stamp(self._draft_file)
        self._opened = self._draft()
        self._seen = {""}
        """The pages that show the latest version. Programs have no page."""

    @property
    def slug(self) -> str:
        return self._files.path.parent.name if self._files.path.name == maps.DRAWING else self._files.path.stem

    def _decoded(self, text: bytes | None) -> dict[str, Any]:
        if text is None:
            name = self.slug.replace("-", " ").replace("_", " ").title()
            code = "".join(word[0] for word in name.split()) or "M"
            return {**TEMPLATE, "slug": self.slug, "name": name, "code": code[:4]}
        where = maps.display_path(self._files.path)
        document = drawings.decode(text, where)
        read_drawing(document, where)
        return cast("dict[str, Any]", document)

    def _photo(self, photo: Path) -> None:
        content = self._files.read(photo, 1 << 30)
        if content is None or media_type(content) is None:
            raise MapError(str(photo), ["this is not a JPEG or PNG picture. Give a photo of the board."])
        if len(content) > BIGGEST_PHOTO:
            remedy = "Choose it in the editor instead, which makes it smaller."
            raise MapError(str(photo), [f"the photo has more than {BIGGEST_PHOTO >> 20} MB. {remedy}"])
        # A new photo has another size, so ignore the old photo's position in the draft.
        if content != self._files.read(self._photo_file, BIGGEST_PHOTO):
            try:
                self._files.write(self._photo_file, content)
            except UserError as error:
                raise MapError("", [str(error.sentence)]) from error
            self._keep(Draft(self._draft().document, None, self._draft().of))

    def _draft(self) -> Draft:
        content = self._files.read(self._draft_file, BIGGEST_DRAFT)
        if content is None:
            return Draft()
        try:
            draft = msgspec.json.decode(content, type=Draft)
            if draft.document is not None:
                read_drawing(draft.document)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, MapError) as error:
            remedy = "Move it away to begin from what was saved."
            raise MapError(str(self._draft_file), [f"this draft cannot be read. {remedy}"]) from error
        return draft

    # --- requests of the pages ------------------------------------------------------------------------------------

    def opened(self, page: str = "") -> dict[str, Any]:
        """Return the document to edit, to a `page`: the draft if there is one, else the saved drawing.

        `draft` is true for a draft, `stale` if the file has changed since the draft began, `fresh` if there is no file,
        `flattened` if the file has heights, which the document lacks.
        """
        with self._lock:
            self._reread_draft()
            self._seen.add(page)
            return self._document_facts()

    def _document_facts(self) -> dict[str, Any]:
        draft = self._opened
        document = draft.document or self._document
        flat = without_heights(document)
        return {
            "file": self._files.path.name,
            "document": flat,
            "flattened": flat != document,
            "draft": draft.document is not None,
            "stale": draft.document is not None and draft.of != self._digest,
            "fresh": self._text is None,
            "photo": draft.photo,
            "has_photo": self._photo_file.exists(),
        }

    @property
    def _digest(self) -> str:
        return "" if self._text is None else digest(self._text)

    def store_draft(
        self, document: dict[str, Any] | None, photo: dict[str, Any] | None, page: str = "", *, over: bool = False
    ) -> None:
        """Store a draft. Without a `document`, there are no unsaved changes. Raises `UserError`; its code is `stale` if
        the page does not show the changes of another page, and `over` is false.
        """
        if document is not None:
            self._check_readable(document)
        with self._lock:
            self._note_writer(page, over=over)
            # A draft stays based on the file that it began with, even if that file changes.
            self._keep(Draft(document, photo, self._opened.of if self._opened.document else self._digest))

    def _keep(self, draft: Draft) -> None:
        if draft == Draft(of=draft.of):
            self._files.remove(self._draft_file)
        else:
            content = msgspec.json.encode(draft)
            if len(content) > BIGGEST_DRAFT:
                raise UserError("too-large", Text("The drawing is too large to be kept."))
            self._files.write(self._draft_file, content)
        self._opened, self._stamp = draft, file_stamp(self._draft_file)

    def _note_writer(self, page: str, *, over: bool) -> None:
        """Note that a page changes the drawing. Raises `UserError` if it does not show another page's changes. With
        `over` it may overwrite them, and the draft becomes a backup.
        """
        self._reread_draft()
        if page not in self._seen:
            if not over:
                raise UserError("stale", Text("The drawing has been changed on another page since it was opened here."))
            self._back_up_draft()
        self._seen = {page}

    def _reread_draft(self) -> None:
        """Read the draft again if another command has changed it; no page shows that change yet. Raises `UserError`."""
        if (stamp := file_stamp(self._draft_file)) != self._stamp:
            with as_user_errors():
                self._opened = self._draft()
            self._stamp, self._seen = stamp, set()

    def _back_up_draft(self) -> None:
        if self._opened.document is not None:
            self._files.back_up(format_geojson(self._opened.document).encode())

    def discard(self, page: str = "") -> dict[str, Any]:
        """Go back to the saved drawing, keep the draft as a backup, and return the result of `opened`."""
        with self._lock:
            self._reread_draft()
            self._back_up_draft()
            self._seen = {page}
            self._reread_file()
            self._keep(Draft(None, self._opened.photo))
            return self._document_facts()

    def _reread_file(self) -> None:
        """Read the file again, in case another program has changed it. Raises `UserError`."""
        with as_user_errors():
            text = self._saved_map()
            self._text, self._document = text, self._decoded(text)

    def save(
        self, document: dict[str, Any], photo: dict[str, Any] | None, page: str = "", *, over: bool
    ) -> dict[str, Any]:
        """Write the drawing, and compile a map of the maps folder. Return a sentence, `said`, and the name of the
        `backup`, if there was a file.

        Raises `UserError`; its code is `stale` if `over` is false and the file has changed since it was opened, or the
        page does not show another page's changes.
        """
        self._check_readable(document)
        content = format_geojson(document).encode()
        with self._lock:
            self._note_writer(page, over=over)
            with as_user_errors():
                there = self._saved_map()
            # Another program may have changed the file: only the person can decide which version to keep.
            if there != self._text and there != content and not over:
                raise UserError("stale", Text("The file has been changed by another program since it was opened here."))
            backup = self._files.back_up(there) if there is not None and there != content else None
            if there != content:
                self._files.write(self._files.path, content)
            self._text, self._document = content, document
            self._keep(Draft(None, photo))
            return {"backup": backup, "said": self._compile()}

    def _saved_map(self) -> bytes | None:
        path = self._files.path
        return maps.read_bytes(path) if path.exists() else None

    def _compile(self) -> Text:
        path = self._files.path
        try:
            if path.name == maps.DRAWING:
                board = drawings.compile_drawing(path, "board")
                write_tables(path.with_name(maps.COMPILED), dump(board), board.slug, path)
                return Text("Saved and compiled: the map can be played.")
            drawings.survey_drawing(path, "board")
            return Text("Saved without faults. The table works out who sees whom when it loads the file.")
        except MapError as error:
            count = len(error.faults)
            return Text(
                "Saved. It cannot be played yet: {number} fault is left.",
                "Saved. It cannot be played yet: {number} faults are left.",
                number=count,
            )

    def photo(self) -> tuple[bytes, str] | None:
        """Return the photo below the drawing with its media type, or None without a photo."""
        try:
            content = self._files.read(self._photo_file, BIGGEST_PHOTO)
        except MapError:
            return None
        kind = media_type(content or b"")
        return None if content is None or kind is None else (content, kind)

    def take_photo(self, picture: bytes | None, page: str = "", *, over: bool = False) -> None:
        """Store another photo below the drawing, or remove it. Raises `UserError`, as `keep` does."""
        if picture is not None and (len(picture) > BIGGEST_PHOTO or media_type(picture) is None):
            raise UserError("not-understood", Text("This is not a JPEG or PNG picture, or it is too large."))
        with self._lock:
            self._note_writer(page, over=over)
            if picture is None:
                self._files.remove(self._photo_file)
            else:
                self._files.write(self._photo_file, picture)

    def _check_readable(self, document: dict[str, Any]) -> None:
        """Raise `UserError` for a document that no map editor could have drawn."""
        try:
            read_drawing(document)
            if any(not isinstance(feature, dict) for feature in document["features"]):
                raise MapError("", ["a feature is not an object."])
            json.dumps(document)
        except (MapError, ValueError) as error:
            raise UserError("not-understood", maps.unusable_sentence(error)) from error
