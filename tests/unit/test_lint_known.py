"""The file of known findings: its bytes, what is read of it, what an update keeps."""

from __future__ import annotations

import json
import random
import stat
import subprocess
from pathlib import Path

import jsonschema
import pytest

from mcp_cassette.errors import ConfigError
from mcp_cassette.lint.aside import Accepted
from mcp_cassette.lint.known import KNOWN, Known, Seen, read, update, write, written
from mcp_cassette.shape import schema
from support import ROOT, clean_environment

A = Known("a.cassette.jsonl", "CAS-L001", "tool:add", "tool.description", "0" * 15 + "a")
B = Known("b.cassette.jsonl", "CAS-L001", "tool:add", "tool.description", "0" * 15 + "b")
C = Known("b.cassette.jsonl", "CAS-L006", "", "", "0" * 15 + "c")
FILE = """\
{"version":1,"findings":[
 {"finding_id": "000000000000000a", "rule": "CAS-L001", "subject": "tool:add", "surface": "tool.description", \
"file": "a.cassette.jsonl"},
 {"finding_id": "000000000000000b", "rule": "CAS-L001", "subject": "tool:add", "surface": "tool.description", \
"file": "b.cassette.jsonl"}
]}
"""
SCHEMA = json.loads((ROOT / "schemas" / "known-findings.schema.json").read_text(encoding="utf-8"))


def test_the_bytes() -> None:
    assert written([B, A]).decode() == FILE
    assert written([]) == b'{"version":1,"findings":[\n]}\n'


def test_the_order_and_repetitions_of_the_input_change_nothing() -> None:
    entries = [Known(f"{n % 7}", f"R{n % 3}", f"tool:{n % 5}", "", f"{n:016x}") for n in range(200)]
    shuffled = random.Random(7).sample(entries, 200) + entries[:20]
    assert written(shuffled) == written(entries)
    rows = [json.loads(line.rstrip(",")) for line in written(entries).decode().splitlines()[1:-1]]
    keys = [(r["file"], r["rule"], r["subject"], r["surface"], r["finding_id"]) for r in rows]
    assert keys == sorted(keys) and len(keys) == 200


def test_what_is_written_is_read(tmp_path: Path) -> None:
    odd = Known("ünï cödé\n.json", "R", 'tool:"\u202e\ud800\\', "", "f" * 16)
    path = tmp_path / "k.json"
    write(path, "k.json", {A, B, C, odd})
    assert read(path, "k.json") == {A, B, C, odd}
    assert path.read_bytes().isascii()
    assert list(tmp_path.iterdir()) == [path]
    assert list(jsonschema.Draft202012Validator(SCHEMA).iter_errors(json.loads(path.read_bytes()))) == []


def test_the_schema_is_the_shape_that_is_read() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    assert {k: v for k, v in SCHEMA.items() if k not in ("$schema", "$id", "title")} == schema(KNOWN)


def test_a_file_that_is_right_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    write(path, "", {A})
    path.chmod(0o640)
    before = path.stat()
    write(path, "", {A})
    assert path.stat() == before
    write(path, "", {A, B})
    assert path.stat().st_ino != before.st_ino and stat.S_IMODE(path.stat().st_mode) == 0o640


def test_a_link_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "real.json").write_bytes(written([A]))
    (tmp_path / "k.json").symlink_to("real.json")
    write(tmp_path / "k.json", "", {B})
    assert (tmp_path / "k.json").is_symlink() and read(tmp_path / "real.json", "") == {B}


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^gone/k\.json: the known findings cannot be written: No such file"):
        write(tmp_path / "gone" / "k.json", "gone/k.json", {A})


ENTRY = '{"finding_id": "000000000000000a", "rule": "R", "subject": "", "surface": "", "file": "a"}'
BROKEN = [
    ("", "k.json:1:1: not JSON: Expecting value"),
    ("[]", "k.json:1: not a file of known findings"),
    ('{"version":1}', "k.json:1: the file of known findings has no 'findings'"),
    ('{"version":2,"findings":[]}', "k.json:1: 'version' must be at most 1"),
    ('{"version":true,"findings":[]}', "k.json:1: 'version' must be a whole number"),
    ('{\n"version":1,\n"findings":{}}', "k.json:3: 'findings' must be a list of tables"),
    ('{"version":1,"findings":[],\n"x":1}', "k.json:2: unknown key 'x' in the file of known findings"),
    (
        '{"version":1,"findings":[\n' + ENTRY + ",\n" + ENTRY.replace('"file"', '"flie"') + "]}",
        "k.json:3: unknown key 'flie' in a known finding (did you mean \"file\"?)",
    ),
    (
        '{"version":1,"findings":[\n' + ENTRY.replace("0a", "0A") + "\n]}",
        "k.json:2: 'finding_id' must look like [0-9a-f]{16}",
    ),
    ('{"version":1,"findings":[\n' + ENTRY + ",\n{}]}", "k.json:3: a known finding has no 'finding_id'"),
    (
        FILE.replace(" {", "<<<<<<< HEAD\n {", 1),
        "k.json:2:1: not JSON: Expecting value",
    ),
    ('{"version":1,"findings":[\n' + ENTRY + "\n" + ENTRY + "\n7]}", "k.json:4: not an entry"),
    ('{"version":1,"findings":[\n' + ENTRY + "\n" + ENTRY + "\n{}]}", "k.json:4: a known finding has no 'finding_id'"),
    ('{"version":1,"findings":[\n' + ENTRY + "\n", "k.json:3:1: not JSON: Expecting ',' delimiter"),
    ("[" * 200_000, "k.json: nested too deep"),
    ('{"version":' + "1" * 9000 + "}", "k.json: not JSON: Exceeds the limit"),
]


