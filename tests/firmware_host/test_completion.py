"""Shell completion of the command: a real bash completes, as if the tab key was pressed."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from firmware_host.app.cli import parser
from firmware_host.app.commands.completion import SHELLS, script

PRESS = """
source {script}
COMP_WORDS=({words}); COMP_CWORD=$(( ${{#COMP_WORDS[@]}} - 1 ))
COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}
function=$(complete -p sniperboard | sed -E 's/.*-F ([^ ]+).*/\\1/')
$function sniperboard "${{COMP_WORDS[COMP_CWORD]}}" "${{COMP_WORDS[COMP_CWORD-1]}}"
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.fixture(scope="module")
def scripts(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the completion file of each shell."""
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        (folder / shell).write_text(script(parser(), shell), "utf-8")
    return {shell: folder / shell for shell in SHELLS}


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        (("sniperboard", "doc"), ("doctor",)),
        (("sniperboard", "map", "re"), ("render",)),
        (("sniperboard", "map", "check", "laun"), ("launch-facility",)),
        (("sniperboard", "run", "--map", "sub"), ("submarine-pens",)),
        (("sniperboard", "run", "--board", "reed"), ("reed_matrix",)),
        (("sniperboard", "rules", "--game", "stal"), ("stalingrad",)),
        (("sniperboard", "completion", ""), ("bash", "zsh")),
    ],
)
def test_bash_completes(
    words: tuple[str, ...], offered: tuple[str, ...], scripts: dict[str, Path], tmp_path: Path
) -> None:
    quoted = " ".join(f"'{word}'" for word in words)
    press = PRESS.format(script=scripts["bash"], words=quoted)
    done = subprocess.run(
        ["bash", "--norc", "--noprofile", "-c", press], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert sorted(done.stdout.split()) == sorted(offered), done.stderr


@pytest.mark.skipif(shutil.which("zsh") is None, reason="this machine has no zsh (Debian's package zsh)")
def test_zsh_loads_its_script(scripts: dict[str, Path]) -> None:
    load = f'autoload -U compinit; compinit -D -u; eval "$(< {scripts["zsh"]})"; print $_comps[sniperboard]'
    done = subprocess.run(["zsh", "-f", "-c", load], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("_shtab_sniperboard", "")
