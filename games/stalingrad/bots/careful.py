"""Weighs each Aid against its benefit, and keeps it until it is worth playing."""

from games.stalingrad.bots._weighing import Style, weigher_kind

KIND = weigher_kind("strong", Style())
