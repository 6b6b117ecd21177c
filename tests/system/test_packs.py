"""House packs through the command line: found, refused with a place, tested; and what README promises about them."""

# ruff: noqa: E501 (tables: one case a line)

from __future__ import annotations

import re
import resource
import shlex
import time
from pathlib import Path

import pytest

from support import ROOT, MakeCassette, Run, call, tool, tools
from support import SLOW as SLOW_RULE

FILE = "session.cassette.jsonl"
PACK = """\
format = 1

[pack]
name = "acme"
prefix = "ACME"

[[rule]]
id = "ACME001"
message = "names a host that is not ours"
level = "error"
regex = 'https?://[^\\s<>"]{3,200}'
except = ["ours"]

[rule.pattern.ours]
regex = 'https?://([a-z0-9-]{1,63}\\.){0,5}acme\\.example(/|$|\\s)'

[[rule.test]]
text = "Reports are sent to https://collector.example/in"
match = true

[[rule.test]]
text = "See https://docs.acme.example/tools for the format."
match = false
"""
ELSEWHERE = "See https://elsewhere.example/a and https://docs.acme.example/b."


def test_a_house_pack_lints(run: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PACK)
    cassette([*tools(tool(description=ELSEWHERE)), *call(ELSEWHERE, 2), *call("https://docs.acme.example/", 3)])
    outcome = run("lint", "--pack", "acme.toml", FILE)
    # A house rule may be an error on output.
    assert (outcome.exit, outcome.findings) == (4, [("error", "ACME001"), ("error", "ACME001")])
    assert "names a host that is not ours (tool.description, tool:add)" in outcome.stdout
    first = run("lint", "--pack", "acme.toml", FILE, "--format", "json").json["findings"][0]
    assert first["evidence_match"] == "https://elsewhere.example/a"
    assert (first["family"], first["message"]) == ("house", "names a host that is not ours")


# What is changed in the pack → the line, the rule and the key of the complaint, and words of it.
BROKEN = [
    ("except = ", "excpt = ", "12: rule ACME001, key excpt: ", 'unknown key \'excpt\' in a rule (did you mean "except"?)'),
    ('level = "error"', 'level = "eror"', "10: rule ACME001, key level: ", 'did you mean "error"?'),
    ('except = ["ours"]', 'except = ["our"]', "12: rule ACME001, key except", 'did you mean "ours"?'),
    ("https?://[^", "(https?://[^", "11: rule ACME001, key regex: ", ""),
    ("https?://[^", "(?P<a>h)(?P=a)https?://[^", "11: rule ACME001, key regex: ", "portable subset"),
    ("https?://[^", "(?R)?https?://[^", "11: rule ACME001, key regex: ", "portable subset"),
    ('level = "error"', "level = 3", "10: rule ACME001, key level: ", ""),
    ('message = "names', 'mesage = "names', "9: rule ACME001, key mesage: ", 'did you mean "message"?'),
    ('id = "ACME001"\n', "", "7: ", "id"),
    ('id = "ACME001"', 'id = "OTHER001"', "8: rule OTHER001, key id: ", "ACME"),
    ('id = "ACME001"', 'id = "CAS-L001"', "8: rule CAS-L001, key id: ", ""),
    ('prefix = "ACME"', 'prefix = "CAS-"', "5: ", "reserved"),
    ('prefix = "ACME"', 'prefix = "R"', "5: ", "reserved"),
    ("match = true", 'match = "yes"', "19: rule ACME001", "match"),
    ("match = true", 'match = true\non = "output.tol"', "20: rule ACME001", 'did you mean "output.tool"?'),
    ("match = true", "matches = true", "19: rule ACME001", 'did you mean "match"?'),
    ("format = 1", "format = 2", "1: ", "format"),
    ("format = 1", "", "1: ", "format"),
    ("[pack]", "[pakc]", "3: ", 'did you mean "pack"?'),
    ("[[rule]]", "[[rules]]", "7: ", 'did you mean "rule"?'),
    ("match = false", 'match = false\n[rule.on.output]\ncapp = "warn"', "25: rule ACME001", 'did you mean "cap"?'),
    ("match = false", 'match = false\n[rule.on.outptu]\ncap = "warn"', "24: rule ACME001", 'did you mean "output"?'),
    ("match = false", "match = false\n[[rule]]\nid = \"ACME001\"\nmessage = 'x'\nwords = ['x']", "25: rule ACME001", ""),
    ("match = false", "match = ", "23", ""),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "place", "said"), BROKEN, ids=[row[1][:24] for row in BROKEN])
