"""Running the program inside the tests' own process, where starting one is not what a test is about."""

from __future__ import annotations

import contextlib
import io
import subprocess
from pathlib import Path
from unittest import mock

from askfirst import __main__ as program


def askfirst(*arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder; gives exit code and what it wrote, as a process would."""
    said, wrong = io.StringIO(), io.StringIO()
    code = 0
    with (
        contextlib.chdir(cwd),
        mock.patch("sys.argv", ["askfirst", *arguments]),
        contextlib.redirect_stdout(said),
        contextlib.redirect_stderr(wrong),
    ):
        try:
            program.main()
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(bool(end.code))
    return subprocess.CompletedProcess(["askfirst", *arguments], code, said.getvalue(), wrong.getvalue())
