"""Suppressions: what the configuration may say, what one matches, when it is over, and what is counted."""

from __future__ import annotations

import datetime
import pickle
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mcp_cassette.config import Suppression, load
from mcp_cassette.errors import ConfigError
from mcp_cassette.lint import suppress
from mcp_cassette.lint.append import append
from mcp_cassette.lint.aside import Accepted, Aside, FileAside
from mcp_cassette.lint.keep import Keep
from mcp_cassette.lint.suppress import Suppressor, check_rules, notes, path_matches, relative_paths, split
from mcp_cassette.model import Evidence, Finding, Level

HEAD = "[[tool.mcp_cassette.lint.suppress]]\n"
ID = "0123456789abcdef"


def read(tmp_path: Path, *tables: str) -> tuple[Suppression, ...]:
    file = tmp_path / "pyproject.toml"
    file.write_text("".join(HEAD + table for table in tables))
    config = load(file)
    assert config is not None
    return config.suppress


def finding(rule: str = "CAS-L001", subject: str = "tool:add", finding_id: str = ID, n: int = 1) -> Finding:
    return Finding(
        rule=rule,
        title="",
        level=Level.WARN,
        confidence="",
        message="",
        help="",
        file="a",
        line=n,
        column=None,
        end_column=None,
        pointer=None,
        surface="tool.description",
        subject=subject,
        method=None,
        request_id=None,
        evidence=Evidence(),
        view="raw",
        softened=None,
        alert_id="",
        finding_id=finding_id,
        family="",
    )


# --- the configuration


def test_every_key(tmp_path: Path) -> None:
    one, two, three = read(
        tmp_path,
        f'finding_id = "{ID}"\nreason = "quoted in the docs"\nuntil = 2031-02-28\n',
        'rule = "CAS-L001"\nsubject = "tool:get_*"\npath = "tests/*"\nreason = "r"\nuntil = "2031-02-28"\n',
        'rule = "CAS-L001"\npath = "tests"\nreason = "r"\n',
    )
    day = datetime.date(2031, 2, 28)
    assert one == Suppression(ID, "", None, None, "quoted in the docs", day, 1)
    assert two == Suppression("", "CAS-L001", "tool:get_*", "tests/*", "r", day, 5)
    assert three == Suppression("", "CAS-L001", None, "tests", "r", None, 11)