def test_a_broken_pack_names_file_line_rule_and_key(
    old: str, new: str, place: str, said: str, cli: Run, cassette: MakeCassette, tmp_path: Path
) -> None:
    assert old in PACK
    (tmp_path / "acme.toml").write_text(PACK.replace(old, new, 1))
    cassette(call("Sunny."))
    for command in (["lint", FILE, "--pack", "acme.toml"], ["pack", "test", "acme.toml"]):
        outcome = cli(*command)
        assert (outcome.exit, outcome.stdout) == (2, "")
        [problem] = outcome.problems
        assert problem.startswith(f"mcp-cassette: acme.toml:{place}")
        assert said in problem


def test_all_packs_load_or_none(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "good.toml").write_text(PACK)
    (tmp_path / "bad.toml").write_text(PACK.replace("ACME", "BAD").replace("words", "wrds").replace("regex", "rgex"))
    cassette(call(ELSEWHERE))
    outcome = cli("lint", FILE, "--pack", "good.toml", "--pack", "bad.toml")
    assert (outcome.exit, outcome.stdout) == (2, "")
    assert outcome.stderr.startswith("mcp-cassette: bad.toml:11: rule BAD001, key rgex: ")


def test_ids_are_unique_across_packs(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "one.toml").write_text(PACK)
    (tmp_path / "two.toml").write_text(PACK.replace('"acme"', '"other"'))
    cassette(call(ELSEWHERE))
    outcome = cli("lint", FILE, "--pack", "one.toml", "--pack", "two.toml")
    assert outcome.exit == 2
    assert outcome.stderr.startswith("mcp-cassette: two.toml:8: rule ACME001, key id: ")


