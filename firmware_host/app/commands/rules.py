"""`sniperboard rules`: look up a rule. `rulebook.py` reads the rule book."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from contextlib import suppress
from textwrap import fill
from typing import Any

import games
from engine.text import or_list
from firmware_host.app.terminal import fail
from firmware_host.core.rulebook import Rulebook, RulebookError, RuleEntry, book_of

WIDTH = 96


def add_command(commands: Any) -> None:
    """Add `rules`."""
    parser = commands.add_parser("rules", help="look up a rule by its number")
    parser.add_argument(
        "id",
        nargs="*",
        metavar="ID|GROUP",
        help="a rule or group, for example MP-MOVE-03, R-08 or MOVE (default: list the groups)",
    )
    parser.add_argument(
        "--game",
        metavar="NAME",
        choices=games.names(),
        help=f"game (default: {games.DEFAULT}; for an ID, the game that has it)",
    )
    parser.add_argument("--search", metavar="WORDS", help="show the rules that contain these words")
    parser.set_defaults(run=_rules)


def _rules(arguments: argparse.Namespace) -> int:
    rule_id = " ".join(arguments.id)
    name = arguments.game or _game_of(rule_id) or games.DEFAULT
    try:
        book = book_of(name)
    except RulebookError as error:
        return fail(1, str(error))
    if arguments.search is not None:
        code = _search(book, arguments.search)
    else:
        code = _look_up(book, rule_id, arguments.game) if rule_id else _contents(book, arguments.game)
    if arguments.game is None:
        # If the command names no game, the output says which game it is.
        print(f"\nThis is the game {name}. Use --game NAME for another one.", file=sys.stderr if code else sys.stdout)
    return code


def _game_of(rule_id: str) -> str | None:
    """Return the first game whose book has the rule of this ID; None if there is none, or it is not an ID."""
    for name in games.names() if rule_id else ():
        # Skip games whose book cannot be read.
        with suppress(RulebookError):
            if book_of(name).entry(rule_id) is not None:
                return name
    return None


def _contents(book: Rulebook, game: str | None) -> int:
    for group in book.groups:
        print(f"{group.name:<8} 01–{group.entries[-1].id[-2:]}  {group.about}")
    one = book.groups[len(book.groups) // 2]
    command = _command(game)
    print(f"\n{command} {one.name} shows a group, {command} {one.entries[0].id} a rule.")
    return 0


def _command(game: str | None) -> str:
    return "sniperboard rules" if game is None else f"sniperboard rules --game {game}"


def _look_up(book: Rulebook, rule_id: str, game: str | None) -> int:
    if (entry := book.entry(rule_id)) is not None:
        print(_entry_text(book, entry))
        return 0
    if (group := book.group(rule_id)) is not None:
        print(_paragraphs([f"{group.name} · {group.about}", *map(_entry_line, group.entries)]))
        return 0
    near = book.nearest(rule_id)
    hint = f" Did you mean {near}?" if near else ""
    return fail(1, f"There is no rule and no group {rule_id}.{hint} {_command(game)} lists the groups.")


def _search(book: Rulebook, words: str) -> int:
    entries = book.search(words)
    if not entries:
        known = or_list(group.name.lower() for group in book.groups[:3])
        return fail(1, f"No rule contains {words!r}. Try a single word, such as {known}.")
    print(_paragraphs(_entry_line(entry) for entry in entries))
    return 0


def _entry_text(book: Rulebook, entry: RuleEntry) -> str:
    """Return an entry and the entries that it refers to, one level deep."""
    about = next(group.about for group in book.groups if group.name == entry.group)
    unbound = [f"This is {entry.kind}; it is not binding."] if entry.untested else []
    others = [_entry_line(book.entries[name]) for name in entry.mentions]
    title = f"{entry.id} · {entry.kind} · {about.rstrip('.')}"
    return _paragraphs([title, *entry.text.split("\n\n"), *_off_text(entry), *unbound, *others])


def _entry_line(entry: RuleEntry) -> str:
    return " ".join([f"{entry.id}  {entry.text}", *_off_text(entry)])


def _off_text(entry: RuleEntry) -> list[str]:
    return [f"Switched off: {entry.off}"] if entry.off else []


def _paragraphs(texts: Iterable[str]) -> str:
    # Rule IDs contain hyphens and must not be split.
    return "\n\n".join(fill(text, WIDTH, break_long_words=False, break_on_hyphens=False) for text in texts)
