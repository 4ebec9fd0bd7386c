"""Weighs each Aid against what it brings, and keeps it for what is worth it."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("strong", Style())
