"""What a template of a carrier may hold, and that none takes long or much room."""

from __future__ import annotations

import pytest

from askfirst.errors import DeclarationError
from askfirst.stages.authoring.names import Names
from askfirst.stages.authoring.stream import Stream
from askfirst.templating import LONGEST, environment, names_used, render

NOT_VALID = {
    "a power": "{{ 'a'*10**10 }}",
    "a loop": "{% for i in 'aaa' %}b{% endfor %}",
    "a macro": "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}",
    "a name of its own": "{% set x = 1 %}{{ x }}",
    "a call of a method": "{{ 'a'.ljust(1000000000) }}",
    "a format": "{{ '{:>1000000000}'.format(1) }}",
    "3000 lists in each other": "{{ " + "[" * 3000 + "]" * 3000 + " }}",
    "60 lists in each other": "{{ " + "[" * 60 + "]" * 60 + " }}",
    "3000 brackets in each other": "{{ " + "(" * 3000 + "1" + ")" * 3000 + " }}",
    "1000 ifs in each other": "{% if 1 %}" * 1000 + "{% endif %}" * 1000,
    "a sum of 1000": "{{ " + "+".join(["1"] * 1000) + " }}",
    "a number of 5000 digits": "{{ " + "9" * 5000 + " }}",
    "more names than a page has": "{{ a }}" * 2000,
    "an end that is missing": "{{ 1",
}
NOT_FILLED = {
    "a division by zero": "{{ 1/0 }}",
    "a text times a number": "{{ 'a'*30000000 }}",
    "a number times a list": "{{ 3 * ['a'] }}",
    "a width": "{{ '%1000000000d' % 1 }}",
    "days without end": "{{ ago(1000000000) }}",
    "a number as a time": "{{ 5|day }}",
    "a number of rows without conditions": "{{ count('t', 5) }}",
    "a filter that does not exist": "{{ 'a'|center(1000000000) }}",
    "replaced again and again": "{{ 'aaaaaaaaaa'" + "|replace('a', 'aaaaaaaaaa')" * 30 + " }}",
    "nothing replaced by much": "{{ long|replace('', long) }}",
    "joined by much": "{{ [1, 2, 3]|join(long) }}",
    "long twice": "{{ long ~ long }}",
    "a name that nobody has": "{{ nobody }}",
}


def names() -> Names:
    return Names({"long": "x" * (LONGEST // 2 + 1), "_people": []}, "2026-05-04T09:00:00Z", Stream("seed"))


@pytest.mark.parametrize("what", NOT_VALID)
def test_templates_that_are_refused_before_they_are_filled(what: str) -> None:
    with pytest.raises(DeclarationError, match="is not valid") as refused:
        names_used(NOT_VALID[what])
    assert len(refused.value.message) < 400
    with pytest.raises(DeclarationError):
        names().text(NOT_VALID[what])


@pytest.mark.parametrize("what", NOT_FILLED)
def test_templates_that_cannot_be_filled(what: str) -> None:
    with pytest.raises(DeclarationError):
        names().text(NOT_FILLED[what])


def test_what_templates_can_do() -> None:
    assert render("{{ (number // 5) * 7 + number % 5 + 7 }}", {"number": 6}) == "15"
    assert render("{% if a == 'x' %}1{% else %}2{% endif %}", {"a": "x"}) == "1"
    assert render("{{ a.b | replace(' ', '-') | capitalize }}", {"a": {"b": "x y"}}) == "X-y"
    assert names_used("{% if a == 'x' %}{{ b.c }}{% endif %}{{ f(d) | day }}") == {"a", "b", "d", "f"}


@pytest.mark.parametrize(
    "text",
    [
        "{{ user.first }}, {{ n }} of {{ x }}",
        "{{x}} {{ user.first}}{{ n }}",
        "plain {{ x }}\n",
        "{{ true }} {{ none }}",
        "{{ user }}",
        "{{ x }} }} {",
        "{{ x | upper }} {{ x }}",
        "{{ deep.er.est }}{{ flag }}{{ share }}",
        "{{ x }}\r\n{{ n }}",
        "{{ deep.items }}",
    ],
)
def test_what_only_names_things_is_filled_as_jinja_fills_it(text: str) -> None:
    names = {
        "user": {"first": "Ana"}, "n": 3, "x": "{{ n }}", "deep": {"er": {"est": "é"}}, "flag": True, "share": 0.5,
    }  # fmt: skip
    assert render(text, names) == environment().from_string(text).render(names)


@pytest.mark.parametrize("text", ["{{ nobody }}", "{{ user.last }}", "{{ user.first.__class__ }}", "{{ not }}"])
def test_what_is_not_there_is_told_by_jinja(text: str) -> None:
    with pytest.raises(DeclarationError, match="cannot be filled"):
        render(text, {"user": {"first": "Ana"}})
