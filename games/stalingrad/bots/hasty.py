"""Spends its Aids as they come, more often than not on any roll that they help."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("medium", Style(slips=8))
