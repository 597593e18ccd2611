from pathlib import Path

import pytest

from askfirst.errors import InputError
from askfirst.seeding.load import load_seed, load_seeds

SEEDS = Path(__file__).parents[3] / "seeds"
TEXT = (SEEDS / "air-canada-bereavement-promise.yaml").read_text(encoding="utf-8")
OLD_ID = "air-canada-bereavement-promise"


def put(folder: Path, name: str, seed_id: str) -> Path:
    folder.mkdir(exist_ok=True)
    path = folder / name
    path.write_text(TEXT.replace(OLD_ID, seed_id), encoding="utf-8")
    return path


def test_shipped_seeds_are_read() -> None:
    found = load_seeds(SEEDS)
    assert not found.faults
    assert [seed.id for seed in found.seeds] == sorted(path.stem for path in SEEDS.glob("*.yaml"))
    assert found.paths[OLD_ID] == SEEDS / f"{OLD_ID}.yaml"


def test_one_bad_file_does_not_hide_the_others(tmp_path: Path) -> None:
    put(tmp_path, "good.yaml", "good")
    (tmp_path / "bad.yaml").write_text("id: [")
    (tmp_path / ".hidden.yaml").write_text("id: [")
    (tmp_path / "notes.txt").write_text("no seed")
    found = load_seeds(tmp_path)
    assert [seed.id for seed in found.seeds] == ["good"]
    assert [path.name for path, _ in found.faults] == ["bad.yaml"]


def test_the_file_bears_the_id(tmp_path: Path) -> None:
    with pytest.raises(InputError) as refused:
        load_seed(put(tmp_path, "one.yaml", "two"))
    assert refused.value.where == f"{tmp_path / 'one.yaml'}:1"
    assert "'one'" in refused.value.message
    assert "two.yaml" in (refused.value.hint or "")


def test_an_id_that_windows_cannot_store(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Windows"):
        load_seed(put(tmp_path, "con.yaml", "con"))


@pytest.mark.parametrize(
    "files",
    [
        (("a", "one.yaml", "one"), ("b", "one.yaml", "one")),
        (("a", "one.yaml", "one"), ("a", "one.yml", "one")),
        (("a", "one.yaml", "one"), ("a", "copy.yaml", "one")),
    ],
)
def test_two_files_with_one_id_name_each_other(tmp_path: Path, files: tuple[tuple[str, str, str], ...]) -> None:
    paths = [put(tmp_path / folder, name, seed_id) for folder, name, seed_id in files]
    put(tmp_path / "a", "good.yaml", "good")
    found = load_seeds([tmp_path / "a", tmp_path / "b"] if (tmp_path / "b").exists() else tmp_path / "a")
    assert [seed.id for seed in found.seeds] == ["good"]
    assert {path for path, _ in found.faults} == set(paths)
    for path, error in found.faults:
        assert all(str(other) in str(error) for other in paths), path


def test_names_that_differ_in_case_only(tmp_path: Path) -> None:
    put(tmp_path, "one.yaml", "one")
    put(tmp_path, "One.yaml", "One")
    if len(list(tmp_path.iterdir())) == 1:
        pytest.skip("this disk does not tell upper from lower case")
    found = load_seeds(tmp_path)
    assert not found.seeds
    assert "One.yaml" in str(dict(found.faults)[tmp_path / "one.yaml"])


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    path = put(tmp_path, "one.yaml", "one")
    found = load_seeds([path, tmp_path, path])
    assert len(found.seeds) == 1
    assert not found.faults


def test_places_that_do_not_exist(tmp_path: Path) -> None:
    found = load_seeds([tmp_path / "none.yaml"])
    assert "no such file" in str(found.faults[0][1])
    assert load_seeds(tmp_path).seeds == ()


def test_every_file_comes_out_once(tmp_path: Path) -> None:
    for index in range(6):
        put(tmp_path, f"s{index}.yaml", f"s{index if index % 2 else 'x'}")
    found = load_seeds(tmp_path)
    assert len(found.seeds) + len(found.faults) == 6


def test_a_message_names_few_of_many_files_of_one_id(tmp_path: Path) -> None:
    for number in range(30):
        put(tmp_path, f"copy-{number}.yaml", "one")
    faults = load_seeds(tmp_path).faults
    assert len(faults) == 30
    assert all(" and 26 more." in fault.message and fault.message.count(".yaml") == 3 for _, fault in faults)
