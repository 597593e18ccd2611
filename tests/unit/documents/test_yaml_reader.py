import os
from pathlib import Path
from typing import Any

import pytest

from askfirst.documents import read_yaml
from askfirst.errors import InputError


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "a.yaml"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2025-12-25", "2025-12-25"),
        ("2025-12", "2025-12"),
        ("12:30", "12:30"),
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("False", False),
        ("null", None),
        ("~", None),
        ("42", 42),
        ("-7", -7),
        ("007", "007"),
        ("0x1F", "0x1F"),
        ("1_000", "1_000"),
        ("2.5", 2.5),
        ("1.0e+20", 1e20),
        ("12e4567", "12e4567"),
        (".inf", ".inf"),
        ("'42'", "42"),
        ("!!str 42", "42"),
        ("! 42", "42"),
        ("!!int 42", 42),
    ],
)
def test_plain_words(tmp_path: Path, text: str, value: Any) -> None:
    read = read_yaml(write(tmp_path, f"a: {text}\n")).data
    assert read == {"a": value}
    assert type(read["a"]) is type(value)


@pytest.mark.parametrize(
    ("content", "line", "said"),
    [
        (b"a: \xff\n", 1, "not UTF-8"),
        ("a: 1".encode("utf-16"), 1, "UTF-16"),
        (b"a: 1\nb: x\x00y\n", 2, "U+0000"),
        (b"a: \x1b[31m\n", 1, "U+001B"),
        ('a: "\\0"\n', 1, "U+0000"),
        ('a:\n  b: "\\ud800"\n', 2, ""),
        ("a: 1\nb: 2\na: 3\n", 3, "'a' stands here a second time (first on line 1)"),
        ("x:\n  - a: 1\n    a: 2\n", 3, "first on line 2"),
        ("a: &x [1]\nb: *x\n", 1, "anchors"),
        ("b: *x\n", 1, "anchors"),
        ("a: !!python/object/apply:os.system [ls]\n", 1, "tag"),
        ("a: !!timestamp 2025-12-25\n", 1, "tag"),
        ("a: !own x\n", 1, "tag"),
        ("a: !!int x\n", 1, "tag"),
        ("a: 1\n---\nb: 2\n", 2, "second document"),
        ("1: x\n", 1, "key '1' is not text"),
        ("? [a]\n: x\n", 1, "not text"),
        ("a: 1.0e999\n", 1, "too large"),
        ("a: " + "9" * 5000 + "\n", 1, "digits"),
        ("[" * 70 + "]" * 70, 1, "nested more than 64"),
        ("[" * 500_000, 1, "nested more than 64"),
        ("- " * 500_000, 1, "nested more than 64"),
        ("a: 1\nb: c: d\n", 2, "': ' inside text"),
        ("a:\n\tb: 1\n", 2, "tab"),
        ("a: x\n\tb: 1\n", 2, "a tab is used"),
        ("a: @x\n", 1, "one of @ ` %"),
        ("a: 'x\nb: 1\n", 3, "never closed"),
        ("a: [1, 2\nb: 1\n", 2, ""),
        ("a: 1\n b: 2\n", 2, ""),
        ("a: 1\nb\n", 3, "neither `key: value`"),
    ],
)
def test_refused_with_the_line(tmp_path: Path, content: str | bytes, line: int, said: str) -> None:
    path = write(tmp_path, content)
    with pytest.raises(InputError) as refused:
        read_yaml(path)
    assert refused.value.where == f"{path}:{line}"
    assert said in refused.value.message
    assert refused.value.hint
    assert len(str(refused.value).splitlines()) == 1


def test_an_alias_bomb_is_refused_at_its_first_anchor(tmp_path: Path) -> None:
    bomb = "a0: &a0 [x, x]\n" + "".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 10)}]\n" for i in range(1, 30))
    with pytest.raises(InputError, match="anchors"):
        read_yaml(write(tmp_path, bomb))


def test_no_such_file(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such file"):
        read_yaml(tmp_path / "b.yaml")
    with pytest.raises(InputError, match="cannot be read"):
        read_yaml(tmp_path / "b\0.yaml")


def test_no_plain_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(InputError, match="not a plain file"):
        read_yaml(tmp_path / "pipe")
    with pytest.raises(InputError, match="a folder"):
        read_yaml(tmp_path)


def test_too_large(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="larger than 1 MB"):
        read_yaml(write(tmp_path, "a: " + "x" * 1_000_000))
    assert read_yaml(write(tmp_path, "a: b"), limit_bytes=4).data == {"a": "b"}


def test_lines(tmp_path: Path) -> None:
    document = read_yaml(write(tmp_path, "\n# top\na:\n  - x\n  - b: 1\n    c/d: {e: 2,\n     f: 3}\n"))
    lines = {p: document.line_of(p) for p in ("", "/a", "/a/0", "/a/1", "/a/1/b", "/a/1/c~1d", "/a/1/c~1d/f")}
    assert lines == {"": 3, "/a": 3, "/a/0": 4, "/a/1": 5, "/a/1/b": 5, "/a/1/c~1d": 6, "/a/1/c~1d/f": 7}
    assert document.line_of("/a/2") is None
    assert document.place("/a/1/zzz/y") == f"{document.path}:5"


def test_a_byte_order_mark_is_dropped(tmp_path: Path) -> None:
    assert read_yaml(write(tmp_path, b"\xef\xbb\xbfa: 1\r\nb: x\r\n")).data == {"a": 1, "b": "x"}
