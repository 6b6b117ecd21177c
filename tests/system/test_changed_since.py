"""``--changed-since``: only what differs from a git revision, in real repositories."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from mcp_cassette.lint import changed
from support import POISON, MakeCassette, Outcome, Run, clean_environment, tool, tools

Git = Callable[..., str]
DIRTY, CLEAN = tools(tool(description=POISON)), tools(tool())


@pytest.fixture(autouse=True)
def no_git_around(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """No repository that a hook is running in, and nobody's own configuration."""
    for name in [name for name in os.environ if name.startswith("GIT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path_factory.getbasetemp()))


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """git in ``tmp_path``."""

    def call(*words: str, cwd: Path = tmp_path) -> str:
        who = ("-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false")
        more = ("-c", "protocol.file.allow=always", "-c", "init.defaultBranch=main")
        done = subprocess.run(
            ["git", *who, *more, *words], cwd=cwd, env=clean_environment(), capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return call


@pytest.fixture
def commit(git: Git, tmp_path: Path) -> Callable[[], None]:
    """Makes ``tmp_path`` a repository if it is none, and commits all that is in it."""

    def all_of_it() -> None:
        if not (tmp_path / ".git").exists():
            git("init", "-q")
        git("add", "-A")
        git("commit", "-q", "--allow-empty", "-m", "all")

    return all_of_it


Commit = Callable[[], None]


def linted(outcome: Outcome) -> list[str]:
    assert outcome.exit in (0, 4), outcome.stderr
    return [source["file"] for source in outcome.json["sources"]]


def changed_in(cli: Run, *words: str, ref: str = "HEAD", **more: Path) -> list[str]:
    return linted(cli("lint", *(words or (".",)), "--changed-since", ref, "--format", "json", **more))


def test_only_what_changed(cli: Run, cassette: MakeCassette, commit: Commit, git: Git, tmp_path: Path) -> None:
    for name in ("same", "edited", "staged", "gone", "old"):
        cassette(DIRTY, f"{name}.cassette.jsonl")
    (tmp_path / ".gitignore").write_text("ignored*\n")
    commit()
    cassette([*DIRTY, *tools(tool(), wire_id=2)], "edited.cassette.jsonl")
    cassette(CLEAN, "staged.cassette.jsonl")
    git("add", "staged.cassette.jsonl")
    (tmp_path / "gone.cassette.jsonl").unlink()
    git("mv", "old.cassette.jsonl", "renamed.cassette.jsonl")
    cassette(CLEAN, "sub/untracked.cassette.jsonl")
    cassette(CLEAN, "ignored.cassette.jsonl")
    (tmp_path / "same.cassette.jsonl").touch()
    expected = [f"{name}.cassette.jsonl" for name in ("edited", "renamed", "staged", "sub/untracked")]
    assert changed_in(cli) == expected
    commit()
    assert changed_in(cli) == []
    assert changed_in(cli, ref="HEAD~1") == expected
    assert changed_in(cli, ref="HEAD^{tree}") == []


def test_the_gate_sees_only_those(cli: Run, cassette: MakeCassette, commit: Commit) -> None:
    cassette(DIRTY, "a.cassette.jsonl")
    commit()
    assert cli("lint", ".").exit == 4
    cassette(CLEAN, "b.cassette.jsonl")
    outcome = cli("lint", ".", "--changed-since", "HEAD")
    assert (outcome.exit, outcome.findings, outcome.stderr) == (0, [], "")
    assert "note: --changed-since HEAD: 1 of 2 files changed" in outcome.stdout.splitlines()
    cassette([*DIRTY, *tools(tool(), wire_id=2)], "a.cassette.jsonl")
    assert cli("lint", ".", "--changed-since", "HEAD").exit == 4


def test_none_changed_is_0(cli: Run, cassette: MakeCassette, commit: Commit, tmp_path: Path) -> None:
    cassette(DIRTY)
    (tmp_path / "pyproject.toml").write_text('[tool.mcp_cassette.lint]\npaths = ["."]\n')
    commit()
    for args in ((".",), ("session.cassette.jsonl",), ()):
        outcome = cli("lint", *args, "--changed-since", "HEAD")
        assert (outcome.exit, outcome.stderr) == (0, "")
        assert "note: --changed-since HEAD: none of 1 file changed" in outcome.stdout.splitlines()
        assert outcome.last.startswith("result: PASS (0 errors, 0 warnings, 0 info; 0 files, 0 lines")
    # A document that changed and is no listing after all is nothing to lint, and no mistake.
    (tmp_path / "x.json").write_text('{"note": "tools", "inputSchema": 1}')
    assert cli("lint", ".", "--changed-since", "HEAD").exit == 0
    # A path that leads nowhere stays one.
    assert cli("lint", "gone.cassette.jsonl", "--changed-since", "HEAD").exit == 2


NAMES = [
    "with space.cassette.jsonl",
    "new\nline.cassette.jsonl",
    'tab\tquote".cassette.jsonl',
    "ünï-漢字-😀.cassette.jsonl",
    "-dash.cassette.jsonl",
    ":(exclude)x.cassette.jsonl",
    "back\\slash.cassette.jsonl",
    "star*.cassette.jsonl",
]


def test_odd_names(cli: Run, cassette: MakeCassette, commit: Commit, tmp_path: Path) -> None:
    for name in NAMES:
        cassette(CLEAN, f"d/{name}")
    commit()
    assert changed_in(cli, "d") == []
    for name in NAMES:
        cassette(DIRTY, f"d/{name}")
    assert sorted(changed_in(cli, "d")) == sorted(f"d/{name}" for name in NAMES)
    for name in NAMES:
        cassette(CLEAN, f"d/{name}")
        cassette(CLEAN, f"d/un{name}")
    assert sorted(changed_in(cli, "d")) == sorted(f"d/un{name}" for name in NAMES)


def test_a_name_that_is_no_text(cli: Run, commit: Commit, cassette: MakeCassette, tmp_path: Path) -> None:
    data = cassette(CLEAN).read_bytes()
    commit()
    try:
        Path(os.fsdecode(os.fsencode(tmp_path) + b"/\xff.cassette.jsonl")).write_bytes(data)
    except OSError:
        pytest.skip("this file system has only names that are text")
    assert len(changed_in(cli)) == 1


def test_from_a_subfolder(cli: Run, cassette: MakeCassette, commit: Commit, git: Git, tmp_path: Path) -> None:
    for name in ("a/x", "b/x"):
        cassette(CLEAN, f"{name}.cassette.jsonl")
    commit()
    for name in ("a/x", "b/x", "b/y"):
        cassette(DIRTY, f"{name}.cassette.jsonl")
    git("config", "diff.relative", "true")
    git("config", "status.showUntrackedFiles", "no")
    assert changed_in(cli, cwd=tmp_path / "a") == ["x.cassette.jsonl"]
    found = changed_in(cli, "..", cwd=tmp_path / "a")
    assert sorted(found) == ["../b/x.cassette.jsonl", "../b/y.cassette.jsonl", "x.cassette.jsonl"]


def test_revisions(cli: Run, cassette: MakeCassette, commit: Commit, git: Git) -> None:
    cassette(CLEAN, "a.cassette.jsonl")
    commit()
    git("tag", "-a", "v1", "-m", "v1")
    git("branch", "feat/x")
    cassette(CLEAN, "b.cassette.jsonl")
    commit()
    for ref in ("v1", "feat/x", "main~1", "main^", git("rev-parse", "v1^{commit}").strip(), "@{1}"):
        assert changed_in(cli, ref=ref) == ["b.cassette.jsonl"], ref
    empty = git("hash-object", "-t", "tree", os.devnull).strip()
    assert changed_in(cli, ref=empty) == ["a.cassette.jsonl", "b.cassette.jsonl"]


REFUSED = [
    ("gone", "there is no revision 'gone' in "),
    ("main..HEAD", "there is no revision 'main..HEAD' in "),
    ("HEAD:session.cassette.jsonl", "there is no revision 'HEAD:session.cassette.jsonl' in "),
    ("HEAD; touch x", "there is no revision 'HEAD; touch x' in "),
    ("$(touch x)", "there is no revision '$(touch x)' in "),
    ("", "'' is no revision"),
    ("-h", "'-h' is no revision"),
    ("--output=x", "'--output=x' is no revision"),
]


@pytest.mark.parametrize(("ref", "said"), REFUSED)
def test_no_such_revision(
    ref: str, said: str, cli: Run, cassette: MakeCassette, commit: Commit, tmp_path: Path
) -> None:
    cassette(CLEAN)
    commit()
    outcome = cli("lint", ".", f"--changed-since={ref}")
    assert (outcome.exit, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith(f"mcp-cassette: --changed-since: {said}")
    assert not (tmp_path / "x").exists()


def test_before_the_first_commit(cli: Run, cassette: MakeCassette, git: Git) -> None:
    cassette(CLEAN)
    git("init", "-q")
    outcome = cli("lint", ".", "--changed-since", "HEAD")
    assert (outcome.exit, "there is no revision 'HEAD'" in outcome.stderr) == (2, True)


def test_no_repository(cli: Run, cassette: MakeCassette, git: Git, tmp_path: Path) -> None:
    cassette(CLEAN)
    outcome = cli("lint", ".", "--changed-since", "HEAD")
    assert (outcome.exit, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("mcp-cassette: --changed-since: git: fatal: not a git repository")
    git("init", "-q", "--bare", "bare.git")
    outcome = cli("lint", ".", "--changed-since", "HEAD", cwd=tmp_path / "bare.git")
    assert (outcome.exit, "must be run in a work tree" in outcome.stderr) == (2, True)


def test_no_git(cli: Run, cassette: MakeCassette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cassette(CLEAN)
    monkeypatch.setenv("PATH", str(tmp_path))
    outcome = cli("lint", ".", "--changed-since", "HEAD")
    assert (outcome.exit, outcome.stderr) == (2, "mcp-cassette: --changed-since asks git, and there is no git here\n")


def test_a_git_that_hangs(cli: Run, cassette: MakeCassette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cassette(CLEAN)
    fake = tmp_path / "bin" / "git"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\nexec sleep 60\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(changed, "_SECONDS", 0.2)
    outcome = cli("lint", ".", "--changed-since", "HEAD")
    assert (outcome.exit, "git did not answer within" in outcome.stderr) == (2, True)


def test_the_repository_runs_nothing(
    cli: Run, cassette: MakeCassette, commit: Commit, git: Git, tmp_path: Path
) -> None:
    cassette(CLEAN)
    (tmp_path / ".gitattributes").write_text("*.jsonl diff=odd\n")
    commit()
    trap = f"touch {tmp_path}/trapped; false"
    for key in ("core.fsmonitor", "diff.external", "diff.odd.command", "diff.odd.textconv", "core.pager"):
        git("config", key, trap)
    cassette(DIRTY)
    (tmp_path / "trapped").unlink(missing_ok=True)
    assert changed_in(cli) == ["session.cassette.jsonl"]
    assert not (tmp_path / "trapped").exists()


def test_what_git_cannot_know_is_linted(
    cli: Run, cassette: MakeCassette, commit: Commit, git: Git, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = cassette(DIRTY).read_bytes()
    commit()
    outside = tmp_path_factory.mktemp("outside") / "o.cassette.jsonl"
    outside.write_bytes(data)
    (tmp_path / "link.cassette.jsonl").symlink_to(outside)
    commit()
    assert changed_in(cli, str(outside)) == [str(outside)]
    assert changed_in(cli) == ["link.cassette.jsonl"]
    piped = cli("lint", "-", "--changed-since", "HEAD", "--format", "json", stdin=data)
    assert linted(piped) == ["<stdin>"]


def test_a_link_to_what_changed(cli: Run, cassette: MakeCassette, commit: Commit, tmp_path: Path) -> None:
    cassette(CLEAN, "real/a.cassette.jsonl")
    (tmp_path / "b.cassette.jsonl").symlink_to("real/a.cassette.jsonl")
    commit()
    assert changed_in(cli) == []
    cassette(DIRTY, "real/a.cassette.jsonl")
    assert changed_in(cli, "b.cassette.jsonl") == ["b.cassette.jsonl"]


def test_a_repository_in_the_repository(
    cli: Run, cassette: MakeCassette, commit: Commit, git: Git, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    cassette(CLEAN, "top.cassette.jsonl")
    commit()
    other = tmp_path_factory.mktemp("other")
    (other / "m.cassette.jsonl").write_bytes((tmp_path / "top.cassette.jsonl").read_bytes())
    git("init", "-q", cwd=other)
    git("add", "-A", cwd=other)
    git("commit", "-q", "-m", "m", cwd=other)
    git("submodule", "--quiet", "add", str(other), "module")
    commit()
    assert changed_in(cli) == []
    cassette(DIRTY, "module/m.cassette.jsonl")
    assert changed_in(cli) == ["module/m.cassette.jsonl"]
    # One that is not even tracked.
    cassette(DIRTY, "nested/n.cassette.jsonl")
    git("init", "-q", cwd=tmp_path / "nested")
    git("add", "-A", cwd=tmp_path / "nested")
    git("commit", "-q", "-m", "n", cwd=tmp_path / "nested")
    assert changed_in(cli) == ["module/m.cassette.jsonl", "nested/n.cassette.jsonl"]


def test_known_findings_of_other_files_stay(cli: Run, cassette: MakeCassette, commit: Commit, tmp_path: Path) -> None:
    cassette(DIRTY, "a.cassette.jsonl")
    known = ("--known-findings", "known.json", "--update-known-findings")
    cli("lint", ".", *known)
    before = (tmp_path / "known.json").read_bytes()
    commit()
    outcome = cli("lint", ".", "--changed-since", "HEAD", *known)
    assert outcome.exit == 0 and "0 added, 1 kept, 0 dropped" in outcome.stdout
    assert (tmp_path / "known.json").read_bytes() == before
