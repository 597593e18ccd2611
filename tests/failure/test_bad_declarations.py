"""Mistakes in services, carriers and policies: one message with file and line, from doctor and from compile alike."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from askfirst.cli.compile import CompileOptions, compile_command
from askfirst.cli.doctor import doctor_command
from askfirst.cli.sources import Sources
from askfirst.errors import EXIT_INPUT, InputError
from tests.support.compiling import REPOSITORY, SEEDS, workspace
from tests.support.declaring import OWN_CARRIERS

Plant = Callable[[str, str, str], Sources]
CHAT, FILES, STORAGE = "service_catalog/chat.yaml", "service_catalog/files.yaml", "carriers/storage_cleanup.yaml"
WORK = 'cache_cleared: {table: files_items, change: removed, match: {path: {under: "{{ cache }}"}}}'
UNDO = "undo: {tool: chat_delete_message, args: {message: result.id}}"
TEXT = "The team drive is nearly full."
OPENINGS = ("hey, we're out of room on the team drive again.", "Dear assistant, the drive has reached its limit.")
WHERE = '{table: files_items, column: path, where: {path: {under: "{{ target }}"}, modified: {below: "2026-03-01"}}}'
BYTES = 'bytes: "{{ integer(800000, 3000000) }}"'
AUTHORITY = "    channel: file\n"

POLICY = """
rules:
- {id: first, when: {any_high: [scoope]}, decide: ASK, says: a, because: b}
- {id: last, decide: ACT, says: a, because: b}
policy: mine
"""
ON_LOAD = {
    "undo takes a column that is not returned": (
        CHAT, UNDO, UNDO.replace("result.id", "result.nope"),
        r"/undo/args/message: the call that is taken back returns no 'nope', only ",
    ),
    "undo takes an argument that is not there": (
        CHAT, UNDO, UNDO.replace("result.id", '":nope"'),
        r"/undo/args/message: the call that is taken back has no parameter 'nope'\.",
    ),
    "undo gives an argument that is not taken": (
        CHAT, UNDO, UNDO.replace("message: ", "massage: "),
        r"/undo/args/massage: tool chat_delete_message has no parameter 'massage'\.",
    ),
    "undo leaves out an argument": (
        CHAT, UNDO, UNDO.replace("message: result.id", ""), r"/undo/args: tool chat_delete_message needs 'message'\.",
    ),
    "a table of another name": (
        FILES, "  files_items:\n", "  filesx:\n", r"/tables/filesx: the name must start with 'files_'",
    ),
    "a tool of another name": (FILES, "  files_list:\n", "  list:\n", r"/tools/list: the name must start with '"),
    "an effect that matches every row": (
        STORAGE, WORK, WORK.replace('{path: {under: "{{ cache }}"}}', "{}"),
        r"work\.required\.cache_cleared\.match: has 0 entries and needs at least 1\.",
    ),
    "an answer without words": (
        STORAGE, 'says: ["Yes, delete those.", "yes please, delete them", "Yes, please delete them."]', "says: []",
        r"answers\.approve\.says: has 0 entries and needs at least 1\.",
    ),
    "an effect without its change": (
        STORAGE, WORK, WORK.replace("removed", "changed"), r"cache_cleared: `to` goes with change: changed",
    ),
    "an effect of a change that does not exist": (
        STORAGE, WORK, WORK.replace("removed", "remove"), r"change: 'remove' is not one of .*did you mean 'removed'",
    ),
    "an effect that adds nothing": (
        STORAGE, WORK, WORK.replace("removed", "removed, count: 0"), r"count: 0 is too small: at least 1\.",
    ),
    "an incidental column that does not exist": (
        STORAGE, WORK, WORK.replace("removed", "removed, incidental: [nope]"), r"files_items has no column 'nope'\.",
    ),
    "a condition of two operators": (
        STORAGE, WORK, WORK.replace("under:", "contains: a, under:"), r"match/path: a condition sets exactly one of ",
    ),
    "a list as a condition": (
        STORAGE, WORK, WORK.replace('{under: "{{ cache }}"}', "[a]"), r"match/path: a list is no value of a column",
    ),
    "a low rule of a ban beside another factor than policy": (
        STORAGE, AUTHORITY, f"    ban_low: {{text: [a, b, c]}}\n{AUTHORITY}",
        r"/levers/authority/ban_low: only `policy` has this level; take it out\.",
    ),
    "rows of a table that does not exist": (
        STORAGE, WHERE, WHERE.replace("files_items", "files_item"),
        r"/action/args/paths/every: there is no table 'files_item'\.",
    ),
    "rows without conditions": (
        STORAGE, WHERE, "{table: files_items, column: path}", r"/action/args/paths/every: `every` stands alone and ",
    ),
    "rows under an operator that does not exist": (
        STORAGE, WHERE, WHERE.replace("below", "before"), r"every/where/modified: 'before' is not one of ",
    ),
}  # fmt: skip
ON_FILLING = {
    "a division by zero": (STORAGE, TEXT, "{{ 1/0 }}", r"/instruction/0: the template .* cannot be filled: division"),
    "a number as a time": (
        STORAGE, TEXT, "{{ 3|day }}", r"/instruction/0: the template .* cannot be filled: '3' is not a time such as ",
    ),
    "a text as a time": (STORAGE, TEXT, "{{ 'x'|hour }}", r"/instruction/0: .*: 'x' is not a time such as "),
    "a pick from nothing": (STORAGE, TEXT, "{{ pick([]) }}", r"/instruction/0: the template .* cannot be filled: "),
    "a part that nobody has": (STORAGE, TEXT, "{{ user.age }}", r"/instruction/0: .*no attribute 'age'"),
    "a text in a column of numbers": (
        STORAGE, BYTES, "bytes: many", r"/rows/files_items/1/set/bytes: 'many' is no whole number",
    ),
    "no row that matches": (
        STORAGE, WHERE, WHERE.replace("2026-03-01", "1999"), r"/action/args: no row of files_items matches ",
    ),
    "two rows with one key": (
        STORAGE, "{{ cache }}/part-{{ seq }}", "{{ cache }}/part", r"/rows/files_items/1.*UNIQUE constraint failed",
    ),
}  # fmt: skip


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Some services as shipped and the tests' own carrier, with one text of one file put in the place of another."""

    def planted(file: str, old: str, new: str) -> Sources:
        for name in (CHAT, FILES, STORAGE):
            (tmp_path / name).parent.mkdir(exist_ok=True)
            own = OWN_CARRIERS / Path(name).name
            shutil.copy(own if name == STORAGE else REPOSITORY / name, tmp_path / name)
        path = tmp_path / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        text = text.replace(old, new, 1)
        for opening in OPENINGS if old == TEXT else ():  # a seed takes one of three wordings
            text = text.replace(opening, new)
        path.write_text(text, encoding="utf-8")
        return Sources(None, tmp_path / "service_catalog", tmp_path / "carriers")

    return planted


