"""From a page in HTML to the text that its reader sees."""

from __future__ import annotations

import re

from askfirst.errors import InputError

_BEGINS = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)
_NO_TEXT = ("nav", "footer", "noscript", "template", "svg", "textarea", "button", "select", "dialog")
"""Elements that hold no part of what a page tells, beside those that no browser shows."""


def is_html(text: str) -> bool:
    """Whether a text begins as a page in HTML does."""
    return bool(_BEGINS.match(text))


def text_of_html(page: str, name: str) -> str:
    """The text of a page, a block to a line, without menus and what is hidden.

    Raises InputError for a page that cannot be read; `name` stands for it in the message.
    """
    from inscriptis import get_text
    from inscriptis.css_profiles import CSS_PROFILES
    from inscriptis.html_properties import Display
    from inscriptis.model.config import ParserConfig
    from inscriptis.model.html_element import HtmlElement

    hidden = {tag: HtmlElement(display=Display.none) for tag in _NO_TEXT}
    try:
        text: str = get_text(page, ParserConfig(css={**CSS_PROFILES["strict"], **hidden}))
    except (ValueError, RecursionError) as error:
        hint = "Copy its text into a file of plain text."
        raise InputError("this HTML cannot be read.", where=name, hint=hint) from error
    return text
