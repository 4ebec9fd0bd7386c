"""New at the front: goes out, shoots, and never thinks of its Aids."""

from __future__ import annotations

from engine.bots import Kind
from games.stalingrad.bots._weighing import Style, Weigher

KIND = Kind(lambda game, seat, view: Weigher(Style(aids=False)), level="easy")
