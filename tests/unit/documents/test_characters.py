"""What garbles text is defined once, and everything that shows, takes or writes text keeps to it."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import askfirst
from askfirst.bundles.read import Bundle, read_bundle
from askfirst.characters import GARBLING, UNSEEN
from askfirst.checks.base import Subject
from askfirst.checks.text_clean import run as text_clean
from askfirst.cli.terminal import clean, print_json
from askfirst.documents import dump_yaml, quoted
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.seeding.check import check_seed
from tests.support.compiling import REPOSITORY, loaded

GARBLES = {
    "escape": "\x1b",
    "carriage return": "\r",
    "delete": "\x7f",
    "control sequence introducer": "\x9b",
    "next line": "\x85",
    "Arabic letter mark": "\u061c",
    "right-to-left mark": "\u200f",
    "right-to-left override": "\u202e",
    "first strong isolate": "\u2068",
    "line separator": "\u2028",
    "paragraph separator": "\u2029",
    "zero width space": "\u200b",
    "word joiner": "\u2060",
    "byte order mark": "\ufeff",
    "tag letter": "\U000e0041",
    "half a character": "\ud83d",
    "no character": "\uffff",
}
HARMLESS = ("a\nb\tc", "naïve – “quoted” …", "日本語", "שלום", "ا\u200cب", "\U0001f469\u200d\U0001f4bb", "\xa0")  # noqa: RUF001


@pytest.fixture(scope="module")
def bundle() -> Bundle:
    return read_bundle(REPOSITORY / "generated_tasks" / "operator-grocery-checkout-scope-high")


@pytest.mark.parametrize("sign", GARBLES.values(), ids=GARBLES)
def test_what_garbles_is_kept_from_terminals_and_messages(sign: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert clean(f"a{sign}b") == "a�b"
    assert quoted(f"a{sign}b").isascii()
    print_json({"a": f"a{sign}b"})
    shown = capsys.readouterr().out
    assert shown.isascii()
    assert sign not in shown
    assert json.loads(shown) == {"a": f"a{sign}b"}


@pytest.mark.parametrize("sign", GARBLES.values(), ids=GARBLES)
def test_what_garbles_is_kept_from_seeds_and_tasks(sign: str, bundle: Bundle) -> None:
    seed = bundle.seed.model_copy(update={"title": f"a{sign}b"})
    assert [finding.code for finding in check_seed(seed)] == ["S3.control_character"]
    told = bundle.scenario.model_copy(update={"candidate_action": f"a{sign}b"})
    subject = Subject(bundle.seed, *loaded(), bundle.contract, told)
    assert [finding.code for finding in text_clean(subject)] == ["G0.unusable_character"]


@pytest.mark.parametrize("sign", [sign for sign in GARBLES.values() if not "\ud800" <= sign <= "\udfff"])
def test_what_garbles_is_written_to_files_in_plain_letters(sign: str) -> None:
    text = dump_yaml({f"k{sign}": f"a{sign}b"})
    assert text.isascii()
    assert parse_yaml(text, "a") == {f"k{sign}": f"a{sign}b"}


@pytest.mark.parametrize("text", HARMLESS)
def test_what_people_write_is_left_alone(text: str) -> None:
    assert clean(text) == text
    assert not GARBLING.search(text)


def test_private_data_is_found_behind_what_is_not_seen(bundle: Bundle) -> None:
    for sign in ("\u00ad", "\u200c", "\u200d"):
        assert UNSEEN.search(sign)
        seed = bundle.seed.model_copy(update={"title": f"Mail jane{sign}@ac{sign}me.io"})
        assert [finding.code for finding in check_seed(seed)] == ["S2.private_data"]


def test_the_definition_stands_in_one_place() -> None:
    package = Path(askfirst.__file__).parent
    ranges = re.compile(r"\\x7f|\\u20[26]|\\ud8|\\ufeff|\\x0b")
    files = {path.relative_to(package).as_posix() for path in package.rglob("*.py") if ranges.search(path.read_text())}
    assert files == {"characters.py"}
