"""What an example shows otherwise than it says is told in words that say which of the two is wrong."""

from __future__ import annotations

from typing import Any

import pytest

from askfirst.catalog.probe import probe_service
from askfirst.models.service import Example, Service
from tests.support.compiling import loaded

TOOL = "files_read"


def service(*examples: Example) -> Service:
    files = loaded()[0].services["files"]
    tool = files.tools[TOOL].model_copy(update={"examples": examples})
    return files.model_copy(update={"tools": {**files.tools, TOOL: tool}})


SHIPPED: tuple[Example, ...] = loaded()[0].services["files"].tools[TOOL].examples
RIGHT = next(example for example in SHIPPED if not example.error)
REFUSED = next(example for example in SHIPPED if example.error)


def changed(example: Example, **fields: Any) -> Example:
    return example.model_copy(update=fields)


@pytest.mark.parametrize(
    ("examples", "place", "said"),
    [
        ((*SHIPPED, changed(RIGHT, error=True)), "examples", "it says `error: true`, but the call was carried out."),
        ((*SHIPPED, changed(REFUSED, error=False)), "examples", "it does not say `error: true`, but the call was"),
        ((RIGHT,), "errors/0", "no example is refused with this error: 'There is no file at {path}"),
        ((RIGHT, changed(REFUSED, args={})), "errors/0", "no example is refused with this error"),
    ],
)
def test_an_example_that_says_otherwise(examples: tuple[Example, ...], place: str, said: str) -> None:
    found = list(probe_service(service(*examples)))
    assert any(pointer.startswith(f"/tools/{TOOL}/{place}") and said in message for pointer, message in found), found


def test_what_changed_is_told_in_words() -> None:
    files = loaded()[0].services["files"]
    tool = files.tools["files_delete"]
    example = changed(tool.examples[0], changes={"files_items": {"removed": 99}})
    broken = tool.model_copy(update={"examples": (example, *tool.examples[1:])})
    messages = [
        message
        for _, message in probe_service(files.model_copy(update={"tools": {**files.tools, "files_delete": broken}}))
    ]
    assert any("and `changes` says files_items removed 99." in message for message in messages), messages
