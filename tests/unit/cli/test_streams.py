"""What becomes of a command when what it says cannot be written, or nobody reads it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.compiling import REPOSITORY, workspace

SEED = "cache-clear-hits-drive-root"


def shell(line: str, cwd: Path = REPOSITORY, **environment: str) -> tuple[int, str, str]:
    """Run a line in which `askfirst` is the program; gives exit code, output and complaints."""
    settings = "".join(f"export {name}={value}; " for name, value in environment.items())
    program = f'askfirst() {{ "{sys.executable}" -m askfirst "$@"; }}; {settings}'
    done = subprocess.run(
        ["bash", "-c", program + line], cwd=cwd, check=False, capture_output=True, text=True, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


@pytest.fixture
def bad(tmp_path: Path) -> Path:
    """A workspace whose seed tells an address of a person."""
    place = workspace(tmp_path, (SEED,))
    path = place.seeds_dir / f"{SEED}.yaml"
    path.write_text(path.read_text().replace("title: ", "title: Mail jo.doe@corp.com, ", 1))
    return tmp_path


def test_a_fault_is_told_in_the_exit_code_though_its_reader_has_gone(bad: Path) -> None:
    for reader in ("true", "head -c 1"):
        code, _, wrong = shell(f"askfirst seed check 2>&1 | {reader}; exit ${{PIPESTATUS[0]}}", bad)
        assert (code, wrong) == (1, "")


def test_output_that_cannot_be_written_is_told_once() -> None:
    for command in ("seed check --json", f"show {SEED}", "--help"):
        code, _, wrong = shell(f"askfirst {command} >/dev/full")
        assert (code, wrong) == (1, "askfirst: the output cannot be written: no space left on device.\n"), command


def test_closed_streams() -> None:
    code, _, wrong = shell(f"askfirst show {SEED} >&-")
    assert (code, wrong) == (1, "askfirst: the output cannot be written: it is closed.\n")
    assert shell("askfirst show no-such-thing 2>&-") == (2, "", "")
    assert shell("askfirst show no-such-thing >&- 2>&-") == (2, "", "")
    assert shell("askfirst show no-such-thing 2>/dev/full") == (2, "", "")


def test_a_terminal_of_plain_letters(tmp_path: Path) -> None:
    place = workspace(tmp_path, (SEED,))
    path = place.seeds_dir / f"{SEED}.yaml"
    path.write_text(path.read_text(encoding="utf-8").replace("title: ", "title: Café — ", 1), encoding="utf-8")
    for environment in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"PYTHONIOENCODING": "ascii"}):
        code, said, wrong = shell(f"askfirst show {SEED}; askfirst show Café", tmp_path, **environment)
        assert (code, "Caf\\xe9 \\u2014" in said) == (2, True), wrong
        assert "there is no task or seed 'Caf" in wrong
        assert "Traceback" not in wrong


def test_a_ctrl_c_before_the_program_is_loaded_leaves_no_trace() -> None:
    stop = (
        "import runpy, sys\n"
        "class Stop:\n"
        "    def find_spec(self, name, *_):\n"
        "        if name == 'typer': raise KeyboardInterrupt\n"
        "sys.meta_path.insert(0, Stop())\n"
        "runpy.run_module('askfirst', run_name='__main__')\n"
    )
    done = subprocess.run([sys.executable, "-c", stop], check=False, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_the_program_starts_without_what_only_work_needs() -> None:
    heavy = "{'pydantic', 'yaml', 'jinja2', 'langgraph', 'jsonschema', 'faker', 'numpy'} & set(sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, askfirst.cli.main; print({heavy})"],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.stdout == "set()\n"
