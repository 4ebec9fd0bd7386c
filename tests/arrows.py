"""The allowed imports of ARCHITECTURE.md as data, and the check that reads every file for them.

The files are parsed, never run, so imports inside functions count as well. ALLOWED has one entry per package with what
it may import; PURE lists the modules of the standard library that count as pure. The check itself is tested in
`test_imports.py`.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path


def words(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


PURE = words("""
    __future__ abc array base64 bisect collections contextlib copy dataclasses decimal difflib enum fractions
    functools graphlib hashlib heapq importlib itertools json math numbers operator pkgutil random re statistics
    string struct textwrap types typing unicodedata zlib
""")
"""The standard library's data modules.

`importlib` and `pkgutil` find a game or bot by its name and read nothing else.
"""

OUTSIDE = frozenset({"open", "print", "input", "exec", "eval", "breakpoint", "__import__"})
"""Built-in functions that reach outside a pure package or hide what is imported."""


@dataclass(frozen=True)
class PackageRule:
    """What the files of one package may import. With `others` None, any declared package is allowed.

    `pure` allows only PURE of the standard library. `because` gives the reason, which the error message repeats.
    """

    ours: frozenset[str]
    others: frozenset[str] | None
    pure: bool
    because: str


def package_rule(because: str, ours: str = "", others: str | None = None, pure: bool = False) -> PackageRule:
    """Return a package rule from a short form: names are separated by spaces."""
    return PackageRule(words(ours), None if others is None else words(others), pure, because)


ALLOWED = {
    "games": package_rule("a game knows the engine and itself alone", "engine games", "msgspec", pure=True),
    "engine": package_rule(
        "engine is pure (the standard library without I/O, and msgspec)", "engine", "msgspec", pure=True
    ),
    "hardware": package_rule(
        "hardware knows no game (only itself, engine.text and what drives chips)", "hardware engine.text"
    ),
    "web_panel": package_rule(
        "web_panel shows and asks (itself, firmware_host.api and core, and what serves pages: Flask, …)",
        "web_panel firmware_host.api firmware_host.core",
        "babel flask jinja2 markupsafe segno tornado werkzeug",
    ),
    "firmware_host": package_rule("firmware_host is the daemon", "firmware_host engine games hardware"),
    "maker": package_rule(
        "maker is for people who build boards and draw maps; the daemon never imports it",
        "maker engine games hardware firmware_host web_panel",
    ),
    "lab": package_rule(
        "lab is for people who study games; the daemon never imports it",
        "lab maker engine games hardware firmware_host web_panel",
    ),
    "tools": package_rule(
        "tools are separate from the product", "tools lab maker engine games hardware firmware_host web_panel"
    ),
    "docs": package_rule("an example game knows the engine, itself and pytest", "engine games", "msgspec pytest"),
}

LAYERS = (
    "core", "records", "play", "board", "seats", "workshop", "admin", "network", "analysis", "table", "api",
    "protocols", "mqtt", "app",
)  # fmt: skip
"""The packages of firmware_host. Each imports only itself and the packages listed before it."""

COMPOSES = {
    "firmware_host/app": "web_panel",
    "firmware_host/__main__.py": "firmware_host.app",
    "lab/soak.py": "firmware_host.app",
    "tools": "firmware_host.app",
    "firmware_host/app/cli.py": "maker",
}
"""Files, or the files of a folder, that may import one more package."""

FOREIGN = re.compile(r"/(\.|node_modules/)")
"""Folders that are not part of the project: hidden folders, and the packages of the JavaScript checks."""

BY_NAME = {"firmware_host/app/cli.py"}
"""Files that import by a computed name: commands are found in the folders that each of them lists."""

BESIDE = ("docs", "lab", "maker", "tools")
"""Packages that may import a game by its name. The daemon imports none of them."""

BUILDS_ON = {"sniper_elite_solo": "sniper_elite"}
"""Games that may import another game."""
RULES = ("rules", "map_rules")
"""The folders of a game that import nothing else of it."""

SIGHT = ("maker.mapping.crossings", "maker.mapping.candidates", "maker.mapping.sight")
"""The modules that compute line of sight, from the bottom up: each may import only those before it."""

LAZY = {f"{module.replace('.', '/')}.py": "numpy" for module in SIGHT}
"""Files that may import one more package, but only inside a function: compiling needs NumPy, playing does not."""


@dataclass(frozen=True)
class Arrow:
    """One import: the line it is on, what it reaches, and whether it is inside a function."""

    line: int
    target: str
    lazy: bool


def faults(root: Path) -> list[str]:
    """Return all breaches of ALLOWED under `root`, each as a sentence."""
    found: list[str] = []
    folders = [folder for folder in root.iterdir() if folder.name != "tests" and not folder.name.startswith(".")]
    for file in sorted(file for folder in folders for file in folder.rglob("*.py")):
        where = file.relative_to(root)
        if FOREIGN.search(f"/{where.as_posix()}"):
            continue
        tree = ast.parse(file.read_text("utf-8"), str(where))
        if where.parts[0] not in ALLOWED:
            found.append(
                f"{where}: no rule says what {where.parts[0]} may import: add it to ALLOWED in tests/arrows.py"
            )
            continue
        found += file_faults(root, where, tree)
    return found


def file_faults(root: Path, where: Path, tree: ast.Module) -> list[str]:
    """Return the breaches in one file."""
    rule, code = ALLOWED[where.parts[0]], [*nodes(tree)]
    found = [
        f"{where} may not import {arrow.target} (line {arrow.line}): {why}"
        for arrow in arrows(root, where, code)
        if (why := refusal(root, where, rule, arrow))
    ]
    if str(where) not in BY_NAME:
        found += [f"{where} imports what cannot be read from it (line {line}): {why}" for line, why in unreadable(code)]
    if rule.pure:
        found += [f"{where} may not use {name} (line {line}): {rule.because}" for line, name in impurities(code)]
    return found


def refusal(root: Path, where: Path, rule: PackageRule, arrow: Arrow) -> str | None:
    """Return why this import is not allowed, or None."""
    top = arrow.target.partition(".")[0]
    if top in {"tests", "conftest"}:
        return "tests may import anything, and no one imports tests"
    if top == "games" and (why := game_refusal(where, arrow.target.split(".")[1:])) is not None:
        return why
    if any(str(where).startswith(start) and arrow.target.startswith(more) for start, more in COMPOSES.items()):
        return None
    if (why := layer_refusal(where, arrow.target.split("."))) is not None:
        return why
    module = ".".join(where.with_suffix("").parts)
    if module in SIGHT and arrow.target in SIGHT[SIGHT.index(module) :]:
        return "sight is built on candidates, and those on crossings"
    if top in ours(root):
        allowed = any(arrow.target == name or arrow.target.startswith(name + ".") for name in rule.ours)
        return None if allowed else rule.because
    if top in sys.stdlib_module_names:
        pure = not rule.pure or (top in PURE and arrow.target != "importlib.resources")
        return None if pure else rule.because + "; a tool that does no I/O can be added to PURE in tests/arrows.py"
    if LAZY.get(str(where)) == top:
        return None if arrow.lazy else f"only a function that needs {top} may import it, for playing does without"
    return None if rule.others is None or top in rule.others else rule.because


def layer_refusal(where: Path, target: list[str]) -> str | None:
    """Return why a file may not import `target` of firmware_host (its full name in parts), or None."""
    if target[0] != "firmware_host":
        return None
    if len(target) == 1 or target[1] not in LAYERS:
        return "only the packages of firmware_host that LAYERS in tests/arrows.py names are imported"
    if where.parts[0] != "firmware_host":
        return "nothing imports firmware_host.app" if target[1] == "app" else None
    if where.parts[1] not in LAYERS:
        return "LAYERS in tests/arrows.py does not name its package"
    if LAYERS.index(target[1]) > LAYERS.index(where.parts[1]):
        return f"{where.parts[1]} stands below {target[1]}, and a package imports only those below it"
    return None


def game_refusal(where: Path, target: list[str]) -> str | None:
    """Return why a file may not import `target` of the games (the names after `games`), or None."""
    if not target or where.parts[0] in BESIDE:
        return None
    if where.parts[0] != "games":
        return "games are found by name, and no one imports one"
    game, *inside = where.parts[1:]
    if target[0] not in (game, BUILDS_ON.get(game)):
        return "no game imports another"
    if inside[0] in RULES and target[0] == game and (len(target) == 1 or target[1] not in RULES):
        return "the rules of a game do not know its bots, its looks or the whole of it"
    return None


@cache
def ours(root: Path) -> set[str]:
    """Return the names of the project's top-level packages."""
    return {folder.name for folder in root.iterdir() if folder.is_dir() and not folder.name.startswith(".")} | set(
        ALLOWED
    )


