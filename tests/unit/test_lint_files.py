"""Which files a run reads."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from mcp_cassette.lint.files import Target, find_targets
from mcp_cassette.model import Problem

LISTING = '{"tools": []}'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in (
        "b.cassette.jsonl",
        "a.cassette.jsonl",
        "notes.jsonl",
        "readme.md",
        "sub/z.cassette.jsonl",
        "sub/deep/y.cassette.jsonl",
        "vendor/v.cassette.jsonl",
        ".hidden/h.cassette.jsonl",
        "node_modules/n.cassette.jsonl",
        "sub/node_modules/m.cassette.jsonl",
        "sub/__pycache__/p.cassette.jsonl",
    ):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text("{}\n")
    (tmp_path / "tools.json").write_text(LISTING)
    (tmp_path / "package.json").write_text('{"name": "x", "scripts": {}}')
    monkeypatch.chdir(tmp_path)
    return tmp_path


def shown(words: list[str], exclude: list[str] | None = None, base: Path | None = None) -> list[str]:
    found = list(find_targets(words, exclude or [], base or Path()))
    assert all(isinstance(t, Target) for t in found), found
    return [t.shown for t in found if isinstance(t, Target)]


def problem(words: list[str], exclude: list[str] | None = None) -> Problem:
    (found,) = find_targets(words, exclude or [], Path())
    assert isinstance(found, Problem)
    return found


WALK = [
    "a.cassette.jsonl",
    "b.cassette.jsonl",
    "tools.json",
    "sub/z.cassette.jsonl",
    "sub/deep/y.cassette.jsonl",
    "vendor/v.cassette.jsonl",
]


def test_a_folder_is_walked_in_order(tree: Path) -> None:
    """Cassettes by their name, saved listings by their content; hidden folders and node_modules are left out."""
    assert shown(["."]) == WALK
    assert all(not t.named for t in find_targets(["."], [], Path()) if isinstance(t, Target))


def test_a_file_that_is_named_is_read_whatever_it_is(tree: Path) -> None:
    assert shown(["notes.jsonl", ".hidden/h.cassette.jsonl"], ["*.jsonl"]) == [
        "notes.jsonl",
        ".hidden/h.cassette.jsonl",
    ]
    (target,) = find_targets(["readme.md"], [], Path())
    assert isinstance(target, Target) and target.named


def test_each_file_comes_once_in_the_order_of_the_words(tree: Path) -> None:
    words = ["sub/z.cassette.jsonl", ".", "./sub/../sub/z.cassette.jsonl", "sub", str(tree / "a.cassette.jsonl")]
    assert shown(words) == ["sub/z.cassette.jsonl", *(w for w in WALK if w != "sub/z.cassette.jsonl")]
    (tree / "c.cassette.jsonl").symlink_to(tree / "a.cassette.jsonl")
    assert shown(["."]).count("a.cassette.jsonl") == 1 and len(shown(["."])) == len(WALK)


@pytest.mark.parametrize(
    "pattern",
    ["vendor", "vendor/", "vendor/*", "vendor/**", "**/vendor/**", "**/vendor", "**/v.cassette.jsonl", "v.*", "*/v.*"],
)
def test_globs_leave_out(tree: Path, pattern: str) -> None:
    assert shown(["."], [pattern]) == WALK[:-1]


def test_globs_leave_out_below(tree: Path) -> None:
    assert shown(["."], ["sub/deep"]) == [w for w in WALK if "deep" not in w]
    assert shown(["."], ["*.json"]) == [w for w in WALK if w != "tools.json"]
    assert "nothing to lint" in problem(["vendor"], ["vendor/*"]).reason


def test_globs(tree: Path) -> None:
    assert shown(["*.cassette.jsonl"]) == ["a.cassette.jsonl", "b.cassette.jsonl"]
    assert shown(["[b]*"]) == ["b.cassette.jsonl"]
    assert shown(["sub/**/*.cassette.jsonl"]) == ["sub/deep/y.cassette.jsonl", "sub/z.cassette.jsonl"]
    assert shown(["**/*.cassette.jsonl"]) == [
        "a.cassette.jsonl",
        "b.cassette.jsonl",
        "sub/deep/y.cassette.jsonl",
        "sub/z.cassette.jsonl",
        "vendor/v.cassette.jsonl",
    ]
    assert shown(["**/*.cassette.jsonl"], ["sub"]) == [
        "a.cassette.jsonl",
        "b.cassette.jsonl",
        "vendor/v.cassette.jsonl",
    ]
    assert shown(["s*"]) == ["sub/z.cassette.jsonl", "sub/deep/y.cassette.jsonl"]
    assert shown([str(tree / "sub" / "*.cassette.jsonl")]) == ["sub/z.cassette.jsonl"]


def test_a_name_that_looks_like_a_glob_is_a_name_first(tree: Path) -> None:
    (tree / "[b].cassette.jsonl").write_text("{}\n")
    assert shown(["[b].cassette.jsonl"]) == ["[b].cassette.jsonl"]


def test_paths_start_at_the_base(tree: Path) -> None:
    assert shown(["z.cassette.jsonl"], base=tree / "sub") == ["sub/z.cassette.jsonl"]
    assert shown(["."], ["deep"], base=tree / "sub") == ["sub/z.cassette.jsonl"]
    assert shown(["*.cassette.jsonl"], base=tree / "sub") == ["sub/z.cassette.jsonl"]


def test_a_file_outside_is_shown_in_full(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tree / "sub")
    assert shown([str(tree / "a.cassette.jsonl")]) == [(tree / "a.cassette.jsonl").as_posix()]
    assert shown(["../a.cassette.jsonl"]) == ["../a.cassette.jsonl"]


def test_what_is_not_there_is_a_problem(tree: Path) -> None:
    assert (problem(["none.jsonl"]).file, problem(["none.jsonl"]).reason) == ("none.jsonl", "no such file or folder")
    assert problem(["*.none"]).reason == "no file matches"
    assert problem(["none/**/*.jsonl"]).reason == "no file matches"
    (tree / "empty").mkdir()
    assert problem(["empty"]).reason.startswith("nothing to lint")
    found = list(find_targets(["none", "a.cassette.jsonl"], [], Path()))
    assert [type(f).__name__ for f in found] == ["Problem", "Target"]


@pytest.mark.parametrize(
    "word", ["x" * 5000, "x" * 300 + "*", "a\0b", "a\0*", "\0/**/x", "a.cassette.jsonl/b", "~none"]
)
def test_odd_words_are_problems_and_no_crash(tree: Path, word: str) -> None:
    assert problem([word]).severity == "error"


def test_standard_input(tree: Path) -> None:
    assert list(find_targets(["-", "a.cassette.jsonl", "-"], [], Path())) == [
        Target(None, "<stdin>", named=True),
        Target(Path("a.cassette.jsonl"), "a.cassette.jsonl", named=True),
    ]


def test_links_in_a_circle_are_harmless(tree: Path) -> None:
    (tree / "sub" / "up").symlink_to(tree)
    (tree / "sub" / "here").symlink_to(".")
    (tree / "sub" / "gone.cassette.jsonl").symlink_to("gone")
    start = time.process_time()
    assert shown(["."]) == [*WALK[:3], "sub/gone.cassette.jsonl", *WALK[3:]]  # a broken link is read, and reported
    assert "sub/z.cassette.jsonl" in shown(["**/*.cassette.jsonl"])
    assert len(shown(["**/*.cassette.jsonl"])) == 6
    assert len(shown(["sub/**"])) == 3
    assert len(shown(["**/**/*.cassette.jsonl"])) == 6
    assert time.process_time() - start < 2


def test_a_pipe_is_not_read(tree: Path) -> None:
    os.mkfifo(tree / "pipe.cassette.jsonl")
    os.mkfifo(tree / "pipe.json")
    assert shown(["."]) == WALK
    assert shown(["*.jsonl"]) == ["a.cassette.jsonl", "b.cassette.jsonl", "notes.jsonl"]
    assert problem(["pipe*"]).reason == "no file matches"
    assert shown(["pipe.json"]) == ["pipe.json"]  # named: as the shell does with <(…)


def test_a_large_json_file_is_only_sniffed(tree: Path) -> None:
    (tree / "late.json").write_text('{"x": "' + "y" * 1_100_000 + '", "tools": []}')
    (tree / "early.json").write_text('{"x": "' + "y" * 1_000_000 + '", "tools": [' + " " * 1_000_000 + "]}")
    (tree / "blank.json").write_text("\n\t" * 700_000 + '{"tools": []}')
    assert [s for s in shown(["."]) if s.endswith(".json")] == ["blank.json", "early.json", "tools.json"]


def test_names_and_signs_in_other_spellings(tree: Path) -> None:
    """What a server that hides, or a file system that does not care about case, makes of them."""
    (tree / "sub" / "A.JSON").write_text(LISTING)
    (tree / "sub" / "B.Cassette.JSONL").write_text("{}\n")
    (tree / "sub" / "escaped.json").write_text('{"\\u0074ool\\u0073": []}')
    (tree / "sub" / "capital.json").write_text('[{"input\\u0053chema": {}}]')
    (tree / "sub" / "wide.json").write_bytes(LISTING.encode("utf-16"))
    (tree / "sub" / "other.json").write_text('{"\\u0074ale": "tools"}')
    (tree / "sub" / "words.json").write_text('{"keywords": ["tools", "prompts"]}')
    names = ["A.JSON", "B.Cassette.JSONL", "capital.json", "escaped.json", "wide.json", "z.cassette.jsonl"]
    assert shown(["sub"]) == [f"sub/{name}" for name in names] + ["sub/deep/y.cassette.jsonl"]


def test_what_cannot_be_read_is_a_problem(tree: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tree / "loop.json").symlink_to("loop.json")
    (tree / "gone.json").symlink_to("nowhere")
    scandir = os.scandir

    def refuse(path: str) -> object:
        if Path(path).name == "deep":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    for word, names in (
        (".", ["sub/deep", "gone.json", "loop.json"]),
        ("sub", ["sub/deep"]),
        ("**/*.none", ["sub/deep"]),
    ):
        found = [f for f in find_targets([word], [], Path()) if isinstance(f, Problem)]
        assert sorted(f.file for f in found) == sorted(names)
        assert all(f.severity == "error" and f.reason.startswith("cannot be read: ") for f in found)
    excluded = [f for f in find_targets([".", "**/*.jsonl"], ["deep", "*.json"], Path()) if isinstance(f, Problem)]
    assert excluded == []
