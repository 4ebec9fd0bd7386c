"""New at the front: goes out, shoots, and never thinks of its Aids."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("easy", Style(aids=False))
