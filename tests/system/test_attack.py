"""Hostile packs, listings and surroundings through the whole command: one line, the right status, nothing obeyed."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest

from support import POISON, MakeCassette, Run, call, clean_environment, command, tool

HEAD = 'format = 1\n[pack]\nname = "acme"\nprefix = "ACME"\n'

# --- where output goes


def status(*args: str, cwd: Path, out: str = "w", err: str = "w") -> int:
    """The exit status with standard output and error going to /dev/null (w), to a full disk (full) or nowhere (-)."""
    ends = {"w": ">/dev/null", "full": ">/dev/full", "-": ">&-"}
    line = f'exec "$@" {ends[out]} 2{ends[err]}'
    done = subprocess.run(
        ["sh", "-c", line, "sh", *command(*args)], cwd=cwd, env=clean_environment(), timeout=60, check=False
    )
    return done.returncode


@pytest.mark.parametrize(
    ("args", "usual"),
    [
        (("rules",), 0),
        (("rules", "--format", "json"), 0),
        (("explain", "CAS-L001"), 0),
        (("lint", "--no-config", "a.json"), 4),
        (("lint", "--no-config", "none.json"), 2),
        (("--help",), 0),
        (("nonsense",), 2),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, tuple) else "",
)
def test_no_place_for_the_output(args: tuple[str, ...], usual: int, tmp_path: Path) -> None:
    """What cannot be written is exit 2; with nobody there to read it the status stays what it is."""
    (tmp_path / "a.json").write_text(json.dumps({"tools": [tool(description=POISON)]}))
    assert status(*args, cwd=tmp_path) == usual
    assert status(*args, cwd=tmp_path, out="full") == 2
    assert status(*args, cwd=tmp_path, out="full", err="full") == 2
    assert status(*args, cwd=tmp_path, out="-") == usual
    assert status(*args, cwd=tmp_path, out="-", err="-") == usual


def test_a_full_disk_is_one_line(tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            command("rules"), stdout=full, stderr=subprocess.PIPE, cwd=tmp_path, env=clean_environment(), check=False
        )
    assert done.returncode == 2
    assert done.stderr.decode().splitlines() == ["mcp-cassette: cannot write the output: No space left on device"]


def test_an_interrupt_is_one_line(tmp_path: Path) -> None:
    with subprocess.Popen(
        command("lint", "--no-config", "-"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=tmp_path,
        env=clean_environment(),
    ) as process:
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        # A pipe that was filled beyond its buffer is being read, so the command has begun.
        process.stdin.write(b" " * 400_000)
        process.stdin.flush()
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        assert process.wait(30) == 130
        assert (process.stdout.read(), process.stderr.read()) == (b"", b"mcp-cassette: interrupted\n")


# --- words of a pack

ODD = "red \x1b[31m\n::error::x\n \t##vso[task.x]\u202e\u200b ##[group]y"
OBEYED = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u202e]|^\s*(?:::|##)|##\w*\[", re.MULTILINE)


@pytest.fixture
def odd_pack(tmp_path: Path) -> str:
    """A pack whose every free text wants to be obeyed, in a file that does too; the name of the file."""
    said = json.dumps(ODD)
    rule = "".join(f"{key} = {said}\n" for key in ("title", "message", "help", "why"))
    tests = f"[[rule.test]]\ntext = {said}\nmatch = true\nspans = [{said}, {said}]\n"
    name = "::warning::\x1b[2J\u202e.toml"
    (tmp_path / name).write_text(f'{HEAD}[[rule]]\nid = "ACME001"\n{rule}words = ["red", {said}]\n{tests}')
    return name


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (("rules", "--no-config"), 0),
        (("rules", "--no-config", "--format", "json"), 0),
        (("explain", "--no-config", "ACME001"), 0),
        (("lint", "--no-config", "-v", "a.json"), 0),
        (("lint", "--no-config", "-v", "--color", "always", "a.json"), 0),
        (("lint", "--no-config", "-v", "--format", "json", "a.json"), 0),
    ],
)
def test_no_command_prints_what_a_terminal_or_a_runner_obeys(
    args: tuple[str, ...], code: int, odd_pack: str, cli: Run, tmp_path: Path
) -> None:
    (tmp_path / "a.json").write_text(json.dumps({"tools": [tool(description="A red one.")]}))
    outcome = cli(*args, "--pack", odd_pack)
    assert outcome.exit == code and "ACME001" in outcome.stdout
    colours = re.compile(r"\x1b\[[0-9;]*m") if "always" in args else re.compile("(?!)")
    assert not OBEYED.search(colours.sub("", outcome.stdout))
    assert not OBEYED.search(outcome.stderr)
    if "json" in args:
        assert ODD in json.dumps(outcome.json, ensure_ascii=False).replace("\\n", "\n").replace("\\t", "\t").replace(
            "\\u001b", "\x1b"
        )


def test_a_failing_test_prints_nothing_that_is_obeyed(odd_pack: str, cli: Run) -> None:
    outcome = cli("pack", "test", "--no-config", "-v", odd_pack)
    assert outcome.exit == 1 and "FAIL" in outcome.stdout
    assert not OBEYED.search(outcome.stdout)
    broken = cli("lint", "--no-config", "--pack", "::none::\x1b[2J.toml", "x")
    assert broken.exit == 2
    assert not OBEYED.search(broken.stderr)


# --- what takes its time


def test_a_secret_without_an_end(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    """Six hundred findings, each with a text on which the secret of the house pack never ends."""
    secret = "[[secret]]\nname = \"slow\"\nregex = '(b|b)*(a|a)*(?=!)'\n"
    (tmp_path / "house.toml").write_text(HEAD + secret)
    lines = [line for n in range(600) for line in call(f"{POISON} {'b' * 20}{'a' * 20} {n}", wire_id=n)]
    cassette(lines)
    start = time.process_time()
    outcome = cli("lint", "--no-config", "--pack", "house.toml", "session.cassette.jsonl")
    assert time.process_time() - start < 5
    assert outcome.exit == 2
    reason = "secret slow ran out of its time budget: quotations it was not looked for in are masked whole"
    assert outcome.problems == [f"session.cassette.jsonl: error: {reason}"]
    assert outcome.findings == [("warn", "CAS-L001")] * 600
    quotes = [line for line in outcome.stdout.splitlines() if line.startswith("    evidence: ")]
    assert len(quotes) == 600 and all(set(quote.partition('"')[2]) <= set('* "…') for quote in quotes)


def test_schemas_without_an_end(cli: Run, tmp_path: Path) -> None:
    """Ten tools of five thousand properties, all different: the rest is not checked, and that is said once."""
    tools = [
        tool(f"t{n}", inputSchema={"type": "object", "properties": {f"p{n}-{i}": {"not": {}} for i in range(5_000)}})
        for n in range(10)
    ]
    (tmp_path / "large.json").write_text(json.dumps({"tools": tools}))
    outcome = cli("lint", "--no-config", "large.json", "--select", "CAS-C005")
    assert outcome.findings == [("error", "CAS-C005")]
    reason = "inputSchema: not checked, nor is any schema after it: those of this file are too large together"
    assert f"    evidence: ({reason})" in outcome.stdout.splitlines()


def test_pipes_and_links_that_lead_nowhere(cli: Run, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.toml")
    os.mkfifo(tmp_path / "pipe.cassette.jsonl")
    (tmp_path / "loop.toml").symlink_to("loop.toml")
    for name, reason in (("pipe", "not a regular file"), ("loop", "Too many levels of symbolic links")):
        line = f"mcp-cassette: {name}.toml: the {{}} cannot be read: {reason}"
        for args in (("lint", "--pack", f"{name}.toml", "x"), ("pack", "test", f"{name}.toml")):
            outcome = cli(*args)
            assert (outcome.exit, outcome.problems) == (2, [line.format("pack")])
        outcome = cli("lint", "--config", f"{name}.toml", "x")
        assert (outcome.exit, outcome.problems) == (2, [line.format("configuration")])
    outcome = cli("lint", "--no-config", "pipe*.jsonl")
    assert (outcome.exit, outcome.problems) == (2, ["pipe*.jsonl: error: no file matches"])
