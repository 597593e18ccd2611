"""The errors askfirst raises on purpose, and the exit code each one ends the program with.

Two levels only: an `AskfirstError` is expected and is shown as one message; any other exception is a bug of ours
and ends the program with `EXIT_BUG` and a traceback in a log file.
"""

from __future__ import annotations

from typing import ClassVar

EXIT_DONE = 0
EXIT_INPUT = 1
EXIT_USAGE = 2
EXIT_BUG = 3
EXIT_BUDGET = 4
EXIT_WAITING = 5
EXIT_STOPPED = 130


class AskfirstError(Exception):
    """Root of all expected errors.

    `message` says what was wrong; `where` names the file and the place in it; `hint` says what to do.
    """

    code: ClassVar[str] = "error"
    exit_code: ClassVar[int] = EXIT_INPUT

    def __init__(self, message: str, *, where: str | None = None, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.where = where
        self.hint = hint

    def __str__(self) -> str:
        head = f"{self.where}: {self.message}" if self.where else self.message
        return f"{head} {self.hint}" if self.hint else head


class InputError(AskfirstError):
    """The user's input is at fault: a file, a value in it, or what it refers to."""

    code = "input"


class DeclarationError(InputError):
    """A service, carrier or policy file declares something that cannot be right."""

    code = "declaration"


class WorkspaceError(InputError):
    """The workspace cannot be read or written: missing, read-only, full, newer than we are, or in use."""

    code = "workspace"


class UsageError(AskfirstError):
    """The command line asks for something that does not exist."""

    code = "usage"
    exit_code = EXIT_USAGE


class WorldError(AskfirstError):
    """A world refused a statement: not read-only, not one statement, too many steps, or not valid SQL."""

    code = "world"


class LlmError(AskfirstError):
    """No model can be asked any more in this run: a key is missing or refused, or a provider will not answer."""

    code = "llm"


class BudgetError(LlmError):
    """What may be spent is spent; the run can go on with more."""

    code = "budget"
    exit_code = EXIT_BUDGET