@pytest.mark.parametrize(("text", "said"), BROKEN, ids=range(len(BROKEN)))
def test_broken_files_are_refused_with_their_line(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_text(text)
    with pytest.raises(ConfigError) as refused:
        read(path, "k.json")
    assert str(refused.value).startswith(said)


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    path.write_bytes(b'{"version":1,"findings":["\xff"]}')
    with pytest.raises(ConfigError, match=r"^k\.json: not UTF-8$"):
        read(path, "k.json")
    path.write_bytes(b"\xef\xbb\xbf" + written([A]))
    assert read(path, "") == {A}
    with pytest.raises(ConfigError, match=r"^gone: .*No such file or directory \(--update-known-findings writes it\)$"):
        read(tmp_path / "gone", "gone")


# --- merging


def git(folder: Path, *words: str) -> int:
    quiet = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
    done = subprocess.run(
        ["git", *quiet, *words], cwd=folder, env=clean_environment(), capture_output=True, check=False
    )
    return done.returncode


def entry(file: str, n: int) -> Known:
    return Known(file, "CAS-L001", "tool:add", "tool.description", f"{n:016x}")


@pytest.mark.parametrize(
    ("ours", "theirs", "union"),
    [
        ("a", "n", False),  # before, and in the middle
        ("d", "z", False),  # in the middle, and at the end
        ("z", "zz", True),  # both at the end: git cannot know the order, unless it is told that there is none
        ("a", "aa", True),
    ],
)
def test_branches_that_accept_different_findings_merge(ours: str, theirs: str, union: bool, tmp_path: Path) -> None:
    path = tmp_path / "k.json"
    base = {entry(f, n) for n, f in enumerate("cmt")}
    write(path, "", base)
    (tmp_path / ".gitattributes").write_text("k.json merge=union\n" if union else "")
    assert git(tmp_path, "init") == git(tmp_path, "add", ".") == git(tmp_path, "commit", "-m", "base") == 0
    for branch, file, n in (("ours", ours, 10), ("theirs", theirs, 11)):
        assert git(tmp_path, "checkout", "-q", "-b", branch, "main") == 0
        write(path, "", base | {entry(file, n)})
        assert git(tmp_path, "commit", "-q", "-a", "-m", branch) == 0
    assert git(tmp_path, "merge", "-q", "--no-edit", "ours") == 0
    merged = read(path, "k.json")
    assert merged == base | {entry(ours, 10), entry(theirs, 11)}
    if not union:
        assert path.read_bytes() == written(merged)


# --- updates


RAN = frozenset({("CAS-L001", "tool.description"), ("CAS-L001", ""), ("CAS-L006", "")})
ACCEPTED = Accepted(*A[1:])


def changes(old: set[Known], seen: list[Seen], path: Path) -> tuple[set[Known], tuple[int, int, int]]:
    done = update(old, seen, RAN, path)
    return set(done.entries), (done.added, done.kept, done.dropped)


@pytest.fixture
def path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("a.cassette.jsonl", "b.cassette.jsonl"):
        (tmp_path / name).touch()
    return tmp_path / "k.json"


def test_an_update_adds_keeps_and_drops(path: Path) -> None:
    other = A._replace(finding_id="1" * 16)
    seen = [Seen("a.cassette.jsonl", {ACCEPTED, Accepted(*other[1:])}, True), Seen("b.cassette.jsonl", set(), True)]
    assert changes({A, B, C}, seen, path) == ({A, other}, (1, 1, 2))


def test_entries_of_files_that_were_not_linted_stay(path: Path) -> None:
    assert changes({A, B, C}, [Seen("a.cassette.jsonl", set(), True)], path) == ({B, C}, (0, 2, 1))
    gone = A._replace(file="gone.cassette.jsonl")
    piped = A._replace(file="<stdin>")
    assert changes({gone, piped, B}, [], path) == ({piped, B}, (0, 2, 1))


def test_entries_of_files_that_were_not_read_to_the_end_stay(path: Path) -> None:
    assert changes({B, C}, [Seen("b.cassette.jsonl", set(), False)], path) == ({B, C}, (0, 2, 0))


def test_entries_that_no_rule_of_the_run_could_find_stay(path: Path) -> None:
    house = A._replace(rule="ACME001")
    elsewhere = A._replace(surface="output.tool")
    seen = [Seen("a.cassette.jsonl", set(), True)]
    assert changes({A, house, elsewhere}, seen, path) == ({house, elsewhere}, (0, 2, 1))


def test_an_entry_moves_with_its_file(path: Path) -> None:
    moved = A._replace(file="sub/c.cassette.jsonl")
    (path.parent / "a.cassette.jsonl").unlink()
    assert changes({A}, [Seen("sub/c.cassette.jsonl", {ACCEPTED}, True)], path) == ({moved}, (1, 0, 1))


def test_files_are_named_from_the_folder_of_the_known_findings(path: Path) -> None:
    deep = path.parent / "lint" / "k.json"
    done, _ = changes(set(), [Seen("a.cassette.jsonl", {ACCEPTED}, True)], deep)
    assert {k.file for k in done} == {"../a.cassette.jsonl"}


def test_a_long_subject_is_cut(path: Path) -> None:
    long = ACCEPTED._replace(subject="tool:" + "x" * 5000)
    done, _ = changes(set(), [Seen("a.cassette.jsonl", {long}, True)], path)
    assert [len(k.subject) for k in done] == [200]
    assert changes(done, [Seen("a.cassette.jsonl", {long}, True)], path) == (done, (0, 1, 0))
