"""Run the command line with `python -m askfirst`."""

from __future__ import annotations

from askfirst.cli.main import main

if __name__ == "__main__":
    main()
