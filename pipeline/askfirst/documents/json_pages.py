"""JSON for a page: what fits stands on one line, so that rows can be read as rows."""

from __future__ import annotations

import json
from typing import Any

WIDTH = 300
"""Characters of a line, as far as its values allow."""


def json_page(value: Any, indent: str = "", width: int = WIDTH) -> str:
    """Plain data as JSON; a list or a mapping that fits is one line, others have one for each part."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) <= width or not isinstance(value, dict | list) or not value:
        return flat
    inner = f"{indent} "
    if isinstance(value, dict):
        parts = [
            f"{json.dumps(key, ensure_ascii=False)}: {json_page(part, inner, width)}" for key, part in value.items()
        ]
        opened, closed = "{", "}"
    else:
        parts = [json_page(part, inner, width) for part in value]
        opened, closed = "[", "]"
    return f"{opened}\n" + ",\n".join(f"{inner}{part}" for part in parts) + f"\n{indent}{closed}"