Code = list[tuple[ast.AST, bool]]
"""All nodes of a file, and whether each runs only when a function is called."""


def nodes(tree: ast.Module) -> Iterator[tuple[ast.AST, bool]]:
    """Yield the nodes of a file as `Code` has them."""
    waiting: Code = [(tree, False)]
    while waiting:
        node, lazy = waiting.pop()
        yield node, lazy
        inner = lazy or isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        waiting += [(child, inner) for child in ast.iter_child_nodes(node)]


def arrows(root: Path, where: Path, code: Code) -> Iterator[Arrow]:
    """Return every import of a file, including those in functions and those by a literal name."""
    for node, lazy in code:
        if isinstance(node, ast.Import):
            for name in node.names:
                yield Arrow(node.lineno, name.name, lazy)
        elif isinstance(node, ast.ImportFrom):
            base = absolute(where, node)
            for name in node.names:
                yield Arrow(node.lineno, reached(root, base, name.name), lazy)
        elif isinstance(node, ast.Call) and by_name(node) and isinstance(start := known_start(node), str) and start:
            yield Arrow(node.lineno, start, lazy)


def absolute(where: Path, node: ast.ImportFrom) -> str:
    """Return the full name of the module that a `from` import names."""
    if node.level == 0:
        return node.module or ""
    package = where.parts[: len(where.parts) - node.level]
    return ".".join([*package, *([node.module] if node.module else [])])


