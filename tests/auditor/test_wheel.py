from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from auditor.demo.folder import SHIPPED, shipped_files

REPOSITORY = Path(__file__).parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", out],
        cwd=REPOSITORY,
        check=True,
        capture_output=True,
    )
    (built,) = out.glob("*.whl")
    return built


def files_below(folder: Path) -> dict[str, bytes]:
    paths = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def test_the_wheel_carries_the_demo_project_whole(wheel):
    with zipfile.ZipFile(wheel) as archive:
        below = "auditor/demo/project/"
        held = {name.removeprefix(below): archive.read(name) for name in archive.namelist() if name.startswith(below)}
    assert held == shipped_files()
    assert SHIPPED.is_dir()


def test_the_wheel_carries_the_prompts_inside_the_package(wheel):
    with zipfile.ZipFile(wheel) as archive:
        below = "auditor/_prompts/"
        held = {name.removeprefix(below): archive.read(name) for name in archive.namelist() if name.startswith(below)}
    assert held == files_below(REPOSITORY / "prompts")


def test_an_unpacked_wheel_lists_the_prompts_of_the_checkout(wheel, tmp_path):
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(tmp_path / "site")
    code = "import auditor; print(auditor.__file__, flush=True); from auditor.cli.app import app; app(['prompts'])"
    listed = {}
    for root in (tmp_path / "site", REPOSITORY):
        done = subprocess.run(
            [sys.executable, "-B", "-c", code],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": str(root)},
            capture_output=True,
            text=True,
            check=True,
        )
        origin, _, rest = done.stdout.partition("\n")
        assert origin == str(root / "auditor" / "__init__.py")
        listed[root] = rest
    assert listed[tmp_path / "site"] == listed[REPOSITORY]
    assert listed[REPOSITORY].count("sha256:") == 5
