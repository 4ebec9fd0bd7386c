"""Weighs each Aid against what it brings, and keeps it for what is worth it."""

from __future__ import annotations

from engine.bots import Kind
from games.stalingrad.bots._weighing import Style, Weigher

KIND = Kind(lambda game, seat, view: Weigher(Style()), level="strong")
