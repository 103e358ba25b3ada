"""What would be published: built from the checkout, checked as an index does, used elsewhere."""

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tarfile
import venv
import zipfile
from pathlib import Path

import pytest
from tests.waiting import PATIENCE
from tests.wanted import wanted_module

import logicoder
from logicoder.report.page import SCRIPTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def distributions(tmp_path_factory):
    """The source distribution, and the wheel that is built from it."""
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    )
    return folder


@pytest.fixture(scope="module")
def wheel(distributions):
    (found,) = distributions.glob("logicoder-*.whl")
    return found


def release_check():
    spec = importlib.util.spec_from_file_location("release_check", ROOT / "scripts" / "release_check.py")
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def test_an_index_would_take_both(distributions, wheel):
    wanted_module("twine")
    wanted_module("check_wheel_contents")
    both = sorted(map(str, distributions.iterdir()))
    assert len(both) == 2
    for command in (["twine", "check", "--strict", *both], ["check_wheel_contents", str(wheel)]):
        done = subprocess.run(
            [sys.executable, "-m", *command], capture_output=True, text=True, timeout=PATIENCE, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr


def test_an_index_shows_the_readme_with_links_that_lead_somewhere(wheel):
    with zipfile.ZipFile(wheel) as packed:
        (name,) = (name for name in packed.namelist() if name.endswith(".dist-info/METADATA"))
        text = packed.read(name).decode("utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert len(links) > 20
    assert [link for link in links if not link.startswith("https://")] == []
    files = [link.partition(f"v{logicoder.__version__}/")[2].partition("#")[0] for link in links]
    assert "docs/images/family.svg" in files
    assert [name for name in files if not (ROOT / name).exists()] == []


def test_the_source_distribution_holds_what_the_site_and_the_tests_are_made_of(distributions):
    (found,) = distributions.glob("*.tar.gz")
    with tarfile.open(found) as packed:
        names = {name.partition("/")[2] for name in packed.getnames()}
    assert {"mkdocs.yml", "README.md", "CITATION.cff", "SECURITY.md", "docs/howto/read-data.md"} <= names
    assert {"scripts/site_hooks.py", "tests/conftest.py", "examples/star_wars.py"} <= names


def test_a_release_is_refused_until_everything_says_its_version(tmp_path):
    objections = release_check().objections
    for name in (
        "CHANGELOG.md",
        "CITATION.cff",
        "CODE_OF_CONDUCT.md",
        "SECURITY.md",
        "SUPPORT.md",
        "pyproject.toml",
    ):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "src" / "logicoder").mkdir(parents=True)
    (tmp_path / "conda").mkdir()
    shutil.copy(ROOT / "conda" / "meta.yaml", tmp_path / "conda")
    shutil.copy(ROOT / "src" / "logicoder" / "__init__.py", tmp_path / "src" / "logicoder")
    assert len(objections(tmp_path)) > 3
    for path in (path for path in tmp_path.rglob("*") if path.is_file()):
        text = path.read_text(encoding="utf-8").replace(logicoder.__version__, "9.8.7")
        text = re.sub(r"^version: .*$", "version: 9.8.7", text, flags=re.MULTILINE)
        text = text.replace(".example", ".org").replace("## Unreleased", "## 9.8.7 (2030-01-02)")
        path.write_text(text, encoding="utf-8")
    assert objections(tmp_path) == []
    assert objections(tmp_path, "v9.8.7") == []
    assert objections(tmp_path, "v9.8.8") == ["the tag is v9.8.8, the version 9.8.7: the tag must be v9.8.7"]
    changes = tmp_path / "CHANGELOG.md"
    released = changes.read_text(encoding="utf-8")
    for waiting, against in (("- A change.", 1), ("Nothing yet.", 0)):
        text = released.replace("## 9.8.7", f"## Unreleased\n\n{waiting}\n\n## 9.8.7", 1)
        changes.write_text(text, encoding="utf-8")
        assert len(objections(tmp_path)) == against


def test_it_holds_the_package_its_data_and_its_licence_and_nothing_else(wheel):
    names = zipfile.ZipFile(wheel).namelist()
    assert "logicoder/py.typed" in names
    assert "logicoder/datasets/data/star_wars.pl" in names
    page = {f"logicoder/report/page/{name}" for name in ("report.html", "report.css", *SCRIPTS)}
    assert page <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0].split("-")[0] for name in names} == {"logicoder"}


def test_the_demo_runs_outside_the_checkout(wheel, tmp_path):
    """A new environment sees this one's dependencies, and of logicoder only the wheel."""
    home = tmp_path / "venv"
    venv.create(home, with_pip=False)
    here = Path(next(p for p in sys.path if p.endswith("site-packages")))
    there = next((home / "lib").glob("python*/site-packages"))
    # An editable install is a .pth file or a finder, neither of which is followed from a path entry.
    (there / "dependencies.pth").write_text(f"{here}\n")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", there, wheel],
        check=True,
        timeout=PATIENCE,
    )
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
    python = home / "bin" / "python"
    where = subprocess.run(
        [python, "-c", "import logicoder; print(logicoder.__file__)"],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    ).stdout
    assert str(there) in where
    shown = subprocess.run(
        [python, "-m", "logicoder", "demo"],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
    ).stdout
    assert "grandparent(X,Y) :-" in shown
