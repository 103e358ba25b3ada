"""The wheel: built from the checkout, installed elsewhere, and used without it."""

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from logicoder.report.page import SCRIPTS

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("dist")
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--outdir", folder, ROOT],
        check=True,
        capture_output=True,
        text=True,
    )
    (found,) = folder.glob("logicoder-*.whl")
    return found


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
        [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", there, wheel], check=True
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
    ).stdout
    assert str(there) in where
    shown = subprocess.run(
        [python, "-m", "logicoder", "demo"],
        cwd=tmp_path,
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert "grandparent(X,Y) :-" in shown
