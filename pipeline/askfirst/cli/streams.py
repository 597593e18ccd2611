"""Standard output and standard error, which may be closed, full, of another encoding, or without a reader."""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, TextIO, cast

from askfirst.errors import EXIT_INPUT


class Output:
    """A stream that takes what it is given even when nothing can be written any more, and keeps the reason.

    So a command ends as it would have ended, whoever reads what it says.
    """

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream or open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - for as long as we run
        self._closed = stream is None
        self.fault: OSError | None = None
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text, or nothing once the stream has broken."""
        if self._closed and self.fault is None:
            self.fault = OSError(errno.EBADF, "it is closed")
        if self.fault is None:
            try:
                return self._stream.write(text)
            except OSError as fault:
                self._break(fault)
        return len(text)

    def flush(self) -> None:
        """Write out what is held back."""
        if self.fault is None:
            try:
                self._stream.flush()
            except OSError as fault:
                self._break(fault)

    def _break(self, fault: OSError) -> None:
        self.fault = fault
        # What is still held back would fail again when the program ends.
        with suppress(OSError, ValueError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, self._stream.fileno())
            os.close(nowhere)


@contextmanager
def standard_streams() -> Iterator[Output]:
    """Put both streams behind an `Output` and give that of standard output, which is written out at the end."""
    before = sys.stdout, sys.stderr
    out, err = Output(sys.stdout), Output(sys.stderr)
    sys.stdout, sys.stderr = cast("TextIO", out), cast("TextIO", err)
    try:
        yield out
    finally:
        out.flush()
        if out.fault is not None and out.fault.errno != errno.EPIPE:
            err.write(f"askfirst: the output cannot be written: {(out.fault.strerror or 'unknown').lower()}.\n")
        err.flush()
        sys.stdout, sys.stderr = before


def exit_code(code: int, output: Output) -> int:
    """A command's exit code, or that of a fault where its output was lost. A reader that has gone wants no more."""
    lost = output.fault is not None and output.fault.errno != errno.EPIPE
    return code or (EXIT_INPUT if lost else code)
