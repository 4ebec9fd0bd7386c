"""Tests wait for conditions: none reads a page only once, sleeps, or has a short time limit of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
READS = re.compile(
    "all|all_inner_texts|all_text_contents|bounding_box|count|evaluate|get_attribute|inner_html|inner_text|input_value"
    "|is_(checked|disabled|enabled|hidden|visible)|text_content"
)
"""What Playwright answers once. `expect(...)` and `expect_value` ask again until the answer is right."""
SLEEPERS = {
    "drill/roots.py",
    "drill/test_delays.py",
    "emulator/test_table.py",
    "hardware/test_token_bucket.py",
    "patience.py",
}
"""Files that sleep: to ask again, or as the people or devices that they play."""
LEAST = 60
"""Seconds that a busy machine may need for anything."""


def files(word: str) -> Iterator[tuple[str, ast.Module]]:
    """Yield the name and the code of each file of the tests that has a word."""
    for path in sorted(HERE.rglob("*.py")):
        text = path.read_text("utf-8")
        if word in text:
            yield path.relative_to(HERE).as_posix(), ast.parse(text)


def calls(node: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Yield the name and the call of each function or method that is called."""
    for it in ast.walk(node):
        if isinstance(it, ast.Call) and isinstance(it.func, ast.Attribute | ast.Name):
            yield it.func.attr if isinstance(it.func, ast.Attribute) else it.func.id, it


def reads_page_once(name: str, call: ast.Call) -> bool:
    """Return whether a call asks a page. `count` and `all` have arguments where they count in a text or list."""
    return (
        READS.fullmatch(name) is not None
        and isinstance(call.func, ast.Attribute)
        and not (name in ("all", "count") and call.args)
    )


def is_short(value: ast.expr) -> bool:
    return isinstance(value, ast.Constant) and isinstance(value.value, int | float) and 0.5 < value.value < LEAST


def test_no_assertion_reads_a_page_only_once() -> None:
    found = [
        f"{path}:{call.lineno}: {name}"
        for path, code in files("playwright")
        for node in ast.walk(code)
        if isinstance(node, ast.Assert)
        for name, call in calls(node)
        if reads_page_once(name, call)
    ]
    assert found == [], "use `expect(...)` of Playwright, or `expect_value` of tests/web_panel/room.py"


def test_no_test_asks_a_page_at_each_frame() -> None:
    found = [
        f"{path}:{call.lineno}"
        for path, code in files("wait_for_function")
        for name, call in calls(code)
        if name == "wait_for_function" and "polling" not in {it.arg for it in call.keywords}
    ]
    assert found == [], "a busy browser may draw no frame: use `expect_value` of tests/web_panel/room.py"


def test_no_test_waits_for_a_frame_without_limit() -> None:
    found = [
        f"{path}:{node.lineno}"
        for path, code in files("requestAnimationFrame")
        for node in ast.walk(code)
        if isinstance(node, ast.Constant) and path != "test_waiting.py"
        if "requestAnimationFrame" in str(node.value) and "setTimeout" not in str(node.value)
    ]
    assert found == [], "a busy browser may draw no frame: use `FRAME` or `wait_two_frames` of tests/web_panel/room.py"


def test_no_test_sleeps() -> None:
    found = [
        f"{path}:{call.lineno}"
        for path, code in files("sleep")
        if path not in SLEEPERS
        for name, call in calls(code)
        if name == "sleep" and ast.unparse(call) != "asyncio.sleep(0)"
    ]
    assert found == [], "use `until` of tests/patience.py"


def test_no_time_limit_is_short() -> None:
    found = [
        f"{path}:{call.lineno}: {name}"
        for path, code in files("timeout")
        if not path.startswith("emulator/")
        for name, call in calls(code)
        for limit in (*(it.value for it in call.keywords if it.arg == "timeout"), *call.args[: name == "settimeout"])
        if is_short(limit)
    ]
    assert found == [], "use `PATIENCE` of tests/patience.py"
