"""The program, by `askfirst` or `python -m askfirst`."""

from __future__ import annotations

import sys

from askfirst.errors import EXIT_STOPPED


def main() -> None:
    """Run the command line. Its modules are loaded here, so that a Ctrl-C before they are ends without a trace."""
    try:
        from askfirst.cli.main import main as run
    except KeyboardInterrupt:
        sys.exit(EXIT_STOPPED)
    run()


if __name__ == "__main__":
    main()
