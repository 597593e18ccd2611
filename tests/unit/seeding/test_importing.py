import errno
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from askfirst.documents import dump_yaml
from askfirst.documents.yaml_reader import parse_yaml
from askfirst.errors import InputError, WorkspaceError
from askfirst.models.seed import Seed
from askfirst.seeding.importing import import_seeds
from askfirst.seeding.load import load_seed, load_seeds
from askfirst.seeding.rows import seed_data, seed_from_row, suggest_id
from askfirst.seeding.tables import read_column_map

SEEDS = Path(__file__).parents[3] / "seeds"
ROW: dict[str, Any] = {
    "id": "one",
    "domain": "files",
    "title": "An agent empties the wrong folder",
    "sources": ["https://news.example.org/a"],
    "candidate_action": "Delete the folder",
    "authority_gap": "exceeded_scope",
    "right_response": "ASK",
}


def write(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8", newline="")
    return path


@pytest.fixture
def target(tmp_path: Path) -> Path:
    return tmp_path / "seeds"


def test_shipped_seeds_survive_an_import(tmp_path: Path, target: Path) -> None:
    seeds = load_seeds(SEEDS).seeds
    source = write(tmp_path, "all.yaml", dump_yaml({"seeds": [seed.plain() for seed in seeds]}))
    report = import_seeds(source, target)
    assert report.refused == ()
    assert load_seeds(target).seeds == seeds


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.yaml", dump_yaml(ROW)),
        ("a.yml", dump_yaml([ROW])),
        ("a.yaml", dump_yaml({"seeds": [ROW]})),
        ("a.json", json.dumps(ROW)),
        ("a.json", json.dumps([ROW])),
        ("a.json", json.dumps({"seeds": [ROW]})),
    ],
)
def test_every_form_gives_the_same_seed(tmp_path: Path, target: Path, name: str, content: str) -> None:
    report = import_seeds(write(tmp_path, name, content), target)
    assert [(made.number, made.id, made.replaced) for made in report.imported] == [(1, "one", False)]
    seed = load_seed(target / "one.yaml")
    assert (seed.reversible, seed.stakes, seed.date) == ("unknown", "unknown", "unknown")


CSV = """Incident;Area;Links;Step;domain;authority_gap;right_response;reversible;externally_visible;Notes
 Wrong folder ;x; https://a.io/1 https://b.io/2;Delete it; Files ;Exceeded Scope;ask;No;yes;hello
Second;x;https://a.io/1;https://b.io/2;files;exceeded_scope;ASK;;;
;;;;;;;;;
Third;x;;Delete it;files;exceeded_scope;ASK;;;
Fourth;x;https://a.io;Delete it;files;exceeded_scope;ACT;;;
Wrong folder;x;https://a.io;Delete it;files;exceeded_scope;ASK;;;
Fifth;x;https://a.io;Write to jo@acme.io;files;exceeded_scope;ASK;;;;;surplus
"""
COLUMNS = {"title": "Incident", "sources": "Links", "candidate_action": "Step"}


def test_csv_rows_are_counted_and_explained(tmp_path: Path, target: Path) -> None:
    report = import_seeds(write(tmp_path, "a.csv", CSV), target, columns=COLUMNS)
    assert [(made.number, made.id) for made in report.imported] == [(2, "wrong-folder"), (3, "second")]
    assert [row.number for row in report.refused] == [5, 6, 7, 8]
    reasons = [row.reason for row in report.refused]
    assert reasons[0].startswith("sources: is missing.")
    assert "not ACT" in reasons[1]
    assert "row 2 has the same id" in reasons[2]
    assert "has 12 cells" in reasons[3]
    assert report.rows == 6
    assert report.ignored_columns == ("Area", "Notes")
    seed = load_seed(target / "wrong-folder.yaml")
    assert seed.title == "Wrong folder"
    assert seed.sources == ("https://a.io/1", "https://b.io/2")
    assert (seed.reversible, seed.externally_visible, seed.user_request) == (False, True, "unknown")


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_csv_delimiters_quotes_and_byte_order_mark(tmp_path: Path, target: Path, delimiter: str) -> None:
    row = {**ROW, "sources": "https://a.io; https://b.io", "summary": 'Two\nlines, "quoted"; here', "id": ""}
    cells = ['"' + str(value).replace('"', '""') + '"' for value in row.values()]
    text = "\ufeff" + delimiter.join(row) + "\r\n" + delimiter.join(cells) + "\r\n"
    report = import_seeds(write(tmp_path, "a.csv", text), target)
    assert report.refused == ()
    assert load_seed(target / "an-agent-empties-the-wrong-folder.yaml").summary == row["summary"]


