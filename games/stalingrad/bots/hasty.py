"""Spends its Aids as they come, more often than not on any roll that they help."""

from __future__ import annotations

from engine.bots import Kind
from games.stalingrad.bots._weighing import Style, Weigher

KIND = Kind(lambda game, seat, view: Weigher(Style(slips=8)), level="medium")
