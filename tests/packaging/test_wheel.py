"""A wheel built from the sdist works from a folder that has nothing to do with the checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parents[2]
SEED = "cache-clear-hits-drive-root"
SHARED_FOLDERS = ("schemas", "service_catalog", "carriers", "seeds", "drafts")

# One worker runs them all, so that the build, which is what takes the time, is made once.
pytestmark = [pytest.mark.slow, pytest.mark.timeout(300), pytest.mark.xdist_group("wheel")]


def run(command: list[str | Path], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command that must succeed, without what the caller's environment says about Python."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command} ended with {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done


def files_below(folder: Path) -> set[str]:
    """The files of a folder as relative names, without caches and without what a desktop hides there."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return {file.as_posix() for file in files if "__pycache__" not in file.parts and not file.name.startswith(".")}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an sdist of the checkout and a wheel built from that sdist alone."""
    out = tmp_path_factory.mktemp("built")
    # Without a choice of target, build makes the sdist and then the wheel from what it unpacks from it.
    run([sys.executable, "-m", "build", "--no-isolation", "--outdir", out, REPOSITORY], out)
    return out


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    return next(built.glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a fresh environment that holds the wheel and borrows our dependencies.

    They are lent as one more entry of sys.path, where .pth files count for nothing: the editable install of the
    checkout stays out of sight.
    """
    root = tmp_path_factory.mktemp("environment")
    venv.create(root, with_pip=False)
    python = root / "bin" / "python"
    installer: list[str | Path] = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet"]
    run([*installer, "--disable-pip-version-check", "--no-deps", "--no-index", wheel], root)
    paths = {"base": str(root), "platbase": str(root)}
    site_packages = Path(sysconfig.get_path("purelib", "venv", vars=paths))
    borrowed = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (site_packages / "borrowed.pth").write_text("\n".join(sorted(borrowed)) + "\n", encoding="utf-8")
    return python


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A workspace with one seed and nothing else."""
    (tmp_path / "seeds").mkdir()
    shutil.copy(REPOSITORY / "seeds" / f"{SEED}.yaml", tmp_path / "seeds")
    return tmp_path


def test_sdist_has_the_sources_and_no_outputs(built: Path) -> None:
    with tarfile.open(next(built.glob("*.tar.gz"))) as sdist:
        names = [name.partition("/")[2] for name in sdist.getnames()]
    tops = {name.partition("/")[0] for name in names}
    assert {"pipeline", "seeds", "tests", "LICENSE", "Makefile", *SHARED_FOLDERS} <= tops
    assert not tops & {"generated_tasks", "review_queue", ".askfirst", ".venv", ".git"}
    assert not [name for name in names if "__pycache__" in name]


def test_wheel_has_the_package_and_the_shared_folders_and_no_workspace(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    tops = {name.partition("/")[0] for name in names}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"askfirst"}
    expected = {
        f"askfirst/_bundled/{folder}/{name}" for folder in SHARED_FOLDERS for name in files_below(REPOSITORY / folder)
    }
    assert expected
    bundled = {name for name in names if name.startswith("askfirst/_bundled/")}
    assert bundled == expected
    assert "askfirst/py.typed" in names
    assert not [name for name in names if "generated_tasks" in name or "review_queue" in name]


def test_wheel_has_every_file_of_the_package(wheel: Path) -> None:
    files = files_below(REPOSITORY / "pipeline")
    with zipfile.ZipFile(wheel) as archive:
        assert files <= set(archive.namelist())


def test_installed_copy_reads_its_own_folders(python: Path, elsewhere: Path) -> None:
    code = (
        "import askfirst; from askfirst.resources import SHIPPED, shipped; "
        "print(askfirst.__file__, *map(shipped, SHIPPED), sep='\\n')"
    )
    places = run([python, "-c", code], elsewhere).stdout.splitlines()
    assert len(places) == 1 + len(SHARED_FOLDERS)
    for place in places:
        assert Path(place).is_relative_to(python.parents[1]), place


def test_doctor_is_content_with_the_installed_copy(python: Path, elsewhere: Path) -> None:
    run([python, "-m", "askfirst", "doctor"], elsewhere)


def test_command_is_installed(python: Path, elsewhere: Path) -> None:
    assert "compile" in run([python.with_name("askfirst"), "--help"], elsewhere).stdout


def test_installed_copy_compiles_a_seed(python: Path, elsewhere: Path) -> None:
    run([python, "-m", "askfirst", "compile"], elsewhere)
    tasks = sorted((elsewhere / "generated_tasks").glob("*/task.json"))
    assert len(tasks) == 2, "a seed yields a matched pair"
    assert all(path.parent.name.startswith(SEED) for path in tasks)
