"""Generated files of the project, and the generated parts of pages in docs/, between `<!-- made: NAME -->` and
`<!-- end -->`. People write the rest.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

DOCS: Final = Path(__file__).resolve().parents[1] / "docs"
MADE: Final = re.compile(r"(<!-- made: ([\w-]+) -->\n).*?(<!-- end -->)", re.DOTALL)


def markdown_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table as Markdown, without a newline at its end."""
    lines = ([str(cell).replace("|", "\\|") for cell in row] for row in (head, ["---"] * len(head), *rows))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def with_parts(page: str, parts: Mapping[str, Callable[[], str]]) -> str:
    """Return a page with these parts made again. Raises `LookupError` if it lacks one."""
    part_of = {part[2]: part for part in MADE.finditer(page)}
    if missing := parts.keys() - part_of.keys():
        raise LookupError(f"The page has no parts {', '.join(sorted(missing))}.")
    return MADE.sub(lambda part: f"{part[1]}\n{parts[part[2]]()}\n\n{part[3]}" if part[2] in parts else part[0], page)


def write_part(page: Path, name: str, text: str) -> None:
    """Replace one part of a page."""
    page.write_text(with_parts(page.read_text("utf-8"), {name: lambda: text}), "utf-8")


def write_generated(files: Mapping[Path, str | bytes]) -> int:
    """Write generated files that are kept in the project, and print their paths; return 0, the exit code."""
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        print(path.relative_to(DOCS.parent))
    return 0
