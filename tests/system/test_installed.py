"""The project as somebody gets it: a wheel alone in an empty environment, and scripts/try on a fresh checkout."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from support import ROOT, clean_environment, run_process

EXAMPLE = ROOT / "docs" / "examples" / "everything.cassette.jsonl"

pytestmark = [pytest.mark.slow, pytest.mark.skipif(sys.platform == "win32", reason="POSIX paths of an environment")]


def step(*args: str | Path, cwd: Path, timeout: float = 600) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(a) for a in args],
        cwd=cwd,
        env={**clean_environment(), "PIP_NO_COMPILE": "1"},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=timeout,
        check=False,
    )


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    done = step(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", out, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    [built] = out.glob("*.whl")
    return built


def test_the_wheel_carries_its_data_and_nothing_else(wheel: Path) -> None:
    names = zipfile.ZipFile(wheel).namelist()
    packs = {path.name for path in (ROOT / "packs").glob("*.toml")}
    assert {f"mcp_cassette/_data/packs/{name}" for name in packs} <= set(names)
    assert "mcp_cassette/_data/schemas/taxonomy.json" in names
    assert {name.split("/")[0] for name in names} == {"mcp_cassette", wheel.name.rsplit("-py3", 1)[0] + ".dist-info"}
    assert not [name for name in names if "test" in name or name.endswith(".pyc")]


def test_the_wheel_alone_lints_as_the_checkout_does(wheel: Path, tmp_path: Path) -> None:
    environment, elsewhere = tmp_path / "env", tmp_path / "elsewhere"
    elsewhere.mkdir()
    shutil.copy(EXAMPLE, elsewhere)
    python = environment / "bin" / "python"
    assert step(sys.executable, "-m", "venv", environment, cwd=tmp_path).returncode == 0
    done = step(python, "-m", "pip", "install", "--disable-pip-version-check", "--quiet", wheel, cwd=elsewhere)
    if done.returncode != 0:
        # No package index within reach: the dependencies are lent from here. Path files of a folder that a path file
        # names are not read, so the editable install of the checkout stays out.
        done = step(python, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", wheel, cwd=elsewhere)
        assert done.returncode == 0, done.stderr
        [packages] = environment.glob("lib/python*/site-packages")
        (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    where = step(python, "-c", "import mcp_cassette; print(mcp_cassette.__file__)", cwd=elsewhere)
    assert Path(where.stdout.strip()).is_relative_to(environment)
    for args in (["lint", EXAMPLE.name], ["lint", EXAMPLE.name, "--format", "json"], ["rules"], ["pack", "test"]):
        installed = step(environment / "bin" / "mcp-cassette", *args, cwd=elsewhere)
        checkout = run_process(args, elsewhere)
        assert (installed.returncode, installed.stderr) == (checkout.exit, checkout.stderr)
        assert installed.stdout == checkout.stdout
    assert checkout.exit == 0


def test_try_on_a_fresh_checkout(tmp_path: Path) -> None:
    tree = tmp_path / "checkout"
    unwanted = shutil.ignore_patterns(".*", "tests", "__pycache__", "node_modules")
    shutil.copytree(ROOT, tree, ignore=unwanted)
    done = step(tree / "scripts" / "try", cwd=tmp_path)
    if done.returncode == 2 and "Could not find a version" in done.stderr:
        pytest.skip("no package index within reach")
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stdout.splitlines()
    assert lines[0] == "$ mcp-cassette lint docs/examples/everything.cassette.jsonl"
    assert any(line.startswith("docs/examples/everything.cassette.jsonl: header and frames agree (") for line in lines)
    assert any(line.startswith("result: PASS (") for line in lines)
    after = done.stdout.split("What next:\n")[1]
    # Every command it recommends is one that works.
    python = tree / ".venv" / "bin" / "mcp-cassette"
    for line in after.splitlines():
        if line.strip().startswith(".venv/bin/mcp-cassette "):
            command = line.split("  ")[1].split()[1:]
            assert step(python, command[0], "--help", cwd=tree).returncode == 0
    assert os.access(tree / ".venv" / "bin" / "python", os.X_OK)
    again = step(tree / "scripts" / "try", cwd=tmp_path)
    assert (again.returncode, again.stdout) == (0, done.stdout)
    assert again.stderr == ""
