"""The libraries that only calling a model needs."""

from __future__ import annotations

from importlib.util import find_spec

from askfirst.errors import UsageError

LIBRARIES = {
    "aiolimiter": "aiolimiter",
    "anthropic": "anthropic",
    "genai_prices": "genai-prices",
    "inscriptis": "inscriptis",
    "instructor": "instructor",
    "openai": "openai",
    "tenacity": "tenacity",
}
"""Name of the module to the name under which it is installed."""


def require_extra() -> None:
    """Raise UsageError that names what is missing and the command that installs it."""
    missing = [name for module, name in LIBRARIES.items() if find_spec(module) is None]
    if missing:
        are = "is" if len(missing) == 1 else "are"
        message = f"a model needs {', '.join(missing)}, which {are} not installed."
        raise UsageError(message, hint="Run: pip install 'askfirst[llm]'")