@pytest.mark.parametrize(
    ("data", "said"),
    [(b"", "format"), (b"\xff\xfe", "UTF-8"), (b"\x00", "TOML"), (b"[" * 20_000, "TOML"), (b"a = " + b"[" * 20_000, "")],
    ids=["empty", "not UTF-8", "NUL", "brackets", "deep"],
)  # fmt: skip
def test_a_pack_that_is_no_toml(data: bytes, said: str, cli: Run, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_bytes(data)
    outcome = cli("pack", "test", "acme.toml")
    assert (outcome.exit, outcome.stdout) == (2, "")
    [problem] = outcome.problems
    assert problem.startswith("mcp-cassette: acme.toml") and said in problem


def test_pack_test_passes(run: Run, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PACK)
    outcome = run("pack", "test", "acme.toml")
    assert (outcome.exit, outcome.stderr) == (0, "")
    assert outcome.stdout == "result: PASS (2 passed, 0 failed; 1 pack, 1 rule)\n"
    verbose = run("pack", "test", "acme.toml", "--verbose")
    assert verbose.stdout.splitlines()[0] == "ok  ACME001  2/2  names a host that is not ours"


FAILING = [
    ("match = true", "match = false", "acme.toml:17: ACME001 test 1 on server.instructions: expected no match, found "),
    ("https://docs.acme", "https://docs.other", "acme.toml:21: ACME001 test 2 on server.instructions: expected no match"),
    ("https://collector", "ftp://collector", "acme.toml:17: ACME001 test 1 on server.instructions: expected a match"),
    ("match = true", 'match = true\nlevel = "warn"', "acme.toml:17: ACME001 test 1 on server.instructions: expected level"),
    ("match = true", 'match = true\nspans = ["x"]', "acme.toml:17: ACME001 test 1 on server.instructions: expected the spans"),
    ("match = true", 'match = true\non = "tool.name"', "acme.toml:17: ACME001 test 1 on tool.name: expected a match, but"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "said"), FAILING, ids=range(len(FAILING)))
def test_pack_test_fails(old: str, new: str, said: str, cli: Run, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PACK.replace(old, new, 1))
    outcome = cli("pack", "test", "acme.toml")
    assert (outcome.exit, outcome.stderr) == (1, "")
    assert outcome.stdout.startswith(said)
    assert outcome.last == "result: FAIL (1 passed, 1 failed; 1 pack, 1 rule)"


def test_pack_test_of_the_bundled_packs_and_those_of_the_config(cli: Run, tmp_path: Path) -> None:
    bundled = cli("pack", "test")
    counts = [int(n) for n in re.findall(r"\d+", bundled.last)]
    (tmp_path / "acme.toml").write_text(PACK)
    (tmp_path / "pyproject.toml").write_text('[tool.mcp_cassette.lint]\npacks = ["acme.toml"]\n')
    every = [int(n) for n in re.findall(r"\d+", cli("pack", "test").last)]
    assert every == [counts[0] + 2, 0, counts[2] + 1, counts[3] + 1]
    assert cli("pack", "test", "acme.toml").stdout == "result: PASS (2 passed, 0 failed; 1 pack, 1 rule)\n"
    assert cli("pack", "test", "--no-config").last == bundled.last


SLOW = (
    SLOW_RULE
    + """\
[[rule]]
id = "SLOW002"
message = "ends"
words = ["needle"]
[[rule.test]]
text = "needle"
match = true
"""
)


def test_a_pattern_that_never_ends_is_stopped(run: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    cassette([*call("a" * 40 + "b"), *call("needle", 2)])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    outcome = run("lint", "--pack", "slow.toml", FILE, timeout=30)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    # Seconds of the process: those on the clock are others' as well.
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 2
    assert outcome.exit == 2
    assert outcome.findings == [("error", "CAS-X001"), ("warn", "SLOW002")]
    assert "SLOW001" in outcome.stdout
    report = run("lint", "--pack", "slow.toml", FILE, "--format", "json").json
    assert report["findings"][0]["message"].endswith(": SLOW001")
    assert report["summary"]["out_of_budget"] == 1


def test_a_rule_that_runs_out_again_and_again_is_benched(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    cassette([line for i in range(40) for line in call("a" * 40 + f"b{i}", i)])
    started = time.process_time()
    outcome = cli("lint", "--pack", "slow.toml", FILE)
    assert time.process_time() - started < 5
    assert outcome.exit == 2
    assert outcome.findings == [("error", "CAS-X001")] * 3
    said = "SLOW001 ran out of its time budget too often and was not tried on the rest of the file"
    assert outcome.problems == [f"{FILE}: error: {said}"]


def test_the_old_pack_format(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "old.toml").write_text(
        'version = 1\nname = "old"\n[[patterns]]\nid = "OLD1"\nlabel = "old style"\nregex = "lorem\\\\s+ipsum"\n'
        'flags = "i"\nseverity = "warning"\nsurfaces = ["description", "result"]\nmessage = "says lorem ipsum"\n'
    )
    cassette([*tools(tool(description="Lorem  ipsum.")), *call("LOREM ipsum", 2), *call("lorem", 3)])
    outcome = cli("lint", "--pack", "old.toml", FILE)
    assert (outcome.exit, outcome.stderr) == (0, "")
    assert outcome.findings == [("warn", "OLD1"), ("warn", "OLD1")]
    tested = cli("pack", "test", "old.toml")
    assert tested.exit == 0 and "1 rule has no tests (packs of the old format have none)" in tested.stdout


# README.md


def walk_through() -> tuple[str, str, list[str], str]:
    """The file of the house rule, its text, the console commands with their output, and the complaint shown."""
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    section = readme.split("## A house rule in five minutes\n")[1].split("\n## ")[0]
    file = re.findall(r"Save this as `([^`]+)`", section)[0]
    blocks = re.findall(r"```(\w+)\n(.*?)```", section, re.DOTALL)
    [pack] = [text for kind, text in blocks if kind == "toml"]
    consoles = [text.splitlines() for kind, text in blocks if kind == "console"]
    return file, pack, consoles[0], consoles[1][0]


def test_the_walk_through_of_the_readme(run: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    file, pack, console, complaint = walk_through()
    (tmp_path / file).parent.mkdir(parents=True)
    (tmp_path / file).write_text(pack)
    cassette(call(ELSEWHERE), f"tests/cassettes/{FILE}")
    commands = [line[2:] for line in console if line.startswith("$ ")]
    assert [shlex.split(command)[:2] for command in commands] == [["mcp-cassette", "pack"], ["mcp-cassette", "lint"]]
    tested = run(*shlex.split(commands[0])[1:])
    assert tested.exit == 0
    assert tested.stdout.splitlines() == console[1 : console.index("$ " + commands[1])]
    linted = run(*shlex.split(commands[1])[1:])
    assert (linted.exit, linted.findings) == (4, [("error", "ACME001")])
    # "and add `packs = […]` to the table above"
    (tmp_path / "pyproject.toml").write_text(f'[tool.mcp_cassette.lint]\npacks = ["{file}"]\n')
    assert run("lint", "tests/cassettes").stdout == linted.stdout
    (tmp_path / file).write_text(pack.replace("except", "excpt", 1))
    assert run("lint", "tests/cassettes").problems == [complaint]