def reached(root: Path, base: str, name: str) -> str:
    """Return `base.name` where that is a module of the project, else `base`: `from engine import game` imports that
    module.
    """
    place = root.joinpath(*base.split("."), name)
    return f"{base}.{name}" if place.with_suffix(".py").exists() or (place / "__init__.py").exists() else base


def by_name(node: ast.Call) -> bool:
    """Return whether this is a call of importlib.import_module."""
    call = node.func
    return (isinstance(call, ast.Attribute) and call.attr == "import_module") or (
        isinstance(call, ast.Name) and call.id == "import_module"
    )


def known_start(node: ast.Call) -> str | None:
    """Return the known start of the name in an import by name: "" for the file's own package."""
    first = node.args[0] if node.args else None
    if isinstance(first, ast.JoinedStr) and first.values:
        head = first.values[0]
        own = isinstance(head, ast.FormattedValue) and isinstance(head.value, ast.Name)
        if own and head.value.id in {"__name__", "__package__"}:  # type: ignore[attr-defined]
            return ""
        first = head
    if not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
        return None
    return "" if first.value.startswith(".") else first.value.rstrip(".") or None


def unreadable(code: Code) -> Iterator[tuple[int, str]]:
    """Return imports by a name whose start is not literal."""
    for node, _ in code:
        if isinstance(node, ast.Call) and by_name(node) and known_start(node) is None:
            yield node.lineno, 'write the start of the name into the call, as in import_module(f"games.{name}")'


def impurities(code: Code) -> Iterator[tuple[int, str]]:
    """Return uses of built-ins that reach outside, and of random sources that were not passed in."""
    modules = {a.asname or a.name for n, _ in code if isinstance(n, ast.Import) for a in n.names if a.name == "random"}
    for node, _ in code:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in OUTSIDE:
            yield node.lineno, f"{node.func.id}()"
        if (
            isinstance(node, ast.Call)
            and not node.args
            and not node.keywords
            and getattr(node.func, "attr", getattr(node.func, "id", "")).endswith("Random")
        ):
            yield node.lineno, f"{ast.unparse(node)} (chance is handed in: give it a seed)"
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") in modules and node.attr != "Random":
            yield node.lineno, f"random.{node.attr} (chance is handed in, as a Random)"
        if isinstance(node, ast.ImportFrom) and node.module == "random" and node.level == 0:
            yield from (
                (node.lineno, f"random.{a.name} (chance is handed in)") for a in node.names if a.name != "Random"
            )
