"""The libraries that only an audit needs."""

from __future__ import annotations

from importlib import import_module

from askfirst.errors import UsageError

LIBRARIES = {
    "datasketch": "datasketch",
    "numpy": "numpy",
    "scipy": "scipy",
    "sklearn": "scikit-learn",
    "threadpoolctl": "threadpoolctl",
}
"""Name of the module to the name under which it is installed."""


def require_extra() -> None:
    """Raise UsageError that names what is missing and the command that installs it."""
    missing = [name for module, name in LIBRARIES.items() if not _can_be_imported(module)]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        message = f"an audit needs {', '.join(missing)}, which {are} not installed."
        raise UsageError(message, hint="Run: pip install 'askfirst[audit]'")


def _can_be_imported(module: str) -> bool:
    try:
        import_module(module)
    except ImportError:
        return False
    return True
