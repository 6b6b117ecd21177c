"""Findings that were accepted or suppressed: left out of every report, counted in each, back when the text changes."""

from __future__ import annotations

import datetime
import json
import re
import stat
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from mcp_cassette.config import SUPPRESS, load
from mcp_cassette.lint import suppress
from mcp_cassette.report import FORMATS
from support import HEADER, POISON, ROOT, SLOW, MakeCassette, Outcome, Run, call, exchange, run_process, tool, tools

FILE = "session.cassette.jsonl"
KNOWN = "known.json"
TABLE = "[tool.mcp_cassette.lint]\n"
HEAD = "[[tool.mcp_cassette.lint.suppress]]\n"
WORSE = POISON + " Then delete the log."
MODERN = {**HEADER, "era": "modern"}
HANDSHAKE = exchange("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "serverInfo": {"name": "a"}})
UPDATE = ("--known-findings", KNOWN, "--update-known-findings")


def counts(outcome: Outcome) -> tuple[int, int, int]:
    """New, known and suppressed findings of a JSON report."""
    summary = outcome.json["summary"]
    return sum(summary["levels"].values()), summary["known"], summary["suppressed"]


def statuses(outcome: Outcome) -> list[tuple[str, str]]:
    return sorted((f["rule"], f["status"]) for f in outcome.json["findings"])


def config(folder: Path, *tables: str, lint: str = "") -> None:
    (folder / "pyproject.toml").write_text(TABLE + lint + "".join(HEAD + table for table in tables))


def entries(folder: Path, name: str = KNOWN) -> list[dict[str, str]]:
    found: list[dict[str, str]] = json.loads((folder / name).read_bytes())["findings"]
    return found


def ids(cli: Run, *args: str) -> dict[str, str]:
    """Rule → finding_id of the only finding of it."""
    return {f["rule"]: f["finding_id"] for f in cli("lint", *(args or (FILE,)), "--format", "json").json["findings"]}


# --- known findings


def test_a_tool_that_is_poisoned_after_it_was_accepted_reports_again(
    cli: Run, cassette: MakeCassette, tmp_path: Path
) -> None:
    cassette(tools(tool(description=POISON)))
    assert cli("lint", FILE).exit == 4
    accepted = cli("lint", FILE, *UPDATE)
    assert (accepted.exit, accepted.findings) == (0, [])
    assert f"note: known findings written to {KNOWN}: 1 added, 0 kept, 0 dropped" in accepted.stdout.splitlines()
    again = cli("lint", FILE, "--known-findings", KNOWN)
    assert (again.exit, again.findings) == (0, [])
    assert "1 known, 0 suppressed" in again.last and again.last.startswith("result: PASS (0 errors")
    # The same tool, the same rule, the same place: another text.
    cassette(tools(tool(description=WORSE)))
    poisoned = cli("lint", FILE, "--known-findings", KNOWN)
    assert (poisoned.exit, poisoned.findings) == (4, [("error", "CAS-L001")])
    assert "0 known" in poisoned.last
    # So does one that had nothing to accept, in a file where something was.
    cassette(tools(tool(description=POISON), tool("sub", POISON)))
    beside = cli("lint", FILE, "--known-findings", KNOWN)
    assert (beside.exit, beside.findings) == (4, [("error", "CAS-L001")]) and "1 known" in beside.last


def test_a_suppressed_text_that_changes_reports_again(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette(tools(tool(description=POISON)))
    config(tmp_path)
    assert cli("suppress", ids(cli)["CAS-L001"], "--reason", "a test of ours").exit == 0
    assert (cli("lint", FILE).exit, cli("lint", FILE).findings) == (0, [])
    cassette(tools(tool(description=WORSE)))
    assert (cli("lint", FILE).exit, cli("lint", FILE).findings) == (4, [("error", "CAS-L001")])


def test_what_moves_stays_known(cli: Run, cassette: MakeCassette) -> None:
    cassette(tools(tool(description=POISON)))
    cli("lint", FILE, *UPDATE)
    # Another file, another line, another id, other tools around it: the finding is the same.
    cassette([*call("Sunny.", 7), *tools(tool("sub"), tool(description=POISON), wire_id="x")], "other.cassette.jsonl")
    outcome = cli("lint", "other.cassette.jsonl", "--known-findings", KNOWN, "--format", "json")
    assert (outcome.exit, counts(outcome)) == (0, (0, 1, 0))


def test_the_file_is_the_same_whoever_writes_it(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette([*tools(tool(description=POISON)), *call(POISON, 2)], "b.cassette.jsonl")
    cassette(tools(tool("sub", "Sub\u200btracts. " + POISON)), "a/a.cassette.jsonl")
    cli("lint", "b.cassette.jsonl", "a", *UPDATE)
    written = (tmp_path / KNOWN).read_bytes()
    assert [(e["file"], e["rule"]) for e in entries(tmp_path)] == [
        ("a/a.cassette.jsonl", "CAS-L001"),
        ("a/a.cassette.jsonl", "CAS-L006"),
        ("b.cassette.jsonl", "CAS-L001"),
        ("b.cassette.jsonl", "CAS-L001"),
    ]
    assert cli("lint", ".", *UPDATE).exit == 0
    assert (tmp_path / KNOWN).read_bytes() == written
    (tmp_path / KNOWN).unlink()
    # From another folder, in another order.
    known = ("--known-findings", f"../{KNOWN}", "--update-known-findings")
    assert cli("lint", "a.cassette.jsonl", "..", *known, cwd=tmp_path / "a").exit == 0
    assert (tmp_path / KNOWN).read_bytes() == written
    schema = json.loads((ROOT / "schemas" / "known-findings.schema.json").read_text())
    jsonschema.validate(json.loads(written), schema)


def test_an_update_keeps_drops_and_adds(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette(tools(tool(description=POISON)), "a.cassette.jsonl")
    cassette(tools(tool(description=POISON)), "b.cassette.jsonl")
    cli("lint", ".", *UPDATE)
    cassette(tools(tool(description=WORSE)), "a.cassette.jsonl")
    cassette(tools(tool()), "b.cassette.jsonl")
    # Only a file of the run loses entries.
    outcome = cli("lint", "a.cassette.jsonl", *UPDATE)
    assert f"note: known findings written to {KNOWN}: 1 added, 1 kept, 1 dropped" in outcome.stdout
    assert [e["file"] for e in entries(tmp_path)] == ["a.cassette.jsonl", "b.cassette.jsonl"]
    # A rule that did not run loses none.
    cli("lint", ".", "--ignore", "CAS-L001", *UPDATE)
    assert len(entries(tmp_path)) == 2
    # A file that is gone does.
    (tmp_path / "a.cassette.jsonl").unlink()
    assert "0 added, 0 kept, 2 dropped" in cli("lint", "b.cassette.jsonl", *UPDATE).stdout
    assert entries(tmp_path) == []


def test_a_file_that_is_cut_short_loses_no_entry(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette(tools(tool(description=POISON)))
    cli("lint", FILE, *UPDATE)
    cassette(['{"type":"frame","t":9,"dir":"s2c","fra'])
    assert cli("lint", FILE, *UPDATE).exit == 2
    assert len(entries(tmp_path)) == 1


def test_findings_beyond_the_cap_are_accepted_too(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette([line for n in range(1001) for line in call(f"{POISON} {n}", n)])
    cli("lint", FILE, *UPDATE)
    assert len(entries(tmp_path)) == 1001
    cassette([line for n in range(1002) for line in call(f"{POISON} {n}", n)])
    # What is known takes no room: the one that is new is listed.
    outcome = cli("lint", FILE, "--known-findings", KNOWN, "--format", "json", "--lint-fail-on", "warn")
    assert (outcome.exit, counts(outcome), outcome.json["summary"]["capped"]) == (4, (1, 1001, 0), 0)
    assert [f["evidence_match"][:6] for f in outcome.json["findings"]] == ["Ignore"]
    shown = cli("lint", FILE, "--known-findings", KNOWN, "--format", "json", "--show-suppressed")
    assert (counts(shown), shown.json["summary"]["capped"]) == ((1, 1001, 0), 2)
    assert [s for _, s in statuses(shown)] == ["known"] * 999 + ["new"]


def test_from_the_configuration(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette(tools(tool(description=POISON)), "sub/s.cassette.jsonl")
    config(tmp_path, lint='paths = ["sub"]\nknown_findings = "lint/known.json"\n')
    missing = cli("lint")
    assert (missing.exit, missing.stdout) == (2, "")
    assert missing.stderr == (
        "mcp-cassette: lint/known.json: the known findings cannot be read: No such file or directory "
        "(--update-known-findings writes it)\n"
    )
    assert cli("lint", "--update-known-findings").exit == 2  # the folder is not there, and is not made
    (tmp_path / "lint").mkdir()
    assert cli("lint", "--update-known-findings").exit == 0
    assert [e["file"] for e in entries(tmp_path, "lint/known.json")] == ["../sub/s.cassette.jsonl"]
    assert cli("lint", cwd=tmp_path / "sub").exit == 0
    assert cli("lint", "--no-config", "sub").exit == 4
    # The command line replaces it.
    (tmp_path / "none.json").write_text('{"version":1,"findings":[]}')
    assert cli("lint", "--known-findings", "none.json").exit == 4


def test_usage(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette(tools(tool(description=POISON)))
    for args, said in [
        (("--update-known-findings",), "--update-known-findings: which file?"),
        (("--known-findings", "gone.json"), "gone.json: the known findings cannot be read"),
        (("--known-findings", "."), ".: the known findings cannot be read: Is a directory"),
        (("--known-findings", FILE), f"{FILE}:2:1: not JSON: Extra data"),
        (("--known-findings", FILE, "--update-known-findings"), f"{FILE}:2:1: not JSON: Extra data"),
    ]:
        before = (tmp_path / FILE).read_bytes()
        outcome = cli("lint", FILE, *args)
        assert (outcome.exit, outcome.stdout) == (2, "")
        assert outcome.stderr.startswith(f"mcp-cassette: {said}") and len(outcome.problems) == 1
        assert (tmp_path / FILE).read_bytes() == before  # never written over what is none of ours


def test_nothing_is_written_where_nothing_was_read(cli: Run, tmp_path: Path) -> None:
    assert cli("lint", "gone.cassette.jsonl", *UPDATE).exit == 2
    assert not (tmp_path / KNOWN).exists()


def test_standard_input(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    data = cassette(tools(tool(description=POISON))).read_bytes()
    assert cli("lint", "-", *UPDATE, stdin=data).exit == 0
    assert [e["file"] for e in entries(tmp_path)] == ["<stdin>"]
    assert cli("lint", FILE, "--known-findings", KNOWN).exit == 0


def test_a_contradiction_is_not_accepted_by_a_list(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette([*HANDSHAKE, *tools(tool(description=POISON), wire_id=2)], header=MODERN)
    outcome = cli("lint", FILE, *UPDATE)
    assert (outcome.exit, outcome.findings) == (1, [("error", "CAS-F001")])
    assert [e["rule"] for e in entries(tmp_path)] == ["CAS-L001"]
    # Not even by hand.
    finding_id = ids(cli)["CAS-F001"]
    (tmp_path / KNOWN).write_text(
        (tmp_path / KNOWN).read_text().replace(entries(tmp_path)[0]["finding_id"], finding_id)
    )
    assert cli("lint", FILE, "--known-findings", KNOWN).exit == 1
    # With a reason it is.
    config(tmp_path, f'finding_id = "{finding_id}"\nreason = "recorded so to test the reader"\n')
    (tmp_path / KNOWN).unlink()
    outcome = cli("lint", FILE, *UPDATE, "--format", "json")
    assert (outcome.exit, counts(outcome)) == (0, (0, 1, 1))
    assert outcome.json["summary"]["contradictions"] == 0
    assert outcome.json["sources"][0]["agrees"] is False  # that it is so is said all the same


def test_what_ran_out_of_its_time_is_never_set_aside(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    (tmp_path / "slow.toml").write_text(SLOW)
    cassette(call("a" * 60 + "b"))
    args = (FILE, "--pack", "slow.toml")
    outcome = cli("lint", *args, *UPDATE)
    if outcome.exit == 0:
        pytest.skip("this pattern is not slow here")
    assert (outcome.exit, entries(tmp_path)) == (2, [])
    config(tmp_path, f'finding_id = "{ids(cli, *args)["CAS-X001"]}"\nreason = "r"\n')
    outcome = cli("lint", *args, "--format", "json")
    assert (outcome.exit, ("CAS-X001", "new") in statuses(outcome)) == (2, True)
    config(tmp_path, 'rule = "CAS-X001"\npath = "*"\nreason = "r"\n')
    outcome = cli("lint", *args)
    assert outcome.exit == 2 and "pyproject.toml:2: CAS-X001 cannot be suppressed" in outcome.stderr


# --- formats


@pytest.fixture
def three(cli: Run, cassette: MakeCassette, tmp_path: Path) -> Path:
    """One new finding, one known, one suppressed."""
    cassette(tools(tool(description=POISON)), "a.cassette.jsonl")
    cli("lint", "a.cassette.jsonl", *UPDATE)
    cassette(
        [*tools(tool(description=POISON), tool("sub", "Sub\u200btracts two numbers.")), *call(POISON, 2)],
    )
    (tmp_path / "a.cassette.jsonl").unlink()
    config(
        tmp_path,
        'rule = "CAS-L006"\nsubject = "tool:s*"\nreason = "a joke"\n',
        lint=f'known_findings = "{KNOWN}"\nfail_on = "warn"\n',
    )
    return tmp_path / FILE


def listed(name: str, text: str) -> int:
    """How many findings a report of a format lists."""
    if name == "text":
        return text.count(" CAS-L001 ") + text.count(" CAS-L006 ")
    if name == "github":
        return sum(line.startswith("::") and "title=CAS-L00" in line for line in text.splitlines())
    if name == "json":
        return len(json.loads(text)["findings"])
    if name == "jsonl":
        return sum("finding_id" in row for row in map(json.loads, text.splitlines()))
    if name == "sarif":
        return sum(len(run["results"]) for run in json.loads(text)["runs"])
    pytest.fail(f"how does {name} list findings?")


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_leaves_out_the_same_and_brings_it_back(name: str, cli: Run, three: Path) -> None:
    hidden, shown = cli("lint", FILE, "--format", name), cli("lint", FILE, "--format", name, "--show-suppressed")
    assert (hidden.exit, shown.exit) == (4, 4)
    assert (listed(name, hidden.stdout), listed(name, shown.stdout)) == (1, 3)
    assert "suppressed" in shown.stdout and "known" in shown.stdout


def test_all_formats_of_one_run_agree(cli: Run, three: Path, tmp_path: Path) -> None:
    outputs = [part for name in FORMATS for part in ("--output", f"{name}={name}.out")]
    outcome = cli("lint", FILE, *outputs, "--show-suppressed")
    assert "(0 errors, 1 warning, 0 info;" in outcome.last and "1 known, 1 suppressed" in outcome.last
    for name in FORMATS:
        assert listed(name, (tmp_path / f"{name}.out").read_text()) == 3
    report = json.loads((tmp_path / "json.out").read_text())
    jsonschema.validate(report, json.loads((ROOT / "schemas" / "report.schema.json").read_text()))
    assert sorted((f["rule"], f["surface"], f["status"]) for f in report["findings"]) == [
        ("CAS-L001", "output.tool", "new"),
        ("CAS-L001", "tool.description", "known"),
        ("CAS-L006", "tool.description", "suppressed"),
    ]
    summary = report["summary"]
    assert (summary["levels"], summary["known"], summary["suppressed"]) == ({"error": 0, "warn": 1, "info": 0}, 1, 1)


def test_what_is_shown_does_not_gate(cli: Run, three: Path, tmp_path: Path) -> None:
    # The known and the suppressed one are errors.
    for args in ((), ("--show-suppressed",)):
        outcome = cli("lint", FILE, "--fail-on", "error", "--format", "json", *args)
        assert (outcome.exit, counts(outcome)) == (0, (1, 1, 1))


def test_the_headline_says_what_was_set_aside(cli: Run, three: Path) -> None:
    lines = [line for line in cli("lint", FILE, "--show-suppressed").stdout.splitlines() if "] CAS-L00" in line]
    assert [line.rsplit("(", 1)[1] for line in lines] == [
        "tool.description, tool:add, known)",
        "tool.description, tool:sub, suppressed)",
        "output.tool, tool:get_issue)",
    ]


# --- suppressions


def test_by_rule_and_path(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    for name in ("attacks/a.cassette.jsonl", "real/a.cassette.jsonl"):
        cassette(tools(tool(description=POISON)), name)
    config(tmp_path, 'rule = "CAS-L001"\npath = "attacks/*"\nreason = "written to be found"\n')
    outcome = cli("lint", ".", "--format", "json")
    assert [f["file"] for f in outcome.json["findings"]] == ["real/a.cassette.jsonl"]
    assert counts(outcome) == (1, 0, 1)
    # Relative to the configuration, wherever the command runs.
    assert counts(cli("lint", ".", "--format", "json", cwd=tmp_path / "attacks")) == (0, 0, 1)
    assert counts(cli("lint", ".", "--format", "json", cwd=tmp_path / "real")) == (1, 0, 0)


def test_an_unknown_rule(cli: Run, cassette: MakeCassette, tmp_path: Path) -> None:
    cassette()
    config(tmp_path, 'rule = "CAS-L01"\npath = "a"\nreason = "r"\n')
    outcome = cli("lint", FILE)
    assert outcome.exit == 2
    assert outcome.stderr.startswith("mcp-cassette: pyproject.toml:2: no rule 'CAS-L01' (did you mean \"CAS-L1")


def noted(outcome: Outcome) -> list[str]:
    return [line.removeprefix("note: ") for line in outcome.stdout.splitlines() if line.startswith("note: ")]


def test_it_counts_to_the_end_of_its_last_day(
    cli: Run, cassette: MakeCassette, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cassette(tools(tool(description=POISON)))
    config(tmp_path, 'rule = "CAS-L001"\nsubject = "*"\nreason = "until the server is fixed"\nuntil = 2030-05-31\n')
    said = "pyproject.toml:2: the suppression of CAS-L001 (subject '*') ended on 2030-05-31: its findings count again"
    for day, exit, notes in (("2030-05-31", 0, []), ("2030-06-01", 4, [said])):
        monkeypatch.setattr(suppress, "today", lambda day=day: datetime.date.fromisoformat(day))
        outcome = cli("lint", FILE)
        assert (outcome.exit, noted(outcome)) == (exit, notes)
        assert cli("lint", FILE, "--format", "json").json["notes"] == notes


UNUSED = "matches nothing: it can go"


def test_unused_ones_are_noted_where_they_could_have_been_used(
    cli: Run, cassette: MakeCassette, tmp_path: Path
) -> None:
    cassette(tools(tool()), "s/a.cassette.jsonl")
    cassette(tools(tool(description=POISON)), "s/b.cassette.jsonl")
    rows = (
        'finding_id = "0123456789abcdef"\nreason = "r"\n',
        'rule = "CAS-L001"\npath = "s/a.cassette.jsonl"\nreason = "r"\n',
        'rule = "CAS-L001"\npath = "s/b*"\nreason = "r"\n',
    )
    config(tmp_path, *rows, lint='paths = ["s"]\n')
    by_id = f"pyproject.toml:3: the suppression of 0123456789abcdef {UNUSED}"
    by_path = f"pyproject.toml:6: the suppression of CAS-L001 (path 's/a.cassette.jsonl') {UNUSED}"
    assert noted(cli("lint")) == noted(cli("lint", "s", "s/b.cassette.jsonl")) == [by_id, by_path]
    assert len(noted(cli("lint", "../s", cwd=tmp_path / "s"))) == 2
    # A part of the files, a part of the rules: only what is certain.
    assert noted(cli("lint", "s/a.cassette.jsonl")) == [by_path]
    assert noted(cli("lint", "s/b.cassette.jsonl")) == []
    assert noted(cli("lint", "--select", "CAS-L006")) == noted(cli("lint", "--surfaces", "output")) == []
    # A file that was not read to its end may hold what is missed.
    cassette(['{"type":"frame","t":9,"dir":"s2c","fra'], "s/a.cassette.jsonl")
    assert noted(cli("lint")) == []
    # Where the configuration names no files, a run is as whole as it gets.
    (tmp_path / "s/a.cassette.jsonl").unlink()
    config(tmp_path, rows[0])
    assert noted(cli("lint", "s/b.cassette.jsonl")) == [by_id.replace(":3:", ":2:")]


# --- the command


ID = "0123456789abcdef"


def test_suppress_appends_the_block(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    before = b'# ours\r\n[project]\r\nname = "x"  # kept\r\n[tool.mcp_cassette.lint]\r\npaths=["a"]'
    file.write_bytes(before)
    file.chmod(0o640)
    outcome = run("suppress", ID, "--reason", 'quotes "it"', "--until", "2999-12-31")
    assert (outcome.exit, outcome.stderr) == (0, "")
    assert outcome.stdout == f"pyproject.toml:7: {ID} is suppressed until 2999-12-31\n"
    block = f'{HEAD}finding_id = "{ID}"\nreason = "quotes \\"it\\""\nuntil = 2999-12-31\n'
    assert file.read_bytes() == before + ("\n\n" + block).replace("\n", "\r\n").encode()
    assert stat.S_IMODE(file.stat().st_mode) == 0o640
    assert list(tmp_path.iterdir()) == [file]
    again = run("suppress", ID, "--reason", "r")
    assert (again.exit, again.stderr) == (2, f"mcp-cassette: pyproject.toml:7: {ID}: it is suppressed already\n")


def test_suppress_says_when_an_old_one_ended(cli: Run, tmp_path: Path) -> None:
    config(tmp_path, f'finding_id = "{ID}"\nreason = "r"\nuntil = 2001-01-01\n')
    outcome = cli("suppress", ID, "--reason", "r")
    assert (outcome.exit, "its suppression ended on 2001-01-01: change that date" in outcome.stderr) == (2, True)


def test_suppress_finds_the_file_that_lint_reads(cli: Run, tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    # The nearest of all, if none has the table.
    assert cli("suppress", ID, "--reason", "r", cwd=deep).stdout.startswith(f"{tmp_path}/a/pyproject.toml:3: ")
    # The nearest with the table.
    (tmp_path / "a" / "pyproject.toml").write_text("[project]\n")
    config(tmp_path)
    assert cli("suppress", ID, "--reason", "r", cwd=deep).exit == 0
    assert (tmp_path / "a" / "pyproject.toml").read_text() == "[project]\n"
    assert ID in (tmp_path / "pyproject.toml").read_text()
    assert cli("suppress", ID, "--reason", "r", "--config", "a/pyproject.toml").exit == 0
    assert tomllib.loads((tmp_path / "a" / "pyproject.toml").read_text())["tool"]["mcp_cassette"]["lint"] == {
        "suppress": [{"finding_id": ID, "reason": "r"}]
    }


def refused(cases: Iterable[tuple[tuple[str, ...], str]], cli: Run) -> None:
    for args, said in cases:
        outcome = cli("suppress", *args)
        assert (outcome.exit, outcome.stdout) == (2, ""), args
        assert said in outcome.stderr, outcome.stderr


def test_suppress_refuses(cli: Run, tmp_path: Path) -> None:
    file = tmp_path / "pyproject.toml"
    config(tmp_path)
    before = file.read_bytes()
    cases: list[Any] = [
        ((ID,), "Missing option '--reason'"),
        ((ID, "--reason", " \n"), "--reason must not be empty"),
        ((ID, "--reason", "a\udcff"), "--reason is not valid text"),
        ((ID[:-1], "--reason", "r"), "'0123456789abcde' is no finding id: 16 of the characters 0-9 and a-f"),
        ((ID.upper(), "--reason", "r"), "is no finding id"),
        ((ID, "--reason", "r", "--until", "2020-01-01"), "--until 2020-01-01 is over"),
        ((ID, "--reason", "r", "--until", "2999-02-30"), "--until takes a day as YYYY-MM-DD, not '2999-02-30'"),
        ((ID, "--reason", "r", "--until", "29990101"), "--until takes a day as YYYY-MM-DD"),
        ((ID, "--reason", "r", "--config", "gone.toml"), "gone.toml: the configuration cannot be read"),
    ]
    refused(cases, cli)
    assert file.read_bytes() == before
    for text, said in (
        ("[tool.mcp_cassette.lint]\nsuppress = []\n", "pyproject.toml:2: suppress is written inline"),
        ("[tool.mcp_cassette.lint]\nexlude = []\n", "pyproject.toml:2: unknown key 'exlude'"),
        ("[tool.mcp_cassette.lint\n", "pyproject.toml:1:"),
    ):
        file.write_text(text)
        refused([((ID, "--reason", "r"), said)], cli)
        assert file.read_text() == text


def test_suppress_without_a_file(tmp_path: Path) -> None:
    if any((folder / "pyproject.toml").exists() for folder in tmp_path.resolve().parents):
        pytest.skip("there is a pyproject.toml above the folder of the tests")
    outcome = run_process(["suppress", ID, "--reason", "r"], tmp_path)
    assert outcome.exit == 2
    assert "there is no pyproject.toml here or above: make one" in outcome.stderr


# --- what the documents say


def test_the_configurations_of_the_page_are_read(cli: Run, tmp_path: Path) -> None:
    page = (ROOT / "docs" / "silencing.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 3
    for block in blocks:
        (tmp_path / "pyproject.toml").write_text(block)
        assert load(tmp_path / "pyproject.toml") is not None
    keys = re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)
    assert keys == list(SUPPRESS.keys)


def test_explain_names_the_ways(cli: Run) -> None:
    page = cli("explain", "CAS-L001", "--no-config").stdout
    assert "mcp-cassette suppress FINDING_ID --reason" in page
    assert "[[tool.mcp_cassette.lint.suppress]]" in page and 'ignore = ["CAS-L001"]' in page
    page = cli("explain", "CAS-X001", "--no-config").stdout
    assert "Nothing silences it" in page and "suppress" not in page
