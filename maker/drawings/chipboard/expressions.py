"""Read KiCad's files: S-expressions of words and lists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')

Node = list[Any]
"""Words and lists, in any order."""


def parse(text: str) -> Node:
    """Parse a file. Raises `ValueError` if brackets don't match."""
    open_lists: list[Node] = [[]]
    for bracket, in_quotes, word in TOKEN.findall(text):
        if bracket == "(":
            open_lists.append([])
        elif bracket == ")":
            done = open_lists.pop()
            if not open_lists:
                raise ValueError("a bracket too many is closed")
            open_lists[-1].append(done)
        else:
            # In quotes, a backslash escapes the next character.
            open_lists[-1].append(word or re.sub(r"\\(.)", r"\1", in_quotes))
    if len(open_lists) != 1 or len(open_lists[0]) != 1 or isinstance(open_lists[0][0], str):
        raise ValueError("this is not exactly one list in brackets")
    (node,) = open_lists[0]
    assert isinstance(node, list)
    return node


def lists(node: Node, name: str) -> Iterator[Node]:
    return (part for part in node if isinstance(part, list) and part and part[0] == name)


def one(node: Node, name: str) -> Node:
    """Return the first list that begins with this word. Raises `StopIteration`."""
    return next(lists(node, name))


def words(node: Node) -> list[str]:
    return [part for part in node[1:] if isinstance(part, str)]


def numbers(node: Node) -> list[float]:
    return [float(word) for word in words(node)]