def test_an_inline_list(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text(f'[tool.mcp_cassette.lint]\nsuppress = [\n  {{ finding_id = "{ID}", reason = "r" }},\n]\n')
    config = load(file)
    assert config is not None and [(s.finding_id, s.line) for s in config.suppress] == [(ID, 3)]


BROKEN = [
    (f'finding_id = "{ID}"\n', 1, "has no 'reason'"),
    (f'finding_id = "{ID}"\nreason = ""\n', 3, "'reason' must not be empty"),
    (f'finding_id = "{ID}"\nreason = " \\t\\n"\n', 3, "'reason' must not be empty"),
    (f'finding_id = "{ID.upper()}"\nreason = "r"\n', 2, "must look like [0-9a-f]{16}"),
    (f'finding_id = "{ID}"\nrule = "CAS-L001"\npath = "a"\nreason = "r"\n', 1, "exactly one of finding_id, rule"),
    ('reason = "r"\n', 1, "exactly one of finding_id, rule (found none)"),
    (
        f'finding_id = "{ID}"\npath = "a"\nreason = "r"\n',
        3,
        "'path' in [[tool.mcp_cassette.lint.suppress]] means nothing",
    ),
    ('rule = "CAS-L001"\nreason = "r"\n', 2, "at a subject or a path: give one (ignore turns the whole rule off)"),
    ('rule = "CAS-L001"\npth = "a"\nreason = "r"\n', 3, "unknown key 'pth'"),
    ('rule = "CAS-L001"\npath = ""\nreason = "r"\n', 3, "'path' must not be empty"),
    (f'finding_id = "{ID}"\nreson = "r"\n', 3, 'did you mean "reason"?'),
    (f'finding_id = "{ID}"\nreason = "r"\nuntil = "tomorrow"\n', 4, "'until' must look like"),
    (f'finding_id = "{ID}"\nreason = "r"\nuntil = "2030-02-30"\n', 4, "there is no day '2030-02-30'"),
    (f'finding_id = "{ID}"\nreason = "r"\nuntil = 2030-02-03T00:00:00\n', 4, "'until' must be a string"),
    (f'finding_id = "{ID}"\nreason = "r"\nuntil = 2030\n', 4, "'until' must be a string"),
]


@pytest.mark.parametrize(("text", "line", "said"), BROKEN, ids=range(len(BROKEN)))
def test_what_the_configuration_may_not_say(text: str, line: int, said: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as refused:
        read(tmp_path, text)
    assert (refused.value.line, said in refused.value.reason) == (line, True), refused.value


def test_lists_of_the_wrong_kind(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    for value in ("3", '"a"', "{}", "[3]", "[[]]"):
        file.write_text(f"[tool.mcp_cassette.lint]\nsuppress = {value}\n")
        with pytest.raises(ConfigError, match="'suppress' must be a list of tables"):
            load(file)


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    file.write_text('[tool.mcp_cassette.lint]\nknown_findings = "a\\u0000b"\n')
    with pytest.raises(ConfigError, match=":2: 'known_findings' is no name of a file"):
        load(file)


def test_rules_that_are_not_there(tmp_path: Path) -> None:
    some = read(
        tmp_path, 'rule = "CAS-L001"\npath = "a"\nreason = "r"\n', 'rule = "CAS-L01"\npath = "a"\nreason = "r"\n'
    )
    check_rules(some[:1], {"CAS-L001"}, set(), "p.toml")
    with pytest.raises(ConfigError, match=r'^p\.toml:5: no rule \'CAS-L01\' \(did you mean "CAS-L001"\?\)$'):
        check_rules(some, {"CAS-L001"}, set(), "p.toml")
    with pytest.raises(ConfigError, match=r"^p\.toml:1: CAS-L001 cannot be suppressed"):
        check_rules(some, {"CAS-L001"}, {"CAS-L001"}, "p.toml")


# --- matching


PATHS = [
    ("tests/a.cassette.jsonl", True),
    ("./tests/a.cassette.jsonl", True),
    ("tests/*.cassette.jsonl", True),
    ("tests", True),
    ("tests/", True),
    ("*", True),
    ("*.jsonl", True),
    ("**/a.cassette.jsonl", True),
    ("**/tests/*", True),
    ("te[rs]ts/*", True),
    ("a.cassette.jsonl", False),
    ("test", False),
    ("Tests/*", False),
    ("tests/a", False),
    ("src/*", False),
    ("[", False),
]


@pytest.mark.parametrize(("glob", "expected"), PATHS)
def test_paths(glob: str, expected: bool) -> None:
    assert path_matches(glob, {"tests/a.cassette.jsonl"}) is expected


def test_paths_are_relative_to_the_configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to("sub")
    monkeypatch.chdir(tmp_path / "sub")
    assert relative_paths("a.json", tmp_path) == {"sub/a.json"}
    assert relative_paths(str(tmp_path / "b.json"), tmp_path) == {"b.json"}
    assert relative_paths(str(tmp_path / "link" / "a.json"), tmp_path) == {"sub/a.json", "link/a.json"}
    assert relative_paths(str(tmp_path / "a.json"), Path()) == {"../a.json"}
    assert relative_paths("<stdin>", tmp_path) == {"<stdin>"}


def test_rule_subject_and_path_must_all_hold(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    both = read(tmp_path, 'rule = "CAS-L001"\nsubject = "tool:get_*"\npath = "tests/*"\nreason = "r"\n')
    inside, outside = Suppressor(both, "tests/a", tmp_path), Suppressor(both, "src/a", tmp_path)
    assert (bool(inside), bool(outside)) == (True, False)
    for subject, rule, expected in [
        ("tool:get_issue", "CAS-L001", True),
        ("tool:get_\nx", "CAS-L001", True),
        ("tool:Get_issue", "CAS-L001", False),
        ("prompt:get_issue", "CAS-L001", False),
        ("x tool:get_issue", "CAS-L001", False),
        ("", "CAS-L001", False),
        ("tool:get_issue", "CAS-L002", False),
        ("tool:get_issue", "CAS-L0011", False),
    ]:
        assert inside.matches(finding(rule, subject)) is expected, subject
        assert outside.matches(finding(rule, subject)) is False
    assert (inside.used, outside.used) == ({0}, set())


def test_a_hostile_subject_takes_little_time(tmp_path: Path) -> None:
    # The time limit of the whole suite is the judge: a backtracking glob would need longer than the universe has.
    some = read(tmp_path, f'rule = "CAS-L001"\nsubject = "{"*a" * 30}b"\nreason = "r"\n')
    assert not Suppressor(some, "a", tmp_path).matches(finding(subject="a" * 20_000))


def test_every_suppression_that_matches_is_used(tmp_path: Path) -> None:
    some = read(
        tmp_path,
        f'finding_id = "{ID}"\nreason = "r"\n',
        'rule = "CAS-L001"\nsubject = "tool:*"\nreason = "r"\n',
        'rule = "CAS-L001"\nsubject = "prompt:*"\nreason = "r"\n',
    )
    suppressor = Suppressor(some, "a", tmp_path)
    assert suppressor.matches(finding()) and suppressor.used == {0, 1}
    assert suppressor.matches(finding("CAS-L002"))
    assert not suppressor.matches(finding("CAS-L002", finding_id="f" * 16))


# --- dates and notes


def test_the_last_day_counts(tmp_path: Path) -> None:
    some = read(
        tmp_path, f'finding_id = "{ID}"\nreason = "r"\nuntil = 2030-05-31\n', f'finding_id = "{ID}"\nreason = "s"\n'
    )
    for day, over in (("2030-05-30", 0), ("2030-05-31", 0), ("2030-06-01", 1), ("2031-01-01", 1)):
        active, ended = split(some, datetime.date.fromisoformat(day))
        assert (len(active), len(ended)) == (2 - over, over), day


def test_today_is_a_day() -> None:
    assert abs(suppress.today() - datetime.datetime.now(datetime.UTC).date()) <= datetime.timedelta(days=1)


def test_notes(tmp_path: Path) -> None:
    some = read(
        tmp_path,
        f'finding_id = "{ID}"\nreason = "r"\nuntil = 2030-05-31\n',
        f'finding_id = "{ID}"\nreason = "r"\n',
        'rule = "CAS-L001"\nsubject = "tool:*"\nreason = "r"\n',
        'rule = "CAS-L001"\nsubject = "tool:*"\npath = "a/*"\nreason = "r"\n',
        'rule = "CAS-L001"\npath = "a/b"\nreason = "r"\n',
    )
    active, over = split(some, datetime.date(2031, 1, 1))
    ended = f"p:1: the suppression of {ID} ended on 2030-05-31: its findings count again"
    unused = [
        f"p:5: the suppression of {ID} matches nothing: it can go",
        "p:8: the suppression of CAS-L001 (subject 'tool:*') matches nothing: it can go",
        "p:12: the suppression of CAS-L001 (subject 'tool:*', path 'a/*') matches nothing: it can go",
        "p:17: the suppression of CAS-L001 (path 'a/b') matches nothing: it can go",
    ]

    def said(used: set[int], linted: set[str], whole: bool) -> list[str]:
        return list(notes(active, over, used, linted, "p", whole=whole))

    assert said(set(), set(), True) == [ended, *unused]
    assert said({0, 2}, set(), True) == [ended, unused[1], unused[3]]
    # A run over some of the files knows only what is said of exactly one of them.
    assert said(set(), {"a/b", "a/c"}, False) == [ended, unused[3]]
    assert said({3}, {"a/b"}, False) == said(set(), {"a/c"}, False) == [ended]


# --- what becomes of a finding


def settled(aside: Aside, *findings: Finding) -> list[str]:
    file = FileAside(aside, "a")
    return [file.settle(f).status for f in findings]


def test_status(tmp_path: Path) -> None:
    other = finding(finding_id="f" * 16)
    by_id = Suppression(ID, "", None, None, "r", None, 1)
    assert settled(Aside(), finding()) == ["new"]
    assert settled(Aside(known=frozenset({ID})), finding(), other) == ["known", "new"]
    assert settled(Aside(suppressions=(by_id,)), finding(), other) == ["suppressed", "new"]
    assert settled(Aside(frozenset({ID, "f" * 16}), (by_id,)), finding(), other) == ["suppressed", "known"]
    # What ran out of its time stays; what takes a reason is not known.
    assert settled(Aside(frozenset({ID}), (by_id,), never=frozenset({"CAS-L001"})), finding()) == ["new"]
    firm = Aside(frozenset({ID}), accept=True, not_known=frozenset({"CAS-L001"}))
    assert settled(firm, finding()) == ["new"]
    assert settled(replace(firm, suppressions=(by_id,)), finding()) == ["suppressed"]


def test_what_an_update_accepts() -> None:
    by_id = Suppression(ID, "", None, None, "r", None, 1)
    entry = Accepted("CAS-L001", "tool:add", "tool.description", ID)

    def accepted(aside: Aside) -> set[Accepted]:
        file = FileAside(aside, "a")
        file.settle(finding())
        file.settle(finding())
        return file.accepted

    assert accepted(Aside(accept=True)) == {entry}
    assert accepted(Aside(accept=True, known=frozenset({ID}))) == {entry}
    # A suppression has an end, perhaps: the list must not outlive it. What was on the list before stays.
    assert accepted(Aside(accept=True, suppressions=(by_id,))) == set()
    assert accepted(Aside(accept=True, suppressions=(by_id,), known=frozenset({ID}))) == {entry}
    assert accepted(Aside(known=frozenset({ID}))) == set()


def test_it_travels_to_other_processes() -> None:
    aside = Aside(frozenset({ID}), (Suppression("", "R", "*", "*", "r", datetime.date(2030, 1, 1), 1),), Path("a"))
    assert pickle.loads(pickle.dumps(aside)) == aside


# --- counting


def kept(show: bool, *statuses: str, limit: int = 3) -> Any:
    keep = Keep(limit, show=show)
    for n, status in enumerate(statuses, 1):
        keep.add(replace(finding(n=n), status=status))
    listed = [(f.line, f.status[0]) for f in keep.findings()]
    return keep.total, keep.aside["known"], keep.aside["suppressed"], keep.capped, sum(keep.levels.values()), listed


def test_what_is_set_aside_takes_no_room() -> None:
    statuses = ["known"] * 5 + ["suppressed"] * 4 + ["new"] * 3
    assert kept(False, *statuses) == (3, 5, 4, 0, 3, [(10, "n"), (11, "n"), (12, "n")])
    assert kept(False, *statuses, "new") == (4, 5, 4, 1, 4, [(10, "n"), (11, "n"), (12, "n")])


def test_what_is_shown_takes_the_room_that_is_left() -> None:
    statuses = ["known", "new", "suppressed", "new"]
    assert kept(True, *statuses) == (2, 1, 1, 1, 2, [(1, "k"), (2, "n"), (4, "n")])
    assert kept(True, *statuses, "new") == (3, 1, 1, 2, 3, [(2, "n"), (4, "n"), (5, "n")])
    assert kept(True, *statuses, limit=9) == (2, 1, 1, 0, 2, [(1, "k"), (2, "n"), (3, "s"), (4, "n")])


# --- the block


@pytest.mark.parametrize(
    ("before", "gap"),
    [
        (b"", b""),
        (b"\n", b""),
        (b"a = 1\n", b"\n"),
        (b"a = 1\n\n", b""),
        (b"a = 1\n\n\n", b""),
        (b"a = 1", b"\n\n"),
        (b"# end", b"\n\n"),
        (b"a = 1\r\n", b"\r\n"),
        (b"a = 1\r\n\r\n", b""),
        (b"a = 1\r\nb = 2", b"\r\n\r\n"),
        (b"\xef\xbb\xbf", b""),
        (b"\xef\xbb\xbfa = 1\n", b"\n"),
        (b"  ", b"\n"),
    ],
)
def test_an_empty_line_stands_before_the_block(before: bytes, gap: bytes) -> None:
    end = b"\r\n" if b"\r\n" in before else b"\n"
    after, line = append(before, ID, "r", datetime.date(2030, 1, 31), "p")
    table = f'[[tool.mcp_cassette.lint.suppress]]\nfinding_id = "{ID}"\nreason = "r"\nuntil = 2030-01-31'
    lines = table.encode().split(b"\n")
    assert after == before + gap + b"".join(part + end for part in lines)
    assert after.removeprefix(b"\xef\xbb\xbf").splitlines()[line - 1] == lines[0]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool.mcp_cassette.lint]\nsuppress = []\n", "p:2: suppress is written inline"),
        ("[tool.mcp_cassette.lint]\nsuppress = [\n]\n", "p:2: suppress is written inline"),
        ("[tool]\nmcp_cassette = {}\n", "p:2: tool.mcp_cassette is written inline"),
        ("[a]\n[tool.mcp_cassette]\nlint = { paths = [] }\n", "p:3: tool.mcp_cassette.lint is written inline"),
        ("tool = {}\n", "p:1: tool is written inline"),
    ],
)
def test_files_that_take_no_block(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        append(text.encode(), ID, 'a "b"', datetime.date(2030, 1, 31), "p")
    assert str(refused.value).startswith(said)
    assert str(refused.value).endswith(f'{{ finding_id = "{ID}", reason = "a \\"b\\"", until = 2030-01-31 }}')
