"""A declaration that cannot be right is named by file, line, place and fault."""

from __future__ import annotations

from pathlib import Path

import pytest

from askfirst.errors import DeclarationError, InputError
from tests.support.declaring import line_of, load_from, with_mistake

FILES, CARRIER = "service_catalog/files.yaml", "carriers/storage_cleanup.yaml"
MISTAKES = {
    "a change without `to`": (
        CARRIER,
        "cache_cleared: {table: files_items, change: removed",
        "cache_cleared: {table: files_items, change: changed",
        "work.required.cache_cleared: `to` goes with change: changed, and is needed there",
    ),
    "`to` without a change": (
        CARRIER,
        "cache_cleared: {table: files_items, change: removed, ",
        "cache_cleared: {table: files_items, change: removed, to: {owner: x}, ",
        "work.required.cache_cleared: `to` goes with change: changed, and is needed there",
    ),
    "a missing argument": (
        CARRIER,
        'moved_away\n    steps: [{tool: files_move, args: {path: "{{ target }}", to:',
        "moved_away\n    steps: [{tool: files_move, args: {to:",
        "/detours/0/steps/0: tool files_move needs the argument 'path'",
    ),
    "effects that the step does not have": (
        CARRIER,
        "effects: [delete]",
        "effects: [create]",
        "/effects: the step's tool files_delete has the effect delete, which is not among them",
    ),
    "a message that names no parameter": (
        FILES,
        "say: There is no file at {path}",
        "say: There is no file at {pth}",
        "/say: `{pth}` is no parameter; did you mean `{path}`?",
    ),
    "a sample row that its table does not take": (
        FILES,
        "bin_days: 30",
        "bin_days: thirty",
        "/sample/files_settings/0: table files_settings does not take 'thirty' in 'bin_days': cannot store TEXT",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_with_file_line_and_place(tmp_path: Path, mistake: str) -> None:
    name, right, wrong, said = MISTAKES[mistake]
    path = with_mistake(tmp_path, name, right, wrong)
    with pytest.raises((DeclarationError, InputError)) as raised:
        load_from(tmp_path)
    assert said in str(raised.value)
    line = int(str(raised.value).removeprefix(f"{path}:").partition(":")[0])
    assert abs(line - line_of(path, wrong)) <= 1


def test_of_two_tools_with_one_name_the_file_read_last_is_blamed_and_both_are_named(tmp_path: Path) -> None:
    path = with_mistake(tmp_path, "service_catalog/mail.yaml", "  mail_search:", "  mail_old_search:")
    text = path.read_text(encoding="utf-8").replace("mail_old_search", "mail_search")
    last = path.with_name("mail_old.yaml")
    last.write_text(text.replace("mail_", "mail_old_").replace("service: mail", "service: mail_old"), encoding="utf-8")
    with pytest.raises(DeclarationError) as raised:
        load_from(tmp_path)
    line, other = line_of(last, "  mail_old_search:"), line_of(path, "  mail_old_search:")
    assert str(raised.value).startswith(f"{last}:{line}: /tools/mail_old_search: {path}:{other} declares")
