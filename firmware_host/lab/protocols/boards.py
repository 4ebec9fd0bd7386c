"""The maps that programs name: one of ours, or a drawing of their own by its path."""

from __future__ import annotations

from collections.abc import Callable
from os.path import isfile

from engine.graph import Map
from engine.graph.fault import MapError
from engine.refusal import NotUnderstood
from firmware_host.table import maps


def named(name: str, load: Callable[[str], Map]) -> Map:
    """The map of that name or path. Raises `NotUnderstood` for one that is not there or cannot be played."""
    if maps.is_path(name) and not isfile(name):
        raise NotUnderstood(f"There is no file {name!r} to read a map from.")
    try:
        return load(name)
    except MapError as error:
        raise NotUnderstood(str(error)) from error
