"""The exit statuses that lint, rules, explain and pack test can end with, and which wins when several hold."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from support import HEADER, POISON, SLOW, MakeCassette, Run, call, clean_environment, command, exchange, tool, tools

MODERN = {**HEADER, "era": "modern"}
HANDSHAKE = exchange("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "a"}})
CUT = '{"type":"frame","t":9,"dir":"s2c","fra'

PACK = """\
format = 1
[pack]
name = "acme"
prefix = "ACME"
[[rule]]
id = "ACME001"
message = "says lorem"
level = "LEVEL"
words = ["lorem"]
[[rule.test]]
text = "lorem ipsum"
match = true
"""


def test_0_clean(run: Run, cassette: MakeCassette) -> None:
    cassette(call("Sunny."))
    outcome = run("lint", "session.cassette.jsonl")
    assert (outcome.exit, outcome.stderr) == (0, "")
    assert outcome.last.startswith("result: PASS (0 errors, 0 warnings, 0 info; 1 file, 3 lines, ")


def test_1_a_file_that_contradicts_itself(run: Run, cassette: MakeCassette) -> None:
    cassette(HANDSHAKE, header=MODERN)
    outcome = run("lint", "session.cassette.jsonl")
    assert (outcome.exit, outcome.stderr) == (1, "")
    assert outcome.findings == [("error", "CAS-F001")]
    assert "session.cassette.jsonl: header and frames contradict each other (3 lines, 2 frames" in outcome.stdout


def test_1_a_failed_inline_test(run: Run, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PACK.replace("LEVEL", "warn").replace("match = true", "match = false"))
    outcome = run("pack", "test", "acme.toml")
    assert (outcome.exit, outcome.stderr) == (1, "")
    assert outcome.stdout.splitlines() == [
        'acme.toml:10: ACME001 test 1 on server.instructions: expected no match, found "lorem"',
        '    text: "lorem ipsum"',
        "result: FAIL (0 passed, 1 failed; 1 pack, 1 rule)",
    ]


def test_4_a_finding_at_the_gate(run: Run, cassette: MakeCassette) -> None:
    cassette(tools(tool(description=POISON)))
    outcome = run("lint", "session.cassette.jsonl")
    assert (outcome.exit, outcome.stderr) == (4, "")
    assert outcome.findings == [("error", "CAS-L001")]
    assert outcome.last.startswith("result: FAIL (1 error, 0 warnings, 0 info; ")


UNREAD = "cannot be read: No such file or directory"
USAGE: list[tuple[str, list[str], str]] = [
    ("unknown option", ["lint", "--frist"], "No such option"),
    ("unknown command", ["lnt"], "Error: no command 'lnt' (did you mean \"lint\"?)"),
    ("unknown format", ["lint", "--format", "xml", "a"], "is not one of"),
    ("unknown gate", ["lint", "--lint-fail-on", "fatal", "a"], "is not one of"),
    ("option without its value", ["lint", "--pack"], "requires an argument"),
    (
        "bad output",
        ["lint", "--output", "json", "a"],
        "mcp-cassette: --output takes FORMAT=FILE with FORMAT one of text, json",
    ),
    (
        "bad output format",
        ["lint", "--output", "xml=a", "a"],
        ", not 'xml=a'",
    ),
    (
        "two configs",
        ["lint", "--no-config", "--config", "a", "a"],
        "mcp-cassette: --config and --no-config exclude each other",
    ),
    (
        "nothing to lint",
        ["lint"],
        "mcp-cassette: nothing to lint: name a file, a folder or -, or set paths in [tool.mcp_cassette.lint]",
    ),
    ("missing path", ["lint", "gone.json"], "gone.json: error: no such file or folder"),
    ("no file matches", ["lint", "*.none"], "*.none: error: no file matches"),
    ("missing pack", ["lint", "--pack", "gone.toml", "a"], f"mcp-cassette: gone.toml: the pack {UNREAD}"),
    ("missing config", ["lint", "--config", "gone.toml", "a"], f"mcp-cassette: gone.toml: the configuration {UNREAD}"),
    ("unknown rule", ["explain", "CAS-L01"], "mcp-cassette: no rule 'CAS-L01' (did you mean \"CAS-L1"),
    (
        "unknown selection",
        ["lint", "--select", "CAS-X999", "a"],
        "mcp-cassette: --select: no rule, prefix, family or group 'CAS-X999'",
    ),
    (
        "unknown surface",
        ["lint", "--surfaces", "tool.descripton", "a"],
        "no surface 'tool.descripton' (did you mean \"tool.description\"?)",
    ),
    ("explain without an id", ["explain"], "Missing argument 'ID'"),
    ("pack test of a missing pack", ["pack", "test", "gone.toml"], "gone.toml: the pack cannot be read"),
    ("rules with a missing pack", ["rules", "--pack", "gone.toml"], "gone.toml: the pack cannot be read"),
]


@pytest.mark.parametrize(("args", "said"), [row[1:] for row in USAGE], ids=[row[0] for row in USAGE])
def test_2_usage(args: list[str], said: str, cli: Run) -> None:
    outcome = cli(*args)
    assert outcome.exit == 2
    assert said in outcome.stderr
    # Where no run came about, there is no result to mistake for one.
    assert ("result: " in outcome.stdout) == ("error: no " in outcome.stderr)


def test_2_out_of_budget(run: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    cassette(call("a" * 40 + "b"))
    outcome = run("lint", "--pack", "slow.toml", "session.cassette.jsonl", "--lint-fail-on", "never")
    assert outcome.exit == 2
    assert outcome.findings == [("error", "CAS-X001")]
    assert "(SLOW001 used up its time on a text of 41 characters)" in outcome.stdout
    assert ", 1 out of budget; gate: never)" in outcome.last


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT to another process there")
def test_130_interrupted(tmp_path: Path) -> None:
    child = subprocess.Popen(
        command("lint", "-", "--verbose"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=clean_environment(),
        text=True,
    )
    with child:
        assert child.stdin is not None and child.stderr is not None
        while not child.stderr.readline().startswith("pack: "):
            assert child.poll() is None
        os.kill(child.pid, signal.SIGINT)
        _, errors = child.communicate(timeout=60)
    assert child.returncode == 130
    assert errors.splitlines()[-1] == "mcp-cassette: interrupted" and "Traceback" not in errors


@pytest.mark.skipif(sys.platform == "win32", reason="no closed pipe there")
@pytest.mark.parametrize(
    ("args", "status"), [(["rules", "--format", "json"], 0), (["lint", "session.cassette.jsonl"], 4)]
)
def test_a_reader_that_goes_away_changes_no_status(
    args: list[str], status: int, cassette: MakeCassette, tmp_path: Path
) -> None:
    cassette(tools(*(tool(f"t{i}", POISON) for i in range(900))))  # more than a pipe holds
    child = subprocess.Popen(
        command(*args), stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=tmp_path, env=clean_environment()
    )
    with child:
        assert child.stdout is not None and child.stderr is not None
        child.stdout.close()
        errors = child.stderr.read()
    assert (child.returncode, errors) == (status, b"")


# (gate, a finding's level) → the exit status of a file with that one finding.
GATES = [
    ("error", "error", 4),
    ("error", "warn", 0),
    ("error", "info", 0),
    ("warn", "error", 4),
    ("warn", "warn", 4),
    ("warn", "info", 0),
    ("info", "error", 4),
    ("info", "warn", 4),
    ("info", "info", 4),
    ("never", "error", 0),
    ("never", "info", 0),
]


@pytest.mark.parametrize(
    ("gate", "level", "status", "how"),
    [(*row, "--lint-fail-on") for row in GATES]
    + [(*row, how) for row in GATES[4:6] for how in ("--fail-on", "fail_on", "fail-on")],
)
def test_the_gate(
    gate: str, level: str, status: int, how: str, cli: Run, cassette: MakeCassette, tmp_path: Path
) -> None:
    cassette(call("lorem"))
    (tmp_path / "acme.toml").write_text(PACK.replace("LEVEL", level))
    args = ["lint", "--pack", "acme.toml", "session.cassette.jsonl"]
    if how.startswith("--"):
        args += [how, gate]
    else:
        (tmp_path / "pyproject.toml").write_text(f'[tool.mcp_cassette.lint]\n{how} = "{gate}"\n')
    outcome = cli(*args)
    assert outcome.exit == status
    assert outcome.findings == [(level, "ACME001")]
    assert outcome.last.endswith(f"gate: {gate})")
    assert outcome.last.startswith("result: FAIL" if status else "result: PASS")
    assert ("(reported, not gated)" in outcome.stdout) == (status == 0)


# What a file holds → the exit status under each gate.
MIXED: list[tuple[str, dict[str, Any], dict[str, int]]] = [
    ("findings", {}, {"error": 4, "never": 0}),
    ("contradiction", {"header": MODERN, "more": HANDSHAKE}, {"error": 1, "never": 1}),
    ("unreadable", {"more": [CUT]}, {"error": 2, "never": 2}),
    ("unreadable and contradiction", {"header": MODERN, "more": [*HANDSHAKE, CUT]}, {"error": 2, "never": 2}),
]


@pytest.mark.parametrize("gate", ["error", "never"])
@pytest.mark.parametrize(("parts", "statuses"), [row[1:] for row in MIXED], ids=[row[0] for row in MIXED])
def test_precedence_2_over_1_over_4(
    parts: dict[str, Any], statuses: dict[str, int], gate: str, cli: Run, cassette: MakeCassette
) -> None:
    lines = [*tools(tool(description=POISON), wire_id=77), *parts.get("more", [])]
    cassette(lines, header=parts.get("header", HEADER))
    outcome = cli("lint", "session.cassette.jsonl", "--lint-fail-on", gate)
    assert outcome.exit == statuses[gate]
    assert ("error", "CAS-L001") in outcome.findings


def test_precedence_over_several_files(cli: Run, cassette: MakeCassette) -> None:
    cassette(tools(tool(description=POISON)), "findings.cassette.jsonl")
    cassette(HANDSHAKE, "odd.cassette.jsonl", header=MODERN)
    cassette([CUT], "cut.cassette.jsonl")
    assert cli("lint", "findings.cassette.jsonl").exit == 4
    assert cli("lint", "findings.cassette.jsonl", "odd.cassette.jsonl").exit == 1
    assert cli("lint", "cut.cassette.jsonl", "odd.cassette.jsonl", "findings.cassette.jsonl").exit == 2
    outcome = cli("lint", "findings.cassette.jsonl", "gone.cassette.jsonl")
    assert outcome.exit == 2 and outcome.findings == [("error", "CAS-L001")]


@pytest.mark.parametrize(
    ("lines", "gate", "word"),
    [
        ([], "error", "PASS"),
        ([CUT], "error", "INCOMPLETE"),
        ([*tools(tool(description=POISON)), CUT], "error", "FAIL"),
        ([*tools(tool(description=POISON)), CUT], "never", "INCOMPLETE"),
    ],
)
def test_the_word_of_the_result(lines: list[Any], gate: str, word: str, cli: Run, cassette: MakeCassette) -> None:
    cassette(lines)
    assert cli("lint", "session.cassette.jsonl", "--lint-fail-on", gate).last.startswith(f"result: {word} (")


def test_capped_findings_still_gate(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "acme.toml").write_text(PACK.replace("LEVEL", "info"))
    lines = [line for i in range(1005) for line in call("lorem", i)]
    cassette([*lines, *tools(tool(description=POISON), wire_id="last")])
    outcome = cli("lint", "--pack", "acme.toml", "session.cassette.jsonl", "--format", "json")
    assert outcome.exit == 4
    found = outcome.json["findings"]
    assert len(found) == 1000
    assert [f["rule"] for f in found if f["level"] == "error"] == ["CAS-L001"]
    # The earlier ones of equal level stay.
    assert [f["request_id"] for f in found[:-1]] == list(range(999))
    assert outcome.json["summary"]["levels"] == {"error": 1, "warn": 0, "info": 1005}
    assert outcome.json["summary"]["capped"] == 6
    assert outcome.json["sources"][0]["findings"] == 1006 and outcome.json["sources"][0]["capped"] == 6
    # A gate that only findings above the thousand reach.
    cassette(lines)
    text = cli("lint", "--pack", "acme.toml", "session.cassette.jsonl", "--lint-fail-on", "info")
    assert text.exit == 4 and len(text.findings) == 1000
    assert "session.cassette.jsonl: 5 more findings not listed (limit 1,000 a file)" in text.stdout


def test_rules_explain_and_pack_test_end_with_0(cli: Run) -> None:
    assert cli("rules").exit == 0
    assert cli("explain", "CAS-L001").exit == 0
    assert cli("explain", "cas-l001").stdout == cli("explain", "CAS-L001").stdout
    assert cli("pack", "test").exit == 0
    assert cli("--help").exit == 0 and cli("lint", "-h").exit == 0
    assert cli("--version").stdout.startswith("mcp-cassette, version ")
