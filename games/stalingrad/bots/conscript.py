"""Draws and shoots, and never plays its Aids."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("easy", Style(aids=False))
