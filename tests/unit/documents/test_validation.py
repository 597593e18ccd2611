from pathlib import Path
from typing import Literal

import pytest
from pydantic import Field

from askfirst.documents import read_yaml, validate
from askfirst.documents.validation import PATTERN_WORDS
from askfirst.errors import DeclarationError, InputError
from askfirst.models.base import Model
from askfirst.models.seed import Seed

ROOT = Path(__file__).parents[3]
SEED = (ROOT / "seeds" / "air-canada-bereavement-promise.yaml").read_text(encoding="utf-8")


class Part(Model):
    colour: Literal["red", "blue"]
    size: int = Field(default=1, ge=1, le=9)


class Whole(Model):
    name: str = Field(min_length=1, max_length=5)
    parts: tuple[Part, ...] = Field(min_length=1)
    named: dict[str, Part] = Field(default_factory=dict)
    flag: bool | Literal["partly"] = False


def refused(folder: Path, text: str, model: type[Model] = Whole) -> str:
    path = folder / "a.yaml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as error:
        validate(model, read_yaml(path))
    return str(error.value).replace(str(folder), "")


GOOD = "name: x\nparts:\n- colour: red\n"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("name: x\n", "/a.yaml:1: parts: is missing."),
        (GOOD + "nmae: y\n", "/a.yaml:4: nmae: is not a known field; did you mean 'name'?"),
        (GOOD + "  sise: 2\n", "/a.yaml:4: parts.0.sise: is not a known field; did you mean 'size'?"),
        (GOOD + "named:\n  q: {color: red}\n", "colour"),
        (GOOD.replace("x", "3"), "/a.yaml:1: name: must be text, not the number 3; put it in quotes."),
        (GOOD.replace("x", "true"), "name: must be text, not the truth value true; put it in quotes."),
        (GOOD.replace("x", "''"), "/a.yaml:1: name: must not be empty."),
        (GOOD.replace("x", "abcdefg"), "name: has 7 characters, at most 5 are taken."),
        (GOOD.replace("red", "rde"), "/a.yaml:3: parts.0.colour: 'rde' is not one of red, blue; did you mean 'red'?"),
        (GOOD + "  size: 10\n", "/a.yaml:4: parts.0.size: 10 is too large: at most 9."),
        (GOOD + "  size: x\n", "parts.0.size: must be a whole number, not the text 'x'."),
        ("name: x\nparts: red\n", "/a.yaml:2: parts: must be a list, not the text 'red'."),
        ("name: x\nparts: []\n", "parts: has 0 entries and needs at least 1."),
        ("name: x\nparts: [red]\n", "parts.0: must be a mapping of names to values, not the text 'red'."),
        (GOOD + "flag: perhaps\n", "/a.yaml:4: flag: 'perhaps' is not one of true, false, partly."),
        ("- a\n", "/a.yaml:1: must be a mapping of names to values, not a list."),
        ("", "/a.yaml:1: the file is empty. Write its fields."),
    ],
)
def test_one_fault(tmp_path: Path, text: str, told: str) -> None:
    assert told in refused(tmp_path, text)


def test_five_faults_and_the_rest(tmp_path: Path) -> None:
    told = refused(tmp_path, GOOD + "".join(f"x{i}: 1\n" for i in range(8))).splitlines()
    assert told[0] == "/a.yaml: 8 faults:"
    assert told[1] == "  /a.yaml:4: x0: is not a known field."
    assert len(told) == 7
    assert told[-1] == "  and 3 more."


def test_nothing_from_the_file_moves_the_cursor(tmp_path: Path) -> None:
    told = refused(tmp_path, GOOD + '"\\e[2J": 1\n')
    assert "\x1b" not in told


def test_the_error_class_can_be_chosen(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("a: 1", encoding="utf-8")
    with pytest.raises(DeclarationError):
        validate(Whole, read_yaml(tmp_path / "a.yaml"), error=DeclarationError)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("id: air", "id: Air", "must be lower-case letters and digits, in words joined by single hyphens"),
        ("id: air", "id: ../air", "must be lower-case letters and digits"),
        ("- https://caim", "- caim", "'caim.horizonomega.org/incidents/14' is not a web address"),
        ("'2022-11-11'", "11.11.2022", "must be a date such as '2026-03-14'"),
        ("'2022-11-11'", "2022", "date: must be text, not the number 2022; put it in quotes."),
        ("domain: purchasing", "domain: purchase", "did you mean 'purchasing'?"),
        ("id: air", "schema_version: 2\nid: air", "schema_version: 2 is newer than this program knows (1)"),
        ("reversible: partly", "reversible: maybe", "'maybe' is not one of true, false, partly, unknown"),
    ],
)
def test_seeds(tmp_path: Path, old: str, new: str, told: str) -> None:
    assert old in SEED
    assert told in refused(tmp_path, SEED.replace(old, new), Seed)


def test_the_patterns_of_seeds_have_words() -> None:
    patterns = [m.pattern for info in Seed.model_fields.values() for m in info.metadata if getattr(m, "pattern", None)]
    assert patterns
    assert set(patterns) <= set(PATTERN_WORDS)