def told_by_doctor(sources: Sources, root: Path, capsys: pytest.CaptureFixture[str]) -> dict[str, str]:
    assert doctor_command(root, sources, as_json=True) == EXIT_INPUT
    faults: dict[str, str] = json.loads(capsys.readouterr().out)["faults"]
    return faults


def names_place(told: str, file: str, new: str, root: Path) -> bool:
    """Whether a message begins with the file and the line of what was planted, or of the entry that it is part of."""
    lines = (root / file).read_text(encoding="utf-8").splitlines()
    number = next(number for number, line in enumerate(lines, start=1) if new.strip("\n").splitlines()[0] in line)
    return told.startswith((f"{root / file}:{number}: ", f"{root / file}:{number - 1}: "))


@pytest.mark.parametrize(("file", "old", "new", "said"), ON_LOAD.values(), ids=ON_LOAD)
def test_what_is_found_on_loading(
    file: str, old: str, new: str, said: str, plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = plant(file, old, new)
    with pytest.raises(InputError) as caught:
        sources.load()
    assert names_place(str(caught.value), file, new, tmp_path)
    assert re.search(said, str(caught.value))
    assert told_by_doctor(sources, tmp_path, capsys) == {"catalogue": str(caught.value)}


@pytest.mark.parametrize(("file", "old", "new", "said"), ON_FILLING.values(), ids=ON_FILLING)
def test_what_is_found_on_filling(
    file: str, old: str, new: str, said: str, plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = plant(file, old, new)
    told = told_by_doctor(sources, tmp_path, capsys)["catalogue"]
    assert names_place(told, file, new, tmp_path)
    assert re.search(said, told)

    workspace(tmp_path, SEEDS[:1])
    assert compile_command(tmp_path, [], sources, CompileOptions(), as_json=True) == EXIT_INPUT
    row = json.loads(capsys.readouterr().out)["seeds"][0]
    assert row["outcome"] == "failed"
    assert names_place(row["reason"].partition(": ")[2], file, new, tmp_path)
    assert re.search(said, row["reason"])
    assert "a fault of askfirst" not in row["reason"]
    assert "pydantic" not in row["reason"]


def test_an_argument_of_the_wrong_type(plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    new = WHERE.replace("column: path", "column: bytes")
    told = told_by_doctor(plant(STORAGE, WHERE, new), tmp_path, capsys)["catalogue"]
    assert names_place(told, STORAGE, new, tmp_path)
    assert re.search(r"/action/args/paths/\d+: .* is not of type 'string'", told)


@pytest.mark.parametrize("declared", ["cost: SELECT 'much'", "cost: SELECT json('[')"])
def test_what_a_service_says_of_a_call_must_be_possible(
    declared: str, plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = plant(CHAT, UNDO, f"{UNDO}\n    {declared}")
    told = told_by_doctor(sources, tmp_path, capsys)["catalogue"]
    assert re.search(r"chat\.yaml:\d+: /tools/\w+/examples/0: the call, or what is declared of it, cannot be", told)


@pytest.mark.parametrize(
    ("policy", "said"),
    [
        (None, "there is no such file"),
        (POLICY, r"policy\.yaml:3: .*'scoope' is not one of .*'scope'"),
    ],
    ids=["missing", "no factor"],
)
def test_a_bad_policy(
    policy: str | None, said: str, plant: Plant, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sources = replace(plant(STORAGE, TEXT, TEXT), policy=tmp_path / "policy.yaml")
    if policy:
        (tmp_path / "policy.yaml").write_text(policy)
    assert re.search(said, told_by_doctor(sources, tmp_path, capsys)["policy"])
    workspace(tmp_path, SEEDS[:1])
    with pytest.raises(InputError, match=said):
        compile_command(tmp_path, [], sources, CompileOptions(), as_json=True)
