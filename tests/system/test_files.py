"""Which files a run reads, and the forms in which a saved listing is recognised."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support import FIXTURES, POISON, MakeCassette, Outcome, Run, call, tool, tools

FORMATS = (
    "this tool reads native cassettes (v1, v2), saved tools/list, prompts/list, resources/list and "
    "resources/templates/list results"
)
LISTING = {"tools": [tool(description=POISON)]}


def sources(outcome: Outcome) -> list[str]:
    return [source["file"] for source in outcome.json["sources"]]


@pytest.fixture
def tree(cassette: MakeCassette, tmp_path: Path) -> Path:
    """A folder as a repository has it."""
    for name in ("z", "a", "sub/b", "sub/deep/c", ".hidden/d", "node_modules/e", "sub/__pycache__/f"):
        cassette(call("Sunny."), f"rec/{name}.cassette.jsonl")
    (tmp_path / "rec" / "tools.json").write_text(json.dumps(LISTING))
    (tmp_path / "rec" / "package.json").write_text('{"name": "x", "scripts": {}}')
    (tmp_path / "rec" / "about-tools.json").write_text('{"tools": {"not": "a list"}}')
    (tmp_path / "rec" / "notes.md").write_text(POISON)
    (tmp_path / "rec" / "log.jsonl").write_text('{"a": 1}\n')
    return tmp_path


FOLDER = [
    "rec/a.cassette.jsonl",
    "rec/tools.json",
    "rec/z.cassette.jsonl",
    "rec/sub/b.cassette.jsonl",
    "rec/sub/deep/c.cassette.jsonl",
]


def test_a_folder(tree: Path, cli: Run) -> None:
    outcome = cli("lint", "rec", "--format", "json")
    assert sources(outcome) == FOLDER
    assert outcome.problems == [f"rec/about-tools.json:1: warning: passed over: no known format: {FORMATS}"]
    assert outcome.exit == 4


@pytest.mark.parametrize("word", ["rec/", "./rec", "rec/../rec"])
def test_a_folder_however_it_is_spelled(word: str, tree: Path, cli: Run) -> None:
    assert sources(cli("lint", word, "--format", "json")) == FOLDER


def test_an_absolute_path_is_shown_from_here(tree: Path, cli: Run) -> None:
    assert sources(cli("lint", tree / "rec", "--format", "json")) == FOLDER
    elsewhere = cli("lint", tree / "rec" / "a.cassette.jsonl", "--format", "json", cwd=tree / "rec" / "sub")
    assert sources(elsewhere) == [(tree / "rec" / "a.cassette.jsonl").as_posix()]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        (["rec/*.jsonl"], None),
        (["rec/*.cassette.jsonl"], ["rec/a.cassette.jsonl", "rec/z.cassette.jsonl"]),
        (["rec/**/?.cassette.jsonl"], [FOLDER[0], FOLDER[3], FOLDER[4], FOLDER[2]]),
        (["rec/s*"], FOLDER[3:]),
        (["rec/z.cassette.jsonl", "rec/a.cassette.jsonl"], ["rec/z.cassette.jsonl", "rec/a.cassette.jsonl"]),
        (["rec/a.cassette.jsonl", "rec/a.cassette.jsonl", "./rec/a.cassette.jsonl"], ["rec/a.cassette.jsonl"]),
        (["rec/z.cassette.jsonl", "rec"], [FOLDER[2], FOLDER[0], FOLDER[1], *FOLDER[3:]]),
    ],
    ids=["files of no format among them", "glob", "every depth", "folder by glob", "order", "twice", "again in folder"],
)
def test_words(words: list[str], found: list[str] | None, tree: Path, cli: Run) -> None:
    outcome = cli("lint", *words, "--format", "json")
    if found is None:
        assert outcome.exit == 2
        assert outcome.problems == [f"rec/log.jsonl:1: error: no known format: {FORMATS}"]
    else:
        assert sorted(sources(outcome)) == sorted(found)
        assert sources(outcome) == found or "**" in words[0]


def test_a_linked_file_is_read_once(tree: Path, cli: Run) -> None:
    (tree / "link.cassette.jsonl").symlink_to("rec/a.cassette.jsonl")
    outcome = cli("lint", "link.cassette.jsonl", "rec/a.cassette.jsonl", "--format", "json")
    assert sources(outcome) == ["link.cassette.jsonl"]


def test_one_missing_file_does_not_hide_the_others(tree: Path, cli: Run) -> None:
    outcome = cli("lint", "gone.json", "rec/tools.json", "rec/*.none")
    assert outcome.exit == 2
    assert outcome.problems == ["gone.json: error: no such file or folder", "rec/*.none: error: no file matches"]
    assert outcome.findings == [("error", "CAS-L001")]


def test_standard_input(run: Run, tree: Path) -> None:
    outcome = run("lint", "-", stdin=(tree / "rec" / "tools.json").read_bytes())
    assert outcome.exit == 4
    assert outcome.stdout.startswith("<stdin>:1:44: [ERROR] CAS-L001 tools/list /tools/0/description: ")
    twice = run("lint", "-", "rec/a.cassette.jsonl", "-", "--format", "json", stdin=json.dumps(LISTING).encode())
    assert sources(twice) == ["<stdin>", "rec/a.cassette.jsonl"]


def test_a_file_called_minus(run: Run, tmp_path: Path) -> None:
    (tmp_path / "-").write_text(json.dumps(LISTING))
    assert run("lint", "./-").exit == 4


CONFIG = "[tool.mcp_cassette.lint]\n"


def test_the_paths_of_the_config_start_at_its_folder(tree: Path, cli: Run) -> None:
    (tree / "pyproject.toml").write_text(
        CONFIG + 'paths = ["rec/sub", "rec/*.json"]\nexclude = ["*/about*", "rec/p*"]\n'
    )
    outcome = cli("lint", "--format", "json")
    assert sources(outcome) == [*FOLDER[3:], "rec/tools.json"]
    below = cli("lint", "--format", "json", cwd=tree / "rec" / "sub" / "deep")
    assert [Path(s).name for s in sources(below)] == [Path(s).name for s in sources(outcome)]
    # Words of the command line start at the working directory.
    here = cli("lint", "c.cassette.jsonl", "--format", "json", cwd=tree / "rec" / "sub" / "deep")
    assert sources(here) == ["c.cassette.jsonl"]


def test_without_paths_anywhere(tree: Path, cli: Run) -> None:
    (tree / "pyproject.toml").write_text(CONFIG + 'fail_on = "warn"\n')
    outcome = cli("lint")
    assert (outcome.exit, outcome.stdout) == (2, "")
    expected = "mcp-cassette: nothing to lint: name a file, a folder or -, or set paths in [tool.mcp_cassette.lint]"
    assert outcome.problems == [expected]


@pytest.mark.parametrize(
    ("exclude", "left"),
    [
        ("sub", [*FOLDER[:3], *FOLDER[3:]]),
        ("rec/sub", FOLDER[:3]),
        ("rec/sub/", FOLDER[:3]),
        ("rec/sub/*", FOLDER[:3]),
        ("*.json", [f for f in FOLDER if not f.endswith(".json")]),
        ("a.cassette.jsonl", FOLDER[1:]),
        ("rec/?.cassette.jsonl", [FOLDER[1], *FOLDER[3:]]),
        ("nothing/*", FOLDER),
    ],
)
def test_exclude(exclude: str, left: list[str], tree: Path, cli: Run) -> None:
    (tree / "pyproject.toml").write_text(CONFIG + f'exclude = ["{exclude}"]\n')
    if exclude == "sub":  # a name leaves out a folder of that name, too
        left = FOLDER[:3]
    assert sources(cli("lint", "rec", "--format", "json")) == left


def test_exclude_leaves_a_named_file_in(tree: Path, cli: Run) -> None:
    (tree / "pyproject.toml").write_text(CONFIG + 'exclude = ["rec/*"]\n')
    assert sources(cli("lint", "rec/a.cassette.jsonl", "--format", "json")) == ["rec/a.cassette.jsonl"]
    outcome = cli("lint", "rec")
    assert outcome.exit == 2
    assert outcome.problems == ["rec: error: nothing to lint: no *.cassette.jsonl and no saved listing in this folder"]


ITEMS: dict[str, dict[str, Any]] = {
    "tools": tool(description=POISON),
    "prompts": {"name": "p", "description": POISON},
    "resources": {"name": "r", "uri": "file:///r", "description": POISON},
    "resourceTemplates": {"name": "t", "uriTemplate": "file:///{t}", "description": POISON},
}
METHODS = {
    "tools": "tools/list",
    "prompts": "prompts/list",
    "resources": "resources/list",
    "resourceTemplates": "resources/templates/list",
}


def forms(kind: str) -> list[tuple[str, Any, str]]:
    """(name, document, pointer of the item) of each form that holds one item."""
    result = {kind: [ITEMS[kind]]}
    every = [
        ("bare result", result, f"/{kind}/0"),
        ("bare result with more", {"_meta": {}, "nextCursor": "2", **result}, f"/{kind}/0"),
        ("answer", {"jsonrpc": "2.0", "id": 7, "result": result}, f"/result/{kind}/0"),
        ("array of answers", [{"jsonrpc": "2.0", "id": 7, "result": result}], f"/0/result/{kind}/0"),
        ("array of results", [result], f"/0/{kind}/0"),
    ]
    return [*every, ("array of tools", [ITEMS[kind]], "/0")] if kind == "tools" else every


@pytest.mark.parametrize("kind", list(ITEMS))
def test_every_form_of_a_listing(kind: str, cli: Run, tmp_path: Path) -> None:
    expected = {}
    for name, document, pointer in forms(kind):
        compact = json.dumps(document)
        pretty = json.dumps(document, indent="\t", ensure_ascii=False)
        line = next(i for i, text in enumerate(pretty.split("\n"), 1) if POISON in text)
        column = pretty.split("\n")[line - 1].index(POISON) + 1
        spellings = [
            (compact.encode(), 1, compact.index(POISON) + 1),
            (pretty.encode(), line, column),
            (b"\xef\xbb\xbf" + pretty.replace("\n", "\r\n").encode(), line, column),
        ]
        for number, (data, at_line, at_column) in enumerate(spellings):
            (tmp_path / f"{name} {number}.json").write_bytes(data)
            expected[f"{name} {number}.json"] = (pointer + "/description", at_line, at_column)
    outcome = cli("lint", *expected, "--format", "json")
    assert outcome.stderr == ""
    found = outcome.json["findings"]
    assert {(f["rule"], f["level"], f["method"]) for f in found} == {("CAS-L001", "error", METHODS[kind])}
    assert {f["file"]: (f["pointer"], f["line"], f["column"]) for f in found} == expected
    assert len(found) == len(expected)


def test_a_listing_of_nothing_is_clean(cli: Run, tmp_path: Path) -> None:
    for kind in ITEMS:
        (tmp_path / "saved.json").write_text(json.dumps({kind: []}))
        outcome = cli("lint", "saved.json")
        assert (outcome.exit, outcome.stderr, outcome.findings) == (0, "", [])


def test_both_versions_of_a_cassette(cli: Run, cassette: MakeCassette) -> None:
    for version in (1, 2):
        cassette(call(POISON), header={"type": "header", "cassetteVersion": version, "transport": "stdio"})
        outcome = cli("lint", "session.cassette.jsonl", "--format", "json")
        assert outcome.json["sources"][0]["format"] == f"cassette-v{version}"
        assert len(outcome.json["findings"]) == 1


def test_a_file_is_recognised_by_its_content(cli: Run, cassette: MakeCassette) -> None:
    cassette(tools(tool(description=POISON)), "recording.txt")
    assert cli("lint", "recording.txt").findings == [("error", "CAS-L001")]


FOREIGN = sorted((FIXTURES / "foreign").iterdir())


@pytest.mark.parametrize("file", FOREIGN, ids=[file.name for file in FOREIGN])
def test_files_of_other_formats_are_refused_by_name(file: Path, cli: Run) -> None:
    outcome = cli("lint", file.name, cwd=file.parent)
    assert outcome.exit == 2
    [problem] = outcome.problems
    assert problem.startswith(f"{file.name}:1") and ": error: " in problem
    assert problem.endswith(f": {FORMATS}")
    assert outcome.findings == []


def test_what_only_looks_like_a_listing_is_said_and_is_no_file_of_the_run(cli: Run, tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    folder.mkdir()
    cut = json.dumps(LISTING)[:-20]
    (folder / "cut.json").write_text(cut)
    (folder / "wide.json").write_bytes(json.dumps(LISTING).encode("utf-16"))
    (folder / "settings.json").write_text('{"name": "x"}')
    alone = cli("lint", "saved", "--format", "json")
    assert alone.exit == 2
    reason = "no known format (the line ends inside an object (truncated?))"
    assert alone.problems == [
        f"saved/cut.json:1:{len(cut) + 1}: warning: passed over: {reason}: {FORMATS}",
        "saved/wide.json:1:1: warning: passed over: the file is UTF-16, not UTF-8",
        "error: nothing to lint: name a cassette, a saved listing or a folder of them",
    ]
    (folder / "clean.json").write_text(json.dumps({"tools": [tool()]}))
    beside = cli("lint", "saved", "--format", "json")
    assert beside.exit == 0
    assert beside.problems == alone.problems[:2]
    assert sources(beside) == ["saved/clean.json"]
    assert (beside.json["summary"]["files"], beside.json["summary"]["skipped"]) == (1, 2)


def test_files_of_other_formats_are_left_out_of_a_folder(cli: Run) -> None:
    outcome = cli("lint", "foreign", cwd=FIXTURES)
    assert outcome.exit == 2
    nothing = "foreign: error: nothing to lint: no *.cassette.jsonl and no saved listing in this folder"
    assert outcome.problems == [nothing]


@pytest.mark.parametrize("name", ["everything-stdio.cassette.jsonl", "tiny-server.golden.cassette.jsonl"])
def test_recordings_of_real_servers(name: str, run: Run) -> None:
    outcome = run("lint", "--no-config", name, cwd=FIXTURES)
    assert outcome.stderr == ""
    assert outcome.exit in (0, 4)
    assert f"{name}: header and frames agree (" in outcome.stdout