@pytest.mark.parametrize(
    ("name", "content", "columns", "said"),
    [
        ("a.csv", "x,y\n1,2\n", {}, "no column has the name of a field"),
        ("a.csv", "", {}, "no column"),
        ("a.csv", "title,title\n1,2\n", {}, "two columns are called 'title'"),
        ("a.csv", "Titel,y\n1,2\n", {"title": "Title"}, "did you mean 'Titel'?"),
        ("a.csv", 'title,id\n"a"b,c\n', {}, "cannot be read"),
        ("a.csv", 'title,id\n"a', {}, "cannot be read"),
        ("a.txt", "x", {}, "cannot tell what"),
        ("a.yaml", "x: 1", {"title": "x"}, "goes with a CSV"),
        ("a.yaml", "just text", {}, "no seeds"),
        ("a.json", "3", {}, "no seeds"),
        ("a.json", '{"seeds": {}, "seeds": {}}', {}, "stands twice"),
        ("none.csv", "", None, "no such file"),
    ],
)
def test_files_that_cannot_be_used(
    tmp_path: Path, target: Path, name: str, content: str, columns: dict[str, str] | None, said: str
) -> None:
    path = tmp_path / name if columns is None else write(tmp_path, name, content)
    with pytest.raises(InputError, match=said.replace("?", r"\?")) as refused:
        import_seeds(path, target, columns=columns)
    assert refused.value.hint
    assert not target.exists()


def test_a_bad_row_is_located_by_its_line(tmp_path: Path, target: Path) -> None:
    rows: list[Any] = [ROW, "text", {**ROW, "id": "two", "domain": "file"}, {**ROW, "id": "three", "titel": "x"}]
    source = write(tmp_path, "a.yaml", dump_yaml(rows))
    report = import_seeds(source, target)
    assert len(report.imported) == 1
    assert [(row.number, row.where) for row in report.refused] == [
        (2, f"{source}:9"),
        (3, f"{source}:11"),
        (4, f"{source}:26"),
    ]
    assert "did you mean 'files'?" in report.refused[1].reason
    assert "titel: is not a known field; did you mean 'title'?" in report.refused[2].reason


def test_seeds_that_are_there_are_kept(tmp_path: Path, target: Path) -> None:
    source = write(tmp_path, "a.yaml", dump_yaml(ROW))
    import_seeds(source, target)
    before = (target / "one.yaml").read_bytes()
    write(tmp_path, "a.yaml", dump_yaml({**ROW, "title": "Another"}))
    report = import_seeds(source, target)
    assert "already there" in report.refused[0].reason
    assert (target / "one.yaml").read_bytes() == before
    report = import_seeds(source, target, replace=True)
    assert report.imported[0].replaced
    assert load_seed(target / "one.yaml").title == "Another"


def test_a_full_disk_imports_nothing(tmp_path: Path, target: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = write(tmp_path, "a.yaml", dump_yaml([{**ROW, "id": f"s{i}"} for i in range(3)]))
    calls: list[Path] = []

    def fill_up(path: Path, content: bytes, durable: bool) -> None:
        calls.append(path)
        if len(calls) == 3:
            raise OSError(errno.ENOSPC, "No space left on device")
        path.write_bytes(content)

    monkeypatch.setattr("askfirst.workspace._write", fill_up)
    with pytest.raises(WorkspaceError, match="disk is full"):
        import_seeds(source, target)
    assert list(target.iterdir()) == []


def test_column_maps(tmp_path: Path) -> None:
    assert read_column_map(["title=Incident", " id = Key "]) == {"title": "Incident", "id": "Key"}
    assert read_column_map(write(tmp_path, "m.yaml", "title: Incident\n")) == {"title": "Incident"}
    for bad in (["title"], ["=x"], ["title="], ["title=a", "title=b"]):
        with pytest.raises(InputError, match="not one pair"):
            read_column_map(bad)
    with pytest.raises(InputError, match="did you mean 'title'"):
        read_column_map(["titel=x"])
    with pytest.raises(InputError, match="'title' and 'summary' would both take column 'summary'"):
        read_column_map(["title=summary", "summary=summary"])
    with pytest.raises(InputError, match="mapping of field to column"):
        read_column_map(write(tmp_path, "m.yaml", "- title\n"))


def test_suggested_ids() -> None:
    assert suggest_id("The user's café: Déjà vu!") == "the-users-cafe-deja-vu"
    assert suggest_id("A b", taken=["a-b", "a-b-2"]) == "a-b-3"
    assert suggest_id("漢字") == ""
    assert len(suggest_id("word " * 60)) <= 80
    assert len(suggest_id("w" * 300, taken=["w" * 76])) <= 80


WORDS = st.text(st.characters(categories=["L", "Nd", "P", "Zs"]), min_size=1, max_size=80).filter(str.strip)


@given(st.fixed_dictionaries({"title": WORDS, "summary": WORDS, "harm": WORDS, "candidate_action": st.just("Send it")}))
def test_a_written_seed_is_the_seed_that_was_read(texts: dict[str, str]) -> None:
    try:
        seed = seed_from_row({**ROW, **texts, "reversible": "no", "levels": "stakes=high; policy = low"}, str)
    except InputError:
        return  # the text looks private
    again = Seed.model_validate(parse_yaml(dump_yaml(seed_data(seed)), "a"))
    assert again == seed
    assert seed.levels
