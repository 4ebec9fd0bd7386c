"""The mutations that `tools/mutate.py` makes to a module, and how to apply one.

These are pure functions from source to changes. Annotations, decorators, docstrings, assertions, `zip(strict=…)` and
texts of messages are not changed.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from msgspec import Struct

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
SUMS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.BitOr: ast.BitAnd, ast.BitAnd: ast.BitOr,
}  # fmt: skip
NAMED = {"min": "max", "max": "min", "any": "all", "all": "any"}
EMPTY: dict[type[ast.expr], str] = {ast.List: "[]", ast.ListComp: "[]", ast.Dict: "{}", ast.Tuple: "()"}


class Mutation(Struct, frozen=True):
    """A change: bytes `start` to `end` of a file become `after`.

    `scope` is the function or class around the change, `holder` the outermost function or method, "" at module level.
    `lines` are the first and the last changed line, `before` is their text, and `becomes` their text after the change.
    """

    file: str
    scope: str
    holder: str
    lines: tuple[int, int]
    start: int
    end: int
    before: str
    becomes: str
    after: str

    @property
    def in_function(self) -> bool:
        """Return whether the change is in a function's body, so that it takes effect with the next call."""
        return not _outside(self.holder)

    @property
    def change_text(self) -> str:
        return f"{self.scope}: {' '.join(self.before.split())} → {' '.join(self.becomes.split())}"

    @property
    def key(self) -> tuple[str, str]:
        """Return a key that stays the same when lines move."""
        return self.file, self.change_text

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]

    def __str__(self) -> str:
        return f"{self.file}:{self.lines[0]}: {self.change_text}"


def changes(file: str, source: str) -> Iterator[Mutation]:
    """Yield every change to a module, in the order of its lines."""
    raw = source.encode()
    starts = [0]
    for line in raw.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))

    def place(line: int | None, column: int | None) -> int:
        assert line is not None, "what was parsed has a place"
        return starts[line - 1] + (column or 0)

    found = []
    for scope, holder, node in _of_interest(ast.parse(source), "the module", ""):
        for old, after in _instead(node):
            lines = old.lineno, old.end_lineno or old.lineno
            start, end = place(old.lineno, old.col_offset), place(old.end_lineno, old.end_col_offset)
            # Offsets in `ast` are UTF-8 bytes from the beginning of a line, so all slices are bytes.
            first, last = starts[lines[0] - 1], starts[lines[1]]
            before = raw[first:last].decode()
            becomes = (raw[first:start] + after.encode() + raw[end:last]).decode()
            found.append(Mutation(file, scope, holder, lines, start, end, before, becomes, after))
    yield from sorted(found, key=lambda change: change.start)


Node = ast.expr | ast.stmt | ast.comprehension
Instead = Iterator[tuple[ast.expr | ast.stmt, str]]
"""Parts of a node, each with its replacement."""


def _of_interest(node: ast.AST, scope: str, holder: str) -> Iterator[tuple[str, str, Node]]:
    """Yield (scope, holder, node) for everything that may be changed."""
    if isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom) or _is_length_check(node):
        return
    if isinstance(node, ast.expr | ast.stmt | ast.comprehension) and not (_joins_types(node) and _outside(holder)):
        yield scope, holder, node
    # Keywords of a class definition configure the class; they are not rules.
    named = isinstance(node, ast.FunctionDef | ast.ClassDef)
    scope = node.name if isinstance(node, ast.FunctionDef | ast.ClassDef) else scope
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list") or (name == "keywords" and named):
            continue
        inside = _holder(node, holder) if name == "body" else holder
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _of_interest(child, scope, inside)


def _is_length_check(node: ast.AST) -> bool:
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _holder(node: ast.AST, outer: str) -> str:
    """Return the qualified name of the outermost function around the body of `node`.

    The name of a class ends in a dot.
    """
    if isinstance(node, ast.ClassDef):
        return f"{outer}{node.name}." if _outside(outer) else outer
    if isinstance(node, ast.FunctionDef) and _outside(outer):
        return outer + node.name
    return outer


def _outside(holder: str) -> bool:
    return not holder or holder.endswith(".")


def _joins_types(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr)


def _instead(node: Node) -> Instead:
    for kind, change in _CHANGES.items():
        if isinstance(node, kind):
            yield from change(node)


def _compare(node: ast.Compare) -> Instead:
    for index, operator in enumerate(node.ops):
        flipped = [*node.ops[:index], COMPARED[type(operator)](), *node.ops[index + 1 :]]
        yield node, f"({ast.unparse(ast.Compare(node.left, flipped, node.comparators))})"


def _constant(node: ast.Constant) -> Instead:
    if isinstance(node.value, bool):
        yield node, str(not node.value)
    elif isinstance(node.value, int):
        yield node, str(node.value + 1)
        yield node, str(node.value - 1)


def _junction(node: ast.BoolOp) -> Instead:
    other = ast.Or() if isinstance(node.op, ast.And) else ast.And()
    yield node, f"({ast.unparse(ast.BoolOp(other, node.values))})"


def _denial(node: ast.UnaryOp) -> Instead:
    if isinstance(node.op, ast.Not):
        yield node, f"bool({ast.unparse(node.operand)})"


def _negate_condition(node: ast.If | ast.IfExp | ast.While) -> Instead:
    yield from _negations(node.test)


def _filter(node: ast.comprehension) -> Instead:
    for test in node.ifs:
        yield from _negations(test)


def _negations(test: ast.expr) -> Instead:
    """Negate a condition, unless another mutation does that."""
    if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
        yield test, f"(not {ast.unparse(test)})"


def _sum(node: ast.BinOp) -> Instead:
    if (other := SUMS.get(type(node.op))) is not None:
        yield node, f"({ast.unparse(ast.BinOp(node.left, other(), node.right))})"


def _call(node: ast.Call) -> Instead:
    if isinstance(node.func, ast.Name) and node.func.id in NAMED:
        yield node.func, NAMED[node.func.id]


def _return(node: ast.Return) -> Instead:
    if node.value is not None and ast.unparse(node.value) not in ("None", *EMPTY.values()):
        yield node, f"return {EMPTY.get(type(node.value), 'None')}"


def _statement(node: ast.Expr) -> Instead:
    """Remove a yield, so that the function stays a generator; or remove a call made for its side effect."""
    if isinstance(node.value, ast.Yield | ast.YieldFrom):
        yield node, "yield from ()"
    elif isinstance(node.value, ast.Call):
        yield node, "pass"


def _drop_statement(node: ast.Raise | ast.AugAssign) -> Instead:
    yield node, "pass"


_CHANGES: dict[type[Node] | tuple[type[Node], ...], Callable[..., Instead]] = {
    ast.Compare: _compare,
    ast.Constant: _constant,
    ast.BoolOp: _junction,
    ast.UnaryOp: _denial,
    (ast.If, ast.IfExp, ast.While): _negate_condition,
    ast.comprehension: _filter,
    ast.BinOp: _sum,
    ast.Call: _call,
    ast.Return: _return,
    ast.Expr: _statement,
    (ast.Raise, ast.AugAssign): _drop_statement,
}
