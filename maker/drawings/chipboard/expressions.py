"""KiCad's files: nested lists in brackets. A list is its words and lists; a word in quotes is a `Quoted`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

TOKEN = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


class Quoted(str):
    """A word that stands in quotes."""


Node = list[Any]
"""Words and lists, in any order."""


def quoted(text: str) -> Quoted:
    """A word for a file, in quotes."""
    return Quoted(text)


def read(text: str) -> Node:
    """The list that a file holds. Raises `ValueError` where brackets do not pair."""
    open_lists: list[Node] = [[]]
    for bracket, in_quotes, word in TOKEN.findall(text):
        if bracket == "(":
            open_lists.append([])
        elif bracket == ")":
            done = open_lists.pop()
            if not open_lists:
                raise ValueError("a bracket too many is closed")
            open_lists[-1].append(done)
        elif word:
            open_lists[-1].append(word)
        else:
            open_lists[-1].append(Quoted(re.sub(r"\\(.)", r"\1", in_quotes)))
    if len(open_lists) != 1 or len(open_lists[0]) != 1 or isinstance(open_lists[0][0], str):
        raise ValueError("this is not one whole list in brackets")
    (found,) = open_lists[0]
    assert isinstance(found, list)
    return found


def written(node: Node, depth: int = 0) -> str:
    """A list as text: one without lists in it on a line of its own."""
    simple = all(isinstance(part, str) or all(isinstance(inner, str) for inner in part) for part in node)
    parts = [_word(part) if isinstance(part, str) else written(part, depth + 1) for part in node]
    if simple:
        return f"({' '.join(parts)})"
    lines = [parts[0]]
    for part, text in zip(node[1:], parts[1:], strict=True):
        lines.append(f" {text}" if isinstance(part, str) else "\n" + "  " * (depth + 1) + text)
    return f"({''.join(lines)}\n{'  ' * depth})"


def _word(word: str) -> str:
    if isinstance(word, Quoted):
        escaped = word.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'
    return word


def lists(node: Node, name: str) -> Iterator[Node]:
    """The lists in it that begin with this word."""
    return (part for part in node if isinstance(part, list) and part and part[0] == name)


def one(node: Node, name: str) -> Node:
    """The first of them. Raises `KeyError`."""
    for found in lists(node, name):
        return found
    raise KeyError(name)


def words(node: Node) -> list[str]:
    """The words in it behind the first."""
    return [part for part in node[1:] if isinstance(part, str)]


def numbers(node: Node) -> list[float]:
    """The words behind the first, as numbers."""
    return [float(word) for word in words(node)]
