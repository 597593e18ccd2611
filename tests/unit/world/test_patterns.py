"""Which patterns a tool may have: those that no text can make last."""

from __future__ import annotations

import pytest

from askfirst.world import patterns


@pytest.mark.parametrize(
    "pattern",
    [
        "",
        "^/",
        "a|b",
        "[a-z]",
        "^[^@\\s]+@[^@\\s]+$",
        "^(anyone|[^@\\s]+@[^@\\s]+)$",
        "^(/[^/]+)+$",
        "^(ab|cd)*$",
        "^\\d{2}\\d{3}$",
        "^[a-z]{2,5}$",
        "^[A-Za-z0-9][A-Za-z0-9 /-]{0,40}$",
        "^\\d{4}-\\d{2}-\\d{2}(T\\d{2}:\\d{2}(:\\d{2})?(Z|[+-]\\d{2}:\\d{2})?)?$",
        "^(?:\\+[0-9]+)?$",
    ],
)
def test_the_next_character_tells_how_to_go_on(pattern: str) -> None:
    assert patterns.fault(pattern) == ""


@pytest.mark.parametrize(
    "pattern",
    [
        "^(a+)+$",
        "^(a|a)*$",
        "^(a|ab)*c$",
        "^(a{1,2}){30}b",
        "^(é|\\w)*$",
        "^([Ā]|[^a])*$",
        "^a*a*$",
        "^a?a?a?a?aaaa$",
        "^(a?){30}a{30}$",
        "^(a*)*",
        "(a+)b",
        "^a+|b+",
        "a{2,}b",
        "(a)\\1",
        "(?=a)",
        "(?i)a",
        "\\bword",
        "(",
        "a**",
        "x" * 400,
    ],
)
def test_a_pattern_that_has_to_try_again_is_refused(pattern: str) -> None:
    assert patterns.fault(pattern)
