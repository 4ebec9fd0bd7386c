"""Plays its Aids on almost any roll that they help."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("medium", Style(slips=8))
